"""Deals of the unseen cards, played by this program's simulator, for the rules that simulate.

A hand is dealt `SAMPLES` times, each deal being used three times with every hidden hand as
partner's once, and declares in each trump worth a look. The sources of the rules use 20 to 1000
rounds; with 240 the score that 25 % of the rounds stay below is known to about 8 points.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from advisor.game.rules import Rules
from advisor.kernels import rounds
from advisor.playing import Deals, Predictor, deal_packed, joined, play, rule_array
from advisor.valuation import quick_values

Array = np.ndarray[Any, Any]

SAMPLES: Final = 80
ROUNDS: Final = rounds.ROTATIONS * SAMPLES
# A trump whose quick value is so many points below the best is not looked at; that value is
# known to about 10 points.
FAR_BEHIND: Final = 80.0
_OF_SAMPLES: Final = 0x5A3B1E


class Samples:
    """Rounds in which each hand declares, and in which an opponent does.

    Parameters
    ----------
    packed : uint64 array, shape (n,)
    rules : Rules
    seed : int
    """

    def __init__(self, packed: Array, rules: Rules, seed: int) -> None:
        self.rules = rules
        self._packed = packed
        self._seed = (seed ^ _OF_SAMPLES) % 2**64
        self._predictor = Predictor.of(rules, "policy", False)

    @cached_property
    def deals(self) -> Deals:
        """All deals, `ROUNDS` for each hand, ours first."""
        return joined(
            [deal_packed(int(hand), samples=SAMPLES, seed=self._seed) for hand in self._packed]
        )

    @cached_property
    def looked_at(self) -> Array:
        """Trumps worth a look, bool, shape (n, 4)."""
        values = quick_values(self._packed, rule_array(self.rules), "p25")
        near: Array = values > values.max(axis=1, keepdims=True) - FAR_BEHIND
        return near

    @cached_property
    def declaring(self) -> tuple[Array, Array]:
        """Our score, and meld and tricks of the others, int64, shape (n, 4, ROUNDS).

        -1 and 0 under trumps not worth a look.
        """
        ours = np.full((len(self._packed), 4, ROUNDS), -1, dtype=np.int64)
        theirs = np.zeros_like(ours)
        for trump in range(4):
            rows = np.flatnonzero(self.looked_at[:, trump])
            if len(rows):
                places = (rows[:, None] * ROUNDS + np.arange(ROUNDS)).ravel()
                trumps = np.full(len(places), trump, dtype=np.int64)
                ours[rows, trump], theirs[rows, trump] = (
                    part.reshape(len(rows), ROUNDS) for part in self._scores(places, 0, trumps)
                )
        return ours, theirs

    def defending(self, declarers: Array, trumps: Array) -> tuple[Array, Array]:
        """Return the declaring opponents' score, and our meld and tricks, shape (n, ROUNDS).

        Parameters
        ----------
        declarers : int64 array, shape (n * ROUNDS,)
            1 or 3, the place of the opponent who declares.
        trumps : int64 array, shape (n * ROUNDS,)
        """
        theirs, ours = np.zeros((2, len(declarers)), dtype=np.int64)
        for place in (1, 3):
            rows = np.flatnonzero(declarers == place)
            theirs[rows], ours[rows] = self._scores(rows, place, trumps[rows])
        return theirs.reshape(-1, ROUNDS), ours.reshape(-1, ROUNDS)

    def _scores(self, places: Array, declarer: int, trumps: Array) -> tuple[Array, Array]:
        outcomes = play(self.deals[places].declared_by(declarer), trumps, self._predictor)[0]
        outcomes = outcomes.astype(np.int64)
        tricks = outcomes[:, rounds.OUR_TRICKS]
        return (
            outcomes[:, rounds.OUR_MELD] + tricks,
            outcomes[:, rounds.THEIR_MELD] + self.rules.trick_total - tricks,
        )
