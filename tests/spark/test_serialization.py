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
from gainful.spark import serialization as sent_rankings
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
            query: {"one": held, "two": dict(list(held.items())[:2])}
            for query, held in qrels.items()
        }
    about = {"data": DATA, "depth": 3} if JUDGMENT_TYPES[kind].takes_items else {}
    judgments = JUDGMENT_TYPES[kind].read(dict(sorted(qrels.items())), rules, ReadOptions())
    return JUDGMENT_TYPES[kind].align(
        judgments, gainful.read_run(run), rules, ReadOptions(), **about
    )[0]


def assert_same(one, other):
    assert type(one) is type(other)
    for name in (field.name for field in fields(one)):
        held, wanted = getattr(one, name), getattr(other, name)
        if isinstance(wanted, Rankings | Items):
            assert_same(held, wanted)
        elif isinstance(wanted, np.ndarray):
            assert held.dtype == wanted.dtype, name
            assert np.array_equal(held, wanted, equal_nan=wanted.dtype == float), name
        elif name == "given":
            assert (wanted is None) == (held is None)
            assert wanted is None or held().tolist() == wanted().tolist()
        else:
            assert held == wanted, name


@pytest.mark.parametrize("kind", JUDGMENT_TYPES)
@max_examples(40)
@given(judged, retrieved, st.integers(1, 4))
def test_rankings_of_parts_are_those_of_the_whole(kind, qrels, run, n_parts):
    parts = []
    for i in range(n_parts):
        own = [query for query in qrels if QUERIES.index(query) % n_parts == i]
        if own:
            some = {q: qrels[q] for q in own}, {q: held for q, held in run.items() if q in own}
            parts += [
                deserialize_rankings(piece)
                for piece in serialize_in_pieces(align_kind(kind, *some))
            ]
    assert_same(merge_rankings(parts, DATA), align_kind(kind, qrels, run))


def test_large_rankings_come_in_pieces(monkeypatch):
    monkeypatch.setattr(sent_rankings, "_PIECE_ITEMS", 250)
    qrels = {query: {"a": 1, "b": 2} for query in QUERIES}
    ranked = align_kind(ItemRankings, qrels, {query: {"a": 1.0} for query in QUERIES})
    several = list(serialize_in_pieces(ranked))
    assert len(several) == 3
    assert_same(
        merge_rankings([deserialize_rankings(one) for one in reversed(several)], DATA), ranked
    )


def test_no_queries_are_rankings_too():
    ranked = align_kind(ItemRankings, {"q1": {"a": 1}}, {"q1": {"a": 1.0}}).select(
        np.array([], int)
    )
    found = [deserialize_rankings(one) for one in serialize_in_pieces(ranked)]
    assert merge_rankings(found, DATA).queries == ()
