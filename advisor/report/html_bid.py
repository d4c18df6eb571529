"""The page of ``advisor bid``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.game.cards import SUIT_NAMES
from advisor.report.answer import answer, is_asked
from advisor.report.charts import (
    Dot,
    dots,
    reach,
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
from advisor.report.html_bid_charts import (
    bid_in_question,
    chances,
    parts,
    scores,
    worth,
)
from advisor.report.html_hand import hand_section
from advisor.report.table import (
    notes,
    predictor_text,
    table_cells,
    three_bids,
)
from advisor.report.why import BIDS_NOTE, bids_cells, why_rows

if TYPE_CHECKING:
    from advisor.advice import BidAdvice
    from advisor.decision import Option
    from advisor.report.look import Look


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
        scores(advice, look),
        chances(advice, look),
        worth(advice, look),
        parts(advice, look),
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
    error = reach(value.se)
    return Dot(label, value.mean, value.mean - error, value.mean + error, text, best)


def _named(advice: BidAdvice, look: Look) -> Section:
    rows, headers = bids_cells(advice, look)
    asked = look.points(round(bid_in_question(advice, look).at))
    chosen = next((i for i, row in enumerate(rows) if row[0] == asked), None)
    trump = SUIT_NAMES[advice.suggestion.trump]
    block = Table(headers, rows, f"With {trump} as trump", align="rrrrl", best=chosen)
    return Section("Named bids", [block, Texts([BIDS_NOTE])], wide=True)
