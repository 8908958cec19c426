"""The table of queries."""

from typing import Any, NamedTuple

import numpy as np

from gainful.base import (
    FloatArray,
    format_difference,
    format_number,
    format_percent,
    format_setting,
)
from gainful.report.html.embedded_data import EmbeddedData
from gainful.report.html.model import (
    Detail,
    Experiment,
    Terms,
    find_judged_shares,
    find_values,
    order_queries_by_difference,
    select_compared_runs,
)
from gainful.report.html.parts import (
    ID,
    TEXT,
    PageCell,
    PageColumn,
    PageSection,
    PageTable,
    make_table,
)

N_ROWS = 200


def build_queries_section(experiment: Experiment, large: EmbeddedData) -> PageSection:
    """Return the section of the queries that changed most; of one run, of the lowest values."""
    values = {
        "table": make_queries_table(experiment),
        "embedded": describe_embedded_rankings(experiment, large),
    }
    return PageSection("queries", "Queries", values)


def describe_embedded_rankings(experiment: Experiment, large: EmbeddedData) -> str:
    """Say how much of the rankings is in the page."""
    n, n_detailed = len(experiment.queries), large.n_detailed
    which = (
        "all queries"
        if n_detailed == n
        else f"the {n_detailed:,} of {n:,} queries that differ most"
    )
    deepest = max(
        (max(detail.n_retrieved) for detail in experiment.details.by_query.values()), default=0
    )
    ranks = f"the first {large.depth} ranks" if deepest > large.depth else "all ranks"
    return f"The page holds {ranks} of {which}."


def make_queries_table(experiment: Experiment) -> PageTable:
    """Make a table of the first queries by the size of the difference, or by value."""
    runs = select_compared_runs(experiment)
    values = [find_values(experiment, run) for run in runs]
    judged = [find_judged_shares(experiment, run) for run in runs]
    rows = [
        [
            experiment.queries[i],
            experiment.texts.get(experiment.queries[i], ""),
            *_make_value_cells(experiment, values, i),
        ]
        + [format_percent(float(share[i])) if share is not None else "-" for share in judged]
        for i in order_queries_by_difference(experiment)[:N_ROWS]
    ]
    difference = ["difference"] if len(runs) == 2 else []
    titles = [*runs, *difference, *(f"judged {run}" for run in runs)]
    columns = [PageColumn("query", ID), PageColumn("text", TEXT), *map(PageColumn, titles)]
    n = len(experiment.queries)
    caption = f"{experiment.measures[0]} of every query"
    by = "the largest differences first" if len(runs) == 2 else "the lowest values first"
    note = "" if n <= N_ROWS else f"The first {N_ROWS} of {n:,} queries, {by}."
    return make_table("queries-table", caption, columns, rows, note)


def _make_value_cells(
    experiment: Experiment, values: list[FloatArray], i: int
) -> list[str | PageCell]:
    cells: list[str | PageCell] = [format_number(float(column[i])) for column in values]
    if experiment.comparison is not None:
        difference = float(values[1][i] - values[0][i])
        cells.append(
            PageCell(
                format_difference(difference), _choose_mark(difference, experiment.comparison.tie)
            )
        )
    return cells


def _choose_mark(difference: float, tie: float) -> str:
    if not abs(difference) > tie:
        return ""
    return "better" if difference > 0 else "worse"


_EACH = 5
_RANKS = 10


def build_examples_section(experiment: Experiment) -> PageSection:
    """Return the section of the worst and best five queries by difference; of one run, by value."""
    lowest, highest = _select_examples(experiment)
    two = experiment.candidate is not None
    titles = ("Lost most", "Gained most") if two else ("Lowest", "Highest")
    groups = [
        (title, [_make_example(experiment, query) for query in queries])
        for title, queries in zip(titles, (lowest, highest), strict=True)
    ]
    values = {
        "groups": groups,
        "measure": str(experiment.measures[0]),
        "explained": str(experiment.details.terms.measure),
        "runs": select_compared_runs(experiment),
        "of_several": len(experiment.runs) > 2,
    }
    return PageSection("examples", "Worked examples", values)


def _select_examples(experiment: Experiment) -> tuple[list[str], list[str]]:
    """Select queries from both ends: none in both, and none that did not change."""
    values = find_values(experiment, experiment.candidate or experiment.baseline)
    if experiment.candidate is not None:
        values = values - find_values(experiment, experiment.baseline)
    values = np.round(values, 12)
    order = np.argsort(values, kind="stable")
    order = order[~np.isnan(values[order])]
    low, high = order[:_EACH], order[_EACH:][::-1][:_EACH]
    if experiment.candidate is not None:
        low, high = order[values[order] < 0][:_EACH], order[values[order] > 0][::-1][:_EACH]
    names = experiment.queries
    return [names[i] for i in low.tolist()], [names[i] for i in high.tolist()]


def _make_example(experiment: Experiment, query: str) -> dict[str, Any]:
    details, place = experiment.details, experiment.queries.index(query)
    runs = select_compared_runs(experiment)
    values = [float(find_values(experiment, run)[place]) for run in runs]
    explained = [float(details.values[experiment.runs.index(run), place]) for run in runs]
    detail = details.by_query.get(query)
    tables = [
        _make_ranking_table(experiment, detail, run, value, f"example-{place}-{i}")
        for i, (run, value) in enumerate(zip(runs, explained, strict=True))
        if detail is not None
    ]
    return {
        "query": query,
        "text": experiment.texts.get(query, ""),
        "values": _make_value_line(runs, values),
        "explained": _make_value_line(runs, explained),
        "tables": tables,
        "missed": [] if detail is None else _make_ideal_tables(experiment, detail, runs, place),
    }


class _ValueLine(NamedTuple):
    """The values of runs on a query by one measure, and the difference, if there are two."""

    values: list[tuple[str, str]]
    difference: str | None


def _make_value_line(runs: tuple[str, ...], values: list[float]) -> _ValueLine:
    difference = format_difference(values[1] - values[0]) if len(values) == 2 else None
    return _ValueLine(list(zip(runs, map(format_number, values), strict=True)), difference)


def _make_ranking_table(
    experiment: Experiment, detail: Detail, run: str, value: float, name: str
) -> PageTable:
    """Return a table of what every rank adds, down to the cutoff."""
    terms, number = experiment.details.terms, experiment.runs.index(run)
    rows: list[list[str | PageCell]] = []
    running = 0.0
    for rank, item in enumerate(detail.rankings[number][: _choose_depth(terms)], 1):
        added = _compute_rank_term(terms, detail, number, rank)
        running += added.product
        label = _make_label_cell(detail.labels[item])
        rows.append(
            [*_make_place_cells(experiment, rank, detail.items[item]), label, *added.texts(running)]
        )
    columns = _make_columns(experiment, "label", "gain", "discount", "gain x discount", "running")
    best = f", of at most {format_number(detail.best[number])}" if terms.normalized else ""
    below = "" if terms.complete else " with what is not shown"
    total = format_number(detail.totals[number])
    note = f"Sum {total}{below}{best}: {terms.measure} {format_number(value)}."
    return make_table(name, run, columns, rows, note)


class _RankTerm(NamedTuple):
    """The product that one rank adds, and its factors."""

    gain: float
    weight: float
    product: float

    def texts(self, running: float) -> list[str]:
        """Format the numbers and the running sum."""
        gain = format_setting(self.gain) if self.gain.is_integer() else format_number(self.gain)
        return [gain, *map(format_number, (self.weight, self.product, running))]


def _compute_rank_term(terms: Terms, detail: Detail, run: int, rank: int) -> _RankTerm:
    gain = _find_gain(terms, detail.labels[detail.rankings[run][rank - 1]])
    if detail.weights is not None:
        weight = detail.weights[run][rank - 1]
        return _RankTerm(gain, weight, gain * weight)
    divisor = terms.divisors[rank - 1]
    return _RankTerm(gain, 1 / divisor, gain / divisor)


def _find_gain(terms: Terms, label: float | None) -> float:
    return 0.0 if label is None else terms.gains.get(label, 0.0)


def _make_label_cell(label: float | None) -> PageCell:
    if label is None:
        return PageCell("-", "unjudged")
    return PageCell(format_setting(label), "relevant" if label > 0 else "")


def _choose_depth(terms: Terms) -> int:
    return min(terms.cutoff or _RANKS, len(terms.divisors))


def _make_place_cells(experiment: Experiment, rank: int, item: str) -> list[str]:
    titles = experiment.details.titles
    return [str(rank), item, *([titles.get(item, "")] if titles else [])]


def _make_columns(experiment: Experiment, *numbers: str) -> list[PageColumn]:
    """Make the columns of a place, followed by columns of numbers."""
    title = [PageColumn("title", TEXT)] if experiment.details.titles else []
    return [PageColumn("rank"), PageColumn("item", ID), *title, *map(PageColumn, numbers)]


def _make_ideal_tables(
    experiment: Experiment, detail: Detail, runs: tuple[str, ...], place: int
) -> list[PageTable]:
    """Make a table of the items of the ideal ranking, with the rank of each in every run."""
    terms, run_numbers = experiment.details.terms, [experiment.runs.index(run) for run in runs]
    ranks = [{item: rank for rank, item in enumerate(detail.rankings[n], 1)} for n in run_numbers]
    rows, best = [], detail.best[run_numbers[0]]
    # A best ranking that goes on below the cutoff is shown as far as a ranking without one.
    last = min(terms.ideal_cutoff or max(terms.cutoff or 0, _RANKS), len(terms.divisors))
    for rank, item in enumerate(detail.ideal[:last], 1):
        product = _find_gain(terms, detail.labels[item]) / terms.divisors[rank - 1]
        run_ranks = [
            str(rank_of_item[item]) if item in rank_of_item else "not there"
            for rank_of_item in ranks
        ]
        share = format_percent(product / best) if best else "-"
        label = format_setting(detail.labels[item])
        rows.append(
            [*_make_place_cells(experiment, rank, detail.items[item]), label, share, *run_ranks]
        )
    if not rows:
        return []
    columns = _make_columns(experiment, "label", "worth", *(f"rank in {run}" for run in runs))
    return [make_table(f"example-{place}-ideal", "The best ranking", columns, rows)]
