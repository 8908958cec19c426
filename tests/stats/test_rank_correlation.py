"""Correlations of ranks, against their definitions, SciPy and published values."""

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gainful.stats.rank_correlation import kendall_tau, tau_ap, weighted_tau

# The data and the values of ircor 1.0, the R package of Urbano and Marrero:
# https://github.com/julian-urbano/ircor, tests/testthat. Its tauAP(x, y) traverses y.
X = (
    (0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992),
    (0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38),
    (0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445),
)
Y = (
    (0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988),
    (0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644),
    (0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25),
)
X_TIES = (
    (0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1),
    (0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4),
    (0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4),
)
Y_TIES = (
    (0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1),
    (0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6),
    (0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2),
)

scores = st.integers(0, 6).map(float)
two_lists = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.lists(scores, min_size=n, max_size=n)] * 2)
)
CORRELATIONS = [kendall_tau, weighted_tau, tau_ap, lambda a, b: tau_ap(a, b, symmetric=True)]


def constant(values):
    return len(set(values)) < 2


@pytest.mark.parametrize(
    ("x", "y", "value"), list(zip(X, Y, (0.8519, 0.2504, -0.6971), strict=True))
)
def test_tau_ap_is_what_ircor_computes(x, y, value):
    assert tau_ap(y, x) == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(
    ("x", "y", "value"), list(zip(X, Y, (0.8333, 0.2880, -0.668), strict=True))
)
def test_symmetric_tau_ap_is_what_ircor_computes(x, y, value):
    assert tau_ap(x, y, symmetric=True) == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(
    ("x", "y", "value"), list(zip(X_TIES, Y_TIES, (0.7321, 0.297, -0.7047), strict=True))
)
def test_symmetric_tau_ap_with_ties_is_what_ircor_computes(x, y, value):
    assert tau_ap(x, y, symmetric=True) == pytest.approx(value, abs=5e-5)


def test_tau_ap_of_a_swap_at_the_top_by_hand():
    # Below the top stand b (a above it: wrong), c (both above it: right), d (all three: right).
    assert tau_ap([4, 3, 2, 1], [3, 4, 2, 1]) == 2 / 3 * (0 / 1 + 2 / 2 + 3 / 3) - 1


def test_tau_ap_of_a_swap_at_the_end_by_hand():
    # b: 1 of 1; c: 2 of 2; d: a and b of three.
    assert tau_ap([4, 3, 2, 1], [4, 3, 1, 2]) == pytest.approx(2 / 3 * (1 + 1 + 2 / 3) - 1)


def test_systems_that_are_tied_do_not_count_for_each_other():
    # a and b share the top; c has both above it, rightly.
    assert tau_ap([2, 2, 1], [3, 2, 1]) == 1.0


def test_a_pair_that_only_the_reference_ties_is_not_ordered_alike():
    # b: a stands above it, but is no better by the reference; c: both above it, rightly.
    assert tau_ap([3, 2, 1], [2, 2, 1]) == 2 / 2 * (0 + 1) - 1


def brute_tau_ap(a, b):
    """Item by item, as Urbano and Marrero write it down."""
    total = below_top = 0
    for i in range(len(a)):
        above = [j for j in range(len(a)) if a[j] > a[i]]
        if above:
            below_top += 1
            total += sum(b[j] > b[i] for j in above) / len(above)
    return 2 * total / below_top - 1


@given(two_lists)
def test_tau_ap_is_its_definition_taken_item_by_item(lists):
    a, b = lists
    if not constant(a) and not constant(b):
        assert tau_ap(a, b) == pytest.approx(brute_tau_ap(a, b), abs=1e-12)


@given(two_lists)
def test_kendall_tau_counts_pairs(lists):
    a, b = lists
    pairs = list(combinations(range(len(a)), 2))
    x = [np.sign(a[i] - a[j]) for i, j in pairs]
    y = [np.sign(b[i] - b[j]) for i, j in pairs]
    if any(x) and any(y):
        expected = np.dot(x, y) / math.sqrt(np.dot(x, x) * np.dot(y, y))
        assert kendall_tau(a, b) == pytest.approx(expected, abs=1e-12)


@given(two_lists)
def test_taus_are_those_of_scipy(lists):
    a, b = lists
    if not constant(a) and not constant(b):
        assert kendall_tau(a, b) == scipy.stats.kendalltau(a, b).statistic
        assert weighted_tau(a, b) == scipy.stats.weightedtau(a, b).statistic


@pytest.mark.parametrize("correlation", CORRELATIONS)
@given(lists=two_lists)
def test_a_correlation_lies_between_minus_1_and_1_or_is_undefined(correlation, lists):
    a, b = lists
    value = correlation(a, b)
    assert math.isnan(value) == (constant(a) or constant(b))
    assert math.isnan(value) or -1 - 1e-12 <= value <= 1 + 1e-12


@pytest.mark.parametrize("correlation", CORRELATIONS)
@given(lists=two_lists)
def test_an_order_agrees_with_itself(correlation, lists):
    if not constant(lists[0]):
        assert correlation(lists[0], lists[0]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("correlation", CORRELATIONS)
@given(n=st.integers(2, 9))
def test_an_order_is_the_opposite_of_its_reverse(correlation, n):
    assert correlation(range(n), range(n)[::-1]) == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize("correlation", [CORRELATIONS[i] for i in (0, 1, 3)])
@given(lists=two_lists)
def test_all_but_the_plain_tau_ap_are_symmetric(correlation, lists):
    a, b = lists
    assert correlation(a, b) == pytest.approx(correlation(b, a), abs=1e-12, nan_ok=True)


def test_tau_ap_is_not_symmetric():
    assert tau_ap([4, 3, 2, 1], [4, 1, 3, 2]) != tau_ap([4, 1, 3, 2], [4, 3, 2, 1])


@pytest.mark.parametrize("correlation", CORRELATIONS)
@given(lists=two_lists, random=st.randoms(use_true_random=False))
def test_the_order_of_systems_changes_nothing(correlation, lists, random):
    a, b = lists
    order = random.sample(range(len(a)), len(a))
    shuffled = correlation([a[i] for i in order], [b[i] for i in order])
    assert shuffled == pytest.approx(correlation(a, b), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("correlation", CORRELATIONS)
@given(lists=two_lists)
def test_only_the_order_of_values_counts(correlation, lists):
    a, b = lists
    stretched = [math.exp(value) for value in a]
    assert correlation(stretched, b) == pytest.approx(correlation(a, b), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("correlation", CORRELATIONS)
@pytest.mark.parametrize("values", [[], [1.0], [1.0, 1.0]])
def test_fewer_than_two_different_values_have_no_correlation(correlation, values):
    assert math.isnan(correlation(values, values))
