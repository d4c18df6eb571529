"""Settings that last: files, variables, their order, where each came from, and the commands."""

from __future__ import annotations

import json
import os
import shlex
import tomllib
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from advisor.advice import BidAdvice
from advisor.cli import advice as commands
from advisor.cli import app
from advisor.cli.options import Format
from advisor.config import load_config, portable_rules, unknown_variables
from advisor.config_files import config_directory, line_of_key, own_files, read_file
from advisor.config_keys import FORMATS, KEYS, NAMES
from advisor.errors import AdvisorError, ExitCode
from advisor.game.rules import PRESETS, Rules, apply_settings, load_rules

HAND = "AATKQJ.AK.QJ.T9"
RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def empty_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory, a home, and no variables."""
    for name in list(os.environ):
        if name.startswith("PINOCHLE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


@pytest.fixture
def own(empty_world: Path) -> Path:
    directory = empty_world / "xdg" / "pinochle-advisor"
    (directory / "rules").mkdir(parents=True)
    (directory / "conventions").mkdir()
    return directory


def run(*args: str) -> Result:
    return RUNNER.invoke(app, list(args))


def write(path: Path | str, text: str) -> Path:
    Path(path).write_text(text, encoding="utf-8")
    return Path(path)


def shown(*args: str) -> dict[str, tuple[object, str]]:
    result = run("config", "show", "--json", *args)
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    return {k: (v["value"], v["where"]) for k, v in found["settings"].items()} | {
        f"set.{k}": (v["value"], v["where"]) for k, v in found["set"].items()
    }


def test_defaults_are_those_of_the_commands() -> None:
    assert shown() == {key.name: (key.default, "default") for key in KEYS}
    assert set(FORMATS) <= {form.value for form in Format}


def test_each_level_outranks_the_one_before(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    user = write(own / "config.toml", "seed = 1\nsamples = 11\nthreads = 2\nengine = 'Policy'\n")
    assert shown()["seed"] == (1, f"{user}:1")
    write("pinochle.toml", "\nseed = 2\nsamples = 22\n")
    assert shown()["seed"] == (2, "pinochle.toml:2")
    monkeypatch.setenv("PINOCHLE_SEED", "3")
    assert shown()["seed"] == (3, "PINOCHLE_SEED")
    assert shown()["samples"] == (22, "pinochle.toml:3")
    assert shown()["threads"] == (2, f"{user}:3")
    assert shown()["engine"] == ("policy", f"{user}:4")

    def answer(question: object, *_: object) -> None:
        seen.append(question)
        raise AdvisorError("enough")

    monkeypatch.setattr(commands, "_compute", answer)
    run("bid", HAND)
    run("bid", HAND, "--seed", "4", "--threads", "1")
    assert [(q.seed, q.samples, q.threads, q.engine) for q in seen] == [  # type: ignore[attr-defined]
        (3, 22, 2, "policy"),
        (4, 22, 1, "policy"),
    ]


def test_one_file_can_take_the_place_of_all(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(own / "config.toml", "seed = 1\nsamples = 11\n")
    write("pinochle.toml", "seed = 2\n")
    write("other.toml", "seed = 5\n")
    assert shown("--config", "other.toml")["seed"] == (5, "other.toml:1")
    assert shown("--config", "other.toml")["samples"] == (None, "default")
    assert shown("--config", "none")["seed"] == (0, "default")
    monkeypatch.setenv("PINOCHLE_CONFIG", "other.toml")
    assert shown()["seed"] == (5, "other.toml:1")
    assert shown("--config", "NONE")["seed"] == (0, "default")
    monkeypatch.setenv("PINOCHLE_CONFIG", "none")
    assert shown()["seed"] == (0, "default")
    monkeypatch.setenv("PINOCHLE_CONFIG", "gone.toml")
    result = run("meld", HAND)
    assert result.stderr == (
        "Error: PINOCHLE_CONFIG: gone.toml: cannot read the file: No such file or directory\n"
    )
    assert run("meld", HAND, "--config", "").stderr.startswith("Error: config: expected a file")


BAD = [
    ("sampels = 3", ":1: sampels: unknown setting; did you mean samples?"),
    ("seed = 1\nzzz = 3", ":2: zzz: unknown setting; expected one of: rules, convention, engine"),
    ("seed = -1", ":1: seed: expected a whole number from 0 to 18446744073709551615, found -1"),
    ("seed = '7'", ":1: seed: expected a whole number from 0 to 18446744073709551615, found '7'"),
    ("seed = true", ":1: seed: expected a whole number"),
    ("seed = 1.0", ":1: seed: expected a whole number"),
    ("\n samples = 0", ":2: samples: expected a whole number from 1 to 1000000, found 0"),
    ("threads = 1000", ":1: threads: expected a whole number from 1 to 256, found 1000"),
    ("precision = nan", ":1: precision: expected points from 0.05 to 100, found nan"),
    ("precision = '1'", ":1: precision: expected points from 0.05 to 100, found '1'"),
    ("engine = 'lit'", ":1: engine: expected policy, lite or exact, found 'lit'; did you mean"),
    ("engine = 3", ":1: engine: expected policy, lite or exact, found '3'"),
    (
        "format = 'jsn'",
        ":1: format: expected table, json, csv, markdown or html, found 'jsn'",
    ),
    ("ascii = 'yes'", ":1: ascii: expected true or false, found 'yes'"),
    ("ascii = 1", ":1: ascii: expected true or false, found 1"),
    ("rules = 3", ":1: rules: expected a name or a file, found 3"),
    ("rules = {pass = 3}", ":1: rules: expected a name or a file, found a table"),
    ("rules = 'pagatt'", ":1: rules: expected cardgames, "),
    ("rules = 'gone.toml'", ":1: rules: gone.toml: cannot read the file"),
    ("set = 3", ":1: set: expected a table of house rules, found 3"),
    ("set = {pas = 3}", ":1: pas: unknown rule; did you mean pass?"),
    ("set.pas = 3", ":1: pas: unknown rule; did you mean pass?"),
    ("[set]\npas = 3", ":2: pas: unknown rule; did you mean pass?"),
    ("[set]\npass = 5", ":2: pass: expected 0, 2, 3 or 4, found 5"),
    ("[set]\npass = '3'", ":2: pass: expected 0, 2, 3 or 4, found '3'"),
    ("pass = 3", ":1: pass: unknown setting"),
    ("[set]\n\nseed = 3", ":3: seed: unknown rule; as a setting it stands above [set]"),
    ("[set]\nminimum = 200\nforced_bid = 250", ":3: forced_bid: expected at most the minimum"),
    ("rules = '~nobody-at-all/x.toml'", ":1: rules: ~nobody-at-all/x.toml: cannot read the file"),
    ("[set]\npass = 3\npass_cards = 3", ":3: pass: given twice"),
    ("[set]\njump_meaning = ''", ":2: jump_meaning: expected a text, found none"),
    ("seed 3", ":1: not TOML: Expected '=' after a key in a key/value pair"),
    ("seed = 1\nseed = 2", ":2: expected each name once, found one again"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text for text, _ in BAD])
def test_a_bad_file_is_one_line_with_its_place(text: str, message: str) -> None:
    write("pinochle.toml", text + "\n")
    for command in (["meld", HAND], ["config", "show"]):
        result = run(*command)
        assert result.exit_code == ExitCode.USAGE
        assert result.stderr.startswith(f"Error: pinochle.toml{message}"), result.stderr
        assert result.stderr.count("\n") == 1
        assert result.stdout == ""


def test_help_is_given_whatever_the_file_says() -> None:
    write("pinochle.toml", "sampels = 3")
    for command in (["--help"], ["bid", "--help"], ["config"], ["config", "path"], ["--version"]):
        assert run(*command).exit_code == 0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("ASCII", "ja", "PINOCHLE_ASCII: expected true or false, found 'ja'"),
        ("PRECISION", "1e1", "PINOCHLE_PRECISION: expected points from 0.05 to 100, found '1e1'"),
        (
            "FORMAT",
            "xml",
            "PINOCHLE_FORMAT: expected table, json, csv, markdown or html, found 'xml'",
        ),
        ("CONVENTION", "mine", "PINOCHLE_CONVENTION: expected none, meld-jump"),
        ("RULES", "gone.toml", "PINOCHLE_RULES: gone.toml: cannot read the file"),
    ],
)
def test_a_bad_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, message: str
) -> None:
    monkeypatch.setenv(f"PINOCHLE_{name}", text)
    result = run("bid", HAND)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith(f"Error: {message}")
    assert f"PINOCHLE_{name}: " in run("config", "show").stderr


def test_a_variable_that_a_command_does_not_use_is_not_its_business(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PINOCHLE_EXPLAIN", "ja")
    assert run("meld", HAND).exit_code == 0
    assert run("bid", HAND).exit_code == ExitCode.USAGE


def test_unknown_variables_are_remarked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINOCHLE_SEDD", "1")
    monkeypatch.setenv("PINOCHLE_XQ", "1")
    assert unknown_variables() == [
        "PINOCHLE_SEDD: not a variable of advisor; did you mean PINOCHLE_SEED?",
        "PINOCHLE_XQ: not a variable of advisor",
    ]
    result = run("config", "show")
    assert result.exit_code == 0
    assert "PINOCHLE_SEDD" in result.stderr


def test_switches_can_be_turned_off_again(
    monkeypatch: pytest.MonkeyPatch, clear_advice: BidAdvice
) -> None:
    monkeypatch.setattr(commands, "_compute", lambda *args: clear_advice)
    write("pinochle.toml", "ascii = true\nexplain = true\nverbose = true\n")
    assert "Why S" in run("bid", HAND).stdout
    plain = run("bid", HAND, "--no-ascii", "--no-explain", "--no-verbose").stdout
    assert (
        plain.partition("reproduce")[0]
        == (run("bid", HAND, "--config", "none").stdout.partition("reproduce")[0])
    )
    monkeypatch.setenv("PINOCHLE_EXPLAIN", "off")
    assert "Why" not in run("bid", HAND).stdout


def test_json_outranks_a_format_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write("pinochle.toml", "format = 'csv'\n")
    assert run("meld", HAND).stdout.startswith("hand,")
    assert json.loads(run("meld", HAND, "--json").stdout)["hand"] == HAND
    assert run("meld", HAND, "--format", "table").stdout.startswith("Hand ")
    assert run("meld", HAND, "--format", "csv", "--json").exit_code == ExitCode.USAGE
    monkeypatch.setenv("PINOCHLE_FORMAT", "json")
    assert json.loads(run("meld", HAND).stdout)["hand"] == HAND


def meld_rules(*args: str) -> dict[str, object]:
    found = json.loads(run("meld", HAND, "--json", *args).stdout)
    return {"rules": found["rules"], **found["settings"]}


def test_house_rules_of_a_file_go_with_its_rules(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(own / "config.toml", "rules = 'pagat'\n[set]\npass = 3\nlast_trick = 0\n")
    assert meld_rules() == {"rules": "pagat", "pass": 3, "last_trick": 0}
    # An option adds to them, or takes the place of one.
    assert meld_rules("--set", "pass=2", "--set", "heading=trump-leads") == {
        "rules": "pagat", "pass": 2, "last_trick": 0, "heading": "trump-leads",
    }  # fmt: skip
    # Other rules have nothing to do with them.
    assert meld_rules("--rules", "classic") == {"rules": "classic"}
    assert meld_rules("--rules", "classic", "--set", "pass=2") == {"rules": "classic", "pass": 2}
    write("pinochle.toml", "[set]\npass = 4\ntarget = 2000\n")
    assert meld_rules() == {"rules": "pagat", "last_trick": 0, "target": 2000}
    write("pinochle.toml", "rules = 'gamerules'\n")
    assert meld_rules() == {"rules": "gamerules"}
    monkeypatch.setenv("PINOCHLE_RULES", "pagat")
    assert meld_rules() == {"rules": "pagat"}
    assert "set.pass" not in shown()


def test_a_file_names_files_beside_it(own: Path) -> None:
    write(own / "house.toml", "base = 'pagat'\nname = 'ours'\npass = 3\n")
    write(own / "config.toml", "rules = 'house.toml'\n")
    assert meld_rules()["rules"] == "ours"
    write("house.toml", "name = 'here'\n")
    assert meld_rules()["rules"] == "ours"
    write("pinochle.toml", "rules = 'house.toml'\n")
    assert meld_rules()["rules"] == "here"


REPRODUCED = [
    "rules = 'pagat'\nsamples = 40\nexplain = true\n[set]\npass = 3\n",
    "rules = 'ours'\nsamples = 40\nseed = 9\nascii = true\n[set]\nlast_trick = 0\n",
    "engine = 'policy'\nraw = true\nsamples = 40\nprecision = 2\nformat = 'json'\n",
    "rules = 'neuralplay'\nsamples = 40\nverbose = true\nconvention = 'missing-suit:2'\n",
]


@pytest.mark.parametrize("text", REPRODUCED)
def test_what_is_printed_is_reproduced_without_the_file(
    text: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(own / "rules" / "ours.toml", "base = 'classic'\npass = 4\njump_meaning = 'it\\'s \"x\"'")
    write("pinochle.toml", text.replace("it\\'s", "its"))
    write(own / "rules" / "ours.toml", "base = 'classic'\npass = 4\njump_meaning = 'its \"x\" = y'")
    first = run("bid", HAND)
    assert first.exit_code == 0, first.stderr
    if first.stdout.startswith("{"):
        line = json.loads(first.stdout)["reproduce"]
    else:
        line = first.stdout.splitlines()[-1].removeprefix("reproduce: ")
    words = shlex.split(line)[1:]
    assert words[-2:] == ["--config", "none"]
    assert run(*words).stdout.replace(" --config none", "") == first.stdout.replace(
        " --config none", ""
    )
    # Nor does it need the file of own rules.
    (own / "rules" / "ours.toml").unlink()
    Path("pinochle.toml").unlink()
    assert run(*words).stdout.replace(" --config none", "") == first.stdout.replace(
        " --config none", ""
    )


def test_what_a_variable_turned_on_stays_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINOCHLE_EXPLAIN", "1")
    monkeypatch.setenv("PINOCHLE_SAMPLES", "30")
    first = run("bid", HAND, "--no-explain").stdout
    words = shlex.split(first.splitlines()[-1].removeprefix("reproduce: "))[1:]
    assert run(*words).stdout == first


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["jumps", "--deals", "64", "--thresholds", "100"], "rules = 'pagat'\nseed = 3\n"),
        (["league", "--deals", "64", "--rules-of-bidding", "b1,b2"], "engine = 'policy'\nseed=4\n"),
        (["pass", "KQ9.AK9.QJ9.TJ9", "--trump", "D"], "samples = 40\n[set]\npass = 3\n"),
    ],
)
def test_other_commands_take_settings_too(command: list[str], text: str) -> None:
    write("pinochle.toml", text)
    first = run(*command, "--quiet")
    assert first.exit_code == 0, first.stderr
    line = first.stdout.splitlines()[-1]
    words = shlex.split(line.removeprefix("reproduce: "))[1:]
    assert words[-2:] == ["--config", "none"]
    Path("pinochle.toml").unlink()
    again = run(*words, "--quiet").stdout
    assert again.replace(" --config none", "") == first.stdout.replace(" --config none", "")


def test_the_league_reads_its_engine_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PINOCHLE_ENGINE", "magic")
    result = run("league", "--deals", "8")
    assert result.stderr.startswith("Error: PINOCHLE_ENGINE: expected policy, lite or exact")
    monkeypatch.setenv("PINOCHLE_ENGINE", "lite")
    words = ["league", "--deals", "16", "--rules-of-bidding", "b1,b2", "--quiet", "--json"]
    assert json.loads(run(*words).stdout)["engine"] == "lite"
    asked = json.loads(run(*words, "--engine", "policy").stdout)
    assert asked["engine"] == "policy"
    assert " --engine policy " in asked["reproduce"]


def test_a_file_that_says_nothing_is_not_spoken_of(own: Path) -> None:
    assert run("config", "init").exit_code == 0
    assert "--config" not in run("bid", HAND, "--samples", "20", "-q").stdout
    (own / "config.toml").write_text("samples = 20\n", encoding="utf-8")
    assert "--samples 20 --seed 0 --config none" in run("bid", HAND, "-q").stdout


@pytest.mark.parametrize("name", sorted(typer.main.get_command(app).commands))  # type: ignore[attr-defined]
def test_every_command_with_settings_reads_files(name: str) -> None:
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    options = {word for param in command.params for word in param.opts}
    kept = {key.option for key in KEYS}
    assert ("--config" in options) == bool(options & kept - {"--quiet"})


def test_solve_keeps_its_engine_and_its_formats() -> None:
    write("pinochle.toml", "engine = 'policy'\nformat = 'csv'\n")
    deal = ["solve", "A.-.-.-", "-.A.-.-", "K.-.-.-", "-.K.-.-", "--trump", "S"]
    assert run(*deal).stdout == run(*deal, "--config", "none").stdout != ""


@pytest.mark.parametrize("by_variable", [True, False])
def test_pages_can_be_the_usual_format(
    by_variable: bool, monkeypatch: pytest.MonkeyPatch, clear_advice: object
) -> None:
    if by_variable:
        monkeypatch.setenv("PINOCHLE_FORMAT", "HTML")
    else:
        write("pinochle.toml", "format = 'html'\n")
    assert shown()["format"][0] == "html"
    monkeypatch.setattr(commands, "_compute", lambda *_: clear_advice)
    assert run("bid", HAND).stdout.startswith("<!DOCTYPE html>")
    assert run("bid", HAND, "--json").stdout.startswith("{")
    assert run("bid", HAND, "--format", "csv").stdout.startswith("hand,")
    few = ["--deals", "8", "--quiet"]
    for command in (["league", "--rules-of-bidding", "b1,b2"], ["jumps", "--thresholds", "60"]):
        assert run(*command, *few).stdout.startswith("<!DOCTYPE html>")
    # Those that have no pages print their table.
    meld = ["meld", HAND]
    send = ["pass", HAND, "--trump", "S", "--samples", "8", "--quiet"]
    back = ["return", "AATTKQJJ.AAK.QJ.T99", "--trump", "S", "--samples", "8", "--quiet"]
    for command in (meld, send, back):
        plain = run(*command, "--config", "none", "--format", "table")
        result = run(*command)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.replace(" --config none", "") == plain.stdout
        asked = run(*command, "--format", "html")
        assert asked.stderr.startswith("Error: format: expected table, json, csv or markdown")


def test_what_is_read_in_place_of_the_own_file_is_said(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_file = own / "config.toml"
    assert run("config", "path").stderr == ""
    monkeypatch.setenv("PINOCHLE_CONFIG", "club.toml")
    said = "PINOCHLE_CONFIG is set: club.toml is read in its place.\n"
    result = run("config", "path")
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{own_file}\n", said)
    assert run("config", "path", "--directory").stderr == ""
    assert run("config", "init").stderr == said
    assert run("config", "init", "--here").stderr == said
    monkeypatch.setenv("PINOCHLE_CONFIG", "None")
    said = "PINOCHLE_CONFIG is set: no file is read.\n"
    assert run("config", "path").stderr == said
    for same in (str(own_file), ""):
        monkeypatch.setenv("PINOCHLE_CONFIG", same)
        assert run("config", "path").stderr == ""
        assert run("config", "init", "--force").stderr == ""


def test_config_init_writes_a_file_that_says_nothing(own: Path) -> None:
    own_file = own / "config.toml"
    assert run("config", "path").stdout == f"{own_file}\n"
    assert run("config", "path", "--directory").stdout == f"{own}\n"
    assert run("config", "init").stdout == f"{own_file}\n"
    assert tomllib.loads(own_file.read_text(encoding="utf-8")) == {"set": {}}
    assert shown() == {key.name: (key.default, "default") for key in KEYS}
    assert os.stat(own_file).st_mode & 0o777 == 0o644 & ~_umask()
    before = write(own_file, "seed = 3\n").read_bytes()
    result = run("config", "init")
    assert result.exit_code == ExitCode.USAGE
    assert "--force" in result.stderr
    assert own_file.read_bytes() == before
    assert run("config", "init", "--force").exit_code == 0
    assert own_file.read_bytes() != before
    assert run("config", "init", "--here").stdout == "pinochle.toml\n"
    assert sorted(p.name for p in own.iterdir()) == ["config.toml", "conventions", "rules"]
    assert os.listdir() == ["pinochle.toml"]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_every_line_of_the_template_can_be_taken_up() -> None:
    run("config", "init", "--here")
    text = Path("pinochle.toml").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 96
    lines = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    kept = [line for line in lines if line.partition(" = ")[0].replace("_", "").isalpha()]
    write("pinochle.toml", "\n".join([*kept[: len(KEYS)], "[set]", *kept[len(KEYS) :]]))
    found = shown()
    assert all(found[key.name][1].startswith("pinochle.toml:") for key in KEYS)
    assert sum(name.startswith("set.") for name in found) >= 5
    assert {key for key in found if not key.startswith("set.")} == set(NAMES)


def test_own_rules_and_conventions_are_known_by_name(own: Path) -> None:
    write(own / "rules" / "Club.toml", "base = 'pagat'\npass = 3\n")
    write(own / "rules" / "broken.toml", "pas = 3\n")
    write(own / "rules" / "pagat.toml", "pass = 2\n")
    write(own / "rules" / "notes.txt", "pass = 2\n")
    write(own / "conventions" / "ours.toml", "[[jump]]\nsteps=2\nshows='aces'\nat_least=3\n")
    assert list(own_files("rules")) == ["club", "broken", "pagat"]
    listed = run("rules", "list")
    assert "\nclub " in listed.stdout
    assert "broken" not in listed.stdout
    assert "rules/broken.toml:1: pas: unknown rule; did you mean pass?" in listed.stderr
    assert "pagat.toml: pagat is the name of a preset" in listed.stderr
    assert "\nours " in run("conventions", "list").stdout
    assert 'name = "club"' in run("rules", "show", "Club").stdout
    assert 'name = "ours"' in run("conventions", "show", "ours").stdout
    assert meld_rules("--rules", "CLUB")["pass"] == 3
    assert meld_rules("--rules", "pagat") == {"rules": "pagat"}
    assert "did you mean club?" in run("meld", HAND, "--rules", "clup").stderr
    assert "broken.toml:1: pas: unknown" in run("meld", HAND, "--rules", "broken").stderr
    write("pinochle.toml", "rules = 'club'\nconvention = 'ours'\n")
    assert "Rules  club with " in run("config", "show").stdout
    assert "did you mean ours?" in run("bid", HAND, "--convention", "oers").stderr


@given(
    st.sampled_from(list(PRESETS)),
    st.sets(
        st.sampled_from(
            ["pass=3", "last_trick=0", "jumps=any", "run_extras=true", "name=x", "minimum=300",
             "source=a=b c", "step_above=50", "step_change_at=600", "scale=1"]
        )
    ),
)  # fmt: skip
def test_portable_rules_are_the_same_rules(
    tmp_path_factory: pytest.TempPathFactory, preset: str, words: set[str]
) -> None:
    if ("step_above=50" in words) != ("step_change_at=600" in words):
        words -= {"step_above=50", "step_change_at=600"}
    base = PRESETS[preset]
    if base.step_above is not None:
        words -= {"minimum=300", "step_above=50", "step_change_at=600"}
    rules = apply_settings(base, sorted(words))
    home = tmp_path_factory.mktemp("home")
    (home / "pinochle-advisor" / "rules").mkdir(parents=True)
    write(home / "pinochle-advisor" / "rules" / "mine.toml", rules.to_toml())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(home))
        found = portable_rules("Mine")
    assert found is not None
    assert apply_settings(load_rules(found[0]), found[1]) == rules


def test_directories_of_the_systems() -> None:
    posix = {"HOME": "/home/ann"}
    assert config_directory(posix, "linux") == Path("/home/ann/.config/pinochle-advisor")
    assert config_directory(posix | {"XDG_CONFIG_HOME": "rel"}, "linux") == Path(
        "/home/ann/.config/pinochle-advisor"
    )
    assert config_directory(posix, "darwin") == Path(
        "/home/ann/Library/Application Support/pinochle-advisor"
    )
    assert config_directory({"APPDATA": "/r"}, "win32") == Path("/r/pinochle-advisor")
    assert config_directory({}, "linux") is config_directory({}, "win32") is None


def test_without_a_home_there_is_no_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert run("meld", HAND).exit_code == 0
    assert run("config", "show").exit_code == 0
    assert run("config", "init").stderr.startswith("Error: config: expected a home directory")


def test_a_directory_in_the_place_of_a_file_is_an_error() -> None:
    Path("pinochle.toml").mkdir()
    assert run("meld", HAND).stderr == (
        "Error: pinochle.toml: cannot read the file: it is a directory\n"
    )


@given(st.text(max_size=200))
def test_no_text_of_a_file_is_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "any.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    message = None
    try:
        read_file(path)
    except AdvisorError as error:
        message = str(error)
    assert message is None or message.startswith(str(path))


def test_lines_of_keys() -> None:
    text = "# pass = 1\nseed = 1\n\n[set]\n# pass = 2\npass_cards = 3\n[other]\npass = 4\n"
    assert line_of_key(text, "seed") == ":2"
    assert line_of_key(text, "pass", in_set=True) == ":6"
    assert line_of_key(text, "pass") == ""
    assert line_of_key("set = {pass = 3}", "pass", in_set=True) == ":1"
    assert line_of_key("seed = 1\n[set.pass]\nx = 3", "pass", in_set=True) == ":2"
    assert line_of_key("seed = 1\n[[set]]\npass = 3", "set") == ":2"
    assert line_of_key("seed = 1\n[ sets ]\npass = 3", "sets") == ":2"


def test_the_library_reads_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    write("pinochle.toml", "rules = 'pagat'\n")
    assert load_config().rules() == PRESETS["pagat"]
    assert Rules() == PRESETS["cardgames"]
