"""Words with two meanings: the `10s` of `two 10s`, tens or the ten of spades, and a lone `2x`.

Where the words around do not settle it, both meanings are read; a text is refused if both are
hands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from advisor.game.cards import DECK_SIZE
from advisor.game.notation_words import (
    COUNT_WORDS,
    RANK_PIECES,
    RANK_WORDS,
    SUIT_SIGNS,
    TOKEN,
    Source,
    is_vocabulary,
    suit_of_word,
)

_PLURAL: Final = re.compile(r"(?:10|[AKQJTN90])S")
_CODE: Final = re.compile(rf"(?:10|[AKQJTN90]){SUIT_SIGNS}|{SUIT_SIGNS}(?:10|[AKQJTN90])")
_RANK: Final = re.compile(r"10|[AKQJTN90]+")
_SKIPPED: Final = frozenset({"OF", "EXTRA", "A", "AN", "THE", "AND", "PLUS", "WITH", "SUIT"})
_IN_LISTS: Final = frozenset({"word", "plural", "space", "weak", "join", "many"})
_LOWER_CARD: Final = re.compile(r"(?<![^\W_])(?:10|[AKQJTNakqjtn90])[hdc](?![^\W_])")


@dataclass(frozen=True, slots=True)
class Choice:
    """How the open words of a text are taken.

    Parameters
    ----------
    plurals : frozenset of int
        The words, by place, that are ranks in the plural and not spades.
    after : frozenset of int
        The places of the ``2x`` that count the card before them and not the next one.
    """

    plurals: frozenset[int] = frozenset()
    after: frozenset[int] = frozenset()


def open_choices(source: Source) -> list[Choice]:
    """Return each way to take the open words of a text; those of one kind are taken alike.

    >>> [len(open_choices(Source.of(text))) for text in ("2 10s, ace of hearts, AC", "AH 2x JD")]
    [2, 2]
    """
    places = _OpenWords(source)
    plurals = [frozenset(places.settled)]
    if places.open:
        plurals.append(frozenset(places.settled | places.open))
    after = [frozenset[int]()]
    if places.times:
        after.append(frozenset(places.times))
    return [Choice(some, others) for some in plurals for others in after]


class _OpenWords:
    """The open words of a text, by their places among its tokens."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = list(TOKEN.finditer(source.text))
        self.caseless = source.original == source.original.upper()
        self.coded = _LOWER_CARD.search(source.original) is not None
        self.spelled = not any(map(self._is_code, range(len(self.tokens))))
        self.settled: set[int] = set()
        self.open: set[int] = set()
        self.times = {
            place
            for place, token in enumerate(self.tokens)
            if token.lastgroup == "many" and self._stands_alone(place)
        }
        found = [
            place
            for place, token in enumerate(self.tokens)
            if token.lastgroup == "word" and _PLURAL.fullmatch(token["word"])
        ]
        # More of them than the deck has cards are refused without being told apart.
        for place in found if len(found) <= DECK_SIZE else []:
            self._judge(place)

    def _judge(self, place: int) -> None:
        """Tell whether a word such as `10s` is a plural, the spade or either."""
        following = next(self._words(place, 1), "")
        if following == "OF":
            self.settled.add(place)
            return
        token = self.tokens[place]
        small = self.source.original[self.source.origin[token.end("word") - 1]] == "s"
        if not (small or self.caseless):
            return
        counted = self._is_counted(place)
        label, listed = self._label(place)
        if label not in ("", "S") and (counted or listed or small):
            plain = not self.coded and (counted or (small and token["word"] in ("9S", "10S")))
            (self.settled if plain else self.open).add(place)
        elif label and (counted or listed):
            self.open.add(place)
        elif counted:
            plain = not self.coded and self._leads_to_plural(place)
            (self.settled if plain or (small and self.spelled) else self.open).add(place)
        elif small and token["word"] in ("9S", "10S") and self._leads_to_of(place):
            self.open.add(place)

    def _is_code(self, place: int) -> bool:
        """Tell whether a word is one card, such as `AS` or `♥10`."""
        word = self.tokens[place]["word"] or ""
        if _PLURAL.fullmatch(word):
            return not (self._is_counted(place) or next(self._words(place, 1), "") == "OF")
        return _CODE.fullmatch(word) is not None

    def _words(self, place: int, step: int) -> Iterator[str]:
        """Yield the words after (or before) a place, up to any other sign."""
        place += step
        while 0 <= place < len(self.tokens):
            token = self.tokens[place]
            if token.lastgroup in ("word", "many"):
                yield token["word"] or token["before"]
            elif token.lastgroup != "space":
                return
            place += step

    def _is_counted(self, place: int) -> bool:
        before = next((word for word in self._words(place, -1) if word not in _SKIPPED), "")
        return before in COUNT_WORDS

    def _label(self, place: int) -> tuple[str, bool]:
        """Return the suit letter of the label before a rank list, and whether it lists ranks."""
        listed = False
        colon = False
        while (place := place - 1) >= 0:
            token = self.tokens[place]
            word = token["word"] or ""
            if token.lastgroup == "mark":
                colon = True
            elif word and (suit := suit_of_word(word)) is not None:
                return ("SHDC"[suit], listed) if colon or len(word) > 1 else ("", False)
            elif colon or token.lastgroup not in (
                "word",
                "plural",
                "space",
                "weak",
                "join",
                "many",
            ):
                break
            elif _RANK.fullmatch(word) or word.removesuffix("S") in RANK_WORDS:
                listed = listed or word not in _SKIPPED
            elif word and not (word in COUNT_WORDS or word in _SKIPPED or _PLURAL.fullmatch(word)):
                break
        return "", False

    def _leads_to_plural(self, place: int) -> bool:
        """Tell whether the list goes on to a plain plural: `two 9s and two 10s of hearts`."""
        while (place := place + 1) < len(self.tokens):
            token = self.tokens[place]
            word = token["word"] or ""
            if _PLURAL.fullmatch(word):
                if next(self._words(place, 1), "") == "OF" or not self._is_counted(place):
                    return self._is_counted(place)
            elif token.lastgroup not in _IN_LISTS or (
                word
                and not (
                    word in COUNT_WORDS
                    or word in _SKIPPED - {"OF"}
                    or _RANK.fullmatch(word)
                    or word.removesuffix("S") in RANK_WORDS
                )
            ):
                return False
        return False

    def _leads_to_of(self, place: int) -> bool:
        """Tell whether the word is joined to an `of` list: `10s and 9s of hearts`."""
        words = [word for _, word in zip(range(4), self._words(place, 1), strict=False)]
        if words[:1] != ["AND"] or "OF" not in words:
            return False
        between = words[1 : words.index("OF")]
        return all(
            word in COUNT_WORDS or word.removesuffix("S") in RANK_PIECES.keys() | RANK_WORDS.keys()
            for word in between
        )

    def _stands_alone(self, place: int) -> bool:
        """Tell whether `2x` stands between two cards, with a blank on either side."""
        token = self.tokens[place]
        if not re.fullmatch(r"[1-8][X*]\s", token[0]) or place < 2:
            return False
        before = self.tokens[place - 2]
        return self.tokens[place - 1].lastgroup == "space" and (
            before.lastgroup == "plural"
            or (
                before.lastgroup == "word"
                and (
                    not is_vocabulary(before["word"])
                    or suit_of_word(before["word"]) is not None
                    or before["word"].removesuffix("S") in RANK_WORDS
                )
            )
        )
