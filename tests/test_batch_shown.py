"""What a reader of ``advisor batch`` sees first: calls, hands on the page, remedies."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from test_batch import made_up_result
from typer.testing import CliRunner
from typer.testing import Result as Ran

from advisor.batch.results import Result
from advisor.batch.summary import MOST_LISTED, Tally
from advisor.batch.writers import Sheet, form_of
from advisor.cli import app
from advisor.errors import ExitCode
from advisor.report.batch import MarkdownWriter, TableWriter, summary_lines
from advisor.report.html import Table, Texts
from advisor.report.html_batch import summary_page
from advisor.report.look import Look

QUICK = ["--engine", "policy", "--samples", "16"]
HAND = "AATKQJ.AK.QJ.T9"
CLUB = f"id,hand,seat,auction\nanna,{HAND},,P 250\nben,{HAND},3,\n"
RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run(*args: str, stdin: str | None = None) -> Ran:
    return RUNNER.invoke(app, ["batch", *args, *QUICK], input=stdin)


def at_a_score(result: Result) -> Result:
    """Return the result as if its row had had a score."""
    assert result.terms is not None
    return replace(result, terms=replace(result.terms, score=(900, 1100)))


def test_the_table_has_the_call_where_there_is_a_column_of_calls() -> None:
    lines = run("-", "-f", "table", "-q", stdin=CLUB).stdout.splitlines()
    assert lines[0].split() == ["row", "hand", "trump", "call", "bid", "made", "score", "±"]
    assert lines[2].split()[-5:-3] == ["260", lines[2].split()[-4]]
    assert max(map(len, lines)) <= 80
    first = run("-", "-f", "table", "-q", stdin=f"id,hand\na,{HAND}\n").stdout.splitlines()[0]
    assert "call" not in first
    asked = run("-", "-f", "table", "-q", "--auction", "P 250", stdin=HAND).stdout.splitlines()[0]
    assert "call" in asked
    heads = run("-", "-f", "markdown", "-q", stdin=CLUB).stdout.splitlines()[0]
    assert "| trump | call | bid |" in heads


def test_a_pass_is_written_out_in_the_column_of_calls() -> None:
    results = [
        made_up_result(1),
        made_up_result(2, call=None, action="pass", bid=None, p_make=None, p_make_se=None),
        made_up_result(3, call=None, action="pass_with_help", bid=None, p_make=None,
                       p_make_se=None),
    ]  # fmt: skip
    for kind in (TableWriter, MarkdownWriter):
        text = io.StringIO()
        writer = kind(text, Sheet((), "call"), True, Look())
        for result in results:
            writer.write(result)
        calls = [line.strip(" |") for line in text.getvalue().splitlines()]
        assert calls[2:] == ["250", "pass", "PH"]


def test_a_seat_without_calls_is_told_what_to_do_before_the_line_ends() -> None:
    ran = run("-", "-f", "table", "-q", stdin=CLUB)
    assert ran.exit_code == ExitCode.BAD_LINES
    remedy = "seat: give the calls in a column auction, or leave seat empty; "
    assert f"ben         {remedy}" in ran.stdout.splitlines()[-1]
    dealer = f"id,hand,dealer\nben,{HAND},partner\n"
    last = run("-", "-f", "table", "-q", stdin=dealer).stdout.splitlines()[-1]
    assert "give the calls in a column auction, or leave dealer empty" in last
    assert "--auction" not in ran.stdout + ran.stderr + last
    assert run("-", "-q", stdin=f"hand,seat\n{HAND},1\n").exit_code == ExitCode.OK


@pytest.mark.parametrize("width", [60, 70, 80])
def test_the_closest_calls_fit_where_hands_can_be_written_shorter(width: int) -> None:
    tally = Tally()
    for number in (1, 2):
        tally.add(replace(made_up_result(number), id="a name as long as is shown"))
    lines = summary_lines(tally, Look(width=width))
    assert max(map(len, lines)) <= width
    closest = lines[[line.startswith("line") for line in lines].index(True) + 2]
    assert (HAND in closest) == (width < 70)


def test_options_of_the_whole_run_are_no_columns_and_that_is_said() -> None:
    ran = run("-", stdin=f"hand,Convention,club,rules\n{HAND},dailey,x,pagat\n")
    assert ran.exit_code == ExitCode.OK
    note = "Note: the columns Convention and rules are carried through; --convention and --rules"
    assert " ".join(ran.stderr.split()).endswith(f"{note} hold for all rows.")
    assert ran.stdout.splitlines()[1].endswith(",dailey,x,pagat")
    assert "Note" not in run("-", stdin=f"hand,club\n{HAND},x\n").stderr
    assert run("-", "-q", stdin=f"hand,rules\n{HAND},x\n").stderr == ""


def test_a_named_form_goes_before_the_suffix() -> None:
    assert run("-", "-o", "advice.xlsx", "-f", "csv", "-q", stdin=HAND).exit_code == ExitCode.OK
    assert Path("advice.xlsx").read_text().startswith("file,line,id,")
    found = {name: form_of(name) for name in ("a.txt", "a.json", "a.pq", "a", "a.gz", ".a")}
    assert found == {
        "a.txt": "table", "a.json": "jsonl", "a.pq": "parquet", "a": None, "a.gz": None, ".a": None
    }  # fmt: skip


def test_a_page_that_is_there_is_kept_without_force() -> None:
    pytest.importorskip("jinja2")
    page = Path("club.html")
    page.write_text("mine")
    ran = run("-", "-q", "--html", "club.html", stdin=HAND)
    assert ran.exit_code == ExitCode.USAGE
    assert ran.stderr == ("Error: club.html: expected no such file yet, or --force to replace it\n")
    assert page.read_text() == "mine"
    ran = run("-", "-q", "--html", "club.html", "--force", stdin=HAND)
    assert ran.exit_code == ExitCode.OK
    assert page.read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("command", ["bid", "jumps", "league", "batch"])
def test_help_says_what_becomes_of_a_page_that_is_there(command: str) -> None:
    text = " ".join(RUNNER.invoke(app, [command, "--help"]).stdout.split())
    said = "over one that is there only with --force" if command == "batch" else "in place of what"
    assert said in text


def page_of(results: list[Result], calls: bool = False) -> list[object]:
    """Return the blocks of every section but the first two, by their heading."""
    tally = Tally()
    for result in results:
        tally.add(result)
    page = summary_page(tally.as_dict(), "advisor batch", [], results=tally.listed, calls=calls)
    return [page.answer, *(block for section in page.sections[2:] for block in section.blocks)]


def test_the_page_lists_few_hands_and_rounds_as_the_screen() -> None:
    results = [
        made_up_result(1),
        made_up_result(2, bid=None, call=None, action="pass", p_make=None, p_make_se=None),
        replace(made_up_result(3), id="cleo"),
        made_up_result(4, error="hand has 11 cards"),
    ]
    answer, hands, *_ = page_of(results, calls=True)
    tally = Tally()
    for result in results:
        tally.add(result)
    assert "2 of 3 hands, 67% ± 33%" in summary_lines(tally, Look())[1]
    assert str(answer).startswith("67% ± 33% of 3 hands should bid")
    assert isinstance(hands, Table)
    assert [row[0] for row in hands.rows] == ["1", "2", "cleo", "4"]
    assert [row[3] for row in hands.rows] == ["250", "pass", "250", ""]
    assert hands.rows[0][1].startswith("♠")
    assert hands.rows[3][1:3] == ["AATKQJ.AK.QJ.T9", "no answer"]
    _, plain, *_ = page_of(results)
    assert isinstance(plain, Table)
    assert "call" not in plain.headers


@pytest.mark.parametrize(("rows", "listed"), [(MOST_LISTED, True), (MOST_LISTED + 1, False)])
def test_the_page_of_many_hands_says_where_they_are(rows: int, listed: bool) -> None:
    _, hands, *_ = page_of([made_up_result(line) for line in range(1, rows + 1)])
    assert isinstance(hands, Table) == listed
    if listed:
        assert len(hands.rows) == rows  # type: ignore[attr-defined]
    else:
        assert isinstance(hands, Texts)
        assert "more than 50 rows" in hands.texts[0]


def test_hands_at_a_score_are_said_to_be_left_out() -> None:
    points = [made_up_result(line, bid_over_pass=10.0 * line) for line in (1, 2)]
    games = [at_a_score(made_up_result(line, bid_over_pass=0.01)) for line in (3, 4)]
    mixed, scored = Tally(), Tally()
    for result in (*points, *games):
        mixed.add(result)
    for result in games:
        scored.add(result)
    note = "Left out: 2 hands judged at a score, which are compared in chances and not in points."
    assert note in " ".join(" ".join(summary_lines(mixed, Look())).split())
    assert "Left out" not in " ".join(summary_lines(scored, Look()))
    found = [json.loads(json.dumps(tally.as_dict())) for tally in (mixed, scored)]
    assert [item["closest_in"] for item in found] == ["points", "chances"]
    assert [item["closest_left_out"] for item in found] == [2, 0]
    *_, table, said = page_of([*points, *games])
    assert isinstance(said, Texts)
    assert said.texts == [note]
    assert isinstance(table, Table)
    assert [row[-1][:3] for row in table.rows] == ["+10", "+20"]
    # Rows with a score of their own are shown as chances, whatever the options were.
    *_, table = page_of(games)
    assert isinstance(table, Table)
    assert "%" in table.rows[0][-1]


def test_the_chart_of_two_hands_has_apart_what_it_says() -> None:
    tally = Tally()
    for line, bid in ((1, 390), (2, 390)):
        tally.add(made_up_result(line, bid=bid))
    page = summary_page(tally.as_dict(), "advisor batch", [])
    drawing = str(page.sections[1].blocks[0].drawing)  # type: ignore[union-attr]
    texts = re.findall(r'class="mid tick"[^>]*>([^<]*)<', drawing)
    assert texts == ["390", "400", "highest bid advised"]
    assert "lowest 390" not in drawing
    assert 'class="guide"' not in drawing
