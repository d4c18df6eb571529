"""Where the lines of ``advisor interactive`` come from: a prompt with history, or a pipe.

prompt_toolkit, the extra ``prompt``, is used if it is installed, else the readline of the
standard library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

from advisor.interactive_lines import MAX_LINE
from advisor.terminal import Terminal

PROMPT: Final = "advisor> "
MAX_HISTORY: Final = 1000
_MAX_BYTES: Final = 3 * MAX_HISTORY * MAX_LINE
Complete = Callable[[str], list[str]]


class Lines(Protocol):
    """A source of lines."""

    def read(self) -> str:
        """Return the next line.

        Raises
        ------
        EOFError
            After the last, or after Ctrl-D.
        KeyboardInterrupt
            After Ctrl-C.
        """


def open_lines(terminal: Terminal, complete: Complete, history: Path | None) -> Lines:
    """Return the best source of lines that there is.

    Parameters
    ----------
    terminal : Terminal
    complete : callable
        Returns the words for the last one of a line.
    history : Path or None
        A file that earlier lines are kept in.
    """
    if not (terminal.stdin_tty and terminal.stdout_tty):
        return PipedLines()
    kept = None if history is None else _usable(history)
    # What cannot move the cursor gets the plainest of them.
    if os.environ.get("TERM") != "dumb":
        try:
            return ToolkitLines(complete, kept)
        except ImportError:
            pass
    return ReadlineLines(complete, kept)


def _usable(history: Path) -> Path | None:
    """Return the file if it can be written, made if need be; hands are nobody else's business.

    A pipe or a device would be waited for, or read without an end.
    """
    try:
        history.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if history.exists() and not history.is_file():
            return None
        handle = os.open(history, os.O_CREAT | os.O_RDWR, 0o600)
        size = os.fstat(handle).st_size
        os.close(handle)
    except OSError:
        return None
    return history if size <= _MAX_BYTES else None


def _earlier(history: Path) -> list[str]:
    """Return the lines of a history, the latest last; what is too old is dropped from the file."""
    try:
        lines = history.read_text(encoding="utf-8", errors="replace").splitlines()
        if len(lines) > 2 * MAX_HISTORY:
            history.write_text("\n".join(lines[-MAX_HISTORY:]) + "\n", encoding="utf-8")
    except OSError:
        return []
    # What is longer was never a line of ours.
    return [line for line in lines[-MAX_HISTORY:] if len(line) <= MAX_LINE]


class PipedLines:
    """Lines of the standard input, without a prompt."""

    def read(self) -> str:
        """Return the next line."""
        stream = getattr(sys.stdin, "buffer", None)
        # One more than is allowed, to be refused; the rest is the next line.
        line: bytes = b"" if stream is None else stream.readline(4 * MAX_LINE + 1)
        if not line:
            raise EOFError
        return line.decode("utf-8-sig", "replace")


class ReadlineLines:
    """A prompt by the readline of the standard library, or a plain one where it is missing."""

    def __init__(self, complete: Complete, history: Path | None) -> None:
        self._save: Callable[[], object] = lambda: None
        try:
            # Not on Windows.
            import readline
        except ImportError:
            return
        readline.set_completer_delims(" ")
        readline.set_completer(self._completer(readline, complete))
        libedit = "libedit" in (getattr(readline, "__doc__", "") or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        self._keep(readline, history)

    def _completer(self, readline: Any, complete: Complete) -> Callable[[str, int], str | None]:
        def word(begun: str, number: int) -> str | None:
            found = complete(readline.get_line_buffer()[: readline.get_endidx()])
            # After a whole word comes a space, after `pass=` its value.
            ends = [text if text.endswith("=") else f"{text} " for text in found]
            return ends[number] if number < len(ends) else None

        return word

    def _keep(self, readline: Any, history: Path | None) -> None:
        if history is None:
            return
        with suppress(OSError):
            readline.read_history_file(history)
        readline.set_history_length(MAX_HISTORY)
        self._save = lambda: readline.write_history_file(history)

    def read(self) -> str:
        """Return the next line."""
        line = input(PROMPT)
        # At once, as the process may be ended from outside.
        with suppress(OSError):
            self._save()
        return line


class ToolkitLines:
    """A prompt by prompt_toolkit."""

    def __init__(self, complete: Complete, history: Path | None) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.history import History

        class Words(Completer):
            def get_completions(self, document: Any, complete_event: Any) -> Any:
                line = document.text_before_cursor
                begun = len(line.rpartition(" ")[2])
                for word in complete(line):
                    yield Completion(word, start_position=-begun)

        # As readline keeps it, so that both prompts can use one file.
        class Kept(History):
            def load_history_strings(self) -> Any:
                return reversed([] if history is None else _earlier(history))

            def store_string(self, string: str) -> None:
                if history is not None and len(string) <= MAX_LINE:
                    with suppress(OSError), history.open("a", encoding="utf-8") as file:
                        file.write(f"{string}\n")

        self._session: Any = PromptSession(
            history=Kept(),
            completer=Words(),
            complete_while_typing=False,
            # Ctrl-Z, as everywhere else in a shell.
            enable_suspend=True,
        )

    def read(self) -> str:
        """Return the next line."""
        line: str = self._session.prompt(PROMPT)
        return line
