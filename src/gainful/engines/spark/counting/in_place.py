"""Queries whose rows stand in one partition: ranked where they are, by judgments that are sent."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from gainful import ragged
from gainful.engines.spark.carried import packed
from gainful.engines.spark.counting.sent import MOVED, Standing, unpacked_table
from gainful.engines.spark.counting.stand import numbers_of
from gainful.engines.spark.faults import NO_ROWS, WorkerError, other_version
from gainful.engines.spark.task import Task
from gainful.engines.spark.worker import about_row, joined, part_rows
from gainful.facts import Facts
from gainful.parts import Joint


def ranked_rows(batches: Iterator[Any], standing: Standing, task: Task) -> Iterator[Any]:
    """The values of the queries of a partition, as ``part_values`` has it.

    A query that does not have all its rows here was elsewhere before, and is not ranked.
    """
    kept = [batch for batch in batches if batch.num_rows]
    if not kept:
        return
    if (fault := other_version(task.version)) is not None:
        yield about_row(packed(fault), task)
        return
    rows = pa.Table.from_batches(kept)
    qrels = _judged_here(rows, standing)
    if qrels is None:
        yield about_row(packed(MOVED), task)
        return
    try:
        found = joined(qrels, NO_ROWS, rows, task)  # the driver has read them before
    except WorkerError as error:
        yield about_row(packed(error.args[0]), task)
        return
    found = {kind: _without_strangers(one) for kind, one in found.items()}
    yield from part_rows(found, task)


def _judged_here(rows: Any, standing: Standing) -> Any:
    """The judgments of the queries of a partition; None where it does not have all their rows."""
    queries, judged = unpacked_table(standing.queries), unpacked_table(standing.judged)
    ids = queries.column("query").combine_chunks()
    number = numbers_of(rows.column("query"), ids)
    n_here = np.bincount(number[number >= 0], minlength=len(ids))
    here = np.flatnonzero(n_here)
    if (n_here[here] != queries.column("n_rows").to_numpy()[here]).any():
        return None
    n_judged = queries.column("n_judged").to_numpy()
    chosen, _ = ragged.take(np.concatenate([[0], np.cumsum(n_judged)]), here)
    names = ids.take(pa.array(np.repeat(here, n_judged[here])))
    return judged.take(pa.array(chosen)).append_column("query", names)


def _without_strangers(one: Joint) -> Joint:
    # They may stand in several partitions; the driver knows them.
    assert isinstance(one.facts, Facts)
    return one._replace(facts=replace(one.facts, strangers=()))
