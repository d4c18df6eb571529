"""The commands about conventions: ``advisor conventions list`` and ``... show``."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from advisor.cli.families import family, look_in
from advisor.cli.options import DebugOption, RulesFormat, read_choice
from advisor.cli.shell import Command, one_line
from advisor.completion import complete_convention
from advisor.terminal import write_err, write_out

CONVENTIONS_HELP: Final = """\
advisor conventions list
advisor conventions show dailey > ours.toml

What partners may have agreed that a jump (+20) or a pass with help shows.

Keep your own agreement in a file made from one of these. A file in the folder
conventions beside `advisor config path` is known by its name.
"""
LIST_HELP: Final = """\
advisor conventions list

The conventions known by name, and what their calls show.
"""
SHOW_HELP: Final = """\
advisor conventions show dailey
advisor conventions show meld-jump:120 --format table
advisor conventions show club > ours.toml

What each call of a convention shows, as a file to change, or as a table.

A number after the name of meld-jump, missing-suit or aces-jump is the
threshold of its jump. Points are times ten.
"""

conventions_app = family(CONVENTIONS_HELP)


@conventions_app.command("list", cls=Command, help=LIST_HELP, short_help="The presets.")
def list_conventions(ctx: typer.Context, debug: DebugOption = False) -> None:
    """Print the presets."""
    from advisor.config import own_items
    from advisor.game.conventions import PRESETS, load_convention
    from advisor.report.conventions import conventions_list

    own = own_items("conventions", load_convention, PRESETS)
    write_out(conventions_list(look_in(ctx), own.items))
    for remark in own.remarks:
        write_err(one_line(remark))


@conventions_app.command("show", cls=Command, help=SHOW_HELP, short_help="All of one.")
def show_convention(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="Preset, own name or .toml file.",
            autocompletion=complete_convention,
        ),
    ],
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
    """Print one convention."""
    from advisor.config_files import own_files
    from advisor.game.conventions import load_convention

    form = read_choice(RulesFormat, output)
    convention = load_convention(name, own_files("conventions"))
    if form is RulesFormat.json:
        from advisor.report.data import convention_object, to_json

        write_out(to_json(convention_object(convention)))
    elif form is RulesFormat.table:
        from advisor.report.conventions import convention_table

        write_out(convention_table(convention, look_in(ctx)))
    else:
        write_out(convention.to_toml())
