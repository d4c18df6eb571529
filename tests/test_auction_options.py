"""The options of an auction: values, errors, the environment, scores on the scale of the rules."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner, Result

from advisor.cli.auction_options import (
    AuctionOption,
    ConventionOption,
    DealerOption,
    NoInferenceOption,
    ScoreOption,
    SeatOption,
    convention_of,
    read_score,
    read_seat,
)
from advisor.cli.shell import Group, HandCommand
from advisor.errors import AdvisorError, ExitCode
from advisor.game.rules import Rules

RUNNER = CliRunner()


def error_of(make, *args, **kwargs):
    with pytest.raises(AdvisorError) as caught:
        make(*args, **kwargs)
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 300
    return text


options = typer.Typer(cls=Group, rich_markup_mode=None)


@options.command("try", cls=HandCommand)
def _try(
    ctx: typer.Context,
    seat: SeatOption = None,
    dealer: DealerOption = None,
    auction: AuctionOption = None,
    convention: ConventionOption = "none",
    no_inference: NoInferenceOption = False,
    score: ScoreOption = None,
) -> None:
    typer.echo(
        json.dumps(
            {
                "seat": seat if seat is None else read_seat(seat),
                "dealer": dealer,
                "auction": auction,
                "convention": convention_of(ctx, convention).name,
                "no_inference": no_inference,
                "score": score if score is None else read_score(score, Rules()),
            }
        )
    )


@options.command("other")
def _other() -> None:
    """Make a group of the program."""


def tried(*args: str, **environment: str) -> Result:
    return RUNNER.invoke(options, ["try", *args], env={"PINOCHLE_CONVENTION": None, **environment})


def test_options_without_values():
    assert json.loads(tried().stdout) == {
        "seat": None,
        "dealer": None,
        "auction": None,
        "convention": "none",
        "no_inference": False,
        "score": None,
    }


@pytest.mark.parametrize("score", [("-120", "300"), ("0", "1490"), ("-10000", "-10")])
def test_scores_may_be_negative(score):
    found = json.loads(tried("--score", *score, "--seat", "2").stdout)
    assert found["score"] == [int(points) for points in score]
    assert found["seat"] == 2


def test_auctions_may_begin_with_a_dash():
    result = tried("--auction", "- 250", "--convention", "Dailey", "--no-inference")
    found = json.loads(result.stdout)
    assert (found["auction"].strip(), found["convention"]) == ("- 250", "dailey")
    assert found["no_inference"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--seat", "0"], "seat: expected a whole number from 1 to 4, found 0"),
        (["--seat", "me"], "seat: expected a whole number from 1 to 4, found 'me'"),
        (
            ["--score", "100"],
            "score: expected two numbers, ours first, such as --score 900 1100, found 100 alone",
        ),
        *(
            (
                words,
                "score: expected two numbers apart, ours first: --score 1200 1350, found "
                f"'{found}'",
            )
            for found in ("1200-1350", "1200,1350", "1200 1350", "1200–1350", "1200 - 1350")
            for words in (["--score", found], [f"--score={found}"], ["--score", found, "--seat=2"])
        ),
        (
            ["--score", "-120--300"],
            "score: expected two numbers apart, ours first: --score -120 -300, found '-120--300'",
        ),
        (
            ["--score", "x", "0"],
            "score: expected a whole number from -100000 to 100000, found 'x'",
        ),
        (
            ["--score", "-.", "0"],
            "score: expected a whole number from -100000 to 100000, found '-.'",
        ),
        (
            ["--score", "0", "-100010"],
            "score: expected a whole number from -100000 to 100000, found -100010",
        ),
        (["--score", "0", "125"], "score: expected points in steps of 10, found 125"),
        (
            ["--score", "1500", "0"],
            "score: expected both sides below the target of 1500, found 1500 and 0: the game is "
            "over",
        ),
        (
            ["--score", "1600", "1700"],
            "score: expected both sides below the target of 1500, found 1600 and 1700: the game "
            "is over",
        ),
    ],
)
def test_option_errors_are_one_line(args, message):
    result = tried(*args)
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr == f"Error: {message}\n"


def test_two_values_need_no_pydantic():
    # A command of the program's own classes, and a type that Typer would convert.
    code = """
import sys
import typer
from advisor.cli.auction_options import ScoreOption
from advisor.cli.shell import Command, Group
app = typer.Typer(cls=Group)
app.command("a", cls=Command)(lambda: None)
def score(score: ScoreOption = None) -> None:
    print(score, [name for name in ("numpy", "numba", "rich", "pydantic") if name in sys.modules])
app.command("b", cls=Command)(score)
app(["b", "--score", "-10", "-20"])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert result.stdout.decode().strip() == "('-10', '-20') []"


def test_errors_name_the_environment_variable():
    result = tried(PINOCHLE_CONVENTION="meld-jump:5")
    assert result.stderr.startswith("Error: PINOCHLE_CONVENTION: expected meld-jump:N with N 10 ")
    assert json.loads(tried(PINOCHLE_CONVENTION="club").stdout)["convention"] == "club"
    assert tried("--convention", "x", PINOCHLE_CONVENTION="y").stderr.startswith(
        "Error: convention: expected none"
    )


def test_options_have_their_own_group_in_the_help():
    text = tried("--help").stdout
    assert text.index("Auction:") < text.index("--seat 1|2|3|4") < text.index("Options:")
    assert "--score US THEM" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("rules", "pair", "points"),
    [
        (Rules(scale=1), ("-12", "149"), (-120, 1490)),
        (Rules(scale=1), ("-1000", "0"), (-10000, 0)),
        (Rules(card_points="11-10-4-3-2"), ("123", "-7"), (123, -7)),
        (Rules(card_points="10-10-5-5"), ("125", "5"), (125, 5)),
        (Rules(target=5000), (" 4990 ", "0"), (4990, 0)),
    ],
)
def test_scores_on_the_scale_of_the_rules(rules, pair, points):
    assert read_score(pair, rules) == points


@pytest.mark.parametrize(
    ("rules", "pair"),
    [
        (Rules(scale=1), ("150", "0")),
        (Rules(scale=1), ("-10001", "0")),
        (Rules(card_points="10-10-5-5"), ("123", "0")),
        (Rules(), ("٣", "0")),
        (Rules(), ("-0", "0")),
        (Rules(), ("1_0", "0")),
    ],
)
def test_what_is_no_score(rules, pair):
    assert error_of(read_score, pair, rules).startswith("score: expected")
