"""Rules of bidding against each other: duplicate deals, both directions.

Every deal is bid and played twice, the second time with the sides exchanged; its value is the mean
of both, so that identical rules come to exactly zero. A deal's cards follow from the seed and its
number alone, and deals are counted in their order: the same seed gives the same table for any
number of threads and any size of the blocks in which they are played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

import numpy as np

from advisor import __version__
from advisor.bidding import auction_array
from advisor.errors import OptionError
from advisor.game.rules import Rules, check_rules
from advisor.kernels import league as kernel
from advisor.kernels._jit import kernel_fingerprint
from advisor.league_tally import Tally
from advisor.limits import MAX_DEALS, MAX_SEED, check_whole
from advisor.playing import Predictor
from advisor.resume import Resume
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.names import SIMULATING
from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.rule import Rule
from advisor.tables import Rounds, Table

Array = np.ndarray[Any, Any]

# A tenth of a second of work, or a third where a rule deals the unseen cards itself.
BLOCK_DEALS: Final = 512
SIMULATING_DEALS: Final = 32
# Blocks for each thread that are begun before they are needed.
_AHEAD: Final = 3
_KEEP_SECONDS: Final = 5.0
PILOT_DEALS: Final = 256
_PILOT_SEED: Final = 9


@dataclass(frozen=True, slots=True)
class League:
    """The rules of bidding, the house, and how contracts are played.

    Parameters
    ----------
    entrants : tuple of Rule
    rules : Rules
    seed : int
    engine : str
        Of the play: ``policy``, ``lite`` or ``exact``.
    """

    entrants: tuple[Rule, ...]
    rules: Rules
    seed: int = 0
    engine: str = "policy"

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        rules: Rules | str | None = None,
        seed: int = 0,
        engine: str = "policy",
    ) -> League:
        """Return the league of named rules of bidding.

        Raises
        ------
        OptionError
            If there is no such rule of bidding or engine, or the seed is out of range.

        >>> len(League.of(["b1", "b7a", "b10"]).pairs)
        3
        """
        house = check_rules(rules)
        check_whole("seed", seed, 0, MAX_SEED)
        Predictor.of(house, engine, False)
        return cls(tuple(rule_of(name) for name in names), house, seed, engine)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each two entrants, by number."""
        return list(combinations(range(len(self.entrants)), 2))

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants."""
        return tuple(rule.name for rule in self.entrants)

    @property
    def block(self) -> int:
        """Deals that are played at a time."""
        if self.engine == "exact":
            return 1
        return SIMULATING_DEALS if SIMULATING.intersection(self.names) else BLOCK_DEALS

    def play(self, deals: range) -> Array:
        """Bid and play some deals, each pair in both directions.

        Returns
        -------
        int16 array, shape (n_pairs, n_deals, 2, N_RECORD)
            The ``RECORD_`` columns of `advisor.kernels.league`. In the first direction the first
            rule has the seat on dealer's left and the one across.
        """
        predictor = Predictor.of(self.rules, self.engine, False)
        judged = _pilot(self.rules, "lite" if self.engine == "exact" else self.engine)
        table = Table.at(deals, self.seed, self.rules, predictor, judged=judged)
        hands = Hands(table.hands.ravel(), self.rules, self.seed)
        looks = [look_of(rule, hands) for rule in self.entrants]
        habits = [rule.habits.as_array() for rule in self.entrants]
        records = np.zeros((len(self.pairs), len(deals), 2, kernel.N_RECORD), dtype=np.int16)
        for pair, (a, b) in enumerate(self.pairs):
            for direction, (one, two) in enumerate(((a, b), (b, a))):
                played = run_table(table, looks[one], looks[two], habits[one], habits[two])
                record = records[pair, :, direction]
                record[:, kernel.RECORD_A] = played.points[:, direction]
                record[:, kernel.RECORD_B] = played.points[:, 1 - direction]
                side = (played.declarer + direction) & 1
                nobody = played.declarer < 0
                record[:, kernel.RECORD_DECLARED] = np.where(
                    nobody, kernel.NOBODY, kernel.BY_A + side
                )
                record[:, kernel.RECORD_CONTRACT] = played.contract
                record[:, kernel.RECORD_MADE] = played.made
        return records

    def settings(self) -> dict[str, Any]:
        """Return what decides the result, for the file of an unfinished league.

        The kernels are in it, so that counts are never mixed up with those of another version.
        """
        return {
            "command": "league",
            "rules-of-bidding": list(self.names),
            "rules": self.rules.as_settings(),
            "seed": self.seed,
            "engine": self.engine,
            "version": __version__,
            "kernels": kernel_fingerprint(),
        }


def look_of(rule: Rule, hands: Hands) -> Array:
    """Return limit and trump of every hand of whole deals, int64, shape (n_deals, 4, 2)."""
    return np.stack(rule.look(hands), axis=1).reshape(-1, 4, 2)


@lru_cache(maxsize=8)
def _pilot(rules: Rules, engine: str) -> Array:
    """Return rounds by which a declarer judges whether to throw in."""
    predictor = Predictor.of(rules, engine, False)
    table = Table.at(range(PILOT_DEALS), _PILOT_SEED, rules, predictor)
    hands = Hands(table.hands.ravel(), rules)
    trumps = look_of(rule_of("advisor"), hands)[:, 0, kernel.LOOK_TRUMP]
    return table.outcomes(np.zeros(PILOT_DEALS, dtype=np.int64), trumps)


def run_table(
    table: Table, first: Array, second: Array, first_habits: Array, second_habits: Array
) -> Rounds:
    """Bid out and play a table's deals, the first rule in seats 0 and 2.

    Parameters
    ----------
    table : Table
    first, second : int64 arrays, shape (n_deals, 4, 2)
        From `look_of`.
    first_habits, second_habits : int64 arrays, shape (N_HABITS,)
    """
    looks = first.copy()
    looks[:, 1::2] = second[:, 1::2]
    n = table.count
    declarers, contracts, lengths = np.zeros((3, n), dtype=np.int64)
    kernel.bid_at_tables(
        looks,
        np.stack([first_habits, second_habits]),
        auction_array(table.rules),
        declarers,
        contracts,
        np.zeros((n, 0, 3), dtype=np.int64),
        lengths,
    )
    trumps = np.where(declarers >= 0, looks[np.arange(n), declarers, kernel.LOOK_TRUMP], 0)
    return table.play_out(declarers, contracts, trumps)


def play_league(
    league: League,
    deals: int,
    *,
    executor: Executor | None = None,
    resume: str | None = None,
    progress: Callable[[int], None] | None = None,
    tally: Tally | None = None,
    block: int | None = None,
) -> Tally:
    """Play a league's deals.

    Parameters
    ----------
    league : League
    deals : int
    executor : concurrent.futures.Executor, optional
        Where blocks run; in this thread by default.
    resume : str, optional
        A file in which what is counted is kept, and from which it goes on.
    progress : callable, optional
        Is told how many deals are done.
    tally : Tally, optional
        An empty one to count in, for a caller who may be interrupted.
    block : int, optional
        Deals to a block. The result does not depend on it.

    Returns
    -------
    Tally

    Raises
    ------
    OptionError
        If the number of deals is out of range, or the file is of another league.

    >>> play_league(League.of(["b1", "b7a"]), 40).deals
    40
    """
    check_whole("deals", deals, 1, MAX_DEALS)
    counted = Tally(league.names, league.rules) if tally is None else tally
    file = None if resume is None else Resume(resume, league.settings())
    work = None if file is None else file.load()
    if work is not None and not counted.restore(work):
        raise OptionError(f"resume: expected the counts of a league, found others in {resume}")
    size = league.block if block is None else block
    blocks = [range(first, min(first + size, deals)) for first in range(counted.deals, deals, size)]
    kept = time.monotonic()
    try:
        for records in _in_order(league.play, blocks, executor):
            counted.add(records)
            if progress is not None:
                progress(counted.deals)
            if file is not None and time.monotonic() > kept + _KEEP_SECONDS:
                file.save(counted.as_work())
                kept = time.monotonic()
    finally:
        if file is not None and counted.deals:
            file.save(counted.as_work())
    return counted


def _in_order(
    play: Callable[[range], Array], blocks: list[range], executor: Executor | None
) -> Iterator[Array]:
    """Yield what is played of each block, in their order, some of it ahead of time."""
    if executor is None:
        yield from map(play, blocks)
        return
    ahead = _AHEAD * getattr(executor, "_max_workers", 1)
    pending: list[Future[Array]] = []
    for deals in blocks:
        pending.append(executor.submit(play, deals))
        if len(pending) >= ahead:
            yield pending.pop(0).result()
    for future in pending:
        yield future.result()
