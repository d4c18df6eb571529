import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, cards_of, legal_plays, replay, unpacked
from naive_play import View, deal, follow, lead, pair, play_round, splitmix64
from test_deal import deals
from test_rounds import play, split

from advisor.game.cards import RANK_LETTERS, SUIT_LETTERS, SUITS, make_card
from advisor.game.rules import Rules

TABLES = [
    Rules(heading=heading, first_lead=first)
    for heading, first in itertools.product(
        ("always", "trump-leads", "after-ruff"), ("any", "trump")
    )
]
SEATS = list(itertools.product(SUITS, range(4)))


def assert_same_play(hands, trumps, leaders, rules):
    results, plays = play(hands, trumps, leaders, rules)
    for i, (deal_, trump, leader) in enumerate(zip(hands, trumps, leaders, strict=True)):
        expected = play_round(deal_, trump, leader, rules)
        assert plays[i] == expected, (deal_, trump, leader, rules.heading)
        score = replay(deal_, expected, trump, leader, rules)
        assert results[i] == [score.points[0], score.tricks[0]]


@pytest.mark.parametrize("size", range(1, 13))
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.heading}-{rules.first_lead}")
def test_random_deals(rules, size):
    rng = np.random.default_rng([size, TABLES.index(rules)])
    hands = [
        split([int(card) for card in rng.permutation(DECK)], size) for _ in range(5 * len(SEATS))
    ]
    trumps, leaders = zip(*SEATS * 5, strict=True)
    assert_same_play(hands, trumps, leaders, rules)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.heading}-{rules.first_lead}")
def test_long_suits_and_early_voids(rules):
    """Deals from a little shuffled deck: each seat is long somewhere and soon void elsewhere."""
    rng = np.random.default_rng(TABLES.index(rules))
    hands = []
    for _ in range(8 * len(SEATS)):
        by_suit = np.argsort(np.array(DECK) // 6 + rng.uniform(0, rng.uniform(0.5, 3), len(DECK)))
        cards = np.array(DECK)[by_suit]
        hands.append(
            [[int(card) for card in cards[seat * 12 : seat * 12 + 12]] for seat in range(4)]
        )
    trumps, leaders = zip(*SEATS * 8, strict=True)
    assert_same_play(hands, trumps, leaders, rules)


@settings(deadline=None)
@given(
    st.permutations(DECK),
    st.integers(1, 12),
    st.sampled_from(SUITS),
    st.integers(0, 3),
    st.sampled_from(TABLES),
)
def test_any_deal(order, size, trump, leader, rules):
    assert_same_play([split(order, size)], [trump], [leader], rules)


def view(seat, hand, played="", failed=""):
    """Return what a seat sees, trump being spades; `failed` reads `1H 3S`."""
    return View(
        seat,
        [pair(card) for card in cards_of(hand)],
        0,
        [pair(card) for card in cards_of(played)],
        {(int(one[0]), SUIT_LETTERS.index(one[1])) for one in failed.split()},
    )


def name(card):
    return RANK_LETTERS[card[1]] + SUIT_LETTERS[card[0]]


# The twin itself, against what the players' rules say.
@pytest.mark.parametrize(
    ("seat", "hand", "played", "failed", "expected"),
    [
        pytest.param(0, "AS AH KD QD", "", "", "AH", id="a bare ace before trump"),
        pytest.param(0, "AS AH 9H KD", "", "", "AS", id="an ace in company waits"),
        pytest.param(0, "AS AH KD QD", "", "1H", "AS", id="no bare ace into a void"),
        pytest.param(0, "TS KS QS JS", "", "", "QS", id="no trump ace: the queen, not the ten"),
        pytest.param(0, "TS QS KD", "AS AS", "", "TS", id="the ten when the aces are gone"),
        pytest.param(0, "QS AH JH", "", "", "AH", id="the last trump stays"),
        pytest.param(0, "QS 9D", "", "1S 3S", "9D", id="enemies out: losers first, trump last"),
        pytest.param(2, "KH QS 9D", "", "", "QS", id="partner helps to pull trump"),
        pytest.param(2, "AH AS 9D", "", "", "AH", id="but cashes aces first"),
        pytest.param(1, "AS AH 9D", "", "", "AH", id="a defender cashes aces"),
        pytest.param(1, "AS AH KD 9D", "", "0H", "9D", id="but not where declarer ruffs"),
        pytest.param(1, "AS JH 9D 9C 9C", "", "0C", "9C", id="and makes declarer ruff"),
        pytest.param(3, "AS KH TD TC TC", "", "", "KH", id="a king rather than a ten or trump"),
        pytest.param(3, "9S AS", "", "", "AS", id="only trump left: a master"),
        pytest.param(3, "9S TS", "", "", "9S", id="or else the lowest"),
    ],
)
def test_what_the_twin_leads(seat, hand, played, failed, expected):
    assert name(lead(view(seat, hand, played, failed))) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("9S JS TS AH", "JS"), ("9S AS AH", "AS"), ("KS TS AH", "KS"), ("AH 9D", "AH")],
)
def test_a_first_lead_that_must_be_trump(hand, expected):
    assert name(lead(view(0, hand), must_be_trump=True)) == expected


@pytest.mark.parametrize(
    ("hand", "trick", "played", "failed", "expected"),
    [
        pytest.param("QH TH AH", "JH", "", "", "AH", id="in a plain suit a sure winner"),
        pytest.param("QH TH AH", "JH", "", "1H", "QH", id="none is sure if the next may ruff"),
        pytest.param("QS TS AS", "JS", "", "", "QS", id="in trump the cheapest that wins"),
        pytest.param("TH AH", "JH", "", "", "AH", id="of counters one that is sure"),
        pytest.param("TH AH", "JH", "AH", "", "TH", id="the ten when the aces are seen"),
        pytest.param("KH TH", "JH", "", "", "KH", id="or else the cheapest"),
        pytest.param("KH TH", "9H JH QH", "", "", "KH", id="the cheapest when last"),
        pytest.param("KH TH QH", "9H AH JH", "", "", "KH", id="last: a king for partner"),
        pytest.param("TH AH QH", "9H AH JH", "", "", "TH", id="or a ten, never the ace"),
        pytest.param("KH QH", "AH 9H", "", "", "KH", id="a king when partner's ace runs"),
        pytest.param("KH QH", "AH 9H", "", "1H", "QH", id="not when the next may ruff"),
        pytest.param("AS KS 9S 9D", "AH", "", "", "9S", id="ruff low"),
        pytest.param("KH QD 9D 9C", "AS", "", "", "9C", id="void the shortest suit"),
        pytest.param("KH TD TC", "AS", "", "", "KH", id="a king before a ten"),
    ],
)
def test_what_the_twin_follows_with(hand, trick, played, failed, expected):
    # The seat to play is seat 0, so the next is 1 and the trick began as many seats before.
    cards = cards_of(trick)
    seen = view(0, hand, " ".join([played, trick]), failed)
    legal = legal_plays(cards_of(hand), cards, 0)
    card = follow(seen, [pair(one) for one in cards], [pair(one) for one in legal])
    assert name(card) == expected


@pytest.mark.parametrize("trump", SUITS)
def test_ties_between_suits_are_those_of_spades_as_trump(trump):
    """Exchanging trump and spades in all hands exchanges them in all plays and nothing else."""

    def exchanged(cards):
        suits = {0: trump, trump: 0}
        return [make_card(suits.get(card // 6, card // 6), card % 6) for card in cards]

    rng = np.random.default_rng(trump)
    for _ in range(60):
        hands = split([int(card) for card in rng.permutation(DECK)], 12)
        moved = [exchanged(hand) for hand in hands]
        assert play_round(moved, trump, 0, Rules()) == exchanged(play_round(hands, 0, 0, Rules()))


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ],
)
def test_published_words_of_the_generator(seed, words):
    assert list(itertools.islice(splitmix64(seed), len(words))) == words
    assert next(splitmix64(seed, skip=2)) == words[2]


def assert_same_deals(hand, seed, first, samples):
    for i, words in enumerate(deals(hand, seed, samples, first)):
        expected = [sorted(hidden) for hidden in deal(hand, seed, first + i)]
        assert [unpacked(word) for word in words] == expected, (hand, seed, first + i)


@pytest.mark.parametrize("first", [0, 1, 999, 2**31 - 3, 2**32 - 3, 2**40])
@pytest.mark.parametrize("seed", [0, 1, 7, 2**32, 2**63, 2**64 - 1])
def test_dealing(seed, first):
    for text in ("AATKQJ.AK.QJ.T9", "AATTKKQQJJ99.-.-.-", "AK9.QJ9.TJ9.KQ9", "-.A9.KKQQ.TTJJ99"):
        assert_same_deals(cards_of(text), seed, first, samples=6)


@settings(deadline=None)
@given(st.permutations(DECK), st.integers(0, 15), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
def test_dealing_after_any_hand(order, third, seed, first):
    assert_same_deals(order[: 48 - 3 * third], seed, first, samples=2)
