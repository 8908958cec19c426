"""Table: a title, typed columns and rows of numbers; and one renderer per format.

Formats for people show numbers as their column formats them. Formats for programs write them
exactly. Text is made harmless by one function per format.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.base import encode_ids, format_number, to_json, to_jsonable

if TYPE_CHECKING:
    import polars

    from gainful.measures import Measure


class Bar(NamedTuple):
    """A length to draw, as a share of the longest; a lighter bar goes on to ``ideal``."""

    share: float
    ideal: float = 0.0


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: The title above it.
        kind: The type of its values, which may also be None: str, int, float, bool or Bar.
        format: Formats a value for people; None for the usual format of its kind.
        optional: Whether it is left out of LaTeX, and on a terminal that is too narrow, the last
            such column first.
    """

    name: str
    kind: type = str
    format: Callable[[Any], str] | None = None
    optional: bool = False

    @property
    def is_text(self) -> bool:
        """True if it is aligned to the left."""
        return self.kind in (str, Bar)


class Table(NamedTuple):
    """Columns and rows.

    Attributes:
        columns: The columns.
        rows: One value per column; None and NaN where there is none.
        title: What the table shows.
        has_header: Whether text and TSV have a line with the names of the columns.
        styles: How cells look, by row and column: ``best`` is bold everywhere, the others are
            colors on a terminal.
        superscripts: What is raised behind cells in LaTeX, by row and column.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    has_header: bool = True
    styles: Mapping[tuple[int, int], str] = {}
    superscripts: Mapping[tuple[int, int], str] = {}

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def select(self, keep: Sequence[int]) -> "Table":
        """Return the table with some of its columns, by number."""
        place = {old: new for new, old in enumerate(keep)}
        styles = {(r, place[c]): style for (r, c), style in self.styles.items() if c in place}
        rows = [[row[i] for i in keep] for row in self.rows]
        columns = [self.columns[i] for i in keep]
        return Table(columns, rows, self.title, self.has_header, styles, self.superscripts)

    def without_bars(self) -> "Table":
        """Return the table without bars, which repeat the numbers beside them."""
        return self.select([i for i, c in enumerate(self.columns) if c.kind is not Bar])

    def format_rows(self) -> list[list[str]]:
        """Return the cells as people read them."""
        formats = [_choose_format(column) for column in self.columns]
        return [
            ["" if v is None else form(v) for form, v in zip(formats, row, strict=True)]
            for row in self.rows
        ]

    def format_exact_rows(self, *, no_text: str = "", no_number: str = "") -> list[list[str]]:
        """Return the cells at full precision, with signs for what has no value."""
        missing = [no_text if column.is_text else no_number for column in self.columns]
        return [
            [sign if v is None or v != v else _format_exact(v) for v, sign in zip(row, missing)]  # noqa: B905
            for row in self.rows
        ]


def _choose_format(column: Column) -> Callable[[Any], str]:
    usual: dict[type, Callable[[Any], str]]
    usual = {float: format_number, int: "{:,}".format, Bar: draw_bar}
    return column.format or usual.get(column.kind, str)


def _format_exact(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(float(value)) if isinstance(value, float) else str(value)


_EIGHTHS = " ▏▎▍▌▋▊▉"


def draw_bar(bar: Bar, width: int = 16) -> str:
    """Draw a bar of blocks, to an eighth of a block; what is below 0 is hatched.

    >>> [draw_bar(Bar(share), 4) for share in (0.5, 0.28125, -0.5)]
    ['██', '█▏', '▒▒']
    >>> draw_bar(Bar(0.5, 0.75), 4)
    '██░'
    """
    if bar.share < 0:
        return "▒" * max(round(-bar.share * width), 1)
    whole, part = divmod(round(min(bar.share, 1) * width * 8) or int(bar.share > 0), 8)
    drawn = ("█" * whole + _EIGHTHS[part]).rstrip()
    return drawn + "░" * (round(min(bar.ideal, 1) * width) - len(drawn))


def to_text(table: Table) -> str:
    """Align columns, two spaces apart: text to the left, numbers to the right.

    >>> rows = [["q1", 0.5], ["q10", 1.0]]
    >>> print(to_text(Table([Column("query"), Column("value", float)], rows)), end="")
    query   value
    q1     0.5000
    q10    1.0000
    """
    lines = [table.header] if table.has_header else []
    lines += table.format_rows()
    lines = [[make_printable(value) for value in line] for line in lines]
    widths = [max(map(count_cells, values)) for values in zip(*lines, strict=True)]
    return "".join(
        "  ".join(
            _pad_text(value, width, right=not column.is_text)
            for value, width, column in zip(line, widths, table.columns, strict=True)
        ).rstrip()
        + "\n"
        for line in lines
    )


def _pad_text(value: str, width: int, *, right: bool) -> str:
    space = " " * (width - count_cells(value))
    return space + value if right else value + space


def count_cells(value: str) -> int:
    """Return the width of a text in cells; Chinese, Japanese and Korean characters take two.

    >>> count_cells("peg"), count_cells("釘")
    (3, 2)
    """
    if value.isascii():
        return len(value)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in value)
    return len(value) + wide - sum(unicodedata.combining(c) != 0 for c in value)


def to_csv(table: Table) -> str:
    """Write comma-separated values, quoted where needed, with a header line.

    >>> to_csv(Table([Column("query"), Column("value", float)], [["a, b", None]]))
    'query,value\\n"a, b",\\n'
    """
    import csv  # what only some outputs need is loaded by them
    import io

    rows = [table.header, *table.format_exact_rows()]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    if "\r" in out.getvalue():  # to readers it ends a line, yet the writer leaves it as it is
        out = io.StringIO()
        csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


def to_tsv(table: Table) -> str:
    """Write tab-separated values; white space inside a value becomes one space.

    No field is empty: a missing number is ``nan``, a missing or blank text ``-``.

    >>> to_tsv(Table([Column("query"), Column("value", float)], [["a\\tb", None]]))
    'query\\tvalue\\na b\\tnan\\n'
    """
    rows = table.format_exact_rows(no_text="-", no_number="nan")
    lines = [table.header, *rows] if table.has_header else rows
    fields = ((" ".join(value.split()) or "-" for value in line) for line in lines)
    return "".join("\t".join(line) + "\n" for line in fields)


def to_jsonl(table: Table) -> str:
    """Write a JSON object per row; what has no value is null.

    >>> to_jsonl(Table([Column("query"), Column("value", float)], [["q1", float("nan")]]))
    '{"query": "q1", "value": null}\\n'
    """
    rows = (to_jsonable(dict(zip(table.header, row, strict=True))) for row in table.rows)
    return "".join(to_json(row, indent=None) + "\n" for row in rows)


def to_polars(table: Table) -> "polars.DataFrame":
    """Make a polars frame; what has no value is null.

    >>> to_polars(Table([Column("query"), Column("value", float)], [["q1", None]])).rows()
    [('q1', None)]
    """
    import polars as pl

    dtypes = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    columns = []
    for i, column in enumerate(table.columns):
        values: Any = [row[i] for row in table.rows]
        if column.kind is str:
            values = [v if v is None else encode_ids([v])[0] for v in values]
        series = pl.Series(column.name, values, dtype=dtypes[column.kind], strict=False)
        columns.append(series.fill_nan(None) if column.kind is float else series)
    return pl.DataFrame(columns)


def to_markdown(table: Table) -> str:
    """Write a Markdown table: text to the left, numbers to the right.

    >>> print(to_markdown(Table([Column("a"), Column("b", int)], [["x|y", 1]])), end="")
    | a | b |
    |:--|--:|
    | x\\|y | 1 |
    """
    table = table.without_bars()
    align = [":--" if column.is_text else "--:" for column in table.columns]
    rows = [[escape_markdown(value) for value in row] for row in table.format_rows()]
    for r, c in table.styles:
        if table.styles[r, c] == "best":
            rows[r][c] = f"**{rows[r][c]}**"
    lines = [list(map(escape_markdown, table.header)), *rows]
    formatted = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([formatted[0], "|" + "|".join(align) + "|", *formatted[1:], ""])


def to_latex(table: Table) -> str:
    """Write a tabular for the package booktabs; all text is escaped.

    >>> rows = [["a&b", -0.5], ["c", 1.0]]
    >>> table = Table([Column("run"), Column("P_5", float)], rows, styles={(1, 1): "best"})
    >>> print(to_latex(table), end="")
    \\begin{tabular}{lr}
    \\toprule
    run & P\\_5 \\\\
    \\midrule
    a\\&b & $-$0.5000 \\\\
    c & \\textbf{1.0000} \\\\
    \\bottomrule
    \\end{tabular}
    """
    table = table.select([i for i, c in enumerate(table.columns) if not c.optional]).without_bars()
    letters = "".join("l" if column.is_text else "r" for column in table.columns)
    rows = [
        [
            escape_latex(value)
            if column.is_text
            else re.sub(r"^-(?=.)", "$-$", value).replace("%", r"\%")
            for value, column in zip(row, table.columns, strict=True)
        ]
        for row in table.format_rows()
    ]
    for r, c in table.styles:
        if table.styles[r, c] == "best":
            rows[r][c] = f"\\textbf{{{rows[r][c]}}}"
    for (r, c), text in table.superscripts.items():
        # Of no width, so that digits line up to the right whatever follows them.
        rows[r][c] += f"\\rlap{{\\textsuperscript{{{escape_latex(text)}}}}}" if text else ""
    lines = [" & ".join(row) + " \\\\" for row in rows]
    head = " & ".join(map(escape_latex, table.header)) + " \\\\"
    parts = [f"\\begin{{tabular}}{{{letters}}}", "\\toprule", head, "\\midrule", *lines]
    return "\n".join([*parts, "\\bottomrule", "\\end{tabular}", ""])


# Each has a contrast of 3 to 1 with white and with black.
GAIN, LOSS = "#3a84c4", "#c9702a"
_TEXT = 'dir="auto" style="text-align:left"'
_NUMBER = 'style="text-align:right;font-variant-numeric:tabular-nums"'
_CAPTION = "caption-side:top;text-align:left;font-weight:bold;padding:0.3em 0"


def to_html(table: Table) -> str:
    """Write an HTML table without a style sheet, for any theme; all text is escaped.

    >>> to_html(Table([Column("run")], [["<b>"]], title="Runs"))[-74:]
    '<td dir="auto" style="text-align:left">&lt;b&gt;</td></tr></tbody></table>'
    """
    bars = {i for i, column in enumerate(table.columns) if column.kind is Bar}
    head = "".join(
        f'<th scope="col" {_TEXT if column.is_text else _NUMBER}>{escape_html(column.name)}</th>'
        for column in table.columns
    )
    body = []
    for r, (row, values) in enumerate(zip(table.format_rows(), table.rows, strict=True)):
        cells = []
        for c, text in enumerate(row):
            inner = _draw_html_bar(values[c]) if c in bars else escape_html(text)
            inner = f"<strong>{inner}</strong>" if table.styles.get((r, c)) == "best" else inner
            cells.append(f"<td {_TEXT if table.columns[c].is_text else _NUMBER}>{inner}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    caption = f'<caption style="{_CAPTION}">{escape_html(table.title)}</caption>'
    return (
        f"<table>{caption if table.title else ''}<thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>"
    )


def _draw_html_bar(bar: Bar | None) -> str:
    """Draw a bar, which is decoration: the numbers beside it say the same.

    >>> "width:2.50em" in (bar := _draw_html_bar(Bar(0.5, 0.75))), "border-right:1.25em" in bar
    (True, True)
    """
    if bar is None or not (bar.share or bar.ideal):
        return ""
    length, color = min(abs(bar.share), 1), LOSS if bar.share < 0 else GAIN
    style = f"display:inline-block;height:0.8em;width:{5 * length:.2f}em;background:{color}"
    if (rest := min(bar.ideal, 1) - length) > 0:
        style += f";box-sizing:content-box;border-right:{5 * rest:.2f}em solid {color}55"
    return f'<span aria-hidden="true" style="{style}"></span>'


def format_html_list(lines: Iterable[str]) -> str:
    """Format lines as an HTML list; empty if there are none.

    >>> format_html_list(["one", "<two>"])
    '<ul><li>one</li><li>&lt;two&gt;</li></ul>'
    """
    inner = "".join(f"<li>{escape_html(line)}</li>" for line in lines)
    return f"<ul>{inner}</ul>" if inner else ""


def escape_html(text: str) -> str:
    """Escape a text for HTML; what cannot be printed is written as Python writes it.

    >>> escape_html("a < b")
    'a &lt; b'
    """
    import html  # loaded only if it is needed

    return html.escape(make_printable(text))


def find_best_means(
    measure: "Measure", means: Sequence[float], format: Callable[[float], str] = format_number
) -> list[int]:
    """Find the places of the best means; those that look the same are all the best.

    None is if all look the same, or if the highest is not the best by this measure.

    >>> from gainful import parse_measure
    >>> find_best_means(parse_measure("AP"), [0.50001, 0.5, 0.4, float("nan")])
    [0, 1]
    """
    looks = {i: format(mean) for i, mean in enumerate(means) if not math.isnan(mean)}
    if not measure.higher_is_better or len(set(looks.values())) < 2:
        return []
    best = looks[max(looks, key=means.__getitem__)]
    return [i for i in looks if looks[i] == best]


def make_printable(value: str) -> str:
    """Escape what cannot be printed as Python does, so that the text stays on its line.

    >>> make_printable("a\\nb")
    'a\\\\nb'
    """
    # An id may contain anything; it must not break the lines of a table or change terminal colors.
    return value if value.isprintable() else repr(value)[1:-1]


_CONTROLS = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, except tabs and line ends
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # lines and directions
    r"\ud800-\udfff]"  # bytes that are no text
)


def escape_controls(text: str) -> str:
    """Escape what a terminal would obey in a text of any number of lines.

    Line ends and tabs stay; other control characters, bytes that are not text, and characters that
    change the direction of others are written as Python writes them.

    >>> escape_controls("q1\\tred \\x1b[31m hats\\n")
    'q1\\tred \\\\x1b[31m hats\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_CONTROLS, lambda match: repr(match[0])[1:-1], text)


# Signs that have a meaning anywhere, and those that have one next to others.
_MARKDOWN = re.compile(r"[\\`*<|#~]|&(?=[#\w]+;)|(?<!\w)_|_(?!\w)|\](?=[(\[:])")


def escape_markdown(text: str) -> str:
    """Escape text for Markdown, on one line.

    >>> escape_markdown("<b> a_b *c* [x](y)")
    '\\\\<b> a_b \\\\*c\\\\* [x\\\\](y)'
    """
    line = " ".join(make_printable(word) for word in text.split())
    return _MARKDOWN.sub(lambda match: f"\\{match[0]}", line)


_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    # Unescaped, they would be read as part of the line break before them.
    **{sign: f"{{{sign}}}" for sign in "[*"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}
_LIGATURE = re.compile(r"([-',])(?=\1)")


def escape_latex(text: str) -> str:
    """Escape text for LaTeX; what cannot be printed is written as Python writes it.

    >>> escape_latex("50%_of #1 [x] a--b")
    '50\\\\%\\\\_of \\\\#1 {[}x] a-{}-b'
    """
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    separated = _LIGATURE.sub(lambda match: match[0] + "\0", text)
    return "".join(_LATEX.get(sign, sign) for sign in separated).replace("\0", "{}")


def pick_evenly_spaced(n: int, most: int) -> Sequence[int]:
    """Pick at most ``most`` evenly spaced places among ``n``, including both ends.

    Halves are rounded up, as a script rounds them: a page that draws another pair takes the same
    places.

    >>> list(pick_evenly_spaced(3, 5)), list(pick_evenly_spaced(100, 4))
    ([0, 1, 2], [0, 33, 66, 99])
    """
    if n <= most:
        return range(n)
    if most < 2:
        return range(max(most, 0))
    return [math.floor(i * (n - 1) / (most - 1) + 0.5) for i in range(most)]
