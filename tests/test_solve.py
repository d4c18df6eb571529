"""The exact solver against brute force, against an independent solver, and its invariants."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, cards_of
from naive_solve import value

from advisor.dealfile import check_deal
from advisor.errors import HandError, OptionError
from advisor.game.cards import SUIT_LETTERS, SUITS, Hand, card_name, make_card, rank_of, suit_of
from advisor.game.rules import Rules
from advisor.solve import Solver, canonical_classes, solve

DATA = Path(__file__).parent / "data"
HEADINGS = ("always", "trump-leads", "after-ruff")
SOLVERS = {heading: Solver(Rules(heading=heading)) for heading in HEADINGS}


def hands_of(cards, size):
    return [Hand.from_cards(cards[seat * size : (seat + 1) * size]) for seat in range(4)]


def sorted_hands(hands):
    return tuple(tuple(sorted(hand)) for hand in hands)


def recorded(tricks):
    lines = (DATA / f"double_dummy_{tricks}_tricks.jsonl").read_text().splitlines()
    for line in lines:
        deal = json.loads(line)
        hands = [Hand.from_cards(cards_of(text)) for text in deal["hands"]]
        yield hands, SUIT_LETTERS.index(deal["trump"]), deal["leader"], deal["points_team02"]


@pytest.mark.parametrize("tricks", [5, 8])
def test_values_of_an_independent_solver(tricks):
    solver = Solver(table_bits=18)
    for hands, trump, leader, points in recorded(tricks):
        assert solver.points(hands, trump, leader) == points


@pytest.mark.slow
def test_full_deals_of_an_independent_solver():
    solver = Solver(table_bits=22)
    for hands, trump, leader, points in recorded(12):
        assert solver.points(hands, trump, leader) == points


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_brute_force_agrees(size, heading):
    rng = np.random.default_rng([size, HEADINGS.index(heading)])
    for number in range(400 if size < 4 else 60):
        # Two suits for every third deal, so that ruffs and equal cards are many.
        deck = DECK if number % 3 else [card for card in DECK if card < 12]
        cards = [int(card) for card in rng.permutation(deck)[: 4 * size]]
        hands, trump, leader = hands_of(cards, size), number % 4, int(rng.integers(4))
        expected = value(sorted_hands(hands), trump, leader, (), heading)
        assert SOLVERS[heading].points(hands, trump, leader) == expected


@settings(deadline=None, max_examples=150)
@given(st.permutations(DECK), st.sampled_from(SUITS), st.integers(0, 3), st.sampled_from(HEADINGS))
def test_brute_force_agrees_in_mid_trick_and_for_every_lead(order, trump, leader, heading):
    hands = hands_of(order, 3)
    solution = solve(hands, trump, leader, rules=Rules(heading=heading), solver=SOLVERS[heading])
    assert solution.points == value(sorted_hands(hands), trump, leader, (), heading)
    best = max if leader % 2 == 0 else min
    assert solution.points == best(solution.leads.values())
    for card, points in solution.leads.items():
        left = list(hands)
        left[leader] = Hand.from_cards(c for c in sorted(hands[leader]))
        counts = list(left[leader].counts)
        counts[card] -= 1
        left[leader] = Hand(tuple(counts))
        assert points == value(sorted_hands(left), trump, leader, (card,), heading)
        middle = solve(
            left,
            trump,
            leader,
            played=[card],
            rules=Rules(heading=heading),
            solver=SOLVERS[heading],
        )
        assert middle.points == points


@settings(deadline=None, max_examples=60)
@given(st.permutations(DECK), st.sampled_from(SUITS), st.integers(0, 3), st.integers(2, 6))
def test_turned_by_a_seat_the_other_side_has_the_rest(order, trump, leader, size):
    hands = hands_of(order, size)
    solver = SOLVERS["always"]
    total = 10 * (1 + sum(rank_of(card) >= 3 for hand in hands for card in hand))
    ours = solver.points(hands, trump, leader)
    theirs = solver.points([hands[-1], *hands[:-1]], trump, (leader + 1) % 4)
    assert ours + theirs == total


@settings(deadline=None, max_examples=60)
@given(
    st.permutations(DECK),
    st.permutations(SUITS),
    st.sampled_from(SUITS),
    st.integers(0, 3),
    st.integers(2, 6),
)
def test_renaming_suits_changes_nothing(order, names, trump, leader, size):
    hands = hands_of(order, size)
    renamed = [
        Hand.from_cards(make_card(names[suit_of(card)], rank_of(card)) for card in hand)
        for hand in hands
    ]
    solver = SOLVERS["always"]
    assert solver.points(hands, trump, leader) == solver.points(renamed, names[trump], leader)


@settings(deadline=None, max_examples=40)
@given(st.permutations(DECK), st.sampled_from(SUITS), st.integers(0, 3), st.integers(1, 5))
def test_a_line_of_perfect_play_earns_the_value(order, trump, leader, size):
    hands = hands_of(order, size)
    solution = solve(hands, trump, leader, line=True)
    cards = [list(hand) for hand in hands]
    from naive import replay

    played = replay(cards, list(solution.line), trump, leader, Rules())
    assert played.points[0] == solution.points
    assert played.points[1] == solution.other_points


def test_a_small_table_and_a_fresh_one_agree():
    for hands, trump, leader, points in list(recorded(8))[:40]:
        assert Solver(table_bits=8).points(hands, trump, leader) == points


def test_there_are_2731_classes_of_half_a_suit():
    classes = canonical_classes()
    assert classes.max() == 2730
    assert not classes.flags.writeable


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["A.-.-.-"] * 4, "4x AS in the four hands"),
        (["A.-.-.-"] * 3, "expected 4 hands, found 3"),
        (["AT.-.-.-", "A.-.-.-", "-.A.-.-", "-.-.A.-"], "hand 2 has 1 card, expected 2"),
    ],
)
def test_hands_that_are_not_of_one_deal(texts, message):
    with pytest.raises(HandError, match=message) as caught:
        solve([Hand.parse(text) for text in texts], 0)
    assert "\n" not in str(caught.value)


def test_other_bad_arguments():
    hands = hands_of(list(range(4)), 1)
    with pytest.raises(OptionError, match="trump: expected a whole number from 0 to 3"):
        solve(hands, 4)
    with pytest.raises(OptionError, match="leader"):
        solve(hands, 0, leader=-1)
    with pytest.raises(OptionError, match="card_points"):
        solve(hands, 0, rules=Rules(card_points="10-10-5-5"))
    with pytest.raises(HandError, match="at most 3 cards on the table"):
        check_deal(hands, [0, 1, 2, 3])
    assert card_name(solve(hands, 0, leader=0).best_leads(0)[0]) == "9S"
