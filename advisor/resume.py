"""What a long run has found so far, kept in a file from which it goes on.

The file is one JSON object with the settings of the run; it is replaced as a whole, so a run that
is killed leaves the last whole one.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from advisor.errors import OptionError, unreadable
from advisor.game.settings import show
from advisor.wholefile import replace_file

MAX_BYTES: Final = 50_000_000


class Resume:
    """A file of unfinished work.

    Parameters
    ----------
    path : str
    settings : mapping
        What decides the result, as JSON holds it; work of other settings is refused.
    """

    def __init__(self, path: str, settings: Mapping[str, Any]) -> None:
        self._path = Path(path)
        self._settings: dict[str, Any] = json.loads(json.dumps(settings))

    def __str__(self) -> str:
        return str(self._path)

    def load(self) -> dict[str, Any] | None:
        """Return the work in the file, None where there is no file yet.

        Raises
        ------
        OptionError
            If it cannot be read, is no such file, or of other settings; the message names the
            first.
        OSError
            If it could not be written: better now than when work is done.
        """
        if not self._path.name:
            raise OptionError(f"resume: expected the name of a file, found {show(str(self._path))}")
        try:
            found = self._path.stat()
        except FileNotFoundError:
            replace_file(self._path, None)
            return None
        if found.st_size > MAX_BYTES:
            raise OptionError(f"resume: expected the file of a run, found {self._path}: large")
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            # Devices and pipes may have no end.
            raise OptionError(
                f"resume: expected the file of a run, found {self._path}: no ordinary file"
            )
        replace_file(self._path, None)
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
        except OSError as error:
            raise OptionError(f"resume: {unreadable(str(self._path), error)}") from None
        except (ValueError, RecursionError):
            raise OptionError(
                f"resume: expected the file of a run, found other text in {self._path}"
            ) from None
        if not isinstance(stored, dict) or not {"settings", "work"} <= stored.keys():
            raise OptionError(
                f"resume: expected the file of a run, found other JSON in {self._path}"
            )
        self._check(stored["settings"])
        work = stored["work"]
        if not isinstance(work, dict):
            raise OptionError(f"resume: expected the work of a run in {self._path}, found none")
        return work

    def _check(self, found: object) -> None:
        if found == self._settings:
            return
        stored = found if isinstance(found, dict) else {}
        for key in [*self._settings, *stored]:
            here, there = self._settings.get(key), stored.get(key)
            if isinstance(here, dict) and isinstance(there, dict):
                for name in [*here, *there]:
                    if here.get(name) != there.get(name):
                        key = f"{key}: {name}"
                        here, there = here.get(name), there.get(name)
                        break
            if here != there:
                raise OptionError(
                    f"resume: {self._path} is of a run with {key} {_short(there)}, not "
                    f"{_short(here)}; expected the same settings"
                )
        raise OptionError(f"resume: {self._path} is of a run with other settings")

    def save(self, work: Mapping[str, Any]) -> None:
        """Replace the file.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        replace_file(self._path, json.dumps({"settings": self._settings, "work": work}))


def _short(value: object) -> str:
    text = show(value)
    return text if len(text) <= 60 else text[:57] + "..."
