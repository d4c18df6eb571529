"""What each command has to compile, and compiling it by several processes at once.

Numba compiles a kernel where it is first called and keeps its machine code in a cache. A run that
does not find its kernels there should say so before it is silent for half a minute, so the entry
points that commands call are named here, with the seconds that each takes. Compiling holds
Python's lock, so threads would take turns; the cache is a folder that processes share, with files
of its own for each entry point. Neither numpy nor numba is imported until something is compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

_EVERY_SECONDS: Final = 0.5
# Another process has to import numba too, and what the kernels are made of.
_START_SECONDS: Final = 1.5
# Each takes some 200 MB, and most of the seconds are those of few entry points.
_MOST_PROCESSES: Final = 4
# What another process runs: it finds modules where this one does, and not first in the folder that
# somebody happens to be in, as ``-m`` would.
_PROGRAM: Final = "import sys; sys.path[:] = {path}; from advisor.compiling import main; main()"


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """What is known about an entry point without loading it.

    Parameters
    ----------
    alone : float
        Seconds that compiling it takes in a process of its own, on one core of the machine of
        benchmarks/results/first_minutes.md.
    beside : float
        Seconds that it takes after others of its family, which are made of the same helpers.
    family : str
        Which those are.
    arguments : str
        The types that it is called with. A capital and a number are an array and its dimensions,
        after ``r`` a read-only one; a small letter is a single number. ``I`` is int64, ``L``
        int32, ``H`` int16, ``C`` int8, ``U`` uint64, ``N`` uint8, ``B`` bool, ``F`` float64.
        ``returns`` stands for `advisor.returning.return_tables`, ``guide`` for
        `advisor.guide.guide_weights`.
    """

    alone: float
    beside: float
    family: str
    arguments: str


ENTRY_POINTS: Final = {
    "bidding.bid_out": EntryPoint(5.4, 1.3, "bidding", "i I2 I2 I3 I1 I2 I3 C2 H2"),
    "doubledummy.solve_deals": EntryPoint(12.1, 10.7, "solver", "U2 I1 I1 U2 I1 I2 i rH1 U2 i I2"),
    "exchange.exchange_hands": EntryPoint(12.4, 1.2, "rounds", "U1 U1 I1 I1 I1 returns U1 U2"),
    "hidden.deal_hidden": EntryPoint(3.7, 0.9, "rounds", "u u u i I1 u i i U2 U1 U1 I1"),
    "league.bid_at_tables": EntryPoint(2.6, 0.8, "bidding", "I3 I2 I1 I1 I1 I3 I1"),
    "league.play_games": EntryPoint(0.9, 0.4, "bidding", "H3 i i b I2 I1"),
    "lite.lite_deals": EntryPoint(11.7, 11.7, "lite", "U2 I1 I1 U2 I1 i i guide I2"),
    "meldscore.meld_all_trumps": EntryPoint(2.2, 0.4, "rounds", "U1 I1 H2"),
    "play.play_deals": EntryPoint(3.2, 1.2, "rounds", "U2 I1 I1 I1 I2 N2"),
    "positions.deal_positions": EntryPoint(
        12.4, 7.2, "bidding", "u u i i i I2 b i I1 I1 I2 I3 rI1 U2 U1 U1 I3"
    ),
    "pricing.price_rounds": EntryPoint(1.6, 1.5, "pricing", "H1 H1 H1 H1 H1 H1 I1 L2 F2"),
    "pricing.score_auctions": EntryPoint(0.8, 0.3, "pricing", "C1 H1 C1 L3 F3 I1 L2 B1"),
    "pricing.score_bids": EntryPoint(0.7, 0.7, "pricing", "L2 F2 I1 I2 L3 B2"),
    "rounds.deal_rounds": EntryPoint(2.0, 0.7, "rounds", "u u i U2 U1 U1"),
    "rounds.play_rounds": EntryPoint(
        20.0, 4.4, "rounds", "U2 U1 U1 I1 U1 U1 I1 I1 returns U2 H2 U2"
    ),
    "signals.look_at_hands": EntryPoint(5.2, 0.4, "bidding", "U1 I1 I3 rI1 I2"),
    "signals.quantities": EntryPoint(3.7, 0.5, "bidding", "U1 i I1 rI1 I1"),
    "tables.bid_tables": EntryPoint(4.7, 2.7, "bidding", "I3 I1 I2 I3 B1 I2 I2"),
    "tables.deal_tables": EntryPoint(1.7, 1.0, "bidding", "U1 u i U2 U1 I2"),
    "tricks.legal_after": EntryPoint(1.1, 0.4, "rounds", "u u U1 i U1"),
    "valuation.value_hands": EntryPoint(3.0, 0.3, "bidding", "U1 I1 rI1 I2"),
}
# Compiled along with another though not yet needed: later they would take ten times as long.
_ALONG: Final = {
    "rounds.play_rounds": (
        "exchange.exchange_hands", "hidden.deal_hidden", "rounds.deal_rounds",
    ),
}  # fmt: skip
_ENGINES: Final[dict[str, tuple[str, ...]]] = {
    "policy": (),
    "lite": ("lite.lite_deals",),
    "exact": ("lite.lite_deals", "doubledummy.solve_deals"),
}
_PRICES: Final = ("pricing.price_rounds", "pricing.score_bids")
_VALUES: Final = ("signals.look_at_hands", "signals.quantities", "valuation.value_hands")
_COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    # With what reads the calls: hardly a hand is asked about without its auction for long.
    "bid": (
        "positions.deal_positions", "bidding.bid_out", "rounds.play_rounds", *_PRICES,
        "pricing.score_auctions", *_VALUES,
    ),
    "pass": (
        "rounds.deal_rounds", "valuation.value_hands", "exchange.exchange_hands",
        "rounds.play_rounds",
    ),
    "return": ("hidden.deal_hidden", "exchange.exchange_hands", "rounds.play_rounds"),
    "league": (
        "tables.deal_tables", "valuation.value_hands", "meldscore.meld_all_trumps",
        "league.bid_at_tables", "league.play_games", "rounds.play_rounds", *_PRICES,
    ),
    "jumps": (
        "tables.deal_tables", "tables.bid_tables", "bidding.bid_out", "rounds.play_rounds",
        *_PRICES, *_VALUES,
    ),
    # A rule of bidding that plays against them; some sample.
    "opponents": ("meldscore.meld_all_trumps", "rounds.deal_rounds"),
}  # fmt: skip


def needed_entries(command: str, engine: str | None = None) -> tuple[str, ...]:
    """Return the entry points that a command calls.

    Parameters
    ----------
    command : str
        ``bid``, ``pass``, ``return``, ``league``, ``jumps``; ``opponents`` for rules of bidding
        that sample or play against jumps; ``all`` for everything.
    engine : str, optional
        ``policy``, ``lite`` (the default) or ``exact``.

    >>> needed_entries("return", "policy")
    ('hidden.deal_hidden', 'exchange.exchange_hands', 'rounds.play_rounds')
    """
    if command == "all":
        return tuple(ENTRY_POINTS)
    return (*_COMMANDS[command], *_ENGINES[engine or "lite"])


def entries_to_solve(engine: str, cards: int, line: bool) -> tuple[str, ...]:
    """Return the entry points that `advisor solve` calls for a deal of so many cards a seat.

    >>> entries_to_solve("policy", 12, line=False)
    ('play.play_deals',)
    """
    from advisor.engines import EXACT_CARDS

    if engine == "policy":
        return ("play.play_deals",)
    few = cards <= EXACT_CARDS
    names = [] if few else ["lite.lite_deals"]
    if few or engine == "exact":
        names += ["doubledummy.solve_deals"]
        # What the policy takes is the first guess where few cards are left.
        names += ["play.play_deals"] * (few or line) + ["tricks.legal_after"] * line
    return tuple(names)


def missing_entries(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some entry points that have no machine code in the cache.

    With them come those that should be compiled along with one of them, if that can be kept.

    >>> missing_entries(())
    ()
    """
    from advisor.kernels import _jit

    there = _jit.cached_entries()
    missing = dict.fromkeys(name for name in names if name not in there)
    for name in tuple(missing) if _jit.cache_directory() is not None else ():
        missing |= dict.fromkeys(more for more in _ALONG.get(name, ()) if more not in there)
    return tuple(missing)


def shares(names: Collection[str], processes: int) -> list[list[str]]:
    """Return entry points shared out so that all processes end at about the same time.

    Those of a family stay together. The first share is the longest.

    >>> shares(["signals.quantities", "rounds.play_rounds", "lite.lite_deals"], 2)
    [['rounds.play_rounds'], ['lite.lite_deals', 'signals.quantities']]
    """
    families: dict[str, list[str]] = {}
    # What takes longest alone has most of the helpers.
    for name in sorted(names, key=lambda name: -ENTRY_POINTS[name].alone):
        families.setdefault(ENTRY_POINTS[name].family, []).append(name)
    found: list[list[str]] = [[] for _ in range(min(processes, len(families)))]
    for members in sorted(families.values(), key=_seconds, reverse=True):
        min(found, key=_seconds).extend(members)
    return sorted(found, key=_seconds, reverse=True)


def expected_seconds(names: Collection[str]) -> float:
    """Return how long `compile_entries` takes on an idle machine.

    >>> expected_seconds(["rounds.play_rounds"]) == ENTRY_POINTS["rounds.play_rounds"].alone
    True
    """
    parts = shares(names, _processes())
    return max(_seconds(part) + _START_SECONDS * (i > 0) for i, part in enumerate(parts))


def _seconds(names: Iterable[str]) -> float:
    """Return how long one process takes, each family having its longest first."""
    seen: set[str] = set()
    seconds = 0.0
    for name in names:
        point = ENTRY_POINTS[name]
        seconds += point.beside if point.family in seen else point.alone
        seen.add(point.family)
    return seconds


def _processes() -> int:
    from advisor.kernels import _jit
    from advisor.simulate import available_threads

    # Without a cache a process cannot give another what it compiled.
    shared = _jit.cache_directory() is not None and bool(sys.executable)
    return min(available_threads(), _MOST_PROCESSES) if shared else 1


def compile_entries(names: Collection[str]) -> None:
    """Compile entry points, by several processes where there are processors.

    >>> compile_entries(["signals.quantities"])
    """
    own, *others = shares(names, _processes()) or [[]]
    children = [child for part in others if (child := _start(part)) is not None]
    for name in own:
        _compile(name)
    for child in children:
        child.wait()


def _start(names: list[str]) -> subprocess.Popen[bytes] | None:
    """Return a process that compiles entry points, None where it cannot be started."""
    # What it cannot do, for whatever reason, is compiled where it is called.
    with suppress(OSError):
        program = _PROGRAM.format(path=ascii([part for part in sys.path if isinstance(part, str)]))
        return subprocess.Popen(
            [sys.executable, "-P", "-c", program, str(os.getpid()), *names],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C at a prompt stops an answer, not this; it ends with its parent.
            process_group=None if sys.platform == "win32" else 0,
        )
    return None


def _compile(name: str) -> None:
    """Compile one entry point for the types that it is called with, or load it from the cache."""
    module, _, function = name.partition(".")
    kernel: Any = getattr(import_module(f"advisor.kernels.{module}"), function)
    kernel.compile(argument_types(ENTRY_POINTS[name].arguments))


def argument_types(arguments: str) -> tuple[Any, ...]:
    """Return the types of numba that a description of arguments means.

    >>> argument_types("i rH2")
    (int64, Array(int16, 2, 'C', True, aligned=True))
    """
    import numba

    from advisor.guide import guide_weights
    from advisor.returning import return_tables

    # It carries no types of its own.
    compiler: Any = numba
    types = compiler.types

    numbers = {
        "I": types.int64, "L": types.int32, "H": types.int16, "C": types.int8, "U": types.uint64,
        "N": types.uint8, "B": types.boolean, "F": types.float64,
    }  # fmt: skip
    tables = {"returns": return_tables, "guide": guide_weights}
    found = []
    for word in arguments.split():
        if word in tables:
            found.append(compiler.typeof(tables[word]()))
        elif len(word) == 1:
            found.append(numbers[word.upper()])
        else:
            readonly, letter, dimensions = word[0] == "r", word[-2], int(word[-1])
            found.append(types.Array(numbers[letter], dimensions, "C", readonly=readonly))
    return tuple(found)


def _leave_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY_SECONDS)
    os._exit(1)


def main() -> None:
    """Compile entry points; the arguments are who waits for it, and their names."""
    # On Windows a process keeps the number of a parent that is gone.
    if sys.platform != "win32":
        # Told and not looked up: the parent may have ended before this line.
        parent = int(sys.argv[1])
        threading.Thread(target=_leave_with_parent, args=(parent,), daemon=True).start()
    for name in sys.argv[2:]:
        _compile(name)
