"""LightGBM as it is installed: values, weighted means and refusals."""

import lightgbm
import numpy as np
import pytest

import gainful
from oracles.dialects.random_lists import CUTOFFS, Listed, as_qrels, as_run, random_lists
from oracles.tally import compared


def values(lists: list[Listed], **settings) -> list[float]:
    """LightGBM's nDCG of all lists, at every cutoff: of scores that are given, without a tree."""
    weights = settings.pop("weights", None)
    sizes = [len(one.labels) for one in lists]
    data = lightgbm.Dataset(
        np.zeros((sum(sizes), 1)),
        label=np.concatenate([one.labels for one in lists]),
        init_score=np.concatenate([one.scores for one in lists]),
        group=sizes,
        weight=None if weights is None else np.repeat(weights, sizes),
        params={"verbose": -1, "feature_pre_filter": False},
    )
    # One thread: with several, LightGBM adds up in another order.
    asked = {"objective": "none", "metric": "ndcg", "eval_at": CUTOFFS, "num_threads": 1}
    booster = lightgbm.Booster({"verbose": -1, **asked, **settings}, data)
    return [value for _, _, value, _ in booster.eval_train()]


def ours(lists: list[Listed], **settings) -> gainful.Scores:
    measures = [gainful.nDCG(**settings) @ k for k in CUTOFFS]
    return gainful.evaluate(as_qrels(lists), as_run(lists), measures, dialect="lightgbm")


def test_every_value_is_that_of_lightgbm():
    lists = random_lists(1)
    expected = [values([one]) for one in lists]
    assert ours(lists).values.tolist() == expected
    compared("LightGBM, by dialect", len(lists) * len(CUTOFFS))


def test_a_table_of_gains_need_not_rise_with_the_label():
    lists = random_lists(2)[:60]
    table = [0.0, 3.0, 1.0, 7.0, 2.0]
    expected = [values([one], label_gain=table) for one in lists]
    assert ours(lists, gain=dict(enumerate(table))).values.tolist() == expected
    assert max(max(row) for row in expected) > 1
    compared("LightGBM, by dialect", len(lists) * len(CUTOFFS))


def test_means_are_those_of_lightgbm():
    lists = random_lists(3)
    assert list(ours(lists).mean().values()) == values(lists)


def test_weighted_means_count_a_query_without_gain_once_whatever_its_weight():
    lists = random_lists(4)
    # Weights of single precision: LightGBM keeps no others.
    weights = np.random.default_rng(4).integers(1, 9, len(lists)) / 4
    measures = [gainful.nDCG @ k for k in CUTOFFS]
    scores = gainful.evaluate(
        as_qrels(lists),
        as_run(lists),
        measures,
        dialect="lightgbm",
        weights=dict(zip(as_run(lists), weights.tolist(), strict=True)),
    )
    assert list(scores.mean().values()) == values(lists, weights=weights)
    compared("LightGBM, by dialect", 2 * len(CUTOFFS))


@pytest.mark.parametrize("label", [-1, 0.5, 31])
def test_labels_that_lightgbm_refuses_are_refused(label):
    lists = [Listed(np.array([label, 1.0]), np.array([2.0, 1.0]))]
    with pytest.raises(lightgbm.basic.LightGBMError):
        values(lists)
    with pytest.raises(gainful.GainfulError):
        ours(lists)
