"""The rules of a trick: legal plays, who is winning, who is void. Trump has been moved to suit 0.

Follow suit and play higher than the best card so far if able; void in the suit, trump, and above
an earlier trump if able; void in both, play anything. After a plain lead has been ruffed, any card
of the led suit will do. The first of two equal cards wins. House rules for heading: always, on
trump leads only, or still after a ruff (source: pagat.com and Wikipedia).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper
from advisor.kernels.packed import (
    HEADING_AFTER_RUFF,
    HEADING_ALWAYS,
    ONE_COPY,
    SUIT_MASK,
    U0,
    U1,
    U2,
    U12,
    suit_of_bit,
)

Array = np.ndarray[Any, Any]


@helper
def above(card: np.uint64) -> np.uint64:
    """Return the mask of all bits above both copies of a card, other suits included."""
    return ~((card << U2) - U1)


@helper
def winners_over(best: np.uint64, lead_mask: np.uint64) -> np.uint64:
    """Return the mask of cards that would take the trick from the card now winning it.

    Parameters
    ----------
    best : uint64
        Bit of the winning card.
    lead_mask : uint64
        The 12 bits of the suit led.
    """
    if best & SUIT_MASK:
        return SUIT_MASK & above(best)
    return SUIT_MASK | (lead_mask & above(best))


@helper
def legal_cards(
    hand: np.uint64, lead_mask: np.uint64, best: np.uint64, best_led: np.uint64, heading: int
) -> np.uint64:
    """Return the bits of the card types that may be played to a trick already led.

    Parameters
    ----------
    hand : uint64
        Packed hand of the seat to play.
    lead_mask : uint64
        The 12 bits of the suit led.
    best, best_led : uint64
        Bit of the card now winning, and of the best card of the suit led.
    heading : int
        One of the ``HEADING_`` values.
    """
    held = hand & ONE_COPY
    following = held & lead_mask
    if following:
        ruffed = (best & lead_mask) == U0
        if lead_mask == SUIT_MASK or (heading == HEADING_ALWAYS and not ruffed):
            higher = following & above(best)
        elif heading == HEADING_AFTER_RUFF:
            higher = following & above(best_led)
        else:
            higher = U0
        return higher if higher else following
    trumps = held & SUIT_MASK
    if trumps:
        higher = trumps & above(best) if (best & SUIT_MASK) else U0
        return higher if higher else trumps
    return held


@helper
def trick_so_far(
    table: Array, n_table: int, leader: int
) -> tuple[np.uint64, np.uint64, np.uint64, int]:
    """Return lead mask, winning card, best card of the suit led, and the seat that is winning.

    Parameters
    ----------
    table : uint64 array
        Card bits in the order played, of which `n_table` count.
    leader : int
        Who leads this trick, or led it; without cards on the table he is said to be winning.
    """
    if n_table == 0:
        return U0, U0, U0, leader
    best = table[0]
    best_led = table[0]
    winner = leader
    lead_mask = SUIT_MASK << (suit_of_bit(best) * U12)
    for i in range(1, n_table):
        card = table[i]
        if card & winners_over(best, lead_mask):
            best = card
            winner = (leader + i) & 3
        if (card & lead_mask) > best_led:
            best_led = card
    return lead_mask, best, best_led, winner


@helper
def voids_after(voids: np.uint64, seat: int, card: np.uint64, lead_mask: np.uint64) -> np.uint64:
    """Return what is known of void suits after a seat has followed with a card."""
    if card & lead_mask:
        return voids
    voids |= U1 << (np.uint64(4 * seat) + suit_of_bit(lead_mask & ONE_COPY))
    if (card & SUIT_MASK) == U0:
        voids |= U1 << np.uint64(4 * seat)
    return voids


@entry
def legal_after(hand: np.uint64, trump: np.uint64, played: Array, heading: int, out: Array) -> None:
    """Write the legal cards of a hand after the given cards of a trick, trump in any suit.

    Parameters
    ----------
    hand : uint64
        Packed hand.
    trump : uint64
        Suit 0..3.
    played : uint64 array, shape (n_played,)
        Bits of the cards of this trick in order, at least one.
    heading : int
    out : uint64 array, shape (2,)
        Legal bits, and the index in `played` of the card now winning; modified in place.
    """
    shift = trump * U12
    swapped = np.empty(len(played) + 1, dtype=np.uint64)
    for i in range(len(played) + 1):
        word = hand if i == len(played) else played[i]
        difference = (word ^ (word >> shift)) & SUIT_MASK
        swapped[i] = word ^ difference ^ (difference << shift)
    lead_mask, best, best_led, winner = trick_so_far(swapped, len(played), 0)
    legal = legal_cards(swapped[len(played)], lead_mask, best, best_led, heading)
    difference = (legal ^ (legal >> shift)) & SUIT_MASK
    out[0] = legal ^ difference ^ (difference << shift)
    out[1] = np.uint64(winner)
