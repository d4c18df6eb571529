"""The screen of ``advisor bid``: head, table, details that were asked for, and last the answer."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder, calls_text, round_down_to_legal
from advisor.game.cards import SUIT_LETTERS
from advisor.limits import counts_in_tens, default_engine
from advisor.report.answer import answer, is_asked, remarks
from advisor.report.decision import (
    call_text,
    calls_lines,
    chance,
    dead_lines,
    inference_lines,
    where_text,
)
from advisor.report.frame import (
    bold,
    github,
    head,
    labelled,
    paragraph,
    table,
)
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.advice import BidAdvice, TrumpEstimate
    from advisor.exchange_advice import ExchangeAdvice

# Bids made less often than this are not worth a line of the detailed table.
LEAST_SHOWN: Final = 0.10
TRUMPS_ABREAST: Final = 2
RAW_MEANING: Final = {
    "policy": "every seat plays by rule",
    "lite": "a judgement of all four hands open",
    "exact": "perfect play of all four hands open",
}
HEADERS: Final = ("trump", "meld\nnow", "team\nmeld", "trick\npoints", "score")


def lowest_bid(advice: BidAdvice) -> int:
    """Return the lowest bid that we may make now."""
    bids = [option.call.bid for option in advice.decision.options if option.call.bid is not None]
    return min(bids, default=advice.rules.minimum)


def lowest_drawn(advice: BidAdvice) -> int:
    """Return the lowest bid that we may make now, or at all where that one is out of reach."""
    lowest = lowest_bid(advice)
    return lowest if lowest <= max(advice.best.p_make) else advice.rules.minimum


def three_bids(advice: BidAdvice) -> tuple[int, int, int]:
    """Return the bids whose chances stand in the table: the lowest, the one in question, between.

    Where the two ends are close, the lowest and two steps above it are taken.
    """
    rules, at = advice.rules, advice.suggestion.at
    low = lowest_bid(advice)
    if at - low < 40:
        ladder = [bid for bid in bid_ladder(rules, low + 1000) if bid >= low]
        near = [*ladder, *(ladder[-1] + 10 * step for step in (1, 2, 3, 4))]
        return low, near[2], near[4]
    middle = round_down_to_legal(rules, (low + at) // 20 * 10)
    return low, middle if middle is not None else low + 10, at


def _falling_chances(item: TrumpEstimate, bids: Sequence[int], look: Look) -> list[str]:
    """Return the chances of rising bids; rounding never makes one look likelier than a lower bid.

    They are the chances themselves: the bounds that few deals allow (``>97%``) would stand below
    the plain chance (``99%``) of a higher bid.
    """
    shown: list[str] = []
    least = math.inf
    for bid in bids:
        text = look.share(item.p_make[bid]) if bid in item.p_make else "<1%"
        value = {"<1%": 0.5, ">99%": 99.5}.get(text) or float(text.rstrip("%"))
        shown.append(text if value <= least else shown[-1])
        least = min(value, least)
    return shown


def _row(item: TrumpEstimate, bids: Sequence[int], advised: bool, look: Look) -> list[str]:
    return [
        look.suit(item.trump) + (" *" if item.dropped else ""),
        look.points(item.meld.total),
        look.mean(*item.team_meld),
        look.mean(*item.tricks),
        look.mean(*item.score),
        look.error(item.score.se),
        *_falling_chances(item, bids, look),
        "pass" if item.ceiling is None else look.points(item.ceiling),
        "best" if advised else look.estimate(item.behind),
    ]


def _table_lines(advice: BidAdvice, look: Look) -> list[str]:
    """Return the table; where it would be too wide with narrow headers, or even with two bids."""
    bids = three_bids(advice)
    lines: list[str] = []
    for shown, chance_header in ((bids, "P({})"), (bids, "P at\n{}"), (bids[::2], "P at\n{}")):
        lines = table(*table_cells(advice, look, shown, chance_header), look)
        if max(map(len, lines)) <= look.width:
            break
    return lines


def table_cells(
    advice: BidAdvice, look: Look, bids: Sequence[int], chance_header: str = "P({})"
) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of the table of trumps, with the chances of some bids."""
    rows = [_row(item, bids, item.trump == advice.suggestion.trump, look) for item in advice.trumps]
    chances = [chance_header.format(look.points(bid)) for bid in bids]
    behind = f"worse\nby {look.plus_minus}"
    headers = [*HEADERS, look.plus_minus, *chances, "bid\nto", behind]
    return rows, headers


def notes(advice: BidAdvice, look: Look) -> list[str]:
    """Return what the signs of the table mean."""
    lines = []
    dropped = sorted(item.samples for item in advice.trumps if item.dropped)
    if dropped:
        after = f"{dropped[0]:,}" if dropped[0] == dropped[-1] else f"{dropped[0]:,} or more"
        lines = paragraph(f"* clearly worse, dropped after {after} deals", look)
    best = advice.best
    low, high = (look.points(points) for points in best.quartiles)
    text = (
        f"{look.plus_minus}: one standard error of an average. Single rounds vary more: half of "
        f"them score {low} to {high} with {look.suit(best.trump)}."
    )
    if len(advice.trumps) > 1:
        text += f" Worse by: points that naming it costs at a bid of {_points_at(advice, look)}."
    return lines + paragraph(text, look)


def _points_at(advice: BidAdvice, look: Look) -> str:
    return look.points(advice.suggestion.at)


def detail(advice: BidAdvice, look: Look) -> list[str]:
    """Return chance and worth of every legal bid, for the trumps still in the race."""
    racing = [item for item in advice.trumps if not item.dropped]
    lines: list[str] = []
    for start in range(0, len(racing), TRUMPS_ABREAST):
        group = racing[start : start + TRUMPS_ABREAST]
        top = max(
            bid for item in group for bid, p in item.p_make.items() if _worth_a_line(item, bid)
        )
        rows = []
        for bid in _from_the_last_sure(bid_ladder(advice.rules, top), group):
            row = [look.points(bid)]
            for item in group:
                row.append(chance(item, bid, look, error=True))
                row.append(look.worth(item.take[bid]) if bid in item.take else "")
            rows.append(row)
        headers = ["bid"]
        for item in group:
            sign = look.suit(item.trump)
            headers += [f"P {sign}", f"worth {sign}"]
        lines += ["", *table(rows, headers, look, align="r" * len(headers))]
    note = (
        "Worth: our score less theirs when we declare at the bid. Left out are lower bids that "
        "are always made and those made in less than 10% of rounds."
    )
    return [*lines, *paragraph(note, look)]


def _from_the_last_sure(bids: list[int], group: Sequence[TrumpEstimate]) -> list[int]:
    """Return the bids from the highest that is always made in every trump of the group."""
    sure = [
        bid for bid in bids if all(bid in p and p[bid].mean == 1 for p in (x.p_make for x in group))
    ]
    return bids[len(sure) - 1 :] if sure else bids


def _worth_a_line(item: TrumpEstimate, bid: int) -> bool:
    return bid == min(item.p_make) or item.p_make[bid].mean >= LEAST_SHOWN


def reproduce(
    advice: BidAdvice,
    *,
    rules: str = "cardgames",
    always_rules: bool = False,
    always_engine: bool = False,
    changes: Sequence[str] = (),
    convention: str = "none",
    always_convention: bool = False,
    flags: Sequence[str] = (),
) -> str:
    """Return the command that prints the same again.

    Parameters
    ----------
    advice : BidAdvice
    rules : str
        Name or file, as it was given.
    always_rules : bool
        Whether to name even the usual rules, where the environment would change them.
    always_engine : bool
        The same for the engine.
    changes : sequence of str
        Values of ``--set``.
    convention : str
        Name or file, as it was given.
    always_convention : bool
        The same for the convention.
    flags : sequence of str
        Options that change the screen, such as ``--explain``.
    """
    words = ["advisor", "bid", f'"{advice.hand}"']
    if always_rules or rules != "cardgames":
        words += ["--rules", shlex.quote(rules)]
    for change in changes:
        words += ["--set", shlex.quote(change)]
    words += _auction_words(advice)
    if always_convention or convention != "none":
        words += ["--convention", shlex.quote(convention)]
    if advice.fixed_trump is not None:
        words += ["--trump", SUIT_LETTERS[advice.fixed_trump]]
    if advice.asked_samples is not None:
        words += ["--samples", str(advice.asked_samples)]
    if advice.asked_precision is not None:
        words += ["--precision", f"{advice.asked_precision!r}"]
    if always_engine or advice.engine != default_engine(advice.rules):
        words += ["--engine", advice.engine]
    if advice.raw and counts_in_tens(advice.rules):
        words.append("--raw")
    return " ".join([*words, "--seed", str(advice.seed), *flags])


def _auction_words(advice: BidAdvice) -> list[str]:
    position, scale = advice.decision.position, advice.rules.scale
    words = []
    if position.auction.calls:
        words += ["--auction", shlex.quote(calls_text(position.auction, scale))]
        if not advice.auctioned.asked:
            words.append("--no-inference")
    if advice.decision.score is not None:
        words += ["--score", *(str(points * scale // 10) for points in advice.decision.score)]
    return words


def predictor_text(advice: BidAdvice | ExchangeAdvice) -> str:
    """Return the engine behind the trick points, and its correction."""
    if not advice.raw:
        return f"{advice.engine}, corrected to real play (version {advice.correction})"
    return f"{advice.engine}, raw: {RAW_MEANING[advice.engine]}"


def bid_screen(
    advice: BidAdvice,
    look: Look,
    command: str,
    *,
    explain: bool = False,
    verbose: bool = False,
    plot: bool = False,
) -> str:
    """Return the whole screen.

    Parameters
    ----------
    advice : BidAdvice
    look : Look
    command : str
        The command that prints the same again.
    explain : bool
        Whether to say where the points come from.
    verbose : bool
        Whether to list every bid.
    plot : bool
        Whether to draw the scores and the chances.
    """
    lines = _table_lines(advice, look)
    # Two lines of headers and the rule under them come before the advised row.
    lines[3] = bold(lines[3], look)
    screen = [*head(advice.hand, advice.rules, look)]
    screen += labelled("Engine", predictor_text(advice), look)
    if is_asked(advice):
        screen += labelled("Call", where_text(advice, look), look)
    screen += ["", *lines, *notes(advice, look), *dead_lines(advice, look)]
    if is_asked(advice):
        read = inference_lines(advice, look)
        screen += [*([""] if read else []), *read, "", *calls_lines(advice, look)]
    if verbose:
        screen += detail(advice, look)
    if plot:
        from advisor.report.plot import plot as drawn

        screen += ["", *drawn(advice, look)]
    if explain:
        from advisor.report.why import why

        screen += ["", *why(advice, look)]
    screen += ["", *answer(advice, look), f"reproduce: {command}"]
    return "\n".join(screen) + "\n"


def bid_markdown(advice: BidAdvice, look: Look) -> str:
    """Return the table in markdown, and under it the call advised and the engine behind it."""
    rows, headers = table_cells(advice, look, three_bids(advice))
    lines = github(rows, [" ".join(header.split()) for header in headers])
    said = advice.suggestion
    call = call_text(advice.decision.chosen, look)
    if said.bid is not None:
        call += f", going on to {look.points(said.bid)} with {look.suit(said.trump)} as trump"
    asked = f" ({where_text(advice, look)})" if is_asked(advice) else ""
    careful = "".join(f"\n\n{text}" for text in remarks(advice, look))
    return f"{lines}\n\nCall{asked}: {call}.{careful}\n\nEngine: {predictor_text(advice)}."
