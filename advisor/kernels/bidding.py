"""Bidding: what a hand would call, and the rest of an auction.

Every seat follows one rule. Its limit is what the hand is worth with an average partner
(`kernels.valuation`), plus what partner's calls have told, plus a draw for the judgement of
players, which differs. It bids the next step while that is within the limit. A jump or a pass with
help is made when the convention in force says that the hand shows so.

Seats count from 0, the dealer's left, to 3, the dealer; amounts are points x10, and 0 is no bid.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.signals import (
    FOUND_LIMIT,
    FOUND_MARKS,
    MEANING_STEPS,
    MEANING_WHEN,
    WHEN_ANY,
    WHEN_OPENING,
)

Array = np.ndarray[Any, Any]

# The rules of the auction. Steps are the highest number of them in one call.
(
    AUCTION_MINIMUM,
    AUCTION_STEP,
    AUCTION_CHANGE_AT,
    AUCTION_STEP_ABOVE,
    AUCTION_OPENING_STEPS,
    AUCTION_JUMP_STEPS,
    AUCTION_HELP,
    AUCTION_DEALER_FORCED,
    AUCTION_FORCED_BID,
) = range(9)
N_AUCTION: Final = 9

# What calls tell partner: an index of the readings, points x10 that partner's limit rises by.
# Mere bids and passes are not read: a limit that moves with what they tell on average lost points.
TOLD_NOTHING, TOLD_HELP, TOLD_BID, TOLD_JUMP = range(4)
MOST_MEANINGS: Final = 8
# How seats bid: the first numbers of the bidding array; the readings follow.
(
    BID_OFFSET,
    BID_NOISE,
    BID_ERRATIC,
    BID_OVER_PARTNER,
    BID_PARTNER_ALONE,
    BID_THIRD_SEAT,
    BID_READINGS,
) = range(7)
N_BIDDING: Final = BID_READINGS + TOLD_JUMP + MOST_MEANINGS

# Columns of calls made and of plans.
CALL_SEAT, CALL_KIND, CALL_AMOUNT = range(3)
PASS, HELP, BID = range(3)
BY_RULE: Final = -1
PLAN_KIND, PLAN_AMOUNT, PLAN_CEILING, PLAN_OVER_PARTNER = range(4)

# Beyond any limit of a hand, and a pair between which none lies.
LEAST_LIMIT: Final = -(1 << 40)
MOST_LIMIT: Final = 1 << 40
NO_LIMIT: Final = (0, 0)

# Of `replay`: high bid, holder, passed, and what the four seats have told.
N_BEFORE: Final = 7
NO_SEAT: Final = -1


@helper
def step_up(amount: int, auction: Array) -> int:
    """Return the next legal bid above one, or above nothing."""
    if amount == 0:
        return np.int64(auction[AUCTION_MINIMUM])
    if auction[AUCTION_CHANGE_AT] > 0 and amount >= auction[AUCTION_CHANGE_AT]:
        return np.int64(amount + auction[AUCTION_STEP_ABOVE])
    return np.int64(amount + auction[AUCTION_STEP])


@helper
def bid_after(amount: int, steps: int, auction: Array) -> int:
    """Return the bid that many steps above one."""
    for _ in range(steps):
        amount = step_up(amount, auction)
    return amount


@helper
def steps_between(low: int, high: int, auction: Array) -> int:
    """Return how many steps lead from one bid to a higher one."""
    steps = 0
    while low < high:
        low = step_up(low, auction)
        steps += 1
    return steps


@helper
def needed_limit(
    seat: int, amount: int, high: int, holder: int, passed: int, auction: Array, bidding: Array
) -> int:
    """Return the limit at which a seat bids an amount in a position."""
    partner = (seat + 2) & 3
    opponents = (1 << ((seat + 1) & 3)) | (1 << ((seat + 3) & 3))
    need = amount
    if holder == partner:
        need += bidding[BID_OVER_PARTNER]
        if passed & opponents == opponents:
            need += bidding[BID_PARTNER_ALONE]
    if high == 0 and seat == 2 and auction[AUCTION_DEALER_FORCED] and passed & 3 == 3:
        need -= bidding[BID_THIRD_SEAT]
    return np.int64(need)


@helper
def may_jump(
    row: int, seat: int, high: int, passed: int, told: Array, auction: Array, meanings: Array
) -> bool:
    """Return whether a jump of the convention has a place: a first bid, partner still in."""
    partner = (seat + 2) & 3
    steps = meanings[row, MEANING_STEPS]
    most = auction[AUCTION_OPENING_STEPS] if high == 0 else auction[AUCTION_JUMP_STEPS]
    if steps < 2 or steps > most or told[seat] >= TOLD_BID or passed & (1 << partner):
        return False
    when = meanings[row, MEANING_WHEN]
    if when == WHEN_OPENING:
        return bool(high == 0)
    return bool(when == WHEN_ANY or told[partner] >= TOLD_BID)


@helper
def is_forced(seat: int, high: int, passed: int, auction: Array) -> bool:
    """Return whether a dealer has the hand at the minimum whatever he calls."""
    forced = auction[AUCTION_DEALER_FORCED] != 0
    forced = forced and auction[AUCTION_FORCED_BID] == auction[AUCTION_MINIMUM]
    return bool(forced and high == 0 and seat == 3 and passed & 7 == 7)


@helper
def told_by(
    seat: int,
    kind: int,
    amount: int,
    high: int,
    passed: int,
    told: Array,
    auction: Array,
    meanings: Array,
) -> int:
    """Return what a seat has told once it makes a call.

    A jump tells the first meaning of its steps; a bid, and help, tell more than a later pass.
    """
    before = np.int64(told[seat])
    if kind == BID:
        steps = steps_between(high, amount, auction)
        for row in range(len(meanings) if steps > 1 else 0):
            if meanings[row, MEANING_STEPS] == steps and may_jump(
                row, seat, high, passed, told, auction, meanings
            ):
                return np.int64(TOLD_JUMP + row)
        return max(before, np.int64(TOLD_BID))
    return max(before, np.int64(TOLD_HELP)) if kind == HELP else before


@helper
def decide(
    seat: int,
    limit: int,
    marks: int,
    high: int,
    holder: int,
    passed: int,
    told: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
) -> tuple[int, int]:
    """Return a seat's call: its kind and amount."""
    limit += bidding[BID_READINGS + told[(seat + 2) & 3]]
    amount = step_up(high, auction)
    need = needed_limit(seat, amount, high, holder, passed, auction, bidding)
    if limit >= need or is_forced(seat, high, passed, auction):
        steps = np.int64(1)
        for row in range(len(meanings)):
            if (marks >> row) & 1 and may_jump(row, seat, high, passed, told, auction, meanings):
                steps = max(steps, meanings[row, MEANING_STEPS])
        return BID, bid_after(high, steps, auction)
    for row in range(len(meanings)):
        if meanings[row, MEANING_STEPS] == 0 and (marks >> row) & 1 and auction[AUCTION_HELP]:
            return HELP, 0
    return PASS, 0


@helper
def limits_of_callers(
    seat: int,
    kind: int,
    amount: int,
    marks: int,
    high: int,
    holder: int,
    passed: int,
    told: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
) -> tuple[int, int]:
    """Return the limits with which a seat would have made the call: the least, and the first above.

    A jump to which the convention gives no meaning asks for a limit that reaches it; a pass with
    help that has none is a pass.
    """
    reading = bidding[BID_READINGS + told[(seat + 2) & 3]]
    next_bid = step_up(high, auction)
    bids_from = needed_limit(seat, next_bid, high, holder, passed, auction, bidding) - reading
    if is_forced(seat, high, passed, auction):
        bids_from = np.int64(LEAST_LIMIT)
    own_kind, own_amount = decide(
        seat, bids_from - (kind != BID), marks, high, holder, passed, told, auction, bidding,
        meanings,
    )  # fmt: skip
    if kind != BID:
        means_help = False
        for row in range(len(meanings)):
            means_help = means_help or meanings[row, MEANING_STEPS] == 0
        if own_kind != BID and (own_kind == kind or not means_help):
            return np.int64(LEAST_LIMIT), bids_from
        return NO_LIMIT
    # What a seat has told by a first bid stays; a jump after it has no meaning of its own.
    tells = told_by(seat, kind, amount, high, passed, told, auction, meanings)
    means = tells >= TOLD_JUMP and told[seat] < TOLD_BID
    if amount > next_bid and not means:
        need = needed_limit(seat, amount, high, holder, passed, auction, bidding)
        return max(bids_from, np.int64(need - reading)), np.int64(MOST_LIMIT)
    return (bids_from, np.int64(MOST_LIMIT)) if own_amount == amount else NO_LIMIT


@helper
def replay(calls: Array, auction: Array, meanings: Array, before: Array) -> None:
    """Write the position before each call.

    Parameters
    ----------
    calls : int64 array, shape (n_calls, 3)
    auction, meanings : int64 arrays
    before : int64 array, shape (n_calls, N_BEFORE)
        High bid, its seat, the seats that have passed as bits, and what each seat has told;
        modified in place.
    """
    told = np.full(4, TOLD_NOTHING, dtype=np.int64)
    high = 0
    holder = NO_SEAT
    passed = 0
    for j in range(len(calls)):
        before[j, 0] = high
        before[j, 1] = holder
        before[j, 2] = passed
        for i in range(4):
            before[j, 3 + i] = told[i]
        seat = calls[j, CALL_SEAT]
        kind = calls[j, CALL_KIND]
        amount = calls[j, CALL_AMOUNT]
        told[seat] = told_by(seat, kind, amount, high, passed, told, auction, meanings[seat & 1])
        if kind == BID:
            high = amount
            holder = seat
        else:
            passed |= 1 << seat


@helper
def bid_on(
    our_seat: int,
    plan: Array,
    looks: Array,
    start: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
    told: Array,
    trace: Array,
) -> tuple[int, int, int]:
    """Finish one auction; return the high bid, its seat, and the number of calls.

    Parameters
    ----------
    our_seat : int
    plan : int64 array, shape (4,)
    looks : int64 array, shape (4, 3)
        Limit, trump and marks, ours first.
    start : int64 array, shape (N_BEFORE,)
        From `replay`.
    auction, bidding, meanings : int64 arrays
    told : int64 array, shape (4,)
        What each seat has told at the end; modified in place.
    trace : int64 array, shape (most_calls, 3)
        Seat, kind and amount of each call, as far as there is room; modified in place.
    """
    for i in range(4):
        told[i] = start[3 + i]
    high = start[0]
    holder = start[1]
    passed = start[2]
    seat = our_seat
    first = True
    n_calls = 0
    while True:
        waiting = 4 - np.int64(popcount(np.uint64(passed)))
        if waiting == 0 or (waiting == 1 and holder != NO_SEAT):
            break
        if (passed >> seat) & 1 or seat == holder:
            seat = (seat + 1) & 3
            continue
        place = (seat - our_seat) & 3
        kind = PASS
        amount = 0
        if place != 0 or plan[PLAN_KIND] == BY_RULE:
            kind, amount = decide(
                seat, looks[place, FOUND_LIMIT], looks[place, FOUND_MARKS], high, holder, passed,
                told, auction, bidding[seat & 1], meanings[seat & 1],
            )  # fmt: skip
        elif first:
            kind = plan[PLAN_KIND]
            amount = plan[PLAN_AMOUNT]
            first = False
        else:
            above = step_up(high, auction)
            over = plan[PLAN_OVER_PARTNER] != 0 or holder != (seat + 2) & 3
            if above <= plan[PLAN_CEILING] and over:
                kind = BID
                amount = above
        told[seat] = told_by(seat, kind, amount, high, passed, told, auction, meanings[seat & 1])
        if n_calls < len(trace):
            trace[n_calls, CALL_SEAT] = seat
            trace[n_calls, CALL_KIND] = kind
            trace[n_calls, CALL_AMOUNT] = amount
        n_calls += 1
        if kind == BID:
            high = amount
            holder = seat
        else:
            passed |= 1 << seat
        seat = (seat + 1) & 3
    return high, holder, n_calls


@entry
def bid_out(
    our_seat: int,
    calls: Array,
    plans: Array,
    seats: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
    declarers: Array,
    contracts: Array,
) -> None:
    """Finish an auction at each deal under each plan of ours.

    A plan is the next call and, from then on, to bid the next step up to a ceiling; over partner
    only if the plan says so. Under a plan of kind `BY_RULE` our seat bids like the others.

    Parameters
    ----------
    our_seat : int
        0 to 3; it is our turn after `calls`.
    calls : int64 array, shape (n_calls, 3)
    plans : int64 array, shape (n_plans, 4)
        ``PLAN_KIND``, ``PLAN_AMOUNT``, ``PLAN_CEILING``, ``PLAN_OVER_PARTNER``.
    seats : int64 array, shape (n_rounds, 4, 3)
        From `deal_positions`, ours first.
    auction, bidding, meanings : int64 arrays
        As for `deal_positions`.
    declarers : int8 array, shape (n_rounds, n_plans)
        Place of the declarer, 0 for us, then clockwise; -1 if all pass for a new deal.
    contracts : int16 array, shape (n_rounds, n_plans)
        Points to make. Both modified in place.
    """
    # One more row than calls, for the position after the last.
    n_calls = len(calls)
    so_far = np.zeros((n_calls + 1, 3), dtype=np.int64)
    for i in range(n_calls):
        for column in range(3):
            so_far[i, column] = calls[i, column]
    so_far[n_calls, CALL_SEAT] = our_seat
    before = np.zeros((n_calls + 1, N_BEFORE), dtype=np.int64)
    replay(so_far, auction, meanings, before)
    no_trace = np.zeros((0, 3), dtype=np.int64)
    told = np.zeros(4, dtype=np.int64)
    for i in range(len(seats)):
        for plan in range(len(plans)):
            high, holder, _ = bid_on(
                our_seat, plans[plan], seats[i], before[n_calls], auction, bidding, meanings,
                told, no_trace,
            )  # fmt: skip
            if holder == NO_SEAT:
                declarers[i, plan] = (3 - our_seat) & 3 if auction[AUCTION_DEALER_FORCED] else -1
                contracts[i, plan] = auction[AUCTION_FORCED_BID]
            else:
                declarers[i, plan] = (holder - our_seat) & 3
                contracts[i, plan] = high


@entry
def trace_auctions(
    seats: Array, auction: Array, bidding: Array, meanings: Array, calls: Array, lengths: Array
) -> None:
    """Bid whole auctions by the rule and write their calls.

    Parameters
    ----------
    seats : int64 array, shape (n_deals, 4, 3)
        From the dealer's left.
    auction, bidding, meanings : int64 arrays
        As for `bid_out`.
    calls : int64 array, shape (n_deals, most_calls, 3)
        Seat, kind and amount, as far as there is room; modified in place, like the lengths.
    lengths : int64 array, shape (n_deals,)
    """
    plan = np.full(4, BY_RULE, dtype=np.int64)
    start = np.zeros(N_BEFORE, dtype=np.int64)
    start[1] = NO_SEAT
    start[3:] = TOLD_NOTHING
    told = np.zeros(4, dtype=np.int64)
    for i in range(len(seats)):
        lengths[i] = bid_on(0, plan, seats[i], start, auction, bidding, meanings, told, calls[i])[2]
