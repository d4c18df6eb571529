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
    U12,
    in_all_suits,
    suit_bits,
)

Array = np.ndarray[Any, Any]
Four = tuple[int, int, int, int]

MOST_CARDS: Final = 4
# Ways to give up to four cards of one suit: most where all twelve are held.
MOST_WAYS: Final = 168
_IMPOSSIBLE: Final = -(1 << 30)
# The first copies of J Q K A.
_AROUND_CARDS: Final = np.uint64(0b01_00_01_01_01_00)


class ReturnWork(NamedTuple):
    """Space for one search; made once and used again. Suits in the order of the search.

    Parameters
    ----------
    worth, bound : int64 arrays, shape (4, MOST_WAYS)
        What each way is worth by itself, and with the most that it may add across suits.
    marks, kept : int64 arrays, shape (4, MOST_WAYS)
        As in the tables.
    first : int64 array, shape (4, MOST_CARDS + 2)
        The first way of each number of cards.
    most : int64 array, shape (4, MOST_CARDS + 1)
        The highest bound of each number of cards.
    hopes : int64 array, shape (4, 16)
        From `around_hopes`, by suits of the deck.
    rise : int64 array, shape (4,)
        By rank: the most that each card of it adds, given in however many suits.
    legs : int64 array, shape (3, 3)
        Of the pinochle on both sides, by queens and jacks given.
    """

    worth: Array
    bound: Array
    marks: Array
    kept: Array
    first: Array
    most: Array
    hopes: Array
    rise: Array
    legs: Array


@helper
def return_work() -> ReturnWork:
    """Return the space that `choose_return` needs."""
    return ReturnWork(
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_WAYS), dtype=np.int64),
        np.zeros((4, MOST_CARDS + 2), dtype=np.int64),
        np.zeros((4, MOST_CARDS + 1), dtype=np.int64),
        np.zeros((4, 16), dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.zeros((3, 3), dtype=np.int64),
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
    for n in range(MOST_CARDS + 2):
        work.first[i, n] = np.int64(tables.starts[number, n]) - begin
    n_ways = work.first[i, MOST_CARDS + 1]
    if suit == trump:
        for way in range(n_ways):
            kept = np.int64(tables.kept[begin + way])
            value = np.int64(tables.trump[begin + way]) + UNIT * np.int64(melds[TRUMP_MELD, kept])
            if way > 0:
                value += royal_hope(holding, np.uint64(tables.given[begin + way]), level, tables)
            work.worth[i, way] = value
            work.kept[i, way] = kept
            work.marks[i, way] = np.int64(tables.marks[begin + way])
        return
    gains = marriage_row(hand, sent, suit, trump, level, tables)
    for way in range(n_ways):
        kept = np.int64(tables.kept[begin + way])
        marks = np.int64(tables.marks[begin + way])
        value = np.int64(tables.side[begin + way]) + UNIT * np.int64(melds[SIDE_MELD, kept])
        work.worth[i, way] = value + np.int64(gains[(marks >> 4) & 15])
        work.kept[i, way] = kept
        work.marks[i, way] = marks


@helper
def _fill_legs(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: ReturnWork,
) -> tuple[int, int]:  # fmt: skip
    """Write what the pinochle comes to; return the most that one and two queens given may add."""
    queens = np.int64(popcount(hand & (QUEEN_OF_SPADES | QUEEN_OF_SPADES << U1)))
    jacks = np.int64(popcount(hand & (JACK_OF_DIAMONDS | JACK_OF_DIAMONDS << U1)))
    work.legs[:] = 0
    one, two = np.int64(0), np.int64(0)
    if queens + jacks == 0:
        return one, two
    row = pinochle_row(hand, sent, trump, level, tables)
    for n in range(queens + 1):
        for m in range(jacks + 1):
            work.legs[n, m] = pinochle_kept(queens - n, jacks - m) + np.int64(row[3 * n + m])
    if queens > 0:
        one, two = np.int64(_IMPOSSIBLE), np.int64(_IMPOSSIBLE)
        for m in range(jacks + 1):
            one = max(one, work.legs[1, m] - work.legs[0, m])
            if queens > 1:
                two = max(two, work.legs[2, m] - work.legs[0, m])
    return one, two


@helper
def _fill_hopes(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: ReturnWork,
) -> None:  # fmt: skip
    """Write what cards given for arounds may add together, and the most that each adds."""
    for which in range(4):
        held = around_hopes(hand, sent, trump, level, which, tables, work.hopes[which])
        most = np.int64(0)
        some = held
        while some > 0:
            size = np.int64(popcount(np.uint64(some)))
            most = max(most, (work.hopes[which, some] + size - 1) // size)
            some = (some - 1) & held
        work.rise[which] = most


@helper
def _fill_bounds(i: int, must: int, queens: Four, jacks: Four, work: ReturnWork) -> None:
    """Write the most that each way of a suit can come to where some cards must be kept.

    `queens` and `jacks` are what so many legs of the suit may add.
    """
    for n in range(MOST_CARDS + 1):
        most = np.int64(_IMPOSSIBLE)
        for way in range(work.first[i, n], work.first[i, n + 1]):
            value = np.int64(_IMPOSSIBLE)
            if work.kept[i, way] & must == must:
                marks = work.marks[i, way]
                value = work.worth[i, way]
                value += work.rise[0] * (marks & 1)
                value += work.rise[1] * ((marks >> 1) & 1)
                value += work.rise[2] * ((marks >> 2) & 1)
                value += work.rise[3] * ((marks >> 3) & 1)
                value += queens[(marks >> 8) & 3] + jacks[(marks >> 10) & 3]
            work.bound[i, way] = value
            most = max(most, value)
        work.most[i, n] = most


@helper
def _whole_value(ways: Four, suits: Four, melds: Array, work: ReturnWork) -> int:
    """Return what a way in each suit comes to, arounds and pinochle with it."""
    kept = work.kept[0, ways[0]] & work.kept[1, ways[1]]
    kept &= work.kept[2, ways[2]] & work.kept[3, ways[3]]
    value = work.worth[0, ways[0]] + work.worth[1, ways[1]]
    value += work.worth[2, ways[2]] + work.worth[3, ways[3]]
    value += UNIT * np.int64(melds[AROUND_MELD, kept])
    given = np.int64(0)
    queens, jacks = np.int64(0), np.int64(0)
    for i in range(4):
        marks = work.marks[i, ways[i]]
        # Four bits for each rank, one of each suit.
        spread = (marks & 1) | ((marks & 2) << 3) | ((marks & 4) << 6) | ((marks & 8) << 9)
        given |= spread << suits[i]
        if suits[i] == 0:
            queens = (marks >> 8) & 3
        elif suits[i] == 2:
            jacks = (marks >> 10) & 3
    value += work.hopes[0, given & 15] + work.hopes[1, (given >> 4) & 15]
    value += work.hopes[2, (given >> 8) & 15] + work.hopes[3, given >> 12]
    return value + work.legs[queens, jacks]


@helper
def _first_way(i: int, n: int, work: ReturnWork) -> int:
    """Return the first way to give `n` cards of a suit that has the highest bound."""
    for way in range(work.first[i, n], work.first[i, n + 1]):
        if work.bound[i, way] == work.most[i, n]:
            return way
    return work.first[i, n]


@helper
def _likely_ways(n_cards: int, work: ReturnWork) -> tuple[int, Four]:
    """Return the highest sum of bounds, and ways that have it."""
    best = np.int64(_IMPOSSIBLE) * 4
    split = (0, 0, 0, 0)
    for n_0 in range(n_cards + 1):
        for n_1 in range(n_cards + 1 - n_0):
            front = work.most[0, n_0] + work.most[1, n_1]
            for n_2 in range(n_cards + 1 - n_0 - n_1):
                n_3 = n_cards - n_0 - n_1 - n_2
                value = front + work.most[2, n_2] + work.most[3, n_3]
                if value > best:
                    best = value
                    split = (n_0, n_1, n_2, n_3)
    return best, (
        _first_way(0, split[0], work),
        _first_way(1, split[1], work),
        _first_way(2, split[2], work),
        _first_way(3, split[3], work),
    )


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
    suits = turn, (turn + step) & 3, (turn + 2 * step) & 3, (turn + 3 * step) & 3
    for i in range(4):
        _fill_ways(i, hand, sent, np.uint64(suits[i]), trump, level, melds, tables, work)
    one_queen, two_queens = _fill_legs(hand, sent, trump, level, tables, work)
    _fill_hopes(hand, sent, trump, level, tables, work)
    legs, first, most, bound = work.legs, work.first, work.most, work.bound
    nothing = (0, 0, 0, 0)
    queens = (0, one_queen, two_queens, 0)
    jacks = (0, legs[0, 1] - legs[0, 0], legs[0, 2] - legs[0, 0], 0)
    common = in_all_suits(hand)
    arounds = common & _AROUND_CARDS
    best = np.int64(_IMPOSSIBLE) * 8
    chosen = nothing
    keep = arounds
    while True:
        # Of the own arounds those in `keep` stay whole.
        for i in range(4):
            _fill_bounds(
                i,
                np.int64(keep),
                queens if suits[i] == 0 else nothing,
                jacks if suits[i] == 2 else nothing,
                work,
            )
        stay = np.int64(common & (keep | keep << U1))
        shared = legs[0, 0] + UNIT * np.int64(melds[AROUND_MELD, stay])
        likely, ways = _likely_ways(n_cards, work)
        if likely + shared > best:
            value = _whole_value(ways, suits, melds, work)
            if value > best:
                best, chosen = value, ways
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
                                        if sum_2 + bound[3, way_3] + shared <= best:
                                            continue
                                        ways = way_0, way_1, way_2, way_3
                                        value = _whole_value(ways, suits, melds, work)
                                        if value > best:
                                            best, chosen = value, ways
        if keep == U0:
            break
        keep = (keep - U1) & arounds
    given = U0
    for i in range(4):
        holding = suit_bits(hand, np.uint64(suits[i]))
        way = np.int64(tables.starts[np.int64(tables.numbers[holding]), 0]) + chosen[i]
        given |= np.uint64(tables.given[way]) << (np.uint64(suits[i]) * U12)
    return given
