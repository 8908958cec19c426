"""NERR8 to NERR11, worked out by hand."""

import pytest

from gainful import Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_each_nerr_divides_what_users_gain_by_what_they_look_at():
    # Gains 3/4, 0, 0, 1/4 at max_rel 4, cut at 3.
    assert compute_value("NERR8(max_rel=4)@3") == approximate(3 / 4 / (1 + 1 / 4 + 1 / 4))
    v2 = 1 / 2 * 1 / 4
    assert compute_value("NERR9(max_rel=4)@3") == approximate(3 / 4 / (1 + v2 + v2 * 2 / 3))
    # Without end: V = 1, p/4, p^2/4, p^3/4, then 3/4 of p, and p again and again.
    p = 0.9
    weight_sum = 1 + p / 4 + p**2 / 4 + p**3 / 4 + p**4 / 4 * 3 / 4 / (1 - p)
    assert compute_value("NERR10(max_rel=4)") == approximate((3 / 4 + p**3 / 4 / 4) / weight_sum)
    assert compute_value("NERR10(max_rel=4, value=ed)") == approximate(weight_sum)
    assert compute_value("NERR11(max_rel=4, depth=2)") == approximate(
        3 / 4 / (1 + (2 / 3) ** 2 / 4)
    )
