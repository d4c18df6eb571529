"""The screens of ``advisor batch``: rows for people, the summary, and what was wrong with rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any, Final

from advisor.batch.hand_columns import OF_ALL_ROWS, plain_name
from advisor.batch.results import COLUMNS, TEXTS, WHOLE, Result
from advisor.batch.rows import named, place_of
from advisor.batch.summary import QUANTILES, Mistakes, Tally
from advisor.errors import HandError
from advisor.game.cards import SUITS
from advisor.game.notation import parse_hand
from advisor.report.frame import bold, github, labelled, paragraph, table
from advisor.report.look import Look, counted

if TYPE_CHECKING:
    from advisor.batch.writers import Sheet

_HEADINGS: Final = {
    "p_make": "made", "expected_score": "score", "expected_score_se": "±",
    "bid_over_pass": "bid−pass", "bid_over_pass_se": "±",
}  # fmt: skip
# Widths of the columns of a table that is written row by row; others go by their heading.
_WIDTHS: Final = {
    "file": 12, "line": 5, "row": 10, "id": 10, "hand": 29, "trump": 5, "action": 6, "bid": 4,
    "call": 4, "p_make": 4, "ceiling": 7, "expected_score": 5, "expected_score_se": 4,
    "bid_over_pass_se": 4, "rules": 12, "error": 30,
}  # fmt: skip
_CARRIED_WIDTH: Final = 12
# What is shown where nothing was chosen, as far as it fits: the most wanted first.
_SHORT: Final = (
    ("row", "hand", "trump", "call", "bid", "p_make"),
    ("expected_score", "expected_score_se"),
    ("bid_over_pass", "bid_over_pass_se"),
)
_MARKDOWN: Final = (
    "line",
    "id",
    "hand",
    "trump",
    "call",
    "bid",
    "p_make",
    "expected_score",
    "expected_score_se",
    "error",
)
_MOST_SHOWN: Final = 10


def cell(name: str, value: Any, result: Result, look: Look) -> str:
    r"""Return one value as people read it.

    >>> cell("id", "table\t4", Result("", 1, None, "", None, 0, None), Look())
    'table 4'
    """
    if name == "bid" and result.answer is not None:
        return bid_text(value, look)
    if name == "call" and value is None and result.answer is not None:
        return "PH" if result.answer.action == "pass_with_help" else "pass"
    if value is None:
        return ""
    if name == "hand":
        return _hand(str(value), result, look)
    if name == "trump":
        return "" if result.answer is None else look.suit(result.answer.trump)
    if _is_text(name):
        return _printable(str(value), look)
    if name in ("line", "samples", "seed", "correction"):
        return str(value)
    if name in WHOLE:
        return look.points(value)
    answer = result.answer
    assert answer is not None
    if name == "bid_over_pass":
        return _difference(value, answer.bid_over_pass_se, result, look)
    chances = "p_make" in name or (
        name.startswith("bid_over") and result.terms is not None and result.terms.score is not None
    )
    if name.endswith("_se"):
        return f"{100 * value:.1f}%" if chances else look.error(value)
    error = getattr(answer, f"{name}_se")
    return look.share((value, error)) if chances else look.mean(value, error)  # type: ignore[arg-type]


def _difference(mean: float, se: float | None, result: Result, look: Look) -> str:
    """Return a difference with its sign: points, or chances where the row has a score."""
    if result.terms is None or result.terms.score is None:
        value = (mean, math.nan if se is None else se)
        return look.worth(value).split(" ")[0]  # type: ignore[arg-type]
    text = f"{100 * mean:+.1f}%"
    return text.replace("-", "−") if look.symbols else text


def _hand(text: str, result: Result, look: Look) -> str:
    if result.answer is None:
        return _printable(text, look)
    try:
        return look.hand(parse_hand(text))
    except HandError:
        return text


def _is_text(name: str) -> bool:
    """Return whether a column holds words, which stand left."""
    return name in TEXTS or name not in COLUMNS


def heading(name: str, look: Look) -> str:
    """Return what a column is called on a screen."""
    shown = _HEADINGS.get(name, name)
    return shown if look.symbols else shown.replace("±", "+/-").replace("−", "-")


def _clipped(text: str, width: int, look: Look) -> str:
    if len(text) <= width:
        return text
    dots = "…" if look.symbols else "..."
    return text[: max(width - len(dots), 0)] + dots


class TableWriter:
    """A table for people, written row by row; its columns have fixed widths.

    Parameters
    ----------
    stream : text file
    sheet : Sheet
        Its columns; a few of them where none were chosen, as many as fit.
    chosen : bool
        Whether they were.
    look : Look
    fit : bool
        Whether chosen columns are left out too where they do not fit: on a terminal, where a
        longer line would be broken.
    calls : bool
        Whether there are auctions, so that the call is shown where no columns were chosen.
    """

    def __init__(
        self,
        stream: IO[str],
        sheet: Sheet,
        chosen: bool,
        look: Look,
        fit: bool = False,
        calls: bool = False,
    ) -> None:
        self._stream, self._sheet, self._look = stream, sheet, look
        self._chosen, self._fit, self._calls = chosen, fit, calls
        self._names: list[str] = []
        self._left_out: list[str] = []

    def write(self, result: Result) -> None:
        """Write one result, and the headings before the first."""
        look = self._look
        values = dict(zip(self._sheet.names, self._sheet.row(result), strict=True))
        # What people call it, where they call it something.
        values["row"] = result.id or result.line
        if not self._names:
            self._begin()
        if result.answer is None and (not self._chosen or "error" in self._left_out):
            self._stream.write(self._bad_line(values, result) + "\n")
            return
        cells = [
            _clipped(cell(name, values[name], result, look), self._width(name), look)
            if _is_text(name)
            else cell(name, values[name], result, look)
            for name in self._names
        ]
        self._stream.write(self._line(cells) + "\n")

    def close(self) -> None:
        """Say which of the columns that were asked for did not fit."""
        if self._left_out:
            text = (
                f"No room for {', '.join(self._left_out)}: -o FILE or --format csv has every "
                "column."
            )
            self._stream.write("\n".join(paragraph(text, self._look)) + "\n")

    def _begin(self) -> None:
        names = self._sheet.names
        # Of all columns the first that fit would be those that say least.
        if self._chosen and not (self._fit and set(COLUMNS) <= set(names)):
            for name in names:
                if not self._fit or not self._names or self._fits([*self._names, name]):
                    self._names.append(name)
        else:
            for names_of in _SHORT:
                group = [name for name in names_of if self._calls or name != "call"]
                if self._names and not self._fits([*self._names, *group]):
                    break
                self._names += group
        if self._chosen:
            shown = {*self._names, *(("id", "line") if "row" in self._names else ())}
            self._left_out = [name for name in names if name not in shown]
        line = self._line([heading(name, self._look) for name in self._names])
        self._stream.write(bold(line, self._look) + "\n")
        self._stream.write(("─" if self._look.symbols else "-") * len(line) + "\n")

    def _fits(self, names: Sequence[str]) -> bool:
        widths = [self._width(name) for name in names]
        return sum(widths) + 2 * (len(widths) - 1) <= self._look.width

    def _width(self, name: str) -> int:
        least = _WIDTHS.get(name, 0 if name in COLUMNS else _CARRIED_WIDTH)
        return max(least, len(heading(name, self._look)))

    def _line(self, cells: Sequence[str]) -> str:
        shown = []
        for name, text in zip(self._names, cells, strict=True):
            left = _is_text(name)
            width = self._width(name)
            shown.append(f"{text:<{width}}" if left else f"{text:>{width}}")
        return "  ".join(shown).rstrip()

    def _bad_line(self, values: dict[str, Any], result: Result) -> str:
        """Return a row without an answer: its hand as written, then what is wrong."""
        look = self._look
        width = self._width("row")
        start = [f"{_clipped(_printable(str(values['row']), look), width, look):<{width}}"]
        hand = _clipped(cell("hand", values["hand"], result, look), 20, look)
        error = _printable(result.error or "", look)
        line = "  ".join([*start, *([hand] if hand else []), error])
        if len(line) > look.width:
            # What is wrong says more than the hand, which the file has too.
            line = "  ".join([*start, error])
        return _clipped(line, look.width, look)


class MarkdownWriter:
    """A table in markdown, row by row."""

    def __init__(
        self, stream: IO[str], sheet: Sheet, chosen: bool, look: Look, calls: bool = False
    ) -> None:
        self._stream, self._sheet, self._look = stream, sheet, look
        usual = [name for name in _MARKDOWN if calls or name != "call"]
        names = sheet.names if chosen else usual
        self._places = [(name, sheet.names.index(name)) for name in names]
        left = [_is_text(name) for name in names]
        self._put([heading(name, look) for name in names])
        self._put([":--" if side else "--:" for side in left])

    def write(self, result: Result) -> None:
        """Write one result."""
        row = self._sheet.row(result)
        self._put([cell(name, row[place], result, self._look) for name, place in self._places])

    def close(self) -> None:
        """Do nothing: nothing is held back."""

    def _put(self, cells: Sequence[str]) -> None:
        shown = (text.replace("\\", "\\\\").replace("|", "\\|") for text in cells)
        self._stream.write(f"| {' | '.join(shown)} |\n")


def _printable(text: str, look: Look) -> str:
    r"""Return a text of the file on one line, its control characters as escapes.

    >>> _printable("a\tb\x1b[2J", Look())
    'a b\\x1b[2J'
    """
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in " ".join(text.split())
    )
    return look.text(shown)


def bid_text(bid: int | None, look: Look) -> str:
    """Return how high to go, or pass."""
    return "pass" if bid is None else look.points(bid)


def share_to_bid(share: float, se: float, look: Look) -> str:
    """Return the share of hands to bid, which is exact for these hands, and its error for all."""
    error = "?" if math.isnan(se) else f"{100 * se:.2g}%"
    return f"{100 * share:.0f}% {look.plus_minus} {error}"


def summary_lines(tally: Tally, look: Look) -> list[str]:
    """Return what all rows say together."""
    rows = f"{tally.rows:,} read, {tally.good:,} answered"
    if tally.repeated:
        rows += f" ({tally.repeated:,} of them met before)"
    if tally.bad:
        rows += f", {tally.bad:,} bad"
    lines = labelled("Rows", rows, look)
    if not tally.good:
        return lines
    share = share_to_bid(*tally.share_to_bid(), look)
    lines += labelled("To bid", f"{tally.to_bid:,} of {counted(tally.good, 'hand')}, {share}", look)
    if tally.to_bid:
        suits = ", ".join(
            f"{look.suit(suit)} {count:,} ({100 * count / tally.to_bid:.0f}%)"
            for suit, count in ((suit, tally.suits[suit]) for suit in SUITS)
        )
        lines += labelled("Trump", suits, look)
        mean = look.estimate(tally.mean_bid())  # type: ignore[arg-type]
        lines += labelled("Up to", f"{mean} in the mean of the hands to bid", look)
    close = f"bid or pass in {counted(tally.close_calls, 'hand')}, trump in {tally.close_trumps:,}"
    lines += labelled("Close", f"{close}: too close to call", look)
    headers = [f"{100 * q:g}%" for q in QUANTILES]
    cells = [bid_text(tally.quantile(q), look) for q in QUANTILES]
    lines += ["", *table([["ceiling at most", *cells]], ["of all hands", *headers], look)]
    if tally.closest:
        lines += ["", *_closest_lines(tally, look)]
    return lines


def run_wide_lines(columns: Sequence[str], look: Look) -> list[str]:
    r"""Return a note on columns named like options that hold for all rows.

    >>> print(*run_wide_lines(["club", "Convention"], Look()), sep="\n")
    Note: the column Convention is carried through; --convention holds for all rows.
    """
    found = [name for name in columns if plain_name(name) in OF_ALL_ROWS]
    if not found:
        return []
    options = _all_of([f"--{plain_name(name)}" for name in found])
    which = f"columns {_all_of(found)} are" if len(found) > 1 else f"column {found[0]} is"
    text = f"Note: the {which} carried through; {options} {'hold' if len(found) > 1 else 'holds'}"
    return paragraph(f"{_printable(text, look)} for all rows.", look)


def _all_of(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _closest_lines(tally: Tally, look: Look) -> list[str]:
    """Return the table of the closest calls, hands in the notation with dots where it is wide."""
    lines = _closest_table(tally, look, dots=False)
    if max(map(len, lines)) > look.width:
        lines = _closest_table(tally, look, dots=True)
    left_out = tally.closest_left_out
    return [*lines, *(paragraph(left_out_text(left_out), look) if left_out else [])]


def _closest_table(tally: Tally, look: Look, dots: bool) -> list[str]:
    several = len({result.source for result in tally.closest}) > 1
    named = any(result.id for result in tally.closest)
    rows = []
    for result in tally.closest:
        answer = result.answer
        assert answer is not None
        assert answer.bid_over_pass is not None
        assert answer.bid_over_pass_se is not None
        value = (answer.bid_over_pass, answer.bid_over_pass_se)
        in_points = result.terms is None or result.terms.score is None
        where = place_of(result.source, result.line, None) if several else f"{result.line}"
        where = _printable(where, look)
        rows.append(
            [
                where,
                *([_clipped(_printable(result.id or "", look), 12, look)] if named else []),
                result.hand if dots else cell("hand", result.hand, result, look),
                look.suit(answer.trump),
                look.worth(value) if in_points else look.games(value),  # type: ignore[arg-type]
            ]
        )
    headers = ["line", *(["id"] if named else []), "closest calls", "trump", "bid over pass"]
    return table(rows, headers, look, align=("rl" if named else "r") + "llr")


def left_out_text(hands: int) -> str:
    """Return which hands are not among the closest calls, and why.

    >>> left_out_text(1)
    'Left out: 1 hand judged at a score, which is compared in chances and not in points.'
    """
    which = "which is" if hands == 1 else "which are"
    return (
        f"Left out: {counted(hands, 'hand')} judged at a score, {which} compared in chances and "
        "not in points."
    )


def summary_screen(tally: Tally, look: Look) -> str:
    """Return the summary as a screen."""
    return "\n".join(summary_lines(tally, look)) + "\n"


def summary_markdown(tally: Tally, look: Look) -> str:
    """Return the summary as a table in markdown: how many hands go how high."""
    share = share_to_bid(*tally.share_to_bid(), look)
    rows = [
        ["rows", f"{tally.rows:,}"],
        ["answered", f"{tally.good:,}"],
        ["met before", f"{tally.repeated:,}"],
        ["bad", f"{tally.bad:,}"],
        ["to bid", f"{tally.to_bid:,} ({share})" if tally.good else "0"],
        ["mean ceiling", look.estimate(tally.mean_bid()) if tally.to_bid else "none"],  # type: ignore[arg-type]
        *([f"{100 * q:g}% go to at most", bid_text(tally.quantile(q), look)] for q in QUANTILES),
        *([f"trump {look.suit(suit)}", f"{tally.suits[suit]:,}"] for suit in SUITS),
        ["bid or pass too close to call", f"{tally.close_calls:,}"],
        ["trump too close to call", f"{tally.close_trumps:,}"],
    ]
    return github(rows, ["what", "hands"])


def mistake_lines(tally: Tally, look: Look) -> list[str]:
    """Return what was wrong with bad rows, those of a kind together."""
    kinds = sorted(tally.mistakes, key=lambda kind: -kind.count)
    lines = [f"Error: {tally.bad:,} of {counted(tally.rows, 'row')} could not be answered"]
    for kind in kinds[:_MOST_SHOWN]:
        lines += _mistake(kind, look)
    more = sum(kind.count for kind in kinds[_MOST_SHOWN:])
    if more:
        lines.append(f"  and {counted(more, 'row')} with other mistakes")
    return lines


def _mistake(kind: Mistakes, look: Look) -> list[str]:
    source, line, name = kind.where[0]
    places = [place_of(source, line, name)]
    places += [
        named(f"{line}", name) if file == source else place_of(file, line, name)
        for file, line, name in kind.where[1:]
    ]
    left = kind.count - len(places)
    if left:
        places.append(f"{left:,} more")
    return [f"  {_printable(', '.join(places), look)}: {_printable(kind.message, look)}"]
