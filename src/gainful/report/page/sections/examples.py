"""The queries that changed most, worked out: what every rank adds."""

from typing import Any, NamedTuple

import numpy as np

from gainful.comparison.digits import decimals, percent, signed
from gainful.experiment.result import Detail, Experiment, Terms
from gainful.report.page.parts import ID, TEXT, Cell, Column, Section, Table, table
from gainful.report.page.runs import compared, values_of
from gainful.settings import text_of

_EACH = 5
_RANKS = 10


def section(experiment: Experiment) -> Section:
    """The worst five and the best five; of one run those that score least and most."""
    lowest, highest = _ends(experiment)
    two = experiment.candidate is not None
    titles = ("Lost most", "Gained most") if two else ("Lowest", "Highest")
    groups = [
        (title, [_example(experiment, query) for query in queries])
        for title, queries in zip(titles, (lowest, highest), strict=True)
    ]
    values = {
        "groups": groups,
        "measure": str(experiment.measures[0]),
        "explained": str(experiment.details.terms.measure),
        "runs": compared(experiment),
        "of_several": len(experiment.runs) > 2,
    }
    return Section("examples", "Worked examples", values)


def _ends(experiment: Experiment) -> tuple[list[str], list[str]]:
    """Queries from both ends; none is in both, and none that did not change."""
    values = values_of(experiment, experiment.candidate or experiment.baseline)
    if experiment.candidate is not None:
        values = values - values_of(experiment, experiment.baseline)
    values = np.round(values, 12)
    order = np.argsort(values, kind="stable")
    order = order[~np.isnan(values[order])]
    low, high = order[:_EACH], order[_EACH:][::-1][:_EACH]
    if experiment.candidate is not None:
        low, high = order[values[order] < 0][:_EACH], order[values[order] > 0][::-1][:_EACH]
    names = experiment.queries
    return [names[i] for i in low.tolist()], [names[i] for i in high.tolist()]


def _example(experiment: Experiment, query: str) -> dict[str, Any]:
    details, place = experiment.details, experiment.queries.index(query)
    runs = compared(experiment)
    values = [float(values_of(experiment, run)[place]) for run in runs]
    explained = [float(details.values[experiment.runs.index(run), place]) for run in runs]
    detail = details.of.get(query)
    shown = [
        _ranking(experiment, detail, run, value, f"example-{place}-{i}")
        for i, (run, value) in enumerate(zip(runs, explained, strict=True))
        if detail is not None
    ]
    return {
        "query": query,
        "text": experiment.texts.get(query, ""),
        "values": _line(runs, values),
        "explained": _line(runs, explained),
        "tables": shown,
        "missed": [] if detail is None else _missed(experiment, detail, runs, place),
    }


class _Line(NamedTuple):
    """What runs score on a query by one measure, and the difference, if there are two."""

    values: list[tuple[str, str]]
    difference: str | None


def _line(runs: tuple[str, ...], values: list[float]) -> _Line:
    difference = signed(values[1] - values[0]) if len(values) == 2 else None
    return _Line(list(zip(runs, map(decimals, values), strict=True)), difference)


def _ranking(experiment: Experiment, detail: Detail, run: str, value: float, name: str) -> Table:
    """What every rank adds, down to the cutoff."""
    terms, number = experiment.details.terms, experiment.runs.index(run)
    rows: list[list[str | Cell]] = []
    running = 0.0
    for rank, item in enumerate(detail.rankings[number][: _depth(terms)], 1):
        added = _added(terms, detail, number, rank)
        running += added.product
        label = _label(detail.labels[item])
        rows.append([*_place(experiment, rank, detail.items[item]), label, *added.texts(running)])
    columns = _columns(experiment, "label", "gain", "discount", "gain x discount", "running")
    best = f", of at most {decimals(detail.best[number])}" if terms.normalised else ""
    below = "" if terms.complete else " with what is not shown"
    note = f"Sum {decimals(detail.totals[number])}{below}{best}: {terms.measure} {decimals(value)}."
    return table(name, run, columns, rows, note)


class _Added(NamedTuple):
    """What one rank adds, and what of."""

    gain: float
    weight: float
    product: float

    def texts(self, running: float) -> list[str]:
        """The same as text, and what is added so far."""
        gain = text_of(self.gain) if self.gain.is_integer() else decimals(self.gain)
        return [gain, *map(decimals, (self.weight, self.product, running))]


def _added(terms: Terms, detail: Detail, run: int, rank: int) -> _Added:
    gain = _gain(terms, detail.labels[detail.rankings[run][rank - 1]])
    if detail.weights is not None:
        weight = detail.weights[run][rank - 1]
        return _Added(gain, weight, gain * weight)
    divisor = terms.divisors[rank - 1]
    return _Added(gain, 1 / divisor, gain / divisor)


def _gain(terms: Terms, label: float | None) -> float:
    return 0.0 if label is None else terms.gains.get(label, 0.0)


def _label(label: float | None) -> Cell:
    if label is None:
        return Cell("-", "unjudged")
    return Cell(text_of(label), "relevant" if label > 0 else "")


def _depth(terms: Terms) -> int:
    return min(terms.cutoff or _RANKS, len(terms.divisors))


def _place(experiment: Experiment, rank: int, item: str) -> list[str]:
    titles = experiment.details.titles
    return [str(rank), item, *([titles.get(item, "")] if titles else [])]


def _columns(experiment: Experiment, *numbers: str) -> list[Column]:
    """Those of a place, and of numbers behind it."""
    title = [Column("title", TEXT)] if experiment.details.titles else []
    return [Column("rank"), Column("item", ID), *title, *map(Column, numbers)]


def _missed(
    experiment: Experiment, detail: Detail, runs: tuple[str, ...], place: int
) -> list[Table]:
    """The items of the best ranking, and where every run has them."""
    terms, numbers = experiment.details.terms, [experiment.runs.index(run) for run in runs]
    ranks = [{item: rank for rank, item in enumerate(detail.rankings[n], 1)} for n in numbers]
    rows, best = [], detail.best[numbers[0]]
    # A best ranking that goes on below the cutoff is shown as far as a ranking without one.
    last = min(terms.ideal_cutoff or max(terms.cutoff or 0, _RANKS), len(terms.divisors))
    for rank, item in enumerate(detail.ideal[:last], 1):
        product = _gain(terms, detail.labels[item]) / terms.divisors[rank - 1]
        found = [str(of[item]) if item in of else "not there" for of in ranks]
        share = percent(product / best) if best else "-"
        label = text_of(detail.labels[item])
        rows.append([*_place(experiment, rank, detail.items[item]), label, share, *found])
    if not rows:
        return []
    columns = _columns(experiment, "label", "worth", *(f"rank in {run}" for run in runs))
    return [table(f"example-{place}-ideal", "The best ranking", columns, rows)]
