"""Runs over many declarers: options, header of the file of results, processes."""

from __future__ import annotations

import os
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
import numpy as np
from provenance import processor

from advisor import Rules, __version__
from reference.game import Settings
from reference.store import Store
from reference.study import Row, play_declarer
from reference.values import EVALUATOR


@dataclass(frozen=True, slots=True)
class Run:
    """What is played: `deals` of each declarer, by the seed of the deals and that of the players.

    The same `seed` gives the same deals, so that runs are paired.
    """

    deals: int
    seed: int
    play_seed: int
    settings: Settings
    heading: str = "always"

    @property
    def rules(self) -> Rules:
        """The house rules; only the one for playing higher is open."""
        return Rules(heading=self.heading)

    def header(self) -> dict[str, Any]:
        """Return the first line of a file of results: the command, its options, where it ran."""
        return {
            "command": " ".join(["python", *map(os.path.relpath, sys.argv[:1]), *sys.argv[1:]]),
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()}",
            "versions": {
                "advisor": __version__,
                "python": platform.python_version(),
                "numpy": np.__version__,
                "numba": numba.__version__,
            },
            "deals": self.deals,
            "worlds": self.settings.worlds,
            "exact_from": self.settings.exact_from,
            "lite_tricks": self.settings.lite_tricks,
            "evaluator": EVALUATOR,
            "policy_seats": list(self.settings.policy_seats),
            "seed": self.seed,
            "play_seed": self.play_seed,
            "heading": self.heading,
        }


def play_all(run: Run, hands: int, processes: int, out: Path) -> list[Row]:
    """Play the declarers that are not in the file yet; return the rows of all, in order.

    Parameters
    ----------
    run : Run
    hands : int
        Number of declarers.
    processes : int
        How many play at a time; the file is the same for any number.
    out : Path
    """
    store = Store(out, run.header())
    missing = [number for number in range(hands) if number not in store.numbers]
    arguments = (run.deals, run.seed, run.play_seed, run.rules, run.settings)
    if missing:
        # Compiles once, before the processes do so each for itself.
        play_declarer(missing[0], 1, run.seed, run.play_seed, run.rules, Settings(1, 1, 0, 1))
    start = time.perf_counter()
    with ProcessPoolExecutor(processes) as pool:
        jobs = [pool.submit(play_declarer, number, *arguments) for number in missing]
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                store.add(job.result())
                minutes = (time.perf_counter() - start) / 60
                print(f"{done} of {len(missing)} declarers, {minutes:.1f} min", file=sys.stderr)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [row for row in store.close() if row["number"] < hands]
