"""What a rule of bidding is: limits and trumps of hands, and habits in the auction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.kernels import league as kernel
from advisor.rules_of_bidding.hands import Hands, at, best_suit

Array = np.ndarray[Any, Any]

# Of points: more than any limit.
NEVER: Final = 100_000


@dataclass(frozen=True, slots=True)
class Habits:
    """How a rule bids, beside its limits. Points are x10.

    The next step is bid as long as the limit, with what is added in the situation, reaches it.

    Parameters
    ----------
    opening : int
        Least limit of a hand that opens.
    third_opens : bool
        Whether the third seat opens whatever it holds after two passes.
    answer : int or None
        Limit that is enough for one step over an opening of the minimum by an opponent.
    partner_floor : int
        What a limit counts at least once partner has bid.
    partner_bids : int or None
        After so many bids of partner's it bids no more.
    partner_bid_adds : int
        Added to the limit once partner has bid.
    over_partner : int
        What the limit needs beyond the next bid to raise a partner who holds the bid.
    partner_alone : int
        The same, on top, once both opponents have passed; `NEVER` for a rule that leaves it then.
    first_bid : int
        Of the side: its amount, as far as the house lets it be so high; 0 for the next step.
    adds : tuple of int
        What is added to the limit in each situation of `advisor.kernels.league`; empty for none.
    """

    opening: int = 0
    third_opens: bool = False
    answer: int | None = None
    partner_floor: int = 0
    partner_bids: int | None = None
    partner_bid_adds: int = 0
    over_partner: int = 0
    partner_alone: int = NEVER
    first_bid: int = 0
    adds: tuple[int, ...] = ()

    def as_array(self) -> Array:
        """Return the int64 array that the kernel takes."""
        values = np.zeros(kernel.N_HABITS, dtype=np.int64)
        values[kernel.HABIT_OPENING] = self.opening
        values[kernel.HABIT_THIRD_OPENS] = self.third_opens
        values[kernel.HABIT_ANSWER] = NEVER if self.answer is None else self.answer
        values[kernel.HABIT_PARTNER_FLOOR] = self.partner_floor
        values[kernel.HABIT_PARTNER_BIDS] = (
            NEVER if self.partner_bids is None else self.partner_bids
        )
        values[kernel.HABIT_PARTNER_BID_ADDS] = self.partner_bid_adds
        values[kernel.HABIT_OVER_PARTNER] = self.over_partner
        values[kernel.HABIT_PARTNER_ALONE] = self.partner_alone
        values[kernel.HABIT_FIRST_BID] = self.first_bid
        values[kernel.HABIT_ADDS : kernel.HABIT_ADDS + len(self.adds)] = self.adds
        return values


# Most rules: the next step while the limit reaches it, not against a partner left alone.
LADDER: Final = Habits()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of bidding.

    Parameters
    ----------
    name : str
    look : callable
        From `Hands` to the limit of each hand in points, and the trump it would name: int64
        arrays, shape (n,).
    habits : Habits
    """

    name: str
    look: Callable[[Hands], tuple[Array, Array]]
    habits: Habits = LADDER


def look_by(values: Callable[[Hands], Array]) -> Callable[[Hands], tuple[Array, Array]]:
    """Return the look of a rule that bids the value of its best suit, rounded down.

    Parameters
    ----------
    values : callable
        From `Hands` to points by trump, shape (n, 4).
    """

    def look(hands: Hands) -> tuple[Array, Array]:
        found = values(hands)
        trumps = best_suit(found)
        return np.floor(at(found, trumps)).astype(np.int64), trumps

    return look
