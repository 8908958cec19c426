"""Qrels and runs that have what may go wrong when rows are spread, and what is compared of them."""

from typing import Any

import numpy as np
import pyarrow as pa

import gainful

MEASURES = ("nDCG@10", "AP", "RR", "P@5", "R@20", "Bpref", "RBP(p=0.8)@10", "Judged@10", "ERR@20")
N_QUERIES, N_ITEMS = 240, 50


def drawn_qrels() -> Any:
    """Judgments in the order of queries, some of which the run lacks."""
    rng = np.random.default_rng(9)
    queries = sorted(_queries())
    query = np.repeat(queries, 12)
    item = np.concatenate([rng.choice(N_ITEMS + 10, 12, replace=False) for _ in queries])
    label = rng.integers(0, 4, len(query))
    return pa.table({"query": query, "item": [f"d{one}" for one in item], "label": label})


def drawn_run(seed: int = 0) -> Any:
    """A run with many ties, -0.0, and queries that no one has judged; rows are mixed."""
    rng = np.random.default_rng(seed)
    queries = [*_queries()[7:], "unjudged-1", "unjudged-2"]
    query, item = (one.ravel() for one in np.meshgrid(queries, np.arange(N_ITEMS), indexing="ij"))
    score = np.round(rng.normal(size=len(query)), 1)
    order = rng.permutation(len(query))
    table = pa.table({"query": query, "item": [f"d{one}" for one in item], "score": score})
    return table.take(order)


def _queries() -> list[str]:
    """Ids whose order in UTF-16 is another than that of code points."""
    return [f"{chr(0x1D52E if one % 5 else 0xFF51)}{one}" for one in range(N_QUERIES)]


def told(scores: gainful.Scores) -> dict[str, Any]:
    """All that must be the same, as JSON has it; a number keeps all of its bits."""
    return {
        "queries": list(scores.queries),
        "values": [[value.hex() for value in row] for row in scores.values.tolist()],
        "means": {str(one): float(scores[one]).hex() for one in scores.measures},
        "notices": [f"{one} [{one.code}]" for one in scores.notices],
    }
