"""Cells that a spreadsheet has turned into something else: numbers, dates, errors."""

from __future__ import annotations

import re
from typing import Final

# The longest of them is a date with a time.
_LONGEST: Final = 40
# English, German, French, Spanish and Italian ones, short or whole.
_MONTH: Final = (
    r"(?:jan|ene|gen|feb|f[ée]v|m[aä]r|apr|avr|abr|ma[iyg]|jun|juin|giu|jul|juil|lug|aug|ago|ao[uû]"
    r"|sep|set|oct|okt|ott|nov|de[czc]|d[ée]c|dic)[a-zéûä]{0,7}\.?"
)
_CLOCK: Final = r"(?:[T\ ]\d{1,2}:\d{2}.*)?"
_DAMAGE: Final = re.compile(
    rf"""
    (?P<date>
        \d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}{_CLOCK}
      | \d{{1,2}}[-/. ]{{1,2}}{_MONTH}(?:[-/. ]{{1,2}}\d{{2,4}})?{_CLOCK}
      | {_MONTH}[-/. ]{{1,2}}\d{{1,4}}(?:,\ ?\d{{4}})?
      | \d{{1,2}}/\d{{1,4}}
    )
    | (?P<time> \d{{1,3}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?(?:\ ?[ap]m)? )
    | (?P<number> [+-]?(?:\d+(?:[.,]\d+){{0,2}}|[.,]\d+)(?:e[+-]?\d+)?\ ?[%$€£]? )
    | (?P<truth> true|false|wahr|falsch|vrai|faux )
    | (?P<error> \#(?:name\?|ref!|value!|wert!|bezug!|nom\s\?|valeur!|n/a|num!|div/0!|null!|\#+) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
USUAL_CARDS: Final = frozenset(
    rank + suit for rank in ("A", "T", "10", "K", "Q", "J", "9") for suit in "SHDC♠♥♦♣"
)
_KINDS: Final = {
    "date": "a date",
    "time": "a time",
    "number": "a number",
    "truth": "a truth value",
    "error": "a spreadsheet's error",
}


def damage(cell: str) -> str | None:
    """Return what a cell looks like that should hold a card or a hand, or None where it may.

    >>> damage("10-Sep"), damage("9.40E+01"), damage("2026-09-10 00:00:00"), damage("45910")
    ('a date', 'a number', 'a date', 'a number')
    >>> damage("10S"), damage("9♠"), damage("99TT.AK.QJ.AATK")
    (None, None, None)
    """
    # Most hands have three dots or eleven blanks, and the pattern takes its time.
    if len(cell) > _LONGEST or cell.count(".") == 3 or cell.count(" ") > 5:
        return None
    found = _DAMAGE.fullmatch(cell.strip())
    return _KINDS[found.lastgroup] if found and found.lastgroup else None
