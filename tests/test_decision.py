"""What each call is worth, against auctions bid out one by one and rounds scored one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import hand_of
from naive_bidding import BID, HELP, NOTHING, Look, Plan, State, bid_out, rows_of
from typer.testing import CliRunner

from advisor.advise import advise
from advisor.bidding import (
    PARTNER_STYLE,
    STANDARD_STYLE,
    PositionDeals,
    Seating,
    readings,
)
from advisor.cli import app
from advisor.contracts import LEAST_SHARE, WIN_UNITS, Table, Worth
from advisor.decision import Decision, Option, decide
from advisor.errors import AuctionError, OptionError, RulesError
from advisor.game.auction import PASS, PASS_WITH_HELP, Call
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.conventions import load_convention
from advisor.game.position import read_position
from advisor.game.rules import PRESETS, Rules
from advisor.game.scoring import score_round, winner
from advisor.game_win import win_chance
from advisor.kernels.rounds import FLAG_OUR_TRICK, FLAG_THEIR_TRICK
from advisor.playing import Predictor, play_all
from advisor.pricing import Estimate, Pricing
from advisor.report.look import Look as Screen
from advisor.report.why import why
from advisor.simulate import worker_pool

HAND = hand_of("TKQJ9.A.KQ99.TK")
STRONG = hand_of("AATKQJ.AK.QJ.T9")
JUNK = hand_of("JT99.J9.TJ9.KQJ")
PLAYED = Rules(throw_in="never")
SAMPLES = 24


def named_readings(convention, rules):
    """Return the readings by what was told, jumps by the number of their meaning."""
    nothing, helped, bid, *jumps = readings(convention, rules)
    return {NOTHING: nothing, HELP: helped, BID: bid, **dict(enumerate(jumps))}


class Setting:
    """One position with its deals and rounds, and the same read slowly."""

    def __init__(self, hand, rules, calls, convention="none", infer=True, score=None):
        self.rules = rules
        self.position = read_position(rules, None, None, calls)
        self.convention = load_convention(convention).usable(rules)
        seating = Seating.of(rules, self.position.seat, self.convention)
        predictor = Predictor.of(rules, "policy", True)
        sampler = PositionDeals(hand, self.position, rules, seating, 5, infer)
        self.deals, self.seats = sampler.take(SAMPLES)
        self.table = Table(self.position, rules, seating, Worth(rules, score))
        self.table.extend(self.deals, self.seats, predictor)
        self.seating, self.predictor = seating, predictor
        self.runs = {
            trump: play_all(self.deals, np.full(len(self.deals), trump), predictor)
            for trump in (0, 2)
        }
        self.ours = {trump: Pricing(run, rules) for trump, run in self.runs.items()}
        self.others = {
            place: play_all(
                self.deals.declared_by(place), self.seats[:, place, 1].copy(), predictor
            )
            for place in (1, 2, 3)
        }

    def auctions(self, plan):
        """Return the finished auction at every round."""
        seat = self.position.seat - 1
        side = seat % 2
        styles = [STANDARD_STYLE, STANDARD_STYLE]
        styles[side] = PARTNER_STYLE
        conventions = [CONVENTIONS["none"], CONVENTIONS["none"]]
        conventions[side] = self.convention
        rows = [rows_of(convention, self.rules) for convention in conventions]
        told = [named_readings(convention, self.rules) for convention in conventions]
        finished = []
        for found in self.seats:
            looks = [None] * 4
            for place in range(4):
                there = (seat + place) % 4
                limit, trump, marks = (int(number) for number in found[place])
                fits = [bool(marks >> i & 1) for i in range(len(rows[there % 2]))]
                looks[there] = Look(limit, trump, fits)
            start = State(read_position(self.rules, None, None, None).auction)
            for call in self.position.auction.calls:
                start = start.call(call, rows)
            finished.append(bid_out(start, plan, looks, styles, told, rows))
        return finished

    def score(self, row, place, trump, bid):
        """Return the points of our side and theirs in one round."""
        run = self.runs[trump] if place == 0 else self.others[place]
        flags = int(run.flags.reshape(-1)[row])
        tricks = int(run.our_tricks.reshape(-1)[row])
        scored = score_round(
            self.rules, bid, int(run.our_meld.reshape(-1)[row]), tricks,
            int(run.their_meld.reshape(-1)[row]), self.rules.trick_total - tricks,
            our_trick_count=int(bool(flags & FLAG_OUR_TRICK)),
            their_trick_count=int(bool(flags & FLAG_THEIR_TRICK)),
        )  # fmt: skip
        pair = scored.declarers, scored.defenders
        return pair if place in (0, 2) else pair[::-1]

    def best_trump(self, bid):
        """Return the trump of the better mean at a bid."""
        means = {
            trump: np.mean(
                [np.subtract(*self.score(row, 0, trump, bid)) for row in range(len(self.deals))]
            )
            for trump in self.runs
        }
        return max(means, key=lambda trump: (means[trump], -trump))

    def outcome(self, row, auction):
        """Return our points, theirs and whether we had the bid."""
        if auction.declarer is None:
            return 0, 0, False
        place = (auction.declarer - self.position.seat) % 4
        trump = self.best_trump(auction.contract) if place == 0 else None
        return (*self.score(row, place, trump, auction.contract), place in (0, 2))


SETTINGS = [
    (HAND, PLAYED, None, "none"),
    (STRONG, PLAYED, "250 P 270 PH", "meld-jump:60"),
    (JUNK, PLAYED, "P P", "dailey"),
    (HAND, PRESETS["pagat"].replace(throw_in="never", dix_saves=False), "280 P 310", "dos"),
    (HAND, Rules(all_pass="redeal", throw_in="never", save_meld="trick"), "P P P", "none"),
    (JUNK, PLAYED, "P P P", "none"),
    (STRONG, PLAYED, "P 250 260 270 P", "missing-suit"),
    (STRONG, PLAYED, "P 250 P", "none"),
]


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda item: f"{item[2]} {item[3]}")
def setting(request):
    return Setting(*request.param)


def test_every_option_is_worth_what_its_rounds_score(setting):
    bids = [250, 260]
    ceiling = 330
    decision = decide(setting.table, setting.ours, True, ceiling, bids)
    for option in decision.options:
        plan = Plan(option.call, max(ceiling, option.call.bid or 0), option.over_partner)
        other = Plan(option.call, plan.ceiling, not option.over_partner)
        values = []
        for each in (plan, other):
            auctions = setting.auctions(each)
            scores = [setting.outcome(row, auction) for row, auction in enumerate(auctions)]
            values.append([ours - theirs for ours, theirs, _ in scores])
            if each is plan:
                declarers = [auction.declarer for auction in auctions]
                contracts = [auction.contract or 0 for auction in auctions]
        assert option.value.mean == pytest.approx(np.mean(values[0]))
        # The better way to go on after a bid is the one that counts.
        if option.call.bid is not None:
            assert np.mean(values[0]) >= np.mean(values[1])
        seat = setting.position.seat
        partner = (seat + 1) % 4 + 1
        assert option.ours == pytest.approx(np.mean([by == seat for by in declarers]))
        assert option.partners == pytest.approx(np.mean([by == partner for by in declarers]))
        assert option.theirs == pytest.approx(
            np.mean([by not in (seat, partner, None) for by in declarers])
        )
        assert option.contract == pytest.approx(np.mean(contracts))
        mine = [bid for bid, by in zip(contracts, declarers, strict=True) if by == seat]
        assert option.our_contract == pytest.approx(np.mean(mine) if mine else 0)
    means = [option.value.mean for option in decision.options]
    assert means == sorted(means, reverse=True)
    best = decision.options[0]
    for option in decision.options:
        assert option.behind.mean == pytest.approx(best.value.mean - option.value.mean)


def test_defending_is_left_to_the_opponent_who_goes_higher(setting):
    opponents = setting.table.opponents
    if not opponents:
        assert setting.table.defending([250, 300]) == {}
        return
    for bid in (250, 300, 350):
        limits = setting.seats[:, opponents, 0]
        best = limits.max(axis=1)
        willing = best >= bid
        if willing.mean() < LEAST_SHARE:
            willing = best >= np.sort(best)[int((1 - LEAST_SHARE) * len(best))]
        values = []
        for row in np.flatnonzero(willing):
            place = opponents[int(limits[row].argmax())]
            values.append(np.subtract(*setting.score(row, place, None, bid)))
        assert setting.table.defending([bid])[bid].mean == pytest.approx(np.mean(values))


def test_the_ceiling_climbs_while_a_bid_is_worth_letting_go(setting):
    pricing = setting.ours[0]
    found = setting.table.ceiling(pricing, setting.ours, 500)
    ladder = [bid for bid in range(250, 501, 10) if bid > (setting.position.auction.high_bid or 0)]
    expected = None
    opponents = setting.table.opponents
    for bid in ladder:
        mine = [np.subtract(*setting.score(row, 0, 0, bid)) for row in range(len(setting.deals))]
        if expected is None:
            auctions = setting.auctions(Plan(PASS, 0, False))
            gone = [
                np.subtract(*setting.outcome(row, auction)[:2])
                for row, auction in enumerate(auctions)
            ]
            gain = np.mean(mine) - np.mean(gone)
        elif not opponents:
            rows = np.flatnonzero(setting.seats[:, 2, 0] >= expected)
            if not setting.table.partner_bids or len(rows) < LEAST_SHARE * len(setting.deals):
                break
            gain = np.mean(
                [mine[row] - np.subtract(*setting.score(row, 2, None, expected)) for row in rows]
            )
        else:
            limits = setting.seats[:, opponents, 0]
            best = limits.max(axis=1)
            least = np.sort(best)[int((1 - LEAST_SHARE) * len(best))]
            rows = np.flatnonzero(best >= min(expected, least))
            gain = np.mean(
                [
                    mine[row]
                    - np.subtract(
                        *setting.score(row, opponents[int(limits[row].argmax())], None, expected)
                    )
                    for row in rows
                ]
            )
        if gain < 0:
            break
        expected = bid
    assert found == expected


@settings(deadline=None, max_examples=60)
@given(
    st.tuples(st.integers(-2000, 2000), st.integers(-2000, 2000)),
    st.lists(st.tuples(st.integers(-700, 2100), st.integers(-700, 2100), st.booleans())),
    st.sampled_from([1, 10]),
    st.sampled_from([None, False, True]),
)
def test_chances_that_are_looked_up_are_those_of_the_table(score, rounds, unit, we_bid):
    ours, theirs, bids = (np.array([row[i] for row in rounds], dtype=np.int64) for i in range(3))
    ours, theirs = ours // unit * unit, theirs // unit * unit
    bids = bids.astype(bool) if we_bid is None else we_bid
    found = Worth(PLAYED, score).of(ours, theirs, bids)
    chances = win_chance(
        score[0] + ours, score[1] + theirs, np.broadcast_to(bids, ours.shape), PLAYED
    )
    assert found.tolist() == [round(float(chance) * WIN_UNITS) for chance in chances]


@pytest.mark.parametrize("score", [(900, 1100), (1400, 1450), (-300, 1200)])
def test_the_score_turns_points_into_games(score):
    setting = Setting(STRONG, PLAYED, "250 P", score=score)
    decision = decide(setting.table, setting.ours, True, 300, [260])
    for option in decision.options:
        plan = Plan(option.call, max(300, option.call.bid or 0), option.over_partner)
        chances = []
        for row, auction in enumerate(setting.auctions(plan)):
            ours, theirs, we_bid = setting.outcome(row, auction)
            us, them = score[0] + ours, score[1] + theirs
            won = winner(setting.rules, (us, them), 0 if we_bid else 1)
            if won is None:
                chances.append(float(win_chance(np.array(us), np.array(them), None, PLAYED)))
            else:
                chances.append(1.0 - won)
        assert option.win.mean == pytest.approx(np.mean(chances), abs=1 / WIN_UNITS)
        assert 0 < option.win.mean < 1
    assert [o.win.mean for o in decision.options] == sorted(
        (o.win.mean for o in decision.options), reverse=True
    )


def test_a_run_is_bid_on_over_partner_when_the_opponents_are_out():
    """Partner, who cannot see it, goes on for a while; the hand is worth far more as ours."""
    hand = hand_of("AS AH TH KH QH JH TD TD TC KC QC QC")
    advice = advise(hand, auction="P 250 P", samples=600)
    chosen = advice.decision.chosen
    passing = next(o for o in advice.decision.options if o.action == "pass")
    assert (chosen.action, chosen.over_partner, advice.suggestion.trump) == ("raise", True, 1)
    assert chosen.ours > 0.8
    assert chosen.value.mean > passing.value.mean + 100
    # As far as partner may go on.
    assert 350 <= advice.suggestion.bid <= 520
    assert advice.decision.defend == {}
    said = " ".join(" ".join(why(advice, Screen())).split())
    assert "defending" not in said
    assert "ceiling is the last bid worth more than partner's a step below" in " ".join(
        said.split()
    )
    # Asked again after his next bid, the answer is the same.
    again = advise(hand, auction="P 250 P 260 270", samples=600)
    assert (again.decision.chosen.call.bid, again.decision.chosen.over_partner) == (280, True)
    assert 350 <= again.suggestion.bid <= 520


def option(action, bid, mean, se, ours=0.5, value=0.0, shows=False):
    call = Call(bid) if bid else (PASS_WITH_HELP if action == "pass_with_help" else PASS)
    return Option(
        action,
        call,
        False,
        Estimate(value, 1.0),
        None,
        Estimate(mean, se),
        ours,
        0.2,
        0.3,
        260.0,
        260.0,
        shows,
    )


def decided(*options):
    return Decision(read_position(Rules(), None, None, None), None, options, {})


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ((option("raise", 250, 0, 0), option("pass", 0, 30, 4)), "raise"),
        ((option("raise", 250, 0, 0), option("pass", 0, 7, 4)), "pass"),
        ((option("raise", 250, 0, 0), option("pass", 0, 4, 0.5)), "pass"),
        (
            (option("jump", 260, 0, 0), option("raise", 250, 3, 2), option("pass", 0, 90, 9)),
            "raise",
        ),
        ((option("jump", 260, 0, 0), option("raise", 250, 9, 2), option("pass", 0, 90, 9)), "jump"),
        # A jump that shows nothing gains surely more than what matters, or it is left.
        (
            (option("jump", 260, 0, 0), option("raise", 250, 9, 3), option("pass", 0, 9, 3)),
            "raise",
        ),
        (
            (
                option("jump", 260, 0, 0, shows=True),
                option("raise", 250, 9, 3),
                option("pass", 0, 9, 3),
            ),
            "jump",
        ),
        ((option("pass_with_help", 0, 0, 0), option("pass", 0, 1, 4)), "pass"),
        ((option("pass_with_help", 0, 0, 0), option("pass", 0, 9, 4)), "pass_with_help"),
        # A single deal, without errors, decides by its value.
        ((option("raise", 250, 0, 0), option("pass", 0, 9, float("nan"))), "raise"),
        # A dealer who has the hand anyway may as well bid, but not higher than that.
        ((option("pass", 0, 0, 0, ours=1.0), option("raise", 250, 0, 0, ours=1.0)), "raise"),
        (
            (option("pass", 0, 0, 0, ours=1.0), option("raise", 250, 4, 1, ours=1.0, value=-4.0)),
            "pass",
        ),
    ],
)
def test_the_plainest_call_of_those_too_close_to_tell(options, chosen):
    assert decided(*options).chosen.action == chosen


def test_whether_a_jump_shows_something_is_known_to_its_option():
    """Such a hand has meld to show under the one, and no agreement under the other."""

    def shown(convention):
        asked = advise(
            hand_of("AATKQJ.AK.QJ.T9"), convention=convention, samples=64, engine="policy"
        )
        return [item.shows for item in asked.decision.options if item.action == "jump"]

    assert shown("meld-jump") == [True]
    assert shown("none") == [False]


def test_bid_and_pass_too_close_are_said():
    clear = decided(option("raise", 250, 0, 0), option("pass", 0, 30, 4))
    tied = decided(option("raise", 250, 0, 0), option("pass", 0, 7, 4))
    under = decided(option("pass", 0, 0, 0), option("raise", 250, 3, 2), option("jump", 260, 40, 2))
    assert clear.close == ()
    assert [item.action for item in tied.close] == ["raise"]
    assert [item.action for item in under.close] == ["raise"]


def test_threads_change_nothing():
    asked = {"auction": "250 P 270 PH", "score": (900, 1100), "convention": "meld-jump", "seed": 3}
    alone = advise(HAND, **asked)
    for threads in (1, 2):
        with worker_pool(threads) as pool:
            assert repr(advise(HAND, executor=pool, **asked)) == repr(alone)
    assert repr(advise(HAND, **{**asked, "seed": 4})) != repr(alone)


def test_third_seat_and_forced_dealer_by_value():
    # Third after two passes: letting the dealer have it at 250 costs more than opening.
    third = advise(JUNK, auction="P P")
    assert third.decision.chosen.action in ("raise", "jump")
    assert third.suggestion.action == "bid"
    dealer = advise(JUNK, auction="P P P")
    by_call = {option.action: option for option in dealer.decision.options}
    assert by_call["pass"].ours == by_call["raise"].ours == 1.0
    assert by_call["pass"].value == by_call["raise"].value
    assert dealer.decision.chosen.call == Call(250)
    assert dealer.decision.close == ()


def test_partner_is_raised_only_where_it_pays():
    raised = advise(STRONG, auction="250 P 260 P").decision
    assert raised.chosen.action in ("raise", "jump")
    kept = advise(JUNK, auction="250 P 260 P").decision
    assert kept.chosen.action == "pass"
    assert kept.chosen.partners == 1.0


def test_more_is_risked_where_letting_go_loses_the_game():
    # They need what they are about to make; a set costs us nothing that is not lost anyway.
    calls = "250 260 270 280 290 300 310 320 P 330 340 350 P"
    asked = {"auction": calls, "samples": 1000}
    level = advise(HAND, score=(0, 0), **asked)
    last_chance = advise(HAND, score=(0, 1100), **asked)

    def odds(advice):
        wins = {option.action: option.win.mean for option in advice.decision.options}
        return wins["raise"] / wins["pass"]

    assert odds(last_chance) > odds(level)


def test_a_hand_that_may_name_no_trump_only_passes():
    hand = hand_of("KKTT99.QQJJ.A9.-")
    advice = advise(hand, rules=Rules(trump_needs_marriage=True), samples=64)
    assert [option.action for option in advice.decision.options] == ["pass"]
    assert advice.suggestion.action == "pass"


def test_only_honest_calls_are_offered():
    def actions(hand, calls, convention, rules="gamerules"):
        advice = advise(hand, auction=calls, convention=convention, rules=rules, samples=64)
        return [(option.action, option.call.bid) for option in advice.decision.options]

    # 70 points of meld: no jump that shows 100, but the pass with help that shows 70.
    calls = actions(HAND, "250", "meld-jump")
    assert ("jump", 270) not in calls
    assert ("pass_with_help", None) in calls
    assert ("jump", 270) in actions(STRONG, "250", "meld-jump")
    # Partner is out, so a jump shows nothing to anybody.
    assert ("jump", 290) in actions(HAND, "P 250 P 260 270", "meld-jump")
    # A rule that only reads the pass with help never advises it.
    assert ("pass_with_help", None) not in actions(HAND, "250", "meld-jump", "cardgames")
    any_jump = actions(HAND, "250", "dos", "pagat")
    assert ("jump", 270) in any_jump
    assert ("jump", 280) not in any_jump


def test_a_dealer_left_with_a_hand_that_may_name_no_trump():
    hand = hand_of("KKTT99.QQJJ.A9.-")
    rules = Rules(trump_needs_marriage=True)
    advice = advise(hand, rules=rules, auction="P P P", samples=64)
    assert [item.action for item in advice.decision.options] == ["pass"]
    assert advice.decision.options[0].ours == 1.0


@pytest.mark.parametrize(
    ("asked", "error", "text"),
    [
        ({"auction": "280"}, AuctionError, "call 1, seat 1"),
        ({"auction": "250 P P P"}, AuctionError, "seat 1 declares at 250"),
        ({"seat": 3}, AuctionError, "seats 1 and 2 before seat 3"),
        ({"score": (1500, 0)}, OptionError, "below the target of 1500"),
        ({"score": (0, 25)}, OptionError, "steps of 10"),
        ({"score": (0,)}, OptionError, "two sides"),
        ({"auction": ["250", "P"]}, AuctionError, "expected a text"),
        ({"auction": 3}, AuctionError, "expected a text"),
        ({"inference": "no"}, OptionError, "expected True or False"),
        ({"convention": "meld-jum"}, RulesError, "meld-jump"),
    ],
)
def test_impossible_questions(asked, error, text):
    with pytest.raises((error, OptionError), match=text):
        advise(HAND, samples=16, **asked)


def test_a_ceiling_by_chances_is_not_explained_by_points() -> None:
    words = ["--auction", "250 P", "--samples", "64", "--engine", "policy", "--explain"]
    told = "judged by the chance to win the game, not by these points"

    def screen(*more: str) -> str:
        found = CliRunner().invoke(app, ["bid", "AAKQ.TT9.AKJ.Q9", *words, *more])
        return " ".join(found.stdout.split())

    assert told in screen("--score", "1200", "1350")
    assert told not in screen()


def test_auctions_are_bid_out_alike_by_threads(monkeypatch):
    setting = Setting(STRONG, Rules(), "250 P")
    plans = [(2, 260, 300, 0), (0, 0, 0, 0)]
    alone = setting.table.bid_out(plans)
    monkeypatch.setattr("advisor.contracts._ROUNDS_TO_SHARE", 7)
    with worker_pool(2) as pool:
        table = Table(setting.position, Rules(), setting.seating, Worth(Rules(), None), pool)
        assert [len(array) for array in table.bid_out(plans)] == [0, 0]
        table.extend(setting.deals, setting.seats, setting.predictor)
        shared = table.bid_out(plans)
    assert all((one == other).all() for one, other in zip(alone, shared, strict=True))


def test_the_error_of_passing_is_its_spread_over_seeds():
    """Passing has no plan to choose, so its value differs between seeds by sampling alone."""
    found = []
    for seed in range(80):
        advice = advise(
            STRONG, auction="250 P", score=(1200, 1350), seed=seed, samples=100, engine="policy"
        )
        [option] = [item for item in advice.decision.options if item.action == "pass"]
        found.append((*option.win, *option.value))
    win, win_se, value, value_se = np.array(found).T
    # The spread of 80 is itself known to 8 %.
    for values, errors in ((win, win_se), (value, value_se)):
        assert values.std(ddof=1) / np.sqrt((errors**2).mean()) == pytest.approx(1, abs=0.25)
