"""Rows of JSON Lines: an object a line, its keys the columns."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from advisor.batch.cell_text import cell_text, hand_text
from advisor.batch.hand_columns import HandColumns
from advisor.batch.lines import Line, numbered_lines, wrong_text
from advisor.batch.rows import Row, RowsError
from advisor.game.settings import show

# Files whose every object has other keys must not fill the memory.
_KEPT: Final = 64
# Lines that may be broken before the first object.
_LOOKED_AT: Final = 100


class _Repeated(ValueError):
    """A key that stands twice in an object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Repeated(f"expected each key once, found {show(twice)} twice")
    return found


_DECODER: Final = json.JSONDecoder()
_CAREFUL: Final = json.JSONDecoder(object_pairs_hook=_once)


def _object_of(text: str) -> dict[str, Any] | str:
    """Return the object of a line, or what is wrong with it."""
    try:
        value, end = _DECODER.raw_decode(text)
        # As many colons as keys: none stands twice. Watching the pairs takes twice as long.
        if type(value) is dict and len(value) != text.count(":"):
            value, end = _CAREFUL.raw_decode(text)
    except _Repeated as error:
        return str(error)
    except json.JSONDecodeError as error:
        return f"expected a JSON object, found {show(text)}: broken at column {error.colno}"
    except (ValueError, RecursionError):
        # Digits without end, brackets without end.
        return f"expected a JSON object, found {show(text)}"
    if end < len(text):
        return f"expected a JSON object, found {show(text)}: broken at column {end + 1}"
    if not isinstance(value, dict):
        return f"expected a JSON object, found {show(value)}"
    return value


class _Reader:
    """What the keys of the objects met so far mean."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._known: dict[tuple[str, ...], HandColumns | str] = {}

    def columns(self, keys: tuple[str, ...]) -> HandColumns | str:
        """Return the meaning of some keys, or what is wrong with them."""
        found = self._known.get(keys)
        if found is None:
            try:
                found = HandColumns.of(keys)
            except RowsError as error:
                found = str(error)
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[keys] = found
        return found

    def row(self, line: Line) -> Row:
        """Return the row of a line that is not empty."""
        number, text, error = line
        found = error or _object_of(text.strip())
        if not isinstance(found, str):
            columns = self.columns(tuple(found))
            cells = _cells(found, columns) if isinstance(columns, HandColumns) else columns
            if "\\u" in text and isinstance(cells, list):
                cells = _wrong_escapes([*found, *cells]) or cells
            if isinstance(columns, HandColumns) and isinstance(cells, list):
                return columns.row(self._source, number, cells)
            found = str(cells)
        return Row(self._source, number, None, "", {}, {}, found)


def _cells(found: dict[str, Any], columns: HandColumns) -> list[str] | str:
    """Return the values of an object as text, or what is wrong with them."""
    values = list(found.values())
    try:
        if len(columns.hand) == 1:
            place = columns.hand[0]
            values[place] = hand_text(values[place])
        return [item if type(item) is str else cell_text(item) for item in values]
    except RecursionError:
        return "expected a JSON object, found lists within lists without end"


def _wrong_escapes(texts: list[str]) -> str | None:
    """Return what is wrong with texts in which characters were written as their numbers."""
    for text in texts:
        if wrong := wrong_text(text):
            return wrong if "\0" in text else "expected text, found half a character (\\ud800)"
    return None


def json_rows(file: BinaryIO, source: str) -> tuple[HandColumns | None, Iterator[Row]]:
    r"""Return what the keys of the first object mean, None where they say nothing, and the rows.

    Parameters
    ----------
    file : binary file
        UTF-8 text. A hand is a text or a list of cards; empty lines are passed over.
    source : str
        Its name.

    Raises
    ------
    RowsError
        If it is one JSON text over many lines.

    >>> import io
    >>> columns, rows = json_rows(io.BytesIO(b'{"Nr": 7, "hand": ["AS", "TS"]}\n'), "x.jsonl")
    >>> columns.carried, next(rows).hand
    (('Nr',), 'AS TS')
    """
    reader = _Reader(source)
    lines = (line for line in numbered_lines(file) if line[2] or line[1].strip())
    first = list[Line]()
    meant: HandColumns | None = None
    for line in itertools.islice(lines, _LOOKED_AT):
        number, text, error = line
        text = text.strip()
        if not first and (text[:1] == "[" or text == "{"):
            what = "an array" if text[0] == "[" else "an object over many lines"
            raise RowsError(f"{source}:{number}: expected a JSON object a line, found {what}")
        first.append(line)
        found = error or _object_of(text)
        if not isinstance(found, str):
            columns = reader.columns(tuple(found))
            meant = columns if isinstance(columns, HandColumns) else None
            break
    return meant, map(reader.row, itertools.chain(first, lines))
