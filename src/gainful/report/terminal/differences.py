"""How two runs differ query by query, as a chart for a terminal."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from gainful.comparison.digits import ends, signed
from gainful.comparison.result import Comparison, Pair
from gainful.comparison.sections import level
from gainful.comparison.standing import first_pairs
from gainful.report.terminal.axis import axis
from gainful.report.terminal.cells import shortened
from gainful.report.terminal.chart import chart
from gainful.report.terminal.screen import Line, Screen, on_screen
from gainful.report.terminal.sentences import said
from gainful.tables import printable
from gainful.wording import count

_FEW = 3  # pairs that are plotted, and queries that are named at either end
_LONGEST_ID = 40
_ROUNDING = 1e-12  # what is printed as 0


class _Words(NamedTuple):
    """What is said of differences below and above 0."""

    below: str
    above: str
    lowest: str
    highest: str


_GOOD = _Words("worse", "better", "worst", "best")
_NEITHER = _Words("lower", "higher", "lowest", "highest")


def plotted(comparison: Comparison, screen: Screen, *, all_pairs: bool = False) -> str:
    """The differences of each pair by the first measure, sorted; who wins, by how much, how sure.

    Of more than three pairs the first three are plotted, unless all are wanted.
    """
    pairs = first_pairs(comparison)
    shown = pairs if all_pairs else pairs[:_FEW]
    parts = [_plotted(comparison, pair, screen) for pair in shown]
    if len(shown) < len(pairs):
        text = f"{len(shown)} of {len(pairs):,} pairs are plotted. Pass --all-pairs to plot all."
        parts.append(said(text, screen))
    return "\n".join(on_screen(part, screen) for part in parts)


def _plotted(comparison: Comparison, pair: Pair, screen: Screen) -> list[Line]:
    words = _GOOD if pair.measure.higher_is_better else _NEITHER
    found = comparison.differences(pair.system, pair.baseline, pair.measure)
    known = {query: value for query, value in found.items() if math.isfinite(value)}
    values = [0.0 if abs(value) <= comparison.tie else value for value in known.values()]
    title = f"How {pair.system} differs from {pair.baseline} by {pair.measure}, query by query"
    drawn = chart(values, screen)
    return [
        *said(title, screen, "title"),
        *drawn.lines,
        *_counted(pair, words, len(values), drawn.n_shown, len(found) - len(known), screen),
        *_named(list(known), values, words, screen),
        *_mean(comparison, pair, screen),
        *(_on_axis(pair, screen) if any(values) else []),
    ]


def _counted(
    pair: Pair, words: _Words, n: int, n_shown: int, n_unknown: int, screen: Screen
) -> list[Line]:
    counts = f"{pair.losses:,} {words.below}, {pair.ties:,} the same, {pair.wins:,} {words.above}"
    queries = count(n, "query", "queries")
    some = f"; {n_shown:,} of them are drawn, evenly spaced" if 0 < n_shown < n else ""
    unknown = f"; {count(n_unknown, 'query has', 'queries have')} no value" if n_unknown else ""
    return said(f"{queries}: {counts}{some}{unknown}.", screen)


def _named(
    queries: Sequence[str], values: Sequence[float], words: _Words, screen: Screen
) -> list[Line]:
    """The queries at both ends."""
    pairs = list(zip(queries, values, strict=True))
    lowest = [pair for pair in pairs[:_FEW] if pair[1] < 0]
    highest = [pair for pair in pairs[: -_FEW - 1 : -1] if pair[1] > 0]
    return [
        line
        for word, some in ((words.lowest, lowest), (words.highest, highest))
        if some
        for line in said(f"{word}: {', '.join(_query(*one, screen) for one in some)}.", screen)
    ]


def _query(query: str, value: float, screen: Screen) -> str:
    return f"{shortened(printable(query), _LONGEST_ID, screen.ellipsis)} {signed(value)}"


def _mean(comparison: Comparison, pair: Pair, screen: Screen) -> list[Line]:
    shown = ends(pair.t_interval)
    interval = f", {level(comparison)} interval {shown}" if "," in shown else ""
    return said(f"mean difference: {signed(pair.difference)}{interval}", screen)


def _on_axis(pair: Pair, screen: Screen) -> list[Line]:
    numbers = (pair.difference, *pair.t_interval)
    value, low, high = (0.0 if abs(number) < _ROUNDING else number for number in numbers)
    return axis(value, low, high, screen, "better" if value > 0 else "worse")
