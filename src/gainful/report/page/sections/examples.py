"""The queries that changed most, worked out: what every rank adds."""

from typing import Any

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
    values = {"groups": groups, "measure": str(experiment.details.terms.measure)}
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
    values = [float(details.values[experiment.runs.index(run), place]) for run in runs]
    detail = details.of.get(query)
    shown = [
        _ranking(experiment, detail, run, value, f"example-{place}-{i}")
        for i, (run, value) in enumerate(zip(runs, values, strict=True))
        if detail is not None
    ]
    return {
        "query": query,
        "text": experiment.texts.get(query, ""),
        "values": list(zip(runs, map(decimals, values), strict=True)),
        "difference": signed(values[1] - values[0]) if len(values) == 2 else None,
        "tables": shown,
        "missed": [] if detail is None else _missed(experiment, detail, runs, place),
    }


def _ranking(experiment: Experiment, detail: Detail, run: str, value: float, name: str) -> Table:
    """What every rank adds, down to the cutoff."""
    terms, number = experiment.details.terms, experiment.runs.index(run)
    depth = min(terms.cutoff or _RANKS, len(terms.divisors))
    head = detail.rankings[number][:depth]
    titles = experiment.details.titles
    weights = detail.weights[number] if detail.weights is not None else None
    rows: list[list[str | Cell]] = []
    running = 0.0
    for rank, item in enumerate(head, 1):
        label = detail.labels[item]
        gain = _gain(terms, label)
        weight = 1 / terms.divisors[rank - 1] if weights is None else weights[rank - 1]
        product = gain / terms.divisors[rank - 1] if weights is None else gain * weight
        running += product
        title = [titles.get(detail.items[item], "")] if titles else []
        rows.append(
            [
                str(rank),
                detail.items[item],
                *title,
                Cell("-" if label is None else text_of(label), _label_mark(label)),
                text_of(gain) if gain.is_integer() else decimals(gain),
                decimals(weight),
                decimals(product),
                decimals(running),
            ]
        )
    columns = [Column("rank"), Column("item", ID), *([Column("title", TEXT)] if titles else [])]
    columns += map(Column, ("label", "gain", "discount", "gain x discount", "running"))
    best = f", of at most {decimals(detail.best[number])}" if terms.normalised else ""
    below = "" if terms.complete else " with what is not shown"
    note = f"Sum {decimals(detail.totals[number])}{below}{best}: {terms.measure} {decimals(value)}."
    return table(name, run, columns, rows, note)


def _gain(terms: Terms, label: float | None) -> float:
    return 0.0 if label is None else terms.gains.get(label, 0.0)


def _label_mark(label: float | None) -> str:
    if label is None:
        return "unjudged"
    return "relevant" if label > 0 else ""


def _missed(
    experiment: Experiment, detail: Detail, runs: tuple[str, ...], place: int
) -> list[Table]:
    """The items of the best ranking, and where every run has them."""
    terms, titles = experiment.details.terms, experiment.details.titles
    depth = min(terms.cutoff or _RANKS, len(terms.divisors))
    ranks = [
        {item: rank for rank, item in enumerate(detail.rankings[experiment.runs.index(run)], 1)}
        for run in runs
    ]
    rows, best = [], detail.best[experiment.runs.index(runs[0])]
    for rank, item in enumerate(detail.ideal[:depth], 1):
        product = _gain(terms, detail.labels[item]) / terms.divisors[rank - 1]
        found = [str(of[item]) if item in of else "not there" for of in ranks]
        share = percent(product / best) if best else "-"
        title = [titles.get(detail.items[item], "")] if titles else []
        label = text_of(detail.labels[item])
        rows.append([str(rank), detail.items[item], *title, label, share, *found])
    if not rows:
        return []
    columns = [Column("rank"), Column("item", ID), *([Column("title", TEXT)] if titles else [])]
    columns += [Column("label"), Column("worth"), *(Column(f"rank in {run}") for run in runs)]
    return [table(f"example-{place}-ideal", "The best ranking", columns, rows)]
