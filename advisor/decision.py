"""The call: what each legal call is worth in this auction, the other seats and play included.

The auction is bid out at every sampled deal, the others following the standard style and we a
plan; the side that declares, at the bid it got, scores what its round gives (`contracts`).
Differences between calls are paired.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.bidding import kind_and_amount
from advisor.contracts import LEFT, PARTNER, RIGHT, WIN_UNITS, Table
from advisor.game.auction import PASS_WITH_HELP, Call
from advisor.game.cards import Suit
from advisor.game.position import Position, meanings_of
from advisor.pricing import TIE_WITHIN, Estimate, Pricing, estimate

Array = np.ndarray[Any, Any]

# A call that says more, or goes higher, has to gain this much over a plainer one: in points, and
# in chances to win the game.
LEAST_GAIN: Final = 5.0
LEAST_WIN_GAIN: Final = 0.002
# Of the jumps that rules without a limit allow.
MOST_JUMPS: Final = 8
_PLAINEST: Final = ("pass", "pass_with_help", "raise", "jump")


@dataclass(frozen=True, slots=True)
class Option:
    """What one call is worth, and what comes of it.

    Parameters
    ----------
    action : str
        ``pass``, ``pass_with_help``, ``raise`` or ``jump``.
    call : Call
    over_partner : bool
        Whether, after this call, a bid of partner's is raised.
    value : Estimate
        Our score less theirs, in points, once the auction has ended and the hand is played.
    win : Estimate or None
        Chance to win the game, where the score is known.
    behind : Estimate
        Paired difference from the best option, in points, or in chances where the score is known.
    ours, partners, theirs : float
        How often we, partner and the other side get the contract.
    contract, our_contract : float
        The bid that wins, on average, and where it is ours; 0 where all pass for a new deal, and
        where it never is.
    shows : bool
        Whether partner reads something from the call by the convention in force.
    """

    action: str
    call: Call
    over_partner: bool
    value: Estimate
    win: Estimate | None
    behind: Estimate
    ours: float
    partners: float
    theirs: float
    contract: float
    our_contract: float
    shows: bool = False

    @property
    def tied(self) -> bool:
        """Whether it is too close to the best option to call."""
        return not abs(self.behind.mean) > TIE_WITHIN * self.behind.se


@dataclass(frozen=True, slots=True)
class Decision:
    """The next call: options from the highest value down, and the values behind them.

    The call chosen is the plainest of those that are too close to the highest value to tell, or
    so near to it that it does not matter: pass before a bid, a bid before a jump. A jump that
    shows nothing has to be clearly so far ahead of a lower bid that it matters. A dealer who has
    the hand anyway bids.

    Parameters
    ----------
    position : Position
    score : tuple of int or None
        Points of our side and theirs before the round.
    options : tuple of Option
    defend : dict of int to Estimate
        By bid: our score less theirs where the opponent who would declares at that bid.
    """

    position: Position
    score: tuple[int, int] | None
    options: tuple[Option, ...]
    defend: dict[int, Estimate]

    @property
    def chosen(self) -> Option:
        """The call advised."""
        near = [item for item in self.options if self._is_near(item)]
        if self.has_it_anyway:
            passing = next(item for item in self.options if item.action == "pass")
            same = [item for item in near if item.action == "raise" and item.value == passing.value]
            near = same or near
        return min(near, key=lambda item: (_PLAINEST.index(item.action), item.call.bid or 0))

    @property
    def least_gain(self) -> float:
        """What matters, in the unit of `Option.behind`."""
        return LEAST_GAIN if self.score is None else LEAST_WIN_GAIN

    def _is_near(self, item: Option) -> bool:
        """Return whether the best option is not to be preferred to a plainer one."""
        # A single deal, whose errors are unknown, makes nothing near.
        lead, error = item.behind.mean, TIE_WITHIN * item.behind.se
        best = self.options[0]
        if best.action == "jump" and not best.shows and not item.call.is_pass:
            # One hand in thirty would otherwise jump under one seed and not under the next.
            return lead < self.least_gain or lead - error < self.least_gain
        return lead < self.least_gain or lead <= error

    @property
    def has_it_anyway(self) -> bool:
        """Whether we get the hand even if we pass: a dealer after three passes."""
        return all(item.ours == 1.0 for item in self.options if item.action == "pass")

    @property
    def gains_little(self) -> Option | None:
        """The option of highest value where a plainer one is chosen because it gains too little."""
        best = self.options[0]
        return best if best is not self.chosen and not self.chosen.tied else None

    @property
    def likely_bid(self) -> int | None:
        """The bid, rounded down to tens, at which we get the hand on average if we bid on."""
        bids = [item for item in self.options if item.our_contract]
        if not bids:
            return None
        chosen = self.chosen if self.chosen in bids else bids[0]
        return int(chosen.our_contract) // 10 * 10

    @property
    def close(self) -> tuple[Option, ...]:
        """The calls of another kind, bid or pass, that are too close to the one chosen to tell."""
        chosen = self.chosen
        if self.has_it_anyway:
            return ()
        if chosen is self.options[0]:
            return tuple(
                item
                for item in self.options
                if item.tied and item.call.is_pass != chosen.call.is_pass
            )
        best = self.options[0]
        return (best,) if best.call.is_pass != chosen.call.is_pass and chosen.tied else ()


def decide(
    table: Table,
    ours: dict[Suit, Pricing],
    may_bid: bool,
    ceiling: int | None,
    bids: list[int],
    priced: bool = True,
) -> Decision:
    """Return the worth of every call.

    Parameters
    ----------
    table : Table
    ours : dict of int to Pricing
        Our contracts by trump, on all deals.
    may_bid : bool
        False for a hand that may name no trump; a dealer who is left with it names one anyway.
    ceiling : int or None
        How far we go on bidding.
    bids : list of int
        Up to the highest that is looked at.
    priced : bool
        Whether defending is priced at each of them.
    """
    auction = table.position.auction
    plans: list[tuple[int, int, int, int]] = []
    calls: list[Call] = []
    jumps = 0
    for call in auction.legal_calls(cap=bids[-1] if bids else 0):
        if call == PASS_WITH_HELP and table.rules.pass_with_help != "advise":
            continue
        if call.bid is not None and (not may_bid or (call.jump and jumps >= MOST_JUMPS)):
            continue
        if not table.is_honest(call):
            continue
        jumps += call.jump
        for over in (0, 1) if call.bid is not None else (0,):
            calls.append(call)
            plans.append((*kind_and_amount(call), max(ceiling or 0, call.bid or 0), over))
    declarers, contracts = table.bid_out(plans)
    values = [table.worth_of(declarers[:, i], contracts[:, i], ours) for i in range(len(plans))]
    # The two ways to go on after a bid are one option: the better.
    options: dict[Call, int] = {}
    for i, call in enumerate(calls):
        if call not in options or values[i].sum() > values[options[call]].sum():
            options[call] = i
    order = sorted(options.values(), key=lambda i: -int(values[i].sum()))
    top = order[0]
    known = table.worth.score is not None
    found = []
    for i in order:
        points = values[i]
        got = declarers[:, i]
        # A new deal, then we, the opponent on our left, partner, the one on our right.
        counts, n = np.bincount(got + 1, minlength=5), len(got)
        if known:
            points = table.worth_of(declarers[:, i], contracts[:, i], ours, points=True)
        found.append(
            Option(
                action=_action(calls[i]),
                call=calls[i],
                over_partner=bool(plans[i][3]),
                value=estimate(points),
                win=_chances(values[i]) if known else None,
                behind=(
                    Estimate(0.0, 0.0)
                    if i == top
                    else _scaled(estimate(values[top] - values[i]), known)
                ),
                ours=int(counts[1]) / n,
                partners=int(counts[1 + PARTNER]) / n,
                theirs=int(counts[1 + LEFT] + counts[1 + RIGHT]) / n,
                contract=_mean_of(np.where(got >= 0, contracts[:, i], 0)),
                our_contract=_mean_of(contracts[got == 0, i]),
                shows=bool(meanings_of(table.seating.convention, auction, calls[i])),
            )
        )
    return Decision(
        position=table.position,
        score=table.worth.score,
        options=tuple(found),
        defend=table.defending(bids) if priced else {},
    )


def _mean_of(values: Array) -> float:
    return int(values.sum()) / values.size if values.size else 0.0


def _action(call: Call) -> str:
    if call.bid is None:
        return "pass_with_help" if call.with_help else "pass"
    return "jump" if call.jump else "raise"


def _chances(values: Array) -> Estimate:
    return _scaled(estimate(values), True)


def _scaled(value: Estimate, chances: bool) -> Estimate:
    if not chances:
        return value
    return Estimate(value.mean / WIN_UNITS, value.se / WIN_UNITS)
