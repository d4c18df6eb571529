"""The words of ``advisor interactive``: what each does, and what can follow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from advisor.completion import (
    complete_change,
    complete_convention,
    complete_engine,
    complete_rules,
    complete_trump,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that begins a line.

    Parameters
    ----------
    usage : str
        The word with what follows it.
    help : str
        What it does, in a line.
    complete : callable
        Returns what can stand where a word after it was begun.
    """

    usage: str
    help: str
    complete: Callable[[str], list[str]]


def _nothing(incomplete: str) -> list[str]:
    return []


def _from(*words: str) -> Callable[[str], list[str]]:
    return lambda incomplete: [w for w in words if w.lower().startswith(incomplete.lower())]


def _or_none(complete: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    return lambda incomplete: [*complete(incomplete), *_from("none")(incomplete)]


_SEATS: Final = _from("me", "left", "partner", "right", "none")
_CALLS: Final = _from("P", "PH", "none")
_TRUMPS: Final = _or_none(complete_trump)
_RULES: Final = _or_none(complete_change)
_ENGINES: Final = _or_none(complete_engine)

WORDS: Final = {
    "trump": Word("trump h", "look at this suit only; trump none: at all", _TRUMPS),
    "auction": Word("auction 250 P 270", "the calls so far; auction none", _CALLS),
    "dealer": Word("dealer left", "who deals: me, left, partner, right", _SEATS),
    "seat": Word("seat 2", "your seat instead: 1 calls first, 4 deals", _from(*"1234", "none")),
    "score": Word("score 900 1100", "of the game, yours first; score none", _from("none")),
    "why": Word("why", "where the points come from", _nothing),
    "bids": Word("bids", "chance and worth of every bid", _nothing),
    "plot": Word("plot", "pictures of the scores and of the chances", _nothing),
    "meld": Word("meld", "the exact meld; meld CARDS: of other cards", _nothing),
    "pass": Word("pass h", "which cards to send to declarer, who named h", complete_trump),
    "return": Word("return CARDS", "what to give back: all 16 cards, or the 4 you got", _nothing),
    "rules": Word("rules pagat", "house rules: a preset, your own, or a file", complete_rules),
    "set": Word("set pass=3", "change one rule; set none: as they were", _RULES),
    "convention": Word("convention dailey", "what jumps show", complete_convention),
    "engine": Word("engine exact", "policy, lite or exact; engine none", _ENGINES),
    "samples": Word("samples 20000", "deal so many times; samples none", _from("none")),
    "precision": Word("precision 0.5", "until the score is known so well", _from("none")),
    "seed": Word("seed 7", "deal other cards", _nothing),
    "show": Word("show", "the hand and all that was said", _nothing),
    "json": Word("json", "the last answer, for programs", _nothing),
    "next": Word("next", "forget the hand; rules and score stay", _nothing),
    "help": Word("help", "this page", _nothing),
    "quit": Word("quit", "leave, as Ctrl-D does", _nothing),
}
SAME: Final = {"exit": "quit", "?": "help", "new": "next", "calls": "auction"}


def complete_line(line: str) -> list[str]:
    """Return the words that can stand in place of the last one of a line.

    Parameters
    ----------
    line : str
        What was typed up to the cursor.

    >>> complete_line("tr"), complete_line("rules pag"), complete_line("set pass=")
    (['trump'], ['pagat'], ['pass=0', 'pass=2', 'pass=3', 'pass=4'])
    """
    first, space, rest = line.lstrip().partition(" ")
    if not space:
        return [word for word in WORDS if word.startswith(first.lower())] if first else []
    word = WORDS.get(SAME.get(first.lower(), first.lower()))
    begun = rest.rpartition(" ")[2]
    return [] if word is None else word.complete(begun)
