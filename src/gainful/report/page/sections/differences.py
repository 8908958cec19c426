"""How two runs differ, query by query: bars and points."""

import math
from typing import Any

import numpy as np

from gainful.charts.per_query import differences, scatter
from gainful.comparison.digits import decimals, signed
from gainful.experiment.result import Experiment
from gainful.report.page.aligned import values_of
from gainful.report.page.parts import ID, TEXT, Chart, Column, Section, Table, table
from gainful.report.page.words import named

N_DRAWN = 300
_ENDS = 10


def difference_rows(experiment: Experiment) -> list[dict[str, Any]]:
    """Every query that both runs have a value for, the largest loss first; of many some.

    Of more than ``N_DRAWN`` queries evenly spaced ones are taken, both ends among them.
    """
    assert experiment.candidate is not None
    ours, theirs = (values_of(experiment, r) for r in (experiment.candidate, experiment.baseline))
    lost = ours - theirs
    order = np.argsort(lost, kind="stable")
    order = order[~np.isnan(lost[order])]
    return [
        {
            "query": (query := experiment.queries[order[place]]),
            "text": experiment.texts.get(query, ""),
            "a": round(float(theirs[order[place]]), 6),
            "b": round(float(ours[order[place]]), 6),
            "difference": round(float(lost[order[place]]), 6),
            "place": place + 1,
        }
        for place in places(len(order), N_DRAWN)
    ]


def places(n: int, most: int) -> list[int]:
    """Evenly spaced places, both ends among them.

    >>> places(3, 5), places(9, 3)
    ([0, 1, 2], [0, 4, 8])
    """
    if n <= most:
        return list(range(n))
    return [math.floor(i * (n - 1) / (most - 1) + 0.5) for i in range(most)]


def sections(experiment: Experiment) -> list[Section]:
    """Bars, then points; nothing for one run."""
    if experiment.candidate is None:
        return []
    rows = difference_rows(experiment)
    measure, a, b = str(experiment.measures[0]), experiment.baseline, experiment.candidate
    n_queries = len(experiment.queries)
    some = "" if n_queries <= N_DRAWN else f" Shown are {len(rows):,} of {n_queries:,} queries."
    bars = Chart(
        "differences",
        f"{measure} of {named(b)} less that of {named(a)}, query by query",
        differences(rows, measure=measure, a=a, b=b),
        f"Each bar is a query. Those with a plus do better by {named(b)} than by {named(a)}, those "
        f"with a minus worse; the longer the bar, the more. A click opens the query.{some}",
        _table(rows, measure, a, b),
    )
    points = Chart(
        "scatter",
        f"{measure} of {named(b)} against that of {named(a)}",
        scatter(rows, measure=measure, a=a, b=b),
        f"Each point is a query: above the diagonal {named(b)} does better, below it {named(a)}; "
        f"far to the left are queries that {named(a)} fails on. A click opens the query.{some}",
    )
    about = {"a": a, "b": b, "measure": measure}
    return [
        Section("differences", "Query by query", about, (bars,)),
        Section("scatter", "One against the other", about, (points,)),
    ]


def _table(rows: list[dict[str, Any]], measure: str, a: str, b: str) -> Table:
    ends = rows if len(rows) <= 2 * _ENDS else [*rows[:_ENDS], *rows[-_ENDS:]]
    has_text = any(row["text"] for row in ends)
    cells = [
        [
            row["query"],
            *([row["text"]] if has_text else []),
            *(decimals(row[name]) for name in ("a", "b")),
            signed(row["difference"]),
        ]
        for row in ends
    ]
    text = [Column("text", TEXT)] if has_text else []
    columns = [Column("query", ID), *text, Column(a), Column(b), Column("difference")]
    which = "all queries" if len(ends) == len(rows) else f"the {_ENDS} worst and the {_ENDS} best"
    return table("differences-table", f"{measure}: {which}", columns, cells)
