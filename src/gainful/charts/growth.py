"""One query: how gain grows from rank to rank, as it is and discounted, up to the ideal.

The names of the runs are the signals ``name_a`` and ``name_b``, so that a page can show another
pair: it replaces the rows and sets the signals.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import DASHES, SHAPES, names_of, scale
from gainful.charts.scales import nothing_known
from gainful.charts.style import (
    LABELLED,
    WIDTH,
    Rows,
    altair,
    chart,
    finished,
    held,
    number,
    once,
    quoted,
    text,
    told,
)

if TYPE_CHECKING:
    from altair.typing import ChartType

_COLOURS = {"a": "a", "b": "b", "ideal": "ink"}
_BESIDE = 118  # pixels that axes, padding and the space between two panels take
_SIDE = "datum.series == name_a ? 'a' : datum.series == name_b ? 'b' : 'ideal'"
_SHORT = "length({0}) > 22 ? slice({0}, 0, 11) + '…' + slice({0}, -10) : {0}"
_HEADING = (
    "datum.panel == 'CG' ? 'CG: gain added up' : "
    "datum.panel == 'DCG' ? 'DCG: gain x discount added up' : datum.panel"
)


def gains(
    rows: Rows, *, ideal: str = "ideal", cutoff: int | None = None, width: float = WIDTH
) -> "ChartType":
    """Two panels, CG and DCG, each with a line for every run and one for the best ranking.

    Args:
        rows: One for every panel, series and rank: panel, series, rank, value. The panel is CG
            or DCG, the series one of up to two runs, baseline first, or the best ranking.
        ideal: What the best possible ranking is called among the series.
        cutoff: The last rank that counts, where a line is drawn.
        width: In pixels, labels included.

    >>> rows = [{"panel": "DCG", "series": "bm25", "rank": 1, "value": 2.0}]
    >>> gains(rows).to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    names = [name for name in names_of(values, "series") if name != ideal][:2]
    base = _base(values)
    layers = _lines(base, names, ideal), _points(base, len(values)), *_cutoff(cutoff)
    panel = alt.layer(*layers).properties(width=(width - _BESIDE) / 2, height=220)
    header = alt.Header(title=None, labelAnchor="start", labelFontWeight=600)
    by_panel = alt.Facet("heading:N", header=header)
    panels = panel.facet(facet=by_panel, columns=2, data=chart(values).data)
    apart = panels.resolve_scale(y="independent").resolve_axis(x="independent", y="independent")
    drawn = apart.transform_calculate(side=_SIDE, heading=_HEADING).add_params(*_names(names))
    described = "CG and DCG of one query, added up from rank to rank, beside the ideal."
    return finished(drawn, described, fitted=False)


def ideal_beside(runs: Collection[str]) -> str:
    """What the best possible ranking is called beside runs, one of which may be called ideal.

    >>> ideal_beside(["bm25"]), ideal_beside(["ideal"])
    ('ideal', 'ideal ranking')
    """
    return "ideal ranking" if "ideal" in runs else "ideal"


def _names(names: list[str]) -> list[Any]:
    """The names as signals; without a run on a side nothing is called like it."""
    alt = altair()
    given = dict(zip("ab", [*names, None, None], strict=False))
    full = [alt.param(name=f"name_{side}", value=name) for side, name in given.items()]
    short = (
        alt.param(name=f"short_{side}", expr=_SHORT.format(f"name_{side}"))
        for side in "ab"[: len(names)]
    )
    return [*full, *short]


def _lines(base: Any, names: list[str], ideal: str) -> Any:
    alt = altair()
    sides = [*"ab"[: len(names)], "ideal"]
    called = {side: quoted(ideal) if side == "ideal" else f"short_{side}" for side in sides}
    label = "{" + ", ".join(f"{side}: {name}" for side, name in called.items()) + "}[datum.label]"
    legend = alt.Legend(
        title=None, labelExpr=label, symbolType="stroke", symbolSize=420, columns=3, offset=14
    )
    colours = scale(sides, [light(_COLOURS[side]) for side in sides])
    dashes = scale(sides, DASHES[: len(names)] + DASHES[2:3])
    return base.mark_line(strokeWidth=2.2, aria=False).encode(
        color=alt.Color("side:N", scale=colours, legend=legend),
        strokeDash=alt.StrokeDash("side:N", scale=dashes, legend=legend),
    )


def _points(base: Any, n: int) -> Any:
    """A mark for every rank; those of the best ranking are felt, not seen."""
    alt = altair()
    points = base.mark_point(filled=True, size=40, aria=n <= LABELLED)
    of_b, circle, square = "datum.side == 'b'", alt.value(SHAPES[0]), alt.value(SHAPES[1])
    # Scales of colours and shapes would change the symbols of the legend, which are lines.
    points = points.encode(
        color=alt.when(of_b).then(_painted("b")).otherwise(_painted("a")),
        shape=alt.when(of_b).then(square).otherwise(circle),
        opacity=alt.when("datum.side == 'ideal'").then(alt.value(0)).otherwise(alt.value(1)),
    )
    value = number("value")
    titles = {"": text("panel"), "of": text("series"), "rank": text("rank"), "value": value}
    said = f"datum.panel + ' of ' + datum.series + ' at rank ' + datum.rank + ': ' + {value}"
    return told(points, titles, said if n <= LABELLED else None)


def _painted(side: str) -> Any:
    return altair().value(light(_COLOURS[side]))


def _base(values: list[dict[str, Any]]) -> Any:
    alt = altair()
    ends = alt.Scale(nice=5, **nothing_known(values, "value"))
    upwards = alt.Y("value:Q", scale=ends, axis=alt.Axis(title=None, tickCount=5))
    return alt.Chart().encode(x=_across("rank:Q"), y=upwards)


def _across(field: str) -> Any:
    alt = altair()
    whole = "datum.value == floor(datum.value) ? format(datum.value, 'd') : ''"
    axis = alt.Axis(title="rank", labelExpr=whole, grid=False, tickMinStep=1, tickCount=10)
    return alt.X(field, scale=alt.Scale(zero=False, nice=False, padding=6), axis=axis)


def _cutoff(cutoff: int | None) -> list[Any]:
    if cutoff is None:
        return []
    alt = altair()
    rule = once(cutoff=cutoff).mark_rule(color=light("muted"), aria=False)
    words = once(cutoff=cutoff, words="cutoff").mark_text(
        color=light("muted"), align="right", baseline="bottom", dx=-5, aria=False
    )
    across = _across("cutoff:Q")
    return [rule.encode(x=across), words.encode(x=across, y=alt.value(218), text="words:N")]
