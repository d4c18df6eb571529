"""Where a batch run writes: each file once, whole or not at all, and nothing of anybody else's."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
from pathlib import Path

import pytest
from test_batch import random_hands
from typer.testing import CliRunner
from typer.testing import Result as Ran

from advisor.batch.parts import Parts
from advisor.cli import app
from advisor.errors import ExitCode

QUICK = ["--engine", "policy", "--samples", "8", "-q", "-j", "1"]
HANDS = [str(hand) for hand in random_hands(6, seed=4)]
OTHERS = [str(hand) for hand in random_hands(6, seed=5)]
BAD = "AAT.K.-.-"
RUNNER = CliRunner()
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX files")


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run(*args: str, rows: list[str] | None = None) -> Ran:
    stdin = None if rows is None else "\n".join(rows) + "\n"
    return RUNNER.invoke(app, ["batch", *args, *QUICK], input=stdin)


def names() -> list[str]:
    return sorted(os.listdir())


def test_rows_that_end_before_those_answered_are_refused() -> None:
    """They may be others: what tells the rows of a block apart stands behind its last."""
    assert run("-", "-o", "s.csv", "--strict", rows=[*HANDS, BAD]).exit_code == ExitCode.USAGE
    for some in (OTHERS[:4], HANDS[:4]):
        ran = run("-", "-o", "s.csv", "--resume", rows=some)
        assert ran.exit_code == ExitCode.USAGE
        assert "cannot go on: the rows end before those that were answered" in ran.stderr
        assert names() == ["s.csv.parts"]
    assert run("-", "-o", "s.csv", "--resume", rows=HANDS).exit_code == ExitCode.OK
    assert run("-", "-o", "t.csv", rows=HANDS).exit_code == ExitCode.OK
    assert Path("s.csv").read_bytes() == Path("t.csv").read_bytes()


def test_a_row_that_stopped_a_strict_run_may_be_put_right() -> None:
    rows = [*HANDS[:4], BAD, HANDS[4]]
    assert run("-", "-o", "s.csv", "--strict", rows=rows).exit_code == ExitCode.USAGE
    rows[4] = HANDS[5]
    assert run("-", "-o", "s.csv", "--strict", "--resume", rows=rows).exit_code == ExitCode.OK
    assert len(Path("s.csv").read_text().splitlines()) == 7


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-o", "p.csv", "--html", "./p.csv"], "html: expected another file than the output"),
        (["-o", "p.csv", "--errors", "./p.csv"], "errors: expected another file than the output"),
        (["--errors", "p.csv", "--html", "p.csv"], "html: expected another file than the errors"),
    ],
)
def test_every_file_is_another(args: list[str], message: str) -> None:
    ran = run("-", *args, rows=HANDS)
    assert ran.exit_code == ExitCode.USAGE
    assert message in ran.stderr
    assert names() == []


def test_files_of_others_with_such_names_stay() -> None:
    Path("bad.csv.new").write_text(f"{HANDS[0]}\n{BAD}\n")
    args = ["bad.csv.new", "--input-format", "text", "-o", "o.csv", "--errors", "bad.csv"]
    folder = Path("o.csv.parts")
    folder.mkdir()
    (folder / "thesis.new").write_text("mine")
    assert run(*args).exit_code == ExitCode.BAD_LINES
    assert names() == ["bad.csv", "bad.csv.new", "o.csv", "o.csv.parts"]
    assert len(Path("bad.csv").read_text().splitlines()) == 2
    assert Path("bad.csv.new").read_text().startswith(HANDS[0])
    assert os.listdir(folder) == ["thesis.new"]


@posix
def test_errors_go_through_links_and_into_pipes() -> None:
    Path("link.csv").symlink_to("deep.csv")
    args = ["-", "-o", "o.csv", "--force", "--errors"]
    assert run(*args, "link.csv", rows=[BAD]).exit_code == ExitCode.BAD_LINES
    assert Path("link.csv").is_symlink()
    assert "hand has 4 cards" in Path("deep.csv").read_text()
    os.mkfifo("pipe.csv")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe.csv").read_text()))
    reader.start()
    assert run(*args, "pipe.csv", rows=[BAD]).exit_code == ExitCode.BAD_LINES
    reader.join()
    assert read == [Path("deep.csv").read_text()]
    assert stat.S_ISFIFO(os.stat("pipe.csv").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
# The room is missed when all is done, or while other rows are still written.
@pytest.mark.parametrize("bad", [1, 400])
def test_errors_without_room_keep_what_was_found(bad: int) -> None:
    Path("full.csv").symlink_to("/dev/full")
    Path("hands.txt").write_text(f"{HANDS[0]}\n" + f"{BAD}\n" * bad)
    args = ["hands.txt", "-o", "o.csv", "--errors"]
    ran = run(*args, "full.csv")
    assert ran.exit_code == ExitCode.FAILURE
    assert "full.csv" in ran.stderr
    assert "what was found is kept, --resume goes on" in ran.stderr
    assert not Path("o.csv").exists()
    # Of rows that are printed nothing is kept.
    ran = run("hands.txt", "--errors", "full.csv")
    assert ran.exit_code == ExitCode.FAILURE
    assert "full.csv" in ran.stderr
    assert "--resume" not in ran.stderr
    assert run(*args, "bad.csv", "--resume").exit_code == ExitCode.BAD_LINES
    assert names() == ["bad.csv", "full.csv", "hands.txt", "o.csv"]


def test_a_page_is_replaced_only_with_force_or_by_the_run_that_began_it() -> None:
    pytest.importorskip("jinja2")
    Path("page.html").write_text("mine")
    Path("bad.csv").write_text("mine")
    for more in (["--html", "page.html"], ["--errors", "bad.csv"]):
        for resume in ([], ["--resume"]):
            ran = run("-", "-o", "o.csv", *more, *resume, rows=HANDS)
            assert ran.exit_code == ExitCode.USAGE
            assert "expected no such file yet, or --force to replace it" in ran.stderr
    assert Path("page.html").read_text() == Path("bad.csv").read_text() == "mine"


def test_ctrl_c_while_clearing_up_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    remove, calls = Parts.remove, []

    def interrupted(self: Parts) -> None:
        calls.append(self)
        if len(calls) == 1:
            raise KeyboardInterrupt
        remove(self)

    monkeypatch.setattr(Parts, "remove", interrupted)
    assert run("-", "-o", "o.csv", rows=HANDS).exit_code == ExitCode.OK
    assert names() == ["o.csv"]


@posix
def test_a_file_that_is_replaced_keeps_its_leave() -> None:
    Path("o.csv").write_text("old")
    os.chmod("o.csv", 0o600)
    assert run("-", "-o", "o.csv", "--force", rows=HANDS).exit_code == ExitCode.OK
    assert stat.S_IMODE(os.stat("o.csv").st_mode) == 0o600


@posix
def test_a_folder_of_parts_elsewhere_is_refused_at_once() -> None:
    Path("elsewhere").mkdir()
    Path("o.csv.parts").symlink_to("elsewhere")
    ran = run("-", "-o", "o.csv", rows=HANDS)
    assert ran.exit_code == ExitCode.USAGE
    assert "o.csv.parts: expected a folder, found a link" in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
@pytest.mark.parametrize("form", ["csv", "jsonl", "table"])
def test_a_file_name_that_is_no_text(form: str) -> None:
    name = os.fsdecode(b"h\xff.txt")
    Path(name).write_text(f"{HANDS[0]}\n{BAD}\n")
    ran = run(name, "-o", f"o.{form}", "-f", form, "--columns", "file,bid")
    assert ran.exit_code == ExitCode.BAD_LINES
    text = Path(f"o.{form}").read_text(encoding="utf-8")
    assert "h\\udcff.txt" in (json.loads(text.split("\n")[0])["file"] if form == "jsonl" else text)


def test_parquet_that_is_cut_short_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    noise: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", noise.append)
    ran = run("-", "-o", "o.parquet", "--strict", rows=[HANDS[0], BAD])
    assert ran.exit_code == ExitCode.USAGE
    del ran
    assert noise == []


def test_a_page_adds_nothing_to_the_rows() -> None:
    pytest.importorskip("jinja2")
    plain = run("-", "-f", "jsonl", rows=HANDS)
    paged = run("-", "-f", "jsonl", "--html", "page.html", rows=HANDS)
    assert paged.stdout == plain.stdout
    assert run("-", "-o", "o.csv", "--html", "two.html", rows=HANDS).stdout == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_page_without_room_keeps_what_was_found() -> None:
    pytest.importorskip("jinja2")
    Path("hands.txt").write_text("\n".join(HANDS))
    args = ["hands.txt", "-o", "o.csv", "--html"]
    ran = run(*args, "/dev/full")
    assert ran.exit_code == ExitCode.FAILURE
    assert "/dev/full: No space left on device; what was found is kept, --resume" in ran.stderr
    assert names() == ["hands.txt", "o.csv.parts"]
    assert run(*args, "page.html", "--resume").exit_code == ExitCode.OK
    assert names() == ["hands.txt", "o.csv", "page.html"]


@posix
@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs open files with names")
@pytest.mark.parametrize("option", ["--errors", "--html"])
def test_a_pipe_of_the_shell_is_written_to(option: str) -> None:
    if option == "--html":
        pytest.importorskip("jinja2")
    source, sink = os.pipe()
    read: list[bytes] = []

    def drain() -> None:
        with os.fdopen(source, "rb") as file:
            read.append(file.read())

    reader = threading.Thread(target=drain)
    reader.start()
    ran = run("-", "-o", "o.csv", option, f"/dev/fd/{sink}", rows=[*HANDS, BAD])
    os.close(sink)
    reader.join()
    assert ran.exit_code == ExitCode.BAD_LINES
    assert (b"hand has 4 cards" if option == "--errors" else b"</html>") in read[0]


@posix
def test_a_pipe_whose_reader_leaves_is_named() -> None:
    os.mkfifo("pipe.csv")
    reader = threading.Thread(target=lambda: Path("pipe.csv").open("rb").close())
    reader.start()
    ran = run("-", "-o", "o.csv", "--errors", "pipe.csv", rows=[BAD] * 4000)
    reader.join()
    assert ran.exit_code == ExitCode.FAILURE
    assert ran.stderr.splitlines() == [
        "Error: pipe.csv: Broken pipe; what was found is kept, --resume goes on"
    ]


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (["-o", "o.csv", "--errors", "no/bad.csv"], "no/bad.csv"),
        (["-o", "no/o.csv"], "no/o.csv"),
        (["-o", "o" * 252 + ".csv"], "o" * 252 + ".csv"),
    ],
)
def test_a_file_that_cannot_be_begun_is_named_as_it_was_given(args: list[str], name: str) -> None:
    ran = run("-", *args, rows=HANDS)
    assert ran.exit_code == ExitCode.FAILURE
    assert ran.stderr.startswith(f"Error: {name}: ")
    assert "--resume" not in ran.stderr
    assert names() == []


def test_a_strict_run_says_that_it_can_be_gone_on_with() -> None:
    ran = run("-", "-o", "o.csv", "--strict", rows=[*HANDS, BAD])
    assert ran.exit_code == ExitCode.USAGE
    assert ran.stderr.rstrip().endswith("what was found is kept, --resume goes on")
    ran = run("-", "--strict", rows=[*HANDS, BAD])
    assert "--resume" not in ran.stderr
