"""Measures, rules and a dialect in one call: their meaning, and what is refused."""

import pickle

import numpy as np
import pytest

import gainful
from evaluation.test_evaluate_dialects import MEASURES, QRELS, RUN
from gainful.dialects import find_dialect
from gainful.errors import AlignError, RuleError


def test_measures_that_mean_the_same_in_a_dialect_are_all_there() -> None:
    scores = gainful.evaluate(QRELS, RUN, ["nDCG", "nDCG@32", "nDCG@1"], dialect="xgboost")
    assert scores["nDCG"] == scores["nDCG@32"] != scores["nDCG@1"]
    assert list(scores.mean()) == ["nDCG", "nDCG@32", "nDCG@1"]


def test_what_was_stated_is_named_where_the_dialect_has_another_value() -> None:
    scores = gainful.evaluate(QRELS, RUN, MEASURES, dialect="lightgbm")
    values = [
        gainful.evaluate(QRELS, RUN, measure, dialect="lightgbm")[measure] for measure in MEASURES
    ]
    assert scores.mean() == dict(zip(MEASURES, values, strict=True))
    assert values[0] != values[1]
    assert scores[gainful.nDCG(gain="linear") @ 10] == values[1]
    assert list(scores.to_dict()["dialect"]["measures"]) == MEASURES
    copy = pickle.loads(pickle.dumps(scores))
    assert copy.mean() == scores.mean()
    assert copy[MEASURES[1]] == values[1]


@pytest.mark.parametrize("dialect", ["xgboost-linear", None])
def test_what_means_the_same_in_the_dialect_has_one_name(dialect: str | None) -> None:
    scores = gainful.evaluate(QRELS, RUN, MEASURES, dialect=dialect)
    assert list(scores.mean()) == ["nDCG@10"]
    assert scores[MEASURES[0]] == scores[MEASURES[1]]


def test_rules_beside_a_dialect_are_refused_with_the_way_out() -> None:
    with pytest.raises(RuleError) as error:
        gainful.evaluate(QRELS, RUN, "nDCG", rules=gainful.Rules(), dialect="spark")
    assert str(error.value) == (
        f"rules: dialect spark brings its own, got {gainful.Rules()}. "
        "Pass dialect=find_dialect('spark').with_rules(...)."
    )


def test_measures_that_the_dialect_does_not_define_are_told() -> None:
    scores = gainful.evaluate(QRELS, RUN, ["nDCG@10", "P@5", "AUC"], dialect="implicit")
    texts = [str(notice) for notice in scores.notices if notice.code == "outside-dialect"]
    assert texts == [
        "dialect implicit is of nDCG; P@5, AUC are our definitions under its settings and rules, "
        "not checked against what implicit reports."
    ]


def test_a_single_measure_that_the_dialect_does_not_define_is_told() -> None:
    notices = gainful.evaluate(QRELS, RUN, "DCG", dialect="lightgbm").notices
    assert str(notices[-1]) == (
        "dialect lightgbm is of nDCG; DCG is our definition under its settings and rules, "
        "not checked against what LightGBM reports."
    )


@pytest.mark.parametrize("rules", [{}, {"ties": "average"}])
def test_our_own_dialect_defines_every_measure_whatever_its_rules(rules: dict[str, str]) -> None:
    dialect = find_dialect("gainful").with_rules(**rules)
    notices = gainful.evaluate(QRELS, RUN, ["nDCG", "P@5"], dialect=dialect).notices
    assert not any(notice.code == "outside-dialect" for notice in notices)


def test_what_a_dialect_refuses_is_refused_in_its_name() -> None:
    with pytest.raises(AlignError) as error:
        gainful.evaluate({"q": {"a": 1.5}}, {"q": ["a"]}, "nDCG", dialect="lightgbm")
    assert str(error.value) == (
        "dialect lightgbm: query 'q' has the label 1.5, which label_type=whole refuses."
    )
    with pytest.raises(AlignError) as error:
        gainful.ndcg([1], [1], dialect="sklearn")
    assert str(error.value) == (
        "dialect sklearn: query '0' has a ranking of 1 item, which min_items=2 refuses."
    )


LABELS, SCORES = [0, 3, 0, 1], [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("qrels", "scores"),
    [
        (np.array([LABELS]), np.array([SCORES])),
        (gainful.Grouped(LABELS, group_sizes=[4]), SCORES),
        (gainful.read_qrels(np.array([LABELS])), np.array([SCORES])),
    ],
)
def test_ties_are_averaged_by_default_where_items_have_no_ids(qrels, scores) -> None:
    averaged = gainful.evaluate(qrels, scores, "nDCG")
    assert averaged["nDCG"] == gainful.ndcg(LABELS, SCORES)
    assert averaged.rules.ties == "average"
    by_input = gainful.evaluate(qrels, scores, "nDCG", rules=gainful.Rules(ties="input"))
    assert by_input["nDCG"] == gainful.ndcg(LABELS)


def test_ties_are_ordered_by_default_where_items_have_ids() -> None:
    ids = list("abcd")
    for qrels in (
        gainful.Grouped(LABELS, group_sizes=[4], items=ids),
        {"q": dict(zip(ids, LABELS, strict=True))},
    ):
        run = {query: dict.fromkeys(ids, 1) for query in ("0", "q")}
        assert gainful.evaluate(qrels, run, "nDCG").rules.ties == "item-desc"


def test_a_measure_without_averages_needs_none_where_nothing_is_tied() -> None:
    labels = np.array([[0, 1, 1]])
    assert gainful.evaluate(labels, np.array([[3, 2, 1]]), "YAAP")["YAAP"] > 0
    with pytest.raises(gainful.MeasureError) as error:
        gainful.evaluate(labels, np.array([[1, 1, 1]]), "YAAP")
    assert error.value.code == "no-exact-average"
