"""Exact double dummy: the points a side takes when all four hands are open and played perfectly.

Points are counted in counters here (ace, ten, king and the last trick one each, 25 in all); the
Python door multiplies by ten. A question is "can seats 0 and 2 take at least `need` more points?",
answered by a depth-first search that returns a bound on the value (fail-soft). At the start of a
trick a side that is certain of enough ends the search (`ddbounds`), and a state is looked up in a
table under a canonical name (`ddstate`, `ddtable`), as is every state that the last card of a
trick may lead to. Only one of several equivalent cards is played. The search keeps its own stack.

Trump is suit 0. Sources: the search is that of bridge solvers (zero windows, Plaat et al. 1996;
bounds from sure winners; enhanced transposition cutoffs, the same authors); the canonical halves
of a suit are this game's own.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper, trailing_zeros
from advisor.kernels.ddbounds import sure_points
from advisor.kernels.ddnode import (
    BEST,
    BEST_LED,
    BEST_MOVE,
    BUCKET,
    FAR,
    FRAME,
    GAINED,
    HAND,
    HIGH,
    LED,
    LOW,
    MOVE,
    MOVES,
    N_MOVES,
    NAME_A,
    NAME_B,
    NEED,
    NODES,
    PLACE,
    SEAT,
    TOTAL,
    TRICKS,
    VALUE,
    WINNER,
    WORDS,
    answer_in_table,
    play,
    start,
)
from advisor.kernels.ddorder import order_moves
from advisor.kernels.ddstate import (
    canonical_key,
    counters_in,
    fill_codes,
    fill_shares,
    one_of_each_group,
    size_of,
)
from advisor.kernels.ddtable import bounds_and_move, find, keep
from advisor.kernels.packed import (
    COUNTERS,
    ONE_COPY,
    U0,
    U1,
    suit_of_bit,
    swap_trump,
)
from advisor.kernels.tricks import legal_cards

Array = np.ndarray[Any, Any]

MAX_DEPTH: Final = 50
_MAX_TRICKS: Final = 12
_NO_SUIT: Final = -1

Workspace = tuple[Array, ...]


@helper
def new_workspace(classes: Array, states: Array) -> Workspace:
    """Return what `search` works with, all of it modified in place but the first three arrays.

    These are `codes`, `shares` and `classes`, which name the states; `states`, the table; the
    search's own stack `frames`, `words` and `moves`, flat, as views of rows would cost more than
    the search itself; the cards left, and the ownership codes of the half suits; the nodes and
    table hits, added up.
    """
    codes = np.zeros((4, 64), dtype=np.int64)
    fill_codes(codes)
    shares = np.zeros(12, dtype=np.int64)
    fill_shares(shares)
    return (
        codes,
        shares,
        classes,
        states,
        np.zeros((MAX_DEPTH + 1) * FRAME, dtype=np.int64),
        np.zeros((MAX_DEPTH + 1) * WORDS, dtype=np.uint64),
        np.zeros((MAX_DEPTH + 1) * MOVES, dtype=np.uint64),
        np.empty(4, dtype=np.uint64),
        np.zeros(8, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@helper
def search(
    deal: Array,
    leader: int,
    table: Array,
    n_table: int,
    need: int,
    heading: int,
    generation: int,
    workspace: Workspace,
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
    generation : int
        Marks the states of this deal.
    workspace : tuple of arrays
        From `new_workspace`.

    Returns
    -------
    int
        A lower bound on the value if it is at least `need`, else an upper bound.
    """
    codes, shares, classes, states, frames, words, moves, hands, halves, counts = workspace
    start(deal, leader, table, n_table, need, codes, frames, words, hands, halves)
    scores = np.empty(MOVES, dtype=np.int64)
    # The suit whose lead last refuted a question, by tricks to be played and seat.
    refuting_suits = np.full(4 * (_MAX_TRICKS + 1), _NO_SUIT, dtype=np.int64)
    depth = 0
    value = 0
    while True:
        # A node is entered.
        f = depth * FRAME
        w = depth * WORDS
        m = depth * MOVES
        counts[0] += 1
        place = frames[f + PLACE]
        seat = frames[f + SEAT]
        need = frames[f + NEED]
        ours = (seat & 1) == 0
        best_lead = -1
        done = False
        if place == 0:
            total = frames[f + TOTAL]
            if need <= 0 or frames[f + TRICKS] == 0:
                value = 0
                done = True
            elif need > total:
                value = total
                done = True
            else:
                low, high = sure_points(hands, seat, total, need)
                if low < need <= high:
                    name_a, name_b = canonical_key(halves, seat, classes)
                    bucket, found = find(states, name_a, name_b)
                    if found >= 0:
                        counts[1] += 1
                        known_low, known_high, best_lead = bounds_and_move(states[found, 0])
                        low = max(low, known_low)
                        high = min(high, known_high)
                    frames[f + LOW] = low
                    frames[f + HIGH] = high
                    frames[f + NODES] = counts[0]
                    frames[f + BUCKET] = bucket
                    words[w + NAME_A] = name_a
                    words[w + NAME_B] = name_b
                if low >= need:
                    value = low
                    done = True
                elif high < need:
                    value = high
                    done = True
        if not done:
            own = hands[seat]
            legal = own & ONE_COPY
            lead_mask = U0
            best = U0
            others = hands[(seat + 1) & 3] | hands[(seat + 2) & 3] | hands[(seat + 3) & 3]
            if place > 0:
                lead_mask = words[w + LED]
                best = words[w + BEST]
                legal = legal_cards(own, lead_mask, best, words[w + BEST_LED], heading)
                others |= best | words[w + BEST_LED]
            legal = one_of_each_group(legal, others)
            frames[f + VALUE] = -FAR if ours else FAR
            frames[f + MOVE] = 0
            if legal & (legal - U1):
                n_moves = order_moves(
                    moves,
                    m,
                    hands,
                    seat,
                    place,
                    legal,
                    lead_mask,
                    best,
                    frames[f + WINNER],
                    best_lead,
                    refuting_suits[4 * frames[f + TRICKS] + seat],
                    scores,
                )
                frames[f + N_MOVES] = n_moves
                if place == 3 and frames[f + TRICKS] > 2:
                    value = answer_in_table(
                        frames, f, moves, m, lead_mask, best, shares, classes, states, halves
                    )
                    done = value >= need if ours else value < need
            else:
                moves[m] = legal
                frames[f + N_MOVES] = 1
        if done:
            # Back to the nearest node that has another card to try.
            while True:
                if depth == 0:
                    return value
                depth -= 1
                value += frames[f + GAINED]
                f -= FRAME
                w -= WORDS
                m -= MOVES
                seat = frames[f + SEAT]
                need = frames[f + NEED]
                move = frames[f + MOVE]
                hands[seat] = words[w + HAND]
                kind = np.int64(trailing_zeros(moves[m + move])) >> 1
                halves[kind // 3] += shares[3 * seat + kind % 3]
                so_far = frames[f + VALUE]
                ours = (seat & 1) == 0
                if value > so_far if ours else value < so_far:
                    so_far = value
                    frames[f + VALUE] = value
                    frames[f + BEST_MOVE] = move
                move += 1
                frames[f + MOVE] = move
                cut = so_far >= need if ours else so_far < need
                if not cut and move < frames[f + N_MOVES]:
                    break
                value = so_far
                if frames[f + PLACE] == 0:
                    low = frames[f + LOW]
                    high = frames[f + HIGH]
                    if value >= need:
                        low = max(low, value)
                    else:
                        high = min(high, value)
                    others = hands[(seat + 1) & 3] | hands[(seat + 2) & 3] | hands[(seat + 3) & 3]
                    legal = one_of_each_group(hands[seat] & ONE_COPY, others)
                    card = moves[m + frames[f + BEST_MOVE]]
                    if cut:
                        suit = np.int64(suit_of_bit(card))
                        refuting_suits[4 * frames[f + TRICKS] + seat] = suit
                    keep(
                        states,
                        frames[f + BUCKET],
                        words[w + NAME_A],
                        words[w + NAME_B],
                        low,
                        high,
                        size_of(legal & (card - U1)),
                        counts[0] - frames[f + NODES],
                        generation,
                    )
        play(frames, f, words, w, moves[m + frames[f + MOVE]], shares, hands, halves)
        depth += 1


@helper
def value_within(
    deal: Array,
    leader: int,
    table: Array,
    n_table: int,
    low: int,
    high: int,
    guess: int,
    heading: int,
    generation: int,
    workspace: Workspace,
) -> int:
    """Return the counters that seats 0 and 2 take, if from `low` to `high`, else the nearer one.

    Parameters
    ----------
    deal, leader, table, n_table, heading, generation, workspace
        As for `search`; `deal` is not changed.
    low, high : int
        Any numbers: below nothing and above all there is means without bounds.
    guess : int
        Where to begin; any number will do.
    """
    total = 1
    for seat in range(4):
        total += counters_in(deal[seat])
    for i in range(n_table):
        if table[i] & COUNTERS:
            total += 1
    low = max(low, 0)
    high = min(high, total)
    need = min(max(guess, low + 1), high)
    while low < high:
        value = search(deal, leader, table, n_table, need, heading, generation, workspace)
        if value >= need:
            low = value
            need = value + 1
        else:
            high = value
            need = value
    return low


@entry
def solve_deals(
    deals: Array,
    trumps: Array,
    leaders: Array,
    tables: Array,
    n_tables: Array,
    windows: Array,
    heading: int,
    classes: Array,
    states: Array,
    generation: int,
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
    windows : int64 array, shape (n_deals, 3)
        The value is wanted only between the first two numbers, in counters; the third is the
        first guess at it.
    heading : int
    classes : int16 array, shape (N_HALVES,)
    states : uint64 array, shape (size, 2)
        Table of states, a power of two long and zero at first; modified in place. A state has
        the same value in every deal, so a table serves all deals under one heading rule.
    generation : int
        Any number below 256; states kept with another number are the first to be replaced.
    out : int64 array, shape (n_deals, 3)
        Counters that seats 0 and 2 take from the cards on the table and in hand, within the
        window, nodes and table hits; modified in place.
    """
    workspace = new_workspace(classes, states)
    counts = workspace[-1]
    hands = np.empty(4, dtype=np.uint64)
    table = np.empty(3, dtype=np.uint64)
    for i in range(len(deals)):
        trump = np.uint64(trumps[i])
        for seat in range(4):
            hands[seat] = swap_trump(deals[i, seat], trump)
        for j in range(n_tables[i]):
            table[j] = swap_trump(tables[i, j], trump)
        counts[:] = 0
        out[i, 0] = value_within(
            hands,
            leaders[i],
            table,
            n_tables[i],
            windows[i, 0],
            windows[i, 1],
            windows[i, 2],
            heading,
            generation,
            workspace,
        )
        out[i, 1] = counts[0]
        out[i, 2] = counts[1]
