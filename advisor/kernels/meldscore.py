"""Exact meld of packed hands, by three tables that are built from the rules.

The formula is that of `advisor.game.meld`, split by suit: what a suit scores as trump, what it
scores beside trump, and what the ranks held in all four suits score. Each is a table of 4,096
entries, indexed by the 12 bits of one suit, so that a hand costs a handful of look-ups. The rows
of `meld_tables` are named by ``TRUMP_MELD``, ``SIDE_MELD`` and ``AROUND_MELD``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper
from advisor.kernels.packed import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    RULE_ROUNDHOUSE_BONUS,
    RULE_ROYAL_IN_RUN,
    RULE_RUN_EXTRAS,
    SUIT_MASK,
    U12,
    U24,
    U36,
)

Array = np.ndarray[Any, Any]

TRUMP_MELD, SIDE_MELD, AROUND_MELD = range(3)


@helper
def _copies(holding: int, rank: int) -> int:
    return ((holding >> (2 * rank)) & 1) + ((holding >> (2 * rank + 1)) & 1)


@helper
def meld_tables(rules: Array) -> Array:
    """Return int16 points of every suit holding, shape (3, 4096).

    Row ``AROUND_MELD`` is indexed by the holding that all four suits have in common.
    """
    tables = np.zeros((3, 4096), dtype=np.int16)
    for holding in range(4096):
        nines, jacks, queens = _copies(holding, 0), _copies(holding, 1), _copies(holding, 2)
        kings, tens, aces = _copies(holding, 3), _copies(holding, 4), _copies(holding, 5)
        marriages = min(kings, queens)
        runs = min(min(aces, tens), min(marriages, jacks))
        if runs == 2:
            trump_points = 1500
        elif runs == 1:
            if rules[RULE_RUN_EXTRAS] != 0:
                trump_points = 150 + 40 * (kings - 1) + 40 * (queens - 1)
            else:
                trump_points = 150 + 40 * (marriages - 1)
        else:
            trump_points = 40 * marriages
        if rules[RULE_ROYAL_IN_RUN] != 0:
            trump_points += 40 * runs
        tables[TRUMP_MELD, holding] = trump_points + 10 * nines
        tables[SIDE_MELD, holding] = 20 * marriages

        around_points = 0
        for copies, points in ((aces, 100), (kings, 80), (queens, 60), (jacks, 40)):
            if copies == 1:
                around_points += points
            elif copies == 2:
                around_points += 10 * points
        if marriages > 0:
            around_points += rules[RULE_ROUNDHOUSE_BONUS]
        tables[AROUND_MELD, holding] = around_points
    return tables


@helper
def meld_of(hand: np.uint64, trump: np.uint64, tables: Array) -> int:
    """Return the meld points of a packed hand under one trump suit."""
    spades = hand & SUIT_MASK
    hearts = (hand >> U12) & SUIT_MASK
    diamonds = (hand >> U24) & SUIT_MASK
    clubs = (hand >> U36) & SUIT_MASK
    named = (hand >> (trump * U12)) & SUIT_MASK
    points = np.int64(tables[SIDE_MELD, spades]) + np.int64(tables[SIDE_MELD, hearts])
    points += np.int64(tables[SIDE_MELD, diamonds]) + np.int64(tables[SIDE_MELD, clubs])
    points += np.int64(tables[TRUMP_MELD, named]) - np.int64(tables[SIDE_MELD, named])
    points += np.int64(tables[AROUND_MELD, spades & hearts & diamonds & clubs])
    return points + pinochle_points(hand)


@helper
def pinochle_points(hand: np.uint64) -> int:
    """Return 0, 40 or 300 for the queens of spades and jacks of diamonds held together."""
    both = (hand // QUEEN_OF_SPADES) & (hand // JACK_OF_DIAMONDS) & np.uint64(3)
    if both == np.uint64(3):
        return 300
    return 40 if both != np.uint64(0) else 0


@entry
def meld_all_trumps(hands: Array, rules: Array, out: Array) -> None:
    """Write the meld of each packed hand under each trump.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    rules : int64 array, shape (N_RULES,)
    out : int16 array, shape (n_hands, 4)
        Points, modified in place.
    """
    tables = meld_tables(rules)
    for i in range(len(hands)):
        hand = hands[i]
        spades = hand & SUIT_MASK
        hearts = (hand >> U12) & SUIT_MASK
        diamonds = (hand >> U24) & SUIT_MASK
        clubs = (hand >> U36) & SUIT_MASK
        side_s = np.int64(tables[SIDE_MELD, spades])
        side_h = np.int64(tables[SIDE_MELD, hearts])
        side_d = np.int64(tables[SIDE_MELD, diamonds])
        side_c = np.int64(tables[SIDE_MELD, clubs])
        shared = side_s + side_h + side_d + side_c + pinochle_points(hand)
        shared += np.int64(tables[AROUND_MELD, spades & hearts & diamonds & clubs])
        out[i, 0] = shared + np.int64(tables[TRUMP_MELD, spades]) - side_s
        out[i, 1] = shared + np.int64(tables[TRUMP_MELD, hearts]) - side_h
        out[i, 2] = shared + np.int64(tables[TRUMP_MELD, diamonds]) - side_d
        out[i, 3] = shared + np.int64(tables[TRUMP_MELD, clubs]) - side_c
