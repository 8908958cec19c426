"""One query: what each rank adds to the sum."""

from typing import TYPE_CHECKING, Any

from gainful.charts.palette import light
from gainful.charts.runs import names_of
from gainful.charts.style import (
    LABELLED,
    WIDTH,
    Row,
    Rows,
    altair,
    chart,
    finished,
    held,
    number,
    quoted,
    short_labels,
    text,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from altair.typing import ChartType


def contributions(
    rows: Rows, *, measure: str = "DCG", ideal: str = "ideal", width: float = WIDTH
) -> "ChartType":
    """A bar for every run, a part of it for every rank: what the rank adds, gain x discount.

    Every part has its rank in it, where there is room; behind the bar stands what they add up to.
    The bar of the best possible ranking is grey; what does harm goes to the left.

    Args:
        rows: One for every run and rank: run, rank, item, label, product, share.
        measure: What the parts add up to.
        ideal: What the best possible ranking is called among the runs.
        width: In pixels, labels included.

    >>> row = {"run": "bm25", "rank": 1, "item": "d1", "label": 2, "product": 2.0, "share": 1.0}
    >>> contributions([row]).to_dict()["data"]["name"]
    'rows'
    """
    alt = altair()
    values = held(rows)
    short = short_labels(names_of(values))
    axis = alt.Axis(title=None, labelColor=light("ink"), grid=False, **short)
    row = alt.Y("run:N", sort=names_of(values), axis=axis)
    across = alt.X("product:Q", stack="zero", axis=alt.Axis(title=measure, tickCount=8))
    base = alt.Chart().encode(x=across, y=row, order=alt.Order("rank:Q"))
    layers = _parts(base, len(values), ideal), _ranks(base, values), _totals(row)
    drawn = alt.layer(*layers, data=chart(values).data)
    described = f"What every rank adds to {measure}, a bar for every run."
    return finished(drawn.properties(width=width, height={"step": 38}), described)


def _parts(base: Any, n: int, ideal: str) -> Any:
    alt = altair()
    of_ideal, of_harm = alt.value(light("same")), alt.value(light("worse"))
    marks = base.mark_bar(height=26, stroke=light("page"), strokeWidth=1.5, aria=n <= LABELLED)
    bars = marks.encode(
        color=alt.when(f"datum.run == {quoted(ideal)}")
        .then(of_ideal)
        .when("datum.product < 0")
        .then(of_harm)
        .otherwise(alt.value(light("relevant")))
    )
    titles = {
        **{field: text(field) for field in ("run", "rank", "item", "label")},
        "gain x discount": number("product"),
        "share": number("share", ".1%"),
    }
    said = (
        f"datum.run + ', rank ' + datum.rank + ': ' + datum.item + ' adds ' + {number('product')}"
    )
    return told(bars, titles, said if n <= LABELLED else None)


def _ranks(base: Any, values: "Sequence[Row]") -> Any:
    """The number of each rank within its part, if that is wide enough."""
    alt = altair()
    widest = max((_total(values, name) for name in names_of(values)), default=0.0)
    shown = f"abs(datum.product) > {0.035 * widest!r} ? '' + datum.rank : ''"
    numbers = base.transform_calculate(shown=shown).mark_text(color=light("page"), aria=False)
    middle = alt.X("product:Q", stack="zero", bandPosition=0.5)
    return numbers.encode(x=middle, text="shown:N", detail="rank:Q")


def _totals(row: Any) -> Any:
    alt = altair()
    known = alt.Chart().transform_filter("isValid(datum.product)")
    parts = known.transform_calculate(gained="max(datum.product, 0)")
    sums = parts.transform_aggregate(total="sum(product)", end="sum(gained)", groupby=["run"])
    texts = sums.mark_text(align="left", dx=8, fontWeight=600, aria=False)
    return texts.encode(x="end:Q", y=row, text=alt.Text("total:Q", format=".3f"))


def _total(values: "Sequence[Row]", name: str) -> float:
    return sum(abs(float(row["product"] or 0.0)) for row in values if row["run"] == name)
