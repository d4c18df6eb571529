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
    KINGS,
    ONE_COPY,
    QUEEN_OF_SPADES,
    QUEENS,
    RULE_PASS_CARDS,
    SUIT_MASK,
    TENS,
    U0,
    U1,
    U2,
    U12,
    U24,
    U36,
    add,
    lowest,
    remove,
    suit_cards,
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
# Added to second copies of trump run cards when these, ace and ten among them, can fill the pass.
POLICY_SEND_ALL_TRUMP = 31
# Returner's weights: what a kept card is worth in tricks, and what a void is worth.
POLICY_KEEP_TRUMP = 32
POLICY_KEEP_SIDE = 38
POLICY_KEEP_SIDE_AGAIN = 44
POLICY_VOID = 50
POLICY_KEEP_TEN_WITH_ACES = 51
POLICY_MELD_WEIGHT = 52
N_POLICY = 64
# Rows of the scratch array of `choose_return`.
N_SCRATCH = 15


@helper
def in_all_suits(hand: np.uint64) -> np.uint64:
    """Return the 12-bit holding that all four suits have in common."""
    return hand & (hand >> U12) & (hand >> U24) & (hand >> U36) & SUIT_MASK


@helper
def send_score(
    hand: np.uint64,
    trump: np.uint64,
    kind: int,
    copy: int,
    around: np.uint64,
    all_trump: bool,
    policy: Array,
) -> int:
    """Return the sender's weight of one copy (0 first, 1 second) of a card type held.

    `all_trump` says that the sender's trump run cards, ace and ten among them, can fill the pass.
    """
    suit = np.uint64(kind // 6)
    rank = kind % 6
    card = U1 << np.uint64(2 * kind)
    is_queen = card == QUEEN_OF_SPADES
    is_jack = card == JACK_OF_DIAMONDS
    if suit == trump:
        if copy == 0:
            return policy[POLICY_SEND_TRUMP + rank]
        bonus = policy[POLICY_SEND_ALL_TRUMP] if all_trump and rank > 0 else 0
        return policy[POLICY_SEND_TRUMP_AGAIN + rank] + bonus
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
    trumps = (hand >> (trump * U12)) & SUIT_MASK
    all_trump = np.int64(popcount(trumps & ~np.uint64(3))) >= n_cards
    all_trump = all_trump and (trumps & ACES) != U0 and (trumps & TENS) != U0
    lowest_key = np.int64(-(1 << 60))
    first, second, third, fourth = lowest_key, lowest_key, lowest_key, lowest_key
    held = hand & ONE_COPY
    while held:
        card = lowest(held)
        held ^= card
        kind = np.int64(trailing_zeros(card)) >> 1
        copies = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
        for copy in range(copies):
            # The card type rides in the low bits, so that one comparison orders and breaks ties.
            key = send_score(hand, trump, kind, copy, around, all_trump, policy) * 32 + (31 - kind)
            if key > fourth:
                if key > second:
                    third, fourth = second, third
                    if key > first:
                        first, second = key, first
                    else:
                        second = key
                elif key > third:
                    third, fourth = key, third
                else:
                    fourth = key
    sent = U1 << np.uint64(2 * (31 - (first & 31)))
    if n_cards > 1:
        sent = add(sent, U1 << np.uint64(2 * (31 - (second & 31))))
    if n_cards > 2:
        sent = add(sent, U1 << np.uint64(2 * (31 - (third & 31))))
    if n_cards > 3:
        sent = add(sent, U1 << np.uint64(2 * (31 - (fourth & 31))))
    return sent


@helper
def keep_worth(hand: np.uint64, trump: np.uint64, kind: int, copy: int, policy: Array) -> int:
    """Return what one copy of a card is worth in tricks to declarer; the second copy goes first."""
    rank = kind % 6
    suit = np.uint64(kind // 6)
    if suit == trump:
        return policy[POLICY_KEEP_TRUMP + rank]
    worth = policy[(POLICY_KEEP_SIDE if copy == 0 else POLICY_KEEP_SIDE_AGAIN) + rank]
    both_aces = (hand >> (suit * U12 + np.uint64(11))) & U1
    if rank == 4 and both_aces:
        worth += policy[POLICY_KEEP_TEN_WITH_ACES]
    return worth


@helper
def worth_of(hand: np.uint64, returned: np.uint64, trump: np.uint64, policy: Array) -> int:
    """Return the sum of `keep_worth` over the cards given back, second copies before first."""
    worth = 0
    rest = returned & ONE_COPY
    while rest:
        card = lowest(rest)
        rest ^= card
        kind = np.int64(trailing_zeros(card)) >> 1
        held = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
        for i in range(1 + np.int64((returned >> np.uint64(2 * kind + 1)) & U1)):
            worth += keep_worth(hand, trump, kind, held - 1 - i, policy)
    return worth


@helper
def four_card_meld(hand: np.uint64, around: np.uint64, which: int) -> np.uint64:
    """Return the cards of an around (0 jacks to 3 aces) or a double pinochle (4), 0 if not held."""
    if which == 4:
        both = (QUEEN_OF_SPADES | JACK_OF_DIAMONDS) * np.uint64(3)
        return both if hand & both == both else U0
    rank = np.uint64(which + 1 if which < 3 else 5)
    if (around >> (rank + rank)) & U1:
        return ACES >> np.uint64(2 * (5 - np.int64(rank)))
    return U0


@helper
def return_value(
    hand: np.uint64, returned: np.uint64, worth: int, trump: np.uint64, tables: Array, policy: Array
) -> int:
    """Return the value of giving back some cards, in tenths of a point.

    `worth` is the sum of `keep_worth` over the cards given back.
    """
    kept = hand ^ returned_bits(hand, returned)
    meld = meld_of(kept, trump, tables) + partner_meld(returned, trump, tables)
    value = policy[POLICY_MELD_WEIGHT] * meld - worth
    for suit in range(4):
        cards = suit_cards(hand, np.uint64(suit))
        if np.uint64(suit) != trump and cards and suit_cards(kept, np.uint64(suit)) == U0:
            value += policy[POLICY_VOID]
    return value


@helper
def partner_meld(returned: np.uint64, trump: np.uint64, tables: Array) -> int:
    """Return the meld that the returned cards make by themselves, in points."""
    marriages = returned & QUEENS & ((returned & KINGS) >> U2)
    legs = (returned & QUEEN_OF_SPADES) != U0 and (returned & JACK_OF_DIAMONDS) != U0
    nines = (returned >> (trump * U12)) & U1
    if marriages or legs or nines or in_all_suits(returned):
        return meld_of(returned, trump, tables)
    return 0


@helper
def returned_bits(hand: np.uint64, returned: np.uint64) -> np.uint64:
    """Return the bits to clear in a packed hand when the cards `returned` leave it."""
    both = hand & (hand >> U1) & ONE_COPY
    one = returned & ONE_COPY
    second = (returned >> U1) & ONE_COPY
    # Two held and one leaves: the upper bit goes. Two of two, or one of one: the lower goes too.
    return (one & both) << U1 | (one & ~both) | (second & both)


@helper
def choose_return(
    hand: np.uint64, trump: np.uint64, n_cards: int, tables: Array, policy: Array, scratch: Array
) -> np.uint64:
    """Return the cards that declarer gives back, packed: the best of all choices by `return_value`.

    The choices are searched apart for each set of side suits that leaves wholly, so that the bonus
    for a void is known before the search begins.

    Parameters
    ----------
    hand : uint64
        Declarer's cards with those received.
    trump : uint64
    n_cards : int
        1 to 4.
    tables : int16 array, shape (3, 4096)
    policy : int64 array
    scratch : int64 array, shape (N_SCRATCH, 48)
        Modified in place.
    """
    n = list_returnable(hand, trump, tables, policy, scratch)
    around = in_all_suits(hand)
    # The cards that are cheapest one by one are a good first choice to beat.
    best = cheapest_apart(n, n_cards, scratch)
    best_value = return_value(
        hand, best, worth_of(hand, best, trump, policy), trump, tables, policy
    )
    if n_cards == 4:
        # Melds of exactly four cards are tried apart, so that no bound need allow for them.
        for which in range(5):
            whole = four_card_meld(hand, around, which)
            if whole:
                worth = worth_of(hand, whole, trump, policy)
                value = return_value(hand, whole, worth, trump, tables, policy)
                if value > best_value:
                    best_value = value
                    best = whole
    for voids in range(8):
        leaving = U0
        fits = True
        for place in range(3):
            if (voids >> place) & 1:
                suit = np.uint64(place if place < np.int64(trump) else place + 1)
                cards = suit_cards(hand, suit)
                fits = fits and cards != U0
                leaving |= cards
        left = n_cards - np.int64(popcount(leaving))
        if fits and left >= 0:
            best, best_value = search_returns(
                hand, leaving, left, n, trump, tables, policy, scratch, best, best_value
            )
    return best


@helper
def search_returns(
    hand: np.uint64,
    leaving: np.uint64,
    n_more: int,
    n: int,
    trump: np.uint64,
    tables: Array,
    policy: Array,
    scratch: Array,
    best: np.uint64,
    best_value: int,
) -> tuple[np.uint64, int]:
    """Return the better of the best choice so far and all that add `n_more` cards to those leaving.

    Depth-first in order of what a card is worth to keep, cut where even the best continuation
    cannot win: meld never grows when a card leaves, so a set loses at least what its dearest card
    loses alone, and what partner may meld from the returned cards is bounded by a share for each.
    A void that is not among the suits leaving is left to the search in which it is.
    """
    weight = policy[POLICY_MELD_WEIGHT]
    kinds, worths, bounds, losses, sums = scratch[5], scratch[6], scratch[7], scratch[8], scratch[9]
    chosen, melds, costs, spent, dearest = (
        scratch[10],
        scratch[11],
        scratch[12],
        scratch[13],
        scratch[14],
    )
    full_meld = weight * meld_of(hand, trump, tables)
    kept = hand ^ leaving
    meld = weight * meld_of(kept, trump, tables)
    spare = 0
    cost = 0
    total = 0
    m = 0
    for i in range(n):
        card = U1 << np.uint64(2 * scratch[0, i])
        if leaving & card:
            spare += scratch[1, i]
            cost += scratch[2, i]
            continue
        kinds[m] = scratch[0, i]
        worths[m] = scratch[1, i]
        bounds[m] = scratch[2, i]
        losses[m] = scratch[3, i]
        sums[m] = total
        total += bounds[m]
        m += 1
    sums[m] = total
    gain = 0
    for suit in range(4):
        if suit_cards(leaving, np.uint64(suit)):
            gain += policy[POLICY_VOID]
    if n_more == 0:
        value = meld - spare + gain + weight * partner_meld(leaving, trump, tables)
        if value > best_value:
            return leaving, value
        return best, best_value

    given = leaving
    depth = 0
    chosen[0] = 0
    melds[0] = meld
    costs[0] = cost - gain
    spent[0] = spare - gain
    dearest[0] = 0
    while depth >= 0:
        i = chosen[depth]
        left = n_more - depth
        fits = i + left <= m
        if fits:
            floor = costs[depth] + sums[i + left] - sums[i]
            fits = melds[depth] - floor > best_value
        if not fits:
            depth -= 1
            if depth >= 0:
                card = U1 << np.uint64(2 * kinds[chosen[depth]])
                kept = add(kept, card)
                given = remove(given, card)
                chosen[depth] += 1
            continue
        loss = max(dearest[depth], losses[i])
        if full_meld - loss - floor <= best_value:
            chosen[depth] += 1
            continue
        card = U1 << np.uint64(2 * kinds[i])
        after = remove(kept, card)
        meld = weight * meld_of(after, trump, tables)
        if meld - floor <= best_value:
            chosen[depth] += 1
            continue
        if left == 1:
            returned = add(given, card)
            value = meld - spent[depth] - worths[i] + weight * partner_meld(returned, trump, tables)
            if value > best_value:
                best_value = value
                best = returned
            chosen[depth] += 1
            continue
        kept = after
        given = add(given, card)
        depth += 1
        melds[depth] = meld
        costs[depth] = costs[depth - 1] + bounds[i]
        spent[depth] = spent[depth - 1] + worths[i]
        dearest[depth] = loss
        chosen[depth] = i + 1
    return best, best_value


@helper
def list_returnable(
    hand: np.uint64, trump: np.uint64, tables: Array, policy: Array, scratch: Array
) -> int:
    """List the cards of a hand by what they are worth to keep, cheapest first; return how many.

    Rows of `scratch` written: 0 card type, 1 worth, 2 worth less the most that partner's meld can
    give for it, 3 what its leaving alone costs in meld at least. Two equal cards are two places.
    """
    weight = policy[POLICY_MELD_WEIGHT]
    kinds, worths, bounds, losses = scratch[0], scratch[1], scratch[2], scratch[3]
    full_meld = meld_of(hand, trump, tables)
    n = 0
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
        if (
            (rank == 3 or rank == 2)
            and holding & (KINGS & SUIT_MASK)
            and holding & (QUEENS & SUIT_MASK)
        ):
            share += 20 if suit == trump else 10
        if rank == 0 and suit == trump:
            share += 10
        if (card == QUEEN_OF_SPADES and hand & JACK_OF_DIAMONDS) or (
            card == JACK_OF_DIAMONDS and hand & QUEEN_OF_SPADES
        ):
            share += 20
        share *= weight
        # A bound of nothing is right for the others too; they are seldom reached.
        loss = 0
        if suit != trump and (rank == 1 or rank == 2 or rank == 3):
            loss = weight * (full_meld - meld_of(remove(hand, card), trump, tables))
        for copy in range(copies - 1, -1, -1):
            worth = keep_worth(hand, trump, kind, copy, policy)
            bound = worth - share
            place = n
            while place > 0 and bounds[place - 1] > bound:
                kinds[place] = kinds[place - 1]
                worths[place] = worths[place - 1]
                bounds[place] = bounds[place - 1]
                losses[place] = losses[place - 1]
                place -= 1
            kinds[place] = kind
            worths[place] = worth
            bounds[place] = bound
            losses[place] = loss
            n += 1
    return n


@helper
def cheapest_apart(n: int, n_cards: int, scratch: Array) -> np.uint64:
    """Return the cards that each alone cost least, packed."""
    kinds, bounds, losses = scratch[0], scratch[2], scratch[3]
    cards = U0
    last = np.int64(-(1 << 60))
    for _ in range(n_cards):
        least = np.int64(1 << 60)
        for i in range(n):
            cost = (bounds[i] + losses[i]) * 64 + i
            if last < cost < least:
                least = cost
        last = least
        cards = add(cards, U1 << np.uint64(2 * kinds[least & 63]))
    return cards


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
    scratch = np.zeros((N_SCRATCH, 48), dtype=np.int64)
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
