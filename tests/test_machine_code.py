"""Machine code on the disk: never run when it has changed, and kept for each kind of processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from advisor.kernels import _jit

# A king of trump against nothing: loads the kernel or compiles it, and says which.
PLAY = """
import numpy as np
from advisor.kernels.tricks import legal_after
out = np.zeros(2, dtype=np.uint64)
king = np.uint64(1 << 6)
legal_after(king, np.uint64(0), np.array([1 << 8], dtype=np.uint64), 0, out)
hits = sum(legal_after.stats.cache_hits.values())
print("loaded" if hits else "compiled", int(out[0]) == int(king), int(out[1]))
"""
LOADED, COMPILED = "loaded True 0\n", "compiled True 0\n"


def play(folder: Path, **more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), **more},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_damaged_code_is_compiled_anew(tmp_path: Path) -> None:
    assert play(tmp_path) == COMPILED
    [code] = tmp_path.rglob("tricks.legal_after-*.nbc")
    whole = code.read_bytes()
    assert play(tmp_path) == LOADED
    for offset in (0, len(whole) // 5, len(whole) // 2, len(whole) - 1):
        damaged = bytearray(whole)
        damaged[offset : offset + 64] = (255 - byte for byte in whole[offset : offset + 64])
        code.write_bytes(damaged)
        assert play(tmp_path) == COMPILED, offset
    for cut in (0, 3, len(whole) - 2):
        code.write_bytes(whole[:cut])
        assert play(tmp_path) == COMPILED, cut
    assert play(tmp_path) == LOADED


def test_each_kind_of_processor_has_its_code(tmp_path: Path) -> None:
    assert play(tmp_path) == COMPILED
    assert play(tmp_path, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == COMPILED
    assert play(tmp_path) == LOADED
    assert play(tmp_path, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == LOADED
    kinds = [path.name.rpartition("-") for path in tmp_path.glob("kernels-*")]
    assert len(kinds) == 2
    assert {kind[0] for kind in kinds} == {f"kernels-{_jit.kernel_fingerprint()}"}
    assert _jit.processor() in {kind[2] for kind in kinds}
