"""Which hands should jump: thresholds of what a jump shows, compared on the same deals.

Our side jumps with hands at or above a threshold and partner reads it by computed meaning; the
other side bids by the standard rule. Every deal is played twice, with the sides exchanged. The
last lines measure the speed on one core: auctions bid and played, and the same with every
contract played anew for each rule, as a league of different rules would.

    python benchmarks/jump_thresholds.py
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from provenance import heading, write

from advisor.game.rules import PRESETS
from advisor.jump_rows import SHOWN, threshold_rows
from advisor.jump_tables import Contest, Side, tally
from advisor.jumps import Comparison, JumpRun
from advisor.report.jumps import Asked, comparison_markdown, words_of
from advisor.report.look import Look

RULES = ("gamerules", "cardgames")
# What is shown, thresholds of the jump, and thresholds of the pass with help.
TABLES = (
    ("meld", (40, 60, 80, 100, 120, 150), ()),
    ("missing-suit", (1, 2), ()),
    ("meld", (), (40, 60, 80)),
)
LOOK = Look(fine=True)
ENOUGH = 2.0
SPEED_DEALS = 20_480


def compare(
    rules: str,
    on: str,
    jumps: tuple[int, ...],
    helps: tuple[int, ...],
    deals: int,
    seed: int,
    silence_tells: bool = False,
) -> tuple[Comparison, Asked]:
    """Return what the thresholds came to."""
    house = PRESETS[rules]
    rows = threshold_rows(on, jumps, helps, house)
    sides = tuple(Side(row.convention) for row in rows)
    contest = Contest(sides, house, seed=seed, silence_tells=silence_tells)
    run = JumpRun(contest, deals)
    run.run()
    return run.comparison, Asked(on, rows, "standard", None, False, deals)


def advised(found: list[tuple[Comparison, Asked]]) -> str:
    """Return what one meaning comes to under all rules, as a part of a sentence."""
    asked = found[0][1]
    # The threshold that does best on average over the rules.
    others = [i for i, row in enumerate(asked.rows) if not row.is_never]
    best = max(others, key=lambda i: sum(item.result(i).diff.mean for item, _ in found))
    diffs = [item.result(best).diff for item, _ in found]
    worth = " and ".join(
        f"{LOOK.worth(diff)} under {item.contest.rules.name}"
        for diff, (item, _) in zip(diffs, found, strict=True)
    )
    words = words_of(asked.rows[best], asked.on, LOOK)
    if all(diff.mean > ENOUGH * diff.se for diff in diffs):
        return f"{words} ({worth} points a deal over never)"
    if all(diff.mean < -ENOUGH * diff.se for diff in diffs):
        what = "jump" if asked.rows[best].jump is not None else "pass with help"
        return f"do not {what} to show {asked.on} (at the best threshold, {words}: {worth})"
    return f"it hardly matters whether you {words} ({worth})"


def rate(sides: int, shared: bool, seed: int) -> float:
    """Return auctions bid and played a second, in this thread."""
    rules = PRESETS["cardgames"]
    rows = threshold_rows("meld", SHOWN["meld"][1], (), rules)[:sides]
    contest = Contest(tuple(Side(row.convention) for row in rows), rules, seed=seed)
    parts = [contest] if shared else [replace(contest, sides=(side,)) for side in contest.sides]
    for part in parts:
        tally(part, range(64))
    start = time.perf_counter()
    for part in parts:
        run = JumpRun(part, SPEED_DEALS)
        run.run()
    return 2 * len(rows) * SPEED_DEALS / (time.perf_counter() - start)


def main() -> None:
    """Compare and keep the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=2024)
    options = parser.parse_args()
    parts, sentence = [], []
    for on, jumps, helps in TABLES:
        both = [compare(rules, on, jumps, helps, options.deals, options.seed) for rules in RULES]
        for found, asked in both:
            call = "jump" if jumps else "pass with help"
            parts.append(
                f"## {call} showing {on}, rules {found.contest.rules.name}\n\n"
                f"{comparison_markdown(found, asked, LOOK)}\n"
            )
        sentence.append(advised(both))
        print(sentence[-1], flush=True)
    for on, jumps, helps in TABLES[:2]:
        found, asked = compare(
            "cardgames", on, jumps, helps, options.deals, options.seed, silence_tells=True
        )
        parts.append(
            f"## jump showing {on}, rules cardgames, a bid without a jump read too\n\n"
            f"{comparison_markdown(found, asked, LOOK)}\n"
        )
    speeds = [rate(6, True, options.seed), rate(6, False, options.seed)]
    write(
        "jump_thresholds.md",
        f"{heading('Jump thresholds on the same deals', options.seed)}\n"
        f"**Recommendation:** {'; '.join(sentence)}.\n\n"
        f"{options.deals:,} deals for each threshold, each played twice with the sides exchanged; "
        "the other side bids by the standard rule. Points a deal; ±: one standard error of the "
        "paired difference. Jumps, gets it: share of auctions; partner acts: share of those with "
        "a jump (or pass with help) that end otherwise because partner read it; tie: within 2 "
        "standard errors of the best. Contracts are played by the policy engine, corrected to "
        "real play. The last two tables ask whether partner misses something who reads a jump "
        "and not its absence: there a first bid that is no jump lowers his limit too, so that his "
        "limits are right on average. The recommendation names the threshold that did best over "
        "both rules, so its difference is a little flattering.\n\n"
        + "\n".join(parts)
        + "\n## Speed\n\n"
        f"On one core {speeds[0]:,.0f} auctions a second are bid and played when six rules share "
        f"their deals (a contract that several rules reach is played once), {speeds[1]:,.0f} when "
        "each rule has its deals dealt, valued and played anew.\n",
    )


if __name__ == "__main__":
    main()
