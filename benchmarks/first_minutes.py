"""The first minutes with the program, step by step: a new virtual environment, an empty cache.

Each step is a process as a newcomer starts it; what it compiles is seen by the files that it
leaves in the cache of machine code.

    python benchmarks/first_minutes.py
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from provenance import heading, write
from tabulate import tabulate

from advisor.game.cards import HAND_SIZE, N_CARD_TYPES, Hand

ROOT = Path(__file__).resolve().parent.parent
HAND = "AATKQJ.AK.QJ.T9"
HELD = "AATTKQJJ.AAK.QJ.T99"
DEAL = ["AAKJ.AKQ.J9.ATK", "TQJ9.TK9.AK9.TJ", "K.TQJ9.TTQQJ.K9", "TQ9.AJ.AK.AQQJ9"]
AUCTION = ["--auction", "250 P 270 P", "--score", "900", "1100"]
COMMANDS = (
    ("advisor --help", ["--help"], ""),
    ("advisor meld HAND", ["meld", HAND], ""),
    ("advisor bid HAND, the first", ["bid", HAND], ""),
    ("advisor bid HAND, the second", ["bid", HAND], ""),
    ("advisor bid HAND --auction ... --score ...", ["bid", HAND, *AUCTION], ""),
    ("advisor pass HAND --trump D", ["pass", HAND, "--trump", "D"], ""),
    ("advisor return CARDS --trump S", ["return", HELD, "--trump", "S"], ""),
    ("advisor solve, a full deal", ["solve", *DEAL, "--trump", "S"], ""),
    ("advisor jumps --deals 200", ["jumps", "--deals", "200"], ""),
    ("advisor league --deals 200", ["league", "--deals", "200"], ""),
    ("advisor batch, 10 hands", ["batch", "hands.txt", "-f", "csv"], ""),
    ("advisor interactive, a hand", ["interactive"], f"{HAND}\n"),
    ("advisor bench", ["bench"], ""),
)
# In the two last columns where a step has nothing to do with compiling.
NOTHING = "-"


@dataclass(frozen=True)
class Step:
    """What one step took.

    Parameters
    ----------
    wall, processor : float
        Seconds; those of the processor are of the process and all that it started.
    load : float
        That of the whole machine over the minute before.
    said : str
        What was written to stderr about compiling.
    """

    wall: float
    processor: float
    load: float
    said: str


def run(command: list[str], folder: Path, text: str = "") -> Step:
    """Run one step in a folder, without settings of whoever runs this."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PINOCHLE_", "PYTHON", "NUMBA_"))
    }
    environment["NUMBA_CACHE_DIR"] = str(folder / "cache")
    load = os.getloadavg()[0]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [line for line in done.stderr.splitlines() if line.startswith("Compiling")]
    return Step(wall, used, load, " ".join(said))


def machine_code(folder: Path) -> set[str]:
    """Return the entry points in the cache of a folder."""
    return {path.name.partition("-")[0] for path in (folder / "cache").rglob("*.nbi")}


def ten_hands() -> str:
    """Return a file of ten random hands."""
    chance = random.Random(10)
    deck = [card for card in range(N_CARD_TYPES) for _ in (0, 1)]
    return "".join(f"{Hand.from_cards(chance.sample(deck, HAND_SIZE))}\n" for _ in range(10))


def main() -> None:
    """Take all steps and keep the table."""
    rows: list[list[str]] = []
    spoken: list[str] = []

    def add(name: str, step: Step, compiled: set[str] | None) -> None:
        shown = NOTHING if compiled is None else str(len(compiled))
        rows.append([name, f"{step.wall:.2f}", f"{step.processor:.2f}", f"{step.load:.1f}", shown])
        if compiled or step.said:
            names = ", ".join(sorted(compiled or ())) or "nothing"
            spoken.append(f"- `{name}`: {names}. It said: {step.said or 'nothing'}")
        print(*rows[-1], flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hands.txt").write_text(ten_hands(), encoding="ascii")
        scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        add("python -m venv", run([sys.executable, "-m", "venv", "venv"], folder), None)
        # Not from the checkout itself, where the build would leave its files.
        archive = folder / "source"
        tree = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
        archive.mkdir()
        subprocess.run(["tar", "-x"], cwd=archive, input=tree.stdout, check=True)
        install = [str(scripts / "pip"), "install", "--quiet", str(archive)]
        add("pip install .", run(install, folder), None)
        advisor = str(scripts / "advisor")
        for command, words, text in COMMANDS:
            there = machine_code(folder)
            step = run([advisor, *words], folder, text)
            add(command, step, machine_code(folder) - there)
        version = subprocess.run(
            [advisor, "--version"], capture_output=True, text=True, check=True
        ).stdout.strip()
    total = sum(float(row[1]) for row in rows)
    table = tabulate(
        rows,
        headers=("step", "seconds", "of processors", "load", "compiled"),
        tablefmt="github",
        disable_numparse=True,
        colalign=("left", "right", "right", "right", "right"),
    )
    write(
        "first_minutes.md",
        heading("The first minutes: from nothing to every command")
        + f"- installed: {version}\n"
        + f"\nOne run, {total:.0f} s in all. The load is that of the whole machine when a step "
        "began: above the\nnumber of its processors, and while others use them, seconds say more "
        "about its neighbours than about\nthe program, those of processors less so. Compiled: "
        "entry points whose machine code a step added to\nthe cache. What `pip` takes depends on "
        "what it has to fetch.\n\n"
        + f"{table}\n\nWhat was compiled, and what was said about it:\n\n"
        + "\n".join(spoken)
        + "\n",
    )


if __name__ == "__main__":
    main()
