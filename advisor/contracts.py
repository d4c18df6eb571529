"""The other seats' contracts at the sampled deals, and what a round is worth to us.

For each sampled deal one contract of each other seat is played, in the suit that it would name
from its own twelve cards, with its own exchange. Nothing about a bid is in those rounds, so they
price every bid, and whatever auction comes of a call of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cached_property
from typing import Any, Final

import numpy as np

from advisor.bidding import Seating, calls_array
from advisor.game.auction import Call, bid_ladder
from advisor.game.cards import Suit
from advisor.game.position import Position, meanings_of
from advisor.game.rules import Rules
from advisor.kernels import bidding as kernel
from advisor.kernels import signals
from advisor.kernels.pricing import N_PRICED, score_auctions
from advisor.kernels.rounds import ROTATIONS
from advisor.playing import Deals, Outcomes, Predictor, play_sets
from advisor.pricing import Estimate, Pricing, estimate

Array = np.ndarray[Any, Any]

LEFT, PARTNER, RIGHT = 1, 2, 3
# Of the deals, ordered by how high the opponents would go, at least this share speaks for a bid
# that hardly any opponent makes.
LEAST_SHARE: Final = 0.05
# Rounds whose auctions one thread bids out.
_ROUNDS_TO_SHARE: Final = 4096
# Of the other seats' contracts: their errors then are a point or two.
ENOUGH_SAMPLES: Final = 20_000
# Bids of a rising auction that are priced at once.
_STEPS: Final = 8
# A chance to win in whole numbers, so that every machine adds up the same.
WIN_UNITS: Final = 1_000_000
# Points that we, and they, score in nearly all rounds.
_OURS: Final = np.arange(-600, 2001, 10)
_THEIRS: Final = np.arange(-600, 1001, 10)


def _places(points: Array, known: Array) -> Array:
    """Return where points stand in an array of them, -1 where they do not."""
    cells = (points.astype(np.int64) - known[0]) // 10
    inside = (cells >= 0) & (cells < len(known)) & (cells * 10 + known[0] == points)
    found: Array = np.where(inside, cells, -1)
    return found


class Worth:
    """What a round is worth to us: points, or the chance to win the game where the score is known.

    Parameters
    ----------
    rules : Rules
    score : tuple of int or None
        Points of our side and theirs before the round.
    """

    def __init__(self, rules: Rules, score: tuple[int, int] | None) -> None:
        self._rules = rules
        self.score = score

    def of(self, ours: Array, theirs: Array, we_bid: bool | Array) -> Array:
        """Return whole numbers: points, or chances in 1/`WIN_UNITS`."""
        if self.score is None:
            points: Array = ours - theirs
            return points
        rows, columns = _places(ours, _OURS), _places(theirs, _THEIRS)
        usual = (rows >= 0) & (columns >= 0)
        cells = np.where(usual, rows * len(_THEIRS) + columns, 0)
        if isinstance(we_bid, bool):
            found: Array = self._grid[int(we_bid)][cells]
        else:
            found = np.where(we_bid, self._grid[1][cells], self._grid[0][cells])
        if not usual.all():
            rare = ~usual
            mine = np.broadcast_to(np.asarray(we_bid), ours.shape)[rare]
            found[rare] = self._chances(ours[rare], theirs[rare], mine)
        return found

    @cached_property
    def _grid(self) -> tuple[Array, Array]:
        """Chances after rounds with usual scores, the bid theirs and ours: so often looked up."""
        ours, theirs = np.meshgrid(_OURS, _THEIRS, indexing="ij")
        by_bid = (self._chances(ours, theirs, we_bid).ravel() for we_bid in (False, True))
        return next(by_bid), next(by_bid)

    def _chances(self, ours: Array, theirs: Array, we_bid: bool | Array) -> Array:
        from advisor.game_win import win_chance

        assert self.score is not None
        chances = win_chance(
            self.score[0] + ours.astype(np.int64),
            self.score[1] + theirs.astype(np.int64),
            np.broadcast_to(np.asarray(we_bid), ours.shape),
            self._rules,
        )
        whole: Array = np.rint(chances * WIN_UNITS).astype(np.int64)
        return whole


class Table:
    """The other three seats' contracts at the sampled deals, grown as sampling goes on.

    Parameters
    ----------
    position : Position
    rules : Rules
    seating : Seating
    worth : Worth
    executor : concurrent.futures.Executor, optional
        Where rounds are played and auctions bid out; in this thread by default.
    """

    def __init__(
        self,
        position: Position,
        rules: Rules,
        seating: Seating,
        worth: Worth,
        executor: Executor | None = None,
    ) -> None:
        self._executor = executor
        self.position = position
        self.rules = rules
        self.worth = worth
        self.seating = seating
        self._calls = calls_array(position.auction)
        self._outcomes: dict[int, Outcomes] = {}
        self._pricings: dict[int, Pricing] = {}
        self._seats = np.zeros((0, 4, 3), dtype=np.int64)
        self._passing: Array | None = None
        # How high the opponents would go, and what letting go is worth by bid: looked up again and
        # again until more deals are played.
        self._reach: tuple[Array, Array, Array] | None = None
        self._let_go: dict[int, tuple[Array, Array, Array]] = {}
        self._stacked: tuple[tuple[tuple[Suit, int], ...], tuple[Array, Array, Array]] | None = None
        self._named: dict[tuple[object, ...], dict[int, Suit]] = {}
        passed = {
            seat
            for call, seat in zip(position.auction.calls, position.auction.seats, strict=True)
            if call.is_pass
        }
        relative = {(seat - position.seat) % 4 for seat in passed}
        # Who has passed gets no contract any more.
        self._bidders = [place for place in (LEFT, PARTNER, RIGHT) if place not in relative]
        self.opponents = [place for place in self._bidders if place != PARTNER]
        self.partner_bids = PARTNER in self._bidders

    def is_honest(self, call: Call) -> bool:
        """Return whether our hand may make a call as agreed: it has what the call would show.

        A pass with help has to show something; a jump may, where the convention has no meaning
        for it now, be no more than a higher bid.
        """
        convention = self.seating.convention
        shown = meanings_of(convention, self.position.auction, call)
        marks = int(self._seats[0, 0, signals.FOUND_MARKS]) if len(self._seats) else 0
        computed = [meaning for meaning in convention.meanings if meaning.is_computed]
        # Whether a hand is what mere words say, only its player knows.
        fits = any(
            not meaning.is_computed or marks >> computed.index(meaning) & 1 for meaning in shown
        )
        return fits if shown else not call.with_help

    def lacks(self) -> bool:
        """Return whether more deals make the others' contracts better known."""
        return self.samples < ENOUGH_SAMPLES

    def extend(self, deals: Deals, seats: Array, predictor: Predictor) -> None:
        """Play more deals with each of the other seats that still bids as declarer."""
        sets = [
            (deals.declared_by(place), seats[:, place, signals.FOUND_TRUMP])
            for place in self._bidders
        ]
        played = play_sets(sets, predictor, self._executor)
        for place, more in zip(self._bidders, played, strict=True):
            before = self._outcomes.get(place)
            self._outcomes[place] = more if before is None else before.extended(more)
            self._pricings[place] = Pricing(self._outcomes[place], self.rules)
        self._seats = np.concatenate([self._seats, seats])
        self._passing = None
        self._let_go.clear()
        self._reach = self._stacked = None

    @property
    def samples(self) -> int:
        """Number of sampled deals."""
        return len(self._seats) // 3

    def _limits(self, places: list[int]) -> Array:
        limits: Array = self._seats[:, places, signals.FOUND_LIMIT].reshape(-1, 3, len(places))
        return limits

    def _opponents_reach(self) -> tuple[Array, Array, Array]:
        """Return which opponent goes higher, how high, and all those limits in rising order."""
        if self._reach is None:
            limits = self._limits(self.opponents)
            highest = limits.max(axis=2)
            self._reach = limits.argmax(axis=2), highest, np.sort(highest, axis=None)
        return self._reach

    def willing(self, bid: int | Array) -> Array:
        """Return the rounds in which an opponent would go to `bid`, bool, shape (n_samples, 3).

        At least the `LEAST_SHARE` of the rounds in which they would go highest. Of several bids,
        shape (n_bids, 1, 1), all answers are returned.
        """
        _, limits, rising = self._opponents_reach()
        reach: Array = limits >= np.minimum(bid, rising[int((1 - LEAST_SHARE) * limits.size)])
        return reach

    def let_go(self, bids: Sequence[int], worth: Worth) -> Array:
        """Return the worth of each round when the opponent who goes higher declares at each bid.

        Shape (n_bids, n_samples, 3).
        """
        values = []
        for place in self.opponents:
            declarers, defenders = self._pricings[place].scores_at(bids)
            values.append(worth.of(defenders, declarers, False))
        if len(values) == 1:
            return values[0]
        value: Array = np.where(self._opponents_reach()[0] == 0, *values)
        return value

    def _instead(self, bids: Sequence[int]) -> tuple[Array, Array, Array]:
        """Return what comes of letting others declare at bids, looked up by the first of them.

        The worth of each round and whether one would, shape (n_bids, n_samples, 3); whether one
        does so often that it counts, shape (n_bids,).
        """
        known = self._let_go.get(bids[0])
        if known is not None and len(known[0]) >= len(bids):
            return known
        at = np.array(bids).reshape(-1, 1, 1)
        if self.opponents:
            values, rows = self.let_go(bids, self.worth), self.willing(at)
        else:
            values = self.worth.of(*self._pricings[PARTNER].scores_at(bids), True)
            rows = self._limits([PARTNER])[:, :, 0] >= at
        known = self._let_go[bids[0]] = values, rows, rows.mean(axis=(1, 2)) >= LEAST_SHARE
        return known

    def defending(self, bids: list[int]) -> dict[int, Estimate]:
        """Return our score less theirs, in points, when an opponent who would declares at a bid.

        Nothing where both opponents have passed.
        """
        if not self.opponents:
            return {}
        in_points = Worth(self.rules, None)
        values = {}
        for bid in bids:
            values[bid] = estimate(self.let_go([bid], in_points)[0][self.willing(bid)])
        return values

    def bid_out(self, plans: list[tuple[int, int, int, int]]) -> tuple[Array, Array]:
        """Return declarer's place and the contract of each round and plan, (n_rounds, n_plans)."""
        rows = _ROUNDS_TO_SHARE if self._executor is not None else max(len(self._seats), 1)
        parts = [
            (
                self.position.seat - 1,
                self._calls,
                np.array(plans, dtype=np.int64).reshape(-1, 4),
                self._seats[first : first + rows],
                self.seating,
            )
            for first in range(0, max(len(self._seats), 1), rows)
        ]
        if self._executor is None or len(parts) == 1:
            found = [_bid_out(*part) for part in parts]
        else:
            pending = [self._executor.submit(_bid_out, *part) for part in parts]
            found = [future.result() for future in pending]
        declarers, contracts = (np.concatenate([part[i] for part in found]) for i in range(2))
        return declarers, contracts

    def worth_of(
        self, declarers: Array, contracts: Array, ours: dict[Suit, Pricing], points: bool = False
    ) -> Array:
        """Return the worth of each round under one plan, shape (n_samples, 3).

        Parameters
        ----------
        declarers, contracts : integer arrays, shape (n_rounds,)
            From `bid_out`.
        ours : dict of int to Pricing
            Our contracts by trump, on all deals.
        points : bool
            Whether to count points although the score is known.
        """
        worth = Worth(self.rules, None) if points else self.worth
        priced, expected, price_rules = self._all_contracts(ours)
        named = np.zeros(int(contracts.max()) + 1, dtype=np.int8)
        bids = np.flatnonzero(np.bincount(contracts[declarers == 0]))
        named[bids] = self._best_trumps(ours, bids.tolist(), worth)
        n = len(declarers)
        scores, we_bid = np.empty((2, n), dtype=np.int32), np.empty(n, dtype=np.bool_)
        score_auctions(
            np.ascontiguousarray(declarers), np.ascontiguousarray(contracts), named,
            priced, expected, price_rules, scores, we_bid,
        )  # fmt: skip
        return worth.of(scores[0], scores[1], we_bid).reshape(-1, 3)

    def _all_contracts(self, ours: dict[Suit, Pricing]) -> tuple[Array, Array, Array]:
        """Return our contracts by trump and those of the other seats, as the kernel takes them."""
        state = tuple((suit, item.samples) for suit, item in ours.items())
        if self._stacked is None or self._stacked[0] != state:
            n = ROTATIONS * self.samples
            some = next(iter(ours.values()))
            priced = np.zeros((7, n, N_PRICED), dtype=np.int32)
            expected = np.zeros((7, *some.expected.shape))
            seats = {3 + place: item for place, item in self._pricings.items()}
            for place, item in (*ours.items(), *seats.items()):
                # Of our own contracts more rounds may have been played.
                priced[place], expected[place] = item.priced[:n], item.expected
            self._stacked = state, (priced, expected, some.price_rules)
        return self._stacked[1]

    def _best_trumps(self, ours: dict[Suit, Pricing], bids: list[int], worth: Worth) -> list[Suit]:
        """Return the trump that is worth most at each bid."""
        state = worth.score, *((suit, item.samples) for suit, item in ours.items())
        known = self._named.setdefault(state, {})
        new = [bid for bid in bids if bid not in known]
        # Of equals the lowest number.
        suits = sorted(ours)
        for first in range(0, len(new), _STEPS):
            some = new[first : first + _STEPS]
            means = [
                worth.of(*ours[suit].scores_at(some), True).sum(axis=(1, 2), dtype=np.int64)
                / (ROTATIONS * ours[suit].samples)
                for suit in suits
            ]
            known.update(zip(some, (suits[i] for i in np.argmax(means, axis=0)), strict=True))
        return [known[bid] for bid in bids]

    def passing(self, ours: dict[Suit, Pricing]) -> Array:
        """Return the worth of each round when we pass now, shape (n_samples, 3)."""
        if self._passing is None:
            declarers, contracts = self.bid_out([(kernel.PASS, 0, 0, 0)])
            self._passing = self.worth_of(declarers[:, 0], contracts[:, 0], ours)
        return self._passing

    def ceiling(self, pricing: Pricing, ours: dict[Suit, Pricing], top: int) -> int | None:
        """Return the highest legal bid that is worth as much as letting the hand go below it.

        The auction climbs step by step: each step is compared with what comes of passing now, and
        higher up with an opponent's declaring a step lower, on the deals in which one would; where
        both have passed, with partner's, as long as he may go on.

        Parameters
        ----------
        pricing : Pricing
            Our contracts in one trump, perhaps on the first deals only.
        ours : dict of int to Pricing
            Our contracts by trump, on all deals.
        top : int
            Highest bid to look at.
        """
        standing = self.position.auction.high_bid
        ladder = [bid for bid in bid_ladder(self.rules, top) if standing is None or bid > standing]
        if not ladder:
            return None
        n = min(pricing.samples, self.samples)
        first, second = pricing.scores(ladder[0])
        gain = self.worth.of(first[:n], second[:n], True) - self.passing(ours)[:n]
        if gain.sum(dtype=np.int64) < 0:
            return None
        highest = ladder[0]
        if not self.opponents and not self.partner_bids:
            return highest
        for start in range(0, len(ladder) - 1, _STEPS):
            bids = ladder[start + 1 : start + 1 + _STEPS]
            let_go, rows, goes_on = self._instead(ladder[start : start + len(bids)])
            first, second = pricing.scores_at(bids)
            gains = self.worth.of(first[:, :n], second[:, :n], True) - let_go[: len(bids), :n]
            rows = rows[: len(bids), :n]
            enough = goes_on[: len(bids)] & rows.any(axis=(1, 2))
            enough &= np.where(rows, gains, 0).sum(axis=(1, 2), dtype=np.int64) >= 0
            if not enough.all():
                return ladder[start + int(np.argmin(enough))]
            highest = bids[-1]
        return highest


def _bid_out(
    our_seat: int, calls: Array, plans: Array, seats: Array, seating: Seating
) -> tuple[Array, Array]:
    declarers = np.zeros((len(seats), len(plans)), dtype=np.int8)
    contracts = np.zeros((len(seats), len(plans)), dtype=np.int16)
    kernel.bid_out(
        our_seat, calls, plans, seats, seating.auction, seating.bidding, seating.meanings,
        declarers, contracts,
    )  # fmt: skip
    return declarers, contracts
