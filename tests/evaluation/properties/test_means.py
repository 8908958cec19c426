"""Means over queries: exact sums, so that their order does not matter; and weights."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation.properties.strategies import collections, cutoffs, rankings, real_labels
from tries import tried

several = st.lists(rankings(labels=real_labels), min_size=1, max_size=6)
weighted = several.flatmap(
    lambda lists: st.tuples(
        st.just(lists),
        st.lists(st.floats(0, 1e6), min_size=len(lists), max_size=len(lists)),
    )
)


def columns(rows):
    """The labels of all rankings and the scores of all rankings."""
    return [row[0] for row in rows], [row[1] for row in rows]


@given(weighted, cutoffs)
@tried(100)
def test_the_weighted_mean_is_that_of_numpy(given_rows, k):
    rows, weights = given_rows
    assume(sum(weights) > 1e-6)
    values = gainful.ndcg(*columns(rows), k=k)
    mean = gainful.mean_ndcg(*columns(rows), k=k, weights=weights)
    assert mean == pytest.approx(np.average(values, weights=weights), rel=1e-12, abs=1e-300)


@given(several, st.lists(st.integers(0, 4), min_size=6, max_size=6))
@tried(100)
def test_a_whole_weight_counts_a_ranking_that_many_times(rows, counts):
    counts = counts[: len(rows)]
    assume(any(counts))
    repeated = [row for row, count in zip(rows, counts, strict=True) for _ in range(count)]
    assert gainful.mean_ndcg(*columns(rows), weights=counts) == pytest.approx(
        gainful.mean_ndcg(*columns(repeated)), rel=1e-15
    )


@given(several, cutoffs)
@tried(100)
def test_equal_weights_are_no_weights(rows, k):
    plain = gainful.mean_ndcg(*columns(rows), k=k)
    assert gainful.mean_ndcg(*columns(rows), k=k, weights=[1] * len(rows)) == plain


@given(several, cutoffs)
@tried(100)
def test_the_mean_is_the_exact_sum_over_the_count(rows, k):
    values = gainful.ndcg(*columns(rows), k=k)
    assert gainful.mean_ndcg(*columns(rows), k=k) == math.fsum(values) / len(rows)


@given(several, st.data(), cutoffs)
@tried(100)
def test_the_mean_does_not_depend_on_the_order_of_rankings(rows, data, k):
    shuffled = data.draw(st.permutations(rows))
    assert gainful.mean_ndcg(*columns(shuffled), k=k) == gainful.mean_ndcg(*columns(rows), k=k)


@given(collections(labels=real_labels), st.integers(1, 5))
@tried(100)
def test_the_mean_of_scores_leaves_out_what_is_undefined(collection, k):
    qrels, run = collection
    scores = gainful.evaluate(qrels, run, f"nDCG@{k}", rules=gainful.Rules(empty="nan"))
    defined = [value for value in scores.values[:, 0].tolist() if not math.isnan(value)]
    expected = math.fsum(defined) / len(defined) if defined else math.nan
    assert scores[f"nDCG@{k}"] == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
