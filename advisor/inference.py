"""What the calls so far tell of the hands behind them, as figures.

Nothing is typed in: the means are those of the deals that fit the calls, beside those of all deals
that fit our own hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.bidding import LEAST_EXPLAINED, Seating
from advisor.game.auction import Auction, Call
from advisor.game.conventions import QUANTITIES, Convention
from advisor.game.meanings import Meaning
from advisor.game.position import Position, Relation, meanings_of, relation
from advisor.kernels import signals
from advisor.pricing import Estimate, estimate

Array = np.ndarray[Any, Any]

# Shown of every seat that has called; what a convention's jump shows comes first.
_ALWAYS: Final = ("meld", "aces", "value")


@dataclass(frozen=True, slots=True)
class Figure:
    """One quantity of a hidden hand: its mean given the calls, and among all deals.

    `shows` is a name of `advisor.game.conventions.QUANTITIES`; `value` is in points x10.
    """

    shows: str
    mean: Estimate
    usual: Estimate


@dataclass(frozen=True, slots=True)
class Inference:
    """What one seat's calls were taken to mean: its last bid, and its pass after that if any.

    Parameters
    ----------
    seat : int
        1 to 4.
    who : str
        ``left``, ``partner`` or ``right``.
    calls : tuple of Call
    agreed : str
        What the convention says the call shows; empty where it says nothing.
    explained : float
        Of the hands that may have called so, the share that does by the rule; the others belong
        to players who bid by other lights.
    figures : tuple of Figure
        The quantity agreed on first.
    """

    seat: int
    who: Relation
    calls: tuple[Call, ...]
    agreed: str
    explained: float
    figures: tuple[Figure, ...]

    @property
    def is_odd(self) -> bool:
        """Whether hardly any hand would call so, so that the calls tell next to nothing."""
        return self.explained < LEAST_EXPLAINED


def read_calls(
    position: Position,
    convention: Convention,
    rules_values: Array,
    seating: Seating,
    kept: Array,
    every: Array,
    explained: dict[int, float],
    scale: int,
) -> tuple[Inference, ...]:
    """Return what each of the other seats' calls tell.

    Parameters
    ----------
    position : Position
    convention : Convention
        Our side's.
    rules_values : int64 array
        From `playing.rule_array`.
    seating : Seating
    kept, every : uint64 arrays, shape (n_rounds, 4)
        Hands of deals that fit the calls, and of all deals, ours first.
    explained : dict of int to float
        By seat, from `PositionDeals`.
    scale : int
        Of the points in the text of what was agreed.
    """
    found = []
    auction = position.auction
    for place in range(1, 4):
        seat = (position.seat - 1 + place) % 4 + 1
        calls = tuple(
            call for call, by in zip(auction.calls, auction.seats, strict=True) if by == seat
        )
        if not calls:
            continue
        agreed = ""
        names = list(_ALWAYS)
        if relation(seat, position.seat) == "partner":
            shown = _agreed(convention, auction, seat)
            agreed = " or ".join(meaning.words(scale) for meaning in shown)
            first = [meaning.shows for meaning in shown if meaning.is_computed][:1]
            names = first + [name for name in names if name not in first]
        figures = tuple(
            Figure(
                name,
                _mean(kept[:, place], name, rules_values, seating),
                _mean(every[:, place], name, rules_values, seating),
            )
            for name in names
        )
        who = relation(seat, position.seat)
        found.append(Inference(seat, who, calls, agreed, explained[seat], figures))
    return tuple(found)


def _agreed(convention: Convention, auction: Auction, seat: int) -> tuple[Meaning, ...]:
    """Return what the first of a seat's calls shows that shows anything."""
    for i, (call, by) in enumerate(zip(auction.calls, auction.seats, strict=True)):
        if by == seat:
            shown = meanings_of(convention, Auction(auction.rules, auction.calls[:i]), call)
            if shown:
                return shown
    return ()


def _mean(hands: Array, shows: str, rules_values: Array, seating: Seating) -> Estimate:
    words = np.ascontiguousarray(hands)
    out = np.zeros(len(words), dtype=np.int64)
    signals.quantities(words, list(QUANTITIES).index(shows), rules_values, seating.weights, out)
    whole = len(out) // 3 * 3
    return estimate(out[:whole].reshape(-1, 3))
