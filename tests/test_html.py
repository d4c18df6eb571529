"""Pages: what is on them, that they hang together, and that nothing on them runs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree.ElementTree import Element

import pytest
from made_up_pages import (
    COMMAND,
    HOSTILE,
    HOSTILE_NAME,
    a_league,
    batch_page,
    hostile_page,
    ids_page,
    in_an_auction,
    jumps_page,
    page_of_bid,
    page_of_calls,
    summary,
)

from advisor import Hand, Rules
from advisor.advice import BidAdvice
from advisor.errors import OptionError
from advisor.game.meld import score_meld
from advisor.pricing import Estimate
from advisor.report.answer import answer
from advisor.report.data import bid_object, to_json
from advisor.report.html import Page, Section, Texts, page_look, render
from advisor.report.html_batch import summary_page
from advisor.report.html_hand import cards_block

html5lib = pytest.importorskip("html5lib")
pytest.importorskip("jinja2")

ADVICES = ("clear_advice", "pass_advice", "tied_advice", "one_deal_advice")
# Whatever can load, run, send or frame something.
ACTIVE = (
    "img", "iframe", "object", "embed", "video", "audio", "form", "base", "image", "foreignObject",
    "a", "use", "animate", "set", "input", "button",
)  # fmt: skip


def parsed(text: str) -> Element:
    """Return the page as a tree; a page that a browser would have to mend fails."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree: Element = parser.parse(text)
    assert parser.errors == []
    return tree


def local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def find(tree: Element, tag: str) -> list[Element]:
    return [item for item in tree.iter() if local(item) == tag]


def words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def stored(tree: Element) -> object:
    (script,) = find(tree, "script")
    assert script.attrib == {"type": "application/json", "id": "advice"}
    return json.loads(script.text or "")


@pytest.fixture(params=ADVICES)
def advice(request: pytest.FixtureRequest) -> BidAdvice:
    made: BidAdvice = request.getfixturevalue(request.param)
    return made


@pytest.fixture(scope="module")
def league_text() -> str:
    return render(a_league())


@pytest.fixture(params=[*ADVICES, "auction", "hostile", "ids", "calls", "jumps", "batch", "league"])
def page(request: pytest.FixtureRequest) -> str:
    """Return a page of each kind as text."""
    name: str = request.param
    if name == "league":
        text: str = request.getfixturevalue("league_text")
        return text
    if name in ADVICES:
        return render(page_of_bid(request.getfixturevalue(name)))
    clear: BidAdvice = request.getfixturevalue("clear_advice")
    made = {
        "auction": lambda: page_of_bid(in_an_auction(clear)),
        "hostile": lambda: hostile_page(clear),
        "ids": ids_page,
        "calls": lambda: page_of_calls(clear),
        "jumps": jumps_page,
        "batch": batch_page,
    }
    return render(made[name]())


def test_a_page_is_whole_and_ascii(page: str) -> None:
    tree = parsed(page)
    assert page.startswith("<!DOCTYPE html>\n")
    assert page.isascii()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", page)
    assert tree.get("lang") == "en"
    assert words(find(tree, "title")[0])
    assert len(find(tree, "h1")) == 1
    viewport = next(item for item in find(tree, "meta") if item.get("name") == "viewport")
    assert viewport.get("content") == "width=device-width, initial-scale=1"


def test_ids_are_unique_and_every_reference_is_met(page: str) -> None:
    tree = parsed(page)
    ids = [item.get("id") for item in tree.iter() if item.get("id")]
    assert len(ids) == len(set(ids))
    for item in tree.iter():
        for name in (item.get("aria-labelledby") or "").split():
            assert name in ids


def test_nothing_on_a_page_can_run_or_load(page: str) -> None:
    tree = parsed(page)
    assert [local(item) for item in tree.iter() if local(item) in ACTIVE] == []
    assert len(find(tree, "script")) == 1
    assert len(find(tree, "style")) == 1
    for item in tree.iter():
        assert not [name for name in item.attrib if name.lower().startswith("on")]
        assert "style" not in item.attrib
        assert not {"src", "srcset", "action", "data"} & set(item.attrib)
    (link,) = find(tree, "link")
    assert link.attrib == {"rel": "icon", "href": "data:,"}
    style = find(tree, "style")[0].text or ""
    assert "url(" not in style
    assert "@import" not in style
    policy = next(item for item in find(tree, "meta") if item.get("http-equiv"))
    assert "default-src 'none'" in (policy.get("content") or "")


def test_drawings_have_text_title_and_description(page: str) -> None:
    tree = parsed(page)
    for drawing in find(tree, "svg"):
        assert drawing.get("role") == "img"
        assert drawing.get("viewBox")
        title, description = list(drawing)[:2]
        assert (local(title), local(description)) == ("title", "desc")
        assert words(title)
        assert words(description)
        assert drawing.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
        assert [item for item in drawing if local(item) == "text"]


def test_numbers_of_drawings_are_finite(page: str) -> None:
    for drawing in find(parsed(page), "svg"):
        for item in drawing.iter():
            for name, value in item.attrib.items():
                if name in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height"):
                    assert -20 <= float(value) <= 1000, (local(item), name)
                if name == "points":
                    places = [float(number) for number in re.split("[ ,]", value)]
                    assert all(-20 <= place <= 1000 for place in places)


def test_tables_are_rectangles_with_captions_in_boxes_that_scroll(page: str) -> None:
    tree = parsed(page)
    boxes = [item for item in tree.iter() if item.get("class") == "scroll"]
    assert [local(child) for box in boxes for child in box] == ["table"] * len(boxes)
    assert len(find(tree, "table")) == len(boxes)
    for table in find(tree, "table"):
        assert words(find(table, "caption")[0])
        head, *rows = find(table, "tr")
        assert all(local(cell) == "th" and cell.get("scope") == "col" for cell in head)
        for row in rows:
            assert len(row) == len(head)
            assert row[0].get("scope") == "row"


def test_the_answer_is_that_of_the_screen(advice: BidAdvice) -> None:
    look = page_look(advice.rules.scale)
    *remarks, said = answer(advice, look)
    tree = parsed(render(page_of_bid(advice)))
    by_class = {
        name: [words(item) for item in find(tree, "p") if item.get("class") == name]
        for name in ("answer", "remark")
    }
    assert by_class["answer"] == [" ".join(said.split())]
    assert [text for text in by_class["remark"] if text in remarks] == remarks


def test_the_json_is_that_of_the_command(advice: BidAdvice) -> None:
    tree = parsed(render(page_of_bid(advice)))
    assert stored(tree) == json.loads(to_json(bid_object(advice, COMMAND, explain=True)))


def test_the_parts_of_a_page_of_bid(clear_advice: BidAdvice) -> None:
    tree = parsed(render(page_of_bid(clear_advice)))
    headings = [words(item) for item in find(tree, "h2")]
    assert headings == [
        "The hand", "The trumps", "What the team scores", "How likely each bid is made",
        "Take it or let it go", "Where the points come from", "Named bids", "Why",
        "How to get this again",
    ]  # fmt: skip
    assert len(find(tree, "svg")) == 4
    text = words(tree)
    assert COMMAND in text
    facts = dict(zip(map(words, find(tree, "dt")), map(words, find(tree, "dd")), strict=True))
    assert facts["Seed"] == "7"
    assert facts["Deals"] == "6,912, each played three times"
    assert facts["Engine"] == "lite, corrected to real play (version 1)"
    assert facts["Run needs"] == "T♠ J♠"


def test_an_auction_adds_the_calls(clear_advice: BidAdvice) -> None:
    tree = parsed(render(page_of_bid(in_an_auction(clear_advice))))
    assert "The next call" in [words(item) for item in find(tree, "h2")]
    assert len(find(tree, "svg")) == 5
    assert "you 250, left pass, partner 270 (jump), right pass; score 900 to 1100" in words(tree)


def test_the_hand_as_cards(clear_advice: BidAdvice) -> None:
    tree = parsed(render(page_of_bid(clear_advice)))
    cards = [item for item in find(tree, "li") if "card" in (item.get("class") or "").split()]
    assert len(cards) == 12
    framed = [item for item in cards if "melded" in (item.get("class") or "")]
    # A run in spades, and the queen of spades with the jack of diamonds.
    assert [words(item[0]) for item in framed] == [
        "ace of spades, in meld a", "ten of spades, in meld a", "king of spades, in meld a",
        "queen of spades, in meld ab", "jack of spades, in meld a", "jack of diamonds, in meld b",
    ]  # fmt: skip
    melds = next(item for item in find(tree, "ul") if item.get("class") == "melds")
    assert [words(item) for item in melds] == ["a run 150", "b pinochle 40", "in all 190"]
    red = [words(item[0]) for item in cards if "red" in (item.get("class") or "").split()]
    assert len(red) == 4
    assert all("hearts" in name or "diamonds" in name for name in red)


def test_a_hand_without_meld() -> None:
    hand = Hand.parse("AATT.AATT.TT.TJ")
    block = cards_block(hand, score_meld(hand, 0, Rules()), 0, page_look(10))
    assert block.caption == "No card is in a meld with spades as trump."
    assert list(block.melds) == []


def test_hostile_names_are_shown_as_they_are(clear_advice: BidAdvice) -> None:
    shown = re.sub("[\x1b\x00\u202e]", "\ufffd", HOSTILE)
    tree = parsed(render(ids_page()))
    for tag in ("title", "h1", "h2", "p", "th", "caption", "dd", "code"):
        assert " ".join(shown.split()) in [words(item) for item in find(tree, tag)], tag
    text = words(parsed(render(hostile_page(clear_advice))))
    for place in (f"Rules{HOSTILE_NAME}", f"A jump at this table: {HOSTILE_NAME}"):
        assert place in text or place.replace("Rules", "Rules ") in text
    assert f"convention {HOSTILE_NAME}" in text


def test_hostile_names_stay_whole_in_the_json() -> None:
    text = render(ids_page())
    assert stored(parsed(text)) == {"rows": [{HOSTILE: HOSTILE}]}
    script = text[text.index('<script type="application/json"') :]
    inside = script[script.index(">") + 1 : script.index("</script>")]
    assert not set("<>&") & set(inside)


def test_hostile_file_of_hands_and_conventions(clear_advice: BidAdvice) -> None:
    tree = parsed(render(jumps_page(hands=HOSTILE)))
    assert "document.title='run'" in words(tree)
    assert len(find(tree, "script")) == 1


def test_the_same_advice_gives_the_same_bytes(clear_advice: BidAdvice) -> None:
    assert render(page_of_bid(clear_advice)) == render(page_of_bid(clear_advice))


def test_a_tie_is_said_to_be_one(tied_advice: BidAdvice) -> None:
    text = words(parsed(render(page_of_bid(tied_advice))))
    assert "Trump is too close to call: ♦ is ahead of ♣ by" in text
    # This table counts a run as 15.
    assert "Points as at this table: a run is 15, not 150." in text
    jumps = words(parsed(render(jumps_page())))
    assert "jump at 60 (tie)" in jumps


def test_means_and_their_errors_stay_on_one_line(clear_advice: BidAdvice) -> None:
    text = render(page_of_bid(clear_advice))
    assert "&#160;&#177;&#160;" in text
    body = text[text.index("<header>") : text.index("<script")]
    paragraphs = re.findall(r"<p[ >].*?</p>", body, re.S)
    assert not [item for item in paragraphs if re.search(r"\d &#177; \d", item)]


def test_a_page_without_an_answer_still_holds(clear_advice: BidAdvice) -> None:
    page = Page("T", "A.", [], [], [Section("H", [Texts([])])], "advisor", {})
    assert words(find(parsed(render(page)), "h2")[0]) == "H"


def test_a_missing_template_engine_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.report.html.find_spec", lambda _: None)
    with pytest.raises(OptionError, match="html: expected the package jinja2, found none; pip"):
        render(ids_page())


def test_partner_who_has_the_bid_is_told_of(clear_advice: BidAdvice) -> None:
    decision = clear_advice.decision
    options = tuple(
        replace(item, partners=0.9, theirs=0.1) if item.action == "pass" else item
        for item in decision.options
    )
    asked = replace(clear_advice, decision=replace(decision, options=options))
    assert "partner gets the hand in 90% of deals" in words(parsed(render(page_of_bid(asked))))
    plain = words(parsed(render(page_of_bid(clear_advice))))
    assert "Bid as long as the first line is the higher." in plain


def test_a_bid_out_of_reach_is_not_drawn(clear_advice: BidAdvice) -> None:
    decision = clear_advice.decision
    options = tuple(
        replace(item, call=replace(item.call, bid=900)) if item.action == "raise" else item
        for item in decision.options
        if item.action != "jump"
    )
    asked = replace(
        clear_advice,
        decision=replace(decision, options=options),
        suggestion=replace(clear_advice.suggestion, bid=None, at=900),
    )
    tree = parsed(render(page_of_bid(asked)))
    chances = next(item for item in find(tree, "svg") if "chances-title" in str(item.attrib))
    assert not [item for item in chances if item.get("class") == "guide"]
    assert "250" in [item.text for item in find(chances, "text")]


def test_a_hand_that_hardly_makes_any_bid(pass_advice: BidAdvice) -> None:
    rare = {250: Estimate(0.01, 0.002), 260: Estimate(0.004, 0.001)}
    trumps = tuple(replace(item, p_make=rare) for item in pass_advice.trumps)
    tree = parsed(render(page_of_bid(replace(pass_advice, trumps=trumps))))
    assert "from 1% at 250 to <1% at 260" in words(tree)


def test_the_page_of_a_file_of_hands() -> None:
    tree = parsed(render(batch_page()))
    assert (
        words(find(tree, "p")[0])
        == "67% ± 1.6% of 900 hands should bid, up to 331 ± 2.1 in the mean."
    )
    assert [words(item) for item in find(tree, "h2")][:-1] == [
        "Rows", "How high the hands go", "Every hand", "Closest calls", "Bad rows",
    ]  # fmt: skip
    heights = [float(item.get("height", "")) for item in find(tree, "rect")]
    # Bins of 20 from 250 on: two bids are in the first.
    assert [height / heights[0] for height in heights if height] == pytest.approx(
        [1, 250 / 300, 50 / 300], abs=0.01
    )
    cells = {words(row[0]): [words(cell) for cell in row[1:]] for row in find(tree, "tr")}
    assert cells["♦ diamonds"] == ["150", "25%"]
    assert cells["ceiling at most"] == ["pass", "270", "410"]
    assert stored(tree) == summary()


def test_files_without_a_hand_to_bid_and_without_an_answer() -> None:
    none = {**summary(), "to_bid": 0, "share_to_bid": 0.0, "share_to_bid_se": 0.0}
    passed = {**none, "ceilings": {"pass": 900}, "suits": dict.fromkeys("SHDC", 0)}
    text = words(parsed(render(summary_page(passed, "advisor batch f", []))))
    assert "0% of 900 hands should bid." in text
    assert "No hand should bid." in text
    bad = {**summary(), "rows": 3, "answered": 0, "closest": []}
    text = words(parsed(render(summary_page(bad, "advisor batch f", []))))
    assert "None of 3 rows could be answered." in text
