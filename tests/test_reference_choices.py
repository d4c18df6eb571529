"""What the sampling players choose: the best card in the mean of the worlds that they drew."""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from naive import DECK, legal_plays, packed, unpacked, winning_place
from naive_lite import value as twin_value
from naive_play import View, follow, lead, pair
from reference_game import FAST, RULES, TRUMP, Game

from advisor import Hand, Rules
from advisor.engines import lite_values
from advisor.game.cards import KING, make_card, rank_of, suit_of
from advisor.kernels.packed import RULE_HEADING
from advisor.solve import solve

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from reference import knowledge as k


def failed_suits(game, turn):
    """Return who failed to follow suit, or to trump when they could not, as the policy sees it."""
    failed = set()
    for i in range(turn):
        seat, table, _ = game.turn_state(i)
        suit = suit_of(int(game.trace[i]))
        if table and suit != suit_of(table[0]):
            failed.add((seat, suit_of(table[0])))
            if suit != TRUMP:
                failed.add((seat, TRUMP))
    return failed


def policy_card(seat, hand, table, played, failed, rules):
    view = View(seat, [pair(card) for card in hand], TRUMP, [pair(card) for card in played], failed)
    if not table:
        return make_card(*lead(view, not played and rules.first_lead == "trump"))
    legal = legal_plays(hand, table, TRUMP, rules.heading)
    return make_card(*follow(view, [pair(card) for card in table], [pair(card) for card in legal]))


def exact_values(game, turn, world):
    """Return what perfect open play makes of every legal card."""
    _, table, leader = game.turn_state(turn)
    hands = [Hand.from_cards(unpacked(hand)) for hand in world]
    return dict(solve(hands, TRUMP, leader, played=table, rules=game.rules).leads)


def engine_value(game, hands, leader, table):
    """Return what the lite engine says of an open position, in 1/256 counter."""
    words = np.zeros((1, 3), dtype=np.uint64)
    words[0, : len(table)] = [1 << 2 * card for card in table]
    return lite_values(
        np.array([[packed(hand) for hand in hands]], dtype=np.uint64),
        np.array([TRUMP]),
        np.array([leader]),
        words,
        np.array([len(table)]),
        int(game.table.rules[RULE_HEADING]),
        game.settings.lite_tricks,
    )[0]


def slow_value(game, hands, leader, table):
    """Return the same by the slow twin, which looks to the end of a trick begun."""
    tricks = max(game.settings.lite_tricks, 1) if table else game.settings.lite_tricks
    return twin_value(hands, leader, table, tricks, game.rules.heading)


def early_values(judge):
    """Return a function that values every legal card by a judge of open positions.

    Its values are hundredths of a point, rounded down as the player's are.
    """

    def values_of(game, turn, world):
        seat, table, leader = game.turn_state(turn)
        own = unpacked(world[seat])
        legal = legal_plays(own, table, TRUMP, game.rules.heading)
        if turn == 0 and game.rules.first_lead == "trump":
            legal = [card for card in legal if suit_of(card) == TRUMP] or legal
        values = {}
        for card in lowest_of_groups(legal, own, table, game.trace[:turn]):
            hands = [unpacked(hand) for hand in world]
            hands[seat].remove(card)
            trick, first, points = [*table, card], leader, 0
            if len(trick) == 4:
                first = (leader + winning_place(trick, TRUMP)) % 4
                if first % 2 == 0:
                    points = sum(10 for one in trick if rank_of(one) >= KING)
                trick = []
            values[card] = 100 * points + int(judge(game, hands, first, trick)) * 1000 // 256
        return values

    return values_of


def lowest_of_groups(legal, hand, table, played):
    """Return the lowest of equivalent cards: nobody else may have one from the lower to the higher.

    Counters are not equivalent to other cards.
    """
    others = set((Counter(DECK) - Counter(hand) - Counter(map(int, played))) + Counter(table))
    lowest = []
    for card in sorted(set(legal)):
        same_half = lowest and lowest[-1] // 3 == card // 3
        if not same_half or others & set(range(lowest[-1], card + 1)):
            lowest.append(card)
    return lowest


def assert_best_in_the_mean(game, turn, values_of):
    """Check a choice against the worlds that the seat drew; return whether it had one."""
    words, facts = game.look(turn)
    worlds, _ = game.worlds(words, facts, game.settings.worlds)
    seat, table, _ = game.turn_state(turn)
    totals = Counter()
    for world in worlds:
        totals.update(values_of(game, turn, world))
    best = (max if seat % 2 == 0 else min)(totals.values())
    tied = {card for card, total in totals.items() if total == best}
    chosen = int(game.trace[turn])
    played = [int(card) for card in game.trace[:turn]]
    hand = unpacked(words[k.OWN])
    usual = policy_card(seat, hand, table, played, failed_suits(game, turn), game.rules)
    if usual in tied or any(
        lowest_of_groups([card, usual], hand, table, played) == [card] for card in tied
    ):
        assert chosen == usual
    else:
        assert chosen in tied
    return len(tied) < len(totals)


@pytest.mark.parametrize("seats", [(0, 2), (1, 3)])
def test_policy_seats_and_sampling_seats_share_a_table(seats):
    """A policy seat plays by the policy and the others by sampling, whatever was played before."""
    sampled = differing = 0
    for number in range(3):
        game = Game(Rules(), number, replace(FAST, policy_seats=seats))
        left = [unpacked(hand) for hand in game.deals.hands[0]]
        for turn in range(48):
            seat, table, _ = game.turn_state(turn)
            card, played = int(game.trace[turn]), [int(one) for one in game.trace[:turn]]
            usual = policy_card(
                seat, left[seat], table, played, failed_suits(game, turn), game.rules
            )
            if seat in seats:
                assert card == usual
            else:
                differing += card != usual
                values_of = early_values(engine_value) if turn < 32 else exact_values
                sampled += assert_best_in_the_mean(game, turn, values_of)
            left[seat].remove(card)
    assert sampled > 20
    assert differing > 5


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_late_choices_are_best_by_exact_play(rules):
    real = 0
    for number in range(4):
        game = Game(rules, number)
        real += sum(assert_best_in_the_mean(game, turn, exact_values) for turn in range(32, 48))
    assert real > 5


@pytest.mark.parametrize("tricks", [0, 1])
@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_early_choices_are_best_by_the_evaluator(rules, tricks):
    """Before the ending the lite engine says what a card is worth in a world; see `early_value`."""
    real = 0
    for number in (10, 11):
        game = Game(rules, number, replace(FAST, lite_tricks=tricks))
        real += sum(
            assert_best_in_the_mean(game, turn, early_values(engine_value)) for turn in range(32)
        )
    assert real > 20


@pytest.mark.parametrize("tricks", [0, 1])
@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_early_choices_are_best_by_the_slow_twin(rules, tricks):
    """The same without the kernels, where few positions have to be judged."""
    turns = [turn for turn in range(32) if turn % 4 >= 2] if tricks == 0 else [23, 27, 31]
    real = 0
    for number in range(10, 13 if tricks == 0 else 20):
        game = Game(rules, number, replace(FAST, lite_tricks=tricks))
        real += sum(assert_best_in_the_mean(game, turn, early_values(slow_value)) for turn in turns)
    assert real > 3
