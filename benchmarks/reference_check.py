"""Whether the yardstick stands: more worlds and earlier exact values must change nothing.

The same deals are played with other settings, with another seed of the players, and with the
policy on one side, which must lose points for that side. Each variant has a file of results in the
folder, so the check can be resumed: run the same command again.

    python benchmarks/reference_check.py --hands 40 --deals 10 --processes 2
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from provenance import heading, write
from reference.game import Settings
from reference.runs import Run, play_all
from reference.study import policy_tricks
from reference.values import EVALUATOR
from tabulate import tabulate

# A variant may differ by this, in points, and two standard errors of the difference.
ALLOWED = 1.0


def tricks_of(rows: list[dict]) -> np.ndarray:
    """Return trick points of seats 0 and 2, shape (n_hands, n_deals)."""
    return np.array([row["tricks"] for row in rows], dtype=float)


def paired(tricks: np.ndarray, base: np.ndarray) -> tuple[float, float]:
    """Return the mean difference and its standard error; a declarer is one observation."""
    change = (tricks - base).mean(axis=1)
    return float(change.mean()), float(change.std(ddof=1) / len(change) ** 0.5)


def main(
    hands: Annotated[int, typer.Option(min=2, help="Number of declarers.")] = 40,
    deals: Annotated[int, typer.Option(min=1, help="Deals of each.")] = 10,
    worlds: Annotated[int, typer.Option(min=1, help="Worlds a decision; doubled by a variant.")] = (
        12
    ),
    exact_from: Annotated[int, typer.Option(min=1, max=10)] = 7,
    earlier: Annotated[int, typer.Option(min=1, max=12, help="Exact from here in a variant.")] = 9,
    lite_tricks: Annotated[int, typer.Option(min=0, max=2)] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the hands and deals.")] = 2,
    processes: Annotated[int, typer.Option(min=1, help="How many at a time.")] = 1,
    folder: Annotated[Path, typer.Option(help="Where the files of the variants are.")] = Path(
        ".benchmarks/reference_check"
    ),
    name: Annotated[str, typer.Option(help="Of the result.")] = "reference_check.md",
) -> None:
    """Play all variants and keep the table."""
    settings = Settings(worlds, exact_from, lite_tricks)
    base = Run(deals, seed, 1, settings)
    variants = {
        "yardstick": base,
        "another seed of the players": replace(base, play_seed=2),
        f"{2 * worlds} worlds": replace(base, settings=replace(settings, worlds=2 * worlds)),
        f"exact from {earlier} cards": replace(
            base, settings=replace(settings, exact_from=earlier)
        ),
        "lite looks past a closed trick": replace(
            base, settings=replace(settings, lite_tricks=lite_tricks + 1)
        ),
        "policy declares": replace(base, settings=replace(settings, policy_seats=(0, 2))),
        "policy defends": replace(base, settings=replace(settings, policy_seats=(1, 3))),
    }
    folder.mkdir(parents=True, exist_ok=True)
    played = {}
    for number, (variant, run) in enumerate(variants.items()):
        rows = play_all(run, hands, processes, folder / f"variant_{number}.jsonl")
        played[variant] = tricks_of(rows)
    own = played["yardstick"]
    again = played["another seed of the players"]
    policy = np.array([policy_tricks(row, seed, base.rules) for row in rows], dtype=float)
    table = [("yardstick", f"{own.mean():.1f}", "", "", "", "")]
    for variant, tricks in [*list(played.items())[1:], ("policy on both sides", policy)]:
        change, error = paired(tricks, own)
        fits = None if "policy" in variant else abs(change) <= ALLOWED + 2 * error
        spread = (tricks - own).std() / 2**0.5
        table.append(
            (
                variant,
                f"{tricks.mean():.1f}",
                f"{change:+.2f}",
                f"{error:.2f}",
                f"{spread:.1f}",
                {True: "yes", False: "NO"}.get(fits, ""),
            )
        )
    text = tabulate(
        table,
        headers=("play", "tricks", "less yardstick", "± s.e.", "SD of a replay", "within"),
        tablefmt="github",
        disable_numparse=True,
    )
    correlation = np.corrcoef(own.ravel(), again.ravel())[0, 1]
    write(
        name,
        heading("Reference play: what its settings change", seed)
        + f"\nThe same {hands} x {deals} deals after the exchange, played by four sampling players "
        f"with {worlds} worlds a decision, exact from {exact_from} cards in hand, before that the "
        f"evaluator `{EVALUATOR}`. Points of 250 that seats 0 and 2 take in tricks; a declarer is "
        "one observation. A replay's SD is that of the difference on one deal over √2. Within: no "
        f"more than {ALLOWED:g} point and two standard errors.\n\n"
        + text
        + f"\n\nTwo seeds of the players on one deal correlate {correlation:.2f}.\n",
    )


if __name__ == "__main__":
    typer.run(main)
