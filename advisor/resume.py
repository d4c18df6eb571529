"""What a long run has found so far, kept in a file from which it goes on.

The file is one JSON object with the settings of the run; it is replaced as a whole, so a run that
is killed leaves the last whole one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from advisor.errors import OptionError
from advisor.game.settings import show

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
            If it is no such file, or of other settings; the message names the first.
        """
        try:
            if self._path.stat().st_size > MAX_BYTES:
                raise OptionError(f"resume: expected the file of a run, found {self._path}: large")
            stored = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError) as error:
            if isinstance(error, OptionError):
                raise
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
        text = json.dumps({"settings": self._settings, "work": work})
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}.part")
        try:
            beside.write_text(text, encoding="utf-8")
            os.replace(beside, self._path)
        finally:
            beside.unlink(missing_ok=True)


def _short(value: object) -> str:
    text = show(value)
    return text if len(text) <= 60 else text[:57] + "..."
