"""Thresholds as conventions: what is compared. Imports neither numpy nor numba."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from advisor.errors import OptionError, RulesError
from advisor.game.auction import next_bids
from advisor.game.conventions import PRESETS, Convention, load_convention
from advisor.game.meanings import QUANTITIES, Meaning
from advisor.game.settings import either, nearest, show
from advisor.rules_of_bidding.names import ALIASES, RULE_NAMES, find_rule_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.game.rules import Rules

# What a jump may show: the quantity of `meanings`, and thresholds where none are given.
SHOWN: Final[Mapping[str, tuple[str, tuple[int, ...]]]] = MappingProxyType(
    {
        "meld": ("meld", (40, 60, 80, 100, 120)),
        "value": ("value", (300, 340, 380, 420, 460)),
        "aces": ("aces", (2, 3, 4, 5)),
        "missing-suit": ("missing-suits", (1, 2)),
    }
)
NEVER: Final = "never"
STANDARD: Final = "standard"
JUMP_SEATS: Final = ("first", "any")
JUMP_STEPS: Final = 2
MOST_ROWS: Final = 64
_WHOLE: Final = re.compile(r"[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of the comparison: a jump, a pass with help, both, or neither.

    Parameters
    ----------
    jump, pass_help : int or None
        The least that the jump, and the pass with help, shows; None where it is never made.
    convention : Convention
    """

    jump: int | None
    pass_help: int | None
    convention: Convention

    @property
    def is_never(self) -> bool:
        """Whether it is the base: nothing is ever shown."""
        return self.jump is None and self.pass_help is None


def check_shown(name: str) -> str:
    """Return what a jump is to show, in any case.

    Raises
    ------
    OptionError
        If a jump can show no such thing.

    >>> check_shown("Missing-Suit")
    'missing-suit'
    >>> check_shown("melt")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: on: expected meld, value, aces or missing-suit, found 'melt'; did \
you mean meld?
    """
    found = name.strip().lower() if isinstance(name, str) else name
    if found in SHOWN:
        return found
    hint = nearest(found, SHOWN) if isinstance(found, str) else ""
    raise OptionError(f"on: expected {either(list(SHOWN))}, found {show(name)}{hint}")


def read_thresholds(text: str, on: str, name: str = "thresholds", unit: int = 1) -> list[int]:
    """Return the numbers of a list with commas, in its order.

    Parameters
    ----------
    text : str
    on : str
        What they are thresholds of, a name of `SHOWN`.
    name : str, optional
        What messages call the list.
    unit : int, optional
        Points x10 to a point of the table, where it is points.

    Raises
    ------
    OptionError
        If something in it is no threshold, or stands there twice.

    >>> read_thresholds("40, 60", "meld")
    [40, 60]
    >>> read_thresholds("1,4", "missing-suit")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: thresholds: expected whole numbers from 0 to 3, such as 1,2, found \
'4'
    """
    quantity, usual = SHOWN[on]
    kind = QUANTITIES[quantity]
    factor = unit if kind.points else 1
    top = kind.most // factor
    numbers: list[int] = []
    for part in text.split(","):
        word = part.strip()
        if not _WHOLE.fullmatch(word) or int(word) > top:
            such = ",".join(str(value // factor) for value in usual[:2])
            raise OptionError(
                f"{name}: expected whole numbers from 0 to {top}, such as {such}, found "
                f"{show(word)}"
            )
        number = int(word) * factor
        if number in numbers:
            raise OptionError(f"{name}: expected each number once, found {word} twice")
        numbers.append(number)
    return numbers


def threshold_rows(
    on: str, jumps: Sequence[int], helps: Sequence[int], rules: Rules
) -> tuple[Row, ...]:
    """Return the rules that thresholds stand for, ``never`` first.

    Jumps alone come first, then each pass with help, alone and with every jump.

    Raises
    ------
    OptionError
        If the rules know no jump of two steps, or refuse a pass with help, or there are too many.

    >>> from advisor import Rules
    >>> [(row.jump, row.pass_help) for row in threshold_rows("meld", [60], [40], Rules())]
    [(None, None), (60, None), (None, 40), (60, 40)]
    """
    if jumps and _longest_jump(rules) < JUMP_STEPS:
        raise OptionError(
            f"thresholds: expected rules that allow a jump, found jumps={rules.jumps} and "
            f"opening={rules.opening} in {rules.name}"
        )
    if helps and rules.pass_with_help == "refuse":
        raise OptionError(
            "pass-help: expected rules with a pass with help, found pass_with_help=refuse in "
            f"{rules.name}"
        )
    count = (len(jumps) + 1) * (len(helps) + 1)
    if count > MOST_ROWS:
        raise OptionError(f"thresholds: expected at most {MOST_ROWS} to compare, found {count}")
    shown = SHOWN[on][0]
    return tuple(
        Row(jump, least, _convention(shown, jump, least))
        for least in (None, *helps)
        for jump in (None, *jumps)
    )


def _longest_jump(rules: Rules) -> int:
    return max(len(next_bids(rules, None)), len(next_bids(rules, rules.minimum)))


def _convention(shown: str, jump: int | None, least: int | None) -> Convention:
    if jump is None and least is None:
        return PRESETS["none"]
    return Convention(
        "thresholds",
        jumps=() if jump is None else (Meaning(JUMP_STEPS, shown, jump),),
        pass_with_help=None if least is None else Meaning(0, shown, least),
    )


@dataclass(frozen=True, slots=True)
class Opponents:
    """How the other side bids.

    Parameters
    ----------
    name : str
        As screens and files give it.
    convention : Convention
        None of its own under a rule of bidding.
    rule : str or None
        The rule of bidding, a name of `rules_of_bidding.names`; None for the standard rule.
    """

    name: str
    convention: Convention
    rule: str | None = None


def read_opponents(name: str, rules: Rules) -> Opponents:
    """Return the other side's rule: standard, with a convention or without, or one of the league.

    Raises
    ------
    OptionError
        If there is no such rule.
    RulesError
        If it is a file, or a number after a colon, that is wrong.

    >>> from advisor import Rules
    >>> read_opponents("Standard", Rules()).name, read_opponents("B8", Rules()).rule
    ('standard', 'b8-25')
    >>> read_opponents("standart", Rules())
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: opponents: expected standard, a rule of bidding such as b9, a \
convention such as dailey, or a file ending in .toml, found 'standart'; did you mean standard?
    """
    word = name.strip()
    if word.lower() == STANDARD:
        return Opponents(STANDARD, PRESETS["none"])
    rule = find_rule_name(word)
    if rule is not None:
        return Opponents(rule, PRESETS["none"], rule)
    head = word.lower().partition(":")[0].strip()
    if head not in PRESETS and not word.lower().endswith(".toml"):
        known = [STANDARD, *PRESETS, *RULE_NAMES, *ALIASES]
        raise OptionError(
            "opponents: expected standard, a rule of bidding such as b9, a convention such as "
            f"dailey, or a file ending in .toml, found {show(name)}{nearest(head, known)}"
        )
    try:
        convention = load_convention(word).usable(rules)
    except RulesError as error:
        raise RulesError(f"opponents: {str(error).removeprefix('convention: ')}") from None
    return Opponents(word if head not in PRESETS else word.lower(), convention)


def check_jump_seat(text: str) -> str:
    """Return which partner may jump: ``first`` to call, or ``any``.

    >>> check_jump_seat("both")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: jump-seat: expected first or any, found 'both'
    """
    word = text.strip().lower() if isinstance(text, str) else text
    if word in JUMP_SEATS:
        return word
    hint = nearest(word, JUMP_SEATS) if isinstance(word, str) else ""
    raise OptionError(f"jump-seat: expected {either(JUMP_SEATS)}, found {show(text)}{hint}")
