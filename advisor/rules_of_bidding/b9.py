"""B9, bid while declaring is worth as much as defending.

Source: levels 4 and 5 of Slippedup42 and its text on strategy. At a bid b the worth of declaring is
D(b), the mean of ours - theirs with ours the team's score where it reaches b and else -b; that of
passing is the mean of the same difference when, at the same deals and the same b, the opponent
whose hand B3 values higher declares in his own best suit by B3. The source looks at 20 to 50
deals and its text recommends 150. The source also has a form that counts own points only; it always
prefers the cheapest bid and says nothing of how high to go, so it is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.auction import bid_ladder
from advisor.rules_of_bidding import b3
from advisor.rules_of_bidding.hands import Hands, best_suit
from advisor.rules_of_bidding.rule import Rule

Array = np.ndarray[Any, Any]

TOP = 800


def differences(scores: Array, others: Array, bid: int) -> Array:
    """Return the mean of declarer's side less the other at a bid, over the last axis."""
    mean: Array = (np.where(scores >= bid, scores, -bid) - others).mean(axis=-1)
    return mean


def opponents(hands: Hands) -> tuple[Array, Array]:
    """Return place and trump of the opponent who declares in each deal, (n * ROUNDS,)."""
    deals = hands.samples.deals.hands
    # The three rounds of a sample share their hidden hands.
    triples = deals[::3, 1:]
    values = b3.values(Hands(triples.ravel(), hands.rules))
    trumps = best_suit(values).reshape(-1, 3)
    worth = values.max(axis=1).reshape(-1, 3)
    # From the left in the first round: hands 0, 1, 2, of which the second is partner's.
    place, trump = np.zeros((2, len(deals)), dtype=np.int64)
    for turn in range(3):
        here = deals[turn::3]
        left, right = (_index_of(triples, here[:, seat]) for seat in (1, 3))
        rows = np.arange(len(triples))
        left_is_higher = worth[rows, left] >= worth[rows, right]
        place[turn::3] = np.where(left_is_higher, 1, 3)
        trump[turn::3] = trumps[rows, np.where(left_is_higher, left, right)]
    return place, trump


def _index_of(triples: Array, hands: Array) -> Array:
    found: Array = (triples == hands[:, None]).argmax(axis=1)
    return found


def look(hands: Hands) -> tuple[Array, Array]:
    """Return the highest bid up to which declaring is worth as much as passing, and the suit."""
    ours, theirs = hands.samples.declaring
    place, trump = opponents(hands)
    their_scores, our_points = hands.samples.defending(place, trump)
    limits = np.zeros(len(hands), dtype=np.int64)
    trumps = best_suit(ours.mean(axis=2))
    going_on = np.ones(len(hands), dtype=bool)
    looked_at = hands.samples.looked_at
    for bid in bid_ladder(hands.rules, TOP):
        rows = np.flatnonzero(going_on)
        if not len(rows):
            break
        declaring = differences(ours[rows], theirs[rows], bid)
        declaring = np.where(looked_at[rows], declaring, -np.inf)
        passing = -differences(their_scores[rows], our_points[rows], bid)
        good = declaring.max(axis=1) >= passing
        limits[rows[good]] = bid
        trumps[rows[good]] = best_suit(declaring[good])
        going_on[rows[~good]] = False
    return limits, trumps


B9 = Rule("b9", look)
