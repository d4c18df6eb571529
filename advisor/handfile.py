"""Files of hands: one a line, in any notation that ``advisor bid`` reads. No numpy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from advisor.dealfile import MAX_LINE, bounded_lines
from advisor.errors import HandError
from advisor.game.cards import HAND_SIZE
from advisor.game.notation import parse_hand

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.game.cards import Hand

MOST_HANDS: Final = 1_000_000


def read_hands(lines: Iterable[str], name: str) -> list[Hand]:
    r"""Return the hands of some lines; empty ones and those that begin with # are passed over.

    Parameters
    ----------
    lines : iterable of str
    name : str
        Of the file, for messages.

    Raises
    ------
    HandError
        If there is no hand, or a line is none; the message names file and line.

    >>> read_hands(["# mine\n", "AATKQJ.AK.QJ.T9\n"], "mine.txt")[0].counts[0]
    0
    >>> read_hands(["AATKQJ.AK.QJ.T"], "mine.txt")
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: mine.txt:1: hand has 11 cards, expected 12: AATKQJ.AK.QJ.T
    """
    hands: list[Hand] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if len(text) > MAX_LINE:
            raise HandError(f"{name}:{number}: expected a hand, found a line of over {MAX_LINE}")
        try:
            hands.append(parse_hand(text, (HAND_SIZE,)))
        except HandError as error:
            raise HandError(f"{name}:{number}: {error}") from None
        if len(hands) > MOST_HANDS:
            raise HandError(f"{name}: expected at most {MOST_HANDS:,} hands, found more")
    if not hands:
        raise HandError(f"{name}: expected a hand on a line, found none")
    return hands


def load_hands(path: str) -> list[Hand]:
    """Return the hands of a file.

    Raises
    ------
    HandError
        As `read_hands`.
    OSError
        If it cannot be read.
    """
    # Some editors begin a file with a byte-order mark.
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        return read_hands(bounded_lines(file), path)
