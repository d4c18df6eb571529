"""B6, assessment points.

Source: JoeDog's Pinochle, without its memory file, its random courage and its optional corrections.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.cards import ACE
from advisor.rules_of_bidding.hands import Hands, at, best_suit
from advisor.rules_of_bidding.rule import Rule

Array = np.ndarray[Any, Any]

# The order in which the source looks at suits: H, C, D, S.
_ORDER = (1, 3, 2, 0)


def power(hands: Hands) -> Array:
    """Return the points of assessment by trump, in units of ten, int64, shape (n, 4).

    3 for both aces of trump, 3 for five trumps or more, 2 for fewer than two, -4 for meld below 6,
    5 for a run, 4 for one that lacks one card, 1 for two, 4 for two strong suits at least (five
    cards with an ace, or four with both).
    """
    aces, lengths, meld = hands.copies[:, :, ACE], hands.lengths, hands.meld
    strong = ((lengths >= 5) & (aces > 0)) | ((lengths >= 4) & (aces == 2))
    found = 3 * (aces == 2) + 3 * (lengths >= 5) + 2 * (lengths < 2) - 4 * (meld < 60)
    found = found + np.array([5, 4, 1, 0, 0, 0])[hands.missing]
    worth: Array = found + 4 * (strong.sum(axis=1) >= 2)[:, None]
    return worth


def values(hands: Hands) -> Array:
    """Return meld + 2 an ace + short trump + 3 + power by trump, points x10, shape (n, 4).

    Short trump is 2, or 2 for each card below four.
    """
    short = np.where(hands.lengths >= 4, 2, 2 * (4 - hands.lengths))
    worth: Array = hands.meld + 10 * (2 * hands.aces[:, None] + short + 3 + power(hands))
    return worth


def look(hands: Hands) -> tuple[Array, Array]:
    """Return limits in the suit of the most length + meld + aces + power."""
    strength = hands.lengths + hands.meld // 10 + hands.copies[:, :, ACE] + power(hands)
    trumps = best_suit(strength, _ORDER)
    return at(values(hands), trumps), trumps


B6 = Rule("b6", look)
