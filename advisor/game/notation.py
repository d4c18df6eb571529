"""Hands and suits as players write them, read with care and written in one form.

Text that could mean two hands is refused with the reason, never guessed. The words themselves
are read by `advisor.game.notation_words`; this module finds the suit of each rank.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

from advisor.errors import HandError, OptionError
from advisor.game.cards import (
    DECK_SIZE,
    HAND_SIZE,
    SUIT_LETTERS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    SUITS,
    Card,
    Hand,
    Suit,
    card_name,
    make_card,
)
from advisor.game.notation_words import (
    Bond,
    Break,
    Combo,
    Item,
    Rank,
    Source,
    SuitMark,
    Void,
    is_vocabulary,
    scan,
    shorten,
    suit_of_word,
)

MAX_LENGTH: Final = 2000
EXAMPLE: Final = "AATKQJ.AK.QJ.T9"
Style = Literal["canonical", "symbols", "ascii"]
Sizes = tuple[int, ...] | None

_S: Final = f"[{SUIT_LETTERS}{SUIT_SYMBOLS}]"
_FIELD: Final = re.compile(r"([A-Z][A-Z_]+)[\"']?\s?\d{0,4}\s?[=:]")
_CARD_LETTERS: Final = frozenset("AKQJTNSHDC")
_SEATS: Final = re.compile(r"\s*[\[\"']*(NORTH|EAST|SOUTH|WEST|[NEW])\s?:")
_SOUTH: Final = re.compile(r"\s*S(?:\s?:|\s)")
_VOID_NAME: Final = re.compile(r"VOID|NONE|NIL|EMPTY|NO|-+|X")
_ORDER: Final = re.compile(rf"\s*\(?({_S})[ ,./-]?({_S})[ ,./-]?({_S})[ ,./-]?({_S})\s?[:=)\n]")
# Strongest first; where a text has one of the first four, it alone can separate the suits.
_SUIT_SEPARATORS: Final = (
    *(re.compile(sign) for sign in (r"\.", r"\|", r"/|\\", ";", r"\n", ",", ":", "_")),
    *(re.compile(sign) for sign in (r"\t", r"\s{2,}", r"\s+", "-")),
)


@dataclass(slots=True)
class _Reading:
    """The cards of one way to read a text."""

    cards: list[Card] = field(default_factory=list)
    combos: list[Combo] = field(default_factory=list)
    spot: bool = False

    def allowed(self, sizes: Sizes) -> bool:
        """Tell whether the number of cards is one of the sizes and the deck can hold them."""
        return (sizes is None or len(self.cards) in sizes) and (
            max(Counter(self.cards).values(), default=0) <= 2
        )


def parse_hand(text: str, sizes: Sizes = (HAND_SIZE,)) -> Hand:
    """Return the hand written in `text`, in any of the notations players use.

    Parameters
    ----------
    text : str
        Cards (``AS``, ``SA``, ``A♠``, ``ace of spades``), suits (``S ATKQJ9 H A``), suits in the
        order S H D C (``ATKQJ9.A.JJ.KQ9``) or words (``run in spades``); case does not matter.
    sizes : tuple of int, optional
        The numbers of cards allowed; None allows any the deck can hold.

    Returns
    -------
    Hand
        The hand; ``str(hand)`` is its canonical form.

    Raises
    ------
    HandError
        If the text is not one exact hand; the message is one line.

    Examples
    --------
    >>> str(parse_hand("run in spades + 9S, A♥, both JD, KC QC 9C"))
    'ATKQJ9.A.JJ.KQ9'
    >>> parse_hand("AATKQJ.AK.QJ.T")
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: hand has 11 cards, expected 12: AATKQJ.AK.QJ.T
    """
    if len(text) > MAX_LENGTH:
        raise HandError(
            f"hand text has {len(text):,} characters, expected at most {MAX_LENGTH:,}: "
            f"{shorten(text[:MAX_LENGTH])}"
        )
    source = _without_seat(_without_fields(_without_comments(Source.of(text))))
    source, order = _without_order(source)
    if not source.text.strip("\n\t ,;|/()[]{}\"'"):
        raise HandError(f"empty hand: expected {_sizes_text(sizes)} cards, such as {EXAMPLE}")
    items = scan(source)
    if any(isinstance(item, SuitMark | Combo) for item in items):
        readings = _read_marked(source, items)
    else:
        readings = _read_positional(source, items, order)
    return _choose(source, readings, sizes)


def format_hand(hand: Hand, *, style: Style = "canonical") -> str:
    """Return a hand as text that `parse_hand` reads back.

    Parameters
    ----------
    hand : Hand
        The hand to write.
    style : {'canonical', 'symbols', 'ascii'}
        Dots between the suits, or each suit after its symbol or letter.

    Returns
    -------
    str
        One line; a void is written ``-``.

    Examples
    --------
    >>> format_hand(parse_hand("AATKQJ.AKQJ.-.T9"), style="symbols")
    '♠ AATKQJ  ♥ AKQJ  ♦ -  ♣ T9'
    """
    if style == "canonical":
        return str(hand)
    signs = SUIT_SYMBOLS if style == "symbols" else SUIT_LETTERS
    return "  ".join(f"{signs[suit]} {hand.suit_text(suit)}" for suit in SUITS)


def parse_trump(text: str) -> Suit:
    """Return the suit of a letter, a symbol or a name, in any case.

    Parameters
    ----------
    text : str
        Such as ``s``, ``♠``, ``spade`` or ``Spades``.

    Returns
    -------
    Suit
        The suit, 0 to 3.

    Raises
    ------
    OptionError
        If it is not a suit; the message gives the nearest name.

    Examples
    --------
    >>> [parse_trump(text) for text in ("s", "♥", "Diamond", "CLUBS")]
    [0, 1, 2, 3]
    >>> parse_trump("spdaes")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: trump 'spdaes' is not a suit: did you mean spades?
    """
    word = Source.of(text[:MAX_LENGTH]).text.strip()
    suit = suit_of_word(word) if len(text) <= MAX_LENGTH else None
    if suit is not None:
        return suit
    # Imported here because only a mistake needs it.
    from difflib import get_close_matches

    close = get_close_matches(word[:40].lower(), SUIT_NAMES, n=1)
    hint = f"did you mean {close[0]}?" if close else "expected S, H, D, C or a suit's name"
    raise OptionError(f"trump {shorten(text[:MAX_LENGTH])} is not a suit: {hint}")


def _without_comments(source: Source) -> Source:
    """Blank each note from ``#`` to the end of its line."""
    for match in re.finditer(r"#[^\n]*", source.text):
        source = source.blank(*match.span())
    return source


def _without_fields(source: Source) -> Source:
    """Keep the hand of a line of fields: ``hand=AS TS ...; bid=?``."""
    names = [
        match
        for match in _FIELD.finditer(source.text)
        if not set(match[1]) <= _CARD_LETTERS
        and not _SEATS.fullmatch(match[1] + ":")
        and (match[1] in _HAND_NAMES or not is_vocabulary(match[1]))
    ]
    if not names:
        return source
    end = len(source.text)
    first = next((place for place, name in enumerate(names) if name[1] in _HAND_NAMES), None)
    if first is None:
        return source.blank(names[0].start(), end)
    if first + 1 < len(names):
        source = source.blank(names[first + 1].start(), end)
    return source.blank(0, names[first].end())


_HAND_NAMES: Final = frozenset({"HAND", "CARDS", "HOLDING", "HOLD", "HAVE", "IS", "ARE"})


def _without_seat(source: Source) -> Source:
    """Blank a seat as in PBN: ``S:ATKQJ9.A.JJ.KQ9``, where the dots show that S is South."""
    if match := _SEATS.match(source.text):
        return source.blank(0, match.end())
    match = _SOUTH.match(source.text)
    if match and "." in source.text:
        rest = _VOID_NAME.sub("", source.text[match.end() :])
        if not re.search(_S, rest):
            return source.blank(0, match.end())
    return source


def _without_order(source: Source) -> tuple[Source, tuple[Suit, ...]]:
    """Read an order declared first: ``HSDC: A ATKQJ9 JJ KQ9``."""
    match = _ORDER.match(source.text)
    suits = tuple(suit_of_word(sign) or 0 for sign in match.groups()) if match else ()
    if match is None or set(suits) != set(SUITS):
        return source, SUITS
    return source.blank(0, match.end()), suits


def _read_positional(source: Source, items: list[Item], order: tuple[Suit, ...]) -> list[_Reading]:
    """Read suits told by their place: ``ATKQJ9.A.JJ.KQ9`` or ``A1KQJ9 none AJJ KQ9``."""
    if not any(isinstance(item, Rank | Void) for item in items) and "." not in source.text:
        raise HandError(f"no card in {shorten(source.original)}: expected one such as AS or 10♥")
    readings: list[_Reading] = []
    n_found = 1
    for place, separator in enumerate(_SUIT_SEPARATORS):
        fields = _suit_fields(separator, source.text)
        if len(fields) == 1:
            continue
        n_found = len(fields) if n_found == 1 else n_found
        reading = _read_fields(fields, items, order, dots=place == 0)
        if reading is not None:
            readings.append(reading)
        if place < 4:
            break
    if readings:
        return readings
    raise HandError(
        f"no suits in {shorten(source.original)}: found {n_found} group{'s'[: n_found > 1]} of "
        "ranks, expected 4 in the order S.H.D.C, or a suit with each card, as in AS 10♥"
    )


def _suit_fields(separator: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return where the fields between separators start and end, without a border of them."""
    outside = " \t\n()[]{}\"'"
    start, end = len(text) - len(text.lstrip(outside)), len(text.rstrip(outside))
    fields = []
    for match in separator.finditer(text, start, end):
        fields.append((start, match.start()))
        start = match.end()
    fields.append((start, end))
    blank = [not text[first:last].strip() for first, last in fields]
    if len(fields) == 6 and blank[0] and blank[-1]:
        return fields[1:-1]
    return fields[:-1] if len(fields) == 5 and blank[-1] and not blank[0] else fields


def _read_fields(
    fields: list[tuple[int, int]], items: list[Item], order: tuple[Suit, ...], *, dots: bool
) -> _Reading | None:
    """Return the cards of four fields, one a suit, or None if they are not that."""
    reading = _Reading()
    widest = 0
    for suit, (start, end) in zip(order, fields, strict=False):
        inside = [item for item in items if start <= item.start < end]
        ranks = [item for item in inside if isinstance(item, Rank)]
        voids = [item for item in inside if isinstance(item, Void)]
        if ranks and any(void.word for void in voids):
            return None
        reading.spot = reading.spot or any(void.spot for void in voids)
        reading.cards += [make_card(suit, r.rank) for r in ranks for _ in range(r.copies)]
        widest = max(widest, len(ranks))
    # Four single ranks are more likely cards whose suits were lost than four short suits.
    return reading if len(fields) == 4 and (dots or widest > 1) else None


def _read_marked(source: Source, items: list[Item]) -> list[_Reading]:
    """Read text that names suits, before their ranks (``S ATKQJ9``) or after (``AS``, ``A of S``).

    Both orders are tried where the words leave it open.
    """
    readings: list[_Reading] = []
    errors: list[HandError] = []
    starts_with_rank = isinstance(items[0], Rank)
    for default in (Bond.TRAILER, Bond.LABEL) if starts_with_rank else (Bond.LABEL, Bond.TRAILER):
        try:
            readings.append(_MarkedText(source, items, default).read())
        except HandError as error:
            errors.append(error)
    if not readings:
        raise errors[0]
    return readings


@dataclass(slots=True)
class _MarkedText:
    """One reading of text that names suits, with the side of the ranks where it is open."""

    source: Source
    items: list[Item]
    default: Bond
    reading: _Reading = field(default_factory=_Reading)
    voids: dict[Suit, Item] = field(default_factory=dict)

    def read(self) -> _Reading:
        """Return the cards: each block of ranks between two suits is given to one of them."""
        left: SuitMark | Combo | None = None
        block: list[Item] = []
        for item in [*self.items, None]:
            if item is not None and not isinstance(item, SuitMark | Combo):
                block.append(item)
                continue
            self._share_out(left, block, item)
            if isinstance(item, Combo):
                self._take_combo(item)
            left, block = item, []
        for suit, void in self.voids.items():
            if any(card // 6 == suit for card in self.reading.cards):
                self._fail(void, f"{SUIT_NAMES[suit]} are void and hold cards")
        return self.reading

    def _fail(self, item: Item, reason: str) -> None:
        raise self.source.error(item.start, item.end, reason)

    def _take_combo(self, combo: Combo) -> None:
        self.reading.cards += combo.cards * combo.copies
        if combo.cards:
            self.reading.combos.append(combo)
        elif combo.suit is not None:
            self.voids[combo.suit] = combo

    def _share_out(
        self, left: SuitMark | Combo | None, block: list[Item], right: SuitMark | Combo | None
    ) -> None:
        """Give the ranks of a block to the suit on its left or on its right."""
        label = left if isinstance(left, SuitMark) and self._side(left) is Bond.LABEL else None
        trailer = (
            right if isinstance(right, SuitMark) and self._side(right) is Bond.TRAILER else None
        )
        before, after = block, block
        if isinstance(left, Combo) and left.suit is not None:
            # 'run in spades and the nine, ace of hearts': the run keeps what precedes the comma.
            stop = next((k for k, item in enumerate(block) if _is_stop(item)), None)
            stop = stop if stop is not None else 0 if trailer else len(block)
            before, after = block[:stop], block[stop:]
            self._give(left.suit, before)
        elif label and trailer:
            own = [i for i in block if isinstance(i, Rank) and i.word == trailer.word]
            before, after = [i for i in block if i not in own], list(own)
            if not own and any(isinstance(i, Rank) for i in before):
                self._fail(block[0], "it may belong to the suit before or after it")
        elif label:
            after = []
        else:
            before = []
        if label:
            self._give_label(label, before)
        if trailer:
            self._give_trailer(trailer, after, left)
        elif not label:
            for item in after:
                if isinstance(item, Rank):
                    self._fail(item, "no suit for it")

    def _side(self, mark: SuitMark) -> Bond:
        return mark.bond or self.default

    def _give_label(self, mark: SuitMark, block: list[Item]) -> None:
        """Read ``S: A T K``; a label may stand empty only where its void is plain."""
        void = any(isinstance(item, Void) for item in block)
        all_labels = self._n_suits() == 4 and isinstance(self.items[0], SuitMark)
        if not any(isinstance(item, Rank) for item in block) and not (
            void or mark.colon or all_labels
        ):
            self._fail(mark, "no rank beside the suit")
        self._give(mark.suit, block)

    def _give_trailer(self, mark: SuitMark, block: list[Item], left: Item | None) -> None:
        """Read ``AS`` and ``ace, ten and nine of spades``."""
        ranks = [item for item in block if isinstance(item, Rank)]
        if not ranks and not any(isinstance(item, Void) for item in block):
            self._fail(mark, "no rank beside the suit")
        if ranks and mark.suit is not None:
            self._check_list(mark, block, ranks, left)
        if len(ranks) == 1 and ranks[0].raw == "1" and ranks[0].rank != 5 and not mark.tight:
            self._fail(ranks[0], "'1' may be the ten or the ace; write T or A")
        self._give(mark.suit, block)

    def _check_list(
        self, mark: SuitMark, block: list[Item], ranks: list[Rank], left: Item | None
    ) -> None:
        """Refuse ranks that share a later suit only by accident, as when red pips were lost."""
        loose = [rank for rank in ranks if rank.word != mark.word]
        once = len({m.suit for m in self._marks()}) == len(self._marks())
        apart = (
            left is None
            or _is_stop(block[0])
            or isinstance(self.items[0], Rank)
            and (self.items[0].word != self._marks()[0].word)
        )
        inside = block[block.index(ranks[0]) :]
        signs = [item.sign for item in inside if isinstance(item, Break)]
        n_words = len({rank.word for rank in ranks})
        if mark.tight and loose and not (once and apart):
            self._fail(loose[0], "no suit for it")
        if (";" in signs or "\n" in signs) or (n_words > 1 and not (mark.of or once)):
            self._fail(ranks[0], "no suit for it")
        has_combo = any(isinstance(item, Combo) for item in self.items)
        if has_combo and "," in signs and "and" not in signs:
            self._fail(ranks[0], f"no suit for it; write {SUIT_LETTERS[mark.suit]} if it is meant")

    def _marks(self) -> list[SuitMark]:
        return [item for item in self.items if isinstance(item, SuitMark)]

    def _n_suits(self) -> int:
        return len({item.suit for item in self.items if isinstance(item, SuitMark | Combo)})

    def _give(self, suit: Suit, block: list[Item]) -> None:
        ranks = [item for item in block if isinstance(item, Rank)]
        for void in block:
            if ranks and isinstance(void, Void) and void.word:
                self._fail(void, f"{SUIT_NAMES[suit]} are void and hold cards")
        if self._n_suits() < 4:
            self._check_lost_suit(block, ranks)
        self.reading.cards += [make_card(suit, r.rank) for r in ranks for _ in range(r.copies)]

    def _check_lost_suit(self, block: list[Item], ranks: list[Rank]) -> None:
        """Refuse ``♠A10K A JJ ♣KQ9``, where the pips before ``A`` and ``JJ`` were lost."""
        words: dict[int, set[int]] = {}
        for place, rank in enumerate(ranks):
            words.setdefault(rank.word, set()).add(rank.rank)
            seen = [other.rank for other in ranks[:place]]
            again = rank.rank in seen and rank.rank != seen[-1]
            many = len(words) > 1 and max(map(len, words.values())) > 1
            if (again or many) and len(words) > 1:
                self._fail(rank, "is a suit missing before it?")
        lines = [k for k, item in enumerate(block) if isinstance(item, Break) and item.sign == "\n"]
        for item in block[lines[0] :] if lines and ranks and ranks[0] in block[: lines[0]] else []:
            if isinstance(item, Rank):
                self._fail(item, "is a suit missing before it?")


def _is_stop(item: Item) -> bool:
    return isinstance(item, Break) and item.sign != "and"


def _choose(source: Source, readings: list[_Reading], sizes: Sizes) -> Hand:
    """Return the one hand of the readings, or say why there is none, or more than one."""
    hands: dict[Hand, _Reading] = {}
    for reading in readings:
        if reading.allowed(sizes):
            hands.setdefault(Hand.from_cards(reading.cards), reading)
    if len(hands) > 1:
        first, second, *_ = map(str, hands)
        raise HandError(f"{shorten(source.original)} can be read as {first} or as {second}")
    if not hands:
        hand = Hand.from_cards(readings[0].cards)
        raise HandError(f"hand has {len(hand)} cards, expected {_sizes_text(sizes)}: {hand}")
    [(hand, reading)] = hands.items()
    if reading.spot and (sizes is None or len(hand) + 1 in sizes):
        raise HandError(f"'x' in {shorten(source.original)} may be a void or a spot card; write -")
    _check_shared(reading.combos, len(hand), sizes)
    return hand


def _check_shared(combos: list[Combo], n_cards: int, sizes: Sizes) -> None:
    """Refuse melds that may share a card, unless only the number of cards without sharing fits."""
    held: dict[Card, list[int]] = {}
    for combo in combos:
        for card, count in Counter(combo.cards * combo.copies).items():
            held.setdefault(card, []).append(count)
    shared = {card: sum(counts) - max(counts) for card, counts in held.items() if len(counts) > 1}
    if shared and (sizes is None or n_cards - sum(shared.values()) in sizes):
        names = " ".join(map(card_name, shared))
        raise HandError(f"two melds may share {names}, or not: name these cards one by one")


def _sizes_text(sizes: Sizes) -> str:
    if sizes is None:
        return f"0 to {DECK_SIZE}"
    *most, last = map(str, sizes)
    return f"{', '.join(most)} or {last}" if most else last
