"""Columns that are fitted to the width of a screen: the least important give way."""

from collections.abc import Sequence
from typing import NamedTuple

from gainful.report.terminal.bars import bar, track
from gainful.report.terminal.cells import filled, shortened, width_of
from gainful.report.terminal.screen import Line, Screen, Span
from gainful.tables import printable

_GAP, _GROUPS = "  ", "  |  "
_SHORTEST_BAR, _LONGEST_BAR = 8, 24


class Words(NamedTuple):
    """A cell of text; ``style`` is one of ``STYLES``."""

    text: str
    style: str = ""


class Bar(NamedTuple):
    """A cell with a number and a bar beside it.

    Attributes:
        text: The number; all of a column are as wide.
        value: What the bar shows.
        scale: The value of the longest bar.
        ideal: What the value is compared with: a lighter shade goes on to there.
        style: One of ``STYLES``.
    """

    text: str
    value: float
    scale: float
    ideal: float = 0.0
    style: str = ""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        title: What stands above it.
        cells: One of each row.
        worth: Who is worth less gives way first where not all fit; equals go together.
        least: Text is shortened to so many cells, or to the title, not further; 0 if it never is.
            Bars are at least as long; 0 for the usual.
        right: Whether its text is aligned to the right.
        group: A line stands between columns of different groups.
        name: What it is called where it is left out, if its title alone does not say.
    """

    title: str
    cells: Sequence[Words | Bar]
    worth: int
    least: int = 0
    right: bool = False
    group: str = ""
    name: str = ""


class Fitted(NamedTuple):
    """A table that fits: its lines, the names of what is left out, and whether text was cut."""

    lines: list[Line]
    left_out: list[str]
    cut: bool


def fitted(columns: Sequence[Column], screen: Screen) -> Fitted:
    """The columns side by side; those that do not fit are left out."""
    shown = _kept(columns, screen.width)
    widths = _widths(shown, screen.width)
    titles = [Words(column.title, "title") for column in shown]
    rows = [titles, *zip(*(column.cells for column in shown), strict=True)]
    lines = [_line(shown, widths, row, screen) for row in rows]
    left_out = [c.name or c.title for c in columns if c not in shown]
    return Fitted(lines, left_out, any(w < _most(c) for c, w in _texts(shown, widths)))


def _kept(columns: Sequence[Column], width: int) -> list[Column]:
    kept = list(columns)
    while _total(kept, [_least(column) for column in kept]) > width:
        least = min(column.worth for column in kept)
        rest = [column for column in kept if column.worth > least]
        if not rest:
            break
        kept = rest
    return kept


def _total(columns: Sequence[Column], widths: Sequence[int]) -> int:
    return sum(widths) + sum(len(_before(columns, i)) for i in range(len(columns)))


def _before(columns: Sequence[Column], i: int) -> str:
    if i == 0:
        return ""
    return _GAP if columns[i].group == columns[i - 1].group else _GROUPS


def _widths(columns: Sequence[Column], width: int) -> list[int]:
    """The least that each takes; then what is left, cell by cell, to those that can use it."""
    widths = [_least(column) for column in columns]
    spare = width - _total(columns, widths)
    while spare > 0:
        hungry = [i for i, column in enumerate(columns) if widths[i] < _most(column)]
        if not hungry:
            break
        for i in hungry[:spare]:
            widths[i] += 1
        spare -= min(spare, len(hungry))
    return _comparable(columns, widths)


def _comparable(columns: Sequence[Column], widths: Sequence[int]) -> list[int]:
    """The widths with bars of one length: who compares columns compares bars."""
    beside = [_number(column) if _has_bars(column) else 0 for column in columns]
    bars = [width - number for width, number in zip(widths, beside, strict=True) if number]
    return [
        number + min(bars) if number else width
        for width, number in zip(widths, beside, strict=True)
    ]


def _texts(columns: Sequence[Column], widths: Sequence[int]) -> list[tuple[Column, int]]:
    return [(c, w) for c, w in zip(columns, widths, strict=True) if not _has_bars(c)]


def _has_bars(column: Column) -> bool:
    return any(isinstance(cell, Bar) for cell in column.cells)


def _natural(column: Column) -> int:
    return max(width_of(printable(cell.text)) for cell in (Words(column.title), *column.cells))


def _least(column: Column) -> int:
    if _has_bars(column):
        return max(len(column.title), _number(column) + 1 + (column.least or _SHORTEST_BAR))
    least = max(column.least, width_of(column.title))
    return min(_natural(column), least) if column.least else _natural(column)


def _most(column: Column) -> int:
    return _number(column) + 1 + _LONGEST_BAR if _has_bars(column) else _natural(column)


def _number(column: Column) -> int:
    return max(width_of(cell.text) for cell in column.cells if isinstance(cell, Bar))


def _line(
    columns: Sequence[Column], widths: Sequence[int], row: Sequence[Words | Bar], screen: Screen
) -> Line:
    spans: list[Span] = []
    for i, (column, width, cell) in enumerate(zip(columns, widths, row, strict=True)):
        spans.append(Span(_before(columns, i)))
        if isinstance(cell, Bar):
            spans += _barred(cell, _number(column), width, screen)
        else:
            text = shortened(printable(cell.text), width, screen.ellipsis)
            spans.append(Span(filled(text, width, right=column.right), cell.style))
    return spans


def _barred(cell: Bar, number: int, width: int, screen: Screen) -> list[Span]:
    length = width - number - 1
    drawn = bar(cell.value, cell.scale, length, blocks=screen.blocks)
    beyond = track(cell.ideal, cell.scale, length, blocks=screen.blocks)[width_of(drawn) :]
    space = " " * (length - width_of(drawn) - len(beyond))
    text = Span(filled(cell.text, number, right=True) + " ", "" if cell.value else "muted")
    return [text, Span(drawn, cell.style), Span(beyond, "muted"), Span(space)]
