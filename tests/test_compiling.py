"""What commands compile: exactly what they call; it is said once, and other processes help."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from advisor import compiling
from advisor.cli import app
from advisor.cli.first_run import COMPILING, COMPILING_EVERY_TIME, at_least, compiling_text
from advisor.compiling import (
    ENTRY_POINTS,
    argument_types,
    entries_to_solve,
    expected_seconds,
    missing_entries,
    needed_entries,
    shares,
)
from advisor.kernels import _jit
from advisor.terminal import Terminal

HAND = "AATKQJ.AK.QJ.T9"
HELD = "AATTKQJJ.AAK.QJ.T99"
SMALL = ["solve", "AT.-.K.-", "-.AT.Q.-", "KQ.-.A.-", "-.KQ.T.-", "--trump", "S"]
DEAL = ["AAKJ.AKQ.J9.ATK", "TQJ9.TK9.AK9.TJ", "K.TQJ9.TTQQJ.K9", "TQ9.AJ.AK.AQQJ9"]
LARGE = ["solve", *DEAL, "--trump", "S"]
FEW = ["--deals", "12"]
COMMANDS = [
    (["bid", HAND, "--samples", "64"], needed_entries("bid")),
    (
        ["bid", HAND, "--samples", "64", "--auction", "250 P 270 P", "--convention", "meld-jump"],
        needed_entries("bid"),
    ),
    (["bid", HAND, "--engine", "exact", "--samples", "1"], needed_entries("bid", "exact")),
    (["pass", HAND, "--trump", "D", "--samples", "16"], needed_entries("pass")),
    (
        ["return", HELD, "--trump", "S", "--samples", "16", "--engine", "policy"],
        needed_entries("return", "policy"),
    ),
    (["jumps", HAND, *FEW], needed_entries("bid")),
    (["jumps", "--thresholds", "60,100", *FEW], needed_entries("jumps", "policy")),
    (
        ["jumps", "--thresholds", "60", "--opponents", "b9", *FEW],
        needed_entries("jumps", "policy") + needed_entries("opponents", "policy"),
    ),
    (["league", *FEW], needed_entries("league", "policy")),
    (
        ["league", "--rules-of-bidding", "b8,b10", "--engine", "lite", *FEW],
        needed_entries("league") + needed_entries("opponents"),
    ),
    ([*SMALL, "--line"], entries_to_solve("exact", 3, line=True)),
    ([*SMALL, "--engine", "lite"], entries_to_solve("lite", 3, line=False)),
    ([*SMALL, "--engine", "policy", "--line"], entries_to_solve("policy", 3, line=True)),
    ([*LARGE, "--engine", "lite"], entries_to_solve("lite", 12, line=False)),
    (LARGE, entries_to_solve("exact", 12, line=False)),
]
# Prints which entry points were loaded, and for which types.
CALLED = """
import json, sys
from advisor import compiling
from advisor.cli import app
compiling.compile_entries = lambda names: None
app(sys.argv[1:], standalone_mode=False)
from advisor.kernels import _jit
print(json.dumps({
    f"{entry.py_func.__module__.rpartition('.')[2]}.{entry.__name__}": str(entry.signatures)
    for entry in _jit.entry_points() if entry.signatures
}), file=sys.stderr)
"""
# Before a test lets it look as if there were no cache: they would stay without one.
KERNELS = {
    name: getattr(import_module(f"advisor.kernels.{module}"), function)
    for name, (module, function) in ((name, name.split(".")) for name in ENTRY_POINTS)
}
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")


def run(*args: str, terminal: Terminal | None = None) -> Result:
    return CliRunner().invoke(app, list(args), obj=terminal)


@pytest.fixture(autouse=True)
def nobody_listens() -> Iterator[None]:
    yield
    _jit.tell_of_compiling(None)


@pytest.fixture
def nothing_cached(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Let it look as if nothing were compiled; return what is asked for."""
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr("advisor.kernels._jit.cached_entries", frozenset)
    monkeypatch.setattr("advisor.compiling.compile_entries", asked.append)
    return asked


@pytest.mark.parametrize(("args", "needed"), COMMANDS, ids=[" ".join(c) for c, _ in COMMANDS])
def test_a_command_calls_what_it_says_for_the_types_that_are_compiled(
    args: list[str], needed: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALLED, *args], capture_output=True, text=True, check=True
    )
    called = json.loads(done.stderr.splitlines()[-1])
    assert called.keys() <= set(needed)
    assert called == {n: str([argument_types(ENTRY_POINTS[n].arguments)]) for n in called}
    # What reads the calls is compiled for every hand; nothing else in vain.
    spare = {"signals.look_at_hands", "signals.quantities", "valuation.value_hands"}
    assert set(needed) - called.keys() <= spare | set(needed_entries("opponents", "policy"))


def test_machine_code_is_loaded_without_what_only_the_compiler_needs() -> None:
    compiling.compile_entries(needed_entries("bid"))
    args = ["bid", HAND, "--samples", "64", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-c", f"{CALLED}print('numba.np.linalg' in sys.modules)", *args],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    *answer, loaded = done.stdout.splitlines()
    assert loaded == "False"
    assert answer == run(*args).stdout.splitlines()


@pytest.mark.parametrize(("args", "needed"), COMMANDS, ids=[" ".join(c) for c, _ in COMMANDS])
def test_compiling_is_said_once_before_it_begins(
    args: list[str], needed: tuple[str, ...], nothing_cached: list[tuple[str, ...]]
) -> None:
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    assert [set(names) >= set(needed) for names in nothing_cached] == [True]
    said = [line for line in result.stderr.splitlines() if line.startswith("Compiling")]
    assert said == [compiling_text(nothing_cached[0])]
    assert said[0].startswith(f"{COMPILING}: ")
    assert len(said[0]) <= 80


def test_nothing_is_said_where_all_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.kernels._jit.cached_entries", lambda: frozenset(ENTRY_POINTS))
    for args, _ in COMMANDS[:2]:
        assert run(*args).stderr == ""


def test_quiet_says_nothing(nothing_cached: list[tuple[str, ...]]) -> None:
    assert run("bid", HAND, "--samples", "8", "--quiet").stderr == ""
    assert len(nothing_cached) == 1


def test_what_is_in_the_cache_is_not_compiled(
    monkeypatch: pytest.MonkeyPatch, nothing_cached: list[tuple[str, ...]]
) -> None:
    there = set(needed_entries("bid")) | set(missing_entries(needed_entries("bid")))
    monkeypatch.setattr("advisor.kernels._jit.cached_entries", lambda: frozenset(there))
    # What a first bid compiles along serves the exchange too.
    assert missing_entries(needed_entries("return")) == ()
    assert missing_entries(needed_entries("pass")) == ()
    assert missing_entries(entries_to_solve("exact", 12, line=False)) == (
        "doubledummy.solve_deals",
    )
    assert run(*SMALL, "--engine", "policy").exit_code == 0
    assert nothing_cached == [("play.play_deals",)]


def test_compiling_every_time_is_said(
    monkeypatch: pytest.MonkeyPatch, nothing_cached: list[tuple[str, ...]]
) -> None:
    monkeypatch.setattr("advisor.kernels._jit.cache_directory", lambda: None)
    result = run("bid", HAND, "--samples", "8")
    assert result.stderr.startswith(f"{COMPILING_EVERY_TIME}: ")
    assert set(nothing_cached[0]) == set(needed_entries("bid"))
    # Without a cache there is nothing that processes could share.
    parts = shares(nothing_cached[0], 9)
    together = expected_seconds(nothing_cached[0])
    assert together == pytest.approx(sum(expected_seconds(part) for part in parts))


def test_what_is_found_out_late_is_said_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def one_more(number: int) -> int:
        return number + 1

    kernel = _jit.entry(one_more)
    # Files of an earlier run of this test.
    kernel._cache.flush()  # type: ignore[attr-defined]
    monkeypatch.setattr("advisor.kernels._jit.cached_entries", lambda: frozenset(ENTRY_POINTS))

    def calls_it(*_: object) -> str:
        return str(kernel(1) + kernel(1.5))  # type: ignore[arg-type]

    monkeypatch.setattr("advisor.bench.signature", calls_it)
    monkeypatch.setattr("advisor.bench._deals_per_second", lambda *_: 1.0)
    assert run("bench", "--quiet").stderr == ""
    kernel = _jit.entry(one_more)
    kernel._cache.flush()  # type: ignore[attr-defined]
    first, *others = run("bench").stderr.splitlines()
    assert first == f"{COMPILING}."
    assert not any(line.startswith("Compiling") for line in others)
    # By then it is in the cache.
    kernel = _jit.entry(one_more)
    assert not run("bench").stderr.startswith("Compiling")


names = st.lists(st.sampled_from(sorted(ENTRY_POINTS)), unique=True)


@given(names, st.integers(1, 5))
def test_shares(asked: list[str], processes: int) -> None:
    found = shares(asked, processes)
    assert sorted(name for part in found for name in part) == sorted(asked)
    assert len(found) <= processes
    assert all(found)
    for family in {point.family for point in ENTRY_POINTS.values()}:
        members = [any(ENTRY_POINTS[n].family == family for n in part) for part in found]
        assert sum(members) <= 1


def test_words_for_a_wait() -> None:
    assert at_least(5) == "some seconds"
    assert at_least(5.1) == "10 seconds or more"
    assert at_least(55) == "55 seconds or more"
    assert at_least(55.1) == at_least(300) == "a minute or more"


def test_every_entry_point_is_there_under_its_name() -> None:
    for name, kernel in KERNELS.items():
        assert kernel in _jit.entry_points()
        assert Path(kernel._cache._cache_file._index_name).name.partition("-")[0] == name


def test_the_cache_is_asked_for_this_copy_of_the_program() -> None:
    directory = _jit.cache_directory()
    assert directory is not None
    from advisor.compiling import compile_entries

    compile_entries(["tricks.legal_after", "league.play_games"])
    assert {"tricks.legal_after", "league.play_games"} <= _jit.cached_entries()


@pytest.mark.slow
def test_a_first_bid_and_all_that_follows(tmp_path: Path) -> None:
    def ask(*args: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "advisor", *args],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stderr

    def files() -> set[Path]:
        return set(tmp_path.rglob("*.nbc"))

    said = [ask(*args) for args, _ in COMMANDS]
    assert said[0].startswith(f"{COMPILING}: ")
    # In order: bid, with an auction, exact, pass, return, jumps of a hand.
    assert [bool(text) for text in said[:6]] == [True, False, True, False, False, False]
    there = files()
    assert len(there) == len(ENTRY_POINTS)
    assert not any("Compiling" in ask(*args) for args, _ in COMMANDS)
    assert files() == there


def test_the_helper_runs_nothing_of_the_folder_somebody_is_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("advisor", "numba"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("open('run', 'w').close()", encoding="ascii")
    monkeypatch.setattr("sys.path", [os.path.abspath(part) for part in sys.path])
    monkeypatch.chdir(tmp_path)
    helper = compiling._start(["tricks.legal_after"])
    assert helper is not None
    assert helper.wait() == 0
    assert not Path("run").exists()


# The part that the parent compiles itself takes for ever, so that it can be stopped there.
PARENT = """
import os, subprocess, time
from advisor import compiling
class Seen(subprocess.Popen):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        print(self.pid, os.getpgid(self.pid), os.getpgid(0), flush=True)
subprocess.Popen = Seen
compiling._processes = lambda: 2
compiling._compile = lambda name: time.sleep(600)
compiling.compile_entries(list(compiling.ENTRY_POINTS))
"""


def _is_running(number: int) -> bool:
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False
    ).stdout.strip()
    # Where nobody collects orphans they stay as zombies.
    return bool(shown) and not shown.startswith("Z")


@posix
def test_the_helper_has_its_own_group_and_ends_with_its_parent(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        helper, group, ours = map(int, parent.stdout.readline().split())
        # What a terminal sends to the group of the prompt does not reach it.
        assert group == helper != ours
        assert _is_running(helper)
        parent.kill()
        parent.wait()
    end = time.monotonic() + 60
    while _is_running(helper) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _is_running(helper)
