"""``--html FILE``, ``--format html``, ``--plot``: what is written where, and what is refused."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from advisor import wholefile
from advisor.advice import BidAdvice
from advisor.cli import advice as commands
from advisor.cli import app
from advisor.errors import ExitCode
from advisor.wholefile import replace_file

pytest.importorskip("jinja2")

HAND = "AATKQJ.AK.QJ.T9"
RUNNER = CliRunner()


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch, clear_advice: BidAdvice) -> list[str]:
    """Answer every question with advice made by hand; return how often one was asked."""
    asked: list[str] = []

    def answer(*_: object) -> BidAdvice:
        asked.append("bid")
        return clear_advice

    monkeypatch.setattr(commands, "_compute", answer)
    return asked


def run(*words: str) -> Result:
    return RUNNER.invoke(app, list(words))


def stored(text: str) -> dict[str, object]:
    start = text.index('<script type="application/json" id="advice">')
    inside = text[start:].partition(">")[2].partition("</script>")[0]
    value: dict[str, object] = json.loads(inside)
    return value


def test_a_page_is_written_beside_the_screen(made_up: list[str], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    plain = run("bid", HAND)
    done = run("bid", HAND, "--html", str(path))
    assert done.exit_code == 0
    assert done.stdout == plain.stdout
    assert done.stderr == f"Wrote {path}\n"
    assert [item.name for item in tmp_path.iterdir()] == ["page.html"]
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert stored(text)["reproduce"] == 'advisor bid "AATKQJ.AK.QJ.T9" --seed 7'
    assert "explanation" in stored(text)


def test_the_format_html_prints_the_same_page(made_up: list[str], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = run("bid", HAND, "--format", "html", "--html", str(path), "-q")
    assert done.stderr == ""
    assert done.stdout == path.read_text(encoding="utf-8")
    assert run("bid", HAND, "-f", "HTML", "--plot", "--ascii", "-v").stdout == done.stdout


@pytest.mark.parametrize("flags", [["--json"], ["--format", "csv"], ["--explain", "--plot"]])
def test_a_page_goes_with_any_format(made_up: list[str], tmp_path: Path, flags: list[str]) -> None:
    path = tmp_path / "page.html"
    done = run("bid", HAND, "--html", str(path), *flags)
    assert done.exit_code == 0
    assert done.stdout == run("bid", HAND, *flags).stdout
    assert path.read_text(encoding="utf-8") == run("bid", HAND, "--format", "html").stdout


def test_the_plot_is_in_the_command_that_prints_it_again(made_up: list[str]) -> None:
    done = run("bid", HAND, "--plot")
    assert "Chance to make each bid with" in done.stdout
    assert done.stdout.endswith("--seed 7 --plot\n")


BAD: list[tuple[Callable[[Path], Path], str]] = [
    (lambda here: here / "none" / "page.html", "No such file or directory"),
    (lambda here: here, "Is a directory"),
    (lambda here: here / "file" / "page.html", "Not a directory"),
]


@pytest.mark.parametrize(("place", "why"), BAD, ids=[why for _, why in BAD])
@pytest.mark.parametrize("command", [["bid", HAND], ["jumps"], ["jumps", HAND], ["league"]])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_computed(
    made_up: list[str],
    tmp_path: Path,
    place: Callable[[Path], Path],
    why: str,
    command: list[str],
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    path = place(tmp_path)
    done = run(*command, "--html", str(path))
    assert done.exit_code == ExitCode.FAILURE
    assert done.stderr == f"Error: {path}: {why}\n"
    assert done.stdout == ""
    assert made_up == []
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("text", ["", " ", "-"])
def test_a_page_needs_the_name_of_a_file(made_up: list[str], text: str) -> None:
    done = run("bid", HAND, "--html", text)
    assert done.exit_code == ExitCode.USAGE
    assert done.stderr.startswith("Error: html: expected a file, found ")
    assert made_up == []


@pytest.mark.parametrize(
    "words",
    [["bid", HAND, "--format", "html"], ["jumps", "--html", "p.html"], ["league", "-f", "html"]],
    ids=" ".join,
)
def test_a_missing_template_engine_is_told_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch, made_up: list[str], words: list[str]
) -> None:
    monkeypatch.setattr("advisor.report.html.find_spec", lambda _: None)
    done = run(*words)
    assert done.exit_code == ExitCode.USAGE
    assert done.stderr == (
        "Error: html: expected the package jinja2, found none; "
        "pip install 'pinochle-advisor[report]' brings it\n"
    )
    assert made_up == []


def test_pages_of_jumps_and_of_the_league(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    words = ["jumps", "--thresholds", "60,100", "--deals", "60", "--html", str(path)]
    assert run(*words).exit_code == 0
    value = stored(path.read_text(encoding="utf-8"))
    assert value["deals"] == 60
    assert "matrix" in value
    assert str(value["reproduce"]).endswith("--deals 60 --seed 0 --matrix")
    words = ["jumps", HAND, "--deals", "20", "--format", "html"]
    assert stored(run(*words).stdout)["hand"] == HAND
    words = ["league", "--rules-of-bidding", "b1,b10", "--deals", "10", "--format", "html"]
    value = stored(run(*words).stdout)
    assert value["deals"] == 10
    assert "--json" not in str(value["reproduce"])


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    replace_file(path, "new\r\n♠")
    assert path.read_bytes() == "new\r\n♠".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    path, link = tmp_path / "page.html", tmp_path / "link.html"
    path.write_text("old", encoding="utf-8")
    link.symlink_to(path)
    replace_file(link, "new")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "new"


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="needs a device")
def test_a_device_is_written_to_and_not_replaced() -> None:
    replace_file("/dev/null", None)
    replace_file("/dev/null", "text")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_is_stopped_leaves_the_old_file_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException
) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")

    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", stop)
    assert wholefile.os.replace is stop
    with pytest.raises((KeyboardInterrupt, OSError)):
        replace_file(path, "new")
    assert [item.name for item in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text(encoding="utf-8") == "old"


def test_looking_whether_a_file_can_be_written_leaves_no_file(tmp_path: Path) -> None:
    replace_file(tmp_path / "page.html", None)
    assert list(tmp_path.iterdir()) == []
