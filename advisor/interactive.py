"""``advisor interactive`` without a terminal: a line in, a text out, and what it stands at.

Whatever goes wrong with a line, and wherever it is stopped, leaves the state as it was.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from advisor.config import portable_rules
from advisor.config_files import own_files
from advisor.errors import AdvisorError, HandError, OptionError
from advisor.game.cards import HAND_SIZE, SUITS, Hand, Suit
from advisor.game.conventions import load_convention
from advisor.game.exchange import check_pass_cards
from advisor.game.meld import score_meld
from advisor.game.notation import parse_hand, parse_trump
from advisor.game.rules import apply_settings, load_rules
from advisor.game.settings import show
from advisor.interactive_lines import MAX_LINE, is_none, neither, settings, some, whole
from advisor.interactive_state import State
from advisor.interactive_words import SAME, WORDS
from advisor.limits import (
    MAX_SAMPLES,
    MAX_SCORE,
    MAX_SEED,
    check_engine,
    check_precision,
    check_score,
    check_whole,
    plain_number,
)
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.advice import BidAdvice
    from advisor.exchange_advice import ExchangeAdvice

_OPTION: Final = re.compile(r"--(?=[a-z])")


class Leave(Exception):
    """Somebody has said ``quit``."""


class Work(Protocol):
    """Who computes the answers: the library, or somebody who knows them already."""

    def bid(self, state: State) -> BidAdvice:
        """Return advice on the hand of a state."""

    def exchange(
        self, state: State, hand: Hand, trump: Suit, received: Hand | None, returning: bool
    ) -> ExchangeAdvice:
        """Return advice on what to pass, or to give back."""


class Session:
    """A conversation about hands.

    Parameters
    ----------
    state : State
        Where it begins.
    work : Work
    look : callable
        Returns the `Look` of a screen whose rules have this scale.
    always : collection of str, optional
        ``rules``, ``engine`` and ``convention`` that a command must name even where they are the
        usual ones, because the environment says otherwise.
    words : sequence of str, optional
        What such a command ends with.
    bid_words : sequence of str, optional
        What comes before them where the command is `bid`.

    >>> session = Session(State(), work=None, look=lambda scale: Look())
    >>> print(session.answer("meld AATKQJ.AK.QJ.T9").splitlines()[5])
    ♠       190  run 150, pinochle 40
    >>> session.answer("trump x")
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: trump 'x' is not a suit: expected S, H, D, C or a suit's name
    """

    def __init__(
        self,
        state: State,
        work: Work,
        look: Callable[[int], Look],
        *,
        always: Collection[str] = (),
        words: Sequence[str] = (),
        bid_words: Sequence[str] = (),
    ) -> None:
        self.state = state
        self._work = work
        self._look_of = look
        self._always = always
        self._words = list(words)
        self._bid_words = [*bid_words, *words]
        self._advice: BidAdvice | None = None
        self._last_object: Callable[[], dict[str, Any]] | None = None

    @property
    def look(self) -> Look:
        """How screens look now."""
        return self._look_of(self.state.rules.scale)

    def answer(self, line: str) -> str:
        """Return what a line is answered with; nothing for an empty one.

        Raises
        ------
        AdvisorError
            If the line means nothing or something impossible.
        Leave
            If it says to.
        """
        text = line.strip()
        if not text or text.startswith("#"):
            return ""
        if len(text) > MAX_LINE:
            raise OptionError(f"line: expected at most {MAX_LINE:,} characters, found more")
        first, _, rest = text.partition(" ")
        word = SAME.get(first.lower(), first.lower())
        try:
            if word in WORDS:
                answer: str = getattr(self, f"_{word}")(rest.strip())
                return answer
            return self._hand(text)
        except AdvisorError as error:
            # Options are words here.
            message = _OPTION.sub("", str(error))
            raise type(error)(message) from None

    def _hand(self, text: str) -> str:
        try:
            hand = parse_hand(text, None)
        except HandError as error:
            raise HandError(neither(text, str(error))) from None
        declarers = HAND_SIZE + self.state.rules.pass_cards
        if len(hand) == declarers > HAND_SIZE:
            return self._give_back(hand, None)
        if len(hand) != HAND_SIZE:
            # With the message of the command line.
            parse_hand(text, (HAND_SIZE,))
        begun = self.state if self.state.hand is None else self.state.next_deal()
        return self._advise(dataclasses.replace(begun, hand=hand))

    def _advise(self, state: State) -> str:
        """Answer a state that has a hand, and stand there if that went well."""
        from advisor.report.data import bid_object
        from advisor.report.table import bid_screen

        state.check()
        advice = self._work.bid(state)
        command = self._command(advice, state)
        screen = bid_screen(advice, self._look_of(state.rules.scale), command)
        self.state, self._advice = state, advice
        self._last_object = lambda: bid_object(advice, command, explain=True)
        return screen

    def _command(self, advice: BidAdvice, state: State) -> str:
        from advisor.report.table import reproduce

        return reproduce(
            advice,
            rules=state.rules_name,
            always_rules="rules" in self._always,
            always_engine="engine" in self._always,
            changes=state.changes,
            convention=state.convention_name,
            always_convention="convention" in self._always,
            flags=self._bid_words,
        )

    def _change(self, **changes: object) -> str:
        """Change the state; answer the hand anew, or say how things stand."""
        state = dataclasses.replace(self.state, **changes)  # type: ignore[arg-type]
        if state.hand is not None:
            return self._advise(state)
        state.check()
        self.state = state
        return self._show("")

    def _trump(self, rest: str) -> str:
        return self._change(trump=None if is_none(rest) else parse_trump(some("trump h", rest)))

    def _auction(self, rest: str) -> str:
        return self._change(auction=None if is_none(rest) else some("auction 250 P 270", rest))

    def _seat(self, rest: str) -> str:
        return self._change(seat=whole("seat", rest, 1, 4))

    def _dealer(self, rest: str) -> str:
        word = None if is_none(rest) else some("dealer left", rest)
        return self._change(dealer=word, seat=None if word else self.state.seat)

    def _score(self, rest: str) -> str:
        if is_none(rest):
            return self._change(score=None)
        words = rest.replace(":", " ").replace(",", " ").split()
        if len(words) != 2:
            raise OptionError(
                f"score: expected two numbers as in score 900 1100, found {show(rest)}"
            )
        unit = 10 // self.state.rules.scale
        top = MAX_SCORE // unit
        ours, theirs = (
            unit * check_whole("score", plain_number(int, word), -top, top) for word in words
        )
        return self._change(score=check_score((ours, theirs), self.state.rules))

    def _rules(self, rest: str) -> str:
        name = some("rules pagat", rest)
        base = load_rules(name, own_files("rules"))
        found = portable_rules(name) or (name, [])
        return self._change(rules=base, rules_name=found[0], changes=tuple(found[1]))

    def _set(self, rest: str) -> str:
        base = load_rules(self.state.rules_name)
        changes = () if is_none(rest) else (*self.state.changes, *settings(rest))
        # The last of two settings of one rule counts.
        kept = {change.partition("=")[0].replace("-", "_").lower(): change for change in changes}
        return self._change(rules=apply_settings(base, kept.values()), changes=tuple(kept.values()))

    def _convention(self, rest: str) -> str:
        name = some("convention dailey", rest)
        convention = load_convention(name, own_files("conventions"))
        return self._change(convention=convention, convention_name=name)

    def _engine(self, rest: str) -> str:
        engine = None if is_none(rest) else check_engine(some("engine lite", rest).lower())
        return self._change(engine=engine)

    def _samples(self, rest: str) -> str:
        return self._change(samples=whole("samples", rest, 1, MAX_SAMPLES))

    def _precision(self, rest: str) -> str:
        points = None if is_none(rest) else check_precision(plain_number(float, rest))
        return self._change(precision=points)

    def _seed(self, rest: str) -> str:
        return self._change(seed=whole("seed", rest, 0, MAX_SEED) or 0)

    def _why(self, rest: str) -> str:
        from advisor.report.why import why

        return "\n".join(why(self._asked("why", rest), self.look)) + "\n"

    def _bids(self, rest: str) -> str:
        from advisor.report.table import detail

        return "\n".join(detail(self._asked("bids", rest), self.look)[1:]) + "\n"

    def _plot(self, rest: str) -> str:
        from advisor.report.plot import plot

        return "\n".join(plot(self._asked("plot", rest), self.look)) + "\n"

    def _asked(self, word: str, rest: str) -> BidAdvice:
        if rest:
            raise OptionError(f"{word}: expected nothing after it, found {show(rest)}")
        if self._advice is None:
            raise HandError(f"{word}: expected a hand before it, found none")
        return self._advice

    def _meld(self, rest: str) -> str:
        from advisor.report.data import melds_object
        from advisor.report.meld import meld_screen

        state = self.state
        sizes = tuple(sorted({12, 15, 16, HAND_SIZE + state.rules.pass_cards}))
        hand = parse_hand(rest, sizes) if rest else state.hand
        if hand is None:
            raise HandError("meld: expected a hand before it or after it, found none")
        suits = SUITS if state.trump is None else (state.trump,)
        melds = {suit: score_meld(hand, suit, state.rules) for suit in suits}
        self._last_object = lambda: melds_object(hand, state.rules, melds)
        return meld_screen(hand, state.rules, melds, self.look)

    def _pass(self, rest: str) -> str:
        state = self.state
        if state.hand is None:
            raise HandError("pass: expected a hand before it, found none")
        trump = parse_trump(rest) if rest else state.trump
        if trump is None:
            raise OptionError(
                "pass: expected the suit that declarer named as in pass h, found none"
            )
        return self._exchange(state.hand, trump, None, returning=False)

    def _return(self, rest: str) -> str:
        if not rest:
            raise HandError("return: expected cards as in return AS KS AH JD, found none")
        try:
            cards = parse_hand(rest, None)
        except HandError as error:
            raise HandError(f"return: {error}") from None
        number = check_pass_cards(self.state.rules)
        if len(cards) == HAND_SIZE + number:
            return self._give_back(cards, None)
        if self.state.hand is not None and len(cards) == number:
            both = [*self.state.hand, *cards]
            return self._give_back(Hand.from_cards(both), cards)
        held = f", or the {number} that came to your hand" if self.state.hand is not None else ""
        raise HandError(
            f"return: expected all {HAND_SIZE + number} cards{held}, found {len(cards)}: {cards}"
        )

    def _give_back(self, hand: Hand, received: Hand | None) -> str:
        trump = self.state.trump
        if trump is None and received is not None and self._advice is not None:
            trump = self._advice.suggestion.trump
        if trump is None:
            raise OptionError(
                "return: expected the suit you named first, as in trump h, found none"
            )
        return self._exchange(hand, trump, received, returning=True)

    def _exchange(self, hand: Hand, trump: Suit, received: Hand | None, *, returning: bool) -> str:
        from advisor.report.exchange import exchange_object, exchange_screen, reproduce

        state = self.state
        check_pass_cards(state.rules)
        advice = self._work.exchange(state, hand, trump, received, returning)
        command = reproduce(
            advice,
            rules=state.rules_name,
            always_rules="rules" in self._always,
            always_engine="engine" in self._always,
            changes=state.changes,
            flags=self._words,
        )
        self._last_object = lambda: exchange_object(advice, command)
        return exchange_screen(advice, self.look, command)

    def _json(self, rest: str) -> str:
        from advisor.report.data import to_json

        if self._last_object is None:
            raise HandError("json: expected an answer before it, found none")
        return to_json(self._last_object())

    def _show(self, rest: str) -> str:
        return "\n".join(self.state.lines(self.look)) + "\n"

    def _next(self, rest: str) -> str:
        self.state = self.state.next_deal()
        self._advice = self._last_object = None
        return "Type the next hand.\n"

    def _help(self, rest: str) -> str:
        from advisor.report.frame import table

        rows = [[word.usage, word.help] for word in WORDS.values()]
        rows.insert(0, ["AATKQJ.AK.QJ.T9", "a hand, in any notation: trump, bid and chances"])
        return "\n".join(table(rows, ["type", "for"], self.look, align="ll")) + "\n"

    def _quit(self, rest: str) -> str:
        raise Leave
