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
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from advisor.game.rules import Rules
from advisor.kernels import rounds
from advisor.playing import Outcomes

Array = np.ndarray[Any, Any]

# Bids made less often are not looked at.
LEAST_P: Final = 0.001
# Samples by bids whose scores are kept: what is gained by keeping is gained where they are few.
MOST_KEPT: Final = 250_000
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
    n, total, squares = len(rows), int(rows.sum()), int((rows * rows).sum())
    mean = total / (parts * n)
    if n < 2:
        return Estimate(mean, float("nan"))
    # Whole numbers up to the last division, so every machine finds the same digits.
    variance = (n * squares - total * total) / (n * n * (n - 1) * parts * parts)
    return Estimate(mean, math.sqrt(variance))


class Pricing:
    """The outcomes of one trump, ready to price bids under the rules.

    Parameters
    ----------
    outcomes : Outcomes
    rules : Rules
    judged : Outcomes, optional
        The rounds from which declarer knows what tricks to expect, by default those priced.
    """

    def __init__(self, outcomes: Outcomes, rules: Rules, judged: Outcomes | None = None) -> None:
        self.rules = rules
        self.samples = outcomes.samples
        self._our_meld = outcomes.our_meld.astype(np.int32)
        self._their_meld = outcomes.their_meld.astype(np.int32)
        our_tricks = outcomes.our_tricks.astype(np.int32)
        their_tricks = rules.trick_total - our_tricks
        self.score = self._our_meld + our_tricks
        flags = outcomes.flags
        # None where every round is saved.
        self._our_saved: Array | None = None
        if rules.save_meld_bidder:
            saved = self._saved(
                our_tricks,
                flags & rounds.FLAG_OUR_TRICK != 0,
                flags & rounds.FLAG_OUR_DIX_ONLY != 0,
            )
            self._our_saved = None if saved.all() else saved
        their_saved = self._they_saved(their_tricks, flags)
        self._their_score = np.where(their_saved, self._their_meld + their_tricks, 0)
        self._least_meld = int(self._our_meld.min())
        if judged is not None:
            our_tricks = judged.our_tricks.astype(np.int32)
            flags = judged.flags
        self._judged = our_tricks, flags
        self._known: dict[int, tuple[Array, Array]] = {}

    @cached_property
    def _kept(self) -> Array:
        """Scores that count, in rising order; an unsaved one makes no bid."""
        counting = (
            self.score if self._our_saved is None else np.where(self._our_saved, self.score, -1)
        )
        rising: Array = np.sort(counting, axis=None)
        return rising

    @cached_property
    def _expected(self) -> tuple[Array, Array, float, float]:
        """What declarer expects of the tricks when he decides on throwing in.

        By points needed, the chance to reach them and the mean of those that do; the chance that
        the others save their meld, and what their tricks score.
        """
        our_tricks, flags = self._judged
        their_tricks = self.rules.trick_total - our_tricks
        counts = np.bincount(our_tricks.ravel(), minlength=self.rules.trick_total + 1)
        share = counts / counts.sum()
        reach = np.append(np.cumsum(share[::-1])[::-1], 0.0)
        reached = np.append(np.cumsum((share * np.arange(len(share)))[::-1])[::-1], 0.0)
        chance = float(self._they_saved(their_tricks, flags).mean())
        return reach, reached, chance, float(their_tricks.mean())

    @cached_property
    def _nothing_to_win(self) -> Array:
        """Whether the others would score more by playing than they have melded."""
        _, _, their_chance, their_points = self._expected
        nothing: Array = self._their_meld * (1.0 - their_chance) < their_points
        return nothing

    def _they_saved(self, tricks: Array, flags: Array) -> Array:
        return self._saved(
            tricks, flags & rounds.FLAG_THEIR_TRICK != 0, flags & rounds.FLAG_THEIR_DIX_ONLY != 0
        )

    def _saved(self, tricks: Array, won_a_trick: Array, dix_only: Array) -> Array:
        if self.rules.save_meld == "none":
            return np.ones(tricks.shape, dtype=bool)
        saved: Array = tricks > 0 if self.rules.save_meld == "points" else won_a_trick
        return saved | dix_only if self.rules.dix_saves else saved

    def made(self, bid: int | Array) -> Array:
        """Return whether each round makes `bid` when it is played, bool, shape (n_samples, 3).

        Here and below a bid may also be an array that goes with that shape, a bid to each round.
        """
        reached: Array = self.score >= bid
        return reached if self._our_saved is None else reached & self._our_saved

    def thrown_in(self, bid: int | Array) -> Array:
        """Return whether declarer gives up each round at `bid`, bool, shape (n_samples, 3)."""
        short = bid - self._our_meld
        total = self.rules.trick_total
        if self.rules.throw_in == "never":
            return np.zeros(short.shape, dtype=bool)
        # Out of reach the bid is lost either way, and only what the others score is left.
        thrown: Array = (short > total) & self._nothing_to_win
        if self.rules.throw_in == "over-250":
            return thrown
        reach_by_need, reached_points, their_chance, their_points = self._expected
        least = total if self.rules.throw_in == "from-250" else 1
        may = (short >= least) & (short <= total)
        need, bids = short[may], np.broadcast_to(bid, short.shape)[may]
        reach = reach_by_need[need]
        ours = self._our_meld[may] * reach + reached_points[need] - bids * (1.0 - reach)
        theirs = self._their_meld[may] * their_chance + their_points
        thrown[may] = -bids - self._their_meld[may] > ours - theirs
        return thrown

    def _may_throw_in(self, bid: int | Array) -> bool:
        """Return whether declarer may give up any round at `bid`."""
        if self.rules.throw_in == "never":
            return False
        short = (bid if isinstance(bid, int) else int(bid.max())) - self._least_meld
        total = self.rules.trick_total
        return short > {"over-250": total, "from-250": total - 1, "any": 0}[self.rules.throw_in]

    def scores(self, bid: int | Array) -> tuple[Array, Array]:
        """Return what we and they score when we declare at `bid`, int32, shape (n_samples, 3).

        Not to be changed: those of single bids are kept, for they are looked at again and again,
        as long as they are not too large.
        """
        if not isinstance(bid, int):
            return self._scores(bid)
        found = self._known.get(bid)
        if found is None:
            found = self._scores(bid)
            if len(self._known) * self.samples < MOST_KEPT:
                self._known[bid] = found
        return found

    def _scores(self, bid: int | Array) -> tuple[Array, Array]:
        if not self._may_throw_in(bid):
            return np.where(self.made(bid), self.score, -bid), self._their_score
        thrown = self.thrown_in(bid)
        # Bids out of reach are not made either.
        made = self.made(bid) if self.rules.throw_in == "over-250" else self.made(bid) & ~thrown
        ours = np.where(made, self.score, -bid)
        return ours, np.where(thrown, self._their_meld, self._their_score)

    def differences(self, bid: int | Array) -> Array:
        """Return our score less theirs when we declare at `bid`, int32, shape (n_samples, 3)."""
        ours, theirs = self.scores(bid)
        difference: Array = ours - theirs
        return difference

    def out_of_reach(self, bid: int) -> Array:
        """Return whether no tricks can make `bid` once all have melded, shape (n_samples, 3)."""
        dead: Array = bid - self._our_meld > self.rules.trick_total
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
