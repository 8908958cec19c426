"""INST and INSQ, worked out by hand."""

import pytest

from gainful import Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}


def value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def near(number):
    return pytest.approx(number, rel=1e-14)


def test_insq_at_three_ranks():
    # V = (2/2)^2, (2/3)^2, (2/4)^2; only the first item gains.
    looks = 1 + 4 / 9 + 1 / 4
    assert value("INSQ(depth=3)") == near(1 / looks)
    assert value("INSQ(depth=3, value=ed)") == near(looks)
    # Those who would go on from rank 3 have not stopped: V(4) = (2/5)^2.
    assert value("INSQ(depth=3, value=etu)") == near(1 - 4 / 25)
    # x may gain 1 at rank 2.
    assert value("INSQ(depth=3, value=residual_eu)") == near(4 / 9 / looks)
    assert value("INSQ(depth=3, value=residual_ed)") == 0


def test_inst_wants_less_the_more_is_found():
    # T = 2; after rank 1, gain 1: (1 + 2 + 1 - 1) / (1 + 2 + 1) = 3/4, then 4/5.
    looks = 1 + (3 / 4) ** 2 + (3 / 4 * 4 / 5) ** 2
    assert value("INST(T=2, depth=3)") == near(1 / looks)
    assert value("INST(T=2, depth=3, value=ed)") == near(looks)
    # If x gains 1 as well: after rank 2, gain 2, (2 + 2 + 0 - 1) / 4.
    best = 1 + (3 / 4) ** 2 + (3 / 4 * 3 / 4) ** 2
    residual = (1 + (3 / 4) ** 2) / best - 1 / looks
    assert value("INST(T=2, depth=3, value=residual_eu)") == near(residual)
    assert value("INST(T=2, depth=3, value=residual_ed)") == near(best - looks)
