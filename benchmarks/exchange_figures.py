"""What the exchange brings, beside the figures that others measured and the exact ceilings.

Random hands declare in the trump in which they look best; partner's cards are dealt at random.

    python benchmarks/exchange_figures.py
"""

from __future__ import annotations

import argparse
from dataclasses import astuple

import numpy as np
from exchange_options import RULES, best_looking_trump, random_hands
from provenance import heading, write
from tabulate import tabulate

from advisor.kernels.meldscore import meld_all_trumps
from advisor.kernels.rounds import OUR_MELD, RECEIVED, RETURNED
from advisor.playing import Deals, Predictor, deal_packed, play
from advisor.policy import policy_array

ONE_COPY = np.uint64(0x5555_5555_5555)
RUN = np.uint64(0x554)
ACES = np.uint64(0x400)


def in_suit(words: np.ndarray, suit: np.ndarray | int) -> np.ndarray:
    """Return the 12 bits of one suit of packed words."""
    return (words >> (np.asarray(suit, dtype=np.uint64) * np.uint64(12))) & np.uint64(0xFFF)


def n_aces(words: np.ndarray) -> np.ndarray:
    """Return in how many suits an ace is held."""
    return sum(((in_suit(words, suit) & ACES) != 0).astype(np.int64) for suit in range(4))


def main() -> None:
    """Measure and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=21)
    options = parser.parse_args()
    hands = random_hands(options.hands, options.seed)
    trumps = best_looking_trump(hands)
    predictor = Predictor(RULES, policy_array(), "policy", None)
    melds = np.zeros((len(hands), 4), dtype=np.int16)
    meld_all_trumps(hands, RULES, melds)
    dealt = melds[np.arange(len(hands)), trumps].astype(np.int64)

    dealt_each = [deal_packed(hand, samples=1, seed=options.seed) for hand in hands]
    deals = Deals(*(np.concatenate(parts) for parts in zip(*map(astuple, dealt_each), strict=True)))
    outcomes, cards = play(deals, trumps.repeat(3), predictor)
    outcomes, cards = (array.reshape(len(hands), 3, -1) for array in (outcomes, cards))
    received, returned = cards[..., RECEIVED], cards[..., RETURNED]
    trump = trumps[:, None]
    came, went = in_suit(received, trump), in_suit(returned, trump)
    own = in_suit(hands, trumps)
    missing = np.bitwise_count(RUN & ~(own & ONE_COPY))
    all_cards = ((own[:, None] | came) & RUN) == RUN
    three_aces = n_aces(hands) == 3
    around = n_aces(hands[:, None] | received) == 4
    sent = np.bitwise_count(came)
    side_aces = sum(
        np.where(trump == suit, 0, np.bitwise_count(in_suit(received, suit) & np.uint64(0xC00)))
        for suit in range(4)
    )
    ends_with = np.bitwise_count(own)[:, None] + sent - np.bitwise_count(went)
    gain = outcomes[..., OUR_MELD].astype(np.int64) - dealt[:, None]

    def share(mask: np.ndarray, among: np.ndarray) -> str:
        # Three rotations of a deal are not independent: a hand is one observation.
        each = mask[among].mean(axis=1)
        return f"{each.mean():.1%} ± {each.std(ddof=1) / len(each) ** 0.5:.1%}"

    def mean(values: np.ndarray) -> str:
        each = values.mean(axis=1)
        return f"{each.mean():.2f} ± {each.std(ddof=1) / len(each) ** 0.5:.2f}"

    quarters = np.percentile(gain, [25, 50, 75])
    counts = np.bincount(sent.ravel(), minlength=5) / sent.size
    rows = [
        ("run completed, one rank short", share(all_cards, missing == 1), "60 %", "56.19 %"),
        ("run completed, two ranks short", share(all_cards, missing == 2), "29 %", "30.42 %"),
        ("run completed, three ranks short", share(all_cards, missing == 3), "", "15.78 %"),
        ("aces around, aces in three suits", share(around, three_aces), "44 %", "56.19 %"),
        ("trumps sent, mean", mean(sent), "2.35", ""),
        (
            "trumps sent 0 / 1 / 2 / 3 / 4",
            " / ".join(f"{value:.0%}" for value in counts),
            "3 / 18 / 35 / 29 / 15 %",
            "",
        ),
        ("side aces sent, mean", mean(side_aces), "1.05", ""),
        ("trumps declarer ends with", mean(ends_with), "6.6", ""),
        ("team meld less dealt meld, mean", mean(gain), "124", ""),
        (
            "the same, quarters",
            " / ".join(f"{value:.0f}" for value in quarters),
            "60 / 110 / 170",
            "",
        ),
        ("the same, one short of a run", mean(gain[missing == 1]), "159", ""),
        ("the same, run already held", mean(gain[missing == 0]), "92", ""),
    ]
    table = tabulate(
        rows,
        headers=("figure", "here", "others' players", "exact ceiling"),
        tablefmt="github",
        disable_numparse=True,
    )
    write(
        "exchange_figures.md",
        heading("What the exchange brings", options.seed)
        + f"\n{options.hands:,} random hands, one deal each with three rotations; the trump is the "
        "suit with most of meld, 18 a card and 15 an ace, a choice that the others' figures do not "
        "share.\n\n"
        + table
        + "\n\nThe ceiling is the chance that partner holds the missing cards when both copies "
        "of each are unseen. A run up to three short reaches it within its error, because the "
        "run cards of trump are sent before anything else. Aces around fall short of it because "
        "trump goes first and leaves too few places for the missing side ace.\n",
    )


if __name__ == "__main__":
    main()
