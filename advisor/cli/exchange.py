"""The commands about the exchange: ``advisor pass`` and ``advisor return``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from advisor.cli.advice import look_of
from advisor.cli.defaults import ConfigOption, config_words
from advisor.cli.first_run import compile_first
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    EngineOption,
    Format,
    FormatOption,
    HandArgument,
    JsonOption,
    NoColorOption,
    QuietOption,
    RawOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    chosen_format,
    complete_trump,
    read_engine,
    read_whole,
    rules_of,
    setting_name,
)
from advisor.cli.shell import terminal_of
from advisor.errors import HandError, OptionError
from advisor.limits import MAX_SAMPLES, MAX_SEED, MAX_THREADS, check_counting
from advisor.terminal import Terminal, read_hand_text, remark_if_slow, write_out

if TYPE_CHECKING:
    from advisor.exchange_advice import ExchangeAdvice
    from advisor.game.cards import Hand, Suit
    from advisor.game.rules import Rules

PASS_HELP: Final = """\
advisor pass AT9.AK9.QJ9.TJ9 --trump S
advisor pass "S:AT9 H:AK9 D:QJ9 C:TJ9" --trump spades --set pass=3
advisor pass AT9.AK9.QJ9.TJ9 --trump S --json

Which cards to send as declarer's partner, and why.

Every way to send is tried on the same deals, in which declarer's hand is one
that would name this trump. The answer stands at the end, before the command
that prints the same again.
"""
RETURN_HELP: Final = """\
advisor return AATTKQJJ.AAK.QJ.T99 --trump S
advisor return AATTKQJJ.AAK.QJ.T99 --trump S --received "AS KS AH JD"

Which cards to give back as declarer, and why.

The hand is declarer's with the cards that partner sent, 16 where four are
passed. Every way to give back is tried on the same deals, in which partner's
rule sends what came: --received says which they were, else any may have come.
"""
NamedTrumpOption = Annotated[
    str | None,
    typer.Option(
        "--trump",
        metavar="S|H|D|C",
        help="The suit that declarer named.",
        autocompletion=complete_trump,
        show_default=False,
    ),
]
ReceivedOption = Annotated[
    str | None,
    typer.Option(
        "--received",
        metavar="CARDS",
        help="Which of the cards partner sent, such as 'AS KS AH JD'.",
        show_default=False,
    ),
]
HeldArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="HAND",
        help="Declarer's cards with those received, in any usual notation; - or nothing reads "
        "them from the input.",
        show_default=False,
    ),
]
JudgingOption = Annotated[
    str | None,
    typer.Option(
        "--samples",
        metavar="N",
        envvar="PINOCHLE_SAMPLES",
        help="Deals that judge the last ten ways, 1 to 1000000; half as many others choose.  "
        "[default: 3000]",
        show_default=False,
        rich_help_panel="Simulation",
    ),
]


@dataclass(frozen=True, slots=True)
class _Question:
    """What was asked, checked as far as that is possible without the simulation."""

    hand: Hand
    received: Hand | None
    returning: bool
    trump: Suit
    rules: Rules
    samples: int | None
    seed: int
    threads: int | None
    engine: str | None
    raw: bool


@dataclass(frozen=True, slots=True)
class _Output:
    """How the answer is written."""

    form: Format
    quiet: bool
    plain: bool
    no_color: bool


def _read_question(
    ctx: typer.Context,
    terminal: Terminal,
    words: list[str] | None,
    received: str | None,
    returning: bool,
    trump: str | None,
    rules: Rules,
    samples: str | None,
    seed: str,
    threads: str | None,
    engine: str | None,
    raw: bool,
) -> _Question:
    from advisor.game.exchange import check_pass_cards
    from advisor.game.notation import parse_hand, parse_trump

    def whole(name: str, text: str, low: int, high: int) -> int:
        return read_whole(setting_name(ctx, name), text, low, high)

    if trump is None:
        raise OptionError("trump: expected S, H, D or C, found none")
    suit = parse_trump(trump)
    n_cards = check_pass_cards(rules)
    n_samples = None if samples is None else whole("samples", samples, 1, MAX_SAMPLES)
    number = whole("seed", seed, 0, MAX_SEED)
    n_threads = None if threads is None else whole("threads", threads, 1, MAX_THREADS)
    chosen = None if engine is None else read_engine(setting_name(ctx, "engine"), engine)
    if chosen not in (None, "policy"):
        check_counting(rules, chosen)
    # The hand comes last: nobody should type twelve cards to hear that an option was wrong.
    size = 12 + n_cards if returning else 12
    hand = parse_hand(read_hand_text(terminal, words or [], size), (size,))
    came = None if received is None else _read_received(received, hand, n_cards)
    return _Question(
        hand, came, returning, suit, rules, n_samples, number, n_threads, chosen, raw
    )  # fmt: skip


def _read_received(text: str, hand: Hand, n_cards: int) -> Hand:
    from advisor.game.exchange import check_received
    from advisor.game.notation import parse_hand

    if not text.strip():
        raise HandError(f"received: expected {n_cards} cards, found none")
    try:
        came = parse_hand(text, None)
    except HandError as error:
        raise HandError(f"received: {error}") from None
    check_received(hand, came, n_cards)
    return came


def _compute(question: _Question, terminal: Terminal, quiet: bool) -> ExchangeAdvice:
    from advisor.compiling import needed_entries
    from advisor.exchange_advice import advise_pass, advise_return
    from advisor.simulate import worker_pool

    command = "return" if question.returning else "pass"
    compile_first(needed_entries(command, question.engine), quiet)
    remark = None if quiet else "Still dealing; Ctrl-C stops."
    with remark_if_slow(terminal, remark), worker_pool(question.threads) as pool:
        if question.returning:
            return advise_return(
                question.hand,
                question.trump,
                received=question.received,
                rules=question.rules,
                samples=question.samples,
                seed=question.seed,
                engine=question.engine,
                raw=question.raw,
                executor=pool,
            )
        return advise_pass(
            question.hand,
            question.trump,
            rules=question.rules,
            samples=question.samples,
            seed=question.seed,
            engine=question.engine,
            raw=question.raw,
            executor=pool,
        )


def _answer(
    terminal: Terminal,
    question: _Question,
    rules: str,
    changes: list[str] | None,
    how: _Output,
    config: list[str],
) -> None:
    advice = _compute(question, terminal, how.quiet)
    from advisor.report import exchange as report
    from advisor.report.data import to_json

    flags = ["--ascii"] if how.plain else []
    command = report.reproduce(
        advice,
        rules=rules,
        always_rules=bool(os.environ.get("PINOCHLE_RULES")),
        always_engine=bool(os.environ.get("PINOCHLE_ENGINE")),
        changes=changes or (),
        flags=[*flags, *["--json"] * (how.form is Format.json), *config],
    )
    look = look_of(terminal, question.rules.scale, how.plain, how.no_color)
    if how.form is Format.json:
        write_out(to_json(report.exchange_object(advice, command)))
    elif how.form is Format.csv:
        write_out(report.exchange_csv(advice))
    elif how.form is Format.markdown:
        write_out(report.exchange_markdown(advice, look))
    else:
        write_out(report.exchange_screen(advice, look, command))


def send(
    ctx: typer.Context,
    hand: HandArgument = None,
    trump: NamedTrumpOption = None,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    samples: JudgingOption = None,
    seed: SeedOption = "0",
    engine: EngineOption = None,
    raw: RawOption = False,
    threads: ThreadsOption = None,
    output: FormatOption = None,
    as_json: JsonOption = False,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Advise declarer's partner on which cards to send."""
    terminal = terminal_of(ctx)
    form = chosen_format(output, as_json)
    house = rules_of(ctx, rules, changes)
    question = _read_question(
        ctx, terminal, hand, None, False, trump, house, samples, seed, threads, engine, raw
    )  # fmt: skip
    _answer(
        terminal, question, rules, changes, _Output(form, quiet, plain, no_color), config_words(ctx)
    )


def give_back(
    ctx: typer.Context,
    hand: HeldArgument = None,
    trump: NamedTrumpOption = None,
    received: ReceivedOption = None,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    samples: JudgingOption = None,
    seed: SeedOption = "0",
    engine: EngineOption = None,
    raw: RawOption = False,
    threads: ThreadsOption = None,
    output: FormatOption = None,
    as_json: JsonOption = False,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Advise declarer on which cards to give back."""
    terminal = terminal_of(ctx)
    form = chosen_format(output, as_json)
    house = rules_of(ctx, rules, changes)
    question = _read_question(
        ctx, terminal, hand, received, True, trump, house, samples, seed, threads, engine, raw
    )  # fmt: skip
    _answer(
        terminal, question, rules, changes, _Output(form, quiet, plain, no_color), config_words(ctx)
    )
