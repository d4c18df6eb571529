"""The machine-readable output: its keys and types, which never change, and nothing unreadable."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

import advisor
from advisor import Hand, Rules
from advisor.advice import BidAdvice
from advisor.cli import app
from advisor.game.meld import score_meld
from advisor.report import data

HAND = "AATKQJ.AK.QJ.T9"
RUNNER = CliRunner()
# A type, a set of allowed words, a list of one schema, or a mapping; "key?" may be absent, and
# "*" stands for any key.
Schema = Any
Number = (int, float)

MELD_ITEM: Schema = {"name": str, "suit?": set("SHDC"), "points": int}
MELD: Schema = {"total": int, "items": [MELD_ITEM]}
MELDS: Schema = {
    "schema": int,
    "hand": str,
    "rules": str,
    "settings": {"*": (int, str, bool, type(None))},
    "melds": {"*": MELD},
}
BY_BID: Schema = {"*": (*Number, type(None))}
TRUMP: Schema = {
    "trump": set("SHDC"),
    "meld": int,
    "team_meld": Number,
    "team_meld_se": (*Number, type(None)),
    "tricks": Number,
    "tricks_se": (*Number, type(None)),
    "score": Number,
    "score_se": (*Number, type(None)),
    "score_sd": (*Number, type(None)),
    "quartiles": [int],
    "histogram": {"start": int, "width": int, "counts": [int]},
    "samples": int,
    "dropped": bool,
    "ceiling": (int, type(None)),
    "behind": Number,
    "behind_se": (*Number, type(None)),
    "tied": bool,
    "p_make": BY_BID,
    "p_make_se": BY_BID,
    "take": BY_BID,
    "take_se": BY_BID,
}
LOWER: Schema = {"trump": set("SHDC"), "bid": int, "lead": Number, "lead_se": Number}
FORCED: Schema = {
    "trump": set("SHDC"),
    "bid": int,
    "p_make": Number,
    "p_make_se": (*Number, type(None)),
    "take": Number,
    "take_se": (*Number, type(None)),
}
ACTIONS = {"pass", "pass_with_help", "raise", "jump"}
SHARES: Schema = {"*": Number}
OPTION: Schema = {
    "action": ACTIONS,
    "call": (int, type(None)),
    "over_partner": bool,
    "value": Number,
    "value_se": (*Number, type(None)),
    "win?": Number,
    "win_se?": (*Number, type(None)),
    "behind": Number,
    "behind_se": (*Number, type(None)),
    "tied": bool,
    "ours": Number,
    "partners": Number,
    "theirs": Number,
    "contract": Number,
    "our_contract": Number,
}
FIGURE: Schema = {
    "mean": Number,
    "mean_se": (*Number, type(None)),
    "usual": Number,
    "usual_se": (*Number, type(None)),
}
INFERENCE: Schema = {
    "seat": int,
    "who": {"left", "partner", "right"},
    "calls": [str],
    "jump": bool,
    "agreed": str,
    "explained": Number,
    "figures": {"*": FIGURE},
}
BID: Schema = {
    "schema": int,
    "version": str,
    "hand": str,
    "rules": str,
    "settings": {"*": (int, str, bool, type(None))},
    "engine": str,
    "correction": (int, type(None)),
    "seed": int,
    "samples": int,
    "suggestion": {
        "action": {"bid", "pass"},
        "trump": set("SHDC"),
        "bid": (int, type(None)),
        "ceiling": (int, type(None)),
        "safe": (int, type(None)),
        "standard": (int, type(None)),
        "suggested": (int, type(None)),
        "settled": bool,
        "at": int,
        "may_name": bool,
        "lower": (type(None), LOWER),
        "forced": (type(None), FORCED),
    },
    "auction": [str],
    "seat": int,
    "score": (type(None), [int]),
    "convention": str,
    "action": ACTIONS,
    "call": (int, type(None)),
    "options": [OPTION],
    "defend": BY_BID,
    "defend_se": BY_BID,
    "win_probability": (type(None), SHARES),
    "win_probability_se": (type(None), SHARES),
    "inference": [INFERENCE],
    "inference_used": bool,
    "deals_kept": Number,
    "deals_exhausted": bool,
    "dead": Number,
    "dead_se": (*Number, type(None)),
    "dead_cost": Number,
    "dead_cost_se": (*Number, type(None)),
    "trumps": [TRUMP],
    "notes": [str],
    "reproduce": str,
    "explanation?": {"*": object},
}


def mismatches(value: Any, schema: Schema, where: str = "$") -> list[str]:
    """Return where a value departs from a schema."""
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return [f"{where}: not an object"]
        if "*" in schema:
            return [m for k, v in value.items() for m in mismatches(v, schema["*"], f"{where}.{k}")]
        names = {key.rstrip("?"): part for key, part in schema.items()}
        found = [f"{where}.{key}: unknown" for key in value.keys() - names.keys()]
        found += [
            f"{where}.{key}: missing" for key in schema if key[-1] != "?" and key not in value
        ]
        for key in value.keys() & names.keys():
            found += mismatches(value[key], names[key], f"{where}.{key}")
        return found
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{where}: not a list"]
        return [m for i, v in enumerate(value) for m in mismatches(v, schema[0], f"{where}[{i}]")]
    if isinstance(schema, set):
        return [] if value in schema else [f"{where}: {value!r}"]
    if isinstance(schema, tuple) and not all(isinstance(part, type) for part in schema):
        every = [mismatches(value, part, where) for part in schema]
        return [] if [] in every else every[-1]
    kinds = schema if isinstance(schema, tuple) else (schema,)
    # A bool is an int to isinstance, and not what a number is declared as.
    good = isinstance(value, kinds) and (type(value) is not bool or {bool, object} & {*kinds})
    return [] if good else [f"{where}: {value!r}"]


def no_constants(name: str) -> Any:
    raise AssertionError(f"{name} is not JSON")


def run_json(*args: str) -> dict[str, Any]:
    result = RUNNER.invoke(app, list(args))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 1
    value: dict[str, Any] = json.loads(result.stdout, parse_constant=no_constants)
    return value


def test_checker_finds_what_is_wrong() -> None:
    schema = {"a": int, "b?": [{"c": {"x"}}], "d": bool}
    assert mismatches({"a": 1, "b": [{"c": "x"}], "d": True}, schema) == []
    wrong = mismatches({"a": True, "b": [{"c": "y"}], "e": 0}, schema)
    assert sorted(wrong) == ["$.a: True", "$.b[0].c: 'y'", "$.d: missing", "$.e: unknown"]


def test_meld_object() -> None:
    value = run_json("meld", HAND, "--format", "json")
    assert mismatches(value, MELDS) == []
    assert list(value)[:3] == ["schema", "hand", "rules"]
    assert value["schema"] == 1
    assert (value["hand"], value["rules"], value["settings"]) == (HAND, "cardgames", {})
    assert list(value["melds"]) == ["S", "H", "D", "C"]
    assert value["melds"]["S"] == {
        "total": 190,
        "items": [
            {"name": "run", "suit": "S", "points": 150},
            {"name": "pinochle", "points": 40},
        ],
    }


def test_meld_object_is_times_ten_on_every_scale() -> None:
    value = run_json("meld", HAND, "--json", "--rules", "neuralplay", "--trump", "spades")
    assert value["melds"] == {"S": run_json("meld", HAND, "--json")["melds"]["S"]}


def test_changed_rules_keep_their_name() -> None:
    value = run_json(
        "meld", HAND, "--json", "--rules", "pagat", "--set", "pass=3", "--set", "scale=10"
    )
    assert value["rules"] == "pagat"
    assert value["settings"] == {"pass": 3}


@pytest.mark.parametrize("name", ["clear_advice", "pass_advice", "tied_advice", "one_deal_advice"])
@pytest.mark.parametrize("explain", [False, True])
def test_bid_object(name: str, explain: bool, request: pytest.FixtureRequest) -> None:
    advice: BidAdvice = request.getfixturevalue(name)
    text = data.to_json(data.bid_object(advice, "advisor bid", explain=explain))
    value = json.loads(text, parse_constant=no_constants)
    assert mismatches(value, BID) == []
    assert ("explanation" in value) == explain
    assert value["hand"] == str(advice.hand)
    for item, estimate in zip(value["trumps"], advice.trumps, strict=True):
        assert [int(bid) for bid in item["p_make"]] == list(estimate.p_make)
        assert list(item["p_make"]) == list(item["p_make_se"]) == list(item["take"])
        # Unrounded: what was computed, to the last bit.
        assert item["score"] == estimate.score.mean
        assert list(item["p_make"].values()) == [p.mean for p in estimate.p_make.values()]


def test_what_is_not_a_number_is_null(one_deal_advice: BidAdvice) -> None:
    value = json.loads(data.to_json(data.bid_object(one_deal_advice, "")))
    trump = value["trumps"][0]
    assert trump["score_se"] is None
    assert set(trump["p_make_se"].values()) == {None}


def test_bid_object_of_a_real_run() -> None:
    value = run_json("bid", HAND, "--samples", "64", "--seed", "3", "--json", "--explain")
    assert mismatches(value, BID) == []
    assert (value["schema"], value["version"]) == (1, advisor.__version__)
    assert (value["seed"], value["samples"], value["engine"]) == (3, 64, "lite")
    assert sorted(item["trump"] for item in value["trumps"]) == ["C", "D", "H", "S"]
    assert value["trumps"][0]["trump"] == value["suggestion"]["trump"]
    for item in value["trumps"]:
        bids = [int(bid) for bid in item["p_make"]]
        assert bids == list(range(250, bids[-1] + 1, 10))
        chances = list(item["p_make"].values())
        assert all(0 <= p <= 1 for p in chances)
        assert chances == sorted(chances, reverse=True)


def test_bid_object_of_one_deal() -> None:
    value = run_json("bid", HAND, "--samples", "1", "--json", "--trump", "S")
    assert mismatches(value, BID) == []
    assert value["trumps"][0]["score_se"] is None


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_bid_csv(clear_advice: BidAdvice, one_deal_advice: BidAdvice) -> None:
    text = data.bid_csv(clear_advice)
    assert text.splitlines()[0] == (
        "hand,rules,engine,correction,seed,action,advised,trump,meld,team_meld,team_meld_se,tricks,"
        "tricks_se,score,score_se,score_sd,samples,dropped,ceiling,behind,behind_se,minimum,"
        "p_make_minimum,p_make_minimum_se,take_minimum,take_minimum_se,auction,call_action,call"
    )
    table = rows(text)
    assert [row["trump"] for row in table] == ["S", "C", "H", "D"]
    assert [row["advised"] for row in table] == ["true", "false", "false", "false"]
    assert [row["dropped"] for row in table] == ["false", "true", "true", "true"]
    assert float(table[0]["score"]) == clear_advice.trumps[0].score.mean
    assert rows(data.bid_csv(one_deal_advice))[0]["score_se"] == ""


def test_meld_csv() -> None:
    result = RUNNER.invoke(app, ["meld", HAND, "--format", "csv"])
    table = rows(result.stdout)
    assert result.stdout.splitlines()[0] == "hand,rules,trump,meld,items"
    assert [row["trump"] for row in table] == list("SHDC")
    assert table[0]["items"] == "run S 150; pinochle 40"


@pytest.mark.parametrize("rules", [Rules(), Rules(pass_cards=3, step_change_at=600, step_above=50)])
def test_rules_object(rules: Rules) -> None:
    value = json.loads(data.to_json(data.rules_object(rules)))
    assert (
        mismatches(value, {"schema": int, "rules": str, "source": str, "settings": {"*": object}})
        == []
    )
    again = Rules().replace(**value["settings"])
    assert again == rules


def test_melds_are_the_same_in_every_format() -> None:
    hand, rules = Hand.parse("KQ9.KQ.KQ.KQ9JJ"), Rules()
    melds = {suit: score_meld(hand, suit, rules) for suit in range(4)}
    value = json.loads(data.to_json(data.melds_object(hand, rules, melds)))
    table = rows(data.melds_csv(hand, rules, melds))
    for suit, row in zip("SHDC", table, strict=True):
        assert value["melds"][suit]["total"] == int(row["meld"])
        assert sum(item["points"] for item in value["melds"][suit]["items"]) == int(row["meld"])


def test_same_bytes_twice() -> None:
    args = ["bid", HAND, "--samples", "40", "--json"]
    first: Callable[[], str] = lambda: RUNNER.invoke(app, args).stdout  # noqa: E731
    assert first() == first()
    assert RUNNER.invoke(app, [*args, "--threads", "1"]).stdout == first()
