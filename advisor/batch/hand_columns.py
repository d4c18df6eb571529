"""What the columns of a hand file mean, and the row that the cells of one row make."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from advisor.batch.damaged import USUAL_CARDS, damage
from advisor.batch.rows import Row, RowsError
from advisor.game.cards import HAND_SIZE
from advisor.game.rules import Rules
from advisor.game.settings import nearest, public_name, show

_AUCTION: Final = ("trump", "seat", "dealer", "auction", "score_us", "score_them")
# Columns of these names are about something else: players, cities, clubs.
_NO_RULES: Final = frozenset(("name", "source"))
_RULES: Final = tuple(item.name for item in dataclasses.fields(Rules) if item.name not in _NO_RULES)
_NUMBERED: Final = re.compile(r"(?:c|card)0*([1-9][0-9]?)")
_SCORE: Final = re.compile(r"([+-]?[0-9]+)(?:\s*[,;:/]\s*|\s+|\s*[–-]\s*)([+-]?[0-9]+)")
# What people call a hand where no column is the id, the first of these that is there (plain).
NAMES: Final = ("handid", "name", "player", "label", "number", "no", "board")
# Options of the whole run that a row might be thought to have too.
OF_ALL_ROWS: Final = ("rules", "convention", "engine", "samples", "seed", "precision")
# The names of the cells that a message lists.
_LISTED: Final = 8
_COMPARED: Final = 100


def plain_name(name: str) -> str:
    """Return the name of a column without case, blanks, dashes and underscores.

    >>> plain_name(" Score-Us "), plain_name("score_us")
    ('scoreus', 'scoreus')
    """
    return re.sub(r"[\s_-]+", "", name).lower()


_KEYS: Final = {
    **{plain_name(key): key for key in _AUCTION},
    **{plain_name(key): public_name(key) for key in _RULES},
    **{plain_name(public_name(key)): public_name(key) for key in _RULES},
    **{key: key for key in ("hand", "id", "score")},
}


@dataclass(frozen=True, slots=True)
class HandColumns:
    """Which cell of a row is what, by its place.

    Parameters
    ----------
    width : int
        Cells of a row.
    hand : tuple of int
        The cell of the hand, or the twelve cells of its cards.
    names : tuple of str
        The names of those cells as written, for messages.
    id, score : int or None
        Cell of the id, or of what stands for it (`NAMES`), and of both scores together.
    options, extra : tuple of (str, int)
        Canonical name or name as written, and the cell.
    """

    width: int
    hand: tuple[int, ...]
    names: tuple[str, ...]
    id: int | None
    score: int | None
    options: tuple[tuple[str, int], ...]
    extra: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, names: Sequence[str]) -> HandColumns:
        """Return the meaning of columns by their names.

        Raises
        ------
        RowsError
            If no column is the hand, or two are the same; the line names them.

        >>> HandColumns.of(["Nr", "HAND", "Pass"]).options
        (('pass', 2),)
        >>> HandColumns.of(["board", "Player", "hand"]).id
        1
        >>> HandColumns.of(["nr", "hnd"])
        Traceback (most recent call last):
        ...
        advisor.batch.rows.RowsError: expected a column hand or twelve columns of cards, found \
nr, hnd; did you mean hand?
        """
        names = [name.strip() for name in names]
        known: dict[str, int] = {}
        for place, name in enumerate(names):
            key = _KEYS.get(plain_name(name))
            if key is not None:
                if key in known:
                    raise _twice(names[known[key]], name)
                known[key] = place
        if "hand" not in known and (cards := _stands_for_hand(names)) is not None:
            known["hand"] = cards
        if "score" in known and (both := known.keys() & {"score_us", "score_them"}):
            raise _twice("score", min(both))
        hand = (known.pop("hand"),) if "hand" in known else _card_columns(names, known)
        if "id" not in known and (found := _stands_for_id(names, hand)) is not None:
            known["id"] = found
        extra: dict[str, int] = {}
        taken = {*hand, *known.values()}
        for place, name in enumerate(names):
            if place in taken:
                continue
            if name in extra or ("id" in known and name == names[known["id"]]):
                raise _twice(name, name)
            extra[name] = place
        return cls(
            len(names),
            hand,
            tuple(names[place] for place in hand),
            known.pop("id", None),
            known.pop("score", None),
            tuple(known.items()),
            tuple(extra.items()),
        )

    @property
    def has_auction(self) -> bool:
        """Whether there is a column of the calls so far."""
        return any(name == "auction" for name, _ in self.options)

    @property
    def carried(self) -> tuple[str, ...]:
        """The names of the columns that mean nothing here."""
        return tuple(name for name, _ in self.extra)

    def row(self, source: str, line: int, cells: Sequence[str]) -> Row:
        """Return the row of some cells, which are as many as the columns.

        >>> columns = HandColumns.of(["hand", "score"])
        >>> columns.row("x.csv", 2, ["AATKQJ.AK.QJ.T9", "900 -20"]).options
        {'score_us': '900', 'score_them': '-20'}
        >>> HandColumns.of(["hand"]).row("x.csv", 2, ["10-Sep"]).error
        "hand: '10-Sep' looks like a date: format the column as text"
        """
        name = None if self.id is None else cells[self.id].strip() or None
        options: dict[str, str] = {}
        for key, place in self.options:
            if value := cells[place].strip():
                # Where some cells are empty, a table of numbers is often written with decimals.
                whole = value.endswith(".0") and value[:-2].removeprefix("-").isdecimal()
                options[key] = value[:-2] if whole else value
        error = None
        if self.score is not None and (both := cells[self.score].strip()):
            if found := _SCORE.fullmatch(both):
                options["score_us"], options["score_them"] = found[1], found[2]
            else:
                error = f"score: expected ours and theirs, such as 900 1100, found {show(both)}"
        if len(self.hand) == 1:
            hand = cells[self.hand[0]].strip()
            cards = [hand]
        else:
            cards = [cells[place].strip() for place in self.hand]
            hand = " ".join(cards).strip()
        for place, card in enumerate(cards):
            if card not in USUAL_CARDS and (kind := damage(card)):
                cell = f"{_shown(self.names[place])}: {show(card)}"
                error = f"{cell} looks like {kind}: format the column as text"
                break
        if not hand:
            error = "expected twelve cards, found none"
        extra = {name: cells[place] for name, place in self.extra} if self.extra else {}
        return Row(source, line, name, "" if error else hand, options, extra, error)


def _stands_for_hand(names: Sequence[str]) -> int | None:
    """Return the place of a column ``cards``, which is the hand where none is called so.

    Beside columns of single cards it is something else.

    >>> _stands_for_hand(["nr", "Cards"]), _stands_for_hand(["cards", "card 1", "card 2"])
    (1, None)
    """
    plain = [plain_name(name) for name in names]
    found = [place for place, name in enumerate(plain) if name == "cards"]
    return found[0] if len(found) == 1 and not any(map(_NUMBERED.fullmatch, plain)) else None


def _stands_for_id(names: Sequence[str], hand: Sequence[int]) -> int | None:
    """Return the place of the column that stands for the id where none is called so."""
    plain = [plain_name(name) for name in names]
    found = [plain.index(name) for name in NAMES if name in plain]
    return next((place for place in found if place not in hand), None)


def _card_columns(names: Sequence[str], known: dict[str, int]) -> tuple[int, ...]:
    """Return the places of twelve columns of cards: numbered, or one beside the other."""
    plain = [plain_name(name) for name in names]
    numbered: dict[int, int] = {}
    for place, name in enumerate(plain):
        if found := _NUMBERED.fullmatch(name):
            first = numbered.setdefault(int(found[1]), place)
            if first != place:
                raise _twice(names[first], names[place])
    if sorted(numbered) == list(range(1, HAND_SIZE + 1)):
        return tuple(numbered[number] for number in range(1, HAND_SIZE + 1))
    taken = set(known.values())
    cards = [
        place for place, name in enumerate(plain) if name.startswith("card") and place not in taken
    ]
    if len(cards) == HAND_SIZE and cards[-1] - cards[0] == HAND_SIZE - 1:
        return tuple(cards)
    wanted = "expected a column hand or twelve columns of cards"
    if len(numbered) > 1 or len(cards) > 1:
        raise RowsError(f"{wanted}, found {max(len(numbered), len(cards))} columns of cards")
    hints = (nearest("hand", [name], 0.7) for name in plain[:_COMPARED] if name not in _KEYS)
    hint = "; did you mean hand?" if any(hints) else ""
    shown = [_shown(name) for name in names[:_LISTED]]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    raise RowsError(f"{wanted}, found {', '.join(shown) or 'none'}{more}{hint}")


def _shown(name: str) -> str:
    r"""Return the name of a column as a message shows it.

    >>> _shown("card_1"), _shown("card 1"), _shown("\x1b")
    ('card_1', "'card 1'", "'\\x1b'")
    """
    return name if re.fullmatch(r"\w{1,40}", name) else show(name)


def _twice(first: str, second: str) -> RowsError:
    if not first:
        return RowsError("expected a name for every column, found two without")
    also = "" if first == second else f" and {show(second)}"
    return RowsError(f"expected each column once, found {show(first)}{also} twice")
