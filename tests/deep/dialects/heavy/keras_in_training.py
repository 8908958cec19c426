"""The Keras adapter and the metric of keras-rs in training, on JAX; for ``make test-dialects``."""

import os

os.environ.setdefault("KERAS_BACKEND", "jax")

import keras
import keras_rs
import numpy as np
import pytest

from gainful.adapters.keras import RankingMetric, metric


@pytest.mark.parametrize("run_eagerly", [False, True])
def test_keras_reports_what_keras_rs_does(run_eagerly):
    rng = np.random.default_rng(1)
    data, labels = rng.random((64, 10, 4)), rng.integers(0, 4, (64, 10)).astype(float)
    labels[rng.random((64, 10)) < 0.2] = -1
    scores = keras.Sequential([keras.layers.Dense(1), keras.layers.Reshape((10,))])
    metrics = [metric("nDCG@5"), keras_rs.metrics.NDCG(k=5, name="theirs")]
    scores.compile(optimizer="sgd", loss="mse", metrics=metrics, run_eagerly=run_eagerly)
    history = scores.fit(data, labels, batch_size=24, epochs=2, verbose=0).history
    assert history["ndcg_at_5"] == pytest.approx(history["theirs"], rel=1e-6)
    values = scores.evaluate(data, labels, batch_size=24, verbose=0, return_dict=True)
    assert values["ndcg_at_5"] == pytest.approx(values["theirs"], rel=1e-6)
    ranking_metric = RankingMetric("nDCG@5")
    ranking_metric.update_state(labels, scores.predict(data, verbose=0))
    assert ranking_metric.result() == pytest.approx(values["theirs"], rel=1e-6)
