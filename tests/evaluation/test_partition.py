"""Values of queries under the rules about empty queries, unjudged items and labels."""

import math

import numpy as np
import pytest

from gainful import AlignError, evaluate
from gainful.dialects import DialectRules

QRELS = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 0}}
RUN = {"q1": {"a": 2, "b": 1}, "q2": {"b": 1, "a": 2}}
LIST_IDEAL = "nDCG(ideal=list, ideal_order=gain, negatives=keep)"


def compute_values(measure, qrels=QRELS, run=RUN, **rules):
    return [
        row[0] for row in evaluate(qrels, run, measure, rules=DialectRules(**rules)).values.tolist()
    ]


def find_notice_texts(code, qrels, run, measure="nDCG", **rules):
    scores = evaluate(qrels, run, measure, rules=DialectRules(**rules))
    return [str(notice) for notice in scores.notices if notice.code == code]


def test_empty_query_counts_one_if_nothing_was_returned_for_it_either():
    assert compute_values("nDCG", empty="one-if-missing") == [1.0, 0.0, 1.0]


def test_query_whose_best_ranking_gains_less_than_nothing_is_empty_by_the_test_of_gain():
    qrels, run = {"q": {"a": -1, "b": -2}}, {"q": {"a": 1, "b": 2}}
    assert compute_values(LIST_IDEAL, qrels, run, empty="one", empty_test="no-gain") == [1.0]
    assert compute_values(LIST_IDEAL, qrels, run, empty="zero", empty_test="no-gain") == [0.0]


def test_labels_that_add_up_to_nothing_make_a_query_empty_by_the_test_of_sums():
    # As torchmetrics 1.9.0 does with labels -1, 0 and 1.
    qrels, run = {"q": {"a": -1, "b": 0, "c": 1}}, {"q": {"c": 3, "b": 2, "a": 1}}
    assert compute_values(LIST_IDEAL, qrels, run, empty="one", empty_test="zero-sum") == [1.0]
    assert compute_values(LIST_IDEAL, qrels, run, empty="zero", empty_test="zero-sum") == [0.0]


def test_sum_is_that_of_the_returned_items_where_the_ideal_is():
    qrels, run = {"q": {"a": 1, "b": -1, "c": 1}}, {"q": {"a": 2, "b": 1}}
    rules = {"empty": "one", "empty_test": "zero-sum"}
    assert compute_values(LIST_IDEAL, qrels, run, **rules) == [1.0]
    assert compute_values("nDCG(negatives=keep)", qrels, run, **rules) != [1.0]


def test_query_that_is_skipped_by_another_test_is_left_out_of_the_mean():
    scores = evaluate(QRELS, RUN, "nDCG", rules=DialectRules(empty="skip", empty_test="zero-sum"))
    assert scores.queries == ("q1", "q2", "q3")
    assert scores["nDCG"] == 1.0


def test_query_that_is_empty_by_another_test_is_an_error_where_the_rules_want_one():
    with pytest.raises(AlignError) as error:
        evaluate(QRELS, RUN, "nDCG", rules=DialectRules(empty="error", empty_test="no-gain"))
    assert str(error.value) == "nDCG has nothing to divide by for query 'q2', got empty=error."


def test_unjudged_item_above_the_cutoff_leaves_a_query_without_a_value():
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a", "x"], "q2": ["x", "a"]}
    rules = {"unjudged": "undefined", "ties": "input"}
    assert compute_values("nDCG@1", qrels, run, **rules) == [
        1.0,
        pytest.approx(math.nan, nan_ok=True),
    ]
    assert np.isnan(compute_values("DCG", qrels, run, **rules)).all()
    assert find_notice_texts("unjudged-above", qrels, run, "DCG@1", **rules) == [
        "DCG@1 is undefined for 1 query with an unjudged item above the cutoff ('q2'); "
        "it leaves them out of its mean."
    ]
    assert find_notice_texts("unjudged-items", qrels, run, "DCG@1", **rules) == []


def test_unjudged_item_gains_what_its_label_does():
    qrels, run = {"q": {"a": 1}}, {"q": ["x", "a"]}
    assert compute_values("CG", qrels, run, unjudged_label=2) == [3.0]
    assert compute_values("IDCG", qrels, run, unjudged_label=2) == [1.0]
    assert find_notice_texts("unjudged-labeled", qrels, run, unjudged_label=2) == [
        "run 'run': 50.0% of the items in the first 10 ranks have no judgment; "
        "they count as if their label were 2."
    ]
    scores = evaluate(qrels, run, "CG", rules=DialectRules(unjudged_label=2))
    assert scores.judged_share("CG") == 0.5


def test_item_with_the_id_of_its_query_is_taken_out_and_counted():
    qrels, run = {"q": {"a": 1, "q": 1}}, {"q": {"q": 2, "a": 1}}
    assert (
        compute_values("P@1", qrels, run)
        == compute_values("P@1", qrels, run, own_items="drop")
        == [1.0]
    )
    assert compute_values("CG", qrels, run, own_items="drop") == [1.0]
    assert find_notice_texts("own-items", qrels, run, own_items="drop") == [
        "run 'run': 1 item was taken out of the rankings for having the id of its query."
    ]


def test_padding_is_counted():
    qrels, run = {"q": {"a": 1, "b": -1}}, {"q": {"b": 2, "a": 1}}
    assert compute_values("RR", qrels, run, padding="negative") == [1.0]
    assert find_notice_texts("padding-items", qrels, run, padding="negative") == [
        "the qrels: 1 judged item is padding=negative, taken out of rankings and judgments."
    ]


def test_tied_items_share_the_middle_of_their_ranks():
    # Evidently 0.7.23 takes the floor of the mean rank: all that are tied in three stand on 2.
    qrels, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 1, "b": 1, "c": 1}}
    assert compute_values("P@1", qrels, run, ties="middle") == [0.0]
    assert compute_values("CG@2", qrels, run, ties="middle") == [3.0]


@pytest.mark.parametrize(("rule", "gain"), [("once", 1.0), ("count", 2.0)])
def test_item_that_is_retrieved_twice_gains_as_often_as_the_rule_says(rule, gain):
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": ["a", "a"]}
    assert compute_values("CG", qrels, run, duplicates=rule) == [gain]
    (notice,) = find_notice_texts("duplicate-items", qrels, run, duplicates=rule)
    fate = {
        "once": "keeps their ranks and lets the first mention gain",
        "count": "lets every mention gain",
    }[rule]
    assert notice == f"run 'run' repeats 1 item within a query; duplicates={rule} {fate}."


def test_test_of_labels_tells_empty_queries_for_every_measure():
    measure = "nDCG(ideal=ones)@2"
    assert compute_values(measure, empty="nan")[1] == 0.0
    assert math.isnan(compute_values(measure, empty="nan", empty_test="no-label")[1])


SUBTOPICS = "q 1 a 1\nq 2 b 1\n"


@pytest.mark.parametrize(
    ("rules", "rule_text"),
    [
        ({"padding": "negative"}, "padding=negative"),
        ({"unjudged_label": 1}, "unjudged_label=1"),
        ({"ties": "middle"}, "ties=middle"),
        ({"label_type": "whole"}, "label_type=whole"),
        ({"empty_test": "zero-sum"}, "empty_test=zero-sum"),
        ({"duplicates": "count"}, "duplicates=count"),
        ({"unjudged": "undefined"}, "unjudged=undefined"),
    ],
)
def test_other_kinds_of_rankings_refuse_what_they_would_ignore(rules, rule_text, tmp_path):
    qrels = tmp_path / "qrels"
    qrels.write_text(SUBTOPICS, encoding="utf-8")
    with pytest.raises(AlignError) as error:
        evaluate(qrels, {"q": ["a", "b"]}, "alpha_nDCG@2", rules=DialectRules(**rules))
    assert str(error.value) == (
        f"{rule_text} has no meaning where an item has a label for every subtopic. "
        "Pass rules without it."
    )


def test_measures_of_items_refuse_what_they_would_ignore():
    with pytest.raises(AlignError) as error:
        evaluate(QRELS, RUN, "Gini@2", rules=DialectRules(padding="negative"))
    assert str(error.value) == (
        "padding=negative has no meaning for measures of what is recommended, rank by rank. "
        "Pass rules without it."
    )
