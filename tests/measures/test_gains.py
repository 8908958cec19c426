"""Gains of labels: exponential, binary, signed and from tables; labels below 0."""

from math import log2

import numpy as np
import pytest

import gainful
from gainful import MeasureError, Rules, cg, dcg, evaluate, idcg, ndcg
from gainful.measures._gains import Gain


def test_the_first_label_without_a_gain_is_that_of_the_ranking() -> None:
    qrels, run = {"q1": {"a": 3, "b": 2, "c": 1}}, {"q1": ["b", "c"]}
    with pytest.raises(gainful.MeasureError) as error:
        gainful.evaluate(qrels, run, "nDCG(gain={1: 1})")
    assert str(error.value) == "gain {1: 1}: must name every label above 0, got 2."


# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}


def compute_value(measure, **rules):
    return evaluate(QRELS, RUN, measure, rules=Rules(**rules))[measure]


def test_exponential_gain_is_2_to_the_label_minus_1():
    assert compute_value("DCG(gain=exp2)") == 3 / log2(2) + 7 / log2(4)


def test_exponential_gain_is_defined_for_fractions():
    assert dcg([0.5], gain="exp2") == pytest.approx(2**0.5 - 1, rel=1e-15)
    assert dcg([2.5], gain="exp2") == pytest.approx(2**2.5 - 1, rel=1e-15)


def test_binary_gain_counts_labels_of_at_least_rel():
    assert compute_value("CG(gain=binary)") == 2
    assert compute_value("CG(gain=binary, rel=3)") == 1
    assert cg([0.2, 0.5, 0.7], gain="binary", rel=0.5) == 2


def test_signed_exponential_gain_subtracts_below_0():
    assert cg([2, -2, 0, -1], gain="signed_exp2") == 3 - 3 + 0 - 1


def test_a_table_gives_the_gain_of_every_label():
    assert compute_value("CG(gain={1: 1, 2: 10, 3: 5})") == 10 + 5
    # The ideal is ordered by gain, not by label: 10, 5, 1.
    assert compute_value("IDCG(gain={1: 1, 2: 10, 3: 5})") == 10 + 5 / log2(3) + 1 / log2(4)


def test_table_gain_must_name_every_label_above_zero():
    with pytest.raises(MeasureError) as error:
        compute_value("CG(gain={1: 1, 2: 3})")
    assert str(error.value) == "gain {1: 1, 2: 3}: must name every label above 0, got 3."


def test_negative_labels_gain_nothing_by_default():
    assert cg([3, -2]) == 3
    assert ndcg([3, -2]) == 1


def test_negative_labels_can_be_kept():
    assert cg([3, -2], negatives="keep") == 1
    assert cg([-1], gain="exp2", negatives="keep") == 2**-1 - 1
    # The ideal leaves out what would lower it.
    assert idcg([3, -2], negatives="keep") == 3


def test_negative_labels_can_be_an_error():
    with pytest.raises(MeasureError) as error:
        cg([3, -2], negatives="error")
    assert str(error.value) == (
        "query '0' has the label -2, got negatives=error. "
        "State negatives=zero, as in nDCG(negatives=zero)@10, to count it as 0."
    )


def test_labels_of_no_ranking_can_be_an_error_too():
    with pytest.raises(MeasureError) as error:
        Gain.read("linear").apply(np.array([3.0, -2.0]), rel=1, negatives="error")
    assert str(error.value) == (
        "labels: negatives=error allows none below 0, got -2. "
        "State negatives=zero, as in nDCG(negatives=zero)@10, to count it as 0."
    )


def test_an_overflowing_gain_is_an_error():
    with pytest.raises(MeasureError) as error:
        dcg([2000.0, 1.0], gain="exp2")
    assert str(error.value) == "gain exp2: must be finite for every label, got 2000."
