"""How the values of queries are distributed: histograms and cumulative shares."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import MOST, looks, names_of, scale
from gainful.charts.scales import nothing_known
from gainful.charts.style import (
    LABELLED,
    WIDTH,
    Rows,
    above,
    altair,
    chart,
    finished,
    held,
    legend,
    number,
    panel_labels,
    shortened,
    text,
    told,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

_TALL = 4  # runs, up to which a histogram has room for an axis of its own


def histogram(rows: Rows, *, measure: str, width: float = WIDTH) -> "ChartType":
    """A histogram for every run, below each other on one axis.

    Args:
        rows: One for every run and bar: run, low, high, count, share.
        measure: What the horizontal axis is called.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "low": 0.0, "high": 0.5, "count": 3, "share": 1.0}]
    >>> histogram(rows, measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    names = names_of(values)
    described = f"Histogram of {measure} over queries, for each of {len(names)} runs."
    if len(names) > _TALL:
        drawn = _low_bars(values, names, measure).properties(width=width, height=38 * len(names))
        return finished(drawn.properties(data=chart(values).data), described)
    tall = _tall_bars(values, names, measure)
    sized = tall.properties(width=width - 90, height=240 if len(names) == 1 else 110)
    header = alt.Header(
        title=None,
        labelOrient="top",
        labelAnchor="start",
        labelPadding=4,
        labelFontWeight=600,
        **panel_labels(names, 40),
    )
    panels = sized.facet(row=alt.Row("run:N", sort=names, header=header), data=chart(values).data)
    return finished(panels.properties(spacing=14), described, fitted=False)


def _bars(values: list[dict[str, Any]], measure: str) -> Any:
    alt = altair()
    few = len(values) <= LABELLED
    marks = alt.Chart().mark_rect(x2Offset=-1, ariaRoleDescription="bar", aria=few)
    axis = alt.Axis(title=measure, grid=False, tickCount=10)
    bars = marks.encode(x=alt.X("low:Q", axis=axis), x2="high:Q")
    low, high, share = number("low", ".2f"), number("high", ".2f"), number("share", ".1%")
    titles = {"run": text("run"), "from": low, "to": high, "queries": text("count")}
    said = f"datum.run + ': ' + datum.count + ' queries from ' + {low} + ' to ' + {high}"
    return told(bars, titles | {"share": share}, said if few else None)


def _tall_bars(values: list[dict[str, Any]], names: list[str], measure: str) -> Any:
    alt = altair()
    axis = alt.Axis(title="queries", format="%", tickCount=4, titlePadding=8)
    return _bars(values, measure).encode(
        y=alt.Y("share:Q", axis=axis, stack=None),
        y2=alt.datum(0),
        color=alt.Color("run:N", scale=scale(names, looks(names).colours), legend=None),
    )


def _low_bars(values: list[dict[str, Any]], names: list[str], measure: str) -> Any:
    """Many runs below each other, all to one scale, each with its name in place of an axis."""
    alt = altair()
    largest = max((row["share"] or 0.0 for row in values), default=0.0) or 1.0
    bottom = f"indexof({json.dumps(names)}, datum.run) + 1"
    short = list(shortened(names, 22).values())
    axis = alt.Axis(
        title=None,
        values=[i + 0.6 for i in range(len(names))],
        labelExpr=f"({json.dumps(short)})[floor(datum.value)]",
        labelColor=light("ink"),
        grid=False,
    )
    ends = alt.Scale(domain=[0, len(names)], reverse=True, nice=False)
    bars = _bars(values, measure).encode(
        y=alt.Y("bottom:Q", scale=ends, axis=axis), y2="top:Q", color=alt.value(light("a"))
    )
    return bars.transform_calculate(
        bottom=bottom, top=f"{bottom} - 0.85 * datum.share / {largest!r}"
    )


def ecdf(
    rows: Rows, *, measure: str, highlight: Sequence[str] = (), width: float = WIDTH
) -> "ChartType":
    """For every run, which share of queries has at most a value.

    A line that lies lower is of a better run. Of more than eight runs only those to highlight
    have a colour and a name.

    Args:
        rows: One for every run and value: run, value, share.
        measure: What the horizontal axis is called.
        highlight: The runs that stand out among many.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "value": v, "share": v} for v in (0.5, 1.0)]
    >>> ecdf(rows, measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    names = names_of(values)
    axis = alt.Axis(title=measure, grid=False, tickCount=10)
    shares = above("queries with at most this value", format="%", tickCount=5)
    base = alt.Chart().encode(
        x=alt.X("value:Q", axis=axis, scale=alt.Scale(**nothing_known(values, "value"))),
        y=alt.Y("share:Q", axis=shares, scale=alt.Scale(domain=[0, 1])),
    )
    layers = _steps(base, names, highlight or names[:1], len(values))
    drawn = alt.layer(*layers, data=chart(values).data).properties(width=width, height=300)
    described = f"Share of queries with at most a value of {measure}, for {len(names)} runs."
    return finished(drawn, described)


def _steps(base: Any, names: list[str], highlight: Sequence[str], n: int) -> list[Any]:
    alt = altair()
    look = looks(names, highlight)
    fewest = 1 if len(names) > MOST else 2  # among others, even one must be named
    shown = legend(look.named, lines=True, offset=30, fewest=fewest)
    kept = [look.names.index(name) for name in look.named]
    colours = scale(look.named, [look.colours[i] for i in kept])
    dashes = scale(look.named, [look.dashes[i] for i in kept])
    named = alt.FieldOneOfPredicate(field="run", oneOf=look.named)
    lines = base.transform_filter(named).mark_line(
        interpolate="step-after", strokeWidth=2.4, aria=n <= LABELLED
    )
    lines = lines.encode(
        color=alt.Color("run:N", scale=colours, legend=shown),
        strokeDash=alt.StrokeDash("run:N", scale=dashes, legend=shown),
        tooltip=alt.Tooltip("run:N"),
        description="run:N",
    )
    if len(names) <= MOST:
        return [lines]
    quiet = base.mark_line(
        interpolate="step-after", strokeWidth=1, opacity=0.5, color=light("same"), aria=False
    )
    return [quiet.encode(detail="run:N"), lines]
