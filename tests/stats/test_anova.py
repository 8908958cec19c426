"""Analysis of variance, against published numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gainful.stats.anova import two_way
from stats.sakai import VALUES

TABLES = arrays(
    float, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(0, 1, width=16)
)


def test_the_analysis_of_sakais_table():
    found = two_way(VALUES)
    assert round(found.systems, 6) == 0.108333
    assert round(found.queries, 6) == 1.029333
    assert round(found.residual, 6) == 0.831667
    assert (round(found.f_systems, 5), round(found.p_systems, 5)) == (2.47495, 0.09764)
    assert (round(found.f_queries, 5), round(found.p_queries, 5)) == (2.47535, 0.00856)


def test_of_two_systems_f_is_the_square_of_t():
    from gainful.stats.paired_tests import paired_t

    t = paired_t(VALUES[0] - VALUES[1])
    found = two_way(VALUES[:2])
    assert found.f_systems == pytest.approx(t.t**2)
    assert found.p_systems == pytest.approx(t.p)


@given(TABLES)
def test_the_parts_add_up_to_the_whole_and_nothing_is_nan(table):
    found = two_way(table)
    whole = ((table - table.mean()) ** 2).sum()
    assert found.systems + found.queries + found.residual == pytest.approx(whole, abs=1e-9)
    assert not any(math.isnan(number) for number in found)
    assert 0 <= found.p_systems <= 1


def test_degenerate_tables():
    same = two_way(np.full((3, 4), 0.1))
    assert (same.f_systems, same.p_systems) == (0, 1)
    shifted = two_way(np.array([[0.7, 0.3, 0.6], [0.5, 0.1, 0.4]]))
    assert (shifted.residual, shifted.f_systems, shifted.p_systems) == (0, math.inf, 0)
    for single in (np.array([[0.5, 0.25]]), np.array([[0.5], [0.25]])):
        found = two_way(single)
        assert (found.f_systems, found.p_systems) == (0, 1)
        assert found.residual_variance == math.inf
