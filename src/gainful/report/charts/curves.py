"""Means with their intervals: a measure at every cutoff, and by slices of queries."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gainful.report.charts.style import (
    LIGHT,
    MOST_COLORED_RUNS,
    MOST_LABELED_MARKS,
    WIDTH,
    Row,
    Rows,
    RunStyles,
    Spec,
    add_tooltip,
    assign_styles,
    calculate,
    choose_domain,
    choose_ticks,
    encode_name,
    encode_number,
    finish_chart,
    list_names,
    make_layer,
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

_RIBBONS = 6  # runs, beyond which their ribbons hide each other
_HEIGHT = 320


class _Axes(NamedTuple):
    """The encodings that all layers share: a layer without them would stretch the axes."""

    places: Spec
    scale: Spec  # of the vertical axis
    domain: tuple[float, float]


def draw_curves(
    rows: Rows,
    *,
    measure: str = "mean",
    log: bool = False,
    highlight: Sequence[str] = (),
    width: float = WIDTH,
) -> Spec:
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
    >>> draw_curves(rows, measure="nDCG")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names, ends = list_names(values), _find_line_ends(values)
    if len(names) > MOST_COLORED_RUNS and not set(highlight) & set(names) and ends:
        highlight = [max(ends, key=lambda end: end["value"])["run"]]
    look = assign_styles(names, highlight)
    axes = _make_axes(values, look, measure, log)
    parts = {
        "layer": [
            *_draw_lines(look, axes),
            _draw_points(values, look, axes, measure),
            _draw_labels(ends, shorten_names(look.named_runs), axes),
        ],
        "width": width,
        "height": _HEIGHT,
    }
    return finish_chart(parts, values, f"{measure} of {len(names)} runs at every cutoff.")


def _find_line_ends(values: Sequence[Row]) -> list[Row]:
    with_value = (row for row in values if row["value"] is not None)
    return list({row["run"]: row for row in sorted(with_value, key=lambda row: row["k"])}.values())


def _make_axes(values: Sequence[Row], look: RunStyles, measure: str, log: bool) -> _Axes:
    cutoffs = [row["k"] for row in values] or [1]
    first, last = min(cutoffs), max(cutoffs)
    ends = [first, last] if first < last else [0.9 * first, 1.1 * first]
    ticks = choose_ticks(first, last, log=log) if first < last else [first]
    domain = round_span(v for row in values for v in (row["value"], row["low"], row["high"]))
    scale = {"domain": list(domain), "nice": False, "zero": False}
    across = {"type": "log" if log else "linear", "domain": ends, "nice": False}
    axis = {"title": "cutoff k", "values": ticks, "grid": False, "format": "d"}
    places = {
        "x": encode_number("k", scale=across, axis=axis),
        "y": encode_number("value", scale=scale, axis=make_top_titled_axis(measure, tickCount=6)),
        "color": encode_name("run", scale=make_scale(look.names, look.colors), legend=None),
    }
    return _Axes(places, scale, domain)


def _select_runs(look: RunStyles) -> list[Spec]:
    """Select the runs that have a name of their own."""
    return [{"filter": {"field": "run", "oneOf": look.named_runs}}]


def _draw_lines(look: RunStyles, axes: _Axes) -> list[Spec]:
    dash = encode_name("run", scale=make_scale(look.names, look.dashes), legend=None)
    lines = make_layer(
        "line", {**axes.places, "strokeDash": dash}, transform=_select_runs(look),
        strokeWidth=2.6, strokeJoin="round", aria=False,
    )  # fmt: skip
    by_run = {**axes.places, "detail": encode_name("run")}
    if len(look.named_runs) < len(look.names):
        return [make_layer("line", by_run, strokeWidth=1, opacity=0.55, aria=False), lines]
    if len(look.names) > _RIBBONS:
        return [lines]
    low, high = (encode_number(end, scale=axes.scale) for end in ("low", "high"))
    ribbon = {**axes.places, "y": low, "y2": {"field": "high"}}
    return [
        make_layer("area", ribbon, opacity=0.1, aria=False),
        *(
            make_layer("line", {**by_run, "y": end}, strokeWidth=1, opacity=0.4, aria=False)
            for end in (low, high)
        ),
        lines,
    ]


def _draw_points(values: Sequence[Row], look: RunStyles, axes: _Axes, measure: str) -> Spec:
    """Draw the points of named lines, with tooltips."""
    single_cutoff = len({row["k"] for row in values}) == 1
    few = len([row for row in values if row["run"] in look.named_runs]) <= MOST_LABELED_MARKS
    marks = make_layer(
        "point", axes.places,
        transform=_select_runs(look) if len(look.named_runs) < len(look.names) else (),
        filled=True, size=70, opacity=int(single_cutoff), aria=few,
    )  # fmt: skip
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


def _draw_labels(line_ends: Sequence[Row], short: Mapping[str, str], axes: _Axes) -> Spec:
    """Draw the names at the ends of lines, none above another."""
    ends = [end for end in line_ends if end["run"] in short]
    pixel = (axes.domain[1] - axes.domain[0]) / _HEIGHT
    places = spread_places([end["value"] for end in ends], 17 * pixel)
    rows = [
        {"run": end["run"], "k": end["k"], "value": place, "name": short[end["run"]]}
        for end, place in zip(ends, places, strict=True)
    ]
    encoding = {**axes.places, "text": encode_name("name")}
    return make_layer("text", encoding, data=rows, align="left", dx=8, fontWeight=600, aria=False)


def draw_slices(
    rows: Rows,
    *,
    measure: str,
    column: str,
    ends: tuple[float, float] | None = None,
    width: float = WIDTH,
) -> Spec:
    """Draw a row for every run in every slice: its mean and interval.

    Up to eight runs are distinguished by color and shape; with more, each has its name beside it.

    Args:
        rows: One for every run and slice: run, slice, n, value, low, high.
        measure: What the horizontal axis is called.
        column: What tells the slices apart.
        ends: Where the horizontal axis begins and ends; where the values do if not given.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "slice": "en", "n": 7, "value": 0.5, "low": 0.4, "high": 0.6}]
    >>> draw_slices(rows, measure="nDCG@10", column="language")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names = list_names(values)
    domain = choose_domain(values, "value") if ends is None else {"domain": list(ends)}
    scale = {"zero": False, "padding": 8, **domain}
    axis = {"title": measure, "tickCount": 6}
    ranges = {"x": encode_number("low", axis=axis, scale=scale), "x2": {"field": "high"}}
    if len(names) > MOST_COLORED_RUNS:
        rows_of_panel = _encode_panel_rows(names)
        panel = [
            _draw_intervals({**ranges, **rows_of_panel}),
            _draw_slice_points(rows_of_panel, measure, column),
        ]
        parts = _facet_by_slice(panel, values, column, width)
    else:
        look, legend = assign_styles(names), make_legend(names, offset=30)
        groups = _group_by_slice(values, names, column)
        groups["color"] = encode_name("run", scale=make_scale(names, look.colors), legend=legend)
        shape = encode_name("run", scale=make_scale(names, look.shapes), legend=legend)
        layers = [
            _draw_intervals({**ranges, **groups}),
            _draw_slice_points({**groups, "shape": shape}, measure, column),
        ]
        parts = {"layer": layers, "width": width, "height": {"step": 17, "for": "offset"}}
    described = f"{measure} of {len(names)} runs for every value of {column}, with intervals."
    return finish_chart(parts, values, described, fitted=len(names) <= MOST_COLORED_RUNS)


_NAMED = calculate(named="datum.slice + ' (' + datum.n + ')'")


def _draw_intervals(encoding: Spec) -> Spec:
    return make_layer("rule", encoding, transform=_NAMED, strokeWidth=2, aria=False)


def _draw_slice_points(encoding: Spec, measure: str, column: str) -> Spec:
    value, low, high = map(make_number_expression, ("value", "low", "high"))
    titles = {
        "run": make_text_expression("run"),
        column: make_text_expression("slice"),
        "queries": make_text_expression("n"),
        measure: value,
        "low": low,
        "high": high,
    }
    points = make_layer(
        "point", {"x": encode_number("value"), **encoding}, transform=_NAMED,
        filled=True, size=90, opacity=1,
    )  # fmt: skip
    return add_tooltip(points, titles, f"datum.run + ', ' + datum.slice + ': ' + {value}")


def _list_slice_names(values: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(f"{row['slice']} ({row['n']})" for row in values))


def _group_by_slice(values: Sequence[Row], names: list[str], column: str) -> dict[str, Any]:
    """Encode the runs of a slice below each other."""
    slices = _list_slice_names(values)
    title = {"title": column, "titleAngle": 0, "titleAlign": "right", "titleAnchor": "end"}
    title |= {"titleX": -8, "titleY": -10, "titleBaseline": "bottom"}
    axis = {**title, "labelColor": LIGHT["ink"], "grid": False, **make_short_labels(slices)}
    bands = {"paddingInner": 0.25, "paddingOuter": 0.1}
    return {
        "y": encode_name("named", sort=slices, axis=axis, scale=bands),
        "yOffset": encode_name("run", sort=names, scale={"paddingOuter": 0.2}),
    }


def _encode_panel_rows(names: list[str]) -> Spec:
    short = make_short_labels(names, 26)
    axis = {"title": None, "labelColor": LIGHT["ink"], "grid": False, **short}
    return {"y": encode_name("run", sort=names, axis=axis), "color": {"value": LIGHT["a"]}}


def _facet_by_slice(layers: list[Spec], values: Sequence[Row], column: str, width: float) -> Spec:
    """Draw a panel for every slice, with each run's name beside its row."""
    header = {
        "title": None,
        "labelExpr": f"{quote_text(column)} + ': ' + (datum.label)",
        "labelOrient": "top",
        "labelAnchor": "start",
        "labelFontWeight": 600,
    }
    return {
        "facet": {"row": encode_name("named", sort=_list_slice_names(values), header=header)},
        "spec": {"layer": layers, "width": width - 190, "height": {"step": 17}},
    }
