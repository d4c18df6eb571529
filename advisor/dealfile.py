"""Open deals in text: four hands one after another, or JSON Lines with one deal a line.

A line is ``{"hands": [four hands], "trump": "S", "leader": 0}``; hands in any notation, seats
0..3. Nothing here imports numpy.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from advisor.errors import AdvisorError, HandError, OptionError, unreadable
from advisor.game.cards import COPIES, N_CARD_TYPES, Card, Hand, Suit, card_name
from advisor.game.notation import parse_hand, parse_trump
from advisor.game.settings import show
from advisor.limits import check_whole

SEATS: Final = 4
MAX_LINE: Final = 10_000
_KEYS: Final = ("hands", "trump", "leader")


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """Four open hands in seat order, the trump suit and the seat that leads."""

    hands: tuple[Hand, ...]
    trump: Suit
    leader: int


@dataclass(frozen=True, slots=True)
class BadDeal:
    """A line that is no deal, with the line's number and what is wrong."""

    line: int
    message: str


def check_deal(hands: Iterable[Hand], played: Iterable[Card] = ()) -> None:
    """Raise `HandError` unless four hands and the cards on the table can be of one deal.

    >>> check_deal([Hand.parse("A.-.-.-")] * 4)
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: 4x AS in the four hands: a pinochle deck has 2 of each
    """
    hands, played = list(hands), list(played)
    if len(hands) != SEATS:
        raise HandError(f"expected {SEATS} hands, found {len(hands)}")
    if len(played) >= SEATS:
        raise HandError(f"expected at most {SEATS - 1} cards on the table, found {len(played)}")
    counts = [0] * N_CARD_TYPES
    for card in [*played, *(card for hand in hands for card in hand)]:
        counts[card] += 1
    for card, count in enumerate(counts):
        if count > COPIES:
            raise HandError(
                f"{count}x {card_name(card)} in the four hands: a pinochle deck has {COPIES} of "
                "each"
            )


def check_sizes(hands: Iterable[Hand], leader: int = 0, n_played: int = 0) -> None:
    """Raise `HandError` unless hands have one size, but for seats that played to the trick.

    The hand that is named is the odd one out.

    >>> check_sizes([Hand.parse("A.-.-.-")] * 3 + [Hand.parse("AT.-.-.-")])
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: hand 4 has 2 cards, expected 1: AT.-.-.-
    """
    hands = list(hands)
    played = [(seat - leader) % SEATS < n_played for seat in range(SEATS)]
    sizes = [len(hand) + gone for hand, gone in zip(hands, played, strict=True)]
    usual = max(sizes, key=lambda size: (sizes.count(size), size))
    for seat, hand in enumerate(hands):
        expected = usual - played[seat]
        if len(hand) != expected:
            noun = "card" if len(hand) == 1 else "cards"
            raise HandError(f"hand {seat + 1} has {len(hand)} {noun}, expected {expected}: {hand}")


def read_deal(texts: list[str], trump: str | None, leader: object) -> OpenDeal:
    """Return the deal of four hands as text.

    Raises
    ------
    HandError, OptionError
        Naming the hand, card or setting that is wrong.

    >>> read_deal(["A.-.-.-", "T.-.-.-", "K.-.-.-", "Q.-.-.-"], "S", 1).leader
    1
    """
    if len(texts) != SEATS:
        raise HandError(f"expected {SEATS} hands, found {len(texts)}")
    hands = []
    for number, text in enumerate(texts, start=1):
        try:
            hands.append(parse_hand(text, None))
        except HandError as error:
            raise HandError(f"hand {number}: {error}") from None
    if trump is None:
        raise OptionError("trump: expected S, H, D or C, found none")
    suit = parse_trump(trump)
    seat = check_whole("leader", leader, 0, SEATS - 1)
    check_deal(hands)
    check_sizes(hands)
    return OpenDeal(tuple(hands), suit, seat)


def _hands_wanted(found: object) -> str:
    """Return what is wrong with the hands of a line."""
    if not isinstance(found, list):
        return f"hands: expected a list of four texts, found {show(found)}"
    number, wrong = next(
        (number, hand) for number, hand in enumerate(found, 1) if not isinstance(hand, str)
    )
    return f"hand {number}: expected text, found {show(wrong)}"


def read_line(text: str) -> OpenDeal:
    """Return the deal of one JSON line.

    Raises
    ------
    AdvisorError
        If the line is no object of the form above.

    >>> read_line('{"hands": ["A.-.-.-", "T.-.-.-"], "trump": "S"}')
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: expected 4 hands, found 2
    """
    if len(text) > MAX_LINE:
        raise HandError(f"expected a line of at most {MAX_LINE:,} characters, found a longer one")
    text = text.rstrip("\r\n")
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise HandError(f"expected a JSON object, found {show(text)}: broken{where}") from None
    if not isinstance(value, dict):
        raise HandError(f"expected a JSON object, found {show(value)}")
    for key in value:
        # Passed over as unknown keys are, a "Leader" would leave the lead to seat 0.
        if key not in _KEYS and key.lower() in _KEYS:
            raise OptionError(f"{key}: expected the key in small letters, {key.lower()}")
    hands, trump = value.get("hands"), value.get("trump")
    if not isinstance(hands, list) or not all(isinstance(hand, str) for hand in hands):
        raise HandError(_hands_wanted(hands))
    if trump is not None and not isinstance(trump, str):
        raise OptionError(f"trump: expected S, H, D or C, found {show(trump)}")
    return read_deal(hands, trump, value.get("leader", 0))


def bounded_lines(file: TextIO) -> Iterator[str]:
    r"""Yield the lines of a file, each cut where it is too long, so that none fills the memory.

    >>> import io
    >>> [len(line) for line in bounded_lines(io.StringIO("a" * 50_000 + "\nb"))]
    [10001, 1]
    """
    while line := file.readline(MAX_LINE + 1):
        rest = line
        while not rest.endswith("\n") and len(rest) > MAX_LINE:
            rest = file.readline(MAX_LINE + 1)
        yield line


def file_lines(path: str) -> Iterator[str]:
    """Yield the lines of a file as `bounded_lines` does.

    Raises
    ------
    HandError
        If it cannot be read.

    >>> next(file_lines("no-such-file"))
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: no-such-file: cannot read the file: No such file or directory
    """
    try:
        # Some editors begin a file with a byte-order mark.
        with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
            yield from bounded_lines(file)
    except OSError as error:
        raise HandError(unreadable(path, error)) from None


def read_deals(lines: Iterable[str]) -> Iterator[tuple[int, OpenDeal | BadDeal]]:
    """Yield line number and deal, or what is wrong with the line; empty lines are passed over.

    >>> [bad] = read_deals(["", "{"])
    >>> bad[0], bad[1].line
    (2, 2)
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, read_line(line)
        except AdvisorError as error:
            yield number, BadDeal(number, str(error))
