"""What a card is worth in an open world: exact late in the deal, an evaluator before that.

Values are in hundredths of a point, of seats 0 and 2, from the cards on the table and in hand.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.ddnode import FRAME, MOVES, WORDS
from advisor.kernels.ddstate import COUNTER_PAIRS, fill_codes, fill_shares
from advisor.kernels.doubledummy import MAX_DEPTH, search
from advisor.kernels.guide import COUNTER_UNITS, MAX_HIDDEN, N_CLOSED, Weights, fill_closed
from advisor.kernels.lite import FRAMES, N_MASKS, N_NUMBERS, lite_value
from advisor.kernels.packed import COUNTERS, RULE_HEADING, U0, remove
from advisor.kernels.tricks import trick_so_far
from reference.knowledge import LEADER, N_TABLE, SEAT, SIZE, TABLE, trick_points

Array = np.ndarray[Any, Any]

# Hundredths of a point in a point, and in a counter: cards count 10 or nothing here.
POINT: Final = 100
COUNTER: Final = 1000

# Settings of the players: cards in hand from which values are exact, tricks that `lite` looks ahead
# before that, and tries for a world that fits the melds. Then by seat the worlds a decision; a
# seat without worlds plays by the policy.
EXACT_FROM, LITE_TRICKS, MAX_TRIES, WORLDS = range(4)
N_SETTINGS: Final = WORLDS + 4

# The name of `early_value`, kept in files of results.
EVALUATOR: Final = "lite"

Solver = tuple[Array, ...]
Judge = tuple[Any, ...]


@helper
def make_solver(classes: Array, states: Array) -> Solver:
    """Return what `doubledummy.search` works with; `states` is its table."""
    codes = np.zeros((4, 64), dtype=np.int64)
    fill_codes(codes)
    shares = np.zeros(12, dtype=np.int64)
    fill_shares(shares)
    return (
        codes,
        shares,
        classes,
        states,
        np.zeros((MAX_DEPTH + 1) * FRAME, dtype=np.int64),
        np.zeros((MAX_DEPTH + 1) * WORDS, dtype=np.uint64),
        np.zeros((MAX_DEPTH + 1) * MOVES, dtype=np.uint64),
        np.empty(4, dtype=np.uint64),
        np.zeros(8, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@helper
def make_judge(weights: Weights) -> Judge:
    """Return what `lite_value` works with."""
    closed = np.empty(N_CLOSED, dtype=np.uint64)
    fill_closed(closed)
    return (
        weights,
        closed,
        np.zeros((FRAMES, N_NUMBERS), dtype=np.int64),
        np.zeros((FRAMES, N_MASKS), dtype=np.uint64),
        np.empty(4, dtype=np.uint64),
        np.empty((4, MAX_HIDDEN), dtype=np.int32),
        np.empty(24, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@helper
def exact_counters(
    hands: Array, leader: int, table: Array, n_table: int, guess: int, heading: int, solver: Solver
) -> int:
    """Return the counters that seats 0 and 2 take under perfect open play.

    Parameters
    ----------
    hands : uint64 array, shape (4,)
        Cards in hand, without those on the table; not changed.
    leader : int
        Who leads this trick, or led it.
    table : uint64 array, shape (4,)
        Card bits on the table, of which `n_table` count.
    guess : int
        Where to begin; any number will do.
    heading : int
    solver : tuple of arrays
        From `make_solver`.
    """
    codes, shares, classes, states, frames, words, moves, left, halves, counts = solver
    total = 1
    for seat in range(4):
        total += np.int64(popcount(hands[seat] & COUNTER_PAIRS))
    for i in range(n_table):
        if table[i] & COUNTERS:
            total += 1
    low, high = 0, total
    need = min(max(guess, 1), total)
    while low < high:
        value = search(
            hands,
            leader,
            table,
            n_table,
            need,
            heading,
            codes,
            shares,
            classes,
            states,
            0,
            frames,
            words,
            moves,
            left,
            halves,
            counts,
        )
        if value >= need:
            low = value
            need = value + 1
        else:
            high = value
            need = value
    return low


@helper
def early_value(
    hands: Array,
    leader: int,
    table: Array,
    n_table: int,
    rules: Array,
    settings: Array,
    judge: Judge,
) -> int:
    """Return the value of an open position early in the deal: the one evaluator to exchange.

    Parameters
    ----------
    hands : uint64 array, shape (4,)
        Cards in hand, without those on the table.
    leader : int
        Who leads this trick, or led it.
    table : uint64 array, shape (4,)
        Card bits on the table, of which `n_table`, 0 to 3, count.
    rules, settings : int64 arrays
    judge : tuple of arrays
        From `make_judge`.

    Returns
    -------
    int
        Hundredths of a point of seats 0 and 2.
    """
    weights, closed, stack, masks, moved, layers, scores, counts = judge
    value = lite_value(
        hands,
        leader,
        table,
        n_table,
        settings[LITE_TRICKS],
        rules[RULE_HEADING],
        weights,
        closed,
        stack,
        masks,
        moved,
        layers,
        scores,
        counts,
    )
    return value * COUNTER // COUNTER_UNITS


@helper
def value_of_card(
    card: np.uint64,
    world: Array,
    words: Array,
    facts: Array,
    rules: Array,
    settings: Array,
    guess: int,
    solver: Solver,
    judge: Judge,
    hands: Array,
    table: Array,
) -> int:
    """Return the value of a card that the seat to play may play, in one world.

    Parameters
    ----------
    card : uint64
    world : uint64 array, shape (4,)
        Cards in hand by seat.
    words, facts : arrays
        The record of the seat.
    rules, settings : int64 arrays
    guess : int
        A guess at the value, in hundredths.
    solver, judge : tuples of arrays
    hands, table : uint64 arrays, shape (4,)
        Scratch, modified in place.
    """
    seat = facts[SEAT]
    leader = facts[LEADER]
    n_table = facts[N_TABLE]
    heading = rules[RULE_HEADING]
    for i in range(4):
        hands[i] = world[i]
        table[i] = words[TABLE + i]
    hands[seat] = remove(hands[seat], card)
    table[n_table] = card
    n_table += 1
    won = 0
    if n_table == 4:
        leader = trick_so_far(table, 4, leader)[3]
        if (leader & 1) == 0:
            won = POINT * trick_points(table, rules)
            if hands[seat] == U0:
                won += COUNTER
        n_table = 0
    if facts[SIZE + seat] <= settings[EXACT_FROM]:
        if n_table == 0 and hands[seat] == U0:
            return won
        first = (guess - won) // COUNTER
        return won + COUNTER * exact_counters(hands, leader, table, n_table, first, heading, solver)
    return won + early_value(hands, leader, table, n_table, rules, settings, judge)
