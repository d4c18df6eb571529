"""One simulated round: deal, exchange, meld, twelve tricks."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.deal import deal_thirds, mix, sample_state, stream_of
from advisor.kernels.exchange import choose_send
from advisor.kernels.kept import ReturnTables
from advisor.kernels.meldscore import meld_of, meld_tables
from advisor.kernels.packed import (
    RULE_PASS_CARDS,
    U0,
    U1,
    U12,
    complement,
    list_cards,
    merge,
    permute_sides,
    returned_bits,
    swap_trump,
)
from advisor.kernels.play import play_out
from advisor.kernels.returns import recalled_return, return_work

Array = np.ndarray[Any, Any]

# Columns of an outcome. Declarer's own meld is part of our meld; points that the other side won
# stand by the suit led from LOST on.
OUR_MELD, THEIR_MELD, OUR_TRICKS, FLAGS, DECLARER_MELD, LOST = range(6)
# Flags: a trick won by our side and by theirs, meld of nothing but dix on our side and on theirs.
FLAG_OUR_TRICK, FLAG_THEIR_TRICK, FLAG_OUR_DIX_ONLY, FLAG_THEIR_DIX_ONLY = 1, 2, 4, 8
N_OUTCOME = LOST + 4
# Columns of the cards of a round; four hands stand from PLAYED_HANDS on.
RECEIVED, RETURNED, PLAYED_HANDS = range(3)
CHANCE = 6
N_CARDS = 7
_SIDE_NAMES = np.uint64(0x51DE_0051DE)
_CHANCE = np.uint64(0xC4A7_CE00_C4A7)
CHANCE_BITS = 10
ROTATIONS = 3


@helper
def dix_points(hand: np.uint64, trump: np.uint64) -> int:
    """Return 10 for each nine of trump."""
    return 10 * np.int64(popcount((hand >> (trump * U12)) & np.uint64(3)))


@helper
def side_names(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the names that side suits 1 and 2 get for the play of one sampled deal."""
    order = mix(state ^ _SIDE_NAMES) % np.uint64(6)
    first = order // np.uint64(2) + U1
    second = first % np.uint64(3) + U1
    if order & U1:
        second = np.uint64(6) - first - second
    return first, second


@entry
def deal_rounds(
    hand: np.uint64, seed: np.uint64, first: int, deals: Array, states: Array, turns: Array
) -> None:
    """Deal consecutive samples three times over, every hidden hand being partner's once.

    Parameters
    ----------
    hand : uint64
        The twelve cards known, packed.
    seed : uint64
    first : int
        Index of the first sample.
    deals : uint64 array, shape (3 * n_samples, 4)
        Packed hands, the known one first, then clockwise; modified in place.
    states : uint64 array, shape (3 * n_samples,)
        The generator's state of each sample, modified in place.
    turns : uint64 array, shape (3 * n_samples,)
        Which rotation of the sample it is, 0 to 2; modified in place.
    """
    unseen = np.empty(48, dtype=np.uint64)
    pack = np.empty(48, dtype=np.uint64)
    thirds = np.empty(3, dtype=np.uint64)
    n_unseen = list_cards(complement(hand), unseen)
    stream = stream_of(seed, hand)
    for i in range(len(deals) // ROTATIONS):
        state = sample_state(stream, np.uint64(first + i))
        deal_thirds(state, unseen, n_unseen, pack, thirds)
        for turn in range(ROTATIONS):
            row = ROTATIONS * i + turn
            deals[row, 0] = hand
            deals[row, 1] = thirds[(turn + 2) % 3]
            deals[row, 2] = thirds[turn]
            deals[row, 3] = thirds[(turn + 1) % 3]
            states[row] = state
            turns[row] = np.uint64(turn)


@entry
def play_rounds(
    deals: Array,
    states: Array,
    turns: Array,
    trumps: Array,
    sent: Array,
    given: Array,
    rules: Array,
    policy: Array,
    returns: ReturnTables,
    memory: Array,
    outcomes: Array,
    cards: Array,
) -> None:
    """Play deals from the exchange on: cards passed and returned, meld, twelve tricks.

    Parameters
    ----------
    deals : uint64 array, shape (n_rounds, 4)
        Packed hands as dealt, declarer first, then clockwise.
    states, turns : uint64 arrays, shape (n_rounds,)
        From `deal_rounds`: what chance decides in a round.
    trumps : int64 array, shape (n_rounds,)
    sent, given : uint64 arrays, shape (n_rounds,)
        The cards that partner sends and declarer gives back, packed; 0 where the policy chooses.
    rules, policy : int64 arrays
    returns : ReturnTables
        From `advisor.returning.return_tables`.
    memory : uint64 array, shape (2**n, 3)
        Of returns found before under the same rules (see `recalled_return`); modified in place.
    outcomes : int16 array, shape (n_rounds, N_OUTCOME)
        ``OUR_MELD``, ``THEIR_MELD``, ``OUR_TRICKS``, ``FLAGS``, ``DECLARER_MELD``, ours being
        declarer's side, and from ``LOST`` on what the other side won by the suit led; modified in
        place.
    cards : uint64 array, shape (n_rounds, N_CARDS)
        ``RECEIVED`` and ``RETURNED``, packed; from ``PLAYED_HANDS`` on the four hands that were
        played, declarer first, trump in suit 0; and under ``CHANCE`` a random number below
        2**CHANCE_BITS for the predictor. Modified in place.
    """
    melds = meld_tables(rules)
    hands = np.empty(4, dtype=np.uint64)
    trace = np.empty(48, dtype=np.uint8)
    renamed = np.zeros(4, dtype=np.int64)
    lost = np.zeros(4, dtype=np.int64)
    work = return_work()
    n_cards = rules[RULE_PASS_CARDS]
    for i in range(len(deals)):
        trump = np.int64(trumps[i])
        suit = np.uint64(trump)
        state = states[i]
        # Side suits are renamed at random for the play, whose ties go by the order of suits.
        name_1, name_2 = side_names(state)
        salt = mix(state + turns[i])
        declarer = deals[i, 0]
        left = deals[i, 1]
        partner = deals[i, 2]
        right = deals[i, 3]
        received = U0
        returned = U0
        if n_cards > 0:
            received = sent[i]
            if received == U0:
                received = choose_send(partner, suit, n_cards, policy, salt)
            declarer = merge(declarer, received)
            returned = given[i]
            if returned == U0:
                returned = recalled_return(
                    declarer, received, suit, n_cards, melds, returns, work, memory
                )
            declarer ^= returned_bits(declarer, returned)
            partner = merge(partner ^ returned_bits(partner, received), returned)
        declarer_meld = meld_of(declarer, suit, melds)
        our_meld = declarer_meld + meld_of(partner, suit, melds)
        their_meld = meld_of(left, suit, melds) + meld_of(right, suit, melds)
        our_dix = dix_points(declarer, suit) + dix_points(partner, suit)
        their_dix = dix_points(left, suit) + dix_points(right, suit)
        hands[0] = permute_sides(swap_trump(declarer, suit), name_1, name_2)
        hands[1] = permute_sides(swap_trump(left, suit), name_1, name_2)
        hands[2] = permute_sides(swap_trump(partner, suit), name_1, name_2)
        hands[3] = permute_sides(swap_trump(right, suit), name_1, name_2)
        for seat in range(4):
            cards[i, PLAYED_HANDS + seat] = hands[seat]
        cards[i, CHANCE] = mix(salt ^ _CHANCE) >> np.uint64(64 - CHANCE_BITS)
        renamed[:] = 0
        points, tricks = play_out(hands, 0, rules, trace, renamed)
        # Play has trump in suit 0; back to the suits of the hand.
        side_1 = np.int64(name_1)
        side_2 = np.int64(name_2)
        lost[:] = 0
        lost[trump] += renamed[0]
        lost[0 if trump == 1 else 1] += renamed[side_1]
        lost[0 if trump == 2 else 2] += renamed[side_2]
        lost[0 if trump == 3 else 3] += renamed[6 - side_1 - side_2]
        flags = 0
        if tricks > 0:
            flags |= FLAG_OUR_TRICK
        if tricks < 12:
            flags |= FLAG_THEIR_TRICK
        if our_meld == our_dix:
            flags |= FLAG_OUR_DIX_ONLY
        if their_meld == their_dix:
            flags |= FLAG_THEIR_DIX_ONLY
        outcomes[i, OUR_MELD] = our_meld
        outcomes[i, THEIR_MELD] = their_meld
        outcomes[i, OUR_TRICKS] = points
        outcomes[i, FLAGS] = flags
        outcomes[i, DECLARER_MELD] = declarer_meld
        for led in range(4):
            outcomes[i, LOST + led] = lost[led]
        cards[i, RECEIVED] = received
        cards[i, RETURNED] = returned
