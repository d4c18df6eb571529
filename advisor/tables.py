"""Self-play: random deals, bid out by the styles of both sides, played and scored.

A table keeps its deals, and what was played on them, so that styles and conventions, or any other
rules that say what a hand calls, meet on the same deals and the same draws: their differences are
paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.bidding import BiddingStyle, auction_array, bidding_array, meaning_array
from advisor.game.conventions import PRESETS, Convention
from advisor.game.rules import Rules
from advisor.kernels import bidding as kernel
from advisor.kernels import rounds, signals
from advisor.kernels import tables as dealing
from advisor.playing import Deals, Outcomes, Predictor, play, rule_array
from advisor.pricing import Pricing
from advisor.valuation import valuation_weights

Array = np.ndarray[Any, Any]

NONE: Final = PRESETS["none"]
NO_CALLS: Final = np.zeros((0, 3), dtype=np.int64)
EVERY_SEAT_BY_RULE: Final = np.array([[kernel.BY_RULE, 0, 0, 0]], dtype=np.int64)


def four_hands(count: int, seed: int | Sequence[int]) -> Array:
    """Return packed deals of all 48 cards, uint64, shape (count, 4).

    >>> int(np.bitwise_count(four_hands(1, 5)).sum())
    48
    """
    deck = np.tile(np.repeat(np.arange(24), 2), (count, 1))
    cards = np.random.default_rng(seed).permuted(deck, axis=1).reshape(count, 4, 12)
    counts = np.zeros((count, 4, 24), dtype=np.uint64)
    rows, seats = np.arange(count)[:, None], np.arange(4)[None]
    for place in range(12):
        np.add.at(counts, (rows, seats, cards[:, :, place]), np.uint64(1))
    bits = (np.uint64(1) << counts) - np.uint64(1)
    places = np.uint64(2) * np.arange(24, dtype=np.uint64)
    packed: Array = (bits << places).sum(axis=2, dtype=np.uint64)
    return packed


@dataclass(frozen=True, slots=True)
class Rounds:
    """What became of each deal, one row each.

    Parameters
    ----------
    declarer : int64 array, shape (n,)
        Seat from 0, the dealer's left; -1 where all passed for a new deal.
    contract, trump : int64 arrays, shape (n,)
        Points to make, and the suit; 0 without a declarer.
    points : int64 array, shape (n, 2)
        What the round adds to the scores of seats 0 and 2 and of seats 1 and 3.
    made, thrown_in : bool arrays, shape (n,)
    outcomes : int16 array, shape (n, LOST)
        As `advisor.playing.play` returns them, without what was lost by suit; 0 without a
        declarer.
    """

    declarer: Array
    contract: Array
    trump: Array
    points: Array
    made: Array
    thrown_in: Array
    outcomes: Array

    @property
    def difference(self) -> Array:
        """Points of side 0 less those of side 1."""
        return self.points[:, 0] - self.points[:, 1]


class Table:
    """Deals that are bid and played as often as wanted.

    Each contract, a declarer and his trump at a deal, is played once, whoever bids for it.

    Parameters
    ----------
    count : int
        Deals.
    seed : int or sequence of int
        Of the deals; a sequence names a block of them.
    rules : Rules, optional
    predictor : Predictor, optional
        How contracts are played out; the default predictor of the rules.

    >>> table = Table(50, 3, predictor=Predictor.of(Rules(), "policy", True))
    >>> rounds_played = table.run((BiddingStyle(), BiddingStyle()))
    >>> rounds_played.points.shape, bool((rounds_played.contract >= 250).all())
    ((50, 2), True)
    """

    def __init__(
        self,
        count: int,
        seed: int | Sequence[int],
        rules: Rules | None = None,
        predictor: Predictor | None = None,
    ) -> None:
        rng = np.random.default_rng([*(seed if isinstance(seed, Sequence) else (seed,)), 1])
        draws = rng.standard_normal((count, 4))
        states = rng.integers(0, 2**64, count, dtype=np.uint64)
        self._set(four_hands(count, seed), draws, states, rules, predictor)

    @classmethod
    def at(
        cls,
        indices: range,
        seed: int,
        rules: Rules | None = None,
        predictor: Predictor | None = None,
        held: Array | None = None,
        judged: Array | None = None,
    ) -> Table:
        """Return the deals of a counter-based stream at consecutive indices.

        Parameters
        ----------
        indices : range
            Which deals; a deal does not depend on those beside it.
        seed : int
        rules, predictor
            As for the table itself.
        held : uint64 array, shape (n_held,), optional
            Packed hands, one of which, drawn at random, is that of seat 0.
        judged : int16 array, shape (m, LOST), optional
            As for `scored`, so that a deal's score does not depend on those beside it either.

        >>> tables = Table.at(range(5, 7), 1), Table.at(range(6, 8), 1)
        >>> bool((tables[0].hands[1] == tables[1].hands[0]).all())
        True
        """
        table = cls.__new__(cls)
        count = len(indices)
        hands, states = np.zeros((count, 4), dtype=np.uint64), np.zeros(count, dtype=np.uint64)
        draws = np.zeros((count, 4), dtype=np.int64)
        if held is None:
            held = np.zeros(0, dtype=np.uint64)
        dealing.deal_tables(held, np.uint64(seed), indices.start, hands, states, draws)
        table._set(hands, draws / dealing.DRAW_UNITS, states, rules, predictor, judged)
        return table

    def _set(
        self,
        hands: Array,
        draws: Array,
        states: Array,
        rules: Rules | None,
        predictor: Predictor | None,
        judged: Array | None = None,
    ) -> None:
        self.count = count = len(hands)
        self.rules = Rules() if rules is None else rules
        self.predictor = predictor or Predictor.of(self.rules, None, False)
        self.hands = hands
        # One draw for each seat, whatever its style, so that the noise is paired too.
        self.draws = draws
        self._states = states
        self._judged = judged
        self._played = np.zeros((count, 4, 4, rounds.LOST), dtype=np.int16)
        self._known = np.zeros((count, 4, 4), dtype=bool)

    def seats(self, styles: Sequence[BiddingStyle], conventions: Sequence[Convention]) -> Array:
        """Return limit (draw included), trump and marks of each hand, int64, shape (n, 4, 3)."""
        meanings = meaning_array(conventions, self.rules)
        rules = rule_array(self.rules)
        seats = np.zeros((self.count, 4, 3), dtype=np.int64)
        found = np.zeros((2 * self.count, signals.N_FOUND), dtype=np.int64)
        for side, style in enumerate(styles):
            hands = np.ascontiguousarray(self.hands[:, side::2]).ravel()
            signals.look_at_hands(hands, rules, meanings, valuation_weights(style.model), found)
            own = found.reshape(self.count, 2, -1)
            noise = np.rint(style.noise * self.draws[:, side::2]).astype(np.int64)
            seats[:, side::2, 0] = own[:, :, signals.FOUND_LIMIT] + style.offset + noise
            seats[:, side::2, 1] = own[:, :, signals.FOUND_TRUMP]
            seats[:, side::2, 2] = own[:, :, signals.FOUND_MARKS + side]
        return seats

    def outcomes(self, declarers: Array, trumps: Array) -> Array:
        """Return what each deal comes to, int16, shape (n, LOST); 0 where declarer is -1."""
        for seat in range(4):
            mine = declarers == seat
            rows = np.flatnonzero(mine)
            rows = rows[~self._known[rows, seat, trumps[rows]]]
            if len(rows):
                deals = Deals(self.hands[rows], self._states[rows], np.zeros(len(rows), np.uint64))
                found = play(deals.declared_by(seat), trumps[rows], self.predictor)[0]
                self._played[rows, seat, trumps[rows]] = found[:, : rounds.LOST]
                self._known[rows, seat, trumps[rows]] = True
        found = self._played[np.arange(self.count), declarers, trumps]
        found[declarers < 0] = 0
        return found

    def run(
        self, styles: Sequence[BiddingStyle], conventions: Sequence[Convention] = (NONE, NONE)
    ) -> Rounds:
        """Bid out and play every deal.

        Parameters
        ----------
        styles, conventions : sequences of two
            Of seats 0 and 2, and of seats 1 and 3.

        Returns
        -------
        Rounds
        """
        seats = self.seats(styles, conventions)
        declarer, contract = self.bid(seats, styles, conventions)
        trump = np.where(declarer >= 0, seats[np.arange(self.count), declarer, 1], 0)
        return self.play_out(declarer, contract, trump)

    def bid(
        self,
        seats: Array,
        styles: Sequence[BiddingStyle],
        conventions: Sequence[Convention] = (NONE, NONE),
    ) -> tuple[Array, Array]:
        """Bid out every deal with the limits and marks given, wherever they come from.

        Parameters
        ----------
        seats : int64 array, shape (n, 4, 3)
            Limit, trump and marks of each hand, from the dealer's left, as `seats` returns them.
        styles, conventions : sequences of two
            Of seats 0 and 2, and of seats 1 and 3.

        Returns
        -------
        tuple of int64 arrays, shape (n,)
            Seat of the declarer, -1 where all passed for a new deal, and points to make.
        """
        declarers = np.zeros((self.count, 1), dtype=np.int8)
        contracts = np.zeros((self.count, 1), dtype=np.int16)
        kernel.bid_out(
            0,
            NO_CALLS,
            EVERY_SEAT_BY_RULE,
            seats,
            auction_array(self.rules),
            bidding_array(styles, conventions, self.rules),
            meaning_array(conventions, self.rules),
            declarers,
            contracts,
        )
        declarer = declarers[:, 0].astype(np.int64)
        return declarer, np.where(declarer >= 0, contracts[:, 0].astype(np.int64), 0)

    def play_out(self, declarer: Array, contract: Array, trump: Array) -> Rounds:
        """Play every deal with the declarers, contracts and trumps given, and score it.

        Parameters
        ----------
        declarer, contract, trump : int64 arrays, shape (n,)
            As in `Rounds`.
        """
        taken = declarer >= 0
        outcomes = self.outcomes(declarer, trump)
        ours, theirs, made, thrown_in = scored(
            outcomes[taken], contract[taken], self.rules, self._judged
        )
        points = np.zeros((self.count, 2), dtype=np.int64)
        side = declarer[taken] & 1
        points[np.flatnonzero(taken), side] = ours
        points[np.flatnonzero(taken), 1 - side] = theirs
        flags = np.zeros((2, self.count), dtype=bool)
        flags[:, taken] = made, thrown_in
        return Rounds(declarer, contract, trump, points, flags[0], flags[1], outcomes)


def scored(
    outcomes: Array, contracts: Array, rules: Rules, judged: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return points of declarer's side and of the other, whether it was made, and thrown in.

    Parameters
    ----------
    outcomes : int16 array, shape (n, LOST)
        Of one round each.
    contracts : int64 array, shape (n,)
    rules : Rules
        Scoring is that of `advisor.pricing.Pricing`.
    judged : int16 array, shape (m, LOST), optional
        Where a declarer who can still make his bid may throw it in, he judges by the tricks that
        these rounds take on average; by default those scored.

    Returns
    -------
    tuple of arrays, shape (n,)
    """
    if not len(outcomes):
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing.copy(), nothing.astype(bool), nothing.astype(bool)
    others = None if judged is None else _single(judged)
    pricing = Pricing(_single(outcomes), rules, others)
    bids = contracts[:, None]
    thrown = pricing.thrown_in(bids)
    good = pricing.made(bids) & ~thrown
    ours, theirs = pricing.scores(bids)
    wide = np.int64
    return ours[:, 0].astype(wide), theirs[:, 0].astype(wide), good[:, 0], thrown[:, 0]


def _single(outcomes: Array) -> Outcomes:
    """Return rounds of one rotation as `Pricing` takes them."""
    nothing = np.zeros((len(outcomes), 1), dtype=np.uint64)
    return Outcomes(
        0,
        our_meld=outcomes[:, [rounds.OUR_MELD]],
        their_meld=outcomes[:, [rounds.THEIR_MELD]],
        our_tricks=outcomes[:, [rounds.OUR_TRICKS]],
        declarer_meld=outcomes[:, [rounds.DECLARER_MELD]],
        flags=outcomes[:, [rounds.FLAGS]],
        received=nothing,
        returned=nothing,
        lost_by_suit=np.zeros(4, dtype=np.int64),
    )
