"""The sampling players of benchmarks/reference against a slow reading of the public record."""

import itertools
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from naive import (
    DECK,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    legal_plays,
    packed,
    replay,
    unpacked,
    winning_place,
)
from naive_lite import value as twin_value
from naive_play import View, follow, lead, pair, play_round

from advisor import Hand, Rules
from advisor.engines import lite_values
from advisor.game.cards import ACE, JACK, KING, NINE, QUEEN, RUN_RANKS, make_card, rank_of, suit_of
from advisor.game.meld import score_meld
from advisor.kernels.packed import RULE_HEADING
from advisor.simulate import rule_array, simulate
from advisor.solve import solve

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from reference import knowledge as k
from reference import worlds as w
from reference.deals import deal_table, find_declarer, rebuild_deals
from reference.game import Settings, Table, stream_keys
from reference.positions import draw_worlds, look_at
from reference.runs import Run, play_all
from reference.study import deals_of_row, policy_tricks

TRUMP = 0  # The suit of trump in the play.
RULES = [
    Rules(heading=heading, first_lead=first, run_extras=extras)
    for (heading, first), extras in zip(
        itertools.product(("always", "trump-leads", "after-ruff"), ("any", "trump")),
        itertools.cycle((False, True)),
        strict=False,
    )
]
FAST = Settings(worlds=4, exact_from=4, lite_tricks=0)


def seeded_deals(rules, number, count=1):
    """Return deals of a random hand in a random trump, and the hand and trump."""
    hand = deal_table(77, number)[0]
    trump = number % 4
    return rebuild_deals(hand, trump, 5, 0, count, rules), hand, trump


class Game:
    """A deal that was played, and what each seat could know of it at each turn."""

    def __init__(self, rules, number, settings=FAST):
        self.rules, self.settings = rules, settings
        self.deals, self.hand, self.trump = seeded_deals(rules, number)
        self.table = Table(rules, settings)
        self.keys = stream_keys(3, number, 0, 1)
        self.played = self.table.play(self.deals, self.keys)
        self.trace = self.played.traces[0].copy()
        self.legs = [int(leg).bit_length() // 2 for leg in self.deals.legs[0]]

    def look(self, turn, hands=None, shown=None, passed=None):
        """Return the record of the seat to play, of other hands if they are given."""
        words = np.zeros(k.N_WORDS, dtype=np.uint64)
        facts = np.zeros(k.N_FACTS, dtype=np.int64)
        look_at(
            self.deals.hands[0] if hands is None else hands,
            self.deals.passed[0] if passed is None else passed,
            self.deals.shown[0] if shown is None else shown,
            self.deals.points[0],
            self.deals.legs[0],
            self.trace[:turn],
            self.table.rules,
            words,
            facts,
        )
        return words, facts

    def worlds(self, words, facts, count, tries=4096):
        out = np.zeros((count, 4), dtype=np.uint64)
        tally = np.zeros(w.N_TALLY, dtype=np.int64)
        splits = draw_worlds(words, facts, self.table.rules, tries, self.keys[0], out, tally)
        assert splits > 0
        return out, tally

    def choose(self, turn, **truth):
        """Return what the seat to play chooses, in the deal or with another truth behind it."""
        deals = replace(self.deals, **{name: value[None] for name, value in truth.items()})
        played = self.table.play(deals, self.keys, self.trace[None, :turn], turn + 1)
        return int(played.traces[0, turn])

    def turn_state(self, turn):
        """Return seat to play, cards on the table and their leader."""
        leader = 0
        for start in range(0, turn - turn % 4, 4):
            trick = [int(card) for card in self.trace[start : start + 4]]
            leader = (leader + winning_place(trick, TRUMP)) % 4
        on_table = [int(card) for card in self.trace[turn - turn % 4 : turn]]
        return (leader + turn % 4) % 4, on_table, leader

    def gone(self, turn):
        """Return the cards that each seat has played."""
        gone = [[], [], [], []]
        for i in range(turn):
            gone[self.turn_state(i)[0]].append(int(self.trace[i]))
        return gone


def classes_of_meld(held, legs, rules):
    """Return for each class of meld how many copies of each card its melds use; trump is suit 0."""
    first, second, third = Counter(), Counter(), Counter()
    runs = min(held[make_card(TRUMP, rank)] for rank in RUN_RANKS)
    for rank in RUN_RANKS:
        first[make_card(TRUMP, rank)] = runs
    for suit in range(4):
        king, queen = make_card(suit, KING), make_card(suit, QUEEN)
        pairs = min(held[king], held[queen])
        first[king] = max(first[king], pairs)
        first[queen] = max(first[queen], pairs)
        if suit == TRUMP and runs and rules.run_extras:
            first[king], first[queen] = held[king], held[queen]
    first[make_card(TRUMP, NINE)] = held[make_card(TRUMP, NINE)]
    for leg in legs:
        second[leg] = min(held[one] for one in legs)
    for rank in (ACE, KING, QUEEN, JACK):
        copies = min(held[make_card(suit, rank)] for suit in range(4))
        for suit in range(4):
            third[make_card(suit, rank)] = copies
    return first, second, third


def shown_by_rule(cards, legs, rules):
    """Return the cards that a player lays down, each in as many melds as it serves."""
    first, second, third = classes_of_meld(Counter(cards), legs, rules)
    return sorted((first | second | third).elements())


def assert_world_fits(game, turn, hands):
    """Replay the public record with the hands of a world: all that was seen must be seen again."""
    seat, _, _ = game.turn_state(turn)
    gone = game.gone(turn)
    full = [unpacked(hands[i]) + gone[i] for i in range(4)]
    assert sorted(itertools.chain(*full)) == sorted(DECK)
    assert sorted(full[seat]) == unpacked(game.deals.hands[0, seat])
    for i in range(4):
        assert shown_by_rule(full[i], game.legs, game.rules) == unpacked(game.deals.shown[0, i])
        passed = Counter(unpacked(game.deals.passed[0, seat, i]))
        assert not passed - Counter(full[i])
    left = [list(cards) for cards in full]
    for i in range(turn):
        player, table, _ = game.turn_state(i)
        card = int(game.trace[i])
        legal = legal_plays(left[player], table, TRUMP, game.rules.heading)
        if i == 0 and game.rules.first_lead == "trump":
            legal = [one for one in legal if suit_of(one) == TRUMP] or legal
        assert card in legal
        left[player].remove(card)


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_deals_are_those_of_the_library(rules):
    deals, hand, trump = seeded_deals(rules, 3, count=50)
    outcomes = simulate(hand, trump, samples=50, seed=5, rules=rules, engine="policy", raw=True)
    assert (deals.points[:, 0] == outcomes.declarer_meld[:, 0]).all()
    assert (deals.points[:, [0, 2]].sum(axis=1) == outcomes.our_meld[:, 0]).all()
    assert (deals.points[:, [1, 3]].sum(axis=1) == outcomes.their_meld[:, 0]).all()
    assert deals.checksum() == rebuild_deals(hand, trump, 5, 0, 50, rules).checksum()
    later = rebuild_deals(hand, trump, 5, 20, 30, rules)
    assert (later.dealt == deals.dealt[20:]).all()
    for i in range(50):
        legs = [int(leg).bit_length() // 2 for leg in deals.legs[i]]
        for seat in range(4):
            dealt = unpacked(deals.dealt[i, seat])
            assert score_meld(Hand.from_cards(dealt), trump, rules).total == deals.points[i, seat]
            shown = shown_by_rule(unpacked(deals.hands[i, seat]), legs, rules)
            assert shown == unpacked(deals.shown[i, seat])


def test_passed_cards_are_known_to_those_who_passed_them():
    deals, hand, _ = seeded_deals(Rules(), 8, count=50)
    kept = 0
    for i in range(50):
        assert len(unpacked(deals.passed[i, 0, 2])) == 4
        for viewer, seat in itertools.product(range(4), range(4)):
            passed = Counter(unpacked(deals.passed[i, viewer, seat]))
            assert not passed - Counter(unpacked(deals.hands[i, seat]))
            if (viewer, seat) not in ((0, 2), (2, 0)):
                assert not passed
        # Declarer has the cards of his own that he did not return, and those of partner's.
        own, after = Counter(hand.cards), Counter(unpacked(deals.dealt[i, 0]))
        kept += len(unpacked(deals.passed[i, 2, 0]))
        assert sum((after - own).values()) <= len(unpacked(deals.passed[i, 2, 0]))
    assert kept > 0


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_plays_are_legal_and_counted(rules):
    for number in range(4):
        game = Game(rules, number)
        deal = [unpacked(hand) for hand in game.deals.hands[0]]
        result = replay(deal, [int(card) for card in game.trace], TRUMP, 0, rules)
        assert game.played.points[0] == result.points[0]
        assert game.played.tally[w.MISFITS] == 0
        # Step by step the doors give the same play.
        for turn in range(number, 48, 5):
            assert game.choose(turn) == game.trace[turn]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_seats_without_worlds_play_by_the_policy(rules):
    game = Game(rules, 2, Settings(policy_seats=(0, 1, 2, 3)))
    deal = [unpacked(hand) for hand in game.deals.hands[0]]
    assert game.trace.tolist() == play_round(deal, TRUMP, 0, rules)
    outcomes = simulate(
        game.hand, game.trump, samples=1, seed=5, rules=rules, engine="policy", raw=True
    )
    assert game.played.points[0] == outcomes.our_tricks[0, 0]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_worlds_fit_and_another_world_changes_no_choice(rules):
    """Every world fits all that was seen; were it the truth, the seat would play the same."""
    for number in range(5):
        game = Game(rules, number)
        for turn in range(number % 3, 47, 3):
            words, facts = game.look(turn)
            hands, tally = game.worlds(words, facts, 6)
            assert tally[w.MISFITS] == 0
            gone = game.gone(turn)
            for hand in hands:
                assert_world_fits(game, turn, hand)
            full = np.array(
                [packed(unpacked(hands[0, i]) + gone[i]) for i in range(4)], dtype=np.uint64
            )
            seat = facts[k.SEAT]
            shown = np.array(
                [packed(shown_by_rule(unpacked(one), game.legs, rules)) for one in full],
                dtype=np.uint64,
            )
            # What others know of the passed cards is not the seat's business.
            passed = np.full((4, 4), 2**48 - 1, dtype=np.uint64)
            passed[seat] = game.deals.passed[0, seat]
            other_words, other_facts = game.look(turn, full, shown, passed)
            assert (other_words == words).all()
            assert (other_facts == facts).all()
            assert game.choose(turn, hands=full, shown=shown, passed=passed) == game.trace[turn]


def failed_suits(game, turn):
    """Return who failed to follow suit, or to trump when they could not, as the policy sees it."""
    failed = set()
    for i in range(turn):
        seat, table, _ = game.turn_state(i)
        suit = suit_of(int(game.trace[i]))
        if table and suit != suit_of(table[0]):
            failed.add((seat, suit_of(table[0])))
            if suit != TRUMP:
                failed.add((seat, TRUMP))
    return failed


def policy_card(seat, hand, table, played, failed, rules):
    view = View(seat, [pair(card) for card in hand], TRUMP, [pair(card) for card in played], failed)
    if not table:
        return make_card(*lead(view, not played and rules.first_lead == "trump"))
    legal = legal_plays(hand, table, TRUMP, rules.heading)
    return make_card(*follow(view, [pair(card) for card in table], [pair(card) for card in legal]))


def exact_values(game, turn, world):
    """Return what perfect open play makes of every legal card."""
    _, table, leader = game.turn_state(turn)
    hands = [Hand.from_cards(unpacked(hand)) for hand in world]
    return dict(solve(hands, TRUMP, leader, played=table, rules=game.rules).leads)


def engine_value(game, hands, leader, table):
    """Return what the lite engine says of an open position, in 1/256 counter."""
    words = np.zeros((1, 3), dtype=np.uint64)
    words[0, : len(table)] = [1 << 2 * card for card in table]
    return lite_values(
        np.array([[packed(hand) for hand in hands]], dtype=np.uint64),
        np.array([TRUMP]),
        np.array([leader]),
        words,
        np.array([len(table)]),
        int(game.table.rules[RULE_HEADING]),
        game.settings.lite_tricks,
    )[0]


def slow_value(game, hands, leader, table):
    """Return the same by the slow twin, which looks to the end of a trick begun."""
    tricks = max(game.settings.lite_tricks, 1) if table else game.settings.lite_tricks
    return twin_value(hands, leader, table, tricks, game.rules.heading)


def early_values(judge):
    """Return a function that values every legal card by a judge of open positions.

    Its values are hundredths of a point, rounded down as the player's are.
    """

    def values_of(game, turn, world):
        seat, table, leader = game.turn_state(turn)
        own = unpacked(world[seat])
        legal = legal_plays(own, table, TRUMP, game.rules.heading)
        if turn == 0 and game.rules.first_lead == "trump":
            legal = [card for card in legal if suit_of(card) == TRUMP] or legal
        values = {}
        for card in lowest_of_groups(legal, own, table, game.trace[:turn]):
            hands = [unpacked(hand) for hand in world]
            hands[seat].remove(card)
            trick, first, points = [*table, card], leader, 0
            if len(trick) == 4:
                first = (leader + winning_place(trick, TRUMP)) % 4
                if first % 2 == 0:
                    points = sum(10 for one in trick if rank_of(one) >= KING)
                trick = []
            values[card] = 100 * points + int(judge(game, hands, first, trick)) * 1000 // 256
        return values

    return values_of


def lowest_of_groups(legal, hand, table, played):
    """Return the lowest of equivalent cards: nobody else may have one from the lower to the higher.

    Counters are not equivalent to other cards.
    """
    others = set((Counter(DECK) - Counter(hand) - Counter(map(int, played))) + Counter(table))
    lowest = []
    for card in sorted(set(legal)):
        same_half = lowest and lowest[-1] // 3 == card // 3
        if not same_half or others & set(range(lowest[-1], card + 1)):
            lowest.append(card)
    return lowest


def assert_best_in_the_mean(game, turn, values_of):
    """Check a choice against the worlds that the seat drew; return whether it had one."""
    words, facts = game.look(turn)
    worlds, _ = game.worlds(words, facts, game.settings.worlds)
    seat, table, _ = game.turn_state(turn)
    totals = Counter()
    for world in worlds:
        totals.update(values_of(game, turn, world))
    best = (max if seat % 2 == 0 else min)(totals.values())
    tied = {card for card, total in totals.items() if total == best}
    chosen = int(game.trace[turn])
    played = [int(card) for card in game.trace[:turn]]
    hand = unpacked(words[k.OWN])
    usual = policy_card(seat, hand, table, played, failed_suits(game, turn), game.rules)
    if usual in tied or any(
        lowest_of_groups([card, usual], hand, table, played) == [card] for card in tied
    ):
        assert chosen == usual
    else:
        assert chosen in tied
    return len(tied) < len(totals)


@pytest.mark.parametrize("seats", [(0, 2), (1, 3)])
def test_policy_seats_and_sampling_seats_share_a_table(seats):
    """A policy seat plays by the policy and the others by sampling, whatever was played before."""
    sampled = differing = 0
    for number in range(3):
        game = Game(Rules(), number, replace(FAST, policy_seats=seats))
        left = [unpacked(hand) for hand in game.deals.hands[0]]
        for turn in range(48):
            seat, table, _ = game.turn_state(turn)
            card, played = int(game.trace[turn]), [int(one) for one in game.trace[:turn]]
            usual = policy_card(
                seat, left[seat], table, played, failed_suits(game, turn), game.rules
            )
            if seat in seats:
                assert card == usual
            else:
                differing += card != usual
                values_of = early_values(engine_value) if turn < 32 else exact_values
                sampled += assert_best_in_the_mean(game, turn, values_of)
            left[seat].remove(card)
    assert sampled > 20
    assert differing > 5


def test_what_was_played_before_changes_nothing():
    """The exact solver's table is kept from deal to deal."""
    for number, rules in enumerate(RULES):
        deals, *_ = seeded_deals(rules, number, count=6)
        keys = stream_keys(3, number, 0, 6)
        together = Table(rules, FAST).play(deals, keys)
        for i in range(6):
            alone = replace(
                deals,
                **{
                    name: getattr(deals, name)[i : i + 1]
                    for name in ("dealt", "hands", "passed", "shown", "points", "legs")
                },
            )
            played = Table(rules, FAST).play(alone, keys[i : i + 1])
            assert (played.traces[0] == together.traces[i]).all()
            assert played.points[0] == together.points[i]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_late_choices_are_best_by_exact_play(rules):
    real = 0
    for number in range(4):
        game = Game(rules, number)
        real += sum(assert_best_in_the_mean(game, turn, exact_values) for turn in range(32, 48))
    assert real > 5


@pytest.mark.parametrize("tricks", [0, 1])
@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_early_choices_are_best_by_the_evaluator(rules, tricks):
    """Before the ending the lite engine says what a card is worth in a world; see `early_value`."""
    real = 0
    for number in (10, 11):
        game = Game(rules, number, replace(FAST, lite_tricks=tricks))
        real += sum(
            assert_best_in_the_mean(game, turn, early_values(engine_value)) for turn in range(32)
        )
    assert real > 20


@pytest.mark.parametrize("tricks", [0, 1])
@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_early_choices_are_best_by_the_slow_twin(rules, tricks):
    """The same without the kernels, where few positions have to be judged."""
    turns = [turn for turn in range(32) if turn % 4 >= 2] if tricks == 0 else [23, 27, 31]
    real = 0
    for number in range(10, 13 if tricks == 0 else 20):
        game = Game(rules, number, replace(FAST, lite_tricks=tricks))
        real += sum(assert_best_in_the_mean(game, turn, early_values(slow_value)) for turn in turns)
    assert real > 3


def deals_of(cards, sizes):
    """Return all ways to give distinct cards to seats of these sizes: counts of equal hands."""
    counts = Counter()
    places = range(len(cards))
    for first in itertools.combinations(places, sizes[0]):
        rest = [i for i in places if i not in first]
        for second in itertools.combinations(rest, sizes[1]):
            third = [i for i in rest if i not in second]
            key = tuple(tuple(sorted(cards[i] for i in part)) for part in (first, second, third))
            counts[key] += 1
    return counts


def assert_frequencies(found, expected):
    """Compare counts with weights: nothing else occurs, and chi-square is as it should be."""
    assert set(found) <= set(expected)
    total, weight = sum(found.values()), sum(expected.values())
    square = sum(
        (found[key] - total * one / weight) ** 2 / (total * one / weight)
        for key, one in expected.items()
    )
    freedom = len(expected) - 1
    assert square < freedom + 5 * (2 * freedom) ** 0.5 + 5


def hidden_hands(worlds, seat):
    """Return how often the three hidden seats have which cards."""
    order = [(seat + i) % 4 for i in (1, 2, 3)]
    words, counts = np.unique(worlds[:, order], axis=0, return_counts=True)
    return Counter(
        {
            tuple(tuple(unpacked(hand)) for hand in row): int(count)
            for row, count in zip(words, counts, strict=True)
        }
    )


@pytest.mark.parametrize(
    ("first_turn", "least"), [(37, 4), pytest.param(33, 14, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.heading}-{r.first_lead}")
def test_worlds_are_uniform_over_all_deals_that_fit(rules, first_turn, least):
    """Late in a deal all deals of the unseen cards can be listed and held against the record."""
    checked = 0
    for number in range(10 if first_turn > 36 else 24):
        game = Game(rules, number)
        turn = first_turn + number % 4
        words, facts = game.look(turn)
        seat = int(facts[k.SEAT])
        order = [(seat + i) % 4 for i in (1, 2, 3)]
        # A passed card that is still there is one certain copy; all else may be anywhere.
        fixed = [unpacked(words[k.FIXED + other]) for other in order]
        unseen = Counter(DECK) - Counter(unpacked(words[k.OWN]) + unpacked(words[k.PLAYED]))
        unseen -= Counter(itertools.chain(*fixed))
        sizes = [int(facts[k.SIZE + i]) - len(one) for i, one in zip(order, fixed, strict=True)]
        expected = {}
        for parts, count in deals_of(sorted(unseen.elements()), sizes).items():
            hands = [0] * 4
            hands[seat] = int(words[k.OWN])
            for other, part, one in zip(order, parts, fixed, strict=True):
                hands[other] = packed([*part, *one])
            try:
                assert_world_fits(game, turn, hands)
            except AssertionError:
                continue
            expected[tuple(tuple(unpacked(hands[i])) for i in order)] = count
        worlds, tally = game.worlds(words, facts, 4000)
        assert tally[w.MISFITS] == 0
        assert_frequencies(hidden_hands(worlds, seat), expected)
        checked += len(expected) > 1
    assert checked >= least


def made_up_record(rng, n_cards, n_barred):
    """Return a record of seat 1 in which other seats are barred from some cards, and the unseen.

    Nobody has meld, and one card of seat 3's is known.
    """
    words = np.zeros(k.N_WORDS, dtype=np.uint64)
    facts = np.zeros(k.N_FACTS, dtype=np.int64)
    deck = [int(card) for card in rng.permutation(DECK)]
    words[[k.QUEEN, k.JACK]] = 1 << 2 * QUEEN_OF_SPADES, 1 << 2 * JACK_OF_DIAMONDS
    words[k.OWN] = packed(deck[:n_cards])
    words[k.PLAYED] = packed(deck[4 * n_cards :])
    unseen = deck[n_cards : 4 * n_cards]
    facts[k.SEAT] = 1
    facts[k.SIZE : k.SIZE + 4] = n_cards
    words[[k.HELD + 3, k.FIXED + 3]] = packed(unseen[:1])
    for seat in (0, 2, 3):
        barred = set(rng.choice(unseen, n_barred).tolist())
        words[k.BARRED + seat] = sum(1 << 2 * card for card in barred)
    return words, facts, unseen


def draw(words, facts, count, tries=1):
    out = np.zeros((count, 4), dtype=np.uint64)
    tally = np.zeros(w.N_TALLY, dtype=np.int64)
    splits = draw_worlds(words, facts, rule_array(Rules()), tries, np.uint64(9), out, tally)
    return out, splits


def is_barred(words, seat, card):
    return int(words[k.BARRED + seat]) >> 2 * card & 1


@pytest.mark.parametrize("number", range(12))
def test_groups_are_dealt_uniformly(number):
    """With any cards barred anywhere, every deal that is left is as likely as any other."""
    rng = np.random.default_rng(number)
    words, facts, unseen = made_up_record(rng, 3, 1 + number % 3)
    expected = {}
    for parts, count in deals_of(unseen[1:], (3, 2, 3)).items():
        fits = not any(
            is_barred(words, seat, card)
            for seat, part in zip((2, 3, 0), parts, strict=True)
            for card in part
        )
        if fits:
            hands = (parts[0], tuple(sorted((*parts[1], unseen[0]))), parts[2])
            expected[hands] = expected.get(hands, 0) + count
    worlds, splits = draw(words, facts, 40_000)
    assert (splits > 0) == bool(expected)
    if expected:
        assert_frequencies(hidden_hands(worlds, 1), expected)


@pytest.mark.parametrize("number", range(3))
def test_large_deals_agree_with_rejection(number):
    """Eight cards a hand: how many of each card a seat has, against shuffles that happen to fit."""
    rng = np.random.default_rng(number)
    words, facts, unseen = made_up_record(rng, 8, 2)
    rest = np.array(unseen[1:])
    shuffled = rest[np.argsort(rng.random((150_000, len(rest))), axis=1)]
    parts = {2: shuffled[:, :8], 3: shuffled[:, 8:15], 0: shuffled[:, 15:]}
    fits = np.ones(len(shuffled), dtype=bool)
    for seat, part in parts.items():
        barred = np.array([bool(is_barred(words, seat, card)) for card in range(24)])
        fits &= ~barred[part].any(axis=1)
    assert fits.sum() > 500
    worlds, _ = draw(words, facts, 30_000)
    for seat, part in parts.items():
        for card in range(24):
            expected = (part[fits] == card).sum(axis=1) + (seat == 3 and card == unseen[0])
            bits = worlds[:, seat] >> np.uint64(2 * card)
            found = np.bitwise_count(bits & np.uint64(3)).astype(float)
            error = (expected.var() / len(expected) + found.var() / len(found)) ** 0.5
            assert abs(expected.mean() - found.mean()) <= 5 * error + 1e-9


def test_a_record_that_nothing_fits_has_no_world():
    words, facts, unseen = made_up_record(np.random.default_rng(1), 3, 1)
    for seat in (0, 2, 3):
        words[k.BARRED + seat] |= np.uint64(1 << 2 * unseen[5])
    assert draw(words, facts, 1)[1] == 0


def test_other_seeds_and_deals_have_other_streams():
    keys = [*stream_keys(1, 0, 0, 50), *stream_keys(2, 0, 0, 50), *stream_keys(1, 1, 0, 50)]
    assert len(set(map(int, keys))) == 150
    assert (stream_keys(1, 0, 20, 30) == stream_keys(1, 0, 0, 50)[20:]).all()


def test_declarers_are_the_best_of_their_tables():
    for number in range(3):
        hands = deal_table(4, number)
        assert sorted(card for hand in hands for card in hand) == sorted(DECK)
        declarer = find_declarer(4, number, Rules())
        scores = {
            (hand, trump): simulate(
                hand, trump, samples=200, seed=4, engine="policy", raw=True
            ).score.mean()
            for hand in hands
            for trump in range(4)
        }
        assert scores[declarer.hand, declarer.trump] == max(scores.values()) == declarer.value


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["reference_play.py"])
    few = Settings(worlds=2, exact_from=3)
    run = Run(2, 4, 1, few)
    whole = tmp_path / "whole.jsonl"
    rows = play_all(run, 3, 1, whole)
    part = tmp_path / "part.jsonl"
    lines = whole.read_bytes().splitlines(keepends=True)
    part.write_bytes(lines[0] + lines[3] + lines[2][:40])
    assert play_all(run, 3, 2, part) == rows
    assert part.read_bytes() == whole.read_bytes()
    for row in rows:
        deals = deals_of_row(row, 4, run.rules)
        assert deals.points.tolist() == row["melds"]
        assert len(policy_tricks(row, 4, run.rules)) == 2
    for name, changed in (("worlds", 3), ("lite_tricks", 1), ("policy_seats", (1, 3))):
        other = replace(run, settings=replace(few, **{name: changed}))
        with pytest.raises(ValueError, match=name):
            play_all(other, 3, 1, part)
    with pytest.raises(ValueError, match="others"):
        deals_of_row(rows[0] | {"checksum": ""}, 4, run.rules)
