import itertools
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import (
    DECK,
    cards_of,
    is_best_send,
    packed,
    replay,
    team_meld,
    unpacked,
    without,
)
from naive_play import chance, play_names, tie_salt
from test_exchange import exchanged

from advisor import playing
from advisor.game.cards import SUITS, Hand, make_card, rank_of, suit_of
from advisor.game.meld import score_meld
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import rounds
from advisor.kernels.deal import deal_hands
from advisor.kernels.play import play_deals
from advisor.playing import Predictor, deal_packed, rule_array
from advisor.policy import policy_array
from advisor.returning import return_tables

TABLES = [
    Rules(heading=heading, first_lead=lead, card_points=points, last_trick=last)
    for heading, lead, (points, last) in itertools.product(
        ("always", "trump-leads", "after-ruff"),
        ("any", "trump"),
        (("10-10-10", 10), ("11-10-4-3-2", 20), ("10-10-5-5", 0)),
    )
]
HANDS = ["AATKQJ.AK.QJ.T9", "A9.KQ.J9T.AAKQJ", "-.AATTKKQQJJ99.-.-", "99.99.TJQ.KKQQT"]


def play(deals, trumps, leaders, rules):
    """Return points and tricks of seats 0 and 2, and the cards in the order played."""
    words = np.array([[packed(hand) for hand in deal] for deal in deals], dtype=np.uint64)
    out = np.zeros((len(deals), 2), dtype=np.int64)
    traces = np.zeros((len(deals), 48), dtype=np.uint8)
    play_deals(
        words,
        np.array(trumps, dtype=np.int64),
        np.array(leaders, dtype=np.int64),
        rule_array(rules),
        out,
        traces,
    )
    plays = [
        [int(card) for card in trace[: 4 * len(deal[0])]]
        for trace, deal in zip(traces, deals, strict=True)
    ]
    return out.tolist(), plays


def split(order, size):
    return [order[seat * size : (seat + 1) * size] for seat in range(4)]


def assert_play_is_by_the_rules(deals, trumps, leaders, rules):
    results, plays = play(deals, trumps, leaders, rules)
    for i, deal in enumerate(deals):
        expected = replay(deal, plays[i], trumps[i], leaders[i], rules)
        assert results[i] == [expected.points[0], expected.tricks[0]]
        if len(deal[0]) == 12:
            assert sum(expected.points) == rules.trick_total


@pytest.mark.parametrize("size", range(1, 13))
def test_every_play_is_held_and_legal_and_counted(size):
    rng = np.random.default_rng(size)
    seats = list(itertools.product(SUITS, range(4)))
    for rules in TABLES:
        deals = [
            split([int(card) for card in rng.permutation(DECK)], size) for _ in range(len(seats))
        ]
        trumps, leaders = zip(*seats, strict=True)
        assert_play_is_by_the_rules(deals, trumps, leaders, rules)


@settings(deadline=None)
@given(
    st.permutations(DECK),
    st.integers(1, 12),
    st.sampled_from(SUITS),
    st.integers(0, 3),
    st.sampled_from(TABLES),
)
def test_any_deal_is_played_by_the_rules(order, size, trump, leader, rules):
    assert_play_is_by_the_rules([split(order, size)], [trump], [leader], rules)


def seats_to_play(deal, plays, trump, leader):
    return replay(deal, plays, trump, leader, Rules()).turns


@pytest.mark.parametrize("size", [3, 5, 8, 12])
def test_no_seat_peeks(size):
    """A seat plays the same card whatever the others hold, if all plays so far are the same."""
    rng = np.random.default_rng(size)
    compared, changed_later = 0, 0
    for number in range(12):
        trump, leader = int(rng.integers(4)), int(rng.integers(4))
        deal = split([int(card) for card in rng.permutation(DECK)], size)
        _, [plays] = play([deal], [trump], [leader], Rules())
        turns = seats_to_play(deal, plays, trump, leader)
        others, moments = [], []
        for turn, seat in enumerate(turns):
            hands = [list(hand) for hand in deal]
            for past in range(turn):
                hands[turns[past]].remove(plays[past])
            for _ in range(25):
                hidden = [card for s in range(4) if s != seat for card in hands[s]]
                hidden = [int(card) for card in rng.permutation(hidden)]
                again = []
                for s in range(4):
                    played = [plays[past] for past in range(turn) if turns[past] == s]
                    unplayed = hands[s]
                    if s != seat:
                        unplayed = [hidden.pop() for _ in hands[s]]
                    again.append([*played, *unplayed])
                if all(again[0].count(card) <= 2 for card in again[0]):
                    others.append(again)
                    moments.append(turn)
        _, traces = play(others, [trump] * len(others), [leader] * len(others), Rules())
        for trace, turn in zip(traces, moments, strict=True):
            # Voids and all else that the table has seen are then the same too.
            if trace[:turn] == plays[:turn]:
                assert trace[turn] == plays[turn], (number, turn)
                compared += 1
                changed_later += trace[turn:] != plays[turn:]
    # Enough moments to compare, and redeals that did change what the others played.
    assert compared > 500 * size / 3
    assert changed_later > 100


def simulated(hand, trump, rules, samples, seed, first=0, memory=None):
    n = rounds.ROTATIONS * samples
    outcomes = np.zeros((n, rounds.N_OUTCOME), dtype=np.int16)
    cards = np.zeros((n, rounds.N_CARDS), dtype=np.uint64)
    word, seed = np.uint64(packed(hand)), np.uint64(seed)
    values, policy = rule_array(rules), policy_array()
    tables = return_tables()
    memory = np.zeros((1, 3), dtype=np.uint64) if memory is None else memory
    deals = np.zeros((n, 4), dtype=np.uint64)
    states, turns, by_policy = np.zeros((3, n), dtype=np.uint64)
    rounds.deal_rounds(word, seed, first, deals, states, turns)
    rounds.play_rounds(
        deals, states, turns, np.full(n, trump), by_policy, by_policy, values, policy, tables,
        memory, outcomes, cards,
    )  # fmt: skip
    outcomes, cards = (array.reshape(samples, 3, -1) for array in (outcomes, cards))
    thirds = np.zeros((samples, 3), dtype=np.uint64)
    deal_hands(word, seed, first, thirds)
    return outcomes, cards, [[unpacked(third) for third in deal] for deal in thirds]


def after_exchange(hand, hidden, turn, received, returned):
    """Return the four hands that are played: declarer, left, partner, right."""
    declarer = without([*hand, *received], returned)
    partner = [*without(hidden[turn], received), *returned]
    # The hidden hands sit in a row after declarer; a rotation moves them on together.
    return [declarer, hidden[(turn + 2) % 3], partner, hidden[(turn + 1) % 3]]


def renamed(card, names):
    return make_card(names[suit_of(card)], rank_of(card))


def assert_rounds_agree(hand, trump, rules, samples, seed, first=0):
    outcomes, cards, deals = simulated(hand, trump, rules, samples, seed, first)
    tables = []
    for hidden, turn in itertools.product(range(samples), range(3)):
        received, returned = (unpacked(word) for word in cards[hidden, turn, :2])
        assert len(received) == len(returned) == rules.pass_cards
        if rules.pass_cards:
            partner = deals[hidden][turn]
            assert is_best_send(received, partner, trump, rules.pass_cards, policy_array())
        hands = after_exchange(hand, deals[hidden], turn, received, returned)
        assert [len(Hand.from_cards(held)) for held in hands] == [12] * 4
        assert sorted(itertools.chain(*hands)) == DECK
        tables.append(hands)
    n = len(tables)
    names = [play_names(hand, trump, seed, first + i) for i in range(samples)]
    named = [
        [[renamed(card, names[i // 3]) for card in held] for held in hands]
        for i, hands in enumerate(tables)
    ]
    results, plays = play(named, [0] * n, [0] * n, rules)
    for i, hands in enumerate(tables):
        played = replay(named[i], plays[i], 0, 0, rules)
        assert results[i] == [played.points[0], played.tricks[0]]
        our_meld, our_dix_only = team_meld(hands[::2], trump, rules)
        their_meld, their_dix_only = team_meld(hands[1::2], trump, rules)
        declarer_meld = score_meld(Hand.from_cards(hands[0]), trump, rules).total
        flags = (
            rounds.FLAG_OUR_TRICK * (played.tricks[0] > 0)
            + rounds.FLAG_THEIR_TRICK * (played.tricks[1] > 0)
            + rounds.FLAG_OUR_DIX_ONLY * our_dix_only
            + rounds.FLAG_THEIR_DIX_ONLY * their_dix_only
        )
        # What a predictor starts from: the hands as they were played, and a number by chance.
        record = cards[i // 3, i % 3]
        hands_played = record[rounds.PLAYED_HANDS : rounds.PLAYED_HANDS + 4]
        assert [sorted(unpacked(word)) for word in hands_played] == [sorted(x) for x in named[i]]
        assert record[rounds.CHANCE] == chance(hand, seed, first + i // 3, i % 3)
        expected = [0] * rounds.N_OUTCOME
        expected[rounds.OUR_MELD] = our_meld
        expected[rounds.THEIR_MELD] = their_meld
        expected[rounds.OUR_TRICKS] = played.points[0]
        expected[rounds.FLAGS] = flags
        expected[rounds.DECLARER_MELD] = declarer_meld
        for suit in SUITS:
            expected[rounds.LOST + suit] = played.lost_by_suit[names[i // 3][suit]]
        assert outcomes[i // 3, i % 3].tolist() == expected


@pytest.mark.parametrize("size", [0, 2, 3, 4])
@pytest.mark.parametrize("text", HANDS)
def test_simulated_rounds_played_over_again(text, size):
    for trump in SUITS:
        rules = TABLES[(size + 5 * trump) % len(TABLES)].replace(pass_cards=size)
        assert_rounds_agree(cards_of(text), trump, rules, samples=5, seed=size, first=3)


@pytest.mark.parametrize("size", [1, 8, 4096])
def test_what_is_remembered_of_returns_changes_nothing(size):
    """One memory for several trumps and hands, with room for all of it and for hardly any."""
    memory = np.zeros((size, 3), dtype=np.uint64)
    for text, trump in itertools.product([*HANDS, HANDS[0]], SUITS):
        alone = simulated(cards_of(text), trump, Rules(), 60, 11)
        found = simulated(cards_of(text), trump, Rules(), 60, 11, memory=memory)
        for one, other in zip(alone[:2], found[:2], strict=True):
            assert (one == other).all()
    assert memory.any(axis=1).sum() > min(size, 1000) / 2


def test_each_thread_remembers_under_the_same_rules(monkeypatch):
    """Other rules start afresh; deals in which many hands declare are not remembered."""
    deals = deal_packed(packed(cards_of(HANDS[0])), samples=40)
    trumps = np.zeros(len(deals), dtype=np.int64)
    for rules in (Rules(), Rules(pass_cards=3), Rules(run_extras=False), Rules()):
        predictor = Predictor.of(rules, "policy", True)
        first = playing.play(deals, trumps, predictor)[0]
        memory = playing._THREAD.returns[-1]
        assert memory.any()
        again = playing.play(deals, trumps, Predictor.of(rules, "policy", True))[0]
        assert playing._THREAD.returns[-1] is memory
        with monkeypatch.context() as patch:
            patch.setattr(playing, "_THREAD", threading.local())
            patch.setattr(playing, "KNOWN_RETURNS", 1)
            afresh = playing.play(deals, trumps, predictor)[0]
            assert len(playing._THREAD.returns[-1]) == 1
        assert (first == again).all()
        assert (first == afresh).all()
        before = memory.copy()
        others = playing.play(deals.declared_by(2), trumps, predictor)
        assert playing._THREAD.returns[-1] is memory
        assert (memory == before).all()
        assert len(others[0]) == len(deals)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_simulated_rounds_of_every_preset(rules):
    rng = np.random.default_rng(3)
    for trump in SUITS:
        hand = sorted(int(card) for card in rng.permutation(DECK)[:12])
        assert_rounds_agree(hand, trump, rules, samples=5, seed=2**63 + trump)


@settings(deadline=None, max_examples=40)
@given(
    st.permutations(DECK),
    st.sampled_from(SUITS),
    st.sampled_from([0, 2, 3, 4]),
    st.sampled_from(TABLES),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**62),
)
def test_any_round_played_over_again(order, trump, size, rules, seed, first):
    rules = rules.replace(pass_cards=size, run_extras=seed % 2 == 0, royal_in_run=seed % 3 == 0)
    assert_rounds_agree(order[:12], trump, rules, samples=1, seed=seed, first=first)


def test_every_hidden_hand_is_partner_once():
    hand = cards_of("AATKQJ.AK.QJ.T9")
    outcomes, cards, deals = simulated(hand, 0, Rules(), 300, seed=8)
    differing = 0
    for i, hidden in enumerate(deals):
        for turn in range(3):
            # What came lies in the hand whose turn it was.
            without(hidden[turn], unpacked(cards[i, turn, rounds.RECEIVED]))
        differing += len({tuple(row) for row in cards[i, :, :2].tolist()}) == 3
    assert differing > 290
    scores = outcomes[..., rounds.OUR_TRICKS].astype(int) + outcomes[..., rounds.OUR_MELD]
    assert (scores.max(axis=1) > scores.min(axis=1)).mean() > 0.9


def test_declarer_and_partner_use_the_exchange_that_is_tested_apart():
    hand, rules = cards_of("A9.KQ.J9T.AAKQJ"), Rules(pass_cards=3)
    _, cards, deals = simulated(hand, 3, rules, 200, seed=4)
    pairs = [(hand, third) for deal in deals for third in deal]
    salts = [tie_salt(hand, 4, i, turn) for i in range(200) for turn in range(3)]
    apart = exchanged(pairs, [3] * len(pairs), rules, salts=salts)
    assert [
        (unpacked(came), unpacked(went)) for came, went in cards[..., :2].reshape(600, 2)
    ] == apart


@pytest.mark.parametrize("rules", TABLES[:3], ids=["10", "11", "5"])
def test_points_of_both_sides_make_the_total(rules):
    samples = 20_000
    hand = cards_of("AATKQJ.AK.QJ.T9")
    outcomes, _, _ = simulated(hand, 0, rules, samples, seed=6)
    ours = outcomes[..., rounds.OUR_TRICKS].astype(int)
    assert ours.min() >= 0
    assert ours.max() <= rules.trick_total
    lost = outcomes[..., rounds.LOST : rounds.LOST + 4].sum(axis=-1)
    assert (lost == rules.trick_total - ours).all()
    flags = outcomes[..., rounds.FLAGS]
    assert ((flags & rounds.FLAG_OUR_TRICK != 0) | (ours == 0)).all()
    assert ((flags & rounds.FLAG_THEIR_TRICK != 0) | (ours == rules.trick_total)).all()
