"""The id that may stand before a hand on a line of text, before a tab or a colon.

Hands are written with tabs and colons too: ``S: A T K`` names a suit, ``N:ATK.Q.J.K`` a seat.
"""

from __future__ import annotations

import re
from typing import Final

from advisor.errors import HandError
from advisor.game.notation import parse_hand
from advisor.game.notation_words import is_vocabulary

MAX_ID: Final = 64
# Longer text is not tried as a hand.
_LONGEST_TRIED: Final = 250
_SEATS: Final = frozenset(("N", "E", "S", "W", "NORTH", "EAST", "SOUTH", "WEST"))
_TOKEN: Final = re.compile(rf"[\w.#/&+@-]{{1,{MAX_ID}}}")
_PIPS: Final = "♠♥♦♣♤♡♢♧❤"
_LETTER: Final = re.compile(rf"[^\W\d_]|[{_PIPS}🂠-🃟]")
_CARDS_ONLY: Final = re.compile(
    rf"[AKQJTNSHDCXO0-9{_PIPS}\ufe0e\ufe0f🂠-🃟.,;|/\\()\[\]{{}}<>\"'*×_+=-]+", re.IGNORECASE
)
_ORDER: Final = re.compile(rf"(?:[SHDC{_PIPS}][ ,./-]?){{4}}", re.IGNORECASE)
_DOTTED: Final = re.compile(r"[AKQJT9-]+(?:\.[AKQJT9-]+){3}")
_NAMED_HAND: Final = re.compile(r"(?:hand|cards|holding)[\"']?\s*[:=]", re.IGNORECASE)


def split_id(text: str) -> tuple[str | None, str]:
    r"""Return the id and the hand of a line of text; the id is None where there is none.

    Parameters
    ----------
    text : str
        One line. Only where its first word may be cards or words of a hand is it tried as a
        hand, with that word and without.

    >>> split_id("17\tAATKQJ.AK.QJ.T9"), split_id("club-3: AS TS KS")
    (('17', 'AATKQJ.AK.QJ.T9'), ('club-3', 'AS TS KS'))
    >>> split_id("S:AATKQJ H:AK D:QJ C:T9")
    (None, 'S:AATKQJ H:AK D:QJ C:T9')
    """
    tab, colon = text.find("\t"), text.find(":")
    if (tab < 0 and colon < 0) or text[0] in "[{":
        return None, text
    is_tab = colon < 0 or 0 <= tab < colon
    before, _, after = text.partition("\t" if is_tab else ":")
    before, after = before.strip(), after.strip()
    if not before:
        return None, text
    if before.isdecimal() or _is_plain(before):
        named = ("=" in after or ":" in after) and _NAMED_HAND.search(after)
        if not named and len(before) <= MAX_ID:
            return before, after
    if _DOTTED.fullmatch(after) and not (_ORDER.fullmatch(before) or _is_label(before)):
        return before, after
    if len(text) <= _LONGEST_TRIED and len(before) <= MAX_ID:
        # An order of the suits makes another hand of what follows it.
        if is_tab and not _ORDER.fullmatch(before) and _is_hand(after):
            return before, after
        if _is_hand(text):
            return None, text
        if _is_hand(after):
            return before, after
    if is_tab and not _may_begin_hand(before):
        return before, after
    return None, text


def _is_plain(word: str) -> bool:
    """Tell whether a word can be an id only.

    >>> [_is_plain(word) for word in ("17", "2-b", "Bob", "AS", "Spades", "hand", "club night")]
    [True, True, True, False, False, False, False]
    """
    return _TOKEN.fullmatch(word) is not None and not _may_begin_hand(word)


def _may_begin_hand(text: str) -> bool:
    if not _LETTER.search(text):
        return False
    return _CARDS_ONLY.fullmatch(text) is not None or _is_label(text)


def _is_label(text: str) -> bool:
    return text.upper() in _SEATS or is_vocabulary(text.upper().partition(" ")[0])


def _is_hand(text: str) -> bool:
    try:
        parse_hand(text)
    except HandError:
        return False
    return True
