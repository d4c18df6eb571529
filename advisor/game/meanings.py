"""What one call shows of a hand: a quantity, and the range it is in.

Hands that make the call are those with the quantity in the range. What partner may infer from it
is computed, never typed in. Points are on the x10 scale.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from types import MappingProxyType
from typing import Final, Literal

from advisor.errors import OptionError, RulesError
from advisor.game.cards import ACE, DIAMONDS, JACK, QUEEN, RUN_RANKS, SPADES, SUITS, Hand, Suit
from advisor.game.meld import meld_by_trump
from advisor.game.rules import Rules
from advisor.game.settings import check_value, either, nearest, setting_field, show

MAX_STEPS: Final = 50
NO_LIMIT: Final = 10**6
TEXT: Final = "text"
WHENS: Final = ("any", "opening", "after-partner")

_MAX_POINTS: Final = 5000


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something countable about a hand that a call may show.

    Parameters
    ----------
    help : str
        What it is.
    one, many : str
        How one and several of it are called.
    most : int
        The most that twelve cards can have, or a limit for points.
    points : bool
        Whether it is in points, which some tables show on another scale.
    all : str
        What players call the most of it, where they have a name for that.
    """

    help: str
    one: str
    many: str
    most: int
    points: bool = False
    all: str = ""


# In a fixed order: kernels know a quantity by its place in it.
QUANTITIES: Final[Mapping[str, Quantity]] = MappingProxyType(
    {
        "meld": Quantity(
            "Points of meld in the best trump.",
            "point of meld",
            "points of meld",
            _MAX_POINTS,
            points=True,
        ),
        "value": Quantity(
            "Points, meld and tricks, that the hand is worth with an average partner.",
            "point with an average partner",
            "points with an average partner",
            _MAX_POINTS,
            points=True,
        ),
        "aces": Quantity("Aces held.", "ace", "aces", 8),
        "missing-suits": Quantity(
            "Suits without a run card, A 10 K Q J; a nine does not count.",
            "suit without a run card",
            "suits without a run card",
            3,
        ),
        "legs": Quantity(
            "Queens of spades and jacks of diamonds held, each copy counted.",
            "leg of the pinochle",
            "legs of the pinochle",
            4,
        ),
        "runs": Quantity("Suits with a complete run.", "run", "runs", 2),
        "ace-suits": Quantity(
            "Suits with an ace; four are aces around.",
            "suit with an ace",
            "suits with an ace",
            4,
            all="aces around",
        ),
        "helping-cards": Quantity(
            "Cards that help whatever is trump: the fewest, over the four trumps, of the different "
            "run cards of trump, the aces of other suits and the pinochle legs that go with trump "
            "(QS with diamonds, JD with spades), each copy of an ace or leg counted.",
            "card that helps in any trump",
            "cards that help in any trump",
            8,
        ),
    }
)


def quantity(hand: Hand, shows: str, rules: Rules) -> int:
    """Return how much a hand has of what a call may show.

    Parameters
    ----------
    hand : Hand
        The cards.
    shows : str
        A name of `QUANTITIES`.
    rules : Rules
        The house rules, which say what is paid for meld.

    Raises
    ------
    OptionError
        If there is no such quantity, or the cards alone do not say how much there is of it.

    >>> hand = Hand.parse("AATKQJ.AK.QJ.T9")
    >>> [quantity(hand, name, Rules()) for name in QUANTITIES if name != "value"]
    [190, 3, 0, 2, 1, 2, 4]
    """
    counts = hand.counts
    match shows:
        case "meld":
            return max(meld.total for meld in meld_by_trump(hand, rules))
        case "aces":
            return sum(hand.count(suit, ACE) for suit in SUITS)
        case "missing-suits":
            return sum(_run_cards(hand, suit) == 0 for suit in SUITS)
        case "legs":
            return counts[SPADES * 6 + QUEEN] + counts[DIAMONDS * 6 + JACK]
        case "runs":
            return sum(_run_cards(hand, suit) == len(RUN_RANKS) for suit in SUITS)
        case "ace-suits":
            return sum(hand.count(suit, ACE) > 0 for suit in SUITS)
        case "helping-cards":
            return min(_helping_cards(hand, trump) for trump in SUITS)
    known = [name for name in QUANTITIES if name != "value"]
    hint = "; it takes a simulation" if shows == "value" else nearest(shows, known)
    raise OptionError(f"shows: expected {either(known)}, found {show(shows)}{hint}")


def _run_cards(hand: Hand, suit: Suit) -> int:
    return sum(hand.count(suit, rank) > 0 for rank in RUN_RANKS)


def _helping_cards(hand: Hand, trump: Suit) -> int:
    cards = _run_cards(hand, trump)
    cards += sum(hand.count(suit, ACE) for suit in SUITS if suit != trump)
    if trump == SPADES:
        cards += hand.count(DIAMONDS, JACK)
    elif trump == DIAMONDS:
        cards += hand.count(SPADES, QUEEN)
    return cards


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one call shows.

    Raises
    ------
    RulesError
        If a value is outside its range, or contradicts another; one line that names it.

    >>> meaning = Meaning(2, "meld", at_least=100)
    >>> meaning.fits(90), meaning.fits(120), meaning.call_words(), meaning.words()
    (False, True, 'A jump of 2 steps', '100 or more points of meld')
    >>> Meaning(1, "meld", 100)
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: steps: expected 2 to 50, found 1
    """

    # 0 steps stand for the pass with help.
    steps: int = setting_field(
        MISSING,
        "",
        range(2, MAX_STEPS + 1),
        "Steps of the raise: 2 = one more than needed (+20 where bids rise by 10), 3 = +30; "
        "an opening at the minimum is 1.",
    )
    shows: str = setting_field(
        MISSING, "", (*QUANTITIES, TEXT), "What the call shows, a name of the list below or text."
    )
    at_least: int | None = setting_field(
        None, "", range(_MAX_POINTS + 1), "The least of it that the call shows.", optional=True
    )
    at_most: int | None = setting_field(
        None, "", range(_MAX_POINTS + 1), "The most of it that the call shows.", optional=True
    )
    when: Literal["any", "opening", "after-partner"] = setting_field(
        "any",
        "",
        WHENS,
        "Which calls are meant: opening = when nobody has bid; after-partner = when partner has "
        "bid and holds or held the bid.",
    )
    text: str = setting_field(
        "", "", None, "A remark; all there is where shows is text, which is not computed."
    )

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if not (item.name == "steps" and type(value) is int and value == 0):
                check_value(item, value)
        limits = {"at_least": self.at_least, "at_most": self.at_most}
        given = {key: value for key, value in limits.items() if value is not None}
        if self.shows == TEXT:
            for key, value in given.items():
                raise RulesError(f"{key}: expected none, as text is not computed, found {value}")
            if not self.text.strip():
                raise RulesError(f"text: expected what the call shows, found {show(self.text)}")
            return
        if not given:
            raise RulesError(f"at_least: expected a number of {self.shows}, or at_most, found none")
        most = QUANTITIES[self.shows].most
        for key, value in given.items():
            if value > most:
                raise RulesError(f"{key}: expected 0 to {most} for {self.shows}, found {value}")
        if self.low > self.high:
            raise RulesError(
                f"at_least: expected no more than at_most, {self.at_most}, found {self.at_least}"
            )

    @property
    def low(self) -> int:
        """The least that the call shows, far below every hand if there is no limit."""
        return -NO_LIMIT if self.at_least is None else self.at_least

    @property
    def high(self) -> int:
        """The most that the call shows, far above every hand if there is no limit."""
        return NO_LIMIT if self.at_most is None else self.at_most

    @property
    def is_computed(self) -> bool:
        """Whether a hand can be tested for it; a text cannot."""
        return self.shows != TEXT

    def fits(self, amount: int) -> bool:
        """Return whether a hand with this much of the quantity makes the call; all fit a text."""
        return self.low <= amount <= self.high

    def call_words(self) -> str:
        """Return the call in words, as the beginning of a sentence.

        >>> Meaning(3, "runs", 1, when="opening").call_words()
        'A jump of 3 steps as the first bid'
        """
        call = f"A jump of {self.steps} steps" if self.steps else "A pass with help"
        late = {"any": "", "opening": " before any bid", "after-partner": " after partner has bid"}
        first = self.steps and self.when == "opening"
        return call + (" as the first bid" if first else late[self.when])

    def words(self, scale: int = 10) -> str:
        """Return what is shown in words, points on the scale given.

        >>> Meaning(4, "meld", 150, 190).words(scale=1), Meaning(0, "aces", at_most=1).words()
        ('15 to 19 points of meld', 'at most 1 ace')
        """
        if not self.is_computed:
            return self.text
        kind = QUANTITIES[self.shows]
        low, high = (
            f"{value * scale / 10:g}" if kind.points and value is not None else str(value)
            for value in (self.at_least, self.at_most)
        )
        if self.at_least is None:
            amount = f"at most {high}"
        elif self.at_least in (self.at_most, kind.most):
            amount = low
        else:
            amount = f"{low} or more" if self.at_most is None else f"{low} to {high}"
        words = f"{amount} {kind.one if amount.split()[-1] == '1' else kind.many}"
        if kind.all and self.at_least == kind.most:
            words = kind.all
        return f"{words}; {self.text}" if self.text else words

    def as_settings(self) -> dict[str, object]:
        """Return every value by its key."""
        return {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
