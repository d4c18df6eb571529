"""States of an open deal: their canonical names, and cards that are equivalent.

In each suit, within ace-ten-king and within queen-jack-nine, ranks no longer in play are closed up
and neighbouring cards of one owner count as one group, since only their number matters: the search
counts counters, so no two halves of a suit mix. Trump is suit 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.packed import U0, U2, U12

Array = np.ndarray[Any, Any]

N_OWNERS: Final = 25
N_HALVES: Final = N_OWNERS**3
COUNTER_PAIRS: Final = np.uint64(0xFC0_FC0_FC0_FC0)
# Numbers such that every sum of at most two of them tells which they were.
OWNER_WEIGHTS: Final = (1, 3, 7, 12)
_U4: Final = np.uint64(4)
_U48: Final = np.uint64(48)
# Of the three ranks of each half of a suit, the upper two and the highest.
_UPPER: Final = np.uint64(0x514_514_514_514)
_HIGHEST: Final = np.uint64(0x410_410_410_410)


@helper
def size_of(cards: np.uint64) -> int:
    """Return how many cards a packed hand has, or bits a mask."""
    return np.int64(popcount(cards))


@helper
def counters_in(hand: np.uint64) -> int:
    """Return how many counters a packed hand has."""
    return np.int64(popcount(hand & COUNTER_PAIRS))


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
def fill_shares(shares: Array) -> None:
    """Write what one card adds to the code of its half, shape (12,), at 3 times seat plus rank."""
    for seat in range(4):
        for rank in range(3):
            shares[3 * seat + rank] = holding_code(np.uint64(1 << 2 * rank), seat)


@helper
def canonical_key(halves: Array, leader: int, classes: Array) -> tuple[np.uint64, np.uint64]:
    """Return the canonical name of a state: 48 bits of half suits, and 48 bits and the leader.

    Parameters
    ----------
    halves : int64 array, shape (8,)
        Ownership codes of the halves of suits.
    leader : int
    classes : int16 array, shape (N_HALVES,)
        The class of every code.
    """
    first = U0
    second = U0
    for half in range(4):
        first = (first << U12) | np.uint64(classes[halves[half]])
        second = (second << U12) | np.uint64(classes[halves[half + 4]])
    return first, second | (np.uint64(leader) << _U48)


@helper
def one_of_each_group(cards: np.uint64, others: np.uint64) -> np.uint64:
    """Return one card of each group of equivalent cards: the lowest.

    Two cards of a hand in the same half of a suit are equivalent when no other seat, nor the
    trick on the table, has a card from the lower to the higher of them.

    Parameters
    ----------
    cards : uint64
        One bit for each card type that may be played.
    others : uint64
        Packed cards of the others; of the trick on the table those that are best count.
    """
    free = cards & ~others
    next_below = (free << U2) & _UPPER
    over_a_gap = (free << _U4) & (~others << U2) & _HIGHEST
    return cards & ~(free & (next_below | over_a_gap))
