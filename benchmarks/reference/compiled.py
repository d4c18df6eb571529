"""How the kernels of this folder are compiled and where their machine code is kept.

numba's cache looks only at the file of the cached function, so its directory is named by a
fingerprint of all sources of this folder and of the library's kernels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from advisor.kernels._jit import cache_directory


@cache
def _directory() -> Path | None:
    """Return the cache directory, beside that of the library's kernels, or None without one."""
    kernels = cache_directory()
    if kernels is None:
        return None
    digest = hashlib.sha256(kernels.name.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    directory = kernels.parent / f"reference-{digest.hexdigest()[:16]}"
    with suppress(OSError):
        directory.mkdir(mode=0o700, exist_ok=True)
        return directory
    return None


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, and keep its machine code between runs."""
    directory = _directory()
    before = numba.config.CACHE_DIR
    try:
        # Read while decorating only, so that other users of numba keep their own setting.
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)
        return numba.njit(nogil=True, error_model="numpy", cache=directory is not None)(function)
    finally:
        numba.config.CACHE_DIR = before
