"""Writing a page: what ``--html FILE`` and ``--format html`` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.cli.options import Format
from advisor.errors import OptionError
from advisor.terminal import Terminal, interruptible, write_err
from advisor.wholefile import replace_file

if TYPE_CHECKING:
    from advisor.report.html import Page


def check_page(html: str | None, form: Format) -> None:
    """Raise before anything is computed if a page is asked for and cannot be written.

    Raises
    ------
    OptionError
        If the template engine is not installed, or no file is named.
    OSError
        If the file cannot be written.
    """
    if html is None and form is not Format.html:
        return
    from advisor.report.engine import check_engine_of_pages

    check_engine_of_pages()
    if html is None:
        return
    if not html.strip() or html == "-":
        found = "nothing" if not html.strip() else "-, which --format html writes to"
        raise OptionError(f"html: expected a file, found {found}")
    replace_file(html, None)


def write_page(
    html: str | None, page: Callable[[], Page], terminal: Terminal, *, quiet: bool
) -> None:
    """Write the page to the file of ``--html``, if one was named, and say so."""
    if html is None:
        return
    from advisor.report.html import render

    text = render(page())
    # An exception instead of the end, so that nothing is left beside the file.
    with interruptible(terminal):
        replace_file(html, text)
    if not quiet:
        write_err(f"Wrote {html}")
