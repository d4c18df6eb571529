"""The command about four open hands: ``advisor solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from advisor.cli.defaults import ConfigOption
from advisor.cli.first_run import compile_first
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    Format,
    JsonOption,
    RulesOption,
    SetOption,
    ShortFormatOption,
    complete_engine,
    complete_trump,
    read_engine,
    read_whole,
    rules_of,
    short_format,
)
from advisor.cli.shell import one_line, terminal_of
from advisor.errors import ExitCode, HandError, OptionError
from advisor.limits import MAX_TABLE_MB, MIN_TABLE_MB
from advisor.terminal import write_err, write_out

if TYPE_CHECKING:
    from advisor.dealfile import OpenDeal
    from advisor.solver import Solver

SOLVE_HELP: Final = """\
advisor solve AT.-.K.- -.AT.Q.- KQ.-.A.- -.KQ.T.- --trump S --leader 0
advisor solve --file deals.jsonl --json

What could have been made, all four hands open.

Give four hands in seat order, or a file with one deal a line:
{"hands": [four hands], "trump": "S", "leader": 0}. Seats 0 and 2 are
partners. A full deal of twelve tricks takes a few seconds.
"""

HandsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="HAND", help="Four hands, one argument each.", show_default=False),
]
FileOption = Annotated[
    str | None,
    typer.Option("--file", metavar="FILE", help="JSON Lines, one deal a line.", show_default=False),
]
DealTrumpOption = Annotated[
    str | None,
    typer.Option(
        "--trump",
        metavar="S|H|D|C",
        help="The trump suit.",
        autocompletion=complete_trump,
        show_default=False,
    ),
]
LeaderOption = Annotated[str, typer.Option("--leader", metavar="0-3", help="Seat that leads.")]
TableOption = Annotated[
    str | None,
    typer.Option(
        "--table-mb",
        metavar="MB",
        help="Memory for positions already solved, 1 to 1024; by default it suits the deal.",
        show_default=False,
    ),
]
SolveEngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="policy|lite|exact",
        help="Solved, judged quickly, or played by rule; raw values, no correction.",
        autocompletion=complete_engine,
    ),
]
LineOption = Annotated[bool, typer.Option("--line", help="Show a line of perfect play.")]


def solve(
    ctx: typer.Context,
    hands: HandsArgument = None,
    file: FileOption = None,
    trump: DealTrumpOption = None,
    leader: LeaderOption = "0",
    line: LineOption = False,
    engine: SolveEngineOption = "exact",
    table_mb: TableOption = None,
    rules: RulesOption = "cardgames",
    set_: SetOption = None,
    output: ShortFormatOption = None,
    as_json: JsonOption = False,
    ascii_: AsciiOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Solve one deal, or the deals of a file."""
    from advisor.dealfile import BadDeal, file_lines, read_deal, read_deals
    from advisor.report.data import to_json
    from advisor.report.look import Look
    from advisor.report.solve import solution_object, solution_screen

    terminal = terminal_of(ctx)
    look = Look(symbols=terminal.symbols and not ascii_, width=terminal.width)
    form = short_format(output, as_json)
    player = read_engine("engine", engine)
    if line and player == "lite":
        raise OptionError("--line: expected the engine exact or policy, found lite")
    chosen = rules_of(ctx, rules, set_)
    megabytes = None
    if table_mb is not None:
        megabytes = read_whole("table-mb", table_mb, MIN_TABLE_MB, MAX_TABLE_MB)
    # One for each size of table: what a line takes must not depend on the lines before it.
    solvers: dict[int, Solver] = {}

    def show(deal: OpenDeal, number: int | None = None) -> None:
        from advisor.compiling import entries_to_solve
        from advisor.game.cards import HAND_SIZE
        from advisor.solve import solve
        from advisor.solver import Solver, table_bits_for, table_bits_of_mb

        if not solvers:
            # Deals of a file differ in what they need.
            sizes = {max(map(len, deal.hands))} if file is None else {1, HAND_SIZE}
            needed = [name for size in sizes for name in entries_to_solve(player, size, line)]
            compile_first(needed, quiet=False)
        bits = table_bits_of_mb(megabytes) if megabytes else table_bits_for(deal.hands)
        if bits not in solvers:
            solvers[bits] = Solver(chosen, bits)
        solution = solve(
            deal.hands, deal.trump, deal.leader, line=line, solver=solvers[bits], engine=player
        )  # fmt: skip
        if form is Format.json:
            found = solution_object(deal, solution, chosen, line=line, number=number)
            write_out(to_json(found))
        else:
            write_out(solution_screen(deal, solution, chosen, look, line=line, number=number))

    if file is None:
        show(read_deal(hands or [], trump, read_whole("leader", leader, 0, 3)))
        return
    if hands:
        raise OptionError("--file: expected no hands beside it")
    for name in ("trump", "leader"):
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise OptionError(f"--{name}: expected none beside --file, whose lines name their own")
    bad = []
    shown = 0
    for number, deal in read_deals(file_lines(file)):
        if isinstance(deal, BadDeal):
            bad.append(deal)
            continue
        if shown and form is Format.table:
            write_out("")
        show(deal, number)
        shown += 1
    if not shown and not bad:
        raise HandError(f"{file}: expected a deal on a line, found none")
    for wrong in bad:
        write_err(one_line(f"{file}:{wrong.line}: {wrong.message}"))
    if bad:
        raise typer.Exit(ExitCode.BAD_LINES)
