"""What partner kept, as far as the cards he sent tell, and what given cards add to it.

The sender's rule ranks his cards, so the least of those sent says which others he would have sent
before: those he has not got, unless he keeps them for a meld. How often he keeps what is measured
(`advisor.returning`), by the level of the least card sent.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from advisor.kernels._jit import helper, popcount, trailing_zeros
from advisor.kernels.packed import (
    ACES,
    JACK_OF_DIAMONDS,
    ONE_COPY,
    QUEEN_OF_SPADES,
    TENS,
    U0,
    U1,
    U2,
    lowest,
    suit_bits,
)

Array = np.ndarray[Any, Any]

# Values are in hundredths of a point.
UNIT: Final = 100
# By the least of the cards that partner sent; the last stands for cards that are not told.
N_LEVELS: Final = 12
NOT_TOLD: Final = N_LEVELS
# The marks of given cards. For each of J Q K A bit 0 of four, so that what is given in other suits
# stands beside it; queens and jacks, two bits each; a bit for each of J Q K A; from the last on,
# 3 times kings and queens.
SUITS_GIVEN: Final = 0x1111
QUEENS_GIVEN: Final = 16
JACKS_GIVEN: Final = 18
RANKS_GIVEN_AT: Final = 20
RANKS_GIVEN: Final = 15 << RANKS_GIVEN_AT
MARRIED_GIVEN: Final = 24
_ROYAL_MARRIAGE: Final = 40
_RUN_ABOVE_MARRIAGE: Final = 110


class ReturnTables(NamedTuple):
    """What the choice of a return reads; see `advisor.returning.return_tables`.

    Parameters
    ----------
    numbers : int16 array, shape (4096,)
        The number of each suit holding.
    starts : int32 array, shape (729, 6)
        By holding and number of cards given: the first of its ways; then where they end.
    given, kept : uint16 arrays, shape (n_ways,)
        The cards of the suit that go and those that stay, 12 bits.
    marks : int32 array, shape (n_ways,)
        What the given cards are: `SUITS_GIVEN` and the constants after it.
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
    together: Array,
    hopes: Array,
) -> int:
    """Write what giving one rank in some suits adds to partner's arounds; return the suits held.

    `which` is the place of the rank in J Q K A; `hopes`, shape (4, 16), is by that and the suits in
    which the rank is given, as bits; in hundredths of a point.
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
    possible = 1 if hidden == 15 else 0
    whole = np.int64(0)
    if possible:
        whole = np.int64(together[level, which, told, 1, 1, 3, popcount(np.uint64(twice))])
    of_trump = 1 << np.int64(trump)
    some = held
    while some > 0:
        rest = 15 - some
        if rest == 0:
            # What partner kept whole becomes a double.
            hopes[which, some] = (points * (1024 - whole) + 9 * points * whole) >> 10
        elif rest & ~hidden:
            hopes[which, some] = 0
        else:
            n_side = np.int64(popcount(np.uint64(rest & ~of_trump)))
            chance = np.int64(
                together[
                    level,
                    which,
                    told,
                    possible,
                    np.int64(rest & of_trump != 0),
                    n_side,
                    np.int64(popcount(np.uint64(rest & twice))),
                ]
            )
            hopes[which, some] = (points * (chance - whole)) >> 10
        some = (some - 1) & held
    hopes[which, 0] = 0
    return held


@helper
def royal_chances(holding: np.uint64, level: int, royals: Array) -> tuple[int, int, int, int, int]:
    """Return the chances in 1/1024 that partner kept queen, king, jack, ten and ace of trump."""
    return (
        np.int64(royals[level, 2, 2 - copies(holding, 2)]),
        np.int64(royals[level, 3, 2 - copies(holding, 3)]),
        np.int64(royals[level, 1, 2 - copies(holding, 1)]),
        np.int64(royals[level, 4, 2 - copies(holding, 4)]),
        np.int64(royals[level, 5, 2 - copies(holding, 5)]),
    )


@helper
def _royal_points(queen: int, king: int, jack: int, ten: int, ace: int) -> int:
    """Return 1024 times the mean points of royal marriage and run, given the chances of each."""
    married = (queen * king) >> 10
    run = (((((married * jack) >> 10) * ten) >> 10) * ace) >> 10
    return _ROYAL_MARRIAGE * married + _RUN_ABOVE_MARRIAGE * run


@helper
def royal_hope(given: np.uint64, chances: tuple[int, int, int, int, int]) -> int:
    """Return what given trumps add to a run or royal marriage of partner's, in hundredths."""
    queen, king, jack, ten, ace = chances
    without = _royal_points(queen, king, jack, ten, ace)
    sure = np.int64(1024)
    queen = sure if given & np.uint64(0x030) else queen
    king = sure if given & np.uint64(0x0C0) else king
    jack = sure if given & np.uint64(0x00C) else jack
    ten = sure if given & np.uint64(0x300) else ten
    ace = sure if given & np.uint64(0xC00) else ace
    return (UNIT * (_royal_points(queen, king, jack, ten, ace) - without)) >> 10


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
