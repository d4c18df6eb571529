"""Four open hands: the points that perfect play takes, which lead takes them, and the line.

The Python door to the exact solver. Points are x10; seats 0 and 2 are partners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from advisor.dealfile import SEATS
from advisor.engines import EXACT_CARDS
from advisor.errors import OptionError
from advisor.game.cards import (
    COUNTERS,
    N_CARD_TYPES,
    Card,
    Hand,
    Suit,
    rank_of,
)
from advisor.game.rules import Rules
from advisor.kernels.tricks import legal_after
from advisor.limits import check_engine
from advisor.solver import Solver, check_position, table_bits_for


@dataclass(frozen=True, slots=True)
class Solution:
    """What an engine makes of a deal; `exact` is perfect play by all four seats.

    Parameters
    ----------
    points, other_points : int
        Trick points of seats 0 and 2, and of seats 1 and 3, from the cards in hand and on the
        table; the last trick counts. `lite` judges to the point, the others count in tens; its
        points are those of the best of `leads` where these were asked for.
    leads : mapping of int to int
        Points of seats 0 and 2 after each card that may be played next; `policy` knows only the
        card that it plays.
    line : tuple of int
        One line of perfect play, card by card, or the policy's play, if it was asked for.
    nodes : int
        Positions searched.
    table_bytes : int
        Memory of the table of states.
    engine : str
    """

    points: int
    other_points: int
    leads: Mapping[Card, int]
    line: tuple[Card, ...]
    nodes: int
    table_bytes: int
    engine: str = "exact"

    def best_leads(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that are best for the side of the seat that plays next."""
        if not self.leads:
            return ()
        wanted = (max if seat % 2 == 0 else min)(self.leads.values())
        return tuple(card for card, points in self.leads.items() if points == wanted)


def _legal(hand: Hand, trump: Suit, played: Sequence[Card], heading: int) -> list[Card]:
    if not played:
        return sorted(set(hand), reverse=True)
    out = np.zeros(2, dtype=np.uint64)
    table = np.array([1 << 2 * card for card in played], dtype=np.uint64)
    legal_after(np.uint64(hand.packed), np.uint64(trump), table, heading, out)
    legal = int(out[0])
    return [card for card in reversed(range(N_CARD_TYPES)) if legal >> 2 * card & 1]


def _without(hand: Hand, card: Card) -> Hand:
    counts = list(hand.counts)
    counts[card] -= 1
    return Hand(tuple(counts))


def _trick_points(played: Sequence[Card]) -> int:
    return sum(10 for card in played if rank_of(card) in COUNTERS)


def _total(hands: Sequence[Hand], played: Sequence[Card]) -> int:
    """Return the points in play, the last trick among them; none without cards in hand."""
    left = [card for hand in hands for card in hand]
    return _trick_points([*played, *left]) + 10 if left else 0


def _play(
    hands: Sequence[Hand], trump: Suit, leader: int, played: Sequence[Card], card: Card
) -> tuple[int, list[Hand], int, list[Card]]:
    """Return points of seats 0 and 2 for a trick that a card completes, and the next position."""
    seat = (leader + len(played)) % SEATS
    left = [_without(hand, card) if i == seat else hand for i, hand in enumerate(hands)]
    table = [*played, card]
    if len(table) < SEATS:
        return 0, left, leader, table
    out = np.zeros(2, dtype=np.uint64)
    words = np.array([1 << 2 * one for one in table], dtype=np.uint64)
    legal_after(np.uint64(1), np.uint64(trump), words, 0, out)
    winner = (leader + int(out[1])) % SEATS
    won = _trick_points(table) + (0 if len(left[0]) else 10)
    return won if winner % 2 == 0 else 0, left, winner, []


def solve(
    hands: Sequence[Hand],
    trump: Suit,
    leader: int = 0,
    *,
    played: Sequence[Card] = (),
    rules: Rules | None = None,
    leads: bool = True,
    line: bool = False,
    solver: Solver | None = None,
    engine: str = "exact",
) -> Solution:
    """Solve four open hands exactly, or see what another engine says of them.

    Parameters
    ----------
    hands : sequence of Hand
        The four hands in seat order; seats 0 and 2 are partners. Any number of cards up to 12.
    trump : int
        Suit 0..3.
    leader : int, optional
        Seat that leads, or led the trick on the table.
    played : sequence of int, optional
        Cards on the table in the order played, out of their hands.
    rules : Rules, optional
        House rules; the heading rule matters.
    leads : bool, optional
        Whether to value every card that may be played next.
    line : bool, optional
        Whether to find a line of perfect play.
    solver : Solver, optional
        To keep the table of states between deals.
    engine : str, optional
        ``exact``; ``lite``, which is exact where no seat holds more than six cards; or
        ``policy``, which plays from the start of a trick. Raw values, without a correction.

    Returns
    -------
    Solution

    Raises
    ------
    HandError, OptionError
        If the hands are not of one deal, or an argument is out of range.

    >>> hands = [Hand.parse(t) for t in ("A.A.-.-", "T.T.-.-", "K.K.-.-", "Q.Q.-.-")]
    >>> solution = solve(hands, 0, leader=1)
    >>> solution.points, solution.other_points
    (70, 0)
    """
    check_position(hands, trump, leader, played)
    check_engine(engine)
    if solver is None:
        solver = Solver(rules, table_bits_for(hands))
    if engine == "policy":
        return _played(solver, hands, trump, leader, played, line)
    if engine == "lite":
        if line:
            raise OptionError("line: expected the engine exact or policy, found lite")
        if max(len(hand) for hand in hands) > EXACT_CARDS:
            return _judged(solver, hands, trump, leader, played, leads)
    before = solver.nodes
    points = solver.points_unchecked(hands, trump, leader, played)
    total = _total(hands, played)
    values: dict[Card, int] = {}
    seat = (leader + len(played)) % SEATS
    if leads:
        for card in _legal(hands[seat], trump, played, solver.heading):
            won, left, first, table = _play(hands, trump, leader, played, card)
            # The best leads keep the value of the deal, so it is a good guess.
            values[card] = won + solver.points_unchecked(left, trump, first, table, points - won)
    return Solution(
        points=points,
        other_points=total - points,
        leads=MappingProxyType(values),
        line=tuple(_line(solver, hands, trump, leader, played, points)) if line else (),
        nodes=solver.nodes - before,
        table_bytes=solver.table_bytes,
        engine=engine,
    )


def _played(
    solver: Solver,
    hands: Sequence[Hand],
    trump: Suit,
    leader: int,
    played: Sequence[Card],
    line: bool,
) -> Solution:
    """Return what the policy takes, every seat playing by rule."""
    if played:
        raise OptionError("engine: expected exact or lite within a trick, found policy")
    points, cards = solver.play(hands, trump, leader)
    total = _total(hands, played)
    first = {cards[0]: points} if cards else {}
    return Solution(
        points=points,
        other_points=total - points,
        leads=MappingProxyType(first),
        line=cards if line else (),
        nodes=0,
        table_bytes=0,
        engine="policy",
    )


def _judged(
    solver: Solver,
    hands: Sequence[Hand],
    trump: Suit,
    leader: int,
    played: Sequence[Card],
    leads: bool,
) -> Solution:
    """Return what `lite` thinks of a deal.

    The search of the deal looks at the sensible leads alone. Where every lead is valued, the points
    are those of the best: a screen on which these two differ would contradict itself.
    """
    values: dict[Card, int] = {}
    seat = (leader + len(played)) % SEATS
    if leads:
        for card in _legal(hands[seat], trump, played, solver.heading):
            won, left, first, table = _play(hands, trump, leader, played, card)
            values[card] = won + solver.judge(left, trump, first, table)
        points = (max if seat % 2 == 0 else min)(values.values())
    else:
        points = solver.judge(hands, trump, leader, played)
    return Solution(
        points=points,
        other_points=_total(hands, played) - points,
        leads=MappingProxyType(values),
        line=(),
        nodes=0,
        table_bytes=0,
        engine="lite",
    )


def _line(
    solver: Solver,
    hands: Sequence[Hand],
    trump: Suit,
    leader: int,
    played: Sequence[Card],
    points: int,
) -> list[Card]:
    """Return cards that keep the value, each seat's best, to the end."""
    line: list[Card] = []
    now, table = list(hands), list(played)
    while any(len(hand) for hand in now):
        seat = (leader + len(table)) % SEATS
        for card in _legal(now[seat], trump, table, solver.heading):
            won, left, first, laid = _play(now, trump, leader, table, card)
            rest = solver.points_unchecked(left, trump, first, laid, points - won)
            if won + rest == points:
                break
        now, leader, table, points = left, first, laid, rest
        line.append(card)
    return line
