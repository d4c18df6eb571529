"""Exact distribution of meld over all hands, from the meld of single suits.

A meld is the sum of four suit parts, the pinochle and the arounds (a property of its own in
`test_meld`). The shared parts depend on minima over the suits, so hands are counted by the
condition "at least so many of each", which every suit meets on its own; differences then give
the exact counts. The best trump is handled alike: "no suit gains more than d as trump".
"""

import itertools
import json
from collections import Counter
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest

from advisor.game.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JACK,
    KING,
    N_CARD_TYPES,
    QUEEN,
    SPADES,
    SUITS,
    Hand,
    make_card,
)
from advisor.game.meld import score_meld

TABLES = json.loads(
    (Path(__file__).parent / "data" / "exact_meld_distribution.json").read_text(encoding="utf-8")
)
SIZES = (12, 16)
MAX_SIZE = 16
AROUND_RANKS = (ACE, KING, QUEEN, JACK)
# At least so many aces, kings, queens, jacks of every suit, and pinochles.
FLOORS = np.array(list(itertools.product(range(3), repeat=5)))


def holding(suit, held):
    counts = [0] * N_CARD_TYPES
    counts[suit * 6 : suit * 6 + 6] = held
    return Hand(tuple(counts))


@cache
def suit_parts():
    """Return (ranks held, cards, ways to choose copies, points beside trump, gain as trump)."""
    rows = []
    for held in itertools.product(range(3), repeat=6):
        ways = 1
        for count in held:
            ways *= comb(2, count)
        hand = holding(SPADES, held)
        plain = score_meld(hand, HEARTS).total
        rows.append((held, sum(held), ways, plain, score_meld(hand, SPADES).total - plain))
    return rows


GAINS = sorted({gain for *_, gain in suit_parts()})


def shared_points(floors):
    """Return the points of pinochles and arounds when the minima are exactly `floors`."""
    *copies, pinochles = (int(floor) for floor in floors)
    counts = [0] * N_CARD_TYPES
    counts[make_card(SPADES, QUEEN)] = counts[make_card(DIAMONDS, JACK)] = pinochles
    total = score_meld(Hand(tuple(counts)), HEARTS).total
    for rank, number in zip(AROUND_RANKS, copies, strict=True):
        around = [make_card(suit, rank) for suit in SUITS for _ in range(number)]
        total += score_meld(Hand.from_cards(around), HEARTS).total
    return total


def count_holdings(suit, gain_axis):
    """Return holdings that meet each floor, by [floor, gain, cards, plain points / 20].

    With `gain_axis` "exact" or "at most", the gain as trump indexes an axis; otherwise the axis
    has length one and the gain is not looked at.
    """
    counts = np.zeros((len(FLOORS), len(GAINS) if gain_axis else 1, 13, 3))
    for held, cards, ways, plain, gain in suit_parts():
        meets = np.all([held[rank] >= FLOORS[:, i] for i, rank in enumerate(AROUND_RANKS)], axis=0)
        if suit == SPADES:
            meets &= held[QUEEN] >= FLOORS[:, 4]
        if suit == DIAMONDS:
            meets &= held[JACK] >= FLOORS[:, 4]
        first = GAINS.index(gain) if gain_axis else 0
        last = len(GAINS) if gain_axis == "at most" else first + 1
        counts[meets, first:last, cards, plain // 20] += ways
    return counts


def join(left, right):
    """Return the counts of two suits together: sums of cards and of points."""
    gains = max(left.shape[1], right.shape[1])
    cards = min(left.shape[2] + right.shape[2] - 1, MAX_SIZE + 1)
    joined = np.zeros((len(FLOORS), gains, cards, left.shape[3] + right.shape[3] - 1))
    for n, points in itertools.product(range(right.shape[2]), range(right.shape[3])):
        part = left[:, :, : max(cards - n, 0)] * right[:, :, n, points][:, :, None, None]
        joined[:, :, n : n + part.shape[2], points : points + part.shape[3]] += part
    return joined


def exactly(at_least, axis):
    """Return counts of equality from counts of "at least" along an axis."""
    beyond = np.zeros_like(at_least.take([0], axis))
    return -np.diff(np.concatenate([at_least, beyond], axis=axis), axis=axis)


@cache
def distribution(trump):
    """Return {cards: {points: hands}} with a trump suit fixed, or the best if it is None."""
    total = None
    for suit in SUITS:
        gain_axis = "at most" if trump is None else "exact" if suit == trump else ""
        counts = count_holdings(suit, gain_axis)
        total = counts if total is None else join(total, counts)
    if trump is None:
        total = np.diff(total, axis=1, prepend=0)
    exact = total.reshape((3,) * 5 + total.shape[1:])
    for axis in range(5):
        exact = exactly(exact, axis)
    result = {size: Counter() for size in SIZES}
    for floors, gain in itertools.product(FLOORS, range(len(GAINS))):
        points = shared_points_of(tuple(floors)) + GAINS[gain]
        for size in SIZES:
            for twenties, hands in enumerate(exact[(*floors, gain, size)]):
                if hands:
                    result[size][points + 20 * twenties] += int(hands)
    return result


@cache
def shared_points_of(floors):
    return shared_points(floors)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("trump", [SPADES, HEARTS, DIAMONDS, CLUBS, None])
def test_every_hand_is_counted_once(trump, size):
    counts = distribution(trump)[size]
    # All numbers stay below 2**53, so floating point has lost nothing.
    assert sum(counts.values()) == comb(48, size) < 2**53
    assert min(counts.values()) > 0


@pytest.mark.parametrize("table", TABLES)
def test_distribution_agrees_with_the_exact_tables(table):
    size = int(table.split()[0])
    trump = {"S": SPADES, "H": HEARTS, "best": None}[table.split()[-1]]
    counts, expected = distribution(trump)[size], TABLES[table]
    hands = comb(48, size)
    mean = sum(points * number for points, number in counts.items()) / hands
    variance = sum((points - mean) ** 2 * number for points, number in counts.items()) / hands
    assert mean == pytest.approx(expected["mean"], abs=6e-5)
    assert variance**0.5 == pytest.approx(expected["sd"], abs=6e-5)
    assert max(counts) == expected["max"]
    for points, share in expected["p_ge"].items():
        tail = sum(number for value, number in counts.items() if value >= int(points)) / hands
        assert tail == pytest.approx(share, rel=6e-4), points
    for percent, points in expected["percentiles"].items():
        below = sum(number for value, number in counts.items() if value < points)
        up_to = below + counts[points]
        assert below < hands * int(percent) / 100 <= up_to, percent


def test_means_do_not_depend_on_the_trump_suit():
    means = [
        sum(points * number for points, number in distribution(trump)[12].items())
        for trump in SUITS
    ]
    assert len(set(means)) == 1
    assert distribution(HEARTS) == distribution(CLUBS)
