"""Judged, Unjudged and JudgedShare, worked out by hand."""

import pytest

from gainful import Rules, evaluate, parse_measure
from oracles.random_sets import KINDS, draw_set

# m has a negative label; x and y have none.
QRELS = {"q": {"a": 1, "n": 0, "m": -1}}
RUN = {"q": ["a", "x", "n", "m", "y"]}


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_judged_divides_by_what_was_returned():
    assert compute_value("Judged@2") == 1 / 2
    assert (
        compute_value("Judged@5") == compute_value("Judged@10") == compute_value("Judged") == 3 / 5
    )


def test_judged_may_divide_by_the_cutoff():
    assert compute_value("Judged(divide=cutoff)@10") == 3 / 10
    assert compute_value("Judged(divide=cutoff)") == 3 / 5


def test_unjudged_divides_by_the_cutoff_and_counts_negative_labels():
    assert compute_value("Unjudged@3") == 1 / 3
    assert compute_value("Unjudged@5") == 3 / 5
    assert compute_value("Unjudged@10") == 3 / 10
    assert compute_value("Unjudged") == 3 / 5
    assert parse_measure("unj_10") == parse_measure("Unjudged@10")


def test_with_the_same_settings_they_add_up_to_one():
    for settings in ("divide=returned, negatives=judged", "divide=returned, negatives=unjudged"):
        for k in (1, 2, 3, 4, 5, 9):
            judged, unjudged = (
                compute_value(f"Judged({settings})@{k}"),
                compute_value(f"Unjudged({settings})@{k}"),
            )
            assert judged + unjudged == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize("measure", ["Judged@5", "Judged", "Unjudged@5", "Unjudged"])
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_a_tie_that_the_cutoff_cuts_is_judged_in_parts():
    run = {"q": {"a": 1.0, "x": 1.0, "y": 1.0}}
    assert compute_value("Judged@2", run=run, ties="average") == pytest.approx(2 / 3 / 2, rel=1e-15)
    assert compute_value("Unjudged@2", run=run, ties="average") == pytest.approx(
        4 / 3 / 2, rel=1e-15
    )


# p has one result, which is judged; r has no judgments, and is left out.
MORE_QRELS = QRELS | {"p": {"a": 1}, "none": {"a": 1}}
RUNS = RUN | {"p": ["a"], "r": ["a", "b"]}


def compute_share(measure, run=RUNS, **rules):
    return evaluate(MORE_QRELS, run, measure, rules=Rules(**rules))[measure]


def test_the_judged_share_of_a_run_is_one_sum_over_another():
    # Of q 3 in 5 are judged, of p 1 in 1; nothing was returned for the last one.
    assert compute_share("JudgedShare") == compute_share("JudgedShare@9") == (3 + 1) / (5 + 1)
    assert compute_share("JudgedShare@2") == (1 + 1) / (2 + 1)
    assert compute_share("JudgedShare(negatives=unjudged)") == (2 + 1) / (5 + 1)
    assert compute_share("Judged") == pytest.approx((3 / 5 + 1 + 0) / 3, rel=1e-15)


def test_no_query_has_a_judged_share_of_its_own():
    assert all(value != value for value in evaluate(MORE_QRELS, RUNS, "JudgedShare").values.ravel())
    assert compute_share("JudgedShare", run={"p": []}) == 0


def test_the_judged_share_averages_ties():
    run = {"q": {"a": 1.0, "x": 1.0, "y": 1.0}, "p": {"a": 1.0}}
    assert compute_share("JudgedShare@2", run=run, ties="average") == pytest.approx((2 / 3 + 1) / 3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_judged_share_is_what_counting_gives(kind):
    for seed in range(20):
        qrels, run = draw_set(kind, seed)
        n_judged = n_returned = 0
        for query in set(qrels) & set(run):
            scores = run[query]
            items = sorted(scores, key=lambda d, s=scores: (s[d], d.encode()), reverse=True)
            n_judged += len(set(items[:10]) & set(qrels[query]))
            n_returned += len(items[:10])
        result = evaluate(qrels, run, "JudgedShare@10")["JudgedShare@10"]
        assert result == n_judged / n_returned
