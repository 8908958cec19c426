"""Rows as columns of equal length, handed over to the native core."""

from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import ENDLESS, IntArray
from gainful.sources import _tables, arrays
from gainful.sources._entries import Entries, Pairs, tabled
from gainful.sources._format import Format, declare
from gainful.sources._reading import Reading
from gainful.sources._tables import ids
from gainful.sources._wanted import Wanted
from gainful.sources.columns import Columns
from gainful.wording import as_written


def _feed_qrels(columns: Any, index: Any, wanted: Wanted, _reading: Reading) -> Any:
    if columns.label is None:
        message = "qrels: columns must hold labels, got none. Pass Columns(..., label=...)."
        raise SourceError(message, code="missing-column")
    words = wanted.labels
    given = columns.label if words is None else arrays.worded(list(columns.label), words)
    labels = arrays.numbers(given, "labels")
    pairs = ids(columns.query), ids(columns.item)
    _tables.twice(lambda: index.push_columns(*pairs, labels), index)
    return Pairs(columns.query, columns.item)


def _feed_run(columns: Any, aligner: Any, wanted: Wanted, _reading: Reading) -> None:
    if columns.rank is None:
        wanted.check_no_ranks()
    if columns.score is None and columns.rank is None:
        message = (
            "run: columns must hold scores or ranks, got neither. Pass Columns(..., score=...)."
        )
        raise SourceError(message, code="missing-column")
    ranks = _ranks(columns)
    # Without scores the rank decides, whatever the rules order by.
    scores = -ranks.astype(np.float64)
    if columns.score is not None:
        scores = arrays.numbers(columns.score, "scores")
    pairs = ids(columns.query), ids(columns.item)
    _tables.twice(lambda: aligner.push_columns(*pairs, scores, ranks), aligner)


def _entries(columns: Any, wanted: Wanted) -> Entries:
    number = columns.label if wanted.holds == "qrels" else columns.score
    return Entries(columns.query, columns.item, number, columns.rank)


def _ranks(columns: Columns) -> IntArray:
    if columns.rank is None:
        return np.zeros(len(columns.query), dtype=np.int64)
    ranks = np.asarray(columns.rank)
    if ranks.dtype.kind not in "iu" or ranks.max(initial=0) > ENDLESS:
        message = f"rank: must be integers, got {as_written(columns.rank)}."
        raise SourceError(message, code="bad-rank")
    return np.ascontiguousarray(ranks, dtype=np.int64)


QRELS = declare(
    Format(
        name="columns",
        holds="qrels",
        summary="Columns: Columns(query=..., item=..., label=...).",
        feed=_feed_qrels,
        unit="row",
        tables=tabled(_entries),
        renamed=True,
    )
)
RUN = declare(
    Format(
        name="columns",
        holds="run",
        summary="Columns: Columns(query=..., item=..., score=...), with or without rank=....",
        feed=_feed_run,
        unit="row",
        tables=tabled(_entries),
        renamed=True,
    )
)
