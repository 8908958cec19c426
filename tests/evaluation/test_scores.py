"""Scores: lookups, tables and exports."""

import json
import math
import pickle

import numpy as np
import pytest

import gainful
from gainful import MeasureError, Rules, evaluate, nDCG, read_qrels
from gainful.dialects import DialectRules

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}, "q|3": {"c": 0}}
RUN = {"q1": {"b": 3.0, "a": 2.0}, "q2": {"a": 1.0}}


@pytest.fixture
def scores():
    return evaluate(QRELS, RUN, ["nDCG@10", "DCG@10"])


def test_a_measure_gives_its_mean_by_text_or_value(scores):
    assert (
        scores["nDCG@10"] == scores["ndcg_cut_10"] == scores[nDCG @ 10] == scores.mean()["nDCG@10"]
    )


def test_a_measure_that_was_not_evaluated_is_an_error(scores):
    with pytest.raises(MeasureError) as error:
        scores["nDCG@5"]
    assert str(error.value) == "nDCG@5 was not evaluated; there are nDCG@10, DCG@10."


def test_per_query_values(scores):
    assert scores.per_query()["q2"] == {"nDCG@10": 1.0, "DCG@10": 1.0}
    assert list(scores.per_query()) == ["q1", "q2", "q|3"]


def test_worst_queries_come_lowest_first(scores):
    assert list(scores.worst(2)) == ["q|3", "q1"]
    assert list(scores.worst(2, "DCG@10")) == ["q|3", "q2"]


def test_json_holds_everything_at_full_precision(scores):
    data = json.loads(scores.to_json())
    assert data == scores.to_dict()
    assert data["mean"] == scores.mean()
    assert data["rules"]["ties"] == "item-desc"
    assert [n["code"] for n in data["notices"]] == ["missing-queries", "empty-queries"]
    assert data["notices"][0]["queries"] == ["q|3"]


def test_undefined_values_are_null_in_json():
    scores = evaluate(QRELS, RUN, "nDCG", rules=Rules(empty="nan"))
    assert json.loads(scores.to_json())["per_query"]["q|3"] == {"nDCG": None}


def test_csv_has_one_line_per_query(scores):
    ratio = scores.column("nDCG@10")[0]
    lines = scores.to_csv().splitlines()
    assert lines[0] == "query,nDCG@10,DCG@10"
    assert lines[1].split(",")[:2] == ["q1", repr(float(ratio))]
    assert lines[3] == "q|3,0.0,0.0"


def test_markdown_has_means_rules_and_notices(scores):
    assert scores.to_markdown() == (
        "| measure | run |\n|:--|--:|\n| nDCG@10 | 0.6199 |\n| DCG@10 | 1.0873 |\n\n"
        f"- rules: {scores.rules} (3 queries)\n"
        "- note: run 'run' has no items for 1 of 3 judged queries ('q\\|3'); they score 0. "
        "[missing-queries]\n"
        "- note: nothing is relevant for 1 of 3 judged queries ('q\\|3'); normalized measures "
        "score them 0. [empty-queries]\n"
    )


def test_repr_is_readable(scores):
    assert repr(scores).splitlines()[:3] == [
        "<Scores of 'run' on 3 queries>",
        "nDCG@10  0.6199",
        "DCG@10   1.0873",
    ]


def test_scores_survive_pickling(scores):
    copy = pickle.loads(pickle.dumps(scores))
    assert copy.to_dict() == scores.to_dict()
    assert copy["nDCG@10"] == scores["nDCG@10"]


def test_a_shared_index_cannot_be_changed():
    judgments = read_qrels(QRELS)
    with pytest.raises(ValueError, match="read-only"):
        judgments.pool_label[0] = 0


def test_html_is_escaped():
    hostile = "<script>alert(1)</script>"
    html = evaluate({hostile: {"a": 1}, "q": {"a": 1}}, {"q": ["a"]})._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_mean_does_not_depend_on_the_order_of_queries():
    rng = np.random.default_rng(0)
    qrels = {f"q{i}": {f"d{j}": int(rng.integers(0, 4)) for j in range(9)} for i in range(300)}
    run = {q: list(rng.permutation(sorted(qrels[q]))) for q in qrels}
    shuffled_qrels = {q: qrels[q] for q in rng.permutation(sorted(qrels)).tolist()}
    assert evaluate(qrels, run).mean() == evaluate(shuffled_qrels, run).mean()


def test_the_share_of_judged_items_is_that_of_the_measure_judged():
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
    run = {"q1": ["d1", "x", "d2"], "q2": ["x", "y", "d1"]}
    scores = gainful.evaluate(qrels, run, ["nDCG@2,3", "nDCG", "RBP", "Judged@2,3", "Judged"])
    for measure, judged in (("nDCG@2", "Judged@2"), ("nDCG@3", "Judged@3"), ("nDCG", "Judged")):
        assert scores.judged_share(measure) == scores[judged]
        assert (
            scores.judged[gainful.parse_measure(measure)].tolist() == scores.column(judged).tolist()
        )
    assert scores.judged_share("RBP") == scores["Judged"]
    assert scores.to_dict()["judged"]["nDCG@2"] == 0.25


def test_measures_of_groups_have_no_share_of_judged_items():
    groups = gainful.read_subtopics({"q1": {"1": {"d1": 1}}})
    scores = gainful.evaluate(groups, {"q1": ["d1"]}, "alpha_nDCG@5")
    assert math.isnan(scores.judged_share("alpha_nDCG@5"))
    assert scores.to_dict()["judged"] == {}


def evaluate_weighted(**rules):
    weights = {"q1": 3, "q2": 5}
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0}}
    run = {"q1": {"b": 2, "a": 1}, "q2": {"a": 1}}
    return evaluate(qrels, run, "RR,nDCG", weights=weights, rules=DialectRules(**rules))


def test_empty_query_may_count_once_whatever_its_weight():
    value = 1 / math.log2(3)
    assert evaluate_weighted(empty="one")["nDCG"] == pytest.approx((3 * value + 5) / 8)
    scores = evaluate_weighted(empty="one", empty_weight="one")
    assert scores["nDCG"] == pytest.approx((3 * value + 1) / 8)
    assert scores["RR"] == 3 * 0.5 / 8
    assert (
        evaluate_weighted(empty_weight="one", empty="one")._slice("c", "v", np.array([1]))["nDCG"]
        == 0.2
    )


def test_values_are_rounded_and_the_mean_is_of_those_that_are_not():
    qrels = {q: {"a": 1} for q in ("q1", "q2")}
    run = {"q1": ["x", "a"], "q2": ["a"]}
    scores = evaluate(qrels, run, "nDCG", rules=DialectRules(decimals=2))
    assert scores.values[0, 0] == 1 / math.log2(3)
    assert scores.column("nDCG").tolist() == [0.63, 1.0]
    assert scores.per_query()["q1"] == {"nDCG": 0.63}
    assert scores["nDCG"] == 0.82
    assert "q1,0.63" in scores.to_csv()
