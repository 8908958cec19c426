"""Edge cases that dialects score differently, or alike: ties, repeats, labels, unseen items."""

import math

import pytest

import gainful


def compute_value(dialect, qrels, run, measure="nDCG", **options):
    return gainful.evaluate({"q": qrels}, {"q": run}, measure, dialect=dialect, **options)[measure]


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
    assert compute_value(dialect, {"z": 0, "a": 1}, run, "nDCG@1") == expected


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
    actual = gainful.evaluate(qrels, run, "nDCG@3", dialect=dialect)["nDCG@3"]
    assert actual == pytest.approx(gain / (1 + 1 / math.log2(3)), rel=1e-14)


RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [("catboost", 1.0), ("catboost@0.24", 0.0), ("haystack-graded", 0.0), ("pyvespa-graded", 0.0)],
)
def test_a_best_ranking_that_loses_has_nothing_relevant(dialect: str, expected: float) -> None:
    qrels = {"q1": {"a": -1, "b": -2, "c": 0}}
    assert gainful.evaluate(qrels, RUN, "nDCG@1", dialect=dialect)["nDCG@1"] == expected
    qrels = {"q1": {"a": -1, "b": -2, "c": -2}}
    assert gainful.evaluate(qrels, RUN, "nDCG", dialect=dialect)["nDCG"] == expected


@pytest.mark.parametrize(
    "dialect",
    [
        "haystack",
        "implicit",
        "lenskit",
        "llama-index",
        "mlflow",
        "pyvespa",
        "recbole",
        "replay",
        "sentence-transformers",
        "spark",
    ],
)
def test_who_knows_only_relevant_items_is_told_those_with_a_label_above_0(dialect: str) -> None:
    graded = gainful.evaluate({"q1": {"a": 0.5, "c": 2, "b": 0}}, RUN, "nDCG", dialect=dialect)
    binary = gainful.evaluate({"q1": {"a": 1, "c": 1, "b": 0}}, RUN, "nDCG", dialect=dialect)
    assert graded["nDCG"] == binary["nDCG"]


@pytest.mark.parametrize("dialect", ["haystack", "pyvespa"])
def test_means_are_added_up_one_by_one(dialect: str) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"b": 1, "c": 1}}
    run = dict.fromkeys(qrels, RUN["q1"])
    scores = gainful.evaluate(qrels, run, "nDCG", dialect=dialect)
    first, second, third = scores.column("nDCG").tolist()
    assert scores["nDCG"] == ((first + second) + third) / 3


@pytest.mark.parametrize("dialect", ["lightgbm", "sklearn", "xgboost"])
def test_a_negative_label_that_was_not_passed_in_is_no_error(dialect: str) -> None:
    qrels = {"q1": {"a": 0, "b": 1, "c": 0}}
    expected = gainful.evaluate(qrels, RUN, "nDCG@2", dialect=dialect)["nDCG@2"]
    qrels["q1"]["unseen"] = -1
    assert gainful.evaluate(qrels, RUN, "nDCG@2", dialect=dialect)["nDCG@2"] == expected
