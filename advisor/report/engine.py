"""The template engine of the pages: an extra, asked for before anything is computed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from advisor.errors import OptionError

ENGINE: Final = "jinja2"


def check_engine_of_pages() -> None:
    """Raise `OptionError` where the template engine is not installed."""
    if find_spec(ENGINE) is None:
        raise OptionError(
            f"html: expected the package {ENGINE}, found none; "
            "pip install 'pinochle-advisor[report]' brings it"
        )
