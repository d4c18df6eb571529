"""Exact double dummy: the points a side takes when all four hands are open and played perfectly.

Points are counted in counters here (ace, ten, king and the last trick one each, 25 in all); the
Python door multiplies by ten. A question is "can seats 0 and 2 take at least `need` more points?",
answered by a depth-first search that returns a bound on the value (fail-soft). At the start of a
trick a state is looked up in a table under a canonical name: in each suit, within ace-ten-king and
within queen-jack-nine, ranks no longer in play are closed up and neighbouring cards of one owner
count as one group, since only their number matters. The same reasoning plays only one of several
equivalent cards. The search keeps its own stack.

Trump is suit 0. Sources: the search is that of bridge solvers (zero windows, Plaat et al. 1996;
bounds from sure winners); the canonical halves of a suit are this game's own.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, popcount
from advisor.kernels.ddorder import order_moves
from advisor.kernels.ddstate import (
    COUNTER_PAIRS,
    canonical_key,
    fill_codes,
    one_of_each_group,
    sure_points,
)
from advisor.kernels.deal import mix
from advisor.kernels.packed import (
    COUNTERS,
    ONE_COPY,
    SUIT_MASK,
    U0,
    U1,
    U12,
    remove,
    suit_of_bit,
    swap_trump,
)
from advisor.kernels.tricks import legal_cards, winners_over

Array = np.ndarray[Any, Any]

_MAX_DEPTH: Final = 50
_FAR: Final = 99


@helper
def search(
    deal: Array,
    leader: int,
    table: Array,
    n_table: int,
    need: int,
    heading: int,
    codes: Array,
    classes: Array,
    keys: Array,
    entries: Array,
    stack: Array,
    cards: Array,
    counts: Array,
) -> int:
    """Return a bound on the counters that seats 0 and 2 still take: at least `need`, or less.

    Parameters
    ----------
    deal : uint64 array, shape (4,)
        Packed hands, trump in suit 0.
    leader : int
        Who leads this trick, or led it.
    table : uint64 array, shape (3,)
        Card bits played to this trick, of which `n_table` count.
    need : int
        The question, in counters.
    heading : int
    codes, classes : integer arrays
        From `fill_codes` and the Python door.
    keys, entries : arrays
        The table of states, modified in place: uint64 (n, 2) and int32 (n, 2).
    stack, cards : int64 and uint64 arrays, shapes (51, 12) and (51, 24)
        The search's own stack, modified in place.
    counts : int64 array, shape (2,)
        Nodes and table hits, added up in place.

    Returns
    -------
    int
        A lower bound on the value if it is at least `need`, else an upper bound.
    """
    # Columns of stack: 0 position, 1 seat, 2 winner so far, 3 trick points, 4 need, 5 value,
    # 6 moves, 7 next move, 8 points already won on the way here, 9 slot, 10 low, 11 high.
    # Columns of cards: 0-3 hands, 4 lead mask, 5 best, 6 best of the suit led, 7-8 key,
    # 9 best move, 10 on the table, 11-22 moves.
    scores = np.empty(24, dtype=np.int64)
    size_mask = np.uint64(len(keys) - 1)
    for seat in range(4):
        cards[0, seat] = deal[seat]
    stack[0, 0] = n_table
    stack[0, 1] = (leader + n_table) & 3
    stack[0, 2] = leader
    stack[0, 3] = 0
    stack[0, 4] = need
    stack[0, 8] = 0
    cards[0, 10] = U0
    if n_table > 0:
        lead_mask = SUIT_MASK << (suit_of_bit(table[0]) * U12)
        best = table[0]
        best_led = table[0]
        winner = leader
        points = 0
        for i in range(n_table):
            card = table[i]
            cards[0, 10] |= card
            if card & COUNTERS:
                points += 1
            if i > 0:
                if card & winners_over(best, lead_mask):
                    best = card
                    winner = (leader + i) & 3
                if (card & lead_mask) > best_led:
                    best_led = card
        cards[0, 4] = lead_mask
        cards[0, 5] = best
        cards[0, 6] = best_led
        stack[0, 2] = winner
        stack[0, 3] = points

    depth = 0
    entering = True
    value = 0
    while True:
        frame = stack[depth]
        words = cards[depth]
        if entering:
            counts[0] += 1
            position = frame[0]
            seat = frame[1]
            need = frame[4]
            hint = U0
            done = False
            if position == 0:
                n_left = np.int64(popcount(words[seat]))
                total = 1
                for i in range(4):
                    total += np.int64(popcount(words[i] & COUNTER_PAIRS))
                if n_left == 0 or need <= 0:
                    value = 0
                    done = True
                elif need > total:
                    value = total
                    done = True
                else:
                    sure_lead, sure_other = sure_points(words, seat)
                    low = sure_lead if (seat & 1) == 0 else sure_other
                    high = total - (sure_other if (seat & 1) == 0 else sure_lead)
                    if low >= need:
                        value = low
                        done = True
                    elif high < need:
                        value = high
                        done = True
                    else:
                        key_a, key_b = canonical_key(words, codes, classes)
                        key_b |= np.uint64(seat) << np.uint64(48)
                        slot = np.int64(mix(key_a * np.uint64(3) ^ mix(key_b)) & size_mask & ~U1)
                        found = -1
                        for i in range(2):
                            if keys[slot + i, 0] == key_a and keys[slot + i, 1] == key_b:
                                found = slot + i
                        if found >= 0:
                            counts[1] += 1
                            packed = entries[found, 0]
                            low = max(low, packed & 31)
                            high = min(high, (packed >> 5) & 31)
                            move = (packed >> 10) & 31
                            if move < 24:
                                hint = U1 << np.uint64(2 * move)
                            if low >= need:
                                value = low
                                done = True
                            elif high < need:
                                value = high
                                done = True
                        frame[9] = slot
                        frame[10] = low
                        frame[11] = high
                        words[7] = key_a
                        words[8] = key_b
                        words[9] = U0
            if not done:
                own = words[seat]
                if position == 0:
                    legal = own & ONE_COPY
                else:
                    legal = legal_cards(own, words[4], words[5], words[6], heading)
                if legal & (legal - U1):
                    others = words[10]
                    for i in range(4):
                        if i != seat:
                            others |= words[i]
                    legal = one_of_each_group(legal, others & ONE_COPY)
                frame[6] = order_moves(
                    words[11:23],
                    words,
                    seat,
                    position,
                    legal,
                    words[4],
                    words[5],
                    frame[2],
                    hint,
                    scores,
                )
                frame[7] = 0
                frame[5] = -_FAR if (seat & 1) == 0 else _FAR
                entering = False
            else:
                if depth == 0:
                    return value
                depth -= 1
                entering = False
                take_back(stack[depth], cards[depth], value + frame[8])
            continue

        # Back at a node, or at its first move.
        seat = frame[1]
        value = frame[5]
        maximising = (seat & 1) == 0
        cut = value >= frame[4] if maximising else value < frame[4]
        if cut or frame[7] == frame[6]:
            if frame[0] == 0:
                store(frame, words, value, keys, entries)
            if depth == 0:
                return value
            depth -= 1
            take_back(stack[depth], cards[depth], value + frame[8])
            continue

        card = words[11 + frame[7]]
        frame[7] += 1
        below = stack[depth + 1]
        next_words = cards[depth + 1]
        for i in range(4):
            next_words[i] = words[i]
        next_words[seat] = remove(words[seat], card)
        position = frame[0]
        points = (1 if card & COUNTERS else 0) + (frame[3] if position > 0 else 0)
        if position == 0:
            best = card
            best_led = card
            winner = seat
            lead_mask = SUIT_MASK << (suit_of_bit(card) * U12)
            on_table = card
        else:
            lead_mask = words[4]
            best = words[5]
            best_led = words[6]
            winner = frame[2]
            on_table = words[10] | card
            if card & winners_over(best, lead_mask):
                best = card
                winner = seat
            if (card & lead_mask) > best_led:
                best_led = card
        if position == 3:
            if next_words[seat] == U0:
                points += 1
            gained = points if (winner & 1) == 0 else 0
            below[0] = 0
            below[1] = winner
            below[4] = frame[4] - gained
            below[8] = gained
            next_words[10] = U0
        else:
            below[0] = position + 1
            below[1] = (seat + 1) & 3
            below[2] = winner
            below[3] = points
            below[4] = frame[4]
            below[8] = 0
            next_words[4] = lead_mask
            next_words[5] = best
            next_words[6] = best_led
            next_words[10] = on_table
        depth += 1
        entering = True


@helper
def take_back(frame: Array, words: Array, value: int) -> None:
    """Give a node the value of the card it tried last, if that is the best for its side so far."""
    better = value > frame[5] if (frame[1] & 1) == 0 else value < frame[5]
    if better:
        frame[5] = value
        words[9] = words[11 + frame[7] - 1]


@helper
def store(frame: Array, words: Array, value: int, keys: Array, entries: Array) -> None:
    """Keep what a search at the start of a trick found: the deeper of two states stays."""
    low, high = frame[10], frame[11]
    if value >= frame[4]:
        low = max(low, value)
    else:
        high = min(high, value)
    move = 31
    if words[9]:
        move = np.int64(popcount(words[9] - U1)) >> 1
    n_left = np.int64(popcount(words[frame[1]]))
    slot = frame[9]
    place = slot + 1
    for i in range(2):
        if keys[slot + i, 0] == words[7] and keys[slot + i, 1] == words[8]:
            place = slot + i
            break
    else:
        if n_left >= entries[slot, 1]:
            keys[slot + 1, 0] = keys[slot, 0]
            keys[slot + 1, 1] = keys[slot, 1]
            entries[slot + 1, 0] = entries[slot, 0]
            entries[slot + 1, 1] = entries[slot, 1]
            place = slot
    keys[place, 0] = words[7]
    keys[place, 1] = words[8]
    entries[place, 0] = low | (high << 5) | (move << 10)
    entries[place, 1] = n_left


@entry
def solve_deals(
    deals: Array,
    trumps: Array,
    leaders: Array,
    tables: Array,
    n_tables: Array,
    guesses: Array,
    heading: int,
    classes: Array,
    keys: Array,
    entries: Array,
    out: Array,
) -> None:
    """Solve open deals exactly.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
        Packed hands by seat.
    trumps, leaders, n_tables : int64 arrays, shape (n_deals,)
        Trump suit, who leads or led the trick, and how many cards lie on the table.
    tables : uint64 array, shape (n_deals, 3)
        Card bits on the table in order of play.
    guesses : int64 array, shape (n_deals,)
        First guess at the value, in counters.
    heading : int
    classes : int16 array, shape (N_HALVES,)
    keys, entries : uint64 (size, 2) and int32 (size, 2)
        Table of states, a power of two long, made by the Python door; modified in place. A state
        has the same value in every deal, so a table serves all deals under one heading rule.
    out : int64 array, shape (n_deals, 3)
        Counters that seats 0 and 2 take from the cards on the table and in hand, nodes and table
        hits; modified in place.
    """
    codes = np.zeros((4, 64), dtype=np.int64)
    fill_codes(codes)
    stack = np.zeros((_MAX_DEPTH + 1, 12), dtype=np.int64)
    cards = np.zeros((_MAX_DEPTH + 1, 24), dtype=np.uint64)
    counts = np.zeros(2, dtype=np.int64)
    hands = np.empty(4, dtype=np.uint64)
    table = np.empty(3, dtype=np.uint64)
    for i in range(len(deals)):
        trump = np.uint64(trumps[i])
        total = 1
        for seat in range(4):
            hands[seat] = swap_trump(deals[i, seat], trump)
            total += np.int64(popcount(hands[seat] & COUNTER_PAIRS))
        for j in range(n_tables[i]):
            table[j] = swap_trump(tables[i, j], trump)
            if table[j] & COUNTERS:
                total += 1
        counts[0] = 0
        counts[1] = 0
        low, high = 0, total
        guess = min(max(guesses[i], 1), total)
        while low < high:
            need = guess
            value = search(
                hands,
                leaders[i],
                table,
                n_tables[i],
                need,
                heading,
                codes,
                classes,
                keys,
                entries,
                stack,
                cards,
                counts,
            )
            if value >= need:
                low = value
                guess = value + 1
            else:
                high = value
                guess = value
        out[i, 0] = low
        out[i, 1] = counts[0]
        out[i, 2] = counts[1]
