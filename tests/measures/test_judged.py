"""Judged and Unjudged, worked out by hand."""

import pytest

from gainful import Rules, evaluate, parse

# m has a negative label; x and y have none.
QRELS = {"q": {"a": 1, "n": 0, "m": -1}}
RUN = {"q": ["a", "x", "n", "m", "y"]}


def value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_judged_divides_by_what_was_returned():
    assert value("Judged@2") == 1 / 2
    assert value("Judged@5") == value("Judged@10") == value("Judged") == 3 / 5


def test_judged_may_divide_by_the_cutoff():
    assert value("Judged(divide=cutoff)@10") == 3 / 10
    assert value("Judged(divide=cutoff)") == 3 / 5


def test_unjudged_divides_by_the_cutoff_and_counts_negative_labels():
    assert value("Unjudged@3") == 1 / 3
    assert value("Unjudged@5") == 3 / 5
    assert value("Unjudged@10") == 3 / 10
    assert value("Unjudged") == 3 / 5
    assert parse("unj_10") == parse("Unjudged@10")


def test_with_the_same_settings_they_add_up_to_one():
    for settings in ("divide=returned, negatives=judged", "divide=returned, negatives=unjudged"):
        for k in (1, 2, 3, 4, 5, 9):
            judged, unjudged = value(f"Judged({settings})@{k}"), value(f"Unjudged({settings})@{k}")
            assert judged + unjudged == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize("measure", ["Judged@5", "Judged", "Unjudged@5", "Unjudged"])
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_a_tie_that_the_cutoff_cuts_is_judged_in_parts():
    run = {"q": {"a": 1.0, "x": 1.0, "y": 1.0}}
    assert value("Judged@2", run=run, ties="average") == pytest.approx(2 / 3 / 2, rel=1e-15)
    assert value("Unjudged@2", run=run, ties="average") == pytest.approx(4 / 3 / 2, rel=1e-15)
