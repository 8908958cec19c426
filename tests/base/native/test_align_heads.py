"""The first items of every query: which are kept, and how they are numbered."""

import tempfile
from random import Random

import numpy as np
import pytest

import reference.align
import reference.index
import reference.parse
from base.native.answers import feed_pieces, from_file, heads, make_native_options
from base.native.samples import SIZES, collection, every_option
from gainful.base import _native
from reference.align import Options

PLAIN = Options()
QRELS = b"q 0 a 1\nr 0 b 1\ns 0 c 1\n"
RUN = b"r Q0 x 1 3 t\nr Q0 b 2 2 t\nr Q0 a 3 1 t\nq Q0 b 1 9 t\nq Q0 y 2 9 t\nz Q0 z 1 1 t\n"


def index_of(qrels: bytes, options: Options) -> _native.Index:
    index = feed_pieces(_native.Index(), [qrels])
    index.finish(getattr(_native.Duplicates, options.duplicates))
    return index


def keep_heads(
    run: bytes, most: int, qrels: bytes = QRELS, *, options: Options = PLAIN, threads: int = 1
) -> tuple[list[bytes], list[list[int]]]:
    """What the native core keeps, once it is the same from pieces and from a file."""
    index, reading = index_of(qrels, options), _native.Reading(threads=threads, chunk=50)

    def aligner() -> _native.Aligner:
        return _native.Aligner(index, make_native_options(options), reading, None, most)

    pieces = heads(feed_pieces(aligner(), [run]).finish())
    with tempfile.TemporaryFile() as file:
        assert heads(from_file(aligner(), file, run).finish()) == pieces
    return pieces


def test_items_are_numbered_query_by_query_in_the_order_of_the_qrels():
    assert keep_heads(RUN, 2) == ([b"y", b"b", b"x"], [[0, 1], [2, 1], []])


def test_one_item_of_a_tie_is_kept_where_only_one_is_asked_for():
    assert keep_heads(RUN, 1) == ([b"y", b"x"], [[0], [1], []])
    assert keep_heads(RUN, 1, options=Options(ties="item_asc")) == ([b"b", b"x"], [[0], [1], []])


def test_nothing_is_kept_below_the_depth():
    assert keep_heads(RUN, 9, options=Options(depth=1)) == keep_heads(RUN, 1)


def test_more_than_there_are_keeps_all():
    everything = ([b"y", b"b", b"x", b"a"], [[0, 1], [2, 1, 3], []])
    assert keep_heads(RUN, 3) == keep_heads(RUN, 2**64 - 1) == everything


def test_condensed_rankings_keep_judged_items_only():
    assert keep_heads(RUN, 2, options=Options(condense=True)) == ([b"b"], [[], [0], []])


def test_nothing_is_kept_unless_it_is_asked_for():
    aligned = feed_pieces(
        _native.Aligner(index_of(QRELS, PLAIN), make_native_options(PLAIN)), [RUN]
    )
    done = aligned.finish()
    assert (done.items, len(done.head_offsets), len(done.head_item)) == ([], 0, 0)


def test_mappings_lists_and_columns_are_kept_as_files_are():
    index, options = index_of(QRELS, PLAIN), make_native_options(PLAIN)
    aligners = [_native.Aligner(index, options, None, None, 2) for _ in range(3)]
    aligners[0].add({"r": {"x": 3, "b": 2, "a": 1}, "q": {"b": 9, "y": 9}})
    aligners[1].add_list("r", ["x", "b", "a"])
    aligners[1].add_list("q", ["y", "b"])
    scores, ranks = np.array([9.0, 3, 2, 1, 9]), np.zeros(5, dtype=np.int64)
    aligners[2].start_over()  # rows of q stand apart
    aligners[2].push_columns(["q", "r", "r", "r", "q"], ["b", "x", "b", "a", "y"], scores, ranks)
    assert all(heads(aligner.finish()) == keep_heads(RUN, 2) for aligner in aligners)


@pytest.mark.parametrize("seed", range(40))
def test_threads_and_rules_keep_what_the_reference_keeps(seed):
    random = Random(seed)
    options = random.choice(every_option(duplicates="max"))
    sample = collection(random, random.choice(SIZES), judged_twice=True, retrieved_twice=True)
    judged = reference.index.index(reference.parse.judgments(sample.qrels), options.duplicates)
    rows = reference.parse.rows(
        sample.run, with_score=options.with_score, with_rank=options.with_rank
    )
    aligned = reference.align.align(judged, rows, options)
    for most, threads in ((1, 1), (2, 3), (64, 2), (1000, 4)):
        answer = keep_heads(sample.run, most, sample.qrels, options=options, threads=threads)
        assert answer == reference.align.heads(aligned, most)


def test_heads_are_kept_of_the_first_queries_only():
    index = feed_pieces(_native.Index(), [b"q 0 a 1\np 0 a 1\n"])
    index.finish(_native.Duplicates.max)
    for run in (b"p Q0 a 1 1 t\nq Q0 b 1 1 t\n", b"p Q0 a 1 1 t\nq Q0 b 1 1 t\np Q0 c 2 0 t\n"):
        aligner = feed_pieces(
            _native.Aligner(index, make_native_options(Options()), heads=5, headed=1), [run]
        )
        aligned = aligner.finish()
        assert (aligned.items, aligned.head_offsets.tolist()) == (["b"], [0, 1, 1])
