"""The three engines on open deals: `policy` plays by rule, `lite` judges, `exact` solves.

Deals come packed, trump in any suit; values are those of seats 0 and 2. What an engine says is
the raw open-card value, except that policy's seats see only their own cards; the correction to
what real play takes is `advisor.predict`.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import numpy as np

from advisor.guide import guide_weights
from advisor.kernels.guide import COUNTER_UNITS
from advisor.kernels.packed import RULE_HEADING

Array = np.ndarray[Any, Any]

# How many tricks lite looks ahead in a simulation and in `advisor solve`: see
# benchmarks/results/lite_curve.md.
SIMULATION_TRICKS: Final = 0
SOLVE_TRICKS: Final = 1
# With so few cards a seat an exact value costs less than a judgement is worth.
EXACT_CARDS: Final = 6
_SIMULATION_TABLE_BITS: Final = 20
_workspace = threading.local()


def lite_values(
    deals: Array,
    trumps: Array,
    leaders: Array,
    tables: Array,
    n_tables: Array,
    heading: int,
    tricks: int,
) -> Array:
    """Return what the guide and a search of some tricks say, in points x10.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
    trumps, leaders, n_tables : int64 arrays, shape (n_deals,)
    tables : uint64 array, shape (n_deals, 3)
    heading : int
        One of the ``HEADING_`` values of `advisor.kernels.packed`.
    tricks : int
        How many tricks to look ahead.

    Returns
    -------
    int64 array, shape (n_deals,)
        In 1/256 counter, that is 10/256 points.
    """
    from advisor.kernels.lite import lite_deals

    out = np.zeros((len(deals), 2), dtype=np.int64)
    lite_deals(deals, trumps, leaders, tables, n_tables, tricks, heading, guide_weights(), out)
    return out[:, 0]


def lite_full_deals(deals: Array, heading: int, tricks: int) -> Array:
    """Return `lite_values` of full deals, trump in suit 0, seat 0 on lead."""
    nothing = np.zeros(len(deals), dtype=np.int64)
    tables = np.zeros((len(deals), 3), dtype=np.uint64)
    return lite_values(deals, nothing, nothing, tables, nothing, heading, tricks)


def simulated_values(deals: Array, rules: Array, engine: str) -> Array:
    """Return the values of full deals after the exchange, trump in suit 0, seat 0 on lead.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
    rules : int64 array
        From `playing.rule_array`.
    engine : str
        ``lite`` or ``exact``.

    Returns
    -------
    int64 array, shape (n_deals,)
        In 1/256 counter.
    """
    heading = int(rules[RULE_HEADING])
    values = lite_full_deals(deals, heading, SIMULATION_TRICKS)
    if engine == "lite":
        return values
    from advisor.solver import solve_full_deals

    # A table of 16 MB for each thread, kept between blocks.
    if not hasattr(_workspace, "states"):
        _workspace.states = np.zeros((1 << _SIMULATION_TABLE_BITS, 2), dtype=np.uint64)
    guesses = values // COUNTER_UNITS
    return COUNTER_UNITS * solve_full_deals(deals, guesses, heading, _workspace.states)
