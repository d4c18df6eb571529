"""The lines that head every committed result: command, seed, machine, date, versions."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import numba
import numpy as np

from advisor import __version__

RESULTS = Path(__file__).parent / "results"


def processor() -> str:
    """Return the processor's name as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def heading(title: str, seed: int | None = None) -> str:
    """Return the Markdown heading of a result made by the running command."""
    command = " ".join(
        ["python", *(os.path.relpath(part) if part.startswith("/") else part for part in sys.argv)]
    )
    lines = [
        f"# {title}",
        "",
        f"- command: `{command}`",
        f"- date: {datetime.now(UTC):%Y-%m-%d}",
        f"- machine: {processor()}, {os.cpu_count()} cores, {platform.system()}",
        f"- versions: advisor {__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, numba {numba.__version__}",
    ]
    if seed is not None:
        lines.append(f"- seed: {seed}")
    return "\n".join(lines) + "\n"


def write(name: str, text: str) -> None:
    """Print a result and keep it under benchmarks/results/."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / name).write_text(text, encoding="utf-8")
    print(text)
