"""Where the points come from: meld held now, meld the exchange brings, tricks, and what loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from advisor.game.cards import (
    ACE,
    DIAMONDS,
    JACK,
    KING,
    N_CARD_TYPES,
    QUEEN,
    RUN_RANKS,
    SPADES,
    SUITS,
    Card,
    Hand,
    Suit,
    make_card,
)
from advisor.game.meld import Meld
from advisor.game.rules import Rules
from advisor.playing import Outcomes
from advisor.pricing import Estimate, estimate

Array = np.ndarray[Any, Any]

_ONE_COPY: Final = np.uint64(0x5555_5555_5555)
_ONE: Final = np.uint64(1)
# A card seen in fewer rounds than this is not worth a line.
LEAST_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class MeldChance:
    """How often declarer holds a meld before and after the exchange (0 or 1 before)."""

    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class CardChance:
    """How often a card is received, or given back, in the exchange (at least one copy)."""

    card: Card
    share: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of the score in the advised trump, in points a round unless said otherwise.

    Parameters
    ----------
    trump : int
    meld : Meld
        Declarer's meld now, exact.
    declarer_meld, partner_meld, their_meld : Estimate
        Meld after the exchange: declarer's own, partner's, and both opponents' together.
    tricks : Estimate
    trumps_before : int
    trumps_after : float
        Trumps held before the exchange, and on average after it.
    missing : tuple of int
        Run cards of trump not held.
    received, returned : tuple of CardChance
        The likeliest cards to come and to go, most likely first.
    chances : tuple of MeldChance
        The melds that the exchange can bring or take.
    lost_by_suit : tuple of float
        Trick points a round that the other side wins, by the suit led; shared out as in the
        policy's play, whatever the engine.
    all_tricks : float
        Share of the rounds in which our side takes every point.
    """

    trump: Suit
    meld: Meld
    declarer_meld: Estimate
    partner_meld: Estimate
    their_meld: Estimate
    tricks: Estimate
    trumps_before: int
    trumps_after: float
    missing: tuple[Card, ...]
    received: tuple[CardChance, ...]
    returned: tuple[CardChance, ...]
    chances: tuple[MeldChance, ...]
    lost_by_suit: tuple[float, ...]
    all_tricks: float


def _two_bit_counts(packed: Array) -> Array:
    return (packed & _ONE_COPY) + ((packed >> _ONE) & _ONE_COPY)


def _mask(cards: list[Card]) -> np.uint64:
    return np.uint64(sum(1 << 2 * card for card in cards))


def _card_chances(packed: Array) -> tuple[CardChance, ...]:
    shares = [
        CardChance(card, float(np.mean(packed >> np.uint64(2 * card) & _ONE)))
        for card in range(N_CARD_TYPES)
    ]
    common = [chance for chance in shares if chance.share >= LEAST_SHARE]
    return tuple(sorted(common, key=lambda chance: (-chance.share, chance.card)))


def _meld_masks(trump: Suit) -> list[tuple[str, np.uint64, bool]]:
    """Return name, cards needed and whether both copies are needed, for each meld of interest."""
    run = [make_card(trump, rank) for rank in RUN_RANKS]
    around = {
        name: [make_card(suit, rank) for suit in SUITS]
        for name, rank in (("aces", ACE), ("kings", KING), ("queens", QUEEN), ("jacks", JACK))
    }
    pinochle = [make_card(SPADES, QUEEN), make_card(DIAMONDS, JACK)]
    royal = [make_card(trump, KING), make_card(trump, QUEEN)]
    masks = [("run", _mask(run), False), ("double run", _mask(run), True)]
    masks.append(("royal marriage", _mask(royal), False))
    masks += [("pinochle", _mask(pinochle), False), ("double pinochle", _mask(pinochle), True)]
    masks += [(f"{name} around", _mask(cards), False) for name, cards in around.items()]
    return masks


def explain(hand: Hand, outcomes: Outcomes, meld: Meld, rules: Rules) -> Explanation:
    """Return where the points of these outcomes come from.

    Parameters
    ----------
    hand : Hand
        Declarer's twelve cards.
    outcomes : Outcomes
        Of one trump.
    meld : Meld
        Declarer's meld now in that trump.
    rules : Rules

    Returns
    -------
    Explanation
    """
    trump = outcomes.trump
    before = np.array([hand.packed], dtype=np.uint64)
    after = (
        _two_bit_counts(before)
        + _two_bit_counts(outcomes.received)
        - _two_bit_counts(outcomes.returned)
    )
    held = (after | (after >> _ONE)) & _ONE_COPY
    both = (after >> _ONE) & _ONE_COPY
    had = (before | (before >> _ONE)) & _ONE_COPY
    had_both = (before >> _ONE) & _ONE_COPY
    chances = []
    for name, mask, double in _meld_masks(trump):
        share = float(np.mean((both if double else held) & mask == mask))
        own = float(np.mean((had_both if double else had) & mask == mask))
        if max(share, own) >= (0.001 if double else LEAST_SHARE):
            chances.append(MeldChance(name, own, share))
    in_trump = np.uint64(0xFFF << 12 * trump)
    tricks = estimate(outcomes.our_tricks)
    lost = rules.trick_total - tricks.mean
    lost_by_policy = max(int(outcomes.lost_by_suit.sum()), 1)
    trumps = np.bitwise_count(held & in_trump) + np.bitwise_count(both & in_trump)
    return Explanation(
        trump=trump,
        meld=meld,
        declarer_meld=estimate(outcomes.declarer_meld),
        partner_meld=estimate(outcomes.our_meld - outcomes.declarer_meld),
        their_meld=estimate(outcomes.their_meld),
        tricks=tricks,
        trumps_before=sum(hand.suit(trump)),
        trumps_after=float(np.mean(trumps)),
        missing=tuple(make_card(trump, rank) for rank in RUN_RANKS if not hand.count(trump, rank)),
        received=_card_chances(outcomes.received),
        returned=_card_chances(outcomes.returned),
        chances=tuple(chances),
        lost_by_suit=tuple(
            lost * float(points) / lost_by_policy for points in outcomes.lost_by_suit
        ),
        all_tricks=float(np.mean(outcomes.our_tricks == rules.trick_total)),
    )
