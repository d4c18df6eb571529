"""Histograms of the score: the same rounds as the chances, whatever the bins."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Hand, Rules, advise
from advisor.histogram import Histogram
from advisor.report.data import bid_object

SCORES = st.lists(st.integers(0, 1900), min_size=1, max_size=60)


@given(scores=SCORES, points=st.integers(-5, 200))
def test_as_many_rounds_reach_a_bid_as_in_the_scores(scores: list[int], points: int) -> None:
    found = Histogram.of(np.array(scores))
    assert found.total == len(scores)
    assert found.at_least(10 * points) == sum(score >= 10 * points for score in scores)
    assert found.start <= min(scores) < found.start + 10
    assert found.stop - 10 <= max(scores) < found.stop


@given(scores=SCORES, width=st.sampled_from([10, 20, 50, 100]), edge=st.integers(-9, 60))
def test_wider_bins_hold_the_same_rounds(scores: list[int], width: int, edge: int) -> None:
    wide = Histogram.of(np.array(scores)).wider(width, 10 * edge)
    assert (wide.start - 10 * edge) % width == 0
    for number, count in enumerate(wide.counts):
        start = wide.start + number * width
        assert count == sum(start <= score < start + width for score in scores)
    assert wide.counts[0] > 0
    assert wide.counts[-1] > 0
    assert wide.total == len(scores)


@given(scores=SCORES, share=st.floats(0, 1))
def test_quantiles(scores: list[int], share: float) -> None:
    place = Histogram.of(np.array(scores)).quantile(share)
    assert sum(score < place for score in scores) <= share * len(scores)
    if place + 10 <= max(scores):
        assert sum(score < place + 10 for score in scores) > share * len(scores)


@pytest.mark.parametrize("text", ["AATKQJ.AK.QJ.T9", "QJ9.T99.KJ9.TJ9"])
def test_an_advice_makes_bids_as_often_as_its_histogram_reaches_them(text: str) -> None:
    advice = advise(Hand.parse(text), samples=300, rules=Rules(save_meld="none"))
    value = json.loads(json.dumps(bid_object(advice, "")))
    for item, shown in zip(advice.trumps, value["trumps"], strict=True):
        found = item.histogram
        assert found.total == 3 * item.samples
        assert shown["histogram"] == {
            "start": found.start, "width": 10, "counts": list(found.counts),
        }  # fmt: skip
        for bid, chance in item.p_make.items():
            assert found.at_least(bid) / found.total == pytest.approx(chance.mean, abs=1e-12)


def test_a_score_whose_meld_is_not_saved_is_in_the_histogram_all_the_same() -> None:
    # A hand so weak that it sometimes takes no trick, and then makes no bid.
    advice = advise(Hand.parse("QJ9.T99.KJ9.TJ9"), samples=300)
    unsaved = [
        item.histogram.at_least(250) / item.histogram.total - item.p_make[250].mean
        for item in advice.trumps
    ]
    assert all(-1e-12 <= share < 0.01 for share in unsaved)
    assert max(unsaved) > 0.001
