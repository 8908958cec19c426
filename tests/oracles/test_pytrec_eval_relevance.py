"""Comparison of the measures of binary relevance with trec_eval 9.0.8, bit for bit."""

import math

import pytest
import pytrec_eval

import gainful
from example_counts import sample_cases, sampled
from gainful.measures import parse_measure
from oracles.random_sets import KINDS, Qrels, Run, draw_set
from oracles.tally import count_compared

# trec_eval 9 keeps scores as float and leaves out queries that are missing from the run.
TREC_EVAL = gainful.Rules(precision="float32", missing="skip")
CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 100, 200, 500, 1000)
TIMES = (0.05, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 7.5)
RECALLS = (0.0, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0)
BY_CUTOFF = {"P": "P", "recall": "R", "relative_P": "RelP", "success": "Success", "map_cut": "AP"}
NAMES = {
    "Rprec": "Rprec",
    "11pt_avg": "IPrecAvg",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "set_map": "SetAP",
    "set_relative_P": "SetRelP",
    "utility": "Utility",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "num_nonrel_judged_ret": "NumNonrelRet",
    "map": "AP",
    "gm_map": "GMAP",
    "infAP": "infAP",
    "recip_rank": "RR",
    "bpref": "Bpref",
    "gm_bpref": "GMBpref",
}
PARAMETERS = {
    f"{trec_eval_name}_{k}": f"{name}@{k}"
    for trec_eval_name, name in BY_CUTOFF.items()
    for k in CUTOFFS
}
PARAMETERS |= {f"Rprec_mult_{t:.2f}": f"RprecMult(times={t})" for t in TIMES}
PARAMETERS |= {f"iprec_at_recall_{r:.2f}": f"IPrec@{r}" for r in RECALLS}
ALL_NAMES = NAMES | PARAMETERS
PYTREC_EVAL_NAMES = {
    *NAMES,
    *(f"{trec_eval_name}.{','.join(map(str, CUTOFFS))}" for trec_eval_name in BY_CUTOFF),
    "Rprec_mult." + ",".join(map(str, TIMES)),
    "iprec_at_recall." + ",".join(map(str, RECALLS)),
}
# Names that other tests cover, and those of texts.
OTHER_NAMES = {"ndcg", "ndcg_cut", "ndcg_rel", "Rndcg", "G", "binG", "relstring", "runid"}


def set_level(name: str, level: int) -> gainful.Measure:
    """Return Gainful's measure at a relevance level of trec_eval."""
    measure = parse_measure(name)
    return measure(rel=level) if "rel" in measure.arguments else measure


def compare_values(qrels: Qrels, run: Run, level: int) -> int:
    """Check that all values are equal, and return how many there are."""
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, PYTREC_EVAL_NAMES, relevance_level=level)
    expected = evaluator.evaluate(run)
    measures = {
        trec_eval_name: set_level(name, level) for trec_eval_name, name in ALL_NAMES.items()
    }
    scores = gainful.evaluate(qrels, run, list(measures.values()), rules=TREC_EVAL).per_query()
    assert set(expected) == set(scores)
    for query, values in expected.items():
        assert set(values) == set(ALL_NAMES)
        actual = {name: scores[query][str(measure)] for name, measure in measures.items()}
        for name in ("gm_map", "gm_bpref"):  # trec_eval keeps the logarithm
            actual[name] = math.log(max(actual[name], 0.00001))
        assert actual == values, query
    n = len(expected) * len(ALL_NAMES)
    count_compared("pytrec_eval", n)
    return n


def test_every_measure_of_pytrec_eval_is_compared_here_or_elsewhere():
    parametrized = {*BY_CUTOFF, "Rprec_mult", "iprec_at_recall"}
    assert {*NAMES, *parametrized, *OTHER_NAMES} == set(pytrec_eval.supported_measures)


def test_every_name_of_trec_eval_reads_as_the_measure_that_it_is_compared_with():
    for trec_eval_name, name in ALL_NAMES.items():
        assert parse_measure(trec_eval_name) == parse_measure(name)


@sampled
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_equals_trec_eval_to_the_last_bit(kind, level):
    seeds = sample_cases(range(60))
    assert sum(compare_values(*draw_set(kind, seed), level) for seed in seeds) > 300 * len(seeds)


@pytest.mark.parametrize("kind", ["no ties", "many ties", "negative labels"])
def test_equals_trec_eval_to_the_last_bit_on_lists_of_thousands(kind):
    for seed in range(2):
        qrels, run = draw_set(kind, seed, n_queries=12, longest=3000)
        assert compare_values(qrels, run, 1 + seed) > 200


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": {"d": 1}}, {"q": {"d": 1.0}}),
        ({"q": {"d": 0}}, {"q": {"d": 1.0}}),
        ({"q": {"d": -1}}, {"q": {"d": 1.0}}),
        ({"q": {"d": 1}}, {"q": {"e": 1.0}}),
        ({"q": {"d": 1, "e": 1, "f": 1}}, {"q": {"d": 3.0, "x": 2.0, "e": 1.0}}),
    ],
    ids=["relevant", "not relevant", "negative", "unjudged", "some found"],
)
def test_small_rankings_equal_trec_eval(qrels, run):
    assert compare_values(qrels, run, 1) == len(ALL_NAMES)


def test_where_nothing_was_returned_trec_eval_has_no_number_and_gainful_has_zero():
    # trec_eval divides nothing by nothing for interpolated precision at recall 0.
    qrels, run = {"q": {"d": 1}}, {"q": {}}
    values = pytrec_eval.RelevanceEvaluator(qrels, {"iprec_at_recall.0"}).evaluate(run)["q"]
    assert math.isnan(values["iprec_at_recall_0.00"])
    assert gainful.evaluate(qrels, run, "IPrec@0", rules=TREC_EVAL)["IPrec@0"] == 0.0


@pytest.mark.parametrize("name", ["map", "gm_map", "gm_bpref", "num_rel", "num_q", "P_5"])
def test_the_value_over_all_queries_is_that_of_pytrec_eval(name):
    for seed in range(20):
        qrels, run = draw_set("many ties", seed)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {name})
        values = [value[name] for value in evaluator.evaluate(run).values()]
        expected = pytrec_eval.compute_aggregated_measure(name, values)
        means = gainful.evaluate(qrels, run, name, rules=TREC_EVAL).mean()
        assert list(means.values()) == [pytest.approx(expected, rel=1e-14)]
