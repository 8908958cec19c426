"""Charts of one explained ranking, beside the best possible one."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from gainful.charts import one_query
from gainful.tables import printable

if TYPE_CHECKING:
    from altair.typing import ChartType


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


def contributions(run: str, places: Sequence[Place], ideal: Sequence[Place]) -> "ChartType":
    """A bar for the run and one for the best possible ranking, a part for every rank.

    >>> contributions("bm25", [], []).to_dict()["data"]["values"]
    []
    """
    best = "ideal" if run != "ideal" else "ideal ranking"
    rows = contribution_rows(run, places) + contribution_rows(best, ideal)
    return one_query.contributions(rows, measure="gain x discount", ideal=best)


def gains(run: str, places: Sequence[Place], ideal: Sequence[Place]) -> "ChartType":
    """Lines of what was gained up to each rank: as it is, discounted, and at best.

    >>> gains("bm25", [], []).to_dict()["data"]["values"]
    []
    """
    best = [place.running for place in ideal]
    best += best[-1:] * (len(places) - len(best))
    rows = gain_rows(f"CG {run}", accumulate(place.gain for place in places))
    rows += gain_rows(f"DCG {run}", (place.running for place in places))
    return one_query.gains(rows + gain_rows("ideal DCG", best))


def contribution_rows(run: str, places: Sequence[Place]) -> list[dict[str, Any]]:
    """The rows of ``contributions`` for one ranking; a share is that of the sum.

    >>> contribution_rows("bm25", [])
    []
    """
    total = sum(place.product for place in places)
    return [
        {
            "run": run,
            "rank": place.rank,
            "item": printable(place.item),
            "label": place.label,
            "product": place.product,
            "share": place.product / total if total else None,
        }
        for place in places
    ]


def gain_rows(series: str, values: Iterable[float]) -> list[dict[str, Any]]:
    """The rows of ``gains`` for one series: what was gained up to each rank.

    >>> gain_rows("DCG bm25", [2.0, 2.5])[1]
    {'series': 'DCG bm25', 'rank': 2, 'value': 2.5}
    """
    return [{"series": series, "rank": k, "value": v} for k, v in enumerate(values, 1)]
