"""One question to the native core and to the reference, answered in the same shape."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import reference.align
import reference.index
import reference.parse
from gainful import _native
from reference.align import Options

Answer = dict[str, Any] | tuple[Any, ...]


def native_answer(qrels: Iterable[bytes], run: Iterable[bytes], options: Options) -> Answer:
    """All that the native core says of qrels and a run, given in chunks, or what is wrong."""
    try:
        index = fed(_native.Index(), qrels)
        index.finish(getattr(_native.Duplicates, options.duplicates))
        aligner = fed(_native.Aligner(index, native_options(options)), run)
        return described(index, aligner, aligner.finish())
    except _native.BadInput as error:
        return error.args


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
        "n_duplicates": aligned.n_duplicates,
        "strangers": aligned.strangers,
        "n_rows": len(rows),
        "first": (rows[0].query, rows[0].item) if rows else (b"", b""),
    }


def assert_same(qrels: bytes, run: bytes, options: Options) -> Answer:
    """The answer, once both have given it."""
    expected = reference_answer(qrels, run, options)
    assert native_answer([qrels], [run], options) == expected
    return expected


def described(index: _native.Index, aligner: _native.Aligner, aligned: _native.Aligned) -> Answer:
    """A native answer in the shape that ``reference_answer`` has."""
    queries = [encoded(query) for query in index.queries]
    pool = index.pool()
    labels = parts(pool.offsets, pool.labels)
    assert len(queries) == index.n_queries == len(labels)
    return {
        "judgments": {
            query: [(encoded(item), label) for item, label in index.judgments(number)]
            for number, query in enumerate(queries)
        },
        "pool": dict(zip(queries, labels, strict=True)),
        "n_duplicate_judgments": index.n_duplicates,
        "rankings": {
            query: {**ranking, "places": places(aligner, number)}
            for number, (query, ranking) in enumerate(zip(queries, rankings(aligned), strict=True))
        },
        "n_duplicates": aligned.n_duplicates,
        "strangers": [encoded(query) for query in aligner.strangers],
        "n_rows": aligner.n_rows,
        "first": (encoded(aligner.first_query), encoded(aligner.first_item)),
    }


def rankings(aligned: _native.Aligned) -> list[dict[str, Any]]:
    """The flat arrays of a native answer, cut into queries."""
    columns = (aligned.hit_rank, aligned.hit_label, aligned.hit_tie_first, aligned.hit_tie_size)
    hits = list(zip(*(column.tolist() for column in columns), strict=True))
    return [
        {"in_run": bool(in_run), "n_retrieved": n_retrieved, "hits": own}
        for in_run, n_retrieved, own in zip(
            aligned.in_run.tolist(),
            aligned.n_retrieved.tolist(),
            parts(aligned.hit_offsets, hits),
            strict=True,
        )
    ]


def places(aligner: _native.Aligner, query: int) -> list[tuple[Any, ...]]:
    """Every item of one query in rank order, ids as bytes."""
    return [(encoded(item), *rest) for item, *rest in aligner.ranking(query)]


def native_options(options: Options) -> _native.Options:
    """The same options, as the native core takes them."""
    return _native.Options(
        order=getattr(_native.Order, options.order),
        ties=getattr(_native.Ties, options.ties),
        duplicates=getattr(_native.Duplicates, options.duplicates),
        condense=options.condense,
        float32=options.float32,
        depth=options.depth,
    )


def fed(receiver: Any, chunks: Iterable[bytes]) -> Any:
    """The receiver, after all chunks and the empty one that ends them."""
    for chunk in chunks:
        if chunk:
            receiver.feed(chunk)
    receiver.feed(b"")
    return receiver


def parts(offsets: Any, values: Any) -> list[list[Any]]:
    """One list for each pair of neighbouring offsets."""
    values = list(values)
    assert offsets[0] == 0
    assert offsets[-1] == len(values)
    return [values[begin:end] for begin, end in pairwise(offsets.tolist())]


def encoded(text: str) -> bytes:
    """The bytes of an id that came through Python."""
    return text.encode("utf-8", "surrogateescape")
