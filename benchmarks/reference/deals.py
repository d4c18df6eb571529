"""The deals of the yardstick: who declares what, and hands rebuilt from hand, trump and seed.

The deals of a hand are those of `advisor.simulate` in their first rotation: same hidden hands,
same exchange, same names of the side suits in the play, so results are paired with an engine's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.game.cards import N_CARD_TYPES, Hand, Suit
from advisor.game.rules import Rules
from advisor.kernels.deal import deal_hands
from advisor.kernels.exchange import exchange_hands
from advisor.kernels.packed import RULE_PASS_CARDS
from advisor.playing import Outcomes, Predictor, deal_packed, play_all, rule_array
from advisor.policy import policy_array
from advisor.returning import return_tables
from reference.layout import exchange_salts, lay_out, sample_states

Array = np.ndarray[Any, Any]

# Deals by which the four hands of a table are valued; 0.1 ms each.
VALUE_SAMPLES: Final = 200


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals of one declarer after the exchange; the arrays of `reference.layout.lay_out`.

    ``exchanges`` are the cards sent and returned of each deal.
    """

    exchanges: Array
    dealt: Array
    hands: Array
    passed: Array
    shown: Array
    points: Array
    legs: Array

    def checksum(self) -> str:
        """Return 16 hex digits of the hands after the exchange, under the suits of the cards."""
        return hashlib.sha256(self.dealt.astype("<u8").tobytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Declarer:
    """The hand that declares, its trump, and its mean score (meld and tricks) by the policy."""

    hand: Hand
    trump: Suit
    value: float


def rebuild_deals(
    hand: Hand,
    trump: Suit,
    seed: int,
    first: int,
    count: int,
    rules: Rules,
    passed: Array | None = None,
) -> Deals:
    """Return consecutive deals of a declarer's hand after the exchange.

    Parameters
    ----------
    hand : Hand
        Twelve cards.
    trump : int
    seed : int
    first, count : int
        Number of the first deal, and how many.
    rules : Rules
    passed : uint64 array, shape (count, 2), optional
        The cards sent and returned, packed; those of the standard policy by default.
    """
    values = rule_array(rules)
    word, key = np.uint64(hand.packed), np.uint64(seed)
    states = np.zeros(count, dtype=np.uint64)
    salts = np.zeros(count, dtype=np.uint64)
    thirds = np.zeros((count, 3), dtype=np.uint64)
    exchanges = np.zeros((count, 2), dtype=np.uint64)
    sample_states(word, key, first, states)
    exchange_salts(states, salts)
    deal_hands(word, key, first, thirds)
    if passed is not None:
        exchanges = passed
    elif values[RULE_PASS_CARDS]:
        exchange_hands(
            np.full(count, word),
            thirds[:, 0].copy(),
            np.full(count, trump, dtype=np.int64),
            values,
            policy_array(),
            return_tables(),
            salts,
            exchanges,
        )
    deals = Deals(
        exchanges=exchanges,
        dealt=np.zeros((count, 4), dtype=np.uint64),
        hands=np.zeros((count, 4), dtype=np.uint64),
        passed=np.zeros((count, 4, 4), dtype=np.uint64),
        shown=np.zeros((count, 4), dtype=np.uint64),
        points=np.zeros((count, 4), dtype=np.int64),
        legs=np.zeros((count, 2), dtype=np.uint64),
    )
    lay_out(
        word,
        trump,
        states,
        thirds,
        exchanges,
        values,
        deals.dealt,
        deals.hands,
        deals.passed,
        deals.shown,
        deals.points,
        deals.legs,
    )
    return deals


def deal_table(seed: int, number: int) -> list[Hand]:
    """Return four hands of twelve, the table of that number.

    >>> [len(hand) for hand in deal_table(1, 0)]
    [12, 12, 12, 12]
    """
    order = np.zeros(2 * N_CARD_TYPES, dtype=np.uint64)
    # The order of 48 words of a stream is a shuffle of the deck.
    sample_states(np.uint64(number), np.uint64(seed), 0, order)
    deck = np.argsort(order, kind="stable") // 2
    return [Hand.from_cards(int(card) for card in deck[12 * i : 12 * i + 12]) for i in range(4)]


def policy_outcomes(hand: Hand, trump: Suit, seed: int, samples: int, rules: Rules) -> Outcomes:
    """Return what the standard policy makes of a hand's deals."""
    deals = deal_packed(hand.packed, samples=samples, seed=seed)
    predictor = Predictor(rule_array(rules), policy_array(), "policy", None)
    return play_all(deals, np.full(len(deals), trump, dtype=np.int64), predictor)


def find_declarer(seed: int, number: int, rules: Rules) -> Declarer:
    """Return which hand of a table declares: the one with the best mean score in its best trump."""
    choices = []
    for hand in deal_table(seed, number):
        for trump in range(4):
            outcomes = policy_outcomes(hand, trump, seed, VALUE_SAMPLES, rules)
            choices.append(Declarer(hand, trump, float(outcomes.score.mean())))
    return max(choices, key=lambda choice: choice.value)
