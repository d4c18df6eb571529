"""Nodes of the exact solver's search: what is kept of one, and how a card leads to the next.

A node's numbers and words lie flat in the arrays `frames` and `words`, those of the node at depth
d from ``d * FRAME`` and ``d * WORDS``; its moves likewise in `moves`. Trump is suit 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, trailing_zeros
from advisor.kernels.ddstate import canonical_key, counters_in, size_of
from advisor.kernels.ddtable import bounds_and_move, find
from advisor.kernels.packed import COUNTERS, SUIT_MASK, U0, U12, remove, suit_of_bit
from advisor.kernels.tricks import trick_so_far, winners_over

Array = np.ndarray[Any, Any]

# No value is as far from another.
FAR: Final = 99

# A node's numbers in `frames`: place in the trick; seat to play; who is winning the trick, and
# the counters in it; the question; the value so far and which move gave it; how many moves, and
# which is tried now; counters won on the way here from the node above; bounds from the table;
# counters still to be won and tricks to be played, as at the start of the trick; nodes counted
# before; place in the table.
(
    PLACE,
    SEAT,
    WINNER,
    IN_TRICK,
    NEED,
    VALUE,
    BEST_MOVE,
    N_MOVES,
    MOVE,
    GAINED,
    LOW,
    HIGH,
    TOTAL,
    TRICKS,
    NODES,
    BUCKET,
) = range(16)
FRAME: Final = 16
# Its words: the suit led, the card winning and the best of the suit led; the hand before the card
# is played; the state's name.
LED, BEST, BEST_LED, HAND, NAME_A, NAME_B = range(6)
WORDS: Final = 6
MOVES: Final = 12


@helper
def start(
    deal: Array,
    leader: int,
    table: Array,
    n_table: int,
    need: int,
    codes: Array,
    frames: Array,
    words: Array,
    hands: Array,
    halves: Array,
) -> None:
    """Set up the node at which a search begins; parameters as for `search`."""
    halves[:] = 0
    total = 1
    for seat in range(4):
        hands[seat] = deal[seat]
        total += counters_in(deal[seat])
        for half in range(8):
            halves[half] += codes[seat, (deal[seat] >> np.uint64(6 * half)) & np.uint64(63)]
    frames[PLACE] = n_table
    frames[SEAT] = (leader + n_table) & 3
    frames[NEED] = need
    frames[GAINED] = 0
    points = 0
    for i in range(n_table):
        if table[i] & COUNTERS:
            points += 1
    lead_mask, best, best_led, winner = trick_so_far(table, n_table, leader)
    words[LED] = lead_mask
    words[BEST] = best
    words[BEST_LED] = best_led
    frames[WINNER] = winner
    frames[IN_TRICK] = points
    frames[TOTAL] = total + points
    frames[TRICKS] = size_of(deal[leader]) + (1 if n_table > 0 else 0)


@helper
def play(
    frames: Array,
    f: int,
    words: Array,
    w: int,
    card: np.uint64,
    shares: Array,
    hands: Array,
    halves: Array,
) -> None:
    """Play a card at the node of frame `f` and words `w`, and set up the node below."""
    seat = frames[f + SEAT]
    place = frames[f + PLACE]
    words[w + HAND] = hands[seat]
    hands[seat] = remove(hands[seat], card)
    kind = np.int64(trailing_zeros(card)) >> 1
    halves[kind // 3] -= shares[3 * seat + kind % 3]
    points = 1 if card & COUNTERS else 0
    lead_mask = SUIT_MASK << (suit_of_bit(card) * U12)
    best = card
    best_led = card
    winner = seat
    if place > 0:
        points += frames[f + IN_TRICK]
        lead_mask = words[w + LED]
        if (card & winners_over(words[w + BEST], lead_mask)) == U0:
            best = words[w + BEST]
            winner = frames[f + WINNER]
        best_led = max(card & lead_mask, words[w + BEST_LED])
    below = f + FRAME
    if place == 3:
        tricks = frames[f + TRICKS] - 1
        frames[below + TOTAL] = frames[f + TOTAL] - points
        gained = points + (1 if tricks == 0 else 0) if (winner & 1) == 0 else 0
        frames[below + PLACE] = 0
        frames[below + SEAT] = winner
        frames[below + NEED] = frames[f + NEED] - gained
        frames[below + GAINED] = gained
        frames[below + TRICKS] = tricks
    else:
        frames[below + PLACE] = place + 1
        frames[below + SEAT] = (seat + 1) & 3
        frames[below + WINNER] = winner
        frames[below + IN_TRICK] = points
        frames[below + NEED] = frames[f + NEED]
        frames[below + GAINED] = 0
        frames[below + TOTAL] = frames[f + TOTAL]
        frames[below + TRICKS] = frames[f + TRICKS]
        words[w + WORDS + LED] = lead_mask
        words[w + WORDS + BEST] = best
        words[w + WORDS + BEST_LED] = best_led


@helper
def answer_in_table(
    frames: Array,
    f: int,
    moves: Array,
    m: int,
    lead_mask: np.uint64,
    best: np.uint64,
    shares: Array,
    classes: Array,
    states: Array,
    halves: Array,
) -> int:
    """Return a value that a last card of a trick is known to reach, good enough for its seat.

    If the table knows of no such card, the value is one that is not good enough.
    """
    seat = frames[f + SEAT]
    need = frames[f + NEED]
    ours = (seat & 1) == 0
    for move in range(m, m + frames[f + N_MOVES]):
        card = moves[move]
        gained = 0
        winner = seat if card & winners_over(best, lead_mask) else frames[f + WINNER]
        if (winner & 1) == 0:
            gained = frames[f + IN_TRICK] + (1 if card & COUNTERS else 0)
        kind = np.int64(trailing_zeros(card)) >> 1
        share = shares[3 * seat + kind % 3]
        halves[kind // 3] -= share
        name_a, name_b = canonical_key(halves, winner, classes)
        halves[kind // 3] += share
        _, found = find(states, name_a, name_b)
        if found >= 0:
            low, high, _ = bounds_and_move(states[found, 0])
            if ours and gained + low >= need:
                return gained + low
            if not ours and gained + high < need:
                return gained + high
    return -FAR if ours else FAR
