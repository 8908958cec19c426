"""The Scores of one run or several, as text."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.base import format_count, format_exact_field, format_exact_value, format_value, to_json
from gainful.diagnostics import format_notice_lines
from gainful.evaluation import Scores
from gainful.measures import Measure
from gainful.report import score_tables, tables
from gainful.report.outputs import OutputFormats

if TYPE_CHECKING:
    from gainful.evaluation import Cell, Slices

SCORE_OUTPUTS = OutputFormats()
_MOST_RUNS = 5  # up to this number, the judged share of every run is listed


@SCORE_OUTPUTS.declare("table")
def write_table(runs: Sequence[Scores], per_query: bool) -> str:
    """Aligned columns for people."""
    header, rows = _make_score_cells(runs, per_query, format_value, with_judged=True)
    left = (0, 1) if "query" in header[:2] and "run" in header[:2] else (0,)
    return tables.to_text(header, rows, left=left)


@SCORE_OUTPUTS.declare("tsv")
def write_tsv(runs: Sequence[Scores], per_query: bool) -> str:
    """Tab-separated values at full precision, for pipes."""
    header, rows = _make_score_cells(runs, per_query, format_exact_field)
    return tables.to_tsv([header, *rows] if header else rows)


@SCORE_OUTPUTS.declare("csv")
def write_csv(runs: Sequence[Scores], per_query: bool) -> str:
    """Comma-separated values at full precision; the same columns for one run and for many."""
    header, rows = _make_score_cells(runs, per_query, format_exact_value, with_run=True)
    return tables.to_csv(header, rows)


@SCORE_OUTPUTS.declare("tidy")
def write_tidy(runs: Sequence[Scores], per_query: bool) -> str:
    """Comma-separated, a line for every run, query and measure; the query of a mean is `all`."""
    rows = [row for scores in runs for row in _make_tidy_rows(scores, per_query)]
    return tables.to_csv(score_tables.TIDY_COLUMNS, rows)


@SCORE_OUTPUTS.declare("markdown", complete=True)
def write_markdown(runs: Sequence[Scores], per_query: bool) -> str:
    """A Markdown table with rules and notices below it."""
    header, rows = _make_score_cells(runs, per_query, format_value, with_judged=True)
    text = tables.to_markdown(header or ["measure", runs[0].run], rows)
    return text + "".join(f"\n{line}\n" for line in list_score_footnotes(runs, with_judged=False))


@SCORE_OUTPUTS.declare("latex", complete=True)
def write_latex(runs: Sequence[Scores], per_query: bool) -> str:
    """A LaTeX table for the package booktabs; of several runs, the best value is bold."""

    header, rows = _make_score_cells(runs, per_query, format_value)
    n_text = 2 if header[:2] == ["run", "query"] else 1
    bold = _find_best_cells(runs, rows, per_query, n_text) if len(runs) > 1 else ()
    header = header or ["measure", runs[0].run]
    return tables.format_latex_table(
        header, rows, n_text=n_text, bold=bold, notes=list_score_footnotes(runs)
    )


@SCORE_OUTPUTS.declare("json", complete=True)
def write_json(scores_of_runs: Sequence[Scores], per_query: bool) -> str:
    """Everything there is, one object per run, at full precision."""
    runs = [scores.to_dict() for scores in scores_of_runs]
    if not per_query:
        runs = [{k: v for k, v in run.items() if k not in ("per_query", "weights")} for run in runs]
    return to_json({"runs": runs}) + "\n"


def _make_tidy_rows(scores: Scores, per_query: bool) -> list[list[str]]:
    queries, values = (
        (scores.queries, scores.rounded_values) if per_query else ((), scores.rounded_values[:0])
    )
    means = {measure: scores[measure] for measure in scores.measures}
    cells_of_run = (scores.run, queries, scores.measures, values, format_exact_value)
    return score_tables.make_tidy_cells(*cells_of_run, last=("all", means))[1]


def _find_best_cells(
    runs: Sequence[Scores], rows: list[list[str]], per_query: bool, n_text: int
) -> set[tuple[int, int]]:
    """Find rows and columns of the best means; those that look the same are all the best."""
    lengths = [len(scores.queries) * per_query + 1 for scores in runs]
    ends = [total - 1 for total in accumulate(lengths)]
    best_cells: set[tuple[int, int]] = set()
    for column, measure in enumerate(runs[0].measures, n_text):
        means = [(scores[measure], end) for scores, end in zip(runs, ends, strict=True)]
        means = [(mean, end) for mean, end in means if not math.isnan(mean)]
        if measure.higher_is_better and len({rows[end][column] for end in ends}) > 1 and means:
            best = rows[max(means)[1]][column]
            best_cells |= {(end, column) for end in ends if rows[end][column] == best}
    return best_cells


def list_score_footnotes(runs: Sequence[Scores], *, with_judged: bool = True) -> list[str]:
    """Return the rules, the judged share unless the table has it, and every notice once."""
    notices = format_notice_lines(notice for scores in runs for notice in scores.notices)
    return [format_rules(runs), *(_format_judged(runs) if with_judged else []), *notices]


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
    counts = [len(scores.queries) for scores in runs]
    if len(set(counts)) == 1:
        return format_count(counts[0], "query", "queries")
    count_of_runs = ", ".join(f"{s.run} {n:,}" for s, n in zip(runs, counts, strict=True))
    return f"queries: {count_of_runs}"


def _make_score_cells(
    runs: Sequence[Scores],
    per_query: bool,
    text: Callable[[Measure, float], str],
    *,
    with_run: bool = False,
    with_judged: bool = False,
) -> tuple[list[str], list[list[str]]]:
    """Make header and rows: per measure for one run, else per run, or per query."""
    measures = runs[0].measures
    judged = _find_judged_measures(runs[0]) if with_judged else {}
    names = [*map(str, measures), *judged]
    single = len(runs) == 1 and not with_run
    means = [
        [*map(text, measures, scores.mean().values())]
        + [f"{scores.judged_share(measure):.4f}" for measure in judged.values()]
        for scores in runs
    ]
    if not per_query:
        if single:
            return [], [list(pair) for pair in zip(names, means[0], strict=True)]
        return ["run", *names], [[s.run, *row] for s, row in zip(runs, means, strict=True)]
    rows = []
    for scores, mean in zip(runs, means, strict=True):
        run = [] if single else [scores.run]
        shares = [np.nan_to_num(scores.judged[measure]).tolist() for measure in judged.values()]
        queries_and_values = zip(scores.queries, scores.rounded_values.tolist(), strict=True)
        for i, (query, values) in enumerate(queries_and_values):
            judged_shares = [f"{share[i]:.4f}" for share in shares]
            rows.append([*run, query, *map(text, measures, values), *judged_shares])
        rows.append([*run, "all", *mean])
    return [*([] if single else ["run"]), "query", *names], rows


SlicesOfRuns = Sequence["Slices[Scores]"]


def list_slice_footnotes(runs: SlicesOfRuns) -> list[str]:
    """Return the rules, and every notice once."""
    notes = format_notice_lines(notice for slices in runs for notice in slices.notices)
    return [format_rules([slices.whole for slices in runs]), *notes]


def _write_slice_table(runs: SlicesOfRuns) -> str:
    header, rows = _make_slice_cells(runs, format_value)
    return tables.to_text(header, rows, left=range(_count_name_columns(header)))


def _write_slice_tsv(runs: SlicesOfRuns) -> str:
    header, rows = _make_slice_cells(runs, format_exact_field)
    return tables.to_tsv([header, *rows])


def _write_slice_csv(runs: SlicesOfRuns) -> str:
    return tables.to_csv(*_make_slice_cells(runs, format_exact_value, with_run=True))


def _write_slice_tidy(runs: SlicesOfRuns) -> str:
    """Write a line for every run, slice and measure."""
    header, rows = _make_slice_cells(runs, format_exact_value, with_run=True)
    n_named = _count_name_columns(header) + 1
    lines = [
        [*row[:n_named], measure, value]
        for row in rows
        for measure, value in zip(header[n_named:], row[n_named:], strict=True)
    ]
    return tables.to_csv(["system", *header[1:n_named], "measure", "value"], lines)


def _write_slice_latex(runs: SlicesOfRuns) -> str:

    header, rows = _make_slice_cells(runs, format_value)
    return tables.format_latex_table(
        header, rows, n_text=_count_name_columns(header), notes=list_slice_footnotes(runs)
    )


def _write_slice_markdown(runs: SlicesOfRuns) -> str:
    text = tables.to_markdown(*_make_slice_cells(runs, format_value))
    return text + "".join(f"\n{line}\n" for line in list_slice_footnotes(runs))


def _write_slice_json(slices_of_runs: SlicesOfRuns) -> str:
    runs: list[dict[str, Any]] = [slices.to_dict() for slices in slices_of_runs]
    return to_json({"runs": runs}) + "\n"


# By the names of the outputs of `gainful eval`.
SLICE_WRITERS: dict[str, Callable[[SlicesOfRuns], str]] = {
    "table": _write_slice_table,
    "tsv": _write_slice_tsv,
    "csv": _write_slice_csv,
    "tidy": _write_slice_tidy,
    "markdown": _write_slice_markdown,
    "latex": _write_slice_latex,
    "json": _write_slice_json,
}


def _count_name_columns(header: list[str]) -> int:
    """Return how many columns come before the number of queries."""
    return len(header) - 1 - header[::-1].index("queries")


def _make_slice_cells(
    runs: SlicesOfRuns, text: "Cell", *, with_run: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Make header and rows: one per slice, then all queries, run by run."""
    header: list[str] = []
    rows: list[list[str]] = []
    for slices in runs:
        names, rows_of_run = slices.table(text)
        run = [slices.whole.run] if with_run or len(runs) > 1 else []
        header = [*(["run"] if run else []), *names]
        rows += [[*run, *row] for row in rows_of_run]
    return header, rows
