"""How often each score came up in the simulated rounds, in bins of ten points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np

BIN: Final = 10


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of rounds by score.

    Parameters
    ----------
    start : int
        Lowest score of the first bin, in points; a multiple of `width`.
    width : int
        Points in a bin, so that a bid between two bins cuts none in two.
    counts : tuple of int
        Rounds in each bin, from `start` up.

    >>> Histogram(250, 10, (1, 0, 3)).total
    4
    """

    start: int
    width: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, scores: np.ndarray[Any, Any]) -> Histogram:
        """Return the histogram of whole points.

        Parameters
        ----------
        scores : integer array of any shape, not empty

        >>> import numpy as np
        >>> Histogram.of(np.array([[259, 260], [281, 262]]))
        Histogram(start=250, width=10, counts=(1, 2, 0, 1))
        """
        import numpy as np

        bins = scores.ravel() // BIN
        first = int(bins.min())
        return cls(first * BIN, BIN, tuple(int(n) for n in np.bincount(bins - first)))

    @property
    def total(self) -> int:
        """The number of rounds."""
        return sum(self.counts)

    @property
    def stop(self) -> int:
        """The score at which the last bin ends."""
        return self.start + self.width * len(self.counts)

    def at_least(self, points: int) -> int:
        """Return how many rounds scored so much or more; `points` must not cut a bin.

        >>> Histogram(250, 10, (1, 2, 0, 1)).at_least(260)
        3
        """
        first = -((self.start - points) // self.width)
        return sum(self.counts[max(first, 0) :])

    def wider(self, width: int, edge: int = 0) -> Histogram:
        """Return the same rounds in bins of a multiple of the width, one of which begins at `edge`.

        >>> Histogram(250, 10, (1, 2, 0, 1)).wider(20)
        Histogram(start=240, width=20, counts=(1, 2, 1))
        >>> Histogram(250, 10, (1, 2, 0, 1)).wider(20, 270)
        Histogram(start=250, width=20, counts=(3, 1))
        """
        start = edge + (self.start - edge) // width * width
        counts = [0] * -((start - self.stop) // width)
        for number, count in enumerate(self.counts):
            counts[(self.start + number * self.width - start) // width] += count
        return Histogram(start, width, tuple(counts))

    def quantile(self, share: float) -> int:
        """Return the start of the bin below which at most that share of the rounds lies.

        >>> Histogram(250, 10, (1, 2, 0, 1)).quantile(0.5)
        260
        """
        below = 0
        for number, count in enumerate(self.counts):
            below += count
            if below > share * self.total:
                return self.start + number * self.width
        return self.stop - self.width
