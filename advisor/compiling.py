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

from advisor.bidding import PositionDeals, Seating
from advisor.contracts import Table, Worth
from advisor.game.cards import Hand
from advisor.game.conventions import check_convention
from advisor.game.position import read_position
from advisor.game.rules import Rules
from advisor.kernels import _jit
from advisor.playing import Predictor, load_kernels

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
                [sys.executable, "-m", "advisor.compiling", engine or "", str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl-C at a prompt stops an answer, not this; it ends with its parent.
                process_group=None if sys.platform == "win32" else 0,
            )
    _compile_auction()
    if child is not None:
        child.wait()
    load_kernels(Predictor.of(Rules(), engine, False))


def _compile_auction() -> None:
    """Compile the kernels that deal by the calls and bid hands out."""
    rules = Rules()
    position = read_position(rules, None, None, None)
    seating = Seating.of(rules, position.seat, check_convention(None, rules))
    PositionDeals(Hand.parse(_ANY_HAND), position, rules, seating, 0, True).take(1)
    Table(position, rules, seating, Worth(rules, None)).bid_out([])


def _leave_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY_SECONDS)
    os._exit(1)


def main() -> None:
    """Compile the kernels of the rounds; arguments are the engine, and who waits for it."""
    # On Windows a process keeps the number of a parent that is gone.
    if sys.platform != "win32":
        # Told and not looked up: the parent may have ended before this line.
        parent = int(sys.argv[2])
        threading.Thread(target=_leave_with_parent, args=(parent,), daemon=True).start()
    load_kernels(Predictor.of(Rules(), sys.argv[1] or None, False))


if __name__ == "__main__":
    main()
