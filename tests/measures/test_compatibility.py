"""Compat, worked out by hand."""

from itertools import permutations

import pytest
from hypothesis import given

from evaluation.strategies import queries
from example_counts import max_examples
from gainful import Rules, evaluate

QRELS = {"q": {"a": 2, "b": 1, "c": 1, "d": 0, "e": -1}}


def compute_value(measure, run, qrels=QRELS, **rules):
    return evaluate(qrels, {"q": run}, measure, rules=Rules(**rules))[measure]


def test_overlap_with_the_ideal_at_every_depth():
    # Ranking c, x, a; ideal a, c, b, since c was returned and b was not.
    # Shared: nothing of 1, c of 2, c and a of 3; the ideal shares all with itself.
    overlap, best = 0 + 0.5 * 1 / 2 + 0.25 * 2 / 3, 1 + 0.5 + 0.25
    assert compute_value("Compat(p=0.5)", ["c", "x", "a"]) == pytest.approx(
        overlap / best, rel=1e-15
    )
    # The weights of three ranks are the same sum here.
    assert compute_value("Compat(p=0.5, normalization=weights)", ["c", "x", "a"]) == pytest.approx(
        overlap / best, rel=1e-15
    )


def test_an_ideal_that_is_shorter_than_the_ranking():
    # Ranking x, a; ideal a: shared 0/1 and 1/2; the ideal with itself 1/1 and 1/2.
    qrels = {"q": {"a": 1}}
    assert compute_value("Compat(p=0.5)", ["x", "a"], qrels) == pytest.approx(
        0.25 / 1.25, rel=1e-15
    )
    measure = "Compat(p=0.5, normalization=weights)"
    assert compute_value(measure, ["x", "a"], qrels) == pytest.approx(0.25 / 1.5, rel=1e-15)


def test_every_order_of_equal_labels_is_ideal():
    for order in (["a", "b", "c"], ["a", "c", "b"], ["a", "c", "b", "x", "d", "e"]):
        assert compute_value("Compat", order) == 1


def test_a_query_without_results_scores_0_and_one_with_nothing_relevant_is_undefined():
    assert compute_value("Compat", [], empty="one") == 0
    for measure in ("Compat", "Compat(normalization=weights)"):
        assert compute_value(measure, ["a"], {"q": {"a": 0, "b": -1}}, empty="one") == 1


def compute_overlap(ranking, ideal, p):
    depth = max(len(ranking), len(ideal))
    return sum(p**i * len({*ranking[: i + 1]} & {*ideal[: i + 1]}) / (i + 1) for i in range(depth))


@given(queries(max_items=6))
@max_examples(100)
def test_no_other_ideal_ranking_is_nearer(query):
    judged, retrieved = query
    relevant = [item for item, label in judged.items() if label > 0]
    if not relevant:
        return
    ideals = [
        order
        for order in permutations(relevant)
        if sorted(order, key=lambda item: -judged[item]) == list(order)
    ]
    run = list(retrieved)
    # The ideal is compared with itself as deep as with the ranking.
    depth = max(len(run), len(relevant))
    self_overlap = sum(0.8**i * min(i + 1, len(relevant)) / (i + 1) for i in range(depth))
    best = max(compute_overlap(run, ideal, 0.8) for ideal in ideals) / self_overlap
    assert compute_value("Compat(p=0.8)", run, {"q": judged}) == pytest.approx(
        best, rel=1e-12, abs=1e-15
    )
