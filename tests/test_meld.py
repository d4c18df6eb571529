import itertools
import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_meld import naive_meld

from advisor.errors import HandError
from advisor.game.cards import (
    ACE,
    DIAMONDS,
    HEARTS,
    JACK,
    KING,
    N_CARD_TYPES,
    QUEEN,
    SPADES,
    SUIT_LETTERS,
    SUITS,
    TEN,
    Hand,
    make_card,
    parse_card,
)
from advisor.game.meld import MeldItem, is_misdeal, meld_by_trump, score_meld
from advisor.game.rules import PRESETS, Rules

DATA = Path(__file__).parent / "data"
EXAMPLES = json.loads((DATA / "meld_examples.json").read_text(encoding="utf-8"))
# Facts from other programs' tests, read where they lie.
PEERS = DATA.parents[2] / "shared" / "data" / "peer_meld_cases.json"

HOUSES = {
    "pagat_main_run_extras": Rules(run_extras=True),
    "run_and_its_royal_marriage_both": Rules(royal_in_run=True),
    "marriages_around_240_on_top_of_parts": Rules(roundhouse_bonus=240),
}


def read_hand(text: str) -> Hand:
    return Hand.from_cards(parse_card(name) for name in text.split())


def hands(max_size: int = 20) -> st.SearchStrategy[Hand]:
    deck = [card for card in range(N_CARD_TYPES) for _ in range(2)]
    # Without the nines and tens half of the time, so that melds are common.
    rich = [card for card in deck if card % 6 in (JACK, QUEEN, KING, ACE)]
    cards = st.sampled_from([deck, rich]).flatmap(st.permutations)
    return st.builds(
        lambda order, size: Hand.from_cards(order[:size]), cards, st.integers(0, max_size)
    )


def trump_holdings() -> st.SearchStrategy[Hand]:
    """Hands rich in spades, for the cases around the run."""
    counts = st.lists(st.integers(0, 2), min_size=6, max_size=6)
    other = st.lists(st.integers(0, 1), min_size=18, max_size=18)
    return st.builds(lambda spades, rest: Hand((*spades, *rest)), counts, other)


houses = st.builds(
    Rules,
    run_extras=st.booleans(),
    royal_in_run=st.booleans(),
    roundhouse_bonus=st.sampled_from([0, 10, 240]),
    marriages_around_named=st.booleans(),
)
trumps = st.sampled_from(SUITS)


def listed(items: list[dict[str, object]]) -> Counter[tuple[object, object]]:
    return Counter((item["name"], item["points"]) for item in items)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["id"]))
def test_meld_example(example):
    hand = read_hand(example["hand"])
    trump = SUIT_LETTERS.index(example["trump"])
    assert len(hand) == example["cards"]
    for seed, preset in (("seed1", "gamerules"), ("seed2", "cardgames")):
        meld = score_meld(hand, trump, PRESETS[preset])
        expected = example[seed]
        assert Counter((item.name, item.points) for item in meld.items) == listed(expected["melds"])
        assert meld.total == expected["total"] == example["total"] == 10 * example["total_x1"]
        marriages = [item for item in expected["melds"] if item["name"] == "marriage"]
        assert Counter(SUIT_LETTERS.index(item["suit"]) for item in marriages) == Counter(
            item.suit for item in meld.items if item.name == "marriage"
        )
    for house, total in example["house_rule_totals"].items():
        assert score_meld(hand, trump, HOUSES[house]).total == total, house


def peer_cases():
    if not PEERS.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"{PEERS.name} is not here"))]
    cases = json.loads(PEERS.read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["id"]) for case in cases]


@pytest.mark.parametrize("case", peer_cases())
def test_peer_meld_case(case):
    hand = read_hand(case["hand"])
    trump = SUIT_LETTERS.index(case["trump"])
    assert len(hand) == case["n_cards"]
    assert score_meld(hand, trump).total == case["points"]
    stacks = {"run_absorbs_marriage": False, "run_stacks_marriage": True}[case["rule_stated"]]
    assert score_meld(hand, trump, Rules(royal_in_run=stacks)).total == case["points_stated"]


@given(hands(), trumps, houses)
@settings(max_examples=300, deadline=None)
def test_meld_is_the_best_that_the_class_rule_allows(hand, trump, rules):
    meld = score_meld(hand, trump, rules)
    assert meld.total == naive_meld(hand, trump, rules)
    assert meld.total == sum(item.points for item in meld.items)


@given(trump_holdings(), houses)
@settings(max_examples=300, deadline=None)
def test_meld_around_the_run_is_the_best_that_the_class_rule_allows(hand, rules):
    assert score_meld(hand, SPADES, rules).total == naive_meld(hand, SPADES, rules)


@pytest.mark.parametrize("rules", [Rules(), *HOUSES.values()], ids=["default", *HOUSES])
@pytest.mark.parametrize("trump", [SPADES, HEARTS])
def test_all_729_holdings_of_a_suit(trump, rules):
    for held in itertools.product(range(3), repeat=6):
        nines, jacks, queens, kings, tens, aces = held
        hand = Hand((*held, *[0] * 18))
        runs = min(jacks, queens, kings, tens, aces)
        spare = (kings - runs, queens - runs)
        if trump == HEARTS:
            expected = 20 * min(kings, queens)
        else:
            pairs = sum(spare) if rules.run_extras and runs else min(spare)
            expected = (0, 150, 1500)[runs] + 40 * pairs + 10 * nines
            expected += 40 * runs if rules.royal_in_run else 0
        assert score_meld(hand, trump, rules).total == expected, held


def test_largest_melds_of_12_and_16_cards():
    run = (ACE, TEN, KING, QUEEN, JACK)
    double_run = [make_card(SPADES, rank) for rank in run * 2]
    jacks = [make_card(DIAMONDS, JACK)] * 2
    assert score_meld(Hand.from_cards(double_run + jacks), SPADES).total == 1800
    aces = [make_card(suit, ACE) for suit in SUITS[1:] for _ in range(2)]
    assert score_meld(Hand.from_cards(double_run + aces), SPADES).total == 2500


@given(hands(), trumps, houses, st.data())
@settings(deadline=None)
def test_a_further_card_never_lowers_the_meld(hand, trump, rules, data):
    free = [card for card in range(N_CARD_TYPES) if hand.counts[card] < 2]
    card = data.draw(st.sampled_from(free))
    more = Hand.from_cards((*hand.cards, card))
    assert score_meld(more, trump, rules).total >= score_meld(hand, trump, rules).total


@given(hands(), trumps)
@settings(deadline=None)
def test_meld_is_the_sum_of_its_suits_the_pinochle_and_the_arounds(hand, trump):
    # The reduction on which the exact distribution rests.
    alone = 0
    for suit in SUITS:
        counts = [0] * N_CARD_TYPES
        counts[suit * 6 : suit * 6 + 6] = hand.suit(suit)
        alone += score_meld(Hand(tuple(counts)), trump).total
    pinochles = min(hand.count(SPADES, QUEEN), hand.count(DIAMONDS, JACK))
    shared = (0, 40, 300)[pinochles]
    for rank, points in ((ACE, 100), (KING, 80), (QUEEN, 60), (JACK, 40)):
        shared += points * (0, 1, 10)[min(hand.count(suit, rank) for suit in SUITS)]
    assert score_meld(hand, trump).total == alone + shared


@given(hands())
@settings(deadline=None)
def test_naming_the_marriages_around_changes_no_total(hand):
    for plain, named in zip(
        meld_by_trump(hand), meld_by_trump(hand, PRESETS["gamerules"]), strict=True
    ):
        assert plain.total == named.total


def test_suits_of_items_and_their_order():
    hand = read_hand("AS 10S KS KS QS QS JS 9S 9S KH QH JD AH AD AC")
    meld = score_meld(hand, SPADES, Rules(run_extras=True))
    assert meld.items == (
        MeldItem("run", SPADES, 150),
        MeldItem("extra king", SPADES, 40),
        MeldItem("extra queen", SPADES, 40),
        MeldItem("marriage", HEARTS, 20),
        MeldItem("dix", SPADES, 10),
        MeldItem("dix", SPADES, 10),
        MeldItem("pinochle", None, 40),
        MeldItem("aces around", None, 100),
    )
    assert [meld.total for meld in meld_by_trump(hand)] == [
        score_meld(hand, trump).total for trump in SUITS
    ]


def test_dix_only():
    assert score_meld(read_hand("9S 9S AS KH"), SPADES).dix_only
    assert not score_meld(read_hand("9S KS QS"), SPADES).dix_only
    assert score_meld(read_hand("KS KH"), SPADES).dix_only


@pytest.mark.parametrize("trump", [-1, 4, 99])
def test_trump_outside_the_suits(trump):
    with pytest.raises(HandError, match="expected a suit, 0 to 3, found"):
        score_meld(read_hand("AS"), trump)


@pytest.mark.parametrize(
    ("cards", "rule", "expected"),
    [
        ("9S 9S 9H 9H 9D AS", "none", False),
        ("9S 9S 9H 9H AS", "five-nines", False),
        ("9S 9S 9H 9H 9D AS", "five-nines", True),
        ("9S 9S 9H 9H 9D AS", "five-nines-no-ace", False),
        ("9S 9S 9H 9H 9D KS", "five-nines-no-ace", True),
        ("9S 9S 9H 9H 9D KS QS", "five-nines-no-meld", False),
        ("9S 9S 9H 9H 9D KS QH", "five-nines-no-meld", True),
        ("9S 9S 9H 9H 9D", "six-nines", False),
        ("9S 9S 9H 9H 9D 9C", "six-nines", True),
    ],
)
def test_misdeal(cards, rule, expected):
    assert is_misdeal(read_hand(cards), Rules(misdeal=rule)) is expected


def test_a_meld_takes_microseconds():
    hand = read_hand(EXAMPLES[-1]["hand"])
    times = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(100):
            score_meld(hand, SPADES)
        times.append((time.perf_counter() - start) / 100)
    # About 15 microseconds; the bound is loose because machines are.
    assert min(times) < 200e-6
