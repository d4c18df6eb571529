"""How settings that last reach the commands: ``--config``, and what an option outranks.

Files and variables become the defaults of a command's options, so that the rest of the command
line need not know of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from advisor.config import Config

_META: Final = "advisor.config"
# What means something else there, or nothing.
_NOT_FOR: Final = {
    "solve": ("engine", "raw", "format"),
    "jumps": ("precision",),
    "batch": ("format",),
}
# They have no pages: as where a command keeps its format, what is set does not count.
_WITHOUT_PAGES: Final = ("meld", "pass", "return")
# Switches that change what is printed, whatever the terminal.
_SHOWN: Final = ("raw", "explain", "verbose", "ascii")


def _use_config(ctx: typer.Context, named: str | None) -> str | None:
    if not ctx.resilient_parsing:
        read_config(ctx, named)
    return named


ConfigOption = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE|none",
        callback=_use_config,
        is_eager=True,
        help="Settings from this file only, or from none (see `advisor config`).",
        autocompletion=lambda incomplete: ["none"] if "none".startswith(incomplete) else [],
        show_default=False,
    ),
]


def read_config(ctx: typer.Context, named: str | None) -> None:
    """Read the settings, and make them the defaults of the command's options.

    Raises
    ------
    AdvisorError
        If a file or a variable is wrong; the line says where.
    """
    from advisor.config import load_config
    from advisor.config_keys import KEYS

    options = {name: param for param in ctx.command.params for name in param.opts}
    left_out = _NOT_FOR.get(ctx.info_name or "", ())
    used = {
        key.name: (key, options[key.option])
        for key in KEYS
        if key.option in options and key.name not in left_out
    }
    # The others are read by Typer, and judged by the command.
    ours = {name for name, (_, param) in used.items() if not getattr(param, "envvar", None)}
    config = load_config(named, ours)
    defaults: dict[str, Any] = {}
    for name, (_, param) in used.items():
        setting = config.values[name]
        if setting.value is None or setting.source == "default":
            continue
        if name == "format" and setting.value == "html" and ctx.info_name in _WITHOUT_PAGES:
            continue
        if isinstance(setting.value, bool):
            # The option of color is the one that takes it away.
            defaults[param.name] = setting.value != (name == "color")
        else:
            defaults[param.name] = str(setting.value)
    if "--set" in options and config.changes and not os.environ.get("PINOCHLE_RULES"):
        defaults[options["--set"].name] = config.set_words
    ctx.default_map = defaults
    ctx.meta[_META] = config


def settle(ctx: typer.Context) -> None:
    """Set right what one option says about another, once all have been read.

    ``--set`` adds to the changes of a file, unless rules are named beside it. ``--json``
    outranks a format of a file. Own rules become a preset and what they change in it: the
    command that prints the same again must not need their file.
    """
    from advisor.config import portable_rules

    config: Config | None = ctx.meta.get(_META)
    options = {name: param.name for param in ctx.command.params for name in param.opts}
    params = ctx.params
    changes = options.get("--set")
    if config is not None and changes is not None and was_given(ctx, changes):
        if not was_given(ctx, options.get("--rules")) and not os.environ.get("PINOCHLE_RULES"):
            told = {word.partition("=")[0].strip().lower() for word in params[changes]}
            kept = [w for w in config.set_words if w.partition("=")[0] not in told]
            params[changes] = [*kept, *params[changes]]
    elif changes is not None and was_given(ctx, options.get("--rules")):
        params[changes] = None
    form = options.get("--format")
    if form is not None and params.get("as_json") and not was_given(ctx, form):
        params[form] = None
    rules = options.get("--rules")
    if rules is not None and changes is not None and params.get(rules):
        found = portable_rules(params[rules])
        if found is not None:
            params[rules] = found[0]
            params[changes] = [*found[1], *(params[changes] or [])]


def was_given(ctx: typer.Context, name: str | None) -> bool:
    """Return whether an option was typed, and did not come from a file or a variable."""
    source = None if name is None else ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def config_of(ctx: typer.Context) -> Config | None:
    """Return the settings that were read for a command, None where it has none."""
    found: Config | None = ctx.meta.get(_META)
    return found


def config_words(ctx: typer.Context) -> list[str]:
    """Return what the command that prints the same again says about settings that last.

    All that came from a file stands in that command; a file that said anything must not be
    read again. What a variable turned on and an option turned off must stay off.
    """
    from advisor.config_keys import KEYS

    config = config_of(ctx)
    if config is None:
        return []
    words = []
    options = {name: param.name for param in ctx.command.params for name in param.opts}
    for key in KEYS:
        if key.option not in options or config.values[key.name].source != "environment":
            continue
        if key.name in _SHOWN and not ctx.params[options[key.option]]:
            words.append(f"--no-{key.name}")
    said = bool(config.changes) or any(s.source == "file" for s in config.values.values())
    return [*words, *(["--config", "none"] if said else [])]


def bid_words() -> list[str]:
    """Return what a command for ``bid`` must say of variables that a prompt does not heed."""
    from advisor.config_keys import find_key

    keys = [find_key(name) for name in ("explain", "verbose")]
    on = [key for key in keys if key.from_text(os.environ.get(key.variable, "")) is True]
    return [f"--no-{key.name}" for key in on]


def setting_name(ctx: typer.Context, name: str) -> str:
    """Return how a message calls an option: by the variable, or file and line, that set it."""
    source = ctx.get_parameter_source(name)
    if source is None or source.name not in ("ENVIRONMENT", "DEFAULT_MAP"):
        return name
    config = config_of(ctx)
    if source.name == "ENVIRONMENT" or config is None or name not in config.values:
        return f"PINOCHLE_{name.upper()}"
    return f"{config.values[name].where}: {name}"
