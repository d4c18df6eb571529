"""Results for programs: JSON objects with documented keys, and CSV with one row for each trump.

Numbers are unrounded, points are x10 whatever scale the table shows, suits are letters, and a
standard error that does not exist is null. Keys may be added; their names and meaning stay.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from advisor.game.auction import calls_text
from advisor.game.cards import SUIT_LETTERS, Hand, Suit, card_name
from advisor.game.meld import Meld
from advisor.game.rules import Rules
from advisor.report.answer import remarks
from advisor.report.frame import changed_settings
from advisor.report.look import Look

if TYPE_CHECKING:
    from advisor.advice import BidAdvice, Suggestion, TrumpEstimate
    from advisor.decision import Option
    from advisor.explain import Explanation
    from advisor.game.conventions import Convention
    from advisor.inference import Inference
    from advisor.pricing import Estimate

SCHEMA: Final = 1

BID_COLUMNS: Final = (
    "hand", "rules", "engine", "correction", "seed", "action", "advised", "trump", "meld",
    "team_meld", "team_meld_se", "tricks", "tricks_se", "score", "score_se", "score_sd",
    "samples", "dropped", "ceiling", "behind", "behind_se",
    "minimum", "p_make_minimum", "p_make_minimum_se", "take_minimum", "take_minimum_se",
    "auction", "call_action", "call",
)  # fmt: skip
MELD_COLUMNS: Final = ("hand", "rules", "trump", "meld", "items")


def to_json(value: Mapping[str, Any]) -> str:
    """Return one JSON object on one line.

    >>> to_json({"se": float("nan"), "suit": "S"})
    '{"se": null, "suit": "S"}'
    """
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def to_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return CSV text; an absent number is an empty cell.

    >>> to_csv(["trump", "dropped", "se"], [["S", True, float("nan")]])
    'trump,dropped,se\nS,true,\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return _finite(value)


def _letter(suit: Suit) -> str:
    return SUIT_LETTERS[suit]


def meld_object(meld: Meld) -> dict[str, Any]:
    """Return total and items of one meld; only items that have a suit name it."""
    items: list[dict[str, Any]] = []
    for item in meld.items:
        suit = {} if item.suit is None else {"suit": _letter(item.suit)}
        items.append({"name": item.name, **suit, "points": item.points})
    return {"total": meld.total, "items": items}


def melds_object(hand: Hand, rules: Rules, melds: Mapping[Suit, Meld]) -> dict[str, Any]:
    """Return what ``advisor meld --json`` prints.

    >>> from advisor.game.meld import score_meld
    >>> hand = Hand.parse("AATKQJ.AK.QJ.T9")
    >>> melds_object(hand, Rules(), {3: score_meld(hand, 3)})["melds"]["C"]["total"]
    70
    """
    return {
        "schema": SCHEMA,
        "hand": str(hand),
        "rules": rules.name,
        "settings": changed_settings(rules),
        "melds": {_letter(suit): meld_object(meld) for suit, meld in melds.items()},
    }


def melds_csv(hand: Hand, rules: Rules, melds: Mapping[Suit, Meld]) -> str:
    """Return what ``advisor meld --format csv`` prints: one row for each trump."""
    rows = [
        (
            str(hand),
            rules.name,
            _letter(suit),
            meld.total,
            "; ".join(
                f"{item.name}{'' if item.suit is None else ' ' + _letter(item.suit)} {item.points}"
                for item in meld.items
            ),
        )
        for suit, meld in melds.items()
    ]
    return to_csv(MELD_COLUMNS, rows)


def rules_object(rules: Rules) -> dict[str, Any]:
    """Return what ``advisor rules show --format json`` prints.

    >>> rules_object(Rules(pass_cards=3))["settings"]["pass"]
    3
    """
    settings = {
        key: value for key, value in rules.as_settings().items() if key not in ("name", "source")
    }
    return {"schema": SCHEMA, "rules": rules.name, "source": rules.source, "settings": settings}


def convention_object(convention: Convention) -> dict[str, Any]:
    """Return what ``advisor conventions show --format json`` prints.

    >>> from advisor.game.conventions import load_convention
    >>> convention_object(load_convention("dailey"))["jumps"][0]["shows"]
    'missing-suits'
    """
    meaning = convention.pass_with_help
    return {
        "schema": SCHEMA,
        "convention": convention.name,
        "about": convention.about,
        "source": convention.source,
        "jumps": [jump.as_settings() for jump in convention.jumps],
        "pass_with_help": None if meaning is None else meaning.as_settings(),
    }


def bid_object(advice: BidAdvice, command: str, *, explain: bool = False) -> dict[str, Any]:
    """Return what ``advisor bid --json`` prints.

    Parameters
    ----------
    advice : BidAdvice
    command : str
        The command that finds the same again.
    explain : bool
        Whether to add the explanation.

    Notes
    -----
    ``suggestion`` holds action (bid or pass), trump, bid, ceiling, safe, standard, suggested,
    settled, ``at`` (the bid at which trumps were compared), ``may_name`` (false where the rules
    let the hand name no trump), ``lower`` (another trump that is worth ``lead`` more at a lower
    ``bid``) and ``forced`` (what a dealer left with the hand names). Each of ``trumps``, best
    first, holds trump, meld (exact, now), team_meld, tricks and score with their ``_se``,
    score_sd, quartiles, samples, dropped, ceiling, behind (paired difference from the best) with
    its ``_se``, tied, and by bid, in tens from the minimum: p_make, take (ours less theirs) and
    their ``_se``.
    ``auction`` lists the calls so far as they are typed, ``seat`` ours. ``action`` is the next call
    (pass, pass_with_help, raise or jump) and ``call`` its amount; ``options`` are all calls from
    the highest value down, with value (ours less theirs once all is played), win (chance to win
    the game where ``score`` is known), behind (paired, in chances where the score is known),
    their ``_se``, and how often we, partner and the other side get the hand. ``defend`` is what
    letting the other side declare at a bid is worth, ``win_probability`` the chances by action,
    ``inference`` what each seat's calls were taken to mean, ``dead`` how often no tricks could
    make the bid ``suggestion.at`` after melding, with its cost in points a round.
    ``correction`` is the version of the engine's correction to real play, null for raw values;
    ``settings`` are the rules that differ from the preset. ``notes`` are sentences of caution, or
    say that points speak for another call than the score; they may be empty. ``explanation`` is
    there on request.
    """
    value = {
        "schema": SCHEMA,
        "version": advice.version,
        "hand": str(advice.hand),
        "rules": advice.rules.name,
        "settings": changed_settings(advice.rules),
        "engine": advice.engine,
        "correction": advice.correction,
        "seed": advice.seed,
        "samples": advice.samples,
        "suggestion": _suggestion(advice.suggestion),
        **_decision(advice),
        "trumps": [_trump(item, advice.suggestion.trump) for item in advice.trumps],
        "notes": remarks(advice, Look(symbols=False)),
        "reproduce": command,
    }
    if explain:
        value["explanation"] = _explanation(advice.explanation)
    return value


def _decision(advice: BidAdvice) -> dict[str, Any]:
    decision, told = advice.decision, advice.auctioned
    chosen = decision.chosen
    # The best of each kind, where rules allow several jumps.
    wins: dict[str, Estimate | None] = {}
    for option in decision.options:
        wins.setdefault(option.action, option.win)
    return {
        "auction": calls_text(decision.position.auction).split(),
        "seat": decision.position.seat,
        "score": None if decision.score is None else list(decision.score),
        "convention": told.convention.name,
        "action": chosen.action,
        "call": chosen.call.bid,
        "options": [_option(option) for option in decision.options],
        **_by_bid("defend", decision.defend),
        "win_probability": None
        if decision.score is None
        else {action: win.mean for action, win in wins.items() if win is not None},
        "win_probability_se": None
        if decision.score is None
        else {action: win.se for action, win in wins.items() if win is not None},
        "inference": [_inference(item) for item in told.inferences],
        "inference_used": told.read,
        "deals_kept": told.share_kept,
        "deals_exhausted": told.exhausted,
        **_pair("dead", advice.dead.share),
        **_pair("dead_cost", advice.dead.cost),
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "action": option.action,
        "call": option.call.bid,
        "over_partner": option.over_partner,
        **_pair("value", option.value),
        **({} if option.win is None else _pair("win", option.win)),
        **_pair("behind", option.behind),
        "tied": option.tied,
        "ours": option.ours,
        "partners": option.partners,
        "theirs": option.theirs,
        "contract": option.contract,
        "our_contract": option.our_contract,
    }


def _inference(item: Inference) -> dict[str, Any]:
    return {
        "seat": item.seat,
        "who": item.who,
        "calls": [str(call) for call in item.calls],
        "jump": any(call.jump for call in item.calls),
        "agreed": item.agreed,
        "explained": item.explained,
        "figures": {
            figure.shows: {
                **_pair("mean", figure.mean),
                **_pair("usual", figure.usual),
            }
            for figure in item.figures
        },
    }


def _suggestion(said: Suggestion) -> dict[str, Any]:
    lower, forced = said.lower, said.forced
    return {
        "action": said.action,
        "trump": _letter(said.trump),
        "bid": said.bid,
        "ceiling": said.ceiling,
        "safe": said.safe,
        "standard": said.standard,
        "suggested": said.suggested,
        "settled": said.settled,
        "at": said.at,
        "may_name": said.may_name,
        "lower": lower
        and {
            "trump": _letter(lower.trump),
            "bid": lower.bid,
            **_pair("lead", lower.lead),
        },
        "forced": forced
        and {
            "trump": _letter(forced.trump),
            "bid": forced.bid,
            **_pair("p_make", forced.p_make),
            **_pair("take", forced.take),
        },
    }


def _pair(name: str, value: Estimate) -> dict[str, float]:
    return {name: value.mean, f"{name}_se": value.se}


def _by_bid(name: str, values: Mapping[int, Estimate]) -> dict[str, dict[str, float]]:
    return {
        name: {str(bid): value.mean for bid, value in values.items()},
        f"{name}_se": {str(bid): value.se for bid, value in values.items()},
    }


def _trump(item: TrumpEstimate, advised: Suit) -> dict[str, Any]:
    return {
        "trump": _letter(item.trump),
        "meld": item.meld.total,
        **_pair("team_meld", item.team_meld),
        **_pair("tricks", item.tricks),
        **_pair("score", item.score),
        "score_sd": item.score_sd,
        "quartiles": list(item.quartiles),
        "samples": item.samples,
        "dropped": item.dropped,
        "ceiling": item.ceiling,
        **_pair("behind", item.behind),
        "tied": item.tied and item.trump != advised,
        "histogram": {
            "start": item.histogram.start,
            "width": item.histogram.width,
            "counts": list(item.histogram.counts),
        },
        **_by_bid("p_make", item.p_make),
        **_by_bid("take", item.take),
    }


def _explanation(told: Explanation) -> dict[str, Any]:
    return {
        "trump": _letter(told.trump),
        "meld": meld_object(told.meld),
        **_pair("declarer_meld", told.declarer_meld),
        **_pair("partner_meld", told.partner_meld),
        **_pair("their_meld", told.their_meld),
        **_pair("tricks", told.tricks),
        "trumps_before": told.trumps_before,
        "trumps_after": told.trumps_after,
        "missing": [card_name(card) for card in told.missing],
        "received": {card_name(chance.card): chance.share for chance in told.received},
        "returned": {card_name(chance.card): chance.share for chance in told.returned},
        "chances": [
            {"name": chance.name, "before": chance.before, "after": chance.after}
            for chance in told.chances
        ],
        "lost_by_suit": dict(zip(SUIT_LETTERS, told.lost_by_suit, strict=True)),
        "all_tricks": told.all_tricks,
    }


def bid_csv(advice: BidAdvice) -> str:
    """Return what ``advisor bid --format csv`` prints: one row for each trump, best first."""
    lowest = advice.rules.minimum
    chosen = advice.decision.chosen
    asked = (
        calls_text(advice.decision.position.auction), chosen.action, chosen.call.bid
    )  # fmt: skip
    head = (
        str(advice.hand), advice.rules.name, advice.engine, advice.correction, advice.seed
    )  # fmt: skip
    rows = [
        (
            *head, advice.suggestion.action, item.trump == advice.suggestion.trump,
            _letter(item.trump), item.meld.total, *item.team_meld, *item.tricks, *item.score,
            item.score_sd, item.samples, item.dropped, item.ceiling, *item.behind,
            lowest, *item.p_make[lowest], *item.take[lowest], *asked,
        )
        for item in advice.trumps
    ]  # fmt: skip
    return to_csv(BID_COLUMNS, rows)
