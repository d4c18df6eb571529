"""Hands and suits as players write them, read with care and written in one form.

Text that could mean two hands is refused with the reason, never guessed. What is no card is taken
away by `advisor.game.notation_clean`, the words are read by `advisor.game.notation_scan`, and the
suit of each rank is found by `advisor.game.notation_readings` and `advisor.game.notation_marked`.
"""

from __future__ import annotations

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
from advisor.game.notation_clean import clean
from advisor.game.notation_marked import read_marked
from advisor.game.notation_open import Choice, open_choices
from advisor.game.notation_readings import Reading, Sizes, read_positional
from advisor.game.notation_scan import scan
from advisor.game.notation_words import (
    Combo,
    Rank,
    Source,
    SuitMark,
    shorten,
    suit_of_word,
)

MAX_LENGTH: Final = 2000
EXAMPLE: Final = "AATKQJ.AK.QJ.T9"
Style: TypeAlias = Literal["canonical", "symbols", "ascii"]


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
    source, order = clean(source)
    if not source.text.strip("\n\t ,;|/()[]{}\"'"):
        raise HandError(f"empty hand: expected {_sizes_text(sizes)} cards, such as {EXAMPLE}")
    readings: list[Reading] = []
    errors: list[HandError] = []
    for choice in open_choices(source):
        try:
            readings += _read(source, choice, order, sizes)
        except HandError as error:
            errors.append(error)
    if not readings:
        raise errors[0]
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


def _read(source: Source, choice: Choice, order: tuple[Suit, ...], sizes: Sizes) -> list[Reading]:
    """Return the readings of a text, with its open words taken as `choice` says."""
    items = scan(source, choice)
    n_ranks = sum(isinstance(item, Rank) for item in items)
    if n_ranks > DECK_SIZE:
        raise HandError(f"hand has {n_ranks} cards, expected {_sizes_text(sizes)}")
    if any(isinstance(item, SuitMark | Combo) for item in items):
        return read_marked(source, items)
    return read_positional(source, items, order)


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
