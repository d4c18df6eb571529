"""Texts of hands, all held at once: one a line, as ``advisor batch`` reads them. No numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from advisor.batch.rows import read_rows
from advisor.errors import HandError
from advisor.game.notation import parse_hand

if TYPE_CHECKING:
    from advisor.game.cards import Hand

MOST_HANDS: Final = 1_000_000


def load_hands(path: str) -> list[Hand]:
    r"""Return the hands of a text; empty lines and those that begin with # are passed over.

    Parameters
    ----------
    path : str
        The file, which may be packed by gzip or xz; an id may stand before a hand.

    Raises
    ------
    HandError
        If there is no hand, or a line is none; the message names file and line.
    RowsError
        If it cannot be read, or is no text.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".txt") as file:
    ...     _ = file.write(b"# mine\nAATKQJ.AK.QJ.T9\n")
    ...     file.flush()
    ...     load_hands(file.name)[0].counts[0]
    0
    """
    hands: list[Hand] = []
    for row in read_rows(path, form="text"):
        if row.error is not None:
            raise HandError(f"{path}:{row.line}: {row.error}")
        try:
            hands.append(parse_hand(row.hand))
        except HandError as error:
            raise HandError(f"{path}:{row.line}: {error}") from None
        if len(hands) > MOST_HANDS:
            raise HandError(f"{path}: expected at most {MOST_HANDS:,} hands, found more")
    if not hands:
        raise HandError(f"{path}: expected a hand on a line, found none")
    return hands
