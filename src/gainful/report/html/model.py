"""Experiment: the content of a report, as values."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np

from gainful._version import __version__
from gainful.base import FloatArray, InputFile, Interval, open_file
from gainful.diagnostics import Findings, Notice
from gainful.evaluation import Collection, Reconciliation, Scores
from gainful.gate import Gate
from gainful.measures import Measure
from gainful.sources import Judgments, is_path
from gainful.stats import Comparison, System
from gainful.unjudged import ItemsToJudge


class CurvePoint(NamedTuple):
    """The mean of a run at one cutoff, and where it lies by Student's t."""

    cutoff: int
    mean: float
    interval: Interval


@dataclass(frozen=True)
class Curve:
    """A measure of one run at every cutoff.

    Attributes:
        run: The name of the run.
        measure: The measure, without its cutoff, as text.
        points: Its mean at each cutoff, ascending.
    """

    run: str
    measure: str
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True)
class Terms:
    """The gains and divisors that reproduce the sums of the explained measure.

    The sum of a ranking adds ``gains[label] / divisors[rank - 1]`` in rank order, down to the
    cutoff or the last item. A normalized value is this sum divided by ``Detail.best``, and at most
    1 if it is capped; where the best is 0, the rules determine it, see ``Details.values``.

    Attributes:
        measure: The explained measure, one of cumulative gain: the first requested measure that has
            such terms, else nDCG.
        cutoff: The last rank that counts; None if all do.
        normalized: Whether the sum is divided by that of the best ranking.
        capped: Whether the quotient is at most 1.
        ideal: The source of the best ranking: "judged" items, the items that the run returned
            ("list"), or a gain of 1 at every rank ("ones").
        ideal_cutoff: The last rank of the best ranking that counts; None if all do.
        divisors: The divisor of the gain at each rank, from rank 1 down to the stored depth.
        gains: The gain of every stored label.
        complete: Whether everything that counts is stored, so that every sum can be added up again
            exactly. It is False where ties are averaged, and where a ranking that counts goes on
            below the stored depth: see ``Detail.totals``.
    """

    measure: Measure
    cutoff: int | None
    normalized: bool
    capped: bool
    ideal: str
    ideal_cutoff: int | None
    divisors: tuple[float, ...]
    gains: Mapping[float, float]
    complete: bool


@dataclass(frozen=True)
class Detail:
    """One query: the items that every run returned, and the best possible ranking.

    Attributes:
        items: The id of every stored item, each once; the other fields refer to them by number.
        labels: The label of each item, None if it is not judged.
        rankings: The items of every run in rank order, down to the stored depth.
        n_retrieved: How many items every run returned.
        totals: The sum of every run: the DCG, for nDCG.
        weights: The weight of each place of a run where ties are averaged, which replaces 1 over
            its divisor: also below the cutoff, if the tie begins above it. None without ties.
        ideal: The items of the best ranking with a gain, down to the stored depth; empty if the
            best ranking is not made of judged items.
        best: The sum of the best ranking, for every run: the IDCG, for nDCG. It is the same for all
            runs, unless the measure derives it from the items they returned.
    """

    items: tuple[str, ...]
    labels: tuple[float | None, ...]
    rankings: tuple[tuple[int, ...], ...]
    n_retrieved: tuple[int, ...]
    totals: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...] | None
    ideal: tuple[int, ...]
    best: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Details:
    """The rankings of queries.

    Attributes:
        terms: The terms of their sums.
        values: The value of the explained measure, a row for every run, a column for every query.
        depth: How many ranks of a run are stored: as many as count, and at least 50; 100 if all
            count; fewer if there are very many queries and runs.
        by_query: The details of every query, by id.
        titles: The titles of items, by id, where they are known.
        urls: The URLs of items, by id, where they are known.
    """

    terms: Terms
    values: FloatArray
    depth: int
    by_query: Mapping[str, Detail]
    titles: Mapping[str, str]
    urls: Mapping[str, str]


class SlicePart(NamedTuple):
    """One run on the queries of one slice: how many, the mean and where it lies (Student's t).

    The ends are NaN where fewer than two queries have a value.
    """

    run: str
    value: str
    n_queries: int
    mean: float
    interval: Interval


class SliceDifference(NamedTuple):
    """The candidate less the baseline on one slice, on the queries that both have a value of.

    Their number, the mean and where it lies (Student's t; NaN for fewer than two), and on how many
    the candidate does better, the same, worse.
    """

    value: str
    n_queries: int
    mean: float
    interval: Interval
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class Slicing:
    """The first measure for each group of queries.

    Attributes:
        column: The column of query data that makes the groups, or "words in" this column.
        values: The group of each query, in the order of ``Experiment.queries``; None without one.
        parts: Every run on every slice, slice by slice.
        differences: The candidate compared with the baseline, on every slice; empty for one run.
    """

    column: str
    values: tuple[str | None, ...]
    parts: tuple[SlicePart, ...]
    differences: tuple[SliceDifference, ...] = ()


class FileDescription(NamedTuple):
    """An input, its name, and the SHA-256 of its bytes (None if it is not a file)."""

    role: str
    name: str
    sha256: str | None


@dataclass(frozen=True)
class Setup:
    """The inputs and versions behind the numbers.

    Attributes:
        files: The inputs.
        versions: The versions of the packages that computed the numbers, by name.
        seed: The seed of the random numbers.
        command: The command line, if there was one.
        n_queries: How many queries have values.
        n_judgments: How many judgments there are.
    """

    files: tuple[FileDescription, ...]
    versions: Mapping[str, str]
    seed: int
    command: str | None
    n_queries: int
    n_judgments: int


@dataclass(frozen=True, eq=False)
class Experiment:
    """Runs, their scores, their differences, and the details behind them.

    Attributes:
        runs: The names of the runs, in the given order.
        queries: The id of each query that all runs are scored on, in the order of the qrels.
        texts: The text of each query, where it is known.
        measures: The measures; the report is about the first.
        scores: The scores of every run on these queries.
        systems: The mean and interval of every run by every measure, measure by measure. All
            queries count equally: weighted means are in ``scores``.
        comparison: The comparison of the runs; None if there is one run.
        baseline: The run that others are compared with: the given one, else the first.
        candidate: The run that is compared with it: of the others the one with the best mean;
            None if there is one run.
        curves: The first measure at every cutoff, of every run; empty if it takes none.
        details: The rankings.
        to_judge: Unjudged items to judge, with bounds, on the queries that any run is scored on;
            None if they are unknown.
        no_to_judge: Why they are unknown, if so.
        reconciliation: The first measure of the candidate, or of the only run, as every tool
            defines it; None if no tool reports it, or if this was not requested.
        no_reconciliation: Why there is none, if it was requested.
        slicings: The first measure by groups of queries.
        findings: The findings about the data.
        gate: The result of the gate, if there is one.
        setup: The inputs and versions.
        notices: What a reader of the numbers should know.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    texts: Mapping[str, str]
    measures: tuple[Measure, ...]
    scores: tuple[Scores, ...]
    systems: tuple[System, ...]
    comparison: Comparison | None
    baseline: str
    candidate: str | None
    curves: tuple[Curve, ...]
    details: Details
    to_judge: ItemsToJudge | None
    no_to_judge: str | None
    reconciliation: Reconciliation | None
    no_reconciliation: str | None
    slicings: tuple[Slicing, ...]
    findings: Findings
    gate: Gate | None
    setup: Setup
    notices: tuple[Notice, ...]


# The packages that compute the numbers and make the page.
_PACKAGES = ("numpy", "scipy", "polars", "vl-convert-python", "latex2mathml", "jinja2")


def describe_files(collection: Collection) -> tuple[FileDescription, ...]:
    """Describe all inputs, with the SHA-256 of those that are files on disk.

    >>> describe_files(Collection({"q1": {"d1": 1}}))
    (FileDescription(role='qrels', name='qrels', sha256=None),)
    """
    name = collection.qrels.name if isinstance(collection.qrels, Judgments) else "qrels"
    inputs: list[tuple[str, str, object]] = [("qrels", name, collection.qrels)]
    inputs += [("run", run.name, run.source) for run in collection.runs]
    inputs += [("items", "items", collection.items), ("queries", "queries", collection.queries)]
    return tuple(
        _describe_file(role, name, collection.open_file(source))
        for role, name, source in inputs
        if source is not None
    )


def list_paths(collection: Collection) -> list[str]:
    """List the paths of the inputs that are files.

    >>> list_paths(Collection("qrels.txt", items="titles.tsv"))
    ['qrels.txt', 'titles.tsv']
    """
    qrels = collection.qrels
    name = qrels.name if isinstance(qrels, Judgments) else qrels
    inputs = [name, *(run.source for run in collection.runs), collection.items, collection.queries]
    return [os.fspath(entry) for entry in inputs if is_path(entry)]


def collect_versions() -> dict[str, str]:
    """Collect the versions of what made the numbers, by name; only of installed packages.

    >>> list(collect_versions())[:3]
    ['gainful', 'python', 'numpy']
    """
    versions_by_name = {"gainful": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            versions_by_name[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue  # not all of them are needed
    return versions_by_name


def _describe_file(role: str, name: str, source: Any) -> FileDescription:
    if not isinstance(source, InputFile):
        return FileDescription(role, name, None)
    with open_file(source) as file:
        return FileDescription(role, file.name, file.hash_content())


_MOST = 4


def select_compared_runs(experiment: Experiment) -> tuple[str, ...]:
    """Return the runs that are compared: baseline and candidate, or the only run."""
    return tuple(run for run in (experiment.baseline, experiment.candidate) if run is not None)


def order_runs_for_charts(experiment: Experiment) -> tuple[str, ...]:
    """Order all runs, the compared ones first, so that charts give them the colors of A and B."""
    return tuple(dict.fromkeys([*select_compared_runs(experiment), *experiment.runs]))


def select_few_runs(experiment: Experiment, most: int = _MOST) -> tuple[str, ...]:
    """Select the runs that a chart has room for: the compared ones, then the best others."""
    systems = sorted(find_systems(experiment), key=lambda entry: (isnan(entry.mean), -entry.mean))
    ordered_runs = dict.fromkeys(
        [*select_compared_runs(experiment), *(entry.name for entry in systems)]
    )
    return tuple(run for run in order_runs_for_charts(experiment) if run in [*ordered_runs][:most])


def find_systems(experiment: Experiment, measure: Measure | None = None) -> list[System]:
    """Return what every run scores by one measure, the first by default."""
    selected_measure = measure or experiment.measures[0]
    return [system for system in experiment.systems if system.measure == selected_measure]


def find_scores(experiment: Experiment, run: str) -> Scores:
    """Return the scores of a run."""
    return experiment.scores[experiment.runs.index(run)]


def find_values(experiment: Experiment, run: str) -> FloatArray:
    """Return the value of every query of a run by the first measure; NaN where it has none."""
    return find_scores(experiment, run).column(experiment.measures[0])


def find_judged_shares(experiment: Experiment, run: str) -> FloatArray | None:
    """Return the judged share of the first ranks of every query; None if it is unknown."""
    return find_scores(experiment, run).judged.get(experiment.measures[0])


def order_queries_by_difference(experiment: Experiment) -> list[int]:
    """Order the query numbers, the largest differences first; of one run, the lowest values.

    Queries that lack a value come last.
    """
    theirs, *ours = (find_values(experiment, run) for run in select_compared_runs(experiment))
    # Rounded, so that values equal up to rounding stay in the order of the queries.
    keys = -np.round(np.abs(ours[0] - theirs), 12) if ours else theirs
    order: list[int] = np.argsort(keys, kind="stable").tolist()
    return order


def find_bounds(experiment: Experiment) -> tuple[float, float]:
    """Return the bounds of the first measure; infinite if values lie beyond them."""
    low, high = experiment.measures[0].bounds
    values_of_runs = (find_values(experiment, run) for run in experiment.runs)
    exceeds_bounds = any(((values < low) | (values > high)).any() for values in values_of_runs)
    return (-inf, inf) if exceeds_bounds else (low, high)


def clip_interval(bounds: tuple[float, float], interval: Interval) -> Interval:
    """Clip an interval to the bounds of the measure, which Student's t ignores.

    >>> clip_interval((0, 1), Interval(0.5, 1.2))
    Interval(low=0.5, high=1)
    """
    low, high = bounds
    return Interval(*(end if isnan(end) else min(max(end, low), high) for end in interval))
