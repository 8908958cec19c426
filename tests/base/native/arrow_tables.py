"""Arrow tables in every layout of ids and numbers, and the answers of the native core."""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

import reference.parse
from base.native.answers import Answer, aligner, describe_answer
from base.native.samples import collection
from gainful.base import _native
from reference.align import Options

MOST_RANK = 2**53 - 1
COLUMNS = ("query", "item", "number", "rank")


@dataclass(frozen=True)
class Rows:
    """Qrels and a run: (query, item, label) and (query, item, score, rank)."""

    qrels: list[tuple[Any, ...]]
    run: list[tuple[Any, ...]]

    @property
    def text(self) -> tuple[bytes, bytes]:
        """The same in TREC format: the number of a line is that of its row."""
        return (
            b"".join(b" %b 0 %b %r\n" % (q, i, n) for q, i, n in self.qrels),
            b"".join(b" %b Q0 %b %d %r tag\n" % (q, i, r, s) for q, i, s, r in self.run),
        )


def rows(seed: int, size: int, *, twice: bool = False) -> Rows:
    """Random rows whose ids are UTF-8."""
    sample = collection(Random(seed), size, judged_twice=twice, retrieved_twice=twice)
    run = reference.parse.rows(sample.run, with_score=True, with_rank=True)
    return Rows(
        [(utf8(q), utf8(i), n) for q, i, n, _ in reference.parse.judgments(sample.qrels)],
        [(utf8(q), utf8(i), s, min(r, MOST_RANK)) for q, i, s, r, _ in run],
    )


def utf8(id: bytes) -> bytes:
    return id.decode("latin-1").encode()


def rename_ids(sample: Rows, name: Callable[[int], bytes]) -> Rows:
    """The rows with other ids, by the number of each."""
    ids = sorted({id for row in (*sample.qrels, *sample.run) for id in row[:2]})
    names = {id: name(number) for number, id in enumerate(ids)}
    return Rows(
        *(
            [(names[q], names[i], *rest) for q, i, *rest in part]
            for part in (sample.qrels, sample.run)
        )
    )


def with_numbers(sample: Rows, number: Callable[[float], float]) -> Rows:
    """The rows with labels and scores that a type of number can hold."""
    return Rows(
        [(q, i, number(label)) for q, i, label in sample.qrels],
        [(q, i, number(score), rank) for q, i, score, rank in sample.run],
    )


Maker = Callable[[Sequence[Any]], pa.Array]


def text_as(kind: pa.DataType) -> Maker:
    return lambda ids: pa.array([id and id.decode() for id in ids], kind)


def bytes_as(kind: pa.DataType) -> Maker:
    return lambda ids: pa.array(ids, kind)


def coded(ids: Sequence[bytes | None], codes: pa.DataType, values: Maker) -> pa.DictionaryArray:
    """Ids by codes; of the values one is unused, one is null, and some are there twice."""
    distinct = [id for id in dict.fromkeys(ids) if id is not None]
    names = [*distinct, distinct[0] if distinct else b"7", b"99", None, *distinct[:20]]
    first = {id: number for number, id in enumerate(distinct)}
    second = {id: len(distinct) + 3 + number for number, id in enumerate(distinct[:20])}
    numbers = [
        None if id is None else (second if n % 2 and id in second else first)[id]
        for n, id in enumerate(ids)
    ]
    return pa.DictionaryArray.from_arrays(pa.array(numbers, codes), values(names))


def coded_as(codes: pa.DataType, values: Maker) -> Maker:
    return lambda ids: coded(ids, codes, values)


TEXTS: dict[str, Maker] = {
    **{str(kind): text_as(kind) for kind in (pa.string(), pa.large_string(), pa.string_view())},
    **{str(kind): bytes_as(kind) for kind in (pa.binary(), pa.large_binary(), pa.binary_view())},
    **{
        f"{codes} codes": coded_as(codes, text_as(pa.string()))
        for codes in (pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64())
    },
    "codes of views": coded_as(pa.int32(), text_as(pa.string_view())),
    "codes of bytes": coded_as(pa.uint32(), bytes_as(pa.large_binary())),
}
INTEGERS = {
    str(kind): kind
    for kind in (
        pa.int8(), pa.int16(), pa.int32(), pa.int64(),
        pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(),
    )
}  # fmt: skip


def integer_names(kind: pa.DataType) -> Callable[[int], bytes]:
    """Names for ids that are the least and the greatest of a type, and others."""
    info = np.iinfo(kind.to_pandas_dtype())
    return lambda number: b"%d" % (info.max - number // 2 if number % 2 else info.min + number // 2)


def integers(kind: pa.DataType) -> Maker:
    return lambda ids: pa.array([None if id is None else int(id) for id in ids], kind)


def uuids(ids: Sequence[bytes]) -> pa.Array:
    storage = pa.array([uuid.UUID(id.decode()).bytes for id in ids], pa.binary(16))
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)


def batches(
    columns: dict[str, pa.Array], sizes: Iterable[int] = (), *, padded: bool = False
) -> pa.RecordBatchReader:
    """A table, cut into batches of such sizes; padded, each begins inside of its memory."""
    whole = pa.RecordBatch.from_pydict(columns)
    slices, begin = [], 0
    for size in sizes:
        slices.append(whole.slice(begin, size))
        begin += size
    slices.append(whole.slice(begin))
    if padded:
        slices = [inside(batch, whole) for batch in slices]
    return pa.RecordBatchReader.from_batches(whole.schema, slices)


def inside(batch: pa.RecordBatch, whole: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows, in arrays that have others before and after them."""
    other = whole.slice(0, min(3, len(whole)))
    arrays = [
        pa.concat_arrays([o, b, o]) for o, b in zip(other.columns, batch.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=whole.schema).slice(len(other), len(batch))


def structures(columns: dict[str, pa.Array], skipped: int) -> pa.ChunkedArray:
    """A table as an array of structures, whose offset is that of the whole, not of the columns."""
    arrays = [pa.concat_arrays([column.slice(0, skipped), column]) for column in columns.values()]
    return pa.chunked_array([pa.StructArray.from_arrays(arrays, list(columns)).slice(skipped)])


def push_tables(receiver: Any, *tables: Callable[[], Any], labels: Any = None) -> Any:
    """The receiver, after all tables; columns are in the order query, item, number, rank."""

    def push() -> None:
        for table in tables:
            made = table()
            names = made.schema.names if hasattr(made, "schema") else made.type.names
            numbers = [names.index(name) if name in names else None for name in COLUMNS]
            receiver.push_table(made.__arrow_c_stream__(), *numbers, labels=labels)
        receiver.end_tables()

    return twice(push, receiver)


def push_columns(receiver: Any, *columns: Any, labels: Any = None) -> Any:
    """The receiver, after columns of Python objects and arrays."""
    return twice(lambda: receiver.push_columns(*columns, labels=labels), receiver)


def twice(push: Callable[[], None], receiver: Any) -> Any:
    try:
        push()
    except _native.Ungrouped:
        receiver.start_over()
        push()
    return receiver


def table_answer(
    qrels: Callable[[], Any],
    run: Callable[[], Any],
    options: Options,
    reading: _native.Reading | None = None,
    labels: Any = None,
) -> Answer:
    """All that the native core says of two tables, or what is wrong."""
    reading = reading or _native.Reading()
    try:
        index = push_tables(_native.Index(reading), qrels, labels=labels)
        index.finish(getattr(_native.Duplicates, options.duplicates))
        return describe_answer(
            index,
            lambda query_number: push_tables(aligner(index, options, reading, query_number), run),
        )
    except _native.BadInput as error:
        return error.args


def column_answer(
    qrels: Sequence[Any], run: Sequence[Any], options: Options, reading: _native.Reading
) -> Answer:
    """All that the native core says of columns, or what is wrong."""
    try:
        index = push_columns(_native.Index(reading), *qrels)
        index.finish(getattr(_native.Duplicates, options.duplicates))
        return describe_answer(
            index,
            lambda query_number: push_columns(aligner(index, options, reading, query_number), *run),
        )
    except _native.BadInput as error:
        return error.args


def columns_of(
    part: Sequence[tuple[Any, ...]], ids: Maker, numbers: Maker, ranks: Maker | None = None
) -> dict[str, pa.Array]:
    """The columns of rows, each as it is stored."""
    query, item, number, *rank = ([row[i] for row in part] for i in range(4 if ranks else 3))
    made = {"query": ids(query), "item": ids(item), "number": numbers(number)}
    return made | ({"rank": ranks(rank[0])} if ranks else {})
