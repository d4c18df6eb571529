"""Find the advisor's quick rule: auctions bid out to their end and played, again and again.

The limit is a line over the features of the quick valuation. It starts as the model ``p50``; then,
several times over, every hand's limit is tried some points higher and lower in the auctions of
many deals, the others bidding as they do, the difference is fitted by a line, and the limit moves
along it as far as that gains. Then what the calls add to the limit, situation by situation, is
changed for as long as a change gains. The opponents are baselines, the first rule, and the rule
itself; what comes out is measured on other deals.

    python benchmarks/advisor_rule.py
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor import __version__
from advisor.game.rules import Rules
from advisor.kernels import league as kernel
from advisor.kernels.valuation import N_LENGTHS, N_WEIGHTS, WEIGHT_UNITS, feature_rows
from advisor.league import look_of, run_table
from advisor.playing import Predictor, rule_array
from advisor.rules_of_bidding import advisor_rule
from advisor.rules_of_bidding.advisor_rule import situation_name
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.rule import Habits
from advisor.tables import Table
from advisor.valuation import feature_names, valuation_weights

POOL = ("b2", "b3", "b4", "b10")
# Of the limit: points by which it is tried higher and lower, and how far it may move, as the
# standard deviation over hands.
TRIED = (25, 25, 15)
MOVES = (5.0, 10.0, 15.0, 20.0)
RIDGE = 0.02
# A change of what the calls add must gain so many standard errors, and points.
ENOUGH, LEAST = 1.5, 0.05
STEPS = (20, 10)
SITUATIONS = [situation_name(i) for i in range(kernel.N_SITUATIONS)]
# What the standard style says: 20 more to raise a partner, 60 once both opponents are out.
FIRST_ADDS = {
    name: -60 if "0 opponents" in name else -20
    for name in SITUATIONS
    if name.startswith("partner holds")
}


def habits_of(adds: dict[str, int]) -> np.ndarray:
    every = tuple(adds.get(name, 0) for name in SITUATIONS)
    return Habits(partner_alone=0, adds=every).as_array()


class Deals:
    """Deals on which rules meet, with the features of their hands."""

    def __init__(self, count: int, seed: int) -> None:
        rules = Rules()
        self.table = Table.at(range(count), seed, rules, Predictor.of(rules, "policy", False))
        self.hands = Hands(self.table.hands.ravel(), rules)
        self.trumps = advisor_rule.best_trumps(self.hands)
        self.features = np.zeros((4 * count, N_WEIGHTS), dtype=np.int16)
        feature_rows(self.hands.packed, self.trumps, rule_array(rules), self.features)
        first = self.looks(valuation_weights("p50"))
        self.opponents = [
            (look_of(rule_of(name), self.hands), rule_of(name).habits.as_array()) for name in POOL
        ]
        self.opponents.append((first, habits_of(FIRST_ADDS)))

    def looks(self, weights: np.ndarray) -> np.ndarray:
        """Return limits by a line, and trumps, as `run_table` takes them."""
        limits = advisor_rule.limits_by(self.hands, self.trumps, weights)
        return np.stack([limits, self.trumps], axis=1).reshape(-1, 4, 2)

    def values(self, looks: np.ndarray, habits: np.ndarray) -> np.ndarray:
        """Return our points less theirs by deal, both directions, shape (n_opponents, n_deals)."""
        found = []
        for other, theirs in self.opponents:
            here = run_table(self.table, looks, other, habits, theirs).difference
            there = run_table(self.table, other, looks, theirs, habits).difference
            found.append((here - there) / 2)
        return np.array(found)

    def slopes(self, looks: np.ndarray, habits: np.ndarray, by: int) -> np.ndarray:
        """Return by how much a limit that much higher is worth more than one as much lower.

        For each hand, all other limits staying; the mean over the opponents and the rule itself.
        """
        found = np.zeros(looks.shape[:2])
        opponents = [*self.opponents, (looks, habits)]
        for other, theirs in opponents:
            for seat in range(4):
                worth = []
                for sign in (1, -1):
                    tried = looks.copy()
                    tried[:, seat, kernel.LOOK_LIMIT] += sign * by
                    if seat % 2 == 0:
                        worth.append(run_table(self.table, tried, other, habits, theirs).difference)
                    else:
                        worth.append(
                            -run_table(self.table, other, tried, theirs, habits).difference
                        )
                found[:, seat] += worth[0] - worth[1]
        return (found / len(opponents)).ravel()


def direction(deals: Deals, looks: np.ndarray, habits: np.ndarray, by: int) -> np.ndarray:
    """Return the line that limits should move along, as weights that give it a spread of 1."""
    slopes = deals.slopes(looks, habits, by)
    centre = deals.features.mean(axis=0)
    spread = deals.features.std(axis=0) + 1e-6
    scaled = np.c_[np.ones(len(slopes)), (deals.features - centre) / spread]
    square = scaled.T @ scaled + RIDGE * len(scaled) * np.eye(scaled.shape[1])
    fitted = np.linalg.solve(square, scaled.T @ slopes)
    weights = fitted[1:] / spread
    # Of every hand just one length of trump is counted, so the constant goes there.
    weights[:N_LENGTHS] += fitted[0] - float(centre @ weights)
    return weights / (scaled @ fitted).std()


def moved(deals: Deals, weights: np.ndarray, adds: dict[str, int], by: int) -> np.ndarray:
    """Return the weights after one move, as they were if none gains."""
    habits = habits_of(adds)
    along = direction(deals, deals.looks(weights), habits, by) * WEIGHT_UNITS
    tried = [np.rint(weights + far * along).astype(np.int64) for far in (0.0, *MOVES)]
    worth = [float(deals.values(deals.looks(item), habits).mean()) for item in tried]
    print("moves", [f"{x:+.2f}" for x in worth], flush=True)
    return tried[int(np.argmax(worth))]


def climb(deals: Deals, weights: np.ndarray, adds: dict[str, int]) -> dict[str, int]:
    """Change what the calls add for as long as a change gains."""
    looks = deals.looks(weights)
    now = deals.values(looks, habits_of(adds)).mean(axis=0)
    own = (looks, habits_of(adds))
    for step in STEPS:
        for name in SITUATIONS:
            for sign in (1, -1):
                took = False
                while True:
                    new = {**adds, name: adds.get(name, 0) + sign * step}
                    values = deals.values(looks, habits_of(new)).mean(axis=0)
                    gain = values - now
                    error = gain.std(ddof=1) / len(gain) ** 0.5
                    if gain.mean() <= max(LEAST, ENOUGH * error):
                        break
                    adds, now, took = new, values, True
                    print(name, adds[name], f"{gain.mean():+.2f} +- {error:.2f}", flush=True)
                if took:
                    break
        # The rule itself is among the opponents, as it is by now.
        deals.opponents = [*deals.opponents[: len(POOL) + 1], own]
        own = (looks, habits_of(adds))
        now = deals.values(looks, own[1]).mean(axis=0)
    deals.opponents = deals.opponents[: len(POOL) + 1]
    return adds


def main() -> None:
    """Find the rule, keep it, and say what it gains on other deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=404)
    options = parser.parse_args()
    deals = Deals(options.deals, options.seed)
    fresh = Deals(options.deals, options.seed + 1)
    rows = []

    def note(what: str, weights: np.ndarray, adds: dict[str, int]) -> None:
        values = fresh.values(fresh.looks(weights), habits_of(adds))
        error = values.mean(axis=0).std(ddof=1) / options.deals**0.5
        means = [f"{x:+.1f}" for x in values.mean(axis=1)]
        rows.append([what, *means, f"{values.mean():+.2f} +- {error:.2f}"])
        print(rows[-1], flush=True)

    weights, adds = valuation_weights("p50"), FIRST_ADDS
    note("first rule", weights, adds)
    for i, by in enumerate(TRIED):
        weights = moved(deals, weights, adds, by)
        note(f"limit, move {i + 1}", weights, adds)
        if i == 1:
            adds = climb(deals, weights, adds)
            note("what the calls add", weights, adds)
    adds = {name: value for name, value in adds.items() if value}
    kept = {
        "version": 1,
        "provenance": f"benchmarks/advisor_rule.py --deals {options.deals} --seed {options.seed}, "
        f"advisor {__version__}",
        "units": {"limit": "1/64 point x10", "adds": "points x10"},
        "limit": dict(zip(feature_names(), weights.tolist(), strict=True)),
        "adds": adds,
    }
    advisor_rule.RULE_FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    change = fresh.features @ ((weights - valuation_weights("p50")) / WEIGHT_UNITS)
    counts = fresh.hands
    told = [
        ["aces", counts.aces],
        ["trumps", counts.lengths[np.arange(len(counts)), fresh.trumps]],
        ["meld / 10", counts.meld[np.arange(len(counts)), fresh.trumps] / 10],
        ["p50 / 10", fresh.looks(valuation_weights("p50"))[:, :, 0].ravel() / 10],
    ]
    matrix = np.stack([np.ones(len(counts)), *(column for _, column in told)], axis=1)
    summary = np.linalg.lstsq(matrix, change, rcond=None)[0]
    lines = [[name, f"{x:+.1f}"] for (name, _), x in zip(told, summary[1:], strict=True)]
    write(
        "advisor_rule.md",
        f"{heading('The quick rule of the advisor', options.seed)}\n"
        f"Points a deal x10, ours less theirs, on {options.deals:,} deals that the search has not "
        "seen, each bid and played in both directions against four baselines and the first rule, "
        "which is the standard style: to the median of the quick valuation, 20 less over partner, "
        f"60 less over a partner left alone. The search ran on {options.deals:,} other deals.\n\n"
        + tabulate(
            rows, ["", *POOL, "first rule", "mean"], tablefmt="github", disable_numparse=True
        )
        + "\n\n## How the limit moved\n\nOver the hands, the move has a mean of "
        f"{change.mean():+.1f} and a standard deviation of {change.std():.1f} points. In short "
        "(least squares on four counts), it changes by so many points for one more of each:\n\n"
        + tabulate(lines, ["count", "points"], tablefmt="github")
        + "\n\n## What the calls add to the limit\n\n"
        + tabulate(sorted(adds.items()), ["situation", "points"], tablefmt="github")
        + "\n",
    )


if __name__ == "__main__":
    main()
