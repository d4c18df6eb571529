"""From items to cards: which suit each rank of a written hand belongs to.

Suits are told by their place (``ATKQJ9.A.JJ.KQ9``) or named before or after their ranks.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NoReturn, TypeAlias

from advisor.errors import HandError
from advisor.game.cards import (
    ACE,
    JACK,
    KING,
    NINE,
    QUEEN,
    SUIT_LETTERS,
    SUIT_NAMES,
    TEN,
    Card,
    Suit,
    make_card,
    suit_of,
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
    shorten,
)

Sizes: TypeAlias = tuple[int, ...] | None

# Strongest first; where a text has one of the first four, it alone can separate the suits.
_SUIT_SEPARATORS: Final = (
    *(re.compile(sign) for sign in (r"\.", r"\|", r"/|\\", ";", r"\n", ",", ":", "_")),
    *(re.compile(sign) for sign in (r"\t", r"\s{2,}", r"\s+", "-")),
)

_BRIDGE_ORDER: Final = (NINE, TEN, JACK, QUEEN, KING, ACE)


@dataclass(slots=True)
class Reading:
    """The cards of one way to read a text.

    Parameters
    ----------
    cards : list of Card
        The card types, in the order written.
    combos : list of Combo
        The melds among them, which may share cards in the writer's mind.
    spot : bool
        Whether a lone ``x`` was taken as a void.
    """

    cards: list[Card] = field(default_factory=list)
    combos: list[Combo] = field(default_factory=list)
    spot: bool = False

    def allowed(self, sizes: Sizes) -> bool:
        """Tell whether the number of cards is one of the sizes and the deck can hold them.

        >>> Reading([5, 5, 5]).allowed(None), Reading([5, 5]).allowed((2, 3))
        (False, True)
        """
        return (sizes is None or len(self.cards) in sizes) and (
            max(Counter(self.cards).values(), default=0) <= 2
        )


def read_positional(source: Source, items: list[Item], order: tuple[Suit, ...]) -> list[Reading]:
    """Read suits told by their place: ``ATKQJ9.A.JJ.KQ9`` or ``A1KQJ9 none AJJ KQ9``.

    Every sign that may separate the suits is tried, so there may be several readings.

    >>> from advisor.game.notation_scan import scan
    >>> source = Source.of("AT - K 9")
    >>> [reading.cards for reading in read_positional(source, scan(source), (0, 1, 2, 3))]
    [[5, 4, 15, 18]]

    Raises
    ------
    HandError
        If the ranks do not stand in four groups.
    """
    if not any(isinstance(item, Rank | Void) for item in items) and "." not in source.text:
        raise HandError(f"no card in {shorten(source.original)}: expected one such as AS or 10♥")
    readings: list[Reading] = []
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
    shown = shorten(source.original)
    if "." in source.text:
        raise HandError(f"expected 4 suits as S.H.D.C, found {n_found}: {shown}")
    raise HandError(
        f"no suits in {shown}: expected a suit with each card, as in AS 10♥, or 4 groups of ranks "
        f"in the order S H D C, found {n_found}"
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
) -> Reading | None:
    """Return the cards of four fields, one a suit, or None if they are not that."""
    reading = Reading()
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


def read_marked(source: Source, items: list[Item]) -> list[Reading]:
    """Read text that names suits, before their ranks (``S ATKQJ9``) or after (``AS``, ``A of S``).

    Both orders are tried where the words leave it open.

    >>> from advisor.game.notation_scan import scan
    >>> source = Source.of("AT of spades, 9H")
    >>> [reading.cards for reading in read_marked(source, scan(source))]
    [[5, 4, 6], [5, 4, 6]]

    Raises
    ------
    HandError
        If a rank has no suit, or might belong to either of two.
    """
    readings: list[Reading] = []
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
    reading: Reading = field(default_factory=Reading)
    voids: dict[Suit, Item] = field(default_factory=dict)
    marks: list[SuitMark] = field(default_factory=list)
    suits: set[Suit] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.marks = [item for item in self.items if isinstance(item, SuitMark)]
        named = (item for item in self.items if isinstance(item, SuitMark | Combo))
        self.suits = {item.suit for item in named if item.suit is not None}

    def read(self) -> Reading:
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
            if any(suit_of(card) == suit for card in self.reading.cards):
                self._fail(void, f"{SUIT_NAMES[suit]} are void and hold cards")
        if not self.reading.cards and len(self.suits) < 4:
            self._fail(self.items[0], "no rank beside the suit")
        return self.reading

    def _fail(self, item: Item, reason: str) -> NoReturn:
        raise self.source.error(item.start, item.end, reason)

    def _take_combo(self, combo: Combo) -> None:
        self.reading.cards += combo.cards * combo.copies
        if len(combo.cards) > 1:
            self.reading.combos.append(combo)
        elif combo.suit is not None and not combo.cards:
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
            before = [i for i in block if not (isinstance(i, Rank) and i.word == trailer.word)]
            after = [*own]
            loose = next((i for i in before if isinstance(i, Rank)), None)
            if loose and not own:
                self._fail(loose, "it may belong to the suit before or after it")
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
        all_labels = len(self.suits) == 4 and isinstance(self.items[0], SuitMark)
        ranks = [item for item in block if isinstance(item, Rank)]
        if not (ranks or void or mark.colon or all_labels):
            self._fail(mark, "no rank beside the suit")
        later = [rank for rank in ranks if rank.word != ranks[0].word]
        if later and not mark.colon:
            labels = [m.suit for m in self.marks if self._side(m) is Bond.LABEL]
            if len(set(labels)) < len(labels):
                self._fail(later[0], "no suit for it")
        self._give(mark.suit, block)

    def _give_trailer(self, mark: SuitMark, block: list[Item], left: Item | None) -> None:
        """Read ``AS`` and ``ace, ten and nine of spades``."""
        ranks = [item for item in block if isinstance(item, Rank)]
        if not ranks and not any(isinstance(item, Void) for item in block):
            self._fail(mark, "no rank beside the suit")
        if ranks:
            self._check_list(mark, block, ranks, left)
        if len(ranks) == 1 and ranks[0].raw == "1" and ranks[0].rank != ACE:
            self._fail(ranks[0], "'1' may be the ten or the ace; write T or A")
        self._give(mark.suit, block)

    def _check_list(
        self, mark: SuitMark, block: list[Item], ranks: list[Rank], left: Item | None
    ) -> None:
        """Refuse ranks that share a later suit only by accident, as when red pips were lost."""
        loose = [rank for rank in ranks if rank.word != mark.word]
        once = len({m.suit for m in self.marks[:5]}) == len(self.marks)
        first = self.items[0]
        starts_loose = isinstance(first, Rank) and first.word != self.marks[0].word
        apart = left is None or starts_loose or _is_stop(block[0])
        inside = block[block.index(ranks[0]) :]
        signs = [item.sign for item in inside if isinstance(item, Break)]
        n_words = len({rank.word for rank in ranks})
        spelled = any(rank.raw == "WORD" for rank in loose)
        if mark.tight and loose and (spelled or not (once and apart)):
            self._fail(loose[0], "no suit for it")
        if {";", "\n"} & set(signs) or (n_words > 1 and not (mark.of or once)):
            self._fail(ranks[0], "no suit for it")
        has_combo = any(isinstance(item, Combo) for item in self.items)
        if has_combo and "," in signs and "and" not in signs:
            self._fail(ranks[0], f"no suit for it; write {SUIT_LETTERS[mark.suit]} if it is meant")

    def _give(self, suit: Suit, block: list[Item]) -> None:
        ranks = [item for item in block if isinstance(item, Rank)]
        for item in block:
            if isinstance(item, Void) and item.word:
                self.voids[suit] = item
        if len(self.suits) < 4 and not any(rank.raw in ("WORD", "COMBO") for rank in ranks):
            self._check_lost_suit(block, ranks)
        self.reading.cards += [make_card(suit, r.rank) for r in ranks for _ in range(r.copies)]

    def _check_lost_suit(self, block: list[Item], ranks: list[Rank]) -> None:
        """Refuse ``♠A10K A JJ ♣KQ9``, where the pips before ``A`` and ``JJ`` were lost."""
        words: dict[int, list[int]] = {}
        for rank in ranks:
            words.setdefault(rank.word, []).append(rank.rank)
        mixed = any(len(set(word)) > 1 for word in words.values())
        # Lost red pips leave two suits; then ranks out of order tell where one was.
        sorted_ways = ([rank.rank for rank in ranks], [_BRIDGE_ORDER.index(r.rank) for r in ranks])
        unsorted = len(self.suits) <= 2 and all(
            any(low < high for low, high in pairwise(way)) for way in sorted_ways
        )
        sign = ""
        for item in block:
            if isinstance(item, Break) and any(rank.start < item.start for rank in ranks):
                sign = item.sign
            elif isinstance(item, Rank) and item.word != ranks[0].word:
                group = sign in (";", "\n") or (sign == "," and len(words[item.word]) > 1)
                if mixed or unsorted or group:
                    self._fail(item, "no suit for it; is one missing before it?")


def _is_stop(item: Item) -> bool:
    return isinstance(item, Break) and item.sign != "and"
