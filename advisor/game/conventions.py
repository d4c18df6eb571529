"""Conventions: what partners have agreed that a jump or a pass with help shows.

A convention is data that players edit: sources give one jump at least five meanings. Points are
on the x10 scale.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from advisor.errors import RulesError
from advisor.game.auction import next_bids
from advisor.game.convention_presets import PRESET_CONVENTIONS, THRESHOLDS
from advisor.game.convention_text import convention_toml, place_of
from advisor.game.meanings import QUANTITIES, TEXT, WHENS, Meaning, Quantity, quantity
from advisor.game.rules import Rules
from advisor.game.settings import (
    allowed_text,
    check_value,
    either,
    find_field,
    from_text,
    nearest,
    parse_toml,
    read_text,
    setting_field,
    show,
)

__all__ = [
    "PRESETS",
    "QUANTITIES",
    "Convention",
    "Meaning",
    "Quantity",
    "check_convention",
    "load_convention",
    "quantity",
]

MAX_JUMPS: Final = 32
# What kernels have room for; text is not counted.
MAX_ROWS: Final = 8

_NAMES: Final = list(QUANTITIES)
_TOP_KEYS: Final = ("name", "about", "source", "jump", "pass_with_help")


@dataclass(frozen=True, slots=True)
class Convention:
    """What a partnership has agreed on.

    Parameters
    ----------
    name, about, source : str
        Its name, what it is in a line, and where it was taken from.
    jumps : tuple of Meaning
        What jumps show, by their steps. A jump that stands in none of them shows nothing.
    pass_with_help : Meaning or None
        What a pass with help shows; None if it shows nothing.

    Raises
    ------
    RulesError
        If a text is none, there are too many meanings, or one call has two meanings.

    >>> convention = load_convention("meld-jump:120")
    >>> convention.jumps[0].words(), convention.pass_with_help.words()
    ('120 or more points of meld', '70 or more points of meld')
    >>> Convention("mine", jumps=(Meaning(2, "aces", 3), Meaning(2, "runs", 1)))
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: jump 2: expected one meaning for a jump of 2 steps, found runs \
beside aces in jump 1
    """

    name: str = setting_field(MISSING, "", None, "Name of the convention.")
    about: str = setting_field("", "", None, "What it is.")
    source: str = setting_field("", "", None, "Where it was taken from.")
    jumps: tuple[Meaning, ...] = ()
    pass_with_help: Meaning | None = None

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self)[:3]:
            check_value(item, getattr(self, item.name))
        object.__setattr__(self, "jumps", tuple(self.jumps))
        for number, jump in enumerate(self.jumps, start=1):
            if not isinstance(jump, Meaning):
                raise RulesError(f"jump {number}: expected a Meaning, found {show(jump)}")
            if jump.steps == 0:
                raise RulesError(f"jump {number}: steps: expected 2 to 50, found 0")
        self._check_help()
        if len(self.jumps) > MAX_JUMPS:
            raise RulesError(f"jump: expected at most {MAX_JUMPS} jumps, found {len(self.jumps)}")
        for (i, first), (j, second) in itertools.combinations(enumerate(self.jumps, start=1), 2):
            _check_apart(first, i, second, j)
        rows = sum(meaning.is_computed for meaning in self.meanings)
        if rows > MAX_ROWS:
            raise RulesError(
                f"jump: expected at most {MAX_ROWS} meanings that are not text, found {rows}"
            )

    def _check_help(self) -> None:
        meaning = self.pass_with_help
        if meaning is None:
            return
        if not isinstance(meaning, Meaning):
            raise RulesError(f"pass_with_help: expected a Meaning, found {show(meaning)}")
        if meaning.steps:
            raise RulesError(f"pass_with_help: steps: expected 0, found {meaning.steps}")

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """Those of jumps, and that of the pass with help if it has one."""
        return self.jumps if self.pass_with_help is None else (*self.jumps, self.pass_with_help)

    def as_rows(self) -> list[tuple[int, int, int, int, int]]:
        """Return the computed meanings as numbers, the pass with help last.

        Returns
        -------
        list of tuple
            Steps (0 = pass with help), the place of the quantity in `QUANTITIES`, the least and
            the most of it (plus or minus 10**6 where there is no limit), and when: 0 = any,
            1 = opening, 2 = after-partner. At most eight; where several of them are about the
            same call, a hand that fits one of them makes it.

        >>> load_convention("dailey").as_rows()
        [(2, 3, 1, 1000000, 0), (0, 7, 4, 1000000, 0)]
        """
        return [
            (
                meaning.steps,
                _NAMES.index(meaning.shows),
                meaning.low,
                meaning.high,
                WHENS.index(meaning.when),
            )
            for meaning in self.meanings
            if meaning.is_computed
        ]

    def usable(self, rules: Rules) -> Convention:
        """Return the convention with only the meanings of calls that the rules allow.

        >>> [jump.steps for jump in load_convention("club").usable(Rules()).jumps]
        [2]
        """
        opening = len(next_bids(rules, None))
        raising = len(next_bids(rules, rules.minimum))
        most = {"any": max(opening, raising), "opening": opening, "after-partner": raising}
        refused = rules.pass_with_help == "refuse"
        return dataclasses.replace(
            self,
            jumps=tuple(jump for jump in self.jumps if jump.steps <= most[jump.when]),
            pass_with_help=None if refused else self.pass_with_help,
        )

    def to_toml(self) -> str:
        """Return the convention as a commented TOML text that `from_toml` reads back.

        >>> dos = load_convention("dos")
        >>> Convention.from_toml(dos.to_toml()) == dos
        True
        """
        helps = [(name, kind.help) for name, kind in QUANTITIES.items()]
        helps.append((TEXT, "No quantity: the text says it, and nothing is computed from it."))
        return convention_toml(self, dataclasses.fields(Meaning), helps)

    @classmethod
    def from_toml(cls, text: str, where: str = "<convention>") -> Convention:
        r"""Return the convention of a TOML text.

        Parameters
        ----------
        text : str
            TOML with the keys name, about and source, a table ``[[jump]]`` for each meaning of
            a jump, and a table ``[pass_with_help]``; all may be absent.
        where : str
            Name of the file, for messages.

        Raises
        ------
        RulesError
            If it is not text, not TOML, or something in it is wrong; the line names file and line.

        >>> Convention.from_toml("[[jump]]\nsteps = 2\nshows = 'aces'\nat_least = 3").as_rows()
        [(2, 2, 3, 1000000, 0)]
        >>> Convention.from_toml("[[jump]]\nsteps = 2\nshow = 'aces'", "mine.toml")
        Traceback (most recent call last):
        ...
        advisor.errors.RulesError: mine.toml:3: jump 1: show: unknown key; did you mean shows?
        """
        if not isinstance(text, str):
            raise RulesError(f"{where}: expected TOML text, found {show(text)}")
        table = parse_toml(text, where)
        try:
            return _from_table(table)
        except RulesError as error:
            raise RulesError(f"{where}{place_of(text, str(error))}: {error}") from None


def _check_apart(first: Meaning, i: int, second: Meaning, j: int) -> None:
    """Raise `RulesError` if one jump has both meanings; of one quantity it may show two ranges."""
    together = first.when == second.when or "any" in (first.when, second.when)
    if first.steps != second.steps or not together:
        return
    expected = f"jump {j}: expected one meaning for a jump of {first.steps} steps"
    if first.shows != second.shows or not first.is_computed:
        raise RulesError(f"{expected}, found {second.shows} beside {first.shows} in jump {i}")
    if first.low <= second.high and second.low <= first.high:
        raise RulesError(f"{expected}, found {second.shows} in a range that overlaps jump {i}")


def _from_table(table: Mapping[str, Any]) -> Convention:
    for key in table:
        if key not in _TOP_KEYS:
            hint = nearest(key, _TOP_KEYS) or f"; expected one of: {', '.join(_TOP_KEYS)}"
            raise RulesError(f"{key if key.isidentifier() else show(key)}: unknown key{hint}")
    jumps = table.get("jump", [])
    if not isinstance(jumps, list):
        raise RulesError(f"jump: expected tables [[jump]], found {show(jumps)}")
    meanings = tuple(
        _read_meaning(jump, f"jump {number}") for number, jump in enumerate(jumps, start=1)
    )
    help_table = table.get("pass_with_help")
    pass_with_help = (
        None if help_table is None else _read_meaning(help_table, "pass_with_help", steps=0)
    )
    return Convention(
        table.get("name", "house"),
        table.get("about", ""),
        table.get("source", ""),
        meanings,
        pass_with_help,
    )


def _read_meaning(table: object, what: str, **fixed: int) -> Meaning:
    """Return the meaning of a table; messages begin with what it is about."""
    if not isinstance(table, Mapping):
        raise RulesError(f"{what}: expected a table, found {show(table)}")
    fields = [item for item in dataclasses.fields(Meaning) if item.name not in fixed]
    values: dict[str, Any] = dict(fixed)
    try:
        for key, value in table.items():
            item = find_field(fields, key, "key")
            values[item.name] = from_text(item, value)
        for item in fields:
            if item.default is MISSING and item.name not in values:
                raise RulesError(f"{item.name}: expected {allowed_text(item)}, found none")
        return Meaning(**values)
    except RulesError as error:
        raise RulesError(f"{what}: {error}") from None


PRESETS: Final[Mapping[str, Convention]] = MappingProxyType(
    {
        name: _from_table(
            {
                "name": name,
                **{key: value for key, value in data.items() if key != "jumps"},
                "jump": list(data.get("jumps", ())),
            }
        )
        for name, data in PRESET_CONVENTIONS.items()
    }
)


def load_convention(
    name_or_path: str, own: Mapping[str, Path] = MappingProxyType({})
) -> Convention:
    """Return a preset by name, or the convention of a file whose name ends in ``.toml``.

    Some presets take a number after a colon, the threshold of the jump: ``meld-jump:120``.

    Parameters
    ----------
    name_or_path : str
        The name or the file.
    own : Mapping of str to Path, optional
        Further names, each with its file. A preset of the same name counts first. A convention
        whose file gives it no name is called by this one.

    Raises
    ------
    RulesError
        If the name is unknown, the number impossible, or the file cannot be read.

    >>> load_convention("missing-suit:2").jumps[0].words()
    '2 or more suits without a run card'
    >>> load_convention("aces-jump:5")
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: convention: expected aces-jump:N with N 1 to 4, found 'aces-jump:5'
    """
    if isinstance(name_or_path, str) and name_or_path.lower().endswith(".toml"):
        return Convention.from_toml(read_text(name_or_path), name_or_path)
    convention = _preset(name_or_path)
    if convention is not None:
        return convention
    name = name_or_path.strip().lower() if isinstance(name_or_path, str) else ""
    if name in own:
        path = str(own[name])
        text = read_text(path)
        found = Convention.from_toml(text, path)
        return found if "name" in parse_toml(text, path) else dataclasses.replace(found, name=name)
    names = dict.fromkeys([*PRESETS, *own])
    raise _no_preset(name_or_path, either([*names, "a file ending in .toml"]), names)


def check_convention(value: object, rules: Rules) -> Convention:
    """Return the convention that an argument of a function means, as far as the rules allow it.

    Parameters
    ----------
    value : Convention, str or None
        A convention, the name of a preset, or None for none.
    rules : Rules
        The house rules; meanings of calls that they do not allow are left out.

    Raises
    ------
    RulesError
        If it is something else.

    >>> check_convention("club", Rules()).as_rows(), check_convention(None, Rules()).as_rows()
    ([(2, 0, 100, 1000000, 0)], [])
    """
    if isinstance(value, Convention):
        return value.usable(rules)
    convention = _preset("none" if value is None else value)
    if convention is None:
        raise _no_preset(value, "a Convention or the name of a preset")
    return convention.usable(rules)


def _preset(name: object) -> Convention | None:
    if not isinstance(name, str):
        return None
    head, colon, number = (part.strip() for part in name.lower().partition(":"))
    preset = PRESETS.get(head)
    if preset is None or not colon:
        return preset
    if head not in THRESHOLDS:
        raise RulesError(f"convention: expected {head} without a number, found {show(name)}")
    allowed = THRESHOLDS[head]
    if not re.fullmatch(r"[0-9]{1,6}", number) or int(number) not in allowed:
        steps = f" in steps of {allowed.step}" if allowed.step > 1 else ""
        raise RulesError(
            f"convention: expected {head}:N with N {allowed[0]} to {allowed[-1]}{steps}, "
            f"found {show(name)}"
        )
    return _with_threshold(preset, int(number))


def _with_threshold(preset: Convention, number: int) -> Convention:
    jump, meaning = preset.jumps[0], preset.pass_with_help
    if number == jump.at_least:
        return preset
    # A pass with help never shows more than the jump does.
    if meaning is not None and meaning.low > number:
        meaning = dataclasses.replace(meaning, at_least=number)
    return dataclasses.replace(
        preset,
        name=f"{preset.name}:{number}",
        jumps=(dataclasses.replace(jump, at_least=number), *preset.jumps[1:]),
        pass_with_help=meaning,
    )


def _no_preset(name: object, expected: str, names: Iterable[str] = ()) -> RulesError:
    known = names or PRESETS
    hint = nearest(name.partition(":")[0], known) if isinstance(name, str) else ""
    return RulesError(f"convention: expected {expected}, found {show(name)}{hint}")
