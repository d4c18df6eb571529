"""What looking further ahead buys `lite`: cost against accuracy, and what the time goes to.

Full deals that the guide was not fitted on, with exact values: the recorded ones of tests/data,
and deals made as those of the fit but from another seed. About five minutes, most of it for the
exact values.

    python benchmarks/lite_curve.py
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from guide_positions import AFTER_EXCHANGE, LONGEST_TRUMP, RANDOM_TRUMP, positions
from provenance import heading, write
from tabulate import tabulate

from advisor.engines import lite_full_deals
from advisor.game.rules import Rules
from advisor.guide import guide_weights
from advisor.kernels.guide import COUNTER_UNITS
from advisor.kernels.lite import MAX_TRICKS, lite_deals
from advisor.kernels.packed import swap_trump
from advisor.kernels.play import play_deals
from advisor.playing import rule_array
from advisor.solver import solve_full_deals

Array = np.ndarray[Any, Any]

TESTS = Path(__file__).parents[1] / "tests"
KINDS = {
    RANDOM_TRUMP: "random trump",
    LONGEST_TRUMP: "leader's longest suit trump",
    AFTER_EXCHANGE: "after an exchange",
}
REPEATS = 5


def recorded() -> tuple[Array, Array]:
    """Return the recorded full deals, trump in suit 0, leader in seat 0, and their values."""
    sys.path.insert(0, str(TESTS))
    from naive import cards_of

    from advisor.game.cards import SUIT_LETTERS, Hand

    deals, values = [], []
    for line in (TESTS / "data" / "double_dummy_12_tricks.jsonl").read_text().splitlines():
        deal = json.loads(line)
        trump = np.uint64(SUIT_LETTERS.index(deal["trump"]))
        hands = [np.uint64(Hand.from_cards(cards_of(text)).packed) for text in deal["hands"]]
        leader, points = deal["leader"], deal["points_team02"]
        deals.append([swap_trump.py_func(hands[(leader + seat) % 4], trump) for seat in range(4)])
        values.append(points if leader % 2 == 0 else 250 - points)
    return np.array(deals, dtype=np.uint64), np.array(values)


def policy_points(deals: Array) -> tuple[Array, float]:
    """Return what the policy takes, and its seconds a deal."""
    count = len(deals)
    nothing = np.zeros(count, dtype=np.int64)
    out = np.zeros((count, 2), dtype=np.int64)
    traces = np.zeros((count, 48), dtype=np.uint8)
    arguments = (deals, nothing, nothing, rule_array(Rules()), out, traces)
    play_deals(*arguments)
    return out[:, 0], least_seconds(lambda: play_deals(*arguments)) / count


def least_seconds(work: Any) -> float:
    """Return the least processor time of a few runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def lite_points(deals: Array, tricks: int) -> tuple[Array, float, float]:
    """Return what `lite` says, its seconds a deal, and the positions that the guide judges."""
    count = len(deals)
    nothing = np.zeros(count, dtype=np.int64)
    tables = np.zeros((count, 3), dtype=np.uint64)
    out = np.zeros((count, 2), dtype=np.int64)
    weights = guide_weights()
    arguments = (deals, nothing, nothing, tables, nothing, tricks, 0, weights, out)
    lite_deals(*arguments)
    seconds = least_seconds(lambda: lite_deals(*arguments)) / count
    return out[:, 0] * 10 / COUNTER_UNITS, seconds, out[:, 1].mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    made, kinds = positions(options.seed, 0, options.deals, 12)
    guesses = lite_full_deals(made, 0, 0) // COUNTER_UNITS
    states = np.zeros((1 << 22, 2), dtype=np.uint64)
    start = time.process_time()
    truth = 10 * solve_full_deals(made, guesses, 0, states)
    exact_seconds = (time.process_time() - start) / len(made)
    old, old_truth = recorded()
    deals, values = np.concatenate([old, made]), np.concatenate([old_truth, truth])
    groups = {"recorded": np.arange(len(old))}
    groups |= {name: len(old) + np.flatnonzero(kinds == kind) for kind, name in KINDS.items()}
    rows, by_group = [], []
    for tricks in (None, *range(MAX_TRICKS + 1)):
        if tricks is None:
            (points, seconds), judged, name = policy_points(deals), 0.0, "policy"
        else:
            points, seconds, judged = lite_points(deals, tricks)
            name = f"lite, {tricks} tricks ahead"
        gap = points - values
        rows.append(
            [
                name,
                f"{1e6 * seconds:,.1f} µs",
                f"{judged:,.0f}" if judged else "",
                f"{1e6 * seconds / judged:.2f} µs" if judged else "",
                f"{gap.mean():+.1f} ± {gap.std(ddof=1) / len(gap) ** 0.5:.1f}",
                f"{(gap**2).mean() ** 0.5:.1f}",
                f"{np.corrcoef(points, values)[0, 1]:.3f}",
            ]
        )
        by_group.append(
            [name]
            + [
                f"{gap[part].mean():+.1f}, {(gap[part] ** 2).mean() ** 0.5:.1f}"
                for part in groups.values()
            ]
        )
    rows.append(["exact", f"{exact_seconds:.2f} s", "", "", "", "", ""])
    headers = ("engine", "cost a deal", "judged", "cost of one", "bias", "RMSE", "corr.")
    counted = [f"{name} ({len(part)})" for name, part in groups.items()]
    write(
        "lite_curve.md",
        heading("Lite: cost against accuracy", options.seed)
        + f"\n{len(deals)} full deals, points of 250 for the leader's side against exact values "
        f"(SD {values.std():.1f}); processor time on one core, the least of {REPEATS} runs. "
        "Judged: positions a deal that the guide judges; their cost is nearly all of the time, so "
        "the guide's arithmetic is what limits the search.\n\n"
        + tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True)
        + "\n\nBias and RMSE by kind of deal:\n\n"
        + tabulate(by_group, headers=("engine", *counted), tablefmt="github", disable_numparse=True)
        + "\n",
    )


if __name__ == "__main__":
    main()
