"""What ``advisor batch`` writes rows to: the standard output, and files that name themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from advisor.terminal import write_out

if TYPE_CHECKING:
    from advisor.batch.results import Result
    from advisor.batch.writers import Writer


class NamedWriter:
    """A writer whose failures name its file, whoever is writing something else meanwhile.

    Parameters
    ----------
    writer : Writer
    named : callable
        Gives a context in which its failures are told.
    """

    def __init__(self, writer: Writer, named: Callable[[], AbstractContextManager[None]]) -> None:
        self._writer, self._named = writer, named

    def write(self, result: Result) -> None:
        """Write one result."""
        with self._named():
            self._writer.write(result)

    def close(self) -> None:
        """Write what is still held back."""
        with self._named():
            self._writer.close()


class StandardOutput:
    """The standard output as a text file."""

    def __init__(self) -> None:
        self.binary: Any = getattr(sys.stdout, "buffer", None)

    def write(self, text: str) -> int:
        """Write a text at once, with a line end after it; return its length."""
        write_out(text)
        self.flush()
        return len(text)

    def flush(self) -> None:
        """Write what is still held back."""
        if sys.stdout is not None:
            sys.stdout.flush()
