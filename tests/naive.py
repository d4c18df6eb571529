"""The slow, obvious oracle for the kernels: lists of cards and the rules as a player says them.

Nothing here is packed into words or looked up in tables. A card is its type, 0 to 23, and a hand
is a list in which a card held twice stands twice. Meld is `advisor.game.meld.score_meld`, which
has an oracle of its own in `naive_meld`.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_LETTERS,
    SPADES,
    SUITS,
    TEN,
    Hand,
    make_card,
    parse_card,
    rank_of,
    suit_of,
)
from advisor.game.meld import score_meld
from advisor.game.scoring import keeps_meld, may_throw_in, score_round
from advisor.kernels import exchange

DECK = [card for card in range(24) for _ in range(2)]
QUEEN_OF_SPADES = make_card(SPADES, QUEEN)
JACK_OF_DIAMONDS = make_card(DIAMONDS, JACK)


def cards_of(text):
    """Return the cards of `AS TS QH` or, by suit S.H.D.C, of `AT.Q.-.-`."""
    if "." not in text:
        return [parse_card(name) for name in text.split()]
    return [
        make_card(suit, RANK_LETTERS.index(letter))
        for suit, ranks in zip(SUITS, text.split("."), strict=True)
        for letter in ranks
        if letter != "-"
    ]


def hand_of(text):
    return Hand.from_cards(cards_of(text))


def packed(cards):
    """Return the 48-bit word of some cards: 01 for one copy of a card, 11 for both."""
    return sum({1: 0b01, 2: 0b11}[count] << 2 * card for card, count in Counter(cards).items())


def unpacked(word):
    """Return the cards of a 48-bit word, lowest type first."""
    word = int(word)
    return [card for card in range(24) for copy in range(2) if word >> (2 * card + copy) & 1]


def without(cards, gone):
    """Return the cards left when some leave; each of them must be there."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def winning_place(trick, trump):
    """Return the place of the card that is winning: a higher trump, else a higher card led."""
    best = 0
    for place, card in enumerate(trick):
        if suit_of(card) == suit_of(trick[best]):
            takes = rank_of(card) > rank_of(trick[best])
        else:
            takes = suit_of(card) == trump
        if takes:
            best = place
    return best


def legal_plays(hand, trick, trump, heading="always"):
    """Return the cards that may be played to a trick; all of them if it has not begun."""
    if not trick:
        return list(hand)
    led = suit_of(trick[0])
    best = trick[winning_place(trick, trump)]

    def higher(cards, than):
        return [card for card in cards if rank_of(card) > rank_of(than)]

    following = [card for card in hand if suit_of(card) == led]
    if following:
        ruffed = suit_of(best) != led
        if led == trump:
            return higher(following, best) or following
        if heading == "always":
            return following if ruffed else higher(following, best) or following
        if heading == "after-ruff":
            best_led = max((card for card in trick if suit_of(card) == led), key=rank_of)
            return higher(following, best_led) or following
        return following
    trumps = [card for card in hand if suit_of(card) == trump]
    if trumps:
        ruffed = suit_of(best) == trump
        return (higher(trumps, best) if ruffed else trumps) or trumps
    return list(hand)


@dataclass
class Replay:
    """What a recorded order of plays was worth, by side: seats 0 and 2, seats 1 and 3."""

    points: list[int]
    tricks: list[int]
    lost_by_suit: list[int]
    turns: list[int]


def replay(deal, plays, trump, leader, rules):
    """Return the result of all plays, having checked each of them against the rules."""
    hands = [list(hand) for hand in deal]
    n_tricks = len(hands[0])
    result = Replay([0, 0], [0, 0], [0] * 4, [])
    assert len(plays) == 4 * n_tricks
    for number in range(n_tricks):
        trick = []
        for turn in range(4):
            seat = (leader + turn) % 4
            card = plays[4 * number + turn]
            assert card in hands[seat], "a card that is not held"
            assert card in legal_plays(hands[seat], trick, trump, rules.heading), "not legal"
            if number == turn == 0 and rules.first_lead == "trump":
                holds_trump = any(suit_of(held) == trump for held in hands[seat])
                assert suit_of(card) == trump or not holds_trump, "the first lead is trump"
            hands[seat].remove(card)
            trick.append(card)
            result.turns.append(seat)
        points = sum(rules.rank_points[rank_of(card)] for card in trick)
        if number == n_tricks - 1:
            points += rules.last_trick
        leader = (leader + winning_place(trick, trump)) % 4
        result.points[leader % 2] += points
        result.tricks[leader % 2] += 1
        if leader % 2 == 1:
            result.lost_by_suit[suit_of(trick[0])] += points
    return result


def send_scores(hand, trump, number, policy):
    """Return (weight, card) for every card of partner's hand, the second of a pair apart."""
    held = Counter(hand)
    run_cards = [card for card in hand if suit_of(card) == trump and rank_of(card) != NINE]
    all_trump = (
        len(run_cards) == number
        and make_card(trump, ACE) in run_cards
        and make_card(trump, TEN) in run_cards
    )
    legs_go_whole = number == 4 and trump in (SPADES, DIAMONDS)
    double_pinochle = held[QUEEN_OF_SPADES] == held[JACK_OF_DIAMONDS] == 2
    meld_ranks = (JACK, QUEEN, KING, ACE)

    def suits_of(rank):
        return [suit for suit in SUITS if held[make_card(suit, rank)]]

    def around(rank):
        return len(suits_of(rank)) == 4

    scores = []
    for card, copies in sorted(held.items()):
        suit, rank = suit_of(card), rank_of(card)
        length = sum(suit_of(other) == suit for other in hand)
        for copy in range(copies):
            again = copy == 1
            # Copies go one after the other, so this many stay when this one has gone.
            left = copies - copy - 1
            is_leg = (card, trump) in (
                (QUEEN_OF_SPADES, DIAMONDS),
                (JACK_OF_DIAMONDS, SPADES),
            )
            if suit == trump:
                start = exchange.POLICY_SEND_TRUMP_AGAIN if again else exchange.POLICY_SEND_TRUMP
                score = policy[start + rank]
                if again and all_trump and rank != NINE:
                    score += policy[exchange.POLICY_SEND_ALL_TRUMP]
            elif is_leg:
                score = policy[
                    exchange.POLICY_SEND_LEG_AGAIN if again else exchange.POLICY_SEND_LEG
                ]
            else:
                start = exchange.POLICY_SEND_SIDE_AGAIN if again else exchange.POLICY_SEND_SIDE
                score = policy[start + rank]
                if rank == ACE:
                    score -= policy[exchange.POLICY_SEND_ACE_LENGTH] * (length - 1)
                else:
                    score -= policy[exchange.POLICY_SEND_LENGTH] * (length - 1)
                if rank in meld_ranks and len(suits_of(rank)) == 3 and not (again or all_trump):
                    if rank == ACE and trump in suits_of(ACE):
                        score += policy[exchange.POLICY_SEND_THREE_WITH_TRUMP]
                    else:
                        score += policy[exchange.POLICY_SEND_THREE + meld_ranks.index(rank)]
                if left == 0 and around(rank):
                    if rank == ACE:
                        score -= policy[exchange.POLICY_SEND_BREAK_ACES]
                    elif rank in (JACK, QUEEN, KING):
                        score -= policy[exchange.POLICY_SEND_BREAK_AROUND]
                mates = {KING: QUEEN, QUEEN: KING}
                if rank in mates:
                    mate = held[make_card(suit, mates[rank])]
                    if mate > left:
                        score -= policy[exchange.POLICY_SEND_BREAK_MARRIAGE]
                legs = {
                    QUEEN_OF_SPADES: JACK_OF_DIAMONDS,
                    JACK_OF_DIAMONDS: QUEEN_OF_SPADES,
                }
                if card in legs and held[legs[card]] > left:
                    score -= policy[exchange.POLICY_SEND_BREAK_PINOCHLE]
            if rank in meld_ranks and left == 0 and around(rank) and not all_trump:
                # Trump is no exception.
                place = exchange.POLICY_SEND_KEEP_AROUND + meld_ranks.index(rank)
                score -= policy[place]
            if double_pinochle and card in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS):
                whole = policy[exchange.POLICY_SEND_DOUBLE_PINOCHLE]
                score += whole if legs_go_whole else -whole
            scores.append((int(score), card))
    return scores


def is_best_send(sent, hand, trump, number, policy):
    """Return whether partner's cards are among those of the highest weights, ties apart."""
    scores = send_scores(hand, trump, number, policy)
    by_card = {}
    for score, card in scores:
        by_card.setdefault(card, []).append(score)
    # Copies are alike: however many go, they are those of the highest weights.
    chosen = [
        score
        for card, copies in Counter(sent).items()
        for score in sorted(by_card[card], reverse=True)[:copies]
    ]
    best = sorted((score for score, _ in scores), reverse=True)[:number]
    return sorted(chosen, reverse=True) == best


@lru_cache(maxsize=200_000)
def meld_points(cards, trump, rules):
    return score_meld(Hand.from_cards(cards), trump, rules).total


def team_meld(hands, trump, rules):
    """Return the meld of a side and whether there is nothing but dix in it."""
    melds = [score_meld(Hand.from_cards(hand), trump, rules) for hand in hands]
    nines = sum(hand.count(make_card(trump, NINE)) for hand in hands)
    total = sum(meld.total for meld in melds)
    assert all(meld.dix_only for meld in melds) == (total == 10 * nines)
    return total, all(meld.dix_only for meld in melds)


@dataclass(frozen=True)
class Round:
    """One simulated round as a scorer writes it down."""

    our_meld: int
    their_meld: int
    our_tricks: int
    their_tricks: int
    our_trick: bool
    their_trick: bool
    our_dix_only: bool
    their_dix_only: bool

    def saves_their_meld(self, rules):
        return keeps_meld(rules, self.their_tricks, int(self.their_trick), self.their_dix_only)

    def score(self, rules, bid, thrown_in=False):
        return score_round(
            rules,
            bid,
            self.our_meld,
            self.our_tricks,
            self.their_meld,
            self.their_tricks,
            our_trick_count=int(self.our_trick),
            their_trick_count=int(self.their_trick),
            our_dix_only=self.our_dix_only,
            their_dix_only=self.their_dix_only,
            thrown_in=thrown_in,
        )


def gain_by_throwing_in(this, rounds, rules, bid):
    """Return by how much giving up beats playing on, summed over all rounds; None if forbidden.

    Declarer knows the melds of this round. For its tricks, and for how often the other side saves
    its meld, he has only what happened in all the rounds with this hand.
    """
    if not may_throw_in(rules, bid, this.our_meld):
        return None
    gain = 0
    for other in rounds:
        reached = this.our_meld + other.our_tricks
        ours = reached if reached >= bid else -bid
        theirs = other.their_tricks
        if other.saves_their_meld(rules):
            theirs += this.their_meld
        gain += (-bid - this.their_meld) - (ours - theirs)
    return gain
