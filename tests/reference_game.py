"""A deal of the sampling players, and a slow reading of what each seat could know of it."""

import itertools
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from naive import DECK, legal_plays, unpacked, winning_place

from advisor import Rules
from advisor.game.cards import ACE, JACK, KING, NINE, QUEEN, RUN_RANKS, make_card, suit_of

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from reference import knowledge as k
from reference import worlds as w
from reference.deals import deal_table, rebuild_deals
from reference.game import Settings, Table, stream_keys
from reference.positions import draw_worlds, look_at

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
