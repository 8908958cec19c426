"""LightGBM as it is installed: values, weighted means and refusals."""

import lightgbm
import numpy as np
import pytest

import gainful
from oracles.dialects.random_lists import CUTOFFS, ScoredItems, draw_lists, make_qrels, make_run
from oracles.tally import count_compared


def compute_values(lists: list[ScoredItems], **settings) -> list[float]:
    """LightGBM's nDCG of all lists, at every cutoff: of scores that are given, without a tree."""
    weights = settings.pop("weights", None)
    sizes = [len(ranking.labels) for ranking in lists]
    data = lightgbm.Dataset(
        np.zeros((sum(sizes), 1)),
        label=np.concatenate([ranking.labels for ranking in lists]),
        init_score=np.concatenate([ranking.scores for ranking in lists]),
        group=sizes,
        weight=None if weights is None else np.repeat(weights, sizes),
        params={"verbose": -1, "feature_pre_filter": False},
    )
    # One thread: with several, LightGBM adds up in another order.
    parameters = {"objective": "none", "metric": "ndcg", "eval_at": CUTOFFS, "num_threads": 1}
    booster = lightgbm.Booster({"verbose": -1, **parameters, **settings}, data)
    return [value for _, _, value, _ in booster.eval_train()]


def evaluate_lists(lists: list[ScoredItems], **settings) -> gainful.Scores:
    measures = [gainful.nDCG(**settings) @ k for k in CUTOFFS]
    return gainful.evaluate(make_qrels(lists), make_run(lists), measures, dialect="lightgbm")


def test_every_value_is_that_of_lightgbm():
    lists = draw_lists(1)
    expected = [compute_values([ranking]) for ranking in lists]
    assert evaluate_lists(lists).values == pytest.approx(np.array(expected), rel=1e-12)
    count_compared("LightGBM, by dialect", len(lists) * len(CUTOFFS))


def test_a_table_of_gains_need_not_rise_with_the_label():
    lists = draw_lists(2)[:60]
    table = [0.0, 3.0, 1.0, 7.0, 2.0]
    expected = [compute_values([ranking], label_gain=table) for ranking in lists]
    values = evaluate_lists(lists, gain=dict(enumerate(table))).values
    assert values == pytest.approx(np.array(expected), rel=1e-12)
    assert max(max(row) for row in expected) > 1
    count_compared("LightGBM, by dialect", len(lists) * len(CUTOFFS))


def test_means_are_those_of_lightgbm():
    lists = draw_lists(3)
    means = list(evaluate_lists(lists).mean().values())
    assert means == pytest.approx(compute_values(lists), rel=1e-12)


def test_weighted_means_count_a_query_without_gain_once_whatever_its_weight():
    lists = draw_lists(4)
    # Weights of single precision: LightGBM keeps no others.
    weights = np.random.default_rng(4).integers(1, 9, len(lists)) / 4
    measures = [gainful.nDCG @ k for k in CUTOFFS]
    scores = gainful.evaluate(
        make_qrels(lists),
        make_run(lists),
        measures,
        dialect="lightgbm",
        weights=dict(zip(make_run(lists), weights.tolist(), strict=True)),
    )
    means = list(scores.mean().values())
    assert means == pytest.approx(compute_values(lists, weights=weights), rel=1e-12)
    count_compared("LightGBM, by dialect", 2 * len(CUTOFFS))


@pytest.mark.parametrize("label", [-1, 0.5, 31])
def test_labels_that_lightgbm_refuses_are_refused(label):
    lists = [ScoredItems(np.array([label, 1.0]), np.array([2.0, 1.0]))]
    with pytest.raises(lightgbm.basic.LightGBMError):
        compute_values(lists)
    with pytest.raises(gainful.GainfulError):
        evaluate_lists(lists)
