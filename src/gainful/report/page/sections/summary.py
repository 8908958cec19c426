"""The summary: what every run scores by every measure, beside the baseline."""

import math

from gainful.comparison.digits import (
    decimals,
    effect,
    ends,
    p_value,
    percent,
    signed,
    signed_percent,
)
from gainful.comparison.result import Comparison, Pair, System
from gainful.comparison.sections import Section as Titles
from gainful.comparison.sections import deciding, interval_title, legend
from gainful.experiment.result import Experiment
from gainful.measures import Measure
from gainful.report.page.parts import ID, Cell, Column, Group, Section, Table, group
from gainful.report.page.runs import systems_of
from gainful.report.page.words import named
from gainful.wording import count

_JUDGED = "how much of what is ranked, down to the cutoff, has a judgment; queries without results "
_JUDGED += "are left out, while gainful eval counts them as 0"
_MARKS = {"better": "better", "worse": "worse"}


def section(experiment: Experiment) -> Section:
    """Systems x measures."""
    shown = summary(experiment)
    return Section("summary", "Summary", {"table": shown, "legend": _legend(experiment, shown)})


def summary(experiment: Experiment) -> Table:
    """A group of rows for every measure, a row for every run."""
    comparison = experiment.comparison
    columns = [Column("run", ID), Column("mean")]
    columns.append(Column(interval_title(comparison) if comparison else "95% interval"))
    if comparison:
        titles = ("difference", "relative", "d_z", deciding(comparison), "won/tied/lost")
        columns += [Column(title) for title in titles]
    columns.append(Column("judged"))
    groups = tuple(_group(experiment, measure) for measure in experiment.measures)
    n_queries = count(len(experiment.queries), "query", "queries")
    beside = f"; differences are from {named(experiment.baseline)}" if comparison else ""
    return Table("summary-table", f"Means over {n_queries}{beside}", tuple(columns), groups)


def _legend(experiment: Experiment, shown: Table) -> list[list[str]]:
    """What the titles mean, and what of the shares: they are not those of every command."""
    titles = Titles("", [column.title for column in shown.columns], [], 1)
    said = legend(experiment.comparison, [titles]) if experiment.comparison else []
    return [*(one for one in said if one[0] != "judged"), ["judged", _JUDGED]]


def _group(experiment: Experiment, measure: Measure) -> Group:
    own = systems_of(experiment, measure)
    means = [system.mean for system in own if not math.isnan(system.mean)]
    best = (max if measure.higher_is_better else min)(means, default=math.nan)
    title = str(measure) if len(experiment.measures) > 1 else ""
    return group(title, [_row(experiment, system, best) for system in own])


def _row(experiment: Experiment, system: System, best: float) -> list[str | Cell]:
    is_best = system.mean == best and len(experiment.runs) > 1
    comparison = experiment.comparison
    is_base = comparison is not None and system.name == comparison.baseline
    row: list[str | Cell] = [
        Cell(system.name, "baseline" if is_base else ""),
        Cell(decimals(system.mean), "best" if is_best else ""),
        ends(system.interval),
    ]
    if comparison is not None:
        row += _beside(experiment, comparison, system)
    return [*row, percent(system.judged)]


def _beside(experiment: Experiment, comparison: Comparison, system: System) -> list[str | Cell]:
    if system.name == experiment.baseline:
        return ["-"] * 5
    pair = comparison.pair(system.name, experiment.baseline, system.measure)
    return _pair_cells(pair, comparison.alpha)


def _pair_cells(pair: Pair, alpha: float) -> list[str | Cell]:
    mark = _MARKS.get(pair.verdict, "")
    return [
        Cell(signed(pair.difference), mark),
        signed_percent(pair.relative),
        effect(pair.effect),
        Cell(p_value(pair.p_adjusted, alpha), "decides" if mark else ""),
        f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
    ]
