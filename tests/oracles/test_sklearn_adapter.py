"""Comparison of the functions of adapters.sklearn with those of scikit-learn."""

import math

import numpy as np
import pandas
import pytest
import scipy.sparse
import sklearn.metrics

from gainful.adapters.sklearn import dcg_score, ndcg_score

PAIRS = [(ndcg_score, sklearn.metrics.ndcg_score), (dcg_score, sklearn.metrics.dcg_score)]
LABELS = [[1, 0, 2], [0, 1, 0]]
SCORES = [[0.1, 0.2, 0.3], [0.4, 0.1, 0.1]]


def is_close(value, expected):
    return math.isclose(value, expected, rel_tol=1e-12)


def draw_tables(seed):
    """Return labels and scores of 1 to 6 rankings: whole labels, half tied, or real labels."""
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 7)), int(rng.integers(2, 61))
    scores = rng.permuted(np.tile(np.arange(shape[1]) / 8, (shape[0], 1)), axis=1)
    if seed % 3 == 0:
        return rng.random(shape) * 4, scores
    labels = rng.integers(0, 4, shape)
    labels[0] *= seed % 5 != 0
    return labels, rng.integers(0, 5, shape) / 8 if seed % 2 else scores


@pytest.mark.parametrize(("function", "reference"), PAIRS)
@pytest.mark.parametrize("ignore_ties", [False, True])
@pytest.mark.parametrize("k", [None, 1, 5, 100])
def test_the_value_of_one_ranking_is_that_of_scikit_learn(function, reference, ignore_ties, k):
    for seed in range(60):
        labels, scores = (table[:1] for table in draw_tables(seed))
        options = {"k": k, "ignore_ties": ignore_ties}
        assert is_close(function(labels, scores, **options), reference(labels, scores, **options))


@pytest.mark.parametrize(("function", "reference"), PAIRS)
@pytest.mark.parametrize("ignore_ties", [False, True])
def test_the_mean_of_rankings_is_that_of_scikit_learn(function, reference, ignore_ties):
    for seed in range(120):
        labels, scores = draw_tables(seed)
        weight = np.random.default_rng(seed).random(len(labels)) if seed % 2 else None
        options = {"k": 10, "ignore_ties": ignore_ties, "sample_weight": weight}
        expected = reference(labels, scores, **options)
        assert is_close(function(labels, scores, **options), expected)


@pytest.mark.parametrize(("function", "reference"), PAIRS)
def test_real_labels_of_tied_items_have_the_values_of_scikit_learn(function, reference):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        labels, scores = rng.random((1, 30)), rng.integers(0, 5, (1, 30))
        assert is_close(function(labels, scores, k=10), reference(labels, scores, k=10))


@pytest.mark.parametrize("log_base", [2, 2.0, 1.5, np.e, 10])
def test_the_base_of_the_logarithm_is_that_of_scikit_learn(log_base):
    for seed in range(30):
        labels, scores = (table[:1] for table in draw_tables(seed))
        value = dcg_score(labels, scores, log_base=log_base)
        assert is_close(value, sklearn.metrics.dcg_score(labels, scores, log_base=log_base))


def test_negative_labels_count_in_dcg_as_they_do_in_scikit_learn():
    labels, scores = [[-1, 0, 2], [1, -3, 0]], SCORES
    assert is_close(dcg_score(labels, scores), sklearn.metrics.dcg_score(labels, scores))


@pytest.mark.parametrize(
    "kind", [np.array, list, pandas.DataFrame, lambda x: np.array(x, object), tuple]
)
@pytest.mark.parametrize(("function", "reference"), PAIRS)
def test_tables_of_any_kind_are_taken(kind, function, reference):
    value = function(kind(LABELS), kind(SCORES), sample_weight=pandas.Series([1, 2]))
    assert type(value) is float
    assert is_close(value, reference(LABELS, SCORES, sample_weight=[1, 2]))


def test_labels_may_be_whether_an_item_is_relevant():
    labels = np.array(LABELS, bool)
    assert is_close(ndcg_score(labels, SCORES), sklearn.metrics.ndcg_score(labels, SCORES))


WRONG = {
    "negative labels": (([[-1, 0, 2]], [[1, 2, 3]]), {}),
    "one item": (([[1], [2]], [[1], [2]]), {}),
    "one ranking that is no table": (([1, 0], [1, 2]), {}),
    "three dimensions": ((np.ones((2, 2, 2)), np.ones((2, 2, 2))), {}),
    "no ranking": ((np.ones((0, 3)), np.ones((0, 3))), {}),
    "rows of other lengths": (([[1, 0], [1]], [[1, 0], [1, 2]]), {}),
    "fewer rankings": ((LABELS, SCORES[:1]), {}),
    "fewer items": ((LABELS, [[1, 2], [3, 4]]), {}),
    "a label that is no number": (([[np.nan, 1]], [[1, 2]]), {}),
    "an infinite score": (([[0, 1]], [[1, np.inf]]), {}),
    "words": (([["a", "b"]], [[1, 2]]), {}),
    "complex numbers": (([[1j, 2]], [[1, 2]]), {}),
    "sparse labels": ((scipy.sparse.csr_array(LABELS), SCORES), {}),
    "sparse scores": ((LABELS, scipy.sparse.csr_matrix(SCORES)), {}),
    "a number": ((5, 3), {}),
    "text": (("ab", "cd"), {}),
    "k of 0": ((LABELS, SCORES), {"k": 0}),
    "k with decimals": ((LABELS, SCORES), {"k": 2.0}),
    "ties in numbers": ((LABELS, SCORES), {"ignore_ties": 1}),
    "fewer weights": ((LABELS, SCORES), {"sample_weight": [1]}),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_scikit_learn_refuses_is_refused(case):
    arguments, options = WRONG[case]
    with pytest.raises(ValueError, match=r".+"):
        sklearn.metrics.ndcg_score(*arguments, **options)
    with pytest.raises(ValueError, match=r".+"):
        ndcg_score(*arguments, **options)
