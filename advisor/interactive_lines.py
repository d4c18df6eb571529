"""How the lines of ``advisor interactive`` are taken apart, and what is said of junk."""

from __future__ import annotations

import dataclasses
import re
from contextlib import suppress
from typing import Final

from advisor.errors import HandError, OptionError, RulesError
from advisor.game.cards import HAND_SIZE
from advisor.game.notation import parse_hand
from advisor.game.rules import Rules
from advisor.game.settings import allowed_text, find_field, nearest, public_name
from advisor.interactive_words import WORDS
from advisor.limits import check_whole, plain_number

MAX_LINE: Final = 10_000
_NONE: Final = "none"
_NEAR: Final = 0.74
# Of a word that a message repeats.
_LONGEST: Final = 40


def pasted_lines(text: str) -> list[str]:
    r"""Return the lines of a text that was pasted at once; a hand may have been on several.

    >>> pasted_lines("trump h\r\n\r\nwhy"), pasted_lines("S: AATKQJ\nH: AK\nD: QJ\nC: T9\n")
    (['trump h', 'why'], ['S: AATKQJ H: AK D: QJ C: T9'])
    >>> pasted_lines("AATKQJ.AK.QJ.T9\nATKQ.A9.AKJ.TQ9"), pasted_lines("")
    (['AATKQJ.AK.QJ.T9', 'ATKQ.A9.AKJ.TQ9'], [''])
    """
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    if len(lines) < 2:
        return lines or [""]
    joined = " ".join(lines)
    # Each line of a hand is none by itself; the first tells.
    if not _is_hand(lines[0]) and _is_hand(joined):
        return [joined]
    return lines


def _is_hand(text: str) -> bool:
    with suppress(HandError):
        return len(parse_hand(text[:MAX_LINE], None)) >= HAND_SIZE
    return False


def is_none(rest: str) -> bool:
    """Return whether what follows a word takes back what it had said."""
    return rest.lower() in (_NONE, "any", "all", "off")


def some(usage: str, rest: str) -> str:
    """Return what follows a word, or raise if nothing does."""
    if not rest:
        raise OptionError(f"{usage.split()[0]}: expected more, as in {usage}, found nothing")
    return rest


def whole(name: str, rest: str, low: int, high: int) -> int | None:
    """Return the whole number that follows a word, None where that is none."""
    if is_none(rest):
        return None
    return check_whole(name, plain_number(int, rest), low, high)


def settings(rest: str) -> list[str]:
    """Return the settings of a line: ``a=1 b=2``, ``a = 1``, ``a 1`` or ``a=some words``."""
    text = re.sub(r"\s*=\s*", "=", rest)
    words = text.split()
    if "=" not in text and len(words) == 2:
        return ["=".join(words)]
    if not words:
        raise RulesError("set: expected more, as in set pass=3, found nothing")
    if len(words) == 1 and "=" not in text:
        item = find_field(dataclasses.fields(Rules), text)
        name = public_name(item.name)
        raise RulesError(f"{name}: expected {allowed_text(item)} after {name}=, found nothing")
    return words if all("=" in word for word in words) else [text]


def neither(text: str, message: str) -> str:
    """Return the message for a line that begins with no word that is known and is no hand."""
    first = text.split()[0]
    hint = nearest(first, WORDS, _NEAR) if first.isalpha() else ""
    if hint:
        return f"{first}: neither a word of this prompt nor a hand{hint}"
    if len(text.split()) == 1 and first.isalpha() and 2 < len(first) <= _LONGEST:
        return f"{first}: neither a word of this prompt (help lists them) nor a hand: {message}"
    return message
