"""Double-dummy-lite: a shallow open-card search whose leaves are judged by the guide.

The search looks a given number of tricks ahead, by alpha-beta over the sensible cards: of each suit
the highest, the lowest counter and the lowest other card, and one of several equivalent ones. At
the start of the trick after that the guide says what the rest is worth. Looking no trick ahead is
the guide alone. The cost is bounded by the depth, whatever the deal.

Trump is suit 0. Values are those of seats 0 and 2, in 1/256 counter.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from advisor.kernels._jit import entry, helper
from advisor.kernels.ddorder import order_moves
from advisor.kernels.ddstate import one_of_each_group
from advisor.kernels.guide import COUNTER_UNITS, MAX_HIDDEN, N_CLOSED, Weights, fill_closed, guess
from advisor.kernels.packed import (
    COUNTERS,
    ONE_COPY,
    SUIT_MASK,
    U0,
    U1,
    U12,
    highest,
    lowest,
    remove,
    suit_of_bit,
    swap_trump,
)
from advisor.kernels.tricks import legal_cards, trick_so_far, winners_over

Array = np.ndarray[Any, Any]

# The guide's weights, and arrays.
Workspace = tuple[Any, ...]

MAX_TRICKS: Final = 3
# One frame for each card played, and the leaf.
FRAMES: Final = 4 * MAX_TRICKS + 1
_FAR: Final = 1 << 30
# Columns of a frame's numbers and of its card masks.
(
    _POSITION,
    _SEAT,
    _WINNER,
    _POINTS,
    _ALPHA,
    _BETA,
    _VALUE,
    _N_MOVES,
    _NEXT,
    _GAINED,
    _TRICKS,
) = range(11)
_LEAD_MASK, _BEST, _BEST_LED, _ON_TABLE, _MOVES = 4, 5, 6, 7, 8
N_NUMBERS: Final = 11
N_MASKS: Final = _MOVES + 12


@helper
def sensible(cards: np.uint64) -> np.uint64:
    """Return the highest, the lowest counter and the lowest other card of each suit."""
    kept = U0
    for suit in range(4):
        own = cards & (SUIT_MASK << (np.uint64(suit) * U12))
        if own:
            kept |= highest(own)
            counters = own & COUNTERS
            if counters:
                kept |= lowest(counters)
            others = own & ~COUNTERS
            if others:
                kept |= lowest(others)
    return kept


@helper
def choices(masks: Array, seat: int, position: int, heading: int) -> np.uint64:
    """Return the sensible ones of a seat's legal cards."""
    own = masks[seat]
    if position == 0:
        legal = own & ONE_COPY
    else:
        legal = legal_cards(own, masks[_LEAD_MASK], masks[_BEST], masks[_BEST_LED], heading)
    if legal & (legal - U1):
        others = masks[_ON_TABLE]
        for other in range(4):
            if other != seat:
                others |= masks[other]
        legal = sensible(one_of_each_group(legal, others & ONE_COPY))
    return legal


@helper
def set_up(
    numbers: Array, masks: Array, deal: Array, leader: int, table: Array, n_table: int, tricks: int
) -> None:
    """Write the first frame: the hands, and the cards on the table."""
    for seat in range(4):
        masks[seat] = deal[seat]
    masks[_ON_TABLE] = U0
    points = 0
    for i in range(n_table):
        masks[_ON_TABLE] |= table[i]
        if table[i] & COUNTERS:
            points += 1
    lead_mask, best, best_led, winner = trick_so_far(table, n_table, leader)
    masks[_LEAD_MASK] = lead_mask
    masks[_BEST] = best
    masks[_BEST_LED] = best_led
    numbers[_POSITION] = n_table
    numbers[_SEAT] = (leader + n_table) & 3
    numbers[_WINNER] = winner
    numbers[_POINTS] = points
    numbers[_ALPHA] = -_FAR
    numbers[_BETA] = _FAR
    numbers[_GAINED] = 0
    numbers[_TRICKS] = tricks


@helper
def play_card(numbers: Array, masks: Array, below: Array, masks_below: Array) -> None:
    """Write the frame after the next card of a frame is played."""
    card = masks[_MOVES + numbers[_NEXT]]
    numbers[_NEXT] += 1
    seat = numbers[_SEAT]
    position = numbers[_POSITION]
    for other in range(4):
        masks_below[other] = masks[other]
    masks_below[seat] = remove(masks[seat], card)
    points = 1 if card & COUNTERS else 0
    if position == 0:
        lead_mask = SUIT_MASK << (suit_of_bit(card) * U12)
        best = card
        best_led = card
        winner = seat
        on_table = card
    else:
        points += numbers[_POINTS]
        lead_mask = masks[_LEAD_MASK]
        best = masks[_BEST]
        best_led = masks[_BEST_LED]
        winner = numbers[_WINNER]
        on_table = masks[_ON_TABLE] | card
        if card & winners_over(best, lead_mask):
            best = card
            winner = seat
        if (card & lead_mask) > best_led:
            best_led = card
    gained = 0
    if position == 3:
        if masks_below[seat] == U0:
            points += 1
        if (winner & 1) == 0:
            gained = COUNTER_UNITS * points
        below[_POSITION] = 0
        below[_SEAT] = winner
        below[_TRICKS] = numbers[_TRICKS] - 1
        masks_below[_ON_TABLE] = U0
    else:
        below[_POSITION] = position + 1
        below[_SEAT] = (seat + 1) & 3
        below[_WINNER] = winner
        below[_POINTS] = points
        below[_TRICKS] = numbers[_TRICKS]
        masks_below[_LEAD_MASK] = lead_mask
        masks_below[_BEST] = best
        masks_below[_BEST_LED] = best_led
        masks_below[_ON_TABLE] = on_table
    below[_GAINED] = gained
    below[_ALPHA] = numbers[_ALPHA] - gained
    below[_BETA] = numbers[_BETA] - gained


@helper
def take_value(numbers: Array, value: int) -> None:
    """Give a frame the value of the card it tried last."""
    if (numbers[_SEAT] & 1) == 0:
        numbers[_VALUE] = max(numbers[_VALUE], value)
        numbers[_ALPHA] = max(numbers[_ALPHA], value)
    else:
        numbers[_VALUE] = min(numbers[_VALUE], value)
        numbers[_BETA] = min(numbers[_BETA], value)


@helper
def new_workspace(weights: Weights) -> Workspace:
    """Return what `lite_value` works with, all of it modified in place but the first two.

    These are the guide's weights and the table of `fill_closed`; the search's own stack; scratch
    of the guide and of the ordering of moves; and how many positions the guide judged, added up.
    """
    closed = np.empty(N_CLOSED, dtype=np.uint64)
    fill_closed(closed)
    return (
        weights,
        closed,
        np.zeros((FRAMES, N_NUMBERS), dtype=np.int64),
        np.zeros((FRAMES, N_MASKS), dtype=np.uint64),
        np.empty(4, dtype=np.uint64),
        np.empty((4, MAX_HIDDEN), dtype=np.int32),
        np.empty(24, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@helper
def lite_value(
    deal: Array,
    leader: int,
    table: Array,
    n_table: int,
    tricks: int,
    heading: int,
    workspace: Workspace,
) -> int:
    """Return what seats 0 and 2 may be expected to take from the cards in hand and on the table.

    Parameters
    ----------
    deal : uint64 array, shape (4,)
        Packed hands, trump in suit 0; not changed.
    leader : int
        Who leads this trick, or led it.
    table : uint64 array, shape (3,)
        Card bits played to this trick, of which `n_table` count.
    tricks : int
        How many tricks to look ahead, 0 to `MAX_TRICKS`; a trick already begun counts as one, and
        is played to its end even at 0.
    heading : int
    workspace : tuple
        From `new_workspace`.

    Returns
    -------
    int
        In 1/256 counter.
    """
    weights, closed, stack, masks, moved, layers, scores, counts = workspace
    if n_table > 0:
        tricks = max(tricks, 1)
    set_up(stack[0], masks[0], deal, leader, table, n_table, tricks)
    depth = 0
    entering = True
    value = 0
    while True:
        numbers = stack[depth]
        words = masks[depth]
        seat = numbers[_SEAT]
        if entering:
            if numbers[_POSITION] == 0 and (words[seat] == U0 or numbers[_TRICKS] == 0):
                value = 0
                if words[seat] != U0:
                    counts[0] += 1
                    value = guess(words[:4], seat, weights, closed, moved, layers)
                if depth == 0:
                    return value
                take_value(stack[depth - 1], value + numbers[_GAINED])
                depth -= 1
            else:
                cards = choices(words, seat, numbers[_POSITION], heading)
                numbers[_N_MOVES] = order_moves(
                    words,
                    _MOVES,
                    words,
                    seat,
                    numbers[_POSITION],
                    cards,
                    words[_LEAD_MASK],
                    words[_BEST],
                    numbers[_WINNER],
                    -1,
                    -1,
                    scores,
                )
                numbers[_NEXT] = 0
                numbers[_VALUE] = -_FAR if (seat & 1) == 0 else _FAR
            entering = False
        elif numbers[_ALPHA] >= numbers[_BETA] or numbers[_NEXT] == numbers[_N_MOVES]:
            value = numbers[_VALUE]
            if depth == 0:
                return value
            take_value(stack[depth - 1], value + numbers[_GAINED])
            depth -= 1
        else:
            play_card(numbers, words, stack[depth + 1], masks[depth + 1])
            depth += 1
            entering = True


@entry
def lite_deals(
    deals: Array,
    trumps: Array,
    leaders: Array,
    tables: Array,
    n_tables: Array,
    tricks: int,
    heading: int,
    weights: Weights,
    out: Array,
) -> None:
    """Judge open deals.

    Parameters
    ----------
    deals : uint64 array, shape (n_deals, 4)
        Packed hands by seat.
    trumps, leaders, n_tables : int64 arrays, shape (n_deals,)
        Trump suit, who leads or led the trick, and how many cards lie on the table.
    tables : uint64 array, shape (n_deals, 3)
        Card bits on the table in order of play.
    tricks : int
        How many tricks to look ahead.
    heading : int
    weights : tuple of arrays
        See `advisor.guide.guide_weights`.
    out : int64 array, shape (n_deals, 2)
        What seats 0 and 2 take, in 1/256 counter, and how many positions the guide judged;
        modified in place.
    """
    workspace = new_workspace(weights)
    counts = workspace[-1]
    hands = np.empty(4, dtype=np.uint64)
    table = np.zeros(3, dtype=np.uint64)
    for i in range(len(deals)):
        trump = np.uint64(trumps[i])
        for seat in range(4):
            hands[seat] = swap_trump(deals[i, seat], trump)
        for j in range(n_tables[i]):
            table[j] = swap_trump(tables[i, j], trump)
        counts[0] = 0
        out[i, 0] = lite_value(hands, leaders[i], table, n_tables[i], tricks, heading, workspace)
        out[i, 1] = counts[0]
