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
    outcomes : int16 array, shape (n, N_OUTCOME)
        As `advisor.playing.play` returns them; 0 without a declarer.
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
        self.count = count
        self.rules = Rules() if rules is None else rules
        self.predictor = predictor or Predictor.of(self.rules, None, False)
        self.hands = four_hands(count, seed)
        rng = np.random.default_rng([*(seed if isinstance(seed, Sequence) else (seed,)), 1])
        # One draw for each seat, whatever its style, so that the noise is paired too.
        self.draws = rng.standard_normal((count, 4))
        self._states = rng.integers(0, 2**64, count, dtype=np.uint64)
        self._played = np.zeros((count, 4, 4, rounds.N_OUTCOME), dtype=np.int16)
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
        """Return what each deal comes to, int16, shape (n, N_OUTCOME); 0 where declarer is -1."""
        for seat in range(4):
            mine = declarers == seat
            rows = np.flatnonzero(mine)
            rows = rows[~self._known[rows, seat, trumps[rows]]]
            if len(rows):
                deals = Deals(self.hands[rows], self._states[rows], np.zeros(len(rows), np.uint64))
                found = play(deals.declared_by(seat), trumps[rows], self.predictor)[0]
                self._played[rows, seat, trumps[rows]] = found
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
        ours, theirs, made, thrown_in = scored(outcomes[taken], contract[taken], self.rules)
        points = np.zeros((self.count, 2), dtype=np.int64)
        side = declarer[taken] & 1
        points[np.flatnonzero(taken), side] = ours
        points[np.flatnonzero(taken), 1 - side] = theirs
        flags = np.zeros((2, self.count), dtype=bool)
        flags[:, taken] = made, thrown_in
        return Rounds(declarer, contract, trump, points, flags[0], flags[1], outcomes)


def scored(outcomes: Array, contracts: Array, rules: Rules) -> tuple[Array, Array, Array, Array]:
    """Return points of declarer's side and of the other, whether it was made, and thrown in.

    Parameters
    ----------
    outcomes : int16 array, shape (n, N_OUTCOME)
        Of one round each.
    contracts : int64 array, shape (n,)
    rules : Rules
        Scoring is that of `advisor.pricing.Pricing`. Where a declarer who can still make his bid
        may throw it in, he judges by the tricks that these rounds take on average.

    Returns
    -------
    tuple of arrays, shape (n,)
    """
    ours = np.zeros(len(outcomes), dtype=np.int64)
    theirs, made = ours.copy(), np.zeros(len(outcomes), dtype=bool)
    thrown_in = made.copy()
    if not len(outcomes):
        return ours, theirs, made, thrown_in
    nothing = np.zeros((len(outcomes), 1), dtype=np.uint64)
    pricing = Pricing(
        Outcomes(
            0,
            our_meld=outcomes[:, [rounds.OUR_MELD]],
            their_meld=outcomes[:, [rounds.THEIR_MELD]],
            our_tricks=outcomes[:, [rounds.OUR_TRICKS]],
            declarer_meld=outcomes[:, [rounds.DECLARER_MELD]],
            flags=outcomes[:, [rounds.FLAGS]],
            received=nothing,
            returned=nothing,
            lost_by_suit=np.zeros(4, dtype=np.int64),
        ),
        rules,
    )
    for bid in map(int, np.unique(contracts)):
        rows = np.flatnonzero(contracts == bid)
        thrown = pricing.thrown_in(bid)[rows, 0]
        good = pricing.made(bid)[rows, 0] & ~thrown
        ours[rows] = np.where(good, pricing.score[rows, 0], -bid)
        theirs[rows] = ours[rows] - pricing.differences(bid)[rows, 0]
        made[rows], thrown_in[rows] = good, thrown
    return ours, theirs, made, thrown_in
