"""unjudged(): possible effects of unjudged items, and the items to judge next."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gainful.alignment import Rules
from gainful.base import Progress, to_json, to_jsonable
from gainful.evaluation import Collection, Qrels, Runs
from gainful.measures import Measure
from gainful.unjudged.bounds import Bounds, compute_bounds
from gainful.unjudged.to_judge import ItemsToJudge, rank_items


@dataclass(frozen=True, eq=False)
class UnjudgedResult:
    """The possible effect of unjudged items, and the ones to judge next.

    Attributes:
        bounds: Lowest and highest possible value of every run and of every difference of two.
        items: The unjudged items, the most influential first.
    """

    bounds: Bounds
    items: ItemsToJudge

    def to_dict(self, *, baseline: str | None = None) -> dict[str, Any]:
        """Return everything as plain values; NaN is None.

        Args:
            baseline: The run that the others are compared with; all pairs if not given.
        """
        return {
            "bounds": self.bounds.to_dict(baseline=baseline),
            "items": [to_jsonable(item._asdict()) for item in self.items.rows],
        }

    def to_json(self, *, baseline: str | None = None, indent: int | None = 2) -> str:
        """Return everything as JSON; floats at full precision."""
        return to_json(self.to_dict(baseline=baseline), indent=indent)

    def __repr__(self) -> str:
        return f"{self.bounds!r}\n{self.items!r}"


def unjudged(
    qrels: Qrels | Collection,
    runs: Runs | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    baseline: str | None = None,
    possible_labels: Iterable[float] | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> UnjudgedResult:
    """Find the possible effects of unjudged items, and the items to judge next.

    Unjudged items are the retrieved items without a judgment that the measure looks at: among the
    first 10 of each query for nDCG@10. A label raises the best possible ranking too. So "not
    relevant" is not the worst that an unjudged item can be.

    The impact of an item is the largest change of the value of its query that any label brings
    about, in any run, if the other unjudged items stay unjudged. With several runs the first items
    are those that could change the difference of two of them most: of the two with the highest
    means, or of any run and the baseline, if there is one. Items with the same impact are ordered
    by their best rank, then as in the qrels, then as in the runs. Queries that have no value as
    they are judged are left out.

    Args:
        qrels: As for ``evaluate``.
        runs: One run as ``read_run`` takes it from a file, several in a list, or ``{name: run}``.
            Of a collection, the names of runs; all of them if not given.
        measure: nDCG, or another of its family.
        baseline: The run that the others are compared with.
        possible_labels: Labels that an unjudged item may get; 0 and those of the qrels if not
            given.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        ``bounds``, exact intervals of the values of the runs and of their differences, and
        ``items``, the items to judge next.

    Raises:
        MeasureError: The bounds of this measure are not known.
        ComparisonError: There is no run, or none with the name of the baseline.

    >>> ranking = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "unjudged"]
    >>> qrels = {"q1": dict.fromkeys(ranking[1:9], 0) | {"a": 1}}
    >>> result = unjudged(qrels, {"mine": {"q1": ranking}})
    >>> result.bounds.value("mine"), result.bounds.mean("mine")
    (1.0, Interval(low=0.7903864795495061, high=1.0))
    >>> [(item.item, item.rank, round(item.impact, 4)) for item in result.items.rows]
    [('unjudged', 10, 0.2096)]
    """
    bounds = compute_bounds(
        qrels,
        runs,
        measure,
        possible_labels=possible_labels,
        rules=rules,
        threads=threads,
        progress=progress,
    )
    return UnjudgedResult(bounds, rank_items(bounds, baseline))
