"""The quick valuation: the kernel against a count by hand, and against the simulator."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import DECK, packed, unpacked
from naive_bidding import UNITS, features, value

from advisor import Hand
from advisor.bidding import random_hands
from advisor.errors import OptionError
from advisor.game.cards import SUITS
from advisor.game.rules import PRESETS, Rules
from advisor.kernels.valuation import N_WEIGHTS, feature_rows, value_hands
from advisor.playing import rule_array
from advisor.simulate import simulate
from advisor.valuation import (
    MODELS,
    VALUATION_FILE,
    feature_names,
    quick_value,
    quick_values,
    valuation_weights,
)

HANDS = st.permutations(DECK).map(lambda deck: sorted(deck[:12]))
RULES = [
    Rules(),
    PRESETS["pagat"],
    Rules(run_extras=True, royal_in_run=True, roundhouse_bonus=200),
]
EDGES = [
    "AATTKKQQJJ99.-.-.-",
    "-.-.-.AATTKKQQJJ99",
    "A.A.A.AATTKKQQJ",
    "AA.AA.AA.AATT99",
    "KQ.KQ.KQ.KKQQJJ",
    "QQJ.QJ.QJJ.QKTT",
    "99.99.99.99AATT",
    "AATTKKQQJ.-.JJ.9",
]
NAMES = feature_names()


def rows(hands, trumps, rules):
    out = np.zeros((len(hands), N_WEIGHTS), dtype=np.int16)
    words = np.array([packed(hand) for hand in hands], dtype=np.uint64)
    feature_rows(words, np.array(trumps, dtype=np.int64), rule_array(rules), out)
    return [{NAMES[i]: int(row[i]) for i in np.flatnonzero(row)} for row in out]


def assert_counted(cards, rules, seed):
    found = rows([cards] * 4, SUITS, rules)
    assert found == [features(cards, trump, rules) for trump in SUITS]
    weights = np.random.default_rng(seed).integers(-900, 900, N_WEIGHTS)
    out = np.zeros((1, 4), dtype=np.int64)
    word = np.array([packed(cards)], dtype=np.uint64)
    value_hands(word, rule_array(rules), weights, out)
    by_name = dict(zip(NAMES, weights.tolist(), strict=True))
    assert out[0].tolist() == [value(cards, trump, rules, by_name) for trump in SUITS]


@pytest.mark.parametrize("text", EDGES)
@pytest.mark.parametrize("rules", RULES, ids=["cardgames", "pagat", "extras"])
def test_edges_are_counted(text, rules):
    assert_counted(list(Hand.parse(text).cards), rules, 1)


@given(HANDS, st.sampled_from(RULES), st.integers(0, 99))
def test_any_hand_is_counted(cards, rules, seed):
    assert_counted(cards, rules, seed)


def test_names_are_distinct_and_every_feature_occurs():
    assert len(set(NAMES)) == N_WEIGHTS
    hands = [unpacked(word) for word in random_hands(6000, 4)]
    hands += [list(Hand.parse(text).cards) for text in EDGES]
    seen = set()
    for trump in SUITS:
        for row in rows(hands, [trump] * len(hands), Rules()):
            seen.update(row)
    # No twelve cards of random deals show these; the edges above hold some of them.
    assert len(seen) > N_WEIGHTS - 3


def test_the_file_has_a_weight_for_every_feature():
    stored = json.loads(VALUATION_FILE.read_text())
    assert set(stored["models"]) == set(MODELS)
    assert stored["unit"] == f"1/{UNITS} point"
    assert any(line.startswith("command: `python benchmarks/") for line in stored["made_by"])
    for model, weights in stored["models"].items():
        assert list(weights) == NAMES
        assert valuation_weights(model).tolist() == list(weights.values())
        assert not valuation_weights(model).flags.writeable


@pytest.mark.parametrize("model", MODELS)
def test_the_value_is_a_dot_product(model):
    hands = random_hands(40, 8)
    found = quick_values(hands, rule_array(Rules()), model)
    weights = json.loads(VALUATION_FILE.read_text())["models"][model]
    for word, points in zip(hands, found.tolist(), strict=True):
        cards = unpacked(word)
        for trump in SUITS:
            total = sum(
                weights[name] * number for name, number in features(cards, trump, Rules()).items()
            )
            assert points[trump] == total / 64
        assert quick_value(Hand.from_cards(cards), model=model) == points


def test_an_unknown_model_is_refused():
    with pytest.raises(OptionError, match=r"model: expected mean, .*found 'p99'"):
        valuation_weights("p99")


def test_models_stand_in_order():
    values = [
        quick_values(random_hands(500, 6), rule_array(Rules()), f"p{share}").max(axis=1).mean()
        for share in (10, 18, 25, 35, 40, 50)
    ]
    assert values == sorted(values)


def test_the_mean_model_is_near_the_simulator():
    """On 30 random hands in their best suit, RMS within 14 points where the study found 9.5."""
    errors = []
    for word in random_hands(30, 99):
        hand = Hand.from_packed(int(word))
        values = quick_value(hand)
        trump = max(SUITS, key=values.__getitem__)
        errors.append(simulate(hand, trump, samples=150, seed=5).score.mean() - values[trump])
    errors = np.array(errors)
    assert (errors**2).mean() ** 0.5 < 14
    # The mean of thirty has a standard error of 1.8.
    assert abs(errors.mean()) < 6
