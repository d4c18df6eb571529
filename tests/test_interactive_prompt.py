"""The prompt at a real pseudo-terminal, with prompt_toolkit and with the standard readline."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.cli.prompt import MAX_HISTORY, ReadlineLines, _earlier, open_lines
from advisor.terminal import Terminal

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

ROOT = Path(__file__).parent.parent
HAND = "AATKQJ.AK.QJ.T9"
# Tests in the background of a shell have Ctrl-C ignored, which children inherit.
FELT = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
START = "from advisor.__main__ import main; main()"
WITHOUT = "sys.modules['prompt_toolkit'] = None\n"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")
# The marks with which a prompt begins: bracketed paste is switched on.
READY = {"toolkit": "\x1b[?2004h", "readline": "advisor> "}


class Talk:
    """A process at a terminal, and what it has said."""

    def __init__(self, kind: str, home: Path, *args: str, code: str = "", **more: str) -> None:
        self.kind = kind
        code = FELT + (WITHOUT if kind == "readline" else "") + code + START
        kept = {k: v for k, v in os.environ.items() if k in ("NUMBA_CACHE_DIR", "PATH", "LANG")}
        self.process: Any = pexpect.spawn(
            sys.executable,
            ["-c", code, *args],
            cwd=home,
            env={
                **kept,
                "PYTHONPATH": str(ROOT),
                "HOME": str(home),
                "TERM": "xterm",
                "PYTHONIOENCODING": "utf-8",
                # A real terminal answers where the cursor is; this one does not.
                "PROMPT_TOOLKIT_NO_CPR": "1",
                "INPUTRC": os.devnull,
                **more,
            },
            encoding="utf-8",
            dimensions=(40, 80),
            timeout=120,
        )

    def until_ready(self) -> str:
        """Return what is said up to the next prompt."""
        self.process.expect_exact(READY[self.kind])
        said = str(self.process.before)
        # The rest of the prompt, and the switch to reading keys.
        time.sleep(0.3)
        return CONTROL.sub("", said)

    def ask(self, line: str) -> str:
        """Type a line at the prompt, and return what is said until the next one."""
        self.process.send(f"{line}\r")
        if self.kind == "readline":
            self.process.expect_exact("\n")
        return self.until_ready()

    def leave(self, keys: str) -> int:
        self.process.send(keys)
        self.process.expect(pexpect.EOF)
        self.process.close()
        return int(self.process.exitstatus)


@pytest.fixture(params=["toolkit", "readline"])
def kind(request: pytest.FixtureRequest) -> str:
    if request.param == "toolkit":
        pytest.importorskip("prompt_toolkit")
    return str(request.param)


@pytest.fixture
def talk(kind: str, tmp_path: Path) -> Iterator[Talk]:
    started = Talk(kind, tmp_path, "interactive", "--samples", "300")
    yield started
    started.process.close(force=True)


def test_a_hand_and_what_follows(talk: Talk) -> None:
    greeting = talk.until_ready()
    assert "Type a hand" in greeting
    assert max(map(len, greeting.splitlines())) <= 80
    answer = talk.ask(HAND)
    assert "Hand   ♠ AATKQJ  ♥ AK  ♦ QJ  ♣ T9" in answer
    assert f'reproduce: advisor bid "{HAND}" --samples 300 --seed 0' in answer
    assert "Why ♠" in talk.ask("why")
    assert "Error: trump 'x' is not a suit" in talk.ask("trump x")
    assert "with pass=3" in talk.ask("set pass=3")
    assert "Send " in talk.ask("pass h")
    assert "none yet" not in talk.ask("show")
    assert talk.leave("quit\r") == 0


def test_pasted_lines_are_answered_one_by_one(talk: Talk) -> None:
    talk.until_ready()
    # As a terminal marks what was pasted.
    talk.process.send("\x1b[200~trump h\nscore 10 20\ntrunp\nset pass=3\x1b[201~\r")
    talk.process.expect_exact("did you mean trump?")
    assert "Rules   cardgames with pass=3" in talk.until_ready()
    shown = talk.ask("show")
    assert "Deal    trump ♥" in shown
    assert "Score   10 to 20" in shown
    assert talk.leave("\x04") == 0


def test_ctrl_z_suspends(kind: str, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs a shell with job control")
    talk = Talk(kind, tmp_path, "interactive")
    talk.process.close(force=True)
    words = [talk.process.command, *talk.process.args[1:]]
    shell = pexpect.spawn(
        os.fsdecode(bash), ["--norc", "-i"], env=talk.process.env, cwd=tmp_path, encoding="utf-8"
    )
    try:
        shell.sendline(shlex.join(map(os.fsdecode, words)))
        shell.expect_exact(READY[kind], timeout=60)
        time.sleep(1)
        shell.send("\x1a")
        shell.expect_exact("Stopped", timeout=20)
        shell.sendline("kill %1; fg")
        shell.sendline("exit")
        shell.expect(pexpect.EOF, timeout=20)
    finally:
        shell.close(force=True)


def test_tab_completes(talk: Talk) -> None:
    talk.until_ready()
    talk.process.send("conv\t")
    talk.process.expect_exact("ention")
    # readline puts a space after a whole word.
    talk.process.send("aces-j\t" if talk.kind == "readline" else " aces-j\t")
    talk.process.expect_exact("ump")
    assert "Jumps   convention aces-jump" in talk.ask("")
    assert talk.leave("\x04") == 0


def test_history_is_kept(talk: Talk, tmp_path: Path) -> None:
    talk.until_ready()
    talk.ask("score 10 20")
    talk.ask("score none")
    talk.process.send("\x1b[A\x1b[A")
    time.sleep(0.3)
    assert "Score   10 to 20" in talk.ask("")
    assert talk.leave("\x04") == 0
    history = tmp_path / ".local" / "state" / "pinochle-advisor" / "history"
    # The same file serves both prompts.
    lines = history.read_text(encoding="utf-8").splitlines()
    assert lines == ["score 10 20", "score none", "score 10 20"]
    assert history.stat().st_mode & 0o777 == 0o600
    assert history.parent.stat().st_mode & 0o077 == 0


def test_an_old_history_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_text("".join(f"{n}\n" for n in range(3 * MAX_HISTORY)), encoding="utf-8")
    assert _earlier(path)[-1] == str(3 * MAX_HISTORY - 1)
    assert len(path.read_text(encoding="utf-8").splitlines()) == MAX_HISTORY
    assert _earlier(tmp_path / "none") == []


def test_ctrl_c_stops_the_answer_and_ctrl_d_leaves(talk: Talk) -> None:
    talk.until_ready()
    talk.ask(HAND)
    talk.process.send("samples 1000000\r")
    talk.process.expect_exact("Still dealing; Ctrl-C stops.")
    talk.process.send("\x03")
    sent = time.monotonic()
    assert "Stopped; nothing has changed." in talk.until_ready()
    # At once; but other processes may want the processor too.
    assert time.monotonic() - sent < 5
    assert "samples 300" in talk.ask("show")
    # A line that was begun is dropped, and nothing else.
    talk.process.send("trump")
    time.sleep(0.3)
    talk.process.send("\x03")
    talk.until_ready()
    # What was stopped does not spoil what comes after.
    assert "--trump H" in talk.ask("trump h")
    assert talk.leave("\x04") == 0


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it(talk: Talk, signal_number: int) -> None:
    if signal.getsignal(signal_number) == signal.SIG_IGN:
        pytest.skip("ignored here, and so by what is started")
    talk.until_ready()
    talk.process.kill(signal_number)
    talk.process.expect(pexpect.EOF)
    talk.process.close()
    assert talk.process.signalstatus == signal_number or talk.process.exitstatus


def test_bid_without_a_hand_talks_too(kind: str, tmp_path: Path) -> None:
    (tmp_path / "pinochle.toml").write_text("rules = 'pagat'\nsamples = 200\n")
    talk = Talk(kind, tmp_path, "bid", "--trump", "h")
    try:
        talk.until_ready()
        answer = talk.ask(HAND)
        assert "Rules  pagat" in answer
        assert "--rules pagat --trump H --samples 200 --seed 0 --config none" in answer
        assert talk.leave("\x04") == 0
    finally:
        talk.process.close(force=True)


# A simulation that is never ready stands for one that compiles for a minute.
NEVER = """
import importlib, threading
talk = importlib.import_module("advisor.cli.interactive")
def run(self):
    self.compiling = "Compiling, once for this machine."
    threading.Event().wait()
talk.WarmUp._run = run
"""


def test_waiting_for_the_compiler_is_told_and_can_be_stopped(kind: str, tmp_path: Path) -> None:
    talk = Talk(kind, tmp_path, "interactive", code=NEVER)
    try:
        talk.until_ready()
        talk.process.send(f"{HAND}\r")
        talk.process.expect_exact("once for this machine")
        time.sleep(0.5)
        talk.process.send("\x03")
        assert "Stopped; nothing has changed." in talk.until_ready()
        assert "none yet" in talk.ask("show")
        # What needs no simulation is answered meanwhile.
        assert "run 150" in talk.ask(f"meld {HAND}")
        assert talk.leave("\x04") == 0
    finally:
        talk.process.close(force=True)


def test_a_home_that_cannot_be_written_keeps_no_history(kind: str, tmp_path: Path) -> None:
    talk = Talk(kind, tmp_path, "interactive", XDG_STATE_HOME=os.devnull)
    try:
        talk.until_ready()
        assert "Score   10 to 20" in talk.ask("score 10 20")
        assert talk.leave("\x04") == 0
    finally:
        talk.process.close(force=True)


@pytest.mark.parametrize("odd", ["pipe", "device", "folder"])
def test_a_history_that_is_no_file_is_left_alone(kind: str, odd: str, tmp_path: Path) -> None:
    history = tmp_path / "pinochle-advisor" / "history"
    history.parent.mkdir()
    if odd == "pipe":
        os.mkfifo(history)
    elif odd == "device":
        history.symlink_to("/dev/zero")
    else:
        history.mkdir()
    talk = Talk(kind, tmp_path, "interactive", XDG_STATE_HOME=str(tmp_path))
    try:
        talk.process.timeout = 30
        talk.until_ready()
        assert "Score   10 to 20" in talk.ask("score 10 20")
        assert talk.leave("\x04") == 0
    finally:
        talk.process.close(force=True)


def test_long_lines_of_a_history_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_text(f"why\n{'x' * 1_000_000}\nnext\n", encoding="utf-8")
    assert _earlier(path) == ["why", "next"]


def test_the_plainest_terminal_gets_the_plainest_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    there = Terminal(stdin_tty=True, stdout_tty=True)
    assert isinstance(open_lines(there, lambda line: [], None), ReadlineLines)


def test_a_reader_that_goes_away_gets_no_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.quote(sys.executable)} -m advisor interactive -q | head -c 1"],
        input=f"meld {HAND}\n" * 2000,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=False,
    )
    assert done.stdout == "H"
    assert done.stderr == ""
