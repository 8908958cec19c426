"""Charts of one explained ranking, beside the best possible one."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from gainful.charts import growth, one_query
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
    best = growth.ideal_beside([run])
    rows = contribution_rows(run, places) + contribution_rows(best, ideal)
    return one_query.contributions(rows, measure="gain x discount", ideal=best)


def gains(run: str, places: Sequence[Place], ideal: Sequence[Place]) -> "ChartType":
    """Lines of what was gained up to each rank, as it is and discounted, beside the ideal.

    >>> gains("bm25", [], []).to_dict()["data"]["values"]
    []
    """
    best, n = growth.ideal_beside([run]), max(len(places), len(ideal))
    rows = gain_rows(run, places, len(places)) + gain_rows(best, ideal, n)
    return growth.gains(rows, ideal=best)


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


def gain_rows(series: str, places: Sequence[Place], n: int) -> list[dict[str, Any]]:
    """The rows of ``gains`` for one ranking: what was gained up to each of n ranks.

    Where the ranking ends before, nothing more is gained.

    >>> gain_rows("bm25", [], 3)
    []
    """
    sums = {
        "CG": accumulate(place.gain for place in places),
        "DCG": (place.running for place in places),
    }
    return [
        {"panel": panel, "series": series, "rank": rank, "value": value}
        for panel, values in sums.items()
        for rank, value in enumerate(_level(list(values), n), 1)
    ]


def _level(values: list[float], n: int) -> list[float]:
    return values + values[-1:] * (n - len(values))
