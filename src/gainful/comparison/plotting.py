"""Charts of a Comparison."""

from typing import TYPE_CHECKING, Any

from gainful.errors import ComparisonError
from gainful.packages import package
from gainful.shapes import one_of
from gainful.tables import printable
from gainful.wording import examples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from altair.typing import ChartType

    from gainful.comparison.result import Comparison, Pair
    from gainful.measures import Measure


def plot(
    comparison: "Comparison",
    system: str | None,
    baseline: str | None,
    measure: "str | Measure | None",
    of: str,
) -> "ChartType":
    """The differences of every query for one pair, or of all pairs."""
    one_of(("queries", "pairs"), of, "plot", argument="of")
    package("altair", "Comparison.plot", install="'gainful[report]'")
    if of == "pairs":
        return _of_pairs(comparison, measure)
    if system is None:
        system, baseline, measure = _only_pair(comparison, measure)
    return _of_queries(comparison, comparison.pair(system, baseline, measure))


def _of_pairs(comparison: "Comparison", measure: "str | Measure | None") -> "ChartType":
    from gainful import charts

    pairs = comparison.pairs_of(measure)
    return charts.forest(forest_rows(pairs), measure=str(pairs[0].measure))


def forest_rows(pairs: "Iterable[Pair]") -> list[dict[str, Any]]:
    """The rows of ``charts.forest``: a pair each."""
    return [
        {
            "pair": printable(f"{pair.system} - {pair.baseline}"),
            "difference": pair.difference,
            **pair.t_interval._asdict(),
            "verdict": pair.verdict,
        }
        for pair in pairs
    ]


def _of_queries(comparison: "Comparison", pair: "Pair") -> "ChartType":
    from gainful import charts
    from gainful.charts.rows import difference_rows

    ours, theirs = (comparison.runs.index(name) for name in (pair.system, pair.baseline))
    values = comparison.of(pair.measure)
    # What cannot be printed ends the process that draws it.
    queries = list(map(printable, comparison.queries))
    rows = difference_rows(queries, values[theirs], values[ours])
    a, b = printable(pair.baseline), printable(pair.system)
    return charts.differences(rows, measure=str(pair.measure), a=a, b=b, tie=comparison.tie)


def _only_pair(
    comparison: "Comparison", measure: "str | Measure | None"
) -> "tuple[str, str, Measure]":
    pairs = comparison.pairs_of(measure)
    if len(pairs) > 1:
        known = examples([f"{pair.system} - {pair.baseline}" for pair in pairs])
        message = (
            f"plot: must name one of {known}, got no system. Pass of='pairs' to plot them all."
        )
        raise ComparisonError(message, code="not-in-result")
    return pairs[0].system, pairs[0].baseline, pairs[0].measure
