"""Two runs, query by query: bars of differences, and one run against the other.

The names of the runs are the signals ``name_a`` and ``name_b``, so that a page can show another
pair: it replaces the rows and sets the signals.
"""

from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import names_of
from gainful.charts.style import (
    LABELLED,
    SIGNED,
    WIDTH,
    Rows,
    altair,
    chart,
    finished,
    held,
    number,
    once,
    quoted,
    short_labels,
    text,
    told,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

_NAMED = 30  # queries, up to which each bar has a row of its own and its name
_TIE = 1e-9
_OUTCOMES = ["better", "worse", "same"]
_SHAPES = ["triangle-up", "triangle-down", "circle"]
_SHORT = (
    "length(name_{run}) > 30 ? slice(name_{run}, 0, 15) + '…' + slice(name_{run}, -14) : name_{run}"
)


def differences(
    rows: Rows, *, measure: str, a: str, b: str, tie: float = _TIE, width: float = WIDTH
) -> "ChartType":
    """A bar for every query: how far b is above a, the largest loss first.

    Up to 30 queries have a row each, with their id; of more the bars stand side by side.

    Args:
        rows: One for every query: query, text, a, b, difference, place.
        measure: The measure whose values differ.
        a: The name of the run that is subtracted, the baseline.
        b: The name of the other.
        tie: The difference up to which two values are the same.
        width: In pixels, labels included.

    >>> row = {"query": "q1", "text": None, "a": 0.2, "b": 0.5, "difference": 0.3, "place": 1}
    >>> differences([row], measure="nDCG@10", a="old", b="new").to_dict()["data"]["name"]
    'rows'
    """
    values = held(rows)
    named = len(values) <= _NAMED
    layers = _rows_of_bars(values) if named else _columns_of_bars(values)
    title = f"{quoted(measure)} + ': ' + short_b + ' minus ' + short_a"
    layers.append(_written(title, x=0, y=-14, fontWeight=600))
    drawn = _paired(altair().layer(*layers, data=chart(values).data), a, b, tie)
    height = {"step": 24} if named else 300
    described = f"Difference of {measure} for every query, {b} less {a}."
    return finished(drawn.properties(width=width, height=height), described)


def scatter(
    rows: Rows, *, measure: str, a: str, b: str, tie: float = _TIE, width: float = 560
) -> "ChartType":
    """A point for every query: what a scores across, what b scores upwards.

    Above the diagonal b is better, below it a is. The rows are those of ``differences``.

    >>> row = {"query": "q1", "text": None, "a": 0.2, "b": 0.5, "difference": 0.3, "place": 1}
    >>> scatter([row], measure="nDCG@10", a="old", b="new").to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    across, upwards = (alt.Axis(title=None, tickCount=5) for _ in "ab")
    shapes = alt.Scale(domain=_OUTCOMES, range=_SHAPES)
    marks = alt.Chart().mark_point(filled=True, size=70, opacity=0.75, aria=len(values) <= LABELLED)
    points = marks.encode(
        x=alt.X("a:Q", axis=across),
        y=alt.Y("b:Q", axis=upwards),
        color=_outcome(),
        shape=alt.Shape("outcome:N", scale=shapes, legend=None),
    )
    layers = [_diagonal(), _told(points, values), *_sides_of_diagonal(), *_names_of_axes(measure)]
    drawn = _paired(alt.layer(*layers, data=chart(values).data), a, b, tie)
    described = f"{measure} of every query: {a} across, {b} upwards."
    return finished(drawn.properties(width=width, height=width - 70), described)


def _paired(drawn: Any, a: str, b: str, tie: float) -> Any:
    """The chart with the names as signals, and how each query came out."""
    alt = altair()
    names = [alt.param(name="name_a", value=a), alt.param(name="name_b", value=b)]
    names += [alt.param(name=f"short_{run}", expr=_SHORT.format(run=run)) for run in "ab"]
    worse = f"datum.difference < -{tie!r} ? 'worse' : 'same'"
    outcome = f"datum.difference > {tie!r} ? 'better' : {worse}"
    return drawn.transform_calculate(outcome=outcome).add_params(*names)


def _outcome() -> Any:
    alt = altair()
    scale = alt.Scale(domain=_OUTCOMES, range=[light(name) for name in _OUTCOMES])
    return alt.Color("outcome:N", scale=scale, legend=None)


def _told(marks: Any, values: list[dict[str, Any]]) -> Any:
    """The marks with a tooltip of the query and both values, and the same for screen readers."""
    of_a, of_b = (f"name_{run} + ' ' + {number(run)}" for run in "ab")
    asked = {"text": text("text")} if any(row["text"] for row in values) else {}
    difference = number("difference", "+.4f")
    titles = {"query": text("query"), **asked, "A": of_a, "B": of_b, "difference": difference}
    said = (
        f"'query ' + datum.query + ': ' + {of_b} + ', ' + {of_a} + ', difference ' + {difference}"
    )
    return told(marks, titles, said if len(values) <= LABELLED else None)


def _rows_of_bars(values: list[dict[str, Any]]) -> list[Any]:
    alt = altair()
    axis = alt.Axis(title=None, labelExpr=SIGNED, tickCount=6, orient="bottom")
    across = alt.X("difference:Q", axis=axis, scale=alt.Scale(padding=52, nice=False))
    # Layers of different rows keep an order only if it says which of several places to take.
    short = short_labels(names_of(values, "query"), 28)
    order = alt.EncodingSortField("place", op="min")
    query = alt.Y("query:N", sort=order, axis=alt.Axis(title=None, **short))
    base = alt.Chart().encode(x=across, y=query)
    bars = base.mark_bar(height={"band": 0.72}).encode(color=_outcome())
    bars = _told(bars, values)
    zero = once(x=0).mark_rule(color=light("muted"), aria=False).encode(x="x:Q")
    return [bars, zero, _numbers(base, positive=True), _numbers(base, positive=False)]


def _numbers(base: Any, *, positive: bool) -> Any:
    kept = "datum.difference >= 0" if positive else "datum.difference < 0"
    placed = {"align": "left", "dx": 6} if positive else {"align": "right", "dx": -6}
    shown = "datum.outcome == 'same' ? '0' : format(datum.difference, '+.3f')"
    marks = base.transform_filter(kept).mark_text(color=light("muted"), aria=False, **placed)
    return marks.transform_calculate(shown=shown).encode(text="shown:N")


def _columns_of_bars(values: list[dict[str, Any]]) -> list[Any]:
    alt = altair()
    place = alt.X("place:O", axis=None, scale=alt.Scale(paddingInner=0.1, paddingOuter=0))
    axis = alt.Axis(title=None, labelExpr=SIGNED, tickCount=7)
    base = alt.Chart().encode(x=place, y=alt.Y("difference:Q", axis=axis), color=_outcome())
    bars = _told(base.mark_bar(aria=len(values) <= LABELLED), values)
    same = base.transform_filter("datum.outcome == 'same'").mark_tick(thickness=3, aria=False)
    zero = once(y=0).mark_rule(color=light("muted"), aria=False).encode(y="y:Q")
    below = _written(
        "'queries, the largest loss first'", x="width / 2", y="height + 18", align="center"
    )
    return [bars, zero, same, *_sides_of_zero(), below]


def _sides_of_zero() -> list[Any]:
    better = _written("'▲ ' + short_b + ' better'", x=8, y=10, color=light("better"))
    worse = _written(
        "'▼ ' + short_b + ' worse'", x="width - 8", y="height - 10", align="right",
        color=light("worse"),
    )  # fmt: skip
    return [better, worse]


def _sides_of_diagonal() -> list[Any]:
    better = _written("'▲ ' + short_b + ' better'", x=8, y=-14, color=light("better"))
    worse = _written(
        "'▼ ' + short_b + ' worse'", x="width - 8", y="height - 12", align="right",
        color=light("worse"),
    )  # fmt: skip
    return [better, worse]


def _names_of_axes(measure: str) -> list[Any]:
    across = _written(
        f"{quoted(measure)} + ' of ' + short_a", x="width / 2", y="height + 38", align="center",
        fontWeight=600,
    )  # fmt: skip
    upwards = _written(
        f"{quoted(measure)} + ' of ' + short_b", x=-50, y="height / 2", align="center", angle=270,
        fontWeight=600,
    )  # fmt: skip
    return [across, upwards]


def _written(text: str, *, x: float | str, y: float | str, **more: Any) -> Any:
    """A line of text at a place in pixels; both may be expressions of width and height."""
    alt = altair()
    place = {"x": alt.expr(x) if isinstance(x, str) else x}
    place["y"] = alt.expr(y) if isinstance(y, str) else y
    style = {"align": "left", "baseline": "middle", "limit": 560, "aria": False, **more}
    return once().mark_text(text=alt.expr(text), **place, **style)


def _diagonal() -> Any:
    ends = altair().Chart().transform_aggregate(
        low_a="min(a)", low_b="min(b)", high_a="max(a)", high_b="max(b)"
    )  # fmt: skip
    ends = ends.transform_calculate(
        low="min(0, datum.low_a, datum.low_b)", high="max(datum.high_a, datum.high_b)"
    )
    line = ends.mark_rule(color=light("muted"), strokeDash=[4, 4], aria=False)
    return line.encode(x="low:Q", y="low:Q", x2="high:Q", y2="high:Q")
