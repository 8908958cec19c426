"""What tools are known to disagree about, on cases made by hand."""

import math

import numpy as np
import pytest

import gainful


def value(dialect, qrels, run, measure="nDCG", **how):
    return gainful.evaluate({"q": qrels}, {"q": run}, measure, dialect=dialect, **how)[measure]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("trec_eval@9", 0.0),
        ("xgboost", 0.0),
        ("trec_eval@10", 1.0),
        ("lightgbm", 1.0),
        ("catboost", 1.0),
        ("gdeval", 1.0),
        ("ranx", 1.0),
        ("torchmetrics", 0.5),
    ],
)
def test_scores_that_differ_by_a_billionth_are_tied_in_single_precision(dialect, expected):
    # The worse item is listed first, and has the higher id.
    run = {"z": 1.0, "a": 1.0 + 1e-9}
    assert value(dialect, {"z": 0, "a": 1}, run, "nDCG@1") == expected


def test_xgboost_without_a_cutoff_is_cut_at_32():
    qrels = {f"i{j}": int(j >= 30) for j in range(40)}
    run = {f"i{j}": float(40 - j) for j in range(40)}
    uncut, at_32, at_40 = (value("xgboost", qrels, run, m) for m in ("nDCG", "nDCG@32", "nDCG@40"))
    assert uncut == at_32 < at_40
    assert value("xgboost@1.7", qrels, run) == at_40


def test_lightgbm_and_xgboost_ignore_the_weight_of_a_query_without_gain_and_catboost_does_not():
    qrels = {"q1": {"a": 0, "b": 2, "c": 1}, "q2": {"a": 0, "b": 0}}
    run = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 2, "b": 1}}
    weights = {"q1": 1.0, "q2": 4.0}

    def mean(dialect):
        return gainful.evaluate(qrels, run, "nDCG", dialect=dialect, weights=weights)["nDCG"]

    alone = (3 / math.log2(3) + 1 / 2) / (3 + 1 / math.log2(3))
    assert mean("lightgbm") == pytest.approx((alone + 1) / 5, rel=1e-15)
    assert mean("xgboost") == pytest.approx((alone + 1) / 5, rel=1e-15)
    assert mean("catboost-exp") == pytest.approx((alone + 4) / 5, rel=1e-15)


@pytest.mark.parametrize(
    ("dialect", "gain"),
    [
        ("haystack", 1 + 1 / math.log2(4)),
        ("sentence-transformers", 1 + 1 / math.log2(3) + 1 / math.log2(4)),
        ("spark", 1 + 1 / math.log2(3) + 1 / math.log2(4)),
        ("llama-index", 1 + 1 / math.log2(3) + 1 / math.log2(4)),
        ("implicit", 1 + 1 / math.log2(3) + 1 / math.log2(4)),
        ("cornac", 1 + 1 / math.log2(3) + 1 / math.log2(4)),
        ("pyvespa", 1 + 1 / math.log2(3) + 1 / math.log2(4)),
    ],
)
def test_item_that_is_retrieved_twice_gains_once_or_twice(dialect, gain):
    qrels = {"q": {"a": 1, "b": 1}}
    run = [("q", "a", 3.0), ("q", "a", 2.0), ("q", "b", 1.0)]
    found = gainful.evaluate(qrels, run, "nDCG@3", dialect=dialect)["nDCG@3"]
    assert found == pytest.approx(gain / (1 + 1 / math.log2(3)), rel=1e-14)


def test_gain_that_falls_with_the_label_lifts_lightgbm_above_1():
    qrels, run = {"a": 1, "b": 2, "c": 0}, {"a": 3, "b": 2, "c": 1}
    measure = gainful.nDCG(gain={0: 0, 1: 3, 2: 1})
    best = 1 + 3 / math.log2(3)
    found = gainful.evaluate({"q": qrels}, {"q": run}, measure, dialect="lightgbm")[measure]
    assert found == pytest.approx((3 + 1 / math.log2(3)) / best, rel=1e-15)
    assert found > 1


def test_labels_that_add_up_to_nothing_are_an_empty_query_in_torchmetrics():
    labels, scores = np.array([-1, 0, 1]), np.array([1.0, 2.0, 3.0])
    assert gainful.ndcg(labels, scores, dialect="torchmetrics-pos") == 1.0
    assert gainful.ndcg(labels, scores, dialect="torchmetrics") == 0.0
