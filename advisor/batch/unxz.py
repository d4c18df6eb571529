"""Reading xz data with a bound on the memory that their maker may ask for."""

from __future__ import annotations

import io
import lzma
from typing import BinaryIO, Final

# What `xz -9` asks for, twice over.
_MEMORY: Final = 128 << 20
_PIECE: Final = 1 << 16


class XzFile(io.RawIOBase):
    """The unpacked bytes of one or more xz streams, one behind the other.

    Parameters
    ----------
    file : binary file
        The packed data.

    >>> XzFile(io.BytesIO(lzma.compress(b"A") + lzma.compress(b"T"))).read()
    b'AT'
    """

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._unpack = lzma.LZMADecompressor(memlimit=_MEMORY)
        self._packed = b""
        self._ended = False

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer with unpacked bytes and return how many.

        Raises
        ------
        EOFError, lzma.LZMAError
            If the data end too soon, are damaged, or ask for too much memory.
        """
        while not self._ended:
            if self._unpack.eof:
                self._next_stream()
                continue
            if self._unpack.needs_input and not self._packed:
                self._packed = self._file.read(_PIECE)
                if not self._packed:
                    raise EOFError
            data = self._unpack.decompress(self._packed, len(buffer))
            self._packed = b""
            if data:
                buffer[: len(data)] = data
                return len(data)
        return 0

    def _next_stream(self) -> None:
        """Go on behind the end of a stream, over the zero bytes that may fill a block."""
        rest = self._unpack.unused_data
        while not (rest := rest.lstrip(b"\0")):
            if not (rest := self._file.read(_PIECE)):
                self._ended = True
                return
        self._unpack = lzma.LZMADecompressor(memlimit=_MEMORY)
        self._packed = rest
