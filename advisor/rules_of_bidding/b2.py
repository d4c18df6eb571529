"""B2, winners plus near meld.

Source: TricksterBots' single-deck bidder for games with a pass, read, not run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.cards import ACE
from advisor.rules_of_bidding.hands import Hands, at, suits_holding, with_card
from advisor.rules_of_bidding.rule import Rule

Array = np.ndarray[Any, Any]

PARTNER_MELD = 30.0
TRICK = 25.0
PASSED_TRICKS = 2


def trump_tricks(hands: Hands) -> Array:
    """Return own cards that may take a trick by suit, as trump, int64, shape (n, 4).

    The twelve cards of the suit are walked from the top. One that we hold counts, one that we lack
    is a gap; the walk ends when as many are counted as we hold less the gaps.
    """
    copies, lengths = hands.copies, hands.lengths
    counted, gaps = np.zeros_like(lengths), np.zeros_like(lengths)
    for rank in range(ACE, -1, -1):
        for copy in (1, 2):
            walking = counted < lengths - gaps
            held = copies[:, :, rank] >= copy
            counted += walking & held
            gaps += walking & ~held
    return counted


def side_tricks(hands: Hands) -> Array:
    """Return the cards from the top of each suit without a gap, int64, shape (n, 4)."""
    counted = np.zeros_like(hands.lengths)
    unbroken = np.ones(counted.shape, dtype=bool)
    for rank in range(ACE, -1, -1):
        for copy in (1, 2):
            unbroken &= hands.copies[:, :, rank] >= copy
            counted += unbroken
    return counted


def near_meld(hands: Hands) -> Array:
    """Return the meld by trump with one card more where just one lacks, int64, shape (n, 4).

    The card that completes a run; failing that, the ace of trump that completes aces around.
    """
    near = hands.meld.copy()
    ace_suits = suits_holding(hands.copies, ACE)
    for trump in range(4):
        held = hands.copies[:, trump] > 0
        lacking = hands.missing[:, trump] == 1
        rank = 1 + held[:, 1:].argmin(axis=1)
        aces = ~lacking & (hands.missing[:, trump] > 0) & (ace_suits == 3) & ~held[:, ACE]
        rank = np.where(lacking, rank, ACE)
        rows = np.flatnonzero(lacking | aces)
        suits = np.full(len(rows), trump, dtype=np.int64)
        more = with_card(hands.packed[rows], suits, rank[rows])
        near[rows, trump] = hands.meld_of(more)[:, trump]
    return near


def parts(hands: Hands) -> tuple[Array, Array]:
    """Return tricks without the pass, int64, and near meld in points, by trump."""
    named = hands.lengths > 0
    tricks = np.where(named, trump_tricks(hands) + hands.side_sum(side_tricks(hands)), 0)
    return tricks, near_meld(hands)


def values(hands: Hands) -> Array:
    """Return 25 x tricks + near meld + 30 by trump, points x10, before rounding up."""
    tricks, meld = parts(hands)
    worth: Array = TRICK * (tricks + PASSED_TRICKS) + meld + PARTNER_MELD
    return worth


def look(hands: Hands) -> tuple[Array, Array]:
    """Return limits, rounded up to ten, and trumps; of equal ones the longer suit."""
    tricks, meld = parts(hands)
    order = np.array([0, 1, 3, 2])
    rank = (meld + TRICK * tricks) * 100 + hands.lengths
    trumps = order[rank[:, order].argmax(axis=1)]
    limits = 10 * np.ceil(at(values(hands), trumps) / 10)
    return limits.astype(np.int64), trumps


B2 = Rule("b2", look)
