"""The installed scikit-learn: every value and mean, bit for bit."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import gainful
from oracles.dialects.random_lists import CUTOFFS, as_qrels, as_run, random_lists
from oracles.tally import compared
from oracles.ulps import ulps

FUNCTIONS = {"nDCG": ndcg_score, "DCG": dcg_score}


@pytest.mark.parametrize("k", [None, *CUTOFFS])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_value_is_that_of_scikit_learn(name, k):
    lists = random_lists(1)
    expected = [FUNCTIONS[name]([one.labels], [one.scores], k=k) for one in lists]
    measure = name if k is None else f"{name}@{k}"
    scores = gainful.evaluate(as_qrels(lists), as_run(lists), measure, dialect="sklearn")
    assert scores.column(measure).tolist() == expected
    assert [
        getattr(gainful, name.lower())(one.labels, one.scores, k=k, dialect="sklearn")
        for one in lists[:40]
    ] == expected[:40]
    compared("scikit-learn, by dialect", len(expected))


@pytest.mark.parametrize("base", [3.0, 10.0, np.e])
def test_other_bases_are_those_of_scikit_learn(base):
    lists = random_lists(2)
    expected = [dcg_score([one.labels], [one.scores], log_base=base) for one in lists]
    measure = f"DCG(discount=log({base}))"
    scores = gainful.evaluate(as_qrels(lists), as_run(lists), measure, dialect="sklearn")
    assert scores.column(measure).tolist() == expected
    compared("scikit-learn, by dialect", len(expected))


def test_labels_that_are_no_whole_numbers_have_the_values_of_scikit_learn():
    rng = np.random.default_rng(3)
    lists = [one._replace(labels=rng.random(len(one.labels))) for one in random_lists(3)]
    expected = [ndcg_score([one.labels], [one.scores], k=10) for one in lists]
    scores = gainful.evaluate(as_qrels(lists), as_run(lists), "nDCG@10", dialect="sklearn")
    found = scores.column("nDCG@10").tolist()
    tied = [len(set(one.scores)) < len(one.scores) for one in lists]
    # Within a tie it adds labels as they were passed in, we the highest first.
    apart = [ulps(*pair) for pair in zip(found, expected, strict=True)]
    assert max(itertools.compress(apart, tied)) <= 4
    assert not any(itertools.compress(apart, (not one for one in tied)))
    compared("scikit-learn, by dialect", len(expected))


@pytest.mark.parametrize("size", [2, 5, 16, 60])
def test_means_are_those_of_scikit_learn_with_and_without_weights(size):
    rng = np.random.default_rng(size)
    labels, scores = rng.integers(0, 4, (300, size)), rng.integers(0, size, (300, size)) / 8
    weights = rng.random(300)
    plain = gainful.mean_ndcg(labels, scores, k=10, dialect="sklearn")
    weighed = gainful.mean_ndcg(labels, scores, k=10, dialect="sklearn", weights=weights)
    assert plain == ndcg_score(labels, scores, k=10)
    assert weighed == ndcg_score(labels, scores, k=10, sample_weight=weights)
    compared("scikit-learn, by dialect", 2)
