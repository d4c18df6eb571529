"""Pages: one self-contained HTML file each, whatever the command, from a title to the JSON.

A command says what its page has as a `Page` of sections (`advisor.report.html_bid` and its
neighbours); the template ``page/page.html`` and ``page/style.css`` say how that looks. Text is
escaped by the template engine, text in drawings by `advisor.report.svg`, and the JSON by `_data`;
nothing in a page runs, and a policy in its head forbids it to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import OptionError
from advisor.report.data import to_json
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.report.svg import Drawing

# HTML has no place for control characters, and those that turn the direction of writing around
# make a text look like another; a name may hold both.
_CONTROLS: Final = dict.fromkeys(
    (*range(9), 11, *range(13, 32), 127, *range(0x202A, 0x202F), *range(0x2066, 0x206A)),
    "\N{REPLACEMENT CHARACTER}",
)
# A browser breaks lines itself.
ENGINE: Final = "jinja2"
UNWRAPPED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Table:
    """A table in a box of its own that scrolls.

    Parameters
    ----------
    headers : sequence of str
    rows : sequence of sequence of str
    caption : str
        What it shows; it is read out, and shown.
    align : str
        A letter a column, l or r; by default the first is left and the rest right.
    best : int or None
        The row set in bold type.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str
    align: str = ""
    best: int | None = None

    kind = "table"

    @property
    def columns(self) -> list[str]:
        """The letter of each column."""
        return list(self.align or "l" + "r" * (len(self.headers) - 1))

    @property
    def titles(self) -> list[str]:
        """The headers, without the hyphens that break them on a screen."""
        return [" ".join(text.replace("-\n", "").split()) for text in self.headers]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, what it shows in words, and the figures behind it."""

    drawing: Drawing
    caption: str
    table: Table | None = None

    kind = "figure"


@dataclass(frozen=True, slots=True)
class Texts:
    """Paragraphs."""

    texts: Sequence[str]

    kind = "texts"


@dataclass(frozen=True, slots=True)
class Terms:
    """Labels, each with its text."""

    rows: Sequence[tuple[str, str]]

    kind = "terms"


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """A card as it is drawn: rank, suit, name in words, and the letters of its melds."""

    rank: str
    sign: str
    name: str
    red: bool
    melds: str


@dataclass(frozen=True, slots=True)
class Cards:
    """A hand as cards, suit by suit, and the melds in it: letter, name and points of each."""

    suits: Sequence[Sequence[PlayingCard]]
    melds: Sequence[tuple[str, str, str]]
    caption: str
    total: str

    kind = "cards"


Block = Table | Figure | Texts | Terms | Cards


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under its heading; `wide` ones take the whole width of a desktop."""

    heading: str
    blocks: Sequence[Block]
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on a page.

    Parameters
    ----------
    title : str
    answer : str
        The answer in a sentence.
    remarks : sequence of str
        What the answer must not be read without: ties, doubts.
    facts : sequence of tuple of str
        What was asked: hand, rules, engine, seed, deals.
    sections : sequence of Section
    reproduce : str
        The command that gives the same again.
    data : mapping
        The object that ``--json`` prints.
    """

    title: str
    answer: str
    remarks: Sequence[str]
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    reproduce: str
    data: Mapping[str, Any]


def page_look(scale: int) -> Look:
    """Return how texts of a page look: with symbols, and not broken into lines."""
    return Look(width=UNWRAPPED, scale=scale)


def check_template_engine() -> None:
    """Raise `OptionError` where the template engine is not installed."""
    if find_spec(ENGINE) is None:
        raise OptionError(
            f"html: expected the package {ENGINE}, found none; "
            "pip install 'pinochle-advisor[report]' brings it"
        )


def render(page: Page) -> str:
    """Return the page as HTML, all in ASCII, so that no encoding on its way can spoil it.

    Raises
    ------
    OptionError
        If the template engine is not installed.

    >>> hands = Table(["id", "bid"], [["<b>", "250"]], "Every hand of the file")
    >>> page = Page("Hands", "One hand.", [], [], [Section("All", [hands])], "advisor ...", {})
    >>> "&lt;b&gt;" in render(page)
    True
    """
    check_template_engine()
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("advisor.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_unbroken,
    )
    assert environment.loader is not None
    style = environment.loader.get_source(environment, "style.css")[0]
    # What is marked as safe is made by this program, with every text in it escaped.
    environment.filters["drawn"] = lambda drawing: Markup(str(drawing))
    text = environment.get_template("page.html").render(
        page=page, style=Markup(style), data=Markup(_data(page.data))
    )
    return text.translate(_CONTROLS).encode("ascii", "xmlcharrefreplace").decode()


def _unbroken(value: object) -> object:
    """Keep a mean and its error on one line."""
    if type(value) is str:
        return value.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")
    return value


def _data(value: Mapping[str, Any]) -> str:
    r"""Return JSON that may stand in a script element: no character of it begins a tag or comment.

    >>> _data({"id": "</script><!--", "hand": "A♠"})
    '{"id": "\\u003c/script\\u003e\\u003c!--", "hand": "A\\u2660"}'
    """
    text = json.dumps(json.loads(to_json(value)))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
