"""Tasks on one machine: mean nDCG@10 from Parquet, timed after the imports."""

import time
from pathlib import Path
from typing import Any

from bench.tasks import Timing, measure_time, task

EXTRA_NUMBERS = ("CPU seconds", "peak MB")


@task("gainful.evaluate Parquet", package="gainful")
def evaluate_parquet(qrels: str, run: str, measure: str = "nDCG@10") -> Timing:
    """Time the mean of a measure from files."""
    import polars  # noqa: F401  reads the files

    import gainful

    seconds, scores = measure_time(lambda: gainful.evaluate(qrels, run, measure))
    return seconds, scores[measure], time.process_time(), _read_peak_mb()


@task("DuckDB ranks, gainful measures", package="duckdb")
def evaluate_duckdb_ranks(qrels: str, run: str, memory: str = "") -> Timing:
    """Time the join and window of DuckDB and the kernel of Gainful; the memory may be limited."""
    import duckdb

    import gainful

    database = duckdb.connect(config={"memory_limit": memory} if memory else {})

    def compute_mean() -> float:
        rows = database.sql(_RANKS.format(qrels=qrels, run=run)).to_arrow_table()
        measure = gainful.parse_measure("nDCG@10")
        return measure.average_values(measure.score(_make_rankings(rows)))

    seconds, value = measure_time(compute_mean)
    return seconds, value, time.process_time(), _read_peak_mb()


_RANKS = """
    with ranked as (
        select query, item, row_number() over (
            partition by query order by score desc, item desc
        ) as rank
        from '{run}'
    )
    select query, label, rank from '{qrels}' left join ranked using (query, item)
    order by query, rank nulls last
"""


def _make_rankings(rows: Any) -> Any:
    """Return the ranks of judged items as rankings; nDCG does not need the number of items."""
    import numpy as np
    import pyarrow.compute as pc

    from gainful.alignment.rankings import JudgedRankings
    from gainful.base import ragged

    query = rows.column("query").combine_chunks()
    starts = np.flatnonzero(pc.not_equal(query[1:], query[:-1]).to_numpy(zero_copy_only=False)) + 1
    pool = np.concatenate([[0], starts, [len(query)]])
    label = rows.column("label").to_numpy()
    rank = rows.column("rank").to_numpy()
    is_ranked = ~np.isnan(rank) if rank.dtype.kind == "f" else np.ones(len(rank), bool)
    hits = np.concatenate([[0], np.cumsum(is_ranked)])[pool]
    ranks = rank[is_ranked].astype(np.int64)
    return JudgedRankings(
        queries=tuple(query.take(pool[:-1]).to_pylist()),
        n_retrieved=np.diff(hits),
        hit_offsets=hits,
        hit_rank=ranks,
        hit_label=label[is_ranked],
        hit_tie_first=ranks,
        hit_tie_size=np.ones_like(ranks),
        pool_offsets=pool,
        pool_label=ragged.sort_descending(label, ragged.find_owners(pool)),
    )


def _read_peak_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6
