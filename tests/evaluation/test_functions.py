"""cg(), dcg(), idcg(), ndcg() and mean_ndcg(): every shape of input, and every error."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import gainful
from gainful import GainfulError, dcg, mean_ndcg, ndcg
from gainful.errors import SourceError
from gainful.measures import AP

LABELS = [[3, 0, 2], [0, 1, 1]]
SCORES = [[0.1, 0.5, 0.3], [0.9, 0.8, 0.7]]
EXPECTED = [ndcg(labels, scores) for labels, scores in zip(LABELS, SCORES, strict=True)]


def test_one_ranking_gives_a_float_and_many_give_an_array():
    assert type(ndcg([1, 0])) is float
    assert ndcg([[1, 0]]).tolist() == [1.0]


@pytest.mark.parametrize(
    "arguments",
    [
        {"ranking": LABELS, "scores": SCORES},
        {"ranking": np.array(LABELS), "scores": np.array(SCORES)},
        {"ranking": np.array(LABELS, dtype=np.int8), "scores": np.array(SCORES, dtype=np.float32)},
        {
            "ranking": [*LABELS[0], *LABELS[1]],
            "scores": [*SCORES[0], *SCORES[1]],
            "group_sizes": [3, 3],
        },
        {
            "ranking": [*LABELS[0], *LABELS[1]],
            "scores": [*SCORES[0], *SCORES[1]],
            "query_ids": list("bbbaaa"),
        },
        {
            "ranking": [3, 0, 0, 1, 2, 1],
            "scores": [0.1, 0.9, 0.5, 0.8, 0.3, 0.7],
            "query_ids": [7, 5, 7, 5, 7, 5],
        },
        {
            "ranking": [3, 0, 0, 1, 2, 1],
            "scores": [0.1, 0.9, 0.5, 0.8, 0.3, 0.7],
            "query_ids": ["x", None, "x", None, "x", None],
        },
        {"ranking": [np.array(row) for row in LABELS], "scores": [tuple(row) for row in SCORES]},
        {"ranking": np.asfortranarray(LABELS), "scores": np.asfortranarray(SCORES)},
    ],
)
def test_every_shape_gives_the_same_values(arguments):
    assert ndcg(**arguments).tolist() == EXPECTED


def test_ragged_rankings():
    assert ndcg([[1], [], [0, 1]]).tolist() == [1.0, 0.0, ndcg([0, 1])]
    assert ndcg([1, 0, 1], group_sizes=[1, 0, 2]).tolist() == [1.0, 0.0, ndcg([0, 1])]


def test_several_cutoffs_add_an_axis():
    assert ndcg([0, 1, 1], k=[1, 2]).tolist() == [ndcg([0, 1, 1], k=1), ndcg([0, 1, 1], k=2)]
    assert ndcg(LABELS, SCORES, k=[1, 2, 3]).shape == (2, 3)
    assert mean_ndcg(LABELS, SCORES, k=[1, 3]).shape == (2,)


def test_ids_with_what_is_relevant():
    assert ndcg(["x", "a"], relevant={"a": 1}) == ndcg([0, 1])
    assert ndcg(["x", "a"], relevant={"a"}) == ndcg(["x", "a"], relevant=["a"]) == ndcg([0, 1])
    assert (
        ndcg([7, 8], relevant={8: 1}) == ndcg(np.array([7, 8]), relevant={"8": 1}) == ndcg([0, 1])
    )
    assert ndcg([["a"], ["b"]], relevant=[{"a"}, {"a"}]).tolist() == [1.0, 0.0]
    assert ndcg([["a"], ["b"]], relevant={"a": 1}).tolist() == [1.0, 0.0]
    assert ndcg([["a"], ["b"]], relevant={"a"}).tolist() == [1.0, 0.0]
    assert ndcg(["a", "b"], relevant={"a": "click"}, labels={"click": 1}) == 1.0


def test_ties_are_averaged_where_scores_come_without_ids():
    assert ndcg([1, 0], [5, 5]) == ndcg([1, 0], [5, 5], ties="average")
    assert ndcg([1, 0], [5, 5], ties="input") == 1.0


def test_empty_rankings_and_odd_shapes():
    assert ndcg([], relevant={"a"}) == ndcg([], [], relevant={"a"}) == 0.0
    assert ndcg([], group_sizes=[]).shape == (0,)
    assert ndcg([1, 0], k=np.array(1)) == 1.0
    assert ndcg([1, 0], query_ids=[1, "1"]).shape == (2,)
    assert ndcg([1, 0], query_ids=[(1, 2), (1, 3)]).shape == (2,)


def test_a_list_of_ones_reaches_an_ideal_of_ones_exactly():
    assert [ndcg([1] * n, ideal="ones") for n in range(1, 200)] == [1.0] * 199


def test_means_of_any_size_are_numbers():
    assert mean_ndcg([[0, 1], [1]], weights=[5e-324, 5e-324]) == mean_ndcg([[0, 1], [1]])
    assert mean_ndcg([[0, 1], [1]], weights=[1e308, 1e308]) == mean_ndcg([[0, 1], [1]])


def test_a_fixed_list_size_cuts_and_pads():
    assert ndcg([1, 1, 1], list_size=5, ideal="ones") == pytest.approx(0.7227265726449519)
    assert dcg([0, 1, 1], list_size=2) == dcg([0, 1, 1], k=2)
    assert ndcg(["a"], relevant={"a", "b"}, list_size=3, ideal_depth="retrieved") == ndcg(
        ["a"], relevant={"a", "b"}
    )


def test_empty_rule_applies():
    assert ndcg([0, 0], empty="one") == 1.0
    assert np.isnan(ndcg([0, 0], empty="nan"))
    assert mean_ndcg([[1], [0]], empty="nan") == 1.0
    assert mean_ndcg([[1], [0]], empty="skip") == 1.0
    assert ndcg(["a"], relevant={}, empty="one") == 1.0


def test_every_function_has_its_weighted_mean():
    for name in ("cg", "dcg", "idcg", "ndcg"):
        values = getattr(gainful, name)([[0, 3], [1, 1, 0]])
        mean = getattr(gainful, f"mean_{name}")([[0, 3], [1, 1, 0]], weights=[1, 3])
        assert mean == pytest.approx((values[0] + 3 * values[1]) / 4, rel=1e-15)


def test_weights_count_in_the_mean():
    assert mean_ndcg([[1], [0]], weights=[1, 3]) == 0.25
    assert mean_ndcg([[1], [0]]) == 0.5


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ndcg(3), "ranking: expected a list or an array, got 3."),
        (lambda: ndcg("abc"), "ranking: expected a list or an array, got 'abc'."),
        (lambda: ndcg([[1], 0]), "ranking: expected lists only, or no list, got a mix: [[1], 0]."),
        (lambda: ndcg(np.zeros((2, 2, 2))), "ranking: expected one or two dimensions, got 3."),
        (
            lambda: ndcg(["click", "buy"]),
            "labels: must be numbers, got 'click'. Pass labels={...} to map words, or "
            "relevant={...} for item ids.",
        ),
        (
            lambda: ndcg([1, None]),
            "labels: must be finite numbers, got nan at position 1.",
        ),
        (
            lambda: ndcg([1, float("nan")]),
            "labels: must be finite numbers, got nan at position 1.",
        ),
        (
            lambda: ndcg([1, 0], [float("nan"), 1]),
            "scores: must be numbers that can be ordered, got nan at position 0.",
        ),
        (
            lambda: ndcg([1, 0], [1, 2, 3]),
            "scores: must have the shape of the ranking, one list of 2, got one list of 3.",
        ),
        (
            lambda: ndcg([[1, 0], [1]], [[1], [2, 3]]),
            "scores: must have the shape of the ranking, lists of 2, 1, got lists of 1, 2.",
        ),
        (
            lambda: ndcg([1, 0, 1], group_sizes=[1, 1]),
            "group_sizes: the sum must be the number of labels, 3, got 2.",
        ),
        (
            lambda: ndcg([1, 0], group_sizes=[1.5, 0.5]),
            "group_sizes: must be integers >= 0, got [1.5, 0.5].",
        ),
        (
            lambda: ndcg([1, 0, 1], query_ids=[1, 1]),
            "query_ids: the count must be the number of labels, 3, got 2.",
        ),
        (
            lambda: ndcg([[1]], query_ids=[1]),
            "query_ids: cuts one list into rankings; give either it alone, or many rankings.",
        ),
        (lambda: ndcg([1], k=0), "nDCG: cutoff must be an integer >= 1, got 0."),
        (lambda: ndcg([1], k=[]), "k: must be one cutoff or several, got []."),
        (
            lambda: ndcg([1], list_size=0),
            "list_size: must be an integer >= 1, got 0.",
        ),
        (
            lambda: ndcg([1], ties="first"),
            "rules: ties must be one of auto, item-desc, item-asc, input, input-reversed, "
            "rank-column, average, best, worst, middle, got 'first'.",
        ),
        (
            lambda: ndcg([1, 0], [1, 1], ties="item-asc"),
            "ties: must be one of input, input-reversed, average, best, worst, middle where there "
            "are no item ids, got 'item-asc'.",
        ),
        (
            lambda: ndcg([1], weights=[1]),
            "ndcg: gives one value per ranking, got weights. Pass them to mean_ndcg.",
        ),
        (
            lambda: dcg([1], weights=[1]),
            "dcg: gives one value per ranking, got weights. Pass them to mean_dcg.",
        ),
        (
            lambda: mean_ndcg([[1], [0]], weights=[1]),
            "weights: must be 2 numbers >= 0, not all 0, got [1].",
        ),
        (
            lambda: mean_ndcg([[1], [0]], weights=[1, -1]),
            "weights: must be 2 numbers >= 0, not all 0, got [1, -1].",
        ),
        (
            lambda: ndcg(["a"], relevant="a"),
            "relevant: must hold ids, as in {'d1': 2} or {'d1'}, got 'a'.",
        ),
        (
            lambda: ndcg([["a"], ["b"]], relevant=[{"a"}]),
            "relevant: must be one for each of 2 rankings, got 1.",
        ),
        (
            lambda: ndcg(["a", "b"], labels={"a": 1}),
            "labels: must name every word, got 'b'; there are 'a'.",
        ),
        (lambda: ndcg([1], labels=[1]), "labels: must map words to numbers, got [1]."),
        (
            lambda: ndcg(["a", "a"], [1, 2], relevant={"a"}),
            "run 'ranking', row 2: query '0' item 'a' is retrieved twice (first on row 1). "
            "Pass --duplicates first, last or max to keep one.",
        ),
        (
            lambda: ndcg(["a", "a"], relevant={"a"}),
            "run 'ranking': query '0' item 'a' is retrieved twice. "
            "Pass --duplicates first, last or max to keep one.",
        ),
        (
            lambda: ndcg({"a"}, relevant={"a"}),
            "ranking: must have an order and no masked values, got {'a'}.",
        ),
        (
            lambda: ndcg(np.ma.array([3, 9], mask=[0, 1]), k=1),
            "ranking: must have an order and no masked values, got masked_array(data=[3, --],\n"
            "             mask=[False,  True],.",
        ),
        (
            lambda: ndcg(["a"], relevant={"a"}, labels={"click": 1}),
            "labels: must map the labels of relevant items, got no labels: {'a'}.",
        ),
        (
            lambda: ndcg([1], group_sizes=[2**62] * 3 + [2**62 + 1]),
            "group_sizes: the sum must be the number of labels, 1, got 18446744073709551617.",
        ),
        (
            lambda: ndcg([10**400]),
            "labels: must be numbers, got [1000000000000000000000000000000000000000000000000000000"
            "0000. Pass labels={...} to map words, or relevant={...} for item ids.",
        ),
        (
            lambda: gainful.cg([1], discount="ln"),
            "cg has no argument 'discount'; it takes scores, k, relevant, labels, group_sizes, "
            "query_ids, list_size, ties, empty, precision, duplicates, gain, negatives, rel, "
            "dialect.",
        ),
        (
            lambda: ndcg([1], group=[1]),
            "ndcg has no argument 'group'; it takes scores, k, relevant, labels, group_sizes, "
            "query_ids, list_size, ties, empty, precision, duplicates, gain, discount, ideal, "
            "ideal_depth, ideal_order, negatives, rel, above_one, rounding, dialect.",
        ),
        (
            lambda: ndcg([3, 2, 1], 10),
            "scores: expected a list or an array, got 10. For a cutoff write k=10.",
        ),
        (
            lambda: ndcg(["101", "205"]),
            "labels: must be numbers, got '101'. Pass labels={...} to map words, or "
            "relevant={...} for item ids.",
        ),
        (
            lambda: ndcg([1 + 2j]),
            "labels: must be numbers, got (1+2j). Pass labels={...} to map words, or "
            "relevant={...} for item ids.",
        ),
        (
            lambda: ndcg([3, 2, 1], [[1, 2, 3]]),
            "scores: must have the shape of the ranking, one list of 3, got 1 list of 3.",
        ),
        (lambda: ndcg([1, 0], query_ids=[1, float("nan")]), "query_ids: must be ids, got nan."),
        (
            lambda: ndcg(["a"], relevant=[{"a": 1}]),
            "relevant: must hold ids, got {'a': 1} among them.",
        ),
        (
            lambda: gainful.nDCG([3, 2, 1]),
            "nDCG: takes settings by name, got [3, 2, 1]. A ranking goes to gainful.ndcg() and "
            "related functions, a run to evaluate().",
        ),
    ],
)
def test_wrong_input_is_one_sentence(call, sentence):
    with pytest.raises(GainfulError) as error:
        call()
    assert str(error.value) == sentence


def test_a_second_call_takes_a_short_path_through_the_package():
    calls, package = [], str(Path(gainful.__file__).parent)

    def record_call(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(package):
            calls.append((code.co_filename, code.co_qualname))

    ndcg([3, 2, 3, 0, 1])
    profile = sys.getprofile()
    sys.setprofile(record_call)
    try:
        ndcg([3, 2, 3, 0, 1])
    finally:
        sys.setprofile(profile)
    assert 10 < len(calls) <= 60
    assert len(set(calls)) <= 30
    assert len({file for file, _ in calls}) <= 8


def test_plain_mean_adds_an_empty_ranking_once():
    mean = gainful.mean_ndcg([[0, 1], [0, 0]], [[2, 1], [2, 1]], weights=[3, 5], dialect="lightgbm")
    assert mean == pytest.approx((3 / math.log2(3) + 1) / 8)


def test_the_functions_for_arrays_average_in_the_same_way():
    rankings, weights = [[1, 0], [0, 1], [0, 0]], [0.1, 0.7, 0.4]
    values = gainful.ndcg(rankings)
    assert gainful.mean_ndcg(rankings, weights=weights) == AP.average_values(
        values, np.array(weights)
    )


def test_a_deep_cutoff_is_as_good_as_a_shallow_one():
    scores = np.arange(5000.0)
    labels = np.arange(5000.0) % 3
    for k in (60, 70, 1000):
        assert gainful.ndcg(labels, scores, k=k) == gainful.ndcg(labels, scores, k=[k, 5000])[0]


def test_what_is_no_number_is_found_where_it_was_given():
    with pytest.raises(SourceError, match="got nan at position 2"):
        gainful.ndcg([1, 0, np.nan, 1], query_ids=["a", "b", "a", "b"])
