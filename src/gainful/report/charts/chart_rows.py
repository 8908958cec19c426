"""Rows of charts, made of plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gainful.base import FloatArray
from gainful.report.charts.style import round_span

Values = Sequence[float] | FloatArray
_BARS = 20


def make_histogram_rows(
    values: Mapping[str, Values],
    *,
    ends: tuple[float, float] | None = None,
    n_bars: int = _BARS,
) -> list[dict[str, Any]]:
    """Return the rows of ``draw_histogram``: the values of every run, counted in shared bars.

    NaN is left out. The upper end of a bar belongs to the next bar, except for the last one.

    Args:
        values: The values of every run.
        ends: Where the bars begin and end. If not given: 0 and 1, or round numbers around values
            that are not all between these.
        n_bars: How many bars there are.

    >>> [row for row in make_histogram_rows({"bm25": [0.0, 0.5, 0.52, 1.0]}) if row["low"] == 0.5]
    [{'run': 'bm25', 'low': 0.5, 'high': 0.55, 'count': 2, 'share': 0.5}]
    """
    finite = {run: _drop_nan(of_run) for run, of_run in values.items()}
    low, high = ends or _find_ends(finite)
    edges = [*(low + (high - low) * i / n_bars for i in range(n_bars)), high]
    return [
        {"run": run, "low": low, "high": high, "count": n, "share": n / len(v) if len(v) else 0.0}
        for run, v in finite.items()
        for low, high, n in zip(edges, edges[1:], _count_values(v, edges), strict=False)
    ]


def _find_ends(finite: Mapping[str, Any]) -> tuple[float, float]:
    outermost = [float(end) for v in finite.values() if len(v) for end in (v.min(), v.max())]
    bounded = all(0 <= end <= 1 for end in outermost)
    return (0.0, 1.0) if bounded else round_span(outermost)


def _drop_nan(values: Values) -> FloatArray:
    numbers: FloatArray = np.asarray(values, dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def _count_values(values: FloatArray, edges: list[float]) -> list[int]:
    counts: list[int] = np.histogram(values, bins=edges)[0].tolist()
    return counts


def make_ecdf_rows(values: Mapping[str, Values]) -> list[dict[str, Any]]:
    """Return the rows of ``draw_ecdf``: every value of a run and the share of values up to it.

    Each value of a run occurs once. Every run begins at the lowest value of all runs and ends at
    the highest; NaN is left out.

    >>> [row["share"] for row in make_ecdf_rows({"bm25": [0.0, 0.5, 0.5, 1.0]})]
    [0.25, 0.75, 1.0]
    """
    finite = {run: np.sort(_drop_nan(of_run)) for run, of_run in values.items()}
    ends = [float(end) for v in finite.values() if len(v) for end in (v[0], v[-1])]
    rows = []
    for run, v in finite.items():
        steps = np.unique(np.concatenate([v, [min(ends), max(ends)]])) if len(v) else v
        shares = np.searchsorted(v, steps, side="right") / max(len(v), 1)
        pairs = zip(steps.tolist(), shares.tolist(), strict=True)
        rows += [{"run": run, "value": value, "share": share} for value, share in pairs]
    return rows


def make_difference_rows(
    queries: Sequence[str],
    a: Values,
    b: Values,
    texts: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Return the rows of ``draw_differences`` and ``draw_scatter``: b minus a, largest loss first.

    Queries with the same difference keep their order. Queries that lack a value are left out.

    >>> [(row["query"], row["place"]) for row in make_difference_rows(["q1", "q2"], [0, 1], [1, 0])]
    [('q2', 1), ('q1', 2)]
    """
    theirs, ours = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    differences = ours - theirs
    order = [
        i for i in np.argsort(differences, kind="stable").tolist() if np.isfinite(differences[i])
    ]
    return [
        {
            "query": queries[i],
            "text": (texts or {}).get(queries[i]),
            "a": float(theirs[i]),
            "b": float(ours[i]),
            "difference": float(differences[i]),
            "place": place,
        }
        for place, i in enumerate(order, 1)
    ]
