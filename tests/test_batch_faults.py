"""Runs that are killed, interrupted, out of room or doubled: nothing is lost, nothing mixed up."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_batch import random_hands

from advisor.batch.parts import MANIFEST
from advisor.errors import ExitCode

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

ROOT = Path(__file__).parent.parent
# A shell that starts the tests in the background has Ctrl-C ignored, which children inherit.
START = """
import signal; signal.signal(signal.SIGINT, signal.default_int_handler)
import advisor.batch.run
advisor.batch.run._MOST_ROWS = 4
from advisor.__main__ import main
main()
"""
# After some blocks the disk is full, or the process ends without a word.
AT_BLOCK = """
import errno, os
import advisor.batch.parts as parts
save, once = parts.Parts._save, [{number}]
def saving(self, number):
    if number in once:
        once.clear()
        {act}
    save(self, number)
parts.Parts._save = saving
"""
DIE = "os.kill(os.getpid(), 9)"
QUICK = ["--engine", "policy", "--samples", "8", "-q", "-j", "2"]
ROWS = 40


def start(*args: str, code: str = START) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code, "batch", *args],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, err = process.communicate(timeout=120)
    return process.returncode, err.decode()


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hands") / "hands.csv"
    rows = [f"{i},{hand}" for i, hand in enumerate(random_hands(ROWS, seed=8))]
    rows[7] = "7,nonsense"
    rows[20] = rows[3]
    path.write_text("id,hand\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture(scope="module")
def undisturbed(hands: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("whole") / "out.csv.gz"
    assert finish(start(str(hands), "-o", str(out), *QUICK)) == (ExitCode.BAD_LINES, "")
    return out.read_bytes()


def test_killed_at_random_ten_times_and_gone_on_with(
    hands: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv.gz"
    args = [str(hands), "-o", str(out), *QUICK, "--resume"]
    began = time.monotonic()
    assert finish(start(*args, code=AT_BLOCK.format(number=1, act=DIE) + START))[0] == -9
    took = time.monotonic() - began
    chance = random.Random()
    kills = 1
    while kills < 10:
        # Some before the first row, some while rows are answered, some while files are written.
        process = start(*args)
        time.sleep(chance.uniform(0.5, 1.3) * took)
        process.kill()
        code, err = finish(process)
        kills += code == -9
        whole = out.exists() and not (out.with_name("out.csv.gz.parts") / MANIFEST).exists()
        if code == -9 and whole:
            # It had all but ended.
            assert out.read_bytes() == undisturbed
            code, err = finish(start(*args))
            assert code == ExitCode.USAGE
            assert "nothing to go on with" in err
            out.unlink()
        elif code != -9:
            assert (code, err, out.read_bytes()) == (ExitCode.BAD_LINES, "", undisturbed)
            out.unlink()
    if not out.exists():
        assert finish(start(*args)) == (ExitCode.BAD_LINES, "")
    assert out.read_bytes() == undisturbed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv.gz"]


def test_ctrl_c_leaves_what_was_found(hands: Path, undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out.csv.gz"
    act = "print('started', flush=True); __import__('time').sleep(20)"
    code = AT_BLOCK.format(number=4, act=act) + START
    args = [str(hands), "-o", str(out), *QUICK[:-3], "-j", "2"]
    process = start(*args, code=code)
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    returned, err = finish(process)
    assert time.monotonic() - sent < 2.0
    assert returned == ExitCode.INTERRUPTED
    assert "Traceback" not in err
    assert err.splitlines()[-2:] == [
        "19 rows are answered; with --resume the command goes on.",
        "Interrupted.",
    ]
    assert not out.exists()
    code, err = finish(start(*args))
    assert code == ExitCode.USAGE
    assert "an unfinished run is there" in err
    kept = [path.name for path in (tmp_path / "out.csv.gz.parts").glob("block-*")]
    assert len(kept) >= 4
    assert finish(start(*args, "-q", "--resume")) == (ExitCode.BAD_LINES, "")
    assert out.read_bytes() == undisturbed


def test_a_changed_input_is_refused(hands: Path, tmp_path: Path) -> None:
    mine, out = tmp_path / "mine.csv", tmp_path / "out.csv"
    shutil.copy(hands, mine)
    code = AT_BLOCK.format(number=2, act=DIE) + START
    assert finish(start(str(mine), "-o", str(out), *QUICK, code=code))[0] == -9
    args = [str(mine), "-o", str(out), *QUICK, "--resume"]
    code, err = finish(start(*args, "--seed", "1"))
    assert (code, "it was begun with seed 0, not 1" in err) == (ExitCode.USAGE, True)
    code, err = finish(start(*args, "--set", "pass=3"))
    assert (code, "it was begun with pass 4, not 3" in err) == (ExitCode.USAGE, True)
    mine.write_text(mine.read_text() + "x,AATKQJ.AK.QJ.T9\n")
    code, err = finish(start(*args))
    assert (code, "mine.csv has changed since it was begun" in err) == (ExitCode.USAGE, True)
    assert not out.exists()


def test_a_second_run_on_one_output_is_refused(
    hands: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv.gz"
    go = tmp_path / "go"
    wait = f"any(time.sleep(0.05) for _ in iter(lambda: os.path.exists({str(go)!r}), True))"
    act = f"import time; print('started', flush=True); {wait}"
    bad = tmp_path / "bad.csv"
    args = [str(hands), "-o", str(out), "--errors", str(bad), *QUICK]
    first = start(*args, code=AT_BLOCK.format(number=2, act=act) + START)
    assert first.stdout is not None
    assert first.stdout.readline() == b"started\n"
    for more in ([], ["--resume"], ["--force"]):
        code, err = finish(start(*args, *more))
        assert code == ExitCode.USAGE
        assert f"another run writes it (process {first.pid})" in err
    go.touch()
    assert finish(first) == (ExitCode.BAD_LINES, "")
    assert out.read_bytes() == undisturbed
    assert "nonsense" in bad.read_text()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 96 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs leave to mount a disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=False, capture_output=True)


def test_a_full_disk_is_told_and_gone_on_from(
    hands: Path, undisturbed: bytes, small_disk: Path
) -> None:
    ballast, out = small_disk / "ballast", small_disk / "out.csv.gz"
    ballast.write_bytes(b"x" * 64_000)
    code, err = finish(start(str(hands), "-o", str(out), *QUICK))
    assert code == ExitCode.FAILURE
    assert err.count("\n") == 1
    assert "No space left on device; what was found is kept, --resume goes on" in err
    assert not out.exists()
    assert not list((small_disk / "out.csv.gz.parts").glob("block-*.new"))
    ballast.unlink()
    assert finish(start(str(hands), "-o", str(out), *QUICK, "--resume")) == (
        ExitCode.BAD_LINES,
        "",
    )
    assert out.read_bytes() == undisturbed


@pytest.mark.parametrize(("room", "name"), [(0, "lock"), (4096, "manifest.json")])
def test_a_disk_without_room_to_begin(hands: Path, small_disk: Path, room: int, name: str) -> None:
    ballast, out = small_disk / "ballast", small_disk / "out.csv"
    ballast.write_bytes(b"x" * (96 * 1024 - room))
    code, err = finish(start(str(hands), "-o", str(out), *QUICK))
    assert (code, err) == (
        ExitCode.FAILURE,
        f"Error: {out}.parts/{name}: No space left on device\n",
    )
    assert list(small_disk.iterdir()) == [ballast]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_device_that_is_full(hands: Path) -> None:
    code, err = finish(start(str(hands), "-o", "/dev/full", *QUICK))
    assert (code, err) == (
        ExitCode.FAILURE,
        "Error: /dev/full: No space left on device\n",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_summary_that_cannot_be_printed_is_no_harm_to_the_rows(
    hands: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv.gz"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", START, "batch", str(hands), "-o", str(out), "--summary", *QUICK],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        ExitCode.FAILURE,
        b"Error: No space left on device\n",
    )
    assert out.read_bytes() == undisturbed
    assert list(tmp_path.iterdir()) == [out]


def test_nothing_is_left_where_nothing_could_begin(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    code, err = finish(start(str(tmp_path / "none.txt"), "-o", str(out), *QUICK))
    assert (code, err.count("\n")) == (ExitCode.USAGE, 1)
    assert list(tmp_path.iterdir()) == []


def test_the_reader_may_leave(hands: Path) -> None:
    process = start(str(hands), *QUICK)
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"file,line")
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), said) == (ExitCode.FAILURE, b"")
