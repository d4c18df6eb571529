"""The README's commands print what the README shows.

``python tests/test_readme.py`` writes the README's outputs anew.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"^```console\n\$ (?P<command>.*?)\n(?P<output>.*?)```$", re.M | re.S)

SETTINGS = re.compile(r"^```toml\n(# pinochle.toml\n.*?)```$", re.M | re.S)


def run(command: str) -> str:
    """Return stdout and stderr of a README command, run by this Python's advisor."""
    command = re.sub(r"\badvisor\b", f'"{sys.executable}" -m advisor', command, count=1)
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PINOCHLE_")
    }
    environment |= {"PINOCHLE_CONFIG": "none", "XDG_CONFIG_HOME": os.devnull}
    environment |= {"PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(README.parent)}
    with tempfile.TemporaryDirectory() as directory:
        if "config show" in command:
            # The one example that reads a file, which the README shows before it.
            settings = SETTINGS.search(README.read_text(encoding="utf-8"))
            assert settings is not None
            Path(directory, "pinochle.toml").write_text(settings[1], encoding="utf-8")
            del environment["PINOCHLE_CONFIG"]
            environment["XDG_CONFIG_HOME"] = ""
            environment["HOME"] = directory
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


def blocks() -> list[tuple[str, str]]:
    text = README.read_text(encoding="utf-8")
    return [(found["command"], found["output"]) for found in BLOCK.finditer(text)]


@pytest.mark.parametrize(("command", "output"), blocks())
def test_example_prints_what_is_shown(command: str, output: str) -> None:
    assert run(command) == output


def test_there_are_examples_of_every_command() -> None:
    shown = {command.split("advisor ", 1)[1].split()[0] for command, _ in blocks()}
    assert {"bid", "meld", "rules"} <= shown


def test_python_examples() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried >= 3
    assert failed == 0


if __name__ == "__main__":
    old = README.read_text(encoding="utf-8")
    new = BLOCK.sub(lambda m: f"```console\n$ {m['command']}\n{run(m['command'])}```", old)
    README.write_text(new, encoding="utf-8")
