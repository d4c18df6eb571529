"""The four charts on the page of ``advisor bid``: scores, chances, what bids are worth, parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder
from advisor.game.cards import SUIT_NAMES
from advisor.report.charts import Guide, Panel, Part, Series, curves, histograms, sums
from advisor.report.decision import score_words
from advisor.report.html import Figure, Section, Table
from advisor.report.table import lowest_bid, lowest_drawn
from advisor.report.why import percent

if TYPE_CHECKING:
    from advisor.advice import BidAdvice, TrumpEstimate
    from advisor.pricing import Estimate
    from advisor.report.look import Look

# Bids made less often than this end the curves.
_LEAST_DRAWN: Final = 0.03
# The share of rounds at either end of the histograms that is left out.
_TAIL: Final = 0.005
_WIDTHS: Final = (10, 20, 50, 100, 200, 500)
_MOST_BINS: Final = 40
BAND: Final = "The band is two standard errors to either side."


def _name(item: TrumpEstimate, look: Look) -> str:
    return f"{look.suit(item.trump)} {SUIT_NAMES[item.trump]}"


def bid_in_question(advice: BidAdvice, look: Look) -> Guide:
    """Return the bid advised, else the lowest."""
    if advice.suggestion.bid is not None:
        return Guide(advice.suggestion.bid, f"bid {look.points(advice.suggestion.bid)}")
    lowest = lowest_bid(advice)
    return Guide(lowest, f"lowest bid {look.points(lowest)}")


def scores(advice: BidAdvice, look: Look) -> Section:
    """Return how often the team scores what in each trump, with the bid marked."""
    found = advice.trumps
    low = min(item.histogram.quantile(_TAIL) for item in found)
    high = max(item.histogram.quantile(1 - _TAIL) for item in found)
    width = next(w for w in (*_WIDTHS, high) if (high - low) / w <= _MOST_BINS)
    guide = bid_in_question(advice, look)
    # No bin lies on both sides of the bid.
    edge = round(guide.at)
    panels = []
    for kind, item in enumerate(found):
        wide = item.histogram.wider(width, edge)
        kept = [
            (start, count / wide.total)
            for start, count in zip(range(wide.start, wide.stop, width), wide.counts, strict=True)
            if low - width < start <= high
        ]
        reached = item.histogram.at_least(edge) / wide.total
        remark = f"mean {look.mean(*item.score)}; {percent(reached)} reach {look.points(edge)}"
        panels.append(
            Panel(_name(item, look), remark, kind, kept[0][0], tuple(share for _, share in kept))
        )
    description = ". ".join(f"{panel.label}: {panel.remark}" for panel in panels)
    drawing = histograms(
        "scores",
        "How often the team scores what",
        f"A histogram of our meld and tricks for each trump. {description}.",
        panels,
        width,
        guide,
        below=look.points_about,
        axis="our meld and tricks, points",
    )
    caption = (
        f"Share of the rounds; a bar's width is {look.points(width)} on the scale of points. Full "
        "bars reach the bid that is marked, light ones fall short of it."
    )
    return Section("What the team scores", [Figure(drawing, caption)])


def _drawn_bids(advice: BidAdvice, found: Sequence[TrumpEstimate]) -> list[int]:
    """Return the bids worth drawing, in tens, from the lowest we may make."""
    lowest = lowest_drawn(advice)
    likely = (b for item in found for b, p in item.p_make.items() if p.mean >= _LEAST_DRAWN)
    return list(range(lowest, max([*likely, lowest + 50]) + 1, 10))


def _series(label: str, kind: int, values: dict[int, Estimate], bids: Sequence[int]) -> Series:
    points = tuple((bid, values[bid].mean, values[bid].se) for bid in bids if bid in values)
    return Series(label, kind, points)


def chances(advice: BidAdvice, look: Look) -> Section:
    """Return the chance to make each bid in each trump."""
    guide = bid_in_question(advice, look)
    bids = _drawn_bids(advice, advice.trumps)
    series = [
        _series(_name(item, look), kind, item.p_make, bids)
        for kind, item in enumerate(advice.trumps)
    ]
    series = [item for item in series if item.points]
    said = "; ".join(
        f"{item.label} from {percent(item.points[0][1])} at {look.points(round(item.points[0][0]))}"
        f" to {percent(item.points[-1][1])} at {look.points(round(item.points[-1][0]))}"
        for item in series
    )
    drawing = curves(
        "chances",
        "The chance to make each bid",
        f"A falling curve for each trump: {said}.",
        series,
        below=look.points_about,
        aside=lambda value: f"{100 * value:.0f}%",
        axis="bid",
        guides=[guide],
        bounds=(0.0, 1.0),
    )
    ladder = bid_ladder(advice.rules, bids[-1])
    racing = [item for item in advice.trumps if not item.dropped]
    rows = [
        [
            look.points(bid),
            *(
                look.share_with_error(item.p_make[bid], item.samples)
                if bid in item.p_make
                else "<1%"
                for item in racing
            ),
        ]
        for bid in ladder
        if bid >= bids[0]
    ]
    figures = Table(
        ["bid", *(look.suit(item.trump) for item in racing)],
        rows,
        f"Share of rounds in which the bid is made, {look.plus_minus} one standard error",
        align="r" * (len(racing) + 1),
    )
    return Section(
        "How likely each bid is made",
        [Figure(drawing, f"Share of the rounds in which the bid is made. {BAND}", figures)],
    )


def worth(advice: BidAdvice, look: Look) -> Section:
    """Return what declaring is worth by bid, against letting the hand go."""
    best = advice.best
    # With a score the bid advised is none that the lines, in points, would give.
    guides = [bid_in_question(advice, look)] if advice.decision.score is None else []
    bids = _drawn_bids(advice, [best])
    ladder = [bid for bid in bid_ladder(advice.rules, bids[-1]) if bid >= advice.rules.minimum]
    let_go = {
        bid: advice.decision.defend[below]
        for below, bid in pairwise(ladder)
        if below in advice.decision.defend
    }
    legal = [bid for bid in ladder if bid in bids]
    series = [
        _series("take it at the bid", 0, best.take, legal),
        _series("let it go a step below", 1, let_go, legal),
    ]
    series = [item for item in series if item.points]
    drawing = curves(
        "worth",
        "What taking the hand is worth, and letting it go",
        _crossing(series, look),
        series,
        below=look.points_about,
        aside=look.points_about,
        axis="bid",
        guides=guides,
    )
    rows = [
        [
            look.points(bid),
            look.worth(best.take[bid]) if bid in best.take else "",
            look.worth(let_go[bid]) if bid in let_go else "",
        ]
        for bid in legal
    ]
    figures = Table(
        ["bid", "take it", "let it go"],
        rows,
        f"Our score less theirs, {look.plus_minus} one standard error",
        align="rrr",
    )
    caption = (
        "Our score less theirs: where we declare at the bid, and where an opponent who would "
        f"declares a step below it. {_when(advice, look)} {BAND}"
    )
    return Section("Take it or let it go", [Figure(drawing, caption, figures)])


def _when(advice: BidAdvice, look: Look) -> str:
    """Return when the comparison holds: against opponents, not where partner has the bid."""
    options = advice.decision.options
    passing = next((item for item in options if item.action == "pass"), None)
    said = []
    if advice.decision.score is not None:
        said.append(
            f"Both are in points; at {score_words(advice, look)} the advice goes by the chance to "
            "win the game, so its limit need not be where the lines cross."
        )
    if passing is not None and passing.partners > passing.theirs:
        said.append(
            f"If we pass now, partner gets the hand in {percent(passing.partners)} of deals, which "
            "is another matter: see the calls."
        )
    return " ".join(said) or "Bid as long as the first line is the higher."


def _crossing(series: Sequence[Series], look: Look) -> str:
    ends = []
    for item in series:
        (first, start, _), (last, stop, _) = item.points[0], item.points[-1]
        ends.append(
            f"{item.label}: {look.points(round(start))} points at {look.points(round(first))}, "
            f"{look.points(round(stop))} at {look.points(round(last))}"
        )
    return "; ".join(ends)


def parts(advice: BidAdvice, look: Look) -> Section:
    """Return the mean score of both sides, part by part."""
    told, best, total = advice.explanation, advice.best, advice.rules.trick_total
    gain = told.declarer_meld._replace(mean=told.declarer_meld.mean - told.meld.total)
    their_tricks = told.tricks._replace(mean=total - told.tricks.mean)
    exchange = [Part("Exchange", gain.mean, look.worth(gain))] if advice.rules.pass_cards else []
    ours = [
        Part("Your meld now", told.meld.total, look.points(told.meld.total)),
        *exchange,
        Part("Partner's meld", told.partner_meld.mean, look.estimate(told.partner_meld)),
        Part("Tricks", told.tricks.mean, look.estimate(told.tricks)),
        Part("Our score", best.score.mean, look.estimate(best.score), is_sum=True),
    ]
    both = told.their_meld.mean + their_tricks.mean
    theirs = [
        Part("Their meld", told.their_meld.mean, look.estimate(told.their_meld)),
        Part("Their tricks", their_tricks.mean, look.estimate(their_tricks)),
        Part("Together", both, look.mean(both, told.their_meld.se), is_sum=True),
    ]
    drawing = sums(
        "parts",
        "Where the points come from",
        "; ".join(f"{part.label} {part.text}" for part in (*ours, *theirs)),
        [ours, theirs],
    )
    name = SUIT_NAMES[advice.suggestion.trump]
    caption = (
        f"Means of a round with {name} as trump, {look.plus_minus} one standard error; our side "
        "above, theirs below. A bid that fails costs its amount and our meld."
    )
    return Section("Where the points come from", [Figure(drawing, caption)])
