"""The league: the advisor's quick rule against every baseline, what its parts are worth, its speed.

benchmarks/full_advice.py has the full advice at the table.

    python benchmarks/league.py
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from provenance import heading, write
from tabulate import tabulate

from advisor.league import League, look_of, play_league, run_table
from advisor.league_tally import Pairing, Tally
from advisor.playing import Predictor
from advisor.rules_of_bidding.hands import Hands
from advisor.rules_of_bidding.names import RULE_NAMES, SIMULATING
from advisor.rules_of_bidding.sampled import ROUNDS
from advisor.simulate import worker_pool
from advisor.tables import Table

BASELINES = [name for name in RULE_NAMES if name.startswith("b")]
ABLATIONS = [name for name in RULE_NAMES if name.startswith("without")]
QUICK = [name for name in BASELINES if name not in SIMULATING]


def played(names: list[str], deals: int, options: argparse.Namespace, resume: str | None) -> Tally:
    league = League.of(names, options.rules, options.seed)
    start = time.monotonic()

    def tell(done: int) -> None:
        if done == deals or done % 2048 == 0:
            print(f"{done:,} of {deals:,} deals, {time.monotonic() - start:.0f} s", flush=True)

    with worker_pool(options.threads) as pool:
        return play_league(league, deals, executor=pool, resume=resume, progress=tell)


def against(pairing: Pairing) -> list[str]:
    low, high = pairing.ci95
    return [
        pairing.b,
        RULE_NAMES[pairing.b],
        f"{pairing.points.mean:+.1f} +- {pairing.points.se:.1f}",
        f"{low:+.1f} to {high:+.1f}",
        f"{100 * pairing.won.mean:.1f}% +- {100 * pairing.won.se:.1f}%",
        f"{100 * pairing.side_a.share:.0f}%",
        f"{pairing.side_a.bid:.0f}",
        f"{100 * pairing.side_a.made:.0f}%",
        f"{pairing.side_b.bid:.0f}" if pairing.side_b.share else "-",
        f"{100 * pairing.side_b.made:.0f}%" if pairing.side_b.share else "-",
    ]


def github(rows: list[list[str]], headers: list[str]) -> str:
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def standings_table(tally: Tally) -> str:
    rows = [
        [
            item.name, f"{item.rating:.0f}", f"{item.points:+.1f}", f"{100 * item.won:.0f}%",
            f"{100 * item.side.share:.0f}%", f"{item.side.bid:.0f}", f"{100 * item.side.made:.0f}%",
        ]
        for item in tally.standings()
    ]  # fmt: skip
    headers = ["rule", "Elo", "points a deal", "games won", "declares", "mean bid", "made"]
    return github(rows, headers)


def means_over_baselines(tally: Tally) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for pairing in tally.pairings():
        if pairing.b in QUICK and pairing.a not in QUICK:
            found.setdefault(pairing.a, []).append(pairing.points.mean)
    return {name: float(np.mean(values)) for name, values in found.items()}


def parts(tally: Tally) -> str:
    means = means_over_baselines(tally)
    rows = []
    for pairing in tally.pairings():
        if pairing.a == "advisor" and pairing.b in ABLATIONS:
            _, about, points, between, won, *_ = against(pairing)
            gain = means["advisor"] - means[pairing.b]
            rows.append([pairing.b, about, points, between, won, f"{gain:+.1f}"])
    headers = ["rule", "what it does", "advisor's points a deal", "95%", "games", "over baselines"]
    return github(rows, headers)


def one_direction(options: argparse.Namespace, deals: int) -> float:
    """Return auctions a second where every auction is of a fresh deal and its contract played."""
    league = League.of(["advisor", "b10"], options.rules, options.seed + 4)
    predictor = Predictor.of(league.rules, "policy", False)
    start = time.perf_counter()
    for first in range(0, deals, league.block):
        indices = range(first, first + league.block)
        table = Table.at(indices, league.seed, league.rules, predictor)
        hands = Hands(table.hands.ravel(), league.rules)
        looks = [look_of(rule, hands) for rule in league.entrants]
        run_table(table, *looks, *(rule.habits.as_array() for rule in league.entrants))
    return deals / (time.perf_counter() - start)


def speed(options: argparse.Namespace) -> list[list[str]]:
    """Return rows of rates, after a first block that compiles."""
    one_direction(options, 512)
    rate = f"{one_direction(options, 40 * 512):,.0f}"
    rows = [["advisor and b10, one direction: every auction its own play", rate, rate]]
    for names in (["advisor", "b10"], ["advisor", "b3"], ["advisor", *QUICK]):
        league = League.of(names, options.rules, options.seed + 1)
        play_league(league, league.block)
        start, deals = time.perf_counter(), 20_000
        play_league(league, deals)
        seconds = time.perf_counter() - start
        auctions = 2 * deals * len(league.pairs)
        what = " and ".join(names) if len(names) == 2 else f"{len(names)} rules, all pairs"
        rows.append([what, f"{deals / seconds:,.0f}", f"{auctions / seconds:,.0f}"])
    return rows


def main() -> None:
    """Play the leagues and write them down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--part-deals", type=int, default=100_000)
    parser.add_argument("--rules", default="cardgames")
    parser.add_argument("--seed", type=int, default=606)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", help="keep the main league in this file")
    options = parser.parse_args()
    main_league = played(["advisor", *BASELINES], options.deals, options, options.resume)
    ablated = played(["advisor", *ABLATIONS, *QUICK], options.part_deals, options, None)
    rates = speed(options)
    first = [pairing for pairing in main_league.pairings() if pairing.a == "advisor"]
    headers = [
        "against", "which is", "points a deal", "95%", "games won", "declares", "at", "made",
        "other at", "other made",
    ]  # fmt: skip
    write(
        "league.md",
        f"{heading('League of rules of bidding', options.seed)}\n"
        f"Rules {options.rules}. Every deal is bid and played twice, with the sides exchanged; "
        "points are x10, ours less theirs, the mean of both directions, with one standard error. "
        "All cards are played by the policy engine, corrected to real play. Games to 1500 are "
        "played from deal to deal, two at a time with the seats exchanged.\n\n"
        f"## The advisor's quick rule against every baseline\n\n{options.deals:,} deals, other "
        "than those the rule was found on. Declares, at and made are the advisor's contracts, the "
        "last two columns those of the other. B8 and B9 look at "
        f"{ROUNDS} simulated rounds for each hand and trump.\n\n"
        + github([against(pairing) for pairing in first], headers)
        + "\n\n## Standings\n\nOf the same league, all pairs; Elo by games won, mean 1500.\n\n"
        + standings_table(main_league)
        + f"\n\n## What its parts are worth\n\n{options.part_deals:,} deals. The rule against "
        "itself with one part switched off, and by how much the part raises the mean over the "
        f"{len(QUICK)} baselines that do not simulate.\n\n"
        + parts(ablated)
        + "\n\n## Speed\n\nComplete auctions with play a second, one thread, on fresh deals: each "
        "auction is bid out and the contract it ends in scored; a contract that several auctions "
        "of a deal end in is played once.\n\n"
        + github(rates, ["rules", "deals a second", "auctions a second"])
        + "\n",
    )


if __name__ == "__main__":
    main()
