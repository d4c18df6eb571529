"""The command for files of hands: ``advisor batch``."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final

import typer

from advisor.cli.advice import announce_compiling, look_of
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
from advisor.cli.batch_options import (
    BatchFormatOption,
    BatchResumeOption,
    ClusterOption,
    ColumnsOption,
    ErrorsOption,
    FilesArgument,
    ForceOption,
    InputFormatOption,
    JobsOption,
    OutOption,
    StrictOption,
    SummaryOption,
)
from advisor.cli.defaults import ConfigOption
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
    TrumpOption,
    read_engine,
    read_precision,
    read_whole,
    rules_of,
    setting_name,
)
from advisor.cli.shell import terminal_of
from advisor.errors import ExitCode, OptionError
from advisor.limits import MAX_SAMPLES, MAX_SEED, MAX_THREADS
from advisor.terminal import Terminal, interruptible, write_err, write_out

if TYPE_CHECKING:
    from advisor.batch.answers import Answer, Work
    from advisor.batch.cluster import Cluster
    from advisor.batch.flow import Submit
    from advisor.batch.parts import Parts
    from advisor.batch.questions import Asked
    from advisor.batch.run import Inputs
    from advisor.batch.summary import Tally
    from advisor.batch.writers import Sheet, Writer
    from advisor.game.rules import Rules
    from advisor.report.look import Look

BATCH_HELP: Final = """\
advisor batch hands.txt
advisor batch hands.csv -o advice.csv --samples 2000
advisor batch hands.jsonl.gz -o advice.parquet --engine policy --resume
some-program | advisor batch - --format jsonl

Advice for files of hands, of any size.

A line or row is a hand, in any notation that advisor bid reads; columns (or
keys) id, trump, seat, dealer, auction, score_us, score_them and names of
rules hold for their row, others are carried through. A result depends on its
hand, the options, the rules and the seed alone.
"""
_SUMMARY_FORMS: Final = ("table", "markdown", "jsonl")


@dataclass(frozen=True, slots=True)
class _Output:
    """Where and how rows are written."""

    path: str
    form: str
    columns: str | None
    errors: str | None
    summary: bool
    strict: bool
    resume: bool
    force: bool
    quiet: bool

    @property
    def writes_rows(self) -> bool:
        """Whether rows are written, not only their summary."""
        return not self.summary or self.path != "-"

    @property
    def is_kept(self) -> bool:
        """Whether the output is a file that can be put in place when it is whole."""
        path = Path(self.path)
        return self.path != "-" and (path.is_file() or path.is_dir() or not path.exists())


def batch(
    ctx: typer.Context,
    files: FilesArgument = None,
    output: OutOption = "-",
    output_format: BatchFormatOption = None,
    columns: ColumnsOption = None,
    errors: ErrorsOption = None,
    input_format: InputFormatOption = None,
    strict: StrictOption = False,
    resume: BatchResumeOption = False,
    force: ForceOption = False,
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
    threads: JobsOption = None,
    cluster: ClusterOption = None,
    summary: SummaryOption = False,
    plain: AsciiOption = False,
    no_color: NoColorOption = False,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    debug: DebugOption = False,
) -> None:
    """Advise on files of hands."""
    terminal = terminal_of(ctx)
    house = rules_of(ctx, rules, changes)
    asked = _read_asked(
        ctx, house, trump, auction, seat, dealer, score, convention, no_inference, samples,
        precision, seed, engine, raw,
    )  # fmt: skip
    # The name of the variable, and of the setting that lasts.
    name = setting_name(ctx, "threads")
    name = "jobs" if name == "threads" else name
    jobs = None if threads is None else read_whole(name, threads, 1, MAX_THREADS)
    if cluster is not None:
        from advisor.batch.cluster import check_address

        if jobs is not None and name == "jobs":
            raise OptionError("--jobs: expected none beside --cluster, whose workers have theirs")
        check_address(cluster)
    form = _read_form(terminal, output_format, output, summary)
    how = _Output(output, form, columns, errors, summary, strict, resume, force, quiet)
    _check_output(how)
    look = look_of(terminal, house.scale, plain, no_color)
    from advisor.batch.run import Inputs

    paths = _read_paths(terminal, files, quiet)
    _check_apart(how, paths)
    inputs = Inputs(paths, input_format)
    code = _Job(asked, inputs, how, look, terminal, jobs, cluster).run()
    if code:
        raise typer.Exit(code)


def _read_paths(terminal: Terminal, files: list[str] | None, quiet: bool) -> list[str]:
    paths = files or ["-"]
    if paths.count("-") > 1:
        raise OptionError("files: expected the input (-) once, found it twice")
    if "-" in paths and terminal.stdin_tty:
        if not files:
            raise OptionError("files: expected a file of hands, or - for the input, found none")
        if not quiet:
            write_err("Reading hands from the terminal, one a line; Ctrl-D ends.")
    return paths


def _read_asked(
    ctx: typer.Context,
    rules: Rules,
    trump: str | None,
    auction: str | None,
    seat: str | None,
    dealer: str | None,
    score: tuple[str, str] | None,
    convention: str,
    no_inference: bool,
    samples: str | None,
    precision: str | None,
    seed: str,
    engine: str | None,
    raw: bool,
) -> Asked:
    from advisor.batch.questions import Asked
    from advisor.game.notation import parse_trump

    def whole(name: str, text: str, low: int, high: int) -> int:
        return read_whole(setting_name(ctx, name), text, low, high)

    return Asked.of(
        rules=rules,
        seed=whole("seed", seed, 0, MAX_SEED),
        engine=None if engine is None else read_engine(setting_name(ctx, "engine"), engine),
        raw=raw,
        samples=None if samples is None else whole("samples", samples, 1, MAX_SAMPLES),
        precision=None if precision is None else read_precision(precision),
        convention=convention_of(ctx, convention),
        inference=not no_inference,
        trump=None if trump is None else parse_trump(trump),
        auction=auction,
        seat=None if seat is None else read_seat(seat),
        dealer=dealer,
        score=None if score is None else read_score(score, rules),
    )


def _read_form(terminal: Terminal, given: str | None, output: str, summary: bool) -> str:
    """Return the form of the output: as asked, else by the name of the file, else by the reader."""
    from advisor.batch.writers import form_of, read_form

    form = None if given is None else read_form(given)
    if output == "-":
        if summary:
            form = form or "table"
            if form not in _SUMMARY_FORMS:
                raise OptionError(
                    f"format: expected table, markdown or jsonl for a summary, found {form}"
                )
        elif form is None:
            form = "table" if terminal.stdout_tty else "csv"
    return form or form_of(output) or "csv"


def _check_output(how: _Output) -> None:
    from advisor.batch.writers import load_arrow, packing_of

    for name, path in (("output", how.path), ("errors", how.errors)):
        if path is None:
            continue
        if not Path(path).name or path.endswith(("/", os.sep)) or Path(path).is_dir():
            found = f"a folder: {path}" if path else "nothing"
            raise OptionError(f"{name}: expected the name of a file, found {found}")
    if how.path == "-" and (how.resume or how.force):
        name = "resume" if how.resume else "force"
        raise OptionError(f"--{name}: expected an output file beside it; give it with -o OUT")
    if how.resume and how.force:
        raise OptionError(
            "--force: expected no --resume beside it, which goes on with what is there"
        )
    if how.errors is not None:
        if how.errors == "-":
            raise OptionError("errors: expected the name of a file, found -")
        if os.path.abspath(how.errors) == os.path.abspath(how.path):
            raise OptionError(f"errors: expected another file than the output, found {how.errors}")
        if Path(how.errors).is_file() and not (how.force or how.resume):
            raise OptionError(f"{how.errors}: expected no such file yet, or --force to replace it")
    if how.form == "parquet":
        load_arrow()
        if packing_of(how.path):
            raise OptionError(f"{how.path}: parquet is packed as it is; expected no .gz or .xz")


def _check_apart(how: _Output, paths: list[str]) -> None:
    """Raise `OptionError` if a file of hands would be written over."""
    for name, written in (("output", how.path), ("errors", how.errors)):
        if written is None or written == "-" or not Path(written).exists():
            continue
        for path in paths:
            if path != "-" and Path(path).exists() and os.path.samefile(path, written):
                raise OptionError(f"{name}: expected another file than the input, found {written}")


class _Threads:
    """A pool that starts when there is something to do: what is heavy is loaded then."""

    def __init__(self, threads: int, quiet: bool, stack: ExitStack) -> None:
        self._count = threads
        self._quiet, self._stack = quiet, stack
        self._submit: Callable[[Work], Future[list[Answer | str]]] | None = None

    def __call__(self, work: Work, /) -> Future[list[Answer | str]]:
        if self._submit is None:
            if announce_compiling(self._quiet):
                from advisor.compiling import compile_kernels

                compile_kernels(work.asked.engine)
            from advisor.batch.flow import submit_to
            from advisor.simulate import worker_pool

            self._submit = submit_to(self._stack.enter_context(worker_pool(self._count)))
        return self._submit(work)


@dataclass(slots=True)
class _Job:
    """One run of the command."""

    asked: Asked
    inputs: Inputs
    how: _Output
    look: Look
    terminal: Terminal
    threads: int | None
    cluster: str | None

    def run(self) -> ExitCode:
        """Do the work; return the exit code."""
        from advisor.batch.run import check_rows
        from advisor.batch.summary import Tally

        how = self.how
        if how.strict and self.inputs.are_lasting:
            check_rows(self.inputs, self.asked)
        tally = Tally()
        try:
            with ExitStack() as stack:
                self._work(tally, stack)
        except KeyboardInterrupt:
            if how.is_kept and how.writes_rows and not how.quiet:
                write_err(f"{tally.rows:,} rows are answered; with --resume the command goes on.")
            return ExitCode.INTERRUPTED
        self._report(tally)
        return ExitCode.BAD_LINES if tally.bad else ExitCode.OK

    def _work(self, tally: Tally, stack: ExitStack) -> None:
        from advisor.batch.flow import BLOCKS_AHEAD, near_window
        from advisor.batch.run import Run, block_rows
        from advisor.batch.writers import Sheet

        how = self.how
        sheet = Sheet(self.inputs.columns, how.columns)
        # Told at once, before anything is computed.
        errors = stack.enter_context(self._error_file())
        stack.enter_context(interruptible(self.terminal))
        submit: Submit
        if self.cluster is None:
            jobs = self.threads or _processors()
            submit, window, chunk = _Threads(jobs, how.quiet, stack), near_window(jobs), 1
        else:
            submit, threads = self._connect(self.cluster, stack)
            chunk = block_rows(self.asked)
            window = BLOCKS_AHEAD * threads * chunk
        parts = self._parts(stack) if how.writes_rows and how.is_kept else None
        run = Run(
            self.asked, submit, window, chunk, tally, errors=errors, parts=parts,
            strict=how.strict,
        )  # fmt: skip
        with self._progress(tally, parts) as tell, ExitStack() as streams:
            if how.writes_rows:
                run.writer = streams.enter_context(self._rows(sheet, parts))
            run.go(self.inputs, tell)
        if parts is not None:
            parts.finish()

    def _connect(self, address: str, stack: ExitStack) -> tuple[Cluster, int]:
        """Return the cluster, ready to work, and the number of its threads."""
        from advisor.batch.cluster import Cluster

        cluster = stack.enter_context(Cluster(address))
        if not self.how.quiet:
            write_err("Getting the workers ready (up to a minute where they compile).")
        return cluster, cluster.prepare(self.asked)

    def _parts(self, stack: ExitStack) -> Parts:
        from advisor.batch.parts import Parts
        from advisor.batch.run import block_rows, manifest

        how = self.how
        parts = Parts(
            # A rename would replace a link itself.
            Path(os.path.realpath(how.path) if os.path.islink(how.path) else how.path),
            manifest(self.asked, self.inputs.fingerprints()),
            block_rows(self.asked),
            how.resume,
            how.force,
        )
        stack.callback(parts.close)
        return parts

    @contextmanager
    def _rows(self, sheet: Sheet, parts: Parts | None) -> Iterator[Writer]:
        """Yield the writer of the rows."""
        from advisor.batch.writers import PackedFile, packing_of

        path = self.how.path
        if path == "-":
            stream = _StandardOutput()
            yield self._writer(self.how.form, stream, stream.binary, sheet)  # type: ignore[arg-type]
            stream.flush()
            return
        try:
            with parts.open_output() if parts is not None else open(path, "wb") as raw:
                packed = PackedFile(raw, packing_of(path))
                yield self._writer(self.how.form, packed.text, packed.binary, sheet)
                packed.close()
        except OSError as error:
            # Others name their file, and say themselves what is kept.
            if parts is None or error.filename:
                raise
            from advisor.batch.parts import resumable

            raise resumable(error, None if error.errno is None else Path(path)) from None

    def _writer(self, form: str, stream: IO[str], binary: BinaryIO | None, sheet: Sheet) -> Writer:
        from advisor.batch.writers import data_writer

        chosen = self.how.columns is not None
        if form in ("table", "markdown"):
            from advisor.report.batch import MarkdownWriter, TableWriter

            kind = TableWriter if form == "table" else MarkdownWriter
            return kind(stream, sheet, chosen, self.look)
        return data_writer(form, stream, binary, sheet)

    @contextmanager
    def _error_file(self) -> Iterator[Writer | None]:
        """Yield the writer of bad rows, whose file is put in place when all is done."""
        path = self.how.errors
        if path is None:
            yield None
            return
        from advisor.batch.writers import PackedFile, Sheet, form_of, packing_of

        beside = Path(f"{path}.new")
        form = form_of(path) or "csv"
        sheet = Sheet(self.inputs.columns, ",".join(("file", "line", "id", "hand", "error")))
        try:
            with beside.open("wb") as raw:
                packed = PackedFile(raw, packing_of(path))
                yield self._writer(form, packed.text, packed.binary, sheet)
                packed.close()
            os.replace(beside, path)
        finally:
            with suppress(OSError):
                beside.unlink()

    @contextmanager
    def _progress(self, tally: Tally, parts: Parts | None) -> Iterator[Callable[[], None]]:
        """Yield what says how far the run is."""
        from advisor.batch.run import count_lines
        from advisor.progress import progress

        shown = self.terminal.stderr_tty and not self.how.quiet
        # Rows that scroll by say enough.
        shown = shown and not (self.how.path == "-" and self.terminal.stdout_tty)
        total: list[int | None] = [None]
        if shown and self.inputs.are_lasting:

            def count() -> None:
                lines = count_lines(self.inputs.paths)
                total[0] = None if lines is None else lines - self.inputs.headers

            threading.Thread(target=count, daemon=True).start()
        with progress(self.terminal, not shown, "rows", "rows") as line:

            def tell() -> None:
                done = tally.rows
                if parts is not None and done <= parts.resumed:
                    return
                line.tell(done, None if total[0] is None else max(total[0], done), done)

            yield tell

    def _report(self, tally: Tally) -> None:
        """Print the summary, and what was wrong with bad rows."""
        from advisor.report import batch as report
        from advisor.report.data import to_json

        how = self.how
        if how.summary:
            form = how.form if how.path == "-" else "table"
            if form == "jsonl":
                write_out(to_json(tally.as_dict()))
            elif form == "markdown":
                write_out(report.summary_markdown(tally, self.look))
            else:
                write_out(report.summary_screen(tally, self.look))
        elif not how.quiet:
            write_err("\n" * (how.path == "-") + report.summary_screen(tally, self.look))
        if tally.bad and not how.quiet:
            write_err("\n".join(report.mistake_lines(tally, self.look)))


class _StandardOutput:
    """The standard output as a text file."""

    def __init__(self) -> None:
        self.binary: Any = getattr(sys.stdout, "buffer", None)

    def write(self, text: str) -> int:
        write_out(text)
        self.flush()
        return len(text)

    def flush(self) -> None:
        if sys.stdout is not None:
            sys.stdout.flush()


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
