"""The command that lets rules of bidding play each other: ``advisor league``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

from advisor.cli.advice import look_of
from advisor.cli.defaults import ConfigOption, config_words
from advisor.cli.first_run import compile_first
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    Format,
    HtmlOption,
    JsonOption,
    NoColorOption,
    PageFormatOption,
    QuietOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    chosen_format,
    complete_engine,
    read_engine,
    read_whole,
    rules_of,
    setting_name,
)
from advisor.cli.page import check_page, write_answer
from advisor.cli.shell import terminal_of
from advisor.errors import ExitCode
from advisor.limits import MAX_DEALS, MAX_SEED, MAX_THREADS, check_counting
from advisor.rules_of_bidding.names import (
    DEFAULT_DEALS,
    DEFAULT_RULES,
    RULE_NAMES,
    SIMULATING,
    check_rule_names,
)
from advisor.terminal import Terminal, interruptible

if TYPE_CHECKING:
    from advisor.league import League
    from advisor.league_tally import Tally
    from advisor.report.html import Page
    from advisor.report.league import Asked
    from advisor.report.look import Look

LEAGUE_HELP: Final = """\
advisor league
advisor league --rules-of-bidding advisor,b8,b9 --deals 20000 --resume league.json

Rules of bidding against each other, on the same deals.

Every deal is bid and played twice, with the sides exchanged, and the cards
are played by the same engine for all. Ctrl-C shows what is known by then.
"""
_LEAGUE: Final = "League"
_ENTRANTS: Final = ",".join(DEFAULT_RULES)
_DEALS: Final = str(DEFAULT_DEALS)


def _complete_rule(incomplete: str) -> list[str]:
    start, comma, last = incomplete.rpartition(",")
    return [start + comma + name for name in RULE_NAMES if name.startswith(last.lower())]


RulesOfBiddingOption = Annotated[
    str,
    typer.Option(
        "--rules-of-bidding",
        metavar="NAME,NAME...",
        help="Who plays: " + ", ".join(RULE_NAMES) + ".",
        autocompletion=_complete_rule,
        rich_help_panel=_LEAGUE,
    ),
]
LeagueDealsOption = Annotated[
    str,
    typer.Option(
        "--deals",
        metavar="N",
        help="Deals, each played in both directions by each pair.",
        rich_help_panel=_LEAGUE,
    ),
]
LeagueResumeOption = Annotated[
    str | None,
    typer.Option(
        "--resume",
        metavar="FILE",
        help="Go on from this file, if it is there, and keep in it what is found.",
        show_default=False,
        rich_help_panel=_LEAGUE,
    ),
]
AllPairsOption = Annotated[
    bool,
    typer.Option(
        "--all-pairs", help="List every pair, not only those of the best.", rich_help_panel="Output"
    ),
]
LeagueEngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="policy|lite|exact",
        envvar="PINOCHLE_ENGINE",
        help="How tricks are found: by rules of play (the default), by a quick judgement of the "
        "open cards, or by solving them (minutes).",
        autocompletion=complete_engine,
        show_default=False,
        rich_help_panel="Simulation",
    ),
]


def league(
    ctx: typer.Context,
    entrants: RulesOfBiddingOption = _ENTRANTS,
    deals: LeagueDealsOption = _DEALS,
    resume: LeagueResumeOption = None,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    seed: SeedOption = "0",
    engine: LeagueEngineOption = None,
    threads: ThreadsOption = None,
    output: PageFormatOption = None,
    as_json: JsonOption = False,
    html: HtmlOption = None,
    every: AllPairsOption = False,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Play a league and print its table."""
    terminal = terminal_of(ctx)
    form = chosen_format(output, as_json, page=True)
    check_page(html, form)
    house = rules_of(ctx, rules, changes)
    names = check_rule_names(entrants)
    n_deals = read_whole("deals", deals, 1, MAX_DEALS)
    number = read_whole(setting_name(ctx, "seed"), seed, 0, MAX_SEED)
    n_threads = (
        None
        if threads is None
        else read_whole(setting_name(ctx, "threads"), threads, 1, MAX_THREADS)
    )
    chosen = "policy" if engine is None else read_engine(setting_name(ctx, "engine"), engine)
    if chosen != "policy":
        check_counting(house, chosen)

    from advisor.compiling import needed_entries
    from advisor.league import League

    needed = needed_entries("league", chosen)
    if SIMULATING.intersection(names):
        needed += needed_entries("opponents", chosen)
    compile_first(needed, quiet)
    contest = League.of(names, house, number, chosen)
    tally, interrupted = _play(contest, n_deals, terminal, n_threads, resume, quiet)
    if tally.deals:
        from advisor.report.league import Asked

        flags = ["--engine", "policy"] * bool(
            chosen == "policy" and os.environ.get("PINOCHLE_ENGINE")
        )
        flags += ["--ascii"] * plain + ["--all-pairs"] * every + ["--json"] * (form is Format.json)
        asked = Asked(
            # A file may have held more than was asked for.
            max(n_deals, tally.deals),
            rules,
            bool(os.environ.get("PINOCHLE_RULES")),
            tuple(changes or ()),
            tuple(flags + config_words(ctx)),
            interrupted,
        )
        look = look_of(terminal, house.scale, plain, no_color)

        def text() -> str:
            return _render(contest, tally, asked, form, look, every)

        def page() -> Page:
            from advisor.report.html_league import league_page

            return league_page(contest, tally, asked)

        write_answer(form, html, text, page, terminal, quiet=quiet)
    if interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _play(
    contest: League,
    deals: int,
    terminal: Terminal,
    threads: int | None,
    resume: str | None,
    quiet: bool,
) -> tuple[Tally, bool]:
    """Return what was counted, and whether somebody stopped it."""
    from advisor.league import play_league
    from advisor.league_tally import Tally
    from advisor.progress import progress
    from advisor.simulate import worker_pool

    tally = Tally(contest.names, contest.rules)
    auctions = 2 * len(contest.pairs)
    try:
        with (
            interruptible(terminal),
            progress(terminal, quiet) as line,
            worker_pool(threads) as pool,
        ):
            play_league(
                contest,
                deals,
                executor=pool,
                resume=resume,
                tally=tally,
                progress=lambda done: line.tell(done, deals, auctions * done),
            )
    except KeyboardInterrupt:
        return tally, True
    return tally, False


def _render(
    contest: League, tally: Tally, asked: Asked, form: Format, look: Look, every: bool
) -> str:
    from advisor.report import league as report
    from advisor.report.data import to_json

    if form is Format.json:
        return to_json(report.league_object(contest, tally, asked))
    if form is Format.csv:
        return report.league_csv(contest, tally)
    if form is Format.markdown:
        return report.league_markdown(tally, look)
    return report.league_screen(contest, tally, look, asked, every=every)
