"""The command line: thin commands that parse, call the library and render.

Neither numpy nor numba is imported until a simulation is about to start.
"""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from advisor.cli.advice import BID_HELP, MELD_HELP, bid, meld
from advisor.cli.batch import BATCH_HELP, batch
from advisor.cli.config import config_app
from advisor.cli.conventions import conventions_app
from advisor.cli.exchange import PASS_HELP, RETURN_HELP, give_back, send
from advisor.cli.first_run import compile_first
from advisor.cli.interactive import INTERACTIVE_HELP, interactive
from advisor.cli.jumps import JUMPS_HELP, jumps
from advisor.cli.league import LEAGUE_HELP, league
from advisor.cli.options import DebugOption, QuietOption
from advisor.cli.rules import rules_app
from advisor.cli.shell import Command, Group, HandCommand
from advisor.cli.solve import SOLVE_HELP, solve
from advisor.terminal import Terminal, leaving_at_once, write_err, write_out

APP_HELP: Final = """\
advisor bid AATKQJ.AK.QJ.T9

A Monte Carlo bid advisor for four-handed single-deck partnership pinochle.

Write the hand as spades.hearts.diamonds.clubs (A T K Q J 9, - for a void), or
in any usual notation. Points are times ten: a run is 150, a deck has 250 in
tricks.
"""
BENCH_HELP: Final = """\
advisor bench

A fixed piece of work: a signature on the output, speeds on stderr.

The signature changes only when results change; it is the same on every
machine, for any number of threads. All that other commands have to compile is
compiled first.
"""
_PACKAGES: Final = ("numpy", "numba", "typer")

app = typer.Typer(
    name="advisor",
    cls=Group,
    help=APP_HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("bid", cls=HandCommand, help=BID_HELP, short_help="Which trump, and how high.")(bid)
app.command("meld", cls=HandCommand, help=MELD_HELP, short_help="The exact meld.")(meld)
app.command("pass", cls=HandCommand, help=PASS_HELP, short_help="Which cards to send.")(send)
app.command("return", cls=HandCommand, help=RETURN_HELP, short_help="Which cards to give back.")(
    give_back
)
app.command("batch", cls=Command, help=BATCH_HELP, short_help="Advice for files of hands.")(batch)
app.command(
    "interactive", cls=Command, help=INTERACTIVE_HELP, short_help="Questions without retyping."
)(interactive)
app.command("league", cls=Command, help=LEAGUE_HELP, short_help="Rules of bidding at play.")(league)
app.command("jumps", cls=HandCommand, help=JUMPS_HELP, short_help="Which hands should jump.")(jumps)
app.command("solve", cls=HandCommand, help=SOLVE_HELP, short_help="Four open hands, solved.")(solve)
app.add_typer(rules_app, name="rules", short_help="House rules: list them, show one.")
app.add_typer(
    conventions_app, name="conventions", short_help="What jumps show: list them, show one."
)
app.add_typer(config_app, name="config", short_help="Settings that last: show them, begin a file.")


def version_text() -> str:
    """Return the versions that a bug report needs, without importing the packages.

    >>> version_text().split()[0]
    'advisor'
    """
    from importlib.metadata import PackageNotFoundError, version

    from advisor import __version__

    parts = [f"Python {sys.version.split()[0]}"]
    for package in _PACKAGES:
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"{package} missing")
    return f"advisor {__version__} ({', '.join(parts)})"


def _print_version(asked: bool) -> None:
    if asked:
        write_out(version_text())
        raise typer.Exit


@app.callback()
def advisor(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print versions and leave."
        ),
    ] = False,
) -> None:
    """Print the help where no command is given."""
    if ctx.invoked_subcommand is None:
        write_out(ctx.get_help())


@app.command("bench", cls=Command, help=BENCH_HELP, short_help="A fixed workload, timed.")
def bench(quiet: QuietOption = False, debug: DebugOption = False) -> None:
    """Run the fixed workload."""
    from advisor.bench import run_bench
    from advisor.compiling import needed_entries

    # Also what the other commands need, so that they need not wait for it.
    compile_first(needed_entries("all"), quiet)
    result = run_bench()
    if not quiet:
        for name, value, unit in result.figures:
            shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
            write_err(f"{name:<36}{shown:>14} {unit}")
    write_out(result.signature)


def main() -> None:
    """Run the command line of this process."""
    terminal = Terminal.detect(owns_process=True)
    with leaving_at_once(terminal):
        app(prog_name="advisor", obj=terminal)
