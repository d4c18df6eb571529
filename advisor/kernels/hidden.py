"""The hidden cards as declarer sees them after the exchange: three hands that fit what was sent.

Declarer holds the own cards and those received. Partner kept the rest of a hand out of which the
sender's rule chose just those, which says much about it: an ace that did not come is probably not
there. Hidden hands are dealt evenly and kept only where the rule sends what was received, so those
kept are dealt as at a table where partners go by the rule.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.deal import mix, sample_state, stream_of
from advisor.kernels.exchange import choose_send
from advisor.kernels.packed import (
    ONE_COPY,
    U0,
    U1,
    complement,
    list_cards,
    merge,
    returned_bits,
    thermometer,
)

Array = np.ndarray[Any, Any]

_GOLDEN: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_SALT: Final = np.uint64(0x5A17_0000_5A17)
_COPIES: Final = np.uint64(0xC0B1_E500_C0B1)
_U32: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(0xFFFF_FFFF)


@helper
def draw(state: np.uint64, cards: Array, begin: int, end: int, n: int) -> np.uint64:
    """Draw cards `begin` to `end` of a list of `n` at random; return them packed.

    The cards from `begin` on are shuffled in place as far as that takes; those before stay.
    """
    counts = U0
    for position in range(begin, end):
        state = state + _GOLDEN
        left = np.uint64(n - position)
        pick = position + np.int64(((mix(state) & _LOW_HALF) * left) >> _U32)
        card = cards[pick]
        cards[pick] = cards[position]
        cards[position] = card
        counts += card
    return thermometer(counts)


@helper
def same_copy(sent: np.uint64, kept: np.uint64, state: np.uint64) -> bool:
    """Return whether partner, who held both copies of some cards and sent one, sent these.

    For every such card the copy in declarer's hand is the one sent in half of the cases.
    """
    pairs = popcount(sent & kept & ONE_COPY)
    return mix(state ^ _COPIES) & ((U1 << pairs) - U1) == U0


@entry
def deal_hidden(
    held: np.uint64,
    received: np.uint64,
    trump: np.uint64,
    n_cards: int,
    policy: Array,
    seed: np.uint64,
    first: int,
    most_tries: int,
    deals: Array,
    states: Array,
    sent: Array,
    tries: Array,
) -> None:
    """Deal the cards that declarer does not see, so that they fit what partner sent.

    Parameters
    ----------
    held : uint64
        Declarer's cards with those received, packed: 12 and `n_cards` more.
    received : uint64
        Which of them came from partner; 0 where that is not told, so that any may have come.
    trump : uint64
    n_cards : int
        2 to 4.
    policy : int64 array
        Whose sending partner goes by.
    seed : uint64
    first : int
        Index of the first sample.
    most_tries : int
        How often a sample is dealt at most; 0 takes the first deal, whatever the rule would send.
    deals : uint64 array, shape (n_samples, 4)
        Packed hands as dealt before the exchange, declarer's first, then clockwise; modified in
        place.
    states : uint64 array, shape (n_samples,)
        What chance decides in the round, modified in place.
    sent : uint64 array, shape (n_samples,)
        What came from partner, modified in place.
    tries : int64 array, shape (n_samples,)
        How often the sample was dealt, 0 where no deal fitted; modified in place.
    """
    own = np.empty(48, dtype=np.uint64)
    unseen = np.empty(48, dtype=np.uint64)
    n_kept = 12 - n_cards
    stream = stream_of(seed, held)
    for i in range(len(deals)):
        # Every sample begins alike, so that it depends on its index alone.
        n_own = list_cards(held, own)
        n_unseen = list_cards(complement(held), unseen)
        start = sample_state(stream, np.uint64(first + i))
        tries[i] = 0
        for trial in range(max(most_tries, 1)):
            state = sample_state(start, np.uint64(trial))
            came = received
            if received == U0:
                came = draw(state ^ _SALT, own, 0, n_cards, n_own)
            kept = draw(state, unseen, 0, n_kept, n_unseen)
            partner = merge(kept, came)
            if most_tries > 0:
                if not same_copy(came, kept, state):
                    continue
                if choose_send(partner, trump, n_cards, policy, mix(state ^ _SALT)) != came:
                    continue
            opponents = n_kept + (n_unseen - n_kept) // 2
            deals[i, 0] = held ^ returned_bits(held, came)
            deals[i, 1] = draw(state + _SALT, unseen, n_kept, opponents, n_unseen)
            deals[i, 2] = partner
            deals[i, 3] = draw(state + _COPIES, unseen, opponents, n_unseen, n_unseen)
            states[i] = state
            sent[i] = came
            tries[i] = trial + 1
            break
