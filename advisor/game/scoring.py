"""Scoring of a round: made, set or thrown in, and the end of the game.

Points are on the x10 scale (source: cardgames.io, house rules from pagat.com). "Declarers"
is the side that has the bid, "defenders" the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from advisor.errors import OptionError, RulesError
from advisor.game.rules import Rules

Side: TypeAlias = Literal[0, 1]


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What one round adds to each side's score, in points, and whether the bid was made."""

    declarers: int
    defenders: int
    made: bool


def may_throw_in(rules: Rules, bid: int, our_meld: int) -> bool:
    """Return whether the declarer may give the hand up before the first trick.

    Parameters
    ----------
    rules : Rules
        The house rules; `throw_in` decides, with the points of all tricks as the boundary.
    bid : int
        The contract, in points.
    our_meld : int
        Meld of the declarer's side, in points.

    >>> [may_throw_in(Rules(throw_in=rule), 330, 80) for rule in ("over-250", "from-250", "any")]
    [False, True, True]
    """
    short = bid - our_meld
    if rules.throw_in == "over-250":
        return short > rules.trick_total
    if rules.throw_in == "from-250":
        return short >= rules.trick_total
    return rules.throw_in == "any" and short > 0


def keeps_meld(
    rules: Rules, tricks: int, trick_count: int | None = None, dix_only: bool = False
) -> bool:
    """Return whether a side that must save its meld has done so.

    Parameters
    ----------
    rules : Rules
        The house rules; `save_meld` and `dix_saves` decide.
    tricks : int
        Points the side took in tricks.
    trick_count : int or None
        Tricks it took; None if unknown, and then only tricks with points count.
    dix_only : bool
        Whether its meld is nothing but dix.

    >>> keeps_meld(Rules(), 0, 1), keeps_meld(Rules(save_meld="trick"), 0, 1)
    (False, True)
    """
    if rules.save_meld == "none" or (rules.dix_saves and dix_only):
        return True
    if rules.save_meld == "trick" and trick_count is not None:
        return trick_count > 0
    return tricks > 0


def score_round(
    rules: Rules,
    bid: int,
    our_meld: int,
    our_tricks: int,
    their_meld: int,
    their_tricks: int,
    *,
    our_trick_count: int | None = None,
    their_trick_count: int | None = None,
    our_dix_only: bool = False,
    their_dix_only: bool = False,
    thrown_in: bool = False,
) -> RoundScore:
    """Return the score of one round; "our" side is the declarer's.

    Parameters
    ----------
    rules : Rules
        The house rules.
    bid : int
        The contract, in points.
    our_meld, their_meld : int
        Meld of each side, in points.
    our_tricks, their_tricks : int
        Points in tricks, the last trick included; together all of them. Not looked at when the
        hand is thrown in.
    our_trick_count, their_trick_count : int or None
        Tricks won, for a table where one trick saves the meld; None if unknown.
    our_dix_only, their_dix_only : bool
        Whether a side's meld is nothing but dix.
    thrown_in : bool
        Whether the declarer gave the hand up after melding.

    Returns
    -------
    RoundScore
        The bid is lost if it is not reached, or if the declarers must save their meld and do
        not; the defenders score meld and tricks, or nothing if they do not save their meld.

    Raises
    ------
    OptionError
        If the points are impossible.
    RulesError
        If the hand may not be thrown in.

    >>> score_round(Rules(), 300, 120, 180, 60, 70)
    RoundScore(declarers=300, defenders=130, made=True)
    >>> score_round(Rules(), 330, 80, 0, 90, 0, thrown_in=True)
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: throw_in: expected a bid more than 250 above the meld, \
found bid 330 and meld 80
    """
    if bid <= 0 or our_meld < 0 or their_meld < 0:
        raise OptionError(
            f"expected a bid above 0 and melds of 0 or more, found bid {bid}, melds {our_meld} "
            f"and {their_meld}"
        )
    if thrown_in:
        if not may_throw_in(rules, bid, our_meld):
            raise RulesError(
                f"throw_in: expected {_throw_in_text(rules)}, found bid {bid} and meld {our_meld}"
            )
        return RoundScore(-bid, their_meld, False)
    if min(our_tricks, their_tricks) < 0 or our_tricks + their_tricks != rules.trick_total:
        raise OptionError(
            f"expected trick points of two sides that make {rules.trick_total}, found "
            f"{our_tricks} and {their_tricks}"
        )
    made = our_meld + our_tricks >= bid
    if rules.save_meld_bidder:
        made = made and keeps_meld(rules, our_tricks, our_trick_count, our_dix_only)
    saved = keeps_meld(rules, their_tricks, their_trick_count, their_dix_only)
    return RoundScore(
        declarers=our_meld + our_tricks if made else -bid,
        defenders=their_meld + their_tricks if saved else 0,
        made=made,
    )


def _throw_in_text(rules: Rules) -> str:
    return {
        "over-250": f"a bid more than {rules.trick_total} above the meld",
        "from-250": f"a bid at least {rules.trick_total} above the meld",
        "any": "a bid above the meld",
        "never": "the hand to be played",
    }[rules.throw_in]


def winner(rules: Rules, scores: tuple[int, int], bidder_side: Side) -> Side | None:
    """Return the side that has won the game after a round, or None if it goes on.

    Parameters
    ----------
    rules : Rules
        The house rules; `target` and `tie_rule` decide.
    scores : tuple of int
        Points of side 0 (seats 1 and 3) and side 1 (seats 2 and 4).
    bidder_side : int
        The side that had the bid in the round just scored.

    Returns
    -------
    int or None
        Equal scores go to the side that had the bid, also where the highest score wins: no
        source says otherwise.

    >>> winner(Rules(), (1520, 1600), 0), winner(Rules(tie_rule="highest"), (1520, 1600), 0)
    (0, 1)
    """
    there = [score >= rules.target for score in scores]
    if not any(there):
        return None
    if not all(there):
        return 0 if there[0] else 1
    if rules.tie_rule == "highest" and scores[0] != scores[1]:
        return 0 if scores[0] > scores[1] else 1
    return bidder_side
