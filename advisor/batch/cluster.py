"""Blocks of rows judged on a cluster that the user runs: a scheduler of dask.distributed.

Results are fetched as they come and let go of on the workers, so that the loss of a worker or a
host costs the blocks it was working on, which go to others. What is kept is kept here.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from advisor.batch.answers import Answer, Work, judge_all
from advisor.batch.flow import LostBlockError
from advisor.errors import AdvisorError, OptionError
from advisor.game.settings import show

if TYPE_CHECKING:
    from types import TracebackType

    from advisor.batch.questions import Asked

_SCHEMES: Final = ("tcp://", "tls://", "ws://", "wss://", "inproc://")
# Of errors other than the death of a worker, which the scheduler counts itself.
_RETRIES: Final = 2
_PATIENCE: Final = 10
_LEAVE_SECONDS: Final = 2


class ClusterError(AdvisorError):
    """A cluster that cannot do the work: no workers, or of another version."""


def check_address(address: str) -> str:
    """Return the address of a scheduler, or the name of the file that holds it.

    Raises
    ------
    OptionError
        If it is neither, or dask.distributed is not installed.

    >>> check_address("host:8786")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: cluster: expected an address such as tcp://host:8786 or the file \
of a scheduler, found 'host:8786'
    """
    if not address.startswith(_SCHEMES) and not os.path.isfile(address):
        raise OptionError(
            "cluster: expected an address such as tcp://host:8786 or the file of a scheduler, "
            f"found {show(address)}"
        )
    try:
        _distributed()
    except ImportError:
        raise OptionError(
            "cluster: expected dask.distributed to be installed, found none: "
            "pip install 'pinochle-advisor[cluster]'"
        ) from None
    return address


def _distributed() -> Any:
    """Return the package, which has types for some of its parts only."""
    return import_module("distributed")


def facts() -> dict[str, str]:
    """Return what must be the same on every worker for results to be the same."""
    from advisor import __version__
    from advisor.kernels._jit import kernel_fingerprint

    return {"version": __version__, "kernels": kernel_fingerprint()}


def answer_on_worker(work: Work, expected: Mapping[str, str]) -> list[Answer | str]:
    """Return the answers of a block; workers may have come since all were checked."""
    found = facts()
    if found != dict(expected):
        raise ClusterError(f"cluster: {_other(found, expected)}")
    return judge_all(work)


def warm_up(asked: Asked) -> None:
    """Load or compile the kernels that blocks will need, by a hand of few deals."""
    from dataclasses import replace

    from advisor.game.notation import parse_hand

    hand = parse_hand("AATKQJ.AK.QJ.T9")
    few = replace(asked, samples=1, precision=None)
    judge_all(Work(few, ((hand, asked.terms),)))


def _other(found: Mapping[str, str], expected: Mapping[str, str]) -> str:
    if found["version"] != expected["version"]:
        return f"a worker has version {found['version']}, not {expected['version']}"
    return "a worker has other kernels, Python or numba than this machine"


def _hush() -> None:
    """Keep the scheduler's client from remarks of its own: the outcome says what matters."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


class Cluster:
    """A connection to a scheduler; call it with work.

    Parameters
    ----------
    address : str
        See `check_address`.
    task : callable, optional
        What workers run: `answer_on_worker`.

    Raises
    ------
    OSError
        If nobody answers there.
    """

    def __init__(self, address: str, task: Any = answer_on_worker) -> None:
        connect = _distributed().Client
        _hush()
        self._task = task
        self._facts = facts()
        where: dict[str, Any] = (
            {"address": address} if address.startswith(_SCHEMES) else {"scheduler_file": address}
        )
        try:
            self._client = connect(**where, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConnectionError(
                f"cluster: no scheduler answers at {address}: {_first_line(error)}"
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What is in flight is dropped by the scheduler once its client has gone.
        self._client.close(timeout=_LEAVE_SECONDS)

    def prepare(self, asked: Asked) -> int:
        """Check all workers and load their kernels; return the number of their threads.

        Raises
        ------
        ClusterError
            If there is none, or one is of another version.
        """
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise ClusterError("cluster: expected workers, found none") from None
        found = self._client.run(facts, on_error="return")
        for worker, value in found.items():
            if not isinstance(value, dict):
                raise ClusterError(
                    f"cluster: expected pinochle-advisor on every worker, found on {worker}: "
                    f"{_first_line(value)}"
                )
            if value != self._facts:
                raise ClusterError(f"cluster: {_other(value, self._facts)} ({worker})")
        futures = [
            self._client.submit(warm_up, asked, workers=[worker], pure=False) for worker in found
        ]
        for future in futures:
            future.result()
        return sum(self._client.nthreads().values())

    def __call__(self, work: Work, /) -> Future[list[Answer | str]]:
        """Send a block to the cluster."""
        remote = self._client.submit(self._task, work, self._facts, pure=False, retries=_RETRIES)
        here = _Fetched(self._client, work.number)
        remote.add_done_callback(here.fetch)
        return here


class _Fetched(Future[list[Answer | str]]):
    """The answers of a block, fetched as soon as they are there and released on the worker."""

    def __init__(self, client: Any, number: int) -> None:
        super().__init__()
        self._client, self._number = client, number

    def fetch(self, remote: Any) -> None:
        try:
            found = remote.result()
        except _distributed().KilledWorker as error:
            self.set_exception(
                LostBlockError(
                    f"block {self._number} was given up: {error.allowed_failures + 1} workers "
                    "died of it"
                )
            )
        except BaseException as error:
            # Whatever was waited for is cancelled when the scheduler has gone.
            gone = isinstance(error, CancelledError) or self._client.status != "running"
            lost = ConnectionError("cluster: the scheduler is lost")
            self.set_exception(lost if gone else error)
        else:
            self.set_result(found)
        finally:
            remote.release()


def _first_line(error: object) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
