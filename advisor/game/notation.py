"""Hands and suits as players write them, read with care and written in one form.

Text that could mean two hands is refused with the reason, never guessed. The words themselves
are read by `advisor.game.notation_scan`, and the suit of each rank is found by
`advisor.game.notation_readings`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, Literal, TypeAlias

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
)
from advisor.game.notation_readings import Reading, Sizes, read_marked, read_positional
from advisor.game.notation_scan import scan
from advisor.game.notation_words import (
    KIND_WORDS,
    SUIT_SIGNS,
    Combo,
    Rank,
    Source,
    SuitMark,
    is_vocabulary,
    shorten,
    suit_of_word,
)

MAX_LENGTH: Final = 2000
EXAMPLE: Final = "AATKQJ.AK.QJ.T9"
Style: TypeAlias = Literal["canonical", "symbols", "ascii"]

_FIELD: Final = re.compile(r"(?<![A-Z_])([A-Z][A-Z_]+)[\"']?\s?\d{0,4}\s?[=:]")
_HAND_NAMES: Final = frozenset({"HAND", "CARDS", "HOLDING", "HOLD", "HAVE", "IS", "ARE"})
_CARD_LETTERS: Final = frozenset("AKQJTNSHDC")
_BEFORE_SEAT: Final = r"\s*+(?:\[DEAL)?[\s\[\"']*+"
_SEATS: Final = re.compile(_BEFORE_SEAT + r"(?:NORTH|EAST|SOUTH|WEST|[NEW])\s?:")
_SOUTH: Final = re.compile(_BEFORE_SEAT + r"S(?:\s?:|\s)")
_VOID_NAME: Final = re.compile(r"VOID|NONE|NIL|EMPTY|NO|-+|X")
_ORDER: Final = re.compile(rf"\s*\(?({SUIT_SIGNS}(?:[ ,./-]?{SUIT_SIGNS}){{3}})\s?[:=)\n]")


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
    # The length is checked again because one character may become several plain ones.
    source = Source.of(text[: MAX_LENGTH + 1])
    if len(text) > MAX_LENGTH or len(source.text) > MAX_LENGTH:
        raise HandError(
            f"hand text has {max(len(text), len(source.text)):,} characters, "
            f"expected at most {MAX_LENGTH:,}: {shorten(source.original)}"
        )
    source = _without_seat(_without_fields(_without_comments(source)))
    source, order = _without_order(source)
    if not source.text.strip("\n\t ,;|/()[]{}\"'"):
        raise HandError(f"empty hand: expected {_sizes_text(sizes)} cards, such as {EXAMPLE}")
    items = scan(source)
    n_ranks = sum(isinstance(item, Rank) for item in items)
    if n_ranks > DECK_SIZE:
        raise HandError(f"hand has {n_ranks} cards, expected {_sizes_text(sizes)}")
    if any(isinstance(item, SuitMark | Combo) for item in items):
        readings = read_marked(source, items)
    else:
        readings = read_positional(source, items, order)
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
    match = _SOUTH.match(source.text)
    if match and "." in source.text:
        rest = _VOID_NAME.sub("", source.text[match.end() :])
        if not re.search(SUIT_SIGNS, rest):
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


def _choose(source: Source, readings: list[Reading], sizes: Sizes) -> Hand:
    """Return the one hand of the readings, or say why there is none, or more than one."""
    hands: dict[Hand, Reading] = {}
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
