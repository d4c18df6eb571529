"""Which cards to send as declarer's partner, and which to give back as declarer.

All ways are compared on the same deals. The hidden cards are dealt as each of them may take them
to be: to partner, declarer is somebody who named this trump (`advisor.declaring`); to declarer,
partner is somebody whose rule sent what came (`advisor.kernels.hidden`).
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from advisor import __version__
from advisor.errors import HandError
from advisor.exchange_race import Race, Standing
from advisor.exchange_reasons import kept_remarks, pass_reasons, return_reasons
from advisor.exchange_views import DeclarersView, PartnersView
from advisor.game.cards import HAND_SIZE, Card, Hand, Suit
from advisor.game.exchange import check_pass_cards, check_received, without
from advisor.game.meld import Meld, score_meld
from advisor.game.rules import Rules, check_rules
from advisor.game.settings import show
from advisor.kernels import exchange
from advisor.limits import MAX_SAMPLES, MAX_SEED, check_whole
from advisor.playing import Predictor, deal_packed
from advisor.policy import policy_array
from advisor.pricing import Estimate
from advisor.returning import return_tables

Array = np.ndarray[Any, Any]

DEFAULT_SAMPLES: Final = 3000
# An exact value takes a second or so.
DEFAULT_EXACT_SAMPLES: Final = 8
TIE_WITHIN: Final = 2.0

FEWER_DEALS: Final = (
    "Few deals fit what partner sent, so fewer were looked at; --received says which came and "
    "makes it quicker."
)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to pass the cards, judged on the deals that had no part in choosing.

    Parameters
    ----------
    cards : Hand
    score, team_meld, tricks : Estimate
        Of declarer's side, in points a round.
    behind : Estimate
        By how much it is worse than the choice on the same deals, in points; 0 for the choice.
        Below 0 where these deals liked it better.
    """

    cards: Hand
    score: Estimate
    team_meld: Estimate
    tricks: Estimate
    behind: Estimate

    @property
    def tied(self) -> bool:
        """Whether it is too close to the choice to call; the choice is so to itself.

        What these deals liked better, those that chose did not: neither is clear then.
        """
        # Written so that an unknown error, that of a single deal, is a tie too.
        return not self.behind.mean > TIE_WITHIN * self.behind.se


@dataclass(frozen=True, slots=True)
class ExchangeAdvice:
    """What to send or to give back, what else was near, and why.

    Parameters
    ----------
    returning : bool
        Whether it is declarer's return; else it is partner's send.
    hand : Hand
        Partner's twelve cards, or declarer's with those received.
    received : Hand or None
        What declarer said he got.
    trump : int
    alternatives : tuple of Alternative
        The choice first, the others as they follow.
    rule_choice : Hand
        What the sender's or returner's rule does; it is among the alternatives.
    reasons : dict of int to str
        Why each card goes.
    remarks : tuple of str
        What is kept by not sending it.
    kept, kept_meld : Hand, Meld
        The cards left in hand and their exact meld.
    samples : int
        Deals that judged.
    compared : int
        Different ways to pass the cards.
    notes : tuple of str
        Where the deals are not quite what they should be.
    """

    returning: bool
    hand: Hand
    received: Hand | None
    trump: Suit
    rules: Rules
    engine: str
    correction: int | None
    seed: int
    asked_samples: int | None
    samples: int
    compared: int
    alternatives: tuple[Alternative, ...]
    rule_choice: Hand
    reasons: dict[Card, str]
    remarks: tuple[str, ...]
    kept: Hand
    kept_meld: Meld
    notes: tuple[str, ...]
    version: str = __version__

    @property
    def cards(self) -> Hand:
        """The cards to pass."""
        return self.alternatives[0].cards

    @property
    def raw(self) -> bool:
        """Whether the engine's values stand without a correction."""
        return self.correction is None

    @property
    def ties(self) -> tuple[Alternative, ...]:
        """The alternatives that are too close to the choice to call."""
        return tuple(item for item in self.alternatives[1:] if item.tied)


def ways_to_pass(hand: Hand, n_cards: int) -> Array:
    """Return every choice of so many cards as packed words, copies of a card not told apart.

    >>> len(ways_to_pass(Hand.parse("AAT.-.-.-"), 2))
    2
    """
    chosen = dict.fromkeys(combinations(sorted(hand), n_cards))
    return np.array([Hand.from_cards(cards).packed for cards in chosen], dtype=np.uint64)


def _check_cards(hand: object, size: int, what: str = "hand") -> None:
    if not isinstance(hand, Hand):
        raise HandError(f"{what}: expected a Hand, found {show(hand)}")
    if len(hand) != size:
        cards = "card" if len(hand) == 1 else "cards"
        raise HandError(f"{what} has {len(hand)} {cards}, expected {size}: {hand}")


def exchange_by_rule(declarer: int, partner: int, trump: Suit, rules: Array) -> tuple[int, int]:
    """Return what the rules of the policy send and give back, packed.

    Where it is not told what came `partner` is 0, and declarer's hand has it already.

    >>> from advisor.playing import rule_array
    >>> hands = (Hand.parse(text).packed for text in ("ATKQ9.AK9.QT9.TT", "J99.KQJ.AQJ.AK9"))
    >>> [str(Hand.from_packed(cards)) for cards in exchange_by_rule(*hands, 0, rule_array(Rules()))]
    ['J.-.AJ.A', '-.K9.-.TT']
    """
    policy = policy_array()
    out = np.zeros((1, 2), dtype=np.uint64)
    exchange.exchange_hands(
        np.array([declarer], dtype=np.uint64),
        np.array([partner], dtype=np.uint64),
        np.array([trump], dtype=np.int64),
        rules,
        policy,
        return_tables(),
        np.zeros(1, dtype=np.uint64),
        out,
    )
    return int(out[0, 0]), int(out[0, 1])


def _check_options(
    trump: Suit, samples: int | None, seed: int, predictor: Predictor
) -> tuple[int, int | None]:
    """Return the number of deals that judge, and the version of the correction."""
    check_whole("trump", trump, 0, 3)
    check_whole("seed", seed, 0, MAX_SEED)
    correction = None if predictor.correction is None else predictor.correction.version
    if samples is not None:
        return check_whole("samples", samples, 1, MAX_SAMPLES), correction
    exact = predictor.engine == "exact"
    return DEFAULT_EXACT_SAMPLES if exact else DEFAULT_SAMPLES, correction


def _alternatives(standings: list[Standing]) -> tuple[Alternative, ...]:
    return tuple(
        Alternative(Hand.from_packed(one.cards), one.score, one.team_meld, one.tricks, one.behind)
        for one in standings
    )


def advise_pass(
    hand: Hand,
    trump: Suit,
    *,
    rules: Rules | str | None = None,
    samples: int | None = None,
    seed: int = 0,
    engine: str | None = None,
    raw: bool = False,
    executor: Executor | None = None,
) -> ExchangeAdvice:
    """Advise declarer's partner on which cards to send.

    Parameters
    ----------
    hand : Hand
        Partner's twelve cards.
    trump : int
        What declarer named, 0 to 3.
    rules : Rules or str, optional
        House rules, or the name of a preset; `cardgames` by default.
    samples : int, optional
        Deals that judge the last ten ways, 3000 by default (8 of an exact answer). Half as many
        others choose among them.
    seed : int, optional
        Another seed gives an independent sample of deals.
    engine : str, optional
        How tricks are found for the last ways left: ``lite``, the default, ``policy`` or
        ``exact``.
    raw : bool, optional
        Whether to leave out the correction from the engine's values to real play.
    executor : concurrent.futures.Executor, optional
        Where blocks of deals run; not the pool that this call itself runs in.

    Returns
    -------
    ExchangeAdvice

    Raises
    ------
    HandError, OptionError
        If an argument is outside its range.

    >>> advice = advise_pass(Hand.parse("ATK9.A9.QJ9.TJ9"), 0, samples=100)
    >>> str(advice.cards), advice.alternatives[0].behind.mean
    ('ATK.-.J.-', 0.0)
    """
    rules = check_rules(rules)
    n_cards = check_pass_cards(rules)
    _check_cards(hand, HAND_SIZE)
    predictor = Predictor.of(rules, engine, raw)
    n_samples, correction = _check_options(trump, samples, seed, predictor)
    view = PartnersView(hand, trump, predictor.rules, seed)
    somebody = int(deal_packed(hand.packed, samples=1).hands[0, 1])
    favourite, _ = exchange_by_rule(somebody, hand.packed, trump, predictor.rules)
    candidates = ways_to_pass(hand, n_cards)
    race = Race(trump, predictor, False, executor)
    standings, judged = race.run(view, candidates, favourite, n_samples)
    sent = Hand.from_packed(standings[0].cards)
    kept = without(hand, sent)
    return ExchangeAdvice(
        returning=False,
        hand=hand,
        received=None,
        trump=trump,
        rules=rules,
        engine=predictor.engine,
        correction=correction,
        seed=seed,
        asked_samples=samples,
        samples=judged,
        compared=len(candidates),
        alternatives=_alternatives(standings),
        rule_choice=Hand.from_packed(favourite),
        reasons=pass_reasons(hand, sent, trump, rules),
        remarks=kept_remarks(kept, trump, rules),
        kept=kept,
        kept_meld=score_meld(kept, trump, rules),
        notes=view.notes,
    )


def advise_return(
    hand: Hand,
    trump: Suit,
    *,
    received: Hand | None = None,
    rules: Rules | str | None = None,
    samples: int | None = None,
    seed: int = 0,
    engine: str | None = None,
    raw: bool = False,
    executor: Executor | None = None,
) -> ExchangeAdvice:
    """Advise declarer on which cards to give back.

    Parameters
    ----------
    hand : Hand
        Declarer's cards with those received: 16 where four are passed.
    trump : int
    received : Hand, optional
        Which of them came from partner. By default any may have, as often as partner's rule sends
        them.
    rules, samples, seed, engine, raw, executor
        As for `advise_pass`.

    Returns
    -------
    ExchangeAdvice

    Raises
    ------
    HandError, OptionError
        If an argument is outside its range.

    >>> advice = advise_return(Hand.parse("AATTKQJJ.AAK.QJ.T99"), 0, samples=100)
    >>> len(advice.cards), advice.kept_meld.total >= 190
    (4, True)
    """
    rules = check_rules(rules)
    n_cards = check_pass_cards(rules)
    _check_cards(hand, HAND_SIZE + n_cards)
    if received is not None:
        _check_cards(received, n_cards, "received")
        check_received(hand, received, n_cards)
    predictor = Predictor.of(rules, engine, raw)
    n_samples, correction = _check_options(trump, samples, seed, predictor)
    view = DeclarersView(hand, received, trump, n_cards, seed, executor)
    notes = view.notes
    if samples is None and view.affordable(n_samples) < n_samples:
        n_samples = view.affordable(n_samples)
        notes = (*notes, FEWER_DEALS)
    came = Hand.from_packed(0) if received is None else received
    rest = without(hand, came).packed
    _, favourite = exchange_by_rule(rest, came.packed, trump, predictor.rules)
    candidates = ways_to_pass(hand, n_cards)
    race = Race(trump, predictor, True, executor)
    standings, judged = race.run(view, candidates, favourite, n_samples)
    given = Hand.from_packed(standings[0].cards)
    kept = without(hand, given)
    return ExchangeAdvice(
        returning=True,
        hand=hand,
        received=received,
        trump=trump,
        rules=rules,
        engine=predictor.engine,
        correction=correction,
        seed=seed,
        asked_samples=samples,
        samples=judged,
        compared=len(candidates),
        alternatives=_alternatives(standings),
        rule_choice=Hand.from_packed(favourite),
        reasons=return_reasons(hand, given, trump, rules),
        remarks=(),
        kept=kept,
        kept_meld=score_meld(kept, trump, rules),
        notes=notes,
    )
