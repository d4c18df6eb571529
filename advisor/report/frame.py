"""What all screens share: the head with hand and rules, notes, tables, wrapped lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from advisor.game.cards import Hand
from advisor.game.meld import Meld, is_misdeal
from advisor.game.rules import PRESETS, Rules
from advisor.report.look import Look

LABEL: Final = 7
SMALL_SCALE: Final = "Points as at this table: a run is 15, not 150."
_BOLD: Final = "\x1b[1m"
_PLAIN: Final = "\x1b[0m"


def changed_settings(rules: Rules) -> dict[str, object]:
    """Return the settings that differ from the preset of the same name, else from cardgames.

    >>> changed_settings(PRESETS["pagat"].replace(pass_cards=3))
    {'pass': 3}
    """
    return rules.differences(PRESETS.get(rules.name, PRESETS["cardgames"]))


def setting_text(key: str, value: object) -> str:
    """Return one setting as ``--set`` takes it.

    >>> setting_text("dix_saves", True), setting_text("step_above", None)
    ('dix_saves=true', 'step_above=none')
    """
    word = str(value).lower() if value is None or isinstance(value, bool) else str(value)
    return f"{key}={word}"


def rules_text(rules: Rules) -> str:
    """Return the rules in one line: the name and what was changed.

    >>> rules_text(PRESETS["pagat"].replace(pass_cards=3))
    'pagat with pass=3'
    """
    changes = [
        setting_text(key, value)
        for key, value in changed_settings(rules).items()
        if key != "jump_meaning"
    ]
    return f"{rules.name} with {', '.join(changes)}" if changes else rules.name


def labelled(label: str, text: str, look: Look, indent: int = LABEL) -> list[str]:
    """Return a text after a label, wrapped under itself.

    >>> labelled("Rules", "cardgames", Look())
    ['Rules  cardgames']
    """
    return textwrap.wrap(
        text,
        look.width,
        initial_indent=f"{label:<{indent}}",
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def paragraph(text: str, look: Look) -> list[str]:
    """Return a text wrapped to the width of the screen."""
    return textwrap.wrap(text, look.width, break_on_hyphens=False)


def head(hand: Hand, rules: Rules, look: Look) -> list[str]:
    """Return the first lines of a screen: the hand, the rules, and notes on both."""
    lines = labelled("Hand", look.hand(hand), look)
    # The double spaces between the suits are worth more than wrapping.
    lines[0] = f"{'Hand':<{LABEL}}{look.hand(hand)}"
    lines = lines[:1] + labelled("Rules", rules_text(rules), look)
    if rules.scale == 1:
        lines += labelled("", SMALL_SCALE, look)
    for text in notes_on(hand, rules):
        lines += labelled("Note", text, look)
    return lines


def notes_on(hand: Hand, rules: Rules) -> list[str]:
    """Return what is to be known about a hand at this table besides its cards."""
    notes = []
    if len(hand) == 12 and is_misdeal(hand, rules):
        notes.append(f"This hand may be dealt again as a misdeal ({rules.misdeal}).")
    if rules.jump_meaning:
        notes.append(f"A jump at this table: {rules.jump_meaning}")
    return notes


def meld_text(meld: Meld, look: Look) -> str:
    """Return the melds of a hand, equal ones counted.

    >>> from advisor.game.meld import score_meld
    >>> meld_text(score_meld(Hand.parse("KQ9.KQ.-.9"), 0), Look())
    'royal marriage 40, marriage ♥ 20, dix 10'
    >>> meld_text(score_meld(Hand.parse("99.KKQQ.-.-"), 0), Look())
    '2 marriages ♥ 40, 2 dix 20'
    """
    counts: dict[tuple[str, str, int], int] = {}
    for item in meld.items:
        # A trump meld says its suit by its name; only plain marriages need theirs.
        suit = (
            f" {look.suit(item.suit)}" if item.name == "marriage" and item.suit is not None else ""
        )
        kind = (item.name, suit, item.points)
        counts[kind] = counts.get(kind, 0) + 1
    words = []
    for (name, suit, points), count in counts.items():
        many = name if count == 1 else f"{count} {name if name == 'dix' else name + 's'}"
        words.append(f"{many}{suit} {look.points(count * points)}")
    return ", ".join(words) or "none"


def _tabulate(rows: Sequence[Sequence[str]], headers: Sequence[str], align: str, style: str) -> str:
    from tabulate import tabulate

    words = {"l": "left", "r": "right"}
    text: str = tabulate(
        rows,
        headers,
        tablefmt=style,
        colalign=[words[letter] for letter in align],
        disable_numparse=True,
    )
    return text


def table(
    rows: Sequence[Sequence[str]], headers: Sequence[str], look: Look, *, align: str = ""
) -> list[str]:
    """Return a table as lines: the headers, a rule, the rows.

    Parameters
    ----------
    rows : sequence of sequence of str
    headers : sequence of str
        May have several lines.
    look : Look
    align : str
        A letter a column, l or r; by default the first is left and the rest right.

    >>> table([["a", "1"]], ["x", "no."], Look(symbols=False))
    ['x  no.', '------', 'a    1']
    """
    height = max(header.count("\n") for header in headers)
    # As a row, headers get no padding; they stand on the rule.
    top = ["\n" * (height - header.count("\n")) + header for header in headers]
    text = _tabulate([top, *rows], (), align or "l" + "r" * (len(headers) - 1), "plain")
    lines = [line.rstrip() for line in text.splitlines()]
    rule = ("─" if look.symbols else "-") * max(map(len, lines))
    return [*lines[: height + 1], rule, *lines[height + 1 :]]


def github(rows: Sequence[Sequence[str]], headers: Sequence[str], *, align: str = "") -> str:
    """Return a table in the markdown of GitHub."""
    return _tabulate(rows, headers, align or "l" + "r" * (len(headers) - 1), "github")


def bold(line: str, look: Look) -> str:
    """Return a line in bold type where that is allowed."""
    return f"{_BOLD}{line}{_PLAIN}" if look.bold else line
