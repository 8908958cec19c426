"""Judged, Accuracy, RR with a cutoff and their kin against ir-measures and scikit-learn."""

import math

import ir_measures
import pytest
from ir_measures import providers
from sklearn.metrics import average_precision_score, roc_auc_score

import gainful
from oracles.random_sets import KINDS, random_set
from oracles.tally import compared

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


def theirs(provider: str, measure, qrels, run) -> dict[str, float]:
    """The values of one provider of ir-measures by query, those that it has."""
    calculated = providers.registry[provider].iter_calc([measure], qrels, run)
    return {metric.query_id: metric.value for metric in calculated}


def ours(measure: str, qrels, run, rules=FLOAT32) -> dict[str, float]:
    """The values of Gainful by query."""
    by_query = gainful.evaluate(qrels, run, measure, rules=rules).per_query()
    return {query: next(iter(values.values())) for query, values in by_query.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_measures_that_ir_measures_leaves_to_trec_eval_are_the_same(kind):
    for seed in range(20):
        qrels, run = random_set(kind, seed)
        for measure, name in THROUGH_TREC_EVAL.items():
            found = theirs("pytrec_eval", measure, qrels, run)
            mine = ours(name, qrels, run)
            if name == "NumRel":
                # A query that the run does not have keeps its relevant items; there they are lost.
                found = {query: value for query, value in found.items() if query in run}
            assert {query: mine[query] for query in found} == found
            compared("ir_measures", len(found))


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
def test_judged_is_that_of_ir_measures(kind):
    # Without ties only: here ir-measures orders equal scores by ascending ids, unlike elsewhere.
    n = 0
    for seed in range(40):
        qrels, run = random_set(kind, seed)
        for k in CUTOFFS:
            found = theirs("judged", ir_measures.Judged @ k, qrels, run)
            mine = ours(f"Judged@{k}", qrels, run)
            assert {query: mine[query] for query in found} == found
            n += len(found)
    compared("ir_measures", n)
    assert n > 1000


def test_a_negative_label_is_a_judgment_for_ir_measures():
    for seed in range(40):
        qrels, run = random_set("negative labels", seed)
        everything = max(map(len, run.values()))  # so that no tie is cut
        found = theirs("judged", ir_measures.Judged @ everything, qrels, run)
        mine = ours(f"Judged@{everything}", qrels, run)
        assert {query: mine[query] for query in found} == found
        compared("ir_measures", len(found))


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
@pytest.mark.parametrize("rel", [1, 2])
def test_accuracy_is_that_of_ir_measures(kind, rel):
    n = 0
    for seed in range(40):
        qrels, run = random_set(kind, seed)
        for k in (None, *CUTOFFS):
            measure = (
                ir_measures.Accuracy(rel=rel) if k is None else ir_measures.Accuracy(rel=rel) @ k
            )
            mine = ours(f"Accuracy(rel={rel})" + (f"@{k}" if k else ""), qrels, run)
            for query in set(run) & set(qrels):
                one = {query: qrels[query]}, {query: run[query]}
                try:
                    found = theirs("accuracy", measure, *one)
                except ZeroDivisionError:  # all items are relevant: no pair
                    assert mine[query] == 0.0
                    continue
                # Where it finds nothing relevant it says nothing.
                assert mine[query] == found.get(query, 0.0)
                n += 1
    compared("ir_measures", n)
    assert n > 1000


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
def test_reciprocal_rank_with_a_cutoff_is_that_of_ms_marco(kind):
    n = 0
    for seed in range(40):
        qrels, run = random_set(kind, seed)
        for k in CUTOFFS:
            found = theirs("msmarco", ir_measures.RR @ k, qrels, run)
            mine = ours(f"RR@{k}", qrels, run)
            assert {query: mine[query] for query in found} == pytest.approx(found, rel=1e-15)
            n += len(found)
    compared("ir_measures", n)
    assert n > 1000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unjudged", ["nonrelevant", "leave_out"])
def test_averaged_auc_is_the_area_under_the_curve_of_scikit_learn(kind, unjudged):
    n = 0
    for seed in range(20):
        qrels, run = random_set(kind, seed)
        rules = gainful.Rules(ties="average", empty="nan")
        mine = ours(f"AUC(unjudged={unjudged})", qrels, run, rules)
        for query in set(run) & set(qrels):
            judged = qrels[query]
            items = [item for item in run[query] if unjudged == "nonrelevant" or item in judged]
            labels = [judged.get(item, 0) >= 1 for item in items]
            if len(set(labels)) == 2:
                area = roc_auc_score(labels, [run[query][item] for item in items])
                assert mine[query] == pytest.approx(area, rel=1e-12, abs=1e-14)
                n += 1
            elif not any(labels) and max(judged.values()) >= 1:
                assert mine[query] == 0.0
            else:
                assert math.isnan(mine[query])
    compared("scikit-learn", n)
    assert n > 10


@pytest.mark.parametrize("kind", KINDS_WITHOUT_TIES)
def test_average_precision_is_that_of_scikit_learn_where_all_is_judged_and_returned(kind):
    n = 0
    for seed in range(40):
        qrels, run = random_set(kind, seed)
        run = {
            q: {item: run[q].get(item, -1.0 - i) for i, item in enumerate(qrels[q])}
            for q in qrels
            if q in run
        }
        mine = ours("AP", {q: qrels[q] for q in run}, run, gainful.Rules())
        for query, retrieved in run.items():
            labels = [qrels[query][item] >= 1 for item in retrieved]
            if any(labels):
                expected = average_precision_score(labels, list(retrieved.values()))
                assert mine[query] == pytest.approx(expected, rel=1e-12)
                n += 1
    compared("scikit-learn", n)
    assert n > 100
