"""All ways to pass some cards against each other, on the same deals: the last ones left are judged.

Every candidate is tried on a few deals by the policy's quick play, the better ones on more, and
those that are left on many with the predictor that was asked for. The winner is then known, and
the numbers are found on deals that had no part in choosing it: the best of many looks better than
it is on the deals that chose it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from advisor.game.cards import Suit
from advisor.kernels import rounds
from advisor.playing import Deals, Predictor, play
from advisor.policy import policy_array
from advisor.pricing import Estimate

Array = np.ndarray[Any, Any]

# Deals so far, and the share of the candidates that goes on after them.
QUICK_STAGES: Final = ((24, 0.25), (96, 0.25), (384, 0.0))
# So many go on to the predictor, and so many of them to the end.
SEMIFINALISTS: Final = 24
FINALISTS: Final = 10
SEMIFINAL_DEALS: Final = 400
# Of the deals that judge, so many more are dealt to choose.
CHOOSING_SHARE: Final = 0.5
# Samples from here on judge, those below choose.
JUDGING: Final = 1 << 40


class Scene(NamedTuple):
    """Deals on which candidates are tried.

    Parameters
    ----------
    deals : Deals
        Declarer's hand first.
    sent : uint64 array, shape (n_deals,), or None
        What partner sent, where that is settled.
    groups : int64 array, shape (n_deals,)
        The sample each comes from, rising: deals of one sample are one observation.
    """

    deals: Deals
    sent: Array | None
    groups: Array

    def rows(self, begin: int, end: int) -> Scene:
        """Return the deals from `begin` to `end`."""
        sent = None if self.sent is None else self.sent[begin:end]
        return Scene(self.deals[begin:end], sent, self.groups[begin:end])


@dataclass(frozen=True, slots=True)
class Standing:
    """What one candidate is worth, in points.

    Parameters
    ----------
    cards : int
        Packed.
    score, team_meld, tricks : Estimate
        Meld and tricks of declarer's side together, and apart.
    behind : Estimate
        By how much it is worse than the choice on the same deals; 0 for the choice itself.
    """

    cards: int
    score: Estimate
    team_meld: Estimate
    tricks: Estimate
    behind: Estimate


def grouped_estimate(values: Array, groups: Array) -> Estimate:
    """Return mean and standard error where values of one group are one observation.

    Parameters
    ----------
    values : integer array, shape (n,)
    groups : integer array, shape (n,)
        Rising.

    Returns
    -------
    Estimate
        The standard error is NaN for a single group.

    >>> grouped_estimate(np.array([1, 3, 5, 7]), np.array([0, 1, 2, 3])).mean
    4.0
    >>> grouped_estimate(np.array([1, 1, 3, 3]), np.array([0, 0, 1, 1]))
    Estimate(mean=2.0, se=1.0)
    """
    starts = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    sums = np.add.reduceat(values.astype(np.int64), starts)
    sizes = np.diff(starts, append=len(values))
    n, total, n_groups = len(values), int(sums.sum()), len(starts)
    mean = total / n
    if n_groups < 2:
        return Estimate(mean, math.nan)
    # Whole numbers up to the last division, so every machine finds the same digits.
    squares = (
        n * n * int((sums * sums).sum())
        - 2 * n * total * int((sums * sizes).sum())
        + total * total * int((sizes * sizes).sum())
    )
    return Estimate(mean, math.sqrt(squares * n_groups / (n_groups - 1)) / (n * n))


@dataclass(frozen=True, slots=True)
class Race:
    """Candidates for one place in the exchange.

    Parameters
    ----------
    trump : int
    predictor : Predictor
        For the last of them.
    returning : bool
        Whether the candidates are returns; else they are sends.
    executor : concurrent.futures.Executor or None
        Where blocks run; in this thread where there is none. Results do not depend on it.
    """

    trump: Suit
    predictor: Predictor
    returning: bool
    executor: Executor | None = None

    def points(self, scene: Scene, candidates: Array, predictor: Predictor) -> Array:
        """Return meld and tricks of every candidate in every deal.

        Parameters
        ----------
        scene : Scene
        candidates : uint64 array, shape (n_candidates,)
        predictor : Predictor

        Returns
        -------
        int64 array, shape (2, n_candidates, n_deals)
        """
        n = len(scene.deals)
        found = np.zeros((2, len(candidates), n), dtype=np.int64)
        places = list(_blocks(len(candidates), n, predictor.block_samples))
        work = [
            (scene.rows(*columns), candidates[slice(*rows)], predictor) for rows, columns in places
        ]
        if self.executor is None:
            results = [self._play(*task) for task in work]
        else:
            futures = [self.executor.submit(self._play, *task) for task in work]
            results = [future.result() for future in futures]
        for (rows, columns), result in zip(places, results, strict=True):
            found[:, slice(*rows), slice(*columns)] = result
        return found

    def _play(self, scene: Scene, candidates: Array, predictor: Predictor) -> Array:
        n, n_deals = len(candidates), len(scene.deals)
        deals = scene.deals[np.tile(np.arange(n_deals), n)]
        tried = np.repeat(candidates, n_deals)
        sent = None if scene.sent is None else np.tile(scene.sent, n)
        trumps = np.full(len(deals), self.trump, dtype=np.int64)
        outcomes, _ = play(
            deals,
            trumps,
            predictor,
            sent if self.returning else tried,
            tried if self.returning else None,
        )
        melds = outcomes[:, rounds.OUR_MELD].astype(np.int64).reshape(n, n_deals)
        tricks = outcomes[:, rounds.OUR_TRICKS].astype(np.int64).reshape(n, n_deals)
        return np.stack([melds, tricks])

    def run(
        self, deal: Callable[[int, int], Scene], candidates: Array, favourite: int, samples: int
    ) -> tuple[list[Standing], int]:
        """Return the finalists, the choice first and the others as they follow.

        Parameters
        ----------
        deal : callable
            Takes the first sample and the number of deals wanted.
        candidates : uint64 array, shape (n_candidates,)
            Packed cards, no two alike.
        favourite : int
            What the rule would choose: it stays in the race to the end.
        samples : int
            Deals that judge.

        Returns
        -------
        list of Standing, int
            And the number of deals that judged.
        """
        choosing = max(2, math.ceil(samples * CHOOSING_SHARE))
        quick = Predictor(self.predictor.rules, policy_array(), "policy", None)
        scene = deal(0, max(choosing, QUICK_STAGES[-1][0]))
        left = self.shortlist(scene, candidates, favourite, quick, SEMIFINALISTS)
        scene = scene.rows(0, choosing)
        first = scene.rows(0, min(choosing, SEMIFINAL_DEALS))
        found = self.points(first, left, self.predictor).sum(axis=0)
        keep = _best(found, left, favourite, FINALISTS)
        left, found = left[keep], found[keep]
        rest = scene.rows(len(first.deals), len(scene.deals))
        totals = found.sum(axis=1)
        if len(rest.deals):
            totals = totals + self.points(rest, left, self.predictor).sum(axis=(0, 2))
        choice = int(np.argmax(totals))
        judging = deal(JUDGING, samples)
        standings = self.judge(judging, left, choice)
        return standings, len(judging.deals)

    def shortlist(
        self, scene: Scene, candidates: Array, favourite: int, quick: Predictor, keep: int
    ) -> Array:
        """Return the candidates that do best, by successive halving; the favourite among them."""
        left = candidates
        found = np.zeros((len(left), 0), dtype=np.int64)
        done = 0
        for deals, share in QUICK_STAGES:
            if len(left) <= keep:
                break
            more = self.points(scene.rows(done, deals), left, quick).sum(axis=0)
            found = np.concatenate([found, more], axis=1)
            done = deals
            best = _best(found, left, favourite, max(keep, math.ceil(share * len(left))))
            left, found = left[best], found[best]
        return left

    def judge(self, scene: Scene, finalists: Array, choice: int) -> list[Standing]:
        """Return what the finalists are worth, the choice first and the others as they follow."""
        melds, tricks = self.points(scene, finalists, self.predictor)
        scores = melds + tricks
        standings = [
            Standing(
                cards=int(cards),
                score=grouped_estimate(scores[i], scene.groups),
                team_meld=grouped_estimate(melds[i], scene.groups),
                tricks=grouped_estimate(tricks[i], scene.groups),
                behind=Estimate(0.0, 0.0)
                if i == choice
                else grouped_estimate(scores[choice] - scores[i], scene.groups),
            )
            for i, cards in enumerate(finalists)
        ]
        first = int(finalists[choice])
        return sorted(standings, key=lambda item: (item.cards != first, item.behind.mean))


def _blocks(
    n_candidates: int, n_deals: int, size: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield (candidates, deals) from and to, about `size` rounds at a time."""
    width = max(1, min(n_deals, size))
    height = max(1, size // width)
    for top in range(0, n_candidates, height):
        for left in range(0, n_deals, width):
            yield (
                (top, min(top + height, n_candidates)),
                (left, min(left + width, n_deals)),
            )


def _best(found: Array, candidates: Array, favourite: int, keep: int) -> Array:
    """Return the places of the best candidates, best first, the favourite among them."""
    order = np.argsort(-found.sum(axis=1), kind="stable")
    best = order[:keep]
    place = np.flatnonzero(candidates == np.uint64(favourite))
    if len(place) and place[0] not in best:
        best = np.append(best[:-1], place[0])
    return best
