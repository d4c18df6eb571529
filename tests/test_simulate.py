import hashlib
import json
import math
import os
import subprocess
import sys
import threading
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from naive import DECK, cards_of, hand_of

from advisor.advise import advise
from advisor.errors import AdvisorError, HandError, OptionError
from advisor.game.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Hand
from advisor.game.rules import PRESETS, Rules
from advisor.kernels import rounds
from advisor.playing import Outcomes
from advisor.pricing import estimate
from advisor.simulate import MAX_SAMPLES, MAX_SEED, MAX_THREADS, check_whole, simulate, worker_pool

HAND = hand_of("AATKQJ.AK.QJ.T9")
ARRAYS = [item.name for item in fields(Outcomes) if item.name != "trump"]


def assert_same(one, other):
    assert one.trump == other.trump
    for name in ARRAYS:
        left, right = getattr(one, name), getattr(other, name)
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right, err_msg=name)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(rules, threads):
    alone = simulate(HAND, 2, samples=1000, seed=3, rules=rules)
    with worker_pool(threads) as pool:
        pooled = simulate(HAND, 2, samples=1000, seed=3, rules=rules, executor=pool, block=90)
    assert_same(alone, pooled)


@pytest.mark.parametrize("block", [1, 7, 100, 8192])
def test_blocks_change_nothing(block):
    whole = simulate(HAND, 0, samples=9000 if block == 8192 else 300, seed=5, block=300_000)
    assert_same(whole, simulate(HAND, 0, samples=whole.samples, seed=5, block=block))
    with worker_pool(2) as pool:
        assert_same(
            whole,
            simulate(HAND, 0, samples=whole.samples, seed=5, block=block, executor=pool),
        )


@pytest.mark.parametrize("cuts", [(100,), (1, 2, 299), (37, 150)])
def test_runs_joined_equal_one_run(cuts):
    whole = simulate(HAND, 1, samples=300, first=1000, seed=MAX_SEED)
    bounds = [0, *cuts, 300]
    joined = None
    for start, stop in pairwise(bounds):
        part = simulate(HAND, 1, samples=stop - start, first=1000 + start, seed=MAX_SEED)
        joined = part if joined is None else joined.extended(part)
    assert_same(whole, joined)


def test_seed_hand_and_trump_each_change_the_rounds():
    base = simulate(HAND, 0, samples=200, seed=1)
    for other in (
        simulate(HAND, 0, samples=200, seed=2),
        simulate(HAND, 1, samples=200, seed=1),
        simulate(hand_of("AATKQ9.AK.QJ.T9"), 0, samples=200, seed=1),
        simulate(HAND, 0, samples=200, first=200, seed=1),
    ):
        assert (base.received != other.received).any()
        assert (base.our_tricks != other.our_tricks).any()


def test_the_numbers_of_python_and_numpy_are_one_type_to_the_kernel():
    simulate(HAND, 0, samples=3, seed=1)
    known = [len(kernel.signatures) for kernel in (rounds.deal_rounds, rounds.play_rounds)]
    simulate(HAND, np.int64(0), samples=np.int32(3), seed=np.uint64(MAX_SEED), first=np.int64(2))
    simulate(HAND, 3, samples=3, seed=0, first=2**62)
    # A second signature would be a second compilation, of seconds.
    assert [len(kernel.signatures) for kernel in (rounds.deal_rounds, rounds.play_rounds)] == known


def test_the_same_deals_under_every_trump():
    # With no exchange nothing but trump differs, and no meld but that of the trump suit.
    rules = Rules(pass_cards=0)
    runs = [simulate(HAND, trump, samples=50, seed=4, rules=rules) for trump in range(4)]
    for run in runs:
        assert (run.received == 0).all()
        assert (run.returned == 0).all()
        # The three rotations have the same four hands.
        total = run.our_meld.astype(int) + run.their_meld
        assert (total == total[:, :1]).all()


SCRIPT = """
import hashlib, json, sys
from advisor.game.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Hand
from advisor.advise import advise
from advisor.kernels._jit import cached_entries
from advisor.simulate import simulate

before = len(cached_entries())
hand = Hand.from_cards(json.loads(sys.argv[1]))
run = simulate(hand, 2, samples=500, seed=77)
digest = hashlib.sha256()
for name in json.loads(sys.argv[2]):
    digest.update(getattr(run, name).tobytes())
advice = advise(hand, samples=700, seed=77)
digest.update(repr(advice).encode())
print(before, len(cached_entries()), digest.hexdigest())
"""


@pytest.mark.slow
def test_a_cold_and_a_warm_cache_give_the_same_bytes(tmp_path):
    home = Path(rounds.__file__).parents[2]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(home)}
    arguments = [json.dumps(HAND.cards), json.dumps(ARRAYS)]
    outputs = []
    for _ in range(3):
        result = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stderr == ""
        outputs.append(result.stdout.split())
    cold, *warm = outputs
    assert cold[0] == "0" < cold[1]
    # The warm runs compile nothing.
    assert [run[:2] for run in warm] == [[cold[1], cold[1]]] * 2
    run = simulate(HAND, 2, samples=500, seed=77)
    digest = hashlib.sha256()
    for name in ARRAYS:
        digest.update(np.ascontiguousarray(getattr(run, name)).tobytes())
    digest.update(repr(advise(HAND, samples=700, seed=77)).encode())
    assert {output[2] for output in outputs} == {digest.hexdigest()}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"samples": 0}, OptionError, f"samples: expected a whole number from 1 to {MAX_SAMPLES}"),
        ({"samples": MAX_SAMPLES + 1}, OptionError, "samples: .*found 1000001"),
        ({"samples": 10.0}, OptionError, r"samples: .*found 10\.0"),
        ({"samples": True}, OptionError, "samples: .*found (?i:true)"),
        ({"samples": "10"}, OptionError, "samples: .*found '10'"),
        ({"seed": -1}, OptionError, "seed: expected a whole number from 0 to .*found -1"),
        ({"seed": 2**64}, OptionError, "seed: expected .* to 18446744073709551615, found"),
        ({"first": -1}, OptionError, "first: .*found -1"),
        ({"block": 0}, OptionError, "block: .*found 0"),
        ({"trump": 4}, OptionError, "trump: expected a whole number from 0 to 3, found 4"),
        ({"trump": None}, OptionError, "trump: .*found (?i:none)"),
        ({"engine": "magic"}, OptionError, "engine: expected .*policy.*found 'magic'"),
        ({"hand": Hand.from_cards(DECK[:11])}, HandError, "hand has 11 cards, expected 12"),
        ({"hand": Hand.from_cards(DECK[:16])}, HandError, "hand has 16 cards, expected 12"),
    ],
)
def test_errors_are_one_line_that_names_the_setting(arguments, error, message):
    arguments = {"hand": HAND, "trump": 0, "samples": 10, **arguments}
    with pytest.raises(error, match=message) as caught:
        simulate(arguments.pop("hand"), arguments.pop("trump"), **arguments)
    assert isinstance(caught.value, AdvisorError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("threads", [0, -1, MAX_THREADS + 1, 1.5, True, "2"])
def test_number_of_threads_is_checked(threads):
    with pytest.raises(OptionError, match="threads: expected a whole number"), worker_pool(threads):
        pass


def test_an_error_in_a_pool_drops_what_has_not_begun():
    begun, release, ended, done = threading.Event(), threading.Event(), threading.Event(), []

    def block(number):
        begun.set()
        release.wait(10)
        done.append(number)
        ended.set()

    def interrupt():
        with worker_pool(1) as pool:
            for number in range(3):
                pool.submit(block, number)
            begun.wait(10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    # The block that runs is not waited for: it may end when it likes.
    assert done == []
    release.set()
    assert ended.wait(10)
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPoolExecutor"):
            thread.join(10)
    assert done == [0]


def test_whole_numbers_are_returned_as_python_numbers():
    value = check_whole("samples", np.uint16(7), 1, 10)
    assert value == 7
    assert type(value) is int


def test_score_is_meld_and_tricks():
    run = simulate(hand_of("AAKK.AAKK.AAKK.-"), 0, samples=200, seed=1)
    assert run.score.dtype == np.int64
    np.testing.assert_array_equal(
        run.score, run.our_meld.astype(np.int64) + run.our_tricks.astype(np.int64)
    )
    assert (run.samples, run.score.shape) == (200, (200, 3))


def test_cards_of_the_hand_are_never_dealt_again():
    held = cards_of("AATTKKQQJJ99.-.-.-")
    run = simulate(Hand.from_cards(held), 1, samples=100, seed=9)
    # All spades are in this hand: none can come.
    assert (run.received & np.uint64(0xFFF) == 0).all()


def test_hearts_and_clubs_are_alike():
    """A hand with hearts and clubs exchanged has the same estimates, but for sampling error."""
    hand, mirrored = hand_of("J9.9.ATKQJ9.AKQ"), hand_of("J9.AKQ.ATKQJ9.9")
    other_trump = {SPADES: SPADES, HEARTS: CLUBS, DIAMONDS: DIAMONDS, CLUBS: HEARTS}
    for trump, other in other_trump.items():
        one = simulate(hand, trump, samples=6000, seed=1)
        two = simulate(mirrored, other, samples=6000, seed=2)
        for name in ("our_meld", "their_meld", "our_tricks", "declarer_meld"):
            a, b = estimate(getattr(one, name)), estimate(getattr(two, name))
            assert abs(a.mean - b.mean) < 4.5 * math.hypot(a.se, b.se), (trump, name)


# One kernel that compiles fast.
DEAL = "from advisor.playing import deal_packed; print(deal_packed(4095, samples=3).hands)"


def test_two_cold_processes_do_not_disturb_each_other(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", DEAL]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, env=environment, **pipes) for _ in range(2)]
    (one, complaints), (other, more) = (process.communicate() for process in both)
    assert (complaints, more) == ("", "")
    assert one == other != ""
    # What they left is whole.
    warm = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (warm.stdout, warm.stderr) == (one, "")
    assert len(list(tmp_path.rglob("*.nbi"))) == 1


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="/proc is what nobody can write to")
def test_without_a_home_that_can_be_written_code_is_kept_elsewhere(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    # Nobody can make a folder there.
    environment |= {"XDG_CACHE_HOME": "/proc", "TMPDIR": str(tmp_path)}
    script = f"{DEAL}; from advisor.kernels import _jit; print(_jit.unwritable_home())"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "/proc/pinochle-advisor"
    assert len(list(tmp_path.glob("pinochle-advisor-*/kernels-*"))) == 1
    assert len(list(tmp_path.rglob("*.nbi"))) == 1


def test_a_damaged_cache_costs_only_itself(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def answer():
        done = subprocess.run(
            [sys.executable, "-c", DEAL],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout

    first = answer()
    for number, path in enumerate(sorted(tmp_path.rglob("*.nb?"))):
        path.write_bytes(b"" if number % 2 else path.read_bytes()[:100] + b"junk")
    assert answer() == first
    assert answer() == first
