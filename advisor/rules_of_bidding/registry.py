"""The rules of bidding by name."""

from __future__ import annotations

from advisor.rules_of_bidding import advisor_rule, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10
from advisor.rules_of_bidding.names import check_rule_name
from advisor.rules_of_bidding.rule import Rule

_RULES = {
    rule.name: rule
    for rule in (
        advisor_rule.ADVISOR,
        b1.B1,
        b2.B2,
        b3.B3,
        b4.B4,
        b5.B5,
        b6.B6,
        b7.B7A,
        b7.B7B,
        b8.SAFE,
        b8.STANDARD,
        b8.PRO,
        b9.B9,
        b10.B10,
        *advisor_rule.ABLATIONS,
    )
}


def rule_of(name: str) -> Rule:
    """Return a rule of bidding by its name.

    Raises
    ------
    OptionError
        If there is none of that name.

    >>> rule_of("B8").name
    'b8-25'
    """
    return _RULES[check_rule_name(name)]
