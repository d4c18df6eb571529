import dataclasses
import os
import tomllib
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import AdvisorError, RulesError
from advisor.game.cards import Hand
from advisor.game.meld import score_meld
from advisor.game.rules import (
    PRESETS,
    SETTINGS,
    Rules,
    apply_settings,
    check_rules,
    get_rules,
    load_rules,
)

FIELDS = {item.name: item for item in dataclasses.fields(Rules)}
CHOICES = {
    name: item.metadata["allowed"]
    for name, item in FIELDS.items()
    if isinstance(item.metadata["allowed"], tuple)
}
line = st.text(st.characters(categories=["L", "N", "P", "S"], include_characters=" "), max_size=60)


@st.composite
def house_rules(draw):
    changes = {name: draw(st.sampled_from(allowed)) for name, allowed in CHOICES.items()}
    minimum = 10 * draw(st.integers(1, 150))
    step = 10 * draw(st.integers(1, 25))
    if draw(st.booleans()):
        changes["step_change_at"] = minimum + step * draw(st.integers(1, 10))
        changes["step_above"] = 10 * draw(st.integers(1, 50))
    return Rules(
        name=draw(line.filter(str.strip)),
        source=draw(line.filter(str.strip)),
        jump_meaning=draw(line),
        minimum=minimum,
        forced_bid=10 * draw(st.integers(1, minimum // 10)),
        step=step,
        roundhouse_bonus=10 * draw(st.integers(0, 100)),
        last_trick=10 * draw(st.integers(0, 10)),
        target=10 * draw(st.integers(10, 10_000)),
        **changes,
    )


def error_of(make, *args, **kwargs):
    with pytest.raises(RulesError) as caught:
        make(*args, **kwargs)
    text = str(caught.value)
    assert "\n" not in text
    assert text.isprintable()
    return text


def test_presets():
    assert list(PRESETS) == ["cardgames", "gamerules", "pagat", "neuralplay", "classic"]
    assert PRESETS["cardgames"] == Rules()
    for name, rules in PRESETS.items():
        assert rules.name == name
        assert "http" in rules.source
        assert rules.trick_total == 250
        assert get_rules(f" {name.upper()} ") is rules
    assert not isinstance(PRESETS, dict)
    assert isinstance(PRESETS, Mapping)
    base = PRESETS["cardgames"]
    assert PRESETS["gamerules"].differences(base) == {
        "pass_with_help": "advise",
        "marriages_around_named": True,
        "throw_in": "from-250",
    }
    assert PRESETS["neuralplay"].differences(base) == {
        "step_change_at": 600,
        "step_above": 50,
        "pass_with_help": "refuse",
        "tie_rule": "highest",
        "scale": 1,
    }
    assert PRESETS["classic"].differences(base) == {
        "minimum": 200,
        "forced_bid": 200,
        "pass": 3,
        "target": 5000,
        "scale": 1,
    }
    assert PRESETS["pagat"].differences(base) == {
        "jumps": "any",
        "opening": "any",
        "pass_with_help": "advise",
        "run_extras": True,
        "save_meld_bidder": False,
        "dix_saves": True,
        "throw_in": "any",
    }


def test_rules_are_values():
    assert Rules() == Rules()
    assert hash(Rules(pass_cards=3)) == hash(Rules().replace(**{"pass": 3}))
    assert len({Rules(), Rules(), Rules(step=20)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().step = 20  # type: ignore[misc]


@pytest.mark.parametrize("card_points", CHOICES["card_points"])
def test_card_points_make_240(card_points):
    points = Rules(card_points=card_points).rank_points
    assert sum(points) * 2 * 4 == 240
    assert list(points) == sorted(points)
    assert Rules(card_points=card_points, last_trick=0).trick_total == 240


def test_every_setting_is_documented():
    assert [setting.key for setting in SETTINGS] == list(Rules().as_settings())
    for setting, item in zip(SETTINGS, FIELDS.values(), strict=True):
        assert setting.help.endswith(".")
        assert setting.allowed
        assert setting.row or setting.key in ("name", "source")
        assert setting.default == getattr(Rules(), item.name)
    # The rows that the rules reference marks as worth a switch.
    rows = {row for setting in SETTINGS for row in setting.row.split(", ")}
    assert rows >= {"1", "2", "3", "4", "6", "7", "8", "9", "12", "13", "14", "17", "25"}
    assert rows >= {"26-30", "33", "34", "35", "36", "38", "40", "41", "42", "43"}


def test_every_choice_is_named_in_its_help():
    for name, allowed in CHOICES.items():
        if isinstance(allowed[0], str) and name != "card_points":
            for choice in set(allowed) - {"none"}:
                assert f"{choice} =" in FIELDS[name].metadata["help"], name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pass_cards": 5}, "pass: expected 0, 2, 3 or 4, found 5"),
        ({"pass": True}, "pass: expected 0, 2, 3 or 4, found true"),
        ({"pass": "4"}, "pass: expected 0, 2, 3 or 4, found '4'"),
        ({"minimum": 255}, "minimum: expected 10 to 1500 in steps of 10, found 255"),
        ({"minimum": 0}, "minimum: expected 10 to 1500 in steps of 10, found 0"),
        ({"minimum": -250}, "minimum: expected 10 to 1500 in steps of 10, found -250"),
        ({"minimum": 250.0}, "minimum: expected 10 to 1500 in steps of 10, found 250.0"),
        ({"minimum": float("nan")}, "minimum: expected 10 to 1500 in steps of 10, found nan"),
        ({"minimum": float("inf")}, "minimum: expected 10 to 1500 in steps of 10, found inf"),
        ({"minimum": None}, "minimum: expected 10 to 1500 in steps of 10, found none"),
        ({"minimum": [250]}, "minimum: expected 10 to 1500 in steps of 10, found a list"),
        (
            {"minimum": 10**5000},
            "minimum: expected 10 to 1500 in steps of 10, found a number of 16610 bits",
        ),
        ({"minimum": {}}, "minimum: expected 10 to 1500 in steps of 10, found a table"),
        (
            {"pass": 3, "pass_cards": 3},
            "pass_cards: given twice, as pass and pass_cards are the same rule",
        ),
        ({"run_extras": 1}, "run_extras: expected true or false, found 1"),
        ({"run_extras": "yes"}, "run_extras: expected true or false, found 'yes'"),
        (
            {"heading": "trump-lead"},
            "heading: expected always, trump-leads or after-ruff, found 'trump-lead'; "
            "did you mean trump-leads?",
        ),
        ({"heading": ""}, "heading: expected always, trump-leads or after-ruff, found ''"),
        ({"heading": None}, "heading: expected always, trump-leads or after-ruff, found none"),
        ({"scale": 100}, "scale: expected 10 or 1, found 100"),
        ({"step_above": 55}, "step_above: expected 10 to 500 in steps of 10, or none, found 55"),
        ({"name": ""}, "name: expected one line of text, at most 200 characters, found ''"),
        ({"name": " "}, "name: expected one line of text, at most 200 characters, found ' '"),
        (
            {"jump_meaning": "a\nb"},
            "jump_meaning: expected one line of text, at most 200 characters, found 'a\\nb'",
        ),
        ({"source": 3}, "source: expected one line of text, at most 200 characters, found 3"),
        ({"heding": "any"}, "heding: unknown rule; did you mean heading?"),
        (
            {"minimum": 200, "forced_bid": 250},
            "forced_bid: expected at most the minimum of 200, found 250: a dealer cannot be "
            "forced higher than he could have opened",
        ),
        (
            {"step_change_at": 600},
            "step_above: expected a number, as step_change_at is given, found none",
        ),
        (
            {"step_above": 50},
            "step_change_at: expected a number, as step_above is given, found none",
        ),
        (
            {"step_change_at": 250, "step_above": 50},
            "step_change_at: expected a bid above the minimum of 250 that steps of 10 reach, "
            "found 250",
        ),
        (
            {"step_change_at": 600, "step_above": 50, "step": 20},
            "step_change_at: expected a bid above the minimum of 250 that steps of 20 reach, "
            "found 600",
        ),
    ],
)
def test_impossible_settings(changes, message):
    assert error_of(Rules().replace, **changes) == message


def test_a_long_word_is_cut_short_in_messages():
    assert len(error_of(Rules, heading="x" * 10_000)) < 200
    assert len(error_of(get_rules, "x" * 10_000)) < 200


def test_unknown_names():
    assert error_of(get_rules, "gamerule") == (
        "rules: expected cardgames, gamerules, pagat, neuralplay or classic, found 'gamerule'; "
        "did you mean gamerules?"
    )
    assert "expected one of: name, source, minimum" in error_of(apply_settings, Rules(), ["zzz=1"])
    assert error_of(get_rules, "").endswith("found ''")
    assert issubclass(RulesError, AdvisorError)


@pytest.mark.parametrize("name", ["/etc/passwd", "house", "", None, 3])
def test_what_is_no_preset_could_have_been_a_file(name):
    text = error_of(load_rules, name)
    assert "neuralplay, classic or a file ending in .toml, found" in text


def test_rules_by_every_name():
    assert check_rules(None) == Rules()
    assert check_rules(" PAGAT") is PRESETS["pagat"]
    mine = Rules(pass_cards=3)
    assert check_rules(mine) is mine
    hand = Hand.parse("AATKKQJ.AK.QJ.T")
    assert score_meld(hand, 0, "pagat") == score_meld(hand, 0, PRESETS["pagat"])
    assert score_meld(hand, 0, "pagat") != score_meld(hand, 0)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"pass": 3}, "a table"),
        (3, "3"),
        (True, "true"),
        (Rules, "a type"),
        ("house", "'house'"),
        ("pagatt", "'pagatt'; did you mean pagat?"),
    ],
)
def test_what_is_no_rules(value, found):
    message = f"rules: expected Rules or the name of a preset, found {found}"
    assert error_of(check_rules, value) == message
    assert error_of(score_meld, Hand.parse("AK.-.-.-"), 0, value) == message


def test_a_lowered_minimum_takes_the_forced_bid_with_it():
    assert Rules().replace(minimum=200).forced_bid == 200
    assert Rules().replace(minimum=300).forced_bid == 250
    assert apply_settings(Rules(), ["minimum=200", "forced_bid=150"]).forced_bid == 150


def test_all_passed_and_dealt_again_needs_no_forced_bid():
    assert Rules(minimum=200, all_pass="redeal").minimum == 200


def test_apply_settings():
    rules = apply_settings(
        Rules(),
        [
            "pass=3",
            " heading = Trump-Leads ",
            "run-extras=yes",
            "save_meld_bidder=OFF",
            "step_change_at=600",
            "step_above=50",
            "misdeal=none",
            "jump_meaning=Aces Around, a=b",
        ],
    )
    assert rules.differences(Rules()) == {
        "pass": 3,
        "heading": "trump-leads",
        "run_extras": True,
        "save_meld_bidder": False,
        "step_change_at": 600,
        "step_above": 50,
        "jump_meaning": "Aces Around, a=b",
    }
    back = apply_settings(rules, ["step_change_at=none", "step_above=None", "pass_cards=4"])
    assert (back.step_change_at, back.step_above, back.pass_cards) == (None, None, 4)
    assert apply_settings(rules, []) == rules
    assert apply_settings(rules, ["pass=2", "pass=0"]).pass_cards == 0


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("pass", "setting: expected KEY=VALUE such as pass=3, found 'pass'"),
        ("=3", "setting: expected KEY=VALUE such as pass=3, found '=3'"),
        ("", "setting: expected KEY=VALUE such as pass=3, found ''"),
        ("pass=", "pass: expected 0, 2, 3 or 4, found ''"),
        ("pass=3.0", "pass: expected 0, 2, 3 or 4, found '3.0'"),
        ("pass=٣", "pass: expected 0, 2, 3 or 4, found '٣'"),
        ("step=nan", "step: expected 10 to 250 in steps of 10, found 'nan'"),
        ("run_extras=maybe", "run_extras: expected true or false, found 'maybe'"),
        ("haeding=any", "haeding: unknown rule; did you mean heading?"),
    ],
)
def test_settings_that_cannot_be_read(setting, message):
    assert error_of(apply_settings, Rules(), [setting]) == message


@given(st.text(max_size=30))
def test_any_text_is_a_setting_or_one_line_of_error(text):
    try:
        message = apply_settings(Rules(), [text]).name
    except RulesError as error:
        message = str(error)
    assert message.isprintable()


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_toml(name):
    text = PRESETS[name].to_toml()
    assert Rules.from_toml(text) == PRESETS[name]
    assert Rules.from_toml('base = "neuralplay"\n' + text) == PRESETS[name]
    assert set(tomllib.loads(text)) == set(Rules().as_settings())
    assert all(len(row) <= 100 for row in text.splitlines() if not row.startswith("source"))


@given(house_rules())
@settings(deadline=None)
def test_house_rules_survive_toml_and_settings(rules):
    assert Rules.from_toml(rules.to_toml()) == rules
    assert Rules().replace(**rules.as_settings()) == rules
    words = [
        f"{key}={'none' if value is None else value}" for key, value in rules.as_settings().items()
    ]
    again = apply_settings(PRESETS["neuralplay"], words)
    assert again.differences(rules).keys() <= {"jump_meaning"}  # outer spaces are dropped
    base = PRESETS["pagat"]
    assert base.replace(**rules.differences(base)).differences(rules) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pass = 3\nscale = 5\n", "house.toml:2: scale: expected 10 or 1, found 5"),
        ("\n\npass_cards = 9", "house.toml:3: pass: expected 0, 2, 3 or 4, found 9"),
        ("pass = 3\nscael = 1", "house.toml:2: scael: unknown rule; did you mean scale?"),
        ("pass = \n", "house.toml:1: not TOML: Invalid value"),
        ("pass = 3\npass = 4", "house.toml:2: expected each name once, found one again"),
        (
            "pass = 3\nscale = 1\npass_cards = 3",
            "house.toml:3: pass_cards: given twice, as pass and pass_cards are the same rule",
        ),
        ("[pass]\nx = 1", "house.toml: pass: expected 0, 2, 3 or 4, found a table"),
        (None, "house.toml: expected TOML text, found none"),
        (b"pass = 3", "house.toml: expected TOML text, found a bytes"),
        ('name = "x', "house.toml:1: not TOML: Unterminated string"),
        (
            "minimum = nan",
            "house.toml:1: minimum: expected 10 to 1500 in steps of 10, found nan",
        ),
        ("run_extras = 1", "house.toml:1: run_extras: expected true or false, found 1"),
        (
            'base = "pagatt"',
            "house.toml:1: base: expected cardgames, gamerules, pagat, neuralplay or classic, "
            "found 'pagatt'; did you mean pagat?",
        ),
        (
            "base = 3",
            "house.toml:1: base: expected cardgames, gamerules, pagat, neuralplay or classic, "
            "found 3",
        ),
        (
            "minimum = 200\nforced_bid = 250",
            "house.toml:2: forced_bid: expected at most the minimum of 200, found 250: a dealer "
            "cannot be forced higher than he could have opened",
        ),
    ],
)
def test_toml_errors_name_file_and_line(text, message):
    assert error_of(Rules.from_toml, text, "house.toml") == message


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000, "step = " + "9" * 5000, "[rules]\npass = 3", '"a\\nb" = 1']
)
def test_odd_toml_is_one_line_of_error(text):
    assert error_of(Rules.from_toml, text, "house.toml").startswith("house.toml")


def test_load_rules(tmp_path):
    path = tmp_path / "House.TOML"
    path.write_bytes("\ufeffbase = 'classic'\r\npass = 2\r\n".encode())
    assert load_rules(str(path)) == PRESETS["classic"].replace(pass_cards=2)
    assert load_rules("pagat") is PRESETS["pagat"]
    path.write_bytes(b"pass = 2\nname = '\xff'\n")
    assert error_of(load_rules, str(path)) == f"{path}:2: expected UTF-8 text"
    path.write_bytes(b"#" * 1_000_001)
    assert error_of(load_rules, str(path)).endswith("expected a file of at most 1000000 bytes")
    missing = str(tmp_path / "missing.toml")
    assert error_of(load_rules, missing) == (
        f"{missing}: cannot read the file: No such file or directory"
    )
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert error_of(load_rules, str(folder)) == (
        f"{folder}: cannot read the file: it is a directory"
    )
    assert "not the name of a file" in error_of(load_rules, "a\0b.toml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_rules_file(tmp_path):
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    # Nobody writes into it, so opening it would wait for ever.
    assert error_of(load_rules, str(path)) == (
        f"{path}: cannot read the file: it is not a regular file"
    )
