"""Drawings for the page: an SVG element that stands inside HTML, its axes and its labels.

Why not a library of charts. The page needs drawings that are part of it, with real text, a title
and a description for those who hear it, error bands, no script, and colours that change with the
reader's light or dark setting. Tried on one curve with its band: matplotlib (35 MB and 1.4 s to
start) and altair with vl-convert (94 MB, 1.5 s) write their colours into every element, so light
and dark take two copies of each drawing; pygal (1.3 MB) has no bands and brings its own style of
18 colours; plotly and bokeh draw by script, or need a browser to save. None writes ``role`` and
``desc``. What is needed of them is this file.

Elements are made by `xml.etree.ElementTree`, so any text in them is escaped. How they look is said
in ``page/style.css`` by the names of classes: ``s0`` to ``s3`` are the four kinds of line and fill,
which differ by dashes and marks as well as by colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

# Drawn for a phone's width; on wider screens the whole grows a little.
WIDTH: Final = 400
# Room that a character of a label takes, on average, in the drawing's units; digits take more.
CHARACTER: Final = 8.0
DIGIT: Final = 9.5
# Half of the widest number under an axis.
MARGIN: Final = 22
_MARKS: Final = 4

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight map from values to places in the drawing.

    >>> Scale(250, 350, 0, 200)(300)
    100.0
    """

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        span = self.high - self.low or 1.0
        return self.start + (value - self.low) / span * (self.stop - self.start)


def ticks(low: float, high: float, most: int, least_step: float = 0.0) -> list[float]:
    """Return round numbers from `low` to `high`, at most `most` of them.

    >>> ticks(250, 520, 6)
    [250.0, 300.0, 350.0, 400.0, 450.0, 500.0]
    >>> ticks(-3, 3, 4, 10)
    [0.0]
    """
    span = max(high - low, 1e-9)
    size = 10.0 ** math.floor(math.log10(span / most))
    steps = (size * factor for factor in (1, 2, 2.5, 5, 10, 20, 25, 50))
    for step in steps:
        step = max(step, least_step)
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        if last - first < most:
            return [float(number * step) for number in range(first, last + 1)]
    raise AssertionError("one of the steps is as wide as the span")


class Drawing:
    """An SVG element with title and description, to which shapes are added.

    Parameters
    ----------
    name : str
        Prefix of the ids; each drawing of a page has its own.
    height : float
    title, description : str
        What it shows, and what can be seen in it, for those who do not see it.

    >>> drawing = Drawing("d", 50, "Nothing", "an <empty> drawing")
    >>> drawing.text(0, 10, "a < b")
    >>> str(drawing).partition("</desc>")[2]
    '<text x="0" y="10">a &lt; b</text></svg>'
    """

    def __init__(self, name: str, height: float, title: str, description: str) -> None:
        self.name, self.height = name, height
        self._root = ElementTree.Element(
            "svg",
            {
                "viewBox": f"0 0 {WIDTH} {_number(height)}",
                "role": "img",
                "aria-labelledby": f"{name}-title {name}-desc",
            },
        )
        ElementTree.SubElement(self._root, "title", {"id": f"{name}-title"}).text = title
        ElementTree.SubElement(self._root, "desc", {"id": f"{name}-desc"}).text = description

    def __str__(self) -> str:
        return ElementTree.tostring(self._root, encoding="unicode", short_empty_elements=False)

    def add(self, tag: str, kind: str = "", text: str | None = None, **attributes: object) -> None:
        """Add an element of a class; ``_`` in the name of an attribute stands for ``-``."""
        shown = {"class": kind} if kind else {}
        for name, value in attributes.items():
            shown[name.replace("_", "-")] = (
                _number(value) if isinstance(value, int | float) else str(value)
            )
        ElementTree.SubElement(self._root, tag, shown).text = text

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Write a text; the classes ``mid`` and ``end`` set where it stands about the place."""
        self.add("text", kind, text, x=x, y=y)

    def line(self, start: Point, stop: Point, kind: str) -> None:
        """Draw a straight line."""
        self.add("line", kind, x1=start[0], y1=start[1], x2=stop[0], y2=stop[1])

    def box(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Draw a rectangle; a negative width or height goes the other way."""
        left, top = min(x, x + width), min(y, y + height)
        self.add("rect", kind, x=left, y=top, width=abs(width), height=abs(height))

    def path(self, points: Iterable[Point], kind: str) -> None:
        """Draw a line through points."""
        self.add("polyline", kind, points=_points(points))

    def area(self, points: Iterable[Point], kind: str) -> None:
        """Fill the inside of a line through points."""
        self.add("polygon", kind, points=_points(points))

    def mark(self, x: float, y: float, shape: int, kind: str) -> None:
        """Draw a mark: circle, square, diamond or triangle."""
        r = 3.6
        if shape % _MARKS == 0:
            self.add("circle", kind, cx=x, cy=y, r=r)
        elif shape % _MARKS == 1:
            self.box(x - r, y - r, 2 * r, 2 * r, kind)
        elif shape % _MARKS == 2:
            q = 1.4 * r
            self.area([(x, y - q), (x + q, y), (x, y + q), (x - q, y)], kind)
        else:
            q = 1.3 * r
            self.area([(x, y - q), (x + q, y + q), (x - q, y + q)], kind)

    def whiskers(self, scale: Scale, low: float, high: float, y: float, kind: str) -> None:
        """Draw a range on a horizontal scale, closed at both ends."""
        self.line((scale(low), y), (scale(high), y), kind)
        for value in (low, high):
            self.line((scale(value), y - 4), (scale(value), y + 4), kind)

    def below(
        self, scale: Scale, values: Sequence[float], y: float, shown: Callable[[float], str]
    ) -> None:
        """Write the values of a horizontal scale under a line at `y`."""
        self.line((scale.start, y), (scale.stop, y), "axis")
        for value in values:
            self.line((scale(value), y), (scale(value), y + 4), "axis")
            self.text(scale(value), y + 19, shown(value), "mid tick")

    def aside(
        self,
        scale: Scale,
        values: Sequence[float],
        left: float,
        right: float,
        shown: Callable[[float], str],
    ) -> None:
        """Write the values of a vertical scale to the left, with a thin line across at each."""
        for value in values:
            self.line((left, scale(value)), (right, scale(value)), "grid")
            self.text(left - 5, scale(value) + 4, shown(value), "end tick")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
