"""Values of more than one word that were not quoted, so that the shell took them apart.

Found before Typer reads the command line: it would take the rest for cards, or for another option.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from advisor.errors import AuctionError, HandError, OptionError
from advisor.game.settings import show

_NUMBER: Final = re.compile(r"\s*[-+−]?[0-9]+\s*")
# A dash beside the second number is its sign; one apart from it, or close to both, is between them.
_BETWEEN: Final = r"(?:\s*[,;:/]\s*|\s+(?![–-]\s)|\s*[–-]\s*)"
_TWO_NUMBERS: Final = re.compile(rf"\s*([-+−]?[0-9]+){_BETWEEN}([-+−]?[0-9]+)\s*")
# Nines and tens may be the cards of a suit.
_THIRD: Final = re.compile(r"(?!(?:9|10)+$)[-+−]?[0-9]{3,}")
_CALL: Final = re.compile(r"(?i)p|ph|pass|help|with|(?!(?:9|10)+$)[1-9][0-9]{1,3}")
_CARD: Final = re.compile(r"(?i)(?:10|[atkqj9])[shdc♠♥♦♣]")


def check_split(options: Collection[str], args: Sequence[str]) -> None:
    """Raise for a value that lacks its quotes, with the words that would be right.

    Parameters
    ----------
    options : collection of str
        The options of the command.
    args : sequence of str
        The words of the command line.

    Raises
    ------
    AdvisorError
        If calls, a score or the cards received are not given as one option takes them.

    >>> check_split(["--auction"], ["--auction", "250", "P", "AATKQJ.AK.QJ.T9"])
    Traceback (most recent call last):
    ...
    advisor.errors.AuctionError: auction: expected the calls in quotes, --auction "250 P", found \
250 and P apart
    >>> check_split(["--score"], ["--score", "1200,1350"])
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: score: expected two numbers apart, ours first: --score 1200 1350, \
found '1200,1350'
    """
    if "--score" in options:
        for value, rest in _values("--score", args):
            _check_score(value, rest)
    if "--auction" in options:
        for value, rest in _values("--auction", args):
            more = _leading(_CALL, rest)
            if more:
                raise AuctionError(f"auction: expected the calls {_quoted('auction', value, more)}")
    if "--received" in options:
        for value, rest in _values("--received", args):
            more = _leading(_CARD, rest) if _CARD.fullmatch(value.strip()) else []
            if more:
                raise HandError(f"received: expected the cards {_quoted('received', value, more)}")


def _values(option: str, args: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each value of an option and the words after it."""
    for place, word in enumerate(args):
        if word == "--":
            return
        if word == option and place + 1 < len(args):
            yield args[place + 1], args[place + 2 :]
        elif word.startswith(f"{option}="):
            yield word.partition("=")[2], args[place + 1 :]


def _leading(pattern: re.Pattern[str], words: Sequence[str]) -> list[str]:
    found = []
    for word in words:
        if not pattern.fullmatch(word.strip()):
            break
        found.append(word.strip())
    return found


def _quoted(name: str, value: str, more: list[str]) -> str:
    words = " ".join([value.strip(), *more])
    return f'in quotes, --{name} "{words}", found {value.strip()} and {" ".join(more)} apart'


def _check_score(value: str, rest: Sequence[str]) -> None:
    both = _TWO_NUMBERS.fullmatch(value)
    if both:
        raise OptionError(
            f"score: expected two numbers apart, ours first: --score {both[1]} {both[2]}, found "
            f"{show(value)}"
        )
    if _NUMBER.fullmatch(value) and not (rest and _NUMBER.fullmatch(rest[0])):
        beside = f" and {show(rest[0])}" if rest and not rest[0].startswith("--") else " alone"
        raise OptionError(
            f"score: expected two numbers, ours first, such as --score 900 1100, found "
            f"{value.strip()}{beside}"
        )
    if len(rest) > 1 and _NUMBER.fullmatch(rest[0]) and _THIRD.fullmatch(rest[1]):
        raise OptionError(
            f"score: expected two numbers, ours first, found {value.strip()}, {rest[0].strip()} "
            f"and {rest[1].strip()}"
        )
