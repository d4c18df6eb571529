"""The exact solver's Python door: a table of states, values, yes/no questions, first guesses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from advisor.dealfile import SEATS, check_deal, check_sizes
from advisor.engines import EXACT_CARDS, SOLVE_TRICKS, lite_values
from advisor.game.cards import Card, Hand, Suit
from advisor.game.rules import Rules
from advisor.kernels import ddstate, ddtable, doubledummy
from advisor.kernels.guide import COUNTER_UNITS
from advisor.kernels.packed import N_COUNTERS, RULE_HEADING
from advisor.kernels.play import play_deals
from advisor.limits import MAX_TABLE_MB, MIN_TABLE_MB, check_counting, check_whole
from advisor.playing import rule_array

Array = np.ndarray[Any, Any]

MIN_TABLE_BITS: Final = 8
MAX_TABLE_BITS: Final = 26
# More points than anybody can ask for.
MAX_QUESTION: Final = 1000
# Small deals need few states.
SMALL_TABLE_BITS, MIDDLE_TABLE_BITS, LARGE_TABLE_BITS = 16, 20, 22
_MIDDLE_FROM: Final = 9
_LARGE_FROM: Final = 10


@cache
def canonical_classes() -> Array:
    """Return the class number of every ownership code of half a suit, int16, read-only.

    A code is made by `advisor.kernels.ddstate.holding_code`. Ranks that nobody holds are
    closed up, and neighbouring ranks that one seat owns alone count as one group; 3,375 codes
    fall into 2,731 classes.
    """
    weights = ddstate.OWNER_WEIGHTS
    owners: dict[int, tuple[int, ...]] = {0: ()}
    for one in range(SEATS):
        owners[weights[one]] = (one,)
        for two in range(one, SEATS):
            owners[weights[one] + weights[two]] = (one, two)
    numbers: dict[tuple[tuple[int, ...], ...], int] = {}
    classes = np.zeros(ddstate.N_HALVES, dtype=np.int16)
    for codes in product(owners, repeat=3):
        groups: list[tuple[int, ...]] = []
        for held in (owners[code] for code in codes):
            alone = len(set(held)) == 1
            if alone and groups and set(groups[-1]) == set(held):
                groups[-1] += held
            elif held:
                groups.append(held)
        code = sum(code * ddstate.N_OWNERS**place for place, code in enumerate(codes))
        classes[code] = numbers.setdefault(tuple(groups), len(numbers))
    classes.flags.writeable = False
    return classes


class Solver:
    """A table of states, kept between questions; a state has one value in all deals.

    Parameters
    ----------
    rules : Rules, optional
        Only the heading rule matters; ace, ten, king and the last trick count ten each.
    table_bits : int, optional
        The table has 2 to this power states of 16 bytes.

    Raises
    ------
    OptionError
        If the rules count cards otherwise, or the size is out of range.

    >>> solver = Solver()
    >>> hands = [Hand.parse(t) for t in ("A.A.-.-", "T.T.-.-", "K.K.-.-", "Q.Q.-.-")]
    >>> solver.points(hands, 0, 1), solver.at_least(hands, 0, 1, 80)
    (70, False)
    """

    def __init__(self, rules: Rules | None = None, table_bits: int = SMALL_TABLE_BITS) -> None:
        self.rules = Rules() if rules is None else rules
        check_counting(self.rules, "solve")
        check_whole("table_bits", table_bits, MIN_TABLE_BITS, MAX_TABLE_BITS)
        self._rule_array = rule_array(self.rules)
        self.heading = int(self._rule_array[RULE_HEADING])
        self._states = np.zeros((1 << table_bits, 2), dtype=np.uint64)
        self._generation = 0
        self._last = np.zeros(SEATS, dtype=np.uint64)
        self._last_trump = -1
        self.nodes = 0

    @property
    def table_bits(self) -> int:
        """The table has 2 to this power states."""
        return len(self._states).bit_length() - 1

    @property
    def table_bytes(self) -> int:
        """Memory of the table."""
        return self._states.nbytes

    def points(
        self, hands: Sequence[Hand], trump: Suit, leader: int, played: Sequence[Card] = ()
    ) -> int:
        """Return the points of seats 0 and 2 from the cards in hand and on the table.

        Parameters
        ----------
        hands : sequence of Hand
            The four hands in seat order, without the cards already played to this trick.
        trump : int
        leader : int
            Seat 0..3 that leads, or led this trick.
        played : sequence of int, optional
            Card types already played to this trick, in order.

        Raises
        ------
        HandError, OptionError
            If the hands are not of one deal, or an argument is out of range.
        """
        check_position(hands, trump, leader, played)
        return self.points_unchecked(hands, trump, leader, played)

    def at_least(
        self,
        hands: Sequence[Hand],
        trump: Suit,
        leader: int,
        points: int,
        played: Sequence[Card] = (),
    ) -> bool:
        """Return whether seats 0 and 2 can take so many points or more; quicker than `points`.

        Parameters
        ----------
        hands, trump, leader, played
            As for `points`.
        points : int
            From 0 up.

        Raises
        ------
        HandError, OptionError
            If the hands are not of one deal, or an argument is out of range.
        """
        check_position(hands, trump, leader, played)
        need = -(-check_whole("points", points, 0, MAX_QUESTION) // 10)
        return self._search(hands, trump, leader, played, need - 1, need, need) >= need

    def points_unchecked(
        self,
        hands: Sequence[Hand],
        trump: Suit,
        leader: int,
        played: Sequence[Card],
        guess: int | None = None,
    ) -> int:
        """Return what `points` does, the hands known to be good, from a first guess in points."""
        if not any(len(hand) for hand in hands):
            return 0
        counters = self._guess(hands, trump, leader, played) if guess is None else guess // 10
        return 10 * self._search(hands, trump, leader, played, 0, N_COUNTERS, counters)

    def _search(
        self,
        hands: Sequence[Hand],
        trump: Suit,
        leader: int,
        played: Sequence[Card],
        low: int,
        high: int,
        guess: int,
    ) -> int:
        """Return the value in counters if it lies from `low` to `high`, else the nearer of them."""
        packed = np.array([[hand.packed for hand in hands]], dtype=np.uint64)
        if trump != self._last_trump or (packed[0] & ~self._last).any():
            # Another deal: what is in the table may go.
            self._generation = (self._generation + 1) % ddtable.GENERATIONS
        self._last, self._last_trump = packed[0], trump
        table = np.zeros((1, SEATS - 1), dtype=np.uint64)
        table[0, : len(played)] = [1 << 2 * card for card in played]
        out = np.zeros((1, 3), dtype=np.int64)
        doubledummy.solve_deals(
            packed,
            np.array([trump]),
            np.array([leader]),
            table,
            np.array([len(played)]),
            np.array([[low, high, guess]]),
            self.heading,
            canonical_classes(),
            self._states,
            self._generation,
            out,
        )
        self.nodes += int(out[0, 1])
        return int(out[0, 0])

    def play(self, hands: Sequence[Hand], trump: Suit, leader: int) -> tuple[int, tuple[Card, ...]]:
        """Return the points of seats 0 and 2 when every seat plays by the policy, and the cards."""
        packed = np.array([[hand.packed for hand in hands]], dtype=np.uint64)
        out = np.zeros((1, 2), dtype=np.int64)
        trace = np.zeros((1, 48), dtype=np.uint8)
        play_deals(packed, np.array([trump]), np.array([leader]), self._rule_array, out, trace)
        cards = sum(len(hand) for hand in hands)
        return int(out[0, 0]), tuple(int(card) for card in trace[0, :cards])

    def judge(
        self, hands: Sequence[Hand], trump: Suit, leader: int, played: Sequence[Card] = ()
    ) -> int:
        """Return what `lite` expects seats 0 and 2 to take, in points."""
        packed = np.array([[hand.packed for hand in hands]], dtype=np.uint64)
        table = np.zeros((1, SEATS - 1), dtype=np.uint64)
        table[0, : len(played)] = [1 << 2 * card for card in played]
        value = lite_values(
            packed,
            np.array([trump]),
            np.array([leader]),
            table,
            np.array([len(played)]),
            self.heading,
            SOLVE_TRICKS,
        )
        return round(10 * int(value[0]) / COUNTER_UNITS)

    def _guess(
        self, hands: Sequence[Hand], trump: Suit, leader: int, played: Sequence[Card]
    ) -> int:
        """Return a first guess in counters: where the search begins."""
        if max(len(hand) for hand in hands) > EXACT_CARDS:
            return (self.judge(hands, trump, leader, played) + 5) // 10
        if played:
            return N_COUNTERS // 2
        return self.play(hands, trump, leader)[0] // 10 + 1


def solve_full_deals(deals: Array, guesses: Array, heading: int, states: Array) -> Array:
    """Return the exact counters of seats 0 and 2 in packed deals: trump in suit 0, seat 0 leads.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
    guesses : int64 array, shape (n_deals,)
        Where each search begins, in counters.
    heading : int
    states : uint64 array, shape (n_states, 2)
        Table of states of one heading rule, modified in place.

    Returns
    -------
    int64 array, shape (n_deals,)
    """
    count = len(deals)
    nothing = np.zeros(count, dtype=np.int64)
    windows = np.zeros((count, 3), dtype=np.int64)
    windows[:, 1] = N_COUNTERS
    windows[:, 2] = guesses
    out = np.zeros((count, 3), dtype=np.int64)
    tables = np.zeros((count, SEATS - 1), dtype=np.uint64)
    for row in range(count):
        one = slice(row, row + 1)
        doubledummy.solve_deals(
            deals[one],
            nothing[one],
            nothing[one],
            tables[one],
            nothing[one],
            windows[one],
            heading,
            canonical_classes(),
            states,
            row % ddtable.GENERATIONS,
            out[one],
        )
    return out[:, 0]


def check_position(hands: Sequence[Hand], trump: Suit, leader: int, played: Sequence[Card]) -> None:
    """Raise an error unless there is such a deal."""
    check_whole("trump", trump, 0, 3)
    check_whole("leader", leader, 0, SEATS - 1)
    check_deal(hands, played)
    check_sizes(hands, leader, len(played))


def table_bits_for(hands: Sequence[Hand]) -> int:
    """Return the table size that suits the number of cards in hand.

    >>> table_bits_for([Hand.parse("A.-.-.-")] * 4)
    16
    """
    n_cards = max(len(hand) for hand in hands)
    if n_cards >= _LARGE_FROM:
        return LARGE_TABLE_BITS
    return MIDDLE_TABLE_BITS if n_cards >= _MIDDLE_FROM else SMALL_TABLE_BITS


def table_bits_of_mb(megabytes: int) -> int:
    """Return the size of the largest table that fits into so many megabytes of 2**20 bytes.

    >>> table_bits_of_mb(64), table_bits_of_mb(100)
    (22, 22)
    """
    check_whole("table-mb", megabytes, MIN_TABLE_MB, MAX_TABLE_MB)
    return ((megabytes << 20) // ddtable.STATE_BYTES).bit_length() - 1
