"""B7, two cheap rules: meld and a constant (a), and card values (b).

Sources: (a) TreyDettmer's bot and the "Easy" level of Slippedup42, a floor to beat, with a
weaker one with 60 for 250; (b) dmterkula's player, in the revision that gives a partner 2 units,
or 4 once he has bid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.rule import Habits, Rule, look_by

Array = np.ndarray[Any, Any]

SIDE = np.array([0.0, 0.0, 0.0, 0.5, 1.25, 2.0])
TRUMP = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.5])
LONG_TRUMP = np.array([1.5, 1.5, 1.5, 2.0, 2.5, 3.0])
PARTNER = 20.0


def meld_and_constant(hands: Hands) -> Array:
    """Return meld + 250 by trump, points x10, shape (n, 4)."""
    worth: Array = hands.meld + 250
    return worth


def card_values(hands: Hands) -> Array:
    """Return meld + card values + 20 for partner by trump, points x10, shape (n, 4).

    In units of ten: trump ace 2.5, ten and king 2, others 1, or with five trumps and more 3, 2.5,
    2 and 1.5; side ace 2, ten 1.25, king 0.5.
    """
    copies = hands.copies
    trump = np.where(hands.lengths >= 5, copies @ LONG_TRUMP, copies @ TRUMP)
    worth: Array = hands.meld + 10 * (trump + hands.side_sum(copies @ SIDE)) + PARTNER
    return worth


B7A = Rule("b7a", look_by(meld_and_constant))
B7B = Rule("b7b", look_by(card_values), Habits(partner_bid_adds=20))
