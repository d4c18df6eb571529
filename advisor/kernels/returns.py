"""Declarer's return: the best of all ways to give cards back, worth for worth.

A return is worth the meld that declarer keeps, what the cards given are expected to add to the
meld of partner's hand (`kernels.kept`), and what the split of each suit is worth in tricks, which
is measured (`advisor.returning`); in hundredths of a point.

All that but arounds and the pinochle adds up by suits. So the suits' ways to give are joined one
suit after the other, with a bound on what arounds and pinochle may still add; arounds of the own
hand are tried kept and broken.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.deal import mix
from advisor.kernels.kept import (
    UNIT,
    ReturnTables,
    around_hopes,
    marriage_row,
    pinochle_row,
    royal_hope,
    sent_level,
)
from advisor.kernels.meldscore import AROUND_MELD, SIDE_MELD, TRUMP_MELD
from advisor.kernels.packed import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    U0,
    U1,
    U2,
    U12,
    in_all_suits,
    suit_bits,
)

Array = np.ndarray[Any, Any]

MOST_CARDS: Final = 4
# Ways to give up to four cards of one suit: most where all twelve are held.
MOST_WAYS: Final = 168
_IMPOSSIBLE: Final = -(1 << 30)
# That no return can be better than the best one known.
NONE_HIGHER: Final = -(1 << 60)
# The first copies of J Q K A.
_AROUND_CARDS: Final = np.uint64(0b01_00_01_01_01_00)


# Rows of the space for one search, an int64 array made once and used again: one array, for each
# that a helper takes apart costs. First four rows each, by suit in the order of the search and then
# by way: what it is worth by itself, and with the most that it may add across suits; what stays,
# 12 bits; what is given for melds across suits, to be joined by or. In that stand from bit 0 on,
# for each of J Q K A, four bits, one a suit of the deck; from bit 16 queens and from bit 18 jacks
# of the pinochle; from bit 20 a bit for each of J Q K A.
WORTH, BOUND, KEPT, ACROSS = 0, 4, 8, 12
# By suit and number of cards given: the first way, and the highest bound.
FIRST, MOST = 16, 20
# By rank of J Q K A and the suits of the deck in which it is given: from `around_hopes`.
HOPES = 24
# By the ranks given: the most that they add, in however many suits. By 3 times queens and jacks
# given: what the pinochle comes to on both sides. By queens and 4 times jacks, of which one is 0:
# the most that they add. By suit: the ways of the best return so far.
RISE, LEGS, LIFT, CHOSEN = 28, 29, 30, 31
N_ROWS = 32


@helper
def return_work() -> Array:
    """Return the space that `choose_return` needs, int64, shape (N_ROWS, MOST_WAYS)."""
    return np.zeros((N_ROWS, MOST_WAYS), dtype=np.int64)


@helper
def pinochle_kept(queens: int, jacks: int) -> int:
    """Return the meld of so many legs of the pinochle, in hundredths."""
    both = min(queens, jacks)
    return UNIT * (300 if both == 2 else 40 * both)


@helper
def _fill_ways(
    i: int, hand: np.uint64, sent: np.uint64, suit: np.uint64, trump: np.uint64, level: int,
    melds: Array, tables: ReturnTables, work: Array,
) -> None:  # fmt: skip
    """Write the ways of one suit and what they are worth."""
    holding = suit_bits(hand, suit)
    number = np.int64(tables.numbers[holding])
    begin = np.int64(tables.starts[number, 0])
    starts = tables.starts
    for n in range(MOST_CARDS + 2):
        work[FIRST + i, n] = np.int64(starts[number, n]) - begin
    in_trump = suit == trump
    gains = marriage_row(hand, sent, suit, trump, level, tables)
    queens = 3 if suit == U0 else 0
    jacks = 3 if suit == U2 else 0
    values = tables.trump if in_trump else tables.side
    all_kept, all_marks, all_given = tables.kept, tables.marks, tables.given
    royals = tables.royals
    for way in range(np.int64(tables.starts[number, MOST_CARDS + 1]) - begin):
        kept = np.int64(all_kept[begin + way])
        marks = np.int64(all_marks[begin + way])
        if in_trump:
            value = np.int64(values[begin + way]) + UNIT * np.int64(melds[TRUMP_MELD, kept])
            if way > 0:
                value += royal_hope(holding, np.uint64(all_given[begin + way]), level, royals)
        else:
            value = np.int64(values[begin + way]) + UNIT * np.int64(melds[SIDE_MELD, kept])
            value += np.int64(gains[(marks >> 4) & 15])
        across = (marks & 1) | ((marks & 2) << 3) | ((marks & 4) << 6) | ((marks & 8) << 9)
        across <<= np.int64(suit)
        across |= ((marks >> 8) & queens) << 16
        across |= ((marks >> 10) & jacks) << 18
        work[ACROSS + i, way] = across | (marks & 15) << 20
        work[WORTH + i, way] = value
        work[KEPT + i, way] = kept


@helper
def _fill_legs(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: Array,
) -> None:  # fmt: skip
    """Write what the pinochle comes to, and the most that legs given in one suit may add."""
    queens = np.int64(popcount(hand & (QUEEN_OF_SPADES | QUEEN_OF_SPADES << U1)))
    jacks = np.int64(popcount(hand & (JACK_OF_DIAMONDS | JACK_OF_DIAMONDS << U1)))
    for n in range(3):
        for m in range(3):
            work[LEGS, 3 * n + m] = 0
        work[LIFT, n], work[LIFT, 4 * n] = 0, 0
    if queens + jacks == 0:
        return
    row = pinochle_row(hand, sent, trump, level, tables)
    for n in range(queens + 1):
        for m in range(jacks + 1):
            work[LEGS, 3 * n + m] = pinochle_kept(queens - n, jacks - m) + np.int64(row[3 * n + m])
    for m in range(1, jacks + 1):
        work[LIFT, 4 * m] = work[LEGS, m] - work[LEGS, 0]
    # Queens may go with any jacks.
    for n in range(1, queens + 1):
        work[LIFT, n] = work[LEGS, 3 * n] - work[LEGS, 0]
        for m in range(1, jacks + 1):
            work[LIFT, n] = max(work[LIFT, n], work[LEGS, 3 * n + m] - work[LEGS, m])


@helper
def _fill_hopes(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: Array,
) -> None:  # fmt: skip
    """Write what cards given for arounds may add together, and the most that each adds."""
    hopes = work[HOPES : HOPES + 4]
    together = tables.together
    for which in range(4):
        held = around_hopes(hand, sent, trump, level, which, together, hopes)
        one, two, three, four = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        some = held
        while some > 0:
            hope = hopes[which, some]
            size = np.int64(popcount(np.uint64(some)))
            if size == 1:
                one = max(one, hope)
            elif size == 2:
                two = max(two, hope)
            elif size == 3:
                three = max(three, hope)
            else:
                four = max(four, hope)
            some = (some - 1) & held
        each = max(max(one, (two + 1) >> 1), max((three + 2) // 3, (four + 3) >> 2))
        bit = 1 << which
        for ranks in range(bit):
            work[RISE, bit + ranks] = work[RISE, ranks] + each


@helper
def _fill_bounds(i: int, must: int, work: Array) -> None:
    """Write the most that each way of a suit can come to where some cards must be kept."""
    for n in range(MOST_CARDS + 1):
        most = np.int64(_IMPOSSIBLE)
        for way in range(work[FIRST + i, n], work[FIRST + i, n + 1]):
            value = np.int64(_IMPOSSIBLE)
            if work[KEPT + i, way] & must == must:
                across = work[ACROSS + i, way]
                value = work[WORTH + i, way] + work[RISE, across >> 20]
                value += work[LIFT, (across >> 16) & 15]
            work[BOUND + i, way] = value
            most = max(most, value)
        work[MOST + i, n] = most


@helper
def _try_ways(
    way_0: int, way_1: int, way_2: int, way_3: int, best: int, melds: Array, work: Array
) -> int:
    """Return the value of a way in each suit, kept as chosen, or `best` where that is as high."""
    kept = work[KEPT, way_0] & work[KEPT + 1, way_1]
    kept &= work[KEPT + 2, way_2] & work[KEPT + 3, way_3]
    across = work[ACROSS, way_0] | work[ACROSS + 1, way_1]
    across |= work[ACROSS + 2, way_2] | work[ACROSS + 3, way_3]
    value = work[WORTH, way_0] + work[WORTH + 1, way_1]
    value += work[WORTH + 2, way_2] + work[WORTH + 3, way_3]
    value += UNIT * np.int64(melds[AROUND_MELD, kept])
    value += work[LEGS, 3 * ((across >> 16) & 3) + ((across >> 18) & 3)]
    value += work[HOPES, across & 15] + work[HOPES + 1, (across >> 4) & 15]
    value += work[HOPES + 2, (across >> 8) & 15] + work[HOPES + 3, (across >> 12) & 15]
    if value <= best:
        return best
    work[CHOSEN, 0], work[CHOSEN, 1] = way_0, way_1
    work[CHOSEN, 2], work[CHOSEN, 3] = way_2, way_3
    return value


@helper
def _first_way(i: int, n: int, work: Array) -> int:
    """Return the first way to give `n` cards of a suit that has the highest bound."""
    most = work[MOST + i, n]
    way = work[FIRST + i, n]
    while work[BOUND + i, way] != most:
        way += 1
    return way


@helper
def _try_likely(best: int, shared: int, n_cards: int, melds: Array, work: Array) -> int:
    """Try the ways of the highest sum of bounds; return the best value, or that none is higher."""
    highest = np.int64(_IMPOSSIBLE) * 4
    split = 0
    for n_0 in range(n_cards + 1):
        for n_1 in range(n_cards + 1 - n_0):
            front = work[MOST, n_0] + work[MOST + 1, n_1]
            for n_2 in range(n_cards + 1 - n_0 - n_1):
                n_3 = n_cards - n_0 - n_1 - n_2
                value = front + work[MOST + 2, n_2] + work[MOST + 3, n_3]
                if value > highest:
                    highest = value
                    split = n_0 | n_1 << 4 | n_2 << 8 | n_3 << 12
    if highest + shared <= best:
        return NONE_HIGHER
    return _try_ways(
        _first_way(0, split & 15, work),
        _first_way(1, (split >> 4) & 15, work),
        _first_way(2, (split >> 8) & 15, work),
        _first_way(3, split >> 12, work),
        best,
        melds,
        work,
    )


@helper
def _try_all(best: int, shared: int, n_cards: int, melds: Array, work: Array) -> int:
    """Try all ways whose sum of bounds is higher than the best value; return that in the end."""
    for n_0 in range(n_cards + 1):
        for n_1 in range(n_cards + 1 - n_0):
            for n_2 in range(n_cards + 1 - n_0 - n_1):
                n_3 = n_cards - n_0 - n_1 - n_2
                after_2 = work[MOST + 3, n_3] + shared
                after_1 = work[MOST + 2, n_2] + after_2
                after_0 = work[MOST + 1, n_1] + after_1
                if work[MOST, n_0] + after_0 <= best:
                    continue
                for way_0 in range(work[FIRST, n_0], work[FIRST, n_0 + 1]):
                    sum_0 = work[BOUND, way_0]
                    if sum_0 + after_0 <= best:
                        continue
                    for way_1 in range(work[FIRST + 1, n_1], work[FIRST + 1, n_1 + 1]):
                        sum_1 = sum_0 + work[BOUND + 1, way_1]
                        if sum_1 + after_1 <= best:
                            continue
                        for way_2 in range(work[FIRST + 2, n_2], work[FIRST + 2, n_2 + 1]):
                            sum_2 = sum_1 + work[BOUND + 2, way_2]
                            if sum_2 + after_2 <= best:
                                continue
                            for way_3 in range(work[FIRST + 3, n_3], work[FIRST + 3, n_3 + 1]):
                                if sum_2 + work[BOUND + 3, way_3] + shared > best:
                                    best = _try_ways(way_0, way_1, way_2, way_3, best, melds, work)
    return best


@helper
def choose_return(
    hand: np.uint64,
    sent: np.uint64,
    trump: np.uint64,
    n_cards: int,
    melds: Array,
    tables: ReturnTables,
    work: Array,
    salt: np.uint64,
) -> np.uint64:
    """Return the cards that declarer gives back, packed: the best of all.

    Parameters
    ----------
    hand : uint64
        Declarer's cards with those received.
    sent : uint64
        Which of them came from partner; 0 where that is not told.
    trump : uint64
    n_cards : int
        1 to 4.
    melds : int16 array, shape (3, 4096)
        From `meld_tables`.
    tables : ReturnTables
    work : int64 array
        From `return_work`.
    salt : uint64
        Which of equal returns is taken.
    """
    level = sent_level(sent, trump, n_cards)
    # The first of equal returns is taken; which suit comes first is left to chance, so that none
    # is favoured by its name.
    chance = np.int64(mix(hand ^ salt) & np.uint64(7))
    step = 1 if chance & 1 else 3
    turn = chance >> 1
    for i in range(4):
        suit = np.uint64((turn + i * step) & 3)
        _fill_ways(i, hand, sent, suit, trump, level, melds, tables, work)
    _fill_legs(hand, sent, trump, level, tables, work)
    _fill_hopes(hand, sent, trump, level, tables, work)
    common = in_all_suits(hand)
    arounds = common & _AROUND_CARDS
    best = np.int64(_IMPOSSIBLE) * 8
    keep = arounds
    while True:
        # Of the own arounds those in `keep` stay whole.
        for i in range(4):
            _fill_bounds(i, np.int64(keep), work)
        stay = np.int64(common & (keep | keep << U1))
        shared = work[LEGS, 0] + UNIT * np.int64(melds[AROUND_MELD, stay])
        likely = _try_likely(best, shared, n_cards, melds, work)
        if likely != NONE_HIGHER:
            best = _try_all(likely, shared, n_cards, melds, work)
        if keep == U0:
            break
        keep = (keep - U1) & arounds
    given = U0
    for i in range(4):
        suit = np.uint64((turn + i * step) & 3)
        number = np.int64(tables.numbers[suit_bits(hand, suit)])
        way = np.int64(tables.starts[number, 0]) + work[CHOSEN, i]
        given |= np.uint64(tables.given[way]) << (suit * U12)
    return given
