"""The dialects of torchmetrics."""

import numpy as np

import gainful


def test_labels_that_add_up_to_nothing_are_an_empty_query_in_torchmetrics():
    labels, scores = np.array([-1, 0, 1]), np.array([1.0, 2.0, 3.0])
    assert gainful.ndcg(labels, scores, dialect="torchmetrics-pos") == 1.0
    assert gainful.ndcg(labels, scores, dialect="torchmetrics") == 0.0
