"""From items to cards: which suit each rank of a written hand belongs to.

Suits are told by their place (``ATKQJ9.A.JJ.KQ9``) or named before or after their ranks.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from advisor.errors import HandError
from advisor.game.cards import (
    Card,
    Suit,
    make_card,
)
from advisor.game.notation_words import (
    Combo,
    Item,
    Rank,
    Source,
    Void,
    shorten,
)

Sizes: TypeAlias = tuple[int, ...] | None

# Strongest first; where a text has one of the first four, it alone can separate the suits.
_SUIT_SEPARATORS: Final = (
    *(re.compile(sign) for sign in (r"\.", r"\|", r"/|\\", ";", r"\n", ",", ":", "_")),
    *(re.compile(sign) for sign in (r"\t", r"\s{2,}", r"\s+", "-")),
)


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
        if separator is _SUIT_SEPARATORS[-1] and _dashes_are_voids(source.text):
            continue
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


def _dashes_are_voids(text: str) -> bool:
    """Tell whether some dash of a text with blanks stands in no gap between two ranks.

    >>> _dashes_are_voids("AT - K -- 9"), _dashes_are_voids("AT--K-9")
    (True, False)
    """
    between = re.sub(r"(?<=[A-Z0-9])\s*-\s*(?=[A-Z0-9])", "", text)
    return re.search(r"[\s,]", text.strip()) is not None and "-" in between


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
