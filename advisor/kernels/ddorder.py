"""The order in which the exact solver tries cards: the likeliest refutation first."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import helper, popcount
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


@helper
def order_moves(
    moves: Array,
    hands: Array,
    seat: int,
    position: int,
    cards: np.uint64,
    lead_mask: np.uint64,
    best: np.uint64,
    best_seat: int,
    hint: np.uint64,
    scores: Array,
) -> int:
    """List cards to try, the likeliest refutation first; return how many."""
    n = 0
    left = hands[(seat + 1) & 3]
    partner = hands[(seat + 2) & 3]
    right = hands[(seat + 3) & 3]
    rest = cards
    while rest:
        card = lowest(rest)
        rest ^= card
        counter = (card & COUNTERS) != U0
        suit = suit_of_bit(card)
        mask = SUIT_MASK << (suit * U12)
        rank_bits = np.int64(popcount(((card - U1) & mask) & ONE_COPY))
        score = 0
        if position == 0:
            higher = above(card) & mask
            enemy = left | right
            beaten = (enemy & higher) != U0
            ruffed = False
            if suit != U0:
                ruffed = ((left & mask) == U0 and (left & SUIT_MASK) != U0) or (
                    (right & mask) == U0 and (right & SUIT_MASK) != U0
                )
            if not beaten and not ruffed:
                score = 60 + (20 if counter else 0) + rank_bits
                if suit == U0:
                    score += 5
            else:
                helped = False
                if not ruffed:
                    enemy_top = enemy & mask & ONE_COPY
                    partner_top = partner & mask & ONE_COPY
                    if partner_top:
                        helped = enemy_top == U0 or highest(partner_top) >= highest(enemy_top)
                    elif suit != U0 and (partner & SUIT_MASK) != U0:
                        helped = True
                score = (40 if helped else 20) - rank_bits - (10 if counter and not helped else 0)
                if suit == U0 and not helped:
                    score -= 5
        else:
            wins = (card & winners_over(best, lead_mask)) != U0
            if wins:
                held = True
                if position < 3:
                    # Whether the next opponent can take it back.
                    follow = left & lead_mask
                    if card & SUIT_MASK:
                        can = left & SUIT_MASK & above(card)
                        held = can == U0 or (follow != U0 and lead_mask != SUIT_MASK)
                    elif follow:
                        held = (left & lead_mask & above(card)) == U0
                    else:
                        held = (left & SUIT_MASK) == U0
                if held:
                    score = 50 + (10 if counter and position == 3 else 0) - rank_bits
                else:
                    score = 30 - (10 if counter else 0) - rank_bits
            else:
                with_us = best_seat == (seat ^ 2)
                if with_us and position < 3:
                    if best & SUIT_MASK:
                        with_us = (left & SUIT_MASK & above(best)) == U0 or (
                            (left & lead_mask) != U0 and lead_mask != SUIT_MASK
                        )
                    elif left & lead_mask:
                        with_us = (left & lead_mask & above(best)) == U0
                    else:
                        with_us = (left & SUIT_MASK) == U0
                score = (20 if counter else 0) if with_us else (0 if counter else 20)
                score -= rank_bits
                if suit == U0 and lead_mask != SUIT_MASK:
                    score -= 8
        if card == hint:
            score += 1000
        place = n
        while place > 0 and scores[place - 1] < score:
            scores[place] = scores[place - 1]
            moves[place] = moves[place - 1]
            place -= 1
        scores[place] = score
        moves[place] = card
        n += 1
    return n
