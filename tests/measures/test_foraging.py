"""IFT_C1, IFT_C2 and IFT_C1C2, worked out by hand."""

from math import exp

import pytest

from gainful import Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_foragers_stop_by_gain_by_rate_or_by_both():
    def compute_goal_chance(gain):
        return 1 - 1 / (1 + 0.9 * exp((2 - gain) * 0.5))

    def compute_rate_chance(gain):
        return 1 / (1 + 0.9 * exp((0.2 - gain) * 2))

    c1, c2 = compute_goal_chance(1), compute_goal_chance(1)
    assert compute_value("IFT_C1(R1=0.5, depth=3)") == approximate(1 / (1 + c1 + c1 * c2))
    c1, c2 = compute_rate_chance(1), compute_rate_chance(1 / 2)
    assert compute_value("IFT_C2(R2=2, depth=3)") == approximate(1 / (1 + c1 + c1 * c2))
    c1, c2 = (
        compute_goal_chance(1) * compute_rate_chance(1),
        compute_goal_chance(1) * compute_rate_chance(1 / 2),
    )
    assert compute_value("IFT_C1C2(R1=0.5, R2=2, depth=3)") == approximate(1 / (1 + c1 + c1 * c2))
