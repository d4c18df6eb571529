"""The options that commands share, each declared once."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from advisor.cli.defaults import config_of
from advisor.cli.defaults import setting_name as setting_name
from advisor.completion import complete_change as complete_change
from advisor.completion import complete_engine as complete_engine
from advisor.completion import complete_rules as complete_rules
from advisor.completion import complete_trump as complete_trump
from advisor.errors import OptionError, RulesError
from advisor.game.settings import either, nearest, show
from advisor.limits import (
    check_engine,
    check_precision,
    check_whole,
    plain_number,
)

if TYPE_CHECKING:
    from advisor.game.rules import Rules


_RULES: Final = "House rules"
_SIMULATION: Final = "Simulation"
_OUTPUT: Final = "Output"


class Format(StrEnum):
    """How a result is written: for people, for programs, for spreadsheets, for web pages."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    html = "html"


_WITHOUT_PAGE: Final = tuple(form for form in Format if form is not Format.html)


class RulesFormat(StrEnum):
    """How a set of rules or a convention is written."""

    toml = "toml"
    json = "json"
    table = "table"


def _complete_format(incomplete: str) -> list[str]:
    return [form for form in _WITHOUT_PAGE if form.startswith(incomplete)]


def _complete_page_format(incomplete: str) -> list[str]:
    return [form for form in Format if form.startswith(incomplete)]


HandArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="HAND",
        help="Twelve cards in any usual notation; - or nothing reads them from the input.",
        show_default=False,
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        envvar="PINOCHLE_RULES",
        help="Preset (see `advisor rules list`) or a .toml file.",
        autocompletion=complete_rules,
        rich_help_panel=_RULES,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one rule, such as pass=3; may be repeated.",
        autocompletion=complete_change,
        show_default=False,
        rich_help_panel=_RULES,
    ),
]
TrumpOption = Annotated[
    str | None,
    typer.Option(
        "--trump",
        metavar="S|H|D|C",
        help="Look at this suit only.",
        autocompletion=complete_trump,
        show_default=False,
        rich_help_panel=_RULES,
    ),
]
SamplesOption = Annotated[
    str | None,
    typer.Option(
        "--samples",
        metavar="N",
        envvar="PINOCHLE_SAMPLES",
        help="Deal this many times, 1 to 1000000. By default sampling stops when the answer is "
        "settled and the mean score is known to 1 point, or after 20000 deals.",
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
PrecisionOption = Annotated[
    str | None,
    typer.Option(
        "--precision",
        metavar="POINTS",
        help="Stop when the standard error of the mean score is this small.",
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
SeedOption = Annotated[
    str,
    typer.Option(
        "--seed",
        metavar="N",
        envvar="PINOCHLE_SEED",
        help="Another seed deals other cards; the same one gives the same answer.",
        rich_help_panel=_SIMULATION,
    ),
]
EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="policy|lite|exact",
        envvar="PINOCHLE_ENGINE",
        help="How tricks are found: by rules of play, by a quick judgement of the open cards "
        "(the default), or by solving them (minutes).",
        autocompletion=complete_engine,
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
RawOption = Annotated[
    bool,
    typer.Option(
        "--raw/--no-raw",
        help="The engine's own values, without the correction to real play.",
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
ThreadsOption = Annotated[
    str | None,
    typer.Option(
        "--threads",
        metavar="N",
        envvar="PINOCHLE_THREADS",
        help="Threads to compute on, by default one a processor; the answer is the same.",
        show_default=False,
        rich_help_panel=_SIMULATION,
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="table, json, csv or markdown.  [default: table]",
        autocompletion=_complete_format,
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
PageFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="table, json, csv, markdown or html.  [default: table]",
        autocompletion=_complete_page_format,
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
HtmlOption = Annotated[
    str | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Also write a page with charts, for a browser or a printer, in place of what is "
        "there.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
PlotOption = Annotated[
    bool,
    typer.Option(
        "--plot", help="Draw the scores and the chances of the bids.", rich_help_panel=_OUTPUT
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Short for --format json.", rich_help_panel=_OUTPUT)
]
ExplainOption = Annotated[
    bool,
    typer.Option(
        "--explain/--no-explain",
        help="Say where the points come from.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
AsciiOption = Annotated[
    bool,
    typer.Option(
        "--ascii/--no-ascii",
        help="Letters instead of suit symbols.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
NoColorOption = Annotated[
    bool,
    typer.Option(
        "--no-color/--color", help="No bold type.", show_default=False, rich_help_panel=_OUTPUT
    ),
]
QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet/--no-quiet",
        "-q",
        help="No remarks on stderr.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose/--no-verbose",
        "-v",
        help="Chance and worth of every bid.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
DebugOption = Annotated[
    bool,
    typer.Option("--debug", help="Show the traceback of an error."),
]

ShortFormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="table or json.  [default: table]",
        autocompletion=lambda incomplete: [
            f for f in ("table", "json") if f.startswith(incomplete)
        ],
        show_default=False,
    ),
]


_Choice = TypeVar("_Choice", bound=StrEnum)


def read_choice(choices: Iterable[_Choice], text: str) -> _Choice:
    """Return the member of an enumeration that an option names, in any case.

    >>> read_choice(Format, "CSV").value
    'csv'
    >>> read_choice(Format, "marked")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: format: expected table, json, csv, markdown or html, found \
'marked'; did you mean markdown?
    """
    members = list(choices)
    for member in members:
        if text.strip().lower() == member.value:
            return member
    names = [member.value for member in members]
    hint = nearest(text, names)
    raise OptionError(f"format: expected {either(names)}, found {show(text)}{hint}")


def chosen_format(text: str | None, as_json: bool, *, page: bool = False) -> Format:
    """Return the format that ``--format`` and ``--json`` ask for together.

    Parameters
    ----------
    text : str or None
    as_json : bool
    page : bool
        Whether the command also writes pages.

    >>> chosen_format(None, True).value
    'json'
    """
    given = None if text is None else read_choice(Format if page else _WITHOUT_PAGE, text)
    if as_json and given not in (None, Format.json):
        raise OptionError(f"--json: expected no --format beside it, found --format {given}")
    return Format.json if as_json else given or Format.table


def short_format(text: str | None, as_json: bool) -> Format:
    """Return the format of a command that has only a screen and JSON.

    >>> short_format("csv", False)
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: format: expected table or json, found csv
    """
    form = chosen_format(text, as_json)
    if form not in (Format.table, Format.json):
        raise OptionError(f"format: expected table or json, found {form}")
    return form


def read_rules(name: str, changes: list[str] | None) -> Rules:
    """Return the rules that ``--rules`` and ``--set`` ask for together.

    >>> read_rules("pagat", ["pass=3"]).pass_cards
    3
    """
    from advisor.config_files import own_files
    from advisor.game.rules import apply_settings, load_rules

    return apply_settings(load_rules(name, own_files("rules")), changes or ())


def read_whole(name: str, text: str, low: int, high: int) -> int:
    """Return the whole number that an option gives.

    Numbers come as text, because Typer's own message neither names the range nor what was found.

    >>> read_whole("samples", "1e5", 1, 1_000_000)
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: samples: expected a whole number from 1 to 1000000, found '1e5'
    """
    return check_whole(name, plain_number(int, text), low, high)


def read_precision(text: str) -> float:
    """Return the points that ``--precision`` gives.

    >>> read_precision("0.5")
    0.5
    """
    return check_precision(plain_number(float, text))


def read_engine(name: str, text: str) -> str:
    """Return the engine that ``--engine`` names, in any case.

    >>> read_engine("engine", "Lite")
    'lite'
    >>> read_engine("engine", "lit")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: engine: expected policy, lite or exact, found 'lit'; did you mean \
lite?
    """
    return check_engine(text.strip().lower(), name)


def rules_of(ctx: typer.Context, name: str, changes: list[str] | None) -> Rules:
    """Return the rules asked for; an error names the variable or the file that is to blame."""
    try:
        return read_rules(name, changes)
    except RulesError as error:
        config, message = config_of(ctx), str(error)
        change = None if config is None else config.changes.get(message.partition(":")[0])
        if change is not None and f"{message.partition(':')[0]}={change.value}" in (changes or ()):
            raise RulesError(f"{change.where}: {message}") from None
        if setting_name(ctx, "rules") == "rules":
            raise
        read_rules("cardgames", changes)
        place = setting_name(ctx, "rules")
        raise RulesError(f"{place}: {message.removeprefix('rules: ')}") from None
