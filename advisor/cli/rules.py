"""The commands about house rules: ``advisor rules list`` and ``advisor rules show``."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from advisor.cli.families import family, look_in
from advisor.cli.options import (
    DebugOption,
    RulesFormat,
    SetOption,
    read_choice,
    read_rules,
)
from advisor.cli.shell import Command, one_line
from advisor.completion import complete_rules
from advisor.terminal import write_err, write_out

RULES_HELP: Final = """\
advisor rules list
advisor rules show pagat > house.toml

The house rules the advisor knows.

Change one for a single run: `advisor bid HAND --set pass=3`. Keep your own
table's in a file, and name it: `advisor bid HAND --rules house.toml`. A file
in the folder rules beside `advisor config path` is known by its name.
"""
LIST_HELP: Final = """\
advisor rules list

The presets, and what each changes.
"""
SHOW_HELP: Final = """\
advisor rules show cardgames
advisor rules show house.toml --format table
advisor rules show pagat --set pass=3 > house.toml

Every rule of a preset or file, with what it means and what else it may be.

A file may name only what differs; all rules in force are shown.
"""

rules_app = family(RULES_HELP)


@rules_app.command("list", cls=Command, help=LIST_HELP, short_help="The presets.")
def list_rules(ctx: typer.Context, debug: DebugOption = False) -> None:
    """Print the presets."""
    from advisor.config import own_items
    from advisor.game.rules import PRESETS, load_rules
    from advisor.report.rules import rules_list

    own = own_items("rules", load_rules, PRESETS)
    write_out(rules_list(look_in(ctx), own.items))
    for remark in own.remarks:
        write_err(one_line(remark))


@rules_app.command("show", cls=Command, help=SHOW_HELP, short_help="Every rule of one set.")
def show_rules(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="Preset, own name or .toml file.",
            autocompletion=complete_rules,
        ),
    ],
    changes: SetOption = None,
    output: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="toml, json or table.",
            autocompletion=lambda incomplete: [f for f in RulesFormat if f.startswith(incomplete)],
        ),
    ] = "toml",
    debug: DebugOption = False,
) -> None:
    """Print one set of rules."""
    form = read_choice(RulesFormat, output)
    house = read_rules(name, changes)
    if form is RulesFormat.json:
        from advisor.report.data import rules_object, to_json

        write_out(to_json(rules_object(house)))
    elif form is RulesFormat.table:
        from advisor.report.rules import rules_table

        write_out(rules_table(house, look_in(ctx)))
    else:
        write_out(house.to_toml())
