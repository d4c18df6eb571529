"""The default predictor against the committed reference play, on hands it was not fitted to."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from accuracy import made_error, per_hand_error  # noqa: E402
from reference.yardstick import load_yardstick  # noqa: E402

from advisor.engines import SIMULATION_TRICKS  # noqa: E402
from advisor.predict import corrections  # noqa: E402


@pytest.fixture(scope="module")
def held_out():
    """Return predicted points and draws, reference points and melds of the odd-numbered hands."""
    yard = load_yardstick()
    values, _ = yard.lite(SIMULATION_TRICKS)
    odd = slice(1, None, 2)
    correction = corrections()["lite"]
    points = correction.expected(values[odd], yard.policy[odd])
    draws = correction.outcomes(values[odd], yard.policy[odd])
    return points, draws, yard.tricks[odd], yard.meld[odd]


def test_there_is_enough_of_it():
    yard = load_yardstick()
    assert yard.tricks.shape[0] >= 100
    assert yard.tricks.shape[1] >= 40
    assert ((yard.tricks >= 0) & (yard.tricks <= 250) & (yard.tricks % 10 == 0)).all()


def test_bias_is_small(held_out):
    points, _, truth, _ = held_out
    assert abs((points - truth).mean()) <= 3


def test_bias_is_small_in_every_tenth_of_strength(held_out):
    points, _, truth, _ = held_out
    order = np.argsort(points.mean(axis=1), kind="stable")
    for part in np.array_split(order, 10):
        gap = (points[part] - truth[part]).mean(axis=1)
        assert abs(gap.mean()) <= 6


def test_means_per_hand_are_near(held_out):
    points, _, truth, _ = held_out
    _, seen, left = per_hand_error(points, truth)
    assert left <= 6
    assert left < seen


def test_chances_are_near(held_out):
    _, draws, truth, meld = held_out
    bias, rmse = made_error(draws, truth, meld)
    assert bias < 0.03
    assert rmse < 0.06


def test_the_error_less_sampling_is_what_was_put_in():
    """Noise alone leaves next to nothing; a shift of each hand by 5 points stays."""
    rng = np.random.default_rng(1)
    truth = rng.normal(150, 20, size=(4000, 40))
    bias, seen, left = per_hand_error(np.full_like(truth, 150.0), truth)
    assert abs(bias) < 0.3
    assert seen == pytest.approx(20 / 40**0.5, rel=0.05)
    assert left < 1.0
    shifted = 150 + rng.choice([-5.0, 5.0], size=(4000, 1)) + np.zeros_like(truth)
    assert per_hand_error(shifted, truth)[2] == pytest.approx(5, rel=0.05)
