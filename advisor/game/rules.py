"""House rules: one frozen value, the named presets, and reading and writing of settings.

Every setting carries its help text, the number of the point of difference between published
rules that it answers and its allowed values in the metadata of its field; checks, messages, the
TOML text and ``advisor rules show`` are made from that one list. Points are on the x10 scale.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from advisor.errors import RulesError
from advisor.game.presets import CARDGAMES_SOURCE, PRESET_SETTINGS
from advisor.game.settings import (
    allowed_text,
    check_value,
    choice_words,
    either,
    find_field,
    from_text,
    from_word,
    line_of,
    nearest,
    parse_toml,
    public_name,
    read_text,
    setting_field,
    show,
    switch_field,
    toml_lines,
)

CARD_POINTS_TOTAL: Final = 240
RANK_POINTS: Final = MappingProxyType(
    {
        "10-10-10": (0, 0, 0, 10, 10, 10),
        "11-10-4-3-2": (0, 2, 3, 4, 10, 11),
        "10-10-5-5": (0, 0, 5, 5, 10, 10),
    }
)

_TENS: Final = range(10, 1501, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table. The defaults are those of cardgames.io.

    The parameters are the settings of `SETTINGS`, which says for each what it means, which
    values it takes and which point of difference it answers. In files, in messages and
    on the command line `pass_cards` is spelled ``pass``.

    Raises
    ------
    RulesError
        If a setting is outside its values or contradicts another; one line that names it.

    Notes
    -----
    Source: the pages named in each preset's `source`.

    >>> rules = Rules(pass_cards=3, heading="trump-leads")
    >>> rules.trick_total, rules.differences(PRESETS["cardgames"])
    (250, {'pass': 3, 'heading': 'trump-leads'})
    >>> Rules(pass_cards=5)
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: pass: expected 0, 2, 3 or 4, found 5
    """

    name: str = setting_field("cardgames", "", None, "Name of this set of rules.")
    source: str = setting_field(CARDGAMES_SOURCE, "", None, "Where the rules were taken from.")

    minimum: int = setting_field(250, "1", _TENS, "Lowest bid that opens the auction.")
    forced_bid: int = setting_field(
        250, "1", _TENS, "Contract of a dealer who must take the hand because all four passed."
    )
    all_pass: Literal["dealer", "redeal"] = setting_field(
        "dealer",
        "4",
        ("dealer", "redeal"),
        "When all four pass: dealer = the dealer has the contract at forced_bid; "
        "redeal = the hand is thrown away.",
    )
    step: int = setting_field(
        10, "2", range(10, 251, 10), "Bids rise from the minimum in this step."
    )
    jumps: Literal["double", "any", "none"] = setting_field(
        "double",
        "2",
        ("double", "any", "none"),
        "Raises above one step: double = exactly two steps (+20); any = any number of steps; "
        "none = no jumps, and no opening above the minimum.",
    )
    step_change_at: int | None = setting_field(
        None, "2", range(20, 5001, 10), "Bids above this one rise by step_above.", optional=True
    )
    step_above: int | None = setting_field(
        None, "2", range(10, 501, 10), "Step of the bids above step_change_at.", optional=True
    )
    opening: Literal["step", "minimum", "any"] = setting_field(
        "step",
        "3",
        ("step", "minimum", "any"),
        "The first bid: step = the minimum or one step more (250 or 260); minimum = the minimum "
        "only; any = any number of steps above the minimum. With jumps=none the minimum only.",
    )
    pass_with_help: Literal["advise", "accept", "refuse"] = setting_field(
        "accept",
        "7",
        ("advise", "accept", "refuse"),
        "Pass with help: advise = a call that may be advised; accept = read when another player "
        "makes it, never advised; refuse = not a legal call.",
    )
    jump_meaning: str = setting_field(
        "", "6", None, "What a jump tells partner at this table; shown as a note."
    )
    pass_cards: int = setting_field(
        4, "9", (0, 2, 3, 4), "Cards that partner gives the declarer and the declarer gives back."
    )
    trump_needs_marriage: bool = switch_field(
        "8", "Whether trump may only be a suit in which the declarer holds king and queen."
    )

    run_extras: bool = switch_field(
        "13, 14", "Whether each spare king or queen of trump beside a run pays 40 (190, 230)."
    )
    royal_in_run: bool = switch_field(
        "12", "Whether a run also pays for the royal marriage inside it (150 + 40)."
    )
    roundhouse_bonus: int = setting_field(
        0,
        "17",
        range(0, 1001, 10),
        "Points for king and queen of all four suits, on top of the melds they make.",
    )
    marriages_around_named: bool = switch_field(
        "17", "Whether the 240 of king and queen in all four suits is listed as one meld."
    )

    first_lead: Literal["any", "trump"] = setting_field(
        "any",
        "25",
        ("any", "trump"),
        "The declarer's first lead: any = any card; trump = a trump if he holds one.",
    )
    heading: Literal["always", "trump-leads", "after-ruff"] = setting_field(
        "always",
        "26-30",
        ("always", "trump-leads", "after-ruff"),
        "When a card of the suit led must beat the trick: always = whenever it can; "
        "trump-leads = only when trump is led; after-ruff = always, and the best card of the "
        "suit led must be beaten even after a ruff.",
    )
    card_points: Literal["10-10-10", "11-10-4-3-2", "10-10-5-5"] = setting_field(
        "10-10-10",
        "33",
        tuple(RANK_POINTS),
        "Points of ace, ten, king, queen, jack taken in tricks; each count makes 240.",
    )
    last_trick: int = setting_field(10, "34", range(0, 101, 10), "Points of the last trick.")

    save_meld: Literal["points", "trick", "none"] = setting_field(
        "points",
        "35",
        ("points", "trick", "none"),
        "What a side needs to keep its meld: points = a trick point; trick = a trick, even an "
        "empty one; none = nothing.",
    )
    save_meld_bidder: bool = switch_field(
        "36", "Whether the declarer's side too must save its meld, or is set.", True
    )
    dix_saves: bool = switch_field("35", "Whether a meld of nothing but dix needs no saving.")
    throw_in: Literal["over-250", "from-250", "any", "never"] = setting_field(
        "over-250",
        "38",
        ("over-250", "from-250", "any", "never"),
        "When the declarer may give the hand up unplayed: over-250 = his side's meld is short "
        "of the bid by more than all trick points (250); from-250 = by 250 or more; "
        "any = by any amount; never = not at all.",
    )

    target: int = setting_field(1500, "41", range(100, 100_001, 10), "Score that wins the game.")
    tie_rule: Literal["bidder", "highest"] = setting_field(
        "bidder",
        "40",
        ("bidder", "highest"),
        "Who wins when both sides reach the target: bidder = the side that had the bid; "
        "highest = the higher score.",
    )
    scale: Literal[10, 1] = setting_field(
        10, "42", (10, 1), "Scale of the points shown: a run is 150 on 10 and 15 on 1."
    )
    misdeal: Literal[
        "none", "five-nines", "five-nines-no-meld", "five-nines-no-ace", "six-nines"
    ] = setting_field(
        "none",
        "43",
        ("none", "five-nines", "five-nines-no-meld", "five-nines-no-ace", "six-nines"),
        "Hands that may be dealt again: five-nines = five or more nines; "
        "five-nines-no-meld = and no meld but dix; five-nines-no-ace = and no ace; "
        "six-nines = six or more.",
    )

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            check_value(item, getattr(self, item.name))
        self._check_together()

    def _check_together(self) -> None:
        if self.all_pass == "dealer" and self.forced_bid > self.minimum:
            raise RulesError(
                f"forced_bid: expected at most the minimum of {self.minimum}, found "
                f"{self.forced_bid}: a dealer cannot be forced higher than he could have opened"
            )
        if (self.step_change_at is None) != (self.step_above is None):
            missing = "step_above" if self.step_above is None else "step_change_at"
            other = "step_change_at" if self.step_above is None else "step_above"
            raise RulesError(f"{missing}: expected a number, as {other} is given, found none")
        if self.step_change_at is not None:
            above = self.step_change_at - self.minimum
            if above <= 0 or above % self.step:
                raise RulesError(
                    f"step_change_at: expected a bid above the minimum of {self.minimum} that "
                    f"steps of {self.step} reach, found {self.step_change_at}"
                )

    @property
    def rank_points(self) -> tuple[int, ...]:
        """Points of the six ranks in tricks, by rank from the nine up (9 J Q K 10 A)."""
        return RANK_POINTS[self.card_points]

    @property
    def trick_total(self) -> int:
        """Points of all twelve tricks, the last trick included."""
        return CARD_POINTS_TOTAL + self.last_trick

    def replace(self, **changes: object) -> Rules:
        """Return these rules with some settings changed.

        A minimum lowered below the forced bid takes the forced bid with it, unless that is given.

        Parameters
        ----------
        **changes : object
            New values by setting; ``pass`` and ``pass_cards`` are the same setting.

        Raises
        ------
        RulesError
            If a setting is unknown or given twice, or its value impossible.

        >>> Rules().replace(save_meld="trick").save_meld
        'trick'
        """
        if {"pass", "pass_cards"} <= changes.keys():
            raise RulesError("pass_cards: given twice, as pass and pass_cards are the same rule")
        known: dict[str, Any] = {_find_field(key).name: value for key, value in changes.items()}
        minimum = known.get("minimum")
        if isinstance(minimum, int) and "forced_bid" not in known and minimum < self.forced_bid:
            known["forced_bid"] = minimum
        return dataclasses.replace(self, **known)

    def as_settings(self) -> dict[str, object]:
        """Return every setting by its public name, in the order of the fields.

        >>> Rules().as_settings()["pass"]
        4
        """
        return {
            public_name(item.name): getattr(self, item.name) for item in dataclasses.fields(self)
        }

    def differences(self, base: Rules) -> dict[str, object]:
        """Return the settings that differ from `base`, with the values here.

        The name and the source are left out: they say nothing about how the game is played.

        >>> PRESETS["gamerules"].differences(PRESETS["cardgames"])["throw_in"]
        'from-250'
        """
        there = base.as_settings()
        return {
            key: value
            for key, value in self.as_settings().items()
            if value != there[key] and key not in ("name", "source")
        }

    def to_toml(self) -> str:
        """Return the rules as a commented TOML text that `from_toml` reads back.

        >>> Rules.from_toml(Rules(pass_cards=3).to_toml()).pass_cards
        3
        """
        lines = ["# House rules for advisor. Points are on the x10 scale (run = 150)."]
        for item in dataclasses.fields(self):
            lines += ["", *toml_lines(item, getattr(self, item.name))]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_toml(cls, text: str, where: str = "<rules>") -> Rules:
        r"""Return the rules of a TOML text: settings by name over an optional ``base``.

        Parameters
        ----------
        text : str
            TOML; ``base = "pagat"`` names the preset that the other settings change
            (``cardgames`` if it is absent).
        where : str
            Name of the file, for messages.

        Raises
        ------
        RulesError
            If it is not text, not TOML, or a setting is wrong; the line names file and line.

        >>> Rules.from_toml('base = "pagat"\npass = 3').differences(PRESETS["pagat"])
        {'pass': 3}
        >>> Rules.from_toml("pass = 4\nscale = 5", "house.toml")
        Traceback (most recent call last):
        ...
        advisor.errors.RulesError: house.toml:2: scale: expected 10 or 1, found 5
        """
        if not isinstance(text, str):
            raise RulesError(f"{where}: expected TOML text, found {show(text)}")
        settings = parse_toml(text, where)
        try:
            base = settings.pop("base", "cardgames")
            if not isinstance(base, str) or base not in PRESETS:
                raise _no_preset("base", base)
            changes = {key: from_text(_find_field(key), value) for key, value in settings.items()}
            return PRESETS[base].replace(**changes)
        except RulesError as error:
            line = line_of(text, str(error).partition(":")[0])
            raise RulesError(f"{where}{line}: {error}") from None


def _find_field(key: str) -> dataclasses.Field[Any]:
    return find_field(dataclasses.fields(Rules), key)


class Setting(NamedTuple):
    """One setting as help pages show it: all text but the default.

    Where it may be one of a few words or numbers, they are its `words`.
    """

    key: str
    default: object
    allowed: str
    row: str
    help: str
    words: tuple[str, ...] = ()


SETTINGS: Final = tuple(
    Setting(
        public_name(item.name),
        item.default,
        allowed_text(item),
        item.metadata["row"],
        item.metadata["help"],
        choice_words(item),
    )
    for item in dataclasses.fields(Rules)
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {name: Rules().replace(name=name, **changes) for name, changes in PRESET_SETTINGS.items()}
)


def get_rules(name: str) -> Rules:
    """Return a preset by name.

    Raises
    ------
    RulesError
        If there is none of that name; the line lists them and the nearest spelling.

    >>> get_rules("pagat").jumps
    'any'
    >>> get_rules("pagan")
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: rules: expected cardgames, gamerules, pagat, neuralplay or classic, \
found 'pagan'; did you mean pagat?
    """
    rules = _preset(name)
    if rules is None:
        raise _no_preset("rules", name)
    return rules


def check_rules(value: object) -> Rules:
    """Return the rules that an argument of a function means.

    Parameters
    ----------
    value : Rules, str or None
        Rules, the name of a preset, or None for the defaults.

    Raises
    ------
    RulesError
        If it is something else.

    >>> check_rules(None) == check_rules("cardgames") == check_rules(Rules())
    True
    >>> check_rules({"pass": 3})
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: rules: expected Rules or the name of a preset, found a table
    """
    if isinstance(value, Rules):
        return value
    rules = PRESETS["cardgames"] if value is None else _preset(value)
    if rules is None:
        raise _no_preset("rules", value, "Rules or the name of a preset")
    return rules


def _preset(name: object) -> Rules | None:
    return PRESETS.get(name.strip().lower()) if isinstance(name, str) else None


def _no_preset(key: str, name: object, expected: str = "", names: Iterable[str] = ()) -> RulesError:
    hint = nearest(name, names or PRESETS) if isinstance(name, str) else ""
    return RulesError(f"{key}: expected {expected or either(PRESETS)}, found {show(name)}{hint}")


def apply_settings(rules: Rules, settings: Iterable[str]) -> Rules:
    """Return `rules` changed by settings of the form ``key=value``.

    Parameters
    ----------
    rules : Rules
        The rules to start from.
    settings : iterable of str
        Whole numbers as digits, switches as true/false, yes/no or on/off, an absent number as
        none. A dash may stand for an underscore in a key; the last of two equal keys counts.

    Raises
    ------
    RulesError
        If a setting cannot be read, is unknown or impossible.

    >>> apply_settings(Rules(), ["pass=3", "heading=trump-leads"]).pass_cards
    3
    >>> apply_settings(Rules(), ["heading=trump-led"])
    Traceback (most recent call last):
    ...
    advisor.errors.RulesError: heading: expected always, trump-leads or after-ruff, \
found 'trump-led'; did you mean trump-leads?
    """
    changes: dict[str, object] = {}
    for setting in settings:
        key, equals, word = (part.strip() for part in setting.partition("="))
        if not (key and equals):
            raise RulesError(f"setting: expected KEY=VALUE such as pass=3, found {show(setting)}")
        item = _find_field(key.replace("-", "_").lower())
        changes[item.name] = from_word(item, word)
    return rules.replace(**changes)


def load_rules(name_or_path: str, own: Mapping[str, Path] = MappingProxyType({})) -> Rules:
    """Return a preset by name, or the rules of a file whose name ends in ``.toml``.

    Parameters
    ----------
    name_or_path : str
        The name or the file.
    own : Mapping of str to Path, optional
        Further names, each with its file. A preset of the same name counts first. Rules whose
        file gives them no name are called by this one.

    Raises
    ------
    RulesError
        If the name is unknown, or the file cannot be read; the line names file and line.

    >>> load_rules("neuralplay").scale
    1
    """
    if isinstance(name_or_path, str) and name_or_path.lower().endswith(".toml"):
        return Rules.from_toml(read_text(name_or_path), name_or_path)
    rules = _preset(name_or_path)
    if rules is not None:
        return rules
    name = name_or_path.strip().lower() if isinstance(name_or_path, str) else ""
    if name in own:
        path = str(own[name])
        text = read_text(path)
        rules = Rules.from_toml(text, path)
        return rules if "name" in parse_toml(text, path) else rules.replace(name=name)
    names = dict.fromkeys([*PRESETS, *own])
    raise _no_preset("rules", name_or_path, either([*names, "a file ending in .toml"]), names)
