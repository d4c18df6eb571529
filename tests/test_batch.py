"""Many hands: the same answers as one by one, in order, each question answered once."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Hand, Rules, advise
from advisor.batch import Result, Row, evaluate
from advisor.batch import flow as flow_module
from advisor.batch.answers import Answer, Work, judge, judge_all
from advisor.batch.flow import Flow, LostBlockError, here
from advisor.batch.questions import Asked
from advisor.batch.results import COLUMNS, carried_names, select
from advisor.batch.summary import QUANTILES, Tally
from advisor.errors import AdvisorError, OptionError
from advisor.game.cards import N_CARD_TYPES

QUICK: dict[str, Any] = {"engine": "policy", "samples": 32}


def random_hands(n: int, seed: int = 1) -> list[Hand]:
    chance = random.Random(seed)
    deck = [card for card in range(N_CARD_TYPES) for _ in (0, 1)]
    return [Hand.from_cards(chance.sample(deck, 12)) for _ in range(n)]


def made_up(**changes: Any) -> Answer:
    values: dict[str, Any] = {
        "trump": 0, "action": "raise", "call": 250, "bid": 300, "ceiling": 300, "p_make": 0.5,
        "p_make_se": 0.02, "p_make_250": 0.9, "p_make_250_se": 0.01, "p_make_300": 0.5,
        "p_make_300_se": 0.02, "p_make_350": 0.1, "p_make_350_se": 0.01, "expected_score": 301.5,
        "expected_score_se": 1.2, "meld": 40, "team_meld": 140.5, "team_meld_se": 1.0,
        "tricks": 161.0,
        "tricks_se": 0.8, "bid_over_pass": 40.0, "bid_over_pass_se": 8.0, "close": "",
        "samples": 512, "engine": "lite", "correction": 1,
    }  # fmt: skip
    return Answer(**(values | changes))


def made_up_result(line: int = 1, error: str | None = None, **changes: Any) -> Result:
    asked = Asked.of()
    answer = None if error is not None else made_up(**changes)
    return Result("f.txt", line, None, "AATKQJ.AK.QJ.T9", asked.terms, 0, answer, error)


ASKED: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {}),
    ({"trump": 2}, {"trump": "diamonds"}),
    ({"auction": "250 P", "seat": 3}, {"auction": "250 P", "seat": "3"}),
    ({"auction": "P P P", "dealer": "me"}, {"auction": "P P P", "dealer": "me"}),
    ({"score": (900, 1100)}, {"score_us": "900", "score_them": "1100.0"}),
    ({"rules": Rules(pass_cards=3, throw_in="any")}, {"pass": "3", "throw_in": "any"}),
    (
        {"rules": Rules(scale=1, jumps="any"), "score": (-200, 300)},
        {"scale": "1", "jumps": "any", "score_us": "-20", "score_them": "30"},
    ),
]


@pytest.mark.parametrize(("keywords", "options"), ASKED)
@pytest.mark.parametrize("convention", ["none", "meld-jump"])
def test_a_row_is_answered_as_the_hand_alone(
    keywords: dict[str, Any], options: dict[str, str], convention: str
) -> None:
    for hand in random_hands(3, seed=4):
        advice = advise(hand, **QUICK, convention=convention, seed=5, **keywords)
        row = Row("x.csv", 2, "7", str(hand), options)
        [result] = evaluate([row], **QUICK, convention=convention, seed=5)
        answer, said, best = result.answer, advice.suggestion, advice.best
        assert answer is not None
        assert (answer.trump, answer.bid, answer.samples) == (said.trump, said.bid, advice.samples)
        assert (answer.action, answer.call) == (
            advice.decision.chosen.action,
            advice.decision.chosen.call.bid,
        )
        assert answer.ceiling == best.ceiling
        assert (answer.expected_score, answer.expected_score_se) == best.score
        assert (answer.team_meld, answer.team_meld_se) == best.team_meld
        assert (answer.tricks, answer.tricks_se) == best.tricks
        assert answer.meld == best.meld.total
        for bid in (250, 300, 350):
            if bid in best.p_make:
                found = (getattr(answer, f"p_make_{bid}"), getattr(answer, f"p_make_{bid}_se"))
                assert found == best.p_make[bid]
        if said.bid is None:
            assert (answer.p_make, answer.p_make_se) == (None, None)
        else:
            assert (answer.p_make, answer.p_make_se) == best.p_make[said.bid]
        assert ("trump" in answer.close) == any(item.tied for item in advice.trumps[1:])
        assert ("call" in answer.close) == bool(advice.decision.close)
        assert (answer.engine, answer.correction) == (advice.engine, advice.correction)
        check_margin(answer, advice.decision.options)


def check_margin(answer: Answer, options: Any) -> None:
    """The distance between bid and pass is the one the options say, with its sign."""
    bids = [item for item in options if not item.call.is_pass]
    passes = [item for item in options if item.call.is_pass]
    if not (bids and passes):
        assert answer.bid_over_pass is None
        return
    assert answer.bid_over_pass is not None
    known = bids[0].win is not None
    best = [(item.win if known else item.value).mean for item in (bids[0], passes[0])]
    assert math.isclose(answer.bid_over_pass, best[0] - best[1], abs_tol=1e-6)


def test_default_settings_give_the_same_answer_as_alone() -> None:
    hand = Hand.parse("AATKQJ.AK.QJ.T9")
    advice = advise(hand)
    [result] = evaluate([hand])
    assert result.answer is not None
    assert result.answer.bid == advice.suggestion.bid
    assert (result.answer.expected_score, result.answer.expected_score_se) == advice.best.score


def test_hands_texts_and_mappings_are_rows() -> None:
    text = "AATKQJ.AK.QJ.T9"
    rows: list[Any] = [text, Hand.parse(text), {"hand": text}, {"Hand": Hand.parse(text)}, 5, None]
    found = list(evaluate([*rows, {"hnd": text}], **QUICK))
    assert len({result.answer for result in found[:4]}) == 1
    assert [result.repeated for result in found[:4]] == [False, True, True, True]
    assert [result.error for result in found[4:6]] == [
        "expected a hand, found 5",
        "expected a hand, found none",
    ]
    assert found[6].error is not None
    assert "did you mean hand?" in found[6].error
    assert [result.line for result in found] == [1, 2, 3, 4, 5, 6, 7]


def test_options_of_a_mapping_hold_for_its_row_and_the_rest_is_carried() -> None:
    hand = "AATKQJ.AK.QJ.T9"
    row = {"hand": hand, "trump": "H", "Pass": 3.0, "table": 4, "bid": 310, "auction": None}
    [one] = evaluate([row], **QUICK)
    assert one.answer is not None
    assert one.answer.trump == 1
    assert one.terms is not None
    assert one.terms.rules.pass_cards == 3
    found = one.as_dict()
    assert (found["table"], found["input_bid"]) == ("4", "310")
    assert found["rules"] == "cardgames with pass=3"


BAD_ROWS = [
    ({"hand": "AATKQJ.AK.QJ.T"}, "hand has 11 cards, expected 12: AATKQJ.AK.QJ.T"),
    ({"trump": "X"}, "trump 'X' is not a suit"),
    ({"seat": "5"}, "seat: expected a whole number from 1 to 4, found 5"),
    ({"seat": "two"}, "seat: expected a whole number from 1 to 4, found 'two'"),
    (
        {"seat": "2"},
        "seat: give the calls in a column auction, or leave seat empty; expected those",
    ),
    (
        {"dealer": "me"},
        "dealer: give the calls in a column auction, or leave dealer empty; expected",
    ),
    ({"seat": "2", "dealer": "left"}, "dealer: expected partner, as the player is seat 2"),
    ({"seat": "2", "auction": "P P"}, "seat: expected seat 3, whose turn it is after P P"),
    ({"auction": "250 240"}, "240"),
    ({"score_us": "1600", "score_them": "0"}, "the game is over"),
    ({"score_us": "10"}, "score_them: expected points beside those of score_us, found none"),
    ({"heading": "alwys"}, "did you mean always?"),
    ({"pass": "5"}, "pass: expected 0, 2, 3 or 4, found 5"),
    ({"last_trick": "20", "engine": "x"}, None),
]


@pytest.mark.parametrize(("cells", "message"), BAD_ROWS)
def test_a_wrong_option_is_an_error_of_its_row(cells: dict[str, str], message: str | None) -> None:
    good = "AATKQJ.AK.QJ.T9"
    first, bad, last = evaluate([good, {"hand": good, **cells}, good], **QUICK)
    assert first.answer == last.answer
    if message is None:
        # A column named engine means nothing here, and is carried.
        assert bad.extra == {"engine": "x"}
        return
    assert bad.answer is None
    assert message in (bad.error or "")


def test_what_is_asked_of_all_is_checked_at_once() -> None:
    wrong: list[dict[str, Any]] = [
        {"samples": 0}, {"seed": -1}, {"engine": "lit"}, {"trump": 4}, {"rules": "pagan"},
        {"auction": "999"}, {"jobs": 0}, {"convention": "nobody"}, {"score": (1500, 0)},
        {"precision": 0}, {"seat": 2},
    ]  # fmt: skip
    for keywords in wrong:
        with pytest.raises(AdvisorError):
            evaluate([], **keywords)


def test_a_result_depends_on_its_own_question_only() -> None:
    hands = random_hands(12)
    alone = [result.answer for hand in hands for result in evaluate([hand], **QUICK)]
    assert [result.answer for result in evaluate(hands, **QUICK)] == alone
    assert [result.answer for result in evaluate(hands, **QUICK, jobs=2)] == alone
    back = evaluate(reversed(hands), **QUICK)
    assert [result.answer for result in back] == alone[::-1]
    with ThreadPoolExecutor(3) as pool:
        assert [item.answer for item in evaluate(hands, **QUICK, executor=pool)] == alone


class Backwards(Executor):
    """Does its work last in, first out, when somebody waits for it."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Future[Any], Any, tuple[Any, ...]]] = []
        self.most = 0

    def submit(self, function: Any, /, *args: Any, **keywords: Any) -> Future[Any]:
        assert not keywords
        future = _Lazy(self)
        self.tasks.append((future, function, args))
        self.most = max(self.most, len(self.tasks))
        return future

    def work(self) -> None:
        while self.tasks:
            future, function, args = self.tasks.pop()
            future.set_result(function(*args))


class _Lazy(Future[Any]):
    def __init__(self, executor: Backwards) -> None:
        super().__init__()
        self._executor = executor

    def result(self, timeout: float | None = None) -> Any:
        self._executor.work()
        return super().result(timeout)


def test_any_executor_will_do_and_order_stays() -> None:
    hands = random_hands(80, seed=3)
    pool = Backwards()
    found = list(evaluate(hands, engine="policy", samples=8, executor=pool))
    assert [result.hand for result in found] == [str(hand) for hand in hands]
    expected = list(evaluate(hands, engine="policy", samples=8))
    assert [result.answer for result in found] == [result.answer for result in expected]
    assert pool.most >= 2


def test_rows_are_read_only_as_far_as_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "AATKQJ.AK.QJ.T9"

    results = evaluate(endless(), **QUICK, jobs=2)
    for _ in range(5):
        next(results)
    assert taken < 100
    results.close()  # type: ignore[attr-defined]


def test_each_question_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(work: Work) -> Future[list[Answer | str]]:
        asked.extend(str(hand) for hand, _ in work.hands)
        return here(work)

    hand, other = (str(item) for item in random_hands(2))
    rows = [Row("", i, None, text) for i, text in enumerate([hand, other, hand, hand.lower()])]
    rows.append(Row("", 9, None, hand, {"trump": "S"}))
    rows.append(Row("", 9, None, hand, {"trump": "spades"}))
    found = list(Flow(Asked.of(**QUICK), counting, 0).results(rows))
    assert asked == [hand, other, hand]
    assert [result.repeated for result in found] == [False, False, True, True, False, True]
    # The memory of what was met is bounded.
    monkeypatch.setattr(flow_module, "REPEATS", 1)
    asked.clear()
    assert len(list(Flow(Asked.of(**QUICK), counting, 0).results(rows[:3]))) == 3
    assert asked == [hand, other, hand]


def test_rows_that_nobody_could_answer_say_so_and_the_rest_goes_on() -> None:
    def lossy(work: Work) -> Future[list[Answer | str]]:
        future: Future[list[Answer | str]] = Future()
        if str(work.hands[0][0]) == str(hands[2]):
            future.set_exception(LostBlockError("rows 3 to 4 were given up"))
        else:
            future.set_result(judge_all(work))
        return future

    hands = random_hands(6)
    rows = [Row("", i, None, str(hand)) for i, hand in enumerate(hands)]
    found = list(Flow(Asked.of(**QUICK), lossy, 4, chunk=2).results(rows))
    assert [result.lost for result in found] == [False, False, True, True, False, False]
    assert found[3].error == "rows 3 to 4 were given up"
    assert found[4].answer == judge(hands[4], Asked.of(**QUICK).terms, Asked.of(**QUICK))


def test_answers_survive_json() -> None:
    [result] = evaluate(["AATKQJ.AK.QJ.T9"], engine="policy", samples=1)
    answer = result.answer
    assert answer is not None
    assert math.isnan(answer.expected_score_se)
    again = Answer.from_list(json.loads(json.dumps(answer.as_list())))
    assert repr(again) == repr(answer)
    with pytest.raises(ValueError, match="values"):
        Answer.from_list([1])


@given(st.lists(st.sampled_from([*COLUMNS, "input_bid", "input_input_bid", "x"]), unique=True))
def test_carried_columns_never_hide_ours(columns: list[str]) -> None:
    names = carried_names(columns)
    assert len({*names, *COLUMNS}) == len(columns) + len(COLUMNS)


def test_columns_are_chosen_by_name() -> None:
    assert select("Bid,TRUMP", ()) == ("bid", "trump")
    assert select("input_bid,all", ("input_bid",)) == ("input_bid", *COLUMNS)
    for text, message in [
        ("bids", "did you mean bid?"),
        ("bid,bid", "found bid twice"),
        ("", "is no column"),
        ("zzzzzz", "expected some of"),
        ("Player", "what stands for the id is called id"),
    ]:
        with pytest.raises(OptionError, match=message):
            select(text, ())


def naive_quantile(bids: list[int], share: float) -> int | None:
    """The lowest bid that at least a share of the hands does not exceed."""
    for bid in sorted(bids):
        if sum(other <= bid for other in bids) >= share * len(bids):
            return bid or None
    raise AssertionError


@given(st.lists(st.sampled_from([0, 250, 260, 300, 410]), min_size=1, max_size=40))
def test_the_summary_counts_as_one_would_by_hand(bids: list[int]) -> None:
    tally = Tally()
    for line, bid in enumerate(bids):
        margin = float((line * 7) % 11 - 5)
        tally.add(made_up_result(line, bid=bid or None, trump=line % 4, bid_over_pass=margin))
    tally.add(made_up_result(99, error="hand has 11 cards, expected 12: A.A.A.A"))
    named = [bid for bid in bids if bid]
    assert (tally.rows, tally.good, tally.bad, tally.to_bid) == (
        len(bids) + 1,
        len(bids),
        1,
        len(named),
    )
    for share in QUANTILES:
        assert tally.quantile(share) == naive_quantile(bids, share)
    mean, se = tally.mean_bid()
    if len(named) > 1:
        assert math.isclose(mean, sum(named) / len(named))
        spread = sum((bid - mean) ** 2 for bid in named) / (len(named) - 1)
        assert math.isclose(se, math.sqrt(spread / len(named)), abs_tol=1e-9)
    else:
        assert math.isnan(se)
    assert tally.share_to_bid()[0] == len(named) / len(bids)
    assert sum(tally.suits.values()) == len(named)
    margins = [abs(float((line * 7) % 11 - 5)) for line in range(len(bids))]
    assert [abs(item.answer.bid_over_pass) for item in tally.closest] == sorted(margins)[:5]  # type: ignore[union-attr, arg-type]
    assert tally.as_dict()["mistakes"][0]["first"] == ["f.txt:99"]
    assert tally.as_dict()["mistakes"][0]["ids"] == [None]


def test_mistakes_of_a_kind_are_counted_together_and_kinds_are_bounded() -> None:
    tally = Tally()
    for line in range(10):
        tally.add(made_up_result(line, error=f"hand has {line} cards, expected 12: A.K.Q.9"))
    for line in range(300):
        tally.add(made_up_result(line, error="strange " + "x" * line))
    assert tally.mistakes[0].count == 10
    assert len(tally.mistakes[0].where) == 3
    assert len(tally.mistakes) <= 101
    assert sum(kind.count for kind in tally.mistakes) == tally.bad == 310
