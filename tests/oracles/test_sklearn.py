"""Comparison of DCG and nDCG with scikit-learn, which averages ties but adds in another order.

Both round. Gainful adds the n terms of a sum one by one, with an error of at most half a unit in
the last place (ulp) per addition: a DCG may be n/2 ulp away from exact and an nDCG, made of two
sums, n ulp. scikit-learn has fewer additions where items are tied, and as many where they are not;
its logarithms are quotients. Four ulp are for errors of the terms. Short lists stay within them.
"""

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import gainful
from oracles.ulps import count_ulps

WIDTHS = (2, 3, 5, 10, 30, 100, 300)
CUTOFFS = (None, 1, 3, 10, 1000)


def draw_tied_arrays(seed: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return labels, whole or real, and scores on a few levels, for four rankings."""
    rng = np.random.default_rng([seed, width])
    labels = rng.integers(0, 4, (4, width)) if seed % 2 else rng.random((4, width)) * 4
    levels = rng.choice([1, 2, 5, 10 * width])
    return labels, rng.integers(0, levels, (4, width)) / 8


def draw_untied_arrays(seed: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return labels, whole or real, and scores that all differ, for four rankings."""
    labels, _ = draw_tied_arrays(seed, width)
    rng = np.random.default_rng(seed)
    return labels, rng.permuted(np.tile(np.arange(width) / 8, (4, 1)), axis=1)


def score_rows(function, labels, scores, **options):
    """Return the value of every row; scikit-learn itself returns their mean."""
    rows = range(len(labels))
    return [function(labels[i : i + 1], scores[i : i + 1], **options) for i in rows]


def measure_distances(expected, actual) -> list[int]:
    """Return the distances of the values in ulps."""
    return [count_ulps(a, b) for a, b in zip(expected, actual.tolist(), strict=True)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", CUTOFFS)
def test_averaged_ties_equal_scikit_learn_up_to_rounding(width, k, record_testsuite_property):
    dcg, ndcg = [], []
    for seed in range(8):
        labels, scores = draw_tied_arrays(seed, width)
        dcg += measure_distances(
            score_rows(dcg_score, labels, scores, k=k), gainful.dcg(labels, scores, k=k)
        )
        ndcg += measure_distances(
            score_rows(ndcg_score, labels, scores, k=k), gainful.ndcg(labels, scores, k=k)
        )
    record_testsuite_property(f"most ulps apart, {width} {k}", max(dcg + ndcg))
    assert max(dcg) <= 4 + width / 2
    assert max(ndcg) <= 4 + width


def test_short_lists_are_within_4_ulp_of_scikit_learn(record_testsuite_property):
    distances = []
    for seed in range(100):
        labels, scores = draw_tied_arrays(seed, width=2 + seed % 3)
        distances += measure_distances(
            score_rows(dcg_score, labels, scores), gainful.dcg(labels, scores)
        )
        distances += measure_distances(
            score_rows(ndcg_score, labels, scores), gainful.ndcg(labels, scores)
        )
    record_testsuite_property("values compared with scikit-learn", len(distances))
    assert len(distances) == 800
    assert max(distances) <= 4


@pytest.mark.parametrize("width", WIDTHS)
def test_the_base_of_the_logarithm_is_that_of_scikit_learn(width):
    for seed in range(8):
        labels, scores = draw_tied_arrays(seed, width)
        expected = score_rows(dcg_score, labels, scores, k=10, log_base=10)
        actual = gainful.dcg(labels, scores, k=10, discount="log(10)")
        assert max(measure_distances(expected, actual)) <= 4 + width / 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", [None, 3])
def test_without_ties_ignoring_them_equals_keeping_the_input_order(width, k):
    for seed in range(8):
        labels, scores = draw_untied_arrays(seed, width)
        for function, compute, n_sums in [
            (dcg_score, gainful.dcg, 1),
            (ndcg_score, gainful.ndcg, 2),
        ]:
            expected = score_rows(function, labels, scores, k=k, ignore_ties=True)
            actual = compute(labels, scores, k=k, ties="input")
            assert max(measure_distances(expected, actual)) <= 4 + width / 2 * n_sums


def test_the_mean_and_the_weighted_mean_are_those_of_scikit_learn():
    labels, scores = draw_tied_arrays(1, width=20)
    weights = np.array([0.5, 3.0, 0.0, 1.25])
    assert gainful.mean_ndcg(labels, scores) == pytest.approx(ndcg_score(labels, scores), rel=1e-14)
    assert gainful.mean_ndcg(labels, scores, k=5, weights=weights) == pytest.approx(
        ndcg_score(labels, scores, k=5, sample_weight=weights), rel=1e-14
    )


def test_a_ranking_with_nothing_relevant_scores_0_as_in_scikit_learn():
    labels, scores = np.zeros((1, 4)), np.arange(4.0).reshape(1, 4)
    assert ndcg_score(labels, scores) == 0.0
    assert gainful.ndcg(labels, scores).tolist() == [0.0]


def test_negative_labels_that_scikit_learn_keeps_in_dcg_are_kept_where_asked():
    labels, scores = np.array([[-1.0, 2.0, 1.0]]), np.array([[3.0, 2.0, 1.0]])
    actual = gainful.dcg(labels, scores, negatives="keep")
    assert max(measure_distances([dcg_score(labels, scores)], actual)) <= 4
