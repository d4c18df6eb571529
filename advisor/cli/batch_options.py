"""The options of ``advisor batch`` alone."""

from __future__ import annotations

from typing import Annotated, Final

import typer

_FILES: Final = "Files"
_OUTPUT: Final = "Output"
_SIMULATION: Final = "Simulation"


def _complete_input(incomplete: str) -> list[str]:
    from advisor.batch.rows import FORMS

    return [form for form in FORMS if form.startswith(incomplete.lower())]


def _complete_output(incomplete: str) -> list[str]:
    from advisor.batch.writers import OUTPUT_FORMS

    return [form for form in OUTPUT_FORMS if form.startswith(incomplete.lower())]


def _complete_columns(incomplete: str) -> list[str]:
    from advisor.batch.results import COLUMNS

    start, comma, last = incomplete.rpartition(",")
    names = [name for name in ("all", *COLUMNS) if name.startswith(last.lower())]
    return [start + comma + name for name in names]


FilesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE...",
        help="Files of hands: text, .csv, .tsv, .jsonl or .parquet, also .gz or .xz; - or nothing "
        "is the input.",
        show_default=False,
    ),
]
InputFormatOption = Annotated[
    str | None,
    typer.Option(
        "--input-format",
        metavar="FORMAT",
        help="text, csv, tsv, jsonl or parquet, where the suffix does not say it.",
        autocompletion=_complete_input,
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
OutOption = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="File to write, packed where it ends in .gz or .xz. What is found is kept beside it, "
        "in OUT.parts, until it is whole.",
        rich_help_panel=_FILES,
    ),
]
BatchFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="csv, tsv, jsonl, parquet, table or markdown; by default the suffix of OUT says it, "
        "else table on a terminal and csv in a pipe.",
        autocompletion=_complete_output,
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAME,NAME...",
        help="What to write, in this order, such as line,id,hand,trump,bid; all is everything.",
        autocompletion=_complete_columns,
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
ErrorsOption = Annotated[
    str | None,
    typer.Option(
        "--errors",
        metavar="FILE",
        help="Write bad rows once more, with what is wrong with them.",
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Stop at the first bad row; files are looked through before anything is computed.",
        rich_help_panel=_FILES,
    ),
]
BatchResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with a run that was stopped; where there is none, begin.",
        rich_help_panel=_FILES,
    ),
]
ForceOption = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Replace OUT and the file of --html, and drop what an unfinished run has found.",
        rich_help_panel=_FILES,
    ),
]
SummaryOption = Annotated[
    bool,
    typer.Option(
        "--summary",
        help="Print what all hands say together instead of the rows; table, markdown or jsonl.",
        rich_help_panel=_OUTPUT,
    ),
]
BatchHtmlOption = Annotated[
    str | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Also write the summary as a page with charts; over one that is there only with "
        "--force.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
JobsOption = Annotated[
    str | None,
    typer.Option(
        "--jobs",
        "-j",
        "--threads",
        metavar="N",
        envvar="PINOCHLE_THREADS",
        help="Hands to work on at once, by default one a processor; the answers are the same.",
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|FILE",
        help="Compute on a cluster of dask.distributed that you run: tcp://host:8786, or the file "
        "of its scheduler.",
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
