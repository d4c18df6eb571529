"""The yardstick: deals after realistic exchanges, played by four sampling players.

A table of four hands is dealt for each declarer; the hand with the best mean score declares in its
best trump. Its unseen cards are dealt anew for each deal. The file can be resumed: run the same
command again. `reference.study.deals_of_row` rebuilds the deals of a row.

    python benchmarks/reference_play.py --hands 100 --deals 40 --processes 2
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from provenance import RESULTS
from reference.game import Settings
from reference.runs import Run, play_all
from reference.study import Row, policy_tricks


def summary(rows: list[Row], run: Run) -> str:
    """Return what the rows say in the mean, beside the policy on the same deals."""
    tricks = np.array([np.mean(row["tricks"]) for row in rows])
    policy = np.array([np.mean(policy_tricks(row, run.seed, run.rules)) for row in rows])
    gap = tricks - policy
    error = gap.std(ddof=1) / len(gap) ** 0.5 if len(gap) > 1 else float("nan")
    misfits = sum(row["misfits"] for row in rows) / sum(row["worlds"] for row in rows)
    return (
        f"{len(rows)} declarers: seats 0 and 2 take {tricks.mean():.1f} points in tricks, "
        f"{gap.mean():+.1f} ± {error:.1f} against the policy ({policy.mean():.1f}); "
        f"{misfits:.2%} of the worlds do not fit the melds"
    )


def main(
    hands: Annotated[int, typer.Option(min=1, help="Number of declarers.")] = 100,
    deals: Annotated[int, typer.Option(min=1, help="Deals of each.")] = 40,
    worlds: Annotated[int, typer.Option(min=1, help="Worlds a decision.")] = 12,
    exact_from: Annotated[
        int, typer.Option(min=1, max=12, help="Cards in hand from which values are exact.")
    ] = 7,
    lite_tricks: Annotated[
        int,
        typer.Option(min=0, max=2, help="Tricks that lite looks ahead before that."),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the hands and deals.")] = 1,
    play_seed: Annotated[int, typer.Option(min=0, help="Of the players.")] = 1,
    heading: Annotated[str, typer.Option(help="The rule for playing higher.")] = "always",
    processes: Annotated[int, typer.Option(min=1, help="How many at a time.")] = 1,
    out: Annotated[Path, typer.Option(help="File of results, JSON Lines.")] = (
        RESULTS / "reference_play.jsonl"
    ),
) -> None:
    """Play the deals of the yardstick that are not in the file yet."""
    settings = Settings(worlds, exact_from, lite_tricks)
    run = Run(deals, seed, play_seed, settings, heading)
    print(summary(play_all(run, hands, processes, out), run))


if __name__ == "__main__":
    typer.run(main)
