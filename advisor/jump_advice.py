"""What the calls of one hand are worth under each convention: pass, help, next bid, jump."""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final

from advisor.advice import BidAdvice
from advisor.advise import advise
from advisor.decision import Decision, Option
from advisor.game.auction import next_bids
from advisor.game.cards import Hand
from advisor.game.conventions import PRESETS, Convention
from advisor.game.rules import Rules

HAND_DEALS: Final = 1000


@dataclass(frozen=True, slots=True)
class UnderConvention:
    """What the calls are worth under one convention.

    Parameters
    ----------
    convention : Convention
        As far as the rules let it occur.
    decision : Decision
        Has only calls that the hand may make as agreed.
    jump : int
        The bid that a jump of two steps makes.
    """

    convention: Convention
    decision: Decision
    jump: int

    def option(self, action: str) -> Option | None:
        """Return the call of a kind: ``pass``, ``pass_with_help``, ``raise`` or ``jump``.

        None where there is no such call, or the hand is not what it would show.
        """
        for option in self.decision.options:
            if option.action == action and (action != "jump" or option.call.bid == self.jump):
                return option
        return None

    @property
    def best(self) -> tuple[Option, ...]:
        """The call worth most, and those too close to it to tell."""
        return tuple(
            option
            for number, option in enumerate(self.decision.options)
            if number == 0 or option.tied
        )


@dataclass(frozen=True, slots=True)
class HandCalls:
    """What the calls of a hand are worth under each convention.

    Parameters
    ----------
    advice : BidAdvice
        Under the first convention.
    conventions : tuple of UnderConvention
    """

    advice: BidAdvice
    conventions: tuple[UnderConvention, ...]


def calls_of_hand(
    hand: Hand,
    *,
    rules: Rules | None = None,
    auction: str | None = None,
    score: tuple[int, int] | None = None,
    samples: int = HAND_DEALS,
    seed: int = 0,
    engine: str | None = None,
    raw: bool = False,
    executor: Executor | None = None,
) -> HandCalls:
    """Return what the calls of a hand are worth under each preset convention.

    A pass with help is priced wherever it is a legal call, also where the rules would not have it
    advised. Parameters are those of `advise`.

    Raises
    ------
    HandError, OptionError, AuctionError
        As `advise`.

    >>> found = calls_of_hand(Hand.parse("AATKQJ.AK.QJ.T9"), samples=64)
    >>> [item.convention.name for item in found.conventions][:2]
    ['none', 'meld-jump']
    """
    house = Rules() if rules is None else rules
    if house.pass_with_help == "accept":
        house = house.replace(pass_with_help="advise")
    found: dict[Convention, BidAdvice] = {}
    rows = []
    for convention in PRESETS.values():
        usable = convention.usable(house)
        # Many agree on nothing that these rules let occur.
        bare = dataclasses.replace(usable, name="any", about="", source="")
        if bare not in found:
            found[bare] = advise(
                hand,
                rules=house,
                samples=samples,
                seed=seed,
                engine=engine,
                raw=raw,
                auction=auction,
                score=score,
                convention=usable,
                executor=executor,
            )
        decision = found[bare].decision
        ladder = next_bids(house, decision.position.auction.high_bid)
        rows.append(UnderConvention(usable, decision, ladder[1] if len(ladder) > 1 else 0))
    first = next(iter(found.values()))
    if rules is not None:
        first = dataclasses.replace(first, rules=rules)
    return HandCalls(first, tuple(rows))
