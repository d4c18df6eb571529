"""The yardstick beside the engines: reference play's tricks and every engine's values, by deal."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from provenance import RESULTS

from advisor.engines import lite_full_deals, simulated_values
from advisor.game.rules import Rules
from advisor.kernels.guide import COUNTER_UNITS
from advisor.kernels.packed import RULE_HEADING
from advisor.playing import rule_array
from reference.store import read_rows
from reference.study import deals_of_row, policy_tricks

Array = np.ndarray[Any, Any]

YARDSTICK: Final = RESULTS / "reference_play.jsonl"
# Hands solved at a time, each in a thread.
STEP: Final = 2
BIDS: Final = tuple(range(250, 401, 10))


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Deals of declarers as four sampling players played them.

    Parameters
    ----------
    header : dict
        How they were played.
    tricks : float array, shape (n_hands, n_deals)
        Trick points of declarer's side.
    meld : int array, shape (n_hands, n_deals)
        Meld of declarer's side.
    hands : uint64 array, shape (n_hands, n_deals, 4)
        After the exchange, trump in suit 0, declarer first and on lead.
    policy : int array, shape (n_hands, n_deals)
        Trick points by the policy.
    """

    header: dict[str, Any]
    tricks: Array
    meld: Array
    hands: Array
    policy: Array

    def lite(self, tricks: int) -> tuple[Array, float]:
        """Return the values of `lite` in 1/256 counter, and its seconds a deal."""
        flat = self.hands.reshape(-1, 4)
        heading = int(rule_array(Rules())[RULE_HEADING])
        # The first call compiles.
        lite_full_deals(flat[:1], heading, tricks)
        start = time.process_time()
        values = lite_full_deals(flat, heading, tricks)
        seconds = (time.process_time() - start) / len(flat)
        return values.reshape(self.policy.shape), seconds

    def exact(self, deals: int, kept: Path) -> tuple[Array, float]:
        """Return exact values of the first deals of each hand, and the cost of one.

        In 1/256 counter. They take about half a second each; those in the file `kept` are not
        solved again.
        """
        done, seconds = np.empty((0, deals), dtype=np.int64), 0.0
        if kept.exists():
            stored = np.load(kept)
            done, seconds = stored["values"], float(stored["seconds"])
        rules = rule_array(Rules())
        # Compiles the engine outside the measured time: a deal without cards needs no search.
        simulated_values(self.hands[0, :1, :] & np.uint64(0), rules, "exact")
        with ThreadPoolExecutor(STEP) as pool:
            while len(done) < len(self.hands):
                part = [hand[:deals] for hand in self.hands[len(done) : len(done) + STEP]]
                start = time.process_time()
                rows = list(pool.map(lambda hands: simulated_values(hands, rules, "exact"), part))
                seconds += time.process_time() - start
                done = np.vstack([done, *(row[None] for row in rows)])
                np.savez(kept, values=done, seconds=seconds)
        return done, seconds / done.size


def load_yardstick(path: Path = YARDSTICK) -> Yardstick:
    """Return the committed yardstick with its deals rebuilt and checked."""
    header, *rows = read_rows(path)
    rules = Rules(heading=header["heading"])
    hands = np.stack([deals_of_row(row, header["seed"], rules).hands for row in rows])
    melds = np.array([row["melds"] for row in rows])
    return Yardstick(
        header=header,
        tricks=np.array([row["tricks"] for row in rows], dtype=float),
        meld=melds[..., 0] + melds[..., 2],
        hands=hands,
        policy=np.array([policy_tricks(row, header["seed"], rules) for row in rows]),
    )


def points_of(values: Array) -> Array:
    """Return values in 1/256 counter as points."""
    return values * (10 / COUNTER_UNITS)
