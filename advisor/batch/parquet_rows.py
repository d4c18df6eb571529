"""Rows of Parquet, read a batch at a time. Needs the extra ``parquet`` (pyarrow)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from advisor.batch.cell_text import cell_text, hand_text
from advisor.batch.hand_columns import HandColumns
from advisor.batch.lines import MAX_LINE, wrong_text
from advisor.batch.rows import Row, RowsError

_BATCH: Final = 1024


def parquet_rows(
    path: str,
) -> tuple[HandColumns, Iterator[Row], Callable[[], None]]:
    """Return what the columns mean, the rows, and what closes the file.

    Parameters
    ----------
    path : str
        The file. A hand is a text or a list of cards.

    Raises
    ------
    RowsError
        If pyarrow is missing, or the file is damaged, or it has no column of hands.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise RowsError(
            f"{path}: reading Parquet needs pyarrow: pip install 'pinochle-advisor[parquet]'"
        ) from None
    try:
        file = pyarrow.parquet.ParquetFile(path)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise RowsError(f"{path}: damaged Parquet: {_first_line(error)}") from None
    try:
        columns = HandColumns.of(file.schema_arrow.names)
    except RowsError as error:
        file.close()
        raise RowsError(f"{path}: {error}") from None
    return columns, _rows(file, columns, path), file.close


def _rows(file: Any, columns: HandColumns, source: str) -> Iterator[Row]:
    number = 0
    batches = file.iter_batches(batch_size=_BATCH)
    try:
        for batch in batches:
            for cells in _cells(batch, columns):
                number += 1
                yield _row(columns, source, number, cells)
    except _arrow_errors() as error:
        damage = f"damaged Parquet: {_first_line(error)}: what follows is lost"
        yield Row(source, number + 1, None, "", error=damage)


def _row(columns: HandColumns, source: str, number: int, cells: list[str] | str) -> Row:
    if isinstance(cells, str):
        return Row(source, number, None, "", error=cells)
    if sum(map(len, cells)) > MAX_LINE:
        wanted = f"expected a row of at most {MAX_LINE:,} characters, found a longer one"
        return Row(source, number, None, "", error=wanted)
    if wrong := wrong_text("".join(cells)):
        return Row(source, number, None, "", error=wrong)
    return columns.row(source, number, cells)


def _cells(batch: Any, columns: HandColumns) -> Iterator[list[str] | str]:
    """Yield the cells of each row of a batch, or what is wrong with the row."""
    try:
        yield from [list(row) for row in zip(*_texts(batch, columns), strict=True)]
    except _arrow_errors():
        # One bad value spoils its column: look for it row by row.
        for place in range(batch.num_rows):
            try:
                yield [texts[0] for texts in _texts(batch.slice(place, 1), columns)]
            except _arrow_errors() as error:
                yield f"a value that cannot be read: {_first_line(error)}"


def _texts(batch: Any, columns: HandColumns) -> list[list[str]]:
    """Return the columns of a batch as text."""
    import pyarrow as pa

    single = columns.hand[0] if len(columns.hand) == 1 else -1
    texts = []
    for place, column in enumerate(batch.columns):
        if pa.types.is_temporal(column.type):
            # Python's own times hold no nanoseconds.
            column = column.cast(pa.string())
        to_text = hand_text if place == single else cell_text
        texts.append([to_text(value) for value in column.to_pylist()])
    return texts


def _arrow_errors() -> tuple[type[BaseException], ...]:
    import pyarrow as pa

    return (pa.ArrowException, OSError, ValueError, OverflowError, TypeError)


def _first_line(error: BaseException) -> str:
    text = str(error).partition("\n")[0][:120]
    return "".join(sign if sign.isprintable() else "?" for sign in text)
