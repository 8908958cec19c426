"""Columns that are fitted to the width of a screen: the least important give way."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gainful.report.tables import make_printable


def measure_width(text: str) -> int:
    """Return the width in cells; Chinese, Japanese and Korean characters take two.

    >>> measure_width("peg"), measure_width("釘")
    (3, 2)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # loaded only for such text

    return cell_len(text)


def crop_text(text: str, width: int) -> str:
    """Return as much of the start as fits.

    >>> crop_text("tent peg", 6), crop_text("釘釘釘", 5), crop_text("peg", 0)
    ('tent p', '釘釘', '')
    """
    if measure_width(text) <= width:
        return text
    if text.isascii() or width <= 0:
        return text[: max(width, 0)]
    from rich.cells import set_cell_size

    start = set_cell_size(text, width)
    # Half of a wide character is a space there, which the text does not have.
    return start if text.startswith(start) else start[:-1]


def shorten_text(text: str, width: int, ellipsis: str) -> str:
    """Return the text, or its start and an ellipsis if it is too wide.

    >>> shorten_text("tent pegs", 8, "…"), shorten_text("tent pegs", 6, "…")
    ('tent pe…', 'tent…')
    """
    if measure_width(text) <= width:
        return text
    if width <= len(ellipsis):
        return crop_text(text, width)
    return crop_text(text, width - len(ellipsis)).rstrip() + ellipsis


def pad_text(text: str, width: int, *, right: bool = False) -> str:
    """Pad the text with spaces to a width in cells.

    >>> pad_text("釘", 4), pad_text("0.5", 5, right=True)
    ('釘  ', '  0.5')
    """
    space = " " * (width - measure_width(text))
    return space + text if right else text + space


def wrap_text(text: str, width: int) -> list[str]:
    """Wrap the text into lines of at most ``width`` cells; those after the first are indented.

    >>> wrap_text("moving peg-002 from rank 10", 16)
    ['moving peg-002', '  from rank 10']
    >>> wrap_text("abcdefgh", 5)
    ['abcde', '  fgh']
    """
    lines, line = [], ""
    for word in text.split():
        candidate = f"{line} {word}" if line.strip() else line + word
        while measure_width(candidate) > width:
            fits = line if line.strip() else crop_text(candidate, width)
            if not fits.strip():  # not even one character fits
                fits = candidate
            candidate = _choose_indent(width) + (word if fits == line else candidate[len(fits) :])
            lines.append(fits)
            line = ""
        line = candidate
    return [*lines, line] if line.strip() else lines


def _choose_indent(width: int) -> str:
    return "  " if width > 4 else ""


# For 16 colors, with shades chosen by the terminal, and for 256. People with red-green color
# blindness can distinguish blue and orange; both shades are readable on light and dark backgrounds.
STYLES = {
    "title": ("bold", "bold"),
    "muted": ("dim", "color(245)"),
    "better": ("cyan", "color(32)"),
    "worse": ("yellow", "color(166)"),
    "unjudged": ("yellow", "color(166)"),
    "nonrelevant": ("dim", "color(245)"),
    "relevant1": ("cyan", "color(67)"),
    "relevant2": ("cyan", "color(32)"),
    "relevant3": ("bold cyan", "bold color(33)"),
}


class Screen(NamedTuple):
    """The place where text is shown.

    Attributes:
        width: How many cells a line has.
        colors: The kind of colors that it shows, as rich names them; None for none.
        blocks: Whether it shows block characters; else bars are drawn with ASCII.
    """

    width: int = 80
    colors: str | None = None
    blocks: bool = True

    @property
    def ellipsis(self) -> str:
        """The sign at the end of a shortened text."""
        return "…" if self.blocks else "..."


class Span(NamedTuple):
    """A piece of a line, and the name of its style, one of ``STYLES``."""

    text: str
    style: str = ""


Line = Sequence[Span]


def render_lines(lines: Iterable[Line], screen: Screen) -> str:
    """Render the lines as text, cropped to the screen, without any control character.

    >>> render_lines([[Span("rank", "title"), Span("  \\x1b[2J  ")], []], Screen(width=12))
    'rank  \\\\x1b[2\\n\\n'
    """
    return "".join(_render_line(line, screen) + "\n" for line in lines)


def _render_line(line: Line, screen: Screen) -> str:
    room, spans = screen.width, []
    for span in _strip_end(line):
        text = crop_text(make_printable(span.text), room)
        room -= measure_width(text)
        spans.append(_color_text(text, span.style, screen.colors))
    return "".join(spans)


def _strip_end(line: Line) -> Line:
    """Remove the white space at the end of a line."""
    spans = list(line)
    while spans and not spans[-1].text.rstrip():
        spans.pop()
    return [*spans[:-1], spans[-1]._replace(text=spans[-1].text.rstrip())] if spans else []


def _color_text(text: str, style: str, colors: str | None) -> str:
    if not text or not style or colors is None:
        return text
    from rich.console import COLOR_SYSTEMS
    from rich.style import Style

    few, many = STYLES[style]
    system = COLOR_SYSTEMS[colors]
    parsed = Style.parse(many if colors in ("256", "truecolor") else few)
    return parsed.render(text, color_system=system)


_EIGHTHS = " ▏▎▍▌▋▊▉"
_FULL = "█"


def draw_bar(value: float, scale: float, width: int, *, blocks: bool) -> str:
    """Draw a bar that is ``width`` cells long for a value as large as the scale.

    A value other than 0 is always visible, and no bar is longer than the scale. Values below 0 are
    hatched; NaN has no bar.

    >>> [draw_bar(value, 2.0, 5, blocks=True) for value in (1.0, 1e-9, -1.0)]
    ['██▌', '▏', '▒▒']
    >>> draw_bar(1.0, 2.0, 5, blocks=False), draw_bar(-1.0, 2.0, 5, blocks=False)
    ('##', '--')
    """
    share = compute_share(value, scale)
    if value < 0:
        return ("▒" if blocks else "-") * _count_steps(compute_share(-value, scale), width)
    if not blocks:
        return "#" * _count_steps(share, width)
    full, eighths = divmod(_count_steps(share, width * 8), 8)
    return _FULL * full + (_EIGHTHS[eighths] if eighths else "")


def draw_track(value: float, scale: float, width: int, *, blocks: bool) -> str:
    """Draw a bar of whole cells in a lighter shade, to compare another bar with.

    >>> draw_track(1.0, 2.0, 5, blocks=True), draw_track(1.0, 2.0, 5, blocks=False)
    ('░░', '..')
    """
    return ("░" if blocks else ".") * _count_steps(compute_share(value, scale), width)


def compute_share(value: float, scale: float) -> float:
    """Return the value as a share of the scale, from 0 to 1.

    >>> compute_share(1.0, 4.0), compute_share(9.0, 4.0), compute_share(-1.0, 4.0)
    (0.25, 1.0, 0.0)
    """
    if not value > 0 or not scale > 0:
        return 0.0
    return 1.0 if value >= scale else value / scale


def _count_steps(share: float, most: int) -> int:
    return max(round(share * most), 1) if share > 0 and most > 0 else 0


_GAP, _GROUPS = "  ", "  |  "
_SHORTEST_BAR, _LONGEST_BAR = 8, 24


class TextCell(NamedTuple):
    """A cell of text; ``style`` is one of ``STYLES``."""

    text: str
    style: str = ""


class BarCell(NamedTuple):
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


class TerminalColumn(NamedTuple):
    """A column of a table.

    Attributes:
        title: The title above it.
        cells: One of each row.
        worth: Columns of the least worth are left out first; those of equal worth go together.
        least: Text is shortened to so many cells, or to the title, not further; 0 if it never is.
            Bars are at least as long; 0 for the usual.
        right: Whether its text is aligned to the right.
        group: A line separates columns of different groups.
        name: What it is called where it is left out, if its title alone does not say.
    """

    title: str
    cells: Sequence[TextCell | BarCell]
    worth: int
    least: int = 0
    right: bool = False
    group: str = ""
    name: str = ""


class FittedTable(NamedTuple):
    """A table that fits: its lines, the names of what is left out, and whether text was cut."""

    lines: list[Line]
    left_out: list[str]
    is_cut: bool


class _SizedColumn(NamedTuple):
    """A column with its least and largest width, and the width of the numbers beside its bars."""

    column: TerminalColumn
    least: int
    most: int
    number: int


def fit_columns(columns: Sequence[TerminalColumn], screen: Screen) -> FittedTable:
    """Fit the columns side by side; those that do not fit are left out.

    >>> names, labels = [TextCell("tent-015"), TextCell("peg-001")], [TextCell("0"), TextCell("3")]
    >>> columns = [TerminalColumn("item", names, 2, 6), TerminalColumn("label", labels, 1)]
    >>> table = fit_columns(columns, Screen(13))
    >>> print(render_lines(table.lines, Screen()), end="")
    item    label
    tent-…  0
    peg-0…  3
    >>> table.left_out, table.is_cut
    ([], True)
    """
    spans = _drop_columns([_size_column(column) for column in columns], screen.width)
    widths = _assign_widths(spans, screen.width)
    titles = [TextCell(sized.column.title, "title") for sized in spans]
    rows = [titles, *zip(*(sized.column.cells for sized in spans), strict=True)]
    lines = [_make_line(spans, widths, row, screen) for row in rows]
    shown_columns = [sized.column for sized in spans]
    left_out = [column.name or column.title for column in columns if column not in shown_columns]
    cut_columns = [
        w < sized.most for sized, w in zip(spans, widths, strict=True) if not sized.number
    ]
    return FittedTable(lines, left_out, any(cut_columns))


def _size_column(column: TerminalColumn) -> _SizedColumn:
    title = measure_width(make_printable(column.title))
    if numbers := [measure_width(cell.text) for cell in column.cells if isinstance(cell, BarCell)]:
        number = max(1, *numbers)
        least = max(title, number + 1 + (column.least or _SHORTEST_BAR))
        return _SizedColumn(column, least, max(title, number + 1 + _LONGEST_BAR), number)
    natural = max([title, *(measure_width(make_printable(cell.text)) for cell in column.cells)])
    least = min(natural, max(column.least, title)) if column.least else natural
    return _SizedColumn(column, least, natural, 0)


def _drop_columns(columns: list[_SizedColumn], width: int) -> list[_SizedColumn]:
    while _sum_widths(columns, [sized.least for sized in columns]) > width:
        least = min(sized.column.worth for sized in columns)
        rest = [sized for sized in columns if sized.column.worth > least]
        if not rest:
            break
        columns = rest
    return columns


def _sum_widths(columns: Sequence[_SizedColumn], widths: Sequence[int]) -> int:
    return sum(widths) + sum(len(_find_gap(columns, i)) for i in range(len(columns)))


def _find_gap(columns: Sequence[_SizedColumn], i: int) -> str:
    if i == 0:
        return ""
    return _GAP if columns[i].column.group == columns[i - 1].column.group else _GROUPS


def _assign_widths(columns: Sequence[_SizedColumn], width: int) -> list[int]:
    """Assign each column its least width, then share the rest among those that can use it."""
    widths = [sized.least for sized in columns]
    spare = width - _sum_widths(columns, widths)
    while hungry := [i for i, sized in enumerate(columns) if widths[i] < sized.most and spare > 0]:
        for i in hungry[:spare]:
            widths[i] += 1
        spare -= len(hungry)
    return _equalize_bars(columns, widths)


def _equalize_bars(columns: Sequence[_SizedColumn], widths: Sequence[int]) -> list[int]:
    """Reduce the widths to bars of one length, so that they can be compared across columns."""
    columns_and_widths = list(zip(columns, widths, strict=True))
    length = min(
        (width - column.number for column, width in columns_and_widths if column.number), default=0
    )
    return [
        column.number + length if column.number else width for column, width in columns_and_widths
    ]


def _make_line(
    columns: Sequence[_SizedColumn],
    widths: Sequence[int],
    row: Sequence[TextCell | BarCell],
    screen: Screen,
) -> Line:
    spans: list[Span] = []
    for i, (sized, width, cell) in enumerate(zip(columns, widths, row, strict=True)):
        spans.append(Span(_find_gap(columns, i)))
        if isinstance(cell, BarCell):
            spans += _make_bar_spans(cell, sized.number, width, screen)
        else:
            text = shorten_text(make_printable(cell.text), width, screen.ellipsis)
            spans.append(Span(pad_text(text, width, right=sized.column.right), cell.style))
    return spans


def _make_bar_spans(cell: BarCell, number: int, width: int, screen: Screen) -> list[Span]:
    length = width - number - 1
    bar = draw_bar(cell.value, cell.scale, length, blocks=screen.blocks)
    track = draw_track(cell.ideal, cell.scale, length, blocks=screen.blocks)[measure_width(bar) :]
    space = " " * (length - measure_width(bar) - len(track))
    text = Span(pad_text(cell.text, number, right=True) + " ", "" if cell.value else "muted")
    return [text, Span(bar, cell.style), Span(track, "muted"), Span(space)]


def wrap_sentence(text: str, screen: Screen, style: str = "") -> list[Line]:
    """Wrap a sentence into as many lines as it needs.

    >>> wrap_sentence("the ranking is empty", Screen(width=11))
    [[Span(text='the ranking', style='')], [Span(text='  is empty', style='')]]
    """
    return [[Span(line, style)] for line in wrap_text(make_printable(text), screen.width)]
