"""The auction: calls, legal bids and the state after each call.

Seats are 1 to 4 clockwise from the dealer's left, so seat 4 deals and seat 1 calls first; seats
1 and 3 are partners. Legal bids form a ladder from the minimum, by the step and, above a level,
by another. Amounts are on the x10 scale. Source: cardgames.io and gamerules.com, and pagat.com for
house rules.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from advisor.errors import AuctionError
from advisor.game.rules import Rules
from advisor.game.settings import either, show

SEATS: Final = (1, 2, 3, 4)
DEALER: Final = 4
# Far above what any deal can pay, so only typing errors meet it; it keeps lists of bids finite.
BID_LIMIT: Final = 5000

_PASS_WORDS: Final = frozenset({"p", "pass", "-"})
_HELP_WORDS: Final = frozenset({"ph", "p+h", "help", "pass+help", "passhelp", "passwithhelp"})


@dataclass(frozen=True, slots=True)
class Call:
    """One call: a bid of some points, a pass, or a pass with help.

    Parameters
    ----------
    bid : int or None
        Points bid, None for a pass of either kind.
    with_help : bool
        Whether a pass tells partner that the hand holds help.
    jump : bool
        Whether the bid skips a step. Set by the auction, and no part of the call's value.

    >>> Call(250), Call(250) == Call(250, jump=True), str(PASS_WITH_HELP)
    (Call(bid=250, with_help=False, jump=False), True, 'pass with help')
    """

    bid: int | None = None
    with_help: bool = False
    jump: bool = field(default=False, compare=False)

    @property
    def is_pass(self) -> bool:
        """Whether the caller is out of the auction after this call."""
        return self.bid is None

    @classmethod
    def parse(cls, text: str, scale: int = 10) -> Call:
        """Return the call that a player writes.

        Parameters
        ----------
        text : str
            A number, ``P`` or ``PASS``, ``PH`` or ``HELP``; case and spaces do not matter.
        scale : int
            Scale of the number, 10 or 1 (25 on scale 1 is 250).

        Raises
        ------
        AuctionError
            If the text is none of these.

        >>> Call.parse("260").bid, Call.parse("26", scale=1).bid, str(Call.parse("ph"))
        (260, 260, 'pass with help')
        >>> Call.parse("double")
        Traceback (most recent call last):
        ...
        advisor.errors.AuctionError: expected a bid, P or PH (pass with help), found 'double'
        """
        word = re.sub(r"[\s_-]", "", text).lower() or text.strip()
        if word in _PASS_WORDS:
            return PASS
        if word in _HELP_WORDS:
            return PASS_WITH_HELP
        if re.fullmatch(r"[0-9]{1,18}", text.strip()):
            return cls(int(text) * 10 // scale)
        raise AuctionError(f"expected a bid, P or PH (pass with help), found {show(text)}")

    def text(self, scale: int = 10) -> str:
        """Return the call in words, a bid on the scale given.

        >>> Call(260).text(scale=1)
        '26'
        """
        if self.bid is None:
            return "pass with help" if self.with_help else "pass"
        return str(self.bid * scale // 10)

    def __str__(self) -> str:
        return self.text()


PASS: Final = Call()
PASS_WITH_HELP: Final = Call(with_help=True)


def round_down_to_legal(rules: Rules, amount: int) -> int | None:
    """Return the highest legal bid that is not above an amount, or None if there is none.

    >>> round_down_to_legal(Rules(), 287), round_down_to_legal(Rules(), 249)
    (280, None)
    >>> round_down_to_legal(Rules(step_change_at=600, step_above=50), 690)
    650
    """
    amount = min(amount, BID_LIMIT)
    if amount < rules.minimum:
        return None
    level, step = rules.minimum, rules.step
    if rules.step_change_at is not None and amount >= rules.step_change_at:
        level, step = rules.step_change_at, rules.step_above or step
    return level + (amount - level) // step * step


def bid_ladder(rules: Rules, top: int) -> list[int]:
    """Return every legal bid from the minimum to `top`, in rising order, none above `BID_LIMIT`.

    >>> bid_ladder(Rules(step_change_at=270, step_above=50), 400)
    [250, 260, 270, 320, 370]
    """
    ladder = _whole_ladder(rules)
    return list(ladder[: bisect_right(ladder, top)])


@lru_cache(maxsize=64)
def _whole_ladder(rules: Rules) -> tuple[int, ...]:
    ladder = []
    amount = rules.minimum
    while amount <= BID_LIMIT:
        ladder.append(amount)
        amount = _step_up(rules, amount)
    return tuple(ladder)


def most_steps(rules: Rules, *, opening: bool) -> int | None:
    """Return how many steps a bid may rise at once, None for any number.

    An opening at the minimum is one step: the step below counts as the bid before the first. So an
    opening above the minimum is a jump, and where jumps are not allowed there is none.

    >>> most_steps(Rules(), opening=True), most_steps(Rules(jumps="none"), opening=True)
    (2, 1)
    """
    raising = {"none": 1, "double": 2, "any": None}[rules.jumps]
    if not opening or rules.jumps == "none":
        return raising
    return {"minimum": 1, "step": 2, "any": None}[rules.opening]


def next_bids(rules: Rules, standing: int | None, cap: int = BID_LIMIT) -> tuple[int, ...]:
    """Return the bids that may follow a standing bid, or open the auction.

    Parameters
    ----------
    rules : Rules
        The house rules.
    standing : int or None
        The highest bid so far in points, None if there is none.
    cap : int
        Leave out bids above this one.

    Returns
    -------
    tuple of int
        In rising order. The second and later ones are jumps: an opening of 260 is one because
        240 counts as the bid before the first.

    Raises
    ------
    AuctionError
        If `standing` is no legal bid.

    >>> next_bids(Rules(), None), next_bids(Rules(), 290), next_bids(Rules(jumps="none"), 290)
    ((250, 260), (300, 310), (300,))
    """
    if standing is None:
        first = rules.minimum
    else:
        if round_down_to_legal(rules, standing) != standing:
            raise AuctionError(
                f"standing bid: expected {_bids_text(rules, rules.minimum)}, found {standing}"
            )
        first = _step_up(rules, standing)
    number = most_steps(rules, opening=standing is None)
    cap = min(cap, BID_LIMIT)
    bids: list[int] = []
    while first <= cap and (number is None or len(bids) < number):
        bids.append(first)
        first = _step_up(rules, first)
    return tuple(bids)


def _step_up(rules: Rules, amount: int) -> int:
    above = rules.step_change_at is not None and amount >= rules.step_change_at
    return amount + (rules.step_above or rules.step if above else rules.step)


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction after some calls. It never changes; `call` returns the next state.

    Parameters
    ----------
    rules : Rules
        The house rules.
    calls : tuple of Call
        All calls in turn; a seat that has passed is skipped.

    Attributes
    ----------
    seats : tuple of int
        The seat of each call.
    high_bid, high_seat : int or None
        The standing bid in points and who made it.
    seat_to_call : int or None
        Whose turn it is, None once the auction is over.

    Raises
    ------
    AuctionError
        If a call is not legal: the line names its number and seat, and what was expected.

    >>> auction = Auction.parse(Rules(), "P 250 270 P PH")
    >>> auction.is_over, auction.declarer, auction.contract, auction.seats
    (True, 3, 270, (1, 2, 3, 4, 2))
    >>> Auction(Rules()).call(Call(280))
    Traceback (most recent call last):
    ...
    advisor.errors.AuctionError: call 1, seat 1: expected pass, pass with help, 250 or 260 (jump), \
found 280
    """

    rules: Rules
    calls: tuple[Call, ...] = ()
    seats: tuple[int, ...] = field(init=False, compare=False)
    high_bid: int | None = field(init=False, compare=False)
    high_seat: int | None = field(init=False, compare=False)
    seat_to_call: int | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        marked: list[Call] = []
        seats: list[int] = []
        high_bid = high_seat = None
        seat: int | None = 1
        waiting = list(SEATS)
        for call in self.calls:
            bids = next_bids(self.rules, high_bid)
            if seat is None or not _may_call(self.rules, bids, call):
                where = f"call {len(marked) + 1}" + (f", seat {seat}" if seat else "")
                expected = _expected(self.rules, bids) if seat else "no call, the auction is over"
                found = call.text(self.rules.scale)
                raise AuctionError(f"{where}: expected {expected}, found {found}")
            marked.append(Call(call.bid, call.with_help, jump=call.bid in bids[1:]))
            seats.append(seat)
            turn = waiting.index(seat)
            if call.bid is None:
                waiting.pop(turn)
            else:
                high_bid, high_seat = call.bid, seat
                turn += 1
            over = not waiting or (len(waiting) == 1 and high_bid is not None)
            seat = None if over else waiting[turn % len(waiting)]
        # A frozen dataclass has no other way to keep what it works out once.
        for name, value in (
            ("calls", tuple(marked)),
            ("seats", tuple(seats)),
            ("high_bid", high_bid),
            ("high_seat", high_seat),
            ("seat_to_call", seat),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def parse(cls, rules: Rules, calls: str | Iterable[str]) -> Auction:
        """Return the auction of calls as players write them, on the scale of the rules.

        Parameters
        ----------
        rules : Rules
            The house rules.
        calls : str or iterable of str
            One call each, or a text of calls parted by spaces or commas.

        Raises
        ------
        AuctionError
            If a call cannot be read or is not legal; the line names its number.

        >>> Auction.parse(Rules(), "250,P").high_seat
        1
        """
        if isinstance(calls, str):
            one_word = re.sub(r"(?i)pass[\s+]+with[\s+]+help", "PH", calls)
            calls = re.split(r"[\s,;]+", one_word.strip(" \t\r\n,;"))
        read = []
        for number, word in enumerate(calls, start=1):
            try:
                read += [Call.parse(word, rules.scale)] if word else []
            except AuctionError as error:
                raise AuctionError(f"call {number}: {error}") from None
        return cls(rules, tuple(read))

    @property
    def is_over(self) -> bool:
        """Whether no further call is possible."""
        return self.seat_to_call is None

    @property
    def declarer(self) -> int | None:
        """Seat that won the contract; None while the auction runs, and when all pass to redeal."""
        if not self.is_over:
            return None
        if self.high_seat is not None:
            return self.high_seat
        return DEALER if self.rules.all_pass == "dealer" else None

    @property
    def contract(self) -> int | None:
        """Points the declarer's side must make, None where there is no declarer."""
        if self.declarer is None:
            return None
        return self.rules.forced_bid if self.high_bid is None else self.high_bid

    def legal_calls(self, cap: int = BID_LIMIT) -> tuple[Call, ...]:
        """Return the calls of the seat whose turn it is, jumps marked; none once it is over.

        Parameters
        ----------
        cap : int
            Leave out bids above this one, where any jump is allowed.

        >>> [str(call) for call in Auction(Rules(pass_with_help="refuse")).legal_calls()]
        ['pass', '250', '260']
        """
        if self.is_over:
            return ()
        bids = next_bids(self.rules, self.high_bid, cap)
        return (*_passes(self.rules), *(Call(bid, jump=bid != bids[0]) for bid in bids))

    def is_jump(self, call: Call) -> bool:
        """Return whether a call would be a jump if it were made now.

        >>> auction = Auction.parse(Rules(), "250")
        >>> auction.is_jump(Call(260)), auction.is_jump(Call(270))
        (False, True)
        """
        return call.bid is not None and call.bid in next_bids(self.rules, self.high_bid)[1:]

    def call(self, call: Call) -> Auction:
        """Return the auction after one more call.

        Raises
        ------
        AuctionError
            If the call is not legal now.

        >>> Auction(Rules()).call(PASS).seat_to_call
        2
        """
        return Auction(self.rules, (*self.calls, call))


def calls_text(auction: Auction, scale: int = 10) -> str:
    """Return the calls as `Auction.parse` reads them.

    >>> calls_text(Auction.parse(Rules(), "pass 250 help"))
    'P 250 PH'
    """
    words = [
        ("PH" if call.with_help else "P") if call.bid is None else call.text(scale)
        for call in auction.calls
    ]
    return " ".join(words)


def _may_call(rules: Rules, bids: tuple[int, ...], call: Call) -> bool:
    if call.bid is not None:
        return call.bid in bids and not call.with_help
    return not call.with_help or rules.pass_with_help != "refuse"


def _passes(rules: Rules) -> tuple[Call, ...]:
    return (PASS,) if rules.pass_with_help == "refuse" else (PASS, PASS_WITH_HELP)


def _expected(rules: Rules, bids: tuple[int, ...]) -> str:
    if len(bids) > 2:
        ways = [_bids_text(rules, bids[0])]
    else:
        ways = [Call(bid).text(rules.scale) for bid in bids]
        if len(ways) == 2:
            ways[1] += " (jump)"
    return either([*_passes(rules), *ways])


def _bids_text(rules: Rules, lowest: int) -> str:
    def shown(points: int | None) -> int:
        return (points or 0) * rules.scale // 10

    change = rules.step_change_at
    if change is not None and lowest >= change:
        return f"a bid from {shown(lowest)} in steps of {shown(rules.step_above)}"
    text = f"a bid from {shown(lowest)} in steps of {shown(rules.step)}"
    if change is not None:
        text += f" (of {shown(rules.step_above)} above {shown(change)})"
    return text
