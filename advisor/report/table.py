"""The screen of ``advisor bid``: head, table, details that were asked for, and last the answer."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder, round_down_to_legal
from advisor.game.cards import SUIT_LETTERS, SUIT_NAMES
from advisor.report.frame import (
    bold,
    github,
    head,
    paragraph,
    table,
)
from advisor.report.look import Look, counted

if TYPE_CHECKING:
    from advisor.advise import BidAdvice, TrumpEstimate

# Bids made less often than this are not worth a line of the detailed table.
LEAST_SHOWN: Final = 0.01
TRUMPS_ABREAST: Final = 2
HEADERS: Final = ("trump", "meld\nnow", "team\nmeld", "tricks", "score")


def three_bids(advice: BidAdvice) -> tuple[int, int, int]:
    """Return the bids whose chances stand in the table: the lowest, the one in question, between.

    Where the two ends are close, the lowest and two steps above it are taken.
    """
    rules, at = advice.rules, advice.suggestion.at
    low = rules.minimum
    if at - low < 40:
        ladder = bid_ladder(rules, low + 1000)
        near = [*ladder, *(ladder[-1] + 10 * step for step in (1, 2, 3, 4))]
        return low, near[2], near[4]
    middle = round_down_to_legal(rules, (low + at) // 20 * 10)
    return low, middle if middle is not None else low + 10, at


def chance(item: TrumpEstimate, bid: int, look: Look, *, error: bool = False) -> str:
    """Return the chance to make a bid; beyond the bids listed it is next to nothing."""
    if bid not in item.p_make:
        return "<1%"
    show = look.share_with_error if error else look.share
    return show(item.p_make[bid], item.samples)


def _row(item: TrumpEstimate, bids: Sequence[int], advised: bool, look: Look) -> list[str]:
    return [
        look.suit(item.trump) + (" *" if item.dropped else ""),
        look.points(item.meld.total),
        look.mean(*item.team_meld),
        look.mean(*item.tricks),
        look.mean(*item.score),
        look.error(item.score.se),
        *(chance(item, bid, look) for bid in bids),
        "pass" if item.ceiling is None else look.points(item.ceiling),
        "best" if advised else look.estimate(item.behind),
    ]


def _table_cells(advice: BidAdvice, look: Look) -> tuple[list[list[str]], list[str]]:
    bids = three_bids(advice)
    rows = [_row(item, bids, item.trump == advice.suggestion.trump, look) for item in advice.trumps]
    chances = [f"P({look.points(bid)})" for bid in bids]
    behind = f"behind\nbest {look.plus_minus}"
    headers = [*HEADERS, look.plus_minus, *chances, "bid\nto", behind]
    return rows, headers


def _dropped_note(advice: BidAdvice, look: Look) -> list[str]:
    dropped = [item for item in advice.trumps if item.dropped]
    if not dropped:
        return []
    by_deals: dict[int, list[str]] = {}
    for item in dropped:
        by_deals.setdefault(item.samples, []).append(look.suit(item.trump))
    parts = [f"{' '.join(suits)} after {counted(n, 'deal')}" for n, suits in by_deals.items()]
    return paragraph(f"* far behind and dropped: {', '.join(parts)}", look)


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
        for bid in bid_ladder(advice.rules, top):
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
        "Worth: our score less theirs when we declare at the bid. Bids made in less than 1% of "
        "rounds are left out."
    )
    return [*lines, *paragraph(note, look)]


def _worth_a_line(item: TrumpEstimate, bid: int) -> bool:
    return bid == min(item.p_make) or item.p_make[bid].mean >= LEAST_SHOWN


def answer(advice: BidAdvice, look: Look) -> list[str]:
    """Return what to do, how sure that is, and what is too close to call."""
    said = advice.suggestion
    best = advice.best
    name = f"{look.suit(said.trump)}" if look.symbols else SUIT_NAMES[said.trump]
    deals = counted(advice.samples, "deal")
    lowest = advice.rules.minimum
    lines = _doubts(advice, look)
    if said.suggested is not None:
        lines += paragraph(
            f"Safe {_or_none(said.safe, look)} (made in 90% of rounds), standard "
            f"{_or_none(said.standard, look)} (82%), suggested {look.points(said.suggested)} "
            "(75%).",
            look,
        )
    if said.bid is None:
        text = (
            f"Pass. The best trump is {name}: {look.points(lowest)} is made in "
            f"{chance(best, lowest, look, error=True)} of rounds, and declaring there is "
            f"worth {look.worth(best.take[lowest])} points, ours less theirs ({deals})."
        )
    else:
        made = chance(best, said.bid, look, error=True)
        text = (
            f"Bid up to {look.points(said.bid)} with {name} trump: "
            f"made in {made} of rounds ({deals})."
        )
    return lines + [bold(line, look) for line in paragraph(text, look)]


def _or_none(bid: int | None, look: Look) -> str:
    return "none" if bid is None else look.points(bid)


def _doubts(advice: BidAdvice, look: Look) -> list[str]:
    """Return a line for each choice that the deals do not settle."""
    said, best = advice.suggestion, advice.best
    lowest = advice.rules.minimum
    value = best.take[lowest]
    if math.isnan(value.se):
        return paragraph("One deal has no standard error: nothing is settled.", look)
    doubts = [
        f"Trump is too close to call: {look.suit(said.trump)} is ahead of "
        f"{look.suit(item.trump)} by {look.estimate(item.behind)} at {look.points(said.at)}."
        for item in advice.trumps
        if item.trump != said.trump and item.tied
    ]
    # Two standard errors, as for trumps.
    if abs(value.mean) <= 2 * value.se:
        doubts.append(
            f"Bid or pass is too close to call: declaring at {look.points(lowest)} is worth "
            f"{look.worth(value)}."
        )
    if not doubts and not said.settled:
        doubts.append("The precision was not reached: give more --samples for a firm answer.")
    return [line for doubt in doubts for line in paragraph(doubt, look)]


def reproduce(
    advice: BidAdvice,
    *,
    rules: str = "cardgames",
    always_rules: bool = False,
    changes: Sequence[str] = (),
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
    changes : sequence of str
        Values of ``--set``.
    flags : sequence of str
        Options that change the screen, such as ``--explain``.
    """
    words = ["advisor", "bid", f'"{advice.hand}"']
    if always_rules or rules != "cardgames":
        words += ["--rules", shlex.quote(rules)]
    for change in changes:
        words += ["--set", shlex.quote(change)]
    if advice.fixed_trump is not None:
        words += ["--trump", SUIT_LETTERS[advice.fixed_trump]]
    if advice.asked_samples is not None:
        words += ["--samples", str(advice.asked_samples)]
    if advice.asked_precision is not None:
        words += ["--precision", f"{advice.asked_precision!r}"]
    return " ".join([*words, "--seed", str(advice.seed), *flags])


def bid_screen(
    advice: BidAdvice, look: Look, command: str, *, explain: bool = False, verbose: bool = False
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
    """
    rows, headers = _table_cells(advice, look)
    lines = table(rows, headers, look)
    # Two lines of headers and the rule under them come before the advised row.
    lines[3] = bold(lines[3], look)
    screen = [*head(advice.hand, advice.rules, look), "", *lines, *_dropped_note(advice, look)]
    if verbose:
        screen += detail(advice, look)
    if explain:
        from advisor.report.why import why

        screen += ["", *why(advice, look)]
    screen += ["", *answer(advice, look), f"reproduce: {command}"]
    return "\n".join(screen) + "\n"


def bid_markdown(advice: BidAdvice, look: Look) -> str:
    """Return the table alone, in markdown."""
    rows, headers = _table_cells(advice, look)
    return github(rows, [" ".join(header.split()) for header in headers])
