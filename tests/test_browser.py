"""Pages in Chromium, narrow and wide, light and dark: nothing runs over, pales, loads or runs.

Needs Chromium with its driver (Debian: chromium, chromium-driver) and selenium; without them the
tests are skipped, or fail where ``REQUIRE_BROWSER`` is set. ``SCREENSHOTS=folder`` keeps pictures.
"""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from made_up_pages import (
    a_league,
    batch_page,
    hostile_page,
    ids_page,
    in_an_auction,
    jumps_page,
    page_of_bid,
    page_of_calls,
)

from advisor.report.html import Page, render

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
REQUIRED = bool(os.environ.get("REQUIRE_BROWSER"))
pytestmark = pytest.mark.browser

LEAST_CONTRAST = 4.5
LEAST_CONTRAST_OF_LINES = 3.0
LEAST_TEXT = 10.5

# Effective colours of every text, and what is behind it.
COLOURS = """
const back = node => {
  for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    if (!/, 0\\)$|transparent/.test(colour)) return colour;
  }
  return getComputedStyle(document.body).backgroundColor;
};
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || !node.getClientRects().length) continue;
  if (['SCRIPT', 'STYLE', 'title', 'desc'].includes(node.tagName)) continue;
  const style = getComputedStyle(node);
  const colour = node.closest('svg') ? style.fill : style.color;
  const size = node.closest('svg')
    ? parseFloat(style.fontSize) * node.getScreenCTM().a : parseFloat(style.fontSize);
  found.push([walk.currentNode.data.trim().slice(0, 40), colour, back(node), size]);
}
return found;
"""
LINES = """
return [...document.querySelectorAll('svg .line, svg .whisker, svg .made')].map(node => {
  const style = getComputedStyle(node);
  const colour = style.stroke === 'none' ? style.fill : style.stroke;
  return [colour, getComputedStyle(node.closest('section')).backgroundColor];
});
"""
BOXES = """
const box = node => {
  const r = node.getBoundingClientRect();
  return [r.left, r.top, r.right, r.bottom];
};
return [...document.querySelectorAll('svg')].map(svg =>
  [box(svg), [...svg.querySelectorAll('text')].map(text => [text.textContent, box(text)])]);
"""
TOO_WIDE = """
return [...document.body.querySelectorAll('*')].filter(node => !node.closest('.scroll > *')
    && !node.closest('.name') && node.getBoundingClientRect().right > innerWidth + 0.5)
  .map(node => node.tagName + ' ' + node.className);
"""
Colour = tuple[float, float, float]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return Chromium without a window."""
    if not (CHROMIUM and DRIVER) and not REQUIRED:
        pytest.skip("no Chromium with its driver")
    if not REQUIRED:
        pytest.importorskip("selenium")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    assert CHROMIUM, "no Chromium"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    # In a container there is often neither a sandbox nor much shared memory.
    for flag in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def league() -> Page:
    return a_league()


PAGES = (
    "clear",
    "pass",
    "tied",
    "one_deal",
    "auction",
    "hostile",
    "ids",
    "calls",
    "jumps",
    "batch",
    "league",
)


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a file with a page of each kind."""
    name: str = request.param

    def advice(of: str) -> Any:
        return request.getfixturevalue(f"{of}_advice")

    made: dict[str, Callable[[], Page]] = {
        "auction": lambda: page_of_bid(in_an_auction(advice("clear"))),
        "hostile": lambda: hostile_page(advice("clear")),
        "ids": ids_page,
        "calls": lambda: page_of_calls(advice("clear")),
        "jumps": jumps_page,
        "batch": batch_page,
        "league": lambda: request.getfixturevalue("league"),
    }
    chosen = made.get(name, lambda: page_of_bid(advice(name)))
    path = tmp_path / f"{name}.html"
    path.write_text(render(chosen()), encoding="utf-8")
    return path


def show(browser: Any, path: Path, width: int, scheme: str, media: str = "screen") -> None:
    """Open a page as a screen of this width and setting shows it."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [feature]})
    browser.get(path.as_uri())
    keep(browser, f"{path.stem}_{width}_{scheme}_{media}")


def keep(browser: Any, name: str) -> None:
    """Save a picture of the whole page where that was asked for."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        return
    clip = browser.execute_script(
        "return {x: 0, y: 0, width: innerWidth,"
        " height: document.documentElement.scrollHeight, scale: 1}"
    )
    picture = browser.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
    )
    Path(folder, f"{name}.png").write_bytes(base64.b64decode(picture["data"]))


def rgb(text: str) -> Colour:
    inside = text[text.index("(") + 1 : text.index(")")].split(",")
    assert len(inside) == 3 or float(inside[3]) == 1, text
    red, green, blue = (float(part) for part in inside[:3])
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it, 1 to 21."""

    def light(colour: Colour) -> float:
        parts = (part / 255 for part in colour)
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(rgb(one)), light(rgb(other))))
    return (high + 0.05) / (low + 0.05)


def overlap(one: list[float], other: list[float]) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    # Boxes of lines of text are higher than their letters.
    return across > 0.5 and down > 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_fits_and_can_be_read(browser: Any, page: Path, width: int, scheme: str) -> None:
    show(browser, page, width, scheme)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script(TOO_WIDE) == []
    texts = browser.execute_script(COLOURS)
    assert len(texts) > 5
    pale = [(text, front, back) for text, front, back, _ in texts
            if contrast(front, back) < LEAST_CONTRAST]  # fmt: skip
    assert pale == []
    assert [(text, size) for text, *_, size in texts if size < LEAST_TEXT] == []
    lines = browser.execute_script(LINES)
    assert [pair for pair in lines if contrast(*pair) < LEAST_CONTRAST_OF_LINES] == []
    assert browser.get_log("browser") == []
    asked = [entry["message"] for entry in browser.get_log("performance")]
    urls = [text for text in asked if '"Network.requestWillBeSent"' in text]
    assert all(page.as_uri() in text or '"url":"data:' in text for text in urls)
    assert browser.title != "run"


@pytest.mark.parametrize("width", [360, 1280])
def test_no_text_of_a_drawing_is_cut_or_covers_another(
    browser: Any, page: Path, width: int
) -> None:
    show(browser, page, width, "light")
    for (left, top, right, bottom), texts in browser.execute_script(BOXES):
        for text, box in texts:
            assert left - 1 <= box[0], text
            assert box[2] <= right + 1, text
            assert top - 2 <= box[1], text
            assert box[3] <= bottom + 2, text
        for (text, box), (other, beside) in combinations(texts, 2):
            assert not overlap(box, beside), (text, other)


def test_a_printed_page_is_light_and_shows_all_figures(browser: Any, page: Path) -> None:
    show(browser, page, 700, "dark", media="print")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 700
    background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert rgb(background) == (255, 255, 255)
    texts = browser.execute_script(COLOURS)
    assert [text for text, front, back, _ in texts if contrast(front, back) < 4.5] == []
    hidden = browser.execute_script(
        "return [...document.querySelectorAll('details table')]"
        ".filter(node => node.getBoundingClientRect().height < 20).length"
    )
    assert hidden == 0


def test_the_colours_follow_the_setting(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(render(jumps_page()), encoding="utf-8")
    backs = []
    for scheme in ("light", "dark"):
        show(browser, path, 1280, scheme)
        backs.append(
            rgb(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
        )
    assert min(backs[0]) > 240
    assert max(backs[1]) < 40
