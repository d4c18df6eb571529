"""Jump thresholds compared: rules of jumping against the same opponents, on the same deals.

One side bids by a threshold, and its partner reads what a jump shows; the other follows a fixed
rule. Every deal is played twice, with the sides exchanged, and a deal's value is the mean of both,
so that identical rules come to exactly nothing. Rules are compared by paired differences.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final

from advisor import __version__
from advisor.errors import OptionError
from advisor.game.cards import Hand
from advisor.game.meanings import QUANTITIES
from advisor.game.rules import Rules, check_rules
from advisor.jump_rows import (
    SHOWN,
    STANDARD,
    Row,
    check_jump_seat,
    check_shown,
    read_opponents,
    threshold_rows,
)
from advisor.jump_tables import COUNTED, WIN_UNITS, Contest, Side, Tally, tally
from advisor.kernels._jit import kernel_fingerprint
from advisor.league import SIMULATING_DEALS
from advisor.limits import (
    MAX_DEALS,
    MAX_SEED,
    check_engine,
    check_precision,
    check_score,
    check_whole,
)
from advisor.pricing import TIE_WITHIN, Estimate
from advisor.resume import Resume
from advisor.rules_of_bidding.names import SIMULATING
from advisor.simulate import available_threads, check_hand

DEFAULT_DEALS: Final = 20_000
# The exact engine takes half a second a contract.
EXACT_DEALS: Final = 64
# Before so many deals a standard error is not trusted to stop a run.
LEAST_DEALS: Final = 2048
_BLOCK_AUCTIONS: Final = 24_576
_LARGEST_BLOCK: Final = 4096
_SMALLEST_BLOCK: Final = 256
# Both ways of playing a deal are added up; a value is their mean.
_WAYS: Final = 2


@dataclass(frozen=True, slots=True)
class Result:
    """What one rule came to. Shares are 0 to 1, points x10.

    Parameters
    ----------
    jumps, helps : float
        Share of auctions in which our side jumped, and passed with help.
    acted : float
        Share of those in which the auction ended otherwise because partner read it.
    contracts, bid, made : float
        Share of auctions that our side got, its average bid, and the share of those made; 0 where
        it never got one.
    value : Estimate
        Our score less theirs, points a deal.
    diff : Estimate
        Paired difference from the first rule, points a deal.
    win, win_diff : Estimate
        Chance to win the game after a deal, and its paired difference from the first rule.
    behind : Estimate
        Paired difference of the best rule from this one, points a deal.
    best, tied : bool
        Whether it has the highest value, and whether it is within 2 standard errors of that.
    """

    jumps: float
    helps: float
    acted: float
    contracts: float
    bid: float
    made: float
    value: Estimate
    diff: Estimate
    win: Estimate
    win_diff: Estimate
    behind: Estimate
    best: bool
    tied: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the rules of a contest came to.

    Parameters
    ----------
    contest : Contest
    found : Tally
    """

    contest: Contest
    found: Tally

    @property
    def deals(self) -> int:
        """Deals, each played twice under every rule."""
        return self.found.deals

    @property
    def best(self) -> int:
        """The rule of the highest value, the first of equals."""
        totals = self.found.points.totals
        return totals.index(max(totals))

    def difference(self, rule: int, base: int) -> Estimate:
        """Return the mean of a rule's value less another's, points a deal, paired."""
        return self.found.points.difference(rule, base, _WAYS)

    def result(self, rule: int) -> Result:
        """Return what a rule came to."""
        found, best = self.found, self.best
        count = dict(zip(COUNTED, found.counts[rule], strict=True))
        auctions = _WAYS * self.deals
        behind = self.difference(best, rule)
        unit = _WAYS * WIN_UNITS
        return Result(
            jumps=count["jumps"] / auctions,
            helps=count["helps"] / auctions,
            acted=count["acted"] / max(count["shown"], 1),
            contracts=count["contracts"] / auctions,
            bid=count["bids"] / max(count["contracts"], 1),
            made=count["made"] / max(count["contracts"], 1),
            value=found.points.mean(rule, _WAYS),
            diff=self.difference(rule, 0),
            win=found.wins.mean(rule, unit),
            win_diff=found.wins.difference(rule, 0, unit),
            behind=behind,
            best=rule == best,
            tied=rule != best and not abs(behind.mean) > TIE_WITHIN * behind.se,
        )

    @property
    def results(self) -> tuple[Result, ...]:
        """What each rule came to, in the order of the contest."""
        return tuple(self.result(rule) for rule in range(len(self.contest.sides)))


class JumpRun:
    """A comparison under way: it can be stopped at any time, and goes on where a file left it.

    Parameters
    ----------
    contest : Contest
    deals : int
        Where to stop.
    precision : float, optional
        Standard error, in points a deal, of the widest difference from the base at which to stop.
    resume : Resume, optional
        Where what was found is kept.
    block : int, optional
        Deals to a block. What a number of deals comes to does not depend on it.

    >>> run = JumpRun(Contest((Side(), Side())), 100)
    >>> run.run()
    >>> run.comparison.difference(1, 0)
    Estimate(mean=0.0, se=0.0)
    """

    def __init__(
        self,
        contest: Contest,
        deals: int,
        precision: float | None = None,
        resume: Resume | None = None,
        block: int | None = None,
    ) -> None:
        self.contest = contest
        self.deals = deals
        self._precision = precision
        self._resume = resume
        self._block = block or _block_of(contest)
        self.found = Tally.none(len(contest.sides))
        work = None if resume is None else resume.load()
        if work is not None:
            try:
                self.found = Tally.restored(work, len(contest.sides))
            except OptionError as error:
                raise OptionError(f"{error} in {resume}") from None
            if self.found.deals > deals:
                raise OptionError(
                    f"resume: {resume} has {self.found.deals} deals; expected --deals of at least "
                    f"as many, found {deals}"
                )

    @property
    def auctions(self) -> int:
        """Auctions bid and played."""
        return _WAYS * len(self.contest.sides) * self.found.deals

    @property
    def progress(self) -> tuple[int, int, int]:
        """Deals done, deals that are likely to be enough, and auctions done."""
        deals, found = self.deals, self.found
        if self._precision is not None and found.deals > 1:
            need = found.deals * (self._widest() / self._precision) ** 2
            deals = max(found.deals, min(deals, round(need), MAX_DEALS))
        return found.deals, deals, self.auctions

    def _widest(self) -> float:
        points = self.found.points
        return max(points.difference(i, 0, _WAYS).se for i in range(len(self.contest.sides)))

    @property
    def comparison(self) -> Comparison:
        """What is known so far."""
        return Comparison(self.contest, self.found)

    @property
    def is_done(self) -> bool:
        """Whether there are deals enough, or the precision is reached."""
        found = self.found
        if found.deals >= self.deals:
            return True
        if self._precision is None or found.deals < LEAST_DEALS:
            return False
        return self._widest() <= self._precision

    def run(
        self,
        executor: Executor | None = None,
        ahead: int = 2,
        tell: Callable[[JumpRun], None] | None = None,
    ) -> None:
        """Play until done.

        Parameters
        ----------
        executor : concurrent.futures.Executor, optional
            Where blocks run; in this thread by default.
        ahead : int, optional
            Blocks under way at a time. Those beyond the stop are not counted, so that the result
            is the same for any number.
        tell : callable, optional
            Told after each block.
        """
        if not self.is_done:
            # Once, before threads would each find it for themselves.
            _ = self.contest.judged
        pending: deque[Future[Tally]] = deque()
        start = self.found.deals
        while not self.is_done:
            while start < self.deals and len(pending) < (1 if executor is None else ahead):
                indices = range(start, min(start + self._block, self.deals))
                pending.append(_begun(executor, self.contest, indices))
                start = indices.stop
            # One assignment, so that an interruption leaves whole blocks.
            self.found = self.found + pending.popleft().result()
            if self._resume is not None:
                self._resume.save(self.found.stored())
            if tell is not None:
                tell(self)
        for future in pending:
            future.cancel()


def compare_jumps(
    on: str = "meld",
    thresholds: Sequence[int] | None = None,
    pass_help: Sequence[int] = (),
    *,
    rules: Rules | str | None = None,
    opponents: str = STANDARD,
    jump_seat: str = "any",
    hands: Sequence[Hand] = (),
    score: tuple[int, int] = (0, 0),
    deals: int | None = None,
    precision: float | None = None,
    seed: int = 0,
    engine: str = "policy",
    raw: bool = False,
    executor: Executor | None = None,
) -> Comparison:
    """Compare thresholds of a jump, and of a pass with help, on the same deals.

    Parameters
    ----------
    on : str, optional
        What is shown: ``meld``, ``value``, ``aces`` or ``missing-suit``.
    thresholds, pass_help : sequence of int, optional
        The least of it that a jump, and a pass with help, shows; points x10. By default usual ones
        of a jump where no pass with help is compared.
    rules : Rules or str, optional
        House rules, or the name of a preset; `cardgames` by default.
    opponents : str, optional
        The other side's rule: ``standard``, the name of a convention, with which it bids by the
        standard rule, or a rule of bidding of the league.
    jump_seat : str, optional
        ``first`` or ``any`` of two partners may jump.
    hands : sequence of Hand, optional
        Our side always holds one of them.
    score : tuple of int, optional
        Points x10 of our side and theirs before each deal.
    deals : int, optional
        Deals, each played twice; 20,000 by default, as many as it takes with a precision.
    precision : float, optional
        Standard error of the widest difference, in points a deal, at which to stop.
    seed : int, optional
    engine : str, optional
        How contracts are played out.
    raw : bool, optional
        Whether to leave out the correction to real play.
    executor : concurrent.futures.Executor, optional
        Where blocks run; the result is the same.

    Returns
    -------
    Comparison
        The base, which never shows anything, comes first.

    Raises
    ------
    HandError, OptionError, RulesError
        If an argument is outside its range.

    >>> found = compare_jumps("aces", [3], deals=200)
    >>> found.deals, found.result(0).jumps, found.result(1).diff.se > 0
    (200, 0.0, True)
    """
    house = check_rules(rules)
    shown = check_shown(on)
    least = SHOWN[shown][1] if thresholds is None and not pass_help else thresholds or ()
    most = QUANTITIES[SHOWN[shown][0]].most
    for name, numbers in (("thresholds", least), ("pass_help", pass_help)):
        for number in numbers:
            check_whole(name, number, 0, most)
    for hand in hands:
        check_hand(hand)
    if precision is not None:
        check_precision(precision)
    if deals is not None:
        check_whole("deals", deals, 1, MAX_DEALS)
    check_whole("seed", seed, 0, MAX_SEED)
    contest = Contest(
        tuple(Side(row.convention) for row in threshold_rows(shown, least, pass_help, house)),
        house,
        Side.of(read_opponents(opponents, house)),
        check_engine(engine),
        raw,
        seed,
        check_jump_seat(jump_seat) == "first",
        tuple(hand.packed for hand in hands),
        check_score(score, house),
    )
    run = JumpRun(contest, deals or default_deals(engine, precision), precision)
    run.run(executor, 2 * available_threads())
    return run.comparison


def default_deals(engine: str, precision: float | None) -> int:
    """Return how many deals are played where nobody says.

    >>> default_deals("policy", None), default_deals("policy", 0.5)
    (20000, 10000000)
    """
    if precision is not None:
        return MAX_DEALS
    return EXACT_DEALS if engine == "exact" else DEFAULT_DEALS


def run_settings(
    contest: Contest, on: str, rows: Sequence[Row], opponents: str
) -> dict[str, object]:
    """Return all that decides what a deal comes to, for the file that a run is kept in.

    The kernels are in it, and what players agreed on, so that sums are never mixed up with those
    of another version.
    """
    opposing = contest.opponents.convention
    hands = ",".join(map(str, contest.held))
    return {
        "kind": "jumps",
        "on": on,
        "thresholds": [[row.jump, row.pass_help] for row in rows],
        "rules": contest.rules.as_settings(),
        "opponents": opponents,
        "opponents_rows": [list(row) for row in opposing.as_rows()],
        "jump_seat": "first" if contest.first_only else "any",
        "hands": hashlib.sha256(hands.encode()).hexdigest() if hands else None,
        "engine": contest.engine,
        "raw": contest.raw,
        "score": list(contest.score),
        "silence_tells": contest.silence_tells,
        "seed": contest.seed,
        "version": __version__,
        "kernels": kernel_fingerprint(),
    }


def _begun(executor: Executor | None, contest: Contest, indices: range) -> Future[Tally]:
    if executor is not None:
        return executor.submit(tally, contest, indices)
    done: Future[Tally] = Future()
    done.set_result(tally(contest, indices))
    return done


def _block_of(contest: Contest) -> int:
    """Return how many deals take a fifth of a second or so."""
    if contest.engine == "exact":
        return 1
    if contest.opponents.rule is not None and contest.opponents.rule.name in SIMULATING:
        return SIMULATING_DEALS
    fitting = _BLOCK_AUCTIONS // (_WAYS * len(contest.sides))
    return max(_SMALLEST_BLOCK, min(fitting, _LARGEST_BLOCK))
