"""Which variants of the exchange are worth points: paired differences on the same deals.

Random hands declare in the trump that `best_looking_trump` names. A variant changes one weight of
the standard policy; the difference in our score (meld and tricks) is paired by hand and deal.

    python benchmarks/exchange_options.py
"""

from __future__ import annotations

import argparse

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.game.rules import Rules
from advisor.kernels import exchange as x
from advisor.kernels.kept import ReturnTables
from advisor.kernels.meldscore import meld_all_trumps
from advisor.kernels.rounds import OUR_MELD, OUR_TRICKS
from advisor.playing import Predictor, deal_packed, play, rule_array
from advisor.policy import STANDARD, policy_array
from advisor.returning import SHAPES, return_tables, stored_weights, tables_of

RULES = rule_array(Rules())
VARIANTS: list[tuple[str, str, dict[int, tuple[int, ...]]]] = [
    ("legs of the pinochle", "before trump", {x.POLICY_SEND_LEG: (10500, 10400)}),
    ("", "after side aces", {x.POLICY_SEND_LEG: (7900, 7800)}),
    ("", "second leg after side aces", {x.POLICY_SEND_LEG: (9000, 7900)}),
    ("", "in H and C too", {x.POLICY_SEND_SIDE: (1000, 4820, 7000, 5250, 4800, 8000)}),
    (
        "second trumps",
        "before side aces",
        {x.POLICY_SEND_TRUMP_AGAIN: (5900, 9100, 9200, 9300, 9400, 9500)},
    ),
    (
        "",
        "before second side aces",
        {x.POLICY_SEND_TRUMP_AGAIN: (5900, 7600, 7620, 7640, 7660, 7680)},
    ),
    ("a pass all of trump", "like other trumps", {x.POLICY_SEND_ALL_TRUMP: (0,)}),
    ("", "before legs of the pinochle too", {x.POLICY_SEND_ALL_TRUMP: (2500,)}),
    (
        "order inside trump",
        "K Q A T J",
        {x.POLICY_SEND_TRUMP: (6000, 9600, 9900, 10000, 9700, 9800)},
    ),
    ("own arounds", "no aces kept", {x.POLICY_SEND_KEEP_AROUND: (0, 9500, 9500, 0)}),
    ("", "no kings kept", {x.POLICY_SEND_KEEP_AROUND: (0, 9500, 0, 9500)}),
    ("", "no queens kept", {x.POLICY_SEND_KEEP_AROUND: (0, 0, 9500, 9500)}),
    ("", "jacks kept too", {x.POLICY_SEND_KEEP_AROUND: (9500, 9500, 9500, 9500)}),
    ("three aces", "not before run cards", {x.POLICY_SEND_THREE: (0,) * 4}),
    ("", "nor beside trump's", {x.POLICY_SEND_THREE_WITH_TRUMP: (0,)}),
    ("side aces", "short suits first", {x.POLICY_SEND_ACE_LENGTH: (50,)}),
    ("", "suit length ignored", {x.POLICY_SEND_ACE_LENGTH: (0,)}),
    (
        "nine of trump",
        "before side aces",
        {x.POLICY_SEND_TRUMP: (8200, 9950, 9700, 9800, 9900, 10000)},
    ),
    ("", "after fillers", {x.POLICY_SEND_TRUMP: (3000, 9950, 9700, 9800, 9900, 10000)}),
    (
        "fillers",
        "ten first",
        {x.POLICY_SEND_SIDE: (1000, 4820, 4900, 5250, 5300, 8000)},
    ),
    ("", "side nine first", {x.POLICY_SEND_SIDE: (5300, 4820, 4900, 5250, 4800, 8000)}),
    ("", "own marriages broken freely", {x.POLICY_SEND_BREAK_MARRIAGE: (0,)}),
    ("", "suit length ignored", {x.POLICY_SEND_LENGTH: (0,)}),
    ("", "short suits first", {x.POLICY_SEND_LENGTH: (30,)}),
]


# The least of what is priced out of a return, in hundredths of a point.
NEVER = 1_000_000


def returns_without(name: str) -> ReturnTables:
    """Return the tables of returns under a wish of players.

    Parameters
    ----------
    name : str
        A key of `RETURNING`.
    """
    tables = return_tables()
    given = tables.given.astype(np.int64)
    side, trump = tables.side.astype(np.int64), tables.trump.astype(np.int64)
    if name == "partner's hand not thought of":
        nothing = [np.zeros(SHAPES[table]) for table in ("marriages", "pinochles")]
        for table in nothing:
            table[..., 0, 0] = 1
        none = [np.zeros(SHAPES[table], dtype=int) for table in ("together", "royals")]
        return tables_of(*stored_weights(), *nothing, *none)
    if name == "no trump above the nine":
        trump -= NEVER * (given & ~3 != 0)
    elif name == "no ace or ten of trump":
        trump -= NEVER * (given & 0xF00 != 0)
    elif name == "no side ace":
        side -= NEVER * (given & 0xC00 != 0)
    elif name == "no ten beside both aces":
        kept = tables.kept.astype(np.int64)
        side -= NEVER * ((given & 0x300 != 0) & (kept & 0xC00 == 0xC00))
    return tables._replace(side=side.astype(np.int32), trump=trump.astype(np.int32))


RETURNING = (
    "partner's hand not thought of",
    "no trump above the nine",
    "no ace or ten of trump",
    "no side ace",
    "no ten beside both aces",
)


def random_hands(count: int, seed: int) -> np.ndarray:
    """Return packed twelve-card hands, uint64."""
    rng = np.random.default_rng(seed)
    deck = np.repeat(np.arange(24), 2)
    hands = np.zeros(count, dtype=np.uint64)
    for i in range(count):
        copies = np.bincount(rng.permutation(deck)[:12], minlength=24)
        hands[i] = sum(((1 << int(n)) - 1) << (2 * card) for card, n in enumerate(copies))
    return hands


def best_looking_trump(hands: np.ndarray) -> np.ndarray:
    """Return for each hand the suit with most of meld, 18 a card and 15 an ace."""
    melds = np.zeros((len(hands), 4), dtype=np.int16)
    meld_all_trumps(hands, RULES, melds)
    worth = melds.astype(np.int64)
    for suit in range(4):
        holding = (hands >> np.uint64(12 * suit)) & np.uint64(0xFFF)
        worth[:, suit] += 18 * np.bitwise_count(holding)
        worth[:, suit] += 15 * np.bitwise_count(holding & np.uint64(0xC00))
    return worth.argmax(axis=1)


def mean_scores(
    hands: np.ndarray, trumps: np.ndarray, predictor: Predictor, deals: int, seed: int
) -> np.ndarray:
    """Return mean meld and tricks of our side for each hand, shape (n_hands, 2)."""
    means = np.zeros((len(hands), 2))
    for i, (hand, trump) in enumerate(zip(hands, trumps, strict=True)):
        dealt = deal_packed(hand, samples=deals, seed=seed)
        outcomes, _ = play(dealt, np.full(len(dealt), trump, dtype=np.int64), predictor)
        means[i] = outcomes[:, OUR_MELD].mean(), outcomes[:, OUR_TRICKS].mean()
    return means


def main() -> None:
    """Measure every variant and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=64)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    hands = random_hands(options.hands, options.seed)
    trumps = best_looking_trump(hands)
    base = mean_scores(
        hands, trumps, Predictor(RULES, policy_array(), "policy", None), options.deals, options.seed
    )
    predictors = []
    for choice, variant, changes in VARIANTS:
        weights = dict(changes)
        if x.POLICY_SEND_SIDE in weights and x.POLICY_SEND_SIDE_AGAIN not in weights:
            again = list(weights[x.POLICY_SEND_SIDE])
            again[5] = STANDARD[x.POLICY_SEND_SIDE_AGAIN][5]
            weights[x.POLICY_SEND_SIDE_AGAIN] = tuple(again)
        predictor = Predictor(RULES, policy_array(weights), "policy", None)
        predictors.append((choice, variant, predictor))
    for name in RETURNING:
        tables = returns_without(name)
        predictor = Predictor(RULES, policy_array(), "policy", None, tables)
        predictors.append(("returning" if name == RETURNING[0] else "", name, predictor))
    rows = []
    for choice, variant, predictor in predictors:
        found = mean_scores(hands, trumps, predictor, options.deals, options.seed)
        change = found - base
        total = change.sum(axis=1)
        error = total.std(ddof=1) / len(total) ** 0.5
        verdict = (
            "tie" if abs(total.mean()) <= 2 * error else ("better" if total.mean() > 0 else "")
        )
        rows.append(
            (
                choice,
                variant,
                f"{total.mean():+.2f}",
                f"{error:.2f}",
                f"{change[:, 0].mean():+.2f}",
                f"{change[:, 1].mean():+.2f}",
                verdict,
            )
        )
    table = tabulate(
        rows,
        headers=("choice", "variant", "score", "± s.e.", "meld", "tricks", ""),
        tablefmt="github",
        disable_numparse=True,
    )
    text = (
        heading("Variants of the exchange against the standard policy", options.seed)
        + f"\n{options.hands:,} random hands, {options.deals} deals of three rounds each, `policy` "
        "play. Points a round, variant less standard, paired.\n\n" + table + "\n"
    )
    write("exchange_options.md", text)


if __name__ == "__main__":
    main()
