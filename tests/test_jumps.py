"""Jump thresholds: pairing, mirrored deals, planted rules, and all against slow twins."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from naive import unpacked
from naive_bidding import (
    NOTHING,
    Plan,
    State,
    bid_out,
    by_situation,
    drawn_noise,
    look_at,
    rows_of,
)
from naive_deal import table_of

from advisor import Hand, Rules
from advisor.bidding import (
    STANDARD_STYLE,
    BiddingStyle,
    auction_array,
    bidding_array,
    meaning_array,
    random_hands,
    readings,
    silent_reading,
)
from advisor.errors import OptionError
from advisor.game.auction import Auction, Call
from advisor.game.cards import SUITS
from advisor.game.conventions import PRESETS, Convention
from advisor.game.meanings import Meaning, quantity
from advisor.game.rules import PRESETS as RULES
from advisor.game.scoring import score_round
from advisor.jump_rows import SHOWN, read_opponents, threshold_rows
from advisor.jump_tables import COUNTED, Contest, Side, Tally, _Block, tally
from advisor.jumps import LEAST_DEALS, Comparison, JumpRun, run_settings
from advisor.kernels import bidding as kernel
from advisor.kernels import rounds, signals
from advisor.league import League
from advisor.paired import Paired
from advisor.playing import rule_array
from advisor.resume import Resume
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.names import RULE_NAMES, SIMULATING
from advisor.rules_of_bidding.registry import rule_of
from advisor.tables import Table
from advisor.valuation import feature_names, quick_values, valuation_weights

NONE = PRESETS["none"]
GAMERULES = RULES["gamerules"]
MINE = tuple(Hand.parse(text).packed for text in ("TKQJ9.A.KQ99.TK", "AATKQJ.AK.QJ.T9"))
WEIGHTS = dict(zip(feature_names(), valuation_weights("p50").tolist(), strict=True))


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


def calls_of(block, sides, seats):
    """Return the calls of whole auctions, by the kernel that writes them down."""
    rules = block._contest.rules
    conventions = [side.convention for side in sides]
    calls = np.zeros((len(seats), 90, 3), dtype=np.int64)
    lengths = np.zeros(len(seats), dtype=np.int64)
    styles = [side.style for side in sides]
    kernel.trace_auctions(
        seats, auction_array(rules), bidding_array(styles, conventions, rules),
        meaning_array(conventions, rules), calls, lengths,
    )  # fmt: skip
    assert lengths.max() <= 90
    return [calls[i, : lengths[i]].tolist() for i in range(len(seats))]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("on", SHOWN)
def test_every_auction_is_legal_and_jumps_mean_what_they_show(rules, on):
    helps = () if rules.pass_with_help == "refuse" else SHOWN[on][1][:1]
    asked = contest(on, SHOWN[on][1][:2], helps, rules)
    block = _Block(asked, range(30 if rules.jumps == "any" else 120))
    for side in asked.sides:
        sides = (side, Side(PRESETS["dailey"]))
        seats = block._seats(sides, 0, 0)
        jumps = side.convention.jumps
        ends = block._ends(
            seats,
            bidding_array([x.style for x in sides], [x.convention for x in sides], rules),
            sides,
        )
        for i, calls in enumerate(calls_of(block, sides, seats)):
            auction = Auction(rules)
            for seat, kind, amount in calls:
                call = Call(amount) if kind == kernel.BID else Call(with_help=kind == kernel.HELP)
                first = not any(made == seat + 1 for made in auction.seats)
                hand = Hand.from_packed(int(block.table.hands[i, seat]))
                before = auction
                # Auction refuses what is not legal.
                auction = auction.call(call)
                assert before.seat_to_call == seat + 1
                if seat % 2 or on == "value":
                    continue
                amount = quantity(hand, SHOWN[on][0], rules)
                if auction.calls[-1].jump:
                    assert first
                    assert amount >= jumps[0].low
                elif kind == kernel.HELP:
                    assert amount >= side.convention.pass_with_help.low
                elif kind == kernel.BID and jumps and first:
                    # A hand at the threshold that bids jumps, unless partner is out.
                    out = {s for c, s in zip(before.calls, before.seats, strict=True) if c.is_pass}
                    assert amount < jumps[0].low or (seat + 2) % 4 + 1 in out
            assert auction.is_over
            declarer = -1 if auction.declarer is None else auction.declarer - 1
            assert ends[i, 0] == declarer
            if declarer >= 0:
                assert ends[i, 1] == auction.contract


def expected_tally(asked, count):
    """Return the numbers of one rule, worked out deal by deal with `Auction` and `score_round`."""
    rules = asked.rules
    table = Table.at(range(count), asked.seed, rules, asked.predictor, asked.packed, asked.judged)
    points, counts = [], [[0] * len(COUNTED) for _ in asked.sides]
    for i in range(count):
        line = []
        for number, side in enumerate(asked.sides):
            total = 0
            for ours in range(2):
                sides = [side if seat % 2 == ours else asked.opponents for seat in range(4)]
                turn = ours if asked.held else 0
                later = bool(asked.held) and not asked.first_only and i % 2 == 1
                auction, told, deaf, trumps = bid_by_hand(asked, i, sides, ours, turn, later)
                count_of = counts[number]
                jumped = any(
                    told[seat] not in (NOTHING, "help", "bid") for seat in (ours, ours + 2)
                )
                helped = any(told[seat] == "help" for seat in (ours, ours + 2))
                same = (auction.declarer, auction.contract) == (deaf.declarer, deaf.contract)
                count_of[0] += jumped
                count_of[1] += helped
                count_of[2] += jumped or helped
                count_of[3] += (jumped or helped) and not same
                if auction.declarer is None:
                    continue
                seat = auction.declarer - 1
                place = (seat - turn - 2 * later) % 4
                gained, lost, made = scored_by_hand(
                    table, i, place, trumps[seat], auction.contract, rules
                )
                mine = seat % 2 == ours
                total += gained - lost if mine else lost - gained
                if mine:
                    count_of[4] += 1
                    count_of[5] += auction.contract
                    count_of[6] += made
            line.append(total)
        points.append(line)
    return points, counts


def bid_by_hand(asked, index, sides, ours, turn, later):
    """Return the auction, what seats have told, the auction had partner not read it, trumps."""
    rules = asked.rules
    hands, state = table_of(asked.seed, index, asked.held)
    looks = []
    for seat in range(4):
        place = (seat - turn) % 4
        cards = unpacked(hands[(place - 2 * later) % 4])
        look = look_at(cards, rules, WEIGHTS, rows_of(sides[seat].convention, rules))
        unit = drawn_noise(state, 0, place, 4096)[0] / 4096
        look.limit += sides[seat].style.offset + round(sides[seat].style.noise * unit)
        if sides[seat].rule is not None:
            one = np.array([hands[(place - 2 * later) % 4]], dtype=np.uint64)
            limits, trumps = sides[seat].rule.look(Hands(one, rules, asked.seed))
            look.limit, look.trump = int(limits[0]), int(trumps[0])
        if asked.first_only and seat == ours + 2:
            rows = rows_of(sides[seat].convention, rules)
            look.fits = [fit and row.steps == 0 for fit, row in zip(look.fits, rows, strict=True)]
        looks.append(look)
    rows = [rows_of(sides[side].convention, rules) for side in range(2)]
    heard = [reading_of(sides[side].convention, rules) for side in range(2)]
    styles = [sides[0].style, sides[1].style]
    habits = [
        None if side.rule is None else (side.rule.habits, by_situation(side.rule.habits))
        for side in sides[:2]
    ]
    ended = []
    for read in (heard, [dict.fromkeys(heard[i], 0) if i == ours else heard[i] for i in range(2)]):
        auction = bid_out(State(Auction(rules)), Plan(), looks, styles, read, rows, habits)
        ended.append(auction)
    state = State(Auction(rules))
    for call in ended[0].calls:
        state = state.call(call, rows)
    return ended[0], state.told, ended[1], [look.trump for look in looks]


def reading_of(convention, rules):
    told = readings(convention, rules)
    words = dict(zip((NOTHING, "help", "bid"), told, strict=False))
    return words | dict(enumerate(told[3:]))


def scored_by_hand(table, index, place, trump, contract, rules):
    """Return points of declarer's side and the other's, and whether it was made."""
    declarers = np.full(table.count, -1)
    declarers[index] = place
    outcome = table.outcomes(declarers, np.full(table.count, trump))[index]
    our_meld, their_meld, our_tricks, flags, _ = map(int, outcome)
    result = score_round(
        rules, contract, our_meld, our_tricks, their_meld, rules.trick_total - our_tricks,
        our_trick_count=flags & rounds.FLAG_OUR_TRICK,
        their_trick_count=flags & rounds.FLAG_THEIR_TRICK,
        our_dix_only=bool(flags & rounds.FLAG_OUR_DIX_ONLY),
        their_dix_only=bool(flags & rounds.FLAG_THEIR_DIX_ONLY),
        thrown_in=contract - our_meld > rules.trick_total,
    )  # fmt: skip
    return result.declarers, result.defenders, result.made


@pytest.mark.parametrize("held", [(), MINE], ids=["random", "held"])
@pytest.mark.parametrize("first_only", [False, True], ids=["any", "first"])
@pytest.mark.parametrize("opponents", ["missing-suit", "advisor", "b3", "b8-25"])
def test_a_tally_is_that_of_the_slow_twin(opponents, held, first_only):
    asked = contest(
        "meld", (60,), (40,), Rules(), opponents=Side.of(read_opponents(opponents, Rules())),
        held=held, first_only=first_only, seed=3,
    )  # fmt: skip
    count = 8 if opponents == "b8-25" else 24
    points, counts = expected_tally(asked, count)
    found = tally(asked, range(count))
    assert found.counts == tuple(map(tuple, counts))
    assert found.points == Paired.of(np.array(points))
    assert sum(row[0] for row in counts) > 0


def test_only_the_first_of_two_partners_jumps():
    sides = (Side(PRESETS["meld-jump"]), Side())
    jumpers = {}
    for first in (False, True):
        block = _Block(contest(first_only=first), range(400))
        calls = calls_of(block, sides, block._seats(sides, 0, 0))
        jumpers[first] = set()
        for line in calls:
            auction = Auction(GAMERULES)
            for seat, kind, amount in line:
                call = Call(amount) if kind == kernel.BID else Call(with_help=kind == kernel.HELP)
                auction = auction.call(call)
                if auction.calls[-1].jump:
                    jumpers[first].add(seat)
    assert jumpers == {False: {0, 2}, True: {0}}


def test_our_side_always_holds_one_of_the_hands():
    for first in (False, True):
        block = _Block(contest(held=MINE, first_only=first), range(300))
        mine = np.isin(block.table.hands, np.array(MINE, dtype=np.uint64))
        places = np.argmax(mine, axis=1)
        assert mine.any(axis=1).all()
        assert set(places.tolist()) == ({0} if first else {0, 2})
        used = set(block.table.hands[np.arange(300), places].tolist())
        assert used == set(MINE)


def test_tables_are_those_of_the_slow_twin():
    for held in ((), MINE):
        array = np.array(held, dtype=np.uint64)
        table = Table.at(range(90, 140), 2**63 + 5, held=array)
        for i in range(50):
            hands, state = table_of(2**63 + 5, 90 + i, held)
            assert table.hands[i].tolist() == hands
            assert sorted(card for hand in hands for card in unpacked(hand)) == sorted(
                list(range(24)) * 2
            )
            draws = [drawn_noise(state, 0, seat, 4096)[0] / 4096 for seat in range(4)]
            assert table.draws[i].tolist() == draws


def test_cards_fall_to_every_seat_alike():
    table = Table.at(range(20_000), 4)
    aces = np.uint64(sum(3 << 2 * (6 * suit + 5) for suit in SUITS))
    means = np.bitwise_count(table.hands & aces).mean(axis=0)
    # Eight aces among four; the standard error is below 0.01.
    assert np.abs(means - 2).max() < 0.04
    assert abs(table.draws.std() - 1) < 0.01


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
