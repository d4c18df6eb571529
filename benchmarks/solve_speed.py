"""How long the exact solver takes: random endings, full deals of the recorded file, yes or no.

python benchmarks/solve_speed.py

Where the package endplay is installed, DDS, the bridge solver in it, is timed in the same run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.game.cards import SUIT_LETTERS, Hand, parse_card
from advisor.solver import Solver, table_bits_for

DATA = Path(__file__).parents[1] / "tests" / "data"
QUESTION = 160
BRIDGE_DEALS_EACH = 5


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


def timed(deal, question: int | None = None) -> tuple[float, int, int]:
    """Return milliseconds, nodes and table bytes of one deal solved with a fresh table.

    A question in points asks for yes or no only.
    """
    hands, trump, leader = deal
    solver = Solver(table_bits=table_bits_for(hands))
    start = time.process_time()
    if question is None:
        solver.points(hands, trump, leader)
    else:
        solver.at_least(hands, trump, leader, question)
    return 1000 * (time.process_time() - start), solver.nodes, solver.table_bytes


def row(name: str, results: list[tuple[float, int, int]]) -> list[str]:
    """Return a line of the result."""
    times, nodes, sizes = zip(*results, strict=True)
    return [
        name,
        f"{len(times)}",
        f"{statistics.mean(times):,.1f}",
        f"{statistics.median(times):,.1f}",
        f"{max(times):,.1f}",
        f"{statistics.mean(nodes):,.0f}",
        f"{statistics.median(nodes):,.0f}",
        f"{sum(nodes) / sum(times) / 1000:.1f}",
        f"{sizes[0] / 2**20:.0f}",
    ]


def bridge_solver(seed: int):
    """Return a function that times DDS on a random bridge deal, or None without endplay."""
    try:
        from endplay._dds import SetMaxThreads
        from endplay.dds import solve_board
        from endplay.dds.solve import SolveMode
        from endplay.types import Deal, Denom, Player
    except ImportError:
        return None
    SetMaxThreads(1)
    rng = np.random.default_rng(seed)
    suits = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs)

    def timed_bridge() -> float:
        cards = rng.permutation(52).reshape(4, 13)
        hands = []
        for hand in cards:
            ranks = [
                "".join("23456789TJQKA"[card % 13] for card in sorted(hand) if card // 13 == suit)
                for suit in range(4)
            ]
            hands.append(".".join(text[::-1] for text in ranks))
        leader = Player(int(rng.integers(4)))
        deal = Deal("N:" + " ".join(hands), first=leader, trump=suits[int(rng.integers(4))])
        start = time.process_time()
        solve_board(deal, SolveMode.OptimalOne)
        return 1000 * (time.process_time() - start)

    timed_bridge()
    return timed_bridge


def beside_bridge(ours: list[float], theirs: list[float]) -> str:
    """Return the section that compares full deals with bridge deals timed between them."""
    if not theirs:
        return "Not timed: the package endplay is not installed.\n"
    rows = [
        [
            name,
            f"{len(times)}",
            f"{statistics.mean(times):,.1f}",
            f"{statistics.median(times):,.1f}",
        ]
        for name, times in (("pinochle, this solver", ours), ("bridge, DDS", theirs))
    ]
    ratios = (
        statistics.mean(ours) / statistics.mean(theirs),
        statistics.median(ours) / statistics.median(theirs),
    )
    rows.append(["ratio", "", *(f"{ratio:.1f}" for ratio in ratios)])
    return (
        f"DDS as packed by endplay {version('endplay')}: random bridge deals, a random suit as "
        "trump, one leader, exact, one thread; a few after each pinochle deal, "
        "so that both meet the same load.\n\n"
        + tabulate(
            rows,
            headers=("full deals, exact value", "number", "mean ms", "median ms"),
            tablefmt="github",
            disable_numparse=True,
        )
        + "\n"
    )


def main() -> None:
    """Time endings of 6 to 10 tricks, full deals, and bridge deals beside them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--full-deals", type=int, default=40)
    options = parser.parse_args()
    for deal in random_endings(3, 2, 0):
        timed(deal)
    rows = [
        row(f"{tricks} tricks", list(map(timed, random_endings(tricks, count, options.seed))))
        for tricks, count in ((6, 200), (7, 200), (8, 200), (9, 100), (10, 40))
    ]
    timed_bridge = bridge_solver(options.seed)
    exact, bridge = [], []
    for deal in recorded_deals(options.full_deals):
        exact.append(timed(deal))
        if timed_bridge is not None:
            bridge += [timed_bridge() for _ in range(BRIDGE_DEALS_EACH)]
    rows.append(row("12 tricks", exact))
    answers = [timed(deal, QUESTION) for deal in recorded_deals(options.full_deals)]
    rows.append(row(f"12 tricks, {QUESTION} or more?", answers))
    table = tabulate(
        rows,
        headers=(
            "deals",
            "number",
            "mean ms",
            "median ms",
            "max ms",
            "mean nodes",
            "median nodes",
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
        "tests/data/double_dummy_12_tricks.jsonl. Processor time; a fresh table for each deal. The "
        f"last row asks whether seats 0 and 2 can take {QUESTION} points.\n\n"
        + table
        + "\n\n## Beside bridge\n\n"
        + beside_bridge([result[0] for result in exact], bridge),
    )


if __name__ == "__main__":
    main()
