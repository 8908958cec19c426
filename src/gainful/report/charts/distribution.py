"""How the values of queries are distributed: histograms and cumulative shares."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gainful.report.charts.style import (
    MOST_COLORED_RUNS,
    MOST_LABELED_MARKS,
    WIDTH,
    AltairChart,
    Rows,
    add_tooltip,
    assign_styles,
    choose_domain,
    choose_ticks,
    finish_chart,
    get_light_color,
    import_altair,
    list_names,
    make_chart,
    make_legend,
    make_number_expression,
    make_panel_labels,
    make_scale,
    make_short_labels,
    make_text_expression,
    make_top_titled_axis,
    replace_nan,
    shorten_names,
)

if TYPE_CHECKING:
    from altair.typing import ChartType


_TALL = 4  # runs, up to which a histogram has room for an axis of its own


def draw_histogram(rows: Rows, *, measure: str, width: float = WIDTH) -> "ChartType":
    """Draw a histogram for every run, below each other on one axis.

    Args:
        rows: One for every run and bar: run, low, high, count, share.
        measure: What the horizontal axis is called.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "low": 0.0, "high": 0.5, "count": 3, "share": 1.0}]
    >>> draw_histogram(rows, measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    names = list_names(values)
    described = f"Histogram of {measure} over queries, for each of {len(names)} runs."
    if len(names) > _TALL:
        chart = _draw_low_bars(values, names, measure).properties(
            width=width, height=38 * len(names)
        )
        return finish_chart(chart.properties(data=make_chart(values).data), described)
    bars = _draw_tall_bars(values, names, measure)
    panel = bars.properties(width=width - 90, height=240 if len(names) == 1 else 110)
    header = alt.Header(
        title=None,
        labelOrient="top",
        labelAnchor="start",
        labelPadding=4,
        labelFontWeight=600,
        **make_panel_labels(names, 40),
    )
    panels = panel.facet(
        row=alt.Row("run:N", sort=names, header=header), data=make_chart(values).data
    )
    return finish_chart(panels.properties(spacing=14), described, fitted=False)


def _draw_bars(values: list[dict[str, Any]], measure: str) -> AltairChart:
    alt = import_altair()
    few = len(values) <= MOST_LABELED_MARKS
    marks = alt.Chart().mark_rect(x2Offset=-1, ariaRoleDescription="bar", aria=few)
    axis = alt.Axis(title=measure, grid=False, tickCount=10)
    bars = marks.encode(x=alt.X("low:Q", axis=axis), x2="high:Q")
    low, high, share = (
        make_number_expression("low", ".2f"),
        make_number_expression("high", ".2f"),
        make_number_expression("share", ".1%"),
    )
    titles = {
        "run": make_text_expression("run"),
        "from": low,
        "to": high,
        "queries": make_text_expression("count"),
    }
    label = f"datum.run + ': ' + datum.count + ' queries from ' + {low} + ' to ' + {high}"
    return add_tooltip(bars, titles | {"share": share}, label if few else None)


def _draw_tall_bars(values: list[dict[str, Any]], names: list[str], measure: str) -> AltairChart:
    alt = import_altair()
    axis = alt.Axis(title="queries", format="%", tickCount=4, titlePadding=8)
    return _draw_bars(values, measure).encode(
        y=alt.Y("share:Q", axis=axis, stack=None),
        y2=alt.datum(0),
        color=alt.Color("run:N", scale=make_scale(names, assign_styles(names).colors), legend=None),
    )


def _draw_low_bars(values: list[dict[str, Any]], names: list[str], measure: str) -> AltairChart:
    """Draw many runs below each other on one scale, each with its name instead of an axis."""
    alt = import_altair()
    largest = max((row["share"] or 0.0 for row in values), default=0.0) or 1.0
    bottom = f"indexof({json.dumps(names)}, datum.run) + 1"
    short = list(shorten_names(names, 22).values())
    axis = alt.Axis(
        title=None,
        values=[i + 0.6 for i in range(len(names))],
        labelExpr=f"({json.dumps(short)})[floor(datum.value)]",
        labelColor=get_light_color("ink"),
        grid=False,
    )
    ends = alt.Scale(domain=[0, len(names)], reverse=True, nice=False)
    bars = _draw_bars(values, measure).encode(
        y=alt.Y("bottom:Q", scale=ends, axis=axis),
        y2="top:Q",
        color=alt.value(get_light_color("a")),
    )
    return bars.transform_calculate(
        bottom=bottom, top=f"{bottom} - 0.85 * datum.share / {largest!r}"
    )


def draw_ecdf(
    rows: Rows, *, measure: str, highlight: Sequence[str] = (), width: float = WIDTH
) -> "ChartType":
    """Draw, for every run, the share of queries with at most a given value.

    A lower line belongs to a better run. With more than eight runs only those in ``highlight`` have
    a color and a name.

    Args:
        rows: One for every run and value: run, value, share.
        measure: What the horizontal axis is called.
        highlight: The runs that stand out among many.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "value": v, "share": v} for v in (0.5, 1.0)]
    >>> draw_ecdf(rows, measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    names = list_names(values)
    axis = alt.Axis(title=measure, grid=False, tickCount=10)
    shares = make_top_titled_axis("queries with at most this value", format="%", tickCount=5)
    base = alt.Chart().encode(
        x=alt.X("value:Q", axis=axis, scale=alt.Scale(**choose_domain(values, "value"))),
        y=alt.Y("share:Q", axis=shares, scale=alt.Scale(domain=[0, 1])),
    )
    layers = _draw_steps(base, names, highlight or names[:1], len(values))
    chart = alt.layer(*layers, data=make_chart(values).data).properties(width=width, height=300)
    described = f"Share of queries with at most a value of {measure}, for {len(names)} runs."
    return finish_chart(chart, described)


def _draw_steps(base: AltairChart, names: list[str], highlight: Sequence[str], n: int) -> list[Any]:
    alt = import_altair()
    look = assign_styles(names, highlight)
    fewest = (
        1 if len(names) > MOST_COLORED_RUNS else 2
    )  # among others, even a single run must be named
    legend = make_legend(look.named_runs, lines=True, offset=30, fewest=fewest)
    places = [look.names.index(name) for name in look.named_runs]
    colors = make_scale(look.named_runs, [look.colors[i] for i in places])
    dashes = make_scale(look.named_runs, [look.dashes[i] for i in places])
    is_named = alt.FieldOneOfPredicate(field="run", oneOf=look.named_runs)
    lines = base.transform_filter(is_named).mark_line(
        interpolate="step-after", strokeWidth=2.4, aria=n <= MOST_LABELED_MARKS
    )
    lines = lines.encode(
        color=alt.Color("run:N", scale=colors, legend=legend),
        strokeDash=alt.StrokeDash("run:N", scale=dashes, legend=legend),
        tooltip=alt.Tooltip("run:N"),
        description="run:N",
    )
    if len(names) <= MOST_COLORED_RUNS:
        return [lines]
    quiet = base.mark_line(
        interpolate="step-after",
        strokeWidth=1,
        opacity=0.5,
        color=get_light_color("same"),
        aria=False,
    )
    return [quiet.encode(detail="run:N"), lines]


_STATES = {
    "relevant": ("relevant", "square", 90),
    "not relevant": ("nonrelevant", "circle", 30),
    "unjudged": ("unjudged", "cross", 64),
}
_STEP = 15


def draw_coverage(rows: Rows, *, width: float = WIDTH) -> "ChartType":
    """Draw a map for every run, with a row for every query and a mark for every rank.

    A relevant item is a square, an item that is not relevant a dot, an unjudged item a cross. Ranks
    without an item are empty.

    Args:
        rows: One for every run, query and rank: run, query, rank, state. The state is relevant,
            not relevant, unjudged or nothing.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "query": "q1", "rank": 1, "state": "relevant"}]
    >>> draw_coverage(rows).to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    names, states = list_names(values), list(_STATES)
    _, shapes, sizes = zip(*_STATES.values(), strict=True)
    few = len(values) <= MOST_LABELED_MARKS
    # Not a scale of sizes, which would spread them evenly.
    size = f"{json.dumps(dict(zip(states, sizes, strict=True)))}[datum.state]"
    marks = alt.Chart().transform_filter("datum.state != 'nothing'")
    marks = marks.mark_point(filled=True, opacity=1, size=alt.expr(size), aria=few)
    legend = make_legend(states)
    queries = alt.Axis(title=None, **make_short_labels(list_names(values, "query"), 18))
    marks = marks.encode(
        x=alt.X("rank:O", axis=_make_rank_axis(values)),
        y=alt.Y("query:N", sort=list_names(values, "query"), axis=queries),
        color=alt.Color("state:N", scale=_make_state_colors(), legend=legend),
        shape=alt.Shape("state:N", scale=make_scale(states, shapes), legend=legend),
    )
    titles = {field: make_text_expression(field) for field in ("run", "query", "rank", "state")}
    label = "datum.run + ', query ' + datum.query + ', rank ' + datum.rank + ': ' + datum.state"
    marks = add_tooltip(marks, titles, label if few else None)
    step = {"step": _choose_cell_width(values, len(names), width)}
    panel = marks.properties(width=step, height={"step": _STEP})
    described = f"What is judged, by query and rank, for each of {len(names)} runs."
    return finish_chart(_facet_by_run(panel, values, names), described, fitted=False)


def draw_coverage_shares(rows: Rows, *, width: float = WIDTH) -> "ChartType":
    """Draw the shares of judged items for many queries: one row per range of queries.

    Relevant items are at the bottom, unjudged items at the top, items that are not relevant
    between.

    Args:
        rows: One for every run, range of queries and rank: run, query, rank, relevant, judged,
            unjudged. The shares are of the queries of the range; judged counts relevant too.
        width: In pixels, labels included.

    >>> row = {"run": "bm25", "query": "q1-q9", "rank": 1}
    >>> shares = {"relevant": 0.5, "judged": 0.75, "unjudged": 0.25}
    >>> draw_coverage_shares([row | shares]).to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    names, ranges = list_names(values), list_names(values, "query")
    line = f"indexof({json.dumps(ranges)}, datum.query)"
    shares = {"relevant": "datum.relevant", "not relevant": "datum.judged - datum.relevant"}
    shares["unjudged"] = "datum.unjudged"
    starts = {"relevant": "0", "not relevant": "datum.relevant", "unjudged": "datum.judged"}
    layers = [
        _draw_share_bars(state, line, starts[state], shares[state], values, ranges)
        for state in shares
    ]
    step = {"step": _choose_cell_width(values, len(names), width)}
    panel = alt.layer(*layers).properties(width=step, height=32 * max(len(ranges), 1))
    described = f"Shares of judged items, by queries and rank, for each of {len(names)} runs."
    return finish_chart(_facet_by_run(panel, values, names), described, fitted=False)


def _draw_share_bars(
    state: str,
    line: str,
    start: str,
    share: str,
    values: list[dict[str, Any]],
    ranges: list[str],
) -> AltairChart:
    alt = import_altair()
    bars = alt.Chart().transform_calculate(
        state=f"'{state}'",
        bottom=f"{line} + 1 - 0.86 * ({start})",
        top=f"{line} + 1 - 0.86 * ({start} + {share})",
    )
    short = list(shorten_names(ranges, 20).values())
    axis = alt.Axis(
        title=None,
        values=[i + 0.57 for i in range(len(ranges))],
        labelExpr=f"({json.dumps(short)})[floor(datum.value)]",
        grid=False,
    )
    upwards = alt.Scale(domain=[0, max(len(ranges), 1)], reverse=True, nice=False)
    marks = bars.mark_bar(width={"band": 0.86}, aria=False).encode(
        x=alt.X("rank:O", axis=_make_rank_axis(values)),
        y=alt.Y("bottom:Q", scale=upwards, axis=axis),
        y2="top:Q",
        color=alt.Color("state:N", scale=_make_state_colors(), legend=make_legend(list(_STATES))),
    )
    titles = {
        "run": make_text_expression("run"),
        "queries": make_text_expression("query"),
        "rank": make_text_expression("rank"),
    }
    shares = {
        name: make_number_expression(name, ".1%") for name in ("relevant", "judged", "unjudged")
    }
    return add_tooltip(marks, titles | shares, None)


def _make_state_colors() -> AltairChart:
    return make_scale(list(_STATES), [get_light_color(name) for name, *_ in _STATES.values()])


def _make_rank_axis(values: list[dict[str, Any]]) -> AltairChart:
    deepest = max((row["rank"] for row in values), default=1)
    ticks = choose_ticks(1, deepest)[:: 2 if deepest > 10 else 1]
    return import_altair().Axis(title="rank", values=ticks, labelAngle=0)


def _choose_cell_width(values: list[dict[str, Any]], n_runs: int, width: float) -> float:
    deepest = max((row["rank"] for row in values), default=1)
    room = width - 140 if n_runs == 1 else (width - 160) / 2
    return round(min(max(room / deepest, 9), 20), 2)


def _facet_by_run(
    chart: AltairChart, values: list[dict[str, Any]], names: list[str]
) -> AltairChart:
    alt = import_altair()
    short = make_panel_labels(names, 40 if len(names) == 1 else 26)
    header = alt.Header(
        title=None, labelAnchor="start", labelFontWeight=600, labelPadding=6, **short
    )
    facet = alt.Facet("run:N", sort=names, header=header)
    columns = 1 if len(names) == 1 else 2
    chart = chart.facet(facet=facet, columns=columns, data=make_chart(values).data)
    return chart.properties(spacing=18).resolve_axis(x="independent")
