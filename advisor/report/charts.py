"""The kinds of charts on the pages: curves with bands, histograms, sums as bars, dots with ranges.

They know nothing of pinochle. Bands and ranges are two standard errors to either side, which the
captions say; one would be too thin to see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from advisor.report.svg import CHARACTER, DIGIT, MARGIN, WIDTH, Drawing, Scale, ticks

ERRORS: Final = 2.0
_RIGHT: Final = WIDTH - MARGIN
_LEGEND_LINE: Final = 20

Shown = Callable[[float], str]


def reach(se: float) -> float:
    """Return how far a range goes to either side; nowhere, where there is no standard error.

    >>> reach(1.5), reach(float("nan"))
    (3.0, 0.0)
    """
    return 0.0 if math.isnan(se) else ERRORS * se


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its name, its kind (0 to 3), and x, mean and standard error of its points."""

    label: str
    kind: int
    points: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """A place on the horizontal axis that has a name."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A histogram: its name, what stands beside it, where it begins, the share in each bin."""

    label: str
    remark: str
    kind: int
    start: float
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A bar of a sum: what it adds, how that is written, and whether it is the sum itself."""

    label: str
    value: float
    text: str
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its range, how it is written, and whether it is the one that is advised."""

    label: str
    value: float
    low: float
    high: float
    text: str
    best: bool = False
    kind: int = 0


def _legend_places(series: Sequence[Series], top: float) -> list[tuple[float, float]]:
    """Return where the name of each series begins, in as many lines as they need."""
    places: list[tuple[float, float]] = []
    x, y = 6.0, top
    for item in series:
        width = 46 + CHARACTER * len(item.label)
        if places and x + width > WIDTH:
            x, y = 6.0, y + _LEGEND_LINE
        places.append((x, y))
        x += width
    return places


def _name_of(drawing: Drawing, guide: Guide, x: float, y: float) -> None:
    """Write the name of a place on the side of its line that has room."""
    if x + 4 + CHARACTER * len(guide.label) <= WIDTH:
        drawing.text(x + 4, y, guide.label, "strong")
    else:
        drawing.text(x - 4, y, guide.label, "end strong")


def curves(
    name: str,
    title: str,
    description: str,
    series: Sequence[Series],
    *,
    below: Shown,
    aside: Shown,
    axis: str,
    guides: Sequence[Guide] = (),
    bounds: tuple[float, float] | None = None,
    height: float = 190,
) -> Drawing:
    """Return lines over a common horizontal axis, each with its band.

    Parameters
    ----------
    name, title, description : str
    series : sequence of Series
    below, aside : callable
        How values of the two axes are written.
    axis : str
        What the horizontal axis shows.
    guides : sequence of Guide
        Those beyond the points are left out.
    bounds : tuple of float, optional
        Of the vertical axis; by default the range of the values.
    height : float
        Of the area of the lines.
    """
    points = [point for item in series for point in item.points]
    xs = [x for x, _, _ in points]
    guides = [guide for guide in guides if min(xs) <= guide.at <= max(xs)]
    low, high = bounds or (
        min(mean - reach(se) for _, mean, se in points),
        max(mean + reach(se) for _, mean, se in points),
    )
    if bounds is None:
        low, high = min(low, 0.0), max(high, 0.0)
    values = ticks(low, high, 6)
    left = 10 + DIGIT * max(len(aside(value)) for value in values)
    places = _legend_places(series, 10)
    top = places[-1][1] + 2 + _LEGEND_LINE + (14 if guides else 0)
    drawing = Drawing(name, top + height + 46, title, description)
    for item, (start, middle) in zip(series, places, strict=True):
        drawing.line((start, middle), (start + 26, middle), f"line s{item.kind}")
        drawing.mark(start + 13, middle, item.kind, f"mark s{item.kind}")
        drawing.text(start + 32, middle + 4, item.label)
    bottom = top + height
    x = Scale(min(xs), max(xs), left + 6, _RIGHT)
    y = Scale(low, high, bottom, top)
    drawing.aside(y, values, left, _RIGHT, aside)
    drawing.below(x, ticks(min(xs), max(xs), 6), bottom, below)
    drawing.text((left + _RIGHT) / 2, bottom + 38, axis, "mid tick")
    if low < 0 < high:
        drawing.line((left, y(0)), (_RIGHT, y(0)), "zero")
    for item in series:
        upper = [(x(at), y(min(mean + reach(se), high))) for at, mean, se in item.points]
        lower = [(x(at), y(max(mean - reach(se), low))) for at, mean, se in item.points]
        drawing.area([*upper, *reversed(lower)], f"band s{item.kind}")
    for guide in guides:
        drawing.line((x(guide.at), top - 12), (x(guide.at), bottom), "guide")
        _name_of(drawing, guide, x(guide.at), top - 4)
    for item in series:
        drawing.path([(x(at), y(mean)) for at, mean, _ in item.points], f"line s{item.kind}")
        # Marks that do not touch, at other places for each line.
        every = max(1, round(len(item.points) / 9))
        for at, mean, _ in item.points[item.kind % every :: every]:
            drawing.mark(x(at), y(mean), item.kind, f"mark s{item.kind}")
    return drawing


def histograms(
    name: str,
    title: str,
    description: str,
    panels: Sequence[Panel],
    width: float,
    bid: Guide,
    *,
    below: Shown,
    axis: str,
) -> Drawing:
    """Return histograms one above the other over the same axis, with one place marked in all.

    Parameters
    ----------
    name, title, description : str
    panels : sequence of Panel
    width : float
        Of a bin, on the axis.
    bid : Guide
        Bins from here on are full, those below are light; marked where it has a name.
    below : callable
        How values of the axis are written.
    axis : str
        What the axis shows.
    """
    each, first = 74.0, 20.0 if bid.label else 0.0
    low = min(panel.start for panel in panels)
    high = max(panel.start + width * len(panel.shares) for panel in panels)
    low, high = min(low, bid.at), max(high, bid.at)
    most = max(share for panel in panels for share in panel.shares)
    bottom = first + each * len(panels)
    drawing = Drawing(name, bottom + 48, title, description)
    x = Scale(low, high, MARGIN, _RIGHT)
    for number, panel in enumerate(panels):
        floor = first + each * (number + 1)
        tall = Scale(0, most, 0, each - 24)
        for i, share in enumerate(panel.shares):
            start = panel.start + width * i
            kind = "made" if start >= bid.at else "missed"
            size = x(start + width) - x(start) - 1
            drawing.box(x(start) + 0.5, floor, size, -tall(share), f"{kind} s{panel.kind}")
        drawing.line((x.start, floor), (x.stop, floor), "axis")
        drawing.text(x.start, floor - each + 16, panel.label, "strong")
        drawing.text(x.stop, floor - each + 16, panel.remark, "end")
        if bid.label:
            drawing.line((x(bid.at), floor - each + 22), (x(bid.at), floor), "guide")
    if bid.label:
        _name_of(drawing, bid, x(bid.at), 12)
    # Between the edges of a bin there is nothing to read.
    drawing.below(x, ticks(low, high, 6, width), bottom + 4, below)
    drawing.text(WIDTH / 2, bottom + 42, axis, "mid tick")
    return drawing


def sums(name: str, title: str, description: str, groups: Sequence[Sequence[Part]]) -> Drawing:
    """Return bars that begin where the one above ended, and under each group its sum from 0 on."""
    row, between = 24.0, 10.0
    parts = [part for group in groups for part in group]
    labels = 10 + CHARACTER * max(len(part.label) for part in parts)
    figures = 8 + DIGIT * max(len(part.text) for part in parts)
    ends = [0.0]
    for group in groups:
        total = 0.0
        for part in group:
            total = part.value if part.is_sum else total + part.value
            ends.append(total)
    x = Scale(min(ends), max(ends), labels, WIDTH - figures - 4)
    height = row * len(parts) + between * (len(groups) - 1) + 8
    drawing = Drawing(name, height, title, description)
    y = 4.0
    for kind, group in enumerate(groups):
        total = 0.0
        for part in group:
            start = 0.0 if part.is_sum else total
            total = start + part.value
            drawing.text(4, y + 16, part.label, "strong" if part.is_sum else "")
            fill = "made" if part.is_sum else "missed"
            drawing.box(x(start), y + 4, x(total) - x(start), 15, f"{fill} s{kind}")
            drawing.text(WIDTH - 4, y + 16, part.text, "end strong" if part.is_sum else "end")
            y += row
        drawing.line((x(0), y - row * len(group)), (x(0), y), "axis")
        y += between
    return drawing


def dots(
    name: str,
    title: str,
    description: str,
    items: Sequence[Dot],
    *,
    below: Shown,
    axis: str,
    zero: bool = True,
) -> Drawing:
    """Return a line for each value: its name and figure, under them its place and its range.

    Parameters
    ----------
    name, title, description : str
    items : sequence of Dot
    below : callable
        How values of the axis are written.
    axis : str
        What the axis shows.
    zero : bool
        Whether 0 is on it, as it must be for what has a sign.
    """
    row = 42.0
    low, high = min(item.low for item in items), max(item.high for item in items)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    elif high - low < 1e-9:
        low, high = low - 0.01, high + 0.01
    bottom = row * len(items) + 6
    drawing = Drawing(name, bottom + 48, title, description)
    x = Scale(low, high, MARGIN, _RIGHT)
    for number, item in enumerate(items):
        y = row * number + 30
        if zero:
            drawing.line((x(0), y - 9), (x(0), y + 9), "zero")
        strong = "strong" if item.best else ""
        drawing.text(4, y - 13, item.label, strong)
        drawing.text(WIDTH - 4, y - 13, item.text, f"end {strong}".rstrip())
        drawing.whiskers(x, item.low, item.high, y, f"whisker s{item.kind}")
        drawing.mark(x(item.value), y, item.kind, f"mark s{item.kind}")
    drawing.below(x, ticks(low, high, 5), bottom, below)
    drawing.text(WIDTH / 2, bottom + 38, axis, "mid tick")
    return drawing
