import math
from dataclasses import replace

import numpy as np
import pytest
from naive import DECK, cards_of, hand_of, unpacked, without
from test_pricing import binomial_bounds

from advisor import advise as advise_from_package
from advisor.advice import TIE_WITHIN, TrumpEstimate
from advisor.advise import advise
from advisor.errors import AdvisorError, HandError, OptionError
from advisor.game.auction import bid_ladder
from advisor.game.cards import CLUBS, DIAMONDS, HEARTS, SPADES, SUITS, Hand
from advisor.game.meld import score_meld
from advisor.game.rules import PRESETS, Rules
from advisor.kernels.rounds import FLAG_OUR_TRICK, FLAG_THEIR_TRICK
from advisor.playing import Outcomes
from advisor.pricing import Pricing, estimate
from advisor.simulate import simulate, worker_pool
from advisor.stopping import DEFAULT_BUDGET, FIRST_LOOK

STRONG = hand_of("AATKQJ.AK.QJ.T9")
# Hearts and clubs alike, and neither leg of the pinochle.
SYMMETRIC = hand_of("99.ATKJ.T9.ATKJ")
WEAK = hand_of("99J.9TJ.9J9.9QT")


def random_hands(seed, number):
    rng = np.random.default_rng(seed)
    return [
        Hand.from_cards(int(card) for card in rng.permutation(DECK)[:12]) for _ in range(number)
    ]


def legal_bids(pricing):
    """Return every legal bid that some round makes; above them all are lost."""
    return bid_ladder(pricing.rules, int(pricing.score.max()))


def test_threads_change_nothing():
    alone = advise(STRONG, seed=4)
    for threads in (1, 2):
        with worker_pool(threads) as pool:
            assert repr(advise(STRONG, seed=4, executor=pool)) == repr(alone)
    assert repr(advise_from_package(STRONG, seed=4)) == repr(alone)
    assert repr(advise(STRONG, seed=5)) != repr(alone)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("text", ["AATKQJ.AK.QJ.T9", "AT9.AKJ9.KQ.TKQ", "99J.9TJ.9J9.9QT"])
def test_every_number_can_be_had_from_the_same_deals(text, rules):
    hand = hand_of(text)
    advice = advise(hand, rules=rules, samples=1500, seed=8)
    runs = {
        item.trump: simulate(hand, item.trump, samples=item.samples, seed=8, rules=rules)
        for item in advice.trumps
    }
    pricings = {trump: Pricing(run, rules) for trump, run in runs.items()}
    at, best = advice.suggestion.at, advice.suggestion.trump
    assert sorted(runs) == list(SUITS)
    assert advice.best is advice.trumps[0]
    for item in advice.trumps:
        run, pricing = runs[item.trump], pricings[item.trump]
        assert item.meld == score_meld(hand, item.trump, rules)
        assert item.team_meld == estimate(run.our_meld)
        assert item.tricks == estimate(run.our_tricks)
        assert item.score == estimate(run.score)
        assert item.score_sd == pytest.approx(run.score.std())
        assert item.score.mean == pytest.approx(item.team_meld.mean + item.tricks.mean)
        assert min(item.p_make) == rules.minimum
        assert list(item.p_make) == list(range(rules.minimum, max(item.p_make) + 1, 10))
        assert list(item.take) == list(item.p_make)
        for bid in item.p_make:
            assert item.p_make[bid] == estimate(pricing.made(bid))
            assert item.take[bid] == estimate(pricing.differences(bid))
        n = min(run.samples, runs[best].samples)
        lead = pricings[best].differences(at)[:n] - pricing.differences(at)[:n]
        if item.trump == best:
            assert item.behind == (0.0, 0.0)
        else:
            assert item.behind == estimate(lead)
            assert item.tied == (abs(item.behind.mean) <= TIE_WITHIN * item.behind.se)
        assert item.dropped == (item.samples < advice.samples)
    values = {
        trump: pricings[trump].take(at).mean
        for trump in runs
        if runs[trump].samples == advice.samples
    }
    assert values[best] == max(values.values())
    assert at in bid_ladder(rules, at)


@pytest.mark.parametrize("name", PRESETS)
def test_the_suggestion(name):
    rules = PRESETS[name]
    for hand in [STRONG, SYMMETRIC, WEAK, *random_hands(3, 6)]:
        advice = advise(hand, rules=rules, samples=FIRST_LOOK, seed=1)
        suggestion = advice.suggestion
        run = simulate(hand, suggestion.trump, samples=advice.samples, seed=1, rules=rules)
        pricing = Pricing(run, rules)
        assert suggestion.ceiling == suggestion.bid
        assert suggestion.action == ("pass" if suggestion.bid is None else "bid")
        assert (suggestion.bid is None) == advice.decision.chosen.call.is_pass
        for share, bid in (
            (0.90, suggestion.safe),
            (0.82, suggestion.standard),
            (0.75, suggestion.suggested),
        ):
            made_often = [
                step for step in legal_bids(pricing) if pricing.made(step).mean() >= share
            ]
            assert bid == max(made_often, default=None)


def test_steps_above_a_level_are_legal_bids():
    rules = PRESETS["neuralplay"]
    advice = advise(hand_of("AATTKKQQJJ.A.A.-"), rules=rules, samples=600)
    assert advice.suggestion.bid > 600
    assert (advice.suggestion.bid - 600) % 50 == 0


def test_a_higher_bid_that_can_be_thrown_in_may_be_worth_more():
    # Half of the rounds meld 0 and are lost: at 250 they must be played (-250 and 120 to them),
    # at 260 they may be thrown in (-260 and nothing). The other half are worth 380 - 120.
    rows = [[0, 250, 0], [250, 0, 250]]
    our_meld = np.array(rows, dtype=np.int16)
    tricks = np.full_like(our_meld, 130)
    flags = np.full_like(our_meld, FLAG_OUR_TRICK | FLAG_THEIR_TRICK)
    nothing = np.zeros_like(our_meld)
    cards = np.zeros(our_meld.shape, dtype=np.uint64)
    pricing = Pricing(
        Outcomes(SPADES, our_meld, nothing, tricks, our_meld, flags, cards, cards, np.zeros(4)),
        Rules(),
    )
    assert [pricing.take(bid).mean for bid in (250, 260, 270)] == [-55.0, 0.0, -5.0]


@pytest.mark.parametrize("precision", [0.8, 2.0, 5.0])
@pytest.mark.parametrize("hand", [STRONG, WEAK], ids=["strong", "weak"])
def test_precision_stops_where_it_is_reached(hand, precision):
    advice = advise(hand, precision=precision, seed=2)
    assert advice.best.score.se <= precision
    assert advice.asked_precision == precision
    assert advice.samples >= FIRST_LOOK


def test_precision_does_not_cost_far_more_deals_than_it_needs():
    advice = advise(STRONG, precision=0.8, seed=2)
    needed = advice.samples * (advice.best.score.se / 0.8) ** 2
    assert advice.samples < 1.5 * max(needed, FIRST_LOOK)


def test_by_default_it_stops_at_one_point_or_at_the_budget():
    for hand in (STRONG, WEAK, SYMMETRIC):
        advice = advise(hand)
        p_errors = [found.se for found in advice.best.p_make.values()]
        precise = advice.best.score.se <= 1.0 and max(p_errors) <= 0.0101
        assert precise or advice.samples == DEFAULT_BUDGET
        assert advice.samples <= DEFAULT_BUDGET


@pytest.mark.parametrize("samples", [1, 2, 511, 512, 513, 3000])
def test_samples_are_an_exact_budget(samples):
    advice = advise(STRONG, samples=samples)
    assert advice.samples == advice.asked_samples == samples
    assert all(item.samples <= samples for item in advice.trumps)
    # One deal has no error, so nothing is settled by it.
    if samples == 1:
        assert not advice.suggestion.settled
        assert math.isnan(advice.best.score.se)


def test_a_budget_bounds_a_precision():
    assert advise(STRONG, samples=700, precision=0.1).samples == 700


def test_dropped_trumps_keep_their_numbers():
    advice = advise(STRONG, samples=4000, seed=6)
    dropped = [item for item in advice.trumps if item.dropped]
    assert dropped
    assert SPADES not in [item.trump for item in dropped]
    for item in dropped:
        assert FIRST_LOOK <= item.samples < 4000
        run = simulate(STRONG, item.trump, samples=item.samples, seed=6)
        assert item.score == estimate(run.score)
        assert item.p_make
        assert item.behind.mean > 3 * item.behind.se > 0
        assert not item.tied


def test_suits_that_are_alike_are_called_tied():
    tied, seeds = 0, 60
    for seed in range(seeds):
        advice = advise(SYMMETRIC, samples=FIRST_LOOK, seed=seed)
        first, second = advice.trumps[:2]
        assert {first.trump, second.trump} == {HEARTS, CLUBS}
        assert not second.dropped
        tied += second.tied
        if second.tied:
            assert not advice.suggestion.settled
    low, high = binomial_bounds(seeds, 0.95)
    assert low <= tied <= high


def test_alike_suits_have_the_same_exact_part():
    advice = advise(SYMMETRIC, samples=600)
    by_trump = {item.trump: item for item in advice.trumps}
    assert by_trump[HEARTS].meld.total == by_trump[CLUBS].meld.total
    # And over many deals the same score, to within the error of the difference.
    hearts = simulate(SYMMETRIC, HEARTS, samples=40_000, seed=1).score
    clubs = simulate(SYMMETRIC, CLUBS, samples=40_000, seed=1).score
    difference = estimate(hearts - clubs)
    assert abs(difference.mean) < 4.417 * difference.se
    assert difference.se < 1


def test_a_clear_lead_is_no_tie():
    advice = advise(STRONG, samples=2000)
    assert advice.suggestion.trump == SPADES
    assert not any(item.tied for item in advice.trumps[1:])
    assert advice.suggestion.settled


def test_seeds_agree_within_their_errors():
    found = [advise(STRONG, samples=1000, seed=seed, trump=SPADES).best for seed in range(12)]
    assert len({item.score.mean for item in found}) == 12
    for item in found[1:]:
        joint = math.hypot(item.score.se, found[0].score.se)
        assert abs(item.score.mean - found[0].score.mean) < 5 * joint


@pytest.mark.parametrize("trump", SUITS)
def test_fixed_trump(trump):
    advice = advise(STRONG, trump=trump, samples=700)
    assert [item.trump for item in advice.trumps] == [trump]
    assert advice.suggestion.trump == advice.fixed_trump == trump
    free = advise(STRONG, samples=700)
    mine = next(item for item in free.trumps if item.trump == trump)
    if not mine.dropped:
        assert mine.score == advice.best.score


def test_trump_that_needs_a_marriage():
    rules = Rules(trump_needs_marriage=True)
    advice = advise(hand_of("AATTJ9.KQ.KQ.JJ"), rules=rules, samples=600)
    assert sorted(item.trump for item in advice.trumps) == [HEARTS, DIAMONDS]
    none = hand_of("AATTKK.QQ.JJ.99")
    silent = advise(none, rules=rules, samples=10).suggestion
    assert (silent.may_name, silent.action, silent.bid, silent.forced) == (
        False,
        "pass",
        None,
        None,
    )
    # A table that turns up trump has named it for him.
    assert advise(none, rules=rules, trump=CLUBS, samples=10).suggestion.trump == CLUBS


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hand": Hand.from_cards(cards_of("AS KS"))}, HandError, "hand has 2 cards, expected 12"),
        ({"samples": 0}, OptionError, "samples: expected a whole number from 1 to"),
        ({"samples": 2.0}, OptionError, "samples: expected a whole number"),
        ({"precision": 0}, OptionError, "precision: expected points from 0.05 to 100, found 0"),
        ({"precision": 1000.0}, OptionError, "precision: expected .*found 1000.0"),
        ({"precision": float("nan")}, OptionError, "precision: expected .*found nan"),
        ({"precision": True}, OptionError, "precision: expected .*found (?i:true)"),
        ({"precision": "1"}, OptionError, "precision: expected .*found '1'"),
        ({"seed": -1}, OptionError, "seed: expected a whole number from 0"),
        ({"seed": 1.5}, OptionError, "seed: expected .*found 1.5"),
        ({"trump": 7}, OptionError, "trump: expected a whole number from 0 to 3, found 7"),
        ({"engine": "oracle"}, OptionError, "engine: expected .*found 'oracle'"),
    ],
)
def test_errors_are_one_line_that_names_the_setting(arguments, error, message):
    arguments = {"hand": STRONG, **arguments}
    with pytest.raises(error, match=message) as caught:
        advise(arguments.pop("hand"), **arguments)
    assert isinstance(caught.value, AdvisorError)
    assert "\n" not in str(caught.value)


def test_two_standard_errors_are_a_tie():
    item = advise(STRONG, samples=2).trumps[1]
    for lead, tied in ((1.9, True), (2.0, True), (2.1, False), (-1.9, True)):
        behind = item.behind._replace(mean=lead, se=1.0)
        assert replace(item, behind=behind).tied == tied
    assert isinstance(item, TrumpEstimate)


@pytest.mark.parametrize("text", ["AATKQJ.AK.QJ.T9", "AT9.AKJ9.KQ.TKQ"])
def test_the_explanation_adds_up(text):
    hand = hand_of(text)
    advice = advise(hand, samples=600, seed=3)
    best, told = advice.best, advice.explanation
    assert told.trump == best.trump
    assert told.meld == best.meld
    together = told.declarer_meld.mean + told.partner_meld.mean
    assert together == pytest.approx(best.team_meld.mean)
    assert told.tricks == best.tricks
    assert sum(told.lost_by_suit) == pytest.approx(250 - best.tricks.mean)
    assert told.missing == tuple(
        card
        for card in (best.trump * 6 + rank for rank in (5, 4, 3, 2, 1))
        if card not in hand.cards
    )

    run = simulate(hand, best.trump, samples=600, seed=3)
    hands, came, went = [], [], []
    for received, returned in zip(run.received.ravel(), run.returned.ravel(), strict=True):
        came.append(unpacked(received))
        went.append(unpacked(returned))
        hands.append(without([*hand.cards, *came[-1]], went[-1]))

    def share(test, rows):
        return sum(test(row) for row in rows) / len(rows)

    for told_cards, rows in ((told.received, came), (told.returned, went)):
        assert [item.share for item in told_cards] == sorted(
            (item.share for item in told_cards), reverse=True
        )
        for item in told_cards:
            assert item.share == pytest.approx(share(lambda row, c=item.card: c in row, rows))
    assert told.trumps_before == sum(card // 6 == best.trump for card in hand.cards)
    assert told.trumps_after == pytest.approx(
        np.mean([sum(card // 6 == best.trump for card in row) for row in hands])
    )
    melds = {
        "run": [best.trump * 6 + rank for rank in range(1, 6)],
        "royal marriage": [best.trump * 6 + rank for rank in (2, 3)],
        "pinochle": [2, 13],
        **{
            f"{name} around": [suit * 6 + rank for suit in SUITS]
            for name, rank in (("aces", 5), ("kings", 3), ("queens", 2), ("jacks", 1))
        },
    }
    assert told.chances
    for chance in told.chances:
        name = chance.name.removeprefix("double ")
        times = 2 if chance.name.startswith("double ") else 1
        wanted = [card for card in melds[name] for _ in range(times)]

        def has_all(row, wanted=tuple(wanted)):
            return all(row.count(card) >= wanted.count(card) for card in wanted)

        assert chance.before == has_all(list(hand.cards))
        assert chance.after == pytest.approx(share(has_all, hands))
    assert told.all_tricks == pytest.approx((run.our_tricks == 250).mean())


def test_another_trump_that_is_better_lower_down():
    advice = advise(hand_of("KQ9.TTK9.A.TQJJ"), samples=700)
    lower = advice.suggestion.lower
    assert lower is not None
    other = next(item for item in advice.trumps if item.trump == lower.trump)
    assert lower.bid < advice.suggestion.at
    assert lower.trump != advice.suggestion.trump
    assert other.take[lower.bid].mean - advice.best.take[lower.bid].mean == pytest.approx(
        lower.lead.mean
    )
    assert lower.lead.mean > 2 * lower.lead.se > 0
    assert advise(STRONG, samples=600).suggestion.lower is None


def test_what_a_forced_dealer_names():
    rules = Rules(minimum=200, forced_bid=150)
    advice = advise(hand_of("T99.T99.KJ9.TJ9"), rules=rules, samples=600)
    forced = advice.suggestion.forced
    assert forced is not None
    assert forced.bid == 150
    assert forced.p_make.mean >= advice.best.p_make[200].mean
    named = next(item for item in advice.trumps if item.trump == forced.trump)
    assert forced.take.mean >= named.take[200].mean
    redeal = advise(STRONG, rules=Rules(all_pass="redeal"), samples=100).suggestion
    assert redeal.forced is None


def test_half_of_the_rounds_lie_between_the_quartiles():
    advice = advise(STRONG, samples=600)
    for item in advice.trumps:
        score = simulate(STRONG, item.trump, samples=item.samples).score
        low, high = item.quartiles
        assert np.mean(score >= low) >= 0.75 > np.mean(score > low)
        assert np.mean(score >= high) >= 0.25 > np.mean(score > high)
