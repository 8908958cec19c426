"""Measures as metrics of CatBoost, called as CatBoost calls them."""

import copy
import pickle

import numpy as np
import pytest

import gainful
from gainful.adapters.catboost import eval_metric
from gainful.alignment.rules import Rules
from gainful.errors import MeasureError, SourceError

LABELS, QUERIES = [1, 0, 0, 2], ["x", "x", "y", "y"]
SCORES = np.array([0.9, 0.8, 0.7, 0.6])


class WrappedList:
    """A list as CatBoost passed it before version 0.24: it has items and a length."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, place):
        if place >= len(self.values):
            raise IndexError
        return self.values[place]

    def __len__(self):
        return len(self.values)


class Pool:
    """The part of a Pool that the adapter reads."""

    def __init__(self, labels, queries):
        self.labels, self.queries = labels, queries

    def get_label(self):
        return self.labels

    def get_group_id_hash(self):
        return [hash(query) for query in self.queries]


def compute_final_error(metric, approxes, target, weight=None):
    return metric.get_final_error(*metric.evaluate(approxes, target, weight))


@pytest.mark.parametrize("sets", [(LABELS, QUERIES), Pool(LABELS, QUERIES)])
@pytest.mark.parametrize("kind", [np.float32, WrappedList, list])
def test_a_value_is_the_mean_over_the_queries(sets, kind):
    target = np.array(LABELS, np.float32) if kind is np.float32 else kind(LABELS)
    scores = SCORES if kind is np.float32 else kind(SCORES.tolist())
    assert compute_final_error(eval_metric("AP", sets), (scores,), target) == (1 + 0.5) / 2


@pytest.mark.parametrize("dialect", [None, "catboost"])
def test_values_are_those_of_evaluate(dialect):
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 30, 50)
    query = np.repeat(np.arange(50), sizes)
    labels, scores = rng.integers(0, 4, len(query)), rng.integers(0, 9, len(query)) / 4
    options = {"rules": Rules(ties="average")} if dialect is None else {"dialect": dialect}
    for measure in ("nDCG@10", "RR", "P@5", "DCG"):
        expected = gainful.evaluate(
            gainful.Grouped(labels, query_ids=query), scores, measure, **options
        )
        metric = eval_metric(measure, (labels, query), dialect=dialect)
        assert (
            compute_final_error(metric, (scores,), labels.astype(np.float32)) == expected[measure]
        )


def test_sets_are_told_apart_by_their_labels():
    second_labels = [0, 2, 1, 0]
    metric = eval_metric("RR", (LABELS, QUERIES), (second_labels, ["x", "y", "y", "y"]))
    assert compute_final_error(metric, [SCORES], LABELS) == (1 + 0.5) / 2
    assert compute_final_error(metric, [SCORES], second_labels) == (0 + 1) / 2


def test_labels_are_compared_in_single_precision():
    metric = eval_metric("nDCG", ([0.1, 0.2], ["x", "x"]))
    assert compute_final_error(metric, [[2, 1]], np.array([0.1, 0.2], np.float32)) < 1


def test_a_query_weighs_as_much_as_its_rows_on_average():
    metric = eval_metric("AP", (LABELS, QUERIES))
    assert (
        compute_final_error(metric, [SCORES], LABELS, np.array([1, 3, 6, 6]))
        == (1 * 2 + 0.5 * 6) / 8
    )


def test_its_class_is_called_like_the_measure_and_copies_are_alike():
    metric = eval_metric("nDCG(gain=exp2)@10", (LABELS, QUERIES))
    for metric_copy in (metric, copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert type(metric_copy).__name__ == "nDCG(gain=exp2)@10"
        assert compute_final_error(metric_copy, [SCORES], LABELS) == compute_final_error(
            metric, [SCORES], LABELS
        )


def test_it_says_whether_higher_is_better():
    assert eval_metric("AP", (LABELS, QUERIES)).is_max_optimal() is True
    assert eval_metric("RBPResidual", (LABELS, QUERIES)).is_max_optimal() is False


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: eval_metric("AP"),
            "eval_metric: needs the sets it will be taken of. Pass Pools, or (y, group_id).",
        ),
        (
            lambda: eval_metric("nDCG@5,10", (LABELS, QUERIES)),
            "eval_metric: takes one measure, got nDCG@5, nDCG@10.",
        ),
        (
            lambda: eval_metric("AP", (LABELS, QUERIES[:3])),
            "group_id: must be one for each of 4 labels, got 3.",
        ),
        (
            lambda: eval_metric("AP", LABELS, QUERIES),
            f"eval_metric: a set must be a Pool, or (y, group_id), got {LABELS!r:.60}.",
        ),
        (
            lambda: eval_metric("AP", (LABELS, ["x", "y", "x", "y"])),
            "group_id: the rows of a query must stand together, got 2 apart.",
        ),
        (
            lambda: eval_metric("AP", (LABELS, QUERIES), (LABELS, ["x", "y", "y", "y"])),
            "eval_metric: two sets have the same labels, but other queries.",
        ),
        (
            lambda: eval_metric("AP", (LABELS, QUERIES)).evaluate([SCORES], LABELS[::-1], None),
            "eval_metric: no set has the 4 labels that CatBoost passes, in their order, got sets "
            "of 4. Name every set, and pass has_time=True to CatBoost if it shuffles rows.",
        ),
    ],
)
def test_errors_say_what_is_wrong(call, sentence):
    with pytest.raises((SourceError, MeasureError)) as error:
        call()
    assert str(error.value) == sentence
