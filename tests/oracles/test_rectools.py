"""Comparison of Coverage, Novelty and ILD with recorded values of RecTools 0.19.

The values are recorded because RecTools takes minutes to install. They are those of
``CatalogCoverage(normalize=True)``, ``MeanInvUserFreq`` and ``IntraListDiversity`` with the cosine
and the Euclidean distance, per user. Serendipity has another definition in RecTools: it weights
each relevant item by how much higher it is ranked than in the list of popular items.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from gainful import ItemData, evaluate
from oracles.tally import count_compared

CASES = json.loads(Path(__file__).with_name("rectools.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_values_are_those_of_rectools(case):
    data = ItemData(
        catalog=list(case["features"]),
        popularity=case["popularity"],
        n_users=case["n_users"],
        features=case["features"],
    )
    qrels = {user: {"i1": 1} for user in case["run"]}
    scores = evaluate(qrels, case["run"], list(case["values"]), items=data)
    for measure, expected in case["values"].items():
        if isinstance(expected, float):
            assert scores[measure] == expected
        else:
            assert np.abs(scores.column(measure) - expected).max() <= 1e-12
        count_compared("RecTools", np.size(expected))
