"""Joins of run and qrels: the queries that remain, and the rules that apply."""

import numpy as np
import pytest

from gainful import AlignError, Rules, evaluate

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}, "q3": {"a": 0}}
RUN = {"q1": {"a": 3.0, "b": 2.0}, "q3": {"a": 1.0}}


def collect_notices(scores):
    return {notice.code: str(notice) for notice in scores.notices}


def test_queries_stand_in_the_order_of_the_qrels_and_missing_ones_score_zero():
    scores = evaluate(QRELS, RUN, "nDCG")
    assert scores.per_query() == {"q1": {"nDCG": 1.0}, "q2": {"nDCG": 0.0}, "q3": {"nDCG": 0.0}}
    assert scores["nDCG"] == 1 / 3
    assert collect_notices(scores) == {
        "missing-queries": "run 'run' has no items for 1 of 3 judged queries ('q2'); they score 0.",
        "empty-queries": "nothing is relevant for 1 of 3 judged queries ('q3'); "
        "normalized measures score them 0.",
    }


def test_missing_queries_can_be_skipped_or_refused():
    scores = evaluate(QRELS, RUN, "nDCG", rules=Rules(missing="skip"))
    assert scores.queries == ("q1", "q3")
    assert collect_notices(scores)["missing-queries"].endswith("they are left out.")
    with pytest.raises(AlignError) as error:
        evaluate(QRELS, RUN, "nDCG", rules=Rules(missing="error"))
    assert str(error.value) == "run 'run' has no items for query 'q2', got missing=error."


def test_a_query_that_the_run_names_without_items_is_not_missing():
    # As in pytrec_eval: the system answered, with nothing.
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}, "q2": {}}
    for rule in ("zero", "skip", "error"):
        scores = evaluate(qrels, run, "nDCG", rules=Rules(missing=rule))
        assert scores.per_query()["q2"] == {"nDCG": 0.0}


def test_values_too_large_to_add_have_a_mean():
    qrels = {q: {"a": 1e308} for q in "xyz"}
    assert evaluate(qrels, {q: ["a"] for q in "xyz"}, "DCG")["DCG"] == pytest.approx(1e308)


def test_empty_queries_follow_their_rule():
    def evaluate_with(rule):
        scores = evaluate(QRELS, RUN, ["nDCG", "DCG"], rules=Rules(empty=rule))
        return scores, scores.per_query().get("q3")

    assert evaluate_with("zero")[1] == {"nDCG": 0.0, "DCG": 0.0}
    assert evaluate_with("one")[1] == {"nDCG": 1.0, "DCG": 0.0}
    scores, values = evaluate_with("nan")
    assert np.isnan(values["nDCG"])
    assert values["DCG"] == 0.0
    assert scores["nDCG"] == 0.5
    assert collect_notices(scores)["empty-queries"].endswith("leave them out of the mean.")
    scores, values = evaluate_with("skip")
    assert values is None
    assert scores.queries == ("q1", "q2")
    with pytest.raises(AlignError) as error:
        evaluate_with("error")
    assert str(error.value) == "nothing is relevant for query 'q3', got empty=error."


def test_a_measure_that_finds_nothing_to_divide_by_follows_the_rule_for_empty_queries():
    qrels, run = {"q1": {"a": 3}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["a"]}
    measure = "nDCG(gain=binary, rel=2)"
    values = evaluate(qrels, run, measure, rules=Rules(empty="one")).column(measure)
    assert values.tolist() == [1.0, 1.0]
    scores = evaluate(qrels, run, measure)
    assert scores.column(measure).tolist() == [1.0, 0.0]
    assert collect_notices(scores)["undefined-values"] == (
        f"{measure} has nothing to divide by for 1 query ('q2'); it scores 0 there."
    )
    message = collect_notices(evaluate(qrels, run, measure, rules=Rules(empty="nan")))[
        "undefined-values"
    ]
    assert message.endswith("; it leaves them out of its mean.")
    with pytest.raises(AlignError) as error:
        evaluate(qrels, run, measure, rules=Rules(empty="error"))
    assert str(error.value) == (
        f"{measure} has nothing to divide by for query 'q2', got empty=error."
    )


def test_ties_are_broken_as_the_rule_says(tmp_path):
    path = tmp_path / "r.txt"
    path.write_text("q Q0 b 3 1.0 t\nq Q0 a 1 1.0 t\nq Q0 c 2 1.0 t\n")
    qrels = {"q": {"a": 1}}  # a at rank 1, 2 or 3 gives DCG 1, 0.63 or 0.5

    def find_rank(**rules):
        dcg = evaluate(qrels, path, "DCG", rules=Rules(**rules))["DCG"]
        return {1.0: 1, 0.5: 3}.get(dcg, 2)

    assert find_rank(ties="item-desc") == 3
    assert find_rank(ties="item-asc") == 1
    assert find_rank(ties="input") == 2
    assert find_rank(ties="rank-column") == 1
    assert find_rank(ties="best") == 1
    assert find_rank(ties="worst") == 3
    assert find_rank(order="rank") == 1
    assert find_rank(order="file") == 2


def test_single_precision_ties_scores_that_differ_less():
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1 + 1e-9, "b": 1.0}}
    assert evaluate(qrels, run, "nDCG@1")["nDCG@1"] == 1.0
    rules = Rules(precision="float32")
    assert evaluate(qrels, run, "nDCG@1", rules=rules)["nDCG@1"] == 0.0


def test_depth_cuts_the_ranking_and_not_the_ideal():
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}
    assert evaluate(qrels, run, "CG", rules=Rules(depth=1))["CG"] == 1
    assert evaluate(qrels, run, "nCG", rules=Rules(depth=1))["nCG"] == 0.5


def test_an_averaged_tie_counts_with_the_part_above_the_depth():
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}
    rules = Rules(depth=3, ties="average")
    assert evaluate(qrels, run, "CG", rules=rules)["CG"] == 0.75


def test_condensed_lists_leave_out_unjudged_items():
    qrels, run = {"q": {"a": 1}}, {"q": ["u", "a"]}
    assert evaluate(qrels, run, "nDCG", rules=Rules(unjudged="condense"))["nDCG"] == 1.0


@pytest.mark.parametrize(("rule", "rank"), [("first", 1), ("last", 3), ("max", 1)])
def test_duplicates_in_the_run_follow_their_rule(tmp_path, rule, rank):
    path = tmp_path / "r.txt"
    path.write_text("q Q0 a 1 9 t\nq Q0 b 2 8 t\nq Q0 c 3 7 t\nq Q0 a 4 1 t\n")
    scores = evaluate({"q": {"a": 1}}, path, "DCG", rules=Rules(duplicates=rule))
    assert scores["DCG"] == {1: 1.0, 3: 0.5}[rank]
    assert collect_notices(scores)["duplicate-items"] == (
        f"run 'r' repeats 1 item within a query; duplicates={rule} keeps one mention of each."
    )


@pytest.mark.parametrize(("rule", "label"), [("first", 1), ("last", 2), ("max", 3)])
def test_duplicates_in_the_qrels_follow_their_rule(tmp_path, rule, label):
    path = tmp_path / "q.txt"
    path.write_text("q 0 a 1\nq 0 a 3\nq 0 a 2\n")
    scores = evaluate(path, {"q": ["a"]}, "CG", rules=Rules(duplicates=rule))
    assert scores["CG"] == label
    assert collect_notices(scores)["duplicate-judgments"] == (
        f"the qrels repeat 2 judgments; duplicates={rule} keeps one label of each item."
    )


def test_a_dict_has_no_rank_column_to_order_by():
    with pytest.raises(AlignError) as error:
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, rules=Rules(order="rank"))
    assert str(error.value) == (
        "run 'run' has no rank column, got order=rank. Pass a run file that has one."
    )
