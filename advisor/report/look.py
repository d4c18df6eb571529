"""How a screen looks: suit signs, the scale of points, and no more digits than are known.

A mean is written to the place of its standard error's first digit, at most to the point (to the
tenth where a table counts a run as 15); a standard error keeps two digits, or one below 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from advisor.game.cards import RANK_LETTERS, SUIT_LETTERS, SUIT_SYMBOLS, Card, Hand, Suit
from advisor.game.notation import format_hand

if TYPE_CHECKING:
    from advisor.pricing import Estimate

PLAIN_WIDTH: Final = 80
# Where rules or calls rarely differ, the error of a handful of deals is easily 0.
FEW_DEALS: Final = 100


@dataclass(frozen=True, slots=True)
class Look:
    """What a screen may use.

    Parameters
    ----------
    symbols : bool
        Suit symbols and typographic signs, or plain letters.
    bold : bool
        Whether the advised line may be set in bold type.
    width : int
        Columns.
    scale : int
        10 or 1: a run is shown as 150 or 15.
    fine : bool
        Whether means show a digit more where they are known so well: small differences.

    >>> look = Look(symbols=False, scale=1)
    >>> look.points(310), look.mean(342.4, 3.1), look.error(3.1), look.suit(0)
    ('31', '34.2', '0.31', 'S')
    >>> Look(fine=True).worth((1.42, 0.37)), Look(fine=True).worth((1.42, 3.7))
    ('+1.4 ± 0.37', '+1 ± 3.7')
    """

    symbols: bool = True
    bold: bool = False
    width: int = PLAIN_WIDTH
    scale: int = 10
    fine: bool = False

    @property
    def plus_minus(self) -> str:
        """The sign before a standard error."""
        return "±" if self.symbols else "+/-"

    def suit(self, suit: Suit) -> str:
        """Return the sign of a suit."""
        return (SUIT_SYMBOLS if self.symbols else SUIT_LETTERS)[suit]

    def card(self, card: Card) -> str:
        """Return the name of a card type, rank first."""
        return RANK_LETTERS[card % 6] + self.suit(card // 6)

    def hand(self, hand: Hand) -> str:
        """Return a hand, suit by suit."""
        return format_hand(hand, style="symbols" if self.symbols else "ascii")

    def points(self, points: int) -> str:
        """Return exact points on the scale of the table."""
        if self.scale == 10:
            return self._signed(f"{points}")
        return self._signed(f"{points / 10:g}")

    def points_about(self, points: float) -> str:
        """Return a place on an axis of points.

        >>> Look().points_about(-2.5), Look(scale=1).points_about(250.0)
        ('−2.5', '25')
        """
        return self._signed(f"{points * self._unit:g}")

    def mean(self, mean: float, se: float) -> str:
        """Return a mean in points, rounded to what its standard error supports."""
        unit = self._unit
        return self._signed(_rounded(mean * unit, se * unit, self._places, trim=self.fine))

    def error(self, se: float) -> str:
        """Return a standard error in points."""
        return _error(se * self._unit, self._places)

    def estimate(self, value: Estimate) -> str:
        """Return mean and standard error in points.

        >>> Look().estimate((342.44, 12.7))
        '340 ± 13'
        """
        mean, se = value
        return f"{self.mean(mean, se)} {self.plus_minus} {self.error(se)}"

    def gap(self, value: Estimate) -> str:
        """Return by how much one thing is behind another, to a tenth where that is known.

        What is clear but too small to show is not shown as nothing.

        >>> Look().gap((0.42, 0.13)), Look().gap((24.31, 1.2)), Look().gap((-0.3, 0.5))
        ('0.4 ± 0.1', '24 ± 1.2', '−0.3 ± 0.5')
        >>> Look().gap((0.04, 0.01)), Look().gap((0.04, 0.03)), Look().gap((0.0, 0.0))
        ('<0.1', '0.0 ± <0.1', '0')
        """
        mean, se = value
        if mean == se == 0:
            return "0"
        text = replace(self, fine=True).mean(mean, se)
        if not text.strip("0.") and mean > 2 * se:
            return f"<{0.1 * self._unit:g}"
        return f"{text} {self.plus_minus} {self.error(se)}"

    def worth(self, value: Estimate) -> str:
        """Return a difference in points, with its sign.

        >>> Look().worth((7.3, 3.0)), Look(symbols=False).worth((-7.3, 3.0))
        ('+7 ± 3.0', '-7 +/- 3.0')
        """
        mean, se = value
        text = self.mean(mean, se)
        plus = "+" if mean > 0 and text.strip("0.") else ""
        return f"{plus}{text} {self.plus_minus} {self.error(se)}"

    def share(self, value: Estimate, samples: int | None = None) -> str:
        """Return a chance in percent, rounded to what its standard error supports.

        Parameters
        ----------
        value : Estimate
        samples : int, optional
            Deals behind it. What always or never happened in few deals is not yet certain: with
            95% confidence its chance is within 3 / samples of that (rule of three).

        >>> Look().share((0.5812, 0.006)), Look().share((0.9991, 0.0003)), Look().share((1.0, 0.0))
        ('58%', '>99%', '100%')
        >>> Look().share((1.0, 0.0), 60), Look().share((0.0, 0.0), 60)
        ('>95%', '<5%')
        """
        mean, se = value
        text = _rounded(100 * mean, 100 * se, 0)
        if samples and se == 0 and 600 > samples > 3:
            margin = math.ceil(300 / samples)
            return f">{100 - margin}%" if mean == 1 else f"<{margin}%" if mean == 0 else f"{text}%"
        if text == "100" and mean < 1:
            return ">99%"
        return "<1%" if text == "0" and mean > 0 else f"{text}%"

    def share_with_error(self, value: Estimate, samples: int | None = None) -> str:
        """Return a chance and its standard error in percent.

        >>> Look().share_with_error((0.5812, 0.006)), Look().share_with_error((1.0, 0.0))
        ('58% ± 0.6%', '100%')
        """
        text = self.share(value, samples)
        if value[1] == 0 or text in ("<1%", ">99%"):
            return text
        error = _error(100 * value[1], 0)
        return f"{text} {self.plus_minus} {error}" + ("" if error == "?" else "%")

    def text(self, text: str) -> str:
        r"""Return a text that somebody wrote; where there are no symbols, in plain letters.

        >>> Look(symbols=False).text("café")
        'caf\\xe9'
        """
        return text if self.symbols else text.encode("ascii", "backslashreplace").decode()

    def games(self, value: Estimate) -> str:
        """Return a chance to win the game, or a difference of two, to a tenth of a percent.

        >>> Look().games((0.5204, 0.0008))
        '52.0% ± 0.1%'
        """
        mean, se = value
        error = "?" if math.isnan(se) else f"{100 * se:.1f}%"
        return f"{100 * mean:.1f}% {self.plus_minus} {error}"

    @property
    def _unit(self) -> float:
        return 0.1 if self.scale == 1 else 1.0

    @property
    def _places(self) -> int:
        return (1 if self.scale == 1 else 0) + self.fine

    def _signed(self, text: str) -> str:
        return text.replace("-", "−") if self.symbols else text


def _rounded(value: float, se: float, places: int, *, trim: bool = False) -> str:
    """Round to the place of the error's first digit, but to no more than `places` decimals.

    All are shown, unless those beyond that digit are to be trimmed.
    """
    if math.isnan(se):
        digits = places - 1
    elif se <= 0:
        digits = places
    else:
        digits = min(places, -math.floor(math.log10(se)))
    text = f"{round(value, digits):.{max(digits, 0) if trim else places}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def _error(se: float, places: int) -> str:
    """Return a standard error with two digits, the second no finer than a tenth of the unit."""
    if math.isnan(se):
        return "?"
    if se == 0:
        return "0"
    digits = min(places + 1, 1 - math.floor(math.log10(se)))
    text = f"{round(se, digits):.{max(digits, 0)}f}"
    return text if text.strip("0.") else f"<{10.0**-digits:.{digits}f}"


def file_look(look: Look) -> Look:
    """Return the look of what is written to a file: that of a screen nobody sits at.

    >>> file_look(Look(symbols=False, bold=True, width=132))
    Look(symbols=False, bold=False, width=80, scale=10, fine=False)
    """
    return replace(look, bold=False, width=PLAIN_WIDTH)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it must be.

    >>> counted(1, "deal"), counted(6912, "deal")
    ('1 deal', '6,912 deals')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def too_few(deals: int) -> str:
    """Return what is to be said of a comparison of so few deals, to stand after its answer.

    >>> too_few(99), too_few(100)
    (' So few deals settle nothing.', '')
    """
    return " So few deals settle nothing." if deals < FEW_DEALS else ""
