"""Properties of ndcg() and the other functions for arrays, and of their means."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation.strategies import (
    cutoffs,
    rankings,
    real_labels,
    signed_labels,
    whole_labels,
)
from example_counts import max_examples
from gainful import MeasureError, ndcg
from gainful.alignment.from_arrays import rankings_from_arrays
from gainful.dialects import DIALECTS, find_dialect
from gainful.errors import GainfulError
from gainful.evaluation.functions import compute_values_from_arrays, find_common_reach
from gainful.measures import nDCG
from gainful.measures.cumulative_gain import DCG, IDCG

many_rankings = st.lists(rankings(labels=whole_labels | real_labels), min_size=1, max_size=5)


@given(many_rankings, cutoffs)
@max_examples(100)
def test_a_ranking_scores_the_same_alone_and_in_a_list_of_lists(many_rankings, k):
    labels, scores = ([ranking[i] for ranking in many_rankings] for i in (0, 1))
    for function in (gainful.cg, gainful.dcg, gainful.idcg, gainful.ndcg):
        expected = [function(*ranking, k=k) for ranking in many_rankings]
        assert function(labels, scores, k=k).tolist() == expected


@given(st.integers(1, 5), st.integers(1, 20), st.integers(0, 2**32 - 1), cutoffs)
@max_examples(50)
def test_a_ranking_scores_the_same_alone_and_as_a_row_of_an_array(rows, width, seed, k):
    rng = np.random.default_rng(seed)
    labels, scores = rng.random((rows, width)), rng.integers(0, 4, (rows, width))
    for function in (gainful.dcg, gainful.ndcg):
        expected = [function(labels[i], scores[i], k=k) for i in range(rows)]
        assert function(labels, scores, k=k).tolist() == expected


@given(many_rankings, st.lists(st.integers(1, 14), min_size=1, max_size=4))
@max_examples(50)
def test_several_cutoffs_at_once_give_what_each_gives(many_rankings, ks):
    labels, scores = ([ranking[i] for ranking in many_rankings] for i in (0, 1))
    table = gainful.ndcg(labels, scores, k=ks)
    for column, k in zip(table.T, ks, strict=True):
        assert column.tolist() == gainful.ndcg(labels, scores, k=k).tolist()


@given(st.lists(signed_labels, min_size=1, max_size=12), st.integers(1, 15), cutoffs)
@max_examples(50)
def test_a_list_size_is_the_same_as_cutting_and_padding(labels, size, k):
    padded_labels = (labels + [0] * size)[:size]
    assert gainful.dcg(labels, k=k, list_size=size) == gainful.dcg(padded_labels, k=k)
    settings = {"ideal": "ones", "k": k}
    assert gainful.ndcg(labels, list_size=size, **settings) == gainful.ndcg(
        padded_labels, **settings
    )


@given(st.lists(st.sampled_from(["none", "click", "buy"]), min_size=1, max_size=8))
@max_examples(30)
def test_words_score_as_the_labels_they_stand_for(words):
    worth = {"none": 0, "click": 1, "buy": 3}
    assert gainful.ndcg(words, labels=worth) == gainful.ndcg([worth[word] for word in words])


real_rankings = st.lists(rankings(labels=real_labels), min_size=1, max_size=6)
weighted_rankings = real_rankings.flatmap(
    lambda lists: st.tuples(
        st.just(lists),
        st.lists(st.floats(0, 1e6), min_size=len(lists), max_size=len(lists)),
    )
)


def split_columns(rows):
    """Return the labels of all rankings and the scores of all rankings."""
    return [row[0] for row in rows], [row[1] for row in rows]


@given(weighted_rankings, cutoffs)
@max_examples(100)
def test_the_weighted_mean_is_that_of_numpy(weighted_rows, k):
    rows, weights = weighted_rows
    assume(sum(weights) > 1e-6)
    values = gainful.ndcg(*split_columns(rows), k=k)
    mean = gainful.mean_ndcg(*split_columns(rows), k=k, weights=weights)
    assert mean == pytest.approx(np.average(values, weights=weights), rel=1e-12, abs=1e-300)


@given(real_rankings, st.lists(st.integers(0, 4), min_size=6, max_size=6))
@max_examples(100)
def test_a_whole_weight_counts_a_ranking_that_many_times(rows, counts):
    counts = counts[: len(rows)]
    assume(any(counts))
    repeated_rows = [row for row, count in zip(rows, counts, strict=True) for _ in range(count)]
    assert gainful.mean_ndcg(*split_columns(rows), weights=counts) == pytest.approx(
        gainful.mean_ndcg(*split_columns(repeated_rows)), rel=1e-15
    )


@given(real_rankings, cutoffs)
@max_examples(100)
def test_equal_weights_are_no_weights(rows, k):
    plain = gainful.mean_ndcg(*split_columns(rows), k=k)
    assert gainful.mean_ndcg(*split_columns(rows), k=k, weights=[1] * len(rows)) == plain


@given(real_rankings, cutoffs)
@max_examples(100)
def test_the_mean_is_the_exact_sum_over_the_count(rows, k):
    values = gainful.ndcg(*split_columns(rows), k=k)
    assert gainful.mean_ndcg(*split_columns(rows), k=k) == math.fsum(values) / len(rows)


@given(real_rankings, st.data(), cutoffs)
@max_examples(100)
def test_the_mean_does_not_depend_on_the_order_of_rankings(rows, data, k):
    shuffled_rows = data.draw(st.permutations(rows))
    assert gainful.mean_ndcg(*split_columns(shuffled_rows), k=k) == gainful.mean_ndcg(
        *split_columns(rows), k=k
    )


NAMES = sorted(DIALECTS)
# Scores of few digits are tied, at the top or further down.
ROUNDED = (
    lambda scores: scores,
    lambda scores: np.round(scores, 1),
    lambda scores: np.round(scores, 2),
    lambda scores: np.where(scores > 0.8, scores, np.round(scores, 1)),
    lambda scores: np.where(scores > 0.8, np.round(scores, 1), scores),
)


def compute_bits(measure, labels, scores, dialect, reach, list_options, rule_options):
    """Return the bits of the values, or the message of the error."""
    try:
        parts, _, rules = rankings_from_arrays(
            labels, scores, list_options, rule_options, dialect_rules=dialect.rules, reach=reach
        )
        return compute_values_from_arrays(parts, [measure], rules, [measure])[0].tobytes()
    except GainfulError as error:
        return str(error)


@given(
    name=st.sampled_from(NAMES),
    kind=st.sampled_from([nDCG, DCG, IDCG]),
    cutoff=st.sampled_from([1, 3, 5, 10, 16, 56, 57, 63, 64, 65, 100]),
    rounding=st.sampled_from(ROUNDED),
    n_items=st.integers(2, 400),
    list_size=st.sampled_from([None, None, 2, 50, 500]),
    ties=st.sampled_from(["average", "input"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_rankings_are_worth_the_same_without_what_is_out_of_reach(
    name, kind, cutoff, rounding, n_items, list_size, ties, seed
):
    rng, dialect = np.random.default_rng(seed), find_dialect(name)
    labels, scores = rng.integers(0, 5, (3, n_items)), rounding(rng.random((3, n_items)))
    measure = dialect.resolve(kind @ cutoff)
    options = ({} if list_size is None else {"list_size": list_size}), {"ties": ties}
    bits = compute_bits(measure, labels, scores, dialect, find_common_reach([measure]), *options)
    assert bits == compute_bits(measure, labels, scores, dialect, None, *options)


def test_a_negative_label_is_refused_however_deep_it_stands():
    labels, scores = np.ones((2, 500)), -np.arange(1000.0).reshape(2, 500)
    labels[1, 499] = -3
    with pytest.raises(MeasureError) as error:
        ndcg(labels, scores, k=5, dialect="sklearn")
    assert str(error.value) == (
        "dialect sklearn: query '1' has the label -3, got negatives=error. "
        "State negatives=zero, as in nDCG(negatives=zero)@10, to count it as 0."
    )
