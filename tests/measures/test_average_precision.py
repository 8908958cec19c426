"""AP, GMAP, YAAP, infAP and trAP, worked out by hand."""

from math import log, sqrt

import pytest

from gainful import Rules, evaluate, parse_measure
from gainful.dialects import DialectRules

# Relevant: a, b, c, d, on ranks 1, 3 and 6; d is not returned.
QRELS = {"q": {"a": 1, "b": 2, "c": 3, "d": 1, "n": 0, "m": -1}}
RUN = {"q": ["a", "x", "b", "n", "m", "c"]}


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=DialectRules(**rules)).values[0, 0]


def test_average_precision_is_the_mean_over_the_relevant_items():
    assert compute_value("AP") == (1 / 1 + 2 / 3 + 3 / 6) / 4
    assert compute_value("AP(rel=2)") == (1 / 3 + 2 / 6) / 2
    assert parse_measure("MAP") == parse_measure("map") == parse_measure("AP")


def test_below_the_cutoff_nothing_counts():
    assert compute_value("AP@5") == (1 / 1 + 2 / 3) / 4
    assert compute_value("AP@100") == compute_value("AP")
    assert parse_measure("map_cut_5") == parse_measure("MAP@5") == parse_measure("AP@5")


def test_the_divisor_may_be_the_cutoff():
    assert compute_value("AP(divide=cutoff)@3") == (1 / 1 + 2 / 3) / 3
    assert compute_value("AP(divide=cutoff)@5") == (1 / 1 + 2 / 3) / 4
    assert compute_value("AP(divide=cutoff)") == compute_value("AP")


def test_ties_are_averaged():
    # a and x tied on ranks 1 and 2, b on rank 3: 1/1 or 1/2, then 2/3.
    run = {"q": {"a": 2.0, "x": 2.0, "b": 1.0}}
    expected = ((1 / 1 + 1 / 2) / 2 + 2 / 3) / 4
    assert compute_value("AP", run=run, ties="average") == pytest.approx(expected, rel=1e-15)
    # With a cutoff of 1: half of the time 1/1, else nothing.
    assert compute_value("AP@1", run=run, ties="average") == 0.5 / 4


def test_a_tie_of_relevant_items_alone_is_not_rounded():
    run = {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}
    assert compute_value("AP", run=run, ties="average") == 1.0


def test_the_geometric_mean_over_queries():
    qrels = {"q": {"a": 1}, "p": {"a": 1}}
    scores = evaluate(qrels, {"q": ["a"], "p": ["x", "x2", "x3", "a"]}, "GMAP")
    assert scores.column("GMAP").tolist() == [1.0, 0.25]
    assert scores.mean()["GMAP"] == pytest.approx(sqrt(1 * 0.25), rel=1e-15)
    scores = evaluate(qrels, {"q": ["a"], "p": ["x"]}, "gm_map")
    assert scores.mean()["GMAP"] == pytest.approx(sqrt(1 * 0.00001), rel=1e-15)


def test_yaap_is_the_log_of_odds():
    total = 1 / 1 + 2 / 3 + 3 / 6
    assert compute_value("YAAP") == log((1 + total) / (1 + 4 - total))
    assert compute_value("YAAP", run={"q": ["x"]}) == log(1 / 5)
    assert compute_value("YAAP", run={"q": ["a", "b", "c", "d"]}) == log(5)
    assert compute_value("YAAP", qrels={"q": {"a": 0}}, empty="one") == 0


@pytest.mark.parametrize("depth", [1, 2, 3, None])
def test_yaap_has_a_value_where_more_is_relevant_than_was_judged_so(depth):
    rules = {"unjudged_label": 1, "depth": depth}
    assert compute_value("YAAP", {"q": {"a": 1}}, {"q": ["x", "y", "a", "z"]}, **rules) == log(2)


def test_inferred_average_precision_counts_what_is_in_the_pool():
    e = 0.00001
    # a on rank 1. b on rank 3: above it 1 of 2 is in the pool, 1 relevant. c on rank 6: above it
    # 4 of 5 are in the pool (x is not), of them 2 relevant, 1 not, 1 (m) not drawn.
    expected = (
        1
        + (1 / 3 + 2 / 3 * (1 / 2) * (1 + e) / (1 + 2 * e))
        + (1 / 6 + 5 / 6 * (4 / 5) * (2 + e) / (2 + 1 + 2 * e))
    ) / 4
    assert compute_value("infAP") == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("measure", ["AP", "AP@3", "AP(divide=cutoff)@3", "GMAP", "infAP"])
def test_with_nothing_relevant_the_rules_say_what_it_is(measure):
    assert compute_value(measure, qrels={"q": {"a": 0}}, empty="one") == 1
    assert compute_value(measure, qrels={"q": {"a": 0}}) == 0


@pytest.mark.parametrize("measure", ["AP", "AP@3", "AP(divide=cutoff)@3", "GMAP", "infAP"])
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_trap_is_the_mean_over_what_was_returned():
    # d is not missed.
    assert compute_value("trAP") == (1 / 1 + 2 / 3 + 3 / 6) / 3
    assert compute_value("trAP@5") == (1 / 1 + 2 / 3) / 2
    assert compute_value("trAP@100") == compute_value("trAP")
    assert compute_value("trAP(rel=2)") == (1 / 3 + 2 / 6) / 2


def test_trap_of_grades():
    # Gains 1/4, 2/4 and 3/4 on ranks 1, 3 and 6; added up 1/4, 3/4 and 6/4.
    expected = (1 / 4 * 1 / 4 / 1 + 2 / 4 * 3 / 4 / 3 + 3 / 4 * 6 / 4 / 6) / 3
    assert compute_value("trAP(max_rel=4)") == pytest.approx(expected, rel=1e-15)
    # From 1 up: 0, 1/3 and 2/3; the first of them gains nothing, and is not counted.
    expected = (1 / 3 * 1 / 3 / 3 + 2 / 3 * 3 / 3 / 6) / 2
    assert compute_value("trAP(min_rel=1, max_rel=4)") == pytest.approx(expected, rel=1e-15)


def test_trap_without_anything_relevant():
    assert compute_value("trAP", run={"q": ["x", "n", "m"]}, empty="one") == 0
    assert compute_value("trAP@1", run={"q": ["x", "a"]}, empty="one") == 0
    assert compute_value("trAP", run={"p": ["a"]}, qrels=QRELS | {"p": {"a": 1}}, empty="one") == 0
    for measure in ("trAP", "trAP(max_rel=3)"):
        assert compute_value(measure, qrels={"q": {"a": 0, "m": -1}}, empty="one") == 1
    assert compute_value("trAP(min_rel=1, max_rel=3)", qrels={"q": {"a": 1}}, empty="one") == 1
