"""Altair charts of a Comparison."""

from typing import TYPE_CHECKING, Any

from gainful.base import check_choice, format_examples, import_package
from gainful.errors import ComparisonError, OutputError
from gainful.report.tables import make_printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from altair.typing import ChartType

    from gainful.measures import Measure
    from gainful.stats import Comparison, Pair


def plot_comparison(
    comparison: "Comparison",
    system: str | None,
    baseline: str | None,
    measure: "str | Measure | None",
    of: str,
) -> "ChartType":
    """Plot the differences of every query for one pair, or of all pairs."""
    check_choice("plot: of", of, ("queries", "pairs"), OutputError)
    import_package("altair", "Comparison.plot", install="'gainful[report]'")
    if of == "pairs":
        return _plot_pairs(comparison, measure)
    if system is None:
        system, baseline, measure = _find_only_pair(comparison, measure)
    return _plot_queries(comparison, comparison.pair(system, baseline, measure))


def _plot_pairs(comparison: "Comparison", measure: "str | Measure | None") -> "ChartType":
    from gainful.report import charts

    pairs = comparison.pairs_of(measure)
    chart = charts.draw_forest(make_forest_rows(pairs), measure=str(pairs[0].measure))
    return charts.make_altair_chart(chart)


def make_forest_rows(pairs: "Iterable[Pair]") -> list[dict[str, Any]]:
    """Make the rows of ``charts.draw_forest``, one for each pair."""
    return [
        {
            "pair": make_printable(f"{pair.system} - {pair.baseline}"),
            "difference": pair.difference,
            **pair.t_interval._asdict(),
            "verdict": pair.verdict,
        }
        for pair in pairs
    ]


def _plot_queries(comparison: "Comparison", pair: "Pair") -> "ChartType":
    from gainful.report import charts

    ours, theirs = (comparison.runs.index(name) for name in (pair.system, pair.baseline))
    values = comparison.values_of(pair.measure)
    # The renderer aborts on characters that cannot be printed.
    queries = list(map(make_printable, comparison.queries))
    rows = charts.make_difference_rows(queries, values[theirs], values[ours])
    a, b = make_printable(pair.baseline), make_printable(pair.system)
    chart = charts.draw_differences(rows, measure=str(pair.measure), a=a, b=b, tie=comparison.tie)
    return charts.make_altair_chart(chart)


def _find_only_pair(
    comparison: "Comparison", measure: "str | Measure | None"
) -> "tuple[str, str, Measure]":
    pairs = comparison.pairs_of(measure)
    if len(pairs) > 1:
        choices = format_examples([f"{pair.system} - {pair.baseline}" for pair in pairs])
        message = (
            f"plot: must name one of {choices}, got no system. Pass of='pairs' to plot them all."
        )
        raise ComparisonError(message, code="not-in-result")
    return pairs[0].system, pairs[0].baseline, pairs[0].measure
