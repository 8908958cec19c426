"""evaluate() in a dialect: names of measures, notices, and the dialect beside the rules."""

import pytest

import gainful
from gainful.dialects import find_dialect
from gainful.errors import MeasureError

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0}, "q3": {"z": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"a": 3.0, "b": 2.0}}
RULES = find_dialect("lightgbm").rules
DEFINITION = "nDCG(gain=exp2, ideal=list, ideal_order=label, negatives=error, above_one=keep"


def test_scores_are_known_by_the_measure_that_was_asked_for() -> None:
    scores = gainful.evaluate(QRELS, RUN, "nDCG@10", dialect="lightgbm")
    # (3 / log2(3) + 1 / log2(4)) / (3 + 1 / log2(3)), then 1 for q2; q3 cannot be told to LightGBM
    assert scores["nDCG@10"] == pytest.approx((0.6590018048024133 + 1) / 2, rel=1e-15)
    assert scores.queries == ("q1", "q2")


def test_the_dialect_stands_wherever_the_rules_stand() -> None:
    scores = gainful.evaluate(QRELS, RUN, "nDCG@10", dialect="lightgbm")
    title = "lightgbm (as in LightGBM 4.7.0)"
    line = f"dialect: {title}; rules: {RULES} (2 queries)"
    assert f"\n{line}\n" in repr(scores)
    assert f"\n- {line}\n" in scores.to_markdown()
    assert f"\n% {line}\n" in scores.to_latex()
    assert f"<li>{line}</li>" in scores._repr_html_()


def test_json_says_what_each_measure_is_in_the_dialect() -> None:
    data = gainful.evaluate(QRELS, RUN, ["nDCG@10", "AP"], dialect="lightgbm").to_dict()
    assert {**data["dialect"], "measures": {}} == {
        "name": "lightgbm",
        "tool": "LightGBM",
        "checked": "4.7.0",
        "measures": {},
    }
    assert data["dialect"]["measures"]["nDCG@10"].startswith(DEFINITION)
    assert data["dialect"]["measures"]["AP"] == "AP"
    assert "dialect" not in gainful.evaluate(QRELS, RUN, "nDCG").to_dict()


def test_notices_call_measures_by_the_names_that_were_asked_for() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["x"]}
    scores = gainful.evaluate(qrels, run, "nDCG@10", dialect="lightgbm")
    notices = [notice for notice in scores.notices if notice.code == "undefined-values"]
    assert [notice.data["measure"] for notice in notices] == ["nDCG@10"]


MEASURES = ["nDCG@10", "nDCG(gain=linear)@10"]


def test_a_measure_is_not_found_by_the_name_of_another_definition() -> None:
    scores = gainful.evaluate(QRELS, RUN, MEASURES[1], dialect="lightgbm")
    with pytest.raises(MeasureError) as error:
        scores["nDCG@10"]
    assert str(error.value) == "nDCG@10 was not evaluated; there are nDCG(gain=linear)@10."


def test_notices_call_measures_as_they_were_asked_for() -> None:
    run = {"q1": ["unjudged", "a"]}
    scores = gainful.evaluate({"q1": {"a": 1}}, run, ["DCG@5", "DCG@1"], dialect="quepid-dcg")
    names = [notice.data["measure"] for notice in scores.notices if notice.code == "unjudged-above"]
    assert names == ["DCG@5", "DCG@1"]
