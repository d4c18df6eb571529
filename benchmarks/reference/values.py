"""What a card is worth in an open world: exact late in the deal, an evaluator before that.

Values are in hundredths of a point, of seats 0 and 2, from the cards on the table and in hand.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels import doubledummy, lite
from advisor.kernels._jit import helper
from advisor.kernels.guide import COUNTER_UNITS
from advisor.kernels.packed import N_COUNTERS, RULE_HEADING, U0, remove
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


@helper
def early_value(
    hands: Array,
    leader: int,
    table: Array,
    n_table: int,
    rules: Array,
    settings: Array,
    judge: lite.Workspace,
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
    judge : tuple
        From `lite.new_workspace`.

    Returns
    -------
    int
        Hundredths of a point of seats 0 and 2.
    """
    value = lite.lite_value(
        hands, leader, table, n_table, settings[LITE_TRICKS], rules[RULE_HEADING], judge
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
    solver: doubledummy.Workspace,
    judge: lite.Workspace,
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
    solver, judge : tuples
        From `doubledummy.new_workspace` and `lite.new_workspace`.
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
        return won + COUNTER * doubledummy.value_within(
            hands, leader, table, n_table, 0, N_COUNTERS, first, heading, 0, solver
        )
    return won + early_value(hands, leader, table, n_table, rules, settings, judge)
