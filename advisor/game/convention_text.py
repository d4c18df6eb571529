"""Conventions as TOML text: writing one, and finding the line that a message is about."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from dataclasses import Field
from typing import TYPE_CHECKING, Any, Final

from advisor.game.settings import allowed_text, line_of

if TYPE_CHECKING:
    from advisor.game.conventions import Convention, Meaning

_WIDTH: Final = 96
_HEAD: Final = (
    "What partners have agreed that a call shows. Points are on the x10 scale (run = 150). "
    "Each [[jump]] says what one size of raise shows, [pass_with_help] what that call shows; "
    "a call that stands in no table shows nothing. Their keys:"
)
_PLACE: Final = re.compile(r"(?:jump (?P<number>\d+)|(?P<help>pass_with_help))(?:: (?P<key>\w+))?:")


def convention_toml(
    convention: Convention, fields: Iterable[Field[Any]], quantities: Iterable[tuple[str, str]]
) -> str:
    """Return a convention as a commented TOML text.

    Parameters
    ----------
    convention : Convention
        The convention.
    fields : iterable of Field
        The keys of a meaning.
    quantities : iterable of (str, str)
        What a meaning may show, each with its help.

    >>> from advisor.game.conventions import load_convention
    >>> load_convention("dailey").to_toml().splitlines()[-2:]
    ['shows = "helping-cards"', 'at_least = 4']
    """
    lines = _comment(_HEAD)
    for item in fields:
        help_text = item.metadata["help"]
        if item.name != "shows":
            help_text += f" Allowed: {allowed_text(item)}."
        lines += _comment(help_text, f"  {item.name:<9} ", " " * 12)
    lines += _comment("What a call may show:")
    for name, help_text in quantities:
        lines += _comment(help_text, f"  {name:<13} ", " " * 16)
    lines.append("")
    for key in ("name", "about", "source"):
        lines.append(_assign(key, getattr(convention, key)))
    for meaning in convention.jumps:
        lines += ["", *_comment(f"{meaning.call_words()} shows {meaning.words()}.")]
        lines += ["[[jump]]", *_keys(meaning)]
    if convention.pass_with_help is not None:
        meaning = convention.pass_with_help
        lines += ["", *_comment(f"{meaning.call_words()} shows {meaning.words()}.")]
        lines += ["[pass_with_help]", *_keys(meaning)]
    return "\n".join(lines) + "\n"


def _comment(text: str, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"# {first}",
        subsequent_indent=f"# {later}",
        break_on_hyphens=False,
    )


def _assign(key: str, value: object) -> str:
    # json.dumps writes numbers and text as TOML does.
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _keys(meaning: Meaning) -> list[str]:
    values = {
        "steps": meaning.steps or None,
        "shows": meaning.shows,
        "at_least": meaning.at_least,
        "at_most": meaning.at_most,
        "when": None if meaning.when == "any" else meaning.when,
        "text": meaning.text or None,
    }
    return [_assign(key, value) for key, value in values.items() if value is not None]


def place_of(text: str, message: str) -> str:
    r"""Return ``:N`` for the line of a TOML text that a message is about, or nothing.

    Parameters
    ----------
    text : str
        The TOML text.
    message : str
        A message that begins with the table and the key, or with a key outside tables.

    >>> place_of("name = 'x'\n[[jump]]\nsteps = 1", "jump 1: steps: expected 2 to 50, found 1")
    ':3'
    """
    found = _PLACE.match(message)
    if found is None:
        top = re.split(r"^[ \t]*\[", text, maxsplit=1, flags=re.MULTILINE)[0]
        key = message.partition(":")[0]
        return line_of(top, key) or _header_line(text, key)
    key = found["key"] or ""
    if found["help"]:
        headers = list(_headers(text, "pass_with_help"))
        number = 1
    else:
        headers = list(_headers(text, "jump"))
        number = int(found["number"])
    if len(headers) < number:
        # Tables may also be written in one line, as values.
        return line_of(text, "pass_with_help" if found["help"] else "jump")
    start = headers[number - 1].start()
    end = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, headers[number - 1].end())
    before = text.count("\n", 0, start)
    relative = line_of(text[start : end.start() if end else len(text)], key) if key else ""
    return f":{before + int(relative.lstrip(':') or 1)}"


def _headers(text: str, table: str) -> Iterable[re.Match[str]]:
    # A table of tables, or a single table written where those were expected.
    return re.finditer(rf"^[ \t]*\[{{1,2}}[ \t]*{re.escape(table)}[ \t]*\]", text, re.MULTILINE)


def _header_line(text: str, table: str) -> str:
    for found in _headers(text, table):
        return f":{text.count(chr(10), 0, found.start()) + 1}"
    return ""
