"""Rankings that workers send are, put together, those of the whole run."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples
from gainful import ItemData, Rules
from gainful.alignment.item_rankings import ItemRankings, Items
from gainful.alignment.judgment_types import JUDGMENT_TYPES
from gainful.alignment.rankings import Rankings
from gainful.base.limits import ReadOptions
from gainful.spark import serialization
from gainful.spark.serialization import deserialize_rankings, merge_rankings, serialize_in_pieces

QUERIES = [f"q{i}" for i in range(7)]
ITEMS = ["a", "b", "\U0001f600", "ä", "c"]
DATA = ItemData(catalog=ITEMS[1:], popularity={"a": 3, "c": 1}, features={"b": [1.0, 2.0]})
labels = st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3), min_size=1)
judged = st.dictionaries(st.sampled_from(QUERIES), labels, min_size=1)
retrieved = st.dictionaries(st.sampled_from(QUERIES), labels)


def align_kind(kind, qrels, run):
    rules = Rules()
    if JUDGMENT_TYPES[kind].reader != "read_qrels":
        qrels = {
            query: {"one": labels, "two": dict(list(labels.items())[:2])}
            for query, labels in qrels.items()
        }
    about = {"data": DATA, "depth": 3} if JUDGMENT_TYPES[kind].takes_items else {}
    judgments = JUDGMENT_TYPES[kind].read(dict(sorted(qrels.items())), rules, ReadOptions())
    return JUDGMENT_TYPES[kind].align(
        judgments, gainful.read_run(run), rules, ReadOptions(), **about
    )[0]


def assert_same(rankings, other):
    assert type(rankings) is type(other)
    for name in (field.name for field in fields(rankings)):
        value, expected = getattr(rankings, name), getattr(other, name)
        if isinstance(expected, Rankings | Items):
            assert_same(value, expected)
        elif isinstance(expected, np.ndarray):
            assert value.dtype == expected.dtype, name
            assert np.array_equal(value, expected, equal_nan=expected.dtype == float), name
        elif name == "read_given_labels":
            assert (expected is None) == (value is None)
            assert expected is None or value().tolist() == expected().tolist()
        else:
            assert value == expected, name


@pytest.mark.parametrize("kind", JUDGMENT_TYPES)
@max_examples(40)
@given(judged, retrieved, st.integers(1, 4))
def test_rankings_of_parts_are_those_of_the_whole(kind, qrels, run, n_parts):
    parts = []
    for i in range(n_parts):
        queries = [query for query in qrels if QUERIES.index(query) % n_parts == i]
        if queries:
            some = (
                {q: qrels[q] for q in queries},
                {q: items for q, items in run.items() if q in queries},
            )
            parts += [
                deserialize_rankings(piece)
                for piece in serialize_in_pieces(align_kind(kind, *some))
            ]
    assert_same(merge_rankings(parts, DATA), align_kind(kind, qrels, run))


def test_large_rankings_come_in_pieces(monkeypatch):
    monkeypatch.setattr(serialization, "_PIECE_ITEMS", 250)
    qrels = {query: {"a": 1, "b": 2} for query in QUERIES}
    ranked = align_kind(ItemRankings, qrels, {query: {"a": 1.0} for query in QUERIES})
    pieces = list(serialize_in_pieces(ranked))
    assert len(pieces) == 3
    assert_same(
        merge_rankings([deserialize_rankings(piece) for piece in reversed(pieces)], DATA), ranked
    )


def test_no_queries_are_rankings_too():
    ranked = align_kind(ItemRankings, {"q1": {"a": 1}}, {"q1": {"a": 1.0}}).select(
        np.array([], int)
    )
    parts = [deserialize_rankings(piece) for piece in serialize_in_pieces(ranked)]
    assert merge_rankings(parts, DATA).queries == ()
