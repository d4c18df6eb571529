"""From an engine's value to the tricks of real play: the predictor and its correction.

Open cards flatter the side that declares, and the policy's plain play costs it points. The
correction says what players who see only their own cards take, given the engine's value of a
deal: a line, and around it the spread that is left, from which each simulated round draws by its
own random number. It was fitted to reference play by benchmarks/correction_fit.py and is stored,
with its version and provenance, in advisor/data/corrections.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.kernels.guide import COUNTER_UNITS
from advisor.kernels.packed import N_COUNTERS
from advisor.kernels.rounds import CHANCE_BITS

Array = np.ndarray[Any, Any]

CORRECTIONS_FILE: Final = Path(__file__).parent / "data" / "corrections.json"
# Slopes are in 1/4096, values in 1/256 counter.
SLOPE_UNITS: Final = 4096


@dataclass(frozen=True)
class Correction:
    """What reference play makes of an engine's value, in whole numbers.

    Parameters
    ----------
    version : int
    intercept : int
        In 1/256 counter.
    engine_slope, policy_slope : int
        In 1/4096: by how much the prediction moves with the engine's value, and with the points
        that the policy takes.
    residuals : tuple of int
        Quantiles of what is left, in 1/256 counter, rising.
    """

    version: int
    intercept: int
    engine_slope: int
    policy_slope: int
    residuals: tuple[int, ...]

    def points(self, values: Array, policy: Array, chances: Array) -> Array:
        """Return predicted trick points of our side, int64, multiples of 10 from 0 to 250.

        Parameters
        ----------
        values : integer array
            The engine's values in 1/256 counter.
        policy : integer array
            What the policy takes of the same deals, in points.
        chances : uint64 array
            A random number below 1024 for each deal.
        """
        residuals = np.array(self.residuals, dtype=np.int64)
        drawn = residuals[(chances.astype(np.int64) * len(residuals)) >> CHANCE_BITS]
        return in_points(self._line(values, policy) + drawn)

    @cached_property
    def of_policy(self) -> Array:
        """Predictions where the engine is the policy, by its points / 10 and the random number."""
        policy = 10 * np.arange(N_COUNTERS + 1)[:, None]
        chances = np.arange(1 << CHANCE_BITS)
        found: Array = self.points(policy * COUNTER_UNITS // 10, policy, chances).astype(np.int16)
        return found

    def outcomes(self, values: Array, policy: Array) -> Array:
        """Return all equally likely predictions of each deal, with one more axis at the end."""
        residuals = np.array(self.residuals, dtype=np.int64)
        return in_points(self._line(values, policy)[..., None] + residuals)

    def expected(self, values: Array, policy: Array) -> Array:
        """Return the mean prediction of each deal, in points."""
        mean: Array = self.outcomes(values, policy).mean(axis=-1)
        return mean

    def _line(self, values: Array, policy: Array) -> Array:
        line = self.intercept * SLOPE_UNITS + self.engine_slope * values.astype(np.int64)
        line = line + self.policy_slope * (policy.astype(np.int64) * COUNTER_UNITS // 10)
        fixed: Array = line // SLOPE_UNITS
        return fixed


def in_points(values: Array) -> Array:
    """Return values in 1/256 counter as the nearest whole counters, in points.

    >>> in_points(np.array([-5, 256, 400, 9999])).tolist()
    [0, 10, 20, 250]
    """
    counters = (values + COUNTER_UNITS // 2) // COUNTER_UNITS
    points: Array = 10 * np.clip(counters, 0, N_COUNTERS)
    return points


@cache
def corrections() -> dict[str, Correction]:
    """Return the stored corrections by engine.

    >>> sorted(corrections())
    ['exact', 'lite', 'policy']
    """
    stored = json.loads(CORRECTIONS_FILE.read_text(encoding="utf-8"))
    return {
        engine: Correction(
            stored["version"],
            fit["intercept"],
            fit["engine_slope"],
            fit["policy_slope"],
            tuple(fit["residuals"]),
        )
        for engine, fit in stored["engines"].items()
    }
