"""Answers of the native core and of the reference, in the same shape."""

import tempfile
import zlib
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import reference.align
import reference.index
import reference.parse
import reference.tally
from gainful.base import _native
from reference.align import Options

Answer = dict[str, Any] | tuple[Any, ...]

HEADS = 5  # how many items of every query are kept

# Threads, bytes a chunk and scanners, none of which may make a difference.
READINGS = [
    _native.Reading(),
    _native.Reading(threads=2, chunk=1),
    *(_native.Reading(threads=3, chunk=100, scanner=scanner) for scanner in _native.scanners()),
]


def native_answer(
    qrels: Iterable[bytes],
    run: Iterable[bytes],
    options: Options,
    reading: _native.Reading = READINGS[0],
) -> Answer:
    """All that the native core says of qrels and a run, given in pieces, or what is wrong."""
    pieces = list(run)
    try:
        index = feed_pieces(_native.Index(reading), qrels)
        index.finish(getattr(_native.Duplicates, options.duplicates))
        return describe_answer(
            index,
            lambda query_number: feed_pieces(
                aligner(index, options, reading, query_number), pieces
            ),
        )
    except _native.BadInput as error:
        return error.args


def file_answer(qrels: bytes, run: bytes, options: Options, reading: _native.Reading) -> Answer:
    """The same, of what files hold."""
    with tempfile.TemporaryFile() as qrels_file, tempfile.TemporaryFile() as run_file:
        try:
            index = from_file(_native.Index(reading), qrels_file, qrels)
            index.finish(getattr(_native.Duplicates, options.duplicates))
            return describe_answer(
                index,
                lambda query_number: from_file(
                    aligner(index, options, reading, query_number), run_file, run
                ),
            )
        except _native.BadInput as error:
            return error.args


def aligner(
    index: _native.Index, options: Options, reading: _native.Reading, query_number: int | None
) -> _native.Aligner:
    """An aligner that knows the ranking of one query, or the first items of all."""
    heads = HEADS if query_number is None else 0
    return _native.Aligner(index, make_native_options(options), reading, query_number, heads)


def reference_answer(qrels: bytes, run: bytes, options: Options) -> Answer:
    """All that the reference says of qrels and a run, or what is wrong."""
    try:
        index = reference.index.index(reference.parse.judgments(qrels), options.duplicates)
        rows = reference.parse.rows(run, with_score=options.with_score, with_rank=options.with_rank)
        aligned = reference.align.align(index, rows, options)
    except reference.parse.BadInput as error:
        return error.args
    return {
        "judgments": {query: list(labels.items()) for query, labels in index.labels.items()},
        "pool": {query: index.pool(query) for query in index.labels},
        "n_duplicate_judgments": index.n_duplicates,
        "rankings": {
            query: {
                "in_run": ranking.in_run,
                "n_retrieved": ranking.n_retrieved,
                "hits": [tuple(hit) for hit in ranking.hits],
                "places": [
                    (place.item, place.score, place.label, place.tie_first, place.tie_size)
                    for place in ranking.places
                ],
            }
            for query, ranking in aligned.rankings.items()
        },
        "heads": reference.align.heads(aligned, HEADS),
        "n_duplicates": aligned.n_duplicates,
        "n_own": aligned.n_own,
        "strangers": aligned.strangers,
        "n_rows": len(rows),
        "first": next(((row.query, row.item) for row in rows), (b"", b"")),
        "first_judged": next(
            ((row.query, row.item) for row in rows if row.query in index.labels), (b"", b"")
        ),
        "tally": reference.tally.tally(index, rows, aligned, options),
        "odd": (reference.parse.odd(qrels, 4), reference.parse.odd(run, 6)),
    }


def assert_same(qrels: bytes, run: bytes, options: Options) -> Answer:
    """The answer, once both have given it.

    The native core reads it in two of all ways; which, the data tell, so that every case can be
    repeated and many cases go through all of them.
    """
    expected = reference_answer(qrels, run, options)
    pieces, file = divmod(zlib.crc32(qrels + run) % len(READINGS) ** 2, len(READINGS))
    assert native_answer([qrels], [run], options, READINGS[pieces]) == expected
    assert file_answer(qrels, run, options, READINGS[file]) == expected
    return expected


def assert_same_in_every_reading(
    qrels: bytes, run: bytes, options: Options, readings: Iterable[_native.Reading] = READINGS
) -> Answer:
    """The answer, once the native core has given it in every way there is."""
    expected = reference_answer(qrels, run, options)
    for reading in readings:
        assert native_answer([qrels], [run], options, reading) == expected
        assert file_answer(qrels, run, options, reading) == expected
    return expected


def describe_answer(
    index: _native.Index, filled: Callable[[int | None], _native.Aligner]
) -> Answer:
    """A native answer in the shape that ``reference_answer`` has.

    ``filled`` gives an aligner that has read the run and knows the ranking of one query.
    """
    aligner = filled(None)
    aligned = aligner.finish()
    queries = [encode_id(query) for query in index.queries]
    labels = parts(index.pool_offsets, index.pool_labels)
    assert len(queries) == index.n_queries == len(labels)
    return {
        "judgments": {
            query: [(encode_id(item), label) for item, label in index.judgments(number)]
            for number, query in enumerate(queries)
        },
        "pool": dict(zip(queries, labels, strict=True)),
        "n_duplicate_judgments": index.n_duplicates,
        "rankings": {
            query: {**ranking, "places": places(filled(number))}
            for number, (query, ranking) in enumerate(zip(queries, rankings(aligned), strict=True))
        },
        "heads": heads(aligned),
        "n_duplicates": aligned.n_duplicates,
        "n_own": aligned.n_own,
        "strangers": [encode_id(query) for query in aligner.strangers],
        "n_rows": aligner.n_rows,
        "first": (encode_id(aligner.first_row.query), encode_id(aligner.first_row.item)),
        "first_judged": (
            encode_id(aligner.first_judged.query),
            encode_id(aligner.first_judged.item),
        ),
        "tally": tally(aligned.tally),
        "odd": tuple(
            (oddities.comments, oddities.long_lines, oddities.first_long, oddities.returns)
            for oddities in (index.odd, aligner.odd)
        ),
    }


def rankings(aligned: _native.Aligned) -> list[dict[str, Any]]:
    """The flat arrays of a native answer, cut into queries."""
    columns = (aligned.hit_rank, aligned.hit_label, aligned.hit_tie_first, aligned.hit_tie_size)
    hits = list(zip(*(column.tolist() for column in columns), strict=True))
    return [
        {"in_run": bool(in_run), "n_retrieved": n_retrieved, "hits": query_hits}
        for in_run, n_retrieved, query_hits in zip(
            aligned.in_run.tolist(),
            aligned.n_retrieved.tolist(),
            parts(aligned.hit_offsets, hits),
            strict=True,
        )
    ]


def tally(native: _native.Tally) -> dict[str, Any]:
    """All counts, in the shape of ``reference.tally.tally``."""
    counts = {
        name: getattr(native, name) for name in vars(type(native)) if not name.startswith("_")
    }
    return {
        name: (count.count, count.first) if isinstance(count, _native.Sightings) else count
        for name, count in counts.items()
    }


def heads(aligned: _native.Aligned) -> tuple[list[bytes], list[list[int]]]:
    """The first items of every query, ids as bytes, in the shape of ``reference.align.heads``."""
    return [encode_id(item) for item in aligned.items], parts(
        aligned.head_offsets, aligned.head_item.tolist()
    )


def places(aligner: _native.Aligner) -> list[tuple[Any, ...]]:
    """Every item of the query that is kept, in rank order, ids as bytes."""
    aligner.finish()
    return [(encode_id(item), *rest) for item, *rest in aligner.ranking()]


def make_native_options(options: Options) -> _native.Options:
    """The same options, as the native core takes them."""
    return _native.Options(
        order=getattr(_native.Order, options.order),
        ties=getattr(_native.Ties, options.ties),
        duplicates=getattr(_native.Duplicates, options.duplicates),
        condense=options.condense,
        float32=options.float32,
        depth=options.depth,
        drop_own=options.drop_own,
    )


def feed_pieces(receiver: Any, pieces: Iterable[bytes]) -> Any:
    """The receiver, after all pieces and the empty one that ends them."""
    pieces = [*filter(None, pieces), b""]
    try:
        for piece in pieces:
            receiver.feed(piece)
    except _native.Ungrouped:
        receiver.start_over()
        for piece in pieces:
            receiver.feed(piece)
    return receiver


def from_file(receiver: Any, file: Any, data: bytes) -> Any:
    """The receiver, after it has read the data from a file, not from its beginning."""
    file.seek(0)
    file.write(b"x\n" + data)
    file.flush()
    receiver.read(file.fileno(), 2, 2 + len(data), None)
    return receiver


def parts(offsets: Any, values: Any) -> list[list[Any]]:
    """One list for each pair of neighboring offsets."""
    values = list(values)
    assert offsets[0] == 0
    assert offsets[-1] == len(values)
    return [values[begin:end] for begin, end in pairwise(offsets.tolist())]


def encode_id(text: str) -> bytes:
    """The bytes of an id that came through Python."""
    return text.encode("utf-8", "surrogateescape")
