"""One query: what each rank adds to the sum."""

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from gainful.report.charts.style import (
    DASHES,
    MOST_LABELED_MARKS,
    SHAPES,
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
from gainful.report.tables import make_printable

if TYPE_CHECKING:
    from altair.typing import ChartType


def draw_contributions(
    rows: Rows, *, measure: str = "DCG", ideal: str = "ideal", width: float = WIDTH
) -> "ChartType":
    """Draw a bar for every run, split by rank into what each rank adds: gain x discount.

    Every part shows its rank, where there is room; the total is beside the bar. The bar of the
    ideal ranking is gray; negative products go to the left.

    Args:
        rows: One for every run and rank: run, rank, item, label, product, share.
        measure: What the parts add up to.
        ideal: What the best possible ranking is called among the runs.
        width: In pixels, labels included.

    >>> row = {"run": "bm25", "rank": 1, "item": "d1", "label": 2, "product": 2.0, "share": 1.0}
    >>> draw_contributions([row]).to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    short = make_short_labels(list_names(values))
    axis = alt.Axis(title=None, labelColor=get_light_color("ink"), grid=False, **short)
    row = alt.Y("run:N", sort=list_names(values), axis=axis)
    across = alt.X("product:Q", stack="zero", axis=alt.Axis(title=measure, tickCount=8))
    base = alt.Chart().encode(x=across, y=row, order=alt.Order("rank:Q"))
    layers = _draw_parts(base, len(values), ideal), _draw_ranks(base, values), _draw_totals(row)
    chart = alt.layer(*layers, data=make_chart(values).data)
    described = f"What every rank adds to {measure}, a bar for every run."
    return finish_chart(chart.properties(width=width, height={"step": 38}), described)


def _draw_parts(base: AltairChart, n: int, ideal: str) -> AltairChart:
    alt = import_altair()
    of_ideal, of_harm = alt.value(get_light_color("same")), alt.value(get_light_color("worse"))
    marks = base.mark_bar(
        height=26, stroke=get_light_color("page"), strokeWidth=1.5, aria=n <= MOST_LABELED_MARKS
    )
    bars = marks.encode(
        color=alt.when(f"datum.run == {quote_text(ideal)}")
        .then(of_ideal)
        .when("datum.product < 0")
        .then(of_harm)
        .otherwise(alt.value(get_light_color("relevant")))
    )
    titles = {
        **{field: make_text_expression(field) for field in ("run", "rank", "item", "label")},
        "gain x discount": make_number_expression("product"),
        "share": make_number_expression("share", ".1%"),
    }
    product = make_number_expression("product")
    label = f"datum.run + ', rank ' + datum.rank + ': ' + datum.item + ' adds ' + {product}"
    return add_tooltip(bars, titles, label if n <= MOST_LABELED_MARKS else None)


def _draw_ranks(base: AltairChart, values: "Sequence[Row]") -> AltairChart:
    """Draw the number of each rank inside its part, if the part is wide enough."""
    alt = import_altair()
    widest = max((_sum_products(values, name) for name in list_names(values)), default=0.0)
    label = f"abs(datum.product) > {0.035 * widest!r} ? '' + datum.rank : ''"
    numbers = base.transform_calculate(shown=label).mark_text(
        color=get_light_color("page"), aria=False
    )
    middle = alt.X("product:Q", stack="zero", bandPosition=0.5)
    return numbers.encode(x=middle, text="shown:N", detail="rank:Q")


def _draw_totals(row: AltairChart) -> AltairChart:
    alt = import_altair()
    with_product = alt.Chart().transform_filter("isValid(datum.product)")
    parts = with_product.transform_calculate(gained="max(datum.product, 0)")
    sums = parts.transform_aggregate(total="sum(product)", end="sum(gained)", groupby=["run"])
    texts = sums.mark_text(align="left", dx=8, fontWeight=600, aria=False)
    return texts.encode(x="end:Q", y=row, text=alt.Text("total:Q", format=".3f"))


def _sum_products(values: "Sequence[Row]", name: str) -> float:
    return sum(abs(float(row["product"] or 0.0)) for row in values if row["run"] == name)


_SIDE_COLORS = {"a": "a", "b": "b", "ideal": "ink"}
_BESIDE = 118  # pixels that axes, padding and the space between two panels take
_SIDE = "datum.series == name_a ? 'a' : datum.series == name_b ? 'b' : 'ideal'"
_SHORT = "length({0}) > 22 ? slice({0}, 0, 11) + '…' + slice({0}, -10) : {0}"
_HEADING = (
    "datum.panel == 'CG' ? 'CG: gain added up' : "
    "datum.panel == 'DCG' ? 'DCG: gain x discount added up' : datum.panel"
)


def draw_gains(
    rows: Rows, *, ideal: str = "ideal", cutoff: int | None = None, width: float = WIDTH
) -> "ChartType":
    """Draw two panels, CG and DCG, each with a line for every run and one for the ideal.

    Args:
        rows: One for every panel, series and rank: panel, series, rank, value. The panel is CG
            or DCG, the series one of up to two runs, baseline first, or the best ranking.
        ideal: What the best possible ranking is called among the series.
        cutoff: The last rank that counts, where a line is drawn.
        width: In pixels, labels included.

    >>> rows = [{"panel": "DCG", "series": "bm25", "rank": 1, "value": 2.0}]
    >>> draw_gains(rows).to_dict()["data"]["name"]
    'rows'
    """
    alt = import_altair()
    values = replace_nan(rows)
    names = [name for name in list_names(values, "series") if name != ideal][:2]
    base = _make_base(values)
    layers = _draw_lines(base, names, ideal), _draw_points(base, len(values)), *_draw_cutoff(cutoff)
    panel = alt.layer(*layers).properties(width=(width - _BESIDE) / 2, height=220)
    header = alt.Header(title=None, labelAnchor="start", labelFontWeight=600)
    by_panel = alt.Facet("heading:N", header=header)
    panels = panel.facet(facet=by_panel, columns=2, data=make_chart(values).data)
    faceted = panels.resolve_scale(y="independent").resolve_axis(x="independent", y="independent")
    chart = faceted.transform_calculate(side=_SIDE, heading=_HEADING).add_params(
        *_make_name_params(names)
    )
    described = "CG and DCG of one query, added up from rank to rank, beside the ideal."
    return finish_chart(chart, described, fitted=False)


def name_ideal(runs: Collection[str]) -> str:
    """Return a name for the ideal ranking that no run has.

    >>> name_ideal(["bm25"]), name_ideal(["ideal"])
    ('ideal', 'ideal ranking')
    """
    return "ideal ranking" if "ideal" in runs else "ideal"


def _make_name_params(names: list[str]) -> list[Any]:
    """Make signals of the names; without a run on a side its name is null."""
    alt = import_altair()
    names_by_side = dict(zip("ab", [*names, None, None], strict=False))
    full = [alt.param(name=f"name_{side}", value=name) for side, name in names_by_side.items()]
    short = (
        alt.param(name=f"short_{side}", expr=_SHORT.format(f"name_{side}"))
        for side in "ab"[: len(names)]
    )
    return [*full, *short]


def _draw_lines(base: AltairChart, names: list[str], ideal: str) -> AltairChart:
    alt = import_altair()
    sides = [*"ab"[: len(names)], "ideal"]
    legend_names = {
        side: quote_text(ideal) if side == "ideal" else f"short_{side}" for side in sides
    }
    label = (
        "{" + ", ".join(f"{side}: {name}" for side, name in legend_names.items()) + "}[datum.label]"
    )
    legend = alt.Legend(
        title=None, labelExpr=label, symbolType="stroke", symbolSize=420, columns=3, offset=14
    )
    colors = make_scale(sides, [get_light_color(_SIDE_COLORS[side]) for side in sides])
    dashes = make_scale(sides, DASHES[: len(names)] + DASHES[2:3])
    return base.mark_line(strokeWidth=2.2, aria=False).encode(
        color=alt.Color("side:N", scale=colors, legend=legend),
        strokeDash=alt.StrokeDash("side:N", scale=dashes, legend=legend),
    )


def _draw_points(base: AltairChart, n: int) -> AltairChart:
    """Draw a mark for every rank; those of the ideal ranking are invisible, but have tooltips."""
    alt = import_altair()
    points = base.mark_point(filled=True, size=40, aria=n <= MOST_LABELED_MARKS)
    of_b, circle, square = "datum.side == 'b'", alt.value(SHAPES[0]), alt.value(SHAPES[1])
    # Scales of colors and shapes would change the symbols of the legend, which are lines.
    points = points.encode(
        color=alt.when(of_b).then(_color_value("b")).otherwise(_color_value("a")),
        shape=alt.when(of_b).then(square).otherwise(circle),
        opacity=alt.when("datum.side == 'ideal'").then(alt.value(0)).otherwise(alt.value(1)),
    )
    value = make_number_expression("value")
    titles = {
        "": make_text_expression("panel"),
        "of": make_text_expression("series"),
        "rank": make_text_expression("rank"),
        "value": value,
    }
    label = f"datum.panel + ' of ' + datum.series + ' at rank ' + datum.rank + ': ' + {value}"
    return add_tooltip(points, titles, label if n <= MOST_LABELED_MARKS else None)


def _color_value(side: str) -> AltairChart:
    return import_altair().value(get_light_color(_SIDE_COLORS[side]))


def _make_base(values: list[dict[str, Any]]) -> AltairChart:
    alt = import_altair()
    ends = alt.Scale(nice=5, **choose_domain(values, "value"))
    upwards = alt.Y("value:Q", scale=ends, axis=alt.Axis(title=None, tickCount=5))
    return alt.Chart().encode(x=_make_rank_axis("rank:Q"), y=upwards)


def _make_rank_axis(field: str) -> AltairChart:
    alt = import_altair()
    whole = "datum.value == floor(datum.value) ? format(datum.value, 'd') : ''"
    axis = alt.Axis(title="rank", labelExpr=whole, grid=False, tickMinStep=1, tickCount=10)
    return alt.X(field, scale=alt.Scale(zero=False, nice=False, padding=6), axis=axis)


def _draw_cutoff(cutoff: int | None) -> list[Any]:
    if cutoff is None:
        return []
    alt = import_altair()
    rule = make_single_row_chart(cutoff=cutoff).mark_rule(
        color=get_light_color("muted"), aria=False
    )
    words = make_single_row_chart(cutoff=cutoff, words="cutoff").mark_text(
        color=get_light_color("muted"), align="right", baseline="bottom", dx=-5, aria=False
    )
    across = _make_rank_axis("cutoff:Q")
    return [rule.encode(x=across), words.encode(x=across, y=alt.value(218), text="words:N")]


class Place(Protocol):
    """A rank, the item on it, and what it adds."""

    @property
    def rank(self) -> int: ...
    @property
    def item(self) -> str: ...
    @property
    def label(self) -> float | None: ...
    @property
    def gain(self) -> float: ...
    @property
    def product(self) -> float: ...
    @property
    def running(self) -> float: ...


def plot_contributions(run: str, places: Sequence[Place], ideal: Sequence[Place]) -> "ChartType":
    """Plot a bar for the run and one for the ideal ranking, split by rank.

    >>> plot_contributions("bm25", [], []).to_dict()["data"]["values"]
    []
    """
    best = name_ideal([run])
    rows = make_contribution_rows(run, places) + make_contribution_rows(best, ideal)
    return draw_contributions(rows, measure="gain x discount", ideal=best)


def plot_gains(run: str, places: Sequence[Place], ideal: Sequence[Place]) -> "ChartType":
    """Plot the cumulative gain and discounted gain at every rank, beside the ideal.

    >>> plot_gains("bm25", [], []).to_dict()["data"]["values"]
    []
    """
    best, n = name_ideal([run]), max(len(places), len(ideal))
    rows = make_gain_rows(run, places, len(places)) + make_gain_rows(best, ideal, n)
    return draw_gains(rows, ideal=best)


def make_contribution_rows(run: str, places: Sequence[Place]) -> list[dict[str, Any]]:
    """Return the rows of ``draw_contributions`` for one ranking; shares are of the sum.

    >>> make_contribution_rows("bm25", [])
    []
    """
    total = sum(place.product for place in places)
    return [
        {
            "run": run,
            "rank": place.rank,
            "item": make_printable(place.item),
            "label": place.label,
            "product": place.product,
            "share": place.product / total if total else None,
        }
        for place in places
    ]


def make_gain_rows(series: str, places: Sequence[Place], n: int) -> list[dict[str, Any]]:
    """Return the rows of ``draw_gains`` for one ranking: the cumulative gain at n ranks.

    Below the end of the ranking the sums stay the same.

    >>> make_gain_rows("bm25", [], 3)
    []
    """
    sums = {
        "CG": accumulate(place.gain for place in places),
        "DCG": (place.running for place in places),
    }
    return [
        {"panel": panel, "series": series, "rank": rank, "value": value}
        for panel, values in sums.items()
        for rank, value in enumerate(_extend_values(list(values), n), 1)
    ]


def _extend_values(values: list[float], n: int) -> list[float]:
    return values + values[-1:] * (n - len(values))
