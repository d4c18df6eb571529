"""Ranges of the settings of a simulation, and their checks. Imports neither numpy nor numba.

The command line checks its options here before it loads anything heavy; the library checks the
same things again at its own door.
"""

from __future__ import annotations

import math
import re
from numbers import Integral, Real
from typing import TYPE_CHECKING, Final

from advisor.errors import OptionError
from advisor.game.settings import either, nearest, show

if TYPE_CHECKING:
    from advisor.game.rules import Rules

MAX_SAMPLES: Final = 1_000_000
# Of comparisons, whose deals cost a few microseconds.
MAX_DEALS: Final = 10_000_000
MAX_SEED: Final = 2**64 - 1
MAX_THREADS: Final = 256
# Points x10 of a side, either way.
MAX_SCORE: Final = 100_000
MIN_PRECISION: Final = 0.05
MAX_PRECISION: Final = 100.0
# Of the exact solver, in megabytes of 2**20 bytes.
MIN_TABLE_MB: Final = 1
MAX_TABLE_MB: Final = 1024
ENGINES: Final = ("policy", "lite", "exact")
# int and float would also take 1_000, the digits of other scripts, and -0.
_WHOLE: Final = re.compile(r"-?[0-9]+", re.ASCII)
_DECIMAL: Final = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_MINUS_NOTHING: Final = re.compile(r"-[0.]*", re.ASCII)


def plain_number(kind: type[int] | type[float], text: str) -> object:
    """Return the number that a text in plain digits means; other text as it is, to be refused.

    >>> plain_number(int, "12"), plain_number(int, "1_2"), plain_number(float, "0.5")
    (12, '1_2', 0.5)
    """
    form = _WHOLE if kind is int else _DECIMAL
    if not form.fullmatch(text.strip()) or _MINUS_NOTHING.fullmatch(text.strip()):
        return text
    try:
        return kind(text)
    except ValueError:
        # Python refuses to read integers of more than 4300 digits.
        return text


def check_whole(name: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number from `low` to `high`.

    Raises
    ------
    OptionError
        Naming the setting, the range and what was found.

    >>> check_whole("samples", 0, 1, 10)
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: samples: expected a whole number from 1 to 10, found 0
    """
    # numpy's integers are registered as Integral, so they need no mention.
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and low <= int(value) <= high:  # type: ignore[call-overload]
        return int(value)  # type: ignore[call-overload, no-any-return]
    found = show(int(value) if whole else value)  # type: ignore[call-overload]
    raise OptionError(f"{name}: expected a whole number from {low} to {high}, found {found}")


def check_precision(value: object, name: str = "precision") -> float:
    """Return `value` if it is a standard error, in points, that sampling can be asked to reach.

    Parameters
    ----------
    value : object
    name : str
        How messages call it.

    Raises
    ------
    OptionError
        If it is not a number from `MIN_PRECISION` to `MAX_PRECISION`.

    >>> check_precision(2)
    2.0
    >>> check_precision(float("nan"))
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: precision: expected points from 0.05 to 100, found nan
    """
    real = isinstance(value, Real) and not isinstance(value, bool)
    if real and MIN_PRECISION <= float(value) <= MAX_PRECISION:  # type: ignore[arg-type]
        return float(value)  # type: ignore[arg-type]
    raise OptionError(
        f"{name}: expected points from {MIN_PRECISION:g} to {MAX_PRECISION:g}, found {show(value)}"
    )


def check_engine(engine: str, name: str = "engine") -> str:
    """Return the engine's name if there is such an engine; `name` is how messages call it.

    Raises
    ------
    OptionError
        If there is none of that name.

    >>> check_engine("policy")
    'policy'
    """
    if engine not in ENGINES:
        hint = nearest(engine, ENGINES) if isinstance(engine, str) else ""
        raise OptionError(f"{name}: expected {either(ENGINES)}, found {show(engine)}{hint}")
    return engine


def check_counting(rules: Rules, engine: str) -> None:
    """Raise `OptionError` unless the rules count cards as the open-card engines do.

    >>> from advisor import Rules
    >>> check_counting(Rules(), "lite")
    >>> check_counting(Rules(last_trick=20), "lite")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: lite: expected card_points 10-10-10 and last_trick 10, found \
10-10-10 and 20
    """
    if not counts_in_tens(rules):
        raise OptionError(
            f"{engine}: expected card_points 10-10-10 and last_trick 10, found "
            f"{rules.card_points} and {rules.last_trick}"
        )


def counts_in_tens(rules: Rules) -> bool:
    """Return whether ace, ten, king and the last trick count ten each.

    >>> from advisor import Rules
    >>> counts_in_tens(Rules())
    True
    """
    return rules.card_points == "10-10-10" and rules.last_trick == 10


def default_engine(rules: Rules) -> str:
    """Return the engine of the default predictor: the policy where cards count otherwise.

    >>> from advisor import Rules
    >>> default_engine(Rules()), default_engine(Rules(last_trick=20))
    ('lite', 'policy')
    """
    return "lite" if counts_in_tens(rules) else "policy"


def check_score(score: tuple[int, int], rules: Rules) -> tuple[int, int]:
    """Return the points of our side and theirs if a game can stand so.

    Parameters
    ----------
    score : tuple of int
        Points x10, whatever the scale of the rules, in which messages speak.
    rules : Rules

    Raises
    ------
    OptionError
        If they are not two such numbers, or the game would be over.

    >>> from advisor import Rules
    >>> check_score((900, 1100), Rules())
    (900, 1100)
    """
    if not isinstance(score, tuple | list) or len(score) != 2:
        raise OptionError(f"score: expected points of two sides, found {show(score)}")
    ours, theirs = (check_whole("score", points, -MAX_SCORE, MAX_SCORE) for points in score)
    unit = 10 // rules.scale
    # Cards of 10 points and none keep every score at a multiple of 10; other counts do not.
    step = max(math.gcd(10, *rules.rank_points), unit)
    for points in (ours, theirs):
        if points % step:
            raise OptionError(
                f"score: expected points in steps of {step // unit}, found {points // unit}"
            )
    if max(ours, theirs) >= rules.target:
        raise OptionError(
            f"score: expected both sides below the target of {rules.target // unit}, found "
            f"{ours // unit} and {theirs // unit}: the game is over"
        )
    return ours, theirs
