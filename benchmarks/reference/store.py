"""The file of results: a header line, then one JSON line for each declarer; made to be resumed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

# What must agree between a file and the run that goes on with it.
FIXED = (
    "deals",
    "worlds",
    "exact_from",
    "lite_tricks",
    "evaluator",
    "policy_seats",
    "seed",
    "play_seed",
    "heading",
)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return header and rows of a file; a last line cut short is left out.

    Raises
    ------
    ValueError
        If another line is not JSON.
    """
    lines = path.read_bytes().split(b"\n")
    # What follows the last line end was being written when the run was stopped.
    return [json.loads(line) for line in lines[:-1]]


class Store:
    """Rows of results on disk, each there as soon as it is known.

    Parameters
    ----------
    path : Path
        Made if it is not there; else its rows are kept.
    header : dict
        First line of a new file.

    Raises
    ------
    ValueError
        If the file was made with other options.
    """

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        rows = read_rows(path) if path.exists() else []
        if not rows:
            rows = [header]
        for name in FIXED:
            if rows[0].get(name) != header[name]:
                raise ValueError(
                    f"{path} was made with {name} {rows[0].get(name)}, expected {header[name]}"
                )
        self._rows = {row["number"]: row for row in rows[1:]}
        self._header = rows[0]
        self._rewrite()

    @property
    def numbers(self) -> set[int]:
        """Numbers of the declarers that are done."""
        return set(self._rows)

    def add(self, row: dict[str, Any]) -> None:
        """Append the row of one declarer."""
        self._rows[row["number"]] = row
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(row))

    def close(self) -> list[dict[str, Any]]:
        """Put the rows in order of their numbers and return them."""
        self._rewrite()
        return [self._rows[number] for number in sorted(self._rows)]

    def _rewrite(self) -> None:
        """Write the file anew beside the old one, which it replaces when it is whole."""
        lines = [self._header, *(self._rows[number] for number in sorted(self._rows))]
        new = self.path.with_name(self.path.name + ".new")
        new.write_text("".join(map(_line, lines)), encoding="utf-8")
        os.replace(new, self.path)


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, separators=(",", ":")) + "\n"
