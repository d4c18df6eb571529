"""Whose turn it is, from seat, dealer and calls as a player gives them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import AdvisorError, AuctionError, OptionError
from advisor.game.auction import PASS, PASS_WITH_HELP, Auction, Call
from advisor.game.position import read_position, relation, seat_of_dealer
from advisor.game.rules import PRESETS, Rules

DEALER_BY_SEAT = {4: "me", 3: "left", 2: "partner", 1: "right"}


@st.composite
def auctions(draw):
    auction = Auction(draw(st.sampled_from(list(PRESETS.values()))))
    for _ in range(draw(st.integers(0, 12))):
        calls = auction.legal_calls(cap=500)
        if not calls:
            break
        auction = auction.call(draw(st.sampled_from(calls)))
    return auction


def words(auction):
    short = {PASS: "p", PASS_WITH_HELP: "PH"}
    return " ".join(short.get(call) or call.text(auction.rules.scale) for call in auction.calls)


def error_of(*args):
    with pytest.raises(AdvisorError) as caught:
        read_position(*args)
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 300
    return text


@given(auctions(), st.booleans(), st.booleans())
@settings(deadline=None)
def test_every_way_to_say_it(auction, say_seat, say_dealer):
    turn = auction.seat_to_call
    rules, calls = auction.rules, words(auction)
    if turn is None:
        for seat in (None, 1, 4):
            assert error_of(rules, seat, None, calls).startswith("auction: expected one that still")
        return
    dealer = DEALER_BY_SEAT[turn]
    position = read_position(
        rules, turn if say_seat else None, dealer if say_dealer else None, calls or None
    )
    assert (position.auction, position.seat) == (auction, turn)
    for seat in {1, 2, 3, 4} - {turn}:
        for given_seat, given_dealer in ((seat, None), (None, DEALER_BY_SEAT[seat])):
            with pytest.raises(OptionError):
                read_position(rules, given_seat, given_dealer, calls)


@given(st.integers(1, 4), st.integers(1, 4))
def test_relations(seat, ours):
    assert (relation(seat, ours) == "you") == (seat == ours)
    assert (relation(seat, ours) == "partner") == (seat != ours and seat % 2 == ours % 2)
    assert (relation(seat, ours) == "left") == (relation(ours, seat) == "right")
    assert relation(ours % 4 + 1, ours) == "left"


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_the_dealer_is_seat_4(seat):
    name = relation(4, seat).replace("you", "me")
    assert seat_of_dealer(name) == seat
    assert seat_of_dealer(f" {name[0].upper()}") == seat


@pytest.mark.parametrize("text", ["", " ", "you", "mee", "leftt", "4", "r l"])
def test_what_is_no_dealer(text):
    message = f"dealer: expected me, left, partner or right, found {text!r}"
    assert error_of(Rules(), None, text, None) == message


def test_nothing_given_is_the_first_call():
    position = read_position(Rules(), None, None, None)
    assert (position.seat, position.auction.calls) == (1, ())
    assert read_position(Rules(), 1, "right", "  ") == position


@pytest.mark.parametrize(
    ("seat", "dealer", "calls", "message"),
    [
        (
            2,
            None,
            None,
            "seat: expected calls of seat 1 before seat 2 calls, found none; give them with "
            '--auction, such as "P"',
        ),
        (
            3,
            None,
            "",
            "seat: expected calls of seats 1 and 2 before seat 3 calls, found none; give them "
            'with --auction, such as "P P"',
        ),
        (
            None,
            "me",
            None,
            "dealer: expected calls of seats 1, 2 and 3 before seat 4 calls, found none; give "
            'them with --auction, such as "P P P"',
        ),
        (3, None, "250", "seat: expected seat 2, whose turn it is after 250, found seat 3"),
        (
            1,
            None,
            "P 250 ph",
            "seat: expected seat 4, whose turn it is after P 250 PH, found seat 1, which has "
            "passed",
        ),
        (
            None,
            "l",
            "P 250 270",
            "dealer: expected me (seat 4), whose turn it is after P 250 270, found left (seat 3)",
        ),
        (
            2,
            None,
            "250 260 270 280 290 300 310 320 330 340",
            "seat: expected seat 3, whose turn it is after ... 270 280 290 300 310 320 330 340, "
            "found seat 2",
        ),
        (3, "right", "P P", "dealer: expected left, as the player is seat 3, found 'right'"),
        (5, None, None, "seat: expected 1, 2, 3 or 4, found 5"),
        (True, None, None, "seat: expected 1, 2, 3 or 4, found true"),
        (
            None,
            None,
            "250 P P 270 P",
            "auction: expected one that still runs, found its end: seat 4 declares at 270",
        ),
        (
            2,
            None,
            "P P P P",
            "auction: expected one that still runs, found four passes: seat 4, the dealer, "
            "declares at 250",
        ),
        (None, None, "250 P P P P", "call 5: expected no call, the auction is over, found pass"),
        (
            None,
            None,
            "280",
            "call 1, seat 1: expected pass, pass with help, 250 or 260 (jump), found 280",
        ),
        (None, None, "P what", "call 2: expected a bid, P or PH (pass with help), found 'what'"),
    ],
)
def test_errors(seat, dealer, calls, message):
    assert error_of(Rules(), seat, dealer, calls) == message


def test_errors_under_other_rules():
    assert error_of(Rules(all_pass="redeal"), None, None, "P P P P") == (
        "auction: expected one that still runs, found four passes, after which the cards are "
        "dealt again"
    )
    assert "declares at 26" in error_of(Rules(scale=1), None, None, "25 P 26 P P")
    assert error_of(Rules(pass_with_help="refuse"), None, None, "PH") == (
        "call 1, seat 1: expected pass, 250 or 260 (jump), found pass with help"
    )
    with pytest.raises(AuctionError):
        read_position(Rules(jumps="none"), None, None, "250 270")


def test_a_passed_seat_is_skipped():
    assert read_position(Rules(), None, "left", "P 250 260 P 270").seat == 3
    assert read_position(Rules(), 3, None, "P 250 260 P 270").auction.high_bid == 270
    assert read_position(Rules(), 2, None, "P 250 260 P").auction.calls[1] == Call(250)
