import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive import (
    DECK,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    cards_of,
    is_best_send,
    packed,
    unpacked,
    without,
)
from naive_returns import (
    best_returns,
    measured,
    random_tables,
    return_value,
)

from advisor.game.cards import DIAMONDS, SPADES, SUIT_LETTERS, SUITS, Hand
from advisor.game.meld import score_meld
from advisor.game.rules import Rules
from advisor.kernels import exchange
from advisor.kernels.deal import deal_hands
from advisor.playing import rule_array
from advisor.policy import policy_array
from advisor.returning import return_tables
from advisor.simulate import simulate

SIZES = (2, 3, 4)
RICH = [card for card in DECK if card % 6 not in (0, 4)]
HOUSES = [
    Rules(),
    Rules(run_extras=True),
    Rules(royal_in_run=True),
    Rules(run_extras=True, royal_in_run=True, roundhouse_bonus=240),
]


def exchanged(pairs, trumps, rules, policy=None, salts=None, tables=None):
    """Return (cards sent, cards returned) for pairs of declarer's and partner's cards."""
    salts = range(len(pairs)) if salts is None else salts
    declarers = np.array([packed(declarer) for declarer, _ in pairs], dtype=np.uint64)
    partners = np.array([packed(partner) for _, partner in pairs], dtype=np.uint64)
    trumps = np.array(trumps, dtype=np.int64)
    values, policy = rule_array(rules), policy_array() if policy is None else policy
    tables = return_tables() if tables is None else tables
    out = np.zeros((len(pairs), 2), dtype=np.uint64)
    exchange.exchange_hands(
        declarers, partners, trumps, values, policy, tables, np.array(salts, dtype=np.uint64), out
    )
    return [(unpacked(sent), unpacked(returned)) for sent, returned in out]


def random_pairs(rng, number):
    """Return pairs of hands, half of them without tens and nines so that melds are many."""
    pairs = []
    for i in range(number):
        order = [int(card) for card in rng.permutation((DECK, RICH)[i % 2])]
        pairs.append((order[:12], order[12:24]))
    return pairs


def random_policy(rng):
    """Return weights of any size, in which the second of a pair is worth at most the first."""
    changes = {}
    for first, again, most in (
        (exchange.POLICY_SEND_TRUMP, exchange.POLICY_SEND_TRUMP_AGAIN, 10_000),
        (exchange.POLICY_SEND_SIDE, exchange.POLICY_SEND_SIDE_AGAIN, 10_000),
    ):
        weights = rng.integers(0, most, 6)
        changes[first] = tuple(weights)
        changes[again] = tuple((weights * rng.random(6)).astype(int))
    changes[exchange.POLICY_SEND_LEG] = tuple(sorted(rng.integers(0, 10_000, 2))[::-1])
    changes[exchange.POLICY_SEND_ACE_LENGTH] = (rng.integers(-400, 400),)
    for penalty in (
        exchange.POLICY_SEND_BREAK_ACES,
        exchange.POLICY_SEND_BREAK_AROUND,
        exchange.POLICY_SEND_BREAK_MARRIAGE,
        exchange.POLICY_SEND_BREAK_PINOCHLE,
        exchange.POLICY_SEND_ALL_TRUMP,
        exchange.POLICY_SEND_DOUBLE_PINOCHLE,
        exchange.POLICY_SEND_THREE_WITH_TRUMP,
    ):
        changes[penalty] = (rng.integers(0, 4000),)
    changes[exchange.POLICY_SEND_KEEP_AROUND] = tuple(rng.integers(0, 9000, 4))
    changes[exchange.POLICY_SEND_THREE] = tuple(rng.integers(0, 3000, 4))
    changes[exchange.POLICY_SEND_LENGTH] = (rng.integers(-100, 100),)
    return policy_array(changes)


def test_second_copies_are_worth_at_most_first_copies():
    # What "send the second queen" means leans on it.
    weights = policy_array()
    for first, again in (
        (exchange.POLICY_SEND_TRUMP, exchange.POLICY_SEND_TRUMP_AGAIN),
        (exchange.POLICY_SEND_SIDE, exchange.POLICY_SEND_SIDE_AGAIN),
    ):
        assert (weights[again : again + 6] <= weights[first : first + 6]).all()
    assert weights[exchange.POLICY_SEND_LEG_AGAIN] <= weights[exchange.POLICY_SEND_LEG]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("trump", SUITS)
def test_partner_sends_the_highest_weights(size, trump):
    rng = np.random.default_rng([size, trump])
    pairs = random_pairs(rng, 600)
    for policy in (policy_array(), random_policy(rng), random_policy(rng)):
        sent = exchanged(pairs, [trump] * len(pairs), Rules(pass_cards=size), policy)
        for (_, partner), (cards, _) in zip(pairs, sent, strict=True):
            assert is_best_send(cards, partner, trump, size, policy), partner


@settings(deadline=None)
@given(
    st.sampled_from([DECK, RICH]).flatmap(st.permutations),
    st.sampled_from(SUITS),
    st.sampled_from(SIZES),
)
def test_what_partner_sends_does_not_depend_on_declarer(order, trump, size):
    partner, one, other = order[:12], order[12:24], order[20:32]
    pairs = [(one, partner), (other, partner)]
    sent = exchanged(pairs, [trump] * 2, Rules(pass_cards=size), salts=[5, 5])
    assert sent[0][0] == sent[1][0]
    assert len(sent[0][0]) == size


def assert_best_return(hand, sent, returned, trump, rules, weights, tables):
    best, choices = best_returns(hand, sent, trump, rules, weights, tables)
    value = return_value(hand, sent, returned, trump, rules, weights, tables)
    assert value == best, (hand, sent, trump, choices)
    # Where several are equally good any of them will do.
    assert returned in choices


@pytest.mark.parametrize("size", SIZES)
def test_declarer_returns_the_best_of_all_choices(size):
    rng = np.random.default_rng(size)
    for rules in HOUSES:
        rules = rules.replace(pass_cards=size)
        pairs = random_pairs(rng, 8)
        trumps = [int(trump) for trump in rng.integers(0, 4, len(pairs))]
        for weights, tables in (measured(), random_tables(rng)):
            results = exchanged(pairs, trumps, rules, random_policy(rng), tables=tables)
            for (declarer, _), trump, (sent, returned) in zip(pairs, trumps, results, strict=True):
                hand = [*declarer, *sent]
                assert_best_return(hand, sent, returned, trump, rules, weights, tables)


def given_back(hand, trump, number, rules=None, tables=None):
    """Return what declarer gives back of these cards, the last of which have just come."""
    rules = (Rules() if rules is None else rules).replace(pass_cards=number)
    # A partner who holds no more than he must send has no choice.
    split = len(hand) - number
    pair = hand[:split], hand[split:]
    [(sent, returned)] = exchanged([pair], [trump], rules, tables=tables)
    assert sent == sorted(hand[split:])
    return returned


@pytest.mark.parametrize("ranks", ["AKQJ", "KQJ", "AKQ", "AQJ", "ATKQJ9"])
@pytest.mark.parametrize("size", SIZES)
def test_declarer_returns_the_best_of_hands_full_of_meld(ranks, size):
    # Doubles and several arounds, where the cards that go must break something.
    rng = np.random.default_rng([size, len(ranks), ord(ranks[-1])])
    deck = [card for card in DECK if "9JQKTA"[card % 6] in ranks]
    rules = HOUSES[int(rng.integers(len(HOUSES)))].replace(pass_cards=size)
    for weights, tables in (measured(), random_tables(rng)):
        for trump in SUITS:
            hand = [int(card) for card in rng.permutation(deck)[: 12 + size]]
            returned = given_back(hand, trump, size, rules, tables)
            assert_best_return(hand, sorted(hand[12:]), returned, trump, rules, weights, tables)


@pytest.mark.parametrize("size", SIZES)
def test_declarer_returns_the_best_of_double_pinochles(size):
    rng = np.random.default_rng(size)
    legs = [QUEEN_OF_SPADES, JACK_OF_DIAMONDS] * 2
    rules = Rules(pass_cards=size)
    for weights, tables in (measured(), random_tables(rng)):
        for trump in SUITS:
            others = [int(card) for card in rng.permutation(without(RICH, legs))]
            hand = [*legs, *others[: 8 + size]]
            returned = given_back(hand, trump, size, rules, tables)
            assert_best_return(hand, sorted(hand[12:]), returned, trump, rules, weights, tables)


@pytest.mark.parametrize("size", SIZES)
def test_declarer_returns_the_best_where_it_is_not_told_what_came(size):
    rng = np.random.default_rng([3, size])
    rules = Rules(pass_cards=size)
    for weights, tables in (measured(), random_tables(rng)):
        hands = [[int(card) for card in rng.permutation(DECK)[: 12 + size]] for _ in range(8)]
        trumps = [int(trump) for trump in rng.integers(0, 4, len(hands))]
        results = exchanged([(hand, []) for hand in hands], trumps, rules, tables=tables)
        for hand, trump, (sent, returned) in zip(hands, trumps, results, strict=True):
            assert sent == []
            assert_best_return(hand, [], returned, trump, rules, weights, tables)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_declarer_returns_the_best_of_many_hands(seed):
    rng = np.random.default_rng([9, seed])
    size = int(rng.integers(2, 5))
    rules = HOUSES[int(rng.integers(len(HOUSES)))].replace(pass_cards=size)
    weights, tables = (measured(), random_tables(rng))[seed % 2]
    for i in range(60):
        trump = int(rng.integers(4))
        order = [int(card) for card in rng.permutation((DECK, RICH)[i % 2])]
        [(sent, returned)] = exchanged(
            [(order[:12], order[12:24])], [trump], rules, random_policy(rng), tables=tables
        )
        hand = [*order[:12], *sent]
        assert_best_return(hand, sent, returned, trump, rules, weights, tables)


def test_the_only_best_return_is_unique_often_enough():
    # Else `returned in choices` would say little.
    rng = np.random.default_rng(5)
    unique = 0
    for _ in range(20):
        hand = [int(card) for card in rng.permutation(DECK)[:16]]
        unique += len(best_returns(hand, hand[12:], 0, Rules(), *measured())[1]) == 1
    assert unique >= 10


@settings(deadline=None)
@given(
    st.sampled_from([DECK, RICH]).flatmap(st.permutations),
    st.sampled_from(SUITS),
    st.sampled_from(SIZES),
)
def test_cards_are_conserved(order, trump, size):
    declarer, partner = order[:12], order[12:24]
    [(sent, returned)] = exchanged([(declarer, partner)], [trump], Rules(pass_cards=size))
    assert len(sent) == len(returned) == size
    # `without` fails on a card that is not there, `Hand` on a third copy.
    after = without([*declarer, *sent], returned), [*without(partner, sent), *returned]
    assert sorted([*after[0], *after[1]]) == sorted([*declarer, *partner])
    assert [len(Hand.from_cards(cards)) for cards in after] == [12, 12]


def test_nothing_is_exchanged_where_the_house_passes_no_cards():
    pairs = random_pairs(np.random.default_rng(1), 10)
    assert exchanged(pairs, [0] * 10, Rules(pass_cards=0)) == [([], [])] * 10


def sent_by(text, trump, size=4):
    """Return what partner sends of a hand, for a trump given by its letter."""
    partner = cards_of(text)
    declarer = without(DECK, partner)[:12]
    suit = SUIT_LETTERS.index(trump)
    [(sent, _)] = exchanged([(declarer, partner)], [suit], Rules(pass_cards=size))
    return sent


def names(text):
    return sorted(cards_of(text))


def test_all_trumps_go_rather_than_jacks_around():
    # A double run (1500) lay in the four diamonds; issue 170 in `real_hands.json`.
    assert sent_by("9J.JT9.ATJJ.JK99", "D") == names("AD TD JD JD")


@settings(deadline=None)
@given(st.permutations([card for card in DECK if card // 6 != DIAMONDS and card != 2]))
def test_all_trumps_go_whatever_else_is_held(others):
    rest = [card for card in others if card not in (1, 7, 19)][:5]
    partner = [*cards_of("AD TD JD JD JS JH JC"), *rest]
    declarer = [*cards_of("AD TD KD KD QD QD"), *without(others, [1, 7, 19, *rest])[:6]]
    [(sent, _)] = exchanged([(declarer, partner)], [DIAMONDS], Rules())
    assert sent == names("AD TD JD JD")


def test_no_side_nine_while_a_spare_king_or_ten_is_left():
    # Issue 144: hearts were trump, three of them had gone, and the nine went too.
    sent = sent_by("TJ.AKQ.K9.9JJQQ", "H")
    assert set(cards_of("AH KH QH")) < set(sent)
    assert set(sent) - set(cards_of("AH KH QH")) <= set(cards_of("KD TS"))


@settings(deadline=None)
@given(st.permutations(DECK), st.sampled_from(SUITS))
def test_no_side_nine_while_a_ten_is_kept(order, trump):
    partner = order[:12]
    [(sent, _)] = exchanged([(order[12:24], partner)], [trump], Rules())
    kept = without(partner, sent)
    if any(card % 6 == 4 for card in kept):
        assert not any(card % 6 == 0 and card // 6 != trump for card in sent)


def suits_of(cards, rank):
    return len({card // 6 for card in cards if card % 6 == rank})


@settings(deadline=None)
@given(st.permutations(DECK), st.sampled_from(SUITS), st.sampled_from(SIZES))
def test_trumps_above_the_nine_go_first(order, trump, size):
    partner = order[:12]
    [(sent, _)] = exchanged([(order[12:24], partner)], [trump], Rules(pass_cards=size))
    # A pinochle goes first or stays, aces of three suits go and an around stays.
    assume(not (QUEEN_OF_SPADES in partner and JACK_OF_DIAMONDS in partner))
    assume(all(suits_of(partner, rank) < (3 if rank == 5 else 4) for rank in (2, 3, 5)))
    run_ranks = {card for card in partner if card // 6 == trump and card % 6 > 0}
    # One each of the run cards: all of them, or nothing but run cards.
    assert run_ranks <= set(sent) or set(sent) < run_ranks or len(run_ranks & set(sent)) == size


LEGS = set(cards_of("QS JD"))
DOUBLE_PINOCHLES = {
    "S": "QQ.A9.JJ.AK99TJ",
    "H": "QQ.-.JJT9.KK99TJ",
    "D": "QQ.A9.JJ.AK99TJ",
    "C": "QQ.KK99TJ.JJT9.-",
}


@pytest.mark.parametrize("trump", "SHDC")
def test_pinochle_legs_go_only_where_one_of_them_is_trump(trump):
    sent = set(sent_by(DOUBLE_PINOCHLES[trump], trump))
    assert LEGS & sent == (LEGS if trump in "SD" else set())


@pytest.mark.parametrize("trump", "SHDC")
@pytest.mark.parametrize("size", SIZES)
def test_a_double_pinochle_is_never_split(trump, size):
    # Issue 53: a made double pinochle (300) went across the table in halves.
    legs = [card for card in sent_by(DOUBLE_PINOCHLES[trump], trump, size) if card in LEGS]
    assert legs == (names("QS QS JD JD") if size == 4 and trump in "SD" else [])


def test_an_ace_goes_before_side_queens_and_jacks():
    assert names("AD AC") == sent_by("9.QJJ.AQT9.AJTT", "S", size=2)


def test_the_cheapest_whole_meld_is_broken():
    # Three cards to return from a run, double pinochle, aces and kings around: kings, worth 80.
    for spare in ("AS", "9S"):
        hand = cards_of(f"AS TS KS QS JS QS JD JD AH AD AC KH KD KC {spare}")
        assert score_meld(Hand.from_cards(hand), SPADES).total >= 150 + 300 + 100 + 80
        assert given_back(hand, SPADES, 3) == names("KH KD KC")


@settings(deadline=None)
@given(st.permutations(without(DECK, cards_of("AS TS KS QS JS"))), st.sampled_from(SIZES))
def test_a_run_is_never_broken(order, size):
    hand = [*order[: 7 + size], *cards_of("AS TS KS QS JS")]
    kept = without(hand, given_back(hand, SPADES, size))
    assert set(cards_of("AS TS KS QS JS")) <= set(kept)


RUN_RANKS = range(1, 6)


@pytest.mark.parametrize(
    ("hand", "chance"),
    [
        ("ATKQ9.AK9.T9.KJ", 0.5619),
        ("ATKJ9.AK9.T9.KJ", 0.5619),
        ("TKQJ9.AK9.T9.KJ", 0.5619),
        ("ATK9.AKQ9.T9.KJ", 0.3042),
        ("AQJ9.AKQ9.T9.KJ", 0.3042),
    ],
)
def test_a_run_is_completed_as_often_as_partner_holds_the_cards(hand, chance):
    hand, samples = cards_of(hand), 20_000
    missing = [card for card in RUN_RANKS if card not in hand]
    outcomes = simulate(Hand.from_cards(hand), SPADES, samples=samples, seed=2)
    thirds = np.zeros((samples, 3), dtype=np.uint64)
    deal_hands(np.uint64(packed(hand)), np.uint64(2), 0, thirds)

    def has_all(words, cards):
        mask = np.uint64(sum(1 << 2 * card for card in cards))
        return words & mask == mask

    # Rotation `turn` has the hidden hand `turn` as partner.
    held = has_all(thirds, missing)
    came = has_all(outcomes.received, missing)
    # Of two copies that came one may go again.
    spare = (outcomes.received >> np.uint64(2 * missing[0] + 1)) & np.uint64(1) > 0
    left_again = has_all(outcomes.returned, missing[:1]) & came & ~spare
    assert not (came & ~held).any()
    # Four cards cannot bring all five ranks; a pinochle and aces of three suits go before a run
    # card, and a card of an around stays.
    taken_up = has_all(thirds, RUN_RANKS) | has_all(thirds, [QUEEN_OF_SPADES, JACK_OF_DIAMONDS])
    for rank, least in ((2, 4), (3, 4), (5, 3)):
        suits = sum((thirds >> np.uint64(12 * s + 2 * rank)) & np.uint64(1) for s in SUITS)
        taken_up |= suits >= least
    assert taken_up[held & ~came].all()
    # But for an around that came whole and goes back whole, for a double one.
    assert left_again.mean() < 1e-3
    completed = came.mean(axis=1)
    error = completed.std(ddof=1) / np.sqrt(samples)
    assert completed.mean() < chance + 4 * error
    assert held.mean() == pytest.approx(chance, abs=4 * error)
    assert completed.mean() > chance - 4 * error - taken_up.mean()
    assert (outcomes.declarer_meld[came & ~left_again] >= 150).all()


def test_a_spare_pinochle_leg_breaks_no_meld():
    # Queens 49, tens 48, jacks 47: one queen of spades is free, the pinochle stays.
    partner = "QQ9.99.J9.TJJ99"
    assert sent_by(partner, "H", size=3) == names("9H 9H QS")
