"""Open positions to fit the guide on, and to judge engines by: how they come about.

A position has a number of cards a seat, trump in suit 0 and seat 0 on lead. It is one of four
kinds: cards drawn at random from the deck; or a deal played down by the policy with a share of
random cards, dealt at random with random trump, with the leader's longest suit as trump, or after
an exchange by the seat with the best hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.game.rules import Rules
from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.deal import mix, sample_state
from advisor.kernels.exchange import choose_send
from advisor.kernels.kept import ReturnTables
from advisor.kernels.meldscore import meld_tables
from advisor.kernels.packed import (
    ACES,
    ONE_COPY,
    SUIT_MASK,
    U0,
    U1,
    U12,
    add,
    lowest,
    merge,
    remove,
    returned_bits,
    suit_cards,
    suit_of_bit,
    swap_trump,
)
from advisor.kernels.play import choose_follow, choose_lead
from advisor.kernels.returns import choose_return, return_work
from advisor.kernels.tricks import legal_cards, voids_after, winners_over
from advisor.playing import rule_array
from advisor.policy import policy_array
from advisor.returning import return_tables

Array = np.ndarray[Any, Any]

RANDOM_CARDS, RANDOM_TRUMP, LONGEST_TRUMP, AFTER_EXCHANGE = range(4)
# Of a hundred positions, how many are of the first kind, of the first two, of the first three.
SHARES = (15, 30, 55)
_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


@helper
def below(state: np.uint64, bound: int) -> int:
    """Return a number from 0 to below `bound` that the state decides."""
    return np.int64(((mix(state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@helper
def any_of(cards: np.uint64, state: np.uint64) -> np.uint64:
    """Return one of the bits of a mask."""
    for _ in range(below(state, np.int64(popcount(cards)))):
        cards &= cards - U1
    return lowest(cards)


@helper
def deal_four(state: np.uint64, size: int, hands: Array, pack: Array) -> np.uint64:
    """Deal four hands of `size` cards from the shuffled deck; return the next state."""
    for i in range(48):
        pack[i] = U1 << np.uint64(2 * (i >> 1))
    for seat in range(4):
        hands[seat] = U0
    for i in range(4 * size):
        state += _GOLDEN
        j = i + below(state, 48 - i)
        card = pack[j]
        pack[j] = pack[i]
        hands[i // size] = add(hands[i // size], card)
    return state


@helper
def strength(hand: np.uint64, trump: int) -> int:
    """Return how good a hand looks to its holder, for the choice of a declarer."""
    trumps = (hand >> (np.uint64(trump) * U12)) & SUIT_MASK
    high = np.int64(popcount(trumps & np.uint64(0xC00))) * 2
    high += np.int64(popcount(trumps & np.uint64(0x3C0)))
    aces = np.int64(popcount(hand & (ACES | (ACES << U1))))
    return 4 * np.int64(popcount(trumps)) + high + 2 * aces


@helper
def exchange(
    hands: Array,
    trump: int,
    state: np.uint64,
    policy: Array,
    returns: ReturnTables,
    melds: Array,
) -> None:
    """Let seat 2 pass to seat 0 and get cards back."""
    suit = np.uint64(trump)
    sent = choose_send(hands[2], suit, 4, policy, state)
    declarer = merge(hands[0], sent)
    returned = choose_return(declarer, sent, suit, 4, melds, returns, return_work())
    hands[0] = declarer ^ returned_bits(declarer, returned)
    hands[2] = merge(hands[2] ^ returned_bits(hands[2], sent), returned)


@helper
def play_down(hands: Array, n_tricks: int, state: np.uint64) -> int:
    """Play tricks by the policy with a share of random cards; return who leads next."""
    leader = 0
    played = U0
    voids = U0
    wild = 5 + below(state, 40)
    for _ in range(n_tricks):
        lead_mask = U0
        best = U0
        best_led = U0
        winner = leader
        for position in range(4):
            seat = (leader + position) & 3
            hand = hands[seat]
            legal = hand & ONE_COPY
            if position > 0:
                legal = legal_cards(hand, lead_mask, best, best_led, 0)
            state += _GOLDEN
            if below(state, 100) < wild:
                state += _GOLDEN
                card = any_of(legal, state)
            elif position == 0:
                card = choose_lead(hand, seat, played, voids, False)
            else:
                card = choose_follow(
                    hand, seat, legal, lead_mask, best, winner, position, played, voids
                )
            hands[seat] = remove(hand, card)
            played = add(played, card)
            if position == 0:
                lead_mask = SUIT_MASK << (suit_of_bit(card) * U12)
                best = card
                best_led = card
                continue
            best_led = max(best_led, card & lead_mask)
            voids = voids_after(voids, seat, card, lead_mask)
            if card & winners_over(best, lead_mask):
                best = card
                winner = seat
        leader = winner
    return leader


@entry
def make_positions(
    seed: np.uint64,
    first: int,
    size: int,
    shares: Array,
    rules: Array,
    policy: Array,
    returns: ReturnTables,
    out: Array,
    kinds: Array,
) -> None:
    """Write positions with `size` cards a seat; `out` uint64 (n, 4), `kinds` int64 (n,)."""
    pack = np.empty(48, dtype=np.uint64)
    hands = np.empty(4, dtype=np.uint64)
    dealt = np.empty(4, dtype=np.uint64)
    melds = meld_tables(rules)
    for i in range(len(out)):
        state = sample_state(mix(seed), np.uint64(first + i)) + _GOLDEN
        share = below(state, 100)
        kinds[i] = AFTER_EXCHANGE
        for kind in range(3):
            if share < shares[2 - kind]:
                kinds[i] = 2 - kind
        if kinds[i] == RANDOM_CARDS and size == 12:
            kinds[i] = RANDOM_TRUMP
        n_dealt = size if kinds[i] == RANDOM_CARDS else 12
        state = deal_four(state + _GOLDEN, n_dealt, dealt, pack)
        declarer = 0
        trump = below(state, 4)
        if kinds[i] >= LONGEST_TRUMP:
            best = -1
            for seat in range(4 if kinds[i] == AFTER_EXCHANGE else 1):
                off = below(state + np.uint64(seat), 4)
                for turn in range(4):
                    suit = (turn + off) & 3
                    if kinds[i] == AFTER_EXCHANGE:
                        worth = strength(dealt[seat], suit)
                    else:
                        worth = np.int64(popcount(suit_cards(dealt[seat], np.uint64(suit))))
                    if worth > best:
                        best = worth
                        declarer = seat
                        trump = suit
        for seat in range(4):
            hands[seat] = dealt[(declarer + seat) & 3]
        if kinds[i] == AFTER_EXCHANGE:
            exchange(hands, trump, state, policy, returns, melds)
        for seat in range(4):
            hands[seat] = swap_trump(hands[seat], np.uint64(trump))
        leader = 0
        if kinds[i] != RANDOM_CARDS:
            leader = play_down(hands, 12 - size, state + _GOLDEN)
        for seat in range(4):
            out[i, seat] = hands[(leader + seat) & 3]


def positions(
    seed: int, first: int, count: int, size: int, shares: tuple[int, int, int] = SHARES
) -> tuple[Array, Array]:
    """Return `count` positions of `size` cards a seat, and the kind of each.

    Returns
    -------
    uint64 array, shape (count, 4)
        Packed hands, trump in suit 0, seat 0 leads.
    int64 array, shape (count,)
    """
    rules = rule_array(Rules())
    policy = policy_array()
    out = np.zeros((count, 4), dtype=np.uint64)
    kinds = np.zeros(count, dtype=np.int64)
    make_positions(
        np.uint64(seed),
        first,
        size,
        np.array(shares),
        rules,
        policy,
        return_tables(),
        out,
        kinds,
    )
    return out, kinds
