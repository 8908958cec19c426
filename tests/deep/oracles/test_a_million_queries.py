"""A million random queries through two ways in, against the formulas in plain Python.

``GAINFUL_SEED=7`` draws others.
"""

import os

import numpy as np
import pytest

import gainful
from oracles.many_queries import draw_collection
from oracles.tally import count_compared
from reference import measures as plain

N_QUERIES = 1_000_000
AT_ONCE = 50_000
N_DRAWN = 57_000  # of nine queries one has no judgments
SEED = int(os.environ.get("GAINFUL_SEED", "0"))
ENDLESS = 1 << 60

# Sums in rank order, quotients of whole numbers: to the last bit.
EXACT = [
    "CG@5",
    "DCG",
    "DCG(gain=exp2)@3",
    "IDCG@4",
    "nDCG",
    "nDCG@3",
    "nDCG(gain=exp2)@5",
    "nDCG(ideal_depth=all)@2",
    "nDCG(ideal_depth=retrieved)",
    "AP",
    "AP@2",
    "RR",
    "RR@3",
    "P@5",
    "R@3",
    "Rprec",
    "Success@2",
    "Judged@4",
]
# Nothing says in which order these are multiplied and added.
CLOSE = ["ERR", "ERR@3", "RBP", "Bpref"]


def compute_values(scores: dict[str, float], labels: dict[str, float]) -> tuple[float, ...]:
    """What all measures are by their formulas, in the order above."""
    ranking, pool = plain.ranked(scores, labels), [*labels.values()]
    ranks = plain.ranks_of_relevant(ranking)
    n_relevant = sum(label >= 1 for label in pool)
    return (
        plain.cg(ranking, 5),
        plain.dcg(ranking, ENDLESS),
        plain.dcg(ranking, 3, plain.exp2),
        plain.idcg(pool, 4),
        plain.ndcg(ranking, pool, ENDLESS),
        plain.ndcg(ranking, pool, 3),
        plain.ndcg(ranking, pool, 5, plain.exp2),
        plain.ndcg(ranking, pool, 2, depth=ENDLESS),
        plain.ndcg(ranking, pool, ENDLESS, depth=len(ranking)),
        plain.ap(ranks, n_relevant, ENDLESS),
        plain.ap(ranks, n_relevant, 2),
        plain.rr(ranks, ENDLESS),
        plain.rr(ranks, 3),
        plain.count_relevant(ranks, 5) / 5,
        plain.count_relevant(ranks, 3) / n_relevant if n_relevant else 0.0,
        plain.count_relevant(ranks, n_relevant) / n_relevant if n_relevant else 0.0,
        float(plain.count_relevant(ranks, 2) > 0),
        plain.judged(ranking, 4),
        plain.err(ranking, ENDLESS),
        plain.err(ranking, 3),
        plain.rbp(ranks),
        plain.bpref(ranking, pool),
    )


@pytest.mark.parametrize("part", range(N_QUERIES // AT_ONCE))
def test_a_million_queries_score_what_the_formulas_say(part, tmp_path):
    judged, returned = draw_collection(SEED * N_QUERIES + part, N_DRAWN)
    labels, scores = judged.group_by_query(N_DRAWN), returned.group_by_query(N_DRAWN)
    judgments = gainful.read_qrels(judged.write(tmp_path / "qrels", "{} 0 {} {!r}\n"))
    run = returned.write(tmp_path / "run", "{} Q0 {} 0 {!r} t\n")
    from_text = gainful.evaluate(judgments, run, [*EXACT, *CLOSE])
    columns = judged.to_columns("label"), returned.to_columns("score")
    from_columns = gainful.evaluate(*columns, [*EXACT, *CLOSE])

    queries = [int(query) for query in from_text.queries]
    assert queries == [query for query in range(N_DRAWN) if labels[query]]
    assert from_columns.queries == from_text.queries
    assert from_columns.values.tobytes() == from_text.values.tobytes()
    expected = np.array([compute_values(scores[query], labels[query]) for query in queries])
    assert np.abs(from_text.values - expected).max() <= 1e-12
    n_exact = assert_same_bits(from_text.values[:, : len(EXACT)], expected, fractional(labels))
    assert len(queries) >= AT_ONCE
    count_compared("formulas, bit by bit", n_exact)
    count_compared("formulas, within 1e-12", expected.size - n_exact)


def fractional(labels: list[dict[str, float]]) -> np.ndarray:
    """Which judged queries have a label that is not whole."""
    judged = [of.values() for of in labels if of]
    return np.array([any(label % 1 for label in of) for of in judged])


def assert_same_bits(actual: np.ndarray, expected: np.ndarray, fractional: np.ndarray) -> int:
    """How many values are equal to the last bit; all but those of 2 to the power of a fraction."""
    powers = np.array(["exp2" in name for name in EXACT])
    fixed = ~(fractional[:, None] & powers)
    differences = np.argwhere((actual != expected[:, : len(EXACT)]) & fixed)
    assert not len(differences), [(EXACT[column], int(row)) for row, column in differences[:5]]
    return int(fixed.sum())
