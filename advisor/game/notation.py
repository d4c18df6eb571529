"""Hands and suits as players write them, read with care and written in one form.

Text that could mean two hands is refused with the reason, never guessed. The canonical form is
read here; all else by `advisor.game.notation_text`, which is loaded when it is needed.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from advisor.errors import OptionError
from advisor.game.cards import (
    COPIES,
    HAND_SIZE,
    N_CARD_TYPES,
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    SUITS,
    Hand,
    Suit,
)

MAX_LENGTH: Final = 2000
Sizes: TypeAlias = tuple[int, ...] | None
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
    hand = _read_canonical(text) if isinstance(text, str) else None
    if hand is not None and (sizes is None or len(hand) in sizes):
        return hand
    from advisor.game.notation_text import read_text

    return read_text(text, sizes)


def _read_canonical(text: str) -> Hand | None:
    """Return the hand of four groups of ranks with dots between them, or None for other text."""
    groups = text.strip().split(".")
    if len(text) > 4 * HAND_SIZE or len(groups) != len(SUITS) or "" in groups:
        return None
    counts = [0] * N_CARD_TYPES
    for suit, group in zip(SUITS, groups, strict=True):
        for letter in "" if group == "-" else group:
            rank = RANK_LETTERS.find(letter)
            if rank < 0:
                return None
            counts[6 * suit + rank] += 1
    return Hand(tuple(counts)) if sum(counts) > 0 and max(counts) <= COPIES else None


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
    if len(text) == 1 and text.upper() in SUIT_LETTERS:
        return SUIT_LETTERS.index(text.upper())
    from advisor.game.notation_words import Source, shorten, suit_of_word

    word = Source.of(text[:MAX_LENGTH]).text.strip()
    suit = suit_of_word(word) if len(text) <= MAX_LENGTH else None
    if suit is not None:
        return suit
    # Imported here because only a mistake needs it.
    from difflib import get_close_matches

    close = get_close_matches(word[:40].lower(), SUIT_NAMES, n=1)
    hint = f"did you mean {close[0]}?" if close else "expected S, H, D, C or a suit's name"
    raise OptionError(f"trump {shorten(text[:MAX_LENGTH])} is not a suit: {hint}")
