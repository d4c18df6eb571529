"""The quick valuation's weights, and what it says of a hand.

The model and its features stand in `advisor.kernels.valuation`; the weights were fitted to this
program's own simulator by benchmarks/valuation_fit.py, which also measured the errors
(benchmarks/results/valuation.md).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.errors import OptionError
from advisor.game.cards import Hand
from advisor.game.rules import Rules, check_rules
from advisor.game.settings import either, show
from advisor.kernels import valuation as kernel

Array = np.ndarray[Any, Any]

VALUATION_FILE: Final = Path(__file__).parent / "data" / "valuation.json"
# What a hand's team scores, on average and at shares of the rounds that score less; and by how
# much a hand, as partner of the declarer, lifts the score above that of an average partner.
QUANTILES: Final = (10, 18, 25, 35, 40, 50)
MODELS: Final = ("mean", *(f"p{share}" for share in QUANTILES), "support")


def feature_names() -> list[str]:
    """Return the names of the features, in the order of the weights.

    >>> feature_names()[0], len(feature_names()) == kernel.N_WEIGHTS
    ('trump length 0', True)
    """
    ranks = ("nine", "jack", "queen", "king", "ten", "ace")
    names = [f"trump length {n}" for n in range(kernel.N_LENGTHS - 1)]
    names.append(f"trump length {kernel.N_LENGTHS - 1} or more")
    names += [f"trump {rank} {copy}" for rank in ranks[1:] for copy in ("held", "twice")]
    names.append("trump meld")
    names += [f"side length {n}" for n in range(kernel.N_SIDE_LENGTHS - 1)]
    names.append(f"side length {kernel.N_SIDE_LENGTHS - 1} or more")
    names += [f"side {rank} {copy}" for rank in ranks for copy in ("held", "twice")]
    names += ["side tens beside an ace", "side tens beside both aces", "side ace alone"]
    names.append("side marriages")
    names += [
        f"missing {missing}, aces in {suits}"
        for missing in ("0", "1", "2", "3 or more")
        for suits in range(5)
    ]
    names += [f"{rank}s in three suits" for rank in ranks[1:4]]
    names.append("arounds")
    names += [
        f"legs {queens} QS {jacks} JD, trump {suits}"
        for suits in ("H or C", "S or D")
        for queens in range(3)
        for jacks in range(3)
    ]
    return names


@cache
def valuation_weights(model: str) -> Array:
    """Return the weights of a model, int64 in 1/64 point, read-only.

    Parameters
    ----------
    model : str
        One of `MODELS`.

    Raises
    ------
    OptionError
        If there is no such model.

    >>> valuation_weights("mean").shape == (kernel.N_WEIGHTS,)
    True
    """
    if model not in MODELS:
        raise OptionError(f"model: expected {either(MODELS)}, found {show(model)}")
    stored = json.loads(VALUATION_FILE.read_text(encoding="utf-8"))["models"][model]
    weights = np.array([stored[name] for name in feature_names()], dtype=np.int64)
    weights.flags.writeable = False
    return weights


def quick_values(hands: Array, rules: Array, model: str = "mean") -> Array:
    """Return what packed hands are worth under each trump.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    rules : int64 array
        From `playing.rule_array`.
    model : str, optional
        One of `MODELS`.

    Returns
    -------
    float array, shape (n_hands, 4)
        Points.
    """
    out = np.zeros((len(hands), 4), dtype=np.int64)
    kernel.value_hands(hands, rules, valuation_weights(model), out)
    points: Array = out / kernel.WEIGHT_UNITS
    return points


def quick_value(hand: Hand, rules: Rules | str | None = None, model: str = "mean") -> list[float]:
    """Return what a hand is worth under each trump, in points.

    >>> values = quick_value(Hand.parse("AATKQJ.AK.QJ.T9"))
    >>> max(range(4), key=lambda suit: values[suit])
    0
    """
    from advisor.playing import rule_array

    packed = np.array([hand.packed], dtype=np.uint64)
    return [float(x) for x in quick_values(packed, rule_array(check_rules(rules)), model)[0]]
