"""What a conversation stands at: the hand, the deal and the settings that its answers use."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from advisor.game.auction import calls_text
from advisor.game.cards import Hand, Suit
from advisor.game.conventions import Convention, check_convention
from advisor.game.position import read_position
from advisor.game.rules import Rules
from advisor.limits import check_counting, check_score
from advisor.report.frame import labelled, rules_text
from advisor.report.look import Look


@dataclass(frozen=True, slots=True)
class State:
    """All that the next answer depends on.

    Parameters
    ----------
    rules : Rules
        The house rules, changes included.
    rules_name : str
        What ``--rules`` would be given for them.
    changes : tuple of str
        What ``--set`` would be given.
    convention : Convention
    convention_name : str
        What ``--convention`` would be given.
    hand : Hand or None
        Twelve cards.
    trump : int or None
        The suit that was named.
    auction, seat, dealer
        The calls so far and where we sit, as `advisor.advise` takes them.
    score : tuple of int or None
        Points x10 of both sides.
    inference : bool
        Whether the calls weight the deals.
    samples, precision, seed, engine, raw, threads
        As `advisor.advise` and the options of the same names take them.

    >>> State().deal_text(Look())
    ''
    """

    rules: Rules = field(default_factory=Rules)
    rules_name: str = "cardgames"
    changes: tuple[str, ...] = ()
    convention: Convention = field(default_factory=lambda: Convention("none"))
    convention_name: str = "none"
    hand: Hand | None = None
    trump: Suit | None = None
    auction: str | None = None
    seat: int | None = None
    dealer: str | None = None
    score: tuple[int, int] | None = None
    inference: bool = True
    samples: int | None = None
    precision: float | None = None
    seed: int = 0
    engine: str | None = None
    raw: bool = False
    threads: int | None = None

    def check(self) -> None:
        """Raise `AdvisorError` if one part contradicts another."""
        read_position(self.rules, self.seat, self.dealer, self.auction)
        check_convention(self.convention, self.rules)
        if self.score is not None:
            check_score(self.score, self.rules)
        if self.engine not in (None, "policy"):
            check_counting(self.rules, str(self.engine))

    def next_deal(self) -> State:
        """Return the state without what belongs to one deal; rules and score stay.

        >>> State(auction="250 P", seed=3).next_deal() == State(seed=3)
        True
        """
        return dataclasses.replace(
            self, hand=None, trump=None, auction=None, seat=None, dealer=None
        )

    def deal_text(self, look: Look) -> str:
        """Return what was said about the deal, other than the hand."""
        parts = []
        if self.trump is not None:
            parts.append(f"trump {look.suit(self.trump)}")
        if self.dealer is not None:
            parts.append(f"dealer {self.dealer}")
        if self.seat is not None:
            parts.append(f"seat {self.seat}")
        if self.auction:
            position = read_position(self.rules, self.seat, self.dealer, self.auction)
            parts.append(f"auction {calls_text(position.auction, self.rules.scale)}")
        return ", ".join(parts)

    def lines(self, look: Look) -> list[str]:
        """Return all that is not as usual, and the rules, as lines of a screen."""
        lines = [f"{'Hand':<8}{look.hand(self.hand) if self.hand else 'none yet'}"]
        shown = {"Rules": rules_text(self.rules), "Deal": self.deal_text(look)}
        if self.score is not None:
            ours, theirs = (look.points(points) for points in self.score)
            shown["Score"] = f"{ours} to {theirs}"
        if self.convention_name != "none":
            shown["Jumps"] = f"convention {self.convention_name}"
        simulation = {
            "engine": self.engine,
            "samples": self.samples,
            "precision": self.precision,
            "seed": self.seed or None,
        }
        words = [f"{name} {value}" for name, value in simulation.items() if value is not None]
        shown["Other"] = ", ".join([*words, *(["raw"] if self.raw else [])])
        for label, text in shown.items():
            if text:
                lines += labelled(label, look.text(text), look, 8)
        return lines
