"""Bidding: what a hand would call, deals that fit the calls made, and the rest of an auction.

Every seat follows one rule. Its limit is what the hand is worth with an average partner
(`kernels.valuation`), plus what partner's calls have told, plus a draw for the judgement of
players, which differs. It bids the next step while that is within the limit. A jump or a pass with
help is made when the convention in force says that the hand shows so. Calls already made keep
only those deals in which the hidden seats, drawing included, would have called as they did.

Seats count from 0, the dealer's left, to 3, the dealer; amounts are points x10, and 0 is no bid.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.deal import deal_thirds, mix, sample_state, stream_of
from advisor.kernels.meldscore import meld_of, meld_tables
from advisor.kernels.packed import (
    ACES,
    JACK_OF_DIAMONDS,
    ONE_COPY,
    QUEEN_OF_SPADES,
    complement,
    list_cards,
)
from advisor.kernels.valuation import WEIGHT_UNITS, hand_value, value_tables

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
# Mere bids and passes are not read: reading them lost points (benchmarks/bidding_style.py).
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

# Columns of a convention's meanings; steps 0 is the pass with help.
(MEANING_STEPS, MEANING_SHOWS, MEANING_LEAST, MEANING_MOST, MEANING_WHEN) = range(5)
WHEN_ANY, WHEN_OPENING, WHEN_AFTER_PARTNER = range(3)
(
    SHOWS_MELD,
    SHOWS_VALUE,
    SHOWS_ACES,
    SHOWS_MISSING_SUITS,
    SHOWS_LEGS,
    SHOWS_RUNS,
    SHOWS_ACE_SUITS,
    SHOWS_HELPING_CARDS,
) = range(8)
N_SHOWS: Final = 8

# Columns of calls made and of plans.
CALL_SEAT, CALL_KIND, CALL_AMOUNT = range(3)
PASS, HELP, BID = range(3)
BY_RULE: Final = -1
PLAN_KIND, PLAN_AMOUNT, PLAN_CEILING, PLAN_OVER_PARTNER = range(4)

# Of `look_at`: limit, trump, and the meanings that a hand fits on either side.
FOUND_LIMIT, FOUND_TRUMP, FOUND_MARKS = range(3)
N_FOUND: Final = 4
NO_SEAT: Final = -1
_NOISE: Final = np.uint64(0x0D1F_FE4E_0C3A)
_ERRATIC_ONE_IN: Final = 1024


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
def _copies(hand: np.uint64, card: np.uint64) -> int:
    return np.int64(popcount(hand & (card * np.uint64(3))))


@helper
def quantity(hand: np.uint64, shows: int, best_meld: int, best_value: int) -> int:
    """Return the amount of what a call may show, by the ``SHOWS_`` numbers."""
    aces = np.int64(popcount(hand & (ACES * np.uint64(3))))
    if shows == SHOWS_MELD:
        return best_meld
    if shows == SHOWS_VALUE:
        return best_value
    if shows == SHOWS_ACES:
        return aces
    legs = _copies(hand, QUEEN_OF_SPADES) + _copies(hand, JACK_OF_DIAMONDS)
    if shows == SHOWS_LEGS:
        return legs
    if shows == SHOWS_ACE_SUITS:
        return np.int64(popcount(hand & ACES))
    missing = 0
    runs = 0
    fewest = 99
    for suit in range(4):
        held = np.int64(popcount((hand >> np.uint64(12 * suit)) & ONE_COPY & np.uint64(0x554)))
        if held == 0:
            missing += 1
        elif held == 5:
            runs += 1
        helping = held + aces
        helping -= np.int64(popcount((hand >> np.uint64(12 * suit + 10)) & np.uint64(3)))
        if suit == 0:
            helping += _copies(hand, JACK_OF_DIAMONDS)
        elif suit == 2:
            helping += _copies(hand, QUEEN_OF_SPADES)
        fewest = min(fewest, helping)
    if shows == SHOWS_MISSING_SUITS:
        return missing
    return runs if shows == SHOWS_RUNS else fewest


@helper
def look_at(
    hand: np.uint64, weights: Array, tables: Array, melds: Array, meanings: Array, out: Array
) -> None:
    """Write a hand's limit in its best trump, that trump, and which meanings it fits, by side."""
    limit = np.int64(-(1 << 40))
    best_meld = 0
    for trump in range(4):
        value = hand_value(hand, trump, weights, tables, melds)
        if value > limit:
            limit = value
            out[1] = trump
        if meanings.shape[1] > 0:
            best_meld = max(best_meld, meld_of(hand, np.uint64(trump), melds))
    limit = limit // WEIGHT_UNITS
    out[0] = limit
    for side in range(2):
        out[2 + side] = 0
        for i in range(meanings.shape[1]):
            row = meanings[side, i]
            amount = quantity(hand, row[MEANING_SHOWS], best_meld, limit)
            if row[MEANING_LEAST] <= amount <= row[MEANING_MOST]:
                out[2 + side] |= 1 << i


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
def would_call(
    seat: int,
    kind: int,
    amount: int,
    limit: int,
    marks: int,
    high: int,
    holder: int,
    passed: int,
    told: Array,
    auction: Array,
    bidding: Array,
    meanings: Array,
) -> bool:
    """Return whether a seat with that limit would have made the call.

    A jump to which the convention gives no meaning asks for a limit that reaches it; a pass with
    help that has none is a pass.
    """
    own_kind, own_amount = decide(
        seat, limit, marks, high, holder, passed, told, auction, bidding, meanings
    )
    if kind != BID:
        if own_kind == BID:
            return False
        means_help = False
        for row in range(len(meanings)):
            means_help = means_help or meanings[row, MEANING_STEPS] == 0
        return bool(own_kind == kind or not means_help)
    if own_kind != BID:
        return False
    jumps = amount > step_up(high, auction)
    if jumps and told_by(seat, kind, amount, high, passed, told, auction, meanings) < TOLD_JUMP:
        reading = bidding[BID_READINGS + told[(seat + 2) & 3]]
        need = needed_limit(seat, amount, high, holder, passed, auction, bidding)
        return bool(limit + reading >= need)
    return bool(own_amount == amount)


@entry
def look_at_hands(hands: Array, rules: Array, meanings: Array, weights: Array, out: Array) -> None:
    """Write what each hand may call.

    Parameters
    ----------
    hands : uint64 array, shape (n_hands,)
    rules : int64 array
    meanings : int64 array, shape (2, n_meanings, 5)
    weights : int64 array, shape (N_WEIGHTS,)
    out : int64 array, shape (n_hands, N_FOUND)
        ``FOUND_LIMIT`` in points, ``FOUND_TRUMP``, and from ``FOUND_MARKS`` on a bit for each
        meaning of either side; modified in place.
    """
    melds = meld_tables(rules)
    tables = value_tables(weights, melds)
    for i in range(len(hands)):
        look_at(hands[i], weights, tables, melds, meanings, out[i])


@entry
def deal_positions(
    hand: np.uint64,
    seed: np.uint64,
    first: int,
    n_samples: int,
    our_seat: int,
    calls: Array,
    infer: bool,
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
        Limit (draw included), best trump and marks of each hand, in the order of `deals`.
    """
    melds = meld_tables(rules)
    tables = value_tables(weights, melds)
    unseen = np.empty(48, dtype=np.uint64)
    pack = np.empty(48, dtype=np.uint64)
    thirds = np.empty(3, dtype=np.uint64)
    found = np.zeros((4, N_FOUND), dtype=np.int64)
    told = np.full(4, TOLD_NOTHING, dtype=np.int64)
    erratic = np.zeros(4, dtype=np.bool_)
    n_unseen = list_cards(complement(hand), unseen)
    stream = stream_of(seed, hand)
    look_at(hand, weights, tables, melds, meanings, found[3])
    kept = 0
    for i in range(n_samples):
        state = sample_state(stream, np.uint64(first + i))
        deal_thirds(state, unseen, n_unseen, pack, thirds)
        for third in range(3):
            look_at(thirds[third], weights, tables, melds, meanings, found[third])
        for turn in range(3):
            for place in range(4):
                # Left of us sits the hand after partner's, as in `deal_rounds`.
                third = (turn + 2) % 3 if place == 1 else (turn if place == 2 else (turn + 1) % 3)
                side = (our_seat + place) & 1
                draw, chance = drawn_noise(state, turn, place, bidding[side, BID_NOISE])
                if place == 0:
                    third = 3
                seats[kept, place, 0] = found[third, 0] + draw + bidding[side, BID_OFFSET]
                seats[kept, place, 1] = found[third, 1]
                seats[kept, place, 2] = found[third, 2 + side]
                erratic[(our_seat + place) & 3] = chance < bidding[side, BID_ERRATIC]
            fits = True
            if infer:
                told[:] = TOLD_NOTHING
                high = 0
                holder = NO_SEAT
                passed = 0
                for j in range(len(calls)):
                    seat = calls[j, CALL_SEAT]
                    kind = calls[j, CALL_KIND]
                    amount = calls[j, CALL_AMOUNT]
                    place = (seat - our_seat) & 3
                    if place != 0 and not erratic[seat]:
                        fits = would_call(
                            seat, kind, amount, seats[kept, place, 0], seats[kept, place, 2],
                            high, holder, passed, told, auction, bidding[seat & 1],
                            meanings[seat & 1],
                        )  # fmt: skip
                        if not fits:
                            break
                    told[seat] = told_by(
                        seat, kind, amount, high, passed, told, auction, meanings[seat & 1]
                    )
                    if kind == BID:
                        high = amount
                        holder = seat
                    else:
                        passed |= 1 << seat
            if not fits:
                continue
            deals[kept, 0] = hand
            deals[kept, 1] = thirds[(turn + 2) % 3]
            deals[kept, 2] = thirds[turn]
            deals[kept, 3] = thirds[(turn + 1) % 3]
            states[kept] = state
            turns[kept] = np.uint64(turn)
            kept += 1
    return kept


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
    start_told = np.full(4, TOLD_NOTHING, dtype=np.int64)
    told = np.zeros(4, dtype=np.int64)
    start_high = 0
    start_holder = NO_SEAT
    start_passed = 0
    for j in range(len(calls)):
        seat = calls[j, CALL_SEAT]
        start_told[seat] = told_by(
            seat, calls[j, CALL_KIND], calls[j, CALL_AMOUNT], start_high, start_passed,
            start_told, auction, meanings[seat & 1],
        )  # fmt: skip
        if calls[j, CALL_KIND] == BID:
            start_high = calls[j, CALL_AMOUNT]
            start_holder = seat
        else:
            start_passed |= 1 << seat
    for i in range(len(seats)):
        for plan in range(len(plans)):
            high = start_high
            holder = start_holder
            passed = start_passed
            for seat in range(4):
                told[seat] = start_told[seat]
            seat = our_seat
            first = True
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
                if place != 0 or plans[plan, PLAN_KIND] == BY_RULE:
                    kind, amount = decide(
                        seat, seats[i, place, 0], seats[i, place, 2], high, holder, passed, told,
                        auction, bidding[seat & 1], meanings[seat & 1],
                    )  # fmt: skip
                elif first:
                    kind = plans[plan, PLAN_KIND]
                    amount = plans[plan, PLAN_AMOUNT]
                    first = False
                else:
                    above = step_up(high, auction)
                    over = plans[plan, PLAN_OVER_PARTNER] != 0 or holder != (seat + 2) & 3
                    if above <= plans[plan, PLAN_CEILING] and over:
                        kind = BID
                        amount = above
                told[seat] = told_by(
                    seat, kind, amount, high, passed, told, auction, meanings[seat & 1]
                )
                if kind == BID:
                    high = amount
                    holder = seat
                else:
                    passed |= 1 << seat
                seat = (seat + 1) & 3
            if holder == NO_SEAT:
                declarers[i, plan] = (3 - our_seat) & 3 if auction[AUCTION_DEALER_FORCED] else -1
                contracts[i, plan] = auction[AUCTION_FORCED_BID]
            else:
                declarers[i, plan] = (holder - our_seat) & 3
                contracts[i, plan] = high
