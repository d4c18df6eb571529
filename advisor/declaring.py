"""Which hands would have named a trump: what partner may take for granted about declarer.

A hand names the suit that is worth most to it, if that is worth enough to have won the auction.
The worth is a simple one, exact meld and points for trumps and aces; whatever values hands better
can take its place here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.game.cards import SUITS, Suit
from advisor.kernels.meldscore import meld_all_trumps

Array = np.ndarray[Any, Any]

# Points for each trump and each ace.
TRUMP_WORTH: Final = 18
ACE_WORTH: Final = 15
# One hand in three is worth as much in its best suit; one in four declares.
LEAST_WORTH: Final = 175

_ACE_BITS: Final = np.uint64(0xC00_C00_C00_C00)
_SUIT_BITS: Final = np.uint64(0xFFF)


def worths(hands: Array, rules: Array) -> Array:
    """Return what packed hands are worth under each trump, in points.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    rules : int64 array
        From `simulate.rule_array`.

    Returns
    -------
    int64 array, shape (n_hands, 4)

    >>> from advisor import Hand, Rules
    >>> from advisor.simulate import rule_array
    >>> hand = np.array([Hand.parse("AATKQJ.AK.QJ.T9").packed], dtype=np.uint64)
    >>> worths(hand, rule_array(Rules())).tolist()
    [[343, 141, 141, 151]]
    """
    melds = np.zeros((len(hands), len(SUITS)), dtype=np.int16)
    meld_all_trumps(np.ascontiguousarray(hands), rules, melds)
    worth = melds.astype(np.int64)
    for suit in SUITS:
        holding = (hands >> np.uint64(12 * suit)) & _SUIT_BITS
        worth[:, suit] += TRUMP_WORTH * np.bitwise_count(holding).astype(np.int64)
    aces = np.bitwise_count(hands & _ACE_BITS).astype(np.int64)
    worth += ACE_WORTH * aces[:, None]
    return worth


def declares(hands: Array, trump: Suit, rules: Array) -> Array:
    """Return which packed hands would have bid and named `trump`, bool, shape (n_hands,).

    Of suits worth as much any may be named, so that none is favoured by its name.

    >>> from advisor import Hand, Rules
    >>> from advisor.simulate import rule_array
    >>> texts = "AATKQJ.AK.QJ.T9", "KQ9.TQ9.KJ9.TJ9"
    >>> hands = np.array([Hand.parse(text).packed for text in texts], dtype=np.uint64)
    >>> declares(hands, 0, rule_array(Rules())).tolist()
    [True, False]
    """
    worth = worths(hands, rules)
    named: Array = worth[:, trump] == worth.max(axis=1)
    return named & (worth[:, trump] >= LEAST_WORTH)
