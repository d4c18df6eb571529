"""``advisor pass`` and ``advisor return``: screens, JSON, CSV, and what is wrong."""

import csv
import io
import json
import shlex

import pytest
from typer.testing import CliRunner

from advisor.cli import app
from advisor.game.cards import parse_card

RUNNER = CliRunner()
PARTNER = "ATK9.A9.QJ9.TJ9"
DECLARER = "AATTKQJJ.AAK.QJ.T99"
RECEIVED = "AS KS AH JD"
QUICK = ["--samples", "40", "--quiet"]


def run(*words, stdin=None):
    return RUNNER.invoke(app, list(words), input=stdin)


def answer(*words):
    done = run(*words, *QUICK)
    assert done.exit_code == 0, done.stderr
    return done.stdout


COMMANDS = {
    "pass": ["pass", PARTNER, "--trump", "S"],
    "return": ["return", DECLARER, "--trump", "S"],
    "received": ["return", DECLARER, "--trump", "S", "--received", RECEIVED],
}


@pytest.fixture(params=COMMANDS)
def command(request):
    return COMMANDS[request.param]


def test_json_has_the_documented_shape(command):
    value = json.loads(answer(*command, "--json"))
    assert value["schema"] == 1
    assert value["hand"] == command[1]
    assert (value["trump"], value["rules"], value["engine"]) == ("S", "cardgames", "lite")
    assert isinstance(value["correction"], int)
    assert (value["seed"], value["samples"]) == (0, 40)
    assert len(value["cards"]) == 4
    assert set(value["reasons"]) == set(value["cards"])
    assert all(value["reasons"].values())
    first, *others = value["alternatives"]
    assert first["cards"] == value["cards"]
    assert first["behind"] == first["behind_se"] == 0
    assert not first["tied"]
    assert [item["behind"] for item in others] == sorted(item["behind"] for item in others)
    for item in value["alternatives"]:
        assert {"cards", "score", "score_se", "behind", "behind_se"} <= set(item)
        assert item["score"] == pytest.approx(item["team_meld"] + item["tricks"])
        assert item["score"] == pytest.approx(first["score"] - item["behind"])
        for name in item["cards"]:
            parse_card(name)
    assert value["by_rule"] in [item["cards"] for item in value["alternatives"]]
    assert value["kept_meld"]["total"] == sum(i["points"] for i in value["kept_meld"]["items"])
    assert ("received" in value) == (command[0] == "return")
    if "--received" in command:
        assert value["received"] == RECEIVED.split()


def test_the_screen_closes_with_the_answer(command):
    screen = answer(*command)
    lines = screen.splitlines()
    assert [line for line in lines[:-1] if len(line) > 80] == []
    assert not any(line.endswith(" ") for line in lines)
    assert lines[0].startswith("Hand ")
    assert lines[-1].startswith(f"reproduce: advisor {command[0]} ")
    said = " ".join(screen.rsplit("\n\n", 1)[1].split())
    assert ("Send " if command[0] == "pass" else "Give back ") in said
    assert "(40 deals)." in said
    assert "no part in choosing" in " ".join(screen.split())
    assert "Kept " in screen


def test_nothing_clear_is_shown_as_nothing(command):
    """Behind the choice: a tie says so, and what is none is not written as 0."""
    value = json.loads(answer(*command, "--json"))
    lines = answer(*command, "--ascii").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("---")) + 1
    rows = lines[start : start + len(value["alternatives"])]
    assert rows[0].endswith("best")
    for row, item in zip(rows[1:], value["alternatives"][1:], strict=True):
        assert row.endswith("tie") == item["tied"]
        if not item["tied"]:
            shown = row.split(" +/-")[0].split()[-1]
            assert shown.startswith("<") or float(shown) > 0


def test_the_command_that_is_printed_prints_the_same(command):
    screen = answer(*command, "--ascii", "--engine", "policy", "--raw", "--set", "run_extras=true")
    again = screen.splitlines()[-1].removeprefix("reproduce: ")
    assert run(*shlex.split(again)[1:], "--quiet").stdout == screen
    assert screen.isascii()


def test_same_bytes_for_any_threads(command):
    assert answer(*command, "--json", "--threads", "1") == answer(
        *command, "--json", "--threads", "2"
    )


def test_csv_has_a_row_for_each_way(command):
    rows = list(csv.DictReader(io.StringIO(answer(*command, "--format", "csv"))))
    assert [row["chosen"] for row in rows] == ["true"] + ["false"] * (len(rows) - 1)
    assert [row["by_rule"] for row in rows].count("true") == 1
    assert all(len(row["cards"].split()) == 4 for row in rows)


def test_markdown_is_a_table(command):
    text = answer(*command, "--format", "markdown")
    assert text.startswith("| ")
    assert len(text.splitlines()) == 12


@pytest.mark.parametrize("number", [2, 3])
def test_other_numbers_of_cards(number):
    words = ["--trump", "S", "--set", f"pass={number}", "--json"]
    assert len(json.loads(answer("pass", PARTNER, *words))["cards"]) == number
    hand = {2: "AATTKQ.AAK.QJ.T99", 3: "AATTKQJ.AAK.QJ.T99"}[number]
    value = json.loads(answer("return", hand, *words))
    assert len(value["cards"]) == number
    assert value["settings"] == {"pass": number}


def test_points_as_at_a_table_where_a_run_is_15():
    screen = answer("return", DECLARER, "--trump", "S", "--set", "scale=1")
    assert "run 15, pinochle 4" in screen


def test_a_hand_that_begins_with_a_void_and_one_from_a_pipe():
    assert "Send" in answer("pass", "-.AAKKQ.JJTT.99J", "--trump", "H")
    done = RUNNER.invoke(app, ["pass", "--trump", "S", *QUICK], input=PARTNER)
    assert done.exit_code == 0


ERRORS = [
    (["pass", PARTNER], "trump: expected S, H, D or C, found none"),
    (["return", DECLARER], "trump: expected S, H, D or C, found none"),
    (
        ["pass", PARTNER, "--trump", "X"],
        "trump 'X' is not a suit: expected S, H, D, C or a suit's name",
    ),
    (
        ["pass", "ATK9.A9.QJ9.TJ", "--trump", "S"],
        "hand has 11 cards, expected 12: ATK9.A9.QJ9.TJ",
    ),
    (
        ["return", "AATTKQJJ.AAK.QJ.T9", "--trump", "S"],
        "hand has 15 cards, expected 16: AATTKQJJ.AAK.QJ.T9",
    ),
    (
        ["return", DECLARER, "--trump", "S", "--set", "pass=3"],
        f"hand has 16 cards, expected 15: {DECLARER}",
    ),
    (
        ["pass", PARTNER, "--trump", "S", "--set", "pass=0"],
        "pass: expected rules that pass 2, 3 or 4 cards, found 0",
    ),
    (
        ["return", DECLARER, "--trump", "S", "--received", ""],
        "received: expected 4 cards, found none",
    ),
    (
        ["return", DECLARER, "--trump", "S", "--received", "AS KS AH"],
        "received: expected 4 cards, found 3: AK.A.-.-",
    ),
    (
        ["return", DECLARER, "--trump", "S", "--received", "AS KS AH AD"],
        "received: expected cards of the hand, found AD, of which it has none",
    ),
    (
        ["return", DECLARER, "--trump", "S", "--received", "AS KS KS AH"],
        "received: expected cards of the hand, found 2x KS, of which it has one",
    ),
    (
        ["pass", PARTNER, "--trump", "S", "--samples", "0"],
        "samples: expected a whole number from 1 to 1000000, found 0",
    ),
    (
        ["pass", PARTNER, "--trump", "S", "--engine", "lit"],
        "engine: expected policy, lite or exact, found 'lit'; did you mean lite?",
    ),
    (
        ["pass", PARTNER, "--trump", "S", "--engine", "lite", "--set", "last_trick=20"],
        "lite: expected card_points 10-10-10 and last_trick 10, found 10-10-10 and 20",
    ),
    (["return", "--trump", "S"], "no hand given: expected 16 cards, such as AATKQJ.AK.QJ.T9KQ9J"),
    (["pass", "--trump", "S"], "no hand given: expected 12 cards, such as AATKQJ.AK.QJ.T9"),
]


@pytest.mark.parametrize(("args", "message"), ERRORS, ids=[" ".join(args) for args, _ in ERRORS])
def test_errors_are_one_line(args, message):
    done = run(*args)
    assert done.exit_code == 2
    assert done.stderr == f"Error: {message}\n"
    assert done.stdout == ""


def test_cards_received_that_cannot_be_read():
    done = run("return", DECLARER, "--trump", "S", "--received", "AS KS 8H JD")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: received: ")
    assert len(done.stderr.splitlines()) == 1
