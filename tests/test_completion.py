"""Shell completion: what is offered, and real shells with the script that the program installs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from advisor.completion import complete_change, complete_rules, complete_trump

ROOT = Path(__file__).parent.parent
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX shells")
pytestmark = POSIX


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the program on the path, and house rules and a convention of its own."""
    program = tmp_path / "bin" / "advisor"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m advisor "$@"\n')
    program.chmod(0o755)
    own = tmp_path / ".config" / "pinochle-advisor"
    for kind in ("rules", "conventions"):
        (own / kind).mkdir(parents=True)
    (own / "rules" / "clubhouse.toml").write_text("pass = 3\n")
    (own / "conventions" / "evenings.toml").write_text('about = "mine"\n')
    (tmp_path / "settings.toml").write_text("")
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "TERM": "dumb",
        "LANG": "C.UTF-8",
    }


def advisor(home: Path, *args: str, **more: str) -> str:
    done = subprocess.run(
        [str(home / "bin" / "advisor"), *args],
        capture_output=True,
        text=True,
        env={**environment(home), **more},
        timeout=60,
        check=True,
    )
    return done.stdout


OFFERED = [
    (["bid", "--trump", ""], {"S", "H", "D", "C"}),
    (["bid", "--trump", "h"], {"h"}),
    (["pass", "--trump", "D"], {"D"}),
    (["bid", "--rules", "cl"], {"classic", "clubhouse"}),
    (["meld", "--rules", "CLU"], set()),
    (["bid", "--convention", "e"], {"evenings"}),
    (["bid", "--convention", "d"], {"dailey", "dos"}),
    (["bid", "--engine", ""], {"policy", "lite", "exact"}),
    (["league", "--engine", "l"], {"lite"}),
    (["solve", "--engine", "e"], {"exact"}),
    (["bid", "--format", "j"], {"json"}),
    (["solve", "--format", ""], {"table", "json"}),
    (["rules", "show", "club"], {"clubhouse"}),
    (["rules", "show", "pagat", "--format", "to"], {"toml"}),
    (["conventions", "show", "ev"], {"evenings"}),
    (["league", "--rules-of-bidding", "b1,adv"], {"b1,advisor"}),
    (["jumps", "--opponents", "dai"], {"dailey"}),
    (["jumps", "--on", "me"], {"meld"}),
    (["bid", "--set", "dix_"], {"dix_saves=true", "dix_saves=false"}),
    (["bid", "--config", "n"], {"none"}),
    (["bid", "--dealer", "p"], {"partner"}),
    (["config", "s"], {"show"}),
    (["co"], {"conventions", "config"}),
]


@pytest.mark.parametrize(("words", "expected"), OFFERED, ids=[" ".join(w) for w, _ in OFFERED])
def test_what_is_offered(words: list[str], expected: set[str], home: Path) -> None:
    line = ["advisor", *words]
    told = {"COMP_WORDS": "\n".join(line).replace("\n", " "), "COMP_CWORD": str(len(line) - 1)}
    found = advisor(home, _ADVISOR_COMPLETE="complete_bash", **told)
    assert set(found.split()) == expected


def test_own_names_and_the_case_of_suits(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    assert complete_rules("clu") == ["clubhouse"]
    assert (complete_trump("s"), complete_trump("S"), complete_trump("x")) == (["s"], ["S"], [])
    numbers = {"pass=0", "pass=2", "pass=3", "pass=4"}
    assert set(complete_change("pass")) == {*numbers, "pass_with_help="}
    assert complete_change("nothing") == []


def test_completion_imports_nothing_heavy(home: Path) -> None:
    code = (
        "import sys\nfrom advisor.cli import main\ntry:\n    main()\nfinally:\n"
        "    print([n for n in ('numpy','numba','pydantic') if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={
            **environment(home),
            "COMP_WORDS": "advisor bid --rules pa",
            "COMP_CWORD": "3",
            "_ADVISOR_COMPLETE": "complete_bash",
        },
        check=False,
    )
    assert done.stdout.split() == ["pagat"]
    assert done.stderr.splitlines()[-1] == "[]"


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


TRIED = [
    ("meld --trump H --rules clubh", "meld --trump H --rules clubhouse"),
    ("bid --convention eve", "bid --convention evenings"),
    ("bid --engine pol", "bid --engine policy"),
    ("conventions sh", "conventions show"),
]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_real_shells_complete_after_installing(name: str, home: Path) -> None:
    """Install the script as a user would, begin a shell, and press TAB."""
    pexpect = pytest.importorskip("pexpect")
    program = shell(name)
    told = subprocess.run(
        # The program asks which shell it was started from.
        [program, "-c", "advisor --install-completion; true"],
        capture_output=True,
        text=True,
        env=environment(home),
        timeout=60,
        check=True,
    )
    assert f"{name} completion installed in {home}" in told.stdout
    arguments = {"bash": ["-i"], "zsh": ["-i"], "fish": ["--interactive"]}[name]
    terminal = pexpect.spawn(
        program,
        arguments,
        env={**environment(home), "TERM": "vt100", "PS1": "ready> "},
        encoding="utf-8",
        dimensions=(24, 200),
        timeout=60,
        cwd=home,
    )
    try:
        # A shell that has begun answers; what it sends for its prompt differs.
        terminal.sendline("echo beg''un")
        terminal.expect("begun")
        if name == "zsh":
            # Its first TAB only loads the script that Typer writes.
            terminal.send("advisor config sh\t")
            time.sleep(2)
            terminal.send("\x15")
        for typed, completed in TRIED:
            mark = home / "typed.txt"
            mark.unlink(missing_ok=True)
            # The completed line is given to a program that writes its arguments down.
            terminal.send(f"advisor {typed}\t")
            _wait_for(terminal, completed.rsplit(" ", 1)[1][len(typed.rsplit(" ", 1)[1]) :])
            terminal.send("\x01echo \x05 > typed.txt\r")
            assert _line_of(mark, terminal) == f"advisor {completed}"
    finally:
        terminal.close(force=True)


def _wait_for(terminal: object, rest: str) -> None:
    terminal.expect_exact(rest)  # type: ignore[attr-defined]


def _line_of(path: Path, terminal: object) -> str:
    for _ in range(200):
        if path.exists() and path.read_text().strip():
            return path.read_text().strip()
        time.sleep(0.05)
    raise AssertionError(f"no line was typed: {terminal}")
