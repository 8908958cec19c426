"""Passes over a run in memory, cut into partitions as Spark would: counting, without Spark."""

import hashlib
import random
from copy import copy

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import gainful
from gainful.evaluation.arguments import resolve_measures
from gainful.sources import ItemData, RowLocator
from gainful.spark.counting import Passes, collect_messages, evaluate_passes
from gainful.spark.counting_layout import PartitionLayout
from gainful.spark.counting_messages import MARK
from gainful.spark.counting_worker import add_blobs, count_rows, rank_rows
from gainful.spark.frames import ROW_BITS, SkippedRows
from gainful.spark.gather import gather_scores
from gainful.spark.serialization import serialize
from gainful.spark.task import Task
from gainful.spark.worker import build_summary_row
from spark.held_parts import HeldRows


class HeldGiven:
    """Rows in memory, whose partitions begin at cuts."""

    n_comments = 0
    skipped = SkippedRows()
    read_here = None

    def __init__(self, table, place, cuts):
        part = np.searchsorted(cuts[1:-1], np.arange(table.num_rows), side="right")
        row = np.arange(table.num_rows) - np.array(cuts)[part]
        position = ((part.astype(np.int64) << ROW_BITS) | row) + 1
        self.table = table.append_column("position", pa.array(position, pa.int64()))
        self.place, self.cuts = place, cuts

    @property
    def locator(self):
        return RowLocator(self.place, "row", lines=self)

    def find_line(self, position):
        part, row = divmod(position - 1, 1 << ROW_BITS)
        return self.cuts[part] + row + 1

    def describe_error(self, error):
        return self.locator.explain_error(error)

    def partitions(self):
        """The rows of each."""
        part = self.table.column("position").to_numpy() >> ROW_BITS
        return [self.table.filter(pa.array(part == one)) for one in range(len(self.cuts) - 1)]

    def only(self, chosen):
        """The same with some rows alone, where they are."""
        found = copy(self)
        found.table = self.table.filter(chosen)
        return found

    def rows(self, *names):
        return list(zip(*(self.table.column(name).to_pylist() for name in names), strict=True))


class HeldPasses(Passes):
    """What Spark would find, by loops over rows."""

    def judged(self):
        return self.qrels.table

    def stand(self, judged):
        names = {"position_count": "n_rows", "position_min": "first", "position_max": "last"}
        each = [("position", how) for how in ("count", "min", "max")]
        found = self.run.table.group_by("query").aggregate(each)
        return PartitionLayout(
            found.rename_columns([names.get(one, one) for one in found.column_names]), judged
        )

    def apart(self, stand):
        spread = stand.judged.filter(pa.array(stand.spread))
        theirs = pc.is_in(self.run.table.column("query"), value_set=spread)
        return (
            self.of(self.qrels, self.run.only(theirs)),
            self.of(self.qrels, self.run.only(pc.invert(theirs))),
        )

    def of(self, qrels, run):
        return HeldPasses(qrels, run)

    def no_rows(self):
        return self.run.table.slice(0, 0)

    def in_place(self, standing, task):
        batches = []
        for part in self.run.partitions():
            batches += rank_rows(iter(part.to_batches(7)), standing, task)
        batches += [build_summary_row(serialize({}), task).slice(0, 0)]
        return HeldRows(pa.Table.from_batches(batches))

    def hits(self, judged):
        rows = zip(*(judged.column(name).to_pylist() for name in judged.column_names), strict=True)
        label = {(query, item): its for query, item, its in rows}
        pairs = self.run.rows("query", "item")
        found = [number for number, pair in enumerate(pairs) if pair in label]
        labels = [label[pairs[number]] for number in found]
        table = self.run.table.take(pa.array(found, pa.int64()))
        return table.append_column("label", pa.array(labels, pa.float64()))

    def told(self, counting):
        blobs = []
        for part in self.run.partitions():
            part = part.append_column(MARK, pa.array(marks(part)))
            blobs += count_rows(iter(part.to_batches(7)), counting)
        random.Random(len(blobs)).shuffle(blobs)  # as they arrive
        buckets = sorted({bucket_of(blob) for blob in blobs})
        added = [
            row
            for bucket in buckets
            for row in add_blobs(iter([blob for blob in blobs if bucket_of(blob) == bucket]))
        ]
        return collect_messages(pa.Table.from_batches(added))

    def _suspected(self, told, width):
        low = marks(self.run.table).view(np.uint64) & np.uint64((1 << width) - 1)
        rows = self.run.rows("query", "item", "position")
        found = np.isin(low, told.suspects).tolist()
        return [row for row, is_one in zip(rows, found, strict=True) if is_one]

    def first_repeat(self, told, named, width):
        rows = set(self._suspected(told, width))
        rows |= {row for row in self.run.rows("query", "item", "position") if row[:2] in named}
        first = {}
        for query, item, position in sorted(rows, key=lambda row: row[2]):
            if (query, item) in first:
                told = [
                    "retrieved-twice",
                    position,
                    0,
                    "",
                    query,
                    item,
                    first[query, item],
                    position,
                ]
                return {"holds": "run", "stage": 3, "first": position, "found": told}
            first[query, item] = position
        return None

    def n_repeats(self, told, judged, width):
        pairs = (judged.column(name).to_pylist() for name in ("query", "item"))
        judged = set(zip(*pairs, strict=True))
        parts = {}
        for query, item, position in self._suspected(told, width):
            if (query, item) not in judged:
                parts.setdefault((query, item), set()).add(position >> ROW_BITS)
        return sum(len(one) - 1 for one in parts.values())

    def frame(self, table):
        return HeldRows(table)


def bucket_of(blob):
    return blob.column("bucket")[0].as_py()


def marks(table):
    each = zip(*(table.column(name).to_pylist() for name in ("query", "item")), strict=True)
    text = [f"{query}\0{item}".encode() for query, item in each]
    found = [hashlib.blake2b(one, digest_size=8).digest() for one in text]
    return np.array([int.from_bytes(one, "little", signed=True) for one in found], dtype=np.int64)


class MovedPasses(HeldPasses):
    """The same where some passes meet other partitions, as a shuffle may make them."""

    def __init__(self, qrels, run, before):
        super().__init__(qrels, run)
        object.__setattr__(self, "before", before)

    def of(self, qrels, run):
        spread = run.table.column("query").unique()
        chosen = {
            name: one.only(pc.is_in(one.table.column("query"), value_set=spread))
            for name, one in self.before.items()
        }
        return MovedPasses(qrels, run, chosen)

    def hits(self, judged):
        return HeldPasses(self.qrels, self.before.get("hits", self.run)).hits(judged)

    def stand(self, judged):
        return HeldPasses(self.qrels, self.before.get("stand", self.run)).stand(judged)


def counted_apart(qrels, run, cuts, measures, rules, **before):
    """The scores of a run that is cut into partitions; None where no judged item has a rank.

    Passes that met other partitions before are named with the cuts of those, or with the rows that
    they met.
    """
    names = {"score": "number", "label": "number"}
    kept = [name for name in run.column_names if name != "score" or rules.order == "score"]
    run = run.select(kept).rename_columns([names.get(name, name) for name in kept])
    qrels = qrels.rename_columns([names.get(name, name) for name in qrels.column_names])
    judged = HeldGiven(qrels, "qrels", [0, qrels.num_rows])
    ranked = HeldGiven(run, "run 'run'", cuts)
    task = Task(resolve_measures(measures, None), rules, ItemData())
    others = {
        one: HeldGiven(run, "run 'run'", its)
        if isinstance(its, list)
        else HeldGiven(its.rename_columns(run.column_names), "run 'run'", cuts)
        for one, its in before.items()
    }
    found = evaluate_passes(MovedPasses(judged, ranked, others), task)
    return None if found is None else gather_scores(found, "run", judged, ranked, task)


def told_of(evaluated):
    """What scores say, or the error in their place, to be compared."""
    try:
        scores = evaluated()
    except gainful.GainfulError as error:
        return type(error), str(error)
    if scores is None:
        return None
    # Only DataFrames lack an order.
    notices = [one for one in scores.notices if one.code != "row-order"]
    values = [[str(value) for value in row] for row in scores.values.tolist()]
    return scores.queries, values, notices, [str(scores[one]) for one in scores.measures]
