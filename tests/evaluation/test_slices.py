"""Slices and weights of queries: values computed by hand, and properties."""

import math
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import ItemData, Rules, SliceError, SourceError, evaluate
from gainful.dialects import find_dialect

QRELS = {f"q{i}": {"a": 1} for i in (1, 2, 3, 4)}
RUN = {"q1": ["a"], "q2": ["x", "a"], "q3": ["a"], "q4": ["x"]}  # P@1 is 1, 0, 1, 0
QUERIES = {
    "q1": {"category": "shoes", "traffic": 3},
    "q2": {"category": "shoes", "traffic": 1},
    "q3": {"category": "hats", "traffic": 2},
    "q4": {"category": None, "traffic": 2},
}


@pytest.fixture
def scores():
    return evaluate(QRELS, RUN, ["P@1", "NumRel"], queries=QUERIES)


@pytest.fixture
def weighted_scores():
    return evaluate(QRELS, RUN, ["P@1", "NumRel"], queries=QUERIES, weights="traffic")


def list_notice_texts(scores):
    return [str(notice) for notice in scores.notices if notice.code != "unjudged-items"]


def test_each_slice_is_the_scores_of_its_queries(scores):
    slices = scores.by("category")
    assert {value: part.queries for value, part in slices.items()} == {
        "hats": ("q3",),
        "shoes": ("q1", "q2"),
        None: ("q4",),
    }
    assert slices.mean() == {
        "hats": {"P@1": 1.0, "NumRel": 1.0},
        "shoes": {"P@1": (1 + 0) / 2, "NumRel": 2.0},
        None: {"P@1": 0.0, "NumRel": 1.0},
    }
    assert slices.whole is scores
    assert slices["shoes"].measures == scores.measures
    assert slices["shoes"].rules == scores.rules
    assert slices["shoes"].per_query() == {
        "q1": {"P@1": 1.0, "NumRel": 1.0},
        "q2": {"P@1": 0.0, "NumRel": 1.0},
    }


def test_queries_without_a_value_are_a_slice_that_is_said(scores):
    assert list_notice_texts(scores.by("category")) == [
        "queries: 1 of 4 queries has no 'category' ('q4'); it is a slice apart."
    ]
    partial_scores = evaluate(QRELS, RUN, "P@1", queries={"q1": {"category": "shoes"}})
    assert list_notice_texts(partial_scores.by("category")) == [
        "queries: 3 of 4 queries have no 'category' ('q2', 'q3', 'q4'); they are a slice apart."
    ]
    assert partial_scores.by("category")[None].queries == ("q2", "q3", "q4")


def test_a_slice_says_that_it_is_one(scores):
    slices = scores.by("category")
    assert list_notice_texts(slices["shoes"]) == [
        "these are the 2 of 4 queries whose 'category' is 'shoes'; other notes are about all of "
        "them."
    ]
    assert list_notice_texts(slices[None]) == [
        "these are the 1 of 4 queries that have no 'category'; other notes are about all of them."
    ]


def test_data_about_other_queries_are_counted_and_said():
    queries = QUERIES | {"q8": {"category": "hats"}, "q9": {"category": "hats"}}
    sentence = "queries: 2 queries in it were not evaluated ('q8', 'q9'); left out."
    scores = evaluate(QRELS, RUN, "P@1", queries=queries)
    assert list_notice_texts(scores) == [sentence]
    assert (
        list_notice_texts(evaluate(QRELS, RUN, "P@1").by("category", queries=queries))[0]
        == sentence
    )
    assert scores.by("category")["hats"].queries == ("q3",)


def test_slices_of_numbers_stand_by_size_and_are_found_by_number():
    lengths = {"query": ["q1", "q2", "q3", "q4"], "words": [10.0, 9.0, 2.5, 10.0]}
    slices = evaluate(QRELS, RUN, "P@1", queries=lengths).by("words")
    assert list(slices) == ["2.5", "9", "10"]
    assert slices[10].queries == slices["10"].queries == ("q1", "q4")


def test_a_value_that_no_query_has_is_an_error(scores):
    slices = scores.by("category")
    with pytest.raises(SliceError) as error:
        slices["boots"]
    assert str(error.value) == (
        "no query has 'category' 'boots'; there are 'hats', 'shoes', '(no category)'."
    )
    assert slices.get("boots") is None
    assert "boots" not in slices


def test_a_column_that_is_not_there_and_data_that_were_not_given_are_errors(scores):
    with pytest.raises(SourceError) as error:
        scores.by("color")
    assert str(error.value) == "queries: has no column 'color'; there are 'category', 'traffic'."
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, RUN, "P@1").by("category")
    assert str(error.value) == (
        "by('category') needs to know of queries. Pass queries=... to it, or to evaluate()."
    )


def test_as_many_slices_as_queries_are_said():
    qrels = {f"q{i}": {"a": 1} for i in range(12)}
    data = {query: {"id": query, "half": i // 2} for i, query in enumerate(qrels)}
    scores = evaluate(qrels, {query: ["a"] for query in qrels}, "P@1", queries=data)
    assert list_notice_texts(scores.by("id")) == [
        "'id' has 12 values for 12 queries: most slices are too small to say anything. Put values "
        "together, such as numbers that are near each other."
    ]
    assert list_notice_texts(scores.by("half")) == []


def test_a_number_of_the_whole_run_is_none_of_a_slice():
    scores = evaluate(
        QRELS, RUN, ["Coverage", "P@1"], queries=QUERIES, items=ItemData(catalog=["a", "x"])
    )
    slices = scores.by("category")
    assert math.isnan(slices["shoes"]["Coverage"])
    assert slices.whole["Coverage"] == 1.0
    assert list_notice_texts(slices)[-1] == (
        "Coverage is a number of the whole run, and slices have none. "
        "Evaluate the queries of a slice alone to get it."
    )
    assert slices.to_dict()["slices"][0]["mean"] == {"Coverage": None, "P@1": 1.0}
    assert "hats                 1         -  1.0000\n" in repr(slices)


def test_weights_weigh_means_and_not_counts(weighted_scores):
    assert weighted_scores["P@1"] == (3 * 1 + 1 * 0 + 2 * 1 + 2 * 0) / 8
    assert weighted_scores["NumRel"] == 4
    assert weighted_scores.mean() == {"P@1": 0.625, "NumRel": 4.0}
    assert weighted_scores.weights.tolist() == [3, 1, 2, 2]


def test_slices_keep_their_weights(weighted_scores):
    slices = weighted_scores.by("category")
    assert slices["shoes"]["P@1"] == 3 / 4
    assert slices["shoes"].weights.tolist() == [3, 1]


def test_results_say_that_they_are_weighted(weighted_scores):
    sentence = (
        "means are weighted by 'traffic' of queries, from 1 to 3; counts and numbers of whole "
        "runs are not."
    )
    assert list_notice_texts(weighted_scores) == [sentence]
    assert sentence in repr(weighted_scores)
    assert sentence in weighted_scores.to_markdown()
    assert "[weighted-means]" in weighted_scores._repr_html_()
    assert weighted_scores.to_dict()["weights"] == {"q1": 3, "q2": 1, "q3": 2, "q4": 2}
    assert sentence in weighted_scores.to_dict()["notices"][-1]["text"]


def test_weights_may_be_given_by_query():
    weights = {"q1": 3, "q2": 1, "q3": 2, "q4": 2, "q9": 5}
    scores = evaluate(QRELS, RUN, "P@1", weights=weights)
    assert scores["P@1"] == 0.625
    assert list_notice_texts(scores) == [
        "weights: 1 query in it was not evaluated ('q9'); left out.",
        "means are weighted by the weights given, from 1 to 3; counts and numbers of whole runs "
        "are not.",
    ]
    assert evaluate({1: {"a": 1}}, {1: ["a"]}, "P@1", weights={1: 2})["P@1"] == 1


def test_undefined_values_are_left_out_with_their_weights():
    qrels = QRELS | {"q4": {"a": 0}}
    rules = Rules(empty="nan")
    scores = evaluate(qrels, RUN, "nDCG@1", queries=QUERIES, weights="traffic", rules=rules)
    assert scores["nDCG@1"] == (3 * 1 + 1 * 0 + 2 * 1) / 6


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"weights": "traffic"},
            "weights: 'traffic' names a column of queries, got no queries. "
            "Pass queries=... too, or weights={query: weight}.",
        ),
        (
            {"weights": [1, 2, 3, 4]},
            "weights: must be the name of a column of queries, or {query: weight}, "
            "got [1, 2, 3, 4].",
        ),
        (
            {"weights": "clicks", "queries": QUERIES},
            "queries: has no column 'clicks'; there are 'category', 'traffic'.",
        ),
        (
            {"weights": {"q1": 1, "q2": 1}},
            "weights: 2 queries have no weight ('q3', 'q4'). "
            "Give each of them one; 0 leaves it out of the means.",
        ),
        (
            {"weights": "traffic", "queries": QUERIES | {"q3": {"traffic": None}}},
            "queries, column 'traffic': 1 query has no weight ('q3'). "
            "Give each of them one; 0 leaves it out of the means.",
        ),
        (
            {"weights": "category", "queries": {q: {"category": "x"} for q in QRELS}},
            "queries, column 'category': the weight of query 'q1' must be a finite number >= 0, "
            "got 'x'.",
        ),
        (
            {"weights": dict.fromkeys(QRELS, -1)},
            "weights: the weight of query 'q1' must be a finite number >= 0, got -1.",
        ),
        (
            {"weights": dict.fromkeys(QRELS, math.inf)},
            "weights: the weight of query 'q1' must be a finite number >= 0, got inf.",
        ),
        (
            {"weights": dict.fromkeys(QRELS, True)},
            "weights: the weight of query 'q1' must be a finite number >= 0, got True.",
        ),
        (
            {"weights": dict.fromkeys(QRELS, 0)},
            "weights: all weights are 0, so that there is no mean.",
        ),
        (
            {"weights": {"1": 1, 1: 2}},
            "weights: must name every query once, got an id as text and as a number.",
        ),
    ],
)
def test_weights_that_are_wrong_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, RUN, "P@1", **options)
    assert str(error.value) == sentence


def test_a_slice_that_weighs_nothing_has_no_mean():
    data = {q: {"half": q < "q3", "weight": int(q < "q3")} for q in QRELS}
    slices = evaluate(QRELS, RUN, "P@1", queries=data, weights="weight").by("half")
    assert math.isnan(slices["false"]["P@1"])
    assert slices["true"]["P@1"] == slices[True]["P@1"] == 0.5


def test_queries_that_are_left_out_need_no_weight():
    run = {"q1": ["a"]}
    rules = Rules(missing="skip")
    assert evaluate(QRELS, run, "P@1", weights={"q1": 2}, rules=rules)["P@1"] == 1


def test_slices_show_themselves(weighted_scores):
    slices = weighted_scores.by("category")
    assert repr(slices).splitlines()[:6] == [
        "<Slices of 'run': 3 slices by 'category'>",
        "category       queries  weight     P@1  NumRel",
        "hats                 1       2  1.0000       1",
        "shoes                2       4  0.7500       2",
        "(no category)        1       2  0.0000       1",
        "all                  4       8  0.6250       4",
    ]
    assert slices.to_markdown().splitlines()[:3] == [
        "| category | queries | weight | P@1 | NumRel |",
        "|:--|--:|--:|--:|--:|",
        "| hats | 1 | 2 | 1.0000 | 1 |",
    ]
    data = slices.to_dict()
    assert (data["by"], data["n_queries"], data["weight"]) == ("category", 4, 8.0)
    assert data["mean"] == {"P@1": 0.625, "NumRel": 4.0}
    assert data["slices"][1] == {
        "value": "shoes",
        "n_queries": 2,
        "weight": 4.0,
        "mean": {"P@1": 0.75, "NumRel": 2.0},
    }
    assert pickle.loads(pickle.dumps(slices)).to_dict() == data


def test_html_is_escaped():
    data = {query: {"<b>": "<i>"} for query in QRELS}
    page = evaluate(QRELS, RUN, "P@1", queries=data).by("<b>")._repr_html_()
    assert "<b>" not in page
    assert "<i>" not in page


def test_slices_name_the_dialect_with_the_rules():
    scores = evaluate(QRELS, RUN, "nDCG", dialect="lightgbm", queries=QUERIES)
    rules = find_dialect("lightgbm").rules
    line = f"dialect: lightgbm (as in LightGBM 4.7.0); rules: {rules} "
    slices = scores.by("category")
    assert f"- {line}" in slices.to_markdown()
    assert line in repr(slices)
    assert line in slices._repr_html_()


# Properties.

VALUE = st.sampled_from(["a", "b", "10", "9", None])
ROWS = st.lists(
    st.tuples(st.floats(0, 1), VALUE, st.integers(0, 20)), min_size=1, max_size=20
).filter(lambda rows: any(weight for *_, weight in rows))


def make_scores(rows, rng=None):
    # With one item of a label and CG, values may be anything.
    qrels = {f"q{i}": {"a": label} for i, (label, *_) in enumerate(rows)}
    table = [{"query": f"q{i}", "kind": kind, "weight": w} for i, (_, kind, w) in enumerate(rows)]
    if rng is not None:
        rng.shuffle(table)
    run = {query: ["a"] for query in qrels}
    return evaluate(qrels, run, "CG", queries=table, weights="weight")


@given(ROWS)
def test_every_query_is_in_one_slice(rows):
    scores = make_scores(rows)
    slices = scores.by("kind")
    assert sorted(q for part in slices.values() for q in part.queries) == sorted(scores.queries)
    for kind, part in slices.items():
        assert all(rows[int(query[1:])][1] == kind for query in part.queries)


@given(ROWS)
def test_the_means_of_slices_weighted_by_them_are_the_mean_of_all(rows):
    scores = make_scores(rows)
    parts = [part for part in scores.by("kind").values() if part.weights.any()]
    total = math.fsum(part["CG"] * part.weights.sum() for part in parts)
    assert total / scores.weights.sum() == pytest.approx(scores["CG"], rel=1e-14, abs=1e-300)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_table_does_not_matter(rows, rng: random.Random):
    slices, shuffled_slices = make_scores(rows).by("kind"), make_scores(rows, rng).by("kind")
    assert list(slices) == list(shuffled_slices)
    assert repr(slices) == repr(shuffled_slices)
    assert slices.to_dict() == shuffled_slices.to_dict()


@given(ROWS, st.floats(1e-100, 1e100))
def test_equal_weights_change_nothing(rows, weight):
    qrels = {f"q{i}": {"a": label} for i, (label, *_) in enumerate(rows)}
    run = {query: ["a"] for query in qrels}
    same = evaluate(qrels, run, ["CG", "NumRel"], weights=dict.fromkeys(qrels, weight))
    assert same.mean() == evaluate(qrels, run, ["CG", "NumRel"]).mean()
