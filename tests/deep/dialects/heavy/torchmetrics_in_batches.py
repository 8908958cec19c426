"""The metrics of torchmetrics and ours on the same batches; ``make test-dialects`` runs it."""

import numpy as np
import pytest
import torch
import torchmetrics.retrieval as reference

import gainful.adapters.torchmetrics as adapter

BINARY = ["RetrievalMRR", "RetrievalPrecision", "RetrievalRecall", "RetrievalHitRate"]
BINARY += ["RetrievalFallOut"]


def make_batches(seed, *, labels, tied):
    """300 queries of 2 to 60 items, in 7 batches that cut through queries."""
    rng = np.random.default_rng(seed)
    query = np.repeat(np.arange(300), rng.integers(2, 61, 300))
    score = rng.integers(0, 9, len(query)) / 8 if tied else rng.random(len(query)) - 0.3
    label = rng.integers(0, labels, len(query))
    label[query % 10 == 0] = 0
    rows = score.astype(np.float32), label, query
    return [
        [torch.tensor(column[part]) for column in rows] for part in _split_rows(rng, len(query))
    ]


def _split_rows(rng, n_rows):
    return np.array_split(rng.permutation(n_rows), 7)


def compute_values(metric, batches):
    """The value of every query, by what a function is given to aggregate."""
    for preds, target, indexes in batches:
        metric.update(preds, target, indexes=indexes)
    return metric.compute()


def keep_values(values, dim=None):
    return values


@pytest.mark.parametrize("action", ["neg", "pos", "skip"])
@pytest.mark.parametrize("top_k", [None, 1, 5, 30])
@pytest.mark.parametrize("tied", [False, True])
def test_ndcg_of_every_query_is_that_of_torchmetrics(action, top_k, tied):
    batches = make_batches(1, labels=5, tied=tied)
    options = {"empty_target_action": action, "top_k": top_k, "aggregation": keep_values}
    name = "RetrievalNormalizedDCG"
    results = [
        compute_values(getattr(lib, name)(**options), batches) for lib in (adapter, reference)
    ]
    torch.testing.assert_close(*results, rtol=1e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("action", ["neg", "pos", "skip"])
@pytest.mark.parametrize("top_k", [None, 1, 5, 30])
def test_every_other_query_without_ties_has_the_same_bits(name, action, top_k):
    batches = make_batches(2, labels=2, tied=False)
    options = {"empty_target_action": action, "top_k": top_k, "aggregation": keep_values}
    assert torch.equal(
        *(compute_values(getattr(lib, name)(**options), batches) for lib in (adapter, reference))
    )


@pytest.mark.parametrize("name", ["RetrievalMAP", "RetrievalRPrecision", *BINARY])
@pytest.mark.parametrize("aggregation", ["mean", "median", "min", "max"])
def test_aggregates_are_within_single_precision(name, aggregation):
    batches = make_batches(3, labels=2, tied=False)
    results = [
        compute_values(getattr(lib, name)(aggregation=aggregation), batches)
        for lib in (adapter, reference)
    ]
    torch.testing.assert_close(*results, rtol=1e-6, atol=0)
