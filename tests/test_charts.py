"""Charts: what is drawn is where the numbers say, and drawn so that colour is not needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice import BidAdvice
from advisor.report.charts import Dot, Guide, Panel, Part, Series, curves, dots, histograms, sums
from advisor.report.html import Figure, Page
from advisor.report.html_bid import bid_page
from advisor.report.svg import WIDTH, Drawing, Scale, ticks

Element = ElementTree.Element


def tree(drawing: Drawing) -> Element:
    return ElementTree.fromstring(str(drawing))


def of(drawing: Drawing, tag: str, kind: str) -> Iterator[Element]:
    for item in tree(drawing).iter(tag):
        if set(kind.split()) <= set(item.get("class", "").split()):
            yield item


def points(item: Element) -> list[tuple[float, float]]:
    pairs = (item.get("points") or "").split()
    return [(float(x), float(y)) for x, _, y in (pair.partition(",") for pair in pairs)]


def figure(page: Page, heading: str) -> Drawing:
    section = next(item for item in page.sections if item.heading == heading)
    return next(block.drawing for block in section.blocks if isinstance(block, Figure))


@given(low=st.floats(-1e4, 1e4), span=st.floats(0.01, 1e4), most=st.integers(2, 12))
def test_ticks_are_round_and_within(low: float, span: float, most: int) -> None:
    found = ticks(low, low + span, most)
    assert 0 <= len(found) <= most
    assert all(low - 1e-6 * span <= x <= low + span + 1e-6 * span for x in found)
    steps = {round(b - a, 9) for a, b in pairwise(found)}
    assert len({round(step / span, 6) for step in steps}) <= 1


def test_there_are_enough_ticks() -> None:
    for low, high in ((250, 520), (0, 1), (-600, 210), (51.4, 52.3), (250, 300)):
        assert 3 <= len(ticks(low, high, 6)) <= 6


def test_a_curve_goes_through_its_points_inside_its_band() -> None:
    series = Series("one", 2, ((250, 0.9, 0.01), (260, 0.5, 0.05), (270, 0.1, 0.0)))
    drawing = curves(
        "c", "t", "d", [series], below=str, aside=str, axis="bid", bounds=(0.0, 1.0), height=200
    )
    (line,) = of(drawing, "polyline", "line s2")
    (band,) = of(drawing, "polygon", "band s2")
    places, edge = points(line), points(band)
    bottom = places[0][1] + 0.9 * 200
    assert [y for _, y in places] == pytest.approx([bottom - 200 * p for p in (0.9, 0.5, 0.1)])
    xs = [x for x, _ in places]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.1)
    # Two standard errors up, and back two standard errors down.
    upper, lower = edge[:3], edge[:2:-1]
    assert [y for _, y in upper] == pytest.approx([bottom - 200 * p for p in (0.92, 0.6, 0.1)])
    assert [y for _, y in lower] == pytest.approx([bottom - 200 * p for p in (0.88, 0.4, 0.1)])
    assert [x for x, _ in upper] == xs


def test_lines_differ_by_more_than_colour() -> None:
    made = [Series(f"n{i}", i, ((0, 0.1 * i, 0.01), (1, 0.2 * i, 0.01))) for i in range(4)]
    drawing = curves("c", "t", "d", made, below=str, aside=str, axis="x")
    for kind in range(4):
        marks = [item for item in tree(drawing).iter() if item.get("class") == f"mark s{kind}"]
        # One in the legend and some on the line, all of a shape.
        assert len(marks) >= 2
        shapes = {(item.tag, len(points(item))) for item in marks}
        assert shapes == {[("circle", 0), ("rect", 0), ("polygon", 4), ("polygon", 3)][kind]}


def test_a_guide_near_the_right_end_has_its_name_on_the_left() -> None:
    made = [Series("n", 0, ((250, 0.5, 0.01), (500, 0.2, 0.01)))]
    guides = [Guide(255, "early bid"), Guide(499, "late bid"), Guide(900, "out of sight")]
    drawing = curves("c", "t", "d", made, below=str, aside=str, axis="x", guides=guides)
    early, late = of(drawing, "text", "strong")
    assert "end" not in (early.get("class") or "")
    assert "end" in (late.get("class") or "").split()
    assert len(list(of(drawing, "line", "guide"))) == 2


def test_bars_of_histograms_are_as_high_as_their_shares() -> None:
    panels = [Panel("a", "x", 0, 200, (0.1, 0.4, 0.0)), Panel("b", "y", 1, 250, (0.2,))]
    bid = Guide(250, "bid")
    drawing = histograms("h", "t", "d", panels, 50, bid, below=str, axis="points")
    first, full, none = [
        item for item in tree(drawing).iter("rect") if "s0" in item.get("class", "")
    ]
    (other,) = [item for item in tree(drawing).iter("rect") if "s1" in item.get("class", "")]
    heights = [float(item.get("height", "")) for item in (first, full, none, other)]
    assert heights == pytest.approx([heights[1] / 4, heights[1], 0, heights[1] / 2], abs=0.1)
    kinds = [item.get("class") for item in (first, full, other)]
    assert kinds == ["missed s0", "made s0", "made s1"]
    # Both stand on their own floor, and the same points are at the same place.
    assert float(full.get("x", "")) == float(other.get("x", ""))
    marks = list(of(drawing, "line", "guide"))
    assert len(marks) == 2
    assert float(marks[0].get("x1", "")) == pytest.approx(float(full.get("x", "")) - 0.5)


def test_bars_of_a_sum_follow_each_other() -> None:
    ours = [Part("a", 100, "100"), Part("b", -40, "-40"), Part("all", 60, "60", is_sum=True)]
    drawing = sums("s", "t", "d", [ours])
    a, b, total = list(tree(drawing).iter("rect"))

    def ends(item: Element) -> tuple[float, float]:
        start = float(item.get("x", ""))
        return start, start + float(item.get("width", ""))

    zero, hundred = ends(a)
    assert ends(b) == pytest.approx((zero + 0.6 * (hundred - zero), hundred), abs=0.2)
    assert ends(total) == pytest.approx((zero, zero + 0.6 * (hundred - zero)), abs=0.2)
    assert "made" in (total.get("class") or "")
    assert "missed" in (a.get("class") or "")


def test_dots_are_within_their_ranges() -> None:
    made = [Dot("a", 2, 1, 3, "2"), Dot("b", -1, -4, 2, "-1", best=True)]
    drawing = dots("d", "t", "d", made, below=str, axis="points")
    spans = [item for item in of(drawing, "line", "whisker") if item.get("y1") == item.get("y2")]
    marks = list(of(drawing, "circle", "mark"))
    zeros = {float(item.get("x1", "")) for item in of(drawing, "line", "zero")}
    assert len(zeros) == 1
    zero = zeros.pop()
    for span, mark, item in zip(spans, marks, made, strict=True):
        low, high = float(span.get("x1", "")), float(span.get("x2", ""))
        unit = (high - low) / (item.high - item.low)
        assert float(mark.get("cx", "")) == pytest.approx(zero + unit * item.value, abs=0.3)
    assert "b" in [item.text for item in of(drawing, "text", "strong")]


def test_dots_without_a_sign_need_no_zero() -> None:
    made = [Dot("a", 0.52, 0.519, 0.521, "52%"), Dot("b", 0.51, 0.509, 0.511, "51%")]
    drawing = dots("d", "t", "d", made, below=str, axis="chance", zero=False)
    first, second = of(drawing, "circle", "mark")
    assert float(first.get("cx", "")) - float(second.get("cx", "")) > WIDTH / 2
    assert list(of(drawing, "line", "zero")) == []
    single = [Dot("a", 0.5, 0.5, 0.5, "50%")]
    (mark,) = of(dots("d", "t", "d", single, below=str, axis="x", zero=False), "circle", "mark")
    assert 0 < float(mark.get("cx", "")) < WIDTH


def test_text_in_a_drawing_is_escaped() -> None:
    drawing = Drawing("d", 10, "<b>", '"&')
    drawing.text(0, 0, "</svg><script>")
    assert "<b>" not in str(drawing)
    assert "<script" not in str(drawing)
    assert [item.text for item in tree(drawing)] == ["<b>", '"&', "</svg><script>"]


def test_curves_of_an_advice_are_its_chances(clear_advice: BidAdvice) -> None:
    drawing = figure(bid_page(clear_advice, "x"), "How likely each bid is made")
    lines = list(of(drawing, "polyline", "line"))
    assert len(lines) == len(clear_advice.trumps)
    best = clear_advice.best
    places = points(lines[0])
    y = Scale(
        best.p_make[250].mean, best.p_make[380].mean, places[0][1], places[13][1]
    )  # both ends of a straight map
    for number, (_, at) in enumerate(places):
        assert at == pytest.approx(y(best.p_make[250 + 10 * number].mean), abs=0.15)


def test_the_histogram_of_an_advice_is_full_from_the_bid(clear_advice: BidAdvice) -> None:
    drawing = figure(bid_page(clear_advice, "x"), "What the team scores")
    bars = [item for item in tree(drawing).iter("rect") if "s0" in item.get("class", "")]
    full = sum(float(item.get("height", "")) for item in bars if "made" in item.get("class", ""))
    every = sum(float(item.get("height", "")) for item in bars)
    found, bid = clear_advice.best.histogram, clear_advice.suggestion.bid
    assert bid is not None
    # Half a percent at either end is not drawn.
    assert full / every == pytest.approx(found.at_least(bid) / found.total, abs=0.012)


def test_letting_go_is_the_defence_a_step_below(clear_advice: BidAdvice) -> None:
    drawing = figure(bid_page(clear_advice, "x"), "Take it or let it go")
    take, let_go = (points(item) for item in of(drawing, "polyline", "line"))
    # The first bid has no step below it.
    assert let_go[0][0] == take[1][0]
    assert len(let_go) == len(take) - 1
    best, defend = clear_advice.best, clear_advice.decision.defend
    y = Scale(best.take[250].mean, best.take[260].mean, take[0][1], take[1][1])
    assert let_go[0][1] == pytest.approx(y(defend[250].mean), abs=2.0)
    assert let_go[3][1] == pytest.approx(y(defend[280].mean), abs=2.0)
