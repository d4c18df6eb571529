"""The ranks and suits inside a word of card letters, such as `AS`, `SATKQJ9` or `A1KQ`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from advisor.errors import HandError
from advisor.game.notation_words import RANK_PIECES, RANKS_HINT, SUIT_SIGNS, Source, suit_of_word

_LETTER_PIECE: Final = re.compile(rf"10|[AKQJTN901]|{SUIT_SIGNS}")
_NUMBER_PIECE: Final = re.compile(rf"1[0-3]?|9|{SUIT_SIGNS}")
_LONE_NUMBER: Final = re.compile(rf"1[1-3](?:{SUIT_SIGNS}|$)|{SUIT_SIGNS}1[1-3]")
# The `1` of 'A1KQ' is a ten, so that '11' beside it is two.
_ONE_TEN: Final = re.compile(r"[AKQJ]1(?!0)|(?<!1)1[AKQJ9]")
_TWO_TENS: Final = re.compile(rf"11{SUIT_SIGNS}?|{SUIT_SIGNS}11")


@dataclass(frozen=True, slots=True)
class Signs:
    """How the signs of a text are taken.

    Parameters
    ----------
    numeric : bool
        Whether ``1`` is the ace and ``11`` the jack.
    one_is_ten : bool
        Whether ``1`` is the ten, so that ``11`` is two of them.
    listed : bool
        Whether a word here is a list of ranks, so that no sign of it stands for a suit.
    """

    numeric: bool = False
    one_is_ten: bool = False
    listed: bool = False


def is_numeric(words: Sequence[str]) -> bool:
    """Tell whether card words write the ranks as numbers.

    >>> is_numeric(["1S", "11D"]), is_numeric(["AS", "11D"])
    (True, False)
    """
    return any(map(_LONE_NUMBER.search, words)) and not any(
        letter in word for word in words for letter in "AKQJT"
    )


def uses_one_as_ten(words: Sequence[str]) -> bool:
    """Tell whether card words write the ten as `1` and the ace as `A`.

    >>> uses_one_as_ten(["A1KQ", "11"]), uses_one_as_ten(["AKQ", "11"])
    (True, False)
    """
    return any("A" in word for word in words) and any(map(_ONE_TEN.search, words))


def stands_alone(word: str, at: int) -> bool:
    """Tell whether the rank at a place is the only one of its suit in the word.

    >>> stands_alone("1S", 0), stands_alone("S1K", 1)
    (True, False)
    """
    beside = word[max(at - 1, 0) : at] + word[at + 1 : at + 2]
    return all(suit_of_word(sign) is not None for sign in beside)


def card_pieces(
    source: Source, word: str, start: int, signs: Signs, *, after_of: bool = False
) -> list[tuple[str, int]]:
    """Return the ranks and suits of a word of card letters, each with its place.

    >>> card_pieces(Source.of("10S"), "10S", 0, Signs())
    [('10', 0), ('S', 2)]

    Raises
    ------
    HandError
        If a sign is no rank and no suit; the message says which of them it should be.
    """
    pattern = _NUMBER_PIECE if signs.numeric else _LETTER_PIECE
    two_tens = signs.one_is_ten and _TWO_TENS.fullmatch(word)
    if not signs.numeric and not two_tens and _LONE_NUMBER.fullmatch(word):
        reason = "numbers and letters are mixed; use T K Q J A"
        raise source.error(start, start + len(word), reason)
    pieces: list[tuple[str, int]] = []
    at = 0
    while at < len(word):
        match = pattern.match(word, at)
        joined = signs.numeric and at > 0 and word[at - 1 : at + 1].isdigit()
        if match is None or joined:
            raise _strange_piece(source, word, at, start, signs.listed, after_of)
        pieces.append((match[0], start + at))
        at = match.end()
    return pieces


def _strange_piece(
    source: Source, word: str, at: int, start: int, listed: bool, after_of: bool
) -> HandError:
    """Say whether a sign that cannot be read stands for a rank, a suit or a word."""
    sign, end = word[at], start + len(word)
    hint = "; a spot card 'x' is not exact, name every card" if sign == "X" else ""
    strange = sum(letter not in "AKQJTNSHDCX" for letter in word)
    if word.isalpha() and (len(word) > 3 or strange > 1) and strange:
        return source.error(start, end, "expected a rank, a suit or a card such as AS")
    # The last sign of 'H A8' stands in a list of ranks, and that of '9Z' where a suit should.
    last = at == len(word) - 1 and word[:at] in RANK_PIECES and not listed
    if after_of or (last and not sign.isdigit()):
        return source.error(start, end, f"'{sign}' is not a suit; use S H D C{hint}")
    return source.error(start, end, f"'{sign}' is not a rank; {RANKS_HINT}{hint}")
