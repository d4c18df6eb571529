"""The screens of ``advisor conventions``."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.game.conventions import PRESETS, Convention, Meaning
from advisor.report.frame import paragraph, table
from advisor.report.look import Look

_NAME_WIDTH: Final = 14
_CALL_WIDTH: Final = 18
_WHEN: Final = {"any": "", "opening": "opening", "after-partner": "after partner"}


def _call(meaning: Meaning) -> str:
    return f"+{10 * meaning.steps}" if meaning.steps else "pass with help"


def _meanings(convention: Convention) -> list[Meaning]:
    meanings = list(convention.jumps)
    return meanings if convention.pass_with_help is None else [*meanings, convention.pass_with_help]


def _call_and_when(meaning: Meaning) -> str:
    when = _WHEN[meaning.when]
    return f"{_call(meaning)}, {when}" if when else _call(meaning)


def conventions_list(look: Look, own: Mapping[str, Convention] = MappingProxyType({})) -> str:
    """Return the presets and the user's own conventions, with what each call shows.

    >>> conventions_list(Look()).splitlines()[0].split()
    ['name', 'call', 'shows']
    """
    rows = []
    for name, convention in [*PRESETS.items(), *own.items()]:
        meanings = _meanings(convention)
        for index, meaning in enumerate(meanings):
            rows.append(["" if index else name, *_row(meaning, look.width - _NAME_WIDTH)])
        if not meanings:
            rows.append([name, "-", "nothing"])
    lines = table(rows, ["name", "call", "shows"], look, align="lll")
    lines += ["", *paragraph(_FOOT, look)]
    lines += ["", "advisor conventions show NAME prints one as a file to change, with its source"]
    return "\n".join(lines) + "\n"


_FOOT: Final = (
    "+20 is two steps where bids rise by 10: one step more than needed. Jumps of three steps and "
    "more need house rules that allow them (jumps=any). A number after a colon changes the "
    "threshold: meld-jump:120, missing-suit:2, aces-jump:3."
)


def _row(meaning: Meaning, width: int) -> list[str]:
    call = textwrap.wrap(_call_and_when(meaning), _CALL_WIDTH)
    words = textwrap.wrap(meaning.words(), width - _CALL_WIDTH - 6)
    return ["\n".join(call), "\n".join(words)]


def convention_table(convention: Convention, look: Look) -> str:
    """Return what each call of a convention shows.

    >>> from advisor.game.conventions import load_convention
    >>> convention_table(load_convention("aces-jump"), Look(symbols=False)).splitlines()[-1]
    '+20   aces around'
    """
    lines = paragraph(f"{convention.name}: {convention.about}".rstrip(": "), look)
    if convention.source:
        lines += paragraph(f"Source: {convention.source}", look)
    rows = [_row(meaning, look.width) for meaning in _meanings(convention)]
    if not rows:
        return "\n".join([*lines, "", "No call shows anything."]) + "\n"
    return "\n".join([*lines, "", *table(rows, ["call", "shows"], look, align="ll")]) + "\n"
