"""What scripts know of the page, beside the bulk of values."""

from typing import Any

from gainful.charts.growth import gains, ideal_beside
from gainful.experiment.result import Experiment
from gainful.plain import plain
from gainful.report.page.bulk import gains_table
from gainful.report.page.copied import copies
from gainful.report.page.drawn import drawn
from gainful.report.page.runs import compared
from gainful.report.page.sections.differences import N_DRAWN
from gainful.report.page.sections.holes import held as held_holes
from gainful.report.shown import texts
from gainful.shapes import valid_text

_TIE = 1e-9


def page_data(experiment: Experiment, charts: dict[str, Any]) -> dict[str, Any]:
    """Names, numbers and charts, as plain values."""
    runs, comparison, candidate = experiment.runs, experiment.comparison, experiment.candidate
    held: dict[str, Any] = plain(
        {
            "measure": str(experiment.measures[0]),
            "measures": [str(measure) for measure in experiment.measures],
            "runs": list(runs),
            "baseline": runs.index(experiment.baseline),
            "candidate": None if candidate is None else runs.index(candidate),
            "tie": comparison.tie if comparison else _TIE,
            "explained": _explained(experiment),
        }
    )
    return {
        **texts(valid_text, held),
        "charts": {**charts, "gains": _growth(experiment)},
        "copies": texts(valid_text, copies(experiment)),
        "holes_csv": held_holes(experiment),
        "n_drawn": N_DRAWN,
    }


def _explained(experiment: Experiment) -> dict[str, Any]:
    terms = experiment.details.terms
    return {
        "measure": str(terms.measure),
        "cutoff": terms.cutoff,
        "normalised": terms.normalised,
        "capped": terms.capped,
        "divisors": list(terms.divisors),
        "gains": gains_table(terms),
    }


def _growth(experiment: Experiment) -> dict[str, Any]:
    """The chart of one query; a script puts the rows of the query that is opened in their place."""
    ideal = ideal_beside(experiment.runs)
    rows = [
        {"panel": panel, "series": series, "rank": rank, "value": 0.0}
        for series in [*compared(experiment), ideal]
        for panel in ("CG", "DCG")
        for rank in (1, 2)
    ]
    chart = gains(rows, ideal=ideal, cutoff=experiment.details.terms.cutoff)
    return drawn(chart, "gains").spec
