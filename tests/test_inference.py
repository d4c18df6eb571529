"""What calls are taken to mean."""

import pytest
from naive import hand_of

from advisor.advise import advise
from advisor.game.auction import Auction, Call
from advisor.game.conventions import load_convention
from advisor.game.position import meanings_of
from advisor.game.rules import PRESETS

HAND = hand_of("TKQJ9.A.KQ99.TK")
STRONG = hand_of("AATKQJ.AK.QJ.T9")


def test_a_jump_is_taken_to_mean_what_was_agreed():
    agreed = advise(HAND, auction="250 P 270 P", convention="meld-jump", samples=400)
    nothing = advise(HAND, auction="250 P 270 P", samples=400)
    partner = next(i for i in agreed.auctioned.inferences if i.who == "partner")
    plain = next(i for i in nothing.auctioned.inferences if i.who == "partner")
    assert partner.figures[0].shows == "meld"
    assert partner.agreed == "100 or more points of meld"
    assert partner.figures[0].mean.mean > 2 * partner.figures[0].usual.mean
    assert plain.agreed == ""
    assert plain.figures[0].mean.mean < 0.7 * partner.figures[0].mean.mean
    assert {i.who for i in agreed.auctioned.inferences} == {"left", "partner", "right"}
    deaf = advise(HAND, auction="250 P 270 P", convention="meld-jump", samples=400, inference=False)
    assert not deaf.auctioned.read
    assert deaf.auctioned.inferences == ()


def test_who_bid_is_stronger_and_who_passed_weaker():
    steps = " ".join(str(bid) for bid in range(250, 331, 10))
    advice = advise(HAND, auction=f"{steps} P", samples=500)
    told = {i.who: i.figures[2] for i in advice.auctioned.inferences}
    assert {figure.shows for figure in told.values()} == {"value"}
    assert told["partner"].mean.mean > told["partner"].usual.mean + 3 * told["partner"].mean.se
    assert told["right"].mean.mean < told["right"].usual.mean - 3 * told["right"].mean.se


@pytest.mark.parametrize(
    ("calls", "convention", "agreed"),
    [
        ("250 P 270 P", "dos", "50 to 90 points of meld"),
        ("250 P 280 P", "dos", "100 to 140 points of meld"),
        ("250 P 300 P", "dos", "200 or more points of meld"),
        ("250 P 260 P", "dos", ""),
        # Words that nobody can compute are quoted.
        ("250 P 270 P", "trickster", "a strong hand"),
        ("250 P 300 P", "trickster", "1 or more runs"),
        # Only after partner has bid.
        ("270 P", "trickster", ""),
    ],
)
def test_what_was_agreed_is_that_of_the_size_and_the_moment_of_a_jump(calls, convention, agreed):
    rules = PRESETS["pagat"]
    advice = advise(
        STRONG, auction=calls, convention=convention, rules=rules, samples=16, inference=True
    )
    position, told = advice.decision.position, load_convention(convention)
    partner = (position.seat + 1) % 4 + 1
    said = [i.agreed for i in advice.auctioned.inferences if i.seat == partner]
    assert said in ([agreed], [])
    # What is not read because hardly any hand calls so is agreed all the same.
    index = position.auction.seats.index(partner)
    before = Auction(rules, position.auction.calls[:index])
    shown = meanings_of(told, before, position.auction.calls[index])
    assert " or ".join(meaning.words() for meaning in shown) == agreed


def test_a_jump_shows_nothing_to_a_partner_who_is_out_nor_a_second_time():
    dos, rules = load_convention("dos"), PRESETS["pagat"]
    assert meanings_of(dos, Auction.parse(rules, "P 250"), Call(270)) == ()
    assert meanings_of(dos, Auction.parse(rules, "P 250 260 P"), Call(290)) == ()
    assert len(meanings_of(dos, Auction.parse(rules, "250 P"), Call(270))) == 1


def test_calls_that_no_hand_explains_are_said_to_tell_nothing():
    steps = " ".join(str(bid) for bid in range(250, 541, 10))
    odd = advise(STRONG, auction=steps, samples=64).auctioned
    assert all(inference.is_odd for inference in odd.inferences)
    usual = advise(HAND, auction="250 260 270", samples=64).auctioned
    assert all(inference.explained > 0.5 for inference in usual.inferences)
