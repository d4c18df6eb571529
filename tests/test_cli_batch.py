"""The command for files of hands: what is written where, what is refused, exit codes."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import os
from pathlib import Path
from typing import Any

import pytest
from test_batch import made_up_result, random_hands
from typer.testing import CliRunner
from typer.testing import Result as Ran

from advisor.batch.results import COLUMNS
from advisor.batch.summary import Tally
from advisor.batch.writers import CsvWriter, JsonWriter, PackedFile, Sheet
from advisor.cli import app
from advisor.errors import ExitCode
from advisor.report.batch import (
    MarkdownWriter,
    TableWriter,
    mistake_lines,
    summary_markdown,
    summary_screen,
)
from advisor.report.look import Look
from advisor.terminal import Terminal

QUICK = ["--engine", "policy", "--samples", "16"]
HAND = "AATKQJ.AK.QJ.T9"
RUNNER = CliRunner()


def run(*args: str, stdin: str | None = None, terminal: Terminal | None = None) -> Ran:
    return RUNNER.invoke(app, ["batch", *args], input=stdin, obj=terminal)


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    path = tmp_path / "hands.csv"
    rows = ["id,hand,table,bid", f"=x,{HAND},4,300", "b,AAT.K.-.-,5,", f"c,{HAND},-1,@sum"]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_csv_in_csv_out_with_a_row_for_each(hands: Path) -> None:
    ran = run(str(hands), *QUICK)
    assert ran.exit_code == ExitCode.BAD_LINES
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert list(rows[0]) == [*COLUMNS, "table", "input_bid"]
    assert [(row["line"], row["id"], row["hand"]) for row in rows] == [
        ("2", "'=x", HAND),
        ("3", "b", "AAT.K.-.-"),
        ("4", "c", HAND),
    ]
    assert [row["table"] for row in rows] == ["4", "5", "-1"]
    assert [row["input_bid"] for row in rows] == ["300", "", "'@sum"]
    assert rows[0]["bid"] == rows[2]["bid"] != ""
    assert rows[1]["bid"] == ""
    assert "expected 12" in rows[1]["error"]
    assert "Error: 1 of 3 rows could not be answered" in ran.stderr
    assert f"{hands}:3 (b): " in ran.stderr


def test_json_lines_keep_texts_as_they_are(hands: Path) -> None:
    ran = run(str(hands), *QUICK, "-f", "jsonl", "-q")
    assert ran.stderr == ""
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["=x", "b", "c"]
    assert rows[0]["input_bid"] == "300"
    assert rows[0]["correction"] == 1
    assert isinstance(rows[0]["expected_score"], float)
    assert rows[1]["trump"] is None


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "table", "markdown"])
@pytest.mark.parametrize("packing", ["", ".gz", ".xz"])
def test_every_form_is_written_to_a_file_as_to_the_output(
    hands: Path, tmp_path: Path, form: str, packing: str
) -> None:
    out = tmp_path / f"out.{form}{packing}"
    printed = run(str(hands), *QUICK, "-f", form, "-q").stdout
    ran = run(str(hands), *QUICK, "-f", form, "-q", "-o", str(out))
    assert (ran.exit_code, ran.stdout, ran.stderr) == (ExitCode.BAD_LINES, "", "")
    data = out.read_bytes()
    unpacked = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[packing](data)
    assert unpacked.decode() == printed
    assert not out.with_name(out.name + ".parts").exists()
    again = tmp_path / f"again.{form}{packing}"
    run(str(hands), *QUICK, "-f", form, "-q", "-o", str(again), "-j", "1")
    assert again.read_bytes() == data


def test_the_suffix_says_the_form(hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl.gz"
    run(str(hands), *QUICK, "-o", str(out))
    first = gzip.decompress(out.read_bytes()).splitlines()[0]
    assert json.loads(first)["hand"] == HAND


def test_parquet_goes_in_and_out(hands: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out.parquet"
    assert run(str(hands), *QUICK, "-o", str(out)).exit_code == ExitCode.BAD_LINES
    rows = parquet.read_table(out).to_pylist()
    lines = run(str(hands), *QUICK, "-f", "jsonl", "-q").stdout.splitlines()
    assert rows == [json.loads(line) for line in lines]
    back = run(str(out), *QUICK, "-f", "jsonl", "-q", "--columns", "hand,bid")
    assert [json.loads(line)["hand"] for line in back.stdout.splitlines()][::2] == [HAND, HAND]
    assert run(str(hands), "-o", str(tmp_path / "x.parquet.gz")).exit_code == ExitCode.USAGE


def test_columns_are_chosen(hands: Path) -> None:
    ran = run(str(hands), *QUICK, "-q", "--columns", "Table,bid,hand")
    assert ran.stdout.splitlines()[0] == "table,bid,hand"
    ran = run(str(hands), *QUICK, "-q", "--columns", "tabel")
    assert ran.exit_code == ExitCode.USAGE
    assert "did you mean table?" in ran.stderr


def test_hands_are_read_from_the_input() -> None:
    for args in (["-"], []):
        ran = run(*args, *QUICK, "-q", "--columns", "file,line,hand", stdin=f"# hm\n{HAND}\n")
        assert ran.stdout == f"file,line,hand\n-,2,{HAND}\n"
    ran = run(terminal=Terminal(stdin_tty=True))
    assert ran.exit_code == ExitCode.USAGE
    assert "expected a file of hands, or - for the input" in ran.stderr
    ran = run("-", terminal=Terminal(stdin_tty=True), stdin="")
    assert "Reading hands from the terminal" in ran.stderr


def test_a_table_is_the_default_at_a_terminal_only(hands: Path) -> None:
    ran = run(str(hands), *QUICK, terminal=Terminal(stdout_tty=True))
    assert ran.stdout.startswith("row ")
    assert run(str(hands), *QUICK).stdout.startswith("file,line")


@pytest.mark.parametrize(
    ("width", "last"), [(60, "made"), (80, "score     ±"), (100, "bid−pass     ±")]
)
def test_a_table_shows_what_fits(hands: Path, width: int, last: str) -> None:
    at = Terminal(stdout_tty=True, width=width)
    lines = run(str(hands), *QUICK, "-q", terminal=at).stdout.splitlines()
    assert lines[0].endswith(f"  {last}")
    assert max(map(len, lines)) <= width
    assert "hand has 4 cards" in lines[3]
    # Nobody reads a pipe at that width.
    assert (
        run(str(hands), *QUICK, "-q", "-f", "table").stdout.splitlines()[0].endswith("score     ±")
    )


@pytest.mark.parametrize("columns", ["all", "table,hand,bid,id,ceiling,error,input_bid"])
@pytest.mark.parametrize("width", [60, 80, 100])
def test_columns_without_room_are_named(hands: Path, columns: str, width: int) -> None:
    args = [str(hands), *QUICK, "-q", "--columns", columns]
    lines = run(*args, terminal=Terminal(stdout_tty=True, width=width)).stdout.splitlines()
    assert max(map(len, lines)) <= width
    said = " ".join(" ".join(lines).split())
    left_out = said.split("No room for ")[1].split(": ")[0].split(", ")
    shown = lines[0].split()
    if columns == "all":
        assert shown[:4] == ["row", "hand", "trump", "bid"]
        assert "error" in left_out
        assert "id" not in left_out
    else:
        assert sorted(shown + left_out) == sorted(columns.split(","))
    # What is bad is said even where the column has no room.
    assert "hand has 4 cards" in said
    piped = run(*args, "-f", "table").stdout
    assert "No room" not in piped
    assert piped.splitlines()[0].split()[-1] == "input_bid"


def test_a_file_does_not_depend_on_the_terminal(hands: Path, tmp_path: Path) -> None:
    found = []
    for at in (Terminal(), Terminal(stdout_tty=True, colour=True, width=100)):
        out = tmp_path / f"{len(found)}.txt"
        run(str(hands), *QUICK, "-q", "-o", str(out), "--columns", "all", terminal=at)
        found.append(out.read_text(encoding="utf-8"))
    assert found[0] == found[1]
    assert "\x1b" not in found[0]


def test_bad_rows_are_written_once_more(hands: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    ran = run(str(hands), *QUICK, "-q", "--errors", str(bad))
    assert ran.exit_code == ExitCode.BAD_LINES
    [row] = [json.loads(line) for line in bad.read_text().splitlines()]
    assert (row["line"], row["id"], row["hand"]) == (3, "b", "AAT.K.-.-")
    assert set(row) == {"file", "line", "id", "hand", "error"}
    assert run(str(hands), "--errors", str(bad)).exit_code == ExitCode.USAGE
    assert not bad.with_name("bad.jsonl.new").exists()


def test_a_bad_row_is_named_as_its_file_names_it(tmp_path: Path) -> None:
    path = tmp_path / "club.csv"
    path.write_text(f'player,hand\nann,{HAND}\nbo,AAT.K.-.-\n,AAT.K.-.9\n"c\x1b\nd",A.-.-.-\n')
    ran = run(str(path), *QUICK, "--summary")
    assert ran.exit_code == ExitCode.BAD_LINES
    wrong = "hand has 4 cards, expected 12: AAT.K.-.-"
    assert ran.stderr.splitlines()[-1] == f"  {path}:3 (bo), 4, 5 (c\\x1b d): {wrong}"
    ran = run(str(path), *QUICK, "--strict")
    assert ran.stderr == f"Error: {path}:3 (bo): {wrong}\n"
    # Where the input is no file, it is met on the way.
    ran = run("-", *QUICK, "--strict", "-q", stdin=path.read_text())
    assert ran.stderr == f"Error: input:3 (bo): {wrong}\n"
    bad = tmp_path / "bad.csv"
    run(str(path), *QUICK, "-q", "--errors", str(bad))
    rows = [line.split(",")[1:3] for line in bad.read_text().splitlines()]
    assert rows[:3] == [["line", "id"], ["3", "bo"], ["4", ""]]
    found = json.loads(run(str(path), *QUICK, "--summary", "-f", "jsonl").stdout)
    assert found["mistakes"][0]["ids"] == ["bo", None, "c\x1b\nd"]


def test_strict_stops_at_the_first_bad_row(hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ran = run(str(hands), *QUICK, "--strict", "-o", str(out))
    assert ran.exit_code == ExitCode.USAGE
    assert ran.stderr.startswith(f"Error: {hands}:3 (b): ")
    # Files are looked through first, so nothing was written.
    assert ran.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.csv"]
    ran = run("-", *QUICK, "--strict", "-q", "--columns", "line", stdin=f"{HAND}\nA\n{HAND}\n")
    assert ran.exit_code == ExitCode.USAGE
    assert ran.stdout == "line\n1\n"
    assert run("-", *QUICK, "--strict", "-q", stdin=f"{HAND}\n").exit_code == 0


def test_the_summary_instead_of_rows(hands: Path, tmp_path: Path) -> None:
    ran = run(str(hands), *QUICK, "--summary", "-f", "jsonl")
    found = json.loads(ran.stdout)
    assert (found["rows"], found["answered"], found["repeated"], found["bad"]) == (3, 2, 1, 1)
    assert found["mistakes"][0]["first"] == [f"{hands}:3"]
    ran = run(str(hands), *QUICK, "--summary")
    assert ran.stdout.startswith("Rows   3 read, 2 answered (1 of them met before), 1 bad")
    ran = run(str(hands), *QUICK, "--summary", "-f", "markdown")
    assert "| what" in ran.stdout
    assert run(str(hands), "--summary", "-f", "csv").exit_code == ExitCode.USAGE
    out = tmp_path / "out.csv"
    ran = run(str(hands), *QUICK, "--summary", "-o", str(out))
    assert ran.stdout.startswith("Rows   3 read")
    assert len(out.read_text().splitlines()) == 4


def test_an_output_is_not_replaced_unless_that_is_asked(hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine")
    for args, said in (([], "--force to replace it"), (["--resume"], "nothing to go on with")):
        ran = run(str(hands), *QUICK, "-o", str(out), *args)
        assert ran.exit_code == ExitCode.USAGE
        assert said in ran.stderr
        assert out.read_text() == "mine"
    assert run(str(hands), *QUICK, "-o", str(out), "--force").exit_code == ExitCode.BAD_LINES
    assert out.read_text().startswith("file,line")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.csv", "out.csv"]


def test_a_link_is_followed_and_a_device_written_to(hands: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "deep.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    assert run(str(hands), *QUICK, "-o", str(link)).exit_code == ExitCode.BAD_LINES
    assert link.is_symlink()
    assert target.read_text().startswith("file,line")
    if os.path.exists("/dev/null"):
        assert run(str(hands), *QUICK, "-o", "/dev/null").exit_code == ExitCode.BAD_LINES


WRONG: list[tuple[list[str], str]] = [
    (["none.txt"], "none.txt: "),
    (["-", "-"], "expected the input (-) once"),
    (["-", "-f", "cvs"], "did you mean csv?"),
    (["-", "-f", "html"], "found 'html'; --html FILE writes a page of their summary"),
    (["-", "-f", "html", "--summary", "-o", "x"], "found 'html'; --html FILE writes a page of"),
    (["-", "-o", "x.HTM"], "expected a file of rows, such as out.csv, found x.HTM; --html FILE"),
    (["-", "-o", ""], "expected the name of a file"),
    (["-", "--resume"], "--resume: expected an output file beside it"),
    (["-", "--force"], "--force: expected an output file beside it"),
    (["-", "-o", "x", "--resume", "--force"], "expected no --resume beside it"),
    (["-", "-o", "advice.xlsx"], "found '.xlsx'; spreadsheets open .csv"),
    (["-", "-o", "advice.ODS.gz"], ".md, or --format; found '.ods'; spreadsheets open .csv"),
    (["-", "-o", "advice.pdf"], "advice.pdf: expected a file that ends in .csv, .tsv, .jsonl, "),
    (["-", "-o", "advice.cvs"], "found '.cvs'; did you mean .csv?"),
    (["-", "--errors", "bad.xls"], ".txt or .md; found '.xls'; spreadsheets open .csv"),
    (["-", "-o", "."], "output: expected the name of a file, found a folder: ."),
    (["-", "-o", "x.csv/"], "output: expected the name of a file, found a folder: x.csv/"),
    (["-", "--errors", ".."], "errors: expected the name of a file, found a folder: .."),
    (["-", "--errors", "-"], "errors: expected the name of a file"),
    (["-", "-o", "x.csv", "--errors", "./x.csv"], "errors: expected another file"),
    (["-", "--jobs", "0"], "jobs: expected a whole number from 1 to 256, found 0"),
    (["-", "--samples", "x"], "samples: expected a whole number"),
    (["-", "--seat", "3"], "seat: expected calls of seats 1 and 2"),
    (["-", "--score", "1500", "0"], "the game is over"),
    (["-", "--rules", "pagan"], "did you mean pagat?"),
    (["-", "--trump", "X"], "trump 'X' is not a suit"),
    (["-", "--input-format", "cvs"], "csv"),
    (["-", "--colums", "x"], "did you mean --columns?"),
]


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_mistakes_are_one_line(
    args: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*args, stdin=f"{HAND}\n")
    assert ran.exit_code == ExitCode.USAGE
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_input_is_never_written_over(hands: Path) -> None:
    before = hands.read_bytes()
    for name in ("--output", "--errors", "--html"):
        out = [] if name == "--output" else ["-o", str(hands.with_name("x.csv"))]
        ran = run(str(hands), *QUICK, name, str(hands), "--force", *out)
        assert ran.exit_code == ExitCode.USAGE
        assert "expected another file than the input" in ran.stderr
    assert hands.read_bytes() == before


def test_the_environment_sets_jobs(hands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINOCHLE_THREADS", "none")
    ran = run(str(hands), *QUICK)
    assert ran.stderr.startswith("Error: PINOCHLE_THREADS: expected a whole number")


def test_rows_of_several_files_come_in_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.jsonl"
    texts = [str(hand) for hand in random_hands(4)]
    one.write_text("\n".join(texts[:2]))
    two.write_text("".join(json.dumps({"hand": text, "pip": 1}) + "\n" for text in texts[2:]))
    ran = run(str(one), str(two), *QUICK, "-q", "-f", "jsonl")
    rows: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [row["hand"] for row in rows] == texts
    assert [row["pip"] for row in rows] == [None, None, "1", "1"]
    assert [row["file"] for row in rows] == [str(one), str(one), str(two), str(two)]


def test_writers_hold_every_value(golden: Any) -> None:
    results = [
        made_up_result(2),
        made_up_result(3, bid=None, call=None, action="pass", p_make=None, p_make_se=None,
                       bid_over_pass=-3.2, close="call"),
        made_up_result(4, trump=2, bid=410, bid_over_pass=None, bid_over_pass_se=None),
        made_up_result(5, error="hand has 11 cards, expected 12: AATKQJ.AK.QJ.T9"),
    ]  # fmt: skip
    text = io.StringIO()
    for chosen in (None, "line,action,call,ceiling,p_make_250,tricks,bid_over_pass,close,error"):
        sheet = Sheet((), chosen)
        for look in (Look(), Look(symbols=False, scale=1)):
            writers: list[Any] = [
                TableWriter(text, sheet, chosen is not None, look),
                MarkdownWriter(text, sheet, chosen is not None, look),
            ]
            for writer in writers:
                for result in results:
                    writer.write(result)
                writer.close()
                text.write("\n")
    for kind in (CsvWriter, JsonWriter):
        writer = kind(text, Sheet((), None))
        for result in results:
            writer.write(result)
        text.write("\n")
    tally = Tally()
    for result in results:
        tally.add(result)
    for look in (Look(), Look(symbols=False, scale=1)):
        text.write(summary_screen(tally, look) + "\n" + summary_markdown(tally, look) + "\n")
        text.write("\n".join(mistake_lines(tally, look)) + "\n\n")
    golden("batch", text.getvalue())


@pytest.mark.parametrize("symbols", [True, False])
def test_screens_fit_into_80_columns(symbols: bool) -> None:
    text, look = io.StringIO(), Look(symbols=symbols)
    writer, tally = TableWriter(text, Sheet((), None), False, look), Tally()
    long = "x" * 300
    for line in (1, 10_000_000):
        for result in (made_up_result(line), made_up_result(line, error=long)):
            writer.write(result)
            tally.add(result)
    lines = [*text.getvalue().splitlines(), *summary_screen(tally, look).splitlines()]
    assert max(map(len, lines)) <= 80


def test_packed_files_are_the_same_every_time(tmp_path: Path) -> None:
    for packing in (".gz", ".xz"):
        packed = []
        for name in ("a", "b"):
            with (tmp_path / name).open("wb") as raw:
                file = PackedFile(raw, packing)
                file.text.write("hands ♠\n")
                file.close()
            packed.append((tmp_path / name).read_bytes())
        assert packed[0] == packed[1]


def test_texts_of_a_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.csv"
    path.write_text(f"id,hand,n\x1b[2J\n\x1b[31mred,{HAND},1\n\x07bell,x\x1b]0;t,2\n", "utf-8")
    for form in ("table", "markdown"):
        ran = run(str(path), *QUICK, "-f", form)
        assert "\x1b" not in ran.stdout + ran.stderr
        assert "\x07" not in ran.stdout + ran.stderr
        assert "\\x1b[31mred"[:9] in ran.stdout


def test_the_summary_is_a_page_too(hands: Path, tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    page = tmp_path / "club.html"
    asked = (str(hands), "--samples", "40", "--engine", "policy", "--set", "pass=3")
    both = run(*asked, "--summary", "--html", str(page))
    text = page.read_text()
    printed = run(*asked, "--summary", "--format", "html").stdout
    assert printed == text
    as_json = json.loads(run(*asked, "--summary", "--format", "jsonl").stdout)
    block = text.split('<script type="application/json"', 1)[1].split(">", 1)[1]
    assert json.loads(block.split("</script>")[0]) == as_json
    assert both.stdout == run(*asked, "--summary").stdout
    assert "--summary --set pass=3 --samples 40 --seed 0 --engine policy" in text
    # Beside rows the page is the same.
    page.unlink()
    run(*asked, "--html", str(page), "--quiet")
    assert page.read_text() == text


def test_rows_are_no_page(hands: Path) -> None:
    found = run(str(hands), "--format", "html")
    assert found.exit_code == ExitCode.USAGE
    assert "expected csv, tsv, jsonl, parquet, table or markdown, found 'html'" in found.stderr
