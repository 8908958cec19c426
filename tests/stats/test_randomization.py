"""Sign flips, against SciPy, against fractions, and by simulation."""

import tracemalloc
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gainful.stats.randomization import (
    flip_signs,
    flip_signs_of_pairs,
    iterate_flipped_sums,
    max_t,
    randomized_tukey,
)
from stats import permtest_sample, sakai_table, urbano_runs
from stats.sakai_table import DIFFERENCES, VALUES

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
    ranges, probability = exact_ranges(sakai_table.TENTHS)
    p = randomized_tukey(VALUES, resamples=100_000)
    # Drawn .3048 .107 .891; floats without tolerance give .2676 for the first.
    for (i, j), published_p in zip(PAIRS, (0.3048, 0.107, 0.891), strict=True):
        apart = abs(sakai_table.TENTHS[i].sum() - sakai_table.TENTHS[j].sum())
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
    monkeypatch.setattr("gainful.stats.randomization._PERMUTED", 100)
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
