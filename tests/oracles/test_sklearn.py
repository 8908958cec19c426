"""DCG and nDCG against scikit-learn, which averages ties too, but adds in another order.

Both are rounded. Gainful adds the n terms of a sum one by one, each addition off by half a unit in
the last place (ulp) at most: a DCG may be n/2 ulp away from exact and an nDCG, made of two sums, n
ulp. scikit-learn has fewer additions where items are tied, and as many where they are not; its
logarithms are quotients. Four ulp are for what comes with the terms. Short lists stay within them.
"""

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import gainful
from oracles.ulps import ulps

WIDTHS = (2, 3, 5, 10, 30, 100, 300)
CUTOFFS = (None, 1, 3, 10, 1000)


def tied_arrays(seed: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, whole or real, and scores on a few levels, for four rankings."""
    rng = np.random.default_rng([seed, width])
    labels = rng.integers(0, 4, (4, width)) if seed % 2 else rng.random((4, width)) * 4
    levels = rng.choice([1, 2, 5, 10 * width])
    return labels, rng.integers(0, levels, (4, width)) / 8


def untied_arrays(seed: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, whole or real, and scores that are all different, for four rankings."""
    labels, _ = tied_arrays(seed, width)
    rng = np.random.default_rng(seed)
    return labels, rng.permuted(np.tile(np.arange(width) / 8, (4, 1)), axis=1)


def row_by_row(function, labels, scores, **options):
    """scikit-learn returns the mean of the rows; here is each of them."""
    rows = range(len(labels))
    return [function(labels[i : i + 1], scores[i : i + 1], **options) for i in rows]


def distances(expected, found) -> list[int]:
    """How many ulps apart the values are."""
    return [ulps(a, b) for a, b in zip(expected, found.tolist(), strict=True)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", CUTOFFS)
def test_averaged_ties_equal_scikit_learn_up_to_rounding(width, k, record_testsuite_property):
    dcg, ndcg = [], []
    for seed in range(8):
        labels, scores = tied_arrays(seed, width)
        dcg += distances(
            row_by_row(dcg_score, labels, scores, k=k), gainful.dcg(labels, scores, k=k)
        )
        ndcg += distances(
            row_by_row(ndcg_score, labels, scores, k=k), gainful.ndcg(labels, scores, k=k)
        )
    record_testsuite_property(f"most ulps apart, {width} {k}", max(dcg + ndcg))
    assert max(dcg) <= 4 + width / 2
    assert max(ndcg) <= 4 + width


def test_short_lists_are_within_4_ulp_of_scikit_learn(record_testsuite_property):
    apart = []
    for seed in range(100):
        labels, scores = tied_arrays(seed, width=2 + seed % 3)
        apart += distances(row_by_row(dcg_score, labels, scores), gainful.dcg(labels, scores))
        apart += distances(row_by_row(ndcg_score, labels, scores), gainful.ndcg(labels, scores))
    record_testsuite_property("values compared with scikit-learn", len(apart))
    assert len(apart) == 800
    assert max(apart) <= 4


@pytest.mark.parametrize("width", WIDTHS)
def test_the_base_of_the_logarithm_is_that_of_scikit_learn(width):
    for seed in range(8):
        labels, scores = tied_arrays(seed, width)
        expected = row_by_row(dcg_score, labels, scores, k=10, log_base=10)
        found = gainful.dcg(labels, scores, k=10, discount="log(10)")
        assert max(distances(expected, found)) <= 4 + width / 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", [None, 3])
def test_without_ties_ignoring_them_equals_keeping_the_input_order(width, k):
    for seed in range(8):
        labels, scores = untied_arrays(seed, width)
        for function, mine, sums in [(dcg_score, gainful.dcg, 1), (ndcg_score, gainful.ndcg, 2)]:
            expected = row_by_row(function, labels, scores, k=k, ignore_ties=True)
            found = mine(labels, scores, k=k, ties="input")
            assert max(distances(expected, found)) <= 4 + width / 2 * sums


def test_the_mean_and_the_weighted_mean_are_those_of_scikit_learn():
    labels, scores = tied_arrays(1, width=20)
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
    found = gainful.dcg(labels, scores, negatives="keep")
    assert max(distances([dcg_score(labels, scores)], found)) <= 4
