"""The parts of the pages that are made from the code and from benchmarks/results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from advisor.batch.results import COLUMNS as BATCH_COLUMNS
from advisor.config_keys import KEYS
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.meanings import QUANTITIES
from advisor.game.rules import PRESETS, SETTINGS
from advisor.report import data, exchange, jump_advice, jumps, league
from advisor.report.config import UNSET

RESULTS: Final = Path(__file__).parents[1] / "benchmarks" / "results"
# By the first setting of each; the order is that of the settings themselves.
GROUPS: Final = {
    "minimum": "The auction",
    "pass": "Trump and the exchange",
    "run_extras": "Meld",
    "first_lead": "The tricks",
    "save_meld": "What a round scores",
    "target": "The game",
}
CSV: Final = {
    "advisor bid": data.BID_COLUMNS,
    "advisor meld": data.MELD_COLUMNS,
    "advisor pass, advisor return": exchange.COLUMNS,
    "advisor jumps": jumps.COLUMNS,
    "advisor jumps HAND": jump_advice.COLUMNS,
    "advisor league": league.COLUMNS,
    "advisor batch": BATCH_COLUMNS,
}


def _word(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def house_rules() -> str:
    """Return a heading for each group of settings and an entry for each setting."""
    lines = []
    for setting in SETTINGS:
        if setting.key in ("name", "source"):
            continue
        if setting.key in GROUPS:
            lines += [f"## {GROUPS[setting.key]}", ""]
        others = [
            f"`{_word(values[setting.key])}` in `{name}`"
            for name, preset in PRESETS.items()
            if (values := preset.as_settings())[setting.key] != setting.default
        ]
        default = f"`{_word(setting.default)}`" if setting.default != "" else "empty"
        lines += [
            f"### `{setting.key}`",
            "",
            setting.help,
            "",
            f"- Allowed: {setting.allowed}.",
            f"- Default: {default}{''.join(f'; {other}' for other in others)}.",
            "",
        ]
    return "\n".join(lines)


def settings_that_last() -> str:
    """Return the table of the keys of a file of settings."""
    lines = ["| key | option | default | what |", "|---|---|---|---|"]
    for key in KEYS:
        default = UNSET[key.name] if key.default is None else f"`{_word(key.default)}`"
        lines += [f"| `{key.name}` | `{key.option}` | {default} | {key.help} |"]
    return "\n".join(lines) + "\n"


def presets() -> str:
    """Return what each preset changes, and where it is from."""
    lines = []
    for name, preset in PRESETS.items():
        changes = preset.differences(PRESETS["cardgames"])
        shown = ", ".join(f"`{key}={_word(value)}`" for key, value in changes.items())
        lines += [f"- **{name}**: {shown or 'the defaults'}. Source: {preset.source}."]
    return "\n".join(lines) + "\n"


def conventions() -> str:
    """Return what each convention is, what its calls show and where it is from."""
    lines = []
    for name, convention in CONVENTIONS.items():
        lines += [f"### {name}", "", convention.about, ""]
        for meaning in convention.meanings:
            call = meaning.call_words()

            lines.append(f"- {call} shows: {meaning.words()}.")
        lines += [*([""] if convention.meanings else []), f"Source: {convention.source}.", ""]
    return "\n".join(lines)


def quantities() -> str:
    """Return what a call of a convention may show."""
    return "".join(f"- `{name}`: {item.help}\n" for name, item in QUANTITIES.items())


def csv_columns() -> str:
    """Return the columns of each command that writes CSV."""
    return "\n".join(f"- `{name}`: {', '.join(columns)}" for name, columns in CSV.items()) + "\n"


def _heading(text: str) -> tuple[str, dict[str, str]]:
    title = text.partition("\n")[0].removeprefix("# ")
    return title, dict(re.findall(r"^- (\w+): (.*)$", text, re.M))


def result_table(name: str, number: int = 0) -> str:
    """Return a table of a committed result, by its place, and what made it."""
    text = (RESULTS / name).read_text(encoding="utf-8")
    _, facts = _heading(text)
    table = re.findall(r"(?:^\|.*\n)+", text, re.M)[number]
    made = f"{facts['date']}, {facts['machine']}: {facts['command']}"
    return f"{table}\n[{name}](../benchmarks/results/{name}), {made}\n"


def studies() -> str:
    """Return all committed results with the commands that make them."""
    lines = ["| result | command |", "|---|---|"]
    for path in sorted(RESULTS.glob("*.md")):
        title, facts = _heading(path.read_text(encoding="utf-8"))
        command = facts["command"]
        lines.append(f"| [{title}](../benchmarks/results/{path.name}) | {command} |")
    return "\n".join(lines) + "\n"


PARTS: Final[Mapping[str, Callable[[], str]]] = MappingProxyType(
    {
        "house-rules": house_rules,
        "settings": settings_that_last,
        "presets": presets,
        "conventions": conventions,
        "quantities": quantities,
        "csv-columns": csv_columns,
        "accuracy": partial(result_table, "accuracy.md"),
        "accuracy-by-strength": partial(result_table, "accuracy.md", 1),
        "calibration": partial(result_table, "calibration.md"),
        "calibration-ceiling": partial(result_table, "calibration.md", 1),
        "calibration-brier": partial(result_table, "calibration.md", 2),
        "lite-curve": partial(result_table, "lite_curve.md"),
        "exchange-best": partial(result_table, "exchange_best.md"),
        "exchange-figures": partial(result_table, "exchange_figures.md"),
        "break-even": partial(result_table, "break_even.md"),
        "inference-value": partial(result_table, "inference_value.md"),
        "speed": partial(result_table, "speed.md"),
        "start-up": partial(result_table, "startup.md"),
        "solve-speed": partial(result_table, "solve_speed.md"),
        "solve-speed-bridge": partial(result_table, "solve_speed.md", 1),
        "league-speed": partial(result_table, "league.md", 3),
        "studies": studies,
    }
)
