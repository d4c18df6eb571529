"""The exchange: partner sends cards knowing only trump and the own hand, declarer returns as many.

Both choices are linear rules whose weights travel in the policy array (names ``POLICY_``, tenths
of a point). The lore behind the defaults, and the measurements that chose between its variants,
stand in `advisor.policy`.

The sender ranks the own cards and sends the best. The returner searches all ways to give back,
C(16, 4) = 1,820 for four cards: kept meld plus the meld that the returned cards make by themselves
in partner's hand, less what the returned cards were worth in tricks, plus a bonus for a void.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper, popcount, trailing_zeros
from advisor.kernels.meldscore import meld_of, meld_tables
from advisor.kernels.packed import (
    ACES,
    JACK_OF_DIAMONDS,
    JACKS,
    KINGS,
    ONE_COPY,
    QUEEN_OF_SPADES,
    QUEENS,
    RULE_PASS_CARDS,
    SUIT_MASK,
    U0,
    U1,
    U2,
    U12,
    U24,
    U36,
    add,
    lowest,
    remove,
)

Array = np.ndarray[Any, Any]

# Sender's weights by rank (9 J Q K 10 A): first and second copy, trump and side suits.
POLICY_SEND_TRUMP = 0
POLICY_SEND_TRUMP_AGAIN = 6
POLICY_SEND_SIDE = 12
POLICY_SEND_SIDE_AGAIN = 18
# A pinochle leg when trump is the suit of its queen or jack; first copy and second copy.
POLICY_SEND_LEG = 24
POLICY_SEND_LEG_AGAIN = 25
# Off for each other card of the suit of a side ace, and for each meld that sending breaks.
POLICY_SEND_ACE_LENGTH = 26
POLICY_SEND_BREAK_ACES = 27
POLICY_SEND_BREAK_AROUND = 28
POLICY_SEND_BREAK_MARRIAGE = 29
POLICY_SEND_BREAK_PINOCHLE = 30
# Returner's weights: what a kept card is worth in tricks, and what a void is worth.
POLICY_KEEP_TRUMP = 32
POLICY_KEEP_SIDE = 38
POLICY_KEEP_SIDE_AGAIN = 44
POLICY_VOID = 50
POLICY_KEEP_TEN_WITH_ACES = 51
POLICY_MELD_WEIGHT = 52
N_POLICY = 64


@helper
def in_all_suits(hand: np.uint64) -> np.uint64:
    """Return the 12-bit holding that all four suits have in common."""
    return hand & (hand >> U12) & (hand >> U24) & (hand >> U36) & SUIT_MASK


@helper
def send_score(hand: np.uint64, trump: np.uint64, kind: int, copy: int, around: np.uint64, policy: Array) -> int:
    """Return the sender's weight of one copy (0 first, 1 second) of a card type held."""
    suit = np.uint64(kind // 6)
    rank = kind % 6
    card = U1 << np.uint64(2 * kind)
    is_queen = card == QUEEN_OF_SPADES
    is_jack = card == JACK_OF_DIAMONDS
    if suit == trump:
        return policy[(POLICY_SEND_TRUMP if copy == 0 else POLICY_SEND_TRUMP_AGAIN) + rank]
    if (is_queen and trump == U2) or (is_jack and trump == U0):
        return policy[POLICY_SEND_LEG + copy]
    score = policy[(POLICY_SEND_SIDE if copy == 0 else POLICY_SEND_SIDE_AGAIN) + rank]
    holding = (hand >> (suit * U12)) & SUIT_MASK
    if rank == 5:
        score -= policy[POLICY_SEND_ACE_LENGTH] * (np.int64(popcount(holding)) - 1)
    # The copies of a card are sent one after the other, so only the last one breaks a meld.
    copies = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
    last_copy = copy == copies - 1
    if last_copy and (around >> np.uint64(2 * rank)) & U1:
        if rank == 5:
            score -= policy[POLICY_SEND_BREAK_ACES]
        elif rank in (1, 2, 3):
            score -= policy[POLICY_SEND_BREAK_AROUND]
    if rank == 3 or rank == 2:
        other = 2 if rank == 3 else 3
        others = np.int64(popcount((holding >> np.uint64(2 * other)) & np.uint64(3)))
        if others > copies - 1 - copy:
            score -= policy[POLICY_SEND_BREAK_MARRIAGE]
    if (is_queen and hand & JACK_OF_DIAMONDS) or (is_jack and hand & QUEEN_OF_SPADES):
        score -= policy[POLICY_SEND_BREAK_PINOCHLE]
    return score


@helper
def choose_send(hand: np.uint64, trump: np.uint64, n_cards: int, policy: Array) -> np.uint64:
    """Return the cards that partner sends, packed; ties go to the lower card type."""
    around = in_all_suits(hand)
    sent = U0
    best = np.full(4, np.int64(-(1 << 60)), dtype=np.int64)
    held = hand & ONE_COPY
    while held:
        card = lowest(held)
        held ^= card
        kind = np.int64(trailing_zeros(card)) >> 1
        copies = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
        for copy in range(copies):
            # The card type rides in the low bits, so that one comparison orders and breaks ties.
            key = send_score(hand, trump, kind, copy, around, policy) * 32 + (31 - kind)
            place = n_cards - 1
            if key <= best[place]:
                continue
            while place > 0 and best[place - 1] < key:
                best[place] = best[place - 1]
                place -= 1
            best[place] = key
    for place in range(n_cards):
        sent = add(sent, U1 << np.uint64(2 * (31 - (best[place] & 31))))
    return sent


@helper
def keep_worth(hand: np.uint64, trump: np.uint64, kind: int, copy: int, policy: Array) -> int:
    """Return what one copy of a card is worth in tricks to declarer; the second copy counts first."""
    rank = kind % 6
    suit = np.uint64(kind // 6)
    if suit == trump:
        return policy[POLICY_KEEP_TRUMP + rank]
    worth = policy[(POLICY_KEEP_SIDE if copy == 0 else POLICY_KEEP_SIDE_AGAIN) + rank]
    if rank == 4:
        if ((hand >> (suit * U12)) >> np.uint64(11)) & U1:
            worth += policy[POLICY_KEEP_TEN_WITH_ACES]
    return worth


@helper
def return_value(
    hand: np.uint64, returned: np.uint64, worth: int, trump: np.uint64, tables: Array, policy: Array
) -> int:
    """Return the value of giving back some cards, in tenths of a point.

    `worth` is the sum of `keep_worth` over the cards given back.
    """
    kept = hand ^ returned_bits(hand, returned)
    value = policy[POLICY_MELD_WEIGHT] * (meld_of(kept, trump, tables) + meld_of(returned, trump, tables))
    value -= worth
    for suit in range(4):
        mask = SUIT_MASK << (np.uint64(suit) * U12)
        if np.uint64(suit) != trump and hand & mask and (kept & mask) == U0:
            value += policy[POLICY_VOID]
    return value


@helper
def returned_bits(hand: np.uint64, returned: np.uint64) -> np.uint64:
    """Return the bits to clear in a packed hand when the cards `returned` leave it."""
    both = hand & (hand >> U1) & ONE_COPY
    one = returned & ONE_COPY
    second = (returned >> U1) & ONE_COPY
    # Two held and one leaves: the upper bit goes. Two of two, or one of one: the lower goes too.
    return (one & both) << U1 | (one & ~both) | (second & both)


@helper
def choose_return(hand: np.uint64, trump: np.uint64, n_cards: int, tables: Array, policy: Array, scratch: Array) -> np.uint64:
    """Return the cards that declarer gives back, packed: the best of all choices by `return_value`.

    Depth-first over the cards in order of what they are worth to keep, cut where even the best
    continuation cannot win: meld never grows when a card leaves, and what partner may meld from
    the returned cards, and a void, are bounded by a share for each card.

    Parameters
    ----------
    hand : uint64
        Declarer's cards with those received.
    trump : uint64
    n_cards : int
        1 to 4.
    tables : int16 array, shape (3, 4096)
    policy : int64 array
    scratch : int64 array, shape (4, 48)
        Modified in place.
    """
    weight = policy[POLICY_MELD_WEIGHT]
    around = in_all_suits(hand)
    n = 0
    kinds = scratch[0]
    worths = scratch[1]
    bounds = scratch[2]
    held = hand & ONE_COPY
    while held:
        card = lowest(held)
        held ^= card
        kind = np.int64(trailing_zeros(card)) >> 1
        rank = kind % 6
        suit = np.uint64(kind // 6)
        holding = (hand >> (suit * U12)) & SUIT_MASK
        copies = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
        share = 0
        if (holding & KINGS) and (holding & QUEENS) and (rank == 3 or rank == 2):
            share += 20 if suit == trump else 10
        if rank == 0 and suit == trump:
            share += 10
        if (around >> np.uint64(2 * rank)) & U1:
            if rank == 5:
                share += 25
            elif rank == 3:
                share += 20
            elif rank == 2:
                share += 15
            elif rank == 1:
                share += 10
        if (card == QUEEN_OF_SPADES and hand & JACK_OF_DIAMONDS) or (
            card == JACK_OF_DIAMONDS and hand & QUEEN_OF_SPADES
        ):
            share += 75 if copies == 2 else 20
        share *= weight
        length = np.int64(popcount(holding))
        if suit != trump and length <= n_cards:
            share += policy[POLICY_VOID] // length + 1
        for copy in range(copies - 1, -1, -1):
            worth = keep_worth(hand, trump, kind, copy, policy)
            bound = worth - share
            place = n
            while place > 0 and bounds[place - 1] > bound:
                kinds[place] = kinds[place - 1]
                worths[place] = worths[place - 1]
                bounds[place] = bounds[place - 1]
                place -= 1
            kinds[place] = kind
            worths[place] = worth
            bounds[place] = bound
            n += 1

    chosen = np.zeros(4, dtype=np.int64)
    kept = np.zeros(5, dtype=np.uint64)
    given = np.zeros(5, dtype=np.uint64)
    melds = np.zeros(5, dtype=np.int64)
    costs = np.zeros(5, dtype=np.int64)
    spent = np.zeros(5, dtype=np.int64)
    kept[0] = hand
    melds[0] = weight * meld_of(hand, trump, tables)
    best_value = np.int64(-(1 << 60))
    best = U0
    depth = 0
    chosen[0] = 0
    while depth >= 0:
        i = chosen[depth]
        left = n_cards - depth
        fits = i + left <= n
        if fits:
            optimist = melds[depth] - costs[depth]
            for j in range(left):
                optimist -= bounds[i + j]
            fits = optimist > best_value
        if not fits:
            depth -= 1
            if depth >= 0:
                chosen[depth] += 1
            continue
        card = U1 << np.uint64(2 * kinds[i])
        after = remove(kept[depth], card)
        given[depth + 1] = add(given[depth], card)
        if left == 1:
            value = return_value(hand, given[depth + 1], spent[depth] + worths[i], trump, tables, policy)
            if value > best_value:
                best_value = value
                best = given[depth + 1]
            chosen[depth] += 1
            continue
        kept[depth + 1] = after
        melds[depth + 1] = weight * meld_of(after, trump, tables)
        costs[depth + 1] = costs[depth] + bounds[i]
        spent[depth + 1] = spent[depth] + worths[i]
        chosen[depth + 1] = i + 1
        depth += 1
    return best


@entry
def exchange_hands(
    declarers: Array, partners: Array, trumps: Array, rules: Array, policy: Array, out: Array
) -> None:
    """Carry out the exchange for pairs of hands.

    Parameters
    ----------
    declarers, partners : uint64 arrays, shape (n_pairs,)
    trumps : int64 array, shape (n_pairs,)
    rules, policy : int64 arrays
    out : uint64 array, shape (n_pairs, 2)
        Cards sent and cards returned, packed; modified in place.
    """
    tables = meld_tables(rules)
    scratch = np.zeros((4, 48), dtype=np.int64)
    n_cards = rules[RULE_PASS_CARDS]
    for i in range(len(declarers)):
        trump = np.uint64(trumps[i])
        sent = U0
        returned = U0
        if n_cards > 0:
            sent = choose_send(partners[i], trump, n_cards, policy)
            returned = choose_return(
                merge(declarers[i], sent), trump, n_cards, tables, policy, scratch
            )
        out[i, 0] = sent
        out[i, 1] = returned


@helper
def merge(hand: np.uint64, more: np.uint64) -> np.uint64:
    """Return a hand with the given cards added."""
    both = (hand & more & ONE_COPY) << U1
    return hand | more | both
