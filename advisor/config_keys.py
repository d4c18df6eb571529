"""The settings that can be kept: their names, what they mean, and what each may be.

House rules are settings of their own, in the table ``set`` of a file; see `advisor.game.rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from advisor.errors import OptionError
from advisor.game.settings import either, nearest, show
from advisor.limits import (
    MAX_SAMPLES,
    MAX_SEED,
    MAX_THREADS,
    check_engine,
    check_precision,
    check_whole,
    plain_number,
)

Value: TypeAlias = str | int | float | bool
# What a setting is called in a message, and what was found there.
Check: TypeAlias = Callable[[str, object], Value]

FORMATS: Final = ("table", "json", "csv", "markdown", "html")
_SWITCH: Final = {"true": True, "yes": True, "on": True, "1": True}
_SWITCH_OFF: Final = {"false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Key:
    """One setting.

    Parameters
    ----------
    name : str
        Its name in files; the variable is ``PINOCHLE_`` and the name in capitals.
    option : str
        The option of the commands that outranks it.
    default : Value or None
        Its value where nothing is said; None where that depends on the command.
    example : Value
        A value for the file that ``advisor config init`` writes.
    help : str
        What it means, in a sentence or two.
    check : Check
        Returns the value where it is allowed, else raises `AdvisorError`.
    """

    name: str
    option: str
    default: Value | None
    example: Value
    help: str
    check: Check

    @property
    def variable(self) -> str:
        """The environment variable.

        >>> find_key("seed").variable
        'PINOCHLE_SEED'
        """
        return f"PINOCHLE_{self.name.upper()}"

    def from_text(self, text: str) -> object:
        """Return what the text of an environment variable means, for `check` to judge.

        >>> find_key("ascii").from_text("Yes"), find_key("seed").from_text("7")
        (True, 7)
        """
        if isinstance(self.example, bool):
            return {**_SWITCH, **_SWITCH_OFF}.get(text.strip().lower(), text)
        if isinstance(self.example, int):
            return plain_number(int, text)
        return plain_number(float, text) if isinstance(self.example, float) else text


def _name_or_file(name: str, value: object) -> Value:
    if not isinstance(value, str) or not value.strip():
        raise OptionError(f"{name}: expected a name or a file, found {show(value)}")
    return value


def _whole(low: int, high: int) -> Check:
    return lambda name, value: check_whole(name, value, low, high)


def _precision(name: str, value: object) -> Value:
    return check_precision(value, name)


def _engine(name: str, value: object) -> Value:
    return check_engine(value.strip().lower() if isinstance(value, str) else str(value), name)


def _format(name: str, value: object) -> Value:
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in FORMATS:
        hint = nearest(word, FORMATS)
        raise OptionError(f"{name}: expected {either(FORMATS)}, found {show(value)}{hint}")
    return word


def _switch(name: str, value: object) -> Value:
    if not isinstance(value, bool):
        raise OptionError(f"{name}: expected true or false, found {show(value)}")
    return value


KEYS: Final = (
    Key(
        "rules",
        "--rules",
        "cardgames",
        "pagat",
        "House rules: a preset, the name of your own, or a .toml file (beside this one). Single "
        "rules are changed in the table [set].",
        _name_or_file,
    ),
    Key(
        "convention",
        "--convention",
        "none",
        "meld-jump",
        "What jumps and passes with help show: a preset, the name of your own, or a .toml file.",
        _name_or_file,
    ),
    Key(
        "engine",
        "--engine",
        None,
        "lite",
        "How tricks are found: policy, lite or exact. solve keeps to exact.",
        _engine,
    ),
    Key("raw", "--raw", False, True, "Leave out the correction to real play.", _switch),
    Key(
        "samples",
        "--samples",
        None,
        20_000,
        "Deal so many times.",
        _whole(1, MAX_SAMPLES),
    ),
    Key(
        "precision",
        "--precision",
        None,
        0.5,
        "Stop when the standard error of the mean score is so many points. jumps has its own.",
        _precision,
    ),
    Key("seed", "--seed", 0, 7, "Another seed deals other cards.", _whole(0, MAX_SEED)),
    Key(
        "threads",
        "--threads",
        None,
        2,
        "Threads to compute on.",
        _whole(1, MAX_THREADS),
    ),
    Key(
        "format",
        "--format",
        "table",
        "json",
        f"How answers are written: {either(FORMATS)}. Commands without pages print a table "
        "where it is html.",
        _format,
    ),
    Key("explain", "--explain", False, True, "Say where the points come from.", _switch),
    Key("verbose", "--verbose", False, True, "Chance and worth of every bid.", _switch),
    Key("ascii", "--ascii", False, True, "Letters instead of suit symbols.", _switch),
    Key("color", "--no-color", True, False, "Bold type on a terminal.", _switch),
    Key("quiet", "--quiet", False, True, "No remarks on stderr.", _switch),
)
NAMES: Final = tuple(key.name for key in KEYS)


def find_key(name: str) -> Key:
    """Return a setting by its name.

    Raises
    ------
    OptionError
        If there is none; the line gives the nearest name, or else all of them.

    >>> find_key("sampels")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: sampels: unknown setting; did you mean samples?
    """
    for key in KEYS:
        if key.name == name:
            return key
    hint = nearest(name, (*NAMES, "set")) or f"; expected one of: {', '.join(NAMES)}, set"
    shown = name if name.isidentifier() and len(name) <= 40 else show(name)
    raise OptionError(f"{shown}: unknown setting{hint}")
