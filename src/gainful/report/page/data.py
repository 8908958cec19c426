"""What scripts know of the page, beside the bulk of values."""

from typing import Any

from gainful.charts.one_query import gains
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
        "charts": {**charts, "gains": drawn(gains(_gains(experiment)), "gains").spec},
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


def _gains(experiment: Experiment) -> list[dict[str, Any]]:
    """Rows of the kind that a script puts in their place, for the query that is opened."""
    names = [f"{kind} {run}" for run in compared(experiment) for kind in ("CG", "DCG")]
    return [
        {"series": name, "rank": rank, "value": 0.0}
        for name in [*names, "ideal DCG"]
        for rank in (1, 2)
    ]
