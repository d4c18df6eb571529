"""The rows of a hand file, whatever its form: what every reader yields. No numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Final

from advisor.errors import AdvisorError

if TYPE_CHECKING:
    from advisor.batch.hand_columns import HandColumns

# The last one needs pyarrow.
FORMS: Final = ("text", "csv", "tsv", "jsonl", "parquet")
# Of what a file calls a row, in messages.
_LONGEST_NAME: Final = 32


class RowsError(AdvisorError):
    """A file of hands that cannot be read at all: no such file, no column of hands, no text."""


@dataclass(frozen=True, slots=True, init=False)
class Row:
    """One row of a hand file, as written.

    Parameters
    ----------
    source : str
        Name of the file as given, ``-`` for standard input.
    line : int
        First physical line of the row, from 1; in Parquet, number of the row.
    id : str or None
        The user's own name for it, None where there is none.
    hand : str
        Text of the hand, empty where the row could not be read.
    options : mapping of str to str
        Under trump, seat, dealer, auction, score_us, score_them, and the names of rules as
        ``--set`` takes them (``pass``); empty cells are left out.
    extra : mapping of str to str
        Columns that mean nothing here, in the file's order and spelling.
    error : str or None
        Why the row could not be read, in one line.
    """

    source: str
    line: int
    id: str | None
    hand: str
    options: Mapping[str, str]
    extra: Mapping[str, str]
    error: str | None

    def __init__(
        self,
        source: str,
        line: int,
        id: str | None,
        hand: str,
        options: Mapping[str, str] | None = None,
        extra: Mapping[str, str] | None = None,
        error: str | None = None,
    ) -> None:
        # What dataclasses write for a frozen class takes twice as long, and there are millions.
        _set_source(self, source)
        _set_line(self, line)
        _set_id(self, id)
        _set_hand(self, hand)
        _set_options(self, {} if options is None else options)
        _set_extra(self, {} if extra is None else extra)
        _set_error(self, error)


_set_source, _set_line, _set_id, _set_hand, _set_options, _set_extra, _set_error = (
    getattr(Row, item.name).__set__ for item in fields(Row)
)


def place_of(source: str, line: int, name: str | None) -> str:
    """Return where a row stands and what its file calls it, as messages say it.

    >>> place_of("club.csv", 4, "dan"), place_of("-", 4, None)
    ('club.csv:4 (dan)', 'input:4')
    """
    return named(f"{'input' if source in ('-', '') else source}:{line}", name)


def named(place: str, name: str | None) -> str:
    """Return a place with what the file calls its row, a long name cut.

    >>> named("4", "dan"), named("5", "x" * 60)
    ('4 (dan)', '5 (xxxxxxxxxxxxxxxxxxxxxxxxxxxxx...)')
    """
    if name is None:
        return place
    shown = " ".join(name.split())
    if len(shown) > _LONGEST_NAME:
        shown = f"{shown[: _LONGEST_NAME - 3]}..."
    return f"{place} ({shown})"


class RowReader:
    """An open file of hands: iterate over it for its rows, once; a context manager.

    Attributes
    ----------
    source : str
        As given.
    form : str
        One of `FORMS`.
    columns : tuple of str
        The columns to be carried through, known before the first row; where each row names its
        own, as in JSON Lines, those of the first one.
    has_auction : bool
        Whether there is a column of calls, known likewise.
    """

    def __init__(
        self,
        source: str,
        form: str,
        columns: HandColumns | None,
        rows: Iterator[Row],
        close: Callable[[], None],
    ) -> None:
        self.source = source
        self.form = form
        self.columns = () if columns is None else columns.carried
        self.has_auction = columns is not None and columns.has_auction
        self._rows = rows
        self._close = close

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def __enter__(self) -> RowReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._close()


def open_rows(path: str, *, form: str | None = None, stdin: BinaryIO | None = None) -> RowReader:
    r"""Open a file of hands, which is read once and from the beginning: a pipe will do.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    form : str, optional
        One of `FORMS`; by default the suffix says it, ``.gz`` and ``.xz`` looked through. Where
        it says nothing, or text, the first line is looked at.
    stdin : binary file, optional
        What ``-`` reads, by default the standard input of the process.

    Raises
    ------
    RowsError
        If the file as a whole cannot be read.

    >>> import io
    >>> with open_rows("-", stdin=io.BytesIO(b"id,hand,pip\n7,AATKQJ.AK.QJ.T9,x\n")) as reader:
    ...     print(reader.form, reader.columns, [row.id for row in reader])
    csv ('pip',) ['7']
    """
    from advisor.batch.forms import open_form

    return open_form(path, form, stdin)


def read_rows(
    path: str, *, form: str | None = None, stdin: BinaryIO | None = None
) -> Iterator[Row]:
    """Yield the rows of a file of hands in their order, bad ones with their error.

    Parameters and errors are those of `open_rows`; errors come with the first row.
    """
    with open_rows(path, form=form, stdin=stdin) as reader:
        yield from reader


def columns(path: str, form: str | None = None) -> tuple[str, ...]:
    """Return the columns of a file that are carried through.

    The file is opened for it; of a pipe nothing would be left, so use `open_rows` there.
    """
    with open_rows(path, form=form) as reader:
        return reader.columns
