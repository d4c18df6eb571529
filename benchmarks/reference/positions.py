"""Doors to the steps of a decision: what a seat knows, and the worlds that it draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import popcount
from advisor.kernels.meldscore import meld_tables
from advisor.kernels.packed import U1, U2, remove
from reference.compiled import entry
from reference.knowledge import N_WORDS, SEAT, begin, look, n_played, note_play
from reference.player import stream_of_decision
from reference.worlds import draw_world, make_plan, plan_worlds

Array = np.ndarray[Any, Any]


@entry
def look_at(
    deal: Array,
    passed: Array,
    shown: Array,
    points: Array,
    legs: Array,
    trace: Array,
    rules: Array,
    words: Array,
    facts: Array,
) -> None:
    """Write what the seat to play knows after some plays of a deal.

    Parameters
    ----------
    deal, passed, shown, points, legs : arrays
        One deal, as `reference.player.play_deals` takes them.
    trace : uint8 array, shape (n_played,)
        Card types played so far.
    rules : int64 array
    words, facts : arrays, shapes (N_WORDS,) and (N_FACTS,)
        The record, modified in place.
    """
    public = np.empty(N_WORDS, dtype=np.uint64)
    hands = deal.copy()
    begin(shown, points, legs, np.int64(popcount(deal[0])), public, facts)
    for i in range(len(trace)):
        card = U1 << (U2 * np.uint64(trace[i]))
        seat = facts[SEAT]
        hands[seat] = remove(hands[seat], card)
        note_play(card, rules, public, facts)
    seat = facts[SEAT]
    look(public, facts, hands[seat], passed[seat], meld_tables(rules), words)


@entry
def draw_worlds(
    words: Array,
    facts: Array,
    rules: Array,
    max_tries: int,
    key: np.uint64,
    out: Array,
    tally: Array,
) -> int:
    """Draw worlds from a record, the same as the decision does; return the number of splits.

    Parameters
    ----------
    words, facts : arrays
        The record of the seat to play.
    rules : int64 array
    max_tries : int
        Tries for a world that fits the melds.
    key : uint64
        Key of the deal's random streams.
    out : uint64 array, shape (n_worlds, 4)
        Cards in hand by seat, modified in place.
    tally : int64 array, shape (N_TALLY,)
        Added up in place.
    """
    melds = meld_tables(rules)
    plan = make_plan()
    rng = np.empty(1, dtype=np.uint64)
    rng[0] = stream_of_decision(key, facts[SEAT], n_played(words))
    n_splits = plan_worlds(words, facts, plan)
    if n_splits > 0:
        for i in range(len(out)):
            draw_world(words, facts, melds, max_tries, plan, n_splits, rng, out[i], tally)
    return n_splits
