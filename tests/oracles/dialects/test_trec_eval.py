"""The installed pytrec_eval and ir_measures: every value, bit for bit."""

import ir_measures
import pytest
import pytrec_eval

import gainful
from oracles.dialects.random_lists import CUTOFFS, as_qrels, as_run, random_lists
from oracles.random_sets import KINDS, random_set
from oracles.tally import compared

MEASURES = {"nDCG": "ndcg", **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}}


def values(qrels, run) -> dict[str, dict[str, float]]:
    """trec_eval's values for each query, under our names."""
    cut = ",".join(map(str, CUTOFFS))
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", f"ndcg_cut.{cut}"}).evaluate(run)
    return {
        query: {own: of_query[name] for own, name in MEASURES.items()}
        for query, of_query in found.items()
    }


def test_every_value_of_lists_is_that_of_pytrec_eval():
    lists = random_lists(1)
    qrels, run = as_qrels(lists), as_run(lists)
    scores = gainful.evaluate(qrels, run, list(MEASURES), dialect="pytrec_eval")
    assert scores.per_query() == values(qrels, run)
    compared("pytrec_eval, by dialect", scores.values.size)


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_of_judgments_and_runs_is_that_of_pytrec_eval(kind):
    qrels, run = random_set(kind, 1)
    scores = gainful.evaluate(qrels, run, list(MEASURES), dialect="pytrec_eval")
    assert scores.per_query() == values(qrels, run)
    compared("pytrec_eval, by dialect", scores.values.size)


def test_every_value_and_mean_is_that_of_ir_measures():
    lists = random_lists(2)
    qrels, run = as_qrels(lists), as_run(lists)
    del run["q3"]
    asked = {"nDCG": ir_measures.nDCG, **{f"nDCG@{k}": ir_measures.nDCG @ k for k in CUTOFFS}}
    scores = gainful.evaluate(qrels, run, list(asked), dialect="ir_measures")
    found = {query: {} for query in qrels}
    names = {measure: own for own, measure in asked.items()}
    for one in ir_measures.iter_calc(list(names), qrels, run):
        found[one.query_id][names[one.measure]] = one.value
    assert scores.per_query() == found
    means = ir_measures.calc_aggregate(list(names), qrels, run)
    assert scores.mean() == pytest.approx(
        {names[m]: value for m, value in means.items()}, rel=1e-14
    )
    compared("ir_measures, by dialect", scores.values.size)


def test_exponential_values_of_ir_measures_are_those_of_gdeval():
    lists = random_lists(3)
    # gdeval.pl wants queries that are numbers.
    qrels = {query[1:]: items for query, items in as_qrels(lists).items()}
    run = {query[1:]: items for query, items in as_run(lists).items()}
    measure = ir_measures.nDCG(dcg="exp-log2") @ 10
    expected = {one.query_id: one.value for one in ir_measures.iter_calc([measure], qrels, run)}
    scores = gainful.evaluate(qrels, run, "nDCG@10", dialect="ir_measures-exp")
    found = {query: values["nDCG@10"] for query, values in scores.per_query().items()}
    assert found == {query: pytest.approx(value, abs=1e-12) for query, value in expected.items()}
    compared("ir_measures, by dialect", len(expected))
