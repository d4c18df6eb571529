"""Settings that last: which files and variables are read, and where each value came from.

In rising order: defaults, the user's ``config.toml``, ``./pinochle.toml``, variables
``PINOCHLE_*``; the options of a command outrank them all. ``PINOCHLE_CONFIG`` or ``--config``
names one file to take the place of both, or ``none``. Imports neither numpy nor numba.

The table ``set`` changes house rules. It goes with the rules that its own level or a lower one
names: where a higher level names other rules, it is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from advisor.config_files import (
    NO_FILE,
    PROJECT_FILE,
    ConfigFile,
    is_there,
    own_files,
    read_file,
    shown_path,
    user_file,
)
from advisor.config_keys import KEYS, NAMES, Value
from advisor.errors import AdvisorError, OptionError, RulesError
from advisor.game.rules import PRESETS, Rules, apply_settings, load_rules
from advisor.game.settings import nearest

CONFIG_VARIABLE: Final = "PINOCHLE_CONFIG"
DEFAULT: Final = "default"
_PREFIX: Final = "PINOCHLE_"


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Own(Generic[Item]):
    """The user's own rules or conventions by name, and remarks on files that are not used."""

    items: dict[str, Item]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and where it came from.

    Parameters
    ----------
    value : str, int, float, bool or None
        None where the commands decide.
    source : str
        ``default``, ``file`` or ``environment``.
    where : str
        ``default``, ``FILE:LINE`` or the name of the variable.
    """

    value: Value | None
    source: str = DEFAULT
    where: str = DEFAULT


@dataclass(frozen=True, slots=True)
class Config:
    """All settings.

    Parameters
    ----------
    values : Mapping
        Every setting by its name, in the order of `advisor.config_keys.KEYS`.
    changes : Mapping
        House rules that differ from the rules named: the word for ``--set`` by rule.
    files : tuple of str
        The files that were read, the one that counts most last.
    looked_for : tuple of str
        Those and the ones that were not there.
    """

    values: Mapping[str, Setting]
    changes: Mapping[str, Setting]
    files: tuple[str, ...] = ()
    looked_for: tuple[str, ...] = ()

    @property
    def set_words(self) -> list[str]:
        """The changes as ``--set`` takes them.

        >>> Config({}, {"pass": Setting("3")}).set_words
        ['pass=3']
        """
        return [f"{rule}={setting.value}" for rule, setting in self.changes.items()]

    def rules(self) -> Rules:
        """Return the house rules that the settings mean.

        Raises
        ------
        RulesError
            If there are none of that name, or the changes do not go with them.

        >>> Config({"rules": Setting("pagat")}, {"pass": Setting("3")}).rules().pass_cards
        3
        """
        named = self.values["rules"]
        try:
            base = load_rules(str(named.value), own_files("rules"))
        except RulesError as error:
            raise RulesError(_placed(named, "rules", error)) from None
        try:
            return apply_settings(base, self.set_words)
        except RulesError as error:
            raise RulesError(f"{self.where_of(str(error))}: {error}") from None

    def check_convention(self) -> None:
        """Raise `RulesError` if there is no convention of the name, or its file is wrong."""
        from advisor.game.conventions import load_convention

        named = self.values["convention"]
        try:
            load_convention(str(named.value), own_files("conventions"))
        except RulesError as error:
            raise RulesError(_placed(named, "convention", error)) from None

    def where_of(self, message: str) -> str:
        """Return the place of the change that a message about rules is likely to mean."""
        rule = message.partition(":")[0]
        places = [setting.where for setting in self.changes.values()]
        return self.changes[rule].where if rule in self.changes else places[-1]


def _placed(setting: Setting, name: str, error: RulesError) -> str:
    message = str(error).removeprefix(f"{name}: ")
    if setting.source == "file":
        return f"{setting.where}: {name}: {message}"
    return f"{setting.where}: {message}"


def load_config(named: str | None = None, variables: Collection[str] = NAMES) -> Config:
    """Return the settings of files and environment over the defaults.

    Parameters
    ----------
    named : str, optional
        A file to read in place of the usual ones, or ``none`` for no file; without it what
        ``PINOCHLE_CONFIG`` says.
    variables : collection of str, optional
        Settings whose variables are read, by default all.

    Raises
    ------
    AdvisorError
        If a file cannot be read or a value is not allowed; the line says where.

    >>> load_config("none", ()).values["seed"]
    Setting(value=0, source='default', where='default')
    """
    values = {key.name: Setting(key.default) for key in KEYS}
    changes: dict[str, Setting] = {}
    read: list[str] = []
    looked_for = _paths(named)
    for path, must_be in looked_for:
        if not must_be and not is_there(path):
            continue
        file = _named_file(path, named) if must_be else read_file(path)
        read.append(file.path)
        if "rules" in file.values:
            changes.clear()
        values |= {k: Setting(value, "file", where) for k, (value, where) in file.values.items()}
        changes |= {k: Setting(word, "file", where) for k, (word, where) in file.changes.items()}
    for key in KEYS:
        text = os.environ.get(key.variable)
        if text and key.name in variables:
            value = key.check(key.variable, key.from_text(text))
            values[key.name] = Setting(value, "environment", key.variable)
            if key.name == "rules":
                changes.clear()
    return Config(values, changes, tuple(read), tuple(shown_path(path) for path, _ in looked_for))


def _paths(named: str | None) -> list[tuple[Path, bool]]:
    """Return the files to look for in rising order, and whether each must be there."""
    chosen = named if named is not None else os.environ.get(CONFIG_VARIABLE) or None
    if chosen is not None:
        if not chosen.strip():
            raise OptionError("config: expected a file or none, found an empty argument")
        return [] if chosen.strip().lower() == NO_FILE else [(Path(chosen), True)]
    own = user_file()
    return [*([] if own is None else [(own, False)]), (Path(PROJECT_FILE), False)]


def _named_file(path: Path, named: str | None) -> ConfigFile:
    try:
        return read_file(path)
    except RulesError as error:
        # Only of files that cannot be read: who named it should be told which name it was.
        name = CONFIG_VARIABLE if named is None else "config"
        raise OptionError(f"{name}: {error}") from None


def unknown_variables() -> list[str]:
    """Return a remark on each variable ``PINOCHLE_...`` that means nothing.

    They are no errors: the variables of a shell outlive the version of a program.
    """
    known = [*NAMES, "config"]
    remarks = []
    for variable in sorted(os.environ):
        name = variable.removeprefix(_PREFIX).lower()
        if variable.startswith(_PREFIX) and name not in known:
            hint, _, near = nearest(name, known).rpartition(" ")
            hint = f"{hint} {_PREFIX}{near.upper()}" if near else ""
            remarks.append(f"{variable}: not a variable of advisor{hint}")
    return remarks


def own_items(
    kind: str, load: Callable[[str, Mapping[str, Path]], Item], presets: Collection[str]
) -> Own[Item]:
    """Return the user's own rules or conventions, and a remark on each file that is not used.

    Parameters
    ----------
    kind : str
        ``rules`` or ``conventions``.
    load : callable
        Returns what a name means, given own files by name.
    presets : collection of str
        Names that are taken.

    >>> own_items("no-such-folder", load_rules, PRESETS)
    Own(items={}, remarks=())
    """
    items: dict[str, Item] = {}
    remarks = []
    for name, path in own_files(kind).items():
        try:
            items[name] = load(name, {name: path})
        except AdvisorError as error:
            remarks.append(f"not used: {error}")
            continue
        if name in presets:
            del items[name]
            remarks.append(f"not used: {shown_path(path)}: {name} is the name of a preset")
    return Own(items, tuple(remarks))


def portable_rules(name: str) -> tuple[str, list[str]] | None:
    """Return own rules as a preset and changes to it, which other machines know too.

    Parameters
    ----------
    name : str
        What ``--rules`` was given.

    Returns
    -------
    (str, list of str) or None
        For ``--rules`` and ``--set``; None where the name is not that of own rules.

    Raises
    ------
    AdvisorError
        If the file of own rules is wrong.
    """
    word = name.strip().lower()
    if word in PRESETS or word.endswith(".toml"):
        return None
    path = own_files("rules").get(word)
    if path is None:
        return None
    rules = load_rules(word, {word: path})
    base = min(PRESETS.values(), key=lambda preset: len(rules.differences(preset)))
    settings = {"name": rules.name, **rules.differences(base)}
    if rules.name == base.name:
        del settings["name"]
    if rules.source != base.source:
        settings["source"] = rules.source
    words = [
        f"{key}={str(value).lower() if isinstance(value, bool) or value is None else value}"
        for key, value in settings.items()
        if value != ""
    ]
    return base.name, words
