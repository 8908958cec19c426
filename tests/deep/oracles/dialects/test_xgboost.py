"""XGBoost as it is installed: values, weighted means and refusals.

It gives its values as text of 17 decimals, so ours are printed and read in the same way.
"""

import numpy as np
import pytest
import xgboost

import gainful
from gainful.dialects import find_dialect
from oracles.dialects.random_lists import Listed, as_qrels, as_run, random_lists
from oracles.tally import compared

METRICS = {"nDCG": "ndcg", "nDCG@1": "ndcg@1", "nDCG@5": "ndcg@5", "nDCG@60": "ndcg@60"}


def values(lists: list[Listed], *, weights=None, suffix="", **settings) -> list[float]:
    """XGBoost's nDCG of all lists, for every metric: of scores that are given, without a tree."""
    sizes = [len(one.labels) for one in lists]
    data = xgboost.DMatrix(
        np.zeros((sum(sizes), 1)),
        label=np.concatenate([one.labels for one in lists]),
        base_margin=np.concatenate([one.scores for one in lists]),
        weight=weights,
    )
    data.set_group(sizes)
    metrics = [metric + suffix for metric in METRICS.values()]
    asked = {"objective": "reg:squarederror", "eval_metric": metrics, "nthread": 1}
    printed = xgboost.Booster({**asked, **settings}, [data]).eval(data)
    return [float(part.rpartition(":")[2]) for part in printed.split("\t")[1:]]


def printed(found: np.ndarray) -> list:
    """Ours as XGBoost would have printed them."""
    return [[float(f"{value:.17f}") for value in row] for row in np.atleast_2d(found)]


def ours(lists: list[Listed], dialect: str = "xgboost", **rules) -> gainful.Scores:
    spoken = find_dialect(dialect).with_rules(**rules)
    return gainful.evaluate(as_qrels(lists), as_run(lists), list(METRICS), dialect=spoken)


@pytest.mark.parametrize("exponential", [True, False])
def test_every_value_is_that_of_xgboost(exponential):
    lists = random_lists(1)
    expected = [values([one], ndcg_exp_gain=exponential) for one in lists]
    dialect = "xgboost" if exponential else "xgboost-linear"
    assert printed(ours(lists, dialect).values) == expected
    compared("XGBoost, by dialect", len(lists) * len(METRICS))


def test_a_minus_gives_queries_without_gain_0():
    lists = random_lists(2)[:60]
    expected = [values([one], suffix="-") for one in lists]
    assert printed(ours(lists, empty="zero").values) == expected
    compared("XGBoost, by dialect", len(lists) * len(METRICS))


def test_negative_labels_and_fractions_are_kept_where_the_gain_is_linear():
    rng = np.random.default_rng(3)
    lists = [
        one._replace(labels=rng.integers(-4, 9, len(one.labels)) / 4) for one in random_lists(3)
    ]
    expected = [values([one], ndcg_exp_gain=False) for one in lists]
    assert printed(ours(lists, "xgboost-linear").values) == expected
    compared("XGBoost, by dialect", len(lists) * len(METRICS))


def test_means_are_those_of_xgboost():
    lists = random_lists(4)
    assert printed(list(ours(lists).mean().values())) == [values(lists)]


def test_weighted_means_count_a_query_without_gain_once_whatever_its_weight():
    lists = random_lists(5)
    weights = np.random.default_rng(5).integers(1, 9, len(lists)) / 4
    scores = gainful.evaluate(
        as_qrels(lists),
        as_run(lists),
        list(METRICS),
        dialect="xgboost",
        weights=dict(zip(as_run(lists), weights.tolist(), strict=True)),
    )
    assert printed(list(scores.mean().values())) == [values(lists, weights=weights)]
    compared("XGBoost, by dialect", 2 * len(METRICS))


def test_scores_that_are_closer_than_single_precision_are_tied():
    lists = [Listed(np.array([0, 1]), np.array([1.0, 1.0 + 1e-9]))]
    assert values(lists)[1] == 0.0 == ours(lists)["nDCG@1"]


@pytest.mark.parametrize("label", [-1, 0.5, 32])
def test_labels_that_xgboost_refuses_are_refused(label):
    lists = [Listed(np.array([label, 1.0]), np.array([2.0, 1.0]))]
    with pytest.raises(xgboost.core.XGBoostError):
        values(lists)
    with pytest.raises(gainful.GainfulError):
        ours(lists)
