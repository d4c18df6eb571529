"""Deals played from the exchange on: rules and policy as arrays, engine and correction, outcomes.

A deal is four hands, declarer's first. Any seat may declare and any exchange be tried.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from advisor.engines import simulated_values
from advisor.game.cards import Suit
from advisor.game.rules import Rules
from advisor.kernels import packed, rounds
from advisor.kernels.kept import ReturnTables
from advisor.limits import (
    check_counting,
    check_engine,
    counts_in_tens,
    default_engine,
)
from advisor.policy import policy_array
from advisor.predict import Correction, corrections, in_points
from advisor.returning import return_tables

Array = np.ndarray[Any, Any]

# About 10 ms of work: Ctrl-C is felt at once, and one look at four trumps keeps all threads busy.
BLOCK_SAMPLES: Final = 1024
# An exact value takes about half a second.
EXACT_BLOCK_SAMPLES: Final = 1
# Returns that each thread remembers, a power of two. A hand gets some two thousand different sets
# of cards in each trump.
KNOWN_RETURNS: Final = 1 << 14
_THREAD: Final = threading.local()

_HEADING: Final[Mapping[str, int]] = MappingProxyType(
    {
        "always": packed.HEADING_ALWAYS,
        "trump-leads": packed.HEADING_TRUMP_LEADS,
        "after-ruff": packed.HEADING_AFTER_RUFF,
    }
)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What happened in each simulated round. Nothing about a bid is in it.

    Each sampled deal stands in one row and was played three times, with every hidden hand as
    partner's once; a row is one observation in every standard error.

    Parameters
    ----------
    trump : int
        That of the first round, where it is not the same in all.
    our_meld, their_meld, our_tricks, declarer_meld : int16 arrays, shape (n_samples, 3)
        Points of each side after the exchange, and declarer's own part of our meld.
    flags : int16 array, shape (n_samples, 3)
        Sums of the ``FLAG_`` values of `advisor.kernels.rounds`.
    received, returned : uint64 arrays, shape (n_samples, 3)
        Packed cards that declarer got and gave.
    lost_by_suit : int64 array, shape (4,)
        Points that the other side won, summed over all rounds by the suit led.
    """

    trump: Suit
    our_meld: Array
    their_meld: Array
    our_tricks: Array
    declarer_meld: Array
    flags: Array
    received: Array
    returned: Array
    lost_by_suit: Array

    @property
    def samples(self) -> int:
        """Number of sampled deals."""
        return len(self.our_meld)

    @property
    def score(self) -> Array:
        """Our meld and tricks together, int64, shape (n_samples, 3)."""
        return self.our_meld.astype(np.int64) + self.our_tricks

    def extended(self, more: Outcomes) -> Outcomes:
        """Return these outcomes followed by those of later samples."""
        joined = {
            name: np.concatenate([getattr(self, name), getattr(more, name)])
            for name in ("our_meld", "their_meld", "our_tricks", "declarer_meld", "flags")
        }
        return Outcomes(
            self.trump,
            **joined,
            received=np.concatenate([self.received, more.received]),
            returned=np.concatenate([self.returned, more.returned]),
            lost_by_suit=self.lost_by_suit + more.lost_by_suit,
        )


def rule_array(rules: Rules) -> Array:
    """Return the rule values that kernels read, as an int64 array of `packed.N_RULES`.

    >>> from advisor import Rules
    >>> int(rule_array(Rules())[packed.RULE_PASS_CARDS])
    4
    """
    values = np.zeros(packed.N_RULES, dtype=np.int64)
    values[packed.RULE_PASS_CARDS] = rules.pass_cards
    values[packed.RULE_HEADING] = _HEADING[rules.heading]
    values[packed.RULE_FIRST_LEAD_TRUMP] = rules.first_lead == "trump"
    values[packed.RULE_RUN_EXTRAS] = rules.run_extras
    values[packed.RULE_ROYAL_IN_RUN] = rules.royal_in_run
    values[packed.RULE_ROUNDHOUSE_BONUS] = rules.roundhouse_bonus
    values[packed.RULE_LAST_TRICK] = rules.last_trick
    values[packed.RULE_RANK_POINTS :] = rules.rank_points
    return values


def check_predictor(rules: Rules, engine: str | None, raw: bool) -> tuple[str, bool]:
    """Return the engine and whether its values are left raw, as the rules allow.

    The correction was fitted to play for 250 points in tens; where cards count otherwise only the
    raw policy is there.

    Raises
    ------
    OptionError
        If there is no such engine, or it cannot play under the rules.

    >>> check_predictor(Rules(), None, False), check_predictor(Rules(last_trick=20), None, False)
    (('lite', False), ('policy', True))
    """
    chosen = check_engine(default_engine(rules) if engine is None else engine)
    if chosen != "policy":
        check_counting(rules, chosen)
    return chosen, raw or not counts_in_tens(rules)


@dataclass(frozen=True, slots=True)
class Predictor:
    """How rounds are played out: rules and policy as arrays, engine, correction, returns.

    >>> Predictor.of(Rules(), None, False).engine
    'lite'
    """

    rules: Array
    policy: Array
    engine: str
    correction: Correction | None
    returns: ReturnTables = field(default_factory=return_tables)

    @classmethod
    def of(cls, rules: Rules, engine: str | None, raw: bool) -> Predictor:
        """Return the predictor that `check_predictor` allows.

        Raises
        ------
        OptionError
            If there is no such engine, or it cannot play under the rules.
        """
        engine, raw = check_predictor(rules, engine, raw)
        return cls(
            rule_array(rules), policy_array(), engine, None if raw else corrections()[engine]
        )

    @property
    def block_samples(self) -> int:
        """Deals that take a few milliseconds, or one where each takes longer."""
        return EXACT_BLOCK_SAMPLES if self.engine == "exact" else BLOCK_SAMPLES


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals to play: four hands each, declarer's first, then clockwise.

    Parameters
    ----------
    hands : uint64 array, shape (n_rounds, 4)
        Packed.
    states, turns : uint64 arrays, shape (n_rounds,)
        What chance decides in a round; see `advisor.kernels.rounds`.
    """

    hands: Array
    states: Array
    turns: Array

    def __len__(self) -> int:
        return len(self.hands)

    def __getitem__(self, rows: slice | Array) -> Deals:
        return Deals(self.hands[rows], self.states[rows], self.turns[rows])

    def declared_by(self, seat: int) -> Deals:
        """Return the same deals with another hand first: 1 for the left one, 2 for partner's.

        >>> from advisor import Hand
        >>> deals = deal_packed(Hand.parse("AATKQJ.AK.QJ.T9").packed, samples=1)
        >>> bool((deals.declared_by(2).hands[:, 0] == deals.hands[:, 2]).all())
        True
        """
        order = [(seat + place) % 4 for place in range(4)]
        return Deals(self.hands.take(order, axis=1), self.states, self.turns)


def joined(parts: Sequence[Deals]) -> Deals:
    """Return the deals of all parts, one after the other.

    >>> from advisor import Hand
    >>> deals = deal_packed(Hand.parse("AATKQJ.AK.QJ.T9").packed, samples=2)
    >>> len(joined([deals, deals[:3]]))
    9
    """
    return Deals(
        np.concatenate([part.hands for part in parts]),
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.turns for part in parts]),
    )


def deal_packed(hand: int, *, samples: int, first: int = 0, seed: int = 0) -> Deals:
    """Deal the unseen cards of a packed hand, three rounds a sample.

    >>> from advisor import Hand
    >>> deal_packed(Hand.parse("AATKQJ.AK.QJ.T9").packed, samples=5).hands.shape
    (15, 4)
    """
    n = rounds.ROTATIONS * samples
    hands = np.zeros((n, 4), dtype=np.uint64)
    states, turns = np.zeros(n, dtype=np.uint64), np.zeros(n, dtype=np.uint64)
    rounds.deal_rounds(np.uint64(hand), np.uint64(seed), first, hands, states, turns)
    return Deals(hands, states, turns)


def play(
    deals: Deals,
    trumps: Array,
    predictor: Predictor,
    sent: Array | None = None,
    given: Array | None = None,
) -> tuple[Array, Array]:
    """Play deals with the first hand as declarer, in this thread.

    Parameters
    ----------
    deals : Deals
    trumps : int64 array, shape (n_rounds,)
    predictor : Predictor
    sent, given : uint64 arrays, shape (n_rounds,), optional
        Cards of the exchange, packed; by default, and where 0, the policy chooses.

    Returns
    -------
    tuple of arrays
        Outcomes, shape (n_rounds, N_OUTCOME); cards, shape (n_rounds, PLAYED_HANDS).
    """
    n = len(deals)
    outcomes = np.empty((n, rounds.N_OUTCOME), dtype=np.int16)
    cards = np.empty((n, rounds.N_CARDS), dtype=np.uint64)
    nothing = np.zeros(n, dtype=np.uint64)
    hands = np.ascontiguousarray(deals.hands)
    rounds.play_rounds(
        hands,
        deals.states,
        deals.turns,
        trumps,
        nothing if sent is None else sent,
        nothing if given is None else given,
        predictor.rules,
        predictor.policy,
        predictor.returns,
        _returns_of(predictor, hands),
        outcomes,
        cards,
    )
    engine, correction = predictor.engine, predictor.correction
    tricks, chances = outcomes[:, rounds.OUR_TRICKS], cards[:, rounds.CHANCE]
    if engine != "policy":
        hands = cards[:, rounds.PLAYED_HANDS : rounds.PLAYED_HANDS + 4]
        values = simulated_values(np.ascontiguousarray(hands), predictor.rules, engine)
        outcomes[:, rounds.OUR_TRICKS] = (
            in_points(values) if correction is None else correction.points(values, tricks, chances)
        )
    elif correction is not None:
        outcomes[:, rounds.OUR_TRICKS] = correction.of_policy[tricks // 10, chances.astype(np.intp)]
    return outcomes, cards[:, : rounds.PLAYED_HANDS]


def _returns_of(predictor: Predictor, hands: Array) -> Array:
    """Return what this thread has found of declarer's returns with this predictor.

    Where one hand declares in all deals, partner sends the same cards again and again.
    """
    if not len(hands) or (hands[:, 0] != hands[0, 0]).any():
        return np.zeros((1, 3), dtype=np.uint64)
    # What is returned hangs on nothing but the cards, trump, these rules and fixed tables.
    rules, tables = predictor.rules.tobytes(), predictor.returns
    known = getattr(_THREAD, "returns", None)
    if known is None or known[0] != rules or known[1] is not tables:
        known = _THREAD.returns = rules, tables, np.zeros((KNOWN_RETURNS, 3), dtype=np.uint64)
    memory: Array = known[2]
    return memory


def load_kernels(predictor: Predictor) -> None:
    """Fetch the machine code that `play` needs, by a play of no deals."""
    nothing = np.zeros(0, dtype=np.uint64)
    deals = Deals(nothing.reshape(0, 4), nothing, nothing)
    play(deals, np.zeros(0, dtype=np.int64), predictor)


def play_all(
    deals: Deals,
    trumps: Array,
    predictor: Predictor,
    executor: Executor | None = None,
    block: int | None = None,
) -> Outcomes:
    """Play deals with the first hand as declarer, block by block.

    Parameters
    ----------
    deals : Deals
        Three rounds to a sample.
    trumps : int64 array, shape (n_rounds,)
    predictor : Predictor
    executor : concurrent.futures.Executor, optional
        Where blocks run; in this thread by default.
    block : int, optional
        Samples to a block. The outcomes do not depend on it.
    """
    return play_sets([(deals, trumps)], predictor, executor, block)[0]


def play_sets(
    sets: Sequence[tuple[Deals, Array]],
    predictor: Predictor,
    executor: Executor | None = None,
    block: int | None = None,
) -> list[Outcomes]:
    """Play sets of deals, as `play_all` does, with as few calls of the kernel as can be.

    Parameters
    ----------
    sets : sequence of (Deals, int64 array)
        Deals, not none, and their trumps.
    predictor, executor, block
        As for `play_all`.

    >>> play_sets([], Predictor.of(Rules(), None, False))
    []
    """
    if not sets:
        return []
    deals = sets[0][0] if len(sets) == 1 else joined([part for part, _ in sets])
    trumps = np.concatenate([part for _, part in sets])
    rows = rounds.ROTATIONS * (predictor.block_samples if block is None else block)
    parts: list[tuple[Array, Array]] = []
    pending: list[Future[tuple[Array, Array]]] = []
    for start in range(0, len(deals), rows):
        some = slice(start, start + rows)
        if executor is None:
            parts.append(play(deals[some], trumps[some], predictor))
        else:
            pending.append(executor.submit(play, deals[some], trumps[some], predictor))
    parts.extend(future.result() for future in pending)
    outcomes, cards = parts[0]
    if len(parts) > 1:
        outcomes, cards = (np.concatenate([part[i] for part in parts]) for i in range(2))
    found = []
    end = 0
    for part, named in sets:
        start, end = end, end + len(part)
        found.append(_outcomes_of(int(named[0]), outcomes[start:end], cards[start:end]))
    return found


def _outcomes_of(trump: Suit, outcomes: Array, cards: Array) -> Outcomes:
    lost = outcomes[:, rounds.LOST : rounds.LOST + 4].sum(axis=0, dtype=np.int64)
    shape = (len(outcomes) // rounds.ROTATIONS, rounds.ROTATIONS, -1)
    outcomes, cards = outcomes.reshape(shape), cards.reshape(shape)
    return Outcomes(
        trump=trump,
        our_meld=outcomes[..., rounds.OUR_MELD],
        their_meld=outcomes[..., rounds.THEIR_MELD],
        our_tricks=outcomes[..., rounds.OUR_TRICKS],
        declarer_meld=outcomes[..., rounds.DECLARER_MELD],
        flags=outcomes[..., rounds.FLAGS],
        received=cards[..., rounds.RECEIVED],
        returned=cards[..., rounds.RETURNED],
        lost_by_suit=lost,
    )
