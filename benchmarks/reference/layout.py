"""Hands after the exchange under the suits of the play, and the melds laid down."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels._jit import helper
from advisor.kernels.deal import mix, sample_state, stream_of
from advisor.kernels.meldscore import meld_of, meld_tables
from advisor.kernels.packed import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    U0,
    merge,
    permute_sides,
    returned_bits,
    swap_trump,
)
from advisor.kernels.rounds import side_names
from reference.compiled import entry
from reference.knowledge import less, shown_cards

Array = np.ndarray[Any, Any]


@helper
def in_play(cards: np.uint64, trump: np.uint64, names: tuple[np.uint64, np.uint64]) -> np.uint64:
    """Return cards under the suits of the play."""
    return permute_sides(swap_trump(cards, trump), names[0], names[1])


@entry
def sample_states(word: np.uint64, seed: np.uint64, first: int, out: Array) -> None:
    """Write the states at which the streams of consecutive samples start, uint64, by `word`."""
    stream = stream_of(seed, word)
    for i in range(len(out)):
        out[i] = sample_state(stream, np.uint64(first + i))


@entry
def exchange_salts(states: Array, out: Array) -> None:
    """Write what breaks the ties of the exchange in the first rotation of samples, uint64."""
    for i in range(len(states)):
        out[i] = mix(states[i])


@entry
def lay_out(
    hand: np.uint64,
    trump: int,
    states: Array,
    thirds: Array,
    exchanges: Array,
    rules: Array,
    dealt: Array,
    hands: Array,
    passed: Array,
    shown: Array,
    points: Array,
    legs: Array,
) -> None:
    """Carry out exchanges, rename the suits for the play and lay down the melds.

    Parameters
    ----------
    hand : uint64
        Declarer's twelve cards, packed.
    trump : int
    states : uint64 array, shape (n_deals,)
        From `sample_states` of declarer's hand: they name the side suits.
    thirds : uint64 array, shape (n_deals, 3)
        Hidden hands as `advisor.kernels.deal.deal_hands` writes them.
    exchanges : uint64 array, shape (n_deals, 2)
        Cards sent and returned.
    rules : int64 array
    dealt : uint64 array, shape (n_deals, 4)
        Hands after the exchange under the suits of the cards, modified in place.
    hands : uint64 array, shape (n_deals, 4)
        The same under the suits of the play, as all that follows; modified in place.
    passed : uint64 array, shape (n_deals, 4, 4)
        By viewer and seat, passed cards of which the viewer knows that the seat has them: declarer
        of those returned, partner of those sent that did not come back. Modified in place.
    shown : uint64 array, shape (n_deals, 4)
        Cards shown in meld, modified in place.
    points : int64 array, shape (n_deals, 4)
        Points of meld, modified in place.
    legs : uint64 array, shape (n_deals, 2)
        Bits of the pinochle's queen and jack, modified in place.
    """
    melds = meld_tables(rules)
    suit = np.uint64(trump)
    for i in range(len(states)):
        names = side_names(states[i])
        sent = exchanges[i, 0]
        returned = exchanges[i, 1]
        declarer = merge(hand, sent)
        partner = thirds[i, 0] ^ returned_bits(thirds[i, 0], sent)
        # In the first rotation of a sample the last third sits to declarer's left.
        dealt[i, 0] = declarer ^ returned_bits(declarer, returned)
        dealt[i, 1] = thirds[i, 2]
        dealt[i, 2] = merge(partner, returned)
        dealt[i, 3] = thirds[i, 1]
        legs[i, 0] = in_play(QUEEN_OF_SPADES, suit, names)
        legs[i, 1] = in_play(JACK_OF_DIAMONDS, suit, names)
        passed[i] = U0
        passed[i, 0, 2] = in_play(returned, suit, names)
        passed[i, 2, 0] = in_play(less(sent, returned), suit, names)
        for seat in range(4):
            hands[i, seat] = in_play(dealt[i, seat], suit, names)
            points[i, seat] = meld_of(dealt[i, seat], suit, melds)
            shown[i, seat] = shown_cards(hands[i, seat], legs[i, 0], legs[i, 1], melds)
