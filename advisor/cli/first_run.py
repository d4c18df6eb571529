"""Compiling before an answer: what is said about it, and doing it."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Final

from advisor.cli.shell import one_line
from advisor.progress import duration, ticking
from advisor.terminal import Terminal, write_err

COMPILING: Final = "Compiling what this needs, once for this machine"
COMPILING_EVERY_TIME: Final = "Compiling, as in every run, for no cache can be written"


def compile_first(names: Collection[str], quiet: bool, verbose: bool = False) -> bool:
    """Compile the entry points that are not in the cache, after saying so.

    Whatever else turns out not to be there, such as a damaged file, is told when it is met.

    Parameters
    ----------
    names : collection of str
        What a command is about to call: `advisor.compiling.needed_entries`.
    quiet : bool
        Whether nothing is said.
    verbose : bool
        Whether it is also said that the usual place for machine code cannot be written.

    Returns
    -------
    bool
        Whether anything had to be compiled.
    """
    from advisor.compiling import compile_entries, missing_entries
    from advisor.kernels import _jit

    missing = missing_entries(names)
    _jit.tell_of_compiling(None)
    if missing and not quiet:
        write_err(compiling_text(missing))
        home, directory = _jit.unwritable_home(), _jit.cache_directory()
        if verbose and directory is not None and home is not None:
            write_err(one_line(f"{home} cannot be written: machine code is kept in {directory}."))
    if missing:

        def so_far(seconds: float) -> str:
            there = _jit.cached_entries()
            done = sum(name in there for name in missing)
            return f"{duration(seconds)}: {done} of {len(missing)} parts compiled"

        with ticking(Terminal.detect().stderr_tty and not quiet, so_far):
            compile_entries(missing)
    elif not quiet:
        _jit.tell_of_compiling(lambda: write_err(f"{COMPILING}."))
    return bool(missing)


def compiling_text(names: Collection[str]) -> str:
    """Return the line about entry points that are about to be compiled."""
    from advisor.compiling import expected_seconds
    from advisor.kernels import _jit

    said = COMPILING if _jit.cache_directory() is not None else COMPILING_EVERY_TIME
    return f"{said}: {at_least(expected_seconds(names))}."


def at_least(seconds: float) -> str:
    """Return in words how long something takes that takes longer on a busy machine.

    >>> at_least(3.2), at_least(21), at_least(58)
    ('some seconds', '25 seconds or more', 'a minute or more')
    """
    if seconds <= 5:
        return "some seconds"
    fives = 5 * math.ceil(seconds / 5)
    return "a minute or more" if fives >= 60 else f"{fives} seconds or more"
