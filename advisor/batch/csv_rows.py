"""Rows of CSV and TSV: a header, then a record a row, whose quoted cells may span lines."""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, Final

from advisor.batch.hand_columns import HandColumns
from advisor.batch.lines import Line, numbered_lines
from advisor.batch.rows import Row, RowsError
from advisor.errors import HandError
from advisor.game.notation import parse_hand

# In many countries a comma stands in numbers, and spreadsheets write semicolons between cells.
_SIGNS: Final = {"csv": (",", ";", "\t", "|"), "tsv": ("\t", ",", ";", "|")}
# A quote that is not closed must not take the rest of the file with it.
MAX_LINES: Final = 100
MAX_QUOTED: Final = 20_000
# Cells of a line that are tried as a hand.
_TRIED: Final = 20
_DECLARED: Final = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
_MAY_BE_HEADER: Final = re.compile(r"hand|c[\s_-]*1|card", re.IGNORECASE)
_UNCLOSED: Final = "unexpected end of data"


class _Records:
    """The records of a file, each with the number of its first line."""

    def __init__(self, file: BinaryIO) -> None:
        self._lines = numbered_lines(file)
        self._waiting: deque[Line] = deque()
        self.sign = ","

    def next_line(self) -> Line | None:
        """Return the next line, or None behind the last."""
        return self._waiting.popleft() if self._waiting else next(self._lines, None)

    def put_back(self, lines: list[Line]) -> None:
        """Let some lines be read once more."""
        self._waiting.extendleft(reversed(lines))

    def cells(self, line: Line) -> tuple[list[str] | str, list[Line]]:
        """Return the cells of the record that begins with a line, or what is wrong with it.

        The further lines that it took come with it: those of a wrong one are to be put back.
        """
        if '"' not in line[1]:
            return line[1].rstrip("\n").split(self.sign), []
        return self._quoted(line)

    def _quoted(self, line: Line) -> tuple[list[str] | str, list[Line]]:
        taken: list[Line] = []
        cut = ""

        def texts() -> Iterator[str]:
            nonlocal cut
            yield line[1]
            size = 0
            while (following := self.next_line()) is not None:
                number, text, error = following
                taken.append(following)
                size += len(text)
                if error is not None:
                    cut = f"before line {number}, which cannot be read"
                elif len(taken) >= MAX_LINES:
                    cut = f"within {MAX_LINES} lines"
                elif size > MAX_QUOTED:
                    cut = f"within {MAX_QUOTED:,} characters"
                if cut:
                    return
                yield text

        reader = csv.reader(texts(), delimiter=self.sign, strict=True, skipinitialspace=True)
        try:
            return next(reader), taken
        except csv.Error as error:
            if _UNCLOSED in str(error):
                wanted = f"a quote that opens here is not closed {cut}".rstrip()
                return wanted, taken
            where = f" on line {taken[-1][0]}" if taken else ""
            return f"a quote inside a cell{where}: write it twice", taken


def csv_rows(file: BinaryIO, source: str, form: str) -> tuple[HandColumns | None, Iterator[Row]]:
    r"""Return what the columns of CSV mean, None where there are none, and the rows.

    Parameters
    ----------
    file : binary file
        UTF-8 text; a header comes first. Commas, semicolons, tabs or bars separate its cells.
    source : str
        Its name.
    form : {'csv', 'tsv'}
        Which sign is looked for first.

    Raises
    ------
    RowsError
        If the header names no hand, or a column twice.

    >>> import io
    >>> columns, rows = csv_rows(io.BytesIO(b"Club;Hand\nA;AATKQJ.AK.QJ.T9\nB\n"), "x.csv", "csv")
    >>> columns.carried, [row.error for row in rows]
    (('Club',), [None, 'expected 2 cells, found 1'])
    """
    records = _Records(file)
    columns = _header(records, source, form)
    if columns is None:
        return None, iter(())
    return columns, _rows(records, columns, source)


def _rows(records: _Records, columns: HandColumns, source: str) -> Iterator[Row]:
    width = columns.width
    while (line := records.next_line()) is not None:
        number, _, error = line
        if error is not None:
            yield Row(source, number, None, "", {}, {}, error)
            continue
        found, taken = records.cells(line)
        # Sheets keep empty cells at the right of what was once written there.
        if isinstance(found, list):
            while len(found) > width and not found[-1].strip():
                found.pop()
            if len(found) == width:
                row = columns.row(source, number, found)
                if row.hand or any(map(str.strip, found)):
                    yield row
                continue
            if not any(map(str.strip, found)):
                continue
            found = f"expected {width} {'cell' if width == 1 else 'cells'}, found {len(found)}"
        records.put_back(taken)
        yield Row(source, number, None, "", {}, {}, found)


def has_header(head: bytes) -> bool:
    r"""Tell whether the first line of a text that is no note names a column of hands.

    >>> has_header(b"# club\nid,hand\n"), has_header(b"AATKQJ.AK.QJ.T9\n")
    (True, False)
    """
    records = _Records(io.BytesIO(head))
    while (line := records.next_line()) is not None and line[2] is None:
        text = line[1].strip()
        if text and text[0] != "#" and not _DECLARED.fullmatch(text):
            found = _MAY_BE_HEADER.search(text) and _columns_of(records, line, _SIGNS["csv"])
            return isinstance(found, HandColumns)
    return False


def _header(records: _Records, source: str, form: str) -> HandColumns | None:
    """Return the columns of the header, or None for a file without a line.

    Sets the sign between cells. Notes and empty lines before the header are passed over.
    """
    signs: tuple[str, ...] = _SIGNS[form]
    while (line := records.next_line()) is not None:
        number, text, error = line
        if error is not None:
            raise RowsError(f"{source}:{number}: {error}")
        text = text.strip()
        if declared := _DECLARED.fullmatch(text):
            signs = (declared[1], *signs)
        # The column of numbers may be called #.
        elif text and (text[0] != "#" or text[1:2] in signs):
            columns = _columns_of(records, line, signs)
            if isinstance(columns, HandColumns):
                return columns
            raise RowsError(f"{source}:{number}: {_no_header(text, columns)}")
    return None


def _columns_of(records: _Records, line: Line, signs: tuple[str, ...]) -> HandColumns | str:
    """Return the columns that a line names, or what is wrong with it as a header."""
    wrong, most = "", 0
    for sign in signs:
        records.sign = sign
        names, taken = records.cells(line)
        if isinstance(names, str):
            wrong = wrong or names
        else:
            n_names = len(names)
            while names and not names[-1].strip():
                names.pop()
            try:
                return HandColumns.of(names)
            except RowsError as error:
                if n_names > most:
                    wrong, most = str(error), n_names
        records.put_back(taken)
    return wrong


def _no_header(text: str, wrong: str) -> str:
    """Return what is wrong with a header, which may be a hand."""
    for cell in (text, *re.split("[,;\t]", text)[:_TRIED]):
        try:
            parse_hand(cell)
        except HandError:
            continue
        return "expected a header, such as id,hand, found a hand; or is it text?"
    return wrong
