"""The chance to make a bid at which taking it is worth as much as letting it go.

Random hands in their best-looking trump, with bids that an opponent one step below stands at, and
in the positions of an opening. For each hand the gain of taking is a paired mean over its deals;
a line through gains by P(make) gives the break-even, its error by resampling the hands.

    python benchmarks/break_even.py
"""

from __future__ import annotations

import argparse

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.bidding import PositionDeals, Seating, random_hands
from advisor.contracts import Table, Worth
from advisor.decision import decide
from advisor.game.cards import Hand
from advisor.game.conventions import PRESETS
from advisor.game.position import read_position
from advisor.game.rules import Rules
from advisor.playing import Predictor, play_all, rule_array
from advisor.pricing import Pricing
from advisor.valuation import quick_values

RULES = Rules()
BIDS = (260, 280, 300, 320, 340, 360, 380, 400)
POSITIONS = (
    (None, "first to call: 250 or pass"),
    ("P", "second, after a pass"),
    ("P P", "third after two passes: 250 or the dealer has it there"),
    ("250", "left opponent of an opener: 260"),
    ("250 P", "partner has opened: 260 over him"),
    ("250 P P", "last to speak against an opener: 260"),
    ("P 250 P", "dealer, the second has opened for us: 260 over him"),
)
RESAMPLES = 400


def at_table(
    hand: Hand, trump: int, calls: str | None, samples: int, seed: int
) -> tuple[Table, Pricing]:
    """Return the other seats' contracts and ours, on deals that fit the calls."""
    position = read_position(RULES, None, None, calls)
    seating = Seating.of(RULES, position.seat, PRESETS["none"])
    predictor = Predictor.of(RULES, None, False)
    deals, seats = PositionDeals(hand, position, RULES, seating, seed, True).take(samples)
    table = Table(position, RULES, seating, Worth(RULES, None))
    table.extend(deals, seats, predictor)
    trumps = np.full(len(deals), trump, dtype=np.int64)
    return table, Pricing(play_all(deals, trumps, predictor), RULES)


def break_even(chances: np.ndarray, gains: np.ndarray, seed: int) -> tuple[float, float, int]:
    """Return the chance at which a line through the gains is 0, its error, and hands in it.

    Hands whose chance is near 0 or 1 are left out: there the gain no longer follows the chance.
    """
    part = (chances > 0.05) & (chances < 0.95)
    chances, gains = chances[part], gains[part]

    def zero(rows: np.ndarray) -> float:
        slope, start = np.polyfit(chances[rows], gains[rows], 1)
        return float(-start / slope)

    rng = np.random.default_rng(seed)
    found = [zero(rng.integers(0, len(gains), len(gains))) for _ in range(RESAMPLES)]
    error = float(np.subtract(*np.percentile(found, (84, 16)))) / 2
    return zero(np.arange(len(gains))), error, len(gains)


def row(name: str, chances: np.ndarray, gains: np.ndarray, seed: int) -> list[str]:
    """Return a row of a table."""
    chance, error, count = break_even(chances, gains, seed)
    near = gains[(chances > 0.45) & (chances < 0.55)]
    shown = "none below 5%" if chance < 0.05 else f"{100 * chance:.0f}% ± {100 * error:.0f}%"
    return [name, f"{count}", shown, f"{near.mean():+.0f}" if len(near) else ""]


def main() -> None:
    """Measure both tables and keep them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=600)
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--seed", type=int, default=31)
    options = parser.parse_args()
    packed = random_hands(options.hands, options.seed)
    trumps = quick_values(packed, rule_array(RULES)).argmax(axis=1)
    by_bid: dict[int, list[tuple[float, float]]] = {bid: [] for bid in BIDS}
    by_position: dict[str, list[tuple[float, float]]] = {name: [] for _, name in POSITIONS}
    for word, trump in zip(packed, trumps, strict=True):
        hand = Hand.from_packed(int(word))
        for calls, name in POSITIONS:
            table, pricing = at_table(hand, int(trump), calls, options.samples, options.seed)
            if table.samples < options.samples // 4:
                continue
            ours = {int(trump): pricing}
            lowest = 250 if table.position.auction.high_bid is None else 260
            ceiling = table.ceiling(pricing, ours, 600)
            decision = decide(table, ours, True, ceiling, [lowest])
            values = {option.action: option.value.mean for option in decision.options}
            gain = values["raise"] - values["pass"]
            by_position[name].append((pricing.p_make(lowest).mean, gain))
            if calls is not None:
                continue
            for bid in BIDS:
                rows = table.willing(bid - 10)
                gains = pricing.differences(bid) - table.let_go([bid - 10], table.worth)[0]
                by_bid[bid].append(
                    (float(pricing.made(bid)[rows].mean()), float(gains[rows].mean()))
                )
    headers = ["", "hands", "break-even P(make)", "gain at P(make) 45 to 55%"]
    tables = []
    for found in (by_bid, by_position):
        rows = [row(str(name), *np.array(pairs).T, options.seed) for name, pairs in found.items()]
        tables.append(tabulate(rows, headers, "github", disable_numparse=True))
    write(
        "break_even.md",
        f"{heading('Break-even: the chance to make a bid at which taking it pays', options.seed)}\n"
        f"{options.hands} random hands, {options.samples} deals of three rounds each. Gain: points "
        "of taking less points of letting go, paired.\n\n"
        "## An opponent stands at the step below, and the contract is the bid\n\n"
        f"{tables[0]}\n\n"
        "## Openings and answers, the rest of the auction bid out\n\n"
        f"{tables[1]}\n\n"
        "The break-even is not one half. Letting the hand go is not worth nothing: the other side "
        "makes most of what it bids and scores its meld and tricks, so a set of the same size "
        "costs less than it seems. A set loses the bid and leaves the others what they hold; "
        "letting go gives them the contract, the exchange and the choice of trump. The higher the "
        "bid, the more a set costs and the stronger the opponent who went so far, which pull "
        "against each other. In an auction that others go on with, a low bid costs next to "
        "nothing, because it seldom ends there.\n",
    )


if __name__ == "__main__":
    main()
