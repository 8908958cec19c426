"""A number and its interval on an axis, beside 0."""

import math
from collections.abc import Sequence

from gainful.report.terminal.scale import round_steps, steps_to
from gainful.report.terminal.screen import Line, Screen, Span

_WIDEST = 80
_SHORTEST = 8
_BLOCKS, _ASCII = "─━├┤│●", ".=[]|o"


def axis(value: float, low: float, high: float, screen: Screen, style: str) -> list[Line]:
    """The value, its interval and 0 on a line with round ends; below it stands where 0 is.

    Without an interval the value stands alone; without a value, or where all is 0, there is
    nothing, nor where there is no room.

    >>> from gainful.report.terminal.screen import on_screen
    >>> lines = axis(0.02, 0.004, 0.036, Screen(width=50, blocks=False), "better")
    >>> print(on_screen(lines, Screen()), end="")
    -0.01 .......|..[===========o===========]... +0.04
                 0
    """
    known = [number for number in (0.0, value, low, high) if math.isfinite(number)]
    if not math.isfinite(value) or min(known) == max(known):
        return []
    start, end = _ends(min(known), max(known))
    before, after = f"{start:+.3g} ", f" {end:+.3g}"
    width = min(screen.width, _WIDEST) - len(before) - len(after)
    if width < _SHORTEST:
        return []
    places = [round((n - start) / (end - start) * (width - 1)) for n in known]
    cells = _cells(width, places, tuple(_BLOCKS if screen.blocks else _ASCII), style)
    zero = [Span(" " * (len(before) + places[0]) + "0", "muted")]
    return [[Span(before, "muted"), *cells, Span(after, "muted")], zero]


def _ends(low: float, high: float) -> tuple[float, float]:
    """Round numbers around both, neither of them 0."""
    step = next(round_steps(high / 4 - low / 4))
    return -max(steps_to(-low, step), 1) * step, max(steps_to(high, step), 1) * step


def _cells(width: int, places: Sequence[int], characters: Sequence[str], style: str) -> list[Span]:
    """A line with what stands on it: first 0, then the value, then the ends of the interval."""
    line, thick, left, right, cross, mark = characters
    zero, value, *interval = places
    cells = [Span(line, "muted")] * width
    if len(interval) == 2:
        low, high = interval
        cells[low : high + 1] = [Span(thick, style)] * (high + 1 - low)
        cells[low], cells[high] = Span(left, style), Span(right, style)
    cells[zero], cells[value] = Span(cross, "title"), Span(mark, style)
    return cells
