"""Whole tables: four hands dealt from a counter-based stream, and their auctions bid out."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.bidding import (
    AUCTION_DEALER_FORCED,
    AUCTION_FORCED_BID,
    BID,
    NO_SEAT,
    TOLD_NOTHING,
    decide,
    told_by,
)
from advisor.kernels.deal import draw_hand, mix, rest_of, sample_state, stream_of
from advisor.kernels.league import call_by_habit
from advisor.kernels.packed import U0, complement, list_cards
from advisor.kernels.positions import drawn_noise
from advisor.kernels.signals import FOUND_LIMIT, FOUND_MARKS

Array = np.ndarray[Any, Any]

# Columns of what became of an auction; what seats 0 to 3 have told stands from END_TOLD on.
END_DECLARER, END_CONTRACT, END_TOLD = range(3)
N_END: Final = 6
# Draws of judgement are written in this part of their standard deviation.
DRAW_UNITS: Final = 4096
_HAND_SIZE: Final = 12
_WHICH: Final = np.uint64(0x3A7D_0000_BEEF)


@entry
def deal_tables(
    held: Array, seed: np.uint64, first: int, hands: Array, states: Array, draws: Array
) -> None:
    """Deal consecutive tables of four.

    Parameters
    ----------
    held : uint64 array, shape (n_held,)
        Packed hands of twelve, one of which, drawn at random, is dealt to place 0; with none of
        them all cards are dealt at random.
    seed : uint64
    first : int
        Index of the first table. With the seed and the hands held it alone fixes a table's cards.
    hands : uint64 array, shape (n_tables, 4)
        Packed; modified in place, like the rest.
    states : uint64 array, shape (n_tables,)
        The generator's state of each table.
    draws : int64 array, shape (n_tables, 4)
        A draw for the judgement of each place, in 1/DRAW_UNITS of its standard deviation.
    """
    unseen = np.empty(48, dtype=np.uint64)
    cards = np.empty(48, dtype=np.uint64)
    stream = stream_of(seed, U0)
    n_unseen = list_cards(complement(U0), unseen)
    for i in range(len(hands)):
        state = sample_state(stream, np.uint64(first + i))
        place = 0
        if len(held) > 0:
            hands[i, 0] = held[np.int64(mix(state ^ _WHICH) % np.uint64(len(held)))]
            n_unseen = list_cards(complement(hands[i, 0]), unseen)
            place = 1
        for j in range(n_unseen):
            cards[j] = unseen[j]
        drawing = state
        bits = U0
        position = 0
        while place < 3:
            hands[i, place], drawing, bits = draw_hand(
                drawing, bits, cards, position, _HAND_SIZE, n_unseen
            )
            position += _HAND_SIZE
            place += 1
        hands[i, 3] = rest_of(cards, position, n_unseen)
        states[i] = state
        for seat in range(4):
            draws[i, seat] = drawn_noise(state, 0, seat, DRAW_UNITS)[0]


@helper
def bid_table(
    looks: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
    by_habit: Array,
    habits: Array,
    told: Array,
    bids: Array,
) -> tuple[int, int]:
    """Bid one auction; return the high bid and its seat, and write what each seat has told."""
    told[:] = TOLD_NOTHING
    bids[:] = 0
    high = np.int64(0)
    holder = np.int64(NO_SEAT)
    passed = np.int64(0)
    seat = np.int64(0)
    while True:
        waiting = 4 - np.int64(popcount(np.uint64(passed)))
        if waiting == 0 or (waiting == 1 and holder != NO_SEAT):
            return high, holder
        if (passed >> seat) & 1 or seat == holder:
            seat = (seat + 1) & 3
            continue
        side = seat & 1
        limit = looks[seat, FOUND_LIMIT]
        if by_habit[side]:
            kind, amount = call_by_habit(
                seat, limit, high, holder, passed, bids, auction, habits[side]
            )
        else:
            kind, amount = decide(
                seat, limit, looks[seat, FOUND_MARKS], high, holder, passed, told, auction,
                bidding[side], meanings[side],
            )  # fmt: skip
        told[seat] = told_by(seat, kind, amount, high, passed, told, auction, meanings[side])
        if kind == BID:
            high = np.int64(amount)
            holder = seat
            bids[seat] += 1
        else:
            passed |= 1 << seat
        seat = (seat + 1) & 3


@entry
def bid_tables(
    seats: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
    by_habit: Array,
    habits: Array,
    ends: Array,
) -> None:
    """Bid whole auctions, each side by its convention or by the habits of a rule of bidding.

    Parameters
    ----------
    seats : int64 array, shape (n_tables, 4, 3)
        Limit, trump and marks of each hand, from the dealer's left.
    auction, bidding, meanings : int64 arrays
        As for `bidding.bid_out`.
    by_habit : bool array, shape (2,)
        Whether seats 0 and 2, and seats 1 and 3, bid by habits: they jump and read nothing.
    habits : int64 array, shape (2, N_HABITS)
        As for `league.bid_at_tables`, of the sides that do.
    ends : int64 array, shape (n_tables, N_END)
        Declarer, -1 where all passed for a new deal, the points to make, and what each seat has
        told at the end; modified in place.
    """
    told = np.zeros(4, dtype=np.int64)
    bids = np.zeros(4, dtype=np.int64)
    for i in range(len(seats)):
        high, holder = bid_table(seats[i], auction, bidding, meanings, by_habit, habits, told, bids)
        if holder == NO_SEAT:
            holder = 3 if auction[AUCTION_DEALER_FORCED] else NO_SEAT
            high = auction[AUCTION_FORCED_BID] if auction[AUCTION_DEALER_FORCED] else 0
        ends[i, END_DECLARER] = holder
        ends[i, END_CONTRACT] = high
        for seat in range(4):
            ends[i, END_TOLD + seat] = told[seat]
