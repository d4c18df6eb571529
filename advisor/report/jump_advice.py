"""What ``advisor jumps HAND`` prints: the calls of a hand under each convention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from advisor.game.auction import calls_text
from advisor.report.data import SCHEMA, to_csv
from advisor.report.decision import call_text
from advisor.report.frame import bold, changed_settings, github, head, labelled, paragraph, table
from advisor.report.look import Look, counted
from advisor.report.table import predictor_text

if TYPE_CHECKING:
    from advisor.decision import Option
    from advisor.jump_advice import HandCalls, UnderConvention
    from advisor.pricing import Estimate

ACTIONS: Final = ("pass", "pass_with_help", "raise", "jump")
COLUMNS: Final = (
    "hand", "rules", "engine", "seed", "deals", "auction", "convention", "action", "call",
    "value", "value_se", "win", "win_se", "behind", "behind_se", "best", "tied",
)  # fmt: skip


def _shown(item: UnderConvention) -> list[tuple[str, Option]]:
    found = [(action, item.option(action)) for action in ACTIONS]
    return [(action, option) for action, option in found if option is not None]


def hand_object(found: HandCalls, command: str) -> dict[str, Any]:
    """Return what ``advisor jumps HAND --json`` prints.

    Notes
    -----
    For each of ``conventions``, ``calls`` has the calls that the hand may make as agreed: action,
    call, value (points, ours less theirs), behind (paired difference from the best call, in
    chances where the score is known), with their ``_se``, win where the score is known, best and
    tied.
    """
    advice = found.advice
    return {
        "schema": SCHEMA,
        "version": advice.version,
        "hand": str(advice.hand),
        "rules": advice.rules.name,
        "settings": changed_settings(advice.rules),
        "engine": advice.engine,
        "correction": advice.correction,
        "seed": advice.seed,
        "deals": advice.samples,
        "auction": calls_text(advice.decision.position.auction).split(),
        "score": None if advice.decision.score is None else list(advice.decision.score),
        "conventions": [
            {
                "convention": item.convention.name,
                "calls": [_call_object(item, action, option) for action, option in _shown(item)],
            }
            for item in found.conventions
        ],
        "reproduce": command,
    }


def _call_object(item: UnderConvention, action: str, option: Option) -> dict[str, Any]:
    win = option.win
    return {
        "action": action,
        "call": option.call.bid,
        "value": option.value.mean,
        "value_se": option.value.se,
        "win": None if win is None else win.mean,
        "win_se": None if win is None else win.se,
        "behind": option.behind.mean,
        "behind_se": option.behind.se,
        "best": option is item.decision.options[0],
        "tied": option in item.best[1:],
    }


def hand_csv(found: HandCalls) -> str:
    """Return one row for each convention and call."""
    advice = found.advice
    fixed = (
        str(advice.hand), advice.rules.name, advice.engine, advice.seed, advice.samples,
        calls_text(advice.decision.position.auction),
    )  # fmt: skip
    rows = [
        (*fixed, item.convention.name, *_call_object(item, action, option).values())
        for item in found.conventions
        for action, option in _shown(item)
    ]
    return to_csv(COLUMNS, rows)


def calls_cells(found: HandCalls, look: Look) -> tuple[list[list[str]], list[str]]:
    """Return rows and headers of the table of conventions."""
    rows = []
    for item in found.conventions:
        shown = [item.option(action) for action in ACTIONS]
        cells = ["-" if option is None else _worth(option, look) for option in shown]
        worst = max((_worth_of(option).se for option in shown if option is not None), default=0.0)
        second = item.decision.options[1:2]
        rows.append(
            [
                item.convention.name,
                *cells,
                _error(worst, found, look),
                _best_text(item, look),
                "".join(_lead(option, look) for option in second),
            ]
        )
    first = found.conventions[0]
    plain = first.option("raise")
    bid = "bid" if plain is None or plain.call.bid is None else look.points(plain.call.bid)
    ahead = f"ahead of\nnext by {look.plus_minus}"
    headers = ["convention", "pass", "pass\n+ help", bid, "jump", look.plus_minus, "best", ahead]
    return rows, headers


def _worth_of(option: Option) -> Estimate:
    return option.value if option.win is None else option.win


def _worth(option: Option, look: Look) -> str:
    text = look.worth(option.value) if option.win is None else look.games(option.win)
    return text.partition(f" {look.plus_minus}")[0]


def _error(se: float, found: HandCalls, look: Look) -> str:
    return look.error(se) if found.advice.decision.score is None else f"{100 * se:.1f}%"


def _lead(option: Option, look: Look) -> str:
    return look.estimate(option.behind) if option.win is None else look.games(option.behind)


def _best_text(item: UnderConvention, look: Look, joint: str = "/") -> str:
    return joint.join(_call(option, look) for option in item.best)


def _call(option: Option, look: Look) -> str:
    if option.action == "pass_with_help":
        return "help"
    return call_text(option, look).replace(" (jump)", "*")


def hand_screen(found: HandCalls, look: Look, command: str) -> str:
    """Return the whole screen: head, table, what its columns mean, and last the answer."""
    advice = found.advice
    lines = [
        *head(advice.hand, advice.rules, look),
        *labelled("Engine", predictor_text(advice), look),
    ]
    auction = calls_text(advice.decision.position.auction, look.scale)
    if auction:
        lines += labelled("Calls", auction, look)
    rows, headers = calls_cells(found, look)
    body = table(rows, headers, look, align="lrrrrrlr")
    if max(map(len, body)) > look.width:
        # Calls are compared by the last column; the error of one alone matters less.
        rows = [row[:5] + row[6:] for row in rows]
        body = table(rows, headers[:5] + headers[6:], look, align="lrrrrlr")
    lines += ["", *body, *calls_notes(found, look), ""]
    lines += [bold(line, look) for line in paragraph(verdict(found, look), look)]
    return "\n".join([*lines, f"reproduce: {command}"]) + "\n"


def calls_notes(found: HandCalls, look: Look) -> list[str]:
    """Return what the columns of the table mean."""
    score = found.advice.decision.score
    worth = "Worth: our score less theirs once the auction is over and the hand is played"
    if score is not None:
        worth = f"Chance to win the game from {look.points(score[0])} to {look.points(score[1])}"
    return paragraph(
        f"{worth}, {look.plus_minus} one standard error; calls are compared on the same deals, "
        "which is closer. Dash: no such call, or the hand is not what it would show. Best: calls "
        "joined by a stroke are too close to tell; * is a jump, help a pass with help.",
        look,
    )


def verdict(found: HandCalls, look: Look) -> str:
    """Return the answer in a sentence: the best call, by convention where that matters."""
    by_call: dict[str, list[str]] = {}
    for item in found.conventions:
        by_call.setdefault(_best_text(item, look, " or "), []).append(item.convention.name)
    deals = counted(found.advice.samples, "deal")
    most = max(by_call, key=lambda call: len(by_call[call]))
    if len(by_call) == 1:
        return f"Best under every convention: {most} ({deals})."
    others = "; ".join(
        f"under {', '.join(names)} {call}" for call, names in by_call.items() if call != most
    )
    return f"Best: {most}; {others} ({deals})."


def hand_markdown(found: HandCalls, look: Look) -> str:
    """Return the table alone, in markdown."""
    rows, headers = calls_cells(found, look)
    return github(rows, [" ".join(header.split()) for header in headers], align="lrrrrrlr")
