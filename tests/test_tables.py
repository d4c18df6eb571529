"""Tables of self-play: deals, scores by the rules, pairing."""

import numpy as np
import pytest

from advisor.bidding import STANDARD_STYLE, BiddingStyle
from advisor.game.conventions import PRESETS as CONVENTIONS
from advisor.game.rules import PRESETS, Rules
from advisor.game.scoring import may_throw_in, score_round
from advisor.kernels import rounds
from advisor.playing import Predictor
from advisor.tables import NONE, Table, four_hands

BOLD = BiddingStyle(model="mean", offset=120, noise=40)
TABLES = [
    Rules(),
    PRESETS["pagat"],
    PRESETS["gamerules"],
    Rules(save_meld="trick", throw_in="never"),
    Rules(save_meld="none", all_pass="redeal", minimum=350),
    Rules(dix_saves=True, save_meld_bidder=False, throw_in="any"),
    Rules(pass_cards=0, minimum=200, forced_bid=180),
]


def test_every_card_is_dealt_once():
    for deal in four_hands(50, 3):
        copies = [sum((int(hand) >> 2 * card) & 3 != 0 for hand in deal) for card in range(24)]
        assert [int(hand).bit_count() for hand in deal] == [12] * 4
        assert all(
            sum(((int(hand) >> 2 * card) & 3).bit_count() for hand in deal) == 2
            for card in range(24)
        )
        assert min(copies) >= 1


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: ",".join(rules.differences(Rules())))
@pytest.mark.parametrize("style", [STANDARD_STYLE, BOLD], ids=["standard", "bold"])
def test_points_are_those_of_the_rules(rules, style):
    table = Table(400, 11, rules, Predictor.of(rules, "policy", True))
    found = table.run((style, STANDARD_STYLE), (NONE, CONVENTIONS["meld-jump"]))
    assert ((found.declarer == -1) <= (rules.all_pass == "redeal")).all()
    for i, seat in enumerate(found.declarer.tolist()):
        if seat < 0:
            assert found.points[i].tolist() == [0, 0]
            continue
        our_meld, their_meld, our_tricks, flags, _ = map(int, found.outcomes[i])
        expected = score_round(
            rules,
            int(found.contract[i]),
            our_meld,
            our_tricks,
            their_meld,
            rules.trick_total - our_tricks,
            our_trick_count=flags & rounds.FLAG_OUR_TRICK,
            their_trick_count=flags & rounds.FLAG_THEIR_TRICK,
            our_dix_only=bool(flags & rounds.FLAG_OUR_DIX_ONLY),
            their_dix_only=bool(flags & rounds.FLAG_THEIR_DIX_ONLY),
            thrown_in=bool(found.thrown_in[i]),
        )
        side = seat & 1
        assert found.points[i, side] == expected.declarers
        assert found.points[i, 1 - side] == expected.defenders
        assert found.made[i] == expected.made
    if rules.throw_in == "never":
        assert not found.thrown_in.any()


def test_a_bid_out_of_reach_is_thrown_in_where_the_others_gain_by_play():
    rules = Rules()
    table = Table(400, 12, rules, Predictor.of(rules, "policy", True))
    found = table.run((BOLD, BOLD))
    short = [
        may_throw_in(rules, bid, meld)
        for bid, meld in zip(
            found.contract.tolist(), found.outcomes[:, rounds.OUR_MELD].tolist(), strict=True
        )
    ]
    assert found.thrown_in.tolist() == short
    assert any(short)


def test_the_same_table_gives_the_same_rounds():
    styles = STANDARD_STYLE, BOLD
    first, again = Table(300, 7), Table(300, 7)
    again.run((BOLD, STANDARD_STYLE))
    one, two = first.run(styles), again.run(styles)
    for name in ("declarer", "contract", "trump", "points", "made", "thrown_in", "outcomes"):
        assert (getattr(one, name) == getattr(two, name)).all(), name
    other = Table(300, 8).run(styles)
    assert (other.points != one.points).any()


def test_noise_is_drawn_for_each_seat():
    table = Table(2000, 9)
    quiet = table.seats([BiddingStyle(noise=0)] * 2, (NONE, NONE))
    loud = table.seats([BiddingStyle(noise=30)] * 2, (NONE, NONE))
    added = loud[:, :, 0] - quiet[:, :, 0]
    assert (loud[:, :, 1:] == quiet[:, :, 1:]).all()
    assert np.abs(added.mean(axis=0)).max() < 3
    assert np.abs(added.std(axis=0) - 30).max() < 2
    assert np.abs(np.corrcoef(added.T) - np.eye(4)).max() < 0.1
