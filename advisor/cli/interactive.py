"""The command that talks: ``advisor interactive``, and ``advisor bid`` without a hand."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from advisor.cli.advice import Question, advice_on, look_of, read_settings
from advisor.cli.auction_options import ConventionOption, NoInferenceOption, ScoreOption
from advisor.cli.defaults import ConfigOption, bid_words, config_words
from advisor.cli.first_run import compiling_text
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    EngineOption,
    NoColorOption,
    PrecisionOption,
    QuietOption,
    RawOption,
    RulesOption,
    SamplesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    rules_of,
)
from advisor.cli.shell import describe, one_line, terminal_of
from advisor.errors import ExitCode
from advisor.terminal import (
    SLOW_SECONDS,
    Terminal,
    flush,
    interruptible,
    remark_if_slow,
    write_err,
    write_out,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from advisor.advice import BidAdvice
    from advisor.exchange_advice import ExchangeAdvice
    from advisor.game.cards import Hand, Suit
    from advisor.interactive_state import State

INTERACTIVE_HELP: Final = """\
advisor interactive
advisor interactive --rules pagat --score 900 1100

Ask about one hand after another without typing everything again.

Type a hand, then what else is known: trump h, auction 250 P 270, why, pass h,
set pass=3, next. help lists all; Ctrl-C stops an answer, Ctrl-D leaves. Lines
may come from a pipe.

The prompt is more comfortable with pip install 'pinochle-advisor[prompt]'.
"""
GREETING: Final = (
    "Type a hand, such as AATKQJ.AK.QJ.T9 (spades.hearts.diamonds.clubs), or help.\n"
    "The simulation is made ready meanwhile. Ctrl-C stops an answer, Ctrl-D leaves."
)
PREPARING: Final = "Still making the simulation ready; Ctrl-C stops."
STOPPED: Final = "Stopped; nothing has changed."
_WAKE_SECONDS: Final = 0.05
_WARM_HAND: Final = "AATKQJ.AK.QJ.T9"
_WARM_HELD: Final = "AATTKQJJ.AAK.QJ.T99"

Result = TypeVar("Result")


class WarmUp:
    """Loads the kernels, or compiles them, while somebody types.

    In the order in which they will be needed; what fails here fails again where it is needed,
    and is told there.
    """

    def __init__(self, engine: str | None) -> None:
        self._engine = engine
        # What is said to who waits while it compiles.
        self.compiling = ""
        self._ready = {"bid": threading.Event(), "exchange": threading.Event()}
        self._started = False

    def start(self) -> None:
        """Begin, if that was not done yet."""
        if not self._started:
            self._started = True
            threading.Thread(target=self._run, name="warm-up", daemon=True).start()

    def _run(self) -> None:
        try:
            from advisor.advise import advise
            from advisor.exchange_advice import advise_pass, advise_return
            from advisor.game.notation import parse_hand

            self._compile("bid")
            hand = parse_hand(_WARM_HAND)
            advise(hand, samples=8, engine=self._engine)
            advise(hand, samples=8, auction="250 P", score=(100, 100))
            self._ready["bid"].set()
            self._compile("pass", "return")
            advise_pass(hand, 0, samples=8)
            advise_return(parse_hand(_WARM_HELD, (16,)), 0, samples=8)
        except Exception:
            pass
        finally:
            for event in self._ready.values():
                event.set()

    def _compile(self, *commands: str) -> None:
        from advisor.compiling import compile_entries, missing_entries, needed_entries

        missing = missing_entries(
            name for command in commands for name in needed_entries(command, self._engine)
        )
        if missing:
            self.compiling = compiling_text(missing)
            compile_entries(missing)
            self.compiling = ""

    def wait(self, what: str, quiet: bool, at_terminal: bool) -> None:
        """Return once ``bid`` or ``exchange`` is ready; say why that takes long."""
        self.start()
        told = quiet
        slow = time.monotonic() + (SLOW_SECONDS if at_terminal else math.inf)
        while not self._ready[what].wait(_WAKE_SECONDS):
            if told:
                continue
            if self.compiling:
                write_err(self.compiling)
                told = True
            elif time.monotonic() > slow:
                write_err(PREPARING)
                told = True


class Computed:
    """Answers by the library, in threads, so that Ctrl-C is felt at once and breaks nothing.

    What computes is never interrupted itself; it is told to stop, and nobody waits for it.
    """

    def __init__(self, terminal: Terminal, warm: WarmUp, quiet: bool) -> None:
        self._terminal = terminal
        self._warm = warm
        self._quiet = quiet

    def bid(self, state: State) -> BidAdvice:
        """Return advice on the hand of a state."""

        def work(pool: Executor) -> BidAdvice:
            return advice_on(state, pool)

        return self._wait_for("bid", work, state.threads)

    def exchange(
        self, state: State, hand: Hand, trump: Suit, received: Hand | None, returning: bool
    ) -> ExchangeAdvice:
        """Return advice on what to pass, or to give back."""

        def work(pool: Executor) -> ExchangeAdvice:
            from advisor.exchange_advice import advise_pass, advise_return

            settings: dict[str, Any] = {
                "rules": state.rules,
                "samples": state.samples,
                "seed": state.seed,
                "engine": state.engine,
                "raw": state.raw,
                "executor": pool,
            }
            if returning:
                return advise_return(hand, trump, received=received, **settings)
            return advise_pass(hand, trump, **settings)

        return self._wait_for("exchange", work, state.threads)

    def _wait_for(
        self, what: str, work: Callable[[Executor], Result], threads: int | None
    ) -> Result:
        self._warm.wait(what, self._quiet, self._terminal.stderr_tty)
        from advisor.simulate import worker_pool

        found: list[Result] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                found.append(work(pool))
            except BaseException as error:
                failed.append(error)

        remark = None if self._quiet else "Still dealing; Ctrl-C stops."
        # Ctrl-C ends the pool, and with it the thread at its next block.
        with remark_if_slow(self._terminal, remark), worker_pool(threads) as pool:
            thread = threading.Thread(target=run, name="answer", daemon=True)
            thread.start()
            while thread.is_alive():
                thread.join(_WAKE_SECONDS)
        if failed:
            raise failed[0]
        return found[0]


def converse(
    ctx: typer.Context, terminal: Terminal, state: State, plain: bool, no_color: bool, quiet: bool
) -> None:
    """Answer lines until there are no more."""
    from advisor.cli.prompt import open_lines
    from advisor.config_files import history_file
    from advisor.interactive import Leave, Session
    from advisor.interactive_lines import pasted_lines
    from advisor.interactive_words import complete_line

    state.check()
    always = [
        name
        for name in ("rules", "engine", "convention")
        if os.environ.get(f"PINOCHLE_{name.upper()}")
    ]
    bid_only = bid_words()
    common = [word for word in config_words(ctx) if word not in bid_only]
    at_prompt = terminal.stdin_tty and terminal.stdout_tty
    warm = WarmUp(state.engine)
    if at_prompt:
        # Lines of a pipe may need no simulation at all.
        warm.start()
    session = Session(
        state,
        Computed(terminal, warm, quiet),
        lambda scale: look_of(terminal, scale, plain, no_color),
        always=always,
        words=[*(["--ascii"] if plain else []), *common],
        bid_words=bid_only,
    )
    lines = open_lines(terminal, complete_line, history_file())
    if at_prompt and not quiet:
        write_err(GREETING)
    debug = bool(ctx.params.get("debug"))
    bad = 0
    waiting: list[str] = []
    with interruptible(terminal):
        while True:
            stopped = ""
            try:
                if not waiting:
                    waiting = pasted_lines(lines.read())
                stopped = STOPPED
                text = session.answer(waiting.pop(0))
                if text:
                    # A line between screens; programs get one object a line.
                    write_out(text if text.startswith("{") else f"{text}\n")
                flush(sys.stdout)
            except KeyboardInterrupt:
                if not at_prompt:
                    raise
                waiting = []
                # Without an answer to stop, the line that was begun is dropped.
                write_err(stopped)
            except (EOFError, Leave) as end:
                if at_prompt and isinstance(end, EOFError):
                    write_out("")
                break
            except OSError:
                # Nobody reads any more, or a disk is full.
                raise
            except Exception as error:
                bad += 1
                if debug:
                    write_err(traceback.format_exc())
                write_err(f"Error: {one_line(describe(error)[0])}")
    if bad and not at_prompt:
        raise typer.Exit(ExitCode.BAD_LINES)


def interactive(
    ctx: typer.Context,
    rules: RulesOption = "cardgames",
    changes: SetOption = None,
    score: ScoreOption = None,
    convention: ConventionOption = "none",
    no_inference: NoInferenceOption = False,
    samples: SamplesOption = None,
    precision: PrecisionOption = None,
    seed: SeedOption = "0",
    engine: EngineOption = None,
    raw: RawOption = False,
    threads: ThreadsOption = None,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Answer questions about hands until told to leave."""
    house = rules_of(ctx, rules, changes)
    question = read_settings(
        ctx, house, None, samples, precision, seed, threads, engine, raw, None, None, None, score,
        convention, no_inference,
    )  # fmt: skip
    state = state_of(question, rules, changes, convention)
    converse(ctx, terminal_of(ctx), state, plain, no_color, quiet)


def state_of(question: Question, rules: str, changes: list[str] | None, convention: str) -> State:
    """Return where a conversation begins that is about the same as a question."""
    from advisor.game.conventions import Convention
    from advisor.interactive_state import State

    return State(
        rules=question.rules,
        rules_name=rules,
        changes=tuple(changes or ()),
        convention=question.convention or Convention("none"),
        convention_name=convention,
        trump=question.trump,
        auction=question.auction,
        seat=question.seat,
        dealer=question.dealer,
        score=question.score,
        inference=question.inference,
        samples=question.samples,
        precision=question.precision,
        seed=question.seed,
        engine=question.engine,
        raw=question.raw,
        threads=question.threads,
    )
