"""Rules of bidding made from others, whose strength against them is known."""

from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.rule import Rule


def lifted(name, by, habits=None):
    """Return a rule whose limits are so much higher than those of another."""
    base = rule_of(name)

    def look(hands):
        limits, trumps = base.look(hands)
        return limits + by, trumps

    return Rule(f"{name}{by:+}", look, habits or base.habits)
