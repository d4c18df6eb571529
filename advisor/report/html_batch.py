"""The page of a file of hands: what its rows say together, from the summary for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from advisor.batch.rows import named
from advisor.batch.summary import MOST_LISTED
from advisor.game.cards import SUIT_LETTERS, SUIT_NAMES, SUITS
from advisor.game.notation import parse_hand
from advisor.pricing import Estimate
from advisor.report.batch import cell, heading, left_out_text, share_to_bid
from advisor.report.charts import Guide, Panel, histograms
from advisor.report.html import Block, Figure, Page, Section, Table, Texts, page_look
from advisor.report.look import counted

if TYPE_CHECKING:
    from advisor.batch.results import Result
    from advisor.report.look import Look

_PASS: Final = "pass"
_LISTED: Final = (
    "hand", "trump", "call", "bid", "p_make", "expected_score", "expected_score_se"
)  # fmt: skip
_WIDTHS: Final = (10, 20, 50, 100, 200, 500)
_MOST_BINS: Final = 36


def summary_page(
    summary: Mapping[str, Any],
    command: str,
    facts: Sequence[tuple[str, str]],
    *,
    scale: int = 10,
    results: Sequence[Result] = (),
    calls: bool = False,
) -> Page:
    """Return the page of a summary.

    Parameters
    ----------
    summary : mapping
        What ``advisor batch --summary --format jsonl`` prints.
    command : str
        The command that gives the same again.
    facts : sequence of tuple of str
        What was asked: files, rules, engine, seed.
    scale : int
        10 or 1: a run is shown as 150 or 15.
    results : sequence of Result
        Every row, where there are few enough to be listed.
    calls : bool
        Whether there are auctions, so that the call is listed too.
    """
    look = page_look(scale)
    answered = [_suits(summary, look)] if summary["answered"] else []
    sections = [Section("Rows", [_rows(summary, look), *answered])]
    if answered:
        sections.append(Section("How high the hands go", _ceilings(summary, look)))
    if answered:
        sections.append(Section("Every hand", [_every(results, calls, look)], wide=True))
    if summary["closest"]:
        sections.append(Section("Closest calls", _closest(summary, look), wide=True))
    if summary["mistakes"]:
        rows = [
            [kind["message"], f"{kind['count']:,}", _places(kind)] for kind in summary["mistakes"]
        ]
        table = Table(["mistake", "rows", "first at"], rows, "Rows without an answer", "lrl")
        sections.append(Section("Bad rows", [table], wide=True))
    return Page(
        title="Pinochle hands",
        answer=_answer(summary, look),
        remarks=[],
        facts=facts,
        sections=sections,
        reproduce=command,
        data=summary,
    )


def _places(kind: Mapping[str, Any]) -> str:
    return ", ".join(map(named, kind["first"], kind["ids"]))


def _answer(summary: Mapping[str, Any], look: Look) -> str:
    answered = summary["answered"]
    if not answered:
        return f"None of {counted(summary['rows'], 'row')} could be answered."
    share = Estimate(summary["share_to_bid"], summary["share_to_bid_se"])
    text = f"{share_to_bid(*share, look)} of {counted(answered, 'hand')} should bid"
    if summary["to_bid"]:
        mean = Estimate(summary["ceiling_mean"], summary["ceiling_mean_se"])
        text += f", up to {look.estimate(mean)} in the mean"
    return f"{text}."


def _rows(summary: Mapping[str, Any], look: Look) -> Table:
    counts = [
        ("read", summary["rows"]),
        ("answered", summary["answered"]),
        ("met before", summary["repeated"]),
        ("bad", summary["bad"]),
        ("bid or pass too close to call", summary["close_calls"]),
        ("trump too close to call", summary["close_trumps"]),
    ]
    return Table(["rows", "number"], [[name, f"{n:,}"] for name, n in counts], "What was read")


def _ceilings(summary: Mapping[str, Any], look: Look) -> list[Block]:
    """Return how many hands go how high, as a histogram and by quantiles."""
    quantiles = summary["ceiling_quantiles"]
    cells = [_PASS if bid is None else look.points(bid) for bid in quantiles.values()]
    table = Table(
        ["share of all hands", *(f"{100 * float(q):g}%" for q in quantiles)],
        [["ceiling at most", *cells]],
        "Of all hands, so many go no higher",
    )
    bids = {int(bid): n for bid, n in summary["ceilings"].items() if bid != _PASS}
    if not bids:
        return [Texts(["No hand should bid."]), table]
    low, high = min(bids), max(bids)
    width = next((w for w in _WIDTHS if (high - low) / w < _MOST_BINS), high - low)
    counts = [0] * ((high - low) // width + 1)
    for bid, n in bids.items():
        counts[(bid - low) // width] += n
    passes = summary["ceilings"].get(_PASS, 0)
    panel = Panel(
        f"to bid, from {look.points(low)} on",
        f"{counted(passes, 'hand')} to pass",
        0,
        low,
        tuple(n / summary["answered"] for n in counts),
    )
    drawing = histograms(
        "ceilings",
        "How high the hands go",
        f"A histogram of the highest bids, from {look.points(low)} to {look.points(high)}; "
        f"{panel.remark}.",
        [panel],
        width,
        Guide(low, ""),
        below=look.points_about,
        axis="highest bid advised",
    )
    return [Figure(drawing, "Share of all hands by the highest bid advised."), table]


def _suits(summary: Mapping[str, Any], look: Look) -> Table:
    total = max(summary["to_bid"], 1)
    rows = []
    for suit in SUITS:
        n = summary["suits"][SUIT_LETTERS[suit]]
        rows.append([f"{look.suit(suit)} {SUIT_NAMES[suit]}", f"{n:,}", f"{100 * n / total:.0f}%"])
    return Table(["trump", "hands", "share"], rows, "Of the hands to bid")


def _every(results: Sequence[Result], calls: bool, look: Look) -> Block:
    """Return every hand with its advice, or where to find that."""
    if not results:
        return Texts([
            f"There are more than {MOST_LISTED} rows, so the page lists none of them: "
            "advisor batch ... -o OUT.csv writes each with its advice to a file."
        ])  # fmt: skip
    names = [name for name in _LISTED if calls or name != "call"]
    rows = []
    for result in results:
        values = result.values()
        row = [result.id or f"{result.line}"]
        row += [cell(name, values[name], result, look) for name in names]
        if result.answer is None:
            row[1 + names.index("trump")] = "no answer"
        rows.append(row)
    headers = ["row", *(heading(name, look) for name in names)]
    align = "l" + "".join("l" if name in ("hand", "trump") else "r" for name in names)
    return Table(headers, rows, "Every hand and its advice, in the order of the file", align)


def _closest(summary: Mapping[str, Any], look: Look) -> list[Block]:
    in_points = summary["closest_in"] == "points"
    left_out = summary["closest_left_out"]
    rows = []
    for row in summary["closest"]:
        value = Estimate(row["bid_over_pass"], row["bid_over_pass_se"])
        rows.append(
            [
                f"{row['file']}:{row['line']}",
                row["id"] or "",
                look.hand(parse_hand(row["hand"])),
                look.suit(SUIT_LETTERS.index(row["trump"])),
                look.worth(value) if in_points else look.games(value),
            ]
        )
    headers = ["row", "id", "hand", "trump", "bid over pass"]
    blocks: list[Block] = [
        Table(headers, rows, "Hands in which bidding and passing are closest", "lllrr")
    ]
    if left_out:
        blocks.append(Texts([left_out_text(left_out)]))
    return blocks
