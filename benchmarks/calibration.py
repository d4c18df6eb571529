"""Calibration: predicted chances against rounds that reference players played out.

Random hands declare in the trump of the quick valuation; one deal of each is exchanged by the
policy and played by four sampling players. What was predicted for the hand before is compared
with whether that round made the bid. The file of rounds can be resumed: run the same again.

    python benchmarks/calibration.py --hands 2000 --processes 2
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from provenance import RESULTS, heading, write
from reference.deals import rebuild_deals
from reference.game import Settings, stream_keys
from reference.runs import Run, play_jobs
from reference.study import Row, table_of
from tabulate import tabulate

from advisor.advise import advise
from advisor.bidding import random_hands
from advisor.game.cards import SUIT_LETTERS, Hand
from advisor.game.rules import Rules
from advisor.playing import rule_array
from advisor.pricing import Pricing
from advisor.simulate import simulate
from advisor.valuation import quick_values

BIDS = range(250, 401, 10)
# The published rule simulates 1,000 rounds with one fixed policy of play.
NAIVE_SAMPLES = 334
SAMPLES = 1024
CEILING_SAMPLES = 512
HAND_SEED = 404


def random_declarers(count: int) -> list[tuple[Hand, int]]:
    """Return random hands, each with the trump that the quick valuation names."""
    packed = random_hands(count, HAND_SEED)
    trumps = quick_values(packed, rule_array(Rules())).argmax(axis=1)
    return [
        (Hand.from_packed(int(word)), int(trump))
        for word, trump in zip(packed, trumps, strict=True)
    ]


def play_hand(number: int, hand: str, trump: int, run: Run) -> Row:
    """Return one round of a hand, played by the sampling players."""
    deals = rebuild_deals(Hand.parse(hand), trump, run.seed, number, 1, run.rules)
    keys = stream_keys(run.play_seed, number, 0, 1)
    played = table_of(run.rules, run.settings).play(deals, keys)
    return {
        "number": number,
        "hand": hand,
        "trump": SUIT_LETTERS[trump],
        "meld": int(deals.points[0, [0, 2]].sum()),
        "tricks": int(played.points[0]),
    }


def predictions(row: Row) -> tuple[list[float], list[float], int | None, float, float]:
    """Return P(make) at `BIDS` of the default predictor and of naive simulation, and the ceiling.

    After the ceiling: P(make) there of the two.
    """
    hand, trump = Hand.parse(row["hand"]), SUIT_LETTERS.index(row["trump"])
    rules = Rules()
    ours = Pricing(simulate(hand, trump, samples=SAMPLES), rules)
    naive = Pricing(simulate(hand, trump, samples=NAIVE_SAMPLES, engine="policy", raw=True), rules)
    ceiling = advise(hand, trump=trump, samples=CEILING_SAMPLES).best.ceiling
    at = ceiling or 250
    return (
        [ours.p_make(bid).mean for bid in BIDS],
        [naive.p_make(bid).mean for bid in BIDS],
        ceiling,
        ours.p_make(at).mean,
        naive.p_make(at).mean,
    )


def reliability(predicted: np.ndarray, made: np.ndarray, hands: np.ndarray) -> list[list[str]]:
    """Return a row for each tenth of predicted chances; the error is that of hands, not of bids."""
    rows = []
    for low in np.arange(0, 1, 0.1):
        part = (predicted >= low) & ((predicted < low + 0.1) | (low > 0.85))
        if not part.any():
            continue
        gap = made[part] - predicted[part]
        # All bids on one hand share its round.
        _, where = np.unique(hands[part], return_inverse=True)
        sums = np.bincount(where, gap)
        error = (sums**2).sum() ** 0.5 / part.sum()
        rows.append(
            [
                f"{100 * low:.0f} to {100 * low + 10:.0f}%",
                f"{part.sum():,}",
                f"{100 * predicted[part].mean():.1f}%",
                f"{100 * made[part].mean():.1f}%",
                f"{100 * gap.mean():+.1f} ± {100 * error:.1f}",
            ]
        )
    return rows


def brier(predicted: np.ndarray, made: np.ndarray) -> float:
    """Return the mean squared error of chances."""
    return float(((predicted - made) ** 2).mean())


def made_three_in_four(predicted: np.ndarray, made: np.ndarray) -> float:
    """Return how often the highest bid is made whose chance is at least three in four.

    That is the bid of the published rule: the score that a quarter of the rounds stay below.
    """
    highest = (predicted >= 0.75).sum(axis=1) - 1
    has = np.flatnonzero(highest >= 0)
    return float(made[has, highest[has]].mean())


def report(rows: list[Row], run: Run) -> str:
    """Return the tables."""
    found = [predictions(row) for row in rows]
    scores = np.array([row["meld"] + row["tricks"] for row in rows])
    played = np.array([row["tricks"] > 0 for row in rows])
    bids = np.array(BIDS)
    made = (scores[:, None] >= bids) & played[:, None]
    ours, naive = np.array([item[0] for item in found]), np.array([item[1] for item in found])
    numbers = np.repeat(np.arange(len(rows)), len(bids)).reshape(made.shape)
    headers = ["predicted", "hands and bids", "predicted, mean", "made", "made less predicted, %"]
    parts = [
        "## Bids of 250 to 400\n",
        tabulate(
            reliability(ours.ravel(), made.ravel(), numbers.ravel()), headers, "github",
            disable_numparse=True,
        ),
    ]  # fmt: skip
    ceilings = np.array([item[2] or 0 for item in found])
    bid = ceilings > 0
    at = np.array([item[3] for item in found])
    at_naive = np.array([item[4] for item in found])
    kept = (scores >= ceilings) & played
    parts += [
        f"\n## At the ceiling: {bid.sum():,} hands that have one\n",
        tabulate(
            reliability(at[bid], kept[bid], np.arange(bid.sum())), headers, "github",
            disable_numparse=True,
        ),
    ]  # fmt: skip
    table = [
        [
            "Brier score, bids of 250 to 400",
            f"{brier(ours, made):.4f}",
            f"{brier(naive, made):.4f}",
        ],
        [
            "Brier score at the ceiling",
            f"{brier(at[bid], kept[bid]):.4f}",
            f"{brier(at_naive[bid], kept[bid]):.4f}",
        ],
        [
            "predicted less made, bids of 250 to 400",
            f"{100 * (ours - made).mean():+.1f}%",
            f"{100 * (naive - made).mean():+.1f}%",
        ],
        [
            "its highest bid up to 400 made in 75% of simulated rounds: made by reference play",
            *(f"{100 * made_three_in_four(chances, made):.1f}%" for chances in (ours, naive)),
        ],
    ]
    parts += [
        "\n## Beside naive simulation (25th percentile rule: raw rounds by one fixed policy)\n",
        tabulate(table, ["", "default predictor", "naive simulation"], "github"),
    ]
    return "\n".join(parts) + "\n"


def main(
    hands: Annotated[int, typer.Option(min=1, help="Number of hands.")] = 2000,
    worlds: Annotated[int, typer.Option(min=1, help="Worlds a decision.")] = 12,
    exact_from: Annotated[int, typer.Option(min=1, max=12)] = 7,
    seed: Annotated[int, typer.Option(min=0, help="Of the deals.")] = 77,
    processes: Annotated[int, typer.Option(min=1, help="How many at a time.")] = 1,
    out: Annotated[Path, typer.Option(help="File of rounds, JSON Lines.")] = (
        RESULTS / "calibration.jsonl"
    ),
) -> None:
    """Play the rounds that are not in the file yet, then write the tables."""
    run = Run(1, seed, seed, Settings(worlds, exact_from, 0))
    jobs = {
        number: (play_hand, number, str(hand), trump, run)
        for number, (hand, trump) in enumerate(random_declarers(hands))
    }
    rows = play_jobs(run, jobs, processes, out)
    write(
        "calibration.md",
        f"{heading('Calibration against reference play', seed)}\n{len(rows):,} random hands, one "
        f"round each, in {out.name}.\n\n{report(rows, run)}",
    )


if __name__ == "__main__":
    typer.run(main)
