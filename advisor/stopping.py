"""When sampling stops: budgets, precision, and at how many deals to look again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from advisor.limits import MAX_SAMPLES, check_precision, check_whole
from advisor.pricing import Pricing, estimate

DEFAULT_PRECISION: Final = 1.0
DEFAULT_BUDGET: Final = 20_000
# Deals that fit the calls are looked for among many.
INFERRING_BUDGET: Final = 8000
# Deals of an exact answer: minutes, at about half a second a round.
EXACT_BUDGET: Final = 16
# Standard error of P(make) that goes with the default precision.
P_PRECISION: Final = 0.01
# Stopping at the first look that shows a 3 joint standard errors lead errs far less than at 2
# (rollout practice of backgammon programs); the floor keeps early looks honest.
FIRST_LOOK: Final = 512
DROP_AT: Final = 3.0
# A lead known to half a point is not worth further deals.
INDIFFERENCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What sampling is to reach: at most `budget` deals, unless both errors are reached before.

    `precision` is that of the mean score in points, `p_precision` that of P(make); with
    `resolve_ties` the trumps have to be told apart too.
    """

    budget: int
    precision: float | None
    p_precision: float | None
    resolve_ties: bool


def plan_of(
    samples: int | None, precision: float | None, engine: str, infers: bool = False
) -> Plan:
    """Return the plan of what was asked for.

    Raises
    ------
    OptionError
        If a number is outside its range.

    >>> plan_of(None, None, "lite").budget, plan_of(500, None, "lite").resolve_ties
    (20000, False)
    """
    if precision is not None:
        precision = check_precision(precision)
    if samples is not None:
        check_whole("samples", samples, 1, MAX_SAMPLES)
        return Plan(samples, precision, None, False)
    if precision is not None:
        return Plan(MAX_SAMPLES, precision, None, False)
    budget = INFERRING_BUDGET if infers else DEFAULT_BUDGET
    if engine == "exact":
        budget = EXACT_BUDGET
    return Plan(budget, DEFAULT_PRECISION, P_PRECISION, True)


def next_look(pricing: Pricing, done: int, plan: Plan) -> int:
    """Return at how many samples to look again: where the precision should be reached."""
    want = 2 * done
    if plan.precision is not None:
        score = estimate(pricing.score)
        need = done * (score.se / plan.precision) ** 2 if score.se > 0 else done
        if plan.p_precision is not None:
            need = max(need, done * (p_error(pricing) / plan.p_precision) ** 2)
        if need > done:
            want = min(max(math.ceil(need * 1.03), done + FIRST_LOOK // 2), 4 * done)
    return min(-(-want // 256) * 256, plan.budget)


def p_error(pricing: Pricing) -> float:
    """Return the largest standard error of P(make): that of a chance near one half."""
    return pricing.p_make(pricing.quantile_bid(0.5)).se


def is_precise(pricing: Pricing, plan: Plan) -> bool:
    """Return whether the errors asked for are reached; True where none was."""
    if plan.precision is None:
        return True
    if not estimate(pricing.score).se <= plan.precision:
        return False
    return plan.p_precision is None or p_error(pricing) <= plan.p_precision
