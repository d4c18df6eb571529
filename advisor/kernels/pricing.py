"""What simulated rounds score at a bid: made, set, or thrown in once all have melded.

`advisor.pricing` says by which rules. A round is priced from five whole numbers, found once, and
from what declarer expects of the tricks; so one set of rounds prices every bid.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, short_entry
from advisor.kernels.rounds import (
    FLAG_OUR_DIX_ONLY,
    FLAG_OUR_TRICK,
    FLAG_THEIR_DIX_ONLY,
    FLAG_THEIR_TRICK,
)

Array = np.ndarray[Any, Any]

# House rules: points of all tricks; the shortfall after melding from which declarer may throw in;
# how a meld is saved, whether declarer's side has to save its own, and whether dix alone is saved.
TRICK_TOTAL, THROW_FROM, SAVED_BY, BIDDER_SAVES, DIX_SAVES = range(5)
N_PRICE_RULES: Final = 5
# How a meld is saved: always, by points in tricks, by a trick.
BY_NOTHING, BY_POINTS, BY_A_TRICK = range(3)
# Columns of a priced round: melds, our score (-1 where the meld is not saved, which makes no bid),
# theirs, and whether they would score more by playing on than they have melded.
OUR_MELD, THEIR_MELD, OUR_SCORE, THEIR_SCORE, NOTHING_TO_WIN = range(5)
N_PRICED: Final = 5
# Rows of what declarer expects: by points needed, the chance to take them and the mean of the
# tricks that do; then the chance that the others save their meld, and what their tricks score.
REACH, REACHED, OTHERS = range(3)
N_EXPECTED: Final = 3


@helper
def _saved(points: int, trick: int, dix_only: int, rules: Array) -> bool:
    if rules[SAVED_BY] == BY_NOTHING or (rules[DIX_SAVES] and dix_only):
        return True
    return points > 0 if rules[SAVED_BY] == BY_POINTS else trick != 0


@short_entry
def price_rounds(
    our_meld: Array,
    their_meld: Array,
    our_tricks: Array,
    flags: Array,
    judged_tricks: Array,
    judged_flags: Array,
    rules: Array,
    priced: Array,
    expected: Array,
) -> bool:
    """Find what does not depend on the bid.

    Parameters
    ----------
    our_meld, their_meld, our_tricks, flags : int16 arrays, shape (n_rounds,)
        Outcomes of `advisor.kernels.rounds`.
    judged_tricks, judged_flags : int16 arrays, shape (n_judged,)
        The rounds from which declarer knows what tricks to expect.
    rules : int64 array, shape (N_PRICE_RULES,)
    priced : int32 array, shape (n_rounds, N_PRICED)
        Modified in place.
    expected : float64 array, shape (N_EXPECTED, trick total + 1)
        Modified in place.

    Returns
    -------
    bool
        False, and nothing found, where tricks are out of range: of rounds under other rules.
    """
    total = rules[TRICK_TOTAL]
    for i in range(len(our_tricks)):
        if our_tricks[i] < 0 or our_tricks[i] > total:
            return False
    for i in range(len(judged_tricks)):
        if judged_tricks[i] < 0 or judged_tricks[i] > total:
            return False
    counts = np.zeros(total + 1, dtype=np.int64)
    their_points = 0
    their_saved = 0
    n = len(judged_tricks)
    for i in range(n):
        ours = np.int64(judged_tricks[i])
        flag = np.int64(judged_flags[i])
        counts[ours] += 1
        their_points += total - ours
        if _saved(total - ours, flag & FLAG_THEIR_TRICK, flag & FLAG_THEIR_DIX_ONLY, rules):
            their_saved += 1
    reach = 0.0
    reached = 0.0
    for need in range(total, -1, -1):
        share = counts[need] / n
        reach += share
        reached += share * need
        expected[REACH, need] = reach
        expected[REACHED, need] = reached
    expected[OTHERS, 0] = their_saved / n
    expected[OTHERS, 1] = their_points / n
    lost = 1.0 - expected[OTHERS, 0]
    for i in range(len(our_meld)):
        ours = np.int64(our_tricks[i])
        theirs = total - ours
        flag = np.int64(flags[i])
        priced[i, OUR_MELD] = our_meld[i]
        priced[i, THEIR_MELD] = their_meld[i]
        priced[i, OUR_SCORE] = our_meld[i] + ours
        if rules[BIDDER_SAVES] and not _saved(
            ours, flag & FLAG_OUR_TRICK, flag & FLAG_OUR_DIX_ONLY, rules
        ):
            priced[i, OUR_SCORE] = -1
        priced[i, THEIR_SCORE] = 0
        if _saved(theirs, flag & FLAG_THEIR_TRICK, flag & FLAG_THEIR_DIX_ONLY, rules):
            priced[i, THEIR_SCORE] = their_meld[i] + theirs
        priced[i, NOTHING_TO_WIN] = their_meld[i] * lost < expected[OTHERS, 1]
    return True


@helper
def _thrown_in(priced: Array, i: int, expected: Array, rules: Array, bid: int) -> bool:
    """Return whether declarer gives up a round at a bid."""
    # Both answers are found and one chosen: branches would be guessed wrong half the time.
    total = rules[TRICK_TOTAL]
    our_meld = np.int64(priced[i, OUR_MELD])
    their_meld = np.int64(priced[i, THEIR_MELD])
    short = bid - our_meld
    need = min(max(short, 0), total)
    reach = expected[REACH, need]
    ours = our_meld * reach + expected[REACHED, need] - bid * (1.0 - reach)
    theirs = their_meld * expected[OTHERS, 0] + expected[OTHERS, 1]
    within_reach = -bid - their_meld > ours - theirs
    # Out of reach the bid is lost either way, and only what the others score is left.
    beyond = priced[i, NOTHING_TO_WIN] != 0
    return (short >= rules[THROW_FROM]) & (beyond if short > total else within_reach)


@helper
def _score(priced: Array, i: int, bid: int, thrown: bool) -> tuple[int, int]:
    """Return what declarer's side and the others score in a round."""
    ours, theirs = np.int64(priced[i, OUR_SCORE]), np.int64(priced[i, THEIR_SCORE])
    made = (ours >= bid) & (not thrown)
    return (ours if made else -bid), (np.int64(priced[i, THEIR_MELD]) if thrown else theirs)


@short_entry
def score_bids(
    priced: Array, expected: Array, rules: Array, bids: Array, scores: Array, thrown: Array
) -> None:
    """Score rounds at some bids, or each at its own.

    Parameters
    ----------
    priced, expected, rules : arrays
        Of `price_rounds`.
    bids : int64 array, shape (n_bids, 1), or (1, n_rounds) for a bid to each round
    scores : int32 array, shape (2, n_bids, n_rounds)
        What declarer's side and the others score, modified in place.
    thrown : bool array, shape (n_bids, n_rounds)
        Whether declarer gives up before play, modified in place.
    """
    step = 0 if bids.shape[1] == 1 else 1
    for k in range(len(bids)):
        for i in range(len(priced)):
            bid = bids[k, step * i]
            thrown[k, i] = _thrown_in(priced, i, expected, rules, bid)
            scores[0, k, i], scores[1, k, i] = _score(priced, i, bid, thrown[k, i])


@short_entry
def score_auctions(
    declarers: Array,
    contracts: Array,
    named: Array,
    priced: Array,
    expected: Array,
    rules: Array,
    scores: Array,
    we_bid: Array,
) -> None:
    """Score rounds each in the contract that its auction brought.

    Parameters
    ----------
    declarers : int8 array, shape (n_rounds,)
        Whose contract it is: 0 for ours, 1 to 3 for the seats from our left on, -1 for a new deal.
    contracts : int16 array, shape (n_rounds,)
    named : int8 array, shape (highest contract + 1,)
        The trump that we name, by contract.
    priced : int32 array, shape (7, n_rounds, N_PRICED)
        Our contracts by trump, then those of the other seats, from `price_rounds`.
    expected : float64 array, shape (7, N_EXPECTED, trick total + 1)
    rules : int64 array, shape (N_PRICE_RULES,)
    scores : int32 array, shape (2, n_rounds)
        What our side and the others score, modified in place; nothing in a new deal.
    we_bid : bool array, shape (n_rounds,)
        Whether our side declares, modified in place.
    """
    for i in range(len(declarers)):
        place = np.int64(declarers[i])
        scores[0, i] = 0
        scores[1, i] = 0
        we_bid[i] = place == 0 or place == 2
        if place < 0:
            continue
        bid = np.int64(contracts[i])
        which = 3 + place if place else np.int64(named[bid])
        of_declarer = priced[which]
        thrown = _thrown_in(of_declarer, i, expected[which], rules, bid)
        first, second = _score(of_declarer, i, bid, thrown)
        ours = 0 if we_bid[i] else 1
        scores[ours, i] = first
        scores[1 - ours, i] = second
