"""Fit the quick valuation to rounds of this program's own simulator, and measure its error.

Random hands declare in every trump, on random deals, with the default predictor. One line is
fitted to the mean of the team's score, one to each quantile, and one to what partner's hand adds.

    python benchmarks/valuation_fit.py
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from exchange_options import random_hands
from provenance import heading, write
from tabulate import tabulate

from advisor.game.rules import Rules
from advisor.kernels.rounds import OUR_MELD, OUR_TRICKS
from advisor.kernels.valuation import N_WEIGHTS, WEIGHT_UNITS, feature_rows
from advisor.playing import Predictor, deal_packed, play, rule_array
from advisor.valuation import MODELS, QUANTILES, VALUATION_FILE, feature_names

VERSION = 1
RULES = rule_array(Rules())
# Against features that hardly ever occur.
RIDGE = 2.0
PARTNERS = 9


def rows(hands: np.ndarray, trumps: np.ndarray) -> np.ndarray:
    """Return the features of each hand, float, shape (n_hands, N_WEIGHTS)."""
    out = np.zeros((len(hands), N_WEIGHTS), dtype=np.int16)
    feature_rows(hands, trumps, RULES, out)
    return out.astype(float)


def scores(hands: np.ndarray, samples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the team's scores, shape (n_hands, 4, 3 * samples), and partners' hands."""
    predictor = Predictor.of(Rules(), None, False)
    found = np.zeros((len(hands), 4, 3 * samples), dtype=np.int16)
    partners = np.zeros((len(hands), 3 * samples), dtype=np.uint64)
    for i, hand in enumerate(hands):
        deals = deal_packed(hand, samples=samples, seed=seed)
        partners[i] = deals.hands[:, 2]
        for trump in range(4):
            outcomes, _ = play(deals, np.full(len(deals), trump), predictor)
            found[i, trump] = outcomes[:, OUR_MELD] + outcomes[:, OUR_TRICKS]
    return found, partners


def fitted(features: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return whole weights, in 1/64 point, by least squares."""
    normal = features.T @ features + RIDGE * np.eye(features.shape[1])
    return np.rint(WEIGHT_UNITS * np.linalg.solve(normal, features.T @ values)).astype(int)


def targets(found: np.ndarray) -> dict[str, np.ndarray]:
    """Return the mean and the quantiles of scores by model name, shape (n_hands, 4)."""
    result = {"mean": found.mean(axis=2)}
    for share in QUANTILES:
        result[f"p{share}"] = np.quantile(found, share / 100, axis=2, method="median_unbiased")
    return result


def table_row(name: str, truth: np.ndarray, guess: np.ndarray) -> list[str]:
    """Return the errors of one model on held-out hands, over all trumps and in the one it names."""
    error = truth - guess
    hands = np.arange(len(truth))
    named = guess.argmax(axis=1)
    at_best = error[hands, named]
    loss = truth.max(axis=1) - truth[hands, named]
    spread = truth[hands, named].var()
    return [
        name,
        f"{(error**2).mean() ** 0.5:.1f}",
        f"{at_best.mean():+.1f}",
        f"{(at_best**2).mean() ** 0.5:.1f}",
        f"{1 - at_best.var() / spread:.3f}",
        f"{100 * (named == truth.argmax(axis=1)).mean():.0f}%",
        f"{loss.mean():.1f}",
    ]


def main() -> None:
    """Fit, measure and keep both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=40_000)
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--test-hands", type=int, default=3000)
    parser.add_argument("--test-samples", type=int, default=192)
    parser.add_argument("--seed", type=int, default=171)
    options = parser.parse_args()

    hands = random_hands(options.hands, options.seed)
    found, partners = scores(hands, options.samples, options.seed)
    trumps = np.tile(np.arange(4), len(hands))
    features = rows(hands.repeat(4), trumps)
    models = {name: fitted(features, y.ravel()) for name, y in targets(found).items()}

    # Partner's part: what single rounds score above the mean line, by partner's features.
    some = np.random.default_rng(options.seed).integers(
        0, partners.shape[1], (len(hands), PARTNERS)
    )
    beyond = found - (features @ models["mean"] / WEIGHT_UNITS).reshape(-1, 4, 1)
    normal = RIDGE * np.eye(N_WEIGHTS)
    right = np.zeros(N_WEIGHTS)
    every = np.arange(len(hands))
    for column in some.T:
        for trump in range(4):
            part = rows(partners[every, column], np.full(len(hands), trump))
            normal += part.T @ part
            right += part.T @ beyond[every, trump, column]
    models["support"] = np.rint(WEIGHT_UNITS * np.linalg.solve(normal, right)).astype(int)

    tests = random_hands(options.test_hands, options.seed + 1)
    found, partners = scores(tests, options.test_samples, options.seed + 1)
    features = rows(tests.repeat(4), np.tile(np.arange(4), len(tests)))
    table = [
        table_row(name, truth, (features @ models[name] / WEIGHT_UNITS).reshape(-1, 4))
        for name, truth in targets(found).items()
    ]
    beyond = found[:, :, 0] - found.mean(axis=2)
    guess = np.stack(
        [
            rows(partners[:, 0], np.full(len(tests), t)) @ models["support"] / WEIGHT_UNITS
            for t in range(4)
        ],
        axis=1,
    )
    explained = 1 - (beyond - guess).var() / beyond.var()
    headers = [
        "model", "RMSE", "bias in its suit", "RMSE in its suit", "R2 in its suit",
        "names the best suit", "points lost by naming",
    ]  # fmt: skip
    title = heading("Quick valuation", options.seed)
    write(
        "valuation.md",
        f"{title}\n{options.hands:,} hands fitted, {options.test_hands:,} others measured on "
        f"{3 * options.test_samples} rounds each, all four trumps. Points x10. `p25` is the score "
        "that a quarter of the rounds stay below. The measured errors include the sampling error "
        f"of those rounds, {found.std(axis=2).mean() / (3 * options.test_samples) ** 0.5:.1f} "
        "points for the mean.\n\n"
        + tabulate(table, headers, tablefmt="github", disable_numparse=True)
        + f"\n\nPartner's hand explains {100 * explained:.0f}% of the spread of single rounds "
        "around the mean of declarer's hand (model `support`).\n",
    )
    names = feature_names()
    VALUATION_FILE.write_text(
        json.dumps(
            {
                "version": VERSION,
                "made_by": [line[2:] for line in title.splitlines() if line.startswith("- ")],
                "fitted_to": "rounds under the rules cardgames, default predictor",
                "unit": "1/64 point",
                "models": {
                    name: dict(zip(names, map(int, models[name]), strict=True)) for name in MODELS
                },
            },
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
