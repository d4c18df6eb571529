import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import AuctionError
from advisor.game.auction import (
    BID_LIMIT,
    PASS,
    PASS_WITH_HELP,
    Auction,
    Call,
    bid_ladder,
    most_steps,
    next_bids,
    round_down_to_legal,
)
from advisor.game.rules import PRESETS, Rules

DEFAULT = Rules()
FIFTIES = Rules(step_change_at=600, step_above=50)

auction_rules = st.builds(
    Rules,
    jumps=st.sampled_from(["double", "any", "none"]),
    opening=st.sampled_from(["step", "minimum", "any"]),
    pass_with_help=st.sampled_from(["accept", "refuse"]),
    all_pass=st.sampled_from(["dealer", "redeal"]),
    step=st.sampled_from([10, 20, 50]),
    step_change_at=st.just(350),
    step_above=st.sampled_from([10, 50, 100]),
)


def error_of(make, *args):
    with pytest.raises(AuctionError) as caught:
        make(*args)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def bids(calls):
    return [call.bid for call in calls if not call.is_pass]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("250", Call(250)),
        (" 260 ", Call(260)),
        ("P", PASS),
        ("pass", PASS),
        ("-", PASS),
        ("PH", PASS_WITH_HELP),
        ("help", PASS_WITH_HELP),
        ("Pass with help", PASS_WITH_HELP),
        ("pass-with-help", PASS_WITH_HELP),
    ],
)
def test_parse_call(text, call):
    assert Call.parse(text) == call
    assert Call.parse(str(call)) == call


def test_a_bid_with_help_is_no_call():
    assert "expected pass" in error_of(Auction(DEFAULT).call, Call(250, with_help=True))


@pytest.mark.parametrize("text", ["", " ", "double", "250.5", "-250", "2 5 0", "٢٥٠", "9" * 5000])
def test_calls_that_cannot_be_read(text):
    message = error_of(Call.parse, text)
    assert message.startswith("expected a bid, P or PH (pass with help), found '")
    assert len(message) < 120


def test_calls_on_the_small_scale():
    assert Call.parse("25", scale=1) == Call(250)
    assert Call(260).text(scale=1) == "26"
    rules = PRESETS["neuralplay"]
    auction = Auction.parse(rules, "25 27")
    assert auction.high_bid == 270
    assert error_of(auction.call, Call(270)) == (
        "call 3, seat 3: expected pass, 28 or 29 (jump), found 27"
    )


def test_opening_calls():
    assert bids(Auction(DEFAULT).legal_calls()) == [250, 260]
    assert bids(Auction(Rules(opening="minimum")).legal_calls()) == [250]
    assert bids(Auction(Rules(opening="any")).legal_calls(cap=290)) == [250, 260, 270, 280, 290]
    assert [call.jump for call in Auction(DEFAULT).legal_calls()] == [False, False, False, True]
    assert Auction(DEFAULT).legal_calls()[:2] == (PASS, PASS_WITH_HELP)
    assert PASS_WITH_HELP not in Auction(Rules(pass_with_help="refuse")).legal_calls()


@pytest.mark.parametrize("opening", ["step", "minimum", "any"])
def test_without_jumps_the_minimum_is_the_only_opening(opening):
    rules = Rules(jumps="none", opening=opening)
    assert bids(Auction(rules).legal_calls()) == [250]
    assert most_steps(rules, opening=True) == most_steps(rules, opening=False) == 1
    assert error_of(Auction(rules).call, Call(260)) == (
        "call 1, seat 1: expected pass, pass with help or 250, found 260"
    )


def test_raises():
    assert next_bids(DEFAULT, 300) == (310, 320)
    assert next_bids(Rules(jumps="none"), 300) == (310,)
    assert next_bids(Rules(jumps="any"), 300, cap=340) == (310, 320, 330, 340)
    assert next_bids(DEFAULT, 300, cap=300) == ()
    # Steps of 50 from 600: the raise after 590 is 600, and the jump is the next legal bid.
    assert next_bids(FIFTIES, 580) == (590, 600)
    assert next_bids(FIFTIES, 590) == (600, 650)
    assert next_bids(FIFTIES, 650) == (700, 750)
    assert error_of(next_bids, DEFAULT, 255) == (
        "standing bid: expected a bid from 250 in steps of 10, found 255"
    )
    assert error_of(next_bids, FIFTIES, 610) == (
        "standing bid: expected a bid from 250 in steps of 10 (of 50 above 600), found 610"
    )


def test_ladder():
    assert bid_ladder(DEFAULT, 289) == [250, 260, 270, 280]
    assert bid_ladder(DEFAULT, 249) == []
    assert bid_ladder(FIFTIES, 710)[-4:] == [590, 600, 650, 700]
    assert round_down_to_legal(DEFAULT, 249) is None
    assert round_down_to_legal(DEFAULT, 10**9) == bid_ladder(DEFAULT, 10**9)[-1] == BID_LIMIT
    assert round_down_to_legal(FIFTIES, 649) == 600
    assert round_down_to_legal(Rules(step=20), 289) == 270


@given(auction_rules, st.integers(0, 1500))
def test_rounding_down_is_the_top_of_the_ladder(rules, amount):
    ladder = bid_ladder(rules, amount)
    assert round_down_to_legal(rules, amount) == (ladder[-1] if ladder else None)
    assert ladder == sorted(set(ladder))
    if len(ladder) > 1:
        assert next_bids(rules, ladder[-2])[0] == ladder[-1]


def test_a_whole_auction():
    auction = Auction(DEFAULT)
    for seat, text in ((1, "P"), (2, "250"), (3, "270"), (4, "PH"), (2, "280"), (3, "P")):
        assert not auction.is_over
        assert auction.seat_to_call == seat
        assert auction.declarer is auction.contract is None
        auction = auction.call(Call.parse(text))
    assert auction.is_over
    assert auction.seat_to_call is None
    assert (auction.declarer, auction.contract) == (2, 280)
    assert (auction.high_seat, auction.high_bid) == (2, 280)
    assert auction.seats == (1, 2, 3, 4, 2, 3)
    assert [call.jump for call in auction.calls] == [False, False, True, False, False, False]
    assert auction.legal_calls() == ()
    assert error_of(auction.call, PASS) == (
        "call 7: expected no call, the auction is over, found pass"
    )


def test_all_pass():
    forced = Auction.parse(Rules(minimum=260), "P P P P")
    assert (forced.declarer, forced.contract, forced.high_bid) == (4, 250, None)
    redeal = Auction.parse(Rules(all_pass="redeal"), "P P PH P")
    assert redeal.is_over
    assert (redeal.declarer, redeal.contract) == (None, None)


def test_the_dealer_may_bid_after_three_passes():
    auction = Auction.parse(DEFAULT, "P P P")
    assert auction.seat_to_call == 4
    assert not auction.is_over
    auction = auction.call(Call(260))
    assert auction.is_over
    assert (auction.declarer, auction.contract) == (4, 260)
    assert auction.calls[-1].jump


def test_the_first_seat_wins_when_the_others_pass():
    auction = Auction.parse(DEFAULT, "250, P, P, P")
    assert (auction.declarer, auction.contract, auction.is_over) == (1, 250, True)


def test_is_jump():
    auction = Auction.parse(DEFAULT, "250")
    assert [auction.is_jump(Call(bid)) for bid in (250, 260, 270, 280)] == [0, 0, 1, 0]
    assert not auction.is_jump(PASS)
    anything = Auction.parse(Rules(jumps="any"), "250")
    assert [anything.is_jump(Call(bid)) for bid in (260, 265, 400)] == [0, 0, 1]


@pytest.mark.parametrize(
    ("rules", "calls", "message"),
    [
        (
            DEFAULT,
            "240",
            "call 1, seat 1: expected pass, pass with help, 250 or 260 (jump), found 240",
        ),
        (
            DEFAULT,
            "P 250 P 250",
            "call 4, seat 4: expected pass, pass with help, 260 or 270 (jump), found 250",
        ),
        (
            DEFAULT,
            "250 280",
            "call 2, seat 2: expected pass, pass with help, 260 or 270 (jump), found 280",
        ),
        (
            Rules(pass_with_help="refuse", jumps="none"),
            "250 PH",
            "call 2, seat 2: expected pass or 260, found pass with help",
        ),
        (
            Rules(jumps="any"),
            "250 265",
            "call 2, seat 2: expected pass, pass with help or a bid from 260 in steps of 10, "
            "found 265",
        ),
        (
            DEFAULT,
            "250 P what",
            "call 3: expected a bid, P or PH (pass with help), found 'what'",
        ),
        (DEFAULT, "P P P P P", "call 5: expected no call, the auction is over, found pass"),
        (
            Rules(opening="any"),
            "999990",
            "call 1, seat 1: expected pass, pass with help or a bid from 250 in steps of 10, "
            "found 999990",
        ),
        (
            FIFTIES.replace(jumps="any", opening="any"),
            "600 610",
            "call 2, seat 2: expected pass, pass with help or a bid from 650 in steps of 50, "
            "found 610",
        ),
    ],
)
def test_illegal_calls(rules, calls, message):
    assert error_of(Auction.parse, rules, calls) == message


def test_parse_auctions():
    assert Auction.parse(DEFAULT, "") == Auction(DEFAULT)
    assert Auction.parse(DEFAULT, " p,250; pass with help ").calls == (
        PASS,
        Call(250),
        PASS_WITH_HELP,
    )
    assert Auction.parse(DEFAULT, ["pass with help", "250"]).high_seat == 2


@given(auction_rules, st.data())
@settings(deadline=None)
def test_every_auction_ends_with_its_last_bidder(rules, data):
    auction = Auction(rules)
    passed = set()
    while not auction.is_over:
        assert auction.seat_to_call not in passed
        call = data.draw(st.sampled_from(auction.legal_calls(cap=500)[:6]))
        if call.is_pass:
            passed.add(auction.seat_to_call)
        before = auction
        auction = auction.call(call)
        assert auction.seats[-1] == before.seat_to_call
        assert auction.calls[-1].jump == before.is_jump(call)
        assert len(before.calls) + 1 == len(auction.calls)
    made = bids(auction.calls)
    assert made == sorted(set(made))
    if made:
        assert passed == {1, 2, 3, 4} - {auction.declarer}
        assert auction.contract == made[-1]
        assert auction.contract == round_down_to_legal(rules, auction.contract)
    else:
        assert passed == {1, 2, 3, 4}
        dealer = (4, rules.forced_bid) if rules.all_pass == "dealer" else (None, None)
        assert (auction.declarer, auction.contract) == dealer
    written = " ".join(str(call) for call in auction.calls)
    assert Auction.parse(rules, written) == auction
    assert hash(Auction(rules, auction.calls)) == hash(auction)
