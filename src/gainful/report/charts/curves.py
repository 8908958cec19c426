"""Curves: a measure of every run at every cutoff."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.report.charts.style import (
    MOST_COLORED_RUNS,
    MOST_LABELED_MARKS,
    WIDTH,
    AltairChart,
    Row,
    Rows,
    RunStyles,
    add_tooltip,
    assign_styles,
    choose_domain,
    choose_ticks,
    finish_chart,
    get_light_color,
    import_altair,
    list_names,
    make_chart,
    make_helper_chart,
    make_legend,
    make_number_expression,
    make_scale,
    make_short_labels,
    make_text_expression,
    make_top_titled_axis,
    quote_text,
    replace_nan,
    round_span,
    shorten_names,
    spread_places,
)

if TYPE_CHECKING:
    from altair.typing import ChartType


_RIBBONS = 6  # runs, beyond which their ribbons hide each other
_HEIGHT = 320


class _Axes(NamedTuple):
    """The axes that all layers share: a layer without them would stretch the axes."""

    across: AltairChart
    upwards: AltairChart
    ends: AltairChart
    domain: tuple[float, float]
    color: AltairChart


def draw_curves(
    rows: Rows,
    *,
    measure: str = "mean",
    log: bool = False,
    highlight: Sequence[str] = (),
    width: float = WIDTH,
) -> "ChartType":
    """Draw a line over the cutoffs for every run, with a ribbon for its interval.

    Every line has its name at its end. With more than six runs no ribbons are drawn; with more than
    eight only the runs in ``highlight`` have a color and a name, or the highest run if there is
    none.

    Args:
        rows: One for every run and cutoff: run, k, value, low, high.
        measure: What the vertical axis is called.
        log: Whether the axis of cutoffs is logarithmic.
        highlight: The runs that stand out among many.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "k": k, "value": 0.5, "low": 0.4, "high": 0.6} for k in (1, 2)]
    >>> draw_curves(rows, measure="nDCG").to_dict()["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names, ends = list_names(values), _find_line_ends(values)
    if len(names) > MOST_COLORED_RUNS and not set(highlight) & set(names) and ends:
        highlight = [max(ends, key=lambda end: end["value"])["run"]]
    look = assign_styles(names, highlight)
    short = shorten_names(look.named_runs)
    axes = _make_axes(values, look, measure, log)
    labels = _draw_labels([end for end in ends if end["run"] in short], short, axes)
    layers = [*_draw_lines(look, axes), _draw_points(values, look, axes, measure), labels]
    layered = import_altair().layer(*layers, data=make_chart(values).data)
    described = f"{measure} of {len(names)} runs at every cutoff."
    return finish_chart(layered.properties(width=width, height=_HEIGHT), described)


def _find_line_ends(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with_value = (row for row in values if row["value"] is not None)
    return list({row["run"]: row for row in sorted(with_value, key=lambda row: row["k"])}.values())


def _make_axes(values: list[dict[str, Any]], look: RunStyles, measure: str, log: bool) -> _Axes:
    alt = import_altair()
    ks = [row["k"] for row in values] or [1]
    ends = [min(ks), max(ks)] if min(ks) < max(ks) else [0.9 * ks[0], 1.1 * ks[0]]
    ticks = choose_ticks(min(ks), max(ks), log=log) if len(set(ks)) > 1 else ks[:1]
    cutoff = alt.Axis(title="cutoff k", values=ticks, grid=False, format="d")
    kind = "log" if log else "linear"
    domain = round_span(v for row in values for v in (row["value"], row["low"], row["high"]))
    upwards = alt.Scale(domain=list(domain), nice=False, zero=False)
    return _Axes(
        alt.X("k:Q", scale=alt.Scale(type=kind, domain=ends, nice=False), axis=cutoff),
        alt.Y("value:Q", scale=upwards, axis=make_top_titled_axis(measure, tickCount=6)),
        upwards,
        domain,
        alt.Color("run:N", scale=make_scale(look.names, look.colors), legend=None),
    )


def _draw_lines(look: RunStyles, axes: _Axes) -> list[Any]:
    alt = import_altair()
    base = alt.Chart().encode(x=axes.across, y=axes.upwards, color=axes.color)
    dash = alt.StrokeDash("run:N", scale=make_scale(look.names, look.dashes), legend=None)
    is_named = alt.FieldOneOfPredicate(field="run", oneOf=look.named_runs)
    lines = base.transform_filter(is_named).mark_line(
        strokeWidth=2.6, strokeJoin="round", aria=False
    )
    lines = lines.encode(strokeDash=dash)
    if len(look.named_runs) < len(look.names):
        quiet = base.mark_line(strokeWidth=1, opacity=0.55, aria=False)
        return [quiet.encode(detail="run:N"), lines]
    if len(look.names) > _RIBBONS:
        return [lines]
    low, high = (alt.Y(f"{end}:Q", scale=axes.ends) for end in ("low", "high"))
    ribbons = base.mark_area(opacity=0.1, aria=False).encode(y=low, y2="high:Q")
    edges = base.mark_line(strokeWidth=1, opacity=0.4, aria=False).encode(detail="run:N")
    return [ribbons, edges.encode(y=low), edges.encode(y=high), lines]


def _draw_points(
    values: list[dict[str, Any]], look: RunStyles, axes: _Axes, measure: str
) -> AltairChart:
    """Draw the points of named lines, with tooltips."""
    alt = import_altair()
    single_cutoff = len({row["k"] for row in values}) == 1
    few = len([row for row in values if row["run"] in look.named_runs]) <= MOST_LABELED_MARKS
    points = alt.Chart().mark_point(filled=True, size=70, opacity=int(single_cutoff), aria=few)
    if len(look.named_runs) < len(look.names):
        points = points.transform_filter(
            alt.FieldOneOfPredicate(field="run", oneOf=look.named_runs)
        )
    marks = points.encode(x=axes.across, y=axes.upwards, color=axes.color)
    value, low, high = map(make_number_expression, ("value", "low", "high"))
    titles = {
        "run": make_text_expression("run"),
        "cutoff": make_text_expression("k"),
        measure: value,
        "low": low,
        "high": high,
    }
    label = f"datum.run + ' at ' + datum.k + ': ' + {value}"
    return add_tooltip(marks, titles, label if few else None)


def _draw_labels(ends: list[dict[str, Any]], short: dict[str, str], axes: _Axes) -> AltairChart:
    pixel = (axes.domain[1] - axes.domain[0]) / _HEIGHT
    places = spread_places([end["value"] for end in ends], 17 * pixel)
    rows = [
        {"run": end["run"], "k": end["k"], "value": place, "name": short[end["run"]]}
        for end, place in zip(ends, places, strict=True)
    ]
    marks = make_helper_chart(rows).mark_text(align="left", dx=8, fontWeight=600, aria=False)
    return marks.encode(x=axes.across, y=axes.upwards, text="name:N", color=axes.color)


def draw_slices(
    rows: Rows,
    *,
    measure: str,
    column: str,
    ends: tuple[float, float] | None = None,
    width: float = WIDTH,
) -> "ChartType":
    """Draw a row for every run in every slice: its mean and interval.

    Up to eight runs are distinguished by color and shape; with more, each has its name beside it.

    Args:
        rows: One for every run and slice: run, slice, n, value, low, high.
        measure: What the horizontal axis is called.
        column: What tells the slices apart.
        ends: Where the horizontal axis begins and ends; where the values do if not given.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "slice": "en", "n": 7, "value": 0.5, "low": 0.4, "high": 0.6}]
    >>> draw_slices(rows, measure="nDCG@10", column="language").to_dict()["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    layers = _draw_slice_intervals(values, measure, ends), _draw_slice_points(measure, column)
    n_runs = len(list_names(values))
    described = f"{measure} of {n_runs} runs for every value of {column}, with intervals."
    if n_runs > MOST_COLORED_RUNS:
        return finish_chart(_facet_by_slice(layers, values, column, width), described, fitted=False)
    return finish_chart(_group_by_slice(layers, values, column, width), described)


def _draw_slice_intervals(
    values: "Sequence[Row]", measure: str, axis_ends: tuple[float, float] | None
) -> AltairChart:
    alt = import_altair()
    axis = alt.Axis(title=measure, tickCount=6)
    domain = choose_domain(values, "value") if axis_ends is None else {"domain": list(axis_ends)}
    ends = alt.Scale(zero=False, padding=8, **domain)
    lines = _add_slice_names(alt.Chart()).mark_rule(strokeWidth=2, aria=False)
    return lines.encode(x=alt.X("low:Q", axis=axis, scale=ends), x2="high:Q")


def _draw_slice_points(measure: str, column: str) -> AltairChart:
    points = _add_slice_names(import_altair().Chart()).mark_point(filled=True, size=90, opacity=1)
    titles = {
        "run": make_text_expression("run"),
        column: make_text_expression("slice"),
        "queries": make_text_expression("n"),
        measure: make_number_expression("value"),
        "low": make_number_expression("low"),
        "high": make_number_expression("high"),
    }
    label = f"datum.run + ', ' + datum.slice + ': ' + {make_number_expression('value')}"
    return add_tooltip(points.encode(x="value:Q"), titles, label)


def _add_slice_names(chart: AltairChart) -> AltairChart:
    return chart.transform_calculate(named="datum.slice + ' (' + datum.n + ')'")


def _list_slice_names(values: "Sequence[Row]") -> list[str]:
    return list(dict.fromkeys(f"{row['slice']} ({row['n']})" for row in values))


def _group_by_slice(
    layers: tuple[Any, Any], values: "Sequence[Row]", column: str, width: float
) -> AltairChart:
    """Draw the runs of a slice below each other, distinguished by color and shape."""
    alt = import_altair()
    names = list_names(values)
    look, legend = assign_styles(names), make_legend(names, offset=30)
    short = make_short_labels(_list_slice_names(values))
    axis = alt.Axis(title=column, labelColor=get_light_color("ink"), grid=False, **_ABOVE, **short)
    bands = alt.Scale(paddingInner=0.25, paddingOuter=0.1)
    encodings = {
        "y": alt.Y("named:N", sort=_list_slice_names(values), axis=axis, scale=bands),
        "yOffset": alt.YOffset("run:N", sort=names, scale=alt.Scale(paddingOuter=0.2)),
        "color": alt.Color("run:N", scale=make_scale(names, look.colors), legend=legend),
    }
    ranges, points = (layer.encode(**encodings) for layer in layers)
    shape = alt.Shape("run:N", scale=make_scale(names, look.shapes), legend=legend)
    chart = alt.layer(ranges, points.encode(shape=shape), data=make_chart(values).data)
    return chart.properties(width=width, height=alt.Step(17, **{"for": "offset"}))


_ABOVE = {
    "titleAngle": 0,
    "titleAlign": "right",
    "titleAnchor": "end",
    "titleX": -8,
    "titleY": -10,
    "titleBaseline": "bottom",
}


def _facet_by_slice(
    layers: tuple[Any, Any], values: "Sequence[Row]", column: str, width: float
) -> AltairChart:
    """Draw a panel for every slice, with each run's name beside its row."""
    alt = import_altair()
    short = make_short_labels(list_names(values), 26)
    axis = alt.Axis(title=None, labelColor=get_light_color("ink"), grid=False, **short)
    row, color = (
        alt.Y("run:N", sort=list_names(values), axis=axis),
        alt.value(get_light_color("a")),
    )
    panel = alt.layer(*(layer.encode(y=row, color=color) for layer in layers))
    header = alt.Header(
        title=None,
        labelExpr=f"{quote_text(column)} + ': ' + (datum.label)",
        labelOrient="top",
        labelAnchor="start",
        labelFontWeight=600,
    )
    facet = alt.Row("named:N", sort=_list_slice_names(values), header=header)
    rows = panel.properties(width=width - 190, height={"step": 17})
    return rows.facet(row=facet, data=make_chart(values).data)
