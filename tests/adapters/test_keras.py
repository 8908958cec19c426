"""Measures as Keras takes them: padding, names, graphs, weights, errors."""

import math
import pickle
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.adapters.keras import RankingMetric, metric
from gainful.errors import MeasureError, RuleError, SourceError

LABELS = [[0, 1, -1], [1, 0, 0]]
SCORES = [[0.9, 0.8, 1.0], [0.9, 0.8, 0.7]]
SECOND = 1 / math.log2(3)  # the nDCG of one relevant item at rank 2


def make_pattern(sentence):
    return f"^{re.escape(sentence)}(\\n|$)"  # the code may follow


def test_each_list_has_a_value_and_padding_is_dropped():
    values = metric("nDCG@10")(LABELS, SCORES)
    assert values.dtype == np.float32
    assert values.tolist() == [np.float32(SECOND), 1.0]
    assert metric("RR")(LABELS, SCORES).tolist() == [0.5, 1.0]


def test_one_list_alone_is_a_batch_of_one():
    assert metric("RR")(LABELS[0], SCORES[0]).tolist() == [0.5]


def test_a_list_of_padding_alone_has_nothing():
    assert metric("RR")([[-1, -1], [1, -1]], [[1, 2], [1, 2]]).tolist() == [0.0, 1.0]
    assert metric("RR")([[-1, -1]], [[1, 2]]).tolist() == [0.0]


def test_a_mask_leaves_out_items_as_in_keras_rs():
    labels = {"labels": [[1, 0]], "mask": [[True, False]]}
    assert metric("RR")(labels, [[0.5, 0.9]]).tolist() == [1.0]


def test_padding_may_have_any_score():
    assert metric("RR")([[1, -1]], [[0.5, math.nan]]).tolist() == [1.0]


def test_a_dialect_says_what_is_padding():
    values = metric("nDCG", dialect=None)([[1, -1]], [[0.5, 0.9]])
    assert values.tolist() == [np.float32(SECOND)]  # without a dialect nothing is


@pytest.mark.parametrize(
    ("measure", "name"),
    [("nDCG", "ndcg"), ("nDCG@10", "ndcg_at_10"), ("P(rel=2)@5", "p_rel_2_at_5")],
)
def test_names_are_made_from_measures_or_given(measure, name):
    assert metric(measure).__name__ == name
    assert RankingMetric(measure).name == name
    assert metric(measure, name="mine").__name__ == RankingMetric(measure, name="mine").name


LISTS = st.lists(
    st.tuples(
        st.lists(st.integers(-1, 3), min_size=4, max_size=4),
        st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), min_size=4, max_size=4),
    ),
    min_size=1,
    max_size=8,
)


@given(LISTS, st.integers(1, 8))
def test_the_size_of_batches_makes_no_difference(lists, size):
    labels, scores = (list(column) for column in zip(*lists, strict=True))
    full_metric, batch_metric = RankingMetric("nDCG@3"), RankingMetric("nDCG@3")
    full_metric.update_state(labels, scores)
    for begin in range(0, len(lists), size):
        batch_metric.update_state(labels[begin : begin + size], scores[begin : begin + size])
    assert full_metric.result() == batch_metric.result()


@given(LISTS)
def test_metrics_of_processes_merge_to_the_same_bits(lists):
    labels, scores = (list(column) for column in zip(*lists, strict=True))
    full_metric, first, second = (RankingMetric("nDCG@3") for _ in range(3))
    full_metric.update_state(labels, scores)
    first.update_state(labels[::2], scores[::2])
    if labels[1::2]:
        second.update_state(labels[1::2], scores[1::2])
    second.merge_state([pickle.loads(pickle.dumps(first))])
    assert second.result() == full_metric.result()


def test_lists_weigh_as_they_are_told_and_padding_weighs_nothing():
    mean = RankingMetric("RR")
    mean.update_state([*LABELS, [-1, -1, -1]], [*SCORES, [1, 2, 3]], sample_weight=[3, 1, 8])
    assert mean.result() == (3 * 0.5 + 1) / 4
    assert mean([[1, 0, 0]], [[0.9, 0.8, 0.7]], sample_weight=[[4.0]]) == (3 * 0.5 + 1 + 4) / 8
    mean.reset_state()
    assert mean.result() == 0.0


def test_what_the_rules_leave_out_is_in_no_mean():
    mean = RankingMetric("nDCG", dialect=None, rules=gainful.Rules(ties="average", empty="skip"))
    assert mean([[1, 0], [0, 0]], [[0.9, 0.8], [0.9, 0.8]]) == 1.0


class Tracer:
    """An array of JAX within a function that is being compiled."""

    def __init__(self, shape):
        self.shape = shape


def test_within_a_function_that_jax_compiles_it_is_called_back(monkeypatch):
    def pure_callback(function, result, *arrays):
        assert (result.shape, result.dtype) == ((2,), np.float32)
        return function(LABELS, SCORES)

    jax = SimpleNamespace(
        core=SimpleNamespace(Tracer=Tracer),
        ShapeDtypeStruct=lambda shape, dtype: SimpleNamespace(shape=shape, dtype=dtype),
        pure_callback=pure_callback,
    )
    monkeypatch.setitem(sys.modules, "jax", jax)
    assert metric("RR")(Tracer((2, 3)), Tracer((2, 3))).tolist() == [0.5, 1.0]
    assert metric("RR")(LABELS, SCORES).tolist() == [0.5, 1.0]


def test_within_a_graph_of_tensorflow_it_is_called_back(monkeypatch):
    class Rows:
        def set_shape(self, shape):
            self.shape = shape

    def numpy_function(function, arrays, dtype):
        rows = Rows()
        rows.values, rows.dtype = function(LABELS, SCORES), dtype
        return rows

    tensorflow = SimpleNamespace(
        is_symbolic_tensor=lambda value: isinstance(value, Tracer),
        numpy_function=numpy_function,
        float32="float32",
    )
    monkeypatch.setitem(sys.modules, "tensorflow", tensorflow)
    rows = metric("RR")({"labels": Tracer((None, 3))}, Tracer((None, 3)))
    assert (rows.values.tolist(), rows.shape, rows.dtype) == ([0.5, 1.0], (None,), "float32")


@pytest.mark.parametrize(
    ("labels", "scores", "sentence"),
    [
        (
            [[1, 0]],
            [[1, 0, 1]],
            "y_pred: must have the shape of y_true, (1, 2), got (1, 3).",
        ),
        ([[[1]]], [[1]], "y_true: must be one list, or a batch of lists, got the shape (1, 1, 1)."),
        (
            [[1, 0]],
            [[1, math.nan]],
            "y_pred: must be numbers that can be ordered, got nan at position 1.",
        ),
        ({"mask": [[1]]}, [[1]], "y_true: must have labels, got mask."),
        ([["a"]], [[1]], "y_true: must be numbers, got [['a']]."),
    ],
)
def test_what_is_no_batch_of_lists_is_refused(labels, scores, sentence):
    with pytest.raises(SourceError, match=make_pattern(sentence)):
        metric("RR")(labels, scores)


@pytest.mark.parametrize("weights", [[1, 2, 3], [[1, 2, 3], [1, 2, 3]], -1])
def test_weights_are_one_for_each_list(weights):
    sentence = (
        f"sample_weight: must be one number >= 0, or one for each of 2 lists, got {weights!r}."
    )
    with pytest.raises(SourceError, match=make_pattern(sentence)):
        RankingMetric("RR").update_state(LABELS, SCORES, sample_weight=weights)


def test_a_function_cannot_leave_out_lists():
    sentence = (
        "metric: Keras takes the mean of all lists and leaves none out, got empty=skip. "
        "Take RankingMetric."
    )
    with pytest.raises(RuleError, match=make_pattern(sentence)):
        metric("nDCG", dialect=None, rules=gainful.Rules(ties="average", empty="skip"))


def test_measures_of_other_things_than_labels_are_refused():
    sentence = "metric: takes measures of items with one label each, got alpha_nDCG@5."
    with pytest.raises(MeasureError, match=make_pattern(sentence)):
        metric("alpha_nDCG@5")


def test_keras_is_not_loaded_by_the_adapter():
    metric("RR")(LABELS, SCORES)
    assert not {"keras", "jax", "tensorflow", "torch"} & set(sys.modules)
