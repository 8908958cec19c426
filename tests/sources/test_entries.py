"""Ids of every type, rows of every shape as tables, and words as labels."""

import uuid

import numpy as np
import pytest
import scipy.sparse

from gainful import Columns, Grouped, Matrix, SourceError, read_qrels, read_subtopics
from gainful.sources import ReadSpec
from gainful.sources.feed import find_format
from sources.collection import LABELS, SCORES, as_json, as_rows, rows

ONE = uuid.UUID("0f8fad5b-d9cb-469f-a165-70867728950e")


def test_uuids_may_stand_in_dicts_lists_columns_and_subtopics():
    text = str(ONE)
    shapes = [{ONE: {ONE: 1}}, {ONE: [ONE]}, Columns(query=[ONE], item=[ONE], label=[1])]
    shapes += [[(ONE, ONE, 1)], {ONE: [(ONE, 1)]}, {"query_id": [ONE], "item": [ONE], "label": [1]}]
    assert [read_qrels(shape).labels(text) for shape in shapes] == [{text: 1.0}] * len(shapes)
    assert read_subtopics({ONE: {"a": {ONE: 1}}}).item == [text]


TABLE = np.array([list(entries.values()) for entries in LABELS.values()])
ITEMS = np.tile([0, 1, 2], 2)
QUERY, ITEM, LABEL = map(list, zip(*rows(LABELS), strict=True))
SHAPES = [
    *as_json(LABELS, "relevance")[0].values(),
    *(rows for name, rows in as_rows(LABELS).items() if not callable(rows) and "runs" not in name),
    TABLE,
    Matrix(TABLE, queries=["0", 1]),
    scipy.sparse.coo_array((TABLE.ravel(), np.indices(TABLE.shape).reshape(2, -1))),
    Grouped(TABLE.ravel(), group_sizes=[3, 3], items=ITEMS),
    Columns(query=QUERY, item=ITEM, label=LABEL),
]


@pytest.mark.parametrize("source", SHAPES, ids=range(len(SHAPES)))
def test_every_shape_of_qrels_is_a_table_too(source):
    read = read_qrels(source, collapse="^(.*)$")
    assert {query: read.labels(query) for query in read.queries} == LABELS


@pytest.mark.parametrize(
    "source", [SCORES, {q: [*e.items()] for q, e in SCORES.items()}, rows(SCORES)]
)
def test_runs_are_tables_too(source):
    spec = ReadSpec("run", "run 'run'")
    [table] = find_format(source, "run").make_tables(source, spec)
    assert table.select("query", "item", "score").rows() == rows(SCORES)


def test_rankings_are_tables_with_ranks():
    [table] = find_format({"q": ["b", "a"]}, "run").make_tables(
        {"q": ["b", "a"]}, ReadSpec("run", "run")
    )
    assert table.rows() == [("q", "b", 1), ("q", "a", 2)]


def test_ids_of_all_types_are_text_in_a_table():
    item = uuid.uuid4()
    read = read_qrels({1: {item: 1, b"b": 0, np.int8(3): 2}}, collapse="^(.*)$")
    assert read.labels("1") == {str(item): 1.0, "b": 0.0, "3": 2.0}
    with pytest.raises(SourceError) as error:
        read_qrels({"q": {b"\xff": 1}}, collapse="^(.*)$")
    assert str(error.value) == ("qrels: an id must be UTF-8 text to be collapsed or converted.")


WORDS = {"good": 2, "bad": 0}


@pytest.mark.parametrize(
    "source",
    [
        {"q": {"a": "good", "b": "bad"}},
        {"q": [["a", "good"], ["b", "bad"]]},
        [("q", "a", "good"), ("q", "b", "bad")],
        Columns(query=["q", "q"], item=["a", "b"], label=["good", "bad"]),
        Grouped(["good", "bad"], query_ids=["q", "q"], items=["a", "b"]),
        Matrix(np.array([["good", "bad"]]), queries=["q"], items=["a", "b"]),
    ],
)
def test_words_are_labels_in_every_shape(source):
    assert read_qrels(source, labels=WORDS).labels("q") == {"a": 2.0, "b": 0.0}
    with pytest.raises(SourceError) as error:
        read_qrels(source, labels={"good": 1})
    assert str(error.value) == "labels: must name every word, got 'bad'; there are 'good'."
