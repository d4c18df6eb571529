"""The readers of hand files alone: rows a second and peak memory, by form.

Each file is read by a process of its own, which counts the rows and does nothing with them.

    python benchmarks/batch_reader.py --rows 1000000
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import lzma
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from provenance import heading, write
from tabulate import tabulate

from advisor.game.cards import DECK_SIZE, HAND_SIZE, N_CARD_TYPES, Hand, card_name

READ: Final = """
import sys, time
from advisor.batch import read_rows
start, used = time.perf_counter(), time.process_time()
n_rows = n_bad = 0
for row in read_rows(sys.argv[1]):
    n_rows += 1
    n_bad += row.error is not None
end, spent = time.perf_counter(), time.process_time()
status = open("/proc/self/status").read()
peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
print(n_rows, n_bad, end - start, spent - used, peak)
"""
# Hands of which the files are made, again and again.
N_HANDS: Final = 2_000


def hands(seed: int) -> list[Hand]:
    """Return random hands."""
    choose = random.Random(seed)
    deck = [card for card in range(N_CARD_TYPES) for _ in range(DECK_SIZE // N_CARD_TYPES)]
    return [Hand.from_cards(choose.sample(deck, HAND_SIZE)) for _ in range(N_HANDS)]


def cards(hand: Hand) -> list[str]:
    return [card_name(card) for card in hand]


def text(hand: Hand, number: int) -> str:
    return f"{hand}\n"


def text_with_ids(hand: Hand, number: int) -> str:
    return f"{number}\t{hand}\n"


def csv(hand: Hand, number: int) -> str:
    return f"{number},{hand}\n"


def csv_of_a_club(hand: Hand, number: int) -> str:
    return f"{number},{hand},{number % 4 + 1},400,900,3,North\n"


def csv_quoted(hand: Hand, number: int) -> str:
    return f'{number},"{" ".join(cards(hand))}","a, b"\n'


def csv_of_cards(hand: Hand, number: int) -> str:
    return ",".join(cards(hand)) + "\n"


def json_lines(hand: Hand, number: int) -> str:
    return f'{{"id": {number}, "hand": "{hand}"}}\n'


def json_lists(hand: Hand, number: int) -> str:
    return json.dumps({"id": number, "hand": cards(hand), "seat": 2}) + "\n"


COLUMNS_OF_CARDS: Final = ",".join(f"c{number}" for number in range(1, HAND_SIZE + 1))
FILES: Final[tuple[tuple[str, str, str, Callable[[Hand, int], str]], ...]] = (
    ("text", "a.txt", "", text),
    ("text, ids before tabs", "b.txt", "", text_with_ids),
    ("CSV, id and hand", "c.csv", "id,hand", csv),
    ("CSV, seven columns", "d.csv", "id,hand,seat,score_us,score_them,pass,club", csv_of_a_club),
    ("CSV, cells in quotes", "e.csv", "id,hand,note", csv_quoted),
    ("CSV, twelve columns of cards", "f.csv", COLUMNS_OF_CARDS, csv_of_cards),
    ("JSON Lines", "g.jsonl", "", json_lines),
    ("JSON Lines, lists of cards", "h.jsonl", "", json_lists),
    ("CSV, id and hand, gzip", "i.csv.gz", "id,hand", csv),
    ("CSV, id and hand, xz", "j.csv.xz", "id,hand", csv),
)


def write_file(path: Path, lines: Iterator[str]) -> None:
    """Write lines, packed as the suffix says."""
    opened = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    level = {"compresslevel": 1} if path.suffix == ".gz" else {}
    with opened(path, "wt", encoding="utf-8", **level) as file:
        file.writelines(lines)


def write_parquet(path: Path, dealt: list[Hand], n_rows: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    texts = list(map(str, dealt))
    schema = pa.schema({"id": pa.int64(), "hand": pa.string()})
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n_rows, 100_000):
            numbers = range(start, min(start + 100_000, n_rows))
            column = [texts[number % N_HANDS] for number in numbers]
            writer.write_table(pa.table({"id": list(numbers), "hand": column}, schema))


def measure(path: Path, repeats: int) -> tuple[int, int, float, float, float]:
    """Return rows, bad rows, seconds, processor seconds and peak MB of the fastest reading."""
    found = []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
        )
        n_rows, n_bad, *figures = done.stdout.split()
        found.append((int(n_rows), int(n_bad), *map(float, figures)))
    return min(found, key=lambda figures: figures[3])  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dealt = hands(given.seed)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, file, header, line in FILES:
            path = Path(folder) / file
            figures = []
            for n_rows in (10_000, given.rows):
                lines = (line(dealt[n % N_HANDS], n) for n in range(n_rows))
                head = [f"{header}\n"] if header else []
                write_file(path, itertools.chain(head, lines))
                figures.append(measure(path, given.repeats))
            path.unlink()
            rows.append(row_of(name, *figures))
        path = Path(folder) / "k.parquet"
        figures = []
        for n_rows in (10_000, given.rows):
            write_parquet(path, dealt, n_rows)
            figures.append(measure(path, given.repeats))
        rows.append(row_of("Parquet, id and hand", *figures))
    headers = ["file", "rows/s", "rows/s of processor time", "MB, 10,000 rows"]
    headers.append(f"MB, {given.rows:,} rows")
    aligned = ["left"] + ["right"] * 4
    table = tabulate(rows, headers, "github", disable_numparse=True, colalign=aligned)
    note = (
        f"{given.rows:,} rows a file, the fastest of {given.repeats} readings, each by a process "
        "of its own. Asked for: 100,000 rows/s; memory that does not grow with the rows. Where "
        "the two speeds differ, other work was done on the machine at the same time.\n"
    )
    write("batch_reader.md", f"{heading('Reading hand files', given.seed)}\n{note}\n{table}\n")


def row_of(name: str, few: tuple[int, ...], many: tuple[int, ...]) -> list[str]:
    n_rows, n_bad, seconds, used, peak = many
    if n_bad:
        raise SystemExit(f"{name}: expected no bad row, found {n_bad}")
    speeds = [f"{n_rows / seconds:,.0f}", f"{n_rows / used:,.0f}"]
    return [name, *speeds, f"{few[4]:.0f}", f"{peak:.0f}"]


if __name__ == "__main__":
    main()
