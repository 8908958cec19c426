"""The parts of a page: sections, tables and charts, as plain values."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gainful.base import encode_text, format_p_value, import_package
from gainful.report.charts.style import Spec
from gainful.report.html.escaping import map_texts, sanitize_text
from gainful.report.tables import make_printable

_NEGATIVE = re.compile(r"(?<![\w.)\]])-(?=[\d.])")
_MOST = 8  # decimals in a sentence
_ISOLATED = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolate_name(name: str) -> str:
    """Return a name that cannot change the direction of the sentence around it.

    >>> isolate_name("hybrid"), isolate_name("a\\u202eb").isascii()
    ('hybrid', True)
    """
    printable = make_printable(name)
    return printable if printable.isascii() else f"{_ISOLATED[0]}{printable}{_ISOLATED[1]}"


def use_minus_signs(text: str) -> str:
    """Replace the hyphens of negative numbers with minus signs.

    >>> use_minus_signs("[-0.5, 1e-05]") == "[\\N{MINUS SIGN}0.5, 1e-05]"
    True
    """
    return _NEGATIVE.sub("\N{MINUS SIGN}", text)


def choose_digits(difference: float) -> int:
    """Return how many decimals show two digits of a difference, two to eight.

    >>> choose_digits(0.19), choose_digits(0.021), choose_digits(0.0), choose_digits(1e-9)
    (2, 3, 2, 8)
    """
    if not math.isfinite(difference) or difference == 0:
        return 2
    return min(max(math.ceil(-math.log10(abs(difference))) + 1, 2), _MOST)


def format_signed(number: float, digits: int) -> str:
    """Format a number with its sign and a number of decimals; 0 is always positive.

    >>> [format_signed(number, 3) for number in (0.5, -0.125, -0.0, -1e-9)]
    ['+0.500', '-0.125', '+0.000', '+0.000']
    """
    text = f"{number:+.{digits}f}"
    return text if float(text) else text.replace("-", "+")


def phrase_p_value(p: float, alpha: float) -> str:
    """Format a p-value for a sentence, with at least two digits and enough to compare with alpha.

    >>> [phrase_p_value(p, 0.05) for p in (0.0208, 1e-9, 0.0496, 0.3)]
    ['p = 0.021', 'p < 0.0001', 'p = 0.0496', 'p = 0.30']
    """
    if math.isnan(p):
        return "no p-value"
    if (full := format_p_value(p, alpha)).startswith("<"):
        return f"p < {full[1:]}"
    texts = (f"{p:.{digits}f}" for digits in range(2 if p >= 0.095 else 3, 7))
    text = next((t for t in texts if (float(t) < alpha) == (p < alpha) and float(t)), full)
    return f"p = {text}"


def join_texts(texts: list[str]) -> str:
    """Join texts with commas and a final *and*.

    >>> join_texts(["a"]), join_texts(["a", "b"]), join_texts(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


_SIDE = re.compile(r"\{([ab])\}")
ID, TEXT, NUMBER, CODE = "id", "text", "number", "code"


class PageColumn(NamedTuple):
    """A title, and the kind of cells below it: ids, texts, numbers or code."""

    title: str
    kind: str = NUMBER


class PageCell(NamedTuple):
    """A text, and how it is marked: the name of a style."""

    text: str
    mark: str = ""


class RowGroup(NamedTuple):
    """Rows that belong together, and what they are called, if there are several groups."""

    title: str
    rows: Sequence[Sequence[PageCell]]


@dataclass(frozen=True, eq=False)
class PageTable:
    """A table.

    Attributes:
        id: What it is called on the page.
        caption: What it shows, in a few words.
        columns: The columns; the first says what a row is about.
        groups: The rows.
        note: What a reader should know, such as what was left out.
    """

    id: str
    caption: str
    columns: tuple[PageColumn, ...]
    groups: tuple[RowGroup, ...]
    note: str = ""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(frozen=True, eq=False)
class PageChart:
    """A chart.

    Attributes:
        name: What the page calls it.
        title: What it shows, in a few words.
        drawing: The Vega-Lite chart.
        caption: How to read it.
        table: Its numbers, or some of them.
        sides: The runs that title and caption name as ``{a}`` and ``{b}``, which a script replaces
            when another pair is chosen; None if they name none so.
    """

    name: str
    title: str
    drawing: Spec
    caption: str
    table: PageTable | None = None
    sides: Mapping[str, str] | None = None

    @property
    def label(self) -> str:
        """The title as text alone."""
        return "".join(
            isolate_name(piece) if side else piece for piece, side in self.split_names(self.title)
        )

    def split_names(self, text: str) -> list[tuple[str, str]]:
        """Split the title or caption at the names of runs; return each piece and the side it names.

        >>> PageChart("scatter", "{b} beside {a}", {}, "", sides={"a": "old", "b": "new"}).label
        'new beside old'
        """
        if self.sides is None:
            return [(text, "")]
        parts = _SIDE.split(text)
        return [(self.sides[p], p) if i % 2 else (p, "") for i, p in enumerate(parts)]


@dataclass(frozen=True, eq=False)
class PageSection:
    """A section.

    Attributes:
        id: What links to it say.
        title: Its heading.
        values: What its template shows.
        charts: What is drawn in it.
        nav: Whether the list of sections has it.
    """

    id: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)
    charts: tuple[PageChart, ...] = ()
    nav: bool = True

    @property
    def template(self) -> str:
        """The file that says how it looks."""
        return f"{self.id}.html"


def make_table(
    name: str,
    caption: str,
    columns: Sequence[PageColumn],
    rows: Sequence[Sequence[str | PageCell]],
    note: str = "",
) -> PageTable:
    """Make a table with a single group of rows."""
    return PageTable(name, caption, tuple(columns), (make_group("", rows),), note)


def make_group(title: str, rows: Sequence[Sequence[str | PageCell]]) -> RowGroup:
    """Make a group of rows, in which texts become cells without a mark.

    >>> make_group("", [["q1", PageCell("0.5", "best")]]).rows
    [[PageCell(text='q1', mark=''), PageCell(text='0.5', mark='best')]]
    """
    return RowGroup(
        title, [[c if isinstance(c, PageCell) else PageCell(c) for c in row] for row in rows]
    )


_DEFINED = re.compile(r'\bid="([^"]+)"')
_USED = re.compile(r"url\(#([^)]+)\)")
_TAG = re.compile(r"<[^>]*>")
_PLACED = re.compile(r'\b(?:d|transform|[xy][12]?|width|height)="[^"]*"')
_LONG = re.compile(r"\d+\.\d{3,}(?:e-?\d+)?")
_DESCRIBED = re.compile(r' aria-roledescription="[^"]*"(?= )')


class Drawing(NamedTuple):
    """A chart, drawn: SVG, and the Vega specification that draws it again."""

    svg: str
    spec: Spec


def draw_chart(chart: Spec, name: str) -> Drawing:
    """Draw a Vega-Lite chart as SVG; its ids begin with a name, so that a page can hold several.

    It is painted in the colors of a light page; the style of the page has a rule for each.
    """
    spec = compile_chart(chart)
    # The renderer aborts on characters that cannot be shown; scripts need the original id.
    svg = import_converter().vega_to_svg(map_texts(sanitize_text, spec))
    return Drawing(clean_svg(svg, name), spec)


def compile_chart(chart: Spec) -> Spec:
    """Compile a Vega-Lite chart to the Vega specification that scripts draw."""
    spec: Spec = import_converter().vegalite_to_vega(map_texts(_replace_line_separators, chart))
    return spec


def import_converter() -> Any:
    """Import the converter of charts."""
    return import_package("vl_convert", "report", install="'gainful[report]'")


def _replace_line_separators(text: str) -> str:
    """Replace the line separators that would end a quoted text in a Vega expression."""
    return encode_text(text).replace("\u2028", "\u2424").replace("\u2029", "\u2424")


def clean_svg(svg: str, name: str) -> str:
    """Give the picture ids of its own and two decimals per coordinate, in text valid in HTML.

    >>> clean_svg('<g id="a"><path clip-path="url(#a)" d="M0.123456,1e-9"/></g>', "curves")
    '<g id="curves-1"><path clip-path="url(#curves-1)" d="M0.12,1e-9"/></g>'
    """
    # Numbered again: the renderer continues its numbers from one picture to the next.
    old_ids = dict.fromkeys(_DEFINED.findall("".join(_TAG.findall(svg))))
    ids = {old_id: f"{name}-{number}" for number, old_id in enumerate(old_ids, 1)}
    # Only in tags: between them is text, whatever it looks like.
    return _TAG.sub(lambda tag: _clean_tag(tag[0], ids), sanitize_text(svg))


def _clean_tag(tag: str, ids: dict[str, str]) -> str:
    tag = _DESCRIBED.sub("", _PLACED.sub(lambda match: _LONG.sub(_shorten_number, match[0]), tag))
    tag = _DEFINED.sub(lambda match: f'id="{ids[match[1]]}"', tag)
    return _USED.sub(lambda match: f"url(#{ids.get(match[1], match[1])})", tag)


def _shorten_number(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
