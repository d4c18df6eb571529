"""Twelve tricks by rule: the `policy` engine.

Every seat chooses from its own cards, the cards played so far and the suits in which a seat has
failed to follow. Nothing hidden is read: `choose_lead` and `choose_follow` get no other hand.
The rules are those of players' lore for the single deck: declarer cashes bare aces and pulls trump,
defenders keep theirs and make him ruff, nobody wastes an ace or a counter.

Trump is suit 0. Seat 0 is declarer, seat 2 the partner, seats 1 and 3 defend.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper, popcount, trailing_zeros
from advisor.kernels.packed import (
    ACES,
    KINGS,
    NINES,
    NON_COUNTERS,
    ONE_COPY,
    RULE_FIRST_LEAD_TRUMP,
    RULE_HEADING,
    RULE_LAST_TRICK,
    RULE_RANK_POINTS,
    SUIT_MASK,
    TENS,
    U0,
    U1,
    U12,
    highest,
    lowest,
    remove,
    suit_of_bit,
    swap_trump,
    unseen_by,
)
from advisor.kernels.tricks import legal_cards, voids_after, winners_over

Array = np.ndarray[Any, Any]

SIDE = ONE_COPY & ~SUIT_MASK


@helper
def masters_of(held: np.uint64, unseen: np.uint64) -> np.uint64:
    """Return the held cards that no unseen card of their suit beats; the first of equals wins."""
    masters = U0
    for suit in range(4):
        shift = np.uint64(suit) * U12
        own = (held >> shift) & SUIT_MASK
        others = (unseen >> shift) & SUIT_MASK
        if others:
            own &= ~(highest(others) - U1)
        masters |= own << shift
    return masters


@helper
def from_shortest(pool: np.uint64, hand: np.uint64) -> np.uint64:
    """Return the lowest card of a pool in the shortest side suit of the hand, else its lowest."""
    best = U0
    fewest = np.uint64(99)
    for suit in range(1, 4):
        mask = SUIT_MASK << (np.uint64(suit) * U12)
        if pool & mask:
            length = popcount(hand & mask)
            if length < fewest:
                fewest = length
                best = lowest(pool & mask)
    return best if best else lowest(pool)


@helper
def discard(cards: np.uint64, hand: np.uint64) -> np.uint64:
    """Return the least useful card: a low non-counter of the shortest side suit, else a counter."""
    pool = cards & NON_COUNTERS
    if pool == U0:
        pool = cards & KINGS
        if pool == U0:
            pool = cards & TENS
            if pool == U0:
                pool = cards
    return from_shortest(pool, hand)


@helper
def choose_lead(
    hand: np.uint64, seat: int, played: np.uint64, voids: np.uint64, trump_only: bool
) -> np.uint64:
    """Return the card a seat leads.

    Parameters
    ----------
    hand : uint64
        The seat's own cards.
    seat : int
    played : uint64
        All cards played so far, packed.
    voids : uint64
        Bit ``4 * seat + suit`` is set when that seat failed to follow the suit.
    trump_only : bool
        The house rule that the first lead must be trump.
    """
    held = hand & ONE_COPY
    unseen = unseen_by(hand, played)
    masters = masters_of(held, unseen)
    trumps = held & SUIT_MASK
    if trump_only and trumps:
        if masters & trumps:
            return highest(trumps)
        low = trumps & NON_COUNTERS
        return highest(low) if low else lowest(trumps)

    left = (seat + 1) & 3
    right = (seat + 3) & 3
    enemy_voids = (voids >> np.uint64(4 * left)) | (voids >> np.uint64(4 * right))
    both_out = (voids >> np.uint64(4 * left)) & (voids >> np.uint64(4 * right)) & U1
    enemy_trump = (unseen & SUIT_MASK) != U0 and both_out == U0

    safe = U0
    for suit in range(1, 4):
        mask = SUIT_MASK << (np.uint64(suit) * U12)
        if not enemy_trump or ((enemy_voids >> np.uint64(suit)) & U1) == U0:
            safe |= masters & mask

    if seat == 0:
        if enemy_trump and trumps:
            for suit in range(1, 4):
                mask = SUIT_MASK << (np.uint64(suit) * U12)
                own = hand & mask
                if own & safe & ACES and popcount(own) == U1:
                    return own
            if masters & trumps:
                return highest(trumps)
            low = trumps & NON_COUNTERS
            if low and popcount(hand & SUIT_MASK) > U1:
                return highest(low)
        if safe:
            return highest(safe)
        losers = held & SIDE
        if losers:
            return discard(losers, hand)
        return highest(trumps) if masters & trumps else lowest(trumps)

    if safe & ACES:
        return highest(safe & ACES)
    if seat == 2:
        low = trumps & NON_COUNTERS
        if enemy_trump and masters & trumps:
            return highest(trumps)
        if enemy_trump and low:
            return highest(low)
    if safe:
        return highest(safe)
    losers = held & SIDE
    if losers:
        if seat & 1:
            # Where declarer is void he must ruff, and runs short of trump.
            forcing = U0
            for suit in range(1, 4):
                if (voids >> np.uint64(suit)) & U1:
                    forcing |= losers & NON_COUNTERS & (SUIT_MASK << (np.uint64(suit) * U12))
            if forcing:
                return discard(forcing, hand)
        return discard(losers, hand)
    return highest(trumps) if masters & trumps else lowest(trumps)


@helper
def choose_follow(
    hand: np.uint64,
    seat: int,
    legal: np.uint64,
    lead_mask: np.uint64,
    best: np.uint64,
    best_seat: int,
    position: int,
    played: np.uint64,
    voids: np.uint64,
) -> np.uint64:
    """Return the card a seat plays to a trick in which `legal` are its legal cards.

    Parameters
    ----------
    hand : uint64
        The seat's own cards.
    seat, position : int
        Who plays, and as which of the trick (1, 2 or 3).
    legal, lead_mask, best : uint64
        Legal bits, the 12 bits of the suit led, the bit of the winning card.
    best_seat : int
        Who is winning.
    played, voids : uint64
        As for `choose_lead`; the cards of this trick are among those played.
    """
    if (legal & (legal - U1)) == U0:
        return legal
    winners = winners_over(best, lead_mask)
    winning = legal & winners
    low = winning & NON_COUNTERS
    partner_wins = best_seat == (seat ^ 2)
    if position == 3:
        partner_safe = partner_wins
        if winning and (winning == legal or not partner_wins):
            return lowest(low) if low else lowest(winning)
    else:
        if winning == U0 and not partner_wins:
            return discard(legal, hand)
        unseen = unseen_by(hand, played)
        led = suit_of_bit(lead_mask & ONE_COPY & NINES)
        next_void = (voids >> (np.uint64(4 * ((seat + 1) & 3)) + led)) & U1
        may_ruff = next_void != U0 and (unseen & SUIT_MASK) != U0 and lead_mask != SUIT_MASK
        partner_safe = partner_wins and (unseen & winners & lead_mask) == U0 and not may_ruff
        if winning and (winning == legal or not partner_safe):
            # Cards of the suit led that nothing unseen can beat.
            sure = U0
            if not may_ruff:
                sure = winning & lead_mask
                if unseen & lead_mask:
                    sure &= ~(highest(unseen & lead_mask) - U1)
            # In a plain suit a sure winner, even a counter, comes before a beatable card.
            if sure and lead_mask != SUIT_MASK:
                return lowest(sure)
            if low:
                return lowest(low)
            return lowest(sure) if sure else lowest(winning)
    if partner_safe:
        feed = legal & (KINGS | TENS)
        if feed:
            if seat == 2:
                return from_shortest(feed, hand)
            kings = feed & KINGS
            return lowest(kings) if kings else lowest(feed)
    return discard(legal & ~winning, hand)


@helper
def play_out(hands: Array, leader: int, rules: Array, trace: Array, lost: Array) -> tuple[int, int]:
    """Play all cards of four equal hands; return the points and tricks of seats 0 and 2.

    Parameters
    ----------
    hands : uint64 array, shape (4,)
        Packed, trump in suit 0; emptied in place.
    leader : int
        Who leads first.
    rules : int64 array
    trace : uint8 array, shape (48,)
        Card types in the order played, modified in place.
    lost : int64 array, shape (4,)
        Points that seats 1 and 3 won, added up by the suit led, modified in place.
    """
    heading = rules[RULE_HEADING]
    played = U0
    voids = U0
    points = 0
    tricks = 0
    n_tricks = np.int64(popcount(hands[0]))
    count = 0
    for trick in range(n_tricks):
        card = choose_lead(
            hands[leader],
            leader,
            played,
            voids,
            trick == 0 and rules[RULE_FIRST_LEAD_TRUMP] != 0,
        )
        lead_suit = suit_of_bit(card)
        lead_mask = SUIT_MASK << (lead_suit * U12)
        hands[leader] = remove(hands[leader], card)
        played = played | card | ((played & card) << U1)
        kind = np.int64(trailing_zeros(card)) >> 1
        trace[count] = kind
        count += 1
        value = rules[RULE_RANK_POINTS + kind % 6]
        best = card
        best_led = card
        best_seat = leader
        for position in range(1, 4):
            seat = (leader + position) & 3
            legal = legal_cards(hands[seat], lead_mask, best, best_led, heading)
            card = choose_follow(
                hands[seat], seat, legal, lead_mask, best, best_seat, position, played, voids
            )
            hands[seat] = remove(hands[seat], card)
            played = played | card | ((played & card) << U1)
            kind = np.int64(trailing_zeros(card)) >> 1
            trace[count] = kind
            count += 1
            value += rules[RULE_RANK_POINTS + kind % 6]
            best_led = max(best_led, card & lead_mask)
            voids = voids_after(voids, seat, card, lead_mask)
            if card & winners_over(best, lead_mask):
                best = card
                best_seat = seat
        if trick == n_tricks - 1:
            value += rules[RULE_LAST_TRICK]
        if best_seat & 1:
            lost[np.int64(lead_suit)] += value
        else:
            points += value
            tricks += 1
        leader = best_seat
    return points, tricks


@entry
def play_deals(
    deals: Array, trumps: Array, leaders: Array, rules: Array, out: Array, traces: Array
) -> None:
    """Play open deals by the policy, each seat seeing only its own cards.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
        Packed hands by seat, of equal size.
    trumps, leaders : int64 arrays, shape (n_deals,)
    rules : int64 array
    out : int64 array, shape (n_deals, 2)
        Points and tricks of seats 0 and 2, modified in place.
    traces : uint8 array, shape (n_deals, 48)
        Card types in the order played, modified in place.
    """
    hands = np.empty(4, dtype=np.uint64)
    lost = np.zeros(4, dtype=np.int64)
    for i in range(len(deals)):
        trump = np.uint64(trumps[i])
        n_cards = 0
        for seat in range(4):
            hands[seat] = swap_trump(deals[i, seat], trump)
            n_cards += np.int64(popcount(hands[seat]))
        points, tricks = play_out(hands, leaders[i], rules, traces[i], lost)
        out[i, 0] = points
        out[i, 1] = tricks
        for j in range(n_cards):
            kind = np.int64(traces[i, j])
            suit = kind // 6
            if suit == 0:
                traces[i, j] = trumps[i] * 6 + kind % 6
            elif suit == trumps[i]:
                traces[i, j] = kind % 6
