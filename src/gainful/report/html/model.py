"""Experiment: all that a report says of some runs, as values."""

import hashlib
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np

from gainful._version import __version__
from gainful.base import FloatArray, Frozen, Interval, Record
from gainful.diagnostics import Findings, Notice
from gainful.errors import SourceError
from gainful.evaluation import Reconciliation, Scores
from gainful.gate import Gate
from gainful.measures import Measure
from gainful.sources import Judgments, Run, is_path
from gainful.stats import Comparison, System
from gainful.unjudged import ItemsToJudge


class CurvePoint(NamedTuple):
    """The mean of a run at one cutoff, and where it lies by Student's t."""

    cutoff: int
    mean: float
    interval: Interval


@dataclass(eq=False, repr=False)
class Curve(Record):
    """A measure of one run at every cutoff.

    Attributes:
        run: The name of the run.
        measure: The measure, without its cutoff, as text.
        points: Its mean at each cutoff, ascending.
    """

    run: str
    measure: str
    points: tuple[CurvePoint, ...]


@dataclass(eq=False, repr=False)
class Terms(Record):
    """What the explained measure adds up: the numbers that a reader needs to do it again.

    The sum of a ranking is that of ``gains[label] / divisors[rank - 1]``, added in rank order down
    to the cutoff, or to the last item. A normalised value is the sum over ``Detail.best``, and 1 at
    most if it is capped; where the best is 0 it is what the rules say, see ``Details.values``.

    Attributes:
        measure: The measure, one of cumulative gain: the first of those asked for that has terms to
            show, or nDCG in their place.
        cutoff: The last rank that counts; None if all do.
        normalised: Whether the sum is divided by that of the best ranking.
        capped: Whether the quotient is 1 at most.
        ideal: What the best ranking is made of: "judged" items, the items that the run returned
            ("list"), or a gain of 1 at every rank ("ones").
        ideal_cutoff: The last rank of the best ranking that counts; None if all do.
        divisors: What the gain at each rank is divided by, from rank 1 on, as deep as is held.
        gains: The gain of every label that is held.
        complete: Whether all that counts is held, so that every sum can be added up again, to the
            last bit. Where ties are averaged that is not so, nor where a ranking goes on below
            what is held: see ``Detail.totals``.
    """

    measure: Measure
    cutoff: int | None
    normalised: bool
    capped: bool
    ideal: str
    ideal_cutoff: int | None
    divisors: tuple[float, ...]
    gains: Mapping[float, float]
    complete: bool


@dataclass(eq=False, repr=False)
class Detail(Record):
    """One query: what every run returned, and the best possible ranking.

    Attributes:
        items: The id of every item that is held, each once; the rest refers to them by number.
        labels: The label of each, None where it is not judged.
        rankings: The items of every run in rank order, as deep as is held.
        n_retrieved: How many items every run returned.
        totals: The sum of every run: the DCG, for nDCG.
        weights: What each place of a run weighs, in place of 1 over its divisor, where ties are
            averaged: below the cutoff too, if the tie begins above it. None if nothing is tied.
        ideal: The items of the best ranking that gain anything, as deep as is held. None are there
            if the best ranking is not made of judged items.
        best: The sum of the best ranking, of every run: the IDCG, for nDCG. It is the same for all
            runs, unless the measure takes it from what they returned.
    """

    items: tuple[str, ...]
    labels: tuple[float | None, ...]
    rankings: tuple[tuple[int, ...], ...]
    n_retrieved: tuple[int, ...]
    totals: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...] | None
    ideal: tuple[int, ...]
    best: tuple[float, ...]


@dataclass(eq=False, repr=False)
class Details(Frozen):
    """The rankings of queries.

    Attributes:
        terms: How values are made of them.
        values: The value of the explained measure, a row for every run, a column for every query.
        depth: How many ranks of a run are held: as many as count, and 50 at least; 100 if all of
            them count; fewer if there are very many queries and runs.
        of: The details of every query, by id.
        titles: What items are called, by id, where that is known.
        urls: Where they are found, by id, where that is known.
    """

    terms: Terms
    values: FloatArray
    depth: int
    of: Mapping[str, Detail]
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


@dataclass(eq=False, repr=False)
class Slicing(Record):
    """The first measure, apart for each kind of query.

    Attributes:
        column: What tells the kinds apart: a column of the data about queries, or "words in" it.
        values: The kind of each query, in the order of ``Experiment.queries``; None if it has none.
        parts: Every run on every slice, slice by slice.
        differences: The candidate beside the baseline, on every slice; empty if there is one run.
    """

    column: str
    values: tuple[str | None, ...]
    parts: tuple[SlicePart, ...]
    differences: tuple[SliceDifference, ...] = ()


class InputFile(NamedTuple):
    """A file that was read, as it was named, and what identifies its bytes (None: no file)."""

    role: str
    name: str
    sha256: str | None


@dataclass(eq=False, repr=False)
class Setup(Record):
    """How the numbers were made.

    Attributes:
        files: What was read.
        versions: The versions of the packages that made the numbers, by name.
        seed: What the random numbers started from.
        command: The command line, if there was one.
        n_queries: How many queries have values.
        n_judgments: How many judgments there are.
    """

    files: tuple[InputFile, ...]
    versions: Mapping[str, str]
    seed: int
    command: str | None
    n_queries: int
    n_judgments: int


@dataclass(eq=False, repr=False)
class Experiment(Frozen):
    """Runs, what they score, how they differ, and why.

    Attributes:
        runs: The names of the runs, in the order they were given.
        queries: The id of each query that all runs are scored on, in the order of the qrels.
        texts: What was asked, by query, where that is known.
        measures: The measures; the first is what the report is about.
        scores: What every run scores on these queries.
        systems: The mean and interval of every run by every measure, measure by measure. All
            queries count alike: weighted means are in ``scores``.
        comparison: How the runs differ; None if there is one run.
        baseline: The run that others are shown beside: the one given, else the first.
        candidate: The run that is shown beside it: of the others the one with the best mean;
            None if there is one run.
        curves: The first measure at every cutoff, of every run; empty if it takes none.
        details: The rankings.
        holes: Unjudged items to judge, with bounds, on the queries that any run is scored on; None
            if nothing is known of them.
        no_holes: Why nothing is, if so.
        reconciliation: The first measure of the candidate, or of the only run, as every tool
            defines it; None if no tool reports it.
        no_reconciliation: Why there is none, if so.
        slicings: The first measure apart for kinds of queries.
        findings: What is odd about the data.
        gate: What the gate said, if it was asked.
        setup: How the numbers were made.
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
    holes: ItemsToJudge | None
    no_holes: str | None
    reconciliation: Reconciliation | None
    no_reconciliation: str | None
    slicings: tuple[Slicing, ...]
    findings: Findings
    gate: Gate | None
    setup: Setup
    notices: tuple[Notice, ...]


# Those that make the numbers, and those that make the page.
_PACKAGES = ("numpy", "scipy", "polars", "altair", "vl-convert-python", "jinja2")


def describe_files(
    qrels: object, runs: Sequence[Run], items: object, queries: object
) -> tuple[InputFile, ...]:
    """All that was read, in this order, and the SHA-256 of what are files.

    >>> describe_files({"q1": {"d1": 1}}, [], None, None)
    (InputFile(role='qrels', name='qrels', sha256=None),)
    """
    name = qrels.name if isinstance(qrels, Judgments) else "qrels"
    inputs = [("qrels", name, qrels), *(("run", run.name, run.source) for run in runs)]
    inputs += [(role, role, entry) for role, entry in (("items", items), ("queries", queries))]
    return tuple(_describe_file(*entry) for entry in inputs if entry[2] is not None)


def list_paths(qrels: object, runs: Sequence[Run], items: object, queries: object) -> list[str]:
    """The files among what is read.

    >>> list_paths("qrels.txt", [], "titles.tsv", None)
    ['qrels.txt', 'titles.tsv']
    """
    name = qrels.name if isinstance(qrels, Judgments) else qrels
    inputs = [name, *(run.source for run in runs), items, queries]
    return [os.fspath(entry) for entry in inputs if is_path(entry)]


def collect_versions() -> dict[str, str]:
    """The versions of what made the numbers, by name; of packages, those that are installed.

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


def _describe_file(role: str, name: str, source: Any) -> InputFile:
    if not is_path(source):
        return InputFile(role, name, None)
    path = os.fspath(source)
    # What comes through a pipe is gone when it has been read, and "-" is no name of a file.
    return InputFile(role, path, _hash_file(path) if path != "-" and os.path.isfile(path) else None)


def _hash_file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        message = f"{path}: was read and cannot be read again, got {error.strerror!r}."
        raise SourceError(message, code="cannot-read") from error


_MOST = 4


def select_compared_runs(experiment: Experiment) -> tuple[str, ...]:
    """The runs that are shown beside each other: baseline and candidate, or the only one."""
    return tuple(run for run in (experiment.baseline, experiment.candidate) if run is not None)


def order_runs_for_charts(experiment: Experiment) -> tuple[str, ...]:
    """All runs, those that are compared first: charts give them the colours of A and B."""
    return tuple(dict.fromkeys([*select_compared_runs(experiment), *experiment.runs]))


def select_few_runs(experiment: Experiment, most: int = _MOST) -> tuple[str, ...]:
    """The runs that a chart has room for: the two that are compared, then those that do best."""
    own = sorted(find_systems(experiment), key=lambda entry: (isnan(entry.mean), -entry.mean))
    kept = dict.fromkeys([*select_compared_runs(experiment), *(entry.name for entry in own)])
    return tuple(run for run in order_runs_for_charts(experiment) if run in [*kept][:most])


def find_systems(experiment: Experiment, measure: Measure | None = None) -> list[System]:
    """Return what every run scores by one measure, the first by default."""
    chosen = measure or experiment.measures[0]
    return [system for system in experiment.systems if system.measure == chosen]


def find_scores(experiment: Experiment, run: str) -> Scores:
    """Return the scores of a run."""
    return experiment.scores[experiment.runs.index(run)]


def find_values(experiment: Experiment, run: str) -> FloatArray:
    """The values of a run by the first measure, one for every query; NaN where it has none."""
    return find_scores(experiment, run).column(experiment.measures[0])


def find_judged_shares(experiment: Experiment, run: str) -> FloatArray | None:
    """The share of its first ranks that is judged, of every query; None if nothing is known."""
    return find_scores(experiment, run).judged.get(experiment.measures[0])


def order_queries_by_difference(experiment: Experiment) -> list[int]:
    """The queries by number, those that differ most first; of one run, those that score least.

    Those that lack a value come last.
    """
    theirs, *ours = (find_values(experiment, run) for run in select_compared_runs(experiment))
    # Rounded, so that what is alike but for rounding stays in the order of the queries.
    least = -np.round(np.abs(ours[0] - theirs), 12) if ours else theirs
    order: list[int] = np.argsort(least, kind="stable").tolist()
    return order


def find_bounds(experiment: Experiment) -> tuple[float, float]:
    """Return the bounds of the first measure; infinite if values lie beyond them."""
    low, high = experiment.measures[0].bounds
    every = (find_values(experiment, run) for run in experiment.runs)
    beyond = any(((values < low) | (values > high)).any() for values in every)
    return (-inf, inf) if beyond else (low, high)


def clip_interval(bounds: tuple[float, float], interval: Interval) -> Interval:
    """An interval, cut where the measure ends: Student's t does not know that it does.

    >>> clip_interval((0, 1), Interval(0.5, 1.2))
    Interval(low=0.5, high=1)
    """
    low, high = bounds
    return Interval(*(end if isnan(end) else min(max(end, low), high) for end in interval))
