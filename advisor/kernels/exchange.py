"""The exchange: partner sends cards knowing only trump and the own hand, declarer returns as many.

Both choices are linear rules whose weights travel in the policy array (names ``POLICY_``, tenths
of a point). The lore behind the defaults, and the measurements that chose between its variants,
stand in `advisor.policy`.

The sender ranks the own cards and sends the best; the return is that of `returns.choose_return`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper, popcount, trailing_zeros
from advisor.kernels.deal import mix
from advisor.kernels.kept import ReturnTables
from advisor.kernels.meldscore import meld_tables
from advisor.kernels.packed import (
    ACES,
    JACK_OF_DIAMONDS,
    ONE_COPY,
    QUEEN_OF_SPADES,
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
    in_all_suits,
    lowest,
    merge,
)
from advisor.kernels.returns import choose_return, return_work

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
# Added to second copies of trump run cards when these, ace and ten among them, just fill the pass.
POLICY_SEND_ALL_TRUMP = 31
# For each leg of a double pinochle: added where all four can go and trump is one of their suits
# (two of them may complete the run), taken off where they cannot (the meld stays whole).
POLICY_SEND_DOUBLE_PINOCHLE = 32
# Where a rank is held in all suits: off the last copy in each, trump too (J Q K A).
POLICY_SEND_KEEP_AROUND = 33
# Where it is held in three suits: added to side cards of it (J Q K A); aces only without trump's.
POLICY_SEND_THREE = 37
# Off a side card below the ace for each other card of its suit.
POLICY_SEND_LENGTH = 41
# Added to side aces where there are aces of three suits, trump among them.
POLICY_SEND_THREE_WITH_TRUMP = 42
N_POLICY = 43


_MELD_RANKS = np.uint64(0b01_00_01_01_01_00)


@helper
def _in_three_suits(hand: np.uint64) -> np.uint64:
    """Return the 12-bit holding of which exactly three suits have a copy."""
    spades, hearts = hand, hand >> U12
    diamonds, clubs = hand >> U24, hand >> U36
    here = (spades & hearts & (diamonds ^ clubs)) | ((spades ^ hearts) & diamonds & clubs)
    return here & SUIT_MASK


@helper
def send_score(
    hand: np.uint64,
    trump: np.uint64,
    kind: int,
    copy: int,
    around: np.uint64,
    three: np.uint64,
    all_trump: bool,
    legs: int,
    policy: Array,
) -> int:
    """Return the sender's weight of one copy (0 first, 1 second) of a card type held.

    `all_trump` says that the sender's trump run cards, ace and ten among them, just fill the pass,
    and go before melds of aces or of the pinochle; `around` and `three` are the 12-bit holdings of
    ranks that are held in all suits and in three of them;
    `legs` is what a leg of a double pinochle gets more or less.
    """
    suit = np.uint64(kind // 6)
    rank = kind % 6
    card = U1 << np.uint64(2 * kind)
    is_queen = card == QUEEN_OF_SPADES
    is_jack = card == JACK_OF_DIAMONDS
    extra = legs if is_queen or is_jack else 0
    # The copies of a card are sent one after the other, so only the last one breaks a meld.
    copies = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
    last_copy = copy == copies - 1
    place = 3 if rank == 5 else rank - 1
    is_around = last_copy and (around >> np.uint64(2 * rank)) & U1 and rank != 0 and rank != 4
    if is_around and not all_trump:
        extra -= policy[POLICY_SEND_KEEP_AROUND + place]
    if suit == trump:
        if copy == 0:
            return policy[POLICY_SEND_TRUMP + rank] + extra
        if all_trump and rank > 0:
            extra += policy[POLICY_SEND_ALL_TRUMP]
        return policy[POLICY_SEND_TRUMP_AGAIN + rank] + extra
    if (is_queen and trump == U2) or (is_jack and trump == U0):
        return policy[POLICY_SEND_LEG + copy] + extra
    score = extra + policy[(POLICY_SEND_SIDE if copy == 0 else POLICY_SEND_SIDE_AGAIN) + rank]
    holding = (hand >> (suit * U12)) & SUIT_MASK
    if rank == 5:
        score -= policy[POLICY_SEND_ACE_LENGTH] * (np.int64(popcount(holding)) - 1)
    else:
        score -= policy[POLICY_SEND_LENGTH] * (np.int64(popcount(holding)) - 1)
    if is_around:
        score -= policy[POLICY_SEND_BREAK_ACES if rank == 5 else POLICY_SEND_BREAK_AROUND]
    elif copy == 0 and not all_trump and (three >> np.uint64(2 * rank)) & U1:
        if rank == 5 and (hand >> (trump * U12 + np.uint64(10))) & U1:
            score += policy[POLICY_SEND_THREE_WITH_TRUMP]
        else:
            score += policy[POLICY_SEND_THREE + place]
    if rank == 3 or rank == 2:
        other = 2 if rank == 3 else 3
        others = np.int64(popcount((holding >> np.uint64(2 * other)) & np.uint64(3)))
        if others > copies - 1 - copy:
            score -= policy[POLICY_SEND_BREAK_MARRIAGE]
    if is_queen or is_jack:
        other_leg = JACK_OF_DIAMONDS if is_queen else QUEEN_OF_SPADES
        others = np.int64(popcount(hand & (other_leg | other_leg << U1)))
        if others > copies - 1 - copy:
            score -= policy[POLICY_SEND_BREAK_PINOCHLE]
    return score


@helper
def choose_send(
    hand: np.uint64, trump: np.uint64, n_cards: int, policy: Array, salt: np.uint64
) -> np.uint64:
    """Return the cards that partner sends, packed.

    Ties are broken at random, by `salt` and the hand, so that no suit is favoured by its name.
    """
    around = in_all_suits(hand)
    trumps = (hand >> (trump * U12)) & SUIT_MASK
    all_trump = np.int64(popcount(trumps & ~np.uint64(3))) == n_cards
    all_trump = all_trump and (trumps & ACES) != U0 and (trumps & TENS) != U0
    legs = 0
    all_legs = (QUEEN_OF_SPADES | JACK_OF_DIAMONDS) * np.uint64(3)
    if hand & all_legs == all_legs:
        legs = policy[POLICY_SEND_DOUBLE_PINOCHLE]
        if n_cards < 4 or (trump != U0 and trump != U2):
            legs = -legs
    three = _in_three_suits(hand & ONE_COPY) & _MELD_RANKS
    lowest_key = np.int64(-(1 << 60))
    first, second, third, fourth = lowest_key, lowest_key, lowest_key, lowest_key
    held = hand & ONE_COPY
    while held:
        card = lowest(held)
        held ^= card
        kind = np.int64(trailing_zeros(card)) >> 1
        copies = 1 + np.int64((hand >> np.uint64(2 * kind + 1)) & U1)
        tie = np.int64(mix(hand ^ mix(salt ^ card)) & np.uint64(0x3FF)) << 5
        for copy in range(copies):
            # Tie breaker and card type ride in the low bits, so that one comparison does it all.
            score = send_score(hand, trump, kind, copy, around, three, all_trump, legs, policy)
            key = (score << 15) + tie + kind
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
    sent = U1 << np.uint64(2 * (first & 31))
    if n_cards > 1:
        sent = add(sent, U1 << np.uint64(2 * (second & 31)))
    if n_cards > 2:
        sent = add(sent, U1 << np.uint64(2 * (third & 31)))
    if n_cards > 3:
        sent = add(sent, U1 << np.uint64(2 * (fourth & 31)))
    return sent


@entry
def exchange_hands(
    declarers: Array,
    partners: Array,
    trumps: Array,
    rules: Array,
    policy: Array,
    returns: ReturnTables,
    salts: Array,
    out: Array,
) -> None:
    """Carry out the exchange for pairs of hands.

    Parameters
    ----------
    declarers, partners : uint64 arrays, shape (n_pairs,)
        Packed; a partner's hand is 0 where declarer's has the cards that came and it is not told
        which they were.
    trumps : int64 array, shape (n_pairs,)
    rules, policy : int64 arrays
    returns : ReturnTables
        From `advisor.returning.return_tables`.
    salts : uint64 array, shape (n_pairs,)
        What breaks ties.
    out : uint64 array, shape (n_pairs, 2)
        Cards sent and cards returned, packed; modified in place.
    """
    melds = meld_tables(rules)
    work = return_work()
    n_cards = rules[RULE_PASS_CARDS]
    for i in range(len(declarers)):
        trump = np.uint64(trumps[i])
        sent = U0
        returned = U0
        if n_cards > 0:
            if partners[i] != U0:
                sent = choose_send(partners[i], trump, n_cards, policy, salts[i])
            returned = choose_return(
                merge(declarers[i], sent), sent, trump, n_cards, melds, returns, work
            )
        out[i, 0] = sent
        out[i, 1] = returned
