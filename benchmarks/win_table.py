"""The chance to win a game at every score, from self-played rounds.

Both sides bid by the standard style, without a convention, under the default rules. W(a, b) is the
chance of a side that is a points short of the target against one that is b short. It is iterated
over one round, W(a, b) = sum of p * W(a - ours, b - theirs), on scores 10 apart, until it stays;
the two sides' rounds are pooled, so that neither is the stronger.

    python benchmarks/win_table.py
"""

from __future__ import annotations

import argparse
import json
from functools import lru_cache

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.bidding import STANDARD_STYLE
from advisor.game.rules import Rules
from advisor.game_win import UNITS, WIN_FILE
from advisor.tables import Table

VERSION = 1
GRID = 10
STEP = 50
BEYOND = 1000
BLOCK = 100_000
TIE_RULES = ("bidder", "highest")
TOLERANCE = 1e-12
# Of a round's points on either side; more, which one deal in some thousands has, wins or loses a
# game just the same.
MOST_POINTS = 2500
LEAST_POINTS = -1000
PARTS = 10
SPOTS = ((0, 250), (0, 500), (500, 1000), (800, 1200), (1000, 1100), (1200, 1400), (1250, 1450))
SCORES = (-500, 0, 300, 600, 900, 1200, 1400)


def self_played(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points of declarer's side, points of the other, and whether it was made."""
    parts = []
    for number in range(-(-count // BLOCK)):
        table = Table(min(BLOCK, count - number * BLOCK), seed + number)
        found = table.run((STANDARD_STYLE, STANDARD_STYLE))
        side = (found.declarer & 1)[:, None]
        ours = np.take_along_axis(found.points, side, axis=1)[:, 0]
        theirs = np.take_along_axis(found.points, 1 - side, axis=1)[:, 0]
        parts.append((ours, theirs, found.made))
    ours, theirs, made = (np.concatenate(part) for part in zip(*parts, strict=True))
    return ours, theirs, made


def shares(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return how often declarer's side and the other score so many tens, from LEAST_POINTS up."""
    size = (MOST_POINTS - LEAST_POINTS) // GRID + 1
    rows = (np.clip(ours, LEAST_POINTS, MOST_POINTS) - LEAST_POINTS) // GRID
    columns = (np.clip(theirs, LEAST_POINTS, MOST_POINTS) - LEAST_POINTS) // GRID
    counts = np.bincount(rows * size + columns, minlength=size * size).reshape(size, size)
    return counts / counts.sum()


@lru_cache(maxsize=4)
def terminal(tie_rule: str, size: int, we_bid: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the distances after a round, and 1 or 0 where it has ended the game, else NaN.

    Index 0 is a side that is MOST_POINTS beyond the target.
    """
    after = np.arange(-MOST_POINTS // GRID, size - LEAST_POINTS // GRID) * GRID
    ours, theirs = after[:, None] <= 0, after[None, :] <= 0
    ends = np.where(ours & ~theirs, 1.0, np.where(theirs & ~ours, 0.0, np.nan))
    both = np.full(ends.shape, float(we_bid))
    if tie_rule == "highest":
        ahead = after[None, :] - after[:, None]
        both = np.where(ahead > 0, 1.0, np.where(ahead < 0, 0.0, both))
    return after, np.where(ours & theirs, both, ends)


def iterated(table: np.ndarray, tie_rule: str, spectra: list[np.ndarray]) -> np.ndarray:
    """Return the table one round earlier."""
    size = len(table)
    total = np.zeros_like(table)
    for we_bid, spectrum in zip((True, False), spectra, strict=True):
        after, ends = terminal(tie_rule, size, we_bid)
        place = np.clip(after // GRID, 0, size - 1)
        later = np.where(np.isnan(ends), table[np.ix_(place, place)], ends)
        shape = (later.shape[0], later.shape[1])
        mixed = np.fft.irfft2(np.fft.rfft2(later) * spectrum, s=shape)
        # A score takes its points off the distance; both are counted from their least.
        start = (MOST_POINTS - LEAST_POINTS) // GRID
        total += 0.5 * mixed[start : start + size, start : start + size]
    return total


def solved(shares_of_points: np.ndarray, tie_rule: str, size: int) -> tuple[np.ndarray, int, float]:
    """Return the fine table, the number of rounds it took, and its last change."""
    after, _ = terminal(tie_rule, size, True)
    length = len(after)
    # The same rounds seen from declarer's side and from the other.
    spectra = [
        np.fft.rfft2(part, s=(length, length)) for part in (shares_of_points, shares_of_points.T)
    ]
    table = np.full((size, size), 0.5)
    number, change = 0, 1.0
    while change > TOLERANCE:
        before, number = table, number + 1
        table = iterated(table, tie_rule, spectra)
        # Rounding must not make a side the stronger.
        table = (table + 1 - table.T) / 2
        change = float(np.abs(table - before).max())
    return table, number, change


def hats(size: int) -> np.ndarray:
    """Return how much of each node every score takes, shape (size, n_nodes)."""
    points, at = np.arange(size) * GRID / STEP, np.arange((size - 1) * GRID // STEP + 1)
    return np.maximum(0.0, 1.0 - np.abs(points[:, None] - at))


def nodes(fine: np.ndarray) -> np.ndarray:
    """Return the nodes whose straight lines come nearest, in whole numbers of 1/UNITS.

    Both ways round they add up to UNITS. No score is 0 short of the target, so there is nothing
    to come near at index 0.
    """
    nearest = np.linalg.pinv(hats(len(fine))[1:])
    coarse = np.rint(UNITS * (nearest @ fine[1:, 1:] @ nearest.T)).astype(int)
    upper = np.triu(np.clip(coarse, 0, UNITS), 1)
    whole = upper + np.tril(UNITS - upper.T, -1)
    np.fill_diagonal(whole, UNITS // 2)
    if (np.diff(whole, axis=0) > 0).any():
        raise SystemExit("a side gains by being further from the target: play more rounds")
    return whole


def between_nodes(whole: np.ndarray, size: int) -> np.ndarray:
    """Return the stored table on the fine grid, linear between its nodes."""
    weights = hats(size)
    return weights @ whole @ weights.T / UNITS


def table_of(rows: list[list[object]], headers: list[object]) -> str:
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def sampling_rows(
    ours: np.ndarray, theirs: np.ndarray, fine: dict[str, np.ndarray], target: int
) -> list[list[object]]:
    """Return chances at some scores, with the standard errors that the number of rounds leaves."""
    size = len(fine["bidder"])
    parts = [
        solved(shares(ours[part::PARTS], theirs[part::PARTS]), "bidder", size)[0]
        for part in range(PARTS)
    ]
    rows: list[list[object]] = []
    for us, them in SPOTS:
        place = (target - us) // GRID, (target - them) // GRID
        error = np.std([part[place] for part in parts], ddof=1) / PARTS**0.5
        rows.append(
            [
                f"{us} : {them}",
                f"{100 * fine['bidder'][place]:.2f}%",
                f"{100 * error:.3f}%",
                f"{100 * fine['highest'][place]:.2f}%",
            ]
        )
    return rows


def keep(tables: dict[str, np.ndarray], title: str, count: int) -> None:
    """Write the data file, a line for each row of nodes."""
    facts = {
        "version": VERSION,
        "made_by": [line[2:] for line in title.splitlines() if line.startswith("- ")],
        "rounds": count,
        "fitted_to": "rounds under the rules cardgames, default predictor, standard style",
        "unit": f"1/{UNITS}",
        "step": STEP,
        "index": "points we are short of the target, then they, by the step",
    }
    head = json.dumps(facts, indent=1).removesuffix("\n}")
    both = ",\n".join(
        f'  "{name}": [\n' + ",\n".join(f"   {row}" for row in table.tolist()) + "\n  ]"
        for name, table in tables.items()
    )
    WIN_FILE.write_text(f'{head},\n "tables": {{\n{both}\n }}\n}}\n', encoding="utf-8")


def main() -> None:
    """Play, iterate, measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=2025)
    options = parser.parse_args()
    target = Rules().target
    size = (target + BEYOND) // GRID + 1
    ours, theirs, made = self_played(options.rounds, options.seed)

    tables, fine = {}, {}
    quality: list[list[object]] = []
    for tie_rule in TIE_RULES:
        fine[tie_rule], number, change = solved(shares(ours, theirs), tie_rule, size)
        tables[tie_rule] = nodes(fine[tie_rule])
        error = np.abs(between_nodes(tables[tie_rule], size) - fine[tie_rule])[1:, 1:]
        a, b = ((int(place) + 1) * GRID for place in np.unravel_index(error.argmax(), error.shape))
        quality.append(
            [
                tie_rule,
                number,
                f"{change:.0e}",
                f"{100 * (error**2).mean() ** 0.5:.2f}%",
                f"{100 * error.max():.2f}% at {target - a} : {target - b}",
            ]
        )
    by_scores: list[list[object]] = [
        [us]
        + [
            f"{100 * fine['bidder'][(target - us) // GRID, (target - them) // GRID]:.1f}%"
            for them in SCORES
        ]
        for us in SCORES
    ]
    title = heading("Chance to win the game", options.seed)
    style = STANDARD_STYLE
    write(
        "win_table.md",
        f"{title}\n{len(ours):,} rounds by the default predictor under the rules cardgames, bid by "
        f"the standard style ({style.model}, noise {style.noise}), no convention; bids do not look "
        f"at the score, and who deals is left to chance. Declarer's side scores {ours.mean():.1f} "
        f"a round, the other {theirs.mean():.1f}; {100 * made.mean():.1f}% of contracts are made. "
        "Points x10.\n\n"
        f"The table has a node every {STEP} points of distance to the target, up to "
        f"{target + BEYOND}, in whole numbers of 1/{UNITS}. Its error is measured on a grid of "
        f"{GRID}; the iteration starts from 50% everywhere.\n\n"
        + table_of(
            quality,
            ["wins when both are there", "rounds iterated", "last change", "RMS error", "largest"],
        )
        + f"\n\nSome scores of a game to {target}, us : them, with the standard error that the "
        f"number of rounds leaves (from {PARTS} parts of them).\n\n"
        + table_of(
            sampling_rows(ours, theirs, fine, target),
            ["score", "we win (bidder)", "standard error", "we win (highest)"],
        )
        + f"\n\nOur chance (bidder) by our score, down, and theirs, across, in a game to {target}."
        "\n\n" + table_of(by_scores, ["", *SCORES]) + "\n",
    )
    keep(tables, title, len(ours))


if __name__ == "__main__":
    main()
