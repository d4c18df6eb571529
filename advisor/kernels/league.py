"""Auctions between rules of bidding: a limit for each hand, and how each side bids.

A seat bids the next step while its limit reaches it. Habits move the limit with the situation, or
set it aside, as `advisor.rules_of_bidding` describes. Nobody jumps, but for a first bid that a rule
makes at a fixed amount. Seats count from 0, the dealer's left, to 3, the dealer.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.bidding import (
    AUCTION_DEALER_FORCED,
    AUCTION_FORCED_BID,
    AUCTION_JUMP_STEPS,
    AUCTION_MINIMUM,
    AUCTION_OPENING_STEPS,
    BID,
    CALL_AMOUNT,
    CALL_KIND,
    CALL_SEAT,
    NO_SEAT,
    PASS,
    bid_after,
    is_forced,
    step_up,
    steps_between,
)

Array = np.ndarray[Any, Any]

# A situation: what partner has done, which opponents are in, which of them have bid.
PARTNER_WAITS, PARTNER_PASSED, PARTNER_WENT, PARTNER_BIDS, PARTNER_HOLDS = range(5)
N_OPPONENTS: Final = 3
N_SITUATIONS: Final = 5 * N_OPPONENTS * N_OPPONENTS
(
    HABIT_OPENING,
    HABIT_THIRD_OPENS,
    HABIT_ANSWER,
    HABIT_PARTNER_FLOOR,
    HABIT_PARTNER_BIDS,
    HABIT_PARTNER_BID_ADDS,
    HABIT_OVER_PARTNER,
    HABIT_PARTNER_ALONE,
    HABIT_FIRST_BID,
    HABIT_ADDS,
) = range(10)
N_HABITS: Final = HABIT_ADDS + N_SITUATIONS
# Columns of a seat's look.
LOOK_LIMIT, LOOK_TRUMP = range(2)


@helper
def situation_of(seat: int, holder: int, passed: int, bids: Array) -> int:
    """Return the situation in which a seat is to call.

    Parameters
    ----------
    seat, holder : int
        Holder of the high bid, `NO_SEAT` if none.
    passed : int
        Seats that are out, as bits.
    bids : int64 array, shape (4,)
        Bids that each seat has made.
    """
    partner = (seat + 2) & 3
    out = (passed >> partner) & 1
    if holder == partner:
        state = PARTNER_HOLDS
    elif bids[partner] > 0:
        state = PARTNER_WENT if out else PARTNER_BIDS
    else:
        state = PARTNER_PASSED if out else PARTNER_WAITS
    still_in = 0
    have_bid = 0
    for opponent in ((seat + 1) & 3, (seat + 3) & 3):
        still_in += 1 - ((passed >> opponent) & 1)
        have_bid += 1 if bids[opponent] > 0 else 0
    return np.int64((state * N_OPPONENTS + still_in) * N_OPPONENTS + have_bid)


@helper
def wants(
    seat: int,
    limit: int,
    amount: int,
    high: int,
    holder: int,
    passed: int,
    bids: Array,
    auction: Array,
    habits: Array,
) -> bool:
    """Return whether a seat bids the next step."""
    partner = (seat + 2) & 3
    opponents = (1 << ((seat + 1) & 3)) | (1 << ((seat + 3) & 3))
    if is_forced(seat, high, passed, auction):
        return True
    if bids[partner] >= habits[HABIT_PARTNER_BIDS]:
        return False
    if high == 0:
        if seat == 2 and passed & 3 == 3 and habits[HABIT_THIRD_OPENS]:
            return True
        if limit < habits[HABIT_OPENING]:
            return False
    if bids[partner] > 0:
        limit = max(limit, habits[HABIT_PARTNER_FLOOR]) + habits[HABIT_PARTNER_BID_ADDS]
    need = amount
    if holder == partner:
        need += habits[HABIT_OVER_PARTNER]
        if passed & opponents == opponents:
            need += habits[HABIT_PARTNER_ALONE]
    limit += habits[HABIT_ADDS + situation_of(seat, holder, passed, bids)]
    if limit >= need:
        return True
    answers = high == auction[AUCTION_MINIMUM] and holder != partner and bids.sum() == 1
    return bool(answers and limit >= habits[HABIT_ANSWER])


@helper
def call_by_habit(
    seat: int,
    limit: int,
    high: int,
    holder: int,
    passed: int,
    bids: Array,
    auction: Array,
    habits: Array,
) -> tuple[int, int]:
    """Return a seat's call: its kind and amount."""
    limit = np.int64(limit)
    amount = step_up(high, auction)
    if not wants(seat, limit, amount, high, holder, passed, bids, auction, habits):
        return PASS, np.int64(0)
    first = bids[seat] == 0 and bids[(seat + 2) & 3] == 0
    if first and habits[HABIT_FIRST_BID] > amount:
        most = auction[AUCTION_OPENING_STEPS if high == 0 else AUCTION_JUMP_STEPS]
        steps = steps_between(high, habits[HABIT_FIRST_BID], auction)
        amount = bid_after(high, min(steps, most), auction)
    return BID, amount


@helper
def bid_at_table(looks: Array, habits: Array, auction: Array, trace: Array) -> tuple[int, int, int]:
    """Bid one auction; return the high bid, its seat, and the number of calls."""
    bids = np.zeros(4, dtype=np.int64)
    high = np.int64(0)
    holder = np.int64(NO_SEAT)
    passed = np.int64(0)
    seat = np.int64(0)
    n_calls = 0
    while True:
        waiting = 4 - np.int64(popcount(np.uint64(passed)))
        if waiting == 0 or (waiting == 1 and holder != NO_SEAT):
            break
        if (passed >> seat) & 1 or seat == holder:
            seat = (seat + 1) & 3
            continue
        kind, amount = call_by_habit(
            seat, looks[seat, LOOK_LIMIT], high, holder, passed, bids, auction, habits[seat & 1]
        )
        if kind == BID:
            high = amount
            holder = seat
            bids[seat] += 1
        else:
            passed |= 1 << seat
        if n_calls < len(trace):
            trace[n_calls, CALL_SEAT] = seat
            trace[n_calls, CALL_KIND] = kind
            trace[n_calls, CALL_AMOUNT] = amount
        n_calls += 1
        seat = (seat + 1) & 3
    return high, holder, n_calls


@entry
def bid_at_tables(
    looks: Array,
    habits: Array,
    auction: Array,
    declarers: Array,
    contracts: Array,
    calls: Array,
    lengths: Array,
) -> None:
    """Bid whole auctions and write who declares at what, and the calls.

    Parameters
    ----------
    looks : int64 array, shape (n_deals, 4, 2)
        ``LOOK_LIMIT``, ``LOOK_TRUMP``, from the dealer's left.
    habits : int64 array, shape (2, N_HABITS)
        Of seats 0 and 2, and of seats 1 and 3.
    auction : int64 array
        From `bidding.auction_array`.
    declarers, contracts, lengths : int64 arrays, shape (n_deals,)
        Declarer -1 and contract 0 if all pass for a new deal; number of calls. Modified in place.
    calls : int64 array, shape (n_deals, most_calls, 3)
        Seat, kind and amount, as far as there is room; modified in place.
    """
    for i in range(len(looks)):
        high, holder, lengths[i] = bid_at_table(looks[i], habits, auction, calls[i])
        if holder != NO_SEAT:
            declarers[i] = holder
            contracts[i] = high
        elif auction[AUCTION_DEALER_FORCED]:
            declarers[i] = 3
            contracts[i] = auction[AUCTION_FORCED_BID]
        else:
            declarers[i] = -1
            contracts[i] = 0


# Of one deal in one direction: points of both rules, who declared, the contract, whether made.
RECORD_A, RECORD_B, RECORD_DECLARED, RECORD_CONTRACT, RECORD_MADE = range(5)
N_RECORD: Final = 5
NOBODY, BY_A, BY_B = range(3)
# Two games run side by side on the same deals: points of both rules in each, and who has won it.
GAME_A, GAME_B, GAME_WON = range(3)
N_GAME: Final = 3
# What is counted of finished games: such twins, games that the first rule has won of them, and the
# squares of that.
TWINS, TWINS_WON, TWINS_SQUARES = range(3)


@entry
def play_games(
    records: Array, first: int, target: int, highest: bool, running: Array, counts: Array
) -> None:
    """Play games from deal to deal, two at a time with the rules' seats exchanged.

    The deal rotates: from each deal to the next, the rules change between the seats of the
    dealer's side and the other. When both games are over, two new ones begin.

    Parameters
    ----------
    records : int16 array, shape (n_deals, 2, N_RECORD)
        In both directions.
    first : int
        Number of the first deal.
    target : int
        Points that win.
    highest : bool
        Whether the higher score wins where both sides are there, not the side that had the bid.
    running : int64 array, shape (2, N_GAME)
    counts : int64 array, shape (3,)
        ``TWINS``, ``TWINS_WON``, ``TWINS_SQUARES``; both modified in place.
    """
    for i in range(len(records)):
        for game in range(2):
            if running[game, GAME_WON] != NOBODY:
                continue
            record = records[i, (first + i + game) & 1]
            declared = np.int64(record[RECORD_DECLARED])
            if declared == NOBODY:
                continue
            running[game, GAME_A] += np.int64(record[RECORD_A])
            running[game, GAME_B] += np.int64(record[RECORD_B])
            a = running[game, GAME_A]
            b = running[game, GAME_B]
            if a >= target and b >= target:
                won = declared
                if highest and a != b:
                    won = BY_A if a > b else BY_B
                running[game, GAME_WON] = won
            elif a >= target:
                running[game, GAME_WON] = BY_A
            elif b >= target:
                running[game, GAME_WON] = BY_B
        if running[0, GAME_WON] != NOBODY and running[1, GAME_WON] != NOBODY:
            won = np.int64(running[0, GAME_WON] == BY_A) + np.int64(running[1, GAME_WON] == BY_A)
            counts[TWINS] += 1
            counts[TWINS_WON] += won
            counts[TWINS_SQUARES] += won * won
            running[:] = 0
