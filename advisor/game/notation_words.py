"""The words and signs of written hands, and the items that they are read into.

Everything here is data and plain text; `advisor.game.notation_scan` does the reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from advisor.errors import HandError
from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_NAMES,
    RUN_RANKS,
    SPADES,
    SUIT_LETTERS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    SUITS,
    TEN,
    Card,
    Suit,
    make_card,
)

RANKS_HINT: Final = "use A T K Q J 9 (10 = T)"
SHOWN_LENGTH: Final = 40

SUIT_SIGNS: Final = f"[{SUIT_LETTERS}{SUIT_SYMBOLS}]"
_FOREIGN_SIGNS: Final = {
    **dict(zip("♤♡♢♧", SUIT_SYMBOLS, strict=True)),
    **dict.fromkeys("❤", "♥"),
    **dict.fromkeys("‐‑‒–—―−∅", "-"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("•·\r\x0b\x0c", " "),
    **dict.fromkeys("\u2028\u2029\x85", "\n"),
    # Emoji selectors, joiners, direction marks and keycaps say nothing about the card.
    **dict.fromkeys("\ufe0e\ufe0f\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u20e3", ""),
    "×": "X",
    "🔟": "10",
}
_GLYPH_RANKS: Final = "A23456789TJ?QK"

RANK_PIECES: Final = {
    **{"A": ACE, "T": TEN, "10": TEN, "0": TEN, "K": KING, "Q": QUEEN, "J": JACK},
    **{"9": NINE, "N": NINE},
}
NUMBER_PIECES: Final = {"1": ACE, "10": TEN, "13": KING, "12": QUEEN, "11": JACK, "9": NINE}
RANK_WORDS: Final = {
    **{name.upper(): rank for rank, name in enumerate(RANK_NAMES)},
    **{"KNAVE": JACK, "DIX": NINE, "DECE": NINE, "DEECE": NINE},
}
COUNT_WORDS: Final = {
    **{"ONE": 1, "SINGLE": 1, "SINGLETON": 1, "LONE": 1, "TWO": 2, "BOTH": 2, "PAIR": 2},
    **{"DOUBLE": 2, "THREE": 3, "TRIPLE": 3, "FOUR": 4},
    **{str(number): number for number in range(2, 9)},
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID_WORDS: Final = _words("VOID NONE NO NIL EMPTY NOTHING ZERO")
SUIT_COMBOS: Final[dict[str, tuple[int, ...]]] = {
    **dict.fromkeys(_words("RUN FLUSH FAMILY ROPE BOOK SEQUENCE"), RUN_RANKS),
    "MARRIAGE": (KING, QUEEN),
}
_PINOCHLE: Final = (make_card(SPADES, QUEEN), make_card(DIAMONDS, JACK))
_ROUNDHOUSE: Final = tuple(make_card(suit, rank) for suit in SUITS for rank in (KING, QUEEN))
FIXED_COMBOS: Final[dict[str, tuple[Card, ...]]] = {
    **{"PINOCHLE": _PINOCHLE, "PINOCLE": _PINOCHLE},
    **{"ROUNDHOUSE": _ROUNDHOUSE, "ROUNDTABLE": _ROUNDHOUSE},
}
AROUND_VALUES: Final = {"HUNDRED": ACE, "100": ACE, "80": KING, "60": QUEEN, "40": JACK}
# Words of `I was dealt ...` and `... is my hand`.
LEAD_WORDS: Final = _words(
    "I I'M I'VE WE WE'VE YOU YOU'VE MY YOUR THE THIS THESE THAT THAT'S HERE HERE'S HAND HANDS CARD "
    "CARDS IS ARE AM WAS WERE BEEN GIVEN DEALT HOLD HOLDS HOLDING HAVE HAS HAD GOT"
)
LINKS: Final = _words("AND PLUS WITH")
FILLERS: Final = LEAD_WORDS | LINKS | _words("OF IN AN ALSO THEN EXTRA ANOTHER SUIT ROYAL")
# Besides melds, what an `a` before it makes no ace.
ARTICLE_WORDS: Final = _words("PAIR DOUBLE SINGLE SINGLETON LONE TRIPLE CARD HAND")
# Words of the table for kinds of cards: a hand told with them is not exact.
KIND_WORDS: Final = _words(
    "LEG LEGS PART PARTS HALF COUNTER COUNTERS POINTER POINTERS GARBAGE TRUMP TRUMPS LOSER LOSERS "
    "WINNER WINNERS SINGLES BULLET BULLETS LONER LONERS MELD POINTS RED BLACK LOW SMALL SPOT SPOTS "
    "OFFSUIT ANY SOME ALL OTHER OTHERS REST"
)
_SPELLED: Final = (
    RANK_WORDS.keys() | COUNT_WORDS.keys() | SUIT_COMBOS.keys() | FIXED_COMBOS.keys()
) | (VOID_WORDS | FILLERS | KIND_WORDS | _words("AROUND TWICE"))

TOKEN: Final = re.compile(
    rf"""
    (?P<copy>(?:(?<=[AKQJTN0-9]{SUIT_SIGNS})|(?<={SUIT_SIGNS}[AKQJTN9])|(?<={SUIT_SIGNS}10))_[0-2](?![A-Z0-9]))
    |(?P<times>\(?[X*]\s?(?P<after>[1-8])\)?(?![A-Z0-9])|\((?P<parens>[1-8])X?\)
      |(?<![A-Z0-9])(?P<last>[1-8])[X*](?=\s*+(?:[,;|)\]\n+&]|\Z)))
    |(?P<many>(?<![A-Z0-9])(?P<before>[1-8])\s?[X*]\s?(?=[A-Z0-9{SUIT_SYMBOLS}]))
    |(?P<word>(?:I'M|(?:I|WE|YOU)'VE|(?:HERE|THAT)'S)(?![A-Z0-9])|(?:(?![X*][1-8](?![A-Z0-9]))[A-Z0-9{SUIT_SYMBOLS}])+)(?P<plural>'S(?![A-Z0-9]))?
    |(?P<mark>[:=])
    |(?P<strong>[;|])
    |(?P<line>\n)
    |(?P<weak>[,./\\])
    |(?P<dash>-+)
    |(?P<join>[+&])
    |(?P<space>(?:[\s)\[\]{{}}<>"'`!_]|\((?!X?[1-8]X?\)))+)
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Bond(Enum):
    """Where the ranks of a suit stand: after it, as after a label, or before it, as in `AS`."""

    LABEL = "label"
    TRAILER = "trailer"


@dataclass(slots=True)
class Rank:
    """A rank still to be given a suit; `word` tells which ranks and suits were written as one."""

    rank: int
    raw: str
    word: int
    start: int
    end: int
    copies: int = 1
    counted: bool = False


@dataclass(slots=True)
class SuitMark:
    """A suit; `bond` is None where the words alone do not tell on which side its ranks stand."""

    suit: Suit
    word: int
    start: int
    end: int
    bond: Bond | None = None
    colon: bool = False
    tight: bool = False
    of: bool = False


@dataclass(slots=True)
class Combo:
    """Cards named together: a run, a marriage, a pinochle; a void has none."""

    ranks: tuple[int, ...]
    cards: tuple[Card, ...]
    copies: int
    start: int
    end: int
    suit: Suit | None = None


@dataclass(slots=True)
class Void:
    """A dash, or a word such as `none` that rules out any rank of the suit."""

    word: bool
    start: int
    end: int
    spot: bool = False


@dataclass(slots=True)
class Break:
    """A comma or full stop, a stronger sign such as `;` or a new line, or an `and`."""

    sign: str
    start: int
    end: int


Item: TypeAlias = Rank | SuitMark | Combo | Void | Break


def shorten(text: str) -> str:
    r"""Return `text` quoted, on one line and cut to about 40 characters.

    >>> shorten("A\tK")
    "'A\\tK'"
    """
    return repr(text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…")


@dataclass(frozen=True, slots=True)
class Source:
    """A text in capitals and plain signs, with the place of each character in the original."""

    original: str
    text: str
    origin: Sequence[int]

    @classmethod
    def of(cls, original: str) -> Source:
        """Return the source of a text: full-width forms, pips, card glyphs and case made plain.

        >>> Source.of("a♤ １０♡ 🂡").text
        'A♠ 10♥  AS '
        """
        if original.isascii():
            return cls(original, original.upper().replace("\r", " "), range(len(original)))
        pieces = [_plain(character) for character in original]
        origin = [place for place, piece in enumerate(pieces) for _ in piece]
        return cls(original, "".join(pieces), origin)

    def blank(self, start: int, end: int, sign: str = "") -> Source:
        """Return the source with a stretch made blank, so that all columns stay right.

        >>> Source.of("N: AS").blank(0, 2).text
        '   AS'
        """
        text = self.text[:start] + sign.ljust(end - start) + self.text[end:]
        return Source(self.original, text, self.origin)

    def error(self, start: int, end: int, reason: str) -> HandError:
        """Return the error of one place: its column, what stands there and the reason.

        >>> str(Source.of("AS 8S").error(3, 5, "not a card"))
        "column 4: '8S': not a card"
        """
        first, last = self.origin[start], self.origin[end - 1] + 1
        line = self.original.count("\n", 0, first)
        column = first - self.original.rfind("\n", 0, first)
        where = f"line {line + 1} column {column}" if line else f"column {column}"
        return HandError(f"{where}: {shorten(self.original[first:last])}: {reason}")


def _plain(character: str) -> str:
    """Return a character as capitals and plain signs; `🂡` becomes the card it shows."""
    if character in _FOREIGN_SIGNS:
        return _FOREIGN_SIGNS[character]
    glyph = ord(character) - 0x1F0A0
    if 0 <= glyph < 64 and 0 < glyph % 16 <= len(_GLYPH_RANKS):
        return f" {_GLYPH_RANKS[glyph % 16 - 1]}{SUIT_LETTERS[glyph // 16]} "
    plain = unicodedata.normalize("NFKC", character)
    return plain.upper() if plain.isascii() else plain


def suit_of_word(word: str) -> Suit | None:
    """Return the suit of a letter, a symbol or a name, or None.

    >>> [suit_of_word(word) for word in ("H", "♦", "CLUBS", "DIA", "X")]
    [1, 2, 3, 2, None]
    """
    if len(word) == 1:
        place = (SUIT_LETTERS + SUIT_SYMBOLS).find(word)
        return place % 4 if place >= 0 else None
    for suit, name in enumerate(SUIT_NAMES):
        if word and name.upper().startswith((word, word.removesuffix("S") or word)):
            return suit if len(word.removesuffix("S")) > 1 else None
    return None


def is_vocabulary(word: str) -> bool:
    """Tell whether a word is spelled out, and not a string of card letters.

    >>> is_vocabulary("JACKS"), is_vocabulary("AKQ")
    (True, False)
    """
    single = word.removesuffix("S")
    return (
        bool({word, single} & _SPELLED)
        or word in AROUND_VALUES
        or (len(word) > 1 and suit_of_word(word) is not None)
    )
