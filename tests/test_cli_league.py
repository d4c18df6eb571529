"""``advisor league``: screens, formats, files of a run, mistakes, Ctrl-C."""

import csv
import io
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lifted_rules import lifted
from typer.testing import CliRunner

from advisor.cli import app
from advisor.errors import ExitCode
from advisor.game.rules import Rules
from advisor.league import League, play_league
from advisor.report.league import Asked, league_markdown, league_screen
from advisor.report.look import Look
from advisor.rules_of_bidding.names import RULE_NAMES
from advisor.rules_of_bidding.registry import rule_of

RUNNER = CliRunner()


def run(*words):
    return RUNNER.invoke(app, ["league", *words])


QUICK = ["--rules-of-bidding", "advisor,b1,b7a", "--deals", "200", "--quiet"]


def test_json_has_the_documented_shape():
    done = run(*QUICK, "--json", "--seed", "4")
    assert done.exit_code == 0, done.stderr
    value = json.loads(done.stdout)
    assert (value["schema"], value["deals"], value["seed"], value["complete"]) == (1, 200, 4, True)
    assert [(pair["a"], pair["b"]) for pair in value["pairs"]] == [
        ("advisor", "b1"), ("advisor", "b7a"), ("b1", "b7a"),
    ]  # fmt: skip
    for pair in value["pairs"]:
        assert {"a", "b", "deals", "points_per_deal", "ci95", "games_won"} <= set(pair)
        assert pair["ci95"][0] < pair["points_per_deal"] < pair["ci95"][1]
        assert 0 <= pair["games_won"] <= 1
    assert sorted(value["order"]) == ["advisor", "b1", "b7a"]
    assert value["order"] == [item["rule"] for item in value["standings"]]
    again = run(*shlex.split(value["reproduce"])[2:], "--quiet", "--threads", "2")
    assert json.loads(again.stdout) == value


def test_csv_and_markdown():
    rows = list(csv.DictReader(io.StringIO(run(*QUICK, "--format", "csv").stdout)))
    assert [(row["a"], row["b"]) for row in rows] == [
        ("advisor", "b1"), ("advisor", "b7a"), ("b1", "b7a"),
    ]  # fmt: skip
    assert float(rows[0]["ci95_low"]) < float(rows[0]["points_per_deal"])
    text = run(*QUICK, "--format", "markdown").stdout
    assert text.count("| advisor") == 3


@pytest.fixture(scope="module")
def played():
    league = League.of(["advisor", "b1", "b3", "b7a", "without-inference"], seed=6)
    return league, play_league(league, 300)


def test_screens(golden, played):
    league, tally = played
    golden("league", league_screen(league, tally, Look(), Asked(300), every=False))
    ascii_only = Look(symbols=False)
    stopped = Asked(5000, interrupted=True)
    golden("league_stopped", league_screen(league, tally, ascii_only, stopped, every=True))


@pytest.mark.parametrize("scale", [10, 1])
@pytest.mark.parametrize("symbols", [True, False])
def test_screens_fit_80_columns(played, symbols, scale):
    league, tally = played
    look = Look(symbols=symbols, scale=scale)
    screen = league_screen(league, tally, look, Asked(300), every=True)
    shown = [line for line in screen.splitlines() if not line.startswith("reproduce: ")]
    assert [line for line in shown if len(line) > 80] == []
    assert not any(line.endswith(" ") for line in screen.splitlines())
    assert screen.isascii() or symbols


def test_a_rule_is_one_row_in_markdown(played):
    league, tally = played
    standings = league_markdown(tally, Look()).split("\n\n")[0].splitlines()
    assert len(standings) == 2 + len(league.names)
    assert {row.split("|")[1].strip() for row in standings[2:]} == set(league.names)


@pytest.mark.parametrize("width", [60, 62, 72, 100])
def test_what_the_rules_are_is_left_out_where_no_word_of_it_fits(played, width):
    league, tally = played
    screen = league_screen(league, tally, Look(width=width), Asked(300), every=False)
    rows = screen.split("\n\n")[1].splitlines()
    assert max(map(len, rows)) <= max(width, 62)
    words = set(" ".join(rows).split())
    told = {word for name in league.names for word in RULE_NAMES[name].split()}
    # All of it or nothing, and no word is broken.
    assert (told <= words) if width > 70 else not told & (words - set(league.names))


def test_nothing_is_claimed_that_is_not_known():
    close = League((rule_of("b1"), lifted("b1", 1)), Rules(), 1)
    screen = league_screen(close, play_league(close, 30), Look(), Asked(30), every=False)
    assert "Too close to call" in screen
    single = League.of(["advisor", "b1"])
    screen = league_screen(single, play_league(single, 1), Look(), Asked(1), every=False)
    assert "One deal says nothing" in screen
    for deals, little in ((3, True), (99, True), (100, False)):
        screen = league_screen(
            single, play_league(single, deals), Look(), Asked(deals), every=False
        )
        assert ("So few deals settle nothing." in " ".join(screen.split())) is little


def test_a_stopped_league_shows_what_is_known(monkeypatch):
    import advisor.league

    real = advisor.league.play_league

    def stopped(league, deals, *, tally, progress, **options):
        def stop(done):
            progress(done)
            raise KeyboardInterrupt

        return real(league, deals, tally=tally, progress=stop, block=50, **options)

    monkeypatch.setattr(advisor.league, "play_league", stopped)
    done = run(*QUICK)
    assert done.exit_code == ExitCode.INTERRUPTED
    assert re.search(r"Stopped  after 50 of 200 deals", done.stdout)
    assert "±" in done.stdout
    assert done.stderr == "Interrupted.\n"
    value = json.loads(run(*QUICK, "--json").stdout)
    assert (value["deals"], value["complete"]) == (50, False)


def test_a_league_stopped_at_once_shows_nothing(monkeypatch):
    import advisor.league

    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(advisor.league, "play_league", stopped)
    done = run(*QUICK)
    assert (done.exit_code, done.stdout) == (ExitCode.INTERRUPTED, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rules-of-bidding", "advisor,b77"], "found 'b77'; did you mean b7?"),
        (["--rules-of-bidding", "b1"], "two names or more"),
        (["--rules-of-bidding", "b1,b1"], "found b1 twice"),
        (["--deals", "0"], "deals: expected a whole number from 1 to 10000000, found 0"),
        (["--deals", "many"], "found 'many'"),
        (["--engine", "lit"], "did you mean lite?"),
        (["--engine", "lite", "--set", "last_trick=20"], "lite: expected card_points"),
        (["--format", "yaml"], "format: expected"),
        (["--seed", "-1"], "seed: expected"),
    ],
)
def test_bad_input_is_one_line(words, said):
    done = run(*words)
    assert done.exit_code == ExitCode.USAGE
    assert done.stdout == ""
    assert said in done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("Compiling")]
    assert len(lines) == 1
    assert lines[0].startswith("Error: ")


def test_the_last_line_prints_the_same_without_the_file(tmp_path):
    path = str(tmp_path / "kept.json")
    assert run(*QUICK, "--resume", path).exit_code == 0
    again = run("--rules-of-bidding", "advisor,b1,b7a", "--deals", "10", "--resume", path, "--json")
    value = json.loads(again.stdout)
    assert value["deals"] == 200
    fresh = run(*shlex.split(value["reproduce"])[2:], "--quiet")
    assert json.loads(fresh.stdout) == value


def test_a_file_of_another_league_is_refused(tmp_path):
    path = str(tmp_path / "kept.json")
    assert run(*QUICK, "--resume", path).exit_code == 0
    done = run(*QUICK, "--seed", "9", "--resume", path)
    assert done.exit_code == ExitCode.USAGE
    assert "seed" in done.stderr
    done = run(*QUICK, "--rules", "gamerules", "--resume", path)
    assert "is of a run with rules: name 'cardgames', not 'gamerules'" in done.stderr
    stored = json.loads((tmp_path / "kept.json").read_text())
    stored["settings"]["kernels"] = "of another version"
    (tmp_path / "kept.json").write_text(json.dumps(stored))
    done = run(*QUICK, "--resume", path)
    assert done.exit_code == ExitCode.USAGE
    assert "is of a run with kernels 'of another version', not " in done.stderr
    (tmp_path / "kept.json").write_text("nonsense")
    done = run(*QUICK, "--resume", path)
    assert done.exit_code == ExitCode.USAGE
    assert "resume: expected the file of a run" in done.stderr


STARTED = """
import importlib, sys
module = importlib.import_module("advisor.league")
add = module.Tally.add
def told(self, records):
    add(self, records)
    print("started", file=sys.stderr, flush=True)
module.Tally.add = told
from advisor.cli import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_prints_what_is_known(tmp_path):
    felt = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    kept = tmp_path / "kept.json"
    words = ["league", "--rules-of-bidding", "advisor,b7a", "--deals", "5000000", "--quiet"]
    process = subprocess.Popen(
        [sys.executable, "-c", felt + STARTED, *words, "--resume", str(kept)],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    while b"started" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert time.monotonic() - sent < 3.0
    assert err.endswith(b"Interrupted.\n")
    assert b"Traceback" not in err
    found = re.search(r"Stopped  after ([\d,]+) of 5,000,000 deals", out.decode())
    assert found is not None
    deals = int(found[1].replace(",", ""))
    assert json.loads(kept.read_text())["work"]["deals"] == deals
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
