"""R and F, worked out by hand."""

import pytest

from gainful import Rules, evaluate, parse_measure

# Relevant: a, b, c, d. The run returns a, x (unjudged), b.
QRELS = {"q": {"a": 1, "b": 2, "c": 3, "d": 1, "n": 0, "m": -1}}
RUN = {"q": ["a", "x", "b"]}


def value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_recall_divides_by_all_relevant_items():
    assert value("R@1") == 1 / 4
    assert value("R@2") == 1 / 4
    assert value("R@3") == value("R") == value("R@100") == 2 / 4
    assert value("R(rel=2)@3") == 1 / 2
    assert parse_measure("Recall@3") == parse_measure("recall_3") == parse_measure("R@3")


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    precision, recall = 2 / 3, 2 / 4
    assert value("F@3") == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-15)
    assert value("F@3") == 2 * 2 / (4 + 3)


def test_beta_counts_squared():
    precision, recall = 1 / 2, 1 / 4
    expected = 5 * precision * recall / (4 * precision + recall)
    assert value("F(beta=2)@2") == pytest.approx(expected, rel=1e-15)
    assert value("F(beta=0)@2") == precision


def test_f_of_a_short_ranking_divides_by_the_cutoff():
    assert value("F@10") == 2 * 2 / (4 + 10)


def test_f_is_zero_where_nothing_was_found():
    assert value("F@3", run={"q": ["x", "n", "m"]}) == 0


@pytest.mark.parametrize("measure", ["R@3", "R", "F@3"])
def test_with_nothing_relevant_the_rules_say_what_it_is(measure):
    assert value(measure, qrels={"q": {"a": 0}}, empty="one") == 1
    assert value(measure, qrels={"q": {"a": 0}}) == 0


@pytest.mark.parametrize("measure", ["R@3", "R", "F@3"])
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_a_tie_that_the_cutoff_cuts_adds_a_share():
    run = {"q": {"a": 2.0, "x": 2.0, "b": 1.0}}
    assert value("R@1", run=run, ties="average") == 0.5 / 4
    assert value("F@1", run=run, ties="average") == 2 * 0.5 / (4 + 1)
