"""The advisor's quick rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.playing import rule_array
from advisor.rules_of_bidding.hands import Hands, best_suit
from advisor.rules_of_bidding.rule import Habits, Rule
from advisor.valuation import quick_values

Array = np.ndarray[Any, Any]


def look(hands: Hands) -> tuple[Array, Array]:
    v = quick_values(hands.packed, rule_array(hands.rules), "p50")
    return np.floor(v.max(axis=1)).astype(np.int64), v.argmax(axis=1)


ADVISOR = Rule("advisor", look, Habits(over_partner=20, partner_alone=40))
ABLATIONS: tuple[Rule, ...] = ()
