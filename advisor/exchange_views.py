"""The hidden cards as each side of the exchange may take them to be, as deals for a race.

To partner, declarer is somebody who named this trump (`advisor.declaring`); to declarer, partner is
somebody whose rule sent what came (`advisor.kernels.hidden`).
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, Final

import numpy as np

from advisor.declaring import declares
from advisor.exchange_race import JUDGING, Scene
from advisor.game.cards import Hand, Suit
from advisor.kernels import hidden, rounds
from advisor.playing import Deals, deal_packed
from advisor.policy import policy_array

Array = np.ndarray[Any, Any]

# Samples dealt at a time, and so many of them may show no hand that names the trump.
_DEALT_AT_ONCE: Final = 4096
_LEAST_ACCEPTED: Final = 0.001
# Deals of the hidden cards for one sample, and about how many for an answer of default size.
_MOST_TRIES: Final = 20_000
_ALL_TRIES: Final = 3_000_000
_PROBE: Final = 64
_LEAST_SAMPLES: Final = 300
_HIDDEN_BLOCK: Final = 64

NOBODY_DECLARES: Final = (
    "Hardly any hand that is left would name this trump, so declarer's is dealt evenly."
)
NOBODY_SENDS: Final = (
    "Hardly any partner who goes by the rule would have sent these, so the hidden cards are "
    "dealt evenly."
)


class PartnersView:
    """Deals as partner takes them to be: declarer's hand is one that would name the trump.

    Parameters
    ----------
    hand : Hand
        Partner's twelve cards.
    trump : int
    rules : int64 array
        From `playing.rule_array`.
    seed : int
    """

    def __init__(self, hand: Hand, trump: Suit, rules: Array, seed: int) -> None:
        self.hand, self.trump, self.rules, self.seed = hand.packed, trump, rules, seed
        deals = self._deals(0)
        share = declares(deals.hands[:, 0], trump, rules).mean()
        self.filtered = bool(share >= _LEAST_ACCEPTED)

    def _deals(self, first: int) -> Deals:
        dealt = deal_packed(self.hand, samples=_DEALT_AT_ONCE, first=first, seed=self.seed)
        # Partner's cards are the known ones; the hand across the table declares.
        return dealt.declared_by(2)

    def __call__(self, first: int, count: int) -> Scene:
        """Return so many deals from the samples at `first` on."""
        parts: list[Scene] = []
        found = 0
        while found < count:
            deals = self._deals(first)
            groups = np.repeat(np.arange(first, first + _DEALT_AT_ONCE), rounds.ROTATIONS)
            if self.filtered:
                fitting = np.flatnonzero(declares(deals.hands[:, 0], self.trump, self.rules))
                deals, groups = deals[fitting], groups[fitting]
            parts.append(Scene(deals, None, groups))
            found += len(deals)
            first += _DEALT_AT_ONCE
        return _joined(parts).rows(0, count)

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the deals are not quite what they should be."""
        return () if self.filtered else (NOBODY_DECLARES,)


class DeclarersView:
    """Deals as declarer takes them to be: partner's rule sends what came.

    Parameters
    ----------
    hand : Hand
        Declarer's cards with those received.
    received : Hand or None
        Which of them came; where that is not told any may have.
    trump : int
    n_cards : int
        Cards passed, 2 to 4.
    seed : int
    executor : concurrent.futures.Executor or None
        Where deals are looked for; they do not depend on it.
    """

    def __init__(
        self,
        hand: Hand,
        received: Hand | None,
        trump: Suit,
        n_cards: int,
        seed: int,
        executor: Executor | None,
    ) -> None:
        self.hand, self.trump, self.n_cards, self.seed = hand.packed, trump, n_cards, seed
        self.received = 0 if received is None else received.packed
        self.executor = executor
        self.most_tries = _MOST_TRIES
        probe = self._dealt(JUDGING, _PROBE)[2]
        kept = probe[probe > 0]
        if 2 * len(kept) < len(probe):
            self.most_tries = 0
        self.mean_tries = float(kept.mean()) if self.most_tries else 1.0

    def _dealt(self, first: int, count: int) -> tuple[Deals, Array, Array]:
        hands = np.zeros((count, 4), dtype=np.uint64)
        states, sent = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint64)
        tries = np.zeros(count, dtype=np.int64)

        def deal_block(start: int) -> None:
            block = slice(start, min(start + _HIDDEN_BLOCK, count))
            hidden.deal_hidden(
                np.uint64(self.hand),
                np.uint64(self.received),
                np.uint64(self.trump),
                self.n_cards,
                policy_array(),
                np.uint64(self.seed),
                first + start,
                self.most_tries,
                hands[block],
                states[block],
                sent[block],
                tries[block],
            )

        starts = range(0, count, _HIDDEN_BLOCK)
        if self.executor is None:
            for start in starts:
                deal_block(start)
        else:
            for future in [self.executor.submit(deal_block, start) for start in starts]:
                future.result()
        return Deals(hands, states, np.zeros(count, dtype=np.uint64)), sent, tries

    def __call__(self, first: int, count: int) -> Scene:
        """Return so many deals from the samples at `first` on."""
        parts: list[Scene] = []
        found = 0
        while found < count:
            n = max(count - found, _HIDDEN_BLOCK)
            deals, sent, tries = self._dealt(first, n)
            fitting = np.flatnonzero(tries)
            parts.append(Scene(deals[fitting], sent[fitting], first + fitting))
            found += len(fitting)
            first += n
        return _joined(parts).rows(0, count)

    def affordable(self, samples: int) -> int:
        """Return how many deals of `samples` can be found in reasonable time."""
        return min(samples, max(_LEAST_SAMPLES, int(_ALL_TRIES / self.mean_tries)))

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the deals are not quite what they should be."""
        return () if self.most_tries else (NOBODY_SENDS,)


def _joined(parts: list[Scene]) -> Scene:
    if len(parts) == 1:
        return parts[0]
    deals = Deals(
        np.concatenate([part.deals.hands for part in parts]),
        np.concatenate([part.deals.states for part in parts]),
        np.concatenate([part.deals.turns for part in parts]),
    )
    sent = [part.sent for part in parts if part.sent is not None]
    groups = np.concatenate([part.groups for part in parts])
    return Scene(deals, np.concatenate(sent) if sent else None, groups)
