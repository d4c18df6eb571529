"""Quantities of a hand that a call may show."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import AdvisorError, OptionError
from advisor.game.cards import DECK_SIZE, Hand
from advisor.game.conventions import (
    QUANTITIES,
    quantity,
)
from advisor.game.meld import score_meld
from advisor.game.rules import PRESETS as RULES
from advisor.game.rules import Rules

COUNTED = [name for name in QUANTITIES if name != "value"]
hands = st.permutations(range(DECK_SIZE)).map(
    lambda deck: Hand.from_cards(card % 24 for card in deck[:12])
)


def error_of(make, *args, **kwargs):
    with pytest.raises(AdvisorError) as caught:
        make(*args, **kwargs)
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 300
    return text


def test_quantities_keep_their_places():
    assert list(QUANTITIES) == [
        "meld",
        "value",
        "aces",
        "missing-suits",
        "legs",
        "runs",
        "ace-suits",
        "helping-cards",
    ]
    assert all(kind.help.endswith(".") for kind in QUANTITIES.values())


@pytest.mark.parametrize(
    ("cards", "amounts"),
    [
        # meld, aces, missing suits, legs, runs, suits with an ace, helping cards
        ("AATKQJ.AK.QJ.T9", [190, 3, 0, 2, 1, 2, 4]),
        ("AA.AA.AA.AATTKK", [1000, 8, 0, 0, 0, 4, 7]),
        ("99.99.99.AATTKK", [20, 2, 3, 0, 0, 1, 2]),
        ("ATKQJQ.-.ATKQJJ.-", [470, 2, 2, 4, 2, 2, 2]),
        ("A.AA9.AQJ.AKQJ9", [150, 5, 0, 1, 0, 4, 4]),
    ],
)
def test_quantities_of_hands(cards, amounts):
    hand = Hand.parse(cards)
    assert [quantity(hand, name, Rules()) for name in COUNTED] == amounts


def test_meld_is_what_the_rules_pay():
    hand = Hand.parse("AATKKQJ.AK.QJ.T")
    assert quantity(hand, "meld", RULES["pagat"]) == score_meld(hand, 0, "pagat").total
    assert quantity(hand, "meld", RULES["pagat"]) != quantity(hand, "meld", Rules())


@given(hands)
@settings(deadline=None)
def test_no_hand_has_more_than_the_most(hand):
    for name in COUNTED:
        assert 0 <= quantity(hand, name, Rules()) <= QUANTITIES[name].most


@given(hands)
@settings(deadline=None)
def test_helping_cards_as_a_player_counts_them(hand):
    held = [f"{'9JQKTA'[card % 6]}{'SHDC'[card // 6]}" for card in hand]

    def helps(trump):
        run = {card for card in held if card[1] == trump and card[0] != "9"}
        aces = [card for card in held if card[0] == "A" and card[1] != trump]
        leg = {"S": "JD", "D": "QS"}.get(trump)
        return len(run) + len(aces) + held.count(leg)

    assert quantity(hand, "helping-cards", Rules()) == min(map(helps, "SHDC"))


def test_what_the_cards_do_not_say():
    hand = Hand.parse("AATKQJ.AK.QJ.T9")
    known = "meld, aces, missing-suits, legs, runs, ace-suits or helping-cards"
    assert error_of(quantity, hand, "value", Rules()) == (
        f"shows: expected {known}, found 'value'; it takes a simulation"
    )
    assert error_of(quantity, hand, "melds", Rules()) == (
        f"shows: expected {known}, found 'melds'; did you mean meld?"
    )
    with pytest.raises(OptionError):
        quantity(hand, "text", Rules())
