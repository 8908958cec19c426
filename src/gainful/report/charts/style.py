"""How every chart looks, and how rows get into it."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.base import import_package

if TYPE_CHECKING:
    from altair.typing import ChartType


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


LIGHT = {name: color.light for name, color in PALETTE.items()}  # charts are drawn with it

Row = Mapping[str, Any]
Rows = Iterable[Row]
Spec = dict[str, Any]  # Vega-Lite, or a part of it

WIDTH = 640
# Text is measured when a chart is written, and shown elsewhere: these fonts are about as wide.
FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans Condensed, sans-serif"
MOST_LABELED_MARKS = 400  # marks, up to which each has a label of its own for screen readers
SIGNED_LABELS = "datum.value == 0 ? '0' : format(datum.value, '+~f')"  # labels of an axis
_LETTER = 7.2  # pixels that a letter takes, about
_SIZE = 13


def replace_nan(rows: Rows) -> list[dict[str, Any]]:
    """Replace NaN and infinity with None, as JSON has no number for them.

    >>> replace_nan([{"run": "bm25", "value": float("nan")}])
    [{'run': 'bm25', 'value': None}]
    """
    return [{name: _replace_nonfinite(value) for name, value in row.items()} for row in rows]


def _replace_nonfinite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def encode_number(field: str, **options: object) -> Spec:
    """Encode a number: a place on an axis."""
    return {"field": field, "type": "quantitative", **options}


def encode_name(field: str, **options: object) -> Spec:
    """Encode a name: a row, a color or a text."""
    return {"field": field, "type": "nominal", **options}


def make_layer(
    mark: str,
    encoding: Spec,
    *,
    transform: Sequence[Spec] = (),
    data: Sequence[Row] | None = None,
    **style: Any,
) -> Spec:
    """Make a layer of marks: of the rows of the chart, or of rows of its own.

    >>> make_layer("rule", {"x": encode_number("low")}, aria=False)["mark"]
    {'type': 'rule', 'aria': False}
    """
    layer: Spec = {"mark": {"type": mark, **style}, "encoding": encoding}
    if transform:
        layer["transform"] = list(transform)
    if data is not None:
        layer["data"] = {"values": list(data)}
    return layer


def calculate(**expressions: str) -> list[Spec]:
    """Make the transforms that add fields to every row.

    >>> calculate(twice="2 * datum.value")
    [{'calculate': '2 * datum.value', 'as': 'twice'}]
    """
    return [{"calculate": text, "as": field} for field, text in expressions.items()]


def finish_chart(
    parts: Spec, rows: Sequence[Row], description: str, *, fitted: bool = True
) -> Spec:
    """Return the whole chart: with its rows, which a page can replace, and the shared style.

    Args:
        parts: The layers or panels, and their sizes.
        rows: The data set named ``rows``.
        description: What the chart shows, for screen readers.
        fitted: Whether the width includes axes and labels.
    """
    size = {"autosize": {"type": "fit-x", "contains": "padding"}} if fitted else {}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": description,
        "data": {"name": "rows", "values": list(rows)},
        "padding": 8,
        **size,
        **parts,
        "config": _make_style(),
    }


def make_altair_chart(spec: Spec) -> "ChartType":
    """Return a chart as an Altair chart, to be changed, shown and saved."""
    altair = import_package("altair", "charts", install="'gainful[report]'")
    chart: ChartType = altair.Chart.from_dict(spec)
    return chart


def _make_style() -> Spec:
    text = {"fontSize": _SIZE, "fontWeight": "normal"}
    labels = {
        "labelFontSize": _SIZE,
        "labelColor": LIGHT["muted"],
        "labelFontWeight": "normal",
    }
    titles = {"titleFontSize": _SIZE, "titleColor": LIGHT["ink"], "titleFontWeight": 600}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "text": {"color": LIGHT["ink"], **text},
        "axis": {
            **labels,
            **titles,
            "labelPadding": 6,
            "titlePadding": 10,
            "labelLimit": 200,
            "gridColor": LIGHT["grid"],
            "domainColor": LIGHT["grid"],
            "tickColor": LIGHT["grid"],
            "ticks": False,
            "domain": False,
            "labelFlush": False,
        },
        "legend": {
            **labels,
            **titles,
            "labelColor": LIGHT["ink"],
            "orient": "top",
            "direction": "horizontal",
            "symbolStrokeWidth": 2.4,
            "labelLimit": 240,
            "columnPadding": 18,
            "offset": 16,
        },
        "header": {**labels, **titles, "labelColor": LIGHT["ink"], "labelLimit": 300},
    }


def make_top_titled_axis(title: str, **more: Any) -> Spec:
    """Make a vertical axis with its title above it, written horizontally."""
    placement = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end"}
    return {
        "title": title, **placement, "titleBaseline": "bottom", "titleX": -34, "titleY": -10, **more
    }  # fmt: skip


def make_number_expression(field: str, pattern: str = ".4f") -> str:
    """Make the Vega expression that formats a number, or says ``none`` where there is none.

    >>> make_number_expression("low")
    "(isValid(datum.low) ? format(datum.low, '.4f') : 'none')"
    """
    return f"(isValid(datum.{field}) ? format(datum.{field}, '{pattern}') : 'none')"


def add_tooltip(layer: Spec, titles: Mapping[str, str], label: str | None) -> Spec:
    """Add a tooltip of expressions by title, and a label for screen readers, if any.

    Vega's own tooltips would show a missing number as 0.
    """
    fields = {f"tooltip_{i}": expression for i, expression in enumerate(titles.values())}
    tooltip = [encode_name(field, title=t) for field, t in zip(fields, titles, strict=True)]
    encoding = {**layer["encoding"], "tooltip": tooltip}
    if label is not None:
        fields["aria_label"] = label
        encoding["description"] = encode_name("aria_label")
    transform = [*layer.get("transform", ()), *calculate(**fields)]
    return {**layer, "encoding": encoding, "transform": transform}


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
) -> Spec | None:
    """Make a legend above the chart that fits its width; None for too few names."""
    if len(names) < fewest:
        return None
    short = shorten_names(names, 30)
    wide = 50 + _LETTER * max(map(len, short.values()))
    symbol = {"symbolType": "stroke", "symbolSize": 420} if lines else {"symbolSize": 110}
    return {
        "title": None,
        "labelExpr": _make_label_expression(short),
        "columns": max(1, int((WIDTH - 40) // wide)),
        "offset": offset,
        **symbol,
    }


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
    return RunStyles(
        list(names),
        named_runs,
        [LIGHT[RUNS[place[n]] if n in place else "same"] for n in names],
        [DASHES[place[n] % len(DASHES)] if n in place else [1, 0] for n in names],
        [SHAPES[place[n] % len(SHAPES)] if n in place else "circle" for n in names],
    )


def list_names(rows: Rows, field: str = "run") -> list[str]:
    """List the distinct names in a field, in the order of the rows.

    >>> list_names([{"run": "b"}, {"run": "a"}, {"run": "b"}])
    ['b', 'a']
    """
    return list(dict.fromkeys(row[field] for row in rows))


def make_scale(names: Sequence[str], values: Sequence[Any]) -> Spec:
    """Make a scale that maps every name to its value."""
    return {"domain": list(names), "range": list(values)}


def color_names(field: str, colors: Mapping[str, str], **options: object) -> Spec:
    """Encode a name as a color, given the name in the palette of each."""
    scale = make_scale(list(colors), [LIGHT[color] for color in colors.values()])
    return encode_name(field, scale=scale, **{"legend": None, **options})


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
