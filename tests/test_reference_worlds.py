"""The worlds of the sampling players: every deal that fits what was seen, equally often."""

import itertools
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from naive import DECK, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, packed, unpacked
from reference_game import RULES, Game, assert_world_fits

from advisor import Rules
from advisor.playing import rule_array

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from reference import knowledge as k
from reference import worlds as w
from reference.positions import draw_worlds


def deals_of(cards, sizes):
    """Return all ways to give distinct cards to seats of these sizes: counts of equal hands."""
    counts = Counter()
    places = range(len(cards))
    for first in itertools.combinations(places, sizes[0]):
        rest = [i for i in places if i not in first]
        for second in itertools.combinations(rest, sizes[1]):
            third = [i for i in rest if i not in second]
            key = tuple(tuple(sorted(cards[i] for i in part)) for part in (first, second, third))
            counts[key] += 1
    return counts


def assert_frequencies(found, expected):
    """Compare counts with weights: nothing else occurs, and chi-square is as it should be."""
    assert set(found) <= set(expected)
    total, weight = sum(found.values()), sum(expected.values())
    square = sum(
        (found[key] - total * one / weight) ** 2 / (total * one / weight)
        for key, one in expected.items()
    )
    freedom = len(expected) - 1
    assert square < freedom + 5 * (2 * freedom) ** 0.5 + 5


def hidden_hands(worlds, seat):
    """Return how often the three hidden seats have which cards."""
    order = [(seat + i) % 4 for i in (1, 2, 3)]
    words, counts = np.unique(worlds[:, order], axis=0, return_counts=True)
    return Counter(
        {
            tuple(tuple(unpacked(hand)) for hand in row): int(count)
            for row, count in zip(words, counts, strict=True)
        }
    )


@pytest.mark.parametrize(
    ("first_turn", "least"), [(37, 4), pytest.param(33, 14, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_worlds_are_uniform_over_all_deals_that_fit(rules, first_turn, least):
    """Late in a deal all deals of the unseen cards can be listed and held against the record."""
    checked = 0
    for number in range(10 if first_turn > 36 else 24):
        game = Game(rules, number)
        turn = first_turn + number % 4
        words, facts = game.look(turn)
        seat = int(facts[k.SEAT])
        order = [(seat + i) % 4 for i in (1, 2, 3)]
        # A passed card that is still there is one certain copy; all else may be anywhere.
        fixed = [unpacked(words[k.FIXED + other]) for other in order]
        unseen = Counter(DECK) - Counter(unpacked(words[k.OWN]) + unpacked(words[k.PLAYED]))
        unseen -= Counter(itertools.chain(*fixed))
        sizes = [int(facts[k.SIZE + i]) - len(one) for i, one in zip(order, fixed, strict=True)]
        expected = {}
        for parts, count in deals_of(sorted(unseen.elements()), sizes).items():
            hands = [0] * 4
            hands[seat] = int(words[k.OWN])
            for other, part, one in zip(order, parts, fixed, strict=True):
                hands[other] = packed([*part, *one])
            try:
                assert_world_fits(game, turn, hands)
            except AssertionError:
                continue
            expected[tuple(tuple(unpacked(hands[i])) for i in order)] = count
        worlds, tally = game.worlds(words, facts, 4000)
        assert tally[w.MISFITS] == 0
        assert_frequencies(hidden_hands(worlds, seat), expected)
        checked += len(expected) > 1
    assert checked >= least


def made_up_record(rng, n_cards, n_barred):
    """Return a record of seat 1 in which other seats are barred from some cards, and the unseen.

    Nobody has meld, and one card of seat 3's is known.
    """
    words = np.zeros(k.N_WORDS, dtype=np.uint64)
    facts = np.zeros(k.N_FACTS, dtype=np.int64)
    deck = [int(card) for card in rng.permutation(DECK)]
    words[[k.QUEEN, k.JACK]] = 1 << 2 * QUEEN_OF_SPADES, 1 << 2 * JACK_OF_DIAMONDS
    words[k.OWN] = packed(deck[:n_cards])
    words[k.PLAYED] = packed(deck[4 * n_cards :])
    unseen = deck[n_cards : 4 * n_cards]
    facts[k.SEAT] = 1
    facts[k.SIZE : k.SIZE + 4] = n_cards
    words[[k.HELD + 3, k.FIXED + 3]] = packed(unseen[:1])
    for seat in (0, 2, 3):
        barred = set(rng.choice(unseen, n_barred).tolist())
        words[k.BARRED + seat] = sum(1 << 2 * card for card in barred)
    return words, facts, unseen


def draw(words, facts, count, tries=1):
    out = np.zeros((count, 4), dtype=np.uint64)
    tally = np.zeros(w.N_TALLY, dtype=np.int64)
    splits = draw_worlds(words, facts, rule_array(Rules()), tries, np.uint64(9), out, tally)
    return out, splits


def is_barred(words, seat, card):
    return int(words[k.BARRED + seat]) >> 2 * card & 1


@pytest.mark.parametrize("number", range(12))
def test_groups_are_dealt_uniformly(number):
    """With any cards barred anywhere, every deal that is left is as likely as any other."""
    rng = np.random.default_rng(number)
    words, facts, unseen = made_up_record(rng, 3, 1 + number % 3)
    expected = {}
    for parts, count in deals_of(unseen[1:], (3, 2, 3)).items():
        fits = not any(
            is_barred(words, seat, card)
            for seat, part in zip((2, 3, 0), parts, strict=True)
            for card in part
        )
        if fits:
            hands = (parts[0], tuple(sorted((*parts[1], unseen[0]))), parts[2])
            expected[hands] = expected.get(hands, 0) + count
    worlds, splits = draw(words, facts, 40_000)
    assert (splits > 0) == bool(expected)
    if expected:
        assert_frequencies(hidden_hands(worlds, 1), expected)


@pytest.mark.parametrize("number", range(3))
def test_large_deals_agree_with_rejection(number):
    """Eight cards a hand: how many of each card a seat has, against shuffles that happen to fit."""
    rng = np.random.default_rng(number)
    words, facts, unseen = made_up_record(rng, 8, 2)
    rest = np.array(unseen[1:])
    shuffled = rest[np.argsort(rng.random((150_000, len(rest))), axis=1)]
    parts = {2: shuffled[:, :8], 3: shuffled[:, 8:15], 0: shuffled[:, 15:]}
    fits = np.ones(len(shuffled), dtype=bool)
    for seat, part in parts.items():
        barred = np.array([bool(is_barred(words, seat, card)) for card in range(24)])
        fits &= ~barred[part].any(axis=1)
    assert fits.sum() > 500
    worlds, _ = draw(words, facts, 30_000)
    for seat, part in parts.items():
        for card in range(24):
            expected = (part[fits] == card).sum(axis=1) + (seat == 3 and card == unseen[0])
            bits = worlds[:, seat] >> np.uint64(2 * card)
            found = np.bitwise_count(bits & np.uint64(3)).astype(float)
            error = (expected.var() / len(expected) + found.var() / len(found)) ** 0.5
            assert abs(expected.mean() - found.mean()) <= 5 * error + 1e-9


def test_a_record_that_nothing_fits_has_no_world():
    words, facts, unseen = made_up_record(np.random.default_rng(1), 3, 1)
    for seat in (0, 2, 3):
        words[k.BARRED + seat] |= np.uint64(1 << 2 * unseen[5])
    assert draw(words, facts, 1)[1] == 0
