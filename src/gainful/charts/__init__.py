"""Charts of plain values, made with Altair: functions from rows to charts."""

from gainful.charts.by_cutoff import curves
from gainful.charts.by_slice import slices
from gainful.charts.distribution import ecdf, histogram
from gainful.charts.growth import gains
from gainful.charts.intervals import forest, possible
from gainful.charts.judged import coverage, coverage_shares
from gainful.charts.one_query import contributions
from gainful.charts.per_query import differences, scatter

__all__ = [
    "contributions",
    "coverage",
    "coverage_shares",
    "curves",
    "differences",
    "ecdf",
    "forest",
    "gains",
    "histogram",
    "possible",
    "scatter",
    "slices",
]
