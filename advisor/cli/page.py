"""Writing a page: what ``--html FILE`` and ``--format html`` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.cli.options import Format
from advisor.cli.shell import one_line
from advisor.errors import OptionError
from advisor.terminal import Terminal, interruptible, write_err, write_out
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
    from advisor.report.html import check_template_engine

    check_template_engine()
    if html is None:
        return
    if not html.strip() or html == "-":
        found = "nothing" if not html.strip() else "-, which --format html writes to"
        raise OptionError(f"html: expected a file, found {found}")
    replace_file(html, None)


def write_answer(
    form: Format,
    html: str | None,
    text: Callable[[], str],
    page: Callable[[], Page],
    terminal: Terminal,
    *,
    quiet: bool,
) -> None:
    """Write the answer to the output, as its format asks, and its page to the file of ``--html``.

    Parameters
    ----------
    form : Format
    html : str or None
        The file, checked by `check_page`.
    text, page : callable
        Return the answer in any other format than that of pages, nothing where it is written
        already, and its page.
    terminal : Terminal
    quiet : bool
        Whether not to say that the file was written.
    """
    written = None
    if html is not None or form is Format.html:
        from advisor.report.html import render

        written = render(page())
    answer = written if written is not None and form is Format.html else text()
    if answer:
        write_out(answer)
    if html is None or written is None:
        return
    # An exception instead of the end, so that nothing is left beside the file.
    with interruptible(terminal):
        replace_file(html, written)
    if not quiet:
        write_err(one_line(f"Wrote {html}"))
