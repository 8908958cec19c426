"""Drops that the labels of unjudged items could undo cannot be told."""

import pytest

from gainful import gate
from gate.runs_with_values import find_check

QUERIES = [f"q{i}" for i in range(10)]


def judge_all(labels):
    return {query: dict(labels) for query in QUERIES}


def rank_all(*items):
    return {query: list(items) for query in QUERIES}


def test_a_drop_that_labels_could_undo_is_not_told():
    qrels = judge_all({"a": 1, "b": 0})
    result = gate(qrels, rank_all("a", "b"), rank_all("new", "a"), "nDCG@2")
    assert (result.verdict, result.passed) == ("cannot tell", False)
    assert result.sentence == (
        "CANNOT TELL: run 'candidate' against 'baseline': 50.0% new unjudged items; 1 check on 10 "
        "queries, 1 cannot be told."
    )
    point = find_check(result, "point")
    assert (point.outcome, point.passed) == ("cannot tell", False)
    assert point.sentence == (
        "nDCG@2 drops by 0.3691, from 1.0000 to 0.6309; no more than 0.01 is allowed. This may be "
        "a lack of judgments: 50.0% new unjudged items (100.0% of the first 2 items were judged, "
        "now 50.0%); with their labels the difference may be anything from -0.3691 to +0.3869. "
        "See what to judge: gainful unjudged QRELS BASELINE CANDIDATE"
    )
    assert "worse" not in repr(result)


def test_a_drop_that_no_label_can_undo_fails():
    # One of 100 items is new, and stands at the end: however relevant, it brings back little.
    labels = {"a": 3, "b": 3, "c": 0, "d": 0}
    result = gate(
        judge_all(labels), rank_all("a", "b", "c", "d"), rank_all("c", "d", "a", "new"), "nDCG@4"
    )
    (numbers,) = result.evidence
    assert numbers.judged < numbers.judged_before
    assert numbers.possible.high < -0.01
    assert result.verdict == "fail"


def test_equal_coverage_is_no_excuse():
    qrels = judge_all({"a": 1, "b": 0})
    result = gate(qrels, rank_all("x", "a"), rank_all("y", "b"), "nDCG@2")
    assert result.evidence[0].judged == result.evidence[0].judged_before
    assert result.verdict == "fail"


def test_measures_without_bounds_go_by_the_share_that_is_judged():
    qrels = judge_all({"a": 1, "b": 0})
    result = gate(qrels, rank_all("a", "b"), rank_all("new", "b"), "P@2")
    assert result.verdict == "cannot tell"
    assert result.evidence[0].possible is None
    assert "50.0% new unjudged items" in find_check(result, "point").sentence
    run = {query: ["b", "x"] if query == "q0" else ["b", "c"] for query in QUERIES}
    qrels = judge_all({"a": 1, "b": 0, "c": 0})
    result = gate(qrels, rank_all("a", "b"), run, "P@2")
    assert result.evidence[0].judged == pytest.approx(0.95)
    assert result.verdict == "fail"


def test_a_minimum_that_labels_could_reach_is_not_told():
    qrels = judge_all({"a": 1, "b": 0})
    result = gate(qrels, rank_all("a", "b"), rank_all("new", "a"), "nDCG@2", min=0.9, max_drop=1)
    assert [(c.name, c.outcome) for c in result.deciding] == [
        ("point", "pass"),
        ("min", "cannot tell"),
    ]


def test_a_share_that_is_judged_may_be_asked_for():
    qrels = judge_all({"a": 1, "b": 0})
    result = gate(qrels, rank_all("b", "a"), rank_all("a", "new"), "nDCG@2", min_judged=0.8)
    assert find_check(result, "point").passed
    assert result.verdict == "cannot tell"
    assert find_check(result, "min-judged").sentence == (
        "50.0% of the first 2 items are judged, below 80.0%. See what to judge: gainful unjudged "
        "QRELS BASELINE CANDIDATE"
    )
    result = gate(qrels, rank_all("b", "a"), rank_all("a", "new"), "nDCG@2", min_judged=0.5)
    assert find_check(result, "min-judged").sentence == (
        "50.0% of the first 2 items are judged, at least 50.0%."
    )
    assert result.passed


def test_too_few_judged_items_excuse_a_candidate_alone():
    qrels = judge_all({"a": 1, "b": 0})
    thresholds = {"min": 0.9, "min_judged": 0.8}
    result = gate(qrels, None, rank_all("new", "a"), "nDCG@2", **thresholds)
    assert result.verdict == "cannot tell"
    assert find_check(result, "min").sentence == (
        "nDCG@2 is 0.6309, below 0.9. This may be a lack of judgments: only 50.0% of the first 2 "
        "items are judged. See what to judge: gainful unjudged QRELS BASELINE CANDIDATE"
    )
    assert gate(qrels, None, rank_all("new", "a"), "nDCG@2", min=0.9).verdict == "fail"


def test_a_drop_that_too_few_queries_leave_open_is_no_lack_of_labels():
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
    old = {"q1": ["a", "b"], "q2": ["b", "a"]}
    new = {"q1": ["b", "a"], "q2": ["a", "x"]}
    result = gate(qrels, old, new, "nDCG@2", mode="noninferior")
    assert find_check(result, "point").passed
    assert find_check(result, "noninferior").outcome == "fail"


def test_a_query_that_labels_could_bring_back_is_not_told():
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
    old = {"q1": ["a", "b"], "q2": ["a", "b"]}
    new = {"q1": ["x", "a"], "q2": ["b", "a"]}
    thresholds = {"max_drop": 1, "query_max_drop": 0.1}
    result = gate(qrels, old, new, "nDCG@2", pinned=["q1"], **thresholds)
    assert result.verdict == "cannot tell"
    assert find_check(result, "pinned").sentence == (
        "query 'q1' drops by 0.3691, from 1.0000 to 0.6309; no more than 0.1 is allowed. This may "
        "be a lack of judgments. See what to judge: gainful unjudged QRELS BASELINE CANDIDATE"
    )
    assert gate(qrels, old, new, "nDCG@2", pinned=["q2"], **thresholds).verdict == "fail"
    assert gate(qrels, old, new, "nDCG@2", **thresholds).verdict == "fail"
    assert gate(qrels, old, new | {"q2": ["a"]}, "nDCG@2", **thresholds).verdict == "cannot tell"


def test_failure_outweighs_what_is_not_told():
    qrels = judge_all({"a": 1, "b": 0})
    result = gate(
        qrels,
        rank_all("a", "b"),
        rank_all("b", "new"),
        ["nDCG@1", "nDCG@2"],
        min_judged=0.8,
        max_drop=0.7,
    )
    assert {str(c.measure): c.outcome for c in result.deciding if c.name == "point"} == {
        "nDCG@1": "fail",
        "nDCG@2": "cannot tell",
    }
    assert result.verdict == "fail"
