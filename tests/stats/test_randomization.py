"""Sign flips, against SciPy, against fractions, and by simulation."""

import tracemalloc
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gainful.stats.randomization import flip_signs, flip_signs_of_pairs, iterate_flipped_sums
from stats import permtest_sample, urbano_runs
from stats.sakai_table import DIFFERENCES

TENTHS = st.integers(0, 5)
NUMERATORS = st.lists(st.integers(-10, 10), min_size=1, max_size=9)


def by_fractions(differences):
    """The share of all choices of signs whose sum is as far from 0."""
    observed = abs(sum(differences))
    choices = list(product((1, -1), repeat=len(differences)))
    sums = [sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in choices]
    return Fraction(sum(abs(total) >= observed for total in sums), len(choices))


def test_the_exact_p_value_of_sakai_counts_sums_that_floats_tell_apart():
    assert flip_signs(DIFFERENCES) == 2160 / 32768


@given(NUMERATORS, st.sampled_from([1, 3, 7, 10, 1000]))
def test_the_exact_p_value_is_that_of_fractions(tops, bottom):
    differences = np.array([top / bottom for top in tops])
    assert flip_signs(differences) == float(by_fractions([Fraction(top, bottom) for top in tops]))


@given(st.lists(st.tuples(*[st.integers(0, 10)] * 2), min_size=1, max_size=9))
def test_differences_of_values_on_a_grid_are_tied_where_fractions_are(pairs):
    differences = np.array([a / 10 - b / 10 for a, b in pairs])
    assert flip_signs(differences) == float(by_fractions([a - b for a, b in pairs]))


@pytest.mark.parametrize("n", [2, 5, 8, 9, 12])
def test_the_exact_p_value_is_that_of_scipy(n):
    differences = np.random.default_rng(n).normal(0.3, 1, n)
    assert flip_signs(differences) == scipy_p(differences, 2**n).pvalue


def scipy_p(differences, resamples):
    return scipy.stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        batch=1000,
        rng=np.random.default_rng(1),
    )


@pytest.mark.parametrize("n", [17, 50, 333])
def test_the_drawn_p_value_is_near_that_of_scipy(n):
    differences = np.random.default_rng(n).normal(1.5 / np.sqrt(n), 1, n)
    ours, theirs = flip_signs(differences), scipy_p(differences, 20_000).pvalue
    # Five standard errors of each; SciPy doubles the share of one side.
    of_theirs = 2 * np.sqrt(theirs / 2 * (1 - theirs / 2) / 20_000)
    assert abs(ours - theirs) < 5 * (of_theirs + np.sqrt(ours * (1 - ours) / 100_000))


def test_the_drawn_p_value_is_near_the_exact_one():
    exact, sampled = flip_signs(DIFFERENCES), flip_signs(DIFFERENCES, resamples=32_767)
    assert sampled != exact
    assert abs(sampled - exact) < 5 * np.sqrt(exact * (1 - exact) / 32_767)


@pytest.mark.parametrize(
    ("pair", "expected"), [((0, 1), 0.0628), ((0, 2), 0.3304), ((1, 2), 0.5624), ((0, 3), 0)]
)
def test_p_values_of_the_sample_of_permtest_are_near_what_that_program_found(pair, expected):
    system, baseline = permtest_sample.VALUES[list(pair)]
    # Of 10,000 permutations, of all four systems where we flip the signs of two.
    assert flip_signs(system - baseline) == pytest.approx(expected, abs=0.02)


def test_the_p_value_of_two_runs_of_trec_is_near_what_urbano_found():
    # A million permutations of theirs and of ours: four standard errors of each.
    p = flip_signs(urbano_runs.VALUES[1] - urbano_runs.VALUES[0], resamples=1_000_000)
    assert p == pytest.approx(0.001188, abs=8 * np.sqrt(0.001188 / 1_000_000))


def test_choices_are_counted_up_to_as_many_as_resamples_and_drawn_beyond():
    differences = np.array([0.5, 0.25, 0.125])
    assert flip_signs(differences, resamples=8) == 2 / 8
    assert flip_signs(differences, resamples=7) in {(b + 1) / 8 for b in range(8)}


def test_the_least_p_value_of_drawn_signs_is_not_0():
    assert flip_signs(np.ones(100), resamples=999) == 1 / 1000


def test_differences_of_0_are_left_out():
    assert flip_signs(DIFFERENCES[DIFFERENCES != 0]) == flip_signs(DIFFERENCES)
    assert flip_signs(np.r_[np.zeros(1000), 0.1, 0.2]) == 2 / 4


@pytest.mark.parametrize("differences", [[], [0.0], [0.0, 0.0], [0.3], [-0.3], [0.2, -0.2]])
def test_nothing_is_told_by_no_difference_by_one_or_by_a_mean_of_0(differences):
    assert flip_signs(np.array(differences)) == 1.0


@given(NUMERATORS)
def test_neither_the_direction_nor_the_scale_nor_the_order_of_differences_matters(tops):
    differences = np.array(tops) / 10
    p = flip_signs(differences)
    assert 0 < p <= 1
    assert (
        flip_signs(-differences)
        == flip_signs(differences[::-1])
        == flip_signs(1e6 * differences)
        == p
    )


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-9, 1e9, 1e307])
def test_differences_of_any_magnitude_are_added_without_overflow(scale):
    assert flip_signs(scale * np.array([1.0, 2.0, 4.0, 8.0])) == 2 / 16


def test_differences_of_very_different_magnitude_are_added():
    assert flip_signs(np.array([1e200, 1.0, 1e-200])) == 2 / 2  # the first alone decides
    assert flip_signs(np.array([1.0, 1e-6, 1e-9])) == 2 / 8


def test_the_same_seed_gives_the_same_p_value_and_another_seed_another():
    differences = np.random.default_rng(0).normal(size=100)
    assert flip_signs(differences, seed=7) == flip_signs(differences, seed=7)
    assert flip_signs(differences, seed=7) != flip_signs(differences, seed=8)


def test_the_bits_of_drawn_signs_stay_what_they_are():
    differences = np.random.default_rng(0).normal(size=1000).round(3)
    assert flip_signs(differences) == 12_192 / 100_001


@pytest.mark.parametrize("n", [1, 8, 13])
def test_every_choice_of_signs_is_counted_once(n):
    (sums,) = iterate_flipped_sums(2 ** np.arange(n)[np.newaxis], resamples=2**n, seed=0)
    assert sorted(sums[0]) == list(range(-(2**n) + 1, 2**n, 2))


def test_drawn_signs_are_even_and_independent_and_the_same_for_all_rows():
    n, resamples = 20, 40_000
    rows = np.eye(n, dtype=np.int64)
    signs = np.concatenate(list(iterate_flipped_sums(rows, resamples=resamples, seed=0)), axis=1)
    assert set(signs.ravel()) == {-1, 1}
    # Means and products of signs have the standard error 1 / sqrt(resamples).
    products = signs @ signs.T / resamples - np.eye(n)
    assert np.abs(products).max() < 5 / np.sqrt(resamples)
    assert np.abs(signs.mean(axis=1)).max() < 5 / np.sqrt(resamples)


def test_memory_does_not_grow_with_resamples_times_queries():
    differences = np.random.default_rng(0).normal(size=50_000)
    tracemalloc.start()
    flip_signs(differences, resamples=17_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 15e6


def test_where_nothing_differs_p_is_below_5_percent_in_5_percent_of_cases():
    rng = np.random.default_rng(0)
    cases = 2000
    # Skewed values of two systems of the same distribution, on a grid as P@20 has.
    values = rng.binomial(20, rng.beta(1, 3, (2, cases, 50))) / 20
    p_values = [
        flip_signs(differences, resamples=1999, seed=case)
        for case, differences in enumerate(values[0] - values[1])
    ]
    # Three standard errors of a share of 2000 cases.
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(
        0.05, abs=3 * np.sqrt(0.05 * 0.95 / cases)
    )


@given(
    hnp.arrays(
        np.int64, st.tuples(st.integers(2, 4), st.integers(1, 9)), elements=st.integers(0, 5)
    )
)
def test_pairs_together_are_as_exact_as_each_alone(tenths):
    values = tenths / 10
    pairs = list(combinations(range(len(values)), 2))
    together = flip_signs_of_pairs(values, pairs)
    assert together.tolist() == [flip_signs(values[i] - values[j]) for i, j in pairs]


def test_pairs_together_are_drawn_as_each_alone_but_for_chance():
    rng = np.random.default_rng(3)
    values = np.round(rng.random((4, 200)) + rng.normal(0, 0.3, (4, 1)) / 10, 2)
    pairs = [(1, 0), (2, 0), (3, 0), (3, 2)]
    together = flip_signs_of_pairs(values, pairs, resamples=20_000)
    p_values = [flip_signs(values[i] - values[j], resamples=20_000) for i, j in pairs]
    assert together == pytest.approx(p_values, abs=4 * np.sqrt(0.25 / 20_000) * np.sqrt(2))
    assert together.tolist() == flip_signs_of_pairs(values, pairs, resamples=20_000).tolist()
    assert (
        together[:1].tolist() == flip_signs_of_pairs(values, pairs[:1], resamples=20_000).tolist()
    )
