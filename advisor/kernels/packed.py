"""How cards, hands and rules look inside a kernel.

A packed hand is a uint64: suit s at bits 12s, rank r at bits 2r inside it, thermometer code
(one copy 01, both 11). ``hand & ONE_COPY`` has one bit for each card type held; that bit, with
all others clear, stands for the card itself. A card type is ``trailing_zeros(bit) // 2``.

Rule values travel in one int64 array, indexed by the ``RULE_`` names, and the choices of the
exchange and of the play in another, indexed by the ``POLICY_`` names of their modules: a cached
kernel would keep the value that a global had when it was compiled.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from advisor.kernels._jit import helper, leading_zeros, popcount, trailing_zeros

U0: Final = np.uint64(0)
U1: Final = np.uint64(1)
U2: Final = np.uint64(2)
U12: Final = np.uint64(12)
U24: Final = np.uint64(24)
U36: Final = np.uint64(36)
U48: Final = np.uint64(48)
U63: Final = np.uint64(63)

ONE_COPY: Final = np.uint64(0x5555_5555_5555)
SUIT_MASK: Final = np.uint64(0xFFF)
ALL_CARDS: Final = np.uint64(0xFFFF_FFFF_FFFF)
NON_COUNTERS: Final = np.uint64(0x015_015_015_015)
COUNTERS: Final = np.uint64(0x540_540_540_540)
# What a deal is worth in counters: all of those cards, and the last trick.
N_COUNTERS: Final = 25
NINES: Final = np.uint64(0x001_001_001_001)
JACKS: Final = np.uint64(0x004_004_004_004)
QUEENS: Final = np.uint64(0x010_010_010_010)
KINGS: Final = np.uint64(0x040_040_040_040)
TENS: Final = np.uint64(0x100_100_100_100)
ACES: Final = np.uint64(0x400_400_400_400)
QUEEN_OF_SPADES: Final = np.uint64(1 << 4)
JACK_OF_DIAMONDS: Final = np.uint64(1 << 26)

(
    RULE_PASS_CARDS,
    RULE_HEADING,
    RULE_FIRST_LEAD_TRUMP,
    RULE_RUN_EXTRAS,
    RULE_ROYAL_IN_RUN,
    RULE_ROUNDHOUSE_BONUS,
    RULE_LAST_TRICK,
    RULE_RANK_POINTS,
) = range(8)
N_RULES: Final = RULE_RANK_POINTS + 6

HEADING_ALWAYS, HEADING_TRUMP_LEADS, HEADING_AFTER_RUFF = range(3)


@helper
def remove(hand: np.uint64, card: np.uint64) -> np.uint64:
    """Return the hand without one copy of a card it holds: 11 becomes 01, and 01 becomes 00."""
    second = hand & (card << U1)
    return hand ^ (second | (card & ~(second >> U1)))


@helper
def add(hand: np.uint64, card: np.uint64) -> np.uint64:
    """Return the hand with one more copy of a card of which it holds none or one."""
    return hand | card | ((hand & card) << U1)


@helper
def merge(hand: np.uint64, more: np.uint64) -> np.uint64:
    """Return a hand with the given cards added."""
    return hand | more | ((hand & more & ONE_COPY) << U1)


@helper
def returned_bits(hand: np.uint64, returned: np.uint64) -> np.uint64:
    """Return the bits to clear in a hand when some of its cards leave.

    Of two copies held the upper bit goes first; the lower goes with the last copy.
    """
    both = hand & (hand >> U1) & ONE_COPY
    one = returned & ONE_COPY
    second = (returned >> U1) & ONE_COPY
    return ((one & both) << U1) | (one & ~both) | (second & both)


@helper
def list_cards(hand: np.uint64, cards: np.ndarray) -> int:
    """Write the card bits of a hand, both copies apart, from the lowest up; return how many."""
    n = 0
    for card in range(24):
        for _ in range(np.int64(popcount((hand >> np.uint64(2 * card)) & np.uint64(3)))):
            cards[n] = U1 << np.uint64(2 * card)
            n += 1
    return n


@helper
def complement(hand: np.uint64) -> np.uint64:
    """Return all cards of the deck that are not in a hand, packed."""
    one_left = (hand & ONE_COPY) & ~(hand >> U1)
    none_held = ~hand & ONE_COPY
    return one_left | none_held | (none_held << U1)


@helper
def suit_bits(hand: np.uint64, suit: np.uint64) -> np.uint64:
    """Return the 12 bits of one suit of a hand."""
    return (hand >> (suit * U12)) & SUIT_MASK


@helper
def in_all_suits(hand: np.uint64) -> np.uint64:
    """Return the 12-bit holding that all four suits have in common."""
    return hand & (hand >> U12) & (hand >> U24) & (hand >> U36) & SUIT_MASK


@helper
def thermometer(counts: np.uint64) -> np.uint64:
    """Return the packed hand of two-bit counts: 10 becomes 11."""
    return counts | ((counts >> U1) & ONE_COPY)


@helper
def unseen_by(hand: np.uint64, played: np.uint64) -> np.uint64:
    """Return one bit for each card type of which a copy is neither in hand nor played."""
    both_seen = (hand >> U1) | (played >> U1) | (hand & played)
    return ~both_seen & ONE_COPY


@helper
def lowest(mask: np.uint64) -> np.uint64:
    """Return the lowest bit of a mask that is not empty."""
    return mask & (~mask + U1)


@helper
def highest(mask: np.uint64) -> np.uint64:
    """Return the highest bit of a mask that is not empty."""
    return U1 << (U63 - leading_zeros(mask))


@helper
def suit_cards(mask: np.uint64, suit: np.uint64) -> np.uint64:
    """Return the part of a mask that lies in one suit, left in place."""
    return mask & (SUIT_MASK << (suit * U12))


@helper
def suit_of_bit(card: np.uint64) -> np.uint64:
    """Return the suit of a card's bit."""
    return trailing_zeros(card) // U12


@helper
def swap_trump(hand: np.uint64, trump: np.uint64) -> np.uint64:
    """Return the hand with the trump suit and spades exchanged; its own inverse."""
    shift = trump * U12
    difference = (hand ^ (hand >> shift)) & SUIT_MASK
    return hand ^ difference ^ (difference << shift)


@helper
def permute_sides(hand: np.uint64, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the hand with its suits 1, 2, 3 renamed; suit 0 stays.

    `first` and `second` are the new names of suits 1 and 2, different numbers from 1 to 3; suit 3
    gets the name that is left.
    """
    third = np.uint64(6) - first - second
    renamed = hand & SUIT_MASK
    renamed |= ((hand >> U12) & SUIT_MASK) << (first * U12)
    renamed |= ((hand >> U24) & SUIT_MASK) << (second * U12)
    return renamed | (((hand >> U36) & SUIT_MASK) << (third * U12))
