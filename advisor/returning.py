"""What declarer's return is worth: the tables that benchmarks/return_fit.py measures.

Two things are measured on deals of this program's own simulator. What partner kept, counted over
deals in which a hand that would name the trump declares and partner sends by rule. And what the
split of a suit's cards between the two hands is worth in tricks: a line on marks of the cards kept
and given, one suit at a time, fitted to rounds of `policy` play.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.game.cards import ACE, JACK, KING, QUEEN, TEN
from advisor.kernels.kept import (
    JACKS_GIVEN,
    MARRIED_GIVEN,
    N_LEVELS,
    QUEENS_GIVEN,
    RANKS_GIVEN_AT,
    UNIT,
    ReturnTables,
)
from advisor.kernels.returns import MOST_CARDS

Array = np.ndarray[Any, Any]

RETURN_FILE: Final = Path(__file__).parent / "data" / "returning.json"
# Points of so many legs of the pinochle on either side; of a marriage; of a royal one and a dix.
_PINOCHLE: Final = (0, 40, 300)
_MARRIAGE: Final = 20
_ROYAL_MARRIAGE: Final = 40
_DIX: Final = 10
_LONGEST: Final = 6
_LONGEST_TRUMP: Final = 11
# Shapes of the tables in the file: chances in 1/1024, but for the joint ones in 1/8192.
CHANCE: Final = 1024
FINE_CHANCE: Final = 8192
SHAPES: Final = {
    "marriages": (N_LEVELS + 1, 2, 2, 2, 3, 3, 3, 3),
    "pinochles": (N_LEVELS + 1, 3, 2, 2, 3, 3, 3, 3),
    "together": (N_LEVELS + 1, 4, 8, 2, 2, 4, 5),
    "royals": (N_LEVELS + 1, 6, 3),
}
SIDE_SIZES: Final = (3 * 3 * 3 * 3 * 7, 3 * 3 * 7 * 5, 3 * 3 * 7 * 3 * 3)
TRUMP_SIZES: Final = (12 * 5, *(9,) * 6)


def side_marks(kept: Array, given: Array) -> Array:
    """Return which weights count for the cards of one side suit that stay and go.

    Parameters
    ----------
    kept, given : integer arrays, shape (n, 6)
        Copies by rank, from the nine up.

    Returns
    -------
    int64 array, shape (n, 3)
        Places among ``sum(SIDE_SIZES)`` weights: aces and tens kept and given with the length
        kept; aces kept and given with both lengths; kings kept and given with the length kept and
        the aces.

    >>> suit = np.array([[0, 0, 0, 1, 0, 1]])
    >>> side_marks(suit, suit).shape
    (1, 3)
    """
    length = np.minimum(kept.sum(axis=1), _LONGEST)
    gone = given.sum(axis=1)
    aces, aces_gone = kept[:, ACE], given[:, ACE]
    tops = 3 * aces + aces_gone
    marks = np.stack(
        [
            ((3 * tops + kept[:, TEN]) * 3 + given[:, TEN]) * 7 + length,
            (7 * tops + length) * 5 + gone,
            (((3 * kept[:, KING] + given[:, KING]) * 7 + length) * 3 + aces) * 3 + aces_gone,
        ],
        axis=1,
    ).astype(np.int64)
    offsets: Array = np.cumsum([0, *SIDE_SIZES[:-1]])
    placed: Array = marks + offsets
    return placed


def trump_marks(kept: Array, given: Array) -> Array:
    """Return which weights count for the cards of trump that stay and go.

    Parameters
    ----------
    kept, given : integer arrays, shape (n, 6)

    Returns
    -------
    int64 array, shape (n, 7)
        Places among ``sum(TRUMP_SIZES)`` weights: both lengths; and for each rank the copies.

    >>> suit = np.array([[0, 0, 0, 1, 0, 1]])
    >>> trump_marks(suit, suit)[0, 0]
    np.int64(12)
    """
    length = np.minimum(kept.sum(axis=1), _LONGEST_TRUMP)
    lengths = (5 * length + given.sum(axis=1))[:, None]
    marks = np.concatenate([lengths, 3 * kept + given], axis=1).astype(np.int64)
    offsets: Array = np.cumsum([0, *TRUMP_SIZES[:-1]])
    placed: Array = marks + offsets
    return placed


def all_ways() -> tuple[Array, Array]:
    """Return every holding of a suit with every way to give up to four of its cards.

    Returns
    -------
    held, given : int64 arrays, shape (n_ways, 6)
        Copies by rank; by holding, then by number of cards given.

    >>> [array.shape for array in all_ways()]
    [(28998, 6), (28998, 6)]
    """
    # Of each rank: none held; one held; two held, of which none, one or two go.
    ranks = np.array([(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)])
    which = np.stack(np.meshgrid(*[np.arange(6)] * 6, indexing="ij"), axis=-1).reshape(-1, 6)
    held, given = ranks[which, 0], ranks[which, 1]
    fits = given.sum(axis=1) <= MOST_CARDS
    order = np.lexsort((given[fits].sum(axis=1), held[fits] @ 3 ** np.arange(6)))
    return held[fits][order], given[fits][order]


def packed_suit(counts: Array) -> Array:
    """Return the 12 bits of suit holdings given by copies, shape (n, 6).

    >>> int(packed_suit(np.array([[0, 0, 0, 0, 1, 2]]))[0])
    3328
    """
    bits = (1 << counts) - 1
    packed: Array = (bits << (2 * np.arange(6))).sum(axis=1)
    return packed


def marriage_gains(joint: Array) -> Array:
    """Return what given kings and queens add to marriages, in hundredths of a point.

    Parameters
    ----------
    joint : float array, shape (..., 3, 3)
        Chance that partner kept so many kings and queens.

    Returns
    -------
    int32 array, shape (..., 9)
        By 3 times kings and queens given.

    >>> sure_queen = np.zeros((3, 3))
    >>> sure_queen[0, 1] = 1
    >>> marriage_gains(sure_queen).tolist()
    [0, 0, 0, 2000, 2000, 2000, 2000, 4000, 4000]
    """
    return _gains(joint, (0, _MARRIAGE, 2 * _MARRIAGE))


def pinochle_gains(joint: Array) -> Array:
    """Return what given legs add to the pinochle, as `marriage_gains` does for marriages.

    >>> sure_queen = np.zeros((3, 3))
    >>> sure_queen[1, 0] = 1
    >>> pinochle_gains(sure_queen).tolist()
    [0, 4000, 4000, 0, 4000, 30000, 0, 4000, 30000]
    """
    return _gains(joint, _PINOCHLE)


def _gains(joint: Array, points: tuple[int, ...]) -> Array:
    gains = np.zeros((*joint.shape[:-2], 9))
    for one in range(3):
        for other in range(3):
            for kept_one in range(3):
                for kept_other in range(3):
                    pairs = min(2, one + kept_one, other + kept_other)
                    more = points[pairs] - points[min(kept_one, kept_other)]
                    gains[..., 3 * one + other] += more * joint[..., kept_one, kept_other]
    rounded: Array = np.rint(UNIT * gains).astype(np.int32)
    return rounded


def stored_weights() -> tuple[Array, Array]:
    """Return the weights of `side_marks` and of `trump_marks`, in hundredths of a point.

    >>> [len(weights) for weights in stored_weights()]
    [1449, 114]
    """
    tricks = _stored()["tricks"]
    return np.array(tricks["side"]), np.array(tricks["trump"])


@cache
def return_tables() -> ReturnTables:
    """Return the tables by which declarer's return is chosen, read-only.

    >>> return_tables().given.shape
    (28998,)
    """
    kept = _stored()["kept"]
    tables = {name: np.array(kept[name]).reshape(shape) for name, shape in SHAPES.items()}
    return tables_of(
        *stored_weights(),
        tables["marriages"] / FINE_CHANCE,
        tables["pinochles"] / FINE_CHANCE,
        tables["together"],
        tables["royals"],
    )


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(RETURN_FILE.read_text(encoding="utf-8"))
    return stored


def tables_of(
    side: Array, trump: Array, marriages: Array, pinochles: Array, together: Array, royals: Array
) -> ReturnTables:
    """Return the tables for kernels from weights and chances.

    Parameters
    ----------
    side, trump : integer arrays, shape (sum(SIDE_SIZES),) and (sum(TRUMP_SIZES),)
        Weights of `side_marks` and `trump_marks`, in hundredths of a point.
    marriages, pinochles : float arrays
        Joint chances, of shapes as in `SHAPES`.
    together, royals : integer arrays
        Chances in 1/1024, of shapes as in `SHAPES`.
    """
    held, given = all_ways()
    kept = held - given
    packed = packed_suit(held)
    numbers = np.zeros(4096, dtype=np.int16)
    change = np.flatnonzero(np.diff(packed, prepend=-1))
    numbers[packed[change]] = np.arange(len(change))
    number, count = numbers[packed].astype(np.int64), given.sum(axis=1)
    ends = np.searchsorted(number * (MOST_CARDS + 2) + count, _borders(len(change)))
    pairs = _ROYAL_MARRIAGE * ((given[:, KING] == 2) & (given[:, QUEEN] == 2))
    ranks = (given[:, [JACK, QUEEN, KING, ACE]] > 0).astype(np.int64)
    marks = ranks @ (1 << np.array([0, 4, 8, 12]))
    marks |= ranks @ (1 << np.arange(4)) << RANKS_GIVEN_AT
    marks |= given[:, QUEEN] << QUEENS_GIVEN | given[:, JACK] << JACKS_GIVEN
    marks |= (3 * given[:, KING] + given[:, QUEEN]) << MARRIED_GIVEN
    arrays = ReturnTables(
        numbers=numbers,
        starts=ends.astype(np.int32),
        given=packed_suit(given).astype(np.uint16),
        kept=packed_suit(kept).astype(np.uint16),
        marks=marks.astype(np.int32),
        side=side[side_marks(kept, given)].sum(axis=1).astype(np.int32),
        trump=(
            trump[trump_marks(kept, given)].sum(axis=1) + UNIT * (_DIX * given[:, 0] + pairs)
        ).astype(np.int32),
        marriages=marriage_gains(marriages),
        pinochles=pinochle_gains(pinochles),
        together=together.astype(np.int16),
        royals=royals.astype(np.int16),
    )
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _borders(n_holdings: int) -> Array:
    """Return keys at which the ways of each holding and number of cards begin, and end."""
    borders: Array = (
        np.arange(n_holdings)[:, None] * (MOST_CARDS + 2) + np.arange(MOST_CARDS + 2)[None]
    )
    return borders
