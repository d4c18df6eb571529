"""Which cards lie in which meld: in the hand, of the right points, no copy twice in a class."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Hand, Rules
from advisor.game.cards import card_name
from advisor.game.meld import Meld, MeldItem, score_meld
from advisor.game.meld_cards import cards_of, laid_down

DECK = [card for card in range(24) for _ in range(2)]
HANDS = st.permutations(DECK).map(lambda cards: cards[:12])
RULES = st.builds(
    Rules,
    run_extras=st.booleans(),
    royal_in_run=st.booleans(),
    marriages_around_named=st.booleans(),
    roundhouse_bonus=st.sampled_from([0, 10]),
)


def hand_of(cards: list[int]) -> Hand:
    counts = Counter(cards)
    return Hand(tuple(counts[card] for card in range(24)))


def kind(item: MeldItem) -> str:
    """Return the class of a meld, by its name alone."""
    if item.name in ("pinochle", "double pinochle"):
        return "pinochle"
    if item.name.endswith(" around") and item.name != "marriages around":
        return "around"
    return "other"


@given(cards=HANDS, trump=st.integers(0, 3), rules=RULES)
def test_every_card_is_in_the_hand(cards: list[int], trump: int, rules: Rules) -> None:
    hand = hand_of(cards)
    meld = score_meld(hand, trump, rules)
    places = laid_down(hand, meld)
    assert len(places) == len(meld.items)
    for item, shown in zip(meld.items, places, strict=True):
        assert [card for card, _ in shown] == list(cards_of(item))
        assert all(0 <= copy < hand.counts[card] for card, copy in shown)
        # A double shows both copies.
        assert len(set(shown)) == len(shown)


@given(cards=HANDS, trump=st.integers(0, 3), extras=st.booleans())
def test_no_copy_lies_twice_in_a_class(cards: list[int], trump: int, extras: bool) -> None:
    hand = hand_of(cards)
    meld = score_meld(hand, trump, Rules(run_extras=extras))
    used = Counter(
        (kind(item), place)
        for item, shown in zip(meld.items, laid_down(hand, meld), strict=True)
        for place in shown
    )
    assert not used or max(used.values()) == 1


@given(cards=HANDS, trump=st.integers(0, 3))
def test_the_cards_alone_are_worth_the_meld(cards: list[int], trump: int) -> None:
    hand = hand_of(cards)
    meld = score_meld(hand, trump)
    laid = Counter(card for card, _ in {p for shown in laid_down(hand, meld) for p in shown})
    rest = Hand(tuple(laid[card] for card in range(24)))
    assert score_meld(rest, trump).total == meld.total


@pytest.mark.parametrize(
    ("item", "names"),
    [
        (MeldItem("run", 2, 150), "AD TD KD QD JD"),
        (MeldItem("double run", 0, 1500), "AS AS TS TS KS KS QS QS JS JS"),
        (MeldItem("extra queen", 1, 40), "QH"),
        (MeldItem("dix", 3, 10), "9C"),
        (MeldItem("double pinochle", None, 300), "QS QS JD JD"),
        (MeldItem("jacks around", None, 40), "JS JH JD JC"),
        (MeldItem("double aces around", None, 1000), "AS AS AH AH AD AD AC AC"),
        (MeldItem("marriages around", None, 240), "KS QS KH QH KD QD KC QC"),
        (MeldItem("roundhouse", None, 10), "KS QS KH QH KD QD KC QC"),
    ],
    ids=lambda value: value.name if isinstance(value, MeldItem) else "",
)
def test_cards_of_each_meld(item: MeldItem, names: str) -> None:
    assert [card_name(card) for card in cards_of(item)] == names.split()


def test_a_hand_without_meld_lays_nothing_down() -> None:
    hand = Hand.parse("AATT.AATT.TT.TJ")
    assert laid_down(hand, Meld((), 0)) == ()
