"""The words and signs of a written hand, read into items that know their column.

The scanner settles what one word means (a rank, a suit, ``JDx2``, ``run in spades``); which suit
a bare rank belongs to is left to `advisor.game.notation`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NoReturn, TypeAlias

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

_S: Final = f"[{SUIT_LETTERS}{SUIT_SYMBOLS}]"
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

RANK_PIECES: Final = {"A": ACE, "T": TEN, "10": TEN, "0": TEN, "K": KING, "Q": QUEEN, "J": JACK}
RANK_PIECES |= {"9": NINE, "N": NINE}
NUMBER_PIECES: Final = {"1": ACE, "10": TEN, "13": KING, "12": QUEEN, "11": JACK, "9": NINE}
RANK_WORDS: Final = {name.upper(): rank for rank, name in enumerate(RANK_NAMES)}
RANK_WORDS |= {"KNAVE": JACK, "DIX": NINE, "DECE": NINE, "DEECE": NINE}
COUNT_WORDS: Final = {"ONE": 1, "SINGLE": 1, "SINGLETON": 1, "LONE": 1, "TWO": 2, "BOTH": 2}
COUNT_WORDS |= {"PAIR": 2, "DOUBLE": 2, "THREE": 3, "TRIPLE": 3, "FOUR": 4}
COUNT_WORDS |= {str(number): number for number in range(2, 9)}
VOID_WORDS: Final = frozenset({"VOID", "NONE", "NO", "NIL", "EMPTY", "NOTHING", "ZERO"})
SUIT_COMBOS: Final = {"RUN": RUN_RANKS, "MARRIAGE": (KING, QUEEN)}
SUIT_COMBOS |= dict.fromkeys(("FLUSH", "FAMILY", "ROPE", "BOOK", "SEQUENCE"), RUN_RANKS)
_PINOCHLE: Final = (make_card(SPADES, QUEEN), make_card(DIAMONDS, JACK))
_ROUNDHOUSE: Final = tuple(make_card(suit, rank) for suit in SUITS for rank in (KING, QUEEN))
FIXED_COMBOS: Final = {"PINOCHLE": _PINOCHLE, "PINOCLE": _PINOCHLE}
FIXED_COMBOS |= {"ROUNDHOUSE": _ROUNDHOUSE, "ROUNDTABLE": _ROUNDHOUSE}
AROUND_VALUES: Final = {"HUNDRED": ACE, "100": ACE, "80": KING, "60": QUEEN, "40": JACK}
FILLERS: Final = frozenset(
    "OF IN AND PLUS WITH THE AN MY HAND HANDS IS ARE I YOU YOUR HAVE HAS HOLD HOLDS HOLDING GOT "
    "ALSO THEN CARD CARDS EXTRA ANOTHER SUIT ROYAL HERE DEALT".split()
)
KIND_WORDS: Final = frozenset(
    "LEG LEGS PART PARTS HALF COUNTER COUNTERS POINTER POINTERS GARBAGE TRUMP TRUMPS LOSER LOSERS "
    "WINNER WINNERS SINGLES BULLET BULLETS LONER LONERS MELD POINTS RED BLACK LOW SMALL SPOT SPOTS "
    "OFFSUIT ANY SOME ALL OTHER OTHERS REST".split()
)

_TOKEN: Final = re.compile(
    rf"""
    (?P<copy>(?:(?<=[AKQJTN0-9]{_S})|(?<={_S}[AKQJTN9])|(?<={_S}10))_[0-2](?![A-Z0-9]))
    |(?P<times>\(?[X*]\s?(?P<after>[1-8])\)?(?![A-Z0-9])|\((?P<parens>[1-8])X?\))
    |(?P<many>(?<![A-Z0-9])(?P<before>[1-8])\s?[X*]\s?(?=[A-Z0-9{SUIT_SYMBOLS}]))
    |(?P<word>(?:(?![X*][1-8](?![A-Z0-9]))[A-Z0-9{SUIT_SYMBOLS}])+)(?P<plural>'S(?![A-Z0-9]))?
    |(?P<mark>[:=])
    |(?P<strong>[;|/\\\n])
    |(?P<weak>[,.])
    |(?P<dash>-+)
    |(?P<join>[+&])
    |(?P<space>[\s()\[\]{{}}<>"'`!_]+)
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LETTER_PIECE: Final = re.compile(rf"10|[AKQJTN901]|{_S}")
_NUMBER_PIECE: Final = re.compile(rf"1[0-3]?|9|{_S}")
_COPY_DIGIT: Final = re.compile(rf"(?:10|1[1-3]?|[AKQJTN09]){_S}[0-2]")
_LONE_NUMBER: Final = re.compile(rf"1[1-3](?:{_S}|$)|{_S}1[1-3]")


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
    """Return `text` quoted, on one line and cut to about 40 characters.

    >>> shorten("A\\tK")
    "'A\\\\tK'"
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

    def blank(self, start: int, end: int) -> Source:
        """Return the source with a stretch made blank, so that all columns stay right."""
        text = self.text[:start] + " " * (end - start) + self.text[end:]
        return Source(self.original, text, self.origin)

    def error(self, start: int, end: int, reason: str) -> HandError:
        """Return the error of one place: its column, what stands there and the reason."""
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


_SPELLED: Final = (
    RANK_WORDS.keys() | COUNT_WORDS.keys() | VOID_WORDS | SUIT_COMBOS.keys() | FIXED_COMBOS.keys()
) | (FILLERS | KIND_WORDS | {"AROUND", "TWICE"})


@dataclass(slots=True)
class _Scanner:
    """The state of one scan: the words found, and what the words so far announce."""

    source: Source
    words: list[re.Match[str]]
    items: list[Item] = field(default_factory=list)
    place: int = 0
    count: int = 0
    count_at: tuple[int, int] = (0, 1)
    preposition: str = ""
    around: bool = False
    numeric: bool = False
    copy_digits: bool = False
    suited: bool = False

    def fail(self, start: int, end: int, reason: str) -> NoReturn:
        raise self.source.error(start, end, reason)

    def next_word(self, ahead: int = 1) -> str:
        """Return a later word of the text if only blanks stand between, else ''."""
        for match in self.words[self.place + 1 :]:
            if match.lastgroup == "space":
                continue
            if match.lastgroup not in ("word", "plural"):
                return ""
            ahead -= 1
            if not ahead:
                return match["word"]
        return ""

    def scan(self) -> list[Item]:
        """Return the items of the text."""
        cards = [word for m in self.words if (word := m["word"]) and not is_vocabulary(word)]
        self.numeric = any(_LONE_NUMBER.search(word) for word in cards) and not any(
            letter in word for word in cards for letter in "AKQJT"
        )
        suited = [word for word in cards if re.search(_S, word)]
        self.suited = bool(suited) or any(
            suit_of_word(m["word"]) is not None for m in self.words if m["word"]
        )
        self.copy_digits = bool(suited) and all(map(_COPY_DIGIT.fullmatch, suited))
        for place, match in enumerate(self.words):
            self.place = place
            getattr(self, f"_on_{match.lastgroup}")(match)
        if self.count:
            self.fail(*self.count_at, "the card to be counted is missing after it")
        self._settle_ones()
        return self._settle_combos()

    def _on_copy(self, match: re.Match[str]) -> None:
        """Drop the copy index of `10S_1`."""

    def _on_space(self, match: re.Match[str]) -> None:
        """Pass over blanks, brackets and quotes."""

    def _on_other(self, match: re.Match[str]) -> None:
        self.fail(*match.span(), "expected cards such as AS, 10♥ or AATKQJ.AK.QJ.T9")

    def _on_times(self, match: re.Match[str]) -> None:
        """Read the copies written after a card: `JDx2`, `jack of diamonds (2)`."""
        self._repeat(int(match["after"] or match["parens"]), *match.span())

    def _repeat(self, copies: int, start: int, end: int) -> None:
        place = len(self.items) - 1
        if place >= 0 and isinstance(self.items[place], SuitMark):
            place -= 1
        last = self.items[place] if place >= 0 else None
        if not isinstance(last, Rank) or last.counted:
            self.fail(start, end, "no card stands before it to be repeated")
        before = self.items[place - 1] if place else None
        shared = place < len(self.items) - 1
        if isinstance(before, Rank) and (shared or before.word == last.word):
            self.fail(start, end, "it may repeat one card or several; name each card")
        last.copies, last.counted = copies, True

    def _on_many(self, match: re.Match[str]) -> None:
        """Read the copies written before a card: `2xJD`."""
        self._announce(int(match["before"]), *match.span())

    def _announce(self, copies: int, start: int, end: int) -> None:
        if self.count and copies != 1:
            self.fail(start, end, "two numbers of copies in a row")
        self.count, self.count_at = copies, (start, end)

    def _take_count(self, default: int = 1) -> tuple[int, bool]:
        """Return the copies announced for the card at hand, and whether any were."""
        copies, self.count = self.count, 0
        return copies or default, bool(copies)

    def _on_mark(self, match: re.Match[str]) -> None:
        """Read the colon of `S: A T K`."""
        if self.items and isinstance(mark := self.items[-1], SuitMark) and not mark.tight:
            mark.bond, mark.colon = Bond.LABEL, True

    def _on_strong(self, match: re.Match[str]) -> None:
        self.items.append(Break(";" if match[0] != "\n" else "\n", *match.span()))

    def _on_weak(self, match: re.Match[str]) -> None:
        self.items.append(Break(",", *match.span()))

    def _on_join(self, match: re.Match[str]) -> None:
        self.items.append(Break("and", *match.span()))

    def _on_dash(self, match: re.Match[str]) -> None:
        """Read a dash that stands alone as a void: `S ATKQJ9 H - D AJJ C KQ9`."""
        around = self.source.text[max(match.start() - 1, 0) : match.end() + 1].replace("-", "")
        if not re.search(rf"[A-Z0-9{SUIT_SYMBOLS}]", around):
            self.items.append(Void(False, *match.span()))

    def _on_plural(self, match: re.Match[str]) -> None:
        """Read `two J's of diamonds`."""
        word = match["word"]
        if word not in RANK_PIECES:
            self.fail(*match.span(), f"'{word}' is not a rank; {RANKS_HINT}")
        self._add_rank(RANK_PIECES[word], match, plural=True)

    def _on_word(self, match: re.Match[str]) -> None:
        word, single = match["word"], match["word"].removesuffix("S")
        if word in KIND_WORDS:
            self.fail(*match.span(), "not an exact hand: name every card")
        if word in ("A", "AN") and is_vocabulary(self.next_word()):
            self._article(match)
        elif word in AROUND_VALUES and self.next_word() in ("ACES", "KINGS", "QUEENS", "JACKS"):
            self._value_around(match)
        elif word in COUNT_WORDS and not self._counts_a_suit(match):
            self._announce(COUNT_WORDS[word], *match.span())
        elif word == "TWICE":
            self._repeat(2, *match.span())
        elif word == "AROUND":
            self._around(match)
        elif word in VOID_WORDS:
            self.items.append(Void(True, *match.span()))
        elif word == "X" and not self.suited:
            self.items.append(Void(True, *match.span(), spot=True))
        elif word in FILLERS:
            self._filler(word, match)
        elif word in RANK_WORDS or single in RANK_WORDS:
            self._add_rank(RANK_WORDS.get(word, RANK_WORDS.get(single, 0)), match, word != single)
        elif single in SUIT_COMBOS or single in FIXED_COMBOS or word in FIXED_COMBOS:
            copies, _ = self._take_count(2 if word != single else 1)
            ranks, cards = SUIT_COMBOS.get(single, ()), FIXED_COMBOS.get(single, ())
            self.items.append(Combo(tuple(ranks), cards, copies, *match.span()))
        elif len(word) > 1 and (suit := suit_of_word(word)) is not None:
            self._add_suit(suit, match)
        elif len(word) in (2, 3) and word[:-1] in RANK_PIECES and self._plural_letter(word):
            self._add_rank(RANK_PIECES[word[:-1]], match, plural=True)
        else:
            self._card_word(match)

    def _article(self, match: re.Match[str]) -> None:
        """Pass over the article of `a ten of spades`, never over the ace of `A ten king`."""
        following = self.next_word().removesuffix("S")
        if match["word"] == "AN" or following not in RANK_WORDS:
            if following in FILLERS or suit_of_word(following) is not None:
                self._card_word(match)
        elif self.next_word(2) != "OF" or self.source.original[match.start()] != "a":
            self.fail(
                *match.span(), "it may be the ace or the article; write 'ace' or leave it out"
            )

    def _counts_a_suit(self, match: re.Match[str]) -> bool:
        """Refuse the `8` of `8 S` and of `A 8 J`, where a digit stands for a card."""
        word, following = match["word"], self.next_word()
        letter = following in RANK_PIECES and self.next_word(2) != "OF"
        if word.isdigit() and (not following or suit_of_word(following) is not None or letter):
            self.fail(*match.span(), f"'{word}' is not a rank; {RANKS_HINT}")
        return False

    def _plural_letter(self, word: str) -> bool:
        """Tell whether `10s of hearts` is meant, and not the ten of spades."""
        return word.endswith("S") and self.next_word() == "OF"

    def _filler(self, word: str, match: re.Match[str]) -> None:
        if word in ("OF", "IN"):
            self.preposition = word
        elif word in ("AND", "PLUS", "WITH"):
            self.items.append(Break("and", *match.span()))

    def _value_around(self, match: re.Match[str]) -> None:
        """Read `hundred aces` as aces around, by leaving the word to the rank that follows."""
        following = self.next_word().removesuffix("S")
        if RANK_WORDS[following] != AROUND_VALUES[match["word"]]:
            self.fail(*match.span(), f"not the meld of {following.lower()}s around")
        self.around = True

    def _around(self, match: re.Match[str]) -> None:
        """Read `aces around` as one ace of each suit."""
        if not self.items or not isinstance(last := self.items.pop(), Rank):
            self.fail(*match.span(), "expected a rank before it, as in 'aces around'")
        cards = tuple(make_card(suit, last.rank) for suit in SUITS)
        copies = last.copies if last.counted else 1
        self.items.append(Combo((), cards, copies, last.start, match.end()))

    def _add_rank(self, rank: int, match: re.Match[str], plural: bool) -> None:
        """Add a spelled rank; `jacks of diamonds` are both, as the deck has two."""
        start, end = match.span()
        self.preposition = ""
        copies, counted = self._take_count(2 if plural else 1)
        self.items.append(Rank(rank, "WORD", self.place, start, end, copies, counted))
        if self.around:
            self.around = False
            self._around(match)

    def _add_suit(self, suit: Suit, match: re.Match[str]) -> None:
        """Add a suit; the ranks of `king of clubs` stand before it."""
        start, end = match.span()
        if self.count:
            self.fail(*self.count_at, f"no card to count before a suit; {RANKS_HINT}")
        mark = SuitMark(suit, self.place, start, end, of=bool(self.preposition))
        after_rank = bool(self.items) and isinstance(self.items[-1], Rank | Combo | Void)
        if self.preposition == "OF" or (self.preposition == "IN" and after_rank):
            mark.bond = Bond.TRAILER
        self.preposition = ""
        self.items.append(mark)

    def _card_word(self, match: re.Match[str]) -> None:
        """Read a word of card letters: `AS`, `SA`, `ASTSKS`, `SATKQJ9`, `ATKQJ9`, `H`."""
        start, word = match.start(), match["word"]
        if self.copy_digits and _COPY_DIGIT.fullmatch(word):
            word = word[:-1]
        elif _COPY_DIGIT.fullmatch(word) and word[-1] != "0":
            self.fail(
                *match.span(), f"for two copies write {word[:-1]}x2; else leave the digit out"
            )
        pieces = self._pieces(word, start)
        if len(pieces) == 1 and (suit := suit_of_word(pieces[0][0])) is not None:
            self._add_suit(suit, match)
            return
        self.preposition = ""
        suits = [suit_of_word(piece) for piece, _ in pieces]
        n_suits = sum(suit is not None for suit in suits)
        if n_suits and (suits[0] is None) == (suits[-1] is None):
            self.fail(*match.span(), "each rank needs one suit, all before or all after their suit")
        copies, counted = self._take_count()
        if counted and len(pieces) - n_suits > 1:
            self.fail(*self.count_at, "it may count one card or several; name each card")
        bond = Bond.TRAILER if suits[0] is None else Bond.LABEL
        for (piece, at), suit in zip(pieces, suits, strict=True):
            if suit is not None:
                end = at + len(piece)
                self.items.append(SuitMark(suit, self.place, at, end, bond, tight=True))
                continue
            if piece == "1" and not self.numeric and n_suits and self._alone(word, at - start):
                self.fail(*match.span(), "'1' may be the ten or the ace; write T or A")
            rank = (NUMBER_PIECES if self.numeric else RANK_PIECES).get(piece, TEN)
            self.items.append(Rank(rank, piece, self.place, at, at + len(piece), copies, counted))

    @staticmethod
    def _alone(word: str, at: int) -> bool:
        """Tell whether the rank at a place is the only one of its suit in the word."""
        before, after = word[at - 1 : at] if at else "", word[at + 1 : at + 2]
        return all(not sign or suit_of_word(sign) is not None for sign in (before, after))

    def _pieces(self, word: str, start: int) -> list[tuple[str, int]]:
        """Return the ranks and suits of a word of card letters, each with its place."""
        pattern = _NUMBER_PIECE if self.numeric else _LETTER_PIECE
        if not self.numeric and _LONE_NUMBER.fullmatch(word):
            self.fail(start, start + len(word), "numbers and letters are mixed; use T K Q J A")
        pieces: list[tuple[str, int]] = []
        at = 0
        while at < len(word):
            match = pattern.match(word, at)
            joined = self.numeric and at > 0 and word[at - 1 : at + 1].isdigit()
            if match is None or joined:
                self._refuse_piece(word, at, start)
            pieces.append((match[0], start + at))
            at = match.end()
        return pieces

    def _refuse_piece(self, word: str, at: int, start: int) -> NoReturn:
        """Say whether a sign that cannot be read stands for a rank, a suit or a word."""
        sign, end = word[at], start + len(word)
        first = max(at - 2, 0) if len(word) > SHOWN_LENGTH else 0
        after_rank = at > 0 and word[at - 1] in "AKQJTN901"
        before_suit = suit_of_word(word[at + 1 : at + 2]) is not None
        hint = "; a spot card 'x' is not exact, name every card" if sign == "X" else ""
        if len(word) > 3 and word.isalpha() and "X" not in word:
            self.fail(start, end, "expected a rank, a suit or a card such as AS")
        if after_rank and not before_suit and len(word) - at == 1 and at <= 2:
            self.fail(start, end, f"'{sign}' is not a suit; use S H D C{hint}")
        self.fail(start + first, end, f"'{sign}' is not a rank; {RANKS_HINT}{hint}")

    def _settle_ones(self) -> None:
        """Read `1` as the ten beside an `A` and no other ten, as in `A1KQJ9 A JJ KQ9`."""
        ranks = [item for item in self.items if isinstance(item, Rank)]
        tens = {rank.raw for rank in ranks if rank.rank == TEN and rank.raw != "1"}
        aces = any(rank.rank == ACE for rank in ranks)
        for rank in ranks if not self.numeric else []:
            if rank.raw == "1" and (tens or not aces):
                self.fail(rank.start, rank.end, "'1' may be the ten or the ace; write T or A")
            if rank.raw == "0" and tens != {"0"}:
                self.fail(rank.start, rank.end, "'0' beside another ten; write T for each ten")

    def _settle_combos(self) -> list[Item]:
        """Give each run, marriage or void the suit that stands next to it."""
        settled: list[Item] = []
        items = self.items
        marked = any(isinstance(item, SuitMark) for item in items)
        skip = False
        for place, item in enumerate(items):
            if skip:
                skip = False
                continue
            settled.append(item)
            void = isinstance(item, Void) and item.word and marked
            if not void and not (isinstance(item, Combo) and item.ranks):
                continue
            ahead = items[place + 1] if place + 1 < len(items) else None
            behind = settled[-2] if len(settled) > 1 else None
            usable = isinstance(behind, SuitMark) and not behind.tight and not behind.of
            if isinstance(ahead, SuitMark) and not ahead.tight and (ahead.of or not usable):
                settled[-1] = self._suited(item, ahead.suit)
                skip = not ahead.colon
            elif isinstance(behind, SuitMark) and usable:
                behind.bond = Bond.LABEL
                if isinstance(item, Combo) and not behind.colon:
                    settled[-2:] = [self._suited(item, behind.suit)]
                elif isinstance(item, Combo):
                    settled.pop()
                    settled.extend(
                        Rank(rank, "COMBO", behind.word, item.start, item.end, item.copies, True)
                        for rank in item.ranks
                    )
            else:
                self.fail(item.start, item.end, "no suit beside it, as in 'run in spades'")
        return settled

    @staticmethod
    def _suited(item: Item, suit: Suit) -> Combo:
        ranks, copies = (item.ranks, item.copies) if isinstance(item, Combo) else ((), 1)
        cards = tuple(make_card(suit, rank) for rank in ranks)
        return Combo(ranks, cards, copies, item.start, item.end, suit)


def scan(source: Source) -> list[Item]:
    """Return the items of a source.

    >>> [type(item).__name__ for item in scan(Source.of("both JD, run in ♠"))]
    ['Rank', 'SuitMark', 'Break', 'Combo']

    Raises
    ------
    HandError
        If a word cannot be read; the message names its column.
    """
    return _Scanner(source, list(_TOKEN.finditer(source.text))).scan()
