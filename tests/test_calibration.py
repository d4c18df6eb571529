"""Predicted chances against the committed rounds of reference play (benchmarks/calibration.py)."""

import json
from pathlib import Path

import numpy as np
import pytest

from advisor import Hand, Rules, simulate
from advisor.game.cards import SUIT_LETTERS
from advisor.pricing import Pricing

ROUNDS = Path(__file__).parents[1] / "benchmarks" / "results" / "calibration.jsonl"
BIDS = np.arange(250, 401, 10)
SAMPLES = 32


@pytest.fixture(scope="module")
def predicted_and_made():
    """Return chances of few deals each, which err at random, and whether the round made the bid."""
    chances, made = [], []
    for line in ROUNDS.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        run = simulate(Hand.parse(row["hand"]), SUIT_LETTERS.index(row["trump"]), samples=SAMPLES)
        pricing = Pricing(run, Rules())
        chances.append([pricing.p_make(int(bid)).mean for bid in BIDS])
        made.append((row["meld"] + row["tricks"] >= BIDS) & (row["tricks"] > 0))
    return np.array(chances), np.array(made)


def test_there_are_enough_rounds(predicted_and_made):
    assert len(predicted_and_made[0]) >= 2000


def test_chances_are_right_on_average_at_every_bid(predicted_and_made):
    chances, made = predicted_and_made
    gap = made - chances
    error = gap.std(axis=0) / len(gap) ** 0.5
    assert (np.abs(gap.mean(axis=0)) <= 0.03 + 2 * error).all()


def test_hands_likely_to_make_it_do(predicted_and_made):
    """By tenths of the hands, ordered by their chance at 320; 3 % and two standard errors."""
    chances, made = predicted_and_made
    column = int(np.flatnonzero(BIDS == 320)[0])
    order = np.argsort(chances[:, column], kind="stable")
    for part in np.array_split(order, 10):
        gap = made[part, column] - chances[part, column]
        # Ordering by a chance that errs makes the lowest look lower and the highest higher.
        noise = (chances[part, column] * (1 - chances[part, column]) / (3 * SAMPLES)).mean() ** 0.5
        assert abs(gap.mean()) <= 0.03 + noise / 2 + 2 * gap.std() / len(gap) ** 0.5


def test_the_score_is_better_than_that_of_the_mean_alone(predicted_and_made):
    chances, made = predicted_and_made
    own = ((chances - made) ** 2).mean()
    base = ((made.mean(axis=0) - made) ** 2).mean()
    assert own < 0.9 * base
