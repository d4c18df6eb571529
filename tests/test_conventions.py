"""Conventions: meanings, presets, and their text."""

from __future__ import annotations

import dataclasses
import random
import re
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import AdvisorError, RulesError
from advisor.game.convention_presets import THRESHOLDS
from advisor.game.conventions import (
    MAX_ROWS,
    PRESETS,
    QUANTITIES,
    Convention,
    Meaning,
    check_convention,
    load_convention,
)
from advisor.game.meanings import WHENS
from advisor.game.rules import PRESETS as RULES
from advisor.game.rules import Rules

line = st.text(st.characters(categories=["L", "N", "P", "S"], include_characters=" "), max_size=60)


def error_of(make, *args, **kwargs):
    with pytest.raises(AdvisorError) as caught:
        make(*args, **kwargs)
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 300
    return text


@st.composite
def meanings(draw, steps=None):
    shows = draw(st.sampled_from([*QUANTITIES, "text"]))
    number = draw(st.integers(2, 50)) if steps is None else steps
    when, text = draw(st.sampled_from(WHENS)), draw(line)
    if shows == "text":
        return Meaning(number, shows, when=when, text=text + "x")
    limits = st.none() | st.integers(0, QUANTITIES[shows].most)
    low, high = draw(limits), draw(limits)
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
    low = 0 if low is None and high is None else low
    return Meaning(number, shows, low, high, when, text)


@st.composite
def conventions(draw):
    jumps = draw(st.lists(meanings(), max_size=7, unique_by=lambda jump: jump.steps))
    helping = draw(st.none() | meanings(steps=0))
    return Convention(draw(line.filter(str.strip)), draw(line), draw(line), tuple(jumps), helping)


def test_meaning_fits_its_range():
    assert [Meaning(2, "aces", 2, 3).fits(n) for n in range(5)] == [0, 0, 1, 1, 0]
    assert [Meaning(2, "aces", 2).fits(n) for n in (1, 2, 8)] == [0, 1, 1]
    assert [Meaning(2, "aces", None, 2).fits(n) for n in (-5, 0, 2, 3)] == [1, 1, 1, 0]
    assert Meaning(2, "text", text="strong").fits(0)


@pytest.mark.parametrize(
    ("meaning", "words"),
    [
        (Meaning(2, "meld", 100), "100 or more points of meld"),
        (Meaning(2, "meld", 50, 90), "50 to 90 points of meld"),
        (Meaning(2, "meld", 95), "95 or more points of meld"),
        (Meaning(2, "aces", 1), "1 or more aces"),
        (Meaning(2, "aces", 1, 1), "1 ace"),
        (Meaning(2, "aces", 8), "8 aces"),
        (Meaning(2, "legs", None, 1), "at most 1 leg of the pinochle"),
        (Meaning(2, "legs", 3, 3, text="then stops"), "3 legs of the pinochle; then stops"),
        (Meaning(2, "ace-suits", 4), "aces around"),
        (Meaning(2, "ace-suits", 3), "3 or more suits with an ace"),
        (Meaning(2, "text", text="strong"), "strong"),
    ],
)
def test_meaning_in_words(meaning, words):
    assert meaning.words() == words


def test_words_on_the_other_scale():
    assert Meaning(2, "meld", 95).words(scale=1) == "9.5 or more points of meld"
    assert Meaning(2, "aces", 3).words(scale=1) == "3 or more aces"


def test_calls_in_words():
    assert Meaning(0, "aces", 3, when="opening").call_words() == "A pass with help before any bid"
    assert Meaning(0, "aces", 3).call_words() == "A pass with help"
    assert Meaning(3, "aces", 3, when="after-partner").call_words() == (
        "A jump of 3 steps after partner has bid"
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"steps": 1}, "steps: expected 2 to 50, found 1"),
        ({"steps": 51}, "steps: expected 2 to 50, found 51"),
        ({"steps": -2}, "steps: expected 2 to 50, found -2"),
        ({"steps": True}, "steps: expected 2 to 50, found true"),
        ({"steps": False}, "steps: expected 2 to 50, found false"),
        ({"steps": 2.0}, "steps: expected 2 to 50, found 2.0"),
        (
            {"shows": "leg"},
            "shows: expected meld, value, aces, missing-suits, legs, runs, ace-suits, "
            "helping-cards or text, found 'leg'; did you mean legs?",
        ),
        ({"at_least": None}, "at_least: expected a number of meld, or at_most, found none"),
        ({"at_least": -1}, "at_least: expected 0 to 5000, or none, found -1"),
        ({"at_least": "100"}, "at_least: expected 0 to 5000, or none, found '100'"),
        ({"shows": "aces", "at_least": 9}, "at_least: expected 0 to 8 for aces, found 9"),
        (
            {"shows": "aces", "at_least": 1, "at_most": 9},
            "at_most: expected 0 to 8 for aces, found 9",
        ),
        ({"at_most": 90}, "at_least: expected no more than at_most, 90, found 100"),
        ({"when": "later"}, "when: expected any, opening or after-partner, found 'later'"),
        (
            {"text": "a\nb"},
            "text: expected one line of text, at most 200 characters, found 'a\\nb'",
        ),
        ({"shows": "text"}, "at_least: expected none, as text is not computed, found 100"),
        (
            {"shows": "text", "at_least": None},
            "text: expected what the call shows, found ''",
        ),
    ],
)
def test_impossible_meanings(values, message):
    given_values = {"steps": 2, "shows": "meld", "at_least": 100, **values}
    assert error_of(Meaning, **given_values) == message


def test_presets():
    assert list(PRESETS) == [
        *("none", "meld-jump", "dailey", "missing-suit", "aces-jump"),
        *("dos", "club", "trickster", "angelfire", "power", "lebor"),
    ]
    for name, convention in PRESETS.items():
        assert convention.name == name
        assert load_convention(f" {name.upper()} ") is convention
        assert convention.source
        assert convention.about.endswith(".")
        assert len(convention.as_rows()) <= MAX_ROWS
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["none"].name = "x"  # type: ignore[misc]


def test_rows_of_presets():
    no = 10**6
    rows = {name: convention.as_rows() for name, convention in PRESETS.items()}
    assert rows == {
        "none": [],
        "meld-jump": [(2, 0, 100, no, 0), (0, 0, 70, no, 0)],
        "dailey": [(2, 3, 1, no, 0), (0, 7, 4, no, 0)],
        "missing-suit": [(2, 3, 1, no, 0)],
        "aces-jump": [(2, 6, 4, no, 0)],
        "dos": [(2, 0, 50, 90, 0), (3, 0, 100, 140, 0), (4, 0, 150, 190, 0), (5, 0, 200, no, 0)],
        "club": [(2, 0, 100, no, 0), (3, 6, 4, no, 0), (5, 5, 1, no, 0)],
        "trickster": [(3, 4, 3, 3, 2), (4, 6, 4, no, 2), (5, 5, 1, no, 2)],
        "angelfire": [(2, 6, 4, no, 1)],
        "power": [],
        "lebor": [],
    }
    assert Convention("x", jumps=(Meaning(2, "aces", None, 1),)).as_rows() == [(2, 2, -no, 1, 0)]


@pytest.mark.parametrize("name", THRESHOLDS)
def test_presets_with_a_threshold(name):
    allowed = THRESHOLDS[name]
    for number in (allowed[0], allowed[-1]):
        convention = load_convention(f"{name}:{number}")
        assert convention.jumps[0].at_least == number
        assert load_convention(convention.name) == convention
        assert Convention.from_toml(convention.to_toml()) == convention
    preset = PRESETS[name]
    assert load_convention(f"{name} : {preset.jumps[0].at_least}") is preset
    for number in (allowed[0] - 1, allowed[-1] + 1, "", "x", "1e2", "-10", "٣", "9" * 30):
        expected = f"convention: expected {name}:N with N {allowed[0]} to {allowed[-1]}"
        assert error_of(load_convention, f"{name}:{number}").startswith(expected)


def test_help_never_shows_more_than_the_jump():
    low = load_convention("meld-jump:50")
    assert low.pass_with_help is not None
    assert low.pass_with_help.at_least == 50
    assert load_convention("meld-jump:200").pass_with_help == PRESETS["meld-jump"].pass_with_help


def test_unknown_conventions():
    assert error_of(load_convention, "dialey") == (
        "convention: expected none, meld-jump, dailey, missing-suit, aces-jump, dos, club, "
        "trickster, angelfire, power, lebor or a file ending in .toml, found 'dialey'; "
        "did you mean dailey?"
    )
    assert error_of(load_convention, "dailey:3") == (
        "convention: expected dailey without a number, found 'dailey:3'"
    )
    assert error_of(load_convention, "meld-jumps:120").endswith("; did you mean meld-jump?")
    assert error_of(load_convention, "").endswith("found ''")
    assert error_of(check_convention, 3, Rules()) == (
        "convention: expected a Convention or the name of a preset, found 3"
    )
    assert "did you mean club?" in error_of(check_convention, "clubs", Rules())


@pytest.mark.parametrize(
    ("jumps", "helping", "message"),
    [
        ([Meaning(0, "aces", 3)], None, "jump 1: steps: expected 2 to 50, found 0"),
        ([], Meaning(2, "aces", 3), "pass_with_help: steps: expected 0, found 2"),
        ([3], None, "jump 1: expected a Meaning, found 3"),
        ([], "aces", "pass_with_help: expected a Meaning, found 'aces'"),
        (
            [Meaning(2, "meld", 50, 90), Meaning(3, "aces", 1), Meaning(2, "meld", 90)],
            None,
            "jump 3: expected one meaning for a jump of 2 steps, found meld in a range that "
            "overlaps jump 1",
        ),
        (
            [Meaning(2, "meld", 50), Meaning(2, "aces", 1, when="opening")],
            None,
            "jump 2: expected one meaning for a jump of 2 steps, found aces beside meld in jump 1",
        ),
        (
            [Meaning(2, "text", text="a"), Meaning(2, "text", text="b")],
            None,
            "jump 2: expected one meaning for a jump of 2 steps, found text beside text in jump 1",
        ),
        (
            [Meaning(steps, "aces", 3) for steps in range(2, 10)],
            Meaning(0, "aces", 3),
            "jump: expected at most 8 meanings that are not text, found 9",
        ),
        (
            [Meaning(steps, "text", text="x") for steps in range(2, 35)],
            None,
            "jump: expected at most 32 jumps, found 33",
        ),
    ],
)
def test_conventions_that_contradict_themselves(jumps, helping, message):
    assert error_of(Convention, "x", "", "", tuple(jumps), helping) == message


def test_one_jump_may_mean_two_things_at_two_times_or_in_two_ranges():
    two_times = (Meaning(2, "aces", 3, when="opening"), Meaning(2, "runs", 1, when="after-partner"))
    two_ranges = (Meaning(2, "meld", None, 40), Meaning(2, "meld", 100))
    for jumps in (two_times, two_ranges):
        assert len(Convention("x", jumps=jumps).as_rows()) == 2


def test_only_calls_that_the_rules_allow_are_usable():
    club = PRESETS["club"]
    assert [jump.steps for jump in club.usable(Rules()).jumps] == [2]
    assert [jump.steps for jump in club.usable(Rules(jumps="any")).jumps] == [2, 3, 5]
    assert club.usable(RULES["pagat"]) == club
    assert [jump.steps for jump in club.usable(Rules(opening="any")).jumps] == [2, 3, 5, 15]
    assert club.usable(Rules(jumps="none", opening="minimum")).jumps == ()
    opening = PRESETS["angelfire"]
    assert opening.usable(Rules(jumps="any", opening="step")) == opening
    assert opening.usable(Rules(jumps="none")).jumps == ()
    assert opening.usable(Rules(opening="minimum")).jumps == ()
    assert PRESETS["trickster"].usable(Rules(jumps="none", opening="any")).jumps == ()
    dailey = PRESETS["dailey"]
    assert dailey.usable(Rules()) == dailey
    assert dailey.usable(Rules(pass_with_help="refuse")).pass_with_help is None
    assert check_convention(club, Rules()) == club.usable(Rules())
    assert check_convention("none", Rules()) == check_convention(None, Rules()) == PRESETS["none"]


@pytest.mark.parametrize("name", [*PRESETS, "meld-jump:150"])
def test_presets_survive_toml(name):
    convention = load_convention(name)
    text = convention.to_toml()
    assert Convention.from_toml(text) == convention
    tomllib.loads(text)
    long = [row for row in text.splitlines() if len(row) > 100]
    assert all(re.match("(about|source|text) = ", row) for row in long)


@given(conventions())
@settings(deadline=None)
def test_conventions_survive_toml(convention):
    assert Convention.from_toml(convention.to_toml()) == convention
    assert all("\n" not in jump.words() for jump in convention.jumps)


GOOD = "[[jump]]\nsteps = 2\nshows = 'aces'\nat_least = 3\n"


def test_toml_leaves_out_what_it_likes():
    assert Convention.from_toml("") == Convention("house")
    assert Convention.from_toml(GOOD) == Convention("house", jumps=(Meaning(2, "aces", 3),))
    inline = "jump = [{steps = 2, shows = 'aces', at_least = 3, at_most = 'none'}]"
    assert Convention.from_toml(inline) == Convention.from_toml(GOOD)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'x'\nnmae = 'y'", ":2: nmae: unknown key; did you mean name?"),
        ("'a b' = 1", ":1: 'a b': unknown key; expected one of: name, about, source, jump, "),
        ("name = 3", ":1: name: expected one line of text, at most 200 characters, found 3"),
        ("\nname = ''", ":2: name: expected one line of text, at most 200 characters, found ''"),
        ("jumps = 1", ":1: jumps: unknown key; did you mean jump?"),
        ("[[jumps]]\nsteps = 2", ":1: jumps: unknown key; did you mean jump?"),
        ("[jump]\nsteps = 2", ":1: jump: expected tables [[jump]], found a table"),
        ("jump = [3]", ":1: jump 1: expected a table, found 3"),
        ("pass_with_help = 'aces'", ":1: pass_with_help: expected a table, found 'aces'"),
        (GOOD + "\n[[jump]]\nshows = 'aces'", ":6: jump 2: steps: expected 2 to 50, found none"),
        (GOOD + "\n[[jump]]\nsteps = 1\nshows = 'aces'", ":7: jump 2: steps: expected 2 to 50"),
        (GOOD + "[[jump]]\nsteps = 3\nshows = 'acse'\n", ":7: jump 2: shows: expected meld, "),
        (GOOD + "at_most = 2\n", ":4: jump 1: at_least: expected no more than at_most, 2, found 3"),
        (GOOD + GOOD, ":5: jump 2: expected one meaning for a jump of 2 steps, found aces in a "),
        (GOOD + "atleast = 3", ":5: jump 1: atleast: unknown key; did you mean at_least?"),
        (
            GOOD + "[pass_with_help]\nshows = 'aces'\nsteps = 2",
            ":7: pass_with_help: steps: unknown key; expected one of: shows, at_least, at_most, ",
        ),
        (
            "[pass_with_help]\nshows = 'aces'\n" + GOOD,
            ":1: pass_with_help: at_least: expected a number of aces, or at_most, found none",
        ),
        ("[[jump]]\nsteps = 0\nshows = 'aces'\nat_least = 1", ":2: jump 1: steps: expected 2 to 5"),
        (" [[ jump ]]\n steps = 99\n shows = 'aces'", ":2: jump 1: steps: expected 2 to 50, f"),
        ("steps = ", ":1: not TOML: Invalid value"),
        (None, ": expected TOML text, found none"),
    ],
)
def test_toml_errors_name_file_and_line(text, message):
    assert error_of(Convention.from_toml, text, "ours.toml").startswith(f"ours.toml{message}")


def test_a_large_file_is_refused_at_once():
    text = "".join(f"[[jump]]\nsteps = 2\nshows = 'text'\ntext = '{i}'\n" for i in range(5000))
    assert "at most 32 jumps, found 5000" in error_of(Convention.from_toml, text)


def test_junk_is_one_line_of_error():
    text = PRESETS["club"].to_toml()
    generator = random.Random(7)
    for _ in range(300):
        at = generator.randrange(len(text))
        junk = text[:at] + generator.choice("[]=\"'#\n0x") + text[at + generator.randrange(9) :]
        try:
            message = Convention.from_toml(junk, "ours.toml").name
        except RulesError as error:
            message = str(error)
        assert message.isprintable()


def test_load_convention_from_a_file(tmp_path):
    path = tmp_path / "Ours.TOML"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_convention(str(path)).jumps == (Meaning(2, "aces", 3),)
    path.write_text("steps = 2")
    assert error_of(load_convention, str(path)).startswith(f"{path}:1: steps: unknown key")
    missing = str(tmp_path / "missing.toml")
    assert error_of(load_convention, missing) == (
        f"{missing}: cannot read the file: No such file or directory"
    )
