"""The chance to win the game at a score, from rounds that this program played against itself.

The table stands, with its provenance, in advisor/data/win_table.json and was made by
benchmarks/win_table.py: two equal sides play rounds until the rules name a winner. Points are on
the x10 scale.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.game.rules import Rules

Array = np.ndarray[Any, Any]

WIN_FILE: Final = Path(__file__).parent / "data" / "win_table.json"
UNITS: Final = 10_000
# Points short of the target up to which the table is as exact as its nodes. It was solved on
# scores up to its edge, which was taken for the score of a side that fell beyond.
SOUND: Final = 2250.0


@cache
def win_table(tie_rule: str) -> tuple[float, Array]:
    """Return the distance between nodes, in points, and the chances at the nodes, read-only.

    Parameters
    ----------
    tie_rule : str
        ``bidder`` or ``highest``, as in `Rules`.

    Returns
    -------
    tuple
        The step, and a float array, shape (n_nodes, n_nodes): by the points that we, and they,
        are short of the target, neither being there.

    >>> step, table = win_table("bidder")
    >>> step, float(table[3, 3]), bool(table[1, 20] > 0.9)
    (50.0, 0.5, True)
    """
    stored = json.loads(WIN_FILE.read_text(encoding="utf-8"))
    table: Array = np.array(stored["tables"][tie_rule], dtype=float) / UNITS
    table.flags.writeable = False
    return float(stored["step"]), table


def win_chance(us: Array, them: Array, we_bid: Array | None, rules: Rules) -> Array:
    """Return the chance that we win the game, from the scores after a round.

    Parameters
    ----------
    us, them : arrays of numbers, any shapes that go together
        Points of our side and of the other, the round included.
    we_bid : bool array or None
        Whether our side had the bid in that round; None where nobody can say, which makes it
        even odds where the rules ask for it.
    rules : Rules
        `target` and `tie_rule` decide; other house rules are taken to change little.

    Returns
    -------
    float array
        0 to 1. Where the game is over it is 1 or 0, as `advisor.game.scoring.winner` says. Where
        a side is further than `SOUND` from the target, both are drawn nearer (see `_nearer`).

    >>> win_chance(np.array([1500, 0]), np.array([1490, 0]), None, Rules()).tolist()
    [1.0, 0.5]
    """
    us, them = np.broadcast_arrays(np.asarray(us, dtype=float), np.asarray(them, dtype=float))
    step, table = win_table(rules.tie_rule)
    rows, columns = _nearer(rules.target - us, rules.target - them)
    chance = _between(table, rows / step, columns / step)
    at_tie = np.full(us.shape, 0.5) if we_bid is None else np.where(we_bid, 1.0, 0.0)
    if rules.tie_rule == "highest":
        at_tie = np.where(us > them, 1.0, np.where(us < them, 0.0, at_tie))
    we_are_there, they_are_there = us >= rules.target, them >= rules.target
    over: Array = np.where(they_are_there, np.where(we_are_there, at_tie, 0.0), 1.0)
    return np.where(we_are_there | they_are_there, over, chance)


def _nearer(us: Array, them: Array) -> tuple[Array, Array]:
    """Return distances up to `SOUND` at which the chance is about the same.

    Over many rounds the lead spreads with the square root of the points there are to play for, so
    the chance stays where lead / sqrt(distance + distance) does. The further side is set to
    `SOUND`, and the other where that ratio is kept, at the target at the nearest. Against tables
    solved up to distances of 6000 this is off by 1.4 % at most, 0.6 % as a rule.

    >>> [float(x[0]) for x in _nearer(np.array([5000.0]), np.array([5000.0]))]
    [2250.0, 2250.0]
    """
    far, near = np.maximum(us, them), np.minimum(us, them)
    # Sides that are there have won already; any number will do for them.
    ratio = (far - near) / np.sqrt(np.maximum(far + near, 1.0))
    root = (np.sqrt(ratio * ratio + 8.0 * SOUND) - ratio) / 2.0
    other = np.maximum(root * root - SOUND, 0.0)
    beyond, we_are_far = far > SOUND, us >= them
    return (
        np.where(beyond, np.where(we_are_far, SOUND, other), us),
        np.where(beyond, np.where(we_are_far & (us > them), other, SOUND), them),
    )


def _between(table: Array, rows: Array, columns: Array) -> Array:
    """Return the table's value between its nodes, linear in either direction."""
    last = len(table) - 1
    rows, columns = np.clip(rows, 0, last), np.clip(columns, 0, last)
    i = np.minimum(rows.astype(np.int64), last - 1)
    j = np.minimum(columns.astype(np.int64), last - 1)
    down, right = rows - i, columns - j
    value: Array = (
        table[i, j] * (1 - down) * (1 - right)
        + table[i + 1, j] * down * (1 - right)
        + table[i, j + 1] * (1 - down) * right
        + table[i + 1, j + 1] * down * right
    )
    return value
