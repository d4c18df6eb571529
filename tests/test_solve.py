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
from advisor.kernels.ddbounds import sure_points
from advisor.kernels.ddstate import N_OWNERS, OWNER_WEIGHTS, one_of_each_group
from advisor.kernels.ddtable import bounds_and_move, find, keep
from advisor.solve import _legal, _without, solve
from advisor.solver import Solver, canonical_classes

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
@pytest.mark.parametrize("size", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_brute_force_agrees(size, heading):
    rng = np.random.default_rng([size, HEADINGS.index(heading)])
    for number in range({4: 60, 5: 12}.get(size, 400)):
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


@settings(deadline=None, max_examples=60)
@given(
    st.permutations(DECK),
    st.sampled_from(SUITS),
    st.integers(0, 3),
    st.integers(1, 6),
    st.integers(0, 3),
    st.sampled_from(HEADINGS),
)
def test_yes_or_no_agrees_with_the_value(order, trump, leader, size, n_played, heading):
    hands = hands_of(order, size)
    solver, played = SOLVERS[heading], []
    for place in range(n_played):
        seat = (leader + place) % 4
        card = _legal(hands[seat], trump, played, solver.heading)[0]
        hands[seat] = _without(hands[seat], card)
        played.append(card)
    fresh = Solver(Rules(heading=heading), table_bits=10)
    answers = {bid: fresh.at_least(hands, trump, leader, bid, played) for bid in range(0, 261, 10)}
    points = solver.points(hands, trump, leader, played)
    assert answers == {bid: points >= bid for bid in answers}
    assert fresh.at_least(hands, trump, leader, max(points - 3, 0), played)
    assert not fresh.at_least(hands, trump, leader, points + 3, played)


def code_and_class(hands):
    """Return the name of a state in words: who holds what in each half suit, and its classes."""
    classes = canonical_classes()
    halves = []
    for half in range(8):
        code = 0
        for seat, hand in enumerate(hands):
            weight = OWNER_WEIGHTS[seat]
            code += sum(weight * N_OWNERS ** (card % 3) for card in hand if card // 3 == half)
        halves.append(int(classes[code]))
    return halves


def twin_of(hands, random):
    """Return other cards for the same state: in every half suit the ranks held are moved."""
    moved = {}
    for half in range(8):
        ranks = [rank for rank in range(3) if any(3 * half + rank in hand for hand in hands)]
        places = sorted(random.sample(range(3), len(ranks)))
        moved |= {
            3 * half + rank: 3 * half + place for rank, place in zip(ranks, places, strict=True)
        }
    cards = [[moved[card] for card in hand] for hand in hands]
    # Where one seat alone holds two ranks of a half side by side, only the number counts: a card
    # changes its rank for the other of the two.
    for hand in cards:
        for place, card in enumerate(hand):
            for other in (card - 1, card + 1):
                alone = all(not {card, other} & set(held) for held in cards if held is not hand)
                if (
                    other // 3 == card // 3
                    and alone
                    and hand.count(other) == 1
                    and random.random() < 0.5
                ):
                    hand[place] = other
                    break
    return [Hand.from_cards(hand) for hand in cards]


@pytest.mark.parametrize("heading", HEADINGS)
@settings(deadline=None, max_examples=80)
@given(
    st.permutations(DECK),
    st.sampled_from(SUITS),
    st.integers(0, 3),
    st.integers(1, 3),
    st.randoms(),
)
def test_a_state_and_its_twin_have_one_name_and_one_value(
    heading, order, trump, leader, size, random
):
    hands = hands_of(order, size)
    twin = twin_of(hands, random)
    assert code_and_class(hands) == code_and_class(twin)
    expected = value(sorted_hands(hands), trump, leader, (), heading)
    assert value(sorted_hands(twin), trump, leader, (), heading) == expected
    for state in (hands, twin):
        assert Solver(Rules(heading=heading), 8).points(state, trump, leader) == expected


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_points_said_to_be_sure_are(size, heading):
    rng = np.random.default_rng([9, size, HEADINGS.index(heading)])
    for number in range(1500 if size < 3 else 700):
        deck = DECK if number % 3 else [card for card in DECK if card < 12]
        hands = hands_of([int(card) for card in rng.permutation(deck)[: 4 * size]], size)
        leader = int(rng.integers(4))
        total = 1 + sum(rank_of(card) >= 3 for hand in hands for card in hand)
        packed = np.array([hand.packed for hand in hands], dtype=np.uint64)
        low, high = sure_points(packed, leader, total, int(rng.integers(1, total + 1)))
        assert low <= value(sorted_hands(hands), 0, leader, (), heading) // 10 <= high


def groups_one_by_one(cards, others):
    """Return the lowest card of each group of equivalent cards, by the definition."""
    kept = []
    for card in sorted(cards):
        if not any(
            other // 3 == card // 3
            and not any(between in others for between in range(other, card + 1))
            for other in kept
        ):
            kept.append(card)
    return kept


@given(st.sets(st.integers(0, 23)), st.sets(st.integers(0, 23)))
def test_one_card_of_each_group_of_equivalent_cards(cards, others):
    mask, theirs = (np.uint64(sum(1 << 2 * card for card in held)) for held in (cards, others))
    kept = int(one_of_each_group(mask, theirs))
    assert [card for card in range(24) if kept >> 2 * card & 1] == groups_one_by_one(cards, others)


def test_the_table_keeps_what_took_longest_and_drops_other_deals_first():
    states = np.zeros((4, 2), dtype=np.uint64)
    names = [(np.uint64(number), np.uint64(3 << 48 | number)) for number in range(1, 7)]
    for number, name in enumerate(names[:4], start=1):
        bucket, place = find(states, *name)
        assert place == -1
        keep(states, bucket, *name, number, 20 + number, number, 10**number, 1)
    for number, name in enumerate(names[:4], start=1):
        place = find(states, *name)[1]
        assert bounds_and_move(states[place, 0]) == (number, 20 + number, number)
    keep(states, 0, *names[4], 0, 1, 0, 2, 1)
    assert [find(states, *name)[1] >= 0 for name in names] == [False, True, True, True, True, False]
    # Of the same deal the quickest goes; the fifth is that now, until the deal is another.
    keep(states, 0, *names[4], 1, 1, 0, 10**6, 2)
    keep(states, 0, *names[5], 0, 1, 0, 2, 2)
    assert [find(states, *name)[1] >= 0 for name in names] == [False, False, True, True, True, True]


def test_there_are_2731_classes_of_half_a_suit():
    classes = canonical_classes()
    assert classes.max() == 2730
    assert not classes.flags.writeable


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["A.-.-.-"] * 4, "4x AS in the four hands"),
        (["A.-.-.-"] * 3, "expected 4 hands, found 3"),
        (["AT.-.-.-", "A.-.-.-", "-.A.-.-", "-.-.A.-"], "hand 1 has 2 cards, expected 1"),
        (["AT.-.-.-", "A.-.-.-", "-.AK.-.-", "-.-.AK.-"], "hand 2 has 1 card, expected 2"),
        (["AT.-.-.-", "A.-.-.-", "-.A.-.-", "-.-.AK.-"], "hand 2 has 1 card, expected 2"),
    ],
)
def test_hands_that_are_not_of_one_deal(texts, message):
    with pytest.raises(HandError, match=message) as caught:
        solve([Hand.parse(text) for text in texts], 0)
    assert "\n" not in str(caught.value)


def test_the_odd_hand_out_is_named_within_a_trick():
    hands = [Hand.parse(text) for text in ("AT.-.-.-", "A.-.-.-", "-.AK.-.-", "-.-.A.-")]
    with pytest.raises(HandError, match="hand 4 has 1 card, expected 2"):
        solve(hands, 0, leader=1, played=[20])
    hands[1], hands[3] = Hand.parse("AK.-.-.-"), Hand.parse("-.-.AK.-")
    with pytest.raises(HandError, match="hand 2 has 2 cards, expected 1"):
        solve(hands, 0, leader=1, played=[20])


def test_other_bad_arguments():
    hands = hands_of(list(range(4)), 1)
    with pytest.raises(OptionError, match="trump: expected a whole number from 0 to 3"):
        solve(hands, 4)
    with pytest.raises(OptionError, match="leader"):
        solve(hands, 0, leader=-1)
    with pytest.raises(OptionError, match="card_points"):
        solve(hands, 0, rules=Rules(card_points="10-10-5-5"))
    solver = SOLVERS["always"]
    for ask in (solver.points, lambda *words: solver.at_least(*words, 0)):
        with pytest.raises(OptionError, match="trump: expected a whole number from 0 to 3"):
            ask(hands, 4, 0)
        with pytest.raises(OptionError, match="leader"):
            ask(hands, 0, 4)
        with pytest.raises(HandError, match="expected 4 hands, found 3"):
            ask(hands[:3], 0, 0)
    with pytest.raises(OptionError, match="points: expected a whole number from 0 to 1000"):
        solver.at_least(hands, 0, 0, -10)
    with pytest.raises(HandError, match="at most 3 cards on the table"):
        check_deal(hands, [0, 1, 2, 3])
    assert card_name(solve(hands, 0, leader=0).best_leads(0)[0]) == "9S"
