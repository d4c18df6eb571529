"""The second process of the first compilation: out of reach of Ctrl-C, and never left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")

# The part that the parent compiles itself takes for ever, so that it can be stopped there.
PARENT = """
import os, subprocess, time
from advisor import compiling
class Seen(subprocess.Popen):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        print(self.pid, os.getpgid(self.pid), os.getpgid(0), flush=True)
subprocess.Popen = Seen
compiling._processes = lambda: 2
compiling._compile = lambda name: time.sleep(600)
compiling.compile_entries(list(compiling.ENTRY_POINTS))
"""


def _is_running(number: int) -> bool:
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False
    ).stdout.strip()
    # Where nobody collects orphans they stay as zombies.
    return bool(shown) and not shown.startswith("Z")


def test_the_helper_has_its_own_group_and_ends_with_its_parent(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        helper, group, ours = map(int, parent.stdout.readline().split())
        # What a terminal sends to the group of the prompt does not reach it.
        assert group == helper != ours
        assert _is_running(helper)
        parent.kill()
        parent.wait()
    end = time.monotonic() + 60
    while _is_running(helper) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _is_running(helper)
