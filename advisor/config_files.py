"""Where settings, own rules and own conventions are kept, and how one file of settings is read.

The user's directory is found here and not by platformdirs: it takes a dozen lines, as for the
directory of compiled kernels, and no further package at run time.
"""

from __future__ import annotations

import dataclasses
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from advisor.config_keys import NAMES, Value, find_key
from advisor.errors import AdvisorError, OptionError
from advisor.game.rules import Rules
from advisor.game.settings import (
    check_value,
    find_field,
    from_text,
    line_of,
    parse_toml,
    public_name,
    read_text,
    show,
)

PROJECT_FILE: Final = "pinochle.toml"
USER_FILE: Final = "config.toml"
NO_FILE: Final = "none"
_DIRECTORY: Final = "pinochle-advisor"
_HEADER: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_SET_HEADER: Final = re.compile(r"^[ \t]*\[[ \t]*set[ \t]*\][^\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file of settings as it was read.

    Parameters
    ----------
    path : str
        As messages name it.
    values : Mapping
        Checked values by setting, each with its place ``FILE:LINE``.
    changes : Mapping
        The table ``set``: words for ``--set`` by house rule, each with its place.
    """

    path: str
    values: Mapping[str, tuple[Value, str]]
    changes: Mapping[str, tuple[str, str]]


def config_directory(
    environment: Mapping[str, str] | None = None, platform: str = sys.platform
) -> Path | None:
    """Return the user's directory for settings, whether or not it exists; None without a home.

    Parameters
    ----------
    environment : Mapping, optional
        Environment variables, by default those of this process.
    platform : str
        As in `sys.platform`.

    Notes
    -----
    ``%APPDATA%`` on Windows, ``~/Library/Application Support`` on macOS, elsewhere what the XDG
    base directory specification says: ``$XDG_CONFIG_HOME`` if it is absolute, else ``~/.config``.

    >>> config_directory({"XDG_CONFIG_HOME": "/c"}, "linux").as_posix()
    '/c/pinochle-advisor'
    """
    variables = os.environ if environment is None else environment
    home = variables.get("HOME") or variables.get("USERPROFILE")
    base: Path | None = None
    if platform == "win32":
        base = Path(variables["APPDATA"]) if variables.get("APPDATA") else None
    elif platform != "darwin" and Path(variables.get("XDG_CONFIG_HOME", "")).is_absolute():
        base = Path(variables["XDG_CONFIG_HOME"])
    elif home and platform == "darwin":
        base = Path(home) / "Library" / "Application Support"
    elif home:
        base = Path(home) / ".config"
    return None if base is None else base / _DIRECTORY


def user_file() -> Path | None:
    """Return the user's own file of settings, whether or not it exists."""
    directory = config_directory()
    return None if directory is None else directory / USER_FILE


def history_file() -> Path | None:
    """Return the file that keeps the lines of the prompt, whether or not it exists.

    It lies beside the settings, but where the XDG specification has a place of its own for it,
    ``$XDG_STATE_HOME`` or ``~/.local/state``.
    """
    directory = config_directory()
    if sys.platform in ("win32", "darwin"):
        return None if directory is None else directory / "history"
    state, home = os.environ.get("XDG_STATE_HOME", ""), os.environ.get("HOME")
    if Path(state).is_absolute():
        return Path(state) / _DIRECTORY / "history"
    return Path(home) / ".local" / "state" / _DIRECTORY / "history" if home else None


def own_files(kind: str) -> dict[str, Path]:
    """Return the user's own rules or conventions: files by name, in the order of the names.

    Parameters
    ----------
    kind : str
        ``rules`` or ``conventions``, the folder in the user's directory.

    >>> own_files("no-such-folder")
    {}
    """
    directory = config_directory()
    if directory is None:
        return {}
    try:
        # What begins with a dot is an editor's, not a player's.
        found = [p for p in (directory / kind).iterdir() if not p.name.startswith(".")]
    except OSError:
        return {}
    return {path.stem.lower(): path for path in sorted(found) if path.suffix.lower() == ".toml"}


def is_there(path: Path) -> bool:
    """Return whether something of that name can be seen; who may not look sees nothing."""
    try:
        path.lstat()
    except (OSError, ValueError):
        return False
    return True


def shown_path(path: Path) -> str:
    """Return a path as people write it, with ``~`` for their home."""
    home = os.environ.get("HOME", "")
    if len(home) > 1 and path.is_relative_to(home):
        return str(Path("~") / path.relative_to(home))
    return str(path)


def read_file(path: Path) -> ConfigFile:
    """Return the settings of a file, all of them checked.

    A relative name of a file in it means one beside it.

    Raises
    ------
    AdvisorError
        If it cannot be read, is not TOML, or a setting is unknown or impossible; the line names
        file and line, and the nearest name of an unknown setting.
    """
    where = shown_path(path)
    text = read_text(str(path))
    table = parse_toml(text, where)
    values: dict[str, tuple[Value, str]] = {}
    changes: dict[str, tuple[str, str]] = {}
    for name, value in table.items():
        place = f"{where}{line_of_key(text, name)}"
        try:
            if name == "set":
                changes = _read_changes(value, text, where)
                continue
            key = find_key(name)
            checked = key.check(name, value)
        except _PlacedError:
            raise
        except AdvisorError as error:
            raise OptionError(f"{place}: {error}") from None
        if name in ("rules", "convention"):
            checked = _beside(path, str(checked))
        values[name] = checked, place
    return ConfigFile(where, values, changes)


class _PlacedError(OptionError):
    """An error that already says where it is."""


def _beside(path: Path, name: str) -> str:
    if not name.lower().endswith(".toml"):
        return name
    named = Path(name)
    # Without a home the name stays, and is not found.
    with suppress(RuntimeError):
        named = named.expanduser()
    # In the current directory the name stays as short as it was written.
    return str(named if named.is_absolute() else path.parent / named)


def _read_changes(table: object, text: str, where: str) -> dict[str, tuple[str, str]]:
    if not isinstance(table, dict):
        raise OptionError(f"set: expected a table of house rules, found {show(table)}")
    changes: dict[str, tuple[str, str]] = {}
    for key, value in table.items():
        place = f"{where}{line_of_key(text, key, in_set=True)}"
        try:
            name, word = _change(key, value)
            if name in changes:
                raise OptionError(f"{name}: given twice")
        except AdvisorError as error:
            hint = "; as a setting it stands above [set]" if key in NAMES else ""
            message = str(error).partition("; ")[0] if hint else str(error)
            raise _PlacedError(f"{place}: {message}{hint}") from None
        changes[name] = word, place
    return changes


def _change(key: str, value: object) -> tuple[str, str]:
    """Return name and word of one house rule, as ``--set`` takes them."""
    item: Any = find_field(dataclasses.fields(Rules), key)
    name = public_name(item.name)
    if value == "":
        raise OptionError(f"{name}: expected a text, found none")
    check_value(item, from_text(item, value))
    return name, str(value).lower() if isinstance(value, bool) else str(value)


def line_of_key(text: str, key: str, *, in_set: bool = False) -> str:
    r"""Return ``:N`` where line N of a file sets a key, or nothing.

    Parameters
    ----------
    text : str
        The file.
    key : str
        The name of a setting, or of a house rule.
    in_set : bool
        Whether it is a house rule in the table ``set``.

    >>> text = "seed = 1\n[set]\npass = 3\n"
    >>> line_of_key(text, "seed"), line_of_key(text, "pass", in_set=True), line_of_key(text, "set")
    (':1', ':3', ':2')
    """
    if not in_set:
        return line_of(_HEADER.split(text, maxsplit=1)[0], key) or _line_of_table(text, key)
    header = _SET_HEADER.search(text)
    if header is None:
        # One line for all, or names with a dot.
        return line_of(text, f"set.{key}") or line_of(text, "set") or _line_of_table(text, "set")
    later = _HEADER.search(text, header.end())
    found = line_of(text[header.end() : later.start() if later else len(text)], key)
    before = text.count("\n", 0, header.end())
    return f":{before + int(found[1:])}" if found else ""


def _line_of_table(text: str, key: str) -> str:
    name = rf"[\"']?{re.escape(key)}[\"']?"
    header = re.search(rf"^[ \t]*\[\[?[ \t]*{name}[ \t]*[\].]", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, header.start()) + 1}" if header else ""
