"""A run of ``advisor batch``: from open files to a written output, with nothing lost on the way."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from advisor.batch.flow import Flow, Submit
from advisor.batch.opening import fingerprint
from advisor.batch.parts import Parts
from advisor.batch.questions import Asked
from advisor.batch.results import Result
from advisor.batch.rows import Row, RowReader, open_rows, place_of
from advisor.batch.summary import Tally
from advisor.batch.writers import Writer, joined_columns
from advisor.errors import AdvisorError
from advisor.limits import default_engine

# Deals of a block of rows: some seconds' work.
_BLOCK_DEALS: Final = 32_768
_MOST_ROWS: Final = 256
# Deals that an answer of the default precision takes, about.
_USUAL_DEALS: Final = 2048
# Of a pipe: rows read ahead, and seconds without a row after which answers are looked for.
_ROWS_AHEAD: Final = 256
_PATIENCE: Final = 0.05


class BadRow(AdvisorError):
    """The first bad row of a run that is to stop there; the message names file, line and id."""


def block_rows(asked: Asked) -> int:
    """Return the number of rows of a block.

    >>> block_rows(Asked.of(engine="policy", samples=128)), block_rows(Asked.of())
    (256, 16)
    """
    engine = asked.engine or default_engine(asked.terms.rules)
    if engine == "exact":
        return 1
    return max(1, min(_MOST_ROWS, _BLOCK_DEALS // (asked.samples or _USUAL_DEALS)))


def manifest(asked: Asked, files: Iterable[tuple[str, str | None]]) -> dict[str, Any]:
    """Return what decides the results of a run, as JSON holds it.

    Parameters
    ----------
    asked : Asked
    files : iterable of (str, str or None)
        Name and fingerprint of each input; None for one that can be read only once.
    """
    from advisor import __version__
    from advisor.kernels._jit import kernel_fingerprint

    terms = asdict(asked.terms)
    rules = asked.terms.rules.as_settings()
    convention = hashlib.sha256(asked.convention.to_toml().encode()).hexdigest()
    named = f"{asked.convention.name} ({convention[:12]})"
    return {
        "version": __version__,
        "kernels": kernel_fingerprint(),
        "inputs": [{"name": name, "sha256": digest} for name, digest in files],
        "rules": rules,
        "asked": {
            **{key: value for key, value in terms.items() if key != "rules"},
            **{
                key: getattr(asked, key)
                for key in ("seed", "engine", "raw", "samples", "precision", "inference")
            },
            "convention": named,
        },
    }


@dataclass(slots=True)
class Run:
    """What a run does with each row.

    Parameters
    ----------
    asked : Asked
    submit : Submit
        Where hands are judged.
    window, chunk : int
        See `Flow`.
    tally : Tally
    writer, errors : Writer or None
        Where results go, and bad ones once more.
    parts : Parts or None
        Where answers are kept until the end.
    strict : bool
        Whether to stop at the first bad row.
    """

    asked: Asked
    submit: Submit
    window: int
    chunk: int
    tally: Tally
    writer: Writer | None = None
    errors: Writer | None = None
    parts: Parts | None = None
    strict: bool = False

    def go(self, rows: Iterable[Row | None], tell: Callable[[], None]) -> None:
        """Answer all rows, and say after each that there is more.

        Raises
        ------
        BadRow
            If the run is strict and meets one.
        AdvisorError, OSError
            If the input is not that of the kept answers, or something cannot be written.
        """
        parts = self.parts
        flow = Flow(
            self.asked, self.submit, self.window, self.chunk, None if parts is None else parts.known
        )
        try:
            for index, result in enumerate(flow.results(rows)):
                if self.strict and result.error is not None:
                    # Not kept: it may be put right before the run goes on.
                    place = place_of(result.source, result.line, result.id)
                    raise BadRow(f"{place}: {result.error}")
                if parts is not None:
                    parts.keep(index, None if result.lost else result.answer or result.error)
                self._take(result)
                tell()
            if parts is not None:
                parts.check_end()
        except (KeyboardInterrupt, AdvisorError):
            if parts is not None:
                parts.keep_last()
            raise
        if self.writer is not None:
            self.writer.close()
        if self.errors is not None:
            self.errors.close()

    def _take(self, result: Result) -> None:
        self.tally.add(result)
        if result.error is not None and self.errors is not None:
            self.errors.write(result)
        if self.writer is not None:
            self.writer.write(result)


def check_rows(rows: Iterable[Row | None], asked: Asked) -> None:
    """Raise `BadRow` for the first row whose hand or options cannot be read."""

    def nowhere(work: object) -> Any:
        raise AssertionError("rows are only read")

    flow = Flow(asked, nowhere, 0)
    for row in rows:
        if row is None:
            continue
        try:
            flow.read(row)
        except AdvisorError as error:
            raise BadRow(f"{place_of(row.source, row.line, row.id)}: {error}") from None


def count_lines(paths: Iterable[str]) -> int | None:
    """Return how many lines some files have; None where one is packed or none of text."""
    total = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                while block := file.read(1 << 20):
                    # Neither archives nor Parquet are without one for long.
                    if b"\0" in block:
                        return None
                    total += block.count(b"\n")
        except OSError:
            return None
    return total


def as_they_come(rows: Iterable[Row]) -> Iterator[Row | None]:
    """Yield rows as another thread reads them, and None every now and then while there is none.

    So answers need not wait for the next row of somebody who writes one at a time.

    >>> [row.line for row in as_they_come([Row("", 1, None, "")]) if row]
    [1]
    """
    waiting: queue.Queue[Row | BaseException | None] = queue.Queue(_ROWS_AHEAD)

    def read() -> None:
        try:
            for row in rows:
                waiting.put(row)
        except BaseException as error:
            waiting.put(error)
        else:
            waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            item = waiting.get(timeout=_PATIENCE)
        except queue.Empty:
            yield None
            continue
        if item is None:
            return
        if isinstance(item, BaseException):
            raise item
        yield item


class Inputs:
    """Files of hands, read one after the other.

    Parameters
    ----------
    paths : sequence of str
        ``-`` is standard input.
    form : str or None
        See `open_rows`.

    Raises
    ------
    RowsError
        If one cannot be read.
    """

    def __init__(self, paths: Sequence[str], form: str | None) -> None:
        self.paths, self._form = paths, form
        self._kept: dict[str, RowReader] = {}
        columns = []
        # Of all files together.
        self.headers = 0
        self.have_auction = False
        for path in paths:
            reader = open_rows(path, form=form)
            columns.append(reader.columns)
            self.have_auction |= reader.has_auction
            self.headers += reader.form in ("csv", "tsv")
            if not can_be_read_again(path):
                self._kept[path] = reader
            else:
                # There may be more files than can be open at once.
                reader.close()
        self.columns = joined_columns(columns)

    def __iter__(self) -> Iterator[Row | None]:
        return self._rows() if self.are_lasting else as_they_come(self._rows())

    def _rows(self) -> Iterator[Row]:
        for path in self.paths:
            with self._kept.get(path) or open_rows(path, form=self._form) as reader:
                yield from reader

    @property
    def are_lasting(self) -> bool:
        """Whether all can be read once more."""
        return not self._kept

    def fingerprints(self) -> list[tuple[str, str | None]]:
        """Return the name of each file, and its fingerprint where it can be read again."""
        return [(path, None if path in self._kept else fingerprint(path)) for path in self.paths]


def can_be_read_again(path: str) -> bool:
    """Return whether a file is neither standard input nor a pipe."""
    return path != "-" and not Path(path).is_fifo()
