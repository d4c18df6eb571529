"""The command line as a process: what is imported, pipes, full disks and Ctrl-C."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from advisor.errors import ExitCode

ROOT = Path(__file__).parent.parent
HAND = "AATKQJ.AK.QJ.T9"
# A shell that starts the tests in the background has Ctrl-C ignored, which children inherit.
FELT = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
IGNORED = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
MAIN = "from advisor.cli import main; main()"
HEAVY = ("numpy", "numba", "rich", "pydantic")
LOADED = f"""
import sys
from advisor.cli import main
try:
    main()
finally:
    print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


def spawn(
    *args: str, code: str = MAIN, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
LIGHT = [
    ["--help"],
    ["bid", "--help"],
    ["--version"],
    ["meld", HAND],
    ["meld", HAND, "--json"],
    ["rules", "list"],
    ["rules", "show", "pagat"],
    ["conventions", "list"],
    ["conventions", "show", "dailey", "--format", "table"],
    ["conventions", "show", "meld-jump:120", "--format", "json"],
    ["conventions", "show", "nobody"],
    ["bid", "AATKQJ"],
    ["pass", "--help"],
    ["batch", "--help"],
    ["batch", "no-such-file.txt"],
    ["batch", "-", "--samples", "0"],
    ["batch", "-", "-f", "cvs"],
    ["batch", "-"],
    ["league", "--help"],
    ["league", "--rules-of-bidding", "advsor,b1"],
    ["league", "--deals", "none"],
    ["return", "--help"],
    ["pass", HAND],
    ["pass", HAND, "--trump", "S", "--set", "pass=0"],
    ["return", HAND, "--trump", "S"],
    ["bid", HAND, "--samples", "0"],
    ["bid", HAND, "--trump", "X"],
    ["bid", HAND, "--rules", "nobody"],
    ["bid", "--sampels", "3"],
    ["bid", HAND, "--html", "no/such/folder/page.html"],
    ["jumps", "--html", "-"],
    ["league", "--format", "htm"],
    ["jumps", "--help"],
    ["jumps", "--on", "melt"],
    ["jumps", "--opponents", "daily"],
    ["jumps", HAND, "--auction", "999"],
    ["interactive", "--help"],
    ["interactive", "--seed", "x"],
    ["config", "--help"],
    ["config", "show"],
    ["config", "path"],
    ["nonsense"],
]


@pytest.mark.parametrize("args", LIGHT, ids=" ".join)
def test_nothing_heavy_is_imported(args: list[str]) -> None:
    result = spawn(*args, code=LOADED)
    assert result.stderr.decode().splitlines()[-1] == "[]"


def test_closed_pipe_has_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, "rules", "show", "pagat"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == ExitCode.FAILURE
    assert said == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [sys.executable, "-c", MAIN, "meld", HAND],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert result.returncode == ExitCode.FAILURE
    assert result.stderr == b"Error: No space left on device\n"


def test_output_that_cannot_be_encoded_is_escaped() -> None:
    args = ["meld", HAND, "--set", "jump_meaning=aces ♥"]
    result = spawn(*args, PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert b"aces \\u2665" in result.stdout
    assert b"S AATKQJ" in result.stdout


ANNOUNCED = """
import importlib, sys, time
module = importlib.import_module("advisor.advise")
play_sets = module.play_sets
def announced(*args, **options):
    module.play_sets = play_sets
    print("started", file=sys.stderr, flush=True)
    time.sleep(0.5)
    return play_sets(*args, **options)
module.play_sets = announced
from advisor.cli import main
main()
"""


def interrupt(code: str, *args: str, after: float) -> tuple[int, bytes, bytes, float]:
    """Send Ctrl-C some time after a process has said that it started."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *args],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    while b"started" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err, time.monotonic() - sent


@POSIX
@pytest.mark.parametrize("after", [0.1, 0.8], ids=["waiting", "dealing"])
def test_ctrl_c_is_felt_at_once(after: float) -> None:
    args = ["bid", HAND, "--samples", "1000000", "--quiet"]
    code, out, err, seconds = interrupt(FELT + ANNOUNCED, *args, after=after)
    assert code == ExitCode.INTERRUPTED
    assert out == b""
    assert err == b"Interrupted.\n"
    assert seconds < 1.0


@POSIX
def test_an_ignored_ctrl_c_stays_ignored() -> None:
    args = ["bid", HAND, "--samples", "8", "--quiet"]
    code, out, err, _ = interrupt(IGNORED + ANNOUNCED, *args, after=0.1)
    assert (code, err) == (0, b"")
    assert b"(8 deals)" in out


SLOW_IMPORT = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "advisor.cli":
            print("started", file=sys.stderr, flush=True)
            time.sleep(30)
sys.meta_path.insert(0, Slow())
"""
START = "from advisor.__main__ import main; main()"
START_MODULE = "import runpy; runpy.run_module('advisor', run_name='__main__')"


@POSIX
@pytest.mark.parametrize("start", [START, START_MODULE], ids=["advisor", "python -m advisor"])
def test_ctrl_c_while_importing_has_no_traceback(start: str) -> None:
    code, out, err, seconds = interrupt(FELT + SLOW_IMPORT + start, "meld", HAND, after=0.05)
    assert (code, out, err) == (ExitCode.INTERRUPTED, b"", b"Interrupted.\n")
    assert seconds < 1.0


def test_every_door_leads_to_the_same_program() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = scripts["scripts"]["advisor"].partition(":")
    door = f"from {module} import {name}; {name}()"
    first = spawn("meld", HAND)
    assert first.returncode == 0
    for code in (door, START_MODULE, "from advisor.cli import app; app()"):
        assert spawn("meld", HAND, code=code).stdout == first.stdout


def test_the_first_door_is_light() -> None:
    code = "import sys, advisor.__main__; print('typer' in sys.modules)"
    assert spawn(code=code).stdout == b"False\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs an endless file")
def test_an_endless_pipe_is_not_read_to_its_end() -> None:
    with Path("/dev/zero").open("rb") as endless:
        result = subprocess.run(
            [sys.executable, "-c", MAIN, "bid"],
            cwd=ROOT,
            stdin=endless,
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert result.returncode == ExitCode.USAGE
    assert result.stderr.startswith(b"Error: stdin: expected one hand")


@POSIX
def test_ctrl_c_at_the_question_ends_its_line() -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", FELT + START, "meld"],
        cwd=ROOT,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    assert process.stderr is not None
    assert process.stderr.read(4) == b"Your"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == ExitCode.INTERRUPTED
    assert out == b""
    assert err == b" 12 cards (spades.hearts.diamonds.clubs): \nInterrupted.\n"


@POSIX
@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("rules list", ">&-", 0),
        (f"meld {HAND}", ">&-", 0),
        (f"meld {HAND}", "2>&-", 0),
        ("meld nonsense", "2>&-", 2),
    ],
)
def test_a_closed_stream_changes_no_exit_code(arguments: str, closed: str, code: int) -> None:
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -m advisor {arguments} {closed}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr
