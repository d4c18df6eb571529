"""Where the points come from: the part of the screen that ``--explain`` adds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from advisor.game.auction import next_bids
from advisor.game.cards import SUITS
from advisor.report.decision import chance
from advisor.report.frame import labelled, meld_text, paragraph, table
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.advice import BidAdvice
    from advisor.explain import CardChance, Explanation, MeldChance

LABEL: Final = 18
_WORTH: Final = "Worth: our score less theirs when we declare at the bid"
_DEFENDED: Final = (
    f"{_WORTH}; defending: when an opponent who would does. The ceiling is the last bid worth more "
    "than defending a step below."
)
MOST_CARDS: Final = 8
LEAST_CHANGE: Final = 0.01


def why(advice: BidAdvice, look: Look) -> list[str]:
    """Return the explanation of the advised trump as lines."""
    told = advice.explanation
    title = (
        f"Why {look.suit(told.trump)}: points a round, {look.plus_minus} one standard error; "
        "% of rounds."
    )
    lines = [title]
    for label, text in why_rows(advice, look):
        lines += labelled(label, text, look, LABEL)
    return [*lines, "", *_bids(advice, look)]


def why_rows(advice: BidAdvice, look: Look) -> list[tuple[str, str]]:
    """Return the parts of the explanation, each with its label."""
    told = advice.explanation
    rows = [
        ("Meld now", f"{look.points(told.meld.total)} for sure: {meld_text(told.meld, look)}"),
        *_exchange(advice, look),
        ("Your meld", _own_meld(advice, look)),
        ("Partner's meld", look.estimate(told.partner_meld)),
        ("Opponents' meld", f"{look.estimate(told.their_meld)}, both together"),
        ("Tricks", _tricks(advice, look)),
        ("Points lost", _lost(told, look)),
    ]
    cost = _cost_of_a_set(advice, look)
    if cost:
        rows.append(("If set", cost))
    return rows


def _own_meld(advice: BidAdvice, look: Look) -> str:
    value = advice.explanation.declarer_meld
    if not advice.rules.pass_cards:
        return look.estimate(value)
    gain = type(value)(value.mean - advice.explanation.meld.total, value.se)
    return f"{look.estimate(value)} after the exchange: {look.worth(gain)}"


def _exchange(advice: BidAdvice, look: Look) -> list[tuple[str, str]]:
    told = advice.explanation
    if not advice.rules.pass_cards:
        return []
    missing = " ".join(look.card(card) for card in told.missing)
    rows = [("Run needs", missing or "nothing: it is complete")]
    rows.append(("Pass brings", _cards(told.received, look)))
    rows.append(("It completes", _melds(told.chances)))
    rows.append(("You give back", _cards(told.returned, look)))
    trumps = f"{told.trumps_before} now, {told.trumps_after:.1f} after the exchange"
    return [*rows, ("Trumps", trumps)]


def _cards(chances: Iterable[CardChance], look: Look) -> str:
    shown = list(chances)[:MOST_CARDS]
    return ", ".join(f"{look.card(c.card)} {percent(c.share)}" for c in shown) or "nothing much"


def _melds(chances: Iterable[MeldChance]) -> str:
    changed = [c for c in chances if abs(c.after - c.before) >= LEAST_CHANGE]
    new = [f"{c.name} {percent(c.after)}" for c in changed if not c.before]
    kept = [f"{c.name} kept in {percent(c.after)}" for c in changed if c.before]
    return ", ".join(new + kept) or "nothing new"


def _tricks(advice: BidAdvice, look: Look) -> str:
    told = advice.explanation
    total = look.points(advice.rules.trick_total)
    return (
        f"{look.estimate(told.tricks)} of {total}; all {total} in "
        f"{percent(told.all_tricks)} of rounds"
    )


def _lost(told: Explanation, look: Look) -> str:
    points = {suit: told.lost_by_suit[suit] for suit in SUITS}
    # These have no standard error of their own; that of the tricks is the nearest.
    error = told.tricks.se
    parts = [f"{look.suit(suit)} {look.mean(lost, error)}" for suit, lost in points.items()]
    return "  ".join(parts) + ", by the suit led"


def _cost_of_a_set(advice: BidAdvice, look: Look) -> str:
    bid = advice.suggestion.bid or lowest_legal(advice)
    best = advice.best
    if bid not in best.p_make:
        return ""
    chance = best.p_make[bid]
    missed = type(chance)(1 - chance.mean, chance.se)
    return (
        f"at {look.points(bid)} it happens in {look.share_with_error(missed, best.samples)} of "
        f"rounds: {look.points(bid)} off your score and your meld lost; theirs counts"
    )


def lowest_legal(advice: BidAdvice) -> int:
    """Return the lowest bid that the auction still allows, in reach of the hand or not."""
    high = advice.decision.position.auction.high_bid
    return next(iter(next_bids(advice.rules, high)), advice.rules.minimum)


def named_bids(advice: BidAdvice) -> dict[int, list[str]]:
    """Return what bids that may still be made are called: lowest, safe, ..., ceiling."""
    said = advice.suggestion
    lowest = lowest_legal(advice)
    named = (
        ("lowest", lowest),
        ("safe", said.safe),
        ("standard", said.standard),
        ("suggested", said.suggested),
        ("ceiling", said.ceiling),
    )
    names: dict[int, list[str]] = {}
    for name, bid in named:
        if bid is not None and bid >= lowest:
            names.setdefault(bid, []).append(name)
    return names


def bids_note(advice: BidAdvice) -> str:
    """Return what the columns of the named bids mean, and what a ceiling is in this auction."""
    note = f"{_WORTH}."
    if advice.decision.defend:
        note = _DEFENDED
    elif any(option.partners for option in advice.decision.options):
        note = f"{_WORTH}. The ceiling is the last bid worth more than partner's a step below."
    if advice.decision.score is not None:
        # Points and chances may disagree, near the end of a game above all.
        note += " At this score that is judged by the chance to win the game, not by these points."
    return note


def bids_cells(advice: BidAdvice, look: Look) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of the table of the bids that have names."""
    best = advice.best
    defend = advice.decision.defend
    names = named_bids(advice)
    rows = [
        [
            look.points(bid),
            chance(best, bid, look, error=True),
            look.worth(best.take[bid]) if bid in best.take else "",
            look.worth(defend[bid]) if bid in defend else "",
            ", ".join(names[bid]),
        ]
        for bid in sorted(names)
    ]
    headers = ["bid", "made", "worth", "defending", ""]
    if not defend:
        rows = [[*row[:3], row[4]] for row in rows]
        del headers[3]
    return rows, headers


def _bids(advice: BidAdvice, look: Look) -> list[str]:
    rows, headers = bids_cells(advice, look)
    lines = table(rows, headers, look, align=f"{'r' * (len(headers) - 1)}l")
    return [*lines, *paragraph(bids_note(advice), look)]


def percent(share: float) -> str:
    """Return a share of rounds in whole percent.

    >>> percent(0.9995), percent(0.004)
    ('>99%', '<1%')
    """
    text = f"{100 * share:.0f}%"
    if text == "100%" and share < 1:
        return ">99%"
    return "<1%" if text == "0%" and share > 0 else text
