"""A hand on a page: its cards, the melds that lie in them, and the meld under every trump."""

from __future__ import annotations

from string import ascii_lowercase

from advisor.game.cards import RANK_LETTERS, RANK_NAMES, SUIT_NAMES, SUIT_SYMBOLS, Hand, Suit
from advisor.game.meld import Meld, meld_by_trump
from advisor.game.meld_cards import laid_down
from advisor.game.rules import Rules
from advisor.report.frame import meld_text
from advisor.report.html import Cards, PlayingCard, Section, Table
from advisor.report.look import Look
from advisor.report.meld import HEADERS, meld_rows

_RED = (1, 2)


def hand_section(hand: Hand, rules: Rules, trump: Suit, look: Look) -> Section:
    """Return the hand as cards with its melds under a trump, and the table of all trumps."""
    melds = meld_by_trump(hand, rules)
    rows = meld_rows(dict(enumerate(melds)), look)
    best = next(i for i, row in enumerate(rows) if row[0] == look.suit(trump))
    return Section(
        "The hand",
        [
            cards_block(hand, melds[trump], trump, look),
            Table(HEADERS, rows, "Exact meld under every trump", align="lrl", best=best),
        ],
        wide=True,
    )


def cards_block(hand: Hand, meld: Meld, trump: Suit, look: Look) -> Cards:
    """Return the cards of a hand; a card in a meld bears the meld's letter.

    >>> from advisor.game.meld import score_meld
    >>> hand = Hand.parse("AATKQJ.AK.QJ.T9")
    >>> block = cards_block(hand, score_meld(hand, 0), 0, Look())
    >>> [(card.rank, card.melds) for card in block.suits[0]]
    [('A', 'a'), ('A', ''), ('10', 'a'), ('K', 'a'), ('Q', 'ab'), ('J', 'a')]
    """
    letters: dict[tuple[int, int], str] = {}
    shown = []
    for letter, item, places in zip(
        ascii_lowercase, meld.items, laid_down(hand, meld), strict=False
    ):
        for place in places:
            letters[place] = letters.get(place, "") + letter
        one = Meld((item,), item.points)
        name = meld_text(one, look)
        shown.append((letter, name.rpartition(" ")[0], look.points(item.points)))
    suits: list[list[PlayingCard]] = [[], [], [], []]
    seen: dict[int, int] = {}
    for card in hand:
        copy = seen[card] = seen.get(card, -1) + 1
        suit, rank = divmod(card, 6)
        suits[suit].append(
            PlayingCard(
                rank=RANK_LETTERS[rank].replace("T", "10"),
                sign=SUIT_SYMBOLS[suit],
                name=f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}",
                red=suit in _RED,
                melds=letters.get((card, copy), ""),
            )
        )
    caption = (
        f"With {SUIT_NAMES[trump]} as trump: framed cards are in a meld, and the letters say which."
        if shown
        else f"No card is in a meld with {SUIT_NAMES[trump]} as trump."
    )
    return Cards(suits, shown, caption, f"in all {look.points(meld.total)}")
