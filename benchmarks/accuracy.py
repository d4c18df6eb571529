"""How close each engine and each predictor comes to reference play, on deals not fitted on.

Of the yardstick's declarers the odd-numbered ones are judged; the corrections were fitted to the
others by benchmarks/correction_fit.py. Exact values, minutes of work, are kept in build/.

    python benchmarks/accuracy.py
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from correction_fit import EXACT_DEALS, EXACT_FILE
from provenance import heading, write
from reference.yardstick import BIDS, YARDSTICK, Yardstick, load_yardstick, points_of
from tabulate import tabulate

from advisor.engines import SIMULATION_TRICKS
from advisor.game.cards import Hand
from advisor.kernels.guide import COUNTER_UNITS
from advisor.predict import corrections
from advisor.simulate import simulate

Array = np.ndarray[Any, Any]

TENTHS = 10


def per_hand_error(prediction: Array, truth: Array) -> tuple[float, float, float]:
    """Return bias of the means per hand, their RMSE as seen, and less sampling variance.

    Parameters
    ----------
    prediction, truth : arrays, shape (n_hands, n_deals)
    """
    gap = prediction - truth
    means = gap.mean(axis=1)
    sampling = (gap.var(axis=1, ddof=1) / gap.shape[1]).mean()
    seen = (means**2).mean()
    return float(means.mean()), float(seen**0.5), float(max(seen - sampling, 0) ** 0.5)


def made_error(predicted: Array, truth: Array, meld: Array) -> tuple[float, float]:
    """Return the mean error of P(make) at all bids, and its RMSE by hand less sampling variance.

    Parameters
    ----------
    predicted : array, shape (n_hands, n_deals, n_outcomes)
        Equally likely trick points.
    truth, meld : arrays, shape (n_hands, n_deals)
    """
    biases, squares = [], []
    for bid in BIDS:
        gap = (predicted + meld[..., None] >= bid).mean(axis=-1) - (truth + meld >= bid)
        means = gap.mean(axis=1)
        sampling = (gap.var(axis=1, ddof=1) / gap.shape[1]).mean()
        biases.append(means.mean())
        squares.append(max((means**2).mean() - sampling, 0))
    return float(np.abs(biases).max()), float(np.mean(squares) ** 0.5)


def row_of(name: str, points: Array, spread: Array, yard: Yardstick, cost: str) -> list[str]:
    """Return a line of the table: by deal, by hand, and P(make)."""
    deals = points.shape[1]
    truth, meld = yard.tricks[:, :deals], yard.meld[:, :deals]
    gap = points - truth
    error = gap.mean(axis=1).std(ddof=1) / len(gap) ** 0.5
    correlation = np.corrcoef(points.ravel(), truth.ravel())[0, 1]
    by_hand = np.corrcoef(points.mean(axis=1), truth.mean(axis=1))[0, 1]
    _, seen, left = per_hand_error(points, truth)
    bias_p, rmse_p = made_error(spread, truth, meld)
    return [
        name,
        f"{gap.mean():+.1f} ± {error:.1f}",
        f"{(gap**2).mean() ** 0.5:.1f}",
        f"{correlation:.2f}",
        f"{seen:.1f}",
        f"{left:.1f}",
        f"{by_hand:.2f}",
        f"{100 * bias_p:.1f} %",
        f"{100 * rmse_p:.1f} %",
        cost,
    ]


HEADERS = (
    "predictor",
    "bias",
    "RMSE a deal",
    "corr.",
    "RMSE a hand",
    "less sampling",
    "corr. of means",
    "P(make) bias",
    "P(make) RMSE",
    "cost a deal",
)


def tenths(points: Array, truth: Array) -> list[list[str]]:
    """Return bias by tenth of the predicted strength of the hand."""
    order = np.argsort(points.mean(axis=1), kind="stable")
    rows = []
    for number, part in enumerate(np.array_split(order, TENTHS), 1):
        gap = (points[part] - truth[part]).mean(axis=1)
        error = gap.std(ddof=1) / len(gap) ** 0.5
        rows.append(
            [
                str(number),
                str(len(part)),
                f"{points[part].mean():.0f}",
                f"{truth[part].mean():.0f}",
                f"{gap.mean():+.1f} ± {error:.1f}",
            ]
        )
    return rows


def policy_seconds() -> float:
    """Return the seconds that a round costs by the policy, dealing and exchange included."""
    hand = Hand.parse("AATKQJ.AK.QJ.T9")
    simulate(hand, 0, samples=100, engine="policy", raw=True)
    start = time.process_time()
    simulate(hand, 0, samples=20_000, engine="policy", raw=True)
    return (time.process_time() - start) / 60_000


def cost_text(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    return f"{seconds:.2g} s" if seconds > 0.1 else f"{1e6 * seconds:.2g} µs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yardstick", type=Path, default=YARDSTICK)
    options = parser.parse_args()
    EXACT_FILE.parent.mkdir(exist_ok=True)
    whole = load_yardstick(options.yardstick)
    values = {f"lite, {k} ahead": whole.lite(k) for k in (0, 1, 2)}
    exact, exact_seconds = whole.exact(EXACT_DEALS, EXACT_FILE)
    odd = slice(1, None, 2)
    yard = Yardstick(
        whole.header, whole.tricks[odd], whole.meld[odd], whole.hands[odd], whole.policy[odd]
    )
    raw: list[tuple[str, Array, float]] = [("policy", yard.policy, policy_seconds())]
    raw += [(name, points_of(found[odd]), seconds) for name, (found, seconds) in values.items()]
    raw.append(("exact", points_of(exact[odd]), exact_seconds))
    table = [
        row_of(f"{name}, raw", points, points[..., None], yard, cost_text(seconds))
        for name, points, seconds in raw
    ]
    own = yard.policy * COUNTER_UNITS // 10
    lite = values[f"lite, {SIMULATION_TRICKS} ahead"][0][odd]
    few = yard.policy[:, :EXACT_DEALS]
    corrected = {
        "policy": (own, yard.policy),
        "lite": (lite, yard.policy),
        "exact": (exact[odd], few),
    }
    for engine, (found, policy) in corrected.items():
        fit = corrections()[engine]
        table.append(
            row_of(
                f"{engine}, corrected (version {fit.version})",
                fit.expected(found, policy),
                fit.outcomes(found, policy),
                yard,
                "",
            )
        )
    best = corrections()["lite"].expected(lite, yard.policy)
    n_hands, n_deals = yard.tricks.shape
    write(
        "accuracy.md",
        heading("Engines and predictors against reference play", whole.header["seed"])
        + f"\n{n_hands} declarers that no correction was fitted on, {n_deals} deals each after the "
        f"exchange, played by four sampling players ({whole.header['worlds']} worlds a decision); "
        f"`exact` on the first {EXACT_DEALS} deals of each. Trick points of 250 for declarer's "
        f"side; reference play takes {yard.tricks.mean():.1f} in the mean. A declarer is one "
        "observation of the bias. `Less sampling`: the RMSE of the mean per hand without the part "
        "that so few deals explain; 0.0 is less than they can tell. P(make): the largest bias at a "
        "bid from 250 to 400, and the RMSE by hand over those bids, sampling taken out. A "
        "corrected predictor's points are the mean of its draws.\n\n"
        + tabulate(table, headers=HEADERS, tablefmt="github", disable_numparse=True)
        + "\n\nThe default predictor, `lite` corrected, by tenth of predicted strength:\n\n"
        + tabulate(
            tenths(best, yard.tricks),
            headers=("tenth", "hands", "predicted", "reference", "bias"),
            tablefmt="github",
            disable_numparse=True,
        )
        + "\n",
    )


if __name__ == "__main__":
    main()
