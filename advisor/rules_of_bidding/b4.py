"""B4, between the worst and the best of partner's four cards.

Source: PinochleTutor, a tutor for this very game (a pass of four, 250 to open); partly checked. Its
chance that partner has the cards is replaced by the exact one, and its counting of melds.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from advisor.game.cards import ACE, DIAMONDS, JACK, QUEEN, SPADES
from advisor.rules_of_bidding.hands import Hands, at, best_suit
from advisor.rules_of_bidding.rule import Rule

Array = np.ndarray[Any, Any]


def chance_of(cards: int) -> float:
    """Return the chance that partner's 12 of 36 cards hold one copy at least of so many cards.

    Both copies of each are unseen; by inclusion and exclusion.

    >>> round(chance_of(1), 4), round(chance_of(4), 4)
    (0.5619, 0.0779)
    """
    ways = sum((-1) ** j * comb(cards, j) * comb(36 - 2 * j, 12) for j in range(cards + 1))
    chance: float = ways / comb(36, 12)
    return chance


CHANCES = np.array([chance_of(cards) for cards in range(6)])


def losers(hands: Hands) -> Array:
    """Return the side cards of suits without an ace, by trump, int64, shape (n, 4)."""
    return hands.side_sum(np.where(hands.copies[:, :, ACE] == 0, hands.lengths, 0))


def low(hands: Hands) -> Array:
    """Return meld + 250 - 10 for each loser, by trump: partner brings nothing."""
    worth: Array = hands.meld + 250 - 10 * losers(hands)
    return worth


def high(hands: Hands) -> Array:
    """Return the same with the missing run cards, and 40, by trump.

    Its meld is that of all own aces, all own trumps, the other leg of the pinochle where trump is
    a suit of it, and the missing cards of the run.
    """
    melds = np.zeros((len(hands), 4), dtype=np.int64)
    for trump in range(4):
        kept = np.zeros_like(hands.copies)
        kept[:, :, ACE] = hands.copies[:, :, ACE]
        kept[:, trump] = hands.copies[:, trump]
        kept[:, trump, JACK:] = np.maximum(kept[:, trump, JACK:], 1)
        if trump == SPADES:
            kept[:, DIAMONDS, JACK] = hands.copies[:, DIAMONDS, JACK]
        elif trump == DIAMONDS:
            kept[:, SPADES, QUEEN] = hands.copies[:, SPADES, QUEEN]
        bits = (np.uint64(1) << kept.astype(np.uint64)) - np.uint64(1)
        places = (np.uint64(2) * np.arange(24, dtype=np.uint64)).reshape(4, 6)
        packed = (bits << places).sum(axis=(1, 2), dtype=np.uint64)
        melds[:, trump] = hands.meld_of(packed)[:, trump]
    worth: Array = melds + 250 - 10 * losers(hands) + 40
    return worth


def values(hands: Hands) -> Array:
    """Return low + (high - low) x weight by trump, at least 250, points x10, shape (n, 4).

    With p the chance that partner has the missing cards, the weight is 1 - (1 - q)^2 with
    q = 0.5 + (p - 0.5) / 2 from p = 0.5 on, else p / 2. A complete run, and a suit that lacks all
    five cards, has the low value.
    """
    missing = hands.missing
    p = CHANCES[missing]
    q = 0.5 + (p - 0.5) / 2
    weight = np.where(p >= 0.5, 1 - (1 - q) ** 2, p / 2)
    bottom = low(hands)
    between = (missing >= 1) & (missing <= 4)
    worth = bottom + np.where(between, (high(hands) - bottom) * weight, 0.0)
    raised: Array = np.maximum(worth, 250.0)
    return raised


def look(hands: Hands) -> tuple[Array, Array]:
    """Return limits, and the suits whose run partner completes most likely."""
    chances = np.where(hands.missing <= 4, CHANCES[hands.missing], -1.0)
    trumps = best_suit(chances)
    return np.floor(at(values(hands), trumps)).astype(np.int64), trumps


B4 = Rule("b4", look)
