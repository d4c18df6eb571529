"""What ``advisor jumps`` prints: table, matrix, JSON, CSV and markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from advisor.game.meanings import QUANTITIES, Meaning
from advisor.jump_rows import JUMP_STEPS, NEVER, SHOWN, Row
from advisor.report.data import SCHEMA, to_csv
from advisor.report.frame import (
    SMALL_SCALE,
    bold,
    changed_settings,
    github,
    labelled,
    paragraph,
    rules_text,
    table,
)
from advisor.report.look import Look, counted
from advisor.rules_of_bidding.names import RULE_NAMES

if TYPE_CHECKING:
    from advisor.jumps import Comparison, Result
    from advisor.pricing import Estimate

COLUMNS: Final = (
    "on", "rules", "opponents", "engine", "seed", "deals", "threshold", "pass_help", "jumps",
    "helps", "acted", "contracts", "bid", "made", "diff", "diff_se", "win", "win_se", "win_diff",
    "win_diff_se", "behind", "behind_se", "best", "tied",
)  # fmt: skip
# Where rules rarely differ, the error of a handful of deals is easily 0.
FEW_DEALS: Final = 100
_LABEL: Final = 11
_WON: Final = "game\nwon"
_GETS: Final = "gets\nit"
_MEAN: Final = "at,\nmean"
# Columns of the table, from the one that can best be spared.
_LEAST: Final = (_WON, _GETS, _MEAN)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, as far as the comparison does not hold it.

    Parameters
    ----------
    on : str
        What a jump shows.
    rows : tuple of Row
        The rules compared, in the order of the comparison.
    opponents : str
        The other side's rule, as it was given.
    hands : str or None
        The file that our hands came from.
    interrupted : bool
        Whether it was stopped before it was done.
    asked_deals : int
        How many deals it was to be.
    """

    on: str
    rows: tuple[Row, ...]
    opponents: str
    hands: str | None
    interrupted: bool
    asked_deals: int

    @property
    def has_helps(self) -> bool:
        """Whether a pass with help is compared."""
        return any(row.pass_help is not None for row in self.rows)


def comparison_object(
    found: Comparison, asked: Asked, command: str, *, matrix: bool = False
) -> dict[str, Any]:
    """Return what ``advisor jumps --json`` prints.

    Notes
    -----
    ``thresholds`` has ``never`` first, then the thresholds in the order asked: jumps and helps
    (shares of auctions), acted (share of those in which partner's reading changed the end),
    contracts (share of auctions that our side got), bid (their average), made (share), diff
    (points a deal over never jumping, paired), win (chance to win the game after a deal) and
    win_diff, behind (what the best is ahead), each with its ``_se``, best and tied. ``pass_help``
    is null where a pass with help shows nothing, bid and made where our side got no contract.
    ``matrix`` is there on request: row less column.
    ``complete`` is false where the run was stopped before it was done.
    """
    contest = found.contest
    value: dict[str, Any] = {
        "schema": SCHEMA,
        "on": asked.on,
        "rules": contest.rules.name,
        "settings": changed_settings(contest.rules),
        "opponents": asked.opponents,
        "jump_seat": "first" if contest.first_only else "any",
        "hands": asked.hands,
        "engine": contest.engine,
        "correction": _correction(found),
        "score": list(contest.score),
        "deals": found.deals,
        "seed": contest.seed,
        "complete": not asked.interrupted,
        "thresholds": [
            _row_object(row, result) for row, result in zip(asked.rows, found.results, strict=True)
        ],
        "reproduce": command,
    }
    if matrix:
        numbers = range(len(asked.rows))
        pairs = [[found.difference(i, j) for j in numbers] for i in numbers]
        value["matrix"] = [[pair.mean for pair in line] for line in pairs]
        value["matrix_se"] = [[pair.se for pair in line] for line in pairs]
    return value


def _correction(found: Comparison) -> int | None:
    correction = found.contest.predictor.correction
    return None if correction is None else correction.version


def _row_object(row: Row, result: Result) -> dict[str, Any]:
    return {
        "threshold": NEVER if row.jump is None else row.jump,
        "pass_help": row.pass_help,
        "jumps": result.jumps,
        "helps": result.helps,
        "acted": result.acted,
        "contracts": result.contracts,
        "bid": result.bid if result.contracts else None,
        "made": result.made if result.contracts else None,
        **_pair("diff", result.diff),
        **_pair("win", result.win),
        **_pair("win_diff", result.win_diff),
        **_pair("behind", result.behind),
        "best": result.best,
        "tied": result.tied,
    }


def _pair(name: str, value: Estimate) -> dict[str, float]:
    return {name: value.mean, f"{name}_se": value.se}


def comparison_csv(found: Comparison, asked: Asked) -> str:
    """Return one row for each rule, ``never`` first."""
    contest = found.contest
    fixed = (
        asked.on, contest.rules.name, asked.opponents, contest.engine, contest.seed, found.deals
    )  # fmt: skip
    rows = [
        (*fixed, *_row_object(row, result).values())
        for row, result in zip(asked.rows, found.results, strict=True)
    ]
    return to_csv(COLUMNS, rows)


def row_name(row: Row, on: str, look: Look) -> str:
    """Return a rule as the table names it.

    >>> from advisor.game.conventions import PRESETS
    >>> row_name(Row(60, 40, PRESETS["none"]), "meld", Look())
    '60 + help 40'
    """
    parts = [] if row.jump is None else [_amount(row.jump, on, look)]
    if row.pass_help is not None:
        parts.append(f"help {_amount(row.pass_help, on, look)}")
    return " + ".join(parts) or NEVER


def _amount(number: int, on: str, look: Look) -> str:
    return look.points(number) if QUANTITIES[SHOWN[on][0]].points else str(number)


def _percent(share: float) -> str:
    text = f"{100 * share:.0f}%"
    if text == "0%" and share > 0:
        return "<1%"
    return ">99%" if text == "100%" and share < 1 else text


def comparison_cells(
    found: Comparison, asked: Asked, look: Look
) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of the table of rules."""
    rows, fine = [], replace(look, fine=True)
    for row, item in zip(asked.rows, found.results, strict=True):
        shows = not row.is_never
        cells = [row_name(row, asked.on, look)]
        cells.append("-" if row.jump is None else _percent(item.jumps))
        if asked.has_helps:
            cells.append("-" if row.pass_help is None else _percent(item.helps))
        cells += [
            _percent(item.acted) if shows else "-",
            _percent(item.contracts),
            look.points(round(item.bid)) if item.contracts else "-",
            _percent(item.made) if item.contracts else "-",
            "base" if row.is_never else fine.worth(item.diff),
            "best" if item.best else fine.estimate(item.behind),
            "tie" if item.tied else "",
            f"{100 * item.win.mean:.1f}%",
        ]
        rows.append(cells)
    headers = [
        "rule" if asked.has_helps else "jump at",
        "jumps",
        *(["helps"] if asked.has_helps else []),
        "part-\nner\nacts",
        _GETS,
        _MEAN,
        "made",
        f"points over\nnever {look.plus_minus}",
        f"worse\nby {look.plus_minus}",
        "",
        _WON,
    ]
    return rows, headers


def alignment(headers: Sequence[str]) -> str:
    """Return the letter of each column: those without a header hold words."""
    return "l" + "".join("r" if header else "l" for header in headers[1:])


def comparison_screen(
    found: Comparison, asked: Asked, look: Look, command: str, *, matrix: bool = False
) -> str:
    """Return the whole screen: head, table, what its columns mean, and last the answer."""
    contest = found.contest
    lines = labelled("Rules", rules_text(contest.rules), look, _LABEL)
    if contest.rules.scale == 1:
        lines += labelled("", SMALL_SCALE, look, _LABEL)
    lines += labelled("Shown", shown_text(asked, look), look, _LABEL)
    lines += labelled("Opponents", opponents_text(asked, look), look, _LABEL)
    if asked.hands is not None:
        held = counted(len(contest.held), "hand")
        where = f"our side always holds one of the {held} of {look.text(asked.hands)}"
        lines += labelled("Hands", where, look, _LABEL)
    lines += labelled("Engine", engine_text(found), look, _LABEL)
    rows, headers = comparison_cells(found, asked, look)
    kept, body = _fitting(rows, headers, look)
    top = len(body) - len(rows)
    body[top + found.best] = bold(body[top + found.best], look)
    lines += ["", *body, *comparison_notes(found, asked, kept, look)]
    if matrix:
        lines += ["", *_matrix_lines(found, asked, look)]
    lines += ["", *(bold(line, look) for line in paragraph(verdict(found, asked, look), look))]
    return "\n".join([*lines, f"reproduce: {command}"]) + "\n"


def _fitting(rows: list[list[str]], headers: list[str], look: Look) -> tuple[list[str], list[str]]:
    """Return headers and lines of the table; where it is too wide, what matters least goes."""
    names, body = headers, [""]
    for gone in range(len(_LEAST) + 1):
        kept = [i for i, header in enumerate(headers) if header not in _LEAST[:gone]]
        names = [headers[i] for i in kept]
        body = table([[row[i] for i in kept] for row in rows], names, look, align=alignment(names))
        if max(map(len, body)) <= look.width:
            break
    return names, body


def shown_text(asked: Asked, look: Look) -> str:
    """Return what the calls compared show."""
    kind = QUANTITIES[SHOWN[asked.on][0]]
    jumped = any(row.jump is not None for row in asked.rows)
    calls = [*(["a jump of two steps"] if jumped else [])]
    if asked.has_helps:
        calls.append("a pass with help")
    return f"by {' and '.join(calls)}: so many {kind.many}, or more"


def opponents_text(asked: Asked, look: Look) -> str:
    """Return the rule of the other side."""
    if asked.opponents == "standard":
        return "the standard rule, which agrees on nothing"
    if asked.opponents in RULE_NAMES:
        return f"the rule {asked.opponents} of the league: {RULE_NAMES[asked.opponents]}"
    return f"the standard rule with {look.text(asked.opponents)}"


def engine_text(found: Comparison) -> str:
    """Return the engine behind the trick points, and its correction."""
    contest = found.contest
    correction = _correction(found)
    if correction is None:
        return f"{contest.engine}, raw"
    return f"{contest.engine}, corrected to real play (version {correction})"


def comparison_notes(found: Comparison, asked: Asked, kept: Sequence[str], look: Look) -> list[str]:
    """Return what the columns kept mean."""
    shown = "with a jump" + (" or a pass with help" if asked.has_helps else "")
    shares = ["jumps", *(["helps"] if asked.has_helps else []), *(["gets it"] * (_GETS in kept))]
    text = (
        f"Points a deal; {look.plus_minus}: one standard error of a paired difference. "
        f"{', '.join(shares).capitalize()}: share of auctions; partner acts: share of those "
        f"{shown} that end otherwise because partner read it. Tie: within 2 standard errors of "
        "the best."
    )
    if _WON in kept:
        text += f" Game won: after such a deal from {_score_text(found, look)}"
        if found.deals > 1:
            error = 100 * max(item.win.se for item in found.results)
            text += f", {look.plus_minus} "
            text += f"{error:.2f}%" if error >= 0.005 else "less than 0.01%"
        text += "."
    return paragraph(text, look)


def _score_text(found: Comparison, look: Look) -> str:
    ours, theirs = found.contest.score
    return f"{look.points(ours)} to {look.points(theirs)}"


def matrix_cells(found: Comparison, asked: Asked, look: Look) -> tuple[list[str], list[list[str]]]:
    """Return the names of the rules, and by how much each is ahead of each, row less column."""
    names, fine = [row_name(row, asked.on, look) for row in asked.rows], replace(look, fine=True)
    numbers = range(len(names))
    return names, [
        ["" if i == j else fine.worth(found.difference(i, j)) for j in numbers] for i in numbers
    ]


def _matrix_lines(found: Comparison, asked: Asked, look: Look) -> list[str]:
    """Return all pairs, in blocks of columns that fit the screen."""
    names, cells = matrix_cells(found, asked, look)
    numbers = range(len(names))
    lines = ["Points a deal, row less column"]
    start = 0
    while start < len(names):
        stop = len(names)
        while True:
            rows = [[names[i], *cells[i][start:stop]] for i in numbers]
            body = table(rows, ["", *names[start:stop]], look)
            if max(map(len, body)) <= look.width or stop == start + 1:
                break
            stop -= 1
        lines += ([""] if start else []) + body
        start = stop
    return lines


def words_of(row: Row, on: str, look: Look) -> str:
    """Return a rule as the verb of a sentence."""
    shown = SHOWN[on][0]
    parts = []
    if row.jump is not None:
        parts.append(f"jump with {Meaning(JUMP_STEPS, shown, row.jump).words(look.scale)}")
    if row.pass_help is not None:
        parts.append(f"pass with help with {Meaning(0, shown, row.pass_help).words(look.scale)}")
    return " and ".join(parts) or "never jump"


def verdict(found: Comparison, asked: Asked, look: Look) -> str:
    """Return the answer in a sentence or two, with its uncertainty."""
    rows, results, fine = asked.rows, found.results, replace(look, fine=True)
    best = found.best
    deals = counted(found.deals, "deal")
    stopped = ""
    if asked.interrupted:
        stopped = f" Stopped after {found.deals:,} of {counted(asked.asked_deals, 'deal')}."
    if found.deals < 2:
        return f"One deal has no standard error: nothing is settled.{stopped}"
    if found.deals < FEW_DEALS:
        stopped = f" So few deals settle nothing.{stopped}"
    nothing = "showing nothing" if asked.has_helps else "never jumping"
    tied = {i for i in range(len(rows)) if results[i].tied}
    base = next(i for i, row in enumerate(rows) if row.is_never)
    if best == base:
        others = [i for i in range(len(rows)) if i != best]
        nearest = min(others, key=lambda i: results[i].behind.mean)
        words = f"{words_of(rows[nearest], asked.on, look)}, the nearest, is worth "
        words += f"{fine.worth(results[nearest].diff)} points a deal against it"
        text = f"{'Show nothing' if asked.has_helps else 'Never jump'}: {words}"
    elif base in tied:
        tied.discard(base)
        text = f"Nothing is clearly better than {nothing}: {words_of(rows[best], asked.on, look)}, "
        text += f"the best, is worth {fine.worth(results[best].diff)} points a deal over it"
    else:
        words = words_of(rows[best], asked.on, look)
        text = f"{words[0].upper()}{words[1:]}: worth {fine.worth(results[best].diff)} points a "
        text += f"deal over {nothing}"
    text += f" ({deals})."
    if tied:
        names = "; ".join(row_name(rows[i], asked.on, look) for i in sorted(tied))
        text += f" Too close to call: {names}."
    return text + stopped


def comparison_markdown(found: Comparison, asked: Asked, look: Look) -> str:
    """Return the table alone, in markdown."""
    rows, headers = comparison_cells(found, asked, look)
    names = [" ".join(header.replace("part-\n", "part").split()) for header in headers]
    return github(rows, names, align=alignment(headers))
