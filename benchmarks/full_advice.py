"""The full advice at the table of a league, and how far the quick rule agrees with it.

The full advice is asked at each of its turns, with the calls so far, and once more for the trump;
it takes a tenth of a second or more, so this league has few deals.

    python benchmarks/full_advice.py
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor import BidAdvice, Hand, Rules, advise
from advisor.bidding import auction_array
from advisor.decision import Decision, Option
from advisor.game.auction import PASS, Auction, Call, calls_text
from advisor.kernels import bidding
from advisor.kernels import league as kernel
from advisor.league import look_of
from advisor.playing import Predictor
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.registry import rule_of
from advisor.tables import Table

RULES = Rules()
AUCTION = auction_array(RULES)


def best_of(decision: Decision) -> Option:
    """Return the pass or next step of the highest worth.

    Not the call advised: of calls too close to tell that is the plainest, and with so few samples
    most are.
    """
    return next(item for item in decision.options if item.action in ("pass", "raise"))


class Quick:
    """A rule of bidding that is asked call by call."""

    def __init__(self, name: str, table: Table) -> None:
        rule = rule_of(name)
        self.habits = rule.habits.as_array()
        self.looks = look_of(rule, Hands(table.hands.ravel(), RULES))

    def call(self, deal: int, auction: Auction) -> Call:
        """Return the call of the seat whose turn it is."""
        seat = auction.seat_to_call - 1
        bids, passed = np.zeros(4, dtype=np.int64), 0
        for call, by in zip(auction.calls, auction.seats, strict=True):
            if call.bid is None:
                passed |= 1 << by - 1
            else:
                bids[by - 1] += 1
        high = auction.high_bid or 0
        holder = bidding.NO_SEAT if auction.high_seat is None else auction.high_seat - 1
        step = int(bidding.step_up(high, AUCTION))
        limit = int(self.looks[deal, seat, kernel.LOOK_LIMIT])
        wants = kernel.wants(seat, limit, step, high, holder, passed, bids, AUCTION, self.habits)
        return Call(step) if wants else PASS

    def trump(self, deal: int, auction: Auction) -> int:
        """Return the trump that the declarer names."""
        return int(self.looks[deal, auction.declarer - 1, kernel.LOOK_TRUMP])


class Full:
    """The full advice, asked call by call."""

    def __init__(self, table: Table, samples: int) -> None:
        self.table, self.samples = table, samples
        self.asked = 0

    def advice(self, deal: int, auction: Auction) -> BidAdvice:
        """Return the advice for the seat whose turn it is."""
        self.asked += 1
        return advise(
            Hand.from_packed(int(self.table.hands[deal, auction.seat_to_call - 1])),
            samples=self.samples,
            engine="policy",
            auction=calls_text(auction) if auction.calls else None,
            seat=auction.seat_to_call,
        )

    def call(self, deal: int, auction: Auction) -> Call:
        """Return the call of the highest worth."""
        return best_of(self.advice(deal, auction).decision).call

    def trump(self, deal: int, auction: Auction) -> int:
        """Return the trump that is worth most at the contract, by our own twelve cards."""
        hand = Hand.from_packed(int(self.table.hands[deal, auction.declarer - 1]))
        advice = advise(hand, samples=self.samples, engine="policy")
        return max(
            advice.trumps, key=lambda item: item.take.get(auction.contract, (-1e9,))[0]
        ).trump


def table_of(deals: int, seed: int) -> Table:
    return Table.at(range(deals), seed, RULES, Predictor.of(RULES, "policy", False))


def match(deals: int, seed: int, samples: int, other: str) -> tuple[np.ndarray, int]:
    """Return the full advice's points less the other rule's by deal, and how often it was asked."""
    table = table_of(deals, seed)
    full, quick = Full(table, samples), Quick(other, table)
    differences = np.zeros((2, deals))
    for direction, players in enumerate(((full, quick), (quick, full))):
        ends = np.zeros((3, deals), dtype=np.int64)
        for deal in range(deals):
            auction = Auction(RULES)
            while not auction.is_over:
                player = players[(auction.seat_to_call - 1) % 2]
                auction = auction.call(player.call(deal, auction))
            winner = players[(auction.declarer - 1) % 2]
            ends[:, deal] = auction.declarer - 1, auction.contract, winner.trump(deal, auction)
        difference = table.play_out(*ends).difference
        differences[direction] = -difference if direction else difference
    return differences.mean(axis=0), full.asked


def agreement(
    positions: int, seed: int, samples: int
) -> tuple[dict[str, tuple[int, int]], np.ndarray]:
    """Return how often the quick rule agrees with the advice, and what its calls lose by it.

    Positions are those of auctions of the quick rule, one of each deal. Clear are those in which
    the advice can tell bid and pass apart. Lost is the worth of its better call less that of the
    quick rule's, in points by position.
    """
    table = table_of(positions, seed)
    quick, full = Quick("advisor", table), Full(table, samples)
    rng = np.random.default_rng(seed)
    found = {name: [0, 0] for name in ("all", "bid or pass clear", "trump")}
    lost = np.zeros(positions)
    for deal in range(positions):
        auctions = [Auction(RULES)]
        while not auctions[-1].is_over:
            auctions.append(auctions[-1].call(quick.call(deal, auctions[-1])))
        auction = auctions[int(rng.integers(len(auctions) - 1))]
        advice = full.advice(deal, auction)
        best, call = best_of(advice.decision), quick.call(deal, auction)
        same = best.call.is_pass == call.is_pass
        clear = not any(
            item.tied
            for item in advice.decision.options
            if item.action in ("pass", "raise") and item is not advice.decision.options[0]
        )
        seat = auction.seat_to_call - 1
        trump = advice.suggestion.trump == quick.looks[deal, seat, kernel.LOOK_TRUMP]
        behind = {item.call: item.behind.mean for item in advice.decision.options}
        lost[deal] = behind[call] - behind[best.call]
        for name, counts, agrees in (
            ("all", True, same), ("bid or pass clear", clear, same), ("trump", True, trump),
        ):  # fmt: skip
            found[name][0] += counts
            found[name][1] += counts and bool(agrees)
    return {name: (total, same) for name, (total, same) in found.items()}, lost


def github(rows: list[list[str]], headers: list[str]) -> str:
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def main() -> None:
    """Play the slow league, and compare the quick rule with the advice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--seed", type=int, default=608)
    options = parser.parse_args()
    counts, lost = agreement(options.positions, options.seed + 1, options.samples)
    agreed = [
        [what, f"{total:,}", f"{100 * same / max(total, 1):.0f}%"]
        for what, (total, same) in counts.items()
    ]
    error = lost.std(ddof=1) / len(lost) ** 0.5
    behind = f"{lost.mean():.1f} +- {error:.1f}"
    print(agreed, behind, flush=True)
    rows = []
    for other in ("advisor", "b9"):
        start = time.monotonic()
        values, asked = match(options.deals, options.seed, options.samples, other)
        seconds = time.monotonic() - start
        error = values.std(ddof=1) / len(values) ** 0.5
        rows.append(
            [other, f"{values.mean():+.1f} +- {error:.1f}", f"{asked:,}", f"{seconds / asked:.2f}"]
        )
        print(rows[-1], flush=True)
    write(
        "full_advice.md",
        f"{heading('The full advice in a league', options.seed)}\n"
        f"## How far the quick rule agrees with the full advice\n\n{options.positions:,} "
        "positions from auctions of the quick rule; clear are those in which the advice can tell "
        "bid and pass apart by two standard errors. By the advice's own "
        f"figures the calls of the quick rule are worth {behind} points less than the best call, a "
        f"figure that the sampling error of {options.samples} samples a call makes too high.\n\n"
        + github(agreed, ["of", "positions", "the same"])
        + f"\n\n## At the table\n\n{options.deals:,} deals, each in both directions, against "
        "quick rules; points x10, ours less theirs, the mean of both directions. The full advice "
        f"makes the call of the higher worth, by {options.samples} samples.\n\n"
        + github(rows, ["against", "points a deal", "times asked", "seconds each"])
        + "\n",
    )


if __name__ == "__main__":
    main()
