"""The auctions of a league against the slow reading of the same habits, and its games."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_bidding import (
    NOTHING,
    Look,
    Plan,
    State,
    bid_at_table,
    bid_out,
    by_situation,
    rows_of,
    situation,
)

from advisor.bidding import STANDARD_STYLE, auction_array, bidding_array, meaning_array, readings
from advisor.game.auction import PASS, Auction, Call
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.rules import PRESETS, Rules
from advisor.game.scoring import winner
from advisor.kernels import league as kernel
from advisor.kernels import tables
from advisor.rules_of_bidding.rule import NEVER, Habits

HOUSES = [
    Rules(),
    PRESETS["pagat"],
    PRESETS["neuralplay"],
    Rules(all_pass="redeal", minimum=300),
    Rules(jumps="none", opening="minimum"),
    Rules(jumps="none"),
    Rules(minimum=400, forced_bid=250, jumps="any"),
    Rules(opening="any", step_change_at=300, step_above=50, jumps="any"),
    Rules(opening="any", jumps="any", step=20),
]
MOST_CALLS = 400

amounts = st.sampled_from([0, 240, 250, 255, 260, 290, 300, 310, 350, 400, 520])
moves = st.sampled_from([-60, -20, 0, 20, 45])
habits_drawn = st.builds(
    Habits,
    opening=st.sampled_from([0, 260, 320]),
    third_opens=st.booleans(),
    answer=st.sampled_from([None, 200, 260]),
    partner_floor=st.sampled_from([0, 330]),
    partner_bids=st.sampled_from([None, 1, 2]),
    partner_bid_adds=moves,
    over_partner=moves,
    partner_alone=st.sampled_from([0, 40, NEVER]),
    first_bid=st.sampled_from([0, 255, 300, 500]),
    adds=st.lists(moves, min_size=kernel.N_SITUATIONS, max_size=kernel.N_SITUATIONS).map(tuple),
)
LIMITS = st.lists(amounts, min_size=4, max_size=4)


def run(house, limits, habits):
    wide = np.array([[[limit, 0] for limit in limits]], dtype=np.int64)
    declarers, contracts, lengths = np.zeros((3, 1), dtype=np.int64)
    calls = np.zeros((1, MOST_CALLS, 3), dtype=np.int64)
    kernel.bid_at_tables(
        wide,
        np.stack([item.as_array() for item in habits]),
        auction_array(house),
        declarers,
        contracts,
        calls,
        lengths,
    )
    return int(declarers[0]), int(contracts[0]), calls[0, : lengths[0]].tolist()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(HOUSES), LIMITS, habits_drawn, habits_drawn)
def test_auctions_are_those_of_the_slow_reading(house, limits, one, two):
    slow = bid_at_table(house, limits, (one, two), (by_situation(one), by_situation(two)))
    declarer, contract, calls = run(house, limits, (one, two))
    expected = [
        [seat - 1, 0 if call.bid is None else 2, call.bid or 0]
        for seat, call in zip(slow.seats, slow.calls, strict=True)
    ]
    assert calls == expected
    assert declarer == (-1 if slow.declarer is None else slow.declarer - 1)
    assert contract == (slow.contract or 0)


conventions_drawn = st.sampled_from([CONVENTIONS[name] for name in ("none", "dailey", "lebor")])


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(HOUSES),
    LIMITS,
    st.lists(st.integers(0, 255), min_size=4, max_size=4),
    st.tuples(conventions_drawn, conventions_drawn),
    st.tuples(st.none() | habits_drawn, st.none() | habits_drawn),
)
def test_a_side_by_habit_meets_one_by_a_convention(house, limits, marks, conventions, habits):
    seats = np.array([[[limit, 0, mark] for limit, mark in zip(limits, marks, strict=True)]])
    styles = (STANDARD_STYLE, STANDARD_STYLE)
    ends = np.zeros((1, tables.N_END), dtype=np.int64)
    tables.bid_tables(
        seats,
        auction_array(house),
        bidding_array(styles, conventions, house),
        meaning_array(conventions, house),
        np.array([own is not None for own in habits]),
        np.stack([(own or Habits()).as_array() for own in habits]),
        ends,
    )
    rows = [rows_of(convention, house) for convention in conventions]
    looks = [
        Look(limit, 0, [bool(mark >> i & 1) for i in range(len(rows[seat % 2]))])
        for seat, (limit, mark) in enumerate(zip(limits, marks, strict=True))
    ]
    heard = []
    for convention in conventions:
        told = readings(convention, house)
        heard.append(dict(zip((NOTHING, "help", "bid"), told, strict=False)))
        heard[-1] |= dict(enumerate(told[3:]))
    slow = bid_out(
        State(Auction(house)),
        Plan(),
        looks,
        styles,
        heard,
        rows,
        [None if own is None else (own, by_situation(own)) for own in habits],
    )
    if slow.declarer is None:
        assert ends[0, :2].tolist() == [-1, 0]
    else:
        assert ends[0, :2].tolist() == [slow.declarer - 1, slow.contract]


def test_a_kernel_that_is_asked_for_no_calls_writes_none():
    limits = [300] * 4
    habits = np.stack([Habits().as_array()] * 2)
    wide = np.array([[[limit, 0] for limit in limits]], dtype=np.int64)
    declarers, contracts, lengths = np.zeros((3, 1), dtype=np.int64)
    kernel.bid_at_tables(
        wide, habits, auction_array(Rules()), declarers, contracts, np.zeros((1, 0, 3), np.int64),
        lengths,
    )  # fmt: skip
    assert lengths[0] == len(run(Rules(), limits, (Habits(), Habits()))[2])


def test_situations_are_told_apart():
    auction = Auction(Rules()).call(Call(250)).call(PASS).call(Call(260)).call(Call(270))
    assert situation(auction) == ("bids", 1, 1)
    bids = np.array([1, 0, 1, 1], dtype=np.int64)
    number = kernel.situation_of.py_func(0, 3, 0b10, bids)
    assert (
        by_situation(Habits(adds=tuple(range(kernel.N_SITUATIONS))))[situation(auction)] == number
    )


def slow_games(records, house):
    """Return how many games the first rule won in each finished pair of games."""
    found, running = [], [[0, 0, None], [0, 0, None]]
    for i, deal in enumerate(records):
        for game, state in enumerate(running):
            a, b, declared, _, _ = deal[(i + game) % 2]
            if state[2] is None and declared:
                state[0] += a
                state[1] += b
                state[2] = winner(house, (state[0], state[1]), declared - 1)
        if all(state[2] is not None for state in running):
            found.append(sum(state[2] == 0 for state in running))
            running = [[0, 0, None], [0, 0, None]]
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["bidder", "highest"]), st.integers(0, 200))
def test_games_are_those_of_the_scoring(seed, tie_rule, cut):
    rng = np.random.default_rng(seed)
    records = np.zeros((200, 2, kernel.N_RECORD), dtype=np.int16)
    records[:, :, :2] = 50 * rng.integers(-8, 14, (200, 2, 2))
    records[:, :, kernel.RECORD_DECLARED] = rng.integers(0, 3, (200, 2))
    house = Rules(tie_rule=tie_rule)
    expected = slow_games(records.tolist(), house)
    running = np.zeros((2, kernel.N_GAME), dtype=np.int64)
    counts = np.zeros(3, dtype=np.int64)
    highest = tie_rule == "highest"
    for first, part in ((0, records[:cut]), (cut, records[cut:])):
        kernel.play_games(part, first, house.target, highest, running, counts)
    assert counts.tolist() == [len(expected), sum(expected), sum(x * x for x in expected)]
