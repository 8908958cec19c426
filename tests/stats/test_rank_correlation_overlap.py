"""Rank-biased overlap and shared items, against their definitions and recorded values."""

import math

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gainful.stats.rank_correlation import (
    compute_overlaps,
    compute_shared_shares,
    compute_shared_taus,
    rbo,
)
from stats.list_pairs import batch_lists

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
lists = st.lists(st.integers(0, 14), unique=True, max_size=12)
some = st.lists(st.integers(0, 14), unique=True, min_size=1, max_size=12)
persistence = st.sampled_from([0.1, 0.5, 0.9, 0.98])


def bounds(a, b, p=0.9):
    overlaps = compute_overlaps(batch_lists([(a, b)]), p)
    return overlaps.lowest[0], overlaps.highest[0]


def shared_share(a, b):
    return compute_shared_shares(batch_lists([(a, b)]))[0]


def shared_at(a, b, depth):
    return len(set(a[:depth]) & set(b[:depth]))


def weighed(agreements, p):
    """The sum of the definition, for agreements at depth 1, 2, ..."""
    return (1 - p) * math.fsum(agree * p**d for d, agree in enumerate(agreements))


def brute_rbo(a, b, p):
    """Depth by depth: what was agreed on goes on for the shorter list, then for both."""
    short, long = sorted((a, b), key=len)
    s, n = len(short), len(long)
    if not s:
        return 0.0
    at_end = shared_at(a, b, s) / s
    agreed = [shared_at(a, b, d) / d for d in range(1, s + 1)]
    agreed += [(shared_at(a, b, d) + at_end * (d - s)) / d for d in range(s + 1, n + 1)]
    return weighed(agreed + agreed[-1:] * 5000, p)


def brute_bounds(a, b, p, depth=3000):
    """The lists, continued with items of their own, and as alike as they can be."""
    (short, long), n_more = sorted((a, b), key=len), depth
    apart = [short + [("s", i) for i in range(n_more)], long + [("l", i) for i in range(n_more)]]
    owed = [item for item in long if item not in short] + [("b", i) for i in range(n_more)]
    theirs = [item for item in short if item not in long] + [("b", i) for i in range(n_more)]
    alike = [short + owed, long + theirs]
    return [weighed(agreements(*pair, depth), p) for pair in (apart, alike)]


def agreements(a, b, depth):
    seen_a, seen_b, shared, shares = set(), set(), 0, []
    for d in range(depth):
        x, y = a[d], b[d]
        shared += x == y or (x in seen_b) + (y in seen_a)
        seen_a.add(x)
        seen_b.add(y)
        shares.append(shared / (d + 1))
    return shares


def test_the_extrapolated_overlap_by_hand():
    # Shared at depth 1, 2, 3: 0, 2, 2; after that two thirds agree for ever.
    by_depth = 0.1 * (0 / 1 + 0.9 * 2 / 2 + 0.81 * 2 / 3)
    assert rbo("abc", "bad") == pytest.approx(by_depth + 0.9**3 * 2 / 3, abs=1e-15)


def test_the_overlap_of_lists_of_other_lengths_by_hand():
    # The short list ends at rank 1 with full agreement, which is taken to go on: at depth 2 the
    # long list has one item more, and the short one would have had it.
    assert rbo("a", "ab", p=0.5) == pytest.approx(0.5 * (1 + 0.5 * (1 + 1) / 2) + 0.5**2, abs=1e-15)


def test_the_bounds_of_one_rank_by_hand():
    # Nothing further shared: (1 - p) / p times the sum of p**d / d. All further shared: 1.
    low, high = bounds("a", "a", p=0.5)
    assert low == pytest.approx(math.log(2), abs=1e-15)
    assert high == 1.0


# C code of Webber, as https://github.com/mpetri/rbo records it in test_data/uneven_abc.json.
@pytest.mark.parametrize(
    ("other", "p", "value"),
    [
        ("drfuoxnpszeva", 0.1, 0.000246),
        ("akdwcjomxrubqitenhspyl", 0.1, 0.948509),
        ("bcflzvq", 0.2, 0.105201),
        ("av", 0.2, 0.9),
        ("yad", 0.4, 0.187572),
        ("degczfbxkwnjutsirylmhpv", 0.4, 0.035780),
        ("karfvodcjmwgzlypebunq", 0.9, 0.468431),
        ("zhatsimjpnkvcfxwqgoeryubd", 0.9, 0.364444),
        ("f", 0.9, 0.053090),
        ("zclx", 0.9, 0.233312),
    ],
)
def test_the_overlap_with_the_alphabet_is_what_webber_computes(other, p, value):
    assert rbo(ALPHABET, other, p=p) == pytest.approx(value, abs=5.1e-7)


# rbo 0.1.3 of PyPI, which wants an older NumPy: RankingSimilarity(list(a), list(b)).rbo_ext(p)
@pytest.mark.parametrize(
    ("a", "b", "p", "value"),
    [
        ("abcdefgh", "badcxyz", 0.9, 0.6124345714285715),
        ("abc", "cdefgabhi", 0.8, 0.28700411936507936),
        ("abcdefghij", "jihgfedcba", 0.98, 0.8780443726553534),
    ],
)
def test_the_overlap_is_what_the_package_rbo_computes(a, b, p, value):
    assert rbo(a, b, p=p) == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize("other", ["abcdefg", ALPHABET])
def test_the_residual_of_a_prefix_of_seven_is_what_webber_computes(other):
    low, high = bounds("abcdefg", "abcdefg")
    assert high - low == pytest.approx(0.232860, abs=1.1e-6)
    assert high == 1.0
    assert rbo("abcdefg", other) == pytest.approx(1.0, abs=1e-15)


def test_with_p_09_the_first_ten_ranks_have_86_percent_of_the_weight():
    low, _ = bounds(range(10), range(10))
    alike_below = range(100, 110)
    _, high = bounds(alike_below, range(10))
    assert low == pytest.approx(0.8556, abs=5e-5)
    assert high < 1 - 0.65


@given(some, lists, persistence)
def test_the_overlap_is_its_definition_taken_depth_by_depth(a, b, p):
    assert rbo(a, b, p=p) == pytest.approx(brute_rbo(a, b, p), abs=1e-12)


@given(some, lists, persistence)
def test_bounds_are_what_the_lists_may_go_on_with(a, b, p):
    assert bounds(a, b, p=p) == pytest.approx(brute_bounds(a, b, p), abs=1e-12)


@given(some, lists, persistence)
def test_the_overlap_lies_between_its_bounds_and_these_between_0_and_1(a, b, p):
    low, high = bounds(a, b, p=p)
    assert 0 <= low <= high <= 1
    assert low - 1e-12 <= rbo(a, b, p=p) <= high + 1e-12
    assert 0 <= rbo(a, b, p=p) <= 1


@given(some, lists, persistence)
def test_the_overlap_is_symmetric(a, b, p):
    assert rbo(a, b, p=p) == rbo(b, a, p=p)
    assert bounds(a, b, p=p) == bounds(b, a, p=p)
    assert shared_share(a, b) == shared_share(b, a)


@given(some, persistence)
def test_a_list_overlaps_itself_altogether(a, p):
    assert rbo(a, a, p=p) == 1.0
    assert shared_share(a, a) == 1.0


@given(some, lists, persistence)
def test_names_of_items_change_nothing(a, b, p):
    renamed = [[f"item {item * 7 % 15}" for item in ranking] for ranking in (a, b)]
    assert rbo(*renamed, p=p) == rbo(a, b, p=p)
    assert shared_share(*renamed) == shared_share(a, b)


@given(some, persistence)
def test_lists_that_share_nothing_have_no_overlap(a, p):
    others = [item + 100 for item in a]
    assert rbo(a, others, p=p) == bounds(a, others, p=p)[0] == shared_share(a, others) == 0.0


def test_empty_lists_have_no_overlap_with_others_and_an_undefined_one_with_each_other():
    assert rbo([], ["d1"]) == shared_share([], ["d1"]) == 0.0
    assert math.isnan(rbo([], []))
    assert math.isnan(shared_share([], []))
    assert bounds([], []) == bounds([], ["d1"]) == (0.0, 1.0)


@given(lists, some)
def test_the_shared_share_divides_the_shared_by_all(a, b):
    assert shared_share(a, b) == len(set(a) & set(b)) / len(set(a) | set(b))


@given(st.lists(st.tuples(lists, lists), max_size=6), persistence)
def test_a_query_overlaps_alike_alone_and_among_others(pairs, p):
    overlaps = compute_overlaps(batch_lists(pairs), p)
    expected = [rbo(a, b, p=p) for a, b in pairs]
    assert overlaps.extrapolated.tolist() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
    assert list(zip(overlaps.lowest, overlaps.highest, strict=True)) == [
        bounds(a, b, p=p) for a, b in pairs
    ]
    shares = [shared_share(a, b) for a, b in pairs]
    assert compute_shared_shares(batch_lists(pairs)).tolist() == pytest.approx(
        shares, rel=0, abs=0, nan_ok=True
    )


@given(st.lists(st.tuples(lists, lists), max_size=6))
def test_tau_of_shared_items_is_that_of_scipy(pairs):
    for tau, (a, b) in zip(compute_shared_taus(batch_lists(pairs)), pairs, strict=True):
        both = [item for item in a if item in b]
        expected = math.nan
        if len(both) > 1:
            ranks = [[ranking.index(item) for item in both] for ranking in (a, b)]
            expected = scipy.stats.kendalltau(*ranks).statistic
        assert tau == pytest.approx(expected, abs=1e-12, nan_ok=True)
