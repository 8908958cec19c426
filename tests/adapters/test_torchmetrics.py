"""Metrics that gather batch by batch: values, merging, processes, tensors, errors."""

import copy
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
from gainful.adapters.torchmetrics import (
    RetrievalFallOut,
    RetrievalHitRate,
    RetrievalMAP,
    RetrievalMetric,
    RetrievalMRR,
    RetrievalNormalizedDCG,
    RetrievalPrecision,
    RetrievalRecall,
    RetrievalRPrecision,
)
from gainful.errors import AlignError, MeasureError, RuleError, SourceError

# The example in the documentation of torchmetrics 1.9.0, and the values it prints.
INDEXES = [0, 0, 0, 1, 1, 1, 1]
PREDS = [0.2, 0.3, 0.5, 0.1, 0.3, 0.5, 0.2]
TARGET = [0, 0, 1, 0, 1, 0, 1]

ROWS = st.lists(
    st.tuples(
        st.integers(0, 3),  # query
        st.sampled_from([0.125, 0.25, 0.5, 0.75, 1.0]),
        st.integers(0, 1),
        st.integers(0, 2),  # process
    ),
    min_size=1,
    max_size=30,
)
METRICS = [
    RetrievalNormalizedDCG,
    RetrievalMAP,
    RetrievalMRR,
    RetrievalPrecision,
    RetrievalRecall,
    RetrievalHitRate,
    RetrievalFallOut,
    RetrievalRPrecision,
]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (RetrievalNormalizedDCG(), 0.8467),
        (RetrievalMAP(), 0.7917),
        (RetrievalMRR(), 0.75),
        (RetrievalPrecision(top_k=2), 0.5),
        (RetrievalRecall(top_k=2), 0.75),
        (RetrievalHitRate(top_k=2), 1.0),
        (RetrievalFallOut(top_k=2), 0.5),
        (RetrievalRPrecision(), 0.75),
    ],
)
def test_examples_of_torchmetrics_give_what_it_prints(metric, value):
    assert round(metric(PREDS, TARGET, indexes=INDEXES), 4) == value
    assert round(metric.compute(), 4) == value


def test_average_precision_with_a_cutoff_is_over_the_relevant_items_above_it():
    metric = RetrievalMAP(top_k=2)
    # Ranks 1 and 3 are relevant; within two ranks there is one, at rank 1: 1/1 over 1.
    assert metric([0.9, 0.8, 0.7], [1, 0, 1], [0, 0, 0]) == 1.0


def test_an_item_whose_score_is_not_above_zero_is_not_found():
    scores, labels, queries = [0.5, 0.0, -1.0], [0, 1, 1], [0, 0, 0]
    assert RetrievalMRR()(scores, labels, queries) == 0.0
    assert RetrievalRecall()(scores, labels, queries) == 0.0
    assert RetrievalPrecision()(scores, labels, queries) == 0.0
    assert RetrievalHitRate(top_k=2)(scores, labels, queries) == 1.0  # torchmetrics does so here
    assert RetrievalRPrecision()(scores, labels, queries) == 0.5


def test_precision_divides_by_the_cutoff_unless_it_adapts():
    rows = [0.5, 0.25], [1, 1], [0, 0]
    assert RetrievalPrecision(top_k=4)(*rows) == 0.5
    assert RetrievalPrecision(top_k=4, adaptive_k=True)(*rows) == 1.0
    assert RetrievalPrecision()(*rows) == 1.0


@pytest.mark.parametrize(("action", "value"), [("neg", 0.5), ("pos", 1.0), ("skip", 1.0)])
@pytest.mark.parametrize("metric", [RetrievalNormalizedDCG, RetrievalMAP, RetrievalHitRate])
def test_a_query_without_relevant_items_scores_as_the_action_says(metric, action, value):
    rows = [0.5, 0.25, 0.5], [1, 0, 0], [0, 0, 1]
    assert metric(empty_target_action=action)(*rows) == value


def test_fall_out_takes_a_query_of_relevant_items_alone_for_empty():
    rows = [0.5, 0.25, 0.5], [1, 0, 1], [0, 0, 1]
    assert RetrievalFallOut(top_k=1)(*rows) == 0.5
    assert RetrievalFallOut("neg", top_k=1)(*rows) == 0.0


def test_all_queries_skipped_is_zero():
    assert RetrievalMAP("skip")([0.5], [0], [0]) == 0.0


def test_an_empty_query_is_an_error_where_one_is_wanted():
    metric = RetrievalNormalizedDCG("error")
    metric.update([0.5, 0.5], [1, 0], [4, 7])
    with pytest.raises(
        AlignError,
        match=make_pattern("nothing is relevant for query 7, got empty_target_action=error."),
    ):
        metric.compute()


def test_labels_that_add_up_to_zero_are_nothing_relevant():
    assert RetrievalNormalizedDCG("pos")([0.5, 0.25, 0.125], [-1, 0, 1], [0, 0, 0]) == 1.0


def test_items_with_the_ignored_label_are_left_out():
    metric = RetrievalMRR(ignore_index=-1)
    assert metric([0.9, 0.5], [-1, 1], [0, 0]) == 1.0


@pytest.mark.parametrize(
    ("aggregation", "value"),
    [("mean", 0.625), ("median", 0.5), ("min", 0.25), ("max", 1.0), (np.ptp, 0.75)],
)
def test_queries_are_aggregated_as_asked(aggregation, value):
    metric = RetrievalMRR(aggregation=aggregation)
    metric.update([0.9], [1], [0])
    metric.update([0.9, 0.8], [0, 1], [1, 1])
    metric.update([0.9, 0.8, 0.7, 0.6], [0, 0, 0, 1], [2] * 4)
    metric.update([0.9, 0.8, 0.7, 0.6], [1, 0, 0, 0], [3] * 4)
    values = [1.0, 0.5, 0.25, 1.0]
    expected = sum(values) / 4 if aggregation == "mean" else value
    assert metric.compute() == np.float32(expected)


def test_a_function_that_takes_a_dim_is_given_none():
    calls = []
    metric = RetrievalMRR(aggregation=lambda values, dim: calls.append((values, dim)) or 7)
    assert metric([0.5], [1], [0]) == 7
    assert calls == [(np.array([1.0]), None)]


def test_any_measure_in_any_dialect_equals_evaluate():
    label, score = [3, 0, 2, 1], [0.1, 0.9, 0.4, 0.3]
    metric = RetrievalMetric("nDCG@3", dialect="lightgbm")
    metric.update(score, label, [0] * 4)
    ids = ["a", "b", "c", "d"]
    scores = gainful.evaluate(
        {"0": dict(zip(ids, label, strict=True))},
        {"0": dict(zip(ids, score, strict=True))},
        "nDCG@3",
        dialect="lightgbm",
    )
    assert metric.compute() == scores["nDCG@3"]


def test_rules_hold_in_place_of_a_dialect():
    rows = [0.5, 0.5], [0, 1], [0, 0]
    worst = RetrievalMetric("RR", dialect=None, rules=gainful.Rules(ties="worst"))
    assert worst(*rows) == 0.5
    assert RetrievalMetric("RR", dialect=None)(*rows) == 0.75


def test_a_dialect_says_what_an_empty_query_scores_unless_an_action_does():
    rows = [0.5, 0.25], [0, 0], [0, 0]
    assert RetrievalMetric("nDCG", dialect="lightgbm")(*rows) == 1.0
    assert RetrievalMetric("nDCG", dialect="lightgbm", empty_target_action="neg")(*rows) == 0.0


def test_forward_is_of_the_batch_and_compute_of_all():
    metric = RetrievalMRR()
    assert metric([0.9, 0.8], [0, 1], [0, 0]) == 0.5
    assert metric.forward([0.9], [1], [1]) == 1.0
    assert metric.compute() == 0.75
    metric.reset()
    assert metric([0.9], [1], [1]) == 1.0


def test_rows_of_a_query_are_joined_over_batches():
    metric = RetrievalMRR()
    metric.update([0.5], [1], [3])
    metric.update([0.9], [0], [3])
    assert metric.compute() == 0.5


def test_shapes_are_flattened_and_arrays_may_be_reused():
    metric = RetrievalMRR()
    scores, labels = np.array([[0.9, 0.8]], dtype=np.float32), np.array([[0, 1]])
    metric.update(scores, labels, np.array([[0, 0]]))
    scores[:], labels[:] = 0.5, 0
    assert metric.compute() == 0.5


@given(ROWS)
@pytest.mark.parametrize("metric", METRICS)
def test_merging_gives_the_same_bits_as_one_metric_that_saw_all(metric, rows):
    full_metric = metric()
    parts = [metric(rank=rank) for rank in range(3)]
    for query, score, label, process in sorted(rows, key=lambda row: row[3]):
        full_metric.update([score], [label], [query])
        parts[process].update([score], [label], [query])
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        first, *rest = (pickle.loads(pickle.dumps(parts[i])) for i in order)
        assert first.merge(*rest).compute() == full_metric.compute()
        first.merge_state(rest[0].state)
        first.merge_state(rest[1].state)
        assert first.compute() == full_metric.compute()


@given(ROWS, st.integers(1, 30))
def test_the_size_of_batches_makes_no_difference(rows, size):
    query, score, label, _ = map(list, zip(*rows, strict=True))
    full_metric, batch_metric = RetrievalNormalizedDCG(), RetrievalNormalizedDCG()
    full_metric.update(score, label, query)
    for begin in range(0, len(rows), size):
        part = slice(begin, begin + size)
        batch_metric.update(score[part], label[part], query[part])
    assert full_metric.compute() == batch_metric.compute()


@given(ROWS)
def test_values_lie_between_zero_and_one(rows):
    query, score, label, _ = map(list, zip(*rows, strict=True))
    for metric in METRICS:
        assert 0 <= metric()(score, label, query) <= 1


def test_merging_leaves_both_as_they_were():
    first, second = RetrievalMRR(), RetrievalMRR()
    first.update([0.5], [1], [0])
    second.update([0.5], [0], [1])
    assert first.merge(second).compute() == 0.5
    assert first.compute() == 1.0
    assert second.compute() == 0.0


def test_a_copy_goes_its_own_way():
    metric = RetrievalMRR()
    metric.update([0.5], [1], [0])
    for metric_copy in (copy.deepcopy(metric), metric.clone()):
        metric_copy.update([0.5], [0], [1])
        assert metric_copy.compute() == 0.5
    assert metric.compute() == 1.0


class Tensor:
    """The part of a PyTorch tensor that the adapter uses."""

    __module__ = "torch"

    def __init__(self, values, device="cpu", steps=()):
        self.values, self.device, self.steps = np.asarray(values), device, steps
        self.dtype = self.values.dtype

    def detach(self):
        return Tensor(self.values, self.device, (*self.steps, "detach"))

    def cpu(self):
        return Tensor(self.values, "cpu", (*self.steps, "cpu"))

    def __array__(self, dtype=None, copy=None):
        assert self.steps == ("detach", "cpu")
        return self.values


@pytest.fixture
def torch(monkeypatch):
    """Replace torch by a stand-in that has no other processes."""

    def tensor(values, dtype, device):
        return Tensor(np.asarray(values, dtype=dtype), device)

    distributed = SimpleNamespace(is_available=lambda: True, is_initialized=lambda: False)
    module = SimpleNamespace(tensor=tensor, float32=np.float32, distributed=distributed)
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def test_tensors_in_give_a_tensor_out_on_the_same_device(torch):
    metric = RetrievalMRR()
    value = metric(Tensor([0.9, 0.8], "cuda:1"), Tensor([0, 1], "cuda:1"), Tensor([0, 0], "cuda:1"))
    assert (value.device, value.values, value.dtype) == ("cuda:1", 0.5, np.float32)
    assert metric.compute().device == "cuda:1"
    assert RetrievalMRR().merge(metric).compute().device == "cuda:1"


def test_processes_are_gathered_and_stand_in_the_order_of_their_ranks(torch):
    states = []
    for rank in (0, 1):
        torch.distributed = SimpleNamespace(
            is_available=lambda: True, is_initialized=lambda: True, get_rank=lambda rank=rank: rank
        )
        metric = RetrievalMRR()
        metric.update([0.5], [rank], [0])  # tied: rank 0 comes first
        states.append(metric.state)

    def all_gather_object(output, state):
        assert state == states[1]
        output[:] = pickle.loads(pickle.dumps(states))

    torch.distributed.get_world_size = lambda: 2
    torch.distributed.all_gather_object = all_gather_object
    assert metric.compute() == 0.5
    assert metric.sync().compute() == 0.5
    assert len(metric.state.batches) == 1
    metric.sync_on_compute = False
    assert metric.compute() == 1.0


def test_torch_is_not_loaded_by_the_adapter():
    assert RetrievalMRR()([0.5], [1], [0]) == 1.0
    assert "torch" not in sys.modules


def make_pattern(sentence):
    return f"^{re.escape(sentence)}(\n|$)"  # the code may follow


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            ([0.5], [1], None),
            "indexes: must say which query each item belongs to, got None.",
        ),
        (
            ([0.5, 0.25], [1], [0]),
            "preds, target and indexes: must have the same shape, got (2,), (1,) and (1,).",
        ),
        (([0.5], [1], [0.0]), "indexes: must be integers, got float64."),
        (
            ([0.5, math.nan], [1, 0], [0, 0]),
            "preds: must be numbers that can be ordered, got nan at position 1.",
        ),
        (([0.5], [math.inf], [0]), "target: must be finite numbers, got inf at position 0."),
        (([0.5], ["yes"], [0]), "target: must be numbers, got ['yes']."),
        (([[0.5], [0.5, 1]], [1], [0]), "preds: must be numbers, got [[0.5], [0.5, 1]]."),
        (
            ([0.5, 0.5], [1, 2], [0, 0]),
            "target: must be 0 or 1 for RetrievalMRR, got 2 at position 1.",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused_and_not_kept(rows, sentence):
    metric = RetrievalMRR()
    with pytest.raises(SourceError, match=make_pattern(sentence)):
        metric.update(*rows)
    assert metric.state.batches == ()


def test_without_items_there_is_no_value():
    metric = RetrievalMRR()
    metric.update([], [], [])
    with pytest.raises(
        SourceError, match=make_pattern("RetrievalMRR: has seen no items. Call update first.")
    ):
        metric.compute()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"empty_target_action": "zero"},
            "empty_target_action: must be one of neg, pos, skip, error, got 'zero'.",
        ),
        (
            {"aggregation": "sum"},
            "aggregation: must be one of mean, median, min, max, got 'sum'.",
        ),
        ({"top_k": 0}, "top_k: must be a whole number >= 1, got 0."),
        ({"top_k": 2.5}, "top_k: must be a whole number, got 2.5."),
        ({"ignore_index": "x"}, "ignore_index: must be a whole number, got 'x'."),
    ],
)
@pytest.mark.parametrize("metric", [RetrievalNormalizedDCG, RetrievalMAP])
def test_settings_are_checked_when_the_metric_is_made(metric, options, sentence):
    with pytest.raises(RuleError, match=make_pattern(sentence)):
        metric(**options)


def test_measures_of_other_things_than_labels_are_refused():
    sentence = "RetrievalMetric: takes measures of items with one label each, got alpha_nDCG@5."
    with pytest.raises(MeasureError, match=make_pattern(sentence)):
        RetrievalMetric("alpha_nDCG@5")


def test_metrics_of_other_settings_do_not_merge():
    sentence = (
        "merge: must be given a metric of the same settings, "
        "got RetrievalMetric(RR, dialect=None) and RetrievalMetric(AP, dialect=None)."
    )
    with pytest.raises(MeasureError, match=make_pattern(sentence)):
        RetrievalMetric("RR", dialect=None).merge(RetrievalMetric("AP", dialect=None))
    with pytest.raises(
        SourceError, match=make_pattern("merge_state: must be given a metric or its state, got 3.")
    ):
        RetrievalMRR().merge_state(3)
