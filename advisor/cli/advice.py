"""The commands about one hand: ``advisor bid`` and ``advisor meld``."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import typer

from advisor.cli.auction_options import (
    AuctionOption,
    ConventionOption,
    DealerOption,
    NoInferenceOption,
    ScoreOption,
    SeatOption,
    convention_of,
    read_score,
    read_seat,
)
from advisor.cli.defaults import ConfigOption, config_words, was_given
from advisor.cli.first_run import compile_first
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    EngineOption,
    ExplainOption,
    Format,
    FormatOption,
    HandArgument,
    HtmlOption,
    JsonOption,
    NoColorOption,
    PageFormatOption,
    PlotOption,
    PrecisionOption,
    QuietOption,
    RawOption,
    RulesOption,
    SamplesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    TrumpOption,
    VerboseOption,
    chosen_format,
    read_engine,
    read_precision,
    read_whole,
    rules_of,
    setting_name,
)
from advisor.cli.page import check_page, write_answer
from advisor.cli.shell import terminal_of
from advisor.limits import MAX_SAMPLES, MAX_SEED, MAX_THREADS, check_counting
from advisor.terminal import (
    Terminal,
    read_hand_text,
    remark_if_slow,
    write_out,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from advisor.advice import BidAdvice
    from advisor.game.cards import Hand, Suit
    from advisor.game.conventions import Convention
    from advisor.game.meld import Meld
    from advisor.game.rules import Rules
    from advisor.interactive_state import State
    from advisor.report.html import Page
    from advisor.report.look import Look

BID_HELP: Final = """\
advisor bid AATKQJ.AK.QJ.T9
advisor bid "S:AATKQJ H:AK D:QJ C:T9" --rules pagat --explain
advisor bid AATKQJ.AK.QJ.T9 --set pass=3 --json
advisor bid AATKQJ.AK.QJ.T9 --auction "250 P 270 P" --score 900 1100

Which trump, how high to bid, and how sure that is.

The cards you cannot see are dealt at random many times; each deal is played
out under every trump, from the exchange with partner to the last trick. The
answer stands at the end, before the command that prints the same again.
"""
MELD_HELP: Final = """\
advisor meld AATKQJ.AK.QJ.T9
advisor meld "run in spades, AH KH, QD JD, TC 9C" --trump S
echo AATKQJ.AK.QJ.T9 | advisor meld --json

The exact meld of a hand under every trump, itemised.

A hand of 15 or 16 cards, as the declarer holds after the pass, is read too.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What `bid` was asked, checked as far as that is possible without the simulation."""

    hand: Hand | None
    rules: Rules
    trump: Suit | None
    samples: int | None
    precision: float | None
    seed: int
    threads: int | None
    engine: str | None = None
    raw: bool = False
    auction: str | None = None
    seat: int | None = None
    dealer: str | None = None
    score: tuple[int, int] | None = None
    convention: Convention | None = None
    inference: bool = True


def _read_trump(text: str | None) -> Suit | None:
    from advisor.game.notation import parse_trump

    return None if text is None else parse_trump(text)


def _read_hand(terminal: Terminal, words: list[str] | None, sizes: tuple[int, ...]) -> Hand:
    from advisor.game.notation import parse_hand

    return parse_hand(read_hand_text(terminal, words or []), sizes)


def read_settings(
    ctx: typer.Context,
    rules: Rules,
    trump: str | None,
    samples: str | None,
    precision: str | None,
    seed: str,
    threads: str | None,
    engine: str | None,
    raw: bool,
    auction: str | None,
    seat: str | None,
    dealer: str | None,
    score: tuple[str, str] | None,
    convention: str,
    no_inference: bool,
) -> Question:
    """Return what the options of `bid` say, checked; the hand is still missing."""
    from advisor.game.position import read_position

    def whole(name: str, text: str, low: int, high: int) -> int:
        return read_whole(setting_name(ctx, name), text, low, high)

    suit = _read_trump(trump)
    n_samples = None if samples is None else whole("samples", samples, 1, MAX_SAMPLES)
    points = None if precision is None else read_precision(precision)
    number = whole("seed", seed, 0, MAX_SEED)
    n_threads = None if threads is None else whole("threads", threads, 1, MAX_THREADS)
    chosen = None if engine is None else read_engine(setting_name(ctx, "engine"), engine)
    if chosen not in (None, "policy"):
        check_counting(rules, chosen)
    our_seat = None if seat is None else read_seat(seat)
    read_position(rules, our_seat, dealer, auction)
    agreed = convention_of(ctx, convention)
    points_of_both = None if score is None else read_score(score, rules)
    return Question(
        None, rules, suit, n_samples, points, number, n_threads, chosen, raw, auction, our_seat,
        dealer, points_of_both, agreed, not no_inference,
    )  # fmt: skip


def _still_dealing(question: Question) -> str:
    """Return the remark on an answer that takes long: what it waits for.

    >>> from advisor import Hand, Rules
    >>> _still_dealing(Question(Hand((0,) * 24), Rules(), None, None, 0.1, 0, None))
    'Still dealing: until the mean score is known to 0.1 points; Ctrl-C stops.'
    """
    if question.samples is not None:
        until = f"{question.samples:,} deals"
        if question.precision is not None:
            until += f", or until the mean score is known to {question.precision:g} points"
    elif question.precision is not None:
        until = f"until the mean score is known to {question.precision:g} points"
    else:
        until = "until the answer is settled"
    return f"Still dealing: {until}; Ctrl-C stops."


def advice_on(question: Question | State, executor: Executor) -> BidAdvice:
    """Return advice on the hand of a question, asked once or at the prompt."""
    from advisor.advise import advise

    assert question.hand is not None
    return advise(
        question.hand,
        rules=question.rules,
        trump=question.trump,
        samples=question.samples,
        precision=question.precision,
        seed=question.seed,
        engine=question.engine,
        raw=question.raw,
        auction=question.auction,
        seat=question.seat,
        dealer=question.dealer,
        score=question.score,
        convention=question.convention,
        inference=question.inference,
        executor=executor,
    )


def _compute(question: Question, terminal: Terminal, quiet: bool, verbose: bool) -> BidAdvice:
    from advisor.compiling import needed_entries
    from advisor.simulate import worker_pool

    compile_first(needed_entries("bid", question.engine), quiet, verbose)
    remark = None if quiet else _still_dealing(question)
    with remark_if_slow(terminal, remark), worker_pool(question.threads) as pool:
        return advice_on(question, pool)


def look_of(terminal: Terminal, scale: int, plain: bool, no_color: bool = True) -> Look:
    """Return how a screen looks on this terminal."""
    from advisor.report.look import Look

    return Look(
        symbols=terminal.symbols and not plain,
        bold=terminal.colour and not no_color,
        width=terminal.width,
        scale=scale,
    )


def bid(
    ctx: typer.Context,
    hand: HandArgument = None,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    trump: TrumpOption = None,
    auction: AuctionOption = None,
    seat: SeatOption = None,
    dealer: DealerOption = None,
    score: ScoreOption = None,
    convention: ConventionOption = "none",
    no_inference: NoInferenceOption = False,
    samples: SamplesOption = None,
    precision: PrecisionOption = None,
    seed: SeedOption = "0",
    engine: EngineOption = None,
    raw: RawOption = False,
    threads: ThreadsOption = None,
    output: PageFormatOption = None,
    as_json: JsonOption = False,
    html: HtmlOption = None,
    plot: PlotOption = False,
    explain: ExplainOption = False,
    verbose: VerboseOption = False,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Advise on a hand: the next call, and how high to go."""
    terminal = terminal_of(ctx)
    form = chosen_format(output, as_json, page=True)
    check_page(html, form)
    house = rules_of(ctx, rules, changes)
    question = read_settings(
        ctx, house, trump, samples, precision, seed, threads, engine, raw, auction, seat, dealer,
        score, convention, no_inference,
    )  # fmt: skip
    # What was asked of one answer is not for a whole conversation, and must not be lost in it.
    once = form is not Format.table or any(
        was_given(ctx, name) and ctx.params[name] for name in ("html", "plot", "explain", "verbose")
    )
    if not hand and not once and terminal.stdin_tty and terminal.stdout_tty:
        from advisor.cli.interactive import converse, state_of

        state = state_of(question, rules, changes, convention)
        converse(ctx, terminal, state, plain, no_color, quiet)
        return
    # The hand comes last: nobody should type twelve cards to hear that an option was wrong.
    question = replace(question, hand=_read_hand(terminal, hand, (12,)))
    advice = _compute(question, terminal, quiet, verbose)
    flags = {"--plot": plot, "--explain": explain, "--verbose": verbose, "--ascii": plain}
    shown = [flag for flag, on in flags.items() if on]
    shown += ["--json"] * (form is Format.json) + config_words(ctx)
    command = _command(advice, rules, changes, convention, shown)
    look = look_of(terminal, house.scale, plain, no_color)

    def text() -> str:
        return _render(advice, form, look, command, explain, verbose, plot)

    def page() -> Page:
        from advisor.report.html_bid import bid_page

        # No option of the screen changes a page.
        return bid_page(advice, _command(advice, rules, changes, convention, config_words(ctx)))

    write_answer(form, html, text, page, terminal, quiet=quiet)


def _command(
    advice: BidAdvice,
    rules: str,
    changes: list[str] | None,
    convention: str,
    flags: list[str],
) -> str:
    from advisor.report.table import reproduce

    return reproduce(
        advice,
        rules=rules,
        always_rules=bool(os.environ.get("PINOCHLE_RULES")),
        always_engine=bool(os.environ.get("PINOCHLE_ENGINE")),
        changes=changes or (),
        convention=convention,
        always_convention=bool(os.environ.get("PINOCHLE_CONVENTION")),
        flags=flags,
    )


def _render(
    advice: BidAdvice,
    form: Format,
    look: Look,
    command: str,
    explain: bool,
    verbose: bool,
    plot: bool,
) -> str:
    from advisor.report import data, table

    if form is Format.json:
        return data.to_json(data.bid_object(advice, command, explain=explain))
    if form is Format.csv:
        return data.bid_csv(advice)
    if form is Format.markdown:
        return table.bid_markdown(advice, look)
    return table.bid_screen(advice, look, command, explain=explain, verbose=verbose, plot=plot)


def meld(
    ctx: typer.Context,
    hand: HandArgument = None,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    trump: TrumpOption = None,
    output: FormatOption = None,
    as_json: JsonOption = False,
    plain: AsciiOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Print the exact meld of a hand."""
    from advisor.game.cards import SUITS
    from advisor.game.meld import score_meld

    terminal = terminal_of(ctx)
    form = chosen_format(output, as_json)
    house = rules_of(ctx, rules, changes)
    suit = _read_trump(trump)
    cards = _read_hand(terminal, hand, tuple(sorted({12, 15, 16, 12 + house.pass_cards})))
    melds = {s: score_meld(cards, s, house) for s in (SUITS if suit is None else (suit,))}
    write_out(_render_meld(cards, house, melds, form, look_of(terminal, house.scale, plain)))


def _render_meld(
    hand: Hand, rules: Rules, melds: dict[Suit, Meld], form: Format, look: Look
) -> str:
    if form in (Format.table, Format.markdown):
        from advisor.report.meld import meld_markdown, meld_screen

        if form is Format.markdown:
            return meld_markdown(melds, look)
        return meld_screen(hand, rules, melds, look)
    from advisor.report import data

    if form is Format.csv:
        return data.melds_csv(hand, rules, melds)
    return data.to_json(data.melds_object(hand, rules, melds))
