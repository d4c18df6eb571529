"""The sampling player, and a deal played by four of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels import doubledummy, lite
from advisor.kernels._jit import helper, popcount, trailing_zeros
from advisor.kernels.ddstate import one_of_each_group
from advisor.kernels.deal import mix
from advisor.kernels.meldscore import meld_tables
from advisor.kernels.packed import (
    ONE_COPY,
    RULE_FIRST_LEAD_TRUMP,
    RULE_HEADING,
    SUIT_MASK,
    U0,
    U1,
    U2,
    lowest,
    remove,
    unseen_by,
)
from advisor.kernels.play import choose_follow, choose_lead
from advisor.kernels.tricks import legal_cards, trick_so_far
from reference.compiled import entry
from reference.knowledge import (
    LEADER,
    N_FACTS,
    N_TABLE,
    N_WORDS,
    OWN,
    PLAYED,
    SEAT,
    TABLE,
    VOIDS,
    begin,
    look,
    n_played,
    note_play,
)
from reference.values import COUNTER, MAX_TRIES, WORLDS, value_of_card
from reference.worlds import (
    DECISIONS,
    GOLDEN,
    below,
    draw_world,
    make_plan,
    plan_worlds,
)

Array = np.ndarray[Any, Any]


@helper
def stream_of_decision(key: np.uint64, seat: int, number: int) -> np.uint64:
    """Return the state of the random stream of one seat's decision, `number` cards played."""
    return mix(key ^ mix(np.uint64(4 * number + seat) + GOLDEN))


@helper
def options_of(words: Array, facts: Array, rules: Array) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the legal cards, those of others that part them, and the policy's choice.

    Two cards of a hand are equivalent in every world when no card from the lower to the higher
    lies on the table or may be in another hand.
    """
    seat = facts[SEAT]
    n_table = facts[N_TABLE]
    own = words[OWN]
    played = words[PLAYED]
    others = unseen_by(own, played)
    if n_table == 0:
        must_trump = played == U0 and rules[RULE_FIRST_LEAD_TRUMP] != 0
        legal = own & ONE_COPY
        if must_trump and legal & SUIT_MASK:
            legal &= SUIT_MASK
        choice = choose_lead(own, seat, played, words[VOIDS], must_trump)
        return legal, others, choice
    table = words[TABLE : TABLE + 4]
    for i in range(n_table):
        others |= table[i]
    lead_mask, best, best_led, winner = trick_so_far(table, n_table, facts[LEADER])
    legal = legal_cards(own, lead_mask, best, best_led, rules[RULE_HEADING])
    choice = choose_follow(own, seat, legal, lead_mask, best, winner, n_table, played, words[VOIDS])
    return legal, others, choice


@helper
def settle(
    groups: np.uint64,
    totals: Array,
    seat: int,
    choice: np.uint64,
    others: np.uint64,
    rng: Array,
) -> np.uint64:
    """Return the card with the best total for its side; ties go to the policy, then to chance.

    Parameters
    ----------
    groups : uint64
        One bit for each group of equivalent cards.
    totals : int64 array, shape (12,)
        Values by group from the lowest bit up, of seats 0 and 2.
    seat : int
    choice : uint64
        What the policy would play.
    others : uint64
        The cards that part groups.
    rng : uint64 array, shape (1,)
    """
    n_groups = np.int64(popcount(groups))
    best = totals[0]
    for i in range(1, n_groups):
        best = max(best, totals[i]) if (seat & 1) == 0 else min(best, totals[i])
    tied = U0
    rest = groups
    for i in range(n_groups):
        card = lowest(rest)
        rest ^= card
        if totals[i] == best:
            tied |= card
            # Together with a card of its own group the policy's choice makes one group.
            both = one_of_each_group(card | choice, others)
            if (both & (both - U1)) == U0:
                return choice
    for _ in range(below(rng, np.int64(popcount(tied)))):
        tied ^= lowest(tied)
    return lowest(tied)


@helper
def decide(
    words: Array,
    facts: Array,
    rules: Array,
    settings: Array,
    key: np.uint64,
    melds: Array,
    plan: Any,
    solver: Any,
    judge: Any,
    tally: Array,
) -> np.uint64:
    """Return the card that a sampling player plays.

    Parameters
    ----------
    words, facts : arrays
        The record of the seat to play, from `knowledge.look`: all that it knows.
    rules, settings : int64 arrays
    key : uint64
        Of the deal. The stream depends on it, the seat and the number of the decision only.
    melds : int16 array, shape (3, 4096)
    plan, solver, judge : tuples
        From `make_plan`, `doubledummy.new_workspace` and `lite.new_workspace`.
    tally : int64 array, shape (N_TALLY,)
        Added up in place.
    """
    seat = facts[SEAT]
    legal, others, choice = options_of(words, facts, rules)
    groups = one_of_each_group(legal, others)
    if (groups & (groups - U1)) == U0 or settings[WORLDS + seat] == 0:
        return choice
    n_splits = plan_worlds(words, facts, plan)
    if n_splits == 0:
        return choice
    tally[DECISIONS] += 1
    rng = np.empty(1, dtype=np.uint64)
    rng[0] = stream_of_decision(key, seat, n_played(words))
    world = np.empty(4, dtype=np.uint64)
    hands = np.empty(4, dtype=np.uint64)
    table = np.empty(4, dtype=np.uint64)
    totals = np.zeros(12, dtype=np.int64)
    guess = 10 * COUNTER
    for _ in range(settings[WORLDS + seat]):
        draw_world(words, facts, melds, settings[MAX_TRIES], plan, n_splits, rng, world, tally)
        rest = groups
        i = 0
        while rest:
            card = lowest(rest)
            rest ^= card
            guess = value_of_card(
                card, world, words, facts, rules, settings, guess, solver, judge, hands, table
            )
            totals[i] += guess
            i += 1
    return settle(groups, totals, seat, choice, others, rng)


@entry
def play_deals(
    deals: Array,
    passed: Array,
    shown: Array,
    points: Array,
    legs: Array,
    keys: Array,
    turns: Array,
    rules: Array,
    settings: Array,
    classes: Array,
    states: Array,
    weights: tuple[Array, ...],
    out: Array,
    traces: Array,
    tally: Array,
) -> None:
    """Play deals after the meld, every seat by sampling.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
        Hands after the exchange, packed, trump in suit 0.
    passed : uint64 array, shape (n_deals, 4, 4)
        By viewer and seat, passed cards of which the viewer knows that the seat has them.
    shown : uint64 array, shape (n_deals, 4)
        Cards shown in meld.
    points : int64 array, shape (n_deals, 4)
        Points of meld.
    legs : uint64 array, shape (n_deals, 2)
        Bits of the pinochle's queen and jack.
    keys : uint64 array, shape (n_deals,)
        Keys of the random streams.
    turns : int64 array, shape (n_deals, 2)
        How many cards are already played, in `traces`, and how many there are to be at the end.
    rules, settings : int64 arrays
    classes, states : arrays
        Of the exact solver; its table of states is modified.
    weights : tuple of arrays
        Of the guide.
    out : int64 array, shape (n_deals,)
        Trick points of seats 0 and 2 up to there, modified in place.
    traces : uint8 array, shape (n_deals, 48)
        Card types in the order played, modified in place.
    tally : int64 array, shape (N_TALLY,)
        Added up in place.
    """
    melds = meld_tables(rules)
    plan = make_plan()
    solver = doubledummy.new_workspace(classes, states)
    judge = lite.new_workspace(weights)
    public = np.empty(N_WORDS, dtype=np.uint64)
    words = np.empty(N_WORDS, dtype=np.uint64)
    facts = np.empty(N_FACTS, dtype=np.int64)
    hands = np.empty(4, dtype=np.uint64)
    for i in range(len(deals)):
        hands[:] = deals[i]
        n_cards = np.int64(popcount(hands[0]))
        begin(shown[i], points[i], legs[i], n_cards, public, facts)
        won = 0
        for turn in range(turns[i, 1]):
            seat = facts[SEAT]
            if turn < turns[i, 0]:
                card = U1 << (U2 * np.uint64(traces[i, turn]))
            else:
                look(public, facts, hands[seat], passed[i, seat], melds, words)
                card = decide(
                    words, facts, rules, settings, keys[i], melds, plan, solver, judge, tally
                )
            hands[seat] = remove(hands[seat], card)
            won += note_play(card, rules, public, facts)
            traces[i, turn] = np.int64(trailing_zeros(card)) >> 1
        out[i] = won
