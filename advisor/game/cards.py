"""Cards and hands of the 48-card pinochle deck.

Suits are 0..3 (S H D C); ranks are 0..5 (9 J Q K 10 A), so a larger rank wins. A card type is
``suit * 6 + rank``; there are 24 types and two copies of each. Strength order is data, apart
from the names (source: A 10 K Q J 9, both rules documents).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Final, TypeAlias

from advisor.errors import HandError
from advisor.game.settings import show

Suit: TypeAlias = int
Rank: TypeAlias = int
Card: TypeAlias = int

SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
NINE, JACK, QUEEN, KING, TEN, ACE = range(6)

SUITS: Final = (SPADES, HEARTS, DIAMONDS, CLUBS)
RANKS: Final = (NINE, JACK, QUEEN, KING, TEN, ACE)
RANKS_HIGH_TO_LOW: Final = (ACE, TEN, KING, QUEEN, JACK, NINE)
COUNTERS: Final = (ACE, TEN, KING)
RUN_RANKS: Final = (ACE, TEN, KING, QUEEN, JACK)

SUIT_LETTERS: Final = "SHDC"
RANK_LETTERS: Final = "9JQKTA"
SUIT_SYMBOLS: Final = "♠♥♦♣"
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES: Final = ("nine", "jack", "queen", "king", "ten", "ace")

N_CARD_TYPES: Final = 24
COPIES: Final = 2
DECK_SIZE: Final = 48
HAND_SIZE: Final = 12


def make_card(suit: Suit, rank: Rank) -> Card:
    """Return the card type of a suit and a rank.

    >>> make_card(DIAMONDS, JACK)
    13
    """
    return suit * 6 + rank


def suit_of(card: Card) -> Suit:
    """Return the suit of a card type.

    >>> SUIT_LETTERS[suit_of(13)]
    'D'
    """
    return card // 6


def rank_of(card: Card) -> Rank:
    """Return the rank of a card type.

    >>> RANK_LETTERS[rank_of(13)]
    'J'
    """
    return card % 6


def card_name(card: Card) -> str:
    """Return the two-letter name of a card type, rank first.

    >>> card_name(make_card(SPADES, TEN))
    'TS'
    """
    return RANK_LETTERS[card % 6] + SUIT_LETTERS[card // 6]


def parse_card(name: str) -> Card:
    """Return the card type of a two-letter name; ``10`` is read as ``T``.

    Raises
    ------
    HandError
        If the name is not a card of a pinochle deck.

    >>> parse_card("10S") == parse_card("ts")
    True
    >>> parse_card("8S")
    Traceback (most recent call last):
    ...
    advisor.errors.HandError: '8S' is not a card: expected a rank of A T K Q J 9, a suit of S H D C
    """
    text = name.strip().upper().replace("10", "T")
    if len(text) == 2 and text[0] in RANK_LETTERS and text[1] in SUIT_LETTERS:
        return make_card(SUIT_LETTERS.index(text[1]), RANK_LETTERS.index(text[0]))
    raise HandError(f"{name!r} is not a card: expected a rank of A T K Q J 9, a suit of S H D C")


def _whole(value: object) -> int | None:
    """Return a whole number of any library as an int, and None for what is not one."""
    if type(value) is int:
        return value
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def _listed(what: str, values: Iterable[object]) -> list[object]:
    try:
        return list(values)
    except TypeError:
        raise HandError(f"{what}: expected a list, found {show(values)}") from None


@dataclass(frozen=True, slots=True)
class Hand:
    """A multiset of cards: 12 as dealt, 15 or 16 after the pass, or any other legal number.

    Parameters
    ----------
    counts : tuple of int
        Number of copies, 0 to 2, of each of the 24 card types; any iterable of whole numbers is
        taken, and kept as a tuple.

    Raises
    ------
    HandError
        If there are not 24 counts, or one is not 0, 1 or 2; the message names the card.

    >>> hand = Hand.parse("AATKQJ.AK.QJ.T9")
    >>> len(hand), str(hand), hand.count(SPADES, ACE)
    (12, 'AATKQJ.AK.QJ.T9', 2)
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        given = _listed("counts", self.counts)
        if len(given) != N_CARD_TYPES:
            raise HandError(f"expected {N_CARD_TYPES} counts of cards, found {len(given)}")
        counts = []
        for card, value in enumerate(given):
            count = _whole(value)
            if count is None or count < 0:
                raise HandError(
                    f"count of {card_name(card)}: expected 0, 1 or 2, found {show(value)}"
                )
            if count > COPIES:
                many = f"{count}x " if count < 100 else "too many "
                raise HandError(f"{many}{card_name(card)}: a pinochle deck has {COPIES} of each")
            counts.append(count)
        object.__setattr__(self, "counts", tuple(counts))

    @classmethod
    def from_cards(cls, cards: Iterable[Card]) -> Hand:
        """Return the hand that holds the given card types.

        Raises
        ------
        HandError
            If one is not a whole number from 0 to 23, or there are more than two of one.

        >>> str(Hand.from_cards([5, 5, 0]))
        'AA9.-.-.-'
        >>> Hand.from_cards([24])
        Traceback (most recent call last):
        ...
        advisor.errors.HandError: card: expected a whole number from 0 to 23, found 24
        """
        counts = [0] * N_CARD_TYPES
        for value in _listed("cards", cards):
            card = _whole(value)
            if card is None or not 0 <= card < N_CARD_TYPES:
                found = show(value if card is None else card)
                raise HandError(
                    f"card: expected a whole number from 0 to {N_CARD_TYPES - 1}, found {found}"
                )
            counts[card] += 1
        return cls(tuple(counts))

    @classmethod
    def from_packed(cls, packed: int) -> Hand:
        """Return the hand of a packed 48-bit word (see `packed`).

        Raises
        ------
        HandError
            If it is not a whole number of 48 bits, or has 10 for a card.

        >>> Hand.from_packed(Hand.parse("A.-.-.99").packed) == Hand.parse("A.-.-.99")
        True
        """
        word = _whole(packed)
        if word is None or not 0 <= word < 1 << 2 * N_CARD_TYPES:
            found = show(packed if word is None else word)
            raise HandError(f"packed: expected a word of 48 bits, found {found}")
        pairs = [word >> 2 * card & 3 for card in range(N_CARD_TYPES)]
        if 0b10 in pairs:
            name = card_name(pairs.index(0b10))
            raise HandError(f"packed: expected bits 00, 01 or 11 for {name}, found 10")
        return cls(tuple(pair.bit_count() for pair in pairs))

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Return the hand written in `text`, in any notation that `notation.parse_hand` reads.

        Unlike the commands, it accepts any legal number of cards.

        Raises
        ------
        HandError
            If it is not text, or not the text of a hand.
        """
        if not isinstance(text, str):
            raise HandError(f"hand: expected text, found {show(text)}")
        from advisor.game.notation import parse_hand

        return parse_hand(text, sizes=None)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The card types held, suit by suit, each from the ace down."""
        return tuple(self)

    @property
    def packed(self) -> int:
        """The hand as 48 bits: two bits a card type, 01 for one copy and 11 for both.

        >>> bin(Hand.parse("JJ9.-.-.-").packed)
        '0b1101'
        """
        return sum((1 << count) - 1 << 2 * card for card, count in enumerate(self.counts))

    def count(self, suit: Suit, rank: Rank) -> int:
        """Return how many copies of a card are held."""
        return self.counts[suit * 6 + rank]

    def suit(self, suit: Suit) -> tuple[int, ...]:
        """Return the six counts of one suit, by rank from the nine up."""
        return self.counts[suit * 6 : suit * 6 + 6]

    def suit_text(self, suit: Suit) -> str:
        """Return one suit's ranks from the ace down, or ``-`` for a void."""
        ranks = "".join(RANK_LETTERS[rank] * self.count(suit, rank) for rank in RANKS_HIGH_TO_LOW)
        return ranks or "-"

    def __iter__(self) -> Iterator[Card]:
        for suit in SUITS:
            for rank in RANKS_HIGH_TO_LOW:
                card = make_card(suit, rank)
                for _ in range(self.counts[card]):
                    yield card

    def __len__(self) -> int:
        return sum(self.counts)

    def __str__(self) -> str:
        return ".".join(self.suit_text(suit) for suit in SUITS)
