"""The hidden cards as declarer sees them after the exchange."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, cards_of, packed, unpacked, without
from naive_hidden import hidden_sample, rule_sends

from advisor.game.cards import SUITS
from advisor.game.rules import Rules
from advisor.kernels.hidden import deal_hidden
from advisor.playing import rule_array
from advisor.policy import policy_array

HELD = "AATTKQJJ.AAK.QJ.T99"


def dealt(held, trump, samples, received=(), n_cards=4, seed=0, first=0, most_tries=20_000):
    """Return (deals, sent, states, tries), cards as lists."""
    deals = np.zeros((samples, 4), dtype=np.uint64)
    states, sent = np.zeros(samples, dtype=np.uint64), np.zeros(samples, dtype=np.uint64)
    tries = np.zeros(samples, dtype=np.int64)
    deal_hidden(
        np.uint64(packed(held)),
        np.uint64(packed(received)),
        np.uint64(trump),
        n_cards,
        policy_array(),
        np.uint64(seed),
        first,
        most_tries,
        deals,
        states,
        sent,
        tries,
    )
    hands = [[unpacked(word) for word in row] for row in deals]
    return hands, [unpacked(word) for word in sent], states.tolist(), tries.tolist()


@settings(deadline=None, max_examples=40)
@given(
    st.permutations(DECK),
    st.sampled_from(SUITS),
    st.sampled_from((2, 3, 4)),
    st.booleans(),
    st.sampled_from((0, 1, 40)),
    st.integers(0, 2**64 - 1),
)
def test_deals_are_those_of_the_twin(order, trump, n_cards, told, most_tries, seed):
    rules = rule_array(Rules(pass_cards=n_cards))
    partner = order[12:24]
    sent = rule_sends(partner, trump, rules, 0)
    held = [*order[:12], *sent]
    received = sent if told else []
    found = dealt(held, trump, 3, received, n_cards, seed, 5, most_tries)
    for i in range(3):
        deal, came, state, tries = hidden_sample(
            held, received, trump, n_cards, rules, seed, 5 + i, most_tries
        )
        assert found[3][i] == tries
        if tries:
            assert (found[0][i], found[1][i], found[2][i]) == (deal, came, state)


def test_a_hand_of_doubles_is_dealt_like_the_twin():
    held = cards_of("AATTKKQQJJ.AA.AA.AA")
    found = dealt(held, 0, 4, most_tries=300)
    for i in range(4):
        deal, came, _, tries = hidden_sample(held, [], 0, 4, rule_array(Rules()), 0, i, 300)
        assert found[3][i] == tries
        assert not tries or (found[0][i], found[1][i]) == (deal, came)


def test_cards_are_conserved_and_the_rule_sends_what_came():
    held = cards_of(HELD)
    deals, sent, _, tries = dealt(held, 0, 200)
    assert all(tries)
    for hands, came in zip(deals, sent, strict=True):
        assert [len(hand) for hand in hands] == [12] * 4
        assert sorted(card for hand in hands for card in hand) == DECK
        assert sorted([*hands[0], *came]) == sorted(held)
        without(hands[2], came)


def test_a_sample_depends_on_its_index_alone():
    held = cards_of(HELD)
    whole = dealt(held, 0, 20)
    part = dealt(held, 0, 5, first=15)
    assert [column[15:] for column in whole] == list(part)
    assert dealt(held, 0, 20, seed=1) != whole


def test_an_ace_that_did_not_come_is_rarely_with_partner():
    # Partner sent a side king though an ace of clubs would have gone first.
    held = cards_of("AATTKQJ9.AK9.KQ.T9J")
    received = cards_of("AS TS JS KD")
    deals, _, _, tries = dealt(held, 0, 200, received, most_tries=20_000)
    kept = [hands for hands, n in zip(deals, tries, strict=True) if n]
    assert len(kept) > 150
    assert not any(card % 6 == 5 and card // 6 for hands in kept for card in hands[2])


def test_nobody_sends_side_nines_by_rule():
    held = cards_of("ATKQJ99.AK9.QJ9.AT9")
    assert dealt(held, 0, 3, cards_of("9S 9H 9D 9C"), most_tries=200)[3] == [0, 0, 0]
    # Without the rule any deal will do.
    assert dealt(held, 0, 3, cards_of("9S 9H 9D 9C"), most_tries=0)[3] == [1, 1, 1]


@pytest.mark.parametrize("told", [True, False])
def test_hidden_cards_are_as_likely_as_at_a_table_of_such_partners(told):
    """Deal, send, look at declarer's cards alone, and guess: guesses are right on average."""
    rng = np.random.default_rng([7, told])
    rules = rule_array(Rules())
    statistics = {
        "second copies kept": lambda sent, kept: len(set(sent) & set(kept)),
        "trumps kept": lambda sent, kept: sum(card < 6 for card in kept),
        "aces kept": lambda sent, kept: sum(card % 6 == 5 for card in kept),
        "trumps sent": lambda sent, kept: sum(card < 6 for card in sent),
        "weight kept": lambda sent, kept: sum(card % 6 for card in kept),
    }
    differences = {name: [] for name in statistics}
    for number in range(4000):
        order = [int(card) for card in rng.permutation(DECK)]
        sent = rule_sends(order[12:24], 0, rules, int(rng.integers(2**62)))
        held = [*order[:12], *sent]
        # Rich holdings, so that few tries are wasted; declarer can see as much.
        if sum(card < 6 for card in held) < 7:
            continue
        deals, came, _, tries = dealt(
            held, 0, 1, sent if told else [], seed=number, most_tries=100_000
        )
        if not tries[0]:
            continue
        true = sent, without(order[12:24], sent)
        guessed = came[0], without(deals[0][2], came[0])
        for name, of in statistics.items():
            differences[name].append(of(*guessed) - of(*true))
    for name, values in differences.items():
        error = np.std(values, ddof=1) / len(values) ** 0.5
        assert len(values) > 400
        assert abs(np.mean(values)) <= 3.5 * error, (name, np.mean(values), error)
