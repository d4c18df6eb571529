"""The advisor's quick rule: what the full advice does, in a microsecond.

The trump is that of the highest quick valuation (model ``p50``). The limit is another line over the
same features: it starts from the bid that the team reaches in half of the rounds, and was moved by
what going on and letting go came to, in auctions bid out to their end and played - so it knows
what a hand is worth when others declare. At the table the calls so far add to it. All numbers
stand, with their provenance, in advisor/data/advisor_rule.json; benchmarks/advisor_rule.py found
them by letting rules bid against each other. The rules "without" something are the same with that
switched off.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.kernels import league as kernel
from advisor.kernels.valuation import WEIGHT_UNITS, value_hands
from advisor.playing import rule_array
from advisor.rules_of_bidding.hands import Hands, at
from advisor.rules_of_bidding.rule import Habits, Rule
from advisor.valuation import feature_names, quick_values, valuation_weights

Array = np.ndarray[Any, Any]

RULE_FILE: Final = Path(__file__).parents[1] / "data" / "advisor_rule.json"
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
def _stored() -> dict[str, dict[str, int]]:
    stored: dict[str, dict[str, int]] = json.loads(RULE_FILE.read_text(encoding="utf-8"))
    return stored


@cache
def limit_weights() -> Array:
    """Return the weights of the limit, int64 in 1/64 point, read-only."""
    weights = np.array([_stored()["limit"][name] for name in feature_names()], dtype=np.int64)
    weights.flags.writeable = False
    return weights


@cache
def habits() -> Habits:
    """Return the rule's habits: what each situation adds to the limit."""
    adds = _stored()["adds"]
    every = range(kernel.N_SITUATIONS)
    return Habits(
        partner_alone=0, adds=tuple(adds.get(situation_name(number), 0) for number in every)
    )


def best_trumps(hands: Hands) -> Array:
    """Return the suits of the highest quick value, int64, shape (n,)."""
    trumps: Array = quick_values(hands.packed, rule_array(hands.rules), "p50").argmax(axis=1)
    return trumps


def limits_by(hands: Hands, trumps: Array, weights: Array) -> Array:
    """Return the value of each hand in its trump by a line, rounded down to points, int64."""
    out = np.zeros((len(hands), 4), dtype=np.int64)
    value_hands(hands.packed, rule_array(hands.rules), weights, out)
    points: Array = at(out, trumps) // WEIGHT_UNITS
    return points


def look(hands: Hands) -> tuple[Array, Array]:
    """Return limits and trumps of the rule."""
    trumps = best_trumps(hands)
    return limits_by(hands, trumps, limit_weights()), trumps


def _without_trump(hands: Hands) -> tuple[Array, Array]:
    """Name the suit of most meld, of equal ones the longest; the limit is that of the suit."""
    trumps = (hands.meld * 100 + hands.lengths).argmax(axis=1)
    return limits_by(hands, trumps, limit_weights()), trumps


def _without_level(hands: Hands) -> tuple[Array, Array]:
    """Go no higher than the bid that is made three times in four."""
    trumps = best_trumps(hands)
    return limits_by(hands, trumps, valuation_weights("p25")), trumps


def _without_defending(hands: Hands) -> tuple[Array, Array]:
    """Go to the bid that is made every other time, whatever letting go is worth."""
    trumps = best_trumps(hands)
    return limits_by(hands, trumps, valuation_weights("p50")), trumps


ADVISOR = Rule("advisor", look, habits())
ABLATIONS = (
    Rule("without-trump", _without_trump, habits()),
    Rule("without-level", _without_level, habits()),
    Rule("without-defending", _without_defending, habits()),
    Rule("without-inference", look, Habits(partner_alone=0)),
)
