"""One block of deals on which rules of jumping meet: bid out both ways, played, and added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from advisor.bidding import (
    STANDARD_STYLE,
    BiddingStyle,
    auction_array,
    bidding_array,
    meaning_array,
    silent_reading,
)
from advisor.errors import OptionError
from advisor.game.conventions import PRESETS, Convention
from advisor.game.rules import PRESETS as PRESET_RULES
from advisor.game.rules import Rules
from advisor.game_win import win_chance
from advisor.jump_rows import Opponents
from advisor.kernels import bidding as kernel
from advisor.kernels import league, signals
from advisor.kernels.tables import END_CONTRACT, END_DECLARER, END_TOLD, N_END, bid_tables
from advisor.league import look_of
from advisor.paired import Paired
from advisor.playing import Predictor, rule_array
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.registry import rule_of
from advisor.rules_of_bidding.rule import LADDER, Rule
from advisor.tables import NONE, Table
from advisor.valuation import valuation_weights

Array = np.ndarray[Any, Any]

# Of a chance to win the game; whole numbers, so that sums are exact.
WIN_UNITS: Final = 100_000
PILOT_DEALS: Final = 2048
_PILOT_SEED: Final = 1
# What is counted of each rule, over both ways of playing each deal.
COUNTED: Final = ("jumps", "helps", "shown", "acted", "contracts", "bids", "made")


@dataclass(frozen=True, slots=True)
class Side:
    """How the two partners of a side bid.

    Parameters
    ----------
    convention : Convention
    style : BiddingStyle, optional
    rule : Rule, optional
        A rule of bidding by whose limits, trumps and habits they bid instead: then nothing is
        agreed, and the style is set aside.
    """

    convention: Convention = PRESETS["none"]
    style: BiddingStyle = STANDARD_STYLE
    rule: Rule | None = None

    @classmethod
    def of(cls, opponents: Opponents) -> Side:
        """Return the side that bids as was asked."""
        rule = None if opponents.rule is None else rule_of(opponents.rule)
        return cls(opponents.convention, rule=rule)


@dataclass(frozen=True)
class Contest:
    """What meets what.

    Parameters
    ----------
    sides : sequence of Side
        The rules compared, of which the first is the base.
    rules : Rules, optional
    opponents : Side, optional
        The rule of the other side, the same against all.
    engine : str, optional
        How contracts are played out.
    raw : bool, optional
        Whether to leave out the correction to real play.
    seed : int, optional
    first_only : bool, optional
        Whether only the first to call of two partners may jump.
    held : tuple of int, optional
        Packed hands, of which our side always holds one.
    score : tuple of int, optional
        Points of our side and theirs before each deal.
    silence_tells : bool, optional
        Whether our side also reads a first bid that is no jump. Not where only the first to call
        may jump: there it tells nothing of the second.
    """

    sides: tuple[Side, ...]
    rules: Rules = PRESET_RULES["cardgames"]
    opponents: Side = Side()
    engine: str = "policy"
    raw: bool = False
    seed: int = 0
    first_only: bool = False
    held: tuple[int, ...] = ()
    score: tuple[int, int] = (0, 0)
    silence_tells: bool = False

    @cached_property
    def predictor(self) -> Predictor:
        """How contracts are played out."""
        return Predictor.of(self.rules, self.engine, self.raw)

    @cached_property
    def packed(self) -> Array:
        """The hands that our side may hold, uint64."""
        return np.array(self.held, dtype=np.uint64)

    @property
    def judged(self) -> Array:
        """Rounds by which a declarer judges whether to throw in."""
        # Exact play would take minutes and say the same.
        engine = "lite" if self.engine == "exact" else self.engine
        return _pilot(self.rules, engine, self.raw)


@lru_cache(maxsize=8)
def _pilot(rules: Rules, engine: str, raw: bool) -> Array:
    table = Table.at(range(PILOT_DEALS), _PILOT_SEED, rules, Predictor.of(rules, engine, raw))
    played = table.run((STANDARD_STYLE, STANDARD_STYLE))
    found: Array = played.outcomes[played.declarer >= 0]
    return found


@dataclass(frozen=True, slots=True)
class Tally:
    """What some deals came to, every one of them played both ways under every rule.

    Parameters
    ----------
    points : Paired
        Our score less theirs, both ways added up.
    wins : Paired
        The chance to win the game after it, in 1/`WIN_UNITS`, both ways added up.
    counts : tuple of tuple of int
        For each rule the numbers of `COUNTED`.
    """

    points: Paired
    wins: Paired
    counts: tuple[tuple[int, ...], ...]

    @classmethod
    def none(cls, rules: int) -> Tally:
        """Return the tally of no deals."""
        return cls(Paired.none(rules), Paired.none(rules), ((0,) * len(COUNTED),) * rules)

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.points.count

    def __add__(self, other: Tally) -> Tally:
        counts = tuple(
            tuple(a + b for a, b in zip(one, two, strict=True))
            for one, two in zip(self.counts, other.counts, strict=True)
        )
        return Tally(self.points + other.points, self.wins + other.wins, counts)

    def stored(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        return {
            "deals": self.deals,
            "points": [list(self.points.totals), [list(row) for row in self.points.products]],
            "wins": [list(self.wins.totals), [list(row) for row in self.wins.products]],
            "counts": [list(row) for row in self.counts],
        }

    @classmethod
    def restored(cls, stored: Mapping[str, Any], rules: int) -> Tally:
        """Return the tally of `stored`.

        Raises
        ------
        OptionError
            If it is none of so many rules.

        >>> Tally.restored(Tally.none(3).stored(), 3) == Tally.none(3)
        True
        """
        try:
            deals = _whole(stored["deals"])
            parts = [_paired(deals, stored[name], rules) for name in ("points", "wins")]
            counts = _table(stored["counts"], rules, len(COUNTED))
            if any(not 0 <= number <= deals << 20 for row in counts for number in row):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise OptionError("resume: expected the sums of a run, found others") from None
        return cls(parts[0], parts[1], counts)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError
    return value


def _table(value: Any, rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    table = tuple(tuple(_whole(number) for number in row) for row in value)
    if len(table) != rows or any(len(row) != columns for row in table):
        raise ValueError
    return table


def _paired(deals: int, value: Any, rules: int) -> Paired:
    totals, products = value
    found = Paired(deals, _table([totals], 1, rules)[0], _table(products, rules, rules))
    if not found.is_possible:
        raise ValueError
    return found


def tally(contest: Contest, indices: range) -> Tally:
    """Return what the deals of some indices come to under every rule.

    A deal does not depend on those beside it, so blocks of any size add up to the same.
    """
    return _Block(contest, indices).tally()


class _Block:
    """Some deals of a contest, with what is worked out once for all rules."""

    def __init__(self, contest: Contest, indices: range) -> None:
        self._contest = contest
        self._rules = rule_array(contest.rules)
        self._auction = auction_array(contest.rules)
        self.table = Table.at(
            indices, contest.seed, contest.rules, contest.predictor, contest.packed, contest.judged
        )
        if contest.held and not contest.first_only:
            # Every other deal our hand is the second of its side to call.
            later = np.arange(indices.start, indices.stop) % 2 == 1
            self.table.hands[later] = np.roll(self.table.hands[later], 2, axis=1)
        self._found: dict[tuple[object, ...], Array] = {}

    def _every_hand(self) -> Array:
        return self.table.hands.ravel()

    def _looks(self, model: str) -> Array:
        """Return limit and trump of each hand, int64, shape (n, 4, N_FOUND)."""
        if (model,) not in self._found:
            hands = self._every_hand()
            found = np.zeros((len(hands), signals.N_FOUND), dtype=np.int64)
            no_meanings = meaning_array((NONE, NONE), self._contest.rules)
            signals.look_at_hands(hands, self._rules, no_meanings, valuation_weights(model), found)
            self._found[model,] = found.reshape(-1, 4, signals.N_FOUND)
        return self._found[model,]

    def _looks_by(self, rule: Rule) -> Array:
        """Return limit and trump of each hand by a rule of bidding, int64, shape (n, 4, 2)."""
        if (rule,) not in self._found:
            hands = Hands(self._every_hand(), self._contest.rules, self._contest.seed)
            self._found[rule,] = look_of(rule, hands)
        return self._found[rule,]

    def _amounts(self, shows: int, model: str) -> Array:
        """Return how much each hand has of what a call may show, int64, shape (n, 4)."""
        if (shows, model) not in self._found:
            hands = self._every_hand()
            found = np.zeros(len(hands), dtype=np.int64)
            signals.quantities(hands, shows, self._rules, valuation_weights(model), found)
            self._found[shows, model] = found.reshape(-1, 4)
        return self._found[shows, model]

    def _marks(self, side: Side) -> Array:
        """Return which meanings of a convention each hand fits, as bits, shape (n, 4)."""
        marks = np.zeros((self.table.count, 4), dtype=np.int64)
        for bit, (_, shows, low, high, _) in enumerate(
            side.convention.usable(self._contest.rules).as_rows()
        ):
            amounts = self._amounts(shows, side.style.model)
            marks |= ((amounts >= low) & (amounts <= high)).astype(np.int64) << bit
        return marks

    def _seats(self, sides: Sequence[Side], turn: int, jumper: int) -> Array:
        """Return limit, trump and marks of each seat, int64, shape (n, 4, 3).

        Parameters
        ----------
        sides : sequence of two Side
            Of seats 0 and 2, and of seats 1 and 3.
        turn : int
            By how many seats the cards move on.
        jumper : int
            The side of which only the first to call jumps where the contest says so.
        """
        seats = np.zeros((self.table.count, 4, 3), dtype=np.int64)
        for seat in range(4):
            side, hand = sides[seat & 1], (seat - turn) & 3
            if side.rule is not None:
                looks = self._looks_by(side.rule)[:, hand]
                seats[:, seat, signals.FOUND_LIMIT] = looks[:, league.LOOK_LIMIT]
                seats[:, seat, signals.FOUND_TRUMP] = looks[:, league.LOOK_TRUMP]
                continue
            looks = self._looks(side.style.model)[:, hand]
            noise = np.rint(side.style.noise * self.table.draws[:, hand]).astype(np.int64)
            limits = looks[:, signals.FOUND_LIMIT] + side.style.offset + noise
            seats[:, seat, signals.FOUND_LIMIT] = limits
            seats[:, seat, signals.FOUND_TRUMP] = looks[:, signals.FOUND_TRUMP]
            marks = self._marks(side)[:, hand]
            if self._contest.first_only and seat == jumper + 2:
                rows = side.convention.usable(self._contest.rules).as_rows()
                jumps = sum(1 << bit for bit, row in enumerate(rows) if row[0] > 0)
                marks = marks & ~np.int64(jumps)
            seats[:, seat, signals.FOUND_MARKS] = marks
        return seats

    def _ends(self, seats: Array, bidding: Array, sides: Sequence[Side]) -> Array:
        ends = np.zeros((self.table.count, N_END), dtype=np.int64)
        meanings = meaning_array([side.convention for side in sides], self._contest.rules)
        by_habit = np.array([side.rule is not None for side in sides])
        habits = np.stack(
            [(side.rule.habits if side.rule else LADDER).as_array() for side in sides]
        )
        bid_tables(seats, self._auction, bidding, meanings, by_habit, habits, ends)
        return ends

    def _play(self, side: Side, ours: int) -> tuple[Array, Array, list[int]]:
        """Return points and chances of each deal, and the counts, with our rule on one side."""
        contest = self._contest
        sides = [contest.opponents, contest.opponents]
        sides[ours] = side
        # The cards our side has to hold move along with it; random ones stay, and the rules move.
        turn = ours if contest.held else 0
        seats = self._seats(sides, turn, ours)
        bidding = bidding_array(
            [item.style for item in sides], [item.convention for item in sides], contest.rules
        )
        if contest.silence_tells and not contest.first_only:
            silent = silent_reading(side.convention, contest.rules)
            bidding[ours, kernel.BID_READINGS + kernel.TOLD_BID] = silent
        ends = self._ends(seats, bidding, sides)
        declarer, contract = ends[:, END_DECLARER], ends[:, END_CONTRACT]
        taken = declarer >= 0
        trump = np.where(taken, seats[np.arange(len(seats)), declarer, signals.FOUND_TRUMP], 0)
        played = self.table.play_out(np.where(taken, (declarer - turn) & 3, -1), contract, trump)
        we, they = (ours - turn) & 1, (ours - turn + 1) & 1
        us, them = played.points[:, we], played.points[:, they]
        mine = taken & (declarer & 1 == ours)
        chances = win_chance(contest.score[0] + us, contest.score[1] + them, mine, contest.rules)
        told = ends[:, END_TOLD + ours : END_TOLD + 4 : 2]
        jumps = (told >= kernel.TOLD_JUMP).any(axis=1)
        helps = (told == kernel.TOLD_HELP).any(axis=1)
        shown = jumps | helps
        acted = np.zeros_like(shown)
        if shown.any():
            # What would have come of it had partner not read what was shown.
            deaf = bidding.copy()
            deaf[ours, kernel.BID_READINGS :] = 0
            other = self._ends(seats, deaf, sides)[:, : END_CONTRACT + 1]
            acted = shown & (other != ends[:, : END_CONTRACT + 1]).any(axis=1)
        counts = [int(flags.sum()) for flags in (jumps, helps, shown, acted, mine)]
        counts += [int(contract[mine].sum()), int(played.made[mine].sum())]
        return us - them, np.rint(chances * WIN_UNITS).astype(np.int64), counts

    def tally(self) -> Tally:
        """Return what the deals come to, every rule on either side once."""
        points, wins, counts = [], [], []
        for side in self._contest.sides:
            here, there = (self._play(side, ours) for ours in range(2))
            points.append(here[0] + there[0])
            wins.append(here[1] + there[1])
            counts.append(tuple(a + b for a, b in zip(here[2], there[2], strict=True)))
        return Tally(
            Paired.of(np.stack(points, axis=1)), Paired.of(np.stack(wins, axis=1)), tuple(counts)
        )
