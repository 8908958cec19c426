"""Curves: a measure of every run at every cutoff."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.charts.runs import MOST, Looks, looks, names_of, scale
from gainful.charts.scales import apart, span, whole_ticks
from gainful.charts.style import (
    LABELLED,
    WIDTH,
    Rows,
    above,
    altair,
    chart,
    finished,
    held,
    number,
    several,
    shortened,
    text,
    told,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

_RIBBONS = 6  # runs, beyond which their ribbons hide each other
_HEIGHT = 320


class _Axes(NamedTuple):
    """The same for every layer: a layer without them would stretch the axes."""

    across: Any
    upwards: Any
    ends: Any
    domain: tuple[float, float]
    colour: Any


def curves(
    rows: Rows,
    *,
    measure: str = "mean",
    log: bool = False,
    highlight: Sequence[str] = (),
    width: float = WIDTH,
) -> "ChartType":
    """A line for every run over the cutoffs, with a ribbon for where its mean lies.

    Every line has its name at its end. Of more than six runs no ribbons are drawn; of more than
    eight only those to highlight have a colour and a name, or the highest if none is named.

    Args:
        rows: One for every run and cutoff: run, k, value, low, high.
        measure: What the vertical axis is called.
        log: Whether the axis of cutoffs is logarithmic.
        highlight: The runs that stand out among many.
        width: In pixels, labels included.

    >>> rows = [{"run": "bm25", "k": k, "value": 0.5, "low": 0.4, "high": 0.6} for k in (1, 2)]
    >>> curves(rows, measure="nDCG").to_dict()["data"]["name"]
    'rows'
    """
    values = held(rows)
    names, ends = names_of(values), _ends(values)
    if len(names) > MOST and not set(highlight) & set(names) and ends:
        highlight = [max(ends, key=lambda end: end["value"])["run"]]
    look = looks(names, highlight)
    short = shortened(look.named)
    axes = _axes(values, look, measure, log)
    labels = _labels([end for end in ends if end["run"] in short], short, axes)
    layers = [*_drawn(look, axes), _points(values, look, axes, measure), labels]
    layered = altair().layer(*layers, data=chart(values).data)
    described = f"{measure} of {len(names)} runs at every cutoff."
    return finished(layered.properties(width=width, height=_HEIGHT), described)


def _ends(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    known = (row for row in values if row["value"] is not None)
    return list({row["run"]: row for row in sorted(known, key=lambda row: row["k"])}.values())


def _axes(values: list[dict[str, Any]], look: Looks, measure: str, log: bool) -> _Axes:
    alt = altair()
    ks = [row["k"] for row in values] or [1]
    ends = [min(ks), max(ks)] if min(ks) < max(ks) else [0.9 * ks[0], 1.1 * ks[0]]
    ticks = whole_ticks(min(ks), max(ks), log=log) if len(set(ks)) > 1 else ks[:1]
    cutoff = alt.Axis(title="cutoff k", values=ticks, grid=False, format="d")
    kind = "log" if log else "linear"
    domain = span(v for row in values for v in (row["value"], row["low"], row["high"]))
    upwards = alt.Scale(domain=list(domain), nice=False, zero=False)
    return _Axes(
        alt.X("k:Q", scale=alt.Scale(type=kind, domain=ends, nice=False), axis=cutoff),
        alt.Y("value:Q", scale=upwards, axis=above(measure, tickCount=6)),
        upwards,
        domain,
        alt.Color("run:N", scale=scale(look.names, look.colours), legend=None),
    )


def _drawn(look: Looks, axes: _Axes) -> list[Any]:
    alt = altair()
    base = alt.Chart().encode(x=axes.across, y=axes.upwards, color=axes.colour)
    dash = alt.StrokeDash("run:N", scale=scale(look.names, look.dashes), legend=None)
    named = alt.FieldOneOfPredicate(field="run", oneOf=look.named)
    lines = base.transform_filter(named).mark_line(strokeWidth=2.6, strokeJoin="round", aria=False)
    lines = lines.encode(strokeDash=dash)
    if len(look.named) < len(look.names):
        quiet = base.mark_line(strokeWidth=1, opacity=0.55, aria=False)
        return [quiet.encode(detail="run:N"), lines]
    if len(look.names) > _RIBBONS:
        return [lines]
    low, high = (alt.Y(f"{end}:Q", scale=axes.ends) for end in ("low", "high"))
    ribbons = base.mark_area(opacity=0.1, aria=False).encode(y=low, y2="high:Q")
    edges = base.mark_line(strokeWidth=1, opacity=0.4, aria=False).encode(detail="run:N")
    return [ribbons, edges.encode(y=low), edges.encode(y=high), lines]


def _points(values: list[dict[str, Any]], look: Looks, axes: _Axes, measure: str) -> Any:
    """What a pointer finds on the lines that have a name."""
    alt = altair()
    alone = len({row["k"] for row in values}) == 1
    few = len([row for row in values if row["run"] in look.named]) <= LABELLED
    points = alt.Chart().mark_point(filled=True, size=70, opacity=int(alone), aria=few)
    if len(look.named) < len(look.names):
        points = points.transform_filter(alt.FieldOneOfPredicate(field="run", oneOf=look.named))
    placed = points.encode(x=axes.across, y=axes.upwards, color=axes.colour)
    value, low, high = map(number, ("value", "low", "high"))
    titles = {"run": text("run"), "cutoff": text("k"), measure: value, "low": low, "high": high}
    said = f"datum.run + ' at ' + datum.k + ': ' + {value}"
    return told(placed, titles, said if few else None)


def _labels(ends: list[dict[str, Any]], short: dict[str, str], axes: _Axes) -> Any:
    pixel = (axes.domain[1] - axes.domain[0]) / _HEIGHT
    places = apart([end["value"] for end in ends], 17 * pixel)
    rows = [
        {"run": end["run"], "k": end["k"], "value": place, "name": short[end["run"]]}
        for end, place in zip(ends, places, strict=True)
    ]
    marks = several(rows).mark_text(align="left", dx=8, fontWeight=600, aria=False)
    return marks.encode(x=axes.across, y=axes.upwards, text="name:N", color=axes.colour)
