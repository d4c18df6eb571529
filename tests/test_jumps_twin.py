"""The comparison of jumps against a slow, obvious twin that bids and scores by hand."""

from __future__ import annotations

import numpy as np
import pytest
from naive import unpacked
from naive_bidding import (
    NOTHING,
    Plan,
    State,
    bid_out,
    by_situation,
    drawn_noise,
    look_at,
    rows_of,
)
from naive_deal import table_of

from advisor import Hand, Rules
from advisor.bidding import (
    auction_array,
    bidding_array,
    meaning_array,
    readings,
)
from advisor.game.auction import Auction, Call
from advisor.game.cards import SUITS
from advisor.game.conventions import PRESETS
from advisor.game.meanings import quantity
from advisor.game.rules import PRESETS as RULES
from advisor.game.scoring import score_round
from advisor.jump_rows import SHOWN, read_opponents, threshold_rows
from advisor.jump_tables import COUNTED, Contest, Side, _Block, tally
from advisor.kernels import bidding as kernel
from advisor.kernels import rounds
from advisor.paired import Paired
from advisor.rules_of_bidding.hands import Hands
from advisor.tables import Table
from advisor.valuation import feature_names, valuation_weights

GAMERULES = RULES["gamerules"]
MINE = tuple(Hand.parse(text).packed for text in ("TKQJ9.A.KQ99.TK", "AATKQJ.AK.QJ.T9"))
WEIGHTS = dict(zip(feature_names(), valuation_weights("p50").tolist(), strict=True))


def contest(on="meld", jumps=(60, 100), helps=(), rules=GAMERULES, **settings):
    rows = threshold_rows(on, jumps, helps, rules)
    return Contest(tuple(Side(row.convention) for row in rows), rules, **settings)


def calls_of(block, sides, seats):
    """Return the calls of whole auctions, by the kernel that writes them down."""
    rules = block._contest.rules
    conventions = [side.convention for side in sides]
    calls = np.zeros((len(seats), 90, 3), dtype=np.int64)
    lengths = np.zeros(len(seats), dtype=np.int64)
    styles = [side.style for side in sides]
    kernel.trace_auctions(
        seats, auction_array(rules), bidding_array(styles, conventions, rules),
        meaning_array(conventions, rules), calls, lengths,
    )  # fmt: skip
    assert lengths.max() <= 90
    return [calls[i, : lengths[i]].tolist() for i in range(len(seats))]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("on", SHOWN)
def test_every_auction_is_legal_and_jumps_mean_what_they_show(rules, on):
    helps = () if rules.pass_with_help == "refuse" else SHOWN[on][1][:1]
    asked = contest(on, SHOWN[on][1][:2], helps, rules)
    block = _Block(asked, range(30 if rules.jumps == "any" else 120))
    for side in asked.sides:
        sides = (side, Side(PRESETS["dailey"]))
        seats = block._seats(sides, 0, 0)
        jumps = side.convention.jumps
        ends = block._ends(
            seats,
            bidding_array([x.style for x in sides], [x.convention for x in sides], rules),
            sides,
        )
        for i, calls in enumerate(calls_of(block, sides, seats)):
            auction = Auction(rules)
            for seat, kind, amount in calls:
                call = Call(amount) if kind == kernel.BID else Call(with_help=kind == kernel.HELP)
                first = not any(made == seat + 1 for made in auction.seats)
                hand = Hand.from_packed(int(block.table.hands[i, seat]))
                before = auction
                # Auction refuses what is not legal.
                auction = auction.call(call)
                assert before.seat_to_call == seat + 1
                if seat % 2 or on == "value":
                    continue
                amount = quantity(hand, SHOWN[on][0], rules)
                if auction.calls[-1].jump:
                    assert first
                    assert amount >= jumps[0].low
                elif kind == kernel.HELP:
                    assert amount >= side.convention.pass_with_help.low
                elif kind == kernel.BID and jumps and first:
                    # A hand at the threshold that bids jumps, unless partner is out.
                    out = {s for c, s in zip(before.calls, before.seats, strict=True) if c.is_pass}
                    assert amount < jumps[0].low or (seat + 2) % 4 + 1 in out
            assert auction.is_over
            declarer = -1 if auction.declarer is None else auction.declarer - 1
            assert ends[i, 0] == declarer
            if declarer >= 0:
                assert ends[i, 1] == auction.contract


def expected_tally(asked, count):
    """Return the numbers of one rule, worked out deal by deal with `Auction` and `score_round`."""
    rules = asked.rules
    table = Table.at(range(count), asked.seed, rules, asked.predictor, asked.packed, asked.judged)
    points, counts = [], [[0] * len(COUNTED) for _ in asked.sides]
    for i in range(count):
        line = []
        for number, side in enumerate(asked.sides):
            total = 0
            for ours in range(2):
                sides = [side if seat % 2 == ours else asked.opponents for seat in range(4)]
                turn = ours if asked.held else 0
                later = bool(asked.held) and not asked.first_only and i % 2 == 1
                auction, told, deaf, trumps = bid_by_hand(asked, i, sides, ours, turn, later)
                count_of = counts[number]
                jumped = any(
                    told[seat] not in (NOTHING, "help", "bid") for seat in (ours, ours + 2)
                )
                helped = any(told[seat] == "help" for seat in (ours, ours + 2))
                same = (auction.declarer, auction.contract) == (deaf.declarer, deaf.contract)
                count_of[0] += jumped
                count_of[1] += helped
                count_of[2] += jumped or helped
                count_of[3] += (jumped or helped) and not same
                if auction.declarer is None:
                    continue
                seat = auction.declarer - 1
                place = (seat - turn - 2 * later) % 4
                gained, lost, made = scored_by_hand(
                    table, i, place, trumps[seat], auction.contract, rules
                )
                mine = seat % 2 == ours
                total += gained - lost if mine else lost - gained
                if mine:
                    count_of[4] += 1
                    count_of[5] += auction.contract
                    count_of[6] += made
            line.append(total)
        points.append(line)
    return points, counts


def bid_by_hand(asked, index, sides, ours, turn, later):
    """Return the auction, what seats have told, the auction had partner not read it, trumps."""
    rules = asked.rules
    hands, state = table_of(asked.seed, index, asked.held)
    looks = []
    for seat in range(4):
        place = (seat - turn) % 4
        cards = unpacked(hands[(place - 2 * later) % 4])
        look = look_at(cards, rules, WEIGHTS, rows_of(sides[seat].convention, rules))
        unit = drawn_noise(state, 0, place, 4096)[0] / 4096
        look.limit += sides[seat].style.offset + round(sides[seat].style.noise * unit)
        if sides[seat].rule is not None:
            one = np.array([hands[(place - 2 * later) % 4]], dtype=np.uint64)
            limits, trumps = sides[seat].rule.look(Hands(one, rules, asked.seed))
            look.limit, look.trump = int(limits[0]), int(trumps[0])
        if asked.first_only and seat == ours + 2:
            rows = rows_of(sides[seat].convention, rules)
            look.fits = [fit and row.steps == 0 for fit, row in zip(look.fits, rows, strict=True)]
        looks.append(look)
    rows = [rows_of(sides[side].convention, rules) for side in range(2)]
    heard = [reading_of(sides[side].convention, rules) for side in range(2)]
    styles = [sides[0].style, sides[1].style]
    habits = [
        None if side.rule is None else (side.rule.habits, by_situation(side.rule.habits))
        for side in sides[:2]
    ]
    ended = []
    for read in (heard, [dict.fromkeys(heard[i], 0) if i == ours else heard[i] for i in range(2)]):
        auction = bid_out(State(Auction(rules)), Plan(), looks, styles, read, rows, habits)
        ended.append(auction)
    state = State(Auction(rules))
    for call in ended[0].calls:
        state = state.call(call, rows)
    return ended[0], state.told, ended[1], [look.trump for look in looks]


def reading_of(convention, rules):
    told = readings(convention, rules)
    words = dict(zip((NOTHING, "help", "bid"), told, strict=False))
    return words | dict(enumerate(told[3:]))


def scored_by_hand(table, index, place, trump, contract, rules):
    """Return points of declarer's side and the other's, and whether it was made."""
    declarers = np.full(table.count, -1)
    declarers[index] = place
    outcome = table.outcomes(declarers, np.full(table.count, trump))[index]
    our_meld, their_meld, our_tricks, flags, _ = map(int, outcome)
    result = score_round(
        rules, contract, our_meld, our_tricks, their_meld, rules.trick_total - our_tricks,
        our_trick_count=flags & rounds.FLAG_OUR_TRICK,
        their_trick_count=flags & rounds.FLAG_THEIR_TRICK,
        our_dix_only=bool(flags & rounds.FLAG_OUR_DIX_ONLY),
        their_dix_only=bool(flags & rounds.FLAG_THEIR_DIX_ONLY),
        thrown_in=contract - our_meld > rules.trick_total,
    )  # fmt: skip
    return result.declarers, result.defenders, result.made


@pytest.mark.parametrize("held", [(), MINE], ids=["random", "held"])
@pytest.mark.parametrize("first_only", [False, True], ids=["any", "first"])
@pytest.mark.parametrize("opponents", ["missing-suit", "advisor", "b3", "b8-25"])
def test_a_tally_is_that_of_the_slow_twin(opponents, held, first_only):
    asked = contest(
        "meld", (60,), (40,), Rules(), opponents=Side.of(read_opponents(opponents, Rules())),
        held=held, first_only=first_only, seed=3,
    )  # fmt: skip
    count = 8 if opponents == "b8-25" else 24
    points, counts = expected_tally(asked, count)
    found = tally(asked, range(count))
    assert found.counts == tuple(map(tuple, counts))
    assert found.points == Paired.of(np.array(points))
    assert sum(row[0] for row in counts) > 0


def test_only_the_first_of_two_partners_jumps():
    sides = (Side(PRESETS["meld-jump"]), Side())
    jumpers = {}
    for first in (False, True):
        block = _Block(contest(first_only=first), range(400))
        calls = calls_of(block, sides, block._seats(sides, 0, 0))
        jumpers[first] = set()
        for line in calls:
            auction = Auction(GAMERULES)
            for seat, kind, amount in line:
                call = Call(amount) if kind == kernel.BID else Call(with_help=kind == kernel.HELP)
                auction = auction.call(call)
                if auction.calls[-1].jump:
                    jumpers[first].add(seat)
    assert jumpers == {False: {0, 2}, True: {0}}


def test_our_side_always_holds_one_of_the_hands():
    for first in (False, True):
        block = _Block(contest(held=MINE, first_only=first), range(300))
        mine = np.isin(block.table.hands, np.array(MINE, dtype=np.uint64))
        places = np.argmax(mine, axis=1)
        assert mine.any(axis=1).all()
        assert set(places.tolist()) == ({0} if first else {0, 2})
        used = set(block.table.hands[np.arange(300), places].tolist())
        assert used == set(MINE)


def test_tables_are_those_of_the_slow_twin():
    for held in ((), MINE):
        array = np.array(held, dtype=np.uint64)
        table = Table.at(range(90, 140), 2**63 + 5, held=array)
        for i in range(50):
            hands, state = table_of(2**63 + 5, 90 + i, held)
            assert table.hands[i].tolist() == hands
            assert sorted(card for hand in hands for card in unpacked(hand)) == sorted(
                list(range(24)) * 2
            )
            draws = [drawn_noise(state, 0, seat, 4096)[0] / 4096 for seat in range(4)]
            assert table.draws[i].tolist() == draws


def test_cards_fall_to_every_seat_alike():
    table = Table.at(range(20_000), 4)
    aces = np.uint64(sum(3 << 2 * (6 * suit + 5) for suit in SUITS))
    means = np.bitwise_count(table.hands & aces).mean(axis=0)
    # Eight aces among four; the standard error is below 0.01.
    assert np.abs(means - 2).max() < 0.04
    assert abs(table.draws.std() - 1) < 0.01
