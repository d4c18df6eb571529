"""What the rules of the exchange lose against the best cards found by simulation.

Deals in which declarer's hand would name the trump (`advisor.declaring`): partner's hand of one of
them, and of another declarer's sixteen cards after the rule has sent. All sends, or all returns,
are compared by successive halving under `policy` play on one half of the deals; by how much the
best found beats the rule is measured on the other half, paired, under `policy` play and under the
default predictor. A best that was found by chance therefore counts against itself.

Rows are kept while it runs, so a run that was stopped goes on where it ended.

    python benchmarks/exchange_best.py
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from exchange_causes import return_cause, send_cause
from provenance import heading, write
from tabulate import tabulate

from advisor.declaring import declares
from advisor.exchange_advice import exchange_by_rule, ways_to_pass
from advisor.exchange_race import JUDGING, Race
from advisor.exchange_views import DeclarersView, PartnersView
from advisor.game.cards import SUIT_LETTERS, SUITS, Hand
from advisor.game.rules import Rules
from advisor.kernels._jit import kernel_fingerprint
from advisor.playing import Predictor
from advisor.policy import policy_array

RULES = Rules()
JUDGE = Predictor.of(RULES, None, False)
QUICK = Predictor(JUDGE.rules, policy_array(), "policy", None)
LAST_LEFT = 10
ALLOWED = {"send": 4, "return": 2}


def realistic_deal(trump: int, seed: list[int]) -> tuple[int, int]:
    """Return the packed hands of a declarer who would name the trump, and of the partner."""
    rng = np.random.default_rng(seed)
    deck = np.repeat(np.arange(24), 2)
    while True:
        order = rng.permutation(deck)
        declarer = Hand.from_cards(order[:12].tolist()).packed
        if declares(np.array([declarer], dtype=np.uint64), trump, JUDGE.rules)[0]:
            return declarer, Hand.from_cards(order[12:24].tolist()).packed


def one_loss(kind: str, trump: int, number: int, seed: int, deals: int) -> dict[str, object]:
    """Return one row: the cards, the rule's choice, the best found, and the loss both ways."""
    declarer, partner = realistic_deal(trump, [seed, number, trump, kind == "return"])
    sent, returned = exchange_by_rule(declarer, partner, trump, JUDGE.rules)
    if kind == "send":
        hand, favourite = Hand.from_packed(partner), sent
        view = PartnersView(hand, trump, JUDGE.rules, seed)
    else:
        received = Hand.from_packed(sent)
        counts = zip(Hand.from_packed(declarer).counts, received.counts, strict=True)
        hand, favourite = Hand(tuple(a + b for a, b in counts)), returned
        view = DeclarersView(hand, received, trump, RULES.pass_cards, seed, None)
    race = Race(trump, QUICK, kind == "return")
    choosing = view(0, deals)
    ways = ways_to_pass(hand, RULES.pass_cards)
    left = race.shortlist(choosing, ways, favourite, QUICK, LAST_LEFT)
    totals = race.points(choosing, left, QUICK).sum(axis=(0, 2))
    best = int(left[int(totals.argmax())])
    row = {
        "kind": kind,
        "trump": trump,
        "number": number,
        "hand": str(hand),
        "rule": str(Hand.from_packed(favourite)),
        "best": str(Hand.from_packed(best)),
        "loss": 0.0,
        "loss_judged": 0.0,
        "loss_meld": 0.0,
        "notes": len(view.notes),
    }
    if best != favourite:
        judging = view(JUDGING, deals)
        pair = np.array([best, favourite], dtype=np.uint64)
        for name, predictor in (("loss", QUICK), ("loss_judged", JUDGE)):
            melds, tricks = race.points(judging, pair, predictor).mean(axis=2)
            row[name] = float(melds[0] + tricks[0] - melds[1] - tricks[1])
            row["loss_meld"] = float(melds[0] - melds[1])
    return row


def mean_and_error(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5)


def shown(values: list[float]) -> str:
    mean, error = mean_and_error(values)
    return f"{mean:.2f} ± {error:.2f}"


def loss_table(rows: list[dict]) -> str:
    lines = []
    for kind in ("send", "return"):
        for trump in (*SUITS, None):
            some = [r for r in rows if r["kind"] == kind and trump in (None, r["trump"])]
            losses = [r["loss"] for r in some]
            lines.append(
                (
                    kind,
                    "all" if trump is None else SUIT_LETTERS[trump],
                    f"{len(some):,}",
                    shown(losses),
                    shown([r["loss_judged"] for r in some]),
                    f"{np.mean([r['rule'] == r['best'] for r in some]):.0%}",
                    f"{np.percentile(losses, 90):.1f}",
                    ALLOWED[kind],
                )
            )
    headers = (
        "rule", "trump", "holdings", "loss, policy play", "loss, predictor", "rule is best",
        "worst tenth from", "allowed",
    )  # fmt: skip
    return tabulate(lines, headers=headers, tablefmt="github", disable_numparse=True)


def cause_table(rows: list[dict], kind: str) -> str:
    losses = defaultdict(list)
    some = [row for row in rows if row["kind"] == kind]
    for row in some:
        hand, rule, best = (Hand.parse(row[name]) for name in ("hand", "rule", "best"))
        cause = "the rule is best"
        if rule != best:
            cause = (send_cause if kind == "send" else return_cause)(hand, row["trump"], rule, best)
        losses[cause].append((row["loss_judged"], row["loss_meld"]))
    lines = []
    for cause, values in sorted(losses.items(), key=lambda item: -sum(x[0] for x in item[1])):
        loss, meld = np.mean(values, axis=0)
        share = len(values) / len(some)
        lines.append(
            (cause, f"{share:.1%}", f"{loss:.1f}", f"{meld:+.1f}", f"{loss - meld:+.1f}",
             f"{loss * share:.2f}")
        )  # fmt: skip
    return tabulate(
        lines,
        headers=("the best does otherwise", "holdings", "loss", "meld", "tricks", "of the mean"),
        tablefmt="github",
        disable_numparse=True,
    )


def text_of(rows: list[dict], options: argparse.Namespace, seconds: float) -> str:
    odd = sum(row["notes"] > 0 for row in rows)
    return (
        heading("What the rules of the exchange lose against the best cards", options.seed)
        + f"\n{options.holdings} holdings a trump and rule, {options.deals} deals to choose and "
        f"{options.deals} others to measure; {seconds / 60:.0f} minutes on one core. Points a "
        "round, best found less rule, ± one standard error over holdings. The best is found "
        "under `policy` play; the predictor is the default one. In "
        f"{odd} holdings too few deals fitted and the hidden cards were dealt evenly; in the "
        "others a partner's declarer is one that `declares` takes for one, and a declarer's "
        "partner has sent by rule.\n\n"
        + loss_table(rows)
        + "\n\nLosses below are those by the predictor; each holding counts under the first line "
        "that fits.\n\n## Where the send loses\n\n"
        + cause_table(rows, "send")
        + "\n\n## Where the return loses\n\n"
        + cause_table(rows, "return")
        + "\n"
    )


def main() -> None:
    """Measure all holdings that are not yet measured and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--holdings", type=int, default=500)
    parser.add_argument("--deals", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--dry", action="store_true", help="print the tables, keep no result")
    options = parser.parse_args()
    name = f"exchange_best-{kernel_fingerprint()}-{options.seed}-{options.deals}.jsonl"
    path = options.rows or Path(tempfile.gettempdir()) / name
    rows = []
    if path.exists():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    done = {(row["kind"], row["trump"], row["number"]): row for row in rows}
    wanted = [
        (kind, trump, number)
        for number in range(options.holdings)
        for trump in SUITS
        for kind in ("send", "return")
    ]
    with path.open("a", encoding="utf-8") as kept:
        for key in wanted:
            if key in done:
                continue
            start = time.perf_counter()
            row = one_loss(*key, options.seed, options.deals)
            row["seconds"] = round(time.perf_counter() - start, 3)
            done[key] = row
            kept.write(json.dumps(row) + "\n")
            kept.flush()
    rows = [done[key] for key in wanted]
    seconds = sum(row["seconds"] for row in rows)
    text = text_of(rows, options, seconds)
    if options.dry:
        print(text)
    else:
        write("exchange_best.md", text)


if __name__ == "__main__":
    main()
