"""Seeded tables as Parquet: ``python -m bench.tables --help``."""

import argparse
from pathlib import Path

import numpy as np
import polars as pl

from bench.synthetic import Block, draw_blocks

_RETRIEVED = 0.8  # share of the judged items that the run contains
_STEP = 2000  # between scores: about ten items are tied
_ROWS = 500_000  # of a row group
ORDERS = ("together", "mixed")


def write_files(
    folder: Path, *, queries: int, items: int, judgments: int, runs: int, shape: str, seed: int
) -> None:
    """Write qrels.parquet and run.parquet, and a hundredth of them to the folder ``warm-up``."""
    assert runs == 1
    rng = np.random.default_rng(seed)
    blocks = list(draw_blocks(rng, queries, items, judgments, retrieved=_RETRIEVED))
    qrels = pl.concat([_make_qrels(block) for block in blocks], rechunk=True)
    run = pl.concat([_make_run(block) for block in blocks], rechunk=True)
    n = max(1, queries // 100)
    (folder / "warm-up").mkdir()
    _write_parquet(qrels[: n * judgments], run[: n * items], shape, folder / "warm-up")
    _write_parquet(qrels, run, shape, folder)


def _write_parquet(qrels: pl.DataFrame, run: pl.DataFrame, shape: str, folder: Path) -> None:
    if shape == "mixed":
        run = run.sample(fraction=1.0, shuffle=True, seed=1)
    for name, table in (("qrels", qrels), ("run", run)):
        text = table.with_columns(pl.col("query", "item").cast(pl.String))
        text.write_parquet(folder / f"{name}.parquet", row_group_size=_ROWS)


def _make_qrels(block: Block) -> pl.DataFrame:
    query = block.query.repeat(block.judged.shape[1])
    label = block.label.ravel().astype(float)
    return pl.DataFrame({"query": query, "item": block.judged.ravel(), "label": label})


def _make_run(block: Block) -> pl.DataFrame:
    """Return the rows of these queries, best first except for ties."""
    items = block.score.shape[1]
    score = block.score // _STEP * _STEP / 10_000
    return pl.DataFrame(
        {
            "query": block.query.repeat(items),
            "item": block.item[:, :items].ravel(),
            "score": score.ravel(),
        }
    )


def main() -> None:
    """Write the files that the command line describes."""
    parser = argparse.ArgumentParser(prog="python -m bench.tables", description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("queries", "items", "judgments", "runs", "seed"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--shape", choices=ORDERS, required=True)
    write_files(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
