"""The page of ``advisor league``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.report import league as report
from advisor.report.charts import Dot, dots
from advisor.report.frame import SMALL_SCALE, rules_text
from advisor.report.html import Figure, Page, Section, Table, Texts, page_look
from advisor.report.look import counted

if TYPE_CHECKING:
    from advisor.league import League
    from advisor.league_tally import Tally
    from advisor.report.look import Look

_NOTE = (
    "Points a deal: ours less theirs, mean of both directions; ± is one standard error. Elo is the "
    "order by games won, with a mean of 1500."
)


def league_page(league: League, tally: Tally, asked: report.Asked) -> Page:
    """Return the page of a league.

    Parameters
    ----------
    league : League
    tally : Tally
        Of a deal or more.
    asked : Asked
    """
    look = page_look(league.rules.scale)
    plain = replace(asked, flags=())
    standings = tally.standings()
    stopped = []
    if asked.interrupted:
        stopped = [f"Stopped after {tally.deals:,} of {counted(asked.deals, 'deal')}."]
    rows, headers = report.standing_cells(standings, look)
    return Page(
        title="Pinochle league",
        answer=report.verdict(tally, standings, look),
        remarks=stopped,
        facts=[
            ("Rules", rules_text(league.rules)),
            *([("Points", SMALL_SCALE)] if league.rules.scale == 1 else []),
            ("Engine", report.engine_text(league)),
            ("Deals", f"{tally.deals:,}, each in both directions"),
            ("Seed", str(league.seed)),
        ],
        sections=[
            Section(
                "Standings",
                [
                    Table(headers, rows, "The best first", align="lrrrrrrl", best=0),
                    Texts([_NOTE]),
                ],
                wide=True,
            ),
            _against(standings[0].name, tally, look),
            _pairs(tally, look),
        ],
        reproduce=report.reproduce(league, plain),
        data=report.league_object(league, tally, plain),
    )


def _against(best: str, tally: Tally, look: Look) -> Section:
    """Return the first rule against each of the others, as dots."""
    items = []
    for pairing in tally.pairings():
        if best not in (pairing.a, pairing.b):
            continue
        seen = report.seen_from(best, pairing)
        low, high = seen.ci95 if seen.deals > 1 else (seen.points.mean, seen.points.mean)
        items.append(Dot(f"against {seen.b}", seen.points.mean, low, high, look.worth(seen.points)))
    items.sort(key=lambda item: item.value)
    drawing = dots(
        "against",
        f"Points a deal of {best} against each other rule",
        "; ".join(f"{item.label}: {item.text}" for item in items),
        items,
        below=look.points_about,
        axis="points a deal",
    )
    caption = f"Points a deal of {best}, with their 95% interval. A line that reaches 0 is a tie."
    return Section(f"{best} against the others", [Figure(drawing, caption)])


def _pairs(tally: Tally, look: Look) -> Section:
    rows, headers = report.pair_cells(tally.pairings(), look)
    return Section("All pairs", [Table(headers, rows, "The first against the second", "llrrr")])
