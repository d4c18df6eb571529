"""The order in which the exact solver tries cards: the likeliest refutation first."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper
from advisor.kernels.ddstate import size_of
from advisor.kernels.packed import (
    COUNTERS,
    ONE_COPY,
    SUIT_MASK,
    U0,
    U1,
    U12,
    highest,
    lowest,
    suit_of_bit,
)
from advisor.kernels.tricks import above, winners_over

Array = np.ndarray[Any, Any]

# Score of a card: a number for its situation, and more if it is a counter, for each lower rank of
# its suit, if it is a trump, for each card of its suit in hand, and for each rank of its suit that
# the opponents hold. Found by changing one number at a time for fewer positions searched (random
# endings of 9 and 10 tricks and full deals). Situations: five of a lead (a sure winner; partner
# has the best; partner may ruff; an opponent may ruff; an opponent has a higher one), then four at
# each later place (takes the trick for good; takes it for now; leaves it to partner; loses it).
_WEIGHTS: Final = np.array(
    (
        (120, 80, 24, -292, -3, 21),
        (128, 0, 2, -12, -3, 0),
        (160, 0, 6, 0, 3, 0),
        (80, -40, 2, 0, 3, 9),
        (64, -40, 2, -68, 0, -3),
        (200, 24, -4, 0, 0, 0),
        (120, -40, -4, 0, 0, 0),
        (0, 80, -4, -32, 0, 0),
        (80, -80, -4, -32, 0, 0),
        (200, 12, -1, 0, 0, 0),
        (120, -40, -4, 0, 0, 0),
        (0, 80, -4, -32, 0, 0),
        (80, -80, 6, -32, 0, 0),
        (200, 40, -4, 0, 0, 0),
        (120, -40, -4, 0, 0, 0),
        (0, 80, -4, -32, 0, 0),
        (80, -80, -4, -32, 0, 0),
    ),
    dtype=np.int64,
)
_WEIGHTS.flags.writeable = False
_SURE_LEAD, _PARTNER_LEADS, _PARTNER_RUFFS, _OPPONENT_RUFFS, _BEATEN_LEAD = range(5)
_TAKES, _TAKES_FOR_NOW, _PARTNERS, _LOSES = range(4)
_REFUTED_LAST: Final = 70
_KNOWN_BEST: Final = 10_000


@helper
def order_moves(
    moves: Array,
    start: int,
    hands: Array,
    seat: int,
    place: int,
    cards: np.uint64,
    lead_mask: np.uint64,
    best: np.uint64,
    best_seat: int,
    best_lead: int,
    refuting_suit: int,
    scores: Array,
) -> int:
    """List cards to try, the likeliest refutation first; return how many.

    Parameters
    ----------
    moves : uint64 array
        Gets the card bits from `start` on; modified in place.
    hands : uint64 array, shape (4,)
    seat : int
        Who plays.
    place : int
        How many cards lie on the table.
    cards : uint64
        The card types to order, not none.
    lead_mask, best : uint64
        Bits of the suit led, and of the card winning the trick, played by `best_seat`.
    best_lead : int
        Which of the cards, from the lowest up, the table knows as the best lead, or -1.
    refuting_suit : int
        Suit that refuted a like question last, or -1.
    scores : int64 array, shape (12,)
        Scratch.
    """
    own = hands[seat]
    left = hands[(seat + 1) & 3]
    enemy = left | hands[(seat + 3) & 3]
    with_partner = best_seat == (seat ^ 2)
    # The cards that the next opponent, the last to matter for the order, cannot beat.
    held = ~U0
    if place == 1 or place == 2:
        held = held_against(left, lead_mask)
        with_partner = with_partner and (best & held) != U0
    beating = winners_over(best, lead_mask)
    n = 0
    rest = cards
    while rest:
        card = lowest(rest)
        rest ^= card
        suit = suit_of_bit(card)
        mask = SUIT_MASK << (suit * U12)
        if place == 0:
            situation = lead_situation(hands, seat, card, mask)
        elif card & beating:
            situation = 1 + 4 * place + (_TAKES if card & held else _TAKES_FOR_NOW)
        else:
            situation = 1 + 4 * place + (_PARTNERS if with_partner else _LOSES)
        score = _WEIGHTS[situation, 0]
        if card & COUNTERS:
            score += _WEIGHTS[situation, 1]
        score += _WEIGHTS[situation, 2] * size_of((card - U1) & mask & ONE_COPY)
        if suit == U0:
            score += _WEIGHTS[situation, 3]
        score += _WEIGHTS[situation, 4] * size_of(own & mask)
        score += _WEIGHTS[situation, 5] * size_of(enemy & mask & ONE_COPY)
        if place == 0:
            if np.int64(suit) == refuting_suit:
                score += _REFUTED_LAST
            if n == best_lead:
                score += _KNOWN_BEST
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            moves[start + i] = moves[start + i - 1]
            i -= 1
        scores[i] = score
        moves[start + i] = card
        n += 1
    return n


@helper
def held_against(left: np.uint64, lead_mask: np.uint64) -> np.uint64:
    """Return the mask of cards which, winning a trick, the next hand cannot beat."""
    trumps = left & SUIT_MASK & ONE_COPY
    follow = left & lead_mask & ONE_COPY
    if lead_mask != SUIT_MASK and follow:
        return SUIT_MASK | ~(highest(follow) - U1)
    if trumps == U0:
        return ~U0
    return SUIT_MASK & ~(highest(trumps) - U1)


@helper
def lead_situation(hands: Array, seat: int, card: np.uint64, mask: np.uint64) -> int:
    """Return which row of weights a lead has; `mask` is its suit."""
    left = hands[(seat + 1) & 3]
    partner = hands[(seat + 2) & 3]
    right = hands[(seat + 3) & 3]
    opposing = (left | right) & mask & ONE_COPY
    if (card & SUIT_MASK) == U0:
        left_ruffs = (left & mask) == U0 and (left & SUIT_MASK) != U0
        right_ruffs = (right & mask) == U0 and (right & SUIT_MASK) != U0
        if left_ruffs or right_ruffs:
            return _OPPONENT_RUFFS
    if (opposing & above(card)) == U0:
        return _SURE_LEAD
    partners = partner & mask & ONE_COPY
    if partners:
        return _PARTNER_LEADS if highest(partners) >= highest(opposing) else _BEATEN_LEAD
    ruffs = (card & SUIT_MASK) == U0 and (partner & SUIT_MASK) != U0
    return _PARTNER_RUFFS if ruffs else _BEATEN_LEAD
