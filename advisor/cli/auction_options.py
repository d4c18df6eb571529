"""The options that describe an auction: seat, calls, convention, score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from advisor.cli.options import read_whole, setting_name
from advisor.completion import complete_convention
from advisor.errors import RulesError
from advisor.limits import MAX_SCORE, check_score

if TYPE_CHECKING:
    from advisor.game.conventions import Convention
    from advisor.game.rules import Rules

_AUCTION: Final = "Auction"


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
        autocompletion=complete_convention,
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
    ours, theirs = (unit * read_whole("score", text.strip(), -top, top) for text in pair)
    return check_score((ours, theirs), rules)


def convention_of(ctx: typer.Context, name: str) -> Convention:
    """Return the convention asked for; an error names the variable or file to blame."""
    from advisor.config_files import own_files
    from advisor.game.conventions import load_convention

    try:
        return load_convention(name, own_files("conventions"))
    except RulesError as error:
        setting = setting_name(ctx, "convention")
        if setting == "convention":
            raise
        raise RulesError(f"{setting}: {str(error).removeprefix('convention: ')}") from None
