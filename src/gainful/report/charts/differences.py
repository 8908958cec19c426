"""Two runs, query by query, pairs of runs, and the values that are possible.

The names of the two runs are the signals ``name_a`` and ``name_b``, so that a page can show another
pair: it replaces the rows and sets the signals.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gainful.base import FloatArray
from gainful.report.charts.style import (
    LIGHT,
    MOST_LABELED_MARKS,
    SIGNED_LABELS,
    WIDTH,
    Row,
    Rows,
    Spec,
    add_tooltip,
    calculate,
    choose_domain,
    color_names,
    encode_name,
    encode_number,
    finish_chart,
    list_names,
    make_layer,
    make_number_expression,
    make_scale,
    make_short_labels,
    make_text_expression,
    quote_text,
    replace_nan,
)

_MOST_ROWS = 30  # queries, up to which each bar has a row of its own and its name
_TIE = 1e-9
_OUTCOMES = {"better": "triangle-up", "worse": "triangle-down", "same": "circle"}
_SHORT = (
    "length(name_{run}) > 30 ? slice(name_{run}, 0, 15) + '…' + slice(name_{run}, -14) : name_{run}"
)


def make_difference_rows(
    queries: Sequence[str],
    a: Sequence[float] | FloatArray,
    b: Sequence[float] | FloatArray,
    texts: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Return the rows of ``draw_differences`` and ``draw_scatter``: b minus a, largest loss first.

    Queries with the same difference keep their order. Queries that lack a value are left out.

    >>> [(row["query"], row["place"]) for row in make_difference_rows(["q1", "q2"], [0, 1], [1, 0])]
    [('q2', 1), ('q1', 2)]
    """
    theirs, ours = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    differences = ours - theirs
    order = np.argsort(differences, kind="stable")
    order = order[np.isfinite(differences[order])]
    return [
        {
            "query": queries[i],
            "text": (texts or {}).get(queries[i]),
            "a": float(theirs[i]),
            "b": float(ours[i]),
            "difference": float(differences[i]),
            "place": place,
        }
        for place, i in enumerate(order.tolist(), 1)
    ]


def draw_differences(
    rows: Rows, *, measure: str, a: str, b: str, tie: float = _TIE, width: float = WIDTH
) -> Spec:
    """Draw a bar for every query: how far b is above a, the largest loss first.

    Up to 30 queries have a row each, with their id; with more, the bars are side by side.

    Args:
        rows: One for every query: query, text, a, b, difference, place.
        measure: The measure whose values differ.
        a: The name of the run that is subtracted, the baseline.
        b: The name of the other.
        tie: The difference up to which two values are the same.
        width: In pixels, labels included.

    >>> row = {"query": "q1", "text": None, "a": 0.2, "b": 0.5, "difference": 0.3, "place": 1}
    >>> draw_differences([row], measure="nDCG@10", a="old", b="new")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    has_names = len(values) <= _MOST_ROWS
    title = f"{quote_text(measure)} + ': ' + short_b + ' minus ' + short_a"
    parts = {
        "layer": [
            *(_draw_horizontal_bars(values) if has_names else _draw_vertical_bars(values)),
            _draw_text(title, x=0, y=-14, fontWeight=600),
        ],
        **_declare_pair(a, b, tie),
        "width": width,
        "height": {"step": 24} if has_names else 300,
    }
    return finish_chart(parts, values, f"Difference of {measure} for every query, {b} less {a}.")


def draw_scatter(
    rows: Rows, *, measure: str, a: str, b: str, tie: float = _TIE, width: float = 560
) -> Spec:
    """Draw a point for every query: the value of a on the x-axis, that of b on the y-axis.

    Above the diagonal b is better, below it a is. The rows are those of ``draw_differences``.

    >>> row = {"query": "q1", "text": None, "a": 0.2, "b": 0.5, "difference": 0.3, "place": 1}
    >>> draw_scatter([row], measure="nDCG@10", a="old", b="new")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    axis = {"title": None, "tickCount": 5}
    encoding = {
        "x": encode_number("a", axis=axis),
        "y": encode_number("b", axis=axis),
        "color": _color_outcomes(),
        "shape": encode_name(
            "outcome", scale=make_scale([*_OUTCOMES], [*_OUTCOMES.values()]), legend=None
        ),
    }
    few = len(values) <= MOST_LABELED_MARKS
    points = make_layer("point", encoding, filled=True, size=70, opacity=0.75, aria=few)
    parts = {
        "layer": [
            _draw_diagonal(),
            _add_query_tooltip(points, values),
            *_label_sides(x=8, top=-14, bottom="height - 12"),
            _draw_text(
                f"{quote_text(measure)} + ' of ' + short_a",
                x="width / 2", y="height + 38", align="center", fontWeight=600,
            ),
            _draw_text(
                f"{quote_text(measure)} + ' of ' + short_b",
                x=-50, y="height / 2", align="center", angle=270, fontWeight=600,
            ),
        ],
        **_declare_pair(a, b, tie),
        "width": width,
        "height": width - 70,
    }  # fmt: skip
    return finish_chart(parts, values, f"{measure} of every query: {a} across, {b} upwards.")


def _declare_pair(a: str, b: str, tie: float) -> Spec:
    """Declare the names of both runs as signals, and the outcome of each query."""
    worse = f"datum.difference < -{tie!r} ? 'worse' : 'same'"
    return {
        "params": [
            {"name": "name_a", "value": a},
            {"name": "name_b", "value": b},
            *({"name": f"short_{run}", "expr": _SHORT.format(run=run)} for run in "ab"),
        ],
        "transform": calculate(outcome=f"datum.difference > {tie!r} ? 'better' : {worse}"),
    }


def _color_outcomes() -> Spec:
    return color_names("outcome", {outcome: outcome for outcome in _OUTCOMES})


def _add_query_tooltip(marks: Spec, values: Sequence[Row]) -> Spec:
    """Add a tooltip with the query and both values, also as a label for screen readers."""
    of_a, of_b = (f"name_{run} + ' ' + {make_number_expression(run)}" for run in "ab")
    difference = make_number_expression("difference", "+.4f")
    has_text = any(row["text"] for row in values)
    titles = {
        "query": make_text_expression("query"),
        **({"text": make_text_expression("text")} if has_text else {}),
        "A": of_a,
        "B": of_b,
        "difference": difference,
    }
    label = (
        f"'query ' + datum.query + ': ' + {of_b} + ', ' + {of_a} + ', difference ' + {difference}"
    )
    return add_tooltip(marks, titles, label if len(values) <= MOST_LABELED_MARKS else None)


def _draw_horizontal_bars(values: Sequence[Row]) -> list[Spec]:
    axis = {"title": None, "labelExpr": SIGNED_LABELS, "tickCount": 6, "orient": "bottom"}
    short = make_short_labels(list_names(values, "query"), 28)
    places = {
        "x": encode_number("difference", axis=axis, scale={"padding": 52, "nice": False}),
        # Layers of different rows keep an order only if it says which of several places to take.
        "y": encode_name(
            "query", sort={"field": "place", "op": "min"}, axis={"title": None, **short}
        ),
    }
    bars = make_layer("bar", {**places, "color": _color_outcomes()}, height={"band": 0.72})
    return [
        _add_query_tooltip(bars, values),
        _draw_zero("x"),
        _draw_numbers(places, "datum.difference >= 0", align="left", dx=6),
        _draw_numbers(places, "datum.difference < 0", align="right", dx=-6),
    ]


def _draw_numbers(places: Spec, condition: str, **style: Any) -> Spec:
    number = "datum.outcome == 'same' ? '0' : format(datum.difference, '+.3f')"
    return make_layer(
        "text",
        {**places, "text": encode_name("number")},
        transform=[{"filter": condition}, *calculate(number=number)],
        color=LIGHT["muted"],
        aria=False,
        **style,
    )


def _draw_vertical_bars(values: Sequence[Row]) -> list[Spec]:
    encoding = {
        "x": {
            "field": "place",
            "type": "ordinal",
            "axis": None,
            "scale": {"paddingInner": 0.1, "paddingOuter": 0},
        },
        "y": encode_number(
            "difference", axis={"title": None, "labelExpr": SIGNED_LABELS, "tickCount": 7}
        ),
        "color": _color_outcomes(),
    }
    bars = make_layer("bar", encoding, aria=len(values) <= MOST_LABELED_MARKS)
    same = [{"filter": "datum.outcome == 'same'"}]
    below = "'queries, the largest loss first'"
    return [
        _add_query_tooltip(bars, values),
        _draw_zero("y"),
        make_layer("tick", encoding, transform=same, thickness=3, aria=False),
        *_label_sides(x=8, top=10, bottom="height - 10"),
        _draw_text(below, x="width / 2", y="height + 18", align="center"),
    ]


def _draw_zero(axis: str, **style: Any) -> Spec:
    encoding = {axis: encode_number("zero")}
    return make_layer(
        "rule", encoding, data=[{"zero": 0}], color=LIGHT["muted"], aria=False, **style
    )


def _label_sides(*, x: float, top: float, bottom: str) -> list[Spec]:
    """Name the side of the chart on which b is better, and the one on which it is worse."""
    better = _draw_text("'▲ ' + short_b + ' better'", x=x, y=top, color=LIGHT["better"])
    worse = _draw_text(
        "'▼ ' + short_b + ' worse'", x=f"width - {x}", y=bottom, align="right", color=LIGHT["worse"]
    )
    return [better, worse]


def _draw_text(text: str, *, x: float | str, y: float | str, **more: Any) -> Spec:
    """Draw a line of text at a place in pixels.

    Both coordinates may be expressions of width and height.
    """
    place: Spec = {
        axis: {"expr": at} if isinstance(at, str) else at for axis, at in (("x", x), ("y", y))
    }
    style: Spec = {"align": "left", "baseline": "middle", "limit": 560, "aria": False, **more}
    return make_layer("text", {}, data=[{}], text={"expr": text}, **place, **style)


def _draw_diagonal() -> Spec:
    ends = [
        {"op": op, "field": run, "as": f"{end}_{run}"}
        for op, end in (("min", "low"), ("max", "high"))
        for run in "ab"
    ]
    transform = [
        {"aggregate": ends},
        *calculate(low="min(0, datum.low_a, datum.low_b)", high="max(datum.high_a, datum.high_b)"),
    ]
    encoding = {
        "x": encode_number("low"),
        "y": encode_number("low"),
        "x2": {"field": "high"},
        "y2": {"field": "high"},
    }
    return make_layer(
        "rule", encoding, transform=transform, color=LIGHT["muted"], strokeDash=[4, 4], aria=False
    )


_VERDICTS = {
    "better": ("better", "triangle-right"),
    "worse": ("worse", "triangle-left"),
    "cannot tell": ("same", "circle"),
    "practically equal": ("muted", "square"),
    "identical": ("ink", "diamond"),
}


def draw_forest(rows: Rows, *, measure: str, width: float = WIDTH) -> Spec:
    """Draw a row for every pair of runs: their difference, its interval and the verdict.

    Args:
        rows: One for every pair: pair, difference, low, high, verdict.
        measure: The measure that differs.
        width: In pixels, labels included.

    >>> row = {"pair": "new - old", "difference": 0.02, "low": -0.01, "high": 0.05}
    >>> draw_forest([row | {"verdict": "cannot tell"}], measure="nDCG@10")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    axis = {"title": f"difference of {measure}", "labelExpr": SIGNED_LABELS, "tickCount": 6}
    color = color_names("verdict", {verdict: color for verdict, (color, _) in _VERDICTS.items()})
    base = {"y": _encode_row("pair", values), "color": color}
    across = encode_number("low", axis=axis, scale={"padding": 10})
    ranges = {**base, "x": across, "x2": {"field": "high"}}
    parts = {
        "layer": [
            _draw_zero("x", strokeDash=[4, 4]),
            make_layer("rule", ranges, strokeWidth=2.5, aria=False),
            _draw_forest_points(base),
            _draw_side_text({**base, "text": encode_name("verdict")}, fontWeight=600),
        ],
        "width": width,
        "height": {"step": 28},
    }
    described = f"Difference of {measure} for {len(values)} pairs of runs, with intervals."
    return finish_chart(parts, values, described)


def _draw_forest_points(base: Spec) -> Spec:
    shapes = make_scale([*_VERDICTS], [shape for _, shape in _VERDICTS.values()])
    encoding = {
        **base,
        "x": encode_number("difference"),
        "shape": encode_name("verdict", scale=shapes, legend=None),
    }
    points = make_layer("point", encoding, filled=True, size=130, opacity=1)
    difference, low, high = (
        make_number_expression(end, "+.4f") for end in ("difference", "low", "high")
    )
    titles = {
        "pair": make_text_expression("pair"),
        "difference": difference,
        "low": low,
        "high": high,
        "verdict": make_text_expression("verdict"),
    }
    label = f"datum.pair + ': ' + {difference} + ', from ' + {low} + ' to ' + {high}"
    return add_tooltip(points, titles, f"{label} + ', ' + datum.verdict")


def draw_possible_values(rows: Rows, *, measure: str, width: float = WIDTH) -> Spec:
    """Draw a row for every run: its value, and how far unjudged items can move it.

    Args:
        rows: One for every run: run, value, low, high.
        measure: What the horizontal axis is called.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "value": 0.5, "low": 0.45, "high": 0.62}]
    >>> draw_possible_values(rows, measure="nDCG@10")["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    axis = {"title": f"{measure} (line: value, bar: possible values)", "tickCount": 6}
    scale = {"zero": False, "padding": 8, **choose_domain(values, "value")}
    base = {"y": _encode_row("run", values)}
    ranges = {**base, "x": encode_number("low", axis=axis, scale=scale), "x2": {"field": "high"}}
    bars = make_layer("bar", ranges, height=8, cornerRadius=4, color=LIGHT["unjudged"])
    places = {**base, "x": encode_number("value")}
    ticks = make_layer(
        "tick", places, thickness=3, size=22, opacity=1, color=LIGHT["ink"], aria=False
    )
    low, high = (make_number_expression(end, ".3f") for end in ("low", "high"))
    texts = _draw_side_text(
        {**base, "text": encode_name("ends")},
        transform=calculate(ends=f"isValid(datum.low) ? {low} + ' to ' + {high} : ''"),
        color=LIGHT["muted"],
    )
    parts = {
        "layer": [_add_range_tooltip(bars), _add_range_tooltip(ticks), texts],
        "width": width,
        "height": {"step": 30},
    }
    described = f"{measure} of {len(values)} runs, and what unjudged items could make of it."
    return finish_chart(parts, values, described)


def _add_range_tooltip(marks: Spec) -> Spec:
    value, low, high = map(make_number_expression, ("value", "low", "high"))
    titles = {"run": make_text_expression("run"), "value": value, "low": low, "high": high}
    label = f"datum.run + ': ' + {value} + ', possible from ' + {low} + ' to ' + {high}"
    return add_tooltip(marks, titles, label)


def _encode_row(field: str, values: Sequence[Row]) -> Spec:
    names = list_names(values, field)
    short = make_short_labels(names, 36)
    axis = {"title": None, "labelColor": LIGHT["ink"], "labelLimit": 260, "grid": False, **short}
    return encode_name(field, sort=names, axis=axis)


def _draw_side_text(encoding: Spec, *, transform: Sequence[Spec] = (), **style: Any) -> Spec:
    """Draw a text beside each row."""
    place: Spec = {"align": "left", "x": {"expr": "width + 14"}, "aria": False}
    return make_layer("text", encoding, transform=transform, **place, **style)
