"""Quick valuation of a hand under one trump: a linear model of what can be counted in it.

Features come in three groups. Those of the trump suit and those of each side suit depend on the
holding of that suit alone, so their weighted sums are looked up; the rest ties suits together:
missing run cards beside suits with an ace, three of an around, the legs of the pinochle. Weights
are in 1/64 point and stand, with their provenance, in advisor/data/valuation.json.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.meldscore import (
    AROUND_MELD,
    SIDE_MELD,
    TRUMP_MELD,
    meld_tables,
)
from advisor.kernels.packed import (
    NINES,
    SUIT_MASK,
    U12,
    in_all_suits,
)

Array = np.ndarray[Any, Any]

WEIGHT_UNITS: Final = 64
# Of the trump suit: its length 0 to 8, first and second copies by rank from the jack up, its meld.
N_LENGTHS: Final = 9
TRUMP_RANKS: Final = N_LENGTHS
TRUMP_POINTS: Final = TRUMP_RANKS + 10
N_TRUMP: Final = TRUMP_POINTS + 1
# Of a side suit: its length 0 to 5, first and second copies by rank from the nine up, tens beside
# one ace and beside both, a bare ace, its meld.
N_SIDE_LENGTHS: Final = 6
SIDE_RANKS: Final = N_SIDE_LENGTHS
SIDE_TENS: Final = SIDE_RANKS + 12
SIDE_BARE_ACE: Final = SIDE_TENS + 2
SIDE_POINTS: Final = SIDE_BARE_ACE + 1
N_SIDE: Final = SIDE_POINTS + 1
# Of the whole hand: run cards missing (0, 1, 2, more) beside suits with an ace (0 to 4); kings,
# queens and jacks of just three suits; meld of arounds; pinochle legs by queens of spades (0 to
# 2), jacks of diamonds, and whether trump is a suit of theirs.
CROSS_ACES: Final = 0
CROSS_THREE: Final = 20
CROSS_AROUNDS: Final = 23
CROSS_LEGS: Final = 24
N_CROSS: Final = CROSS_LEGS + 18
N_WEIGHTS: Final = N_TRUMP + N_SIDE + N_CROSS


@helper
def _copies(holding: int, rank: int) -> int:
    return ((holding >> (2 * rank)) & 1) + ((holding >> (2 * rank + 1)) & 1)


@helper
def trump_features(holding: int, melds: Array, out: Array) -> None:
    """Write the features of a trump holding, shape (N_TRUMP,)."""
    out[:] = 0
    length = 0
    for rank in range(6):
        copies = _copies(holding, rank)
        length += copies
        if rank > 0:
            out[TRUMP_RANKS + 2 * (rank - 1)] = min(copies, 1)
            out[TRUMP_RANKS + 2 * (rank - 1) + 1] = copies // 2
    out[min(length, N_LENGTHS - 1)] = 1
    out[TRUMP_POINTS] = melds[TRUMP_MELD, holding]


@helper
def side_features(holding: int, melds: Array, out: Array) -> None:
    """Write the features of a side holding, shape (N_SIDE,)."""
    out[:] = 0
    length = 0
    for rank in range(6):
        copies = _copies(holding, rank)
        length += copies
        out[SIDE_RANKS + 2 * rank] = min(copies, 1)
        out[SIDE_RANKS + 2 * rank + 1] = copies // 2
    out[min(length, N_SIDE_LENGTHS - 1)] = 1
    aces = _copies(holding, 5)
    if aces > 0:
        out[SIDE_TENS + aces - 1] = _copies(holding, 4)
    out[SIDE_BARE_ACE] = 1 if aces == 1 and length == 1 else 0
    out[SIDE_POINTS] = melds[SIDE_MELD, holding]


@helper
def _suits_with(hand: np.uint64, rank: int) -> int:
    return np.int64(popcount((hand >> np.uint64(2 * rank)) & NINES))


@helper
def _missing_run_cards(holding: np.uint64) -> int:
    # One bit for each rank held, without the nine.
    return 5 - np.int64(popcount(holding & np.uint64(0x554)))


@helper
def _aces_feature(holding: np.uint64, suits_with_ace: int) -> int:
    return CROSS_ACES + 5 * min(_missing_run_cards(holding), 3) + suits_with_ace


@helper
def _legs(hand: np.uint64) -> int:
    queens = np.int64(popcount((hand >> np.uint64(4)) & np.uint64(3)))
    jacks = np.int64(popcount((hand >> np.uint64(26)) & np.uint64(3)))
    return 3 * queens + jacks


@helper
def _legs_feature(legs: int, trump: int) -> int:
    return CROSS_LEGS + (9 if trump == 0 or trump == 2 else 0) + legs


@helper
def value_tables(weights: Array, melds: Array) -> Array:
    """Return int64 weighted sums of every holding, as trump and as side suit, shape (2, 4096)."""
    tables = np.zeros((2, 4096), dtype=np.int64)
    trump = np.zeros(N_TRUMP, dtype=np.int64)
    side = np.zeros(N_SIDE, dtype=np.int64)
    for holding in range(4096):
        trump_features(holding, melds, trump)
        side_features(holding, melds, side)
        for i in range(N_TRUMP):
            tables[0, holding] += weights[i] * trump[i]
        for i in range(N_SIDE):
            tables[1, holding] += weights[N_TRUMP + i] * side[i]
    return tables


@helper
def hand_values(
    hand: np.uint64, weights: Array, tables: Array, melds: Array, values: Array
) -> None:
    """Write what a hand is worth with each trump, in 1/64 point, from `value_tables`."""
    cross = N_TRUMP + N_SIDE
    common = weights[cross + CROSS_AROUNDS] * np.int64(melds[AROUND_MELD, in_all_suits(hand)])
    for rank in range(1, 4):
        if _suits_with(hand, rank) == 3:
            common += weights[cross + CROSS_THREE + rank - 1]
    for suit in range(4):
        common += tables[1, (hand >> np.uint64(12 * suit)) & SUIT_MASK]
    with_ace = _suits_with(hand, 5)
    legs = _legs(hand)
    for trump in range(4):
        named = (hand >> np.uint64(12 * trump)) & SUIT_MASK
        value = common + tables[0, named] - tables[1, named]
        value += weights[cross + _aces_feature(named, with_ace)]
        values[trump] = value + weights[cross + _legs_feature(legs, trump)]


@entry
def feature_rows(hands: Array, trumps: Array, rules: Array, out: Array) -> None:
    """Write the features of each hand under one trump.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    trumps : int64 array, shape (n_hands,)
    rules : int64 array
    out : int16 array, shape (n_hands, N_WEIGHTS)
        Modified in place.
    """
    melds = meld_tables(rules)
    trump_part = np.zeros(N_TRUMP, dtype=np.int64)
    side_part = np.zeros(N_SIDE, dtype=np.int64)
    for i in range(len(hands)):
        hand = hands[i]
        trump = np.int64(trumps[i])
        out[i] = 0
        for suit in range(4):
            holding = np.int64((hand >> (np.uint64(suit) * U12)) & SUIT_MASK)
            if suit == trump:
                trump_features(holding, melds, trump_part)
                for j in range(N_TRUMP):
                    out[i, j] = trump_part[j]
            else:
                side_features(holding, melds, side_part)
                for j in range(N_SIDE):
                    out[i, N_TRUMP + j] += side_part[j]
        named = (hand >> np.uint64(12 * trump)) & SUIT_MASK
        cross = N_TRUMP + N_SIDE
        out[i, cross + _aces_feature(named, _suits_with(hand, 5))] = 1
        out[i, cross + _legs_feature(_legs(hand), trump)] = 1
        for rank in range(1, 4):
            if _suits_with(hand, rank) == 3:
                out[i, cross + CROSS_THREE + rank - 1] = 1
        out[i, cross + CROSS_AROUNDS] = melds[AROUND_MELD, in_all_suits(hand)]


@entry
def value_hands(hands: Array, rules: Array, weights: Array, out: Array) -> None:
    """Write what each hand is worth under each trump.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    rules : int64 array
    weights : int64 array, shape (N_WEIGHTS,)
        In 1/64 point.
    out : int64 array, shape (n_hands, 4)
        In 1/64 point, modified in place.
    """
    melds = meld_tables(rules)
    tables = value_tables(weights, melds)
    for i in range(len(hands)):
        hand_values(hands[i], weights, tables, melds, out[i])
