"""What was wrong once, and the smallest input that showed it."""

import gzip
import os
import threading

import numpy as np
import pytest

import gainful
from gainful.base import _native
from gainful.errors import SourceError


def test_queries_without_items_keep_their_place():
    qrels = {f"q{i:02}": {"d": 1} if i % 2 else {} for i in range(40)}
    assert gainful.read_qrels(qrels).queries == tuple(qrels)
    sets = {query: set(items) for query, items in qrels.items()}
    assert gainful.read_qrels(sets).queries == tuple(qrels)


def test_strangers_without_items_keep_their_place():
    run = {"zz": {}, "bb": {"d": 1.0}, "a": {"d": 1.0}, "q": {"d": 1.0}}
    (notice,) = gainful.evaluate({"q": {"d": 1}}, run, "nDCG").notices
    assert notice.queries == ("zz", "bb", "a")


def test_a_deep_cutoff_is_as_good_as_a_shallow_one():
    scores = np.arange(5000.0)
    labels = np.arange(5000.0) % 3
    for k in (60, 70, 1000):
        assert gainful.ndcg(labels, scores, k=k) == gainful.ndcg(labels, scores, k=[k, 5000])[0]


@pytest.fixture
def cut_short(tmp_path):
    """A compressed run with a bad line near its top, and cut short near its end."""
    lines = [f"q{i // 100} Q0 d{i} 1 {i} t" for i in range(200_000)]
    lines[10] = "too short"
    packed = gzip.compress("\n".join(lines).encode(), compresslevel=1)
    path = tmp_path / "run.gz"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    return path


def test_the_first_thing_that_is_wrong_is_reported_every_time(cut_short):
    said = set()
    for _ in range(10):
        with pytest.raises(SourceError) as error:
            gainful.evaluate({"q1": {"d1": 1}}, cut_short, "nDCG", threads=3)
        said.add(str(error.value))
    (sentence,) = said
    assert "line 11: expected 6 fields, found 2" in sentence


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
def test_no_thread_outlives_an_error(cut_short):
    before = len(os.listdir("/proc/self/task"))
    with pytest.raises(SourceError) as error:
        gainful.evaluate({"q1": {"d1": 1}}, cut_short, "nDCG", threads=4)
    assert error.tb is not None  # which holds on to everything
    assert len(os.listdir("/proc/self/task")) <= before
    assert threading.active_count() >= 1


@pytest.mark.parametrize("between", [b"", b"\n", b"# a comment\n"])
def test_lines_between_queries_do_not_undo_their_grouping(between):
    index = _native.Index()
    index.add({"q1": {"d1": 1}})
    index.finish(_native.Duplicates.error)
    options = _native.Options(
        order=_native.Order.score,
        ties=_native.Ties.input,
        duplicates=_native.Duplicates.error,
        condense=False,
        float32=False,
        depth=0,
    )
    aligner = _native.Aligner(index, options, _native.Reading(chunk=100))
    queries = [b"".join(b"q%d Q0 d%d 1 1 t\n" % (q, i) for i in range(4)) for q in range(300)]
    aligner.feed(between.join(queries))  # would raise Ungrouped
    aligner.feed(b"")
    assert aligner.finish().n_retrieved.tolist() == [4]


def test_what_is_no_number_is_found_where_it_was_given():
    with pytest.raises(SourceError, match="got nan at position 2"):
        gainful.ndcg([1, 0, np.nan, 1], query_ids=["a", "b", "a", "b"])


def test_a_rule_that_is_none_cannot_be_set():
    rules = gainful.Rules()
    with pytest.raises(AttributeError):
        rules.tie = "input"
    assert rules == gainful.Rules()


@pytest.mark.parametrize("kind", ["query", "item"])
def test_an_id_that_is_missing_is_no_empty_one(kind):
    columns = {"query": ["q", "q"], "item": ["a", "b"], "label": [1, 0]}
    columns[kind] = ["", None]
    with pytest.raises(SourceError, match=r"row 2: .*got None"):
        gainful.read_qrels(gainful.Columns(**columns))
