"""Rankings and sums that are cut where nothing counts any more have the values of whole ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import MeasureError, ndcg
from gainful.alignment.from_arrays import rankings_from_arrays
from gainful.dialects import DIALECTS, find_dialect
from gainful.errors import GainfulError
from gainful.evaluation.functions import common_reach, values_from_arrays
from gainful.measures import nDCG
from gainful.measures._summation import room, row_sums
from gainful.measures.cumulative_gain import DCG, IDCG

NAMES = sorted(DIALECTS)
SUMS = ("pairwise", "cascade", "dot")
# Scores of few digits are tied, at the top or further down.
ROUNDED = (
    lambda scores: scores,
    lambda scores: np.round(scores, 1),
    lambda scores: np.round(scores, 2),
    lambda scores: np.where(scores > 0.8, scores, np.round(scores, 1)),
    lambda scores: np.where(scores > 0.8, np.round(scores, 1), scores),
)


def found(measure, labels, scores, dialect, reach, take, rule):
    """The bits of the values, or what is refused."""
    try:
        parts, _, rules = rankings_from_arrays(
            labels, scores, take, rule, dialect_rules=dialect.rules, reach=reach
        )
        return values_from_arrays(parts, [measure], rules, [measure])[0].tobytes()
    except GainfulError as error:
        return str(error)


@given(
    name=st.sampled_from(NAMES),
    asked=st.sampled_from([nDCG, DCG, IDCG]),
    cutoff=st.sampled_from([1, 3, 5, 10, 16, 56, 57, 63, 64, 65, 100]),
    rounded=st.sampled_from(ROUNDED),
    n_items=st.integers(2, 400),
    list_size=st.sampled_from([None, None, 2, 50, 500]),
    ties=st.sampled_from(["average", "input"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_rankings_are_worth_the_same_without_what_is_out_of_reach(
    name, asked, cutoff, rounded, n_items, list_size, ties, seed
):
    rng, dialect = np.random.default_rng(seed), find_dialect(name)
    labels, scores = rng.integers(0, 5, (3, n_items)), rounded(rng.random((3, n_items)))
    measure = dialect.resolve(asked @ cutoff)
    asked_for = ({} if list_size is None else {"list_size": list_size}), {"ties": ties}
    cut = found(measure, labels, scores, dialect, common_reach([measure]), *asked_for)
    assert cut == found(measure, labels, scores, dialect, None, *asked_for)


@given(
    how=st.sampled_from(SUMS),
    kind=st.sampled_from([np.float32, np.float64]),
    n_terms=st.integers(1, 64),
    n_zeros=st.one_of(st.integers(0, 300), st.integers(0, 20_000)),
    seed=st.integers(0, 2**32 - 1),
)
def test_zeros_below_the_room_of_a_sum_change_no_bit_of_it(how, kind, n_terms, n_zeros, seed):
    rng = np.random.default_rng(seed)
    gain = np.zeros((2, n_terms + n_zeros), dtype=kind)
    gain[:, :n_terms] = rng.random((2, n_terms)) * rng.choice([1.0, -1.0, 1e6], (2, n_terms))
    worth = rng.random(gain.shape).astype(kind)
    short = [np.ascontiguousarray(part[:, : room(how, n_terms)]) for part in (gain, worth)]
    whole = row_sums(how, gain, worth, gain * worth)
    assert row_sums(how, *short, short[0] * short[1]).tobytes() == whole.tobytes()


def test_a_negative_label_is_refused_however_deep_it_stands():
    labels, scores = np.ones((2, 500)), -np.arange(1000.0).reshape(2, 500)
    labels[1, 499] = -3
    with pytest.raises(MeasureError) as error:
        ndcg(labels, scores, k=5, dialect="sklearn")
    assert str(error.value) == (
        "dialect sklearn: query '1' has the label -3, got negatives=error. "
        "Pass --min-label 0, or state negatives=zero, to count it as 0."
    )
