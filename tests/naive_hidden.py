"""The slow, obvious oracle for the hidden cards after the exchange: lists, and a stated stream."""

from collections import Counter

import numpy as np
from naive import DECK, packed, unpacked, without

from advisor.kernels.exchange import exchange_hands
from advisor.policy import policy_array
from advisor.returning import return_tables

WORD = 1 << 64
GOLDEN = 0x9E3779B97F4A7C15
SALT = 0x5A1700005A17
COPIES = 0xC0B1E500C0B1


def mix(word):
    """Return the finaliser of SplitMix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def sample_state(stream, sample):
    return mix((stream + (sample + 1) * GOLDEN) % WORD)


def drawn(state, cards, begin, end):
    """Return cards `begin` to `end` of a list, drawn one by one from those not yet drawn."""
    for position in range(begin, end):
        state = (state + GOLDEN) % WORD
        low_half = mix(state) % 2**32
        pick = position + (low_half * (len(cards) - position) >> 32)
        cards[position], cards[pick] = cards[pick], cards[position]
    return cards[begin:end]


def rule_sends(partner, trump, rules, salt):
    """Return what the rule sends of partner's cards, ties broken by a salt."""
    declarer = without(DECK, partner)[:12]
    policy = policy_array()
    out = np.zeros((1, 2), dtype=np.uint64)
    exchange_hands(
        np.array([packed(declarer)], dtype=np.uint64),
        np.array([packed(partner)], dtype=np.uint64),
        np.array([trump], dtype=np.int64),
        rules,
        policy,
        return_tables(),
        np.array([salt], dtype=np.uint64),
        out,
    )
    return unpacked(out[0, 0])


def hidden_sample(held, received, trump, n_cards, rules, seed, index, most_tries):
    """Return (deal, sent, state, tries) of one sample; None for all but tries where none fits.

    Partner's twelve cards are those received and so many of the unseen; they fit if the rule sends
    the ones received, and if, of two copies that he held, the one sent is the one in this hand.
    """
    own, unseen = sorted(held), sorted(without(DECK, held))
    stream = mix(mix((seed + GOLDEN) % WORD) ^ (packed(held) * 0xBF58476D1CE4E5B9 % WORD))
    start = sample_state(stream, index)
    for trial in range(max(most_tries, 1)):
        state = sample_state(start, trial)
        came = received or sorted(drawn(state ^ SALT, own, 0, n_cards))
        kept = sorted(drawn(state, unseen, 0, 12 - n_cards))
        partner = sorted([*came, *kept])
        if most_tries:
            pairs = sum(Counter(kept)[card] > 0 for card in set(came))
            if mix(state ^ COPIES) % 2**pairs:
                continue
            if rule_sends(partner, trump, rules, mix(state ^ SALT)) != sorted(came):
                continue
        left = drawn((state + SALT) % WORD, unseen, 12 - n_cards, 24 - n_cards)
        right = drawn((state + COPIES) % WORD, unseen, 24 - n_cards, len(unseen))
        deal = [without(held, came), sorted(left), partner, sorted(right)]
        return [sorted(hand) for hand in deal], sorted(came), state, trial + 1
    return None, None, None, 0
