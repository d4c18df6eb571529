"""How `advisor batch` grows: rows a second on one core and two, memory, a million hands, a cluster.

    python benchmarks/batch_scale.py pairs          1 and 2 jobs in turn, some minutes
    python benchmarks/batch_scale.py default        500 hands with the default settings
    python benchmarks/batch_scale.py memory         10,000 hands
    python benchmarks/batch_scale.py million        1,000,000 hands: hours; stop it and start again
    python benchmarks/batch_scale.py cluster        what a block costs beside its work
    python benchmarks/batch_scale.py report         the page of all that was measured

Files and figures are kept in --folder, so parts may be run at different times.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from provenance import heading, write
from tabulate import tabulate

from advisor.game.cards import N_CARD_TYPES, Hand

SETTINGS = {
    "policy": ["--engine", "policy", "--samples", "128"],
    "default": [],
}
STRETCH_MINUTES = 15
INTERRUPTED = 130
HANDS_OF_ALL = 100_000_000


def hands_file(folder: Path, rows: int) -> Path:
    """Return a file of random hands, made if it is not there."""
    path = folder / f"hands-{rows}.txt"
    if not path.exists():
        chance = random.Random(rows)
        deck = [card for card in range(N_CARD_TYPES) for _ in (0, 1)]
        with path.open("w", encoding="ascii") as file:
            for _ in range(rows):
                file.write(f"{Hand.from_cards(chance.sample(deck, 12))}\n")
    return path


def run(
    rows: int, settings: str, jobs: int, folder: Path, *more: str, minutes: float | None = None
) -> dict[str, float]:
    """Run the command on a file; return seconds, those of processors, megabytes, exit code.

    It is interrupted after some minutes.
    """
    out = folder / f"out-{settings}-{rows}-{jobs}.csv"
    command = [
        sys.executable, "-m", "advisor", "batch", str(hands_file(folder, rows)), "-o", str(out),
        "--jobs", str(jobs), "-q", *SETTINGS[settings], *more,
    ]  # fmt: skip
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        process = subprocess.Popen(command, stderr=errors)
        done = 0
        while not done:
            time.sleep(0.01)
            done, status, used = os.wait4(process.pid, os.WNOHANG)
            if minutes is not None and time.perf_counter() - began > 60 * minutes:
                process.send_signal(signal.SIGINT)
                minutes = None
        seconds = time.perf_counter() - began
        code = process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if code not in (0, INTERRUPTED):
            raise SystemExit(errors.read().decode())
    return {
        "rows": rows, "jobs": jobs, "seconds": seconds, "cpu": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss / 1024, "code": code,
    }  # fmt: skip


class Figures:
    """What was measured so far, in a file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "figures.json"
        self.values = json.loads(self.path.read_text()) if self.path.exists() else {}

    def add(self, part: str, value: object) -> None:
        """Keep one more figure."""
        self.values.setdefault(part, []).append(value)
        self.path.write_text(json.dumps(self.values, indent=1) + "\n")
        print(part, value, flush=True)


def pairs(folder: Path, figures: Figures, rounds: int) -> None:
    """Time 1 and 2 jobs in turn; the start of a process is measured by a file of one hand."""
    for settings, rows in (("policy", 600), ("default", 40)):
        for turn in range(rounds):
            # The machine's speed drifts: neither is always the later one.
            for jobs in ((1, 2), (2, 1))[turn % 2]:
                start = run(1, settings, jobs, folder, "--force")
                found = run(rows, settings, jobs, folder, "--force")
                figures.add(
                    f"pairs {settings}",
                    {**found, "start": start["seconds"], "start cpu": start["cpu"],
                     "load": os.getloadavg()[0]},
                )  # fmt: skip


def once(folder: Path, figures: Figures, part: str, rows: int, settings: str) -> None:
    figures.add(part, run(rows, settings, 2, folder, "--force"))


def million(folder: Path, figures: Figures, rows: int) -> None:
    """Go on with the long run until it is whole; each stretch adds its time."""
    while not (folder / f"out-policy-{rows}-2.csv").exists():
        found = run(rows, "policy", 2, folder, "--resume", minutes=STRETCH_MINUTES)
        figures.add("million", found)


def nothing(work: object, facts: object) -> list[str]:
    """Answer a block without any work, to see what sending it costs."""
    return ["nothing"] * len(work.hands)  # type: ignore[attr-defined]


def cluster(figures: Figures) -> None:
    """Time blocks on two workers of this machine that do nothing, and the same block here."""
    from distributed import LocalCluster

    from advisor.batch.answers import Work, judge_all
    from advisor.batch.cluster import Cluster
    from advisor.batch.questions import Asked

    asked = Asked.of(engine="policy", samples=128)
    chance = random.Random(1)
    deck = [card for card in range(N_CARD_TYPES) for _ in (0, 1)]
    hands = tuple((Hand.from_cards(chance.sample(deck, 12)), asked.terms) for _ in range(256))
    work = Work(asked, hands)
    judge_all(Work(asked, hands[:1]))
    began = time.process_time()
    judge_all(Work(asked, hands[:64]))
    block_seconds = 4 * (time.process_time() - began)
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as local,
        Cluster(local.scheduler_address, nothing) as connection,
    ):
        connection.prepare(asked)
        connection(work).result()
        began = time.perf_counter()
        waiting = [connection(work) for _ in range(200)]
        for future in waiting:
            future.result()
        overhead = (time.perf_counter() - began) / len(waiting)
    figures.add("cluster", {"rows": 256, "block": block_seconds, "overhead": overhead})


def turns(runs: list[dict[str, float]]) -> list[float]:
    """Return how many times the rows a second of one job two jobs do, turn by turn."""
    speeds: dict[float, list[float]] = {1: [], 2: []}
    for item in runs:
        speeds[item["jobs"]].append(item["rows"] / (item["seconds"] - item["start"]))
    return [two / one for one, two in zip(speeds[1], speeds[2], strict=True)]


def report(figures: Figures) -> None:
    """Write the page."""
    found = figures.values
    lines = [heading("advisor batch: rows a second, memory, larger runs reckoned"), ""]
    rates: dict[str, dict[int, float]] = {}
    for settings in SETTINGS:
        table = []
        for jobs in (1, 2):
            runs = [item for item in found.get(f"pairs {settings}", []) if item["jobs"] == jobs]
            if not runs:
                continue
            speeds = [item["rows"] / (item["seconds"] - item["start"]) for item in runs]
            by_cpu = [item["rows"] / (item["cpu"] - item["start cpu"]) for item in runs]
            rates.setdefault(settings, {})[jobs] = max(speeds)
            table.append(
                [jobs, len(runs), f"{statistics.median(speeds):.1f}", f"{max(speeds):.1f}",
                 f"{statistics.median(by_cpu):.1f}", f"{max(item['memory'] for item in runs):.0f}",
                 f"{statistics.median(item['load'] for item in runs):.1f}"]
            )  # fmt: skip
        if table:
            options = " ".join(SETTINGS[settings]) or "the default settings"
            rows = found[f"pairs {settings}"][0]["rows"]
            lines += [
                f"## {rows} hands, {options}", "",
                tabulate(table, ["jobs", "runs", "rows a second, median", "best",
                                 "rows a second of a processor", "peak MB", "load"],
                         tablefmt="github"), "",
            ]  # fmt: skip
            both = rates[settings]
            if len(both) == 2:
                ratios = turns(found[f"pairs {settings}"])
                lines += [
                    f"Two jobs against one, in turn: {statistics.median(ratios):.2f} times (median "
                    f"of {len(ratios)}, {min(ratios):.2f} to {max(ratios):.2f}); best runs "
                    f"{both[2] / both[1]:.2f}. The load is that of the whole machine; above the "
                    "number of its processors the ratio says more about its neighbours than about "
                    "the program.", "",
                ]  # fmt: skip
    lines += ["## Memory and long runs, 2 jobs", ""]
    long = []
    for part in ("default", "memory", "million"):
        runs = found.get(part, [])
        if runs:
            seconds = sum(item["seconds"] for item in runs)
            long.append(
                [part, f"{runs[-1]['rows']:,}", len(runs), f"{seconds:,.0f}",
                 f"{runs[-1]['rows'] / seconds:.1f}",
                 f"{runs[-1]['rows'] / sum(item['cpu'] for item in runs):.1f}",
                 f"{max(item['memory'] for item in runs):.0f}"]
            )  # fmt: skip
    lines += [
        tabulate(long, ["run", "hands", "stretches", "seconds", "rows a second",
                        "rows a second of a processor", "peak MB"],
                 tablefmt="github"), "",
    ]  # fmt: skip
    # Written into the file of figures by hand: what a stretch shared the machine with.
    for note in (item["note"] for item in found.get("million", []) if "note" in item):
        lines += [note, ""]
    if "cluster" in found and "policy" in rates:
        last = found["cluster"][-1]
        per_core = statistics.median(
            item["rows"] / (item["cpu"] - item["start cpu"])
            for item in found["pairs policy"]
            if item["jobs"] == 1
        )
        lines += [
            "## A cluster", "",
            f"A block of {last['rows']} rows ({' '.join(SETTINGS['policy'])}) is "
            f"{last['block']:.1f} s of work on one core; sending it to two workers on this machine "
            f"and back costs {1000 * last['overhead']:.1f} ms, "
            f"{last['overhead'] / last['block']:.2%} of that. The scheduler's side is serial, so "
            f"it feeds about {last['block'] / last['overhead']:.0f} cores before it is the "
            "bottleneck.", "",
            f"Reckoned from {per_core:.1f} rows a second of a processor: "
            f"{HANDS_OF_ALL:,} hands on machines of 16 cores (not run):", "",
        ]  # fmt: skip
        table = []
        for machines in (1, 4, 16, 64):
            cores = min(16 * machines, last["block"] / last["overhead"])
            hours = HANDS_OF_ALL / per_core / cores / 3600
            table.append([machines, 16 * machines, f"{hours:,.1f}"])
        lines += [tabulate(table, ["machines", "cores", "hours"], tablefmt="github"), ""]
    write("batch_scale.md", "\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "part", choices=["pairs", "default", "memory", "million", "cluster", "report"]
    )
    parser.add_argument("--folder", type=Path, default=Path("batch_scale"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    # In the background Ctrl-C may be ignored, and what is started from here would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options.folder.mkdir(exist_ok=True)
    figures = Figures(options.folder)
    if options.part == "pairs":
        pairs(options.folder, figures, options.rounds)
    elif options.part == "default":
        once(options.folder, figures, "default", 500, "default")
    elif options.part == "memory":
        once(options.folder, figures, "memory", 10_000, "policy")
    elif options.part == "million":
        million(options.folder, figures, options.rows)
    elif options.part == "cluster":
        cluster(figures)
    else:
        report(figures)


if __name__ == "__main__":
    main()
