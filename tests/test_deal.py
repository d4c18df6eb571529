"""Dealing: what must always hold, and frequencies against exact hypergeometric values.

Every seed is fixed, so a run is the same each time; the error probabilities say how likely a
right generator would have been to fail with seeds drawn by lot. Together they are below 1e-3.
"""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, cards_of, packed, unpacked, without

from advisor.kernels.deal import deal_hands

HANDS = ["AATKQJ.AK.QJ.T9", "AATTKKQQJJ99.-.-.-", "ATKQJ9.-.ATKQJ9.-", "AK9.QJ9.TJ9.KQ9"]
# Normal quantiles: one side beyond 1e-5 and 1e-6, two sides beyond 1e-5 and 1e-7.
Z_ONE_1E5, Z_ONE_1E6, Z_TWO_1E5, Z_TWO_1E7 = 4.265, 4.753, 4.417, 5.327


def deals(cards, seed=0, samples=1, first=0):
    """Return the packed hands of the three hidden seats, shape (samples, 3)."""
    out = np.zeros((samples, 3), dtype=np.uint64)
    deal_hands(np.uint64(packed(cards)), np.uint64(seed), first, out)
    return out


def copies(words, card):
    """Return how many copies of a card each packed hand holds."""
    pair = words >> np.uint64(2 * card)
    return (pair & np.uint64(1)).astype(int) + (pair >> np.uint64(1) & np.uint64(1)).astype(int)


def chi_square(counts, expected):
    """Return Pearson's sum and its degrees of freedom."""
    counts, expected = np.asarray(counts, float), np.asarray(expected, float)
    assert expected.min() > 5
    assert counts.sum() == pytest.approx(expected.sum())
    return ((counts - expected) ** 2 / expected).sum(), len(expected) - 1


def chi_square_limit(freedom, z):
    """Return the quantile of chi-square that lies z deviations out (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))) ** 3


def assert_frequencies(counts, shares, z):
    total = sum(counts)
    value, freedom = chi_square(counts, np.asarray(shares, float) * total)
    assert value < chi_square_limit(freedom, z)


def chance_of_all(unseen_copies, n_unseen=36, size=12):
    """Return the chance that a hidden hand holds each of some cards, given their unseen copies."""
    total = 0
    for k in range(len(unseen_copies) + 1):
        for missing in itertools.combinations(unseen_copies, k):
            total += (-1) ** k * math.comb(n_unseen - sum(missing), size)
    return total / math.comb(n_unseen, size)


def test_chances_of_the_reference():
    both = [chance_of_all([2] * k) for k in range(1, 6)]
    one = [chance_of_all([1] * k) for k in range(1, 4)]
    assert both == pytest.approx([0.5619, 0.3042, 0.1578, 0.0779, 0.0362], abs=5e-5)
    assert one == pytest.approx([0.3333, 0.1048, 0.0308], abs=5e-5)


# The first example compiles.
@settings(deadline=None)
@given(st.permutations(DECK), st.integers(0, 15), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
def test_every_card_is_dealt_once(order, thirds, seed, first):
    hand = order[: 48 - 3 * thirds]
    hidden = [unpacked(word) for word in deals(hand, seed, 1, first)[0]]
    assert [len(cards) for cards in hidden] == [thirds] * 3
    # The multiset of the deck has no third copy, and the known hand is whole.
    assert sorted([*hand, *itertools.chain(*hidden)]) == DECK


@pytest.mark.parametrize("text", HANDS)
def test_many_deals_use_the_unseen_cards(text):
    hand = cards_of(text)
    rest = Counter(without(DECK, hand))
    words = deals(hand, seed=3, samples=20_000)
    assert set(np.bitwise_count(words).ravel().tolist()) == {12}
    for card in range(24):
        assert (copies(words, card).sum(axis=1) == rest[card]).all()
        # The upper bit is set only above the lower one.
        pair = words >> np.uint64(2 * card) & np.uint64(3)
        assert not (pair == 2).any()


@pytest.mark.parametrize(
    "unseen",
    [
        "AS TS KH QH 9D JC",
        "AS AS KH KH 9D 9D",
        "AS AS KH QH 9D 9C",
        # An odd number of draws to a hand.
        "AS TS KH QH 9D JC AC TC TD",
    ],
)
def test_all_deals_of_a_few_cards_are_equally_likely(unseen):
    cards = cards_of(unseen)
    third = len(cards) // 3
    ways = Counter()
    for first in itertools.combinations(range(len(cards)), third):
        rest = [i for i in range(len(cards)) if i not in first]
        for second in itertools.combinations(rest, third):
            last = [i for i in rest if i not in second]
            ways[tuple(packed(cards[i] for i in part) for part in (first, second, last))] += 1
    words = deals(without(DECK, cards), seed=11, samples=200_000)
    seen = Counter(map(tuple, words.tolist()))
    assert set(seen) == set(ways)
    total = sum(ways.values())
    assert total == math.factorial(3 * third) // math.factorial(third) ** 3
    assert_frequencies(
        [seen[deal] for deal in ways], [ways[deal] / total for deal in ways], Z_ONE_1E5
    )


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("text", HANDS)
def test_where_each_card_lies(text, seed):
    hand = cards_of(text)
    words = deals(hand, seed, samples=60_000)
    for card in range(24):
        unseen = 2 - hand.count(card)
        if unseen == 0:
            continue
        held = copies(words, card)
        if unseen == 1:
            assert_frequencies(held.sum(axis=0), [1 / 3] * 3, Z_ONE_1E6)
            continue
        together = (held == 2).sum(axis=0)
        apart = [
            (held[:, seat] == 0).sum() - together[[s for s in range(3) if s != seat]].sum()
            for seat in range(3)
        ]
        same, different = 12 * 11 / (36 * 35), 2 * 12 * 12 / (36 * 35)
        assert_frequencies([*together, *apart], [same] * 3 + [different] * 3, Z_ONE_1E6)


@pytest.mark.parametrize("text", HANDS)
def test_every_pair_of_cards_in_one_hand(text):
    hand = cards_of(text)
    samples = 200_000
    words = deals(hand, seed=5, samples=samples)
    unseen = [2 - hand.count(card) for card in range(24)]
    for seat in range(3):
        held = np.stack([copies(words[:, seat], card) > 0 for card in range(24)], axis=1)
        counts = held.T.astype(np.float64) @ held
        for one, other in itertools.combinations(range(24), 2):
            if unseen[one] and unseen[other]:
                p = chance_of_all([unseen[one], unseen[other]])
                error = math.sqrt(p * (1 - p) / samples)
                assert abs(counts[one, other] / samples - p) < Z_TWO_1E7 * error


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("AATKQJ.AK.QJ.T9", "9S"),
        ("AATKQJ.AK.QJ.T9", "AS"),
        ("AATKQJ.AK.QJ.T9", "TS"),
        ("AATKQJ.AK.QJ.T9", "9S TH"),
        ("AATKQJ.AK.QJ.T9", "TS KS QS"),
        ("AATTKKQQJJ99.-.-.-", "AH TH KH QH"),
        ("AATTKKQQJJ99.-.-.-", "AH TH KH QH JH"),
        ("ATKQJ9.-.ATKQJ9.-", "AH AS TC"),
    ],
)
def test_partner_holds_named_cards(hand, wanted, seed):
    samples = 100_000
    words = deals(cards_of(hand), 1000 + seed, samples)
    wanted = cards_of(wanted)
    unseen = [2 - cards_of(hand).count(card) for card in wanted]
    p = chance_of_all([n for n in unseen if n]) if all(unseen) else 0.0
    error = math.sqrt(p * (1 - p) / samples)
    for seat in range(3):
        has_all = np.all([copies(words[:, seat], card) > 0 for card in wanted], axis=0)
        assert abs(has_all.mean() - p) <= Z_TWO_1E5 * error


def place_of(words, card):
    """Return which hidden seat holds the one unseen copy of a card."""
    held = copies(words, card)
    assert (held.sum(axis=1) == 1).all()
    return held.argmax(axis=1)


# Two hands that differ in one card.
ONE, NEXT = "AATKQJ.AK.QJ.T9", "AATKQ9.AK.QJ.T9"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda n: deals(cards_of(ONE), 40, n, first=1), id="next sample"),
        pytest.param(lambda n: deals(cards_of(ONE), 40, n, first=2), id="second next sample"),
        pytest.param(lambda n: deals(cards_of(ONE), 41, n), id="next seed"),
        pytest.param(lambda n: deals(cards_of(ONE), 41, n, first=1), id="next seed and sample"),
        pytest.param(lambda n: deals(cards_of(ONE), 40 + 2**32, n), id="far seed"),
        pytest.param(lambda n: deals(cards_of(NEXT), 40, n), id="next hand"),
    ],
)
def test_streams_are_independent(other):
    n = 90_000
    here, there = deals(cards_of(ONE), 40, n), other(n)
    assert not (here == there).all(axis=1).any()
    for card in cards_of("KH AH TC QD"):
        cells = Counter(zip(place_of(here, card), place_of(there, card), strict=True))
        assert_frequencies(
            [cells[pair] for pair in itertools.product(range(3), repeat=2)], [1 / 9] * 9, Z_ONE_1E6
        )


def test_a_sample_depends_on_seed_hand_and_index_only():
    hand = cards_of(ONE)
    whole = deals(hand, 9, samples=500)
    for first, count in ((0, 1), (1, 7), (123, 300), (499, 1)):
        np.testing.assert_array_equal(deals(hand, 9, count, first), whole[first : first + count])
    np.testing.assert_array_equal(deals(list(reversed(hand)), 9, samples=500), whole)


def test_no_two_of_many_streams_begin_alike():
    starts = {tuple(deals(cards_of(ONE), seed, 2).ravel().tolist()) for seed in range(2000)}
    assert len(starts) == 2000
    distinct = {tuple(deal) for deal in deals(cards_of(ONE), 0, 200_000).tolist()}
    assert len(distinct) == 200_000
