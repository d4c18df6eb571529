import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import OptionError, RulesError
from advisor.game.rules import PRESETS, Rules
from advisor.game.scoring import RoundScore, keeps_meld, may_throw_in, score_round, winner

DEFAULT = Rules()


@pytest.mark.parametrize(
    ("bid", "our_meld", "our_tricks", "their_meld", "expected"),
    [
        (300, 120, 180, 60, RoundScore(300, 130, True)),
        (300, 120, 170, 60, RoundScore(-300, 140, False)),
        (330, 60, 250, 90, RoundScore(-330, 0, False)),
        (250, 20, 250, 0, RoundScore(270, 0, True)),
        (250, 20, 250, 400, RoundScore(270, 0, True)),
        (250, 260, 0, 40, RoundScore(-250, 290, False)),
        (250, 0, 250, 100, RoundScore(250, 0, True)),
    ],
)
def test_cases_of_the_rules_reference(bid, our_meld, our_tricks, their_meld, expected):
    result = score_round(DEFAULT, bid, our_meld, our_tricks, their_meld, 250 - our_tricks)
    assert result == expected


def test_thrown_in():
    result = score_round(DEFAULT, 330, 60, 0, 90, 0, thrown_in=True)
    assert result == RoundScore(-330, 90, False)
    # Nobody played, so nobody had to save a meld.
    assert score_round(Rules(save_meld="trick"), 330, 60, 0, 90, 0, thrown_in=True) == result


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [
        ("over-250", [False, False, False, True]),
        ("from-250", [False, False, True, True]),
        ("any", [False, True, True, True]),
        ("never", [False, False, False, False]),
    ],
)
def test_when_the_hand_may_be_thrown_in(rule, allowed):
    rules = Rules(throw_in=rule)
    assert [may_throw_in(rules, 330, meld) for meld in (330, 320, 80, 70)] == allowed
    with pytest.raises(RulesError, match=r"throw_in: expected .*, found bid 330 and meld 330"):
        score_round(rules, 330, 330, 0, 0, 0, thrown_in=True)


def test_the_boundary_is_the_points_of_all_tricks():
    rules = Rules(last_trick=20)
    assert not may_throw_in(rules, 330, 70)
    assert may_throw_in(rules, 330, 60)


def test_seeds_differ_at_exactly_250_short():
    assert not may_throw_in(PRESETS["cardgames"], 330, 80)
    assert may_throw_in(PRESETS["gamerules"], 330, 80)
    assert may_throw_in(PRESETS["pagat"], 330, 200)


def test_a_trick_saves_the_meld_where_that_is_the_rule():
    rules = Rules(save_meld="trick")
    assert score_round(rules, 250, 100, 250, 60, 0, their_trick_count=1).defenders == 60
    assert score_round(rules, 250, 100, 250, 60, 0, their_trick_count=0).defenders == 0
    # Unknown: an empty trick cannot be told from none.
    assert score_round(rules, 250, 100, 250, 60, 0).defenders == 0
    assert score_round(rules, 250, 260, 0, 60, 250, our_trick_count=1).made
    assert not score_round(rules, 250, 260, 0, 60, 250, our_trick_count=0).made
    assert score_round(DEFAULT, 250, 100, 250, 60, 0, their_trick_count=1).defenders == 0


def test_no_rule_about_saving():
    rules = Rules(save_meld="none")
    assert score_round(rules, 250, 260, 0, 60, 250) == RoundScore(260, 310, True)
    assert score_round(rules, 250, 260, 250, 60, 0) == RoundScore(510, 60, True)


def test_pagat_tests_the_defenders_only_and_dix_save_themselves():
    rules = PRESETS["pagat"]
    assert score_round(rules, 250, 260, 0, 60, 250) == RoundScore(260, 310, True)
    assert score_round(rules, 250, 260, 250, 20, 0).defenders == 0
    assert score_round(rules, 250, 260, 250, 20, 0, their_dix_only=True).defenders == 20
    assert score_round(DEFAULT, 250, 260, 250, 20, 0, their_dix_only=True).defenders == 0
    both = Rules(dix_saves=True)
    assert keeps_meld(both, 0, 0, dix_only=True)
    assert score_round(both, 20, 20, 0, 0, 250, our_dix_only=True).made


@pytest.mark.parametrize(
    ("bid", "melds", "tricks", "message"),
    [
        (0, (0, 0), (250, 0), "expected a bid above 0"),
        (250, (-10, 0), (250, 0), "melds of 0 or more"),
        (250, (0, 0), (250, 10), "trick points of two sides that make 250, found 250 and 10"),
        (250, (0, 0), (260, -10), "trick points of two sides that make 250, found 260 and -10"),
    ],
)
def test_impossible_points(bid, melds, tricks, message):
    with pytest.raises(OptionError, match=message):
        score_round(DEFAULT, bid, melds[0], tricks[0], melds[1], tricks[1])


tens = st.integers(0, 60).map(lambda number: 10 * number)


@given(st.integers(1, 80), tens, tens, st.integers(0, 25), st.sampled_from(list(PRESETS)))
def test_a_round_is_made_or_lost_by_the_bid(bid_tens, our_meld, their_meld, counters, preset):
    bid, ours = 10 * bid_tens, 10 * counters
    result = score_round(PRESETS[preset], bid, our_meld, ours, their_meld, 250 - ours)
    assert result.declarers == (our_meld + ours if result.made else -bid)
    assert result.defenders in (0, their_meld + 250 - ours)
    if our_meld + ours < bid:
        assert not result.made
    if 0 < ours < 250:
        assert result.made == (our_meld + ours >= bid)
        assert result.defenders == their_meld + 250 - ours


@pytest.mark.parametrize(
    ("scores", "bidder", "by_bid", "by_score"),
    [
        ((1490, 1480), 0, None, None),
        ((1500, 1490), 1, 0, 0),
        ((-250, 1500), 0, 1, 1),
        # 1300 and 1450 before; the side that had the bid wins whatever the totals.
        ((1520, 1600), 0, 0, 1),
        ((1520, 1600), 1, 1, 1),
        ((1600, 1600), 1, 1, 1),
        ((1600, 1600), 0, 0, 0),
    ],
)
def test_winner(scores, bidder, by_bid, by_score):
    assert winner(DEFAULT, scores, bidder) == by_bid
    assert winner(Rules(tie_rule="highest"), scores, bidder) == by_score


def test_winner_needs_the_target_of_the_rules():
    assert winner(Rules(target=5000), (1600, 0), 0) is None
    assert winner(Rules(target=1000), (0, 1000), 0) == 1
