"""B10, a line fitted to simulations.

Source: computed for this project, first from the rounds of pinochle-classic; the weights here were
fitted to this program's own rounds (benchmarks/line_fit.py): the score that 25 % of the rounds
stay below, by the exact meld, trumps, aces and missing run cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.rule import Rule, look_by

Array = np.ndarray[Any, Any]

# In units of ten: constant, meld, trumps, aces, run held, one card missing, two missing. Fitted to
# the rounds of that other program the line had 12.54, 0.81, 1.25, 1.87, 2.43, 3.21 and 0.92.
WEIGHTS = np.array([13.95, 0.66, 1.58, 1.94, 3.36, 4.14, 1.39])


def features(hands: Hands) -> Array:
    """Return what is counted, in units of ten where it is points, float, shape (n, 4, 7)."""
    ones = np.ones(hands.meld.shape)
    return np.stack(
        [
            ones,
            hands.meld / 10,
            hands.lengths,
            ones * hands.aces[:, None],
            hands.missing == 0,
            hands.missing == 1,
            hands.missing == 2,
        ],
        axis=2,
    )


def values(hands: Hands) -> Array:
    """Return the fitted score by trump, points x10, shape (n, 4)."""
    worth: Array = 10 * (features(hands) * WEIGHTS).sum(axis=2)
    return worth


B10 = Rule("b10", look_by(values))
