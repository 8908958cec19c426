"""Ids of every type, rows of every shape as tables, and words as labels."""

import subprocess
import sys
import uuid

import numpy as np
import pytest
import scipy.sparse

from gainful import Columns, Grouped, Matrix, SourceError, evaluate, read_qrels, read_subtopics
from gainful.sources import ReadSpec
from gainful.sources.feed import find_format
from sources.collection import LABELS, SCORES, as_json, as_rows, rows

ONE = uuid.UUID("0f8fad5b-d9cb-469f-a165-70867728950e")


@pytest.mark.parametrize("make", [uuid.UUID, str, str.encode])
def test_a_uuid_is_its_canonical_text(make):
    one = make(str(ONE))
    scores = evaluate({one: {one: 1, "other": 0}}, {str(ONE): ["other", ONE]}, "nDCG")
    assert scores.queries == (str(ONE),)
    assert scores["nDCG"] == 0.6309297535714575


def test_uuids_may_stand_in_dicts_lists_columns_and_subtopics():
    text = str(ONE)
    shapes = [{ONE: {ONE: 1}}, {ONE: [ONE]}, Columns(query=[ONE], item=[ONE], label=[1])]
    shapes += [[(ONE, ONE, 1)], {ONE: [(ONE, 1)]}, {"query_id": [ONE], "item": [ONE], "label": [1]}]
    assert [read_qrels(shape).labels(text) for shape in shapes] == [{text: 1.0}] * len(shapes)
    assert read_subtopics({ONE: {"a": {ONE: 1}}}).item == [text]


def test_the_module_of_uuids_is_not_loaded_for_others():
    code = "import sys, gainful; gainful.read_qrels({'q': {'d': 1}}); print('uuid' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


@pytest.mark.parametrize("one", [1, "1", b"1", np.int8(1), np.uint64(1), np.str_("1")])
@pytest.mark.parametrize("other", [1, "1", b"1", np.int64(1), np.bytes_(b"1")])
def test_a_number_and_its_text_are_the_same_id(one, other):
    assert evaluate({one: {other: 1}}, {other: [one]}, "nDCG")["nDCG"] == 1.0


def test_integers_beyond_the_doubles_stay_apart():
    many = [2**53, 2**53 + 1, 2**64, 2**64 + 1, -1, 10**30]
    assert read_qrels({many[0]: dict.fromkeys(many, 1)}).labels(str(2**53)).keys() == {
        str(one) for one in many
    }


@pytest.mark.parametrize("wrong", [True, 1.0, None, ("a", "b"), np.float32(1), np.True_, 1j])
def test_what_is_no_id_is_refused(wrong):
    sentence = f"an id must be a string, an integer, bytes or a UUID, got {wrong!r}."
    shapes = [
        ({wrong: {"d": 1}}, "qrels"),
        (Columns(query=[wrong], item=["d"], label=[1]), "qrels, row 1"),
        ({"q": {wrong: 1}}, "qrels: query 'q'"),
        ([("q", wrong, 1)], "qrels: query 'q'"),
        ({"q": [["d", 1], [wrong, 1]]}, "qrels: query 'q'"),
    ]
    for shape, place in shapes:
        with pytest.raises(SourceError) as error:
            read_qrels(shape)
        assert str(error.value) == f"{place}: {sentence}"


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
    wanted = ReadSpec("run", "run 'run'")
    [table] = find_format(source, "run").tables(source, wanted)
    assert table.select("query", "item", "score").rows() == rows(SCORES)


def test_rankings_are_tables_with_ranks():
    [table] = find_format({"q": ["b", "a"]}, "run").tables(
        {"q": ["b", "a"]}, ReadSpec("run", "run")
    )
    assert table.rows() == [("q", "b", 1), ("q", "a", 2)]


def test_ids_of_all_types_are_text_in_a_table():
    one = uuid.uuid4()
    read = read_qrels({1: {one: 1, b"b": 0, np.int8(3): 2}}, collapse="^(.*)$")
    assert read.labels("1") == {str(one): 1.0, "b": 0.0, "3": 2.0}
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
