"""INST and INSQ, worked out by hand."""

import pytest

from gainful import Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_insq_at_three_ranks():
    # V = (2/2)^2, (2/3)^2, (2/4)^2; only the first item gains.
    weight_sum = 1 + 4 / 9 + 1 / 4
    assert compute_value("INSQ(depth=3)") == approximate(1 / weight_sum)
    assert compute_value("INSQ(depth=3, value=ed)") == approximate(weight_sum)
    # Those who would go on from rank 3 have not stopped: V(4) = (2/5)^2.
    assert compute_value("INSQ(depth=3, value=etu)") == approximate(1 - 4 / 25)
    # x may gain 1 at rank 2.
    assert compute_value("INSQ(depth=3, value=residual_eu)") == approximate(4 / 9 / weight_sum)
    assert compute_value("INSQ(depth=3, value=residual_ed)") == 0


def test_inst_wants_less_the_more_is_found():
    # T = 2; after rank 1, gain 1: (1 + 2 + 1 - 1) / (1 + 2 + 1) = 3/4, then 4/5.
    weight_sum = 1 + (3 / 4) ** 2 + (3 / 4 * 4 / 5) ** 2
    assert compute_value("INST(T=2, depth=3)") == approximate(1 / weight_sum)
    assert compute_value("INST(T=2, depth=3, value=ed)") == approximate(weight_sum)
    # If x gains 1 as well: after rank 2, gain 2, (2 + 2 + 0 - 1) / 4.
    best = 1 + (3 / 4) ** 2 + (3 / 4 * 3 / 4) ** 2
    residual = (1 + (3 / 4) ** 2) / best - 1 / weight_sum
    assert compute_value("INST(T=2, depth=3, value=residual_eu)") == approximate(residual)
    assert compute_value("INST(T=2, depth=3, value=residual_ed)") == approximate(best - weight_sum)
