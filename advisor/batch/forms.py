"""Which form a file of hands has, and the reader of it."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import BinaryIO, Final

from advisor.batch.csv_rows import csv_rows, has_header
from advisor.batch.hand_columns import HandColumns
from advisor.batch.json_rows import json_rows
from advisor.batch.opening import PARQUET_MAGIC, Opened
from advisor.batch.rows import FORMS, RowReader, RowsError
from advisor.batch.text_rows import text_rows
from advisor.game.settings import either, nearest, show

_SUFFIXES: Final = {
    **{"": "text", ".txt": "text", ".text": "text", ".csv": "csv"},
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
}
_KEYED: Final = re.compile(rb"\s*\{\s*\"(?!(?:rank|suit|value|face|count|copies)\")[^\"]*\"\s*:")


def form_of(path: str) -> str:
    """Return the form that the name of a file says it has.

    Raises
    ------
    RowsError
        If its suffix is not known.

    >>> form_of("night.CSV.gz"), form_of("hands.ndjson"), form_of("-")
    ('csv', 'jsonl', 'text')
    >>> form_of("night.csw")
    Traceback (most recent call last):
    ...
    advisor.batch.rows.RowsError: night.csw: expected a file that ends in .txt, .csv, .tsv, .jsonl \
or .parquet, or --input-format; found .csw; did you mean .csv?
    """
    name = PurePath(path)
    if name.suffix.lower() in (".gz", ".xz"):
        name = name.with_suffix("")
    suffix = name.suffix.lower()
    if suffix not in _SUFFIXES:
        known = either([".txt", *(f".{form}" for form in FORMS[1:])])
        raise RowsError(
            f"{path}: expected a file that ends in {known}, or --input-format; found {suffix}"
            f"{nearest(suffix, _SUFFIXES)}"
        )
    return _SUFFIXES[suffix]


def open_form(path: str, form: str | None, stdin: BinaryIO | None) -> RowReader:
    """Open a file of hands; see `advisor.batch.rows.open_rows`."""
    if form is not None and form not in FORMS:
        raise RowsError(
            f"input-format: expected {either(FORMS)}, found {show(form)}{nearest(form, FORMS)}"
        )
    expected = form or form_of(path)
    opened = Opened(path, stdin)
    try:
        if form is None and expected == "text":
            expected = _looked_at(opened.head)
        if expected == "parquet":
            return _parquet(path, opened)
        if opened.head.startswith(PARQUET_MAGIC):
            raise RowsError(f"{path}: expected {expected}, found Parquet: give its form as parquet")
        columns: HandColumns | None = None
        if expected == "text":
            rows = text_rows(opened.file, path)
        elif expected == "jsonl":
            columns, rows = json_rows(opened.file, path)
        else:
            columns, rows = csv_rows(opened.file, path, expected)
    except BaseException:
        opened.close()
        raise
    return RowReader(path, expected, columns, rows, opened.close)


def _looked_at(head: bytes) -> str:
    """Return the form of what is text by its name, or has none.

    >>> _looked_at(b'{"hand": "AATKQJ.AK.QJ.T9"}'), _looked_at(b"nr;hand"), _looked_at(b"AS TS")
    ('jsonl', 'csv', 'text')
    """
    if head.startswith(PARQUET_MAGIC):
        return "parquet"
    if _KEYED.match(head):
        return "jsonl"
    return "csv" if has_header(head) else "text"


def _parquet(path: str, opened: Opened) -> RowReader:
    if path == "-" or opened.packed:
        where = "standard input" if path == "-" else "a compressed file"
        raise RowsError(f"{path}: cannot read Parquet from {where}: give the file itself")
    if not opened.head.startswith(PARQUET_MAGIC):
        found = "an empty file" if not opened.head else "something else"
        raise RowsError(f"{path}: expected Parquet, found {found}")
    opened.close()
    from advisor.batch.parquet_rows import parquet_rows

    columns, rows, close = parquet_rows(path)
    return RowReader(path, "parquet", columns, rows, close)
