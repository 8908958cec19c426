"""Means of runs by one measure, and the differences of their pairs, with tests and intervals."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import numpy as np

from gainful.base import (
    FloatArray,
    Interval,
    format_count,
    format_difference,
    format_interval,
    format_number,
    format_p_value,
    ragged,
)
from gainful.errors import ComparisonError
from gainful.measures import Measure
from gainful.stats.bootstrap import Intervals, compute_bootstrap_intervals
from gainful.stats.comparison_settings import ComparisonSettings, Pairs
from gainful.stats.effects import (
    LARGEST,
    compute_d_z_interval,
    compute_pooled_effects,
    compute_superiority,
    count_wins_ties_losses,
    d_z,
    measure_spread,
)
from gainful.stats.paired_tests import (
    OPTIONAL_TESTS,
    benjamini_hochberg,
    compute_equivalence_p,
    compute_probability_better,
    compute_probability_within,
    holm,
    paired_t,
)
from gainful.stats.randomization import flip_signs_of_pairs, max_t, randomized_tukey
from gainful.stats.sample_size import find_detectable_effect, find_queries_needed

VERDICTS = {
    "better": "the difference is above 0, and more than chance explains",
    "worse": "the difference is below 0, and more than chance explains",
    "cannot tell": "chance alone may explain the difference; a real one may be hidden in it",
    "practically equal": "the difference is shown to be smaller than the margin that was given",
    "identical": "every query has the same value",
}


@dataclass(frozen=True)
class System:
    """The mean of one run by one measure, and its interval.

    Attributes:
        name: The name of the run.
        measure: The measure.
        mean: Its mean over the queries.
        interval: Interval of the mean, by the bootstrap, BCa.
        judged: The mean of Judged@k over the queries with results, k being the cutoff of the
            measure; NaN where items are not judged one by one.
        n_queries: Number of queries with a value.
    """

    name: str
    measure: Measure
    mean: float
    interval: Interval
    judged: float
    n_queries: int


@dataclass(frozen=True)
class Pair:
    """The difference of two runs by one measure: the system, less the baseline.

    Attributes:
        measure: The measure.
        system: The name of one run.
        baseline: The name of the other, which the system is compared with.
        difference: The mean of the system less the mean of the baseline.
        interval: Interval of the difference, by the bootstrap, BCa.
        t_interval: Interval of the difference, by Student's t: it holds 0 where ``p_t`` is not
            below alpha. Shown to people, so that interval and verdict go together.
        relative: The difference as a share of the mean of the baseline; NaN if that is 0.
        relative_interval: Interval of that share, by the bootstrap, BCa.
        deviation: The standard deviation of the differences of queries.
        effect: The difference in standard deviations, d_z; 0 for runs that are identical.
        effect_interval: Interval of the effect, by the noncentral t distribution.
        pooled_effect: The difference over the residual standard deviation of all runs, E2.
        t: Student's t of the differences.
        p_t: The p-value of the paired t-test, two-sided.
        p_randomized: The p-value of the sign-flip randomization test, two-sided.
        p_adjusted: The p-value that the verdict is based on, see ``Comparison.correction``.
        wins: Number of queries that the system does better on.
        ties: Number of queries that it does the same on, within ``Comparison.tie``.
        losses: Number of queries that it does worse on.
        superiority: The share of queries that it does better on, ties counted half.
        p_better: The probability that it is better in the long run, before which nothing was
            known: Student's t as posterior.
        p_equal: The probability that they differ by less than ``Comparison.margin``, or None.
        p_equivalent: The p-value of two one-sided t-tests that they do, or None.
        detectable: The smallest difference that so many queries show four times out of five.
        more: The p-values of the additional tests that were requested, by name.
        possible: Interval of the difference over all labels of unjudged items, if it was
            requested.
        verdict: One of ``VERDICTS``, said of the system.
        sentence: The verdict in plain words.
        n_queries: Number of queries that were compared.
    """

    measure: Measure
    system: str
    baseline: str
    difference: float
    interval: Interval
    t_interval: Interval
    relative: float
    relative_interval: Interval
    deviation: float
    effect: float
    effect_interval: Interval
    pooled_effect: float
    t: float
    p_t: float
    p_randomized: float
    p_adjusted: float
    wins: int
    ties: int
    losses: int
    superiority: float
    p_better: float
    p_equal: float | None
    p_equivalent: float | None
    detectable: float
    more: Mapping[str, float]
    possible: Interval | None
    verdict: str
    sentence: str
    n_queries: int


_MAX_STATED_QUERIES = 1_000_000  # larger numbers of queries are not spelled out


def decide_verdict(
    difference: float, *, is_identical: bool, p: float, p_equivalent: float | None, alpha: float
) -> str:
    """Return the verdict, one of ``VERDICTS``.

    >>> decide_verdict(0.02, is_identical=False, p=0.01, p_equivalent=None, alpha=0.05)
    'better'
    >>> decide_verdict(0.02, is_identical=False, p=0.20, p_equivalent=None, alpha=0.05)
    'cannot tell'
    """
    if is_identical:
        return "identical"
    if p_equivalent is not None and p_equivalent < alpha:
        return "practically equal"
    if p < alpha:
        return "better" if difference > 0 else "worse"
    return "cannot tell"


def write_verdict(
    pair: Pair, *, test: str, alpha: float, margin: float | None, needed: int | None
) -> str:
    """Return the verdict of a pair in plain words.

    It never calls equal what it cannot tell apart.

    Args:
        pair: The pair, and the verdict on it.
        test: Name of the test that gave ``Pair.p_adjusted``.
        alpha: As in ``compare``.
        margin: As in ``compare``.
        needed: Number of queries that would show a difference of this size, if it is known.
    """
    names, measure, n_queries = f"{pair.system} and {pair.baseline}", pair.measure, pair.n_queries
    queries = format_count(n_queries, "query", "queries")
    difference = _format_difference(pair)
    p = _format_p_value(pair.p_adjusted, alpha)
    if pair.verdict == "identical":
        all_of_them = f"all {queries}" if n_queries > 1 else f"the {queries}"
        return f"{names} are identical on {measure}: same value on {all_of_them}."
    if pair.verdict == "practically equal":
        assert pair.p_equivalent is not None
        return (
            f"{names} are practically equal on {measure}: the difference, {difference}, is "
            f"shown to be smaller than {margin:g} ({_format_p_value(pair.p_equivalent, alpha)}, "
            f"two one-sided t-tests, {queries})."
        )
    if n_queries < 2:
        return f"cannot tell {names} apart on {measure}: one query shows nothing."
    if pair.verdict == "cannot tell":
        return (
            f"cannot tell {names} apart on {measure}: the difference is {difference}, {p} "
            f"({test}, {queries}).{_describe_power(n_queries, pair.detectable, needed)}"
        )
    relation = _choose_verb(pair.verdict, measure)
    return (
        f"{pair.system} {relation} {pair.baseline} on {measure}: {difference}, {p} "
        f"({test}, {queries})."
    )


def _format_difference(pair: Pair) -> str:
    """Return the difference and its interval; an interval without width is left out."""
    low, high = pair.t_interval
    range_text = "on every query" if low == high else format_interval(pair.t_interval)
    return f"{format_difference(pair.difference)} {range_text}"


def _format_p_value(p: float, alpha: float) -> str:
    """Return a p-value as text, never 0, and on the right side of alpha.

    >>> [_format_p_value(p, 0.05) for p in (0.0123, 0.00001, 0.049999)]
    ['p = 0.0123', 'p < 0.0001', 'p = 0.049999']
    """
    text = format_p_value(p, alpha)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def _choose_verb(verdict: str, measure: Measure) -> str:
    if measure.higher_is_better:
        return "beats" if verdict == "better" else "is worse than"
    return "scores higher than" if verdict == "better" else "scores lower than"


def _describe_power(n_queries: int, detectable: float, needed: int | None) -> str:
    if not detectable > 0:  # nothing varies, or false alarms are as frequent
        return ""
    sentence = f" So many queries reliably show differences of {format_number(detectable)} or more"
    if needed is None or needed <= n_queries:
        return f"{sentence}."
    n_needed = (
        f"more than {_MAX_STATED_QUERIES:,}"
        if needed > _MAX_STATED_QUERIES
        else f"about {needed:,}"
    )
    return f"{sentence}; one of this size takes {n_needed}."


# Names of the tests behind the verdict; "{}" is the test of a pair by itself.
_TEST_NAMES = {
    "none": "{}",
    "holm": "{}, Holm",
    "bh": "{}, Benjamini-Hochberg",
    "tukey": "randomized Tukey",
    "max-t": "step-down maxT",
}
_TIE_LIMIT = 1e-9  # differences by rounding only are ties, whatever the setting


def compare_measure(
    measure: Measure,
    runs: tuple[str, ...],
    values: FloatArray,
    judged: list[float],
    settings: ComparisonSettings,
) -> tuple[list[System], list[Pair]]:
    """Return the mean of every run and the difference of every pair.

    Queries without a value by any run are left out.

    Args:
        values: A row per run, a column per query.
        judged: The share of judged items, per run.
    """
    values = np.ascontiguousarray(values[:, ~np.isnan(values).any(axis=0)])
    _check_values(measure, values)
    pairs = settings.list_pairs(runs)
    intervals = compute_bootstrap_intervals(
        values,
        pairs,
        level=1 - settings.alpha,
        resamples=settings.draws["bootstrap"],
        seed=settings.seed,
    )
    systems = [
        System(run, measure, ragged.mean(row), interval, share, values.shape[1])
        for run, row, interval, share in zip(runs, values, intervals.means, judged, strict=True)
    ]
    return systems, _make_pairs(measure, runs, values, pairs, settings, intervals)


def _check_values(measure: Measure, values: FloatArray) -> None:
    if not values.size:
        message = (
            f"compare: {measure} has no value for any query; there is nothing to compare. "
            "Choose another measure, or another rule for queries with nothing relevant."
        )
        raise ComparisonError(message, code="no-values")
    if (large := values[np.abs(values) > LARGEST]).size:
        message = (
            f"compare: values of {measure} must be numbers below {LARGEST:g}, got "
            f"{float(large[0])!r}. Choose another measure, such as nDCG@10."
        )
        raise ComparisonError(message, code="not-numbers")


def _make_pairs(
    measure: Measure,
    runs: tuple[str, ...],
    values: FloatArray,
    pairs: Pairs,
    settings: ComparisonSettings,
    intervals: Intervals,
) -> list[Pair]:
    correction, margin = settings.resolve_correction(len(pairs)), settings.margin
    flips = {"resamples": settings.draws["sign flips"], "seed": settings.seed}
    p_randomized = flip_signs_of_pairs(values, pairs, **flips)
    p_adjusted = _adjust_p_values(correction, values, pairs, settings)
    pooled = compute_pooled_effects(values)
    level = 1 - settings.alpha
    made = []
    for i, (system, baseline) in enumerate(pairs):
        differences = values[system] - values[baseline]
        spread, test = measure_spread(differences), paired_t(differences, level=level)
        wins, ties, losses = count_wins_ties_losses(differences, tie=settings.tie)
        baseline_mean = ragged.mean(values[baseline])
        difference = ragged.mean(values[system]) - baseline_mean
        pair = Pair(
            measure=measure,
            system=runs[system],
            baseline=runs[baseline],
            difference=difference,
            interval=intervals.differences[i],
            t_interval=test.interval,
            relative=difference / baseline_mean if baseline_mean else math.nan,
            relative_interval=intervals.relatives[i],
            deviation=spread.deviation,
            effect=d_z(differences),
            effect_interval=compute_d_z_interval(differences, level=level),
            pooled_effect=float(pooled[system, baseline]),
            t=test.t,
            p_t=test.p,
            p_randomized=float(p_randomized[i]),
            p_adjusted=float(p_adjusted[i]),
            wins=wins,
            ties=ties,
            losses=losses,
            superiority=compute_superiority(differences, tie=settings.tie),
            p_better=compute_probability_better(differences),
            p_equal=None if margin is None else compute_probability_within(differences, margin),
            p_equivalent=None if margin is None else compute_equivalence_p(differences, margin),
            detectable=_find_detectable(spread.n, settings.alpha) * spread.deviation,
            more={name: OPTIONAL_TESTS[name].p(differences, **flips) for name in settings.tests},
            possible=None,
            verdict="",
            sentence="",
            n_queries=spread.n,
        )
        n_tied = count_wins_ties_losses(differences, tie=min(settings.tie, _TIE_LIMIT))[1]
        made.append(
            _add_verdict(pair, _TEST_NAMES[correction], settings, is_identical=n_tied == spread.n)
        )
    return made


def _add_verdict(
    pair: Pair, correction: str, settings: ComparisonSettings, *, is_identical: bool
) -> Pair:
    alpha, margin = settings.alpha, settings.margin
    # Where all queries differ alike Student's t is infinite, and proves nothing of few.
    by_t = math.isfinite(pair.t)
    verdict = decide_verdict(
        pair.difference,
        is_identical=is_identical,
        p=pair.p_adjusted,
        p_equivalent=pair.p_equivalent if by_t else None,
        alpha=alpha,
    )
    test = correction.format("paired t" if by_t else "sign flips")
    decided, needed = replace(pair, verdict=verdict), _find_needed(pair.effect, alpha)
    sentence = write_verdict(decided, test=test, alpha=alpha, margin=margin, needed=needed)
    return replace(decided, sentence=sentence)


def _adjust_p_values(
    correction: str,
    values: FloatArray,
    pairs: Pairs,
    settings: ComparisonSettings,
) -> FloatArray:
    draws = {"resamples": settings.draws["permutations"], "seed": settings.seed}
    if correction == "tukey":
        adjusted = randomized_tukey(values, **draws)
        return np.array([adjusted[pair] for pair in pairs])
    if correction == "max-t":
        return max_t(values, pairs[0][1], **draws)[[system for system, _ in pairs]]
    tests = [paired_t(values[system] - values[baseline]) for system, baseline in pairs]
    unadjusted = np.array([test.p for test in tests])
    if correction == "none":
        return unadjusted
    return (holm if correction == "holm" else benjamini_hochberg)(unadjusted)


@cache
def _find_detectable(n_queries: int, alpha: float) -> float:
    return find_detectable_effect(n_queries, alpha=alpha) if n_queries > 1 else math.nan


def _find_needed(effect: float, alpha: float) -> int | None:
    """Return the number of queries that would show an effect; None if unknown."""
    return find_queries_needed(effect, alpha=alpha) if 1e-9 < abs(effect) < math.inf else None


def list_record_fields(record: Pair | System) -> dict[str, Any]:
    """Return the fields of a Pair or System by name, without the measure."""
    names = [field.name for field in fields(record) if field.name != "measure"]
    return {"system" if name == "name" else name: getattr(record, name) for name in names}
