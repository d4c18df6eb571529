"""The table of states of the exact solver.

A state takes two words. The first: four half suits of its name, 48 bits, then 5 bits each for the
lower and the upper bound and for the best lead. The second: the other half suits and the seat that
leads, 50 bits, then 6 bits for the size of the search, as a power of two, and 8 for the generation.
A word of zeros is no state: a state has cards. Four states make a bucket, which is one line of a
processor's cache.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, leading_zeros
from advisor.kernels.deal import mix

Array = np.ndarray[Any, Any]

STATE_BYTES: Final = 16
GENERATIONS: Final = 256
_WAYS: Final = 4
_U3: Final = np.uint64(3)
_U48: Final = np.uint64(48)
_U50: Final = np.uint64(50)
_U53: Final = np.uint64(53)
_U56: Final = np.uint64(56)
_U58: Final = np.uint64(58)
_NAME_A: Final = np.uint64((1 << 48) - 1)
_NAME_B: Final = np.uint64((1 << 50) - 1)


@helper
def find(states: Array, name_a: np.uint64, name_b: np.uint64) -> tuple[int, int]:
    """Return the first place of a state's bucket, and the state's own place or -1."""
    bucket = np.int64(mix(name_a * _U3 ^ mix(name_b)) & np.uint64(len(states) - 1) & ~_U3)
    for place in range(bucket, bucket + _WAYS):
        if (states[place, 0] & _NAME_A) == name_a and (states[place, 1] & _NAME_B) == name_b:
            return bucket, place
    return bucket, -1


@helper
def bounds_and_move(word: np.uint64) -> tuple[int, int, int]:
    """Return what the first word of a state says: lower and upper bound, and the best lead."""
    numbers = np.int64(word >> _U48)
    return numbers & 31, (numbers >> 5) & 31, (numbers >> 10) & 31


@helper
def keep(
    states: Array,
    bucket: int,
    name_a: np.uint64,
    name_b: np.uint64,
    low: int,
    high: int,
    move: int,
    n_nodes: int,
    generation: int,
) -> None:
    """Write a state, over itself, an earlier generation, or what was quickest to find.

    Parameters
    ----------
    states : uint64 array, shape (size, 2)
        Modified in place.
    bucket : int
        From `find`.
    name_a, name_b : uint64
        From `advisor.kernels.ddstate.canonical_key`.
    low, high : int
        Bounds on the counters that seats 0 and 2 take.
    move : int
        The best lead, as its place among the leader's groups of equivalent cards.
    n_nodes : int
        How much was searched.
    generation : int
        Below `GENERATIONS`.
    """
    size = 64 - np.int64(leading_zeros(np.uint64(n_nodes)))
    chosen = bucket
    least = 99
    for place in range(bucket, bucket + _WAYS):
        second = states[place, 1]
        worth = np.int64((second >> _U50) & np.uint64(63))
        if (states[place, 0] & _NAME_A) == name_a and (second & _NAME_B) == name_b:
            chosen = place
            size = max(size, worth)
            break
        if np.int64(second >> _U56) != generation:
            worth -= 64
        if worth < least:
            least = worth
            chosen = place
    states[chosen, 0] = (
        name_a | (np.uint64(low) << _U48) | (np.uint64(high) << _U53) | (np.uint64(move) << _U58)
    )
    states[chosen, 1] = name_b | (np.uint64(size) << _U50) | (np.uint64(generation) << _U56)
