"""The options that commands share, each declared once."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from advisor.errors import OptionError, RulesError
from advisor.game.settings import either, nearest, show
from advisor.limits import ENGINES, check_engine, check_precision, check_whole

if TYPE_CHECKING:
    from advisor.game.conventions import Convention
    from advisor.game.rules import Rules

MAX_SCORE: Final = 10_000

_RULES: Final = "House rules"
_AUCTION: Final = "Auction"
_SIMULATION: Final = "Simulation"
_OUTPUT: Final = "Output"
# int and float would also take 1_000, the digits of other scripts, and -0.
_WHOLE: Final = re.compile(r"-?[0-9]+", re.ASCII)
_DECIMAL: Final = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_MINUS_NOTHING: Final = re.compile(r"-[0.]*", re.ASCII)


class Format(StrEnum):
    """How a result is written: for people, for programs, for spreadsheets, for web pages."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"


class RulesFormat(StrEnum):
    """How a set of rules or a convention is written."""

    toml = "toml"
    json = "json"
    table = "table"


def _complete_rules(incomplete: str) -> list[str]:
    from advisor.game.presets import PRESET_SETTINGS

    return [name for name in PRESET_SETTINGS if name.startswith(incomplete)]


def _complete_convention(incomplete: str) -> list[str]:
    from advisor.game.convention_presets import PRESET_CONVENTIONS

    return [name for name in PRESET_CONVENTIONS if name.startswith(incomplete.lower())]


def complete_trump(incomplete: str) -> list[str]:
    """Return the suits whose letters begin so."""
    return [suit for suit in "SHDC" if suit.startswith(incomplete.upper())]


def complete_engine(incomplete: str) -> list[str]:
    """Return the engines whose names begin so."""
    return [engine for engine in ENGINES if engine.startswith(incomplete.lower())]


def _complete_format(incomplete: str) -> list[str]:
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
        autocompletion=_complete_rules,
        rich_help_panel=_RULES,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one rule, such as pass=3; may be repeated.",
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
SeatOption = Annotated[
    str | None,
    typer.Option(
        "--seat",
        metavar="1|2|3|4",
        help="Your seat: 1 is left of the dealer and calls first, 4 deals.",
        autocompletion=lambda incomplete: [n for n in "1234" if n.startswith(incomplete)],
        show_default=False,
        rich_help_panel=_AUCTION,
    ),
]
DealerOption = Annotated[
    str | None,
    typer.Option(
        "--dealer",
        metavar="me|left|partner|right",
        help="Who deals, another way to say your seat.",
        autocompletion=lambda incomplete: [
            n for n in ("me", "left", "partner", "right") if n.startswith(incomplete.lower())
        ],
        show_default=False,
        rich_help_panel=_AUCTION,
    ),
]
AuctionOption = Annotated[
    str | None,
    typer.Option(
        "--auction",
        metavar="CALLS",
        help='All calls before yours in turn, such as "P 250 270 PH" (P = pass, PH = pass with '
        "help).",
        show_default=False,
        rich_help_panel=_AUCTION,
    ),
]
ConventionOption = Annotated[
    str,
    typer.Option(
        "--convention",
        metavar="NAME|FILE",
        envvar="PINOCHLE_CONVENTION",
        help="What jumps and passes with help show: a preset (see `advisor conventions list`), "
        "meld-jump:120 for one with a threshold, or a .toml file.",
        autocompletion=_complete_convention,
        rich_help_panel=_AUCTION,
    ),
]
NoInferenceOption = Annotated[
    bool,
    typer.Option(
        "--no-inference",
        help="Deal the hidden cards as if nobody had called.",
        rich_help_panel=_AUCTION,
    ),
]
ScoreOption = Annotated[
    tuple[str, str] | None,
    typer.Option(
        "--score",
        metavar="US THEM",
        help="Score of the game so far, your side's first.",
        show_default=False,
        rich_help_panel=_AUCTION,
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
        "--raw",
        help="The engine's own values, without the correction to real play.",
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
JsonOption = Annotated[
    bool, typer.Option("--json", help="Short for --format json.", rich_help_panel=_OUTPUT)
]
ExplainOption = Annotated[
    bool,
    typer.Option("--explain", help="Say where the points come from.", rich_help_panel=_OUTPUT),
]
AsciiOption = Annotated[
    bool,
    typer.Option("--ascii", help="Letters instead of suit symbols.", rich_help_panel=_OUTPUT),
]
NoColorOption = Annotated[
    bool, typer.Option("--no-color", help="No bold type.", rich_help_panel=_OUTPUT)
]
QuietOption = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No remarks on stderr.", rich_help_panel=_OUTPUT),
]
VerboseOption = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Chance and worth of every bid.", rich_help_panel=_OUTPUT),
]
DebugOption = Annotated[
    bool,
    typer.Option("--debug", help="Show the traceback of an error."),
]


_Choice = TypeVar("_Choice", bound=StrEnum)


def read_choice(kind: type[_Choice], text: str) -> _Choice:
    """Return the member of an enumeration that an option names, in any case.

    >>> read_choice(Format, "CSV").value
    'csv'
    >>> read_choice(Format, "marked")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: format: expected table, json, csv or markdown, found 'marked'; \
did you mean markdown?
    """
    for member in kind:
        if text.strip().lower() == member.value:
            return member
    names = [member.value for member in kind]
    hint = nearest(text, names)
    raise OptionError(f"format: expected {either(names)}, found {show(text)}{hint}")


def chosen_format(text: str | None, as_json: bool) -> Format:
    """Return the format that ``--format`` and ``--json`` ask for together.

    >>> chosen_format(None, True).value
    'json'
    """
    given = None if text is None else read_choice(Format, text)
    if as_json and given not in (None, Format.json):
        raise OptionError(f"--json: expected no --format beside it, found --format {given}")
    return Format.json if as_json else given or Format.table


def read_rules(name: str, changes: list[str] | None) -> Rules:
    """Return the rules that ``--rules`` and ``--set`` ask for together.

    >>> read_rules("pagat", ["pass=3"]).pass_cards
    3
    """
    from advisor.game.rules import apply_settings, load_rules

    return apply_settings(load_rules(name), changes or ())


def read_whole(name: str, text: str, low: int, high: int) -> int:
    """Return the whole number that an option gives.

    Numbers come as text, because Typer's own message neither names the range nor what was found.

    >>> read_whole("samples", "1e5", 1, 1_000_000)
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: samples: expected a whole number from 1 to 1000000, found '1e5'
    """
    return check_whole(name, _number(int, _WHOLE, text), low, high)


def read_precision(text: str) -> float:
    """Return the points that ``--precision`` gives.

    >>> read_precision("0.5")
    0.5
    """
    return check_precision(_number(float, _DECIMAL, text))


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


def read_seat(text: str, name: str = "seat") -> int:
    """Return the seat that ``--seat`` gives.

    >>> read_seat("5")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: seat: expected a whole number from 1 to 4, found 5
    """
    return read_whole(name, text, 1, 4)


def read_score(pair: tuple[str, str], rules: Rules) -> tuple[int, int]:
    """Return the points of both sides, on the x10 scale, that ``--score`` gives.

    Parameters
    ----------
    pair : tuple of str
        Our score and theirs, on the scale of the rules.
    rules : Rules
        The house rules: their scale, their target, and which points cards can make.

    Raises
    ------
    OptionError
        If one is not a score, or the game would be over.

    >>> from advisor import Rules
    >>> read_score(("-120", "300"), Rules()), read_score(("-12", "30"), Rules(scale=1))
    ((-120, 300), (-120, 300))
    >>> read_score(("1500", "300"), Rules())
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: score: expected both sides below the target of 1500, found 1500 \
and 300: the game is over
    """
    unit = 10 // rules.scale
    top = MAX_SCORE // unit
    ours, theirs = (read_whole("score", text.strip(), -top, top) for text in pair)
    # Cards of 10 points and none keep every score at a multiple of 10; other counts do not.
    step = max(math.gcd(10, *rules.rank_points) // unit, 1)
    for points in (ours, theirs):
        if points % step:
            raise OptionError(f"score: expected points in steps of {step}, found {points}")
    target = rules.target // unit
    if max(ours, theirs) >= target:
        raise OptionError(
            f"score: expected both sides below the target of {target}, found {ours} and "
            f"{theirs}: the game is over"
        )
    return ours * unit, theirs * unit


def _number(kind: type[int] | type[float], form: re.Pattern[str], text: str) -> object:
    """Return the number that a text in plain digits means; other text as it is, to be refused."""
    if not form.fullmatch(text.strip()) or _MINUS_NOTHING.fullmatch(text.strip()):
        return text
    try:
        return kind(text)
    except ValueError:
        # Python refuses to read integers of more than 4300 digits.
        return text


def rules_of(ctx: typer.Context, name: str, changes: list[str] | None) -> Rules:
    """Return the rules asked for; an error names the environment variable if that is to blame."""
    try:
        return read_rules(name, changes)
    except RulesError as error:
        if setting_name(ctx, "rules") == "rules":
            raise
        read_rules("cardgames", changes)
        raise RulesError(f"PINOCHLE_RULES: {str(error).removeprefix('rules: ')}") from None


def convention_of(ctx: typer.Context, name: str) -> Convention:
    """Return the convention asked for; an error names the environment variable if to blame."""
    from advisor.game.conventions import load_convention

    try:
        return load_convention(name)
    except RulesError as error:
        setting = setting_name(ctx, "convention")
        if setting == "convention":
            raise
        raise RulesError(f"{setting}: {str(error).removeprefix('convention: ')}") from None


def setting_name(ctx: typer.Context, name: str) -> str:
    """Return how a message calls an option: by its environment variable if that set it."""
    source = ctx.get_parameter_source(name)
    from_environment = source is not None and source.name == "ENVIRONMENT"
    return f"PINOCHLE_{name.upper()}" if from_environment else name
