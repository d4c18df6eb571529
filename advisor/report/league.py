"""What ``advisor league`` prints: standings and pairs, as table, JSON, CSV and markdown."""

from __future__ import annotations

import math
import shlex
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from advisor.report.data import SCHEMA, to_csv
from advisor.report.frame import (
    bold,
    changed_settings,
    github,
    labelled,
    paragraph,
    rules_text,
    table,
)
from advisor.report.look import Look, counted
from advisor.rules_of_bidding.names import DEFAULT_DEALS, DEFAULT_RULES, RULE_NAMES

if TYPE_CHECKING:
    from advisor.league import League
    from advisor.league_tally import Pairing, Side, Standing, Tally

COLUMNS: Final = (
    "a", "b", "rules", "engine", "seed", "deals", "points_per_deal", "se", "ci95_low", "ci95_high",
    "games", "games_won", "games_won_se", "declares_a", "bid_a", "made_a", "declares_b", "bid_b",
    "made_b",
)  # fmt: skip
_LABEL: Final = 9
# Columns that the figures of a standing take, and the gaps between them.
_NUMBERS: Final = 45
_UNWRAPPED: Final = 1000


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, as far as the league does not hold it.

    Parameters
    ----------
    deals : int
    rules : str
        As ``--rules`` had it.
    always_rules : bool
        Whether to name it although it is the default: the environment says otherwise.
    changes : tuple of str
        As ``--set`` had them.
    flags : tuple of str
        Options of the output.
    interrupted : bool
        Whether it was stopped before it was done.
    """

    deals: int
    rules: str = "cardgames"
    always_rules: bool = False
    changes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    interrupted: bool = False


def reproduce(league: League, asked: Asked) -> str:
    """Return the command that prints the same again."""
    words = ["advisor", "league"]
    if league.names != DEFAULT_RULES:
        words += ["--rules-of-bidding", ",".join(league.names)]
    if asked.deals != DEFAULT_DEALS:
        words += ["--deals", str(asked.deals)]
    if asked.always_rules or asked.rules != "cardgames":
        words += ["--rules", shlex.quote(asked.rules)]
    for change in asked.changes:
        words += ["--set", shlex.quote(change)]
    if league.engine != "policy":
        words += ["--engine", league.engine]
    return " ".join([*words, "--seed", str(league.seed), *asked.flags])


def league_object(league: League, tally: Tally, asked: Asked) -> dict[str, Any]:
    """Return what ``advisor league --json`` prints.

    Notes
    -----
    ``pairs`` has each two rules once: points_per_deal of a over b, its ``se`` and ``ci95``; games
    finished, and games_won, the share of them that a has won; of both, how often they declare in
    the deals against the other, their average bid, and the share made. ``order`` names the rules,
    the best first, and ``standings`` their Elo-like ratings and means over all opponents.
    """
    return {
        "schema": SCHEMA,
        "rules": league.rules.name,
        "settings": changed_settings(league.rules),
        "engine": league.engine,
        "seed": league.seed,
        "deals": tally.deals,
        "complete": not asked.interrupted,
        "pairs": [_pair_object(pairing) for pairing in tally.pairings()],
        "order": [standing.name for standing in tally.standings()],
        "standings": [
            {
                "rule": standing.name,
                "rating": standing.rating,
                "points_per_deal": standing.points,
                "games_won": standing.won,
                **_side_object(standing.side),
            }
            for standing in tally.standings()
        ],
        "reproduce": reproduce(league, asked),
    }


def _pair_object(pairing: Pairing) -> dict[str, Any]:
    return {
        "a": pairing.a,
        "b": pairing.b,
        "deals": pairing.deals,
        "points_per_deal": pairing.points.mean,
        "se": pairing.points.se,
        "ci95": list(pairing.ci95),
        "games": pairing.games,
        "games_won": pairing.won.mean,
        "games_won_se": pairing.won.se,
        "side_a": _side_object(pairing.side_a),
        "side_b": _side_object(pairing.side_b),
    }


def _side_object(side: Side) -> dict[str, float]:
    return {"declares": side.share, "bid": side.bid, "made": side.made}


def league_csv(league: League, tally: Tally) -> str:
    """Return one row for each pair."""
    rows = []
    for pairing in tally.pairings():
        low, high = pairing.ci95
        rows.append(
            (
                pairing.a, pairing.b, league.rules.name, league.engine, league.seed, pairing.deals,
                pairing.points.mean, pairing.points.se, low, high, pairing.games, pairing.won.mean,
                pairing.won.se, *_side_object(pairing.side_a).values(),
                *_side_object(pairing.side_b).values(),
            )
        )  # fmt: skip
    return to_csv(COLUMNS, rows)


def league_markdown(tally: Tally, look: Look) -> str:
    """Return standings and all pairs as two tables."""
    # A cell of two lines would be two rows.
    rows, headers = standing_cells(tally.standings(), replace(look, width=_UNWRAPPED))
    flat = [header.replace("\n", " ") for header in headers]
    pairs, pair_headers = pair_cells(tally.pairings(), look)
    return "\n\n".join(
        [
            github(rows, flat, align="lrrrrrrl"),
            github(pairs, [header.replace("\n", " ") for header in pair_headers], align="llrrr"),
        ]
    )


def league_screen(league: League, tally: Tally, look: Look, asked: Asked, *, every: bool) -> str:
    """Return standings, pairs, and what they come to.

    Parameters
    ----------
    league : League
    tally : Tally
        Of a deal or more.
    look : Look
    asked : Asked
    every : bool
        Whether to list all pairs, not only those of the best rule.
    """
    standings = tally.standings()
    lines = labelled("Rules", rules_text(league.rules), look, _LABEL)
    lines += labelled("Engine", engine_text(league), look, _LABEL)
    lines += labelled("Deals", f"{tally.deals:,}, each in both directions", look, _LABEL)
    if asked.interrupted:
        lines += labelled(
            "Stopped", f"after {tally.deals:,} of {counted(asked.deals, 'deal')}", look, _LABEL
        )
    rows, headers = standing_cells(standings, look)
    drawn = table(rows, headers, look, align="lrrrrrrl"[: len(headers)])
    lines += ["", *drawn, ""]
    best = standings[0].name
    pairings = [seen_from(best, pairing) for pairing in tally.pairings()]
    if not every:
        pairings = [pairing for pairing in pairings if pairing.a == best]
        place = {standing.name: i for i, standing in enumerate(standings)}
        pairings.sort(key=lambda pairing: place[pairing.b])
    rows, headers = pair_cells(pairings, look)
    lines += [*table(rows, headers, look, align="llrrr"), ""]
    lines += paragraph(
        f"Points a deal: ours less theirs, mean of both directions. {look.plus_minus} is one "
        "standard error; Elo is the order by games won, with a mean of 1500.",
        look,
    )
    lines += ["", *(bold(line, look) for line in paragraph(verdict(tally, standings, look), look))]
    return "\n".join([*lines, "", f"reproduce: {reproduce(league, asked)}"]) + "\n"


def engine_text(league: League) -> str:
    """Return the engine behind the trick points, and its correction."""
    from advisor.playing import Predictor

    correction = Predictor.of(league.rules, league.engine, False).correction
    if correction is None:
        return f"{league.engine}, raw"
    return f"{league.engine}, corrected to real play (version {correction.version})"


def seen_from(best: str, pairing: Pairing) -> Pairing:
    """Return a pair as the better rule sees it."""
    return pairing.turned() if pairing.b == best else pairing


def verdict(tally: Tally, standings: Sequence[Standing], look: Look) -> str:
    """Return who is first, and by how much."""
    first, second = standings[0].name, standings[1].name
    pairing = next(
        seen_from(first, pairing)
        for pairing in tally.pairings()
        if {pairing.a, pairing.b} == {first, second}
    )
    if math.isnan(pairing.points.se):
        return f"One deal says nothing; {first} is ahead of {second} in it."
    low, high = (look.points(round(x)) for x in pairing.ci95)
    if pairing.ci95[0] <= 0:
        return (
            f"Too close to call: {first} against {second}, {look.worth(pairing.points)} points a "
            f"deal (95%: {low} to {high})."
        )
    text = (
        f"{first} is first: {look.worth(pairing.points)} points a deal against {second}, which is "
        f"next (95%: {low} to {high})"
    )
    if pairing.games:
        text += f", and {look.share_with_error(pairing.won)} of the games to "
        text += look.points(tally.rules.target)
    return f"{text}."


def standing_cells(standings: Sequence[Standing], look: Look) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of the standings."""
    said = {standing.name: RULE_NAMES.get(standing.name, "") for standing in standings}
    room = look.width - max(map(len, said)) - _NUMBERS
    # Where not even a word would fit, what the rules are is left out.
    tells = room >= max(len(word) for text in said.values() for word in [*text.split(), ""])
    rows = []
    for standing in standings:
        side = standing.side
        none = math.isnan(side.bid)
        rows.append(
            [
                standing.name,
                f"{standing.rating:.0f}",
                _signed(standing.points, look),
                "-" if math.isnan(standing.won) else f"{100 * standing.won:.0f}%",
                f"{100 * side.share:.0f}%",
                "-" if none else look.points(round(side.bid)),
                "-" if none else f"{100 * side.made:.0f}%",
                *([textwrap.fill(said[standing.name], room)] if tells else []),
            ]
        )
    headers = ["rule", "Elo", "points\na deal", "games\nwon", "gets\nit", "at,\nmean", "made"]
    return rows, [*headers, *([""] if tells else [])]


def pair_cells(pairings: Sequence[Pairing], look: Look) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of pairs."""
    rows = []
    for pairing in pairings:
        low, high = pairing.ci95
        between = "?" if math.isnan(low) else f"{_signed(low, look)} to {_signed(high, look)}"
        rows.append(
            [
                pairing.a,
                pairing.b,
                look.worth(pairing.points),
                between,
                "-" if not pairing.games else look.share_with_error(pairing.won),
            ]
        )
    return rows, [
        "rule",
        "against",
        f"points\na deal {look.plus_minus}",
        "95%\nbetween",
        "games\nwon",
    ]


def _signed(points: float, look: Look) -> str:
    text = look.points(round(points))
    return f"+{text}" if round(points) > 0 else text
