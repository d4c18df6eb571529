"""The baselines: check values, how aggressive they are, and what their docstrings promise."""

import numpy as np
import pytest
from naive import packed

from advisor import Hand, Rules, simulate
from advisor.bidding import random_hands
from advisor.errors import OptionError
from advisor.game.auction import bid_ladder
from advisor.kernels import league as kernel
from advisor.rules_of_bidding import b1, b2, b3, b4, b5, b6, b7, b9, b10
from advisor.rules_of_bidding.b8 import score_at
from advisor.rules_of_bidding.hands import Hands, best_suit
from advisor.rules_of_bidding.names import (
    DEFAULT_RULES,
    RULE_NAMES,
    SIMULATING,
    check_rule_name,
    check_rule_names,
)
from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.sampled import ROUNDS, SAMPLES

# Meld, B1, B3, B5, B2 before rounding (S/H/C/D), and B6's suit and bid, all in units of ten.
CHECKED = [
    ["AS 10S KS QS JS 9S AH KH QD JD 9C 9H",
     "20/7/7/6", "33/15/13/13", "37/24/24/23",
     "30/21/20/20", "38/20/20/19", "S 37"],
    ["AS AS 10S KS QS AH 10H AC KC AD JD 9C",
     "18/16/17/16", "37/32/34/32", "40/39/40/39",
     "35/27/28/27", "54.5/39/40/39", "S 43"],
    ["AH 10H KH QH 9H AS KS AC QC JD 10D 9D",
     "2/5/2/3", "12/20/12/17", "26/38/27/27",
     "19/25/19/18", "17.5/36.5/17.5/31", "H 19"],
    ["KS QS KH QH KC QC KD QD 9S 9H JC JD",
     "29/29/28/28", "34/34/33/33", "40/40/40/40",
     "22/22/21/21", "37/37/36/36", "H 34"],
    ["QS QS JD JD AH 10H KH 9C 9C 10C AD KS",
     "34/32/34/32", "42/41/45/42", "51/49/51/49",
     "16/17/16/16", "47/47.5/49.5/45", "H 42"],
    ["AS AH AC AD 10S 10H KC QC JS JH 9D 9D",
     "12/12/14/14", "26/26/26/28", "33/33/35/35",
     "22/22/22/22", "32.5/32.5/32/32", "C 28"],
    ["9S 9H 9C 9D JS JH JC 10S 10D KC QH 9S",
     "2/1/1/1", "7/3/3/2", "15/14/14/14",
     "6/4/4/4", "12.5/9/9/9", "S 3"],
    ["AD AD 10D KD QD QS KS AS 9D JH QH 10C",
     "6/4/4/7", "18/16/15/24", "25/23/23/34",
     "22/19/19/26", "24/22/22/42.5", "D 28"],
]  # fmt: skip
SHCD = [0, 1, 3, 2]
# Best-suit values of random hands: mean, then the 10, 50, 90 and 99 % marks, in units of ten.
AGGRESSIVE = {
    "meld": (lambda hands: hands.meld, 5.6, (1, 5, 12, 20)),
    "b1": (b1.values, 17.3, (11, 16, 24, 35)),
    "b2": (b2.values, 26.6, (16, 26.5, 38, 47.5)),
    "b3": (b3.values, 27.1, (18, 27, 39, 40)),
    "b4": (b4.low, 27.4, (22, 26, 34, 42)),
    "b5": (b5.values, 18.4, (10, 18, 27, 34)),
    "b7b": (b7.card_values, 20.3, (15, 19.5, 27, 38)),
}


def rows(place):
    return [line[place] for line in CHECKED]


def hands_of(texts, rules=None):
    words = np.array([Hand.parse(text).packed for text in texts], dtype=np.uint64)
    return Hands(words, rules or Rules())


@pytest.fixture(scope="module")
def checked():
    return hands_of(rows(0))


@pytest.fixture(scope="module")
def random():
    return Hands(random_hands(20_000, 77), Rules())


@pytest.mark.parametrize(
    ("place", "values"),
    [
        (1, lambda hands: hands.meld),
        (2, b1.values),
        (3, b3.values),
        (4, b5.values),
        (5, b2.values),
    ],
    ids=["meld", "b1", "b3", "b5", "b2"],
)
def test_check_values(checked, place, values):
    expected = [[10 * float(x) for x in row.split("/")] for row in rows(place)]
    assert values(checked)[:, SHCD].tolist() == expected


def test_check_values_of_b6(checked):
    limits, trumps = b6.look(checked)
    found = [f"{'SHDC'[t]} {limit // 10}" for limit, t in zip(limits, trumps, strict=True)]
    assert found == rows(6)


@pytest.mark.parametrize("name", AGGRESSIVE)
def test_rules_are_as_aggressive_as_published(random, name):
    values, mean, marks = AGGRESSIVE[name]
    best = values(random).max(axis=1) / 10
    # Both figures come from 20,000 hands; published means have one decimal.
    assert abs(best.mean() - mean) < 0.06 + 4 * best.std() * (2 / 20_000) ** 0.5
    for share, mark in zip((10, 50, 90, 99), marks, strict=True):
        assert abs(np.percentile(best, share) - mark) <= 1.0


def test_b6_is_as_aggressive_as_published(random):
    limits = b6.look(random)[0] / 10
    assert abs(limits.mean() - 15.6) < 0.06 + 4 * limits.std() * (2 / 20_000) ** 0.5
    assert abs((limits >= 25).mean() - 0.12) < 0.02


def test_b2_rounds_up_and_names_the_longer_suit():
    # Three tricks and a nine of trump in spades, hearts and diamonds, of which there are four.
    hands = hands_of(["AT9.TJ9.ATJ9.T9"])
    values = b2.values(hands)
    assert values[0, :3].tolist() == [25 * (3 + 2) + 10 + 30] * 3
    limits, trumps = b2.look(hands)
    assert limits[0] == 10 * np.ceil(values[0, trumps[0]] / 10)
    assert trumps[0] == 2


def test_b3_counts_special_holdings():
    three_legs = hands_of(["QQ9.A9.JTK.TKJ9", "QQ9.A9.JJTK.TJ9", "Q9.A99.JTK.TKJ9"])
    legs = b3._of_the_hand(three_legs) - 2 * three_legs.aces
    assert legs.tolist() == [22.5, 30.0, 4.0]
    # A run that lacks only its ace, the three other aces held: 16 instead of 13.
    hand = hands_of(["TKQJ9.AQ.AQ.AT9"])
    assert b3.uncapped(hand)[0, 0] == 10 * (12 + 1 + 2 * 3 + 5 + 16)


def test_b4_chances_are_the_exact_ones():
    assert [round(b4.chance_of(k), 4) for k in range(1, 6)] == [
        0.5619, 0.3042, 0.1578, 0.0779, 0.0362,
    ]  # fmt: skip


def test_b4_between_low_and_high():
    hands = hands_of(["ATKQ9.AJ.K9.TQ9", "ATKQJ.AJ.K9.TQ9"])
    low, high = b4.low(hands), b4.high(hands)
    # Meld 40 + 10, losers K 9 T Q 9; with the jack a run, aces kept.
    assert low[0, 0] == 40 + 10 + 250 - 50
    assert high[0, 0] == 150 + 10 + 250 - 50 + 40
    q = 0.5 + (b4.chance_of(1) - 0.5) / 2
    weight = 1 - (1 - q) ** 2
    assert b4.values(hands)[0, 0] == pytest.approx(low[0, 0] + (high - low)[0, 0] * weight)
    assert b4.values(hands)[1, 0] == max(low[1, 0], 250)
    assert b4.look(hands)[1].tolist() == [0, 0]


def test_b7_adds_what_it_says(checked):
    assert (b7.meld_and_constant(checked) == checked.meld + 250).all()
    hand = hands_of(["AATK9.AT.K9.QJ9"])
    assert b7.card_values(hand)[0, 0] == 10 + 10 * (3 + 3 + 2.5 + 2 + 1.5 + 2 + 1.25 + 0.5) + 20
    assert rule_of("b7b").habits.partner_bid_adds == 20


def test_b8_takes_the_smallest_score_that_reaches_the_share():
    rng = np.random.default_rng(1)
    scores = 10 * rng.integers(20, 50, (40, ROUNDS))
    for share in (0.10, 0.18, 0.25):
        for row, found in zip(scores.tolist(), score_at(scores, share).tolist(), strict=True):
            counted = [x for x in sorted(set(row)) if sum(y <= x for y in row) >= share * len(row)]
            assert found == counted[0]


def test_b8_plays_the_deals_of_the_simulator():
    hands = hands_of(["AATKQJ.AK.QJ.T9", "TKQJ9.A.KQ99.TK"])
    ours, theirs = hands.samples.declaring
    seed = hands.samples._seed
    for row, text in enumerate(["AATKQJ.AK.QJ.T9", "TKQJ9.A.KQ99.TK"]):
        outcomes = simulate(Hand.parse(text), 0, samples=SAMPLES, seed=seed, engine="policy")
        assert ours[row, 0].tolist() == outcomes.score.ravel().tolist()
        others = outcomes.their_meld.astype(int) + 250 - outcomes.our_tricks
        assert theirs[row, 0].tolist() == others.ravel().tolist()
    # A trump that is far behind is not looked at, and never named.
    assert (ours[~hands.samples.looked_at] == -1).all()
    for name in ("b8-10", "b8-18", "b8-25"):
        assert rule_of(name).look(hands)[1].tolist() == [0, 0]


def test_b8_bids_are_in_order():
    hands = Hands(random_hands(30, 5), Rules())
    safe, standard, pro = (rule_of(name).look(hands)[0] for name in ("b8-10", "b8-18", "b8-25"))
    assert (safe <= pro).all()
    assert (standard <= pro).all()
    assert (safe < pro).any()


def test_b9_compares_declaring_with_defending():
    hands = Hands(random_hands(12, 8), Rules())
    limits, trumps = b9.look(hands)
    ours, theirs = hands.samples.declaring
    place, trump = b9.opponents(hands)
    deals = hands.samples.deals.hands
    for row in range(0, len(deals), 97):
        left, right = (b3.values(Hands(deals[[row], seat], Rules())) for seat in (1, 3))
        assert place[row] == (1 if left.max() >= right.max() else 3)
        assert trump[row] == best_suit(left if place[row] == 1 else right)[0]
    their_scores, our_points = hands.samples.defending(place, trump)
    for i in range(len(hands)):
        limit = 0
        for bid in bid_ladder(Rules(), b9.TOP):
            declaring = max(
                np.mean([x - y if x >= bid else -bid - y for x, y in zip(a, b, strict=True)])
                for a, b, seen in zip(ours[i], theirs[i], hands.samples.looked_at[i], strict=True)
                if seen
            )
            passing = np.mean(
                [
                    mine - (score if score >= bid else -bid)
                    for score, mine in zip(their_scores[i], our_points[i], strict=True)
                ]
            )
            if declaring < passing - 1e-9:
                break
            limit = bid
        assert limits[i] == limit
        assert hands.samples.looked_at[i, trumps[i]]


def test_b10_is_the_fitted_line(checked):
    row = b10.features(checked)[0, 0]
    assert row.tolist() == [1, 20, 6, 2, 1, 0, 0]
    values = b10.values(checked)
    assert values[0, 0] == pytest.approx(10 * float(row @ b10.WEIGHTS))
    limits, trumps = rule_of("b10").look(checked)
    assert limits.tolist() == np.floor(values.max(axis=1)).tolist()
    assert (trumps == best_suit(values)).all()


@pytest.mark.parametrize("name", sorted(set(RULE_NAMES)))
def test_every_name_is_a_rule(name):
    rule = rule_of(name)
    assert rule.name == name
    hands = Hands(random_hands(4, 3), Rules())
    limits, trumps = rule.look(hands)
    assert len(limits) == len(trumps) == 4
    assert limits.dtype == trumps.dtype == np.int64
    assert ((trumps >= 0) & (trumps < 4)).all()
    assert rule.habits.as_array().shape == (kernel.N_HABITS,)


@pytest.mark.parametrize("name", sorted(set(RULE_NAMES) - SIMULATING))
def test_a_hand_is_judged_by_itself(name):
    words = random_hands(50, 4)
    whole = rule_of(name).look(Hands(words, Rules()))
    parts = [rule_of(name).look(Hands(words[[i]], Rules())) for i in range(50)]
    for i in range(2):
        assert (np.concatenate([part[i] for part in parts]) == whole[i]).all()


def test_simulating_rules_judge_a_hand_by_itself():
    words = random_hands(6, 4)
    for name in sorted(SIMULATING):
        whole = rule_of(name).look(Hands(words, Rules(), 5))
        part = rule_of(name).look(Hands(words[3:5], Rules(), 5))
        assert all((whole[i][3:5] == part[i]).all() for i in range(2))


def test_counts_are_those_of_the_cards(random):
    for word in random.packed[:20].tolist():
        hands = Hands(np.array([word], dtype=np.uint64), Rules())
        hand = Hand.from_packed(word)
        assert packed(list(hand)) == word
        for suit in range(4):
            for rank in range(6):
                assert hands.copies[0, suit, rank] == hand.count(suit, rank)
            assert hands.missing[0, suit] == sum(not hand.count(suit, r) for r in range(1, 6))


def test_names():
    assert check_rule_names(" B1 ,advisor") == ("b1", "advisor")
    assert (check_rule_name("b7"), check_rule_name("b8")) == ("b7a", "b8-25")
    assert all(check_rule_name(name) == name for name in DEFAULT_RULES)
    for text, said in [
        ("b1,advsor", "found 'advsor'; did you mean advisor?"),
        ("b1", "two names or more"),
        ("", "two names or more"),
        ("b8,b1,b8-25", "found b8-25 twice"),
    ]:
        with pytest.raises(OptionError, match="rules-of-bidding: expected") as error:
            check_rule_names(text)
        assert said in str(error.value)
