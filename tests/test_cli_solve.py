"""``advisor solve``: hands as arguments, files of deals, and what is wrong with either."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from naive import DECK
from typer.testing import CliRunner

from advisor.cli import app
from advisor.game.cards import Hand

RUNNER = CliRunner()
HANDS = ["AT.-.K.-", "-.AT.Q.-", "KQ.-.A.-", "-.KQ.T.-"]


def solve(*words: str):
    return RUNNER.invoke(app, ["solve", *words])


def test_json_of_one_deal():
    done = solve(*HANDS, "--trump", "S", "--json", "--line")
    assert done.exit_code == 0
    value = json.loads(done.stdout)
    assert value["schema"] == 1
    assert value["points"] == 100
    assert value["leads"] == {"KD": 100, "AS": 100, "TS": 100}
    assert len(value["line"]) == 12


@pytest.mark.parametrize(("asked", "taken"), [("1", 1), ("3", 2), ("64", 64)])
def test_the_table_has_the_largest_size_that_fits(asked, taken):
    value = json.loads(solve(*HANDS, "--trump", "S", "--json", "--table-mb", asked).stdout)
    assert value["table_mb"] == taken
    assert value["points"] == 100
    screen = solve(*HANDS, "--trump", "S", "--table-mb", asked).stdout
    assert f"\nTable of positions: {taken} MB.\n" in screen


def test_screen_closes_with_the_answer():
    done = solve(*HANDS, "--trump", "hearts", "--leader", "3")
    assert done.exit_code == 0
    assert "Seat 3" in done.stdout.splitlines()[3]
    assert "leads" in done.stdout.splitlines()[3]
    answer = " ".join(done.stdout.split("\n\n")[-1].split())
    assert answer.startswith("With all hands open and perfect play seats 0 and 2 take ")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_the_rules_are_named():
    house = ("--rules", "pagat", "--set", "heading=trump-leads")
    value = json.loads(solve(*HANDS, "--trump", "S", "--json", *house).stdout)
    assert (value["rules"], value["settings"]) == ("pagat", {"heading": "trump-leads"})
    screen = solve(*HANDS, "--trump", "S", *house).stdout
    assert "\nRules   pagat with heading=trump-leads\n" in screen
    value = json.loads(solve(*HANDS, "--trump", "S", "--json").stdout)
    assert (value["rules"], value["settings"]) == ("cardgames", {})
    assert "\nRules   cardgames\n" in solve(*HANDS, "--trump", "S").stdout


def test_a_file_keeps_going(tmp_path: Path):
    good = json.dumps({"hands": HANDS, "trump": "S", "leader": 1})
    lines = [good, '{"hands": ["A', "", json.dumps({"hands": HANDS}), good]
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    done = solve("--file", str(path), "--json")
    assert done.exit_code == 3
    assert len(done.stdout.splitlines()) == 2
    errors = done.stderr.splitlines()
    assert len(errors) == 2
    assert errors[0].startswith(f"{path}:2: expected a JSON object, found ")
    assert errors[1] == f"{path}:4: trump: expected S, H, D or C, found none"


def test_a_deal_of_a_file_names_its_line(tmp_path: Path):
    good = json.dumps({"hands": HANDS, "trump": "S"})
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join(["{", good, "", good]), encoding="utf-8")
    values = [json.loads(line) for line in solve("--file", str(path), "--json").stdout.splitlines()]
    assert [value["line_number"] for value in values] == [2, 4]
    screen = solve("--file", str(path)).stdout
    first, second = screen.split("\n\nLine 4 of the file\n\n")
    assert first.startswith("Line 2 of the file\n\nSeat 0 ")
    alone = solve(*HANDS, "--trump", "S")
    assert second == alone.stdout == first.split("\n\n", 1)[1] + "\n"
    assert "line_number" not in json.loads(solve(*HANDS, "--trump", "S", "--json").stdout)


def test_the_table_of_a_line_is_that_of_the_deal_alone(tmp_path: Path):
    nine = [str(Hand.from_cards(sorted(DECK)[9 * seat : 9 * seat + 9])) for seat in range(4)]
    path = tmp_path / "deals.jsonl"
    lines = [json.dumps({"hands": hands, "trump": "S"}) for hands in (HANDS, nine, HANDS)]
    path.write_text("\n".join(lines), encoding="utf-8")
    values = [json.loads(line) for line in solve("--file", str(path), "--json").stdout.splitlines()]
    assert [value["table_mb"] for value in values] == [1, 16, 1]


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path):
    path = tmp_path / "deals.jsonl"
    path.write_text(json.dumps({"hands": HANDS, "trump": "S"}), encoding="utf-8-sig")
    done = solve("--file", str(path), "--json")
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_key_in_capitals_is_an_error(tmp_path: Path):
    path = tmp_path / "deals.jsonl"
    path.write_text(json.dumps({"hands": HANDS, "trump": "S", "Leader": 2}), encoding="utf-8")
    done = solve("--file", str(path), "--json")
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr == f"{path}:1: Leader: expected the key in small letters, leader\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*HANDS[:3], "--trump", "S"], "expected 4 hands, found 3"),
        (HANDS, "trump: expected S, H, D or C, found none"),
        ([*HANDS, "--trump", "X"], "trump"),
        ([*HANDS, "--trump", "S", "--leader", "4"], "leader: expected a whole number from 0 to 3"),
        (["AS", "AS", "AS", "KS", "--trump", "S"], "3x AS in the four hands"),
        (["AS KS", "AS", "TS", "KS", "--trump", "S"], "hand 1 has 2 cards, expected 1: AK.-.-.-"),
        (["AS", "8S", "TS", "KS", "--trump", "S"], "hand 2: column 1: '8S'"),
        (
            [*HANDS, "--trump", "S", "--table-mb", "0"],
            "table-mb: expected a whole number from 1 to 1024, found 0",
        ),
        ([*HANDS, "--trump", "S", "--table-mb", "1025"], "from 1 to 1024, found 1025"),
        ([*HANDS, "--trump", "S", "--table-mb", "big"], "from 1 to 1024, found 'big'"),
        (["AS", "--file", "x"], "--file: expected no hands beside it"),
        ([*HANDS, "--trump", "S", "--set", "last_trick=20"], "solve: expected card_points"),
    ],
)
def test_bad_input(words, message):
    done = solve(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr


def test_a_missing_file():
    done = solve("--file", "no-such-file")
    assert done.exit_code == 2
    assert done.stderr == ("Error: no-such-file: cannot read the file: No such file or directory\n")


def full_deal(seed: int = 1) -> list[str]:
    """Return four hands of twelve cards."""
    deck = np.random.default_rng(seed).permutation(DECK)
    return [str(Hand.from_cards(int(card) for card in deck[seat::4])) for seat in range(4)]


@pytest.mark.parametrize("engine", ["policy", "lite", "exact"])
def test_each_engine_shows_its_raw_value(engine: str):
    done = solve(*full_deal(), "--trump", "H", "--engine", engine, "--format", "json")
    assert done.exit_code == 0, done.stderr
    value = json.loads(done.stdout)
    assert value["engine"] == engine
    assert value["points"] + value["other_points"] == 250
    if engine == "policy":
        assert list(value["leads"].values()) == [value["points"]]
    else:
        assert set(value["best"]) <= set(value["leads"])
        assert max(value["leads"].values()) == value["points"]
    screen = solve(*full_deal(), "--trump", "H", "--engine", engine)
    assert screen.exit_code == 0
    assert all(len(line) <= 80 for line in screen.stdout.splitlines())
    said = " ".join(screen.stdout.split("\n\n")[-1].split())
    start = {"policy": "Played by rule", "lite": "Judged", "exact": "With all hands open"}
    assert said.startswith(start[engine])


def test_lite_takes_the_points_of_its_best_lead_whoever_leads():
    # Deals whose best lead is none that the search of the deal looks at.
    for seed, trump, leader in ((14, "S", "1"), (16, "H", "0")):
        words = ("--trump", trump, "--leader", leader, "--engine", "lite", "--json")
        value = json.loads(solve(*full_deal(seed), *words).stdout)
        best = max if leader == "0" else min
        assert best(value["leads"].values()) == value["points"]
        assert value["points"] + value["other_points"] == 250


def test_lite_is_exact_where_few_cards_are_left():
    exact, lite = (
        json.loads(solve(*HANDS, "--trump", "S", "--json", "--engine", engine).stdout)
        for engine in ("exact", "lite")
    )
    assert lite["leads"] == exact["leads"]
    assert lite["engine"] == "lite"


def test_the_policy_shows_its_line():
    done = solve(*HANDS, "--trump", "S", "--engine", "policy", "--line", "--json")
    value = json.loads(done.stdout)
    assert len(value["line"]) == 12
    assert list(value["leads"]) == value["line"][:1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--engine", "best"], "engine: expected policy, lite or exact, found 'best'"),
        (["--engine", "lite", "--line"], "--line: expected the engine exact or policy, found lite"),
        (["--format", "csv"], "format: expected table or json, found csv"),
    ],
)
def test_what_solve_does_not_do_is_one_line(words: list[str], message: str):
    done = solve(*HANDS, "--trump", "S", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_beside_a_file_or_not_in_it_is_said(tmp_path: Path):
    deals = tmp_path / "deals.jsonl"
    deals.write_text('{"hands": ["A.-.-.-", "T.-.-.-", "K.-.-.-", "Q.-.-.-"], "trump": "S"}\n')
    for option, value in (("--trump", "H"), ("--leader", "2")):
        done = solve("--file", str(deals), option, value)
        assert done.exit_code == 2
        assert f"{option}: expected none beside --file" in done.stderr
    deals.write_text("\n\n")
    done = solve("--file", str(deals))
    assert done.exit_code == 2
    assert "expected a deal on a line, found none" in done.stderr


def test_messages_on_lines_say_what_was_found_and_where(tmp_path: Path):
    deals = tmp_path / "a\x1bb.jsonl"
    rest = '"trump": "S"}\n'
    deals.write_text(
        '{"hands": ["AS", "TS", "KS", "QS"], "trump": "S"\n'
        '{"hands": ["AS", "TS", "KS", 1], '
        + rest
        + '{"hands": "AS TS KS QS", '
        + rest
        + "{"
        + rest
        + "x" * 1_000_000
        + "\n"
        '{"hands": ["AS", "TS", "KS", "QS"], ' + rest
    )
    done = solve("--file", str(deals), "--json")
    assert done.exit_code == 3
    assert len(done.stdout.splitlines()) == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 5
    assert not any("\x1b" in line for line in lines)
    assert lines[0].endswith("broken at column 49")
    assert "hand 4: expected text, found 1" in lines[1]
    assert "hands: expected a list of four texts, found 'AS TS KS QS'" in lines[2]
    assert "hands: expected a list of four texts, found none" in lines[3]
    assert ":5: expected a line of at most 10,000 characters" in lines[4]
