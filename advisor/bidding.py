"""The Python door to the bidding kernels: rules, style and convention as arrays; positions.

`BiddingStyle` says how the other seats are taken to bid. Its numbers were chosen by
benchmarks/bidding_style.py, which lets styles bid against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from advisor.game.auction import Auction, Call, most_steps
from advisor.game.cards import Hand
from advisor.game.conventions import PRESETS, Convention
from advisor.game.position import Position
from advisor.game.rules import Rules
from advisor.kernels import bidding as kernel
from advisor.kernels import positions, signals
from advisor.kernels.rounds import ROTATIONS
from advisor.playing import Deals, joined, rule_array
from advisor.valuation import quick_values, valuation_weights

Array = np.ndarray[Any, Any]

# Any jump that a bid below the limit of bids can make.
_ANY_STEPS: Final = 500
_READING_HANDS: Final = 8192
_READING_SEED: Final = 7
# About 10 ms of work where few deals fit; the tables of a block take one.
BLOCK_DEALS: Final = 16_384
MOST_DEALS: Final = 750_000
FIRST_DEALS: Final = 4096
PILOT_DEALS: Final = 2048
# A seat's calls are read where at least this share of the hands that fit call so by the rule.
LEAST_EXPLAINED: Final = 0.1
_WAVE: Final = 4
# Fewer deals take less time than a block's tables.
LEAST_BLOCK_DEALS: Final = 512


@dataclass(frozen=True, slots=True)
class BiddingStyle:
    """How a seat bids, beside the rules and the convention. Points are x10.

    Parameters
    ----------
    model : str
        The quick valuation behind the limit (`advisor.valuation.MODELS`).
    offset : int
        Added to the limit.
    noise : int
        Standard deviation of what players' judgement adds.
    erratic : float
        Share of hands whose calls tell nothing: players bid by other lights than these.
    over_partner : int
        What a limit needs beyond the next bid to raise a partner who holds the bid.
    partner_alone : int
        The same once both opponents have passed, on top.
    third_seat : int
        What the third seat lacks when it opens after two passes against a forced dealer.
    """

    model: str = "p50"
    offset: int = 0
    noise: int = 15
    erratic: float = 0.1
    over_partner: int = 20
    partner_alone: int = 40
    third_seat: int = 0


STANDARD_STYLE: Final = BiddingStyle()
# Partner keeps to what was agreed more than strangers do.
PARTNER_STYLE: Final = replace(STANDARD_STYLE, erratic=0.03)


def auction_array(rules: Rules) -> Array:
    """Return the rules of the auction as the int64 array that kernels take.

    >>> auction_array(Rules())[kernel.AUCTION_MINIMUM]
    np.int64(250)
    """
    values = np.zeros(kernel.N_AUCTION, dtype=np.int64)
    values[kernel.AUCTION_MINIMUM] = rules.minimum
    values[kernel.AUCTION_STEP] = rules.step
    values[kernel.AUCTION_CHANGE_AT] = rules.step_change_at or 0
    values[kernel.AUCTION_STEP_ABOVE] = rules.step_above or 0
    values[kernel.AUCTION_OPENING_STEPS] = most_steps(rules, opening=True) or _ANY_STEPS
    values[kernel.AUCTION_JUMP_STEPS] = most_steps(rules, opening=False) or _ANY_STEPS
    values[kernel.AUCTION_HELP] = rules.pass_with_help != "refuse"
    values[kernel.AUCTION_DEALER_FORCED] = rules.all_pass == "dealer"
    values[kernel.AUCTION_FORCED_BID] = rules.forced_bid
    return values


def meaning_array(conventions: Sequence[Convention], rules: Rules) -> Array:
    """Return the meanings of the conventions of both sides, int64, shape (2, n_meanings, 5)."""
    rows = [convention.usable(rules).as_rows() for convention in conventions]
    meanings = np.zeros((2, max(map(len, rows)), 5), dtype=np.int64)
    meanings[:, :, signals.MEANING_STEPS] = -1
    meanings[:, :, signals.MEANING_LEAST] = 1
    for side, table in enumerate(rows):
        if table:
            meanings[side, : len(table)] = table
    return meanings


def random_hands(count: int, seed: int) -> Array:
    """Return packed hands of twelve cards, uint64, shape (count,).

    >>> int(np.bitwise_count(random_hands(3, 1))[0])
    12
    """
    deck = np.tile(np.repeat(np.arange(24), 2), (count, 1))
    cards = np.random.default_rng(seed).permuted(deck, axis=1)[:, :12]
    counts = np.zeros((count, 24), dtype=np.uint64)
    np.add.at(counts, (np.arange(count)[:, None], cards), np.uint64(1))
    bits = (np.uint64(1) << counts) - np.uint64(1)
    places = np.uint64(2) * np.arange(24, dtype=np.uint64)
    packed: Array = (bits << places).sum(axis=1, dtype=np.uint64)
    return packed


def bidding_array(
    styles: Sequence[BiddingStyle], conventions: Sequence[Convention], rules: Rules
) -> Array:
    """Return style and readings of both sides, int64, shape (2, N_BIDDING)."""
    values = np.zeros((2, kernel.N_BIDDING), dtype=np.int64)
    for side, (style, convention) in enumerate(zip(styles, conventions, strict=True)):
        values[side, kernel.BID_OFFSET] = style.offset
        values[side, kernel.BID_NOISE] = style.noise
        values[side, kernel.BID_ERRATIC] = round(style.erratic * 1024)
        values[side, kernel.BID_OVER_PARTNER] = style.over_partner
        values[side, kernel.BID_PARTNER_ALONE] = style.partner_alone
        values[side, kernel.BID_THIRD_SEAT] = style.third_seat
        told = readings(convention, rules)
        values[side, kernel.BID_READINGS : kernel.BID_READINGS + len(told)] = told
    return values


@lru_cache(maxsize=64)
def readings(convention: Convention, rules: Rules) -> tuple[int, ...]:
    """Return by how much what partner's calls tell lifts the worth of a hand, in points.

    By the ``TOLD_`` numbers: the mean, over random hands that fit the meaning of the call, of what
    such a hand adds as declarer's partner (model ``support``), above that of all hands.
    """
    meanings = meaning_array((convention, convention), rules)
    told = [0] * (kernel.TOLD_JUMP + meanings.shape[1])
    if not meanings.shape[1]:
        return tuple(told)
    found, support = _looked_at(meanings, rules)
    marks = found[:, signals.FOUND_MARKS]
    steps = meanings[0, :, signals.MEANING_STEPS]
    whens = meanings[0, :, signals.MEANING_WHEN]
    for row in range(len(steps)):
        # Partner cannot tell rows of the same steps apart that may be meant at the same time.
        together = (whens == whens[row]) | (whens == signals.WHEN_ANY)
        together |= whens[row] == signals.WHEN_ANY
        same = np.flatnonzero((steps == steps[row]) & together)
        fits = np.any([(marks >> np.int64(r)) & 1 == 1 for r in same], axis=0)
        told_as = kernel.TOLD_HELP if steps[row] == 0 else kernel.TOLD_JUMP + row
        told[told_as] = round(float(support[fits].mean())) if fits.any() else 0
    return tuple(told)


@lru_cache(maxsize=64)
def silent_reading(convention: Convention, rules: Rules) -> int:
    """Return by how much a first bid that is no jump lifts the worth of partner's hand, in points.

    The mean of what such a hand adds, over random hands that would open and fit no jump, above that
    of all that would open; 0 where no jump is agreed. `readings` leaves it out: players do not
    usually count on it.

    >>> from advisor.game.conventions import PRESETS
    >>> silent_reading(PRESETS["none"], Rules()), silent_reading(PRESETS["meld-jump"], Rules()) < 0
    (0, True)
    """
    meanings = meaning_array((convention, convention), rules)
    found, support = _looked_at(meanings, rules)
    jumps = sum(1 << row for row, steps in enumerate(meanings[0, :, 0].tolist()) if steps > 1)
    opens = found[:, signals.FOUND_LIMIT] >= rules.minimum
    silent = opens & (found[:, signals.FOUND_MARKS] & jumps == 0)
    if not jumps or not silent.any():
        return 0
    return round(float(support[silent].mean() - support[opens].mean()))


def _looked_at(meanings: Array, rules: Rules) -> tuple[Array, Array]:
    """Return what random hands may call, and what each adds as partner above the mean of all."""
    hands = random_hands(_READING_HANDS, _READING_SEED)
    values = rule_array(rules)
    found = np.zeros((len(hands), signals.N_FOUND), dtype=np.int64)
    weights = valuation_weights(STANDARD_STYLE.model)
    signals.look_at_hands(hands, values, meanings, weights, found)
    support = quick_values(hands, values, "support").mean(axis=1)
    support -= support.mean()
    return found, support


def calls_array(auction: Auction) -> Array:
    """Return the calls of an auction, int64, shape (n_calls, 3): seat from 0, kind, amount."""
    calls = np.zeros((len(auction.calls), 3), dtype=np.int64)
    for row, call, seat in zip(calls, auction.calls, auction.seats, strict=True):
        row[:] = seat - 1, *kind_and_amount(call)
    return calls


def kind_and_amount(call: Call) -> tuple[int, int]:
    """Return a call as kernels take it.

    >>> kind_and_amount(Call(260))
    (2, 260)
    """
    if call.bid is not None:
        return kernel.BID, call.bid
    return (kernel.HELP if call.with_help else kernel.PASS), 0


@dataclass(frozen=True, slots=True)
class Seating:
    """How the four seats bid, in the arrays that kernels take.

    Parameters
    ----------
    auction, bidding, meanings, weights : int64 arrays
        See `advisor.kernels.bidding`.
    convention : Convention
        Our side's, as far as the rules let it occur.
    """

    auction: Array
    bidding: Array
    meanings: Array
    weights: Array
    convention: Convention

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, rules: Rules, seat: int, convention: Convention) -> Seating:
        """Return a table at which our side plays a convention and the others play none.

        The same one for the same question, so its arrays are not to be changed.

        Parameters
        ----------
        rules : Rules
        seat : int
            Ours, 1 to 4.
        convention : Convention
        """
        ours = (seat - 1) & 1
        conventions = [PRESETS["none"], PRESETS["none"]]
        conventions[ours] = convention
        styles = [STANDARD_STYLE, STANDARD_STYLE]
        styles[ours] = PARTNER_STYLE
        return cls(
            auction_array(rules),
            bidding_array(styles, conventions, rules),
            meaning_array(conventions, rules),
            valuation_weights(STANDARD_STYLE.model),
            convention.usable(rules),
        )


class PositionDeals:
    """Deals that fit a hand and the calls made so far, three rounds to a sample.

    The deals are those of `simulate` in their order, without the rounds in which the other seats
    would have called otherwise; those left are joined in threes.

    Parameters
    ----------
    hand : Hand
        Ours.
    position : Position
    rules : Rules
    seating : Seating
    seed : int
    infer : bool
        Whether the calls count.
    """

    def __init__(
        self, hand: Hand, position: Position, rules: Rules, seating: Seating, seed: int, infer: bool
    ) -> None:
        self.calls = calls_array(position.auction)
        # Only what the other seats have called tells anything.
        self.infers = infer and any(seat != position.seat for seat in position.auction.seats)
        self.tried = 0
        self._hand, self._seed = np.uint64(hand.packed), np.uint64(seed)
        self._seat = position.seat - 1
        self._rules = rule_array(rules)
        self._seating = seating
        # By seat: of the hands that would have called so, the share that does by the rule.
        self.explained: dict[int, float] = {}
        self._ignored = 0
        if self.infers:
            self._ignore_odd_calls(position)
        self._next = 0
        self._kept = 0
        # What was found and not yet taken.
        nothing = np.zeros(0, dtype=np.uint64)
        self._deals = Deals(nothing.reshape(0, 4), nothing, nothing)
        self._seats = np.zeros((0, 4, 3), dtype=np.int64)

    def _ignore_odd_calls(self, position: Position) -> None:
        """Find seats whose calls hardly any hand makes by the rule: nothing is read from them."""
        callers = {seat for seat in position.auction.seats if seat != position.seat}
        for seat in sorted(callers):
            place = (seat - position.seat) % 4
            self._ignored = sum(1 << other - 1 for other in callers - {seat})
            _, seats = self._block(0, PILOT_DEALS)
            marks = seats[:, place, signals.FOUND_MARKS]
            found = float((marks & positions.EXPLAINED != 0).mean()) if len(marks) else 0.0
            self.explained[seat] = found
        odd = [seat for seat, share in self.explained.items() if share < LEAST_EXPLAINED]
        self._ignored = sum(1 << seat - 1 for seat in odd)
        self.infers = len(odd) < len(callers)

    @property
    def is_exhausted(self) -> bool:
        """Whether so many deals were tried that no more are."""
        return self.infers and self._next >= MOST_DEALS

    @property
    def share_kept(self) -> float:
        """Share of the rounds tried that fit the calls."""
        return self._kept / max(self.tried, 1)

    def take(self, samples: int, executor: Executor | None = None) -> tuple[Deals, Array]:
        """Return the next samples, as far as there are any: deals and seats.

        Seats are as in `advisor.kernels.positions.deal_positions`: limit, trump and marks of each
        hand, ours first.
        """
        want = ROTATIONS * samples
        while len(self._seats) < want and not self.is_exhausted:
            blocks = self._next_blocks(samples - len(self._seats) // ROTATIONS)
            if executor is None:
                parts = [self._block(*block) for block in blocks]
            else:
                pending = [executor.submit(self._block, *block) for block in blocks]
                parts = [future.result() for future in pending]
            found = sum(len(part[1]) for part in parts)
            self._kept += found
            self.tried += ROTATIONS * sum(size for _, size in blocks)
            self._deals = joined([self._deals, *(part[0] for part in parts)])
            self._seats = np.concatenate([self._seats, *(part[1] for part in parts)])
        rows = min(len(self._seats), want) // ROTATIONS * ROTATIONS
        taken = self._deals[:rows], self._seats[:rows]
        self._deals, self._seats = self._deals[rows:], self._seats[rows:]
        return taken

    def _next_blocks(self, lacking: int) -> list[tuple[int, int]]:
        """Return first sample and number of samples of blocks to try, whatever the threads.

        Where calls are read they are reckoned to give the samples that lack; a part of a wave
        would make the share kept depend on the threads.
        """
        if not self.infers:
            total = lacking
        elif not self.tried:
            total = FIRST_DEALS
        else:
            total = max(int(1.1 * lacking * self.tried) // max(self._kept, 1), FIRST_DEALS)
            total = min(total, _WAVE * BLOCK_DEALS)
        size = min(max(-(-total // _WAVE), LEAST_BLOCK_DEALS), BLOCK_DEALS)
        blocks = []
        while total > 0:
            blocks.append((self._next, min(size, total)))
            self._next += blocks[-1][1]
            total -= blocks[-1][1]
        return blocks

    def _block(self, first: int, samples: int) -> tuple[Deals, Array]:
        n = ROTATIONS * samples
        # Of the rounds that are tried few may be kept, and only those are written.
        hands = np.empty((n, 4), dtype=np.uint64)
        states, turns = np.empty((2, n), dtype=np.uint64)
        seats = np.empty((n, 4, 3), dtype=np.int64)
        seating = self._seating
        kept = positions.deal_positions(
            self._hand, self._seed, first, samples, self._seat, self.calls, self.infers,
            self._ignored, self._rules, seating.auction, seating.bidding, seating.meanings,
            seating.weights, hands, states, turns, seats,
        )  # fmt: skip
        return Deals(hands[:kept], states[:kept], turns[:kept]), seats[:kept]
