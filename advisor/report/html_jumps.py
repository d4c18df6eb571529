"""The pages of ``advisor jumps``: thresholds compared, and the calls of one hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.game.auction import calls_text
from advisor.report import jump_advice, jumps
from advisor.report.charts import Dot, dots, reach
from advisor.report.decision import call_text
from advisor.report.frame import SMALL_SCALE, notes_on, rules_text
from advisor.report.html import Figure, Page, Section, Table, Texts, page_look
from advisor.report.html_hand import hand_section
from advisor.report.look import counted
from advisor.report.table import predictor_text

if TYPE_CHECKING:
    from advisor.game.rules import Rules
    from advisor.jump_advice import HandCalls
    from advisor.jumps import Comparison
    from advisor.report.look import Look

_RANGES = "Each line is two standard errors to either side."


def comparison_page(found: Comparison, asked: jumps.Asked, command: str) -> Page:
    """Return the page of thresholds compared.

    Parameters
    ----------
    found : Comparison
    asked : Asked
    command : str
        The command that gives the same again.
    """
    contest = found.contest
    look = page_look(contest.rules.scale)
    return Page(
        title="Pinochle jumps compared",
        answer=jumps.verdict(found, asked, look),
        remarks=[],
        facts=_facts(found, asked, look),
        sections=[
            _gains(found, asked, look),
            _pairs(found, asked, look),
            _rules_of(found, asked, look),
        ],
        reproduce=command,
        data=jumps.comparison_object(found, asked, command, matrix=True),
    )


def _points(rules: Rules) -> list[tuple[str, str]]:
    return [("Points", SMALL_SCALE)] if rules.scale == 1 else []


def _facts(found: Comparison, asked: jumps.Asked, look: Look) -> list[tuple[str, str]]:
    contest = found.contest
    hands = []
    if asked.hands is not None:
        held = counted(len(contest.held), "hand")
        hands = [("Hands", f"our side always holds one of the {held} of {asked.hands}")]
    return [
        ("Rules", rules_text(contest.rules)),
        *_points(contest.rules),
        ("Shown", jumps.shown_text(asked, look)),
        ("Opponents", jumps.opponents_text(asked, look)),
        *hands,
        ("Engine", jumps.engine_text(found)),
        ("Deals", f"{found.deals:,}, each played twice"),
        ("Seed", str(contest.seed)),
    ]


def _gains(found: Comparison, asked: jumps.Asked, look: Look) -> Section:
    """Return by how much each rule is better than showing nothing, as dots."""
    fine = replace(look, fine=True)
    items = []
    for row, result in zip(asked.rows, found.results, strict=True):
        if row.is_never:
            continue
        mean, se = result.diff
        around = reach(se)
        name = jumps.row_name(row, asked.on, look)
        label = name if asked.has_helps else f"jump at {name}"
        if result.tied:
            label += " (tie)"
        items.append(
            Dot(label, mean, mean - around, mean + around, fine.worth(result.diff), result.best)
        )
    nothing = "showing nothing" if asked.has_helps else "never jumping"
    title = f"Points a deal over {nothing}"
    drawing = dots(
        "gains",
        title,
        "; ".join(f"{item.label}: {item.text}" for item in items),
        items,
        below=look.points_about,
        axis=title,
    )
    caption = f"{_RANGES} All rules play the same deals. Tie: within two of the best."
    return Section(title, [Figure(drawing, caption)])


def _rules_of(found: Comparison, asked: jumps.Asked, look: Look) -> Section:
    rows, headers = jumps.comparison_cells(found, asked, look)
    block = Table(
        headers,
        rows,
        "What comes of each rule",
        align=jumps.alignment(headers),
        best=found.best,
    )
    return Section(
        "The rules",
        [block, Texts(jumps.comparison_notes(found, asked, headers, look))],
        wide=True,
    )


def _pairs(found: Comparison, asked: jumps.Asked, look: Look) -> Section:
    names, cells = jumps.matrix_cells(found, asked, look)
    rows = [[name, *line] for name, line in zip(names, cells, strict=True)]
    block = Table(["rule", *names], rows, "Points a deal, row less column", best=found.best)
    return Section("Each against each", [block])


def hand_page(found: HandCalls, command: str) -> Page:
    """Return the page of the calls of one hand.

    Parameters
    ----------
    found : HandCalls
    command : str
        The command that gives the same again.
    """
    advice = found.advice
    look = page_look(advice.rules.scale)
    auction = calls_text(advice.decision.position.auction, look.scale)
    return Page(
        title=f"Pinochle calls: {look.hand(advice.hand)}",
        answer=jump_advice.verdict(found, look),
        remarks=notes_on(advice.hand, advice.rules),
        facts=[
            ("Hand", look.hand(advice.hand)),
            ("Rules", rules_text(advice.rules)),
            *_points(advice.rules),
            *([("Calls", auction)] if auction else []),
            ("Engine", predictor_text(advice)),
            ("Deals", f"{advice.samples:,}, each played three times"),
            ("Seed", str(advice.seed)),
            ("Version", f"advisor {advice.version}"),
        ],
        sections=[
            hand_section(advice.hand, advice.rules, advice.suggestion.trump, look),
            _calls(found, look),
            _conventions(found, look),
        ],
        reproduce=command,
        data=jump_advice.hand_object(found, command),
    )


def _calls(found: HandCalls, look: Look) -> Section:
    first = found.conventions[0]
    known = found.advice.decision.score is not None
    items = []
    for action in jump_advice.ACTIONS:
        option = first.option(action)
        if option is None:
            continue
        value = option.win if known and option.win is not None else option.value
        around = reach(value.se)
        text = look.games(value) if known else look.worth(value)
        label = call_text(option, look)
        best = option is first.decision.options[0]
        items.append(Dot(label, value.mean, value.mean - around, value.mean + around, text, best))
    what = "Chance to win the game" if known else "Worth, ours less theirs"
    drawing = dots(
        "calls",
        f"{what}, by call",
        "; ".join(f"{item.label}: {item.text}" for item in items),
        items,
        below=(lambda share: f"{100 * share:g}%") if known else look.points_about,
        axis=what,
        zero=not known,
    )
    caption = (
        f"Under the convention {first.convention.name}. {_RANGES} Calls are compared on the same "
        "deals, so their differences are known better than that."
    )
    return Section("What each call is worth", [Figure(drawing, caption)], wide=True)


def _conventions(found: HandCalls, look: Look) -> Section:
    rows, headers = jump_advice.calls_cells(found, look)
    block = Table(headers, rows, "Under each convention", align="lrrrrrlr")
    return Section(
        "The conventions", [block, Texts(jump_advice.calls_notes(found, look))], wide=True
    )
