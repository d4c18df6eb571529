"""Which hands would have named a trump: what partner may take for granted about declarer.

A hand names the suit that is worth most to it by the quick valuation, if that is worth enough to
have won the auction.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.game.cards import Suit
from advisor.valuation import quick_values

Array = np.ndarray[Any, Any]

MODEL: Final = "p50"
# Points: about one hand in three is worth as much in its best suit; one in four declares.
LEAST_WORTH: Final = 390


def declares(hands: Array, trump: Suit, rules: Array) -> Array:
    """Return which packed hands would have bid and named `trump`, bool, shape (n_hands,).

    Of suits worth as much any may be named, so that none is favoured by its name.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    trump : int
    rules : int64 array
        From `playing.rule_array`.

    >>> from advisor import Hand, Rules
    >>> from advisor.playing import rule_array
    >>> texts = "AATKQJ.AK.QJ.T9", "KQ9.TQ9.KJ9.TJ9"
    >>> hands = np.array([Hand.parse(text).packed for text in texts], dtype=np.uint64)
    >>> declares(hands, 0, rule_array(Rules())).tolist()
    [True, False]
    """
    worth = quick_values(np.ascontiguousarray(hands), rules, MODEL)
    named: Array = worth[:, trump] == worth.max(axis=1)
    return named & (worth[:, trump] >= LEAST_WORTH)
