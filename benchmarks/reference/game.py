"""Python door to the sampling players: settings in, trick points out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.game.rules import Rules
from advisor.guide import guide_weights
from advisor.playing import rule_array
from advisor.solver import canonical_classes
from reference import values, worlds
from reference.deals import Deals
from reference.layout import sample_states
from reference.player import play_deals

Array = np.ndarray[Any, Any]

# A quarter of a million states of 16 bytes: endings of seven tricks need no more.
TABLE_BITS: Final = 18
DEFAULT_TRIES: Final = 4096


@dataclass(frozen=True, slots=True)
class Settings:
    """How the players play.

    Parameters
    ----------
    worlds : int
        Worlds a decision.
    exact_from : int
        Cards in the deciding seat's hand from which on every card is valued exactly.
    lite_tricks : int
        Tricks that `lite` looks ahead before that, a begun one among them.
    tries : int
        Draws for a world that fits the melds, before one that does not is taken.
    policy_seats : tuple of int
        Seats that play by the policy instead.
    """

    worlds: int = 12
    exact_from: int = 7
    lite_tricks: int = 0
    tries: int = DEFAULT_TRIES
    policy_seats: tuple[int, ...] = ()

    def array(self) -> Array:
        """Return the int64 array that kernels take."""
        array = np.zeros(values.N_SETTINGS, dtype=np.int64)
        for seat in range(4):
            array[values.WORLDS + seat] = 0 if seat in self.policy_seats else self.worlds
        array[values.EXACT_FROM] = self.exact_from
        array[values.LITE_TRICKS] = self.lite_tricks
        array[values.MAX_TRIES] = self.tries
        return array


@dataclass(frozen=True, slots=True)
class Played:
    """What the players made of some deals.

    Parameters
    ----------
    points : int64 array, shape (n_deals,)
        Trick points of seats 0 and 2.
    traces : uint8 array, shape (n_deals, 48)
        Card types in the order played, under the suits of the play.
    tally : int64 array, shape (N_TALLY,)
        Counts named in `reference.worlds`.
    """

    points: Array
    traces: Array
    tally: Array


class Table:
    """Four sampling players and the exact solver's table of states, kept between deals.

    A state has one value under one rule for heading, so what was played before changes nothing.
    """

    def __init__(self, rules: Rules, settings: Settings) -> None:
        if rules.card_points != "10-10-10" or rules.last_trick != 10:
            raise ValueError("the exact solver counts ace, ten, king and the last trick 10 each")
        self.rules = rule_array(rules)
        self.settings = settings.array()
        self.states = np.zeros((1 << TABLE_BITS, 2), dtype=np.uint64)

    def play(
        self, deals: Deals, keys: Array, so_far: Array | None = None, turns: int = 48
    ) -> Played:
        """Play deals to the end, or some turns of them.

        Parameters
        ----------
        deals : Deals
        keys : uint64 array, shape (n_deals,)
            From `stream_keys`.
        so_far : uint8 array, shape (n_deals, n_played), optional
            Cards already played.
        turns : int, optional
            Number of the turn to stop at.
        """
        count = len(deals.hands)
        n_played = 0 if so_far is None else so_far.shape[1]
        traces = np.zeros((count, 48), dtype=np.uint8)
        if so_far is not None:
            traces[:, :n_played] = so_far
        played = Played(
            points=np.zeros(count, dtype=np.int64),
            traces=traces,
            tally=np.zeros(worlds.N_TALLY, dtype=np.int64),
        )
        play_deals(
            deals.hands,
            deals.passed,
            deals.shown,
            deals.points,
            deals.legs,
            keys,
            np.full((count, 2), (n_played, turns), dtype=np.int64),
            self.rules,
            self.settings,
            canonical_classes(),
            self.states,
            guide_weights(),
            played.points,
            played.traces,
            played.tally,
        )
        return played


def stream_keys(seed: int, number: int, first: int, count: int) -> Array:
    """Return the keys of the random streams of consecutive deals of one declarer, by his number."""
    keys = np.zeros(count, dtype=np.uint64)
    sample_states(np.uint64(number), np.uint64(seed), first, keys)
    return keys
