"""Results written as CSV, TSV, JSON Lines or Parquet, row by row, packed where the name says so."""

from __future__ import annotations

import csv
import gzip
import io
import lzma
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final, Protocol, cast

from advisor.batch.results import COLUMNS, TEXTS, USER_TEXTS, WHOLE, Result, carried_names, select
from advisor.errors import OptionError
from advisor.game.settings import either, nearest, show
from advisor.report.data import to_json

if TYPE_CHECKING:
    from types import ModuleType

OUTPUT_FORMS: Final = ("csv", "tsv", "jsonl", "parquet", "table", "markdown")
_SUFFIXES: Final = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".json": "jsonl", ".parquet": "parquet", ".pq": "parquet", ".md": "markdown", ".txt": "table",
}  # fmt: skip
_WORKBOOKS: Final = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers", ".gsheet")
_PACKED: Final = (".gz", ".xz")
# A cell that begins so is a formula to a spreadsheet.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_GROUP_ROWS: Final = 16_384


def read_form(text: str) -> str:
    """Return the form of output that an option names; JSON is written in lines.

    >>> read_form("CSV"), read_form("json")
    ('csv', 'jsonl')
    >>> read_form("cvs")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: format: expected csv, tsv, jsonl, parquet, table or markdown, \
found 'cvs'; did you mean csv?
    """
    word = text.strip().lower()
    word = "jsonl" if word == "json" else word
    if word not in OUTPUT_FORMS:
        hint = nearest(word, OUTPUT_FORMS)
        raise OptionError(f"format: expected {either(OUTPUT_FORMS)}, found {show(text)}{hint}")
    return word


def packing_of(path: str) -> str:
    """Return ``.gz`` or ``.xz`` if a file of that name is packed, else nothing."""
    suffix = PurePath(path).suffix.lower()
    return suffix if suffix in _PACKED else ""


def form_of(path: str, instead: str = ", or --format") -> str | None:
    """Return the form that the name of a file asks for, None where it has no suffix.

    Parameters
    ----------
    path : str
    instead : str
        What else could say the form, for the message.

    Raises
    ------
    OptionError
        If its suffix is that of something else: a workbook that holds CSV is no workbook.

    >>> form_of("out.csv.gz"), form_of("out")
    ('csv', None)
    >>> form_of("advice.xlsx")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: advice.xlsx: expected a file that ends in .csv, .tsv, .jsonl, \
.parquet, .txt or .md, or --format; found '.xlsx'; spreadsheets open .csv
    """
    name = path[: -len(packing_of(path)) or None]
    suffix = PurePath(name).suffix.lower()
    if not suffix or suffix in _SUFFIXES:
        return _SUFFIXES.get(suffix)
    hint = "; spreadsheets open .csv" if suffix in _WORKBOOKS else nearest(suffix, _SUFFIXES)
    known = either((".csv", ".tsv", ".jsonl", ".parquet", ".txt", ".md"))
    raise OptionError(
        f"{path}: expected a file that ends in {known}{instead}; found {show(suffix)}{hint}"
    )


class Sheet:
    """Which columns are written, in which order, under which names.

    Parameters
    ----------
    carried : sequence of str
        Columns of the input that mean nothing here.
    columns : str or None
        As ``--columns`` names them, all by default.

    >>> Sheet(("table",), None).names[-2:]
    ('error', 'table')
    """

    def __init__(self, carried: Sequence[str], columns: str | None) -> None:
        self.carried = tuple(carried)
        self._names = dict(zip(carried_names(carried), carried, strict=True))
        every = (*COLUMNS, *self._names)
        self.names = every if columns is None else select(columns, tuple(self._names))
        # By name: whether the text comes from whoever wrote the file.
        self.foreign = frozenset(USER_TEXTS | self._names.keys()) & set(self.names)

    def row(self, result: Result) -> list[Any]:
        """Return the values of a result in the order of the columns, absent ones None."""
        values = result.values()
        for name, column in self._names.items():
            values[name] = result.extra.get(column)
        return [values[name] for name in self.names]


class Writer(Protocol):
    """Writes results one after the other."""

    def write(self, result: Result) -> None:
        """Write one result."""

    def close(self) -> None:
        """Write what is still held back; the stream stays open."""


class CsvWriter:
    """CSV or TSV: a header, then a line for each result; absent values are empty cells.

    A text of the file that a spreadsheet would take for a formula gets an apostrophe before it.
    """

    def __init__(self, stream: IO[str], sheet: Sheet, delimiter: str = ",") -> None:
        self._sheet = sheet
        self._writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        self._writer.writerow([as_text(name) for name in sheet.names])

    def write(self, result: Result) -> None:
        """Write one result."""
        sheet, cells = self._sheet, []
        foreign = sheet.foreign if result.answer is not None else sheet.foreign | {"hand"}
        for name, value in zip(sheet.names, sheet.row(result), strict=True):
            if name in foreign and isinstance(value, str):
                value = as_text(value)
            # Not a number: the error of a single deal.
            cells.append(None if value != value else value)
        self._writer.writerow(cells)

    def close(self) -> None:
        """Do nothing: nothing is held back."""


def as_text(value: str) -> str:
    """Return a text so that a spreadsheet does not take it for a formula; numbers stay.

    >>> as_text("=1+1"), as_text("-5"), as_text("north")
    ("'=1+1", '-5', 'north')
    """
    if len(value) == 1 or not value.startswith(_FORMULA):
        return value
    digits = value[1:].replace(".", "", 1)
    return value if value[0] in "+-" and digits.isascii() and digits.isdigit() else f"'{value}"


class JsonWriter:
    """JSON Lines: an object for each result, with all columns; absent values are null."""

    def __init__(self, stream: IO[str], sheet: Sheet) -> None:
        self._stream, self._sheet = stream, sheet

    def write(self, result: Result) -> None:
        """Write one result."""
        values = zip(self._sheet.names, self._sheet.row(result), strict=True)
        self._stream.write(to_json(dict(values)) + "\n")

    def close(self) -> None:
        """Do nothing: nothing is held back."""


class ParquetWriter:
    """Parquet, in groups of rows; columns carried through are texts.

    Raises
    ------
    OptionError
        If pyarrow is not installed.
    """

    def __init__(self, stream: BinaryIO, sheet: Sheet) -> None:
        self._arrow = load_arrow()
        import pyarrow.parquet as parquet

        arrow = self._arrow
        self._sheet = sheet
        self._schema = arrow.schema([(name, _arrow_type(arrow, name)) for name in sheet.names])
        self._writer = parquet.ParquetWriter(stream, self._schema)
        self._rows: list[list[Any]] = []

    def write(self, result: Result) -> None:
        """Write one result."""
        self._rows.append(self._sheet.row(result))
        if len(self._rows) >= _GROUP_ROWS:
            self._flush()

    def close(self) -> None:
        """Write the last rows, and where all of them stand."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if not self._rows:
            return
        columns = [
            self._arrow.array(values, type=item.type, from_pandas=True)
            for item, values in zip(self._schema, zip(*self._rows, strict=True), strict=True)
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))
        self._rows = []


def load_arrow() -> ModuleType:
    """Return pyarrow, or raise `OptionError` where it is not installed."""
    try:
        import pyarrow
    except ImportError:
        raise OptionError(
            "parquet: expected pyarrow to be installed, found none: "
            "pip install 'pinochle-advisor[parquet]'"
        ) from None
    return cast("ModuleType", pyarrow)


def _arrow_type(arrow: Any, name: str) -> Any:
    if name == "seed":
        return arrow.uint64()
    if name in WHOLE:
        return arrow.int64()
    return arrow.string() if name in TEXTS or name not in COLUMNS else arrow.float64()


class PackedFile:
    """A binary file that packs what is written to it; the same content gives the same bytes.

    Parameters
    ----------
    raw : binary file
        Stays open.
    packing : str
        ``.gz``, ``.xz`` or nothing.
    """

    def __init__(self, raw: BinaryIO, packing: str) -> None:
        self.raw = raw
        self._packed: Any = raw
        if packing == ".gz":
            # Neither name nor time, which would differ from run to run.
            self._packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
        elif packing == ".xz":
            self._packed = lzma.open(raw, "wb")  # noqa: SIM115 - closed by close()
        self.binary: BinaryIO = cast("BinaryIO", self._packed)
        self.text = io.TextIOWrapper(self._packed, encoding="utf-8", newline="")

    def close(self) -> None:
        """Write what is still held back."""
        self.text.flush()
        self.text.detach()
        if self._packed is not self.raw:
            self._packed.close()


def data_writer(form: str, stream: IO[str], binary: BinaryIO | None, sheet: Sheet) -> Writer:
    """Return the writer of a form of output for programs.

    Parameters
    ----------
    form : str
        csv, tsv, jsonl or parquet.
    stream : text file
    binary : binary file or None
        Under it; Parquet needs one.
    sheet : Sheet
    """
    if form == "parquet":
        if binary is None:
            raise OptionError("parquet: expected a file, found a terminal; give it with -o")
        return ParquetWriter(binary, sheet)
    if form == "jsonl":
        return JsonWriter(stream, sheet)
    return CsvWriter(stream, sheet, "\t" if form == "tsv" else ",")


def joined_columns(columns: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the columns of several files, each once.

    >>> joined_columns([("a", "b"), ("b", "c")])
    ('a', 'b', 'c')
    """
    return tuple(dict.fromkeys(name for names in columns for name in names))
