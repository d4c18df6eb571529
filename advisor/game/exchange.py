"""What may be exchanged: how many cards go across the table, and which can have come."""

from __future__ import annotations

from advisor.errors import HandError, OptionError
from advisor.game.cards import N_CARD_TYPES, Hand, card_name
from advisor.game.rules import Rules


def check_pass_cards(rules: Rules) -> int:
    """Return how many cards are passed.

    Raises
    ------
    OptionError
        If there is no exchange under the rules.

    >>> check_pass_cards(Rules(pass_cards=3))
    3
    >>> check_pass_cards(Rules(pass_cards=0))
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: pass: expected rules that pass 2, 3 or 4 cards, found 0
    """
    if rules.pass_cards == 0:
        raise OptionError("pass: expected rules that pass 2, 3 or 4 cards, found 0")
    return rules.pass_cards


def check_received(hand: Hand, received: Hand, n_cards: int) -> None:
    """Raise `HandError` unless so many cards of the hand may have been received.

    >>> check_received(Hand.parse("AATTKQJJ.AAK.QJ.T99"), Hand.parse("AA.A.-.9"), 4)
    >>> check_received(Hand.parse("AATTKQJJ.AAK.QJ.T99"), Hand.parse("AA.A.A.-"), 4)
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: received: expected cards of the hand, found AD, of which it has none
    """
    if len(received) != n_cards:
        raise HandError(f"received: expected {n_cards} cards, found {len(received)}: {received}")
    for card in range(N_CARD_TYPES):
        if received.counts[card] > hand.counts[card]:
            found = ("", card_name(card), f"2x {card_name(card)}")[received.counts[card]]
            held = "one" if hand.counts[card] else "none"
            raise HandError(
                f"received: expected cards of the hand, found {found}, of which it has {held}"
            )


def without(hand: Hand, gone: Hand) -> Hand:
    """Return the hand left when some of its cards leave.

    >>> str(without(Hand.parse("AAT.K.-.-"), Hand.parse("A.K.-.-")))
    'AT.-.-.-'
    """
    return Hand(tuple(a - b for a, b in zip(hand.counts, gone.counts, strict=True)))
