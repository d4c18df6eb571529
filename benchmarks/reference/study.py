"""One declarer of the yardstick: his deals played by the sampling players, as a row of results."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from advisor.game.cards import SUIT_LETTERS, Hand
from advisor.game.rules import Rules
from advisor.kernels.rounds import OUR_TRICKS, ROTATIONS
from advisor.playing import Predictor, deal_packed, play, rule_array
from advisor.policy import policy_array
from reference import worlds
from reference.deals import (
    Deals,
    find_declarer,
    rebuild_deals,
)
from reference.game import Settings, Table, stream_keys

Row = dict[str, Any]


@lru_cache(maxsize=2)
def table_of(rules: Rules, settings: Settings) -> Table:
    """Return this process's table of players."""
    return Table(rules, settings)


def play_declarer(
    number: int, count: int, seed: int, play_seed: int, rules: Rules, settings: Settings
) -> Row:
    """Return the row of one declarer.

    Parameters
    ----------
    number : int
        Of the table at which the hand is found.
    count : int
        Deals of the cards that declarer does not see.
    seed, play_seed : int
        For the deals, and for the players.
    rules : Rules
    settings : Settings

    Returns
    -------
    dict
        ``hand``, ``trump``, ``value`` (mean score by the policy), ``tricks`` (of seats 0 and 2, by
        deal), ``melds`` (by deal and seat), ``sent`` and ``returned`` (by deal; rules of exchange
        change, the deals do not), ``checksum`` of the hands after the exchange, ``worlds`` drawn
        and ``misfits`` among them.
    """
    declarer = find_declarer(seed, number, rules)
    deals = rebuild_deals(declarer.hand, declarer.trump, seed, 0, count, rules)
    keys = stream_keys(play_seed, number, 0, count)
    played = table_of(rules, settings).play(deals, keys)
    return {
        "number": number,
        "hand": str(declarer.hand),
        "trump": SUIT_LETTERS[declarer.trump],
        "value": round(declarer.value, 2),
        "tricks": played.points.tolist(),
        "melds": deals.points.tolist(),
        "sent": [str(Hand.from_packed(int(cards))) for cards in deals.exchanges[:, 0]],
        "returned": [str(Hand.from_packed(int(cards))) for cards in deals.exchanges[:, 1]],
        "checksum": deals.checksum(),
        "worlds": int(played.tally[worlds.WORLDS_DRAWN]),
        "misfits": int(played.tally[worlds.MISFITS]),
    }


def deals_of_row(row: Row, seed: int, rules: Rules) -> Deals:
    """Return the deals of a row, rebuilt from its hand and trump.

    Raises
    ------
    ValueError
        If they are not the deals that were played.
    """
    hand, trump = Hand.parse(row["hand"]), SUIT_LETTERS.index(row["trump"])
    deals = rebuild_deals(hand, trump, seed, 0, len(row["tricks"]), rules, passed_of_row(row))
    if deals.checksum() != row["checksum"]:
        raise ValueError(f"row {row['number']}: the rebuilt deals are others")
    return deals


def passed_of_row(row: Row) -> np.ndarray:
    """Return the cards sent and returned in each deal of a row, packed, shape (n_deals, 2)."""
    passed = [[Hand.parse(text).packed for text in row[way]] for way in ("sent", "returned")]
    return np.array(passed, dtype=np.uint64).T.copy()


def policy_tricks(row: Row, seed: int, rules: Rules) -> list[int]:
    """Return the policy's trick points of seats 0 and 2 on the deals of a row."""
    passed = passed_of_row(row)
    dealt = deal_packed(Hand.parse(row["hand"]).packed, samples=len(passed), seed=seed)
    # An index list copies: kernels are compiled for whole arrays.
    deals = dealt[np.arange(0, len(dealt), ROTATIONS)]
    trumps = np.full(len(deals), SUIT_LETTERS.index(row["trump"]), dtype=np.int64)
    predictor = Predictor(rule_array(rules), policy_array(), "policy", None)
    outcomes, _ = play(deals, trumps, predictor, passed[:, 0].copy(), passed[:, 1].copy())
    return outcomes[:, OUR_TRICKS].tolist()
