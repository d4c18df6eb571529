"""What the best cards of an exchange do that the rule's do not: one cause for each holding."""

from __future__ import annotations

from collections import Counter

from advisor.game.cards import ACE, JACK, KING, NINE, QUEEN, SUITS, TEN, Hand, make_card
from advisor.game.exchange import without
from advisor.game.meld import score_meld

LEGS = make_card(0, QUEEN), make_card(2, JACK)


def _suits_with(cards: Hand, rank: int) -> int:
    return sum(cards.count(suit, rank) > 0 for suit in SUITS)


def _arounds(cards: Hand, trump: int) -> int:
    return sum(item.name.endswith("around") for item in score_meld(cards, trump).items)


def _run_cards(cards: Hand, trump: int) -> int:
    return sum(cards.suit(trump)) - cards.count(trump, NINE)


def _legs(cards: Hand) -> int:
    return sum(cards.counts[leg] for leg in LEGS)


def send_cause(hand: Hand, trump: int, rule: Hand, best: Hand) -> str:
    """Return why the best send beats the rule's, the first cause that fits."""
    fewer_trumps = _run_cards(best, trump) < _run_cards(rule, trump)
    if _arounds(best, trump) > _arounds(rule, trump):
        return "an own around goes whole"
    if _arounds(without(hand, best), trump) > _arounds(without(hand, rule), trump):
        way = "a run card or ace of trump" if fewer_trumps else "side cards"
        return f"an own around stays whole, which the rule breaks by {way}"
    if _legs(best) > _legs(rule):
        suits = "S or D" if trump in (0, 2) else "H or C"
        before = "before a run card" if fewer_trumps else "before others"
        return f"a pinochle leg more, {before}, trump {suits}"
    if fewer_trumps and _suits_with(best, ACE) > _suits_with(rule, ACE):
        return "the ace of one suit more, before a run card"
    if fewer_trumps:
        return "another card before a run card"
    if best.count(trump, NINE) < rule.count(trump, NINE):
        return "the nine of trump stays"
    return "other fillers"


def _given_melds(cards: Hand, trump: int) -> Counter[str]:
    return Counter(item.name for item in score_meld(cards, trump).items)


def return_cause(hand: Hand, trump: int, rule: Hand, best: Hand) -> str:
    """Return why the best return beats the rule's, the first cause that fits."""

    def most(cards: Hand) -> int:
        return max(_suits_with(cards, rank) for rank in (JACK, QUEEN, KING))

    def kept(cards: Hand) -> int:
        return score_meld(without(hand, cards), trump).total

    if _suits_with(best, ACE) >= 3 > _suits_with(rule, ACE):
        return "three or four aces go, for an around across the table"
    if most(best) >= 3 and most(best) > most(rule):
        return "three or four of a rank go, for an around across the table"
    if _given_melds(best, trump) - _given_melds(rule, trump):
        return "a whole meld more goes"
    if most(best) == 2 and most(best) > most(rule):
        return "two of a rank go, where partner may hold the others"
    if sum(best.suit(trump)) > sum(rule.suit(trump)):
        return "a trump more goes, other"
    if kept(best) != kept(rule):
        return "more meld kept" if kept(best) > kept(rule) else "own meld broken"
    counters = [sum(c.count(s, r) for s in SUITS for r in (KING, TEN)) for c in (rule, best)]
    if counters[1] > counters[0]:
        return "a king or ten goes in place of a low card"
    return "other low cards"
