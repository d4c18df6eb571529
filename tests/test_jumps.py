"""Jump thresholds: pairing, planted rules, threads and blocks, resuming."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from advisor import Hand, Rules
from advisor.bidding import (
    STANDARD_STYLE,
    BiddingStyle,
    meaning_array,
    random_hands,
    silent_reading,
)
from advisor.errors import OptionError
from advisor.game.conventions import PRESETS, Convention
from advisor.game.meanings import Meaning, quantity
from advisor.game.rules import PRESETS as RULES
from advisor.jump_rows import read_opponents, threshold_rows
from advisor.jump_tables import COUNTED, Contest, Side, Tally, _Block, tally
from advisor.jumps import LEAST_DEALS, Comparison, JumpRun, run_settings
from advisor.kernels import signals
from advisor.league import League
from advisor.paired import Paired
from advisor.playing import rule_array
from advisor.resume import Resume
from advisor.rules_of_bidding.names import RULE_NAMES, SIMULATING
from advisor.rules_of_bidding.registry import rule_of
from advisor.valuation import quick_values, valuation_weights

NONE = PRESETS["none"]
GAMERULES = RULES["gamerules"]
MINE = tuple(Hand.parse(text).packed for text in ("TKQJ9.A.KQ99.TK", "AATKQJ.AK.QJ.T9"))


def contest(on="meld", jumps=(60, 100), helps=(), rules=GAMERULES, **settings):
    rows = threshold_rows(on, jumps, helps, rules)
    return Contest(tuple(Side(row.convention) for row in rows), rules, **settings)


def compared(sides, deals, rules=GAMERULES, **settings):
    run = JumpRun(Contest(tuple(sides), rules, **settings), deals)
    run.run()
    return run.comparison


@pytest.mark.parametrize("held", [(), MINE], ids=["random", "held"])
@pytest.mark.parametrize("name", ["none", "meld-jump", "dailey"])
def test_identical_rules_come_to_exactly_nothing(name, held):
    side = Side(PRESETS[name])
    found = compared([side, side], 700, opponents=side, held=held)
    assert found.difference(1, 0) == (0.0, 0.0)
    if not held:
        # Against itself, with the sides exchanged, every single deal is even.
        assert found.found.points.totals == (0, 0)
        assert found.found.points.products == ((0, 0), (0, 0))
        assert found.result(0).win.mean == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("name", sorted(RULE_NAMES))
def test_every_rule_of_the_league_against_itself_comes_to_exactly_nothing(name):
    side = Side.of(read_opponents(name, GAMERULES))
    assert side.rule is rule_of(name)
    asked = Contest((side, side), GAMERULES, opponents=side)
    found = tally(asked, range(8 if name in SIMULATING else 300))
    assert found.points.totals == (0, 0)
    assert found.points.products == ((0, 0), (0, 0))


def test_rules_of_the_league_are_worth_in_a_comparison_what_they_are_in_a_league():
    names = ("b1", "b4", "advisor")
    asked = Contest(
        tuple(Side(rule=rule_of(name)) for name in names),
        opponents=Side(rule=rule_of("b4")),
        seed=5,
    )
    found = tally(asked, range(400))
    records = League.of(names, seed=5).play(range(400)).astype(np.int64)
    worth = records[:, :, :, 0] - records[:, :, :, 1]
    assert found.points.totals == (worth[0].sum(), 0, -worth[2].sum())


def test_a_rule_that_always_opens_at_500_loses_about_500_a_deal():
    rules = RULES["pagat"]
    assert (rules.jumps, rules.opening) == ("any", "any")
    steps = 26
    reckless = Side(
        Convention("500", jumps=(Meaning(steps, "meld", 0, when="opening"),)),
        BiddingStyle(offset=2000, over_partner=4000, noise=0),
    )
    # Others who never bid leave every opening to it.
    silent = Side(NONE, BiddingStyle(offset=-5000, noise=0))
    found = compared([Side(), reckless], 1500, rules, opponents=silent)
    result = found.result(1)
    assert result.bid == 500
    assert result.jumps > 0.99
    assert result.contracts == 1.0
    assert -600 < result.value.mean < -350
    assert not result.tied
    # By the default rules nobody can, and one that never stops below 500 loses to the standard.
    eager = Side(NONE, BiddingStyle(offset=2000, over_partner=4000, noise=0))
    lost = compared([Side(), eager], 1500, Rules()).result(1)
    assert lost.diff.mean + 20 * lost.diff.se < -20
    assert lost.contracts > 0.9
    assert lost.made < 0.5


def test_a_better_rule_that_is_planted_is_found():
    bold, odd = (replace(STANDARD_STYLE, offset=offset) for offset in (160, -160))
    sides = [Side(NONE, bold), Side(NONE, odd), Side(), Side(NONE, replace(bold, offset=110))]
    found = compared(sides, 4000)
    assert found.best == 2
    assert [item.best for item in found.results] == [False, False, True, False]
    assert not any(item.tied for item in found.results)
    assert found.result(2).diff.mean > 5 * found.result(2).diff.se


@pytest.mark.parametrize("opponents", [Side(), Side(rule=rule_of("b3"))])
def test_results_do_not_depend_on_threads_or_blocks(opponents):
    asked = contest(helps=(40,), held=MINE, opponents=opponents)
    alone = JumpRun(asked, 1500)
    alone.run()
    with ThreadPoolExecutor(3) as pool:
        for block in (1, 171, 4096):
            deals = 40 if block == 1 else 1500
            many = JumpRun(asked, deals, block=block)
            many.run(pool, 5)
            expected = alone.found if deals == 1500 else tally(asked, range(40))
            assert many.found == expected
    assert JumpRun(replace(asked, seed=5), 1500).found.deals == 0
    other = JumpRun(replace(asked, seed=5), 1500)
    other.run()
    assert other.found != alone.found


def test_precision_stops_at_the_same_deal_whatever_the_threads():
    asked = contest()
    stopped = []
    for ahead in (1, 7):
        with ThreadPoolExecutor(2) as pool:
            run = JumpRun(asked, 10**6, precision=2.0)
            run.run(pool, ahead)
        errors = [item.diff.se for item in run.comparison.results]
        assert LEAST_DEALS <= run.found.deals < 10**5
        assert max(errors) <= 2.0
        stopped.append(run.found)
    assert stopped[0] == stopped[1]


def test_differences_are_paired():
    values = np.random.default_rng(3).integers(-900, 900, (500, 3))
    found = Paired.of(values[:200]) + Paired.of(values[200:])
    assert found == Paired.of(values)
    gap = values[:, 2] - values[:, 1]
    assert found.difference(2, 1, 2.0) == pytest.approx(
        (gap.mean() / 2, gap.std(ddof=1) / 500**0.5 / 2)
    )
    assert found.mean(0) == pytest.approx(
        (values[:, 0].mean(), values[:, 0].std(ddof=1) / 500**0.5)
    )
    assert np.isnan(Paired.of(values[:1]).mean(0).se)


def test_ties_go_by_the_paired_difference_to_the_best():
    # Best by 10 points over the base, always; the third wavers around the best.
    deals = 400
    wave = np.where(np.arange(deals) % 2, 300, -300)
    values = np.stack([wave, wave + 20, -wave + 10], axis=1)
    asked = Contest((Side(),) * 3)
    zeros = tuple((0,) * len(COUNTED) for _ in range(3))
    found = Comparison(asked, Tally(Paired.of(values), Paired.of(values), zeros))
    results = found.results
    assert [item.best for item in results] == [False, True, False]
    # The base is worse by exactly 10 on every deal: no tie, though both errors are wide.
    assert results[0].behind == (10.0, 0.0)
    assert [item.tied for item in results] == [False, False, True]


def stored_settings(asked):
    rows = threshold_rows("meld", (60, 100), (), GAMERULES)
    return run_settings(asked, "meld", rows, "standard")


def test_a_run_goes_on_where_it_was_stopped(tmp_path):
    path = tmp_path / "run.json"
    asked = contest()
    whole = JumpRun(asked, 1300, block=256)
    whole.run()

    def stop(run):
        if run.found.deals >= 512:
            raise KeyboardInterrupt

    first = JumpRun(asked, 1300, resume=Resume(str(path), stored_settings(asked)), block=256)
    with pytest.raises(KeyboardInterrupt):
        first.run(tell=stop)
    assert first.found.deals == 512
    assert [item.name for item in tmp_path.iterdir()] == ["run.json"]
    again = JumpRun(asked, 1300, resume=Resume(str(path), stored_settings(asked)), block=100)
    assert again.found == first.found
    again.run()
    assert again.found == whole.found
    # Finished, it has nothing more to do.
    third = JumpRun(asked, 1300, resume=Resume(str(path), stored_settings(asked)))
    assert third.is_done
    assert third.found == whole.found


def test_a_file_of_another_run_is_refused(tmp_path):
    path = tmp_path / "run.json"
    asked = contest()
    JumpRun(asked, 64, resume=Resume(str(path), stored_settings(asked))).run()
    other = Resume(str(path), stored_settings(replace(asked, seed=9)))
    with pytest.raises(OptionError, match=r"^resume: .*run\.json is of a run with seed 0, not 9; "):
        JumpRun(asked, 64, resume=other)
    stored = json.loads(path.read_text())
    bad = {
        "{": "expected the file of a run, found other text",
        "[]": "expected the file of a run, found other JSON",
        json.dumps(stored | {"settings": 3}): "is of a run with kind none, not",
        json.dumps(stored | {"work": []}): "expected the work of a run",
        json.dumps(stored | {"work": {"deals": 3}}): "expected the sums of a run",
        json.dumps(stored | {"work": stored["work"] | {"counts": [[1.5]]}}): "expected the sums",
        json.dumps(stored | {"work": stored["work"] | {"deals": -64}}): "expected the sums .*json$",
        # Fewer deals than the sums have: some variance is negative.
        json.dumps(stored | {"work": stored["work"] | {"deals": 1}}): "expected the sums .*json$",
    }
    for text, message in bad.items():
        path.write_text(text)
        with pytest.raises(OptionError, match=f"^resume: .*{message}"):
            JumpRun(asked, 64, resume=Resume(str(path), stored_settings(asked)))


def test_what_players_agreed_decides_who_jumps():
    found = compared(contest("aces", (2, 4, 8)).sides, 800)
    jumps = [item.jumps for item in found.results]
    assert jumps[0] == 0 < jumps[3] + 1e-9
    assert jumps[1] > jumps[2] > jumps[3]
    # A rule that never shows anything comes to the same as never.
    never = compared([Side(), Side(Convention("x", jumps=(Meaning(2, "meld", 5000),)))], 500)
    assert never.difference(1, 0) == (0.0, 0.0)
    assert never.result(1).tied


def test_silence_is_read_only_where_a_jump_could_have_been():
    plain, heard = (
        compared(contest().sides, 500, Rules(), silence_tells=told) for told in (False, True)
    )
    assert plain.result(0).value == heard.result(0).value
    assert plain.found.counts[1][4:] != heard.found.counts[1][4:]
    hands = random_hands(8192, 7)
    limits = quick_values(hands, rule_array(Rules()), "p50").max(axis=1)
    support = quick_values(hands, rule_array(Rules()), "support").mean(axis=1)
    meld = np.array([quantity(Hand.from_packed(int(hand)), "meld", Rules()) for hand in hands])
    opens = limits >= 250
    expected = support[opens & (meld < 60)].mean() - support[opens].mean()
    assert silent_reading(contest().sides[1].convention, Rules()) == round(expected)
    first = [
        compared(contest().sides, 300, Rules(), silence_tells=told, first_only=True).found
        for told in (False, True)
    ]
    assert first[0] == first[1]


def test_the_score_of_the_game_counts():
    behind = compared(contest().sides, 600, score=(100, 1400)).result(0).win
    ahead = compared(contest().sides, 600, score=(1400, 100)).result(0).win
    assert behind.mean < 0.3 < 0.7 < ahead.mean


def test_rules_without_jumps_or_help_are_refused():
    with pytest.raises(OptionError, match=r"^thresholds: expected rules that allow a jump"):
        threshold_rows("meld", (60,), (), Rules(jumps="none", opening="minimum"))
    with pytest.raises(OptionError, match=r"^pass-help: expected rules with a pass with help"):
        threshold_rows("meld", (), (40,), RULES["neuralplay"])
    with pytest.raises(OptionError, match=r"^thresholds: expected at most 64"):
        threshold_rows("meld", range(0, 400, 10), (40,), Rules())
    assert read_opponents("club", Rules()).convention.as_rows() == [(2, 0, 100, 10**6, 0)]


def test_a_hand_that_jumps_looks_the_same_to_the_signals():
    block = _Block(contest("value", (400,)), range(50))
    marks = block._marks(block._contest.sides[1])
    found = np.zeros((200, signals.N_FOUND), dtype=np.int64)
    conventions = (block._contest.sides[1].convention, NONE)
    signals.look_at_hands(
        block.table.hands.ravel(), block._rules, meaning_array(conventions, GAMERULES),
        valuation_weights("p50"), found,
    )  # fmt: skip
    assert marks.ravel().tolist() == found[:, signals.FOUND_MARKS].tolist()
