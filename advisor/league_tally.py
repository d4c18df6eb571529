"""What a league counts of its deals, and the standings that follow.

Everything is counted in whole numbers and in the order of the deals, so the same deals give the
same standings however they came.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from advisor.game.rules import Rules
from advisor.kernels import league as kernel
from advisor.limits import MAX_DEALS
from advisor.pricing import Estimate

Array = np.ndarray[Any, Any]

# Of a pair: sums of the differences of both directions of a deal and of their squares; then
# contracts, bids and bids made of either rule.
DIFFERENCES, SQUARES, CONTRACTS, BIDS, MADE = 0, 1, 2, 4, 6
N_SUMS: Final = 8
NORMAL_95: Final = 1.96
ELO_OF_TEN: Final = 400.0
_ROUNDS: Final = 200


@dataclass(frozen=True, slots=True)
class Side:
    """How a rule fared as declarer: contracts for each deal played, mean bid, share made."""

    share: float
    bid: float
    made: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """One rule against another.

    Parameters
    ----------
    a, b : str
    deals : int
        Each played in both directions.
    points : Estimate
        Of a, less those of b, for each deal.
    games : int
        Finished.
    won : Estimate
        Share of them that a has won; both NaN before the first is finished.
    side_a, side_b : Side
    """

    a: str
    b: str
    deals: int
    points: Estimate
    games: int
    won: Estimate
    side_a: Side
    side_b: Side

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % interval of the points; NaN after a single deal."""
        reach = NORMAL_95 * self.points.se
        return self.points.mean - reach, self.points.mean + reach

    def turned(self) -> Pairing:
        """Return the same, seen from the other rule."""
        points, won = self.points, self.won
        return Pairing(
            self.b,
            self.a,
            self.deals,
            Estimate(-points.mean, points.se),
            self.games,
            Estimate(1 - won.mean, won.se),
            self.side_b,
            self.side_a,
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """One rule in the whole league.

    Parameters
    ----------
    name : str
    rating : float
        Elo-like, from the games won of every pair; the mean of all is 1500.
    points, won : float
        Mean over its opponents of points for each deal and of the share of games won.
    side : Side
        In all its deals.
    """

    name: str
    rating: float
    points: float
    won: float
    side: Side


@dataclass(frozen=True, slots=True)
class _Counts:
    """Number of deals, sums and games of every pair, and the games that still run."""

    deals: int
    sums: Array
    running: Array
    games: Array


class Tally:
    """The counts of a league, grown block by block.

    Parameters
    ----------
    names : tuple of str
    rules : Rules
        `target` and `tie_rule` decide games.
    """

    def __init__(self, names: tuple[str, ...], rules: Rules) -> None:
        self.names = names
        self.rules = rules
        self.pairs = list(combinations(range(len(names)), 2))
        pairs = len(self.pairs)
        self._counts = _Counts(
            0,
            np.zeros((pairs, N_SUMS), dtype=np.int64),
            np.zeros((pairs, 2, kernel.N_GAME), dtype=np.int64),
            np.zeros((pairs, 3), dtype=np.int64),
        )

    @property
    def deals(self) -> int:
        """Deals counted, each in both directions."""
        return self._counts.deals

    def add(self, records: Array) -> None:
        """Count the next deals.

        Parameters
        ----------
        records : int16 array, shape (n_pairs, n_deals, 2, N_RECORD)
            From `advisor.league.League.play`.
        """
        before = self._counts
        sums, running, games = before.sums.copy(), before.running.copy(), before.games.copy()
        wide = records.astype(np.int64)
        difference = (wide[..., kernel.RECORD_A] - wide[..., kernel.RECORD_B]).sum(axis=2)
        sums[:, DIFFERENCES] += difference.sum(axis=1)
        sums[:, SQUARES] += (difference * difference).sum(axis=1)
        for side in range(2):
            mine = wide[..., kernel.RECORD_DECLARED] == kernel.BY_A + side
            sums[:, CONTRACTS + side] += mine.sum(axis=(1, 2))
            for column, what in ((BIDS, kernel.RECORD_CONTRACT), (MADE, kernel.RECORD_MADE)):
                sums[:, column + side] += (wide[..., what] * mine).sum(axis=(1, 2))
        highest = self.rules.tie_rule == "highest"
        for pair in range(len(self.pairs)):
            kernel.play_games(
                records[pair],
                before.deals,
                self.rules.target,
                highest,
                running[pair],
                games[pair],
            )
        # One assignment, so that an interruption leaves whole blocks.
        self._counts = _Counts(before.deals + records.shape[1], sums, running, games)

    def as_work(self) -> dict[str, Any]:
        """Return the counts as JSON holds them."""
        return {
            "deals": self.deals,
            "sums": self._counts.sums.tolist(),
            "running": self._counts.running.tolist(),
            "games": self._counts.games.tolist(),
        }

    def restore(self, work: Mapping[str, Any]) -> bool:
        """Go on from what `as_work` returned; return whether that was possible."""
        try:
            deals = work["deals"]
            arrays = [np.array(work[key], dtype=np.int64) for key in ("sums", "running", "games")]
        except (KeyError, TypeError, ValueError, OverflowError):
            return False
        own = (self._counts.sums, self._counts.running, self._counts.games)
        if type(deals) is not int or not 0 <= deals <= MAX_DEALS:
            return False
        if any(new.shape != old.shape for new, old in zip(arrays, own, strict=True)):
            return False
        # No sums of that many numbers have a negative variance.
        sums = [(deals, row[DIFFERENCES], row[SQUARES]) for row in arrays[0].tolist()]
        if any(n < 0 or n * squares < total**2 for n, total, squares in sums + arrays[2].tolist()):
            return False
        self._counts = _Counts(deals, *arrays)
        return True

    def pairings(self) -> list[Pairing]:
        """Return every pair, in the order in which the rules were named."""
        return [self._pairing(pair) for pair in range(len(self.pairs))]

    def _pairing(self, pair: int) -> Pairing:
        a, b = self.pairs[pair]
        sums = self._counts.sums[pair]
        twins, won, squares = map(int, self._counts.games[pair])
        return Pairing(
            self.names[a],
            self.names[b],
            self.deals,
            _halves(self.deals, int(sums[DIFFERENCES]), int(sums[SQUARES])),
            2 * twins,
            _halves(twins, won, squares),
            _side(sums, 0, 2 * self.deals),
            _side(sums, 1, 2 * self.deals),
        )

    def standings(self) -> list[Standing]:
        """Return every rule, the best first."""
        pairings = self.pairings()
        ratings = self._ratings()
        found = []
        for number, name in enumerate(self.names):
            mine = [p for p, pair in zip(pairings, self.pairs, strict=True) if number in pair]
            sign = [1.0 if p.a == name else -1.0 for p in mine]
            sums = np.zeros(N_SUMS, dtype=np.int64)
            for row, (a, b) in zip(self._counts.sums, self.pairs, strict=True):
                if number in (a, b):
                    sums[CONTRACTS::2] += row[CONTRACTS + (number == b) :: 2]
            points = [s * p.points.mean for s, p in zip(sign, mine, strict=True)]
            won = [p.won.mean if s > 0 else 1 - p.won.mean for s, p in zip(sign, mine, strict=True)]
            found.append(
                Standing(
                    name,
                    ratings[number],
                    sum(points) / len(points),
                    sum(won) / len(won),
                    _side(sums, 0, 2 * self.deals * len(mine)),
                )
            )
        return sorted(found, key=lambda item: (-item.rating, -item.points, item.name))

    def _ratings(self) -> list[float]:
        """Return the ratings of Bradley and Terry's model, in the order of the names.

        One drawn game is added to every pair, so that a rule that never wins has a rating.
        """
        n = len(self.names)
        wins = np.zeros((n, n))
        for (a, b), (twins, won, _) in zip(self.pairs, self._counts.games.tolist(), strict=True):
            wins[a, b] = won + 0.5
            wins[b, a] = 2 * twins - won + 0.5
        strength = np.ones(n)
        games = wins + wins.T
        for _ in range(_ROUNDS):
            for i in range(n):
                others = np.arange(n) != i
                expected = games[i, others] / (strength[i] + strength[others])
                strength[i] = wins[i, others].sum() / expected.sum()
            strength /= np.exp(np.log(strength).mean())
        return [1500.0 + ELO_OF_TEN * math.log10(value) for value in strength.tolist()]


def _halves(count: int, total: int, squares: int) -> Estimate:
    """Return the mean of `count` halves of whole numbers, from their sum and that of squares."""
    if count == 0:
        return Estimate(math.nan, math.nan)
    mean = total / (2 * count)
    if count < 2:
        return Estimate(mean, math.nan)
    variance = (count * squares - total * total) / (4 * count * count * (count - 1))
    return Estimate(mean, math.sqrt(variance))


def _side(sums: Array, side: int, deals: int) -> Side:
    contracts, bids, made = (int(sums[column + side]) for column in (CONTRACTS, BIDS, MADE))
    if contracts == 0:
        return Side(0.0, math.nan, math.nan)
    return Side(contracts / deals, bids / contracts, made / contracts)
