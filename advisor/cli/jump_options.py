"""The options of ``advisor jumps`` that no other command has."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from advisor.cli.options import complete_engine
from advisor.limits import MAX_DEALS

_JUMPS: Final = "Jumps"


def _complete_shown(incomplete: str) -> list[str]:
    from advisor.jump_rows import SHOWN

    return [name for name in SHOWN if name.startswith(incomplete.lower())]


def _complete_opponents(incomplete: str) -> list[str]:
    from advisor.game.conventions import PRESETS
    from advisor.jump_rows import STANDARD
    from advisor.rules_of_bidding.names import RULE_NAMES

    known = (STANDARD, *PRESETS, *RULE_NAMES)
    return [name for name in known if name.startswith(incomplete.lower())]


JumpHandArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="HAND",
        help="Twelve cards; - reads them from the input. Without, thresholds are compared.",
        show_default=False,
    ),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="WHAT",
        help="What the jump shows: meld, value (points in the best trump), aces, or missing-suit "
        "(suits without A 10 K Q J).",
        autocompletion=_complete_shown,
        rich_help_panel=_JUMPS,
    ),
]
ThresholdsOption = Annotated[
    str | None,
    typer.Option(
        "--thresholds",
        metavar="N,N...",
        help="Hands with so much or more jump; by default 40,60,80,100,120 of meld.",
        show_default=False,
        rich_help_panel=_JUMPS,
    ),
]
PassHelpOption = Annotated[
    str | None,
    typer.Option(
        "--pass-help",
        metavar="N,N...",
        help="Hands with so much that do not bid pass with help.",
        show_default=False,
        rich_help_panel=_JUMPS,
    ),
]
OpponentsOption = Annotated[
    str,
    typer.Option(
        "--opponents",
        metavar="RULE",
        help="The other side's rule: standard, a rule of advisor league such as b9, or a "
        "convention such as dailey, played by the standard rule. b8 and b9 are slow.",
        autocompletion=_complete_opponents,
        rich_help_panel=_JUMPS,
    ),
]
JumpSeatOption = Annotated[
    str,
    typer.Option(
        "--jump-seat",
        metavar="first|any",
        help="Who jumps: only the first of two partners to call, or either.",
        rich_help_panel=_JUMPS,
    ),
]
HandsOption = Annotated[
    str | None,
    typer.Option(
        "--hands",
        metavar="FILE",
        help="Our side always holds one of these hands, one a line.",
        show_default=False,
        rich_help_panel=_JUMPS,
    ),
]
MatrixOption = Annotated[
    bool,
    typer.Option("--matrix", help="Also the differences of all pairs.", rich_help_panel="Output"),
]
DealsOption = Annotated[
    str | None,
    typer.Option(
        "--deals",
        metavar="N",
        help=f"Deals, each played twice, up to {MAX_DEALS}.  [default: 20000]",
        show_default=False,
        rich_help_panel="Simulation",
    ),
]
JumpEngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="policy|lite|exact",
        envvar="PINOCHLE_ENGINE",
        help="How tricks are found; by default policy for thresholds, lite for a hand.",
        autocompletion=complete_engine,
        show_default=False,
        rich_help_panel="Simulation",
    ),
]
PrecisionOption = Annotated[
    str | None,
    typer.Option(
        "--precision",
        metavar="POINTS",
        help="Stop when the standard error of the widest difference is this small.",
        show_default=False,
        rich_help_panel="Simulation",
    ),
]
ResumeOption = Annotated[
    str | None,
    typer.Option(
        "--resume",
        metavar="FILE",
        help="Keep what is found in this file, and go on from it.",
        show_default=False,
        rich_help_panel="Simulation",
    ),
]
