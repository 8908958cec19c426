"""RR, worked out by hand."""

import pytest

from gainful import Rules, evaluate, parse_measure

QRELS = {"q": {"a": 1, "b": 2, "n": 0, "m": -1}}
RUN = {"q": ["x", "m", "a", "b"]}


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_reciprocal_rank_of_the_first_relevant_item():
    assert compute_value("RR") == 1 / 3
    assert compute_value("RR(rel=2)") == 1 / 4
    assert parse_measure("MRR@10") == parse_measure("RR@10")
    assert parse_measure("recip_rank") == parse_measure("RR")


def test_an_item_below_the_cutoff_is_not_seen():
    assert compute_value("RR@2") == 0
    assert compute_value("RR@3") == compute_value("RR@100") == 1 / 3


def test_nothing_found_scores_zero_whatever_the_rules_say():
    assert compute_value("RR", run={"q": ["x", "n"]}, empty="one") == 0
    assert compute_value("RR", qrels={"q": {"a": 0}}, empty="one") == 0
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, "RR", rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_ties_are_averaged():
    # x above a, n and m, which are tied over ranks 2 to 4.
    run = {"q": {"x": 9.0, "a": 1.0, "n": 1.0, "m": 1.0}}
    assert compute_value("RR", run=run, ties="average") == pytest.approx(
        (1 / 2 + 1 / 3 + 1 / 4) / 3
    )
    assert compute_value("RR@3", run=run, ties="average") == pytest.approx((1 / 2 + 1 / 3) / 3)
    # a, b and n tied over ranks 1 to 3: n is first once in three times.
    run = {"q": {"a": 1.0, "b": 1.0, "n": 1.0}}
    assert compute_value("RR", run=run, ties="average") == pytest.approx(2 / 3 * 1 + 1 / 3 * 1 / 2)
