"""Random qrels and runs with everything that is unusual but allowed."""

import numpy as np
import pyarrow as pa

from spark.local_and_spark import table


def random_qrels(seed=0, n_queries=40):
    """Labels from -1 to 3, some of them fractional; queries in order, some without any above 0."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in sorted(f"q{q}" for q in range(n_queries)):
        labels = rng.choice([-1, 0, 0, 0.5, 1, 2, 3], size=int(rng.integers(1, 9)))
        rows += [(query, f"d{i}", label) for i, label in enumerate(labels)]
    return table(rows, "label")


def random_run(seed=0, n_queries=40):
    """Rows in no order, with many ties, zeros of both signs, and ranks that scores contradict.

    Some queries of the qrels are missing, and there are others instead.
    """
    rng = np.random.default_rng(seed + 1000)
    rows = []
    for q in range(3, n_queries + 3):
        items = rng.permutation([f"{kind}{i}" for kind in "du" for i in range(11)])
        items = items[: int(rng.integers(1, 22))]
        scores = rng.choice([-1.5, -0.0, 0.0, 0.0, 0.25, 1.0, 1.0, 3.0], size=len(items))
        ranks = rng.permutation(len(items)) + 1.0
        rows += [(f"q{q}", *row) for row in zip(items, scores, ranks, strict=True)]
    return table([rows[i] for i in rng.permutation(len(rows))], "score", "rank")


def add_repeats(rows, seed=0):
    """The same rows, and some of them again, farther down and with other numbers."""
    rng = np.random.default_rng(seed)
    again = rows.take(np.sort(rng.choice(len(rows), len(rows) // 5, replace=False)))
    at = again.column_names.index("label" if "label" in again.column_names else "score")
    changed = np.array(again.column(at)) + rng.integers(-1, 2, len(again))
    again = again.set_column(at, again.column_names[at], pa.array(changed))
    return pa.concat_tables([rows, again])
