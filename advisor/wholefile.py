"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from advisor.errors import named


def replace_file(path: str | Path, text: str | None) -> None:
    """Write a text beside a file and put it in its place; without a text, see if that would work.

    The file is never seen half written, and a run that is stopped leaves the old one. A link is
    followed. A pipe or a device, which cannot be replaced, is written to.

    Parameters
    ----------
    path : str or Path
    text : str or None
        Written as UTF-8 with the line ends that it has.

    Raises
    ------
    OSError
        If the file cannot be written; it names `path`.

    >>> replace_file("/no/such/folder/page.html", None)
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: '/no/such/folder/page.html'
    """
    try:
        _replace(Path(path), text)
    except OSError as error:
        raise named(error, path) from None


def _replace(path: Path, text: str | None) -> None:
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if mode and not stat.S_ISREG(mode):
        if text is not None:
            # By its own name: where links to pipes of other processes lead has none.
            path.write_text(text, encoding="utf-8", newline="")
        return
    place = Path(os.path.realpath(path))
    beside = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        beside.write_text(text or "", encoding="utf-8", newline="")
        if text is not None:
            if mode:
                beside.chmod(stat.S_IMODE(mode))
            os.replace(beside, place)
    finally:
        with suppress(OSError):
            beside.unlink()


def _mode(path: Path) -> int:
    """Return type and permissions of a file, 0 where there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0
