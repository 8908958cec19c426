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


class _Sized(NamedTuple):
    """A column, how wide it is at least and at most, and how wide its numbers are beside bars."""

    column: Column
    least: int
    most: int
    number: int


def fitted(columns: Sequence[Column], screen: Screen) -> Fitted:
    """The columns side by side; those that do not fit are left out.

    >>> from gainful.report.terminal.screen import on_screen
    >>> names, labels = [Words("tent-015"), Words("peg-001")], [Words("0"), Words("3")]
    >>> table = fitted([Column("item", names, 2, 6), Column("label", labels, 1)], Screen(13))
    >>> print(on_screen(table.lines, Screen()), end="")
    item    label
    tent-…  0
    peg-0…  3
    >>> table.left_out, table.cut
    ([], True)
    """
    shown = _kept([_sized(column) for column in columns], screen.width)
    widths = _widths(shown, screen.width)
    titles = [Words(one.column.title, "title") for one in shown]
    rows = [titles, *zip(*(one.column.cells for one in shown), strict=True)]
    lines = [_line(shown, widths, row, screen) for row in rows]
    kept = [one.column for one in shown]
    left_out = [column.name or column.title for column in columns if column not in kept]
    cut = [w < one.most for one, w in zip(shown, widths, strict=True) if not one.number]
    return Fitted(lines, left_out, any(cut))


def _sized(column: Column) -> _Sized:
    title = width_of(printable(column.title))
    if numbers := [width_of(cell.text) for cell in column.cells if isinstance(cell, Bar)]:
        number = max(1, *numbers)
        least = max(title, number + 1 + (column.least or _SHORTEST_BAR))
        return _Sized(column, least, max(title, number + 1 + _LONGEST_BAR), number)
    natural = max([title, *(width_of(printable(cell.text)) for cell in column.cells)])
    least = min(natural, max(column.least, title)) if column.least else natural
    return _Sized(column, least, natural, 0)


def _kept(columns: list[_Sized], width: int) -> list[_Sized]:
    while _total(columns, [one.least for one in columns]) > width:
        least = min(one.column.worth for one in columns)
        rest = [one for one in columns if one.column.worth > least]
        if not rest:
            break
        columns = rest
    return columns


def _total(columns: Sequence[_Sized], widths: Sequence[int]) -> int:
    return sum(widths) + sum(len(_before(columns, i)) for i in range(len(columns)))


def _before(columns: Sequence[_Sized], i: int) -> str:
    if i == 0:
        return ""
    return _GAP if columns[i].column.group == columns[i - 1].column.group else _GROUPS


def _widths(columns: Sequence[_Sized], width: int) -> list[int]:
    """The least that each takes; then what is left, cell by cell, to those that can use it."""
    widths = [one.least for one in columns]
    spare = width - _total(columns, widths)
    while hungry := [i for i, one in enumerate(columns) if widths[i] < one.most and spare > 0]:
        for i in hungry[:spare]:
            widths[i] += 1
        spare -= len(hungry)
    return _comparable(columns, widths)


def _comparable(columns: Sequence[_Sized], widths: Sequence[int]) -> list[int]:
    """The widths with bars of one length: who compares columns compares bars."""
    sized = list(zip(columns, widths, strict=True))
    length = min((width - one.number for one, width in sized if one.number), default=0)
    return [one.number + length if one.number else width for one, width in sized]


def _line(
    columns: Sequence[_Sized], widths: Sequence[int], row: Sequence[Words | Bar], screen: Screen
) -> Line:
    spans: list[Span] = []
    for i, (one, width, cell) in enumerate(zip(columns, widths, row, strict=True)):
        spans.append(Span(_before(columns, i)))
        if isinstance(cell, Bar):
            spans += _barred(cell, one.number, width, screen)
        else:
            text = shortened(printable(cell.text), width, screen.ellipsis)
            spans.append(Span(filled(text, width, right=one.column.right), cell.style))
    return spans


def _barred(cell: Bar, number: int, width: int, screen: Screen) -> list[Span]:
    length = width - number - 1
    drawn = bar(cell.value, cell.scale, length, blocks=screen.blocks)
    beyond = track(cell.ideal, cell.scale, length, blocks=screen.blocks)[width_of(drawn) :]
    space = " " * (length - width_of(drawn) - len(beyond))
    text = Span(filled(cell.text, number, right=True) + " ", "" if cell.value else "muted")
    return [text, Span(drawn, cell.style), Span(beyond, "muted"), Span(space)]
