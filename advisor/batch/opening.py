"""Opening a file of hands: what it is, whether it is compressed, how it begins.

Files are read once and from the beginning, so that a pipe will do.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO, Final

from advisor.batch.lines import READ_ERRORS, read_error
from advisor.batch.rows import RowsError
from advisor.batch.unxz import XzFile
from advisor.errors import unreadable
from advisor.game.settings import show

_GZIP: Final = b"\x1f\x8b"
_XZ: Final = b"\xfd7zXZ\0"
PARQUET_MAGIC: Final = b"PAR1"
_BOM: Final = b"\xef\xbb\xbf"
# What users try, and what to do about it.
_FOREIGN: Final = {
    b"PK\x03\x04": "a spreadsheet or a zip archive: save the sheet as CSV, or unpack it",
    b"\xd0\xcf\x11\xe0": "a spreadsheet: save the sheet as CSV",
    b"BZh": "packed by bzip2: unpack it, or pack it by gzip or xz",
    b"\x28\xb5\x2f\xfd": "packed by zstd: unpack it, or pack it by gzip or xz",
    b"%PDF": "a PDF: copy the hands into a text file",
    b"\xff\xfe": "UTF-16 text: save the file as UTF-8",
    b"\xfe\xff": "UTF-16 text: save the file as UTF-8",
}
# Enough for the first line of any file but a strange one.
_HEAD: Final = 1 << 16
_PIECE: Final = 1 << 16


class _Rewound(io.RawIOBase):
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, rest: BinaryIO | io.RawIOBase, error: Exception | None) -> None:
        super().__init__()
        self._head = memoryview(head)
        self._error = error
        self._readinto = getattr(rest, "readinto1", None) or rest.readinto  # type: ignore[union-attr]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._head:
            size = min(len(buffer), len(self._head))
            buffer[:size] = self._head[:size]
            self._head = self._head[size:]
            return size
        if self._error:
            raise self._error
        return self._readinto(buffer) or 0


class Opened:
    """An open file of hands, unpacked.

    Attributes
    ----------
    file : binary file
        The data from their beginning, without a byte-order mark.
    head : bytes
        How they begin: at least the first line, where it is of a usual length.
    packed : bool
        Whether the file is compressed.
    """

    def __init__(self, path: str, stdin: BinaryIO | None = None) -> None:
        self._owned: io.FileIO | None = None
        self.packed = False
        stream: BinaryIO | io.RawIOBase
        if path == "-":
            stream = stdin or _standard_input()
        else:
            stream = self._owned = _open(path)
        try:
            head, error = _head_of(stream)
            name = path.lower()
            if head.startswith(_GZIP):
                packed = io.BufferedReader(_Rewound(head, stream, error), _PIECE)
                stream = gzip.GzipFile(fileobj=packed)  # type: ignore[assignment]
                self.packed = True
            elif head.startswith(_XZ):
                packed = io.BufferedReader(_Rewound(head, stream, error), _PIECE)
                stream = XzFile(packed)
                self.packed = True
            elif name.endswith((".gz", ".xz")):
                kind = "gzip" if name.endswith(".gz") else "xz"
                raise RowsError(f"{path}: expected {kind} data, found none")
            if self.packed:
                head, error = _head_of(stream)
                if head.startswith((_GZIP, _XZ)):
                    raise RowsError(f"{path}: expected text, found it packed twice")
            if error is not None and not head:
                raise RowsError(f"{path}: {read_error(error)}")
            self._check(path, head)
        except BaseException:
            self.close()
            raise
        self.head = head.removeprefix(_BOM)
        self.file: BinaryIO = io.BufferedReader(_Rewound(self.head, stream, error), _PIECE)

    @staticmethod
    def _check(path: str, head: bytes) -> None:
        """Refuse what is no text and no Parquet."""
        for magic, what in _FOREIGN.items():
            if head.startswith(magic):
                raise RowsError(f"{path}: expected text, found {what}")
        start = head[:200]
        if len(start) > 1 and not any(start[1::2]) and all(start[::2]):
            raise RowsError(f"{path}: expected text, found {_FOREIGN[bytes((255, 254))]}")

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._owned is not None:
            self._owned.close()


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise RowsError("-: expected a standard input, found none")
    return sys.stdin.buffer


def _open(path: str) -> io.FileIO:
    """Open a file or a pipe.

    A pipe, which the shell makes of ``<(...)``, is waited for.
    """
    try:
        # Path("") would be the folder at hand.
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise RowsError(f"{path}: cannot read the file: it is a directory")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or _may_read(path, mode)):
            raise RowsError(f"{path}: cannot read the file: it is a device or a socket")
        return open(path, "rb", buffering=0)
    except OSError as error:
        raise RowsError(unreadable(path, error)) from None
    except ValueError as error:
        if isinstance(error, RowsError):
            raise
        # A zero byte in the name.
        raise RowsError(f"{show(path)}: not the name of a file") from None


def _may_read(path: str, mode: int) -> bool:
    """Tell whether a device has an end: a terminal, or the empty one."""
    if not stat.S_ISCHR(mode):
        return False
    if Path(path).samefile(os.devnull):
        return True
    with open(path, "rb", buffering=0) as file:
        return file.isatty()


def _head_of(stream: BinaryIO | io.RawIOBase) -> tuple[bytes, Exception | None]:
    """Return the beginning of a stream up to the end of a line, and the error that ended it."""
    readinto = getattr(stream, "readinto1", None) or stream.readinto  # type: ignore[union-attr]
    buffer = bytearray(_HEAD)
    head = b""
    try:
        while len(head) < _HEAD and b"\n" not in head and b"\r" not in head:
            size = readinto(buffer)
            if not size:
                break
            head += buffer[:size]
    except READ_ERRORS as error:
        return head, error
    return head, None


def fingerprint(path: str) -> str:
    """Return the SHA-256 of a file's bytes as 64 hexadecimal digits.

    Raises
    ------
    RowsError
        If it cannot be read, or is no regular file: a pipe can be read once only.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "hands.txt")
    ...     _ = open(path, "wb").close()
    ...     fingerprint(path)[:12]
    'e3b0c44298fc'
    """
    if Path(path).is_fifo():
        raise RowsError(f"{path}: expected a file that can be read again, found a pipe")
    try:
        with _open(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RowsError(unreadable(path, error)) from None
