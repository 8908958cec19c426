"""The summary as text, to be pasted elsewhere."""

from gainful import tables
from gainful.comparison import flat
from gainful.comparison.result import Comparison
from gainful.experiment.result import Experiment

_BESIDE = (
    *("baseline", "difference", "t_interval_low", "t_interval_high", "relative", "effect"),
    *("p_adjusted", "wins", "ties", "losses", "verdict"),
)


def copies(experiment: Experiment) -> dict[str, str]:
    """The summary in every language that it can be copied in."""
    comparison = experiment.comparison
    if comparison is None:
        one = experiment.scores[0]
        return {"markdown": one.to_markdown(), "latex": one.to_latex(), "csv": one.to_csv()}
    csv = _csv(comparison, experiment.baseline)
    return {"markdown": comparison.to_markdown(), "latex": comparison.to_latex(), "csv": csv}


def _csv(comparison: Comparison, baseline: str) -> str:
    """A row for every run and measure: its mean, and how it differs from the baseline."""
    header, systems = flat.cells(comparison, "systems", "report", empty="")
    names, pairs = flat.cells(comparison, "pairs", "report", empty="")
    each = [dict(zip(names, pair, strict=True)) for pair in pairs]
    found = {(one["measure"], one["system"]): one for one in each if one["baseline"] == baseline}
    places = header.index("measure"), header.index("system")
    rows = []
    for row in systems:
        measure, system = (row[place] for place in places)
        beside = found.get((measure, system), {})
        rows.append([*row, *(beside.get(name, "") for name in _BESIDE)])
    return tables.to_csv([*header, *_BESIDE], rows)
