"""The screens of ``advisor config``: every setting with its source, and the file to begin with."""

from __future__ import annotations

import json
import textwrap
from typing import Any, Final

from advisor.config import Config, Setting
from advisor.config_keys import KEYS, Value
from advisor.game.rules import SETTINGS, Rules
from advisor.report.frame import labelled, rules_text, table
from advisor.report.look import Look

_WIDTH: Final = 90
UNSET: Final = {
    "engine": "by the command",
    "samples": "as many as needed",
    "precision": "by the command",
    "threads": "one a processor",
}
_HEAD: Final = """\
# Settings for advisor. Lines that begin with # say nothing; take the # away to set a value.
#
# In rising order: this file in the user's directory, ./pinochle.toml, variables such as
# PINOCHLE_SEED, options of the command. `advisor config show` says where each value came from.
"""
_SET_HEAD: Final = (
    "House rules that differ from those that `rules` names here or in a file that counts less; "
    "`advisor rules show NAME` explains them all. Such as:"
)
# House rules at which tables differ most.
_SET_EXAMPLES: Final = ("pass", "minimum", "jumps", "pass_with_help", "save_meld", "target")


def _value_text(name: str, value: Value | None) -> str:
    if value is None:
        return UNSET[name]
    return str(value).lower() if isinstance(value, bool) else str(value)


def config_screen(config: Config, rules: Rules, look: Look) -> str:
    """Return every setting with where it came from, and the house rules they mean.

    >>> from advisor.config import load_config
    >>> screen = config_screen(load_config("none", ()), Rules(), Look())
    >>> screen.splitlines()[2].split()
    ['rules', 'cardgames', 'default']
    """
    rows = []
    for name, setting in config.values.items():
        rows.append([name, look.text(_value_text(name, setting.value)), look.text(setting.where)])
        if name == "rules":
            for rule, change in config.changes.items():
                rows.append([f"set.{rule}", look.text(str(change.value)), look.text(change.where)])
    rows = [[name, _wrapped(value, 30), where] for name, value, where in rows]
    lines = table(rows, ["setting", "value", "from"], look, align="lll")
    lines += ["", *labelled("Rules", look.text(rules_text(rules)), look)]
    for path in config.looked_for:
        found = "read" if path in config.files else "not there"
        lines += labelled("File", look.text(f"{path} ({found})"), look)
    if not config.looked_for:
        lines += labelled("File", "none", look)
    return "\n".join(lines) + "\n"


def _wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.wrap(text, width)) or text


def config_object(config: Config, rules: Rules) -> dict[str, Any]:
    """Return the same for programs.

    >>> from advisor.config import load_config
    >>> config_object(load_config("none", ()), Rules())["settings"]["seed"]
    {'value': 0, 'source': 'default', 'where': 'default'}
    """

    def entry(setting: Setting) -> dict[str, object]:
        return {"value": setting.value, "source": setting.source, "where": setting.where}

    return {
        "schema": 1,
        "settings": {name: entry(setting) for name, setting in config.values.items()},
        "set": {rule: entry(setting) for rule, setting in config.changes.items()},
        "house_rules": rules.as_settings(),
        "files": [{"path": p, "read": p in config.files} for p in config.looked_for],
    }


def config_template() -> str:
    """Return a file of settings to begin with, all of it commented out.

    >>> import tomllib
    >>> tomllib.loads(config_template())
    {'set': {}}
    """
    lines = [_HEAD.rstrip()]
    for key in KEYS:
        value = key.example if key.default is None else key.default
        note = key.help
        if key.default is None:
            note += f" Default: {UNSET[key.name]}."
        lines += ["", *_comment(note), f"# {key.name} = {json.dumps(value)}"]
    lines += ["", *_comment(_SET_HEAD), "[set]"]
    settings = {setting.key: setting for setting in SETTINGS}
    for name in _SET_EXAMPLES:
        setting = settings[name]
        lines += [*_comment(f"{setting.help} Allowed: {setting.allowed}.")]
        lines.append(f"# {name} = {json.dumps(setting.default)}")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ")
