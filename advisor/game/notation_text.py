"""Reading a hand from text of any kind: the part of `advisor.game.notation` that takes its time.

What is no card is taken away by `advisor.game.notation_clean`, the words are read by
`advisor.game.notation_scan`, and the suit of each rank is found by
`advisor.game.notation_readings` and `advisor.game.notation_marked`.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from advisor.errors import HandError
from advisor.game.cards import DECK_SIZE, Card, Hand, Suit, card_name
from advisor.game.notation_clean import clean
from advisor.game.notation_marked import read_marked
from advisor.game.notation_open import Choice, open_choices
from advisor.game.notation_readings import Reading, Sizes, read_positional
from advisor.game.notation_scan import scan
from advisor.game.notation_words import Combo, Rank, Source, SuitMark, shorten

MAX_LENGTH: Final = 2000
EXAMPLE: Final = "AATKQJ.AK.QJ.T9"


def read_text(text: str, sizes: Sizes) -> Hand:
    """Return the one hand that a text can mean; see `advisor.game.notation.parse_hand`.

    >>> str(read_text("run in spades + 9S, A♥, both JD, KC QC 9C", (12,)))
    'ATKQJ9.A.JJ.KQ9'
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
