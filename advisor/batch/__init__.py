"""Files of hands, of any size: read row by row, judged in blocks, written in order.

Names load on first use, so importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.batch.answers import Answer
    from advisor.batch.evaluating import evaluate
    from advisor.batch.results import Result
    from advisor.batch.rows import Row, RowReader, RowsError, columns, open_rows, read_rows

__all__ = [
    "Answer",
    "Result",
    "Row",
    "RowReader",
    "RowsError",
    "columns",
    "evaluate",
    "open_rows",
    "read_rows",
]

_HOME = {
    "Answer": "advisor.batch.answers",
    "Result": "advisor.batch.results",
    "Row": "advisor.batch.rows",
    "RowReader": "advisor.batch.rows",
    "RowsError": "advisor.batch.rows",
    "columns": "advisor.batch.rows",
    "evaluate": "advisor.batch.evaluating",
    "open_rows": "advisor.batch.rows",
    "read_rows": "advisor.batch.rows",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'advisor.batch' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
