"""What the commands say of mistakes: one line, the exit code, no traceback."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner, Result

from advisor.cli import advice as commands
from advisor.cli import app
from advisor.errors import ExitCode
from advisor.terminal import MAX_STDIN_BYTES, Terminal

HAND = "AATKQJ.AK.QJ.T9"
RUNNER = CliRunner()


def run(*args: str, stdin: str | bytes | None = None, terminal: Terminal | None = None) -> Result:
    return RUNNER.invoke(app, list(args), input=stdin, obj=terminal)


ERRORS = [
    (["bid", "--sampels", "3", HAND], "no such option: --sampels; did you mean --samples?"),
    (
        ["bid", HAND, "--samples", "0"],
        "samples: expected a whole number from 1 to 1000000, found 0",
    ),
    (
        ["bid", HAND, "--samples", "many"],
        "samples: expected a whole number from 1 to 1000000, found 'many'",
    ),
    (
        ["bid", HAND, "--engine", "lit"],
        "engine: expected policy, lite or exact, found 'lit'; did you mean lite?",
    ),
    (
        ["bid", HAND, "--engine", "exact", "--set", "last_trick=20"],
        "exact: expected card_points 10-10-10 and last_trick 10, found 10-10-10 and 20",
    ),
    (
        ["bid", HAND, "--seed", "-1"],
        f"seed: expected a whole number from 0 to {2**64 - 1}, found -1",
    ),
    (
        ["bid", HAND, "--threads", "257"],
        "threads: expected a whole number from 1 to 256, found 257",
    ),
    (
        ["bid", HAND, "--precision", "nan"],
        "precision: expected points from 0.05 to 100, found 'nan'",
    ),
    (
        ["bid", HAND, "--precision", "fine"],
        "precision: expected points from 0.05 to 100, found 'fine'",
    ),
    (["bid", HAND, "--seed"], "option '--seed' requires an argument"),
    (
        ["bid", HAND, "--trump", "X"],
        "trump 'X' is not a suit: expected S, H, D, C or a suit's name",
    ),
    (
        ["bid", HAND, "--format", "jsn"],
        "format: expected table, json, csv, markdown or html, found 'jsn'; did you mean json?",
    ),
    (
        ["meld", HAND, "--format", "html"],
        "format: expected table, json, csv or markdown, found 'html'",
    ),
    (
        ["bid", HAND, "--html", "-"],
        "html: expected a file, found -, which --format html writes to",
    ),
    (
        ["bid", HAND, "--json", "--format", "csv"],
        "--json: expected no --format beside it, found --format csv",
    ),
    (["bid", HAND, "--set", "pass=5"], "pass: expected 0, 2, 3 or 4, found 5"),
    (["bid", "AATKQJ.AK.QJ.T"], "hand has 11 cards, expected 12: AATKQJ.AK.QJ.T"),
    (["bid"], f"no hand given: expected 12 cards, such as {HAND}"),
    (["bid", ""], f"hand: expected 12 cards, such as {HAND}, found an empty argument"),
    (["meld", " ", ""], f"hand: expected 12 cards, such as {HAND}, found an empty argument"),
    (["meld", "-"], f"no hand given: expected 12 cards, such as {HAND}"),
    (["bdi"], "no such command 'bdi'. Did you mean 'bid'?"),
    (["rules", "shwo"], "no such command 'shwo'. Did you mean 'show'?"),
    (["rules", "show"], "missing argument 'NAME|FILE'"),
    (
        ["rules", "show", "pagat", "--format", "csv"],
        "format: expected toml, json or table, found 'csv'",
    ),
    (
        ["rules", "show", "no-such.toml"],
        "no-such.toml: cannot read the file: No such file or directory",
    ),
    (["--no-such"], "no such option: --no-such"),
    (["bid", HAND, "--no-such"], "no such option: --no-such"),
    (["bid", HAND, "--presicion", "1"], "no such option: --presicion; did you mean --precision?"),
    (
        ["meld", HAND, "--rules", "house"],
        "rules: expected cardgames, gamerules, pagat, neuralplay, classic or a file ending in "
        ".toml, found 'house'",
    ),
]


@pytest.mark.parametrize(("args", "message"), ERRORS, ids=[" ".join(args) for args, _ in ERRORS])
def test_errors_are_one_line(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr == f"Error: {message}\n"
    assert result.stdout == ""


def test_a_hand_without_a_command_gets_a_hint() -> None:
    assert f"no such command: {HAND}; did you mean" in run(HAND).stderr


def test_unknown_rules_name_the_nearest() -> None:
    assert run("meld", HAND, "--rules", "pagatt").stderr.endswith("did you mean pagat?\n")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SEED", "x", "PINOCHLE_SEED: expected a whole number"),
        ("SAMPLES", "0", "PINOCHLE_SAMPLES: expected a whole number"),
        ("THREADS", "-2", "PINOCHLE_THREADS: expected a whole number"),
        ("RULES", "mine", "PINOCHLE_RULES: expected cardgames"),
        ("RULES", "no.toml", "PINOCHLE_RULES: no.toml: cannot read the file"),
    ],
)
def test_errors_name_the_environment_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"PINOCHLE_{name}", value)
    result = run("bid", HAND)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


NOT_PLAIN = ["1_000", "٣", "\uff15", "-0", "+5", "0x5", "5.", "9" * 5000]


@pytest.mark.parametrize("name", ["samples", "seed", "threads"])
@pytest.mark.parametrize("text", NOT_PLAIN, ids=range(len(NOT_PLAIN)))
@pytest.mark.parametrize("environment", [False, True])
def test_whole_numbers_are_plain_digits(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, environment: bool
) -> None:
    if environment:
        monkeypatch.setenv(f"PINOCHLE_{name.upper()}", text)
    result = run("bid", HAND, *([] if environment else [f"--{name}", text]))
    assert result.exit_code == ExitCode.USAGE
    assert f"{name}: expected a whole number" in result.stderr.replace(name.upper(), name)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["1_0", "٣", "\uff15", "-0", "-0.0", "1e1", "inf", "."])
def test_the_precision_is_a_plain_number(text: str) -> None:
    result = run("bid", HAND, "--precision", text)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith("Error: precision: expected points from 0.05 to 100, found '")
    assert result.stderr.count("\n") == 1


def test_an_empty_hand_does_not_read_the_input() -> None:
    result = run("meld", "", stdin=HAND)
    assert result.exit_code == ExitCode.USAGE
    assert result.stdout == ""


def test_control_characters_of_a_hand_are_not_printed() -> None:
    result = run("bid", "\x1b[31mAK\nQJ\x07")
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.count("\n") == 1
    assert result.stderr.strip().isprintable()


def fail_with(error: BaseException) -> object:
    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (
            RuntimeError("a\nb"),
            ExitCode.FAILURE,
            "Error: unexpected RuntimeError: a b; run again with --debug for the traceback",
        ),
        (
            PermissionError(13, "Permission denied", "x"),
            ExitCode.FAILURE,
            "Error: x: Permission denied",
        ),
        (
            EOFError("Ran out of input"),
            ExitCode.FAILURE,
            "Error: unexpected EOFError: Ran out of input; run again with --debug",
        ),
        (MemoryError(), ExitCode.FAILURE, "Error: unexpected MemoryError; run again with --debug"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "Interrupted."),
    ],
)
def test_other_errors(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: ExitCode, line: str
) -> None:
    monkeypatch.setattr(commands, "_compute", fail_with(error))
    result = run("bid", HAND)
    assert result.exit_code == code
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_other_errors_reach_whoever_calls_the_commands_from_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "_compute", fail_with(EOFError("Ran out of input")))
    with pytest.raises(EOFError, match="Ran out"):
        app(["bid", HAND], standalone_mode=False)


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_compute", fail_with(RuntimeError("broken")))
    result = run("bid", HAND, "--debug")
    assert result.exit_code == ExitCode.FAILURE
    assert "Traceback" in result.stderr
    assert "Error: unexpected RuntimeError: broken" in result.stderr


@pytest.mark.parametrize(
    ("junk", "message"),
    [
        (
            b"\x00\xff\xfe" * 1000,
            "stdin: expected a hand as UTF-8 text, found byte 0xff at offset 1",
        ),
        (b"A" * (MAX_STDIN_BYTES + 1), "stdin: expected one hand, found more than 1,000,000 bytes"),
        (b"AK" * 400_000, "hand text has 800,000 characters"),
        (b"\x00" * 500, ""),
        (b"\n\n  \n", "no hand given"),
    ],
)
def test_junk_from_a_pipe(junk: bytes, message: str) -> None:
    result = run("bid", stdin=junk)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1
    assert result.stderr.strip().isprintable()
