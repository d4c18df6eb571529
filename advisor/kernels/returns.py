"""Declarer's return: the best of all ways to give cards back, found suit by suit.

The value of a return is the meld kept, plus the meld that the returned cards make by themselves in
partner's hand, less what the returned cards were worth in tricks (`keep_worth`), plus a bonus for
each side suit emptied. But for arounds and the pinochle it falls apart by suits, so the best way
to give back 0 to 4 cards of a holding is looked up, and four suits are joined like weights in a
sack. Arounds and the pinochle tie suits together: each way to keep or break them is tried, with
the look-up restricted to returns that keep (or give) the cards in question.

Restrictions, one index of `LOCKS`: keep an ace (1), keep a king (2), keep the other of queen and
jack (4), and 8 times what happens to the leg of the pinochle: `FREE`, `KEEP_ONE`, `KEEP_TWO`,
`GIVE_ONE` or `KEEP_AND_GIVE`. The leg is the jack in diamonds and the queen elsewhere, so there are
four kinds of table: side or trump, with the queen or the jack as leg.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.deal import mix
from advisor.kernels.meldscore import (
    AROUND_MELD,
    SIDE_MELD,
    TRUMP_MELD,
    meld_of,
    meld_tables,
)
from advisor.kernels.packed import (
    ACES,
    JACK_OF_DIAMONDS,
    ONE_COPY,
    QUEEN_OF_SPADES,
    SUIT_MASK,
    U0,
    U1,
    U2,
    U12,
    U24,
    U36,
    add,
    in_all_suits,
    list_cards,
    returned_bits,
    suit_cards,
)

Array = np.ndarray[Any, Any]

# What a kept card is worth in tricks by rank (9 J Q K 10 A), a void, a ten beside both aces, and
# the weight of a point of meld. Second copies are worth at most first copies.
POLICY_KEEP_TRUMP: Final = 32
POLICY_KEEP_SIDE: Final = 38
POLICY_KEEP_SIDE_AGAIN: Final = 44
POLICY_VOID: Final = 50
POLICY_KEEP_TEN_WITH_ACES: Final = 51
POLICY_MELD_WEIGHT: Final = 52
# Added to the worth of a side card below the ace for each other card of its suit.
POLICY_KEEP_LENGTH: Final = 54

FREE, KEEP_ONE, KEEP_TWO, GIVE_ONE, KEEP_AND_GIVE = range(5)
N_LOCKS: Final = 40
N_HOLDINGS: Final = 729
N_KINDS: Final = 4
MOST_CARDS: Final = 4
_JACK: Final = 1
_QUEEN: Final = 2
_IMPOSSIBLE: Final = -(1 << 29)
_AROUND_RANKS: Final = np.uint64(0b01_00_01_01_01_00)


@helper
def copies_of(holding: np.uint64, rank: int) -> int:
    """Return how many copies of a rank are in the 12 bits of one suit."""
    return np.int64(popcount((holding >> np.uint64(2 * rank)) & np.uint64(3)))


@helper
def keep_worth(holding: np.uint64, in_trump: bool, rank: int, copy: int, policy: Array) -> int:
    """Return what one copy (0 first, 1 second) of a card is worth in tricks to declarer."""
    if in_trump:
        return policy[POLICY_KEEP_TRUMP + rank]
    worth = policy[(POLICY_KEEP_SIDE if copy == 0 else POLICY_KEEP_SIDE_AGAIN) + rank]
    if rank == 4 and copies_of(holding, 5) == 2:
        worth += policy[POLICY_KEEP_TEN_WITH_ACES]
    if rank < 5:
        worth += policy[POLICY_KEEP_LENGTH] * (np.int64(popcount(holding)) - 1)
    return worth


@helper
def worth_of(holding: np.uint64, given: np.uint64, in_trump: bool, policy: Array) -> int:
    """Return the sum of `keep_worth` over the cards given of a suit, second copies before first."""
    worth = 0
    for rank in range(6):
        held = copies_of(holding, rank)
        for i in range(copies_of(given, rank)):
            worth += keep_worth(holding, in_trump, rank, held - 1 - i, policy)
    return worth


@entry
def build_return_tables(
    rules: Array, policy: Array, numbers: Array, values: Array, subsets: Array
) -> None:
    """Fill the tables of the best return of 0 to 4 cards of every suit holding.

    Parameters
    ----------
    rules, policy : int64 arrays
    numbers : int16 array, shape (4096,)
        The number of each holding, modified in place.
    values : int32 array, shape (4, 40, 729, 5)
        Value by kind, restriction, holding and number of cards; modified in place.
    subsets : uint16 array, shape (4, 40, 729, 5)
        The cards to return, 12 bits of the suit; modified in place.
    """
    melds = meld_tables(rules)
    holdings = np.zeros(N_HOLDINGS, dtype=np.uint64)
    n = 0
    for word in range(4096):
        holding = np.uint64(word)
        # In thermometer code the upper bit of a pair comes only with the lower.
        if (holding >> U1) & ~holding & ONE_COPY == U0:
            numbers[word] = n
            holdings[n] = holding
            n += 1
    weight = policy[POLICY_MELD_WEIGHT]
    for number in range(N_HOLDINGS):
        holding = holdings[number]
        for kind in range(N_KINDS):
            for lock in range(N_LOCKS):
                for count in range(MOST_CARDS + 1):
                    values[kind, lock, number, count] = _IMPOSSIBLE
        for other in range(N_HOLDINGS):
            given = holdings[other]
            count = np.int64(popcount(given))
            if given & ~holding or count > MOST_CARDS:
                continue
            kept = holding ^ returned_bits(holding, given)
            side = weight * (np.int64(melds[SIDE_MELD, kept]) + np.int64(melds[SIDE_MELD, given]))
            side -= worth_of(holding, given, False, policy)
            if holding and kept == U0:
                side += policy[POLICY_VOID]
            trump = weight * (
                np.int64(melds[TRUMP_MELD, kept]) + np.int64(melds[TRUMP_MELD, given])
            )
            trump -= worth_of(holding, given, True, policy)
            for kind in range(N_KINDS):
                value = trump if kind >= 2 else side
                leg = _JACK if kind & 1 else _QUEEN
                legs = copies_of(kept, leg)
                legs_given = copies_of(given, leg)
                met = 0
                if copies_of(kept, 5) > 0:
                    met |= 1
                if copies_of(kept, 3) > 0:
                    met |= 2
                if copies_of(kept, 3 - leg) > 0:
                    met |= 4
                for lock in range(N_LOCKS):
                    if (lock & 7) & ~met:
                        continue
                    state = lock >> 3
                    if state in (KEEP_ONE, KEEP_AND_GIVE):
                        if legs < 1:
                            continue
                    elif state == KEEP_TWO and legs < 2:
                        continue
                    if state >= GIVE_ONE and legs_given < 1:
                        continue
                    if value > values[kind, lock, number, count]:
                        values[kind, lock, number, count] = value
                        subsets[kind, lock, number, count] = given


@helper
def return_value(
    hand: np.uint64, given: np.uint64, trump: np.uint64, melds: Array, policy: Array
) -> int:
    """Return the value of giving back some cards, in tenths of a point."""
    kept = hand ^ returned_bits(hand, given)
    value = policy[POLICY_MELD_WEIGHT] * (
        meld_of(kept, trump, melds) + meld_of(given, trump, melds)
    )
    for i in range(4):
        suit = np.uint64(i)
        holding = (hand >> (suit * U12)) & SUIT_MASK
        leaving = (given >> (suit * U12)) & SUIT_MASK
        value -= worth_of(holding, leaving, suit == trump, policy)
        if suit != trump and holding and suit_cards(kept, suit) == U0:
            value += policy[POLICY_VOID]
    return value


@helper
def _best_split(
    row_0: Array, row_1: Array, row_2: Array, row_3: Array, n_cards: int
) -> tuple[int, int]:
    """Return the best value of returning `n_cards` in all, and the numbers by row in base 8."""
    best = np.int64(_IMPOSSIBLE) * 4
    split = 0
    for front in range(n_cards + 1):
        first = np.int64(_IMPOSSIBLE) * 4
        first_split = 0
        for i in range(front + 1):
            value = np.int64(row_0[i]) + np.int64(row_1[front - i])
            if value > first:
                first = value
                first_split = i + 8 * (front - i)
        rest = n_cards - front
        second = np.int64(_IMPOSSIBLE) * 4
        second_split = 0
        for i in range(rest + 1):
            value = np.int64(row_2[i]) + np.int64(row_3[rest - i])
            if value > second:
                second = value
                second_split = 64 * i + 512 * (rest - i)
        if first + second > best:
            best = first + second
            split = first_split + second_split
    return best, split


@helper
def choose_return(
    hand: np.uint64,
    trump: np.uint64,
    n_cards: int,
    melds: Array,
    policy: Array,
    returns: tuple[Array, Array, Array],
    salt: np.uint64,
) -> np.uint64:
    """Return the cards that declarer gives back, packed: the best of all by `return_value`.

    Parameters
    ----------
    hand : uint64
        Declarer's cards with those received.
    trump : uint64
    n_cards : int
        1 to 4.
    melds : int16 array, shape (3, 4096)
        From `meld_tables`.
    policy : int64 array
    returns : tuple of arrays
        ``numbers``, ``values`` and ``subsets`` of `build_return_tables`.
    salt : uint64
        Breaks ties between suits.
    """
    numbers, values, subsets = returns
    weight = policy[POLICY_MELD_WEIGHT]
    spades = np.int64(numbers[hand & SUIT_MASK])
    hearts = np.int64(numbers[(hand >> U12) & SUIT_MASK])
    diamonds = np.int64(numbers[(hand >> U24) & SUIT_MASK])
    clubs = np.int64(numbers[(hand >> U36) & SUIT_MASK])
    kind_s = 2 if trump == U0 else 0
    kind_h = 2 if trump == U1 else 0
    kind_d = 3 if trump == U2 else 1
    kind_c = 2 if trump == np.uint64(3) else 0

    common = in_all_suits(hand)
    arounds = common & _AROUND_RANKS
    if (common >> U1) & _AROUND_RANKS:
        # Eight of a rank: too rare for restrictions of its own.
        return _search_all(hand, trump, n_cards, melds, policy)
    queens = np.int64(popcount(hand & (QUEEN_OF_SPADES * np.uint64(3))))
    jacks = np.int64(popcount(hand & (JACK_OF_DIAMONDS * np.uint64(3))))
    pairs = min(queens, jacks)

    # The first of equal returns is taken; which suit comes first is left to chance, so that none
    # is favoured by its name.
    chance = np.int64(mix(hand ^ salt) & np.uint64(7))
    step = 1 if chance & 1 else 3
    order_0 = chance >> 1
    order_1 = (order_0 + step) & 3
    order_2 = (order_1 + step) & 3
    order_3 = (order_2 + step) & 3
    best = np.int64(_IMPOSSIBLE) * 8
    best_split = 0
    best_locks = 0
    around = arounds
    while True:
        # Every subset of the arounds is tried as the ones to keep; the rest may break.
        keep_queens = KEEP_ONE if around & np.uint64(1 << 4) else FREE
        keep_jacks = KEEP_ONE if around & np.uint64(1 << 2) else FREE
        shared = (1 if around & np.uint64(1 << 10) else 0) + (
            2 if around & np.uint64(1 << 6) else 0
        )
        lock_h = shared + (4 if keep_jacks else 0) + 8 * keep_queens
        lock_s = shared + (4 if keep_jacks else 0)
        lock_d = shared + (4 if keep_queens else 0)
        kept_points = np.int64(melds[AROUND_MELD, around])
        for state in range(1 if pairs == 0 else (4 if pairs == 1 else 5)):
            if pairs == 1 and state == KEEP_TWO:
                continue
            points = kept_points
            if state in (KEEP_ONE, GIVE_ONE):
                points += 40
            elif state == KEEP_TWO:
                points += 300
            elif state == KEEP_AND_GIVE:
                points += 80
            leg_s = state
            if keep_queens and state == FREE:
                leg_s = KEEP_ONE
            elif keep_queens and state == GIVE_ONE:
                leg_s = KEEP_AND_GIVE
            leg_d = state
            if keep_jacks and state == FREE:
                leg_d = KEEP_ONE
            elif keep_jacks and state == GIVE_ONE:
                leg_d = KEEP_AND_GIVE
            rows = (
                values[kind_s, lock_s + 8 * leg_s, spades],
                values[kind_h, lock_h, hearts],
                values[kind_d, lock_d + 8 * leg_d, diamonds],
                values[kind_c, lock_h, clubs],
            )
            value, split = _best_split(
                rows[order_0], rows[order_1], rows[order_2], rows[order_3], n_cards
            )
            value += weight * points
            if value > best:
                best = value
                best_split = split
                best_locks = (lock_s + 8 * leg_s) + 64 * lock_h + 4096 * (lock_d + 8 * leg_d)
        if around == U0:
            break
        around = (around - U1) & arounds
    best_split = (
        (best_split & 7) << (3 * order_0)
        | ((best_split >> 3) & 7) << (3 * order_1)
        | ((best_split >> 6) & 7) << (3 * order_2)
        | (best_split >> 9) << (3 * order_3)
    )
    given = np.uint64(subsets[kind_s, best_locks & 63, spades, best_split & 7])
    lock_h = (best_locks >> 6) & 63
    given |= np.uint64(subsets[kind_h, lock_h, hearts, (best_split >> 3) & 7]) << U12
    given |= np.uint64(subsets[kind_d, best_locks >> 12, diamonds, (best_split >> 6) & 7]) << U24
    given |= np.uint64(subsets[kind_c, lock_h, clubs, best_split >> 9]) << U36
    if n_cards == MOST_CARDS and (arounds or pairs == 2):
        given = _better_whole_meld(hand, given, common, trump, melds, policy)
    return given


@helper
def _better_whole_meld(
    hand: np.uint64,
    given: np.uint64,
    common: np.uint64,
    trump: np.uint64,
    melds: Array,
    policy: Array,
) -> np.uint64:
    """Return an around or a double pinochle given back whole, if that is better.

    These are the only returns whose meld in partner's hand the suits do not show one by one.
    """
    best = return_value(hand, given, trump, melds, policy)
    for which in range(5):
        whole = U0
        if which == 4:
            whole = (QUEEN_OF_SPADES | JACK_OF_DIAMONDS) * np.uint64(3)
        else:
            rank = which + 1 if which < 3 else 5
            if (common >> np.uint64(2 * rank)) & U1:
                whole = ACES >> np.uint64(2 * (5 - rank))
        if whole and hand & whole == whole:
            value = return_value(hand, whole, trump, melds, policy)
            if value > best:
                best = value
                given = whole
    return given


@helper
def _search_all(
    hand: np.uint64, trump: np.uint64, n_cards: int, melds: Array, policy: Array
) -> np.uint64:
    """Return the best of all returns, tried one by one."""
    cards = np.zeros(48, dtype=np.uint64)
    n = list_cards(hand, cards)
    best_value = np.int64(_IMPOSSIBLE) * 8
    best = U0
    choice = (1 << n_cards) - 1
    while choice < (1 << n):
        given = U0
        for i in range(n):
            if (choice >> i) & 1:
                given = add(given, cards[i])
        value = return_value(hand, given, trump, melds, policy)
        if value > best_value:
            best_value = value
            best = given
        # The next larger number with as many bits.
        low = choice & -choice
        up = choice + low
        choice = (((up ^ choice) >> 2) // low) | up
    return best
