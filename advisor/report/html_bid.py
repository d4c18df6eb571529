"""The page of ``advisor bid``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder
from advisor.game.cards import SUIT_NAMES
from advisor.report.answer import answer, is_asked
from advisor.report.charts import (
    ERRORS,
    Dot,
    Guide,
    Panel,
    Part,
    Series,
    curves,
    dots,
    histograms,
    sums,
)
from advisor.report.data import bid_object
from advisor.report.decision import (
    call_text,
    calls_cells,
    calls_notes,
    dead_lines,
    inference_lines,
    where_text,
)
from advisor.report.frame import SMALL_SCALE, notes_on, rules_text
from advisor.report.html import Figure, Page, Section, Table, Terms, Texts, page_look
from advisor.report.html_hand import hand_section
from advisor.report.table import (
    lowest_bid,
    notes,
    predictor_text,
    table_cells,
    three_bids,
)
from advisor.report.why import BIDS_NOTE, bids_cells, percent, why_rows

if TYPE_CHECKING:
    from advisor.advice import BidAdvice, TrumpEstimate
    from advisor.decision import Option
    from advisor.pricing import Estimate
    from advisor.report.look import Look

# Bids made less often than this end the curves.
_LEAST_DRAWN: Final = 0.03
# The share of rounds at either end of the histograms that is left out.
_TAIL: Final = 0.005
_WIDTHS: Final = (10, 20, 50, 100, 200, 500)
_MOST_BINS: Final = 40
BAND: Final = "The band is two standard errors to either side."


def bid_page(advice: BidAdvice, command: str) -> Page:
    """Return the page of an advice.

    Parameters
    ----------
    advice : BidAdvice
    command : str
        The command that gives the same again.
    """
    look = page_look(advice.rules.scale)
    *remarks, said = answer(advice, look)
    sections = [
        hand_section(advice.hand, advice.rules, advice.suggestion.trump, look),
        _trumps(advice, look),
        *([_call(advice, look)] if is_asked(advice) else []),
        _scores(advice, look),
        _chances(advice, look),
        _worth(advice, look),
        _parts(advice, look),
        _named(advice, look),
        Section("Why", [Terms(why_rows(advice, look))], wide=True),
    ]
    return Page(
        title=f"Pinochle bid: {look.hand(advice.hand)}",
        answer=said,
        remarks=[*notes_on(advice.hand, advice.rules), *remarks],
        facts=_facts(advice, look),
        sections=sections,
        reproduce=command,
        data=bid_object(advice, command, explain=True),
    )


def _facts(advice: BidAdvice, look: Look) -> list[tuple[str, str]]:
    facts = [("Hand", look.hand(advice.hand)), ("Rules", rules_text(advice.rules))]
    if advice.rules.scale == 1:
        facts.append(("Points", SMALL_SCALE))
    if is_asked(advice):
        facts.append(("Call", where_text(advice, look)))
    return [
        *facts,
        ("Engine", predictor_text(advice)),
        ("Deals", f"{advice.samples:,}, each played three times"),
        ("Seed", str(advice.seed)),
        ("Version", f"advisor {advice.version}"),
    ]


def _name(item: TrumpEstimate, look: Look) -> str:
    return f"{look.suit(item.trump)} {SUIT_NAMES[item.trump]}"


def _bid_in_question(advice: BidAdvice, look: Look) -> Guide:
    """Return the bid advised, else the lowest."""
    if advice.suggestion.bid is not None:
        return Guide(advice.suggestion.bid, f"bid {look.points(advice.suggestion.bid)}")
    lowest = lowest_bid(advice)
    return Guide(lowest, f"lowest bid {look.points(lowest)}")


def _trumps(advice: BidAdvice, look: Look) -> Section:
    rows, headers = table_cells(advice, look, three_bids(advice))
    block = Table(headers, rows, "Means over the simulated rounds, best trump first", best=0)
    texts = [*notes(advice, look), *dead_lines(advice, look)]
    return Section("The trumps", [block, Texts(texts)], wide=True)


def _call(advice: BidAdvice, look: Look) -> Section:
    decision = advice.decision
    rows, headers = calls_cells(advice, look)
    best = next(i for i, option in enumerate(decision.options) if option is decision.chosen)
    known = decision.score is not None
    items = [
        _option_dot(option, call_text(option, look), option is decision.chosen, known, look)
        for option in decision.options
    ]
    what = "Chance to win the game" if known else "Worth of each call, ours less theirs"
    drawing = dots(
        "calls",
        what,
        "; ".join(f"{item.label}: {item.text}" for item in items),
        items,
        below=(lambda x: f"{100 * x:g}%") if known else look.points_about,
        axis=what,
        zero=not known,
    )
    caption = (
        "Each line is two standard errors to either side. Calls are compared on the same deals, "
        "so their differences are known better than that."
    )
    return Section(
        "The next call",
        [
            Texts([f"{where_text(advice, look)}."]),
            Figure(drawing, caption),
            Table(headers, rows, "Every call, the most valuable first", best=best),
            Texts([*calls_notes(advice, look), *inference_lines(advice, look)]),
        ],
        wide=True,
    )


def _option_dot(option: Option, label: str, best: bool, known: bool, look: Look) -> Dot:
    value = option.win if known and option.win is not None else option.value
    text = look.games(value) if known else look.worth(value)
    error = ERRORS * _known(value.se)
    return Dot(label, value.mean, value.mean - error, value.mean + error, text, best)


def _known(se: float) -> float:
    """Return a standard error, 0 where there is none: a single deal."""
    return se if se == se else 0.0


def _scores(advice: BidAdvice, look: Look) -> Section:
    found = advice.trumps
    low = min(item.histogram.quantile(_TAIL) for item in found)
    high = max(item.histogram.quantile(1 - _TAIL) for item in found)
    width = next(w for w in (*_WIDTHS, high) if (high - low) / w <= _MOST_BINS)
    guide = _bid_in_question(advice, look)
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


def _drawn_bids(found: Sequence[TrumpEstimate], lowest: int) -> list[int]:
    """Return the bids worth drawing, in tens, from the lowest we may make; at least two."""
    top = max(
        (bid for item in found for bid, p in item.p_make.items() if p.mean >= _LEAST_DRAWN),
        default=lowest,
    )
    return list(range(lowest, max(top, lowest + 50) + 1, 10))


def _series(label: str, kind: int, values: dict[int, Estimate], bids: Sequence[int]) -> Series:
    points = tuple((bid, values[bid].mean, _known(values[bid].se)) for bid in bids if bid in values)
    return Series(label, kind, points)


def _chances(advice: BidAdvice, look: Look) -> Section:
    lowest = lowest_bid(advice)
    bids = _drawn_bids(advice.trumps, lowest)
    series = [
        _series(_name(item, look), kind, item.p_make, bids)
        for kind, item in enumerate(advice.trumps)
    ]
    series = [item for item in series if item.points]
    guide = _bid_in_question(advice, look)
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
        if bid >= lowest
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


def _named(advice: BidAdvice, look: Look) -> Section:
    rows, headers = bids_cells(advice, look)
    asked = look.points(round(_bid_in_question(advice, look).at))
    chosen = next((i for i, row in enumerate(rows) if row[0] == asked), None)
    trump = SUIT_NAMES[advice.suggestion.trump]
    block = Table(headers, rows, f"With {trump} as trump", align="rrrrl", best=chosen)
    return Section("Named bids", [block, Texts([BIDS_NOTE])], wide=True)


def _worth(advice: BidAdvice, look: Look) -> Section:
    lowest, best = lowest_bid(advice), advice.best
    bids = _drawn_bids([best], lowest)
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
    guide = _bid_in_question(advice, look)
    drawing = curves(
        "worth",
        "What taking the hand is worth, and letting it go",
        _crossing(series, look),
        series,
        below=look.points_about,
        aside=look.points_about,
        axis="bid",
        guides=[guide],
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
        f"declares a step below it. {_when(advice)} {BAND}"
    )
    return Section("Take it or let it go", [Figure(drawing, caption, figures)])


def _when(advice: BidAdvice) -> str:
    """Return when the comparison holds: against opponents, not where partner has the bid."""
    passing = next(item for item in advice.decision.options if item.action == "pass")
    if passing.partners > passing.theirs:
        return (
            f"If we pass now, partner gets the hand in {percent(passing.partners)} of deals, which "
            "is another matter: see the calls."
        )
    return "Bid as long as the first line is the higher."


def _crossing(series: Sequence[Series], look: Look) -> str:
    ends = []
    for item in series:
        (first, start, _), (last, stop, _) = item.points[0], item.points[-1]
        ends.append(
            f"{item.label}: {look.points(round(start))} points at {look.points(round(first))}, "
            f"{look.points(round(stop))} at {look.points(round(last))}"
        )
    return "; ".join(ends)


def _parts(advice: BidAdvice, look: Look) -> Section:
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
