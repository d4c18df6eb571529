"""Declarer's return: the best of all ways to give cards back, found suit by suit.

The value of a return is the meld kept, plus the meld that the returned cards make by themselves in
partner's hand, less what the returned cards were worth in tricks (`keep_worth`), plus a bonus for
each side suit emptied. But for arounds and the pinochle it falls apart by suits, so the best way
to give back 0 to 4 cards of a holding is looked up, and four suits are joined like weights in a
sack. Arounds and the pinochle tie suits together: each way to keep or break them is tried, with
the look-up restricted to returns that keep (or give) the cards in question.

Restrictions, one index of `LOCKS`: keep an ace (1), keep a king (2), keep the other of queen and
jack (4), and 8 times what happens to the leg of the pinochle: `FREE`, `KEEP_ONE`, `KEEP_TWO`,
`GIVE_ONE` or `KEEP_AND_GIVE`; that times five, and what must be given besides. Given cards also
count for what they may complete among the cards that partner kept (`marriage_hope` by suit; the
best of arounds and pinochle across suits, `across_value`): each set of cards for one of these is
searched for itself, where a bound leaves it a chance. The leg is the jack in diamonds and the queen
elsewhere, so there are four kinds of table: side or trump, with the queen or the jack as leg.
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
    pinochle_points,
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
# For each side suit left with nothing but aces.
POLICY_BARE_ACES: Final = 79
# Added to the worth of a side card below the ace for each other card of its suit.
POLICY_KEEP_LENGTH: Final = 54

# Chance in 1/1024 that partner kept a given copy of an unseen card; at 0 the returner does not
# think of what partner kept.
POLICY_HOPE: Final = 64
# An around that given cards may complete counts where its chance is at least this, in 1/1024.
POLICY_LEAST_HOPE: Final = 65

FREE, KEEP_ONE, KEEP_TWO, GIVE_ONE, KEEP_AND_GIVE = range(5)
N_KEEP_LOCKS: Final = 40
# What must be given besides: nothing, a jack, a queen, a king (by rank), two legs of the pinochle.
_GIVE_LEGS: Final = 4
N_GIFTS: Final = 5
N_LOCKS: Final = N_GIFTS * N_KEEP_LOCKS
N_HOLDINGS: Final = 729
N_KINDS: Final = 4
MOST_CARDS: Final = 4
_JACK: Final = 1
_QUEEN: Final = 2
_IMPOSSIBLE: Final = -(1 << 29)
_BELOW_ACE: Final = np.uint64(0x3FF)
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


@helper
def at_least(unseen: int, given: int, wanted: int, chance: int) -> int:
    """Return the chance in 1/1024 that partner has so many copies with those given.

    `unseen` copies are each in his hand with `chance`.
    """
    missing = wanted - given
    if missing <= 0:
        return 1024
    if missing > unseen:
        return 0
    if missing == 2:
        return (chance * chance) >> 10
    return chance if unseen == 1 else 2 * chance - ((chance * chance) >> 10)


@helper
def marriage_hope(holding: np.uint64, given: np.uint64, policy: Array) -> int:
    """Return what given kings and queens of a side suit add to the marriages of partner's hand.

    In tenths of a point; whole marriages among the given cards are not in it.
    """
    chance = policy[POLICY_HOPE]
    kings, queens = copies_of(given, 3), copies_of(given, 2)
    if chance == 0 or kings + queens == 0:
        return 0
    more_kings, more_queens = 2 - copies_of(holding, 3), 2 - copies_of(holding, 2)
    hope = 0
    for n in range(1, 3):
        hope += (
            at_least(more_kings, kings, n, chance) * at_least(more_queens, queens, n, chance)
            - at_least(more_kings, 0, n, chance) * at_least(more_queens, 0, n, chance)
        ) >> 10
        if kings >= n and queens >= n:
            hope -= 1024
    return (policy[POLICY_MELD_WEIGHT] * 20 * hope) >> 10


@helper
def around_hope(hand: np.uint64, suits: int, rank: int, trump: np.uint64, policy: Array) -> int:
    """Return what an around is worth of which the given cards are in these suits, in tenths.

    Partner holds each other suit's card with its chance, but no trump: he would have sent it.
    """
    if not (suits >> np.int64(trump)) & 1:
        return 0
    hope = 1024
    for i in range(4):
        if not (suits >> i) & 1:
            unseen = 2 - copies_of((hand >> (np.uint64(i) * U12)) & SUIT_MASK, rank)
            hope = (hope * at_least(unseen, 0, 1, policy[POLICY_HOPE])) >> 10
    if hope < policy[POLICY_LEAST_HOPE]:
        return 0
    points = 100 if rank == 5 else 20 + 20 * rank
    return (policy[POLICY_MELD_WEIGHT] * hope * points) >> 10


@helper
def pinochle_hope(hand: np.uint64, queens: int, jacks: int, trump: np.uint64, policy: Array) -> int:
    """Return what given legs of the pinochle add to partner's hand, in tenths.

    Where a leg is trump, or goes with trump, partner has sent his.
    """
    chance = policy[POLICY_HOPE]
    more_queens, more_jacks = 0, 0
    if trump == U1 or trump == np.uint64(3):
        more_queens = 2 - copies_of(hand & SUIT_MASK, _QUEEN)
        more_jacks = 2 - copies_of((hand >> U24) & SUIT_MASK, _JACK)
    points = 0
    for n in range(1, 3):
        hope = (
            at_least(more_queens, queens, n, chance) * at_least(more_jacks, jacks, n, chance)
            - at_least(more_queens, 0, n, chance) * at_least(more_jacks, 0, n, chance)
        ) >> 10
        points += hope * (40 if n == 1 else 260)
    return (policy[POLICY_MELD_WEIGHT] * points) >> 10


@helper
def suits_with(cards: np.uint64, rank: int) -> int:
    """Return the suits in which a rank is held, as four bits."""
    suits = 0
    for i in range(4):
        if (cards >> (np.uint64(i) * U12 + np.uint64(2 * rank))) & U1:
            suits |= 1 << i
    return suits


@helper
def across_value(hand: np.uint64, given: np.uint64, trump: np.uint64, policy: Array) -> int:
    """Return the value of the best meld that given cards make or may complete across suits.

    One around or the pinochle, in tenths.
    """
    best = policy[POLICY_MELD_WEIGHT] * pinochle_points(given)
    for rank in range(1, 6):
        if rank != 4:
            suits = suits_with(given, rank)
            if suits == 15 or (suits > 0 and rank < 4):
                best = max(best, around_hope(hand, suits, rank, trump, policy))
    queens = copies_of(given & SUIT_MASK, _QUEEN)
    jacks = copies_of((given >> U24) & SUIT_MASK, _JACK)
    return max(best, pinochle_hope(hand, queens, jacks, trump, policy))


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
    values : int32 array, shape (4, 729, N_LOCKS, 5)
        Value by kind, holding, restriction and number of cards; modified in place.
    subsets : uint16 array, shape (4, 729, N_LOCKS, 5)
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
                    values[kind, number, lock, count] = _IMPOSSIBLE
        for other in range(N_HOLDINGS):
            given = holdings[other]
            count = np.int64(popcount(given))
            if given & ~holding or count > MOST_CARDS:
                continue
            kept = holding ^ returned_bits(holding, given)
            side = weight * (np.int64(melds[SIDE_MELD, kept]) + np.int64(melds[SIDE_MELD, given]))
            side -= worth_of(holding, given, False, policy)
            side += marriage_hope(holding, given, policy)
            if holding and kept == U0:
                side += policy[POLICY_VOID]
            elif kept and kept & _BELOW_ACE == U0:
                side += policy[POLICY_BARE_ACES]
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
                for lock in range(N_KEEP_LOCKS):
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
                    for gift in range(N_GIFTS):
                        if gift == _GIVE_LEGS:
                            if legs_given < 2:
                                continue
                        elif gift > 0 and copies_of(given, gift) == 0:
                            continue
                        place = N_GIFTS * lock + gift
                        if value > values[kind, number, place, count]:
                            values[kind, number, place, count] = value
                            subsets[kind, number, place, count] = given


@helper
def return_value(
    hand: np.uint64, given: np.uint64, trump: np.uint64, melds: Array, policy: Array
) -> int:
    """Return the value of giving back some cards, in tenths of a point."""
    kept = hand ^ returned_bits(hand, given)
    # Arounds and the pinochle among the given cards are part of the value across suits.
    alone = meld_of(given, trump, melds) - pinochle_points(given)
    alone -= np.int64(melds[AROUND_MELD, in_all_suits(given)])
    value = policy[POLICY_MELD_WEIGHT] * (meld_of(kept, trump, melds) + alone)
    for i in range(4):
        suit = np.uint64(i)
        holding = (hand >> (suit * U12)) & SUIT_MASK
        leaving = (given >> (suit * U12)) & SUIT_MASK
        value -= worth_of(holding, leaving, suit == trump, policy)
        if suit != trump:
            value += marriage_hope(holding, leaving, policy)
            left = (kept >> (suit * U12)) & SUIT_MASK
            if holding and left == U0:
                value += policy[POLICY_VOID]
            elif left and left & _BELOW_ACE == U0:
                value += policy[POLICY_BARE_ACES]
    return value + across_value(hand, given, trump, policy)


Four = tuple[int, int, int, int]


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
def _best_value(row_0: Array, row_1: Array, row_2: Array, row_3: Array, n_cards: int) -> int:
    """Return the value of `_best_split` alone, without a branch for each way to split."""
    a_0, a_1, a_2 = np.int64(row_0[0]), np.int64(row_0[1]), np.int64(row_0[2])
    a_3, a_4 = np.int64(row_0[3]), np.int64(row_0[4])
    b_0, b_1, b_2 = np.int64(row_1[0]), np.int64(row_1[1]), np.int64(row_1[2])
    b_3, b_4 = np.int64(row_1[3]), np.int64(row_1[4])
    c_0, c_1, c_2 = np.int64(row_2[0]), np.int64(row_2[1]), np.int64(row_2[2])
    c_3, c_4 = np.int64(row_2[3]), np.int64(row_2[4])
    d_0, d_1, d_2 = np.int64(row_3[0]), np.int64(row_3[1]), np.int64(row_3[2])
    d_3, d_4 = np.int64(row_3[3]), np.int64(row_3[4])
    e_0 = a_0 + b_0
    e_1 = max(a_0 + b_1, a_1 + b_0)
    e_2 = max(a_0 + b_2, a_1 + b_1, a_2 + b_0)
    e_3 = max(a_0 + b_3, a_1 + b_2, a_2 + b_1, a_3 + b_0)
    e_4 = max(a_0 + b_4, a_1 + b_3, a_2 + b_2, a_3 + b_1, a_4 + b_0)
    f_0 = c_0 + d_0
    f_1 = max(c_0 + d_1, c_1 + d_0)
    f_2 = max(c_0 + d_2, c_1 + d_1, c_2 + d_0)
    f_3 = max(c_0 + d_3, c_1 + d_2, c_2 + d_1, c_3 + d_0)
    f_4 = max(c_0 + d_4, c_1 + d_3, c_2 + d_2, c_3 + d_1, c_4 + d_0)
    if n_cards == 4:
        return max(e_0 + f_4, e_1 + f_3, e_2 + f_2, e_3 + f_1, e_4 + f_0)
    if n_cards == 3:
        return max(e_0 + f_3, e_1 + f_2, e_2 + f_1, e_3 + f_0)
    if n_cards == 2:
        return max(e_0 + f_2, e_1 + f_1, e_2 + f_0)
    return max(e_0 + f_1, e_1 + f_0)


@helper
def _best_keeping(
    gifts: Four,
    arounds: np.uint64,
    pairs: int,
    n_states: int,
    n_cards: int,
    order: Four,
    kinds: Four,
    holdings: Four,
    melds: Array,
    weight: int,
    values: Array,
) -> tuple[int, Four]:
    """Return value and restrictions of the best return that has the gifts in it.

    Every subset of the arounds is tried as the ones to keep, and so are the first `n_states` of
    what may happen to the legs of the pinochle; the rest may break.
    """
    best = np.int64(_IMPOSSIBLE) * 8
    best_locks = gifts
    around = arounds
    while True:
        keep_queens = KEEP_ONE if around & np.uint64(1 << 4) else FREE
        keep_jacks = KEEP_ONE if around & np.uint64(1 << 2) else FREE
        shared = (1 if around & np.uint64(1 << 10) else 0) + (
            2 if around & np.uint64(1 << 6) else 0
        )
        lock_h = shared + (4 if keep_jacks else 0) + 8 * keep_queens
        lock_s = shared + (4 if keep_jacks else 0)
        lock_d = shared + (4 if keep_queens else 0)
        kept_points = np.int64(melds[AROUND_MELD, around])
        for state in range(1 if pairs == 0 else min(n_states, 4 if pairs == 1 else 5)):
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
            locks = (
                gifts[0] + N_GIFTS * (lock_s + 8 * leg_s),
                gifts[1] + N_GIFTS * lock_h,
                gifts[2] + N_GIFTS * (lock_d + 8 * leg_d),
                gifts[3] + N_GIFTS * lock_h,
            )
            value = _best_value(
                values[kinds[order[0]], holdings[order[0]], locks[order[0]]],
                values[kinds[order[1]], holdings[order[1]], locks[order[1]]],
                values[kinds[order[2]], holdings[order[2]], locks[order[2]]],
                values[kinds[order[3]], holdings[order[3]], locks[order[3]]],
                n_cards,
            )
            value += weight * points
            if value > best:
                best = value
                best_locks = locks
        if around == U0:
            break
        around = (around - U1) & arounds
    return best, best_locks


@helper
def _cards_of(
    n_cards: int,
    order: Four,
    kinds: Four,
    locks: Four,
    holdings: Four,
    values: Array,
    subsets: Array,
) -> tuple[np.uint64, int]:
    """Return the cards of the best return under some restrictions, and its split."""
    _, split = _best_split(
        values[kinds[order[0]], holdings[order[0]], locks[order[0]]],
        values[kinds[order[1]], holdings[order[1]], locks[order[1]]],
        values[kinds[order[2]], holdings[order[2]], locks[order[2]]],
        values[kinds[order[3]], holdings[order[3]], locks[order[3]]],
        n_cards,
    )
    given = U0
    for i in range(4):
        suit = order[i]
        cards = subsets[kinds[suit], holdings[suit], locks[suit], (split >> (3 * i)) & 7]
        given |= np.uint64(cards) << (np.uint64(suit) * U12)
    return given, split


@helper
def _most(row: Array, price: int) -> int:
    """Return the most that a row yields where each card given costs a price."""
    most = np.int64(row[0])
    for n in range(1, MOST_CARDS + 1):
        most = max(most, np.int64(row[n]) - price * n)
    return most


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
    holdings = (
        np.int64(numbers[hand & SUIT_MASK]),
        np.int64(numbers[(hand >> U12) & SUIT_MASK]),
        np.int64(numbers[(hand >> U24) & SUIT_MASK]),
        np.int64(numbers[(hand >> U36) & SUIT_MASK]),
    )
    kinds = (
        2 if trump == U0 else 0,
        2 if trump == U1 else 0,
        3 if trump == U2 else 1,
        2 if trump == np.uint64(3) else 0,
    )
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
    first = chance >> 1
    order = first, (first + step) & 3, (first + 2 * step) & 3, (first + 3 * step) & 3
    best, locks = _best_keeping(
        (0, 0, 0, 0), arounds, pairs, 5, n_cards, order, kinds, holdings, melds, weight, values
    )
    given, split = _cards_of(n_cards, order, kinds, locks, holdings, values, subsets)
    if n_cards == MOST_CARDS and (arounds or pairs == 2):
        whole = _better_whole_meld(hand, given, best, common, trump, melds, policy)
        if whole != given:
            given = whole
            best = return_value(hand, given, trump, melds, policy)
    if policy[POLICY_HOPE] == 0:
        return given

    # Cards for a meld across the table, one set of them after the other. What a set can reach is
    # bounded as if each card given cost the same and their number were free.
    price = np.int64(_IMPOSSIBLE)
    for i in range(4):
        suit = order[i]
        row = values[kinds[suit], holdings[suit], 0]
        n = (split >> (3 * i)) & 7
        if n < MOST_CARDS:
            price = max(price, np.int64(row[n + 1]) - np.int64(row[n]))
    if price < _IMPOSSIBLE >> 1:
        price = 0
    free = (
        _most(values[kinds[0], holdings[0], 0], price),
        _most(values[kinds[1], holdings[1], 0], price),
        _most(values[kinds[2], holdings[2], 0], price),
        _most(values[kinds[3], holdings[3], 0], price),
    )
    bound = free[0] + free[1] + free[2] + free[3] + n_cards * price
    if arounds or pairs > 0:
        bound += weight * (
            np.int64(melds[AROUND_MELD, arounds]) + (300 if pairs == 2 else 40 * pairs)
        )
    trump_suit = np.int64(trump)
    for rank in range(1, 4):
        held = suits_with(hand, rank)
        if not (held >> trump_suit) & 1:
            continue
        loss = (
            free[0] - _most(values[kinds[0], holdings[0], rank], price) if held & 1 else 0,
            free[1] - _most(values[kinds[1], holdings[1], rank], price) if held & 2 else 0,
            free[2] - _most(values[kinds[2], holdings[2], rank], price) if held & 4 else 0,
            free[3] - _most(values[kinds[3], holdings[3], rank], price) if held & 8 else 0,
        )
        if bound - loss[trump_suit] + weight * (20 + 20 * rank) <= best:
            continue
        for suits in range(1, 16):
            if suits & ~held or not (suits >> trump_suit) & 1:
                continue
            reach = bound
            size = 0
            for i in range(4):
                if (suits >> i) & 1:
                    reach -= loss[i]
                    size += 1
            hope = around_hope(hand, suits, rank, trump, policy)
            if size > n_cards or hope == 0 or reach + hope <= best:
                continue
            gifts = (
                rank if suits & 1 else 0,
                rank if suits & 2 else 0,
                rank if suits & 4 else 0,
                rank if suits & 8 else 0,
            )
            value, locks = _best_keeping(
                gifts, arounds, pairs, 3, n_cards, order, kinds, holdings, melds, weight, values
            )
            if value + hope > best:
                best = value + hope
                given, _ = _cards_of(n_cards, order, kinds, locks, holdings, values, subsets)
    if trump in (U0, U2):
        return given
    for queen in range(queens + 1):
        for jack in range(jacks + 1):
            if queen + jack == 0 or queen + jack > n_cards:
                continue
            gift_s = 0 if queen == 0 else (_QUEEN if queen == 1 else _GIVE_LEGS)
            gift_d = 0 if jack == 0 else (_JACK if jack == 1 else _GIVE_LEGS)
            hope = pinochle_hope(hand, queen, jack, trump, policy)
            reach = bound + hope - free[0] - free[2]
            reach += _most(values[kinds[0], holdings[0], gift_s], price)
            reach += _most(values[kinds[2], holdings[2], gift_d], price)
            if reach <= best:
                continue
            value, locks = _best_keeping(
                (gift_s, 0, gift_d, 0), arounds, pairs, 3, n_cards, order, kinds, holdings, melds,
                weight, values,
            )  # fmt: skip
            if value + hope > best:
                best = value + hope
                given, _ = _cards_of(n_cards, order, kinds, locks, holdings, values, subsets)
    return given


@helper
def _better_whole_meld(
    hand: np.uint64,
    given: np.uint64,
    best: int,
    common: np.uint64,
    trump: np.uint64,
    melds: Array,
    policy: Array,
) -> np.uint64:
    """Return an around or a double pinochle given back whole, if that is better than `best`.

    These are the only returns whose meld in partner's hand the suits do not show one by one.
    """
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
