"""Why a card goes across the table, in players' words."""

from __future__ import annotations

from collections import Counter
from typing import Final

from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_NAMES,
    SPADES,
    SUIT_NAMES,
    Card,
    Hand,
    Suit,
    make_card,
    rank_of,
    suit_of,
)
from advisor.game.exchange import without
from advisor.game.meld import MeldItem, score_meld
from advisor.game.rules import Rules

LEGS: Final = make_card(SPADES, QUEEN), make_card(DIAMONDS, JACK)


def uses(item: MeldItem, card: Card) -> bool:
    """Return whether a card of this type is laid down in a meld.

    >>> uses(MeldItem("aces around", None, 100), 5), uses(MeldItem("run", 0, 150), 0)
    (True, False)
    """
    suit, rank = suit_of(card), rank_of(card)
    if item.name in ("pinochle", "double pinochle"):
        return card in LEGS
    if item.name in ("marriages around", "roundhouse"):
        return rank in (KING, QUEEN)
    if item.name.endswith(" around"):
        return f"{RANK_NAMES[rank]}s" in item.name.split()
    if item.suit != suit:
        return False
    if item.name == "dix":
        return rank == NINE
    if item.name.startswith("extra "):
        return item.name == f"extra {RANK_NAMES[rank]}"
    if item.name in ("run", "double run"):
        return rank != NINE
    return rank in (KING, QUEEN)


def _named(item: MeldItem) -> str:
    """Return a meld with its article: `a run`, `an extra king`, `aces around`."""
    if item.name.endswith(" around"):
        return item.name
    return f"{'an' if item.name.startswith('e') else 'a'} {item.name}"


def _broken(hand: Hand, gone: Hand, trump: Suit, rules: Rules) -> list[MeldItem]:
    """Return the melds that neither stay whole nor go whole."""
    had = Counter(score_meld(hand, trump, rules).items)
    stays = Counter(score_meld(without(hand, gone), trump, rules).items)
    goes = Counter(score_meld(gone, trump, rules).items)
    return list((had - stays - goes).elements())


def _whole(gone: Hand, trump: Suit, rules: Rules, card: Card) -> list[MeldItem]:
    """Return the melds that the cards which go make by themselves, with this card in them."""
    return [item for item in score_meld(gone, trump, rules).items if uses(item, card)]


def pass_reasons(hand: Hand, sent: Hand, trump: Suit, rules: Rules) -> dict[Card, str]:
    """Return for each card that partner sends why it goes.

    Parameters
    ----------
    hand : Hand
        Partner's cards as dealt.
    sent : Hand
    trump : int
    rules : Rules

    Returns
    -------
    dict of int to str
        Two copies of a card have one reason.

    >>> hand, sent = Hand.parse("AT9.AK9.QJ9.TJ9"), Hand.parse("AT.A.J.-")
    >>> list(pass_reasons(hand, sent, 0, Rules()).values())
    ['run card', 'run card', 'side ace', 'pinochle leg']
    """
    broken = _broken(hand, sent, trump, rules)
    return {card: _sent_because(sent, trump, rules, broken, card) for card in dict.fromkeys(sent)}


def _sent_because(sent: Hand, trump: Suit, rules: Rules, broken: list[MeldItem], card: Card) -> str:
    both = sent.counts[card] == 2
    rank = rank_of(card)
    if suit_of(card) == trump:
        if rank == NINE:
            return "both nines of trump" if both else "nine of trump"
        text = "run card, and the second copy of a run card" if both else "run card"
        return f"{text}, pinochle leg" if card in LEGS else text
    if card in LEGS:
        return "both copies of a pinochle leg" if both else "pinochle leg"
    if rank == ACE:
        return "both side aces of the suit" if both else "side ace"
    whole = _whole(sent, trump, rules, card)
    if whole:
        return f"{_named(whole[0])} sent whole"
    lost = [_named(item) for item in broken if uses(item, card)]
    if lost:
        return f"filler, breaks {' and '.join(dict.fromkeys(lost))}"
    return "filler that breaks no meld"


def return_reasons(hand: Hand, given: Hand, trump: Suit, rules: Rules) -> dict[Card, str]:
    """Return for each card that declarer gives back why it goes.

    Parameters
    ----------
    hand : Hand
        Declarer's cards with those received.
    given : Hand
    trump : int
    rules : Rules

    Returns
    -------
    dict of int to str
        Two copies of a card have one reason.

    >>> hand, given = Hand.parse("AATTKQJJ.AAK.QJ.T99"), Hand.parse("-.-.J.T99")
    >>> reasons = return_reasons(hand, given, 0, Rules())
    >>> [reasons[card] for card in (22, 18)]
    ['side loser, makes a void in clubs, breaks no meld', \
'side losers, makes a void in clubs, breaks no meld']
    """
    broken = _broken(hand, given, trump, rules)
    return {
        card: _given_because(hand, given, trump, rules, broken, card)
        for card in dict.fromkeys(given)
    }


def _given_because(
    hand: Hand, given: Hand, trump: Suit, rules: Rules, broken: list[MeldItem], card: Card
) -> str:
    suit, rank = suit_of(card), rank_of(card)
    both = given.counts[card] == 2
    if suit == trump:
        kind = "nine of trump" if rank == NINE else "spare trump"
    elif rank == ACE:
        kind = "spare ace" if hand.counts[card] > given.counts[card] else "side ace"
    else:
        kind = "side loser"
    parts = [
        {"nine of trump": "nines of trump", "spare trump": "spare trumps"}.get(kind, f"{kind}s")
        if both
        else kind
    ]
    if suit != trump and given.suit(suit) == hand.suit(suit):
        parts.append(f"makes a void in {SUIT_NAMES[suit]}")
    whole = [_named(item) for item in _whole(given, trump, rules, card)]
    if whole:
        parts.append(f"gives partner {' and '.join(dict.fromkeys(whole))}")
    lost = [_named(item) for item in broken if uses(item, card)]
    parts.append(f"breaks {' and '.join(dict.fromkeys(lost))}" if lost else "breaks no meld")
    return ", ".join(parts)


def kept_remarks(kept: Hand, trump: Suit, rules: Rules) -> tuple[str, ...]:
    """Return what partner keeps by not sending it: melds, and trumps held back.

    >>> kept_remarks(Hand.parse("9.KQ.K.QQJ9"), 0, Rules())
    ('keeps a marriage in hearts', 'keeps a dix')
    """
    remarks = []
    for item in dict.fromkeys(score_meld(kept, trump, rules).items):
        where = ""
        if item.name == "marriage" and item.suit is not None:
            where = f" in {SUIT_NAMES[item.suit]}"
        remarks.append(f"keeps {_named(item)}{where}")
    held_back = sum(kept.suit(trump)) - kept.count(trump, NINE)
    if held_back:
        remarks.append(f"keeps {held_back} run card{'s' if held_back > 1 else ''} of trump")
    return tuple(remarks)
