"""Declarer's return: the best of all ways to give cards back, worth for worth.

A return is worth the meld that declarer keeps, what the cards given are expected to add to the
meld of partner's hand, and what the split of each suit is worth in tricks. The tables behind the
last two are measured (`advisor.returning`): partner's hand by the least of the cards he sent, for
that tells which he would have sent before; and the worth in tricks of a suit's cards kept and
given, in hundredths of a point.

All that but arounds and the pinochle adds up by suits. So the suits' ways to give are joined one
suit after the other, with a bound on what arounds and pinochle may still add; arounds of the own
hand are tried kept and broken.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.deal import mix
from advisor.kernels.meldscore import AROUND_MELD, SIDE_MELD, TRUMP_MELD
from advisor.kernels.packed import (
    ACES,
    JACK_OF_DIAMONDS,
    ONE_COPY,
    QUEEN_OF_SPADES,
    TENS,
    U0,
    U1,
    U2,
    U12,
    in_all_suits,
    lowest,
    suit_bits,
    trailing_zeros,
)

Array = np.ndarray[Any, Any]
Four = tuple[int, int, int, int]

# Values are in hundredths of a point.
UNIT: Final = 100
MOST_CARDS: Final = 4
# Ways to give up to four cards of one suit: most where all twelve are held.
MOST_WAYS: Final = 168
# By the least of the cards that partner sent; the last stands for cards that are not told.
N_LEVELS: Final = 12
NOT_TOLD: Final = N_LEVELS
_IMPOSSIBLE: Final = -(1 << 30)
# The first copies of J Q K A.
_AROUND_CARDS: Final = np.uint64(0b01_00_01_01_01_00)
_ROYAL_MARRIAGE: Final = 40
_RUN_ABOVE_MARRIAGE: Final = 110


class ReturnTables(NamedTuple):
    """What the choice of a return reads; see `advisor.returning.return_tables`.

    Parameters
    ----------
    numbers : int16 array, shape (4096,)
        The number of each suit holding.
    starts : int32 array, shape (729, MOST_CARDS + 2)
        By holding and number of cards given: the first of its ways; then where they end.
    given, kept : uint16 arrays, shape (n_ways,)
        The cards of the suit that go and those that stay, 12 bits.
    marks : int32 array, shape (n_ways,)
        What the given cards are: a bit for each of J Q K A, then 3 times kings and queens, then
        queens, then jacks, two bits each.
    side, trump : int32 arrays, shape (n_ways,)
        Worth of the way beside meld, in hundredths, in a side suit and in trump.
    marriages : int32 array, shape (N_LEVELS + 1, 2, 2, 2, 3, 3, 9)
        What given kings and queens of a side suit add to partner's meld, in hundredths: by level,
        whether it is spades beside diamonds as trump, whether a king and a queen of it were sent,
        kings and queens unseen, and 3 times kings and queens given.
    pinochles : int32 array, shape (N_LEVELS + 1, 3, 2, 2, 3, 3, 9)
        The same for legs of the pinochle: by level, trump S, D or another, legs sent and unseen.
    together : int16 array, shape (N_LEVELS + 1, 4, 8, 2, 2, 4, 5)
        Chance in 1/1024 that partner kept a rank in all of some suits: by level, rank J Q K A, side
        suits of it sent (and 4 if trump), whether a copy is unseen in every suit, whether trump is
        of them, how many side suits are, and second copies unseen.
    royals : int16 array, shape (N_LEVELS + 1, 6, 3)
        Chance in 1/1024 that partner kept a rank of trump: by level, rank and copies unseen.
    """

    numbers: Array
    starts: Array
    given: Array
    kept: Array
    marks: Array
    side: Array
    trump: Array
    marriages: Array
    pinochles: Array
    together: Array
    royals: Array


@helper
def copies(holding: np.uint64, rank: int) -> int:
    """Return how many copies of a rank are in the 12 bits of one suit."""
    return np.int64(popcount((holding >> np.uint64(2 * rank)) & np.uint64(3)))


@helper
def first_copy_level(rank: int, in_trump: bool, three: bool, with_trump: bool) -> int:
    """Return the level of one card sent, a first copy that is no leg of the pinochle."""
    if in_trump:
        return 7 if rank == 0 else (2 if rank == 2 else (1 if rank == 3 else 0))
    if rank == 5:
        return 0 if three else (2 if with_trump else 4)
    return 11 if rank == 0 or rank == 4 else 11 - rank


@helper
def second_copy_level(rank: int, in_trump: bool, all_trump: bool) -> int:
    """Return the level of the second copy of a card sent, no leg of the pinochle."""
    if in_trump:
        if rank == 0:
            return 7
        return 3 if all_trump else (5 if rank == 5 else 6)
    return 5 if rank == 5 else 11


@helper
def sent_level(sent: np.uint64, trump: np.uint64, n_cards: int) -> int:
    """Return the level of the least card sent, by the order in which the sender chooses.

    0 ace, jack or ten of trump, aces of three side suits; 1 its king; 2 its queen, side aces beside
    that of trump; 3 a leg of the pinochle, second trumps that fill the pass; 4 a side ace, the
    second leg; 5 the second ace; 6 other second trumps; 7 its nine; 8 king, 9 queen, 10 jack of a
    side suit; 11 any other card. `NOT_TOLD` where nothing is known to have been sent.
    """
    if sent == U0:
        return NOT_TOLD
    trumps = suit_bits(sent, trump)
    all_trump = np.int64(popcount(trumps & ~np.uint64(3))) == n_cards
    all_trump = all_trump and trumps & ACES != U0 and trumps & TENS != U0
    aces = np.int64(popcount(sent & ACES))
    trump_ace = trumps & ACES != U0
    three = aces == 3 and not trump_ace
    with_trump = aces == 3 and trump_ace
    level = 0
    held = sent & ONE_COPY
    while held:
        card = lowest(held)
        held ^= card
        kind = np.int64(trailing_zeros(card)) >> 1
        rank = kind % 6
        in_trump = np.uint64(kind // 6) == trump
        second = sent & (card << U1) != U0
        is_leg = (card == QUEEN_OF_SPADES and trump == U2) or (
            card == JACK_OF_DIAMONDS and trump == U0
        )
        if is_leg:
            level = max(level, 4 if second else 3)
            continue
        level = max(level, first_copy_level(rank, in_trump, three, with_trump))
        if second:
            level = max(level, second_copy_level(rank, in_trump, all_trump))
    return level


@helper
def around_hopes(
    hand: np.uint64,
    sent: np.uint64,
    trump: np.uint64,
    level: int,
    which: int,
    tables: ReturnTables,
    hopes: Array,
) -> int:
    """Write what giving one rank in some suits adds to partner's arounds; return the suits held.

    `which` is the place of the rank in J Q K A; `hopes`, shape (16,), is by the suits in which the
    rank is given, as bits; in hundredths of a point, 0 for suits in which it is not held.
    """
    rank = 5 if which == 3 else which + 1
    points = UNIT * (100 if which == 3 else 20 + 20 * rank)
    told, held, hidden, twice = 0, 0, 0, 0
    for i in range(4):
        suit = np.uint64(i)
        bit = 1 << i
        copies_held = copies(suit_bits(hand, suit), rank)
        if copies_held > 0:
            held |= bit
        if copies_held < 2:
            hidden |= bit
        if copies_held == 0:
            twice |= bit
        if copies(suit_bits(sent, suit), rank) > 0:
            told += 4 if suit == trump else 1
    row = tables.together[level, which, told]
    possible = 1 if hidden == 15 else 0
    whole = np.int64(0)
    if possible:
        whole = np.int64(row[1, 1, 3, popcount(np.uint64(twice))])
    of_trump = 1 << np.int64(trump)
    some = held
    while some > 0:
        rest = 15 - some
        if rest == 0:
            # What partner kept whole becomes a double.
            hopes[some] = (points * (1024 - whole) + 9 * points * whole) >> 10
        elif rest & ~hidden:
            hopes[some] = 0
        else:
            n_side = np.int64(popcount(np.uint64(rest & ~of_trump)))
            chance = np.int64(
                row[
                    possible,
                    np.int64(rest & of_trump != 0),
                    n_side,
                    np.int64(popcount(np.uint64(rest & twice))),
                ]
            )
            hopes[some] = (points * (chance - whole)) >> 10
        some = (some - 1) & held
    hopes[0] = 0
    return held


@helper
def royal_hope(holding: np.uint64, given: np.uint64, level: int, tables: ReturnTables) -> int:
    """Return what given trumps add to a run or royal marriage of partner's, in hundredths."""
    has, had = np.int64(1024), np.int64(1024)
    points = np.int64(0)
    # Queen and king first: without them there is nothing.
    for rank in (2, 3, 1, 4, 5):
        chance = np.int64(tables.royals[level, rank, 2 - copies(holding, rank)])
        has = (has * (np.int64(1024) if copies(given, rank) > 0 else chance)) >> 10
        had = (had * chance) >> 10
        if has == 0:
            break
        if rank == 3:
            points = _ROYAL_MARRIAGE * (has - had)
        elif rank == 5:
            points += _RUN_ABOVE_MARRIAGE * (has - had)
    return (UNIT * points) >> 10


@helper
def pinochle_row(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, level: int, tables: ReturnTables
) -> Array:
    """Return what given legs add to partner's pinochle, by 3 times queens and jacks given."""
    queen, jack = QUEEN_OF_SPADES, JACK_OF_DIAMONDS
    kind = 0 if trump == U0 else (1 if trump == U2 else 2)
    return tables.pinochles[
        level,
        kind,
        np.int64(sent & queen != U0),
        np.int64(sent & jack != U0),
        2 - np.int64(popcount(hand & (queen | queen << U1))),
        2 - np.int64(popcount(hand & (jack | jack << U1))),
    ]


@helper
def marriage_row(
    hand: np.uint64, sent: np.uint64, suit: np.uint64, trump: np.uint64, level: int,
    tables: ReturnTables,
) -> Array:  # fmt: skip
    """Return what given cards add to partner's marriages, by 3 times kings and queens."""
    holding = suit_bits(hand, suit)
    received = suit_bits(sent, suit)
    return tables.marriages[
        level,
        np.int64(suit == U0 and trump == U2),
        np.int64(copies(received, 3) > 0),
        np.int64(copies(received, 2) > 0),
        2 - copies(holding, 3),
        2 - copies(holding, 2),
    ]


@helper
def pinochle_kept(queens: int, jacks: int) -> int:
    """Return the meld of so many legs of the pinochle, in hundredths."""
    both = min(queens, jacks)
    return UNIT * (300 if both == 2 else 40 * both)


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
