"""How every chart looks, and how rows get into it."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gainful.base import import_package


class Color(NamedTuple):
    """One color: its value on a light page and on a dark one."""

    light: str
    dark: str


PALETTE = {
    "ink": Color("#1b2230", "#e8ebf0"),
    "muted": Color("#566070", "#a9b2c0"),
    "grid": Color("#e2e5ea", "#333a45"),
    "page": Color("#ffffff", "#14171c"),
    "panel": Color("#f5f6f8", "#1d2128"),
    "a": Color("#3451b2", "#8fa9ff"),
    "b": Color("#9a6200", "#e6ac3a"),
    "better": Color("#00748a", "#3cc0dc"),
    "worse": Color("#b3360f", "#ff8b5e"),
    "same": Color("#6a7280", "#949dab"),
    "relevant": Color("#0b5c8f", "#58b4e6"),
    "nonrelevant": Color("#8d8577", "#8b8678"),
    "unjudged": Color("#c0570c", "#f2a65a"),
    "accent": Color("#5a3fc0", "#b3a4ff"),
    # Of runs: the first two look like a and b, as they usually are these two.
    "run1": Color("#3552b3", "#90aaff"),
    "run2": Color("#9b6301", "#e7ad3b"),
    "run3": Color("#1c7f61", "#5f9e1b"),
    "run4": Color("#8a2a5b", "#c96a96"),
    "run5": Color("#1c1150", "#3a86f5"),
    "run6": Color("#8a53d0", "#d5d4fa"),
    "run7": Color("#2c3305", "#f6eb7f"),
    "run8": Color("#544b1b", "#fd7fb0"),
}
RUNS = tuple(name for name in PALETTE if name.startswith("run"))


def get_light_color(name: str) -> str:
    """Return the value of a color on a light page; charts are drawn with it.

    >>> get_light_color("page")
    '#ffffff'
    """
    return PALETTE[name].light


def list_run_colors() -> list[str]:
    """Return the colors of runs on a light page, in their order.

    >>> list_run_colors()[:2]
    ['#3552b3', '#9b6301']
    """
    return [get_light_color(name) for name in RUNS]


Row = Mapping[str, Any]
AltairChart = Any  # Altair builds its classes from a schema, which type checkers cannot follow
Rows = Iterable[Row]

WIDTH = 640
# Text is measured when a chart is written, and shown elsewhere: these fonts are about as wide.
FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans Condensed, sans-serif"
MOST_LABELED_MARKS = 400  # marks, up to which each has a label of its own for screen readers
SIGNED_LABELS = "datum.value == 0 ? '0' : format(datum.value, '+~f')"  # labels of an axis
_LETTER = 7.2  # pixels that a letter takes, about
_SIZE = 13


def import_altair() -> Any:
    """Import Altair; if it is not installed, raise an error that says how to install it."""
    return import_package("altair", "charts", install="'gainful[report]'")


def replace_nan(rows: Rows) -> list[dict[str, Any]]:
    """Replace NaN and infinity with None, as JSON has no number for them.

    >>> replace_nan([{"run": "bm25", "value": float("nan")}])
    [{'run': 'bm25', 'value': None}]
    """
    return [{name: _replace_nonfinite(value) for name, value in row.items()} for row in rows]


def _replace_nonfinite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def make_chart(rows: Sequence[Row]) -> AltairChart:
    """Make a chart of rows that a page can replace: their data set is named ``rows``."""
    alt = import_altair()
    return alt.Chart(alt.InlineData(values=list(rows), name="rows"))


def make_single_row_chart(**values: object) -> AltairChart:
    """Make a chart of a single row, for what is drawn once."""
    alt = import_altair()
    return alt.Chart(alt.InlineData(values=[values]))


def make_helper_chart(rows: Sequence[Row]) -> AltairChart:
    """Make a chart of rows that are not the reader's data, such as the places of labels."""
    alt = import_altair()
    return alt.Chart(alt.InlineData(values=list(rows)))


def finish_chart(chart: AltairChart, description: str, *, fitted: bool = True) -> AltairChart:
    """Apply the shared style; if ``fitted``, the width includes axes and labels."""
    size = import_altair().AutoSizeParams(type="fit-x", contains="padding")
    more = {"autosize": size} if fitted else {}
    styled = chart.properties(description=description, padding=8, **more)
    return styled.configure(**_make_style())


def _make_style() -> dict[str, Any]:
    text = {"fontSize": _SIZE, "fontWeight": "normal"}
    labels = {
        "labelFontSize": _SIZE,
        "labelColor": get_light_color("muted"),
        "labelFontWeight": "normal",
    }
    titles = {"titleFontSize": _SIZE, "titleColor": get_light_color("ink"), "titleFontWeight": 600}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "text": {"color": get_light_color("ink"), **text},
        "axis": {
            **labels,
            **titles,
            "labelPadding": 6,
            "titlePadding": 10,
            "labelLimit": 200,
            "gridColor": get_light_color("grid"),
            "domainColor": get_light_color("grid"),
            "tickColor": get_light_color("grid"),
            "ticks": False,
            "domain": False,
            "labelFlush": False,
        },
        "legend": {
            **labels,
            **titles,
            "labelColor": get_light_color("ink"),
            "orient": "top",
            "direction": "horizontal",
            "symbolStrokeWidth": 2.4,
            "labelLimit": 240,
            "columnPadding": 18,
            "offset": 16,
        },
        "header": {**labels, **titles, "labelColor": get_light_color("ink"), "labelLimit": 300},
    }


def make_top_titled_axis(title: str, **more: object) -> AltairChart:
    """Make a vertical axis with its title above it, written horizontally."""
    placement = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end"}
    placement |= {"titleBaseline": "bottom", "titleX": -34, "titleY": -10}
    return import_altair().Axis(title=title, **placement, **more)


def make_number_expression(field: str, pattern: str = ".4f") -> str:
    """Make the Vega expression that formats a number, or says ``none`` where there is none.

    >>> make_number_expression("low")
    "(isValid(datum.low) ? format(datum.low, '.4f') : 'none')"
    """
    return f"(isValid(datum.{field}) ? format(datum.{field}, '{pattern}') : 'none')"


def add_tooltip(chart: AltairChart, titles: Mapping[str, str], label: str | None) -> AltairChart:
    """Add a tooltip of expressions by title, and a label for screen readers, if any.

    Vega's own tooltips would show a missing number as 0.
    """
    alt = import_altair()
    fields = {f"told_{i}": expression for i, expression in enumerate(titles.values())}
    tooltip = [alt.Tooltip(f"told_{i}:N", title=title) for i, title in enumerate(titles)]
    with_tooltip = chart.transform_calculate(**fields).encode(tooltip=tooltip)
    if label is None:
        return with_tooltip
    return with_tooltip.transform_calculate(told=label).encode(description="told:N")


def make_text_expression(field: str) -> str:
    """Make the Vega expression for a text field; it is empty where there is no text."""
    return f"(isValid(datum.{field}) ? '' + datum.{field} : '')"


def quote_text(value: str) -> str:
    """Quote a text for a Vega expression.

    >>> print(quote_text('it is "x"'))
    "it is \\"x\\""
    """
    return json.dumps(value)


def make_legend(
    names: Sequence[str], *, lines: bool = False, offset: float = 16, fewest: int = 2
) -> AltairChart:
    """Make a legend above the chart that fits its width; None for too few names."""
    alt = import_altair()
    if len(names) < fewest:
        return None
    short = shorten_names(names, 30)
    wide = 50 + _LETTER * max(map(len, short.values()))
    symbol = {"symbolType": "stroke", "symbolSize": 420} if lines else {"symbolSize": 110}
    return alt.Legend(
        title=None,
        labelExpr=_make_label_expression(short),
        columns=max(1, int((WIDTH - 40) // wide)),
        offset=offset,
        **symbol,
    )


def make_short_labels(names: Sequence[str], widest: int = 30) -> dict[str, Any]:
    """Return axis options that cut the middle of long names, not their end."""
    short = shorten_names(names, widest)
    long = {name: text for name, text in short.items() if name != text}
    return {"labelExpr": _make_label_expression(long)} if long else {}


def make_panel_labels(names: Sequence[str], widest: int) -> dict[str, Any]:
    """Return header options that cut the middle of long names."""
    # Vega-Lite puts the label in place of the words, once and without brackets around it.
    return {"labelExpr": f"({json.dumps(shorten_names(names, widest))})[(datum.label)]"}


def _make_label_expression(names: Mapping[str, str]) -> str:
    return f"({json.dumps(names)})[datum.label] || datum.label"


def shorten_names(names: Sequence[str], widest: int = 24) -> dict[str, str]:
    """Map names to themselves, long ones without their middle; all stay distinct.

    >>> shorten_names(["bm25", "a run with a rather long name"], widest=12)
    {'bm25': 'bm25', 'a run with a rather long name': 'a run… name'}
    """
    distinct = list(dict.fromkeys(names))
    while True:
        short = {name: _cut_middle(name, widest) for name in distinct}
        if len(set(short.values())) == len(distinct):
            return short
        widest += 8


def _cut_middle(name: str, widest: int) -> str:
    if len(name) <= widest:
        return name
    half = (widest - 1) // 2
    return f"{name[:half].rstrip()}…{name[-half:]}"


MOST_COLORED_RUNS = 8  # runs that have a color each
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond")


class RunStyles(NamedTuple):
    """The runs of a chart in their order, and the look of each."""

    names: list[str]
    named_runs: list[str]
    colors: list[str]
    dashes: list[list[int]]
    shapes: list[str]


def assign_styles(names: Sequence[str], highlight: Sequence[str] = ()) -> RunStyles:
    """Assign a style to each run; of more than eight only those in ``highlight`` stand out.

    >>> assign_styles(["old", "new"]).colors
    ['#3552b3', '#9b6301']
    """
    few = len(names) <= MOST_COLORED_RUNS
    named_runs = (
        list(names) if few else [name for name in names if name in highlight][:MOST_COLORED_RUNS]
    )
    place = {name: i for i, name in enumerate(named_runs)}
    all_colors = list_run_colors()
    return RunStyles(
        list(names),
        named_runs,
        [all_colors[place[n]] if n in place else get_light_color("same") for n in names],
        [DASHES[place[n] % len(DASHES)] if n in place else [1, 0] for n in names],
        [SHAPES[place[n] % len(SHAPES)] if n in place else "circle" for n in names],
    )


def list_names(rows: Rows, field: str = "run") -> list[str]:
    """List the distinct names in a field, in the order of the rows.

    >>> list_names([{"run": "b"}, {"run": "a"}, {"run": "b"}])
    ['b', 'a']
    """
    return list(dict.fromkeys(row[field] for row in rows))


def make_scale(names: list[str], values: Sequence[Any]) -> AltairChart:
    """Make a scale that maps every name to its value."""
    return import_altair().Scale(domain=names, range=list(values))


def round_span(
    values: Iterable[float | None], *, extra: tuple[float, ...] = ()
) -> tuple[float, float]:
    """Return a round lower and upper end that contain all values and some more numbers.

    >>> round_span([0.31, None, 0.58])
    (0.3, 0.6)
    >>> round_span([])
    (0.0, 1.0)
    """
    numbers = [value for value in (*values, *extra) if value is not None]
    if not numbers:
        return 0.0, 1.0
    low, high = min(numbers), max(numbers)
    step = _choose_step(max(high - low or abs(high), 1e-9 * max(abs(low), abs(high), 1)))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = 12 - math.floor(math.log10(step))
    ends = round(first * step, digits), round(max(last, first + 1) * step, digits)
    return min(ends[0], low), max(ends[1], high)  # rounding may have cut off the outermost


def choose_domain(rows: Iterable[Mapping[str, Any]], field: str) -> dict[str, Any]:
    """Return the ends of an axis if its field has no number; otherwise Vega finds them itself.

    >>> choose_domain([{"low": None}], "low"), choose_domain([{"low": 0.2}], "low")
    ({'domain': [0, 1]}, {})
    """
    return {} if any(row[field] is not None for row in rows) else {"domain": [0, 1]}


def _choose_step(wide: float) -> float:
    power = 10.0 ** math.floor(math.log10(wide))
    return power if wide > 5 * power else power / 2 if wide > 2 * power else power / 5


def choose_ticks(first: int, last: int, *, log: bool = False) -> list[int]:
    """Choose about ten round whole numbers between two ends, including the first.

    >>> choose_ticks(1, 50)
    [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50]
    >>> choose_ticks(1, 50, log=True)
    [1, 2, 5, 10, 20, 50]
    """
    if log:
        decades = (10**power for power in range(len(str(last))))
        return [n for ten in decades for n in (ten, 2 * ten, 5 * ten) if first <= n <= last]
    steps = (m * 10**power for power in range(len(str(last)) + 1) for m in (1, 2, 5))
    step = next(step for step in steps if (last - first) / step <= 11)
    start = -(-first // step) * step
    ticks = list(range(start, last + 1, step))
    return ticks if first in ticks or ticks[0] - first < step / 2 else [first, *ticks]


def spread_places(places: Sequence[float], gap: float) -> list[float]:
    """Move places as little as needed to be at least a gap apart, in the same order.

    >>> spread_places([0.0, 1.0, 9.0], 3.0)
    [-1.0, 2.0, 9.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    blocks: list[list[float]] = []  # of each block: its center, and how many places are in it
    for i in order:
        blocks.append([places[i], 1])
        while len(blocks) > 1 and _overlaps(blocks[-2], blocks[-1], gap):
            center, n = blocks.pop()
            before, m = blocks.pop()
            blocks.append([(before * m + center * n) / (m + n), m + n])
    new_places = [c + gap * (k - (n - 1) / 2) for c, n in blocks for k in range(int(n))]
    return [new_places[order.index(i)] for i in range(len(places))]


def _overlaps(lower: list[float], upper: list[float], gap: float) -> bool:
    return upper[0] - lower[0] < gap * (lower[1] + upper[1]) / 2
