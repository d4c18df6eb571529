"""The last lines of the screen of ``advisor bid``: what to do, how sure that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder
from advisor.game.cards import SUIT_NAMES
from advisor.report.decision import call_text, chance, close_lines, tie_lines
from advisor.report.frame import bold, paragraph
from advisor.report.look import Look, counted
from advisor.report.points_alone import points_alone

if TYPE_CHECKING:
    from advisor.advice import BidAdvice

_HALF: Final = 0.5
# A bid made less often than this asks for a word of caution.
_FEW: Final = 0.45


def answer(advice: BidAdvice, look: Look) -> list[str]:
    """Return what to do, how sure that is, and what is too close to call."""
    said = advice.suggestion
    best = advice.best
    name = f"{look.suit(said.trump)}" if look.symbols else SUIT_NAMES[said.trump]
    lines = _doubts(advice, look)
    if said.bid is not None and said.suggested is not None:
        named = (("Safe", said.safe), ("standard", said.standard), ("suggested", said.suggested))
        parts = [
            f"{word} none"
            if bid is None
            else f"{word} {look.points(bid)} ({chance(best, bid, look)})"
            for word, bid in named
        ]
        lines += paragraph(f"{', '.join(parts)}: in brackets the share of rounds made.", look)
    if said.lower is not None:
        lines += paragraph(_lower(advice, look), look)
    lines += [line for text in points_alone(advice, look) for line in paragraph(text, look)]
    if said.bid is None:
        if said.forced is not None and not advice.decision.position.auction.calls:
            lines += paragraph(
                f"A dealer who must take it at {look.points(said.forced.bid)} names "
                f"{look.suit(said.forced.trump)}: made in "
                f"{look.share_with_error(said.forced.p_make, best.samples)} of rounds.",
                look,
            )
        text = _pass(advice, name, look)
    else:
        lines += [line for text in cautions(advice, look) for line in paragraph(text, look)]
        text = _bid(advice, name, look)
    return lines + [bold(line, look) for line in paragraph(text, look)]


def remarks(advice: BidAdvice, look: Look) -> list[str]:
    """Return what the call must not be read without, in sentences; often nothing."""
    return [*points_alone(advice, look), *cautions(advice, look)]


def cautions(advice: BidAdvice, look: Look) -> list[str]:
    """Return what speaks against going as high as is advised, in sentences; often nothing.

    A bid that is clearly made in less than about half of the rounds pays because of what others
    would do otherwise, which nobody knows so well as what the own hand makes.
    """
    # With numpy; what writes JSON of melds imports this file too.
    from advisor.pricing import TIE_WITHIN

    said, best = advice.suggestion, advice.best
    if said.bid is None or advice.decision.has_it_anyway:
        return []
    made = best.p_make.get(said.bid)
    # A single deal, whose error is unknown, is no reason for caution.
    if made is not None and not made.mean + TIE_WITHIN * made.se < _FEW:
        return []
    ladder = [bid for bid in bid_ladder(advice.rules, said.bid) if bid in best.p_make]
    half = [bid for bid in ladder if best.p_make[bid].mean >= _HALF]
    others = "the opponents go" if advice.decision.defend else "partner goes"
    return [
        f"Caution: {look.points(said.bid)} is made in only {chance(best, said.bid, look)} of "
        f"rounds. Going so high pays only where {others} on as the simulated bidders do; "
        + (
            f"the highest bid made in half of the rounds is {look.points(half[-1])}."
            if half
            else "no bid is made in half of the rounds."
        )
    ]


def _lower(advice: BidAdvice, look: Look) -> str:
    lower = advice.suggestion.lower
    assert lower is not None
    other = next(item for item in advice.trumps if item.trump == lower.trump)
    return (
        f"At {look.points(lower.bid)} {look.suit(lower.trump)} is the better trump, by "
        f"{look.estimate(lower.lead)}: made in {chance(other, lower.bid, look)} of rounds, "
        f"{look.suit(advice.suggestion.trump)} in {chance(advice.best, lower.bid, look)}."
    )


def _pass(advice: BidAdvice, name: str, look: Look) -> str:
    deals = counted(advice.samples, "deal")
    if not advice.suggestion.may_name:
        return (
            "Pass. These rules let only a suit with king and queen be trump, and the hand has "
            f"none ({deals})."
        )
    best, decision = advice.best, advice.decision
    if decision.has_it_anyway:
        return (
            f"Pass: you have the hand at {look.points(advice.rules.forced_bid)} anyway. Name "
            f"{name}; that is worth {look.worth(decision.chosen.value)} ({deals})."
        )
    bids = [option for option in decision.options if option.call.bid is not None]
    if not bids:
        return f"Pass. No bid in reach is made often enough ({deals})."
    least = min(bids, key=lambda option: option.call.bid or 0)
    lowest = least.call.bid or 0
    worth = f"worth {look.worth(least.value)} points, ours less theirs"
    return (
        f"{_first_word(decision.chosen.action)}. The best trump is {name}: {look.points(lowest)} "
        f"is made in {chance(best, lowest, look, error=True)} of rounds. Bidding it is {worth}, "
        f"letting it go {look.worth(decision.chosen.value)} ({deals})."
    )


def _first_word(action: str) -> str:
    return "Pass with help" if action == "pass_with_help" else "Pass"


def _bid(advice: BidAdvice, name: str, look: Look) -> str:
    said, chosen = advice.suggestion, advice.decision.chosen
    assert said.bid is not None
    assert chosen.call.bid is not None
    made = chance(advice.best, said.bid, look, error=True)
    deals = counted(advice.samples, "deal")
    up_to = f"up to {look.points(said.bid)} with {name} as trump, made in {made} of rounds"
    if not is_asked(advice):
        return f"Bid {up_to}{_against(advice, look)} ({deals})."
    if advice.decision.has_it_anyway:
        anyway = advice.rules.forced_bid
        return (
            f"You have the hand at {look.points(anyway)} whatever you call. Name {name}: "
            f"{look.points(anyway)} is made in {chance(advice.best, anyway, look, error=True)} of "
            f"rounds, worth {look.worth(chosen.value)} ({deals})."
        )
    passing = next(o for o in advice.decision.options if o.action == "pass")
    if advice.decision.score is None:
        gain = f"{look.worth(chosen.value)} points against {look.worth(passing.value)}"
    else:
        assert chosen.win is not None
        assert passing.win is not None
        gain = f"{look.games(chosen.win)} of games against {look.games(passing.win)}"
    return f"Call {call_text(chosen, look)}: {gain} for passing. Go {up_to} ({deals})."


def _against(advice: BidAdvice, look: Look) -> str:
    """Return what the highest bid is worth, and what letting the hand go a step below is."""
    bid = advice.suggestion.bid
    assert bid is not None
    below = [lower for lower in bid_ladder(advice.rules, bid) if lower < bid]
    take = advice.best.take.get(bid)
    defend = advice.decision.defend.get(below[-1]) if below else None
    if take is None or defend is None:
        return ""
    return (
        f": worth {look.worth(take)}, against {look.worth(defend)} if an "
        f"opponent gets it at {look.points(below[-1])}"
    )


def is_asked(advice: BidAdvice) -> bool:
    """Return whether the question says more than the hand: a seat, calls, the score."""
    decision = advice.decision
    return bool(
        decision.position.auction.calls
        or decision.position.seat != 1
        or decision.score is not None
        or advice.auctioned.convention.name != "none"
    )


def _doubts(advice: BidAdvice, look: Look) -> list[str]:
    """Return a line for each choice that the deals do not settle."""
    said, best = advice.suggestion, advice.best
    if math.isnan(best.score.se):
        return paragraph("One deal has no standard error: nothing is settled.", look)
    doubts = [
        f"Trump is too close to call: {look.suit(said.trump)} is ahead of "
        f"{look.suit(item.trump)} by {look.estimate(item.behind)} at {look.points(said.at)}."
        for item in advice.trumps
        if item.trump != said.trump and item.tied
    ]
    doubts += close_lines(advice, look)
    if is_asked(advice):
        doubts += tie_lines(advice, look)
    if not doubts and not said.settled:
        doubts.append(
            f"The score is known to {look.plus_minus} {look.error(best.score.se)}, less well "
            "than was asked; trump and call are clear."
        )
    return [line for doubt in doubts for line in paragraph(doubt, look)]
