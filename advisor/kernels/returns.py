"""Declarer's return: the best of all ways to give cards back, worth for worth.

A return is worth the meld that declarer keeps, what the cards given are expected to add to the
meld of partner's hand (`kernels.kept`), and what the split of each suit is worth in tricks, which
is measured (`advisor.returning`); in hundredths of a point.

All that but arounds and the pinochle adds up by suits. So the suits' ways to give are joined one
suit after the other, with a bound on what arounds and pinochle may still add; arounds of the own
hand are tried kept and broken.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

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


class ReturnWork(NamedTuple):
    """Space for one search; made once and used again. Suits in the order of the search.

    Arrays are taken out of it outside of loops: each time costs counting a reference.

    Parameters
    ----------
    worth, bound : int64 arrays, shape (4, MOST_WAYS)
        What each way is worth by itself, and with the most that it may add across suits.
    marks, kept : int64 arrays, shape (4, MOST_WAYS)
        As in the tables.
    across : int64 array, shape (4, MOST_WAYS)
        What is given for melds across suits, to be joined by or: from bit 0 for each of J Q K A
        four bits, one a suit of the deck; from bit 16 queens, from bit 18 jacks of the pinochle.
    first : int64 array, shape (4, MOST_CARDS + 2)
        The first way of each number of cards.
    most : int64 array, shape (4, MOST_CARDS + 1)
        The highest bound of each number of cards.
    hopes : int64 array, shape (4, 16)
        From `around_hopes`, by suits of the deck.
    rise : int64 array, shape (16,)
        By the ranks given, as bits: the most that they add, given in however many suits.
    legs : int64 array, shape (3, 3)
        Of the pinochle on both sides, by queens and jacks given.
    lift : int64 array, shape (16,)
        By queens given and 4 times jacks, of which one is 0: the most that they add.
    chosen : int64 array, shape (4,)
        The ways of the best return so far.
    """

    worth: Array
    bound: Array
    marks: Array
    kept: Array
    across: Array
    first: Array
    most: Array
    hopes: Array
    rise: Array
    legs: Array
    lift: Array
    chosen: Array


@helper
def return_work() -> ReturnWork:
    """Return the space that `choose_return` needs."""
    return ReturnWork(
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_CARDS + 2), dtype=np.int64),
        np.zeros((4, MOST_CARDS + 1), dtype=np.int64),
        np.zeros((4, 16), dtype=np.int64),
        np.zeros(16, dtype=np.int64),
        np.zeros((3, 3), dtype=np.int64),
        np.zeros(16, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
    )


@helper
def pinochle_kept(queens: int, jacks: int) -> int:
    """Return the meld of so many legs of the pinochle, in hundredths."""
    both = min(queens, jacks)
    return UNIT * (300 if both == 2 else 40 * both)


@helper
def _fill_ways(
    i: int, hand: np.uint64, sent: np.uint64, suit: np.uint64, trump: np.uint64, level: int,
    melds: Array, tables: ReturnTables, work: ReturnWork,
) -> None:  # fmt: skip
    """Write the ways of one suit and what they are worth."""
    holding = suit_bits(hand, suit)
    number = np.int64(tables.numbers[holding])
    begin = np.int64(tables.starts[number, 0])
    starts, first = tables.starts, work.first
    for n in range(MOST_CARDS + 2):
        first[i, n] = np.int64(starts[number, n]) - begin
    in_trump = suit == trump
    gains = marriage_row(hand, sent, suit, trump, level, tables)
    queens = 3 if suit == U0 else 0
    jacks = 3 if suit == U2 else 0
    values = tables.trump if in_trump else tables.side
    all_kept, all_marks, all_given = tables.kept, tables.marks, tables.given
    worth, marks_of, kept_of, across_of = work.worth, work.marks, work.kept, work.across
    for way in range(np.int64(tables.starts[number, MOST_CARDS + 1]) - begin):
        kept = np.int64(all_kept[begin + way])
        marks = np.int64(all_marks[begin + way])
        if in_trump:
            value = np.int64(values[begin + way]) + UNIT * np.int64(melds[TRUMP_MELD, kept])
            if way > 0:
                value += royal_hope(holding, np.uint64(all_given[begin + way]), level, tables)
        else:
            value = np.int64(values[begin + way]) + UNIT * np.int64(melds[SIDE_MELD, kept])
            value += np.int64(gains[(marks >> 4) & 15])
        across = (marks & 1) | ((marks & 2) << 3) | ((marks & 4) << 6) | ((marks & 8) << 9)
        across <<= np.int64(suit)
        across |= ((marks >> 8) & queens) << 16
        across_of[i, way] = across | ((marks >> 10) & jacks) << 18
        worth[i, way] = value
        kept_of[i, way] = kept
        marks_of[i, way] = marks


@helper
def _fill_legs(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: ReturnWork,
) -> None:  # fmt: skip
    """Write what the pinochle comes to, and the most that legs given in one suit may add."""
    queens = np.int64(popcount(hand & (QUEEN_OF_SPADES | QUEEN_OF_SPADES << U1)))
    jacks = np.int64(popcount(hand & (JACK_OF_DIAMONDS | JACK_OF_DIAMONDS << U1)))
    legs, lift = work.legs, work.lift
    for n in range(3):
        for m in range(3):
            legs[n, m] = 0
        lift[n], lift[4 * n] = 0, 0
    if queens + jacks == 0:
        return
    row = pinochle_row(hand, sent, trump, level, tables)
    for n in range(queens + 1):
        for m in range(jacks + 1):
            legs[n, m] = pinochle_kept(queens - n, jacks - m) + np.int64(row[3 * n + m])
    for m in range(1, jacks + 1):
        lift[4 * m] = legs[0, m] - legs[0, 0]
    # Queens may go with any jacks.
    for n in range(1, queens + 1):
        lift[n] = legs[n, 0] - legs[0, 0]
        for m in range(1, jacks + 1):
            lift[n] = max(lift[n], legs[n, m] - legs[0, m])


@helper
def _fill_hopes(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: ReturnWork,
) -> None:  # fmt: skip
    """Write what cards given for arounds may add together, and the most that each adds."""
    hopes, rise = work.hopes, work.rise
    for which in range(4):
        held = around_hopes(hand, sent, trump, level, which, tables, hopes)
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
            rise[bit + ranks] = rise[ranks] + each


@helper
def _fill_bounds(i: int, must: int, work: ReturnWork) -> None:
    """Write the most that each way of a suit can come to where some cards must be kept."""
    worth, bound, marks_of, kept = work.worth, work.bound, work.marks, work.kept
    across_of = work.across
    first, most_of, rise, lift = work.first, work.most, work.rise, work.lift
    for n in range(MOST_CARDS + 1):
        most = np.int64(_IMPOSSIBLE)
        for way in range(first[i, n], first[i, n + 1]):
            value = np.int64(_IMPOSSIBLE)
            if kept[i, way] & must == must:
                marks = marks_of[i, way]
                value = worth[i, way] + rise[marks & 15]
                value += lift[across_of[i, way] >> 16]
            bound[i, way] = value
            most = max(most, value)
        most_of[i, n] = most


@helper
def _try_ways(
    way_0: int, way_1: int, way_2: int, way_3: int, best: int, melds: Array, work: ReturnWork
) -> int:
    """Return the value of a way in each suit, kept as chosen, or `best` where that is as high."""
    worth, kept_of, across_of = work.worth, work.kept, work.across
    hopes, legs = work.hopes, work.legs
    kept = kept_of[0, way_0] & kept_of[1, way_1] & kept_of[2, way_2] & kept_of[3, way_3]
    across = across_of[0, way_0] | across_of[1, way_1] | across_of[2, way_2] | across_of[3, way_3]
    value = worth[0, way_0] + worth[1, way_1] + worth[2, way_2] + worth[3, way_3]
    value += UNIT * np.int64(melds[AROUND_MELD, kept]) + legs[(across >> 16) & 3, across >> 18]
    value += hopes[0, across & 15] + hopes[1, (across >> 4) & 15]
    value += hopes[2, (across >> 8) & 15] + hopes[3, (across >> 12) & 15]
    if value <= best:
        return best
    chosen = work.chosen
    chosen[0], chosen[1], chosen[2], chosen[3] = way_0, way_1, way_2, way_3
    return value


@helper
def _first_way(i: int, n: int, work: ReturnWork) -> int:
    """Return the first way to give `n` cards of a suit that has the highest bound."""
    bound, most = work.bound, work.most[i, n]
    way = work.first[i, n]
    while bound[i, way] != most:
        way += 1
    return way


@helper
def _try_likely(best: int, shared: int, n_cards: int, melds: Array, work: ReturnWork) -> int:
    """Try the ways of the highest sum of bounds; return the best value, or that none is higher."""
    most = work.most
    highest = np.int64(_IMPOSSIBLE) * 4
    split = 0
    for n_0 in range(n_cards + 1):
        for n_1 in range(n_cards + 1 - n_0):
            front = most[0, n_0] + most[1, n_1]
            for n_2 in range(n_cards + 1 - n_0 - n_1):
                n_3 = n_cards - n_0 - n_1 - n_2
                value = front + most[2, n_2] + most[3, n_3]
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
def _try_all(best: int, shared: int, n_cards: int, melds: Array, work: ReturnWork) -> int:
    """Try all ways whose sum of bounds is higher than the best value; return that in the end."""
    first, most, bound = work.first, work.most, work.bound
    for n_0 in range(n_cards + 1):
        for n_1 in range(n_cards + 1 - n_0):
            for n_2 in range(n_cards + 1 - n_0 - n_1):
                n_3 = n_cards - n_0 - n_1 - n_2
                after_2 = most[3, n_3] + shared
                after_1 = most[2, n_2] + after_2
                after_0 = most[1, n_1] + after_1
                if most[0, n_0] + after_0 <= best:
                    continue
                for way_0 in range(first[0, n_0], first[0, n_0 + 1]):
                    sum_0 = bound[0, way_0]
                    if sum_0 + after_0 <= best:
                        continue
                    for way_1 in range(first[1, n_1], first[1, n_1 + 1]):
                        sum_1 = sum_0 + bound[1, way_1]
                        if sum_1 + after_1 <= best:
                            continue
                        for way_2 in range(first[2, n_2], first[2, n_2 + 1]):
                            sum_2 = sum_1 + bound[2, way_2]
                            if sum_2 + after_2 <= best:
                                continue
                            for way_3 in range(first[3, n_3], first[3, n_3 + 1]):
                                if sum_2 + bound[3, way_3] + shared > best:
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
    work: ReturnWork,
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
    work : ReturnWork
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
        shared = work.legs[0, 0] + UNIT * np.int64(melds[AROUND_MELD, stay])
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
        way = np.int64(tables.starts[number, 0]) + work.chosen[i]
        given |= np.uint64(tables.given[way]) << (suit * U12)
    return given
