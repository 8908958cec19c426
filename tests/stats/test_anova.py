"""Residual variance, randomized Tukey and max-t, against published numbers."""

import math
from itertools import permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gainful.stats.anova import (
    compute_pooled_effects,
    compute_residual_variance,
    max_t,
    randomized_tukey,
)
from gainful.stats.randomization import flip_signs
from stats import permtest_sample, sakai_table
from stats.sakai_table import DIFFERENCES, TENTHS, VALUES

TABLES = arrays(
    float, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(0, 1, width=16)
)


def test_the_residual_variance_of_sakais_table():
    assert round(compute_residual_variance(VALUES), 7) == 0.0218860  # .831667 over 38


def test_of_two_systems_it_is_half_the_variance_of_differences():
    expected = np.var(VALUES[0] - VALUES[1], ddof=1) / 2
    assert compute_residual_variance(VALUES[:2]) == pytest.approx(expected)


@given(TABLES)
def test_the_residual_is_what_systems_and_queries_do_not_explain(table):
    m, n = table.shape
    whole = ((table - table.mean()) ** 2).sum()
    systems = n * ((table.mean(axis=1) - table.mean()) ** 2).sum()
    queries = m * ((table.mean(axis=0) - table.mean()) ** 2).sum()
    freedom = (m - 1) * (n - 1)
    variance = compute_residual_variance(table)
    if freedom:
        assert variance * freedom == pytest.approx(whole - systems - queries, abs=1e-9)
    else:
        assert variance == math.inf


def test_systems_that_differ_by_the_same_on_every_query_leave_no_residual():
    assert compute_residual_variance(np.full((3, 4), 0.1)) == 0
    assert compute_residual_variance(np.array([[0.7, 0.3, 0.6], [0.5, 0.1, 0.4]])) == 0


def test_the_pooled_effect_sizes_of_sakais_table():
    effects = compute_pooled_effects(VALUES)
    assert [round(effects[i, j], 5) for i, j in ((0, 1), (0, 2), (1, 2))] == [
        0.50697,
        0.67595,
        0.16899,
    ]
    assert (effects == -effects.T).all()


def test_pooled_effects_without_a_residual():
    assert compute_pooled_effects(np.array([[0.7, 0.3, 0.6], [0.5, 0.1, 0.4]])).tolist() == [
        [0, math.inf],
        [-math.inf, 0],
    ]
    assert compute_pooled_effects(np.full((3, 4), 0.1)).tolist() == np.zeros((3, 3)).tolist()
    assert compute_pooled_effects(np.array([[0.5], [0.25]])).tolist() == [[0, 0], [0, 0]]


PAIRS = ((0, 1), (0, 2), (1, 2))


def tables(n_systems, n_queries):
    """Tables of tenths, as whole numbers."""
    row = st.lists(st.integers(0, 10), min_size=n_queries, max_size=n_queries)
    return st.lists(row, min_size=n_systems, max_size=n_systems).map(np.array)


def every_range(tenths):
    """The range of sums for every way to permute the values of each query."""
    orders = [list(permutations(query)) for query in tenths.T.tolist()]
    for chosen in product(*orders):
        sums = [sum(row) for row in zip(*chosen, strict=True)]
        yield max(sums) - min(sums)


def exact_ranges(tenths):
    """Every range of sums and its probability: queries are added to the sums one by one."""
    most = int(tenths.max(axis=0).sum())
    size = 2 * most + 1
    grid = np.zeros((size, size))  # of the first sum less the last, and of the second less the last
    grid[0, 0] = 1
    for query in tenths.T.tolist():
        orders = list(permutations(query))
        shifted = (np.roll(grid, (a - c, b - c), axis=(0, 1)) for a, b, c in orders)
        grid = sum(shifted) / len(orders)
    apart = np.fft.fftfreq(size, 1 / size).round()
    first, second = np.meshgrid(apart, apart, indexing="ij")
    three = np.stack([first, second, np.zeros_like(first)])
    return np.ptp(three, axis=0), grid


def test_p_values_of_sakai_are_those_of_integers_not_of_floats():
    ranges, probability = exact_ranges(TENTHS)
    p = randomized_tukey(VALUES, resamples=100_000)
    # Drawn .3048 .107 .891; floats without tolerance give .2676 for the first.
    for (i, j), published_p in zip(PAIRS, (0.3048, 0.107, 0.891), strict=True):
        apart = abs(TENTHS[i].sum() - TENTHS[j].sum())
        exact = float(probability[ranges >= apart].sum())
        assert exact == pytest.approx(published_p, abs=0.002)
        assert p[i, j] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_p_values_are_near_those_of_every_permutation(seed):
    tenths = np.random.default_rng(seed).integers(0, 6, (3, 4))
    ranges = np.array(list(every_range(tenths)))
    p_values = randomized_tukey(tenths / 10, resamples=40_000)
    sums = tenths.sum(axis=1)
    for i, j in PAIRS:
        exact = np.mean(ranges >= abs(sums[i] - sums[j]))
        assert p_values[i, j] == pytest.approx(exact, abs=5 * np.sqrt(0.25 / 40_000))


@given(tables(3, 5))
def test_p_values_of_pairs_are_in_the_order_of_their_differences(tenths):
    p = randomized_tukey(tenths / 10, resamples=99)
    assert np.array_equal(p, p.T)
    assert p.diagonal().tolist() == [1, 1, 1]
    apart = np.abs(np.subtract.outer(tenths.sum(axis=1), tenths.sum(axis=1)))
    order = np.argsort(apart, axis=None)
    assert np.all(np.diff(p.ravel()[order]) <= 0)
    assert np.all((p >= 1 / 100) & (p <= 1))


@given(tables(3, 5), st.lists(st.integers(-5, 5), min_size=5, max_size=5))
def test_what_is_added_to_all_values_of_a_query_does_not_matter(tenths, added):
    plain = randomized_tukey(tenths / 8, resamples=99)
    assert np.array_equal(randomized_tukey((tenths + added) / 8, resamples=99), plain)


def test_for_two_systems_it_is_the_test_by_sign_flips():
    p = randomized_tukey(VALUES[:2], resamples=100_000)[0, 1]
    exact = flip_signs(DIFFERENCES)
    assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_the_size_of_a_batch_does_not_change_the_draws(monkeypatch):
    expected = randomized_tukey(VALUES, resamples=500)
    monkeypatch.setattr("gainful.stats.anova._BATCH", 100)
    assert np.array_equal(randomized_tukey(VALUES, resamples=500), expected)


@pytest.mark.parametrize(
    "values",
    [np.ones((1, 4)), np.ones((3, 0)), np.ones((3, 1)), np.ones((3, 4)), np.array([[0.2], [0.4]])],
    ids=["one system", "no query", "one query", "all equal", "one query that differs"],
)
def test_nothing_is_told_where_nothing_can_be(values):
    assert randomized_tukey(values).tolist() == np.ones((len(values), len(values))).tolist()


def test_identical_systems_among_others_have_p_of_1():
    values = np.stack([VALUES[0], VALUES[0], VALUES[2]])
    assert randomized_tukey(values, resamples=99)[0, 1] == 1


def by_brute_force(values, baseline):
    """Step-down maxT of Westfall and Young, for all choices of signs, by t itself."""
    differences = np.delete(values - values[baseline], baseline, axis=0)
    signs = np.array(list(product((1, -1), repeat=differences.shape[1])))
    flipped = differences[:, np.newaxis] * signs
    with np.errstate(divide="ignore"):
        t = np.abs(flipped.mean(axis=2) / flipped.std(axis=2, ddof=1))
    observed, order = t[:, 0], np.argsort(-t[:, 0])
    adjusted, least = np.empty(len(t)), 0.0
    for step, row in enumerate(order):
        largest = t[order[step:]].max(axis=0)
        least = adjusted[row] = max(least, np.mean(largest >= observed[row] * (1 - 1e-9)))
    return np.insert(adjusted, baseline, 1.0)


@pytest.mark.parametrize("baseline", [0, 2])
@pytest.mark.parametrize("seed", range(4))
def test_max_t_is_that_of_brute_force(baseline, seed):
    values = np.random.default_rng(seed).normal([[0], [0.3], [0.6], [0.9]], 1, (4, 9))
    assert max_t(values, baseline).tolist() == by_brute_force(values, baseline).tolist()


@given(tables(4, 8))
def test_max_t_is_never_below_the_unadjusted_p_value(tenths):
    values = tenths / 10
    adjusted = max_t(values, 0)
    assert adjusted[0] == 1
    assert np.all(adjusted[1:] >= [flip_signs(row) for row in values[1:] - values[0]])
    assert np.all(adjusted <= 1)


def test_max_t_makes_less_of_systems_that_go_together_than_holm_does():
    rng = np.random.default_rng(0)
    values = rng.normal([[0], [0.6], [0.6], [0.6]], 1, (4, 12))
    values[2:] = values[1] + rng.normal(0, 0.05, (2, 12))
    p_values = np.array([flip_signs(row) for row in values[1:] - values[0]])
    adjusted = max_t(values, 0)[1:]
    assert np.all(adjusted < 1.3 * p_values)
    assert max(adjusted) < 3 * min(p_values)  # Holm's least


def test_max_t_of_one_system_is_the_test_by_sign_flips():
    assert max_t(VALUES[:2], 1, resamples=2**20)[0] == flip_signs(DIFFERENCES)


def test_max_t_of_drawn_signs_is_near_that_of_all():
    exact = max_t(VALUES, 0, resamples=2**20)
    p_values = max_t(VALUES, 0, resamples=50_000)
    assert p_values.tolist() == pytest.approx(exact.tolist(), abs=5 * np.sqrt(0.25 / 50_000))
    assert max_t(VALUES, 0, resamples=50_000).tolist() == p_values.tolist()


def test_max_t_of_the_sample_of_permtest_is_near_what_that_program_found():
    # Of 10,000 permutations, and of all four systems where we flip signs of two: .1146 .3444 0.
    baseline, *others = max_t(permtest_sample.VALUES, 0)
    assert baseline == 1
    assert others == pytest.approx([0.1146, 0.3444, 1 / 10_001], abs=0.02)
    assert others[2] == 1 / 10_001


def test_close_pairs_are_told_from_bm25_though_queries_differ_more_than_systems():
    # Tests for independent groups, as scipy.stats.tukey_hsd, find .160.
    assert randomized_tukey(permtest_sample.VALUES)[0, 3] == 1 / 10_001


def test_max_t_does_not_depend_on_the_scale_of_a_system():
    values = np.random.default_rng(0).normal(0.5, 1, (3, 10))
    values[0] = 0
    larger = values * [[1], [1000], [1]]
    assert max_t(larger, 0).tolist() == max_t(values, 0).tolist()


def test_a_system_identical_with_the_baseline_has_p_of_1():
    values = np.stack([VALUES[0], VALUES[0], VALUES[1]])
    assert max_t(values, 0, resamples=2**20).tolist() == [1, 1, 2160 / 32768]
    assert max_t(np.ones((3, 4)), 1).tolist() == [1, 1, 1]
    assert max_t(np.ones((1, 4)), 0).tolist() == [1]


def test_systems_share_their_queries_and_are_not_taken_for_independent_groups():
    rows = sakai_table.VALUES
    above = np.triu_indices(3, 1)
    independent = scipy.stats.tukey_hsd(*rows).pvalue[above]
    assert independent == pytest.approx([0.394, 0.196, 0.900], abs=5e-4)
    exact = [0.30376, 0.10659, 0.89160]  # by convolution over all choices of permutations
    assert randomized_tukey(rows, resamples=50_000)[above] == pytest.approx(exact, abs=0.007)
