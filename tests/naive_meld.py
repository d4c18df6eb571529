"""The slow, obvious oracle for meld: try every set of melds that the class rule allows.

In each class no card is used twice; one card may serve in several classes. Nothing of the closed
form in `advisor.game.meld` is used.
"""

from collections import Counter

from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    SPADES,
    SUITS,
    TEN,
    Hand,
    make_card,
)
from advisor.game.rules import Rules

Catalogue = list[tuple[Counter[int], int]]


def class_one(trump: int, rules: Rules) -> Catalogue:
    """Run, marriages, dix, and what a house pays for a run."""

    def trumps(ranks: tuple[int, ...]) -> Counter[int]:
        return Counter(make_card(trump, rank) for rank in ranks)

    inside = 40 if rules.royal_in_run else 0
    run = (ACE, TEN, KING, QUEEN, JACK)
    melds = [(trumps(run * 2), 1500 + 2 * inside), (trumps(run), 150 + inside)]
    if rules.run_extras:
        melds.append((trumps((*run, KING)), 190 + inside))
        melds.append((trumps((*run, QUEEN)), 190 + inside))
        melds.append((trumps((*run, KING, QUEEN)), 230 + inside))
    for suit in SUITS:
        marriage = Counter([make_card(suit, KING), make_card(suit, QUEEN)])
        melds.append((marriage, 40 if suit == trump else 20))
    return [*melds, (trumps((NINE,)), 10)]


def class_two() -> Catalogue:
    pinochle = [make_card(SPADES, QUEEN), make_card(DIAMONDS, JACK)]
    return [(Counter(pinochle * 2), 300), (Counter(pinochle), 40)]


def class_three() -> Catalogue:
    melds = []
    for rank, points in ((ACE, 100), (KING, 80), (QUEEN, 60), (JACK, 40)):
        around = [make_card(suit, rank) for suit in SUITS]
        melds += [(Counter(around * 2), 10 * points), (Counter(around), points)]
    return melds


def best(held: Counter[int], catalogue: Catalogue) -> int:
    """Return the most points of melds from the catalogue that share no card."""
    if not catalogue:
        return 0
    (cards, points), rest = catalogue[0], catalogue[1:]
    without = best(held, rest)
    if any(held[card] < number for card, number in cards.items()):
        return without
    return max(without, points + best(held - cards, catalogue))


def naive_meld(hand: Hand, trump: int, rules: Rules) -> int:
    """Return the meld of a hand in points."""
    held = Counter(hand.cards)
    total = sum(
        best(held, catalogue) for catalogue in (class_one(trump, rules), class_two(), class_three())
    )
    couples = all(held[make_card(suit, rank)] for suit in SUITS for rank in (KING, QUEEN))
    return total + (rules.roundhouse_bonus if couples else 0)
