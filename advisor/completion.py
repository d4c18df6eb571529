"""What can stand where a word was begun: names of rules, conventions, engines, suits.

For the shells and for the prompt of ``advisor interactive``; light, because every TAB loads it.
"""

from __future__ import annotations

from advisor.limits import ENGINES


def complete_rules(incomplete: str) -> list[str]:
    """Return the house rules, own ones too, whose names begin so.

    >>> complete_rules("pag")
    ['pagat']
    """
    from advisor.config_files import own_files
    from advisor.game.presets import PRESET_SETTINGS

    names = dict.fromkeys([*PRESET_SETTINGS, *own_files("rules")])
    return [name for name in names if name.startswith(incomplete.lower())]


def complete_convention(incomplete: str) -> list[str]:
    """Return the conventions, own ones too, whose names begin so.

    >>> complete_convention("mi")
    ['missing-suit']
    """
    from advisor.config_files import own_files
    from advisor.game.convention_presets import PRESET_CONVENTIONS

    names = dict.fromkeys([*PRESET_CONVENTIONS, *own_files("conventions")])
    return [name for name in names if name.startswith(incomplete.lower())]


def complete_change(incomplete: str) -> list[str]:
    """Return the house rules that begin so; of one that may be a few words, each of them.

    >>> complete_change("step"), complete_change("save_meld=t")
    (['step=', 'step_change_at=', 'step_above='], ['save_meld=trick'])
    >>> complete_change("pass_w")
    ['pass_with_help=advise', 'pass_with_help=accept', 'pass_with_help=refuse']
    """
    from advisor.game.rules import SETTINGS

    rule, equals, begun = incomplete.partition("=")
    if equals:
        words = [word for item in SETTINGS if item.key == rule for word in item.words]
        return [f"{rule}={word}" for word in words if word.startswith(begun)]
    found = [item for item in SETTINGS if item.key.startswith(rule)]
    # Bash takes the sign for the end of a word, so the values must come with the name.
    whole = {item.key for item in found if item.words and (len(found) == 1 or item.key == rule)}
    return [
        f"{item.key}={word}"
        for item in found
        for word in (item.words if item.key in whole else ("",))
    ]


def complete_trump(incomplete: str) -> list[str]:
    """Return the suits whose letters begin so, in the case that was begun.

    >>> complete_trump("h"), complete_trump("")
    (['h'], ['S', 'H', 'D', 'C'])
    """
    suits = "SHDC" if incomplete == incomplete.upper() else "shdc"
    return [suit for suit in suits if suit.startswith(incomplete)]


def complete_engine(incomplete: str) -> list[str]:
    """Return the engines whose names begin so.

    >>> complete_engine("l")
    ['lite']
    """
    return [engine for engine in ENGINES if engine.startswith(incomplete.lower())]
