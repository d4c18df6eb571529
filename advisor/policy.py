"""The named exchange and play policies: the numbers behind the kernels' choices.

A policy is a table of weights. The sender's weights only rank cards. The returner's are what a
kept card is worth in tricks, against `POLICY_MELD_WEIGHT` for a point of meld. Groups and order
follow players' lore; where its sources disagree, the default is the variant that measured best
(benchmarks/exchange_options.py), but for two wishes of players that cost 0.14 points a round
between them: four trumps with ace and ten among them go whole, for a double run, and a trump ace
or ten never comes back.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from advisor.kernels import exchange, returns

# Each group is by rank: 9 J Q K 10 A.
_STANDARD: dict[int, tuple[int, ...]] = {
    exchange.POLICY_SEND_TRUMP: (6000, 9600, 9700, 9800, 9900, 10000),
    exchange.POLICY_SEND_TRUMP_AGAIN: (5900, 7000, 7100, 7200, 7300, 7400),
    exchange.POLICY_SEND_SIDE: (1000, 4700, 4900, 5000, 4800, 8000),
    exchange.POLICY_SEND_SIDE_AGAIN: (1000, 4700, 4900, 5000, 4800, 7500),
    exchange.POLICY_SEND_LEG: (9000, 8900),
    exchange.POLICY_SEND_ACE_LENGTH: (-50,),
    exchange.POLICY_SEND_BREAK_ACES: (0,),
    exchange.POLICY_SEND_BREAK_AROUND: (2000,),
    exchange.POLICY_SEND_BREAK_MARRIAGE: (1500,),
    exchange.POLICY_SEND_BREAK_PINOCHLE: (2500,),
    exchange.POLICY_SEND_ALL_TRUMP: (2500,),
    exchange.POLICY_SEND_DOUBLE_PINOCHLE: (20000,),
    exchange.POLICY_SEND_KEEP_AROUND: (0, 9500, 9500, 9500),
    exchange.POLICY_SEND_THREE: (0, 0, 0, 2500),
    exchange.POLICY_SEND_BOTH_LEGS: (1300,),
    returns.POLICY_KEEP_TRUMP: (330, 270, 300, 290, 5000, 5000),
    returns.POLICY_KEEP_SIDE: (35, 32, 22, 10, 20, 245),
    returns.POLICY_KEEP_SIDE_AGAIN: (10, 12, 22, 10, 20, 170),
    returns.POLICY_VOID: (100,),
    returns.POLICY_KEEP_TEN_WITH_ACES: (160,),
    returns.POLICY_KEEP_LENGTH: (31,),
    returns.POLICY_MELD_WEIGHT: (16,),
    returns.POLICY_HOPE: (280,),
    returns.POLICY_LEAST_HOPE: (180,),
}


def policy_array(changes: dict[int, tuple[int, ...]] | None = None) -> np.ndarray[Any, Any]:
    """Return the weights of a policy as the int64 array that kernels take.

    Parameters
    ----------
    changes : dict, optional
        Weights by first index that replace the standard ones.

    >>> policy_array().shape
    (64,)
    """
    weights = np.zeros(exchange.N_POLICY, dtype=np.int64)
    for start, values in {**_STANDARD, **(changes or {})}.items():
        weights[start : start + len(values)] = values
    return weights


STANDARD = MappingProxyType(_STANDARD)
