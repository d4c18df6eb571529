"""Hands from real tables, read where they lie and left out where they are absent.

Of each row only what its note on trust supports is asserted: trump, aces and pinochle legs of a
passing decision, not its fillers; of rollouts by another program, agreement on the whole.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from naive import DECK, cards_of, without
from test_exchange import exchanged

from advisor.game.cards import ACE, DIAMONDS, NINE, SPADES, SUIT_LETTERS, Hand, parse_card
from advisor.game.meld import meld_by_trump, score_meld
from advisor.game.rules import Rules
from advisor.pricing import Pricing
from advisor.simulate import simulate

PATH = Path(__file__).parents[2] / "shared" / "data" / "real_hands.json"
ROWS = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else []

pytestmark = pytest.mark.skipif(not ROWS, reason="real_hands.json is not beside this project")

QUEEN_OF_SPADES, JACK_OF_DIAMONDS = cards_of("QS JD")


def rows_of(kind):
    return [pytest.param(row, id=row["id"]) for row in ROWS if row["kind"] == kind]


def row_named(name):
    return next(row for row in ROWS if row["id"] == name)


def parsed(names):
    return [parse_card(name) for name in names]


def sent(partner, trump, number=4):
    declarer = without(DECK, partner)[:12]
    return exchanged([(declarer, partner)], [trump], Rules(pass_cards=number))[0][0]


@pytest.mark.parametrize("row", rows_of("passing-test"))
def test_trump_aces_and_legs_go_as_customers_ask(row):
    partner, trump = parsed(row["hand"]), SUIT_LETTERS.index(row["advice"]["trump"])
    ours = sent(partner, trump, int(row["passing_cards"]))
    theirs = parsed(row["advice"]["cards"])

    def sure(cards):
        """Count trumps by card, aces beside trump together, and the legs."""
        legs = [c for c in cards if c in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS)]
        trumps = [c for c in cards if c // 6 == trump]
        aces = [c for c in cards if c // 6 != trump and c % 6 == ACE]
        return Counter(trumps), len(aces), Counter(legs) if trump in (SPADES, DIAMONDS) else None

    assert sure(ours) == sure(theirs)
    if trump not in (SPADES, DIAMONDS):
        assert not {QUEEN_OF_SPADES, JACK_OF_DIAMONDS} & set(ours)
    # Several customers: no nine of a side suit while there is anything else.
    assert not any(card % 6 == NINE and card // 6 != trump for card in ours)


def test_all_trumps_for_a_double_run():
    row = row_named("trickster-170a")
    known, bidder = parsed(row["known_partner"]), parsed(row["known_bidder"])
    wanted = parsed(row["advice"]["cards"])
    jacks = cards_of("JS JC")
    rng = np.random.default_rng(1)
    # Declarer holds the other diamonds, so the rest of partner's hand is of other suits.
    others = [
        card
        for card in without(DECK, [*known, *jacks])
        if card // 6 != DIAMONDS and card != QUEEN_OF_SPADES
    ]
    for _ in range(200):
        partner = [*known, *jacks, *(int(card) for card in rng.permutation(others)[:5])]
        assert sent(partner, DIAMONDS) == sorted(wanted)
    # What declarer is known to hold has two of the four among it already.
    together = Counter(bidder) | Counter(wanted)
    assert score_meld(Hand.from_cards(together.elements()), DIAMONDS).total >= 1500


def test_a_ten_or_a_spare_king_rather_than_a_nine():
    row = row_named("trickster-144")
    trump = SUIT_LETTERS.index(row["advice"]["trump"])
    prefer = {parse_card(text.split()[0]) for text in row["advice"]["prefer"]}
    avoid = set(parsed(row["advice"]["avoid"]))
    # Three hearts go, and one place is left for one of the cards in question.
    partner = cards_of("AH KH JH TS KD 9C 9C JC JC QC JS 9D")
    assert len(partner) == 12
    ours = set(sent(partner, trump))
    assert set(cards_of("AH KH JH")) < ours
    assert ours & prefer
    assert not ours & avoid


@pytest.mark.parametrize("row", [row for row in ROWS if "standard_meld_by_trump" in row][:20])
def test_meld_of_real_hands(row):
    hand = Hand.from_cards(parsed(row["hand"]))
    expected = [row["standard_meld_by_trump"][letter] for letter in SUIT_LETTERS]
    assert [meld.total for meld in meld_by_trump(hand)] == expected


def test_measured_decisions_agree_on_the_whole():
    # Another program's 50 to 150 rollouts a row: three cards passed, 190 for a bare run.
    rules = Rules(pass_cards=3, royal_in_run=True)
    theirs, ours = [], []
    for row in ROWS:
        if row["kind"] != "measured-rollout":
            continue
        advice = row["advice"]
        hand = Hand.from_cards(parsed(row["hand"]))
        trump = SUIT_LETTERS.index(advice["trump"])
        pricing = Pricing(simulate(hand, trump, samples=1500, rules=rules), rules)
        chance, worth = pricing.p_make(advice["bid"]).mean, pricing.take(advice["bid"]).mean
        theirs.append((advice["p_make"], advice["ev_take"]))
        ours.append((chance, worth))
        # Hands that are sure there must not be doubtful here.
        if advice["p_make"] >= 0.98:
            assert chance > 0.9, row["id"]
            assert worth > 0, row["id"]
    assert len(ours) >= 10
    for column in range(2):
        one, other = (np.array(pairs)[:, column] for pairs in (theirs, ours))
        assert np.corrcoef(one, other)[0, 1] > 0.85
