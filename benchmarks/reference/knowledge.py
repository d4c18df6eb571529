"""What one seat knows. The record is all that a decision reads: no hidden hand is in it.

A record is two arrays. `words` (uint64) holds cards, packed, at the indices below; those that are
kept by seat take four places. `facts` (int64) holds numbers. `begin` and `note_play` keep the part
that everybody sees; `look` adds what one seat knows besides.

Of a passed card that has not been played yet, the seat that holds it is known for certain, and so
is that copy. Of a shown card either copy may be the one that was shown.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount, trailing_zeros
from advisor.kernels.meldscore import AROUND_MELD, SIDE_MELD, TRUMP_MELD
from advisor.kernels.packed import (
    ONE_COPY,
    RULE_FIRST_LEAD_TRUMP,
    RULE_HEADING,
    RULE_LAST_TRICK,
    RULE_RANK_POINTS,
    SUIT_MASK,
    U0,
    U1,
    U2,
    U12,
    U24,
    U36,
    add,
    in_all_suits,
    lowest,
    remove,
    unseen_by,
)
from advisor.kernels.tricks import legal_cards, trick_so_far, voids_after

Array = np.ndarray[Any, Any]

# Words. The legs of the pinochle, whose suits have been renamed for the play.
QUEEN, JACK = 0, 1
# The seat's own cards, and all cards played.
OWN, PLAYED = 2, 3
# Bit 4 * seat + suit: that seat failed to follow the suit. What the policy remembers.
VOIDS = 4
# Cards on the table in order of play.
TABLE: Final = 5
# By seat: cards played, cards shown in meld, and one bit for each card type that cannot be in hand.
GONE, SHOWN, BARRED = 9, 13, 17
# By seat: cards known to be in hand now, and those among them of which the copy is known.
HELD, FIXED = 21, 25
N_WORDS: Final = 29

LEADER, N_TABLE, SEAT = range(3)
# By seat: cards in hand, and points of meld.
SIZE, MELD = 3, 7
N_FACTS: Final = 11


@helper
def less(cards: np.uint64, gone: np.uint64) -> np.uint64:
    """Return the cards without those gone; cards that are gone but not there do not matter."""
    second = (cards >> U1) & ONE_COPY
    second_gone = (gone >> U1) & ONE_COPY
    one = (cards & ONE_COPY & ~gone) | (second & ~second_gone)
    return one | ((second & ~gone) << U1)


@helper
def meld_in_play(hand: np.uint64, queen: np.uint64, jack: np.uint64, melds: Array) -> int:
    """Return the meld of a hand whose trump is suit 0, given the names of the pinochle's legs."""
    trumps = hand & SUIT_MASK
    points = np.int64(melds[TRUMP_MELD, trumps])
    points += np.int64(melds[SIDE_MELD, (hand >> U12) & SUIT_MASK])
    points += np.int64(melds[SIDE_MELD, (hand >> U24) & SUIT_MASK])
    points += np.int64(melds[SIDE_MELD, (hand >> U36) & SUIT_MASK])
    points += np.int64(melds[AROUND_MELD, in_all_suits(hand)])
    queens = (hand >> trailing_zeros(queen)) & np.uint64(3)
    both = queens & (hand >> trailing_zeros(jack))
    if both == np.uint64(3):
        return points + 300
    return points + 40 if both else points


@helper
def shown_cards(hand: np.uint64, queen: np.uint64, jack: np.uint64, melds: Array) -> np.uint64:
    """Return the cards that a hand's melds use: those without which it would meld less.

    A card may serve in melds of several classes, so no more copies are shown than the class that
    uses most of them needs.
    """
    meld = meld_in_play(hand, queen, jack, melds)
    shown = hand
    kinds = hand & ONE_COPY
    while kinds:
        card = lowest(kinds)
        kinds ^= card
        while shown & card and meld_in_play(remove(shown, card), queen, jack, melds) == meld:
            shown = remove(shown, card)
    return shown


@helper
def trick_points(table: Array, rules: Array) -> int:
    """Return the points of the four cards of a trick."""
    points = 0
    for i in range(4):
        points += rules[RULE_RANK_POINTS + (np.int64(trailing_zeros(table[i])) >> 1) % 6]
    return points


@helper
def excluded_by(
    card: np.uint64, lead_mask: np.uint64, best: np.uint64, best_led: np.uint64, heading: int
) -> np.uint64:
    """Return one bit for each card type that cannot be in a hand from which a card was legal.

    A card is legal unless a held card comes before it in the rules, so it is enough to ask them
    about each other card alone.
    """
    excluded = U0
    other = U1
    for _ in range(24):
        if (legal_cards(card | other, lead_mask, best, best_led, heading) & card) == U0:
            excluded |= other
        other <<= U2
    return excluded


@helper
def begin(
    shown: Array, melds: Array, legs: Array, n_cards: int, words: Array, facts: Array
) -> None:
    """Start the record of a deal after the meld: nothing has been played, seat 0 leads.

    Parameters
    ----------
    shown : uint64 array, shape (4,)
        Cards shown in meld by seat, packed.
    melds : int64 array, shape (4,)
        Points of meld.
    legs : uint64 array, shape (2,)
        Bits of the pinochle's queen and jack.
    n_cards : int
        Cards in each hand.
    words, facts : arrays
        The record, modified in place.
    """
    words[:] = U0
    facts[:] = 0
    words[QUEEN] = legs[0]
    words[JACK] = legs[1]
    for seat in range(4):
        words[SHOWN + seat] = shown[seat]
        facts[SIZE + seat] = n_cards
        facts[MELD + seat] = melds[seat]


@helper
def note_play(card: np.uint64, rules: Array, words: Array, facts: Array) -> int:
    """Enter the next card in the record; return the points that seats 0 and 2 win by it.

    Parameters
    ----------
    card : uint64
        Bit of the card, played by the seat whose turn it is.
    rules : int64 array
    words, facts : arrays
        The record, modified in place.
    """
    seat = facts[SEAT]
    n_table = facts[N_TABLE]
    if n_table > 0:
        lead_mask, best, best_led, _ = trick_so_far(
            words[TABLE : TABLE + 4], n_table, facts[LEADER]
        )
        words[BARRED + seat] |= excluded_by(card, lead_mask, best, best_led, rules[RULE_HEADING])
        words[VOIDS] = voids_after(words[VOIDS], seat, card, lead_mask)
    elif words[PLAYED] == U0 and rules[RULE_FIRST_LEAD_TRUMP] != 0 and (card & SUIT_MASK) == U0:
        words[BARRED + seat] |= SUIT_MASK & ONE_COPY
    words[PLAYED] = add(words[PLAYED], card)
    words[GONE + seat] = add(words[GONE + seat], card)
    words[TABLE + n_table] = card
    facts[SIZE + seat] -= 1
    points = 0
    if n_table == 3:
        winner = trick_so_far(words[TABLE : TABLE + 4], 4, facts[LEADER])[3]
        if (winner & 1) == 0:
            points = trick_points(words[TABLE : TABLE + 4], rules)
            if facts[SIZE + seat] == 0:
                points += rules[RULE_LAST_TRICK]
        words[TABLE : TABLE + 4] = U0
        facts[LEADER] = winner
        facts[N_TABLE] = 0
        facts[SEAT] = winner
    else:
        facts[N_TABLE] = n_table + 1
        facts[SEAT] = (seat + 1) & 3
    return points


@helper
def look(
    public: Array, facts: Array, own: np.uint64, passed: Array, melds: Array, words: Array
) -> None:
    """Add to what everybody knows what the seat to play knows.

    Parameters
    ----------
    public : uint64 array, shape (N_WORDS,)
        Words kept by `note_play`.
    facts : int64 array, shape (N_FACTS,)
    own : uint64
        The seat's cards.
    passed : uint64 array, shape (4,)
        By seat, the passed cards of which this seat knows that they were there after the exchange.
    melds : int16 array, shape (3, 4096)
        From `meld_tables`.
    words : uint64 array, shape (N_WORDS,)
        The seat's record, modified in place.
    """
    words[:] = public
    words[OWN] = own
    unseen = unseen_by(own, words[PLAYED])
    queen = words[QUEEN]
    jack = words[JACK]
    for seat in range(4):
        if seat == facts[SEAT]:
            continue
        gone = words[GONE + seat]
        words[FIXED + seat] = less(passed[seat], gone)
        words[HELD + seat] = less(passed[seat] | words[SHOWN + seat], gone)
        # With a card that would have made more meld the seat would have shown it.
        known = passed[seat] | words[SHOWN + seat] | gone
        kinds = unseen & ~(known >> U1)
        while kinds:
            card = lowest(kinds)
            kinds ^= card
            if meld_in_play(add(known, card), queen, jack, melds) > facts[MELD + seat]:
                words[BARRED + seat] |= card


@helper
def n_played(words: Array) -> int:
    """Return how many cards have been played in the deal."""
    return np.int64(popcount(words[PLAYED]))
