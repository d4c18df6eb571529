"""The names of the rules of bidding, and what each is. Imports neither numpy nor numba."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.errors import OptionError
from advisor.game.settings import nearest, show

# In the order in which they are listed.
RULE_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "advisor": "this program",
        "b1": "power count",
        "b2": "winners and near meld",
        "b3": "base bid, adjusted",
        "b4": "what partner's four cards may bring",
        "b5": "projected counts",
        "b6": "assessment points",
        "b7a": "meld and 250",
        "b7b": "card values",
        "b8-10": "simulation: made nine times in ten",
        "b8-18": "simulation: made 82 times in 100",
        "b8-25": "simulation: made three times in four",
        "b9": "simulation: better than defending",
        "b10": "a line fitted to simulations",
        "without-trump": "advisor, naming the suit of most meld",
        "without-level": "advisor, going no higher than 75% sure",
        "without-defending": "advisor, to an even chance to make it",
        "without-inference": "advisor, deaf to the calls",
    }
)
ALIASES: Final[Mapping[str, str]] = MappingProxyType({"b7": "b7a", "b8": "b8-25"})
DEFAULT_RULES: Final = ("advisor", "b1", "b3", "b7a", "b10")
# Those that deal the unseen cards themselves take a thousand times as long.
DEFAULT_DEALS: Final = 2000
SIMULATING: Final = frozenset(("b8-10", "b8-18", "b8-25", "b9"))


def find_rule_name(name: str) -> str | None:
    """Return the name of a rule of bidding, in any case, or what it stands for; None for others.

    >>> find_rule_name("B7"), find_rule_name("dailey")
    ('b7a', None)
    """
    word = name.strip().lower()
    word = ALIASES.get(word, word)
    return word if word in RULE_NAMES else None


def check_rule_name(name: str) -> str:
    """Return the name of a rule of bidding, in any case, or what it stands for.

    Raises
    ------
    OptionError
        If there is none of that name.

    >>> check_rule_name("B8")
    'b8-25'
    >>> check_rule_name("advisr")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: rules-of-bidding: expected names such as advisor, b1 or b8-25, \
found 'advisr'; did you mean advisor?
    """
    word = find_rule_name(name)
    if word is None:
        hint = nearest(name.strip().lower(), [*RULE_NAMES, *ALIASES])
        raise OptionError(
            f"rules-of-bidding: expected names such as advisor, b1 or b8-25, found "
            f"{show(name.strip())}{hint}"
        )
    return word


def check_rule_names(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas: two rules or more, none of them twice.

    Raises
    ------
    OptionError
        If it is not such a text.

    >>> check_rule_names("advisor, b7")
    ('advisor', 'b7a')
    """
    names = tuple(check_rule_name(part) for part in text.split(",") if part.strip())
    if len(names) < 2:
        raise OptionError(
            f"rules-of-bidding: expected two names or more with commas between them, found "
            f"{show(text)}"
        )
    for i, name in enumerate(names):
        if name in names[:i]:
            raise OptionError(f"rules-of-bidding: expected each name once, found {name} twice")
    return names
