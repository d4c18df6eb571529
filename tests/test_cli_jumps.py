"""``advisor jumps``: what it prints, what it refuses, and how it is stopped."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from advisor.cli import app
from advisor.terminal import Terminal

RUNNER = CliRunner()
ROOT = Path(__file__).parent.parent
HAND = "TKQJ9.A.KQ99.TK"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from advisor.__main__ import main; main()"
)


def jumps(*words: str):
    return RUNNER.invoke(app, ["jumps", *words])


def found(*words: str) -> dict:
    done = jumps(*words, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_json_has_never_first_and_then_the_order_asked():
    value = found("--on", "meld", "--thresholds", "100,40", "--deals", "300", "--seed", "7")
    assert {key: value[key] for key in ("schema", "on", "deals", "seed", "rules")} == {
        "schema": 1, "on": "meld", "deals": 300, "seed": 7, "rules": "cardgames",
    }  # fmt: skip
    rows = value["thresholds"]
    assert [row["threshold"] for row in rows] == ["never", 100, 40]
    assert [row["pass_help"] for row in rows] == [None] * 3
    assert (rows[0]["jumps"], rows[0]["diff"], rows[0]["diff_se"]) == (0, 0, 0)
    assert rows[2]["jumps"] > rows[1]["jumps"] > 0
    assert sum(row["best"] for row in rows) == 1
    assert all(isinstance(row["tied"], bool) for row in rows)
    assert all(0 < row["made"] < 1 and 250 <= row["bid"] < 600 for row in rows)
    assert all(row["diff_se"] > 0 for row in rows[1:])
    assert "matrix" not in value


def test_the_same_seed_gives_the_same_bytes_whatever_the_threads():
    words = ("--deals", "700", "--thresholds", "60", "--pass-help", "40", "--json")
    first, again = jumps(*words, "--threads", "1"), jumps(*words, "--threads", "3")
    assert first.stdout == again.stdout
    assert jumps(*words, "--seed", "1").stdout != first.stdout


def test_the_last_line_prints_the_same_again(tmp_path: Path):
    path = tmp_path / "my hands.txt"
    path.write_text(f"# mine\n{HAND}\n\n", encoding="utf-8")
    words = [
        "--on", "Aces", "--thresholds", "3, 4", "--hands", str(path), "--rules", "pagat", "--set",
        "pass=3", "--opponents", "dailey", "--jump-seat", "first", "--deals", "200", "--score",
        "900", "1100", "--matrix",
    ]  # fmt: skip
    screen = jumps(*words).stdout
    line = screen.splitlines()[-1]
    assert line.startswith("reproduce: advisor jumps ")
    import shlex

    again = RUNNER.invoke(app, shlex.split(line.removeprefix("reproduce: "))[1:])
    assert again.stdout == screen
    assert "our side always holds one of the 1 hand of" in " ".join(screen.split())
    assert "Points a deal, row less column" in screen


def test_a_matrix_is_of_all_pairs():
    value = found("--thresholds", "60,100", "--deals", "400", "--matrix")
    matrix = value["matrix"]
    assert [len(row) for row in matrix] == [3, 3, 3]
    for i in range(3):
        assert matrix[i][0] == value["thresholds"][i]["diff"]
        assert value["matrix_se"][i][0] == value["thresholds"][i]["diff_se"]
        for j in range(3):
            assert matrix[i][j] == -matrix[j][i]


def test_without_a_contract_there_is_no_bid_and_no_share_made():
    house = ("--set", "all_pass=redeal", "--set", "minimum=1500")
    value = found(*house, "--thresholds", "60", "--deals", "20")
    for row in value["thresholds"]:
        assert (row["contracts"], row["bid"], row["made"]) == (0, None, None)
    done = jumps(*house, "--thresholds", "60", "--deals", "20", "--format", "csv")
    assert {row["bid"] for row in csv.DictReader(io.StringIO(done.stdout))} == {""}


def test_points_of_a_table_that_counts_a_run_as_15():
    value = found("--rules", "classic", "--thresholds", "6", "--deals", "50")
    assert [row["threshold"] for row in value["thresholds"]] == ["never", 60]
    screen = jumps("--rules", "classic", "--thresholds", "6", "--deals", "50").stdout
    assert "\n6 " in screen
    assert "a run is 15, not 150" in screen


def test_opponents_that_bid_by_a_rule_of_the_league(tmp_path: Path):
    path = str(tmp_path / "run.json")
    words = ("--thresholds", "60", "--deals", "300")
    value = found(*words, "--opponents", " B7 ", "--resume", path)
    assert value["opponents"] == "b7a"
    assert value["thresholds"][1]["diff_se"] > 0
    # Another spelling is the same run, another rule is not.
    again = found(*words, "--opponents", "b7a", "--resume", path)
    assert again["thresholds"] == value["thresholds"]
    other = jumps(*words, "--opponents", "b7b", "--resume", path)
    assert other.exit_code == 2
    assert other.stderr.startswith(f"Error: resume: {path} is of a run with opponents 'b7a', not ")
    screen = jumps(*words, "--opponents", "b7").stdout
    assert "\nOpponents  the rule b7a of the league: meld and 250\n" in screen
    assert screen.endswith("--opponents b7 --deals 300 --seed 0\n")
    assert found(*words)["thresholds"] != value["thresholds"]
    standard = jumps(*words, "--opponents", "STANDARD").stdout
    assert "\nOpponents  the standard rule, which agrees on nothing\n" in standard


def test_csv_and_markdown():
    done = jumps("--thresholds", "60", "--deals", "200", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["threshold"] for row in rows] == ["never", "60"]
    assert rows[1]["pass_help"] == ""
    assert float(rows[1]["diff_se"]) > 0
    done = jumps("--thresholds", "60", "--deals", "200", "--format", "markdown")
    assert done.stdout.startswith("| jump at ")


def test_screens_fit_80_columns():
    for words in (
        ("--pass-help", "40,60", "--thresholds", "100", "--matrix"),
        ("--on", "value"),
        ("--on", "missing-suit", "--rules", "gamerules", "--ascii"),
    ):
        screen = jumps(*words, "--deals", "600").stdout
        assert max(map(len, screen.splitlines()[:-1])) <= 80
        assert screen.isascii() == ("--ascii" in words)
        assert sum("best" in line.split() for line in screen.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--on", "melt"),
            "on: expected meld, value, aces or missing-suit, found 'melt'; did you mean meld?",
        ),
        (
            ("--thresholds", "40,x"),
            "thresholds: expected whole numbers from 0 to 5000, such as 40,60, found 'x'",
        ),
        (
            ("--thresholds", ""),
            "thresholds: expected whole numbers from 0 to 5000, such as 40,60, found ''",
        ),
        (("--thresholds", "40,40"), "thresholds: expected each number once, found 40 twice"),
        (
            ("--on", "aces", "--pass-help", "9"),
            "pass-help: expected whole numbers from 0 to 8, such as 2,3, found '9'",
        ),
        (
            ("--pass-help", "40", "--rules", "neuralplay"),
            "pass-help: expected rules with a pass with help, found pass_with_help=refuse in "
            "neuralplay",
        ),
        (
            ("--set", "jumps=none", "--set", "opening=minimum"),
            "thresholds: expected rules that allow a jump, found jumps=none and opening=minimum "
            "in cardgames",
        ),
        (
            ("--opponents", "daily"),
            "opponents: expected standard, a rule of bidding such as b9, a convention such as "
            "dailey, or a file ending in .toml, found 'daily'; did you mean dailey?",
        ),
        (
            ("--opponents", "without-levl"),
            "opponents: expected standard, a rule of bidding such as b9, a convention such as "
            "dailey, or a file ending in .toml, found 'without-levl'; did you mean without-level?",
        ),
        (
            ("--opponents", "aces-jump:9"),
            "opponents: expected aces-jump:N with N 1 to 4, found 'aces-jump:9'",
        ),
        (("--jump-seat", "frist"), "jump-seat: expected first or any, found 'frist'; did you "
         "mean first?"),
        (("--deals", "0"), "deals: expected a whole number from 1 to 10000000, found 0"),
        (("--precision", "no"), "precision: expected points from 0.05 to 100, found 'no'"),
        ((HAND, "--thresholds", "4"), "--thresholds: expected none beside a hand"),
        ((HAND, "--resume", "x"), "--resume: expected none beside a hand"),
        (("--auction", "P"), "--auction: expected none beside thresholds"),
        (("AATKQJ.AK.QJ.T",), "hand has 11 cards, expected 12: "),
        (("--rules", "nobody"), "rules: "),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(words: tuple[str, ...], message: str):
    done = jumps(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"Error: {message}")


def test_bad_files_of_hands(tmp_path: Path):
    path = tmp_path / "hands.txt"
    cases = {
        "": "expected a hand on a line, found none",
        "# nothing\n\n": "expected a hand on a line, found none",
        f"{HAND}\nAATKQJ.AK.QJ.T\n": ":2: hand has 11 cards, expected 12",
    }
    for text, message in cases.items():
        path.write_text(text, encoding="utf-8")
        done = jumps("--hands", str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr
        assert str(path) in done.stderr
        assert len(done.stderr.splitlines()) == 1
    none = tmp_path / "none.txt"
    for path, said in {none: "No such file or directory", tmp_path: "it is a directory"}.items():
        done = jumps("--hands", str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"Error: {path}: cannot read the file: {said}\n"


def test_a_run_goes_on_from_its_file(tmp_path: Path):
    path = str(tmp_path / "run.json")
    words = ("--thresholds", "60", "--json")
    assert jumps(*words, "--deals", "500", "--resume", path).exit_code == 0
    whole = jumps(*words, "--deals", "900")
    assert jumps(*words, "--deals", "900", "--resume", path).stdout == whole.stdout
    other = jumps(*words, "--deals", "900", "--resume", path, "--rules", "gamerules")
    assert other.exit_code == 2
    assert len(other.stderr.splitlines()) == 1
    assert other.stderr.startswith(
        f"Error: resume: {path} is of a run with rules: name 'cardgames', not 'gamerules'"
    )
    less = jumps(*words, "--deals", "100", "--resume", path)
    assert less.exit_code == 2
    assert less.stderr == (
        f"Error: resume: {path} has 900 deals; expected --deals of at least as many, found 100\n"
    )


@pytest.mark.parametrize(
    "command", [("jumps", "--thresholds", "60"), ("league", "--rules-of-bidding", "b1,b4")]
)
def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def worked(*_: object) -> None:
        raise AssertionError("worked in vain")

    monkeypatch.setattr("advisor.jumps.tally", worked)
    monkeypatch.setattr("advisor.league.League.play", worked)
    nowhere = tmp_path / "none" / "run.json"
    cases = {
        str(nowhere): (1, f"{nowhere}: No such file or directory"),
        str(tmp_path): (1, f"{tmp_path}: Is a directory"),
        "": (2, "resume: expected the name of a file, found '.'"),
    }
    if Path("/dev/zero").exists():
        # Has no end.
        said = "resume: expected the file of a run, found /dev/zero: no ordinary file"
        cases["/dev/zero"] = (2, said)
    for path, (code, message) in cases.items():
        done = RUNNER.invoke(app, [*command, "--deals", "40", "--quiet", "--resume", path])
        assert (done.exit_code, done.stdout) == (code, "")
        assert done.stderr == f"Error: {message}\n"
    assert list(tmp_path.iterdir()) == []


def test_one_deal_settles_nothing():
    done = jumps("--thresholds", "60", "--deals", "1")
    assert done.exit_code == 0
    assert "One deal has no standard error: nothing is settled." in done.stdout
    few = jumps("--thresholds", "60", "--deals", "6").stdout
    assert "So few deals settle nothing." in " ".join(few.split())
    assert found("--thresholds", "60", "--deals", "1")["thresholds"][1]["diff_se"] is None


def test_progress_is_for_people_only(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("advisor.progress._EVERY", 0.0)
    monkeypatch.setattr("advisor.progress._QUIET_SECONDS", 0.0)
    words = ["jumps", "--thresholds", "60", "--deals", "30000"]
    silent = RUNNER.invoke(app, words, obj=Terminal())
    assert silent.stderr == ""
    seen = RUNNER.invoke(app, words, obj=Terminal(stderr_tty=True))
    assert " of 30,000 deals, " in seen.stderr
    assert " auctions a second, " in seen.stderr
    assert " left" in seen.stderr
    # The line is taken away before the answer stands.
    assert seen.stderr.endswith("\r")
    assert seen.stdout == silent.stdout
    quiet = RUNNER.invoke(app, [*words, "--quiet"], obj=Terminal(stderr_tty=True))
    assert quiet.stderr == ""


@POSIX
def test_ctrl_c_prints_what_is_known(tmp_path: Path):
    path = tmp_path / "run.json"
    process = subprocess.Popen(
        [sys.executable, "-c", START, "jumps", "--thresholds", "60", "--deals", "9000000",
         "--resume", str(path), "--threads", "2", "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    end = time.monotonic() + 90
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - sent < 2.0
    assert process.returncode == 130
    assert err.decode().splitlines()[-1] == "Interrupted."
    value = json.loads(out)
    assert value["complete"] is False
    assert 0 < value["deals"] < 9_000_000
    assert value["thresholds"][1]["diff_se"] > 0
    assert [item.name for item in tmp_path.iterdir()] == ["run.json"]
    # The file holds what was shown, and the run goes on from there.
    work = json.loads(path.read_text())["work"]
    assert work["deals"] == value["deals"]
    again = found("--thresholds", "60", "--deals", str(work["deals"]))
    assert again["thresholds"] == value["thresholds"]


@POSIX
def test_ctrl_c_before_anything_is_known():
    slow = START.replace(
        "from advisor.__main__",
        "import sys, advisor.jumps\n"
        "advisor.jumps.tally = lambda *_: __import__('time').sleep(30)\n"
        "print('ready', file=sys.stderr, flush=True)\n"
        "from advisor.__main__",
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow, "jumps", "--deals", "50", "--quiet"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ),
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == b"ready\n"
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"Interrupted.\n")


@pytest.mark.parametrize("word", ["--raw", "--no-raw"])
def test_raw_is_repeated_as_it_was_meant(word: str):
    words = [HAND, "--deals", "16", "--engine", "policy"]
    assert (" --raw " in jumps(*words, word).stdout) == (word == "--raw")


def test_a_hand_under_each_convention():
    done = jumps(HAND, "--deals", "150")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    names = [line.split()[0] for line in lines if line[:1].isalpha()]
    for name in ("none", "meld-jump", "dailey", "missing-suit", "lebor"):
        assert name in names
    assert max(map(len, lines[:-1])) <= 80
    assert lines[-1] == f'reproduce: advisor jumps "{HAND}" --deals 150 --seed 0'
    assert "settle nothing" not in done.stdout
    few = jumps(HAND, "--deals", "3").stdout
    assert "So few deals settle nothing." in " ".join(few.split())
    value = found(HAND, "--deals", "150")
    by_name = {item["convention"]: item["calls"] for item in value["conventions"]}
    actions = {name: [call["action"] for call in calls] for name, calls in by_name.items()}
    # 70 points of meld: enough for the pass with help of meld-jump, not for its jump.
    assert actions["meld-jump"] == ["pass", "pass_with_help", "raise"]
    assert actions["none"] == ["pass", "raise", "jump"]
    for calls in by_name.values():
        best = [call for call in calls if call["best"]]
        assert len(best) == 1
        assert best[0]["behind"] == 0
        assert all(call["behind"] >= 0 for call in calls)
        assert all(not call["tied"] for call in best)
    rows = list(csv.DictReader(io.StringIO(jumps(HAND, "--deals", "60", "-f", "csv").stdout)))
    assert {row["action"] for row in rows} == {"pass", "pass_with_help", "raise", "jump"}
    assert jumps(HAND, "--deals", "60", "-f", "markdown").stdout.startswith("| convention ")


def test_a_hand_in_an_auction_at_a_score():
    value = found(HAND, "--deals", "80", "--auction", "P 250", "--score", "900", "1100")
    assert value["auction"] == ["P", "250"]
    calls = value["conventions"][0]["calls"]
    assert {call["call"] for call in calls} == {None, 260, 270}
    assert all(0 < call["win"] < 1 for call in calls)
