"""States of an open deal: their canonical names, equivalent cards, and points that are certain.

In each suit, within ace-ten-king and within queen-jack-nine, ranks no longer in play are closed up
and neighbouring cards of one owner count as one group, since only their number matters. Points are
in counters: ace, ten, king and the last trick one each. Trump is suit 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.packed import ONE_COPY, SUIT_MASK, U0, U1, U12, highest, lowest
from advisor.kernels.tricks import above

Array = np.ndarray[Any, Any]

N_OWNERS: Final = 25
N_HALVES: Final = N_OWNERS**3
COUNTER_PAIRS: Final = np.uint64(0xFC0_FC0_FC0_FC0)
# Numbers such that every sum of at most two of them tells which they were.
OWNER_WEIGHTS: Final = (1, 3, 7, 12)
_SIX: Final = np.uint64(63)


@helper
def holding_code(holding: np.uint64, seat: int) -> int:
    """Return one seat's share of the ownership code of half a suit (three ranks, six bits)."""
    weight = OWNER_WEIGHTS[seat]
    low = np.int64(popcount(holding & np.uint64(3)))
    middle = np.int64(popcount(holding & np.uint64(12)))
    high = np.int64(popcount(holding & np.uint64(48)))
    return weight * (low + N_OWNERS * middle + N_OWNERS * N_OWNERS * high)


@helper
def fill_codes(codes: Array) -> None:
    """Write `holding_code` of every six bits for every seat, shape (4, 64)."""
    for seat in range(4):
        for word in range(64):
            codes[seat, word] = holding_code(np.uint64(word), seat)


@helper
def canonical_key(hands: Array, codes: Array, classes: Array) -> tuple[np.uint64, np.uint64]:
    """Return the canonical name of four hands, 12 bits for each half of a suit."""
    first = U0
    second = U0
    for half in range(4):
        shift = np.uint64(6 * half)
        code = codes[0, (hands[0] >> shift) & _SIX] + codes[1, (hands[1] >> shift) & _SIX]
        code += codes[2, (hands[2] >> shift) & _SIX] + codes[3, (hands[3] >> shift) & _SIX]
        first = (first << U12) | np.uint64(classes[code])
        shift = np.uint64(6 * half + 24)
        code = codes[0, (hands[0] >> shift) & _SIX] + codes[1, (hands[1] >> shift) & _SIX]
        code += codes[2, (hands[2] >> shift) & _SIX] + codes[3, (hands[3] >> shift) & _SIX]
        second = (second << U12) | np.uint64(classes[code])
    return first, second


@helper
def one_of_each_group(cards: np.uint64, others: np.uint64) -> np.uint64:
    """Return one card of each group of equivalent cards: the lowest.

    Two cards of a hand in the same half of a suit are equivalent when no other seat, nor the
    trick on the table, has a card from the lower to the higher of them.
    """
    kept = U0
    for half in range(8):
        own = cards & (_SIX << np.uint64(6 * half))
        while own:
            card = lowest(own)
            own ^= card
            kept |= card
            if (others & card) == U0:
                # Everything up to the next card of another seat is the same as this one.
                barrier = others & (_SIX << np.uint64(6 * half)) & above(card)
                if barrier:
                    own &= ~(lowest(barrier) - U1)
                else:
                    own = U0
    return kept


@helper
def sure_points(hands: Array, leader: int) -> tuple[int, int]:
    """Return points that are certain for the leader's side and for the other side."""
    own = hands[leader]
    left = hands[(leader + 1) & 3]
    partner = hands[(leader + 2) & 3]
    right = hands[(leader + 3) & 3]
    n_cards = np.int64(popcount(own))

    # Winners the leader can cash one after the other: nobody can beat or ruff them.
    cashed = 0
    points = 0
    for suit in range(4):
        shift = np.uint64(suit) * U12
        mine = (own >> shift) & SUIT_MASK
        if mine == U0:
            continue
        theirs = ((left | partner | right) >> shift) & SUIT_MASK
        top = mine
        if theirs:
            top = mine & ~(highest(theirs & ONE_COPY) - U1)
        if top == U0:
            continue
        most = np.int64(popcount(top))
        if suit > 0:
            if left & SUIT_MASK:
                most = min(most, np.int64(popcount((left >> shift) & SUIT_MASK)))
            if partner & SUIT_MASK:
                most = min(most, np.int64(popcount((partner >> shift) & SUIT_MASK)))
            if right & SUIT_MASK:
                most = min(most, np.int64(popcount((right >> shift) & SUIT_MASK)))
        cashed += most
        points += min(most, np.int64(popcount(top & COUNTER_PAIRS)))
    if cashed >= n_cards:
        total = 1
        for seat in range(4):
            total += np.int64(popcount(hands[seat] & COUNTER_PAIRS))
        return total, 0

    # A trump above all opposing trumps is in a trick of our own whenever it is played.
    ours = (own | partner) & SUIT_MASK
    opposing = (left | right) & SUIT_MASK & ONE_COPY
    trumps = _top_counters(own, opposing) + _top_counters(partner, opposing)
    others = _top_counters(left, ours & ONE_COPY) + _top_counters(right, ours & ONE_COPY)
    return max(points, trumps), others


@helper
def _top_counters(hand: np.uint64, opposing: np.uint64) -> int:
    trumps = hand & SUIT_MASK & COUNTER_PAIRS
    if opposing:
        trumps &= above(highest(opposing))
    return np.int64(popcount(trumps))
