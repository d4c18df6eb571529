"""The screen of ``advisor meld``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.game.cards import Hand, Suit
from advisor.game.meld import Meld
from advisor.game.rules import Rules
from advisor.report.frame import github, head, meld_text, table
from advisor.report.look import Look

HEADERS: Final = ("trump", "meld", "items")
# Width of the columns before the items, with the gaps.
_BEFORE_ITEMS: Final = 15


def meld_rows(melds: Mapping[Suit, Meld], look: Look) -> list[list[str]]:
    """Return the rows of the table of melds, most first."""
    best_first = sorted(melds, key=lambda suit: (-melds[suit].total, suit))
    return [
        [look.suit(suit), look.points(melds[suit].total), meld_text(melds[suit], look)]
        for suit in best_first
    ]


def meld_screen(hand: Hand, rules: Rules, melds: Mapping[Suit, Meld], look: Look) -> str:
    """Return the screen: the head, and the meld under each trump, most first."""
    import textwrap

    rows = meld_rows(melds, look)
    for row in rows:
        row[2] = "\n".join(textwrap.wrap(row[2], look.width - _BEFORE_ITEMS))
    lines = [*head(hand, rules, look), "", *table(rows, HEADERS, look, align="lrl")]
    return "\n".join(lines) + "\n"


def meld_markdown(melds: Mapping[Suit, Meld], look: Look) -> str:
    """Return the table alone, in markdown."""
    return github(meld_rows(melds, look), HEADERS, align="lrl")
