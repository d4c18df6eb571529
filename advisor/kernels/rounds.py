"""One simulated round: deal, exchange, meld, twelve tricks."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.deal import deal_thirds, sample_state, stream_of
from advisor.kernels.exchange import choose_send
from advisor.kernels.meldscore import meld_of, meld_tables
from advisor.kernels.packed import (
    RULE_PASS_CARDS,
    U0,
    U12,
    complement,
    list_cards,
    merge,
    returned_bits,
    swap_trump,
)
from advisor.kernels.play import play_out
from advisor.kernels.returns import choose_return

Array = np.ndarray[Any, Any]

# Columns of an outcome. Declarer's own meld is part of our meld.
OUR_MELD, THEIR_MELD, OUR_TRICKS, FLAGS, DECLARER_MELD = range(5)
# Flags: a trick won by our side and by theirs, meld of nothing but dix on our side and on theirs.
FLAG_OUR_TRICK, FLAG_THEIR_TRICK, FLAG_OUR_DIX_ONLY, FLAG_THEIR_DIX_ONLY = 1, 2, 4, 8
N_OUTCOME = 5
RECEIVED, RETURNED = range(2)
ROTATIONS = 3


@helper
def dix_points(hand: np.uint64, trump: np.uint64) -> int:
    """Return 10 for each nine of trump."""
    return 10 * np.int64(popcount((hand >> (trump * U12)) & np.uint64(3)))


@entry
def simulate_rounds(
    hand: np.uint64,
    trump: int,
    seed: np.uint64,
    first: int,
    rules: Array,
    policy: Array,
    returns: tuple[Array, Array, Array],
    outcomes: Array,
    cards: Array,
    lost: Array,
) -> None:
    """Play consecutive sampled deals with the given hand as declarer.

    Each deal is used three times, every hidden hand being partner's once.

    Parameters
    ----------
    hand : uint64
        Declarer's twelve cards, packed.
    trump : int
    seed : uint64
    first : int
        Index of the first sample.
    rules, policy : int64 arrays
    returns : tuple of arrays
        From `returns.build_return_tables`.
    outcomes : int16 array, shape (n_samples, 3, N_OUTCOME)
        ``OUR_MELD``, ``THEIR_MELD``, ``OUR_TRICKS``, ``FLAGS``, ``DECLARER_MELD``;
        modified in place.
    cards : uint64 array, shape (n_samples, 3, 2)
        ``RECEIVED`` and ``RETURNED``, packed; modified in place.
    lost : int64 array, shape (4,)
        Points that the other side won, added up by the suit led; modified in place.
    """
    melds = meld_tables(rules)
    unseen = np.empty(48, dtype=np.uint64)
    pack = np.empty(48, dtype=np.uint64)
    thirds = np.empty(3, dtype=np.uint64)
    hands = np.empty(4, dtype=np.uint64)
    trace = np.empty(48, dtype=np.uint8)
    by_suit = np.zeros(4, dtype=np.int64)
    n_cards = rules[RULE_PASS_CARDS]
    suit = np.uint64(trump)
    n_unseen = list_cards(complement(hand), unseen)
    stream = stream_of(seed, hand)
    for i in range(len(outcomes)):
        deal_thirds(sample_state(stream, np.uint64(first + i)), unseen, n_unseen, pack, thirds)
        for turn in range(ROTATIONS):
            partner = thirds[turn]
            left = thirds[(turn + 2) % 3]
            right = thirds[(turn + 1) % 3]
            declarer = hand
            received = U0
            returned = U0
            if n_cards > 0:
                received = choose_send(partner, suit, n_cards, policy)
                declarer = merge(declarer, received)
                returned = choose_return(declarer, suit, n_cards, melds, policy, returns)
                declarer ^= returned_bits(declarer, returned)
                partner = merge(partner ^ returned_bits(partner, received), returned)
            declarer_meld = meld_of(declarer, suit, melds)
            our_meld = declarer_meld + meld_of(partner, suit, melds)
            their_meld = meld_of(left, suit, melds) + meld_of(right, suit, melds)
            our_dix = dix_points(declarer, suit) + dix_points(partner, suit)
            their_dix = dix_points(left, suit) + dix_points(right, suit)
            hands[0] = swap_trump(declarer, suit)
            hands[1] = swap_trump(left, suit)
            hands[2] = swap_trump(partner, suit)
            hands[3] = swap_trump(right, suit)
            points, tricks = play_out(hands, 0, rules, trace, by_suit)
            flags = 0
            if tricks > 0:
                flags |= FLAG_OUR_TRICK
            if tricks < 12:
                flags |= FLAG_THEIR_TRICK
            if our_meld == our_dix:
                flags |= FLAG_OUR_DIX_ONLY
            if their_meld == their_dix:
                flags |= FLAG_THEIR_DIX_ONLY
            outcomes[i, turn, OUR_MELD] = our_meld
            outcomes[i, turn, THEIR_MELD] = their_meld
            outcomes[i, turn, OUR_TRICKS] = points
            outcomes[i, turn, FLAGS] = flags
            outcomes[i, turn, DECLARER_MELD] = declarer_meld
            cards[i, turn, RECEIVED] = received
            cards[i, turn, RETURNED] = returned
    # Play has trump in suit 0; back to the suits of the hand.
    lost[trump] += by_suit[0]
    for side in range(1, 4):
        lost[0 if side == trump else side] += by_suit[side]
