import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, packed, unpacked, without

from advisor.game.cards import DIAMONDS, HEARTS, SPADES, SUITS, Hand, make_card
from advisor.game.meld import score_meld
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import packed as words
from advisor.kernels.deal import deal_hands
from advisor.kernels.meldscore import meld_all_trumps
from advisor.playing import rule_array

TABLES = json.loads(
    (Path(__file__).parent / "data" / "exact_meld_distribution.json").read_text(encoding="utf-8")
)
# What meld depends on: every preset, and each switch of the run beside the bonus.
HOUSES = [
    *PRESETS.values(),
    *(
        Rules(run_extras=extras, royal_in_run=royal, roundhouse_bonus=bonus)
        for extras, royal, bonus in itertools.product((False, True), (False, True), (0, 240, 1000))
    ),
]


def kernel_meld(hands, rules):
    """Return the kernel's points, shape (n_hands, 4), of packed words or of hands."""
    hands = np.array([getattr(hand, "packed", hand) for hand in hands], dtype=np.uint64)
    out = np.full((len(hands), 4), -1, dtype=np.int16)
    meld_all_trumps(hands, rule_array(rules), out)
    return out


def assert_meld_agrees(hands, rules):
    expected = [[score_meld(hand, trump, rules).total for trump in SUITS] for hand in hands]
    np.testing.assert_array_equal(kernel_meld(hands, rules), expected)


@pytest.mark.parametrize("rules", HOUSES[:8], ids=range(8))
def test_meld_of_every_holding_of_one_suit(rules):
    holdings = itertools.product(range(3), repeat=6)
    hands = [
        Hand((0,) * 6 * suit + held + (0,) * 6 * (3 - suit)) for held in holdings for suit in SUITS
    ]
    assert len(hands) == 4 * 729
    assert_meld_agrees(hands, rules)


@pytest.mark.parametrize("rules", HOUSES, ids=range(len(HOUSES)))
def test_meld_of_every_holding_common_to_all_suits(rules):
    # Arounds and the bonus look at nothing else; the hands go up to all 48 cards.
    hands = [Hand(held * 4) for held in itertools.product(range(3), repeat=6)]
    assert_meld_agrees(hands, rules)


def test_meld_of_every_pinochle_holding():
    queen, jack = make_card(SPADES, 2), make_card(DIAMONDS, 1)
    hands = [
        Hand.from_cards([queen] * queens + [jack] * jacks)
        for queens, jacks in itertools.product(range(3), repeat=2)
    ]
    assert_meld_agrees(hands, Rules())
    assert kernel_meld(hands, Rules())[:, HEARTS].tolist() == [0, 0, 0, 0, 40, 40, 0, 40, 300]


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_meld_of_random_hands(house):
    rng = np.random.default_rng(house)
    rich = [card for card in DECK if card % 6 not in (0, 4)]
    hands = []
    for _ in range(150):
        for deck in (DECK, rich):
            order = rng.permutation(deck)
            hands.append(Hand.from_cards(int(card) for card in order[: rng.integers(0, 26)]))
    assert_meld_agrees(hands, HOUSES[house])


@settings(deadline=None)
@given(
    st.permutations(DECK),
    st.integers(0, 48),
    st.builds(
        Rules,
        run_extras=st.booleans(),
        royal_in_run=st.booleans(),
        roundhouse_bonus=st.sampled_from([0, 10, 240, 1000]),
        marriages_around_named=st.booleans(),
    ),
)
def test_meld_agrees_with_the_game(order, size, rules):
    assert_meld_agrees([Hand.from_cards(order[:size])], rules)


# The exact standard deviations of single suits; the file has those of spades and hearts.
EXACT_SD = {12: (41.50, 40.25, 40.50, 40.25), 16: (65.65, 63.58, 64.41, 63.58)}


def twelve_cards():
    """A million hands, four from each shuffled deck."""
    rng = np.random.default_rng(20_240_101)
    kinds = np.array(DECK)
    order = rng.random((250_000, 48)).argsort(axis=1)
    dealt = kinds[order].reshape(250_000, 4, 12)
    dealt.sort(axis=2)
    again = np.zeros(dealt.shape, dtype=bool)
    again[..., 1:] = dealt[..., 1:] == dealt[..., :-1]
    bits = np.uint64(1) << (2 * dealt + again).astype(np.uint64)
    return np.bitwise_or.reduce(bits, axis=2)


def sixteen_cards():
    """A million hands, three from each deal of the whole deck by the kernel."""
    hands = np.zeros((333_334, 3), dtype=np.uint64)
    deal_hands(np.uint64(0), np.uint64(7), 0, hands)
    return hands


@pytest.mark.parametrize(("size", "deal"), [(12, twelve_cards), (16, sixteen_cards)])
def test_a_million_hands_meld_as_the_exact_tables_say(size, deal):
    # Hands of one deal share its cards, so a deal is one observation of every average.
    hands = deal()
    assert set(np.bitwise_count(hands).ravel().tolist()) == {size}
    points = kernel_meld(hands.ravel(), Rules()).reshape(*hands.shape, 4).astype(np.float64)
    by_name = {"S": points[..., 0], "H": points[..., 1], "best": points.max(axis=-1)}

    def assert_mean(values, exact, rounding, what):
        of_deals = values.mean(axis=1)
        error = of_deals.std(ddof=1) / np.sqrt(len(of_deals))
        assert abs(of_deals.mean() - exact) < 4 * error + rounding, what

    for name, values in by_name.items():
        table = TABLES[f"{size} cards, trump {name}"]
        assert_mean(values, table["mean"], 5e-5, (name, "mean"))
        assert_mean((values - table["mean"]) ** 2, table["sd"] ** 2, 0.01, (name, "variance"))
        assert values.max() <= table["max"]
        for least, share in table["p_ge"].items():
            # With fewer hits than this four standard errors are no bound.
            if share * values.size > 50:
                assert_mean(values >= int(least), share, 6e-4 * share, (name, least))
        for percent, expected in table["percentiles"].items():
            below = (values < expected).mean()
            up_to = (values <= expected).mean()
            assert below - 0.002 < int(percent) / 100 < up_to + 0.002, (name, percent)
    for suit in SUITS:
        values = points[..., suit]
        mean, sd = TABLES[f"{size} cards, trump S"]["mean"], EXACT_SD[size][suit]
        assert_mean(values, mean, 5e-5, suit)
        assert_mean((values - mean) ** 2, sd**2, 2 * sd * 0.005, suit)


cards = st.sampled_from(range(24))
part_decks = st.builds(lambda order, size: order[:size], st.permutations(DECK), st.integers(0, 47))


@settings(deadline=None)
@given(part_decks, cards)
def test_a_card_added_and_removed(held, card):
    word, bit = np.uint64(packed(held)), np.uint64(1 << 2 * card)
    if held.count(card) < 2:
        assert unpacked(words.add(word, bit)) == sorted([*held, card])
    if held.count(card) > 0:
        assert unpacked(words.remove(word, bit)) == sorted(without(held, [card]))


@settings(deadline=None)
@given(st.permutations(DECK), st.integers(0, 16), st.integers(0, 31))
def test_what_a_seat_has_not_seen(order, n_hand, n_played):
    hand, played, rest = (
        order[:n_hand],
        order[n_hand : n_hand + n_played],
        order[n_hand + n_played :],
    )
    unseen = words.unseen_by(np.uint64(packed(hand)), np.uint64(packed(played)))
    assert unpacked(unseen) == sorted(set(rest))


@settings(deadline=None)
@given(part_decks, st.sampled_from(SUITS))
def test_trump_moved_to_spades_and_back(held, trump):
    there = words.swap_trump(np.uint64(packed(held)), np.uint64(trump))
    places = {trump: SPADES, SPADES: trump}
    moved = [make_card(places.get(card // 6, card // 6), card % 6) for card in held]
    assert unpacked(there) == sorted(moved)
    assert unpacked(words.swap_trump(there, np.uint64(trump))) == sorted(held)


def test_masks_name_the_cards_they_say():
    def kinds(mask):
        return {bit // 2 for bit in range(48) if int(mask) >> bit & 1}

    for rank, mask in enumerate(
        (words.NINES, words.JACKS, words.QUEENS, words.KINGS, words.TENS, words.ACES)
    ):
        assert kinds(mask) == {make_card(suit, rank) for suit in SUITS}
    assert kinds(words.COUNTERS) == {card for card in range(24) if card % 6 >= 3}
    assert kinds(words.NON_COUNTERS) == {card for card in range(24) if card % 6 < 3}
    assert kinds(words.QUEEN_OF_SPADES) == {make_card(SPADES, 2)}
    assert kinds(words.JACK_OF_DIAMONDS) == {make_card(DIAMONDS, 1)}
