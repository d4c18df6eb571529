"""Deals that fit the calls made so far: hidden hands that would have called so are kept."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper
from advisor.kernels.bidding import (
    BID_ERRATIC,
    BID_NOISE,
    BID_OFFSET,
    CALL_AMOUNT,
    CALL_KIND,
    CALL_SEAT,
    LEAST_LIMIT,
    MOST_LIMIT,
    N_BEFORE,
    limits_of_callers,
    replay,
)
from advisor.kernels.deal import draw_hand, mix, rest_of, sample_state, stream_of
from advisor.kernels.meldscore import meld_tables
from advisor.kernels.packed import complement, list_cards
from advisor.kernels.signals import FOUND_LIMIT, FOUND_MARKS, FOUND_TRUMP, N_FOUND, look_at
from advisor.kernels.valuation import value_tables

Array = np.ndarray[Any, Any]

NEVER, BY_THE_RULE, ERRATIC = range(3)
# Beside the marks: the hand would have made its calls by the rule.
EXPLAINED: Final = 1 << 16
_NOISE: Final = np.uint64(0x0D1F_FE4E_0C3A)


@helper
def drawn_noise(state: np.uint64, turn: int, seat: int, spread: int) -> tuple[int, int]:
    """Return a draw around 0 with the given standard deviation, and a number below 1024."""
    word = mix(state ^ (_NOISE + np.uint64(4 * turn + seat)))
    # Twelve bits each: the sum of four has a standard deviation of 4096 / sqrt(3).
    total = np.int64(word & np.uint64(0xFFF)) + np.int64((word >> np.uint64(12)) & np.uint64(0xFFF))
    total += np.int64((word >> np.uint64(24)) & np.uint64(0xFFF))
    total += np.int64((word >> np.uint64(36)) & np.uint64(0xFFF))
    draw = (total - 8190) * spread * 1000 // 2364827
    return draw, np.int64(word >> np.uint64(54))


@helper
def place_of(third: int, turn: int) -> int:
    """Return where a hidden hand sits in a rotation, as `rounds.deal_rounds` has it."""
    if third == turn:
        return 2
    return 3 if third == (turn + 1) % 3 else 1


@helper
def callers(
    our_seat: int, calls: Array, before: Array, auction: Array, bidding: Array, meanings: Array
) -> Array:
    """Return the limits with which each place would have made all the calls made there.

    Shape (4, n_marks, 2), int64: by place and by the marks of a hand, from the one up to below the
    other.
    """
    n_marks = 1 << meanings.shape[1]
    limits = np.empty((4, n_marks, 2), dtype=np.int64)
    for place in range(4):
        seat = (our_seat + place) & 3
        for marks in range(n_marks):
            least, above = np.int64(LEAST_LIMIT), np.int64(MOST_LIMIT)
            for j in range(len(calls)):
                if calls[j, CALL_SEAT] == seat:
                    low, high = limits_of_callers(
                        seat, calls[j, CALL_KIND], calls[j, CALL_AMOUNT], marks, before[j, 0],
                        before[j, 1], before[j, 2], before[j, 3:], auction, bidding[seat & 1],
                        meanings[seat & 1],
                    )  # fmt: skip
                    least, above = max(least, low), min(above, high)
            limits[place, marks, 0], limits[place, marks, 1] = least, above
    return limits


@helper
def has_called_so(
    state: np.uint64, turn: int, place: int, side: int, found: Array, limits: Array, bidding: Array
) -> int:
    """Return whether a hand in a place would have made all the calls that were made there.

    `ERRATIC` says that it would only as one of a player who bids by other lights.
    """
    draw, chance = drawn_noise(state, turn, place, bidding[side, BID_NOISE])
    limit = found[FOUND_LIMIT] + draw + bidding[side, BID_OFFSET]
    marks = found[FOUND_MARKS + side]
    if limits[place, marks, 0] <= limit < limits[place, marks, 1]:
        return BY_THE_RULE
    return ERRATIC if chance < bidding[side, BID_ERRATIC] else NEVER


@entry
def deal_positions(
    hand: np.uint64,
    seed: np.uint64,
    first: int,
    n_samples: int,
    our_seat: int,
    calls: Array,
    infer: bool,
    ignored: int,
    rules: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
    weights: Array,
    deals: Array,
    states: Array,
    turns: Array,
    seats: Array,
) -> int:
    """Deal samples three times over and keep those that fit the calls; return how many are kept.

    Parameters
    ----------
    hand : uint64
        Our twelve cards, packed.
    seed : uint64
    first, n_samples : int
        Samples to deal.
    our_seat : int
        0 to 3.
    calls : int64 array, shape (n_calls, 3)
        Seat, kind and amount of each call so far.
    infer : bool
        Whether the calls count; else every deal is kept.
    ignored : int
        Seats whose calls do not count, as bits.
    rules, auction : int64 arrays
    bidding : int64 array, shape (2, N_BIDDING)
        Of the sides of seats 0 and 2 and of seats 1 and 3; so too the meanings.
    meanings : int64 array, shape (2, n_meanings, 5)
        Rows without a meaning have steps -1.
    weights : int64 array, shape (N_WEIGHTS,)
        The quick valuation.
    deals : uint64 array, shape (3 * n_samples, 4)
        Hands kept, ours first, then clockwise; modified in place, like the others.
    states, turns : uint64 arrays, shape (3 * n_samples,)
    seats : int64 array, shape (3 * n_samples, 4, 3)
        Limit (draw included), best trump and marks of each hand, in the order of `deals`; to the
        marks `EXPLAINED` is added.
    """
    melds = meld_tables(rules)
    tables = value_tables(weights, melds)
    n_calls = len(calls)
    before = np.zeros((n_calls, N_BEFORE), dtype=np.int64)
    replay(calls, auction, meanings, before)
    limits = callers(our_seat, calls, before, auction, bidding, meanings)
    unseen = np.empty(48, dtype=np.uint64)
    pack = np.empty(48, dtype=np.uint64)
    thirds = np.empty(3, dtype=np.uint64)
    found = np.zeros((4, N_FOUND), dtype=np.int64)
    fits = np.zeros(3, dtype=np.bool_)
    explained = np.zeros((3, 4), dtype=np.bool_)
    n_unseen = list_cards(complement(hand), unseen)
    size = n_unseen // 3
    stream = stream_of(seed, hand)
    values = np.empty(4, dtype=np.int64)
    look_at(hand, weights, tables, melds, meanings, values, found[3])
    kept = 0
    for i in range(n_samples):
        state = sample_state(stream, np.uint64(first + i))
        for j in range(n_unseen):
            pack[j] = unseen[j]
        fits[:] = True
        explained[:] = True
        drawing = state
        bits = np.uint64(0)
        # A hand that would not have called so in any of the three places ends the sample: the
        # rest of the cards need not be dealt.
        for third in range(3):
            if third < 2:
                thirds[third], drawing, bits = draw_hand(
                    drawing, bits, pack, third * size, size, n_unseen
                )
            else:
                thirds[third] = rest_of(pack, third * size, n_unseen)
            look_at(thirds[third], weights, tables, melds, meanings, values, found[third])
            if not infer:
                continue
            for turn in range(3):
                place = place_of(third, turn)
                seat = (our_seat + place) & 3
                if (ignored >> seat) & 1:
                    explained[turn, third] = False
                elif fits[turn]:
                    called = has_called_so(
                        state, turn, place, seat & 1, found[third], limits, bidding
                    )
                    fits[turn] = called != NEVER
                    explained[turn, third] = called == BY_THE_RULE
            if not (fits[0] or fits[1] or fits[2]):
                break
        for turn in range(3):
            if not fits[turn]:
                continue
            for third in range(4):
                place = place_of(third, turn) if third < 3 else 0
                side = (our_seat + place) & 1
                draw = drawn_noise(state, turn, place, bidding[side, BID_NOISE])[0]
                limit = found[third, FOUND_LIMIT] + draw + bidding[side, BID_OFFSET]
                seats[kept, place, FOUND_LIMIT] = limit
                seats[kept, place, FOUND_TRUMP] = found[third, FOUND_TRUMP]
                seats[kept, place, FOUND_MARKS] = found[third, FOUND_MARKS + side]
                if explained[turn, third]:
                    seats[kept, place, FOUND_MARKS] |= EXPLAINED
                deals[kept, place] = hand if third == 3 else thirds[third]
            states[kept] = state
            turns[kept] = np.uint64(turn)
            kept += 1
    return kept
