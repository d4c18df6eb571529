"""Many hands at once, and what rules of bidding count in them.

Rules give amounts in points x10, by hand and trump; suits are in the order S H D C, ranks rise
from the nine to the ace.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from advisor.game.cards import ACE, JACK, KING, QUEEN
from advisor.game.rules import Rules
from advisor.kernels.meldscore import meld_all_trumps
from advisor.playing import rule_array
from advisor.rules_of_bidding.sampled import Samples

Array = np.ndarray[Any, Any]

# Where formulas settle equal values: spades, hearts, clubs, diamonds.
TIE_ORDER: Final = (0, 1, 3, 2)
_COUNT: Final = np.array([0, 1, 1, 2], dtype=np.int64)


class Hands:
    """Packed hands under the rules of the house.

    Parameters
    ----------
    packed : uint64 array, shape (n,)
    rules : Rules
    seed : int, optional
        Of the deals that rules look at which simulate.

    >>> from advisor import Hand
    >>> hands = Hands(np.array([Hand.parse("AATKQJ.AK.QJ.T9").packed]), Rules())
    >>> hands.lengths.tolist(), hands.meld.tolist(), hands.missing.tolist()
    ([[6, 2, 2, 2]], [[190, 60, 60, 70]], [[0, 3, 3, 4]])
    """

    def __init__(self, packed: Array, rules: Rules, seed: int = 0) -> None:
        self.packed = np.ascontiguousarray(packed, dtype=np.uint64)
        self.rules = rules
        self.seed = seed

    def __len__(self) -> int:
        return len(self.packed)

    @cached_property
    def copies(self) -> Array:
        """Copies of each card, int64, shape (n, 4, 6)."""
        return copies_of(self.packed)

    @cached_property
    def lengths(self) -> Array:
        """Cards in each suit, int64, shape (n, 4)."""
        lengths: Array = self.copies.sum(axis=2)
        return lengths

    @cached_property
    def meld(self) -> Array:
        """Exact meld under each trump, int64, shape (n, 4)."""
        return self.meld_of(self.packed)

    def meld_of(self, packed: Array) -> Array:
        """Return the meld of hands of any size, int64, shape (n, 4)."""
        out = np.zeros((len(packed), 4), dtype=np.int16)
        meld_all_trumps(np.ascontiguousarray(packed), rule_array(self.rules), out)
        return out.astype(np.int64)

    @cached_property
    def aces(self) -> Array:
        """Aces in the hand, int64, shape (n,)."""
        aces: Array = self.copies[:, :, ACE].sum(axis=1)
        return aces

    @cached_property
    def missing(self) -> Array:
        """Ranks of the run that each suit lacks, int64, shape (n, 4)."""
        missing: Array = (self.copies[:, :, JACK:] == 0).sum(axis=2)
        return missing

    @cached_property
    def samples(self) -> Samples:
        """Deals of the unseen cards, played."""
        return Samples(self.packed, self.rules, self.seed)

    def side_sum(self, by_suit: Array) -> Array:
        """Return, for each trump, the sum over the other three suits, shape (n, 4)."""
        others: Array = by_suit.sum(axis=1, keepdims=True) - by_suit
        return others


def copies_of(packed: Array) -> Array:
    """Return the copies of each card in packed hands, int64, shape (n, 4, 6)."""
    places = np.uint64(2) * np.arange(24, dtype=np.uint64)
    bits = (packed[:, None] >> places) & np.uint64(3)
    counts: Array = _COUNT[bits.astype(np.int64)].reshape(-1, 4, 6)
    return counts


def with_card(packed: Array, suits: Array, ranks: Array) -> Array:
    """Return packed hands with one more card each, of which they hold none.

    Parameters
    ----------
    packed : uint64 array
    suits, ranks : int64 arrays of the same shape
    """
    place = (12 * suits + 2 * ranks).astype(np.uint64)
    more: Array = packed | (np.uint64(1) << place)
    return more


def best_suit(values: Array, order: tuple[int, ...] = TIE_ORDER) -> Array:
    """Return the suit of the highest value, the first in the order of those that are equal.

    >>> best_suit(np.array([[1, 3, 3, 3]])).tolist()
    [1]
    """
    ordered = values[:, list(order)]
    best: Array = np.array(order, dtype=np.int64)[ordered.argmax(axis=1)]
    return best


def pairs_in(copies: Array) -> Array:
    """Return the marriages in each suit, int64, shape (n, 4)."""
    pairs: Array = np.minimum(copies[:, :, KING], copies[:, :, QUEEN])
    return pairs


def suits_holding(copies: Array, rank: int) -> Array:
    """Return in how many suits a rank is held, int64, shape (n,)."""
    suits: Array = (copies[:, :, rank] > 0).sum(axis=1)
    return suits


def at(values: Array, suits: Array) -> Array:
    """Return the value of each row in its suit."""
    chosen: Array = values[np.arange(len(values)), suits]
    return chosen
