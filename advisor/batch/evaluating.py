"""Many hands from Python: `evaluate` takes texts, hands or rows of tables and yields results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from functools import lru_cache
from typing import Any, Final, TypeAlias

from advisor.batch.cell_text import cell_text, hand_text
from advisor.batch.flow import Flow, here, near_window, submit_to
from advisor.batch.hand_columns import HandColumns
from advisor.batch.questions import Asked
from advisor.batch.results import Result
from advisor.batch.rows import Row, RowsError
from advisor.game.cards import Hand
from advisor.game.conventions import Convention
from advisor.game.rules import Rules
from advisor.game.settings import show
from advisor.limits import MAX_THREADS, check_whole

# Rows to a task of an executor that may be far away.
FAR_ROWS: Final = 32
RowLike: TypeAlias = Row | Hand | str | Mapping[str, Any]


def as_row(value: RowLike, line: int) -> Row:
    """Return what `evaluate` was given as a row.

    A mapping is read as an object of a JSON Lines file is.

    >>> as_row({"Hand": "AATKQJ.AK.QJ.T9", "Table": 4}, 1).extra
    {'Table': '4'}
    """
    if isinstance(value, Row):
        return value
    if isinstance(value, Hand):
        return Row("", line, None, str(value))
    if isinstance(value, str):
        return Row("", line, None, value)
    if isinstance(value, Mapping):
        return _row_of_mapping(value, line)
    return Row("", line, None, "", error=f"expected a hand, found {show(value)}")


@lru_cache(maxsize=64)
def _columns_of(names: tuple[str, ...]) -> HandColumns:
    return HandColumns.of(names)


def _row_of_mapping(value: Mapping[str, Any], line: int) -> Row:
    try:
        columns = _columns_of(tuple(map(str, value)))
    except RowsError as error:
        return Row("", line, None, "", error=str(error))
    cells = [cell_text(item) for item in value.values()]
    if len(columns.hand) == 1:
        cells[columns.hand[0]] = hand_text([*value.values()][columns.hand[0]])
    return columns.row("", line, cells)


def evaluate(
    rows: Iterable[RowLike],
    *,
    rules: Rules | str | None = None,
    seed: int = 0,
    engine: str | None = None,
    samples: int | None = None,
    precision: float | None = None,
    raw: bool = False,
    convention: Convention | str | None = None,
    inference: bool = True,
    trump: int | None = None,
    auction: str | None = None,
    seat: int | None = None,
    dealer: str | None = None,
    score: tuple[int, int] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """Advise on many hands, one after the other, in any amount of them.

    Parameters
    ----------
    rows : iterable
        Of `Row`, `Hand`, text of a hand, or mapping with a hand and options of its own such as a
        row of a table: ``{"hand": ..., "seat": 2}``.
    rules, seed, engine, samples, precision, raw, convention, inference : optional
        As in `advisor.advise`, for all rows.
    trump, auction, seat, dealer, score : optional
        As in `advisor.advise`, for rows that say nothing else.
    jobs : int, optional
        Threads to compute on.
    executor : concurrent.futures.Executor, optional
        Where to compute instead of threads: processes, or a cluster.

    Yields
    ------
    Result
        One for each row, in order; bad rows have an `error`. Rows are read as results are taken,
        some tens ahead.

    Raises
    ------
    AdvisorError
        At once, where what is asked of all rows is wrong.

    Notes
    -----
    A result depends on hand, options, rules and seed alone, not on jobs or on other rows.

    >>> [one] = evaluate(["AATKQJ.AK.QJ.T9"], samples=300, engine="policy")
    >>> one.answer.action, "SHDC"[one.answer.trump], one.answer.bid >= 300
    ('raise', 'S', True)
    """
    asked = Asked.of(
        rules=rules, seed=seed, engine=engine, raw=raw, samples=samples, precision=precision,
        convention=convention, inference=inference, trump=trump, auction=auction, seat=seat,
        dealer=dealer, score=score,
    )  # fmt: skip
    check_whole("jobs", jobs, 1, MAX_THREADS)
    numbered = (as_row(value, line) for line, value in enumerate(rows, start=1))
    return _evaluated(numbered, asked, jobs, executor)


def _evaluated(
    rows: Iterator[Row], asked: Asked, jobs: int, executor: Executor | None
) -> Iterator[Result]:
    if executor is not None:
        submit = submit_to(executor)
        yield from Flow(asked, submit, 8 * FAR_ROWS, FAR_ROWS).results(rows)
    elif jobs == 1:
        yield from Flow(asked, here, 0).results(rows)
    else:
        from advisor.simulate import worker_pool

        with worker_pool(jobs) as pool:
            yield from Flow(asked, submit_to(pool), near_window(jobs)).results(rows)
