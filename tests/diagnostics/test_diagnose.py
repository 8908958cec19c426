"""Notices and errors about the join of a run and judgments."""

import pytest

import gainful
from gainful import AlignError, Rules, evaluate
from gainful.errors import GainfulError


def collect_notices(scores):
    return {notice.code: str(notice) for notice in scores.notices}


def test_nothing_left_to_evaluate_is_an_error():
    with pytest.raises(AlignError) as error:
        evaluate({"q": {"a": 0}}, {"q": ["a"]}, rules=Rules(empty="skip"))
    assert str(error.value) == "no query is left to evaluate, got missing=zero empty=skip."


def test_run_and_qrels_without_a_common_query_are_an_error():
    with pytest.raises(AlignError) as error:
        evaluate({"q401": {"a": 1}}, {"401": {"a": 1.0}})
    assert str(error.value) == (
        "run 'run' and the qrels share no query; the first ids are '401' (run) and 'q401' (qrels). "
        "Did you mean to strip 'q' from the queries of the qrels? 100.0% of the judged queries "
        "would match."
    )


def test_run_and_qrels_without_a_common_item_are_said():
    scores = evaluate({"q": {"d1": 1}}, {"q": {"doc_d1": 1.0}}, "nDCG")
    assert collect_notices(scores)["no-judged-items"] == (
        "run 'run' returned none of the judged items; the first ids are 'doc_d1' (run) and 'd1' "
        "(qrels)."
    )


def test_queries_without_judgments_are_left_out_and_said():
    run = {"q1": ["a"], **{f"x{i}": ["a"] for i in range(4)}}
    scores = evaluate({"q1": {"a": 1}}, run, "nDCG")
    assert scores.queries == ("q1",)
    assert collect_notices(scores)["unjudged-queries"] == (
        "run 'run' has 4 queries without judgments ('x0', 'x1', 'x2', ...); left out."
    )


def test_unjudged_tied_and_negative_items_are_said():
    qrels = {"q": {"a": 2, "b": -1}}
    run = {"q": {"a": 1.0, "b": 1.0, "u1": 3.0, "u2": 1.0}}
    assert collect_notices(evaluate(qrels, run, "nDCG")) == {
        "unjudged-items": "run 'run': 50.0% of the items in the first 10 ranks have no judgment; "
        "they count as not relevant.",
        "tied-items": "run 'run': 2 of the 2 judged items it returned share their score with "
        "another item; ties=item-desc decides their order.",
        "negative-labels": "the qrels have 1 label below 0 (lowest -1); they gain nothing unless "
        "a measure sets negatives or a signed gain.",
    }
    notices = collect_notices(evaluate(qrels, run, "nDCG", rules=Rules(ties="average")))
    assert notices["tied-items"].endswith("ties=average averages over their orders.")
    assert notices["unjudged-items"].startswith("run 'run': 50.0%")


def test_skipped_comments_and_long_lines_are_counted(tmp_path):
    qrels, run = tmp_path / "q.txt", tmp_path / "r.txt"
    qrels.write_text("# judged by hand\nq 0 a 1\n")
    run.write_text("#1\n#2\nq Q0 a 1 0.5 tag\nq Q0 b 2 0.4 a tag of words\n")
    assert collect_notices(evaluate(qrels, run, "nDCG"))["long-lines"] == (
        "run 'r': 1 line has more than 6 fields, the first is line 4; fields 3 and 5 are taken as "
        "item and score."
    )
    comments = [str(n) for n in evaluate(qrels, run).notices if n.code == "comment-lines"]
    assert comments == [
        f"{qrels}: 1 line that begins with # skipped as comments.",
        f"{run}: 2 lines that begin with # skipped as comments.",
    ]


def test_a_query_that_the_rules_refuse_is_named_by_the_error():
    with pytest.raises(GainfulError) as error:
        gainful.evaluate(
            {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, rules=Rules(missing="error")
        )
    assert error.value.query == "q2"
