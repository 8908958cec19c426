"""Bounds of nDCG, whatever the labels of unjudged items."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples
from gainful import ComparisonError, Rules, evaluate
from gainful.base.numbers import Interval
from gainful.unjudged import compute_bounds, describe_order, search

QRELS = {"q": {"a": 3, "b": 0, "c": 2, "z": 1}}
RUN = {"q": ["u1", "a", "u2", "c", "b"]}


def bound_run(qrels, run, measure="nDCG@10", **options):
    return compute_bounds(qrels, {"mine": run}, measure, **options)


def test_the_interval_of_two_unjudged_items():
    bounds = bound_run(QRELS, RUN, "nDCG@5", possible_labels=(0, 1, 2, 3))
    assert bounds.value("mine") == pytest.approx(0.5783753957, abs=5e-11)
    assert bounds.mean("mine") == pytest.approx((0.5783753957, 0.9493714107), abs=5e-11)


def test_not_relevant_is_not_the_worst_an_unjudged_item_can_be():
    # One relevant item at rank 1. A second one at rank 10 makes the best ranking 1 + 1 / log2(3).
    ranking = ["a", *(f"n{i}" for i in range(8)), "unjudged"]
    qrels = {"q": {"a": 1} | {f"n{i}": 0 for i in range(8)}}
    bounds = bound_run(qrels, {"q": ranking})
    assert bounds.value("mine") == 1.0
    worst = (1 + 1 / math.log2(11)) / (1 + 1 / math.log2(3))
    assert bounds.mean("mine") == pytest.approx((worst, 1.0), abs=1e-15)
    assert bounds.low[0, 0] == pytest.approx(0.7903864795, abs=5e-11)


def test_labels_that_lead_to_the_ends_are_scored_by_evaluate_with_the_same_bits():
    bounds = bound_run(QRELS, RUN, "nDCG@5", possible_labels=(0, 1, 2, 3))
    best = evaluate({"q": QRELS["q"] | {"u1": 3, "u2": 3}}, RUN, "nDCG@5")["nDCG@5"]
    assert bounds.mean("mine") == (evaluate(QRELS, RUN, "nDCG@5")["nDCG@5"], best)


def test_a_query_without_unjudged_items_has_its_value_for_both_ends():
    bounds = bound_run(QRELS, {"q": ["c", "a", "b"]})
    assert bounds.low.tolist() == bounds.high.tolist() == bounds.values.tolist()
    assert bounds.n_unjudged.tolist() == [[0]]


def test_condensed_rankings_have_no_unjudged_items():
    bounds = bound_run(QRELS, RUN, "nDCG@5", rules=Rules(unjudged="condense"))
    value = pytest.approx(0.8949990021, abs=5e-11)
    assert (bounds.value("mine"), *bounds.mean("mine")) == (value, value, value)
    assert [str(notice) for notice in bounds.notices] == [
        "run 'mine': 2 items without a judgment were taken out of the rankings before they were "
        "cut and scored; such condensed lists overestimate runs of which little is judged."
    ]


def test_a_query_that_the_run_lacks_scores_zero_at_both_ends():
    bounds = bound_run(QRELS | {"r": {"x": 1}}, RUN)
    assert (bounds.low[0, 1], bounds.high[0, 1]) == (0.0, 0.0)


@pytest.mark.parametrize(("empty", "value", "low"), [("zero", 0.0, 0.0), ("one", 1.0, 0.5)])
def test_where_nothing_is_relevant_the_rule_is_one_of_the_ends(empty, value, low):
    # As soon as the item at rank 3 is relevant, nDCG is 1 / log2(4).
    qrels, run = {"q": {"a": 0, "b": 0}}, {"q": ["a", "b", "c"]}
    bounds = bound_run(qrels, run, possible_labels=(0, 1), rules=Rules(empty=empty))
    assert (bounds.value("mine"), *bounds.mean("mine")) == (value, low, max(value, 0.5))


def test_queries_without_a_value_are_left_out_of_the_mean():
    qrels, run = {"q": {"a": 0}, "r": {"a": 1}}, {"q": ["b", "a"], "r": ["b", "a"]}
    bounds = bound_run(qrels, run, rules=Rules(empty="nan"))
    assert np.isnan([bounds.values[0, 0], bounds.low[0, 0], bounds.high[0, 0]]).all()
    assert bounds.mean("mine") == (bounds.low[0, 1], bounds.high[0, 1])
    assert bound_run(qrels, run, rules=Rules(empty="skip")).queries == ("r",)


def test_queries_that_one_run_lacks_are_left_out_of_its_mean_and_of_differences_if_so_asked():
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    runs = {"whole": {"q": ["a"], "r": ["b", "a"]}, "part": {"q": ["b", "a"]}}
    bounds = compute_bounds(qrels, runs, rules=Rules(missing="skip"))
    assert bounds.queries == ("q", "r")
    assert np.isnan(bounds.values).tolist() == [[False, False], [False, True]]
    assert bounds.mean("part") == (bounds.low[1, 0], bounds.high[1, 0])
    [first, second] = bounds.differences("whole", "part")
    assert bounds.difference("whole", "part") == first
    assert np.isnan(second).all()
    assert bounds.value_difference("whole", "part") == 1.0 - bounds.values[1, 0]


def test_an_item_has_the_same_label_for_both_runs():
    qrels, runs = {"q": {"a": 1}}, {"old": {"q": ["u", "a"]}, "new": {"q": ["u", "a"]}}
    bounds = compute_bounds(qrels, runs)
    assert bounds.mean("old") != (bounds.value("old"), bounds.value("old"))
    assert bounds.difference("new", "old") == (0.0, 0.0)


def test_the_difference_of_runs_changed_over_is_the_negative():
    qrels, runs = {"q": {"a": 1, "c": 2}}, {"old": {"q": ["u", "a"]}, "new": {"q": ["c", "v"]}}
    bounds = compute_bounds(qrels, runs)
    low, high = bounds.difference("new", "old")
    assert bounds.difference("old", "new") == (-high, -low)


def test_an_item_below_the_cutoff_of_one_run_counts_for_the_other():
    qrels = {"q": {"a": 1}}
    runs = {"old": {"q": ["a", "u"]}, "new": {"q": ["u", "a"]}}
    bounds = compute_bounds(qrels, runs, "nDCG@1")
    # Relevant, it is the equal of a: both rankings are perfect. Else new has missed a.
    assert bounds.difference("new", "old") == (-1.0, 0.0)
    # The old run itself has no unjudged item in its first rank.
    assert bounds.mean("old") == (1.0, 1.0)


def test_dcg_has_an_interval_too():
    bounds = bound_run({"q": {"a": 2}}, {"q": ["u", "a"]}, "DCG@10", possible_labels=(0, 3))
    assert bounds.mean("mine") == (2 / math.log2(3), 3 + 2 / math.log2(3))


def test_rankings_without_a_cutoff_may_be_deep():
    n = 3_000
    bounds = bound_run({"q": {"a": 1, "b": 3}}, {"q": [f"u{i}" for i in range(n)]}, "nDCG")
    assert bounds.low[0, 0] == 0.0
    assert 0.99 < bounds.high[0, 0] < 1.0


def test_runs_are_named_and_told_apart():
    bounds = compute_bounds(QRELS, [RUN, RUN])
    assert bounds.runs == ("run-1", "run-2")
    with pytest.raises(ComparisonError) as error:
        bounds.mean("mine")
    assert str(error.value) == "there is no run 'mine'; there are 'run-1', 'run-2'."
    with pytest.raises(ComparisonError, match=r"runs: there must be at least one, got none."):
        compute_bounds(QRELS, [])
    with pytest.raises(ComparisonError, match=r"runs: must be a list of runs, or \{name: run\}, g"):
        compute_bounds(QRELS, 5)
    with pytest.raises(ComparisonError, match=r"runs: the name of a run must be text, got 1."):
        compute_bounds(QRELS, {1: RUN})


def test_a_single_file_is_a_run(tmp_path):
    path = tmp_path / "mine.run"
    path.write_text("q Q0 u 1 2 t\nq Q0 a 2 1 t\n")
    assert (
        compute_bounds(QRELS, path).runs
        == compute_bounds(QRELS, gainful.read_run(path)).runs
        == ("mine",)
    )


def test_the_number_of_threads_changes_nothing(tmp_path):
    path = tmp_path / "mine.run"
    path.write_text("".join(f"q{i} Q0 u{j} 1 {-j} t\n" for i in range(50) for j in range(9)))
    qrels = {f"q{i}": {f"u{i % 9}": i % 4, "x": 2} for i in range(50)}
    first, second = (compute_bounds(qrels, path, threads=n) for n in (1, 2))
    assert first.to_dict() == second.to_dict()


def test_queries_that_are_worked_out_apart_have_the_same_ends(monkeypatch):
    rng = np.random.default_rng(3)
    qrels = {
        f"q{i}": {f"d{j}": int(rng.integers(0, 4)) for j in range(i % 7 + 1)} for i in range(40)
    }
    run = {q: [f"d{j}" for j in rng.permutation(12)[: int(rng.integers(0, 12))]] for q in qrels}
    together = bound_run(qrels, run, "nDCG@8", possible_labels=(0, 1, 3))
    monkeypatch.setattr(search, "_MAX_NUMBERS", 1)
    singly = bound_run(qrels, run, "nDCG@8", possible_labels=(0, 1, 3))
    assert (together.low.tolist(), together.high.tolist()) == (
        singly.low.tolist(),
        singly.high.tolist(),
    )


def test_json_has_everything_and_nan_is_null():
    qrels, runs = QRELS | {"e": {"a": 0}}, {"old": RUN, "new": {"q": ["a", "c"]}}
    bounds = compute_bounds(qrels, runs, "nDCG@5", rules=Rules(empty="nan"))
    result = json.loads(bounds.to_json())
    assert result["measure"] == "nDCG@5"
    assert result["possible_labels"] == [0, 1, 2, 3]
    assert result["runs"][0]["per_query"]["e"] == {"value": None, "low": None, "high": None}
    assert result["runs"][0]["low"] == bounds.mean("old").low
    assert result["runs"][0]["n_unjudged"] == 2
    assert [result["differences"][0][k] for k in ("system", "baseline")] == ["new", "old"]
    assert result["differences"][0]["high"] == bounds.difference("new", "old").high
    assert json.loads(bounds.to_json(baseline="new"))["differences"][0]["baseline"] == "new"


def test_a_polars_frame_has_a_row_for_every_run_and_query():
    bounds = compute_bounds(QRELS, {"old": RUN}, "nDCG@5")
    (row,) = bounds.to_polars().rows(named=True)
    assert row["run"] == "old"
    assert (row["value"], row["low"], row["high"]) == (bounds.value("old"), *bounds.mean("old"))
    assert row["unjudged"] == 2


def test_it_shows_itself():
    bounds = compute_bounds(QRELS, {"old": RUN}, "nDCG@5")
    assert repr(bounds) == (
        "<Bounds of nDCG@5 on 1 query>\nold: 0.5784, could be [0.5784, 0.9494], 60.0% judged\n"
        f"possible labels: 0, 1, 2, 3\nrules: {Rules(ties='item-desc')}"
    )


@pytest.mark.parametrize(
    ("difference", "possible", "sentence"),
    [
        (0.2, (0.1, 0.3), "new stays above old whatever their unjudged items are: the difference "
         "is +0.2000 and lies in [0.1000, 0.3000]."),
        (-0.2, (-0.3, -0.1), "new stays below old whatever their unjudged items are: the "
         "difference is -0.2000 and lies in [-0.3000, -0.1000]."),
        (0.2, (1e-17, 0.3), "new does not fall below old whatever their unjudged items are: the "
         "difference is +0.2000 and lies in [0.0000, 0.3000]."),
        (-0.2, (-0.3, 0.0), "new does not rise above old whatever their unjudged items are: the "
         "difference is -0.2000 and lies in [-0.3000, 0.0000]."),
        (0.2, (-0.3, 0.3), "Judging could turn the order over and put old above new: the "
         "difference is +0.2000 and lies in [-0.3000, 0.3000]."),
        (-0.2, (-0.3, 0.3), "Judging could turn the order over and put new above old: the "
         "difference is -0.2000 and lies in [-0.3000, 0.3000]."),
        (0.0, (-0.3, 0.3), "Judging could put new above old or below it: the difference is +0.0000 "
         "and lies in [-0.3000, 0.3000]."),
        (0.0, (0.0, 0.0), "new and old score the same whatever their unjudged items are."),
        (math.nan, (math.nan, math.nan), "new and old have no query in common that has a value."),
    ],
)  # fmt: skip
def test_whether_the_order_could_be_turned_over_is_said_in_a_sentence(
    difference, possible, sentence
):
    assert describe_order("new", "old", difference, Interval(*possible)) == sentence


LABELS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), min_size=1)
RANKINGS = st.permutations("abcdefgh").flatmap(
    lambda items: st.integers(0, 8).map(lambda n: list(items[:n]))
)


@max_examples(100)
@given(LABELS, RANKINGS, RANKINGS, st.sampled_from(["nDCG@3", "nDCG", "nDCG(gain=exp2)@5"]))
def test_values_lie_within_their_ends_and_fewer_labels_lead_less_far(
    judged, first, second, measure
):
    qrels = {"q": judged, "other": {"x": 1}}
    runs = {"a": {"q": first, "other": ["x"]}, "b": {"q": second, "other": ["x"]}}
    bounds = compute_bounds(qrels, runs, measure, possible_labels=(0, 1, 2, 3))
    assert (bounds.low <= bounds.values).all()
    assert (bounds.values <= bounds.high).all()
    assert ((bounds.low >= 0) & (bounds.high <= 1)).all()
    low, high = bounds.difference("b", "a")
    assert low - 1e-12 <= bounds.value_difference("b", "a") <= high + 1e-12
    narrower = compute_bounds(qrels, runs, measure, possible_labels=(0, 2))
    assert (narrower.low >= bounds.low - 1e-12).all()
    assert (narrower.high <= bounds.high + 1e-12).all()
