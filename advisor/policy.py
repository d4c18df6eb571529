"""The named exchange policy: the numbers behind the sender's choices.

A policy is a table of weights that rank a sender's cards. Groups and order follow players' lore;
where its sources disagree, the default is the variant that measured best
(benchmarks/exchange_options.py). Declarer's return has tables of its own (`advisor.returning`).

The team's meld counts, in whichever hand it lies:

- Own aces, kings and queens around stay whole, even from trump; jacks around do not.
- Aces of all three side suits go first where the fourth is to be hoped for. With the trump ace
  among three they go before the queen of trump, and the jack of trump goes second.
- Legs of the pinochle go after run cards where trump is one's suit. Where it is not they stay: a
  returner who thinks of partner's hand gives his own to meet them.
- Four trumps with ace and ten among them go whole, for a double run, but for a leg before them.
- Fillers go from long suits first, cards of an own meld last.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from advisor.kernels import exchange

# Each group is by rank: 9 J Q K 10 A.
_STANDARD: dict[int, tuple[int, ...]] = {
    exchange.POLICY_SEND_TRUMP: (6000, 9950, 9700, 9800, 9900, 10000),
    exchange.POLICY_SEND_TRUMP_AGAIN: (5900, 7000, 7100, 7200, 7300, 7400),
    exchange.POLICY_SEND_SIDE: (1000, 4820, 4900, 5250, 4800, 8000),
    exchange.POLICY_SEND_SIDE_AGAIN: (1000, 4700, 4650, 4750, 4800, 7500),
    exchange.POLICY_SEND_LEG: (9000, 8900),
    exchange.POLICY_SEND_ACE_LENGTH: (-50,),
    exchange.POLICY_SEND_BREAK_ACES: (0,),
    exchange.POLICY_SEND_BREAK_AROUND: (2000,),
    exchange.POLICY_SEND_BREAK_MARRIAGE: (1500,),
    exchange.POLICY_SEND_BREAK_PINOCHLE: (2500,),
    exchange.POLICY_SEND_ALL_TRUMP: (1500,),
    exchange.POLICY_SEND_DOUBLE_PINOCHLE: (20000,),
    exchange.POLICY_SEND_KEEP_AROUND: (0, 9500, 9500, 9500),
    exchange.POLICY_SEND_THREE: (0, 0, 0, 2500),
    exchange.POLICY_SEND_THREE_WITH_TRUMP: (1750,),
    exchange.POLICY_SEND_LENGTH: (-30,),
}


def policy_array(changes: dict[int, tuple[int, ...]] | None = None) -> np.ndarray[Any, Any]:
    """Return the weights of a policy as the int64 array that kernels take.

    Parameters
    ----------
    changes : dict, optional
        Weights by first index that replace the standard ones.

    >>> policy_array().shape
    (43,)
    """
    weights = np.zeros(exchange.N_POLICY, dtype=np.int64)
    for start, values in {**_STANDARD, **(changes or {})}.items():
        weights[start : start + len(values)] = values
    return weights


STANDARD = MappingProxyType(_STANDARD)
