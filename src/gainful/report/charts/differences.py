"""Two runs, query by query: bars of differences, and one run against the other.

The names of the runs are the signals ``name_a`` and ``name_b``, so that a page can show another
pair: it replaces the rows and sets the signals.
"""

from typing import TYPE_CHECKING, Any

from gainful.report.charts.style import (
    MOST_LABELED_MARKS,
    SIGNED_LABELS,
    WIDTH,
    AltairChart,
    Row,
    Rows,
    add_tooltip,
    choose_domain,
    finish_chart,
    get_light_color,
    import_altair,
    list_names,
    make_chart,
    make_number_expression,
    make_scale,
    make_short_labels,
    make_single_row_chart,
    make_text_expression,
    quote_text,
    replace_nan,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from altair.typing import ChartType


_MOST_ROWS = 30  # queries, up to which each bar has a row of its own and its name
_TIE = 1e-9
_OUTCOMES = ["better", "worse", "same"]
_SHAPES = ["triangle-up", "triangle-down", "circle"]
_SHORT = (
    "length(name_{run}) > 30 ? slice(name_{run}, 0, 15) + '…' + slice(name_{run}, -14) : name_{run}"
)


def draw_differences(
    rows: Rows, *, measure: str, a: str, b: str, tie: float = _TIE, width: float = WIDTH
) -> "ChartType":
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
    >>> draw_differences([row], measure="nDCG@10", a="old", b="new").to_dict()["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    has_names = len(values) <= _MOST_ROWS
    layers = _draw_horizontal_bars(values) if has_names else _draw_vertical_bars(values)
    title = f"{quote_text(measure)} + ': ' + short_b + ' minus ' + short_a"
    layers.append(_draw_text(title, x=0, y=-14, fontWeight=600))
    chart = _add_pair_params(
        import_altair().layer(*layers, data=make_chart(values).data), a, b, tie
    )
    height = {"step": 24} if has_names else 300
    described = f"Difference of {measure} for every query, {b} less {a}."
    return finish_chart(chart.properties(width=width, height=height), described)


def draw_scatter(
    rows: Rows, *, measure: str, a: str, b: str, tie: float = _TIE, width: float = 560
) -> "ChartType":
    """Draw a point for every query: the value of a on the x-axis, that of b on the y-axis.

    Above the diagonal b is better, below it a is. The rows are those of ``draw_differences``.

    >>> row = {"query": "q1", "text": None, "a": 0.2, "b": 0.5, "difference": 0.3, "place": 1}
    >>> draw_scatter([row], measure="nDCG@10", a="old", b="new").to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    across, upwards = (alt.Axis(title=None, tickCount=5) for _ in "ab")
    shapes = alt.Scale(domain=_OUTCOMES, range=_SHAPES)
    marks = alt.Chart().mark_point(
        filled=True, size=70, opacity=0.75, aria=len(values) <= MOST_LABELED_MARKS
    )
    points = marks.encode(
        x=alt.X("a:Q", axis=across),
        y=alt.Y("b:Q", axis=upwards),
        color=_make_outcome_color(),
        shape=alt.Shape("outcome:N", scale=shapes, legend=None),
    )
    layers = [
        _draw_diagonal(),
        _add_query_tooltip(points, values),
        *_label_sides_of_diagonal(),
        *_label_axes(measure),
    ]
    chart = _add_pair_params(alt.layer(*layers, data=make_chart(values).data), a, b, tie)
    described = f"{measure} of every query: {a} across, {b} upwards."
    return finish_chart(chart.properties(width=width, height=width - 70), described)


def _add_pair_params(chart: AltairChart, a: str, b: str, tie: float) -> AltairChart:
    """Add the names of both runs as signals, and the outcome of each query."""
    alt = import_altair()
    names = [alt.param(name="name_a", value=a), alt.param(name="name_b", value=b)]
    names += [alt.param(name=f"short_{run}", expr=_SHORT.format(run=run)) for run in "ab"]
    worse = f"datum.difference < -{tie!r} ? 'worse' : 'same'"
    outcome = f"datum.difference > {tie!r} ? 'better' : {worse}"
    return chart.transform_calculate(outcome=outcome).add_params(*names)


def _make_outcome_color() -> AltairChart:
    alt = import_altair()
    scale = alt.Scale(domain=_OUTCOMES, range=[get_light_color(name) for name in _OUTCOMES])
    return alt.Color("outcome:N", scale=scale, legend=None)


def _add_query_tooltip(marks: AltairChart, values: list[dict[str, Any]]) -> AltairChart:
    """Add a tooltip with the query and both values, also as a label for screen readers."""
    of_a, of_b = (f"name_{run} + ' ' + {make_number_expression(run)}" for run in "ab")
    text_title = (
        {"text": make_text_expression("text")} if any(row["text"] for row in values) else {}
    )
    difference = make_number_expression("difference", "+.4f")
    titles = {
        "query": make_text_expression("query"),
        **text_title,
        "A": of_a,
        "B": of_b,
        "difference": difference,
    }
    label = (
        f"'query ' + datum.query + ': ' + {of_b} + ', ' + {of_a} + ', difference ' + {difference}"
    )
    return add_tooltip(marks, titles, label if len(values) <= MOST_LABELED_MARKS else None)


def _draw_horizontal_bars(values: list[dict[str, Any]]) -> list[Any]:
    alt = import_altair()
    axis = alt.Axis(title=None, labelExpr=SIGNED_LABELS, tickCount=6, orient="bottom")
    across = alt.X("difference:Q", axis=axis, scale=alt.Scale(padding=52, nice=False))
    # Layers of different rows keep an order only if it says which of several places to take.
    short = make_short_labels(list_names(values, "query"), 28)
    order = alt.EncodingSortField("place", op="min")
    query = alt.Y("query:N", sort=order, axis=alt.Axis(title=None, **short))
    base = alt.Chart().encode(x=across, y=query)
    bars = base.mark_bar(height={"band": 0.72}).encode(color=_make_outcome_color())
    bars = _add_query_tooltip(bars, values)
    zero = (
        make_single_row_chart(x=0)
        .mark_rule(color=get_light_color("muted"), aria=False)
        .encode(x="x:Q")
    )
    return [bars, zero, _draw_numbers(base, positive=True), _draw_numbers(base, positive=False)]


def _draw_numbers(base: AltairChart, *, positive: bool) -> AltairChart:
    condition = "datum.difference >= 0" if positive else "datum.difference < 0"
    anchor = {"align": "left", "dx": 6} if positive else {"align": "right", "dx": -6}
    label = "datum.outcome == 'same' ? '0' : format(datum.difference, '+.3f')"
    marks = base.transform_filter(condition).mark_text(
        color=get_light_color("muted"), aria=False, **anchor
    )
    return marks.transform_calculate(shown=label).encode(text="shown:N")


def _draw_vertical_bars(values: list[dict[str, Any]]) -> list[Any]:
    alt = import_altair()
    place = alt.X("place:O", axis=None, scale=alt.Scale(paddingInner=0.1, paddingOuter=0))
    axis = alt.Axis(title=None, labelExpr=SIGNED_LABELS, tickCount=7)
    base = alt.Chart().encode(
        x=place, y=alt.Y("difference:Q", axis=axis), color=_make_outcome_color()
    )
    bars = _add_query_tooltip(base.mark_bar(aria=len(values) <= MOST_LABELED_MARKS), values)
    same = base.transform_filter("datum.outcome == 'same'").mark_tick(thickness=3, aria=False)
    zero = (
        make_single_row_chart(y=0)
        .mark_rule(color=get_light_color("muted"), aria=False)
        .encode(y="y:Q")
    )
    below = _draw_text(
        "'queries, the largest loss first'", x="width / 2", y="height + 18", align="center"
    )
    return [bars, zero, same, *_label_sides_of_zero(), below]


def _label_sides_of_zero() -> list[Any]:
    better = _draw_text("'▲ ' + short_b + ' better'", x=8, y=10, color=get_light_color("better"))
    worse = _draw_text(
        "'▼ ' + short_b + ' worse'", x="width - 8", y="height - 10", align="right",
        color=get_light_color("worse"),
    )  # fmt: skip
    return [better, worse]


def _label_sides_of_diagonal() -> list[Any]:
    better = _draw_text("'▲ ' + short_b + ' better'", x=8, y=-14, color=get_light_color("better"))
    worse = _draw_text(
        "'▼ ' + short_b + ' worse'", x="width - 8", y="height - 12", align="right",
        color=get_light_color("worse"),
    )  # fmt: skip
    return [better, worse]


def _label_axes(measure: str) -> list[Any]:
    across = _draw_text(
        f"{quote_text(measure)} + ' of ' + short_a", x="width / 2", y="height + 38", align="center",
        fontWeight=600,
    )  # fmt: skip
    upwards = _draw_text(
        f"{quote_text(measure)} + ' of ' + short_b", x=-50, y="height / 2", align="center",
        angle=270, fontWeight=600,
    )  # fmt: skip
    return [across, upwards]


def _draw_text(text: str, *, x: float | str, y: float | str, **more: object) -> AltairChart:
    """Draw a line of text at a place in pixels.

    Both coordinates may be expressions of width and height.
    """
    alt = import_altair()
    place = {"x": alt.expr(x) if isinstance(x, str) else x}
    place["y"] = alt.expr(y) if isinstance(y, str) else y
    style = {"align": "left", "baseline": "middle", "limit": 560, "aria": False, **more}
    return make_single_row_chart().mark_text(text=alt.expr(text), **place, **style)


def _draw_diagonal() -> AltairChart:
    ends = import_altair().Chart().transform_aggregate(
        low_a="min(a)", low_b="min(b)", high_a="max(a)", high_b="max(b)"
    )  # fmt: skip
    ends = ends.transform_calculate(
        low="min(0, datum.low_a, datum.low_b)", high="max(datum.high_a, datum.high_b)"
    )
    line = ends.mark_rule(color=get_light_color("muted"), strokeDash=[4, 4], aria=False)
    return line.encode(x="low:Q", y="low:Q", x2="high:Q", y2="high:Q")


_VERDICT_COLORS = {
    "better": "better",
    "worse": "worse",
    "cannot tell": "same",
    "practically equal": "muted",
    "identical": "ink",
}
_VERDICT_SHAPES = ["triangle-right", "triangle-left", "circle", "square", "diamond"]


def draw_forest(rows: Rows, *, measure: str, width: float = WIDTH) -> "ChartType":
    """Draw a row for every pair of runs: their difference, its interval and the verdict.

    Args:
        rows: One for every pair: pair, difference, low, high, verdict.
        measure: The measure that differs.
        width: In pixels, labels included.

    >>> row = {"pair": "new - old", "difference": 0.02, "low": -0.01, "high": 0.05}
    >>> draw_forest([row | {"verdict": "cannot tell"}], measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    axis = alt.Axis(title=f"difference of {measure}", labelExpr=SIGNED_LABELS, tickCount=6)
    across = alt.X("low:Q", axis=axis, scale=alt.Scale(padding=10))
    verdict = make_scale(
        list(_VERDICT_COLORS), [get_light_color(name) for name in _VERDICT_COLORS.values()]
    )
    base = alt.Chart().encode(
        y=_make_row_axis("pair", values), color=alt.Color("verdict:N", scale=verdict, legend=None)
    )
    zero = (
        make_single_row_chart(x=0)
        .mark_rule(color=get_light_color("muted"), strokeDash=[4, 4], aria=False)
        .encode(x="x:Q")
    )
    ranges = base.mark_rule(strokeWidth=2.5, aria=False).encode(x=across, x2="high:Q")
    layers = [
        zero,
        ranges,
        _draw_forest_points(base),
        _draw_side_text(base.encode(text="verdict:N"), fontWeight=600),
    ]
    chart = alt.layer(*layers, data=make_chart(values).data)
    described = f"Difference of {measure} for {len(values)} pairs of runs, with intervals."
    return finish_chart(chart.properties(width=width, height={"step": 28}), described)


def _draw_forest_points(base: AltairChart) -> AltairChart:
    alt = import_altair()
    shape = alt.Shape(
        "verdict:N", scale=make_scale(list(_VERDICT_COLORS), _VERDICT_SHAPES), legend=None
    )
    points = base.mark_point(filled=True, size=130, opacity=1).encode(x="difference:Q", shape=shape)
    difference, low, high = (
        make_number_expression(end, "+.4f") for end in ("difference", "low", "high")
    )
    titles = {
        "pair": make_text_expression("pair"),
        "difference": difference,
        "low": low,
        "high": high,
    }
    label = f"datum.pair + ': ' + {difference} + ', from ' + {low} + ' to ' + {high}"
    return add_tooltip(
        points,
        titles | {"verdict": make_text_expression("verdict")},
        f"{label} + ', ' + datum.verdict",
    )


def draw_possible_values(rows: Rows, *, measure: str, width: float = WIDTH) -> "ChartType":
    """Draw a row for every run: its value, and how far unjudged items can move it.

    Args:
        rows: One for every run: run, value, low, high.
        measure: What the horizontal axis is called.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "value": 0.5, "low": 0.45, "high": 0.62}]
    >>> draw_possible_values(rows, measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    axis = alt.Axis(title=f"{measure} (line: value, bar: possible values)", tickCount=6)
    ends = alt.Scale(zero=False, padding=8, **choose_domain(values, "value"))
    across = alt.X("low:Q", axis=axis, scale=ends)
    base = alt.Chart().encode(y=_make_row_axis("run", values))
    bars = base.mark_bar(height=8, cornerRadius=4, color=get_light_color("unjudged"))
    ticks = base.mark_tick(
        thickness=3, size=22, opacity=1, color=get_light_color("ink"), aria=False
    )
    low, high = (make_number_expression(end, ".3f") for end in ("low", "high"))
    label = f"isValid(datum.low) ? {low} + ' to ' + {high} : ''"
    texts = base.transform_calculate(ends=label).encode(text="ends:N")
    layers = [
        _add_range_tooltip(bars.encode(x=across, x2="high:Q")),
        _add_range_tooltip(ticks.encode(x="value:Q")),
    ]
    chart = alt.layer(
        *layers,
        _draw_side_text(texts, color=get_light_color("muted")),
        data=make_chart(values).data,
    )
    described = f"{measure} of {len(values)} runs, and what unjudged items could make of it."
    return finish_chart(chart.properties(width=width, height={"step": 30}), described)


def _add_range_tooltip(marks: AltairChart) -> AltairChart:
    value, low, high = map(make_number_expression, ("value", "low", "high"))
    titles = {"run": make_text_expression("run"), "value": value, "low": low, "high": high}
    label = f"datum.run + ': ' + {value} + ', possible from ' + {low} + ' to ' + {high}"
    return add_tooltip(marks, titles, label)


def _make_row_axis(field: str, values: "Sequence[Row]") -> AltairChart:
    alt = import_altair()
    short = make_short_labels(list_names(values, field), 36)
    axis = alt.Axis(
        title=None, labelColor=get_light_color("ink"), labelLimit=260, grid=False, **short
    )
    return alt.Y(f"{field}:N", sort=list_names(values, field), axis=axis)


def _draw_side_text(marks: AltairChart, **style: object) -> AltairChart:
    return marks.mark_text(align="left", x=import_altair().expr("width + 14"), aria=False, **style)
