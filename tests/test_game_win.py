"""The chance to win the game: its ends by the rules, its table, and games played out."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from win_table import solved

from advisor.bidding import STANDARD_STYLE
from advisor.game.rules import PRESETS, Rules
from advisor.game.scoring import winner
from advisor.game_win import UNITS, WIN_FILE, win_chance, win_table
from advisor.tables import Table

TIES = ("bidder", "highest")
RULES = [
    Rules(),
    Rules(tie_rule="highest"),
    Rules(target=1000),
    PRESETS["classic"],
    PRESETS["neuralplay"],
]
SCORES = st.integers(-300, 1000).map(lambda tens: 10 * tens)


def chance(us, them, we_bid, rules):
    return float(win_chance(np.array([us]), np.array([them]), we_bid, rules)[0])


@given(SCORES, SCORES, st.booleans(), st.sampled_from(RULES))
def test_a_game_that_is_over_is_won_as_the_rules_say(us, them, we_bid, rules):
    found = chance(us, them, np.array([we_bid]), rules)
    side = winner(rules, (us, them), 0 if we_bid else 1)
    if side is None:
        assert 0 < found < 1
    else:
        assert found == 1 - side


@given(st.integers(-3000, 12000), st.integers(-3000, 12000), st.sampled_from(RULES))
def test_sides_share_the_chance(us, them, rules):
    assert chance(us, them, None, rules) + chance(them, us, None, rules) == pytest.approx(1)
    ours = chance(us, them, np.array([True]), rules)
    theirs = chance(them, us, np.array([False]), rules)
    assert ours + theirs == pytest.approx(1)
    assert chance(us, us, None, rules) == pytest.approx(0.5)


@given(SCORES, SCORES, st.integers(1, 500), st.sampled_from(RULES), st.booleans())
def test_more_points_never_lower_the_chance(us, them, more, rules, we_bid):
    # Once there, points count no more, and the other side's may turn a win into a tie.
    bid = np.array([we_bid])
    assert chance(us + more, them, bid, rules) >= chance(us, them, bid, rules) - 1e-12
    assert chance(us, them + more, bid, rules) <= chance(us, them, bid, rules) + 1e-12


@pytest.mark.parametrize("tie_rule", TIES)
def test_the_table_is_whole_symmetric_and_falls_with_the_distance(tie_rule):
    stored = json.loads(WIN_FILE.read_text())
    table = np.array(stored["tables"][tie_rule])
    assert stored["unit"] == f"1/{UNITS}"
    assert "command: `python benchmarks/win_table.py`" in stored["made_by"]
    assert stored["rounds"] >= 200_000
    assert (len(table) - 1) * stored["step"] == Rules().target + 1000
    assert table.dtype.kind == "i"
    assert (table + table.T == UNITS).all()
    assert (np.diff(table, axis=0) <= 0).all()
    assert (np.diff(table, axis=1) >= 0).all()
    # No node sticks out: where one round cannot decide the game the surface bends slowly.
    assert np.abs(np.diff(table[10:, 10:], n=2, axis=0)).max() < 0.015 * UNITS


def test_the_table_is_read_once_and_cannot_be_changed():
    assert win_table("bidder") is win_table("bidder")
    with pytest.raises(ValueError, match="read-only"):
        win_table("bidder")[1][0, 0] = 1


def test_shapes_and_far_scores():
    us, them = np.array([[0], [300]]), np.array([-5000, -1000, 1600])
    found = win_chance(us, them, None, Rules())
    assert found.shape == (2, 3)
    assert (found[:, 0] > found[:, 1]).all()
    assert (found[:, 0] > 0.99).all()
    assert (found[:, 2] == 0).all()
    assert win_chance(np.array([], dtype=int), np.array([], dtype=int), None, Rules()).shape == (0,)
    both = win_chance(np.array([1500, 1500]), 1600, np.array([True, False]), Rules())
    assert both.tolist() == [1, 0]


def test_other_targets_go_by_the_distances():
    near = win_chance(np.array([300, 900]), np.array([600, 100]), None, Rules(target=1000))
    far = win_chance(np.array([800, 1400]), np.array([1100, 600]), None, Rules())
    assert near.tolist() == far.tolist()


def test_known_values():
    # Ten points short against a game away: nearly won; the bidder's side alone can still lose it.
    assert 0.9 < chance(1490, 0, None, Rules()) < 1
    assert 0.5 < chance(100, 0, None, Rules()) < 0.6
    # Where the highest wins, a side far behind cannot slip past a rival at the post.
    behind = [chance(1250, 1450, None, Rules(tie_rule=rule)) for rule in TIES]
    assert behind[0] > behind[1] + 0.001


def test_import_is_light():
    code = "import sys, advisor.game_win; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def games_won(ours, theirs, rules, start, games, rng):
    """Return the share of games that side 0 wins, rounds being drawn from those given."""
    scores = np.tile(np.array(start), (games, 1))
    won = np.full(games, -1)
    while (won < 0).any():
        on = np.flatnonzero(won < 0)
        rows = rng.integers(len(ours), size=len(on))
        side = rng.integers(2, size=len(on))
        scores[on, side] += ours[rows]
        scores[on, 1 - side] += theirs[rows]
        for game, bidder in zip(on.tolist(), side.tolist(), strict=True):
            found = winner(rules, tuple(scores[game].tolist()), bidder)
            won[game] = -1 if found is None else found
    return (won == 0).mean()


@pytest.mark.parametrize("rules", RULES[:2], ids=TIES)
def test_games_drawn_round_by_round_are_won_as_often(rules):
    table = Table(20_000, 4711)
    found = table.run((STANDARD_STYLE, STANDARD_STYLE))
    side = (found.declarer & 1)[:, None]
    ours = np.take_along_axis(found.points, side, axis=1)[:, 0]
    theirs = np.take_along_axis(found.points, 1 - side, axis=1)[:, 0]
    rng = np.random.default_rng(3)
    games = 6000
    for start in ((0, 0), (0, 500), (800, 1200), (1200, 1400), (1450, 1250), (1490, -200)):
        share = games_won(ours, theirs, rules, start, games, rng)
        expected = chance(*start, None, rules)
        # Four standard errors of the games, half a percent for the nodes and these few rounds.
        error = 4 * (expected * (1 - expected) / games) ** 0.5 + 0.005
        assert abs(share - expected) < error, start


@pytest.mark.parametrize("tie_rule", TIES)
@pytest.mark.parametrize(
    ("target", "start"),
    [
        (5000, (300, 0)),
        (5000, (0, 1000)),
        (3000, (0, 1500)),
        (1500, (-1000, 0)),
        (1500, (-900, 900)),
    ],
)
def test_far_from_the_target_games_are_won_as_often(tie_rule, target, start):
    rules = Rules(target=target, tie_rule=tie_rule)
    found = Table(5_000, 4711).run((STANDARD_STYLE, STANDARD_STYLE))
    side = (found.declarer & 1)[:, None]
    ours = np.take_along_axis(found.points, side, axis=1)[:, 0]
    theirs = np.take_along_axis(found.points, 1 - side, axis=1)[:, 0]
    games = 4000
    share = games_won(ours, theirs, rules, start, games, np.random.default_rng(3))
    expected = chance(*start, None, rules)
    # Four standard errors of the games, and what drawing the sides nearer may cost.
    assert abs(share - expected) < 4 * (expected * (1 - expected) / games) ** 0.5 + 0.015


def test_a_round_counts_at_the_start_of_a_long_game():
    starts = [chance(us, 0, None, PRESETS["classic"]) for us in (0, 100, 500, 1500, 3000)]
    assert starts[0] == 0.5
    assert (np.diff(starts) > 0.01).all()


def test_the_chance_does_not_leap_where_a_side_is_drawn_nearer():
    for them in (-1500, -700, 0, 700, 1400):
        before, after = (chance(us, them, None, Rules()) for us in (-750, -760))
        assert 0 <= before - after < 0.01


def test_iteration_finds_a_game_that_can_be_done_by_hand():
    """One side scores 10 each round, at even odds: from 10 and 20 short it is a coin or two."""
    shares = np.zeros((351, 351))
    shares[101, 100] = 1.0
    table, _, change = solved(shares, "bidder", 40)
    assert change < 1e-9
    assert table[1, 1] == pytest.approx(0.5)
    assert table[1, 2] == pytest.approx(0.75)
    assert table[1, 3] == pytest.approx(0.875)
    assert table[2, 3] == pytest.approx(11 / 16)
