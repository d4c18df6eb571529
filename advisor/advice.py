"""What `advise` answers: the advised bid, and what was found out about each trump."""

from __future__ import annotations

from dataclasses import dataclass

from advisor import __version__
from advisor.decision import Decision
from advisor.explain import Explanation
from advisor.game.cards import Hand, Suit
from advisor.game.conventions import Convention
from advisor.game.meld import Meld
from advisor.game.rules import Rules
from advisor.histogram import Histogram
from advisor.inference import Inference
from advisor.pricing import TIE_WITHIN, Estimate


@dataclass(frozen=True, slots=True)
class TrumpEstimate:
    """What the simulation says about one trump. Points are x10, shares are 0 to 1.

    Parameters
    ----------
    trump : int
    meld : Meld
        Declarer's own meld now, exact.
    team_meld, tricks, score : Estimate
        Our side's meld after the exchange, trick points, and both together.
    score_sd : float
        Spread of the score over single rounds.
    quartiles : tuple of int
        Half of the rounds score from the first to the second.
    samples : int
        Deals behind the numbers; fewer where the trump was dropped.
    dropped : bool
        Whether it fell too far behind to go on.
    p_make, take : dict of int to Estimate
        By bid, in tens from the minimum.
    ceiling : int or None
        Highest legal bid worth at least nothing.
    behind : Estimate
        Paired difference in value from the advised trump at the bid in question; 0 for itself.
    histogram : Histogram
        Rounds by score; each deal is three of them.
    """

    trump: Suit
    meld: Meld
    team_meld: Estimate
    tricks: Estimate
    score: Estimate
    score_sd: float
    quartiles: tuple[int, int]
    samples: int
    dropped: bool
    p_make: dict[int, Estimate]
    take: dict[int, Estimate]
    ceiling: int | None
    behind: Estimate
    histogram: Histogram

    @property
    def tied(self) -> bool:
        """Whether it is too close to the advised trump to call."""
        # Written so that an unknown error, that of a single deal, is a tie too.
        return not abs(self.behind.mean) > TIE_WITHIN * self.behind.se


@dataclass(frozen=True, slots=True)
class LowerBid:
    """Another trump that is worth more, by `lead` points, at a bid below the advised one."""

    trump: Suit
    bid: int
    lead: Estimate


@dataclass(frozen=True, slots=True)
class ForcedBid:
    """What a dealer names who must take the hand at `bid` because all passed."""

    trump: Suit
    bid: int
    p_make: Estimate
    take: Estimate


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The answer: bid up to `bid` in `trump`, or pass.

    `safe`, `standard` and `suggested` are the highest legal bids made in 90, 82 and 75 % of the
    rounds in the advised trump, None below the minimum. `at` is the bid in question, at which
    trumps were compared. `settled` says that the precision asked for was reached and neither the
    trump nor the choice between bid and pass is too close to call. `may_name` is False for a hand
    that the rules let name no trump. `lower` is another trump that is better at a lower bid, and
    `forced` what a forced dealer does, where the rules force him.
    """

    action: str
    trump: Suit
    bid: int | None
    ceiling: int | None
    safe: int | None
    standard: int | None
    suggested: int | None
    at: int
    settled: bool
    may_name: bool = True
    lower: LowerBid | None = None
    forced: ForcedBid | None = None


@dataclass(frozen=True, slots=True)
class DeadHands:
    """Rounds in which no tricks can make the bid in question once all have melded.

    `share` is 0 to 1, `cost` their part of the worth of declaring, in points a round. The better
    of playing on and throwing in is in it.
    """

    share: Estimate
    cost: Estimate


@dataclass(frozen=True, slots=True)
class Auctioned:
    """How the calls so far were read.

    Parameters
    ----------
    convention : Convention
        Our side's, as far as the rules let it occur.
    asked : bool
        Whether the calls were to weight the deals.
    read : bool
        Whether they did: there were calls of others, and deals enough that fit them.
    exhausted : bool
        Whether so many deals were tried that no more were looked for.
    share_kept : float
        Share of the deals that fit.
    inferences : tuple of Inference
    """

    convention: Convention
    asked: bool
    read: bool
    exhausted: bool
    share_kept: float
    inferences: tuple[Inference, ...]


@dataclass(frozen=True, slots=True)
class BidAdvice:
    """Everything `advise` found out, with what is needed to find it again.

    The predictor is `engine` and the version of its correction to real play, None for raw values.
    """

    hand: Hand
    rules: Rules
    engine: str
    correction: int | None
    seed: int
    samples: int
    asked_samples: int | None
    asked_precision: float | None
    fixed_trump: Suit | None
    suggestion: Suggestion
    decision: Decision
    dead: DeadHands
    auctioned: Auctioned
    trumps: tuple[TrumpEstimate, ...]
    explanation: Explanation
    version: str = __version__

    @property
    def raw(self) -> bool:
        """Whether the engine's values stand without a correction."""
        return self.correction is None

    @property
    def best(self) -> TrumpEstimate:
        """The estimate of the advised trump."""
        return next(item for item in self.trumps if item.trump == self.suggestion.trump)
