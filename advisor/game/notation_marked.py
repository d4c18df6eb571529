"""Written hands that name suits, before their ranks or after them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NoReturn

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
    Suit,
    make_card,
    suit_of,
)
from advisor.game.notation_readings import Reading
from advisor.game.notation_words import Bond, Break, Combo, Item, Rank, Source, SuitMark, Void

_BRIDGE_ORDER: Final = (NINE, TEN, JACK, QUEEN, KING, ACE)
# Signs that may separate suits, strongest first.
_GAP_SIGNS: Final = (*";|\n/\\.,:_-\t", "  ", " ")
_GAP: Final = re.compile(r"[;|\n/\\.,:_\t-]|[^\S\n\t]+")


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
    labels: list[tuple[SuitMark, int]] = field(default_factory=list)

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
        self._check_labels()
        if not self.reading.cards and len(self.suits) < 4:
            self._fail(self.items[0], "no rank beside the suit")
        return self.reading

    def _fail(self, item: Item, reason: str) -> NoReturn:
        raise self.source.error(item.start, item.end, reason)

    def _check_labels(self) -> None:
        """Refuse ``D JJ D KQ9``, where one suit is named for two groups of ranks."""
        seen: dict[Suit, int] = {}
        lists = any(n_ranks > 1 for mark, n_ranks in self.labels if not mark.tight)
        for mark, n_ranks in self.labels:
            before = seen.setdefault(mark.suit, 0)
            group = n_ranks if mark.tight else max(n_ranks, 2 * lists, 2 * (not n_ranks))
            if before > 1 and group > 1:
                self._fail(mark, f"{SUIT_NAMES[mark.suit]} are named twice; is another suit meant?")
            seen[mark.suit] = max(before, group)

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
        self.labels.append((mark, len(ranks)))

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
        if mark.tight:
            self.labels.append((mark, len(ranks)))

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
        # Two kinds of gaps, as in '♠ A K, Q, J J', part groups of ranks and the ranks in them.
        gaps = [(self._gap(left, right), right) for left, right in pairwise(ranks)]
        kinds = sorted({gap for gap, _ in gaps if gap is not None})
        if len(kinds) > 1:
            wide = next(rank for gap, rank in gaps if gap == kinds[0])
            self._fail(wide, "no suit for it; is one missing before it?")

    def _gap(self, left: Rank, right: Rank) -> tuple[int, bool] | None:
        """Return the place of the strongest sign between two words, and whether no blank is there.

        Blanks beside a sign tell nothing where three suits are named. An `and` is no gap.
        """
        between = self.source.text[left.end : right.start]
        if left.word == right.word or re.search(r"[A-Z+&]", between):
            return None
        signs = {match[0] for match in _GAP.finditer(between)}
        found = {"  " if sign.isspace() and len(sign) > 1 else sign for sign in signs}
        strength = min(map(_GAP_SIGNS.index, found), default=len(_GAP_SIGNS))
        return strength, len(self.suits) <= 2 and not re.search(r"\s", between)


def _is_stop(item: Item) -> bool:
    return isinstance(item, Break) and item.sign != "and"
