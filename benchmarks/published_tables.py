"""The published tables of chances to make a bid, and measured auction decisions, beside ours.

Figures of others are those of an AI's logged auction decisions (Slippedup42/pinochle, its
rollout_dataset.csv): three cards passed, and a run that also pays its royal marriage. The same
rules are set here; hands are random, in the trump of the quick valuation.

    python benchmarks/published_tables.py
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.advise import advise
from advisor.bidding import random_hands
from advisor.game.cards import ACE, Hand
from advisor.game.rules import Rules
from advisor.kernels.rounds import OUR_MELD, OUR_TRICKS
from advisor.playing import Predictor, deal_packed, play, rule_array
from advisor.valuation import quick_values

RULES = Rules().replace(pass_cards=3, royal_in_run=True)
REAL_HANDS = Path(__file__).parents[2] / "shared" / "data" / "real_hands.json"
BID = 300
# Published: P(make) at a next bid of 300 (300 to 310 where run cards are counted).
BY_MISSING = {0: 1.00, 1: 0.72, 2: 0.51, 3: 0.30, 4: 0.19}
BY_MISSING_ACES = {
    (1, False): 0.70, (1, True): 0.81, (2, False): 0.45, (2, True): 0.69, (3, False): 0.25,
    (3, True): 0.50, (4, False): 0.14, (4, True): 0.36,
}  # fmt: skip
BY_MELD = {0: 0.44, 20: 0.39, 40: 0.54, 60: 0.58, 80: 0.63, 100: 0.70, 140: 0.78, 180: 0.98}
BY_ACES = {0: 0.38, 1: 0.47, 2: 0.53, 3: 0.63, 4: 0.73, 5: 0.74}
BY_LENGTH = {3: 0.31, 4: 0.54, 5: 0.65, 6: 0.81, 7: 0.91}
BY_NEED = {
    0: 1.00, 80: 0.98, 100: 0.94, 120: 0.90, 140: 0.72, 160: 0.60, 180: 0.37, 200: 0.26,
    220: 0.15, 240: 0.11, 260: 0.0,
}  # fmt: skip
WITH_RUN = {300: 1.00, 340: 0.99, 380: 0.94, 420: 0.89}


class Sample:
    """Random hands declaring, with the rounds of each."""

    def __init__(self, count: int, samples: int, seed: int) -> None:
        words = random_hands(count, seed)
        values = rule_array(RULES)
        trumps = quick_values(words, values).argmax(axis=1)
        predictor = Predictor.of(RULES, None, False)
        self.hands = [Hand.from_packed(int(word)) for word in words]
        self.scores = np.zeros((count, 3 * samples), dtype=int)
        self.melds = np.zeros((count, 3 * samples), dtype=int)
        self.missing, self.length, self.aces, self.ace_suits, self.meld = (
            np.zeros(count, dtype=int) for _ in range(5)
        )
        from advisor.game.meld import score_meld

        for i, (hand, trump) in enumerate(zip(self.hands, trumps, strict=True)):
            deals = deal_packed(hand.packed, samples=samples, seed=seed)
            outcomes, _ = play(deals, np.full(len(deals), trump), predictor)
            self.melds[i] = outcomes[:, OUR_MELD]
            self.scores[i] = outcomes[:, OUR_MELD].astype(int) + outcomes[:, OUR_TRICKS]
            suit = int(trump)
            self.missing[i] = sum(not hand.count(suit, rank) for rank in range(1, 6))
            self.length[i] = sum(hand.suit(suit))
            self.aces[i] = sum(hand.count(s, ACE) for s in range(4))
            self.ace_suits[i] = sum(hand.count(s, ACE) > 0 for s in range(4))
            self.meld[i] = score_meld(hand, suit, RULES).total
        self.made = (self.scores >= BID).mean(axis=1)

    def row(self, name: str, theirs: float, part: np.ndarray) -> list[str]:
        """Return a row: what others found, and ours over some hands."""
        if not part.any():
            return [name, f"{theirs:.2f}", "none", "0"]
        values = self.made[part]
        error = values.std() / len(values) ** 0.5
        return [name, f"{theirs:.2f}", f"{values.mean():.2f} ± {error:.2f}", f"{part.sum():,}"]


def chance_tables(sample: Sample) -> str:
    """Return the tables of chances by what the hand holds and by what tricks must bring."""
    meld_edges = [*BY_MELD, 10_000]
    groups = {
        "run cards missing in trump": [
            sample.row(str(n), theirs, sample.missing == n) for n, theirs in BY_MISSING.items()
        ],
        "missing, aces in three suits or more": [
            sample.row(
                f"{n}, {'yes' if aces else 'no'}",
                theirs,
                (sample.missing == n) & ((sample.ace_suits >= 3) == aces),
            )
            for (n, aces), theirs in BY_MISSING_ACES.items()
        ],
        "own meld": [
            sample.row(str(low), theirs, (sample.meld >= low) & (sample.meld < high))
            for (low, theirs), high in zip(BY_MELD.items(), meld_edges[1:], strict=True)
        ],
        "aces": [sample.row(str(n), theirs, sample.aces == n) for n, theirs in BY_ACES.items()],
        "trumps": [
            sample.row(str(n), theirs, sample.length == n) for n, theirs in BY_LENGTH.items()
        ],
    }
    parts = []
    for name, rows in groups.items():
        headers = [name, "published", "ours", "hands"]
        parts.append(tabulate(rows, headers, "github", disable_numparse=True))
    run = sample.missing == 0
    rows = []
    for low, theirs in WITH_RUN.items():
        ours = np.mean([(sample.scores[run] >= bid).mean() for bid in range(low, low + 40, 10)])
        rows.append([f"{low} to {low + 30}", f"{theirs:.2f}", f"{ours:.2f}", f"{run.sum():,}"])
    parts.append(
        tabulate(rows, ["bid with a run held", "published", "ours", "hands"], "github",
                 disable_numparse=True)
    )  # fmt: skip
    tricks = sample.scores - sample.melds
    rows = []
    edges = [*BY_NEED, 10_000]
    for (low, theirs), high in zip(BY_NEED.items(), edges[1:], strict=True):
        won = total = 0
        for bid in range(250, 421, 10):
            need = bid - sample.melds
            part = (need >= low) & (need < high)
            won += int((tricks[part] >= need[part]).sum())
            total += int(part.sum())
        name = f"{low} or more" if high == 10_000 else f"{low} to {high - 10}"
        rows.append([name, f"{theirs:.2f}", f"{won / total:.2f}", f"{total:,}"])
    parts.append(
        tabulate(rows, ["tricks must bring", "published", "ours", "rounds and bids"], "github",
                 disable_numparse=True)
    )  # fmt: skip
    return "\n\n".join(parts)


def decisions(samples: int) -> str:
    """Return the table of measured auction decisions, or a note where their file is absent."""
    if not REAL_HANDS.exists():
        return "The file of measured decisions is not here.\n"
    rows = []
    agree = 0
    chances, theirs_p = [], []
    cases = [
        case
        for case in json.loads(REAL_HANDS.read_text(encoding="utf-8"))
        if case["kind"] == "measured-rollout"
    ]
    for case in cases:
        said = case["advice"]
        hand = Hand.parse(" ".join(case["hand"]))
        advice = advise(hand, rules=RULES, samples=samples)
        bid = said["bid"]
        best = advice.best
        take, p_make = best.take[bid], best.p_make[bid]
        defend = advice.decision.defend.get(bid - 10) or advice.decision.defend[bid]
        ours = "bid" if take.mean >= defend.mean else "pass"
        agree += ours == said["action"]
        chances.append(p_make.mean)
        theirs_p.append(said["p_make"])
        rows.append(
            [
                case["id"],
                str(hand),
                str(bid),
                f"{said['trump']} / {'SHDC'[best.trump]}",
                f"{said['p_make']:.2f} / {p_make.mean:.2f}",
                f"{said['ev_take']:.0f} / {take.mean:.0f} ± {take.se:.0f}",
                f"{said['ev_defend']:.0f} / {defend.mean:.0f} ± {defend.se:.0f}",
                f"{said['action']} / {ours}",
            ]
        )
    headers = ["hand", "", "bid", "trump", "P(make)", "take", "defend", "decision"]
    correlation = np.corrcoef(chances, theirs_p)[0, 1]
    return (
        f"{tabulate(rows, headers, 'github', disable_numparse=True)}\n\n"
        f"{agree} of {len(rows)} decisions agree; P(make) correlates {correlation:.2f}.\n"
    )


def main() -> None:
    """Measure and keep the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=6000)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    sample = Sample(options.hands, options.samples, options.seed)
    write(
        "published_tables.md",
        f"{heading('Published chances and decisions beside ours', options.seed)}\n"
        f"{options.hands:,} random hands, {3 * options.samples} rounds each. P(make) at a bid of "
        f"{BID} unless said otherwise; ± one standard error over hands.\n\n"
        f"## Chances to make\n\n{chance_tables(sample)}\n\n"
        f"## Decisions: theirs / ours\n\n{decisions(2048)}\n"
        "Where we differ: P(make) and the worth of taking agree for hands with a run or nearly "
        "one. For weak hands ours are higher, because our exchange is made for the team's meld and "
        "our trump is the best of four by simulation; theirs name another suit in several of "
        "them. Defending is worth 50 to 150 points less with us: the opponents whose contract it "
        "is choose their trump and their exchange as well as we do, so they make more of it. That "
        "is why we take some contracts that they let go.\n",
    )


if __name__ == "__main__":
    main()
