"""Comparison of dialects with the installed pytrec_eval and ir_measures, bit for bit."""

import ir_measures
import pytest
import pytrec_eval

import gainful
from oracles.dialects.random_lists import CUTOFFS, draw_lists, make_qrels, make_run
from oracles.random_sets import KINDS, draw_set
from oracles.tally import count_compared

MEASURES = {"nDCG": "ndcg", **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}}


def compute_trec_eval_values(qrels, run) -> dict[str, dict[str, float]]:
    """Return trec_eval's values for each query, under Gainful's names."""
    cutoffs = ",".join(map(str, CUTOFFS))
    results = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", f"ndcg_cut.{cutoffs}"}).evaluate(run)
    return {
        query: {name: values[trec_eval_name] for name, trec_eval_name in MEASURES.items()}
        for query, values in results.items()
    }


def test_every_value_of_lists_is_that_of_pytrec_eval():
    lists = draw_lists(1)
    qrels, run = make_qrels(lists), make_run(lists)
    scores = gainful.evaluate(qrels, run, list(MEASURES), dialect="pytrec_eval")
    assert scores.per_query() == compute_trec_eval_values(qrels, run)
    count_compared("pytrec_eval, by dialect", scores.values.size)


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_of_judgments_and_runs_is_that_of_pytrec_eval(kind):
    qrels, run = draw_set(kind, 1)
    scores = gainful.evaluate(qrels, run, list(MEASURES), dialect="pytrec_eval")
    assert scores.per_query() == compute_trec_eval_values(qrels, run)
    count_compared("pytrec_eval, by dialect", scores.values.size)


def test_every_value_and_mean_is_that_of_ir_measures():
    lists = draw_lists(2)
    qrels, run = make_qrels(lists), make_run(lists)
    del run["q3"]
    measures = {"nDCG": ir_measures.nDCG, **{f"nDCG@{k}": ir_measures.nDCG @ k for k in CUTOFFS}}
    scores = gainful.evaluate(qrels, run, list(measures), dialect="ir_measures")
    expected = {query: {} for query in qrels}
    names = {measure: name for name, measure in measures.items()}
    for metric in ir_measures.iter_calc(list(names), qrels, run):
        expected[metric.query_id][names[metric.measure]] = metric.value
    assert scores.per_query() == expected
    means = ir_measures.calc_aggregate(list(names), qrels, run)
    assert scores.mean() == pytest.approx(
        {names[m]: value for m, value in means.items()}, rel=1e-14
    )
    count_compared("ir_measures, by dialect", scores.values.size)


def test_exponential_values_of_ir_measures_are_those_of_gdeval():
    lists = draw_lists(3)
    # gdeval.pl wants queries that are numbers.
    qrels = {query[1:]: items for query, items in make_qrels(lists).items()}
    run = {query[1:]: items for query, items in make_run(lists).items()}
    measure = ir_measures.nDCG(dcg="exp-log2") @ 10
    metrics = ir_measures.iter_calc([measure], qrels, run)
    expected = {metric.query_id: metric.value for metric in metrics}
    scores = gainful.evaluate(qrels, run, "nDCG@10", dialect="ir_measures-exp")
    actual = {query: values["nDCG@10"] for query, values in scores.per_query().items()}
    assert actual == {query: pytest.approx(value, abs=1e-12) for query, value in expected.items()}
    count_compared("ir_measures, by dialect", len(expected))
