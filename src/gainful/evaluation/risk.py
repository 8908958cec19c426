"""Risk: how much a run gives up against a baseline, query by query."""

import math
from collections.abc import Container, Iterable
from typing import Annotated

import numpy as np

from gainful.base import FloatArray, Setting, collect_arguments, ragged
from gainful.errors import AlignError, MeasureError
from gainful.evaluation.scores import Scores
from gainful.measures import Measure, parse_measure

Alpha = Annotated[
    float, Setting("how much more than a gain of the same size a loss weighs", at_least=0)
]


def urisk(
    scores: Scores, baseline: Scores, measure: str | Measure | None = None, *, alpha: Alpha = 1.0
) -> float:
    r"""Return the mean difference from a baseline, where losses weigh ``1 + alpha`` times as much.

    $$U = \frac{1}{n} \sum_q w_q (x_q - b_q), \quad
    w_q = 1 + \alpha \text{ if } x_q < b_q, \text{ else } 1$$

    Above 0 the run gains more than it loses. Queries whose value is NaN in either are left out;
    NaN if none is left. ``alpha=0`` gives the plain difference of means. gdeval and ndeval report
    the same by ``-baseline`` and ``-riskAlpha``.

    Reference: Wang, Bennett and Collins-Thompson, Robust ranking models via risk-sensitive
    optimization, SIGIR 2012.

    Args:
        scores: The values of the run.
        baseline: The values of the run it is compared with, for the same queries.
        measure: One of their measures; the first of ``scores`` if not given.
        alpha: How much more a loss weighs.

    Returns:
        The risk; above 0 is better.

    Raises:
        MeasureError: The scores do not have the measure, or it has no value per query.
        AlignError: The scores are not for the same queries.

    >>> from gainful import evaluate
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> run = evaluate(qrels, {"q1": ["d1"], "q2": ["d2"]}, "nDCG")
    >>> baseline = evaluate(qrels, {"q1": ["d2"], "q2": ["d1"]}, "nDCG")
    >>> urisk(run, baseline, alpha=1.0)
    -0.5
    """
    return ragged.mean(_weigh_differences("urisk", scores, baseline, measure, alpha))


def trisk(
    scores: Scores, baseline: Scores, measure: str | Measure | None = None, *, alpha: Alpha = 1.0
) -> float:
    r"""Return URisk over its standard error: Student's t of the weighted differences.

    $$T = \frac{U}{s / \sqrt{n}}$$

    where $s$ is the standard deviation of the weighted differences, with $n - 1$ below it. With
    many queries, below about -2 the run is at risk of doing worse than its baseline, and above
    about 2 it is not. NaN for fewer than two queries and where all differences are equal. For
    arguments see ``urisk``.

    Reference: Dinçer, Macdonald and Ounis, Hypothesis testing for the risk-sensitive evaluation of
    retrieval systems, SIGIR 2014.

    Args:
        scores: As for ``urisk``.
        baseline: As for ``urisk``.
        measure: As for ``urisk``.
        alpha: As for ``urisk``.

    Returns:
        The risk in standard errors.

    Raises:
        GainfulError: As for ``urisk``.

    >>> from gainful import evaluate
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> run = evaluate(qrels, {"q1": ["d1"], "q2": ["d2"]}, "nDCG")
    >>> baseline = evaluate(qrels, {"q1": ["d2"], "q2": ["d1"]}, "nDCG")
    >>> round(trisk(run, baseline), 6)
    -0.333333
    """
    weighted = _weigh_differences("trisk", scores, baseline, measure, alpha)
    weighted = weighted[~np.isnan(weighted)]
    n = len(weighted)
    if n < 2 or weighted.min() == weighted.max():
        return math.nan
    mean = ragged.mean(weighted)
    deviation = math.sqrt(math.fsum((weighted - mean) ** 2) / (n - 1))
    return mean / (deviation / math.sqrt(n))


def georisk(
    scores: Iterable[Scores], measure: str | Measure | None = None, *, alpha: Alpha = 1.0
) -> list[float]:
    r"""Return one number for each of several runs: its mean value and its risk against all of them.

    $$\mathrm{GeoRisk}_i = \sqrt{\frac{S_i}{n} \, \Phi\!\left(\frac{Z_i}{n}\right)}, \quad
    Z_i = \sum_q w_{iq} \frac{x_{iq} - e_{iq}}{\sqrt{e_{iq}}}, \quad
    e_{iq} = \frac{S_i T_q}{N}$$

    where $S_i$ adds the values of run $i$, $T_q$ those of query $q$, $N$ all of them, $w_{iq}$ is
    $1 + \alpha$ for a value below what is expected of it and else 1, and $\Phi$ is the normal
    distribution. Higher is better. A query for which no run scores anything adds nothing to $Z$.
    Queries whose value is NaN in any run are left out; NaN if none is left. Every other run is a
    baseline, so that the values hold among these runs only.

    Reference: Dinçer, Macdonald and Ounis, Risk-sensitive evaluation and learning to rank using
    multiple baselines, SIGIR 2016.

    Args:
        scores: The values of two runs or more, for the same queries.
        measure: One of their measures, none of whose values is negative; the first of the first
            run if not given.
        alpha: How much more a value below the expected weighs.

    Returns:
        One number per run, in the order of ``scores``; higher is better.

    Raises:
        MeasureError: There are fewer than two runs, they do not have the measure, or a value is
            negative.
        AlignError: The scores are not for the same queries.

    >>> from gainful import evaluate
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> runs = [{"q1": ["d1"], "q2": ["d1"]}, {"q1": ["d1"], "q2": ["d2"]}]
    >>> [round(value, 4) for value in georisk([evaluate(qrels, run, "nDCG") for run in runs])]
    [0.6829, 0.421]
    """
    alpha = _check_alpha("georisk", alpha)
    runs = list(scores) if isinstance(scores, Iterable) else [scores]
    if len(runs) < 2:
        message = f"georisk: must be given the scores of two runs or more, got {len(runs)}."
        raise MeasureError(message, code="too-few-runs")
    resolved = _resolve_measure("georisk", runs[0], measure)
    for run in runs:
        _resolve_measure("georisk", run, resolved)
    values = np.stack([_align_column("georisk", run, runs[0], resolved) for run in runs])
    values = values[:, ~np.isnan(values).any(axis=0)]
    if (values < 0).any():
        message = f"georisk: the values of {resolved} must be at least 0, got {values.min():g}."
        raise MeasureError(message, code="unfit-measure")
    run_sums = np.array([math.fsum(row) for row in values])
    query_sums = np.array([math.fsum(column) for column in values.T])
    return [
        _compute_georisk(row, run_sum, query_sums, math.fsum(run_sums), alpha)
        for row, run_sum in zip(values, run_sums, strict=True)
    ]


def _compute_georisk(
    values: FloatArray, run_sum: float, query_sums: FloatArray, grand_total: float, alpha: float
) -> float:
    n = len(values)
    if not n:
        return math.nan
    expected = run_sum * (query_sums / grand_total) if grand_total else np.zeros(n)
    z = ragged.divide(values - expected, np.sqrt(expected), empty=0.0)
    risk = math.fsum(np.where(z < 0, (1 + alpha) * z, z)) / n
    return math.sqrt(run_sum / n * (math.erfc(-risk / math.sqrt(2)) / 2))


def _weigh_differences(
    caller: str, scores: Scores, baseline: Scores, measure: str | Measure | None, alpha: float
) -> FloatArray:
    """Return the difference of every query, losses multiplied by 1 + alpha."""
    alpha, resolved = _check_alpha(caller, alpha), _resolve_measure(caller, scores, measure)
    _resolve_measure(caller, baseline, resolved)
    difference = scores.column(resolved) - _align_column(caller, baseline, scores, resolved)
    return np.where(difference < 0, (1 + alpha) * difference, difference)


def _check_alpha(caller: str, alpha: float) -> float:
    checked: float = collect_arguments(urisk)["alpha"].check(
        caller, alpha, MeasureError, "bad-argument"
    )
    return checked


def _resolve_measure(caller: str, scores: Scores, measure: str | Measure | None) -> Measure:
    if not isinstance(scores, Scores):
        message = f"{caller}: must be given Scores, as evaluate() returns them, got {scores!r:.60}."
        raise MeasureError(message, code="wrong-type")
    if scores.weights is not None:
        message = (
            f"{caller}: takes all queries alike, got weights for run {scores.run!r}. "
            "Evaluate without weights."
        )
        raise MeasureError(message, code="bad-weights")
    resolved = parse_measure(measure) if isinstance(measure, str) else measure or scores.measures[0]
    if resolved.whole:
        message = f"{caller}: {resolved} has no values of queries. Choose another measure."
        raise MeasureError(message, code="unfit-measure")
    return resolved


def _align_column(caller: str, scores: Scores, reference: Scores, measure: Measure) -> FloatArray:
    """Return the values of one measure, in the order of the queries of ``reference``."""
    row_of = {query: i for i, query in enumerate(scores.queries)}
    _require_queries(caller, reference.queries, row_of, scores.run)
    _require_queries(caller, scores.queries, set(reference.queries), reference.run)
    return scores.column(measure)[[row_of[query] for query in reference.queries]]


def _require_queries(
    caller: str, queries: tuple[str, ...], known_queries: Container[str], run: str
) -> None:
    missing = [query for query in queries if query not in known_queries]
    if missing:
        message = (
            f"{caller}: every run must have the same queries, got none of {missing[0]!r} for run "
            f"{run!r}. Evaluate all with the same qrels and missing=zero."
        )
        raise AlignError(message, code="unlike-runs")
