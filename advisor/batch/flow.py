"""From rows to results, in order: each different question is answered once, the rest looked up.

Rows are read only as far as they are needed, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from advisor.batch.answers import Answer, Work, judge_all
from advisor.batch.questions import Asked, Terms
from advisor.batch.results import Result
from advisor.batch.rows import Row
from advisor.errors import AdvisorError, HandError, OptionError
from advisor.game.cards import HAND_SIZE, Hand
from advisor.game.notation import parse_hand

# Of the questions met last, whose answers are kept for repetitions.
REPEATS: Final = 16_384
# Pieces of work in flight for each thread of a cluster: one to work on, the rest on their way.
BLOCKS_AHEAD: Final = 4
# Of the options that rows give, read once where many rows give the same.
_MOST_TERMS: Final = 1024


class LostBlockError(Exception):
    """Rows that no worker could answer; the message says what became of them."""


class Submit(Protocol):
    """Where work is done."""

    def __call__(self, work: Work, /) -> Future[list[Answer | str]]:
        """Begin some work; its answers may come later."""


class Entry:
    """A question that was met, and its answer once that is known."""

    __slots__ = ("answer", "future", "lost", "place")

    def __init__(self, answer: Answer | str | None = None) -> None:
        self.answer = answer
        self.future: Future[list[Answer | str]] | None = None
        self.place = 0
        self.lost = False

    @property
    def is_ready(self) -> bool:
        """Whether the answer can be had without waiting."""
        return self.answer is not None or (self.future is not None and self.future.done())

    def wait(self) -> Answer | str:
        """Return the answer, or what is wrong with the question."""
        if self.answer is None:
            assert self.future is not None
            try:
                self.answer = self.future.result()[self.place]
            except LostBlockError as error:
                self.answer, self.lost = str(error), True
            self.future = None
        return self.answer


@dataclass(frozen=True, slots=True)
class _Waiting:
    index: int
    row: Row
    hand: Hand | None
    terms: Terms | None
    entry: Entry
    repeated: bool


Known: TypeAlias = Callable[[int, Row], Answer | str | None]


class Flow:
    """Rows on their way to results.

    Parameters
    ----------
    asked : Asked
    submit : Submit
    window : int
        Rows read ahead of the oldest that is not answered.
    chunk : int
        Rows of one piece of work; pieces end at its multiples.
    known : callable, optional
        Given a row's number from 0 and the row: the answer where it is known from an earlier run.
    """

    def __init__(
        self,
        asked: Asked,
        submit: Submit,
        window: int,
        chunk: int = 1,
        known: Known | None = None,
    ) -> None:
        self._asked = asked
        self._submit = submit
        self._window = window
        self._chunk = chunk
        self._known = known
        self._entries: OrderedDict[tuple[int, Terms], Entry] = OrderedDict()
        self._terms: OrderedDict[tuple[tuple[str, str], ...], Terms | str] = OrderedDict()
        self._waiting: deque[_Waiting] = deque()
        self._piece: list[tuple[Hand, Terms, Entry]] = []
        self._number = 0

    def results(self, rows: Iterable[Row | None]) -> Iterator[Result]:
        """Yield a result for each row, in order; None stands for a row that is still to come."""
        taken = 0
        for row in rows:
            if row is not None:
                self._take(taken, row)
                self._number = taken // self._chunk
                taken += 1
            if row is None or taken % self._chunk == 0:
                self._send()
            while self._waiting and (
                len(self._waiting) > self._window or self._waiting[0].entry.is_ready
            ):
                yield self._next()
        self._send()
        while self._waiting:
            yield self._next()

    def _next(self) -> Result:
        if self._piece and not self._waiting[0].entry.is_ready:
            self._send()
        item = self._waiting.popleft()
        row, found = item.row, item.entry.wait()
        answer = found if isinstance(found, Answer) else None
        return Result(
            row.source,
            row.line,
            row.id,
            row.hand if item.hand is None else str(item.hand),
            item.terms,
            self._asked.seed,
            answer,
            None if answer is not None else str(found),
            row.extra,
            item.repeated,
            item.entry.lost,
        )

    def _take(self, index: int, row: Row) -> None:
        """Take a row in: see what it asks, and whether that was asked before."""
        known = None if self._known is None else self._known(index, row)
        try:
            hand, terms = self.read(row)
        except AdvisorError as error:
            self._waiting.append(_Waiting(index, row, None, None, Entry(str(error)), False))
            return
        key = (hand.packed, terms)
        entry = self._entries.get(key)
        repeated = entry is not None
        if entry is None:
            entry = self._entries[key] = Entry(known)
            if len(self._entries) > REPEATS:
                self._entries.popitem(last=False)
            if known is None:
                self._piece.append((hand, terms, entry))
        else:
            self._entries.move_to_end(key)
        self._waiting.append(_Waiting(index, row, hand, terms, entry, repeated))

    def read(self, row: Row) -> tuple[Hand, Terms]:
        """Return what a row asks.

        Raises
        ------
        AdvisorError
            If it cannot be read.
        """
        if row.error is not None:
            raise HandError(row.error)
        return parse_hand(row.hand, (HAND_SIZE,)), self._terms_of(row.options)

    def _terms_of(self, options: Mapping[str, str]) -> Terms:
        if not options:
            return self._asked.terms
        key = tuple(options.items())
        found = self._terms.get(key)
        if found is None:
            try:
                found = self._asked.terms_of(options)
            except AdvisorError as error:
                found = str(error)
            self._terms[key] = found
            if len(self._terms) > _MOST_TERMS:
                self._terms.popitem(last=False)
        if isinstance(found, str):
            raise OptionError(found)
        return found

    def _send(self) -> None:
        if not self._piece:
            return
        hands = tuple((hand, terms) for hand, terms, _ in self._piece)
        future = self._submit(Work(self._asked, hands, self._number))
        for place, (_, _, entry) in enumerate(self._piece):
            entry.future, entry.place = future, place
        self._piece = []


def here(work: Work) -> Future[list[Answer | str]]:
    """Do some work at once, in this thread."""
    done: Future[list[Answer | str]] = Future()
    done.set_result(judge_all(work))
    return done


def near_window(jobs: int) -> int:
    """Return how many rows to read ahead for some threads."""
    return 16 + 8 * jobs


def submit_to(executor: Executor) -> Submit:
    """Return a way to have work done by an executor."""

    def submit(work: Work) -> Future[list[Answer | str]]:
        return executor.submit(judge_all, work)

    return submit
