"""The project's Markdown pages: examples and how they are run, generated parts, links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from generated_parts import PARTS

ROOT = Path(__file__).parents[1]
PAGES = tuple(
    sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")], key=lambda page: page.as_posix())
)
EXAMPLE = re.compile(r"^```console\n\$ (?P<command>.*?)\n(?P<output>.*?)```$", re.M | re.S)
# What follows the language names a file that the examples of the page find beside them.
FILE = re.compile(r"^```[a-z]+ (?P<name>\S+)\n(?P<text>.*?)^```$", re.M | re.S)
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
PART = re.compile(
    r"^<!-- begin (?P<name>[a-z-]+) -->\n(?P<text>.*?)^<!-- end (?P=name) -->$", re.M | re.S
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ (?P<title>.+)$", re.M)


@dataclass(frozen=True, slots=True)
class Example:
    """A command on a page, the output shown below it, and the files that the page shows."""

    page: Path
    command: str
    output: str
    files: tuple[tuple[str, str], ...] = ()


def text_of(page: Path) -> str:
    """Return the text of a page."""
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    """Return a page's name as seen from the top of the project.

    >>> name_of(ROOT / "docs" / "json.md")
    'docs/json.md'
    """
    return page.relative_to(ROOT).as_posix()


def examples(pages: Iterable[Path] = PAGES) -> list[Example]:
    """Return the examples of pages in their order."""
    return [
        Example(page, found["command"], found["output"], files_of(text_of(page)))
        for page in pages
        for found in EXAMPLE.finditer(text_of(page))
    ]


def files_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return names and texts of the files that a page shows.

    >>> files_of("```csv club.csv\\nhand\\n```\\n```console\\n$ ls\\n```\\n")
    (('club.csv', 'hand\\n'),)
    """
    return tuple((found["name"], found["text"]) for found in FILE.finditer(text))


def run(command: str, files: Iterable[tuple[str, str]] = ()) -> str:
    """Return stdout and stderr of a command of a page, run by this Python's advisor.

    It runs in a directory of its own with some files, and nobody's settings have a part in it.
    """
    command = re.sub(r"\badvisor\b", f'"{sys.executable}" -m advisor', command, count=1)
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PINOCHLE_")
    }
    environment |= {"PINOCHLE_CONFIG": "none", "XDG_CONFIG_HOME": os.devnull}
    environment |= {"PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files:
            Path(directory, name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            command,
            shell=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            check=False,
            stdin=subprocess.DEVNULL,
            cwd=directory,
        )
    return done.stdout + re.sub(r"^Compiling .*\n", "", done.stderr, flags=re.M)


def with_parts(text: str) -> str:
    """Return a page with its generated parts made anew."""
    return PART.sub(
        lambda m: f"<!-- begin {m['name']} -->\n{PARTS[m['name']]()}<!-- end {m['name']} -->", text
    )


def rewritten(text: str) -> str:
    """Return a page with generated parts and the outputs of its examples made anew."""
    files = files_of(text)
    return EXAMPLE.sub(
        lambda m: f"```console\n$ {m['command']}\n{run(m['command'], files)}```", with_parts(text)
    )


def prose(text: str) -> str:
    """Return what somebody has written: a page without its generated parts.

    >>> prose("a\\n<!-- begin x -->\\nb\\n<!-- end x -->\\nc").split()
    ['a', 'c']
    """
    return PART.sub("", text)


def links(text: str) -> list[str]:
    """Return the targets of the links outside fenced blocks.

    >>> links("[a](b.md#c) and\\n```\\n[d](e)\\n```\\n")
    ['b.md#c']
    """
    return [found["target"] for found in LINK.finditer(FENCED.sub("", text))]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page, named as on GitHub.

    >>> sorted(anchors("# A `bid`, say\\n## What now?\\n"))
    ['a-bid-say', 'what-now']
    """
    titles = [found["title"] for found in HEADING.finditer(FENCED.sub("", text))]
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


def rewrite(pages: Iterable[Path] = PAGES) -> None:
    """Write pages anew, one at a time."""
    for page in pages:
        old = text_of(page)
        new = rewritten(old)
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"changed: {name_of(page)}")
