"""The command about jumps: ``advisor jumps``."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import typer

from advisor.cli.advice import look_of
from advisor.cli.auction_options import AuctionOption, ScoreOption, read_score
from advisor.cli.defaults import ConfigOption, config_words
from advisor.cli.first_run import compile_first
from advisor.cli.jump_options import (
    DealsOption,
    HandsOption,
    JumpEngineOption,
    JumpHandArgument,
    JumpSeatOption,
    MatrixOption,
    OnOption,
    OpponentsOption,
    PassHelpOption,
    PrecisionOption,
    ResumeOption,
    ThresholdsOption,
)
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    Format,
    HtmlOption,
    JsonOption,
    NoColorOption,
    PageFormatOption,
    QuietOption,
    RawOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    chosen_format,
    read_engine,
    read_precision,
    read_whole,
    rules_of,
    setting_name,
)
from advisor.cli.page import check_page, write_answer
from advisor.cli.shell import terminal_of
from advisor.errors import ExitCode, OptionError
from advisor.handfile import load_hands
from advisor.jump_rows import (
    SHOWN,
    check_jump_seat,
    check_shown,
    read_opponents,
    read_thresholds,
    threshold_rows,
)
from advisor.limits import MAX_DEALS, MAX_SAMPLES, MAX_SEED, MAX_THREADS, check_counting
from advisor.progress import progress
from advisor.terminal import Terminal, interruptible, read_hand_text, remark_if_slow

if TYPE_CHECKING:
    from advisor.game.rules import Rules
    from advisor.jump_rows import Opponents, Row
    from advisor.jumps import Comparison
    from advisor.report.html import Page
    from advisor.report.jumps import Asked

JUMPS_HELP: Final = """\
advisor jumps --on meld --thresholds 60,80,100,120
advisor jumps --on missing-suit --rules gamerules --precision 0.3
advisor jumps --on meld --pass-help 40,70 --hands mine.txt --matrix
advisor jumps "S:TKQJ9 H:A D:KQ99 C:TK"

Which hands should jump (+20), or pass with help.

Our side jumps with hands at or above the threshold, and partner reads it; the
others follow a fixed rule. Thresholds are compared on the same deals, each
played twice with the sides exchanged. With a hand it says what a jump, the
next bid, a pass and a pass with help are worth under each convention.
"""
_OF_COMPARISONS: Final = (
    "on", "thresholds", "pass_help", "opponents", "jump_seat", "hands", "precision", "resume",
    "matrix",
)  # fmt: skip
_OF_HANDS: Final = ("auction",)
# In the command that prints the same again; the seed always stands there.
_REPEATED: Final = (
    "on", "thresholds", "pass_help", "opponents", "jump_seat", "hands", "auction", "score",
    "rules", "changes", "deals", "precision", "engine", "raw",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Output:
    """How the answer is written."""

    form: Format
    html: str | None
    quiet: bool
    plain: bool
    no_color: bool
    matrix: bool


# No option of the screen changes a page.
_PLAIN_PAGE: Final = _Output(
    Format.table, None, quiet=False, plain=False, no_color=False, matrix=False
)


@dataclass(frozen=True, slots=True)
class _Simulation:
    """What both kinds of answer ask of the simulation."""

    rules: Rules
    seed: int
    threads: int | None
    engine: str | None
    raw: bool
    score: tuple[int, int] | None
    deals: int | None


def jumps(
    ctx: typer.Context,
    hand: JumpHandArgument = None,
    on: OnOption = "meld",
    thresholds: ThresholdsOption = None,
    pass_help: PassHelpOption = None,
    opponents: OpponentsOption = "standard",
    jump_seat: JumpSeatOption = "any",
    hands: HandsOption = None,
    auction: AuctionOption = None,
    score: ScoreOption = None,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    deals: DealsOption = None,
    precision: PrecisionOption = None,
    seed: SeedOption = "0",
    engine: JumpEngineOption = None,
    raw: RawOption = False,
    threads: ThreadsOption = None,
    resume: ResumeOption = None,
    output: PageFormatOption = None,
    as_json: JsonOption = False,
    html: HtmlOption = None,
    matrix: MatrixOption = False,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Compare thresholds, or say what the calls of one hand are worth."""
    terminal = terminal_of(ctx)
    form = chosen_format(output, as_json, page=True)
    check_page(html, form)
    how = _Output(form, html, quiet, plain, no_color, matrix)
    house = rules_of(ctx, rules, changes)
    simulation = _read_simulation(ctx, house, deals, seed, threads, engine, raw, score)
    if hand:
        _refuse(ctx, "a hand", _OF_COMPARISONS)
        _answer_hand(ctx, terminal, hand, auction, simulation, how)
        return
    _refuse(ctx, "thresholds", _OF_HANDS)
    shown = check_shown(on)
    unit = 10 // house.scale
    helps = [] if pass_help is None else read_thresholds(pass_help, shown, "pass-help", unit)
    least = list(SHOWN[shown][1]) if not helps else []
    if thresholds is not None:
        least = read_thresholds(thresholds, shown, "thresholds", unit)
    rows = threshold_rows(shown, least, helps, house)
    opposing = read_opponents(opponents, house)
    seat = check_jump_seat(jump_seat)
    error = None if precision is None else read_precision(precision)
    held = () if hands is None else tuple(item.packed for item in load_hands(hands))
    _compare(
        ctx, terminal, simulation, how, rows, shown, opposing, seat, error, hands, held, resume,
    )  # fmt: skip


def _refuse(ctx: typer.Context, beside: str, names: tuple[str, ...]) -> None:
    """Raise `OptionError` for an option that says nothing in this kind of answer."""
    for name in names:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise OptionError(f"--{name.replace('_', '-')}: expected none beside {beside}")


def _read_simulation(
    ctx: typer.Context,
    rules: Rules,
    deals: str | None,
    seed: str,
    threads: str | None,
    engine: str | None,
    raw: bool,
    score: tuple[str, str] | None,
) -> _Simulation:
    def whole(name: str, text: str, low: int, high: int) -> int:
        return read_whole(setting_name(ctx, name), text, low, high)

    chosen = None if engine is None else read_engine(setting_name(ctx, "engine"), engine)
    if chosen not in (None, "policy"):
        check_counting(rules, chosen)
    return _Simulation(
        rules,
        whole("seed", seed, 0, MAX_SEED),
        None if threads is None else whole("threads", threads, 1, MAX_THREADS),
        chosen,
        raw,
        None if score is None else read_score(score, rules),
        None if deals is None else whole("deals", deals, 1, MAX_DEALS),
    )


def _compare(
    ctx: typer.Context,
    terminal: Terminal,
    simulation: _Simulation,
    how: _Output,
    rows: tuple[Row, ...],
    on: str,
    opponents: Opponents,
    seat: str,
    precision: float | None,
    hands: str | None,
    held: tuple[int, ...],
    resume: str | None,
) -> None:
    from advisor.compiling import needed_entries
    from advisor.jump_tables import Contest, Side
    from advisor.jumps import JumpRun, default_deals, run_settings
    from advisor.report.jumps import Asked
    from advisor.resume import Resume
    from advisor.simulate import available_threads, worker_pool

    needed = needed_entries("jumps", simulation.engine or "policy")
    if opponents.rule is not None:
        needed += needed_entries("opponents", "policy")
    compile_first(needed, how.quiet)
    contest = Contest(
        tuple(Side(row.convention) for row in rows),
        simulation.rules,
        Side.of(opponents),
        simulation.engine or "policy",
        simulation.raw,
        simulation.seed,
        seat == "first",
        held,
        simulation.score or (0, 0),
    )
    deals = simulation.deals or default_deals(contest.engine, precision)
    settings = run_settings(contest, on, rows, opponents.name)
    kept = None if resume is None else Resume(resume, settings)
    run = JumpRun(contest, deals, precision, kept)
    threads = simulation.threads or available_threads()
    interrupted = False
    try:
        with (
            progress(terminal, how.quiet) as line,
            interruptible(terminal),
            worker_pool(threads) as pool,
        ):
            run.run(pool, 2 * threads, lambda now: line.tell(*now.progress))
    except KeyboardInterrupt:
        if not run.found.deals:
            raise
        interrupted = True
    asked = Asked(on, rows, opponents.name, hands, interrupted, deals)
    found = run.comparison

    def text() -> str:
        return _render(found, asked, _command(ctx, how), how, terminal)

    def page() -> Page:
        from advisor.report.html_jumps import comparison_page

        return comparison_page(found, asked, _command(ctx, replace(_PLAIN_PAGE, matrix=True)))

    write_answer(how.form, how.html, text, page, terminal, quiet=how.quiet)
    if interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _render(found: Comparison, asked: Asked, command: str, how: _Output, terminal: Terminal) -> str:
    from advisor.report import jumps as report
    from advisor.report.data import to_json

    look = look_of(terminal, found.contest.rules.scale, how.plain, how.no_color)
    if how.form is Format.json:
        return to_json(report.comparison_object(found, asked, command, matrix=how.matrix))
    if how.form is Format.csv:
        return report.comparison_csv(found, asked)
    if how.form is Format.markdown:
        return report.comparison_markdown(found, asked, look)
    return report.comparison_screen(found, asked, look, command, matrix=how.matrix)


def _answer_hand(
    ctx: typer.Context,
    terminal: Terminal,
    words: list[str],
    auction: str | None,
    simulation: _Simulation,
    how: _Output,
) -> None:
    from advisor.game.notation import parse_hand
    from advisor.game.position import read_position

    if simulation.deals is not None and simulation.deals > MAX_SAMPLES:
        read_whole("deals", str(simulation.deals), 1, MAX_SAMPLES)
    read_position(simulation.rules, None, None, auction)
    cards = parse_hand(read_hand_text(terminal, words), (12,))
    from advisor.compiling import needed_entries
    from advisor.jump_advice import HAND_DEALS, calls_of_hand
    from advisor.report import jump_advice as report
    from advisor.report.data import to_json
    from advisor.simulate import worker_pool

    compile_first(needed_entries("bid", simulation.engine), how.quiet)
    remark = None if how.quiet else "Still dealing; Ctrl-C stops."
    with remark_if_slow(terminal, remark), worker_pool(simulation.threads) as pool:
        found = calls_of_hand(
            cards,
            rules=simulation.rules,
            auction=auction,
            score=simulation.score,
            samples=simulation.deals or HAND_DEALS,
            seed=simulation.seed,
            engine=simulation.engine,
            raw=simulation.raw,
            executor=pool,
        )

    def page() -> Page:
        from advisor.report.html_jumps import hand_page

        return hand_page(found, _command(ctx, _PLAIN_PAGE, str(cards)))

    def text() -> str:
        command = _command(ctx, how, str(cards))
        if how.form is Format.json:
            return to_json(report.hand_object(found, command))
        if how.form is Format.csv:
            return report.hand_csv(found)
        look = look_of(terminal, simulation.rules.scale, how.plain, how.no_color)
        if how.form is Format.markdown:
            return report.hand_markdown(found, look)
        return report.hand_screen(found, look, command)

    write_answer(how.form, how.html, text, page, terminal, quiet=how.quiet)


def _command(ctx: typer.Context, how: _Output, hand: str | None = None) -> str:
    """Return the command that prints the same again, from the options that were given."""
    words = ["advisor", "jumps", *([f'"{hand}"'] if hand else [])]
    given = ctx.params
    for name in _REPEATED:
        source = ctx.get_parameter_source(name)
        if given.get(name) is None or source is None or source.name == "DEFAULT":
            continue
        option = f"--{name.replace('_', '-')}"
        value = given[name]
        if name == "raw":
            # It may also have been turned off.
            words += ["--raw"] * value
        elif name == "score":
            words += ["--score", *value]
        elif name == "changes":
            for change in value:
                words += ["--set", shlex.quote(change)]
        elif name != "seed":
            words += [option, shlex.quote(value.strip())]
    words += ["--seed", str(int(given["seed"]))]
    flags = {"--matrix": how.matrix, "--ascii": how.plain, "--json": how.form is Format.json}
    return " ".join([*words, *(flag for flag, on in flags.items() if on), *config_words(ctx)])
