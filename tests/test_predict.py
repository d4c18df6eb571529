"""Predictors: what an engine says, and the correction from there to real play."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK
from naive_lite import guess
from naive_play import chance, play_names
from test_rounds import after_exchange, renamed, simulated

from advisor import advise
from advisor.engines import simulated_values
from advisor.errors import OptionError
from advisor.game.cards import Hand
from advisor.game.rules import Rules
from advisor.limits import ENGINES
from advisor.playing import rule_array
from advisor.predict import CORRECTIONS_FILE, Correction, corrections, in_points
from advisor.simulate import simulate
from advisor.solve import solve

HAND = Hand.parse("AATKQJ.AK.QJ.T9")


def played_hands(samples, seed, trump=0):
    """Return the hands that are played, by sample and rotation, trump in suit 0."""
    hand = sorted(HAND)
    _, cards, deals = simulated(hand, trump, Rules(), samples, seed)
    from naive import unpacked

    table = []
    for i, hidden in enumerate(deals):
        names = play_names(hand, trump, seed, i)
        for turn in range(3):
            received, returned = (unpacked(word) for word in cards[i, turn, :2])
            hands = after_exchange(hand, hidden, turn, received, returned)
            table.append([[renamed(card, names) for card in held] for held in hands])
    return table


@given(st.integers(-3000, 9000))
def test_points_are_the_nearest_counter(value):
    exact = Fraction(value, 256) + Fraction(1, 2)
    assert in_points(np.array([value])).tolist() == [10 * min(max(exact // 1, 0), 25)]


@settings(max_examples=200)
@given(
    st.integers(0, 6400),
    st.integers(0, 25),
    st.integers(0, 1023),
    st.integers(-2000, 2000),
    st.integers(-5000, 8000),
    st.integers(-5000, 8000),
    st.lists(st.integers(-2000, 2000), min_size=1, max_size=64).map(sorted),
)
def test_a_correction_is_a_line_and_a_draw(value, taken, number, start, slope, other, residuals):
    correction = Correction(1, start, slope, other, tuple(residuals))
    line = start + (slope * value + other * 256 * taken) // 4096
    drawn = residuals[number * len(residuals) // 1024]
    expected = 10 * min(max((line + drawn + 128) // 256, 0), 25)
    chances = np.array([number], dtype=np.uint64)
    values, policy = np.array([value]), np.array([10 * taken])
    assert correction.points(values, policy, chances).tolist() == [expected]
    every = correction.outcomes(values, policy)
    assert expected in every[0].tolist()
    assert correction.expected(values, policy) == pytest.approx(every.mean())


def test_draws_are_as_likely_as_each_other():
    correction = Correction(1, 0, 4096, 0, tuple(range(0, 64 * 256, 256)))
    numbers = np.arange(1024, dtype=np.uint64)
    points = correction.points(np.zeros(1024, dtype=np.int64), np.zeros(1024, int), numbers)
    assert np.bincount(points // 10)[:25].tolist() == [16] * 25


def test_raw_lite_is_the_guide_of_the_hands_that_are_played():
    table = played_hands(8, seed=5)
    found = simulate(HAND, 0, samples=8, seed=5, engine="lite", raw=True).our_tricks.ravel()
    assert found.tolist() == in_points(np.array([guess(hands, 0) for hands in table])).tolist()


def test_raw_exact_is_the_solvers_value():
    outcomes = simulate(HAND, 0, samples=2, seed=5, engine="exact", raw=True)
    for hands, points in zip(played_hands(2, seed=5), outcomes.our_tricks.ravel(), strict=True):
        deal = [Hand.from_cards(held) for held in hands]
        assert solve(deal, 0, leads=False).points == points


def test_corrected_points_follow_the_twin():
    samples, seed = 40, 5
    hand = sorted(HAND)
    correction = corrections()["lite"]
    policy = simulate(HAND, 0, samples=samples, seed=seed, engine="policy", raw=True).our_tricks
    values = [guess(hands, 0) for hands in played_hands(samples, seed)]
    numbers = [chance(hand, seed, i, turn) for i in range(samples) for turn in range(3)]
    expected = correction.points(
        np.array(values), policy.ravel(), np.array(numbers, dtype=np.uint64)
    )
    found = simulate(HAND, 0, samples=samples, seed=seed)
    assert found.our_tricks.ravel().tolist() == expected.tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_only_tricks_depend_on_the_predictor(engine):
    samples = 1 if engine == "exact" else 60
    base = simulate(HAND, 1, samples=samples, engine="policy", raw=True)
    for raw in (False, True):
        other = simulate(HAND, 1, samples=samples, engine=engine, raw=raw)
        for name in ("our_meld", "their_meld", "declarer_meld", "flags", "received", "returned"):
            assert (getattr(base, name) == getattr(other, name)).all()
        assert ((other.our_tricks >= 0) & (other.our_tricks <= 250)).all()


@pytest.mark.parametrize("raw", [False, True])
def test_blocks_and_threads_change_nothing(raw):
    from advisor.simulate import worker_pool

    whole = simulate(HAND, 2, samples=300, seed=3, raw=raw)
    with worker_pool(2) as pool:
        cut = simulate(HAND, 2, samples=300, seed=3, raw=raw, block=7, executor=pool)
    assert (whole.our_tricks == cut.our_tricks).all()


def test_exact_blocks_and_threads_change_nothing():
    from advisor.simulate import worker_pool

    whole = simulate(HAND, 0, samples=3, seed=3, engine="exact", block=3)
    with worker_pool(2) as pool:
        cut = simulate(HAND, 0, samples=3, seed=3, engine="exact", executor=pool)
    assert (whole.our_tricks == cut.our_tricks).all()


def test_lite_tells_hands_apart_better_than_chance():
    rng = np.random.default_rng(4)
    deals = np.array(
        [
            [
                Hand.from_cards(int(card) for card in order[12 * seat : 12 * seat + 12]).packed
                for seat in range(4)
            ]
            for order in (rng.permutation(DECK) for _ in range(60))
        ],
        dtype=np.uint64,
    )
    lite = simulated_values(deals, rule_array(Rules()), "lite")
    exact = simulated_values(deals, rule_array(Rules()), "exact")
    assert np.corrcoef(lite, exact)[0, 1] > 0.8


def test_rules_that_count_cards_otherwise_have_the_raw_policy_only():
    rules = Rules(last_trick=20)
    assert (advise(HAND, rules=rules, samples=20).engine, True) == ("policy", True)
    assert advise(HAND, rules=rules, samples=20).correction is None
    for engine in ("lite", "exact"):
        with pytest.raises(OptionError, match=f"{engine}: expected card_points 10-10-10"):
            simulate(HAND, 0, samples=1, rules=rules, engine=engine)


def test_corrections_say_how_they_were_made():
    stored = json.loads(CORRECTIONS_FILE.read_text())
    assert any("correction_fit.py" in line for line in stored["made_by"])
    assert set(corrections()) == set(ENGINES)
    for correction in corrections().values():
        assert correction.version == stored["version"] >= 1
        assert list(correction.residuals) == sorted(correction.residuals)


def test_advice_names_engine_and_correction():
    default = advise(HAND, samples=30)
    assert (default.engine, default.correction) == ("lite", corrections()["lite"].version)
    raw = advise(HAND, samples=30, engine="policy", raw=True)
    assert (raw.engine, raw.correction, raw.raw) == ("policy", None, True)
