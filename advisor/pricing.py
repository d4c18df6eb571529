"""From outcomes to the worth of a bid in one trump.

One set of outcomes prices every bid. With X = our meld + our tricks, a bid b is made when X >= b
and our side saves its meld as the rules ask; then ours = X, else ours = -b. The other side counts
meld and tricks, or nothing where it fails to save its meld. Beyond the throw-in boundary declarer
may give up before play: ours = -b, theirs = their meld. He decides by expected value from what
lies on the table after melding and the tricks that this hand takes on average, never from the
tricks of that sample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from advisor.game.rules import Rules
from advisor.kernels import pricing as kernel
from advisor.playing import Outcomes

Array = np.ndarray[Any, Any]

# Bids made less often are not looked at.
LEAST_P: Final = 0.001
# In standard errors of a paired difference.
TIE_WITHIN: Final = 2.0


class Estimate(NamedTuple):
    """A mean with its standard error, both in the unit of what was averaged."""

    mean: float
    se: float


def estimate(values: Array) -> Estimate:
    """Return mean and standard error over samples; a row (three rotations) is one observation.

    Parameters
    ----------
    values : integer or bool array, shape (n_samples,) or (n_samples, 3)

    Returns
    -------
    Estimate
        The standard error is NaN for a single sample.

    >>> estimate(np.array([[1, 2, 3], [3, 4, 5]]))
    Estimate(mean=3.0, se=1.0)
    """
    parts = 1 if values.ndim == 1 else values.shape[1]
    rows = (values if values.ndim == 1 else values[:, 0]).astype(np.int64)
    for i in range(1, parts):
        rows += values[:, i]
    n, total, squares = len(rows), int(rows.sum()), int(rows @ rows)
    mean = total / (parts * n)
    if n < 2:
        return Estimate(mean, float("nan"))
    # Whole numbers up to the last division, so every machine finds the same digits.
    variance = (n * squares - total * total) / (n * n * (n - 1) * parts * parts)
    return Estimate(mean, math.sqrt(variance))


@cache
def _price_rules(rules: Rules) -> Array:
    found = np.zeros(kernel.N_PRICE_RULES, dtype=np.int64)
    found[kernel.TRICK_TOTAL] = total = rules.trick_total
    found[kernel.THROW_FROM] = {
        "any": 1, "from-250": total, "over-250": total + 1, "never": np.iinfo(np.int64).max,
    }[rules.throw_in]  # fmt: skip
    found[kernel.SAVED_BY] = {
        "none": kernel.BY_NOTHING, "points": kernel.BY_POINTS, "trick": kernel.BY_A_TRICK,
    }[rules.save_meld]  # fmt: skip
    found[kernel.BIDDER_SAVES] = rules.save_meld_bidder
    found[kernel.DIX_SAVES] = rules.dix_saves
    return found


def _in_a_line(values: Array) -> Array:
    """Return points or flags one after the other, as the kernel takes them."""
    return np.ascontiguousarray(values, dtype=np.int16).reshape(-1)


class Pricing:
    """The outcomes of one trump, ready to price bids under the rules.

    Parameters
    ----------
    outcomes : Outcomes
    rules : Rules
    judged : Outcomes, optional
        The rounds from which declarer knows what tricks to expect, by default those priced.

    Raises
    ------
    ValueError
        If the tricks are not those of a round under the rules.
    """

    def __init__(self, outcomes: Outcomes, rules: Rules, judged: Outcomes | None = None) -> None:
        self.rules = rules
        self.samples = outcomes.samples
        self._shape = outcomes.our_meld.shape
        self.price_rules = _price_rules(rules)
        melds = _in_a_line(outcomes.our_meld), _in_a_line(outcomes.their_meld)
        tricks = _in_a_line(outcomes.our_tricks), _in_a_line(outcomes.flags)
        known = tricks
        if judged is not None:
            known = _in_a_line(judged.our_tricks), _in_a_line(judged.flags)
        self.priced = np.empty((len(melds[0]), kernel.N_PRICED), dtype=np.int32)
        self.expected = np.empty((kernel.N_EXPECTED, rules.trick_total + 1))
        if not kernel.price_rounds(
            *melds, *tricks, *known, self.price_rules, self.priced, self.expected
        ):
            raise ValueError(f"tricks: expected 0 to {rules.trick_total} points in every round")
        self._outcomes = outcomes

    @cached_property
    def score(self) -> Array:
        """Our meld and tricks together, int32, shape (n_samples, 3)."""
        return self._outcomes.our_meld.astype(np.int32) + self._outcomes.our_tricks

    @cached_property
    def _kept(self) -> Array:
        """Scores that count, in rising order; an unsaved one makes no bid."""
        rising: Array = np.sort(self.priced[:, kernel.OUR_SCORE])
        return rising

    def made(self, bid: int | Array) -> Array:
        """Return whether each round makes `bid` when it is played, bool, shape (n_samples, 3).

        Here and below a bid may also be an array that goes with that shape, a bid to each round.
        """
        reached: Array = self.priced[:, kernel.OUR_SCORE].reshape(self._shape) >= bid
        return reached

    def thrown_in(self, bid: int | Array) -> Array:
        """Return whether declarer gives up each round at `bid`, bool, shape (n_samples, 3)."""
        thrown: Array = self._scored(self._as_bids(bid))[1][0]
        return thrown

    def scores(self, bid: int | Array) -> tuple[Array, Array]:
        """Return what we and they score when we declare at `bid`, int32, shape (n_samples, 3)."""
        ours, theirs = self._scored(self._as_bids(bid))[0]
        return ours[0], theirs[0]

    def scores_at(self, bids: Sequence[int]) -> tuple[Array, Array]:
        """Return what `scores` does for some bids at once, shape (n_bids, n_samples, 3)."""
        ours, theirs = self._scored(np.array(bids, dtype=np.int64).reshape(-1, 1))[0]
        return ours, theirs

    def _as_bids(self, bid: int | Array) -> Array:
        if isinstance(bid, int):
            return np.array([[bid]])
        bids = np.empty(self._shape, dtype=np.int64)
        bids[:] = bid
        return bids.reshape(1, -1)

    def _scored(self, bids: Array) -> tuple[Array, Array]:
        """Return what both sides score, and which rounds are thrown in, as the kernel does."""
        n_bids, n = len(bids), len(self.priced)
        scores = np.empty((2, n_bids, n), dtype=np.int32)
        thrown = np.empty((n_bids, n), dtype=np.bool_)
        kernel.score_bids(self.priced, self.expected, self.price_rules, bids, scores, thrown)
        shape = (n_bids, *self._shape)
        return scores.reshape(2, *shape), thrown.reshape(shape)

    def differences(self, bid: int | Array) -> Array:
        """Return our score less theirs when we declare at `bid`, int32, shape (n_samples, 3)."""
        ours, theirs = self.scores(bid)
        difference: Array = ours - theirs
        return difference

    def out_of_reach(self, bid: int) -> Array:
        """Return whether no tricks can make `bid` once all have melded, shape (n_samples, 3)."""
        dead: Array = bid - self._outcomes.our_meld.astype(np.int32) > self.rules.trick_total
        return dead

    def p_make(self, bid: int) -> Estimate:
        """Return the chance to make `bid`, 0 to 1."""
        return estimate(self.made(bid))

    def take(self, bid: int) -> Estimate:
        """Return what declaring at `bid` is worth in points, ours less theirs."""
        return estimate(self.differences(bid))

    def quantile_bid(self, share: float) -> int:
        """Return the highest bid, in points, that is made in at least `share` of the rounds."""
        need = int(np.ceil(share * len(self._kept)))
        return int(self._kept[len(self._kept) - need])
