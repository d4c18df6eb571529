"""The deals of the yardstick: who declares what, and hands rebuilt from hand, trump and seed.

The deals of a hand are those of `advisor.simulate` in their first rotation: same hidden hands,
same exchange, same names of the side suits in the play, so results are paired with an engine's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from advisor.game.cards import N_CARD_TYPES, Hand, Suit
from advisor.game.rules import Rules
from advisor.kernels import exchange, returns
from advisor.kernels.deal import deal_hands
from advisor.kernels.exchange import exchange_hands
from advisor.kernels.packed import RULE_PASS_CARDS
from advisor.playing import Outcomes, Predictor, deal_packed, play_all, return_tables, rule_array
from advisor.policy import policy_array
from reference.layout import exchange_salts, lay_out, sample_states

Array = np.ndarray[Any, Any]

# Deals by which the four hands of a table are valued; 0.1 ms each.
VALUE_SAMPLES: Final = 200

# The weights of the exchange as they were when the yardstick was played: its deals are rebuilt with
# them, whatever the rules have become.
YARDSTICK_POLICY: Final = MappingProxyType(
    {
        exchange.POLICY_SEND_TRUMP: (6000, 9600, 9700, 9800, 9900, 10000),
        exchange.POLICY_SEND_TRUMP_AGAIN: (5900, 7000, 7100, 7200, 7300, 7400),
        exchange.POLICY_SEND_SIDE: (1000, 4700, 4900, 5000, 4800, 8000),
        exchange.POLICY_SEND_SIDE_AGAIN: (1000, 4700, 4900, 5000, 4800, 7500),
        exchange.POLICY_SEND_LEG: (9000, 8900),
        exchange.POLICY_SEND_ACE_LENGTH: (-50,),
        exchange.POLICY_SEND_BREAK_ACES: (0,),
        exchange.POLICY_SEND_BREAK_AROUND: (2000,),
        exchange.POLICY_SEND_BREAK_MARRIAGE: (1500,),
        exchange.POLICY_SEND_BREAK_PINOCHLE: (2500,),
        exchange.POLICY_SEND_ALL_TRUMP: (2500,),
        exchange.POLICY_SEND_DOUBLE_PINOCHLE: (20000,),
        returns.POLICY_KEEP_TRUMP: (250, 270, 300, 330, 5000, 5000),
        returns.POLICY_KEEP_SIDE: (10, 20, -15, 10, 20, 220),
        returns.POLICY_KEEP_SIDE_AGAIN: (10, 0, -15, 10, 20, 170),
        returns.POLICY_VOID: (100,),
        returns.POLICY_KEEP_TEN_WITH_ACES: (100,),
        returns.POLICY_KEEP_LENGTH: (25,),
        returns.POLICY_MELD_WEIGHT: (16,),
    }
)


def yardstick_policy() -> Array:
    """Return the weights of `YARDSTICK_POLICY`, all others 0."""
    weights = np.zeros_like(policy_array())
    for start, values in YARDSTICK_POLICY.items():
        weights[start : start + len(values)] = values
    return weights


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals of one declarer after the exchange; the arrays of `reference.layout.lay_out`."""

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
    policy: Array | None = None,
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
    policy : int64 array, optional
        Whose exchange; the standard policy's by default.
    """
    values, policy = rule_array(rules), policy_array() if policy is None else policy
    word, key = np.uint64(hand.packed), np.uint64(seed)
    states = np.zeros(count, dtype=np.uint64)
    salts = np.zeros(count, dtype=np.uint64)
    thirds = np.zeros((count, 3), dtype=np.uint64)
    exchanges = np.zeros((count, 2), dtype=np.uint64)
    sample_states(word, key, first, states)
    exchange_salts(states, salts)
    deal_hands(word, key, first, thirds)
    if values[RULE_PASS_CARDS]:
        exchange_hands(
            np.full(count, word),
            thirds[:, 0].copy(),
            np.full(count, trump, dtype=np.int64),
            values,
            policy,
            return_tables(values, policy),
            salts,
            exchanges,
        )
    deals = Deals(
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


def policy_outcomes(
    hand: Hand, trump: Suit, seed: int, samples: int, rules: Rules, policy: Array | None = None
) -> Outcomes:
    """Return what the policy, the standard one by default, makes of a hand's deals."""
    weights = policy_array() if policy is None else policy
    deals = deal_packed(hand.packed, samples=samples, seed=seed)
    predictor = Predictor(rule_array(rules), weights, "policy", None)
    return play_all(deals, np.full(len(deals), trump, dtype=np.int64), predictor)


def find_declarer(seed: int, number: int, rules: Rules, policy: Array | None = None) -> Declarer:
    """Return which hand of a table declares: the one with the best mean score in its best trump."""
    choices = []
    for hand in deal_table(seed, number):
        for trump in range(4):
            outcomes = policy_outcomes(hand, trump, seed, VALUE_SAMPLES, rules, policy)
            choices.append(Declarer(hand, trump, float(outcomes.score.mean())))
    return max(choices, key=lambda choice: choice.value)
