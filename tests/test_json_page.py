"""docs/json.md says which keys every command prints, and of what type each is."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from generated_parts import CSV
from markdown_pages import ROOT, text_of
from typer.testing import CliRunner

from advisor.cli import app

PAGE = ROOT / "docs" / "json.md"
SHARED = "Keys that several commands have"
HAND = "AATKQJ.AK.QJ.T9"
PASSED = "KQ9.AK9.QJ9.TJ9"
HELD = "Q.ATK.AATKQJJ9.ATJ9"
FOUR = "AT.-.K.- -.AT.Q.- KQ.-.A.- -.KQ.T.-"
DEALS = json.dumps({"hands": FOUR.split(), "trump": "S", "leader": 0})
FEW = "--samples 40 --quiet"
FEW_DEALS = "--deals 40 --quiet"
RUNNER = CliRunner()

# By section of the page, commands that together print every key.
RUNS = {
    "advisor bid": [
        f"bid {HAND} {FEW} --explain --set pass=3",
        # Another trump is better at a lower bid.
        "bid KQ9.TTK9.A.TQJJ --samples 700 --quiet",
        f"bid {HAND} {FEW} --auction '250 P 270 P' --score 900 1100 --convention meld-jump",
    ],
    "advisor meld": [f"meld {HAND} --set last_trick=20"],
    "advisor pass": [f"pass {PASSED} --trump D {FEW} --set pass=3"],
    "advisor return": [
        f"return {HELD} --trump D {FEW} --set first_lead=trump",
        f"return {HELD} --trump D {FEW} --received 'JD AH KH QS'",
    ],
    "advisor jumps": [
        f"jumps {FEW_DEALS} --matrix --set pass=3",
        f"jumps {FEW_DEALS} --pass-help 40",
    ],
    "advisor jumps HAND": [
        f"jumps {HAND} {FEW_DEALS} --set pass=3 --auction P",
        f"jumps {HAND} {FEW_DEALS} --score 900 1100",
    ],
    "advisor league": [f"league --rules-of-bidding b1,b3,b7a {FEW_DEALS} --set pass=3"],
    "advisor batch": [f"batch HANDS {FEW}"],
    "advisor batch --summary": [f"batch MANY {FEW} --summary"],
    "advisor solve": [
        f"solve {FOUR} --trump S --line --set first_lead=trump",
        "solve --file DEALS",
    ],
    "advisor rules show": ["rules show pagat"],
    "advisor config show": ["config show --config CONFIG"],
    "advisor conventions show": [
        f"conventions show {name}" for name in ("meld-jump", "dos", "trickster", "lebor")
    ],
}

TYPES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "whole": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "yes/no": lambda value: isinstance(value, bool),
    "suit": lambda value: value in ("S", "H", "D", "C"),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def fits(value: Any, kind: str) -> bool:
    """Return whether a value is of a type as the page writes it."""
    of = re.fullmatch(r"list of (.+?)( or null)?", kind)
    if of:
        if isinstance(value, list):
            return all(fits(item, of[1] + (of[2] or "")) for item in value)
        return bool(of[2]) and value is None
    return any(TYPES[word](value) for word in re.split(r", | or ", kind))


@cache
def sections() -> dict[str, str]:
    """Return the page's sections by their titles."""
    parts = re.split(r"^## (.+)$", text_of(PAGE), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(section: str) -> dict[str, str]:
    """Return the types of the keys in the tables of a section, by their full path."""
    found: dict[str, str] = {}
    prefix = ""
    for line in sections()[section].splitlines():
        if head := re.fullmatch(r"(Each of|In) `([^`]+)`:", line):
            prefix = head[2] + ("[]." if head[1] == "Each of" else ".")
        elif row := re.fullmatch(r"\| (`.+?`) \| ([^|]+?) \| .*\|", line):
            for key in re.findall(r"`([^`]+)`", row[1]):
                path = prefix + key
                assert path not in found, f"{section}: {path} twice"
                found[path] = row[2]
    return found


def shared(section: str) -> set[str]:
    """Return the shared keys that a section names."""
    text = " ".join(sections()[section].split())
    named = re.search(r"Shared keys: ((?:`[^`]+`(?:, )?)+)", text)
    return set(re.findall(r"`([^`]+)`", named[1])) if named else set()


def keys_of(section: str) -> dict[str, str]:
    """Return all keys that a section allows: its own, and the shared ones it names."""
    common = documented(SHARED)
    own = documented(section)
    if section == "advisor return":
        own = keys_of("advisor pass") | own
    return {key: common[key] for key in shared(section)} | own


def walk(value: Any, known: dict[str, str], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value below an object with its path as the page writes it."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from walk(item, known, f"{path[:-1]}[].")
    elif isinstance(value, dict):
        for key, inner in value.items():
            any_key = [k for k in known if re.fullmatch(rf"{re.escape(path)}[A-Z]+", k)]
            full = f"{path}{key}" if f"{path}{key}" in known or not any_key else any_key[0]
            yield full, inner
            yield from walk(inner, known, f"{full}.")


@cache
def printed(section: str, directory: Path) -> tuple[Any, ...]:
    """Return the objects that the commands of a section print."""
    deals = directory / "deals.jsonl"
    deals.write_text(DEALS + "\n", encoding="utf-8")
    config = directory / "club.toml"
    config.write_text("seed = 3\n[set]\npass = 3\n", encoding="utf-8")
    found = []
    for command in RUNS[section]:
        hands = directory / "hands.csv"
        hands.write_text(f"id,hand\n7,{HAND}\n", encoding="utf-8")
        many = directory / "many.txt"
        many.write_text(f"{HAND}\n{HAND}\n", encoding="utf-8")
        files = {
            "DEALS": str(deals), "CONFIG": str(config), "HANDS": str(hands), "MANY": str(many)
        }  # fmt: skip
        words = [files.get(word, word) for word in shlex.split(command)]
        result = RUNNER.invoke(app, [*words, "--format", "json"])
        assert result.exit_code == 0, result.stderr
        found.append(json.loads(result.stdout))
    return tuple(found)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deals")


def test_types() -> None:
    assert fits(1, "whole")
    assert fits(1, "text or whole")
    assert not fits(True, "number or null")
    assert fits([[1.5], [None]], "list of list of number or null")
    assert not fits([1, "a"], "list of whole")
    assert fits(None, "list of text or null")
    assert not fits(None, "list of text")
    assert fits(None, "text, whole, yes/no or null")


def test_walk_names_any_key() -> None:
    value = {"a": {"250": 1, "260": 2}, "b": [{"c": [1]}]}
    known = {"a": "object", "a.BID": "whole", "b": "list of object", "b[].c": "list of whole"}
    assert [path for path, _ in walk(value, known)] == ["a", "a.BID", "a.BID", "b", "b[].c"]


def test_every_section_is_tried() -> None:
    assert {title for title in sections() if title.startswith("advisor ")} == RUNS.keys()


@pytest.mark.parametrize("section", RUNS)
def test_keys_and_types(section: str, directory: Path) -> None:
    known = keys_of(section)
    seen = set()
    wrong = []
    for value in printed(section, directory):
        for path, inner in walk(value, known):
            seen.add(path)
            if path not in known:
                wrong.append(f"{path}: not on the page")
            elif not fits(inner, known[path]):
                wrong.append(f"{path}: {inner!r} is not: {known[path]}")
    assert wrong == []
    assert sorted(known.keys() - seen) == [], "on the page, but printed by no command"


def test_every_shared_key_is_shared() -> None:
    used = [key for section in RUNS for key in shared(section)]
    assert {key for key in used if used.count(key) >= 2} == documented(SHARED).keys()


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("advisor bid", f"bid {HAND} {FEW}"),
        ("advisor meld", f"meld {HAND}"),
        ("advisor pass, advisor return", f"pass {PASSED} --trump D {FEW}"),
        ("advisor jumps", f"jumps {FEW_DEALS}"),
        ("advisor jumps HAND", f"jumps {HAND} {FEW_DEALS}"),
        ("advisor league", f"league --rules-of-bidding b1,b3 {FEW_DEALS}"),
    ],
)
def test_csv_columns(name: str, command: str) -> None:
    result = RUNNER.invoke(app, [*command.split(), "--format", "csv"])
    assert result.exit_code == 0, result.stderr
    header, *rows = csv.reader(io.StringIO(result.stdout))
    assert tuple(header) == tuple(CSV[name])
    assert {len(row) for row in rows} == {len(header)}
