"""The screens of ``advisor rules``."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.game.rules import PRESETS, SETTINGS, Rules
from advisor.report.frame import setting_text, table
from advisor.report.look import Look

# The site, or the program where the site is one of many programs.
_SITE: Final = re.compile(r"https?://(?:github\.com/[^/\s]+/|www\.)?([^/\s,]+)")
_DIFFERENCES_WIDTH: Final = 35


def _site(source: str) -> str:
    found = _SITE.search(source)
    return found[1] if found else source


def rules_list(look: Look, own: Mapping[str, Rules] = MappingProxyType({})) -> str:
    """Return the presets and the user's own rules, with what each changes.

    >>> rules_list(Look()).splitlines()[0].split()
    ['name', 'pass', 'minimum', 'differs', 'from', 'cardgames', 'in', 'source']
    """
    rows = []
    for name, rules in [*PRESETS.items(), *own.items()]:
        changes = rules.differences(PRESETS["cardgames"])
        shown = [setting_text(k, v) for k, v in changes.items() if k not in ("pass", "minimum")]
        text = ", ".join(shown) or "-"
        wrapped = "\n".join(textwrap.wrap(text, _DIFFERENCES_WIDTH))
        site = _site(rules.source) if name in PRESETS else "your own"
        rows.append([look.text(name), f"{rules.pass_cards}", f"{rules.minimum}", wrapped, site])
    headers = ["name", "pass", "minimum", "differs from cardgames in", "source"]
    lines = table(rows, headers, look, align="lrrll")
    lines += ["", "advisor rules show NAME prints a set with every rule explained, as a file"]
    lines += ["to change and use: advisor rules show pagat > house.toml"]
    return "\n".join(lines) + "\n"


def rules_table(rules: Rules, look: Look) -> str:
    """Return every setting with its value, its default marked, and what it means."""
    values = rules.as_settings()
    rows = []
    for setting in SETTINGS:
        if setting.key in ("name", "source"):
            continue
        value = values[setting.key]
        word = setting_text("", value)[1:] or "-"
        changed = "*" if value != setting.default else ""
        meaning = "\n".join(textwrap.wrap(setting.help, look.width - 42))
        rows.append([setting.key, "\n".join(textwrap.wrap(word, 15)) + changed, meaning])
    lines = [*textwrap.wrap(f"{rules.name}: {rules.source}", look.width), ""]
    lines += table(rows, ["rule", "value", "meaning"], look, align="lll")
    lines += ["", "* differs from cardgames"]
    return "\n".join(lines) + "\n"
