"""The Python door to the kernels: validation, seeds, blocks and threads in, outcomes out.

The same (hand, seed, sample index) is the same deal under every trump, for any number of threads
and any block size, so estimates for different trumps and bids are paired.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from advisor.errors import HandError
from advisor.game.cards import HAND_SIZE, Hand, Suit
from advisor.game.rules import Rules, check_rules
from advisor.game.settings import show
from advisor.limits import (
    MAX_SAMPLES,
    MAX_SEED,
    MAX_THREADS,
    check_whole,
)
from advisor.playing import Outcomes, Predictor, deal_packed, play_all

Array = np.ndarray[Any, Any]


def check_hand(hand: Hand) -> None:
    """Raise `HandError` unless it is a hand of twelve cards."""
    if not isinstance(hand, Hand):
        raise HandError(f"expected a Hand, as Hand.parse makes it from text, found {show(hand)}")
    if len(hand) != HAND_SIZE:
        raise HandError(f"hand has {len(hand)} cards, expected {HAND_SIZE}: {hand}")


def available_threads() -> int:
    """Return the number of processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def worker_pool(threads: int | None = None) -> Iterator[Executor]:
    """Yield a pool of threads for `simulate`, the number of processors by default.

    On an error or Ctrl-C blocks not yet begun are dropped, and those running are not waited for.

    >>> with worker_pool(2) as pool:
    ...     pool.submit(len, "abc").result()
    3
    """
    count = available_threads() if threads is None else threads
    pool = ThreadPoolExecutor(max_workers=check_whole("threads", count, 1, MAX_THREADS))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def simulate(
    hand: Hand,
    trump: Suit,
    *,
    samples: int,
    first: int = 0,
    seed: int = 0,
    rules: Rules | str | None = None,
    engine: str | None = None,
    raw: bool = False,
    executor: Executor | None = None,
    block: int | None = None,
) -> Outcomes:
    """Play sampled deals with `hand` as declarer in one trump.

    Parameters
    ----------
    hand : Hand
        Twelve cards.
    trump : int
        Suit 0..3.
    samples : int
        Number of deals, each played three times.
    first : int, optional
        Index of the first deal, to go on where an earlier call stopped.
    seed : int, optional
        0 to 2**64 - 1. Together with the hand and a deal's index it fixes that deal.
    rules : Rules or str, optional
        House rules, or the name of a preset; `cardgames` by default.
    engine : str, optional
        How tricks are found: ``policy``, ``lite`` or ``exact``; `default_engine` by default.
    raw : bool, optional
        Whether to leave out the correction to real play.
    executor : concurrent.futures.Executor, optional
        Where blocks run; in this thread by default.
    block : int, optional
        Deals to a block. The outcomes do not depend on it.

    Returns
    -------
    Outcomes

    Raises
    ------
    HandError, OptionError
        If an argument is outside its range.

    >>> outcomes = simulate(Hand.parse("AATKQJ.AK.QJ.T9"), 0, samples=4, seed=1)
    >>> outcomes.score.shape, bool((outcomes.our_tricks <= 250).all())
    ((4, 3), True)
    """
    rules = check_rules(rules)
    check_hand(hand)
    predictor = Predictor.of(rules, engine, raw)
    check_whole("trump", trump, 0, 3)
    check_whole("samples", samples, 1, MAX_SAMPLES)
    check_whole("first", first, 0, 2**62)
    check_whole("seed", seed, 0, MAX_SEED)
    if block is not None:
        check_whole("block", block, 1, MAX_SAMPLES)
    deals = deal_packed(hand.packed, samples=samples, first=first, seed=seed)
    trumps = np.full(len(deals), trump, dtype=np.int64)
    return play_all(deals, trumps, predictor, executor, block)
