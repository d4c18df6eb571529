"""Dealing the unseen cards, by a counter-based random stream.

The stream of a sample depends on (seed, hand, sample index) and nothing else, so the same hand
gets the same deals for any thread count, block size or row order. The generator is SplitMix64
(Steele, Lea and Flood 2014); a bounded draw is the high half of a 32-bit product, whose bias for
bounds up to 48 is below 1.2e-8.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper
from advisor.kernels.packed import U0, U1, complement, list_cards, thermometer

Array = np.ndarray[Any, Any]

_GOLDEN: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_MIX_A: Final = np.uint64(0xBF58_476D_1CE4_E5B9)
_MIX_B: Final = np.uint64(0x94D0_49BB_1331_11EB)
_U27: Final = np.uint64(27)
_U30: Final = np.uint64(30)
_U31: Final = np.uint64(31)
_U32: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(0xFFFF_FFFF)


@helper
def mix(word: np.uint64) -> np.uint64:
    """Return the SplitMix64 finaliser of a word."""
    word = (word ^ (word >> _U30)) * _MIX_A
    word = (word ^ (word >> _U27)) * _MIX_B
    return word ^ (word >> _U31)


@helper
def stream_of(seed: np.uint64, hand: np.uint64) -> np.uint64:
    """Return the key of a hand's stream of samples."""
    return mix(mix(seed + _GOLDEN) ^ (hand * _MIX_A))


@helper
def sample_state(stream: np.uint64, sample: np.uint64) -> np.uint64:
    """Return the generator's state at the start of one sample."""
    return mix(stream + (sample + U1) * _GOLDEN)


@helper
def deal_thirds(state: np.uint64, unseen: Array, n: int, cards: Array, thirds: Array) -> None:
    """Deal the unseen cards into three equal hands, uniformly.

    Parameters
    ----------
    state : uint64
        From `sample_state`.
    unseen : uint64 array, shape (48,)
        Card bits, of which the first `n` are dealt; not changed.
    n : int
        A multiple of three, 36 when one hand of twelve is known.
    cards : uint64 array, shape (48,)
        Scratch, modified in place.
    thirds : uint64 array, shape (3,)
        Packed hands, modified in place.
    """
    for i in range(n):
        cards[i] = unseen[i]
    third = n // 3
    bits = U0
    for part in range(2):
        thirds[part], state, bits = draw_hand(state, bits, cards, part * third, third, n)
    thirds[2] = rest_of(cards, 2 * third, n)


@helper
def draw_hand(
    state: np.uint64, bits: np.uint64, cards: Array, position: int, size: int, n: int
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Draw a hand by a partial Fisher-Yates shuffle; return it, and the generator's state.

    Parameters
    ----------
    state, bits : uint64
        The generator's state, and what is left of its last word; a draw takes half of one.
    cards : uint64 array, shape (48,)
        Card bits, those drawn moved to the front; modified in place.
    position : int
        How many have been drawn.
    size : int
        Cards to draw.
    n : int
        Cards in all.
    """
    counts = U0
    for _ in range(size):
        if position & 1:
            bits = bits >> _U32
        else:
            state = state + _GOLDEN
            bits = mix(state)
        left = np.uint64(n - position)
        pick = position + np.int64(((bits & _LOW_HALF) * left) >> _U32)
        card = cards[pick]
        cards[pick] = cards[position]
        cards[position] = card
        counts += card
        position += 1
    return thermometer(counts), state, bits


@helper
def rest_of(cards: Array, position: int, n: int) -> np.uint64:
    """Return the cards not drawn, as a packed hand."""
    rest = U0
    for i in range(position, n):
        rest += cards[i]
    return thermometer(rest)


@entry
def deal_hands(hand: np.uint64, seed: np.uint64, first: int, out: Array) -> None:
    """Write the three hidden hands of consecutive samples.

    Parameters
    ----------
    hand : uint64
        The known hand, packed.
    seed : uint64
    first : int
        Index of the first sample.
    out : uint64 array, shape (n_samples, 3)
        Packed hands in seat order after the known hand, modified in place.
    """
    unseen = np.empty(48, dtype=np.uint64)
    cards = np.empty(48, dtype=np.uint64)
    n = list_cards(complement(hand), unseen)
    stream = stream_of(seed, hand)
    for i in range(len(out)):
        deal_thirds(sample_state(stream, np.uint64(first + i)), unseen, n, cards, out[i])
