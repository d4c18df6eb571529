"""Rules of bidding against each other: duplicate deals, both directions.

Every deal is bid and played twice, the second time with the sides exchanged; its value is the mean
of both, so that identical rules come to exactly zero. Deals come in blocks whose cards follow from
the seed and the number of the block alone, and blocks are taken up in their order: the same seed
gives the same table for any number of threads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.bidding import auction_array
from advisor.errors import OptionError
from advisor.game.rules import Rules, check_rules
from advisor.kernels import league as kernel
from advisor.limits import MAX_SEED, check_whole
from advisor.playing import Predictor
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.rule import Rule
from advisor.tables import Rounds, Table

Array = np.ndarray[Any, Any]

BLOCK_DEALS: Final = 128
MAX_DEALS: Final = 10_000_000
# What is kept of a deal in either direction.
POINTS_A, POINTS_B, DECLARED, CONTRACT, MADE = range(5)
N_RECORD: Final = 5
NOBODY, BY_A, BY_B = range(3)
# Blocks that wait for a thread.
_AHEAD: Final = 4
_SCHEMA: Final = 1
_NO_TRACE: Final = (0, 3)


@dataclass(frozen=True, slots=True)
class League:
    """What was asked for: the rules of bidding, the house, how contracts are played.

    Parameters
    ----------
    entrants : tuple of Rule
    rules : Rules
    seed : int
    engine : str
        Of the play; ``policy`` by default.
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

    def play_block(self, block: int) -> Array:
        """Bid and play one block of deals.

        Returns
        -------
        int16 array, shape (n_pairs, BLOCK_DEALS, 2, N_RECORD)
            Of each direction: points of both rules, who declared, the contract, and whether it was
            made. In the first the first rule has the seat on dealer's left and the one across.
        """
        table = Table(
            BLOCK_DEALS,
            [self.seed, block],
            self.rules,
            Predictor.of(self.rules, self.engine, False),
        )
        hands = Hands(table.hands.ravel(), self.rules, self.seed)
        looks = [look_of(rule, hands) for rule in self.entrants]
        habits = [rule.habits.as_array() for rule in self.entrants]
        records = np.zeros((len(self.pairs), BLOCK_DEALS, 2, N_RECORD), dtype=np.int16)
        for pair, (a, b) in enumerate(self.pairs):
            for direction, (first, second) in enumerate(((a, b), (b, a))):
                played = run_table(
                    table, looks[first], looks[second], habits[first], habits[second]
                )
                record = records[pair, :, direction]
                record[:, POINTS_A] = played.points[:, direction]
                record[:, POINTS_B] = played.points[:, 1 - direction]
                side = (played.declarer + direction) & 1
                record[:, DECLARED] = np.where(played.declarer < 0, NOBODY, BY_A + side)
                record[:, CONTRACT] = played.contract
                record[:, MADE] = played.made
        return records


def look_of(rule: Rule, hands: Hands) -> Array:
    """Return limit and trump of every hand of whole deals, int64, shape (n_deals, 4, 2)."""
    limits, trumps = rule.look(hands)
    return np.stack([limits, trumps], axis=1).astype(np.int64).reshape(-1, 4, 2)


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
        np.zeros((n, *_NO_TRACE), dtype=np.int64),
        lengths,
    )
    trumps = np.where(declarers >= 0, looks[np.arange(n), declarers, kernel.LOOK_TRUMP], 0)
    return table.play_out(declarers, contracts, trumps)


def play_league(
    league: League,
    deals: int,
    *,
    executor: Executor | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] | None = None,
    so_far: list[Array] | None = None,
) -> Array:
    """Play a league's deals.

    Parameters
    ----------
    league : League
    deals : int
        Rounded up to whole blocks.
    executor : concurrent.futures.Executor, optional
        Where blocks run; in this thread by default.
    resume : Path, optional
        A file from which an interrupted league goes on, and in which it is kept.
    progress : callable, optional
        Is told how many deals are done.
    so_far : list of arrays, optional
        Takes the blocks as they are done, for a caller who may be interrupted.

    Returns
    -------
    int16 array, shape (n_pairs, n_deals, 2, N_RECORD)
        See `League.play_block`.

    Raises
    ------
    OptionError
        If the number of deals is out of range, or the file is of another league.
    """
    check_whole("deals", deals, 1, MAX_DEALS)
    wanted = -(-deals // BLOCK_DEALS)
    blocks = [] if so_far is None else so_far
    if resume is not None:
        blocks += load_blocks(resume, league)
    keeper = Keeper(resume, league)
    if progress is not None:
        progress(min(len(blocks), wanted) * BLOCK_DEALS)
    try:
        for records in _played(league, len(blocks), wanted, executor):
            blocks.append(records)
            keeper.keep(blocks)
            if progress is not None:
                progress(len(blocks) * BLOCK_DEALS)
    finally:
        keeper.keep(blocks, now=True)
    return np.concatenate(blocks[:wanted], axis=1)


def _played(
    league: League, first: int, wanted: int, executor: Executor | None
) -> Iterator[Array]:
    """Yield the blocks in their order, some of them computed ahead."""
    if executor is None:
        for block in range(first, wanted):
            yield league.play_block(block)
        return
    # An iterator over `executor.map` would submit all blocks at once.
    pending: list[Future[Array]] = []
    ahead = _AHEAD * getattr(executor, "_max_workers", 1)
    for block in range(first, wanted):
        pending.append(executor.submit(league.play_block, block))
        if len(pending) >= ahead:
            yield pending.pop(0).result()
    for future in pending:
        yield future.result()
