"""Fits the corrections from engines to real play and writes advisor/data/corrections.json.

Of the yardstick's declarers those with an even number are fitted on; the others are left for
benchmarks/accuracy.py. For each engine a line is fitted to reference play's trick points by least
squares, `lite` and `exact` with the policy's points as a second term; what is left over is kept as
64 quantiles. The intercept is then moved until rounding and clipping leave no bias on that half.

    python benchmarks/correction_fit.py --version 1
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from provenance import heading
from reference.yardstick import YARDSTICK, Yardstick, load_yardstick

from advisor.engines import SIMULATION_TRICKS
from advisor.kernels.guide import COUNTER_UNITS
from advisor.predict import CORRECTIONS_FILE, SLOPE_UNITS, Correction

Array = np.ndarray[Any, Any]

QUANTILES = 64
# Deals of each hand that are solved exactly.
EXACT_DEALS = 6
EXACT_FILE = Path("build/accuracy_exact.npz")


def fit(values: Array | None, policy: Array, tricks: Array, version: int) -> Correction:
    """Return the correction that takes an engine's values nearest to reference play.

    Parameters
    ----------
    values : int array, shape (n,) or None
        In 1/256 counter; None for the policy itself.
    policy, tricks : arrays, shape (n,)
        Points by the policy and by reference play.
    version : int
    """
    own = policy * COUNTER_UNITS // 10
    target = tricks * COUNTER_UNITS / 10
    terms = [np.ones(len(own)), own] if values is None else [np.ones(len(own)), values, own]
    line, *_ = np.linalg.lstsq(np.stack(terms, axis=1).astype(float), target, rcond=None)
    slopes = [round(float(slope) * SLOPE_UNITS) for slope in line[1:]]
    engine_slope, policy_slope = slopes if values is not None else (slopes[0], 0)
    base = own if values is None else values
    rest = target - (line[0] + (engine_slope * base + policy_slope * own) / SLOPE_UNITS)
    middles = (np.arange(QUANTILES) + 0.5) / QUANTILES
    residuals = tuple(round(float(x)) for x in np.quantile(rest, middles))
    intercept = round(float(line[0]))
    correction = Correction(version, intercept, engine_slope, policy_slope, residuals)
    for _ in range(6):
        bias = correction.expected(base, policy).mean() - tricks.mean()
        intercept -= round(bias * COUNTER_UNITS / 10)
        correction = Correction(version, intercept, engine_slope, policy_slope, residuals)
    return correction


def engine_values(yard: Yardstick, rows: slice) -> dict[str, tuple[Array | None, Array, Array]]:
    """Return by engine its values, the policy's points and the reference's, of some hands."""
    lite, _ = yard.lite(SIMULATION_TRICKS)
    exact, _ = yard.exact(EXACT_DEALS, EXACT_FILE)
    policy, tricks = yard.policy[rows], yard.tricks[rows]
    few = (policy[:, :EXACT_DEALS], tricks[:, :EXACT_DEALS])
    return {
        "policy": (None, policy, tricks),
        "lite": (lite[rows], policy, tricks),
        "exact": (exact[rows], *few),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", type=int, required=True)
    parser.add_argument("--yardstick", type=Path, default=YARDSTICK)
    options = parser.parse_args()
    EXACT_FILE.parent.mkdir(exist_ok=True)
    yard = load_yardstick(options.yardstick)
    fits = {}
    for engine, (values, policy, tricks) in engine_values(yard, slice(0, None, 2)).items():
        flat = None if values is None else values.ravel()
        found = fit(flat, policy.ravel(), tricks.ravel(), options.version)
        fits[engine] = {
            "deals": tricks.size,
            "intercept": found.intercept,
            "engine_slope": found.engine_slope,
            "policy_slope": found.policy_slope,
            "residuals": list(found.residuals),
        }
        print(engine, {key: value for key, value in fits[engine].items() if key != "residuals"})
    lines = heading("Corrections").splitlines()
    data = {
        "version": options.version,
        "made_by": [line.removeprefix("- ") for line in lines if line.startswith("- ")],
        "fitted_to": "the even-numbered declarers of benchmarks/results/reference_play.jsonl",
        "unit": "intercept and residuals 1/256 counter, slopes 1/4096",
        "engines": fits,
    }
    CORRECTIONS_FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
