"""The lines of a text, numbered, each judged as text and bounded in length."""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, TypeAlias

MAX_LINE: Final = 100_000
# A device or a compressed bomb would otherwise be passed over for ever.
MAX_SKIPPED: Final = 1_000_000_000

# What reading a file, plain or compressed, may end with.
READ_ERRORS: Final = (OSError, EOFError, zlib.error, lzma.LZMAError)


# Number from 1, text with its end, and why it cannot be read. A tuple, as there are millions.
Line: TypeAlias = tuple[int, str, str | None]


def read_error(error: BaseException) -> str:
    """Return what went wrong in reading, in words.

    >>> read_error(EOFError())
    'the compressed data end too soon: what follows is lost'
    >>> read_error(OSError(5, "Input/output error"))
    'cannot read on: Input/output error'
    """
    if isinstance(error, EOFError):
        return "the compressed data end too soon: what follows is lost"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot read on: {error.strerror}"
    return "the compressed data are damaged: what follows is lost"


def wrong_text(text: str) -> str | None:
    r"""Return why a text is none, or nothing; lone bytes stand in it as surrogates.

    >>> wrong_text("A\0"), wrong_text("A♠")
    ('expected text, found a zero byte', None)
    """
    if "\0" in text:
        return "expected text, found a zero byte"
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return "expected UTF-8 text: save the file as UTF-8"
    return None


def numbered_lines(file: BinaryIO) -> Iterator[Line]:
    r"""Yield the lines of a file, which end with LF, CR LF or CR.

    Parameters
    ----------
    file : binary file
        UTF-8 text.

    Yields
    ------
    tuple
        Number from 1, text with its end, error or None. A line that is too long or no text
        comes with its error and empty; where the file cannot be read on, that is the last line.

    >>> [text for _, text, _ in numbered_lines(io.BytesIO(b"A\r\nB\rC"))]
    ['A\n', 'B\n', 'C']
    >>> list(numbered_lines(io.BytesIO(b"\xff")))
    [(1, '', 'expected UTF-8 text: save the file as UTF-8')]
    """
    # Surrogates keep the bytes of a bad line from spoiling the lines around it.
    text_file = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape")
    read = text_file.readline
    number = 0
    try:
        while text := read(MAX_LINE + 1):
            number += 1
            if text.isascii() and "\0" not in text and len(text) <= MAX_LINE:
                yield number, text, None
                continue
            if len(text) > MAX_LINE and text[-1] != "\n":
                skipped = 0
                while (rest := read(MAX_LINE)) and rest[-1] != "\n":
                    skipped += len(rest)
                    if skipped > MAX_SKIPPED:
                        yield number, "", "a line without end: what follows is lost"
                        return
                wanted = f"expected a line of at most {MAX_LINE:,} characters, found a longer one"
                yield number, "", wanted
                continue
            error = wrong_text(text)
            # Files put one behind the other keep the byte-order mark of each.
            yield number, "" if error else text.removeprefix("\ufeff"), error
    except READ_ERRORS as error:
        yield number + 1, "", read_error(error)
