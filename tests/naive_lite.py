"""Double-dummy-lite the slow way: whole matrices for the guide, every sensible card to the end."""

from __future__ import annotations

import numpy as np
from naive import legal_plays, winning_place

from advisor.game.cards import make_card, rank_of, suit_of
from advisor.guide import LAYERS, guide_weights

COUNTER_UNITS = 256
COUNTER_RANKS = (3, 4, 5)
# Ranks of each half of a suit, from the highest.
HALVES = ((5, 4, 3), (2, 1, 0))


def with_trump_first(hands, trump):
    """Return hands with the trump suit and spades exchanged."""
    other = {0: trump, trump: 0}
    return [
        [make_card(other.get(suit_of(card), suit_of(card)), rank_of(card)) for card in hand]
        for hand in hands
    ]


def closed_up(hands):
    """Return hands with the ranks that nobody holds closed up, towards the top of each half."""
    held = {card for hand in hands for card in hand}
    moved = {}
    for suit in range(4):
        for half in HALVES:
            present = [rank for rank in half if make_card(suit, rank) in held]
            for place, rank in enumerate(present):
                moved[make_card(suit, rank)] = make_card(suit, half[place])
    return [[moved[card] for card in hand] for hand in hands]


def card_rows(hands, leader, suit):
    """Return which of the 48 rows of a suit are lit: by seat from the leader, by bit."""
    rows = np.zeros(48, dtype=np.int64)
    for turn in range(4):
        hand = hands[(leader + turn) % 4]
        for rank in range(6):
            for copy in range(hand.count(make_card(suit, rank))):
                rows[12 * turn + 2 * rank + copy] = 1
    return rows


def guess(hands, leader):
    """Return what seats 0 and 2 may be expected to take, in 1/256 counter, trump in suit 0."""
    weights = {
        name: array.astype(np.int64)
        for (name, _), array in zip(LAYERS, guide_weights(), strict=True)
    }
    size = len(hands[0])
    total = COUNTER_UNITS * (
        1 + sum(rank_of(card) in COUNTER_RANKS for hand in hands for card in hand)
    )
    hands = closed_up(hands)
    trump = card_rows(hands, leader, 0)
    n_side = weights["side_rows"].shape[1]
    context = weights["biases"][size] + trump @ weights["trump_rows"]
    own, for_sides = context[:-n_side], context[-n_side:]
    straight = weights["line"][size] + trump @ weights["trump_line"]
    pooled = np.zeros(n_side, dtype=np.int64)
    for suit in (1, 2, 3):
        rows = card_rows(hands, leader, suit)
        pooled += np.maximum(for_sides + rows @ weights["side_rows"], 0)
        straight += rows @ weights["side_line"]
    hidden = np.concatenate([np.maximum(own, 0), pooled])
    second = hidden @ weights["second"] + weights["second_bias"][size]
    third = np.maximum(second >> 10, 0) @ weights["third"] + weights["third_bias"]
    value = int((np.maximum(third >> 10, 0) @ weights["last"] + straight) >> 11)
    value = min(max(value, 0), total)
    return value if leader % 2 == 0 else total - value


def groups(cards, others):
    """Return the lowest card of each group that no card of the others parts, within a half."""
    kept = []
    for suit in range(4):
        for half in HALVES:
            last = None
            for rank in reversed(half):
                card = make_card(suit, rank)
                if card in others:
                    # A card of another seat parts its equal from what lies on both sides.
                    last = None
                if card in cards and last is None:
                    kept.append(card)
                    last = rank
                if card in others:
                    last = None
    return kept


def sensible(cards):
    """Return of each suit the highest, the lowest counter and the lowest other card."""
    kept = set()
    for suit in range(4):
        own = sorted((card for card in cards if suit_of(card) == suit), key=rank_of)
        counters = [card for card in own if rank_of(card) in COUNTER_RANKS]
        others = [card for card in own if rank_of(card) not in COUNTER_RANKS]
        kept.update(own[-1:])
        kept.update(counters[:1])
        kept.update(others[:1])
    return kept


def value(hands, leader, trick, tricks, heading):
    """Return the value of a position in 1/256 counter, trump in suit 0.

    Parameters
    ----------
    hands : four lists of card types
    trick : list of card types
        On the table, in order; `leader` led it.
    tricks : int
        How many tricks to look ahead, the one begun among them.
    """
    if not trick:
        if not any(hands):
            return 0
        if tricks == 0:
            return guess(hands, leader)
    seat = (leader + len(trick)) % 4
    legal = set(legal_plays(list(hands[seat]), list(trick), 0, heading))
    others = {card for i in range(4) if i != seat for card in hands[i]} | set(trick)
    results = []
    for card in sensible(groups(legal, others)):
        left = [list(hand) for hand in hands]
        left[seat].remove(card)
        table = [*trick, card]
        if len(table) < 4:
            results.append(value(left, leader, table, tricks, heading))
            continue
        winner = (leader + winning_place(table, 0)) % 4
        counters = sum(rank_of(one) in COUNTER_RANKS for one in table)
        counters += 0 if any(left) else 1
        rest = value(left, winner, [], tricks - 1, heading)
        results.append(rest + (COUNTER_UNITS * counters if winner % 2 == 0 else 0))
    return max(results) if seat % 2 == 0 else min(results)
