"""Slices: the means of runs, apart for each kind of query."""

from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import MOST, looks, names_of, scale
from gainful.charts.scales import nothing_known
from gainful.charts.style import (
    WIDTH,
    Row,
    Rows,
    altair,
    chart,
    finished,
    held,
    legend,
    number,
    quoted,
    short_labels,
    text,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from altair.typing import ChartType


def slices(
    rows: Rows,
    *,
    measure: str,
    column: str,
    ends: tuple[float, float] | None = None,
    width: float = WIDTH,
) -> "ChartType":
    """For every slice a row for every run: its mean and where it lies.

    Up to eight runs are told apart by colour and shape; of more, each has its name beside it.

    Args:
        rows: One for every run and slice: run, slice, n, value, low, high.
        measure: What the horizontal axis is called.
        column: What tells the slices apart.
        ends: Where the horizontal axis begins and ends; where the values do if not given.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "slice": "en", "n": 7, "value": 0.5, "low": 0.4, "high": 0.6}]
    >>> slices(rows, measure="nDCG@10", column="language").to_dict()["data"]["name"]
    'rows'
    """
    values = held(rows)
    layers = _ranges(values, measure, ends), _points(measure, column)
    n_runs = len(names_of(values))
    described = f"{measure} of {n_runs} runs for every value of {column}, with intervals."
    if n_runs > MOST:
        return finished(_apart(layers, values, column, width), described, fitted=False)
    return finished(_grouped(layers, values, column, width), described)


def _ranges(values: "Sequence[Row]", measure: str, given: tuple[float, float] | None) -> Any:
    alt = altair()
    axis = alt.Axis(title=measure, tickCount=6)
    domain = nothing_known(values, "value") if given is None else {"domain": list(given)}
    ends = alt.Scale(zero=False, padding=8, **domain)
    lines = _named(alt.Chart()).mark_rule(strokeWidth=2, aria=False)
    return lines.encode(x=alt.X("low:Q", axis=axis, scale=ends), x2="high:Q")


def _points(measure: str, column: str) -> Any:
    points = _named(altair().Chart()).mark_point(filled=True, size=90, opacity=1)
    titles = {
        "run": text("run"),
        column: text("slice"),
        "queries": text("n"),
        measure: number("value"),
        "low": number("low"),
        "high": number("high"),
    }
    said = f"datum.run + ', ' + datum.slice + ': ' + {number('value')}"
    return told(points.encode(x="value:Q"), titles, said)


def _named(drawn: Any) -> Any:
    return drawn.transform_calculate(named="datum.slice + ' (' + datum.n + ')'")


def _names(values: "Sequence[Row]") -> list[str]:
    return list(dict.fromkeys(f"{row['slice']} ({row['n']})" for row in values))


def _grouped(layers: tuple[Any, Any], values: "Sequence[Row]", column: str, width: float) -> Any:
    """Runs below each other within a slice, told apart by colour and shape."""
    alt = altair()
    names = names_of(values)
    look, shown = looks(names), legend(names, offset=30)
    short = short_labels(_names(values))
    axis = alt.Axis(title=column, labelColor=light("ink"), grid=False, **_ABOVE, **short)
    bands = alt.Scale(paddingInner=0.25, paddingOuter=0.1)
    same = {
        "y": alt.Y("named:N", sort=_names(values), axis=axis, scale=bands),
        "yOffset": alt.YOffset("run:N", sort=names, scale=alt.Scale(paddingOuter=0.2)),
        "color": alt.Color("run:N", scale=scale(names, look.colours), legend=shown),
    }
    ranges, points = (layer.encode(**same) for layer in layers)
    shape = alt.Shape("run:N", scale=scale(names, look.shapes), legend=shown)
    drawn = alt.layer(ranges, points.encode(shape=shape), data=chart(values).data)
    return drawn.properties(width=width, height=alt.Step(17, **{"for": "offset"}))


_ABOVE = {
    "titleAngle": 0,
    "titleAlign": "right",
    "titleAnchor": "end",
    "titleX": -8,
    "titleY": -10,
    "titleBaseline": "bottom",
}


def _apart(layers: tuple[Any, Any], values: "Sequence[Row]", column: str, width: float) -> Any:
    """A panel for every slice, in which each run has its name beside it."""
    alt = altair()
    short = short_labels(names_of(values), 26)
    axis = alt.Axis(title=None, labelColor=light("ink"), grid=False, **short)
    row, colour = alt.Y("run:N", sort=names_of(values), axis=axis), alt.value(light("a"))
    panel = alt.layer(*(layer.encode(y=row, color=colour) for layer in layers))
    header = alt.Header(
        title=None,
        labelExpr=f"{quoted(column)} + ': ' + (datum.label)",
        labelOrient="top",
        labelAnchor="start",
        labelFontWeight=600,
    )
    facet = alt.Row("named:N", sort=_names(values), header=header)
    sized = panel.properties(width=width - 190, height={"step": 17})
    return sized.facet(row=facet, data=chart(values).data)
