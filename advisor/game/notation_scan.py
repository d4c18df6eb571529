"""The scanner: what each word of a written hand means, with its column.

It settles a word by itself or with its neighbours (``JDx2``, ``run in spades``, ``1`` beside
``A``); which suit a bare rank belongs to is left to `advisor.game.notation_readings`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

from advisor.game.cards import ACE, SUIT_SYMBOLS, SUITS, TEN, Suit, make_card
from advisor.game.notation_words import (
    AROUND_VALUES,
    COUNT_WORDS,
    FILLERS,
    FIXED_COMBOS,
    KIND_WORDS,
    NUMBER_PIECES,
    RANK_PIECES,
    RANK_WORDS,
    RANKS_HINT,
    SUIT_COMBOS,
    SUIT_SIGNS,
    TOKEN,
    VOID_WORDS,
    Bond,
    Break,
    Combo,
    Item,
    Rank,
    Source,
    SuitMark,
    Void,
    is_vocabulary,
    suit_of_word,
)

MAX_ITEMS: Final = 300
_BREAKS: Final = {"strong": ";", "line": "\n", "weak": ",", "join": "and"}
_ADJECTIVES: Final = ("SPADE", "HEART", "DIAMOND", "CLUB")
_LETTER_PIECE: Final = re.compile(rf"10|[AKQJTN901]|{SUIT_SIGNS}")
_NUMBER_PIECE: Final = re.compile(rf"1[0-3]?|9|{SUIT_SIGNS}")
_COPY_DIGIT: Final = re.compile(rf"(?:10|1[1-3]?|[AKQJTN09]){SUIT_SIGNS}[0-2]")
_LONE_NUMBER: Final = re.compile(rf"1[1-3](?:{SUIT_SIGNS}|$)|{SUIT_SIGNS}1[1-3]")


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
        for place in range(self.place + 1, len(self.words)):
            match = self.words[place]
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
        suited = [word for word in cards if re.search(SUIT_SIGNS, word)]
        self.suited = bool(suited) or any(
            suit_of_word(m["word"]) is not None for m in self.words if m["word"]
        )
        self.copy_digits = bool(suited) and all(map(_COPY_DIGIT.fullmatch, suited))
        for place, match in enumerate(self.words):
            self.place = place
            # Blanks and the copy index of '10S_1' tell nothing.
            if match.lastgroup in _BREAKS:
                self._end_phrase()
                self.items.append(Break(_BREAKS[match.lastgroup], *match.span()))
            elif match.lastgroup not in ("space", "copy"):
                getattr(self, f"_on_{match.lastgroup}")(match)
            if len(self.items) > MAX_ITEMS:
                self.fail(*match.span(), "more words and signs than one hand needs")
        self._end_phrase()
        self._settle_ones()
        return self._settle_combos()

    def _end_phrase(self) -> None:
        """Refuse a number, as in `two, AH`, that no card follows."""
        self.preposition = ""
        if self.count:
            self.fail(*self.count_at, "the card to be counted is missing after it")

    def _on_other(self, match: re.Match[str]) -> None:
        self.fail(*match.span(), "expected cards such as AS, 10♥ or AATKQJ.AK.QJ.T9")

    def _on_times(self, match: re.Match[str]) -> None:
        """Read the copies written after a card: `JDx2`, `jack of diamonds (2)`."""
        self._repeat(int(match["after"] or match["parens"]), *match.span())

    def _repeat(self, copies: int, start: int, end: int) -> None:
        place = len(self.items) - 1
        place -= place >= 0 and isinstance(self.items[place], SuitMark)
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
        last = self.items[-1] if self.items else None
        if isinstance(last, SuitMark) and not last.tight:
            last.bond, last.colon = Bond.LABEL, True
        elif isinstance(last, Rank) and last.raw == "WORD":
            self.fail(*match.span(), "expected a suit before it, as in 'spades: ace'")

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
            self.fail(*match.span(), "not an exact hand: name every card and its suit")
        following = self.next_word()
        digit = following in ("9", "10") and self.next_word(2) == "OF"
        spelled = following.isalpha() and is_vocabulary(following)
        if word in ("A", "AN") and (digit or spelled):
            self._article(match)
        elif word in AROUND_VALUES and following in ("ACES", "KINGS", "QUEENS", "JACKS"):
            self._value_around(match)
        elif word == "1" and following.removesuffix("S") in RANK_WORDS:
            self._announce(1, *match.span())
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
        elif word[:-1] in RANK_PIECES and word.endswith("S") and following == "OF":
            # '10s of hearts' are tens, not the ten of spades.
            self._add_rank(RANK_PIECES[word[:-1]], match, plural=True)
        else:
            self._card_word(match)

    def _article(self, match: re.Match[str]) -> None:
        """Pass over the article of `a ten of spades`, never over the ace of `A ten king`."""
        following = self.next_word().removesuffix("S")
        small = self.source.original[self.source.origin[match.start()]].islower()
        if match["word"] == "AN" or not (following in RANK_WORDS or following.isdigit()):
            if following in FILLERS or suit_of_word(following) is not None:
                self._card_word(match)
        elif following.isdigit() or self.next_word(2) != "OF" or not small:
            self.fail(*match.span(), "the ace or the article? write 'ace' or leave it out")

    def _counts_a_suit(self, match: re.Match[str]) -> bool:
        """Refuse the `8` of `8 S` and of `A 8 J`, where a digit stands for a card."""
        word, following = match["word"], self.next_word()
        letter = following in RANK_PIECES and self.next_word(2) != "OF"
        suit = suit_of_word(following) is not None
        suit = suit and self.next_word(2).removesuffix("S") not in RANK_WORDS
        if word.isdigit() and (not following or suit or letter):
            self.fail(*match.span(), f"'{word}' is not a rank; {RANKS_HINT}")
        return False

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
        copies = last.copies if last.counted and last.copies != len(SUITS) else 1
        self.items.append(Combo((), cards, copies, last.start, match.end()))

    def _add_rank(self, rank: int, match: re.Match[str], plural: bool) -> None:
        """Add a spelled rank: `jacks of diamonds` (both, as the deck has two), `heart ace`."""
        start, end = match.span()
        self.preposition = ""
        copies, counted = self._take_count(2 if plural else 1)
        last = self.items[-1] if self.items else None
        name = self.source.text[last.start : last.end] if isinstance(last, SuitMark) else ""
        if isinstance(last, SuitMark) and name in _ADJECTIVES and not (last.of or last.colon):
            card = make_card(last.suit, rank)
            self.items[-1] = Combo((), (card,), copies, last.start, end, last.suit)
            return
        self.items.append(Rank(rank, "WORD", self.place, start, end, copies, counted))
        if self.around:
            self.around = False
            self._around(match)

    def _add_suit(self, suit: Suit, match: re.Match[str]) -> None:
        """Add a suit; the ranks of `king of clubs` stand before it."""
        start, end = match.span()
        if self.count and self.next_word().removesuffix("S") not in RANK_WORDS:
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
            self.fail(*match.span(), f"write {word[:-1]}x2 for two copies, {word[:-1]} for one")
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
        beside = word[max(at - 1, 0) : at] + word[at + 1 : at + 2]
        return all(suit_of_word(sign) is not None for sign in beside)

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
        hint = "; a spot card 'x' is not exact, name every card" if sign == "X" else ""
        strange = sum(letter not in "AKQJTNSHDCX" for letter in word)
        if word.isalpha() and (len(word) > 3 or strange > 1) and strange:
            self.fail(start, end, "expected a rank, a suit or a card such as AS")
        if self.preposition or (at == len(word) - 1 and word[:at] in RANK_PIECES):
            self.fail(start, end, f"'{sign}' is not a suit; use S H D C{hint}")
        self.fail(start, end, f"'{sign}' is not a rank; {RANKS_HINT}{hint}")

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
    return _Scanner(source, list(TOKEN.finditer(source.text))).scan()
