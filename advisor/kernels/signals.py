"""What a hand may call: its limit, its best trump, and what of a convention it could show."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.meldscore import meld_of, meld_tables
from advisor.kernels.packed import ACES, JACK_OF_DIAMONDS, ONE_COPY, QUEEN_OF_SPADES
from advisor.kernels.valuation import WEIGHT_UNITS, hand_values, value_tables

Array = np.ndarray[Any, Any]

# Columns of a convention's meanings; steps 0 is the pass with help.
(MEANING_STEPS, MEANING_SHOWS, MEANING_LEAST, MEANING_MOST, MEANING_WHEN) = range(5)
WHEN_ANY, WHEN_OPENING, WHEN_AFTER_PARTNER = range(3)
(
    SHOWS_MELD,
    SHOWS_VALUE,
    SHOWS_ACES,
    SHOWS_MISSING_SUITS,
    SHOWS_LEGS,
    SHOWS_RUNS,
    SHOWS_ACE_SUITS,
    SHOWS_HELPING_CARDS,
) = range(8)
N_SHOWS: Final = 8
# Of `look_at`: limit, trump, and the meanings that a hand fits on either side.
FOUND_LIMIT, FOUND_TRUMP, FOUND_MARKS = range(3)
N_FOUND: Final = 4


@helper
def _copies(hand: np.uint64, card: np.uint64) -> int:
    return np.int64(popcount(hand & (card * np.uint64(3))))


@helper
def quantity(hand: np.uint64, shows: int, best_meld: int, best_value: int) -> int:
    """Return the amount of what a call may show, by the ``SHOWS_`` numbers."""
    aces = np.int64(popcount(hand & (ACES * np.uint64(3))))
    if shows == SHOWS_MELD:
        return best_meld
    if shows == SHOWS_VALUE:
        return best_value
    if shows == SHOWS_ACES:
        return aces
    legs = _copies(hand, QUEEN_OF_SPADES) + _copies(hand, JACK_OF_DIAMONDS)
    if shows == SHOWS_LEGS:
        return legs
    if shows == SHOWS_ACE_SUITS:
        return np.int64(popcount(hand & ACES))
    missing = 0
    runs = 0
    fewest = 99
    for suit in range(4):
        held = np.int64(popcount((hand >> np.uint64(12 * suit)) & ONE_COPY & np.uint64(0x554)))
        if held == 0:
            missing += 1
        elif held == 5:
            runs += 1
        helping = held + aces
        helping -= np.int64(popcount((hand >> np.uint64(12 * suit + 10)) & np.uint64(3)))
        if suit == 0:
            helping += _copies(hand, JACK_OF_DIAMONDS)
        elif suit == 2:
            helping += _copies(hand, QUEEN_OF_SPADES)
        fewest = min(fewest, helping)
    if shows == SHOWS_MISSING_SUITS:
        return missing
    return runs if shows == SHOWS_RUNS else fewest


@helper
def look_at(
    hand: np.uint64, weights: Array, tables: Array, melds: Array, meanings: Array, values: Array,
    out: Array,
) -> None:  # fmt: skip
    """Write a hand's limit in its best trump, that trump, and which meanings it fits, by side.

    `values` is space for the worth by trump, an int64 array of four.
    """
    limit = np.int64(-(1 << 40))
    best_meld = 0
    hand_values(hand, weights, tables, melds, values)
    for trump in range(4):
        if values[trump] > limit:
            limit = values[trump]
            out[1] = trump
        if meanings.shape[1] > 0:
            best_meld = max(best_meld, meld_of(hand, np.uint64(trump), melds))
    limit = limit // WEIGHT_UNITS
    out[0] = limit
    for side in range(2):
        out[2 + side] = 0
        for i in range(meanings.shape[1]):
            row = meanings[side, i]
            amount = quantity(hand, row[MEANING_SHOWS], best_meld, limit)
            if row[MEANING_LEAST] <= amount <= row[MEANING_MOST]:
                out[2 + side] |= 1 << i


@entry
def look_at_hands(hands: Array, rules: Array, meanings: Array, weights: Array, out: Array) -> None:
    """Write what each hand may call.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    rules : int64 array
    meanings : int64 array, shape (2, n_meanings, 5)
    weights : int64 array, shape (N_WEIGHTS,)
    out : int64 array, shape (n_hands, N_FOUND)
        ``FOUND_LIMIT`` in points, ``FOUND_TRUMP``, and from ``FOUND_MARKS`` on a bit for each
        meaning of either side; modified in place.
    """
    melds = meld_tables(rules)
    tables = value_tables(weights, melds)
    values = np.empty(4, dtype=np.int64)
    for i in range(len(hands)):
        look_at(hands[i], weights, tables, melds, meanings, values, out[i])


@entry
def quantities(hands: Array, shows: int, rules: Array, weights: Array, out: Array) -> None:
    """Write the amount that each hand has of what a call may show.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    shows : int
        One of the ``SHOWS_`` numbers.
    rules, weights : int64 arrays
    out : int64 array, shape (n_hands,)
        Modified in place.
    """
    melds = meld_tables(rules)
    tables = value_tables(weights, melds)
    values = np.empty(4, dtype=np.int64)
    for i in range(len(hands)):
        best_meld = 0
        hand_values(hands[i], weights, tables, melds, values)
        best_value = values[0]
        for trump in range(4):
            best_meld = max(best_meld, meld_of(hands[i], np.uint64(trump), melds))
            best_value = max(best_value, values[trump])
        out[i] = quantity(hands[i], shows, best_meld, best_value // WEIGHT_UNITS)
