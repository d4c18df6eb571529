"""The league: pairing, planted rules, threads and blocks, resuming."""

import json
import math

import numpy as np
import pytest
from lifted_rules import lifted

from advisor.errors import OptionError
from advisor.game.auction import PASS, Auction, Call
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import league as kernel
from advisor.league import League, look_of, play_league, run_table
from advisor.league_tally import Tally
from advisor.pricing import Estimate
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.names import RULE_NAMES, SIMULATING
from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.rule import Habits, Rule
from advisor.tables import Table

FAST = [name for name in RULE_NAMES if name not in SIMULATING]
BASELINES = [name for name in RULE_NAMES if name[0] == "b"]


def at_least(name, least, habits=None):
    """Return a rule that never stops below a bid."""
    base = rule_of(name)

    def look(hands):
        limits, trumps = base.look(hands)
        return np.maximum(limits, least), trumps

    return Rule("never stops", look, habits or base.habits)


def one_pair(first, second, deals, house=None, seed=3):
    rules = [rule_of(item) if isinstance(item, str) else item for item in (first, second)]
    found = play_league(League(tuple(rules), house or Rules(), seed), deals).pairings()
    return found[0]


@pytest.mark.parametrize("name", [*FAST, "b9"])
def test_identical_rules_come_to_exactly_nothing(name):
    found = one_pair(name, name, 40 if name in SIMULATING else 500)
    assert found.points == Estimate(0.0, 0.0)
    assert found.won.mean == 0.5 or math.isnan(found.won.mean)


def test_a_pair_and_its_mirror_are_one():
    one, two = one_pair("advisor", "b3", 300), one_pair("b3", "advisor", 300)
    assert one.points.mean == -two.points.mean
    assert one.points.se == two.points.se
    # Who sits where in the first deal changes places, so the same games are played.
    assert one.won.mean == pytest.approx(1 - two.won.mean)
    assert one.turned().ci95 == pytest.approx(two.ci95)


def test_the_value_of_a_deal_is_the_mean_of_both_directions():
    league = League.of(["advisor", "b7a"], seed=5)
    records = league.play(range(200)).astype(int)
    found = play_league(league, 200).pairings()[0]
    values = (records[0, :, :, 0] - records[0, :, :, 1]).sum(axis=1) / 2
    assert found.points.mean == pytest.approx(values.mean())
    assert found.points.se == pytest.approx(values.std(ddof=1) / 200**0.5)
    low, high = found.ci95
    assert (high - low) / 2 == pytest.approx(1.96 * found.points.se)
    mine = records[0, :, :, kernel.RECORD_DECLARED] == kernel.BY_A
    assert found.side_a.share == pytest.approx(mine.mean())
    assert found.side_a.bid == pytest.approx(records[0, :, :, kernel.RECORD_CONTRACT][mine].mean())
    assert found.side_a.made == pytest.approx(records[0, :, :, kernel.RECORD_MADE][mine].mean())


def test_points_of_a_direction_are_those_of_its_seats():
    league = League.of(["advisor", "b3"], seed=5)
    records = league.play(range(100))
    table = Table.at(range(100), 5, Rules(), Table.at(range(1), 5).predictor)
    hands = Hands(table.hands.ravel(), Rules(), 5)
    rules = [rule_of(name) for name in ("advisor", "b3")]
    looks = [look_of(rule, hands) for rule in rules]
    habits = [rule.habits.as_array() for rule in rules]
    here = run_table(table, looks[0], looks[1], habits[0], habits[1])
    declared = records[0, :, 0, kernel.RECORD_DECLARED]
    assert (declared == 1 + here.declarer % 2).all()
    assert (records[0, :, 0, kernel.RECORD_CONTRACT] == here.contract).all()
    there = run_table(table, looks[1], looks[0], habits[1], habits[0])
    assert (records[0, :, 1, kernel.RECORD_DECLARED] == 2 - there.declarer % 2).all()


def test_always_opening_500_costs_about_500_where_any_jump_is_allowed():
    house = Rules(opening="any", jumps="any")
    opener = at_least("advisor", 500, Habits(first_bid=500))
    found = one_pair(opener, "b1", 2000, house)
    assert found.side_a.share > 0.98
    assert found.side_a.bid == pytest.approx(500, abs=5)
    assert -600 < found.points.mean < -400
    assert found.won.mean < 0.05


@pytest.mark.parametrize("name", sorted(set(BASELINES) - SIMULATING))
def test_never_stopping_below_500_loses_to_every_baseline(name):
    found = one_pair(at_least("advisor", 500), name, 1000)
    assert found.ci95[1] < 0
    assert found.won.mean < 0.5


@pytest.mark.parametrize("name", sorted(SIMULATING))
def test_never_stopping_below_500_loses_to_simulating_baselines(name):
    assert one_pair(at_least("advisor", 500), name, 60).ci95[1] < 0


def test_a_planted_better_rule_is_found_better():
    better = one_pair("b10", lifted("b10", -100), 2000)
    assert better.ci95[0] > 0
    assert better.won.mean > 0.5
    league = League((lifted("advisor", 120), rule_of("b1"), rule_of("advisor")), Rules(), 4)
    assert play_league(league, 1500).standings()[0].name == "advisor"


def test_the_advisor_beats_the_quick_baselines():
    league = League.of(["advisor", *sorted(set(BASELINES) - SIMULATING)])
    for found in play_league(league, 3000).pairings()[: len(league.entrants) - 1]:
        assert found.a == "advisor"
        assert found.ci95[0] > 0, found.b
        assert found.won.mean - 2 * found.won.se > 0.5, found.b


@pytest.mark.parametrize("without", ["trump", "level", "defending", "inference"])
def test_each_part_of_the_advisor_is_worth_points(without):
    assert one_pair("advisor", f"without-{without}", 8000).ci95[0] > 0


def test_threads_and_blocks_change_nothing():
    from advisor.simulate import worker_pool

    league = League.of(["advisor", "b1", "b8-25"], PRESETS["gamerules"], 11)
    one = play_league(league, 100)
    for threads, block in [(1, 64), (2, 7), (3, None)]:
        with worker_pool(threads) as pool:
            again = play_league(league, 100, executor=pool, block=block)
        assert again.as_work() == one.as_work()
    assert (
        play_league(League.of(["advisor", "b1", "b8-25"], seed=12), 100).as_work() != one.as_work()
    )


def test_where_a_contract_may_be_given_up_blocks_change_nothing():
    league = League.of(["b4", "b7a"], Rules(throw_in="any", save_meld="trick"), 2)
    assert play_league(league, 150).as_work() == play_league(league, 150, block=11).as_work()


HOUSES = [
    Rules(),
    PRESETS["pagat"],
    PRESETS["gamerules"],
    PRESETS["neuralplay"],
    Rules(opening="any", jumps="any", step_change_at=300, step_above=50),
    Rules(all_pass="redeal", minimum=350),
    Rules(jumps="none", opening="minimum"),
]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: ",".join(house.differences(Rules())))
def test_every_auction_is_legal(house):
    from advisor.bidding import auction_array

    table = Table.at(range(20), 7, house)
    hands = Hands(table.hands.ravel(), house)
    opener = at_least("b3", 500, Habits(first_bid=500))
    entrants = [rule_of(name) for name in FAST] + [opener]
    looks = [look_of(rule, hands) for rule in entrants]
    habits = [rule.habits.as_array() for rule in entrants]
    for i in range(len(entrants)):
        other = (i + 3) % len(entrants)
        mixed = looks[i].copy()
        mixed[:, 1::2] = looks[other][:, 1::2]
        n = table.count
        declarers, contracts, lengths = np.zeros((3, n), dtype=np.int64)
        calls = np.zeros((n, 300, 3), dtype=np.int64)
        kernel.bid_at_tables(
            mixed, np.stack([habits[i], habits[other]]), auction_array(house), declarers, contracts,
            calls, lengths,
        )  # fmt: skip
        for deal in range(n):
            auction = Auction(house)
            for seat, kind, amount in calls[deal, : lengths[deal]].tolist():
                assert auction.seat_to_call == seat + 1
                auction = auction.call(Call(amount) if kind == 2 else PASS)
            assert auction.is_over
            assert contracts[deal] == (auction.contract or 0)
            assert declarers[deal] == (-1 if auction.declarer is None else auction.declarer - 1)


def test_all_passing_for_a_new_deal_counts_nothing():
    house = Rules(all_pass="redeal")
    mute = Rule("mute", lambda hands: (np.zeros(len(hands), np.int64),) * 2)
    found = one_pair(mute, mute, 50, house)
    assert found.points == Estimate(0.0, 0.0)
    assert (found.side_a.share, found.games) == (0.0, 0)
    assert math.isnan(found.side_a.bid)


def test_elo_order_is_that_of_games_won():
    tally = play_league(League.of(["b1", "advisor", "b3", "b10"]), 1500)
    standings = tally.standings()
    assert sum(item.rating for item in standings) / 4 == pytest.approx(1500)
    assert standings[0].name == "advisor"
    assert standings[-1].name == "b1"
    # With two rules the ratings say the share of games that was won.
    pair = play_league(League.of(["advisor", "b10"]), 1500)
    found = pair.pairings()[0]
    first, second = pair.standings()
    share = 1 / (1 + 10 ** ((second.rating - first.rating) / 400))
    assert share == pytest.approx((found.won.mean * found.games + 0.5) / (found.games + 1))


def test_a_league_goes_on_where_it_was_stopped(tmp_path):
    league = League.of(["advisor", "b1", "b10"], seed=8)
    path = tmp_path / "kept.json"
    whole = play_league(league, 300, resume=str(path), block=64)
    assert json.loads(path.read_text())["work"]["deals"] == 300

    class Stop(Exception):
        pass

    def stop(done):
        if done >= 128:
            raise Stop

    other = tmp_path / "other.json"
    with pytest.raises(Stop):
        play_league(league, 300, resume=str(other), progress=stop, block=64)
    assert json.loads(other.read_text())["work"]["deals"] == 128
    seen = []
    again = play_league(league, 300, resume=str(other), progress=seen.append, block=50)
    assert seen[0] > 128
    assert again.as_work() == whole.as_work()
    assert list(tmp_path.iterdir()) in ([path, other], [other, path])


def test_a_block_that_is_interrupted_is_not_counted_in_part(tmp_path, monkeypatch):
    league, path = League.of(["advisor", "b1", "b10"], seed=8), tmp_path / "kept.json"
    whole = play_league(league, 128)
    play_games, seen = kernel.play_games, []

    def interrupted(*arguments):
        seen.append(arguments)
        # While the second block is being counted.
        if len(seen) == 5:
            raise KeyboardInterrupt
        play_games(*arguments)

    monkeypatch.setattr(kernel, "play_games", interrupted)
    tally = Tally(league.names, league.rules)
    with pytest.raises(KeyboardInterrupt):
        play_league(league, 128, resume=str(path), block=64, tally=tally)
    monkeypatch.undo()
    assert tally.as_work() == play_league(league, 64).as_work()
    assert play_league(league, 128, resume=str(path)).as_work() == whole.as_work()


def test_more_deals_go_on_from_fewer(tmp_path):
    league, path = League.of(["b1", "b10"]), str(tmp_path / "kept.json")
    play_league(league, 100, resume=path)
    assert play_league(league, 250, resume=path).as_work() == play_league(league, 250).as_work()
    # Those that are there are not thrown away.
    assert play_league(league, 10, resume=path).deals == 250


@pytest.mark.parametrize(
    "damage",
    [
        lambda work: {},
        lambda work: {"deals": -1},
        lambda work: {"deals": 5, "sums": [], "games": 3},
        lambda work: {**work, "deals": 10**40},
        # Fewer deals than the sums have: some variance is negative.
        lambda work: {**work, "deals": 1},
        lambda work: {**work, "games": [[4, 8, 2]]},
    ],
)
def test_counts_of_another_kind_are_refused(tmp_path, damage):
    league, path = League.of(["b1", "b10"]), tmp_path / "kept.json"
    play_league(league, 40, resume=str(path))
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "work": damage(stored["work"])}))
    with pytest.raises(OptionError, match="resume: expected the counts of a league"):
        play_league(league, 10, resume=str(path))


def test_an_empty_tally_goes_on_only_from_its_own_kind():
    tally = Tally(("a", "b"), Rules())
    assert not tally.restore({"deals": 1, "sums": [[1]], "running": [], "games": []})
    assert tally.restore(Tally(("a", "b"), Rules()).as_work())
