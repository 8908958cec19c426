"""Comparison of dialects with the installed scikit-learn: every value and mean, bit for bit."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import gainful
from oracles.dialects.random_lists import CUTOFFS, draw_lists, make_qrels, make_run
from oracles.tally import count_compared
from oracles.ulps import count_ulps

FUNCTIONS = {"nDCG": ndcg_score, "DCG": dcg_score}


@pytest.mark.parametrize("k", [None, *CUTOFFS])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_value_is_that_of_scikit_learn(name, k):
    lists = draw_lists(1)
    expected = [FUNCTIONS[name]([items.labels], [items.scores], k=k) for items in lists]
    measure = name if k is None else f"{name}@{k}"
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), measure, dialect="sklearn")
    assert scores.column(measure).tolist() == expected
    assert [
        getattr(gainful, name.lower())(items.labels, items.scores, k=k, dialect="sklearn")
        for items in lists[:40]
    ] == expected[:40]
    count_compared("scikit-learn, by dialect", len(expected))


@pytest.mark.parametrize("base", [3.0, 10.0, np.e])
def test_other_bases_are_those_of_scikit_learn(base):
    lists = draw_lists(2)
    expected = [dcg_score([items.labels], [items.scores], log_base=base) for items in lists]
    measure = f"DCG(discount=log({base}))"
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), measure, dialect="sklearn")
    assert scores.column(measure).tolist() == expected
    count_compared("scikit-learn, by dialect", len(expected))


def test_labels_that_are_no_whole_numbers_have_the_values_of_scikit_learn():
    rng = np.random.default_rng(3)
    lists = [items._replace(labels=rng.random(len(items.labels))) for items in draw_lists(3)]
    expected = [ndcg_score([items.labels], [items.scores], k=10) for items in lists]
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), "nDCG@10", dialect="sklearn")
    values = scores.column("nDCG@10").tolist()
    has_ties = [len(set(items.scores)) < len(items.scores) for items in lists]
    # Within a tie scikit-learn adds labels in input order, Gainful the highest first.
    distances = [count_ulps(*pair) for pair in zip(values, expected, strict=True)]
    assert max(itertools.compress(distances, has_ties)) <= 4
    assert not any(itertools.compress(distances, (not tied for tied in has_ties)))
    count_compared("scikit-learn, by dialect", len(expected))


@pytest.mark.parametrize("size", [2, 5, 16, 60])
def test_means_are_those_of_scikit_learn_with_and_without_weights(size):
    rng = np.random.default_rng(size)
    labels, scores = rng.integers(0, 4, (300, size)), rng.integers(0, size, (300, size)) / 8
    weights = rng.random(300)
    mean = gainful.mean_ndcg(labels, scores, k=10, dialect="sklearn")
    weighted_mean = gainful.mean_ndcg(labels, scores, k=10, dialect="sklearn", weights=weights)
    assert mean == ndcg_score(labels, scores, k=10)
    assert weighted_mean == ndcg_score(labels, scores, k=10, sample_weight=weights)
    count_compared("scikit-learn, by dialect", 2)
