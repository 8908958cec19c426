"""Sorted values as columns above and below a zero line."""

from collections.abc import Sequence
from typing import NamedTuple

from gainful.report.spacing import evenly_spaced
from gainful.report.terminal.scale import round_steps, steps_to
from gainful.report.terminal.screen import Line, Screen, Span

_HEIGHT = 8  # rows at most, without the zero line
_WIDEST = 4  # cells of one column
_UP = {True: " ▁▂▃▄▅▆▇█", False: " ....####"}
# There are no other blocks that hang from the top of a cell.
_DOWN = {True: " ▔▔▀▀▀▀██", False: " ''''####"}


class Chart(NamedTuple):
    """Lines, and how many of the values they show."""

    lines: list[Line]
    n_shown: int


def chart(values: Sequence[float], screen: Screen) -> Chart:
    """A column for every value, or for as many as fit, evenly spaced; all of one scale.

    Args:
        values: Ascending; 0 has no column.
        screen: Where it is shown.

    >>> from gainful.report.terminal.screen import on_screen
    >>> drawn = chart([-0.2, 0.0, 0.3], Screen(width=20, blocks=False))
    >>> print(on_screen(drawn.lines, Screen()), end="")
    +0.3         ###
                 ###
                 ###
       0 ------------
         ###
    -0.2 ###
    """
    low, high = min((0.0, *values)), max((0.0, *values))
    if low == high:
        return Chart([], 0)
    # A division that does not overflow, however large the values are.
    step = next(s for s in round_steps(high / _HEIGHT - low / _HEIGHT) if _fits(low, high, s))
    up, down = _rows(high, step), _rows(-low, step)
    labels = _labels(up, down, step)
    room = screen.width - max(map(len, labels)) - 1
    shown = [values[place] for place in evenly_spaced(len(values), room)]
    each = min(room // len(shown), _WIDEST) if shown else 0
    rows = [[_cell(v, v / step - row, _UP, screen) for v in shown] for row in reversed(range(up))]
    rows.append(["─" if screen.blocks else "-"] * len(shown))
    rows += [[_cell(-v, -v / step - row, _DOWN, screen) for v in shown] for row in range(down)]
    styles = ["better"] * up + ["muted"] + ["worse"] * down
    lines = [
        _line(*row, each, max(map(len, labels))) for row in zip(labels, rows, styles, strict=True)
    ]
    return Chart(lines, len(shown))


def _fits(low: float, high: float, step: float) -> bool:
    return _rows(high, step) + _rows(-low, step) <= _HEIGHT


def _rows(size: float, step: float) -> int:
    """How many rows a column takes; one at least, unless it is 0."""
    return max(steps_to(size, step), 1) if size > 0 else 0


def _labels(up: int, down: int, step: float) -> list[str]:
    """What stands before each row: the ends of the axis, and 0."""
    top, bottom = f"{up * step:+.3g}", f"{-down * step:+.3g}"
    rows = ["" for _ in range(up + 1 + down)]
    rows[0], rows[-1] = (top if up else ""), (bottom if down else "")
    rows[up] = "0"
    return rows


def _cell(size: float, steps: float, characters: dict[bool, str], screen: Screen) -> str:
    """What a column has in a row: ``steps`` is how far it goes beyond the start of the row."""
    eighths = min(max(round(steps * 8), 0), 8)
    if size > 0 and 0 < steps <= 1:
        eighths = max(eighths, 1)  # it is not 0, and does not look like it
    return characters[screen.blocks][eighths]


def _line(label: str, cells: Sequence[str], style: str, each: int, width: int) -> Line:
    gap = 1 if each > 1 and style != "muted" else 0
    text = "".join(cell * (each - gap) + " " * gap for cell in cells)
    return [Span(f"{label:>{width}} ", "muted"), Span(text, style)]
