"""Data as people first bring them: values, errors and notices."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from gainful import AlignError, SourceError, evaluate, read_qrels


def test_the_docno_of_a_frame_of_pyterrier_is_the_item_not_its_docid():
    run = pd.DataFrame(
        {
            "qid": ["1", "1"],
            "docid": [811, 12],
            "docno": ["d2", "d1"],
            "rank": [0, 1],
            "score": [2.5, 1.5],
            "query": ["cheap shoes"] * 2,
        }
    )
    assert evaluate({"1": {"d1": 1}}, run, "RR")["RR"] == 0.5


@pytest.mark.parametrize(
    "make", [pl.DataFrame, pd.DataFrame, dict, lambda d: pl.DataFrame(d).rows(named=True)]
)
def test_items_without_a_label_are_the_relevant_ones(make):
    likes = {"user_id": ["u1", "u1", "u2"], "item_id": ["i1", "i2", "i1"]}
    assert read_qrels(make(likes)).labels("u1") == {"i1": 1.0, "i2": 1.0}


def test_logs_of_questions_meet_by_their_id_whatever_their_order():
    gold = [
        {"question_id": "a1", "gold_doc_ids": ["d1"]},
        {"question_id": "a2", "gold_doc_ids": ["d2"]},
    ]
    retrieved = [
        {"question_id": "a2", "retrieved_chunks": ["d2"]},
        {"question_id": "a1", "retrieved_chunks": ["d1"]},
    ]
    assert evaluate(gold, retrieved, "RR")["RR"] == 1.0


def test_objects_without_a_known_query_are_refused():
    with pytest.raises(SourceError) as error:
        read_qrels([{"gold": ["d1"], "case": 7}])
    assert str(error.value) == (
        "qrels, object 1: no key is known as the query; there are 'gold', 'case'. Name it with "
        "--columns qrels.query=NAME, or columns={'query': NAME} in Python."
    )


def test_a_file_like_trec_whose_columns_are_numbered_is_a_table(tmp_path):
    path = tmp_path / "u.data"
    path.write_text("196\t242\t3\t881250949\n186\t302\t4\t891717742\n")
    columns = {"query": "1", "item": "2", "label": "3"}
    assert read_qrels(path, columns=columns).labels("196") == {"242": 3.0}


def test_a_distance_is_no_score():
    run = pl.DataFrame({"qid": ["q"], "docno": ["d"], "distance": [0.1]})
    with pytest.raises(SourceError) as error:
        evaluate({"q": {"d": 1}}, run)
    assert str(error.value) == (
        "run 'run': has no score, but the column 'distance', and a lower distance is better. "
        "Negate it and call it score, or pass --order file if the rows are in order."
    )


def test_what_makes_numbers_wrong_is_called_a_warning():
    scores = evaluate({"q": {"d1": 1}}, {"q": {"doc-d1": np.float64(1)}}, "nDCG")
    assert [
        notice.line.split(":")[0] for notice in scores.notices if notice.severity == "error"
    ] == ["warning", "warning"]


def test_qrels_given_as_the_run_are_known_by_their_labels():
    labeled = pl.DataFrame({"query": ["q1"], "item": ["d1"], "label": [1]})
    scored = pl.DataFrame({"query": ["q1"], "item": ["d1"], "score": [0.5]})
    with pytest.raises(SourceError) as error:
        evaluate(scored, labeled, "nDCG@10")
    assert str(error.value) == (
        "run 'run': has no score, but the column 'label'. This looks like qrels, which come first. "
        "If it does hold scores, name it with --columns score=NAME."
    )
    assert error.value.code == "looks-swapped"


def test_no_change_is_proposed_that_leaves_nothing_of_the_ids():
    with pytest.raises(AlignError) as error:
        evaluate({"q1": {"d1": 1}}, {"a": {"d1": 1}}, "nDCG@10")
    assert str(error.value) == (
        "run 'run' and the qrels share no query; the first ids are 'a' (run) and 'q1' (qrels)."
    )
