"""What ``advisor jumps`` looks like, from sums and advice made by hand: no engine is in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor.advice import BidAdvice
from advisor.decision import Option
from advisor.game.auction import PASS_WITH_HELP
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.rules import PRESETS
from advisor.jump_advice import HandCalls, UnderConvention
from advisor.jump_rows import threshold_rows
from advisor.jump_tables import WIN_UNITS, Contest, Side, Tally
from advisor.jumps import Comparison
from advisor.paired import Paired
from advisor.pricing import Estimate
from advisor.report.jump_advice import hand_markdown, hand_screen
from advisor.report.jumps import Asked, comparison_markdown, comparison_screen
from advisor.report.look import Look

Golden = Callable[[str, str], None]
COMMAND = "advisor jumps ... --seed 7"
DEALS = 40_000


def made_up(
    on: str,
    jumps: tuple[int, ...],
    helps: tuple[int, ...],
    diffs: list[float],
    rules: str = "cardgames",
    deals: int = DEALS,
    **settings: object,
) -> tuple[Comparison, Asked]:
    """Return a comparison in which rules differ from the base by so many points a deal."""
    house = PRESETS[rules]
    rows = threshold_rows(on, jumps, helps, house)
    contest = Contest(tuple(Side(row.convention) for row in rows), house, seed=7)
    sides = range(len(rows))
    # Both ways are added up; every rule but the base strays by its own from the common part.
    totals = [round(2 * diff * deals) for diff in diffs]
    spread = [0, *(9000 + 1000 * i for i in sides[1:])]
    products = [
        [600_000 * deals + (spread[i] * deals if i == j else 0) for j in sides] for i in sides
    ]
    wins = Paired(
        deals,
        tuple(round(2 * WIN_UNITS * deals * (0.5 + diff / 5000)) for diff in diffs),
        tuple(
            tuple(round(4 * WIN_UNITS**2 * deals * (0.26 + 1e-5 * (i == j))) for j in sides)
            for i in sides
        ),
    )
    counts = [(0, 0, 0, 0, deals, 373 * deals, round(0.69 * deals))]
    for i in sides[1:]:
        jumped = round(0 if rows[i].jump is None else 2 * deals * 0.9 / i)
        helped = round(0 if rows[i].pass_help is None else 0.03 * deals)
        shown = jumped + helped
        got = round(deals * (1 + 0.04 / i))
        counts.append((jumped, helped, shown, shown * i // 9, got, 377 * got, round(0.68 * got)))
    found = Tally(Paired(deals, tuple(totals), tuple(map(tuple, products))), wins, tuple(counts))
    asked = Asked(on, rows, "standard", None, False, deals)
    return Comparison(contest, found), replace(asked, **settings)


def test_thresholds(golden: Golden) -> None:
    found, asked = made_up("meld", (40, 60, 80, 100), (), [0, -0.4, -1.9, -2.44, -3.1])
    golden("jumps_meld", comparison_screen(found, asked, Look(), COMMAND))
    golden("jumps_markdown", comparison_markdown(found, asked, Look()))


def test_a_best_threshold_in_bold_with_the_matrix(golden: Golden) -> None:
    found, asked = made_up("missing-suit", (1, 2), (), [0, 1.42, 1.3], "gamerules")
    screen = comparison_screen(found, asked, Look(bold=True), COMMAND, matrix=True)
    golden("jumps_missing_suit", screen)


def test_helps_in_letters_stopped_early_counting_a_run_as_15(golden: Golden) -> None:
    diffs = [0, -2.0, 3.1, 0.2, 2.9, 2.8]
    found, asked = made_up(
        "meld", (100,), (40, 60), diffs, "classic", 5000, opponents="dailey", hands="mine.txt",
        interrupted=True, asked_deals=20_000,
    )  # fmt: skip
    found = replace(found, contest=replace(found.contest, held=(5, 6), score=(900, -120)))
    look = Look(symbols=False, scale=1)
    golden("jumps_helps_ascii", comparison_screen(found, asked, look, COMMAND, matrix=True))


def test_one_deal_has_no_error(golden: Golden) -> None:
    found, asked = made_up("aces", (3,), (), [0, 20], deals=1)
    golden("jumps_one_deal", comparison_screen(found, asked, Look(), COMMAND))


@pytest.mark.parametrize(
    ("diffs", "words"),
    [
        ([0, -5.0, -8.0], "Never jump: jump with 60 or more points of meld, the nearest, is worth"),
        ([0, 0.3, -8.0], "Nothing is clearly better than never jumping: jump with 60 or more"),
        ([0, -5.0, 6.0], "Jump with 80 or more points of meld: worth +6.0 ± 0."),
    ],
)
def test_the_answer_says_no_more_than_is_known(diffs: list[float], words: str) -> None:
    found, asked = made_up("meld", (60, 80), (), diffs)
    answer = comparison_screen(found, asked, Look(width=200), COMMAND).splitlines()[-2]
    assert answer.startswith(words)


def made_up_calls(advice: BidAdvice, *, known: bool = False) -> HandCalls:
    decision = advice.decision
    if known:
        options = tuple(
            replace(
                item,
                win=Estimate(0.52 - 0.01 * i, 0.004),
                behind=Estimate(0.01 * i, 0.001 * (1 + 8 * i)),
            )
            for i, item in enumerate(decision.options)
        )
        decision = replace(decision, options=options, score=(900, 1100))
    worst = decision.options[-1]
    helping = Option(
        "pass_with_help", PASS_WITH_HELP, False, Estimate(-3.0, 2.6), worst.win,
        replace_mean(worst.behind), 0.0, 0.4, 0.6, 291.0, 0.0,
    )  # fmt: skip
    silent = replace(decision, options=decision.options[:1] + decision.options[2:])
    rows = (
        UnderConvention(CONVENTIONS["none"], decision, 260),
        UnderConvention(CONVENTIONS["dailey"], silent, 260),
        UnderConvention(
            CONVENTIONS["meld-jump"], replace(decision, options=(*decision.options, helping)), 260
        ),
    )
    return HandCalls(replace(advice, decision=decision), rows)


def replace_mean(value: Estimate) -> Estimate:
    return Estimate(value.mean * 1.1, value.se)


def test_a_hand(golden: Golden, clear_advice: BidAdvice) -> None:
    found = made_up_calls(clear_advice)
    golden("jumps_hand", hand_screen(found, Look(), COMMAND))
    golden("jumps_hand_markdown", hand_markdown(found, Look()))


def test_a_hand_at_a_score(golden: Golden, pass_advice: BidAdvice) -> None:
    found = made_up_calls(pass_advice, known=True)
    golden("jumps_hand_score", hand_screen(found, Look(symbols=False), COMMAND))
