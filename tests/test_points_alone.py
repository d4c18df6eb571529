"""Where the score speaks for another call than points, every form of the report says why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor import Hand, advise
from advisor.advice import BidAdvice
from advisor.decision import Decision
from advisor.game.position import read_position
from advisor.pricing import Estimate
from advisor.report.data import bid_object
from advisor.report.decision import calls_cells
from advisor.report.html_bid import bid_page
from advisor.report.html_bid_charts import worth
from advisor.report.look import Look
from advisor.report.points_alone import points_alone
from advisor.report.table import bid_markdown, bid_screen

COMMAND = 'advisor bid "..." --seed 7'
SCORE = (1200, 1350)


@pytest.fixture(scope="module")
def for_the_game() -> BidAdvice:
    """Return an advice to bid on over partner, which costs points and wins games."""
    return advise(Hand.parse("AAKQ.TT9.AKJ.Q9"), samples=600, seed=1, auction="250 P", score=SCORE)


def _decided(
    advice: BidAdvice,
    worths: dict[str, tuple[float, float]],
    contract: float = 300.0,
    se: float = 1.0,
) -> BidAdvice:
    """Return an advice at a score where calls are worth so many points, and so many games."""
    made: dict[str, object] = {}
    decision = advice.decision
    for option in decision.options:
        made.setdefault(option.action, option)
    top = max(win for _, win in worths.values())
    options = [
        replace(
            made[action],  # type: ignore[type-var]
            value=Estimate(value, se),
            win=Estimate(win, 0.001),
            behind=Estimate(top - win, 0.0 if win == top else 0.001),
            contract=contract,
        )
        for action, (value, win) in worths.items()
    ]
    options.sort(key=lambda option: -option.win.mean)
    asked = replace(decision, score=(900, 1100), options=tuple(options))
    bid = None if asked.chosen.call.is_pass else advice.suggestion.bid
    said = replace(advice.suggestion, bid=bid, action="pass" if bid is None else "bid")
    return replace(advice, decision=asked, suggestion=said)


def test_every_form_says_that_points_speak_for_a_pass(for_the_game: BidAdvice) -> None:
    decision = for_the_game.decision
    passing = next(option for option in decision.options if option.action == "pass")
    chosen = decision.chosen
    assert chosen.call.bid == 260
    assert passing.value.mean > chosen.value.mean + 50
    [text] = points_alone(for_the_game, Look())
    assert text == (
        f"By points alone pass, worth {Look().worth(passing.value)} against "
        f"{Look().worth(chosen.value)} for 260; at 1200 to 1350 the game is what counts: after 260 "
        f"they get the hand in {100 * chosen.theirs:.0f}% of deals, after pass in "
        f"{100 * passing.theirs:.0f}%, and 260 wins {Look().games(chosen.win)} of games, pass "
        f"{Look().games(passing.win)}."
    )
    assert text in " ".join(bid_screen(for_the_game, Look(), COMMAND).split())
    assert text in bid_markdown(for_the_game, Look())
    page = bid_page(for_the_game, COMMAND)
    assert text in page.remarks
    [note] = [
        note for note in bid_object(for_the_game, COMMAND)["notes"] if note.startswith("By points")
    ]
    assert note == text.replace("±", "+/-").replace("−", "-")


def test_nothing_is_said_without_a_score_or_where_both_agree(clear_advice: BidAdvice) -> None:
    assert clear_advice.decision.score is None
    assert points_alone(clear_advice, Look()) == []
    bid = clear_advice.suggestion.bid
    assert bid is not None
    agreed = _decided(clear_advice, {"raise": (100.0, 0.6), "pass": (0.0, 0.5)})
    assert points_alone(_lines(agreed, bid), Look()) == []


@pytest.mark.parametrize(("lead", "se", "said"), [(20.0, 1.0, 1), (20.0, 8.0, 0), (4.0, 0.1, 0)])
def test_a_lead_in_points_has_to_be_clear_and_to_matter(
    clear_advice: BidAdvice, lead: float, se: float, said: int
) -> None:
    asked = _decided(clear_advice, {"raise": (0.0, 0.6), "pass": (lead, 0.5)}, se=se)
    bid = asked.suggestion.bid
    assert bid is not None
    asked = _lines(asked, bid)
    assert len(points_alone(asked, Look())) == said
    assert len(points_alone(replace_errors(asked), Look())) == 0


def replace_errors(advice: BidAdvice) -> BidAdvice:
    """Return the advice of a single deal, whose errors are unknown."""
    options = [
        replace(option, value=Estimate(option.value.mean, float("nan")))
        for option in advice.decision.options
    ]
    return replace(advice, decision=replace(advice.decision, options=tuple(options)))


def _lines(advice: BidAdvice, limit: int) -> BidAdvice:
    """Return the advice with lines that cross just above a bid."""
    bids = range(250, 700, 10)
    take = {bid: Estimate(float(limit + 5 - bid), 1.0) for bid in bids}
    best = replace(advice.best, take=take)
    decision = replace(advice.decision, defend={bid: Estimate(0.0, 1.0) for bid in bids})
    return replace(advice, trumps=(best, *advice.trumps[1:]), decision=decision)


@pytest.mark.parametrize(("away", "step"), [(-40, 0), (40, 10), (10, None), (-10, None), (0, None)])
def test_a_limit_that_points_would_put_elsewhere(
    clear_advice: BidAdvice, away: int, step: int | None
) -> None:
    asked = _decided(clear_advice, {"raise": (100.0, 0.6), "pass": (0.0, 0.5)})
    bid = asked.suggestion.bid
    assert bid is not None
    limit = bid + away
    found = points_alone(_lines(asked, limit), Look())
    if step is None:
        assert found == []
        return
    taken = Look().worth(Estimate(float(limit + 5 - bid - step), 1.0))
    assert found == [
        f"By points alone go up to about {limit}: taking it at {bid + step} is worth {taken}, "
        f"letting it go at {bid + step - 10} {Look().worth(Estimate(0.0, 1.0))}; at 900 to 1100 "
        f"the game is what counts, and {bid} is the limit."
    ]


def test_a_pass_where_points_would_bid_on(clear_advice: BidAdvice) -> None:
    worths = {"pass": (-100.0, 0.5), "raise": (-99.0, 0.5)}
    asked = _lines(_decided(clear_advice, worths, contract=340.0), 400)
    assert asked.suggestion.bid is None
    [text] = points_alone(asked, Look())
    assert text.startswith("By points alone bid, up to about 400: taking it at 250 is worth +155")
    assert text.endswith("what counts: pass wins 50.0% ± 0.1% of games, 250 50.0% ± 0.1%.")
    # Others get it higher than that: nothing comes of such a bid.
    higher = _lines(_decided(clear_advice, worths, contract=410.0), 400)
    assert points_alone(higher, Look()) == []


def test_a_hand_that_one_has_anyway_needs_no_reason(clear_advice: BidAdvice) -> None:
    asked = _decided(clear_advice, {"raise": (0.0, 0.6), "pass": (100.0, 0.5)})
    options = tuple(
        replace(option, ours=1.0) if option.action == "pass" else option
        for option in asked.decision.options
    )
    assert points_alone(asked, Look())
    anyway = replace(asked, decision=replace(asked.decision, options=options))
    assert points_alone(anyway, Look()) == []


def test_the_chart_in_points_marks_no_bid_at_a_score(
    clear_advice: BidAdvice, for_the_game: BidAdvice
) -> None:
    [plain] = worth(clear_advice, Look()).blocks
    assert "Bid as long as the first line is the higher." in plain.caption
    assert 'class="guide"' in str(plain.drawing)
    opened = replace(
        clear_advice.decision,
        position=read_position(clear_advice.rules, None, None, None),
        score=(900, 1100),
    )
    [scored] = worth(replace(clear_advice, decision=opened), Look()).blocks
    assert "Both are in points; at 900 to 1100 the advice goes by the chance" in scored.caption
    assert "Bid as long as" not in scored.caption
    [mixed] = worth(for_the_game, Look()).blocks
    assert "Both are in points; at 1200 to 1350 the advice goes by the chance" in mixed.caption
    assert "If we pass now, partner gets the hand" in mixed.caption
    assert 'class="guide"' not in str(scored.drawing) + str(mixed.drawing)


def test_the_call_advised_is_marked_where_another_stands_first(
    clear_advice: BidAdvice, for_the_game: BidAdvice
) -> None:
    def first_cells(decision: Decision, advice: BidAdvice) -> list[str]:
        return [row[0] for row in calls_cells(replace(advice, decision=decision), Look())[0]]

    decision = for_the_game.decision
    jump, low = decision.options[:2]
    assert (jump.action, low.action) == ("jump", "raise")
    assert first_cells(decision, for_the_game)[:2] == ["270 (jump)", "260 (advised)"]
    swapped = replace(
        decision,
        options=(
            replace(low, behind=Estimate(0.0, 0.0)),
            replace(jump, behind=Estimate(0.1, 0.001)),
            *decision.options[2:],
        ),
    )
    assert first_cells(swapped, for_the_game)[0] == "260"
    assert "advised" not in str(first_cells(swapped, for_the_game))
