"""Comparison of ERR, nERR and RBP with pyNTCIREVAL, with several scales of grades."""

import pytest
from pyNTCIREVAL import metrics

import gainful
from oracles.random_sets import KINDS, draw_set
from oracles.tally import count_compared

GRADES = {"exp2": [1, 3, 7], "linear": [1, 2, 3], "{1: 2, 2: 3, 3: 9}": [2, 3, 9]}


def compute_pyntcireval_value(
    kind: str, grades: list[int], judged: dict[str, int], ranking: list[str], k: int
):
    """Return the value of a ranking from pyNTCIREVAL."""
    levels = {item: max(label, 0) for item, label in judged.items()}
    counts = [list(levels.values()).count(level) for level in range(4)]
    metric = {
        "ERR": lambda: metrics.ERR(counts, grades),
        "nERR": lambda: metrics.nERR(counts, grades, k),
        "RBP": lambda: metrics.RBP(counts, grades, 0.85),
    }[kind]()
    return metric.compute([(item, levels.get(item)) for item in ranking])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "high grades"])
@pytest.mark.parametrize("gain", GRADES)
def test_every_query_equals_pyntcireval(kind, gain):
    k, grades, scale = 10, GRADES[gain], "scale=max_label, max_label=3"
    names = {
        "ERR": f"ERR(gain={gain}, max_label=3)",
        "nERR": f"nERR(gain={gain}, max_label=3)@{k}",
        "RBP": f"RBP(p=0.85, gain={gain}, {scale})",
    }
    for seed in range(15):
        qrels, run = draw_set(kind, seed)
        lists = {query: list(items) for query, items in run.items()}
        scores = gainful.evaluate(
            qrels, lists, names.values(), rules=gainful.Rules(order="file", missing="skip")
        )
        for row, query in enumerate(scores.queries):
            relevant = max(qrels[query].values()) > 0
            for column, name in enumerate(names):
                # pyNTCIREVAL divides by zero where nothing is relevant.
                if name == "nERR" and not relevant:
                    continue
                expected = compute_pyntcireval_value(name, grades, qrels[query], lists[query], k)
                assert scores.values[row, column] == pytest.approx(expected, rel=1e-12, abs=1e-15)
                count_compared("pyNTCIREVAL", 1)
