"""The one place that says how kernels are compiled and where their machine code is kept.

Flags and their reasons:

- ``nogil``: blocks of deals run on several threads, so kernels are serial and release the lock,
  but for short ones (`short_entry`).
- ``error_model="numpy"``: no test for division by zero in inner loops; kernels never raise.
- ``no_cfunc_wrapper``: nothing calls kernels from C; that leaves 5 % of the compiling out.
- ``cache`` only on the few entry points: each further cached function costs 10 ms at start-up,
  and helpers are linked into the entries that call them.

numba's cache looks only at the file of the cached function, so a changed helper in another file
would go unnoticed. The cache directory is therefore named by a fingerprint of all kernel sources
and of the numba, llvmlite, numpy and Python versions, and by the processor: stale code cannot run.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.caching import FunctionCache as _FunctionCache
from numba.core.caching import IndexDataCacheFile as _IndexDataCacheFile
from numba.core.caching import _CacheLocator
from numba.core.runtime import rtsys
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

_ENTRIES: list[Any] = []
_LISTENERS: list[Callable[[], None]] = []
_FLAGS: Final[dict[str, Any]] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
}
_KEEP_UNUSED_SECONDS = 30 * 24 * 3600
_SUM_BYTES = 4


@cache
def kernel_fingerprint() -> str:
    """Return 16 hex digits that change with any kernel source or compiler version.

    >>> len(kernel_fingerprint())
    16
    """
    digest = hashlib.sha256()
    for part in (numba.__version__, llvmlite.__version__, np.__version__, sys.version):
        digest.update(part.encode() + b"\0")
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def processor() -> str:
    """Return 8 hex digits for the kind of processor that machine code is made for.

    A home that machines share has a directory for each kind.

    >>> len(processor())
    8
    """
    chosen = (numba.config.CPU_NAME, numba.config.CPU_FEATURES)
    made_for = chosen if chosen[0] else (llvmlite.binding.get_host_cpu_name(), chosen[1])
    return f"{zlib.crc32(repr(made_for).encode()):08x}"


def _cache_homes() -> list[Path]:
    homes = []
    if os.environ.get("NUMBA_CACHE_DIR"):
        homes.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    elif sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        homes.append(Path(os.environ["LOCALAPPDATA"]) / "pinochle-advisor" / "Cache")
    elif sys.platform == "darwin":
        homes.append(Path("~/Library/Caches/pinochle-advisor").expanduser())
    elif os.environ.get("XDG_CACHE_HOME"):
        homes.append(Path(os.environ["XDG_CACHE_HOME"]) / "pinochle-advisor")
    else:
        homes.append(Path("~/.cache/pinochle-advisor").expanduser())
    user = os.geteuid() if hasattr(os, "geteuid") else os.environ.get("USERNAME", "user")
    homes.append(Path(tempfile.gettempdir()) / f"pinochle-advisor-{user}")
    return homes


def _is_ours(directory: Path) -> bool:
    """Return whether nobody else can have put machine code there: it would be run."""
    if not hasattr(os, "geteuid"):
        return True
    found = directory.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


@cache
def cache_directory() -> Path | None:
    """Return the directory of compiled kernels, made if need be, or None if none can be written.

    The user's cache directory comes first, then the temporary one (a read-only home).
    """
    for home in _cache_homes():
        directory = home / f"kernels-{kernel_fingerprint()}-{processor()}"
        try:
            if not directory.exists():
                home.mkdir(mode=0o700, parents=True, exist_ok=True)
                directory.mkdir(mode=0o700, exist_ok=True)
                _remove_unused(home)
            if not _is_ours(directory):
                continue
            with tempfile.TemporaryFile(dir=directory):
                # Marks the directory as used, for _remove_unused.
                os.utime(directory)
                return directory
        except (OSError, RuntimeError):
            continue
    return None


def unwritable_home() -> Path | None:
    """Return where machine code would be kept, if it cannot be kept there."""
    directory, first = cache_directory(), _cache_homes()[0]
    return None if directory is not None and directory.parent == first else first


def _remove_unused(home: Path) -> None:
    oldest = time.time() - _KEEP_UNUSED_SECONDS
    for directory in home.glob("kernels-*"):
        with suppress(OSError):
            if directory.stat().st_mtime < oldest:
                shutil.rmtree(directory, ignore_errors=True)


# numba carries no types, and as Any it can be a base class.
FunctionCache: Any = _FunctionCache
CacheLocator: Any = _CacheLocator
IndexDataCacheFile: Any = _IndexDataCacheFile


def cached_entries() -> frozenset[str]:
    """Return the entry points, such as ``rounds.play_rounds``, with machine code in the cache.

    Only the names of files are looked at: what is in them is seen when it is needed.
    """
    directory = cache_directory()
    if directory is None:
        return frozenset()
    # Of this copy of the program; numba keeps those of others beside it.
    ours = directory / CacheLocator.get_suitable_cache_subpath(__file__)
    try:
        found = os.listdir(ours)
    except OSError:
        return frozenset()
    return frozenset(name.partition("-")[0] for name in found if name.endswith(".nbi"))


def tell_of_compiling(listener: Callable[[], None] | None) -> None:
    """Have a function called, once, when an entry point is about to be compiled.

    Parameters
    ----------
    listener : callable or None
        Takes the place of the one before.
    """
    _LISTENERS[:] = [] if listener is None else [listener]


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """Files of machine code with a sum at the end: what has changed on the disk is not run."""

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        # A pickle says where it ends, so what follows is no harm to those who read it.
        return data + zlib.crc32(data).to_bytes(_SUM_BYTES, "big")

    def _load_data(self, name: str) -> Any:
        data = Path(self._data_path(name)).read_bytes()
        code, checked = data[:-_SUM_BYTES], data[-_SUM_BYTES:]
        if zlib.crc32(code).to_bytes(_SUM_BYTES, "big") != checked:
            raise ValueError(f"{name} is damaged")
        return pickle.loads(code)


class _ForgivingCache(FunctionCache):  # type: ignore[misc]
    """A cache that costs at most itself: damaged files are dropped, a full disk is passed over."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file.__class__ = _CheckedFile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached machine code, or None where there is none that can be read."""
        found = None
        try:
            # As numba's own method, but for declaring all of numba's library before: that takes
            # 0.2 s, and only the compiler needs it, which sees to it itself. Memory it does need.
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)
        except Exception:  # A damaged pickle may raise anything.
            with suppress(OSError):
                self.flush()
        if found is None:
            # More than one thread may come here.
            with suppress(IndexError):
                _LISTENERS.pop()()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code if that is possible."""
        try:
            super().save_overload(sig, data)
        except Exception:  # Also what reading a damaged index raises.
            with suppress(OSError):
                self.flush()


def helper(function: Function) -> Function:
    """Compile a function that only other kernels call."""
    return cast(Function, numba.njit(**_FLAGS)(function))


def entry(function: Function) -> Function:
    """Compile a function that Python calls, and keep its machine code between runs."""
    return _kept_between_runs(function, _FLAGS)


def short_entry(function: Function) -> Function:
    """Compile an entry point that is over at once, which keeps Python's lock.

    It takes microseconds for the rounds of a few hundred deals, a millisecond or two for the most
    that are sampled. Threads that let go of the lock all the time would wake each other instead.
    """
    return _kept_between_runs(function, _FLAGS | {"nogil": False})


def _kept_between_runs(function: Function, flags: dict[str, Any]) -> Function:
    directory = cache_directory()
    before = numba.config.CACHE_DIR
    try:
        # Read while decorating only, so that other users of numba keep their own setting.
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)
        compiled = numba.njit(**flags)(function)
        if directory is not None:
            compiled._cache = _ForgivingCache(function)
    finally:
        numba.config.CACHE_DIR = before
    _ENTRIES.append(compiled)
    return cast(Function, compiled)


def entry_points() -> tuple[Any, ...]:
    """Return the dispatchers of all entry points loaded so far."""
    return tuple(_ENTRIES)


def _unary_intrinsic(emit: Callable[[Any, Any], Any]) -> Any:
    def typing_function(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return emit(builder, args[0])

        return types.uint64(types.uint64), codegen

    return intrinsic(typing_function)


# Single machine instructions; the loops they replace are in tests/naive.py.
popcount = _unary_intrinsic(lambda builder, word: builder.ctpop(word))
trailing_zeros = _unary_intrinsic(
    lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0))
)
leading_zeros = _unary_intrinsic(
    lambda builder, word: builder.ctlz(word, ir.Constant(ir.IntType(1), 0))
)
