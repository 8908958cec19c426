"""How two runs differ, query by query: bars and points."""

from typing import Any

from gainful.charts import rows
from gainful.charts.per_query import differences, scatter
from gainful.comparison.digits import decimals, signed
from gainful.experiment.result import Experiment
from gainful.report.page.parts import ID, TEXT, Chart, Column, Section, Table, table
from gainful.report.page.runs import compared, values_of
from gainful.report.spacing import evenly_spaced

N_DRAWN = 300
_ENDS = 10
_NUMBERS = ("a", "b", "difference")


def difference_rows(experiment: Experiment) -> list[dict[str, Any]]:
    """Every query that both runs have a value for, the largest loss first; of many some.

    Of more than ``N_DRAWN`` queries evenly spaced ones are taken, both ends among them.
    """
    theirs, ours = (values_of(experiment, run) for run in compared(experiment))
    every = rows.difference_rows(experiment.queries, theirs, ours, experiment.texts)
    chosen = (every[place] for place in evenly_spaced(len(every), N_DRAWN))
    return [row | {name: round(row[name], 6) for name in _NUMBERS} for row in chosen]


def sections(experiment: Experiment) -> list[Section]:
    """Bars, then points; nothing for one run."""
    if experiment.candidate is None:
        return []
    drawn = difference_rows(experiment)
    measure, a, b = str(experiment.measures[0]), experiment.baseline, experiment.candidate
    n_queries = len(experiment.queries)
    some = "" if n_queries <= N_DRAWN else f" Shown are {len(drawn):,} of {n_queries:,} queries."
    bars = Chart(
        "differences",
        f"{measure} of {{b}} less that of {{a}}, query by query",
        differences(drawn, measure=measure, a=a, b=b),
        "Each bar is a query. Those with a plus do better by {b} than by {a}, those with a minus "
        f"worse; the longer the bar, the more. A click opens the query.{some}",
        _table(drawn, measure, a, b),
        sides={"a": a, "b": b},
    )
    points = Chart(
        "scatter",
        f"{measure} of {{b}} against that of {{a}}",
        scatter(drawn, measure=measure, a=a, b=b),
        "Each point is a query: above the diagonal {b} does better, below it {a}; far to the left "
        f"are queries that {{a}} fails on. A click opens the query.{some}",
        sides={"a": a, "b": b},
    )
    return [
        Section("differences", "Query by query", charts=(bars,)),
        Section("scatter", "One against the other", charts=(points,)),
    ]


def _table(drawn: list[dict[str, Any]], measure: str, a: str, b: str) -> Table:
    ends = drawn if len(drawn) <= 2 * _ENDS else [*drawn[:_ENDS], *drawn[-_ENDS:]]
    has_text = any(row["text"] for row in ends)
    cells = [
        [
            row["query"],
            *([row["text"] or ""] if has_text else []),
            *(decimals(row[name]) for name in ("a", "b")),
            signed(row["difference"]),
        ]
        for row in ends
    ]
    text = [Column("text", TEXT)] if has_text else []
    columns = [Column("query", ID), *text, Column(a), Column(b), Column("difference")]
    which = "all queries" if len(ends) == len(drawn) else f"the {_ENDS} worst and the {_ENDS} best"
    return table("differences-table", f"{measure}: {which}", columns, cells)
