"""Comparison of D-nDCG with scikit-learn's nDCG of gains added over subtopics, ties averaged."""

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

import gainful
from oracles.tally import count_compared


@pytest.mark.parametrize("cutoff", [None, 1, 3, 10])
def test_d_ndcg_is_the_ndcg_of_added_gains(cutoff):
    m = gainful.D_nDCG(cutoff=cutoff)
    for seed in range(50):
        rng = np.random.default_rng(seed)
        n, n_groups = int(rng.integers(2, 40)), int(rng.integers(1, 6))
        labels = rng.integers(0, 4, (n_groups, n))
        labels[0, 0] = 1
        scores = rng.integers(0, 5 if seed % 2 else 1000, n) / 8
        qrels = {
            "q": {
                f"s{g}": {f"d{i}": int(x) for i, x in enumerate(row)}
                for g, row in enumerate(labels)
            }
        }
        run = {"q": {f"d{i}": float(score) for i, score in enumerate(scores)}}
        value = gainful.evaluate(qrels, run, m, rules=gainful.Rules(ties="average"))[m]
        expected = ndcg_score([labels.sum(axis=0)], [scores], k=cutoff)
        assert value == pytest.approx(expected, rel=1e-12)
    count_compared("scikit-learn", 50)
