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
from advisor.kernels.deal import mix
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
from advisor.kernels.tricks import above, legal_cards, winners_over

Array = np.ndarray[Any, Any]

N_OWNERS: Final = 25
N_HALVES: Final = N_OWNERS**3
_SIX: Final = np.uint64(63)
_HALF: Final = np.uint64(6)
_MAX_DEPTH: Final = 50
_FAR: Final = 99
_COUNTER_PAIRS: Final = np.uint64(0xFC0_FC0_FC0_FC0)
# Numbers such that every sum of at most two of them tells which they were.
OWNER_WEIGHTS: Final = (1, 3, 7, 12)


@helper
def holding_code(holding: np.uint64, seat: int) -> int:
    """Return one seat's share of the ownership code of half a suit (three ranks, six bits)."""
    weight = OWNER_WEIGHTS[seat]
    low = np.int64(popcount(holding & np.uint64(3)))
    middle = np.int64(popcount(holding & np.uint64(12)))
    high = np.int64(popcount(holding & np.uint64(48)))
    return weight * (low + N_OWNERS * middle + N_OWNERS * N_OWNERS * high)


@helper
def fill_codes(codes: Array) -> None:
    """Write `holding_code` of every six bits for every seat, shape (4, 64)."""
    for seat in range(4):
        for word in range(64):
            codes[seat, word] = holding_code(np.uint64(word), seat)


@helper
def canonical_key(hands: Array, codes: Array, classes: Array) -> tuple[np.uint64, np.uint64]:
    """Return the canonical name of four hands, 12 bits for each half of a suit."""
    first = U0
    second = U0
    for half in range(4):
        shift = np.uint64(6 * half)
        code = codes[0, (hands[0] >> shift) & _SIX] + codes[1, (hands[1] >> shift) & _SIX]
        code += codes[2, (hands[2] >> shift) & _SIX] + codes[3, (hands[3] >> shift) & _SIX]
        first = (first << U12) | np.uint64(classes[code])
        shift = np.uint64(6 * half + 24)
        code = codes[0, (hands[0] >> shift) & _SIX] + codes[1, (hands[1] >> shift) & _SIX]
        code += codes[2, (hands[2] >> shift) & _SIX] + codes[3, (hands[3] >> shift) & _SIX]
        second = (second << U12) | np.uint64(classes[code])
    return first, second


@helper
def one_of_each_group(cards: np.uint64, others: np.uint64) -> np.uint64:
    """Return one card of each group of equivalent cards: the lowest.

    Two cards of a hand in the same half of a suit are equivalent when no other seat, nor the
    trick on the table, has a card from the lower to the higher of them.
    """
    kept = U0
    for half in range(8):
        own = cards & (_SIX << np.uint64(6 * half))
        while own:
            card = lowest(own)
            own ^= card
            kept |= card
            if (others & card) == U0:
                # Everything up to the next card of another seat is the same as this one.
                barrier = others & (_SIX << np.uint64(6 * half)) & above(card)
                if barrier:
                    own &= ~(lowest(barrier) - U1)
                else:
                    own = U0
    return kept


@helper
def sure_points(hands: Array, leader: int) -> tuple[int, int]:
    """Return points that are certain for the leader's side and for the other side."""
    own = hands[leader]
    left = hands[(leader + 1) & 3]
    partner = hands[(leader + 2) & 3]
    right = hands[(leader + 3) & 3]
    n_cards = np.int64(popcount(own))

    # Winners the leader can cash one after the other: nobody can beat or ruff them.
    cashed = 0
    points = 0
    for suit in range(4):
        shift = np.uint64(suit) * U12
        mine = (own >> shift) & SUIT_MASK
        if mine == U0:
            continue
        theirs = ((left | partner | right) >> shift) & SUIT_MASK
        top = mine
        if theirs:
            top = mine & ~(highest(theirs & ONE_COPY) - U1)
        if top == U0:
            continue
        most = np.int64(popcount(top))
        if suit > 0:
            if left & SUIT_MASK:
                most = min(most, np.int64(popcount((left >> shift) & SUIT_MASK)))
            if partner & SUIT_MASK:
                most = min(most, np.int64(popcount((partner >> shift) & SUIT_MASK)))
            if right & SUIT_MASK:
                most = min(most, np.int64(popcount((right >> shift) & SUIT_MASK)))
        cashed += most
        points += min(most, np.int64(popcount(top & _COUNTER_PAIRS)))
    if cashed >= n_cards:
        total = 1
        for seat in range(4):
            total += np.int64(popcount(hands[seat] & _COUNTER_PAIRS))
        return total, 0

    # A trump above all opposing trumps is in a trick of our own whenever it is played.
    ours = (own | partner) & SUIT_MASK
    opposing = (left | right) & SUIT_MASK & ONE_COPY
    trumps = _top_counters(own, opposing) + _top_counters(partner, opposing)
    others = _top_counters(left, ours & ONE_COPY) + _top_counters(right, ours & ONE_COPY)
    return max(points, trumps), others


@helper
def _top_counters(hand: np.uint64, opposing: np.uint64) -> int:
    trumps = hand & SUIT_MASK & _COUNTER_PAIRS
    if opposing:
        trumps &= above(highest(opposing))
    return np.int64(popcount(trumps))


@helper
def order_moves(
    moves: Array,
    hands: Array,
    seat: int,
    position: int,
    cards: np.uint64,
    lead_mask: np.uint64,
    best: np.uint64,
    best_seat: int,
    hint: np.uint64,
    scores: Array,
) -> int:
    """List cards to try, the likeliest refutation first; return how many."""
    n = 0
    left = hands[(seat + 1) & 3]
    partner = hands[(seat + 2) & 3]
    right = hands[(seat + 3) & 3]
    rest = cards
    while rest:
        card = lowest(rest)
        rest ^= card
        counter = (card & COUNTERS) != U0
        suit = suit_of_bit(card)
        mask = SUIT_MASK << (suit * U12)
        rank_bits = np.int64(popcount(((card - U1) & mask) & ONE_COPY))
        score = 0
        if position == 0:
            higher = above(card) & mask
            enemy = left | right
            beaten = (enemy & higher) != U0
            ruffed = False
            if suit != U0:
                ruffed = ((left & mask) == U0 and (left & SUIT_MASK) != U0) or (
                    (right & mask) == U0 and (right & SUIT_MASK) != U0
                )
            if not beaten and not ruffed:
                score = 60 + (20 if counter else 0) + rank_bits
                if suit == U0:
                    score += 5
            else:
                helped = False
                if not ruffed:
                    enemy_top = enemy & mask & ONE_COPY
                    partner_top = partner & mask & ONE_COPY
                    if partner_top:
                        helped = enemy_top == U0 or highest(partner_top) >= highest(enemy_top)
                    elif suit != U0 and (partner & SUIT_MASK) != U0:
                        helped = True
                score = (40 if helped else 20) - rank_bits - (10 if counter and not helped else 0)
                if suit == U0 and not helped:
                    score -= 5
        else:
            wins = (card & winners_over(best, lead_mask)) != U0
            if wins:
                held = True
                if position < 3:
                    # Whether the next opponent can take it back.
                    follow = left & lead_mask
                    if card & SUIT_MASK:
                        can = left & SUIT_MASK & above(card)
                        held = can == U0 or (follow != U0 and lead_mask != SUIT_MASK)
                    elif follow:
                        held = (left & lead_mask & above(card)) == U0
                    else:
                        held = (left & SUIT_MASK) == U0
                if held:
                    score = 50 + (10 if counter and position == 3 else 0) - rank_bits
                else:
                    score = 30 - (10 if counter else 0) - rank_bits
            else:
                with_us = best_seat == (seat ^ 2)
                if with_us and position < 3:
                    if best & SUIT_MASK:
                        with_us = (left & SUIT_MASK & above(best)) == U0 or (
                            (left & lead_mask) != U0 and lead_mask != SUIT_MASK
                        )
                    elif left & lead_mask:
                        with_us = (left & lead_mask & above(best)) == U0
                    else:
                        with_us = (left & SUIT_MASK) == U0
                score = (20 if counter else 0) if with_us else (0 if counter else 20)
                score -= rank_bits
                if suit == U0 and lead_mask != SUIT_MASK:
                    score -= 8
        if card == hint:
            score += 1000
        place = n
        while place > 0 and scores[place - 1] < score:
            scores[place] = scores[place - 1]
            moves[place] = moves[place - 1]
            place -= 1
        scores[place] = score
        moves[place] = card
        n += 1
    return n


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
                    total += np.int64(popcount(words[i] & _COUNTER_PAIRS))
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
                value += frame[8]
                depth -= 1
                entering = False
                frame = stack[depth]
                words = cards[depth]
                if (frame[1] & 1) == 0:
                    if value > frame[5]:
                        frame[5] = value
                        words[9] = words[11 + frame[7] - 1]
                elif value < frame[5]:
                    frame[5] = value
                    words[9] = words[11 + frame[7] - 1]
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
            value += frame[8]
            depth -= 1
            frame = stack[depth]
            words = cards[depth]
            if (frame[1] & 1) == 0:
                if value > frame[5]:
                    frame[5] = value
                    words[9] = words[11 + frame[7] - 1]
            elif value < frame[5]:
                frame[5] = value
                words[9] = words[11 + frame[7] - 1]
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
            total += np.int64(popcount(hands[seat] & _COUNTER_PAIRS))
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
