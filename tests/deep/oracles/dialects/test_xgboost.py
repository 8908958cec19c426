"""XGBoost as it is installed: values, weighted means and refusals."""

import numpy as np
import pytest
import xgboost

import gainful
from gainful.dialects import find_dialect
from oracles.dialects.random_lists import ScoredItems, draw_lists, make_qrels, make_run
from oracles.tally import count_compared

METRICS = {"nDCG": "ndcg", "nDCG@1": "ndcg@1", "nDCG@5": "ndcg@5", "nDCG@60": "ndcg@60"}


def compute_values(lists: list[ScoredItems], *, weights=None, suffix="", **settings) -> list[float]:
    """XGBoost's nDCG of all lists, for every metric: of scores that are given, without a tree."""
    sizes = [len(ranking.labels) for ranking in lists]
    data = xgboost.DMatrix(
        np.zeros((sum(sizes), 1)),
        label=np.concatenate([ranking.labels for ranking in lists]),
        base_margin=np.concatenate([ranking.scores for ranking in lists]),
        weight=weights,
    )
    data.set_group(sizes)
    metrics = [metric + suffix for metric in METRICS.values()]
    parameters = {"objective": "reg:squarederror", "eval_metric": metrics, "nthread": 1}
    output = xgboost.Booster({**parameters, **settings}, [data]).eval(data)
    return [float(part.rpartition(":")[2]) for part in output.split("\t")[1:]]


def is_close(values: object, expected: list) -> bool:
    """Whether values agree; XGBoost prints 17 decimals."""
    return bool(np.allclose(np.asarray(values), expected, rtol=1e-12, atol=1e-16))


def evaluate_lists(lists: list[ScoredItems], name: str = "xgboost", **rules) -> gainful.Scores:
    dialect = find_dialect(name).with_rules(**rules)
    return gainful.evaluate(make_qrels(lists), make_run(lists), list(METRICS), dialect=dialect)


@pytest.mark.parametrize("exponential", [True, False])
def test_every_value_is_that_of_xgboost(exponential):
    lists = draw_lists(1)
    expected = [compute_values([ranking], ndcg_exp_gain=exponential) for ranking in lists]
    dialect = "xgboost" if exponential else "xgboost-linear"
    assert is_close(evaluate_lists(lists, dialect).values, expected)
    count_compared("XGBoost, by dialect", len(lists) * len(METRICS))


def test_a_minus_gives_queries_without_gain_0():
    lists = draw_lists(2)[:60]
    expected = [compute_values([ranking], suffix="-") for ranking in lists]
    assert is_close(evaluate_lists(lists, empty="zero").values, expected)
    count_compared("XGBoost, by dialect", len(lists) * len(METRICS))


def test_negative_labels_and_fractions_are_kept_where_the_gain_is_linear():
    rng = np.random.default_rng(3)
    lists = [
        ranking._replace(labels=rng.integers(-4, 9, len(ranking.labels)) / 4)
        for ranking in draw_lists(3)
    ]
    expected = [compute_values([ranking], ndcg_exp_gain=False) for ranking in lists]
    assert is_close(evaluate_lists(lists, "xgboost-linear").values, expected)
    count_compared("XGBoost, by dialect", len(lists) * len(METRICS))


def test_means_are_those_of_xgboost():
    lists = draw_lists(4)
    assert is_close(list(evaluate_lists(lists).mean().values()), compute_values(lists))


def test_weighted_means_count_a_query_without_gain_once_whatever_its_weight():
    lists = draw_lists(5)
    weights = np.random.default_rng(5).integers(1, 9, len(lists)) / 4
    scores = gainful.evaluate(
        make_qrels(lists),
        make_run(lists),
        list(METRICS),
        dialect="xgboost",
        weights=dict(zip(make_run(lists), weights.tolist(), strict=True)),
    )
    assert is_close(list(scores.mean().values()), compute_values(lists, weights=weights))
    count_compared("XGBoost, by dialect", 2 * len(METRICS))


def test_scores_that_are_closer_than_single_precision_are_tied():
    lists = [ScoredItems(np.array([0, 1]), np.array([1.0, 1.0 + 1e-9]))]
    assert compute_values(lists)[1] == 0.0 == evaluate_lists(lists)["nDCG@1"]


@pytest.mark.parametrize("label", [-1, 0.5, 32])
def test_labels_that_xgboost_refuses_are_refused(label):
    lists = [ScoredItems(np.array([label, 1.0]), np.array([2.0, 1.0]))]
    with pytest.raises(xgboost.core.XGBoostError):
        compute_values(lists)
    with pytest.raises(gainful.GainfulError):
        evaluate_lists(lists)
