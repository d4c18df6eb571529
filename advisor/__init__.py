"""A Monte Carlo bid advisor for four-handed single-deck partnership pinochle.

Names load on first use, so importing the package costs nothing.

>>> from advisor import Hand
>>> str(Hand.parse("AS AS TS KS QS JS AH KH QD JD TC 9C"))
'AATKQJ.AK.QJ.T9'
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.advice import BidAdvice
    from advisor.advise import advise
    from advisor.errors import AdvisorError
    from advisor.exchange_advice import ExchangeAdvice, advise_pass, advise_return
    from advisor.game.cards import Hand
    from advisor.game.meld import score_meld
    from advisor.game.rules import Rules
    from advisor.jumps import compare_jumps
    from advisor.league import League, play_league
    from advisor.simulate import simulate

__version__ = "0.1.0"

__all__ = [
    "AdvisorError",
    "BidAdvice",
    "ExchangeAdvice",
    "Hand",
    "League",
    "Rules",
    "__version__",
    "advise",
    "advise_pass",
    "advise_return",
    "compare_jumps",
    "play_league",
    "score_meld",
    "simulate",
]

_HOME = {
    "AdvisorError": "advisor.errors",
    "BidAdvice": "advisor.advice",
    "ExchangeAdvice": "advisor.exchange_advice",
    "Hand": "advisor.game.cards",
    "League": "advisor.league",
    "Rules": "advisor.game.rules",
    "advise": "advisor.advise",
    "advise_pass": "advisor.exchange_advice",
    "advise_return": "advisor.exchange_advice",
    "compare_jumps": "advisor.jumps",
    "play_league": "advisor.league",
    "score_meld": "advisor.game.meld",
    "simulate": "advisor.simulate",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'advisor' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _function_named_like_its_module(name: str) -> property:
    def load(package: ModuleType) -> Any:
        return getattr(import_module(_HOME[name]), name)

    def keep(package: ModuleType, submodule: ModuleType) -> None:
        """Ignore the import system's wish to store the submodule under the function's name."""

    return property(load, keep)


class _Package(ModuleType):
    advise = _function_named_like_its_module("advise")
    simulate = _function_named_like_its_module("simulate")


sys.modules[__name__].__class__ = _Package
