"""Whose turn it is in an auction, from what a player says of it: seat, dealer, calls so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from advisor.errors import AuctionError, OptionError
from advisor.game.auction import DEALER, SEATS, Auction, Call, next_bids
from advisor.game.conventions import Convention
from advisor.game.meanings import Meaning
from advisor.game.rules import Rules
from advisor.game.settings import either, show

Relation: TypeAlias = Literal["you", "left", "partner", "right"]

# Seats run clockwise, so the next one sits on the left.
_RELATIONS: Final[tuple[Relation, ...]] = ("you", "left", "partner", "right")
# Seat 4 deals.
_SEAT_BY_DEALER: Final = {"me": 4, "left": 3, "partner": 2, "right": 1}


@dataclass(frozen=True, slots=True)
class Position:
    """An auction that still runs, and the seat that is to call.

    >>> read_position(Rules(), None, None, "P 250").seat
    3
    """

    auction: Auction
    seat: int


def relation(seat: int, our_seat: int) -> Relation:
    """Return where a seat sits as seen from ours.

    >>> [relation(seat, 3) for seat in (1, 2, 3, 4)]
    ['partner', 'right', 'you', 'left']
    """
    return _RELATIONS[(seat - our_seat) % 4]


def meanings_of(convention: Convention, auction: Auction, call: Call) -> tuple[Meaning, ...]:
    """Return what a call by the seat whose turn it is may show, by its side's convention.

    A jump shows something only as the first bid of a seat whose partner has not passed.

    >>> from advisor.game.conventions import load_convention
    >>> dos = load_convention("dos")
    >>> auction = Auction.parse(Rules(jumps="any"), "250 P")
    >>> [meaning.at_least for meaning in meanings_of(dos, auction, Call(280))]
    [100]
    """
    if call.bid is None:
        shown = convention.pass_with_help
        return (shown,) if call.with_help and shown is not None else ()
    seat = auction.seat_to_call
    assert seat is not None
    partner = (seat + 1) % 4 + 1
    made = list(zip(auction.calls, auction.seats, strict=True))
    has_bid = any(by == seat and not old.is_pass for old, by in made)
    is_alone = any(by == partner and old.is_pass for old, by in made)
    if has_bid or is_alone:
        return ()
    holds = {
        "any": True,
        "opening": auction.high_bid is None,
        "after-partner": any(by == partner for _, by in made),
    }
    steps = next_bids(auction.rules, auction.high_bid).index(call.bid) + 1
    return tuple(m for m in convention.jumps if m.steps == steps > 1 and holds[m.when])


def seat_of_dealer(text: str) -> int:
    """Return our seat, given who deals.

    Parameters
    ----------
    text : str
        ``me``, ``left``, ``partner`` or ``right``, in any case, or the beginning of one.

    Raises
    ------
    OptionError
        If it is none of these.

    >>> seat_of_dealer("me"), seat_of_dealer("Left"), seat_of_dealer("p"), seat_of_dealer("R")
    (4, 3, 2, 1)
    """
    word = text.strip().lower() if isinstance(text, str) else ""
    seats = [seat for name, seat in _SEAT_BY_DEALER.items() if word and name.startswith(word)]
    if len(seats) != 1:
        raise OptionError(f"dealer: expected {either(_SEAT_BY_DEALER)}, found {show(text)}")
    return seats[0]


def read_position(
    rules: Rules, seat: int | None, dealer: str | None, calls: str | None
) -> Position:
    """Return the position that a player describes.

    Parameters
    ----------
    rules : Rules
        The house rules.
    seat : int or None
        The player's own seat, 1 to 4 from the dealer's left; None if it follows from the rest.
    dealer : str or None
        Who deals, as seen by the player (see `seat_of_dealer`).
    calls : str or None
        All calls so far, in turn.

    Returns
    -------
    Position
        The player's seat is the one whose turn it is.

    Raises
    ------
    AuctionError
        If a call is not legal, or the auction is over.
    OptionError
        If seat and dealer contradict each other, or it is not that seat's turn.

    >>> read_position(Rules(), 3, None, None)
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: seat: expected calls of seats 1 and 2 before seat 3 calls, \
found none; give them with --auction, such as "P P"
    """
    name, ours = _our_seat(seat, dealer)
    if calls is not None and not isinstance(calls, str):
        raise AuctionError(f'auction: expected a text such as "250 P", found {show(calls)}')
    auction = Auction.parse(rules, calls or "")
    turn = auction.seat_to_call
    if turn is None:
        raise AuctionError(f"auction: expected one that still runs, found {_ending(auction)}")
    if ours is not None and ours != turn:
        raise OptionError(f"{name}: {_not_our_turn(auction, name, ours, turn)}")
    return Position(auction, turn)


def _our_seat(seat: int | None, dealer: str | None) -> tuple[str, int | None]:
    """Return our seat if it is given, and the name of the option that gives it."""
    if seat is not None and (type(seat) is not int or seat not in SEATS):
        raise OptionError(f"seat: expected {either(SEATS)}, found {show(seat)}")
    if dealer is None:
        return "seat", seat
    from_dealer = seat_of_dealer(dealer)
    if seat is not None and seat != from_dealer:
        raise OptionError(
            f"dealer: expected {_dealer_of(seat)}, as the player is seat {seat}, "
            f"found {show(dealer)}"
        )
    return "dealer", from_dealer


def _ending(auction: Auction) -> str:
    if auction.declarer is None:
        return "four passes, after which the cards are dealt again"
    points = (auction.contract or 0) * auction.rules.scale // 10
    if auction.high_seat is None:
        return f"four passes: seat {DEALER}, the dealer, declares at {points}"
    return f"its end: seat {auction.declarer} declares at {points}"


def _not_our_turn(auction: Auction, name: str, ours: int, turn: int) -> str:
    """Return what was expected and found where another seat is to call."""
    if not auction.calls:
        *others, last = [str(seat) for seat in SEATS if seat < ours]
        seats = f"seats {', '.join(others)} and {last}" if others else f"seat {last}"
        passes = " ".join(["P"] * (ours - 1))
        return (
            f"expected calls of {seats} before seat {ours} calls, found none; "
            f'give them with --auction, such as "{passes}"'
        )
    expected, found = f"seat {turn}", f"seat {ours}"
    if name == "dealer":
        expected, found = (f"{_dealer_of(seat)} (seat {seat})" for seat in (turn, ours))
    passed = any(
        call.is_pass and seat == ours
        for call, seat in zip(auction.calls, auction.seats, strict=True)
    )
    out = ", which has passed" if passed else ""
    return f"expected {expected}, whose turn it is after {_made(auction)}, found {found}{out}"


def _dealer_of(seat: int) -> str:
    return next(name for name, ours in _SEAT_BY_DEALER.items() if ours == seat)


def _made(auction: Auction) -> str:
    """Return the calls as a player types them, only the last of many."""
    scale = auction.rules.scale
    words = [
        ("PH" if call.with_help else "P") if call.is_pass else call.text(scale)
        for call in auction.calls
    ]
    return " ".join(words if len(words) <= 8 else ["...", *words[-8:]])
