"""The guide: a learned estimate of what an open position at the start of a trick is worth.

A small network of whole numbers, fitted to exact values and to shallow searches by
benchmarks/guide_fit.py (the weights, with their provenance, are in advisor/data/guide.json).
Each card held is a row of weights. The trump suit gives a hidden layer of its own and the context
in which each side suit is read; the three side suits share their weights and their hidden layers
are added, so renaming them changes nothing. Ranks that nobody holds any more are closed up first.
Whole numbers give the same bytes on every machine.

Trump is suit 0. Values are in 1/256 counter (ace, ten, king and the last trick one each).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount, trailing_zeros
from advisor.kernels.ddstate import COUNTER_PAIRS
from advisor.kernels.packed import ONE_COPY, SUIT_MASK, U0, U1, U2, U12

Array = np.ndarray[Any, Any]
# Whole-number weights by layer, in the order of advisor.guide.LAYERS.
Weights = tuple[Array, ...]

COUNTER_UNITS: Final = 256
# Weights are scaled by 2^9 in the first layer and by 2^10 in the others.
_LAYER_SHIFT: Final = 10
_OUT_SHIFT: Final = 11
# Largest layers that the scratch arrays hold.
MAX_HIDDEN: Final = 256
_SIX: Final = np.uint64(63)
N_CLOSED: Final = 512


@helper
def fill_closed(closed: Array) -> None:
    """Write each half suit with the ranks that nobody holds closed up, towards the top.

    Parameters
    ----------
    closed : uint64 array, shape (512,)
        By 64 * (ranks held by somebody, three bits) + six bits of one hand; modified in place.
    """
    for held in range(8):
        for word in range(64):
            moved = U0
            place = np.uint64(4)
            for step in range(3):
                rank = np.uint64(2 - step)
                if (np.uint64(held) >> rank) & U1:
                    moved |= ((np.uint64(word) >> (rank * U2)) & np.uint64(3)) << place
                    place -= U2
            closed[64 * held + word] = moved


@helper
def close_up(hands: Array, closed: Array, out: Array) -> None:
    """Write four hands with the ranks that nobody holds closed up within each half suit.

    Ace, ten and king are one half, queen, jack and nine the other: closing up within a half
    changes neither who beats whom nor what a card counts.
    """
    anyone = (hands[0] | hands[1] | hands[2] | hands[3]) & ONE_COPY
    for seat in range(4):
        out[seat] = U0
    for half in range(8):
        shift = np.uint64(6 * half)
        held = (anyone >> shift) & _SIX
        held = (held & U1) | ((held >> U1) & U2) | ((held >> U2) & np.uint64(4))
        base = 64 * np.int64(held)
        for seat in range(4):
            out[seat] |= closed[base + np.int64((hands[seat] >> shift) & _SIX)] << shift


@helper
def network(hands: Array, leader: int, n_cards: int, weights: Weights, layers: Array) -> int:
    """Return the raw output for the leader's side, in 1/256 counter.

    Parameters
    ----------
    hands : uint64 array, shape (4,)
        From `close_up`.
    leader, n_cards : int
        Who leads, and how many cards each seat holds.
    weights : tuple of arrays
    layers : int32 array, shape (4, MAX_HIDDEN)
        Scratch, modified in place.
    """
    (trump_rows, side_rows, biases, second, second_bias) = weights[:5]
    (third, third_bias, last, trump_line, side_line, line) = weights[5:]
    context = layers[0]
    suit_layer = layers[1]
    hidden = layers[2]
    narrow = layers[3]
    n_side = side_rows.shape[1]
    n_all = trump_rows.shape[1]
    n_trump = n_all - n_side
    straight = np.int64(line[n_cards])

    for j in range(n_all):
        context[j] = biases[n_cards, j]
    for turn in range(4):
        left = hands[(leader + turn) & 3] & SUIT_MASK
        while left:
            row = 12 * turn + np.int64(trailing_zeros(left))
            left &= left - U1
            straight += trump_line[row]
            for j in range(n_all):
                context[j] += trump_rows[row, j]
    for j in range(n_trump):
        hidden[j] = max(context[j], 0)
    for j in range(n_trump, n_all):
        hidden[j] = 0
    for suit in range(1, 4):
        shift = np.uint64(suit) * U12
        for j in range(n_side):
            suit_layer[j] = context[n_trump + j]
        for turn in range(4):
            left = (hands[(leader + turn) & 3] >> shift) & SUIT_MASK
            while left:
                row = 12 * turn + np.int64(trailing_zeros(left))
                left &= left - U1
                straight += side_line[row]
                for j in range(n_side):
                    suit_layer[j] += side_rows[row, j]
        for j in range(n_side):
            hidden[n_trump + j] += max(suit_layer[j], 0)

    n_second = second.shape[1]
    for k in range(n_second):
        narrow[k] = second_bias[n_cards, k]
    for j in range(n_all):
        unit = hidden[j]
        if unit != 0:
            for k in range(n_second):
                narrow[k] += unit * second[j, k]
    n_third = third.shape[1]
    for k in range(n_third):
        context[k] = third_bias[k]
    for j in range(n_second):
        unit = narrow[j] >> _LAYER_SHIFT
        if unit > 0:
            for k in range(n_third):
                context[k] += unit * third[j, k]
    curved = np.int64(0)
    for k in range(n_third):
        unit = context[k] >> _LAYER_SHIFT
        if unit > 0:
            curved += np.int64(unit) * np.int64(last[k])
    return (curved + straight) >> _OUT_SHIFT


@helper
def guess(
    hands: Array, leader: int, weights: Weights, closed: Array, moved: Array, layers: Array
) -> int:
    """Return what seats 0 and 2 may be expected to take from a position at the start of a trick.

    Parameters
    ----------
    hands : uint64 array, shape (4,)
        Packed hands of equal size, from one card up.
    leader : int
    weights : tuple of arrays
    closed : uint64 array, shape (512,)
        From `fill_closed`.
    moved, layers : arrays
        Scratch, uint64 (4,) and int32 (4, MAX_HIDDEN), modified in place.

    Returns
    -------
    int
        In 1/256 counter, within what is in play.
    """
    total = COUNTER_UNITS
    for seat in range(4):
        total += COUNTER_UNITS * np.int64(popcount(hands[seat] & COUNTER_PAIRS))
    close_up(hands, closed, moved)
    n_cards = np.int64(popcount(hands[leader]))
    value = min(max(network(moved, leader, n_cards, weights, layers), 0), total)
    return value if (leader & 1) == 0 else total - value


@entry
def close_deals(deals: Array, out: Array) -> None:
    """Write deals with the ranks that nobody holds closed up, uint64 arrays, shape (n, 4)."""
    closed = np.empty(N_CLOSED, dtype=np.uint64)
    fill_closed(closed)
    for i in range(len(deals)):
        close_up(deals[i], closed, out[i])
