"""The bidding kernels against the slow reading of the same rule in naive_bidding.py."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import DECK, packed, unpacked
from naive_bidding import (
    BID,
    HELP,
    NOTHING,
    Look,
    Plan,
    State,
    bid_out,
    decide,
    drawn_noise,
    fits_calls,
    look_at,
    may_jump,
    rows_of,
    would_call,
)

from advisor import Hand
from advisor.bidding import (
    STANDARD_STYLE,
    BiddingStyle,
    auction_array,
    bidding_array,
    calls_array,
    kind_and_amount,
    meaning_array,
    random_hands,
    readings,
)
from advisor.game.auction import PASS, PASS_WITH_HELP, Auction, Call, next_bids
from advisor.game.conventions import Convention, Meaning, load_convention
from advisor.game.meanings import QUANTITIES, quantity
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import bidding as kernel
from advisor.kernels import positions, signals
from advisor.playing import deal_packed, rule_array
from advisor.valuation import feature_names, valuation_weights

RULES = [
    Rules(),
    PRESETS["pagat"],
    PRESETS["neuralplay"],
    Rules(all_pass="redeal", minimum=300),
    Rules(jumps="none", opening="minimum", pass_with_help="refuse"),
    Rules(jumps="none", opening="any"),
    Rules(minimum=400, forced_bid=400),
    Rules(minimum=400, forced_bid=250, jumps="any"),
    Rules(opening="any", step_change_at=300, step_above=50, jumps="any"),
    Rules(opening="minimum", jumps="any", step=20, run_extras=True, roundhouse_bonus=100),
]
MANY = Convention(
    "many",
    jumps=(
        Meaning(2, "legs", at_least=1, when="opening"),
        Meaning(2, "aces", at_least=4, when="after-partner"),
        Meaning(3, "value", at_least=300, at_most=340),
        Meaning(3, "value", at_least=360),
        Meaning(5, "ace-suits", at_most=1, when="after-partner"),
        Meaning(4, "helping-cards", at_least=5, when="opening"),
    ),
    pass_with_help=Meaning(0, "missing-suits", at_most=0),
)
CONVENTIONS = [
    *map(load_convention, ("none", "meld-jump:60", "dailey", "aces-jump:3", "dos", "club")),
    load_convention("angelfire"),
    MANY,
    Convention("help", pass_with_help=Meaning(0, "runs", at_least=1)),
]
EDGES = ["AATTKKQQJJ99.-.-.-", "A.A.A.AATTKKQQJ", "QQJ.QJ.QJJ.QKTT", "99.99.99.99AATT"]
WEIGHTS = {
    model: dict(zip(feature_names(), valuation_weights(model).tolist(), strict=True))
    for model in ("p50", "p25")
}


@pytest.mark.parametrize("rules", [Rules(), RULES[-1]], ids=["cardgames", "extras"])
@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: convention.name)
def test_hands_show_what_they_hold(rules, convention):
    words = [*random_hands(60, 5).tolist(), *(Hand.parse(text).packed for text in EDGES)]
    other = CONVENTIONS[2]
    meanings = meaning_array((convention, other), rules)
    found = np.zeros((len(words), signals.N_FOUND), dtype=np.int64)
    hands = np.array(words, dtype=np.uint64)
    weights = valuation_weights("p25")
    signals.look_at_hands(hands, rule_array(rules), meanings, weights, found)
    for word, numbers in zip(words, found.tolist(), strict=True):
        for side, agreed in enumerate((convention, other)):
            rows = rows_of(agreed, rules)
            look = look_at(unpacked(word), rules, WEIGHTS["p25"], rows)
            assert numbers[:2] == [look.limit, look.trump]
            assert numbers[2 + side] == bits(look.fits)


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_is_counted(name):
    """Ranges one wide, so that the amount itself is compared."""
    words = random_hands(300, 21)
    most = {"meld": 150, "value": 420}.get(name, QUANTITIES[name].most)
    start = {"meld": 80, "value": 280}.get(name, 0)
    step = 10 if name in ("meld", "value") else 1
    amounts = range(start, most + 1, step)
    for low in range(0, len(amounts), 8):
        jumps = tuple(
            Meaning(2, name, at_least=amount, at_most=amount + step - 1 if step > 1 else amount)
            for amount in amounts[low : low + 8]
        )
        convention = Convention("one by one", jumps=jumps)
        meanings = meaning_array((convention, convention), Rules())
        found = np.zeros((len(words), signals.N_FOUND), dtype=np.int64)
        weights = valuation_weights("p50")
        signals.look_at_hands(words, rule_array(Rules()), meanings, weights, found)
        rows = rows_of(convention, Rules())
        for word, marks in zip(words.tolist(), found[:, 2].tolist(), strict=True):
            look = look_at(unpacked(word), Rules(), WEIGHTS["p50"], rows)
            assert marks == bits(look.fits)


def bits(fits):
    return sum(1 << number for number, fit in enumerate(fits) if fit)


@dataclass
class Table:
    """Rules, and the habits of both sides, as the oracle and as the kernels take them."""

    rules: Rules
    styles: tuple[BiddingStyle, BiddingStyle]
    conventions: tuple[Convention, Convention]
    read: list[list[int]]

    def __post_init__(self):
        self.rows = [rows_of(convention, self.rules) for convention in self.conventions]
        self.readings = [
            {NOTHING: told[0], HELP: told[1], BID: told[2], **dict(enumerate(told[3:]))}
            for told in self.read
        ]
        self.auction = auction_array(self.rules)
        self.meanings = meaning_array(self.conventions, self.rules)
        self.bidding = bidding_array(self.styles, self.conventions, self.rules)
        for side, told in enumerate(self.read):
            self.bidding[side, kernel.BID_READINGS :] = told

    def state(self, calls):
        state = State(Auction(self.rules))
        for call in calls:
            state = state.call(call, self.rows)
        return state

    def habits(self, side):
        return self.styles[side], self.readings[side], self.rows[side]


STYLES = st.builds(
    BiddingStyle,
    offset=st.sampled_from([0, 0, -40, 30]),
    noise=st.sampled_from([0, 15, 60]),
    erratic=st.sampled_from([0.0, 0.02, 0.3]),
    over_partner=st.sampled_from([0, 20, 50]),
    partner_alone=st.sampled_from([0, 40]),
    third_seat=st.sampled_from([0, 30, 200]),
)
READINGS = st.one_of(
    st.just([0] * (kernel.TOLD_JUMP + kernel.MOST_MEANINGS)),
    st.lists(st.integers(-60, 90), min_size=11, max_size=11),
)
TABLES = st.builds(
    Table,
    st.sampled_from(RULES),
    st.tuples(STYLES, STYLES),
    st.tuples(st.sampled_from(CONVENTIONS), st.sampled_from(CONVENTIONS)),
    st.lists(READINGS, min_size=2, max_size=2),
)


def any_call(draw, auction):
    """Return a legal call: some pass, most bids the next."""
    bids = next_bids(auction.rules, auction.high_bid)
    passes = [PASS] if auction.rules.pass_with_help == "refuse" else [PASS, PASS_WITH_HELP]
    choice = draw(st.integers(0, 9))
    if choice < 4:
        return passes[draw(st.integers(0, len(passes) - 1))]
    steps = 0 if choice < 7 else draw(st.integers(0, 5))
    return Call(bids[min(steps, len(bids) - 1)])


def some_calls(draw, table, most):
    """Return calls that leave a seat to call, and the state they lead to."""
    state = table.state(())
    for _ in range(draw(st.integers(0, most))):
        later = state.call(any_call(draw, state.auction), table.rows)
        if later.auction.is_over:
            break
        state = later
    return state


def some_look(draw, table, side):
    limit = draw(st.one_of(st.integers(150, 480), st.integers(24, 45).map(lambda x: 10 * x)))
    fits = [draw(st.booleans()) for _ in table.rows[side]]
    return Look(limit, draw(st.integers(0, 3)), fits)


def numbers_of(state):
    """Return the position as the kernels' helpers take it: high, holder, passed."""
    auction = state.auction
    out = sum(
        1 << (seat - 1)
        for seat, call in zip(auction.seats, auction.calls, strict=True)
        if call.bid is None
    )
    return auction.high_bid or 0, (auction.high_seat or 0) - 1, out


def told_array(state):
    words = {NOTHING: kernel.TOLD_NOTHING, HELP: kernel.TOLD_HELP, BID: kernel.TOLD_BID}
    return np.array(
        [words[told] if isinstance(told, str) else kernel.TOLD_JUMP + told for told in state.told],
        dtype=np.int64,
    )


@settings(deadline=None, max_examples=250)
@given(TABLES, st.data())
def test_one_call(table, data):
    """What a seat calls, which jumps it may make, what a call tells, and who would make it."""
    state = some_calls(data.draw, table, 9)
    auction = state.auction
    seat = auction.seat_to_call - 1
    side = seat % 2
    look = some_look(data.draw, table, side)
    high, holder, out = numbers_of(state)
    told = told_array(state)
    meanings, marks = table.meanings[side], bits(look.fits)
    expected = decide(auction, look, state.told, *table.habits(side))
    found = kernel.decide(
        seat, look.limit, marks, high, holder, out, told, table.auction, table.bidding[side],
        meanings,
    )  # fmt: skip
    assert found == kind_and_amount(expected)
    for number, row in enumerate(table.rows[side]):
        jump = kernel.may_jump(number, seat, high, out, told, table.auction, meanings)
        assert jump == may_jump(auction, state.told, row)
    for call in (expected, any_call(data.draw, auction)):
        kind, amount = kind_and_amount(call)
        later = told_array(state.call(call, table.rows))
        tells = kernel.told_by(seat, kind, amount, high, out, told, table.auction, meanings)
        assert tells == later[seat]
        least, above = kernel.limits_of_callers(
            seat, kind, amount, marks, high, holder, out, told, table.auction,
            table.bidding[side], meanings,
        )  # fmt: skip
        assert (least <= look.limit < above) == would_call(
            auction, call, look, state.told, *table.habits(side)
        )
    assert would_call(auction, expected, look, state.told, *table.habits(side))


def bid_out_by_kernel(table, state, plans, looks):
    """Return declarer's seat and contract by plan, -1 where there is none; looks by seat."""
    our_seat = state.auction.seat_to_call - 1
    rows = np.array(
        [
            (kernel.BY_RULE, 0, 0, 0)
            if plan.call is None
            else (*kind_and_amount(plan.call), plan.ceiling, plan.over_partner)
            for plan in plans
        ],
        dtype=np.int64,
    )
    seats = np.zeros((1, 4, 3), dtype=np.int64)
    for seat, look in enumerate(looks):
        seats[0, (seat - our_seat) % 4] = look.limit, look.trump, bits(look.fits)
    declarers = np.zeros((1, len(plans)), dtype=np.int8)
    contracts = np.zeros((1, len(plans)), dtype=np.int16)
    kernel.bid_out(
        our_seat, calls_array(state.auction), rows, seats, table.auction, table.bidding,
        table.meanings, declarers, contracts,
    )  # fmt: skip
    return [
        (-1, None) if place < 0 else ((place + our_seat) % 4, contract)
        for place, contract in zip(declarers[0].tolist(), contracts[0].tolist(), strict=True)
    ]


@settings(deadline=None, max_examples=250)
@given(TABLES, st.data())
def test_the_rest_of_an_auction(table, data):
    state = some_calls(data.draw, table, 7)
    looks = [some_look(data.draw, table, seat % 2) for seat in range(4)]
    plans = [Plan()] + [
        Plan(
            any_call(data.draw, state.auction),
            10 * data.draw(st.integers(20, 45)),
            data.draw(st.booleans()),
        )
        for _ in range(3)
    ]
    found = bid_out_by_kernel(table, state, plans, looks)
    for plan, result in zip(plans, found, strict=True):
        # Every call of the oracle has been through Auction, which refuses what is not legal.
        ended = bid_out(state, plan, looks, table.styles, table.readings, table.rows)
        assert ended.is_over
        if ended.declarer is None:
            assert result == (-1, None)
        else:
            assert result == (ended.declarer - 1, ended.contract)


@settings(deadline=None, max_examples=120)
@given(TABLES, st.data())
def test_a_whole_auction_call_by_call(table, data):
    looks = [some_look(data.draw, table, seat % 2) for seat in range(4)]
    seats = np.array([[[look.limit, look.trump, bits(look.fits)] for look in looks]])
    calls, lengths = np.zeros((1, 80, 3), dtype=np.int64), np.zeros(1, dtype=np.int64)
    kernel.trace_auctions(
        seats, table.auction, table.bidding, table.meanings, calls, lengths
    )  # fmt: skip
    ended = bid_out(table.state(()), Plan(), looks, table.styles, table.readings, table.rows)
    assert lengths[0] == len(ended.calls)
    assert calls[0, : min(80, lengths[0])].tolist() == calls_array(ended)[:80].tolist()


@pytest.mark.parametrize("name", QUANTITIES)
def test_amounts_are_counted(name):
    words = np.array(
        [*random_hands(80, 8).tolist(), *(Hand.parse(text).packed for text in EDGES)],
        dtype=np.uint64,
    )
    found = np.zeros(len(words), dtype=np.int64)
    signals.quantities(
        words, list(QUANTITIES).index(name), rule_array(Rules()), valuation_weights("p50"), found
    )
    for word, amount in zip(words.tolist(), found.tolist(), strict=True):
        if name == "value":
            look = look_at(unpacked(word), Rules(), WEIGHTS["p50"], [])
            assert amount == look.limit
        else:
            assert amount == quantity(Hand.from_packed(word), name, Rules())


def test_a_dealer_who_has_the_hand_anyway_bids_it():
    table = Table(Rules(), (STANDARD_STYLE,) * 2, (CONVENTIONS[0],) * 2, [[0] * 11] * 2)
    weak = [Look(100, 0, [])] * 4
    for calls in ((), (PASS,), (PASS, PASS), (PASS, PASS, PASS)):
        state = table.state(calls)
        assert bid_out_by_kernel(table, state, [Plan()], weak) == [(3, 250)]
    redeal = replace_rules(table, Rules(all_pass="redeal"))
    assert bid_out_by_kernel(redeal, redeal.state(()), [Plan()], weak) == [(-1, None)]
    cheap = replace_rules(table, Rules(forced_bid=200))
    assert bid_out_by_kernel(cheap, cheap.state(()), [Plan()], weak) == [(3, 200)]


def test_the_third_seat_opens_lighter_against_a_forced_dealer():
    light = replace(STANDARD_STYLE, third_seat=60)
    table = Table(Rules(), (light,) * 2, (CONVENTIONS[0],) * 2, [[0] * 11] * 2)
    looks = [Look(limit, 0, []) for limit in (200, 200, 195, 400)]
    # It bids at 195 and the dealer, who cannot know, goes one higher.
    assert bid_out_by_kernel(table, table.state(()), [Plan()], looks) == [(3, 260)]
    looks[3] = Look(255, 0, [])
    assert bid_out_by_kernel(table, table.state(()), [Plan()], looks) == [(2, 250)]
    looks[2] = Look(189, 0, [])
    assert bid_out_by_kernel(table, table.state(()), [Plan()], looks) == [(3, 250)]


def replace_rules(table, rules):
    return Table(rules, table.styles, table.conventions, table.read)


def kept_deals(table, hand, calls, our_seat, samples, infer=True, seed=3, first=0, ignored=0):
    """Return deals, states, turns and seats that the kernel keeps."""
    size = 3 * samples
    deals = np.zeros((size, 4), dtype=np.uint64)
    states, turns = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint64)
    seats = np.zeros((size, 4, 3), dtype=np.int64)
    kept = positions.deal_positions(
        np.uint64(packed(hand)), np.uint64(seed), first, samples, our_seat,
        calls_array(Auction(table.rules, tuple(calls))), infer, ignored, rule_array(table.rules),
        table.auction, table.bidding, table.meanings, valuation_weights("p50"), deals, states,
        turns, seats,
    )  # fmt: skip
    return deals[:kept], states[:kept], turns[:kept], seats[:kept]


def expected_deals(table, hand, calls, our_seat, samples, infer=True, seed=3, first=0, ignored=0):
    """Return the same by the oracle, from the deals that `simulate` would play."""
    deals = deal_packed(packed(hand), samples=samples, first=first, seed=seed)
    kept = []
    for row in range(len(deals)):
        looks, erratic = [None] * 4, [False] * 4
        state, turn = int(deals.states[row]), int(deals.turns[row])
        for place in range(4):
            seat = (our_seat + place) % 4
            side = seat % 2
            style = table.styles[side]
            cards = unpacked(deals.hands[row, place])
            look = look_at(cards, table.rules, WEIGHTS["p50"], table.rows[side])
            draw, number = drawn_noise(state, turn, place, style.noise)
            look.limit += draw + style.offset
            looks[seat], erratic[seat] = look, number < round(1024 * style.erratic)
            # What does not count fits whatever the hand.
            erratic[seat] = erratic[seat] or bool(ignored >> seat & 1)
        if not infer or fits_calls(
            table.state(()), calls, our_seat, looks, erratic, table.styles, table.readings,
            table.rows,
        ):  # fmt: skip
            seats = []
            for place in range(4):
                seat = (our_seat + place) % 4
                look = looks[seat]
                # By the rule, were all others erratic.
                by_rule = not infer or fits_calls(
                    table.state(()), calls, our_seat, looks, [other != seat for other in range(4)],
                    table.styles, table.readings, table.rows,
                )  # fmt: skip
                by_rule = by_rule and (place == 0 or not infer or not ignored >> seat & 1)
                marks = bits(look.fits) + (positions.EXPLAINED if by_rule else 0)
                seats.append([look.limit, look.trump, marks])
            kept.append(([int(word) for word in deals.hands[row]], state, turn, seats))
    return kept


def assert_same_deals(*arguments, **options):
    found = kept_deals(*arguments, **options)
    expected = expected_deals(*arguments, **options)
    assert [list(part) for part in zip(*(part.tolist() for part in found), strict=True)] == [
        list(part) for part in expected
    ]
    return len(expected)


@settings(deadline=None, max_examples=60)
@given(TABLES, st.permutations(DECK), st.data(), st.integers(0, 50))
def test_deals_that_fit_any_calls(table, deck, data, first):
    state = some_calls(data.draw, table, 6)
    our_seat = data.draw(st.integers(0, 3))
    calls = state.auction.calls
    ignored = data.draw(st.sampled_from([0, 0, 1, 6, 15]))
    assert_same_deals(table, deck[:12], calls, our_seat, 4, first=first, ignored=ignored)


@settings(deadline=None, max_examples=60)
@given(TABLES, st.permutations(DECK), st.data(), st.integers(0, 50))
def test_deals_that_fit_calls_by_the_rule(table, deck, data, first):
    """Calls that one of the deals makes, so that some are kept."""
    our_seat = data.draw(st.integers(0, 3))
    _, _, _, seats = kept_deals(table, deck[:12], (), our_seat, 4, infer=False, first=first)
    looks = [
        Look(
            int(limit),
            int(trump),
            [bool(int(marks) >> i & 1) for i in range(len(table.rows[(our_seat + place) % 2]))],
        )
        for place, (limit, trump, marks) in enumerate(seats[data.draw(st.integers(0, 11))])
    ]
    state = table.state(())
    for _ in range(data.draw(st.integers(0, 8))):
        seat = state.auction.seat_to_call - 1
        look = looks[(seat - our_seat) % 4]
        later = state.call(
            decide(state.auction, look, state.told, *table.habits(seat % 2)), table.rows
        )
        if later.auction.is_over:
            break
        state = later
    kept = assert_same_deals(table, deck[:12], state.auction.calls, our_seat, 4, first=first)
    assert kept > 0


HAND = list(Hand.parse("AATKQJ.AK.QJ.T9").cards)


def quiet_table(**changes):
    style = replace(STANDARD_STYLE, **{"noise": 0, "erratic": 0.0, **changes})
    return Table(Rules(), (style, style), (CONVENTIONS[0],) * 2, [[0] * 11] * 2)


def test_without_inference_or_with_erratic_players_every_deal_is_kept():
    calls = [PASS, Call(260), PASS]
    dealt = deal_packed(packed(HAND), samples=30, seed=3)
    for table, infer in ((quiet_table(), False), (quiet_table(erratic=1.0), True)):
        deals, states, turns, _ = kept_deals(table, HAND, calls, 3, 30, infer=infer)
        assert (deals == dealt.hands).all()
        assert (states == dealt.states).all()
        assert (turns == dealt.turns).all()


def test_no_deal_fits_an_impossible_call():
    bid = quiet_table(offset=-1000)
    assert len(kept_deals(bid, HAND, [Call(250)], 1, 200)[0]) == 0
    keen = quiet_table(offset=1000)
    assert len(kept_deals(keen, HAND, [PASS], 1, 200)[0]) == 0
    # Our own calls say nothing of the others' cards.
    assert len(kept_deals(keen, HAND, [PASS], 0, 200)[0]) == 600


def test_a_seat_that_has_jumped_may_jump_again():
    """A second jump has no meaning, so it asks for a limit and no more."""
    aces = load_convention("aces-jump:1")
    table = Table(Rules(), (replace(STANDARD_STYLE, noise=0, erratic=0.0),) * 2, (aces,) * 2,
                  [[0] * 11] * 2)  # fmt: skip
    calls = [Call(260), Call(280), PASS, PASS, Call(300)]
    assert assert_same_deals(table, HAND, calls, 1, 100) > 0


def test_judgement_is_drawn_around_nothing():
    table = quiet_table(noise=40)
    _, _, _, loud = kept_deals(table, HAND, (), 0, 4000, infer=False)
    _, _, _, quiet = kept_deals(quiet_table(), HAND, (), 0, 4000, infer=False)
    draws = loud[:, :, 0] - quiet[:, :, 0]
    assert np.abs(draws.mean(axis=0)).max() < 2
    assert np.abs(draws.std(axis=0) - 40).max() < 1
    assert np.abs(np.corrcoef(draws.T) - np.eye(4)).max() < 0.05


def test_readings_are_what_such_hands_add():
    """Hands that show aces help partner more; a pass with help that anyone has tells nothing."""
    told = readings(load_convention("aces-jump:3"), Rules())
    assert told[kernel.TOLD_JUMP] > 10
    assert told[: kernel.TOLD_JUMP] == (0, 0, 0)
    anyone = Convention("anyone", pass_with_help=Meaning(0, "aces", at_least=0))
    assert readings(anyone, Rules())[kernel.TOLD_HELP] == 0
    assert set(readings(load_convention("none"), Rules())) == {0}
