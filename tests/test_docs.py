"""README, CONTRIBUTING and docs say what the program does, and every command and option.

``python tests/test_docs.py`` writes the outputs of the examples and the generated parts anew, of
all pages or of those named.
"""

from __future__ import annotations

import doctest
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from generated_parts import PARTS
from markdown_pages import (
    PAGES,
    PART,
    ROOT,
    Example,
    anchors,
    examples,
    links,
    name_of,
    prose,
    rewrite,
    run,
    text_of,
    with_parts,
)

from advisor.cli import app
from advisor.rules_of_bidding.names import RULE_NAMES

# Typer's own, which every program made with it has.
OF_TYPER = {"--install-completion", "--show-completion", "--help"}
USER_PAGES = [page for page in PAGES if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")]


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=f"{name_of(example.page)}-{number}")
        for number, example in enumerate(examples())
    ],
)
def test_example_prints_what_is_shown(example: Example) -> None:
    assert run(example.command, example.files) == example.output


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert (tried > 0) == (">>>" in text_of(page))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_generated_parts_are_up_to_date(page: Path) -> None:
    assert with_parts(text_of(page)) == text_of(page), "write it anew: python tests/test_docs.py"


def test_every_generated_part_has_a_place() -> None:
    placed = [found["name"] for page in PAGES for found in PART.finditer(text_of(page))]
    assert sorted(placed) == sorted(PARTS)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in links(text_of(page)):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / target).resolve() if target else page
        here = file.exists() and file.is_relative_to(ROOT)
        if not here or (anchor and anchor not in anchors(text_of(file))):
            lost.append(link)
    assert lost == []


def test_every_page_is_linked() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in links(text_of(page))
    }
    assert [name_of(p) for p in PAGES if p.resolve() not in linked and p.name != "README.md"] == []


def test_sources_name_every_address_and_rule_of_bidding() -> None:
    page = text_of(ROOT / "docs" / "sources.md")
    code = "".join(text_of(path) for path in sorted((ROOT / "advisor").rglob("*.py")))
    addresses = {found.rstrip(".,;") for found in re.findall(r"https?://[^\s\"')>]+", code)}
    assert len(addresses) >= 5
    assert sorted(address for address in addresses if address not in page) == []
    assert [name for name in RULE_NAMES if f"`{name}`" not in page] == []


def commands(command: Any, words: tuple[str, ...] = ("advisor",)) -> Iterator[tuple[str, Any]]:
    """Yield every command with the words that call it."""
    yield " ".join(words), command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


COMMANDS = dict(commands(typer.main.get_command(app)))


def test_the_commands_are_found() -> None:
    assert {"advisor", "advisor bid", "advisor rules show"} <= COMMANDS.keys()


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_and_option_is_mentioned(words: str) -> None:
    written = "\n".join(prose(text_of(page)) for page in USER_PAGES)
    options = {
        name
        for param in COMMANDS[words].params
        for name in (*param.opts, *param.secondary_opts)
        if name.startswith("--")
    }
    assert re.search(rf"\b{re.escape(words)}\b", written)
    missing = [
        name
        for name in sorted(options - OF_TYPER)
        if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", written)
    ]
    assert missing == []


def test_the_archive_of_the_sources_has_the_pages() -> None:
    settings = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["hatch"]["build"]
    included = set(settings["targets"]["sdist"]["include"])
    assert {name_of(page).partition("/")[0] for page in PAGES} <= included


if __name__ == "__main__":
    rewrite([Path(name).resolve() for name in sys.argv[1:]] or PAGES)
