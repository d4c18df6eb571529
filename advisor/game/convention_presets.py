"""The named conventions as data, each with its source.

Where a source leaves a number open, the comment says how it was chosen. Points are on the x10
scale; steps count the steps of a raise, so 2 is the +20 jump where bids rise by 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_CLUB: Final = "sbirnbaum.hnccorp.com/pinochle (condo club, no pass, opening at 200)"
_CUSTOMER_LIST: Final = "https://github.com/TricksterCards/TricksterBots/issues/17"
_DAILEY: Final = (
    "https://www.pagat.com/marriage/pintip.html and dailey-pinochle-tactics.html of pinochle.org"
)
_ANGELFIRE: Final = "https://www.angelfire.com/ego2/afavorite/PinochleBasics.html"

PRESET_CONVENTIONS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "none": {
            "about": "Nothing agreed: a jump is a bid like any other, and help may be anything.",
            "source": "https://cardgames.io/pinochle/ and gamerules.com give a jump no meaning",
        },
        # 100 is the club's number for +20, and 15% of hands have it. No source puts a meld on the
        # pass with help in single deck; 70 is the best quarter of hands, and 40 would be most.
        "meld-jump": {
            "about": "The jump shows meld; the pass with help shows less meld, but more than most.",
            "source": f"the +20 of {_CLUB}; the pass with help is this project's choice",
            "jumps": ({"steps": 2, "shows": "meld", "at_least": 100},),
            "pass_with_help": {"shows": "meld", "at_least": 70},
        },
        "dailey": {
            "about": "The jump warns that help in one suit is no use; the pass with help promises "
            "four cards that help in any suit.",
            "source": _DAILEY,
            "jumps": ({"steps": 2, "shows": "missing-suits", "at_least": 1},),
            "pass_with_help": {"shows": "helping-cards", "at_least": 4},
        },
        "missing-suit": {
            "about": "The jump warns that help in one suit is no use; nothing is agreed on help.",
            "source": f"the jump alone of {_DAILEY}",
            "jumps": ({"steps": 2, "shows": "missing-suits", "at_least": 1},),
        },
        # Nobody published +20 for three suits with an ace, so the default is aces around, to
        # which the sources give a jump of some size: +30 the club, four steps the customer list,
        # one above the minimum as the first bid the third.
        "aces-jump": {
            "about": "The jump shows aces around; sources agree on that but not on its size.",
            "source": f"{_CLUB}; {_CUSTOMER_LIST}; angelfire.com/ego2/afavorite",
            "jumps": ({"steps": 2, "shows": "ace-suits", "at_least": 4},),
        },
        "dos": {
            "about": "Each further step shows 50 points more of meld. In the source: in the first "
            "round only, no pass, the dealer opens at 200.",
            "source": "rules text of a single-deck pinochle program for DOS, on a CD-ROM",
            "jumps": (
                {"steps": 2, "shows": "meld", "at_least": 50, "at_most": 90},
                {"steps": 3, "shows": "meld", "at_least": 100, "at_most": 140},
                {"steps": 4, "shows": "meld", "at_least": 150, "at_most": 190},
                {"steps": 5, "shows": "meld", "at_least": 200},
            ),
        },
        "club": {
            "about": "+20 shows meld, +30 aces around, +50 a run; +40 means nothing.",
            "source": _CLUB,
            "jumps": (
                {"steps": 2, "shows": "meld", "at_least": 100},
                {"steps": 3, "shows": "ace-suits", "at_least": 4},
                {"steps": 5, "shows": "runs", "at_least": 1},
                {
                    "steps": 15,
                    "shows": "text",
                    "when": "opening",
                    "text": "a run and aces around (an opening of 340, counted from 200)",
                },
            ),
        },
        "trickster": {
            "about": "Answers to partner's opening; a plain pass is weak. A raise to the value of "
            "an around, or one less, asks for one card of it.",
            "source": f"{_CUSTOMER_LIST} (a customer's list, on a scale where a run is 15)",
            "jumps": (
                {"steps": 2, "shows": "text", "when": "after-partner", "text": "a strong hand"},
                {
                    "steps": 3,
                    "shows": "legs",
                    "at_least": 3,
                    "at_most": 3,
                    "when": "after-partner",
                    "text": "partner raises with the fourth, else passes",
                },
                {
                    "steps": 4,
                    "shows": "ace-suits",
                    "at_least": 4,
                    "when": "after-partner",
                    "text": "does not want the contract",
                },
                {"steps": 5, "shows": "runs", "at_least": 1, "when": "after-partner"},
            ),
        },
        "angelfire": {
            "about": "The first bid one step above the minimum shows aces around. One step over "
            "partner: I want it, show me meld. The bare minimum may only save a partner who deals.",
            "source": f"{_ANGELFIRE} (double deck, with remarks on single deck)",
            "jumps": ({"steps": 2, "shows": "ace-suits", "at_least": 4, "when": "opening"},),
        },
        "power": {
            "about": "Meld bids of double deck: aces by the first bid, meld by the size of a "
            "raise; the bare minimum says: I want it, give meld.",
            "source": "instructables.com, worldofcardgames.com and powerpinochle.com (double deck)",
            "jumps": (
                {
                    "steps": 2,
                    "shows": "text",
                    "when": "opening",
                    "text": "aces (an opening of 51, counted from 50)",
                },
                *(
                    {
                        "steps": steps,
                        "shows": "text",
                        "when": "after-partner",
                        "text": f"{steps}0 of meld, on a scale where a run is 15",
                    }
                    for steps in (2, 3, 4, 5)
                ),
            ),
        },
        "lebor": {
            "about": "The wording of a pass shows help; no jumps are agreed.",
            "source": "lebor.net/category/pinochle (double deck)",
            "pass_with_help": {
                "shows": "text",
                "text": "'by me' is 80 to 140 of useful meld, 'by' is aces around",
            },
        },
    }
)

# A number after a colon, as in meld-jump:120, takes the place of the jump's threshold.
THRESHOLDS: Final[Mapping[str, range]] = MappingProxyType(
    {"meld-jump": range(10, 1501, 10), "missing-suit": range(1, 4), "aces-jump": range(1, 5)}
)
