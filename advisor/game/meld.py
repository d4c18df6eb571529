"""Exact meld of a hand under a trump suit, itemised as players lay it down.

A card may serve in melds of different classes, but only once in a class: marriages, the run and
dix are one class, the pinochle is another, and arounds are the third. No class competes with
another for cards, and within the first only the run does, so the best set of melds has a closed
form (meld tables of gamerules.com, pagat.com and Wikipedia). Points are on the x10 scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from advisor.errors import HandError
from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RUN_RANKS,
    SPADES,
    SUITS,
    Hand,
    Suit,
)
from advisor.game.rules import Rules, check_rules

RUN: Final = 150
DOUBLE_RUN: Final = 1500
ROYAL_MARRIAGE: Final = 40
MARRIAGE: Final = 20
EXTRA: Final = 40
DIX: Final = 10
PINOCHLE: Final = ("pinochle", 40), ("double pinochle", 300)
AROUNDS: Final = (
    (ACE, ("aces around", 100), ("double aces around", 1000)),
    (KING, ("kings around", 80), ("double kings around", 800)),
    (QUEEN, ("queens around", 60), ("double queens around", 600)),
    (JACK, ("jacks around", 40), ("double jacks around", 400)),
)
MARRIAGES_AROUND: Final = ("marriages around", 240)
ROUNDHOUSE: Final = "roundhouse"

_QUEEN_OF_SPADES: Final = SPADES * 6 + QUEEN
_JACK_OF_DIAMONDS: Final = DIAMONDS * 6 + JACK


@dataclass(frozen=True, slots=True)
class MeldItem:
    """One meld: its name, its suit where it has one, and its points.

    Runs, marriages, extras and dix have a suit; the pinochle and the arounds have none.
    """

    name: str
    suit: Suit | None
    points: int


@dataclass(frozen=True, slots=True)
class Meld:
    """The melds of one hand and their total in points.

    >>> meld = score_meld(Hand.parse("AATKQJ.AK.QJ.T9"), SPADES)
    >>> [item.name for item in meld.items], meld.total, meld.dix_only
    (['run', 'pinochle'], 190, False)
    """

    items: tuple[MeldItem, ...]
    total: int

    @property
    def dix_only(self) -> bool:
        """Whether there is nothing but dix in it; an empty meld counts, so sides can be joined."""
        return all(item.name == "dix" for item in self.items)


def score_meld(hand: Hand, trump: Suit, rules: Rules | str | None = None) -> Meld:
    """Return the best meld of a hand of any size.

    Parameters
    ----------
    hand : Hand
        The cards.
    trump : int
        The trump suit, 0 to 3.
    rules : Rules or str, optional
        The house rules or the name of a preset; `run_extras`, `royal_in_run`, `roundhouse_bonus`
        and `marriages_around_named` matter here.

    Returns
    -------
    Meld
        Run, royal marriages, marriages, dix, pinochle and arounds, in this order.

    Raises
    ------
    HandError, RulesError
        If `trump` is not a suit, or `rules` are no rules.

    Notes
    -----
    Source: the meld tables of gamerules.com, pagat.com and Wikipedia, which agree on it; the
    house rules are variants that pagat.com and other programs pay.

    >>> meld = score_meld(Hand.parse("KQ.K.K.KQ"), SPADES)
    >>> [(item.name, item.points) for item in meld.items]
    [('royal marriage', 40), ('marriage', 20), ('kings around', 80)]
    >>> score_meld(Hand.parse("KQ.-.-.-"), 4)
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: trump: expected a suit, 0 to 3, found 4
    """
    if trump not in SUITS:
        raise HandError(f"trump: expected a suit, 0 to 3, found {trump}")
    counts = hand.counts
    house = check_rules(rules)
    items = _trump_items(hand.suit(trump), trump, house)
    marriages_in_suits = [min(counts[6 * s + KING], counts[6 * s + QUEEN]) for s in SUITS]
    for suit in SUITS:
        if suit != trump:
            items += [MeldItem("marriage", suit, MARRIAGE)] * marriages_in_suits[suit]
    items += [MeldItem("dix", trump, DIX)] * counts[6 * trump + NINE]
    pinochles = min(counts[_QUEEN_OF_SPADES], counts[_JACK_OF_DIAMONDS])
    if pinochles:
        name, points = PINOCHLE[pinochles - 1]
        items.append(MeldItem(name, None, points))
    for rank, single, double in AROUNDS:
        copies = min(counts[rank], counts[6 + rank], counts[12 + rank], counts[18 + rank])
        if copies:
            name, points = double if copies == 2 else single
            items.append(MeldItem(name, None, points))
    if all(marriages_in_suits):
        if house.marriages_around_named:
            _name_marriages_around(items)
        if house.roundhouse_bonus:
            items.append(MeldItem(ROUNDHOUSE, None, house.roundhouse_bonus))
    return Meld(tuple(items), sum([item.points for item in items]))


def _trump_items(held: tuple[int, ...], trump: Suit, rules: Rules) -> list[MeldItem]:
    """Return the melds of the trump suit but dix; `held` counts its ranks from the nine up."""
    royal_marriage = MeldItem("royal marriage", trump, ROYAL_MARRIAGE)
    kings, queens = held[KING], held[QUEEN]
    runs = min([held[rank] for rank in RUN_RANKS])
    if runs == 0:
        return [royal_marriage] * min(kings, queens)
    if runs == 2:
        items = [MeldItem("double run", trump, DOUBLE_RUN)]
    else:
        items = [MeldItem("run", trump, RUN)]
    if rules.royal_in_run:
        items += [royal_marriage] * runs
    spare_kings, spare_queens = kings - runs, queens - runs
    if rules.run_extras:
        items += [MeldItem("extra king", trump, EXTRA)] * spare_kings
        items += [MeldItem("extra queen", trump, EXTRA)] * spare_queens
    else:
        items += [royal_marriage] * min(spare_kings, spare_queens)
    return items


def _name_marriages_around(items: list[MeldItem]) -> None:
    """Replace, in place, the six melds that make 240 by the one name some tables give them.

    With a run the trump marriage is part of it, and with a double around the sum is another, so
    the name is used only where all six melds are there.
    """
    royal = next((item for item in items if item.name == "royal marriage"), None)
    arounds = [item for item in items if item.name in ("kings around", "queens around")]
    if royal is None or len(arounds) < 2:
        return
    first_by_suit = {item.suit: item for item in items if item.name == "marriage"}
    for part in (royal, *first_by_suit.values(), *arounds):
        items.remove(part)
    name, points = MARRIAGES_AROUND
    items.append(MeldItem(name, None, points))


def meld_by_trump(hand: Hand, rules: Rules | str | None = None) -> tuple[Meld, ...]:
    """Return the meld under each trump suit, in the order S H D C.

    >>> [meld.total for meld in meld_by_trump(Hand.parse("KQ9.KQ.-.9"))]
    [70, 60, 40, 50]
    """
    return tuple(score_meld(hand, trump, rules) for trump in SUITS)


def is_misdeal(hand: Hand, rules: Rules) -> bool:
    """Return whether a dealt hand may be thrown away under the rule in force (row 43).

    >>> hand = Hand.parse("AT9.KJ99.KJ9.T9")
    >>> [is_misdeal(hand, Rules(misdeal=rule)) for rule in ("none", "five-nines", "six-nines")]
    [False, True, False]
    """
    nines = sum(hand.count(suit, NINE) for suit in SUITS)
    if rules.misdeal == "none" or nines < 5:
        return False
    if rules.misdeal == "six-nines":
        return nines >= 6
    if rules.misdeal == "five-nines-no-ace":
        return all(hand.count(suit, ACE) == 0 for suit in SUITS)
    if rules.misdeal == "five-nines-no-meld":
        # Trump is not named yet. A run holds a marriage, so any suit shows whether there is meld.
        return score_meld(hand, SPADES).dix_only
    return True
