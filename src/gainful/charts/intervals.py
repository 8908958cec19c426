"""Numbers with intervals: differences of pairs of runs, and possible values of runs."""

from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import names_of, scale
from gainful.charts.scales import nothing_known
from gainful.charts.style import (
    SIGNED,
    WIDTH,
    Row,
    Rows,
    altair,
    chart,
    finished,
    held,
    number,
    once,
    short_labels,
    text,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from altair.typing import ChartType

_COLOURS = {
    "better": "better",
    "worse": "worse",
    "cannot tell": "same",
    "practically equal": "muted",
    "identical": "ink",
}
_SHAPES = ["triangle-right", "triangle-left", "circle", "square", "diamond"]


def forest(rows: Rows, *, measure: str, width: float = WIDTH) -> "ChartType":
    """A row for every pair of runs: their difference, where it lies, and the verdict in words.

    Args:
        rows: One for every pair: pair, difference, low, high, verdict.
        measure: The measure that differs.
        width: In pixels, labels included.

    >>> row = {"pair": "new - old", "difference": 0.02, "low": -0.01, "high": 0.05}
    >>> forest([row | {"verdict": "cannot tell"}], measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    axis = alt.Axis(title=f"difference of {measure}", labelExpr=SIGNED, tickCount=6)
    across = alt.X("low:Q", axis=axis, scale=alt.Scale(padding=10))
    verdict = scale(list(_COLOURS), [light(name) for name in _COLOURS.values()])
    base = alt.Chart().encode(
        y=_in_order("pair", values), color=alt.Color("verdict:N", scale=verdict, legend=None)
    )
    zero = once(x=0).mark_rule(color=light("muted"), strokeDash=[4, 4], aria=False).encode(x="x:Q")
    ranges = base.mark_rule(strokeWidth=2.5, aria=False).encode(x=across, x2="high:Q")
    layers = [zero, ranges, _points(base), _beside(base.encode(text="verdict:N"), fontWeight=600)]
    drawn = alt.layer(*layers, data=chart(values).data)
    described = f"Difference of {measure} for {len(values)} pairs of runs, with intervals."
    return finished(drawn.properties(width=width, height={"step": 28}), described)


def _points(base: Any) -> Any:
    alt = altair()
    shape = alt.Shape("verdict:N", scale=scale(list(_COLOURS), _SHAPES), legend=None)
    points = base.mark_point(filled=True, size=130, opacity=1).encode(x="difference:Q", shape=shape)
    difference, low, high = (number(end, "+.4f") for end in ("difference", "low", "high"))
    titles = {"pair": text("pair"), "difference": difference, "low": low, "high": high}
    said = f"datum.pair + ': ' + {difference} + ', from ' + {low} + ' to ' + {high}"
    return told(points, titles | {"verdict": text("verdict")}, f"{said} + ', ' + datum.verdict")


def possible(rows: Rows, *, measure: str, width: float = WIDTH) -> "ChartType":
    """A row for every run: its value, and between which values unjudged items can move it.

    Args:
        rows: One for every run: run, value, low, high.
        measure: What the horizontal axis is called.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "value": 0.5, "low": 0.45, "high": 0.62}]
    >>> possible(rows, measure="nDCG@10").to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    axis = alt.Axis(title=f"{measure} (line: value, bar: possible values)", tickCount=6)
    ends = alt.Scale(zero=False, padding=8, **nothing_known(values, "value"))
    across = alt.X("low:Q", axis=axis, scale=ends)
    base = alt.Chart().encode(y=_in_order("run", values))
    bars = base.mark_bar(height=8, cornerRadius=4, color=light("unjudged"))
    ticks = base.mark_tick(thickness=3, size=22, opacity=1, color=light("ink"), aria=False)
    shown = f"isValid(datum.low) ? {number('low', '.3f')} + ' to ' + {number('high', '.3f')} : ''"
    named = base.transform_calculate(ends=shown).encode(text="ends:N")
    layers = [_spoken(bars.encode(x=across, x2="high:Q")), _spoken(ticks.encode(x="value:Q"))]
    drawn = alt.layer(*layers, _beside(named, color=light("muted")), data=chart(values).data)
    described = f"{measure} of {len(values)} runs, and what unjudged items could make of it."
    return finished(drawn.properties(width=width, height={"step": 30}), described)


def _spoken(marks: Any) -> Any:
    value, low, high = map(number, ("value", "low", "high"))
    titles = {"run": text("run"), "value": value, "low": low, "high": high}
    said = f"datum.run + ': ' + {value} + ', possible from ' + {low} + ' to ' + {high}"
    return told(marks, titles, said)


def _in_order(field: str, values: "Sequence[Row]") -> Any:
    alt = altair()
    short = short_labels(names_of(values, field), 36)
    axis = alt.Axis(title=None, labelColor=light("ink"), labelLimit=260, grid=False, **short)
    return alt.Y(f"{field}:N", sort=names_of(values, field), axis=axis)


def _beside(named: Any, **style: Any) -> Any:
    return named.mark_text(align="left", x=altair().expr("width + 14"), aria=False, **style)
