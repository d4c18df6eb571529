"""Pictures in the terminal: the right lengths, within the screen, the same in letters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor.advice import BidAdvice
from advisor.report.look import Look
from advisor.report.plot import bar, plot
from advisor.report.table import bid_screen

ASCII = Look(symbols=False)
FULL = "█▉▊▋▌▍▎▏"


@pytest.fixture(params=["clear_advice", "pass_advice", "tied_advice", "one_deal_advice"])
def advice(request: pytest.FixtureRequest) -> BidAdvice:
    made: BidAdvice = request.getfixturevalue(request.param)
    return made


def eighths(drawn: str) -> int:
    return sum(8 - FULL.index(char) for char in drawn)


def test_golden(golden: Callable[[str, str], None], clear_advice: BidAdvice) -> None:
    golden("bid_plot", bid_screen(clear_advice, Look(), "advisor bid ...", plot=True))


def test_golden_in_letters(golden: Callable[[str, str], None], pass_advice: BidAdvice) -> None:
    golden("bid_plot_ascii", bid_screen(pass_advice, ASCII, "advisor bid ...", plot=True))


@pytest.mark.parametrize("share", [0.0, 0.001, 0.124, 0.126, 0.5, 0.99, 1.0])
def test_bars_are_as_long_as_their_share(share: float) -> None:
    drawn = bar(share, 40, Look())
    assert eighths(drawn) == (max(1, int(share * 320)) if share else 0)
    assert len(drawn) <= 40
    letters = bar(share, 40, ASCII)
    assert letters == "#" * (max(1, int(share * 40)) if share else 0)


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("scale", [10, 1])
def test_every_line_fits(advice: BidAdvice, width: int, symbols: bool, scale: int) -> None:
    lines = plot(advice, Look(symbols=symbols, width=width, scale=scale))
    assert max(map(len, lines)) <= width
    # The longest bar takes what room there is.
    assert max(map(len, lines)) >= width - 14
    assert not any(line.endswith(" ") for line in lines)
    assert symbols or all(line.isascii() for line in lines)
    assert len(lines) < 60


def rows_of_scores(lines: list[str]) -> list[str]:
    return lines[1 : lines.index("")]


def test_full_bars_are_the_share_that_makes_the_bid(advice: BidAdvice) -> None:
    lines = plot(advice, ASCII)
    full = [line for line in rows_of_scores(lines) if "#" in line]
    light = [line for line in rows_of_scores(lines) if "." in line.split("%")[1]]
    found = advice.best.histogram
    asked = advice.suggestion.bid or advice.rules.minimum
    assert lines[0].endswith(f"the full bars reach {asked}")
    share = 100 * found.at_least(asked) / found.total
    shown = sum(int(line.split("%")[0].split()[-1].strip("<>")) for line in full)
    assert shown == pytest.approx(share, abs=0.6 * len(full) + 1)
    assert not [line for line in light if "#" in line]


def test_the_rows_are_all_the_rounds(advice: BidAdvice) -> None:
    shown = [re.search(r"([<>]?)(\d+)%", line) for line in rows_of_scores(plot(advice, ASCII))]
    known = sum(int(found[2]) for found in shown if found and not found[1])
    assert known == pytest.approx(100, abs=0.5 * len(shown) + 1)


def test_chances_stand_beside_their_names(clear_advice: BidAdvice) -> None:
    lines = plot(clear_advice, Look())
    said = clear_advice.suggestion
    for name in ("safe", "standard", "suggested", "ceiling"):
        line = next(line for line in lines if re.search(rf"\b{name}\b", line))
        assert line.startswith(str(getattr(said, name)))
    last = next(line for line in lines if "ceiling" in line)
    room = eighths("".join(char for char in last if char in FULL))
    sure = eighths("".join(char for char in lines[lines.index("") + 2] if char in FULL))
    best = clear_advice.best
    ratio = best.p_make[said.ceiling].mean / best.p_make[250].mean
    assert room / sure == pytest.approx(ratio, abs=0.01)


def test_a_screen_has_pictures_only_where_asked(advice: BidAdvice) -> None:
    plain = bid_screen(advice, Look(), "x")
    drawn = bid_screen(advice, Look(), "x", plot=True)
    assert "Chance to make each bid" not in plain
    start = drawn.index("Scores with")
    assert drawn[:start] == plain[:start]
    assert "\n".join(plot(advice, Look())) in drawn


def test_other_colours_of_a_terminal_change_nothing(clear_advice: BidAdvice) -> None:
    assert plot(clear_advice, Look(bold=True)) == plot(clear_advice, Look())


def test_all_rounds_beyond_the_bid(clear_advice: BidAdvice) -> None:
    said = replace(clear_advice.suggestion, bid=2000)
    lines = rows_of_scores(plot(replace(clear_advice, suggestion=said), ASCII))
    assert lines[-1].split()[:2] == ["2000", "on"]
    assert "#" not in "".join(lines)
