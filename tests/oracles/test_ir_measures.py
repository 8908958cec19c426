"""Comparison of nDCG with ir-measures: trec_eval for linear, gdeval.pl for exponential gain."""

import shutil

import ir_measures
import pytest

import gainful
from oracles.random_sets import KINDS, Qrels, Run, draw_set

# ir-measures scores a query that is missing from the run as 0, as Gainful does by default.
TREC_EVAL = gainful.Rules(precision="float32")
MEASURES = {ir_measures.nDCG: gainful.nDCG} | {
    ir_measures.nDCG @ k: gainful.nDCG @ k for k in (1, 3, 5, 10, 100)
}
GAINS = {0: 0, 1: 1, 2: 5, 3: 9}


def compute_ir_measures_values(measures, qrels: Qrels, run: Run) -> dict[str, dict[str, float]]:
    """Return the values of ir-measures by query, under the names of Gainful's measures."""
    values: dict[str, dict[str, float]] = {query: {} for query in qrels}
    for metric in ir_measures.iter_calc(list(measures), qrels, run):
        values[metric.query_id][str(measures[metric.measure])] = metric.value
    return values


@pytest.mark.parametrize("kind", KINDS)
def test_every_query_equals_ir_measures_to_the_last_bit(kind, record_testsuite_property):
    n_compared = 0
    for seed in range(20):
        qrels, run = draw_set(kind, seed)
        scores = gainful.evaluate(qrels, run, MEASURES.values(), rules=TREC_EVAL)
        expected = compute_ir_measures_values(MEASURES, qrels, run)
        assert scores.per_query() == expected
        n_compared += sum(map(len, expected.values()))
    record_testsuite_property(f"values compared with ir-measures, {kind}", n_compared)
    assert n_compared > 500


@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_over_queries_is_that_of_ir_measures(kind):
    for seed in range(10):
        qrels, run = draw_set(kind, seed, n_queries=20)
        means = gainful.evaluate(qrels, run, MEASURES.values(), rules=TREC_EVAL).mean()
        expected = ir_measures.calc_aggregate(list(MEASURES), qrels, run)
        assert means == pytest.approx({str(MEASURES[m]): v for m, v in expected.items()}, rel=1e-14)


def test_a_gain_table_is_that_of_ir_measures():
    measures = {
        ir_measures.nDCG(gains=GAINS): gainful.nDCG(gain=GAINS),
        ir_measures.nDCG(gains=GAINS) @ 5: gainful.nDCG(gain=GAINS) @ 5,
    }
    for seed in range(20):
        qrels, run = draw_set("many ties", seed)
        scores = gainful.evaluate(qrels, run, measures.values(), rules=TREC_EVAL)
        assert scores.per_query() == compute_ir_measures_values(measures, qrels, run)


def test_condensed_rankings_are_the_judged_only_ones_of_ir_measures():
    measures = {ir_measures.nDCG(judged_only=True) @ 5: gainful.nDCG @ 5}
    rules = gainful.Rules(precision="float32", unjudged="condense")
    for seed in range(20):
        qrels, run = draw_set("many ties", seed)
        scores = gainful.evaluate(qrels, run, measures.values(), rules=rules)
        assert scores.per_query() == compute_ir_measures_values(measures, qrels, run)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval.pl needs perl")
@pytest.mark.parametrize("kind", ["no ties", "many ties", "negative labels"])
def test_exponential_gain_equals_gdeval_to_its_five_decimals(kind):
    # gdeval.pl compares scores as double, wants numbers for query ids and prints %.5f. It leaves
    # out queries with nothing relevant, which ir-measures then scores as 0.
    measures = {
        ir_measures.nDCG(dcg="exp-log2") @ k: gainful.nDCG(gain="exp2") @ k for k in (1, 5, 20)
    }
    for seed in range(4):
        qrels, run = map(_number_queries, draw_set(kind, seed, n_queries=20))
        actual = gainful.evaluate(qrels, run, measures.values()).per_query()
        for query, expected in compute_ir_measures_values(measures, qrels, run).items():
            assert actual[query] == pytest.approx(expected, rel=0, abs=5.000001e-6)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval.pl needs perl")
def test_the_mean_of_exponential_gain_equals_that_of_gdeval():
    gdeval_measure, measure = ir_measures.nDCG(dcg="exp-log2") @ 10, gainful.nDCG(gain="exp2") @ 10
    qrels, run = map(_number_queries, draw_set("many ties", 7, n_queries=60))
    expected = ir_measures.calc_aggregate([gdeval_measure], qrels, run)[gdeval_measure]
    scores = gainful.evaluate(qrels, run, measure)
    assert scores[measure] == pytest.approx(expected, abs=5.000001e-6)
    assert len(scores.queries) > 30


def _number_queries(queries):
    """Return the queries with ids that are numbers."""
    return {query.removeprefix("q"): items for query, items in queries.items()}
