"""The screen and the JSON of ``advisor solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from advisor.game.cards import SUIT_LETTERS, Card, card_name
from advisor.report.frame import changed_settings, labelled, paragraph, rules_text, table
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.dealfile import OpenDeal
    from advisor.game.rules import Rules
    from advisor.solve import Solution

SCHEMA: Final = 1
_LABEL: Final = len("Seat 0  ")


def solution_object(
    deal: OpenDeal, solution: Solution, rules: Rules, *, line: bool, number: int | None = None
) -> dict[str, Any]:
    """Return what ``advisor solve --json`` prints for one deal.

    Points are x10: ``points`` for seats 0 and 2, ``leads`` the same after each card that the
    leader may lead, ``best`` the leads that are best for him. ``settings`` are the rules that
    differ from the preset. ``table_mb`` is the memory of the table of positions, in megabytes of
    2**20 bytes. ``line_number`` is there for a deal of a file: its `number` there.
    """
    value: dict[str, Any] = {
        "schema": SCHEMA,
        "hands": [str(hand) for hand in deal.hands],
        "trump": SUIT_LETTERS[deal.trump],
        "leader": deal.leader,
        "rules": rules.name,
        "settings": changed_settings(rules),
        "engine": solution.engine,
        "points": solution.points,
        "other_points": solution.other_points,
        "leads": {card_name(card): points for card, points in solution.leads.items()},
        "best": [card_name(card) for card in solution.best_leads(deal.leader)],
        "table_mb": solution.table_bytes >> 20,
    }
    if number is not None:
        value["line_number"] = number
    if line:
        value["line"] = [card_name(card) for card in solution.line]
    return value


def solution_screen(
    deal: OpenDeal,
    solution: Solution,
    rules: Rules,
    look: Look,
    *,
    line: bool,
    number: int | None = None,
) -> str:
    """Return the screen of one deal: hands, rules, leads, line of play, last what can be made.

    A deal of a file is headed by the number of its line.
    """
    lines = [] if number is None else [f"Line {number} of the file", ""]
    lines += [
        f"Seat {seat}  {look.hand(hand)}{'   leads' if seat == deal.leader else ''}"
        for seat, hand in enumerate(deal.hands)
    ]
    lines += labelled("Rules", rules_text(rules), look, _LABEL)
    lines += ["", f"Trump {look.suit(deal.trump)}. Seats 0 and 2 are partners.", ""]
    side = deal.leader % 2
    total = solution.points + solution.other_points
    best = solution.best_leads(deal.leader)
    rows = [
        [
            look.card(card),
            look.points(points if side == 0 else total - points),
            "best" if card in best else "",
        ]
        for card, points in sorted(
            solution.leads.items(), key=lambda item: item[1] * (1 if side else -1)
        )
    ]
    lines += table(rows, ["lead", "points", ""], look, align="lrl")
    if line:
        kind = "perfect play" if solution.engine == "exact" else "play by rule"
        lines += ["", f"One line of {kind}, a trick at a time:"]
        for start in range(0, len(solution.line), 4):
            cards = "  ".join(look.card(card) for card in solution.line[start : start + 4])
            lines.append(f"  {start // 4 + 1:>2}  {cards}")
    if solution.table_bytes:
        lines += ["", f"Table of positions: {solution.table_bytes >> 20} MB."]
    return "\n".join([*lines, "", *paragraph(_said(solution, best, look), look)]) + "\n"


def _said(solution: Solution, best: tuple[Card, ...], look: Look) -> str:
    """Return what the engine says, in a sentence."""
    leads = ", ".join(look.card(card) for card in best)
    ours, theirs = look.points(solution.points), look.points(solution.other_points)
    if solution.engine == "policy":
        return (
            f"Played by rule, each seat seeing its own cards, seats 0 and 2 take {ours}, seats 1 "
            f"and 3 {theirs}; the lead is {leads}."
        )
    # With few cards left even `lite` solves.
    if not solution.table_bytes:
        return (
            f"Judged with all hands open, not solved, seats 0 and 2 take about {ours}, seats 1 and "
            f"3 {theirs}; best lead: {leads}."
        )
    return (
        f"With all hands open and perfect play seats 0 and 2 take {ours}, seats 1 and 3 {theirs}; "
        f"best lead: {leads}."
    )
