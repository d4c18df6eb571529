"""Where the score of the game speaks for another call than points do: one sentence that says so."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder
from advisor.report.decision import call_text, score_words
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.advice import BidAdvice
    from advisor.decision import Option
    from advisor.pricing import Estimate

# Who gets the hand is told where it differs by so much.
_TELLING: Final = 0.05
# A limit that differs by one step of the bidding is the same for most purposes.
_LEAST_STEPS: Final = 2


def points_alone(advice: BidAdvice, look: Look) -> list[str]:
    """Return why the advice is not what points speak for, in a sentence; mostly nothing.

    With a score the call and how far to go are chosen by the chance to win the game. Compared are
    the worth of the calls in points, and taking the hand with letting it go, also in points.
    """
    decision = advice.decision
    if decision.score is None or decision.has_it_anyway or not advice.suggestion.may_name:
        return []
    return _other_call(advice, look) or _other_limit(advice, look)


def _clearly(lead: float, first: Estimate, second: Estimate) -> bool:
    """Return whether a difference in points is beyond its error, as if the deals were others."""
    from advisor.decision import LEAST_GAIN
    from advisor.pricing import TIE_WITHIN

    return lead >= LEAST_GAIN and lead > TIE_WITHIN * math.hypot(first.se, second.se)


def _other_call(advice: BidAdvice, look: Look) -> list[str]:
    chosen = advice.decision.chosen
    best = max(advice.decision.options, key=lambda option: option.value.mean)
    if best is chosen or not _clearly(
        best.value.mean - chosen.value.mean, best.value, chosen.value
    ):
        return []
    said, other = call_text(chosen, look), call_text(best, look)
    does = other if best.call.is_pass else f"call {other}"
    return [
        f"By points alone {does}, worth {look.worth(best.value)} against "
        f"{look.worth(chosen.value)} for {said}; at {score_words(advice, look)} the game is what "
        f"counts: {_who_gets_it(chosen, best, said, other)}{_games(chosen, best, look)}."
    ]


def _games(chosen: Option, other: Option, look: Look) -> str:
    """Return the chances to win of two calls, the one chosen first."""
    assert chosen.win is not None
    assert other.win is not None
    text = (
        f"{call_text(chosen, look)} wins {look.games(chosen.win)} of games, "
        f"{call_text(other, look)} {look.games(other.win)}"
    )
    return text + (", too little to matter" if chosen.win.mean < other.win.mean else "")


def _who_gets_it(chosen: Option, best: Option, said: str, other: str) -> str:
    if abs(chosen.theirs - best.theirs) < _TELLING:
        return ""
    return (
        f"after {said} they get the hand in {100 * chosen.theirs:.0f}% of deals, after {other} in "
        f"{100 * best.theirs:.0f}%, and "
    )


def _other_limit(advice: BidAdvice, look: Look) -> list[str]:
    bid, take, defend = advice.suggestion.bid, advice.best.take, advice.decision.defend
    standing = advice.decision.position.auction.high_bid or 0
    ladder = [step for step in bid_ladder(advice.rules, max(take)) if step > standing]
    if not ladder or ladder[0] not in take or not defend:
        return []
    steps = [
        (below, step)
        for below, step in pairwise(ladder)
        if step in take and below in defend and not math.isnan(defend[below].mean)
    ]
    # The lowest bid is compared with a pass: by the call, where one is advised.
    limit = ladder[0]
    for below, step in steps:
        if take[step].mean < defend[below].mean:
            break
        limit = step
    if bid is None:
        return _rather_bid(advice, limit, take[ladder[0]], ladder[0], look)
    if bid not in ladder or abs(ladder.index(limit) - ladder.index(bid)) < _LEAST_STEPS:
        return []
    # The last step taken that points speak against, or the first left out that they speak for.
    asked = next(
        (pair for pair in steps if (pair[1] == bid if limit < bid else pair[0] == bid)), None
    )
    if asked is None:
        return []
    below, step = asked
    lead = take[step].mean - defend[below].mean
    if not _clearly(-lead if limit < bid else lead, take[step], defend[below]):
        return []
    return [
        f"By points alone go up to about {look.points(limit)}: taking it at "
        f"{look.points(step)} is worth {look.worth(take[step])}, letting it go at "
        f"{look.points(below)} {look.worth(defend[below])}; at {score_words(advice, look)} the "
        f"game is what counts, and {look.points(bid)} is the limit."
    ]


def _rather_bid(
    advice: BidAdvice, limit: int, worth: Estimate, lowest: int, look: Look
) -> list[str]:
    """Return why the hand passes that points would bid on."""
    decision = advice.decision
    chosen = decision.chosen
    bids = [option for option in decision.options if not option.call.is_pass]
    # Of a limit below the bids at which others get it hardly anything comes.
    if limit < chosen.contract:
        return []
    if not bids or not _clearly(worth.mean - chosen.value.mean, worth, chosen.value):
        return []
    return [
        f"By points alone bid, up to about {look.points(limit)}: taking it at "
        f"{look.points(lowest)} is worth {look.worth(worth)}, passing "
        f"{look.worth(chosen.value)}; at {score_words(advice, look)} the game is what counts: "
        f"{_games(chosen, bids[0], look)}."
    ]
