"""Options and fixtures of the tests of screens: advice made by hand, so no engine is in it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import settings

from advisor import Hand, Rules
from advisor.advice import Auctioned, BidAdvice, DeadHands, Suggestion, TrumpEstimate
from advisor.decision import Decision, Option
from advisor.explain import CardChance, Explanation, MeldChance
from advisor.game.auction import PASS, Call, bid_ladder
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.meld import score_meld
from advisor.game.position import read_position
from advisor.histogram import Histogram
from advisor.pricing import Estimate

# How long an example takes is no matter of these tests: kernels compile, machines are shared.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


# Whoever runs the tests may have settings, rules and conventions of their own.
for name in [name for name in os.environ if name.startswith("PINOCHLE_")]:
    del os.environ[name]
os.environ["PINOCHLE_CONFIG"] = "none"
os.environ["XDG_CONFIG_HOME"] = os.devnull
os.environ["PYTHONIOENCODING"] = "utf-8"
SCREENS = Path(__file__).parent / "data" / "screens"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden screens anew, then read them"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a screen with the file of that name."""

    def compare(name: str, text: str) -> None:
        path = SCREENS / f"{name}.txt"
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"see {path}, or --update-golden"

    return compare


def made_up_trump(
    hand: Hand,
    rules: Rules,
    trump: int,
    *,
    score: float,
    samples: int,
    behind: tuple[float, float],
    dropped: bool = False,
) -> TrumpEstimate:
    """Return an estimate whose chances fall smoothly around the mean score."""
    p_make, take = {}, {}
    bid = rules.minimum
    while True:
        p = round(1 / (1 + math.exp((bid - score) / 25)), 4)
        if p <= 0.001 and p_make:
            break
        p_make[bid] = Estimate(p, round(math.sqrt(p * (1 - p) / samples), 5))
        take[bid] = Estimate(
            round(p * score - (1 - p) * bid - 120, 2), round(200 / samples**0.5, 3)
        )
        bid += 10
    worth = [b for b in bid_ladder(rules, max(p_make)) if take[b].mean >= 0]
    # Every bid is made in as many of these rounds as its chance says.
    chances = [1.0, *(value.mean for value in p_make.values()), 0.0]
    made = [round(3 * samples * p) for p in chances]
    counts = tuple(more - less for more, less in pairwise(made))
    return TrumpEstimate(
        trump=trump,
        meld=score_meld(hand, trump, rules),
        team_meld=Estimate(score - 170.4, round(70 / samples**0.5, 3)),
        tricks=Estimate(170.4, round(30 / samples**0.5, 3)),
        score=Estimate(score, round(80 / samples**0.5, 3)),
        score_sd=80.0,
        quartiles=(round(score - 54), round(score + 54)),
        samples=samples,
        dropped=dropped,
        p_make=p_make,
        take=take,
        ceiling=worth[-1] if worth else None,
        behind=Estimate(*behind),
        histogram=Histogram(rules.minimum - 10, 10, counts),
    )


def made_up_decision(best: TrumpEstimate, rules: Rules) -> Decision:
    """Return the first call of an auction: pass is worth nothing, a bid what declaring is."""
    lowest = rules.minimum
    value, jump = best.take[lowest], best.take[lowest + 10]
    options = [
        Option(
            "raise", Call(lowest), False, value, None, Estimate(0.0, 0.0),
            0.7, 0.1, 0.2, 301.4, 312.6,
        ),
        Option(
            "jump", Call(lowest + 10, jump=True), True, jump, None,
            Estimate(value.mean - jump.mean, 1.3), 0.7, 0.1, 0.2, 305.2, 314.8,
        ),
        Option(
            "pass", PASS, False, Estimate(0.0, 2.5), None, Estimate(value.mean, value.se),
            0.0, 0.3, 0.7, 290.0, 0.0,
        ),
    ]  # fmt: skip
    if value.mean < 0:
        options = [
            replace(options[2], behind=Estimate(0.0, 0.0)),
            replace(options[0], behind=Estimate(-value.mean, value.se)),
            replace(options[1], behind=Estimate(-jump.mean, jump.se)),
        ]
    return Decision(
        position=read_position(rules, None, None, None),
        score=None,
        options=tuple(options),
        defend={bid: Estimate(-bid / 2, 3.3) for bid in best.p_make},
    )


def made_up_advice(
    trumps: list[TrumpEstimate], text: str, rules: Rules, *, settled: bool = True
) -> BidAdvice:
    """Return advice for the first of the trumps."""
    hand, best = Hand.parse(text), trumps[0]

    def reached(share: float) -> int | None:
        good = [b for b in bid_ladder(rules, max(best.p_make)) if best.p_make[b].mean >= share]
        return good[-1] if good else None

    ceilings = [item.ceiling for item in trumps if item.ceiling is not None]
    samples = best.samples
    return BidAdvice(
        hand=hand,
        rules=rules,
        engine="lite",
        correction=1,
        seed=7,
        samples=samples,
        asked_samples=None,
        asked_precision=None,
        fixed_trump=None,
        suggestion=Suggestion(
            action="pass" if best.ceiling is None else "bid",
            trump=best.trump,
            bid=best.ceiling,
            ceiling=best.ceiling,
            safe=reached(0.9),
            standard=reached(0.82),
            suggested=reached(0.75),
            at=max(ceilings, default=rules.minimum),
            settled=settled,
        ),
        decision=made_up_decision(best, rules),
        dead=DeadHands(Estimate(0.031, 0.002), Estimate(-9.2, 0.7)),
        auctioned=Auctioned(CONVENTIONS["none"], True, False, False, 1.0, ()),
        trumps=tuple(trumps),
        explanation=Explanation(
            trump=best.trump,
            meld=best.meld,
            declarer_meld=Estimate(best.meld.total + 61.7, 0.84),
            partner_meld=Estimate(34.2, 0.31),
            their_meld=Estimate(71.6, 0.66),
            tricks=best.tricks,
            trumps_before=sum(hand.suit(best.trump)),
            trumps_after=7.64,
            missing=(4, 1),
            received=(CardChance(17, 0.512), CardChance(23, 0.497), CardChance(4, 0.333)),
            returned=(CardChance(18, 0.9995), CardChance(14, 0.93), CardChance(22, 0.75)),
            chances=(
                MeldChance("run", 1.0, 1.0),
                MeldChance("pinochle", 1.0, 0.981),
                MeldChance("aces around", 0.0, 0.243),
            ),
            lost_by_suit=(4.3, 11.9, 38.6, 24.8),
            all_tricks=0.0021,
        ),
        version="0.0.0",
    )


@pytest.fixture
def clear_advice() -> BidAdvice:
    """A hand to bid, with one trump far ahead."""
    text, rules = "AATKQJ.AK.QJ.T9", Rules()
    hand = Hand.parse(text)

    def trump(suit: int, **values: object) -> TrumpEstimate:
        return made_up_trump(hand, rules, suit, **values)  # type: ignore[arg-type]

    spades = trump(0, score=381.26, samples=6912, behind=(0.0, 0.0))
    others = [
        trump(suit, score=score, samples=512, behind=behind, dropped=True)
        for suit, score, behind in (
            (3, 262.4, (287.4, 12.6)),
            (1, 251.9, (310.2, 11.9)),
            (2, 247.3, (322.0, 12.2)),
        )
    ]
    return made_up_advice([spades, *others], text, rules)


@pytest.fixture
def pass_advice() -> BidAdvice:
    """A hand to pass."""
    text, rules = "QJ9.T99.KJ9.TJ9", Rules(misdeal="five-nines", jump_meaning="aces around")
    hand = Hand.parse(text)
    trumps = [
        made_up_trump(hand, rules, suit, score=score, samples=1536, behind=behind)
        for suit, score, behind in ((1, 238.4, (0.0, 0.0)), (3, 219.9, (31.5, 4.4)))
    ]
    return made_up_advice(trumps, text, rules)


@pytest.fixture
def tied_advice() -> BidAdvice:
    """A hand with two trumps too close to call, at a table that counts a run as 15."""
    text = "-.QJ9.AKQJ.TTKJ9"
    rules = Rules(scale=1, pass_cards=3)
    hand = Hand.parse(text)
    trumps = [
        made_up_trump(hand, rules, suit, score=score, samples=20000, behind=behind)
        for suit, score, behind in (
            (2, 331.5, (0.0, 0.0)),
            (3, 330.8, (0.9, 1.1)),
            (1, 282.0, (84.0, 2.2)),
            (0, 207.3, (260.3, 2.6)),
        )
    ]
    return made_up_advice(trumps, text, rules, settled=False)


@pytest.fixture
def one_deal_advice() -> BidAdvice:
    """A hand after one deal, which has no standard errors."""
    text, rules = "AATTKKQQJJ.-.A.9", Rules()
    nan = float("nan")
    one = made_up_trump(Hand.parse(text), rules, 0, score=1786.7, samples=1, behind=(0.0, 0.0))
    chances = {bid: Estimate(value.mean, nan) for bid, value in one.p_make.items()}
    worths = {bid: Estimate(value.mean, nan) for bid, value in one.take.items()}
    trump = TrumpEstimate(
        trump=0,
        meld=one.meld,
        team_meld=Estimate(1546.7, nan),
        tricks=Estimate(240.0, nan),
        score=Estimate(1786.7, nan),
        score_sd=nan,
        quartiles=one.quartiles,
        samples=1,
        dropped=False,
        p_make=chances,
        take=worths,
        ceiling=one.ceiling,
        behind=Estimate(0.0, nan),
        histogram=Histogram(1780, 10, (0, 3)),
    )
    return made_up_advice([trump], text, rules, settled=False)


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    """Return what writes a file of any contents and returns its path."""

    def write(name: str, data: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return write
