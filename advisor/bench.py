"""A fixed workload: one number that changes when any result changes, and speeds on one core."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from advisor.game.cards import SUITS, Hand
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import meldscore
from advisor.limits import ENGINES
from advisor.playing import rule_array
from advisor.simulate import simulate

HANDS: Final = (
    "AATKQJ.AK.QJ.T9",
    "AT.TTKJJ.TT.QJ9",
    "TKQJ9.A.KQ99.TK",
    "AQ.ATKQJJ.J9.A9",
    "-.QJ9.AKQJ.TTKJ9",
    "ATT9.A.ATTQ.AKJ",
    "TKKJ.KQ9.K9.KQJ",
    "Q.AKQ99.QJ.ATJ9",
)
_SEED: Final = 20_250
_SAMPLES: Final = 32
_TIMED_SAMPLES: Final = 4096
_TIMED_HANDS: Final = 500_000


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What `run_bench` found: the signature, and figures as (name, value, unit)."""

    signature: str
    figures: tuple[tuple[str, float, str], ...]


def signature() -> str:
    """Return a decimal number that stands for every outcome of the fixed workload.

    All presets, eight hands, four trumps: melds, tricks, flags and cards passed; then the tricks
    of every predictor. It is the same on every machine and for every number of threads; a change
    means that results changed.

    >>> signature() == signature()
    True
    """
    digest = hashlib.sha256()
    for name in sorted(PRESETS):
        for text in HANDS:
            hand = Hand.parse(text)
            for trump in SUITS:
                outcomes = simulate(
                    hand,
                    trump,
                    samples=_SAMPLES,
                    seed=_SEED,
                    rules=PRESETS[name],
                    engine="policy",
                    raw=True,
                )
                for values in (
                    outcomes.our_meld,
                    outcomes.their_meld,
                    outcomes.our_tricks,
                    outcomes.declarer_meld,
                    outcomes.flags,
                ):
                    digest.update(values.astype("<i2").tobytes())
                for words in (outcomes.received, outcomes.returned):
                    digest.update(words.astype("<u8").tobytes())
                digest.update(outcomes.lost_by_suit.astype("<i8").tobytes())
    for engine, raw in product(ENGINES, (False, True)):
        for text in HANDS[:1] if engine == "exact" else HANDS:
            samples = 1 if engine == "exact" else _SAMPLES
            outcomes = simulate(
                Hand.parse(text), 0, samples=samples, seed=_SEED, engine=engine, raw=raw
            )
            digest.update(outcomes.our_tricks.astype("<i2").tobytes())
    return str(int(digest.hexdigest()[:8], 16))


def _deals_per_second(engine: str, raw: bool) -> float:
    hands = [Hand.parse(text) for text in HANDS]
    start = time.perf_counter()
    for hand in hands:
        for trump in SUITS:
            simulate(hand, trump, samples=_TIMED_SAMPLES // 32, seed=_SEED, engine=engine, raw=raw)
    return len(hands) * 4 * (_TIMED_SAMPLES // 32) * 3 / (time.perf_counter() - start)


def _melds_per_second() -> float:
    words = np.array([Hand.parse(text).packed for text in HANDS], dtype=np.uint64)
    packed: np.ndarray[Any, Any] = np.resize(words, _TIMED_HANDS)
    out = np.zeros((_TIMED_HANDS, 4), dtype=np.int16)
    rules = rule_array(Rules())
    meldscore.meld_all_trumps(packed[:1], rules, out[:1])
    start = time.perf_counter()
    meldscore.meld_all_trumps(packed, rules, out)
    return _TIMED_HANDS / (time.perf_counter() - start)


def run_bench() -> BenchResult:
    """Run the fixed workload on one core.

    Returns
    -------
    BenchResult
        The signature, and the rates of full simulated rounds and of hands melded in all trumps.
    """
    start = time.perf_counter()
    found = signature()
    first = time.perf_counter() - start
    return BenchResult(
        signature=found,
        figures=(
            ("first results", first, "s"),
            ("rounds by the policy alone", _deals_per_second("policy", True), "per second"),
            ("rounds as advised on", _deals_per_second("lite", False), "per second"),
            ("hands melded in all four trumps", _melds_per_second(), "per second"),
        ),
    )
