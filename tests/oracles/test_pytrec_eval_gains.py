"""Comparison of nDCGrel, Rndcg, G and binG with trec_eval 9.0.8, bit for bit."""

import random

import pytest
import pytrec_eval
import pytrec_eval_ext

import gainful
from oracles.random_sets import KINDS, Qrels, Run, draw_set
from oracles.tally import count_compared

NAMES = {"ndcg_rel": "nDCGrel", "Rndcg": "Rndcg", "G": "G", "binG": "binG"}
TREC_EVAL = gainful.Rules(precision="float32", missing="skip")
JUDGED_ONLY = gainful.Rules(precision="float32", missing="skip", unjudged="condense")
# No two gains are closer than 1: trec_eval's sort would treat them as equal.
TABLES = (
    {1: 3, 2: 9, 3: 27},
    {1: 5, 2: 1, 3: 9},
    {1: 2, 2: 2, 3: 7},
    {1: 0, 2: 1, 3: 4},
    {0: -1, 1: 2, 2: 4, 3: 6},
    {1: 2.5, 2: 4.25, 3: 7.75},
)


def compute_trec_eval_values(qrels: Qrels, run: Run, **flags) -> dict[str, dict[str, float]]:
    """Return the values of trec_eval by query, under the names of Gainful's measures."""
    by_query = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES), **flags).evaluate(run)
    return {q: {NAMES[name]: v for name, v in values.items()} for q, values in by_query.items()}


def compare_values(qrels: Qrels, run: Run, rules: gainful.Rules = TREC_EVAL, **flags) -> int:
    """Check that all values are equal, and return how many there are."""
    expected = compute_trec_eval_values(qrels, run, **flags)
    assert gainful.evaluate(qrels, run, NAMES, rules=rules).per_query() == expected
    n = sum(map(len, expected.values()))
    count_compared("pytrec_eval", n)
    return n


@pytest.mark.parametrize("kind", KINDS)
def test_equals_trec_eval_to_the_last_bit(kind):
    assert sum(compare_values(*draw_set(kind, seed)) for seed in range(200)) > 4000


@pytest.mark.parametrize("kind", ["no ties", "many ties", "high grades"])
def test_equals_trec_eval_to_the_last_bit_on_lists_of_hundreds(kind):
    sets = (draw_set(kind, seed, n_queries=20, longest=300) for seed in range(12))
    assert sum(compare_values(*data) for data in sets) > 600


def test_equals_trec_eval_where_the_list_ends_near_the_last_relevant_item():
    # Rndcg has one point more from two items below the last level on.
    rng = random.Random(2)
    qrels, run = {}, {}
    for n_relevant in range(1, 9):
        for n_retrieved in range(1, 14):
            query = f"{n_relevant} {n_retrieved}"
            judged = [f"d{i}" for i in range(12)]
            qrels[query] = {d: rng.randint(1, 3) for d in rng.sample(judged, n_relevant)}
            run[query] = {f"d{i}": rng.random() for i in range(n_retrieved)}
    assert compare_values(qrels, run) == 8 * 13 * len(NAMES)


def test_condensed_rankings_equal_trec_eval_of_judged_items_only():
    sets = (draw_set("many ties", seed) for seed in range(60))
    n = sum(compare_values(*data, JUDGED_ONLY, judged_docs_only_flag=True) for data in sets)
    assert n > 1000


@pytest.mark.parametrize("rel", [2, 3])
def test_a_higher_level_of_relevance_equals_trec_eval(rel):
    for seed in range(60):
        qrels, run = draw_set("many ties", seed)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"binG"}, relevance_level=rel)
        expected = {q: {f"binG(rel={rel})": v["binG"]} for q, v in evaluator.evaluate(run).items()}
        scores = gainful.evaluate(qrels, run, f"binG(rel={rel})", rules=TREC_EVAL)
        assert scores.per_query() == expected
        count_compared("pytrec_eval", len(expected))


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("name", ["ndcg_rel", "Rndcg", "G"])
def test_a_gain_table_equals_trec_eval_to_the_last_bit(name, table):
    gains = ",".join(f"{label}={gain}" for label, gain in table.items())
    measure = gainful.parse_measure(NAMES[name])(gain=table)
    for seed in range(60):
        qrels, run = draw_set("many ties", seed)
        by_query = pytrec_eval_ext.RelevanceEvaluator(qrels, {f"{name}.{gains}"}).evaluate(run)
        expected = {q: {str(measure): 0.0 if v != v else v} for q, (v,) in _list_values(by_query)}
        assert gainful.evaluate(qrels, run, measure, rules=TREC_EVAL).per_query() == expected
        count_compared("pytrec_eval", len(expected))


def _list_values(by_query):
    return [(query, values.values()) for query, values in by_query.items()]


def test_gains_closer_than_1_are_sorted_here_and_not_by_trec_eval():
    # Their difference is cut to 0, so that the levels stay in the order in which they were named.
    table = {1: 2.9, 2: 2.5}
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    value = gainful.evaluate(qrels, run, gainful.nDCGrel(gain=table)).values.item()
    results = pytrec_eval_ext.RelevanceEvaluator(qrels, {"ndcg_rel.1=2.9,2=2.5"}).evaluate(run)
    assert value == 1.0
    assert results["q"]["ndcg_rel"] > 1.0


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": {"d": 1}}, {"q": {"d": 1.0}}),
        ({"q": {"d": 0}}, {"q": {"d": 1.0}}),
        ({"q": {"d": -1}}, {"q": {"d": 1.0}}),
        ({"q": {"d": 1}}, {"q": {"e": 1.0}}),
    ],
    ids=["relevant", "not relevant", "negative", "unjudged"],
)
def test_single_items_equal_trec_eval(qrels, run):
    assert compare_values(qrels, run) == len(NAMES)
