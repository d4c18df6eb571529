"""Speed of the kernels on one core. Compilation happens in an untimed first call.

pytest benchmarks/test_speed.py
"""

from __future__ import annotations

import numpy as np
import pytest
from exchange_options import best_looking_trump, random_hands

from advisor.engines import lite_values
from advisor.game.cards import SUITS, Hand
from advisor.game.meld import score_meld
from advisor.game.rules import Rules
from advisor.kernels.deal import deal_hands
from advisor.kernels.exchange import exchange_hands
from advisor.kernels.meldscore import meld_all_trumps
from advisor.kernels.play import play_deals
from advisor.league import League, play_league
from advisor.playing import Predictor, deal_packed, play, rule_array
from advisor.policy import policy_array
from advisor.returning import return_tables

RULES, POLICY = rule_array(Rules()), policy_array()
TABLES = return_tables()
SEED = np.uint64(1)


@pytest.fixture(scope="module")
def hands() -> np.ndarray:
    return random_hands(2000, seed=3)


def per_item(benchmark, items: int, unit: str) -> None:
    benchmark.extra_info["items"] = items
    benchmark.extra_info["unit"] = unit


def test_meld_all_trumps(benchmark, hands) -> None:
    many = np.resize(hands, 200_000)
    out = np.zeros((len(many), 4), dtype=np.int16)
    meld_all_trumps(many, RULES, out)
    per_item(benchmark, len(many), "hands, four trumps each")
    benchmark(meld_all_trumps, many, RULES, out)


def test_meld_in_plain_python(benchmark, hands) -> None:
    known = [Hand.from_packed(int(word)) for word in hands[:100]]
    per_item(benchmark, len(known), "hands, four trumps each")
    benchmark(lambda: [score_meld(hand, trump) for hand in known for trump in SUITS])


def test_deal(benchmark, hands) -> None:
    out = np.zeros((20_000, 3), dtype=np.uint64)
    deal_hands(hands[0], SEED, 0, out)
    per_item(benchmark, len(out), "deals")
    benchmark(deal_hands, hands[0], SEED, 0, out)


def test_exchange(benchmark, hands) -> None:
    half = len(hands) // 2
    mine, partners = hands[:half].copy(), np.zeros(half, dtype=np.uint64)
    for i, hand in enumerate(mine):
        dealt = np.zeros((1, 3), dtype=np.uint64)
        deal_hands(hand, SEED, i, dealt)
        partners[i] = dealt[0, 1]
    trumps = best_looking_trump(mine)
    salts = np.arange(half, dtype=np.uint64)
    out = np.zeros((half, 2), dtype=np.uint64)
    exchange_hands(mine, partners, trumps, RULES, POLICY, TABLES, salts, out)
    per_item(benchmark, half, "exchanges")
    benchmark(exchange_hands, mine, partners, trumps, RULES, POLICY, TABLES, salts, out)


def test_play(benchmark, hands) -> None:
    deals = np.zeros((1000, 4), dtype=np.uint64)
    for i in range(len(deals)):
        deals[i, 0] = hands[i]
        deal_hands(hands[i], SEED, i, deals[i : i + 1, 1:])
    trumps = best_looking_trump(deals[:, 0].copy())
    leaders = np.zeros(len(deals), dtype=np.int64)
    out = np.zeros((len(deals), 2), dtype=np.int64)
    traces = np.zeros((len(deals), 48), dtype=np.uint8)
    play_deals(deals, trumps, leaders, RULES, out, traces)
    per_item(benchmark, len(deals), "playouts of twelve tricks")
    benchmark(play_deals, deals, trumps, leaders, RULES, out, traces)


@pytest.mark.parametrize("tricks", [0, 1])
def test_lite(benchmark, hands, tricks) -> None:
    deals = np.zeros((200, 4), dtype=np.uint64)
    for i in range(len(deals)):
        deals[i, 0] = hands[i]
        deal_hands(hands[i], SEED, i, deals[i : i + 1, 1:])
    trumps = best_looking_trump(deals[:, 0].copy())
    nothing = np.zeros(len(deals), dtype=np.int64)
    tables = np.zeros((len(deals), 3), dtype=np.uint64)
    arguments = (deals, trumps, nothing, tables, nothing, 0, tricks)
    lite_values(*arguments)
    per_item(benchmark, len(deals), f"deals judged, {tricks} tricks ahead")
    benchmark(lite_values, *arguments)


def test_full_rounds(benchmark, hands) -> None:
    chosen = hands[:60]
    trumps = best_looking_trump(chosen)
    predictor = Predictor(RULES, POLICY, "policy", None)

    def run() -> None:
        for hand, trump in zip(chosen, trumps, strict=True):
            deals = deal_packed(hand, samples=16, seed=1)
            play(deals, np.full(len(deals), trump, dtype=np.int64), predictor)

    run()
    per_item(benchmark, len(chosen) * 48, "rounds: deal, both passes, four melds, twelve tricks")
    benchmark(run)


def test_auctions_with_play(benchmark) -> None:
    league, deals = League.of(["advisor", "b10"]), 4096
    play_league(league, 512)
    per_item(benchmark, 2 * deals, "complete auctions with play, both directions of each deal")
    benchmark(play_league, league, deals)
