"""Values of JSON and Parquet as the text that a cell of CSV would hold."""

from __future__ import annotations

import json


def cell_text(value: object) -> str:
    """Return a value as text: nothing for null and NaN, whole numbers without decimals.

    >>> cell_text(None), cell_text(4.0), cell_text(True), cell_text([1, "a"])
    ('', '4', 'true', '[1, "a"]')
    """
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def hand_text(value: object) -> str:
    """Return the value of a hand as text: a list of cards is written with blanks between them.

    >>> hand_text(["AS", "TS"]), hand_text({"S": "ATKQJ9"})
    ('AS TS', '{"S": "ATKQJ9"}')
    """
    if type(value) is str:
        return value
    try:
        return " ".join(value) if isinstance(value, list) else cell_text(value)
    except TypeError:
        return cell_text(value)
