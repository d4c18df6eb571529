"""B5, projected counts.

Source: laverty's version for four players.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.cards import ACE, DIAMONDS, JACK, KING, NINE, QUEEN, SPADES, TEN
from advisor.rules_of_bidding.hands import Hands, pairs_in
from advisor.rules_of_bidding.rule import Rule, look_by

Array = np.ndarray[Any, Any]

AROUNDS = ((ACE, 10), (KING, 8), (QUEEN, 6), (JACK, 4))


def points(hands: Hands) -> Array:
    """Return the meld in units of ten, doubles counting twice the single, shape (n, 4).

    A royal marriage beyond the runs counts 4.
    """
    copies = hands.copies
    runs, pairs = copies[:, :, JACK:].min(axis=2), pairs_in(copies)
    found = 15 * runs + 4 * (pairs - runs) + 2 * hands.side_sum(pairs) + copies[:, :, NINE]
    found += 4 * np.minimum(copies[:, SPADES, QUEEN], copies[:, DIAMONDS, JACK])[:, None]
    for rank, single in AROUNDS:
        found += single * copies[:, :, rank].min(axis=1)[:, None]
    meld: Array = found
    return meld


def near(hands: Hands) -> Array:
    """Return an eighth of every meld that lacks one card, rounded, in units of ten, (n, 4)."""
    copies = hands.copies
    one_short = ((copies[:, :, KING] > 0) ^ (copies[:, :, QUEEN] > 0)).sum(axis=1)
    of_hand = 2 * one_short
    of_hand = of_hand + 4 * ((copies[:, SPADES, QUEEN] > 0) ^ (copies[:, DIAMONDS, JACK] > 0))
    for rank, single in AROUNDS:
        of_hand = of_hand + single * ((copies[:, :, rank] > 0).sum(axis=1) == 3)
    total = of_hand[:, None] + 15 * (hands.missing == 1) + (copies[:, :, NINE] == 0)
    return _rounded(total / 8)


def projected(hands: Hands) -> Array:
    """Return the counters that the play should bring, in units of ten, at most 25, (n, 4).

    In each suit, from the top, the copies that we lack are added up; a rank of ours wins while the
    suit is longer than that. Tens and kings that do not win are lost, but for four that are passed.
    """
    copies, lengths = hands.copies, hands.lengths
    lacking, wins, lost = (np.zeros_like(lengths) for _ in range(3))
    for rank in range(ACE, -1, -1):
        held = copies[:, :, rank]
        lacking += 2 - held
        wins_here = (held > 0) & (lengths > lacking)
        wins += np.where(wins_here, held, 0)
        if rank in (TEN, KING):
            lost += np.where(wins_here, 0, held)
    worth = wins * 25 / 11
    void = 2 * (lengths == 0).sum(axis=1)
    by_trump = hands.side_sum(worth) + 1.5 * worth + void[:, None]
    surplus = np.maximum(lost.sum(axis=1) - 4, 0)
    counters: Array = np.minimum(25, _rounded(by_trump - surplus[:, None]))
    return counters


def values(hands: Hands) -> Array:
    """Return half the meld, or 3/4 below 21, + projected + near, points x10, shape (n, 4)."""
    rest = projected(hands) + near(hands)
    found = _rounded(points(hands) / 2 + rest)
    worth: Array = 10 * np.where(found < 21, _rounded(0.75 * points(hands) + rest), found)
    return worth


def _rounded(values: Array) -> Array:
    """Return the nearest whole numbers, halves up."""
    whole: Array = np.floor(values + 0.5)
    return whole


B5 = Rule("b5", look_by(values))
