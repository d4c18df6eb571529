"""The command line: options, and what is asked and answered."""

from __future__ import annotations

import json
import shlex
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from advisor.advice import BidAdvice
from advisor.bench import BenchResult
from advisor.cli import advice as commands
from advisor.cli import app
from advisor.errors import ExitCode, HandError
from advisor.game.presets import PRESET_SETTINGS
from advisor.terminal import Terminal, read_hand_text

HAND = "AATKQJ.AK.QJ.T9"
VOID = "-.QJ9.AKQJ.TTKJ9"
RUNNER = CliRunner()


def run(*args: str, stdin: str | bytes | None = None, terminal: Terminal | None = None) -> Result:
    return RUNNER.invoke(app, list(args), input=stdin, obj=terminal)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch, clear_advice: BidAdvice) -> BidAdvice:
    """Answer every question with advice made by hand."""
    monkeypatch.setattr(commands, "_compute", lambda *_: clear_advice)
    return clear_advice


COMMANDS = [
    ["config"],
    ["config", "show"],
    ["config", "init"],
    ["config", "path"],
    ["interactive"],
    *([], ["bid"], ["meld"], ["bench"]),
    *(["rules"], ["rules", "list"], ["rules", "show"]),
    *(["conventions"], ["conventions", "list"], ["conventions", "show"]),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words) or "advisor")
def test_help_leads_with_an_example(command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert result.stdout == run(*command, "-h").stdout
    assert result.stdout.splitlines()[2].startswith("  advisor ")
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


def test_no_command_prints_the_help() -> None:
    assert run().stdout == run("--help").stdout
    assert run("rules").stdout == run("rules", "--help").stdout


def test_version_names_what_a_bug_report_needs() -> None:
    result = run("--version")
    assert result.exit_code == 0
    for word in ("advisor ", "Python ", "numpy ", "numba ", "typer "):
        assert word in result.stdout


@pytest.mark.parametrize(
    "args",
    [
        [VOID],
        ["-", "QJ9", "AKQJ", "TTKJ9"],
        ["- QJ9 AKQJ TTKJ9"],
        ["--", VOID],
        ["--trump", "S", "--trump", "D", VOID],
        ["-/QJ9/AKQJ/TTKJ9"],
        ["S:-", "H:QJ9", "D:AKQJ", "C:TTKJ9"],
    ],
)
def test_hands_that_begin_with_a_void(args: list[str]) -> None:
    result = run("meld", "--json", *args)
    assert result.exit_code == 0, result.stderr
    assert f'"hand": "{VOID}"' in result.stdout


@pytest.mark.parametrize("args", [[], ["-"], ["-", "--json"]])
@pytest.mark.parametrize(
    "text", [HAND, f"{HAND}\n", f"\ufeff{HAND}\r\n", "S AATKQJ\nH AK\nD QJ\nC T9\n"]
)
def test_hand_from_a_pipe(args: list[str], text: str) -> None:
    result = run("meld", *args, stdin=text.encode())
    assert result.exit_code == 0, result.stderr
    assert "AATKQJ" in result.stdout


def test_a_missing_hand_is_asked_for() -> None:
    result = run("meld", stdin=f"{HAND}\n", terminal=Terminal(stdin_tty=True))
    assert result.exit_code == 0
    assert result.stderr == "Your 12 cards (spades.hearts.diamonds.clubs): "
    assert "run 150" in result.stdout


def test_no_answer_to_the_question() -> None:
    result = run("bid", terminal=Terminal(stdin_tty=True))
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.splitlines()[1].startswith("Error: no hand given")


def test_the_end_of_input_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended:
        def readline(self) -> str:
            raise EOFError

    monkeypatch.setattr(sys, "stdin", Ended())
    with pytest.raises(HandError, match="no hand given"):
        read_hand_text(Terminal(stdin_tty=True), [])


def test_options_are_checked_before_the_question() -> None:
    result = run("bid", "--samples", "0", terminal=Terminal(stdin_tty=True))
    assert result.stderr.startswith("Error: samples")


def test_letters_where_symbols_cannot_be_printed(made_up: BidAdvice) -> None:
    plain = run("bid", HAND, terminal=Terminal(encoding="ascii"))
    assert plain.stdout.isascii()
    assert "♠" in run("bid", HAND).stdout
    flagged = run("bid", HAND, "--ascii").stdout
    assert flagged.replace(" --ascii", "") == plain.stdout


def test_bold_only_for_a_terminal(made_up: BidAdvice) -> None:
    colour = Terminal(stdout_tty=True, colour=True)
    assert "\x1b[1m" in run("bid", HAND, terminal=colour).stdout
    assert "\x1b" not in run("bid", HAND, "--no-color", terminal=colour).stdout
    assert "\x1b" not in run("bid", HAND).stdout


@pytest.mark.parametrize(
    ("environment", "tty", "colour"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "false"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colour_follows_the_conventions(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], tty: bool, colour: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", type("Out", (), {"isatty": lambda _: tty})())
    assert Terminal.detect().colour is colour


SPLIT = [
    (
        ["bid", HAND, "--auction", "250", "P"],
        'auction: expected the calls in quotes, --auction "250 P", found 250 and P apart',
    ),
    (
        ["bid", "--auction=P", "pass", "with", "help", "250", "99.AKQ.AKQ.AKQJ"],
        'auction: expected the calls in quotes, --auction "P pass with help 250", found P and '
        "pass with help 250 apart",
    ),
    (["jumps", "--auction", "250", "260"], 'in quotes, --auction "250 260", found 250 and 260'),
    (["batch", "--auction", "P", "P", "x.csv"], '--auction "P P", found P and P apart'),
    (
        ["return", "AATTKQJJ.AAK.QJ.T99", "--received", "AS", "KS", "10H", "JD", "--trump", "S"],
        'received: expected the cards in quotes, --received "AS KS 10H JD", found AS and KS 10H',
    ),
    (
        ["bid", HAND, "--score", "1200"],
        "score: expected two numbers, ours first, such as --score 900 1100, found 1200 alone",
    ),
    (["bid", "--score", "1200", "--json", HAND], "such as --score 900 1100, found 1200 alone"),
    (["bid", "--score=-120", HAND], f"such as --score 900 1100, found -120 and '{HAND}'"),
    (
        ["bid", HAND, "--score", "1200,1350"],
        "score: expected two numbers apart, ours first: --score 1200 1350, found '1200,1350'",
    ),
    (["bid", "--score", "1200 -50", HAND], "--score 1200 -50, found '1200 -50'"),
    (["bid", HAND, "--score", "900", "1100", "1200"], "first, found 900, 1100 and 1200"),
    (["interactive", "--score", "900:1100"], "--score 900 1100, found '900:1100'"),
]


@pytest.mark.parametrize(("args", "message"), SPLIT, ids=[" ".join(args) for args, _ in SPLIT])
def test_values_without_their_quotes(args: list[str], message: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (ExitCode.USAGE, "")
    assert result.stderr.startswith(("Error: auction: ", "Error: score: ", "Error: received: "))
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--auction", "250", "99", "AKQJ", "AKQ", "AKQ"],
        ["--auction", "P", "10", "TAKQJ", "AKQ", "AKQ"],
        ["--score", "900", "-1100", "--auction=250 P", "AATKQJ", "AK", "QJ", "T9"],
        ["-", "QJ9", "AKQJ", "TTKJ9", "--seat", "1"],
        ["--auction", "P", "AS", "AS", "TS", "KS", "QS", "JS", "AH", "KH", "QD", "JD", "10C", "9C"],
    ],
)
def test_words_that_need_no_quotes(words: list[str], made_up: BidAdvice) -> None:
    result = run("bid", *words)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "until the answer is settled"),
        (["--samples", "5000"], "5,000 deals"),
        (["--precision", "0.1"], "until the mean score is known to 0.1 points"),
        (
            ["--samples", "5000", "--precision", "2"],
            "5,000 deals, or until the mean score is known to 2 points",
        ),
    ],
)
def test_a_slow_answer_says_what_it_waits_for(
    monkeypatch: pytest.MonkeyPatch, clear_advice: BidAdvice, options: list[str], said: str
) -> None:
    def slow(*_: object, **options: object) -> BidAdvice:
        time.sleep(0.2)
        return clear_advice

    monkeypatch.setattr("advisor.compiling.missing_entries", lambda names: ())
    monkeypatch.setattr(import_module("advisor.advise"), "advise", slow)
    monkeypatch.setattr("advisor.terminal.SLOW_SECONDS", 0.02)
    seen = Terminal(stderr_tty=True)
    result = run("bid", HAND, *options, terminal=seen)
    assert result.stderr == f"Still dealing: {said}; Ctrl-C stops.\n"
    assert run("bid", HAND, *options).stderr == ""
    assert run("bid", HAND, *options, "--quiet", terminal=seen).stderr == ""
    monkeypatch.setattr("advisor.terminal.SLOW_SECONDS", 60.0)
    assert run("bid", HAND, *options, terminal=seen).stderr == ""
    assert threading.active_count() == 1


def test_bench_keeps_speeds_out_of_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = (("rounds", 123456.7, "per second"), ("first results", 0.2972, "s"))
    monkeypatch.setattr("advisor.bench.run_bench", lambda: BenchResult("1234567890", figures))
    result = run("bench")
    assert result.stdout == "1234567890\n"
    assert [line.split()[-3:] for line in result.stderr.splitlines()[-2:]] == [
        ["123,457", "per", "second"],
        ["results", "0.297", "s"],
    ]
    assert "per second" not in run("bench", "--quiet").stderr


def test_options_reach_the_library(
    monkeypatch: pytest.MonkeyPatch, clear_advice: BidAdvice
) -> None:
    seen = []
    monkeypatch.setattr(commands, "_compute", lambda *args: seen.append(args) or clear_advice)
    monkeypatch.setenv("PINOCHLE_SEED", "9")
    monkeypatch.setenv("PINOCHLE_SAMPLES", "77")
    monkeypatch.setenv("PINOCHLE_THREADS", "2")
    monkeypatch.setenv("PINOCHLE_RULES", "gamerules")
    assert run("bid", HAND, "--precision", "0.5", "--trump", "♥", "--set", "pass=3").exit_code == 0
    assert run("bid", HAND, "--seed", "4", "--rules", "pagat").exit_code == 0
    first, second = (args[0] for args in seen)
    assert (first.seed, first.samples, first.threads, first.precision) == (9, 77, 2, 0.5)
    assert (first.rules.name, first.rules.pass_cards, first.trump) == ("gamerules", 3, 1)
    assert (second.seed, second.rules.name, second.trump) == (4, "pagat", None)


REPRODUCIBLE = [
    ["bid", HAND, "--samples", "60"],
    ["bid", VOID, "--samples", "60", "--precision", "5", "--trump", "d"],
    [
        "bid",
        HAND,
        "--samples",
        "50",
        "--explain",
        "-v",
        "--ascii",
        "--seed",
        "18446744073709551615",
    ],
    ["bid", HAND, "--samples", "50", "--rules", "neuralplay", "--set", "pass=0", "--explain"],
    ["bid", HAND, "--samples", "50", "--set", 'jump_meaning=it\'s $HOME "aces" ♥'],
]


@pytest.mark.parametrize("args", REPRODUCIBLE)
def test_the_last_line_prints_the_same_again(args: list[str]) -> None:
    first = run(*args)
    assert first.exit_code == 0, first.stderr
    last = first.stdout.splitlines()[-1]
    assert last.startswith("reproduce: advisor bid ")
    words = shlex.split(last.removeprefix("reproduce: "))
    assert run(*words[1:]).stdout == first.stdout


def test_rules_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "our house.toml"
    path.write_text('base = "pagat"\npass = 3\nname = "ours"\n', encoding="utf-8")
    first = run("bid", HAND, "--rules", str(path), "--samples", "40")
    assert "Rules  ours with " in first.stdout
    words = shlex.split(first.stdout.splitlines()[-1].removeprefix("reproduce: "))
    # The environment must not change what the line says.
    monkeypatch.setenv("PINOCHLE_RULES", "classic")
    assert run(*words[1:]).stdout == first.stdout
    usual = run("bid", HAND, "--rules", "cardgames", "--samples", "40").stdout
    assert "--rules cardgames" in usual.splitlines()[-1]


@pytest.mark.parametrize("name", PRESET_SETTINGS)
def test_shown_rules_are_a_file_that_reads_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    shown = run("rules", "show", name).stdout
    path.write_text(shown, encoding="utf-8")
    assert run("rules", "show", str(path)).stdout == shown
    changed = run("rules", "show", str(path), "--set", "pass=2").stdout
    assert "pass = 2" in changed


def test_rules_list_names_every_preset() -> None:
    result = run("rules", "list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in PRESET_SETTINGS)


@pytest.mark.parametrize(
    ("words", "engine", "correction", "again"),
    [
        ([], "lite", True, ""),
        (["--raw"], "lite", False, "--raw "),
        (["--engine", "POLICY"], "policy", True, "--engine policy "),
        (["--engine", "policy", "--raw"], "policy", False, "--engine policy --raw "),
        (["--set", "last_trick=20"], "policy", False, ""),
    ],
)
def test_a_report_names_engine_and_correction(
    words: list[str], engine: str, correction: bool, again: str
) -> None:
    value = json.loads(run("bid", HAND, "--samples", "20", "--json", *words).stdout)
    assert value["engine"] == engine
    assert (value["correction"] is not None) == correction
    assert f"--samples 20 {again}--seed 0" in value["reproduce"]
    screen = run("bid", HAND, "--samples", "20", *words).stdout
    line = next(line for line in screen.splitlines() if line.startswith("Engine "))
    assert line.startswith(f"Engine {engine}, {'corrected to real play' if correction else 'raw'}")


def test_the_environment_names_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINOCHLE_ENGINE", "policy")
    value = json.loads(run("bid", HAND, "--samples", "20", "--json").stdout)
    assert value["engine"] == "policy"
    value = json.loads(run("bid", HAND, "--samples", "20", "--engine", "lite", "--json").stdout)
    assert " --engine lite " in value["reproduce"]
    monkeypatch.setenv("PINOCHLE_ENGINE", "magic")
    assert "PINOCHLE_ENGINE: expected policy, lite or exact" in run("bid", HAND).stderr
