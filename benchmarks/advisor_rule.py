"""Find the advisor's quick rule: rules that bid against each other on the same deals.

From the standard style on, single changes are taken up as long as one gains: what is added to the
limit in a situation of the auction, and by how much the limit moves with what the hand is worth
when others declare. A change has to gain against the rule so far and against the first one; what
they come to is measured on other deals.

    python benchmarks/advisor_rule.py
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field, replace

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor import __version__
from advisor.game.rules import Rules
from advisor.kernels import league as kernel
from advisor.league import run_table
from advisor.playing import Predictor
from advisor.rules_of_bidding import advisor_rule
from advisor.rules_of_bidding.advisor_rule import FEATURES, situation_name
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.rule import Habits
from advisor.tables import Table

# In standard errors of the paired gain, and in points.
ENOUGH = 1.5
LEAST = 0.03
ROUNDS = 4
SITUATION_STEP, SMALLEST_STEP = 20, 5
WEIGHT_STEPS = {"spread": 20, "second": 10, "meld": 10, "aces": 30, "trumps": 20, "support": 20}
# What the standard style says: 20 more to raise a partner, 60 once both opponents are out.
FIRST_ADDS = {
    f"partner holds, {still_in} opponents in, {have_bid} have bid": -20 if still_in else -60
    for still_in in range(3)
    for have_bid in range(3)
}


@dataclass(frozen=True)
class Candidate:
    """Weights by feature and additions by situation."""

    weights: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FEATURES, 0))
    adds: dict[str, int] = field(default_factory=lambda: dict(FIRST_ADDS))

    def changed(self, kind: str, name: str, by: int) -> Candidate:
        values = dict(getattr(self, kind))
        values[name] = values.get(name, 0) + by
        return replace(self, **{kind: values})

    def habits(self) -> np.ndarray:
        every = (self.adds.get(situation_name(i), 0) for i in range(kernel.N_SITUATIONS))
        return Habits(partner_alone=0, adds=tuple(every)).as_array()


class Deals:
    """Deals on which candidates meet."""

    def __init__(self, count: int, seed: int) -> None:
        rules = Rules()
        predictor = Predictor.of(rules, "policy", False)
        self.table = Table.at(range(count), seed, rules, predictor)
        hands = Hands(self.table.hands.ravel(), rules)
        self.trumps, self.middle = advisor_rule._suit_and_value(hands, "p50")
        self.features = advisor_rule.features(hands, self.trumps)

    def differences(self, one: Candidate, two: Candidate) -> np.ndarray:
        """Return by how much one is better at each deal, the mean of both directions."""
        looks = [self.looks(candidate) for candidate in (one, two)]
        habits = [candidate.habits() for candidate in (one, two)]
        here = run_table(self.table, *looks, *habits).difference
        there = run_table(self.table, *looks[::-1], *habits[::-1]).difference
        return (here - there) / 2

    def looks(self, candidate: Candidate) -> np.ndarray:
        weights = np.array([candidate.weights[name] for name in FEATURES])
        moved = (self.features * weights).sum(axis=1) // advisor_rule.WEIGHT_UNITS
        return np.stack([self.middle + moved, self.trumps], axis=1).reshape(-1, 4, 2)


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5)


def occurring(deals: Deals, first: Candidate) -> list[str]:
    """Return the situations in which it matters what a seat does."""
    names = [situation_name(i) for i in range(kernel.N_SITUATIONS)]
    return [
        name
        for name in names
        if mean_and_error(deals.differences(first.changed("adds", name, -3000), first))[1] > 0.02
    ]


def climb(deals: Deals, first: Candidate) -> tuple[Candidate, list[list[str]]]:
    """Take up changes that gain, in smaller and smaller steps."""
    best, taken = first, []
    against_first = np.zeros(deals.table.count)
    steps = {("adds", name): SITUATION_STEP for name in occurring(deals, first)}
    steps |= {("weights", name): step for name, step in WEIGHT_STEPS.items()}
    for turn in range(ROUNDS):
        before = best
        for (kind, name), step in steps.items():
            for sign in (1, -1):
                start = best
                while True:
                    new = best.changed(kind, name, sign * step)
                    direct, error = mean_and_error(deals.differences(new, best))
                    against = deals.differences(new, first)
                    gain, other_error = mean_and_error(against - against_first)
                    mean = (direct + gain) / 2
                    if mean <= max(LEAST, ENOUGH * max(error, other_error)):
                        break
                    best, against_first = new, against
                if best is not start:
                    value = getattr(best, kind)[name]
                    taken.append([name, str(value), f"{mean_and_error(against_first)[0]:+.1f}"])
                    print(turn, *taken[-1], flush=True)
                    break
        smaller = {key: max(step // 2, 1) for key, step in steps.items()}
        steps = {
            key: max(step, SMALLEST_STEP) if key[0] == "adds" else step
            for key, step in smaller.items()
        }
        if best is before and turn:
            break
    return best, taken


def main() -> None:
    """Climb, keep the rule, and say what it gains on other deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=404)
    options = parser.parse_args()
    first = Candidate()
    best, taken = climb(Deals(options.deals, options.seed), first)
    fresh = Deals(options.deals, options.seed + 1)
    mean, error = mean_and_error(fresh.differences(best, first))
    adds = {name: value for name, value in best.adds.items() if value}
    kept = {
        "version": 1,
        "provenance": f"benchmarks/advisor_rule.py --deals {options.deals} --seed {options.seed}, "
        f"advisor {__version__}",
        "units": {"weights": "1/100", "adds": "points x10"},
        "weights": best.weights,
        "adds": adds,
    }
    advisor_rule.RULE_FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    centred = fresh.features.mean(axis=0)
    weights = [
        [name, best.weights[name] / advisor_rule.WEIGHT_UNITS, f"{mean_of:+.1f}"]
        for name, mean_of in zip(FEATURES, centred, strict=True)
    ]
    write(
        "advisor_rule.md",
        f"{heading('The quick rule of the advisor', options.seed)}\n"
        f"{options.deals:,} deals, each bid and played in both directions; points x10, ours less "
        "theirs. The first rule bids to the median of the quick valuation, 20 less over partner "
        "and 60 less over a partner left alone. A change has to gain "
        f"{ENOUGH:g} standard errors on average of a direct match and of one against the first "
        f"rule. On {options.deals:,} other deals the rule that came out gains **{mean:+.2f} +- "
        f"{error:.2f}** points a deal on the first.\n\n## The way\n\nEach line is a change and the "
        "gain over the first rule so far, on the deals that found it.\n\n"
        + tabulate(taken, ["what", "becomes", "gain so far"], tablefmt="github")
        + "\n\n## What letting the hand go is worth\n\nThe limit moves by so many points for each "
        "point above the centre; a card counts 10. Beside it the mean left after centring.\n\n"
        + tabulate(weights, ["feature", "weight", "mean"], tablefmt="github")
        + "\n\n## What the calls add to the limit\n\n"
        + tabulate(sorted(adds.items()), ["situation", "points"], tablefmt="github")
        + "\n",
    )


if __name__ == "__main__":
    main()
