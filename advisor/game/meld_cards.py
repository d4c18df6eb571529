"""Which cards lie in which meld, copy by copy, as a player would lay them on the table."""

from __future__ import annotations

from typing import Final

from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RUN_RANKS,
    SPADES,
    SUITS,
    Card,
    Hand,
    Rank,
    make_card,
)
from advisor.game.meld import ROUNDHOUSE, Meld, MeldItem

_AROUND: Final[dict[str, tuple[Rank, ...]]] = {
    "aces": (ACE,),
    "kings": (KING,),
    "queens": (QUEEN,),
    "jacks": (JACK,),
    "marriages": (KING, QUEEN),
}
_IN_TRUMP: Final[dict[str, tuple[Rank, ...]]] = {
    "run": RUN_RANKS,
    "royal marriage": (KING, QUEEN),
    "marriage": (KING, QUEEN),
    "extra king": (KING,),
    "extra queen": (QUEEN,),
    "dix": (NINE,),
}
_DOUBLE: Final = "double "
_PINOCHLE: Final = (make_card(SPADES, QUEEN), make_card(DIAMONDS, JACK))


def cards_of(item: MeldItem) -> tuple[Card, ...]:
    """Return the cards that a meld is made of; a double has each of them twice.

    >>> from advisor.game.cards import card_name
    >>> [card_name(card) for card in cards_of(MeldItem("royal marriage", 1, 40))]
    ['KH', 'QH']
    """
    name = item.name.removeprefix(_DOUBLE)
    copies = 1 if name == item.name else 2
    cards: tuple[Card, ...]
    if name == "pinochle":
        cards = _PINOCHLE
    elif name == ROUNDHOUSE:
        cards = tuple(make_card(suit, rank) for suit in SUITS for rank in (KING, QUEEN))
    elif item.suit is not None:
        cards = tuple(make_card(item.suit, rank) for rank in _IN_TRUMP[name])
    else:
        ranks = _AROUND[name.removesuffix(" around")]
        cards = tuple(make_card(suit, rank) for suit in SUITS for rank in ranks)
    return tuple(card for card in cards for _ in range(copies))


def laid_down(hand: Hand, meld: Meld) -> tuple[tuple[tuple[Card, int], ...], ...]:
    """Return for each meld of a hand its cards, each with the copy that lies there, 0 or 1.

    A copy serves once in each class (run, marriages and dix; pinochle; arounds), so two marriages
    of a suit show four cards. Where a rule pays a card twice in its class, as the marriage in a
    run, a copy is named again.

    >>> from advisor.game.meld import score_meld
    >>> hand = Hand.parse("KKQQ.-.-.9")
    >>> laid_down(hand, score_meld(hand, 0))
    (((3, 0), (2, 0)), ((3, 1), (2, 1)))
    """
    used: dict[tuple[str, Card], int] = {}
    shown = []
    for item in meld.items:
        kind = _class_of(item)
        places = []
        for card in cards_of(item):
            copy = used.get((kind, card), 0)
            used[kind, card] = copy + 1
            places.append((card, copy % hand.counts[card]))
        shown.append(tuple(places))
    return tuple(shown)


def _class_of(item: MeldItem) -> str:
    if "pinochle" in item.name:
        return "pinochle"
    if item.name == ROUNDHOUSE:
        # A bonus on melds that lie there already.
        return item.name
    return "around" if item.suit is None else "trump"
