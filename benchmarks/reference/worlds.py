"""Worlds: hidden hands drawn uniformly among those that fit what a seat knows.

A world is a deal of the unseen cards, copies being different cards. Cards whose place is known
stay there. The others fall into seven groups by the set of hidden seats that may hold them. How
many cards of each group go to each seat is drawn first, with weights that count the deals of every
split; then each group is shuffled. So what play has excluded is met by every draw, and uniformly.

What the melds exclude beyond single cards (a seat that showed no marriage does not hold king and
queen) is met by rejection: worlds are drawn until the melds fit, or the tries are used up.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import helper, popcount
from advisor.kernels.deal import mix
from advisor.kernels.packed import (
    ONE_COPY,
    U0,
    U1,
    lowest,
    merge,
    thermometer,
)
from reference.knowledge import (
    BARRED,
    FIXED,
    GONE,
    HELD,
    JACK,
    MELD,
    OWN,
    PLAYED,
    QUEEN,
    SEAT,
    SIZE,
    less,
    meld_in_play,
)

Array = np.ndarray[Any, Any]

GOLDEN: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_LOW_HALF: Final = np.uint64(0xFFFF_FFFF)
_U32: Final = np.uint64(32)
_ALL: Final = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

N_GROUPS: Final = 8
MAX_CARDS: Final = 48
# Three groups may be split, each in at most 13 ways: a seat takes at most 12 cards.
MAX_SPLITS: Final = 13**3

# What `tally` counts: decisions with a choice, worlds, tries, and worlds whose melds do not fit.
DECISIONS, WORLDS_DRAWN, TRIES, MISFITS = range(4)
N_TALLY: Final = 4


@helper
def next_word(rng: Array) -> np.uint64:
    """Return the next word of a SplitMix64 stream whose state is the only entry of `rng`."""
    rng[0] += GOLDEN
    return mix(rng[0])


@helper
def below(rng: Array, bound: int) -> int:
    """Return a number from 0 to `bound` - 1; the bias for bounds up to 48 is below 1.2e-8."""
    return np.int64(((next_word(rng) & _LOW_HALF) * np.uint64(bound)) >> _U32)


@helper
def below_large(rng: Array, bound: np.uint64) -> np.uint64:
    """Return a number from 0 to `bound` - 1 without bias."""
    limit = _ALL - _ALL % bound
    word = next_word(rng)
    while word >= limit:
        word = next_word(rng)
    return word % bound


@helper
def fill_binomials(binomials: Array) -> None:
    """Write Pascal's triangle, uint64, shape (49, 49)."""
    binomials[:] = U0
    for n in range(MAX_CARDS + 1):
        binomials[n, 0] = U1
        for k in range(1, n + 1):
            binomials[n, k] = binomials[n - 1, k - 1] + binomials[n - 1, k]


@helper
def group_cards(words: Array, facts: Array, pool: Array, starts: Array) -> None:
    """Sort the cards whose place is not known by the hidden seats that may hold them.

    Parameters
    ----------
    words, facts : arrays
        The record of a seat, from `knowledge.look`.
    pool : uint64 array, shape (48,)
        Card bits group after group, modified in place. Bit i of a group's number stands for the
        seat i + 1 places to the left.
    starts : int64 array, shape (9,)
        Where each group begins in `pool`, and the end of the last; modified in place.
    """
    seat = facts[SEAT]
    known = merge(words[OWN], words[PLAYED])
    for i in range(1, 4):
        known = merge(known, words[HELD + ((seat + i) & 3)])
    free = less(ONE_COPY | (ONE_COPY << U1), known)
    count = 0
    for group in range(N_GROUPS):
        starts[group] = count
        kinds = free & ONE_COPY
        while kinds:
            card = lowest(kinds)
            kinds ^= card
            allowed = 0
            for i in range(3):
                if (words[BARRED + ((seat + 1 + i) & 3)] & card) == U0:
                    allowed |= 1 << i
            if allowed == group:
                pool[count] = card
                count += 1
                if free & (card << U1):
                    pool[count] = card
                    count += 1
    starts[N_GROUPS] = count


@helper
def list_splits(
    words: Array, facts: Array, starts: Array, binomials: Array, splits: Array, weights: Array
) -> int:
    """List the ways to share the groups among the hidden seats; return how many there are.

    Parameters
    ----------
    words, facts : arrays
        The record of a seat.
    starts : int64 array, shape (9,)
    binomials : uint64 array, shape (49, 49)
    splits : int64 array, shape (MAX_SPLITS, 5)
        How many cards of groups 3, 5 and 6 go to the first of their seats, and of group 7 to its
        first and second; modified in place.
    weights : uint64 array, shape (MAX_SPLITS,)
        Numbers of deals, added up from the first split on; modified in place. All deals of 36
        cards are fewer than 2**52.
    """
    seat = facts[SEAT]
    needs = np.empty(3, dtype=np.int64)
    for i in range(3):
        other = (seat + 1 + i) & 3
        single = 1 << i
        needs[i] = facts[SIZE + other] - np.int64(popcount(words[HELD + other]))
        needs[i] -= starts[single + 1] - starts[single]
    n_01 = starts[4] - starts[3]
    n_02 = starts[6] - starts[5]
    n_12 = starts[7] - starts[6]
    n_all = starts[8] - starts[7]
    count = 0
    total = U0
    for a in range(n_01 + 1):
        for b in range(n_02 + 1):
            first = needs[0] - a - b
            if first < 0 or first > n_all:
                continue
            for c in range(n_12 + 1):
                second = needs[1] - (n_01 - a) - c
                third = needs[2] - (n_02 - b) - (n_12 - c)
                if second < 0 or third < 0 or first + second + third != n_all:
                    continue
                deals = binomials[n_01, a] * binomials[n_02, b] * binomials[n_12, c]
                deals *= binomials[n_all, first] * binomials[n_all - first, second]
                total += deals
                splits[count, 0] = a
                splits[count, 1] = b
                splits[count, 2] = c
                splits[count, 3] = first
                splits[count, 4] = second
                weights[count] = total
                count += 1
    return count


@helper
def take_cards(pool: Array, start: int, stop: int, n_cards: int, rng: Array) -> np.uint64:
    """Draw cards of a stretch of the pool to its front; return the sum of their bits."""
    bits = U0
    for i in range(start, start + n_cards):
        pick = i + below(rng, stop - i)
        card = pool[pick]
        pool[pick] = pool[i]
        pool[i] = card
        bits += card
    return bits


@helper
def sum_cards(pool: Array, start: int, stop: int) -> np.uint64:
    """Return the sum of the bits of a stretch of the pool."""
    bits = U0
    for i in range(start, stop):
        bits += pool[i]
    return bits


@helper
def draw_once(
    words: Array,
    facts: Array,
    pool: Array,
    starts: Array,
    splits: Array,
    weights: Array,
    n_splits: int,
    rng: Array,
    hands: Array,
) -> None:
    """Draw one world that fits all but the melds, into `hands`, uint64, shape (4,)."""
    place = 0
    if n_splits > 1:
        number = below_large(rng, weights[n_splits - 1])
        low, high = 0, n_splits - 1
        while low < high:
            middle = (low + high) >> 1
            if weights[middle] > number:
                high = middle
            else:
                low = middle + 1
        place = low
    a, b, c = splits[place, 0], splits[place, 1], splits[place, 2]
    first, second = splits[place, 3], splits[place, 4]
    dealt_0 = sum_cards(pool, starts[1], starts[2])
    dealt_0 += take_cards(pool, starts[3], starts[4], a, rng)
    dealt_0 += take_cards(pool, starts[5], starts[6], b, rng)
    dealt_0 += take_cards(pool, starts[7], starts[8], first, rng)
    dealt_1 = sum_cards(pool, starts[2], starts[3])
    dealt_1 += sum_cards(pool, starts[3] + a, starts[4])
    dealt_1 += take_cards(pool, starts[6], starts[7], c, rng)
    dealt_1 += take_cards(pool, starts[7] + first, starts[8], second, rng)
    dealt_2 = sum_cards(pool, starts[4], starts[5])
    dealt_2 += sum_cards(pool, starts[5] + b, starts[6])
    dealt_2 += sum_cards(pool, starts[6] + c, starts[7])
    dealt_2 += sum_cards(pool, starts[7] + first + second, starts[8])
    seat = facts[SEAT]
    left, across, right = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    hands[seat] = words[OWN]
    hands[left] = merge(words[HELD + left], thermometer(dealt_0))
    hands[across] = merge(words[HELD + across], thermometer(dealt_1))
    hands[right] = merge(words[HELD + right], thermometer(dealt_2))


@helper
def fits_melds(words: Array, facts: Array, melds: Array, hands: Array, rng: Array) -> bool:
    """Return whether to keep a world: every hidden hand makes the meld shown, no more and no less.

    A hand contains what it has shown, so equal points mean equal melds. Of a shown card either
    copy may be the one in hand: a seat that holds one copy can do so in two ways, one that holds
    both in one. The draw treats the shown copy as given, so a second copy beside it is kept half
    the time.
    """
    seat = facts[SEAT]
    doubled = 0
    for i in range(1, 4):
        other = (seat + i) & 3
        hand = hands[other]
        full = merge(hand, words[GONE + other])
        if meld_in_play(full, words[QUEEN], words[JACK], melds) != facts[MELD + other]:
            return False
        held = words[HELD + other]
        single = held & ONE_COPY & ~(held >> U1) & ~words[FIXED + other]
        doubled += np.int64(popcount(single & (hand >> U1)))
    if doubled == 0:
        return True
    return next_word(rng) >> np.uint64(64 - doubled) == U0


@helper
def draw_world(
    words: Array,
    facts: Array,
    melds: Array,
    max_tries: int,
    plan: tuple[Array, Array, Array, Array, Array],
    n_splits: int,
    rng: Array,
    hands: Array,
    tally: Array,
) -> None:
    """Draw one world that fits all a seat knows, or at last one that fits all but the melds.

    Parameters
    ----------
    words, facts : arrays
        The record of a seat.
    melds : int16 array, shape (3, 4096)
    max_tries : int
    plan : tuple of arrays
        ``pool``, ``starts``, ``splits``, ``weights``, ``binomials``, prepared by `plan_worlds`.
    n_splits : int
        What `plan_worlds` returned, at least one.
    rng : uint64 array, shape (1,)
        State of the stream, modified in place.
    hands : uint64 array, shape (4,)
        Cards in hand by seat, modified in place.
    tally : int64 array, shape (N_TALLY,)
        Added up in place.
    """
    pool, starts, splits, weights, _ = plan
    fits = False
    tries = 0
    while not fits and tries < max_tries:
        draw_once(words, facts, pool, starts, splits, weights, n_splits, rng, hands)
        fits = fits_melds(words, facts, melds, hands, rng)
        tries += 1
    tally[WORLDS_DRAWN] += 1
    tally[TRIES] += tries
    if not fits:
        tally[MISFITS] += 1


@helper
def plan_worlds(words: Array, facts: Array, plan: tuple[Array, Array, Array, Array, Array]) -> int:
    """Prepare the draws of one decision; return the number of splits, none if nothing fits."""
    pool, starts, splits, weights, binomials = plan
    group_cards(words, facts, pool, starts)
    return list_splits(words, facts, starts, binomials, splits, weights)


@helper
def make_plan() -> tuple[Array, Array, Array, Array, Array]:
    """Return the arrays that `plan_worlds` fills."""
    binomials = np.empty((MAX_CARDS + 1, MAX_CARDS + 1), dtype=np.uint64)
    fill_binomials(binomials)
    return (
        np.zeros(MAX_CARDS, dtype=np.uint64),
        np.zeros(N_GROUPS + 1, dtype=np.int64),
        np.zeros((MAX_SPLITS, 5), dtype=np.int64),
        np.zeros(MAX_SPLITS, dtype=np.uint64),
        binomials,
    )
