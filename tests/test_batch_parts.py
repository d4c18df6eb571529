"""What an unfinished run keeps: whole or absent, and only for the same question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_batch import made_up

from advisor.batch.locks import PartsError, hold
from advisor.batch.parts import Parts, difference
from advisor.batch.questions import Asked
from advisor.batch.rows import Row
from advisor.batch.run import block_rows

ASKED = {"version": "1", "kernels": "k", "inputs": [], "asked": {"seed": 0}}
ROWS = [Row("f", line, None, f"hand {line}") for line in range(1, 8)]


def begin(tmp_path: Path, *, resume: bool = False, force: bool = False, **changes: Any) -> Parts:
    return Parts(tmp_path / "out.csv", {**ASKED, **changes}, 3, resume, force)


def fill(parts: Parts, rows: list[Row], last: bool = True) -> list[Any]:
    """Answer what is not known by the row's line; return what was."""
    known = []
    for index, row in enumerate(rows):
        found = parts.known(index, row)
        known.append(found)
        parts.keep(index, found or made_up(meld=row.line))
    if last:
        parts.keep_last()
    return known


def test_answers_are_kept_by_whole_blocks_and_the_last_part(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    assert fill(parts, ROWS[:5]) == [None] * 5
    parts.close()
    parts = begin(tmp_path, resume=True)
    expected = [made_up(meld=line) for line in range(1, 6)]
    assert fill(parts, ROWS) == [*expected, None, None]
    assert parts.resumed == 5
    parts.close()
    parts = begin(tmp_path, resume=True)
    assert fill(parts, ROWS) == [made_up(meld=line) for line in range(1, 8)]
    parts.close()


def test_errors_are_kept_and_lost_blocks_are_not(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    for index, found in enumerate(["wrong", made_up(), "bad", None, made_up(), made_up()]):
        assert parts.known(index, ROWS[index]) is None
        parts.keep(index, found)
    parts.close()
    parts = begin(tmp_path, resume=True)
    assert [parts.known(i, ROWS[i]) for i in range(6)] == ["wrong", made_up(), "bad"] + [None] * 3
    parts.close()


@pytest.mark.parametrize("damage", ["", "{}", "nonsense", "cut", "other"])
def test_a_damaged_block_is_answered_anew(tmp_path: Path, damage: str) -> None:
    parts = begin(tmp_path)
    fill(parts, ROWS[:6])
    path = parts.folder / "block-000001.jsonl"
    text = path.read_text()
    if damage == "cut":
        damage = text[:-20]
    elif damage == "other":
        damage = text.replace('"raise"', '"jumps"')
    path.write_text(damage)
    parts.close()
    parts = begin(tmp_path, resume=True)
    assert fill(parts, ROWS[:6])[3:] == [None] * 3
    parts.close()
    assert path.read_text() == text


def test_other_rows_are_refused(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    fill(parts, ROWS[:3])
    parts.close()
    other = [*ROWS[:2], Row("f", 3, None, "another hand")]
    parts = begin(tmp_path, resume=True)
    with pytest.raises(PartsError, match="the rows up to f:3 are not those"):
        fill(parts, other)
    parts.close()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": "2"}, "it was begun with version '1', not '2'"),
        ({"kernels": "x"}, "other kernels, Python or numba"),
        ({"asked": {"seed": 5}}, "it was begun with seed 0, not 5"),
        ({"inputs": [{"name": "a", "sha256": "1"}]}, "it was begun with"),
    ],
)
def test_another_question_is_refused_with_the_reason(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    begin(tmp_path).close()
    with pytest.raises(PartsError, match=message):
        begin(tmp_path, resume=True, **changes)
    # What was kept is still there, and held by nobody.
    begin(tmp_path, resume=True).close()


def test_a_changed_input_is_named() -> None:
    old = {"inputs": [{"name": "a", "sha256": "1"}, {"name": "b", "sha256": "2"}]}
    new = {"inputs": [{"name": "a", "sha256": "1"}, {"name": "b", "sha256": "3"}]}
    assert difference(old, new) == "b has changed since it was begun"


def test_unfinished_work_is_not_dropped_by_chance(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    fill(parts, ROWS)
    parts.close()
    with pytest.raises(PartsError, match="--resume to go on with it, or --force to begin anew"):
        begin(tmp_path)
    parts = begin(tmp_path, force=True)
    assert parts.known(0, ROWS[0]) is None
    parts.close()


def test_a_damaged_manifest_is_no_manifest(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    (parts.folder / "manifest.json").write_text("[")
    parts.close()
    with pytest.raises(PartsError, match="expected the manifest of a run"):
        begin(tmp_path, resume=True)
    begin(tmp_path, force=True).close()


def test_one_run_at_a_time(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    for options in ({}, {"resume": True}, {"force": True}):
        with pytest.raises(PartsError, match=r"another run writes it \(process [0-9]+\)"):
            begin(tmp_path, **options)  # type: ignore[arg-type]
    fill(parts, ROWS)
    parts.close()
    begin(tmp_path, resume=True).close()


def test_a_lock_of_a_removed_folder_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("77\n")
    held = hold(path, "taken")
    assert path.read_text() != "77\n"
    path.unlink()
    again = hold(path, "taken")
    held.close()
    again.close()


def test_an_output_that_appeared_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    fill(parts, ROWS)
    parts.close()
    (tmp_path / "out.csv").write_text("somebody's")
    with pytest.raises(PartsError, match="expected no such file yet"):
        begin(tmp_path, resume=True)
    assert (tmp_path / "out.csv").read_text() == "somebody's"


def test_a_run_killed_after_the_last_rename_is_finished_by_the_next(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    fill(parts, ROWS)
    (parts.folder / "replacing").touch()
    (tmp_path / "out.csv").write_text("ours")
    parts.close()
    parts = begin(tmp_path, resume=True)
    assert None not in fill(parts, ROWS)
    with parts.open_output() as file:
        file.write(b"ours")
    parts.finish()
    parts.close()
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("resume", [False, True])
def test_what_a_run_killed_while_it_cleared_up_leaves_is_cleared(
    tmp_path: Path, resume: bool
) -> None:
    """Its answers are to a question that nobody knows any more."""
    parts = begin(tmp_path)
    fill(parts, ROWS)
    (parts.folder / "manifest.json").unlink()
    parts.close()
    (parts.folder / "lock").unlink()
    parts = begin(tmp_path, resume=resume, asked={"seed": 1})
    assert fill(parts, ROWS) == [None] * len(ROWS)
    (parts.folder / "manifest.json").unlink()
    parts.close()
    # Both may be gone.
    (parts.folder / "lock").unlink()
    (tmp_path / "out.csv").write_text("whole")
    said = "nothing to go on with: it is there" if resume else "expected no such file yet"
    for _ in range(2):
        with pytest.raises(PartsError, match=said):
            begin(tmp_path, resume=resume)
        assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_the_manifest_is_readable(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    found = json.loads((parts.folder / "manifest.json").read_text())
    assert found == {"format": 1, "block": 3, **ASKED, "replaces": False}
    parts.close()


def test_blocks_take_some_seconds() -> None:
    assert block_rows(Asked.of(engine="policy", samples=128)) == 256
    assert block_rows(Asked.of(samples=1_000_000)) == 1
    assert block_rows(Asked.of(engine="exact")) == 1


def test_files_of_others_in_the_folder_stay(tmp_path: Path) -> None:
    folder = tmp_path / "out.csv.parts"
    folder.mkdir()
    (folder / "mine").write_text("mine")
    parts = begin(tmp_path)
    fill(parts, ROWS)
    parts.close()
    parts = begin(tmp_path, force=True)
    assert fill(parts, ROWS) == [None] * 7
    parts.open_output().close()
    parts.finish()
    parts.close()
    assert (tmp_path / "out.csv").exists()
    assert [path.name for path in folder.iterdir()] == ["mine"]


def test_a_row_that_was_interrupted_spoils_no_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = begin(tmp_path)
    for index in range(4):
        parts.known(index, ROWS[index])
    fill_to = [made_up(meld=line) for line in range(1, 5)]
    for index in range(2):
        parts.keep(index, fill_to[index])

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    # In the middle of the block's file, and after the first row of the next block.
    with monkeypatch.context() as patch:
        patch.setattr(parts, "put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            parts.keep(2, fill_to[2])
    parts.keep(3, fill_to[3])
    parts.keep_last()
    parts.close()
    parts = begin(tmp_path, resume=True)
    assert fill(parts, ROWS) == [None, None, None, fill_to[3], None, None, None]
    parts.close()


def test_a_part_of_a_block_replaces_no_larger_one(tmp_path: Path) -> None:
    parts = begin(tmp_path)
    fill(parts, ROWS[:6])
    parts.close()
    parts = begin(tmp_path, resume=True)
    fill(parts, ROWS[:4])
    parts.close()
    parts = begin(tmp_path, resume=True)
    assert None not in fill(parts, ROWS[:6])
    parts.close()
