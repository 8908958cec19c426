"""Comparison of Judged, Accuracy, RR and related measures with ir-measures and scikit-learn."""

import math

import ir_measures
import pytest
from ir_measures import providers
from sklearn.metrics import average_precision_score, roc_auc_score

import gainful
from oracles.random_sets import KINDS, draw_set
from oracles.tally import count_compared

KINDS_WITHOUT_TIES = ("no ties", "awkward ids, no ties", "high grades")
CUTOFFS = (1, 3, 5, 10, 100)
FLOAT32 = gainful.Rules(precision="float32")
THROUGH_TREC_EVAL = {
    ir_measures.P(rel=2) @ 5: "P(rel=2)@5",
    ir_measures.R(rel=2) @ 5: "R(rel=2)@5",
    ir_measures.Success @ 3: "Success@3",
    ir_measures.Rprec: "Rprec",
    ir_measures.AP(rel=2): "AP(rel=2)",
    ir_measures.AP @ 10: "AP@10",
    ir_measures.RR(rel=2): "RR(rel=2)",
    ir_measures.Bpref: "Bpref",
    ir_measures.infAP: "infAP",
    ir_measures.SetP: "SetP",
    ir_measures.SetR: "SetR",
    ir_measures.SetF: "SetF",
    ir_measures.SetAP: "SetAP",
    ir_measures.SetRelP: "SetRelP",
    ir_measures.IPrec @ 0.3: "IPrec@0.3",
    ir_measures.NumRet: "NumRet",
    ir_measures.NumRel: "NumRel",
    ir_measures.NumRet(rel=1): "NumRelRet",
}


def compute_with_ir_measures(provider: str, measure, qrels, run) -> dict[str, float]:
    """Return the values that a provider of ir-measures has, by query."""
    calculated = providers.registry[provider].iter_calc([measure], qrels, run)
    return {metric.query_id: metric.value for metric in calculated}


def compute_with_gainful(measure: str, qrels, run, rules=FLOAT32) -> dict[str, float]:
    """Return the values of Gainful by query."""
    by_query = gainful.evaluate(qrels, run, measure, rules=rules).per_query()
    return {query: next(iter(values.values())) for query, values in by_query.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_measures_that_ir_measures_leaves_to_trec_eval_are_the_same(kind):
    for seed in range(20):
        qrels, run = draw_set(kind, seed)
        for measure, name in THROUGH_TREC_EVAL.items():
            expected = compute_with_ir_measures("pytrec_eval", measure, qrels, run)
            actual = compute_with_gainful(name, qrels, run)
            if name == "NumRel":
                # A query that the run does not have keeps its relevant items; there they are lost.
                expected = {query: value for query, value in expected.items() if query in run}
            assert {query: actual[query] for query in expected} == expected
            count_compared("ir_measures", len(expected))


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
def test_judged_is_that_of_ir_measures(kind):
    # Without ties only: here ir-measures orders equal scores by ascending ids, unlike elsewhere.
    n = 0
    for seed in range(40):
        qrels, run = draw_set(kind, seed)
        for k in CUTOFFS:
            expected = compute_with_ir_measures("judged", ir_measures.Judged @ k, qrels, run)
            actual = compute_with_gainful(f"Judged@{k}", qrels, run)
            assert {query: actual[query] for query in expected} == expected
            n += len(expected)
    count_compared("ir_measures", n)
    assert n > 1000


def test_a_negative_label_is_a_judgment_for_ir_measures():
    for seed in range(40):
        qrels, run = draw_set("negative labels", seed)
        cutoff = max(map(len, run.values()))  # so that no tie is cut
        expected = compute_with_ir_measures("judged", ir_measures.Judged @ cutoff, qrels, run)
        actual = compute_with_gainful(f"Judged@{cutoff}", qrels, run)
        assert {query: actual[query] for query in expected} == expected
        count_compared("ir_measures", len(expected))


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
@pytest.mark.parametrize("rel", [1, 2])
def test_accuracy_is_that_of_ir_measures(kind, rel):
    n = 0
    for seed in range(40):
        qrels, run = draw_set(kind, seed)
        for k in (None, *CUTOFFS):
            measure = (
                ir_measures.Accuracy(rel=rel) if k is None else ir_measures.Accuracy(rel=rel) @ k
            )
            name = f"Accuracy(rel={rel})" + (f"@{k}" if k else "")
            actual = compute_with_gainful(name, qrels, run)
            for query in set(run) & set(qrels):
                inputs = {query: qrels[query]}, {query: run[query]}
                try:
                    expected = compute_with_ir_measures("accuracy", measure, *inputs)
                except ZeroDivisionError:  # all items are relevant: no pair
                    assert actual[query] == 0.0
                    continue
                # ir-measures has no value where nothing relevant is returned.
                assert actual[query] == expected.get(query, 0.0)
                n += 1
    count_compared("ir_measures", n)
    assert n > 1000


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
def test_reciprocal_rank_with_a_cutoff_is_that_of_ms_marco(kind):
    n = 0
    for seed in range(40):
        qrels, run = draw_set(kind, seed)
        for k in CUTOFFS:
            expected = compute_with_ir_measures("msmarco", ir_measures.RR @ k, qrels, run)
            actual = compute_with_gainful(f"RR@{k}", qrels, run)
            actual = {query: actual[query] for query in expected}
            assert actual == pytest.approx(expected, rel=1e-15)
            n += len(expected)
    count_compared("ir_measures", n)
    assert n > 1000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unjudged", ["nonrelevant", "leave_out"])
def test_averaged_auc_is_the_area_under_the_curve_of_scikit_learn(kind, unjudged):
    n = 0
    for seed in range(20):
        qrels, run = draw_set(kind, seed)
        rules = gainful.Rules(ties="average", empty="nan")
        actual = compute_with_gainful(f"AUC(unjudged={unjudged})", qrels, run, rules)
        for query in set(run) & set(qrels):
            judged = qrels[query]
            items = [item for item in run[query] if unjudged == "nonrelevant" or item in judged]
            labels = [judged.get(item, 0) >= 1 for item in items]
            if len(set(labels)) == 2:
                area = roc_auc_score(labels, [run[query][item] for item in items])
                assert actual[query] == pytest.approx(area, rel=1e-12, abs=1e-14)
                n += 1
            elif not any(labels) and max(judged.values()) >= 1:
                assert actual[query] == 0.0
            else:
                assert math.isnan(actual[query])
    count_compared("scikit-learn", n)
    assert n > 10


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
def test_average_precision_is_that_of_scikit_learn_where_all_is_judged_and_returned(kind):
    n = 0
    for seed in range(40):
        qrels, run = draw_set(kind, seed)
        run = {
            q: {item: run[q].get(item, -1.0 - i) for i, item in enumerate(qrels[q])}
            for q in qrels
            if q in run
        }
        actual = compute_with_gainful("AP", {q: qrels[q] for q in run}, run, gainful.Rules())
        for query, retrieved in run.items():
            labels = [qrels[query][item] >= 1 for item in retrieved]
            if any(labels):
                expected = average_precision_score(labels, list(retrieved.values()))
                assert actual[query] == pytest.approx(expected, rel=1e-12)
                n += 1
    count_compared("scikit-learn", n)
    assert n > 100
