"""One row of the output: the row as it was read, and what was found out about its hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from advisor.batch.answers import ANSWER_FIELDS, Answer
from advisor.batch.hand_columns import NAMES, plain_name
from advisor.errors import OptionError
from advisor.game.cards import SUIT_LETTERS
from advisor.game.settings import nearest, show
from advisor.report.frame import rules_text

if TYPE_CHECKING:
    from advisor.batch.questions import Terms
    from advisor.game.rules import Rules

_BEFORE: Final = ("file", "line", "id", "hand")
_AFTER: Final = ("rules", "seed", "error")
COLUMNS: Final = (*_BEFORE, *ANSWER_FIELDS, *_AFTER)
TEXTS: Final = frozenset(
    ("file", "id", "hand", "trump", "action", "close", "engine", "rules", "error")
)
WHOLE: Final = frozenset(
    ("line", "call", "bid", "ceiling", "meld", "samples", "correction", "seed")
)
# Texts that come from whoever wrote the file.
USER_TEXTS: Final = frozenset(("file", "id", "error"))


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of one row.

    Parameters
    ----------
    source, line, id : str, int, str or None
        Where the row stands, and the user's own name for it.
    hand : str
        In canonical form; as written where it cannot be read.
    terms : Terms or None
        Under what it was judged, None where that cannot be read.
    seed : int
    answer : Answer or None
    error : str or None
        Why there is no answer, in one line.
    extra : mapping of str to str
        Columns carried through.
    repeated : bool
        Whether the same question was met before, and its answer taken from there.
    lost : bool
        Whether it may have an answer that no worker lived to give.
    """

    source: str
    line: int
    id: str | None
    hand: str
    terms: Terms | None
    seed: int
    answer: Answer | None
    error: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    repeated: bool = False
    lost: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the values by column, absent ones None; columns carried through come last.

        >>> from advisor.batch import evaluate
        >>> [bad] = evaluate(["AATKQJ.AK.QJ.T"])
        >>> bad.as_dict()["error"]
        'hand has 11 cards, expected 12: AATKQJ.AK.QJ.T'
        """
        found = self.values()
        for name, value in zip(carried_names(self.extra), self.extra.values(), strict=True):
            found[name] = value
        return found

    def values(self) -> dict[str, Any]:
        """Return the values of `COLUMNS` by name."""
        found: dict[str, Any] = {
            "file": _file_name(self.source), "line": self.line, "id": self.id, "hand": self.hand
        }  # fmt: skip
        if self.answer is None:
            found.update(dict.fromkeys(ANSWER_FIELDS))
        else:
            found.update(zip(ANSWER_FIELDS, self.answer.as_list(), strict=True))
            found["trump"] = SUIT_LETTERS[self.answer.trump]
        found["rules"] = None if self.terms is None else _rules_text(self.terms.rules)
        found["seed"] = self.seed
        found["error"] = self.error
        return found


@lru_cache(maxsize=64)
def _file_name(name: str) -> str:
    """Return the name of a file as text: on some systems it may be any bytes."""
    return name.encode("utf-8", "backslashreplace").decode()


@lru_cache(maxsize=256)
def _rules_text(rules: Rules) -> str:
    return rules_text(rules)


def carried_names(columns: Iterable[str]) -> list[str]:
    """Return the names under which columns are carried through: never one of our own.

    >>> carried_names(["table", "bid"])
    ['table', 'input_bid']
    """
    names: list[str] = []
    columns = list(columns)
    for column in columns:
        name = column
        while name in COLUMNS or name in names or (name != column and name in columns):
            name = f"input_{name}"
        names.append(name)
    return names


def select(text: str, carried: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that ``--columns`` names, in that order.

    Parameters
    ----------
    text : str
        Names with commas between them, in any case; ``all`` stands for all.
    carried : sequence of str
        Names of the columns carried through.

    Raises
    ------
    OptionError
        If there is no such column, or one is named twice.

    >>> select("hand, Bid", ())
    ('hand', 'bid')
    >>> select("hand,ceilng", ())
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: columns: 'ceilng' is no column; did you mean ceiling?
    """
    known = (*COLUMNS, *carried)
    by_case = {name.lower(): name for name in reversed(known)}
    chosen: list[str] = []
    for word in text.split(","):
        name = word.strip()
        if name.lower() == "all":
            more = [item for item in known if item not in chosen]
        elif name in known or name.lower() in by_case:
            more = [name if name in known else by_case[name.lower()]]
        else:
            if plain_name(name) in NAMES:
                hint = "; what stands for the id is called id"
            else:
                hint = nearest(name, known) or f"; expected some of: {', '.join(known)}"
            raise OptionError(f"columns: {show(name)} is no column{hint}")
        for item in more:
            if item in chosen:
                raise OptionError(f"columns: expected each once, found {item} twice")
            chosen.append(item)
    return tuple(chosen)
