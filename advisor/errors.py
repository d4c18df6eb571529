"""Errors a user can cause. The command line turns them into one line and an exit code."""

from __future__ import annotations

import errno
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class ExitCode(IntEnum):
    """Exit codes of every command, listed in the README.

    A named file that cannot be read is wrong usage, whatever it was to hold; a file that cannot be
    written is a failure.
    """

    OK = 0
    FAILURE = 1
    USAGE = 2
    BAD_LINES = 3
    INTERRUPTED = 130


class AdvisorError(ValueError):
    """Base class: the message is one line saying what was expected, what was found and where."""


class HandError(AdvisorError):
    """A hand that cannot be read, or cannot exist."""


class RulesError(AdvisorError):
    """A house rule or a convention that is unknown, impossible, or contradicts another."""


class AuctionError(AdvisorError):
    """A call that is not legal where it was made."""


class OptionError(AdvisorError):
    """A setting outside its range: samples, seed, threads, precision, bids."""


def unreadable(path: str, error: OSError) -> str:
    """Return the message about a named file that cannot be read.

    >>> unreadable("hands.txt", FileNotFoundError(2, "No such file or directory"))
    'hands.txt: cannot read the file: No such file or directory'
    """
    return f"{path}: cannot read the file: {error.strerror or error}"


def named(error: OSError, path: str | Path | None, more: str = "") -> OSError:
    """Return an error with the name of its file, where it is of one.

    >>> str(named(OSError(28, "No space left on device"), "bad.csv"))
    "[Errno 28] No space left on device: 'bad.csv'"
    """
    reason = f"{error.strerror or error}{more}"
    if path is None:
        return OSError(reason)
    # By that number command lines know that nobody reads their output, and end without a word.
    number = None if error.errno == errno.EPIPE else error.errno
    return OSError(number, reason, str(path))
