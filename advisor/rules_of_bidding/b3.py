"""B3, base bid and an adjustment, with auction rules of its own.

Source: the "Proficient" bidder of Slippedup42, levels 2 and 3. Every deal of a league stands by
itself, so the score of the game moves nothing here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.cards import ACE, DIAMONDS, JACK, KING, NINE, QUEEN, SPADES
from advisor.rules_of_bidding.hands import Hands, pairs_in, suits_holding
from advisor.rules_of_bidding.rule import Habits, Rule, look_by

Array = np.ndarray[Any, Any]

CAP = 400.0


def uncapped(hands: Hands) -> Array:
    """Return base and adjustment by trump, points x10, shape (n, 4).

    Base, in units of ten: run 15 (double 150), or 12 with one card missing; a trump marriage 4 a
    pair, beside a run or near run only where both kings and both queens are held; side marriages
    2; nines of trump 1; legs of the pinochle 30 for two pairs, 22.5 for three cards, 4 for a pair;
    arounds 10, 8, 6, 4, doubles ten times that; 2 an ace; aces in just three suits 6, or 5 if
    trump is a suit of the pinochle. Adjustment: 16 if the run lacks only the ace and the three
    other aces are held, else 13.
    """
    copies = hands.copies
    runs = copies[:, :, JACK:].min(axis=2)
    near = (runs == 0) & (hands.missing == 1)
    pairs = pairs_in(copies)
    base = np.choose(runs, [0.0, 15.0, 150.0]) + 12.0 * near
    base += np.where((runs > 0) | near, 4.0 * (pairs == 2), 4.0 * pairs)
    base += 2.0 * hands.side_sum(pairs) + copies[:, :, NINE]
    base += _of_the_hand(hands)[:, None]
    ace_suits = suits_holding(copies, ACE)
    base += np.where((ace_suits == 3)[:, None], np.array([5.0, 6.0, 5.0, 6.0]), 0.0)
    others = hands.side_sum((copies[:, :, ACE] > 0).astype(np.int64))
    only_the_ace = near & (copies[:, :, ACE] == 0) & (others == 3)
    worth: Array = 10 * (base + np.where(only_the_ace, 16.0, 13.0))
    return worth


def _of_the_hand(hands: Hands) -> Array:
    """Return what counts under every trump: pinochle, arounds, aces, in units of ten."""
    copies = hands.copies
    queens, jacks = copies[:, SPADES, QUEEN], copies[:, DIAMONDS, JACK]
    both = np.minimum(queens, jacks)
    legs = np.choose(both, [0.0, 4.0, 30.0])
    legs = np.where((both == 1) & (queens + jacks == 3), 22.5, legs)
    worth: Array = legs + 2.0 * hands.aces
    for rank, single in ((ACE, 10.0), (KING, 8.0), (QUEEN, 6.0), (JACK, 4.0)):
        worth += np.choose(copies[:, :, rank].min(axis=1), [0.0, single, 10 * single])
    return worth


def values(hands: Hands) -> Array:
    """Return what the rule would bid by trump, points x10, shape (n, 4).

    At most 400, unless more than 300 are melded, a run counting with its marriage.
    """
    stacked = hands.meld + 40 * hands.copies[:, :, JACK:].min(axis=2)
    found = uncapped(hands)
    worth: Array = np.where(stacked > 300, found, np.minimum(found, CAP))
    return worth


HABITS = Habits(opening=320, third_opens=True, answer=200, partner_floor=330, partner_bids=2)
B3 = Rule("b3", look_by(values), HABITS)
