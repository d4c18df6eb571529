"""The scanner: what each word of a written hand means, with its column.

It settles a word by itself or with its neighbours (``JDx2``, ``run in spades``, ``1`` beside
``A``); which suit a bare rank belongs to is left to `advisor.game.notation_readings`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

from advisor.game.cards import SUIT_SYMBOLS, SUITS, TEN, Suit, make_card
from advisor.game.notation_open import Choice, open_choices
from advisor.game.notation_pieces import (
    Signs,
    card_pieces,
    is_numeric,
    stands_alone,
    uses_one_as_ten,
)
from advisor.game.notation_settle import Stray, check_strays, settle_combos, settle_ones
from advisor.game.notation_words import (
    AROUND_VALUES,
    ARTICLE_WORDS,
    COUNT_WORDS,
    FILLERS,
    FIXED_COMBOS,
    KIND_WORDS,
    LEAD_WORDS,
    LINKS,
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
_COPY_DIGIT: Final = re.compile(rf"(?:10|1[1-3]?|[AKQJTN09]){SUIT_SIGNS}[0-2]")
_ONE_CARD: Final = re.compile(rf"(?:10|[AKQJTN90]){SUIT_SIGNS}?S?|{SUIT_SIGNS}(?:10|[AKQJTN90])")
# Words of a sentence about the hand stand where a sentence may begin.
_SENTENCE: Final = LEAD_WORDS - {"THE"}


@dataclass(slots=True)
class _Scanner:
    """The state of one scan: the words found, and what the words so far announce."""

    source: Source
    words: list[re.Match[str]]
    choice: Choice
    items: list[Item] = field(default_factory=list)
    place: int = 0
    count: int = 0
    count_at: tuple[int, int] = (0, 1)
    preposition: str = ""
    around: bool = False
    numeric: bool = False
    copy_digits: bool = False
    suited: bool = False
    one_is_ten: bool = False
    strays: list[Stray] = field(default_factory=list)
    strays_at: int = 0
    last_card: int = 0

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
        self.numeric, self.one_is_ten = is_numeric(cards), uses_one_as_ten(cards)
        suited = [word for word in cards if re.search(SUIT_SIGNS, word)]
        self.suited = bool(suited) or any(
            suit_of_word(m["word"]) is not None for m in self.words if m["word"]
        )
        self.copy_digits = bool(suited) and all(map(_COPY_DIGIT.fullmatch, suited))
        self.last_card = max(
            (at for at, m in enumerate(self.words) if m["word"] and m["word"] not in FILLERS),
            default=0,
        )
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
        check_strays(self.source, self.items, self.strays)
        settle_ones(self.source, self.items, self.numeric)
        return settle_combos(self.source, self.items)

    def _end_phrase(self) -> None:
        """Refuse a number, as in `two, AH`, that no card follows."""
        self.preposition = ""
        if self.count:
            self.fail(*self.count_at, "the card to be counted is missing after it")

    def _on_other(self, match: re.Match[str]) -> None:
        self.fail(*match.span(), "expected cards such as AS, 10♥ or AATKQJ.AK.QJ.T9")

    def _on_times(self, match: re.Match[str]) -> None:
        """Read the copies written after a card: `JDx2`, `jack of diamonds (2)`."""
        self._repeat(int(match["after"] or match["parens"] or match["last"]), *match.span())

    def _repeat(self, copies: int, start: int, end: int) -> None:
        place = len(self.items) - 1
        place -= place >= 0 and isinstance(self.items[place], SuitMark)
        last = self.items[place] if place >= 0 else None
        if isinstance(last, Combo) and last.copies == 1:
            last.copies = copies
            return
        if isinstance(last, Combo) or (isinstance(last, Rank) and last.counted):
            self.fail(start, end, "what stands before it is counted already")
        if not isinstance(last, Rank):
            self.fail(start, end, "no card stands before it to be repeated")
        before = self.items[place - 1] if place else None
        shared = place < len(self.items) - 1
        if isinstance(before, Rank) and (shared or before.word == last.word):
            self.fail(start, end, "it may repeat one card or several; name each card")
        last.copies, last.counted = copies, True

    def _on_many(self, match: re.Match[str]) -> None:
        """Read the copies written before a card: `2xJD`."""
        if self.place in self.choice.after:
            self._repeat(int(match["before"]), *match.span())
        else:
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
        if self.place in self.choice.plurals:
            # '10s of hearts' are tens, not the ten of spades.
            self._add_rank(RANK_PIECES[word[:-1]], match, plural=True)
        elif word in ("A", "AN"):
            self._ace_or_article(match)
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
        else:
            self._card_word(match)

    def _ace_or_article(self, match: re.Match[str]) -> None:
        """Read the ace of `A ten king`, and the ace and nine of `AN`, but not `a ten of spades`."""
        word, following, second = match["word"], self.next_word(), self.next_word(2)
        single, single2 = following.removesuffix("S"), second.removesuffix("S")
        small = self.source.original[self.source.origin[match.start()]].islower()
        last = self.items[-1] if self.items else None
        begins = last is None or isinstance(last, Break) or bool(self.preposition)
        melds = SUIT_COMBOS.keys() | FIXED_COMBOS.keys() | {"HUNDRED"}
        rank = following in RANK_WORDS or single in RANK_WORDS
        of_suit = second in ("OF", "IN")
        if word == "AN" and (rank or following == "EXTRA"):
            return
        if word == "AN" and not (small and (following == "A" or len(following) == 2)):
            self._card_word(match)
        elif word == "AN":
            if not (of_suit or (_ONE_CARD.fullmatch(following) and following[0] in "A8")):
                self._card_word(match)
        elif rank or (following in ("9", "10") and second == "OF"):
            if not (rank and second == "OF" and small):
                self.fail(*match.span(), "the ace or the article? write 'ace' or leave it out")
        elif (
            single in melds
            or following in ARTICLE_WORDS
            or (following == "VOID" and of_suit)
            or (following == "ROYAL" and single2 in melds)
            or (following in _ADJECTIVES and (single2 in melds or single2 in RANK_WORDS))
        ):
            labelled = isinstance(last, SuitMark) and last.colon
            if not (begins or (small and (labelled or not isinstance(last, SuitMark)))):
                self.fail(*match.span(), "the ace or the article? write 'ace' or leave it out")
        else:
            self._card_word(match)

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
        """Pass over a word that leads to a card, and over no other."""
        last = self.items[-1] if self.items else None
        if word in ("OF", "IN"):
            self.preposition = word
        elif word in LINKS:
            self.items.append(Break("and", *match.span()))
        elif word in ("EXTRA", "ANOTHER", "ROYAL", "SUIT"):
            self._adjective(word, match)
            return
        elif word in _SENTENCE and not (
            last is None
            or isinstance(last, Break)
            or (isinstance(last, SuitMark) and not last.tight)
            or (self.strays and self.place - self.strays_at <= 2)
            or self.place > self.last_card
        ):
            self.fail(*match.span(), "expected a card here")
        self.strays.append((match, len(self.items)))
        self.strays_at = self.place

    def _adjective(self, word: str, match: re.Match[str]) -> None:
        """Check that `extra` and its like stand before what they tell about."""
        following = self.next_word()
        single = following.removesuffix("S")
        melds = SUIT_COMBOS.keys() | FIXED_COMBOS.keys()
        if word == "ROYAL":
            fits = single in melds
        elif word == "SUIT":
            last = self.items[-1] if self.items else None
            named = following == "OF" or suit_of_word(following) is not None
            fits = named or (isinstance(last, SuitMark) and not last.tight)
        else:
            card = self.suited and _ONE_CARD.fullmatch(following) is not None
            fits = card or single in RANK_WORDS or single in melds or following in _ADJECTIVES
        if not fits:
            self.fail(*match.span(), "no card follows it that it can tell about")

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
        last = self.items[-1] if self.items else None
        labelled = isinstance(last, SuitMark) and not last.tight
        signs = Signs(self.numeric, self.one_is_ten, labelled or not self.suited)
        pieces = card_pieces(self.source, word, start, signs, after_of=bool(self.preposition))
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
            if piece == "1" and not self.numeric and n_suits and stands_alone(word, at - start):
                self.fail(*match.span(), "'1' may be the ten or the ace; write T or A")
            rank = (NUMBER_PIECES if self.numeric else RANK_PIECES).get(piece, TEN)
            self.items.append(Rank(rank, piece, self.place, at, at + len(piece), copies, counted))


def scan(source: Source, choice: Choice | None = None) -> list[Item]:
    """Return the items of a source, with its open words taken as `choice` says.

    >>> [type(item).__name__ for item in scan(Source.of("both JD, run in ♠"))]
    ['Rank', 'SuitMark', 'Break', 'Combo']

    Raises
    ------
    HandError
        If a word cannot be read; the message names its column.
    """
    words = list(TOKEN.finditer(source.text))
    return _Scanner(source, words, choice or open_choices(source)[0]).scan()
