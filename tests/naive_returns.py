"""Declarer's return in plain Python: every return of a hand, valued card by card."""

from functools import lru_cache
from itertools import combinations

import numpy as np
from naive import (
    ACE,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    NINE,
    QUEEN,
    QUEEN_OF_SPADES,
    TEN,
    make_card,
    meld_points,
    rank_of,
    suit_of,
    without,
)

from advisor.game.cards import DIAMONDS, SPADES, SUITS
from advisor.kernels.kept import NOT_TOLD
from advisor.returning import (
    CHANCE,
    SHAPES,
    SIDE_SIZES,
    TRUMP_SIZES,
    return_tables,
    stored_weights,
    tables_of,
)

UNIT = 100
AROUNDS = {JACK: 40, QUEEN: 60, KING: 80, ACE: 100}
RUN = (ACE, TEN, KING, QUEEN, JACK)


def level_of(card, again, sent, trump, number):
    """Return the level of one card sent; `again` says that it is the second copy."""
    suit, rank = suit_of(card), rank_of(card)
    aces = {suit_of(other) for other in sent if rank_of(other) == ACE}
    run_cards = [rank_of(other) for other in sent if suit_of(other) == trump and rank_of(other)]
    if suit == trump:
        if rank == NINE:
            return 7
        if not again:
            return {KING: 1, QUEEN: 2}.get(rank, 0)
        if len(run_cards) == number and ACE in run_cards and TEN in run_cards:
            return 3
        return 5 if rank == ACE else 6
    if (card, trump) in ((QUEEN_OF_SPADES, DIAMONDS), (JACK_OF_DIAMONDS, SPADES)):
        return 4 if again else 3
    if rank == ACE:
        if again:
            return 5
        if len(aces) == 3:
            return 2 if trump in aces else 0
        return 4
    return 11 if again else {KING: 8, QUEEN: 9, JACK: 10}.get(rank, 11)


def level_of_all(sent, trump, number):
    """Return the level of the least card sent."""
    if not sent:
        return NOT_TOLD
    seen, levels = [], []
    for card in sent:
        levels.append(level_of(card, card in seen, sent, trump, number))
        # A second copy implies the first.
        levels.append(level_of(card, False, sent, trump, number))
        seen.append(card)
    return max(levels)


def copies(cards, suit, rank):
    return cards.count(make_card(suit, rank))


def around_gain(hand, sent, returned, trump, level, rank, tables):
    """Return what the given cards of one rank add to partner's arounds."""
    points = UNIT * AROUNDS[rank]
    place = list(AROUNDS).index(rank)
    given = [suit for suit in SUITS if copies(returned, suit, rank)]
    if not given:
        return 0
    unseen = [2 - copies(hand, suit, rank) for suit in SUITS]
    told = sum(4 if suit == trump else 1 for suit in SUITS if copies(sent, suit, rank))
    possible = int(min(unseen) > 0)

    def kept_in(suits):
        """Return the chance that partner kept the rank in all of these suits."""
        if any(unseen[suit] == 0 for suit in suits):
            return 0
        extra = sum(unseen[suit] - 1 for suit in suits)
        side = [suit for suit in suits if suit != trump]
        place_of = level, place, told, possible, int(trump in suits), len(side), extra
        return int(tables.together[place_of])

    whole = kept_in(SUITS)
    if len(given) == 4:
        return (points * (CHANCE - whole) + 9 * points * whole) // CHANCE
    rest = [suit for suit in SUITS if suit not in given]
    if any(unseen[suit] == 0 for suit in rest):
        return 0
    return points * (kept_in(rest) - whole) // CHANCE


def royal_gain(hand, returned, trump, level, tables):
    """Return what the given cards of trump add to a run or royal marriage of partner's."""
    gains = {}
    for ranks in ((QUEEN, KING), (QUEEN, KING, JACK, TEN, ACE)):
        has, had = CHANCE, CHANCE
        for rank in ranks:
            chance = int(tables.royals[level, rank, 2 - copies(hand, trump, rank)])
            has = has * (CHANCE if copies(returned, trump, rank) else chance) // CHANCE
            had = had * chance // CHANCE
        gains[len(ranks)] = has - had
    return UNIT * (40 * gains[2] + 110 * gains[5]) // CHANCE


def tricks(kept, returned, trump, weights):
    """Return the worth of the split in tricks by its weights (side, trump)."""
    total = 0
    a, b, _ = SIDE_SIZES
    for suit in SUITS:
        stay = [copies(kept, suit, rank) for rank in range(6)]
        go = [copies(returned, suit, rank) for rank in range(6)]
        if suit == trump:
            total += weights[1][5 * min(sum(stay), 11) + sum(go)]
            start = TRUMP_SIZES[0]
            for rank in range(6):
                total += weights[1][start + 9 * rank + 3 * stay[rank] + go[rank]]
            continue
        length = min(sum(stay), 6)
        places = (
            np.ravel_multi_index((stay[5], go[5], stay[4], go[4], length), (3, 3, 3, 3, 7)),
            a + np.ravel_multi_index((stay[5], go[5], length, sum(go)), (3, 3, 7, 5)),
            a + b + np.ravel_multi_index((stay[3], go[3], length, stay[5], go[5]), (3, 3, 7, 3, 3)),
        )
        total += sum(weights[0][place] for place in places)
    return int(total)


def pinochle_and_marriage_gain(hand, sent, returned, trump, level, tables):
    """Return what the given cards add to partner's pinochle and to marriages of side suits."""
    value = 0
    for suit in SUITS:
        if suit != trump:
            gains = tables.marriages[
                level,
                int(suit == SPADES and trump == DIAMONDS),
                int(copies(sent, suit, KING) > 0),
                int(copies(sent, suit, QUEEN) > 0),
                2 - copies(hand, suit, KING),
                2 - copies(hand, suit, QUEEN),
            ]
            value += int(gains[3 * copies(returned, suit, KING) + copies(returned, suit, QUEEN)])
    legs = QUEEN_OF_SPADES, JACK_OF_DIAMONDS
    gains = tables.pinochles[
        level,
        {SPADES: 0, DIAMONDS: 1}.get(trump, 2),
        *(int(leg in sent) for leg in legs),
        *(2 - hand.count(leg) for leg in legs),
    ]
    return value + int(gains[3 * returned.count(legs[0]) + returned.count(legs[1])])


def return_value(hand, sent, returned, trump, rules, weights, tables):
    """Return what a return is worth to declarer's side, in hundredths of a point."""
    returned, sent = list(returned), list(sent)
    kept = without(hand, returned)
    level = level_of_all(sent, trump, rules.pass_cards)
    value = UNIT * meld_points(tuple(sorted(kept)), trump, rules)
    value += tricks(kept, returned, trump, weights)
    value += sum(around_gain(hand, sent, returned, trump, level, rank, tables) for rank in AROUNDS)
    value += pinochle_and_marriage_gain(hand, sent, returned, trump, level, tables)
    if any(suit_of(card) == trump for card in returned):
        value += royal_gain(hand, returned, trump, level, tables)
        pairs = copies(returned, trump, KING) == copies(returned, trump, QUEEN) == 2
        value += UNIT * (10 * copies(returned, trump, NINE) + 40 * pairs)
    return value


@lru_cache(maxsize=1)
def measured():
    """Return the weights in force and the tables of them."""
    return stored_weights(), return_tables()


def random_tables(rng):
    """Return weights and tables of any size, chances that need not fit together."""
    most = int(rng.choice([300, 3000]))
    weights = (
        rng.integers(-most, most, sum(SIDE_SIZES)),
        rng.integers(-most, most, sum(TRUMP_SIZES)),
    )
    joint = [rng.random(SHAPES[name]) ** 4 for name in ("marriages", "pinochles")]
    joint = [table / table.sum(axis=(-1, -2), keepdims=True) for table in joint]
    royals = rng.integers(0, CHANCE, SHAPES["royals"])
    royals[:, :, 0] = 0
    together = rng.integers(0, CHANCE, SHAPES["together"])
    return weights, tables_of(*weights, *joint, together, royals)


def all_returns(hand, number):
    """Return every choice of so many cards, equal cards not told apart."""
    return sorted(set(combinations(sorted(hand), number)))


def best_returns(hand, sent, trump, rules, weights, tables):
    """Return the best value of all returns, and the returns that reach it."""
    values = {
        returned: return_value(hand, sent, returned, trump, rules, weights, tables)
        for returned in all_returns(hand, rules.pass_cards)
    }
    best = max(values.values())
    return best, [list(returned) for returned, value in values.items() if value == best]
