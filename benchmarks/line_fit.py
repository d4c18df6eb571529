"""Fit the line of baseline B10 to this program's own rounds.

python benchmarks/line_fit.py
"""

from __future__ import annotations

import argparse

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.bidding import random_hands
from advisor.game.rules import Rules
from advisor.rules_of_bidding import b10
from advisor.rules_of_bidding.b8 import score_at
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.sampled import ROUNDS

SHARES = (0.10, 0.18, 0.25, 0.50)
NAMES = ("constant", "meld", "trumps", "aces", "run", "one missing", "two missing")


def main() -> None:
    """Fit the shares that B8 looks at, and the mean, and test them on other hands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=505)
    options = parser.parse_args()
    hands = Hands(random_hands(options.hands, options.seed), Rules(), options.seed)
    scores, _ = hands.samples.declaring
    seen = hands.samples.looked_at
    features = b10.features(hands)
    fitted = np.arange(options.hands)[:, None] < options.hands * 3 // 4
    targets = {"mean": scores.mean(axis=2) / 10}
    targets |= {f"{share:.0%}": score_at(scores, share) / 10 for share in SHARES}
    rows = []
    for name, target in targets.items():
        use, test = seen & fitted, seen & ~fitted
        weights = np.linalg.lstsq(features[use], target[use], rcond=None)[0]
        left = target[test] - features[test] @ weights
        explained = 1 - left.var() / target[test].var()
        rows.append([name, *(f"{x:.2f}" for x in weights), f"{(left**2).mean() ** 0.5:.2f}",
                     f"{explained:.2f}"])  # fmt: skip
        print(rows[-1], flush=True)
    write(
        "line_fit.md",
        f"{heading('The fitted line of baseline B10', options.seed)}\n"
        f"{options.hands:,} random hands, {ROUNDS} rounds for each trump that the quick valuation "
        "does not put far behind; three quarters fitted, a quarter tested. In units of ten. The "
        "rule bids the line of 25%.\n\n"
        + tabulate(
            rows, ["target", *NAMES, "test RMSE", "R2"], tablefmt="github", disable_numparse=True
        )
        + "\n",
    )


if __name__ == "__main__":
    main()
