"""What is asked of each row: the options of the run, changed by those of the row. No numpy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from advisor.errors import OptionError
from advisor.game.conventions import Convention, check_convention, load_convention
from advisor.game.notation import parse_trump
from advisor.game.position import read_position, seat_of_dealer
from advisor.game.rules import Rules, apply_settings, check_rules
from advisor.limits import (
    MAX_SAMPLES,
    MAX_SCORE,
    MAX_SEED,
    check_counting,
    check_engine,
    check_precision,
    check_score,
    check_whole,
    default_engine,
)

if TYPE_CHECKING:
    from advisor.game.cards import Suit

_POSITION: Final = ("trump", "seat", "dealer", "auction", "score_us", "score_them")
# Spreadsheets write whole numbers of a column with gaps as 2.0.
_WHOLE: Final = re.compile(r"-?[0-9]{1,15}(?:\.0*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what a hand is judged, beside what holds for the whole run.

    Parameters
    ----------
    rules : Rules
    trump : int or None
        The only suit to look at.
    auction : str or None
        The calls so far.
    seat : int or None
        Ours, 1 to 4 from the dealer's left.
    dealer : str or None
        Who deals, instead of the seat.
    score : tuple of int or None
        Points x10 of our side and theirs.
    """

    rules: Rules
    trump: Suit | None = None
    auction: str | None = None
    seat: int | None = None
    dealer: str | None = None
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every row.

    Parameters
    ----------
    terms : Terms
        What holds for a row that says nothing else.
    seed : int
    engine : str or None
    raw : bool
        Whether to leave out the correction to real play.
    samples : int or None
    precision : float or None
    convention : Convention
    inference : bool
        Whether calls weight the deals.
    """

    terms: Terms
    seed: int
    engine: str | None
    raw: bool
    samples: int | None
    precision: float | None
    convention: Convention
    inference: bool

    @classmethod
    def of(
        cls,
        *,
        rules: Rules | str | None = None,
        seed: int = 0,
        engine: str | None = None,
        raw: bool = False,
        samples: int | None = None,
        precision: float | None = None,
        convention: Convention | str | None = None,
        inference: bool = True,
        trump: Suit | None = None,
        auction: str | None = None,
        seat: int | None = None,
        dealer: str | None = None,
        score: tuple[int, int] | None = None,
    ) -> Asked:
        """Return the question of a run; the parameters are those of `advisor.advise`.

        Raises
        ------
        AdvisorError
            If one is outside its range, or they contradict each other.

        >>> Asked.of(samples=0)
        Traceback (most recent call last):
        ...
        advisor.errors.OptionError: samples: expected a whole number from 1 to 1000000, found 0
        """
        house = check_rules(rules)
        check_convention(convention, house)
        if not isinstance(convention, Convention):
            # Whole: rules of a row may allow more of it than those of the run.
            convention = load_convention(convention or "none")
        if trump is not None:
            check_whole("trump", trump, 0, 3)
        asked = cls(
            Terms(house, trump, auction, seat, dealer, score),
            check_whole("seed", seed, 0, MAX_SEED),
            None if engine is None else check_engine(engine),
            raw,
            None if samples is None else check_whole("samples", samples, 1, MAX_SAMPLES),
            None if precision is None else check_precision(precision),
            convention,
            inference,
        )
        asked.check(asked.terms)
        return asked

    def check(self, terms: Terms) -> Terms:
        """Return the terms if a hand can be judged under them; else raise `AdvisorError`."""
        if self.engine not in (None, "policy"):
            assert self.engine is not None
            check_counting(terms.rules, self.engine)
        read_position(terms.rules, terms.seat, terms.dealer, terms.auction)
        if terms.score is not None:
            check_score(terms.score, terms.rules)
        check_convention(self.convention, terms.rules)
        return terms

    def engine_under(self, rules: Rules) -> str:
        """Return the engine that answers under some rules."""
        return default_engine(rules) if self.engine is None else self.engine

    def terms_of(self, options: Mapping[str, str]) -> Terms:
        """Return the terms of a row with some options of its own.

        Parameters
        ----------
        options : mapping of str to str
            Trump, seat, dealer, auction, score_us, score_them, and rules by name; points on the
            scale of the rules. A seat stands for a dealer and the other way round.

        Raises
        ------
        AdvisorError
            If one cannot be read, or contradicts another.

        >>> terms = Asked.of(seed=1).terms_of({"trump": "hearts", "pass": "3", "seat": "1"})
        >>> terms.trump, terms.rules.pass_cards, terms.seat
        (1, 3, 1)
        >>> Asked.of().terms_of({"score_us": "400"})
        Traceback (most recent call last):
        ...
        advisor.errors.OptionError: score_them: expected points beside those of score_us, found none
        """
        if not options:
            return self.terms
        base = self.terms
        changes = [f"{key}={value}" for key, value in options.items() if key not in _POSITION]
        rules = apply_settings(base.rules, changes) if changes else base.rules
        seat, dealer = base.seat, base.dealer
        if "seat" in options or "dealer" in options:
            seat, dealer = None, options.get("dealer")
        if "seat" in options:
            seat = _whole("seat", options["seat"], 1, 4)
        terms = Terms(
            rules,
            parse_trump(options["trump"].strip()) if "trump" in options else base.trump,
            options.get("auction", base.auction),
            seat,
            dealer,
            _score(options, rules) or base.score,
        )
        _check_calls(options, terms)
        return self.check(terms)


def _check_calls(options: Mapping[str, str], terms: Terms) -> None:
    """Raise for a row that says where somebody sits and not what was called before him.

    >>> Asked.of().terms_of({"dealer": "partner"})
    Traceback (most recent call last):
    ...
    advisor.errors.OptionError: dealer: give the calls in a column auction, or leave dealer empty; \
expected those of all before seat 2, found none
    """
    name = next((key for key in ("seat", "dealer") if key in options), None)
    if name is None or (terms.auction or "").strip():
        return
    ours = seat_of_dealer(terms.dealer) if terms.dealer is not None else terms.seat
    if terms.seat not in (None, ours) or ours == 1:
        return
    raise OptionError(
        f"{name}: give the calls in a column auction, or leave {name} empty; expected those of "
        f"all before seat {ours}, found none"
    )


def _whole(name: str, text: str, low: int, high: int) -> int:
    word = text.strip()
    value: object = int(word.partition(".")[0]) if _WHOLE.fullmatch(word) else text
    return check_whole(name, value, low, high)


def _score(options: Mapping[str, str], rules: Rules) -> tuple[int, int] | None:
    """Return the points x10 of both sides, None where the row gives neither."""
    given = [key for key in ("score_us", "score_them") if key in options]
    if not given:
        return None
    if len(given) == 1:
        missing = "score_them" if given == ["score_us"] else "score_us"
        raise OptionError(f"{missing}: expected points beside those of {given[0]}, found none")
    unit = 10 // rules.scale
    top = MAX_SCORE // unit
    ours, theirs = (unit * _whole(key, options[key], -top, top) for key in given)
    return ours, theirs
