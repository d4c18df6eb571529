"""From a hand to advice: which trump, how high, how sure.

Sampling is sequential. After a first block of deals, and at points fixed by the data alone, the
estimates are looked at: a trump far behind drops out, and sampling stops when the answer is
settled or the budget is spent. The same seed gives the same advice for any number of threads.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final

import numpy as np

from advisor.advice import (
    Auctioned,
    BidAdvice,
    DeadHands,
    ForcedBid,
    LowerBid,
    Suggestion,
    TrumpEstimate,
)
from advisor.bidding import PositionDeals, Seating
from advisor.contracts import Table, Worth
from advisor.decision import Decision, decide
from advisor.errors import OptionError
from advisor.explain import explain
from advisor.game.auction import bid_ladder, next_bids, round_down_to_legal
from advisor.game.cards import KING, QUEEN, SUITS, Hand, Suit
from advisor.game.conventions import Convention, check_convention
from advisor.game.meld import meld_by_trump
from advisor.game.position import read_position
from advisor.game.rules import Rules, check_rules
from advisor.game.settings import show
from advisor.histogram import Histogram
from advisor.inference import Inference, read_calls
from advisor.kernels.rounds import ROTATIONS
from advisor.limits import MAX_SEED, check_score, check_whole
from advisor.playing import Outcomes, Predictor, load_kernels, play_sets
from advisor.pricing import LEAST_P, TIE_WITHIN, Estimate, Pricing, estimate
from advisor.simulate import check_hand
from advisor.stopping import DROP_AT, FIRST_LOOK, INDIFFERENCE, Plan, is_precise, next_look, plan_of

DEFAULT_SEED: Final = 0
# Fewer deals that fit the calls than this say nothing.
LEAST_DEALS: Final = 64
# Enough for the figures of what calls were taken to mean.
READ_SAMPLES: Final = 2000
SAFE, STANDARD, SUGGESTED = 0.90, 0.82, 0.75


def _allowed_trumps(hand: Hand, rules: Rules, trump: Suit | None) -> tuple[Suit, ...]:
    """Return the suits that the hand may name; none where a marriage is asked for and missing."""
    if trump is not None:
        check_whole("trump", trump, 0, 3)
        return (trump,)
    if not rules.trump_needs_marriage:
        return SUITS
    return tuple(s for s in SUITS if hand.count(s, KING) and hand.count(s, QUEEN))


def _highest_legal(rules: Rules, amount: int) -> int | None:
    ladder = bid_ladder(rules, amount) if amount >= rules.minimum else []
    return ladder[-1] if ladder else None


def _bids_in_tens(pricing: Pricing, lowest: int) -> list[int]:
    top = max(lowest, pricing.quantile_bid(LEAST_P))
    while pricing.p_make(top).mean <= LEAST_P and top > lowest:
        top -= 10
    return list(range(lowest, top + 1, 10))


def _paired(one: Pricing, other: Pricing, bid: int) -> Estimate:
    """Return by how much `one` is worth more than `other` at a bid, on the deals both have."""
    n = min(one.samples, other.samples)
    return estimate(one.differences(bid)[:n] - other.differences(bid)[:n])


def _question(
    pricings: dict[Suit, Pricing], ceilings: dict[Suit, int | None], lowest: int
) -> tuple[Suit, int]:
    """Return the best trump and the bid at which that was judged."""
    reached = [bid for bid in ceilings.values() if bid is not None]
    at = max(reached) if reached else lowest
    return _best_at(pricings, at), at


def _best_at(pricings: dict[Suit, Pricing], bid: int) -> Suit:
    return max(pricings, key=lambda trump: (pricings[trump].take(bid).mean, -trump))


def _better_below(pricings: dict[Suit, Pricing], best: Suit, bids: list[int]) -> LowerBid | None:
    """Return the trump that is clearly better than the best one at the highest of some bids."""
    for bid in bids:
        leads = {
            suit: _paired(pricing, pricings[best], bid)
            for suit, pricing in pricings.items()
            if suit != best
        }
        clear = {suit: lead for suit, lead in leads.items() if lead.mean > TIE_WITHIN * lead.se}
        if clear:
            suit = max(clear, key=lambda trump: clear[trump].mean)
            return LowerBid(suit, bid, clear[suit])
    return None


def _forced(pricings: dict[Suit, Pricing], rules: Rules) -> ForcedBid | None:
    if rules.all_pass != "dealer":
        return None
    bid = rules.forced_bid
    best = _best_at(pricings, bid)
    return ForcedBid(best, bid, pricings[best].p_make(bid), pricings[best].take(bid))


def advise(
    hand: Hand,
    *,
    rules: Rules | str | None = None,
    trump: Suit | None = None,
    samples: int | None = None,
    precision: float | None = None,
    seed: int = DEFAULT_SEED,
    engine: str | None = None,
    raw: bool = False,
    auction: str | None = None,
    seat: int | None = None,
    dealer: str | None = None,
    score: tuple[int, int] | None = None,
    convention: Convention | str | None = None,
    inference: bool = True,
    executor: Executor | None = None,
) -> BidAdvice:
    """Advise on a hand: the next call, how high to go, and which trump to name.

    Parameters
    ----------
    hand : Hand
        Twelve cards.
    rules : Rules or str, optional
        House rules, or the name of a preset; `cardgames` by default.
    trump : int, optional
        Fix the suit, as at a table that turns up trump.
    samples : int, optional
        Number of deals, each played three times, instead of stopping at a precision.
    precision : float, optional
        Standard error of the mean score in points at which to stop. By default 1 point, 1 % on
        every P(make) and the trumps told apart, within 20,000 deals (16 of an exact answer).
    seed : int, optional
        Another seed gives an independent sample of deals.
    engine : str, optional
        How tricks are found: ``lite``, the default, ``policy`` or ``exact``.
    raw : bool, optional
        Whether to leave out the correction from the engine's values to real play.
    auction : str, optional
        The calls so far, such as ``250 P 270 PH``; it must be our turn. By default we call first.
    seat : int, optional
        Ours, 1 to 4 from the dealer's left; it follows from the auction.
    dealer : str, optional
        ``me``, ``left``, ``partner`` or ``right``, instead of the seat.
    score : tuple of int, optional
        Points x10 of our side and theirs: the call is then chosen by the chance to win the game.
    convention : Convention or str, optional
        What jumps and passes with help of our side show; nothing by default.
    inference : bool, optional
        Whether the calls so far weight the deals.
    executor : concurrent.futures.Executor, optional
        Where blocks of deals run; not the pool that this call itself runs in.

    Returns
    -------
    BidAdvice

    Raises
    ------
    HandError, OptionError, AuctionError
        If an argument is outside its range, or the auction impossible.

    >>> advice = advise(Hand.parse("AATKQJ.AK.QJ.T9"), samples=600)
    >>> advice.suggestion.action, "SHDC"[advice.suggestion.trump]
    ('bid', 'S')
    """
    found = find(
        hand, rules, trump, samples, precision, seed, engine, raw, auction, seat, dealer, score,
        convention, inference, executor,
    )  # fmt: skip
    return _advice(found, samples, precision, trump)


@dataclass(frozen=True, slots=True)
class Found:
    """What sampling has found out, before it is put into words.

    Parameters
    ----------
    hand : Hand
    rules : Rules
    predictor : Predictor
    plan : Plan
    seed : int
    outcomes, pricings, ceilings : dict by trump
        Trumps dropped early have no ceiling where only the call was asked for.
    best : int
        The advised trump.
    at : int
        The bid at which trumps were compared.
    lowest : int
        The next bid.
    may_name : bool
    decision : Decision
    auctioned : Auctioned
    """

    hand: Hand
    rules: Rules
    predictor: Predictor
    plan: Plan
    seed: int
    outcomes: dict[Suit, Outcomes]
    pricings: dict[Suit, Pricing]
    ceilings: dict[Suit, int | None]
    best: Suit
    at: int
    lowest: int
    may_name: bool
    decision: Decision
    auctioned: Auctioned

    def behind(self, trump: Suit) -> Estimate:
        """Return by how much a trump is worth less than the advised one, on the deals both have."""
        if trump == self.best:
            return Estimate(0.0, 0.0)
        return _paired(self.pricings[self.best], self.pricings[trump], self.at)

    @property
    def bid(self) -> int | None:
        """How high to go, None on a pass."""
        call = self.decision.chosen.call
        return None if call.bid is None else max(call.bid, self.ceilings[self.best] or 0)


def find(
    hand: Hand,
    rules: Rules | str | None,
    trump: Suit | None,
    samples: int | None,
    precision: float | None,
    seed: int,
    engine: str | None,
    raw: bool,
    auction: str | None,
    seat: int | None,
    dealer: str | None,
    score: tuple[int, int] | None,
    convention: Convention | str | None,
    inference: bool,
    executor: Executor | None = None,
    *,
    call_only: bool = False,
) -> Found:
    """Sample until the question is answered; the parameters are those of `advise`.

    With `call_only` what only a report on this hand says is left out: what letting go is worth by
    bid, ceilings of dropped trumps, and what calls were taken to mean, in figures.
    """
    rules = check_rules(rules)
    check_hand(hand)
    predictor = Predictor.of(rules, engine, raw)
    check_whole("seed", seed, 0, MAX_SEED)
    if not isinstance(inference, bool):
        raise OptionError(f"inference: expected True or False, found {show(inference)}")
    position = read_position(rules, seat, dealer, auction)
    if executor is not None:
        # The kernels of the rounds are fetched while others deal.
        executor.submit(load_kernels, predictor)
    agreed = check_convention(convention, rules)
    seating = Seating.of(rules, position.seat, agreed)
    worth = Worth(rules, None if score is None else check_score(score, rules))
    allowed = _allowed_trumps(hand, rules, trump)
    suits = allowed or SUITS

    def deals_of(infer: bool) -> PositionDeals:
        return PositionDeals(hand, position, rules, seating, seed, infer)

    sampler = deals_of(inference)
    plan = plan_of(samples, precision, predictor.engine, sampler.infers)
    table = Table(position, rules, seating, worth, executor)
    # Exact play of the other seats' rounds too would double the minutes of an exact answer.
    others = Predictor.of(rules, "lite", raw) if predictor.engine == "exact" else predictor
    lowest = next(iter(next_bids(rules, position.auction.high_bid)), rules.minimum)
    outcomes: dict[Suit, Outcomes] = {}
    pricings: dict[Suit, Pricing] = {}
    live = list(suits)
    hands = np.zeros((0, 4), dtype=np.uint64)
    done, look = 0, min(FIRST_LOOK, plan.budget)
    while True:
        deals, seats = sampler.take(look - done, executor)
        if len(deals) < min(look, LEAST_DEALS) * ROTATIONS and done == 0:
            # So few deals fit the calls that they are better not read.
            sampler = deals_of(False)
            deals, seats = sampler.take(look, executor)
        if len(deals):
            named = [(deals, np.full(len(deals), suit, dtype=np.int64)) for suit in live]
            for suit, more in zip(live, play_sets(named, predictor, executor), strict=True):
                outcomes[suit] = outcomes[suit].extended(more) if suit in outcomes else more
                pricings[suit] = Pricing(outcomes[suit], rules)
            if table.lacks():
                table.extend(deals, seats, others)
            if len(hands) < ROTATIONS * READ_SAMPLES:
                hands = np.concatenate([hands, deals.hands])
        short = done + len(deals) // ROTATIONS < look
        done += len(deals) // ROTATIONS
        racing = {suit: pricings[suit] for suit in live}
        ceilings = {
            suit: table.ceiling(racing[suit], racing, _top(racing[suit])) if allowed else None
            for suit in racing
        }
        best, at = _question(racing, ceilings, lowest)
        leads = {suit: _paired(pricings[best], pricings[suit], at) for suit in live if suit != best}
        if done >= FIRST_LOOK:
            hopeless = [
                suit
                for suit, lead in leads.items()
                if lead.mean > DROP_AT * lead.se
                and (low := _paired(pricings[best], pricings[suit], lowest)).mean > DROP_AT * low.se
            ]
            live = [suit for suit in live if suit not in hopeless]
        clear = not plan.resolve_ties or all(
            lead.mean > DROP_AT * lead.se or lead.se <= INDIFFERENCE
            for suit, lead in leads.items()
            if suit in live
        )
        precise = is_precise(pricings[best], plan)
        if short or done >= plan.budget or (plan.precision is not None and precise and clear):
            break
        look = max(next_look(pricings[best], done, plan), min(done + 256, plan.budget))

    racing = {suit: pricings[suit] for suit in live}
    for suit in pricings.keys() - ceilings.keys():
        # Dropped before the last look, at which the others' were found.
        ceilings[suit] = None
        if allowed and not call_only:
            ceilings[suit] = table.ceiling(pricings[suit], racing, _top(pricings[suit]))
    best, at = _question(racing, {suit: ceilings[suit] for suit in racing}, lowest)
    bids = _bids_in_tens(pricings[best], lowest)
    decision = decide(table, racing, bool(allowed), ceilings[best], bids, not call_only)
    # The trump is that of the bid at which we get the hand, not of the last one we would make.
    likely = decision.likely_bid
    if likely is not None:
        at = max(round_down_to_legal(rules, likely) or lowest, lowest)
        before, best = best, _best_at(racing, at)
        if best != before:
            decision = decide(table, racing, bool(allowed), ceilings[best], bids, not call_only)
    read: tuple[Inference, ...] = ()
    if sampler.infers and not call_only:
        every, _ = deals_of(False).take(READ_SAMPLES)
        read = read_calls(
            position,
            agreed,
            predictor.rules,
            seating,
            hands,
            every.hands,
            sampler.explained,
            rules.scale,
        )
    return Found(
        hand, rules, predictor, plan, seed, outcomes, pricings, ceilings, best, at, lowest,
        bool(allowed), decision,
        Auctioned(
            agreed, inference, sampler.infers, sampler.is_exhausted, sampler.share_kept, read
        ),
    )  # fmt: skip


def _dead(pricing: Pricing, bid: int) -> DeadHands:
    dead = pricing.out_of_reach(bid)
    return DeadHands(estimate(dead), estimate(np.where(dead, pricing.differences(bid), 0)))


def _top(pricing: Pricing) -> int:
    """Return the highest bid that is made often enough to be looked at."""
    return pricing.quantile_bid(LEAST_P)


def _advice(
    found: Found, samples: int | None, precision: float | None, fixed_trump: Suit | None
) -> BidAdvice:
    hand, rules, predictor, plan = found.hand, found.rules, found.predictor, found.plan
    outcomes, pricings, ceilings = found.outcomes, found.pricings, found.ceilings
    best, at, lowest, decision = found.best, found.at, found.lowest, found.decision
    melds = meld_by_trump(hand, rules)
    most = max(item.samples for item in outcomes.values())
    estimates = []
    for suit in outcomes:
        pricing, outcome = pricings[suit], outcomes[suit]
        bids = _bids_in_tens(pricing, rules.minimum)
        estimates.append(
            TrumpEstimate(
                trump=suit,
                meld=melds[suit],
                team_meld=estimate(outcome.our_meld),
                tricks=estimate(outcome.our_tricks),
                score=estimate(pricing.score),
                score_sd=float(np.std(pricing.score)),
                quartiles=(pricing.quantile_bid(0.75), pricing.quantile_bid(0.25)),
                samples=outcome.samples,
                dropped=outcome.samples < most,
                p_make={bid: pricing.p_make(bid) for bid in bids},
                take={bid: pricing.take(bid) for bid in bids},
                ceiling=ceilings[suit],
                behind=found.behind(suit),
                histogram=Histogram.of(pricing.score),
            )
        )
    estimates.sort(key=lambda item: (item.trump != best, item.behind.mean, item.trump))
    top = pricings[best]
    bid = found.bid
    settled = (
        is_precise(top, plan)
        and not any(item.tied for item in estimates[1:])
        and not decision.close
    )
    safe, standard, suggested = (
        _highest_legal(rules, top.quantile_bid(share)) for share in (SAFE, STANDARD, SUGGESTED)
    )
    below = [bid for bid in (suggested, standard, safe, lowest) if bid and lowest <= bid < at]
    return BidAdvice(
        hand=hand,
        rules=rules,
        engine=predictor.engine,
        correction=None if predictor.correction is None else predictor.correction.version,
        seed=found.seed,
        samples=outcomes[best].samples,
        asked_samples=samples,
        asked_precision=precision,
        fixed_trump=fixed_trump,
        suggestion=Suggestion(
            action="pass" if bid is None else "bid",
            trump=best,
            bid=bid,
            ceiling=bid,
            safe=safe,
            standard=standard,
            suggested=suggested,
            at=at,
            settled=settled,
            may_name=found.may_name,
            lower=_better_below(pricings, best, below),
            forced=_forced(pricings, rules) if found.may_name else None,
        ),
        decision=decision,
        dead=_dead(top, at),
        auctioned=found.auctioned,
        trumps=tuple(estimates),
        explanation=explain(hand, outcomes[best], melds[best], rules),
    )
