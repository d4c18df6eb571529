"""The advisor's quick rule: what the full advice does, in a microsecond.

The limit of a hand is the bid that its team reaches in half of the rounds (quick valuation, model
``p50``), moved by how much letting the hand go is worth to it, and, at the table, by what the
calls so far change. Weights and situations stand, with their provenance, in
advisor/data/advisor_rule.json; benchmarks/advisor_rule.py found them by letting rules bid against
each other. The rules "without" something are the same with that switched off.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.kernels import league as kernel
from advisor.playing import rule_array
from advisor.rules_of_bidding.hands import Hands, at
from advisor.rules_of_bidding.rule import Habits, Rule
from advisor.valuation import quick_values

Array = np.ndarray[Any, Any]

RULE_FILE: Final = Path(__file__).parents[1] / "data" / "advisor_rule.json"
# What letting the hand go depends on, and about the mean of each over all hands, so that the
# adjustment is 0 on average: the width between the scores that half and nine tenths of the rounds
# reach; by how much the second suit is behind; the meld in the best suit, the aces, the trumps;
# what the hand adds as declarer's partner, over the four suits. In points, a card counting 10.
FEATURES: Final = ("spread", "second", "meld", "aces", "trumps", "support")
CENTRES: Final = (111, -45, 52, 20, 45, 0)
WEIGHT_UNITS: Final = 100
PARTNER_WORDS: Final = ("waits", "passed", "went", "bids", "holds")


def situation_name(situation: int) -> str:
    """Return what a situation of `advisor.kernels.league` is called in the file.

    >>> situation_name(17)
    'partner passed, 2 opponents in, 2 have bid'
    """
    partner, rest = divmod(situation, kernel.N_OPPONENTS * kernel.N_OPPONENTS)
    still_in, have_bid = divmod(rest, kernel.N_OPPONENTS)
    return f"partner {PARTNER_WORDS[partner]}, {still_in} opponents in, {have_bid} have bid"


@cache
def stored() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the weights of `FEATURES`, in 1/`WEIGHT_UNITS`, and what each situation adds."""
    data = json.loads(RULE_FILE.read_text(encoding="utf-8"))
    weights = tuple(data["weights"][name] for name in FEATURES)
    adds = data["adds"]
    every = range(kernel.N_SITUATIONS)
    return weights, tuple(adds.get(situation_name(number), 0) for number in every)


def features(hands: Hands, trumps: Array) -> Array:
    """Return `FEATURES` of each hand less their `CENTRES`, int64, shape (n, 6)."""
    rules = rule_array(hands.rules)
    middle = quick_values(hands.packed, rules, "p50")
    ordered = np.sort(middle, axis=1)
    columns = [
        at(middle, trumps) - at(quick_values(hands.packed, rules, "p10"), trumps),
        ordered[:, -2] - ordered[:, -1],
        at(hands.meld, trumps),
        10 * hands.aces,
        10 * at(hands.lengths, trumps),
        quick_values(hands.packed, rules, "support").mean(axis=1),
    ]
    found: Array = np.floor(np.stack(columns, axis=1)).astype(np.int64) - np.array(CENTRES)
    return found


def letting_go(hands: Hands, trumps: Array, weights: tuple[int, ...]) -> Array:
    """Return by how much a limit moves with what the hand is worth when others declare, int64."""
    moved: Array = (features(hands, trumps) * np.array(weights)).sum(axis=1) // WEIGHT_UNITS
    return moved


def look(hands: Hands) -> tuple[Array, Array]:
    """Return limits and trumps of the rule."""
    trumps, middle = _suit_and_value(hands, "p50")
    return middle + letting_go(hands, trumps, stored()[0]), trumps


def _suit_and_value(hands: Hands, model: str) -> tuple[Array, Array]:
    """Return the suit of the highest quick value, and that in a model, rounded down."""
    rules = rule_array(hands.rules)
    trumps = quick_values(hands.packed, rules, "p50").argmax(axis=1)
    value = at(quick_values(hands.packed, rules, model), trumps)
    return trumps, np.floor(value).astype(np.int64)


def _without_trump(hands: Hands) -> tuple[Array, Array]:
    """Name the suit of most meld, of equal ones the longest; the limit is of that suit."""
    trumps = (hands.meld * 100 + hands.lengths).argmax(axis=1)
    middle = at(quick_values(hands.packed, rule_array(hands.rules), "p50"), trumps)
    limits = np.floor(middle).astype(np.int64) + letting_go(hands, trumps, stored()[0])
    return limits, trumps


def _without_level(hands: Hands) -> tuple[Array, Array]:
    """Go no higher than the bid that is made three times in four."""
    trumps, low = _suit_and_value(hands, "p25")
    return low + letting_go(hands, trumps, stored()[0]), trumps


def _without_defending(hands: Hands) -> tuple[Array, Array]:
    """Take no notice of what the hand is worth when others declare."""
    trumps, middle = _suit_and_value(hands, "p50")
    return middle, trumps


@cache
def habits() -> Habits:
    """Return the rule's habits: what each situation adds."""
    return Habits(partner_alone=0, adds=stored()[1])


ADVISOR = Rule("advisor", look, habits())
ABLATIONS = (
    Rule("without-trump", _without_trump, habits()),
    Rule("without-level", _without_level, habits()),
    Rule("without-defending", _without_defending, habits()),
    Rule("without-inference", look, Habits(partner_alone=0)),
)
