"""Named settings as dataclass fields: their checks, their text, and reading them from words.

What a setting may be stands in the metadata of its field: a tuple of choices, a range of whole
numbers, or None for a line of text. Nothing here knows a rule of the game.
"""

from __future__ import annotations

import difflib
import json
import re
import stat
import textwrap
import tomllib
from collections.abc import Iterable
from dataclasses import Field, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from advisor.errors import RulesError, unreadable

Allowed: TypeAlias = tuple[str, ...] | tuple[int, ...] | range | None

MAX_TEXT: Final = 200
MAX_FILE_BYTES: Final = 1_000_000
_WORDS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def setting_field(
    default: object, row: str, allowed: Allowed, help_text: str, *, optional: bool = False
) -> Any:
    """Return a dataclass field with the metadata ``help``, ``row``, ``allowed``, ``optional``.

    >>> setting_field(4, "9", (0, 2, 3, 4), "Cards passed.").metadata["row"]
    '9'
    """
    return field(
        default=default,
        metadata={"help": help_text, "row": row, "allowed": allowed, "optional": optional},
    )


def switch_field(row: str, help_text: str, default: bool = False) -> Any:
    """Return a field that is on or off.

    >>> switch_field("12", "Whether a run pays twice.").default
    False
    """
    return setting_field(default, row, (True, False), help_text)


def public_name(attribute: str) -> str:
    """Return the name of a setting in files, messages and options.

    Players say ``pass``, a word that Python keeps for itself.

    >>> public_name("pass_cards"), public_name("minimum")
    ('pass', 'minimum')
    """
    return "pass" if attribute == "pass_cards" else attribute


def either(values: Iterable[object]) -> str:
    """Return values as an English list.

    >>> either((0, 2, 3, 4)), either((True, False))
    ('0, 2, 3 or 4', 'true or false')
    """
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def allowed_text(item: Field[Any]) -> str:
    """Return what a setting may be, in words.

    >>> allowed_text(setting_field(250, "1", range(10, 1501, 10), "Lowest bid."))
    '10 to 1500 in steps of 10'
    >>> allowed_text(setting_field(2, "", range(2, 51), "Steps."))
    '2 to 50'
    """
    allowed: Allowed = item.metadata["allowed"]
    if allowed is None:
        return f"one line of text, at most {MAX_TEXT} characters"
    if isinstance(allowed, tuple):
        return either(allowed)
    text = f"{allowed[0]} to {allowed[-1]}"
    text += f" in steps of {allowed.step}" if allowed.step > 1 else ""
    return f"{text}, or none" if item.metadata["optional"] else text


def choice_words(item: Field[Any]) -> tuple[str, ...]:
    """Return the words for each of a few values that a setting may have, else nothing.

    >>> choice_words(switch_field("12", "Whether a run pays twice."))
    ('true', 'false')
    """
    allowed: Allowed = item.metadata["allowed"]
    if not isinstance(allowed, tuple):
        return ()
    return tuple(str(v).lower() if isinstance(v, bool) else str(v) for v in allowed)


def show(value: object) -> str:
    """Return a value as a message shows it: short and on one line, whatever it is.

    >>> show(True), show("x"), show(10**5000), show({})
    ('true', "'x'", 'a number of 16610 bits', 'a table')
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        # Python refuses to print integers of more than 4300 digits.
        return str(value) if abs(value) < 10**15 else f"a number of {value.bit_length()} bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"{value[:40]!r}..."
    # What TOML calls a table.
    kind = "table" if isinstance(value, dict) else type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def nearest(word: str, words: Iterable[str], closeness: float = 0.6) -> str:
    """Return a hint at the word that was probably meant, or nothing.

    >>> nearest("heding", ["heading", "step"])
    '; did you mean heading?'
    """
    near = difflib.get_close_matches(word.lower()[:40], list(words), n=1, cutoff=closeness)
    return f"; did you mean {near[0]}?" if near else ""


def find_field(fields: Iterable[Field[Any]], key: str, kind: str = "rule") -> Field[Any]:
    """Return the field of a setting, by its public name or the name of its attribute.

    Parameters
    ----------
    fields : iterable of Field
        The fields to look at.
    key : str
        The name.
    kind : str
        What the message calls a setting.

    Raises
    ------
    RulesError
        If there is none; the line gives the nearest name, or else all of them.

    >>> find_field((), "trumps")
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: trumps: unknown rule; expected one of:
    """
    keys = []
    for item in fields:
        if key in (item.name, public_name(item.name)):
            return item
        keys.append(public_name(item.name))
    name = key if key.isidentifier() and len(key) <= 40 else show(key)
    hint = nearest(key, keys) or f"; expected one of: {', '.join(keys)}".rstrip()
    raise RulesError(f"{name}: unknown {kind}{hint}")


def check_value(item: Field[Any], value: object) -> None:
    """Check one value against its field.

    Raises
    ------
    RulesError
        If the value is not allowed; the line names setting, allowed values and what was found.

    >>> check_value(setting_field("any", "25", ("any", "trump"), "First lead."), "any")
    """
    allowed: Allowed = item.metadata["allowed"]
    if allowed is None:
        good = isinstance(value, str) and value.isprintable() and len(value) <= MAX_TEXT
        good = good and (item.default == "" or str(value).strip() != "")
    elif value is None:
        good = bool(item.metadata["optional"])
    else:
        # By type as well: True equals 1 and 250.0 equals 250, and neither was meant.
        good = type(value) is type(allowed[0]) and value in allowed
    if good:
        return
    choices = [choice for choice in allowed or () if isinstance(choice, str)]
    hint = nearest(value, choices) if isinstance(value, str) else ""
    raise RulesError(
        f"{public_name(item.name)}: expected {allowed_text(item)}, found {show(value)}{hint}"
    )


def toml_lines(item: Field[Any], value: object) -> list[str]:
    """Return a setting as lines of TOML, its help and allowed values as comments first.

    >>> toml_lines(setting_field("any", "25", ("any", "trump"), "First lead."), "any")[:-1]
    ['# First lead. Allowed: any or trump.']
    """
    note = f"{item.metadata['help']} Allowed: {allowed_text(item)}."
    # TOML has no null; json.dumps writes true, 250 and "text" as TOML does.
    text = json.dumps("none" if value is None else value, ensure_ascii=False)
    comments = textwrap.wrap(note, 96, initial_indent="# ", subsequent_indent="# ")
    return [*comments, f"{public_name(item.name)} = {text}"]


def from_text(item: Field[Any], value: object) -> object:
    """Return None for the word ``none``, which stands for it in TOML, else the value.

    >>> step = setting_field(None, "2", range(10, 501, 10), "Step.", optional=True)
    >>> from_text(step, "none"), from_text(step, 50)
    (None, 50)
    """
    return None if value == "none" and item.metadata["optional"] else value


def from_word(item: Field[Any], word: str) -> object:
    """Return the value that a word of the command line means for a setting.

    A word that means nothing is returned as it is, for `check_value` to refuse.

    >>> from_word(switch_field("12", "Whether a run pays twice."), "Yes")
    True
    """
    allowed: Allowed = item.metadata["allowed"]
    if allowed is None:
        return word
    word = word.lower()
    if isinstance(allowed[0], bool):
        return _WORDS.get(word, word)
    if isinstance(allowed[0], int) and re.fullmatch(r"[+-]?[0-9]{1,15}", word):
        return int(word)
    return from_text(item, word)


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the top-level table of a TOML text.

    Raises
    ------
    RulesError
        If it is not TOML; the line names the file and, where it is known, the line.

    >>> parse_toml("pass 3", "house.toml")
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: house.toml:1: not TOML: Expected '=' after a key in a key/value pair
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", reason)
        if found is None:
            raise RulesError(f"{where}: not TOML: {reason[:120]}") from None
        line = found[2] or str(text.count("\n") + 1)
        if found[1] == "Cannot overwrite a value":
            message = f"{where}:{line}: expected each name once, found one again"
            raise RulesError(message) from None
        raise RulesError(f"{where}:{line}: not TOML: {found[1][:120]}") from None


def line_of(text: str, key: str) -> str:
    r"""Return ``:N`` where line N of a TOML text sets the key, or nothing.

    >>> line_of("scale = 1\npass = 5", "pass")
    ':2'
    """
    names = "pass|pass_cards" if key == "pass" else re.escape(key)
    found = re.search(rf"^[ \t]*[\"']?(?:{names})[\"']?[ \t]*=", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, found.start()) + 1}" if found else ""


def read_text(path: str) -> str:
    """Return the text of a small UTF-8 file, with or without a byte order mark.

    Raises
    ------
    RulesError
        If it is not a regular file, cannot be read, is too large or is not UTF-8; the line names
        the file.

    >>> read_text("no-such-file.toml")
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: no-such-file.toml: cannot read the file: No such file or directory
    """
    try:
        # Opening a pipe would wait for somebody to write into it.
        mode = Path(path).stat().st_mode
        data = b""
        if stat.S_ISREG(mode):
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RulesError(unreadable(path, error)) from None
    except ValueError:
        # A zero byte in the name.
        raise RulesError(f"{show(path)}: not the name of a file") from None
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
        raise RulesError(f"{path}: cannot read the file: it is {kind}")
    if len(data) > MAX_FILE_BYTES:
        raise RulesError(f"{path}: expected a file of at most {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RulesError(f"{path}:{line}: expected UTF-8 text") from None
