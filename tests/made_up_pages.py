"""Pages of every kind from results made by hand, and one in which every name is hostile."""

from __future__ import annotations

from dataclasses import replace

from test_jump_screens import made_up

from advisor.advice import BidAdvice
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.position import read_position
from advisor.jump_advice import HandCalls, UnderConvention
from advisor.league import League, play_league
from advisor.pricing import Estimate
from advisor.report import league
from advisor.report.html import Page, Section, Table
from advisor.report.html_batch import summary_page
from advisor.report.html_bid import bid_page
from advisor.report.html_jumps import comparison_page, hand_page
from advisor.report.html_league import league_page

COMMAND = 'advisor bid "AATKQJ.AK.QJ.T9" --seed 7'
# A name in a file of rules is one line that can be printed; ids and names of files may be anything.
HOSTILE_NAME = (
    "</script><script>document.title='run'</script><!--<img src=x onerror=\"document.title='run'\">"
    "'\"><svg onload=alert(1)>{{ 7 * 7 }}{% raw %}&lt;&amp;"
)
HOSTILE = f"{HOSTILE_NAME}\x1b[31m\x00\u2028\u202e"


def in_an_auction(advice: BidAdvice) -> BidAdvice:
    """Return the advice as an answer to an auction with a score."""
    win = Estimate(0.52, 0.001)
    decision = advice.decision
    options = [
        replace(option, win=Estimate(win.mean - i / 100, win.se))
        for i, option in enumerate(decision.options)
    ]
    asked = replace(
        decision,
        position=read_position(advice.rules, None, None, "250 P 270 P"),
        score=(900, 1100),
        options=tuple(options),
    )
    return replace(advice, decision=asked)


def hand_calls(advice: BidAdvice) -> HandCalls:
    """Return the calls of a hand under two conventions."""
    found = tuple(
        UnderConvention(CONVENTIONS[name], advice.decision, 260) for name in ("none", "dailey")
    )
    return HandCalls(advice, found)


def hostile_advice(advice: BidAdvice) -> BidAdvice:
    """Return the advice with every name that a user can give made hostile."""
    convention = replace(CONVENTIONS["dailey"], name=HOSTILE_NAME)
    rules = replace(advice.rules, name=HOSTILE_NAME, jump_meaning=HOSTILE_NAME, source=HOSTILE_NAME)
    asked = in_an_auction(replace(advice, rules=rules))
    return replace(asked, auctioned=replace(advice.auctioned, convention=convention))


def hostile_page(advice: BidAdvice) -> Page:
    """Return the page of the hostile advice, which a hostile command gives again."""
    return bid_page(hostile_advice(advice), HOSTILE)


def summary() -> dict[str, object]:
    """Return a summary of a file of hands, whose ids and mistakes come from anybody."""
    row = {
        "file": f"{HOSTILE}.csv", "line": 3, "id": HOSTILE, "hand": "AATKQJ.AK.QJ.T9", "trump": "S",
        "bid_over_pass": -3.2, "bid_over_pass_se": 8.0,
    }  # fmt: skip
    return {
        "schema": 1, "rows": 1000, "answered": 900, "bad": 100, "repeated": 7, "to_bid": 600,
        "share_to_bid": 2 / 3, "share_to_bid_se": 0.0157, "ceiling_mean": 331.4,
        "ceiling_mean_se": 2.1,
        "ceiling_quantiles": {"0.1": None, "0.5": 270, "0.9": 410},
        "ceilings": {"pass": 300, "250": 200, "260": 100, "400": 250, "900": 50},
        "suits": {"S": 300, "H": 100, "D": 150, "C": 50}, "close_calls": 31, "close_trumps": 12,
        "closest_in": "points", "closest_left_out": 3,
        "closest": [row, {**row, "line": 17, "id": None}],
        "mistakes": [
            {
                "message": f"expected {HOSTILE}", "count": 100, "first": ["a:2", "a:3"],
                "ids": [HOSTILE, None],
            }
        ],
    }  # fmt: skip


def batch_page() -> Page:
    """Return the page of the summary."""
    return summary_page(summary(), "advisor batch hands.csv --summary", [("File", HOSTILE)])


def ids_page() -> Page:
    """Return a page as a file of hands may have it, whose ids come from anybody."""
    rows = [[HOSTILE, "250"], ["2", "310"]]
    table = Table([HOSTILE, "bid"], rows, HOSTILE, best=1)
    return Page(
        title=HOSTILE,
        answer=HOSTILE,
        remarks=[HOSTILE],
        facts=[("File", HOSTILE)],
        sections=[Section(HOSTILE, [table])],
        reproduce=HOSTILE,
        data={"rows": [{HOSTILE: HOSTILE}]},
    )


def jumps_page(deals: int = 40_000, hands: str | None = None) -> Page:
    """Return the page of thresholds, one of which is tied."""
    found, asked = made_up("meld", (40, 60, 80), (), [0, 1.42, 1.3, -2.1], deals=deals, hands=hands)
    return comparison_page(found, asked, "advisor jumps --seed 7 --matrix")


def a_league(deals: int = 20) -> Page:
    """Return the page of a small league that was played."""
    contest = League.of(["advisor", "b1", "b10"], seed=7)
    return league_page(contest, play_league(contest, deals), league.Asked(deals))


def page_of_bid(advice: BidAdvice) -> Page:
    """Return the page of an advice."""
    return bid_page(advice, COMMAND)


def page_of_calls(advice: BidAdvice) -> Page:
    """Return the page of the calls of a hand."""
    return hand_page(hand_calls(advice), "advisor jumps HAND --seed 7")
