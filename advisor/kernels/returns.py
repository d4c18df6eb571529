"""Declarer's return: the best of all ways to give cards back, worth for worth.

A return is worth the meld that declarer keeps, what the cards given are expected to add to the
meld of partner's hand (`kernels.kept`), and what the split of each suit is worth in tricks, which
is measured (`advisor.returning`); in hundredths of a point.

All that but arounds and the pinochle adds up by suits. So the suits' ways to give are joined one
suit after the other, spades and diamonds first, for they have the legs of the pinochle, with a
bound on what arounds and pinochle may still add; arounds of the own hand are tried kept and broken.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.deal import mix
from advisor.kernels.kept import (
    JACKS_GIVEN,
    MARRIED_GIVEN,
    QUEENS_GIVEN,
    RANKS_GIVEN,
    RANKS_GIVEN_AT,
    SUITS_GIVEN,
    UNIT,
    ReturnTables,
    around_hopes,
    marriage_row,
    pinochle_row,
    royal_chances,
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
    U48,
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


# The suits that have legs of the pinochle, as bits, and the others.
_LEG_SUITS: Final = 0b0101
_OTHER_SUITS: Final = 0b1010

# Rows of the space for one search, an int64 array made once and used again: one array, for each
# that a helper takes apart costs. First four rows each, by suit in the order of the search and then
# by way: what it is worth by itself; the same where what must be kept stays, and with the most that
# it may add across suits; what stays, 12 bits; what is given for melds across suits, to be joined
# by or, as the marks of `ReturnTables` have it.
WORTH, PLAIN, BOUND, KEPT, ACROSS = 0, 4, 8, 12, 16
# By suit and number of cards given: the first way, and the most of `PLAIN` and of `BOUND`.
FIRST, MOST_PLAIN, MOST = 20, 24, 28
# By rank of J Q K A and the suits of the deck in which it is given: from `around_hopes`. So too, by
# what is given of spades and diamonds, the most that it comes to with the other suits.
HOPES, AT_BEST = 32, 36
# By the ranks given: the most that they add, in however many suits. By queens and 4 times jacks
# given: what the pinochle comes to on both sides, and, where one is 0, the most that they add.
# By suit: the ways of the best return so far.
RISE, LEGS, LIFT, CHOSEN = 40, 41, 42, 43
N_ROWS = 44


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
    starts = tables.starts
    begin = np.int64(starts[number, 0])
    for n in range(MOST_CARDS + 2):
        work[FIRST + i, n] = np.int64(starts[number, n]) - begin
    n_ways = work[FIRST + i, MOST_CARDS + 1]
    all_kept, all_marks = tables.kept, tables.marks
    across = RANKS_GIVEN
    if suit == U0:
        across |= 3 << QUEENS_GIVEN
    elif suit == U2:
        across |= 3 << JACKS_GIVEN
    shift = np.int64(suit)
    for way in range(n_ways):
        marks = np.int64(all_marks[begin + way])
        work[ACROSS + i, way] = (marks & SUITS_GIVEN) << shift | marks & across
        work[KEPT + i, way] = np.int64(all_kept[begin + way])
    if suit == trump:
        values, all_given = tables.trump, tables.given
        chances = royal_chances(holding, level, tables.royals)
        for way in range(n_ways):
            value = np.int64(values[begin + way])
            value += UNIT * np.int64(melds[TRUMP_MELD, work[KEPT + i, way]])
            if way > 0:
                value += royal_hope(np.uint64(all_given[begin + way]), chances)
            work[WORTH + i, way] = value
    else:
        values = tables.side
        gains = marriage_row(hand, sent, suit, trump, level, tables)
        for way in range(n_ways):
            value = np.int64(values[begin + way])
            value += UNIT * np.int64(melds[SIDE_MELD, work[KEPT + i, way]])
            marks = np.int64(all_marks[begin + way])
            work[WORTH + i, way] = value + np.int64(gains[marks >> MARRIED_GIVEN])


@helper
def _fill_legs(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables,
    work: Array,
) -> None:  # fmt: skip
    """Write what the pinochle comes to, and the most that legs given in one suit may add."""
    queens = np.int64(popcount(hand & (QUEEN_OF_SPADES | QUEEN_OF_SPADES << U1)))
    jacks = np.int64(popcount(hand & (JACK_OF_DIAMONDS | JACK_OF_DIAMONDS << U1)))
    work[LEGS, 0] = 0
    work[LIFT, 0] = 0
    if queens + jacks == 0:
        return
    row = pinochle_row(hand, sent, trump, level, tables)
    for n in range(queens + 1):
        for m in range(jacks + 1):
            more = np.int64(row[3 * n + m])
            work[LEGS, n + 4 * m] = pinochle_kept(queens - n, jacks - m) + more
    for m in range(1, jacks + 1):
        work[LIFT, 4 * m] = work[LEGS, 4 * m] - work[LEGS, 0]
    # Queens may go with any jacks.
    for n in range(1, queens + 1):
        lift = work[LEGS, n] - work[LEGS, 0]
        for m in range(1, jacks + 1):
            lift = max(lift, work[LEGS, n + 4 * m] - work[LEGS, 4 * m])
        work[LIFT, n] = lift


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
        first = held & _LEG_SUITS
        while True:
            at_best = np.int64(_IMPOSSIBLE)
            others = held & _OTHER_SUITS
            while True:
                hope = hopes[which, first | others]
                at_best = max(at_best, hope)
                size = np.int64(popcount(np.uint64(first | others)))
                if size == 1:
                    one = max(one, hope)
                elif size == 2:
                    two = max(two, hope)
                elif size == 3:
                    three = max(three, hope)
                elif size == 4:
                    four = hope
                if others == 0:
                    break
                others = (others - 1) & held & _OTHER_SUITS
            work[AT_BEST + which, first] = at_best
            if first == 0:
                break
            first = (first - 1) & held & _LEG_SUITS
        each = max(max(one, (two + 1) >> 1), max((three + 2) // 3, (four + 3) >> 2))
        bit = 1 << which
        for ranks in range(bit):
            work[RISE, bit + ranks] = work[RISE, ranks] + each


@helper
def _fill_bounds(i: int, must: int, work: Array) -> None:
    """Write the most that each way of a suit can come to where some cards must be kept."""
    for n in range(MOST_CARDS + 1):
        most, plain = np.int64(_IMPOSSIBLE), np.int64(_IMPOSSIBLE)
        for way in range(work[FIRST + i, n], work[FIRST + i, n + 1]):
            value, bound = np.int64(_IMPOSSIBLE), np.int64(_IMPOSSIBLE)
            if work[KEPT + i, way] & must == must:
                across = work[ACROSS + i, way]
                value = work[WORTH + i, way]
                bound = value + work[RISE, across >> RANKS_GIVEN_AT]
                bound += work[LIFT, (across >> QUEENS_GIVEN) & 15]
            work[PLAIN + i, way], work[BOUND + i, way] = value, bound
            most, plain = max(most, bound), max(plain, value)
        work[MOST + i, n], work[MOST_PLAIN + i, n] = most, plain


@helper
def _try_ways(
    way_0: int, way_1: int, way_2: int, way_3: int, best: int, melds: Array, work: Array
) -> int:
    """Return the value of a way in each suit, kept as chosen, or `best` where that is as high."""
    across = work[ACROSS, way_0] | work[ACROSS + 1, way_1]
    across |= work[ACROSS + 2, way_2] | work[ACROSS + 3, way_3]
    value = work[WORTH, way_0] + work[WORTH + 1, way_1]
    value += work[WORTH + 2, way_2] + work[WORTH + 3, way_3]
    value += work[LEGS, (across >> QUEENS_GIVEN) & 15]
    value += work[HOPES, across & 15] + work[HOPES + 1, (across >> 4) & 15]
    value += work[HOPES + 2, (across >> 8) & 15] + work[HOPES + 3, (across >> 12) & 15]
    kept = work[KEPT, way_0] & work[KEPT + 1, way_1]
    kept &= work[KEPT + 2, way_2] & work[KEPT + 3, way_3]
    value += UNIT * np.int64(melds[AROUND_MELD, kept])
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
    if highest + work[LEGS, 0] + shared <= best:
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
def _with_legs(way_0: int, way_1: int, work: Array) -> int:
    """Return what ways of spades and diamonds are worth, the pinochle known, arounds not."""
    across = work[ACROSS, way_0] | work[ACROSS + 1, way_1]
    value = work[PLAIN, way_0] + work[PLAIN + 1, way_1]
    return value + work[LEGS, (across >> QUEENS_GIVEN) & 15]


@helper
def _around_at_best(way_0: int, way_1: int, work: Array) -> int:
    """Return the most that arounds come to after ways of spades and diamonds."""
    across = work[ACROSS, way_0] | work[ACROSS + 1, way_1]
    value = work[AT_BEST, across & 15] + work[AT_BEST + 1, (across >> 4) & 15]
    return value + work[AT_BEST + 2, (across >> 8) & 15] + work[AT_BEST + 3, (across >> 12) & 15]


@helper
def _rise(i: int, way: int, work: Array) -> int:
    """Return the most that a way may add to arounds, by the ranks given."""
    return work[RISE, work[ACROSS + i, way] >> RANKS_GIVEN_AT]


@helper
def _try_all(best: int, shared: int, n_cards: int, melds: Array, work: Array) -> int:
    """Try all ways whose sum of bounds is higher than the best value; return that in the end."""
    legs = work[LEGS, 0]
    for n_0 in range(n_cards + 1):
        for n_1 in range(n_cards + 1 - n_0):
            for n_2 in range(n_cards + 1 - n_0 - n_1):
                n_3 = n_cards - n_0 - n_1 - n_2
                plain_1 = work[MOST_PLAIN + 2, n_2] + work[MOST_PLAIN + 3, n_3] + shared
                after_2 = work[MOST + 3, n_3] + shared
                after_1 = work[MOST + 2, n_2] + after_2
                after_0 = work[MOST + 1, n_1] + after_1 + legs
                if work[MOST, n_0] + after_0 <= best:
                    continue
                for way_0 in range(work[FIRST, n_0], work[FIRST, n_0 + 1]):
                    if work[BOUND, way_0] + after_0 <= best:
                        continue
                    for way_1 in range(work[FIRST + 1, n_1], work[FIRST + 1, n_1 + 1]):
                        sum_1 = _with_legs(way_0, way_1, work)
                        rise_1 = sum_1 + _rise(0, way_0, work) + _rise(1, way_1, work)
                        if rise_1 + after_1 <= best:
                            continue
                        if sum_1 + _around_at_best(way_0, way_1, work) + plain_1 <= best:
                            continue
                        for way_2 in range(work[FIRST + 2, n_2], work[FIRST + 2, n_2 + 1]):
                            sum_2 = rise_1 + work[BOUND + 2, way_2]
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
) -> np.uint64:
    """Return the cards that declarer gives back, packed: the best of all.

    They hang on the arguments alone: of equal returns the one found first is taken, and which of
    two like suits is searched first, on the cards.

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
    """
    level = sent_level(sent, trump, n_cards)
    chance = mix(hand)
    first_leg = (chance & U1) << U1
    first_other = (chance & U2) | U1
    for i in range(4):
        suit = first_leg if i < 2 else first_other
        if i & 1:
            suit ^= U2
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
        shared = UNIT * np.int64(melds[AROUND_MELD, stay])
        likely = _try_likely(best, shared, n_cards, melds, work)
        if likely != NONE_HIGHER:
            best = _try_all(likely, shared, n_cards, melds, work)
        if keep == U0:
            break
        keep = (keep - U1) & arounds
    given = U0
    for i in range(4):
        suit = first_leg if i < 2 else first_other
        if i & 1:
            suit ^= U2
        number = np.int64(tables.numbers[suit_bits(hand, suit)])
        way = np.int64(tables.starts[number, 0]) + work[CHOSEN, i]
        given |= np.uint64(tables.given[way]) << (suit * U12)
    return given


@helper
def recalled_return(
    hand: np.uint64,
    sent: np.uint64,
    trump: np.uint64,
    n_cards: int,
    melds: Array,
    tables: ReturnTables,
    work: Array,
    memory: Array,
) -> np.uint64:
    """Return what `choose_return` does, looked up where the same was asked not long ago.

    Parameters
    ----------
    hand, sent, trump, n_cards, melds, tables, work
        As for `choose_return`.
    memory : uint64 array, shape (2**n, 3)
        Asked before with the same last four: cards and trump, what was sent, what was returned; 0
        at first. Modified in place.
    """
    key = hand | trump << U48
    place = np.int64(mix(key ^ mix(sent)) & np.uint64(len(memory) - 1))
    if memory[place, 0] == key and memory[place, 1] == sent:
        return np.uint64(memory[place, 2])
    given = choose_return(hand, sent, trump, n_cards, melds, tables, work)
    memory[place, 0], memory[place, 1], memory[place, 2] = key, sent, given
    return given
