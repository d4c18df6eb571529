"""What stands around a written hand and is no card: notes, other fields, seats, lead-ins, numbers.

`clean` takes it away from the text, so that only the hand is left for the scanner.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from advisor.game.cards import SUIT_SYMBOLS, SUITS, Suit
from advisor.game.notation_words import (
    KIND_WORDS,
    LEAD_WORDS,
    SUIT_SIGNS,
    Source,
    is_vocabulary,
    suit_of_word,
)

_FIELD: Final = re.compile(r"(?<![A-Z_])([A-Z][A-Z_]+)[\"']?\s?\d{0,4}\s?[=:]")
_HAND_NAMES: Final = frozenset({"HAND", "CARDS", "HOLDING", "HOLD", "HAVE", "IS", "ARE"})
_CARD_LETTERS: Final = frozenset("AKQJTNSHDC")
_BEFORE_SEAT: Final = r"\s*+(?:\[DEAL)?[\s\[\"']*+"
_SEATS: Final = re.compile(
    _BEFORE_SEAT + r"(?:(?:NORTH|EAST|SOUTH|WEST|[NEW])\s?:|(?:NORTH|EAST|SOUTH|WEST)\s)"
)
_LONE_SEAT: Final = re.compile(_BEFORE_SEAT + r"(?:S\s?:|([NEWS])\s)")
_COMPACT_SUITS: Final = re.compile(r"\s*[^\s.]*(?:\s?\.\s?[^\s.]*){3}\s*")
_VOID_NAME: Final = re.compile(r"VOID|NONE|NIL|EMPTY|NO|-+|X")
_ORDER: Final = re.compile(rf"\s*\(?({SUIT_SIGNS}(?:[ ,./-]?{SUIT_SIGNS}){{3}})\s?[:=)\n]")
_LEAD_WORD: Final = rf"(?:{'|'.join(sorted(LEAD_WORDS, reverse=True))})(?![A-Z0-9'_])"
_LEAD: Final = re.compile(rf"[\s\"']*+(?:{_LEAD_WORD}[\s:]*+)+")
# 'hand #3:', 'Board no. 12 -', where the sign starts no note.
_HAND_NUMBER: Final = re.compile(
    r"(?<![^\n])[ \t]*+(?:(?:MY|THE|THIS)\s)?(?:HAND|DEAL|BOARD|GAME|ROUND)\s?"
    r"(?:#|NO\.?|NR\.?|NUMBER)\s?\d{1,4}(?![A-Z0-9])\s?(?:[:=.)]|-+(?=\s))?"
)
_LIST_NUMBER: Final = re.compile(rf"(?:(?<=[\s,;])|^)(\d{{1,2}})[.)](?=\s|[A-Z0-9{SUIT_SYMBOLS}])")
_OBJECT: Final = re.compile(r"\{[^{}]*\}")
_MEMBER: Final = re.compile(
    rf"[\"']?([A-Z_]+)[\"']?\s?:\s?[\"']?([A-Z0-9{SUIT_SYMBOLS}]+)[\"']?\s?(?=[,}}])"
)
_MEMBER_NAMES: Final = {
    **dict.fromkeys(("RANK", "VALUE", "FACE"), "RANK"),
    **{"SUIT": "SUIT", "COUNT": "COUNT", "COPIES": "COUNT"},
}


def clean(source: Source) -> tuple[Source, tuple[Suit, ...]]:
    """Return a source with nothing but the hand, and the order of the suits in it.

    >>> cleaned, order = clean(Source.of("hand #3: HSDC: A ATKQJ9 JJ KQ9  # mine"))
    >>> cleaned.text.strip(), order
    ('A ATKQJ9 JJ KQ9', (1, 0, 2, 3))
    """
    source = _without_comments(source)
    source = _without_fields(_spell_objects(_without_list_numbers(source)))
    if match := _LEAD.match(source.text):
        source = source.blank(0, match.end())
    return _without_order(_without_seat(source))


def _without_comments(source: Source) -> Source:
    """Blank the number of a hand, as in ``hand #3:``, and each note from ``#`` to the line's end.

    >>> _without_comments(Source.of("hand #3: AS # note")).text.strip()
    'AS'
    """
    for match in _HAND_NUMBER.finditer(source.text):
        if "#" not in source.text[source.text.rfind("\n", 0, match.end()) + 1 : match.start()]:
            source = source.blank(*match.span())
    for match in re.finditer(r"#[^\n]*", source.text):
        source = source.blank(*match.span())
    return source


def _without_list_numbers(source: Source) -> Source:
    """Read ``1. JS 2. JC`` as ``JS, JC``, where the numbers count from 1.

    >>> _without_list_numbers(Source.of("1. JS 2. JC")).text
    '   JS ,  JC'
    """
    found = list(_LIST_NUMBER.finditer(source.text))
    numbers = [int(match[1]) for match in found]
    if len(found) < 2 or numbers != list(range(1, len(found) + 1)):
        return source
    gaps = [source.text[left.end() : right.start()] for left, right in pairwise(found)]
    if source.text[: found[0].start()].strip(" \n\t([\"'") or not all(map(str.strip, gaps)):
        return source
    for match in found:
        source = source.blank(*match.span(), sign="" if match is found[0] else ",")
    return source


def _spell_objects(source: Source) -> Source:
    """Read ``{"rank": "A", "suit": "S"}`` as ``A OF S``.

    >>> _spell_objects(Source.of('[{"suit":"S","rank":10}, {"suit":"H","rank":"ace"}]')).text
    '[10 OF S, ACE OF H]'
    """
    text, origin, end = "", list[int](), 0
    for match in _OBJECT.finditer(source.text):
        members = list(_MEMBER.finditer(match[0]))
        found = {_MEMBER_NAMES.get(member[1], ""): member for member in members}
        if not {"RANK", "SUIT"} & found.keys():
            continue
        if (
            not {"RANK", "SUIT"} <= found.keys() <= {"RANK", "SUIT", "COUNT"}
            or len(found) < len(members)
            or match[0].count(":") > len(members)
        ):
            raise source.error(*match.span(), "a card here has one rank and one suit")
        text += source.text[end : match.start()]
        origin += source.origin[end : match.start()]
        for name, after in (("COUNT", " "), ("RANK", " OF "), ("SUIT", "")):
            if member := found.get(name):
                start = match.start() + member.start(2)
                places = source.origin[start : start + len(member[2])]
                text += member[2] + after
                origin += [*places, *[places[-1]] * len(after)]
        end = match.end()
    if not end:
        return source
    return Source(source.original, text + source.text[end:], [*origin, *source.origin[end:]])


def _without_fields(source: Source) -> Source:
    """Keep the hand of a line of fields: ``hand=AS TS ...; bid=?``."""
    names = [
        match
        for match in _FIELD.finditer(source.text)
        if match[1] in _HAND_NAMES
        or not (
            set(match[1]) <= _CARD_LETTERS
            or (is_vocabulary(match[1]) and match[1] not in KIND_WORDS)
            or _SEATS.fullmatch(match[1] + ":")
        )
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


def _without_seat(source: Source) -> Source:
    """Blank a seat as in PBN: ``S:ATKQJ9.A.JJ.KQ9``, where the dots show that S is South."""
    if match := _SEATS.match(source.text):
        return source.blank(0, match.end())
    match = _LONE_SEAT.match(source.text)
    if match and "." in source.text:
        hand = source.text[match.end() :]
        # The N of 'N A T K.Q.J.K' may be one of the nines; that of 'N ATK.Q.J.K' is North.
        seat = match[1] != "N" or _COMPACT_SUITS.fullmatch(hand) is not None
        if seat and not re.search(SUIT_SIGNS, _VOID_NAME.sub("", hand)):
            return source.blank(0, match.end())
    return source


def _without_order(source: Source) -> tuple[Source, tuple[Suit, ...]]:
    """Read an order declared first: ``HSDC: A ATKQJ9 JJ KQ9``."""
    match = _ORDER.match(source.text)
    signs = re.findall(SUIT_SIGNS, match[1]) if match else []
    suits = tuple(suit for sign in signs if (suit := suit_of_word(sign)) is not None)
    if match is None or set(suits) != set(SUITS):
        return source, SUITS
    return source.blank(0, match.end()), suits
