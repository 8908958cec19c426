"""The Scores of one run or several, and their slices."""

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.base import FloatArray, check_choice, encode_ids, format_count, format_value
from gainful.diagnostics import format_notice_lines
from gainful.errors import OutputError
from gainful.evaluation import Scores
from gainful.measures import Measure
from gainful.report.tables import Column, Table, find_best_means, to_csv
from gainful.report.view import View

if TYPE_CHECKING:
    import polars

    from gainful.evaluation import Slices

SHAPES = ("tidy", "wide")
TIDY_COLUMNS = ("system", "query", "measure", "value")
_TIDY = [*map(Column, TIDY_COLUMNS[:3]), Column("value", float)]
_MOST_RUNS = 5  # up to this number, the judged share of every run is listed


def view_scores(scores: Scores, method: str = "", shape: str | None = None) -> View:
    """Show the Scores of one run: the means, or all values if there is a shape.

    Args:
        scores: What is shown.
        method: The method that was called, for its error message.
        shape: ``tidy`` or ``wide``, or ``means``, which only formats for people have.
    """
    if shape is not None:
        programs = method in ("to_csv", "to_tsv", "to_polars", "to_pandas", "to_arrow")
        shapes = SHAPES if programs else ("means", *SHAPES)
        check_choice(f"{method}: shape", shape, shapes, OutputError)
    if shape == "tidy":
        shown = partial(_make_tidy_table, [scores], per_query=True, exact=False)
    else:
        shown = partial(_make_score_table, [scores], shape == "wide")
    data = _make_tidy_data if shape == "tidy" else _make_wide_data
    frame = _make_wide_frame if shape == "wide" else _make_tidy_frame
    n_queries = format_count(scores.n_queries, "query", "queries")
    return View(
        title=f"Scores of {scores.run!r} on {n_queries}",
        tables=lambda: [shown()],
        data=lambda: data(scores),
        content=scores.to_dict,
        settings=[format_rules([scores])],
        notices=format_notice_lines(scores.notices),
        frame=lambda: frame(scores),
    )


def view_runs(runs: Sequence[Scores], *, per_query: bool = False) -> View:
    """Show the means of several runs, or first every query and then the means as ``all``."""
    exact = partial(_make_score_table, runs, per_query, exact=True)
    return View(
        tables=lambda: [_make_score_table(runs, per_query, with_judged=True)],
        data=lambda: exact(with_run=True),
        lines=exact,
        content=lambda: _runs_to_dict(runs, per_query),
        settings=[format_rules(runs)],
        beside_data=_format_judged(runs),
        notices=format_notice_lines(notice for scores in runs for notice in scores.notices),
        special={"tidy": lambda: to_csv(_make_tidy_table(runs, per_query=per_query, exact=True))},
    )


def _runs_to_dict(runs: Sequence[Scores], per_query: bool) -> dict[str, Any]:
    content = [scores.to_dict() for scores in runs]
    for run in [] if per_query else content:
        run.pop("per_query")
        run.pop("weights", None)
    return {"runs": content}


def _make_score_table(
    runs: Sequence[Scores],
    per_query: bool,
    *,
    exact: bool = False,
    with_run: bool = False,
    with_judged: bool = False,
) -> Table:
    """Make a row per measure for one run, else per run; or a row per query."""
    judged = _find_judged_measures(runs[0]) if with_judged else {}
    single = len(runs) == 1 and not with_run
    means = [
        [*scores.mean().values(), *(scores.judged_share(m) for m in judged.values())]
        for scores in runs
    ]
    columns = _make_measure_columns(runs[0].measures, judged)
    if single and not per_query:
        rows = [
            [column.name, value if exact or column.format is None else column.format(value)]
            for column, value in zip(columns, means[0], strict=True)
        ]
        values = Column(runs[0].run, float, None if exact else str)
        return Table([Column("measure"), values], rows, has_header=False)
    rows, ends = [], []
    for scores, mean in zip(runs, means, strict=True):
        name = [] if single else [scores.run]
        if per_query:
            rows += _make_query_rows(scores, list(judged.values()), name)
        ends.append(len(rows))
        rows.append([*name, *(["all"] if per_query else []), *mean])
    names = [*([] if single else [Column("run")]), *([Column("query")] if per_query else [])]
    columns = [*names, *columns]
    styles = _find_best_cells(runs[0].measures, rows, ends, columns) if len(runs) > 1 else {}
    return Table(columns, rows, styles=styles)


def _make_query_rows(
    scores: Scores, judged: Sequence[Measure], name: Sequence[str]
) -> list[list[Any]]:
    shares = [np.nan_to_num(scores.judged[measure]) for measure in judged]
    values = np.column_stack([scores.rounded_values, *shares]).tolist()
    return [[*name, query, *row] for query, row in zip(scores.queries, values, strict=True)]


def _make_measure_columns(measures: Iterable[Measure], judged: Iterable[str] = ()) -> list[Column]:
    columns = [Column(str(m), float, partial(format_value, m)) for m in measures]
    return [*columns, *(Column(name, float, _format_share, optional=True) for name in judged)]


def _format_share(share: float) -> str:
    return f"{share:.4f}"


def _find_best_cells(
    measures: Sequence[Measure], rows: list[list[Any]], ends: list[int], columns: list[Column]
) -> dict[tuple[int, int], str]:
    best_cells: dict[tuple[int, int], str] = {}
    n_names = sum(column.is_text for column in columns)
    for c, measure in enumerate(measures, n_names):
        means = [rows[end][c] for end in ends]
        best = find_best_means(measure, means, partial(format_value, measure))
        best_cells |= {(ends[i], c): "best" for i in best}
    return best_cells


def _make_tidy_table(runs: Sequence[Scores], *, per_query: bool, exact: bool) -> Table:
    """Make a row for every run, query and measure; the query of a mean is ``all``."""
    rows: list[list[Any]] = []
    for scores in runs:
        rows += _make_tidy_rows(scores) if per_query else []
        rows += [[scores.run, "all", str(m), scores[m]] for m in scores.measures]
    if exact:
        return Table(_TIDY, rows)
    measures = {str(measure): measure for measure in runs[0].measures}
    shown = [[*row[:3], format_value(measures[row[2]], row[3])] for row in rows]
    return Table([*_TIDY[:3], Column("value", float, str)], shown)


def _make_tidy_rows(scores: Scores) -> list[list[Any]]:
    columns = [(i, str(m)) for i, m in enumerate(scores.measures) if not m.whole]
    return [
        [scores.run, query, name, row[i]]
        for query, row in zip(scores.queries, scores.rounded_values.tolist(), strict=True)
        for i, name in columns
    ]


def _make_tidy_data(scores: Scores) -> Table:
    """Make a row for every query and measure; a measure of the whole run has no query."""
    whole = [[scores.run, None, str(m), v] for m, v in scores.whole_run_values().items()]
    return Table(_TIDY, [*_make_tidy_rows(scores), *whole])


def _make_wide_data(scores: Scores) -> Table:
    """Make a row for every query; measures of the whole run have a row without a query."""
    columns = [Column("query"), *_make_measure_columns(scores.measures)]
    rows = _make_query_rows(scores, [], [])
    if whole := scores.whole_run_values():
        rows.append([None, *(whole.get(measure) for measure in scores.measures)])
    return Table(columns, rows)


def _make_tidy_frame(scores: Scores) -> "polars.DataFrame":
    """Make a polars frame like the tidy table, without a Python object per value."""
    import polars as pl

    own = [i for i, measure in enumerate(scores.measures) if not measure.whole]
    whole = scores.whole_run_values()
    names = encode_ids([str(scores.measures[i]) for i in own] + [str(m) for m in whole])
    n, n_own = len(scores.queries), len(own)
    queries = pl.Series([*encode_ids(scores.queries), None], dtype=pl.String)
    query_numbers = np.append(np.repeat(np.arange(n), n_own), np.full(len(whole), n))
    name_numbers = np.append(np.tile(np.arange(n_own), n), n_own + np.arange(len(whole)))
    values = np.append(scores.rounded_values[:, own].ravel(), list(whole.values()))
    columns: list[Any] = [
        pl.Series(encode_ids([scores.run])).gather(np.zeros(len(values), np.int64)),
        queries.gather(query_numbers),
        pl.Series(names, dtype=pl.String).gather(name_numbers),
        _make_series(values),
    ]
    return pl.DataFrame([c.alias(name) for name, c in zip(TIDY_COLUMNS, columns, strict=True)])


def _make_wide_frame(scores: Scores) -> "polars.DataFrame":
    """Make a polars frame like the wide table, without a Python object per value."""
    import polars as pl

    names, values = [str(measure) for measure in scores.measures], scores.rounded_values
    if "query" in names:
        message = "wide: a measure has the name of the column 'query'. Pass shape='tidy'."
        raise OutputError(message, code="bad-name")
    ids: list[str | None] = [*encode_ids(scores.queries)]
    if whole := scores.whole_run_values():
        ids.append(None)
        row = [whole.get(measure, math.nan) for measure in scores.measures]
        values = np.concatenate([values, [row]])
    columns = [pl.Series("query", ids, dtype=pl.String)]
    columns += [_make_series(v).alias(name) for name, v in zip(names, values.T, strict=True)]
    return pl.DataFrame(columns)


def _make_series(values: FloatArray) -> Any:
    import polars as pl

    return pl.Series(np.ascontiguousarray(values)).fill_nan(None)


def format_rules(runs: Sequence[Scores]) -> str:
    """Format the rules, the dialect they belong to, if any, and the number of queries."""
    dialect = runs[0].dialect
    whose = "" if dialect is None else f"dialect: {dialect.title}; "
    return f"{whose}rules: {runs[0].rules} ({_format_query_counts(runs)})"


def _find_judged_measures(scores: Scores) -> dict[str, Measure]:
    """Map the name of Judged@k, unless it is a column already, to a measure with this cutoff."""
    resolve = (lambda measure: measure) if scores.dialect is None else scores.dialect.resolve
    cutoffs = {measure: dict(resolve(measure).settings).get("cutoff") for measure in scores.judged}
    of_cutoff = {cutoff: measure for measure, cutoff in reversed(cutoffs.items())}
    names = {"Judged" if k is None else f"Judged@{k}": of_cutoff[k] for k in cutoffs.values()}
    asked_for = {str(measure) for measure in scores.measures}
    return {name: measure for name, measure in names.items() if name not in asked_for}


def _format_judged(runs: Sequence[Scores]) -> list[str]:
    parts = [
        f"{name} {_format_shares(runs, m)}" for name, m in _find_judged_measures(runs[0]).items()
    ]
    return [f"judged: {'; '.join(parts)}"] if parts else []


def _format_shares(runs: Sequence[Scores], measure: Measure) -> str:
    shares = [(scores.judged_share(measure), scores.run) for scores in runs]
    if len(shares) == 1:
        return f"{shares[0][0]:.4f}"
    if len(shares) > _MOST_RUNS:
        shares = [min(shares), max(shares)]
        return " to ".join(f"{share:.4f} ({run})" for share, run in shares)
    return ", ".join(f"{share:.4f} ({run})" for share, run in shares)


def _format_query_counts(runs: Sequence[Scores]) -> str:
    counts = [scores.n_queries for scores in runs]
    if len(set(counts)) == 1:
        return format_count(counts[0], "query", "queries")
    count_of_runs = ", ".join(f"{s.run} {n:,}" for s, n in zip(runs, counts, strict=True))
    return f"queries: {count_of_runs}"


def view_slices(*runs: "Slices") -> View:
    """Show the means of every slice, then of all queries, run by run."""
    n_slices = format_count(len(runs[0]), "slice", "slices")
    return View(
        title=f"Slices of {runs[0].whole.run!r}: {n_slices} by {runs[0].column!r}",
        tables=lambda: [_make_slice_table(runs, with_run=len(runs) > 1)],
        data=lambda: _make_slice_table(runs, with_run=True),
        lines=lambda: _make_slice_table(runs, with_run=len(runs) > 1),
        content=lambda: {"runs": [slices.to_dict() for slices in runs]},
        settings=[format_rules([slices.whole for slices in runs])],
        notices=format_notice_lines(notice for slices in runs for notice in slices.notices),
        special={"tidy": lambda: to_csv(_make_tidy_slices(runs))},
    )


def _make_slice_table(runs: "Sequence[Slices]", *, with_run: bool) -> Table:
    whole = runs[0].whole
    rows: list[list[Any]] = []
    for slices in runs:
        parts = [*((slices.name(value), part) for value, part in slices.items())]
        for name, part in [*parts, ("all", slices.whole)]:
            weight = [] if part.weights is None else [math.fsum(part.weights)]
            run = [slices.whole.run] if with_run else []
            rows.append([*run, name, part.n_queries, *weight, *part.mean().values()])
    columns = [Column("run")] if with_run else []
    columns += [Column(runs[0].column), Column("queries", int)]
    columns += [Column("weight", float, "{:.15g}".format)] if whole.weights is not None else []
    return Table([*columns, *_make_measure_columns(whole.measures)], rows)


def _make_tidy_slices(runs: "Sequence[Slices]") -> Table:
    """Make a row for every run, slice and measure."""
    wide = _make_slice_table(runs, with_run=True)
    n = len(wide.columns) - len(runs[0].whole.measures)
    rows = [
        [*row[:n], name, value]
        for row in wide.rows
        for name, value in zip(wide.header[n:], row[n:], strict=True)
    ]
    return Table(
        [Column("system"), *wide.columns[1:n], Column("measure"), Column("value", float)], rows
    )
