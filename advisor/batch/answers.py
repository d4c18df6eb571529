"""The answer to one row: the numbers of the advice that a table of many hands has room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import AdvisorError

if TYPE_CHECKING:
    from advisor.batch.questions import Asked, Terms
    from advisor.decision import Option
    from advisor.game.cards import Hand, Suit

# Bids, in points, at which every row says how often they are made.
USUAL_BIDS: Final = (250, 300, 350)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found out about one hand. Points are x10, chances 0 to 1, errors standard errors.

    Parameters
    ----------
    trump : int
        The advised suit; that to be named if we get the hand, where the call is a pass.
    action, call : str, int or None
        The next call: ``pass``, ``pass_with_help``, ``raise`` or ``jump``, and its amount.
    bid : int or None
        How high to go, None on a pass.
    ceiling : int or None
        Highest bid in that trump worth as much as letting the hand go a step below.
    p_make, p_make_se : float or None
        Chance to make `bid`.
    p_make_250, p_make_300, p_make_350 and their errors : float
        In that trump.
    expected_score, expected_score_se : float
        Mean of meld and tricks of our side together.
    meld : int
        Exact, as held now.
    team_meld, team_meld_se, tricks, tricks_se : float
        After the exchange.
    bid_over_pass, bid_over_pass_se : float or None
        By how much the best bid is worth more than a pass, on the same deals: points, or chances
        to win where the score is known. None where only one of the two may be called.
    close : str
        What is too close to call: ``trump``, ``call``, both, or nothing.
    samples : int
        Deals behind the numbers, each played three times.
    engine : str
    correction : int or None
        Version of the correction to real play.
    """

    trump: Suit
    action: str
    call: int | None
    bid: int | None
    ceiling: int | None
    p_make: float | None
    p_make_se: float | None
    p_make_250: float
    p_make_250_se: float
    p_make_300: float
    p_make_300_se: float
    p_make_350: float
    p_make_350_se: float
    expected_score: float
    expected_score_se: float
    meld: int
    team_meld: float
    team_meld_se: float
    tricks: float
    tricks_se: float
    bid_over_pass: float | None
    bid_over_pass_se: float | None
    close: str
    samples: int
    engine: str
    correction: int | None

    def as_list(self) -> list[Any]:
        """Return the values in the order of the fields."""
        return [getattr(self, name) for name in ANSWER_FIELDS]

    @classmethod
    def from_list(cls, values: Sequence[Any]) -> Answer:
        """Return the answer of such a list.

        Raises
        ------
        ValueError
            If it has another length.
        """
        if len(values) != len(ANSWER_FIELDS):
            raise ValueError(f"expected {len(ANSWER_FIELDS)} values, found {len(values)}")
        return cls(*values)


ANSWER_FIELDS: Final = tuple(item.name for item in fields(Answer))


@dataclass(frozen=True, slots=True)
class Work:
    """Some hands to judge, as it travels to where that is done.

    Parameters
    ----------
    asked : Asked
    hands : tuple of (Hand, Terms)
    number : int
        Of the block of rows, from 0.
    """

    asked: Asked
    hands: tuple[tuple[Hand, Terms], ...]
    number: int = 0


def judge_all(work: Work) -> list[Answer | str]:
    """Return the answer to each hand, or what is wrong with it."""
    found: list[Answer | str] = []
    for hand, terms in work.hands:
        try:
            found.append(judge(hand, terms, work.asked))
        except AdvisorError as error:
            found.append(str(error))
    return found


def judge(hand: Hand, terms: Terms, asked: Asked) -> Answer:
    """Return the answer to one hand: what `advisor.advise` says of it, in this thread.

    Raises
    ------
    AdvisorError
        If the hand cannot be judged.
    """
    from advisor.advise import find
    from advisor.game.meld import score_meld
    from advisor.pricing import TIE_WITHIN, estimate

    found = find(
        hand, terms.rules, terms.trump, asked.samples, asked.precision, asked.seed, asked.engine,
        asked.raw, terms.auction, terms.seat, terms.dealer, terms.score, asked.convention,
        asked.inference, call_only=True,
    )  # fmt: skip
    decision = found.decision
    outcomes, pricing = found.outcomes[found.best], found.pricings[found.best]
    chosen, bid = decision.chosen, found.bid
    p_make, p_make_se = (None, None) if bid is None else pricing.p_make(bid)
    chances = [value for usual in USUAL_BIDS for value in pricing.p_make(usual)]
    better, better_se = _bid_over_pass(decision.options)
    close = []
    if any(
        not abs(lead.mean) > TIE_WITHIN * lead.se
        for lead in (found.behind(suit) for suit in found.pricings if suit != found.best)
    ):
        close.append("trump")
    if decision.close:
        close.append("call")
    correction = found.predictor.correction
    return Answer.from_list([
        found.best, chosen.action, chosen.call.bid, bid, found.ceilings[found.best],
        p_make, p_make_se, *chances, *estimate(pricing.score),
        score_meld(hand, found.best, found.rules).total,
        *estimate(outcomes.our_meld), *estimate(outcomes.our_tricks), better, better_se,
        " ".join(close), outcomes.samples, found.predictor.engine,
        None if correction is None else correction.version,
    ])  # fmt: skip


def _bid_over_pass(options: Sequence[Option]) -> tuple[float | None, float | None]:
    """Return the paired difference between the best bid and the best pass, best option first."""
    bids = [item for item in options if not item.call.is_pass]
    passes = [item for item in options if item.call.is_pass]
    if not (bids and passes):
        return None, None
    sign, lesser = (1, passes[0]) if options[0] is bids[0] else (-1, bids[0])
    return sign * lesser.behind.mean, lesser.behind.se
