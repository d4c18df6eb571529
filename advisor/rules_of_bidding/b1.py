"""B1, power count: meld and a count of what the cards are worth in play.

Source: the bidder of sdzpinochle. It was made for a game without a pass and is conservative here.
Its random 0 to 2 units are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.cards import ACE, JACK, NINE
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.rule import Rule, look_by

Array = np.ndarray[Any, Any]


def values(hands: Hands) -> Array:
    """Return meld + power by trump, int64, points x10, shape (n, 4).

    In units of ten: power = 5 + trump cards (ace 3, ten 2, others 1) + 2 for each side ace - 1 for
    each side jack and nine + 1 for each void side suit, at least 0.
    """
    copies = hands.copies
    trump = copies @ np.array([1, 1, 1, 1, 2, 3])
    side = 2 * copies[:, :, ACE] - copies[:, :, JACK] - copies[:, :, NINE] + (hands.lengths == 0)
    power = np.maximum(5 + trump + hands.side_sum(side), 0)
    worth: Array = hands.meld + 10 * power
    return worth


B1 = Rule("b1", look_by(values))
