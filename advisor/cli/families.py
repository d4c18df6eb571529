"""What the families of commands share: ``advisor rules``, ``conventions`` and ``config``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from advisor.cli.shell import Group, terminal_of
from advisor.terminal import write_out

if TYPE_CHECKING:
    from advisor.report.look import Look


def family(help_text: str) -> typer.Typer:
    """Return a group of commands that prints its help where no command is given."""
    app = typer.Typer(
        cls=Group,
        help=help_text,
        rich_markup_mode=None,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def no_command(ctx: typer.Context) -> None:
        if ctx.invoked_subcommand is None:
            write_out(ctx.get_help())

    return app


def look_in(ctx: typer.Context) -> Look:
    """Return how a screen without options of its own looks on this terminal."""
    from advisor.report.look import Look

    terminal = terminal_of(ctx)
    return Look(symbols=terminal.symbols, width=terminal.width)
