"""The slow, obvious oracle for the quick valuation and for bidding.

Hands are lists of cards, an auction is an `advisor.game.auction.Auction`, which refuses every call
that is not legal. Seats count from 0, the dealer's left; a convention is the list of meanings that
`Convention.as_rows` gives, with names for the numbers.
"""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from naive_meld import best, class_one, class_three
from naive_play import WORD, mix

from advisor.game.auction import PASS, PASS_WITH_HELP, Auction, Call, next_bids
from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    QUEEN,
    SPADES,
    SUITS,
    TEN,
    Hand,
    make_card,
    rank_of,
    suit_of,
)
from advisor.game.meanings import QUANTITIES, WHENS, quantity

RANKS = ("nine", "jack", "queen", "king", "ten", "ace")
UNITS = 64
NOISE = 0x0D1F_FE4E_0C3A
NOTHING, HELP, BID = "nothing", "help", "bid"


def holding(cards, suit):
    """Return the ranks held in a suit."""
    return [rank_of(card) for card in cards if suit_of(card) == suit]


def suits_with(cards, rank):
    return len({suit_of(card) for card in cards if rank_of(card) == rank})


def copies_held(held, rank, where):
    """Return the names of the features of a rank held once or twice."""
    number = held.count(rank)
    return [f"{where} {RANKS[rank]} {word}" for word in ("held", "twice")[:number]]


def features(cards, trump, rules):
    """Return the features of a hand that are not 0, by name."""
    found = Counter()
    named = holding(cards, trump)
    found["trump length 8 or more" if len(named) >= 8 else f"trump length {len(named)}"] += 1
    for rank in range(JACK, ACE + 1):
        found.update(copies_held(named, rank, "trump"))
    trumps = Counter(card for card in cards if suit_of(card) == trump)
    found["trump meld"] = best(trumps, class_one(trump, rules))

    for suit in SUITS:
        if suit == trump:
            continue
        held = holding(cards, suit)
        found["side length 5 or more" if len(held) >= 5 else f"side length {len(held)}"] += 1
        for rank in range(ACE + 1):
            found.update(copies_held(held, rank, "side"))
        aces, tens = held.count(ACE), held.count(TEN)
        if aces == 1:
            found["side tens beside an ace"] += tens
        if aces == 2:
            found["side tens beside both aces"] += tens
        found["side ace alone"] += held == [ACE]
        found["side marriages"] += 20 * min(held.count(KING), held.count(QUEEN))

    missing = sum(rank not in named for rank in (ACE, TEN, KING, QUEEN, JACK))
    missing = "3 or more" if missing >= 3 else missing
    found[f"missing {missing}, aces in {suits_with(cards, ACE)}"] = 1
    for rank in (JACK, QUEEN, KING):
        found[f"{RANKS[rank]}s in three suits"] = int(suits_with(cards, rank) == 3)
    found["arounds"] = best(Counter(cards), class_three())
    if suits_with(cards, KING) == suits_with(cards, QUEEN) == 4:
        found["arounds"] += rules.roundhouse_bonus
    queens = cards.count(make_card(SPADES, QUEEN))
    jacks = cards.count(make_card(DIAMONDS, JACK))
    suits = "S or D" if trump in (SPADES, DIAMONDS) else "H or C"
    found[f"legs {queens} QS {jacks} JD, trump {suits}"] = 1
    return {name: number for name, number in found.items() if number}


def value(cards, trump, rules, weights):
    """Return what a hand is worth in 1/64 point; weights go by name."""
    return sum(weights[name] * number for name, number in features(cards, trump, rules).items())


class Row(NamedTuple):
    """One meaning: of a jump of so many steps, or of help if there are none."""

    steps: int
    shows: str
    least: int
    most: int
    when: str


def rows_of(convention, rules):
    names = list(QUANTITIES)
    return [
        Row(steps, names[shows], least, most, WHENS[when])
        for steps, shows, least, most, when in convention.usable(rules).as_rows()
    ]


@dataclass
class Look:
    """What a hand may call: limit in points, best trump, and the meanings that it fits."""

    limit: int
    trump: int
    fits: list[bool]


def look_at(cards, rules, weights, rows):
    values = [value(cards, trump, rules, weights) for trump in SUITS]
    limit = max(values) // UNITS
    hand = Hand.from_cards(cards)
    fits = []
    for row in rows:
        amount = limit if row.shows == "value" else quantity(hand, row.shows, rules)
        fits.append(row.least <= amount <= row.most)
    return Look(limit, values.index(max(values)), fits)


def passed(auction):
    """Return the seats that are out."""
    return {
        seat - 1
        for seat, call in zip(auction.seats, auction.calls, strict=True)
        if call.bid is None
    }


def holder(auction):
    return None if auction.high_seat is None else auction.high_seat - 1


def partner_of(seat):
    return (seat + 2) % 4


def has_bid(told):
    return told not in (NOTHING, HELP)


def may_jump(auction, told, row):
    """Return whether the seat to call may make this jump of the convention now."""
    seat = auction.seat_to_call - 1
    partner = partner_of(seat)
    if row.steps == 0 or row.steps > len(next_bids(auction.rules, auction.high_bid)):
        return False
    if has_bid(told[seat]) or partner in passed(auction):
        return False
    if row.when == "opening":
        return auction.high_bid is None
    return row.when == "any" or has_bid(told[partner])


def meaning_of_jump(auction, bid, told, rows):
    """Return the number of the first meaning that a bid has here, None if it has none."""
    steps = next_bids(auction.rules, auction.high_bid).index(bid) + 1
    for number, row in enumerate(rows):
        if row.steps == steps > 1 and may_jump(auction, told, row):
            return number
    return None


def told_by(auction, call, told, rows):
    """Return what the seat to call has told once it makes a call: a word, or a row's number."""
    before = told[auction.seat_to_call - 1]
    if call.bid is None:
        return HELP if call.with_help and before == NOTHING else before
    meaning = meaning_of_jump(auction, call.bid, told, rows)
    if meaning is not None:
        return meaning
    return before if has_bid(before) else BID


def needed(auction, bid, style):
    """Return the limit that the seat to call needs for a bid."""
    seat = auction.seat_to_call - 1
    rules, out = auction.rules, passed(auction)
    need = bid
    if holder(auction) == partner_of(seat):
        need += style.over_partner
        if {(seat + 1) % 4, (seat + 3) % 4} <= out:
            need += style.partner_alone
    third = seat == 2 and {0, 1} <= out and auction.high_bid is None
    return need - style.third_seat if third and rules.all_pass == "dealer" else need


def decide(auction, look, told, style, readings, rows):
    """Return the call of the seat whose turn it is; readings go by what partner has told."""
    seat = auction.seat_to_call - 1
    rules = auction.rules
    limit = look.limit + readings[told[partner_of(seat)]]
    # A dealer who has the hand at the minimum anyway may as well bid it.
    forced = (
        rules.all_pass == "dealer"
        and rules.forced_bid == rules.minimum
        and passed(auction) == {0, 1, 2}
        and auction.high_bid is None
    )
    bids = next_bids(rules, auction.high_bid)
    if limit >= needed(auction, bids[0], style) or forced:
        steps = [
            row.steps
            for row, fits in zip(rows, look.fits, strict=True)
            if fits and may_jump(auction, told, row)
        ]
        return Call(bids[max(steps, default=1) - 1])
    if rules.pass_with_help != "refuse" and any(
        fits and row.steps == 0 for row, fits in zip(rows, look.fits, strict=True)
    ):
        return PASS_WITH_HELP
    return PASS


def would_call(auction, call, look, told, style, readings, rows):
    """Return whether the seat to call would have made this call."""
    own = decide(auction, look, told, style, readings, rows)
    if call.bid is None:
        if own.bid is not None:
            return False
        help_is_agreed = any(row.steps == 0 for row in rows)
        return own == call or not help_is_agreed
    if own.bid is None:
        return False
    if auction.is_jump(call) and meaning_of_jump(auction, call.bid, told, rows) is None:
        limit = look.limit + readings[told[partner_of(auction.seat_to_call - 1)]]
        return limit >= needed(auction, call.bid, style)
    return own == call


@dataclass
class Plan:
    """What our seat does: this call, then the next bid up to a ceiling; None bids by the rule."""

    call: Call | None = None
    ceiling: int = 0
    over_partner: bool = False


class State:
    """An auction and what each seat has told in it."""

    def __init__(self, auction, told=(NOTHING,) * 4):
        self.auction, self.told = auction, list(told)

    def call(self, call, rows):
        """Return the state after a call; rows by side."""
        seat = self.auction.seat_to_call - 1
        told = list(self.told)
        told[seat] = told_by(self.auction, call, self.told, rows[seat % 2])
        return State(self.auction.call(call), told)


def planned(auction, plan):
    """Return our call after the first of a plan."""
    above = next_bids(auction.rules, auction.high_bid)[0]
    ours = holder(auction) == partner_of(auction.seat_to_call - 1)
    if above <= plan.ceiling and (plan.over_partner or not ours):
        return Call(above)
    return PASS


def bid_out(state, plan, looks, styles, readings, rows, habits=(None, None)):
    """Return the auction played to its end, the seat to call being ours.

    Looks go by seat; styles, readings and rows by side. A side with habits, and what situations
    add to them, bids by those.
    """
    our_seat = state.auction.seat_to_call - 1
    ours = 0
    while not state.auction.is_over:
        auction = state.auction
        seat = auction.seat_to_call - 1
        side = seat % 2
        if habits[side] is not None:
            call = call_by_habit(auction, looks[seat].limit, *habits[side])
        elif seat != our_seat or plan.call is None:
            call = decide(
                auction, looks[seat], state.told, styles[side], readings[side], rows[side]
            )
        else:
            call = planned(auction, plan) if ours else plan.call
            ours += 1
        state = state.call(call, rows)
    return state.auction


def drawn_noise(state, turn, place, spread):
    """Return what a player's judgement adds, and a number below 1024 that says who is erratic."""
    word = mix(state ^ (NOISE + 4 * turn + place) % WORD)
    total = sum(word >> 12 * part & 0xFFF for part in range(4))
    # The sum of four numbers below 4096 has a standard deviation of 4096 / sqrt(3).
    return (total - 4 * 4095 // 2) * spread * 1000 // 2364827, word >> 54


def fits_calls(state, calls, our_seat, looks, erratic, styles, readings, rows):
    """Return whether the three hidden hands would have made the calls."""
    for call in calls:
        seat = state.auction.seat_to_call - 1
        side = seat % 2
        if seat != our_seat and not erratic[seat]:
            habits = styles[side], readings[side], rows[side]
            if not would_call(state.auction, call, looks[seat], state.told, *habits):
                return False
        state = state.call(call, rows)
    return True


def bids_by(auction, seat):
    """Return how many bids a seat has made."""
    return sum(
        call.bid is not None and by - 1 == seat
        for call, by in zip(auction.calls, auction.seats, strict=True)
    )


def situation(auction):
    """Return what the seat to call sees: of partner a word, of the opponents two numbers."""
    seat = auction.seat_to_call - 1
    partner, opponents = partner_of(seat), [(seat + 1) % 4, (seat + 3) % 4]
    out = passed(auction)
    if holder(auction) == partner:
        word = "holds"
    elif bids_by(auction, partner):
        word = "went" if partner in out else "bids"
    else:
        word = "passed" if partner in out else "waits"
    return (
        word,
        sum(seat not in out for seat in opponents),
        sum(bids_by(auction, seat) > 0 for seat in opponents),
    )


def by_situation(habits):
    """Return what habits add, by what `situation` returns."""
    words = ("waits", "passed", "went", "bids", "holds")
    return {(words[i // 9], i // 3 % 3, i % 3): add for i, add in enumerate(habits.adds)}


def bids_by_habit(auction, limit, habits, adds):
    """Return whether the seat to call bids the next step; adds go by situation."""
    rules = auction.rules
    seat = auction.seat_to_call - 1
    partner = partner_of(seat)
    out = passed(auction)
    step = next_bids(rules, auction.high_bid)[0]
    nobody_has_bid = auction.high_bid is None
    left_with_it = rules.all_pass == "dealer" and rules.forced_bid == rules.minimum
    if left_with_it and nobody_has_bid and out == {0, 1, 2}:
        return True
    by_partner = bids_by(auction, partner)
    if habits.partner_bids is not None and by_partner >= habits.partner_bids:
        return False
    if by_partner:
        limit = max(limit, habits.partner_floor) + habits.partner_bid_adds
    if nobody_has_bid:
        if habits.third_opens and seat == 2 and out == {0, 1}:
            return True
        if limit < habits.opening:
            return False
    limit += adds.get(situation(auction), 0)
    need = step
    if holder(auction) == partner:
        need += habits.over_partner
        if {(seat + 1) % 4, (seat + 3) % 4} <= out:
            need += habits.partner_alone
    if limit >= need:
        return True
    all_bids = sum(bids_by(auction, seat) for seat in range(4))
    answers = all_bids == 1 and auction.high_bid == rules.minimum and holder(auction) != partner
    return answers and habits.answer is not None and limit >= habits.answer


def call_by_habit(auction, limit, habits, adds):
    """Return the call of the seat to call; adds go by situation."""
    if not bids_by_habit(auction, limit, habits, adds):
        return PASS
    seat = auction.seat_to_call - 1
    bids = next_bids(auction.rules, auction.high_bid)
    if bids_by(auction, seat) + bids_by(auction, partner_of(seat)):
        return Call(bids[0])
    # As high as the house lets it be, up to the first step that reaches the wish.
    reached = [bid for bid in bids if bid >= habits.first_bid]
    return Call(reached[0] if reached else bids[-1])


def bid_at_table(rules, limits, habits, adds):
    """Return a whole auction; limits go by seat, habits and what situations add by side."""
    auction = Auction(rules)
    while not auction.is_over:
        seat = auction.seat_to_call - 1
        side = seat % 2
        auction = auction.call(call_by_habit(auction, limits[seat], habits[side], adds[side]))
    return auction
