"""Fits the guide, the learned estimate behind the `lite` engine: advisor/data/guide.json.

Positions of six to eight cards a seat are labelled with their exact values. From there labels
climb: positions of nine to twelve cards are judged by a search of one trick whose leaves the
network of the stage before judges, and the network is fitted again; then all sizes afresh; then
by searches of two tricks. Nothing is fitted on the deals of tests/data. About ten minutes on one
idle core, half of it for exact labels; labels are kept in --labels.

    python benchmarks/guide_fit.py --labels build/guide
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from guide_net import Network
from guide_positions import positions
from provenance import heading

from advisor.game.cards import N_CARD_TYPES, Hand
from advisor.guide import LAYERS, write_guide
from advisor.kernels.guide import COUNTER_UNITS, close_deals
from advisor.kernels.lite import lite_deals
from advisor.solver import Solver

Array = np.ndarray[Any, Any]

# Size, seed and number of the positions with exact labels.
EXACT = (
    (6, 1, 7500),
    (6, 6, 37500),
    (7, 71, 18000),
    (7, 72, 9500),
    (8, 8, 13500),
    (8, 81, 4500),
)
LARGEST_EXACT = 8
SIZES = range(LARGEST_EXACT + 1, 13)
CHAIN, WIDE, DEEP = 40_000, 100_000, 24_000
HIDDEN = {"trump": 64, "side": 96, "second": 32, "third": 16}


def shallow(network: Network, hands: Array, tricks: int) -> Array:
    """Return values by a search of some tricks, in counters for the leader's side."""
    rounded = network.rounded()
    weights = tuple(rounded[name] for name, _ in LAYERS)
    count = len(hands)
    nothing = np.zeros(count, dtype=np.int64)
    tables = np.zeros((count, 3), dtype=np.uint64)
    out = np.zeros((count, 2), dtype=np.int64)
    lite_deals(hands, nothing, nothing, tables, nothing, tricks, 0, weights, out)
    values: Array = (out[:, 0] / COUNTER_UNITS).astype(np.float32)
    return values


def closed_up(hands: Array) -> Array:
    """Return positions with the ranks that nobody holds closed up."""
    out = np.zeros_like(hands)
    close_deals(hands, out)
    return out


def unpacked(row: Array) -> list[Hand]:
    """Return the four hands of a position."""
    return [
        Hand(tuple((int(word) >> 2 * card & 3).bit_count() for card in range(N_CARD_TYPES)))
        for word in row
    ]


class Labelled:
    """Positions with values, by size; what is made once is kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.parts: list[tuple[int, Array, Array]] = []

    def add_exact(self) -> None:
        """Add the positions with exact values."""
        solver = Solver(table_bits=16)
        for size, seed, count in EXACT:
            file = self.folder / f"exact_{size}_{seed}.npz"
            if not file.exists():
                hands, _ = positions(seed, 0, count, size)
                values = [solver.points(unpacked(row), 0, 0) // 10 for row in hands]
                np.savez(file, P=hands, V=np.array(values))
            stored = np.load(file)
            self.parts.append((size, stored["P"][:count], stored["V"][:count]))
            print(f"exact, {size} cards: {count}", flush=True)

    def add_shallow(self, network: Network, size: int, seed: int, count: int, tricks: int) -> None:
        """Add positions judged by a search with a network."""
        hands, _ = positions(seed + size, 0, count, size)
        self.parts.append((size, hands, shallow(network, hands, tricks)))
        print(f"{tricks} tricks, {size} cards: {count}", flush=True)

    def only_exact(self) -> None:
        """Drop the labels that a network made."""
        self.parts = [part for part in self.parts if part[0] <= LARGEST_EXACT]

    def fit(self, network: Network, epochs: int, rate: float, seed: int) -> None:
        """Fit a network to all there is."""
        hands = np.concatenate([closed_up(part[1]) for part in self.parts])
        values = np.concatenate([part[2] for part in self.parts]).astype(np.float32)
        sizes = np.concatenate([np.full(len(part[1]), part[0]) for part in self.parts])
        error = network.fit(hands, values, sizes, epochs=epochs, rate=rate, seed=seed)
        print(f"  fitted to {len(values)}: {10 * error:.1f} points", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=Path, default=Path("build/guide"))
    parser.add_argument("--seed", type=int, default=7000)
    options = parser.parse_args()
    seed = options.seed

    labelled = Labelled(options.labels)
    labelled.add_exact()
    network = Network(**HIDDEN, seed=seed)
    labelled.fit(network, epochs=16, rate=2e-3, seed=seed)
    for size in SIZES:
        labelled.add_shallow(network, size, seed + 100, CHAIN, 1)
        labelled.fit(network, epochs=8, rate=1.5e-3, seed=seed + size)

    labelled.only_exact()
    for size in SIZES:
        labelled.add_shallow(network, size, seed + 200, WIDE, 1)
    network = Network(**HIDDEN, seed=seed + 1)
    labelled.fit(network, epochs=16, rate=2e-3, seed=seed + 1)

    labelled.only_exact()
    for size in SIZES:
        labelled.add_shallow(network, size, seed + 300, DEEP, 2)
    labelled.fit(network, epochs=12, rate=7e-4, seed=seed + 2)

    lines = heading("The guide of the lite engine", seed).splitlines()
    write_guide(
        network.rounded(),
        {
            "made_by": [line.removeprefix("- ") for line in lines if line.startswith("- ")],
            "method": "exact values of 6 to 8 cards; searches of one and two tricks for 9 to 12",
            "heading": "always",
            "unit": "1/256 counter for the side of the leader",
        },
    )


if __name__ == "__main__":
    main()
