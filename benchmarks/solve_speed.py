"""How long the exact solver takes: random endings, and full deals of the recorded file.

python benchmarks/solve_speed.py
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.game.cards import SUIT_LETTERS, Hand, parse_card
from advisor.solve import Solver, table_bits_for

DATA = Path(__file__).parents[1] / "tests" / "data"


def random_endings(tricks: int, count: int, seed: int):
    """Yield hands, trump and leader of endings drawn at random from the whole deck."""
    rng = np.random.default_rng(seed)
    deck = np.repeat(np.arange(24), 2)
    for _ in range(count):
        cards = rng.permutation(deck)[: 4 * tricks].reshape(4, tricks)
        hands = [Hand.from_cards(int(card) for card in hand) for hand in cards]
        yield hands, int(rng.integers(4)), int(rng.integers(4))


def recorded_deals(count: int):
    """Yield the first deals of the file of full deals."""
    lines = (DATA / "double_dummy_12_tricks.jsonl").read_text().splitlines()[:count]
    for deal in map(json.loads, lines):
        hands = [Hand.from_cards(map(parse_card, text.split())) for text in deal["hands"]]
        yield hands, SUIT_LETTERS.index(deal["trump"]), deal["leader"]


def row(name: str, deals) -> list[str]:
    """Solve deals one by one, each with a fresh table, and return a line of the result."""
    times, nodes = [], []
    for hands, trump, leader in deals:
        solver = Solver(table_bits=table_bits_for(hands))
        start = time.perf_counter()
        solver.points(hands, trump, leader)
        times.append(1000 * (time.perf_counter() - start))
        nodes.append(solver.nodes)
    return [
        name,
        f"{len(times)}",
        f"{statistics.mean(times):,.1f}",
        f"{statistics.median(times):,.1f}",
        f"{max(times):,.1f}",
        f"{statistics.mean(nodes):,.0f}",
        f"{sum(nodes) / sum(times) / 1000:.1f}",
        f"{solver.table_bytes / 1e6:.1f}",
    ]


def main() -> None:
    """Time endings of 6 to 10 tricks and full deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--full-deals", type=int, default=40)
    options = parser.parse_args()
    row("warm-up", random_endings(3, 2, 0))
    rows = [
        row(f"{tricks} tricks", random_endings(tricks, count, options.seed))
        for tricks, count in ((6, 200), (7, 200), (8, 200), (9, 100), (10, 40))
    ]
    rows.append(row("12 tricks", recorded_deals(options.full_deals)))
    table = tabulate(
        rows,
        headers=(
            "deals",
            "number",
            "mean ms",
            "median ms",
            "max ms",
            "mean nodes",
            "M nodes/s",
            "table MB",
        ),
        tablefmt="github",
        disable_numparse=True,
    )
    write(
        "solve_speed.md",
        heading("Exact double dummy: time for a value on one core", options.seed)
        + "\nRandom endings from the whole deck, random trump and leader; full deals: the first of "
        "tests/data/double_dummy_12_tricks.jsonl. A fresh table for each deal.\n\n" + table + "\n",
    )


if __name__ == "__main__":
    main()
