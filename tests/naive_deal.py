"""The slow, obvious oracle for tables dealt from the counter-based stream."""

from naive_play import WORD, mix

GOLDEN = 0x9E3779B97F4A7C15
MIX_A = 0xBF58476D1CE4E5B9
WHICH = 0x3A7D0000BEEF


def words(state):
    """Yield numbers below 2**32, two from each word of the generator."""
    while True:
        state = (state + GOLDEN) % WORD
        word = mix(state)
        yield word % 2**32
        yield word >> 32


def packed(cards):
    """Return cards, a list of types, as a packed hand."""
    return sum((2 ** cards.count(card) - 1) << 2 * card for card in set(cards))


def cards_in(hand):
    return [card for card in range(24) for _ in range((hand >> 2 * card & 3).bit_count())]


def table_of(seed, index, held=()):
    """Return the four hands of a table, packed, and its state."""
    stream = mix(mix((seed + GOLDEN) % WORD))
    state = mix((stream + (index + 1) * GOLDEN) % WORD)
    deck = [card for card in range(24) for _ in range(2)]
    hands = []
    if held:
        hands.append(held[mix(state ^ WHICH) % len(held)])
        for card in cards_in(hands[0]):
            deck.remove(card)
    numbers = words(state)
    size = len(deck)
    for position in range(size - 12):
        pick = position + (next(numbers) * (size - position) >> 32)
        deck[position], deck[pick] = deck[pick], deck[position]
    return hands + [packed(deck[start : start + 12]) for start in range(0, size, 12)], state
