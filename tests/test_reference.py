"""The sampling players of benchmarks/reference: their deals, their play and their runs."""

import itertools
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from naive import DECK, packed, replay, unpacked
from naive_play import play_round
from reference_game import FAST, RULES, TRUMP, Game, assert_world_fits, seeded_deals, shown_by_rule

from advisor import Hand, Rules
from advisor.game.meld import score_meld
from advisor.simulate import simulate

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from reference import knowledge as k
from reference import worlds as w
from reference.deals import deal_table, find_declarer, rebuild_deals
from reference.game import Settings, Table, stream_keys
from reference.runs import Run, play_all
from reference.study import deals_of_row, policy_tricks


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_deals_are_those_of_the_library(rules):
    deals, hand, trump = seeded_deals(rules, 3, count=50)
    outcomes = simulate(hand, trump, samples=50, seed=5, rules=rules, engine="policy", raw=True)
    assert (deals.points[:, 0] == outcomes.declarer_meld[:, 0]).all()
    assert (deals.points[:, [0, 2]].sum(axis=1) == outcomes.our_meld[:, 0]).all()
    assert (deals.points[:, [1, 3]].sum(axis=1) == outcomes.their_meld[:, 0]).all()
    assert deals.checksum() == rebuild_deals(hand, trump, 5, 0, 50, rules).checksum()
    later = rebuild_deals(hand, trump, 5, 20, 30, rules)
    assert (later.dealt == deals.dealt[20:]).all()
    for i in range(50):
        legs = [int(leg).bit_length() // 2 for leg in deals.legs[i]]
        for seat in range(4):
            dealt = unpacked(deals.dealt[i, seat])
            assert score_meld(Hand.from_cards(dealt), trump, rules).total == deals.points[i, seat]
            shown = shown_by_rule(unpacked(deals.hands[i, seat]), legs, rules)
            assert shown == unpacked(deals.shown[i, seat])


def test_passed_cards_are_known_to_those_who_passed_them():
    deals, hand, _ = seeded_deals(Rules(), 8, count=50)
    kept = 0
    for i in range(50):
        assert len(unpacked(deals.passed[i, 0, 2])) == 4
        for viewer, seat in itertools.product(range(4), range(4)):
            passed = Counter(unpacked(deals.passed[i, viewer, seat]))
            assert not passed - Counter(unpacked(deals.hands[i, seat]))
            if (viewer, seat) not in ((0, 2), (2, 0)):
                assert not passed
        # Declarer has the cards of his own that he did not return, and those of partner's.
        own, after = Counter(hand.cards), Counter(unpacked(deals.dealt[i, 0]))
        kept += len(unpacked(deals.passed[i, 2, 0]))
        assert sum((after - own).values()) <= len(unpacked(deals.passed[i, 2, 0]))
    assert kept > 0


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_plays_are_legal_and_counted(rules):
    for number in range(4):
        game = Game(rules, number)
        deal = [unpacked(hand) for hand in game.deals.hands[0]]
        result = replay(deal, [int(card) for card in game.trace], TRUMP, 0, rules)
        assert game.played.points[0] == result.points[0]
        assert game.played.tally[w.MISFITS] == 0
        # Step by step the doors give the same play.
        for turn in range(number, 48, 5):
            assert game.choose(turn) == game.trace[turn]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_seats_without_worlds_play_by_the_policy(rules):
    game = Game(rules, 2, Settings(policy_seats=(0, 1, 2, 3)))
    deal = [unpacked(hand) for hand in game.deals.hands[0]]
    assert game.trace.tolist() == play_round(deal, TRUMP, 0, rules)
    outcomes = simulate(
        game.hand, game.trump, samples=1, seed=5, rules=rules, engine="policy", raw=True
    )
    assert game.played.points[0] == outcomes.our_tricks[0, 0]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_worlds_fit_and_another_world_changes_no_choice(rules):
    """Every world fits all that was seen; were it the truth, the seat would play the same."""
    for number in range(5):
        game = Game(rules, number)
        for turn in range(number % 3, 47, 3):
            words, facts = game.look(turn)
            hands, tally = game.worlds(words, facts, 6)
            assert tally[w.MISFITS] == 0
            gone = game.gone(turn)
            for hand in hands:
                assert_world_fits(game, turn, hand)
            full = np.array(
                [packed(unpacked(hands[0, i]) + gone[i]) for i in range(4)], dtype=np.uint64
            )
            seat = facts[k.SEAT]
            shown = np.array(
                [packed(shown_by_rule(unpacked(one), game.legs, rules)) for one in full],
                dtype=np.uint64,
            )
            # What others know of the passed cards is not the seat's business.
            passed = np.full((4, 4), 2**48 - 1, dtype=np.uint64)
            passed[seat] = game.deals.passed[0, seat]
            other_words, other_facts = game.look(turn, full, shown, passed)
            assert (other_words == words).all()
            assert (other_facts == facts).all()
            assert game.choose(turn, hands=full, shown=shown, passed=passed) == game.trace[turn]


def test_what_was_played_before_changes_nothing():
    """The exact solver's table is kept from deal to deal."""
    for number, rules in enumerate(RULES):
        deals, *_ = seeded_deals(rules, number, count=6)
        keys = stream_keys(3, number, 0, 6)
        together = Table(rules, FAST).play(deals, keys)
        for i in range(6):
            alone = replace(
                deals,
                **{
                    name: getattr(deals, name)[i : i + 1]
                    for name in ("dealt", "hands", "passed", "shown", "points", "legs")
                },
            )
            played = Table(rules, FAST).play(alone, keys[i : i + 1])
            assert (played.traces[0] == together.traces[i]).all()
            assert played.points[0] == together.points[i]


def test_other_seeds_and_deals_have_other_streams():
    keys = [*stream_keys(1, 0, 0, 50), *stream_keys(2, 0, 0, 50), *stream_keys(1, 1, 0, 50)]
    assert len(set(map(int, keys))) == 150
    assert (stream_keys(1, 0, 20, 30) == stream_keys(1, 0, 0, 50)[20:]).all()


def test_declarers_are_the_best_of_their_tables():
    for number in range(3):
        hands = deal_table(4, number)
        assert sorted(card for hand in hands for card in hand) == sorted(DECK)
        declarer = find_declarer(4, number, Rules())
        scores = {
            (hand, trump): simulate(
                hand, trump, samples=200, seed=4, engine="policy", raw=True
            ).score.mean()
            for hand in hands
            for trump in range(4)
        }
        assert scores[declarer.hand, declarer.trump] == max(scores.values()) == declarer.value


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["reference_play.py"])
    few = Settings(worlds=2, exact_from=3)
    run = Run(2, 4, 1, few)
    whole = tmp_path / "whole.jsonl"
    rows = play_all(run, 3, 1, whole)
    part = tmp_path / "part.jsonl"
    lines = whole.read_bytes().splitlines(keepends=True)
    part.write_bytes(lines[0] + lines[3] + lines[2][:40])
    assert play_all(run, 3, 2, part) == rows
    assert part.read_bytes() == whole.read_bytes()
    for row in rows:
        deals = deals_of_row(row, 4, run.rules)
        assert deals.points.tolist() == row["melds"]
        assert len(policy_tricks(row, 4, run.rules)) == 2
    for name, changed in (("worlds", 3), ("lite_tricks", 1), ("policy_seats", (1, 3))):
        other = replace(run, settings=replace(few, **{name: changed}))
        with pytest.raises(ValueError, match=name):
            play_all(other, 3, 1, part)
    with pytest.raises(ValueError, match="others"):
        deals_of_row(rows[0] | {"checksum": ""}, 4, run.rules)
