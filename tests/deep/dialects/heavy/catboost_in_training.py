"""Measures as metrics of CatBoost, in training; ``make test-dialects`` runs it."""

import warnings

import numpy as np
import pytest

import gainful
from gainful.adapters.catboost import eval_metric
from gainful.alignment.rules import Rules


def make_rows(seed, n_queries=60):
    """Return features, labels and queries; one query has nothing relevant."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 30, n_queries)
    features = rng.normal(size=(sizes.sum(), 4))
    labels = np.clip(np.round(features[:, 0] + rng.normal(size=len(features))), 0, 4)
    labels[: sizes[0]] = 0
    return features, labels, np.repeat(np.arange(n_queries), sizes)


@pytest.fixture
def pools():
    import catboost

    return [catboost.Pool(x, y, group_id=group) for x, y, group in (make_rows(1), make_rows(2))]


def train(pools, metric, **options):
    import catboost

    quiet = {"verbose": 0, "allow_writing_files": False, "thread_count": 1, "random_seed": 0}
    model = catboost.CatBoost(
        {"loss_function": "YetiRank", "iterations": 10, **quiet, "eval_metric": metric, **options}
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Failed to import numba")
        return model.fit(pools[0], eval_set=pools[1])


@pytest.mark.parametrize("top", [1, 3, 10, 100])
def test_in_its_dialect_a_log_has_the_numbers_of_catboost(pools, top):
    expected = train(pools, f"NDCG:top={top}").get_evals_result()["validation"]
    metric = eval_metric(f"nDCG@{top}", *pools, dialect="catboost")
    actual = train(pools, metric).get_evals_result()["validation"]
    assert actual[f"nDCG@{top}"] == pytest.approx(expected[f"NDCG:top={top};type=Base"], rel=1e-12)


def test_measures_are_those_of_evaluate(pools):
    model = train(pools, eval_metric("AP", *pools))
    _, labels, query = make_rows(2)
    qrels = gainful.Grouped(labels, query_ids=query)
    value = model.get_evals_result()["validation"]["AP"][model.get_best_iteration()]
    scores = model.predict(pools[1])
    assert value == gainful.evaluate(qrels, scores, "AP", rules=Rules(ties="average"))["AP"]


def test_training_stops_early_by_our_measure(pools):
    metric = eval_metric("AP", *pools)
    model = train(pools, metric, iterations=200, early_stopping_rounds=3)
    values = model.get_evals_result()["validation"]["AP"]
    assert len(values) < 200
    assert model.get_best_iteration() == int(np.argmax(values))


def test_rows_that_are_shuffled_are_refused_unless_they_have_time(pools):
    import catboost

    metric = eval_metric("AP", *pools)
    with pytest.raises(catboost.CatBoostError, match="no set has the 923 labels"):
        train(pools, metric, boosting_type="Ordered")
    model = train(pools, metric, boosting_type="Ordered", has_time=True)
    assert len(model.get_evals_result()["learn"]["AP"]) == 10
