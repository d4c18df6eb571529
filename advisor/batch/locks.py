"""A file that one process at a time can hold; the system lets go of it when the process ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from advisor.errors import OptionError


class PartsError(OptionError):
    """Unfinished work that cannot be gone on with, or is not to be touched."""


def hold(path: Path, taken: str) -> IO[str]:
    """Return a file that this process alone holds until it is closed, with our number in it.

    Parameters
    ----------
    path : Path
    taken : str
        The message where another process holds it.

    Raises
    ------
    PartsError
        If another process holds it.
    OSError
        If the file cannot be written.
    """
    # Not emptied: the number in it may be that of the one who holds it.
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+", encoding="ascii")
    try:
        _lock(file)
        # Held, but of a folder that its run has finished and removed since.
        same = path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except BlockingIOError:
        number = _number_in(file)
        file.close()
        process = f" (process {number})" if number else ""
        raise PartsError(f"{taken}{process}; wait for it, or name another output") from None
    except OSError:
        file.close()
        raise
    if not same:
        file.close()
        raise PartsError(f"{taken}, or did until now; try again")
    try:
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
    except OSError:
        # What it holds back finds no room now either.
        with suppress(OSError):
            file.close()
        raise
    return file


def _number_in(file: IO[str]) -> str:
    try:
        text = file.read(20).strip()
    except (OSError, ValueError):
        return ""
    return text if text.isdecimal() else ""


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        try:
            # Beyond what is written, so that others can read the number.
            file.seek(1000)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
