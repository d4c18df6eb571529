"""Pictures for the terminal: the scores as a histogram, and the chance of each bid as a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from advisor.game.auction import bid_ladder
from advisor.report.look import Look
from advisor.report.table import lowest_bid, lowest_drawn
from advisor.report.why import named_bids, percent

if TYPE_CHECKING:
    from advisor.advice import BidAdvice
    from advisor.histogram import Histogram

_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_WIDTHS: Final = (10, 20, 30, 40, 50, 100, 200, 500, 1000)
_MOST_ROWS: Final = 18
# Fewer rounds than this at either end are told together.
_TAIL: Final = 0.01
_LEAST_CHANCE: Final = 0.05


def bar(share: float, width: int, look: Look, *, light: bool = False) -> str:
    """Return a bar of a share of the width; whatever is more than nothing can be seen.

    >>> bar(0.5, 5, Look()), bar(0.5, 5, Look(symbols=False)), bar(0.5, 4, Look(), light=True)
    ('██▌', '##', '░░')
    >>> bar(0.001, 5, Look()), bar(0.001, 5, Look(symbols=False), light=True), bar(0, 5, Look())
    ('▏', '.', '')
    """
    if share <= 0:
        return ""
    if look.symbols and not light:
        eighths = max(1, int(share * width * 8))
        return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()
    sign = ("░" if light else "█") if look.symbols else ("." if light else "#")
    return sign * max(1, int(share * width))


def plot(advice: BidAdvice, look: Look) -> list[str]:
    """Return both pictures of the advised trump as lines, no wider than the screen."""
    return [*_scores(advice, look), "", *_chances(advice, look)]


def _scores(advice: BidAdvice, look: Look) -> list[str]:
    best, said = advice.best, advice.suggestion
    found = best.histogram
    bid = said.bid or lowest_bid(advice)
    low, high = found.quantile(_TAIL), found.quantile(1 - _TAIL)
    # Bins begin at the bid, so that none is part below it.
    width = next(
        (w for w in _WIDTHS if (high - low) / w + 2 <= _MOST_ROWS), max(high - low, _WIDTHS[-1])
    )
    rows = _binned(found, bid, width, low, high)
    names = [_range(start, stop, look) for start, stop, _ in rows]
    left = max(map(len, names))
    most = max(count for _, _, count in rows) / found.total
    room = look.width - left - 8
    lines = [
        f"Scores with {look.suit(best.trump)}, share of rounds; the full bars reach "
        f"{look.points(bid)}"
    ]
    for name, (start, _, count) in zip(names, rows, strict=True):
        share = count / found.total
        drawn = bar(share / most, room, look, light=start is None or start < bid)
        lines.append(f"{name:>{left}} {percent(share):>4}  {drawn}".rstrip())
    return lines


def _binned(
    found: Histogram, bid: int, width: int, low: int, high: int
) -> list[tuple[int | None, int | None, int]]:
    """Return start, end and count of each row; the first and the last are open."""
    first = bid + (low - bid) // width * width
    starts = list(range(first, max(high, first) + 1, width))
    if bid > starts[-1]:
        # Hardly any round makes it: the row of those that do begins at the bid.
        starts = [start for start in starts if start < bid]
        starts.append(bid)
    rows: list[tuple[int | None, int | None, int]] = []
    below = found.total - found.at_least(starts[0])
    if below:
        rows.append((None, starts[0], below))
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else None
        rest = 0 if stop is None else found.at_least(stop)
        rows.append((start, stop, found.at_least(start) - rest))
    return rows


def _range(start: int | None, stop: int | None, look: Look) -> str:
    if start is None:
        return f"below {look.points(stop or 0)}"
    return f"{look.points(start)} on" if stop is None else f"{look.points(start)}"


def _chances(advice: BidAdvice, look: Look) -> list[str]:
    best = advice.best
    lowest = lowest_drawn(advice)
    top = max((b for b, p in best.p_make.items() if p.mean >= _LEAST_CHANCE), default=lowest)
    names = named_bids(advice)
    ladder = [bid for bid in bid_ladder(advice.rules, max(top, lowest)) if bid >= lowest]
    every = -(-len(ladder) // _MOST_ROWS)
    kept = [bid for i, bid in enumerate(ladder) if i % every == 0 or bid in names]
    rows = []
    for bid in kept:
        if bid in best.p_make:
            chance = look.share_with_error(best.p_make[bid], best.samples)
            rows.append((look.points(bid), chance, best.p_make[bid].mean, names.get(bid, [])))
    left = max(len(amount) for amount, *_ in rows)
    middle = max(len(chance) for _, chance, *_ in rows)
    right = max(len(", ".join(said)) for *_, said in rows)
    room = look.width - left - middle - right - 5
    lines = [f"Chance to make each bid with {look.suit(best.trump)}"]
    for amount, chance, share, said in rows:
        drawn = bar(share, room, look)
        lines.append(
            f"{amount:>{left}}  {chance:>{middle}}  {drawn:<{room}} {', '.join(said)}".rstrip()
        )
    return lines
