"""A scheduler and two workers as processes of their own, some of which do not live to the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from test_batch import random_hands

from advisor.batch.answers import Answer, Work, judge_all
from advisor.errors import ExitCode

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals"),
    pytest.mark.filterwarnings("ignore"),
]

ROOT = Path(__file__).parent.parent
ROWS = 40
START = """
import signal; signal.signal(signal.SIGINT, signal.default_int_handler)
import advisor.batch.run
advisor.batch.run._MOST_ROWS = 4
import advisor.batch.cluster as cluster, test_batch_cluster
cluster.Cluster.__init__.__defaults__ = (test_batch_cluster.{task},)
{before}
"""
MAIN = "from advisor.__main__ import main; main()"
QUICK = ["--engine", "policy", "--samples", "8"]


def slow(work: Work, _: Mapping[str, str]) -> list[Answer | str]:
    """Answer, but give others time to do something about it."""
    time.sleep(0.3)
    return judge_all(work)


def dies_once(work: Work, _: Mapping[str, str]) -> list[Answer | str]:
    """Take the worker down, the first time that it is tried."""
    mark = Path(os.environ["TEST_FOLDER"]) / "died"
    if work.number == 3 and not mark.exists():
        mark.touch()
        os._exit(137)
    return judge_all(work)


def dies_always(work: Work, _: Mapping[str, str]) -> list[Answer | str]:
    """Take down every worker that tries."""
    if work.number == 3:
        os._exit(137)
    return judge_all(work)


def environment(folder: Path) -> dict[str, str]:
    paths = [str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TEST_FOLDER": str(folder)}


class Hosts:
    """A scheduler and workers, each of which can be taken down with all its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        for _ in range(300):
            if self.file.exists() and self.file.stat().st_size:
                break
            time.sleep(0.1)
        self.workers = [self.add_worker(), self.add_worker()]

    def add_worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--scheduler-file", str(self.file), "--nthreads", "1")

    def _start(self, kind: str, *args: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", kind, "--host", "127.0.0.1", "--no-dashboard", *args],
            cwd=self.folder,
            env=environment(self.folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Take down a process and all that it has started, as when a host loses power."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                self.kill(process)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    pytest.importorskip("distributed")
    found = Hosts(tmp_path_factory.mktemp("hosts"))
    yield found
    found.close()


@pytest.fixture
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    pytest.importorskip("distributed")
    found = Hosts(tmp_path_factory.mktemp("doomed"))
    yield found
    found.close()


def start(
    hosts: Hosts, *args: str, task: str = "slow", before: str = ""
) -> subprocess.Popen[bytes]:
    code = START.format(task=task, before=before) + MAIN
    return subprocess.Popen(
        [sys.executable, "-c", code, "batch", *args, *QUICK, "--cluster", str(hosts.file)],
        cwd=ROOT,
        env=environment(hosts.folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, err = process.communicate(timeout=120)
    return process.returncode, err.decode()


def wait_for(condition: Callable[[], Any], process: subprocess.Popen[bytes]) -> None:
    """Wait until a run has come so far."""
    for _ in range(1200):
        if condition():
            return
        assert process.poll() is None, finish(process)
        time.sleep(0.05)
    raise AssertionError("nothing happened")


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hands") / "hands.txt"
    lines = [str(hand) for hand in random_hands(ROWS, seed=8)]
    path.write_text("\n".join([*lines[:20], lines[2], *lines[20:]]) + "\n")
    return path


@pytest.fixture(scope="module")
def alone(hands: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one machine without a cluster writes."""
    out = tmp_path_factory.mktemp("alone") / "out.csv"
    done = subprocess.run(
        [sys.executable, "-m", "advisor", "batch", str(hands), "-o", str(out), "-q", *QUICK],
        cwd=ROOT,
        env=environment(out.parent),
        check=False,
    )
    assert done.returncode == 0
    return out.read_bytes()


def test_hosts_are_lost_and_nothing_else(
    doomed: Hosts, hands: Path, alone: bytes, tmp_path: Path
) -> None:
    out, parts = tmp_path / "out.csv", tmp_path / "out.csv.parts"
    args = [str(hands), "-o", str(out), "-q"]

    def blocks() -> int:
        return len(list(parts.glob("block-*.jsonl")))

    # A host goes down while the client waits, then the client itself.
    process = start(doomed, *args)
    wait_for(lambda: blocks() >= 1, process)
    doomed.kill(doomed.workers[0])
    before = blocks()
    wait_for(lambda: blocks() > before, process)
    process.kill()
    assert finish(process)[0] == -9
    # The other host goes on, until the scheduler goes down.
    before = blocks()
    process = start(doomed, *args, "--resume")
    wait_for(lambda: blocks() > before, process)
    doomed.kill(doomed.scheduler)
    assert finish(process) == (
        ExitCode.FAILURE,
        "Error: cluster: the scheduler is lost; what was found is kept, --resume goes on\n",
    )
    assert not out.exists()
    code = "import advisor.batch.run as run; run._MOST_ROWS = 4\n" + MAIN
    resumed = subprocess.run(
        [sys.executable, "-c", code, "batch", *args, *QUICK, "--resume"],
        cwd=ROOT,
        env=environment(tmp_path),
        check=False,
    )
    assert resumed.returncode == 0
    assert out.read_bytes() == alone


def test_a_block_that_kills_its_worker_once_is_answered(
    hosts: Hosts, hands: Path, alone: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    assert finish(start(hosts, str(hands), "-o", str(out), "-q", task="dies_once")) == (0, "")
    assert (hosts.folder / "died").exists()
    assert out.read_bytes() == alone


def test_a_block_that_always_kills_its_worker_is_named_and_skipped(
    hosts: Hosts, hands: Path, alone: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    code, err = finish(start(hosts, str(hands), "-o", str(out), task="dies_always"))
    assert code == ExitCode.BAD_LINES
    assert "block 3 was given up: 4 workers died of it" in err
    assert "Traceback" not in err
    lines, expected = out.read_bytes().splitlines(), alone.splitlines()
    assert len(lines) == len(expected)
    lost = [i for i, line in enumerate(lines) if line != expected[i]]
    assert lost == [13, 14, 15, 16]
    assert all(b"block 3 was given up" in lines[i] for i in lost)


def test_ctrl_c_leaves_the_cluster_to_others(
    hosts: Hosts, hands: Path, alone: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    parts = tmp_path / "out.csv.parts"
    process = start(hosts, str(hands), "-o", str(out))
    wait_for(lambda: len(list(parts.glob("block-*.jsonl"))) > 1, process)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    code, err = finish(process)
    assert time.monotonic() - sent < 4
    assert code == ExitCode.INTERRUPTED
    assert "with --resume the command goes on" in err
    assert "Traceback" not in err
    assert finish(start(hosts, str(hands), "-o", str(out), "-q", "--resume")) == (0, "")
    assert out.read_bytes() == alone


def test_workers_of_another_version_are_refused(hosts: Hosts, hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    before = "import advisor.kernels._jit as jit; jit.kernel_fingerprint = lambda: 'x'"
    code, err = finish(start(hosts, str(hands), "-o", str(out), "-q", before=before))
    assert code == ExitCode.USAGE
    assert "cluster: a worker has other kernels, Python or numba than this machine (tcp://" in err
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_is_not_there(tmp_path: Path, hands: Path) -> None:
    pytest.importorskip("distributed")
    for address, message, expected in [
        ("tcp://127.0.0.1:1", "no scheduler answers at tcp://127.0.0.1:1", ExitCode.FAILURE),
        ("127.0.0.1:1", "expected an address such as tcp://host:8786", ExitCode.USAGE),
    ]:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "batch", str(hands), "-q", "--cluster", address],
            cwd=ROOT,
            env=environment(tmp_path),
            capture_output=True,
            check=False,
        )
        assert done.returncode == expected
        assert message in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1
