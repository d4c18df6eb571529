"""Whether reading the calls helps: the same decisions with and without it, on the same deals.

Tables of four bid by the standard style. In each auction one turn is chosen at random; its seat
asks for advice twice, with the calls read and as if nobody had called. Each advice is carried out
at the table as it is, the others bidding on by the style, and the contract is played. Both sides
of the comparison share everything else, so the difference is paired.

    python benchmarks/inference_value.py --processes 2
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.advice import BidAdvice
from advisor.advise import advise
from advisor.bidding import (
    STANDARD_STYLE,
    auction_array,
    bidding_array,
    calls_array,
    kind_and_amount,
    meaning_array,
)
from advisor.game.auction import Auction, Call, calls_text
from advisor.game.cards import Hand
from advisor.game.rules import Rules
from advisor.kernels import bidding as kernel
from advisor.playing import Deals, Predictor, play
from advisor.tables import NONE, Table, scored

RULES = Rules()
STYLES = (STANDARD_STYLE, STANDARD_STYLE)
CONVENTIONS = (NONE, NONE)
MOST_CALLS = 64
# Rounds a contract is played; chance in the play differs.
PLAYED = 16
CHUNK = 25


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's turn, 0 to 3, with the calls before it and the table it sits at."""

    hands: np.ndarray
    looks: np.ndarray
    calls: np.ndarray
    seat: int


def turns(count: int, seed: int) -> list[Turn]:
    """Return one turn of each auction that has one after a call of another seat."""
    table = Table(count, seed, RULES)
    seats = table.seats(STYLES, CONVENTIONS)
    calls = np.zeros((count, MOST_CALLS, 3), dtype=np.int64)
    lengths = np.zeros(count, dtype=np.int64)
    kernel.trace_auctions(
        seats, auction_array(RULES), bidding_array(STYLES, CONVENTIONS, RULES),
        meaning_array(CONVENTIONS, RULES), calls, lengths,
    )  # fmt: skip
    rng = np.random.default_rng([seed, 2])
    found = []
    for i in range(count):
        if 1 < lengths[i] <= MOST_CALLS:
            turn = int(rng.integers(1, lengths[i]))
            seat = int(calls[i, turn, 0])
            found.append(Turn(table.hands[i], seats[i], calls[i, :turn].copy(), seat))
    return found


def auction_of(calls: np.ndarray) -> Auction:
    """Return the calls as an auction, which refuses any that is not legal."""
    auction = Auction(RULES)
    for _, kind, amount in calls:
        call = Call(int(amount)) if kind == kernel.BID else Call(with_help=kind == kernel.HELP)
        auction = auction.call(call)
    return auction


def worth(turn: Turn, advice: BidAdvice, predictor: Predictor, seed: int) -> float:
    """Return what carrying out the advice scores at the table, ours less theirs, in points."""
    chosen = advice.decision.chosen
    plan = (*kind_and_amount(chosen.call), advice.suggestion.bid or 0, int(chosen.over_partner))
    looks = np.roll(turn.looks, -turn.seat, axis=0)[None]
    declarers, contracts = np.zeros((1, 1), dtype=np.int8), np.zeros((1, 1), dtype=np.int16)
    kernel.bid_out(
        turn.seat, calls_array(auction_of(turn.calls)), np.array([plan], dtype=np.int64), looks,
        auction_array(RULES), bidding_array(STYLES, CONVENTIONS, RULES),
        meaning_array(CONVENTIONS, RULES), declarers, contracts,
    )  # fmt: skip
    place = int(declarers[0, 0])
    trump = advice.suggestion.trump if place == 0 else int(looks[0, place, 1])
    hands = np.tile(np.roll(turn.hands, -turn.seat - place), (PLAYED, 1))
    states = np.random.default_rng(seed).integers(0, 2**64, PLAYED, dtype=np.uint64)
    deals = Deals(hands, states, np.zeros(PLAYED, dtype=np.uint64))
    outcomes, _ = play(deals, np.full(PLAYED, trump), predictor)
    ours, theirs, _, _ = scored(outcomes, np.full(PLAYED, contracts[0, 0]), RULES)
    return float((ours - theirs).mean()) * (1 if place in (0, 2) else -1)


def compare(first: int, chunk: list[Turn], samples: int) -> list[tuple[float, float, bool, int]]:
    """Return for each turn both worths, whether the plans differ, and the number of calls read."""
    predictor = Predictor.of(RULES, None, False)
    rows = []
    for number, turn in enumerate(chunk, first):
        hand = Hand.from_packed(int(turn.hands[turn.seat]))
        calls = calls_text(auction_of(turn.calls))
        both = [
            advise(hand, auction=calls, inference=read, samples=samples, seed=number)
            for read in (True, False)
        ]
        values = [worth(turn, advice, predictor, number) for advice in both]
        plans = [(a.decision.chosen.call, a.suggestion.bid, a.suggestion.trump) for a in both]
        rows.append((*values, plans[0] != plans[1], len(turn.calls)))
    return rows


def main() -> None:
    """Compare and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1600)
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--seed", type=int, default=808)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    found = turns(options.deals, options.seed)
    starts = range(0, len(found), CHUNK)
    # Compiles once, before the processes do so each for itself.
    compare(0, found[:1], 16)
    with ProcessPoolExecutor(options.processes) as pool:
        parts = pool.map(
            compare, starts, [found[i : i + CHUNK] for i in starts],
            [options.samples] * len(starts),
        )  # fmt: skip
        rows = np.array([row for part in parts for row in part], dtype=float)
    gain = rows[:, 0] - rows[:, 1]
    table = []
    groups = [("all", np.ones(len(rows), dtype=bool))]
    groups += [
        (name, (rows[:, 3] >= low) & (rows[:, 3] < high))
        for name, low, high in (
            ("1 to 3 calls before", 1, 4),
            ("4 to 8 calls before", 4, 9),
            ("more calls before", 9, 99),
        )
    ]
    for name, part in groups:
        values = gain[part]
        table.append(
            [
                name,
                f"{part.sum():,}",
                f"{100 * rows[part, 2].mean():.0f}%",
                f"{values.mean():+.1f} ± {values.std(ddof=1) / len(values) ** 0.5:.1f}",
            ]
        )
    headers = ["decisions", "number", "plan changed", "points gained by reading the calls"]
    write(
        "inference_value.md",
        f"{heading('What reading the calls is worth', options.seed)}\n"
        "A decision is one turn at a table of four that bid by the standard style, no convention; "
        f"advice from {options.samples} deals each. Points a decision, ours less theirs, with and "
        "without inference on the same table; the plan is the next call, how far to go, and the "
        f"trump.\n\n{tabulate(table, headers, 'github', disable_numparse=True)}\n",
    )


if __name__ == "__main__":
    main()
