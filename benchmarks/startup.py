"""How long a user waits: light commands, warm advice, the first run ever, and each cached entry.

Every figure is the wall time of a whole process, in turn with the process it is compared with.

    python benchmarks/startup.py
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from provenance import heading, write
from tabulate import tabulate

from advisor.game.cards import N_CARD_TYPES, Hand

ADVISOR = [sys.executable, "-m", "advisor"]
HAND = "AATKQJ.AK.QJ.T9"
WEAK_HAND = "AT.TTKJJ.TT.QJ9"
SCORE = ["--score", "900", "1100"]
WARM = (
    ("advisor bid, warm, strong hand", ["bid", HAND]),
    ("weak hand", ["bid", WEAK_HAND]),
    ("with auction and score", ["bid", HAND, "--auction", "250 P 270 PH", *SCORE]),
    ("partner's jump by convention",
     ["bid", HAND, "--auction", "250 P 270 P", "--convention", "meld-jump", *SCORE]),
    ("three passes before", ["bid", HAND, "--auction", "P P P", *SCORE]),
    ("a long auction", ["bid", HAND, "--auction", "250 260 270 280 290 300 310 320 P", *SCORE]),
    ("advisor pass", ["pass", HAND, "--trump", "D"]),
)  # fmt: skip
BATCH_HANDS = 2000
BATCH = (
    ("advisor batch, first of 2,000 rows", []),
    ("with the policy, 128 deals", ["--engine", "policy", "--samples", "128"]),
)
LIGHT = [
    ("advisor --help", ["--help"]),
    ("advisor meld HAND", ["meld", HAND]),
    ("advisor rules list", ["rules", "list"]),
    ("input error (11 cards)", ["bid", "AATKQJ.AK.QJ.T"]),
    ("input error (--set pass=5)", ["bid", HAND, "--set", "pass=5"]),
]
ENTRIES = """
import time, numpy as np
from advisor.kernels import rounds
from advisor.policy import policy_array
from advisor.playing import rule_array
from advisor.returning import return_tables
from advisor.game.rules import Rules
rules, policy, tables = rule_array(Rules()), policy_array(), return_tables()
deals, words = np.zeros((3, 4), np.uint64), np.zeros((4, 3), np.uint64)
start = time.perf_counter()
rounds.deal_rounds(np.uint64(0xFFF), np.uint64(1), 0, deals, words[0], words[1])
first = time.perf_counter()
rounds.play_rounds(deals, *words[:2], np.zeros(3, np.int64), *words[2:], rules, policy, tables,
                   np.zeros((1, 3), np.uint64), np.zeros((3, rounds.N_OUTCOME), np.int16),
                   np.zeros((3, rounds.N_CARDS), np.uint64))
end = time.perf_counter()
print(first - start, end - first)
"""


def seconds(command: list[str], **environment: str) -> float:
    """Return the wall time of one process."""
    start = time.perf_counter()
    subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        check=False,
    )
    return time.perf_counter() - start


def seconds_to_first_row(command: list[str]) -> float:
    """Return the wall time until a process has written a row below its header."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        header, row = process.stdout.readline(), process.stdout.readline()
        found = time.perf_counter() - start
        process.kill()
    if not (header and row):
        raise SystemExit(f"no row: {command}")
    return found


def paired(
    one: list[str],
    other: list[str],
    runs: int,
    seconds_of: Callable[[list[str]], float] = seconds,
) -> tuple[float, float, float]:
    """Return the median times of two commands run in turn, and the median of their ratios."""
    times = [(seconds_of(one), seconds(other)) for _ in range(runs)]
    first, second = (statistics.median(column) for column in zip(*times, strict=True))
    return first, second, statistics.median(a / b for a, b in times)


def entry_times(cache: str) -> tuple[float, float]:
    """Return the seconds until the two entry points of `advisor bid` first answer."""
    found = subprocess.run(
        [sys.executable, "-c", ENTRIES],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
    )
    first, second = found.stdout.split()
    return float(first), float(second)


def main() -> None:
    """Time everything and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11)
    runs = parser.parse_args().runs
    typer = [sys.executable, "-c", "import typer"]
    numba = [sys.executable, "-c", "import numba"]
    rows = []
    seconds(typer)
    for name, words in LIGHT:
        ours, base, ratio = paired([*ADVISOR, *words], typer, runs)
        rows.append((name, f"{ours:.3f}", f"import typer {base:.3f}", f"{ratio:.2f}"))
    for name, words in WARM:
        seconds([*ADVISOR, *words])
        ours, base, ratio = paired([*ADVISOR, *words], numba, runs)
        rows.append((name, f"{ours:.3f}", f"import numba {base:.3f}", f"{ratio:.2f}"))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as hands:
        chance = random.Random(1)
        deck = [card for card in range(N_CARD_TYPES) for _ in (0, 1)]
        for _ in range(BATCH_HANDS):
            hands.write(f"{Hand.from_cards(chance.sample(deck, 12))}\n")
        hands.flush()
        for name, words in BATCH:
            command = [*ADVISOR, "batch", hands.name, *words]
            seconds_to_first_row(command)
            ours, base, ratio = paired(command, numba, runs, seconds_to_first_row)
            rows.append((name, f"{ours:.3f}", f"import numba {base:.3f}", f"{ratio:.2f}"))
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds([*ADVISOR, "bid", HAND], NUMBA_CACHE_DIR=cache)
        rows.append(("advisor bid, first run ever", f"{cold:.3f}", "", ""))
    table = tabulate(
        rows,
        headers=("command", "seconds", "compared with", "ratio"),
        tablefmt="github",
        disable_numparse=True,
    )
    with tempfile.TemporaryDirectory() as cache:
        compiled = entry_times(cache)
        loaded = entry_times(cache)
    entries = tabulate(
        [
            (name, f"{a:.2f}", f"{b:.3f}")
            for name, a, b in zip(
                ("deal_rounds (with numba's first load)", "play_rounds"),
                compiled,
                loaded,
                strict=True,
            )
        ],
        headers=("entry point", "compile s", "load s"),
        tablefmt="github",
        disable_numparse=True,
    )
    write(
        "startup.md",
        heading("Start-up, warm advice and the first run")
        + f"\nMedians of {runs} runs in turn; ratios are medians of paired ratios.\n\n{table}\n\n"
        + f"The cached entry points of `advisor bid`:\n\n{entries}\n",
    )


if __name__ == "__main__":
    main()
