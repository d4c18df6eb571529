"""One run of ``advisor batch``: from options that have been read to rows, summary and exit code."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from advisor.cli.batch_streams import NamedWriter, StandardOutput
from advisor.cli.first_run import compile_first
from advisor.cli.options import Format
from advisor.cli.page import write_answer
from advisor.errors import ExitCode, named
from advisor.terminal import Terminal, interruptible, leaving_at_once, write_err

if TYPE_CHECKING:
    from advisor.batch.answers import Answer, Work
    from advisor.batch.cluster import Cluster
    from advisor.batch.flow import Submit
    from advisor.batch.parts import Parts
    from advisor.batch.questions import Asked
    from advisor.batch.run import Inputs
    from advisor.batch.summary import Tally
    from advisor.batch.writers import Sheet, Writer
    from advisor.report.html import Page
    from advisor.report.look import Look


@dataclass(frozen=True, slots=True)
class Output:
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
    html: str | None = None

    @property
    def writes_rows(self) -> bool:
        """Whether rows are written, not only their summary."""
        return not self.summary or self.path != "-"

    @property
    def is_kept(self) -> bool:
        """Whether the output is a file that can be put in place when it is whole."""
        path = Path(self.path)
        return self.path != "-" and (path.is_file() or path.is_dir() or not path.exists())


class _Threads:
    """A pool that starts when there is something to do: what is heavy is loaded then."""

    def __init__(self, threads: int, terminal: Terminal, quiet: bool, stack: ExitStack) -> None:
        self._count = threads
        self._terminal, self._quiet, self._stack = terminal, quiet, stack
        self._submit: Callable[[Work], Future[list[Answer | str]]] | None = None

    def __call__(self, work: Work, /) -> Future[list[Answer | str]]:
        if self._submit is None:
            from advisor.batch.flow import submit_to
            from advisor.compiling import needed_entries
            from advisor.simulate import worker_pool

            # There is nothing to keep yet, and exceptions may be lost in a compiler.
            with leaving_at_once(self._terminal):
                compile_first(needed_entries("bid", work.asked.engine), self._quiet)
            self._submit = submit_to(self._stack.enter_context(worker_pool(self._count)))
        return self._submit(work)


@dataclass(slots=True)
class Job:
    """One run of the command."""

    asked: Asked
    inputs: Inputs
    how: Output
    look: Look
    terminal: Terminal
    threads: int | None
    cluster: str | None
    # Gives the same summary again.
    command: str

    def run(self) -> ExitCode:
        """Do the work; return the exit code."""
        from advisor.batch.run import BadRow, check_rows
        from advisor.batch.summary import Tally

        how = self.how
        if how.strict and self.inputs.are_lasting:
            check_rows(self.inputs, self.asked)
        tally = Tally()
        try:
            with ExitStack() as stack:
                self._work(tally, stack)
        except BadRow as error:
            if how.is_kept and how.writes_rows:
                raise BadRow(f"{error}; what was found is kept, --resume goes on") from None
            raise
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
        error_file = stack.enter_context(ExitStack())
        errors = error_file.enter_context(self._error_file())
        stack.enter_context(interruptible(self.terminal))
        submit: Submit
        if self.cluster is None:
            jobs = self.threads or _processors()
            submit = _Threads(jobs, self.terminal, how.quiet, stack)
            window, chunk = near_window(jobs), 1
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
        # Before the output: afterwards nothing is kept from which to go on.
        error_file.close()
        self._write_page(tally)
        if parts is not None:
            try:
                parts.finish()
            except KeyboardInterrupt:
                if not parts.is_placed:
                    raise
                # All is done but for clearing up.
                parts.remove()

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
            stream = StandardOutput()
            yield self._writer(self.how.form, stream, stream.binary, sheet)  # type: ignore[arg-type]
            stream.flush()
            return
        try:
            with parts.open_output() if parts is not None else open(path, "wb") as raw:
                packed = PackedFile(raw, packing_of(path))
                writer = self._writer(self.how.form, packed.text, packed.binary, sheet)
                try:
                    yield writer
                except BaseException:
                    if parts is not None:
                        # Into a file that is thrown away: Parquet would end itself too late.
                        with suppress(Exception):
                            writer.close()
                    raise
                packed.close()
        except OSError as error:
            # Others name their file, and say themselves what is kept.
            if error.filename or (parts is None and error.errno is None):
                raise
            raise self._told(error, None if error.errno is None else path) from None

    def _told(self, error: OSError, path: str | None) -> OSError:
        """Return an error with the name of its file, and what is kept."""
        from advisor.batch.parts import resumable

        is_kept = self.how.is_kept and self.how.writes_rows
        return (resumable if is_kept else named)(error, path)

    def _writer(self, form: str, stream: IO[str], binary: BinaryIO | None, sheet: Sheet) -> Writer:
        from advisor.batch.writers import data_writer

        chosen = self.how.columns is not None
        if form in ("table", "markdown"):
            from advisor.report.batch import MarkdownWriter, TableWriter
            from advisor.report.look import file_look

            # A file is the same whatever terminal it was asked for at.
            on_screen = isinstance(stream, StandardOutput)
            look = self.look if on_screen else file_look(self.look)
            if form == "markdown":
                return MarkdownWriter(stream, sheet, chosen, look, self._calls)
            fit = on_screen and self.terminal.stdout_tty
            return TableWriter(stream, sheet, chosen, look, fit, self._calls)
        return data_writer(form, stream, binary, sheet)

    @property
    def _calls(self) -> bool:
        """Whether there are auctions, so that the next call is worth a column."""
        return self.inputs.have_auction or self.asked.terms.auction is not None

    @contextmanager
    def _error_file(self) -> Iterator[Writer | None]:
        """Yield the writer of bad rows, whose file is put in place when all is done."""
        if self.how.errors is None:
            yield None
            return
        from advisor.batch.writers import PackedFile, Sheet, form_of, packing_of

        name = self.how.errors
        # A rename would replace a link itself, or a device.
        is_file = os.path.isfile(name) or not os.path.exists(name)
        path = os.path.realpath(name) if is_file else name
        # Of this process alone: another run of the same command must not take it away.
        beside = Path(f"{path}.{os.getpid()}.new" if is_file else path)
        sheet = Sheet(self.inputs.columns, ",".join(("file", "line", "id", "hand", "error")))
        try:
            raw = beside.open("xb" if is_file else "wb")
        except OSError as error:
            raise named(error, name) from None
        try:
            packed = PackedFile(raw, packing_of(name))
            writer = self._writer(form_of(name) or "csv", packed.text, packed.binary, sheet)
            yield NamedWriter(writer, self._naming_errors)
            with self._naming_errors():
                packed.close()
                raw.close()
                if is_file:
                    os.replace(beside, path)
        finally:
            # What it holds back may find no room.
            with suppress(OSError):
                raw.close()
            if is_file:
                with suppress(OSError):
                    beside.unlink()

    @contextmanager
    def _naming_errors(self) -> Iterator[None]:
        """Name the file of bad rows where it cannot be written."""
        try:
            yield
        except OSError as error:
            raise self._told(error, self.how.errors) from None

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

    def _write_page(self, tally: Tally) -> None:
        """Write the page that is asked for to its file."""
        how = self.how
        if how.html is None:
            return
        try:
            write_answer(
                Format.table, how.html, lambda: "", lambda: self._page(tally), self.terminal,
                quiet=how.quiet,
            )  # fmt: skip
        except OSError as error:
            raise self._told(error, how.html) from None

    def _report(self, tally: Tally) -> None:
        """Print the summary, and what was wrong with bad rows."""
        from advisor.report import batch as report
        from advisor.report.data import to_json

        how = self.how

        def text() -> str:
            form = how.form if how.path == "-" else "table"
            if form == "jsonl":
                return to_json(tally.as_dict())
            if form == "markdown":
                return report.summary_markdown(tally, self.look)
            return report.summary_screen(tally, self.look)

        if how.summary:
            write_answer(
                Format.html if how.form == Format.html else Format.table, None, text,
                lambda: self._page(tally), self.terminal, quiet=how.quiet,
            )  # fmt: skip
        if not how.summary and not how.quiet:
            write_err("\n" * (how.path == "-") + report.summary_screen(tally, self.look))
        if not how.quiet:
            notes = report.run_wide_lines(self.inputs.columns, self.look)
            mistakes = report.mistake_lines(tally, self.look) if tally.bad else []
            if notes or mistakes:
                write_err("\n".join([*notes, *mistakes]))

    def _page(self, tally: Tally) -> Page:
        """Return the page of the summary."""
        from advisor.report.frame import changed_settings
        from advisor.report.html_batch import summary_page

        asked = self.asked
        rules = asked.terms.rules
        changed = [f"{key}={value}" for key, value in changed_settings(rules).items()]
        facts = [
            ("Files", ", ".join(self.inputs.paths)),
            ("Rules", " with ".join([rules.name, *([", ".join(changed)] if changed else [])])),
            ("Engine", f"{asked.engine_under(rules)}{', raw' * asked.raw}"),
            ("Seed", str(asked.seed)),
        ]
        return summary_page(
            tally.as_dict(),
            self.command,
            facts,
            scale=rules.scale,
            results=tally.listed,
            calls=self._calls,
        )


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
