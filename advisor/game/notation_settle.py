"""The items of a written hand, settled by what stands beside them.

A `1` is the ten or the ace, a run or a void takes the suit next to it, and a word that is no card
must lead to one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from advisor.game.cards import ACE, TEN, Suit, make_card
from advisor.game.notation_words import (
    LINKS,
    Bond,
    Break,
    Combo,
    Item,
    Rank,
    Source,
    SuitMark,
    Void,
)

Stray: TypeAlias = tuple[re.Match[str], int]
# A sentence may end so: 'AS TS KS are my cards'.
_LAST_WORDS: Final = frozenset({"HAND", "HANDS", "CARDS"})


def check_strays(source: Source, items: Sequence[Item], strays: Sequence[Stray]) -> None:
    """Refuse a word that is no card and leads to none; each has the number of items before it."""
    cards = [place for place, item in enumerate(items) if not isinstance(item, Break)]
    if not cards:
        return
    first, last = cards[0], cards[-1]
    after = [word for word, place in strays if place > last]
    if after and after[-1][0] not in _LAST_WORDS:
        raise source.error(*after[0].span(), "no card follows it")
    if any(isinstance(item, SuitMark | Combo) for item in items):
        return
    for word, place in strays:
        if first < place <= last and word[0] not in LINKS:
            raise source.error(*word.span(), "expected ranks only, as no suit is named")


def settle_ones(source: Source, items: Sequence[Item], numeric: bool) -> None:
    """Read `1` as the ten beside an `A` and no other ten, as in `A1KQJ9 A JJ KQ9`."""
    ranks = [item for item in items if isinstance(item, Rank)]
    tens = {rank.raw for rank in ranks if rank.rank == TEN and rank.raw != "1"}
    aces = any(rank.rank == ACE for rank in ranks)
    for rank in ranks if not numeric else []:
        if rank.raw == "1" and (tens or not aces):
            raise source.error(rank.start, rank.end, "'1' may be the ten or the ace; write T or A")
        if rank.raw == "0" and tens != {"0"}:
            raise source.error(rank.start, rank.end, "'0' beside another ten; write T for each ten")


def settle_combos(source: Source, items: Sequence[Item]) -> list[Item]:
    """Give each run, marriage or void the suit that stands next to it."""
    settled: list[Item] = []
    items = [item for place, item in enumerate(items) if not _labels_by_dash(items, place)]
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
            settled[-1] = _suited(item, ahead.suit)
            skip = not ahead.colon
        elif isinstance(behind, SuitMark) and usable:
            behind.bond = Bond.LABEL
            if isinstance(item, Combo) and not behind.colon:
                settled[-2:] = [_suited(item, behind.suit)]
            elif isinstance(item, Combo):
                settled.pop()
                settled.extend(
                    Rank(rank, "COMBO", behind.word, item.start, item.end, item.copies, True)
                    for rank in item.ranks
                )
        else:
            raise source.error(item.start, item.end, "no suit beside it, as in 'run in spades'")
    return settled


def _labels_by_dash(items: Sequence[Item], place: int) -> bool:
    """Take the dash of `Hearts - void` or `Clubs - run` for the colon of a label."""
    dash = items[place]
    if not isinstance(dash, Void) or dash.word or not 0 < place < len(items) - 1:
        return False
    label, named = items[place - 1], items[place + 1]
    if not isinstance(label, SuitMark) or label.tight or label.of:
        return False
    if not (isinstance(named, Combo) or (isinstance(named, Void) and named.word)):
        return False
    label.bond, label.colon = Bond.LABEL, True
    return True


def _suited(item: Item, suit: Suit) -> Combo:
    ranks, copies = (item.ranks, item.copies) if isinstance(item, Combo) else ((), 1)
    cards = tuple(make_card(suit, rank) for rank in ranks)
    return Combo(ranks, cards, copies, item.start, item.end, suit)
