"""Correlations of measures over systems, against SciPy and by hand."""

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import parse_measure
from gainful.base.numbers import Interval
from gainful.stats.correlation_pairs import (
    SystemSwap,
    correlate_measures,
    find_limited_interval,
    resample_taus,
    sign_differences,
)
from gainful.stats.rank_correlation import (
    kendall_tau,
    tau_ap,
    weighted_tau,
)

P1, P10, N10 = parse_measure("P@1"), parse_measure("P@10"), parse_measure("nDCG@10")


def constant_values(*means_of_measures):
    """A value that is the same for three queries, for every system of every measure."""
    return np.repeat(np.array(means_of_measures, dtype=float)[..., np.newaxis], 3, axis=2)


def pair_of(*means, measures=(P10, N10), systems=("bm25", "dense", "hybrid", "old", "new")):
    return correlate_measures(measures, systems[: len(means[0])], constant_values(*means))[0]


def test_measures_that_order_all_but_two_systems_alike():
    pair = pair_of([0.5, 0.4, 0.3, 0.2, 0.1], [0.4, 0.5, 0.3, 0.2, 0.1])
    assert (pair.n_pairs, pair.n_alike, pair.tau) == (10, 9, pytest.approx(0.8))
    assert pair.swaps == (SystemSwap(better="bm25", worse="dense"),)
    assert pair.sentence == (
        "P@10 and nDCG@10 order 9 of 10 pairs of systems alike: tau 0.80 [0.80, 0.80]; "
        "they disagree on bm25 and dense."
    )


def test_a_swap_names_first_what_the_first_measure_likes_better():
    assert pair_of([0.1, 0.2], [0.2, 0.1]).swaps == (SystemSwap(better="dense", worse="bm25"),)


def test_measures_that_order_all_systems_alike():
    assert pair_of([0.5, 0.4, 0.3], [0.9, 0.8, 0.1]).sentence == (
        "P@10 and nDCG@10 order all 3 pairs of systems alike: tau 1.00 [1.00, 1.00]."
    )


def test_a_pair_that_one_measure_ties_is_neither_alike_nor_swapped():
    pair = pair_of([0.5, 0.5, 0.3], [0.9, 0.8, 0.1])
    assert (pair.n_alike, pair.swaps) == (2, ())
    assert pair.sentence == (
        "P@10 and nDCG@10 order 2 of 3 pairs of systems alike: tau 0.82 [0.82, 0.82]; "
        "1 pair is tied by one of them."
    )


def test_more_than_three_swaps_are_counted():
    assert pair_of([0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]).sentence == (
        "P@10 and nDCG@10 order 0 of 6 pairs of systems alike: tau -1.00 [-1.00, -1.00]; "
        "they disagree on bm25 and dense, bm25 and hybrid, bm25 and old, and 3 more pairs."
    )


def test_a_measure_that_ties_all_systems_cannot_be_compared():
    pair = pair_of([0.5, 0.5], [0.9, 0.8])
    assert math.isnan(pair.tau)
    assert all(map(math.isnan, (*pair.interval, pair.tau_ap, pair.weighted_tau)))
    assert pair.sentence == ("P@10 and nDCG@10 cannot be compared: one of them ties all systems.")


def test_means_that_differ_by_rounding_only_are_tied():
    pair = pair_of([0.1 + 0.2, 0.3, 0.1], [0.3, 0.3, 0.1])
    assert (pair.tau, pair.n_alike, pair.swaps) == (pytest.approx(1.0), 3, ())


def test_a_measure_that_is_better_when_it_is_lower_orders_the_other_way_round():
    unjudged = parse_measure("Unjudged@10")
    assert not unjudged.higher_is_better
    assert pair_of([0.1, 0.2], [0.9, 0.8], measures=(unjudged, N10)).tau == 1.0


def test_geometric_means_order_systems_by_their_logarithms():
    # By the plain mean the first is better, by the geometric mean the second.
    values = np.array([[[1.0, 0.0], [0.3, 0.3]]] * 2)
    pair = correlate_measures([parse_measure("GMAP"), parse_measure("AP")], ["a", "b"], values)[0]
    assert (pair.tau, pair.swaps) == (-1.0, (SystemSwap("b", "a"),))


def test_a_system_without_a_value_is_left_out_of_its_pairs():
    values = constant_values([0.5, 0.4, math.nan], [0.9, 0.8, 0.1])
    pair = correlate_measures([P10, N10], ["a", "b", "c"], values)[0]
    assert (pair.tau, pair.n_pairs) == (1.0, 1)


def test_one_query_tells_nothing_about_others():
    pair = correlate_measures([P10, N10], ["a", "b"], np.array([[[0.5], [0.4]], [[0.2], [0.1]]]))[0]
    assert all(map(math.isnan, pair.interval))
    assert pair.sentence == "P@10 and nDCG@10 order both systems alike: tau 1.00."


tables = st.tuples(st.integers(2, 3), st.integers(2, 5), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.integers(0, 4), min_size=math.prod(shape), max_size=math.prod(shape)
    ).map(lambda flat: np.array(flat, dtype=float).reshape(shape) / 4)
)


@given(tables)
def test_correlations_of_measures_are_those_of_their_means(values):
    measures = [parse_measure(f"P@{k + 1}") for k in range(len(values))]
    systems = [f"s{i}" for i in range(values.shape[1])]
    pairs = correlate_measures(measures, systems, values, resamples=20)
    for pair, (i, j) in zip(pairs, combinations(range(len(values)), 2), strict=True):
        # Sums of quarters are exact, and tie where they should.
        a, b = values[i].sum(axis=1), values[j].sum(axis=1)
        close = {"abs": 1e-12, "nan_ok": True}
        assert pair.tau == pytest.approx(kendall_tau(a, b), **close)
        assert pair.tau_ap == pytest.approx(tau_ap(a, b, symmetric=True), **close)
        assert pair.weighted_tau == pytest.approx(weighted_tau(a, b), **close)
        swapped = [(a[x] - a[y]) * (b[x] - b[y]) < 0 for x, y in combinations(range(len(a)), 2)]
        assert len(pair.swaps) == sum(swapped)
        assert math.isnan(pair.tau) or -1 <= pair.interval.low <= pair.interval.high <= 1


@given(tables, st.integers(0, 3))
def test_resampled_taus_are_those_of_scipy_for_the_queries_that_were_drawn(values, seed):
    n_queries = values.shape[-1]
    taus = resample_taus(values, 5, seed)
    draws = np.random.default_rng(seed).integers(n_queries, size=(5, n_queries))
    for of_draw, queries in zip(taus, draws, strict=True):
        sums = values[:, :, queries].sum(axis=-1)
        for i, j in combinations(range(len(values)), 2):
            expected = math.nan
            if min(np.ptp(sums[i]), np.ptp(sums[j])) > 0:
                expected = scipy.stats.kendalltau(sums[i], sums[j]).statistic
            assert of_draw[i, j] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_the_interval_is_that_of_scipys_bootstrap():
    rng = np.random.default_rng(7)
    skill = np.linspace(0.2, 0.8, 6)[:, np.newaxis]
    values = np.stack([skill + rng.normal(0, 0.4, (6, 40)) for _ in range(2)])

    def tau(*columns):
        both = np.array(columns).reshape(2, 6, -1)
        return kendall_tau(both[0].mean(axis=-1), both[1].mean(axis=-1))

    theirs = scipy.stats.bootstrap(
        tuple(values.reshape(12, 40)),
        tau,
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=1000,
        rng=3,
    ).confidence_interval
    ours = correlate_measures([P10, N10], list("abcdef"), values)[0].interval
    # Taus of 6 systems lie on a grid of 2 / 15; ends of random draws may differ by a step.
    assert ours.low == pytest.approx(theirs.low, abs=2 / 15 + 1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=2 / 15 + 1e-9)


def test_the_same_seed_gives_the_same_bits_and_another_seed_others():
    values = np.random.default_rng(0).random((2, 5, 30))
    first, again, other = (resample_taus(values, 50, seed) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


def test_orders_of_pairs_tolerate_rounding():
    assert sign_differences(np.array([0.3, 0.1 + 0.2, 0.5])).tolist() == [0.0, -1.0, -1.0]


def test_the_mean_interval_is_that_of_scipys_t_test():
    values = np.array([0.2, 0.4, 0.3, 0.55, math.nan])
    theirs = scipy.stats.ttest_1samp(values[:4], 0).confidence_interval(0.95)
    assert find_limited_interval(values, (0, 1), 0.95) == pytest.approx([theirs.low, theirs.high])


def test_the_mean_interval_stays_within_the_limits():
    assert find_limited_interval(np.array([0.0, 1.0]), (0.0, 1.0), 0.95) == Interval(0.0, 1.0)


def test_an_item_that_a_run_repeats_is_not_shared_with_itself():
    runs = {"a": {"q": ["x", "x"]}, "b": {"q": ["y", "z"]}}
    rules = gainful.Rules(duplicates="once")
    result = gainful.correlate({"q": {"x": 1, "y": 1}}, runs, resamples=10, rules=rules)
    assert (result.runs[0].rbo, result.runs[0].shared) == (0.0, 0.0)
