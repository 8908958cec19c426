"""Holes as text."""

from collections.abc import Callable

from gainful import tables
from gainful.notices import lines
from gainful.unjudged.holes import Hole, Holes
from gainful.wording import count


def table(holes: Holes) -> str:
    """Aligned columns for people."""
    header = ["query", "item", "rank", "runs", "impact", "mean_impact"]
    header += ["verdict_impact"] if holes.compared else []
    return tables.to_text(header, list(map(_cells, holes.rows)), left=(0, 1, 3))


def tsv(holes: Holes) -> str:
    """Tab-separated values at full precision, for pipes."""
    frame = holes.to_polars()
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.rows()]
    return tables.to_tsv([frame.columns, *rows])


OUTPUTS: dict[str, Callable[[Holes], str]] = {
    "table": table,
    "tsv": tsv,
    "csv": Holes.to_csv,
    "jsonl": Holes.to_jsonl,
    "trec": Holes.to_trec,
}


def summary(holes: Holes, n_shown: int) -> list[str]:
    """The notices, how many items there are, and what judging them all could do."""
    n_holes = count(len(holes), "unjudged item", "unjudged items")
    shown = "" if n_shown == len(holes) else f", {n_shown:,} shown"
    cutoff = holes.measure.all_settings["cutoff"]
    where = "retrieved" if cutoff is None else f"in the first {count(cutoff, 'rank', 'ranks')}"
    return [*lines(holes.bounds.notices), f"{n_holes} {where}{shown}. {holes.summary}"]


def _cells(hole: Hole) -> list[str]:
    runs = " ".join(f"{run}:{rank}" for run, rank in hole.runs.items())
    impacts = [hole.impact, hole.mean_impact]
    impacts += [] if hole.verdict_impact is None else [hole.verdict_impact]
    return [hole.query, hole.item, str(hole.rank), runs, *(f"{one:.4f}" for one in impacts)]
