"""Run benchmarks/test_speed.py and keep a table: time an item, and items a second on one core.

python benchmarks/speed.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from provenance import heading, write
from tabulate import tabulate

# Full simulated deals a CPU-second of the fastest open program that also passes, melds and plays
# all twelve tricks (pinochle-classic, JavaScript, Node 20), measured on a machine of this kind.
FASTEST_PEER = 3285


def main() -> None:
    """Time every kernel in one run."""
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--benchmark-warmup=on",
            "--benchmark-min-rounds=30",
            f"--benchmark-json={report}",
            str(here / "test_speed.py"),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=here)
        found = json.loads(report.read_text())["benchmarks"]
    rows = []
    for item in found:
        info, times = item["extra_info"], item["stats"]
        each = times["median"] / info["items"]
        rate = 1 / each
        best = info["items"] / times["min"]
        ratio = f"{rate / FASTEST_PEER:.0f} times" if "rounds:" in info["unit"] else ""
        rows.append(
            (
                item["name"].removeprefix("test_"),
                info["unit"],
                f"{each * 1e9:,.0f} ns",
                f"{rate:,.0f}",
                f"{best:,.0f}",
                ratio,
            )
        )
    table = tabulate(
        rows,
        headers=("kernel", "of what", "median each", "a second", "best", "fastest open peer"),
        tablefmt="github",
        disable_numparse=True,
    )
    write("speed.md", heading("Speed of the kernels on one core", 1) + "\n" + table + "\n")


if __name__ == "__main__":
    main()
