"""The named house rules as data: only what differs from the defaults of `rules.Rules`.

A point on which a source is silent keeps the default. Points are on the x10 scale, so a table
that counts a run as 15 stands here with a minimum of 250 and ``scale`` 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CARDGAMES_SOURCE: Final = "cardgames.io rules, https://cardgames.io/pinochle/ (read in French)"

PRESET_SETTINGS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "cardgames": {"source": CARDGAMES_SOURCE},
        "gamerules": {
            "source": (
                "gamerules.com rules, https://gamerules.com/rules/pinochle-card-game/ (read in Lao)"
            ),
            "pass_with_help": "advise",
            "marriages_around_named": True,
            "throw_in": "from-250",
        },
        "pagat": {
            "source": (
                "https://www.pagat.com/marriage/pinmain.html, "
                "second-hand from programs written after that page"
            ),
            "jumps": "any",
            "opening": "any",
            "pass_with_help": "advise",
            "run_extras": True,
            "save_meld_bidder": False,
            "dix_saves": True,
            "throw_in": "any",
        },
        "neuralplay": {
            "source": "http://www.neuralplay.com/pinochle_help.html (deal, auction, pass, score)",
            "step_change_at": 600,
            "step_above": 50,
            "pass_with_help": "refuse",
            "tie_rule": "highest",
            "scale": 1,
        },
        "classic": {
            "source": "https://github.com/jeffbcole/pinochle-classic (single deck, its defaults)",
            "minimum": 200,
            "forced_bid": 200,
            "pass_cards": 3,
            "target": 5000,
            "scale": 1,
        },
    }
)
