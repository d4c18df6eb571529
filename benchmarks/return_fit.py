"""Measure what partner keeps and what a split of the cards is worth, and write the tables.

What partner kept is counted over random deals in which a hand that would name the trump declares.
What splits are worth is fitted, one suit at a time, to declarers' sixteen cards: of all returns
those that do well on a few deals are played on many more, by `policy` on both sides, and the line
has to tell them apart once the meld that the tables expect is taken off.

Rows are kept while it runs, so a run that was stopped goes on where it ended.

    python benchmarks/return_fit.py
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path

import numpy as np
from exchange_best import QUICK, RULES, realistic_deal
from provenance import heading, write
from tabulate import tabulate

from advisor.declaring import declares
from advisor.exchange_advice import exchange_by_rule, ways_to_pass
from advisor.exchange_race import Race
from advisor.exchange_views import DeclarersView
from advisor.game.cards import SUITS, Hand
from advisor.game.meld import score_meld
from advisor.kernels import exchange
from advisor.kernels._jit import entry, kernel_fingerprint
from advisor.kernels.kept import (
    N_LEVELS,
    UNIT,
    around_hopes,
    copies,
    marriage_row,
    pinochle_row,
    royal_chances,
    royal_hope,
    sent_level,
)
from advisor.kernels.packed import suit_bits
from advisor.playing import rule_array
from advisor.policy import policy_array
from advisor.returning import (
    CHANCE,
    FINE_CHANCE,
    RETURN_FILE,
    SHAPES,
    SIDE_SIZES,
    TRUMP_SIZES,
    ReturnTables,
    return_tables,
    side_marks,
    tables_of,
    trump_marks,
)
from advisor.tables import four_hands

VERSION = 1
AROUND_RANKS = (1, 2, 3, 5)
# Counts are shrunk towards those of all levels by so many observations.
SHRINK = 20.0
RIDGE = 10.0
FIRST_DEALS, FIRST_LEFT = 24, 300
MORE_DEALS, LAST_LEFT = 120, 60
FOLDS = 3


@entry
def find_levels(sent: np.ndarray, trump: np.uint64, n_cards: int, out: np.ndarray) -> None:
    """Write the level of the least card sent, for each of the cards sent."""
    for i in range(len(sent)):
        out[i] = sent_level(sent[i], trump, n_cards)


@entry
def find_hopes(
    hand: np.uint64, sent: np.uint64, trump: np.uint64, n_cards: int, given: np.ndarray,
    tables: ReturnTables, out: np.ndarray,
) -> None:  # fmt: skip
    """Write what each return is expected to add to partner's meld, in hundredths of a point."""
    level = sent_level(sent, trump, n_cards)
    hopes = np.zeros((4, 16), dtype=np.int64)
    for which in range(4):
        around_hopes(hand, sent, trump, level, which, tables.together, hopes)
    legs = pinochle_row(hand, sent, trump, level, tables)
    royals = royal_chances(suit_bits(hand, trump), level, tables.royals)
    for i in range(len(given)):
        value = royal_hope(suit_bits(given[i], trump), royals)
        queens = copies(suit_bits(given[i], np.uint64(0)), 2)
        jacks = copies(suit_bits(given[i], np.uint64(2)), 1)
        value += np.int64(legs[3 * queens + jacks])
        for suit in range(4):
            if np.uint64(suit) != trump:
                cards = suit_bits(given[i], np.uint64(suit))
                gains = marriage_row(hand, sent, np.uint64(suit), trump, level, tables)
                value += np.int64(gains[3 * copies(cards, 3) + copies(cards, 2)])
        for which in range(4):
            rank = 5 if which == 3 else which + 1
            suits = 0
            for suit in range(4):
                if copies(suit_bits(given[i], np.uint64(suit)), rank) > 0:
                    suits |= 1 << suit
            value += hopes[which, suits]
        out[i] = value


def counts_of(packed: np.ndarray) -> np.ndarray:
    """Return copies by card type of packed hands, int64, shape (n, 24)."""
    places = np.uint64(2) * np.arange(24, dtype=np.uint64)
    bits = np.asarray(packed, dtype=np.uint64)[:, None] >> places
    one, two = bits & np.uint64(1), (bits >> np.uint64(1)) & np.uint64(1)
    return (one + two).astype(np.int64)


def passed_cards(deals: int, seed: int):
    """Yield trump, declarer's cards with those received, partner's kept, the sent, the levels."""
    hands = four_hands(deals, seed)
    rules, policy = rule_array(RULES), policy_array()
    for trump in SUITS:
        for seat in range(4):
            declarer = np.ascontiguousarray(hands[:, seat])
            fits = declares(declarer, trump, rules)
            declarer, partner = declarer[fits], hands[fits, (seat + 2) % 4]
            out = np.zeros((len(declarer), 2), dtype=np.uint64)
            exchange.exchange_hands(
                declarer, partner, np.full(len(declarer), trump), rules, policy,
                return_tables(), np.arange(len(declarer), dtype=np.uint64), out,
            )  # fmt: skip
            levels = np.zeros(len(declarer), dtype=np.int64)
            find_levels(out[:, 0].copy(), np.uint64(trump), RULES.pass_cards, levels)
            sent = counts_of(out[:, 0])
            yield trump, counts_of(declarer) + sent, counts_of(partner) - sent, sent, levels


def count_kept(deals: int, seed: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return how often partner kept what, by the tables' names, and exchanges by level."""
    tables = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    tables["together"] = np.zeros((*SHAPES["together"], 2))
    tables["royals"] = np.zeros((*SHAPES["royals"], 2))
    by_level = np.zeros(N_LEVELS, dtype=np.int64)
    for trump, held, kept, sent, level in passed_cards(deals, seed):
        unseen, told = 2 - held, (sent > 0).astype(np.int64)
        by_level += np.bincount(level, minlength=N_LEVELS)
        side = [suit for suit in SUITS if suit != trump]
        for suit in side:
            king, queen = 6 * suit + 3, 6 * suit + 2
            place = (
                level, int(suit == 0 and trump == 2), told[:, king], told[:, queen],
                unseen[:, king], unseen[:, queen], kept[:, king], kept[:, queen],
            )  # fmt: skip
            np.add.at(tables["marriages"], place, 1)
        kind = {0: 0, 2: 1}.get(trump, 2)
        place = (
            level, kind, told[:, 2], told[:, 13], unseen[:, 2], unseen[:, 13], kept[:, 2],
            kept[:, 13],
        )  # fmt: skip
        np.add.at(tables["pinochles"], place, 1)
        for rank in range(6):
            card = 6 * trump + rank
            place = level, rank, unseen[:, card], (kept[:, card] > 0).astype(np.int64)
            np.add.at(tables["royals"], place, 1)
        for place_of_rank, rank in enumerate(AROUND_RANKS):
            cards = [6 * suit + rank for suit in SUITS]
            possible = (unseen[:, cards] > 0).all(axis=1).astype(np.int64)
            told_by = told[:, [6 * suit + rank for suit in side]].sum(axis=1)
            told_by += 4 * told[:, 6 * trump + rank]
            for of_trump in range(2):
                for n_side in range(4):
                    for some in combinations(side, n_side):
                        cards = [6 * suit + rank for suit in (*some, *[trump] * of_trump)]
                        if not cards:
                            continue
                        rows = (unseen[:, cards] > 0).all(axis=1)
                        extra = (unseen[:, cards] - 1).sum(axis=1)[rows]
                        whole = (kept[:, cards] > 0).all(axis=1)[rows].astype(np.int64)
                        place = (
                            level[rows], place_of_rank, told_by[rows], possible[rows], of_trump,
                            n_side, extra, whole,
                        )  # fmt: skip
                        np.add.at(tables["together"], place, 1)
    return tables, by_level


def chances(counts: np.ndarray, axes: int, flags: tuple[int, ...] = ()) -> np.ndarray:
    """Return shares over the last axes, shrunk to all levels; the last level is all of them.

    Where it is not told what was sent, that holds for the flags as well.
    """
    last = tuple(range(counts.ndim - axes, counts.ndim))
    pooled = counts[:N_LEVELS].sum(axis=0, keepdims=True) + 1e-9
    prior = pooled / pooled.sum(axis=last, keepdims=True)
    filled = counts + SHRINK * prior
    shares = filled / filled.sum(axis=last, keepdims=True)
    untold = pooled.sum(axis=flags, keepdims=True) if flags else pooled
    shares[N_LEVELS] = (untold / untold.sum(axis=last, keepdims=True))[0]
    return shares


def kept_tables(counts: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the chances as whole numbers, as they stand in the file."""
    fine = {
        name: np.rint(FINE_CHANCE * chances(counts[name], 2, (2, 3)))
        for name in ("marriages", "pinochles")
    }
    together = chances(counts["together"], 1, (2,))[..., 1]
    royals = chances(counts["royals"], 1)[..., 1]
    # A card of which no copy is unseen is not there.
    royals[:, :, 0] = 0
    return {
        **{name: table.astype(int) for name, table in fine.items()},
        "together": np.rint(CHANCE * together).astype(int),
        "royals": np.rint(CHANCE * royals).astype(int),
    }


def play_returns(trump: int, number: int, seed: int, deals: int) -> dict[str, object]:
    """Return one row: sixteen cards, the returns that did well, their points on either half."""
    declarer, partner = realistic_deal(trump, [seed, number, trump, 1])
    sent, returned = exchange_by_rule(declarer, partner, trump, QUICK.rules)
    received = Hand.from_packed(sent)
    counts = zip(Hand.from_packed(declarer).counts, received.counts, strict=True)
    hand = Hand(tuple(a + b for a, b in counts))
    view = DeclarersView(hand, received, trump, RULES.pass_cards, seed, None)
    race = Race(trump, QUICK, True)
    scene = view(0, deals)
    left = ways_to_pass(hand, RULES.pass_cards)
    found = np.zeros((len(left), 0))
    done = 0
    for more, keep in ((FIRST_DEALS, FIRST_LEFT), (MORE_DEALS, LAST_LEFT)):
        points = race.points(scene.rows(done, more), left, QUICK).sum(axis=0)
        found, done = np.concatenate([found, points], axis=1), more
        best = np.argsort(-found.sum(axis=1), kind="stable")[:keep]
        place = np.flatnonzero(left == np.uint64(returned))
        if len(place) and place[0] not in best:
            best = np.append(best[:-1], place[0])
        left, found = left[best], found[best]
    points = race.points(scene, left, QUICK).sum(axis=0)
    halves = points[:, : deals // 2].mean(axis=1), points[:, deals // 2 :].mean(axis=1)
    return {
        "trump": trump,
        "number": number,
        "hand": int(hand.packed),
        "sent": int(sent),
        "rule": int(returned),
        "returns": [int(cards) for cards in left],
        "halves": [np.round(half, 3).tolist() for half in halves],
    }


def gather(holdings: int, deals: int, seed: int, processes: int, path: Path) -> list[dict]:
    """Return the rows of all holdings; those that stand in the file are not played again."""
    rows = []
    if path.exists():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    done = {(row["trump"], row["number"]): row for row in rows}
    wanted = [(trump, number) for number in range(holdings) for trump in SUITS]
    lacking = [key for key in wanted if key not in done]
    with path.open("a", encoding="utf-8") as kept, ProcessPoolExecutor(processes) as pool:
        pending = [pool.submit(play_returns, *key, seed, deals) for key in lacking]
        for future in pending:
            row = future.result()
            done[row["trump"], row["number"]] = row
            kept.write(json.dumps(row) + "\n")
            kept.flush()
    return [done[key] for key in wanted]


def meld_after(row: dict, tables: ReturnTables) -> np.ndarray:
    """Return the team's meld that the tables expect of each return, in points."""
    hand = Hand.from_packed(row["hand"])
    given = counts_of(np.array(row["returns"], dtype=np.uint64))
    kept = np.array(hand.counts)[None] - given
    values = np.array([score_meld(Hand(tuple(map(int, way))), row["trump"]).total for way in kept])
    hopes = np.zeros(len(given), dtype=np.int64)
    word, sent, trump = np.uint64(row["hand"]), np.uint64(row["sent"]), np.uint64(row["trump"])
    find_hopes(word, sent, trump, RULES.pass_cards, np.array(row["returns"], dtype=np.uint64),
               tables, hopes)  # fmt: skip
    of_trump = given.reshape(-1, 4, 6)[:, row["trump"]]
    pairs = (of_trump[:, 3] == 2) & (of_trump[:, 2] == 2)
    return values + hopes / UNIT + 10 * of_trump[:, 0] + 40 * pairs


def features(row: dict) -> np.ndarray:
    """Return what counts of each return, float, shape (n_returns, n_weights)."""
    hand = np.array(Hand.from_packed(row["hand"]).counts)
    given = counts_of(np.array(row["returns"], dtype=np.uint64)).reshape(-1, 4, 6)
    kept = hand.reshape(1, 4, 6) - given
    n_side = sum(SIDE_SIZES)
    out = np.zeros((len(given), n_side + sum(TRUMP_SIZES)), dtype=np.float32)
    rows = np.arange(len(given))[:, None]
    for suit in SUITS:
        if suit == row["trump"]:
            np.add.at(out, (rows, n_side + trump_marks(kept[:, suit], given[:, suit])), 1)
        else:
            np.add.at(out, (rows, side_marks(kept[:, suit], given[:, suit])), 1)
    return out


def fitted(rows: list[dict], marks: list[np.ndarray], melds: list[np.ndarray]) -> np.ndarray:
    """Return the weights, in points, that tell the returns of each hand apart."""
    size = marks[0].shape[1]
    normal, target = RIDGE * np.eye(size), np.zeros(size)
    for row, own, meld in zip(rows, marks, melds, strict=True):
        values = np.mean(row["halves"], axis=0) - meld
        centred = own - own.mean(axis=0)
        normal += centred.T @ centred
        target += centred.T @ (values - values.mean())
    return np.linalg.solve(normal, target)


def losses(
    rows: list[dict], marks: list[np.ndarray], melds: list[np.ndarray], weights: np.ndarray
) -> tuple[list[float], list[float]]:
    """Return what the fitted line and the rule in force lose, the best chosen on the other half."""
    line, rule = [], []
    for row, own, meld in zip(rows, marks, melds, strict=True):
        chosen = int((meld + own @ weights).argmax())
        halves = np.array(row["halves"])
        best = halves.argmax(axis=1)
        top = (halves[1, best[0]] + halves[0, best[1]]) / 2
        line.append(float(top - halves[:, chosen].mean()))
        rule.append(float(top - halves[:, row["returns"].index(row["rule"])].mean()))
    return line, rule


def shown(values: list[float]) -> str:
    return f"{np.mean(values):.2f} ± {np.std(values) / len(values) ** 0.5:.2f}"


def main() -> None:
    """Count, play, fit, and write data and result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--counted", type=int, default=1_000_000, help="deals to count what is kept"
    )
    parser.add_argument("--holdings", type=int, default=800, help="hands of sixteen a trump")
    parser.add_argument("--deals", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--dry", action="store_true", help="print the result, write nothing")
    options = parser.parse_args()
    start = time.perf_counter()
    counts, by_level = count_kept(options.counted, options.seed)
    kept = kept_tables(counts)
    nothing = np.zeros(sum(SIDE_SIZES), dtype=int), np.zeros(sum(TRUMP_SIZES), dtype=int)
    tables = tables_of(
        *nothing, kept["marriages"] / FINE_CHANCE, kept["pinochles"] / FINE_CHANCE,
        kept["together"], kept["royals"],
    )  # fmt: skip
    name = f"return_fit-{kernel_fingerprint()}-{options.seed}-{options.deals}.jsonl"
    path = options.rows or Path(tempfile.gettempdir()) / name
    rows = gather(options.holdings, options.deals, options.seed, options.processes, path)
    melds = [meld_after(row, tables) for row in rows]
    marks = [features(row) for row in rows]
    line, rule = [], []
    for fold in range(FOLDS):
        own = [i for i in range(len(rows)) if i % FOLDS != fold]
        held_out = [i for i in range(len(rows)) if i % FOLDS == fold]
        weights = fitted(*([some[i] for i in own] for some in (rows, marks, melds)))
        found = losses(*([some[i] for i in held_out] for some in (rows, marks, melds)), weights)
        line += found[0]
        rule += found[1]
    weights = np.rint(UNIT * fitted(rows, marks, melds)).astype(int)
    results = [
        ("the fitted line, on hands it was not fitted to", shown(line)),
        ("the rule in force", shown(rule)),
    ]
    table = tabulate(
        results,
        headers=("return", "points behind the best found"),
        tablefmt="github",
        disable_numparse=True,
    )
    minutes = (time.perf_counter() - start) / 60
    text = (
        heading("What a return is worth", options.seed)
        + f"\nWhat partner kept: {int(by_level.sum()):,} exchanges of {options.counted:,} deals. "
        f"What splits are worth: {len(rows):,} hands of sixteen cards, {options.deals:,} deals "
        f"each, `policy` play, {LAST_LEFT} returns a hand; {minutes:.0f} minutes. The best is "
        "chosen on one half of the deals and measured on the other.\n\n" + table + "\n"
    )
    if options.dry:
        print(text)
        return
    stored = {
        "version": VERSION,
        "made_by": [line[2:] for line in heading("", options.seed).splitlines() if line[:1] == "-"],
        "kept": {name: table.ravel().tolist() for name, table in kept.items()},
        "tricks": {
            "side": weights[: sum(SIDE_SIZES)].tolist(),
            "trump": weights[sum(SIDE_SIZES) :].tolist(),
        },
    }
    RETURN_FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")
    write("return_fit.md", text)


if __name__ == "__main__":
    main()
