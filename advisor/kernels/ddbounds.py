"""Points that the sides of an open deal are certain of, counted without a search.

Points are in counters: ace, ten, king and the last trick one each. Trump is suit 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper
from advisor.kernels.ddstate import COUNTER_PAIRS, counters_in, size_of
from advisor.kernels.packed import ONE_COPY, SUIT_MASK, U0, U1, U12, highest, remove
from advisor.kernels.tricks import above

Array = np.ndarray[Any, Any]

_NO_SUIT: Final = -1


@helper
def sure_points(hands: Array, leader: int, total: int, need: int) -> tuple[int, int]:
    """Return bounds on the counters that seats 0 and 2 take.

    Parameters
    ----------
    hands : uint64 array, shape (4,)
        Packed hands of one size.
    leader : int
        Seat that leads to the next trick.
    total : int
        Counters in hand, and one for the last trick.
    need : int
        The question: once a bound answers it, no better one is looked for.
    """
    own = hands[leader]
    left = hands[(leader + 1) & 3]
    partner = hands[(leader + 2) & 3]
    right = hands[(leader + 3) & 3]
    ours = (leader & 1) == 0
    sure = cashed_points(own, left, partner, right, _NO_SUIT)
    theirs = high_trump_counters(left, right, own | partner)
    wanted = need if ours else total - need + 1
    if sure < wanted and total - theirs >= wanted:
        sure = max(sure, points_after_entry(own, left, partner, right))
    if ours:
        return sure, total - theirs
    return theirs, total - sure


@helper
def high_trumps(opposing: np.uint64) -> np.uint64:
    """Return the mask of trump counters above all trumps of the opposing hands together.

    Such a card is in a trick of its own side whenever it falls.
    """
    trumps = opposing & SUIT_MASK & ONE_COPY
    high = SUIT_MASK & COUNTER_PAIRS
    return high & above(highest(trumps)) if trumps else high


@helper
def high_trump_counters(one: np.uint64, two: np.uint64, opposing: np.uint64) -> int:
    """Return how many such counters two partners have."""
    high = high_trumps(opposing)
    return size_of(one & high) + size_of(two & high)


@helper
def cashed_points(
    own: np.uint64, left: np.uint64, partner: np.uint64, right: np.uint64, entry_suit: int
) -> int:
    """Return counters that the leader's side takes if he begins with his sure winners.

    A winner is a card that nobody can beat or ruff. Trumps come first, as far as the leader's are
    the highest, and may leave the others without any. Opponents throw a counter where they have
    nothing else; partner throws one wherever he can.

    Parameters
    ----------
    own, left, partner, right : uint64
        Packed hands from the leader on. The opponents' may have one card more.
    entry_suit : int
        If they have, the suit of which they must have thrown it if they could; else -1.

    Returns
    -------
    int
        The last trick included, if the leader takes every trick.
    """
    n_tricks = 0
    points = 0
    from_partner = 0
    from_left = 0
    from_right = 0
    left_trumps = size_of(left & SUIT_MASK)
    partner_trumps = size_of(partner & SUIT_MASK)
    right_trumps = size_of(right & SUIT_MASK)
    partner_high = size_of(partner & high_trumps(left | right))
    for suit in range(4):
        mask = SUIT_MASK << (np.uint64(suit) * U12)
        mine = own & mask
        partners = partner & mask
        others = (left | partner | right) & mask & ONE_COPY
        winners = mine & ~(highest(others) - U1) if others else mine
        n = size_of(winners)
        thrown = 0
        if n > 0:
            lefts = left & mask
            rights = right & mask
            n_left = size_of(lefts)
            n_partner = size_of(partners)
            n_right = size_of(rights)
            if n >= n_left and n >= n_partner and n >= n_right:
                # Nobody has any left for the small ones.
                winners = mine
                n = size_of(mine)
            if suit == 0:
                left_trumps -= n
                partner_trumps -= n
                right_trumps -= n
            else:
                gone = 1 if suit == entry_suit else 0
                if left_trumps > 0:
                    n = min(n, max(0, n_left - gone))
                if right_trumps > 0:
                    n = min(n, max(0, n_right - gone))
                if partner_trumps > 0:
                    n = min(n, n_partner)
            n_tricks += n
            from_left += max(0, min(n, n_left) - size_of(lefts & ~COUNTER_PAIRS))
            from_right += max(0, min(n, n_right) - size_of(rights & ~COUNTER_PAIRS))
            thrown = min(n, counters_in(partners))
            from_partner += max(0, n - n_partner)
        if suit == 0:
            points += max(min(n, counters_in(winners)), size_of(own & high_trumps(left | right)))
            thrown = min(counters_in(partners), thrown + partner_high)
        else:
            points += min(n, counters_in(winners))
        from_partner += thrown
    if n_tricks >= size_of(own):
        return 1 + counters_in(own) + counters_in(left) + counters_in(partner) + counters_in(right)
    points += min(from_partner, counters_in(partner))
    points += max(from_left, n_tricks - size_of(left & ~COUNTER_PAIRS))
    return points + max(from_right, n_tricks - size_of(right & ~COUNTER_PAIRS))


@helper
def points_after_entry(
    own: np.uint64, left: np.uint64, partner: np.uint64, right: np.uint64
) -> int:
    """Return counters that the leader's side takes if he lets partner in to his sure winners.

    That needs a card of which partner has a higher one that the opponents can neither beat nor
    ruff: partner must play higher than a card of trump, and may in any suit.
    """
    most = 0
    for suit in range(4):
        mask = SUIT_MASK << (np.uint64(suit) * U12)
        lefts = left & mask & ONE_COPY
        rights = right & mask & ONE_COPY
        partners = partner & mask & ONE_COPY
        if (own & mask) == U0 or partners == U0:
            continue
        left_ruffs = lefts == U0 and (left & SUIT_MASK) != U0
        right_ruffs = rights == U0 and (right & SUIT_MASK) != U0
        if suit > 0 and (left_ruffs or right_ruffs):
            continue
        # Of equal cards the first wins: the left opponent's before partner's before the right's.
        top = highest(partners)
        if top <= lefts or (rights and top < highest(rights)):
            continue
        smaller = own & mask & ONE_COPY & (top - U1)
        if smaller:
            card = highest(smaller)
            points = counters_in(top) + counters_in(card)
            points += cashed_points(remove(partner, top), right, remove(own, card), left, suit)
            most = max(most, points)
    return most
