"""Reading that skips what is wrong and counts it, against the reference."""

import tempfile
from random import Random

import numpy as np
import pyarrow as pa
import pytest

import reference.align
import reference.index
import reference.parse
from base.native.answers import encode_id, feed_pieces, from_file, make_native_options, tally
from base.native.samples import collection, corrupted
from gainful.base import _native
from reference.align import Options
from reference.tally import tally as reference_tally

READINGS = [
    _native.Reading(lenient=True),
    _native.Reading(threads=3, chunk=1, lenient=True),
    _native.Reading(threads=2, chunk=100, lenient=True),
]
OPTIONS = [
    Options(duplicates="max"),
    Options(duplicates="max", order="rank"),
    Options(duplicates="first", ties="rank_column"),
]


def expected(qrels, run, options):
    bad_judgments, bad_rows = [], []
    judged = reference.parse.judgments(qrels, bad_judgments)
    index = reference.index.index(judged, options.duplicates)
    flags = {"with_score": options.with_score, "with_rank": options.with_rank}
    rows = reference.parse.rows(run, **flags, faults=bad_rows)
    aligned = reference.align.align(index, rows, options)
    return {
        "faults": [reference.parse.by_reason(bad) for bad in (bad_judgments, bad_rows)],
        "judgments": {query: list(labels.items()) for query, labels in index.labels.items()},
        "n_rows": len(rows),
        "n_retrieved": [ranking.n_retrieved for ranking in aligned.rankings.values()],
        "tally": reference_tally(index, rows, aligned, options),
    }


def answer(index, aligner):
    aligned = aligner.finish()
    return {
        "faults": [receiver.odd.faults for receiver in (index, aligner)],
        "judgments": {
            encode_id(query): [(encode_id(item), label) for item, label in index.judgments(number)]
            for number, query in enumerate(index.queries)
        },
        "n_rows": aligner.n_rows,
        "n_retrieved": aligned.n_retrieved.tolist(),
        "tally": tally(aligned.tally),
    }


def fed_answer(qrels, run, options, reading):
    index = feed_pieces(_native.Index(reading), [qrels])
    index.finish(getattr(_native.Duplicates, options.duplicates))
    aligner = feed_pieces(_native.Aligner(index, make_native_options(options), reading), [run])
    return answer(index, aligner)


def file_answer(qrels, run, options, reading):
    with tempfile.TemporaryFile() as qrels_file, tempfile.TemporaryFile() as run_file:
        index = from_file(_native.Index(reading), qrels_file, qrels)
        index.finish(getattr(_native.Duplicates, options.duplicates))
        aligner = _native.Aligner(index, make_native_options(options), reading)
        return answer(index, from_file(aligner, run_file, run))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_wrong_is_skipped_and_counted_as_in_the_reference(seed):
    random = Random(seed)
    sample = collection(
        random, random.choice((3, 20, 100)), judged_twice=True, retrieved_twice=True
    )
    qrels, run = sample.qrels, sample.run
    for _ in range(4):
        qrels, run = corrupted(random, qrels), corrupted(random, run)
    for options in OPTIONS:
        expected_answer = expected(qrels, run, options)
        for reading in READINGS:
            assert fed_answer(qrels, run, options, reading) == expected_answer
            assert file_answer(qrels, run, options, reading) == expected_answer


def test_every_reason_has_its_count_and_its_first_line():
    run = b"q Q0 a 1 1 t\nq Q0\nq Q0 b 2 nan t\nq Q0 c 3 x t\nq Q0 d\nq Q0 e 4 .5 t\n"
    result = fed_answer(b"q 0 a 1\n", run, Options(duplicates="max"), READINGS[0])
    assert result["faults"] == [
        [],
        [
            (2, ("fields", 2, 1, b"q Q0", b"", b"", 6.0, 2.0)),
            (1, ("nan-score", 3, 10, b"nan", b"", b"", 0.0, 0.0)),
            (1, ("score", 4, 10, b"x", b"", b"", 0.0, 0.0)),
        ],
    ]
    assert result["n_rows"] == 2


def test_entries_of_mappings_and_lists_are_skipped_too():
    index = _native.Index(READINGS[0])
    index.add({"q": {"a": 1, "b": "x", 1.5: 1}, "p": 7, None: {"a": 1}, "o": {"a": float("nan")}})
    index.finish(_native.Duplicates.max)
    assert dict(index.judgments(0)) == {"a": 1.0}
    assert [(n, first[:2]) for n, first in index.odd.faults] == [
        (2, ("label", 2)),
        (2, ("id", 3)),
        (1, ("entries", 4)),
    ]
    aligner = _native.Aligner(index, make_native_options(Options(duplicates="max")), READINGS[0])
    aligner.add_list("q", ["a", None, "b"])
    aligner.add_list("p", 7)
    assert [(n, first[0]) for n, first in aligner.odd.faults] == [(1, "id"), (1, "list")]
    assert aligner.finish().n_retrieved.tolist() == [2, 0]


def test_rows_of_columns_are_skipped_too():
    index = _native.Index(READINGS[0])
    index.push_columns(["q", None, "q", "q"], ["a", "b", 1.5, "c"], np.array([1, 1, 1, np.nan]))
    index.finish(_native.Duplicates.max)
    assert [(n, first[:2]) for n, first in index.odd.faults] == [(2, ("id", 2)), (1, ("label", 4))]
    assert index.queries == ["q"]
    assert index.judgments(0) == [("a", 1.0)]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("apart", [False, True])
def test_rows_of_tables_are_skipped_too(reading, apart):
    index = _native.Index()
    index.add({"q": {"a": 1, "b": 0}, "p": {"a": 1}})
    index.finish(_native.Duplicates.error)
    aligner = _native.Aligner(index, make_native_options(Options(duplicates="max")), reading)
    query, item = ["q", "q", None, "q", "p", "q"], ["c", None, "a", "b", "a", "a"]
    table = pa.table({"query": query, "item": item, "score": ["9", "8", "7", "x", "5", "4"]})
    table = table if apart else table.take([0, 1, 2, 3, 5, 4])
    if apart:
        aligner.start_over()
    aligner.push_table(table.__arrow_c_stream__(), 0, 1, 2)
    aligner.end_tables()
    aligned = aligner.finish()
    assert [(n, first[:2]) for n, first in aligner.odd.faults] == [
        (2, ("null", 2)),
        (1, ("score", 4)),
    ]
    assert (aligner.n_rows, aligned.n_retrieved.tolist()) == (3, [2, 1])
    assert (aligned.hit_rank.tolist(), aligned.hit_label.tolist()) == ([2, 1], [1.0, 1.0])
