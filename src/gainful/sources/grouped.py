"""Grouped: labels or scores of all queries in one list, as learning to rank has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import owners
from gainful.records import Frozen
from gainful.sources import arrays
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._format import Format, declare
from gainful.sources._tensors import as_array
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


@dataclass(eq=False, repr=False)
class Grouped(Frozen):
    """Labels or scores of all queries in one list, and what cuts it into queries.

    One of the sizes, the offsets or the ids is given. As qrels it lets a run be the scores alone,
    one for each row.

    Attributes:
        numbers: Labels if they are qrels, scores if they are a run.
        group_sizes: How many rows each query has, as in LightGBM; queries count from 0.
        query_ids: The query of each row, as the ``qid`` of XGBoost and the ``group_id`` of
            CatBoost; the rows of a query need not stand together.
        group_offsets: Where each query begins, and the end, as the ``group_ptr`` of XGBoost.
        items: The item of each row; rows count from 0 if not given.

    >>> import gainful
    >>> labels = Grouped([2, 0, 1, 0], group_sizes=[3, 1])
    >>> gainful.evaluate(labels, [0.9, 0.8, 0.7, 0.1], "nDCG").column("nDCG").tolist()
    [0.9502344167898356, 0.0]
    """

    numbers: Any
    group_sizes: Sequence[int] | None = None
    query_ids: Sequence[Any] | None = None
    group_offsets: Sequence[int] | None = None
    items: Sequence[Any] | None = None

    def __repr__(self) -> str:
        return f"<Grouped {len(self.numbers):,} rows>"

    def __post_init__(self) -> None:
        cuts = [self.group_sizes, self.query_ids, self.group_offsets]
        if sum(cut is not None for cut in cuts) != 1:
            message = "Grouped: needs one of group_sizes, query_ids and group_offsets, got "
            message += "none." if cuts == [None] * len(cuts) else "several."
            raise SourceError(message, code="bad-groups")


def entries_of(grouped: Grouped, _wanted: Wanted) -> Entries:
    """The entries of one list, and of which query each is."""
    numbers = as_array(grouped.numbers, "Grouped")
    flat = arrays.flatten(numbers, "Grouped")
    if not flat.single:
        message = f"Grouped: must be one list of numbers, got {as_written(numbers)}."
        raise SourceError(message, code="wrong-shape")
    query, count = _queries(grouped, flat), len(flat.values)
    items = np.arange(count) if grouped.items is None else grouped.items
    if len(items) != count:
        message = f"items: the count must be the number of labels, {count}, got {len(items)}."
        raise SourceError(message, code="unequal-lengths")
    return Entries(query, items, flat.values, queries=_every(grouped), scores_may_follow=True)


def _every(grouped: Grouped) -> list[int] | None:
    """Every query, where one may have no row."""
    if grouped.group_sizes is not None:
        return list(range(len(as_array(grouped.group_sizes, "group_sizes"))))
    if grouped.group_offsets is not None:
        return list(range(len(as_array(grouped.group_offsets, "group_offsets")) - 1))
    return None


def _queries(grouped: Grouped, flat: arrays.Flat) -> Any:
    if grouped.query_ids is not None:
        ids = as_array(grouped.query_ids, "query_ids")
        arrays.regroup(flat, None, ids)
        return ids
    sizes = grouped.group_sizes
    if grouped.group_offsets is not None:
        sizes = _sizes(as_array(grouped.group_offsets, "group_offsets"))
    cut, _ = arrays.regroup(flat, sizes, None)
    return owners(cut.offsets)


def _sizes(given: Any) -> Any:
    offsets = np.asarray(given)
    if offsets.dtype.kind not in "iu" or offsets.ndim != 1 or offsets[:1].tolist() != [0]:
        message = f"group_offsets: must be integers that begin with 0, got {as_written(given)}."
        raise SourceError(message, code="bad-groups")
    sizes = np.diff(offsets.astype(np.int64))
    if (sizes < 0).any():
        message = f"group_offsets: must not descend, got {as_written(given)}."
        raise SourceError(message, code="bad-groups")
    return sizes


QRELS = declare(
    Format(
        name="grouped",
        holds="qrels",
        summary="Grouped: Grouped(labels, group_sizes=...), with query_ids=... or "
        "group_offsets=... instead.",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
RUN = declare(
    Format(
        name="grouped",
        holds="run",
        summary="Grouped: Grouped(scores, group_sizes=...), with query_ids=... or "
        "group_offsets=... instead.",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
