"""Brute force for open hands: every legal play of every seat, no bounds, no tables."""

from __future__ import annotations

from functools import lru_cache

from naive import legal_plays, winning_place

from advisor.game.cards import rank_of
from advisor.game.rules import Rules

COUNTER_RANKS = (3, 4, 5)


@lru_cache(maxsize=500_000)
def value(hands, trump, leader, trick, heading):
    """Return the points that seats 0 and 2 still take, the cards on the table included.

    Parameters
    ----------
    hands : tuple of four sorted tuples of card types
    trick : tuple of card types
        What lies on the table, in order; `leader` led it.
    """
    if not trick and not any(hands):
        return 0
    seat = (leader + len(trick)) % 4
    results = []
    for card in sorted(set(legal_plays(list(hands[seat]), list(trick), trump, heading))):
        left = list(hands[seat])
        left.remove(card)
        after = (*hands[:seat], tuple(left), *hands[seat + 1 :])
        table = (*trick, card)
        if len(table) < 4:
            results.append(value(after, trump, leader, table, heading))
            continue
        winner = (leader + winning_place(list(table), trump)) % 4
        points = sum(10 for one in table if rank_of(one) in COUNTER_RANKS)
        points += 0 if any(after) else Rules().last_trick
        rest = value(after, trump, winner, (), heading)
        results.append(rest + (points if winner % 2 == 0 else 0))
    return max(results) if seat % 2 == 0 else min(results)
