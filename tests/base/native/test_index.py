"""The index of the judgments: order, pool, duplicates, many ids."""

import math
from random import Random

import pytest

from base.native.answers import assert_same, feed_pieces, make_native_options, native_answer, parts
from base.native.samples import RULES, SIZES, collection
from gainful.base import _native
from reference.align import Options


def build_index(qrels: bytes, duplicates: str = "error") -> _native.Index:
    index = feed_pieces(_native.Index(), [qrels])
    index.finish(getattr(_native.Duplicates, duplicates))
    return index


def test_empty_index_has_no_queries():
    index = build_index(b"")
    assert (index.n_queries, index.n_duplicates, index.queries) == (0, 0, [])
    assert index.pool_offsets.tolist() == [0]
    assert index.pool_labels.tolist() == []


def test_queries_and_items_stand_in_the_order_of_their_first_mention():
    index = build_index(b"b 0 z 1\na 0 y 2\nb 0 x 3\nc 0 y 0\na 0 a 1\n")
    assert index.queries == ["b", "a", "c"]
    assert index.judgments(0) == [("z", 1.0), ("x", 3.0)]
    assert index.judgments(1) == [("y", 2.0), ("a", 1.0)]


def test_pool_holds_the_labels_of_each_query_descending():
    index = build_index(b"a 0 x 1\nb 0 x -1\na 0 y 3\nb 0 y 0\na 0 z 1.5\n")
    assert parts(index.pool_offsets, index.pool_labels) == [[3.0, 1.5, 1.0], [0.0, -1.0]]


def test_negative_zero_label_is_zero():
    index = build_index(b"q 0 d -0.0\n")
    assert math.copysign(1.0, index.judgments(0)[0][1]) == 1.0
    assert math.copysign(1.0, index.pool_labels[0]) == 1.0


def test_given_labels_stand_in_the_order_of_the_qrels():
    index = build_index(b"a 0 x 1\nb 0 x -1\na 0 y 3\nb 0 y 0\na 0 x 2\n", "last")
    assert parts(index.pool_offsets, index.given_labels()) == [[2.0, 3.0], [-1.0, 0.0]]
    labels = index.given_labels()
    del index
    assert labels.tolist() == [2.0, 3.0, -1.0, 0.0]


@pytest.mark.parametrize(
    ("rule", "label"),
    [("first", 1.0), ("last", 0.0), ("max", 2.0), ("once", 1.0), ("count", 1.0)],
)
def test_item_judged_twice_has_the_label_of_the_rule(rule, label):
    index = build_index(b"q 0 d 1\nq 0 e 3\nq 0 d 2\nq 0 d 0\n", rule)
    assert index.judgments(0) == [("d", label), ("e", 3.0)]
    assert index.n_duplicates == 2


def test_first_second_mention_in_the_file_is_reported():
    qrels = b"a 0 x 1\nb 0 y 2\nc 0 z 0\nb 0 y 3\n\na 0 x 4\nc 0 z 0\nb 0 y 1\n"
    expected = ("judged-twice", 4, 0, b"", b"b", b"y", 2.0, 3.0)
    assert native_answer([qrels], [b""], Options()) == expected


def test_same_label_twice_is_a_duplicate_too():
    expected = ("judged-twice", 2, 0, b"", b"q", b"d", 1.0, 1.0)
    assert native_answer([b"q 0 d 1\nq 1 d 1.0\n"], [b""], Options()) == expected


def test_same_item_for_another_query_is_no_duplicate():
    assert build_index(b"a 0 d 1\nb 0 d 1\n").n_duplicates == 0


def test_line_that_cannot_be_read_is_reported_before_duplicates():
    answer = assert_same(b"q 0 d 1\nq 0 d 1\nq 0 e x\n", b"", Options())
    assert answer[:2] == ("label", 3)


def test_ids_that_differ_in_one_byte_are_different():
    items = [b"d", b"d\x00", b"D", b"d\xff", b"\xc3\xa9", b"e\xcc\x81", b"d1", b"d01", b"d" * 300]
    qrels = b"".join(b"q 0 %b %d\n" % (item, n) for n, item in enumerate(items))
    assert assert_same(qrels, b"", Options())["n_duplicate_judgments"] == 0


@pytest.mark.parametrize("count", [0, 1, 4, 5, 63, 64, 65, 5000])
def test_many_queries_and_many_items_are_all_found(count):
    lines = [b"q%d 0 d%d %d" % (n, n % 7, n % 3) for n in range(count)]
    lines += [b"all 0 item-%d %d" % (n, n % 4) for n in range(count)]
    run = [b"q%d Q0 d%d 1 %d t" % (n, n % 7 + n % 2, n) for n in range(count)]
    run += [b"all Q0 item-%d 1 %d t" % (2 * n, n) for n in range(count)]
    # By hand: the reference takes its time with as many queries.
    index = build_index(b"\n".join(lines))
    assert index.queries == [f"q{n}" for n in range(count)] + ["all"] * bool(count)
    aligner = feed_pieces(_native.Aligner(index, make_native_options(Options())), [b"\n".join(run)])
    aligned = aligner.finish()
    hits = (aligned.hit_offsets[1:] - aligned.hit_offsets[:-1]).tolist()
    assert hits == [(n + 1) % 2 for n in range(count)] + [(count + 1) // 2] * bool(count)


@pytest.mark.parametrize("duplicates", RULES["duplicates"])
@pytest.mark.parametrize("size", SIZES)
def test_random_judgments_give_what_the_reference_gives(size, duplicates):
    for seed in range(8):
        sample = collection(Random(seed), size, judged_twice=seed % 4 != 0)
        assert_same(sample.qrels, b"", Options(duplicates=duplicates))


def test_query_that_is_not_there_is_an_index_error():
    index = build_index(b"q 0 d 1\n")
    with pytest.raises(IndexError):
        index.judgments(1)


def test_one_index_serves_many_runs():
    index = build_index(b"q 0 d 1\nq 0 e 2\n")
    for item, label in [(b"d", 1.0), (b"e", 2.0), (b"d", 1.0)]:
        aligner = _native.Aligner(index, make_native_options(Options()))
        aligned = feed_pieces(aligner, [b"q Q0 " + item + b" 1 1 t"]).finish()
        assert aligned.hit_label.tolist() == [label]


def test_results_outlive_what_made_them():
    index = build_index(b"q 0 d 1\nq 0 e 2\n")
    aligner = feed_pieces(
        _native.Aligner(index, make_native_options(Options()), kept=0), [b"q Q0 e 1 1 t"]
    )
    aligned = aligner.finish()
    labels, hit_label = index.pool_labels, aligned.hit_label
    del index, aligned
    assert aligner.ranking() == [("e", 1.0, 2.0, 1, 1)]
    del aligner
    assert (labels.tolist(), hit_label.tolist()) == ([2.0, 1.0], [2.0])
