"""What is known about the terminal, and the only doors to the three standard streams."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final, TextIO

from advisor.errors import ExitCode, HandError

# A written hand has at most some hundred characters; whatever is larger is the wrong file.
MAX_STDIN_BYTES: Final = 1_000_000
PLAIN_WIDTH: Final = 80
SLOW_SECONDS: Final = 3.0
# Cut after so many cards, and three dots.
_EXAMPLE: Final = "AATKQJ.AK.QJ.T9KQ9J"
SIGNS: Final = "♠♥♦♣±−→─█▌░"


@dataclass(frozen=True, slots=True)
class Terminal:
    """The facts about the streams that a screen depends on.

    Parameters
    ----------
    stdin_tty, stdout_tty, stderr_tty : bool
        Whether a person sits at the other end.
    encoding : str
        Encoding of the standard output.
    colour : bool
        Whether control codes may be written to the standard output.
    width : int
        Columns to write in.
    owns_process : bool
        Whether Ctrl-C may end the process without waiting for its threads.

    >>> Terminal(encoding="ascii").symbols, Terminal(encoding="utf-8").symbols
    (False, True)
    """

    stdin_tty: bool = False
    stdout_tty: bool = False
    stderr_tty: bool = False
    encoding: str = "utf-8"
    colour: bool = False
    width: int = PLAIN_WIDTH
    owns_process: bool = False

    @classmethod
    def detect(cls, *, owns_process: bool = False) -> Terminal:
        """Return the facts about the streams of this process, as they are now."""
        stdout_tty = _is_tty(sys.stdout)
        return cls(
            stdin_tty=_is_tty(sys.stdin),
            stdout_tty=stdout_tty,
            stderr_tty=_is_tty(sys.stderr),
            encoding=getattr(sys.stdout, "encoding", None) or "ascii",
            colour=_wants_colour(stdout_tty),
            width=_width() if stdout_tty else PLAIN_WIDTH,
            owns_process=owns_process,
        )

    @property
    def symbols(self) -> bool:
        """Whether the suit symbols and the signs of the screens can be written."""
        try:
            SIGNS.encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def _is_tty(stream: Any) -> bool:
    # A stream is None where the descriptor was closed, and closed streams raise.
    try:
        return bool(stream is not None and stream.isatty())
    except ValueError:
        return False


def _wants_colour(stdout_tty: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced.lower() not in ("0", "false")
    return stdout_tty and os.environ.get("TERM") != "dumb"


def _width() -> int:
    return max(60, min(100, shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns))


def write_out(text: str) -> None:
    """Write data to the standard output, with a line end after it.

    What the encoding cannot hold is written as an escape instead of failing.
    """
    _write(sys.stdout, text)


def write_err(text: str) -> None:
    """Write a message for people to the standard error, with a line end after it.

    A message that cannot be written is no reason to fail.
    """
    try:
        _write(sys.stderr, text)
        flush(sys.stderr)
    except (OSError, ValueError):
        pass


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    encoding = getattr(stream, "encoding", None) or "ascii"
    line = text if text.endswith("\n") else text + "\n"
    stream.write(line.encode(encoding, "backslashreplace").decode(encoding))


def flush(stream: TextIO | None) -> None:
    """Write out what a stream still holds, so that a full disk is noticed in time."""
    if stream is not None:
        stream.flush()


def drop_stdout() -> None:
    """Send the rest of the standard output nowhere: the reader has gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass


def read_hand_text(terminal: Terminal, words: list[str], cards: int = 12) -> str:
    """Return the text of a hand: from the words of the command line, a pipe, or a question.

    Parameters
    ----------
    terminal : Terminal
    words : list of str
        Arguments; none, or a single dash, means the standard input. An empty argument does not:
        it comes from a variable that was never set.
    cards : int, optional
        How many cards the hand should have, for what is asked and said.

    Raises
    ------
    HandError
        If there is no text, or it is not a text of sensible size.

    >>> read_hand_text(Terminal(), ["AATKQJ", "AK", "QJ", "T9"])
    'AATKQJ AK QJ T9'
    """
    text = " ".join(word.strip() for word in words)
    expected = f"expected {cards} cards, such as {_EXAMPLE[: cards + 3]}"
    if words and not text.strip():
        raise HandError(f"hand: {expected}, found an empty argument")
    if words and text != "-":
        return text
    text = _ask(terminal, cards) if terminal.stdin_tty else _read_stdin()
    if not text.strip():
        raise HandError(f"no hand given: {expected}")
    return text


def _ask(terminal: Terminal, cards: int) -> str:
    _ask_on_stderr(f"Your {cards} cards (spades.hearts.diamonds.clubs): ")
    line = ""
    try:
        # By an exception, so that the line of the question is ended first.
        with _on_ctrl_c(terminal, signal.default_int_handler):
            line = sys.stdin.readline()
    except EOFError:
        # Some consoles raise it; here, and only here, it means that there is no hand.
        pass
    finally:
        # After Ctrl-D or Ctrl-C the next message would stand on the line of the question.
        if not line.endswith("\n"):
            _ask_on_stderr("\n")
    return line


def _ask_on_stderr(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _read_stdin() -> str:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return ""
    data: bytes = stream.read(MAX_STDIN_BYTES + 1)
    if len(data) > MAX_STDIN_BYTES:
        raise HandError(f"stdin: expected one hand, found more than {MAX_STDIN_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HandError(
            f"stdin: expected a hand as UTF-8 text, found byte 0x{data[error.start]:02x} "
            f"at offset {error.start}"
        ) from None


@contextmanager
def remark_if_slow(terminal: Terminal, text: str | None) -> Iterator[None]:
    """Write a remark to the standard error if what is done takes longer than `SLOW_SECONDS`.

    Only a person at a terminal gets it.
    """
    if text is None or not terminal.stderr_tty:
        yield
        return
    timer = threading.Timer(SLOW_SECONDS, write_err, (text,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        # A remark that has begun is finished before the answer is written.
        timer.join()


@contextmanager
def leaving_at_once(terminal: Terminal) -> Iterator[None]:
    """End the process on Ctrl-C wherever it is, without waiting for its threads.

    A thread that compiles cannot be stopped, and the first compilation takes ten seconds.
    """

    def leave(*_: object) -> None:
        # Not through sys.stderr, whose lock the interrupted code may hold.
        os.write(2, b"Interrupted.\n")
        os._exit(ExitCode.INTERRUPTED)

    with _on_ctrl_c(terminal, leave):
        yield


@contextmanager
def interruptible(terminal: Terminal) -> Iterator[None]:
    """Raise `KeyboardInterrupt` on Ctrl-C instead of ending the process: there is work to show."""
    with _on_ctrl_c(terminal, signal.default_int_handler):
        yield


@contextmanager
def _on_ctrl_c(
    terminal: Terminal, handler: Callable[[int, FrameType | None], Any]
) -> Iterator[None]:
    """Handle Ctrl-C in another way for a while, if the process is ours.

    Whoever started it with the signal ignored (``nohup``, a script's ``&``) keeps it ignored.
    """
    if not terminal.owns_process or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        yield
        return
    previous = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
