"""How the values of queries are distributed, and what is judged."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.base import FloatArray
from gainful.report.charts.style import (
    LIGHT,
    MOST_COLORED_RUNS,
    MOST_LABELED_MARKS,
    WIDTH,
    Row,
    Rows,
    Spec,
    add_tooltip,
    assign_styles,
    calculate,
    choose_domain,
    choose_ticks,
    color_names,
    encode_name,
    encode_number,
    finish_chart,
    list_names,
    make_altair_chart,
    make_layer,
    make_legend,
    make_number_expression,
    make_panel_labels,
    make_scale,
    make_short_labels,
    make_text_expression,
    make_top_titled_axis,
    replace_nan,
    round_span,
    shorten_names,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

Values = Sequence[float] | FloatArray
_BARS = 20
_TALL = 4  # runs, up to which a histogram has room for an axis of its own


def make_histogram_rows(
    values: Mapping[str, Values],
    *,
    ends: tuple[float, float] | None = None,
    n_bars: int = _BARS,
) -> list[dict[str, Any]]:
    """Return the rows of ``draw_histogram``: the values of every run, counted in shared bars.

    NaN is left out. The upper end of a bar belongs to the next bar, except for the last one.

    Args:
        values: The values of every run.
        ends: Where the bars begin and end. If not given: 0 and 1, or round numbers around values
            that are not all between these.
        n_bars: How many bars there are.

    >>> [row for row in make_histogram_rows({"bm25": [0.0, 0.5, 0.52, 1.0]}) if row["low"] == 0.5]
    [{'run': 'bm25', 'low': 0.5, 'high': 0.55, 'count': 2, 'share': 0.5}]
    """
    finite = {run: _drop_nan(of_run) for run, of_run in values.items()}
    low, high = ends or _find_ends(finite)
    edges = [*(low + (high - low) * i / n_bars for i in range(n_bars)), high]
    return [
        {"run": run, "low": low, "high": high, "count": n, "share": n / max(len(numbers), 1)}
        for run, numbers in finite.items()
        for low, high, n in zip(
            edges[:-1], edges[1:], np.histogram(numbers, bins=edges)[0].tolist(), strict=True
        )
    ]


def _find_ends(finite: Mapping[str, FloatArray]) -> tuple[float, float]:
    outermost = [float(end) for v in finite.values() if len(v) for end in (v.min(), v.max())]
    bounded = all(0 <= end <= 1 for end in outermost)
    return (0.0, 1.0) if bounded else round_span(outermost)


def _drop_nan(values: Values) -> FloatArray:
    numbers: FloatArray = np.asarray(values, dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def make_ecdf_rows(values: Mapping[str, Values]) -> list[dict[str, Any]]:
    """Return the rows of ``draw_ecdf``: every value of a run and the share of values up to it.

    Each value of a run occurs once. Every run begins at the lowest value of all runs and ends at
    the highest; NaN is left out.

    >>> [row["share"] for row in make_ecdf_rows({"bm25": [0.0, 0.5, 0.5, 1.0]})]
    [0.25, 0.75, 1.0]
    """
    finite = {run: np.sort(_drop_nan(of_run)) for run, of_run in values.items()}
    ends = [float(end) for v in finite.values() if len(v) for end in (v[0], v[-1])]
    rows = []
    for run, v in finite.items():
        steps = np.unique(np.concatenate([v, [min(ends), max(ends)]])) if len(v) else v
        shares = np.searchsorted(v, steps, side="right") / max(len(v), 1)
        pairs = zip(steps.tolist(), shares.tolist(), strict=True)
        rows += [{"run": run, "value": value, "share": share} for value, share in pairs]
    return rows


def plot_distribution(values: Mapping[str, Values], *, measure: str, kind: str) -> "ChartType":
    """Plot a histogram of values, or the share of them up to each value (kind ``ecdf``)."""
    if kind == "ecdf":
        return make_altair_chart(draw_ecdf(make_ecdf_rows(values), measure=measure))
    return make_altair_chart(draw_histogram(make_histogram_rows(values), measure=measure))


def draw_histogram(rows: Rows, *, measure: str, width: float = WIDTH) -> Spec:
    """Draw a histogram for every run, below each other on one axis.

    Args:
        rows: One for every run and bar: run, low, high, count, share.
        measure: What the horizontal axis is called.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "low": 0.0, "high": 0.5, "count": 3, "share": 1.0}]
    >>> draw_histogram(rows, measure="nDCG@10")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names = list_names(values)
    described = f"Histogram of {measure} over queries, for each of {len(names)} runs."
    if len(names) > _TALL:
        parts = {**_draw_low_bars(values, names, measure), "width": width}
        return finish_chart({**parts, "height": 38 * len(names)}, values, described)
    header = {
        "title": None,
        "labelOrient": "top",
        "labelAnchor": "start",
        "labelPadding": 4,
        "labelFontWeight": 600,
        **make_panel_labels(names, 40),
    }
    panel = {"width": width - 90, "height": 240 if len(names) == 1 else 110}
    parts = {
        "facet": {"row": encode_name("run", sort=names, header=header)},
        "spec": {**_draw_tall_bars(values, names, measure), **panel},
        "spacing": 14,
    }
    return finish_chart(parts, values, described, fitted=False)


def _draw_bars(
    values: Sequence[Row], measure: str, encoding: Spec, transform: Sequence[Spec] = ()
) -> Spec:
    few = len(values) <= MOST_LABELED_MARKS
    axis = {"title": measure, "grid": False, "tickCount": 10}
    bars = make_layer(
        "rect",
        {"x": encode_number("low", axis=axis), "x2": {"field": "high"}, **encoding},
        transform=transform,
        x2Offset=-1,
        ariaRoleDescription="bar",
        aria=few,
    )
    low, high = (make_number_expression(end, ".2f") for end in ("low", "high"))
    titles = {
        "run": make_text_expression("run"),
        "from": low,
        "to": high,
        "queries": make_text_expression("count"),
        "share": make_number_expression("share", ".1%"),
    }
    label = f"datum.run + ': ' + datum.count + ' queries from ' + {low} + ' to ' + {high}"
    return add_tooltip(bars, titles, label if few else None)


def _draw_tall_bars(values: Sequence[Row], names: list[str], measure: str) -> Spec:
    axis = {"title": "queries", "format": "%", "tickCount": 4, "titlePadding": 8}
    colors = make_scale(names, assign_styles(names).colors)
    encoding = {
        "y": encode_number("share", axis=axis, stack=None),
        "y2": {"datum": 0},
        "color": encode_name("run", scale=colors, legend=None),
    }
    return _draw_bars(values, measure, encoding)


def _draw_low_bars(values: Sequence[Row], names: list[str], measure: str) -> Spec:
    """Draw many runs below each other on one scale, each with its name instead of an axis."""
    largest = max((row["share"] or 0.0 for row in values), default=0.0) or 1.0
    bottom = f"indexof({json.dumps(names)}, datum.run) + 1"
    scale = {"domain": [0, len(names)], "reverse": True, "nice": False}
    encoding = {
        "y": encode_number("bottom", scale=scale, axis=_make_row_axis(names, 22, 0.6, "ink")),
        "y2": {"field": "top"},
        "color": {"value": LIGHT["a"]},
    }
    top = f"{bottom} - 0.85 * datum.share / {largest!r}"
    return _draw_bars(values, measure, encoding, calculate(bottom=bottom, top=top))


def _make_row_axis(names: list[str], widest: int, place: float, color: str) -> Spec:
    """Make an axis of numbers that shows a name for each row."""
    short = list(shorten_names(names, widest).values())
    return {
        "title": None,
        "values": [i + place for i in range(len(names))],
        "labelExpr": f"({json.dumps(short)})[floor(datum.value)]",
        "labelColor": LIGHT[color],
        "grid": False,
    }


def draw_ecdf(
    rows: Rows, *, measure: str, highlight: Sequence[str] = (), width: float = WIDTH
) -> Spec:
    """Draw, for every run, the share of queries with at most a given value.

    A lower line belongs to a better run. With more than eight runs only those in ``highlight`` have
    a color and a name.

    Args:
        rows: One for every run and value: run, value, share.
        measure: What the horizontal axis is called.
        highlight: The runs that stand out among many.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "value": v, "share": v} for v in (0.5, 1.0)]
    >>> draw_ecdf(rows, measure="nDCG@10")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names = list_names(values)
    axis = {"title": measure, "grid": False, "tickCount": 10}
    shares = make_top_titled_axis("queries with at most this value", format="%", tickCount=5)
    places = {
        "x": encode_number("value", axis=axis, scale=choose_domain(values, "value")),
        "y": encode_number("share", axis=shares, scale={"domain": [0, 1]}),
    }
    parts = {
        "layer": _draw_steps(places, names, highlight or names[:1], len(values)),
        "width": width,
        "height": 300,
    }
    described = f"Share of queries with at most a value of {measure}, for {len(names)} runs."
    return finish_chart(parts, values, described)


def _draw_steps(places: Spec, names: list[str], highlight: Sequence[str], n: int) -> list[Spec]:
    look = assign_styles(names, highlight)
    many = len(names) > MOST_COLORED_RUNS
    # Among others, even a single run must be named.
    legend = make_legend(look.named_runs, lines=True, offset=30, fewest=1 if many else 2)
    named = [look.names.index(name) for name in look.named_runs]
    colors = make_scale(look.named_runs, [look.colors[i] for i in named])
    dashes = make_scale(look.named_runs, [look.dashes[i] for i in named])
    encoding = {
        **places,
        "color": encode_name("run", scale=colors, legend=legend),
        "strokeDash": encode_name("run", scale=dashes, legend=legend),
        "tooltip": encode_name("run"),
        "description": encode_name("run"),
    }
    lines = make_layer(
        "line",
        encoding,
        transform=[{"filter": {"field": "run", "oneOf": look.named_runs}}],
        interpolate="step-after",
        strokeWidth=2.4,
        aria=n <= MOST_LABELED_MARKS,
    )
    quiet = make_layer(
        "line",
        {**places, "detail": encode_name("run")},
        interpolate="step-after",
        strokeWidth=1,
        opacity=0.5,
        color=LIGHT["same"],
        aria=False,
    )
    return [quiet, lines] if many else [lines]


_STATES = {
    "relevant": ("relevant", "square", 90),
    "not relevant": ("nonrelevant", "circle", 30),
    "unjudged": ("unjudged", "cross", 64),
}
_STEP = 15


def draw_coverage(rows: Rows, *, width: float = WIDTH) -> Spec:
    """Draw a map for every run, with a row for every query and a mark for every rank.

    A relevant item is a square, an item that is not relevant a dot, an unjudged item a cross. Ranks
    without an item are empty.

    Args:
        rows: One for every run, query and rank: run, query, rank, state. The state is relevant,
            not relevant, unjudged or nothing.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "query": "q1", "rank": 1, "state": "relevant"}]
    >>> draw_coverage(rows)["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names, queries = list_names(values), list_names(values, "query")
    few = len(values) <= MOST_LABELED_MARKS
    legend = make_legend([*_STATES])
    shapes = make_scale([*_STATES], [shape for _, shape, _ in _STATES.values()])
    # Not a scale of sizes, which would spread them evenly.
    sizes = json.dumps({state: size for state, (*_, size) in _STATES.items()})
    marks = make_layer(
        "point",
        {
            "x": _encode_rank(values),
            "y": encode_name(
                "query", sort=queries, axis={"title": None, **make_short_labels(queries, 18)}
            ),
            "color": _color_states(legend),
            "shape": encode_name("state", scale=shapes, legend=legend),
        },
        transform=[{"filter": "datum.state != 'nothing'"}],
        filled=True,
        opacity=1,
        size={"expr": f"{sizes}[datum.state]"},
        aria=few,
    )
    titles = {field: make_text_expression(field) for field in ("run", "query", "rank", "state")}
    label = "datum.run + ', query ' + datum.query + ', rank ' + datum.rank + ': ' + datum.state"
    panel = add_tooltip(marks, titles, label if few else None) | {"height": {"step": _STEP}}
    described = f"What is judged, by query and rank, for each of {len(names)} runs."
    parts = _facet_by_run(panel, values, names, width)
    return finish_chart(parts, values, described, fitted=False)


def draw_coverage_shares(rows: Rows, *, width: float = WIDTH) -> Spec:
    """Draw the shares of judged items for many queries: one row per range of queries.

    Relevant items are at the bottom, unjudged items at the top, items that are not relevant
    between.

    Args:
        rows: One for every run, range of queries and rank: run, query, rank, relevant, judged,
            unjudged. The shares are of the queries of the range; judged counts relevant too.
        width: In pixels, labels included.

    >>> row = {"run": "bm25", "query": "q1-q9", "rank": 1}
    >>> shares = {"relevant": 0.5, "judged": 0.75, "unjudged": 0.25}
    >>> draw_coverage_shares([row | shares])["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names, ranges = list_names(values), list_names(values, "query")
    starts = {
        "relevant": ("0", "datum.relevant"),
        "not relevant": ("datum.relevant", "datum.judged - datum.relevant"),
        "unjudged": ("datum.judged", "datum.unjudged"),
    }
    layers = [_draw_shares(state, *starts[state], values, ranges) for state in _STATES]
    described = f"Shares of judged items, by queries and rank, for each of {len(names)} runs."
    panel = {"layer": layers, "height": 32 * max(len(ranges), 1)}
    parts = _facet_by_run(panel, values, names, width)
    return finish_chart(parts, values, described, fitted=False)


def _draw_shares(
    state: str, start: str, share: str, values: Sequence[Row], ranges: list[str]
) -> Spec:
    """Draw the share of one state in every rank and range of queries, from where it starts."""
    line = f"indexof({json.dumps(ranges)}, datum.query)"
    upwards = {"domain": [0, max(len(ranges), 1)], "reverse": True, "nice": False}
    marks = make_layer(
        "bar",
        {
            "x": _encode_rank(values),
            "y": encode_number(
                "bottom", scale=upwards, axis=_make_row_axis(ranges, 20, 0.57, "muted")
            ),
            "y2": {"field": "top"},
            "color": _color_states(make_legend([*_STATES])),
        },
        transform=calculate(
            state=f"'{state}'",
            bottom=f"{line} + 1 - 0.86 * ({start})",
            top=f"{line} + 1 - 0.86 * ({start} + {share})",
        ),
        width={"band": 0.86},
        aria=False,
    )
    titles = {
        "run": make_text_expression("run"),
        "queries": make_text_expression("query"),
        "rank": make_text_expression("rank"),
        **{
            name: make_number_expression(name, ".1%") for name in ("relevant", "judged", "unjudged")
        },
    }
    return add_tooltip(marks, titles, None)


def _color_states(legend: Spec | None) -> Spec:
    colors = {state: color for state, (color, *_) in _STATES.items()}
    return color_names("state", colors, legend=legend)


def _find_deepest(values: Sequence[Row]) -> int:
    return max((row["rank"] for row in values), default=1)


def _encode_rank(values: Sequence[Row]) -> Spec:
    deepest = _find_deepest(values)
    ticks = choose_ticks(1, deepest)[:: 2 if deepest > 10 else 1]
    axis = {"title": "rank", "values": ticks, "labelAngle": 0}
    return {"field": "rank", "type": "ordinal", "axis": axis}


def _facet_by_run(panel: Spec, values: Sequence[Row], names: list[str], width: float) -> Spec:
    is_single = len(names) == 1
    room = width - 140 if is_single else (width - 160) / 2
    step = round(min(max(room / _find_deepest(values), 9), 20), 2)
    header = {
        "title": None,
        "labelAnchor": "start",
        "labelFontWeight": 600,
        "labelPadding": 6,
        **make_panel_labels(names, 40 if is_single else 26),
    }
    return {
        "facet": encode_name("run", sort=names, header=header),
        "columns": 1 if is_single else 2,
        "spec": {**panel, "width": {"step": step}},
        "spacing": 18,
        "resolve": {"axis": {"x": "independent"}},
    }
