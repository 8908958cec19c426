"""One query: what each rank adds to the sum."""

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from gainful.report.charts.style import (
    DASHES,
    LIGHT,
    MOST_LABELED_MARKS,
    SHAPES,
    WIDTH,
    Row,
    Rows,
    Spec,
    add_tooltip,
    calculate,
    choose_domain,
    encode_name,
    encode_number,
    finish_chart,
    list_names,
    make_altair_chart,
    make_layer,
    make_number_expression,
    make_scale,
    make_short_labels,
    make_text_expression,
    quote_text,
    replace_nan,
)
from gainful.report.tables import make_printable

if TYPE_CHECKING:
    from altair.typing import ChartType


def draw_contributions(
    rows: Rows, *, measure: str = "DCG", ideal: str = "ideal", width: float = WIDTH
) -> Spec:
    """Draw a bar for every run, split by rank into what each rank adds: gain x discount.

    Every part shows its rank, where there is room; the total is beside the bar. The bar of the
    ideal ranking is gray; negative products go to the left.

    Args:
        rows: One for every run and rank: run, rank, item, label, product, share.
        measure: What the parts add up to.
        ideal: What the best possible ranking is called among the runs.
        width: In pixels, labels included.

    >>> row = {"run": "bm25", "rank": 1, "item": "d1", "label": 2, "product": 2.0, "share": 1.0}
    >>> draw_contributions([row])["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names = list_names(values)
    axis = {"title": None, "labelColor": LIGHT["ink"], "grid": False, **make_short_labels(names)}
    base = {
        "x": encode_number("product", stack="zero", axis={"title": measure, "tickCount": 8}),
        "y": encode_name("run", sort=names, axis=axis),
        "order": encode_number("rank"),
    }
    parts = {
        "layer": [
            _draw_parts(base, len(values), ideal),
            _draw_ranks(base, values),
            _draw_totals(base["y"]),
        ],
        "width": width,
        "height": {"step": 38},
    }
    return finish_chart(parts, values, f"What every rank adds to {measure}, a bar for every run.")


def _draw_parts(base: Spec, n: int, ideal: str) -> Spec:
    few = n <= MOST_LABELED_MARKS
    color = {
        "condition": [
            {"test": f"datum.run == {quote_text(ideal)}", "value": LIGHT["same"]},
            {"test": "datum.product < 0", "value": LIGHT["worse"]},
        ],
        "value": LIGHT["relevant"],
    }
    bars = make_layer(
        "bar", {**base, "color": color}, height=26, stroke=LIGHT["page"], strokeWidth=1.5, aria=few
    )
    product = make_number_expression("product")
    titles = {
        **{field: make_text_expression(field) for field in ("run", "rank", "item", "label")},
        "gain x discount": product,
        "share": make_number_expression("share", ".1%"),
    }
    label = f"datum.run + ', rank ' + datum.rank + ': ' + datum.item + ' adds ' + {product}"
    return add_tooltip(bars, titles, label if few else None)


def _draw_ranks(base: Spec, values: Sequence[Row]) -> Spec:
    """Draw the number of each rank inside its part, if the part is wide enough."""
    sums: dict[str, float] = {}
    for row in values:
        sums[row["run"]] = sums.get(row["run"], 0.0) + abs(row["product"] or 0.0)
    widest = max(sums.values(), default=0.0)
    number = f"abs(datum.product) > {0.035 * widest!r} ? '' + datum.rank : ''"
    encoding = {
        **base,
        "x": encode_number("product", stack="zero", bandPosition=0.5),
        "text": encode_name("number"),
        "detail": encode_number("rank"),
    }
    return make_layer(
        "text", encoding, transform=calculate(number=number), color=LIGHT["page"], aria=False
    )


def _draw_totals(row: Spec) -> Spec:
    sums = [
        {"op": "sum", "field": "product", "as": "total"},
        {"op": "sum", "field": "gained", "as": "end"},
    ]
    return make_layer(
        "text",
        {"x": encode_number("end"), "y": row, "text": encode_number("total", format=".3f")},
        transform=[
            {"filter": "isValid(datum.product)"},
            *calculate(gained="max(datum.product, 0)"),
            {"aggregate": sums, "groupby": ["run"]},
        ],
        align="left",
        dx=8,
        fontWeight=600,
        aria=False,
    )


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
) -> Spec:
    """Draw two panels, CG and DCG, each with a line for every run and one for the ideal.

    Args:
        rows: One for every panel, series and rank: panel, series, rank, value. The panel is CG
            or DCG, the series one of up to two runs, baseline first, or the best ranking.
        ideal: What the best possible ranking is called among the series.
        cutoff: The last rank that counts, where a line is drawn.
        width: In pixels, labels included.

    >>> rows = [{"panel": "DCG", "series": "bm25", "rank": 1, "value": 2.0}]
    >>> draw_gains(rows)["data"]["name"]
    'rows'
    """
    values = replace_nan(rows)
    names = [name for name in list_names(values, "series") if name != ideal][:2]
    scale = {"nice": 5, **choose_domain(values, "value")}
    base = {
        "x": _encode_rank("rank"),
        "y": encode_number("value", scale=scale, axis={"title": None, "tickCount": 5}),
    }
    layers = [
        _draw_lines(base, names, ideal),
        _draw_points(base, len(values)),
        *_draw_cutoff(cutoff),
    ]
    header = {"title": None, "labelAnchor": "start", "labelFontWeight": 600}
    parts = {
        "facet": encode_name("heading", header=header),
        "columns": 2,
        "spec": {"layer": layers, "width": (width - _BESIDE) / 2, "height": 220},
        "params": _declare_names(names),
        "transform": calculate(side=_SIDE, heading=_HEADING),
        "resolve": {
            "scale": {"y": "independent"},
            "axis": {"x": "independent", "y": "independent"},
        },
    }
    described = "CG and DCG of one query, added up from rank to rank, beside the ideal."
    return finish_chart(parts, values, described, fitted=False)


def name_ideal(runs: Collection[str]) -> str:
    """Return a name for the ideal ranking that no run has.

    >>> name_ideal(["bm25"]), name_ideal(["ideal"])
    ('ideal', 'ideal ranking')
    """
    return "ideal ranking" if "ideal" in runs else "ideal"


def _declare_names(names: list[str]) -> list[Spec]:
    """Declare the names as signals; without a run on a side its name is null."""
    names_by_side = dict(zip("ab", [*names, None, None], strict=False))
    return [
        *({"name": f"name_{side}", "value": name} for side, name in names_by_side.items()),
        *(
            {"name": f"short_{side}", "expr": _SHORT.format(f"name_{side}")}
            for side in "ab"[: len(names)]
        ),
    ]


def _draw_lines(base: Spec, names: list[str], ideal: str) -> Spec:
    sides = [*"ab"[: len(names)], "ideal"]
    texts = [*(f"{side}: short_{side}" for side in sides[:-1]), f"ideal: {quote_text(ideal)}"]
    legend = {
        "title": None,
        "labelExpr": "{" + ", ".join(texts) + "}[datum.label]",
        "symbolType": "stroke",
        "symbolSize": 420,
        "columns": 3,
        "offset": 14,
    }
    colors = make_scale(sides, [LIGHT[_SIDE_COLORS[side]] for side in sides])
    dashes = make_scale(sides, DASHES[: len(names)] + DASHES[2:3])
    encoding = {
        **base,
        "color": encode_name("side", scale=colors, legend=legend),
        "strokeDash": encode_name("side", scale=dashes, legend=legend),
    }
    return make_layer("line", encoding, strokeWidth=2.2, aria=False)


def _draw_points(base: Spec, n: int) -> Spec:
    """Draw a mark for every rank; those of the ideal ranking are invisible, but have tooltips."""
    few, is_b = n <= MOST_LABELED_MARKS, "datum.side == 'b'"
    # Scales of colors and shapes would change the symbols of the legend, which are lines.
    encoding = {
        **base,
        "color": _choose_value(is_b, LIGHT["b"], LIGHT["a"]),
        "shape": _choose_value(is_b, SHAPES[1], SHAPES[0]),
        "opacity": _choose_value("datum.side == 'ideal'", 0, 1),
    }
    points = make_layer("point", encoding, filled=True, size=40, aria=few)
    value = make_number_expression("value")
    titles = {
        "": make_text_expression("panel"),
        "of": make_text_expression("series"),
        "rank": make_text_expression("rank"),
        "value": value,
    }
    label = f"datum.panel + ' of ' + datum.series + ' at rank ' + datum.rank + ': ' + {value}"
    return add_tooltip(points, titles, label if few else None)


def _choose_value(test: str, value: object, otherwise: object) -> Spec:
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def _encode_rank(field: str) -> Spec:
    whole = "datum.value == floor(datum.value) ? format(datum.value, 'd') : ''"
    axis = {
        "title": "rank",
        "labelExpr": whole,
        "grid": False,
        "tickMinStep": 1,
        "tickCount": 10,
    }
    return encode_number(field, scale={"zero": False, "nice": False, "padding": 6}, axis=axis)


def _draw_cutoff(cutoff: int | None) -> list[Spec]:
    if cutoff is None:
        return []
    rows, muted = [{"cutoff": cutoff, "words": "cutoff"}], LIGHT["muted"]
    place = {"x": _encode_rank("cutoff")}
    text = {**place, "y": {"value": 218}, "text": encode_name("words")}
    style: Spec = {"align": "right", "baseline": "bottom", "dx": -5}
    return [
        make_layer("rule", place, data=rows, color=muted, aria=False),
        make_layer("text", text, data=rows, color=muted, aria=False, **style),
    ]


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
    chart = draw_contributions(rows, measure="gain x discount", ideal=best)
    return make_altair_chart(chart)


def plot_gains(run: str, places: Sequence[Place], ideal: Sequence[Place]) -> "ChartType":
    """Plot the cumulative gain and discounted gain at every rank, beside the ideal.

    >>> plot_gains("bm25", [], []).to_dict()["data"]["values"]
    []
    """
    best, n = name_ideal([run]), max(len(places), len(ideal))
    rows = make_gain_rows(run, places, len(places)) + make_gain_rows(best, ideal, n)
    return make_altair_chart(draw_gains(rows, ideal=best))


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
