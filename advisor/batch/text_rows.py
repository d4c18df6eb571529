"""Rows of a text: a hand on a line in any notation, an id before it, notes after ``#``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from advisor.batch.ids import split_id
from advisor.batch.lines import numbered_lines
from advisor.batch.rows import Row


def text_rows(file: BinaryIO, source: str) -> Iterator[Row]:
    r"""Yield the rows of a text; empty lines and those that begin with ``#`` are passed over.

    Parameters
    ----------
    file : binary file
        UTF-8 text.
    source : str
        Its name.

    >>> import io
    >>> [row] = text_rows(io.BytesIO(b"# mine\n3\tAATKQJ.AK.QJ.T9\n"), "-")
    >>> row.line, row.id, row.hand
    (2, '3', 'AATKQJ.AK.QJ.T9')
    """
    for number, text, error in numbered_lines(file):
        if error is not None:
            yield Row(source, number, None, "", {}, {}, error)
            continue
        text = text.strip()
        if not text or text[0] == "#":
            continue
        name = None
        if ":" in text or "\t" in text:
            name, text = split_id(text)
        if text:
            yield Row(source, number, name, text)
        else:
            wanted = "expected twelve cards after the id, found none"
            yield Row(source, number, name, "", error=wanted)
