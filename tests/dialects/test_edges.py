"""Labels below 0, between 0 and 1, and judged items that tools do not see, in dialects."""

import pytest

import gainful

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}


@pytest.mark.parametrize(
    ("dialect", "value"),
    [("catboost", 1.0), ("catboost@0.24", 0.0), ("haystack-graded", 0.0), ("pyvespa-graded", 0.0)],
)
def test_a_best_ranking_that_loses_has_nothing_relevant(dialect: str, value: float) -> None:
    qrels = {"q1": {"a": -1, "b": -2, "c": 0}}
    assert gainful.evaluate(qrels, RUN, "nDCG@1", dialect=dialect)["nDCG@1"] == value
    qrels = {"q1": {"a": -1, "b": -2, "c": -2}}
    assert gainful.evaluate(qrels, RUN, "nDCG", dialect=dialect)["nDCG"] == value


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
    half = gainful.evaluate({"q1": {"a": 0.5, "c": 2, "b": 0}}, RUN, "nDCG", dialect=dialect)
    whole = gainful.evaluate({"q1": {"a": 1, "c": 1, "b": 0}}, RUN, "nDCG", dialect=dialect)
    assert half["nDCG"] == whole["nDCG"]


def test_cornac_counts_ratings_from_its_threshold_on() -> None:
    scores = gainful.evaluate({"q1": {"a": 0.5, "c": 2}}, RUN, "nDCG", dialect="cornac")
    assert scores["nDCG"] == 0.5


@pytest.mark.parametrize("dialect", ["haystack", "pyvespa"])
def test_means_are_added_up_one_by_one(dialect: str) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"b": 1, "c": 1}}
    run = dict.fromkeys(qrels, RUN["q1"])
    scores = gainful.evaluate(qrels, run, "nDCG", dialect=dialect)
    one, two, three = scores.column("nDCG").tolist()
    assert scores["nDCG"] == ((one + two) + three) / 3


@pytest.mark.parametrize("dialect", ["lightgbm", "sklearn", "xgboost"])
def test_a_negative_label_that_was_not_passed_in_is_no_error(dialect: str) -> None:
    qrels = {"q1": {"a": 0, "b": 1, "c": 0}}
    seen = gainful.evaluate(qrels, RUN, "nDCG@2", dialect=dialect)["nDCG@2"]
    qrels["q1"]["unseen"] = -1
    assert gainful.evaluate(qrels, RUN, "nDCG@2", dialect=dialect)["nDCG@2"] == seen
