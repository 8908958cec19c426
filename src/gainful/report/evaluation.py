"""The Scores of one run or several, as text."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np

from gainful import shapes, tables
from gainful.digits import every_digit, every_field, four_decimals
from gainful.measures import Measure
from gainful.notices import lines
from gainful.plain import to_json
from gainful.report.outputs import Outputs
from gainful.results import Scores
from gainful.wording import count

OUTPUTS = Outputs()
_MOST_RUNS = 5  # whose shares of judged items are all said


@OUTPUTS.declare("table")
def table(several: Sequence[Scores], per_query: bool) -> str:
    """Aligned columns for people."""
    header, rows = _cells(several, per_query, four_decimals, with_judged=True)
    left = (0, 1) if "query" in header[:2] and "run" in header[:2] else (0,)
    return tables.to_text(header, rows, left=left)


@OUTPUTS.declare("tsv")
def tsv(several: Sequence[Scores], per_query: bool) -> str:
    """Tab-separated values at full precision, for pipes."""
    header, rows = _cells(several, per_query, every_field)
    return tables.to_tsv([header, *rows] if header else rows)


@OUTPUTS.declare("csv")
def csv(several: Sequence[Scores], per_query: bool) -> str:
    """Comma-separated values at full precision; the same columns for one run and for many."""
    header, rows = _cells(several, per_query, every_digit, with_run=True)
    return tables.to_csv(header, rows)


@OUTPUTS.declare("tidy")
def tidy(several: Sequence[Scores], per_query: bool) -> str:
    """Comma-separated, a line for every run, query and measure; the query of a mean is `all`."""
    rows = [row for scores in several for row in _tidy_rows(scores, per_query)]
    return tables.to_csv(shapes.TIDY, rows)


@OUTPUTS.declare("markdown", complete=True)
def markdown(several: Sequence[Scores], per_query: bool) -> str:
    """A Markdown table with rules and notices below it."""
    header, rows = _cells(several, per_query, four_decimals, with_judged=True)
    text = tables.to_markdown(header or ["measure", several[0].run], rows)
    return text + "".join(f"\n{line}\n" for line in footnotes(several, with_judged=False))


@OUTPUTS.declare("latex", complete=True)
def latex(several: Sequence[Scores], per_query: bool) -> str:
    """A LaTeX table for the package booktabs; of several runs, the best value is bold."""
    from gainful import latex

    header, rows = _cells(several, per_query, four_decimals)
    n_text = 2 if header[:2] == ["run", "query"] else 1
    bold = _best(several, rows, per_query, n_text) if len(several) > 1 else ()
    header = header or ["measure", several[0].run]
    return latex.table(header, rows, n_text=n_text, bold=bold, notes=footnotes(several))


@OUTPUTS.declare("json", complete=True)
def as_json(several: Sequence[Scores], per_query: bool) -> str:
    """Everything there is, one object per run, at full precision."""
    runs = [scores.to_dict() for scores in several]
    if not per_query:
        runs = [{k: v for k, v in run.items() if k not in ("per_query", "weights")} for run in runs]
    return to_json({"runs": runs}) + "\n"


def _tidy_rows(scores: Scores, per_query: bool) -> list[list[str]]:
    queries, values = (scores.queries, scores.shown) if per_query else ((), scores.shown[:0])
    means = {measure: scores[measure] for measure in scores.measures}
    held = (scores.run, queries, scores.measures, values, every_digit)
    return shapes.tidy_cells(*held, last=("all", means))[1]


def _best(
    several: Sequence[Scores], rows: list[list[str]], per_query: bool, n_text: int
) -> set[tuple[int, int]]:
    """Rows and columns of the best means; those that look the same are all the best."""
    lengths = [len(scores.queries) * per_query + 1 for scores in several]
    ends = [total - 1 for total in accumulate(lengths)]
    found: set[tuple[int, int]] = set()
    for column, measure in enumerate(several[0].measures, n_text):
        means = [(scores[measure], end) for scores, end in zip(several, ends, strict=True)]
        means = [(mean, end) for mean, end in means if not math.isnan(mean)]
        if measure.higher_is_better and len({rows[end][column] for end in ends}) > 1 and means:
            best = rows[max(means)[1]][column]
            found |= {(end, column) for end in ends if rows[end][column] == best}
    return found


def footnotes(several: Sequence[Scores], *, with_judged: bool = True) -> list[str]:
    """The rules, how much is judged if the table does not say it, and every notice once."""
    said = lines(notice for scores in several for notice in scores.notices)
    return [rules_line(several), *(_judged_line(several) if with_judged else []), *said]


def rules_line(several: Sequence[Scores]) -> str:
    """The rules, whose they are if a dialect's, and how many queries they were applied to."""
    dialect = several[0].dialect
    whose = "" if dialect is None else f"dialect: {dialect.title}; "
    return f"{whose}rules: {several[0].rules} ({_query_counts(several)})"


def _judged_of(scores: Scores) -> dict[str, Measure]:
    """Judged@k by its name, unless it was asked for, and a measure that looks as deep."""
    own = (lambda measure: measure) if scores.dialect is None else scores.dialect.settled
    cutoffs = {measure: dict(own(measure).settings).get("cutoff") for measure in scores.judged}
    of_cutoff = {cutoff: measure for measure, cutoff in reversed(cutoffs.items())}
    names = {"Judged" if k is None else f"Judged@{k}": of_cutoff[k] for k in cutoffs.values()}
    asked_for = {str(measure) for measure in scores.measures}
    return {name: measure for name, measure in names.items() if name not in asked_for}


def _judged_line(several: Sequence[Scores]) -> list[str]:
    parts = [f"{name} {_shares(several, m)}" for name, m in _judged_of(several[0]).items()]
    return [f"judged: {'; '.join(parts)}"] if parts else []


def _shares(several: Sequence[Scores], measure: Measure) -> str:
    shares = [(scores.judged_share(measure), scores.run) for scores in several]
    if len(shares) == 1:
        return f"{shares[0][0]:.4f}"
    if len(shares) > _MOST_RUNS:
        shares = [min(shares), max(shares)]
        return " to ".join(f"{share:.4f} ({run})" for share, run in shares)
    return ", ".join(f"{share:.4f} ({run})" for share, run in shares)


def _query_counts(several: Sequence[Scores]) -> str:
    counts = [len(scores.queries) for scores in several]
    if len(set(counts)) == 1:
        return count(counts[0], "query", "queries")
    each = ", ".join(f"{s.run} {n:,}" for s, n in zip(several, counts, strict=True))
    return f"queries: {each}"


def _cells(
    several: Sequence[Scores],
    per_query: bool,
    text: Callable[[Measure, float], str],
    *,
    with_run: bool = False,
    with_judged: bool = False,
) -> tuple[list[str], list[list[str]]]:
    """Header and rows: one per measure for one run, else one per run, or one per query."""
    measures = several[0].measures
    judged = _judged_of(several[0]) if with_judged else {}
    names = [*map(str, measures), *judged]
    single = len(several) == 1 and not with_run
    means = [
        [*map(text, measures, scores.mean().values())]
        + [f"{scores.judged_share(measure):.4f}" for measure in judged.values()]
        for scores in several
    ]
    if not per_query:
        if single:
            return [], [list(pair) for pair in zip(names, means[0], strict=True)]
        return ["run", *names], [[s.run, *row] for s, row in zip(several, means, strict=True)]
    rows = []
    for scores, mean in zip(several, means, strict=True):
        run = [] if single else [scores.run]
        shares = [np.nan_to_num(scores.judged[measure]).tolist() for measure in judged.values()]
        every = zip(scores.queries, scores.shown.tolist(), strict=True)
        for i, (query, values) in enumerate(every):
            looked_at = [f"{share[i]:.4f}" for share in shares]
            rows.append([*run, query, *map(text, measures, values), *looked_at])
        rows.append([*run, "all", *mean])
    return [*([] if single else ["run"]), "query", *names], rows
