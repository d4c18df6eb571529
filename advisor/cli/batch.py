"""The command for files of hands: ``advisor batch``."""

from __future__ import annotations

import os
import shlex
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

import typer

from advisor.cli.advice import look_of
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
from advisor.cli.batch_job import Job, Output
from advisor.cli.batch_options import (
    BatchFormatOption,
    BatchHtmlOption,
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
from advisor.cli.defaults import ConfigOption, config_words
from advisor.cli.options import (
    AsciiOption,
    DebugOption,
    EngineOption,
    Format,
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
from advisor.cli.page import check_page
from advisor.cli.shell import terminal_of
from advisor.errors import OptionError
from advisor.limits import MAX_SAMPLES, MAX_SEED, MAX_THREADS
from advisor.terminal import Terminal, write_err

if TYPE_CHECKING:
    from advisor.batch.questions import Asked
    from advisor.game.rules import Rules

BATCH_HELP: Final = """\
advisor batch hands.txt
advisor batch hands.csv -o advice.csv --samples 2000
advisor batch hands.jsonl.gz -o advice.parquet --engine policy --resume
some-program | advisor batch - --format jsonl

Advice for files of hands, of any size.

A line or row is a hand, in any notation that advisor bid reads; columns (or
keys) id, trump, seat, dealer, auction, score_us, score_them and names of
rules hold for their row, others are carried through; name, player or board
stand for a missing id, cards for a missing hand. A result depends on its
hand, the options, the rules and the seed alone.
"""
_SUMMARY_FORMS: Final = ("table", "markdown", "jsonl", "html")


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
    html: BatchHtmlOption = None,
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
    how = Output(output, form, columns, errors, summary, strict, resume, force, quiet, html)
    _check_output(how)
    check_page(html, Format.html if form == Format.html else Format.table)
    look = look_of(terminal, house.scale, plain, no_color)
    from advisor.batch.run import Inputs

    paths = _read_paths(terminal, files, quiet)
    _check_apart(how, paths)
    inputs = Inputs(paths, input_format)
    options = {
        "--input-format": input_format,
        "--rules": None if rules == "cardgames" else rules,
        "--set": changes,
        "--trump": trump,
        "--auction": auction,
        "--seat": seat,
        "--dealer": dealer,
        "--score": None if score is None else " ".join(score),
        "--convention": None if convention == "none" else convention,
        "--no-inference": no_inference,
        "--samples": samples,
        "--precision": precision,
        "--seed": seed,
        "--engine": engine,
        "--raw": raw,
    }
    command = _command(paths, options, config_words(ctx))
    code = Job(asked, inputs, how, look, terminal, jobs, cluster, command).run()
    if code:
        raise typer.Exit(code)


def _command(
    paths: list[str], options: dict[str, str | list[str] | bool | None], more: list[str]
) -> str:
    """Return the command that gives the same summary again.

    >>> _command(["my hands.txt"], {"--seed": "0", "--raw": True, "--set": ["pass=3"]}, [])
    "advisor batch 'my hands.txt' --summary --seed 0 --raw --set pass=3"
    """
    words = ["advisor batch", *map(shlex.quote, paths), "--summary"]
    for name, value in options.items():
        if isinstance(value, list):
            words += [f"{name} {shlex.quote(one)}" for one in value]
        elif isinstance(value, str):
            # Two numbers are two words.
            words.append(f"{name} {value if name == '--score' else shlex.quote(value)}")
        elif value:
            words.append(name)
    return " ".join([*words, *more])


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

    if given == Format.html and summary and output == "-":
        return given
    hint = "; --html FILE writes a page of their summary"
    if given is None and PurePath(output).suffix.lower() in (".html", ".htm"):
        raise OptionError(f"output: expected a file of rows, such as out.csv, found {output}{hint}")
    try:
        form = None if given is None else read_form(given)
    except OptionError as error:
        raise OptionError(f"{error}{hint * (given == Format.html)}") from None
    if output == "-":
        if summary:
            form = form or "table"
            if form not in _SUMMARY_FORMS:
                raise OptionError(
                    f"format: expected table, markdown, jsonl or html for a summary, found {form}"
                )
        elif form is None:
            form = "table" if terminal.stdout_tty else "csv"
    return form or form_of(output) or "csv"


def _check_output(how: Output) -> None:
    from advisor.batch.parts import MANIFEST, parts_folder
    from advisor.batch.writers import form_of, load_arrow, packing_of

    for name, path in (("output", how.path), ("errors", how.errors)):
        if path is None:
            continue
        if not Path(path).name or path.endswith(("/", os.sep)) or Path(path).is_dir():
            found = f"a folder: {path}" if path else "nothing"
            raise OptionError(f"{name}: expected the name of a file, found {found}")
    if how.path == "-" and (how.resume or (how.force and how.html is None)):
        name, page = ("resume", "") if how.resume else ("force", " or --html FILE")
        raise OptionError(f"--{name}: expected an output file beside it; give it with -o OUT{page}")
    # What an unfinished run began may be replaced when it is gone on with.
    may_replace = how.force or (
        how.resume and (parts_folder(Path(os.path.realpath(how.path))) / MANIFEST).exists()
    )
    if how.html is not None and Path(how.html).is_file() and not may_replace:
        raise OptionError(f"{how.html}: expected no such file yet, or --force to replace it")
    if how.resume and how.force:
        raise OptionError(
            "--force: expected no --resume beside it, which goes on with what is there"
        )
    if how.errors is not None:
        if how.errors == "-":
            raise OptionError("errors: expected the name of a file, found -")
        form_of(how.errors, "")
        if Path(how.errors).is_file() and not may_replace:
            raise OptionError(f"{how.errors}: expected no such file yet, or --force to replace it")
    written = {"output": how.path, "errors": how.errors, "html": how.html}
    places: dict[str, str] = {}
    for name, path in written.items():
        if path is not None and path != "-":
            other = places.setdefault(os.path.realpath(path), name)
            if other != name:
                raise OptionError(f"{name}: expected another file than the {other}, found {path}")
    if how.form == "parquet":
        load_arrow()
        if packing_of(how.path):
            raise OptionError(f"{how.path}: parquet is packed as it is; expected no .gz or .xz")


def _check_apart(how: Output, paths: list[str]) -> None:
    """Raise `OptionError` if a file of hands would be written over."""
    for name, written in (("output", how.path), ("errors", how.errors), ("html", how.html)):
        if written is None or written == "-" or not Path(written).exists():
            continue
        for path in paths:
            if path != "-" and Path(path).exists() and os.path.samefile(path, written):
                raise OptionError(f"{name}: expected another file than the input, found {written}")
