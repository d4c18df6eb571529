"""Prices of a bid against the scorer, round by round, and the errors that go with them."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, Round, gain_by_throwing_in, hand_of

from advisor.game.cards import Hand
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import rounds
from advisor.kernels.pricing import score_auctions
from advisor.playing import Outcomes
from advisor.pricing import Estimate, Pricing, estimate
from advisor.simulate import simulate

HAND = hand_of("AATKQJ.AK.QJ.T9")
HOUSES = [
    *PRESETS.values(),
    *(
        Rules(save_meld=save, save_meld_bidder=bidder, dix_saves=dix, throw_in=throw)
        for save, bidder, dix, throw in itertools.product(
            ("points", "trick", "none"),
            (False, True),
            (False, True),
            ("over-250", "from-250", "any", "never"),
        )
    ),
    Rules(card_points="11-10-4-3-2", last_trick=30, throw_in="from-250"),
    Rules(card_points="10-10-5-5", last_trick=0, throw_in="any", save_meld="trick"),
]


def rounds_of(outcomes, rules):
    """Return every round as a scorer would write it down, in order."""
    table = []
    for place in np.ndindex(outcomes.our_meld.shape):
        flags, ours = int(outcomes.flags[place]), int(outcomes.our_tricks[place])
        table.append(
            Round(
                our_meld=int(outcomes.our_meld[place]),
                their_meld=int(outcomes.their_meld[place]),
                our_tricks=ours,
                their_tricks=rules.trick_total - ours,
                our_trick=bool(flags & rounds.FLAG_OUR_TRICK),
                their_trick=bool(flags & rounds.FLAG_THEIR_TRICK),
                our_dix_only=bool(flags & rounds.FLAG_OUR_DIX_ONLY),
                their_dix_only=bool(flags & rounds.FLAG_THEIR_DIX_ONLY),
            )
        )
    return table


def invented(seed, rules, samples=12):
    """Return outcomes rich in what play seldom brings: no points, no tricks, dix alone."""
    rng = np.random.default_rng(seed)
    shape = (samples, 3)
    total = rules.trick_total
    ours = rng.choice([0, 0, total, total, *range(0, total + 1, 10)], shape)
    our_meld, their_meld = (rng.choice([0, 10, 20, 40, 60, 100, 190, 340], shape) for _ in range(2))
    # Without points a side may still have won an empty trick; with points it has won one.
    flags = rounds.FLAG_OUR_TRICK * ((ours > 0) | (rng.random(shape) < 0.5))
    flags += rounds.FLAG_THEIR_TRICK * ((ours < total) | (rng.random(shape) < 0.5))
    flags += rounds.FLAG_OUR_DIX_ONLY * (our_meld <= 20)
    flags += rounds.FLAG_THEIR_DIX_ONLY * (their_meld <= 20)
    cards = np.zeros(shape, dtype=np.uint64)
    small = [array.astype(np.int16) for array in (our_meld, their_meld, ours, our_meld, flags)]
    return Outcomes(0, *small, cards, cards, np.zeros(4, dtype=np.int64))


def assert_priced_as_the_scorer_does(outcomes, rules, bids):
    pricing = Pricing(outcomes, rules)
    table = rounds_of(outcomes, rules)
    thrown_any = False
    for bid in bids:
        made = pricing.made(bid).ravel()
        thrown = pricing.thrown_in(bid).ravel()
        differences = pricing.differences(bid).ravel()
        expected = []
        for i, this in enumerate(table):
            assert made[i] == this.score(rules, bid).made
            gain = gain_by_throwing_in(this, table, rules, bid)
            if gain is None:
                assert not thrown[i]
            elif gain != 0:
                # Where both are worth the same either will do.
                assert thrown[i] == (gain > 0), (bid, this, gain)
            score = this.score(rules, bid, thrown_in=bool(thrown[i]))
            expected.append(score.declarers - score.defenders)
            assert differences[i] == expected[-1]
        thrown_any |= bool(thrown.any())
        assert pricing.p_make(bid).mean == pytest.approx(np.mean(made))
        assert pricing.take(bid).mean == pytest.approx(np.mean(expected))
    return thrown_any


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_real_and_invented_rounds(house):
    rules = HOUSES[house]
    bids = [10, 200, 250, 251, 259, 260, 270, 310, 330, 350, 400, 440, 500, 590, 600, 900]
    thrown = False
    for seed in range(3):
        thrown |= assert_priced_as_the_scorer_does(invented(seed, rules), rules, bids)
    real = simulate(HAND, house % 4, samples=5, seed=house, rules=rules)
    thrown |= assert_priced_as_the_scorer_does(real, rules, bids)
    assert thrown == (rules.throw_in != "never")


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(HOUSES), st.integers(0, 2**32), st.integers(1, 8), st.integers(1, 120))
def test_any_invented_rounds(rules, seed, samples, tens):
    assert_priced_as_the_scorer_does(invented(seed, rules, samples), rules, [10 * tens])


@pytest.mark.parametrize("house", [0, 1, 2, 9, 17])
def test_the_chance_to_make_falls_with_the_bid(house):
    rules = HOUSES[house]
    for outcomes in (invented(house, rules, 40), simulate(HAND, 0, samples=40, rules=rules)):
        pricing = Pricing(outcomes, rules)
        chances = [pricing.p_make(bid).mean for bid in range(0, 1200, 10)]
        assert chances == sorted(chances, reverse=True)
        assert pricing.p_make(5000).mean == 0
        assert chances[0] > 0.5


@settings(deadline=None)
@given(
    st.sampled_from(HOUSES),
    st.integers(0, 2**32),
    st.integers(1, 60),
    st.sampled_from(["0.001", "0.5", "0.75", "0.82", "0.90", "1"]),
)
def test_quantile_bid_by_sorting(rules, seed, samples, share):
    outcomes = invented(seed, rules, samples)
    pricing = Pricing(outcomes, rules)
    table = rounds_of(outcomes, rules)
    bid = pricing.quantile_bid(float(share))
    # A round that does not save its meld makes no bid at all.
    most = sorted(
        this.our_meld + this.our_tricks if this.score(rules, 1).made else 0 for this in table
    )
    enough = [
        score
        for score in most
        if sum(other >= score for other in most) >= Fraction(share) * len(most)
    ]
    if bid > 0:
        assert bid == max(enough)
        assert pricing.made(bid).sum() >= Fraction(share) * len(table)
    else:
        assert max(enough) == 0
    assert pricing.made(max(bid, 0) + 1).sum() < Fraction(share) * len(table)


def test_an_estimate_by_hand():
    rows = np.array([[10, 20, 30], [0, 0, 0], [40, 50, 60], [20, 20, 20]])
    means = [20, 0, 50, 20]
    grand = sum(means) / 4
    error = math.sqrt(sum((mean - grand) ** 2 for mean in means) / 3 / 4)
    assert estimate(rows) == pytest.approx(Estimate(grand, error))
    assert estimate(np.array(means)) == pytest.approx(Estimate(grand, error))
    alone = estimate(np.array([[1, 2, 6]]))
    assert alone.mean == 3
    assert math.isnan(alone.se)
    assert estimate(np.zeros((5, 3), dtype=bool)) == Estimate(0.0, 0.0)


def binomial_bounds(n, p, error=1e-5):
    """Return the counts outside which each tail is less likely than `error`."""
    shares = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    up = list(itertools.accumulate(shares))
    down = list(itertools.accumulate(reversed(shares)))
    low = next(k for k in range(n + 1) if up[k] > error)
    high = n - next(k for k in range(n + 1) if down[k] > error)
    return low, high


SEEDS = 300
RUN = 150


@pytest.fixture(scope="module")
def many_runs():
    """Two trumps of a hand without a run: one long run, cut into runs of `RUN` deals."""
    hand = hand_of("AT9.AKJ9.KQ.TKQ")
    runs = [simulate(hand, trump, samples=SEEDS * RUN, seed=12) for trump in (1, 3)]
    return [Pricing(run, Rules()) for run in runs]


def cut(values):
    return np.split(values, SEEDS)


@pytest.mark.parametrize("what", ["score", "made", "differences", "paired"])
def test_intervals_cover_the_mean_as_often_as_they_say(many_runs, what):
    one, other = many_runs
    values = {
        "score": lambda: one.score,
        "made": lambda: one.made(280),
        "differences": lambda: one.differences(280),
        "paired": lambda: one.differences(260) - other.differences(260),
    }[what]()
    truth = values.mean()
    # The long-run mean is known to a seventeenth of one run's error, which hardly matters.
    covered = sum(abs(found.mean - truth) < 1.96 * found.se for found in map(estimate, cut(values)))
    low, high = binomial_bounds(SEEDS, 0.945)
    assert low <= covered <= high


def test_rotations_of_one_deal_are_not_three_observations(many_runs):
    """The error of the mean over deals is the spread that is really seen between runs."""
    values = many_runs[0].score
    means = np.array([part.mean() for part in cut(values)])
    stated = np.mean([estimate(part).se for part in cut(values)])
    # A standard deviation from 300 values is known to four per cent.
    assert means.std(ddof=1) == pytest.approx(stated, rel=0.18)


def test_pairing_makes_errors_smaller(many_runs):
    one, other = many_runs
    for bid in (250, 280, 320):
        mine, yours = one.differences(bid), other.differences(bid)
        paired = estimate(mine - yours).se
        unpaired = math.hypot(estimate(mine).se, estimate(yours).se)
        assert paired < 0.97 * unpaired


def test_pricing_does_not_change_the_outcomes():
    outcomes = simulate(HAND, 0, samples=20)
    copies = [outcomes.our_meld.copy(), outcomes.their_meld.copy(), outcomes.our_tricks.copy()]
    pricing = Pricing(outcomes, PRESETS["pagat"])
    pricing.take(900)
    pricing.quantile_bid(0.9)
    for before, after in zip(
        copies, (outcomes.our_meld, outcomes.their_meld, outcomes.our_tricks), strict=True
    ):
        np.testing.assert_array_equal(before, after)


def test_several_bids_at_once_are_scored_as_one_by_one():
    for rules in HOUSES:
        pricing = Pricing(invented(5, rules, 20), rules)
        bids = [250, 300, 520, 330, 900]
        at_once = pricing.scores_at(bids)
        for i, bid in enumerate(bids):
            for one, all_of_them in zip(pricing.scores(bid), at_once, strict=True):
                np.testing.assert_array_equal(one, all_of_them[i])
        each = np.random.default_rng(5).choice(bids, (20, 3))
        for place in np.ndindex(each.shape):
            for one, other in zip(
                pricing.scores(int(each[place])), pricing.scores(each), strict=True
            ):
                assert one[place] == other[place]


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(HOUSES), st.integers(0, 2**32), st.integers(1, 20))
def test_every_contract_of_an_auction_is_scored_for_the_side_that_has_it(rules, seed, samples):
    seven = [Pricing(invented(seed + i, rules, samples), rules) for i in range(7)]
    rng = np.random.default_rng(seed)
    n = 3 * samples
    declarers = rng.integers(-1, 4, n).astype(np.int8)
    contracts = np.where(declarers < 0, 0, rng.choice([250, 300, 410, 700], n)).astype(np.int16)
    named = rng.integers(0, 4, 701).astype(np.int8)
    scores, we_bid = np.zeros((2, n), dtype=np.int32), np.zeros(n, dtype=np.bool_)
    score_auctions(
        declarers, contracts, named, np.stack([item.priced for item in seven]),
        np.stack([item.expected for item in seven]), seven[0].price_rules, scores, we_bid,
    )  # fmt: skip
    for i in range(n):
        place, bid = int(declarers[i]), int(contracts[i])
        expected = [0, 0]
        if place >= 0:
            pricing = seven[3 + place if place else named[bid]]
            expected = [int(points.ravel()[i]) for points in pricing.scores(bid)]
        # Places 1 and 3 are the opponents on our left and right.
        assert scores[:, i].tolist() == (expected[::-1] if place in (1, 3) else expected)
        assert we_bid[i] == (place in (0, 2))


@pytest.mark.parametrize("tricks", [-10, 250])
def test_rounds_under_other_rules_are_refused(tricks):
    outcomes = invented(1, Rules(last_trick=0), 20)
    outcomes.our_tricks[7, 1] = tricks
    rules = Rules(last_trick=0)
    with pytest.raises(ValueError, match=f"tricks: expected 0 to {rules.trick_total} points"):
        Pricing(outcomes, rules)
    with pytest.raises(ValueError, match="tricks: expected 0 to"):
        Pricing(invented(2, rules, 20), rules, outcomes)


def test_a_bid_beyond_every_round_is_lost_in_all_of_them():
    hand = Hand.from_cards(DECK[::4])
    pricing = Pricing(simulate(hand, 3, samples=50, rules=Rules()), Rules(throw_in="never"))
    assert pricing.p_make(3000) == Estimate(0.0, 0.0)
    assert pricing.take(3000).mean < -3000
