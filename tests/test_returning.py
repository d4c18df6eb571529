"""The measured tables of the return against the exchanges that they are about."""

from fractions import Fraction

import numpy as np
import pytest
from naive import DECK, meld_points, packed, unpacked, without
from naive_returns import (
    UNIT,
    around_gain,
    copies,
    level_of_all,
    measured,
    pinochle_and_marriage_gain,
    royal_gain,
)

from advisor.declaring import declares
from advisor.game.cards import JACK, KING, QUEEN, SUITS
from advisor.game.rules import Rules
from advisor.kernels import exchange
from advisor.playing import rule_array
from advisor.policy import policy_array
from advisor.returning import (
    CHANCE,
    SHAPES,
    SIDE_SIZES,
    TRUMP_SIZES,
    all_ways,
    marriage_gains,
    packed_suit,
    pinochle_gains,
    return_tables,
    side_marks,
    stored_weights,
    tables_of,
    trump_marks,
)

RULES = Rules()


def real_exchanges(number, seed):
    """Yield trump, declarer's cards, partner's cards, the sent and the returned of many deals."""
    rng = np.random.default_rng(seed)
    values = rule_array(RULES)
    pairs, trumps = [], []
    while len(pairs) < number:
        order = [int(card) for card in rng.permutation(DECK)]
        word = np.array([packed(order[:12])], dtype=np.uint64)
        for trump in SUITS:
            if declares(word, trump, values)[0]:
                pairs.append((order[:12], order[12:24]))
                trumps.append(trump)
    out = np.zeros((len(pairs), 2), dtype=np.uint64)
    exchange.exchange_hands(
        *(np.array([packed(pair[i]) for pair in pairs], dtype=np.uint64) for i in range(2)),
        np.array(trumps),
        values,
        policy_array(),
        return_tables(),
        np.arange(len(pairs), dtype=np.uint64),
        out,
    )
    for trump, (declarer, partner), cards in zip(trumps, pairs, out, strict=True):
        yield trump, declarer, partner, unpacked(cards[0]), unpacked(cards[1])


def test_given_cards_add_to_partners_meld_what_the_tables_expect():
    _, tables = measured()
    errors = []
    for trump, declarer, partner, sent, returned in real_exchanges(4000, 3):
        hand, kept = [*declarer, *sent], without(partner, sent)
        level = level_of_all(sent, trump, RULES.pass_cards)
        expected = sum(
            around_gain(hand, sent, returned, trump, level, rank, tables)
            for rank in (JACK, QUEEN, KING, 5)
        )
        expected += royal_gain(hand, returned, trump, level, tables)
        expected += pinochle_and_marriage_gain(hand, sent, returned, trump, level, tables)
        expected += UNIT * 10 * copies(returned, trump, 0)
        after = meld_points(tuple(sorted([*kept, *returned])), trump, RULES)
        errors.append(after - meld_points(tuple(sorted(kept)), trump, RULES) - expected / UNIT)
    error = np.std(errors) / len(errors) ** 0.5
    # The best of many looks better than it is: a point is allowed for that.
    assert -4 * error - 1 < np.mean(errors) < 4 * error
    assert error < 1


def test_the_file_holds_chances_and_weights():
    side, trump = stored_weights()
    assert side.shape == (sum(SIDE_SIZES),)
    assert trump.shape == (sum(TRUMP_SIZES),)
    tables = return_tables()
    assert tables.together.shape == SHAPES["together"]
    for chances in (tables.together, tables.royals):
        assert chances.min() >= 0
        assert chances.max() <= CHANCE
    assert (tables.royals[:, :, 0] == 0).all()
    assert (tables.marriages[..., 0] == 0).all()
    assert (tables.pinochles[..., 0] == 0).all()


def test_more_given_adds_no_less():
    tables = return_tables()
    for gains in (tables.marriages, tables.pinochles):
        by_both = gains.reshape(*gains.shape[:-1], 3, 3)
        assert (np.diff(by_both, axis=-1) >= 0).all()
        assert (np.diff(by_both, axis=-2) >= 0).all()


@pytest.mark.parametrize(
    ("gains", "points"), [(marriage_gains, (0, 20, 40)), (pinochle_gains, (0, 40, 300))]
)
def test_gains_are_means_over_what_partner_may_hold(gains, points):
    rng = np.random.default_rng(8)
    for _ in range(20):
        joint = rng.integers(0, 100, (3, 3))
        total = int(joint.sum())
        exact = [
            sum(
                Fraction(int(joint[a, b]), total)
                * (points[min(2, a + one, b + other)] - points[min(a, b)])
                for a in range(3)
                for b in range(3)
            )
            for one in range(3)
            for other in range(3)
        ]
        found = gains(joint / total)
        assert np.abs(found - [float(UNIT * value) for value in exact]).max() <= 0.5 + 1e-6


def test_every_way_to_give_from_a_suit_is_there_once():
    held, given = all_ways()
    ways = {(tuple(h), tuple(g)) for h, g in zip(held.tolist(), given.tolist(), strict=True)}
    assert len(ways) == len(held)
    assert (given <= held).all()
    tables = return_tables()
    for word in range(4096):
        counts = [(word >> 2 * rank & 1) + (word >> 2 * rank + 1 & 1) for rank in range(6)]
        if int(packed_suit(np.array([counts]))[0]) != word:
            continue
        number = tables.numbers[word]
        first, last = tables.starts[number][[0, -1]]
        expected = {
            tuple(ways) for ways in np.ndindex(*(count + 1 for count in counts)) if sum(ways) <= 4
        }
        cards = tables.given[first:last]
        assert len(cards) == len(expected)
        assert set(cards.tolist()) == set(packed_suit(np.array(sorted(expected))).tolist())
        for n in range(5):
            some = tables.given[tables.starts[number, n] : tables.starts[number, n + 1]]
            assert (np.bitwise_count(some) == n).all()


def test_marks_stay_inside_their_weights():
    held, given = all_ways()
    side, trump = side_marks(held - given, given), trump_marks(held - given, given)
    assert 0 <= side.min() <= side.max() < sum(SIDE_SIZES)
    assert 0 <= trump.min() <= trump.max() < sum(TRUMP_SIZES)


def test_tables_cannot_be_changed_by_accident():
    with pytest.raises(ValueError):
        return_tables().side[0] = 1
    nothing = [np.zeros(SHAPES[name]) for name in ("marriages", "pinochles")]
    none = [np.zeros(SHAPES[name], dtype=int) for name in ("together", "royals")]
    with pytest.raises(ValueError):
        tables_of(*stored_weights(), *nothing, *none).side[0] = 1
