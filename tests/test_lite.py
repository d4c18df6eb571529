"""The lite engine: against a slow twin, its invariants, and how near it comes to exact values."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, cards_of
from naive_lite import groups, sensible, value, with_trump_first

from advisor.engines import lite_values
from advisor.game.cards import SUIT_LETTERS, Hand, make_card, rank_of, suit_of
from advisor.kernels.ddstate import one_of_each_group
from advisor.kernels.lite import sensible as sensible_cards
from advisor.solve import solve

DATA = Path(__file__).parent / "data"
HEADINGS = ("always", "trump-leads", "after-ruff")


def judged(deals, trumps, leaders, tables=None, tricks=0, heading=0):
    """Return the engine's values of some deals, lists of four lists of cards."""
    count = len(deals)
    packed = np.array([[Hand.from_cards(hand).packed for hand in deal] for deal in deals])
    words = np.zeros((count, 3), dtype=np.uint64)
    tables = [[]] * count if tables is None else tables
    for i, table in enumerate(tables):
        words[i, : len(table)] = [1 << 2 * card for card in table]
    return lite_values(
        packed.astype(np.uint64),
        np.array(trumps),
        np.array(leaders),
        words,
        np.array([len(table) for table in tables]),
        heading,
        tricks,
    ).tolist()


def split(order, size):
    return [[int(card) for card in order[seat * size : seat * size + size]] for seat in range(4)]


def with_table(hands, leader, n_table, trump, heading, rng):
    """Return hands and table after some random legal plays of the trick that `leader` leads."""
    from naive import legal_plays

    hands = [list(hand) for hand in hands]
    table = []
    for place in range(n_table):
        seat = (leader + place) % 4
        card = rng.choice(sorted(legal_plays(hands[seat], table, trump, heading)))
        hands[seat].remove(card)
        table.append(int(card))
    return hands, table


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_the_slow_twin_agrees(tricks, heading):
    rng = np.random.default_rng([tricks, HEADINGS.index(heading)])
    for number in range(24 if tricks < 2 else 6):
        size = int(rng.integers(1, 13 if tricks < 2 else 6))
        trump, leader = number % 4, int(rng.integers(4))
        hands = split(rng.permutation(DECK), size)
        n_table = int(rng.integers(4)) if number % 3 else 0
        hands, table = with_table(hands, leader, n_table, trump, heading, rng)
        expected = value(
            with_trump_first(hands, trump),
            leader,
            with_trump_first([table], trump)[0],
            max(tricks, 1) if table else tricks,
            heading,
        )
        found = judged([hands], [trump], [leader], [table], tricks, HEADINGS.index(heading))
        assert found == [expected], (hands, trump, leader, table)


@settings(deadline=None)
@given(st.permutations(DECK), st.integers(1, 12), st.integers(0, 3), st.integers(0, 2))
def test_side_suits_are_alike(order, size, leader, tricks):
    hands = split(order, size)
    renamed = [
        [make_card((0, 2, 3, 1)[suit_of(card)], rank_of(card)) for card in hand] for hand in hands
    ]
    tricks = min(tricks, 1) if size > 6 else tricks
    assert judged([hands], [0], [leader], tricks=tricks) == judged(
        [renamed], [0], [leader], tricks=tricks
    )


@settings(deadline=None)
@given(st.permutations(DECK), st.integers(1, 12), st.sampled_from(range(4)), st.integers(0, 1))
def test_turning_the_seats_gives_what_is_left(order, size, leader, tricks):
    hands = split(order, size)
    turned = [hands[(seat - 1) % 4] for seat in range(4)]
    total = 256 * (1 + sum(rank_of(card) >= 3 for hand in hands for card in hand))
    here = judged([hands], [0], [leader], tricks=tricks)[0]
    there = judged([turned], [0], [(leader + 1) % 4], tricks=tricks)[0]
    assert here + there == total


@settings(deadline=None)
@given(st.permutations(DECK), st.integers(1, 12))
def test_choices_are_those_of_the_twin(order, size):
    hands = split(order, size)
    own, others = set(hands[0]), {card for hand in hands[1:] for card in hand}
    word = np.uint64(sum(1 << 2 * card for card in own))
    rest = np.uint64(sum(1 << 2 * card for card in others))
    kept = one_of_each_group.py_func(word, rest)
    assert int(kept) == sum(1 << 2 * card for card in groups(own, others))
    chosen = sensible_cards.py_func(kept)
    assert int(chosen) == sum(1 << 2 * card for card in sensible(groups(own, others)))


def test_all_tricks_looked_ahead_are_nearly_exact():
    """With no guide in it, the value differs from the exact one only by the cards left out."""
    rng = np.random.default_rng(3)
    gaps = []
    for number in range(150):
        hands = split(rng.permutation(DECK), 3)
        exact = solve([Hand.from_cards(hand) for hand in hands], number % 4, leads=False).points
        gaps.append(judged([hands], [number % 4], [0], tricks=3)[0] * 10 / 256 - exact)
    assert np.mean(np.array(gaps) == 0) > 0.95


def recorded(tricks):
    for line in (DATA / f"double_dummy_{tricks}_tricks.jsonl").read_text().splitlines():
        deal = json.loads(line)
        hands = [list(cards_of(text)) for text in deal["hands"]]
        yield hands, SUIT_LETTERS.index(deal["trump"]), deal["leader"], deal["points_team02"]


@pytest.mark.parametrize(("tricks", "rmse"), [(0, 25), (1, 20)])
def test_full_deals_come_near_exact_values(tricks, rmse):
    """80 deals that the guide was not fitted on, judged for the leader's side."""
    hands, trumps, leaders, points = zip(*recorded(12), strict=True)
    gap = np.array(judged(hands, trumps, leaders, tricks=tricks)) * 10 / 256 - np.array(points)
    side = np.where(np.array(leaders) % 2 == 0, 1, -1)
    assert (gap**2).mean() ** 0.5 < rmse
    assert abs((gap * side).mean()) <= 3


def test_the_guide_is_what_its_file_says():
    from advisor.guide import GUIDE_FILE, guide_weights

    stored = json.loads(GUIDE_FILE.read_text())
    assert any("guide_fit.py" in line for line in stored["made_by"])
    assert all(not weights.flags.writeable for weights in guide_weights())
