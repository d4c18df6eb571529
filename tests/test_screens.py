"""What the screens look like, and that no screen says more than is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor import Hand, Rules
from advisor.advice import BidAdvice
from advisor.game.meld import score_meld
from advisor.game.position import read_position
from advisor.game.rules import PRESETS
from advisor.pricing import Estimate
from advisor.report.answer import cautions
from advisor.report.data import bid_object
from advisor.report.frame import meld_text, rules_text
from advisor.report.html_bid import bid_page
from advisor.report.look import Look
from advisor.report.meld import meld_markdown, meld_screen
from advisor.report.rules import rules_list, rules_table
from advisor.report.table import bid_markdown, bid_screen, reproduce, three_bids
from advisor.report.why import bids_cells, named_bids

Golden = Callable[[str, str], None]
COMMAND = 'advisor bid "..." --seed 7'
ADVICES = ("clear_advice", "pass_advice", "tied_advice", "one_deal_advice")
ASCII = Look(symbols=False)


@pytest.fixture(params=ADVICES)
def advice(request: pytest.FixtureRequest) -> BidAdvice:
    made: BidAdvice = request.getfixturevalue(request.param)
    return made


def test_clear_screen(golden: Golden, clear_advice: BidAdvice) -> None:
    golden("bid_clear", bid_screen(clear_advice, Look(), COMMAND))


def test_explained_screen(golden: Golden, clear_advice: BidAdvice) -> None:
    screen = bid_screen(clear_advice, Look(), COMMAND, explain=True, verbose=True)
    golden("bid_explained", screen)


def test_pass_screen_in_letters(golden: Golden, pass_advice: BidAdvice) -> None:
    golden("bid_pass_ascii", bid_screen(pass_advice, ASCII, COMMAND, explain=True))


def test_tied_screen_counts_a_run_as_15(golden: Golden, tied_advice: BidAdvice) -> None:
    look = Look(scale=tied_advice.rules.scale)
    golden("bid_tied_scale_1", bid_screen(tied_advice, look, COMMAND, verbose=True))


def test_one_deal_screen(golden: Golden, one_deal_advice: BidAdvice) -> None:
    golden("bid_one_deal", bid_screen(one_deal_advice, Look(), COMMAND, explain=True))


def _risky(advice: BidAdvice, **changes: float) -> BidAdvice:
    """Return advice to go to a bid that is made with some chance."""
    bid = advice.suggestion.bid
    assert bid is not None
    best = advice.best
    chances = best.p_make | {bid: Estimate(changes["mean"], changes["se"])}
    trumps = (replace(best, p_make=chances), *advice.trumps[1:])
    return replace(advice, trumps=trumps)


def test_a_bid_made_in_less_than_half_of_the_rounds_asks_for_caution(
    clear_advice: BidAdvice,
) -> None:
    bid = clear_advice.suggestion.bid
    rare = _risky(clear_advice, mean=0.24, se=0.01)
    [text] = cautions(rare, Look())
    half = max(b for b, p in rare.best.p_make.items() if b < bid and p.mean >= 0.5)
    assert text == (
        f"Caution: {bid} is made in only 24% of rounds. Going so high pays only where the "
        "opponents go on as the simulated bidders do; the highest bid made in half of the rounds "
        f"is {half}."
    )
    screen = bid_screen(rare, Look(), COMMAND)
    assert screen.index("Caution: ") < screen.index("Bid up to")
    assert max(map(len, screen.splitlines())) <= 80
    assert bid_object(rare, COMMAND)["notes"] == [text]
    assert text in bid_page(rare, COMMAND).remarks
    assert f".\n\n{text}\n\nEngine: " in bid_markdown(rare, Look())
    # With both opponents out it is partner who bids on.
    alone = replace(rare, decision=replace(rare.decision, defend={}))
    assert "where partner goes on as" in cautions(alone, Look())[0]
    never = replace(rare.best, p_make={bid: Estimate(0.24, 0.01)})
    said = cautions(replace(rare, trumps=(never, *rare.trumps[1:])), Look())[0]
    assert said.endswith("; no bid is made in half of the rounds.")


@pytest.mark.parametrize(
    ("mean", "se"), [(0.6, 0.01), (0.46, 0.001), (0.44, 0.006), (0.24, float("nan"))]
)
def test_no_caution_where_about_half_may_be_made(
    clear_advice: BidAdvice, pass_advice: BidAdvice, mean: float, se: float
) -> None:
    advice = _risky(clear_advice, mean=mean, se=se)
    assert cautions(advice, Look()) == bid_object(advice, COMMAND)["notes"] == []
    assert "Caution" not in bid_screen(advice, Look(), COMMAND)
    assert cautions(pass_advice, Look()) == []


def _standing(advice: BidAdvice, calls: str) -> BidAdvice:
    position = read_position(advice.rules, None, None, calls)
    return replace(advice, decision=replace(advice.decision, position=position))


def test_only_bids_that_may_still_be_made_are_explained(clear_advice: BidAdvice) -> None:
    assert min(named_bids(clear_advice)) == clear_advice.rules.minimum
    names = named_bids(_standing(clear_advice, "250 260 280 300"))
    assert names[310] == ["lowest"]
    assert min(names) == 310
    assert set(names) <= set(named_bids(clear_advice)) | {310}
    # Out of reach, it is there all the same.
    hopeless = _standing(clear_advice, "250 " + " ".join(str(b) for b in range(270, 760, 20)))
    [row] = bids_cells(hopeless, Look())[0]
    assert row[:3] == ["760", "<1%", ""]
    assert row[-1] == "lowest"


def test_a_jump_that_stands_first_and_is_not_advised_is_said_to_be_no_better(
    clear_advice: BidAdvice,
) -> None:
    raised, jump, passing = clear_advice.decision.options

    def said(lead: Estimate) -> str:
        options = (
            replace(jump, behind=Estimate(0.0, 0.0)),
            replace(raised, behind=lead),
            passing,
        )
        decision = replace(clear_advice.decision, options=options, score=None)
        asked = replace(
            _standing(clear_advice, "P P"),
            decision=replace(
                decision, position=read_position(clear_advice.rules, None, None, "P P")
            ),
        )
        return " ".join(bid_screen(asked, Look(), COMMAND).split())

    tied = said(Estimate(3.0, 2.0))
    assert "250 and 260 (jump) are too close to call, 3 ± 2.0 apart: the lower bid is" in tied
    little = said(Estimate(3.0, 1.0))
    assert "260 (jump) is ahead of 250 by 3 ± 1.0, too little to matter" in little
    unsure = said(Estimate(9.0, 3.0))
    assert "260 (jump) is ahead of 250 by 9 ± 3.0, not clearly enough to matter" in unsure


def test_markdown(golden: Golden, clear_advice: BidAdvice) -> None:
    golden("bid_markdown", bid_markdown(clear_advice, Look()))
    raw = bid_markdown(replace(clear_advice, engine="lite", correction=None), Look())
    assert raw.endswith("\n\nEngine: lite, raw: a judgement of all four hands open.")


def test_meld_screens(golden: Golden) -> None:
    hand, rules = Hand.parse("AATKQJ.AK.QJ.T9"), Rules()
    melds = {suit: score_meld(hand, suit, rules) for suit in range(4)}
    golden("meld", meld_screen(hand, rules, melds, Look()))
    golden("meld_ascii", meld_screen(hand, rules, melds, ASCII))
    golden("meld_markdown", meld_markdown(melds, Look()))


def test_rules_screens(golden: Golden) -> None:
    golden("rules_list", rules_list(Look()))
    assert max(map(len, rules_list(Look()).splitlines())) <= 80
    golden("rules_table", rules_table(PRESETS["pagat"], Look()))


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("scale", [10, 1])
def test_every_screen_fits_80_columns(advice: BidAdvice, symbols: bool, scale: int) -> None:
    look = Look(symbols=symbols, scale=scale)
    screen = bid_screen(advice, look, COMMAND, explain=True, verbose=True)
    assert [line for line in screen.splitlines() if len(line) > 80] == []
    assert not any(line.endswith(" ") for line in screen.splitlines())
    assert screen.isascii() or symbols


def test_no_control_codes_unless_bold(clear_advice: BidAdvice) -> None:
    plain = bid_screen(clear_advice, Look(), COMMAND)
    bold = bid_screen(clear_advice, Look(bold=True), COMMAND)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[01]m", "", bold) == plain
    assert "\x1b[1m♠ " in bold
    assert "\x1b[1mBid up to" in bold


def test_the_answer_stands_last(advice: BidAdvice) -> None:
    lines = bid_screen(advice, Look(), COMMAND).splitlines()
    assert lines[-1] == f"reproduce: {COMMAND}"
    assert lines[0].startswith("Hand ")
    answer = " ".join(lines[lines.index("", 5) + 1 : -1])
    assert re.search(r"Bid up to \d+|Pass\. ", answer)
    assert re.search(r"\([\d,]+ deals?\)\.$", answer)


def test_a_tie_names_both_trumps(tied_advice: BidAdvice) -> None:
    screen = bid_screen(tied_advice, Look(), COMMAND)
    assert "Trump is too close to call: ♦ is ahead of ♣ by 1 ± 1.1" in screen


def test_bid_or_pass_too_close_to_call(pass_advice: BidAdvice) -> None:
    decision = pass_advice.decision
    chosen, other = decision.options[:2]
    near = replace(other, behind=Estimate(4.0, 2.5))
    close = replace(decision, options=(chosen, near, *decision.options[2:]))
    screen = bid_screen(replace(pass_advice, decision=close), Look(), COMMAND)
    assert "Bid or pass is too close to call: pass and 250 are 4 ± 2.5 apart." in screen
    # The plainer call is taken where a bid is better by less than the deals can tell.
    ahead = replace(close, options=(replace(near, behind=Estimate(0.0, 0.0)),
                                    replace(chosen, behind=Estimate(4.0, 2.5))))  # fmt: skip
    screen = bid_screen(replace(pass_advice, decision=ahead), Look(), COMMAND)
    assert "Bid or pass is too close to call: pass and 250 are 4 ± 2.5 apart." in screen
    assert "\nPass. " in screen


def test_an_error_larger_than_asked_is_said(clear_advice: BidAdvice) -> None:
    said = replace(clear_advice.suggestion, settled=False)
    screen = bid_screen(replace(clear_advice, suggestion=said), Look(), COMMAND)
    assert "The score is known to ± 1.0, less well than was asked" in screen


def test_three_bids_rise(advice: BidAdvice) -> None:
    low, middle, high = three_bids(advice)
    assert low == advice.rules.minimum
    assert low < middle < high


@pytest.mark.parametrize("at", [250, 260, 300, 650, 1800])
def test_three_bids_are_legal_on_an_uneven_ladder(clear_advice: BidAdvice, at: int) -> None:
    rules = PRESETS["neuralplay"]
    said = replace(clear_advice.suggestion, at=at)
    bids = three_bids(replace(clear_advice, rules=rules, suggestion=said))
    assert bids[0] < bids[1] < bids[2]


@pytest.mark.parametrize(
    ("mean", "se", "shown"),
    [
        (342.44, 0.51, "342 ± 0.5"),
        (342.44, 9.4, "342 ± 9.4"),
        (347.44, 12.6, "350 ± 13"),
        (347.44, 126.0, "300 ± 130"),
        (-0.3, 0.5, "0 ± 0.5"),
        (-12.6, 0.02, "−13 ± <0.1"),
        (190.0, 0.0, "190 ± 0"),
        (347.0, float("nan"), "350 ± ?"),
    ],
)
def test_points_keep_only_known_digits(mean: float, se: float, shown: str) -> None:
    assert Look().estimate((mean, se)) == shown  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("share", "se", "shown"),
    [
        (0.744, 0.006, "74% ± 0.6%"),
        (0.744, 0.12, "70% ± 12%"),
        (0.999, 0.0004, ">99%"),
        (0.0004, 0.0002, "<1%"),
        (1.0, 0.0, "100%"),
        (0.0, 0.0, "0%"),
        (0.667, float("nan"), "70% ± ?"),
    ],
)
def test_shares_keep_only_known_digits(share: float, se: float, shown: str) -> None:
    assert Look().share_with_error((share, se)) == shown  # type: ignore[arg-type]


def test_scale_of_the_table() -> None:
    look = Look(scale=1)
    assert [look.points(points) for points in (150, 40, -250, 255)] == ["15", "4", "−25", "25.5"]
    assert look.estimate((342.44, 3.1)) == "34.2 ± 0.31"  # type: ignore[arg-type]
    assert look.estimate((342.44, 0.02)) == "34.2 ± <0.01"  # type: ignore[arg-type]


def test_equal_melds_are_counted() -> None:
    meld = score_meld(Hand.parse("AA99.KKQQ.AJ.T9"), 0)
    assert meld_text(meld, Look()) == "2 marriages ♥ 40, 2 dix 20"
    assert meld_text(meld, ASCII) == "2 marriages H 40, 2 dix 20"
    assert meld_text(score_meld(Hand.parse("AA.-.-.-"), 1), Look()) == "none"


def test_rules_say_what_was_changed() -> None:
    assert rules_text(PRESETS["pagat"]) == "pagat"
    changed = PRESETS["pagat"].replace(pass_cards=3, dix_saves=False, jump_meaning="aces")
    assert rules_text(changed) == "pagat with pass=3, dix_saves=false"
    assert rules_text(Rules(name="our table", minimum=300)) == "our table with minimum=300"


def with_chances(advice: BidAdvice, samples: int, *chances: tuple[float, float]) -> BidAdvice:
    """Return the advice with other chances at the three bids of the table."""
    best = advice.trumps[0]
    p_make = dict(best.p_make)
    for bid, (mean, se) in zip(three_bids(advice), chances, strict=True):
        p_make[bid] = Estimate(mean, se)
    best = replace(best, p_make=p_make, samples=samples)
    return replace(advice, samples=samples, trumps=(best, *advice.trumps[1:]))


@pytest.mark.parametrize(
    ("samples", "chances", "shown"),
    [
        (100, [(1.0, 0.0), (0.99, 0.01), (0.7, 0.05)], ["100%", "99%", "70%"]),
        (100, [(0.5, 0.05), (0.01, 0.01), (0.0, 0.0)], ["50%", "1%", "0%"]),
        (20, [(0.88, 0.09), (0.87, 0.11), (0.1, 0.07)], ["88%", "88%", "10%"]),
        (9000, [(0.9999, 0.0001), (0.996, 0.001), (0.7, 0.005)], [">99%", ">99%", "70%"]),
        (9000, [(0.004, 0.001), (0.004, 0.001), (0.0, 0.0)], ["<1%", "<1%", "0%"]),
    ],
)
def test_chances_never_seem_to_rise_with_the_bid(
    clear_advice: BidAdvice, samples: int, chances: list[tuple[float, float]], shown: list[str]
) -> None:
    screen = bid_screen(with_chances(clear_advice, samples, *chances), Look(), COMMAND)
    row = next(line for line in screen.splitlines() if line.startswith("♠"))
    assert row.split()[6:9] == shown


def test_a_bid_beyond_those_listed_is_no_likelier(clear_advice: BidAdvice) -> None:
    advice = with_chances(clear_advice, 512, (0.5, 0.05), (0.0, 0.0), (0.0, 0.0))
    best = advice.trumps[0]
    p_make = {bid: value for bid, value in best.p_make.items() if bid < 360}
    advice = replace(advice, trumps=(replace(best, p_make=p_make), *advice.trumps[1:]))
    row = next(line for line in bid_markdown(advice, Look()).splitlines() if "♠" in line)
    assert row.replace("|", " ").split()[6:9] == ["50%", "0%", "0%"]


@pytest.mark.parametrize("suggested", [None, 250])
def test_a_pass_names_no_bids(pass_advice: BidAdvice, suggested: int | None) -> None:
    said = replace(pass_advice.suggestion, suggested=suggested)
    screen = bid_screen(replace(pass_advice, suggestion=said), Look(), COMMAND)
    assert "Safe" not in screen
    assert "suggested" not in screen
    assert "Pass. The best trump" in screen


def double_run(one_deal_advice: BidAdvice, **changes: object) -> BidAdvice:
    """Return advice on a double run with a second trump, whose table is as wide as one gets."""
    best = one_deal_advice.trumps[0]
    best = replace(best, score=Estimate(1829.0, 2.1), tricks=Estimate(240.0, 9.9))
    other = replace(best, trump=2, behind=Estimate(2120.0, 147.0), ceiling=None, dropped=True)
    return replace(one_deal_advice, trumps=(best, other), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("name", ["cardgames", "neuralplay"])
def test_a_double_run_fits_80_columns(one_deal_advice: BidAdvice, symbols: bool, name: str) -> None:
    rules = PRESETS[name]
    advice = double_run(one_deal_advice, rules=rules)
    look = Look(symbols=symbols, scale=rules.scale)
    screen = bid_screen(advice, look, COMMAND, explain=True, verbose=True)
    assert [line for line in screen.splitlines() if len(line) > 80] == []
    high = look.points(three_bids(advice)[2])
    assert high in " ".join(screen.splitlines()[4:7])


def test_a_wide_table_narrows_its_headers_and_then_loses_the_middle_bid(
    one_deal_advice: BidAdvice,
) -> None:
    advice = double_run(one_deal_advice)
    bids = [str(bid) for bid in three_bids(advice)]
    wide, narrow, narrowest = (
        bid_screen(advice, Look(width=width), COMMAND).splitlines() for width in (100, 80, 70)
    )
    assert [f"P({bid})" in wide[4] for bid in bids] == [True, True, True]
    assert [f" {bid}" in narrow[5] for bid in bids] == [True, True, True]
    assert narrow[4].count("P at") == 3
    assert [f" {bid}" in narrowest[5] for bid in bids] == [True, False, True]
    assert max(map(len, narrowest[4:9])) <= 70


def test_the_table_of_rules_fits_80_columns() -> None:
    rules = Rules(misdeal="five-nines-no-meld", card_points="11-10-4-3-2", jump_meaning="x" * 200)
    assert max(map(len, rules_table(rules, Look()).splitlines())) <= 80


def test_reproduce_quotes_what_a_shell_would_change(clear_advice: BidAdvice) -> None:
    advice = replace(clear_advice, fixed_trump=0, asked_samples=900, asked_precision=0.5)
    command = reproduce(
        advice, rules="my rules.toml", changes=["jump_meaning=it's $5"], flags=["--ascii"]
    )
    assert command == (
        "advisor bid \"AATKQJ.AK.QJ.T9\" --rules 'my rules.toml' "
        "--set 'jump_meaning=it'\"'\"'s $5' --trump S --samples 900 --precision 0.5 "
        "--seed 7 --ascii"
    )
