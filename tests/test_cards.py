"""Hands made from numbers: what is taken, and what is refused in one line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import HandError
from advisor.game.cards import DECK_SIZE, N_CARD_TYPES, Hand

HAND = Hand.parse("AATKQJ.AK.QJ.T9")
NONE = [0] * N_CARD_TYPES
any_hand = st.lists(st.integers(0, 2), min_size=N_CARD_TYPES, max_size=N_CARD_TYPES)


def error_of(make, *args):
    with pytest.raises(HandError) as caught:
        make(*args)
    text = str(caught.value)
    assert text.isprintable()
    return text


@given(any_hand)
def test_every_hand_survives_every_form(counts):
    hand = Hand(counts)
    assert hand == Hand.from_cards(hand.cards) == Hand.from_packed(hand.packed)
    assert hand == Hand(tuple(counts))
    assert hash(hand) == hash(Hand(np.array(counts, dtype=np.uint8)))
    assert hand.packed < 1 << DECK_SIZE


def test_counts_are_kept_as_whole_numbers():
    for counts in (list(HAND.counts), np.array(HAND.counts, dtype=np.int8), iter(HAND.counts)):
        hand = Hand(counts)
        assert hand == HAND
        assert type(hand.counts) is tuple
        assert {type(count) for count in hand.counts} == {int}


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1], "expected 24 counts of cards, found 1"),
        ([0.0, *NONE[1:]], "count of 9S: expected 0, 1 or 2, found 0.0"),
        ([*NONE[1:], 1.5], "count of AC: expected 0, 1 or 2, found 1.5"),
        ([*NONE[1:], True], "count of AC: expected 0, 1 or 2, found true"),
        ([None, *NONE[1:]], "count of 9S: expected 0, 1 or 2, found none"),
        ("0" * 24, "count of 9S: expected 0, 1 or 2, found '0'"),
        ([3, *NONE[1:]], "3x 9S: a pinochle deck has 2 of each"),
        ([-1, *NONE[1:]], "count of 9S: expected 0, 1 or 2, found -1"),
        ([10**20, *NONE[1:]], "too many 9S: a pinochle deck has 2 of each"),
        (None, "counts: expected a list, found none"),
        (24, "counts: expected a list, found 24"),
    ],
)
def test_counts_that_no_hand_has(counts, message):
    assert error_of(Hand, counts) == message


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([24], "card: expected a whole number from 0 to 23, found 24"),
        ([0, -1], "card: expected a whole number from 0 to 23, found -1"),
        ([1.0], "card: expected a whole number from 0 to 23, found 1.0"),
        ([True], "card: expected a whole number from 0 to 23, found true"),
        (["AS"], "card: expected a whole number from 0 to 23, found 'AS'"),
        ("AS", "card: expected a whole number from 0 to 23, found 'A'"),
        ([[0, 1]], "card: expected a whole number from 0 to 23, found a list"),
        ([10**20], "card: expected a whole number from 0 to 23, found a number of 67 bits"),
        ([np.int64(-5)], "card: expected a whole number from 0 to 23, found -5"),
        ([5, 5, 5], "3x AS: a pinochle deck has 2 of each"),
        (None, "cards: expected a list, found none"),
        (7, "cards: expected a list, found 7"),
    ],
)
def test_cards_that_are_none(cards, message):
    assert error_of(Hand.from_cards, cards) == message


def test_cards_of_numpy_are_cards():
    assert Hand.from_cards(np.array(HAND.cards, dtype=np.uint8)) == HAND
    assert Hand.from_packed(np.uint64(HAND.packed)) == HAND


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (-1, "packed: expected a word of 48 bits, found -1"),
        (1 << 48, f"packed: expected a word of 48 bits, found {1 << 48}"),
        (10**20, "packed: expected a word of 48 bits, found a number of 67 bits"),
        (1.0, "packed: expected a word of 48 bits, found 1.0"),
        (None, "packed: expected a word of 48 bits, found none"),
        (True, "packed: expected a word of 48 bits, found true"),
        (0b10, "packed: expected bits 00, 01 or 11 for 9S, found 10"),
        (0b10 << 46 | 1, "packed: expected bits 00, 01 or 11 for AC, found 10"),
    ],
)
def test_words_that_no_hand_has(packed, message):
    assert error_of(Hand.from_packed, packed) == message


@given(st.integers(0, (1 << 48) - 1))
def test_a_word_is_a_hand_or_an_error(word):
    if any(word >> 2 * card & 3 == 0b10 for card in range(N_CARD_TYPES)):
        assert error_of(Hand.from_packed, word).endswith("found 10")
    else:
        assert Hand.from_packed(word).packed == word


@pytest.mark.parametrize(
    ("text", "found"),
    [(None, "none"), (12, "12"), (b"AKQ", "a bytes"), (["AS"], "a list"), ({}, "a table")],
)
def test_a_hand_is_read_from_text_only(text, found):
    assert error_of(Hand.parse, text) == f"hand: expected text, found {found}"
