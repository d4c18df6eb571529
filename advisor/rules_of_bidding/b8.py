"""B8, a share of simulated team scores: the strongest rule published.

Source: pinochle-classic's three bids, safe, standard and suggested, and their use at Games by
Post. A hand is simulated as declarer in every suit, both passes and the play included; the bid is
the score that a share q of the rounds does not exceed. Left out is a quirk of the source: where the
marks of 18 and 25 % coincide, it takes the next score for the latter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from advisor.rules_of_bidding.hands import Hands, at, best_suit
from advisor.rules_of_bidding.rule import Rule

Array = np.ndarray[Any, Any]


def score_at(scores: Array, share: float) -> Array:
    """Return the smallest score whose cumulative frequency reaches a share.

    Parameters
    ----------
    scores : int64 array, shape (..., n_rounds)
    share : float

    >>> score_at(np.array([[300, 200, 260, 400], [300, 200, 300, 200]]), 0.5).tolist()
    [260, 200]
    """
    n = scores.shape[-1]
    place = max(int(np.ceil(share * n - 1e-9)), 1) - 1
    found: Array = np.partition(scores, place, axis=-1)[..., place]
    return found


def look_at_share(share: float) -> Callable[[Hands], tuple[Array, Array]]:
    """Return the look of a rule at that share; the standard one names the suit of the 25 %."""

    def look(hands: Hands) -> tuple[Array, Array]:
        scores, _ = hands.samples.declaring
        limits = score_at(scores, share)
        trumps = best_suit(score_at(scores, 0.25) if share == 0.18 else limits)
        return at(limits, trumps), trumps

    return look


SAFE = Rule("b8-10", look_at_share(0.10))
STANDARD = Rule("b8-18", look_at_share(0.18))
PRO = Rule("b8-25", look_at_share(0.25))
