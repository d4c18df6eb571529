import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, cards_of, legal_plays, packed, unpacked, winning_place

from advisor.game.cards import SUIT_LETTERS, SUITS
from advisor.game.rules import Rules
from advisor.kernels import packed as words
from advisor.kernels.tricks import legal_after
from advisor.playing import rule_array

CASES = json.loads(
    (Path(__file__).parent / "data" / "legal_plays.json").read_text(encoding="utf-8")
)
HEADINGS = ("always", "trump-leads", "after-ruff")


def kernel_legal(hand, trick, trump, heading):
    """Return the kernel's legal card types and the place of the winning card."""
    played = np.array([1 << 2 * card for card in trick], dtype=np.uint64)
    out = np.zeros(2, dtype=np.uint64)
    rule = int(rule_array(Rules(heading=heading))[words.RULE_HEADING])
    legal_after(np.uint64(packed(hand)), np.uint64(trump), played, rule, out)
    return unpacked(out[0]), int(out[1])


def assert_legal_agrees(hand, trick, trump, heading):
    legal, winner = kernel_legal(hand, trick, trump, heading)
    # The kernel names card types once, so a second copy of an ace is not a second play.
    assert legal == sorted(set(legal_plays(hand, trick, trump, heading)))
    assert winner == winning_place(trick, trump)


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("row", CASES["rows"], ids=lambda row: f"{row['played']}: {row['hand']}")
def test_case_of_the_rules_reference(row, heading):
    trump = SUIT_LETTERS.index(CASES["trump"])
    hand, trick = cards_of(row["hand"]), cards_of(row["played"])
    expected = sorted(cards_of(row[heading]))
    assert kernel_legal(hand, trick, trump, heading)[0] == expected
    assert sorted(legal_plays(hand, trick, trump, heading)) == expected


@pytest.mark.parametrize("shift", range(1, 4))
def test_cases_hold_with_the_suits_moved_round(shift):
    def moved(text):
        return [(card + 6 * shift) % 24 for card in cards_of(text)]

    trump = (SUIT_LETTERS.index(CASES["trump"]) + shift) % 4
    for row, heading in itertools.product(CASES["rows"], HEADINGS):
        legal, _ = kernel_legal(moved(row["hand"]), moved(row["played"]), trump, heading)
        assert legal == sorted(moved(row[heading])), (row, heading)


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("trump", SUITS)
def test_random_tricks(trump, heading):
    rng = np.random.default_rng([trump, HEADINGS.index(heading)])
    for _ in range(600):
        order = [int(card) for card in rng.permutation(DECK)]
        n_played, n_hand = int(rng.integers(1, 4)), int(rng.integers(1, 13))
        assert_legal_agrees(order[n_played : n_played + n_hand], order[:n_played], trump, heading)


def test_every_trick_of_two_cards_against_every_short_holding():
    # Trump, the suit led and a third suit behave alike whichever suits they are.
    for trick in itertools.product(range(12), repeat=2):
        for hand in ([0, 5], [1, 2, 3, 4], [6, 11], [7, 8, 9, 10], [0, 11], [5, 6], [2, 8], [13]):
            for heading in HEADINGS:
                assert_legal_agrees(hand, list(trick), 0, heading)


@settings(deadline=None)
@given(
    st.permutations(DECK),
    st.integers(1, 3),
    st.integers(1, 12),
    st.sampled_from(SUITS),
    st.sampled_from(HEADINGS),
)
def test_any_trick(order, n_played, n_hand, trump, heading):
    assert_legal_agrees(order[n_played : n_played + n_hand], order[:n_played], trump, heading)


@settings(deadline=None)
@given(st.permutations(DECK), st.sampled_from(SUITS))
def test_winner_of_a_whole_trick(order, trump):
    _, winner = kernel_legal([], order[:4], trump, "always")
    assert winner == winning_place(order[:4], trump)


@pytest.mark.parametrize(
    "trick", ["AH AH 9H 9H", "9S 9S AH AH", "AS AS", "AH 9H AH", "KH JS AH JS"]
)
def test_the_first_of_equal_cards_wins(trick):
    cards = cards_of(trick)
    first = cards.index(max(cards, key=lambda card: (card // 6 == 0, card % 6)))
    assert kernel_legal(cards_of("9D"), cards, 0, "always")[1] == first
    assert winning_place(cards, 0) == first
