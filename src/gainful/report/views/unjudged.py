"""What unjudged items could change, and which to judge next."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from gainful.base import Interval, format_count, format_value, ragged
from gainful.diagnostics import format_notice_lines
from gainful.report.tables import Column, Table, to_csv, to_tsv
from gainful.report.view import View
from gainful.unjudged import Bounds, ItemsToJudge, UnjudgedResult

UNJUDGED_PARTS = ("bounds", "items")


class BoundsRow(NamedTuple):
    """A value, or a difference of two runs, and where it could lie; judged is None for the latter.

    Its query is ``all`` if it is a mean; its baseline is None if it is a value.
    """

    run: str
    baseline: str | None
    query: str
    value: float
    possible: Interval
    judged: float | None


def view_unjudged(
    result: UnjudgedResult,
    *,
    part: str | None = None,
    per_query: bool = False,
    baseline: str | None = None,
    n_items: int | None = None,
) -> View:
    """Show what unjudged items could change, and which to judge next.

    Args:
        result: What is shown.
        part: One of ``UNJUDGED_PARTS``; None for both.
        per_query: Whether the bounds of every query are shown.
        baseline: The run that the others are compared with; None for all pairs.
        n_items: How many items are shown; None for all.
    """
    bounds, items = result.bounds, result.items.first(n_items)
    parts = UNJUDGED_PARTS if part is None else (part,)
    rows = [
        *_make_run_rows(bounds, per_query),
        *_make_pair_rows(bounds, per_query, baseline),
    ]

    def make_tables() -> list[Table]:
        return [
            *(_make_bounds_tables(bounds, rows, per_query) if "bounds" in parts else []),
            *([_make_item_table(items)] if "items" in parts else []),
        ]

    def join_data(write: Any, item_text: str) -> str:
        texts = {"bounds": write(_make_bounds_data(rows)), "items": item_text}
        return "\n".join(texts[name] for name in parts)

    labels = ", ".join(f"{label:g}" for label in bounds.possible_labels)
    n_queries = format_count(len(bounds.queries), "query", "queries")
    return View(
        tables=make_tables,
        data=lambda: _make_bounds_data(rows),
        content=lambda: _to_dict(replace(result, items=items), parts, per_query, baseline),
        closing=_describe(result, items, parts, baseline),
        settings=[
            f"{bounds.measure}: every unjudged item may get any of the labels {labels}.",
            f"rules: {bounds.rules} ({n_queries})",
        ],
        notices=format_notice_lines(bounds.notices),
        special={
            "tsv": lambda: join_data(to_tsv, to_tsv(_make_item_data(items))),
            "csv": lambda: join_data(to_csv, items.to_csv()),
            "jsonl": items.to_jsonl,
            "trec": items.to_trec,
        },
    )


def _to_dict(
    result: UnjudgedResult, parts: Sequence[str], per_query: bool, baseline: str | None
) -> dict[str, Any]:
    values = result.to_dict(baseline=baseline)
    for run in () if per_query else values["bounds"]["runs"]:
        del run["per_query"]
    return {part: values[part] for part in parts}


def _describe(
    result: UnjudgedResult, items: ItemsToJudge, parts: Sequence[str], baseline: str | None
) -> list[str]:
    """Say what judging could change, and how many unjudged items there are."""
    bounds = result.bounds
    lines = [bounds.sentence(*pair) for pair in bounds.pairs(baseline)]
    if "items" not in parts:
        return lines
    n_items = format_count(len(result.items), "unjudged item", "unjudged items")
    omissions = "" if len(items) == len(result.items) else f", {len(items):,} shown"
    cutoff = items.measure.all_settings["cutoff"]
    ranks = format_count(cutoff or 0, "rank", "ranks")
    where = "retrieved" if cutoff is None else f"in the first {ranks}"
    summary = f"{n_items} {where}{omissions}."
    return [*lines, summary] if "bounds" in parts else [summary, *items.summary.splitlines()]


def _make_bounds_tables(
    bounds: Bounds, rows: Sequence[BoundsRow], per_query: bool
) -> Iterator[Table]:
    """Make a table of runs, and one of differences if there are several."""
    form = partial(format_value, bounds.measure)
    names = [Column("query")] if per_query else []
    numbers = [Column(name, float, form) for name in ("value", "low", "high")]
    values = [
        [row.run, *([row.query] if per_query else []), row.value, *row.possible, row.judged]
        for row in rows
        if row.baseline is None
    ]
    yield Table([Column("run"), *names, *numbers, Column("judged", float, form)], values)
    differences = []
    for row in rows:
        if row.baseline is not None:
            query = [row.query] if per_query else []
            differences.append([f"{row.run} - {row.baseline}", *query, row.value, *row.possible])
    if differences:
        yield Table([Column("difference"), *names, *numbers], differences)


def _make_bounds_data(rows: Sequence[BoundsRow]) -> Table:
    columns = [Column("run"), Column("baseline"), Column("query")]
    columns += [Column(name, float) for name in ("value", "low", "high", "judged")]
    return Table(columns, [[*row[:4], *row.possible, row.judged] for row in rows])


def _make_run_rows(bounds: Bounds, per_query: bool) -> Iterator[BoundsRow]:
    for number, run in enumerate(bounds.runs):
        arrays = (bounds.values, bounds.low, bounds.high, bounds.judged)
        columns = [array[number].tolist() for array in arrays]
        for query, *numbers in zip(bounds.queries, *columns, strict=True) if per_query else ():
            value, low, high, judged = numbers
            yield BoundsRow(run, None, query, value, Interval(low, high), judged)
        judged = ragged.mean(bounds.judged[number])
        yield BoundsRow(run, None, "all", bounds.value(run), bounds.mean(run), judged)


def _make_pair_rows(bounds: Bounds, per_query: bool, baseline: str | None) -> Iterator[BoundsRow]:
    for system, other in bounds.pairs(baseline):
        if per_query:
            ours, theirs = (bounds.values[bounds.runs.index(run)] for run in (system, other))
            now = (ours - theirs).tolist()
            columns = zip(bounds.queries, now, bounds.differences(system, other), strict=True)
            yield from (BoundsRow(system, other, *cells, None) for cells in columns)
        mean = bounds.value_difference(system, other), bounds.difference(system, other)
        yield BoundsRow(system, other, "all", *mean, None)


def _make_item_table(items: ItemsToJudge) -> Table:
    impacts = ["impact", "mean_impact", *(["verdict_impact"] if items.compared else [])]
    columns = [Column("query"), Column("item"), Column("rank", int), Column("runs")]
    columns += [Column(name, float, "{:.4f}".format) for name in impacts]
    rows = []
    for item in items.rows:
        runs = " ".join(f"{run}:{rank}" for run, rank in item.runs.items())
        values = (getattr(item, name) for name in impacts)
        rows.append([item.query, item.item, item.rank, runs, *values])
    return Table(columns, rows)


def _make_item_data(items: ItemsToJudge) -> Table:
    frame = items.to_polars()
    kinds = [str if str(dtype) == "String" else float for dtype in frame.dtypes]
    columns = [Column(name, kind) for name, kind in zip(frame.columns, kinds, strict=True)]
    return Table(columns, frame.rows())
