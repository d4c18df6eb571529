"""The first compilation on a machine, by two processes at once: half the wait on two cores.

Compiling holds Python's lock, so threads would take turns; the cache of machine code is a folder
that both processes write to, a file for each kernel.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Final

import numpy as np

from advisor.bidding import PositionDeals, Seating
from advisor.contracts import Table, Worth
from advisor.engines import simulated_values
from advisor.game.cards import Hand
from advisor.game.conventions import check_convention
from advisor.game.position import read_position
from advisor.game.rules import Rules
from advisor.kernels import _jit, signals
from advisor.playing import Predictor, load_kernels, rule_array

_ANY_HAND: Final = "AATKQJ.AK.QJ.T9"
_EVERY_SECONDS: Final = 0.5


def compile_kernels(engine: str | None = None) -> None:
    """Compile what advice on a hand runs, as far as it is not in the cache.

    Parameters
    ----------
    engine : str, optional
        As in `advise`.

    >>> compile_kernels("policy")
    """
    child = None
    if _jit.cache_directory() is not None and (os.cpu_count() or 1) > 1 and sys.executable:
        # What it cannot do, for whatever reason, is done here later.
        with suppress(OSError):
            child = subprocess.Popen(
                [sys.executable, "-m", "advisor.compiling", str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl-C at a prompt stops an answer, not this; it ends with its parent.
                process_group=None if sys.platform == "win32" else 0,
            )
    predictor = Predictor.of(Rules(), engine, False)
    _compile_auction()
    if predictor.engine != "policy":
        # The other half: what judges tricks takes as long as the auction, both as long as rounds.
        simulated_values(np.zeros((0, 4), dtype=np.uint64), predictor.rules, predictor.engine)
    if child is not None:
        child.wait()
    load_kernels(predictor)
    _compile_reading()


def _compile_auction() -> None:
    """Compile the kernels that deal by the calls and bid hands out."""
    rules = Rules()
    position = read_position(rules, None, None, None)
    seating = Seating.of(rules, position.seat, check_convention(None, rules))
    PositionDeals(Hand.parse(_ANY_HAND), position, rules, seating, 0, True).take(1)
    Table(position, rules, seating, Worth(rules, None)).bid_out([])


def _compile_reading() -> None:
    """Compile the kernel that says what calls tell."""
    rules = Rules()
    nothing = np.zeros(0, dtype=np.uint64)
    weights = Seating.of(rules, 1, check_convention(None, rules)).weights
    signals.quantities(nothing, 0, rule_array(rules), weights, np.zeros(0, dtype=np.int64))


def _leave_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY_SECONDS)
    os._exit(1)


def main() -> None:
    """Compile the kernels of rounds and of what calls tell; the argument is who waits for it."""
    # On Windows a process keeps the number of a parent that is gone.
    if sys.platform != "win32":
        # Told and not looked up: the parent may have ended before this line.
        parent = int(sys.argv[1])
        threading.Thread(target=_leave_with_parent, args=(parent,), daemon=True).start()
    load_kernels(Predictor.of(Rules(), "policy", False))
    _compile_reading()


if __name__ == "__main__":
    main()
