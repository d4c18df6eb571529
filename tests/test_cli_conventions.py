"""The commands ``advisor conventions list`` and ``show``."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner, Result

from advisor.cli import app
from advisor.errors import ExitCode
from advisor.game.conventions import (
    PRESETS,
    Meaning,
    load_convention,
)

RUNNER = CliRunner()


def run(*args: str) -> Result:
    return RUNNER.invoke(app, list(args))


def test_list():
    text = run("conventions", "list").stdout
    assert all(re.search(rf"^{name} ", text, re.MULTILINE) for name in PRESETS)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", [*PRESETS, "meld-jump:120"])
def test_show(name):
    convention = load_convention(name)
    assert run("conventions", "show", name).stdout == convention.to_toml()
    table = run("conventions", "show", name, "--format", "table").stdout
    assert max(map(len, table.splitlines())) <= 80
    found = json.loads(run("conventions", "show", name, "-f", "json").stdout)
    assert list(found) == ["schema", "convention", "about", "source", "jumps", "pass_with_help"]
    assert found["convention"] == name
    again = tuple(Meaning(**jump) for jump in found["jumps"])
    assert again == convention.jumps
    helping = found["pass_with_help"]
    assert (helping and Meaning(**helping)) == convention.pass_with_help


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show"], "missing argument 'NAME|FILE'"),
        (["show", "none", "-f", "csv"], "format: expected toml, json or table, found 'csv'"),
        (["shwo"], "no such command 'shwo'. Did you mean 'show'?"),
        (["show", "dailey:2"], "convention: expected dailey without a number, found 'dailey:2'"),
    ],
)
def test_errors_are_one_line(args, message):
    result = run("conventions", *args)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr == f"Error: {message}\n"
