"""The commands about settings: ``advisor config show``, ``init`` and ``path``."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from advisor.cli.families import family, look_in
from advisor.cli.options import (
    DebugOption,
    Format,
    JsonOption,
    ShortFormatOption,
    short_format,
)
from advisor.cli.shell import Command, one_line
from advisor.errors import OptionError
from advisor.terminal import write_err, write_out

CONFIG_HELP: Final = """\
advisor config show
advisor config init
PINOCHLE_SEED=7 advisor config show --json

Settings that last, and where each came from.

In rising order: your own file (`advisor config path`), ./pinochle.toml,
variables such as PINOCHLE_SEED, options of a command. PINOCHLE_CONFIG or
--config names one file instead of both, or none.

Your own rules and conventions are files beside yours, rules/NAME.toml and
conventions/NAME.toml, and are known by NAME.
"""
SHOW_HELP: Final = """\
advisor config show
advisor config show --config other.toml --json

Every setting with its value and where that came from.
"""
INIT_HELP: Final = """\
advisor config init
advisor config init --here

Write a file of settings with everything explained and nothing set.
"""
PATH_HELP: Final = """\
advisor config path
mkdir -p "$(advisor config path --directory)/rules"

Where your own file of settings is read, whether or not it is there.
"""

config_app = family(CONFIG_HELP)


@config_app.command("show", cls=Command, help=SHOW_HELP, short_help="Every value and its source.")
def show_config(
    ctx: typer.Context,
    named: Annotated[
        str | None,
        typer.Option(
            "--config", metavar="FILE|none", help="Read this file only.", show_default=False
        ),
    ] = None,
    output: ShortFormatOption = None,
    as_json: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Print all settings."""
    from advisor.config import load_config, unknown_variables
    from advisor.report.config import config_object, config_screen

    form = short_format(output, as_json)
    settings = load_config(named)
    rules = settings.rules()
    settings.check_convention()
    if form is Format.json:
        from advisor.report.data import to_json

        write_out(to_json(config_object(settings, rules)))
    else:
        write_out(config_screen(settings, rules, look_in(ctx)))
    for remark in unknown_variables():
        write_err(remark)


@config_app.command("init", cls=Command, help=INIT_HELP, short_help="A file to begin with.")
def init_config(
    here: Annotated[
        bool, typer.Option("--here", help="Write ./pinochle.toml instead of your own file.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
    debug: DebugOption = False,
) -> None:
    """Write a commented file of settings."""
    from advisor.config_files import PROJECT_FILE
    from advisor.report.config import config_template

    path = Path(PROJECT_FILE) if here else _own_file()
    _write_new(path, config_template(), force)
    write_out(str(path))
    _say_what_is_read_instead(path)


@config_app.command("path", cls=Command, help=PATH_HELP, short_help="Where your own file is.")
def path_of_config(
    directory: Annotated[
        bool,
        typer.Option("--directory", help="The directory, which also has rules/ and conventions/."),
    ] = False,
    debug: DebugOption = False,
) -> None:
    """Print the name of the user's own file, or of its directory."""
    path = _own_file()
    write_out(str(path.parent if directory else path))
    if not directory:
        # The folders of own rules and conventions count all the same.
        _say_what_is_read_instead(path)


def _say_what_is_read_instead(path: Path) -> None:
    """Say on stderr that ``PINOCHLE_CONFIG`` keeps a file from being read."""
    from advisor.config import CONFIG_VARIABLE
    from advisor.config_files import NO_FILE, shown_path

    named = os.environ.get(CONFIG_VARIABLE, "")
    if not named or Path(named).absolute() == path.absolute():
        return
    no_file = named.strip().lower() == NO_FILE
    read = "no file is read" if no_file else f"{shown_path(Path(named))} is read in its place"
    write_err(one_line(f"{CONFIG_VARIABLE} is set: {read}."))


def _own_file() -> Path:
    from advisor.config_files import user_file

    path = user_file()
    if path is None:
        raise OptionError("config: expected a home directory, found none (is HOME set?)")
    return path


def _write_new(path: Path, text: str, force: bool) -> None:
    """Write a file in one step, so that it is never half there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644 & ~_mask())
        if force:
            Path(name).replace(path)
        else:
            # Unlike a look beforehand, a link fails where another has just put the file.
            _place(Path(name), path)
    finally:
        with suppress(OSError):
            Path(name).unlink()


def _place(written: Path, path: Path) -> None:
    """Give a file its name unless another has it."""
    there = OptionError(f"{path}: expected no such file, found one; --force writes over it")
    try:
        path.hardlink_to(written)
    except FileExistsError:
        raise there from None
    except OSError:
        # A file system without links.
        if path.exists():
            raise there from None
        written.replace(path)


def _mask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
