"""A line on stderr that says how far a long run has come, for people at a terminal only."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from advisor.terminal import Terminal

_EVERY: Final = 0.25
# Nobody needs to hear of what is done at once.
_QUIET_SECONDS: Final = 1.0


def duration(seconds: float) -> str:
    """Return a time in words, no finer than anybody needs.

    >>> duration(4.2), duration(200), duration(9000)
    ('4 s', '3 min 20 s', '2 h 30 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def progress_text(
    done: int, total: int | None, noun: str, rate: float, left: float, unit: str = "deals"
) -> str:
    """Return the line; the total may be unknown.

    >>> progress_text(2048, 20000, "auctions", 104000.0, 4.0)
    '2,048 of 20,000 deals, 104,000 auctions a second, 4 s left'
    >>> progress_text(2048, None, "rows", 31.6, 0.0, "rows")
    '2,048 rows, 32 rows a second'
    """
    text = f"{done:,} {unit}" if total is None else f"{done:,} of {total:,} {unit}"
    if rate > 0:
        text += f", {rate:,.0f} {noun} a second"
        text += "" if total is None else f", {duration(left)} left"
    return text


class Progress:
    """Shows the line, at most a few times a second.

    Parameters
    ----------
    shown : bool
    noun : str
        What the rate counts.
    unit : str
        What is told of.
    """

    def __init__(self, shown: bool, noun: str, unit: str = "deals") -> None:
        self._shown, self._noun, self._unit = shown, noun, unit
        self._start = time.monotonic()
        self._last = 0.0
        self._first: tuple[int, int] | None = None
        self._width = 0

    def tell(self, done: int, total: int | None, work: int) -> None:
        """Say that `done` deals of `total`, and `work` of what the rate counts, are finished.

        The total may be unknown.
        """
        if not self._shown:
            return
        now = time.monotonic()
        if self._first is None:
            # What was resumed, or came while the kernels were compiled, says nothing of the rate.
            self._first, self._start = (done, work), now
            return
        if now - self._last < _EVERY or now - self._start < _QUIET_SECONDS:
            return
        self._last = now
        seconds = now - self._start
        deals = done - self._first[0]
        left = (total - done) * seconds / deals if total is not None and deals > 0 else 0.0
        rate = (work - self._first[1]) / seconds
        self.write(progress_text(done, total, self._noun, rate, left, self._unit))

    def write(self, text: str) -> None:
        """Put a text in the place of the line."""
        if sys.stderr is None:
            return
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self.write("")
            sys.stderr.write("\r")
            sys.stderr.flush()


@contextmanager
def progress(
    terminal: Terminal, quiet: bool, noun: str = "auctions", unit: str = "deals"
) -> Iterator[Progress]:
    """Yield the line's writer, and take the line away at the end."""
    line = Progress(terminal.stderr_tty and not quiet, noun, unit)
    try:
        yield line
    finally:
        line.clear()


@contextmanager
def ticking(shown: bool, text: Callable[[float], str]) -> Iterator[None]:
    """Show a text of the seconds gone by while something runs that cannot tell of itself."""
    line, start, over = Progress(shown, ""), time.monotonic(), threading.Event()

    def tell() -> None:
        while not over.wait(_QUIET_SECONDS):
            line.write(text(time.monotonic() - start))

    teller = threading.Thread(target=tell, daemon=True)
    if shown:
        teller.start()
    try:
        yield
    finally:
        over.set()
        if shown:
            teller.join()
        line.clear()
