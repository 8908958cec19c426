"""Dialects of LightGBM, XGBoost and CatBoost: cutoffs, weights and gains."""

import math

import pytest

import gainful


def compute_value(dialect, qrels, run, measure="nDCG", **options):
    return gainful.evaluate({"q": qrels}, {"q": run}, measure, dialect=dialect, **options)[measure]


def test_xgboost_without_a_cutoff_is_cut_at_32():
    qrels = {f"i{j}": int(j >= 30) for j in range(40)}
    run = {f"i{j}": float(40 - j) for j in range(40)}
    uncut, at_32, at_40 = (
        compute_value("xgboost", qrels, run, m) for m in ("nDCG", "nDCG@32", "nDCG@40")
    )
    assert uncut == at_32 < at_40
    assert compute_value("xgboost@1.7", qrels, run) == at_40


def test_lightgbm_and_xgboost_ignore_the_weight_of_a_query_without_gain_and_catboost_does_not():
    qrels = {"q1": {"a": 0, "b": 2, "c": 1}, "q2": {"a": 0, "b": 0}}
    run = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 2, "b": 1}}
    weights = {"q1": 1.0, "q2": 4.0}

    def compute_mean(dialect):
        return gainful.evaluate(qrels, run, "nDCG", dialect=dialect, weights=weights)["nDCG"]

    value = (3 / math.log2(3) + 1 / 2) / (3 + 1 / math.log2(3))
    assert compute_mean("lightgbm") == pytest.approx((value + 1) / 5, rel=1e-15)
    assert compute_mean("xgboost") == pytest.approx((value + 1) / 5, rel=1e-15)
    assert compute_mean("catboost-exp") == pytest.approx((value + 4) / 5, rel=1e-15)


def test_gain_that_falls_with_the_label_lifts_lightgbm_above_1():
    qrels, run = {"a": 1, "b": 2, "c": 0}, {"a": 3, "b": 2, "c": 1}
    measure = gainful.nDCG(gain={0: 0, 1: 3, 2: 1})
    best = 1 + 3 / math.log2(3)
    value = gainful.evaluate({"q": qrels}, {"q": run}, measure, dialect="lightgbm")[measure]
    assert value == pytest.approx((3 + 1 / math.log2(3)) / best, rel=1e-15)
    assert value > 1
