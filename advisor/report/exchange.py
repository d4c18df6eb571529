"""What ``advisor pass`` and ``advisor return`` print: screen, JSON, CSV and markdown."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from advisor.game.cards import SUIT_LETTERS, SUIT_NAMES, Card, Hand, card_name
from advisor.limits import counts_in_tens, default_engine
from advisor.report.data import SCHEMA, meld_object, to_csv
from advisor.report.frame import (
    bold,
    changed_settings,
    github,
    head,
    labelled,
    meld_text,
    paragraph,
    table,
)
from advisor.report.look import Look, counted
from advisor.report.table import predictor_text

if TYPE_CHECKING:
    from advisor.exchange_advice import Alternative, ExchangeAdvice

COLUMNS: Final = (
    "hand", "trump", "rules", "engine", "correction", "seed", "samples", "cards", "chosen",
    "by_rule", "score", "score_se", "team_meld", "team_meld_se", "tricks", "tricks_se",
    "behind", "behind_se", "tied",
)  # fmt: skip
_INDENT: Final = 9


def names_of(cards: Hand) -> list[str]:
    """Return the names of some cards, both copies of a card apart.

    >>> names_of(Hand.parse("AA.-.J.-"))
    ['AS', 'AS', 'JD']
    """
    return [card_name(card) for card in cards]


def exchange_object(advice: ExchangeAdvice, command: str) -> dict[str, Any]:
    """Return what ``advisor pass --json`` and ``advisor return --json`` print.

    Notes
    -----
    ``cards`` are the cards to pass, ``alternatives`` the ways that were judged, the choice first:
    cards, score (meld and tricks of declarer's side), team_meld, tricks and behind (paired
    difference from the choice) with their ``_se``, and ``tied``. ``samples`` deals judged; none of
    them had a part in choosing. ``by_rule`` is what the simulated players do, ``compared`` the
    number of different ways. ``reasons`` go by card; ``kept_meld`` is the exact meld of the cards
    left in hand. ``received`` is there for a return, null where it was not told; ``remarks`` and
    ``notes`` may be empty.
    """
    value: dict[str, Any] = {
        "schema": SCHEMA,
        "version": advice.version,
        "hand": str(advice.hand),
        "trump": SUIT_LETTERS[advice.trump],
        "rules": advice.rules.name,
        "settings": changed_settings(advice.rules),
        "engine": advice.engine,
        "correction": advice.correction,
        "seed": advice.seed,
        "samples": advice.samples,
        "compared": advice.compared,
        "cards": names_of(advice.cards),
        "by_rule": names_of(advice.rule_choice),
        "alternatives": [_alternative(advice, item) for item in advice.alternatives],
        "reasons": {card_name(card): text for card, text in advice.reasons.items()},
        "remarks": list(advice.remarks),
        "kept": str(advice.kept),
        "kept_meld": meld_object(advice.kept_meld),
        "notes": list(advice.notes),
        "reproduce": command,
    }
    if advice.returning:
        received = advice.received
        value["received"] = None if received is None else names_of(received)
    return value


def _tied(advice: ExchangeAdvice, item: Alternative) -> bool:
    return item.tied and item is not advice.alternatives[0]


def _alternative(advice: ExchangeAdvice, item: Alternative) -> dict[str, Any]:
    return {
        "cards": names_of(item.cards),
        "score": item.score.mean,
        "score_se": item.score.se,
        "team_meld": item.team_meld.mean,
        "team_meld_se": item.team_meld.se,
        "tricks": item.tricks.mean,
        "tricks_se": item.tricks.se,
        "behind": item.behind.mean,
        "behind_se": item.behind.se,
        "tied": _tied(advice, item),
    }


def exchange_csv(advice: ExchangeAdvice) -> str:
    """Return one row for each way that was judged, the choice first."""
    fixed = (
        str(advice.hand), SUIT_LETTERS[advice.trump], advice.rules.name, advice.engine,
        advice.correction, advice.seed, advice.samples,
    )  # fmt: skip
    rows = [
        (
            *fixed, " ".join(names_of(item.cards)), item is advice.alternatives[0],
            item.cards == advice.rule_choice, *item.score, *item.team_meld, *item.tricks,
            *item.behind, _tied(advice, item),
        )
        for item in advice.alternatives
    ]  # fmt: skip
    return to_csv(COLUMNS, rows)


def reproduce(
    advice: ExchangeAdvice,
    *,
    rules: str = "cardgames",
    always_rules: bool = False,
    always_engine: bool = False,
    changes: Sequence[str] = (),
    flags: Sequence[str] = (),
) -> str:
    """Return the command that prints the same again; arguments as in `report.table.reproduce`."""
    words = ["advisor", "return" if advice.returning else "pass", f'"{advice.hand}"']
    words += ["--trump", SUIT_LETTERS[advice.trump]]
    if advice.received is not None:
        words += ["--received", f'"{" ".join(names_of(advice.received))}"']
    if always_rules or rules != "cardgames":
        words += ["--rules", shlex.quote(rules)]
    for change in changes:
        words += ["--set", shlex.quote(change)]
    if advice.asked_samples is not None:
        words += ["--samples", str(advice.asked_samples)]
    if always_engine or advice.engine != default_engine(advice.rules):
        words += ["--engine", advice.engine]
    if advice.raw and counts_in_tens(advice.rules):
        words.append("--raw")
    return " ".join([*words, "--seed", str(advice.seed), *flags])


def _cards(cards: Sequence[Card] | Hand, look: Look) -> str:
    return " ".join(look.card(card) for card in cards)


def _cells(advice: ExchangeAdvice, look: Look) -> tuple[list[list[str]], list[str]]:
    verb = "give back" if advice.returning else "send"
    rows = [
        [
            _cards(item.cards, look) + (" *" if item.cards == advice.rule_choice else ""),
            look.mean(*item.team_meld),
            look.mean(*item.tricks),
            look.mean(*item.score),
            look.error(item.score.se),
            "best" if item is advice.alternatives[0] else look.gap(item.behind),
            "tie" if _tied(advice, item) else "",
        ]
        for item in advice.alternatives
    ]
    behind = f"worse\nby {look.plus_minus}"
    headers = [verb, "team\nmeld", "trick\npoints", "score", look.plus_minus, behind, ""]
    return rows, headers


def exchange_screen(advice: ExchangeAdvice, look: Look, command: str) -> str:
    """Return the whole screen: head, table, a reason for each card, and last the answer."""
    screen = [*head(advice.hand, advice.rules, look)]
    screen += labelled("Trump", look.suit(advice.trump), look)
    if advice.received is not None:
        screen += labelled("Got", _cards(advice.received, look), look)
    screen += labelled("Engine", predictor_text(advice), look)
    rows, headers = _cells(advice, look)
    lines = table(rows, headers, look, align="lrrrrrl")
    lines[3] = bold(lines[3], look)
    screen += ["", *lines, *_notes(advice, look), ""]
    for card, text in advice.reasons.items():
        copies = advice.cards.counts[card]
        label = _cards([card] * copies, look)
        screen += labelled(label, text, look, _INDENT)
    screen.append(f"{'Kept':<{_INDENT}}{look.hand(advice.kept)}")
    remarks = "; ".join(advice.remarks) or f"meld {_meld(advice, look)}"
    screen += labelled("", remarks, look, _INDENT)
    screen += ["", *_answer(advice, look), f"reproduce: {command}"]
    return "\n".join(screen) + "\n"


def _meld(advice: ExchangeAdvice, look: Look) -> str:
    meld = advice.kept_meld
    if not meld.items:
        return "none"
    return f"{look.points(meld.total)}: {meld_text(meld, look)}"


def _notes(advice: ExchangeAdvice, look: Look) -> list[str]:
    text = (
        f"{look.plus_minus}: one standard error. Worse by: points that this costs on the same "
        f"deals. {counted(advice.compared, 'way')} compared; the numbers come from deals that had "
        "no part in choosing."
    )
    if any(item.cards == advice.rule_choice for item in advice.alternatives):
        text = f"* what the simulated players do. {text}"
    if any(item.behind.mean < 0 for item in advice.alternatives):
        text += " Below 0: better on these deals, not on those that chose."
    return [line for note in (text, *advice.notes) for line in paragraph(note, look)]


def _answer(advice: ExchangeAdvice, look: Look) -> list[str]:
    """Return what to do, and what is too close to call."""
    verb = "Give back" if advice.returning else "Send"
    name = look.suit(advice.trump) if look.symbols else SUIT_NAMES[advice.trump]
    best = advice.alternatives[0]
    lines: list[str] = []
    if advice.samples == 1:
        lines += paragraph("One deal has no standard error: nothing is settled.", look)
    elif advice.ties:
        tied = ", or ".join(
            f"{_cards(item.cards, look)} ({_behind(item, look)})" for item in advice.ties[:3]
        )
        more = len(advice.ties) - 3
        lines += paragraph(
            f"Too close to call: {tied}{f', and {more} more' if more > 0 else ''}.", look
        )
    score = look.estimate(best.score)
    text = (
        f"{verb} {_cards(best.cards, look)} with {name} as trump: {score} points of meld and "
        f"tricks on average ({counted(advice.samples, 'deal')})."
    )
    return lines + [bold(line, look) for line in paragraph(text, look)]


def _behind(item: Alternative, look: Look) -> str:
    """Return how far something tied is behind the choice.

    >>> from advisor.exchange_advice import Alternative
    >>> from advisor.pricing import Estimate
    >>> gaps = (Estimate(0.0, 0.0), Estimate(0.4, 0.5), Estimate(-0.4, 0.5))
    >>> items = [Alternative(Hand.parse("AA.-.-.-"), *[Estimate(0, 1)] * 3, gap) for gap in gaps]
    >>> [_behind(item, Look()) for item in items]
    ['the same', 'worse by 0.4 ± 0.5', 'better by 0.4 ± 0.5 on these deals']
    """
    mean, se = item.behind
    if mean == se == 0:
        return "the same"
    if mean < 0:
        return f"better by {look.gap(item.behind._replace(mean=-mean))} on these deals"
    return f"worse by {look.gap(item.behind)}"


def exchange_markdown(advice: ExchangeAdvice, look: Look) -> str:
    """Return the table alone, in markdown."""
    rows, headers = _cells(advice, look)
    return github(rows, [" ".join(header.split()) for header in headers], align="lrrrrrl")
