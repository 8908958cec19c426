"""TBG, UMeasure and NPV, worked out by hand."""

import pytest

from gainful import Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def near(number):
    return pytest.approx(number, rel=1e-14)


def test_discounts_by_time_text_and_interest():
    p = 2 ** (-1 / 5)
    assert compute_value("TBG(halflife=5)") == near((1 - p) * (1 + p**3))
    assert compute_value("TBG(halflife=5, value=etu)") == near(1 + p**3)
    assert compute_value("NPV(rate=0.25)") == near(compute_value("RBP(p=0.8)"))
    assert compute_value("NPV(rate=0.25, value=ed)") == near(5)
    # 1, 3/4, 1/2, 1/4; and 1, 0.6, 0.2.
    assert compute_value("UMeasure(L=4)") == near((1 + 1 / 4) / 2.5)
    assert compute_value("UMeasure(L=2.5)") == near(1 / 1.8)
