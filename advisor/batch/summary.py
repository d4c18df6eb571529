"""What the rows of a run say together, counted as they come, in memory that does not grow."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from advisor.batch.results import Result
from advisor.game.cards import SUIT_LETTERS
from advisor.game.notation import MAX_LENGTH
from advisor.report.data import SCHEMA

CLOSEST: Final = 5
# So many rows are kept, to be listed where there are no more.
MOST_LISTED: Final = 50
QUANTILES: Final = (0.10, 0.25, 0.50, 0.75, 0.90)
# Of different mistakes; those met later are counted together.
MOST_KINDS: Final = 100
_LINES_KEPT: Final = 3
_CLOSEST_KEYS: Final = (
    "file", "line", "id", "hand", "trump", "bid", "bid_over_pass", "bid_over_pass_se"
)  # fmt: skip
# What differs between two mistakes of a kind: what is quoted, hands, numbers.
_DIFFERS: Final = re.compile(r"'[^']*'|[AKTQJ9-]+(?:\.[AKTQJ9-]+){3}|[0-9]+")


@dataclass(slots=True)
class Mistakes:
    """Bad rows whose errors are of a kind.

    Parameters
    ----------
    message : str
        That of the first.
    where : list of (str, int, str or None)
        File, line and id of the first few.
    count : int
    """

    message: str
    where: list[tuple[str, int, str | None]]
    count: int = 0


class Tally:
    """Counts results.

    Attributes
    ----------
    rows, bad, repeated : int
    bids : Counter
        By how high to go, 0 for a pass.
    suits : Counter
        Of hands to bid, by trump.
    close_calls, close_trumps : int
        Hands in which bid or pass, or the trump, is too close to call.
    listed : list of Result
        All of them in their order, as long as there are no more than `MOST_LISTED`; else none.
    """

    def __init__(self) -> None:
        self.rows = self.bad = self.repeated = self._scored = 0
        self.listed: list[Result] = []
        self.close_calls = self.close_trumps = 0
        self.bids: Counter[int] = Counter()
        self.suits: Counter[int] = Counter()
        self._mistakes: dict[str, Mistakes] = {}
        self._closest: list[tuple[float, int, Result]] = []
        self._closest_chances: list[tuple[float, int, Result]] = []

    def add(self, result: Result) -> None:
        """Count one more result."""
        self.rows += 1
        self.repeated += result.repeated
        if self.rows <= MOST_LISTED:
            self.listed.append(result)
        else:
            self.listed.clear()
        answer = result.answer
        if answer is None:
            self.bad += 1
            self._note(result)
            return
        self.bids[answer.bid or 0] += 1
        if answer.bid is not None:
            self.suits[answer.trump] += 1
        self.close_calls += "call" in answer.close
        self.close_trumps += "trump" in answer.close
        if answer.bid_over_pass is not None and not result.repeated:
            in_points = result.terms is None or result.terms.score is None
            self._scored += not in_points
            heap = self._closest if in_points else self._closest_chances
            # The largest distance stands first, to be pushed out.
            item = (-abs(answer.bid_over_pass), -self.rows, result)
            if len(heap) < CLOSEST:
                heapq.heappush(heap, item)
            else:
                heapq.heappushpop(heap, item)

    def _note(self, result: Result) -> None:
        message = result.error or "unknown"
        kind = _DIFFERS.sub("…", message[:MAX_LENGTH])
        found = self._mistakes.get(kind)
        if found is None and len(self._mistakes) >= MOST_KINDS:
            kind = ""
            found = self._mistakes.get(kind)
            message = "other mistakes"
        if found is None:
            found = self._mistakes[kind] = Mistakes(message, [])
        found.count += 1
        if len(found.where) < _LINES_KEPT:
            found.where.append((result.source, result.line, result.id))

    @property
    def good(self) -> int:
        """Number of rows that were answered."""
        return self.rows - self.bad

    @property
    def to_bid(self) -> int:
        """Number of hands to bid."""
        return self.suits.total()

    @property
    def mistakes(self) -> list[Mistakes]:
        """Kinds of mistakes, in the order of their first rows."""
        return list(self._mistakes.values())

    @property
    def closest(self) -> list[Result]:
        """The hands in which bidding and passing are closest, the closest first."""
        heap = self._closest or self._closest_chances
        return [result for *_, result in sorted(heap, key=lambda item: (-item[0], -item[1]))]

    @property
    def closest_in_points(self) -> bool:
        """Whether the closest calls differ in points, or in chances to win the game."""
        return bool(self._closest) or not self._closest_chances

    @property
    def closest_left_out(self) -> int:
        """Hands judged at a score, not compared with those that differ in points."""
        return self._scored if self._closest else 0

    def share_to_bid(self) -> tuple[float, float]:
        """Return the share of hands to bid and its standard error, NaN for none."""
        n = self.good
        if n == 0:
            return math.nan, math.nan
        share = self.to_bid / n
        return share, math.sqrt(share * (1 - share) / (n - 1)) if n > 1 else math.nan

    def mean_bid(self) -> tuple[float, float]:
        """Return the mean of how high hands to bid should go, and its standard error."""
        n = self.to_bid
        if n == 0:
            return math.nan, math.nan
        total = sum(bid * count for bid, count in self.bids.items())
        squares = sum(bid * bid * count for bid, count in self.bids.items())
        mean = total / n
        if n == 1:
            return mean, math.nan
        return mean, math.sqrt((n * squares - total * total) / (n * n * (n - 1)))

    def quantile(self, share: float) -> int | None:
        """Return the bid that a share of all hands does not exceed, None for a pass.

        The lowest such bid; a pass is lower than any.
        """
        need = share * self.good
        seen = 0
        for bid in sorted(self.bids):
            seen += self.bids[bid]
            if seen >= need:
                return bid or None
        return None

    def as_dict(self) -> dict[str, Any]:
        """Return the summary for programs; numbers that do not exist are NaN or None."""
        share, share_se = self.share_to_bid()
        mean, mean_se = self.mean_bid()
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "answered": self.good,
            "bad": self.bad,
            "repeated": self.repeated,
            "to_bid": self.to_bid,
            "share_to_bid": share,
            "share_to_bid_se": share_se,
            "ceiling_mean": mean,
            "ceiling_mean_se": mean_se,
            "ceiling_quantiles": {f"{q:g}": self.quantile(q) for q in QUANTILES},
            "ceilings": {str(bid) if bid else "pass": self.bids[bid] for bid in sorted(self.bids)},
            "suits": {letter: self.suits[suit] for suit, letter in enumerate(SUIT_LETTERS)},
            "close_calls": self.close_calls,
            "close_trumps": self.close_trumps,
            "closest_in": "points" if self.closest_in_points else "chances",
            "closest_left_out": self.closest_left_out,
            "closest": [
                {name: value for name, value in result.values().items() if name in _CLOSEST_KEYS}
                for result in self.closest
            ],
            "mistakes": [
                {
                    "message": kind.message,
                    "count": kind.count,
                    "first": [f"{source}:{line}" for source, line, _ in kind.where],
                    "ids": [name for *_, name in kind.where],
                }
                for kind in self.mistakes
            ],
        }
