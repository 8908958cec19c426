"""Measures and their text form: one text for each measure."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from evaluation.strategies import measures
from example_counts import max_examples

numbers = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6)
any_tables = st.dictionaries(numbers, numbers, min_size=1, max_size=6)


@given(measures(other_tools=True))
@max_examples(300)
def test_the_text_of_a_measure_parses_to_that_measure(measure):
    assert gainful.parse_measure(str(measure)) == measure
    assert str(gainful.parse_measure(str(measure))) == str(measure)


@given(any_tables, st.floats(min_value=0, exclude_min=True, max_value=1e30))
@max_examples(150)
def test_the_text_of_any_number_parses_to_that_number(table, rel):
    measure = gainful.nDCG(gain=table, rel=rel)
    assert gainful.parse_measure(str(measure)) == measure


@given(measures(other_tools=True), measures(other_tools=True))
@max_examples(100)
def test_measures_are_equal_if_and_only_if_their_texts_are(first, second):
    assert (first == second) == (str(first) == str(second))
    if first == second:
        assert hash(first) == hash(second)


@given(measures(other_tools=True))
@max_examples(100)
def test_settings_that_are_named_but_default_leave_no_trace(measure):
    assert measure(**measure.all_settings) == measure


@pytest.mark.parametrize("discount", ["log2", "ln", "log(3)", "jk(2)", "reciprocal", "none"])
@pytest.mark.parametrize("kind", ["DCG", "IDCG", "nDCG"])
def test_every_discount_parses_by_its_name(kind, discount):
    assert gainful.parse_measure(f"{kind}(discount={discount})@5") == getattr(gainful, kind)(
        discount=discount, cutoff=5
    )


def test_a_table_of_very_large_gains_parses_to_itself():
    measure = gainful.nDCG(gain={1: 1e300, 2: 2e300, 3: 3e300, 4: 4e300})
    assert gainful.parse_measure(str(measure)) == measure


def test_an_infinite_lowest_label_is_refused_or_parses():
    try:
        measure = gainful.nDCG(rel=math.inf)
    except gainful.MeasureError:
        return
    assert gainful.parse_measure(str(measure)) == measure
