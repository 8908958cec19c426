"""Rows of Python objects and ``Columns``: what is read, and the error for the rest."""

import json
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from gainful import Columns, Rules, SourceError, evaluate, read_qrels, read_run
from gainful.sources import objects

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d2 1 0.9 tag\nq1 Q0 d1 2 0.8 tag\nq2 Q0 d1 1 0.7 tag\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def test_columns_give_what_the_same_rows_in_files_give(write):
    rows = [line.split() for line in QRELS.splitlines()]
    qrels = Columns(
        query=[r[0] for r in rows],
        item=np.array([r[2] for r in rows]),
        label=[float(r[3]) for r in rows],
    )
    rows = [line.split() for line in RUN.splitlines()][::-1]  # queries need not stand together
    run = Columns(
        query=np.array([r[0] for r in rows]),
        item=[r[2] for r in rows],
        score=np.array([float(r[4]) for r in rows]),
        rank=[int(r[3]) for r in rows],
    )
    files = evaluate(write("qrels.txt", QRELS), write("run.txt", RUN))
    assert evaluate(qrels, run).to_dict() == files.to_dict()
    by_rank = Rules(order="rank")
    assert evaluate(qrels, run, rules=by_rank).mean() == files.mean()
    ranks_alone = Columns(query=run.query, item=run.item, rank=run.rank)
    assert evaluate(qrels, ranks_alone).mean() == files.mean()


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (
            {"label": [1]},
            {"score": [1, 2]},
            "columns: must have the same length, got query 1, item 1, score 2.",
        ),
        (
            {},
            {"score": [1]},
            "qrels: columns must hold labels, got none. Pass Columns(..., label=...).",
        ),
        (
            {"label": [1]},
            {},
            "run: columns must hold scores or ranks, got neither. Pass Columns(..., score=...).",
        ),
        ({"label": [1]}, {"rank": [1.5]}, "rank: must be integers, got [1.5]."),
        ({"label": [1]}, {"rank": [2**63]}, "rank: must be integers, got [9223372036854775808]."),
        (
            {"label": [1]},
            {"score": [float("nan")]},
            "scores: must be numbers that can be ordered, got nan at position 0.",
        ),
        (
            {"label": [float("inf")]},
            {"score": [1]},
            "labels: must be finite numbers, got inf at position 0.",
        ),
        (
            {"item": [None], "label": [1]},
            {"score": [1]},
            "qrels, row 1: query 'q': an id must be a string, an integer, bytes or a UUID, "
            "got None.",
        ),
    ],
)
def test_bad_columns_are_named(qrels, run, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(
            Columns(**{"query": ["q"], "item": ["a"]} | qrels),
            Columns(query=["q"], item=["a"], **run),
        )
    assert str(error.value) == sentence


Qrel = namedtuple("Qrel", "query_id doc_id relevance")
Hit = namedtuple("Hit", "qid docno rank")
NDCG_OF_SECOND = 0.6309297535714575


def test_a_generator_is_gone_through_once_and_may_be_evaluated_twice():
    run = read_run(Hit(*row) for row in [("q", "b", 1), ("q", "a", 2)])
    assert evaluate({"q": {"a": 1}}, run, "nDCG")["nDCG"] == NDCG_OF_SECOND
    assert evaluate({"q": {"a": 1}}, run, "nDCG")["nDCG"] == NDCG_OF_SECOND


def test_rows_with_a_rank_alone_are_ordered_by_it():
    run = [Hit("q", "a", 2), Hit("q", "b", 1)]
    for order in ("score", "rank"):
        scores = evaluate({"q": {"a": 1}}, run, "nDCG", rules=Rules(order=order))
        assert scores["nDCG"] == NDCG_OF_SECOND


def test_more_rows_than_a_chunk_stay_in_order(monkeypatch):
    monkeypatch.setattr(objects, "_CHUNK", 2)
    run = [("q", item, 1.0) for item in "edcba"]
    first = evaluate({"q": {"a": 1}}, run, "RR", rules=Rules(ties="input"))
    assert first["RR"] == 0.2
    with pytest.raises(SourceError, match=r"row 4: expected \(query, item, label\)"):
        read_qrels([("q", item, 1) for item in "abc"] + ["d"])


def test_named_tuples_are_read_by_name_not_by_place():
    other = namedtuple("Other", "relevance query_id doc_id")
    read = read_qrels([Qrel("q", "a", 1), other(2, "q", "b")])
    assert read.labels("q") == {"a": 1.0, "b": 2.0}


@dataclass
class Pair:
    """A row without a number."""

    query_id: str
    item_id: str


@pytest.mark.parametrize(
    ("qrels", "sentence"),
    [
        ([], ": there are no judgments in it."),
        (
            [("q", "a", 1), ("q", "b")],
            ", row 2: expected (query, item, label), or fields with names, got ('q', 'b').",
        ),
        (
            [("q", "a", 1), None],
            ", row 2: expected (query, item, label), or fields with names, got None.",
        ),
        (["q"], ", row 1: expected (query, item, label), or fields with names, got 'q'."),
        (
            [Qrel("q", "a", 1), ("q", "b", 1)],
            ", row 2: has no 'query_id', got ('q', 'b', 1).",
        ),
        (
            [Qrel("q", "a", None)],
            ": query 'q' item 'a': label must be a finite number, got None.",
        ),
        (
            [{"query_id": "q", "item_id": "a", "x": 1}],
            ": no column is known as the label; there are 'query_id', 'item_id', 'x'. "
            "Name it with --columns qrels.label=NAME, or columns={'label': NAME} in Python.",
        ),
        (
            [{1: "q"}],
            ", row 1: expected (query, item, label), or fields with names, got {1: 'q'}.",
        ),
        (
            [("q", "a", 1), ("q", "a", 1)],
            ": query 'q' item 'a' is judged twice (labels 1 and 1). "
            "Pass --duplicates max to keep the higher.",
        ),
    ],
)
def test_rows_that_cannot_be_read_say_why(qrels, sentence):
    with pytest.raises(SourceError) as error:
        read_qrels(qrels)
    assert str(error.value) == "qrels" + sentence


def test_a_run_needs_scores_or_ranks():
    with pytest.raises(SourceError) as error:
        evaluate({"q": {"a": 1}}, [Pair("q", "a")])
    assert str(error.value) == (
        "run 'run': no column is known as the score or the rank. Name it with --columns "
        "score=NAME, or columns={'score': NAME} in Python, or pass --order file where the items "
        "of each query stand in order."
    )


def test_items_alone_are_in_the_order_of_the_rows_where_the_rules_say_so():
    qrels, rules = {"q": {"a": 1}}, Rules(order="file")
    for run in ([Pair("q", "b"), Pair("q", "a")], {"query": ["q", "q"], "item": ["b", "a"]}):
        assert evaluate(qrels, run, "RR", rules=rules)["RR"] == 0.5


@pytest.mark.parametrize("collapse", [None, "^(.*)#"])
@pytest.mark.parametrize("rank", [None, 2.5, "second", True])
def test_ranks_that_nothing_reads_may_be_anything(rank, collapse, tmp_path):
    rows = [
        {"qid": "q", "docno": "a", "score": 1, "rank": 1},
        {"qid": "q", "docno": "b", "score": 2, "rank": rank},
    ]
    path, lines = tmp_path / "run.json", tmp_path / "run.jsonl"
    path.write_text(json.dumps(rows))
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for run in (rows, path, lines):
        rules = Rules(collapse=collapse)
        assert evaluate({"q": {"a": 1}}, run, "RR", rules=rules)["RR"] == 0.5


@pytest.mark.parametrize("collapse", [None, "^(.*)#"])
def test_ranks_that_are_whole_floats_are_ranks(collapse):
    rows = [{"qid": "q", "docno": d, "score": 1, "rank": r} for d, r in (("a", 2.0), ("b", 1.0))]
    rules = Rules(order="rank", collapse=collapse)
    assert evaluate({"q": {"a": 1}}, rows, "RR", rules=rules)["RR"] == 0.5


def test_a_rank_to_order_by_must_be_one():
    rows = [{"qid": "q", "docno": "a", "score": 1, "rank": None}]
    with pytest.raises(SourceError) as error:
        evaluate({"q": {"a": 1}}, rows, "RR", rules=Rules(order="rank"))
    assert str(error.value) == (
        "run 'run': query 'q' item 'a': rank must be an integer to order by it, got null."
    )
