"""Several rules on the same deals: sums from which every paired difference follows.

Values are whole numbers, so sums are exact and do not depend on the order or the blocks in which
deals come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.pricing import Estimate

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Paired:
    """Sums over deals of the values of several rules.

    Parameters
    ----------
    count : int
        Deals.
    totals : tuple of int
        Sum of each rule's values.
    products : tuple of tuple of int
        Sum of the products of each two rules' values.
    """

    count: int
    totals: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, values: Array) -> Paired:
        """Return the sums of some deals.

        Parameters
        ----------
        values : integer array, shape (n_deals, n_rules)
            Below 2**20 in size, at most 8192 deals, so that floats hold the sums exactly.

        >>> Paired.of(np.array([[1, 2], [3, 5]])).products
        ((10, 17), (17, 29))
        """
        exact = values.astype(np.float64)
        products = (exact.T @ exact).astype(np.int64)
        totals = values.astype(np.int64).sum(axis=0)
        return cls(
            len(values), tuple(totals.tolist()), tuple(tuple(row) for row in products.tolist())
        )

    @classmethod
    def none(cls, rules: int) -> Paired:
        """Return the sums of no deals.

        >>> Paired.none(2).count
        0
        """
        return cls(0, (0,) * rules, ((0,) * rules,) * rules)

    @property
    def is_possible(self) -> bool:
        """Whether values can come to such sums: within their size, nothing of negative variance.

        >>> Paired.of(np.array([[1, 2], [3, 5]])).is_possible, Paired(1, (3,), ((4,),)).is_possible
        (True, False)
        """
        n, totals, products = self.count, self.totals, self.products
        numbers = range(len(totals))
        return n >= 0 and all(
            products[i][i] <= n << 40
            and products[i][j] == products[j][i]
            and n * products[i][i] >= totals[i] ** 2
            and n * (products[i][i] + products[j][j] - 2 * products[i][j])
            >= (totals[i] - totals[j]) ** 2
            for i in numbers
            for j in numbers
        )

    def __add__(self, other: Paired) -> Paired:
        return Paired(
            self.count + other.count,
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            tuple(
                tuple(a + b for a, b in zip(one, two, strict=True))
                for one, two in zip(self.products, other.products, strict=True)
            ),
        )

    def mean(self, rule: int, unit: float = 1.0) -> Estimate:
        """Return a rule's mean value a deal, `unit` of which are one."""
        return self._estimate(self.totals[rule], self.products[rule][rule], unit)

    def difference(self, rule: int, base: int, unit: float = 1.0) -> Estimate:
        """Return the mean of a rule's value less that of another on the same deal.

        >>> Paired.of(np.array([[1, 2], [3, 6]])).difference(1, 0)
        Estimate(mean=2.0, se=1.0)
        """
        squares = self.products[rule][rule] + self.products[base][base]
        return self._estimate(
            self.totals[rule] - self.totals[base], squares - 2 * self.products[rule][base], unit
        )

    def _estimate(self, total: int, squares: int, unit: float) -> Estimate:
        n = self.count
        mean = total / n / unit
        if n < 2:
            return Estimate(mean, math.nan)
        return Estimate(mean, math.sqrt((n * squares - total * total) / (n * n * (n - 1))) / unit)
