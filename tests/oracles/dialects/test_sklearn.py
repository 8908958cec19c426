"""Comparison of dialects with the installed scikit-learn: every value and mean."""

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import gainful
from oracles.dialects.random_lists import CUTOFFS, draw_lists, make_qrels, make_run
from oracles.tally import count_compared

FUNCTIONS = {"nDCG": ndcg_score, "DCG": dcg_score}


@pytest.mark.parametrize("k", [None, *CUTOFFS])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_value_is_that_of_scikit_learn(name, k):
    lists = draw_lists(1)
    expected = [FUNCTIONS[name]([items.labels], [items.scores], k=k) for items in lists]
    measure = name if k is None else f"{name}@{k}"
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), measure, dialect="sklearn")
    assert scores.column(measure) == pytest.approx(expected, rel=1e-12)
    assert [
        getattr(gainful, name.lower())(items.labels, items.scores, k=k, dialect="sklearn")
        for items in lists[:40]
    ] == pytest.approx(expected[:40], rel=1e-12)
    count_compared("scikit-learn, by dialect", len(expected))


@pytest.mark.parametrize("base", [3.0, 10.0, np.e])
def test_other_bases_are_those_of_scikit_learn(base):
    lists = draw_lists(2)
    expected = [dcg_score([items.labels], [items.scores], log_base=base) for items in lists]
    measure = f"DCG(discount=log({base}))"
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), measure, dialect="sklearn")
    assert scores.column(measure) == pytest.approx(expected, rel=1e-12)
    count_compared("scikit-learn, by dialect", len(expected))


def test_labels_that_are_no_whole_numbers_have_the_values_of_scikit_learn():
    rng = np.random.default_rng(3)
    lists = [items._replace(labels=rng.random(len(items.labels))) for items in draw_lists(3)]
    expected = [ndcg_score([items.labels], [items.scores], k=10) for items in lists]
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), "nDCG@10", dialect="sklearn")
    assert scores.column("nDCG@10") == pytest.approx(expected, rel=1e-12)
    count_compared("scikit-learn, by dialect", len(expected))


@pytest.mark.parametrize("size", [2, 5, 16, 60])
def test_means_are_those_of_scikit_learn_with_and_without_weights(size):
    rng = np.random.default_rng(size)
    labels, scores = rng.integers(0, 4, (300, size)), rng.integers(0, size, (300, size)) / 8
    weights = rng.random(300)
    mean = gainful.mean_ndcg(labels, scores, k=10, dialect="sklearn")
    weighted_mean = gainful.mean_ndcg(labels, scores, k=10, dialect="sklearn", weights=weights)
    expected = ndcg_score(labels, scores, k=10)
    weighted = ndcg_score(labels, scores, k=10, sample_weight=weights)
    assert [mean, weighted_mean] == pytest.approx([expected, weighted], rel=1e-12)
    count_compared("scikit-learn, by dialect", 2)
