"""Qrels and runs that have what may go wrong when rows are spread, and what is compared of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import gainful

MEASURES = ("nDCG@10", "AP", "RR", "P@5", "R@20", "Bpref", "RBP(p=0.8)@10", "Judged@10", "ERR@20")
N_QUERIES, N_ITEMS = 240, 50


def draw_qrels() -> Any:
    """Judgments in the order of queries, some of which the run lacks."""
    rng = np.random.default_rng(9)
    queries = sorted(_queries())
    query = np.repeat(queries, 12)
    item = np.concatenate([rng.choice(N_ITEMS + 10, 12, replace=False) for _ in queries])
    label = rng.integers(0, 4, len(query))
    return pa.table({"query": query, "item": [f"d{number}" for number in item], "label": label})


def draw_run(seed: int = 0) -> Any:
    """A run with many ties, -0.0, and a query that no one has judged; rows are mixed."""
    rng = np.random.default_rng(seed)
    queries = [*_queries()[7:], "unjudged"]
    query, item = (grid.ravel() for grid in np.meshgrid(queries, np.arange(N_ITEMS), indexing="ij"))
    score = np.round(rng.normal(size=len(query)), 1)
    order = rng.permutation(len(query))
    table = pa.table({"query": query, "item": [f"d{number}" for number in item], "score": score})
    return table.take(order)


def _queries() -> list[str]:
    """Ids whose order in UTF-16 is another than that of code points."""
    return [f"{chr(0x1D52E if number % 5 else 0xFF51)}{number}" for number in range(N_QUERIES)]


def write_inputs(folder: Path, qrels: Any, run: Any) -> list[str]:
    """Arguments that ask for the values of files in a folder, and have them written there."""
    for name, table in {"qrels": qrels, "run": run}.items():
        pq.write_table(table, folder / f"{name}.parquet")
    arguments = [part for measure in MEASURES for part in ("-m", measure)]
    files = [str(folder / f"{name}.parquet") for name in ("qrels", "run")]
    return [*files, *arguments, "--out", str(folder / "scores.parquet")]


def read_written_rows(folder: Path) -> list[list[Any]]:
    """The rows that were written: query, measure, and the value with all of its bits."""
    rows = pq.read_table(folder / "scores.parquet").to_pylist()
    return sorted([row["query"], row["measure"], row["value"].hex()] for row in rows)


def list_rows(scores: gainful.Scores) -> list[list[Any]]:
    """The same of scores."""
    return sorted(
        [query, str(measure), value.hex()]
        for query, values in zip(scores.queries, scores.values.tolist(), strict=True)
        for measure, value in zip(scores.measures, values, strict=True)
    )


def describe_scores(scores: gainful.Scores) -> dict[str, Any]:
    """All that must be the same, as JSON has it; a number keeps all of its bits."""
    return {
        "queries": list(scores.queries),
        "values": [[value.hex() for value in row] for row in scores.values.tolist()],
        "means": {str(measure): float(scores[measure]).hex() for measure in scores.measures},
        "notices": [f"{notice} [{notice.code}]" for notice in scores.notices],
    }
