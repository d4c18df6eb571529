"""The calls compared, and what the calls so far were taken to mean: parts of the screen of bid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from advisor.report.frame import labelled, paragraph, table
from advisor.report.look import Look, counted

if TYPE_CHECKING:
    from advisor.advice import BidAdvice, TrumpEstimate
    from advisor.decision import Option
    from advisor.inference import Figure, Inference

_WORDS: Final = {
    "meld": "mean meld {}",
    "value": "mean worth {}",
    "aces": "mean aces {}",
    "missing-suits": "suits without a run card {}",
    "legs": "pinochle legs {}",
    "runs": "runs {}",
    "ace-suits": "suits with an ace {}",
    "helping-cards": "helping cards in any trump {}",
}
# Rarer dead hands are not worth a line.
LEAST_DEAD: Final = 0.005
_IN_POINTS: Final = ("meld", "value")


def chance(item: TrumpEstimate, bid: int, look: Look, *, error: bool = False) -> str:
    """Return the chance to make a bid; beyond the bids listed it is next to nothing."""
    if bid not in item.p_make:
        return "<1%"
    show = look.share_with_error if error else look.share
    return show(item.p_make[bid], item.samples)


def call_text(option: Option, look: Look, *, advised: bool = False) -> str:
    """Return a call as players say it, marked as advised where that is asked for."""
    call = option.call
    if call.bid is None:
        text = "pass with help" if call.with_help else "pass"
    else:
        text = look.points(call.bid)
    marks = [*(["jump"] if call.jump else []), *(["advised"] if advised else [])]
    return f"{text} ({', '.join(marks)})" if marks else text


def where_text(advice: BidAdvice, look: Look) -> str:
    """Return seat, calls so far, score and convention in one line."""
    position = advice.decision.position
    auction = position.auction
    parts = [f"seat {position.seat}"]
    if auction.calls:
        calls = ", ".join(
            f"{_place(seat, position.seat)} {call.text(look.scale)}{' (jump)' if call.jump else ''}"
            for call, seat in zip(auction.calls, auction.seats, strict=True)
        )
        parts.append(calls)
    else:
        parts.append("first to call")
    if advice.decision.score is not None:
        parts.append(f"score {score_words(advice, look)}")
    if advice.auctioned.convention.name != "none":
        parts.append(f"convention {look.text(advice.auctioned.convention.name)}")
    return "; ".join(parts)


def score_words(advice: BidAdvice, look: Look) -> str:
    """Return the score of the game, ours first."""
    assert advice.decision.score is not None
    ours, theirs = advice.decision.score
    return f"{look.points(ours)} to {look.points(theirs)}"


def _place(seat: int, ours: int) -> str:
    return ("you", "left", "partner", "right")[(seat - ours) % 4]


def inference_lines(advice: BidAdvice, look: Look) -> list[str]:
    """Return what each seat's calls were taken to mean, in figures."""
    told = advice.auctioned
    if not any(seat != advice.decision.position.seat for seat in _seats(advice)):
        return []
    if not told.asked:
        return paragraph("The calls were not read: cards are dealt as if none had been made.", look)
    if not told.read:
        return paragraph(
            "Hardly any hand calls so by the rule, so the calls were not read: cards are dealt as "
            "if none had been made.",
            look,
        )
    lines = ["Calls taken to mean (against: among all deals)"]
    for inference in told.inferences:
        lines += labelled(
            inference.who.capitalize(), _meaning(inference, advice, look), look, indent=9
        )
    if told.exhausted:
        lines += paragraph(
            f"Only {counted(advice.samples, 'deal')} fitted these calls; no more were looked for.",
            look,
        )
    return lines


def _seats(advice: BidAdvice) -> tuple[int, ...]:
    return advice.decision.position.auction.seats


def _meaning(inference: Inference, advice: BidAdvice, look: Look) -> str:
    calls = ", ".join(
        f"{'jump to ' if call.jump else ''}{call.text(look.scale)}" for call in inference.calls
    )
    figures = ", ".join(_figure(figure, look) for figure in inference.figures)
    agreed = f" ({look.text(inference.agreed)})" if inference.agreed else ""
    if inference.is_odd:
        return f"{calls}{agreed}: hardly any hand calls so by the rule; next to nothing is read"
    return f"{calls}{agreed}: {figures}"


def _figure(figure: Figure, look: Look) -> str:
    if figure.shows in _IN_POINTS:
        return _WORDS[figure.shows].format(
            f"{look.mean(*figure.mean)} against {look.mean(*figure.usual)}"
        )
    return _WORDS[figure.shows].format(f"{figure.mean.mean:.1f} against {figure.usual.mean:.1f}")


def calls_lines(advice: BidAdvice, look: Look) -> list[str]:
    """Return the table of calls: what each is worth, and who gets the hand at what bid."""
    rows, headers = calls_cells(advice, look)
    # Where the table is too wide, what can be reckoned from the rest goes first.
    for last in (len(headers), len(headers) - 1, len(headers) - 2, len(headers) - 3):
        shown = [row[:last] for row in rows]
        lines = table(shown, headers[:last], look, align="l" + "r" * (last - 1))
        if max(map(len, lines)) <= look.width:
            break
    return [*lines, *calls_notes(advice, look)]


def calls_cells(advice: BidAdvice, look: Look) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of the table of calls."""
    decision = advice.decision
    known = decision.score is not None
    rows = []
    for option in decision.options:
        first = option is decision.options[0]
        # Where another stands first, nothing else would show which is advised.
        advised = option is decision.chosen and not first
        row = [call_text(option, look, advised=advised), look.worth(option.value)]
        if known:
            assert option.win is not None
            row.append(look.games(option.win))
            behind = "best" if first else look.games(option.behind)
        else:
            behind = "best" if first else look.estimate(option.behind)
        row += [behind, *(f"{100 * x:.0f}%" for x in (option.ours, option.partners, option.theirs))]
        row.append(look.points(round(option.contract)))
        rows.append(row)
    headers = ["call", "worth", *(["game\nwon"] if known else []), "worse\nby"]
    return rows, [*headers, "you\nget it", "part-\nner", "they", "at,\nmean"]


def calls_notes(advice: BidAdvice, look: Look) -> list[str]:
    """Return what the columns of the table of calls mean."""
    decision = advice.decision
    text = "Worth: our score less theirs once the auction is over and the hand is played."
    over = [o for o in decision.options if o.call.bid is not None and o is decision.chosen]
    if over and advice.suggestion.bid is not None:
        text += (
            f" After a bid you go on to {look.points(advice.suggestion.bid)}, "
            f"{'also' if over[0].over_partner else 'but not'} over partner."
        )
    return paragraph(text, look)


def dead_lines(advice: BidAdvice, look: Look) -> list[str]:
    """Return how often the hand cannot be made once all have melded, and what that costs."""
    dead = advice.dead
    if dead.share.mean < LEAST_DEAD:
        return []
    return paragraph(
        f"At {look.points(advice.suggestion.at)} no tricks can make the bid after melding in "
        f"{look.share_with_error(dead.share)} of rounds (dead hands): "
        f"{look.worth(dead.cost)} points of the average.",
        look,
    )


def close_lines(advice: BidAdvice, look: Look) -> list[str]:
    """Return a line where bid or pass is too close to call."""
    decision = advice.decision
    if not decision.close:
        return _gains_little(advice, look)
    other, chosen = decision.close[0], decision.chosen
    lead = other.behind if chosen is decision.options[0] else chosen.behind
    shown = look.games(lead) if decision.score is not None else look.estimate(lead)
    return paragraph(
        f"Bid or pass is too close to call: {call_text(chosen, look)} and "
        f"{call_text(other, look)} are {shown} apart.",
        look,
    )


def _gains_little(advice: BidAdvice, look: Look) -> list[str]:
    """Return a line where another call is better, but by too little to matter."""
    decision = advice.decision
    best, chosen = decision.gains_little, decision.chosen
    if best is None:
        return []
    known = decision.score is not None
    lead = look.games(chosen.behind) if known else look.estimate(chosen.behind)
    little = "too little" if chosen.behind.mean < decision.least_gain else "not clearly enough"
    return paragraph(
        f"{call_text(best, look).capitalize()} is ahead of {call_text(chosen, look)} by {lead}, "
        f"{little} to matter: the plainer call is advised.",
        look,
    )


def tie_lines(advice: BidAdvice, look: Look) -> list[str]:
    """Return a line where a higher bid stands first in the table of calls and is no better."""
    decision = advice.decision
    best, chosen = decision.options[0], decision.chosen
    if best is chosen or not chosen.tied or best.call.is_pass or chosen.call.is_pass:
        return []
    known = decision.score is not None
    apart = look.games(chosen.behind) if known else look.estimate(chosen.behind)
    return paragraph(
        f"{call_text(chosen, look)} and {call_text(best, look)} are too close to call, {apart} "
        "apart: the lower bid is advised.",
        look,
    )
