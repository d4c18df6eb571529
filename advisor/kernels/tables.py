"""Whole tables: four hands dealt from a counter-based stream, and their auctions bid out."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry
from advisor.kernels.bidding import (
    AUCTION_DEALER_FORCED,
    AUCTION_FORCED_BID,
    BY_RULE,
    N_BEFORE,
    NO_SEAT,
    TOLD_NOTHING,
    bid_on,
)
from advisor.kernels.deal import draw_hand, mix, rest_of, sample_state, stream_of
from advisor.kernels.packed import U0, complement, list_cards
from advisor.kernels.positions import drawn_noise

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


@entry
def bid_tables(seats: Array, auction: Array, bidding: Array, meanings: Array, ends: Array) -> None:
    """Bid whole auctions by the rules of both sides.

    Parameters
    ----------
    seats : int64 array, shape (n_tables, 4, 3)
        Limit, trump and marks of each hand, from the dealer's left.
    auction, bidding, meanings : int64 arrays
        As for `bidding.bid_out`.
    ends : int64 array, shape (n_tables, N_END)
        Declarer, -1 where all passed for a new deal, the points to make, and what each seat has
        told at the end; modified in place.
    """
    plan = np.full(4, BY_RULE, dtype=np.int64)
    start = np.zeros(N_BEFORE, dtype=np.int64)
    start[1] = NO_SEAT
    start[3:] = TOLD_NOTHING
    told = np.zeros(4, dtype=np.int64)
    no_trace = np.zeros((0, 3), dtype=np.int64)
    for i in range(len(seats)):
        high, holder, _ = bid_on(
            0, plan, seats[i], start, auction, bidding, meanings, told, no_trace
        )
        if holder == NO_SEAT:
            holder = 3 if auction[AUCTION_DEALER_FORCED] else NO_SEAT
            high = auction[AUCTION_FORCED_BID] if auction[AUCTION_DEALER_FORCED] else 0
        ends[i, END_DECLARER] = holder
        ends[i, END_CONTRACT] = high
        for seat in range(4):
            ends[i, END_TOLD + seat] = told[seat]
