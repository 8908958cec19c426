"""What unjudged items could change, and which to judge next, as text."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from gainful.base import (
    Interval,
    format_count,
    format_exact_field,
    format_exact_value,
    format_value,
    ragged,
    to_json,
)
from gainful.diagnostics import format_notice_lines
from gainful.measures import Measure
from gainful.report import text_tables as tables
from gainful.unjudged import Bounds, ItemsToJudge, ItemToJudge, UnjudgedResult

COLUMNS = ("run", "baseline", "query", "value", "low", "high", "judged")
UNJUDGED_PARTS = ("bounds", "items")
Text = Callable[[Measure, float], str]


class UnjudgedView(NamedTuple):
    """The part of a result that is printed.

    Attributes:
        result: The result.
        part: One of ``UNJUDGED_PARTS``; None for both.
        per_query: Whether the bounds of every query are printed.
        baseline: The run that the others are compared with; None for all pairs.
        n_items: How many items are printed; None for all.
    """

    result: UnjudgedResult
    part: str | None = None
    per_query: bool = False
    baseline: str | None = None
    n_items: int | None = None

    @property
    def items(self) -> ItemsToJudge:
        """The items that are printed."""
        return self.result.items.first(self.n_items)

    def join(self, bounds: str, items: str) -> str:
        """Return the texts of the parts that are printed, an empty line between both."""
        texts = {"bounds": bounds, "items": items}
        return f"{bounds}\n{items}" if self.part is None else texts[self.part]


class BoundsRow(NamedTuple):
    """A value, or a difference of two runs, and where it could lie; judged is None for the latter.

    Its query is ``all`` if it is a mean.
    """

    run: str
    baseline: str
    query: str
    value: float
    possible: Interval
    judged: float | None

    def cells(self, measure: Measure, text: Text) -> list[str]:
        """Return the numbers as text."""
        numbers = [text(measure, number) for number in (self.value, *self.possible)]
        return [*numbers, "" if self.judged is None else text(measure, self.judged)]


def _write_bounds_table(view: UnjudgedView) -> str:
    bounds, per_query, baseline = view.result.bounds, view.per_query, view.baseline
    values = list(_make_run_rows(bounds, per_query))
    text = _align_rows(bounds, values, ["run"], [[row.run] for row in values], per_query)
    pairs = list(bounds.pairs(baseline))
    if not pairs:
        return text
    differences = list(_make_pair_rows(bounds, per_query, baseline))
    names = [[f"{row.run} - {row.baseline}"] for row in differences]
    text += "\n" + _align_rows(bounds, differences, ["difference"], names, per_query, judged=False)
    return text + "\n" + "".join(f"{bounds.sentence(*pair)}\n" for pair in pairs)


def _write_bounds_tsv(view: UnjudgedView) -> str:
    rows = _make_bounds_cells(view, format_exact_field)
    return tables.to_tsv([[cell or "-" for cell in row] for row in rows])


def _write_bounds_csv(view: UnjudgedView) -> str:
    header, *rows = _make_bounds_cells(view, format_exact_value)
    return tables.to_csv(header, rows)


def _write_json(view: UnjudgedView) -> str:
    values = replace(view.result, items=view.items).to_dict(baseline=view.baseline)
    for run in () if view.per_query else values["bounds"]["runs"]:
        del run["per_query"]
    parts = UNJUDGED_PARTS if view.part is None else (view.part,)
    return to_json({part: values[part] for part in parts}) + "\n"


def _align_rows(
    bounds: Bounds,
    rows: list[BoundsRow],
    header: list[str],
    names: list[list[str]],
    per_query: bool,
    *,
    judged: bool = True,
) -> str:
    query = ["query"] if per_query else []
    end = None if judged else -1
    cells = [
        [
            *name,
            *([row.query] if per_query else []),
            *row.cells(bounds.measure, format_value)[:end],
        ]
        for name, row in zip(names, rows, strict=True)
    ]
    left = tuple(range(len(header) + len(query)))
    return tables.to_text([*header, *query, *COLUMNS[3:][:end]], cells, left=left)


def _make_bounds_cells(view: UnjudgedView, text: Text) -> list[list[str]]:
    bounds, per_query = view.result.bounds, view.per_query
    rows = [*_make_run_rows(bounds, per_query), *_make_pair_rows(bounds, per_query, view.baseline)]
    cells = [[*row[:3], *row.cells(bounds.measure, text)] for row in rows]
    return [list(COLUMNS), *cells]


def _make_run_rows(bounds: Bounds, per_query: bool) -> Iterator[BoundsRow]:
    for number, run in enumerate(bounds.runs):
        arrays = (bounds.values, bounds.low, bounds.high, bounds.judged)
        columns = [array[number].tolist() for array in arrays]
        for query, *numbers in zip(bounds.queries, *columns, strict=True) if per_query else ():
            value, low, high, judged = numbers
            yield BoundsRow(run, "", query, value, Interval(low, high), judged)
        judged = ragged.mean(bounds.judged[number])
        yield BoundsRow(run, "", "all", bounds.value(run), bounds.mean(run), judged)


def _make_pair_rows(bounds: Bounds, per_query: bool, baseline: str | None) -> Iterator[BoundsRow]:
    for system, other in bounds.pairs(baseline):
        if per_query:
            ours, theirs = (bounds.values[bounds.runs.index(run)] for run in (system, other))
            now = (ours - theirs).tolist()
            columns = zip(bounds.queries, now, bounds.differences(system, other), strict=True)
            yield from (BoundsRow(system, other, *cells, None) for cells in columns)
        mean = bounds.value_difference(system, other), bounds.difference(system, other)
        yield BoundsRow(system, other, "all", *mean, None)


def _write_items_table(items: ItemsToJudge) -> str:
    header = ["query", "item", "rank", "runs", "impact", "mean_impact"]
    header += ["verdict_impact"] if items.compared else []
    return tables.to_text(header, list(map(_make_item_cells, items.rows)), left=(0, 1, 3))


def _make_item_cells(item: ItemToJudge) -> list[str]:
    runs = " ".join(f"{run}:{rank}" for run, rank in item.runs.items())
    impacts = [item.impact, item.mean_impact]
    impacts += [] if item.verdict_impact is None else [item.verdict_impact]
    return [item.query, item.item, str(item.rank), runs, *(f"{impact:.4f}" for impact in impacts)]


def _write_items_tsv(items: ItemsToJudge) -> str:
    frame = items.to_polars()
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.rows()]
    return tables.to_tsv([frame.columns, *rows])


UNJUDGED_OUTPUTS: dict[str, Callable[[UnjudgedView], str]] = {
    "table": lambda view: view.join(_write_bounds_table(view), _write_items_table(view.items)),
    "tsv": lambda view: view.join(_write_bounds_tsv(view), _write_items_tsv(view.items)),
    "csv": lambda view: view.join(_write_bounds_csv(view), view.items.to_csv()),
    "json": _write_json,
    "jsonl": lambda view: view.items.to_jsonl(),
    "trec": lambda view: view.items.to_trec(),
}
ITEM_OUTPUTS = ("jsonl", "trec")


def list_unjudged_footnotes(view: UnjudgedView, form: str) -> list[str]:
    """Return what was tried, the rules, the notices, and how many unjudged items there are.

    Args:
        view: The result and what is printed of it.
        form: The key of ``UNJUDGED_OUTPUTS`` that it is printed as.
    """
    if form == "json":
        return []
    part = "items" if form in ITEM_OUTPUTS else view.part
    bounds, items = view.result.bounds, view.result.items
    labels = ", ".join(f"{label:g}" for label in bounds.possible_labels)
    n_queries = format_count(len(bounds.queries), "query", "queries")
    setup = [
        f"{bounds.measure}: every unjudged item may get any of the labels {labels}.",
        f"rules: {bounds.rules} ({n_queries})",
    ]
    n_items = format_count(len(items), "unjudged item", "unjudged items")
    omissions = "" if len(view.items) == len(items) else f", {len(view.items):,} shown"
    cutoff = items.measure.all_settings["cutoff"]
    range_of_ranks = (
        "retrieved" if cutoff is None else f"in the first {format_count(cutoff, 'rank', 'ranks')}"
    )
    summary = f"{n_items} {range_of_ranks}{omissions}."
    if part == "items":
        return [*format_notice_lines(bounds.notices), f"{summary} {items.summary}"]
    return [*setup, *format_notice_lines(bounds.notices), *([] if part == "bounds" else [summary])]
