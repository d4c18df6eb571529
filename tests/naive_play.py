"""The policy for playing cards, and the dealing of them, as a player would explain them.

A card is a pair (suit, rank), and a hand a list in which a card held twice stands twice. Trump may
be any suit. Seat 0 is declarer and seat 2 partner. Only the rules of a trick come from `naive`.
"""

from dataclasses import dataclass
from functools import cached_property

from naive import DECK, legal_plays, packed, winning_place, without

from advisor.game.cards import ACE, KING, SPADES, TEN, make_card, rank_of, suit_of

DECLARER, PARTNER = 0, 2


def pair(card):
    return suit_of(card), rank_of(card)


def in_suit(cards, suit):
    return [card for card in cards if card[0] == suit]


def of_rank(cards, *ranks):
    return [card for card in cards if card[1] in ranks]


def non_counters(cards):
    return [card for card in cards if card[1] < KING]


def beats(card, other, trump):
    """Return whether a card played later takes the trick from the card now winning it."""
    if card[0] == other[0]:
        return card[1] > other[1]
    return card[0] == trump


@dataclass
class View:
    """All that a seat may know when it plays: no other hand is in here."""

    seat: int
    hand: list
    trump: int
    played: list
    # (seat, suit) of those who failed to follow suit, or to trump when they could not follow.
    failed: set

    @cached_property
    def unseen(self):
        return without([pair(card) for card in DECK], self.hand + self.played)

    @property
    def trumps(self):
        return in_suit(self.hand, self.trump)

    @property
    def side_cards(self):
        return [card for card in self.hand if card[0] != self.trump]

    @property
    def enemies(self):
        return [(self.seat + 1) % 4, (self.seat + 3) % 4]

    def has_failed(self, seat, suit):
        return (seat, suit) in self.failed

    def is_master(self, card):
        """Return whether no unseen card of its suit is higher; an equal card comes too late."""
        return all(other[1] <= card[1] for other in in_suit(self.unseen, card[0]))

    def order(self, card):
        # The kernel makes trump suit 0 by exchanging it with spades. So among side suits that are
        # equally good, spades stand where trump would; the lowest suit goes first where a low
        # card is sought, and the highest where a high one is.
        suit, rank = card
        if suit == self.trump:
            return SPADES, rank
        return (self.trump if suit == SPADES else suit), rank

    def lowest(self, cards):
        return min(cards, key=self.order)

    def highest(self, cards):
        return max(cards, key=self.order)


def discard(view, cards):
    """Throw a low card of the shortest suit; if only counters are left, a king before a ten."""
    worthless = (
        non_counters(cards) or of_rank(cards, KING) or of_rank(cards, TEN) or of_rank(cards, ACE)
    )
    return from_shortest(view, worthless)


def from_shortest(view, cards):
    """Take the lowest card of the shortest suit."""
    return min(cards, key=lambda card: (len(in_suit(view.hand, card[0])), *view.order(card)))


def lead(view, must_be_trump=False):
    """Return the card a seat leads."""
    trumps = view.trumps
    top_trump = view.highest(trumps) if trumps else None
    trump_is_master = bool(trumps) and view.is_master(top_trump)
    low_trumps = non_counters(trumps)

    if must_be_trump and trumps:
        if trump_is_master:
            return top_trump
        return view.highest(low_trumps) if low_trumps else view.lowest(trumps)

    enemies_are_out = all(view.has_failed(enemy, view.trump) for enemy in view.enemies)
    enemies_may_ruff = bool(in_suit(view.unseen, view.trump)) and not enemies_are_out

    def runs(suit):
        return not any(view.has_failed(enemy, suit) for enemy in view.enemies)

    safe = [
        card
        for card in view.side_cards
        if view.is_master(card) and (runs(card[0]) or not enemies_may_ruff)
    ]

    if view.seat == DECLARER:
        if enemies_may_ruff and trumps:
            bare_aces = [
                card for card in of_rank(safe, ACE) if len(in_suit(view.hand, card[0])) == 1
            ]
            if bare_aces:
                return view.lowest(bare_aces)
            if trump_is_master:
                return top_trump
            if low_trumps and len(trumps) > 1:
                return view.highest(low_trumps)
        if safe:
            return view.highest(safe)
    else:
        if of_rank(safe, ACE):
            return view.highest(of_rank(safe, ACE))
        if view.seat == PARTNER and enemies_may_ruff:
            if trump_is_master:
                return top_trump
            if low_trumps:
                return view.highest(low_trumps)
        if safe:
            return view.highest(safe)
        if view.seat != PARTNER:
            # Defenders make declarer ruff.
            forcing = [
                card for card in non_counters(view.side_cards) if view.has_failed(DECLARER, card[0])
            ]
            if forcing:
                return discard(view, forcing)

    if view.side_cards:
        return discard(view, view.side_cards)
    return top_trump if trump_is_master else view.lowest(trumps)


def follow(view, trick, legal):
    """Return which of its legal cards a seat plays to a trick that others have begun."""
    if len(set(legal)) == 1:
        return legal[0]
    led = trick[0][0]
    is_last = len(trick) == 3
    place = winning_place([make_card(*card) for card in trick], view.trump)
    best = trick[place]

    # Of the seats still to play only the next can be an enemy.
    next_may_ruff = (
        not is_last
        and led != view.trump
        and view.has_failed((view.seat + 1) % 4, led)
        and bool(in_suit(view.unseen, view.trump))
    )
    next_may_head = any(beats(card, best, view.trump) for card in in_suit(view.unseen, led))
    partner_wins = place == len(trick) - 2
    partner_is_safe = partner_wins and (is_last or not (next_may_ruff or next_may_head))

    takers = [card for card in legal if beats(card, best, view.trump)]
    must_take = len(takers) == len(legal)
    if takers and (must_take or not partner_is_safe):
        cheapest = view.lowest(non_counters(takers) or takers)
        if is_last or next_may_ruff or takers[0][0] != led:
            return cheapest
        sure = [card for card in takers if view.is_master(card)]
        if sure and (led != view.trump or not non_counters(takers)):
            return view.lowest(sure)
        return cheapest
    if partner_is_safe:
        kings, tens = of_rank(legal, KING), of_rank(legal, TEN)
        if view.seat == 2 and (kings or tens):
            return from_shortest(view, kings + tens)
        if kings or tens:
            return view.lowest(kings or tens)
    return discard(view, [card for card in legal if card not in takers])


def play_round(hands, trump, leader, rules):
    """Return the cards, of types as in `naive`, in the order in which the seats play them."""
    left = [[pair(card) for card in hand] for hand in hands]
    played = []
    failed = set()
    for number in range(len(hands[0])):
        trick = []
        for turn in range(4):
            seat = (leader + turn) % 4
            view = View(seat, left[seat], trump, played + trick, failed)
            if turn == 0:
                card = lead(view, number == 0 and rules.first_lead == "trump")
            else:
                legal = legal_plays(
                    [make_card(*held) for held in left[seat]],
                    [make_card(*earlier) for earlier in trick],
                    trump,
                    rules.heading,
                )
                card = follow(view, trick, [pair(one) for one in legal])
                led = trick[0][0]
                if card[0] != led:
                    failed.add((seat, led))
                    if card[0] != trump:
                        failed.add((seat, trump))
            left[seat] = without(left[seat], [card])
            trick.append(card)
        played += trick
        leader = (leader + winning_place([make_card(*card) for card in trick], trump)) % 4
    return [make_card(*card) for card in played]


WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
SIDE_NAMES = 0x51DE_0051DE
CHANCE = 0xC4A7_CE00_C4A7
MIX_A = 0xBF58476D1CE4E5B9
MIX_B = 0x94D049BB133111EB


def mix(word):
    word = (word ^ word >> 30) * MIX_A % WORD
    word = (word ^ word >> 27) * MIX_B % WORD
    return word ^ word >> 31


def splitmix64(state, skip=0):
    """Yield the words of the generator of Steele, Lea and Flood (2014), the first few skipped."""
    state += skip * GOLDEN
    while True:
        state = (state + GOLDEN) % WORD
        yield mix(state)


def halves(words):
    for word in words:
        yield word % 2**32
        yield word // 2**32


def sample_state(hand, seed, sample):
    """Return where the generator stands at the start of one sample."""
    key = mix(next(splitmix64(seed)) ^ packed(hand) * MIX_A % WORD)
    return next(splitmix64(key, skip=sample))


def tie_salt(hand, seed, sample, turn):
    """Return what breaks the ties of the exchange in one rotation of one sample."""
    return mix((sample_state(hand, seed, sample) + turn) % WORD)


def chance(hand, seed, sample, turn):
    """Return the number below 1024 that a round's prediction is drawn by."""
    return mix(tie_salt(hand, seed, sample, turn) ^ CHANCE) >> 54


def play_names(hand, trump, seed, sample):
    """Return for each suit its name in the play of one sample: trump 0, side suits by chance."""
    order = mix(sample_state(hand, seed, sample) ^ SIDE_NAMES) % 6
    first = order // 2 + 1
    second = first % 3 + 1
    if order % 2:
        second = 6 - first - second
    names = [0, first, second, 6 - first - second]
    # Before that, trump and spades change places.
    return [names[{trump: SPADES, SPADES: trump}.get(suit, suit)] for suit in range(4)]


def deal(hand, seed, sample):
    """Return the hidden hands of one sample, in seat order after the known hand."""
    numbers = halves(splitmix64(sample_state(hand, seed, sample)))
    pile = without(DECK, hand)
    third = len(pile) // 3
    for place in range(2 * third):
        pick = place + next(numbers) * (len(pile) - place) // 2**32
        pile[place], pile[pick] = pile[pick], pile[place]
    return pile[:third], pile[third : 2 * third], pile[2 * third :]
