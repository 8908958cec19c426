"""How two runs differ query by query, as a chart for a terminal."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gainful.base import format_count, format_difference, format_interval
from gainful.report.outputs import pick_evenly_spaced
from gainful.report.tables import make_printable
from gainful.report.terminal.layout import (
    Line,
    Screen,
    Span,
    render_lines,
    shorten_text,
    wrap_sentence,
)
from gainful.report.views.comparison import format_level, select_first_pairs
from gainful.stats import Comparison, Pair

_TINY = 1e-300


def iterate_round_steps(at_least: float) -> Iterator[float]:
    """Yield round numbers above 0, ascending, from the first that is not below ``at_least``.

    >>> steps = iterate_round_steps(0.3)
    >>> [next(steps) for _ in range(4)]
    [0.5, 1.0, 2.0, 2.5]
    """
    power = math.floor(math.log10(max(at_least, _TINY)))
    while True:
        for digits in ("1", "2", "2.5", "5"):
            step = float(f"{digits}e{power}")
            if step >= at_least:
                yield step
        power += 1


def count_steps(value: float, step: float) -> int:
    """Return how many steps it takes to reach a value, rounding errors aside.

    >>> count_steps(0.4, 0.2), count_steps(0.41, 0.2), count_steps(0.1 + 0.2, 0.1)
    (2, 3, 3)
    """
    return math.ceil(value / step - 1e-9)


_WIDEST_AXIS = 80
_SHORTEST = 8
_BLOCKS, _ASCII = "─━├┤│●", ".=[]|o"


def draw_axis(value: float, low: float, high: float, screen: Screen, style: str) -> list[Line]:
    """Draw the value, its interval and 0 on a line with round ends; a line below labels 0.

    Without an interval only the value is drawn. Nothing is drawn without a value, if everything is
    0, or without room.

    >>> from gainful.report.terminal.layout import render_lines
    >>> lines = draw_axis(0.02, 0.004, 0.036, Screen(width=50, blocks=False), "better")
    >>> print(render_lines(lines, Screen()), end="")
    -0.01 .......|..[===========o===========]... +0.04
                 0
    """
    finite = [number for number in (0.0, value, low, high) if math.isfinite(number)]
    if not math.isfinite(value) or min(finite) == max(finite):
        return []
    start, end = _find_ends(min(finite), max(finite))
    before, after = f"{start:+.3g} ", f" {end:+.3g}"
    width = min(screen.width, _WIDEST_AXIS) - len(before) - len(after)
    if width < _SHORTEST:
        return []
    places = [round((n - start) / (end - start) * (width - 1)) for n in finite]
    cells = _make_axis_cells(width, places, tuple(_BLOCKS if screen.blocks else _ASCII), style)
    zero = [Span(" " * (len(before) + places[0]) + "0", "muted")]
    return [[Span(before, "muted"), *cells, Span(after, "muted")], zero]


def _find_ends(low: float, high: float) -> tuple[float, float]:
    """Find round numbers around both, neither of them 0."""
    step = next(iterate_round_steps(high / 4 - low / 4))
    return -max(count_steps(-low, step), 1) * step, max(count_steps(high, step), 1) * step


def _make_axis_cells(
    width: int, places: Sequence[int], characters: Sequence[str], style: str
) -> list[Span]:
    """Draw 0, the value and the ends of its interval, given as places in this order, on a line."""
    line, thick, left, right, cross, mark = characters
    zero, value, *interval = places
    cells = [Span(line, "muted")] * width
    if len(interval) == 2:
        low, high = interval
        cells[low : high + 1] = [Span(thick, style)] * (high + 1 - low)
        cells[low], cells[high] = Span(left, style), Span(right, style)
    cells[zero], cells[value] = Span(cross, "title"), Span(mark, style)
    return cells


_HEIGHT = 8  # rows at most, without the zero line
_WIDEST_COLUMN = 4  # cells of one column
_UP = {True: " ▁▂▃▄▅▆▇█", False: " ....####"}
# There are no other blocks that hang from the top of a cell.
_DOWN = {True: " ▔▔▀▀▀▀██", False: " ''''####"}


class TerminalChart(NamedTuple):
    """Lines, and how many of the values they show."""

    lines: list[Line]
    n_shown: int


def draw_chart(values: Sequence[float], screen: Screen) -> TerminalChart:
    """Draw a column for every value, or for as many as fit, evenly spaced, on one scale.

    Args:
        values: Ascending; 0 has no column.
        screen: Where it is shown.

    >>> from gainful.report.terminal.layout import render_lines
    >>> drawn = draw_chart([-0.2, 0.0, 0.3], Screen(width=20, blocks=False))
    >>> print(render_lines(drawn.lines, Screen()), end="")
    +0.3         ###
                 ###
                 ###
       0 ------------
         ###
    -0.2 ###
    """
    low, high = min((0.0, *values)), max((0.0, *values))
    if low == high:
        return TerminalChart([], 0)
    # A division that does not overflow, however large the values are.
    step = next(
        s for s in iterate_round_steps(high / _HEIGHT - low / _HEIGHT) if _fits_height(low, high, s)
    )
    up, down = _count_rows(high, step), _count_rows(-low, step)
    labels = _make_labels(up, down, step)
    room = screen.width - max(map(len, labels)) - 1
    selected = [values[place] for place in pick_evenly_spaced(len(values), room)]
    column_width = min(room // len(selected), _WIDEST_COLUMN) if selected else 0
    rows = [
        [_choose_character(v, v / step - row, _UP, screen) for v in selected]
        for row in reversed(range(up))
    ]
    rows.append(["─" if screen.blocks else "-"] * len(selected))
    rows += [
        [_choose_character(-v, -v / step - row, _DOWN, screen) for v in selected]
        for row in range(down)
    ]
    styles = ["better"] * up + ["muted"] + ["worse"] * down
    lines = [
        _make_line(*row, column_width, max(map(len, labels)))
        for row in zip(labels, rows, styles, strict=True)
    ]
    return TerminalChart(lines, len(selected))


def _fits_height(low: float, high: float, step: float) -> bool:
    return _count_rows(high, step) + _count_rows(-low, step) <= _HEIGHT


def _count_rows(size: float, step: float) -> int:
    """Return how many rows a column takes; at least one, unless it is 0."""
    return max(count_steps(size, step), 1) if size > 0 else 0


def _make_labels(up: int, down: int, step: float) -> list[str]:
    """Return the label of each row: the ends of the axis, and 0."""
    top, bottom = f"{up * step:+.3g}", f"{-down * step:+.3g}"
    rows = ["" for _ in range(up + 1 + down)]
    rows[0], rows[-1] = (top if up else ""), (bottom if down else "")
    rows[up] = "0"
    return rows


def _choose_character(
    size: float, steps: float, characters: dict[bool, str], screen: Screen
) -> str:
    """Return the character of a column in a row that starts ``steps`` below its end."""
    eighths = min(max(round(steps * 8), 0), 8)
    if size > 0 and 0 < steps <= 1:
        eighths = max(eighths, 1)  # it is not 0, and does not look like it
    return characters[screen.blocks][eighths]


def _make_line(label: str, cells: Sequence[str], style: str, column_width: int, width: int) -> Line:
    gap = 1 if column_width > 1 and style != "muted" else 0
    text = "".join(cell * (column_width - gap) + " " * gap for cell in cells)
    return [Span(f"{label:>{width}} ", "muted"), Span(text, style)]


_FEW = 3  # pairs that are plotted, and queries that are named at either end
_LONGEST_ID = 40
_ROUNDING = 1e-12  # what is printed as 0


class _Words(NamedTuple):
    """The words for differences below and above 0."""

    below: str
    above: str
    lowest: str
    highest: str


_GOOD = _Words("worse", "better", "worst", "best")
_NEITHER = _Words("lower", "higher", "lowest", "highest")


def plot_differences(comparison: Comparison, screen: Screen, *, all_pairs: bool = False) -> str:
    """Plot the sorted differences of each pair by the first measure, with counts and mean.

    Of more than three pairs the first three are plotted, unless ``all_pairs``.
    """
    pairs = select_first_pairs(comparison)
    selected = pairs if all_pairs else pairs[:_FEW]
    parts = [_plot_pair(comparison, pair, screen) for pair in selected]
    if len(selected) < len(pairs):
        text = f"{len(selected)} of {len(pairs):,} pairs are plotted. Pass --all-pairs to plot all."
        parts.append(wrap_sentence(text, screen))
    return "\n".join(render_lines(part, screen) for part in parts)


def _plot_pair(comparison: Comparison, pair: Pair, screen: Screen) -> list[Line]:
    words = _GOOD if pair.measure.higher_is_better else _NEITHER
    differences = comparison.differences(pair.system, pair.baseline, pair.measure)
    finite = {query: value for query, value in differences.items() if math.isfinite(value)}
    values = [0.0 if abs(value) <= comparison.tie else value for value in finite.values()]
    title = f"How {pair.system} differs from {pair.baseline} by {pair.measure}, query by query"
    chart = draw_chart(values, screen)
    return [
        *wrap_sentence(title, screen, "title"),
        *chart.lines,
        *_describe_counts(
            pair, words, len(values), chart.n_shown, len(differences) - len(finite), screen
        ),
        *_describe_extremes(list(finite), values, words, screen),
        *_describe_mean(comparison, pair, screen),
        *(_draw_interval(pair, screen) if any(values) else []),
    ]


def _describe_counts(
    pair: Pair, words: _Words, n: int, n_shown: int, n_unknown: int, screen: Screen
) -> list[Line]:
    counts = f"{pair.losses:,} {words.below}, {pair.ties:,} the same, {pair.wins:,} {words.above}"
    queries = format_count(n, "query", "queries")
    omissions = f"; {n_shown:,} of them are drawn, evenly spaced" if 0 < n_shown < n else ""
    unknown = (
        f"; {format_count(n_unknown, 'query has', 'queries have')} no value" if n_unknown else ""
    )
    return wrap_sentence(f"{queries}: {counts}{omissions}{unknown}.", screen)


def _describe_extremes(
    queries: Sequence[str], values: Sequence[float], words: _Words, screen: Screen
) -> list[Line]:
    """Describe the queries at both ends."""
    differences = list(zip(queries, values, strict=True))
    lowest = [pair for pair in differences[:_FEW] if pair[1] < 0]
    highest = [pair for pair in differences[: -_FEW - 1 : -1] if pair[1] > 0]
    return [
        line
        for word, pairs in ((words.lowest, lowest), (words.highest, highest))
        if pairs
        for line in wrap_sentence(
            f"{word}: {', '.join(_format_query(query, value, screen) for query, value in pairs)}.",
            screen,
        )
    ]


def _format_query(query: str, value: float, screen: Screen) -> str:
    name = shorten_text(make_printable(query), _LONGEST_ID, screen.ellipsis)
    return f"{name} {format_difference(value)}"


def _describe_mean(comparison: Comparison, pair: Pair, screen: Screen) -> list[Line]:
    bounds = format_interval(pair.t_interval)
    interval = f", {format_level(comparison)} interval {bounds}" if "," in bounds else ""
    return wrap_sentence(f"mean difference: {format_difference(pair.difference)}{interval}", screen)


def _draw_interval(pair: Pair, screen: Screen) -> list[Line]:
    numbers = (pair.difference, *pair.t_interval)
    value, low, high = (0.0 if abs(number) < _ROUNDING else number for number in numbers)
    return draw_axis(value, low, high, screen, "better" if value > 0 else "worse")
